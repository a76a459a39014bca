"""Measure the room that the database takes, and give room back to the disk.

Also deletes old rows of processes, leases, alarms and events.
"""

import re
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Any

import sqlalchemy as sa

from monitor.model import RunState, TaskState
from monitor.store.database import Database
from monitor.store.schedule.leases import read_clock
from monitor.store.schema import PEOPLE, alarms, events, leases, metadata, processes, runs, tasks


def measure_database(connection: sa.Connection, database: Database) -> int:
    """Return what the database takes: its files and their logs, or what the server says."""
    if not database.keeps_files:
        size = sa.select(sa.func.pg_database_size(sa.func.current_database()))
        return int(connection.execute(size).scalar_one())
    listed = connection.exec_driver_sql("PRAGMA database_list").all()
    names = [f"{row[2]}{end}" for row in listed if row[2] for end in ("", "-wal")]
    return sum(_measure_file(name) for name in names)


def _measure_file(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except OSError:  # the log comes and goes
        return 0


def measure_folder(folder: Path) -> int:
    """Return what the files of large answers take in their folder. Looks at every file."""
    return sum(_measure_file(str(path)) for path in folder.glob("*/*"))


def measure_free_space(database: Database) -> int | None:
    """Free bytes of this machine's disk that holds the data folder; None where there is none."""
    folder = database.bodies.parent
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


_FILES = ("main", PEOPLE)
#: Pages that are freed in one transaction, and the seconds after it in which others can write.
_PAGES = 2_000
_BREATH = 0.05
_INCREMENTAL = 2  # a file that shrinks when it is told to


def measure_unused(connection: sa.Connection, database: Database) -> int:
    """Return bytes inside the files of a SQLite database that hold nothing; 0 for PostgreSQL."""
    if not database.keeps_files:
        return 0
    return sum(_measure_unused_pages(connection, file) for file in _FILES)


def _measure_unused_pages(connection: sa.Connection, file: str) -> int:
    size = connection.exec_driver_sql(f"PRAGMA {file}.page_size").scalar_one()
    return _free_pages(connection, file) * int(size)


def _free_pages(connection: sa.Connection, file: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {file}.freelist_count").scalar_one())


def release_pages(database: Database) -> None:
    """Free pages at the end of a SQLite file that was made to shrink (`auto_vacuum`).

    A portion at a time, so that others can write in between. Files that were not made so stay as
    large as they are; new rows go into the free pages.
    """
    if database.keeps_files:
        for file in _FILES:
            while _release_some_pages(database, file):
                sleep(_BREATH)


def _release_some_pages(database: Database, file: str) -> bool:
    """Free some pages in one transaction; return whether there are more."""
    with database.begin() as connection:
        if connection.exec_driver_sql(f"PRAGMA {file}.auto_vacuum").scalar_one() != _INCREMENTAL:
            return False
        before = _free_pages(connection, file)
        # Python's driver takes one step of a statement without columns, which frees one page: asked
        # for more at once, it leaves the rest.
        for _ in range(min(before, _PAGES)):
            connection.exec_driver_sql(f"PRAGMA {file}.incremental_vacuum(1)")
        return 0 < _free_pages(connection, file) < before


def overwrite_deleted(connection: sa.Connection, database: Database) -> None:
    """Overwrite with zeros what this connection deletes from here on (SQLite)."""
    if database.keeps_files:
        for file in _FILES:
            connection.exec_driver_sql(f"PRAGMA {file}.secure_delete = ON").fetchall()


def compact_database(database: Database) -> None:
    """Write the files of a database anew without what is free in them; takes time and room.

    No page that was there before stays in the file or its log. PostgreSQL makes the room of old
    rows free for new ones.
    """
    if not database.keeps_files:
        with database.writer.connect() as plain:
            connection = plain.execution_options(isolation_level="AUTOCOMMIT")
            for name in metadata.tables:
                connection.exec_driver_sql(f"VACUUM {name}")
        return
    with database.begin() as connection:
        connection.exec_driver_sql("COMMIT")  # VACUUM does not work within a transaction
        for file in _FILES:
            connection.exec_driver_sql(f"VACUUM {file}")
        connection.exec_driver_sql("BEGIN")
    truncate_logs(database)


def truncate_logs(database: Database) -> None:
    """Write what stands in the logs of a SQLite database into its files, and empty them."""
    if database.keeps_files:
        with database.begin() as connection:
            connection.exec_driver_sql("COMMIT")
            for file in _FILES:
                connection.exec_driver_sql(f"PRAGMA {file}.wal_checkpoint(TRUNCATE)").fetchall()
            connection.exec_driver_sql("BEGIN")


#: Kinds of events that stay for ever: by the first the daemon knows which ticks are owed, the
#: second says that an answer was refused.
FOR_EVER = ("schedule_changed", "fenced")
#: Rows that are taken away in one transaction.
PORTION = 1_000

_OF_A_RUN = re.compile(r"(?:lane:.+:)?run:([0-9]{1,18})")
_FREE_FOR = timedelta(days=1)
_UNSEEN_FOR = timedelta(days=1)
_RESOLVED_FOR = timedelta(days=365)
_PAST_FOR = timedelta(days=2 * 365)


def drop_turns(connection: sa.Connection, after: str) -> tuple[str, int] | None:
    """Forget turns of runs that have ended, which nobody has had for a day.

    Looks at the next portion of names behind one; (the last name, how many went), None at the end.
    The token of a turn begins anew when it is taken again: who lost it is told so by its holder.
    """
    before = read_clock(connection) - _FREE_FOR
    free = leases.c.until <= before
    query = sa.select(leases.c.name).where(
        leases.c.name > after, free, leases.c.name.like("%run:%")
    )
    names = connection.execute(query.order_by(leases.c.name).limit(PORTION)).scalars().all()
    if not names:
        return None
    of = {name: int(match[1]) for name in names if (match := _OF_A_RUN.fullmatch(name))}
    at_work = set(connection.execute(_AT_WORK, {"some": list(of.values())}).scalars())
    gone = [name for name, run_id in of.items() if run_id not in at_work]
    # asked again, because it may have been taken since
    went = connection.execute(sa.delete(leases).where(leases.c.name.in_(gone), free))
    return names[-1], int(went.rowcount)


_AT_WORK = sa.select(runs.c.id).where(
    runs.c.id.in_(sa.bindparam("some", expanding=True)),
    runs.c.state.in_([str(RunState.RUNNING), str(RunState.INTERRUPTED)])
    | sa.exists().where(tasks.c.run_id == runs.c.id, tasks.c.state == str(TaskState.OPEN)),
)


def drop_processes(connection: sa.Connection, now: datetime) -> int:
    """Forget daemons and workers that nobody has heard of for a day: they were killed."""
    return _delete_old(connection, processes.c.name, processes.c.seen_at < now - _UNSEEN_FOR)


def drop_alarms(connection: sa.Connection, now: datetime) -> int:
    """Forget alarms that were resolved more than a year ago; one that stands stays."""
    return _delete_old(connection, alarms.c.id, alarms.c.resolved_at < now - _RESOLVED_FOR)


def drop_events(connection: sa.Connection, now: datetime) -> int:
    """Forget events of more than two years ago, but those that count for ever."""
    past = (events.c.at < now - _PAST_FOR) & events.c.kind.not_in(FOR_EVER)
    return _delete_old(connection, events.c.id, past)


def _delete_old(connection: sa.Connection, key: sa.Column[Any], old: sa.ColumnElement[bool]) -> int:
    """Delete at most a portion of old rows; return how many were deleted."""
    old_keys = connection.execute(sa.select(key).where(old).order_by(key).limit(PORTION)).scalars()
    if not (keys := old_keys.all()):
        return 0
    return int(connection.execute(sa.delete(key.table).where(key.in_(keys), old)).rowcount)
