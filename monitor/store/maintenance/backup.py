"""Copy a database while it is written to, and put a copy back.

Backups are sub-folders of one folder, which share the files of answers. SQLite is copied here, both
files as they were at one instant. PostgreSQL is copied by its own programs, from a snapshot.
"""

import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

import sqlalchemy as sa
import zstandard
from psycopg.conninfo import make_conninfo
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from monitor import __version__
from monitor.input_files import hash_file, load_json
from monitor.model import InvalidInput, StoreProblem, digest
from monitor.store import migrations
from monitor.store.collect import bodies
from monitor.store.collect.bodies import SUFFIX, locate_body
from monitor.store.database import SECRETS, Connection, Database, people_file
from monitor.store.schema import PEOPLE, metadata

MANIFEST, BODIES, BODY_LIST = "manifest.json", "bodies", "bodies.sha256"
_FORMAT = 1
#: Stands in a folder of backups, so that nothing is ever pruned anywhere else; it is the lock too.
_MARK = ".monitor-backups"
_PARTIAL = ".partial-"
#: What the root of a disk has of its own.
_NOT_OURS = {"lost+found"}
_PRIVATE, _PRIVATE_FOLDER = 0o600, 0o700

Progress: TypeAlias = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """The content of a backup: database, time, and {file: (size, digest)}.

    `unusable` are the answers that were missing or damaged already when it was made.
    """

    kind: str  # sqlite, postgresql
    version: str
    schema: str
    made_at: str
    counts: Mapping[str, int]
    files: Mapping[str, tuple[int, str]]
    bodies: int = 0
    body_bytes: int = 0
    unusable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BackupBodies:
    """The files of answers in a backup: {digest of the answer: digest of its file}."""

    digests: Mapping[str, str]
    size: int
    copied: int
    gone: tuple[str, ...]  # there is no file
    damaged: tuple[str, ...]


# --- the folder -----------------------------------------------------------------------------------


