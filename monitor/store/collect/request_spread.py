"""Time between the answers of the engines of a run to the same question."""

from dataclasses import dataclass

import numpy as np
import sqlalchemy as sa
from numpy.typing import ArrayLike

from monitor.model import ANSWERED_OUTCOMES
from monitor.store.schema import attempts, exchanges


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
    return [float(spread) for spread in apart[engines > 1]]


def summarize_spreads(seconds: ArrayLike) -> RequestSpread | None:
    """Return median, 95th percentile and maximum; None where nothing was asked of two engines."""
    values = np.asarray(seconds, dtype=float)
    if not values.size:
        return None
    median, p95, most = np.percentile(values, [50, 95, 100])
    return RequestSpread(float(median), float(p95), float(most), values.size)
