"""The command that runs a job: once, of recordings, again for noise, or to confirm findings."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from monitor import pipeline, settings
from monitor.cli.console import AsJson, emit_json, warn
from monitor.cli.names import JobFile
from monitor.cli.progress import interruptible_run
from monitor.model import ActionNeeded, InvalidInput, RunKind, RunState
from monitor.text.counted_nouns import several


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
    from monitor.cli.collect import reruns
    from monitor.cli.database import database
    from monitor.cli.reports import print_run
    from monitor.jobs import load_audit
    from monitor.store.collect import runs
    from monitor.work.outside import asks_services_of_others, make_surroundings, open_fetcher

    chosen = settings.load()
    audit = load_audit(job)
    if noise or confirm:
        if noise and confirm:
            raise InvalidInput("--noise and --confirm are two runs; name one of them")
        kind = RunKind.NOISE if noise else RunKind.CONFIRM
        reruns.run_again(audit, kind, resume=resume, as_json=as_json)
        return
    if audit.job.is_recorded:
        with database() as opened:
            reruns.run_recorded(opened, audit, resume=resume, as_json=as_json)
        return
    pipeline.check_governance(audit)
    samples = pipeline.sample_requests(audit)
    foreign = asks_services_of_others(audit)
    with (
        open_fetcher(samples, audit.job.contact, foreign=foreign) as fetcher,
        database() as opened,
    ):
        landings = fetcher.landings if pipeline.landing_depth(audit) else None
        if landings:
            landings()  # says what is missing before anybody is asked
        # a run that asks nobody would only stand in the way of the one to be resumed
        if reasons := pipeline.suspended(opened, audit, chosen.exit):
            words = "nobody can be asked now, so no run is begun"
            raise ActionNeeded(f"{words}: {'; '.join(reasons)}")
        if resume:
            tick = pipeline.resume(opened, audit)
        else:
            with opened.read() as connection:
                before = runs.find_unfinished(connection, audit.job.name)
            if before:
                warn(
                    f"run {before.id} of {audit.job.name} is not complete; this is a new one "
                    "(--resume goes on with the newest)"
                )
            tick = pipeline.start(opened, audit, RunKind.MANUAL, datetime.now(UTC))
        with interruptible_run() as (progress, stop):
            summary = pipeline.run(
                opened, audit, tick, fetcher, progress, stop, make_surroundings(chosen, landings)
            )
        if not as_json:
            print_run(opened, tick.id, findings_only=True)
    end(summary, pipeline.resume_command(tick, audit), as_json=as_json)


def end(summary: "pipeline.Summary", command: str, *, as_json: bool) -> None:
    """Say how a run ended, what it lacks and how to go on; raises typer.Exit where it lacks some.

    What people read of its values is printed before.
    """
    if as_json:
        counts = ("state", "planned", "answered", "points", "stopped")
        facts = {"run": summary.run.id, "kind": summary.run.kind}
        emit_json(facts | {name: getattr(summary, name) for name in counts})
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
        warn(f"{lacking}try again with: {command}")
        raise typer.Exit(ActionNeeded.exit_code)
