"""Series on the dense grid of due ticks: found by what they are about, with every gap.

In go filters or a number, out come series, their summaries and their ticks. What a tick is, and
which state it has, is said in the views `due_ticks`, `series_points` and `series`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import InvalidInput, State
from monitor.store.rows import closed
from monitor.store.schema import engines, points, runs, scopes, series_keys, signatures
from monitor.store.types import UtcDateTime

#: The scope of all questions.
ALL = "all"
#: So many candidates are named where one series was meant.
_NAMED = 12
#: So many series are looked up one by one; of more all are read that share what these share.
_FEW = 500
#: Rows at a time: a list of all of them would be walked through by the collector again and again.
_AT_ONCE = 1_000

_TYPES: dict[str, Any] = {
    "due_at": UtcDateTime,
    "computed_at": UtcDateTime,
    "flags": sa.JSON,
    "is_derived": sa.Boolean,
}


def _view(name: str, columns: Sequence[str]) -> sa.TableClause:
    return sa.table(name, *(sa.column(one, _TYPES.get(one)) for one in columns))


@dataclass(frozen=True, slots=True)
class Filters:
    """What series are about; None and "" stand for anything, but `reference` "" for none at all.

    `engine` and `measure` are a label or its beginning: a label that is exactly so counts alone.
    `key` is the beginning of a series' key, `scope` "all" is all probes; `job` has asked for it.
    """

    engine: str | None = None
    target: str | None = None
    quantity: str | None = None
    measure: str | None = None
    list: str | None = None
    job: str | None = None
    reference: str | None = None
    scope: str | None = None
    source_lang: str | None = None
    key: str | None = None

    def __str__(self) -> str:
        given = [(one.name, getattr(self, one.name)) for one in fields(self)]
        return ", ".join(f"{name} {text!r}" for name, text in given if text) or "any"

    @property
    def is_empty(self) -> bool:
        """Whether any series fits."""
        return self.reference is None and str(self) == "any"


@dataclass(frozen=True, slots=True)
class Series:
    """One series: what it is about, and the signature that its chart shows."""

    id: int
    key: str
    job: str  # that began it
    list: str
    engine: str
    surface: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    scope: str
    scope_title: str
    signature: str  # hash; empty before the first value

    def __str__(self) -> str:
        scope = "" if self.scope == ALL else f" {self.scope}"
        against = f" against {self.reference}" if self.reference else ""
        return (
            f"{self.quantity}{scope} of {self.engine} ({self.surface}), {self.source_lang} to "
            f"{self.target}, {self.list}, {self.measure}{against}, job {self.job}"
        )


@dataclass(frozen=True, slots=True)
class Tick:
    """One due tick of a series. `value` is None unless `state` is MEASURED; `reason` says why.

    Counts are None where nothing was computed.
    """

    job: str
    due_at: datetime
    tick_state: str
    run_id: int | None
    point_id: int | None
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None
    flags: tuple[str, ...]
    planned: int | None
    answered: int | None
    used: int | None
    unidentified: int | None
    signature: str
    computed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Summary:
    """A series with how much of it was measured, and its newest due tick. See the view `series`."""

    series_id: int
    job: str
    list: str
    engine: str
    surface: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    scope: str
    scope_title: str | None
    signature: str
    n_ticks: int
    n_measured: int
    first_due_at: datetime
    last_due_at: datetime
    is_asked: bool
    last_state: State
    last_reason: str
    last_value: float | None
    last_low: float | None
    last_high: float | None


_TICK = [one.name for one in fields(Tick)]
_GRID = _view("series_points", ["series_id", "engine", "quantity", "target", "scope", *_TICK])
_DUE = _view("due_ticks", ["job", "due_at", "run_id", "is_derived", "basis_run_id"])
#: What a summary has of its series, and of its newest due tick.
_KNOWN = ("list", "engine", "surface", "source_lang", "target", "measure", "quantity", "reference",
          "scope", "signature")  # fmt: skip
_LAST = ("state", "reason", "value", "low", "high")


def as_row(record: Any) -> dict[str, Any]:  # noqa: ANN401 - any record with slots
    """The fields of a record by their names; `asdict` would copy each, which is slow."""
    return {name: getattr(record, name) for name in type(record).__slots__}


# --- which ---------------------------------------------------------------------------------------


def find(connection: sa.Connection, filters: Filters) -> list[Series]:
    """Series by what they are about, also those without any tick, in the order of reports."""
    query = _known_series().where(*_conditions(filters)).order_by(
        series_keys.c.job, series_keys.c.list, engines.c.name, series_keys.c.source_lang,
        series_keys.c.target, series_keys.c.measure, series_keys.c.reference, series_keys.c.id,
    )  # fmt: skip
    found = [Series(*row) for row in connection.execute(query)]
    for name in ("engine", "measure"):
        wanted = getattr(filters, name)
        exact = [one for one in found if getattr(one, name) == wanted]
        found = exact or found
    return found


def _known_series() -> sa.Select[Any]:
    """The columns of `Series`."""
    columns = [one.name for one in fields(Series)][1:]
    known = {
        "engine": engines.c.name,
        "surface": engines.c.surface,
        "scope_title": sa.func.coalesce(scopes.c.title, "").label("scope_title"),
        "signature": sa.func.coalesce(signatures.c.hash, "").label("signature"),
    }
    return (
        sa.select(series_keys.c.id, *(known.get(name, series_keys.c.get(name)) for name in columns))
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .outerjoin(scopes, scopes.c.scope == series_keys.c.scope)
        .outerjoin(signatures, signatures.c.id == series_keys.c.signature_id)
    )


def _conditions(filters: Filters) -> Iterator[sa.ColumnElement[bool]]:
    for name in ("target", "quantity", "list", "scope", "source_lang"):
        if wanted := getattr(filters, name):
            yield series_keys.c[name] == wanted
    if filters.job:
        yield (series_keys.c.job == filters.job) | asked_by(filters.job)
    if filters.reference is not None:
        yield series_keys.c.reference == filters.reference
    beginnings = {
        "engine": engines.c.name, "measure": series_keys.c.measure, "key": series_keys.c.key,
    }  # fmt: skip
    for name, column in beginnings.items():
        if wanted := getattr(filters, name):
            # LIKE would not tell capital letters on SQLite, and takes some characters for patterns
            yield sa.func.substr(column, 1, len(wanted)) == wanted


def asked_by(job: str) -> sa.ColumnElement[bool]:
    """Whether a job has asked for a series, which another may have begun."""
    return (
        sa.select(points.c.id)
        .join(runs, runs.c.id == points.c.run_id)
        .where(points.c.series_id == series_keys.c.id, points.c.is_current, runs.c.job == job)
        .exists()
    )


def by_id(connection: sa.Connection, series_id: int) -> Series | None:
    """A series by its number; None if there is none."""
    row = connection.execute(_known_series().where(series_keys.c.id == series_id)).first()
    return None if row is None else Series(*row)


def only(connection: sa.Connection, filters: Filters) -> Series:
    """The one series that fits; over all questions, where no scope is named.

    Raises InvalidInput where none or several do, naming them.
    """
    fitting = find(connection, filters)
    overall = [one for one in fitting if one.scope == ALL]
    found = fitting if filters.scope or filters.key or not overall else overall
    if not found:
        raise InvalidInput(f"no series: {filters}; `monitor series list` lists them")
    if len(found) > 1:
        # labels are others' words: repr shows what would move a terminal's cursor by its codes
        named = "".join(f"\n  {one.id}: {str(one)!r}" for one in found[:_NAMED])
        more = f"\n  and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
        raise InvalidInput(
            f"{len(found):,} series fit {filters}; name one by number, or say more:{named}{more}"
        )
    return found[0]


# --- on the grid ---------------------------------------------------------------------------------


class _Length(NamedTuple):
    """The due ticks of a series from its first point on."""

    n_ticks: int
    n_measured: int
    first_due_at: datetime
    last_due_at: datetime


def summaries(connection: sa.Connection, chosen: Sequence[Series]) -> dict[int, Summary]:
    """{series: how much of it was measured}; series that were never asked on schedule have none.

    As the view `series`, which takes longer: it looks for the newest tick among all of them.
    """
    lengths = _lengths(connection, chosen)
    due = sa.select(_DUE.c.job, sa.func.max(_DUE.c.due_at)).group_by(_DUE.c.job)
    newest_of = {job: due_at for job, due_at in connection.execute(due)}  # noqa: C416 - no pairs
    wanted = {one.id: one for one in chosen}
    found: dict[int, Summary] = {}
    for row in _last(connection, wanted, lengths, set(newest_of.values())):
        one, length = wanted[row.series_id], lengths[row.series_id]
        last: dict[str, Any] = {f"last_{name}": getattr(row, name) for name in _LAST}
        found[one.id] = Summary(
            series_id=one.id,
            job=row.job,
            scope_title=one.scope_title or None,
            is_asked=newest_of[row.job] == length.last_due_at,
            **{name: getattr(one, name) for name in _KNOWN},
            **length._asdict(),
            **last | {"last_state": State(row.state)},
        )
    return found


def _lengths(connection: sa.Connection, chosen: Sequence[Series]) -> dict[int, _Length]:
    """{series: how long it is}, of these and perhaps more. What is measured has a value."""
    number, due_at = _GRID.c.series_id, _GRID.c.due_at
    columns = (number, sa.func.count(), sa.func.count(_GRID.c.value), sa.func.min(due_at),
               sa.func.max(due_at))  # fmt: skip
    query = sa.select(*columns).where(*_alike(chosen)).group_by(number)
    return {row[0]: _Length(*row[1:]) for row in connection.execute(query)}


def _last(
    connection: sa.Connection,
    wanted: Mapping[int, Series],
    lengths: Mapping[int, _Length],
    newest: Collection[datetime],
) -> Iterator[sa.Row[Any]]:
    """The newest due tick of each; `newest` are those of jobs: most series end with one of them."""
    columns = (_GRID.c[name] for name in ("series_id", "job", "due_at", *_LAST))
    query = sa.select(*columns).order_by(_GRID.c.due_at, _GRID.c.job)
    ends = {number: lengths[number].last_due_at for number in wanted if number in lengths}
    still = [wanted[number] for number, at in ends.items() if at in newest]
    over = [wanted[number] for number, at in ends.items() if at not in newest]
    parts = [still, *(over[start : start + _FEW] for start in range(0, len(over), _FEW))]
    for some in filter(None, parts):
        times = sorted({ends[one.id] for one in some})
        here = query.where(_GRID.c.due_at.in_(times), *_alike(some))
        for row in connection.execute(here):
            if row.due_at == ends.get(row.series_id):
                yield row


def _alike(chosen: Sequence[Series]) -> Iterator[sa.ColumnElement[bool]]:
    """Which series of the grid: a few by their numbers, many by what all of them share."""
    if len(chosen) <= 1:
        yield _GRID.c.series_id == (chosen[0].id if chosen else -1)
        return
    if len(chosen) <= _FEW:
        yield _GRID.c.series_id.in_(sorted(one.id for one in chosen))
        return
    for name in ("engine", "quantity", "target", "scope"):
        values = {getattr(one, name) for one in chosen}
        if len(values) == 1:
            yield _GRID.c[name] == values.pop()


def grid(
    connection: sa.Connection,
    series_id: int,
    since: datetime | None = None,
    until: datetime | None = None,
    signature: str = "",
) -> list[Tick]:
    """The due ticks of a series from its first point on, the oldest first, gaps included.

    `since` and `until` are the first and last due time. `signature` is the hash of another one
    than the series shows: ticks that are not computed with it are INSUFFICIENT.
    """
    query = sa.select(*(_GRID.c[name] for name in _TICK)).where(_GRID.c.series_id == series_id)
    if since is not None:
        query = query.where(_GRID.c.due_at >= since)
    if until is not None:
        query = query.where(_GRID.c.due_at <= until)
    rows = connection.execute(query.order_by(_GRID.c.due_at, _GRID.c.job))
    found = [
        Tick(**closed(row, state=State) | {"flags": tuple(row.flags or ()), "signature":
             row.signature or ""}) for row in rows
    ]  # fmt: skip
    return _under(connection, series_id, found, signature) if signature else found


def _under(
    connection: sa.Connection, series_id: int, ticks: Sequence[Tick], signature: str
) -> list[Tick]:
    """The same ticks with the newest values of one signature."""
    query = (
        sa.select(points)
        .join(signatures, signatures.c.id == points.c.signature_id)
        .where(points.c.series_id == series_id, points.c.is_newest, signatures.c.hash == signature)
    )
    known = {row.run_id: row for row in connection.execute(query)}
    return [_of_signature(tick, known.get(tick.run_id), signature) for tick in ticks]


_NUMBERS = ("value", "low", "high", "bound_low", "bound_high")
_COUNTS = ("planned", "answered", "used", "unidentified")
_NOTHING: dict[str, Any] = dict.fromkeys((*_NUMBERS, *_COUNTS, "point_id", "computed_at"))


def _of_signature(tick: Tick, row: sa.Row[Any] | None, signature: str) -> Tick:
    if row is not None:
        own = {name: getattr(row, name) for name in (*_NUMBERS, *_COUNTS, "computed_at", "reason")}
        # that nothing was asked to the end is so under every signature
        state = tick.state if tick.state is State.MISSED else State(row.state)
        reason = tick.reason if state is State.MISSED else row.reason
        own |= {"point_id": row.id, "flags": tuple(row.flags), "state": state, "reason": reason}
        return replace(tick, signature=signature, **own)
    if tick.state is State.MISSED:
        return replace(tick, signature=signature, flags=(), **_NOTHING)
    reason = f"not computed with signature {signature[:12]} at this tick"
    gap: dict[str, Any] = {"state": State.INSUFFICIENT, "reason": reason, "flags": ()}
    return replace(tick, signature=signature, **gap, **_NOTHING)


def not_asked(
    connection: sa.Connection, ticks: Sequence[Tick], until: datetime | None = None
) -> list[datetime]:
    """Due ticks of the newest job of a grid, from its first on, that did not ask the series."""
    if not ticks:
        return []
    job = ticks[-1].job
    mine = [tick.due_at for tick in ticks if tick.job == job]
    query = sa.select(_DUE.c.due_at).where(_DUE.c.job == job, _DUE.c.due_at >= mine[0])
    if until is not None:
        query = query.where(_DUE.c.due_at <= until)
    due = set(connection.execute(query).scalars())
    return sorted(due - set(mine))


def _since(first: Mapping[str, datetime]) -> sa.ColumnElement[bool]:
    """Due ticks of each job from a time on: of one that rests that is long ago, of others not."""
    jobs_of: dict[datetime, list[str]] = {}
    for job, due_at in first.items():
        jobs_of.setdefault(due_at, []).append(job)
    some = [_GRID.c.job.in_(jobs) & (_GRID.c.due_at >= at) for at, jobs in jobs_of.items()]
    return sa.and_(_GRID.c.due_at >= min(first.values()), sa.or_(*some))


class Mark(NamedTuple):
    """One tick of a small chart: its value, or None and the state that says what sort of gap."""

    due_at: datetime
    state: State
    value: float | None


def newest(
    connection: sa.Connection, chosen: Sequence[Series], ticks: int = 20
) -> dict[int, list[Mark]]:
    """{series: its newest ticks, the oldest first}, so many due ticks of the job at most."""
    of_job: dict[str, list[datetime]] = {}
    of_run: dict[int | None, datetime] = {}
    due = sa.select(_DUE.c.job, _DUE.c.due_at, _DUE.c.run_id).order_by(_DUE.c.due_at.desc())
    for job, due_at, run_id in connection.execute(due):
        of_job.setdefault(job, []).append(due_at)
        of_run[run_id] = due_at
    first = {job: times[:ticks][-1] for job, times in of_job.items()}
    if not first or not chosen:
        return {}
    found: dict[int, list[Mark]] = {one.id: [] for one in chosen}
    states: dict[str | None, State] = {state.value: state for state in State}
    states[None] = State.MEASURED
    query = _marks().where(*_alike(chosen), _since(first))
    for some in connection.execute(query).partitions(_AT_ONCE):
        for number, run_id, due_at, state, value in some:
            if number in found:
                at = due_at if run_id is None else of_run[run_id]
                found[number].append(Mark(at, states[state], value))
    # in order series by series: databases sort tens of thousands of rows on disk
    return {
        number: sorted(marks, key=attrgetter("due_at")) for number, marks in found.items() if marks
    }


def _marks() -> sa.Select[Any]:
    """Series, run, due time, state and value of ticks, as little text as can be.

    There is a due time where there is no run, and a state where there is no value.
    """
    due_at = sa.case((_GRID.c.run_id.is_(None), _GRID.c.due_at))
    state = sa.func.nullif(_GRID.c.state, State.MEASURED)
    return sa.select(_GRID.c.series_id, _GRID.c.run_id, due_at, state, _GRID.c.value)
