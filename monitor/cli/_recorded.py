"""Runs a job on recorded translations: one run per recorded date that has none yet."""

from collections.abc import Iterator
from datetime import datetime

from monitor import pipeline
from monitor.cli._console import emit_json, err, out, progress_bar, stop_signal, table
from monitor.fetch.replay import Library, RecordedFetcher
from monitor.jobs import Audit
from monitor.model import InvalidInput, Kind, RunKind
from monitor.store import overview, runs
from monitor.store.database import Database
from monitor.store.runs import Run


def recorded_dates(audit: Audit, library: Library) -> list[datetime]:
    """Every date on which one of the job's systems was recorded. Raises InvalidInput."""
    for use, engine in audit.engines:
        if engine.kind is Kind.LM:
            raise InvalidInput(
                f"{audit.path}: engine {use.name!r}: scores come in by `monitor import lm-scores`"
            )
    return library.dates(
        (str(use.config["file"]), str(use.config["system"]), use.targets)
        for use in audit.job.engines
    )


def run_recorded(database: Database, audit: Audit, *, resume: bool, as_json: bool) -> None:
    """Make the runs, oldest date first, each due at its date; then print what became of them."""
    library = Library(audit.path.parent)
    dates = recorded_dates(audit, library)
    made: list[pipeline.Summary] = []
    with stop_signal() as stop, progress_bar() as progress:
        for tick in ticks(database, audit, dates, resume=resume):
            fetcher = RecordedFetcher(library, tick.due_at)
            made.append(pipeline.run(database, audit, tick, fetcher, progress, stop))
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
