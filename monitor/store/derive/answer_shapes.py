"""Shapes of answers: how many of a run were unread, lacked a needed part or had each part.

Each portion of answers that is read adds an event, in the transaction of its readings. Once all of
a run is read, another event keeps how its shapes differ from those of the runs before.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

import sqlalchemy as sa

from monitor.model import RunState, canonical_json
from monitor.store.collect.runs import AGAIN, Run
from monitor.store.journal import events
from monitor.store.schema import runs

#: Before the name of a part of an answer, which is counted like a trait.
PART = "part "
SHAPE, CHANGE = "answer_shape", "answer_shape_change"
#: Parts of a portion that are kept, the most frequent ones.
_MOST_PARTS = 200
_FINISHED = (RunState.DONE, RunState.PARTIAL)


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
    traits = {name: n for name, n in tally.traits.items() if name not in rare}
    examples = {
        name: attempt
        for name, attempt in tally.examples.items()
        if name.removeprefix("not ") not in rare
    }
    content = {
        "engine": engine, "parser": parser_id, "answers": tally.answers, "traits": traits,
        "examples": examples,
    }  # fmt: skip
    detail = canonical_json(content)
    now = datetime.now(UTC)
    events.add_event(connection, SHAPE, str(run_id), detail, now=now, run_id=run_id)


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
        sa.select(runs.c.id)
        .where(
            runs.c.job == run.job,
            runs.c.kind.not_in(AGAIN),
            runs.c.state.in_(_FINISHED),
            sa.or_(
                runs.c.due_at < run.due_at, (runs.c.due_at == run.due_at) & (runs.c.id < run.id)
            ),
        )
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(most)
    )
    return list(connection.execute(query).scalars())


def store_changes(connection: sa.Connection, run_id: int, changes: Mapping[str, str]) -> None:
    """Keep {engine: how its answers changed, or ""} of a run, where it is not kept already."""
    detail = canonical_json(dict(changes))
    if events.find_last_detail(connection, CHANGE, str(run_id)) != detail:
        now = datetime.now(UTC)
        events.add_event(connection, CHANGE, str(run_id), detail, now=now, run_id=run_id)


def read_changes(connection: sa.Connection, run_id: int) -> dict[str, str]:
    """Return {engine: how its answers changed, or ""} of the engines that could be judged."""
    detail = events.find_last_detail(connection, CHANGE, str(run_id))
    return dict(json.loads(detail)) if detail else {}
