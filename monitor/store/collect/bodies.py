"""Raw answers, by the digest of their content: compressed in a row or as a file.

Up to 4 KiB compressed are in the row. Larger ones are files beside a SQLite database and rows in
PostgreSQL, where workers on other machines must see them. Of a removed body digest and size stay,
with the time and the reason.
"""

import errno
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa
import zstandard

from monitor.model import BodyRemoved, InvalidInput, StoreFull, StoreProblem
from monitor.store import rows
from monitor.store.database import Database
from monitor.store.schema import bodies
from monitor.whole_files import PRIVATE, write_whole

INLINE_LIMIT = 4096
SUFFIX = ".zst"
_LEVEL = 9
_AT_ONCE = 500
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class RemovalReason(StrEnum):
    """The reason for removing a body."""

    RETENTION = "retention"  # every reference to it was past its time
    ERASED = "erased"  # at somebody's request; it does not come back


def locate_body(folder: Path, sha256: str) -> Path:
    """Return where the file of a large body is in a folder of them."""
    return folder / sha256[:2] / f"{sha256}{SUFFIX}"


def find_body_file(database: Database, sha256: str) -> Path:
    """Return where the file of a large body is, beside a SQLite database."""
    return locate_body(database.bodies, sha256)


def _holds_body(path: Path, body: bytes) -> bool:
    """Return whether a file exists and holds a body."""
    try:
        packed = path.read_bytes()
        return zstandard.ZstdDecompressor().decompress(packed, max_output_size=len(body)) == body
    except (OSError, zstandard.ZstdError):
        return False


def store_bodies(
    connection: sa.Connection, database: Database, new_bodies: Sequence[tuple[bytes, str, datetime]]
) -> list[int | None]:
    """Store each (body, retention, time) once; its row's id, or None for an empty body.

    Raises StoreProblem when the folder of large bodies cannot be written.
    """
    digests = [hashlib.sha256(body).hexdigest() if body else "" for body, _, _ in new_bodies]
    by_digest = {
        sha256: new_body for sha256, new_body in zip(digests, new_bodies, strict=True) if sha256
    }
    stored_ids = _find_ids(connection, list(by_digest))
    _restore_bodies(connection, database, stored_ids, by_digest)
    ids = {sha256: int(row.id) for sha256, row in stored_ids.items()}
    # always in one order: two that insert the same at once would wait for each other (PostgreSQL)
    new = sorted(sha256 for sha256 in by_digest if sha256 not in ids)
    content = [_make_row(database, sha256, *by_digest[sha256]) for sha256 in new]
    if content:
        rows.insert_ignore(connection, bodies, content)
        # who was faster may have taken a body away again by now
        late = _find_ids(connection, [str(row["sha256"]) for row in content])
        _restore_bodies(connection, database, late, by_digest)
        ids |= {sha256: int(row.id) for sha256, row in late.items()}
    return [ids[sha256] if sha256 else None for sha256 in digests]


def store_body(
    connection: sa.Connection, database: Database, body: bytes, retention: str, now: datetime
) -> int | None:
    """Store one body; see `store_bodies`."""
    return store_bodies(connection, database, [(body, retention, now)])[0]


def store_bodies_with_ids(
    connection: sa.Connection,
    database: Database,
    stored_bodies: Sequence[tuple[int, str, bytes, datetime]],
) -> None:
    """Store (id, digest, answer, time) under the ids that they had in another database.

    Raises InvalidInput for bytes that are not those of their digest, or an id that is taken.
    """
    content = []
    for number, sha256, body, stored_at in stored_bodies:
        if hashlib.sha256(body).hexdigest() != sha256:
            raise InvalidInput(f"answer {number}: its bytes are not those of its digest {sha256}")
        content.append({"id": number, **_make_row(database, sha256, body, "answer", stored_at)})
    if not content:
        return
    try:
        connection.execute(sa.insert(bodies), content)
    except sa.exc.IntegrityError as error:
        raise InvalidInput(f"answers that do not fit together: {error.orig}") from error


_KNOWN = (
    sa.select(
        bodies.c.id,
        bodies.c.sha256,
        bodies.c.removed_at,
        bodies.c.removed_because,
        bodies.c.content.is_(None).label("is_outside"),
    )
    .where(bodies.c.sha256.in_(sa.bindparam("wanted", expanding=True)))
    .order_by(bodies.c.sha256)
    # nobody takes away a body between here and the row that will name it (PostgreSQL)
    .with_for_update(read=True, key_share=True)
)


def _find_ids(connection: sa.Connection, digests: Sequence[str]) -> dict[str, Any]:
    if not digests:
        return {}
    return {row.sha256: row for row in connection.execute(_KNOWN, {"wanted": digests})}


def _restore_bodies(
    connection: sa.Connection,
    database: Database,
    stored: Mapping[str, Any],
    new_bodies: Mapping[str, tuple[bytes, str, datetime]],
) -> None:
    """Store again what was removed, or is missing or damaged in the folder, by digest."""
    for sha256, row in stored.items():
        body, retention, now = new_bodies[sha256]
        if row.removed_at is None and row.is_outside:
            if not _holds_body(find_body_file(database, row.sha256), body):
                _make_row(database, row.sha256, body, retention, now)
            continue
        # What was erased stays away: the same bytes hold the same name and picture, and who asked
        # for them to be taken away did not ask for one day. The new answer names the tombstone.
        if row.removed_at is None or row.removed_because == RemovalReason.ERASED:
            continue
        values = _make_row(database, row.sha256, body, retention, now)
        values |= {"removed_at": None, "removed_because": ""}
        connection.execute(sa.update(bodies).where(bodies.c.id == row.id).values(values))


