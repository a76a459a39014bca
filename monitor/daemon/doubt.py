"""Whether the clock is to be believed: a machine without a battery begins in a year long past.

In go a database and the time, out comes whether the time is likely wrong. The database knows by
what was written down at times that are still to come.
"""

import logging
from datetime import datetime, timedelta

from monitor.store import agenda, events
from monitor.store.database import Database

log = logging.getLogger(__name__)

#: The alarm of a clock that is likely wrong; nothing is begun while it stands.
CLOCK = "clock"
#: The event by which a person says that what was written down up to its time is by a wrong clock.
TRUSTED = "clock_trusted"
#: A clock that was ahead for a moment leaves rows of one moment behind. Rows of days that are
#: still to come are a history, and it is the clock of now that is wrong.
A_DAY = timedelta(days=1)


def trust(database: Database, reason: str, now: datetime) -> datetime | None:
    """Note that the clock is right and was ahead before; return the latest time that it had said.

    None where no row is of a time that is still to come: then nothing is noted.
    """
    with database.begin() as connection:
        trusted = agenda.newest_by_subject(connection, TRUSTED)
        later = agenda.later(connection, max([now, *trusted.values()]))
        if later is None:
            return None
        events.add(connection, TRUSTED, "", reason, now=later[1])
        events.resolve(connection, CLOCK, "", now)
    return later[1]


def in_doubt(database: Database, now: datetime) -> str:
    """Why the clock is likely behind; empty where nothing speaks against it.

    The alarm stands as long as there is a reason.
    """
    why = ""
    with database.begin() as connection:
        trusted = agenda.newest_by_subject(connection, TRUSTED)
        found = agenda.later(connection, max([now, *trusted.values()]))
        if found and found[1] - now > A_DAY and found[1] - found[0] > A_DAY:
            why = (
                f"the clock says {now:%Y-%m-%d %H:%M} UTC, but the database holds rows of "
                f"{found[1]:%Y-%m-%d %H:%M} UTC"
            )
        is_open = any(one.kind == CLOCK for one in events.open_alarms(connection))
        if why:
            events.raise_alarm(connection, CLOCK, "", why, now)
        elif is_open:
            events.resolve(connection, CLOCK, "", now)
    if why and not is_open:
        log.warning("%s; nothing is begun until it is past them", why)
    return why
