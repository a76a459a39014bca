"""How engines answered, counted from an id on: what metrics and supervision read.

Nothing here reads a whole table of answers. Counts are of what came after an id that the caller
remembers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from monitor.model import ANSWERED_OUTCOMES, Purpose
from monitor.store.schema import attempts, engines, exchanges


@dataclass(frozen=True, slots=True)
class Took:
    """How long requests to an engine took: how many ended within each limit, all, their sum."""

    within: tuple[int, ...]
    n: int
    seconds: float


def newest_exchange(connection: sa.Connection) -> int:
    """The id of the newest exchange, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(exchanges.c.id))).scalar() or 0)


def _between(after: int, to: int) -> sa.ColumnElement[bool]:
    return (exchanges.c.id > after) & (exchanges.c.id <= to)


def attempts_between(connection: sa.Connection, after: int, to: int) -> dict[tuple[str, str], int]:
    """{(engine, outcome): attempts} of the exchanges after one id up to another."""
    query = (
        sa.select(engines.c.name, exchanges.c.outcome, sa.func.count())
        .select_from(exchanges)
        .join(attempts, attempts.c.exchange_id == exchanges.c.id)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(_between(after, to))
        .group_by(engines.c.name, exchanges.c.outcome)
    )
    return {(name, outcome): int(n) for name, outcome, n in connection.execute(query)}


def durations_between(
    connection: sa.Connection, after: int, to: int, limits: Sequence[float]
) -> dict[str, Took]:
    """{engine: how long its requests took}; each limit counts all that took at most so long."""
    within = [
        sa.func.coalesce(sa.func.sum(sa.case((exchanges.c.took <= limit, 1), else_=0)), 0)
        for limit in limits
    ]
    query = (
        sa.select(engines.c.name, sa.func.count(), sa.func.sum(exchanges.c.took), *within)
        .select_from(exchanges)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(_between(after, to), exchanges.c.purpose == Purpose.PROBE)
        .group_by(engines.c.name)
    )
    return {
        name: Took(tuple(int(one) for one in counts), int(n), float(seconds))
        for name, n, seconds, *counts in connection.execute(query)
    }


def _valid() -> sa.ColumnElement[bool]:
    return exchanges.c.outcome.in_(sorted(ANSWERED_OUTCOMES))


def last_valid(connection: sa.Connection) -> dict[str, datetime]:
    """{engine: when it last gave an answer}, for once; `valid_between` says what came since."""
    found: dict[str, datetime] = {}
    for engine_id, name in connection.execute(sa.select(engines.c.id, engines.c.name)).all():
        query = (
            sa.select(exchanges.c.asked_at)
            .where(exchanges.c.engine_id == engine_id, _valid())
            .order_by(exchanges.c.asked_at.desc())
            .limit(1)
        )
        at = connection.execute(query).scalar()
        if at is not None:
            found[name] = max(at, found.get(name, at))
    return found


def valid_between(connection: sa.Connection, after: int, to: int) -> dict[str, datetime]:
    """{engine: when it last gave an answer} among the exchanges after one id up to another."""
    query = (
        sa.select(engines.c.name, sa.func.max(exchanges.c.asked_at))
        .select_from(exchanges)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(_between(after, to), _valid())
        .group_by(engines.c.name)
    )
    return {name: at for name, at in connection.execute(query)}  # noqa: C416 - rows are no pairs


def has_answered(connection: sa.Connection, name: str, config_hash: str, since: datetime) -> bool:
    """Whether an engine with this configuration gave an answer since a time."""
    query = sa.select(
        sa.exists().where(
            exchanges.c.engine_id == engines.c.id,
            engines.c.name == name,
            engines.c.config_hash == config_hash,
            exchanges.c.asked_at >= since,
            _valid(),
        )
    )
    return bool(connection.execute(query).scalar())
