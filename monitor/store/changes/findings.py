"""Findings and the ledger of ticks that were decided."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Contrast, Role, Status
from monitor.model import RunKind
from monitor.store import rows
from monitor.store.access.embargoes import NOTHING, EmbargoFilter
from monitor.store.schema import (
    changes,
    comparisons,
    engines,
    looks,
    points,
    runs,
    scopes,
    series_keys,
)
from monitor.store.selectables import begins_with


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One tick of a job that was decided."""

    due_at: datetime
    number: int
    families: int
    hypotheses: int
    p: float | None
    alpha: float | None
    selected: int
    rule: str
    inputs_digest: str


def read_ledger(connection: sa.Connection, job: str) -> list[LedgerRow]:
    """Return a job's ledger in the order of its ticks."""
    columns = (looks.c[name] for name in LedgerRow.__slots__)
    query = sa.select(*columns).where(looks.c.job == job).order_by(looks.c.due_at)
    return [LedgerRow(*row) for row in connection.execute(query)]


def count_tested_ticks(connection: sa.Connection, job: str | None = None) -> int:
    """Return how many ticks could be tested for changes."""
    query = sa.select(sa.func.count()).where(looks.c.number > 0)
    query = query if job is None else query.where(looks.c.job == job)
    return int(connection.execute(query).scalar_one())


def lock_ledger(connection: sa.Connection) -> None:
    """Let nobody else decide ticks until this transaction ends: levels follow from those before."""
    rows.lock_table(connection, looks)


def store_ledger_row(connection: sa.Connection, job: str, look: LedgerRow, now: datetime) -> None:
    """Write a tick into the ledger, in place of an older computation of it."""
    same_tick = (looks.c.job == job) & (looks.c.due_at == look.due_at)
    connection.execute(sa.delete(looks).where(same_tick))
    rows.insert_rows(connection, looks, [rows.make_row(looks, look, job=job, computed_at=now)])


@dataclass(frozen=True, slots=True)
class StoredChange:
    """One finding, as it is stored."""

    series_id: int
    kind: ChangeKind
    role: Role
    family: str
    changed_at: datetime
    detected_at: datetime
    before_run_id: int
    after_run_id: int
    comparison_id: int | None
    confirm_id: int | None
    before: float | None
    after: float | None
    effect: float | None
    low: float | None
    high: float | None
    p: float | None
    q: float | None
    alpha: float | None
    p_beyond: float | None
    alpha_beyond: float | None
    noise: float | None
    statistic: float | None
    status: Status
    cause: Cause
    because: str
    sentence: str
    facts: Mapping[str, float]
    inputs_digest: str


#: A change of a series: id of the series, kind, and since when it is on the new level.
Key: TypeAlias = tuple[int, str, datetime]


def find_confirmed(connection: sa.Connection, ticks: Iterable[int]) -> set[Key]:
    """Return the primary changes in force that are confirmed at these scheduled runs."""
    is_confirmed = (changes.c.role == Role.PRIMARY) & (changes.c.status == Status.CONFIRMED)
    tick_keys = set(ticks)
    stored = _read_current(connection, is_confirmed)
    return {_make_key(row) for row in stored if row.after_run_id in tick_keys}


def _read_current(
    connection: sa.Connection, which: sa.ColumnElement[bool]
) -> Sequence[sa.Row[Any]]:
    """Return what tells the findings in force from each other, of some of them."""
    columns = ("id", "series_id", "kind", "changed_at", "inputs_digest", "after_run_id")
    query = sa.select(*(changes.c[name] for name in columns)).where(changes.c.is_current, which)
    return connection.execute(query).all()


def _make_key(change: Any) -> Key:  # noqa: ANN401 - a row of changes, or a StoredChange
    return change.series_id, change.kind, change.changed_at


def _end_changes(connection: sa.Connection, numbers: Sequence[int]) -> None:
    """Say that these changes are no longer in force."""
    if numbers:
        change = sa.update(changes).where(changes.c.id.in_(numbers)).values(is_current=False)
        connection.execute(change)


