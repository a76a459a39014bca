"""Runs and their answers as pages list them: a page at a time, found by keys and never counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import Outcome, RunKind, RunState
from monitor.store import first_read
from monitor.store.schema import (
    attempts,
    engines,
    jobs,
    list_items,
    list_probes,
    lists,
    points,
    probes,
    run_lists,
    runs,
    series_keys,
    stages_done,
)
from monitor.store.series import ALL


class Listed(NamedTuple):
    """A run in a list."""

    id: int
    job: str
    due_at: datetime
    kind: RunKind
    state: RunState
    created_at: datetime
    finished_at: datetime | None
    code_version: str


class Detail(NamedTuple):
    """What a run is, beside its numbers."""

    job_hash: str
    job: dict[str, Any]
    seed: str
    lists: Sequence[str]
    stages: Sequence[tuple[str, str, datetime]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which answers of a run; empty fits anything. `key` is the beginning of a list item's key."""

    engine: str = ""
    target: str = ""
    outcome: str = ""
    key: str = ""


class Answer(NamedTuple):
    """One attempt at a question, with the first entry of what was read and how it was heard."""

    attempt: int
    key: str
    question: str
    source_lang: str
    target: str
    engine: str
    outcome: str
    reason: str
    text: str
    gender: str


def newest(
    connection: sa.Connection, job: str, kind: str, state: str, *, page: int, size: int
) -> list[Listed]:
    """Runs, the newest first, one more than a page if there are more."""
    columns = (runs.c[name] for name in Listed._fields)
    query = sa.select(*columns).order_by(runs.c.due_at.desc(), runs.c.id.desc())
    for column, value in ((runs.c.job, job), (runs.c.kind, kind), (runs.c.state, state)):
        if value:
            query = query.where(column == value)
    found = connection.execute(query.limit(size + 1).offset((page - 1) * size))
    return [_listed(row) for row in found]


def run(connection: sa.Connection, run_id: int) -> Listed | None:
    """A run by its number."""
    columns = (runs.c[name] for name in Listed._fields)
    row = connection.execute(sa.select(*columns).where(runs.c.id == run_id)).one_or_none()
    return None if row is None else _listed(row)


def _listed(row: sa.Row[Any]) -> Listed:
    return Listed._make(row)._replace(kind=RunKind(row.kind), state=RunState(row.state))


def names(connection: sa.Connection) -> list[str]:
    """The jobs that have runs."""
    query = sa.select(runs.c.job).distinct().order_by(runs.c.job)
    return list(connection.execute(query).scalars())


def detail(connection: sa.Connection, run_id: int) -> Detail:
    """What a run was made from, and which stages have seen it with which version."""
    of_job = (
        sa.select(jobs.c.content_hash, jobs.c.content, runs.c.seed)
        .join(runs, runs.c.job_id == jobs.c.id)
        .where(runs.c.id == run_id)
    )
    row = connection.execute(of_job).one()
    asked = (
        sa.select(lists.c.name, lists.c.version)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id)
        .order_by(lists.c.name)
    )
    done = (
        sa.select(stages_done.c.stage, stages_done.c.version, stages_done.c.done_at)
        .where(stages_done.c.run_id == run_id)
        .order_by(stages_done.c.done_at, stages_done.c.stage)
    )
    return Detail(
        row.content_hash, row.content, row.seed,
        [f"{one.name}@{one.version}" for one in connection.execute(asked)],
        [(one.stage, one.version, one.done_at) for one in connection.execute(done)],
    )  # fmt: skip


def series_of(connection: sa.Connection, run_id: int) -> list[tuple[int, int]]:
    """(series, point) over all questions that a run has current points of."""
    query = (
        sa.select(points.c.series_id, points.c.id)
        .join(series_keys, series_keys.c.id == points.c.series_id)
        .where(points.c.run_id == run_id, points.c.is_current, series_keys.c.scope == ALL)
        .order_by(points.c.series_id)
    )
    return [(row.series_id, row.id) for row in connection.execute(query)]


def systems(connection: sa.Connection, run_id: int) -> list[tuple[int, str]]:
    """(number, label) of the engines that a run asks."""
    asked = sa.exists().where(attempts.c.run_id == run_id, attempts.c.engine_id == engines.c.id)
    query = sa.select(engines.c.id, engines.c.name).where(asked)
    return [(row.id, row.name) for row in connection.execute(query.order_by(engines.c.name))]


def answers(
    connection: sa.Connection,
    run_id: int,
    wanted: Wanted,
    hidden: frozenset[tuple[int, str]],
    *,
    after: int,
    size: int,
) -> list[Answer]:
    """Attempts of a run after one, in the order they were planned, one more than a page.

    `hidden` are (engine, target) that are left out.
    """
    target = sa.case((probes.c.region != "", probes.c.region), else_=probes.c.target_lang)
    query = first_read.joined(
        sa.select(
            attempts.c.id, _key(run_id), probes.c.text, probes.c.source_lang,
            target.label("target"), engines.c.name, *first_read.COLUMNS,
        )
        .join(probes, probes.c.id == attempts.c.probe_id)
        .join(engines, engines.c.id == attempts.c.engine_id)
    )  # fmt: skip
    query = query.where(attempts.c.run_id == run_id, attempts.c.id > after)
    query = query.order_by(attempts.c.id).limit(size + 1)
    if wanted.engine:
        query = query.where(engines.c.name == wanted.engine)
    if wanted.target:
        query = query.where(target == wanted.target)
    if wanted.outcome:
        query = query.where(first_read.outcome() == wanted.outcome)
    if wanted.key:
        query = query.where(_has_key(run_id, wanted.key))
    for engine, of_target in sorted(hidden):
        query = query.where(~((attempts.c.engine_id == engine) & (target == of_target)))
    return [Answer._make(row) for row in connection.execute(query)]


def _items_of(run_id: int) -> sa.Select[Any]:
    """List items that ask the probe of an attempt in a run."""
    return (
        sa.select(sa.func.min(list_items.c.key))
        .join(list_probes, list_probes.c.list_item_id == list_items.c.id)
        .join(run_lists, run_lists.c.list_id == list_items.c.list_id)
        .where(run_lists.c.run_id == run_id, list_probes.c.probe_id == attempts.c.probe_id)
        .correlate(attempts)
    )


def _key(run_id: int) -> sa.ScalarSelect[Any]:
    return sa.func.coalesce(_items_of(run_id).scalar_subquery(), "").label("key")  # type: ignore[return-value]


def _has_key(run_id: int, beginning: str) -> sa.ColumnElement[bool]:
    fits = sa.func.substr(list_items.c.key, 1, len(beginning)) == beginning
    return _items_of(run_id).where(fits).scalar_subquery().is_not(None)


#: What can have become of a question.
OUTCOMES = (*(one.value for one in Outcome), "not asked")
