"""Rows of a release: views of an archive as plain values, a few at a time.

Rows hold nothing that is restricted: no look-up, no label of a single person, no title, text or
address of a result that shows one. The same database gives the same rows in the same order.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from types import NoneType
from typing import Any

import sqlalchemy as sa

from monitor.model import InvalidInput, canonical_json
from monitor.store import selectables
from monitor.store.publish import data_dictionary
from monitor.store.publish.data_dictionary import ViewColumn
from monitor.store.rows import UtcDateTime
from monitor.store.schema import item_entities, lists, run_lists, runs
from monitor.store.selectables import SERIES_POINTS
from monitor.text.near_names import hint

#: Rows that are in memory at once.
PORTION = 5_000

Row = tuple[Any, ...]
#: The values of one column, in the order of their rows.
Values = Sequence[Any]
#: Where gender is read from the people that a page shows.
_PEOPLE = "people"
#: Columns of answers that hold what an engine wrote.
_WRITTEN = ("text", "title", "url")
_STORED: Mapping[str, Any] = {"datetime": UtcDateTime, "json": sa.JSON, "boolean": sa.Boolean}


@dataclass(frozen=True, slots=True)
class ReleaseSelection:
    """The content of a release. Empty jobs are all; `until` is the last due time."""

    jobs: Sequence[str] = ()
    until: datetime | None = None
    full: bool = False


@dataclass(frozen=True, slots=True)
class Resource:
    """One table of a release: the view that it is made from, its columns, key and order.

    `time` is the column that a release until a time is cut at. `by_run` reads it run by run, so
    that no database has to sort all of it; not where a view sums up all answers for every question.
    """

    name: str
    title: str
    columns: tuple[ViewColumn, ...]
    key: tuple[str, ...]
    time: str = ""
    by_run: bool = False
    nullable_key: bool = False


def _make_resource(
    name: str,
    key: str,
    time: str = "due_at",
    leave_out: str = "",
    *,
    by_run: bool = False,
    nullable_key: bool = False,
) -> Resource:
    view = data_dictionary.read_views()[name]
    columns = tuple(column for column in view.columns if column.name not in leave_out.split())
    return Resource(name, view.meaning, columns, tuple(key.split()), time, by_run, nullable_key)


def list_resources(*, full: bool) -> list[Resource]:
    """Return the tables of a release, in the order of its description."""
    series = "series_id job list engine surface source_lang target measure quantity reference scope"
    points = data_dictionary.read_views()["series_points"]
    summary = tuple(
        points.column(column_name) for column_name in f"{series} scope_title signature".split()
    )
    counts = data_dictionary.read_views()["series"]
    summary += tuple(
        counts.column(column_name)
        for column_name in ("n_ticks", "n_measured", "first_due_at", "last_due_at")
    )
    return [
        Resource("series", "every time series, and how much of it was measured.", summary,
                 ("series_id", "job")),
        _make_resource("series_points", "series_id due_at job"),
        _make_resource("points_current", "point_id", by_run=True),
        _make_resource("comparisons_current", "comparison_id"),
        _make_resource("changes_current", "change_id", "detected_at"),
        _make_resource("ledger", "job due_at"),
        _make_resource("due_ticks", "job due_at"),
        _make_resource("coverage", "run_id list engine source_lang target"),
        _make_resource("masculine_rates", "point_id", by_run=True),
        _make_resource("topics_current", "point_id topic", by_run=True),
        _make_resource("queries_current", "point_id key", by_run=True),
        _make_resource("pronouns", "run_id list engine source_lang target occupation pronoun",
                  nullable_key=True),
        _make_resource("requests", "run_id engine surface purpose"),
        _make_resource("corpora_current", "corpus_id"),
        _make_resource("series_switches", "series_id switched_at", "switched_at"),
        _make_resource("instruments", "signature", ""),
        _make_answers_resource(full=full),
    ]  # fmt: skip


def _make_answers_resource(*, full: bool) -> Resource:
    """Return the table of answers with their texts, or with digests of them."""
    key = "attempt_id list item_key item_id"
    resource = _make_resource(
        "answers", key, leave_out="exchange_id", by_run=True, nullable_key=True
    )
    columns = []
    for column in resource.columns:
        if column.name in _WRITTEN and not full:
            meaning = f"SHA-256 of: {column.meaning}"
            columns.append(ViewColumn(f"{column.name}_sha256", "text", meaning, null=True))
        elif column.name != "witnesses" or full:
            columns.append(column)
    withheld = "what the row leaves out: person (the result shows a person); empty: nothing"
    return replace(resource, columns=(*columns, ViewColumn("withheld", "text", withheld)))


# --- rows -----------------------------------------------------------------------------------------


def read_rows(
    connection: sa.Connection,
    resource: Resource,
    selection: ReleaseSelection,
    where: Sequence[sa.ColumnElement[bool]] = (),
) -> Iterator[list[Row]]:
    """Yield portions of rows with values of the columns' types; times are in UTC.

    Where there are conditions they are for one query; without, tables are read run by run.
    """
    query = _SPECIAL.get(resource.name, _select_view)(resource, selection)
    queries = (
        [query.where(*where)] if where else _split_query(connection, resource, selection, query)
    )
    for part in queries:
        # yield_per: the server keeps what was not fetched yet
        result = connection.execute(part, execution_options={"yield_per": PORTION})
        names = tuple(result.keys())
        for partition in result.partitions():
            values = dict(zip(names, zip(*partition, strict=True), strict=True))
            if resource.name == "answers":
                values = _redact_answers(values, full=selection.full)
            columns = [_convert_values(values[c.name], c.type) for c in resource.columns]
            yield list(zip(*columns, strict=True))


def _split_query(
    connection: sa.Connection,
    resource: Resource,
    selection: ReleaseSelection,
    query: sa.Select[Any],
) -> Iterator[sa.Select[Any]]:
    """Yield the query, or one for each run."""
    if not resource.by_run:
        yield query
        return
    for number in find_runs(connection, selection):
        yield query.where(sa.column("run_id") == number)


def find_runs(connection: sa.Connection, selection: ReleaseSelection) -> list[int]:
    """Return the runs of a release in their order."""
    query = sa.select(runs.c.id).order_by(runs.c.id)
    if selection.jobs:
        query = query.where(runs.c.job.in_(selection.jobs))
    if selection.until:
        query = query.where(runs.c.due_at <= selection.until)
    return [int(number) for number in connection.execute(query).scalars()]


def _view_table(name: str, columns: Sequence[ViewColumn]) -> sa.TableClause:
    return sa.table(name, *(sa.column(column.name, _stored_column(column)) for column in columns))


def _stored_column(column: ViewColumn) -> Any:  # noqa: ANN401 - a type of a column
    return _STORED.get(column.type)


def _select_view(resource: Resource, selection: ReleaseSelection) -> sa.Select[Any]:
    view = _view_table(resource.name, resource.columns)
    order = [view.c[name] for name in resource.key]
    query = sa.select(*_list_columns(view)).order_by(*_order_columns(resource, order))
    if selection.jobs and "job" in view.c:
        query = query.where(view.c.job.in_(selection.jobs))
    if selection.until and resource.time:
        query = query.where(view.c[resource.time] <= selection.until)
    return query


def _list_columns(view: sa.TableClause) -> list[sa.ColumnElement[Any]]:
    """Return the columns of a view, JSON as text: `_rewrite_json` parses it once for equal rows."""
    return [
        sa.cast(column, sa.Text).label(column.name) if isinstance(column.type, sa.JSON) else column
        for column in view.c
    ]


def _order_columns(resource: Resource, columns: Sequence[sa.ColumnElement[Any]]) -> list[Any]:
    """Return columns to order by, NULL first on both databases."""
    return [column.asc().nulls_first() if resource.nullable_key else column for column in columns]


def _select_series(resource: Resource, selection: ReleaseSelection) -> sa.Select[Any]:
    """Return the query of series, counted over the ticks of the release."""
    plain_columns = [column for column in resource.columns if column.name not in _COUNTED]
    grid = _view_table(
        "series_points",
        [*plain_columns, ViewColumn("due_at", "datetime", ""), ViewColumn("state", "text", "")],
    )
    is_measured = sa.case((grid.c.state == "measured", 1), else_=0)
    same = [grid.c[column.name] for column in plain_columns]
    query = sa.select(
        *same,
        sa.func.count().label("n_ticks"),
        sa.func.sum(is_measured).label("n_measured"),
        sa.func.min(grid.c.due_at, type_=UtcDateTime).label("first_due_at"),
        sa.func.max(grid.c.due_at, type_=UtcDateTime).label("last_due_at"),
    ).group_by(*same)
    if selection.jobs:
        query = query.where(grid.c.job.in_(selection.jobs))
    if selection.until:
        query = query.where(grid.c.due_at <= selection.until)
    return query.order_by(grid.c.series_id, grid.c.job)


_COUNTED = ("n_ticks", "n_measured", "first_due_at", "last_due_at")


def _select_answers(resource: Resource, selection: ReleaseSelection) -> sa.Select[Any]:
    """Return the query of answers with a mark of results that show a person."""
    view = _view_table("answers", data_dictionary.read_views()["answers"].columns)
    shows = sa.exists().where(item_entities.c.item_id == view.c.item_id)
    shows_person = sa.or_(shows, view.c.cue == _PEOPLE).label("shows_person")
    query = sa.select(*_list_columns(view), shows_person)
    if selection.until:
        query = query.where(view.c.due_at <= selection.until)
    return query.order_by(*_order_columns(resource, [view.c[name] for name in resource.key]))


def _select_switches(resource: Resource, selection: ReleaseSelection) -> sa.Select[Any]:
    """Return the query of switches of the series of the release."""
    query = _select_view(resource, selection)
    if not selection.jobs:
        return query
    grid = SERIES_POINTS.c
    selected_series = sa.select(grid.series_id).where(grid.job.in_(selection.jobs))
    return query.where(sa.column("series_id").in_(selected_series))


def _select_instruments(resource: Resource, selection: ReleaseSelection) -> sa.Select[Any]:
    """Return the query of the signatures of the values of the release."""
    query = _select_view(resource, selection)
    view = selectables.view("points_current", "signature job due_at")
    used_signatures = sa.select(view.c.signature)
    if selection.jobs:
        used_signatures = used_signatures.where(view.c.job.in_(selection.jobs))
    if selection.until:
        used_signatures = used_signatures.where(view.c.due_at <= selection.until)
    return query.where(sa.column("signature").in_(used_signatures))


_SPECIAL = {
    "series": _select_series,
    "answers": _select_answers,
    "series_switches": _select_switches,
    "instruments": _select_instruments,
}


def _redact_answers(answers: dict[str, Values], *, full: bool) -> dict[str, Values]:
    """Return the columns of answers without whom they show and, unless full, without texts."""
    shows = answers["shows_person"]
    redacted = answers | {"withheld": ["person" if shown else "" for shown in shows]}
    if any(shows):
        for name in (*_WRITTEN, "witnesses"):
            pairs = zip(answers[name], shows, strict=True)
            redacted[name] = [None if shown else value for value, shown in pairs]
    if not full:
        redacted |= {f"{name}_sha256": list(map(_hash_text, redacted[name])) for name in _WRITTEN}
    return redacted


def _hash_text(text: str | None) -> str | None:
    """Return the SHA-256 of a text; None for no text, or an erased one."""
    return hashlib.sha256(text.encode()).hexdigest() if text else None


@lru_cache(4_096)
def _rewrite_json(text: str) -> str | None:
    """Return the canonical spelling of JSON, which is the same for most rows; None of `null`."""
    value = json.loads(text)
    return None if value is None else canonical_json(value)


#: By the type of a column: the Python type of its values, and what makes them of another one.
_MAKERS: Mapping[str, tuple[type, Callable[[Any], Any]]] = {
    "text": (str, str), "integer": (int, int), "number": (float, float), "boolean": (bool, bool),
    "json": (NoneType, _rewrite_json), "datetime": (NoneType, lambda at: at.astimezone(UTC)),
}  # fmt: skip


def _convert_values(values: Values, kind: str) -> Values:
    """Return the values of a column in the type of a release, whatever a database gives."""
    plain, make = _MAKERS[kind]
    if set(map(type, values)) <= {plain, NoneType}:
        return values
    return [None if value is None else make(value) for value in values]


def check_jobs(connection: sa.Connection, names: Sequence[str]) -> None:
    """Raise InvalidInput for a job that never ran."""
    job_names = list(
        connection.execute(sa.select(runs.c.job).distinct().order_by(runs.c.job)).scalars()
    )
    for name in names:
        if name not in job_names:
            raise InvalidInput(f"--job {name}: no run of it here; {hint(name, job_names)}")


@dataclass(frozen=True, slots=True)
class ReleasedList:
    """A list of questions of the release, with the licence that it came with."""

    label: str
    title: str
    licence: str
    source_lang: str


def read_lists(connection: sa.Connection, selection: ReleaseSelection) -> list[ReleasedList]:
    """Return the lists that the runs of a release asked, by name and version."""
    query = (
        sa.select(
            lists.c.name, lists.c.version, lists.c.title, lists.c.licence, lists.c.source_lang
        )
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .join(runs, runs.c.id == run_lists.c.run_id)
        .distinct()
    )
    if selection.jobs:
        query = query.where(runs.c.job.in_(selection.jobs))
    if selection.until:
        query = query.where(runs.c.due_at <= selection.until)
    lists_found = [
        ReleasedList(f"{row.name}@{row.version}", row.title, row.licence, row.source_lang)
        for row in connection.execute(query)
    ]
    return sorted(lists_found, key=lambda released: released.label)


def read_references(
    connection: sa.Connection, selection: ReleaseSelection
) -> list[tuple[str, str, str, str]]:
    """Return (reference, source, country, as of) of the shares that values were compared with."""
    view = selectables.view("topics_current", "reference source country as_of job due_at")
    query = sa.select(*list(view.c)[:4]).distinct()
    if selection.jobs:
        query = query.where(view.c.job.in_(selection.jobs))
    if selection.until:
        query = query.where(view.c.due_at <= selection.until)
    return sorted(tuple(map(str, row)) for row in connection.execute(query))  # type: ignore[misc]


def find_newest_due(connection: sa.Connection, selection: ReleaseSelection) -> datetime | None:
    """Return the newest due time of the runs of a release."""
    query = sa.select(sa.func.max(runs.c.due_at))
    if selection.jobs:
        query = query.where(runs.c.job.in_(selection.jobs))
    if selection.until:
        query = query.where(runs.c.due_at <= selection.until)
    return connection.execute(query).scalar()