@contextmanager
def create_backup(folder: Path, now: datetime) -> Iterator[Path]:
    """Return the folder of a new backup, not yet named. Raises StoreProblem."""
    with _lock_folder(folder):
        for path in folder.glob(f"{_PARTIAL}*"):  # of one that was cut off
            shutil.rmtree(path)
        name = f"{now:%Y-%m-%dT%H-%M-%S-%f}Z"
        if (folder / name).exists():
            raise StoreProblem(f"{folder / name}: is there already")
        partial = folder / f"{_PARTIAL}{name}"
        partial.mkdir(mode=_PRIVATE_FOLDER)
        try:
            yield partial
            os.sync()  # once for all files; a backup has to outlive a power cut
            partial.rename(folder / name)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    mark = folder / _MARK
    try:
        if not folder.exists():
            folder.mkdir(parents=True, mode=_PRIVATE_FOLDER)
        if not mark.exists() and {path.name for path in folder.iterdir()} - _NOT_OURS:
            raise InvalidInput(f"{folder}: holds other things; name a new or an empty folder")
        handle = os.open(mark, os.O_RDWR | os.O_CREAT, _PRIVATE)
    except OSError as error:
        raise StoreProblem(f"{folder}: cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreProblem(f"{folder}: another backup is being made there now") from None
        yield
    finally:
        os.close(handle)


def list_backups(folder: Path) -> list[Path]:
    """Return the whole backups of a folder, the oldest first."""
    backups = (path.parent for path in folder.glob(f"*/{MANIFEST}"))
    return sorted(path for path in backups if not path.name.startswith(_PARTIAL))


def find_backup(folder: Path) -> Path:
    """Return the backup that is meant: this folder, or the newest in it.

    Raises InvalidInput for a folder that is not there, StoreProblem for one without a backup.
    """
    if (folder / MANIFEST).is_file():
        return folder
    backups = list_backups(folder)
    if not backups:
        if not folder.exists():
            raise InvalidInput(f"{folder}: no such folder; name that of `monitor db backup FOLDER`")
        raise StoreProblem(f"{folder}: no backup is there; make one with `monitor db backup`")
    return backups[-1]


def prune_backups(folder: Path, keep: int) -> tuple[int, int]:
    """Remove all but the newest backups, and answers of none; how many of each were removed."""
    with _lock_folder(folder):
        old = list_backups(folder)[:-keep]
        for path in old:
            (path / MANIFEST).unlink()  # from here on it is none
            shutil.rmtree(path)
        used_digests = {sha256 for path in list_backups(folder) for sha256 in read_body_list(path)}
        unused = [
            path
            for path in (folder / BODIES).glob("*/*")
            if path.name.removesuffix(SUFFIX) not in used_digests
        ]
        for path in unused:
            path.unlink()
    return len(old), len(unused)


# --- files ----------------------------------------------------------------------------------------


def create_private_file(path: Path) -> Path:
    """Make an empty file that only its owner can read."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
    return path


def measure_file(path: Path) -> tuple[int, str]:
    """Return (size, digest) of a file."""
    return path.stat().st_size, hash_file(path)


def copy_bodies(
    source: Path,
    folder: Path,
    new_bodies: Iterable[tuple[str, int]],
    progress: Progress = lambda _done: None,
) -> BackupBodies:
    """Copy the files of (digest, size) of answers that `folder` does not have yet.

    They are copies, never links: what damages the one must not damage the other.
    """
    newest = {}  # others are copied again
    if backups := list_backups(folder):
        newest = read_body_list(backups[-1])
    digests: dict[str, str] = {}
    gone: list[str] = []
    damaged: list[str] = []
    size = copied = 0
    for done, (sha256, length) in enumerate(new_bodies, 1):
        goal = locate_body(folder / BODIES, sha256)
        is_there = sha256 in newest and goal.is_file()
        if not is_there:
            packed = None
            with suppress(FileNotFoundError):
                packed = locate_body(source, sha256).read_bytes()
            if packed is None or not _is_whole(packed, sha256, length):
                (gone if packed is None else damaged).append(sha256)
                continue
            _write_file(goal, packed)
            copied += 1
        digests[sha256] = newest[sha256] if is_there else hashlib.sha256(packed or b"").hexdigest()
        size += goal.stat().st_size
        progress(done)
    return BackupBodies(digests, size, copied, tuple(gone), tuple(damaged))


def _is_whole(packed: bytes, sha256: str, size: int) -> bool:
    """Return whether this is the answer with this digest; unpacks no more than its size."""
    try:
        if zstandard.frame_content_size(packed) != size:
            return False
        body = zstandard.ZstdDecompressor().decompress(packed, max_output_size=size)
    except zstandard.ZstdError:
        return False
    return hashlib.sha256(body).hexdigest() == sha256


def _write_file(goal: Path, content: bytes) -> None:
    for part in (goal.parent.parent, goal.parent):
        part.mkdir(exist_ok=True, mode=_PRIVATE_FOLDER)
    handle, temporary = tempfile.mkstemp(dir=goal.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(temporary).replace(goal)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_body_list(backup: Path, bodies: BackupBodies) -> None:
    """Write which files of answers belong to a backup, as `sha256sum --check` reads it."""
    with create_private_file(backup / BODY_LIST).open("w", encoding="ascii") as file:
        for sha256, packed in bodies.digests.items():
            file.write(f"{packed}  {sha256[:2]}/{sha256}{SUFFIX}\n")


def read_body_list(backup: Path) -> dict[str, str]:
    """Return {digest of the answer: digest of its file} of a backup. Raises StoreProblem."""
    path = backup / BODY_LIST
    if not path.exists():
        return {}
    bodies = {}
    for line in path.read_text("ascii", "replace").splitlines():
        packed, _, name = line.partition("  ")
        sha256 = name[3:].removesuffix(SUFFIX)
        if len(packed) != len(sha256) or not sha256.isalnum():
            raise StoreProblem(f"{path}: is damaged: {line[:80]!r} is no line of it")
        bodies[sha256] = packed
    return bodies


# --- the manifest ---------------------------------------------------------------------------------


def write_manifest(backup: Path, manifest: BackupManifest) -> None:
    """Write the manifest, with its own digest."""
    content: dict[str, Any] = {"format": _FORMAT, **asdict(manifest)}
    content["files"] = {name: list(measured) for name, measured in manifest.files.items()}
    content["unusable"] = list(manifest.unusable)
    content["sha256"] = digest(content)
    text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    create_private_file(backup / MANIFEST).write_text(text, encoding="utf-8")


def read_manifest(backup: Path) -> BackupManifest:
    """Return the manifest of a backup. Raises StoreProblem where it is not as it was written."""
    path = backup / MANIFEST
    try:
        content = load_json(path.read_text("utf-8"))
        expected = content.pop("sha256")
        if expected != digest(content):
            raise StoreProblem(f"{path}: is damaged: its digest does not match")
        version = content.pop("format")
        if version != _FORMAT:
            words = f"format {version} is unknown here; use a newer version of monitor"
            raise StoreProblem(f"{path}: {words}")
        files = {name: (int(size), str(hash_)) for name, (size, hash_) in content["files"].items()}
        return BackupManifest(**{**content, "files": files, "unusable": tuple(content["unusable"])})
    except OSError as error:
        raise StoreProblem(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreProblem(f"{path}: is damaged: it is no manifest") from error


def check_backup(backup: Path, progress: Progress = lambda _done: None) -> BackupManifest:
    """Compare every file of a backup with its digest. Raises StoreProblem with the first fault."""
    manifest = read_manifest(backup)
    for name, expected in manifest.files.items():
        _check_file(backup / name, expected[1])
    listed = read_body_list(backup)
    if len(listed) != manifest.bodies:
        raise StoreProblem(
            f"{backup / BODY_LIST}: is damaged: {len(listed):,} answers, not {manifest.bodies:,}"
        )
    for done, (sha256, packed) in enumerate(listed.items(), 1):
        _check_file(body_file(backup, sha256), packed)
        progress(done)
    return manifest


def body_file(backup: Path, sha256: str) -> Path:
    """Return where a backup has the file of an answer."""
    return locate_body(backup.parent / BODIES, sha256)


def _check_file(path: Path, expected: str) -> None:
    try:
        actual = hash_file(path)
    except OSError as error:
        words = f"the backup is damaged: cannot be read: {error.strerror}"
        raise StoreProblem(f"{path}: {words}") from error
    if actual != expected:
        raise StoreProblem(f"{path}: the backup is damaged: sha256 {actual}, not {expected}")


# --- copies ---------------------------------------------------------------------------------------

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
            copied = copy_bodies(database.bodies, folder, _list_large_bodies(copy), progress)
        if not _was_removed_meanwhile(database, copied.gone):
            break
    else:
        raise StoreProblem(f"{database.place}: answers are being taken away; try again after that")
    write_body_list(target, copied)
    manifest = BackupManifest(
        kind="sqlite",
        version=__version__,
        schema=revision,
        made_at=now.isoformat(),
        counts=counts,
        files={name: measure_file(target / name) for name in (MAIN, PEOPLE_FILE, BODY_LIST)},
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
                path = create_private_file(target / name)
                with closing(sqlite3.connect(path, isolation_level=None)) as copy:
                    reader.backup(
                        copy,
                        pages=_PAGES,
                        name=part,
                        progress=lambda _status, remaining, total: progress(total - remaining),
                    )
                    copy.execute("PRAGMA journal_mode = DELETE")  # no log beside it
                    [(verdict,), *_] = copy.execute("PRAGMA quick_check").fetchall()
                if verdict != "ok":
                    raise StoreProblem(f"{file}: is damaged: {verdict}; restore an earlier backup")
    except sqlite3.Error as error:
        raise StoreProblem(f"{file}: cannot be copied: {error}") from error


def _list_large_bodies(copy: sqlite3.Connection) -> Iterable[tuple[str, int]]:
    """Return (digest, size) of the answers that are files beside the database."""
    columns = {row[1] for row in copy.execute("PRAGMA table_info(bodies)")}
    condition = " AND removed_at IS NULL" if "removed_at" in columns else ""
    query = f"SELECT sha256, size FROM bodies WHERE content IS NULL{condition} ORDER BY sha256"  # noqa: S608
    return copy.execute(query)


def _was_removed_meanwhile(database: Database, gone: Iterable[str]) -> bool:
    """Return whether an answer was removed after the copy of its row was made."""
    names = [f"{sha256}{SUFFIX}" for sha256 in gone]
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
    logs = (path.with_name(f"{path.name}-wal") for path in (file, people_path))
    for path in (file, people_path, *logs):
        if path.exists():
            raise StoreProblem(f"{path}: is there already; restore into an empty folder")
    if folder.exists() and next(folder.glob("*/*"), None):
        raise StoreProblem(f"{folder}: holds answers already; restore into an empty folder")
    with counting("answers checked") as progress:
        manifest = check_backup(backup, progress)
    created: list[Path] = []
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with counting("answers restored") as progress:
            for done, sha256 in enumerate(read_body_list(backup), 1):
                goal = locate_body(folder, sha256)
                goal.parent.mkdir(parents=True, exist_ok=True)
                created.append(goal)
                shutil.copyfile(body_file(backup, sha256), goal)
                progress(done)
        created.append(people_path)
        shutil.copyfile(backup / PEOPLE_FILE, create_private_file(people_path))
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
            stored = sa.table(table.name, schema=table.schema)
            count = sa.select(sa.func.count()).select_from(stored)
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
