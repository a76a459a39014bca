"""Counts and times of requests to engines, and their spread between engines.

Metrics and supervision count from an id on that the caller remembers, which never scans a whole
table of answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import sqlalchemy as sa
from numpy.typing import ArrayLike

from monitor.model import ANSWERED_OUTCOMES, Purpose
from monitor.store.schema import attempts, engines, exchanges


@dataclass(frozen=True, slots=True)
class RequestDurations:
    """Durations of the requests to an engine: counts within each limit, all, and their sum."""

    within: tuple[int, ...]
    n: int
    seconds: float


def find_newest_exchange(connection: sa.Connection) -> int:
    """Return the id of the newest exchange, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(exchanges.c.id))).scalar() or 0)


def _has_exchange_between(after: int, to: int) -> sa.ColumnElement[bool]:
    return (exchanges.c.id > after) & (exchanges.c.id <= to)


def count_attempts(connection: sa.Connection, after: int, to: int) -> dict[tuple[str, str], int]:
    """Return {(engine, outcome): attempts} of the exchanges after one id up to another."""
    query = (
        sa.select(engines.c.name, exchanges.c.outcome, sa.func.count())
        .select_from(exchanges)
        .join(attempts, attempts.c.exchange_id == exchanges.c.id)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(_has_exchange_between(after, to))
        .group_by(engines.c.name, exchanges.c.outcome)
    )
    return {(name, outcome): int(n) for name, outcome, n in connection.execute(query)}


def measure_durations(
    connection: sa.Connection, after: int, to: int, limits: Sequence[float]
) -> dict[str, RequestDurations]:
    """Return {engine: durations of its requests}, counted within each limit."""
    within = [
        sa.func.coalesce(sa.func.sum(sa.case((exchanges.c.took <= limit, 1), else_=0)), 0)
        for limit in limits
    ]
    query = (
        sa.select(engines.c.name, sa.func.count(), sa.func.sum(exchanges.c.took), *within)
        .select_from(exchanges)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(_has_exchange_between(after, to), exchanges.c.purpose == Purpose.PROBE)
        .group_by(engines.c.name)
    )
    return {
        name: RequestDurations(tuple(int(count) for count in counts), int(n), float(seconds))
        for name, n, seconds, *counts in connection.execute(query)
    }


def _is_valid_answer() -> sa.ColumnElement[bool]:
    return exchanges.c.outcome.in_(sorted(ANSWERED_OUTCOMES))


def find_last_answers(connection: sa.Connection) -> dict[str, datetime]:
    """Return {engine: time of its last answer}; `find_answers_between` goes on."""
    answered_at: dict[str, datetime] = {}
    for engine_id, name in connection.execute(sa.select(engines.c.id, engines.c.name)).all():
        query = (
            sa.select(exchanges.c.asked_at)
            .where(exchanges.c.engine_id == engine_id, _is_valid_answer())
            .order_by(exchanges.c.asked_at.desc())
            .limit(1)
        )
        last_at = connection.execute(query).scalar()
        if last_at is not None:
            answered_at[name] = max(last_at, answered_at.get(name, last_at))
    return answered_at


def find_answers_between(connection: sa.Connection, after: int, to: int) -> dict[str, datetime]:
    """Return {engine: time of its last valid answer} in a range of exchanges."""
    query = (
        sa.select(engines.c.name, sa.func.max(exchanges.c.asked_at))
        .select_from(exchanges)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(_has_exchange_between(after, to), _is_valid_answer())
        .group_by(engines.c.name)
    )
    return {name: answered_at for name, answered_at in connection.execute(query)}  # noqa: C416 - rows are no pairs


def has_answered(connection: sa.Connection, name: str, config_hash: str, since: datetime) -> bool:
    """Return whether an engine with this configuration gave an answer since a time."""
    query = sa.select(
        sa.exists().where(
            exchanges.c.engine_id == engines.c.id,
            engines.c.name == name,
            engines.c.config_hash == config_hash,
            exchanges.c.asked_at >= since,
            _is_valid_answer(),
        )
    )
    return bool(connection.execute(query).scalar())


_TWO = 2


@dataclass(frozen=True, slots=True)
class RequestSpread:
    """Typical durations of `n` questions, in seconds."""

    median: float
    p95: float
    most: float
    n: int


def measure_spreads(connection: sa.Connection, run_id: int) -> list[float]:
    """Return, by question, the seconds between the first and the last engine that was asked.

    A question is a probe: what was asked for one target or in one region. Its first attempt (of the
    first repeat) counts, where it was answered; a question that fewer than two engines answered
    says nothing.
    """
    query = (
        sa.select(attempts.c.probe_id, exchanges.c.asked_at)
        .join(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .where(
            attempts.c.run_id == run_id,
            attempts.c.repeat == 0,
            attempts.c.n == 1,
            exchanges.c.outcome.in_(ANSWERED_OUTCOMES),
        )
        .order_by(attempts.c.probe_id)
    )
    exchange_rows = connection.execute(query).all()
    if not exchange_rows:
        return []
    origin = exchange_rows[0].asked_at
    seconds = np.array([(row.asked_at - origin).total_seconds() for row in exchange_rows])
    _, starts, engines = np.unique(
        np.array([row.probe_id for row in exchange_rows]), return_index=True, return_counts=True
    )
    apart = np.maximum.reduceat(seconds, starts) - np.minimum.reduceat(seconds, starts)
    return [float(spread) for spread in apart[engines >= _TWO]]


def summarize_spreads(seconds: ArrayLike) -> RequestSpread | None:
    """Return median, 95th percentile and maximum; None where nothing was asked of two engines."""
    values = np.asarray(seconds, dtype=float)
    if not values.size:
        return None
    median, p95, most = np.percentile(values, [50, 95, 100])
    return RequestSpread(float(median), float(p95), float(most), values.size)
