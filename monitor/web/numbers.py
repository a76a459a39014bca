"""Reads what metrics show, remembering what was read before so that it is not read again.

In goes an open transaction, out come plain numbers. What changes only when a run ends is read when
one has ended; answers and ticks are counted from where the last reading stopped.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from monitor.model import ANSWERED_OUTCOMES, Reason, RunState
from monitor.pipeline.supervising import ALIVE
from monitor.stages.supervise import KINDS
from monitor.store.collect import pauses, request_statistics, run_progress
from monitor.store.collect.request_statistics import RequestDurations
from monitor.store.collect.run_progress import MeasuredValue, RunProgress
from monitor.store.database import Connection, Database
from monitor.store.derive import stale_series
from monitor.store.journal import events, processes
from monitor.store.maintenance import cleanup
from monitor.store.schedule import pending_work

#: Upper ends of the classes of durations, in seconds: a local model to a page that hangs.
LIMITS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
#: A server hands out ids before what they stand for can be seen; nobody's transaction is open for
#: so long. What is newer is counted at the next reading. SQLite has one writer.
_SETTLED = timedelta(seconds=10)
#: How long coverage of a run that is being asked, and values, may be old.
_RUNNING_FOR = timedelta(seconds=60)
_VALUES_FOR = timedelta(minutes=5)
#: Reasons are of a closed set; another text would be one of many.
_REASONS = frozenset(Reason)

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """What metrics show. All empty: the database could not be read."""

    is_up: float = 0.0
    attempts: Mapping[Key, int] = field(default_factory=dict)
    took: Mapping[str, RequestDurations] = field(default_factory=dict)
    ticks: Mapping[Key, int] = field(default_factory=dict)
    last_valid: Mapping[str, float] = field(default_factory=dict)
    suspended: frozenset[Key] = frozenset()
    paused: frozenset[Key] = frozenset()
    lags: Mapping[str, float] = field(default_factory=dict)
    last_ticks: Mapping[Key, float] = field(default_factory=dict)
    coverage: Mapping[Key, float] = field(default_factory=dict)
    values: Mapping[Key, MeasuredValue] = field(default_factory=dict)
    tasks: Mapping[tuple[str, str], int] = field(default_factory=dict)
    oldest_ready: float | None = None
    alarms: Mapping[str, int] = field(default_factory=dict)
    behind: Mapping[str, int] = field(default_factory=dict)
    processes: Mapping[str, int] = field(default_factory=dict)
    disk_free: int | None = None
    database_bytes: int | None = None


class Reader:
    """Reads numbers again and again. One at a time."""

    def __init__(self) -> None:
        self._answers = _Answers()
        self._ticks = _Ticks()
        self._coverage = _Coverage()
        self._values = _Values()
        self._behind = _Behind()

    def read(self, connection: Connection, database: Database, now: datetime) -> Numbers:
        """The numbers of now."""
        self._answers.read(connection, now, settles=database.keeps_files)
        self._ticks.read(connection)
        jobs = run_progress.list_jobs(connection)
        active = pending_work.list_active_jobs(connection)
        last = pending_work.read_last_ticks(connection, active)
        ready = pending_work.find_ready_since(connection, now)
        return Numbers(
            is_up=1.0,
            attempts=dict(self._answers.attempts),
            took=dict(self._answers.took),
            ticks=dict(self._ticks.ended),
            last_valid={
                engine: at.timestamp() for engine, at in sorted(self._answers.last_valid.items())
            },
            suspended=_suspended(connection, now),
            paused=frozenset((one.kind, one.name) for one in pauses.list_pauses(connection)),
            lags=_lags(connection, active, now),
            last_ticks={(job, state): at.timestamp() for job, (state, at) in last.items()},
            coverage=self._coverage.read(connection, jobs, now),
            values=self._values.read(connection, jobs, now),
            tasks=pending_work.count_tasks(connection),
            oldest_ready=_since(ready, now),
            alarms=_alarms(connection),
            behind=self._behind.read(connection, jobs, now),
            processes=_processes(connection, now),
            disk_free=cleanup.measure_free_space(database),
            database_bytes=cleanup.measure_database(connection, database),
        )


def _since(at: datetime | None, now: datetime) -> float:
    return max(0.0, (now - at).total_seconds()) if at else 0.0


def _suspended(connection: Connection, now: datetime) -> frozenset[Key]:
    found = set()
    for row in pauses.list_suspensions(connection):
        until, reason = row["until"], str(row["reason"])
        if isinstance(until, datetime) and until > now:
            found.add((str(row["lane"]), reason if reason in _REASONS else "other"))
    return frozenset(found)


def _lags(connection: Connection, active: list[str], now: datetime) -> dict[str, float]:
    lags = dict.fromkeys(active, 0.0)
    for tick in pending_work.list_open_ticks(connection):
        lags[tick.job] = max(lags.get(tick.job, 0.0), _since(tick.due_at, now))
    return lags


def _alarms(connection: Connection) -> dict[str, int]:
    standing = Counter(one.kind for one in events.list_open_alarms(connection))
    return dict.fromkeys(KINDS, 0) | dict(standing)


def _processes(connection: Connection, now: datetime) -> dict[str, int]:
    alive = Counter(one.role for one in processes.list_alive(connection, now, ALIVE))
    return {"daemon": 0, "worker": 0} | dict(alive)


class _Answers:
    """Counts of attempts and durations, from where the last reading stopped."""

    def __init__(self) -> None:
        self.attempts: Counter[Key] = Counter()
        self.took: dict[str, RequestDurations] = {}
        self.last_valid: dict[str, datetime] = {}
        self._counted: int | None = None
        self._seen: tuple[datetime, int] | None = None  # the newest id at a time

    def read(self, connection: Connection, now: datetime, *, settles: bool) -> None:
        """Count what has come; `settles` where ids can be seen in their order."""
        newest = request_statistics.find_newest_exchange(connection)
        if self._counted is None:
            self._counted = newest
            self.last_valid = request_statistics.find_last_answers(connection)
            return
        to = newest if settles else self._settled(newest, now)
        if to <= self._counted:
            return
        self.attempts.update(request_statistics.count_attempts(connection, self._counted, to))
        for engine, took in request_statistics.measure_durations(
            connection, self._counted, to, LIMITS
        ).items():
            self.took[engine] = _sum(self.took.get(engine), took)
        for engine, at in request_statistics.find_answers_between(
            connection, self._counted, to
        ).items():
            self.last_valid[engine] = max(at, self.last_valid.get(engine, at))
        self._counted = to

    def _settled(self, newest: int, now: datetime) -> int:
        """The newest id that was there long enough ago for all before it to be seen."""
        counted = self._counted or 0
        if self._seen is None:
            self._seen = now, newest
            return counted
        at, seen = self._seen
        if now - at < _SETTLED:
            return counted
        self._seen = now, newest
        return seen


def _sum(before: RequestDurations | None, more: RequestDurations) -> RequestDurations:
    if before is None:
        return more
    within = tuple(a + b for a, b in zip(before.within, more.within, strict=True))
    return RequestDurations(within, before.n + more.n, before.seconds + more.seconds)


class _Ticks:
    """Counts of ticks that have ended. Those that were open are looked at again."""

    def __init__(self) -> None:
        self.ended: Counter[Key] = Counter()
        self._counted: int | None = None
        self._open: set[int] = set()

    def read(self, connection: Connection) -> None:
        """Count what has ended."""
        newest = pending_work.find_newest_tick(connection)
        if self._counted is not None:
            self.ended.update(pending_work.count_ended_ticks(connection, self._counted, self._open))
        self._counted = newest
        self._open = {tick.id for tick in pending_work.list_open_ticks(connection)}


class _Coverage:
    """The part of the questions that have an answer, of each job's newest run."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[RunProgress, datetime, dict[str, float]]] = {}

    def read(self, connection: Connection, jobs: list[str], now: datetime) -> dict[Key, float]:
        """{(job, engine): ratio}; a run that has not changed is not read again."""
        known, self._known = self._known, {}
        for job in jobs:
            [run] = run_progress.find_newest_runs(connection, job)
            before = known.get(job)
            if before is None or not _is_fresh(before[0], run, now - before[1]):
                before = run, now, _ratios(connection, run.id)
            self._known[job] = before
        return {
            (job, engine): ratio
            for job, (_, _, ratios) in self._known.items()
            for engine, ratio in ratios.items()
        }


