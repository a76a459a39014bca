"""Rows from which values are computed, out of an archive and into an empty one.

`POLICIES` says for every table of the archive which of its rows a package has and what is left out
of them, or why it has none. Ids stay the same. Nothing restricted is read: no look-up, no rating,
no address of ours, no name of a process. Answers and their readings have a form of their own:
`reproduction_answers`.
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

from monitor.model import DONATED, Cue, InvalidInput, RunKind, TickState
from monitor.store import rows, schema
from monitor.store.collect.runs import ENDED, SELECT_RUNS, Run
from monitor.store.publish.release import ReleaseSelection
from monitor.store.rows import UtcDateTime
from monitor.store.schema import (
    attempts,
    documents,
    exchanges,
    instrument_audit_groups,
    instrument_audit_strata,
    instrument_audits,
    item_entities,
    items,
    list_items,
    list_probes,
    lists,
    run_lists,
    runs,
)
from monitor.store.selectables import READ_ITEMS

Row: TypeAlias = dict[str, Any]

#: Rows that are in memory at once.
PORTION = 1_000

_ENDED = runs.c.state.in_(ENDED)
_LANDING = "landing:"
#: Nobody has worked on these ticks yet, or somebody does.
_OPEN = (TickState.DUE, TickState.RUNNING)


@dataclass(frozen=True, slots=True)
class RunSelection(ReleaseSelection):
    """The runs of a package, by jobs and last due time; `full` is with answers as they came.

    `people` is with whom results show and their recorded groups. `apart` are runs that somebody
    works on, whatever their state.
    """

    people: bool = False
    apart: Sequence[int] = ()

    @property
    def runs(self) -> sa.Select[int]:
        """Return ids of the runs that are wanted: those that have ended."""
        return self._chosen(_ENDED & runs.c.id.not_in(self.apart))

    @property
    def unfinished(self) -> sa.Select[int]:
        """Return ids of the other runs of the same jobs and time: of them nothing is taken."""
        return self._chosen(~(_ENDED & runs.c.id.not_in(self.apart)))

    def _chosen(self, which: sa.ColumnElement[bool]) -> sa.Select[int]:
        query = sa.select(runs.c.id).where(which, runs.c.id.not_in(_select_donated_runs()))
        if self.jobs:
            query = query.where(runs.c.job.in_(self.jobs))
        return query.where(runs.c.due_at <= self.until) if self.until else query


def _select_donated_runs() -> sa.Select[int]:
    """Return runs over donated pages: each answer is of one donor, so no package has them."""
    return (
        sa.select(attempts.c.run_id)
        .join(schema.engines, schema.engines.c.id == attempts.c.engine_id)
        .where(schema.engines.c.surface == DONATED)
    )


def find_run_ids(connection: sa.Connection, selection: RunSelection) -> list[int]:
    """Return the runs that are wanted, in the order of their numbers."""
    return list(read_jobs_by_run(connection, selection))


def read_jobs_by_run(connection: sa.Connection, selection: RunSelection) -> dict[int, str]:
    """Return {run: its job} of the wanted runs."""
    query = sa.select(runs.c.id, runs.c.job).where(runs.c.id.in_(selection.runs))
    return {row.id: row.job for row in connection.execute(query.order_by(runs.c.id))}


def find_unfinished(connection: sa.Connection, selection: RunSelection) -> list[Run]:
    """Return the runs of the selected jobs and time that have not ended, by number."""
    query = SELECT_RUNS.where(runs.c.id.in_(selection.unfinished)).order_by(runs.c.id)
    return rows.read_records(connection, query, Run)


def find_erased_since(connection: sa.Connection, selection: RunSelection) -> dict[str, datetime]:
    """Return {job: due tick of its oldest run with erased results or pages}."""
    erased_runs = (
        sa.select(attempts.c.run_id).select_from(READ_ITEMS).where(items.c.erasure_id.is_not(None))
    )
    behind = sa.select(documents.c.collection).where(
        documents.c.erasure_id.is_not(None), documents.c.collection.like(f"{_LANDING}%")
    )
    erased_pages = connection.execute(behind.distinct()).scalars()
    pages = [int(collection.removeprefix(_LANDING)) for collection in erased_pages]
    query = (
        sa.select(runs.c.job, sa.func.min(runs.c.due_at).label("due_at"))
        .where(runs.c.id.in_(selection.runs), runs.c.id.in_(erased_runs) | runs.c.id.in_(pages))
        .group_by(runs.c.job)
        .order_by(runs.c.job)
    )
    return {row.job: row.due_at for row in connection.execute(query)}


def select_people_probes() -> sa.Select[int]:
    """Return probes about whom an engine shows: their answers name people."""
    return (
        sa.select(list_probes.c.probe_id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .where(list_items.c.cue == Cue.PEOPLE)
    )


# --- what is withheld -----------------------------------------------------------------------------


def _shows_people(of_runs: sa.ColumnElement[bool]) -> sa.CompoundSelect[int]:
    """Return a query of exchanges of runs that were asked for, or show, people."""
    is_answered = of_runs & attempts.c.exchange_id.is_not(None)
    showing = (
        sa.select(attempts.c.exchange_id)
        .select_from(READ_ITEMS)
        .join(item_entities, item_entities.c.item_id == items.c.id)
        .where(is_answered)
    )
    asking = sa.select(attempts.c.exchange_id).where(
        is_answered, attempts.c.probe_id.in_(select_people_probes())
    )
    return sa.union(asking, showing)


def shows_people(selection: RunSelection, run_id: int) -> sa.ColumnElement[bool]:
    """Return whether an exchange of a run shows people, where they are not wanted."""
    if selection.people:
        return sa.false()
    return exchanges.c.id.in_(_shows_people(attempts.c.run_id == run_id))


def is_withheld(selection: RunSelection, run_id: int) -> sa.ColumnElement[bool]:
    """Return whether the answer of an exchange of a run stays where it is."""
    return shows_people(selection, run_id) if selection.full else sa.true()


def find_withheld_lists(connection: sa.Connection, selection: RunSelection) -> list[str]:
    """Return lists, as name@version, of which answers are withheld because they show people."""
    if selection.people:
        return []
    exchange_condition = _shows_people(attempts.c.run_id.in_(selection.runs))
    query = (
        sa.select(lists.c.name, lists.c.version)
        .join(list_items, list_items.c.list_id == lists.c.id)
        .join(list_probes, list_probes.c.list_item_id == list_items.c.id)
        .join(attempts, attempts.c.probe_id == list_probes.c.probe_id)
        .join(
            run_lists,
            (run_lists.c.run_id == attempts.c.run_id) & (run_lists.c.list_id == lists.c.id),
        )
        .where(
            attempts.c.run_id.in_(selection.runs), attempts.c.exchange_id.in_(exchange_condition)
        )
        .distinct()
    )
    return sorted(f"{row.name}@{row.version}" for row in connection.execute(query))


# --- which rows of which tables -------------------------------------------------------------------

_Condition: TypeAlias = sa.ColumnElement[bool]


@dataclass(frozen=True, slots=True)
class CopiedRows:
    """Rows that are taken over as they are, but for some columns.

    `where` says which; a table with `of_run` is read run by run, and `where` says whether at all.
    `instead` computes what stands in the place of a value, `fixed` says what stands in all rows,
    `withheld` in those whose answer is withheld.
    """

    where: Callable[[RunSelection], _Condition] = lambda _wanted: sa.true()
    of_run: Callable[[int], _Condition] | None = None
    instead: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    withheld: Mapping[str, Any] = field(default_factory=dict)


class PackedRows(str):
    """Rows that a package holds in a form of their own, which the text describes."""

    __slots__ = ()


class OmittedRows(str):
    """Rows that no package holds; the text gives the reason."""

    __slots__ = ()


def _is_of_runs(column: sa.Column[Any]) -> Callable[[RunSelection], _Condition]:
    return lambda selection: column.in_(selection.runs)


def _is_named(
    column: sa.Column[Any], naming_column: sa.Column[Any], run: sa.Column[Any]
) -> Callable[[RunSelection], _Condition]:
    """Return a function of the condition that rows of selected runs name a row."""
    return lambda selection: column.in_(sa.select(naming_column).where(run.in_(selection.runs)))


def _is_of_lists(selection: RunSelection) -> _Condition:
    list_ids = sa.select(run_lists.c.list_id).where(run_lists.c.run_id.in_(selection.runs))
    is_listed = list_probes.c.list_item_id.in_(
        sa.select(list_items.c.id).where(list_items.c.list_id.in_(list_ids))
    )
    put = sa.select(attempts.c.probe_id).where(attempts.c.run_id.in_(selection.runs))
    return is_listed & list_probes.c.probe_id.in_(put)


def _is_of_ticks(selection: RunSelection) -> _Condition:
    ticks = schema.ticks.c
    unfinished_runs = sa.select(runs.c.id).where(
        runs.c.id.in_(selection.unfinished),
        runs.c.kind == RunKind.SCHEDULED,
        runs.c.job == ticks.job,
        runs.c.due_at == ticks.due_at,
    )
    is_of_jobs = ticks.job.in_(sa.select(runs.c.job).where(runs.c.id.in_(selection.runs)))
    ended = sa.and_(is_of_jobs, ticks.state.not_in(_OPEN), ~unfinished_runs.exists())
    return sa.and_(ended, ticks.due_at <= selection.until) if selection.until else ended


def _read_stages(selection: RunSelection) -> _Condition:
    done = schema.stages_done.c
    return done.run_id.in_(selection.runs) & done.stage.in_(("parse", "signal"))


def _is_of_audits(selection: RunSelection) -> _Condition:
    audits = sa.select(instrument_audits.c.id)
    of_runs = audits.where(instrument_audits.c.run_id.in_(selection.runs))
    return instrument_audit_groups.c.audit_id.in_(of_runs)


def select_strata(selection: RunSelection) -> sa.Select[int]:
    """Return the ids of the strata of the audits of the wanted runs."""
    strata = instrument_audit_strata.c
    groups = sa.select(instrument_audit_groups.c.id).where(_is_of_audits(selection))
    return sa.select(strata.id).where(strata.group_id.in_(groups))


#: Headers of answers that say who we were to a service.
_PRIVATE_HEADERS = ("set-cookie", "set-cookie2", "authorization", "proxy-authorization")


_READINGS = PackedRows("in the rows of readings")
_COMPUTED = OmittedRows("computed anew from what is in the package")
_HERE = OmittedRows("of this installation: its schedule, processes, messages and settings")
_RESTRICTED = OmittedRows("restricted")

#: {table: what of it is in a package}; every table of the archive has an entry.
POLICIES: dict[str, CopiedRows | PackedRows | OmittedRows] = {
    "lists": CopiedRows(_is_named(lists.c.id, run_lists.c.list_id, run_lists.c.run_id)),
    "list_items": CopiedRows(
        _is_named(list_items.c.list_id, run_lists.c.list_id, run_lists.c.run_id)
    ),
    "probes": CopiedRows(_is_named(schema.probes.c.id, attempts.c.probe_id, attempts.c.run_id)),
    "list_probes": CopiedRows(_is_of_lists),
    "engines": CopiedRows(_is_named(schema.engines.c.id, attempts.c.engine_id, attempts.c.run_id)),
    "agents": CopiedRows(_is_named(schema.agents.c.id, exchanges.c.agent_id, exchanges.c.run_id)),
    "versions": CopiedRows(),
    "jobs": CopiedRows(_is_named(schema.jobs.c.id, runs.c.job_id, runs.c.id)),
    "bundles": CopiedRows(
        _is_named(schema.bundles.c.id, runs.c.bundle_id, runs.c.id),
        instead={"path": lambda path: PurePath(str(path)).name},
    ),
    "bundle_files": PackedRows("files below jobs/"),
    "preregistrations": CopiedRows(
        _is_named(schema.preregistrations.c.job, runs.c.job, runs.c.id)
    ),
    "reference_shares": CopiedRows(fixed={"lookup_id": None}),
    "runs": CopiedRows(_is_of_runs(runs.c.id), fixed={"owner": ""}),
    "run_lists": CopiedRows(_is_of_runs(run_lists.c.run_id)),
    "ticks": CopiedRows(_is_of_ticks, fixed={"run_id": None}),
    "stages_done": CopiedRows(_read_stages),
    "egresses": CopiedRows(
        _is_of_runs(schema.egresses.c.run_id),
        fixed=dict.fromkeys(("service", "address_hash", "detail", "exit"), ""),
    ),
    "bodies": PackedRows("texts, or base64; without content where an answer is withheld"),
    "exchanges": CopiedRows(
        of_run=lambda run_id: exchanges.c.run_id == run_id,
        instead={"headers": lambda headers: [
            [name, text] for name, text in headers if name.lower() not in _PRIVATE_HEADERS
        ]},
        fixed={"screenshot_id": None, "egress": "", "observed": None},
        withheld={"request": {}, "url": "", "headers": [], "status": None, "detail": ""},
    ),
    "attempts": CopiedRows(of_run=lambda run_id: attempts.c.run_id == run_id),
    "documents": CopiedRows(
        lambda wanted: sa.true() if wanted.full else sa.false(),
        of_run=lambda run_id: documents.c.collection == f"{_LANDING}{run_id}",
        fixed={"lookup_id": None, "erasure_id": None},
    ),
    "readings": PackedRows("with their items"),
    "items": _READINGS,
    "agreements": _READINGS,
    "lm_scores": _READINGS,
    "item_entities": _READINGS,
    "item_overviews": _READINGS,
    "labels": PackedRows("of people whom results show, where they are wanted"),
    "instrument_audits": CopiedRows(_is_of_runs(instrument_audits.c.run_id)),
    "instrument_audit_groups": CopiedRows(_is_of_audits),
    "instrument_audit_strata": CopiedRows(
        lambda wanted: instrument_audit_strata.c.id.in_(select_strata(wanted))
    ),
    "instrument_audit_items": PackedRows("named by where they stand"),
    "instrument_audit_labels": PackedRows("with numbers for the names of readers"),
    "erasures": OmittedRows("says when somebody asked to be forgotten"),
    **dict.fromkeys(
        (
            "series_keys", "signatures", "scopes", "switches", "points", "point_facts",
            "topic_values", "query_values", "comparisons", "changes", "looks", "run_coverage",
            "corpora", "corpus_runs", "corpus_probes", "corpus_documents",
        ),
        _COMPUTED,
    ),
    **dict.fromkeys(
        (
            "alarms", "embargoes", "events", "judgements", "leases", "notices", "pauses",
            "processes", "reports", "suspensions", "tasks", "watched_jobs",
        ),
        _HERE,
    ),
    **dict.fromkeys(
        (
            "donated_pages", "donations", "lookups", "people.api_tokens",
            "people.login_failures", "people.people_entities",
            "people.people_lookups", "people.people_ratings", "people.users",
            "people.web_sessions",
        ),
        _RESTRICTED,
    ),
}  # fmt: skip


def list_packed_tables() -> list[sa.Table]:
    """Return the tables that a package has a file of; what a row names is in a table before it."""
    return [
        table
        for table in schema.metadata.sorted_tables
        if (policy := POLICIES[table.fullname]) is not _READINGS
        and not isinstance(policy, OmittedRows)
    ]


def read_rows(
    connection: sa.Connection,
    table: sa.Table,
    policy: CopiedRows,
    selection: RunSelection,
    run_ids: Sequence[int],
) -> Iterator[list[Row]]:
    """Yield portions of the rows of a table by its primary key, of `of_run` run by run."""
    for run_id in run_ids if policy.of_run else [0]:
        is_here = policy.where(selection)
        if policy.of_run:
            is_here &= policy.of_run(run_id)
        closed = is_withheld(selection, run_id) if policy.withheld else sa.false()
        query = sa.select(table, closed.label("closed")).where(is_here)
        result = connection.execute(
            query.order_by(*table.primary_key), execution_options={"yield_per": PORTION}
        )
        for partition in result.mappings().partitions():
            yield [_make_row(policy, dict(row)) for row in partition]


def _make_row(policy: CopiedRows, row: Row) -> Row:
    closed = row.pop("closed")
    copied = {name: policy.instead.get(name, encode_value)(value) for name, value in row.items()}
    return copied | dict(policy.fixed) | (dict(policy.withheld) if closed else {})


def load_rows(connection: sa.Connection, name: str, plain_rows: Sequence[Row]) -> None:
    """Insert rows of a table under the ids that they had. Raises InvalidInput."""
    insert_rows(connection, schema.metadata.tables[name], plain_rows)


# --- rows as JSON holds them ----------------------------------------------------------------------


def encode_value(value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
    """Return a value as JSON holds it."""
    return value.isoformat() if isinstance(value, datetime) else value


def insert_rows(connection: sa.Connection, table: sa.Table, plain_rows: Sequence[Row]) -> None:
    """Insert rows as they came out of JSON. Raises InvalidInput for what is no row of the table."""
    content = [decode_row(table, row) for row in plain_rows]
    if not content:
        return
    try:
        connection.execute(sa.insert(table), content)
    except (sa.exc.IntegrityError, sa.exc.StatementError, OverflowError, UnicodeError) as error:
        words = str(getattr(error, "orig", error)).splitlines()[0]
        raise InvalidInput(f"{table.name}: rows that do not fit together: {words}") from error


def decode_row(table: sa.Table, row: Row) -> Row:
    """Return a row with exactly the columns of its table. Raises InvalidInput."""
    if set(row) != set(table.c.keys()):
        raise InvalidInput(
            f"{table.name}: a row with other columns than this version has; install the version "
            "that manifest.json names"
        )
    return {column.name: _decode_value(column, row[column.name]) for column in table.c}


def _decode_value(column: sa.Column[Any], value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    kind = column.type
    if value is None:
        if not column.nullable:
            raise _make_unfit_value(column)
        return None
    if isinstance(kind, sa.JSON):
        return value
    if isinstance(kind, UtcDateTime):
        return parse_time(value, str(column))
    types = next((types for of, types in _TYPES if isinstance(kind, of)), (str,))
    is_fit = isinstance(value, types) and (not isinstance(value, bool) or bool in types)
    if not is_fit or (isinstance(value, float) and not math.isfinite(value)):
        raise _make_unfit_value(column)
    return value


#: Types that JSON has for those of columns; all others are texts.
_TYPES: Sequence[tuple[type, tuple[type, ...]]] = (
    (sa.Boolean, (bool,)), (sa.Integer, (int,)), (sa.Float, (int, float)),
)  # fmt: skip


def _make_unfit_value(column: sa.Column[Any]) -> InvalidInput:
    return InvalidInput(f"{column}: a value that this column cannot have")


def parse_time(value: object, where: str) -> datetime:
    """Return a time with its zone. Raises InvalidInput."""
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise InvalidInput(f"{where}: {str(value)[:40]!r} is no time with a zone")
    return moment


# --- bytes ----------------------------------------------------------------------------------------


def encode_bytes(content: bytes) -> Row:
    """Return bytes as JSON holds them: a text where they are one, base64 where they are not."""
    try:
        return {"text": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def decode_bytes(row: Mapping[str, Any]) -> bytes:
    """Return the bytes again. Raises InvalidInput."""
    try:
        if "text" in row:
            return str(row["text"]).encode("utf-8")
        return base64.b64decode(row["base64"], validate=True)
    except (KeyError, TypeError, UnicodeEncodeError, binascii.Error) as error:
        raise InvalidInput("an answer that is neither text nor base64") from error
