"""Points, their facts and topics, and the series and signatures that they belong to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from monitor.model import Json, QueryValue, Result, TopicValue, Value, digest
from monitor.store import rows
from monitor.store.runs import Run
from monitor.store.schema import (
    point_facts,
    points,
    query_values,
    scopes,
    series_keys,
    signatures,
    topic_values,
)


@dataclass(frozen=True, slots=True)
class SeriesKey:
    """What a series is about, quantity and scope apart."""

    job: str
    list: str  # name without version
    engine_id: int
    engine: tuple[str, str, str]  # name, surface, config hash
    source_lang: str
    target: str
    measure: str
    reference: str

    @property
    def identity(self) -> str:
        """Hash of the parts that all its series share; the job is not one of them."""
        parts = [self.list, *self.engine, self.source_lang, self.target, self.measure]
        return digest([*parts, self.reference])

    def row(self, quantity: str, scope: str) -> dict[str, object]:
        """The row of one of its series."""
        return {
            "key": digest([self.identity, quantity, scope]),
            "job": self.job,
            "list": self.list,
            "engine_id": self.engine_id,
            "source_lang": self.source_lang,
            "target": self.target,
            "measure": self.measure,
            "quantity": quantity,
            "reference": self.reference,
            "scope": scope,
        }


def signature_id(connection: sa.Connection, parts: Mapping[str, Json]) -> int:
    """Id of a signature, stored with its parts."""
    return rows.get_or_insert(
        connection, signatures, {"hash": digest(parts)}, {"parts": dict(parts)}
    )


def store(
    connection: sa.Connection,
    run: Run,
    key: SeriesKey,
    signature: int,
    result: Result,
    inputs_digest: str,
    now: datetime,
) -> int:
    """Store a measure's result. The same inputs write nothing; newer inputs add newer rows.

    The rows of this signature and these inputs become the current ones of their series and run.
    Returns the number of points written.
    """
    content = [key.row(value.name, value.scope) for value in result.values]
    ids = rows.ids_by_key(connection, series_keys, content)
    wanted = [
        (ids[str(row["key"])], value) for row, value in zip(content, result.values, strict=True)
    ]
    series = [series_id for series_id, _ in wanted]
    mine = points.c.series_id.in_(series) & (points.c.run_id == run.id)
    stored = sa.select(points.c.series_id, points.c.signature_id, points.c.inputs_digest).where(
        mine
    )
    known = {tuple(row) for row in connection.execute(stored)}
    fresh = [(s, value) for s, value in wanted if (s, signature, inputs_digest) not in known]
    ours = (points.c.signature_id == signature) & (points.c.inputs_digest == inputs_digest)
    change = sa.update(points).where(mine, points.c.is_current != ours).values(is_current=ours)
    connection.execute(change)
    if not fresh:
        return 0
    point_ids = rows.insert_returning(
        connection,
        points,
        [
            _point(series_id, run, signature, value, inputs_digest, now)
            for series_id, value in fresh
        ],
    )
    facts = [
        {"point_id": point_id, "key": name, "value": float(number)}
        for point_id, (_, value) in zip(point_ids, fresh, strict=True)
        for name, number in value.facts
    ]
    if facts:
        connection.execute(sa.insert(point_facts), facts)
    if result.topics and len(fresh) == len(wanted):  # else they stand with an earlier point
        content = [_topic(point_ids[0], topic) for topic in result.topics]
        connection.execute(sa.insert(topic_values), content)
    _store_queries(connection, point_ids, fresh, result.queries)
    return len(point_ids)


def _store_queries(
    connection: sa.Connection,
    point_ids: Sequence[int],
    fresh: Sequence[tuple[int, Value]],
    queries: Sequence[QueryValue],
) -> None:
    """Store what the points over all queries are made of."""
    point_of = {
        value.name: point_id
        for point_id, (_, value) in zip(point_ids, fresh, strict=True)
        if value.scope == "all"
    }
    content = [
        {
            "point_id": point_of[one.quantity],
            "key": one.key,
            "state": one.state,
            "reason": one.reason,
            "value": _number(one.value),
            "bound_low": _number(one.bound_low),
            "bound_high": _number(one.bound_high),
            "x": _number(one.x),
            "influence": _number(one.influence),
            "documents": int(one.documents),
            "used": int(one.used),
            "missing": int(one.missing),
            "empty": int(one.empty),
        }
        for one in queries
        if one.quantity in point_of
    ]
    if content:
        connection.execute(sa.insert(query_values), content)


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _point(
    series_id: int, run: Run, signature: int, value: Value, inputs_digest: str, now: datetime
) -> dict[str, object]:
    return {
        "series_id": series_id,
        "run_id": run.id,
        "signature_id": signature,
        "due_at": run.due_at,
        "state": value.state,
        "reason": value.reason,
        "value": _number(value.value),
        "low": _number(value.low),
        "high": _number(value.high),
        "bound_low": _number(value.bound_low),
        "bound_high": _number(value.bound_high),
        "flags": [str(flag) for flag in value.flags],
        "planned": int(value.planned),
        "answered": int(value.answered),
        "used": int(value.used),
        "unidentified": int(value.unidentified),
        "inputs_digest": inputs_digest,
        "computed_at": now,
        "is_current": True,
    }


def _topic(point_id: int, topic: TopicValue) -> dict[str, object]:
    return {
        "point_id": point_id,
        "topic": topic.topic,
        "state": topic.state,
        "reason": topic.reason,
        "women": float(topic.women),
        "men": float(topic.men),
        "model": _number(topic.model),
        "model_low": _number(topic.model_low),
        "model_high": _number(topic.model_high),
        "target": _number(topic.target),
        "bias": _number(topic.bias),
        "bound_low": _number(topic.bound_low),
        "bound_high": _number(topic.bound_high),
        "planned": int(topic.planned),
        "answered": int(topic.answered),
        "used": int(topic.used),
        "unidentified": int(topic.unidentified),
        "source": topic.source,
        "country": topic.country,
        "as_of": topic.as_of,
        "shown": int(topic.shown),
        "labelled": int(topic.labelled),
        "p": _number(topic.p),
        "q": _number(topic.q),
    }


def keep_scopes(connection: sa.Connection, titles: Sequence[tuple[str, str, str]]) -> None:
    """Keep what scopes stand for: (scope, about, title)."""
    content = [{"scope": scope, "about": about, "title": title} for scope, about, title in titles]
    rows.insert_ignore(connection, scopes, content)
