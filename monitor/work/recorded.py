"""Runs on what was recorded or saved before: one for every date that has none yet."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from datetime import datetime

from monitor import pipeline, settings
from monitor.fetch.past import PastFetcher
from monitor.fetch.replay import Library
from monitor.fetch.saved import Shelves
from monitor.jobs import Audit
from monitor.model import Fetcher, HttpRequest, InvalidInput, Kind, RunKind
from monitor.pipeline import Progress, Stop
from monitor.pipeline.looking_up import asks_others
from monitor.store.collect import evidence, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.work.outside import around, outside


def recorded_dates(
    audit: Audit, library: Library, shelves: Shelves | None = None
) -> list[datetime]:
    """Every date on which an answer was recorded, or a page saved. Raises InvalidInput."""
    for use, engine in audit.engines:
        if engine.kind is Kind.LM:
            raise InvalidInput(
                f"{audit.path}: engine {use.name!r}: scores come in by `monitor import lm-scores`"
            )
    recorded = library.dates(
        (str(use.config["file"]), str(use.config["system"]), use.targets)
        for use, engine in audit.engines
        if engine.kind is not Kind.SEARCH
    )
    with closing(Shelves(audit.path.parent)) if shelves is None else nullcontext(shelves) as here:
        saved = here.dates(
            (str(use.config["folder"]), str(use.config.get("system", "")), use.regions)
            for use, engine in audit.engines
            if engine.kind is Kind.SEARCH
        )
    return sorted({*recorded, *saved})


def first_recorded(audit: Audit) -> datetime | None:
    """The first date of which a job on recordings has answers; None where it has none yet."""
    if not audit.job.is_recorded:
        return None
    library = Library(audit.path.parent)
    found: list[datetime] = []
    with closing(Shelves(audit.path.parent)) as shelves:
        for use, engine in audit.engines:
            for place in (*use.targets, *use.regions):
                # of what is not there, or cannot be read, nobody could know an answer from us
                with suppress(InvalidInput):
                    if engine.kind is Kind.SEARCH:
                        shelf = str(use.config["folder"]), str(use.config.get("system", ""))
                        found += shelves.dates([(*shelf, [place])])
                    elif engine.kind is not Kind.LM:
                        file = str(use.config["file"]), str(use.config["system"])
                        found += library.dates([(*file, [place])])
    return min(found, default=None)


@contextmanager
def lookups(audit: Audit) -> Iterator[Fetcher | None]:
    """Who looks up people and shares that saved pages need; nobody where they need nothing.

    Raises InvalidInput where nobody could be reached about what we ask.
    """
    if not asks_others(audit):
        yield None
        return
    example = HttpRequest("GET", settings.load().wikidata_api)
    with outside([example], audit.job.contact) as fetcher:
        yield fetcher


def ticks(
    database: Database, audit: Audit, dates: list[datetime], *, resume: bool
) -> Iterator[Run]:
    """The run to resume, if that is wanted, then one for each date without a run."""
    if resume:
        yield pipeline.resume(database, audit)
    for due_at in dates:
        with database.read() as connection:
            taken = runs.list_claimed_ticks(connection, audit.job.name, RunKind.SCHEDULED)
        if due_at not in taken:
            yield pipeline.start(database, audit, RunKind.SCHEDULED, due_at)


def go_on(
    database: Database, audit: Audit, run: Run, shelves: Shelves, progress: Progress, stop: Stop
) -> pipeline.Summary:
    """Finish a run that was cut off, by the files that it was begun with.

    Raises InvalidInput where they cannot be used any more.
    """
    library, chosen = Library(audit.path.parent), settings.load()
    with lookups(audit) as asked:
        with database.begin() as connection:
            runs.resume_run(connection, run)
            evidence.reopen_attempts(connection, run.id)
            runs.reopen_stages(connection, run.id)
        fetcher = PastFetcher(library, shelves, run.due_at, asked)
        return pipeline.run(database, audit, run, fetcher, progress, stop, around(chosen))


def catch_up(
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
    library, chosen = Library(audit.path.parent), settings.load()
    with lookups(audit) as asked:
        for tick in ticks(database, audit, dates, resume=resume):
            fetcher = PastFetcher(library, shelves, tick.due_at, asked)
            yield pipeline.run(database, audit, tick, fetcher, progress, stop, around(chosen))
