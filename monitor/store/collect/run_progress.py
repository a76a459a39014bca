"""Progress of runs, outcomes of their questions and times of requests, for metrics and alarms.

Queries use the indexes of a run or a job, so that they stay quick however much is stored. Requests
are counted from an id on that the caller remembers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from monitor.live_record import NETWORK_SURFACES, SeenLive, find_newest
from monitor.model import ANSWERED_OUTCOMES, Outcome, Purpose
from monitor.store import rows
from monitor.store.collect.runs import AGAIN, ENDED, SELECT_RUNS, Run
from monitor.store.schema import (
    attempts,
    engines,
    erasures,
    exchanges,
    labels,
    points,
    readings,
    runs,
    series_keys,
    stages_done,
    versions,
    watched_jobs,
)
from monitor.store.selectables import (
    IS_LAST_TRY,
    attempt_range,
    newest_readings,
    outcome_of,
    reason_of,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """The number of questions of a run with one outcome at one engine."""

    engine: str
    kind: str
    outcome: str
    reason: str
    questions: int
    engine_id: int = 0


def list_jobs(connection: sa.Connection) -> list[str]:
    """Return the jobs that have runs, without those that were watched and whose file is gone."""
    gone = sa.select(watched_jobs.c.job).where(~watched_jobs.c.is_active)
    query = sa.select(runs.c.job).where(runs.c.job.not_in(gone)).distinct().order_by(runs.c.job)
    return list(connection.execute(query).scalars())


def find_newest_runs(
    connection: sa.Connection,
    job: str,
    limit: int = 1,
    *,
    finished: bool = False,
    before: datetime | None = None,
) -> list[Run]:
    """Return a job's newest runs by tick, the newest first, without reruns of parts.

    Only the finished ones if wanted, and only those that were finished before a time.
    """
    query = _select_newest_runs(finished=finished or before is not None, before=before is not None)
    values = {"job": job, "most": limit} | ({"before": before} if before else {})
    return [rows.make_record(row, Run) for row in connection.execute(query, values)]


@cache
def _select_newest_runs(*, finished: bool, before: bool) -> sa.Select[Any]:
    """Return the query of the newest runs, cached because supervision repeats it."""
    query = (
        SELECT_RUNS.where(runs.c.job == sa.bindparam("job"), runs.c.kind.not_in(AGAIN))
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(sa.bindparam("most", type_=sa.Integer))
    )
    if finished:
        query = query.where(runs.c.state.in_(ENDED))
    if before:
        query = query.where(runs.c.finished_at < sa.bindparam("before"))
    return query


def read_stage_marks(
    connection: sa.Connection, stage: str, progress: Sequence[Run]
) -> set[tuple[int, str]]:
    """Return (run, version) of every version with which a stage has seen one of these runs."""
    query = sa.select(stages_done.c.run_id, stages_done.c.version).where(
        stages_done.c.stage == stage, stages_done.c.run_id.in_([run.id for run in progress])
    )
    return {(row.run_id, row.version) for row in connection.execute(query)}


def count_outcomes(connection: sa.Connection, run_id: int) -> list[OutcomeCount]:
    """Return what became of the questions of a run, by engine, outcome and reason.

    Tries that were followed by another are left out.
    """
    values = attempt_range(connection, run_id)
    return [OutcomeCount(*row) for row in connection.execute(_select_outcomes(), values)]


@cache
def _select_outcomes() -> sa.Select[Any]:
    reading = newest_readings()
    outcome, reason = outcome_of(reading).label("outcome"), reason_of(reading).label("reason")
    by_engine = (
        sa.select(attempts.c.engine_id, outcome, reason, sa.func.count().label("questions"))
        .select_from(attempts)
        # an exchange is of the run of its attempts, whose exchanges an index finds
        .outerjoin(
            exchanges,
            (exchanges.c.id == attempts.c.exchange_id) & (exchanges.c.run_id == attempts.c.run_id),
        )
        .outerjoin(reading, reading.c.attempt_id == attempts.c.id)
        .where(attempts.c.run_id == sa.bindparam("run"), IS_LAST_TRY)
        .group_by(attempts.c.engine_id, outcome, reason)
        .subquery()
    )
    return (
        sa.select(engines.c.name, engines.c.kind, *by_engine.c[1:], engines.c.id)
        .join(by_engine, by_engine.c.engine_id == engines.c.id)
        .order_by(engines.c.name, engines.c.id, by_engine.c.outcome, by_engine.c.reason)
    )


def read_change_token(connection: sa.Connection, run_id: int) -> tuple[object, ...]:
    """Return a token that changes when rows of the run are added, labelled or erased."""
    query = sa.select(runs.c.id, runs.c.state, runs.c.finished_at).where(runs.c.id == run_id)
    newest = (sa.select(sa.func.max(t.c.id)).scalar_subquery() for t in (points, labels, erasures))
    return (*connection.execute(query).one(), *connection.execute(sa.select(*newest)).one())


@dataclass(frozen=True, slots=True)
class MeasuredValue:
    """One value over everything that a run asked, which could be measured."""

    job: str
    list: str
    engine: str
    source_lang: str
    target: str
    measure: str
    quantity: str
    reference: str
    value: float
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None


def read_measured_values(connection: sa.Connection, progress: Sequence[Run]) -> list[MeasuredValue]:
    """Return the values of scope `all` that are in force in these runs, the newest point last.

    Points have no index by run; they are found by their series and tick.
    """
    job_of = {run.id: run.job for run in progress}
    names = ("list", "source_lang", "target", "measure", "quantity", "reference")
    numbers = ("value", "low", "high", "bound_low", "bound_high")
    query = (
        sa.select(
            points.c.run_id,
            engines.c.name,
            *(series_keys.c[name] for name in names),
            *(points.c[name] for name in numbers),
        )
        .select_from(series_keys)
        .join(points, points.c.series_id == series_keys.c.id)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .where(
            series_keys.c.scope == "all",
            points.c.is_current,
            points.c.due_at.in_({run.due_at for run in progress}),
            points.c.run_id.in_(list(job_of)),
            points.c.value.is_not(None),
        )
        .order_by(points.c.id)
    )
    return [
        MeasuredValue(job_of[run_id], series_name, engine, *rest)
        for run_id, engine, series_name, *rest in connection.execute(query)
    ]


# --- statistics of requests -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RequestDurations:
    """Durations of the requests to an engine: counts within each limit, all, and their sum."""

    within: tuple[int, ...]
    n: int
    seconds: float


def find_newest_exchange(connection: sa.Connection) -> int:
    """Return the id of the newest exchange, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(exchanges.c.id))).scalar() or 0)


