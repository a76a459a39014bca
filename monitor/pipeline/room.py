"""Whether there is room for more answers: collecting stops before the disk is full, not after."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from monitor import settings
from monitor.model import StoreFull
from monitor.store.database import Database


def check_room(database: Database) -> None:
    """Raise StoreFull where the reserve of a disk that a SQLite database is on is all that is left.

    Its file and the answers beside it may be on two. How full the disk of a server is only the
    server knows; it says so when it is.
    """
    if not database.keeps_files:
        return
    reserve = settings.load().disk_reserve
    for folder in _folders(database):
        free = shutil.disk_usage(folder).free
        if free < reserve:
            raise StoreFull(
                f"{folder}: {free / 1e6:,.0f} MB are free, less than the reserve of "
                f"{reserve / 1e6:,.0f} MB (MONITOR_DISK_RESERVE): make room, or see `monitor gc`"
            )


def _folders(database: Database) -> Iterator[Path]:
    """What is there of the folders that a SQLite database grows in."""
    name = str(database.writer.url.database or ":memory:")
    if name != ":memory:":
        yield _existing(Path(name).absolute().parent)
    yield _existing(database.bodies.absolute())


def _existing(folder: Path) -> Path:
    return next(one for one in (folder, *folder.parents) if one.exists())
