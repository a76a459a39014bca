"""Read what a weekly report is about: jobs, series and changes of one week.

In go jobs of a week and what was compared at their newest ticks, out comes a row for each series.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from functools import cached_property
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ValidationError

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
Use = TypeVar("Use", bound=BaseModel)

#: What changes of a week are since.
LAST_WEEK, TICK_BEFORE = "last week", "the run before"
_WEEK = timedelta(days=7)
#: How a series stands that its job does not ask any more.
ENDED = "ended"


@dataclass(frozen=True)
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
    #: Points of the newest tick, of all scopes.
    points: Sequence[Row] = field(default=(), repr=False)

    @property
    def uses(self) -> list[tuple[str, EngineUse]]:
        """Its engines by the labels that series have; without those of another version."""
        uses = []
        for use in self.read_uses("engines", EngineUse):
            with suppress(MonitorError):
                uses.append((use.label(registry.engine(use.name)), use))
        return uses

    @cached_property
    def repeats(self) -> dict[str, int]:
        """Return how often each engine, by its label, is asked the same in one tick."""
        often = int(self.content.get("repeats", 1))
        return {
            label: use.count_repeats(registry.engine(use.name), often) for label, use in self.uses
        }

    def read_uses(self, table: str, model: type[Use]) -> Iterator[Use]:
        """Yield the entries of a table of its content; without those of another version."""
        for use in self.content.get(table) or ():
            with suppress(ValidationError, MonitorError):
                yield model.model_validate(use)

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
        ended = [tick for tick in self.in_week if not tick.is_open]
        return bool(ended) and all(tick.run_id is None for tick in ended)

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
    lengths = weekly_report.read_lengths(connection, [job.name for job in jobs], until)
    noise = weekly_report.read_noise(connection, until)
    of_contrast = {(row["after_run_id"], row["series_id"], row["contrast"]): row
                   for row in compared}  # fmt: skip
    titles = declared_titles(job.content for job in jobs)
    runs = {row[side] for row in compared for side in ("before_run_id", "after_run_id")}
    asked_list_versions = weekly_report.read_list_versions(connection, runs)
    every_series = weekly_report.read_series(connection)
    rows = []
    for job in jobs:
        facts = {point["series_id"]: point["facts"] for point in job.points}
        standing = (
            weekly_report.read_tick(connection, job.name, job.newest.due_at) if job.newest else {}
        )
        # without those of runs off the grid alone, or later than the week
        begun = [
            (row | {"job": job.name}, lengths[job.name, row["series_id"]])
            for row in every_series
            if (job.name, row["series_id"]) in lengths
        ]
        # apart: what has ended takes no place among those that are tested first
        roles: dict[int, Role] = {}
        for is_over in (False, True):
            alike = [row for row, length in begun if _is_over(job, length) is is_over]
            roles |= series_roles(alike, job.content, job.declaration.declared)
        for row, length in begun:
            key = row["series_id"]
            changes = _list_changes(of_contrast, job.run_id, key)
            rows.append(
                row
                | _standing(job, standing.get(key), length, zone)
                | {
                    "engine_title": titles.get(row["engine"], ""),
                    "role": roles[key],
                    "facts": facts.get(key, {}),
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
    is_over = _is_over(job, length)
    if is_over:
        why = f"not asked since {format_day(length.asked_at, zone)}"
    elif job.newest:
        why = "not asked in this run"
    elif job.in_week:
        why = "no scheduled run of the week has ended"
    else:
        why = "no run was due in this week"
    last = f"last measured {format_day(length.last_at, zone)}" if length.last_at else ""
    return dict.fromkeys(_COLUMNS) | {
        "is_asked": False,
        "ended_at": length.asked_at if is_over else None,
        "state": ENDED if is_over else State.MISSED,
        "reason": f"{why}; {last or 'never measured'}",
        "flags": [],
        "due_at": job.newest.due_at if job.newest else None,
        "signature": "",
    }


# --- week -----------------------------------------------------------------------------------------


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
    changes = weekly_report.read_changes(connection, chosen, until)
    behind = preregistration.runs_of(connection, [as_row(change) for change in changes])
    return ReportedWeek(
        after=after,
        until=until,
        zone=zone,
        jobs=jobs,
        series=series,
        runs=weekly_report.read_runs(connection, chosen, after, until),
        engines=[row for row in compared if row["contrast"] == Contrast.ENGINES],
        changes=[replace(change, runs=of) for change, of in zip(changes, behind, strict=True)],
        looks=weekly_report.read_ledger(connection, chosen, after, until),
        switches=switched,
        parts=weekly_report.read_signature_parts(connection, sorted(ids - {None}), sorted(hashes)),
        titles=declared_titles(job.content for job in jobs),
        n_other_scopes=weekly_report.count_other_scopes(connection, chosen),
    )


def _read_jobs(
    connection: Connection, chosen: Sequence[str], after: datetime, until: datetime
) -> list[JobWeek]:
    ticks = weekly_report.read_due_ticks(connection, chosen, until)
    contents = weekly_report.read_contents(connection, chosen, until)
    jobs = []
    for name in chosen:
        in_week = [tick for tick in ticks[name] if tick.due_at > after]
        newest = next((tick for tick in reversed(in_week) if not tick.is_open), None)
        made_of = contents.get(name, {})
        content = made_of.get("content", {})
        title = titles_in(content)
        points = (
            run_report.read_points(connection, newest.run_id) if newest and newest.run_id else []
        )
        jobs.append(
            JobWeek(
                name=name,
                content=content,
                made_of=made_of,
                ticks=ticks[name],
                in_week=in_week,
                newest=newest,
                declaration=preregistration.of_job(connection, name, until),
                points=[point | {"engine_title": title(point["engine"])} for point in points],
            )
        )
    return jobs
