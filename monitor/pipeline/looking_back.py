"""Shifts in the whole series of a job's primaries, in retrospect."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Contrast, Role, Status
from monitor.model import digest
from monitor.pipeline.declared import Declared, member_of, moved_of, where_of
from monitor.stages.changes import decisions
from monitor.store.changes import comparisons, findings
from monitor.store.changes.comparisons import TestedComparison
from monitor.store.changes.findings import StoredChange


def look_back(
    connection: sa.Connection,
    declared: Declared,
    job: str,
    tests: Sequence[TestedComparison],
    due_at: datetime,
    now: datetime,
) -> int:
    """Store shifts in primary series until a tick. Returns the number of rows written.

    `tests` are the newest comparison of each series.
    """
    tests_by_series_id = {
        tested_comparison.series_id: tested_comparison for tested_comparison in tests
    }
    grid = {at: n for n, at in enumerate(comparisons.list_due_times(connection, job))}
    stored = findings.find_retrospective(connection, [ChangeKind.SHIFT], tests_by_series_id)
    changes: list[StoredChange] = []
    for series, steps in comparisons.find_series_comparisons(
        connection, tests_by_series_id, Contrast.STEP
    ).items():
        known_steps = [
            step
            for step in steps
            if step.due_at <= due_at and step.due_at in grid and step.before_due_at in grid
        ]
        if not known_steps:
            continue
        back = [
            decisions.Step(
                grid[known_step.due_at],
                known_step.after_run,
                known_step.before_run,
                known_step.before,
                known_step.delta,
            )
            for known_step in known_steps
        ]
        times = {grid[known_step.due_at]: known_step.due_at for known_step in known_steps}
        first_at = grid[known_steps[0].before_due_at]
        for seen in decisions.look_back(back, first_at):
            detected_at = due_at
            if (series, ChangeKind.SHIFT, times[seen.at]) not in stored:
                detected_at = times[decisions.first_found_at(back, first_at, seen.at)]
            changes.append(
                _seen(declared, tests_by_series_id[series], seen, times[seen.at], detected_at)
            )
    return findings.store_retrospective(
        connection, changes, [ChangeKind.SHIFT], tests_by_series_id, now
    )


def _seen(
    declared: Declared,
    test: TestedComparison,
    seen: decisions.Seen,
    changed_at: datetime,
    detected_at: datetime,
) -> StoredChange:
    """Return a shift as it is stored: no claim by itself."""
    effect = seen.after - seen.before
    moved = moved_of(declared, test)
    words = (
        f"{where_of(test)}: {moved.title} ({test.quantity}) shifted from about {seen.before:.3f} "
        f"to about {seen.after:.3f}, in retrospect over the whole series."
    )
    return StoredChange(
        series_id=test.series_id, kind=ChangeKind.SHIFT, role=Role.PRIMARY,
        family=member_of(test).family, changed_at=changed_at, detected_at=detected_at,
        before_run_id=seen.before_run,
        after_run_id=seen.run, comparison_id=None, confirm_id=None, before=seen.before,
        after=seen.after, effect=effect, low=None, high=None, p=None, q=None, alpha=None,
        p_beyond=None, alpha_beyond=None, noise=None, statistic=None,
        status=Status.RETROSPECTIVE, cause=Cause.OPEN,
        because=f"{seen.why} Found in retrospect: no cause is determined.", sentence=words,
        facts={}, inputs_digest=digest([decisions.VERSION, seen.before, seen.after, words,
                                        seen.why, seen.before_run, seen.run]),
    )  # fmt: skip
