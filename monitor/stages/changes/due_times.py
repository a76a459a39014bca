"""Count the due times of the runs that the order of a change rests on.

A chart has one value a due time; the order of runs also counts those that asked the same questions
again. Words about the order give both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from monitor.change import ChangeKind, Role, Status
from monitor.model import RunKind
from monitor.store.changes import comparisons, findings
from monitor.store.changes.findings import FindingFilter, ListedChange
from monitor.store.database import Connection


@dataclass(frozen=True, slots=True)
class DueTimes:
    """Due times of the runs before and since a change; None where they cannot be told."""

    before: int | None = None
    since: int | None = None


UNKNOWN = DueTimes()


class OrderedChange(NamedTuple):
    """A change that an order of runs has decided, or raised; `facts` count its runs."""

    number: int
    series_id: int
    kind: str
    changed_at: datetime
    detected_at: datetime
    facts: Mapping[str, float]


def count_due_times(
    connection: Connection, job: str, changes: Sequence[OrderedChange]
) -> dict[int, DueTimes]:
    """Return {number: its due times} of changes of one job that rest on an order of runs."""
    ordered = [change for change in changes if "chance" in change.facts]
    if not ordered:
        return {}
    times = _read_times(connection, job)
    series = {change.series_id for change in ordered}
    values = comparisons.find_first_differences(connection, series, set(times))
    decided = [
        finding
        for finding in findings.list_changes(connection, FindingFilter(job=job))
        if (finding.status, finding.role) == (Status.CONFIRMED, Role.PRIMARY)
    ]
    counted = {}
    for change in ordered:
        own = values.get(change.series_id, {})
        run_times = [time for run, time in times.items() if run in own]
        bases = _find_bases(change, decided, run_times)
        counted[change.number] = _count(change, run_times, bases)
    return counted


def _read_times(connection: Connection, job: str) -> dict[int, datetime]:
    """Return {run: due time of the newest scheduled run when it was asked}, as they were asked."""
    times: dict[int, datetime] = {}
    newest: datetime | None = None
    for run in comparisons.list_asked_runs(connection, job):
        if run.kind is RunKind.SCHEDULED:
            newest = max(newest or run.due_at, run.due_at)
        if newest is not None:
            times[run.id] = newest
    return times


def _find_bases(
    change: OrderedChange, decided: Sequence[ListedChange], times: Sequence[datetime]
) -> list[int]:
    """Return where the level before a change may begin, as positions among the runs."""
    earlier = [
        finding
        for finding in decided
        if finding.series_id == change.series_id and finding.changed_at < change.changed_at
    ]
    if not earlier:
        return [0]
    last = max(earlier, key=lambda finding: finding.changed_at)
    places = [place for place, time in enumerate(times) if time == last.changed_at]
    # a drift may begin with any run of its first due time
    return places if last.kind == ChangeKind.DRIFT else places[:1]


def _count(change: OrderedChange, times: Sequence[datetime], bases: Sequence[int]) -> DueTimes:
    """Return the due times of one change; `times` are those of the runs of its series."""
    n_before, n_since = (int(change.facts[f"runs_{side}"]) for side in ("before", "since"))
    start = next((n for n, time in enumerate(times) if time == change.changed_at), None)
    if start is None:
        return UNKNOWN
    if change.kind == ChangeKind.DRIFT:
        late = [time for time in times if change.changed_at <= time <= change.detected_at]
        from monitor.stages.changes.decisions import FIRST_RUNS  # noqa: PLC0415 - loads numpy

        firsts = {len(set(times[base : base + FIRST_RUNS])) for base in bases}
        n_first = firsts.pop() if len(firsts) == 1 else None
        return DueTimes(n_first, _count_known(late, n_since))
    before, since = times[max(start - n_before, 0) : start], times[start : start + n_since]
    return DueTimes(_count_known(before, n_before), _count_known(since, n_since))


def _count_known(times: Sequence[datetime], n_runs: int) -> int | None:
    """Return how many due times these are; None where there are fewer runs than were counted."""
    return len(set(times)) if len(times) >= n_runs else None
