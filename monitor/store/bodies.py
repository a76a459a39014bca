"""Raw answers, by the digest of their content: compressed in a row or as a file.

Up to 4 KiB compressed they stand in the row. Larger ones are files beside a SQLite database and
rows in PostgreSQL, where workers on other machines must see them.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa
import zstandard

from monitor.model import StoreProblem
from monitor.store import rows
from monitor.store.database import Database
from monitor.store.schema import bodies

INLINE_LIMIT = 4096
_LEVEL = 9
_AT_ONCE = 500


def _path(folder: Path, sha256: str) -> Path:
    return folder / sha256[:2] / f"{sha256}.zst"


def file_of(database: Database, sha256: str) -> Path:
    """Where the file of a large body is, beside a SQLite database."""
    return _path(database.bodies, sha256)


def _write_file(path: Path, content: bytes) -> None:
    """Write so that a crash leaves the whole file or none; a damaged file is replaced."""
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def put_all(
    connection: sa.Connection, database: Database, some: Sequence[tuple[bytes, str, datetime]]
) -> list[int | None]:
    """Store each (body, retention, time) once; its row's id, or None for an empty body.

    Raises StoreProblem when the folder of large bodies cannot be written.
    """
    digests = [hashlib.sha256(body).hexdigest() if body else "" for body, _, _ in some]
    wanted = {sha256: one for sha256, one in zip(digests, some, strict=True) if sha256}
    found = _ids(connection, list(wanted))
    content = [_row(database, sha256, *wanted[sha256]) for sha256 in wanted if sha256 not in found]
    if content:
        rows.insert_ignore(connection, bodies, content)
        found |= _ids(connection, [str(row["sha256"]) for row in content])
    return [found[sha256] if sha256 else None for sha256 in digests]


def put(
    connection: sa.Connection, database: Database, body: bytes, retention: str, now: datetime
) -> int | None:
    """Store one body; see `put_all`."""
    return put_all(connection, database, [(body, retention, now)])[0]


_KNOWN = sa.select(bodies.c.sha256, bodies.c.id).where(
    bodies.c.sha256.in_(sa.bindparam("wanted", expanding=True))
)


def _ids(connection: sa.Connection, digests: Sequence[str]) -> dict[str, int]:
    if not digests:
        return {}
    return {row.sha256: int(row.id) for row in connection.execute(_KNOWN, {"wanted": digests})}


def _row(
    database: Database, sha256: str, body: bytes, retention: str, now: datetime
) -> dict[str, object]:
    packed = zstandard.ZstdCompressor(level=_LEVEL).compress(body)
    outside = database.keeps_files and len(packed) > INLINE_LIMIT
    if outside:
        try:
            _write_file(_path(database.bodies, sha256), packed)
        except OSError as error:
            raise StoreProblem(
                f"{database.bodies}: cannot keep an answer there: {error}"
            ) from error
    return {
        "sha256": sha256,
        "size": len(body),
        "encoding": "zstd",
        "content": None if outside else packed,
        "retention": retention,
        "stored_at": now,
    }


def get(connection: sa.Connection, database: Database, body_id: int | None) -> bytes:
    """The body as it came. Raises StoreProblem when it is gone or its digest does not match."""
    if body_id is None:
        return b""
    row = connection.execute(sa.select(bodies).where(bodies.c.id == body_id)).one()
    return _unpacked(database, row)


def get_all(
    connection: sa.Connection, database: Database, body_ids: Iterable[int]
) -> Iterator[tuple[int, bytes]]:
    """Yield (id, body) of many bodies, in few statements. Raises StoreProblem as `get` does."""
    wanted = iter(dict.fromkeys(body_ids))
    while part := list(islice(wanted, _AT_ONCE)):
        for row in connection.execute(sa.select(bodies).where(bodies.c.id.in_(part))):
            yield int(row.id), _unpacked(database, row)


def _unpacked(database: Database, row: Any) -> bytes:  # noqa: ANN401 - a row of bodies
    packed = row.content
    if packed is None:
        try:
            packed = _path(database.bodies, row.sha256).read_bytes()
        except OSError as error:
            raise StoreProblem(f"answer {row.sha256} cannot be read: {error}") from error
    try:
        body = zstandard.ZstdDecompressor().decompress(packed, max_output_size=row.size)
    except zstandard.ZstdError as error:
        raise StoreProblem(f"answer {row.sha256} is damaged: {error}") from error
    if hashlib.sha256(body).hexdigest() != row.sha256:
        raise StoreProblem(f"answer {row.sha256} is damaged: its digest does not match")
    return body


def known(connection: sa.Connection) -> list[int]:
    """Ids of every stored body."""
    query = sa.select(bodies.c.id).order_by(bodies.c.id)
    return [int(number) for number in connection.execute(query).scalars()]
