"""The files of a job as they stood when it was read: any machine can go on with its runs."""

import errno
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath

import sqlalchemy as sa

from monitor.jobs import Audit
from monitor.model import StoreFull, StoreProblem, digest
from monitor.store import rows
from monitor.store.collect import bodies, runs
from monitor.store.database import Database
from monitor.store.schema import bundle_files, bundles
from monitor.store.schema import runs as run_table

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def store_bundle(
    connection: sa.Connection, database: Database, audit: Audit, files: Mapping[str, bytes]
) -> int:
    """Return id of the bundle with these {path: content}, stored if there is none."""
    now = datetime.now(UTC)
    names = {path: sha256(content).hexdigest() for path, content in files.items()}
    key = digest([audit.job.name, audit.job.content_hash, sorted(names.items())])
    stored_id = connection.execute(sa.select(bundles.c.id).where(bundles.c.digest == key)).scalar()
    if stored_id is not None:
        return int(stored_id)
    rest = {
        "job_id": runs.ensure_job(connection, audit.job, now),
        "path": str(audit.path),
        "stored_at": now,
    }
    bundle_id = rows.get_or_insert(connection, bundles, {"digest": key}, rest)
    restore_bundle(connection, database, bundle_id, files)
    return bundle_id


@contextmanager
def unpack_bundle(connection: sa.Connection, database: Database, bundle_id: int) -> Iterator[Path]:
    """Return a folder with the files of a bundle, which goes away again. Raises StoreProblem.

    StoreFull where there is no room for them: that is no fault of the job, and is waited for.
    """
    query = sa.select(bundle_files).where(bundle_files.c.bundle_id == bundle_id)
    files = {}
    for row in connection.execute(query).all():
        relative = PurePosixPath(row.path)
        if relative.is_absolute() or ".." in relative.parts:
            raise StoreProblem(f"bundle {bundle_id}: {row.path!r} is no file of a job")
        files[relative] = bodies.read_body(connection, database, row.body_id)
    try:
        temporary = tempfile.TemporaryDirectory(prefix="monitor-job-", ignore_cleanup_errors=True)
    except OSError as error:
        raise _no_folder(error) from error
    with temporary as name:
        folder = Path(name)
        try:
            for relative, content in files.items():
                path = folder / relative
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        except OSError as error:
            raise _no_folder(error) from error
        yield folder


def _no_folder(error: OSError) -> StoreProblem:
    try:
        folder = tempfile.gettempdir()
    except OSError:
        folder = "temporary folder"
    if error.errno in _NO_ROOM:
        return StoreFull(f"{folder}: no room for the files of a job: {error.strerror}; make room")
    words = error.strerror or error
    return StoreProblem(
        f"{folder}: the files of a job cannot be written there: {words}; make it writable, or set "
        "TMPDIR to a folder that is"
    )


def find_job_path(connection: sa.Connection, bundle_id: int) -> Path:
    """Return where the job file of a bundle was read."""
    query = sa.select(bundles.c.path).where(bundles.c.id == bundle_id)
    return Path(str(connection.execute(query).scalar_one()))


@dataclass(frozen=True, slots=True)
class BundledFile:
    """One file of a bundle: its path beside the job file, and where its content is."""

    bundle_id: int
    path: str
    body_id: int


def list_bundled_files(connection: sa.Connection, run_ids: sa.Select[int]) -> list[BundledFile]:
    """Return the files of the bundles that some runs were begun with, in order."""
    query = (
        sa.select(bundle_files.c.bundle_id, bundle_files.c.path, bundle_files.c.body_id)
        .where(
            bundle_files.c.bundle_id.in_(
                sa.select(run_table.c.bundle_id).where(run_table.c.id.in_(run_ids))
            )
        )
        .order_by(bundle_files.c.bundle_id, bundle_files.c.path)
    )
    files_found = [BundledFile(*row) for row in connection.execute(query)]
    return sorted(files_found, key=lambda file: (file.bundle_id, file.path))


def restore_bundle(
    connection: sa.Connection, database: Database, bundle_id: int, files: Mapping[str, bytes]
) -> None:
    """Store the files of a bundle that is known already under its number."""
    now = datetime.now(UTC)
    body_ids = bodies.store_bodies(
        connection, database, [(file_content, "job", now) for file_content in files.values()]
    )
    content = [
        {"bundle_id": bundle_id, "path": path, "body_id": body_id}
        for path, body_id in zip(files, body_ids, strict=True)
    ]
    rows.insert_ignore(connection, bundle_files, content)
