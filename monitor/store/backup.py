"""Copies a database while it is written to, and puts a copy back.

In goes an open database, out comes what a manifest says of it. SQLite is copied here, both files
as they were at one instant; of PostgreSQL this says from which snapshot its own tools shall copy.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

import sqlalchemy as sa
from sqlalchemy.engine import make_url

from monitor import __version__
from monitor.model import StoreProblem
from monitor.store import backup_files as files
from monitor.store import bodies, migrate
from monitor.store.backup_files import Kept, Manifest, Progress
from monitor.store.database import Connection, Database, people_file
from monitor.store.schema import PEOPLE, metadata

MAIN, PEOPLE_FILE = "monitor.db", "monitor-people.db"
#: Shows how far something has come: by what is counted, a callback that is told how many.
Counting: TypeAlias = Callable[[str], AbstractContextManager[Progress]]

_PAGES = 4_096
_BUSY = 30.0
#: So often a copy is begun again because answers were taken away while it was made.
_TRIES = 5
_PARTS = {"main": MAIN, PEOPLE: PEOPLE_FILE}


def revision_of(database: Database) -> str:
    """The schema of a database; copies are made of older ones too, before they are upgraded."""
    current = migrate.revisions(database)[0] if database.is_there else None
    if current is None:
        raise StoreProblem(f"{database.place}: no monitor database here yet; nothing to back up")
    return current


# --- SQLite ---------------------------------------------------------------------------------------


def copy_sqlite(
    database: Database, made: Path, folder: Path, now: datetime, counting: Counting
) -> tuple[Manifest, Kept]:
    """Copy both files into `made`, and the answers that they name into `folder`.

    Whoever writes goes on; what is written meanwhile is not in the copy. Raises StoreProblem.
    """
    revision = revision_of(database)
    file = Path(str(database.writer.url.database))
    for _ in range(_TRIES):
        with counting("pages of the database") as progress:
            _copy_files(file, made, progress)
        with closing(sqlite3.connect(made / MAIN)) as copy, counting("answers") as progress:
            counts = _counts(copy, made / PEOPLE_FILE)
            kept = files.keep_bodies(database.bodies, folder, _large(copy), progress)
        if not _removed_meanwhile(database, kept.gone):
            break
    else:
        raise StoreProblem(f"{database.place}: answers are being taken away; try again after that")
    files.write_body_list(made, kept)
    manifest = Manifest(
        kind="sqlite",
        version=__version__,
        schema=revision,
        made_at=now.isoformat(),
        counts=counts,
        files={name: files.facts(made / name) for name in (MAIN, PEOPLE_FILE, files.BODY_LIST)},
        bodies=len(kept.digests),
        body_bytes=kept.size,
        unusable=tuple(sorted((*kept.gone, *kept.damaged))),
    )
    return manifest, kept


def _opened(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_BUSY, isolation_level=None)
    beside = people_file(sa.URL.create("sqlite", database=str(file)))
    connection.execute("ATTACH DATABASE ? AS people", (beside,))
    return connection


@contextmanager
def _at_one_instant(file: Path) -> Iterator[sqlite3.Connection]:
    """A reader that sees both files as they were at one instant.

    A transaction over two files is not one instant for readers of both; so nobody may write for as
    long as it takes to begin reading.
    """
    with closing(_opened(file)) as reader, closing(_opened(file)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        try:
            reader.execute("BEGIN")
            for part in _PARTS:
                reader.execute(f"SELECT COUNT(*) FROM {part}.sqlite_master").fetchone()  # noqa: S608
        finally:
            writer.execute("ROLLBACK")
        yield reader


def _copy_files(file: Path, made: Path, progress: Progress) -> None:
    try:
        with _at_one_instant(file) as reader:
            for part, name in _PARTS.items():
                (made / name).unlink(missing_ok=True)
                with closing(
                    sqlite3.connect(files.private_file(made / name), isolation_level=None)
                ) as copy:
                    reader.backup(
                        copy,
                        pages=_PAGES,
                        name=part,
                        progress=lambda _status, left, total: progress(total - left),
                    )
                    _finish(copy, file)
    except sqlite3.Error as error:
        raise StoreProblem(f"{file}: cannot be copied: {error}") from error


def _finish(copy: sqlite3.Connection, file: Path) -> None:
    """One file without a log beside it, and sound."""
    copy.execute("PRAGMA journal_mode = DELETE")
    [(verdict,), *_] = copy.execute("PRAGMA quick_check").fetchall()
    if verdict != "ok":
        raise StoreProblem(f"{file}: is damaged: {verdict}; restore an earlier backup")


def _large(copy: sqlite3.Connection) -> Iterable[tuple[str, int]]:
    """(digest, size) of the answers that are files beside the database."""
    columns = {row[1] for row in copy.execute("PRAGMA table_info(bodies)")}
    there = " AND removed_at IS NULL" if "removed_at" in columns else ""
    query = f"SELECT sha256, size FROM bodies WHERE content IS NULL{there} ORDER BY sha256"  # noqa: S608
    return copy.execute(query)


def _removed_meanwhile(database: Database, gone: Iterable[str]) -> bool:
    """Whether an answer without a file was taken away after the copy of its row was made."""
    names = [f"{sha256}{bodies.SUFFIX}" for sha256 in gone]
    if not names:
        return False
    with database.read() as connection:
        known = {column["name"] for column in sa.inspect(connection).get_columns("bodies")}
        return "removed_at" in known and bool(bodies.orphans(connection, names))


def _counts(copy: sqlite3.Connection, people: Path) -> dict[str, int]:
    copy.execute("ATTACH DATABASE ? AS people", (str(people),))
    found = {}
    for table in metadata.sorted_tables:
        schema = table.schema or "main"
        query = f"SELECT 1 FROM {schema}.sqlite_master WHERE type = 'table' AND name = ?"  # noqa: S608
        if copy.execute(query, (table.name,)).fetchone():
            count = f"SELECT COUNT(*) FROM {schema}.{table.name}"  # noqa: S608
            found[table.fullname] = int(copy.execute(count).fetchone()[0])
    return found


def restore_sqlite(backup: Path, file: Path, folder: Path, counting: Counting) -> Manifest:
    """Put a checked backup where no database is. `folder` is that of the large answers.

    Raises StoreProblem where anything is there already, or the backup is damaged.
    """
    beside = file.with_name(f"{file.stem}-people{file.suffix}")
    for path in (file, beside, *(path.with_name(f"{path.name}-wal") for path in (file, beside))):
        if path.exists():
            raise StoreProblem(f"{path}: is there already; restore into an empty folder")
    if folder.exists() and next(folder.glob("*/*"), None):
        raise StoreProblem(f"{folder}: holds answers already; restore into an empty folder")
    with counting("answers checked") as progress:
        manifest = files.check(backup, progress)
    made: list[Path] = []
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with counting("answers restored") as progress:
            for done, sha256 in enumerate(files.body_list(backup), 1):
                goal = folder / sha256[:2] / f"{sha256}{bodies.SUFFIX}"
                goal.parent.mkdir(parents=True, exist_ok=True)
                made.append(goal)
                shutil.copyfile(files.body_file(backup, sha256), goal)
                progress(done)
        made.append(beside)
        shutil.copyfile(backup / PEOPLE_FILE, files.private_file(beside))
        # the database comes last: before it there is none here
        partial = file.with_name(f"{file.name}.restoring")
        made += [partial, file]
        shutil.copyfile(backup / MAIN, partial)
        os.sync()
        partial.rename(file)
    except BaseException as error:
        for path in made:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise StoreProblem(f"{file.parent}: cannot restore: {error}") from error
        raise
    return manifest


# --- both -----------------------------------------------------------------------------------------


def counted(connection: Connection) -> dict[str, int]:
    """{table: rows} of our tables, as far as the database has them."""
    inspector = sa.inspect(connection)
    found = {}
    for table in metadata.sorted_tables:
        if inspector.has_table(table.name, table.schema):
            count = sa.select(sa.func.count()).select_from(
                sa.table(table.name, schema=table.schema)
            )
            found[table.fullname] = int(connection.execute(count).scalar_one())
    return found


def file_of(url: str) -> Path:
    """The file of a SQLite database."""
    return Path(str(make_url(url).database))


def is_known(database: Database, revision: str) -> bool:
    """Whether a restored database has this version's schema; not: it is to be upgraded first."""
    return migrate.revisions(database)[1] == revision


def require_counts(database: Database, expected: Mapping[str, int]) -> None:
    """Raise StoreProblem unless every table has as many rows as the manifest says."""
    with database.read() as connection:
        found = counted(connection)
    for name, n in expected.items():
        if found.get(name) != n:
            raise StoreProblem(
                f"{database.place}: {name} has {found.get(name, 0):,} rows, the backup {n:,}"
            )
