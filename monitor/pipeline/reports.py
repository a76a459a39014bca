"""Weekly reports: make one when it is asked for, or when it is due by a job's schedule.

A due report is one row, made once; what it prints follows from the database and its due date
alone, so that a late report is the one that was due. Where one that people were told of differs
when it is made a second time, an event says so, and they are told.
"""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from monitor import settings
from monitor.jobs import Job
from monitor.jobs_tables import ReportSchedule
from monitor.model import (
    MissingPart,
    MonitorError,
    StoreBusy,
    StoreFull,
    StoreGone,
    StoreProblem,
    canonical_json,
)
from monitor.stages.notices import subject_of_report
from monitor.stages.reports.weekly import FORMATS
from monitor.store.database import Connection, Database
from monitor.store.journal import events, notifications
from monitor.store.reports import run_list
from monitor.store.reports.run_list import StoredReport
from monitor.store.schedule import tasks
from monitor.ticks import due_ticks
from monitor.whole_files import write_whole

log = logging.getLogger(__name__)

#: The event of reports that were made for times still to come, by a clock that was ahead.
TAKEN_BACK = "reports_taken_back"
#: The event of one that differs: its subject is `subject()`, its detail the sections that differ.
MADE_ANEW = "report_made_anew"
UNKNOWN = "what differs is not known: the JSON of the earlier one is not there any more"


@dataclass(frozen=True, slots=True)
class EarlierReport:
    """Earlier version of a report; `json` is None when it is gone."""

    told: str
    json: bytes | None


def write_subject(report: str, digest: str) -> str:
    """Return what the event is about: a report with the digest that it has now."""
    return f"{report} {digest}"


def find_earlier(connection: Connection, report: StoredReport, path: Path) -> EarlierReport | None:
    """Return what was told of a report that is to be made, and its file.

    None where nothing was told.
    """
    about = subject_of_report(report.job, report.due_at)
    notices = notifications.find_by_subject(connection, [about]).get(about)
    if not notices:
        return None
    try:
        result = path.read_bytes()
    except OSError:
        result = None
    body = notices[-1].body
    if result is not None and hashlib.sha256(result).hexdigest() not in body:
        result = None  # somebody else's, or that of a try which ended half-way
    return EarlierReport(body, result)


def note_report(
    connection: Connection, report: StoredReport, before: EarlierReport, made: bytes, now: datetime
) -> None:
    """Write down in what a report differs from what was told of it; nothing where in nothing."""
    # drawing takes half a second to load, and only who makes a report needs it
    from monitor.stages.reports.weekly.report import list_differences  # noqa: PLC0415

    digest = hashlib.sha256(made).hexdigest()
    if digest in before.told:
        return
    text = UNKNOWN
    if before.json is not None:
        differences = list_differences(before.json, made)
        if not differences:
            return
        text = ", ".join(f"“{section}”" for section in differences)
    about = write_subject(subject_of_report(report.job, report.due_at), digest)
    events.add_event(connection, MADE_ANEW, about, text, now=now)


#: Alarms: a due report is not there, or could not be made.
LATE, FAILED = "report_late", "report_failed"
#: A report waits so long for runs of its week; then it is made of what is there, and says so.
PATIENCE = timedelta(hours=12)
#: A report that is not there so long after it was due is late.
LATE_AFTER = timedelta(hours=1)
#: A failed report is tried again after so long.
AGAIN = timedelta(hours=1)
#: Of reports that came due while nobody was there, the newest so many are made.
MOST_OWED = 8
#: A report that is due so much later than now was noted by a clock that was ahead.
AHEAD = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Made:
    """A report that was written: its files, and the digest of its JSON.

    `not_asked` are the jobs of which ticks were due in the week, and none was run.
    """

    paths: tuple[Path, ...]
    until: datetime
    not_asked: tuple[str, ...]
    json: bytes = field(repr=False)

    @property
    def digest(self) -> str:
        """SHA-256 of its JSON."""
        return hashlib.sha256(self.json).hexdigest()


