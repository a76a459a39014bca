"""Series on the dense grid of due ticks, with every gap, and summaries of many series.

The views `due_ticks` and `series_points` define ticks and their states. Beside the values there are
steps between ticks, changes, signatures, and points of other runs.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor import plugin_summaries
from monitor.change import Cause, ChangeKind, Contrast, Role, Status, Test
from monitor.model import InvalidInput, Json, RunKind, State
from monitor.store import rows
from monitor.store.derive.signatures import StaleSeries, find_stale
from monitor.store.schema import (
    changes,
    comparisons,
    engines,
    points,
    runs,
    scopes,
    series_keys,
    signatures,
    switches,
)
from monitor.store.selectables import DUE_TICKS, SERIES_POINTS, asked_by, begins_with
from monitor.text.near_names import hint

#: The scope of all questions.
ALL = "all"
#: So many candidates are named where one series was meant.
_NAMED = 12


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of series; None and "" match anything, but `reference` "" matches none at all.

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
        values = [(field.name, getattr(self, field.name)) for field in fields(self)]
        return ", ".join(f"{name} {text!r}" for name, text in values if text) or "any"

    @property
    def is_empty(self) -> bool:
        """Return whether any series fits."""
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
class GridTick:
    """One due tick of a series. `value` is None unless `state` is MEASURED; `reason` tells why.

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


_TICK = [SERIES_POINTS.c[field.name] for field in fields(GridTick) if field.name != "signature"] + [
    sa.func.coalesce(SERIES_POINTS.c.signature, "").label("signature")
]


# --- which ---------------------------------------------------------------------------------------


def find_series(connection: sa.Connection, filters: Filters) -> list[Series]:
    """Return series by what they are about, in the order of reports, also without any tick."""
    query = _select_series().where(*_make_conditions(filters)).order_by(
        series_keys.c.job, series_keys.c.list, engines.c.name, series_keys.c.source_lang,
        series_keys.c.target, series_keys.c.measure, series_keys.c.reference, series_keys.c.id,
    )  # fmt: skip
    matching = [Series(*row) for row in connection.execute(query).all()]
    for name in ("engine", "measure"):
        filter_value = getattr(filters, name)
        exact = [candidate for candidate in matching if getattr(candidate, name) == filter_value]
        matching = exact or matching
    return matching


def _select_series() -> sa.Select[Any]:
    """Return the columns of `Series`."""
    columns = [field.name for field in fields(Series)][1:]
    columns_of = {
        "engine": engines.c.name,
        "surface": engines.c.surface,
        "scope_title": sa.func.coalesce(scopes.c.title, "").label("scope_title"),
        "signature": sa.func.coalesce(signatures.c.hash, "").label("signature"),
    }
    return (
        sa.select(
            series_keys.c.id, *(columns_of.get(name, series_keys.c.get(name)) for name in columns)
        )
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .outerjoin(scopes, scopes.c.scope == series_keys.c.scope)
        .outerjoin(signatures, signatures.c.id == series_keys.c.signature_id)
    )


def _make_conditions(filters: Filters) -> Iterator[sa.ColumnElement[bool]]:
    for name in ("target", "quantity", "list", "scope", "source_lang"):
        if filter_value := getattr(filters, name):
            yield series_keys.c[name] == filter_value
    if filters.job:
        yield (series_keys.c.job == filters.job) | asked_by(filters.job)
    if filters.reference is not None:
        yield series_keys.c.reference == filters.reference
    beginnings = {
        "engine": engines.c.name, "measure": series_keys.c.measure, "key": series_keys.c.key,
    }  # fmt: skip
    for name, column in beginnings.items():
        if filter_value := getattr(filters, name):
            yield begins_with(column, filter_value)


def get_series(connection: sa.Connection, series_id: int) -> Series | None:
    """Return a series by its number; None if there is none."""
    row = connection.execute(_select_series().where(series_keys.c.id == series_id)).first()
    return None if row is None else Series(*row)


#: {label of an engine: its title}.
EngineTitles = Mapping[str, str]
_UNTITLED: EngineTitles = {}


