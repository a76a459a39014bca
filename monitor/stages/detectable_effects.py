"""The smallest changes that the runs of a job so far can find, by series."""

from collections.abc import Sequence
from datetime import datetime

from monitor.stages import smallest
from monitor.stages.decisions import RunValue, Watch
from monitor.store.changes import comparisons
from monitor.store.database import Connection


def smallest_changes(
    connection: Connection, job: str, series: Sequence[int], alpha: float, until: datetime
) -> dict[int, float | None]:
    """Return {series: smallest change found with a probability of 80 %}; None with too few runs.

    `series` are all primary series of the job, `alpha` is the level of their tests together. Runs
    that were due after `until` do not count.
    """
    asked = [run for run in comparisons.list_asked_runs(connection, job) if run.due_at <= until]
    positions = {at: index for index, at in enumerate(sorted({run.due_at for run in asked}))}
    values = comparisons.find_first_differences(connection, series, {run.run_id for run in asked})
    effects = {}
    for series_id in series:
        by_run = values.get(series_id, {})
        watch = Watch()
        for run in asked:
            if run.run_id in by_run:
                value = RunValue(run.run_id, positions[run.due_at], by_run[run.run_id].delta)
                watch.add(value, alpha / (2 * len(series)))
        # runs of a signal that is not decided are no noise
        ends = min((len(signal.before) for signal in watch.raised()), default=len(watch.level))
        level = [run.value for run in watch.level[:ends]]
        effects[series_id] = smallest.of_runs(level, len(series), alpha)
    return effects
