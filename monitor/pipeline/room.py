"""Whether there is room for more answers: collecting stops before the disk is full, not after."""

import shutil

from monitor import settings
from monitor.model import StoreFull
from monitor.store.database import Database


def check_room(database: Database) -> None:
    """Raise StoreFull where the reserve of the disk beside a SQLite database is all that is left.

    How full the disk of a server is only the server knows; it says so when it is.
    """
    if not database.keeps_files:
        return
    folder = database.bodies.parent
    reserve = settings.load().disk_reserve
    free = shutil.disk_usage(folder).free if folder.exists() else reserve
    if free < reserve:
        raise StoreFull(
            f"{folder}: {free / 1e6:,.0f} MB are free, less than the reserve of "
            f"{reserve / 1e6:,.0f} MB (MONITOR_DISK_RESERVE): make room, or see `monitor gc`"
        )
