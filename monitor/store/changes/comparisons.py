"""Comparisons of two sets of answers to the same questions: of one series, or of two systems.

Also the runs that a tick and its reruns are compared with.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import repeat
from operator import attrgetter
from typing import NamedTuple

import sqlalchemy as sa

from monitor.change import Contrast, Paired
from monitor.model import RunKind, State
from monitor.store import rows
from monitor.store.access.embargoes import NOTHING, EmbargoFilter
from monitor.store.collect.runs import ENDED, SELECT_RUNS, Run
from monitor.store.derive.points import SeriesKey, ensure_series, find_series_ids
from monitor.store.schema import (
    comparisons,
    engines,
    lists,
    points,
    run_lists,
    runs,
    series_keys,
    ticks,
)


@dataclass(frozen=True, slots=True)
class ComparedAnswers:
    """Two sets of answers to compare: their runs, series and signature."""

    contrast: Contrast
    before_run: int
    after_run: int
    due_at: datetime  # of the run after
    signature: int
    version: int  # of the method
    other: SeriesKey | None = None  # of two engines: that of before


def store_comparisons(
    connection: sa.Connection,
    key: SeriesKey,
    what: ComparedAnswers,
    paired: Sequence[Paired],
    inputs_digest: str,
    now: datetime,
) -> int:
    """Store what a measure found. The same inputs write nothing; newer ones take their place.

    Returns the number of rows written.
    """
    ids = ensure_series(connection, key, paired)
    other_ids = ensure_series(connection, what.other, paired) if what.other else None
    same_pairs = sa.and_(
        comparisons.c.series_id.in_(ids),
        comparisons.c.contrast == what.contrast,
        comparisons.c.after_run_id == what.after_run,
        comparisons.c.is_current,
    )
    if other_ids:
        same_pairs &= comparisons.c.other_id.in_(other_ids)
    stored_digests = set(
        connection.execute(sa.select(comparisons.c.inputs_digest).where(same_pairs)).scalars()
    )
    if stored_digests == {inputs_digest}:
        return 0
    if stored_digests:
        connection.execute(sa.update(comparisons).where(same_pairs).values(is_current=False))
    columns = {
        "contrast": what.contrast, "before_run_id": what.before_run,
        "after_run_id": what.after_run, "signature_id": what.signature, "due_at": what.due_at,
        "method_version": what.version, "inputs_digest": inputs_digest, "computed_at": now,
        "is_current": True,
    }  # fmt: skip
    content = [
        rows.make_row(
            comparisons,
            value,
            series_id=series_id,
            other_id=other_id,
            state=State.INSUFFICIENT if value.delta is None else State.MEASURED,
            facts={name: float(fact) for name, fact in value.facts},
            **columns,
        )
        for series_id, other_id, value in zip(ids, other_ids or repeat(None), paired, strict=False)
    ]
    rows.insert_rows(connection, comparisons, content)
    return len(content)


def list_due_times(connection: sa.Connection, job: str) -> list[datetime]:
    """Return all due ticks of a job in order, also those without a run."""
    query = sa.union(
        sa.select(runs.c.due_at).where(runs.c.job == job, runs.c.kind == RunKind.SCHEDULED),
        sa.select(ticks.c.due_at).where(ticks.c.job == job),
    )
    return sorted(connection.execute(query).scalars())


@dataclass(frozen=True, slots=True)
class TestedComparison:
    """One comparison of a tick, as the ledger reads it."""

    id: int
    series_id: int
    engine: str
    surface: str
    engine_id: int
    list: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    scope: str
    before_run: int
    after_run: int
    due_at: datetime
    before_due_at: datetime
    signature_id: int
    n: int
    only_before: int
    only_after: int
    changed: int
    before: float
    after: float
    delta: float
    low: float | None
    high: float | None
    p: float | None
    facts: Mapping[str, float]
    inputs_digest: str


def find_run_comparisons(
    connection: sa.Connection, run_id: int, contrast: Contrast
) -> list[TestedComparison]:
    """Return what was measured between a run and another, in the order of the series."""
    query = _SELECT.where(comparisons.c.after_run_id == run_id, comparisons.c.contrast == contrast)
    result = connection.execute(query.order_by(comparisons.c.series_id))
    return [TestedComparison(*row) for row in result]


def find_job_comparisons(connection: sa.Connection, job: str) -> dict[int, list[TestedComparison]]:
    """Return {run: its steps over all questions} of the scheduled runs of a job."""
    query = _SELECT.join(_later_runs, _later_runs.c.id == comparisons.c.after_run_id).where(
        _later_runs.c.job == job,
        _later_runs.c.kind == RunKind.SCHEDULED,
        comparisons.c.contrast == Contrast.STEP,
        series_keys.c.scope == "all",
    )
    result = connection.execute(query.order_by(comparisons.c.series_id))
    return rows.group_rows((TestedComparison(*row) for row in result), attrgetter("after_run"))


def find_series_comparisons(
    connection: sa.Connection, series_ids: Iterable[int], contrast: Contrast
) -> dict[int, list[TestedComparison]]:
    """Return {series: what was measured of it, in the order of its ticks}."""
    query = _SELECT.where(comparisons.c.contrast == contrast).order_by(comparisons.c.due_at)
    ids = sorted(set(series_ids))
    rows_read = rows.read_in_parts(connection, query, comparisons.c.series_id, ids)
    return rows.group_rows((TestedComparison(*row) for row in rows_read), attrgetter("series_id"))


def list_asked_runs(connection: sa.Connection, job: str) -> list[Run]:
    """Return the runs of a job that are on the grid or ask a tick again, in the order of asking."""
    query = SELECT_RUNS.where(runs.c.job == job, runs.c.kind != RunKind.MANUAL)
    query = query.order_by(runs.c.created_at, runs.c.due_at, runs.c.id)
    return rows.read_records(connection, query, Run)


@dataclass(frozen=True, slots=True)
class FirstTickDifference:
    """The paired difference of a run to the first tick of a series."""

    delta: float
    inputs_digest: str


def find_first_differences(
    connection: sa.Connection, series_ids: Iterable[int], run_ids: AbstractSet[int]
) -> dict[int, dict[int, FirstTickDifference]]:
    """Return {series: {run: its difference to the first tick of the series}} of these runs.

    Of scheduled runs and of those that asked all questions of a tick again. Where the second tick
    has no comparison of its own with the first, the step is that.
    """
    kinds = (Contrast.STEP, Contrast.FIRST, Contrast.AGAIN)
    query = sa.select(
        comparisons.c.series_id, comparisons.c.contrast, comparisons.c.before_run_id,
        comparisons.c.after_run_id, comparisons.c.delta, comparisons.c.inputs_digest,
    ).where(
        comparisons.c.contrast.in_(kinds),
        comparisons.c.is_current,
        comparisons.c.state == State.MEASURED,
    ).order_by(comparisons.c.due_at, comparisons.c.id)  # fmt: skip
    ids = sorted(set(series_ids))
    rows_read = rows.read_in_parts(connection, query, comparisons.c.series_id, ids)
    of_runs = (row for row in rows_read if row.after_run_id in run_ids)
    differences: dict[int, dict[int, FirstTickDifference]] = {}
    for series_id, alike in rows.group_rows(of_runs, attrgetter("series_id")).items():
        origins = [row.before_run_id for row in alike if row.contrast != Contrast.STEP]
        first_run = origins[-1] if origins else alike[0].before_run_id
        differences[series_id] = {
            row.after_run_id: FirstTickDifference(row.delta, row.inputs_digest)
            for row in alike
            if row.before_run_id == first_run
        }
    return differences


_earlier_runs = runs.alias("earlier_runs")
_later_runs = runs.alias("later_runs")

_columns = dict(series_keys.c) | dict(comparisons.c) | {
    "engine": engines.c.name, "surface": engines.c.surface, "before_due_at": _earlier_runs.c.due_at,
    "before_run": comparisons.c.before_run_id, "after_run": comparisons.c.after_run_id,
}  # fmt: skip
_SELECT = (
    sa.select(*(_columns[name] for name in TestedComparison.__slots__))
    .select_from(comparisons)
    .join(series_keys, series_keys.c.id == comparisons.c.series_id)
    .join(engines, engines.c.id == series_keys.c.engine_id)
    .join(_earlier_runs, _earlier_runs.c.id == comparisons.c.before_run_id)
    .where(comparisons.c.is_current, comparisons.c.state == State.MEASURED)
)


# --- differences between engines ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """One quantity of two engines: `delta` is the second's value less the first's.

    On the `n` questions that both answered usably; `p` is None where nothing could be tested.
    """

    comparison_id: int
    series_id: int  # of the second
    other_id: int  # of the first
    run_id: int
    due_at: datetime
    list: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    first: str
    second: str
    n: int
    only_first: int
    only_second: int
    changed: int
    value_first: float | None
    value_second: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    test: str
    reason: str


def find_comparisons(
    connection: sa.Connection, run_id: int, hidden: EmbargoFilter = NOTHING
) -> list[EngineComparison]:
    """Return all comparisons of two engines in a run, by list, target, measure and quantity."""
    other_keys = series_keys.alias("other")
    first, second = engines.alias("first"), engines.alias("second")
    of = comparisons.c
    columns = dict(series_keys.c) | dict(of) | {
        "comparison_id": of.id, "run_id": of.after_run_id, "first": first.c.name,
        "second": second.c.name, "only_first": of.only_before, "only_second": of.only_after,
        "value_first": of.before, "value_second": of.after,
    }  # fmt: skip
    query = (
        sa.select(*(columns[name] for name in EngineComparison.__slots__))
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .join(other_keys, other_keys.c.id == comparisons.c.other_id)
        .join(first, first.c.id == other_keys.c.engine_id)
        .join(second, second.c.id == series_keys.c.engine_id)
        .where(comparisons.c.after_run_id == run_id, *_are_both_visible(hidden))
        .order_by(*(columns[name] for name in _ORDER))
    )
    return [EngineComparison(*row) for row in connection.execute(query)]


_ORDER = "list source_lang target measure reference quantity first second comparison_id".split()


def _are_both_visible(hidden: EmbargoFilter) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the condition for comparisons of two visible engines."""
    return (
        comparisons.c.contrast == Contrast.ENGINES,
        comparisons.c.is_current,
        hidden.series_shown(comparisons.c.series_id),
        hidden.series_shown(comparisons.c.other_id),
    )


