"""Rules and SQL expressions that queries share, so that each is written once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from monitor.model import Item, RunKind, RunState, TickState
from monitor.store.rows import UtcDateTime
from monitor.store.schema import (
    agreements,
    attempts,
    exchanges,
    items,
    points,
    probes,
    readings,
    runs,
    series_keys,
    ticks,
)


def view(name: str, columns: str) -> sa.TableClause:
    """Return a view of the archive with some of its columns, which have the types of the tables."""
    return sa.table(
        name, *(sa.column(column_name, _TYPES.get(column_name)) for column_name in columns.split())
    )


_TYPES: dict[str, Any] = {
    "due_at": UtcDateTime,
    "computed_at": UtcDateTime,
    "flags": sa.JSON,
    "is_derived": sa.Boolean,
}
#: Tables of what is due, and their condition for what has not ended: a run in progress stands for
#: its tick.
UNFINISHED: tuple[tuple[sa.Table, sa.ColumnElement[bool]], ...] = (
    (ticks, ticks.c.state.in_([TickState.DUE, TickState.RUNNING])),
    (runs, (runs.c.state == RunState.RUNNING) & (runs.c.kind == RunKind.SCHEDULED)),
)
#: Every series on the dense grid of due ticks, and those ticks.
SERIES_POINTS = view(
    "series_points",
    "series_id engine target quantity scope job due_at tick_state run_id point_id state reason"
    " value low high bound_low bound_high flags planned answered used unidentified signature"
    " computed_at",
)
DUE_TICKS = view("due_ticks", "job due_at state reason run_id run_state is_derived basis_run_id")

#: Items with the readings that they are of, and the attempts at questions that these are of.
READ_ITEMS = items.join(readings, readings.c.id == items.c.reading_id).join(
    attempts, attempts.c.id == readings.c.attempt_id
)
#: Stands for the outcome of a question that was not asked.
NOT_ASKED = "not asked"
#: The target of an answer: the region of a search engine, else the target language.
TARGET: sa.ColumnElement[str] = sa.case(
    (probes.c.region != "", probes.c.region), else_=probes.c.target_lang
)
#: The last attempt at a question, or one that is still to be asked.
IS_LAST_TRY: sa.ColumnElement[bool] = attempts.c.final | attempts.c.exchange_id.is_(None)


def make_item(row: Any) -> Item:  # noqa: ANN401 - a row of items
    """Return an item as it was read."""
    return Item(row.rank, row.text, row.block, row.url, row.title, row.entity)


def asked_by(job: str) -> sa.ColumnElement[bool]:
    """Return whether a job has asked for a series, which another may have begun."""
    return (
        sa.select(points.c.id)
        .join(runs, runs.c.id == points.c.run_id)
        .where(points.c.series_id == series_keys.c.id, points.c.is_current, runs.c.job == job)
        .exists()
    )


def begins_with(column: sa.ColumnElement[str], text: str) -> sa.ColumnElement[bool]:
    """Return the condition that a text begins so.

    LIKE would not tell capital letters on SQLite, and takes some characters for patterns.
    """
    return sa.func.substr(column, 1, len(text)) == text


def engine_of_label(label: str) -> str:
    """Return the engine of a label: `chat` of `chat:gpt-x` or of `chat(model=x)`."""
    return label.partition("(")[0].partition(":")[0]


def outcome_of(reading: sa.FromClause = readings) -> sa.ColumnElement[str]:
    """Return the outcome of an attempt: of its newest reading, else as its exchange ended."""
    return sa.func.coalesce(reading.c.outcome, exchanges.c.outcome, NOT_ASKED)


def reason_of(reading: sa.FromClause = readings) -> sa.ColumnElement[str]:
    """Return the reason for the outcome of an attempt; "" where there is none."""
    return sa.func.coalesce(reading.c.reason, exchanges.c.reason, "")


def newest_reading(attempt: sa.ColumnElement[int] = attempts.c.id) -> sa.ColumnElement[bool]:
    """Return the condition that joins an attempt with its newest reading.

    The newest reading is that of the parser version that was registered last.
    """
    all_readings = readings.alias()
    newest = sa.select(sa.func.max(all_readings.c.parser_id)).where(
        all_readings.c.attempt_id == attempt
    )
    return (readings.c.attempt_id == attempt) & (readings.c.parser_id == newest.scalar_subquery())


def is_newest_reading(within: tuple[Any, Any] | None = None) -> sa.ColumnElement[bool]:
    """Return whether a reading is the newest of its attempt, for queries that start from readings.

    `within` are the first and last of the attempts whose readings matter: a hint for the planner.
    """
    newer = readings.alias()
    return ~sa.exists().where(
        newer.c.attempt_id == readings.c.attempt_id,
        newer.c.parser_id > readings.c.parser_id,
        newer.c.attempt_id.between(*within) if within else sa.true(),
    )


def newest_readings() -> sa.Subquery:
    """Return the newest reading of each attempt from `first` to `last`, parameters of the query."""
    # part of the statement, so that the planner sees how many readings there can be
    first, last = (
        sa.bindparam(name, type_=sa.Integer, literal_execute=True) for name in ("first", "last")
    )
    return (
        sa.select(readings)
        .where(readings.c.attempt_id.between(first, last), is_newest_reading((first, last)))
        .subquery()
    )


@dataclass(frozen=True, slots=True)
class ListAnswers:
    """The answers of an engine to a list in a run, as one parser read them.

    `pair` is (source language, target language or region).
    """

    run_id: int
    engine_id: int
    list_id: int
    pair: tuple[str, str]
    parser_id: int

    @property
    def is_attempt(self) -> sa.ColumnElement[bool]:
        """Return the condition for attempts of the engine in the run."""
        return (attempts.c.run_id == self.run_id) & (attempts.c.engine_id == self.engine_id)


def select_read_items(columns: Sequence[Any], of: ListAnswers, *blocks: str) -> sa.Select[Any]:
    """Return a query of the items in some blocks of answers, ordered by reading and rank."""
    return (
        sa.select(*columns)
        .select_from(READ_ITEMS)
        .where(of.is_attempt, readings.c.parser_id == of.parser_id, items.c.block.in_(blocks))
        .order_by(items.c.reading_id, items.c.rank)
    )


def newest_rules() -> sa.ColumnElement[bool]:
    """Return the condition that joins an item with its classes by the newest rules, one a cue."""
    newer = agreements.alias()
    newest = sa.select(sa.func.max(newer.c.language_id)).where(
        newer.c.item_id == items.c.id, newer.c.cue == agreements.c.cue
    )
    return (agreements.c.item_id == items.c.id) & (
        agreements.c.language_id == newest.scalar_subquery()
    )


def is_any_of(column: sa.ColumnElement[int], numbers: Iterable[int]) -> sa.ColumnElement[bool]:
    """Return the condition that a column has one of these numbers, written out in the statement.

    A part of a list can have more questions than a statement may have parameters.
    """
    return column.in_(
        sa.bindparam(None, sorted(numbers), sa.Integer, expanding=True, literal_execute=True)
    )


def attempt_range(connection: sa.Connection, run_id: int) -> dict[str, int]:
    """Return the run with the `first` and `last` id of its attempts, zeros where it has none.

    Attempts of a run are planned together, so reading everything between the two takes an eighth
    of the time of one look-up per attempt. Attempts of other runs may lie between them.
    """
    first, last = connection.execute(_ENDS, {"run": run_id}).one()
    return {"run": run_id, "first": first or 0, "last": last or 0}


_ENDS = sa.select(
    *(
        sa.select(end(attempts.c.id))
        .where(attempts.c.run_id == sa.bindparam("run"))
        .scalar_subquery()
        for end in (sa.func.min, sa.func.max)
    )
)
