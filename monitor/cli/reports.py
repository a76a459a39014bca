"""Reports of a run and of a week; runs: list them, show what one found."""

from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from monitor import settings
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, err, out, say, table
from monitor.cli.database import database
from monitor.cli.files import FORMS, document_file, in_existing_folder, write_document
from monitor.cli.names import known, known_job
from monitor.cli.progress import busy
from monitor.model import ActionNeeded, InvalidInput, RunState, as_row

if TYPE_CHECKING:
    from monitor.store.database import Connection, Database

report_commands = typer.Typer(rich_markup_mode=None, no_args_is_help=False)
_OUTPUT = Path("out/report.html")
_FIRST_RUN = "`monitor run jobs/demo.toml` makes one"


JobName = Annotated[str | None, typer.Option("--job", help="Newest run of this job only.")]
RunId = Annotated[int | None, typer.Option("--run", help="Run id; see `monitor status`.")]
Output = Annotated[Path, typer.Option(help=FORMS, callback=document_file)]
AlsoJson = Annotated[bool, typer.Option("--json", help="Also print the numbers as JSON.")]


@report_commands.callback(invoke_without_command=True)
def _of_run(
    context: typer.Context,
    job: JobName = None,
    run: RunId = None,
    output: Output = _OUTPUT,
    as_json: AlsoJson = False,
) -> None:
    """Write the report of the newest run, or of one that is named, as one file.

    The file needs no network and no other file. It can be sent, archived and printed.
    """
    if context.invoked_subcommand is None:
        report(job, run, output, as_json)
    elif job is not None or run is not None or output != _OUTPUT or as_json:
        raise InvalidInput(
            f"options before {context.invoked_subcommand!r} are those of the report of a run; "
            f"write them after it, see `monitor report {context.invoked_subcommand} --help`"
        )


def report(
    job: str | None = None, run: int | None = None, output: Path = _OUTPUT, as_json: bool = False
) -> None:
    """Write the report of a run."""
    from monitor.stages.reports import run_report
    from monitor.store.reports import run_report as store

    zone = settings.load().zone
    with database() as opened, opened.read() as connection, busy("writing the report"):
        known_job(connection, job)
        run_row = store.find_run(connection, job, run)
        if run_row is None:
            raise InvalidInput(_nothing(job, run))
        report = run_report.make_report(connection, run_row, zone)
    due_at, numbers = report.numbers["run"]["due_at"], report.numbers
    write_document(output, report.document, due_at, numbers=numbers, force=True)
    err.print(f"report of run {run_row} ({report.numbers['run']['job']}): {output}", markup=False)
    if as_json:
        emit_json(report.numbers)


@report_commands.command()
def weekly(
    job: Annotated[
        list[str] | None, typer.Option(help="Only this job; may be given several times.")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(help="Last day of the week, as 2026-11-22; else that of the newest due tick."),
    ] = None,
    folder: Annotated[
        Path, typer.Option(help="Where the files are put.", callback=in_existing_folder)
    ] = Path("out/weekly"),
    formats: Annotated[
        str,
        typer.Option(
            help="Any of html, pdf and json, separated by commas.",
            autocompletion=names.listed(names.report_formats),
        ),
    ] = "html,pdf,json",
) -> None:
    """Write the report of a week: what changed, all series, charts, what is missing, our load.

    HTML, PDF and JSON have the same numbers. The same database and date give the same bytes. What
    is in the folder for that week is written over. Where ticks of a job were due and none was run,
    the report says so and the exit code is 5: somebody has to see why.
    """
    from monitor.pipeline.reports import make_report

    zone = settings.load().zone
    last = _last(until, zone)
    with database() as opened:
        with opened.read() as connection:
            for name in job or []:
                known_job(connection, name)
            _check_begun(connection, job or [], last, zone)
        with busy("writing the report of the week"):
            made = make_report(opened, job or [], last, zone, folder, _formats(formats))
        _say_if_past(opened, job or [], made.until, zone)
    for path in made.paths:
        err.print(f"week to {made.until.astimezone(zone):%Y-%m-%d}: {path}", markup=False)
    if made.not_asked:
        which = ", ".join(made.not_asked)
        err.print(
            f"nothing was asked in this week, although it was due: {which}; `monitor status` says "
            "what stands in the way",
            markup=False,
        )
        raise typer.Exit(ActionNeeded.exit_code)


