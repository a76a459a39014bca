"""Answers to the questions of synthetic runs: attempts, exchanges, bodies, readings, signals.

In go a system and a run, out come rows as a run leaves them, 16 questions to a request. Rows that
follow from others are made by the database itself: a million of them takes seconds.
"""

import hashlib
import json
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa
import zstandard

from bench._points_rows import Ids, exchange_row
from bench._real_texts import read_translations
from monitor import registry
from monitor.model import GenderClass
from monitor.store.collect import runs
from monitor.store.schema import (
    agreements,
    attempts,
    bodies,
    exchanges,
    items,
    probes,
    readings,
)

BATCH = 16
#: Translations that stand for what engines say, beside the tables of the program.
_TEXTS = sa.Table(
    "bench_texts",
    sa.MetaData(),
    sa.Column("probe_id", sa.BigInteger, primary_key=True),
    sa.Column("variant", sa.Integer, primary_key=True),
    sa.Column("text", sa.Text),
)
#: Of a hundred answers so many are of each class.
_SHARES = {
    GenderClass.MASCULINE: 55,
    GenderClass.FEMININE: 30,
    GenderClass.NONE: 10,
    GenderClass.UNIDENTIFIED: 4,
    GenderClass.MIXED: 1,
}
_WORDS = {
    GenderClass.MASCULINE: "Estou cansado.",
    GenderClass.FEMININE: "Estou cansada.",
    GenderClass.NONE: "Durmo bem.",
    GenderClass.UNIDENTIFIED: "Tired.",
    GenderClass.MIXED: "Estou cansado e cansada.",
}


def _number(probe, run):
    """From 0 to 99, by which a class is chosen; of numbers, or of an expression in SQL."""
    return (probe * 37 + run * 17) % 100


def _word(probe_id: int, run_id: int) -> str:
    left = _number(probe_id, run_id)
    for cls, share in _SHARES.items():
        if left < share:
            return _WORDS[cls]
        left -= share
    raise AssertionError("the shares add up to 100")


def _by_class(values: dict[GenderClass, object], kind=None) -> sa.Case:
    """The same in SQL, of an attempt: the value of the class that is chosen."""
    found, until = [], 0
    for cls, share in _SHARES.items():
        until += share
        value = sa.literal(values[cls], kind)
        found.append((_number(attempts.c.probe_id, attempts.c.run_id) < until, value))
    return sa.case(*found)