def replace_changes(
    connection: sa.Connection,
    new_changes: Sequence[StoredChange],
    ticks: Iterable[int],
    staying: AbstractSet[Key],
    now: datetime,
) -> int:
    """Store the steps and drifts of a job in the place of those that were stored before.

    `ticks` are the scheduled runs of the job, `staying` the changes that stay as they are stored.
    What is equal stays as it is; a row that is not found any more is no longer current. Returns the
    number of rows written.
    """
    tick_keys = set(ticks)
    current = _read_current(connection, changes.c.kind.in_([ChangeKind.STEP, ChangeKind.DRIFT]))
    stored = {
        (row.series_id, row.kind, row.inputs_digest): row.id
        for row in current
        if row.after_run_id in tick_keys and _make_key(row) not in staying
    }
    found = {(change.series_id, change.kind, change.inputs_digest) for change in new_changes}
    fresh = [
        _make_row(change, now)
        for change in new_changes
        if (change.series_id, change.kind, change.inputs_digest) not in stored
    ]
    _end_changes(connection, [number for key, number in stored.items() if key not in found])
    rows.insert_rows(connection, changes, fresh)
    return len(fresh)


def find_retrospective(
    connection: sa.Connection, kinds: Sequence[ChangeKind], series: Iterable[int]
) -> dict[tuple[int, str, datetime], sa.Row[Any]]:
    """Return {(series, kind, changed_at): id and digest} of what looking back has found."""
    which = changes.c.kind.in_(kinds) & changes.c.series_id.in_(sorted(set(series)))
    return {_make_key(row): row for row in _read_current(connection, which)}


def store_retrospective(
    connection: sa.Connection,
    new_changes: Sequence[StoredChange],
    kinds: Sequence[ChangeKind],
    series: Iterable[int],
    now: datetime,
) -> int:
    """Keep what was seen in looking back at these series: when each was seen first stays.

    What is at the same tick is the same, with the levels of now; what is not seen any more is no
    longer current. Returns the number of rows written.
    """
    stored = find_retrospective(connection, kinds, series)
    seen = {_make_key(new_change): new_change for new_change in new_changes}
    _end_changes(connection, [row.id for key, row in stored.items() if key not in seen])
    differing = [
        (row.id, seen[key])
        for key, row in stored.items()
        if key in seen and row.inputs_digest != seen[key].inputs_digest
    ]
    for number, new_change in differing:
        content = _make_row(new_change, now)
        del content["detected_at"]
        connection.execute(sa.update(changes).where(changes.c.id == number).values(content))
    fresh = [_make_row(new_change, now) for key, new_change in seen.items() if key not in stored]
    rows.insert_rows(connection, changes, fresh)
    return len(fresh) + len(differing)


def _make_row(change: StoredChange, now: datetime) -> dict[str, object]:
    facts = dict(change.facts)
    return rows.make_row(changes, change, facts=facts, computed_at=now, is_current=True)


def select_columns(names: Iterable[str]) -> sa.Select[Any]:
    """Return a query of the findings in force with their series and runs."""
    columns = dict(series_keys.c) | dict(changes.c)
    columns |= {"change_id": changes.c.id, "job": runs.c.job, "engine": engines.c.name,
                "engine_kind": engines.c.kind}  # fmt: skip
    return (
        sa.select(*(columns[name].label(name) for name in names))
        .select_from(changes)
        .join(series_keys, series_keys.c.id == changes.c.series_id)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .join(runs, runs.c.id == changes.c.after_run_id)
        .where(changes.c.is_current)
    )


@dataclass(frozen=True, slots=True)
class ToConfirm:
    """A tick of a job at which an engine was found to have changed, to be asked again."""

    job: str
    due_at: datetime
    engine: str
    target: str


