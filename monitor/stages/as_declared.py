"""Whether a number may be called confirmatory: declared in time, and asked as it was declared.

In go a job and the runs that a number rests on, out comes why it is exploratory, or that it is not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from monitor.change import ChangeKind, Role
from monitor.model import RunKind
from monitor.stages.job_differences import since_declared
from monitor.store.changes.findings import ListedChange
from monitor.store.database import Connection
from monitor.store.jobs import declarations, run_inputs
from monitor.store.jobs.declarations import Registration
from monitor.store.reports import weekly_report


class Because(StrEnum):
    """Why a number is exploratory."""

    NOTHING_DECLARED = "nothing_declared"
    LATE = "late"  # declared after the first tick was begun
    LOOKED_BACK = "looked_back"  # found in retrospect over the whole series
    WITNESS = "witness"  # of a control, which is never tested
    NOT_DECLARED = "not_declared"  # of another quantity, target or part than declared
    OVER = "over"  # after the last tick that was declared
    NOT_AS_DECLARED = "not_as_declared"  # a run behind it was asked something else


#: How a number that was registered and is exploratory stands to its registration, in short.
REGISTRATION = {
    Because.LATE: "registered after the first run",
    Because.OVER: "after the period that was registered",
    Because.NOT_AS_DECLARED: "not asked as registered",
}


@dataclass(frozen=True, slots=True)
class Departure:
    """A run that was not asked as declared, with what differs."""

    run_id: int
    kind: RunKind
    due_at: datetime
    differences: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """For programs."""
        return {
            "run_id": self.run_id, "kind": self.kind, "due_at": self.due_at,
            "differences": list(self.differences),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stretch:
    """Ticks of a job that follow each other and were not asked as declared."""

    since: datetime
    last: datetime
    n_ticks: int
    differences: tuple[str, ...]
    back_at: datetime | None  # the tick after it, which was asked as declared again

    def row(self) -> dict[str, Any]:
        """For programs."""
        return {
            "since": self.since, "last": self.last, "n_ticks": self.n_ticks,
            "differences": list(self.differences), "back_at": self.back_at,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Declaration:
    """What counts of a job, and which of its runs were not asked as it says."""

    registered: Registration | None = None
    begun_at: datetime | None = None  # of the first scheduled run
    departures: Mapping[int, Departure] = field(default_factory=dict)  # by run
    stretches: Sequence[Stretch] = ()

    @property
    def declared(self) -> Mapping[str, Any]:
        """The table as it was declared; empty where nothing was."""
        found: Mapping[str, Any] = (
            self.registered.content.get("declared", {}) if self.registered else {}
        )
        return found

    @property
    def is_before_first_tick(self) -> bool:
        """Whether it was written down before the first tick was begun."""
        if self.registered is None:
            return False
        return self.begun_at is None or self.registered.registered_at < self.begun_at

    def behind(self, runs: Iterable[int]) -> list[Departure]:
        """The runs among these that were not asked as declared."""
        return [self.departures[run] for run in dict.fromkeys(runs) if run in self.departures]

    def is_over(self, number: int) -> bool:
        """Whether the n-th due tick comes after the last one that was declared."""
        return declarations.is_over(self.declared, number)


@dataclass(frozen=True, slots=True)
class About:
    """A point or a change, as far as it matters whether it was declared."""

    quantity: str
    target: str
    scope: str
    role: str
    kind: str
    tick: int  # the number of its due tick, counted from 1
    runs: tuple[int, ...]  # all that it rests on


def of_job(connection: Connection, job: str, until: datetime | None = None) -> Declaration:
    """What was declared of a job, held against its runs up to a time."""
    registered = declarations.find_registration(connection, job)
    if registered is None:
        return Declaration()
    first = declarations.find_first_runs(connection, job).get(RunKind.SCHEDULED)
    runs = run_inputs.list_runs(connection, job, until)
    departures = _departures(connection, registered, runs)
    return Declaration(
        registered, first.created_at if first else None, departures,
        _stretches([run for run in runs if run.kind is RunKind.SCHEDULED], departures),
    )  # fmt: skip


def source_of(connection: Connection, registered: Registration) -> Mapping[str, Any] | None:
    """The content of the job that was declared; None where it is not stored."""
    hashed = registered.content.get("job_hash", "")
    return run_inputs.find_content(connection, registered.job, hashed)


def _departures(
    connection: Connection, registered: Registration, runs: Sequence[run_inputs.RecordedRun]
) -> dict[int, Departure]:
    """{run: what differs}; runs that were made of the same are compared once."""
    source = source_of(connection, registered)
    known: dict[tuple[object, ...], tuple[str, ...]] = {}
    for run in runs:
        if run.likeness not in known:
            inputs = run_inputs.read_inputs(connection, run)
            known[run.likeness] = since_declared(registered, source, inputs).bearing
    return {
        run.run_id: Departure(run.run_id, run.kind, run.due_at, differences)
        for run in runs
        if (differences := known[run.likeness])
    }


def _stretches(
    ticks: Sequence[run_inputs.RecordedRun], departures: Mapping[int, Departure]
) -> list[Stretch]:
    found: list[Stretch] = []
    some: list[Departure] = []
    for tick in ticks:
        if tick.run_id in departures:
            some.append(departures[tick.run_id])
        elif some:
            found.append(_stretch(some, tick.due_at))
            some = []
    return [*found, _stretch(some, None)] if some else found


def _stretch(some: Sequence[Departure], back_at: datetime | None) -> Stretch:
    named_differences = tuple(
        dict.fromkeys(name for departure in some for name in departure.differences)
    )
    return Stretch(some[0].due_at, some[-1].due_at, len(some), named_differences, back_at)


def why_exploratory(declaration: Declaration, about: About) -> Because | None:
    """Why a number is exploratory; None where it is confirmatory."""
    declared = declaration.declared
    reasons = (
        (Because.NOTHING_DECLARED, declaration.registered is None),
        (Because.LATE, not declaration.is_before_first_tick),
        (Because.WITNESS, about.role == Role.WITNESS),
        (Because.LOOKED_BACK, about.kind == ChangeKind.SHIFT),
        (Because.NOT_DECLARED, not _is_declared(declared, about)),
        (Because.OVER, declaration.is_over(about.tick)),
        (Because.NOT_AS_DECLARED, bool(declaration.behind(about.runs))),
    )
    return next((because for because, holds in reasons if holds), None)


def _is_declared(declared: Mapping[str, Any], about: About) -> bool:
    return (
        about.role == Role.PRIMARY
        and about.scope == "all"
        and about.quantity in declared.get("primaries", ())
        and about.target in declared.get("targets", ())
    )


def said(some: Sequence[str]) -> str:
    """Differences in one line."""
    return "; ".join(some)


def runs_of(connection: Connection, changes: Sequence[Mapping[str, Any]]) -> list[tuple[int, ...]]:
    """All runs that changes rest on: both that were compared, and those that asked again."""
    again = run_inputs.find_compared_runs(
        connection, (row["confirm_id"] for row in changes if row["confirm_id"])
    )
    return [
        (row["before_run_id"], row["after_run_id"], *again.get(row["confirm_id"] or 0, ()))
        for row in changes
    ]


def of_findings(connection: Connection, found: Sequence[ListedChange]) -> dict[int, Because | None]:
    """{finding: why it is exploratory}; None for those that are confirmatory."""
    if not found:
        return {}
    rows = run_inputs.find_change_runs(
        connection, [listed_change.change_id for listed_change in found]
    )
    known = [
        (listed_change, rows[listed_change.change_id])
        for listed_change in found
        if listed_change.change_id in rows
    ]
    behind = runs_of(connection, [row for _, row in known])
    names = sorted({listed_change.job for listed_change in found})
    ticks = weekly_report.read_due_ticks(
        connection, names, max(listed_change.detected_at for listed_change in found)
    )
    declared = {name: of_job(connection, name) for name in names}
    return {
        one.change_id: why_exploratory(
            declared[one.job],
            About(
                one.quantity, one.target, one.scope, one.role, one.kind,
                sum(tick.due_at <= one.detected_at for tick in ticks[one.job]), runs,
            ),
        )
        for (one, _), runs in zip(known, behind, strict=True)
    }  # fmt: skip
