"""Pausing and resuming engines and jobs: what the commands of both share."""

from datetime import UTC, datetime

from monitor.cli._console import out
from monitor.store.collect import pauses
from monitor.store.collect.pauses import PauseKind
from monitor.store.database import Database


def pause(database: Database, kind: PauseKind, name: str, reason: str, note: str) -> None:
    """Put an engine or a job to rest, and say from when."""
    now = datetime.now(UTC)
    with database.begin() as connection:
        pauses.add_pause(connection, kind, name, reason, now)
    out.print(f"{kind} {name} is paused; {note}", markup=False, soft_wrap=True)


def resume(database: Database, kind: PauseKind, name: str, note: str) -> None:
    """End a rest; says so too where there was none. Raises InvalidInput for unknown names."""
    with database.begin() as connection:
        rested = pauses.end_pause(connection, kind, name, datetime.now(UTC))
    said = f"goes on; {note}" if rested else "was not paused"
    out.print(f"{kind} {name} {said}", markup=False, soft_wrap=True)


def lift(database: Database, name: str) -> None:
    """Forget the suspensions of an engine or lane, and let what waits for them go on now."""
    with database.begin() as connection:
        lifted = pauses.lift_suspensions(connection, name, datetime.now(UTC))
    said = f"asked again: {', '.join(lifted)}" if lifted else f"{name} was not suspended"
    out.print(said, markup=False, soft_wrap=True)