def find_unconfirmed(connection: sa.Connection, now: datetime) -> list[ToConfirm]:
    """Return findings that nobody has asked again yet, the oldest tick first; each engine once."""
    confirmed = (
        sa.select(comparisons.c.id)
        .where(
            comparisons.c.series_id == changes.c.series_id,
            comparisons.c.contrast == Contrast.CONFIRM,
            comparisons.c.due_at == changes.c.detected_at,
        )
        .exists()
    )
    query = (
        select_columns(("job", "detected_at", "engine", "target"))
        .where(
            changes.c.kind == ChangeKind.STEP,
            changes.c.status == Status.CANDIDATE,
            changes.c.detected_at <= now,
            runs.c.kind == RunKind.SCHEDULED,
            ~confirmed,
        )
        .distinct()
        .order_by(changes.c.detected_at, runs.c.job, engines.c.name, series_keys.c.target)
    )
    return [ToConfirm(*row) for row in connection.execute(query)]


def find_newest_ticks(connection: sa.Connection, since: datetime | None = None) -> list[int]:
    """Return the newest compared tick of each job with changes that were decided since a time."""
    decided_runs = (
        sa.select(changes.c.after_run_id)
        .where(changes.c.is_current, changes.c.kind.in_([ChangeKind.STEP, ChangeKind.DRIFT]))
        .distinct()
    )
    if since is not None:
        decided_runs = decided_runs.where(changes.c.detected_at >= since)
    scheduled = runs.c.kind == RunKind.SCHEDULED
    jobs = sa.select(runs.c.job).where(runs.c.id.in_(decided_runs))
    newest = (
        sa.select(runs.c.job, sa.func.max(runs.c.due_at).label("due_at"))
        .join(comparisons, comparisons.c.after_run_id == runs.c.id)
        .where(scheduled, runs.c.job.in_(jobs))
        .group_by(runs.c.job)
        .subquery()
    )
    query = (
        sa.select(runs.c.id)
        .join(newest, (newest.c.job == runs.c.job) & (newest.c.due_at == runs.c.due_at))
        .where(scheduled)
    )
    return list(connection.execute(query.order_by(runs.c.due_at, runs.c.id)).scalars())


@dataclass(frozen=True, slots=True)
class ListedChange:
    """A finding that is in force, for people."""

    change_id: int
    series_id: int
    job: str
    engine: str
    source_lang: str
    target: str
    list: str
    measure: str
    reference: str
    quantity: str
    scope: str
    kind: str
    role: str
    changed_at: datetime
    detected_at: datetime
    effect: float | None
    low: float | None
    high: float | None
    q: float | None
    alpha: float | None
    p_beyond: float | None
    alpha_beyond: float | None
    noise: float | None
    status: str
    cause: str
    because: str
    sentence: str


class Finding(NamedTuple):
    """A finding with what its page says beside what the list for people has."""

    listed: ListedChange
    engine_id: int
    before: float | None
    after: float | None
    scope_title: str


class NumberSubject(NamedTuple):
    """The series, run and job of a published number, which decide who may see it."""

    series_id: int
    engine_id: int
    target: str


def read_findings(connection: sa.Connection, numbers: Sequence[int]) -> list[Finding]:
    """Return these findings with details, in the order of their numbers."""
    names = ListedChange.__slots__
    query = (
        select_columns((*names, "engine_id", "before", "after"))
        .outerjoin(scopes, scopes.c.scope == series_keys.c.scope)
        .add_columns(sa.func.coalesce(scopes.c.title, ""))
        .where(changes.c.id.in_(numbers))
        .order_by(changes.c.id)
    )
    n = len(names)
    return [Finding(ListedChange(*row[:n]), *row[n:]) for row in connection.execute(query)]


def read_end_values(
    connection: sa.Connection, numbers: Sequence[int]
) -> dict[int, tuple[float | None, float | None]]:
    """Return {number: (value before, value after)} of these findings."""
    query = sa.select(changes.c.id, changes.c.before, changes.c.after).where(
        changes.c.id.in_(numbers)
    )
    return {number: (before, after) for number, before, after in connection.execute(query)}


