"""The command that derives kept runs anew."""

from typing import Annotated

import typer

from monitor import pipeline
from monitor.cli._console import err, progress_bar
from monitor.cli._open import database
from monitor.model import InvalidInput, StoreProblem
from monitor.store.database import Database
from monitor.store.runs import Run


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(redo)


def redo(
    job: Annotated[str, typer.Option(help="Name of a job; all jobs if left out.")] = "",
    run: Annotated[int | None, typer.Option(help="Number of one run.")] = None,
    by_workers: Annotated[
        bool, typer.Option("--by-workers", help="Leave it to the daemon or its workers.")
    ] = False,
) -> None:
    """Derive kept runs anew: read, find signals, compute values. Nobody is asked.

    After an update of parsers, languages or measures, after labels came in, or after an erasure.
    What was derived before stays; what is equal is not written twice. A run whose stored answers
    were removed keeps its readings. Runs are derived one after another, the oldest first, and what
    was done stays done when you stop.
    """
    from monitor.store import runs, tasks

    with database() as opened:
        with opened.read() as connection:
            wanted = runs.kept(connection, job or None, run)
        if not wanted:
            which = f"run {run}" if run else f"run of {job!r}" if job else "run"
            raise InvalidInput(f"no {which} has ended; see `monitor status`")
        if by_workers:
            with opened.begin() as connection:
                for one in wanted:
                    tasks.plan_redo(connection, one.id)
            err.print(f"{len(wanted):,} runs are to be derived anew by the daemon or its workers")
            return
        _derive_all(opened, wanted)


def _derive_all(opened: Database, wanted: list[Run]) -> None:
    written, left_out = 0, 0
    for number, one in enumerate(wanted, start=1):
        err.print(f"run {one.id} of {one.job} ({number} of {len(wanted)})", markup=False)
        try:
            audit = pipeline.audit_of_run(opened, one)
            turn = pipeline.turn_of_run(one.id)
            with pipeline.alone(opened, turn, pipeline.never), progress_bar() as progress:
                written += pipeline.derive(opened, audit, one, progress)
        except (InvalidInput, StoreProblem) as error:
            left_out += 1
            err.print(f"left out: {error}", style="yellow", markup=False, soft_wrap=True)
    err.print(f"{written:,} new points in {len(wanted) - left_out:,} runs; {left_out:,} left out")
    if left_out:
        raise typer.Exit(1)
