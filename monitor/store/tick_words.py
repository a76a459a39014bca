"""The words of some answers behind a point: what was asked, what came back, what decided.

In go answers as `tick_answers` counts them, out come their texts, each as the newest versions of
parser and rules read it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from monitor.store.flips import template_of
from monitor.store.schema import (
    agreements,
    attempts,
    exchanges,
    items,
    lm_scores,
    probes,
    query_values,
    readings,
)
from monitor.store.selectables import newest_reading, newest_rules, outcome_of, reason_of
from monitor.store.tick_answers import Answered, Behind


@dataclass(frozen=True, slots=True)
class Words:
    """What was asked and answered, with what decided. `reason` says why nothing is usable."""

    question: str
    outcome: str
    reason: str
    parts: tuple[Mapping[str, Any], ...]  # text, title, block, rank, cls, rule, witnesses, score


def words(connection: sa.Connection, of: Behind, some: Sequence[Answered]) -> dict[int, Words]:
    """{attempt: its words}, of answers to the questions of a series."""
    if not some:
        return {}
    wanted = sorted({one.attempt for one in some})
    query = (
        sa.select(
            attempts.c.id, probes.c.text,
            outcome_of(), reason_of(), readings.c.id,
        )
        .join(probes, probes.c.id == attempts.c.probe_id)
        .outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(readings, newest_reading())
        .where(attempts.c.id.in_(wanted))
    )  # fmt: skip
    rows = connection.execute(query).all()
    cues = {one.attempt: one.cue for one in some}
    parts = _parts(connection, [row[4] for row in rows if row[4] is not None], of)
    return {
        attempt: Words(
            question, outcome, reason,
            tuple(
                part for part in parts.get(reading, ())
                if part["cue"] in (None, cues[attempt])
            ),
        )
        for attempt, question, outcome, reason, reading in rows
    }  # fmt: skip


#: Entries of one answer that are shown beside its question; its evidence has all.
_PARTS = 5


def _parts(
    connection: sa.Connection, found: Sequence[int], of: Behind
) -> dict[int, list[dict[str, Any]]]:
    """{reading: its first entries}, each as the newest version of the rules read it."""
    template = template_of(of.scope)
    query = (
        sa.select(
            items.c.reading_id, items.c.rank, items.c.block, items.c.text, items.c.title,
            agreements.c.cue, agreements.c["class"].label("cls"), agreements.c.rule,
            agreements.c.witnesses, lm_scores.c.template, lm_scores.c.log_ratio,
            items.c.erasure_id.is_not(None).label("is_erased"),
        )
        .select_from(items)
        .outerjoin(agreements, newest_rules())
        .outerjoin(lm_scores, lm_scores.c.item_id == items.c.id)
        .where(items.c.reading_id.in_(sorted(found)), items.c.rank <= _PARTS)
        .order_by(items.c.reading_id, items.c.block, items.c.rank)
    )  # fmt: skip
    by_reading: dict[int, list[dict[str, Any]]] = {}
    for row in connection.execute(query).mappings():
        if template and row["template"] not in (None, template):
            continue
        by_reading.setdefault(row["reading_id"], []).append(dict(row))
    return by_reading


def of_questions(
    connection: sa.Connection, point_id: int, keys: Sequence[str]
) -> dict[str, tuple[str, str, float | None]]:
    """{key: (state, reason, value)} of questions, where a point keeps a value for each."""
    query = sa.select(
        query_values.c.key, query_values.c.state, query_values.c.reason, query_values.c.value
    ).where(query_values.c.point_id == point_id, query_values.c.key.in_(sorted(set(keys))))
    return {row[0]: (row[1], row[2], row[3]) for row in connection.execute(query)}
