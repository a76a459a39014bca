"""Commands that check, plan and run a job."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from monitor import pipeline, settings
from monitor.cli.console import AsJson, emit_json, note, out, say, stop_signal, table, warn
from monitor.cli.names import job_files
from monitor.cli.progress import progress_bar
from monitor.input_files import FaultyFile
from monitor.model import InvalidInput, MonitorError, RunKind, RunState
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.jobs import Audit
    from monitor.stages.jobs.plan import Estimate
    from monitor.store.database import Database

JobFile = Annotated[
    Path,
    typer.Argument(help="Job file, for example jobs/demo.toml.", autocompletion=job_files),
]
PARTIAL_EXIT = 5
_ACT_EXIT = 5


def check(
    jobs: Annotated[
        list[Path] | None,
        typer.Argument(help="Job files; all of jobs/ if none is named.", autocompletion=job_files),
    ] = None,
    ready: Annotated[
        bool, typer.Option("--ready", help="Fail (exit code 5) also where a job is not ready.")
    ] = False,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="Also ask each translation service which languages it offers."),
    ] = False,
) -> None:
    """Validate job files and the probe lists, engines, measures and recordings they name.

    A file is valid or not. A valid job is ready to run where nothing is missing here: keys,
    libraries, models, governance, lists to be fetched. What is missing is listed, and is no fault
    of the file: the exit code is 0, and 5 with --ready.
    """
    wanted = jobs or sorted(set(Path("jobs").glob("*.toml")) - {Path("jobs/regions.toml")})
    if not wanted:
        raise InvalidInput("no job files in jobs/; name one, or run `monitor init` first")
    n_valid = n_ready = 0
    for path in wanted:
        try:
            if _is_unfetched(path):
                n_valid += 1
                continue
            audit = _valid(path)
        except InvalidInput as error:
            words = error.lines if isinstance(error, FaultyFile) else str(error)
            note(f"✗ not valid: {words}", style="red")
        else:
            n_valid += 1
            n_ready += print_readiness(path, audit, ask=ask)
    if n_valid < len(wanted):
        faults = len(wanted) - n_valid
        raise InvalidInput(f"{faults} of {several(len(wanted), 'job file')} cannot be used")
    if ready and n_ready < n_valid:
        raise _NotReady(f"{n_valid - n_ready} of {several(n_valid, 'job')} not ready to run")


def _is_unfetched(path: Path) -> bool:
    """Say which lists of a job have to be fetched before it can be read whole, if there are any."""
    from monitor.jobs import find_unfetched, say_fetch

    labels = find_unfetched(path)
    for label in labels:
        note(f"? not ready to run: {path}: no list {label!r}; {say_fetch(label)}")
    return bool(labels)


class _NotReady(MonitorError):
    """Jobs that are valid and cannot run here yet."""

    exit_code = _ACT_EXIT


def _valid(path: Path) -> "Audit":
    """Return the audit of a job file, with all that it names. Raises InvalidInput."""
    from monitor.jobs import load_audit

    audit = load_audit(path)
    pipeline.check_lexicons(audit)
    if audit.job.is_recorded:
        from monitor.fetch.replay import Library
        from monitor.work.recorded import list_recorded_dates

        list_recorded_dates(audit, Library(path.parent))
    return audit


def print_readiness(path: Path, audit: "Audit", *, ask: bool = False) -> bool:
    """Print whether a valid job is ready to run, what is missing, and which reviews are old.

    With `ask` each service is asked once which languages it offers.
    """
    from monitor.cli.jobs.new_job import key_warnings
    from monitor.jobs import old_reviews
    from monitor.work.outside import find_missing_to_run

    lacking = find_missing_to_run(audit)
    if ask:
        from monitor.work.outside import missing_targets

        lacking = [*lacking, *missing_targets(audit)]
    state = "✗ not ready to run" if lacking else "✓ ready to run"
    items = sum(len(probe_list.items) for probe_list in audit.lists)
    corpus = audit.job.corpus
    reads = f"; asks nobody, reads {', '.join(corpus.jobs)}" if corpus else ""
    content = f"{audit.job.name}, {several(items, 'item')}{reads}"
    say(f"✓ valid, {state}: {path}: {content}")
    lines = [f"to run it: {part}" for part in lacking]
    old = old_reviews(audit.job, datetime.now(UTC).date())
    for line in (*lines, *old, *key_warnings(audit)):
        warn(f"  {line}")
    return not lacking


def plan(job: JobFile, as_json: AsJson = False) -> None:
    """Say how many questions a job asks, how long it takes, what it costs and what it can find.

    Asks nobody. How small a change can be found depends on how often answers differ while nothing
    changes: as repeats and noise runs in the database have shown, or as is assumed.
    """
    from monitor.cli.jobs import outlook
    from monitor.jobs import load_audit
    from monitor.stages.jobs.plan import estimate_run

    audit = load_audit(job)
    if audit.job.corpus:
        outlook.print_corpus_plan(audit, as_json=as_json)
        return
    rows = estimate_run(audit)
    found = outlook.read_outlook(audit)
    if as_json:
        smallest = outlook.outlook_rows(found)
        emit_json(
            [
                {name: getattr(row, name) for name in row.__slots__}
                | {"changes": smallest.get((row.engine, row.target), [])}
                for row in rows
            ]
        )
        return
    out.print(f"One tick of {audit.job.name}: {audit.job.description}", markup=False)
    for engine, group in groupby(rows, key=lambda row: row.engine):
        _print_estimates(engine, list(group))
    longest = max(sum(r.seconds for r in rows if r.lane == row.lane) for row in rows)
    together = ", because services are asked at the same time" if len(rows) > 1 else ""
    out.print(
        f"in all: {several(sum(row.questions for row in rows), 'question')}, "
        f"price {_price(rows)}, "
        f"{sum(row.bytes for row in rows) / 1e6:.1f} MB; about {_duration(longest)}{together}"
    )
    schedule = audit.job.schedule
    later = f", up to {schedule.jitter} s later" if schedule.jitter else ""
    out.print(f"due: {schedule.cron} ({schedule.timezone}){later}")
    for row in rows:
        if row.daily_budget is not None and row.requests > row.daily_budget:
            days = -(-row.requests // row.daily_budget)
            out.print(
                f"{row.engine}: the daily budget stretches a tick over {several(days, 'day')}"
            )
    outlook.print_outlook(found)
    if last_audits := outlook.last_audits(audit):
        say(last_audits)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def _price(rows: "Sequence[Estimate]") -> str:
    """The price of what is asked; what nobody can say from the number of characters is said."""
    dollars = sum(row.dollars for row in rows)
    if all(row.priced for row in rows):
        return f"${dollars:.2f}" if dollars else "none"
    return f"${dollars:.2f} and more" if dollars else "not known"


def _print_estimates(engine: str, rows: "Sequence[Estimate]") -> None:
    """What one engine is asked, by target."""
    cells = [
        [
            row.target,
            f"{row.questions:,}",
            f"{row.requests:,}",
            _duration(row.seconds),
            _price([row]),
            f"{row.bytes / 1e6:.1f} MB",
        ]
        for row in rows
    ]
    columns = ("target", "questions", "requests", "about", "price", "storage")
    out.print(table(engine, columns, cells))


def run(
    job: JobFile,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the newest run that is not complete.")
    ] = False,
    noise: Annotated[
        bool,
        typer.Option("--noise", help="Ask a random part of the newest scheduled run again."),
    ] = False,
    confirm: Annotated[
        bool,
        typer.Option("--confirm", help="Ask again where a change was found and not confirmed yet."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run a job once, now: ask, keep the answers, compute the values.

    Ctrl-C stops it without losing an answer; --resume asks only what is missing. A job on recorded
    translations makes one run for every recorded date that has none yet.

    --noise and --confirm make the runs by hand that the daemon makes by the tables `noise` and
    `confirm` of a job. They have the due time of the tick that they ask again, and no values.
    """
    from monitor.cli.collect.reruns import run_recorded
    from monitor.cli.database import database
    from monitor.jobs import load_audit
    from monitor.work.outside import make_surroundings, open_fetcher

    chosen = settings.load()
    audit = load_audit(job)
    if noise or confirm:
        from monitor.cli.collect.reruns import run_again

        if noise and confirm:
            raise InvalidInput("--noise and --confirm are two runs; name one of them")
        kind = RunKind.NOISE if noise else RunKind.CONFIRM
        run_again(audit, kind, resume=resume, as_json=as_json)
        return
    if audit.job.is_recorded:
        with database() as opened:
            run_recorded(opened, audit, resume=resume, as_json=as_json)
        return
    pipeline.check_governance(audit)
    samples = pipeline.sample_requests(audit)
    with open_fetcher(samples, audit.job.contact) as fetcher, database() as opened:
        landings = fetcher.landings if pipeline.landing_depth(audit) else None
        if landings:
            landings()  # says what is missing before anybody is asked
        _refuse_suspended(pipeline.suspended(opened, audit, chosen.exit))
        if resume:
            tick = pipeline.resume(opened, audit)
        else:
            _mention_unfinished(opened, audit)
            tick = pipeline.start(opened, audit, RunKind.MANUAL, datetime.now(UTC))
        with stop_signal() as stop, progress_bar() as progress:
            summary = pipeline.run(
                opened, audit, tick, fetcher, progress, stop, make_surroundings(chosen, landings)
            )
        if not as_json:
            from monitor.cli.reports import print_run

            print_run(opened, tick.id, findings_only=True)
    end(summary, pipeline.resume_command(tick, audit), as_json=as_json)