class Answers:
    """Writes the answers of systems; ids of the probes of a target are consecutive."""

    def __init__(self, connection: sa.Connection, ids: Ids, has_items: bool) -> None:
        self.ids, self.has_items = ids, has_items
        self.text: sa.ColumnElement[str] = _by_class(_WORDS)
        if has_items:
            self.parser_id = runs.ensure_plugin(connection, "engines", "firefox_translations", 1)
            self.language_id = runs.ensure_language(connection, registry.known_language("pt"))

    def give_texts(
        self, connection: sa.Connection, data: Path, sentences: list[str], probes: dict[str, range]
    ) -> None:
        """Have the engines answer with translations of these sentences, each with those of one."""
        _TEXTS.create(connection)
        for target, ids in probes.items():
            for variant, texts in enumerate(read_translations(data, sentences, target)):
                content = [
                    {"probe_id": probe, "variant": variant, "text": text}
                    for probe, text in zip(ids, texts, strict=True)
                ]
                connection.execute(sa.insert(_TEXTS), content)
        other = sa.select(_TEXTS.c.text).where(_TEXTS.c.probe_id == attempts.c.probe_id)
        own = other.where(_TEXTS.c.variant == attempts.c.engine_id % 2)
        # an engine has words of its own, or all that ask the same would have one digest
        name = sa.literal(" ") + sa.cast(attempts.c.engine_id, sa.Text)
        variant = sa.func.coalesce(
            own.scalar_subquery(), other.where(_TEXTS.c.variant == 0).scalar_subquery()
        )
        self.text = variant + name

    def write(
        self, connection: sa.Connection, run_id: int, engine_id: int, asked: range, due_at: datetime
    ) -> None:
        """What was answered to these probes."""
        place = probes.c.id - asked.start
        exchange = self._exchanges(connection, run_id, engine_id, asked, due_at) + place // BATCH
        answered = {"exchange_id": exchange, "position": place % BATCH, "final": sa.true()}
        first = self._attempts(connection, run_id, engine_id, asked, answered)
        if self.has_items:
            self._read(connection, range(first, first + len(asked)))

    def leave(self, connection: sa.Connection, run_id: int, engine_id: int, asked: range) -> None:
        """These probes were planned, and never asked."""
        self._attempts(connection, run_id, engine_id, asked, {"final": sa.false()})

    def _attempts(self, connection, run_id, engine_id, asked: range, answered) -> int:
        first = self.ids.take(attempts, len(asked))
        values = {
            "id": first - asked.start + probes.c.id,
            "run_id": sa.literal(run_id),
            "engine_id": sa.literal(engine_id),
            "probe_id": probes.c.id,
            "repeat": sa.literal(0),
            "n": sa.literal(1),
        }
        wanted = probes.c.id.between(asked.start, asked.stop - 1)
        _insert(connection, attempts, values | answered, wanted)
        return first

    def _exchanges(self, connection, run_id, engine_id, asked: range, due_at: datetime) -> int:
        """Returns the id of the first."""
        batches = [asked[start : start + BATCH] for start in range(0, len(asked), BATCH)]
        first = self.ids.take(exchanges, len(batches))
        body_ids: list[int | None] = [None] * len(batches)
        if self.has_items:
            first_body = self.ids.take(bodies, len(batches))
            body_ids = [first_body + n for n in range(len(batches))]
            content = [
                _body_row(number, [run_id, engine_id, batch.start],
                          [_word(probe, run_id) for probe in batch], due_at)
                for number, batch in enumerate(batches, first_body)
            ]  # fmt: skip
            connection.execute(sa.insert(bodies), content)
        found = [
            exchange_row(number, run_id, engine_id, due_at, body_id)
            for number, body_id in enumerate(body_ids, first)
        ]
        connection.execute(sa.insert(exchanges), found)
        return first

    def _read(self, connection: sa.Connection, of: range) -> None:
        """Readings, items and signals of attempts, one each."""
        reading = self.ids.take(readings, len(of)) - of.start + attempts.c.id
        item = self.ids.take(items, len(of)) - of.start + attempts.c.id
        signal = self.ids.take(agreements, len(of)) - of.start + attempts.c.id
        here = attempts.c.id.between(of.start, of.stop - 1)
        empty = sa.literal("")
        read = {"id": reading, "attempt_id": attempts.c.id, "parser_id": sa.literal(self.parser_id),
                "outcome": sa.literal("ok"), "reason": empty, "detail": empty}  # fmt: skip
        _insert(connection, readings, read, here)
        shown = {"id": item, "reading_id": reading, "block": sa.literal("translation"),
                 "rank": sa.literal(1), "text": self.text, "url": empty, "title": empty,
                 "entity": empty}  # fmt: skip
        _insert(connection, items, shown, here)
        heard = {
            "id": signal,
            "item_id": item,
            "language_id": sa.literal(self.language_id),
            "cue": sa.literal("agreement"),
            "class": _by_class({cls: cls.value for cls in _SHARES}),
            "masculine": _by_class({cls: int(cls is GenderClass.MASCULINE) for cls in _SHARES}),
            "feminine": _by_class({cls: int(cls is GenderClass.FEMININE) for cls in _SHARES}),
            "rule": sa.literal("synthetic"),
            "witnesses": _by_class({cls: _witnesses(cls) for cls in _SHARES}, sa.JSON()),
        }
        _insert(connection, agreements, heard, here)


def _insert(connection, table: sa.Table, values: dict[str, object], where) -> None:
    query = sa.select(*(value.label(name) for name, value in values.items())).where(where)
    connection.execute(sa.insert(table).from_select(list(values), query))


def _witnesses(cls: GenderClass) -> list[dict[str, object]]:
    if cls not in (GenderClass.MASCULINE, GenderClass.FEMININE):
        return []
    return [{"text": _WORDS[cls][6:13], "start": 6, "end": 13, "gender": cls, "rule": "synthetic"}]


def _body_row(number: int, asked: list[int], texts: list[str], now: datetime) -> dict[str, object]:
    """A raw answer; `asked` makes it differ from all others."""
    body = json.dumps({"asked": asked, "translations": texts}).encode()
    return {
        "id": number,
        "sha256": hashlib.sha256(body).hexdigest(),
        "size": len(body),
        "encoding": "zstd",
        "content": zstandard.compress(body),
        "retention": "answer",
        "stored_at": now,
    }
