"""Recompute the digests of stored contents, and name the answer of each fault.

Missing, cut and changed bodies are faults. What was removed on purpose is counted apart.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
import zstandard

from monitor.store.collect import bodies
from monitor.store.database import Database
from monitor.store.maintenance import retention
from monitor.store.schema import (
    attempts,
    bundle_files,
    engines,
    exchanges,
    lookups,
    people_lookups,
    probes,
)
from monitor.store.schema import bodies as table

#: Content is unpacked from so few bytes at a time that no changed file can fill the memory.
_PIECE = 2048
#: No window of ours is larger; a frame that asks for more was changed.
_MOST_WINDOW = 2**27
_MOST_LOOKUP = 2**28
#: A bit of a frame's head that readers do not look at, and writers leave alone (RFC 8878, 3.1.1.1).
_HEAD, _UNUSED = 4, 0x10


#: Contents of an exchange, with the columns that name them.
_CONTENTS = (("answer", exchanges.c.body_id), ("screenshot", exchanges.c.screenshot_id))


@dataclass(frozen=True, slots=True)
class Damage:
    """One stored content that is not what it was, where it belongs to one exchange.

    `attempts` are those that the exchange settled, `question` the first of theirs.
    """

    what: str  # answer, screenshot, file of a job
    place: str  # exchange 12, look-up 3 about people
    expected: str
    found: str
    run: int | None = None
    engine: str = ""
    question: str = ""
    attempts: tuple[int, ...] = ()

    def __str__(self) -> str:
        tried = ", ".join(str(number) for number in self.attempts[:3])
        more = f" and {len(self.attempts) - 3:,} more" if len(self.attempts) > 3 else ""  # noqa: PLR2004
        of_run = f" of run {self.run}" if self.run is not None else ""
        whose = f" (attempt {tried}{more})" if tried else ""
        question = f", {self.engine}: {self.question!r}" if self.engine else ""
        return (
            f"{self.what} of {self.place}{whose}{of_run}{question}: expected sha256 "
            f"{self.expected or 'unknown'}, found {self.found}"
        )


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """Counts of checked contents and of removed ones, with the faults."""

    checked: int
    broken: int
    damages: tuple[Damage, ...]
    removed: int = 0


def verify_contents(
    connection: sa.Connection,
    database: Database,
    run_id: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> VerificationResult:
    """Check the bodies and look-ups of a run, or all that there are."""
    damages: list[Damage] = list(_find_missing_rows(connection, run_id))
    checked = broken = len({damage.place for damage in damages})
    removed = 0
    for body_id in _select_body_ids(connection, run_id):
        row = connection.execute(sa.select(table).where(table.c.id == body_id)).one()
        if row.removed_at is not None:
            removed += 1
            continue
        checked += 1
        if fault := _find_fault(database, row):
            broken += 1
            damages += _find_uses(connection, run_id, row, fault)
        progress(checked)
    for row in _read_people_lookups(connection, run_id):
        if retention.is_tombstone(row.body):
            removed += 1
            continue
        checked += 1
        if fault := _describe_difference(row.body, row.sha256, _MOST_LOOKUP):
            broken += 1
            place = f"look-up {row.id} about people"  # its question is not shown
            damages.append(Damage("answer", place, row.sha256, fault, row.run_id))
        progress(checked)
    return VerificationResult(checked, broken, tuple(damages), removed)


def _select_body_ids(connection: sa.Connection, run_id: int | None) -> list[int]:
    if run_id is None:
        return bodies.list_body_ids(connection)
    columns = (exchanges.c.body_id, exchanges.c.screenshot_id, lookups.c.body_id)
    of_run = [sa.select(column).where(column.table.c.run_id == run_id) for column in columns]
    query = sa.select(table.c.id).where(table.c.id.in_(sa.union(*of_run))).order_by(table.c.id)
    return [int(number) for number in connection.execute(query).scalars()]


# --- one content ----------------------------------------------------------------------------------


def _find_fault(database: Database, row: Any) -> str:  # noqa: ANN401 - a row of bodies
    """Return the fault of a body; empty where there is none."""
    packed = row.content
    if packed is None:
        path = bodies.find_body_file(database, row.sha256)
        try:
            packed = path.read_bytes()
        except FileNotFoundError:
            return f"no file {path}"
        except OSError as error:
            return f"{path} that cannot be read: {error.strerror or error}"
    return _describe_difference(packed, row.sha256, row.size)


def _describe_difference(packed: bytes, expected: str, size: int) -> str:
    """Return the difference of a packed content from its size and digest."""
    try:
        digest, length = _digest_unpacked(packed, size)
    except (zstandard.ZstdError, EOFError) as error:
        return f"what cannot be unpacked: {error}"
    if length > size:
        return f"more than its {size:,} bytes"
    if digest != expected:
        return f"{digest} of {length:,} bytes: its digest does not match"
    return ""


def _digest_unpacked(packed: bytes, most: int) -> tuple[str, int]:
    """Return (digest, length) of a content, of which little more than `most` is unpacked."""
    unpack = zstandard.ZstdDecompressor(max_window_size=_MOST_WINDOW).decompressobj()
    digest, length = hashlib.sha256(), 0
    if len(packed) > _HEAD and packed[_HEAD] & _UNUSED:
        raise EOFError("its head was changed")
    for start in range(0, len(packed), _PIECE):
        if unpack.eof:
            raise EOFError(f"{len(packed) - start:,} bytes stand after its end")
        piece = unpack.decompress(packed[start : start + _PIECE])
        digest.update(piece)
        length += len(piece)
        if length > most:
            break
    if length <= most and not unpack.eof:
        raise EOFError("it is cut off")
    if unpack.unused_data:
        raise EOFError(f"{len(unpack.unused_data):,} bytes stand after its end")
    return digest.hexdigest(), length


# --- whose it is ----------------------------------------------------------------------------------


def _find_uses(
    connection: sa.Connection,
    run_id: int | None,
    row: Any,  # noqa: ANN401 - a row of bodies
    fault: str,
) -> Iterator[Damage]:
    """Yield a damage for every exchange and look-up of a body, at least one."""
    used = False
    for what, column in _CONTENTS:
        query = sa.select(exchanges.c.id).where(column == row.id).order_by(exchanges.c.id)
        if run_id is not None:
            query = query.where(exchanges.c.run_id == run_id)
        for exchange_id in connection.execute(query).scalars():
            used = True
            yield _make_exchange_damage(connection, what, int(exchange_id), row.sha256, fault)
    query = sa.select(lookups.c.id, lookups.c.run_id, lookups.c.purpose, lookups.c.url).where(
        lookups.c.body_id == row.id
    )
    for lookup in connection.execute(query.order_by(lookups.c.id)):
        used = True
        place = f"look-up {lookup.id} ({lookup.purpose})"
        yield Damage("answer", place, row.sha256, fault, lookup.run_id)
    query = sa.select(bundle_files).where(bundle_files.c.body_id == row.id)
    for file in connection.execute(query.order_by(bundle_files.c.bundle_id, bundle_files.c.path)):
        used = True
        place = f"{file.path} of the job in bundle {file.bundle_id}"
        yield Damage("file", place, row.sha256, fault)
    if not used:
        yield Damage("answer", f"body {row.id}, which no exchange names", row.sha256, fault)


def _make_exchange_damage(
    connection: sa.Connection, what: str, exchange_id: int, expected: str, fault: str
) -> Damage:
    query = (
        sa.select(exchanges.c.run_id, engines.c.name, attempts.c.id, probes.c.text)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .outerjoin(attempts, attempts.c.exchange_id == exchanges.c.id)
        .outerjoin(probes, probes.c.id == attempts.c.probe_id)
        .where(exchanges.c.id == exchange_id)
        .order_by(attempts.c.position)
    )
    first, *others = connection.execute(query).all()
    return Damage(
        what=what,
        place=f"exchange {exchange_id}",
        expected=expected,
        found=fault,
        run=int(first.run_id),
        engine=first.name,
        question=first.text or "",
        attempts=tuple(int(row.id) for row in (first, *others) if row.id is not None),
    )


def _find_missing_rows(connection: sa.Connection, run_id: int | None) -> Iterator[Damage]:
    """Yield exchanges whose body is not in the table any more."""
    for what, column in _CONTENTS:
        query = (
            sa.select(exchanges.c.id, column.label("body"))
            .outerjoin(table, table.c.id == column)
            .where(column.is_not(None), table.c.id.is_(None))
            .order_by(exchanges.c.id)
        )
        if run_id is not None:
            query = query.where(exchanges.c.run_id == run_id)
        for row in connection.execute(query).all():
            fault = f"no row {row.body} in bodies"
            yield _make_exchange_damage(connection, what, int(row.id), "", fault)


def _read_people_lookups(connection: sa.Connection, run_id: int | None) -> Iterator[Any]:
    """Yield each look-up about people, read one at a time."""
    columns = people_lookups.c
    query = sa.select(columns.id).order_by(columns.id)
    if run_id is not None:
        query = query.where(columns.run_id == run_id)
    for number in connection.execute(query).scalars().all():
        yield connection.execute(sa.select(people_lookups).where(columns.id == number)).one()
