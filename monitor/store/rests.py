"""Putting engines and jobs to rest and letting them go on, with an event of each.

What commands and pages share: each call is one transaction's work, and says what it did.
"""

from datetime import datetime

import sqlalchemy as sa

from monitor.store import events, pauses, suspensions, tasks
from monitor.store.pauses import PauseKind


def pause(
    connection: sa.Connection, kind: PauseKind, name: str, reason: str, now: datetime
) -> None:
    """Put an engine or a job to rest; what rests already does so for this reason now."""
    pauses.pause(connection, kind, name, reason, now)
    events.add(connection, "paused", f"{kind} {name}", reason, now=now)


def resume(
    connection: sa.Connection, kind: PauseKind, name: str, now: datetime, reason: str = ""
) -> bool:
    """End a rest; False if there was none."""
    rested = pauses.resume(connection, kind, name)
    if rested:
        events.add(connection, "resumed", f"{kind} {name}", reason, now=now)
    return rested


def lift(
    connection: sa.Connection, name: str, now: datetime, reason: str = "by a person"
) -> list[str]:
    """Forget the suspensions of an engine or lane, and let what waits for them go on now.

    Returns the lanes.
    """
    lifted = suspensions.lift(connection, name)
    tasks.hurry(connection, lifted)
    for lane in lifted:
        events.add(connection, "suspension_lifted", lane, reason, now=now)
    return lifted
