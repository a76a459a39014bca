"""Reads what one weekly report is about: jobs and a date in, everything stored of that week out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from monitor import registry
from monitor.change import Contrast
from monitor.model import InvalidInput
from monitor.stages import as_declared
from monitor.stages.engine_titles import declared_titles, engine_title, titles_in
from monitor.stages.weekly.job_week import ENDED, JobWeek
from monitor.stages.weekly.series import series_of
from monitor.store.database import Connection
from monitor.store.reports import run_report, weekly_report

__all__ = ["ENDED", "JobWeek", "Week", "beginning", "gather"]

Row = dict[str, Any]

_WEEK = timedelta(days=7)


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
        """What the newest ticks of its jobs are compared with, in words."""
        return " or ".join(dict.fromkeys(sorted(job.earlier for job in self.jobs)))

    def job(self, name: str) -> JobWeek:
        """One of its jobs."""
        return next(job for job in self.jobs if job.name == name)


def gather(
    connection: Connection, wanted: Sequence[str], until: datetime | None, zone: ZoneInfo
) -> Week:
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
    chosen = sorted(set(wanted)) or known_jobs
    newest = weekly_report.find_newest_due(connection, chosen)
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
    run_ids = [job.run_id for job in jobs if job.run_id is not None]
    compared = weekly_report.read_comparisons(connection, run_ids)
    switched = weekly_report.read_switches(connection, until)
    series = series_of(connection, jobs, compared, until, zone)
    ids = {row[name] for row in switched for name in ("from_id", "to_id")}
    ids |= {row["signature_id"] for row in series}
    hashes = {p["signature"] for job in jobs for p in job.points}
    return Week(
        after=after,
        until=until,
        zone=zone,
        jobs=jobs,
        series=series,
        runs=weekly_report.read_runs(connection, chosen, after, until),
        engines=[row for row in compared if row["contrast"] == Contrast.ENGINES],
        changes=_changes(connection, chosen, until),
        looks=weekly_report.read_ledger(connection, chosen, after, until),
        switches=switched,
        parts=weekly_report.read_signature_parts(connection, sorted(ids - {None}), sorted(hashes)),
        titles=declared_titles(job.content for job in jobs),
        n_other_scopes=weekly_report.count_other_scopes(connection, chosen),
    )


def _points(connection: Connection, run_id: int | None, content: Mapping[str, Any]) -> list[Row]:
    """Return the points of a run, with what its job calls their engines."""
    title = titles_in(content)
    points = [] if run_id is None else run_report.read_points(connection, run_id)
    return [point | {"engine_title": title(point["engine"])} for point in points]


def _changes(connection: Connection, chosen: Sequence[str], until: datetime) -> list[Row]:
    """What was found, each with the runs that it rests on."""
    changes = weekly_report.read_changes(connection, chosen, until)
    behind = as_declared.runs_of(connection, changes)
    return [row | {"runs": runs} for row, runs in zip(changes, behind, strict=True)]


def _jobs(
    connection: Connection, chosen: Sequence[str], after: datetime, until: datetime
) -> list[JobWeek]:
    ticks = weekly_report.read_due_ticks(connection, chosen, until)
    contents = weekly_report.read_contents(connection, chosen, until)
    jobs = []
    for name in chosen:
        in_week = [one for one in ticks[name] if one.due_at > after]
        ended = [one for one in in_week if not one.is_open]
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
            declaration=as_declared.of_job(connection, name, until),
            points=_points(connection, run_id, made_of.get("content", {})),
        )
        often = int(job_week.content.get("repeats", 1))
        times = {label: use.times(registry.engine(use.name), often) for label, use in job_week.uses}
        jobs.append(replace(job_week, repeats=times))
    return jobs