def _has_comparisons(hidden: EmbargoFilter) -> sa.ColumnElement[bool]:
    of_run = comparisons.c.after_run_id == runs.c.id
    compared = sa.exists().where(of_run, *_are_both_visible(hidden))
    return (runs.c.kind == RunKind.SCHEDULED) & compared


def find_jobs(connection: sa.Connection, hidden: EmbargoFilter) -> list[str]:
    """Return the jobs in whose runs systems are compared."""
    query = sa.select(runs.c.job).where(_has_comparisons(hidden))
    return list(connection.execute(query.distinct().order_by(runs.c.job)).scalars())


def find_runs(
    connection: sa.Connection, job: str, most: int, hidden: EmbargoFilter = NOTHING
) -> list[Run]:
    """Return the newest scheduled runs in which systems are compared, of a job or of all."""
    query = SELECT_RUNS.where(_has_comparisons(hidden))
    if job:
        query = query.where(runs.c.job == job)
    query = query.order_by(runs.c.due_at.desc(), runs.c.id.desc()).limit(most)
    return rows.read_records(connection, query, Run)


def find_run(connection: sa.Connection, run_id: int, hidden: EmbargoFilter = NOTHING) -> Run | None:
    """Return a run, whether or not systems are compared in it; None where none may be seen."""
    query = SELECT_RUNS.where(runs.c.id == run_id, hidden.runs_shown(runs.c.id))
    return rows.find_record(connection, query, Run)


