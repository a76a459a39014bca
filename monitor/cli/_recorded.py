"""Runs a job on what was recorded or saved before: one run per date that has none yet."""

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime

from monitor import pipeline, settings
from monitor.cli._console import emit_json, err, out, progress_bar, stop_signal, table
from monitor.cli._open import around, outside
from monitor.fetch.past import PastFetcher
from monitor.fetch.replay import Library
from monitor.fetch.saved import Shelves
from monitor.jobs import Audit
from monitor.model import Fetcher, HttpRequest, InvalidInput, Kind, Origin, RunKind
from monitor.pipeline.looking_up import shows_people
from monitor.store import overview, runs
from monitor.store.database import Database
from monitor.store.runs import Run


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


@contextmanager
def _lookups(audit: Audit) -> Iterator[Fetcher | None]:
    """Who looks up people and shares that saved pages need; nobody where they need nothing.

    Raises InvalidInput where nobody could be reached about what we ask.
    """
    asked = any(source.origin is Origin.OUTSIDE for source in audit.references.values())
    if not (asked or shows_people(audit)):
        yield None
        return
    example = HttpRequest("GET", settings.load().wikidata_api)
    with outside([example], audit.job.contact) as fetcher:
        yield fetcher


def run_recorded(database: Database, audit: Audit, *, resume: bool, as_json: bool) -> None:
    """Make the runs, oldest date first, each due at its date; then print what became of them."""
    library, chosen = Library(audit.path.parent), settings.load()
    made: list[pipeline.Summary] = []
    with closing(Shelves(audit.path.parent)) as shelves, _lookups(audit) as lookups:
        dates = recorded_dates(audit, library, shelves)
        for sentence in shelves.left_out:
            err.print(sentence, style="yellow", markup=False, soft_wrap=True)
        with stop_signal() as stop, progress_bar() as progress:
            for tick in ticks(database, audit, dates, resume=resume):
                fetcher = PastFetcher(library, shelves, tick.due_at, lookups)
                made.append(
                    pipeline.run(database, audit, tick, fetcher, progress, stop, around(chosen))
                )
    for sentence in dict.fromkeys(one for summary in made for one in summary.stopped):
        err.print(sentence, style="yellow", markup=False, soft_wrap=True)
    if as_json:
        emit_json([_as_json(database, summary) for summary in made])
        return
    if not made:
        err.print(f"all {len(dates):,} recorded dates of {audit.job.name} have a run already")
        return
    _print(database, made)


def ticks(
    database: Database, audit: Audit, dates: list[datetime], *, resume: bool
) -> Iterator[Run]:
    """The run to resume, if that is wanted, then one for each date without a run."""
    if resume:
        yield pipeline.resume(database, audit)
    for due_at in dates:
        with database.read() as connection:
            taken = runs.claimed(connection, audit.job.name, RunKind.SCHEDULED)
        if due_at not in taken:
            yield pipeline.start(database, audit, RunKind.SCHEDULED, due_at)


def _counts(database: Database, summary: pipeline.Summary) -> tuple[int, int]:
    """(planned, recorded): what a recording lacks has been asked, and has no answer."""
    with database.read() as connection:
        rows = overview.coverage(connection, summary.run.id)
    return sum(row["planned"] for row in rows), sum(row["answered"] for row in rows)


def _as_json(database: Database, summary: pipeline.Summary) -> dict[str, object]:
    planned, answered = _counts(database, summary)
    return {
        "run": summary.run.id,
        "due_at": summary.run.due_at.isoformat(),
        "state": summary.state,
        "planned": planned,
        "answered": answered,
        "points": summary.points,
    }


def _print(database: Database, made: list[pipeline.Summary]) -> None:
    from monitor.cli._tables import print_run

    print_run(database, made[-1].run.id)
    cells = []
    for summary in made:
        planned, answered = _counts(database, summary)
        due = f"{summary.run.due_at:%Y-%m-%d}"
        cells.append([due, str(summary.run.id), f"{answered:,} of {planned:,}", str(summary.state)])
    columns = ("recorded on", "run", "recorded", "state")
    out.print(table("Runs made, the newest of them above", columns, cells))
