"""Runs: list them, show what one found."""

from typing import Annotated

import typer

from monitor import settings
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, out, say, table
from monitor.cli.database import database
from monitor.model import InvalidInput, RunState
from monitor.store.database import Database

runs_commands = typer.Typer(help="Runs: list them, show what one found.", no_args_is_help=True)


@runs_commands.command("list")
def list_runs(
    job: Annotated[str, typer.Option(help="Of this job only.", autocompletion=names.jobs)] = "",
    state: Annotated[str, typer.Option(help="Of this state only, such as partial.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List runs, the newest first: job, kind, when they were due, and their state."""
    from monitor.cli.names import known, known_job
    from monitor.store.collect import runs

    zone = settings.load().zone
    if state:
        known("state", state, RunState)
    with database() as opened, opened.read() as connection:
        known_job(connection, job)
        found = runs.list_newest(connection, limit, job, RunState(state) if state else None)
    if as_json:
        emit_json([{name: getattr(run, name) for name in run.__slots__} for run in found])
        return
    if not found:
        out.print("no run yet; start with: monitor run jobs/demo.toml")
        return
    rows = [
        (
            run.job, str(run.id), run.kind, f"{run.due_at.astimezone(zone):%Y-%m-%d %H:%M}",
            run.state,
        )
        for run in found
    ]  # fmt: skip
    out.print(table("", ("job", "run", "kind", "due", "state"), rows))
    out.print("more about one: monitor runs show RUN", markup=False)


@runs_commands.command("show")
def show_run(
    number: Annotated[int, typer.Argument(metavar="RUN", help="Number as in the list.")],
    as_json: AsJson = False,
) -> None:
    """Show what a run found: its values, what is missing, and by which version it was made."""
    from monitor.store.collect import runs
    from monitor.store.reports import run_report

    with database() as opened:
        with opened.read() as connection:
            try:
                run = runs.get_run(connection, number)
            except LookupError:
                raise InvalidInput(f"no run {number}; see `monitor runs list`") from None
            made_by = runs.read_provenance(connection, number)
            values = run_report.read_values(connection, number) if as_json else []
        if as_json:
            emit_json(
                {name: getattr(run, name) for name in run.__slots__}
                | {"version": made_by.code, "packages": dict(made_by.packages), "values": values}
            )
            return
        print_run(opened, number)


def print_run(opened: Database, number: int, *, findings_only: bool = False) -> None:
    """Print what a run measured and what it lacks: its report, as far as a terminal has room.

    With `findings_only` the first screen alone: of many systems their tables side by side.
    """
    from monitor.stages.document.terminal import print_document
    from monitor.stages.reports.run_report import make_summary

    with opened.read() as connection:
        document = make_summary(
            connection, number, settings.load().zone, findings_only=findings_only
        )
    print_document(document, out)
    if findings_only:
        say(f"What was asked, and every value: monitor runs show {number}")
    say(f"Every value, with charts: monitor report --run {number}")
