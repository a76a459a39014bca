"""Noise floors of the series that a job tests first: stored A/A comparisons in, floors out.

What counts follows from when runs ended, which is stored, so that a tick that is decided anew has
the floor that it had at first, whatever was asked again since.
"""

from collections.abc import Sequence

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.pipeline.declared import Declared, is_primary
from monitor.stats.noise import Floor, Quiet, floor
from monitor.store import comparisons, runs
from monitor.store.comparisons import Tested


def floors(
    connection: sa.Connection, declared: Declared, tests: Sequence[Tested], run_id: int
) -> dict[int, Floor]:
    """The noise floor of every primary series that has one, at the tick of a run.

    By what earlier ticks have shown, as far as they were asked again before this one had ended.
    """
    ours = {one.series_id: one for one in tests if is_primary(declared, one)}
    days = comparisons.of_series(connection, ours, Contrast.DAYS)
    asked = {day.after_run for some in days.values() for day in some}
    ended = runs.finished(connection, {run_id, *asked})
    if run_id not in ended:
        return {}
    found = {}
    for series, one in ours.items():
        repeats = declared.repeats.get(one.engine, 1)
        earlier = [
            day
            for day in days.get(series, [])
            if day.due_at < one.due_at
            and day.after_run in ended
            and ended[day.after_run] <= ended[run_id]
        ]
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
