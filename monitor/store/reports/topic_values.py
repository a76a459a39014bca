"""Runs with measures of one sort, and their values by topic, stereotype or query.

Queries read one run, or one point of each series.
"""

from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import Kind, RunKind, State
from monitor.store.access.embargoes import EmbargoFilter
from monitor.store.changes.series import ALL
from monitor.store.rows import group_rows
from monitor.store.schema import (
    engines,
    list_items,
    lists,
    point_facts,
    points,
    run_lists,
    runs,
    series_keys,
    topic_values,
)

#: Ticks; what is asked again or beside them is of a part of the questions.
_WHOLE = (RunKind.SCHEDULED, RunKind.MANUAL)

_OF_SERIES = ("list", "engine_id", "source_lang", "target", "measure", "reference")


class OverallPoint(NamedTuple):
    """A point over all questions, and what it is about."""

    series: int
    point: int
    run: int
    job: str
    due_at: datetime
    engine: str
    kind: Kind
    list: str
    engine_id: int
    source_lang: str
    target: str
    measure: str
    reference: str


class CompanionPoint(NamedTuple):
    """A point of the same run."""

    series: int
    point: int
    engine_id: int
    source_lang: str
    target: str
    quantity: str
    scope: str
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None
    used: int
    planned: int


def find_anchors(
    connection: sa.Connection,
    hidden: EmbargoFilter,
    quantities: Sequence[str],
    run_id: int | None = None,
) -> list[OverallPoint]:
    """Return points of some quantities over all questions: of a run, or the newest of each series.

    Whose answers are hidden has none: what is told of single topics would give its numbers away.
    """
    newest = (
        sa.select(points.c.id)
        .join(runs, runs.c.id == points.c.run_id)
        .where(points.c.series_id == series_keys.c.id, points.c.is_current,
               runs.c.kind.in_(_WHOLE))
        .order_by(points.c.due_at.desc(), points.c.id.desc())
        .limit(1)
        .correlate(series_keys)
        .scalar_subquery()
    )  # fmt: skip
    condition = points.c.id == newest
    if run_id is not None:
        is_here = (points.c.series_id == series_keys.c.id) & (points.c.run_id == run_id)
        condition = is_here & points.c.is_current
    s = series_keys
    query = (
        sa.select(
            s.c.id, points.c.id, runs.c.id, runs.c.job, points.c.due_at, engines.c.name,
            engines.c.kind, *(s.c[name] for name in _OF_SERIES),
        )
        .select_from(s)
        .join(points, condition)
        .join(runs, runs.c.id == points.c.run_id)
        .join(engines, engines.c.id == s.c.engine_id)
        .where(s.c.quantity.in_(quantities), s.c.scope == ALL)
        .where(hidden.series_shown(s.c.id), hidden.answers_shown(s.c.engine_id, s.c.target))
        .order_by(points.c.due_at.desc(), s.c.list, engines.c.name, s.c.id)
    )  # fmt: skip
    anchors = (OverallPoint._make(row) for row in connection.execute(query))
    return [anchor._replace(kind=Kind(anchor.kind)) for anchor in anchors]


def find_earlier(
    connection: sa.Connection, series_id: int, most: int
) -> list[tuple[int, datetime]]:
    """Return (run, due) of the newest points of a series."""
    query = (
        sa.select(points.c.run_id, points.c.due_at)
        .join(runs, runs.c.id == points.c.run_id)
        .where(points.c.series_id == series_id, points.c.is_current, runs.c.kind.in_(_WHOLE))
        .order_by(points.c.due_at.desc(), points.c.id.desc())
        .limit(most)
    )
    return [(row.run_id, row.due_at) for row in connection.execute(query)]


