"""What values are computed from, as plain rows of an archive, and back into an empty one.

In go an open transaction and what is wanted, out come portions of rows that JSON can hold, table by
table; ids stay what they were. Answers, readings and signals are in `reproduction_answers`. Nothing
that is restricted is read: no look-up, no rating, no address of ours, no name of a process.
"""

import base64
import binascii
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any, TypeAlias

import sqlalchemy as sa

from monitor.model import Cue, InvalidInput, RunState
from monitor.store import schema
from monitor.store.schema import attempts, list_items, list_probes, lists, run_lists, runs
from monitor.store.types import UtcDateTime

#: Rows that are in memory at once.
PORTION = 1_000

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which runs, and how much of them. Empty jobs are all; `until` is the last due time.

    `full` is with answers as they came; `people` with whom results show and their recorded groups.
    """

    jobs: Sequence[str] = ()
    until: datetime | None = None
    full: bool = False
    people: bool = False

    @property
    def runs(self) -> sa.Select[int]:
        """Ids of the runs that are wanted: those that have ended."""
        query = sa.select(runs.c.id).where(runs.c.state.in_((RunState.DONE, RunState.PARTIAL)))
        if self.jobs:
            query = query.where(runs.c.job.in_(self.jobs))
        return query.where(runs.c.due_at <= self.until) if self.until else query


def run_ids(connection: sa.Connection, wanted: Wanted) -> list[int]:
    """The runs that are wanted, in the order of their numbers."""
    return [int(one) for one in connection.execute(wanted.runs.order_by(runs.c.id)).scalars()]


def people_probes() -> sa.Select[int]:
    """Questions about whom an engine shows: their answers hold names and pictures of people."""
    return (
        sa.select(list_probes.c.probe_id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .where(list_items.c.cue == Cue.PEOPLE)
    )


# --- tables ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """A table of which rows are taken over as they are, but for some columns.

    `instead` says what stands in the place of what is not taken over.
    """

    table: sa.Table
    where: Callable[[Wanted], sa.ColumnElement[bool]]
    instead: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.table.name


def _never(_wanted: Wanted) -> sa.ColumnElement[bool]:
    return sa.true()


def _of(column: sa.Column[Any]) -> Callable[[Wanted], sa.ColumnElement[bool]]:
    return lambda wanted: column.in_(wanted.runs)


def _within(
    column: sa.Column[Any], other: sa.Column[Any], run: sa.Column[Any]
) -> Callable[[Wanted], sa.ColumnElement[bool]]:
    """Rows that rows of wanted runs name."""
    return lambda wanted: column.in_(sa.select(other).where(run.in_(wanted.runs)))


def _of_lists(wanted: Wanted) -> sa.ColumnElement[bool]:
    asked = sa.select(run_lists.c.list_id).where(run_lists.c.run_id.in_(wanted.runs))
    here = list_probes.c.list_item_id.in_(
        sa.select(list_items.c.id).where(list_items.c.list_id.in_(asked))
    )
    put = sa.select(attempts.c.probe_id).where(attempts.c.run_id.in_(wanted.runs))
    return here & list_probes.c.probe_id.in_(put)


def _of_ticks(wanted: Wanted) -> sa.ColumnElement[bool]:
    here = schema.ticks.c.job.in_(sa.select(runs.c.job).where(runs.c.id.in_(wanted.runs)))
    return here & (schema.ticks.c.due_at <= wanted.until) if wanted.until else here


def _of_jobs(wanted: Wanted) -> sa.ColumnElement[bool]:
    return schema.preregistrations.c.job.in_(
        sa.select(runs.c.job).where(runs.c.id.in_(wanted.runs))
    )


def _read_stages(wanted: Wanted) -> sa.ColumnElement[bool]:
    done = schema.stages_done.c
    return done.run_id.in_(wanted.runs) & done.stage.in_(("parse", "signal"))


def _name_of(path: object) -> str:
    return PurePath(str(path)).name


def _nothing(_value: object) -> str:
    return ""


def _null(_value: object) -> None:
    return None


#: In the order in which they can be filled: what a row names is there before it.
PARTS = (
    Part(lists, _within(lists.c.id, run_lists.c.list_id, run_lists.c.run_id)),
    Part(
        list_items, _within(list_items.c.list_id, run_lists.c.list_id, run_lists.c.run_id)
    ),
    Part(
        schema.probes, _within(schema.probes.c.id, attempts.c.probe_id, attempts.c.run_id)
    ),
    Part(list_probes, _of_lists),
    Part(
        schema.engines, _within(schema.engines.c.id, attempts.c.engine_id, attempts.c.run_id)
    ),
    Part(
        schema.agents,
        _within(schema.agents.c.id, schema.exchanges.c.agent_id, schema.exchanges.c.run_id),
    ),
    Part(schema.versions, _never),
    Part(schema.jobs, _within(schema.jobs.c.id, runs.c.job_id, runs.c.id)),
    Part(
        schema.bundles,
        _within(schema.bundles.c.id, runs.c.bundle_id, runs.c.id),
        {"path": _name_of},
    ),
    Part(runs, _of(runs.c.id), {"owner": _nothing}),
    Part(run_lists, _of(run_lists.c.run_id)),
    Part(
        schema.ticks, _of_ticks, {"run_id": _null}
    ),
    Part(
        schema.egresses,
        _of(schema.egresses.c.run_id),
        {"service": _nothing, "address_hash": _nothing, "detail": _nothing, "exit": _nothing},
    ),
    Part(schema.preregistrations, _of_jobs),
    Part(schema.reference_shares, _never, {"lookup_id": _null}),
)  # fmt: skip

#: Which stages have seen which runs; taken over only where readings are.
STAGES = Part(schema.stages_done, _read_stages)
#: The recorded groups of people, if they are wanted at all.
LABELS = Part(schema.labels, _never)

_BY_NAME = {one.name: one for one in (*PARTS, STAGES, LABELS)}


def rows(connection: sa.Connection, part: Part, wanted: Wanted) -> Iterator[list[Row]]:
    """Portions of the rows of a table, by its primary key."""
    query = sa.select(part.table).where(part.where(wanted)).order_by(*part.table.primary_key)
    found = connection.execute(query, execution_options={"yield_per": PORTION})
    for some in found.mappings().partitions():
        yield [
            {
                name: part.instead[name](value) if name in part.instead else plain(value)
                for name, value in row.items()
            }
            for row in some
        ]


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
    """A value as JSON holds it."""
    return value.isoformat() if isinstance(value, datetime) else value


# --- back -----------------------------------------------------------------------------------------


def load(connection: sa.Connection, name: str, some: Sequence[Row]) -> None:
    """Insert rows of a table under the ids that they had. Raises InvalidInput."""
    insert(connection, _BY_NAME[name].table, some)


def insert(connection: sa.Connection, table: sa.Table, some: Sequence[Row]) -> None:
    """Insert rows as they came out of JSON. Raises InvalidInput for what is no row of the table."""
    content = [typed(table, row) for row in some]
    if not content:
        return
    try:
        connection.execute(sa.insert(table), content)
    except (sa.exc.IntegrityError, sa.exc.StatementError, OverflowError, UnicodeError) as error:
        words = str(getattr(error, "orig", error)).splitlines()[0]
        raise InvalidInput(f"{table.name}: rows that do not fit together: {words}") from error


def typed(table: sa.Table, row: Row) -> Row:
    """A row with the types of its columns, all of them and no others. Raises InvalidInput."""
    if set(row) != set(table.c.keys()):
        raise InvalidInput(
            f"{table.name}: a row with other columns than this version has; install the version "
            "that manifest.json names"
        )
    return {column.name: _typed(column, row[column.name]) for column in table.c}


def _typed(column: sa.Column[Any], value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    kind = column.type
    if value is None:
        if not column.nullable:
            raise _unfit(column)
        return None
    if isinstance(kind, sa.JSON):
        return value
    if isinstance(kind, UtcDateTime):
        return moment(value, str(column))
    wanted: tuple[type, ...] = (str,)
    if isinstance(kind, sa.Boolean):
        wanted = (bool,)
    elif isinstance(kind, sa.Integer):
        wanted = (int,)
    elif isinstance(kind, sa.Float):
        wanted = (int, float)
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        raise _unfit(column)
    if isinstance(value, float) and not math.isfinite(value):
        raise _unfit(column)
    return value


def _unfit(column: sa.Column[Any]) -> InvalidInput:
    return InvalidInput(f"{column}: a value that this column cannot have")


def moment(value: object, where: str) -> datetime:
    """A time with its zone. Raises InvalidInput."""
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise InvalidInput(f"{where}: {str(value)[:40]!r} is no time with a zone")
    return found


# --- bytes ----------------------------------------------------------------------------------------


def packed(content: bytes) -> Row:
    """Bytes as JSON holds them: a text where they are one, base64 where they are not."""
    try:
        return {"text": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def unpacked(row: Mapping[str, Any]) -> bytes:
    """The bytes again. Raises InvalidInput."""
    try:
        if "text" in row:
            return str(row["text"]).encode("utf-8")
        return base64.b64decode(row["base64"], validate=True)
    except (KeyError, TypeError, UnicodeEncodeError, binascii.Error) as error:
        raise InvalidInput("an answer that is neither text nor base64") from error
