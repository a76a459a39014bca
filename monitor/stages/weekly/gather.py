"""Reads what one weekly report is about: jobs and a date in, everything stored of that week out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from monitor import registry
from monitor.change import Contrast, Role
from monitor.jobs import EngineUse
from monitor.model import InvalidInput, MonitorError, RunKind, State
from monitor.stages import _report_names as names
from monitor.stages import findings
from monitor.stages.findings import Member
from monitor.stages.weekly import names as names_of
from monitor.stages.weekly.wording import day
from monitor.store import overview, preregistrations, weekly
from monitor.store.database import Connection
from monitor.store.earlier import ABOUT_A_WEEK
from monitor.store.weekly import DueTick, Length

Row = dict[str, Any]

_WEEK = timedelta(days=7)

#: How a series stands that its job does not ask any more.
ENDED = "ended"


@dataclass(frozen=True, slots=True)
class JobWeek:
    """One job in the week: its due ticks so far, and the newest that has ended."""

    name: str
    content: Mapping[str, Any]
    made_of: Row = field(repr=False)  # its newest run: code version, packages
    ticks: Sequence[DueTick] = field(repr=False)
    in_week: Sequence[DueTick]
    newest: DueTick | None
    declared: Row | None = None
    begun_at: datetime | None = None  # of its first scheduled run
    #: How often each engine, by its label, is asked the same in one tick.
    repeats: Mapping[str, int] = field(default_factory=dict)
    #: Points of the newest tick, of all scopes.
    points: Sequence[Row] = field(default=(), repr=False)

    @property
    def uses(self) -> list[tuple[str, EngineUse]]:
        """Its engines by the labels that series have; without those of another version."""
        found = []
        for use in self.content.get("engines", ()):
            try:
                known = EngineUse.model_validate(use)
                found.append((known.label(registry.engine(known.name)), known))
            except (ValidationError, MonitorError):
                continue
        return found

    @property
    def run_id(self) -> int | None:
        """The run of its newest tick."""
        return self.newest.run_id if self.newest else None

    @property
    def ended_at(self) -> datetime | None:
        """The newest due tick that has ended, also before the week."""
        return next((one.due_at for one in reversed(self.ticks) if not one.is_open), None)

    @property
    def declaration(self) -> Mapping[str, Any]:
        """What was declared of it first; empty where nothing was."""
        found: Mapping[str, Any] = self.declared["content"].get("declared", {}) if (
            self.declared) else {}  # fmt: skip
        return found

    @property
    def is_declared_before(self) -> bool:
        """Whether what is primary was written down before its first tick was begun."""
        if self.declared is None:
            return False
        return self.begun_at is None or bool(self.declared["registered_at"] < self.begun_at)

    def is_over(self, due_at: datetime) -> bool:
        """Whether a tick comes after the last one that was declared."""
        number = sum(one.due_at <= due_at for one in self.ticks)
        return preregistrations.is_over(self.declaration, number)


@dataclass(frozen=True, slots=True)
class Week:
    """All that is stored of some jobs up to a time, as far as the report of a week shows it."""

    after: datetime  # the week begins after it
    until: datetime
    zone: ZoneInfo
    jobs: Sequence[JobWeek]
    series: Sequence[Row] = field(repr=False)  # over all questions, with how they stand
    runs: Sequence[Row] = field(repr=False)  # of the week, also those off the grid
    engines: Sequence[Row] = field(repr=False)  # comparisons of engines
    changes: Sequence[Row] = field(repr=False)
    looks: Sequence[Row] = field(repr=False)
    switches: Sequence[Row] = field(repr=False)
    parts: Mapping[int, Row] = field(repr=False)  # of signatures
    n_other_scopes: int = 0

    @property
    def run_ids(self) -> list[int]:
        """All runs of the week."""
        return [row["id"] for row in self.runs]

    def job(self, name: str) -> JobWeek:
        """One of its jobs."""
        return next(one for one in self.jobs if one.name == name)


def gather(
    connection: Connection, wanted: Sequence[str], until: datetime | None, zone: ZoneInfo
) -> Week:
    """Read a week of some jobs, or of all; without a date the week of the newest due tick.

    Raises InvalidInput for a job that has nothing in the database, and where there is no tick.
    """
    known = weekly.known_jobs(connection, until)
    for name in wanted:
        if name not in known:
            upto = f" up to {until:%Y-%m-%d}" if until else ""
            raise InvalidInput(
                f"no tick or run of job {name!r}{upto} in this database; `monitor status` lists "
                "the runs"
            )
    chosen = sorted(set(wanted)) or known
    newest = weekly.newest_due(connection, chosen)
    if until is None and newest is not None:
        until = datetime.combine(newest.astimezone(zone), time.max, zone)  # with all of that day
    if until is None:
        raise InvalidInput(
            "no due tick in this database, so that there is no week to report; `monitor run "
            "jobs/demo.toml` makes a run, and --until names a date"
        )
    return _read(connection, chosen, beginning(until, zone), until, zone)


def beginning(until: datetime, zone: ZoneInfo) -> datetime:
    """The last moment before the week that ends with a time: the same seven days ago by the clock.

    Reports that are due week by week so leave nothing out, and show nothing twice, also where
    clocks were changed meanwhile.
    """
    return until.astimezone(zone) - _WEEK  # of aware times of one zone: by the clock


def _read(
    connection: Connection, chosen: Sequence[str], after: datetime, until: datetime, zone: ZoneInfo
) -> Week:
    jobs = _jobs(connection, chosen, after, until)
    run_ids = [one.run_id for one in jobs if one.run_id is not None]
    compared = weekly.compared(connection, run_ids)
    switched = weekly.switched(connection, until)
    series = _series(connection, jobs, compared, until, zone)
    ids = {row[name] for row in switched for name in ("from_id", "to_id")}
    ids |= {row["signature_id"] for row in series}
    hashes = {p["signature"] for one in jobs for p in one.points}
    return Week(
        after=after,
        until=until,
        zone=zone,
        jobs=jobs,
        series=series,
        runs=weekly.week_runs(connection, chosen, after, until),
        engines=[row for row in compared if row["contrast"] == Contrast.ENGINES],
        changes=weekly.found_changes(connection, chosen, until),
        looks=weekly.ledger(connection, chosen, after, until),
        switches=switched,
        parts=weekly.signature_parts(connection, sorted(ids - {None}), sorted(hashes)),
        n_other_scopes=weekly.other_scopes(connection, chosen),
    )


def _jobs(
    connection: Connection, chosen: Sequence[str], after: datetime, until: datetime
) -> list[JobWeek]:
    ticks = weekly.due_ticks(connection, chosen, until)
    contents = weekly.contents(connection, chosen, until)
    declared = weekly.declared(connection, chosen)
    found = []
    for name in chosen:
        in_week = [one for one in ticks[name] if one.due_at > after]
        ended = [one for one in in_week if not one.is_open]
        newest = ended[-1] if ended else None
        made_of = contents.get(name, {})
        run_id = newest.run_id if newest else None
        begun = preregistrations.first_runs(connection, name)
        one = JobWeek(
            name=name,
            content=made_of.get("content", {}),
            made_of=made_of,
            ticks=ticks[name],
            in_week=in_week,
            newest=newest,
            declared=declared.get(name),
            begun_at=begun[RunKind.SCHEDULED].created_at if RunKind.SCHEDULED in begun else None,
            points=[] if run_id is None else overview.points(connection, run_id),
        )
        often = int(one.content.get("repeats", 1))
        times = {label: use.times(registry.engine(use.name), often) for label, use in one.uses}
        found.append(replace(one, repeats=times))
    return found


# --- series ---------------------------------------------------------------------------------------


def _series(
    connection: Connection,
    jobs: Sequence[JobWeek],
    compared: Sequence[Row],
    until: datetime,
    zone: ZoneInfo,
) -> list[Row]:
    """Every series over all questions that has begun, with how it stands at the newest tick."""
    chosen = [one.name for one in jobs]
    lengths = weekly.lengths(connection, chosen, until)
    noise = weekly.noise(connection, until)
    facts = {(one.name, p["series_id"]): p["facts"] for one in jobs for p in one.points}
    of_contrast = {(row["after_run_id"], row["series_id"], row["contrast"]): row
                   for row in compared}  # fmt: skip
    by_name = {one.name: one for one in jobs}
    runs = {row[side] for row in compared for side in ("before_run_id", "after_run_id")}
    asked = weekly.list_versions(connection, runs)
    standing = {
        one.name: weekly.at_tick(connection, one.name, one.newest.due_at) if one.newest else {}
        for one in jobs
    }
    every = [  # without those of runs off the grid alone, or later than the week
        row | {"job": name}
        for name, row in product(chosen, weekly.series(connection))
        if (name, row["series_id"]) in lengths
    ]
    parts: dict[bool, list[Row]] = {True: [], False: []}
    for row in every:
        parts[_is_over(by_name[row["job"]], lengths[row["job"], row["series_id"]])].append(row)
    # apart: what has ended takes no place among those that are tested first
    roles = {one.name: _roles(parts[False], one) | _roles(parts[True], one) for one in jobs}
    found = []
    for row in every:
        job, key = by_name[row["job"]], row["series_id"]
        length = lengths[job.name, key]
        changes = _changes(of_contrast, job.run_id, key)
        found.append(
            row
            | _standing(job, standing[job.name].get(key), length, zone)
            | {
                "role": roles[job.name][key],
                "facts": facts.get((job.name, key), {}),
                "first_at": length.first_at,
                "last_at": length.last_at,
                "n_measured": length.n_measured,
                "n_due": length.n_due,
                "noise": noise.get(key, {}),
                **{name: _on_lists(one, row["list"], asked) for name, one in changes.items()},
            }
        )
    return found


def _is_over(job: JobWeek, length: Length) -> bool:
    """Whether a newer tick of the job did not ask a series: it has ended, or rests."""
    return job.ended_at is not None and length.asked_at < job.ended_at


def _on_lists(one: Row | None, name: str, asked: Mapping[tuple[int, str], str]) -> Row | None:
    """A comparison with the versions of the list on both sides, where these differ; else none."""
    if one is None:
        return None
    sides = [asked.get((one[side], name), "") for side in ("before_run_id", "after_run_id")]
    return one | {"lists": sides if sides[0] != sides[1] else []}


def _changes(
    of_contrast: Mapping[tuple[int | None, int, str], Row], run_id: int | None, key: int
) -> dict[str, Row | None]:
    """What a series is compared with: the tick of a week before, and the first.

    Either is stored once: where it is the tick before, as that.
    """
    step, week, first = (
        of_contrast.get((run_id, key, one))
        for one in (Contrast.STEP, Contrast.WEEK, Contrast.FIRST)
    )
    is_week = step is not None and step["due_at"] - step["before_due_at"] >= ABOUT_A_WEEK
    return {"week": week or (step if is_week else None), "first": first or step}


def _roles(series: Sequence[Row], job: JobWeek) -> dict[int, Role]:
    """{series of a job: why it is tested}, as change detection decides it."""
    witnesses = names.control_labels(job.content)
    table = next(
        (one for one in (job.declaration, *map(job.content.get, ("preregistration", "families")))
         if one), {},
    )  # fmt: skip
    wanted, targets = table.get("primaries", ()), job.declaration.get("targets")
    mine = [row for row in series if row["job"] == job.name]
    members = {
        row["series_id"]: Member(
            row["engine"], row["surface"], row["target"], row["list"], row["source_lang"],
            row["measure"], row["quantity"], row["reference"],
        )
        for row in sorted(mine, key=lambda row: names_of.place(row, job.content))
    }  # fmt: skip
    quantities = {row["series_id"]: names_of.primaries(row["measure"], row["kind"])
                  for row in mine}  # fmt: skip
    offered = [
        one
        for key, one in members.items()
        if one.quantity in (wanted or quantities[key]) and (not targets or one.target in targets)
    ]
    first = findings.primaries(offered, tuple(wanted))
    return {
        key: Role.WITNESS if one.engine in witnesses
        else Role.PRIMARY if one in first else Role.SECONDARY
        for key, one in members.items()
    }  # fmt: skip


_COLUMNS = (
    "state", "reason", "due_at", "value", "low", "high", "bound_low", "bound_high", "flags",
    "planned", "answered", "used", "unidentified", "point_id", "signature",
)  # fmt: skip


def _standing(job: JobWeek, found: Row | None, length: Length, zone: ZoneInfo) -> Row:
    """State, reason and value of a series at the newest tick of its job."""
    if found is not None:
        return {name: found[name] for name in _COLUMNS} | {
            "is_asked": True,
            "ended_at": None,
            "flags": found["flags"] or [],
            "signature": found["signature"] or "",
        }
    last = f"last measured {day(length.last_at, zone)}" if length.last_at else "never measured"
    at = job.newest.due_at if job.newest else None
    is_over = _is_over(job, length)
    if is_over:
        why = f"not asked since {day(length.asked_at, zone)}"
    elif at is not None:
        why = "not asked at this tick"
    else:
        why = "no due tick of the week has ended" if job.in_week else "no tick was due in this week"
    nothing = dict.fromkeys(_COLUMNS)
    return nothing | {
        "is_asked": False,
        "ended_at": length.asked_at if is_over else None,
        "state": ENDED if is_over else State.MISSED,
        "reason": f"{why}; {last}",
        "flags": [],
        "due_at": at,
        "signature": "",
    }
