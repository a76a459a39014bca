"""Runs and their answers as pages list them: a page at a time, found by keys and never counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import Outcome, RunKind, RunState
from monitor.store import first_read
from monitor.store.hidden import TARGET, Hidden
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
    connection: sa.Connection, hidden: Hidden, wanted: tuple[str, str, str], *, page: int, size: int
) -> list[Listed]:
    """Runs of a job, kind and state, the newest first, one more than a page if there are more."""
    job, kind, state = wanted
    columns = (runs.c[name] for name in Listed._fields)
    query = sa.select(*columns).order_by(runs.c.due_at.desc(), runs.c.id.desc())
    query = query.where(hidden.runs_shown(runs.c.id))
    for column, value in ((runs.c.job, job), (runs.c.kind, kind), (runs.c.state, state)):
        if value:
            query = query.where(column == value)
    found = connection.execute(query.limit(size + 1).offset((page - 1) * size))
    return [_listed(row) for row in found]


def run(connection: sa.Connection, hidden: Hidden, run_id: int) -> Listed | None:
    """A run by its number; None where there is none, or it is hidden."""
    columns = (runs.c[name] for name in Listed._fields)
    query = sa.select(*columns).where(runs.c.id == run_id, hidden.runs_shown(runs.c.id))
    row = connection.execute(query).one_or_none()
    return None if row is None else _listed(row)


def _listed(row: sa.Row[Any]) -> Listed:
    return Listed._make(row)._replace(kind=RunKind(row.kind), state=RunState(row.state))


def names(connection: sa.Connection, hidden: Hidden) -> list[str]:
    """The jobs that have runs."""
    query = sa.select(runs.c.job).distinct().order_by(runs.c.job)
    query = query.where(hidden.runs_shown(runs.c.id))
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
    return _systems(connection, sa.exists().where(*_asked(run_id)))


def systems_shown(connection: sa.Connection, hidden: Hidden, run_id: int) -> list[tuple[int, str]]:
    """(number, label) of those of which an answer may be seen."""
    if not hidden.evidence:
        return systems(connection, run_id)
    seen = (
        sa.select(attempts.c.id)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(*_asked(run_id), hidden.answers_shown(engines.c.id, TARGET))
        .correlate(engines)
    )
    return _systems(connection, seen.exists())


def _asked(run_id: int) -> tuple[sa.ColumnElement[bool], ...]:
    return attempts.c.run_id == run_id, attempts.c.engine_id == engines.c.id


def _systems(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[tuple[int, str]]:
    query = sa.select(engines.c.id, engines.c.name).where(which)
    return [(row.id, row.name) for row in connection.execute(query.order_by(engines.c.name))]


def answers(
    connection: sa.Connection,
    run_id: int,
    wanted: Wanted,
    hidden: Hidden,
    *,
    after: int,
    size: int,
) -> list[Answer]:
    """Attempts of a run after one, in the order they were planned, one more than a page."""
    chosen = sa.select(attempts.c.id).where(*_wanted(run_id, wanted, hidden))
    query = first_read.joined(
        sa.select(
            attempts.c.id, _key(run_id), probes.c.text, probes.c.source_lang,
            TARGET.label("target"), engines.c.name, *first_read.COLUMNS,
        )
        .join(probes, probes.c.id == attempts.c.probe_id)
        .join(engines, engines.c.id == attempts.c.engine_id)
    )  # fmt: skip
    numbers = _first(connection, chosen, wanted.outcome, after, size + 1)
    query = query.where(attempts.c.id.in_(numbers)).order_by(attempts.c.id)
    return [Answer._make(row) for row in connection.execute(query)]


def _wanted(run_id: int, wanted: Wanted, hidden: Hidden) -> Iterator[sa.ColumnElement[bool]]:
    """What is asked of an attempt, but for how it ended."""
    yield attempts.c.run_id == run_id
    if wanted.engine:
        named = sa.select(engines.c.id).where(engines.c.name == wanted.engine)
        yield attempts.c.engine_id.in_(named)
    if wanted.key:
        yield attempts.c.probe_id.in_(sa.select(_probes_of(run_id, wanted.key).c.probe_id))
    if wanted.target or hidden.evidence:
        asked = sa.exists().where(
            probes.c.id == attempts.c.probe_id,
            TARGET.in_((wanted.target,)) if wanted.target else sa.true(),
            hidden.answers_shown(attempts.c.engine_id, TARGET),
        )
        yield asked.correlate(attempts)


def _first(
    connection: sa.Connection, chosen: sa.Select[Any], outcome: str, after: int, most: int
) -> list[int]:
    """The first of the chosen attempts after one that ended so.

    Numbers alone: to read how each attempt of a run ended, until enough are found, takes a second
    where few ended so.
    """
    found: list[int] = []
    for ended in first_read.ended(outcome):
        query = ended(chosen.where(attempts.c.id > after))
        if len(found) == most:
            query = query.where(attempts.c.id < found[-1])
        more = connection.execute(query.order_by(attempts.c.id).limit(most)).scalars()
        found = sorted([*found, *more])[:most]
    return found


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


def _probes_of(run_id: int, beginning: str) -> sa.CTE:
    """What list items ask in a run whose keys begin so; found once, not for each attempt."""
    query = (
        sa.select(list_probes.c.probe_id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .join(run_lists, run_lists.c.list_id == list_items.c.list_id)
        .where(run_lists.c.run_id == run_id)
        .where(sa.func.substr(list_items.c.key, 1, len(beginning)) == beginning)
    )
    return query.cte("asked").prefix_with("MATERIALIZED")


#: What can have become of a question.
OUTCOMES = (*(one.value for one in Outcome), first_read.NOT_ASKED)
