"""Readings: what parser versions read in the raw answers, and the shapes of these answers.

A shape says how many answers of a run were unread, lacked a needed part or had each part. Each
portion of answers that is read adds an event, in the transaction of its readings. Once all of a run
is read, another event keeps how its shapes differ from those of the runs before.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import sqlalchemy as sa

from monitor.model import (
    Answer,
    Item,
    Outcome,
    Probe,
    Reading,
    Reason,
    canonical_json,
    make_storable,
)
from monitor.store import rows
from monitor.store.collect import bodies, runs
from monitor.store.collect.evidence import make_probe
from monitor.store.collect.runs import AGAIN, ENDED, Run
from monitor.store.database import Database
from monitor.store.derive import texts
from monitor.store.journal import events
from monitor.store.schema import attempts, exchanges, items, lm_scores, probes, readings
from monitor.store.schema import bodies as body_table
from monitor.store.schema import runs as run_table
from monitor.store.selectables import IS_LAST_TRY, TARGET

#: Whole answers: with what was asked for, or a page that says who is not to be served.
_READABLE = (Outcome.OK, Outcome.BLOCKED)
#: Whole answers that were not understood when they came.
_UNDERSTOOD_LATER = (Reason.JS_SHELL, Reason.MALFORMED, Reason.POISONED, Reason.SUSPECT_EMPTY)


@dataclass(frozen=True, slots=True)
class UnreadAnswer:
    """One answer, with the attempts and probes it belongs to in the order they were asked."""

    attempt_ids: tuple[int, ...]
    probes: tuple[Probe, ...]
    answer: Answer


#: Answers are taken up so many at a time, and no more of them than have so many bytes together.
_AT_ONCE = 200
_BYTES_AT_ONCE = 8_000_000


def _select_stored_answers(run_id: int, engine_id: int) -> sa.ColumnElement[bool]:
    """Return a query of the whole answers of one engine in a run.

    A later parser may read what an earlier one could not.
    """
    readable = exchanges.c.outcome.in_(_READABLE) | exchanges.c.reason.in_(_UNDERSTOOD_LATER)
    return (exchanges.c.run_id == run_id) & (exchanges.c.engine_id == engine_id) & readable


def _read_by(parser_id: int) -> sa.Exists:
    read = (
        sa.select(readings.c.id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .where(attempts.c.exchange_id == exchanges.c.id, readings.c.parser_id == parser_id)
    )
    return read.exists()


def find_unread_ids(
    connection: sa.Connection, run_id: int, engine_id: int, parser_id: int
) -> list[list[int]]:
    """Return ids of the answers of a run that this parser version has not read, in portions.

    One that was taken away cannot be read anew: what earlier versions read of it stays.
    """
    query = (
        sa.select(exchanges.c.id, body_table.c.size)
        .outerjoin(body_table, body_table.c.id == exchanges.c.body_id)
        .where(
            _select_stored_answers(run_id, engine_id),
            body_table.c.removed_at.is_(None),
            ~_read_by(parser_id),
        )
        .order_by(exchanges.c.id)
    )
    portions: list[list[int]] = []
    room = 0
    for number, size in connection.execute(query):
        room -= size or 0
        if not portions or room < 0 or len(portions[-1]) >= _AT_ONCE:
            portions.append([])
            room = _BYTES_AT_ONCE - (size or 0)
        portions[-1].append(number)
    return portions


def count_removed(
    connection: sa.Connection, run_id: int, engine_id: int, parser_id: int, target: str
) -> int:
    """Return how many final questions of a run this parser version can never read.

    Their contents are gone, and it had not read them before. Pages that said who is not to be
    served are no loss.
    """
    query = (
        sa.select(sa.func.count())
        .select_from(exchanges)
        .join(body_table, body_table.c.id == exchanges.c.body_id)
        .join(attempts, attempts.c.exchange_id == exchanges.c.id)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(
            _select_stored_answers(run_id, engine_id),
            body_table.c.removed_at.is_not(None),
            exchanges.c.outcome != Outcome.BLOCKED,
            ~_read_by(parser_id),
            attempts.c.final,
            TARGET.in_([target]),
        )
    )
    return int(connection.execute(query).scalar_one())


def count_planned(connection: sa.Connection, run_id: int, engine_id: int, target: str) -> int:
    """Return how many questions of a run an engine was to answer for a target."""
    query = (
        sa.select(sa.func.count())
        .select_from(attempts)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(attempts.c.run_id == run_id, attempts.c.engine_id == engine_id, IS_LAST_TRY)
        .where(TARGET.in_([target]))
    )
    return int(connection.execute(query).scalar_one())


def count_answers(connection: sa.Connection, run_id: int) -> int:
    """Return how many questions of a run have come back with something, an answer or a fault."""
    query = sa.select(sa.func.count()).where(
        attempts.c.run_id == run_id, attempts.c.exchange_id.is_not(None)
    )
    return int(connection.execute(query).scalar_one())


def read_unread(
    connection: sa.Connection, database: Database, exchange_ids: Sequence[int]
) -> list[UnreadAnswer]:
    """Return answers by their ids, with what was asked. Raises StoreProblem."""
    query = sa.select(exchanges).where(exchanges.c.id.in_(exchange_ids)).order_by(exchanges.c.id)
    answer_rows = connection.execute(query).all()
    probes_of: dict[int, list[tuple[int, Probe]]] = {}
    questions = (
        sa.select(attempts.c.id.label("attempt"), attempts.c.exchange_id, probes)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(attempts.c.exchange_id.in_(exchange_ids))
        .order_by(attempts.c.exchange_id, attempts.c.position)
    )
    for row in connection.execute(questions).all():
        probes_of.setdefault(row.exchange_id, []).append((int(row.attempt), make_probe(row)))
    body_ids = [row.body_id for row in answer_rows if row.body_id is not None]
    content = dict(bodies.read_bodies(connection, database, body_ids))
    return [
        UnreadAnswer(
            tuple(number for number, _ in probes_of.get(row.id, ())),
            tuple(probe for _, probe in probes_of.get(row.id, ())),
            _make_answer(row, content.get(row.body_id, b"")),
        )
        for row in answer_rows
    ]


def _make_answer(row: sa.Row[tuple[object, ...]], body: bytes) -> Answer:
    return Answer(
        outcome=Outcome(row.outcome),
        asked_at=row.asked_at,
        took=row.took,
        reason=Reason(row.reason),
        detail=row.detail,
        status=row.status,
        url=row.url,
        headers=tuple((name, value) for name, value in row.headers),
        body=body,
        egress=row.egress,
    )


_READING = "attempt_id parser_id outcome reason detail".split()
_ITEM = "reading_id block rank text url title entity".split()


def store_readings(
    connection: sa.Connection, parser_id: int, read: Sequence[tuple[int, Reading]]
) -> None:
    """Store (attempt id, reading) pairs of one run with their items."""
    if read:
        runs.forget_of_attempt(connection, read[0][0])
    content = [
        (attempt, parser_id, str(new.outcome), str(new.reason), make_storable(new.detail))
        for attempt, new in read
    ]
    rows.insert_plain(connection, readings, _READING, content)
    of_parser = sa.select(readings.c.attempt_id, readings.c.id)
    of_parser = of_parser.where(readings.c.parser_id == parser_id)
    attempt_ids = [attempt for attempt, _ in read]
    ids = dict(rows.read_in_parts(connection, of_parser, readings.c.attempt_id, attempt_ids))
    new_items = [(ids[attempt], item) for attempt, new_item in read for item in new_item.items]
    rows.insert_plain(connection, items, _ITEM, [_make_item(*new_item) for new_item in new_items])
    with_more = [(reading_id, item) for reading_id, item in new_items if item.score or item.state]
    _store_more(connection, with_more)


def _make_item(reading_id: int, item: Item) -> tuple[int | str, ...]:
    texts = (item.text, item.url, item.title, item.entity)
    return reading_id, str(item.block), item.rank, *map(make_storable, texts)


def _store_more(connection: sa.Connection, new_items: Sequence[tuple[int, Item]]) -> None:
    """Store scores of a language model and overviews for items that were just stored."""
    reading_ids = dict.fromkeys(reading_id for reading_id, _ in new_items)
    query = sa.select(items.c.id, items.c.reading_id, items.c.block, items.c.rank)
    stored = rows.read_in_parts(connection, query, items.c.reading_id, reading_ids)
    ids = {tuple(key): number for number, *key in stored}
    with_ids = [
        (ids[reading_id, str(item.block), item.rank], item) for reading_id, item in new_items
    ]
    content = [
        rows.make_row(lm_scores, item.score, item_id=item_id)
        for item_id, item in with_ids
        if item.score
    ]
    rows.insert_rows(connection, lm_scores, content)
    texts.store_overviews(connection, [(item_id, item) for item_id, item in with_ids if item.state])


# --- shapes of answers ----------------------------------------------------------------------------

#: Before the name of a part of an answer, which is counted like a trait.
PART = "part "
SHAPE, CHANGE = "answer_shape", "answer_shape_change"
#: Parts of a portion that are kept, the most frequent ones.
_MOST_PARTS = 200


@dataclass(frozen=True, slots=True)
class ShapeTally:
    """Answers of one engine in a run, how many have each trait, and an attempt of each.

    `examples` has an attempt with a trait under its name, and one without under `not NAME`.
    """

    answers: int = 0
    traits: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, int] = field(default_factory=dict)

    def count(self, name: str) -> int:
        """Return how many answers have a trait, or of `not NAME` have it not."""
        trait = name.removeprefix("not ")
        n = self.traits.get(trait, 0)
        return n if trait == name else self.answers - n

    def __add__(self, other: "ShapeTally") -> "ShapeTally":
        return ShapeTally(
            self.answers + other.answers,
            Counter(self.traits) + Counter(other.traits),
            {**other.examples, **self.examples},
        )


def add_tally(
    connection: sa.Connection, run_id: int, engine: str, parser_id: int, tally: ShapeTally
) -> None:
    """Add what a parser saw in a portion of a run's answers of one engine."""
    parts = sorted(
        (name for name in tally.traits if name.startswith(PART)),
        key=lambda name: (-tally.traits[name], name),
    )
    rare = frozenset(parts[_MOST_PARTS:])
    traits, examples = (
        {name: n for name, n in counts.items() if name.removeprefix("not ") not in rare}
        for counts in (tally.traits, tally.examples)
    )
    content = {
        "engine": engine, "parser": parser_id, "answers": tally.answers, "traits": traits,
        "examples": examples,
    }  # fmt: skip
    _add_event(connection, SHAPE, run_id, canonical_json(content))


