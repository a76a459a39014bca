"""How far apart in time the engines of a run were asked the same: exchanges in, seconds out."""

from dataclasses import dataclass

import numpy as np
import sqlalchemy as sa
from numpy.typing import ArrayLike

from monitor.model import ANSWERED_OUTCOMES
from monitor.store.schema import attempts, exchanges

_TWO = 2


@dataclass(frozen=True, slots=True)
class Spread:
    """What is typical of `n` questions, in seconds."""

    median: float
    p95: float
    most: float
    n: int


def spreads(connection: sa.Connection, run_id: int) -> list[float]:
    """Seconds between the first engine and the last one that were asked the same, by question.

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
    found = connection.execute(query).all()
    if not found:
        return []
    origin = found[0].asked_at
    seconds = np.array([(row.asked_at - origin).total_seconds() for row in found])
    _, starts, engines = np.unique(
        np.array([row.probe_id for row in found]), return_index=True, return_counts=True
    )
    apart = np.maximum.reduceat(seconds, starts) - np.minimum.reduceat(seconds, starts)
    return [float(one) for one in apart[engines >= _TWO]]


def summary(seconds: ArrayLike) -> Spread | None:
    """Median, 95th percentile and maximum; None where nothing was asked of two engines."""
    values = np.asarray(seconds, dtype=float)
    if not values.size:
        return None
    median, p95, most = np.percentile(values, [50, 95, 100])
    return Spread(float(median), float(p95), float(most), values.size)
