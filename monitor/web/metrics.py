"""Metrics for Prometheus: numbers of the database at the time of the request.

Counters count what happened in the database since this process started, in any process, so that
nothing stored is read again. Numbers that change only when a run ends are read when one has ended.
A value that could not be measured is absent.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from time import monotonic
from typing import NamedTuple

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics
from prometheus_client.registry import Collector

from monitor import __version__
from monitor.model import ANSWERED_OUTCOMES, Reason, RunState, StoreProblem
from monitor.pipeline.schedule.supervision import ALIVE
from monitor.stages.alarm_rules import KINDS
from monitor.store.collect import pauses, run_progress
from monitor.store.collect.run_progress import MeasuredValue, RequestDurations
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.derive import signatures
from monitor.store.journal import events
from monitor.store.maintenance import retention
from monitor.store.schedule import tasks as pending_work
from monitor.store.schedule import ticks
from monitor.web.connections import Reply

#: Upper ends of the classes of durations, in seconds: a local model to a page that hangs.
DURATION_LIMITS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
#: A server hands out ids before what they stand for can be seen; nobody's transaction is open for
#: so long. What is newer is counted at the next reading. SQLite has one writer.
_SETTLED_AFTER = timedelta(seconds=10)
#: How long coverage of a run that is being asked, and values, may be old.
_COVERAGE_AGE = timedelta(seconds=60)
_VALUES_AGE = timedelta(minutes=5)
#: Reasons are of a closed set; another text would be one of many.
_REASONS = frozenset(Reason)

LabelValues = tuple[str, ...]
log = logging.getLogger(__name__)
PREFIX = "gbmonitor_"
_TEXT = "text/plain; version=0.0.4; charset=utf-8"
_OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
#: Seconds for which what was read is told again: several readers cost what one does.
CACHED = 5.0
#: One sample: values of the labels, and the number.
Sample = tuple[tuple[str, ...], float]
#: {end of a metric's name: what it is of a measured value}.
_VALUES = {
    "": "value", "_low": "low", "_high": "high", "_bound_low": "bound_low",
    "_bound_high": "bound_high",
}  # fmt: skip
_SERIES = ("job", "list", "engine", "source_lang", "target", "measure", "quantity", "reference")
ANSWER_SECONDS = "How long requests took that ended since this process began"
BUILD = "Version of this program"


#: {metric without its prefix: samples}; nothing of what cannot be read.
Numbers = Mapping[str, Iterable[Sample]]


class NumberReader:
    """Reads the numbers repeatedly, by one thread at a time."""

    def __init__(self) -> None:
        self.took: Mapping[str, RequestDurations] = {}
        self._answers = _AnswerCounts()
        self._ticks = _TickCounts()
        self._coverage = _CoverageRatios()
        self._values = _NewestValues()
        self._behind = _StaleCounts()

    def read(self, connection: Connection, database: Database, now: datetime) -> Numbers:
        """Return the current numbers; `took` are the durations of requests after it."""
        answers, values = self._answers, self._values
        answers.read(connection, now, settles=database.keeps_files)
        self.took = dict(answers.took)
        self._ticks.read(connection)
        jobs = run_progress.list_jobs(connection)
        active = pending_work.list_active_jobs(connection)
        last = pending_work.read_last_ticks(connection, active)
        ready = pending_work.find_ready_since(connection, now)
        values.read(connection, jobs, now)
        return {
            "database_up": _list_number(1.0),
            "attempts_total": list(answers.attempts.items()),
            "ticks_total": list(self._ticks.ended.items()),
            "last_valid_answer_timestamp_seconds": _list_samples(
                {
                    engine: moment.timestamp()
                    for engine, moment in sorted(answers.last_valid.items())
                }
            ),
            "suspended": [(labels, 1.0) for labels in _read_suspended(connection, now)],
            "paused": [
                (labels, 1.0)
                for labels in {(pause.kind, pause.name) for pause in pauses.list_pauses(connection)}
            ],
            "tick_lag_seconds": _list_samples(_read_lags(connection, active, now)),
            "last_tick_timestamp_seconds": [
                ((job, state), moment.timestamp()) for job, (state, moment) in last.items()
            ],
            "coverage_ratio": list(self._coverage.read(connection, jobs, now).items()),
            **{f"value{suffix}": values.sample(name) for suffix, name in _VALUES.items()},
            "tasks": list(pending_work.count_tasks(connection).items()),
            "oldest_ready_task_seconds": _list_number(_seconds_since(ready, now)),
            "alarms": _list_samples(_count_alarms(connection)),
            "series_behind": _list_samples(self._behind.read(connection, jobs, now)),
            "processes": _list_samples(_count_processes(connection, now)),
            "disk_free_bytes": _list_number(retention.measure_free_space(database)),
            "database_bytes": _list_number(retention.measure_database(connection, database)),
        }


def _list_samples(numbers: Mapping[str, float]) -> list[Sample]:
    return [((name,), value) for name, value in numbers.items()]


def _list_number(value: float | None) -> list[Sample]:
    return [] if value is None else [((), value)]


def _seconds_since(moment: datetime | None, now: datetime) -> float:
    return max(0.0, (now - moment).total_seconds()) if moment else 0.0


def _read_suspended(connection: Connection, now: datetime) -> set[LabelValues]:
    lanes: set[LabelValues] = set()
    for row in pauses.list_suspensions(connection):
        until, reason = row["until"], str(row["reason"])
        if isinstance(until, datetime) and until > now:
            lanes.add((str(row["lane"]), reason if reason in _REASONS else "other"))
    return lanes


def _read_lags(connection: Connection, active: list[str], now: datetime) -> dict[str, float]:
    lags = dict.fromkeys(active, 0.0)
    for tick in ticks.list_open_ticks(connection):
        lags[tick.job] = max(lags.get(tick.job, 0.0), _seconds_since(tick.due_at, now))
    return lags


def _count_alarms(connection: Connection) -> dict[str, int]:
    standing = Counter(alarm.kind for alarm in events.list_open_alarms(connection))
    return dict.fromkeys(KINDS, 0) | dict(standing)


def _count_processes(connection: Connection, now: datetime) -> dict[str, int]:
    alive = Counter(process.role for process in events.list_alive(connection, now, ALIVE))
    return {"daemon": 0, "worker": 0} | dict(alive)


class _AnswerCounts:
    """Counts of attempts and durations since the previous reading."""

    def __init__(self) -> None:
        self.attempts: Counter[LabelValues] = Counter()
        self.took: dict[str, RequestDurations] = {}
        self.last_valid: dict[str, datetime] = {}
        self._counted: int | None = None
        self._seen: tuple[datetime, int] | None = None  # the newest id at a time

    def read(self, connection: Connection, now: datetime, *, settles: bool) -> None:
        """Count new attempts; `settles` where ids become visible in their order."""
        newest = run_progress.find_newest_exchange(connection)
        if self._counted is None:
            self._counted = newest
            self.last_valid = run_progress.find_last_answers(connection)
            return
        to = newest if settles else self._settled(newest, now)
        if to <= self._counted:
            return
        self.attempts.update(run_progress.count_attempts(connection, self._counted, to))
        for engine, took in run_progress.measure_durations(
            connection, self._counted, to, DURATION_LIMITS
        ).items():
            self.took[engine] = _add_durations(self.took.get(engine), took)
        for engine, moment in run_progress.find_answers_between(
            connection, self._counted, to
        ).items():
            self.last_valid[engine] = max(moment, self.last_valid.get(engine, moment))
        self._counted = to

    def _settled(self, newest: int, now: datetime) -> int:
        """Return the newest id that is old enough for all ids before it to be visible."""
        counted = self._counted or 0
        if self._seen is None:
            self._seen = now, newest
            return counted
        seen_at, seen = self._seen
        if now - seen_at < _SETTLED_AFTER:
            return counted
        self._seen = now, newest
        return seen


def _add_durations(before: RequestDurations | None, more: RequestDurations) -> RequestDurations:
    if before is None:
        return more
    within = tuple(a + b for a, b in zip(before.within, more.within, strict=True))
    return RequestDurations(within, before.n + more.n, before.seconds + more.seconds)


class _TickCounts:
    """Counts of ticks that have ended; open ticks are read again."""

    def __init__(self) -> None:
        self.ended: Counter[LabelValues] = Counter()
        self._counted: int | None = None
        self._open: set[int] = set()

    def read(self, connection: Connection) -> None:
        """Count the ticks that have ended."""
        newest = pending_work.find_newest_tick(connection)
        if self._counted is not None:
            self.ended.update(pending_work.count_ended_ticks(connection, self._counted, self._open))
        self._counted = newest
        self._open = {tick.id for tick in ticks.list_open_ticks(connection)}


class _CoverageRatios:
    """Share of the questions that have an answer, for the newest run of each job."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Run, datetime, dict[str, float]]] = {}

    def read(
        self, connection: Connection, jobs: list[str], now: datetime
    ) -> dict[LabelValues, float]:
        """Return {(job, engine): ratio}; a run that has not changed is not read again."""
        earlier, self._known = self._known, {}
        for job in jobs:
            [run] = run_progress.find_newest_runs(connection, job)
            before = earlier.get(job)
            if before is None or not _is_fresh(before[0], run, now - before[1]):
                before = run, now, _read_ratios(connection, run.id)
            self._known[job] = before
        return {
            (job, engine): ratio
            for job, (_, _, ratios) in self._known.items()
            for engine, ratio in ratios.items()
        }


