"""Read what a weekly report is about: jobs, series and changes of one week.

In go jobs of a week and what was compared at their newest ticks, out comes a row for each series.
"""

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
from monitor.jobs_tables import longest_wait
from monitor.model import InvalidInput, MonitorError, State, as_row
from monitor.stages.changes.series_roles import series_roles
from monitor.stages.document.notation import format_day
from monitor.stages.jobs import preregistration
from monitor.stages.jobs.preregistration import Declaration
from monitor.stages.reports.names import declared_titles, engine_title, titles_in
from monitor.store.changes.comparisons import ABOUT_A_WEEK
from monitor.store.database import Connection
from monitor.store.reports import run_report, weekly_report
from monitor.store.reports.weekly_report import ReportedTick, SeriesLength, WeekChange

# --- jobs -----------------------------------------------------------------------------------------

Row = dict[str, Any]

#: What changes of a week are since.
LAST_WEEK, TICK_BEFORE = "last week", "the run before"
_WEEK = timedelta(days=7)
#: How a series stands that its job does not ask any more.
ENDED = "ended"


@dataclass(frozen=True, slots=True)
class JobWeek:
    """One job in the week: its due ticks so far, and the newest that has ended."""

    name: str
    content: Mapping[str, Any]
    made_of: Row = field(repr=False)  # its newest run: code version, packages
    ticks: Sequence[ReportedTick] = field(repr=False)
    in_week: Sequence[ReportedTick]
    newest: ReportedTick | None
    #: What was declared of it first, and which of its runs were not asked so.
    declaration: Declaration = field(default_factory=Declaration)
    #: How often each engine, by its label, is asked the same in one tick.
    repeats: Mapping[str, int] = field(default_factory=dict)
    #: Points of the newest tick, of all scopes.
    points: Sequence[Row] = field(default=(), repr=False)

    @property
    def uses(self) -> list[tuple[str, EngineUse]]:
        """Its engines by the labels that series have; without those of another version."""
        uses = []
        for use in self.content.get("engines", ()):
            try:
                engine_use = EngineUse.model_validate(use)
                uses.append((engine_use.label(registry.engine(engine_use.name)), engine_use))
            except (ValidationError, MonitorError):
                continue
        return uses

    @property
    def run_id(self) -> int | None:
        """The run of its newest tick."""
        return self.newest.run_id if self.newest else None

    @property
    def ended_at(self) -> datetime | None:
        """The newest due tick that has ended, also before the week."""
        return next((tick.due_at for tick in reversed(self.ticks) if not tick.is_open), None)

    @property
    def is_not_asked(self) -> bool:
        """Return whether ticks of the week are over, and none of them was run."""
        ended = [reported_tick for reported_tick in self.in_week if not reported_tick.is_open]
        return bool(ended) and all(reported_tick.run_id is None for reported_tick in ended)

    @property
    def is_declared_before(self) -> bool:
        """Return whether what is primary was written down before its first tick was begun."""
        return self.declaration.is_before_first_tick

    @property
    def earlier(self) -> str:
        """What its newest tick is compared with, in words: rarer ticks with the one before."""
        if not self.content:  # no run so far, and so nothing to compare
            return LAST_WEEK
        wait = longest_wait(self.content["schedule"]["cron"])
        return TICK_BEFORE if wait is None or wait > _WEEK else LAST_WEEK

    def number(self, due_at: datetime) -> int:
        """The number of a tick among those that were due, counted from 1."""
        return sum(tick.due_at <= due_at for tick in self.ticks)


# --- series ---------------------------------------------------------------------------------------


def read_series(
    connection: Connection,
    jobs: Sequence[JobWeek],
    compared: Sequence[Row],
    until: datetime,
    zone: ZoneInfo,
) -> list[Row]:
    """Every series over all questions that has begun, with how it stands at the newest tick."""
    chosen_names = [job_week.name for job_week in jobs]
    lengths = weekly_report.read_lengths(connection, chosen_names, until)
    noise = weekly_report.read_noise(connection, until)
    facts = {
        (job_week.name, p["series_id"]): p["facts"] for job_week in jobs for p in job_week.points
    }
    of_contrast = {(row["after_run_id"], row["series_id"], row["contrast"]): row
                   for row in compared}  # fmt: skip
    by_name = {job_week.name: job_week for job_week in jobs}
    titles = declared_titles(job_week.content for job_week in jobs)
    runs = {row[side] for row in compared for side in ("before_run_id", "after_run_id")}
    asked_list_versions = weekly_report.read_list_versions(connection, runs)
    standing = {
        job_week.name: weekly_report.read_tick(connection, job_week.name, job_week.newest.due_at)
        if job_week.newest
        else {}
        for job_week in jobs
    }
    all_values = [  # without those of runs off the grid alone, or later than the week
        row | {"job": name}
        for name, row in product(chosen_names, weekly_report.read_series(connection))
        if (name, row["series_id"]) in lengths
    ]
    parts: dict[bool, list[Row]] = {True: [], False: []}
    for row in all_values:
        parts[_is_over(by_name[row["job"]], lengths[row["job"], row["series_id"]])].append(row)
    # apart: what has ended takes no place among those that are tested first
    roles = {
        job_week.name: _map_roles(parts[False], job_week) | _map_roles(parts[True], job_week)
        for job_week in jobs
    }
    rows = []
    for row in all_values:
        job, key = by_name[row["job"]], row["series_id"]
        length = lengths[job.name, key]
        changes = _list_changes(of_contrast, job.run_id, key)
        rows.append(
            row
            | _standing(job, standing[job.name].get(key), length, zone)
            | {
                "engine_title": titles.get(row["engine"], ""),
                "role": roles[job.name][key],
                "facts": facts.get((job.name, key), {}),
                "first_at": length.first_at,
                "last_at": length.last_at,
                "n_measured": length.n_measured,
                "n_due": length.n_due,
                "noise": noise.get(key, {}),
                **{
                    name: _on_lists(change, row["list"], asked_list_versions)
                    for name, change in changes.items()
                },
            }
        )
    return rows


