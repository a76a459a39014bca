"""Runs a job on what was recorded or saved before: one run per date that has none yet."""

from contextlib import closing

from monitor import pipeline
from monitor.cli._console import emit_json, err, out, progress_bar, stop_signal, table
from monitor.fetch.replay import Library
from monitor.fetch.saved import Shelves
from monitor.jobs import Audit
from monitor.store.database import Database
from monitor.store.reports import run_report
from monitor.text.counted_nouns import several
from monitor.work.recorded import catch_up, recorded_dates


def run_recorded(database: Database, audit: Audit, *, resume: bool, as_json: bool) -> None:
    """Make the runs, oldest date first, each due at its date; then print what became of them."""
    with closing(Shelves(audit.path.parent)) as shelves:
        dates = recorded_dates(audit, Library(audit.path.parent), shelves)
        for sentence in shelves.left_out:
            err.print(sentence, style="yellow", markup=False, soft_wrap=True)
        with stop_signal() as stop, progress_bar() as progress:
            wanted = catch_up(database, audit, shelves, dates, progress, stop, resume=resume)
            made = list(wanted)
    for sentence in dict.fromkeys(one for summary in made for one in summary.stopped):
        err.print(sentence, style="yellow", markup=False, soft_wrap=True)
    if as_json:
        emit_json([_as_json(database, summary) for summary in made])
        return
    if not made:
        err.print(
            f"all {several(len(dates), 'recorded date')} of {audit.job.name} have a run already"
        )
        return
    _print(database, made)


def _counts(database: Database, summary: pipeline.Summary) -> tuple[int, int]:
    """(planned, recorded): what a recording lacks has been asked, and has no answer."""
    with database.read() as connection:
        rows = run_report.read_coverage(connection, summary.run.id)
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