def find_companions(
    connection: sa.Connection,
    hidden: EmbargoFilter,
    anchors: Sequence[OverallPoint],
    quantities: Sequence[str],
) -> list[CompanionPoint]:
    """Return points of these systems in the anchors' run, of their list, measure and reference."""
    if not anchors:
        return []
    s, anchor = series_keys, anchors[0]
    query = (
        sa.select(
            s.c.id, points.c.id, s.c.engine_id, s.c.source_lang, s.c.target, s.c.quantity,
            s.c.scope, *(points.c[name] for name in (
                "state", "reason", "value", "low", "high", "bound_low", "bound_high", "used",
                "planned",
            )),
        )
        .join(points, points.c.series_id == s.c.id)
        .where(points.c.run_id == anchor.run, points.c.is_current, s.c.quantity.in_(quantities))
        .where(*(s.c[name] == getattr(anchor, name) for name in ("list", "measure", "reference")))
        .where(s.c.engine_id.in_(sorted({each.engine_id for each in anchors})))
        .where(hidden.series_shown(s.c.id))
        .order_by(s.c.id)
    )  # fmt: skip
    systems = {(each.engine_id, each.source_lang, each.target) for each in anchors}
    companions = (CompanionPoint._make(row) for row in connection.execute(query))
    return [
        row._replace(state=State(row.state))
        for row in companions
        if (row.engine_id, row.source_lang, row.target) in systems
    ]


def count_marked(connection: sa.Connection, point_ids: Sequence[int]) -> dict[int, int]:
    """Return {point: answers with a marked gender} of points that say so."""
    query = (
        sa.select(point_facts.c.point_id, sa.func.sum(point_facts.c.value))
        .where(
            point_facts.c.point_id.in_(point_ids), point_facts.c.key.in_(("masculine", "feminine"))
        )
        .group_by(point_facts.c.point_id)
    )
    return {row[0]: round(row[1]) for row in connection.execute(query)} if point_ids else {}


def read_facts(connection: sa.Connection, point_id: int) -> dict[str, float]:
    """Return what a point tells besides its value."""
    query = sa.select(point_facts.c.key, point_facts.c.value)
    fact_rows = connection.execute(query.where(point_facts.c.point_id == point_id))
    return {row.key: row.value for row in fact_rows}


_OF_TOPIC = (
    "topic", "state", "reason", "model", "model_low", "model_high", "target", "bias", "bound_low",
    "bound_high", "p", "q", "used", "planned", "labelled", "shown", "women", "men", "source",
    "country", "as_of",
)  # fmt: skip


def read_topics(connection: sa.Connection, point_id: int) -> list[dict[str, Any]]:
    """Return the topics of one point, in no order."""
    query = sa.select(*(topic_values.c[name] for name in _OF_TOPIC))
    topic_rows = connection.execute(query.where(topic_values.c.point_id == point_id))
    return [dict(zip(_OF_TOPIC, row, strict=True)) for row in topic_rows]


def list_topics(connection: sa.Connection, point_ids: Sequence[int]) -> list[str]:
    """Return the names of the topics of some points, each once, in their order."""
    query = sa.select(topic_values.c.topic).where(topic_values.c.point_id.in_(point_ids))
    return sorted(set(connection.execute(query.distinct()).scalars()))


def filter_with_values(connection: sa.Connection, point_ids: Sequence[int]) -> set[int]:
    """Return those of some points of which a topic has a value."""
    has = sa.exists().where(
        topic_values.c.point_id == points.c.id, topic_values.c.bias.is_not(None)
    )
    query = sa.select(points.c.id).where(points.c.id.in_(point_ids), has)
    return set(connection.execute(query).scalars())


def read_keys(connection: sa.Connection, run_id: int, name: str, tag: str) -> dict[str, list[str]]:
    """Return {value of a tag: keys of the items that have it} of a list as one run asked it."""
    value = list_items.c.tags[tag].as_string()
    query = (
        sa.select(value, list_items.c.key)
        .join(lists, lists.c.id == list_items.c.list_id)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id, lists.c.name == name, value.is_not(None))
    )
    by_topic = group_rows(connection.execute(query), itemgetter(0))
    return {topic: [key for _, key in topic_rows] for topic, topic_rows in by_topic.items()}
