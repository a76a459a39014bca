"""What parser versions read in the raw answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from monitor.model import Answer, Item, Outcome, Probe, Reading, Reason, storable
from monitor.store import bodies, rows
from monitor.store.database import Database
from monitor.store.schema import attempts, exchanges, items, lm_scores, probes, readings
from monitor.store.schema import bodies as body_table

#: Whole answers: with what was asked for, or a page that says who is not to be served.
_READABLE = (Outcome.OK, Outcome.BLOCKED)
#: Whole answers that were not understood when they came.
_UNDERSTOOD_LATER = (Reason.JS_SHELL, Reason.MALFORMED, Reason.POISONED, Reason.SUSPECT_EMPTY)


@dataclass(frozen=True, slots=True)
class Unread:
    """One answer, with the attempts and probes it belongs to in the order they were asked."""

    attempt_ids: tuple[int, ...]
    probes: tuple[Probe, ...]
    answer: Answer


def unread(
    connection: sa.Connection, database: Database, run_id: int, engine_id: int, parser_id: int
) -> Iterator[Unread]:
    """Answers of a run from one engine that this parser version has not read.

    One that was taken away cannot be read anew: what earlier versions read of it stays.
    """
    read = (
        sa.select(readings.c.id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .where(attempts.c.exchange_id == exchanges.c.id, readings.c.parser_id == parser_id)
    )
    # A later parser may read what an earlier one could not.
    readable = exchanges.c.outcome.in_(_READABLE) | exchanges.c.reason.in_(_UNDERSTOOD_LATER)
    query = (
        sa.select(exchanges)
        .outerjoin(body_table, body_table.c.id == exchanges.c.body_id)
        .where(
            exchanges.c.run_id == run_id,
            exchanges.c.engine_id == engine_id,
            body_table.c.removed_at.is_(None),
            readable,
            ~read.exists(),
        )
        .order_by(exchanges.c.id)
    )
    for row in connection.execute(query).all():
        asked = connection.execute(
            sa.select(attempts.c.id, probes)
            .join(probes, probes.c.id == attempts.c.probe_id)
            .where(attempts.c.exchange_id == row.id)
            .order_by(attempts.c.position)
        ).all()
        answer = Answer(
            outcome=Outcome(row.outcome),
            asked_at=row.asked_at,
            took=row.took,
            reason=Reason(row.reason),
            detail=row.detail,
            status=row.status,
            url=row.url,
            headers=tuple((name, value) for name, value in row.headers),
            body=bodies.get(connection, database, row.body_id),
            egress=row.egress,
        )
        yield Unread(
            tuple(int(entry.id) for entry in asked),
            tuple(
                Probe(
                    entry.text,
                    entry.source_lang,
                    entry.target_lang,
                    entry.region,
                    tuple(sorted(entry.parameters.items())),
                )
                for entry in asked
            ),
            answer,
        )


def store(connection: sa.Connection, parser_id: int, read: Sequence[tuple[int, Reading]]) -> None:
    """Store (attempt id, reading) pairs with their items."""
    ids = rows.insert_returning(
        connection,
        readings,
        [
            {
                "attempt_id": attempt_id,
                "parser_id": parser_id,
                "outcome": reading.outcome,
                "reason": reading.reason,
                "detail": storable(reading.detail),
            }
            for attempt_id, reading in read
        ],
    )
    found = [
        (reading_id, item)
        for reading_id, (_, reading) in zip(ids, read, strict=True)
        for item in reading.items
    ]
    content = [
        {
            "reading_id": reading_id,
            "block": item.block,
            "rank": item.rank,
            "text": storable(item.text),
            "url": storable(item.url),
            "title": storable(item.title),
            "entity": storable(item.entity),
        }
        for reading_id, item in found
    ]
    if any(item.score for _, item in found):
        item_ids = rows.insert_returning(connection, items, content)
        _store_scores(connection, [(n, i) for n, (_, i) in zip(item_ids, found, strict=True)])
    elif content:
        connection.execute(sa.insert(items), content)


def _store_scores(connection: sa.Connection, found: Sequence[tuple[int, Item]]) -> None:
    """Store what a language model made of the items, by item id."""
    content = [
        {
            "item_id": item_id,
            "template": item.score.template,
            "log_ratio": item.score.log_ratio,
            "log_masculine": item.score.log_masculine,
            "log_feminine": item.score.log_feminine,
        }
        for item_id, item in found
        if item.score
    ]
    connection.execute(sa.insert(lm_scores), content)
