"""Shapes of answers: how many of a run were unread, lacked a needed part or had a new one.

Each portion of answers that is read adds an event, in the transaction of its readings.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import sqlalchemy as sa

from monitor.model import canonical_json
from monitor.store.journal import events

SHAPE = "answer_shape"


@dataclass(frozen=True, slots=True)
class ShapeTally:
    """Answers of one engine in a run, how many have each trait, and an attempt of each.

    `examples` has an attempt with a trait under its name, and one without under `not NAME`.
    """

    answers: int = 0
    traits: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, int] = field(default_factory=dict)

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
    content = {
        "engine": engine, "parser": parser_id, "answers": tally.answers,
        "traits": dict(tally.traits), "examples": dict(tally.examples),
    }  # fmt: skip
    detail = canonical_json(content)
    now = datetime.now(UTC)
    events.add_event(connection, SHAPE, str(run_id), detail, now=now, run_id=run_id)


def read_tallies(connection: sa.Connection, run_id: int) -> dict[str, ShapeTally]:
    """Return {engine: tally} of a run, as the newest parser of each saw it."""
    newest: dict[str, tuple[int, ShapeTally]] = {}
    for event in events.list_about(connection, SHAPE, str(run_id)):
        content = json.loads(event.detail)
        tally = ShapeTally(content["answers"], content["traits"], content["examples"])
        parser, before = newest.get(content["engine"], (0, ShapeTally()))
        if content["parser"] >= parser:
            is_same = content["parser"] == parser
            newest[content["engine"]] = content["parser"], before + tally if is_same else tally
    return {engine: tally for engine, (_, tally) in newest.items()}