def make_report(
    database: Database,
    jobs: Sequence[str],
    until: datetime | None,
    zone: ZoneInfo,
    folder: Path,
    formats: Sequence[str] = FORMATS,
) -> Made:
    """Write the report of a week, of some jobs or of all; what is there is written over.

    Without a date it is the week of the newest due tick. Raises InvalidInput, MissingPart where a
    PDF is wanted and typst is not installed (the other formats are written then), StoreProblem.
    """
    # drawing takes half a second to load, and only who makes a report needs it
    from monitor.stages.document.html import html  # noqa: PLC0415
    from monitor.stages.document.pdf import pdf  # noqa: PLC0415
    from monitor.stages.reports.weekly.report import make_weekly  # noqa: PLC0415

    with database.read() as connection:
        result = make_weekly(connection, jobs, until, zone, settings.load().public_url)
    contents = result.json.encode()
    writers = {
        "json": lambda: contents,
        "html": lambda: html(result.document).encode(),
        "pdf": lambda: pdf(result.document, result.until),
    }
    name = _say_name(jobs, result.until.astimezone(zone))
    paths: list[Path] = []
    for form in (form for form in writers if form in formats):
        path = folder / f"{name}.{form}"
        try:
            _write(path, writers[form]())
        except MissingPart as error:
            written = ", ".join(map(str, paths)) or "nothing"
            raise MissingPart(f"{error}; written so far: {written}") from error
        paths.append(path)
    not_asked = tuple(result.numbers["missing"]["not_asked"])
    return Made(tuple(paths), result.until, not_asked, contents)


def _say_name(jobs: Sequence[str], until: datetime) -> str:
    """`weekly-2026-11-23`, with the names of jobs where it is not about all."""
    return "-".join([f"weekly-{until:%Y-%m-%d}", *sorted(set(jobs))])


def _write(path: Path, content: bytes) -> None:
    try:
        with write_whole(path, 0o644) as file:
            file.write(content)
    except OSError as error:
        raise StoreProblem(
            f"{path}: cannot be written: {error.strerror or error}; name another folder, or make "
            "room"
        ) from error


# --- by schedule ----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _wanted(content: str) -> tuple[str, ReportSchedule] | None:
    """(job, its table of reports); None for a job without one, and for one of another version."""
    try:
        job = Job.model_validate_json(content)
    except (MonitorError, ValidationError) as error:
        log.info("reports of a watched job cannot be looked after: %s", error)
        return None
    return None if job.report is None else (job.name, job.report)


def report_what_is_due(database: Database, now: datetime) -> list[Made]:
    """Make the reports that are due, raise alarms of those that are not there. Raises StoreProblem.

    To be called every minute; most of the time nothing is due, and nothing is written.
    """
    with database.read() as connection:
        watched = [
            (since, *result)
            for since, content in tasks.read_active_contents(connection)
            if (result := _wanted(canonical_json(content))) is not None
        ]
        standing = {
            (open_alarm.kind, open_alarm.subject)
            for open_alarm in events.list_open_alarms(connection)
        }
        is_ahead = bool(run_list.find_ahead(connection, now + AHEAD))
    if is_ahead:
        _take_back(database, now)
    made: list[Made] = []
    for since, job, table in watched:
        made += _of_job(database, job, table, since, now, standing)
    gone = {subject for kind, subject in standing if kind in (LATE, FAILED)}
    _over(database, gone - {job for _, job, _ in watched}, standing, now)
    return made


def _take_back(database: Database, now: datetime) -> None:
    """What a clock that was ahead wrote down is not there: each is made when its time comes."""
    with database.begin() as connection:
        for job, due in run_list.find_ahead(connection, now + AHEAD).items():
            what = "1 report" if len(due) == 1 else f"{len(due)} reports"
            words = f"{what}, the first due at {due[0]:%Y-%m-%d %H:%M} UTC: the clock was ahead"
            log.warning("weekly reports of job %s are taken back: %s", job, words)
            events.add_event(connection, TAKEN_BACK, job, words, now=now)
        run_list.remove_later(connection, now + AHEAD)


