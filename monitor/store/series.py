"""Series on the dense grid of due ticks: found by what they are about, with every gap.

In go filters or a number, out come series, their summaries and their ticks. What a tick is, and
which state it has, is said in the views `due_ticks`, `series_points` and `series`.
"""

from collections.abc import Iterator, Mapping, Sequence
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

_TIMES = {"due_at", "computed_at", "first_due_at", "last_due_at"}
_TYPES: dict[str, Any] = dict.fromkeys(_TIMES, UtcDateTime) | {
    "flags": sa.JSON,
    "is_asked": sa.Boolean,
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
_SUMMARY = [one.name for one in fields(Summary)]
_SERIES = _view("series", _SUMMARY)
_DUE = _view("due_ticks", ["job", "due_at", "run_id", "is_derived", "basis_run_id"])


def as_row(record: Any) -> dict[str, Any]:  # noqa: ANN401 - any record with slots
    """The fields of a record by their names; `asdict` would copy each, which is slow."""
    return {name: getattr(record, name) for name in type(record).__slots__}


# --- which ---------------------------------------------------------------------------------------


def find(connection: sa.Connection, filters: Filters) -> list[Series]:
    """Series by what they are about, also those without any tick, in the order of reports."""
    columns = [one.name for one in fields(Series)][1:]
    known = {
        "engine": engines.c.name,
        "surface": engines.c.surface,
        "scope_title": sa.func.coalesce(scopes.c.title, "").label("scope_title"),
        "signature": sa.func.coalesce(signatures.c.hash, "").label("signature"),
    }
    query = (
        sa.select(series_keys.c.id, *(known.get(name, series_keys.c.get(name)) for name in columns))
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .outerjoin(scopes, scopes.c.scope == series_keys.c.scope)
        .outerjoin(signatures, signatures.c.id == series_keys.c.signature_id)
        .where(*_conditions(filters))
        .order_by(
            series_keys.c.job, series_keys.c.list, engines.c.name, series_keys.c.source_lang,
            series_keys.c.target, series_keys.c.measure, series_keys.c.reference, series_keys.c.id,
        )
    )  # fmt: skip
    found = [Series(*row) for row in connection.execute(query)]
    for name in ("engine", "measure"):
        wanted = getattr(filters, name)
        exact = [one for one in found if getattr(one, name) == wanted]
        found = exact or found
    return found


def _conditions(filters: Filters) -> Iterator[sa.ColumnElement[bool]]:
    for name in ("target", "quantity", "list", "scope", "source_lang"):
        if wanted := getattr(filters, name):
            yield series_keys.c[name] == wanted
    if filters.job:
        yield (series_keys.c.job == filters.job) | _asked_by(filters.job)
    if filters.reference is not None:
        yield series_keys.c.reference == filters.reference
    beginnings = {
        "engine": engines.c.name, "measure": series_keys.c.measure, "key": series_keys.c.key,
    }  # fmt: skip
    for name, column in beginnings.items():
        if wanted := getattr(filters, name):
            # LIKE would not tell capital letters on SQLite, and takes some characters for patterns
            yield sa.func.substr(column, 1, len(wanted)) == wanted


def _asked_by(job: str) -> sa.ColumnElement[bool]:
    """Whether a job has asked for a series, which another may have begun."""
    return (
        sa.select(points.c.id)
        .join(runs, runs.c.id == points.c.run_id)
        .where(points.c.series_id == series_keys.c.id, points.c.is_current, runs.c.job == job)
        .exists()
    )


def by_id(connection: sa.Connection, series_id: int) -> Series | None:
    """A series by its number; None if there is none."""
    key = connection.execute(
        sa.select(series_keys.c.key).where(series_keys.c.id == series_id)
    ).scalar()
    return None if key is None else find(connection, Filters(key=key))[0]


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


def summaries(connection: sa.Connection, chosen: Sequence[Series]) -> dict[int, Summary]:
    """{series: how much of it was measured}; series that were never asked on schedule have none."""
    wanted = {one.id for one in chosen}
    query = sa.select(*_SERIES.c).where(*_alike(_SERIES, chosen))
    found = (row for row in connection.execute(query) if row.series_id in wanted)
    return {row.series_id: Summary(**closed(row, last_state=State)) for row in found}


def _alike(view: sa.TableClause, chosen: Sequence[Series]) -> Iterator[sa.ColumnElement[bool]]:
    """What all of these series share: databases look that up, thousands of numbers they do not."""
    if len(chosen) <= 1:
        yield view.c.series_id == (chosen[0].id if chosen else -1)
        return
    for name in ("engine", "quantity", "target", "scope"):
        values = {getattr(one, name) for one in chosen}
        if len(values) == 1:
            yield view.c[name] == values.pop()


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
    query = sa.select(_DUE.c.job, _DUE.c.due_at).order_by(_DUE.c.due_at.desc())
    for job, due_at in connection.execute(query):
        of_job.setdefault(job, []).append(due_at)
    first = {job: times[:ticks][-1] for job, times in of_job.items()}
    if not first or not chosen:
        return {}
    columns = (_GRID.c.series_id, _GRID.c.due_at, _GRID.c.state, _GRID.c.value)
    query = sa.select(*columns).where(*_alike(_GRID, chosen), _since(first))
    found: dict[int, list[Mark]] = {one.id: [] for one in chosen}
    states = {state.value: state for state in State}
    rows: Any = connection.execute(query).all()
    for number, due_at, state, value in rows:
        if number in found:
            found[number].append(Mark(due_at, states[state], value))
    # in order series by series: databases sort tens of thousands of rows on disk
    return {
        number: sorted(marks, key=attrgetter("due_at")) for number, marks in found.items() if marks
    }