def _is_fresh(before: RunProgress, run: RunProgress, age: timedelta) -> bool:
    return before == run and (run.state is not RunState.RUNNING or age < _RUNNING_FOR)


def _ratios(connection: Connection, run_id: int) -> dict[str, float]:
    planned: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    for one in run_progress.count_outcomes(connection, run_id):
        planned[one.engine] += one.questions
        answered[one.engine] += one.questions if one.outcome in ANSWERED_OUTCOMES else 0
    return {engine: answered[engine] / n for engine, n in planned.items()}


class _Values:
    """The values of each job's newest finished run."""

    def __init__(self) -> None:
        self._runs: list[RunProgress] = []
        self._at: datetime | None = None
        self._values: dict[Key, MeasuredValue] = {}

    def read(
        self, connection: Connection, jobs: list[str], now: datetime
    ) -> dict[Key, MeasuredValue]:
        """{values of the labels: value}; read again when a run has ended, and now and then."""
        newest = [
            run
            for job in jobs
            for run in run_progress.find_newest_runs(connection, job, finished=True)
        ]
        is_old = self._at is None or now - self._at >= _VALUES_FOR
        if newest != self._runs or is_old:
            found = run_progress.read_measured_values(connection, newest)
            self._values = {_labels(one): one for one in found}
            self._runs, self._at = newest, now
        return self._values


class _Behind:
    """How many series of each job stand still."""

    def __init__(self) -> None:
        self._news: tuple[int, int] | None = None
        self._at: datetime | None = None
        self._counts: Counter[str] = Counter()

    def read(self, connection: Connection, jobs: list[str], now: datetime) -> dict[str, int]:
        """{job: series}; read again when something has come, and not all the time."""
        is_old = self._at is None or now - self._at >= _VALUES_FOR
        news = stale_series.read_change_token(connection)
        if news != self._news and is_old:
            some = stale_series.count_stale(connection)
            self._counts, self._news, self._at = Counter(some), news, now
        return {job: self._counts[job] for job in jobs}


def _labels(one: MeasuredValue) -> Key:
    return (
        one.job,
        one.list,
        one.engine,
        one.source_lang,
        one.target,
        one.measure,
        one.quantity,
        one.reference,
    )