def find_single(
    connection: sa.Connection, filters: Filters, titles: EngineTitles = _UNTITLED
) -> Series:
    """Return the one series that fits; over all questions, where no scope is named.

    Raises InvalidInput where none or several do, naming them. `titles` are those of engines.
    """
    fitting = find_series(connection, filters)
    overall = [candidate for candidate in fitting if candidate.scope == ALL]
    candidates = fitting if filters.scope or filters.key or not overall else overall
    if not candidates:
        raise make_no_match(connection, filters, titles)
    if len(candidates) > 1:
        # labels are others' words: repr shows what would move a terminal's cursor by its codes
        listing = "".join(
            f"\n  {candidate.id}: {str(candidate)!r}" for candidate in candidates[:_NAMED]
        )
        more = f"\n  and {len(candidates) - _NAMED:,} more" if len(candidates) > _NAMED else ""
        raise InvalidInput(
            f"{len(candidates):,} series fit {filters}; name one by number, or say more:"
            f"{listing}{more}"
        )
    return candidates[0]


def make_no_match(
    connection: sa.Connection, filters: Filters, titles: EngineTitles = _UNTITLED
) -> InvalidInput:
    """Return the error for filters that match no series, with near values of theirs."""
    all_series = find_series(connection, Filters())
    hints: dict[str, str] = {}
    for field in fields(filters):
        filter_value = getattr(filters, field.name)
        if filter_value and not find_series(connection, Filters(**{field.name: filter_value})):
            names = sorted({getattr(candidate, field.name) for candidate in all_series} - {""})
            titled = titles if field.name == "engine" else _list_titles(field.name, names)
            hints[field.name] = hint(filter_value, names, titled)
    if len(hints) == 1:
        text = "".join(hints.values())
    else:
        parts = [f"{name} {getattr(filters, name)!r}: {words}" for name, words in hints.items()]
        text = "; ".join(parts) or "each is known, but not together: `monitor series list`"
    return InvalidInput(f"no series: {filters}; {text}")


def _list_titles(name: str, values: Iterable[str]) -> dict[str, str]:
    """Return the titles of languages and quantities; empty for other fields."""
    if name in ("target", "source_lang"):
        return {tag: plugin_summaries.language_name(tag) or "" for tag in values}
    return plugin_summaries.list_quantities() if name == "quantity" else {}


# --- on the grid ---------------------------------------------------------------------------------


def read_grid(
    connection: sa.Connection,
    series_id: int,
    since: datetime | None = None,
    until: datetime | None = None,
    signature: str = "",
) -> list[GridTick]:
    """Return the due ticks of a series from its first point on, the oldest first, gaps included.

    `since` and `until` are the first and last due time. `signature` is the hash of another one
    than the series shows: ticks that are not computed with it are INSUFFICIENT.
    """
    query = sa.select(*_TICK).where(SERIES_POINTS.c.series_id == series_id)
    if since is not None:
        query = query.where(SERIES_POINTS.c.due_at >= since)
    if until is not None:
        query = query.where(SERIES_POINTS.c.due_at <= until)
    query = query.order_by(SERIES_POINTS.c.due_at, SERIES_POINTS.c.job)
    ticks = rows.read_records(connection, query, GridTick)
    if not signature:
        return ticks
    newest = (
        sa.select(points)
        .join(signatures, signatures.c.id == points.c.signature_id)
        .where(points.c.series_id == series_id, points.c.is_newest, signatures.c.hash == signature)
    )
    points_of = {row.run_id: row for row in connection.execute(newest)}
    return [_replace_values(tick, points_of.get(tick.run_id), signature) for tick in ticks]


_OF_POINT = ("value", "low", "high", "bound_low", "bound_high", "planned", "answered", "used",
             "unidentified", "computed_at")  # fmt: skip


def _replace_values(tick: GridTick, row: sa.Row[Any] | None, signature: str) -> GridTick:
    values: dict[str, Any] = {name: getattr(row, name, None) for name in _OF_POINT}
    values |= {"point_id": row.id if row else None, "flags": tuple(row.flags) if row else ()}
    if tick.state is not State.MISSED:  # which it is under every signature
        reason = f"not computed with signature {signature[:12]} at this tick"
        values["state"] = State(row.state) if row else State.INSUFFICIENT
        values["reason"] = row.reason if row else reason
    return replace(tick, signature=signature, **values)


