"""What stands around one answer: how each part was read, and what the same system said before."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.store import first_read
from monitor.store.schema import (
    agreements,
    attempts,
    bodies,
    exchanges,
    items,
    probes,
    readings,
    runs,
    versions,
)
from monitor.store.selectables import TARGET, newest_reading

#: Runs of the job that are looked through for other answers.
_RUNS = 60
#: Of these, so many at once.
_AT_ONCE = 15


class Heard(NamedTuple):
    """How one part of an answer was read for grammatical gender, by the newest rules first."""

    rank: int
    text: str
    cue: str
    gender: str  # class of the text
    rule: str
    witnesses: Sequence[dict[str, Any]]
    language: str
    version: str


class Other(NamedTuple):
    """Another answer of the same system to the same question."""

    attempt: int
    run: int
    due_at: datetime
    outcome: str
    reason: str
    text: str
    gender: str
    sha256: str


class About(NamedTuple):
    """What decides who may see an answer."""

    run_id: int
    engine_id: int
    target: str
    probe_id: int
    is_search: bool


def about(connection: sa.Connection, attempt_id: int) -> About | None:
    """Whose answer it is, and to what; None where there is no such attempt."""
    query = (
        sa.select(
            attempts.c.run_id, attempts.c.engine_id, TARGET, attempts.c.probe_id,
            probes.c.region != "",
        )
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(attempts.c.id == attempt_id)
    )  # fmt: skip
    row = connection.execute(query).one_or_none()
    return None if row is None else About._make(row)


def heard(connection: sa.Connection, attempt_id: int) -> list[Heard]:
    """Return how the newest reading of an answer was read for gender, part by part."""
    return heard_in(connection, [attempt_id]).get(attempt_id, [])


def heard_in(connection: sa.Connection, attempt_ids: Sequence[int]) -> dict[int, list[Heard]]:
    """Return {attempt: how the newest reading of its answer was read for gender, part by part}."""
    wanted = sa.bindparam(
        None, sorted(attempt_ids), sa.Integer, expanding=True, literal_execute=True
    )
    query = (
        sa.select(
            attempts.c.id, items.c.rank, items.c.text, agreements.c.cue, agreements.c["class"],
            agreements.c.rule, agreements.c.witnesses, versions.c.name, versions.c.version,
        )
        .select_from(attempts)
        .join(readings, newest_reading())
        .join(items, items.c.reading_id == readings.c.id)
        .join(agreements, agreements.c.item_id == items.c.id)
        .join(versions, versions.c.id == agreements.c.language_id)
        .where(attempts.c.id.in_(wanted))
        .order_by(items.c.rank, items.c.id, agreements.c.cue, agreements.c.language_id.desc())
    )  # fmt: skip
    by_attempt: dict[int, list[Heard]] = {}
    for attempt, *row in connection.execute(query):
        by_attempt.setdefault(attempt, []).append(Heard._make(row))
    return by_attempt


def others(connection: sa.Connection, attempt_id: int, known: About, limit: int) -> list[Other]:
    """Final answers of the same system to the same question at the newest runs of its job."""
    query = (
        first_read.joined(
            sa.select(
                attempts.c.id,
                attempts.c.run_id,
                runs.c.due_at,
                *first_read.COLUMNS,
                sa.func.coalesce(bodies.c.sha256, ""),
            ).join(runs, runs.c.id == attempts.c.run_id)
        )
        .outerjoin(bodies, bodies.c.id == exchanges.c.body_id)
        .where(attempts.c.id.in_(_others(connection, attempt_id, known, limit)))
        .order_by(runs.c.due_at.desc(), runs.c.id.desc(), attempts.c.id.desc())
    )
    return [Other._make(row) for row in connection.execute(query)]


def _others(connection: sa.Connection, attempt_id: int, known: About, limit: int) -> list[int]:
    """Which attempts these are, the newest first.

    Looked up in some runs at a time, by the key of attempts: what a run holds of a question lies
    elsewhere on the disk for each run, and a few runs have as many as are shown.
    """
    mine = (
        sa.select(attempts.c.id)
        .join(runs, runs.c.id == attempts.c.run_id)
        .where(
            attempts.c.engine_id == known.engine_id,
            attempts.c.probe_id == known.probe_id,
            attempts.c.final,
            attempts.c.id != attempt_id,
        )
        .order_by(runs.c.due_at.desc(), runs.c.id.desc(), attempts.c.id.desc())
    )
    todo, found = _newest(connection, known.run_id), list[int]()
    while todo and len(found) < limit:
        here, todo = todo[:_AT_ONCE], todo[_AT_ONCE:]
        found += connection.execute(mine.where(attempts.c.run_id.in_(here))).scalars()
    return found[:limit]


def _newest(connection: sa.Connection, run_id: int) -> list[int]:
    """The newest runs of the job of a run, in the order in which they were due."""
    job = sa.select(runs.c.job).where(runs.c.id == run_id).scalar_subquery()
    query = sa.select(runs.c.id, runs.c.due_at).where(runs.c.job == job)
    found = connection.execute(query.order_by(runs.c.id.desc()).limit(_RUNS)).all()
    return [row.id for row in sorted(found, key=lambda row: (row.due_at, row.id), reverse=True)]
