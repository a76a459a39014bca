"""Commands about the jobs that the daemon watches, and pauses of jobs and engines."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from monitor import settings
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, say, visible
from monitor.cli.database import database
from monitor.cli.names import known, known_job
from monitor.store.collect import pauses
from monitor.store.collect import pauses as suspensions
from monitor.store.collect.pauses import PauseKind
from monitor.store.database import Database


def pause(database: Database, kind: PauseKind, name: str, reason: str, note: str) -> None:
    """Put an engine or a job to rest, and say from when."""
    now = datetime.now(UTC)
    with database.begin() as connection:
        replaced = pauses.add_pause(connection, kind, name, reason, now)
    say(f"{kind} {name} is paused; {note}")
    if replaced and replaced.reason != reason:
        say(visible(f"it was {replaced}; the reason is replaced"))


def resume(database: Database, kind: PauseKind, name: str, note: str) -> None:
    """End a rest; says so too where there was none. Raises InvalidInput for unknown names."""
    with database.begin() as connection:
        rested = pauses.end_pause(connection, kind, name, datetime.now(UTC))
    said = f"goes on; {note}" if rested else "was not paused"
    say(f"{kind} {name} {said}")


def lift(database: Database, name: str) -> None:
    """Forget the suspensions of an engine or lane, and let what waits for them go on now."""
    with database.begin() as connection:
        lifted = suspensions.lift_suspensions(connection, name, datetime.now(UTC))
    said = f"asked again: {', '.join(lifted)}" if lifted else f"{name} was not suspended"
    say(said)


jobs_commands = typer.Typer(help="The jobs that the daemon watches.", no_args_is_help=True)
Name = Annotated[
    str, typer.Argument(help="A job of `monitor jobs list`.", autocompletion=names.jobs)
]


#: So many ticks of a job are shown.
_TICKS = 12


@jobs_commands.command("list")
def list_jobs(
    as_json: AsJson = False,
) -> None:
    """List the jobs that are or were watched: next tick, last tick, and what became of it."""
    from monitor.cli.schedule import status

    zone = settings.load().zone
    with database() as opened, opened.read() as connection:
        watched = status.jobs(connection)
    if as_json:
        emit_json(watched)
        return
    status.print_jobs(watched, zone)


@jobs_commands.command("show")
def show_job(name: Name, as_json: AsJson = False) -> None:
    """Show a watched job: its file, its next tick, and what became of the last ones."""
    from monitor.cli.schedule import status
    from monitor.store.schedule import ticks

    zone = settings.load().zone
    with database() as opened, opened.read() as connection:
        watched = status.jobs(connection)
        known("job", name, [row["job"] for row in watched])
        job = next(row for row in watched if row["job"] == name)
        last = [status.tick(connection, one) for one in ticks.list_newest(connection, name, _TICKS)]
    if as_json:
        emit_json(job | {"ticks": last})
        return
    status.show_job(job, last, zone)


@jobs_commands.command("pause")
def pause_job(
    name: Name,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept with every tick.")] = "",
) -> None:
    """Begin no tick of a job until it is resumed; its ticks are written down as missed.

    A run that is being asked goes on to its end.
    """
    with database() as opened:
        with opened.read() as connection:
            known_job(connection, name)
        pause(opened, "job", name, reason, "its ticks are missed until it is resumed")


@jobs_commands.command("trust-clock")
def trust_clock(
    reason: Annotated[
        str, typer.Option("--reason", help="Who says so, and why; it is kept and shown.")
    ],
) -> None:
    """Say that the clock is right now, and was ahead when it wrote of times still to come.

    Ends the alarm `clock`, during which the daemon begins nothing. Look at `timedatectl` first: if
    the clock is behind, have it synchronised instead.
    """
    from datetime import UTC, datetime

    from monitor.daemon import watching
    from monitor.model import InvalidInput

    if not reason.strip():
        raise InvalidInput("--reason: a reason is required; it is shown to all users")
    now = datetime.now(UTC)
    with database() as opened:
        latest = watching.trust_clock(opened, reason.strip(), now)
    if latest is None:
        raise InvalidInput(
            f"nothing indicates that {now:%Y-%m-%d %H:%M} UTC, the time of this machine, is wrong: "
            "the database holds no rows over more than a day that are still to come"
        )
    words = f"{now:%Y-%m-%d %H:%M} UTC is right; the last row is of {latest:%Y-%m-%d %H:%M} UTC"
    say(f"noted: {words}; the daemon goes on at its next look")


@jobs_commands.command("resume")
def resume_job(name: Name) -> None:
    """Begin the ticks of a job again, from the next on."""
    from monitor.store.collect import pauses
    from monitor.store.schedule import ticks

    with database() as opened:
        with opened.read() as connection:
            paused = [pause.name for pause in pauses.list_pauses(connection)]
            known("job", name, {*ticks.list_jobs(connection), *paused})
        resume(opened, "job", name, "its next tick is begun when it is due")
