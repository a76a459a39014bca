"""Rows of a release: views of an archive as plain values, a few at a time.

Rows hold nothing that is restricted: no look-up, no label of a single person, no title, text or
address of a result that shows one. The same database gives the same rows in the same order.

A release that grows has parts: the rows of a table by run, or by job and month. A part is written
once. Its token is a digest of what its rows follow from, read from tables that have a few rows for
each run, so that finding what is new takes no longer as an archive grows.
"""

import hashlib
import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter, itemgetter
from types import NoneType
from typing import Any

import sqlalchemy as sa

from monitor.model import InvalidInput, canonical_json
from monitor.store import selectables
from monitor.store.maintenance.erasure import ERASE_STAGE
from monitor.store.publish import data_dictionary
from monitor.store.publish.data_dictionary import ViewColumn
from monitor.store.rows import UtcDateTime, group_pairs, split_values
from monitor.store.schema import (
    attempts,
    changes,
    item_entities,
    items,
    lists,
    looks,
    run_lists,
    runs,
    signatures,
    stages_done,
    switches,
    ticks,
)
from monitor.store.selectables import READ_ITEMS, SERIES_POINTS
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
    views = data_dictionary.read_views()
    of_points = (
        "series_id job list engine surface source_lang target measure quantity reference scope "
        "scope_title signature"
    )
    summary = tuple(
        views[view].column(name)
        for view, names in (("series_points", of_points.split()), ("series", _COUNTED))
        for name in names
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
    queries = [query.where(*where)]
    if resource.by_run and not where:
        run_ids = find_runs(connection, selection)
        queries = [query.where(sa.column("run_id") == number) for number in run_ids]
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


def find_runs(connection: sa.Connection, selection: ReleaseSelection) -> list[int]:
    """Return the runs of a release in their order."""
    query = _narrow(sa.select(runs.c.id).order_by(runs.c.id), selection, runs.c)
    return [int(number) for number in connection.execute(query).scalars()]


def _narrow(
    query: sa.Select[Any],
    selection: ReleaseSelection,
    columns: Any,  # noqa: ANN401 - of a table or a view
    time: str = "due_at",
) -> sa.Select[Any]:
    """Return a query of the jobs and times of a release, by the columns `job` and `time`."""
    if selection.jobs and "job" in columns:
        query = query.where(columns.job.in_(selection.jobs))
    if selection.until and time:
        query = query.where(columns[time] <= selection.until)
    return query


def _view_table(name: str, columns: Sequence[ViewColumn]) -> sa.TableClause:
    return sa.table(name, *(sa.column(column.name, _STORED.get(column.type)) for column in columns))


def _select_view(resource: Resource, selection: ReleaseSelection) -> sa.Select[Any]:
    view = _view_table(resource.name, resource.columns)
    order = [view.c[name] for name in resource.key]
    query = sa.select(*_list_columns(view)).order_by(*_order_columns(resource, order))
    return _narrow(query, selection, view.c, resource.time)


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
    return _narrow(query, selection, grid.c).order_by(grid.c.series_id, grid.c.job)


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
    used_signatures = _narrow(sa.select(view.c.signature), selection, view.c)
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
    query = sa.select(runs.c.job).distinct().order_by(runs.c.job)
    job_names = list(connection.execute(query).scalars())
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
    columns = (lists.c[name] for name in ("name", "version", "title", "licence", "source_lang"))
    query = (
        sa.select(*columns)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .join(runs, runs.c.id == run_lists.c.run_id)
        .distinct()
    )
    released = [
        ReleasedList(f"{row.name}@{row.version}", row.title, row.licence, row.source_lang)
        for row in connection.execute(_narrow(query, selection, runs.c))
    ]
    return sorted(released, key=attrgetter("label"))


def read_references(
    connection: sa.Connection, selection: ReleaseSelection
) -> list[tuple[str, str, str, str]]:
    """Return (reference, source, country, as of) of the shares that values were compared with."""
    view = selectables.view("topics_current", "reference source country as_of job due_at")
    query = _narrow(sa.select(*list(view.c)[:4]).distinct(), selection, view.c)
    return sorted(tuple(map(str, row)) for row in connection.execute(query))  # type: ignore[misc]


def find_newest_due(connection: sa.Connection, selection: ReleaseSelection) -> datetime | None:
    """Return the newest due time of the runs of a release."""
    query = _narrow(sa.select(sa.func.max(runs.c.due_at)), selection, runs.c)
    return connection.execute(query).scalar()


# --- parts of a release that grows ----------------------------------------------------------------

#: The column with the run of a row, of tables that are parted by run.
_RUN_COLUMNS = {
    "points_current": "run_id", "masculine_rates": "run_id", "topics_current": "run_id",
    "queries_current": "run_id", "pronouns": "run_id", "coverage": "run_id", "requests": "run_id",
    "corpora_current": "run_id", "answers": "run_id", "comparisons_current": "after_run_id",
}  # fmt: skip
#: Tables that are parted by job and month.
_BY_MONTH = ("series_points", "changes_current", "ledger", "due_ticks")
_BY_ARCHIVE = ("series_switches", "instruments")
#: Items that one query names.
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class ReleasePart:
    """Tables whose rows follow from the same things: those of a run, of a month, of the archive.

    `tokens_before` are those that it had before each erasure that took something from its run, in
    their order; `erased_at` is the time of the last.
    """

    job: str
    month: str  # such as 2026-11; empty: of the archive
    run: int | None
    tables: tuple[str, ...]
    token: str
    tokens_before: tuple[str, ...] = ()
    erased_at: datetime | None = None

    @property
    def erased(self) -> int:
        """The number of erasures that took something from its run."""
        return len(self.tokens_before)

    @property
    def name(self) -> str:
        """The name of this part, which stays when its rows change."""
        return f"{self.job}/{self.month}/{'' if self.run is None else self.run}"


def list_growing_resources(*, full: bool) -> dict[str, Resource]:
    """Return {name: table} of a release that grows. `series` is a view of its `series_points`."""
    names = (*_RUN_COLUMNS, *_BY_MONTH, *_BY_ARCHIVE)
    return {table.name: table for table in list_resources(full=full) if table.name in names}


def list_parts(
    connection: sa.Connection, selection: ReleaseSelection, schema: str
) -> list[ReleasePart]:
    """Return the parts of an archive, by job, month and run. Runs that have not ended have none."""
    resources = list_growing_resources(full=selection.full)
    shape = [schema, {name: [c.name for c in table.columns] for name, table in resources.items()}]
    parts = []
    months: dict[tuple[str, str], list[Any]] = defaultdict(list)
    basis: dict[str, list[tuple[datetime, str]]] = defaultdict(list)  # ended runs of a job
    marks = _read_marks(connection)
    columns = (runs.c[name] for name in ("id", "job", "due_at", "state", "finished_at"))
    query = sa.select(*columns).order_by(runs.c.due_at, runs.c.id)
    every_run = connection.execute(_narrow(query, selection, runs.c, "")).all()
    last_end = {run.job: run.due_at for run in every_run if run.finished_at}
    for run in every_run:
        month, stages = _say_month(run.due_at), marks.get(run.id, [])
        if not run.finished_at:  # a due tick once a later one has ended
            months[run.job, month].append([run.id, run.state, last_end.get(run.job) or ""])
            continue
        seen = [mark for mark in stages if mark[0] != ERASE_STAGE]
        erasures = sorted((mark for mark in stages if mark[0] == ERASE_STAGE), key=itemgetter(2))
        about = [run.id, run.state, run.finished_at, run.due_at]
        *before, token = (
            _hash([shape, [*about, *sorted([*seen, *erasures[:n]])]])
            for n in range(len(erasures) + 1)
        )
        erased_at = erasures[-1][2] if erasures else None
        part = ReleasePart(
            run.job, month, run.id, tuple(_RUN_COLUMNS), token, tuple(before), erased_at
        )
        parts.append(part)
        unerased = [*before, token][0]  # what is erased is in answers alone
        months[run.job, month].append(unerased)
        basis[run.job].append((run.due_at, unerased))
    for job, at, content in _read_dated(connection, selection):
        months[job, _say_month(at)].append(content)
    switched = _read_newest(connection, switches)
    for (job, month), contents in sorted(months.items()):
        # a tick without a run is shown by what the run before it asked
        n_earlier = bisect_left(basis[job], (_find_month(month)[0], ""))
        earlier = [token for _, token in basis[job][max(0, n_earlier - 1) : n_earlier]]
        token = _hash([shape, switched, earlier, *contents])
        parts.append(ReleasePart(job, month, None, _BY_MONTH, token))
    token = _hash([shape, switched, _read_newest(connection, signatures)])
    return [*parts, ReleasePart("", "", None, _BY_ARCHIVE, token)]


def read_part(
    connection: sa.Connection, resource: Resource, part: ReleasePart, selection: ReleaseSelection
) -> Iterator[list[Row]]:
    """Yield portions of the rows of a table that a part holds."""
    where = []
    if part.run is not None:
        where.append(sa.column(_RUN_COLUMNS[resource.name]) == part.run)
    elif part.month:
        first, after = _find_month(part.month)
        column = sa.column(resource.time, UtcDateTime)
        where += [column >= first, column < after]
        selection = replace(selection, jobs=(part.job,))
    yield from read_rows(connection, resource, selection, where)


def read_erased(
    connection: sa.Connection, resource: Resource, part: ReleasePart, selection: ReleaseSelection
) -> Iterator[list[Row]]:
    """Yield portions of the answers of a run from which something was erased, as they are now."""
    of_run = sa.select(items.c.id).select_from(READ_ITEMS).where(
        attempts.c.run_id == part.run, items.c.erasure_id.is_not(None)
    )  # fmt: skip
    ids = connection.execute(of_run).scalars().all()
    for some in split_values(ids, _AT_ONCE):
        where = [sa.column("run_id") == part.run, sa.column("item_id").in_(some)]
        yield from read_rows(connection, resource, selection, where)


def _read_marks(connection: sa.Connection) -> dict[int, list[tuple[str, str, datetime]]]:
    """Return (stage, version, time) of everything that has seen a run, by run."""
    done = connection.execute(sa.select(stages_done).order_by(*stages_done.primary_key))
    return group_pairs((int(row.run_id), (row.stage, row.version, row.done_at)) for row in done)


def _read_dated(
    connection: sa.Connection, selection: ReleaseSelection
) -> Iterator[tuple[str, datetime, list[Any]]]:
    """Yield (job, time, content) of ticks, decided ticks and changes."""
    of_change = sa.join(changes, runs, runs.c.id == changes.c.after_run_id)
    for job, at, query in (
        (ticks.c.job, ticks.c.due_at, sa.select(ticks.c.state, ticks.c.reason, ticks.c.run_id)),
        (looks.c.job, looks.c.due_at, sa.select(looks.c.inputs_digest, looks.c.computed_at)),
        (
            runs.c.job,
            changes.c.detected_at,
            sa.select(changes.c.id).select_from(of_change).where(changes.c.is_current),
        ),
    ):
        dated = query.add_columns(job.label("of_job"), at.label("at")).order_by(job, at)
        if selection.jobs:
            dated = dated.where(job.in_(selection.jobs))
        for row in connection.execute(dated.order_by(*query.selected_columns)):
            yield row.of_job, row.at, list(row)


def _read_newest(connection: sa.Connection, table: sa.Table) -> int:
    return connection.execute(sa.select(sa.func.max(table.c.id))).scalar() or 0


def _hash(content: Sequence[Any]) -> str:
    text = json.dumps(
        content, ensure_ascii=False, sort_keys=True,
        default=lambda at: at.astimezone(UTC).isoformat(),
    )  # fmt: skip
    return hashlib.sha256(text.encode()).hexdigest()


def _say_month(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m")


def _find_month(month: str) -> tuple[datetime, datetime]:
    """Return the beginning of a month and of the next, UTC."""
    year, number = map(int, month.split("-"))
    after = (year + number // 12, number % 12 + 1, 1)
    return datetime(year, number, 1, tzinfo=UTC), datetime(*after, tzinfo=UTC)
