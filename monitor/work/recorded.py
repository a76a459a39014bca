"""Runs on recorded or saved answers: one for every date without a run."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from datetime import UTC, datetime

from monitor import pipeline, settings
from monitor.fetch.recorded import Library
from monitor.fetch.saved_pages import DonatedFetcher, PastFetcher, Shelves
from monitor.jobs import Audit
from monitor.model import DONATED, Fetcher, HttpRequest, InvalidInput, Kind, RunKind
from monitor.pipeline import Progress, Stop
from monitor.pipeline.collect import donations
from monitor.stages.jobs.plan import asks_others
from monitor.store.collect import evidence, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.work.outside import make_surroundings, open_fetcher


def list_dates(
    database: Database, audit: Audit, library: Library, shelves: Shelves
) -> list[datetime]:
    """Return every date of a job's recordings, or every ended week of its donations."""
    if audit.job.is_donated:
        return donations.list_weeks(database, audit, datetime.now(UTC))
    return list_recorded_dates(audit, library, shelves)


def list_recorded_dates(
    audit: Audit, library: Library, shelves: Shelves | None = None
) -> list[datetime]:
    """Return every date with a recorded answer or saved page. Raise InvalidInput.

    Donated pages are in the archive, and not beside the job.
    """
    for use, engine in audit.engines:
        if engine.kind is Kind.LM:
            raise InvalidInput(
                f"{audit.path}: engine {use.name!r}: scores come in by `monitor import lm-scores`"
            )
    recorded = library.list_dates(
        (str(use.config["file"]), str(use.config["system"]), use.targets)
        for use, engine in audit.engines
        if engine.kind is not Kind.SEARCH
    )
    with (
        closing(Shelves(audit.path.parent))
        if shelves is None
        else nullcontext(shelves) as open_shelves
    ):
        saved = open_shelves.list_dates(
            (str(use.config["folder"]), str(use.config.get("system", "")), use.regions)
            for use, engine in audit.engines
            if engine.kind is Kind.SEARCH and engine.surface != DONATED
        )
    return sorted({*recorded, *saved})


def find_first_date(audit: Audit) -> datetime | None:
    """Return the first date with answers of a recorded job, or None."""
    if not audit.job.is_recorded or audit.job.is_donated:
        return None
    library = Library(audit.path.parent)
    dates: list[datetime] = []
    with closing(Shelves(audit.path.parent)) as shelves:
        for use, engine in audit.engines:
            for target in (*use.targets, *use.regions):
                # of what is not there, or cannot be read, nobody could know an answer from us
                with suppress(InvalidInput):
                    if engine.kind is Kind.SEARCH:
                        shelf = str(use.config["folder"]), str(use.config.get("system", ""))
                        dates += shelves.list_dates([(*shelf, [target])])
                    elif engine.kind is not Kind.LM:
                        file = str(use.config["file"]), str(use.config["system"])
                        dates += library.list_dates([(*file, [target])])
    return min(dates, default=None)


@contextmanager
def open_lookups(audit: Audit) -> Iterator[Fetcher | None]:
    """Open the fetcher for people and shares that saved pages need, or None.

    Raises InvalidInput where nobody could be reached about what we ask.
    """
    if not asks_others(audit):
        yield None
        return
    example = HttpRequest("GET", settings.load().wikidata_api)
    with open_fetcher([example], audit.job.contact) as fetcher:
        yield fetcher


def list_runs(
    database: Database, audit: Audit, dates: list[datetime], *, resume: bool
) -> Iterator[Run]:
    """Yield the run to resume, then a run for each date without one."""
    if resume:
        yield pipeline.resume(database, audit)
    for due_at in dates:
        with database.read() as connection:
            taken = runs.list_claimed_ticks(connection, audit.job.name, RunKind.SCHEDULED)
        if due_at in taken:
            continue
        if audit.job.is_donated:
            yield donations.start_week(database, audit, due_at, datetime.now(UTC))
        else:
            yield pipeline.start(database, audit, RunKind.SCHEDULED, due_at)


def _run(
    database: Database,
    audit: Audit,
    run: Run,
    shelves: Shelves,
    lookups: Fetcher | None,
    progress: Progress,
    stop: Stop,
) -> pipeline.Summary:
    donated = None
    if audit.job.is_donated:
        donated = DonatedFetcher(donations.read_week(database, run.due_at))
    fetcher = PastFetcher(Library(audit.path.parent), shelves, run.due_at, lookups, donated)
    around = make_surroundings(settings.load())
    return pipeline.run(database, audit, run, fetcher, progress, stop, around)


def resume_run(
    database: Database, audit: Audit, run: Run, shelves: Shelves, progress: Progress, stop: Stop
) -> pipeline.Summary:
    """Finish an interrupted run with the files that it was begun with.

    Raises InvalidInput where they cannot be used any more.
    """
    with open_lookups(audit) as lookups:
        with database.begin() as connection:
            runs.resume_run(connection, run)
            evidence.reopen_attempts(connection, run.id)
            runs.reopen_stages(connection, run.id)
        return _run(database, audit, run, shelves, lookups, progress, stop)


def make_missing_runs(
    database: Database,
    audit: Audit,
    shelves: Shelves,
    dates: list[datetime],
    progress: Progress,
    stop: Stop,
    *,
    resume: bool = False,
) -> Iterator[pipeline.Summary]:
    """Make the runs, oldest date first, each due at its date."""
    with open_lookups(audit) as lookups:
        for tick in list_runs(database, audit, dates, resume=resume):
            yield _run(database, audit, tick, shelves, lookups, progress, stop)
