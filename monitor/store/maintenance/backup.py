"""Copy a database while it is written to, and put a copy back.

SQLite is copied here, both files as they were at one instant. PostgreSQL is copied by its own
programs, from an exported snapshot.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

import sqlalchemy as sa
from psycopg.conninfo import make_conninfo
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from monitor import __version__
from monitor.model import InvalidInput, StoreProblem
from monitor.store import migrations
from monitor.store.collect import bodies
from monitor.store.database import SECRETS, Connection, Database, people_file
from monitor.store.maintenance import backup_folder as files
from monitor.store.maintenance.backup_folder import BackupBodies, BackupManifest, Progress
from monitor.store.schema import PEOPLE, metadata

MAIN, PEOPLE_FILE = "monitor.db", "monitor-people.db"
#: Shows how far something has come: by what is counted, a callback that is told how many.
Counting: TypeAlias = Callable[[str], AbstractContextManager[Progress]]

_PAGES = 4_096
_BUSY = 30.0
#: So often a copy is begun again because answers were taken away while it was made.
_TRIES = 5
_PARTS = {"main": MAIN, PEOPLE: PEOPLE_FILE}


def read_revision(database: Database) -> str:
    """Return the schema revision of a database, which may be older than ours."""
    current = migrations.read_revisions(database)[0] if database.is_there else None
    if current is None:
        raise StoreProblem(f"{database.place}: no monitor database here yet; nothing to back up")
    return current


# --- SQLite ---------------------------------------------------------------------------------------


def copy_sqlite(
    database: Database, target: Path, folder: Path, now: datetime, counting: Counting
) -> tuple[BackupManifest, BackupBodies]:
    """Copy both files into `made`, and the answers that they name into `folder`.

    Whoever writes goes on; what is written meanwhile is not in the copy. Raises StoreProblem.
    """
    revision = read_revision(database)
    file = Path(str(database.writer.url.database))
    for _ in range(_TRIES):
        with counting("pages of the database") as progress:
            _copy_files(file, target, progress)
        with closing(sqlite3.connect(target / MAIN)) as copy, counting("answers") as progress:
            counts = _count_copied_rows(copy, target / PEOPLE_FILE)
            copied = files.copy_bodies(database.bodies, folder, _list_large_bodies(copy), progress)
        if not _was_removed_meanwhile(database, copied.gone):
            break
    else:
        raise StoreProblem(f"{database.place}: answers are being taken away; try again after that")
    files.write_body_list(target, copied)
    manifest = BackupManifest(
        kind="sqlite",
        version=__version__,
        schema=revision,
        made_at=now.isoformat(),
        counts=counts,
        files={
            name: files.measure_file(target / name) for name in (MAIN, PEOPLE_FILE, files.BODY_LIST)
        },
        bodies=len(copied.digests),
        body_bytes=copied.size,
        unusable=tuple(sorted((*copied.gone, *copied.damaged))),
    )
    return manifest, copied


def _open_file(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_BUSY, isolation_level=None)
    people_path = people_file(sa.URL.create("sqlite", database=str(file)))
    connection.execute("ATTACH DATABASE ? AS people", (people_path,))
    return connection


@contextmanager
def _open_snapshot(file: Path) -> Iterator[sqlite3.Connection]:
    """Return a reader that sees both files as they were at one instant.

    A transaction over two files is not one instant for readers of both; so nobody may write for as
    long as it takes to begin reading.
    """
    with closing(_open_file(file)) as reader, closing(_open_file(file)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        try:
            reader.execute("BEGIN")
            for part in _PARTS:
                reader.execute(f"SELECT COUNT(*) FROM {part}.sqlite_master").fetchone()  # noqa: S608
        finally:
            writer.execute("ROLLBACK")
        yield reader


def _copy_files(file: Path, target: Path, progress: Progress) -> None:
    try:
        with _open_snapshot(file) as reader:
            for part, name in _PARTS.items():
                (target / name).unlink(missing_ok=True)
                with closing(
                    sqlite3.connect(files.create_private_file(target / name), isolation_level=None)
                ) as copy:
                    reader.backup(
                        copy,
                        pages=_PAGES,
                        name=part,
                        progress=lambda _status, remaining, total: progress(total - remaining),
                    )
                    _finish_copy(copy, file)
    except sqlite3.Error as error:
        raise StoreProblem(f"{file}: cannot be copied: {error}") from error


def _finish_copy(copy: sqlite3.Connection, file: Path) -> None:
    """Make one sound file of a copy, without a log beside it."""
    copy.execute("PRAGMA journal_mode = DELETE")
    [(verdict,), *_] = copy.execute("PRAGMA quick_check").fetchall()
    if verdict != "ok":
        raise StoreProblem(f"{file}: is damaged: {verdict}; restore an earlier backup")


def _list_large_bodies(copy: sqlite3.Connection) -> Iterable[tuple[str, int]]:
    """Return (digest, size) of the answers that are files beside the database."""
    columns = {row[1] for row in copy.execute("PRAGMA table_info(bodies)")}
    condition = " AND removed_at IS NULL" if "removed_at" in columns else ""
    query = f"SELECT sha256, size FROM bodies WHERE content IS NULL{condition} ORDER BY sha256"  # noqa: S608
    return copy.execute(query)


def _was_removed_meanwhile(database: Database, gone: Iterable[str]) -> bool:
    """Return whether an answer was removed after the copy of its row was made."""
    names = [f"{sha256}{bodies.SUFFIX}" for sha256 in gone]
    if not names:
        return False
    with database.read() as connection:
        column_names = {column["name"] for column in sa.inspect(connection).get_columns("bodies")}
        return "removed_at" in column_names and bool(bodies.find_orphans(connection, names))


def _count_copied_rows(copy: sqlite3.Connection, people: Path) -> dict[str, int]:
    copy.execute("ATTACH DATABASE ? AS people", (str(people),))
    counts = {}
    for table in metadata.sorted_tables:
        schema = table.schema or "main"
        query = f"SELECT 1 FROM {schema}.sqlite_master WHERE type = 'table' AND name = ?"  # noqa: S608
        if copy.execute(query, (table.name,)).fetchone():
            count = f"SELECT COUNT(*) FROM {schema}.{table.name}"  # noqa: S608
            counts[table.fullname] = int(copy.execute(count).fetchone()[0])
    return counts


def restore_sqlite(backup: Path, file: Path, folder: Path, counting: Counting) -> BackupManifest:
    """Put a checked backup where no database is. `folder` is that of the large answers.

    Raises StoreProblem where anything is there already, or the backup is damaged.
    """
    people_path = file.with_name(f"{file.stem}-people{file.suffix}")
    for path in (
        file,
        people_path,
        *(path.with_name(f"{path.name}-wal") for path in (file, people_path)),
    ):
        if path.exists():
            raise StoreProblem(f"{path}: is there already; restore into an empty folder")
    if folder.exists() and next(folder.glob("*/*"), None):
        raise StoreProblem(f"{folder}: holds answers already; restore into an empty folder")
    with counting("answers checked") as progress:
        manifest = files.check_backup(backup, progress)
    created: list[Path] = []
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with counting("answers restored") as progress:
            for done, sha256 in enumerate(files.read_body_list(backup), 1):
                goal = folder / sha256[:2] / f"{sha256}{bodies.SUFFIX}"
                goal.parent.mkdir(parents=True, exist_ok=True)
                created.append(goal)
                shutil.copyfile(files.body_file(backup, sha256), goal)
                progress(done)
        created.append(people_path)
        shutil.copyfile(backup / PEOPLE_FILE, files.create_private_file(people_path))
        # the database comes last: before it there is none here
        partial = file.with_name(f"{file.name}.restoring")
        created += [partial, file]
        shutil.copyfile(backup / MAIN, partial)
        os.sync()
        partial.rename(file)
    except BaseException as error:
        for path in created:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise StoreProblem(f"{file.parent}: cannot restore: {error}") from error
        raise
    return manifest


# --- both -----------------------------------------------------------------------------------------


def count_rows(connection: Connection) -> dict[str, int]:
    """Return {table: rows} of our tables, as far as the database has them."""
    inspector = sa.inspect(connection)
    counts = {}
    for table in metadata.sorted_tables:
        if inspector.has_table(table.name, table.schema):
            count = sa.select(sa.func.count()).select_from(
                sa.table(table.name, schema=table.schema)
            )
            counts[table.fullname] = int(connection.execute(count).scalar_one())
    return counts


def find_database_file(url: str) -> Path:
    """Return the file of a SQLite database."""
    return Path(str(make_url(url).database))


def has_current_schema(database: Database, revision: str) -> bool:
    """Return whether a restored database needs no upgrade."""
    return migrations.read_revisions(database)[1] == revision


def require_counts(database: Database, expected: Mapping[str, int]) -> None:
    """Raise StoreProblem unless every table has as many rows as the manifest says."""
    with database.read() as connection:
        actual = count_rows(connection)
    for name, n in expected.items():
        if actual.get(name) != n:
            raise StoreProblem(
                f"{database.place}: {name} has {actual.get(name, 0):,} rows, the backup {n:,}"
            )


DUMP = "database.dump"
#: Schemas that are ours; of the last only the tables, as what waits is planned anew.
SCHEMAS = ("public", PEOPLE, "procrastinate")
WITHOUT_ROWS = "procrastinate.*"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address of a PostgreSQL server for its own programs, without the password."""

    conninfo: str
    password: str
    place: str