def _is_over(job: JobWeek, length: SeriesLength) -> bool:
    """Return whether a newer tick of the job did not ask a series: it has ended, or rests."""
    return job.ended_at is not None and length.asked_at < job.ended_at


def _on_lists(one: Row | None, name: str, asked: Mapping[tuple[int, str], str]) -> Row | None:
    """A comparison with the versions of the list on both sides, where these differ; else none."""
    if one is None:
        return None
    sides = [asked.get((one[side], name), "") for side in ("before_run_id", "after_run_id")]
    return one | {"lists": sides if sides[0] != sides[1] else []}


def _list_changes(
    of_contrast: Mapping[tuple[int | None, int, str], Row], run_id: int | None, key: int
) -> dict[str, Row | None]:
    """Return what a series is compared with: the tick of a week before, and the first.

    Either is stored once: where it is the tick before, as that.
    """
    step, week, first = (
        of_contrast.get((run_id, key, item))
        for item in (Contrast.STEP, Contrast.WEEK, Contrast.FIRST)
    )
    is_week = step is not None and step["due_at"] - step["before_due_at"] >= ABOUT_A_WEEK
    return {"week": week or (step if is_week else None), "first": first or step}


def _map_roles(series: Sequence[Row], job: JobWeek) -> dict[int, Role]:
    """Return {series of a job: why it is tested}."""
    rows = [row for row in series if row["job"] == job.name]
    return series_roles(rows, job.content, job.declaration.declared)


_COLUMNS = (
    "state", "reason", "due_at", "value", "low", "high", "bound_low", "bound_high", "flags",
    "planned", "answered", "used", "unidentified", "point_id", "signature",
)  # fmt: skip


def _standing(job: JobWeek, found: Row | None, length: SeriesLength, zone: ZoneInfo) -> Row:
    """State, reason and value of a series at the newest tick of its job."""
    if found is not None:
        return {name: found[name] for name in _COLUMNS} | {
            "is_asked": True,
            "ended_at": None,
            "flags": found["flags"] or [],
            "signature": found["signature"] or "",
        }
    last = (
        f"last measured {format_day(length.last_at, zone)}" if length.last_at else "never measured"
    )
    position = job.newest.due_at if job.newest else None
    is_over = _is_over(job, length)
    if is_over:
        why = f"not asked since {format_day(length.asked_at, zone)}"
    elif position is not None:
        why = "not asked in this run"
    else:
        why = (
            "no scheduled run of the week has ended"
            if job.in_week
            else "no run was due in this week"
        )
    nothing = dict.fromkeys(_COLUMNS)
    return nothing | {
        "is_asked": False,
        "ended_at": length.asked_at if is_over else None,
        "state": ENDED if is_over else State.MISSED,
        "reason": f"{why}; {last}",
        "flags": [],
        "due_at": position,
        "signature": "",
    }


# --- week -----------------------------------------------------------------------------------------

__all__ = ["ENDED", "JobWeek", "ReportedWeek", "begin_week", "gather_week"]


@dataclass(frozen=True, slots=True)
class ReportedWeek:
    """All that is stored of some jobs up to a time, as far as the report of a week shows it."""

    after: datetime  # the week begins after it
    until: datetime
    zone: ZoneInfo
    jobs: Sequence[JobWeek]
    series: Sequence[Row] = field(repr=False)  # over all questions, with how they stand
    runs: Sequence[Row] = field(repr=False)  # of the week, also those off the grid
    engines: Sequence[Row] = field(repr=False)  # comparisons of engines
    changes: Sequence[WeekChange] = field(repr=False)
    looks: Sequence[Row] = field(repr=False)
    switches: Sequence[Row] = field(repr=False)
    parts: Mapping[int, Row] = field(repr=False)  # of signatures
    titles: Mapping[str, str] = field(default_factory=dict, repr=False)  # by engine label
    n_other_scopes: int = 0

    def engine_title(self, label: str) -> str:
        """Return what people call an engine."""
        return self.titles.get(label) or engine_title(label)

    @property
    def run_ids(self) -> list[int]:
        """All runs of the week."""
        return [row["id"] for row in self.runs]

    @property
    def earlier(self) -> str:
        """Return what the newest ticks of its jobs are compared with, in words."""
        return " or ".join(dict.fromkeys(sorted(job.earlier for job in self.jobs)))

    def job(self, name: str) -> JobWeek:
        """One of its jobs."""
        return next(job for job in self.jobs if job.name == name)


