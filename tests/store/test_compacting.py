"""Room inside a SQLite file is given back a portion at a time."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from monitor.store.maintenance import retention


@pytest.fixture
def shrinking(sqlite_database):
    """A database whose file was made to shrink, with three megabytes in it that hold nothing."""
    sqlite_database.close()
    file = sqlite_database.writer.url.database
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")
        connection.execute("CREATE TABLE filling (x BLOB)")
        connection.execute("INSERT INTO filling VALUES (zeroblob(3000000))")
        connection.execute("DROP TABLE filling")
    return sqlite_database


def free(database):
    with database.read() as connection:
        return retention.measure_unused(connection, database)


def test_all_of_it_is_given_back(shrinking):
    before = free(shrinking)
    assert before > 2_900_000
    retention.release_pages(shrinking)
    retention.truncate_logs(shrinking)
    assert free(shrinking) == 0
    assert Path(shrinking.writer.url.database).stat().st_size < 2_000_000


def test_others_can_write_between_two_portions(shrinking, monkeypatch):
    left = []

    def write(_seconds):
        with closing(
            sqlite3.connect(shrinking.writer.url.database, isolation_level=None, timeout=0)
        ) as other:
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        left.append(free(shrinking))

    monkeypatch.setattr(retention, "sleep", write)
    monkeypatch.setattr(retention, "_PAGES", 100)
    retention.release_pages(shrinking)
    assert len(left) >= 7
    assert left == sorted(left, reverse=True)
    assert free(shrinking) == 0


def test_a_file_that_was_not_made_to_shrink_stays_as_it_is(sqlite_database, monkeypatch):
    with sqlite_database.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE filling (x BLOB)")
        connection.exec_driver_sql("INSERT INTO filling VALUES (zeroblob(300000))")
        connection.exec_driver_sql("DROP TABLE filling")
    monkeypatch.setattr(retention, "sleep", lambda _: pytest.fail("asked again"))
    before = free(sqlite_database)
    retention.release_pages(sqlite_database)
    assert free(sqlite_database) == before > 200_000
