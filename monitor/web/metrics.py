"""What Prometheus reads: numbers of the database at the time of asking, as text or OpenMetrics.

Counters count what this process saw happen in the database since it began, whoever did it, so
that nothing that is stored has to be read again. A value that could not be measured is absent.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
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
from monitor.model import StoreProblem
from monitor.store.database import Database
from monitor.web.numbers import LIMITS, Numbers, Reader
from monitor.web.server import Reply

log = logging.getLogger(__name__)

PREFIX = "gbmonitor_"
_TEXT = "text/plain; version=0.0.4; charset=utf-8"
_OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
#: Seconds for which what was read is told again: several readers cost what one does.
CACHED = 5.0

#: One sample: values of the labels, and the number.
Sample = tuple[tuple[str, ...], float]


class Gauge(NamedTuple):
    """A number that goes up and down, or one that only grows (`counts`)."""

    labels: tuple[str, ...]
    help: str
    samples: Callable[[Numbers], Iterable[Sample]]
    counts: bool = False


_SERIES = ("job", "list", "engine", "source_lang", "target", "measure", "quantity", "reference")


def _flat(some: Mapping[str, float]) -> list[Sample]:
    return [((name,), value) for name, value in some.items()]


def _of_values(field: str) -> Callable[[Numbers], Iterable[Sample]]:
    """The samples of one number of every measured value; where there is none, none."""

    def samples(numbers: Numbers) -> Iterator[Sample]:
        for labels, value in numbers.values.items():
            number = getattr(value, field)
            if number is not None:
                yield labels, number

    return samples


def _one(value: float | None) -> list[Sample]:
    return [] if value is None else [((), value)]


#: Every metric but the histogram and the info, without the prefix.
GAUGES: dict[str, Gauge] = {
    "database_up": Gauge(
        (), "1 where the database could be read just now, else 0", lambda n: _one(n.is_up)
    ),
    "attempts_total": Gauge(
        ("engine", "outcome"),
        "Tries at questions that ended since this process began",
        lambda n: n.attempts.items(),
        counts=True,
    ),
    "ticks_total": Gauge(
        ("job", "state"),
        "Due ticks that ended since this process began",
        lambda n: n.ticks.items(),
        counts=True,
    ),
    "last_valid_answer_timestamp_seconds": Gauge(
        ("engine",),
        "When the engine was last asked something that it answered",
        lambda n: _flat(n.last_valid),
    ),
    "suspended": Gauge(
        ("lane", "reason"),
        "1 for a lane that is not asked before a time, by why",
        lambda n: [(key, 1.0) for key in n.suspended],
    ),
    "paused": Gauge(
        ("kind", "name"),
        "1 for an engine or a job that a person has put to rest",
        lambda n: [(key, 1.0) for key in n.paused],
    ),
    "tick_lag_seconds": Gauge(
        ("job",),
        "How long ago the oldest tick of the job that has not ended was due; 0: all have ended",
        lambda n: _flat(n.lags),
    ),
    "last_tick_timestamp_seconds": Gauge(
        ("job", "state"), "Due time of the job's newest tick", lambda n: n.last_ticks.items()
    ),
    "coverage_ratio": Gauge(
        ("job", "engine"),
        "Part of the questions of the job's newest run that have an answer",
        lambda n: n.coverage.items(),
    ),
    "value": Gauge(
        _SERIES,
        "Value over everything that was asked, in the job's newest finished run; absent where it "
        "could not be measured",
        _of_values("value"),
    ),
    "value_low": Gauge(_SERIES, "Lower end of its interval at 95 %", _of_values("low")),
    "value_high": Gauge(_SERIES, "Upper end of its interval at 95 %", _of_values("high")),
    "value_bound_low": Gauge(
        _SERIES, "Lowest value possible whatever is missing", _of_values("bound_low")
    ),
    "value_bound_high": Gauge(
        _SERIES, "Highest value possible whatever is missing", _of_values("bound_high")
    ),
    "tasks": Gauge(
        ("stage", "state"), "Tasks that are open or were given up", lambda n: n.tasks.items()
    ),
    "oldest_ready_task_seconds": Gauge(
        (),
        "How long the oldest task that could be begun has waited; 0: there is none",
        lambda n: _one(n.oldest_ready),
    ),
    "alarms": Gauge(("kind",), "Alarms that stand", lambda n: _flat(n.alarms)),
    "series_behind": Gauge(
        ("job",),
        "Series whose charts stand still: their newest values are of other versions than they show",
        lambda n: _flat(n.behind),
    ),
    "processes": Gauge(
        ("role",), "Daemons and workers that were heard of lately", lambda n: _flat(n.processes)
    ),
    "disk_free_bytes": Gauge(
        (), "Free bytes of the disk that holds MONITOR_HOME here", lambda n: _one(n.disk_free)
    ),
    "database_bytes": Gauge((), "Size of the database", lambda n: _one(n.database_bytes)),
}
ANSWER_SECONDS = "How long requests took that ended since this process began"
BUILD = "Version of this program"


class _Collector(Collector):
    """Reads when asked, at most once in `CACHED` seconds."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        # who asks for metrics gives up soon; a server that is away is said to be away
        self._database, self._now = replace(database, patience=0.0), now
        self._reader = Reader()
        self._lock = Lock()
        self._numbers, self._until = Numbers(), float("-inf")
        self._read()  # what is counted is counted from now on

    def describe(self) -> list[Metric]:
        """Nothing is read to register it."""
        return []

    def collect(self) -> Iterator[Metric]:
        """All metrics, as of now."""
        with self._lock:
            if monotonic() >= self._until:
                self._read()
            numbers = self._numbers
        for name, gauge in GAUGES.items():
            made = CounterMetricFamily if gauge.counts else GaugeMetricFamily
            family = made(PREFIX + name, gauge.help, labels=gauge.labels)
            for labels, value in gauge.samples(numbers):
                family.add_metric(labels, value)
            yield family
        yield _answer_seconds(numbers)
        build = InfoMetricFamily(f"{PREFIX}build", BUILD)
        build.add_metric([], {"version": __version__})
        yield build

    def _read(self) -> None:
        try:
            with self._database.read() as connection:
                self._numbers = self._reader.read(connection, self._database, self._now())
        except StoreProblem as error:
            log.warning("no metrics: %s", error)
            self._numbers = Numbers()
        self._until = monotonic() + CACHED


def _answer_seconds(numbers: Numbers) -> HistogramMetricFamily:
    family = HistogramMetricFamily(f"{PREFIX}answer_seconds", ANSWER_SECONDS, labels=("engine",))
    for engine, took in numbers.took.items():
        buckets = [(str(limit), n) for limit, n in zip(LIMITS, took.within, strict=True)]
        family.add_metric([engine], [*buckets, ("+Inf", took.n)], sum_value=took.seconds)
    return family


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Metrics:
    """The page `/metrics` of one database."""

    def __init__(self, database: Database, now: Callable[[], datetime] = _utc_now) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(_Collector(database, now))

    def page(self, accept: str) -> Reply:
        """The metrics in the form that the client takes."""
        if "application/openmetrics-text" in accept:
            return Reply(generate_openmetrics(self._registry), _OPENMETRICS)  # type: ignore[no-untyped-call]
        return Reply(generate_latest(self._registry), _TEXT)