def gather_week(
    connection: Connection, wanted: Sequence[str], until: datetime | None, zone: ZoneInfo
) -> ReportedWeek:
    """Read a week of some jobs, or of all; without a date the week of the newest due tick.

    Raises InvalidInput for a job that has nothing in the database, and where there is no tick.
    """
    known_jobs = weekly_report.list_jobs(connection, until)
    for name in wanted:
        if name not in known_jobs:
            upto = f" up to {until:%Y-%m-%d}" if until else ""
            raise InvalidInput(
                f"no tick or run of job {name!r}{upto} in this database; `monitor status` lists "
                "the runs"
            )
    names = sorted(set(wanted)) or known_jobs
    newest = weekly_report.find_newest_due(connection, names)
    if until is None and newest is not None:
        until = datetime.combine(newest.astimezone(zone), time.max, zone)  # with all of that day
    if until is None:
        raise InvalidInput(
            "no due tick in this database, so that there is no week to report; `monitor run "
            "jobs/demo.toml` makes a run, and --until names a date"
        )
    return _read(connection, names, begin_week(until, zone), until, zone)


def begin_week(until: datetime, zone: ZoneInfo) -> datetime:
    """The last moment before the week that ends with a time: the same seven days ago by the clock.

    Reports that are due week by week so leave nothing out, and show nothing twice, also where
    clocks were changed meanwhile.
    """
    return until.astimezone(zone) - _WEEK  # of aware times of one zone: by the clock


def _read(
    connection: Connection, chosen: Sequence[str], after: datetime, until: datetime, zone: ZoneInfo
) -> ReportedWeek:
    jobs = _read_jobs(connection, chosen, after, until)
    run_ids = [job.run_id for job in jobs if job.run_id is not None]
    compared = weekly_report.read_comparisons(connection, run_ids)
    switched = weekly_report.read_switches(connection, until)
    series = read_series(connection, jobs, compared, until, zone)
    ids = {row[name] for row in switched for name in ("from_id", "to_id")}
    ids |= {row["signature_id"] for row in series}
    hashes = {p["signature"] for job in jobs for p in job.points}
    return ReportedWeek(
        after=after,
        until=until,
        zone=zone,
        jobs=jobs,
        series=series,
        runs=weekly_report.read_runs(connection, chosen, after, until),
        engines=[row for row in compared if row["contrast"] == Contrast.ENGINES],
        changes=_read_changes_of_week(connection, chosen, until),
        looks=weekly_report.read_ledger(connection, chosen, after, until),
        switches=switched,
        parts=weekly_report.read_signature_parts(connection, sorted(ids - {None}), sorted(hashes)),
        titles=declared_titles(job.content for job in jobs),
        n_other_scopes=weekly_report.count_other_scopes(connection, chosen),
    )


def _read_points(
    connection: Connection, run_id: int | None, content: Mapping[str, Any]
) -> list[Row]:
    """Return the points of a run, with what its job calls their engines."""
    title = titles_in(content)
    points = [] if run_id is None else run_report.read_points(connection, run_id)
    return [point | {"engine_title": title(point["engine"])} for point in points]


def _read_changes_of_week(
    connection: Connection, chosen: Sequence[str], until: datetime
) -> list[WeekChange]:
    """Return what was found, each with the runs that it rests on."""
    changes = weekly_report.read_changes(connection, chosen, until)
    behind = preregistration.runs_of(connection, [as_row(change) for change in changes])
    return [replace(change, runs=runs) for change, runs in zip(changes, behind, strict=True)]


def _read_jobs(
    connection: Connection, chosen: Sequence[str], after: datetime, until: datetime
) -> list[JobWeek]:
    ticks = weekly_report.read_due_ticks(connection, chosen, until)
    contents = weekly_report.read_contents(connection, chosen, until)
    jobs = []
    for name in chosen:
        in_week = [reported_tick for reported_tick in ticks[name] if reported_tick.due_at > after]
        ended = [reported_tick for reported_tick in in_week if not reported_tick.is_open]
        newest = ended[-1] if ended else None
        made_of = contents.get(name, {})
        run_id = newest.run_id if newest else None
        job_week = JobWeek(
            name=name,
            content=made_of.get("content", {}),
            made_of=made_of,
            ticks=ticks[name],
            in_week=in_week,
            newest=newest,
            declaration=preregistration.of_job(connection, name, until),
            points=_read_points(connection, run_id, made_of.get("content", {})),
        )
        often = int(job_week.content.get("repeats", 1))
        times = {
            label: use.count_repeats(registry.engine(use.name), often)
            for label, use in job_week.uses
        }
        jobs.append(replace(job_week, repeats=times))
    return jobs