def find_subject(connection: sa.Connection, kind: str, number: int) -> NumberSubject | None:
    """Return whose `change`, in force or not, or `point` this is; None where there is none."""
    table = {"change": changes, "point": points}[kind]
    query = (
        sa.select(table.c.series_id, series_keys.c.engine_id, series_keys.c.target)
        .join(table, table.c.series_id == series_keys.c.id)
        .where(table.c.id == number)
    )
    return rows.find_record(connection, query, NumberSubject)


def count_visible_tests(connection: sa.Connection, hidden: EmbargoFilter, job: str) -> int:
    """Return at how many ticks of a job, or of all, it was tested whether anything changed.

    Where something is hidden, those alone at which anything else was compared.
    """
    query = sa.select(sa.func.count()).select_from(looks).where(looks.c.p.is_not(None))
    if job:
        query = query.where(looks.c.job == job)
    if hidden.series:
        compared = sa.select(comparisons.c.id).join(runs, runs.c.id == comparisons.c.after_run_id)
        compared = compared.where(
            runs.c.job == looks.c.job,
            runs.c.due_at == looks.c.due_at,
            comparisons.c.contrast == Contrast.STEP,
            comparisons.c.is_current,
            comparisons.c.p.is_not(None),
            hidden.series_shown(comparisons.c.series_id),
        )
        query = query.where(compared.exists())
    return int(connection.execute(query).scalar_one())


def read_engine_labels(connection: sa.Connection, numbers: Iterable[int]) -> list[str]:
    """Return the labels of these engines."""
    query = sa.select(engines.c.name).where(engines.c.id.in_(sorted(set(numbers))))
    return list(connection.execute(query).scalars())


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """Filter for findings; empty fields match anything, engine and measure by their beginning.

    `at` is their tick; or it is after one time, and until another.
    """

    job: str = ""
    status: str = ""
    cause: str = ""
    engine: str = ""
    measure: str = ""
    target: str = ""
    scope: str = ""
    at: datetime | None = None
    after: datetime | None = None
    until: datetime | None = None


#: Fits every finding.
ANY_FINDING = FindingFilter()


def list_changes(
    connection: sa.Connection,
    criteria: FindingFilter = ANY_FINDING,
    hidden: EmbargoFilter = NOTHING,
) -> list[ListedChange]:
    """Return the findings in force that fit, the newest first."""
    query = select_columns(ListedChange.__slots__).where(*_filter_conditions(hidden, criteria))
    query = query.order_by(changes.c.detected_at.desc(), changes.c.id)
    return [ListedChange(*row) for row in connection.execute(query)]


def count_changes(connection: sa.Connection, hidden: EmbargoFilter, criteria: FindingFilter) -> int:
    """Return how many findings in force fit."""
    each = select_columns(("change_id",)).where(*_filter_conditions(hidden, criteria)).subquery()
    return int(connection.execute(sa.select(sa.func.count()).select_from(each)).scalar_one())


def _filter_conditions(
    hidden: EmbargoFilter, criteria: FindingFilter
) -> Iterator[sa.ColumnElement[bool]]:
    yield hidden.series_shown(changes.c.series_id)
    if criteria.at is not None:
        yield changes.c.detected_at == criteria.at
    if criteria.after is not None:
        yield changes.c.detected_at > criteria.after
    if criteria.until is not None:
        yield changes.c.detected_at <= criteria.until
    for column, value in (
        (runs.c.job, criteria.job), (changes.c.status, criteria.status),
        (changes.c.cause, criteria.cause), (series_keys.c.target, criteria.target),
        (series_keys.c.scope, criteria.scope),
    ):  # fmt: skip
        if value:
            yield column == value
    for column, value in (
        (engines.c.name, criteria.engine),
        (series_keys.c.measure, criteria.measure),
    ):
        if value:
            yield begins_with(column, value)


def list_choices(
    connection: sa.Connection, hidden: EmbargoFilter, columns: Sequence[str]
) -> list[sa.Row[Any]]:
    """Return what findings have in these columns, each combination once."""
    query = select_columns(columns).where(hidden.series_shown(changes.c.series_id)).distinct()
    return list(connection.execute(query).all())