# --- the runs that a tick and its reruns are compared with ----------------------------------------

#: A job that is due at five on Mondays has "a week before" also where jitter moved a start.
ABOUT_A_WEEK = timedelta(days=6, hours=12)


@dataclass(frozen=True, slots=True)
class BaselineRun:
    """An earlier run that has values, with the version of the list that it asked."""

    run_id: int
    list_id: int
    due_at: datetime


def find_baselines(
    connection: sa.Connection, key: SeriesKey, quantities: Iterable[str], before: datetime
) -> dict[Contrast, BaselineRun]:
    """Return the runs to compare a tick with: the newest, one a week ago, and the first.

    Only scheduled runs that have ended, with a value of any of the quantities over all probes. A
    week ago, and the first, are left out where they are the newest one.
    """
    series_ids = _find_series_ids(connection, key, quantities)
    query = _select_measured_runs(key, series_ids).where(runs.c.due_at < before)
    newest = _find_first(connection, query.order_by(runs.c.due_at.desc()))
    if newest is None:
        return {}
    baselines = {Contrast.STEP: newest}
    week = query.where(runs.c.due_at <= before - ABOUT_A_WEEK).order_by(runs.c.due_at.desc())
    a_week_ago = _find_first(connection, week)
    if a_week_ago and a_week_ago != newest:
        baselines[Contrast.WEEK] = a_week_ago
    first = _find_first(connection, query.order_by(runs.c.due_at))
    if first and first != newest:
        baselines[Contrast.FIRST] = first
    return baselines


