"""Noise floors of the series that a job tests first: stored A/A comparisons in, floors out."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.pipeline.declared import Declared, is_primary
from monitor.stats.noise import Floor, Quiet, floor
from monitor.store import comparisons
from monitor.store.comparisons import Tested


def floors(
    connection: sa.Connection, declared: Declared, tests: Sequence[Tested], due_at: datetime
) -> dict[int, Floor]:
    """The noise floor of every primary series that has one.

    By what earlier ticks have shown alone, so that what was decided stays decided.
    """
    ours = {one.series_id: one for one in tests if is_primary(declared, one)}
    days = comparisons.of_series(connection, ours, Contrast.DAYS)
    found = {}
    for series, one in ours.items():
        repeats = declared.repeats.get(one.engine, 1)
        earlier = [day for day in days.get(series, []) if day.due_at < due_at]
        quiet = [day for day in (_quiet(day, repeats) for day in earlier) if day]
        known = floor(quiet, max(one.n, 1), repeats)
        if known.sd_of_difference is not None:
            found[series] = known
    return found


def _quiet(one: Tested, repeats: int) -> Quiet | None:
    """A difference while nothing changed; what is asked again is asked once.

    None without a test, or of a comparison from before its spread was kept.
    """
    spread = one.facts.get("spread")
    if spread is None or not one.n:
        return None
    return Quiet(one.delta, spread**2, one.n, before_repeats=repeats)