def find_not_asked(
    connection: sa.Connection, ticks: Sequence[GridTick], until: datetime | None = None
) -> list[datetime]:
    """Return due ticks of the newest job of a grid that did not ask the series."""
    if not ticks:
        return []
    job = ticks[-1].job
    job_ticks = [tick.due_at for tick in ticks if tick.job == job]
    query = sa.select(DUE_TICKS.c.due_at).where(
        DUE_TICKS.c.job == job, DUE_TICKS.c.due_at >= job_ticks[0]
    )
    if until is not None:
        query = query.where(DUE_TICKS.c.due_at <= until)
    due = set(connection.execute(query).scalars())
    return sorted(due - set(job_ticks))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity between two ticks, on the probes that both have. See the table `comparisons`.

    `delta` is None unless `state` is MEASURED; `reason` says why.
    """

    series_id: int
    contrast: Contrast
    before_due_at: datetime
    due_at: datetime
    before_run_id: int
    after_run_id: int
    signature: str
    state: State
    reason: str
    test: Test
    n: int
    only_before: int
    only_after: int
    changed: int
    before: float | None
    after: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    facts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SeriesChange:
    """A change of a series with its current status. See the table `changes`."""

    id: int
    series_id: int
    kind: ChangeKind
    role: Role
    family: str
    changed_at: datetime
    detected_at: datetime
    before_run_id: int
    after_run_id: int
    before: float | None
    after: float | None
    effect: float | None
    low: float | None
    high: float | None
    p: float | None
    q: float | None
    alpha: float | None
    noise: float | None
    status: Status
    cause: Cause
    because: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Switch:
    """The time at which a series changed to another signature."""

    series_id: int
    switched_at: datetime
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Signature:
    """Versions of all of ours that decides a value; `n_points` ticks are computed with it."""

    hash: str
    parts: Mapping[str, Json]
    n_points: int


#: Contrasts of a tick with earlier ones.
BY_DEFAULT = (Contrast.STEP, Contrast.WEEK, Contrast.FIRST)


def read_comparisons(
    connection: sa.Connection, series: Iterable[int], contrasts: Sequence[Contrast] = BY_DEFAULT
) -> list[Comparison]:
    """Return the current comparisons of series, by series, contrast and due time."""
    earlier = runs.alias()
    names = [field.name for field in fields(Comparison)]
    query = (
        sa.select(
            *(comparisons.c[name] for name in names if name in comparisons.c),
            earlier.c.due_at.label("before_due_at"),
            signatures.c.hash.label("signature"),
        )
        .join(earlier, earlier.c.id == comparisons.c.before_run_id)
        .join(signatures, signatures.c.id == comparisons.c.signature_id)
        .where(comparisons.c.is_current, comparisons.c.contrast.in_(contrasts))
        .order_by(comparisons.c.series_id, comparisons.c.contrast, comparisons.c.due_at,
                  comparisons.c.id)
    )  # fmt: skip
    comparison_rows = rows.read_in_parts(
        connection, query, comparisons.c.series_id, sorted(set(series))
    )
    return [rows.make_record(row, Comparison) for row in comparison_rows]


def read_changes(connection: sa.Connection, series: Iterable[int]) -> list[SeriesChange]:
    """Return the changes of series that are in force, the oldest first."""
    query = (
        sa.select(*(changes.c[field.name] for field in fields(SeriesChange)))
        .where(changes.c.is_current)
        .order_by(changes.c.series_id, changes.c.changed_at, changes.c.id)
    )
    change_rows = rows.read_in_parts(connection, query, changes.c.series_id, sorted(set(series)))
    return [rows.make_record(row, SeriesChange) for row in change_rows]


def read_switches(connection: sa.Connection, series: Iterable[int]) -> list[Switch]:
    """Return when series went over to another signature, the oldest first."""
    before, after = signatures.alias(), signatures.alias()
    query = (
        sa.select(
            switches.c.series_id,
            switches.c.switched_at,
            sa.func.coalesce(before.c.hash, "").label("before"),
            after.c.hash.label("after"),
        )
        .outerjoin(before, before.c.id == switches.c.from_id)
        .join(after, after.c.id == switches.c.to_id)
        .order_by(switches.c.series_id, switches.c.switched_at, switches.c.id)
    )
    switch_rows = rows.read_in_parts(connection, query, switches.c.series_id, sorted(set(series)))
    return [Switch(*row) for row in switch_rows]


def list_signatures(connection: sa.Connection, series_id: int) -> list[Signature]:
    """Return every signature that a series has points of, the oldest first."""
    counted = (
        sa.select(points.c.signature_id, sa.func.count().label("n"))
        .where(points.c.series_id == series_id, points.c.is_newest)
        .group_by(points.c.signature_id)
        .subquery()
    )
    query = (
        sa.select(signatures.c.hash, signatures.c.parts, counted.c.n)
        .join(counted, counted.c.signature_id == signatures.c.id)
        .order_by(signatures.c.id)
    )
    return [Signature(row.hash, row.parts, row.n) for row in connection.execute(query)]


def find_signature(series_id: int, signatures: Sequence[Signature], beginning: str) -> str:
    """Return the only hash that begins so. Raises InvalidInput with those of the series."""
    matching = [each.hash for each in signatures if each.hash.startswith(beginning)]
    if len(matching) != 1:
        listing = ", ".join(each.hash[:12] for each in signatures) or "none"
        how_many = "several signatures begin" if matching else "no signature begins"
        raise InvalidInput(f"{how_many} with {beginning!r}; series {series_id} has: {listing}")
    return matching[0]


class SeriesCounts(NamedTuple):
    """Findings in force, and comparisons that show how much moves when nothing changes."""

    n_changes: int
    n_noise: int


def count_changes(connection: sa.Connection, series: Sequence[int]) -> dict[int, SeriesCounts]:
    """Return {series: what was found of it}, of each of these."""
    is_noise = comparisons.c.contrast.in_((Contrast.MINUTES, Contrast.DAYS))
    n_changes, n_noise = (
        {  # noqa: C416 - rows are no pairs
            number: n
            for number, n in connection.execute(
                sa.select(table.c.series_id, sa.func.count())
                .where(table.c.series_id.in_(series), table.c.is_current, condition)
                .group_by(table.c.series_id)
            )
        }
        for table, condition in ((changes, sa.true()), (comparisons, is_noise))
    )
    return {
        series_id: SeriesCounts(n_changes.get(series_id, 0), n_noise.get(series_id, 0))
        for series_id in series
    }


class OffGridPoint(NamedTuple):
    """The current point of a series in a run that is no due tick: by hand, for noise, once more."""

    run_id: int
    kind: RunKind
    job: str
    due_at: datetime
    point_id: int
    state: str
    reason: str
    value: float | None
    low: float | None
    high: float | None


def read_off_grid(connection: sa.Connection, series_id: int, limit: int) -> list[OffGridPoint]:
    """Return the newest of them first."""
    columns = (points.c[name] for name in ("run_id", "state", "reason", "value", "low", "high"))
    query = (
        sa.select(runs.c.kind, runs.c.job, runs.c.due_at, points.c.id.label("point_id"), *columns)
        .join(runs, runs.c.id == points.c.run_id)
        .where(
            points.c.series_id == series_id, points.c.is_current, runs.c.kind != RunKind.SCHEDULED
        )
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(limit)
    )
    return rows.read_records(connection, query, OffGridPoint)


# --- all of one series ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeriesHistory:
    """A series under one method version, the oldest tick first.

    `signature` is the hash of that version, `stale` says why the chart does not go on.
    """

    series: Series
    ticks: Sequence[GridTick]
    not_asked: Sequence[datetime]
    comparisons: Sequence[Comparison]
    changes: Sequence[SeriesChange]
    switches: Sequence[Switch]
    signatures: Sequence[Signature]
    signature: str
    stale: Sequence[StaleSeries]

    @property
    def steps(self) -> dict[int, Comparison]:
        """Return {run: its comparison with the run before}."""
        return {
            comparison.after_run_id: comparison
            for comparison in self.comparisons
            if comparison.contrast is Contrast.STEP
        }


def read_history(
    connection: sa.Connection,
    series: Series,
    beginning: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> SeriesHistory:
    """Return a series between two times; `beginning` selects another method version.

    Raises InvalidInput where no signature begins so, or several do.
    """
    known_signatures = list_signatures(connection, series.id)
    signature = series.signature
    if beginning:
        signature = find_signature(series.id, known_signatures, beginning)
    other_signature = signature if signature != series.signature else ""
    ticks = read_grid(connection, series.id, since, until, other_signature)
    run_ids = {tick.run_id for tick in ticks}
    first, last = (ticks[0].due_at, ticks[-1].due_at) if ticks else (None, None)
    return SeriesHistory(
        series=series,
        ticks=ticks,
        not_asked=find_not_asked(connection, ticks, until),
        comparisons=[
            comparison
            for comparison in read_comparisons(connection, [series.id])
            if comparison.after_run_id in run_ids and comparison.signature == signature
        ],
        changes=[
            change
            for change in read_changes(connection, [series.id])
            if first and last and first <= change.changed_at <= last
        ],
        switches=read_switches(connection, [series.id]),
        signatures=known_signatures,
        signature=signature,
        stale=find_stale(connection, [series.id]),
    )


# --- summaries of many series -------------------------------------------------------------------

#: So many series are looked up one by one; of more all are read that share what these share.
_FEW = 500
#: Rows at a time: a list of all of them would be walked through by the collector again and again.
_AT_ONCE = 1_000

#: What a summary has of the newest due tick of its series.
_LAST_TICK = ("state", "reason", "value", "low", "high")


@dataclass(frozen=True, slots=True)
class SeriesSummary:
    """Fields of the view `series` besides those of Series: ticks, and the newest due tick."""

    series_id: int
    job: str  # of the newest tick
    scope_title: str | None
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


class _Length(NamedTuple):
    """The due ticks of a series from its first point on."""

    n_ticks: int
    n_measured: int
    first_due_at: datetime
    last_due_at: datetime


def read_summaries(
    connection: sa.Connection, series_list: Sequence[Series]
) -> dict[int, SeriesSummary]:
    """Return {series: its summary}, without series that were never due.

    As the view `series`, which takes longer: it looks for the newest tick among all of them.
    """
    lengths = _read_lengths(connection, series_list)
    due = sa.select(DUE_TICKS.c.job, sa.func.max(DUE_TICKS.c.due_at)).group_by(DUE_TICKS.c.job)
    newest_of = {job: due_at for job, due_at in connection.execute(due)}  # noqa: C416 - no pairs
    series_by_id = {series.id: series for series in series_list}
    summaries: dict[int, SeriesSummary] = {}
    for row in _read_last_ticks(connection, series_by_id, lengths, set(newest_of.values())):
        series, length = series_by_id[row.series_id], lengths[row.series_id]
        last: dict[str, Any] = {f"last_{name}": getattr(row, name) for name in _LAST_TICK}
        summaries[series.id] = SeriesSummary(
            series_id=series.id,
            job=row.job,
            scope_title=series.scope_title or None,
            is_asked=newest_of[row.job] == length.last_due_at,
            **length._asdict(),
            **last | {"last_state": State(row.state)},
        )
    return summaries


def _read_lengths(connection: sa.Connection, series_list: Sequence[Series]) -> dict[int, _Length]:
    """Return {series: its length} of at least these series; measured ticks have a value."""
    number, due_at = SERIES_POINTS.c.series_id, SERIES_POINTS.c.due_at
    columns = (number, sa.func.count(), sa.func.count(SERIES_POINTS.c.value), sa.func.min(due_at),
               sa.func.max(due_at))  # fmt: skip
    query = sa.select(*columns).where(*_make_series_conditions(series_list)).group_by(number)
    return {row[0]: _Length(*row[1:]) for row in connection.execute(query)}


def _read_last_ticks(
    connection: sa.Connection,
    series_by_id: Mapping[int, Series],
    lengths: Mapping[int, _Length],
    newest: Collection[datetime],
) -> Iterator[sa.Row[Any]]:
    """Yield the newest due tick of each.

    `newest` are those of jobs: most series end with one of them.
    """
    columns = (SERIES_POINTS.c[name] for name in ("series_id", "job", "due_at", *_LAST_TICK))
    query = sa.select(*columns).order_by(SERIES_POINTS.c.due_at, SERIES_POINTS.c.job)
    ends = {number: lengths[number].last_due_at for number in series_by_id if number in lengths}
    still = [series_by_id[number] for number, last_due in ends.items() if last_due in newest]
    over = [series_by_id[number] for number, last_due in ends.items() if last_due not in newest]
    parts = [still, *(over[start : start + _FEW] for start in range(0, len(over), _FEW))]
    for series_part in filter(None, parts):
        times = sorted({ends[series.id] for series in series_part})
        part_query = query.where(
            SERIES_POINTS.c.due_at.in_(times), *_make_series_conditions(series_part)
        )
        for row in connection.execute(part_query):
            if row.due_at == ends.get(row.series_id):
                yield row


def _make_series_conditions(series_list: Sequence[Series]) -> Iterator[sa.ColumnElement[bool]]:
    """Yield conditions for series: a few by number, many by what all of them share."""
    if len(series_list) <= 1:
        yield SERIES_POINTS.c.series_id == (series_list[0].id if series_list else -1)
        return
    if len(series_list) <= _FEW:
        yield SERIES_POINTS.c.series_id.in_(sorted(series.id for series in series_list))
        return
    for name in ("engine", "quantity", "target", "scope"):
        values = {getattr(series, name) for series in series_list}
        if len(values) == 1:
            yield SERIES_POINTS.c[name] == values.pop()


def _make_since_condition(first: Mapping[str, datetime]) -> sa.ColumnElement[bool]:
    """Return the condition for due ticks of each job from its own first time on."""
    jobs_of = rows.group_pairs((due_at, job) for job, due_at in first.items())
    conditions = [
        SERIES_POINTS.c.job.in_(jobs) & (SERIES_POINTS.c.due_at >= since)
        for since, jobs in jobs_of.items()
    ]
    return sa.and_(SERIES_POINTS.c.due_at >= min(first.values()), sa.or_(*conditions))


class SparklineTick(NamedTuple):
    """One tick of a small chart: its value, or None and the state that says what sort of gap.

    `low` and `high` are the ends of the 95 % interval, None where there is none.
    """

    due_at: datetime
    state: State
    value: float | None
    low: float | None
    high: float | None


def read_newest_marks(
    connection: sa.Connection, series_list: Sequence[Series], ticks: int = 20
) -> dict[int, list[SparklineTick]]:
    """Return {series: its newest ticks, the oldest first}, so many due ticks of the job at most."""
    columns = DUE_TICKS.c.job, DUE_TICKS.c.due_at, DUE_TICKS.c.run_id
    due = connection.execute(sa.select(*columns).order_by(DUE_TICKS.c.due_at.desc())).all()
    of_run = {run_id: due_at for _, due_at, run_id in due}
    of_job = rows.group_pairs((job, due_at) for job, due_at, _ in due)
    first = {job: times[:ticks][-1] for job, times in of_job.items()}
    if not first or not series_list:
        return {}
    marks_of: dict[int, list[SparklineTick]] = {series.id: [] for series in series_list}
    states: dict[str | None, State] = {state.value: state for state in State}
    states[None] = State.MEASURED
    of = SERIES_POINTS.c
    # few columns: a due time where there is no run, and a state where there is no value
    due_without_run = sa.case((of.run_id.is_(None), of.due_at))
    state_without_value = sa.func.nullif(of.state, State.MEASURED)
    values = (of.value, of.low, of.high)
    query: sa.Select[Any] = sa.select(
        of.series_id, of.run_id, due_without_run, state_without_value, *values
    ).where(*_make_series_conditions(series_list), _make_since_condition(first))
    for partition in connection.execute(query).partitions(_AT_ONCE):
        for number, run_id, due_at, state, *interval in partition:
            if number in marks_of:
                tick_due = due_at if run_id is None else of_run[run_id]
                marks_of[number].append(SparklineTick(tick_due, states[state], *interval))
    # in order series by series: databases sort tens of thousands of rows on disk
    return {
        number: sorted(marks, key=attrgetter("due_at"))
        for number, marks in marks_of.items()
        if marks
    }