def find_first_run(
    connection: sa.Connection, key: SeriesKey, quantities: Iterable[str], until: datetime
) -> BaselineRun | None:
    """Return the first scheduled run that measured any of these quantities, until a tick."""
    series_ids = _find_series_ids(connection, key, quantities)
    query = _select_measured_runs(key, series_ids).where(runs.c.due_at <= until)
    return _find_first(connection, query.order_by(runs.c.due_at))


def find_rerun_baselines(
    connection: sa.Connection,
    key: SeriesKey,
    quantities: Iterable[str],
    before: datetime,
    due_at: datetime,
) -> BaselineRun | None:
    """Return the runs to compare a rerun of a tick with; none is a side of the finding.

    `before` is the tick that the finding rests on, `due_at` its own. If that was asked again as
    well, that confirming run, begun before the finding's tick: it shows whether what was found had
    stayed. Else the newest earlier run. In both any of these quantities has to be measured over all
    probes: those that are to be held against the same run. None where there is none.
    """
    series_ids = _find_series_ids(connection, key, quantities)
    candidates = runs.alias("found")
    query = _select_list_runs(key.list).where(
        runs.c.kind == RunKind.CONFIRM,
        runs.c.job == key.job,
        runs.c.due_at == before,
        runs.c.created_at
        < sa.select(candidates.c.created_at)
        .where(
            candidates.c.kind == RunKind.SCHEDULED,
            candidates.c.job == key.job,
            candidates.c.due_at == due_at,
        )
        .scalar_subquery(),
        sa.exists().where(
            comparisons.c.after_run_id == runs.c.id,
            comparisons.c.series_id.in_(series_ids),
            comparisons.c.contrast == Contrast.CONFIRM,
            comparisons.c.is_current,
            comparisons.c.state == State.MEASURED,
        ),
    )
    earlier = _select_measured_runs(key, series_ids).where(runs.c.due_at < before)
    return _find_first(connection, query) or _find_first(
        connection, earlier.order_by(runs.c.due_at.desc())
    )