def _is_fresh(before: Run, run: Run, age: timedelta) -> bool:
    return before == run and (run.state is not RunState.RUNNING or age < _COVERAGE_AGE)


def _read_ratios(connection: Connection, run_id: int) -> dict[str, float]:
    planned: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    for ending in run_progress.count_outcomes(connection, run_id):
        planned[ending.engine] += ending.questions
        answered[ending.engine] += ending.questions if ending.outcome in ANSWERED_OUTCOMES else 0
    return {engine: answered[engine] / n for engine, n in planned.items()}


class _NewestValues:
    """Values of the newest finished run of each job."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._at: datetime | None = None
        self._values: dict[LabelValues, MeasuredValue] = {}

    def read(self, connection: Connection, jobs: list[str], now: datetime) -> None:
        """Read the values again when a run has ended."""
        newest = [
            run
            for job in jobs
            for run in run_progress.find_newest_runs(connection, job, finished=True)
        ]
        is_old = self._at is None or now - self._at >= _VALUES_AGE
        if newest != self._runs or is_old:
            measured = run_progress.read_measured_values(connection, newest)
            self._values = {
                tuple(getattr(value, name) for name in _SERIES): value for value in measured
            }
            self._runs, self._at = newest, now

    def sample(self, name: str) -> list[Sample]:
        """Return one number of every measured value; what could not be measured is left out."""
        numbers = ((labels, getattr(value, name)) for labels, value in self._values.items())
        return [(labels, number) for labels, number in numbers if number is not None]


class _StaleCounts:
    """Number of stale series of each job."""

    def __init__(self) -> None:
        self._news: tuple[int, int] | None = None
        self._at: datetime | None = None
        self._counts: Counter[str] = Counter()

    def read(self, connection: Connection, jobs: list[str], now: datetime) -> dict[str, int]:
        """Return {job: stale series}, read again after changes, at most every five minutes."""
        is_old = self._at is None or now - self._at >= _VALUES_AGE
        news = signatures.read_change_token(connection)
        if news != self._news and is_old:
            counts = signatures.count_stale(connection)
            self._counts, self._news, self._at = Counter(counts), news, now
        return {job: self._counts[job] for job in jobs}


class Gauge(NamedTuple):
    """A number that goes up and down, or one that only grows (`counts`)."""

    labels: tuple[str, ...]
    help: str
    counts: bool = False


#: Every metric but the histogram and the info, without the prefix.
GAUGES: dict[str, Gauge] = {
    "database_up": Gauge((), "1 where the database could be read just now, else 0"),
    "attempts_total": Gauge(
        ("engine", "outcome"),
        "Tries at questions that ended since this process began",
        counts=True,
    ),
    "ticks_total": Gauge(
        ("job", "state"), "Due ticks that ended since this process began", counts=True
    ),
    "last_valid_answer_timestamp_seconds": Gauge(
        ("engine",), "When the engine was last asked something that it answered"
    ),
    "suspended": Gauge(("lane", "reason"), "1 for a lane that is not asked before a time, by why"),
    "paused": Gauge(("kind", "name"), "1 for an engine or a job that a person has put to rest"),
    "tick_lag_seconds": Gauge(
        ("job",),
        "How long ago the oldest tick of the job that has not ended was due; 0: all have ended",
    ),
    "last_tick_timestamp_seconds": Gauge(("job", "state"), "Due time of the job's newest tick"),
    "coverage_ratio": Gauge(
        ("job", "engine"), "Part of the questions of the job's newest run that have an answer"
    ),
    "value": Gauge(
        _SERIES,
        "Value over everything that was asked, in the job's newest finished run; absent where it "
        "could not be measured",
    ),
    "value_low": Gauge(_SERIES, "Lower end of its interval at 95 %"),
    "value_high": Gauge(_SERIES, "Upper end of its interval at 95 %"),
    "value_bound_low": Gauge(_SERIES, "Lowest value possible whatever is missing"),
    "value_bound_high": Gauge(_SERIES, "Highest value possible whatever is missing"),
    "tasks": Gauge(("stage", "state"), "Tasks that are open or were given up"),
    "oldest_ready_task_seconds": Gauge(
        (), "How long the oldest task that could be begun has waited; 0: there is none"
    ),
    "alarms": Gauge(("kind",), "Alarms that stand"),
    "series_behind": Gauge(
        ("job",),
        "Series whose charts stand still: their newest values are of other versions than they show",
    ),
    "processes": Gauge(("role",), "Daemons and workers that were heard of lately"),
    "disk_free_bytes": Gauge((), "Free bytes of the disk that holds MONITOR_HOME here"),
    "database_bytes": Gauge((), "Size of the database"),
}


class _Collector(Collector):
    """Collector that reads the database at most once in `CACHED` seconds."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        # who asks for metrics gives up soon; a server that is away is said to be away
        self._database, self._now = replace(database, patience=0.0), now
        self._reader = NumberReader()
        self._lock = Lock()
        self._numbers: Numbers = {}
        self._until = float("-inf")
        self._read()  # what is counted is counted from now on

    def describe(self) -> list[Metric]:
        """Return no metrics, because registering reads nothing."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield all current metrics."""
        with self._lock:
            if monotonic() >= self._until:
                self._read()
            numbers, took = self._numbers, self._reader.took
        for name, gauge in GAUGES.items():
            family_type = CounterMetricFamily if gauge.counts else GaugeMetricFamily
            family = family_type(PREFIX + name, gauge.help, labels=gauge.labels)
            for labels, value in numbers.get(name, ()):
                family.add_metric(labels, value)
            yield family
        yield _make_histogram(took)
        build = InfoMetricFamily(f"{PREFIX}build", BUILD)
        build.add_metric([], {"version": __version__})
        yield build

    def _read(self) -> None:
        try:
            with self._database.read() as connection:
                self._numbers = self._reader.read(connection, self._database, self._now())
        except StoreProblem as error:
            log.warning("no metrics: %s", error)
            self._numbers, self._reader.took = {"database_up": _list_number(0.0)}, {}
        self._until = monotonic() + CACHED


def _make_histogram(durations: Mapping[str, RequestDurations]) -> HistogramMetricFamily:
    family = HistogramMetricFamily(f"{PREFIX}answer_seconds", ANSWER_SECONDS, labels=("engine",))
    for engine, took in durations.items():
        buckets = [(str(limit), n) for limit, n in zip(DURATION_LIMITS, took.within, strict=True)]
        family.add_metric([engine], [*buckets, ("+Inf", took.n)], sum_value=took.seconds)
    return family


class Metrics:
    """The page `/metrics` of one database."""

    def __init__(self, database: Database, now: Callable[[], datetime] | None = None) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(_Collector(database, now or (lambda: datetime.now(UTC))))

    def page(self, accept: str) -> Reply:
        """Return the metrics in the format that the client accepts."""
        if "application/openmetrics-text" in accept:
            return Reply(generate_openmetrics(self._registry), _OPENMETRICS)  # type: ignore[no-untyped-call]
        return Reply(generate_latest(self._registry), _TEXT)
