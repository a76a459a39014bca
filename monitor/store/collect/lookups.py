"""Look-ups in services beside the engines, and the exits of runs.

Look-ups about people go to the restricted tables.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
import zstandard

from monitor.model import Answer, Json, Outcome, Purpose, make_storable
from monitor.store import rows
from monitor.store.collect import bodies
from monitor.store.database import Database
from monitor.store.schema import egresses, lookups, people_lookups

_LEVEL = 9


def store_lookup(
    connection: sa.Connection,
    database: Database,
    run_id: int | None,
    purpose: Purpose,
    request: Mapping[str, Json],
    answer: Answer,
) -> int:
    """Keep one question and its answer; returns the row's id.

    It is one of `people_lookups` for labels, and for requests that are restricted.
    """
    row: dict[str, object] = {
        "run_id": run_id,
        "purpose": purpose,
        "request": dict(request),
        "outcome": answer.outcome,
        "reason": answer.reason,
        "detail": make_storable(answer.detail),
        "status": answer.status,
        "url": answer.url,
        "asked_at": answer.asked_at,
        "took": answer.took,
    }
    if is_restricted(purpose, request):
        packed = zstandard.ZstdCompressor(level=_LEVEL).compress(answer.body)
        row |= {"sha256": hashlib.sha256(answer.body).hexdigest(), "body": packed}
        return rows.insert_returning(connection, people_lookups, [row])[0]
    received = answer.asked_at + timedelta(seconds=answer.took)
    row["body_id"] = bodies.store_body(connection, database, answer.body, "lookup", received)
    return rows.insert_returning(connection, lookups, [row])[0]


def is_restricted(purpose: Purpose, request: Mapping[str, Json]) -> bool:
    """Return whether what comes back tells of single people."""
    return purpose is Purpose.LABEL or bool(request.get("restricted"))


@dataclass(frozen=True, slots=True)
class ExitAddress:
    """From where a run's requests left: the country, and a keyed hash of the address."""

    exit: str
    service: str
    outcome: Outcome
    detail: str
    country: str
    address_hash: str
    asked_at: datetime


def store_exit(connection: sa.Connection, run_id: int, seen: ExitAddress) -> None:
    """Keep what a look-up of our own address said."""
    row = {name: getattr(seen, name) for name in seen.__slots__}
    connection.execute(sa.insert(egresses).values(run_id=run_id, **row))


def list_countries(connection: sa.Connection, run_id: int) -> tuple[str, ...]:
    """Return the countries from which a run's requests were seen to leave, each once, in order."""
    query = (
        sa.select(egresses.c.country)
        .where(egresses.c.run_id == run_id, egresses.c.country != "")
        .order_by(egresses.c.id)
    )
    return tuple(dict.fromkeys(connection.execute(query).scalars()))
