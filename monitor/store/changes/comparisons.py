"""Comparisons of two sets of answers to the same questions: of one series, or of two systems."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from itertools import repeat
from operator import attrgetter

import sqlalchemy as sa

from monitor.change import Contrast, Paired
from monitor.model import RunKind, State
from monitor.store import rows
from monitor.store.access.embargoes import NOTHING, EmbargoFilter
from monitor.store.collect.runs import SELECT_RUNS, Run
from monitor.store.derive.points import SeriesKey, ensure_series
from monitor.store.schema import comparisons, engines, runs, series_keys, ticks


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


def _has_comparisons(hidden: EmbargoFilter) -> tuple[sa.ColumnElement[bool], ...]:
    compared = sa.exists().where(
        comparisons.c.after_run_id == runs.c.id, *_are_both_visible(hidden)
    )
    return runs.c.kind == RunKind.SCHEDULED, compared


def find_jobs(connection: sa.Connection, hidden: EmbargoFilter) -> list[str]:
    """Return the jobs in whose runs systems are compared."""
    query = sa.select(runs.c.job).where(*_has_comparisons(hidden))
    return list(connection.execute(query.distinct().order_by(runs.c.job)).scalars())


def find_runs(
    connection: sa.Connection, job: str, most: int, hidden: EmbargoFilter = NOTHING
) -> list[Run]:
    """Return the newest scheduled runs in which systems are compared, of a job or of all."""
    query = SELECT_RUNS.where(*_has_comparisons(hidden))
    if job:
        query = query.where(runs.c.job == job)
    query = query.order_by(runs.c.due_at.desc(), runs.c.id.desc()).limit(most)
    return rows.read_records(connection, query, Run)


def find_run(connection: sa.Connection, run_id: int, hidden: EmbargoFilter = NOTHING) -> Run | None:
    """Return a run, whether or not systems are compared in it; None where none may be seen."""
    query = SELECT_RUNS.where(runs.c.id == run_id, hidden.runs_shown(runs.c.id))
    return rows.find_record(connection, query, Run)
