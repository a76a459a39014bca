"""Gives room in the database back: what is free inside its files, and how to give it back."""

from time import sleep

import sqlalchemy as sa

from monitor.store.database import Database
from monitor.store.schema import PEOPLE, metadata

_FILES = ("main", PEOPLE)
#: Pages that are freed in one transaction, and the seconds after it in which others can write.
_PAGES = 2_000
_BREATH = 0.05
_INCREMENTAL = 2  # a file that shrinks when it is told to


def free_bytes(connection: sa.Connection, database: Database) -> int:
    """Bytes inside the files of a SQLite database that hold nothing; 0 for PostgreSQL."""
    if not database.keeps_files:
        return 0
    return sum(_free(connection, file) for file in _FILES)


def _free(connection: sa.Connection, file: str) -> int:
    size = connection.exec_driver_sql(f"PRAGMA {file}.page_size").scalar_one()
    return _free_pages(connection, file) * int(size)


def _free_pages(connection: sa.Connection, file: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {file}.freelist_count").scalar_one())


def give_back(database: Database) -> None:
    """Free pages at the end of a SQLite file that was made to shrink (`auto_vacuum`).

    A portion at a time, so that others can write in between. Files that were not made so stay as
    large as they are; new rows go into the free pages.
    """
    if database.keeps_files:
        for file in _FILES:
            while _gave_back(database, file):
                sleep(_BREATH)


def _gave_back(database: Database, file: str) -> bool:
    """Free some pages in one transaction; True while there are more."""
    with database.begin() as connection:
        if connection.exec_driver_sql(f"PRAGMA {file}.auto_vacuum").scalar_one() != _INCREMENTAL:
            return False
        before = _free_pages(connection, file)
        # Python's driver takes one step of a statement without columns, which frees one page: asked
        # for more at once, it leaves the rest.
        for _ in range(min(before, _PAGES)):
            connection.exec_driver_sql(f"PRAGMA {file}.incremental_vacuum(1)")
        return 0 < _free_pages(connection, file) < before


def secure(connection: sa.Connection, database: Database) -> None:
    """From here on, what is deleted on this connection is written over with zeros (SQLite)."""
    if database.keeps_files:
        for file in _FILES:
            connection.exec_driver_sql(f"PRAGMA {file}.secure_delete = ON").fetchall()


def compact(database: Database) -> None:
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