def _select_between(after: int, to: int, *columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """Return the query of columns of exchanges in a range of ids, by the label of their engine."""
    return (
        sa.select(engines.c.name, *columns)
        .select_from(exchanges)
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .where(exchanges.c.id > after, exchanges.c.id <= to)
        .group_by(engines.c.name)
    )


def count_attempts(connection: sa.Connection, after: int, to: int) -> dict[tuple[str, str], int]:
    """Return {(engine, outcome): attempts} of the exchanges after one id up to another."""
    query = _select_between(after, to, exchanges.c.outcome, sa.func.count())
    query = query.join(attempts, attempts.c.exchange_id == exchanges.c.id)
    query = query.group_by(exchanges.c.outcome)
    return {(name, outcome): int(n) for name, outcome, n in connection.execute(query)}


def measure_durations(
    connection: sa.Connection, after: int, to: int, limits: Sequence[float]
) -> dict[str, RequestDurations]:
    """Return {engine: durations of its requests}, counted within each limit."""
    within = [
        sa.func.coalesce(sa.func.sum(sa.case((exchanges.c.took <= limit, 1), else_=0)), 0)
        for limit in limits
    ]
    query = _select_between(after, to, sa.func.count(), sa.func.sum(exchanges.c.took), *within)
    query = query.where(exchanges.c.purpose == Purpose.PROBE)
    return {
        name: RequestDurations(tuple(int(count) for count in counts), int(n), float(seconds))
        for name, n, seconds, *counts in connection.execute(query)
    }


_IS_VALID_ANSWER = exchanges.c.outcome.in_(sorted(ANSWERED_OUTCOMES))


def find_last_answers(connection: sa.Connection) -> dict[str, datetime]:
    """Return {engine: time of its last answer}; `find_answers_between` goes on."""
    answered_at: dict[str, datetime] = {}
    for engine_id, name in connection.execute(sa.select(engines.c.id, engines.c.name)).all():
        query = (
            sa.select(exchanges.c.asked_at)
            .where(exchanges.c.engine_id == engine_id, _IS_VALID_ANSWER)
            .order_by(exchanges.c.asked_at.desc())
            .limit(1)
        )
        last_at = connection.execute(query).scalar()
        if last_at is not None:
            answered_at[name] = max(last_at, answered_at.get(name, last_at))
    return answered_at


def find_answers_between(connection: sa.Connection, after: int, to: int) -> dict[str, datetime]:
    """Return {engine: time of its last valid answer} in a range of exchanges."""
    query = _select_between(after, to, sa.func.max(exchanges.c.asked_at)).where(_IS_VALID_ANSWER)
    return {name: answered_at for name, answered_at in connection.execute(query)}  # noqa: C416 - rows are no pairs


def has_answered(connection: sa.Connection, name: str, config_hash: str, since: datetime) -> bool:
    """Return whether an engine with this configuration gave an answer since a time."""
    query = sa.select(
        sa.exists().where(
            exchanges.c.engine_id == engines.c.id,
            engines.c.name == name,
            engines.c.config_hash == config_hash,
            exchanges.c.asked_at >= since,
            _IS_VALID_ANSWER,
        )
    )
    return bool(connection.execute(query).scalar())


# --- time between engines ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RequestSpread:
    """Typical durations of `n` questions, in seconds."""

    median: float
    p95: float
    most: float
    n: int


def measure_spreads(connection: sa.Connection, run_id: int) -> list[float]:
    """Return, by question, the seconds between the first and the last engine that was asked.

    A question is a probe: what was asked for one target or in one region. Its first attempt (of the
    first repeat) counts, where it was answered; a question that fewer than two engines answered
    says nothing.
    """
    query = (
        sa.select(attempts.c.probe_id, exchanges.c.asked_at)
        .join(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .where(
            attempts.c.run_id == run_id,
            attempts.c.repeat == 0,
            attempts.c.n == 1,
            exchanges.c.outcome.in_(ANSWERED_OUTCOMES),
        )
        .order_by(attempts.c.probe_id)
    )
    exchange_rows = connection.execute(query).all()
    if not exchange_rows:
        return []
    import numpy as np  # noqa: PLC0415 - metrics and alarms do without

    origin = exchange_rows[0].asked_at
    seconds = np.array([(row.asked_at - origin).total_seconds() for row in exchange_rows])
    _, starts, engines = np.unique(
        np.array([row.probe_id for row in exchange_rows]), return_index=True, return_counts=True
    )
    apart = np.maximum.reduceat(seconds, starts) - np.minimum.reduceat(seconds, starts)
    return [float(spread) for spread in apart[engines > 1]]


def summarize_spreads(seconds: "ArrayLike") -> RequestSpread | None:
    """Return median, 95th percentile and maximum; None where nothing was asked of two engines."""
    import numpy as np  # noqa: PLC0415 - see above

    values = np.asarray(seconds, dtype=float)
    if not values.size:
        return None
    median, p95, most = np.percentile(values, [50, 95, 100])
    return RequestSpread(float(median), float(p95), float(most), values.size)


# --- live answers ---------------------------------------------------------------------------------


def find_live_answers(
    connection: sa.Connection, until: datetime | None = None
) -> dict[str, SeenLive]:
    """Return {engine: the day of its last answer, and how many its run has}, without plug-ins.

    An index finds the newest answer of each engine, and another the answers of its run, so that the
    size of the archive does not matter. `until` leaves out what was asked later.
    """
    networked = sa.select(engines.c.id, engines.c.name)
    networked = networked.where(engines.c.surface.in_(NETWORK_SURFACES))
    newest = []
    for engine_id, label in connection.execute(networked.order_by(engines.c.id)).all():
        is_answer = (
            (exchanges.c.engine_id == engine_id)
            & (exchanges.c.outcome == Outcome.OK)
            & (exchanges.c.purpose == Purpose.PROBE)
        )
        is_in_time = sa.true() if until is None else exchanges.c.asked_at <= until
        columns = (exchanges.c[name] for name in ("id", "run_id", "asked_at", "url"))
        query = sa.select(*columns).where(is_answer, is_in_time)
        answer = connection.execute(query.order_by(exchanges.c.asked_at.desc()).limit(1)).first()
        if answer is None:
            continue
        of_run = sa.select(sa.func.count()).where(is_answer, exchanges.c.run_id == answer.run_id)
        seen = SeenLive(
            answer.asked_at.astimezone(UTC).date().isoformat(),
            connection.execute(of_run).scalar_one(),
            _find_version(connection, answer.id),
        )
        newest.append((label, answer.url, seen))
    return find_newest(newest)


def _find_version(connection: sa.Connection, exchange_id: int) -> str:
    """Return the version of the parser that read an answer last; empty where none did."""
    query = (
        sa.select(versions.c.version)
        .join(readings, readings.c.parser_id == versions.c.id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .where(attempts.c.exchange_id == exchange_id)
        .order_by(readings.c.id.desc())
        .limit(1)
    )
    version = connection.execute(query).scalar()
    return "" if version is None else str(version)