def end(summary: "pipeline.Summary", command: str, *, as_json: bool) -> None:
    """Say how a run ended, what it lacks and how to go on; raises typer.Exit where it lacks some.

    What people read of its values is printed before.
    """
    if as_json:
        emit_json(
            {
                "run": summary.run.id,
                "kind": summary.run.kind,
                "state": summary.state,
                "planned": summary.planned,
                "answered": summary.answered,
                "points": summary.points,
                "stopped": list(summary.stopped),
            }
        )
    for sentence in summary.stopped:
        warn(sentence)
    if summary.state is RunState.PARTIAL:
        missing = summary.planned - summary.answered
        lacking = (
            f"{missing:,} of {several(summary.planned, 'question')} have no answer; "
            "see the view coverage, and "
            if summary.planned
            else ""
        )
        line = f"{lacking}try again with: {command}"
        warn(line)
        raise typer.Exit(PARTIAL_EXIT)


class _Suspended(MonitorError):
    """Nobody can be asked now."""

    exit_code = PARTIAL_EXIT


def _refuse_suspended(reasons: list[str]) -> None:
    """A run that asks nobody would only stand in the way of the one to be resumed."""
    if reasons:
        raise _Suspended(f"nobody can be asked now, so no run is begun: {'; '.join(reasons)}")


def _mention_unfinished(opened: "Database", audit: "Audit") -> None:
    from monitor.store.collect import runs

    with opened.read() as connection:
        before = runs.find_unfinished(connection, audit.job.name)
    if before:
        warn(
            f"run {before.id} of {audit.job.name} is not complete; this is a new one "
            "(--resume goes on with the newest)"
        )


def status(as_json: AsJson = False) -> None:
    """Show who is at work, what is due next, what became of the last ticks, and what is wrong.

    Then the newest run of every job: when, how far, how many answers. A job's state is that of its
    last tick: due, running, done, partial, missed, overlapped or failed, with the reason.

    Exit code 5 where a person has to act: an alarm stands, or jobs are watched and no daemon is
    at work.
    """
    from monitor.cli.database import database
    from monitor.cli.schedule import status

    zone = settings.load().zone
    with database() as opened:
        found = status.read(opened)
    if as_json:
        emit_json(found)
    else:
        status.show(found, zone)
    if status.needs_somebody(found):
        raise typer.Exit(_ACT_EXIT)
