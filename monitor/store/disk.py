"""How much room the database takes, and how much is left."""

import shutil
from pathlib import Path

import sqlalchemy as sa

from monitor.store.database import Database


def database_bytes(connection: sa.Connection, database: Database) -> int:
    """What the database takes: its files and their logs, or what the server says."""
    if not database.keeps_files:
        size = sa.select(sa.func.pg_database_size(sa.func.current_database()))
        return int(connection.execute(size).scalar_one())
    listed = connection.exec_driver_sql("PRAGMA database_list").all()
    names = [f"{row[2]}{end}" for row in listed if row[2] for end in ("", "-wal")]
    return sum(_size(name) for name in names)


def _size(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except OSError:  # the log comes and goes
        return 0


def folder_bytes(folder: Path) -> int:
    """What the files of large answers take in their folder. Looks at every file."""
    return sum(_size(str(path)) for path in folder.glob("*/*"))


def free_bytes(database: Database) -> int | None:
    """Free bytes of this machine's disk that holds the data folder; None where there is none."""
    folder = database.bodies.parent
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None