def _add_event(connection: sa.Connection, kind: str, run_id: int, detail: str) -> None:
    now = datetime.now(UTC)
    events.add_event(connection, kind, str(run_id), detail, now=now, run_id=run_id)


def read_tallies(connection: sa.Connection, run_id: int) -> dict[str, tuple[int, ShapeTally]]:
    """Return {engine: (parser, tally)} of a run, as the newest parser of each saw it."""
    newest: dict[str, tuple[int, ShapeTally]] = {}
    for event in events.list_about(connection, SHAPE, str(run_id)):
        content = json.loads(event.detail)
        tally = ShapeTally(content["answers"], content["traits"], content["examples"])
        parser, before = newest.get(content["engine"], (0, ShapeTally()))
        if content["parser"] >= parser:
            is_same = content["parser"] == parser
            newest[content["engine"]] = content["parser"], before + tally if is_same else tally
    return newest


def list_runs_before(connection: sa.Connection, run: Run, most: int) -> list[int]:
    """Return the newest finished runs of a job before one, without reruns of parts."""
    query = (
        sa.select(run_table.c.id)
        .where(
            run_table.c.job == run.job,
            run_table.c.kind.not_in(AGAIN),
            run_table.c.state.in_(ENDED),
            sa.or_(
                run_table.c.due_at < run.due_at,
                (run_table.c.due_at == run.due_at) & (run_table.c.id < run.id),
            ),
        )
        .order_by(run_table.c.due_at.desc(), run_table.c.id.desc())
        .limit(most)
    )
    return list(connection.execute(query).scalars())


def store_changes(connection: sa.Connection, run_id: int, changes: Mapping[str, str]) -> None:
    """Keep {engine: how its answers changed, or ""} of a run, where it is not kept already."""
    detail = canonical_json(dict(changes))
    if events.find_last_detail(connection, CHANGE, str(run_id)) != detail:
        _add_event(connection, CHANGE, run_id, detail)


def read_changes(connection: sa.Connection, run_id: int) -> dict[str, str]:
    """Return {engine: how its answers changed, or ""} of the engines that could be judged."""
    detail = events.find_last_detail(connection, CHANGE, str(run_id))
    return dict(json.loads(detail)) if detail else {}