def _check_begun(
    connection: "Connection", jobs: list[str], last: datetime | None, zone: ZoneInfo
) -> None:
    """Raise InvalidInput for a week before the first due tick, of these jobs or of all."""
    from monitor.store.reports import weekly_report as store

    first = store.find_first_due(connection, jobs or store.list_jobs(connection))
    if first is None and not jobs:
        raise InvalidInput(f"no run yet, so there is nothing to report; {_FIRST_RUN}")
    if first is not None and last is not None and last < first:
        what, began = ", ".join(jobs) or "this archive", f"{first.astimezone(zone):%Y-%m-%d}"
        raise InvalidInput(
            f"--until {last:%Y-%m-%d}: nothing of {what} was due before {began}, its first day; "
            "name that day or a later one"
        )


def _say_if_past(opened: "Database", jobs: list[str], until: datetime, zone: ZoneInfo) -> None:
    """Say that all due ticks were before the week: a report without values may be a slip."""
    from monitor.stages.reports.weekly.week import begin_week
    from monitor.store.reports import weekly_report as store

    with opened.read() as connection:
        newest = store.find_newest_due(connection, jobs or store.list_jobs(connection))
    if newest is not None and newest <= begin_week(until, zone):
        day = f"{newest.astimezone(zone):%Y-%m-%d}"
        err.print(f"note: no tick was due in this week; the newest due tick is of {day}")


def _last(until: str | None, zone: ZoneInfo) -> datetime | None:
    """The last moment of a day."""
    if until is None:
        return None
    try:
        day = datetime.strptime(until, "%Y-%m-%d")  # noqa: DTZ007 - its zone is put in below
    except ValueError:
        raise InvalidInput(f"--until {until!r}: write a date as 2026-11-22") from None
    return datetime.combine(day, time.max, zone)


def _formats(words: str) -> list[str]:
    from monitor.stages.reports.weekly import FORMATS

    formats = [word.strip() for word in words.split(",") if word.strip()]
    unknown = [word for word in formats if word not in FORMATS]
    if unknown or not formats:
        raise InvalidInput(
            f"--formats {words!r}: name any of {', '.join(sorted(FORMATS))}, separated by commas"
        )
    return formats


def _nothing(job: str | None, run: int | None) -> str:
    named = f" {run}" if run is not None else ""
    of = f" of job {job!r}" if job is not None else ""
    return f"no run{named}{of} in this database; `monitor runs list` lists them, {_FIRST_RUN}"


# --- runs -----------------------------------------------------------------------------------------

runs_commands = typer.Typer(help="Runs: list them, show what one found.", no_args_is_help=True)


@runs_commands.command("list")
def list_runs(
    job: Annotated[str, typer.Option(help="Of this job only.", autocompletion=names.jobs)] = "",
    state: Annotated[str, typer.Option(help="Of this state only, such as partial.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most so many.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List runs, the newest first: job, kind, when they were due, and their state."""
    from monitor.store.collect import runs

    zone = settings.load().zone
    if state:
        known("state", state, RunState)
    with database() as opened, opened.read() as connection:
        known_job(connection, job)
        listed = runs.list_newest(connection, limit, job, RunState(state) if state else None)
    if as_json:
        content = [as_row(run) for run in listed]
        for row in content:
            del row["bundle_id"]  # a number of the archive's own
        emit_json(content)
        return
    if not listed:
        out.print("no run yet; start with: monitor run jobs/demo.toml")
        return
    rows = [
        (
            run.job, str(run.id), run.kind, f"{run.due_at.astimezone(zone):%Y-%m-%d %H:%M}",
            run.state,
        )
        for run in listed
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


def print_run(opened: "Database", number: int, *, findings_only: bool = False) -> None:
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