def filter_overall(
    connection: sa.Connection, key: SeriesKey, quantities: Iterable[str]
) -> set[str]:
    """Return those of some quantities that have a series over all probes."""
    series_ids = _find_series_ids(connection, key, quantities)
    query = sa.select(series_keys.c.quantity).where(series_keys.c.id.in_(series_ids))
    return set(connection.execute(query).scalars())


def find_scheduled_run(
    connection: sa.Connection, job: str, due_at: datetime, list_name: str
) -> BaselineRun | None:
    """Return the scheduled run of a tick with the version of its list, or None."""
    query = _select_list_runs(list_name).where(
        runs.c.kind == RunKind.SCHEDULED, runs.c.job == job, runs.c.due_at == due_at
    )
    return _find_first(connection, query)


def _find_series_ids(
    connection: sa.Connection, key: SeriesKey, quantities: Iterable[str]
) -> list[int]:
    """Return the existing series of these quantities over all probes."""
    keys = [str(key.row(quantity, "all")["key"]) for quantity in quantities]
    return list(find_series_ids(connection, keys).values())


def _select_measured_runs(
    key: SeriesKey, series_ids: list[int]
) -> sa.Select[tuple[int, datetime, int]]:
    """Return scheduled runs that have ended with a value of any of these series."""
    return _select_list_runs(key.list).where(
        runs.c.kind == RunKind.SCHEDULED,
        runs.c.job == key.job,
        runs.c.state.in_(ENDED),
        sa.exists().where(
            points.c.run_id == runs.c.id,
            points.c.series_id.in_(series_ids),
            points.c.due_at == runs.c.due_at,
            points.c.state == State.MEASURED,
        ),
    )


def _select_list_runs(list_name: str) -> sa.Select[tuple[int, datetime, int]]:
    """Return a query of the runs that asked a list, with its version."""
    return (
        sa.select(runs.c.id.label("run_id"), runs.c.due_at, lists.c.id.label("list_id"))
        .join(run_lists, run_lists.c.run_id == runs.c.id)
        .join(lists, lists.c.id == run_lists.c.list_id)
        .where(lists.c.name == list_name)
    )


def _find_first(
    connection: sa.Connection, query: sa.Select[tuple[int, datetime, int]]
) -> BaselineRun | None:
    return rows.find_record(connection, query.limit(1), BaselineRun)


# --- flips ----------------------------------------------------------------------------------------


class SeriesName(NamedTuple):
    """A series over all probes, as people name it."""

    engine: str
    list: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str


@dataclass(frozen=True, slots=True)
class AnswerFlips:
    """Of `n` probes asked twice `changed` had another answer, over all ticks; n is above 0."""

    contrast: Contrast
    changed: int
    n: int


def count_flips(
    connection: sa.Connection, job: str, until: datetime | None = None
) -> dict[SeriesName, AnswerFlips]:
    """Return {series over all probes: its flips}, of the ticks up to a time, or of all.

    Flips of noise runs a day later count where there are any, else those of repeats.
    """
    series_names = [engines.c.name, *(series_keys.c[name] for name in SeriesName._fields[1:])]
    query = (
        sa.select(
            *series_names,
            comparisons.c.contrast,
            sa.func.sum(comparisons.c.changed),
            sa.func.sum(comparisons.c.n),
        )
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .join(runs, runs.c.id == comparisons.c.after_run_id)
        .where(
            runs.c.job == job,  # another may have begun the series
            series_keys.c.scope == "all",
            comparisons.c.contrast.in_((Contrast.DAYS, Contrast.MINUTES)),
            comparisons.c.is_current,
            comparisons.c.state == State.MEASURED,
            comparisons.c.n > 0,
            sa.true() if until is None else comparisons.c.due_at <= until,
        )
        .group_by(*series_names, comparisons.c.contrast)
        .order_by(comparisons.c.contrast.desc())  # minutes first, so that days take their place
    )
    return {
        SeriesName(*name): AnswerFlips(Contrast(contrast), int(changed), int(n))
        for *name, contrast, changed, n in connection.execute(query)
    }
