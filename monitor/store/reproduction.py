"""What values are computed from, as plain rows of an archive, and back into an empty one.

In go an open transaction and what is wanted, out come portions of rows that JSON can hold, table by
table; ids stay what they were. Answers, readings and signals are in `reproduction_answers`. Nothing
that is restricted is read: no look-up, no rating, no address of ours, no name of a process.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import Any

import sqlalchemy as sa

from monitor.model import Cue, RunKind, RunState, TickState
from monitor.store import schema
from monitor.store.reproduction_rows import Row, insert, plain
from monitor.store.schema import attempts, list_items, list_probes, lists, run_lists, runs

#: Rows that are in memory at once.
PORTION = 1_000

_ENDED = runs.c.state.in_((RunState.DONE, RunState.PARTIAL))
_LANDING = "landing:"
#: Nobody has worked on these ticks yet, or somebody does.
_OPEN = (TickState.DUE, TickState.RUNNING)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which runs, and how much of them. Empty jobs are all; `until` is the last due time.

    `full` is with answers as they came; `people` with whom results show and their recorded groups.
    `apart` are runs that somebody works on, whatever their state.
    """

    jobs: Sequence[str] = ()
    until: datetime | None = None
    full: bool = False
    people: bool = False
    apart: Sequence[int] = ()

    @property
    def runs(self) -> sa.Select[int]:
        """Ids of the runs that are wanted: those that have ended."""
        return self._chosen(_ENDED & runs.c.id.not_in(self.apart))

    @property
    def unfinished(self) -> sa.Select[int]:
        """Ids of the other runs of the same jobs and time: of them nothing is taken."""
        return self._chosen(~(_ENDED & runs.c.id.not_in(self.apart)))

    def _chosen(self, which: sa.ColumnElement[bool]) -> sa.Select[int]:
        query = sa.select(runs.c.id).where(which)
        if self.jobs:
            query = query.where(runs.c.job.in_(self.jobs))
        return query.where(runs.c.due_at <= self.until) if self.until else query


def run_ids(connection: sa.Connection, wanted: Wanted) -> list[int]:
    """The runs that are wanted, in the order of their numbers."""
    return [int(one) for one in connection.execute(wanted.runs.order_by(runs.c.id)).scalars()]


def jobs_by_run(connection: sa.Connection, wanted: Wanted) -> dict[int, str]:
    """{run: its job} of the wanted runs."""
    query = sa.select(runs.c.id, runs.c.job).where(runs.c.id.in_(wanted.runs))
    return {row.id: row.job for row in connection.execute(query.order_by(runs.c.id))}


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A run that is in no package because it is being asked, or worked on, or was stopped."""

    id: int
    job: str
    kind: str
    state: str
    due_at: datetime


def unfinished(connection: sa.Connection, wanted: Wanted) -> list[Unfinished]:
    """The runs of the wanted jobs and time that have not ended, in the order of their numbers."""
    columns = (runs.c.id, runs.c.job, runs.c.kind, runs.c.state, runs.c.due_at)
    query = sa.select(*columns).where(runs.c.id.in_(wanted.unfinished)).order_by(runs.c.id)
    return [Unfinished(*row) for row in connection.execute(query)]


def erased_since(connection: sa.Connection, wanted: Wanted) -> dict[str, datetime]:
    """{job: due tick of its oldest run of which results, or pages behind them, were erased}."""
    shown = (
        sa.select(attempts.c.run_id)
        .join(schema.readings, schema.readings.c.attempt_id == attempts.c.id)
        .join(schema.items, schema.items.c.reading_id == schema.readings.c.id)
        .where(schema.items.c.erasure_id.is_not(None))
    )
    behind = sa.select(schema.documents.c.collection).where(
        schema.documents.c.erasure_id.is_not(None),
        schema.documents.c.collection.like(f"{_LANDING}%"),
    )
    pages = [
        int(one.removeprefix(_LANDING)) for one in connection.execute(behind.distinct()).scalars()
    ]
    query = (
        sa.select(runs.c.job, sa.func.min(runs.c.due_at).label("due_at"))
        .where(runs.c.id.in_(wanted.runs), runs.c.id.in_(shown) | runs.c.id.in_(pages))
        .group_by(runs.c.job)
        .order_by(runs.c.job)
    )
    return {row.job: row.due_at for row in connection.execute(query)}


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
    ticks = schema.ticks.c
    asked = sa.select(runs.c.id).where(
        runs.c.id.in_(wanted.unfinished),
        runs.c.kind == RunKind.SCHEDULED,
        runs.c.job == ticks.job,
        runs.c.due_at == ticks.due_at,
    )
    here = ticks.job.in_(sa.select(runs.c.job).where(runs.c.id.in_(wanted.runs)))
    ended = sa.and_(here, ticks.state.not_in(_OPEN), ~asked.exists())
    return sa.and_(ended, ticks.due_at <= wanted.until) if wanted.until else ended


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


def load(connection: sa.Connection, name: str, some: Sequence[Row]) -> None:
    """Insert rows of a table under the ids that they had. Raises InvalidInput."""
    insert(connection, _BY_NAME[name].table, some)
