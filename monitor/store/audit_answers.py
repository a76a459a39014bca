"""What an audit of the instrument can draw: a run and its versions in, signal rows out."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import GenderClass
from monitor.store.schema import agreements, attempts, items, readings, runs


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard in the answer to a probe: the signal row, or none where it cannot be drawn."""

    attempt_id: int
    probe_id: int
    cue: str
    cls: GenderClass
    agreement_id: int | None


def heard(
    connection: sa.Connection, run_id: int, engine_id: int, versions_: tuple[int, int]
) -> list[Heard]:
    """Every final answer of an engine in a run that has a class, as these versions read it.

    `versions_` is (parser id, language id). An answer with several texts has a class as a whole and
    no text that a person could read for it; of an erased one nothing is left to read.
    """
    parser_id, language_id = versions_
    query = (
        sa.select(
            attempts.c.id,
            attempts.c.probe_id,
            agreements.c.id.label("agreement_id"),
            agreements.c.cue,
            agreements.c["class"].label("found"),
            items.c.erasure_id,
        )
        .select_from(attempts)
        .join(readings, readings.c.attempt_id == attempts.c.id)
        .join(items, (items.c.reading_id == readings.c.id) & (items.c.block == "translation"))
        .join(agreements, agreements.c.item_id == items.c.id)
        .where(
            attempts.c.run_id == run_id,
            attempts.c.engine_id == engine_id,
            attempts.c.final,
            readings.c.parser_id == parser_id,
            agreements.c.language_id == language_id,
        )
        .order_by(attempts.c.id, agreements.c.cue, agreements.c.id)
    )
    texts: dict[tuple[int, str], list[Any]] = defaultdict(list)
    for row in connection.execute(query):
        texts[row.id, row.cue].append(row)
    return [
        Heard(
            attempt_id,
            some[0].probe_id,
            cue,
            GenderClass(some[0].found),
            some[0].agreement_id if len(some) == 1 and some[0].erasure_id is None else None,
        )
        for (attempt_id, cue), some in texts.items()
    ]


class Stand(NamedTuple):
    """What a run consists of, in numbers that are others once anything of it is."""

    finished_at: datetime | None
    answers: int  # final ones
    newest: int  # attempt
    readings: int
    newest_reading: int
    signals: int
    newest_signal: int
    erased: int


def stand(connection: sa.Connection, run_id: int) -> Stand:
    """How a run stands now: what is drawn from it is the same as long as this is."""
    finished = connection.execute(
        sa.select(runs.c.finished_at).where(runs.c.id == run_id)
    ).scalar_one()
    a, r, g = attempts.c, readings.c, agreements.c
    of_run = (a.run_id == run_id) & a.final
    counts = [
        (sa.select(sa.func.count(), sa.func.max(a.id)).where(of_run)),
        (
            sa.select(sa.func.count(), sa.func.max(r.id))
            .join_from(attempts, readings, r.attempt_id == a.id)
            .where(of_run)
        ),
        (
            sa.select(
                sa.func.count(g.id), sa.func.max(g.id),
                sa.func.count(sa.distinct(sa.case((items.c.erasure_id.is_not(None), items.c.id)))),
            )
            .select_from(attempts)
            .join(readings, r.attempt_id == a.id)
            .join(items, items.c.reading_id == r.id)
            .outerjoin(agreements, g.item_id == items.c.id)
            .where(of_run)
        ),
    ]  # fmt: skip
    found = [int(n or 0) for query in counts for n in connection.execute(query).one()]
    return Stand(finished, *found)
