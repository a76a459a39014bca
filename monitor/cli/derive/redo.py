"""The command that derives kept runs anew."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from monitor import pipeline
from monitor.cli.console import err, note, stop_signal, warn
from monitor.cli.database import database
from monitor.cli.names import known_job
from monitor.cli.progress import busy, progress_bar
from monitor.model import ActionNeeded, InvalidInput
from monitor.store.rows import group_rows
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.store.collect.runs import Run
    from monitor.store.database import Database

#: So many runs are told of one by one.
_TOLD = 20


def redo(
    first: Annotated[
        Literal["parse", "signal", "measure"],
        typer.Option(
            "--from", help="Begin with this step; runs that lack an earlier one are left out."
        ),
    ] = "parse",
    job: Annotated[str, typer.Option(help="Name of a job; all jobs if left out.")] = "",
    run: Annotated[int | None, typer.Option(help="Number of one run.")] = None,
    since: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"], help="Only runs that were due on this day or later, UTC."
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(min=0, help="Number of worker processes (0 = automatic).")
    ] = 0,
    by_workers: Annotated[
        bool, typer.Option("--by-workers", help="Leave it to the daemon or its workers.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be done, and why.")
    ] = False,
) -> None:
    """Derive kept runs anew: read, find signals, compute values. Nobody is asked.

    After an update of parsers, languages or measures, after labels came in, or after an erasure.
    Only what lacks the present versions is done. What was derived before stays; a chart goes over
    to new versions when all of its runs have them. A run whose stored answers were removed keeps
    its readings. The oldest run is first; stop it at any moment and start it again to go on.

    Exit code 5 where runs were left out; their reasons are told.
    """
    with database() as opened:
        wanted = _wanted(opened, job, run, since)
        with busy("looking which runs lack present versions"):
            todo, left_out = pipeline.to_redo(opened, wanted, pipeline.DerivationStep(first))
        answers = sum(one.answers for one in todo)
        err.print(
            f"{len(todo):,} of {several(len(wanted), 'run')} "
            f"{'lacks' if len(todo) == 1 else 'lack'} present versions: "
            f"{several(answers, 'answer')}"
        )
        if dry_run:
            _say_what(todo)
        elif by_workers:
            lane = "" if first == "parse" else first
            pipeline.plan_redo(opened, [lack.run for lack in todo], lane, "by hand")
            waiting = several(len(todo), "run is", "runs are")
            err.print(f"{waiting} to be derived anew by the daemon or its workers")
        else:
            left_out += _redone(opened, wanted, todo, processes)
        _say_left_out(left_out)
        if left_out:
            raise typer.Exit(ActionNeeded.exit_code)


def _wanted(opened: "Database", job: str, run: int | None, since: datetime | None) -> "list[Run]":
    from monitor.store.collect import runs

    with opened.read() as connection:
        known_job(connection, job)
        ended = runs.list_ended(connection, job or None, run)
    if not ended:
        which = f"run {run}" if run else f"run of {job!r}" if job else "run"
        raise InvalidInput(f"no {which} has ended; see `monitor status`")
    if since is None:
        return ended
    first = since.replace(tzinfo=UTC)
    recent = [one for one in ended if one.due_at >= first]
    if not recent:
        raise InvalidInput(f"no run was due on {first:%Y-%m-%d} or later; see `monitor status`")
    return recent


def _say_what(todo: "list[pipeline.Lack]") -> None:
    """What would be done; runs that lack the same are told of together."""
    alike = group_rows(todo, lambda lack: (", ".join(lack.steps), "; ".join(lack.why)))
    for (steps, why), group in alike.items():
        answers = sum(lack.answers for lack in group)
        numbers = _numbers([lack.run for lack in group])
        note(f"{steps}: {numbers}, {several(answers, 'answer')}: {why}")


def _say_left_out(left_out: "list[pipeline.LeftOut]") -> None:
    """Why runs were left out; those with the same reason are told of together."""
    for reason, group in group_rows(left_out, lambda omission: omission.reason).items():
        warn(f"left out: {_numbers([omission.run for omission in group])}: {reason}")


def _numbers(some: list["Run"]) -> str:
    numbers = ", ".join(str(run.id) for run in some[:_TOLD])
    more = f" and {len(some) - _TOLD:,} more" if len(some) > _TOLD else ""
    return f"{len(some):,} run{'s' if len(some) > 1 else ''} ({numbers}{more})"


def _redone(
    opened: "Database", wanted: "list[Run]", todo: "list[pipeline.Lack]", processes: int
) -> "list[pipeline.LeftOut]":
    from monitor.store.collect import runs

    try:
        with stop_signal() as stop, progress_bar() as progress:
            done = pipeline.redo(opened, todo, progress, stop, processes)
            compared = pipeline.conclude_after(opened, wanted, progress, stop)
    except KeyboardInterrupt:
        raise pipeline.Interrupted(
            "stopped: what was done stays done; go on with the same command"
        ) from None
    err.print(
        f"{several(done.points, 'new point')} in {several(done.runs, 'run')}; "
        f"{done.switched:,} series went over to new versions; "
        f"{several(compared, 'run was', 'runs were')} compared anew",
        soft_wrap=True,
    )
    with opened.read() as connection:
        undecided = {one.id for one in runs.find_undecided(connection)}
    reason = "not compared, so that the tick is not decided; `monitor status` says why"
    left_out = [pipeline.LeftOut(run, reason) for run in wanted if run.id in undecided]
    return [*done.left_out, *left_out]