def _make_row(
    database: Database, sha256: str, body: bytes, retention: str, now: datetime
) -> dict[str, object]:
    packed = zstandard.ZstdCompressor(level=_LEVEL).compress(body)
    outside = database.keeps_files and len(packed) > INLINE_LIMIT
    if outside:
        try:
            path = find_body_file(database, sha256)
            if not path.exists() or path.read_bytes() != packed:
                with write_whole(path, PRIVATE) as file:
                    file.write(packed)
        except OSError as error:
            # without room it is waited for, as where the database itself has none
            problem = StoreFull if error.errno in _NO_ROOM else StoreProblem
            raise problem(f"{database.bodies}: cannot keep an answer there: {error}") from error
    return {
        "sha256": sha256,
        "size": len(body),
        "encoding": "zstd",
        "content": None if outside else packed,
        "retention": retention,
        "stored_at": now,
    }


def read_body(connection: sa.Connection, database: Database, body_id: int | None) -> bytes:
    """Return the body as it came. Raises BodyRemoved where it was taken away.

    Raises StoreProblem when it is gone or its digest does not match.
    """
    if body_id is None:
        return b""
    row = connection.execute(sa.select(bodies).where(bodies.c.id == body_id)).one()
    return _unpack_row(database, row)


def read_bodies(
    connection: sa.Connection, database: Database, body_ids: Iterable[int]
) -> Iterator[tuple[int, bytes]]:
    """Yield (id, body) of many bodies, in few statements. Raises as `read_body` does."""
    pending_ids = iter(dict.fromkeys(body_ids))
    while part := list(islice(pending_ids, _AT_ONCE)):
        for row in connection.execute(sa.select(bodies).where(bodies.c.id.in_(part))):
            yield int(row.id), _unpack_row(database, row)


def _unpack_row(database: Database, row: Any) -> bytes:  # noqa: ANN401 - a row of bodies
    if row.removed_at is not None:
        raise BodyRemoved(
            f"answer {row.sha256} was {describe_removal(row.removed_at, row.removed_because)}"
        )
    packed = row.content
    if packed is None:
        try:
            packed = find_body_file(database, row.sha256).read_bytes()
        except OSError as error:
            raise StoreProblem(f"answer {row.sha256} cannot be read: {error.strerror}") from error
    try:
        body = zstandard.ZstdDecompressor().decompress(packed, max_output_size=row.size)
    except zstandard.ZstdError as error:
        raise StoreProblem(f"answer {row.sha256} is damaged: {error}") from error
    if hashlib.sha256(body).hexdigest() != row.sha256:
        raise StoreProblem(f"answer {row.sha256} is damaged: its digest does not match")
    return body


def describe_removal(removed_at: datetime | None, because: str | None) -> str:
    """Return when and why a body was taken away, in words; empty for one that is there."""
    return f"removed on {removed_at:%Y-%m-%d} ({because})" if removed_at else ""


def remove_bodies(
    connection: sa.Connection,
    database: Database,
    body_ids: Sequence[int],
    because: RemovalReason,
    now: datetime,
) -> list[str]:
    """Take the content of bodies away; digest and size stay.

    Returns the digests of those whose files are to be deleted after the commit (`delete_files`).
    """
    digests: list[str] = []
    for part in rows.split_values(body_ids, _AT_ONCE):
        is_in_part = bodies.c.id.in_(part)
        if database.keeps_files:
            outside = sa.select(bodies.c.sha256).where(is_in_part, bodies.c.content.is_(None))
            digests += connection.execute(outside).scalars()
        change = sa.update(bodies).where(is_in_part)
        connection.execute(
            change.values(content=None, removed_at=now, removed_because=str(because))
        )
    return digests


def delete_files(connection: sa.Connection, database: Database, digests: Sequence[str]) -> int:
    """Delete the files of bodies that were taken away; returns how many there were.

    Within a transaction that writes: SQLite has one writer, so nobody can bring a body back between
    the question whether it is still away and the end of its file.
    """
    gone = 0
    for digest_part in rows.split_values(digests, _AT_ONCE):
        for sha256 in set(digest_part) - _find_living_digests(connection, digest_part):
            path = find_body_file(database, sha256)
            gone += path.exists()
            path.unlink(missing_ok=True)
    return gone


def _find_living_digests(connection: sa.Connection, digests: Sequence[str]) -> set[str]:
    query = sa.select(bodies.c.sha256).where(
        bodies.c.sha256.in_(digests), bodies.c.removed_at.is_(None), bodies.c.content.is_(None)
    )
    return set(connection.execute(query).scalars())


def find_orphans(connection: sa.Connection, names: Sequence[str]) -> list[str]:
    """Return which of some file names of the folder of bodies belong to no living body."""
    living: set[str] = set()
    digests = [name.removesuffix(SUFFIX) for name in names]
    for part in rows.split_values(digests, _AT_ONCE):
        living |= _find_living_digests(connection, part)
    return [name for name, digest in zip(names, digests, strict=True) if digest not in living]


def list_body_ids(connection: sa.Connection) -> list[int]:
    """Return ids of every stored body."""
    query = sa.select(bodies.c.id).order_by(bodies.c.id)
    return [int(number) for number in connection.execute(query).scalars()]
