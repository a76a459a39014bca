"""Texts that were collected from search engines, streamed: a query in, each text once out."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from monitor.model import Block, RunKind
from monitor.store import coverage
from monitor.store.schema import attempts, engines, items, probes, readings, runs
from monitor.store.selectables import is_newest_reading

_STREAM = 2_000


@dataclass(frozen=True, slots=True)
class Collected:
    """Which texts are wanted: those of results in `block`; what is left empty is any.

    `engine` is a label, or its beginning. Runs count by when they were due, from `since` until
    before `until`.
    """

    jobs: tuple[str, ...] = ()
    engine: str = ""
    region: str = ""
    since: datetime | None = None
    until: datetime | None = None
    block: str = Block.ORGANIC


def texts(connection: sa.Connection, wanted: Collected) -> Iterator[tuple[str, str]]:
    """(`ATTEMPT:RANK` of where it stood first, title and snippet), the oldest answers first.

    As the newest version that has read an answer gives them. Of all that was seen a digest of 16
    bytes is kept in memory.
    """
    seen: set[bytes] = set()
    for row in connection.execute(_query(wanted).execution_options(yield_per=_STREAM)):
        text = f"{row.title}\n{row.text}".strip()
        known = hashlib.blake2b(text.encode(), digest_size=16).digest()
        if text and known not in seen:
            seen.add(known)
            yield f"{row.attempt_id}:{row.rank}", text


def _query(wanted: Collected) -> sa.Select[tuple[int, int, str, str]]:
    query = (
        sa.select(attempts.c.id.label("attempt_id"), items.c.rank, items.c.title, items.c.text)
        .select_from(items)
        .join(readings, readings.c.id == items.c.reading_id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .join(runs, runs.c.id == attempts.c.run_id)
        .join(engines, engines.c.id == attempts.c.engine_id)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(
            attempts.c.final,
            items.c.block == wanted.block,
            items.c.erasure_id.is_(None),
            runs.c.state.in_(coverage.ENDED),
            runs.c.kind.in_((RunKind.SCHEDULED, RunKind.MANUAL)),
            is_newest_reading(),
        )
        .order_by(attempts.c.id, items.c.rank)
    )
    if wanted.jobs:
        query = query.where(runs.c.job.in_(wanted.jobs))
    if wanted.engine:
        query = query.where(engines.c.name.startswith(wanted.engine, autoescape=True))
    if wanted.region:
        query = query.where(probes.c.region == wanted.region)
    if wanted.since:
        query = query.where(runs.c.due_at >= wanted.since)
    if wanted.until:
        query = query.where(runs.c.due_at < wanted.until)
    return query