def _of_job(
    database: Database,
    job: str,
    table: ReportSchedule,
    since: datetime,
    now: datetime,
    standing: set[tuple[str, str]],
) -> list[Made]:
    with database.read() as connection:
        last = run_list.find_last_due(connection, job)
        after = max(last, since) if last else since
        fresh = list(due_ticks(table.schedule, after, now))[-MOST_OWED:]
        owed = run_list.find_unmade(connection, job)
    if fresh:
        with database.begin() as connection:
            run_list.note_due_reports(connection, job, fresh, table.folder)
            owed = run_list.find_unmade(connection, job)
    results = [_try(database, due_report, table, now) for due_report in owed[-MOST_OWED:]]
    made = [result for result in results if result is not None]
    if len(made) == len(results):
        _over(database, {job}, standing, now)
    return made


def _try(
    database: Database, one: StoredReport, table: ReportSchedule, now: datetime
) -> Made | None:
    """Make a due report, if it can be made now; None where it is not there afterwards."""
    if one.made_at is not None and timedelta() <= now - one.made_at < AGAIN:
        return None
    jobs = [one.job] if table.covers == "job" else []
    zone = table.schedule.zone
    if waiting := _waits_for(database, one, jobs, zone, now):
        if now - one.due_at > LATE_AFTER:
            why = f"due at {one.due_at:%Y-%m-%d %H:%M} UTC; runs of {', '.join(waiting)} go on"
            with database.begin() as connection:
                events.raise_alarm(connection, LATE, one.job, why, now)
        return None
    folder = settings.load().home / table.folder
    path = folder / f"{_say_name(jobs, one.due_at.astimezone(zone))}.json"
    with database.read() as connection:
        before = find_earlier(connection, one, path)
    try:
        result = make_report(database, jobs, one.due_at, zone, folder, table.formats)
    except (StoreGone, StoreFull, StoreBusy):
        raise
    except Exception as error:
        if not isinstance(error, MonitorError):
            log.exception("weekly report of job %s", one.job)
        _failed(database, one, error, now)
        return None
    with database.begin() as connection:
        run_list.mark_made(connection, one.id, result.digest, now)
        if before is not None:
            note_report(connection, one, before, result.json, now)
    log.info("weekly report of job %s, due %s: %s", one.job, one.due_at, result.paths)
    return result


def _waits_for(
    database: Database, one: StoredReport, jobs: Sequence[str], zone: ZoneInfo, now: datetime
) -> list[str]:
    """Jobs with a tick in the week of a report that goes on; the week is that of the report."""
    from monitor.stages.reports.weekly.week import begin_week  # noqa: PLC0415 - as in `make`

    if now - one.due_at > PATIENCE:
        return []
    with database.read() as connection:
        return run_list.find_unfinished_jobs(
            connection, jobs, begin_week(one.due_at, zone), one.due_at
        )


def _failed(database: Database, one: StoredReport, error: Exception, now: datetime) -> None:
    text = str(error) if isinstance(error, MonitorError) else f"{type(error).__name__}: {error}"
    why = f"due at {one.due_at:%Y-%m-%d %H:%M} UTC: {text}"
    log.error("weekly report of job %s failed: %s", one.job, why)
    with database.begin() as connection:
        run_list.mark_failed(connection, one.id, text, now)
        events.raise_alarm(connection, FAILED, one.job, why, now)
        if now - one.due_at > LATE_AFTER:
            events.raise_alarm(connection, LATE, one.job, why, now)


def _over(
    database: Database, jobs: set[str], standing: set[tuple[str, str]], now: datetime
) -> None:
    """End the alarms of jobs whose reports are all there, or that have none any more."""
    over = [(kind, job) for kind, job in standing if kind in (LATE, FAILED) and job in jobs]
    if over:
        with database.begin() as connection:
            for kind, job in over:
                events.resolve_alarm(connection, kind, job, now)