def find_server(database: Database) -> ServerAddress:
    """Return how to reach a database on a server.

    Raises InvalidInput where its URL has secrets that can be handed over on a command line only.
    """
    _, arguments = database.writer.dialect.create_connect_args(database.writer.url)
    password = str(arguments.pop("password", "") or "")
    arguments.pop("context", None)
    if secret := next((name for name in SECRETS if name in arguments), ""):
        raise InvalidInput(
            f"{database.place}: {secret} can be handed to PostgreSQL's programs on a command line "
            "only, where everybody on this machine can read it; name a way in without it"
        )
    return ServerAddress(make_conninfo(**arguments), password, database.place)


def refuse_password(url: str) -> None:
    """Raise InvalidInput where a URL that stands on a command line has a password."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise InvalidInput("--into: is no URL of a database") from None
    if parsed.password or any(name in parsed.query for name in SECRETS):
        raise InvalidInput(
            "--into: a password on a command line can be read by everybody on this machine; put "
            "it into ~/.pgpass or PGPASSWORD, or the whole URL into MONITOR_DATABASE_URL"
        )


@contextmanager
def export_snapshot(database: Database, now: datetime) -> Iterator[tuple[str, BackupManifest]]:
    """Return (name of a snapshot for PostgreSQL's own programs, what is in it), while it lasts."""
    revision = read_revision(database)
    with database.read() as connection:
        name = str(connection.execute(sa.text("SELECT pg_export_snapshot()")).scalar_one())
        counts = count_rows(connection)
        yield name, BackupManifest("postgresql", __version__, revision, now.isoformat(), counts, {})


def require_empty(database: Database) -> None:
    """Raise StoreProblem unless a database on a server has nothing in it."""
    query = """
        SELECT COUNT(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
          AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    """
    with database.read() as connection:
        n = int(connection.execute(sa.text(query)).scalar_one())
    if n:
        raise StoreProblem(
            f"{database.place}: is not empty ({n} tables and views); restore into a new database"
        )
