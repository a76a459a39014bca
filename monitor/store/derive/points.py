"""Points, their facts and topics, and the series that they belong to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

import sqlalchemy as sa

from monitor.change import Paired
from monitor.model import Engine, QueryValue, Reference, Result, Value, digest
from monitor.store import rows
from monitor.store.collect.runs import Run
from monitor.store.derive import signatures
from monitor.store.schema import (
    point_facts,
    points,
    query_values,
    scopes,
    series_keys,
    topic_values,
)

if TYPE_CHECKING:  # 80 ms, with pydantic
    from monitor.jobs import EngineUse
    from monitor.lists import ProbeList


@dataclass(frozen=True, slots=True)
class SeriesKey:
    """The key of a series without quantity and scope."""

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
        """Return the row of one of its series."""
        key = digest([self.identity, quantity, scope])
        return rows.make_row(series_keys, self, key=key, quantity=quantity, scope=scope)


class SeriesMeasure(Protocol):
    """A measure on a list, against a reference or none."""

    @property
    def name(self) -> str: ...
    @property
    def probe_list(self) -> "ProbeList": ...
    @property
    def reference(self) -> Reference | None: ...


def make_series_key(
    job: str,
    use: "EngineUse",
    engine: Engine,
    engine_id: int,
    pair: tuple[str, str],
    measured: SeriesMeasure,
) -> SeriesKey:
    """Return the key of a system's series; `pair` is (source language, target)."""
    source, target = pair
    return SeriesKey(
        job=job,
        list=measured.probe_list.name,
        engine_id=engine_id,
        engine=(use.label(engine), engine.surface, use.config_hash),
        source_lang=source,
        target=target,
        measure=measured.name,
        reference=measured.reference.name if measured.reference else "",
    )


def ensure_series(
    connection: sa.Connection, key: SeriesKey, values: Sequence[Value] | Sequence[Paired]
) -> list[int]:
    """Return ids of the series of some values, in their order; new ones are inserted."""
    content = [key.row(value.name, value.scope) for value in values]
    ids = rows.ids_by_key(connection, series_keys, content)
    return [ids[str(row["key"])] for row in content]


def find_series_ids(connection: sa.Connection, keys: Iterable[str]) -> dict[str, int]:
    """Return {key: id} of the series that exist."""
    return rows.find_ids(connection, series_keys, keys)


def store_result(
    connection: sa.Connection,
    run: Run,
    key: SeriesKey,
    signature: int,
    result: Result,
    inputs_digest: str,
    now: datetime,
) -> int:
    """Store a measure's result. The same inputs write nothing; newer inputs add newer rows.

    The rows of these inputs become the newest ones of their series, run and signature. A series
    without any point takes this signature; others go over to it when it is complete, see
    `signatures.switch_series`. Returns the number of points written.
    """
    series = ensure_series(connection, key, result.values)
    signatures.assign_signature(connection, series, signature)
    same_run = (
        points.c.series_id.in_(series)
        & (points.c.run_id == run.id)
        & (points.c.signature_id == signature)
    )
    stored = sa.select(points.c.series_id).where(same_run, points.c.inputs_digest == inputs_digest)
    stored_digests = set(connection.execute(stored).scalars())
    series_values = list(zip(series, result.values, strict=True))
    fresh = [(number, value) for number, value in series_values if number not in stored_digests]
    same_inputs = points.c.inputs_digest == inputs_digest
    change = sa.update(points).where(same_run, points.c.is_newest != same_inputs)
    connection.execute(change.values(is_newest=same_inputs))
    point_ids = _insert_points(connection, run, signature, fresh, inputs_digest, now)
    if fresh and len(fresh) == len(series_values):  # else an earlier point has them
        content = [
            rows.make_row(topic_values, topic, point_id=point_ids[0]) for topic in result.topics
        ]
        rows.insert_rows(connection, topic_values, content)
    _store_queries(connection, point_ids, fresh, result.queries)
    signatures.update_shown_points(connection, series, run.id)
    return len(point_ids)


def _insert_points(
    connection: sa.Connection,
    run: Run,
    signature: int,
    fresh: Sequence[tuple[int, Value]],
    inputs_digest: str,
    now: datetime,
) -> list[int]:
    """Insert points with their facts; returns their ids."""
    columns = {
        "run_id": run.id, "signature_id": signature, "due_at": run.due_at,
        "inputs_digest": inputs_digest, "computed_at": now, "is_newest": True,
        "is_current": False,  # `signatures.update_shown_points` sets it
    }  # fmt: skip
    content = [
        rows.make_row(points, value, series_id=number, flags=list(map(str, value.flags)), **columns)
        for number, value in fresh
    ]
    point_ids = rows.insert_returning(connection, points, content)
    facts = [
        {"point_id": point_id, "key": name, "value": float(number)}
        for point_id, (_, value) in zip(point_ids, fresh, strict=True)
        for name, number in value.facts
    ]
    rows.insert_rows(connection, point_facts, facts)
    return point_ids


def _store_queries(
    connection: sa.Connection,
    point_ids: Sequence[int],
    fresh: Sequence[tuple[int, Value]],
    queries: Sequence[QueryValue],
) -> None:
    """Store the values of single queries behind points over all queries."""
    point_of = {
        value.name: point_id
        for point_id, (_, value) in zip(point_ids, fresh, strict=True)
        if value.scope == "all"
    }
    content = [
        rows.make_row(query_values, query_value, point_id=point_of[query_value.quantity])
        for query_value in queries
        if query_value.quantity in point_of
    ]
    rows.insert_rows(connection, query_values, content)


def store_scopes(connection: sa.Connection, titles: Sequence[tuple[str, str, str]]) -> None:
    """Keep what scopes stand for: (scope, about, title)."""
    content = [{"scope": scope, "about": about, "title": title} for scope, about, title in titles]
    rows.insert_ignore(connection, scopes, content)
