"""What Prometheus reads: both forms, every number, and that nothing is made up."""

import math
import re
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as text

from monitor import __version__
from monitor.faults import Suspension
from monitor.model import Outcome, Reason, Stage, TickState
from monitor.stages import alarm_rules
from monitor.store.collect import pauses
from monitor.store.journal import events
from monitor.store.schedule import tasks, ticks
from monitor.web import metrics as page
from monitor.web.metrics import DURATION_LIMITS, GAUGES, PREFIX, Metrics
from tests.looked_after import AT, ask, end_run, measure, new_run, watch

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
DOC = Path(page.__file__).parents[2] / "docs" / "health.md"
HOSTILE = 'e"} 1\nevil{x="\\'


@pytest.fixture(autouse=True)
def read_every_time(monkeypatch):
    monkeypatch.setattr(page, "CACHED", 0.0)


class Clock:
    def __init__(self):
        self.now = AT

    def __call__(self):
        return self.now


class Scraped:
    """The metrics of a database, asked for as Prometheus does."""

    def __init__(self, database):
        self.clock = Clock()
        self.metrics = Metrics(database, self.clock)

    def settle(self):
        """Let time go by, so that a server's ids can be seen."""
        for _ in range(2):
            self("database_up")
            self.clock.now += MINUTE

    def families(self, accept="text/plain"):
        reply = self.metrics.page(accept)
        parse = openmetrics if "openmetrics" in reply.content_type else text
        return list(parse(reply.body.decode()))

    def __call__(self, name, accept="text/plain"):
        """{values of labels: number} of one metric."""
        known = GAUGES[name].labels if name in GAUGES else ()
        return {
            tuple(sample.labels[label] for label in known or sample.labels): sample.value
            for family in self.families(accept)
            for sample in family.samples
            if sample.name == PREFIX + name
        }


def do(database, what, *args, **kwargs):
    with database.begin() as connection:
        return what(connection, *args, **kwargs)


def test_an_empty_database_has_metrics(database):
    scraped = Scraped(database)
    assert scraped("database_up") == {(): 1}
    assert scraped("alarms") == {(kind,): 0 for kind in alarm_rules.KINDS}
    assert scraped("processes") == {("daemon",): 0, ("worker",): 0}
    assert scraped("oldest_ready_task_seconds") == {(): 0}
    assert scraped("value") == scraped("coverage_ratio") == scraped("attempts_total") == {}
    assert scraped("build_info") == {(__version__,): 1}
    assert scraped("database_bytes")[()] > 100_000
    assert scraped("disk_free_bytes")[()] > 0


@pytest.mark.parametrize("accept", ["text/plain", "application/openmetrics-text; version=1.0.0"])
def test_attempts_count_from_when_the_process_began(database, accept):
    run = new_run(database)
    ask(database, run, "a", Outcome.OK, n=7)
    scraped = Scraped(database)
    assert scraped("attempts_total", accept) == {}
    ask(database, run, "a", Outcome.OK, batch=2, took=0.2)
    ask(database, run, "a", Outcome.BLOCKED, took=99.0)
    scraped.settle()
    assert scraped("attempts_total", accept) == {("a", "ok"): 2, ("a", "blocked"): 1}
    ask(database, run, "a", Outcome.OK)
    scraped.settle()
    assert scraped("attempts_total", accept)["a", "ok"] == 3
    buckets = scraped("answer_seconds_bucket", accept)
    assert {le: n for (_, le), n in buckets.items() if le in ("0.1", "0.25", "60.0", "120.0")} == {
        "0.1": 1,
        "0.25": 2,
        "60.0": 2,
        "120.0": 3,
    }
    assert buckets["a", "+Inf"] == scraped("answer_seconds_count")["a",] == 3
    assert scraped("answer_seconds_sum")["a",] == pytest.approx(99.3)
    assert len(buckets) == len(DURATION_LIMITS) + 1


def test_what_a_server_commits_late_is_not_lost(database):
    """Ids are counted when all before them can be seen."""
    scraped = Scraped(database)
    run = new_run(database)
    ask(database, run, "a", Outcome.OK)
    for _ in range(3):
        scraped("attempts_total")  # at the same time: nothing is settled on a server
    counted = scraped("attempts_total")
    assert counted == ({("a", "ok"): 1} if database.keeps_files else {})


def test_last_valid_answers(database):
    run = new_run(database)
    ask(database, run, "a", Outcome.OK, at=AT)
    scraped = Scraped(database)
    assert scraped("last_valid_answer_timestamp_seconds") == {("a",): AT.timestamp()}
    ask(database, run, "a", Outcome.EMPTY, at=AT + HOUR)
    ask(database, run, "a", Outcome.FAILED, at=AT + 2 * HOUR)
    scraped.settle()
    expected = {("a",): (AT + HOUR).timestamp()}
    assert scraped("last_valid_answer_timestamp_seconds") == expected


def test_coverage_of_the_newest_run(database):
    scraped = Scraped(database)
    run = new_run(database, "j")
    ask(database, run, "a", Outcome.OK, batch=3)
    ask(database, run, "a", Outcome.BLOCKED)
    ask(database, run, "b", None)
    assert scraped("coverage_ratio") == {("j", "a"): 0.75, ("j", "b"): 0}
    ask(database, run, "b", Outcome.OK)
    assert scraped("coverage_ratio")["j", "b"] == 0  # a running run is read once a minute
    scraped.clock.now += MINUTE
    assert scraped("coverage_ratio")["j", "b"] == 0.5
    end_run(database, run, AT)
    newer = new_run(database, "j", AT + HOUR)
    ask(database, newer, "a", Outcome.OK)
    assert scraped("coverage_ratio") == {("j", "a"): 1}


def test_only_what_was_measured_has_a_value(database):
    run = new_run(database, "j")
    measure(database, run, "a", "rate", 0.5, low=0.4, bound_low=0.1, bound_high=0.9)
    measure(database, run, "a", "zero", 0.0)
    measure(database, run, "a", "none", None)
    scraped = Scraped(database)
    assert scraped("value") == {}  # the run goes on
    end_run(database, run, AT)
    key = ("j", "mini", "a", "en", "pt", "m", "rate", "parity")
    zero = (*key[:6], "zero", "parity")
    assert scraped("value") == {key: 0.5, zero: 0.0}
    assert scraped("value_low") == {key: 0.4}
    assert scraped("value_high") == {}
    assert scraped("value_bound_low") == {key: 0.1}
    assert scraped("value_bound_high") == {key: 0.9}
    newer = new_run(database, "j", AT + HOUR)
    assert scraped("value")[key] == 0.5  # until it has ended
    end_run(database, newer, AT + HOUR)
    assert scraped("value") == {}


def test_ticks(database):
    watch(database, "j")
    do(database, ticks.note_ticks, "j", [(AT - HOUR, AT, TickState.MISSED, "")], AT)
    scraped = Scraped(database)
    assert scraped("tick_lag_seconds") == {("j",): 0}
    assert scraped("ticks_total") == {}
    due = AT - MINUTE
    do(database, ticks.note_ticks, "j", [(due, AT, TickState.DUE, "")], AT)
    assert scraped("tick_lag_seconds") == {("j",): 60}
    assert scraped("last_tick_timestamp_seconds") == {("j", "due"): due.timestamp()}
    do(database, ticks.end_tick, 2, TickState.PARTIAL, "", AT)
    assert scraped("ticks_total") == scraped("ticks_total") == {("j", "partial"): 1}
    assert scraped("tick_lag_seconds") == {("j",): 0}


def test_what_rests(database):
    def suspend(lane, until, reason):
        do(
            database,
            pauses.store_suspension,
            lane,
            "direct",
            Suspension(until, reason, "words"),
            AT,
        )

    suspend("a", AT + HOUR, Reason.CAPTCHA)
    suspend("b", AT - HOUR, Reason.CAPTCHA)
    suspend("c", AT + HOUR, "in the service's own words")
    do(database, pauses.add_pause, "job", "j", "long words", AT)
    scraped = Scraped(database)
    assert scraped("suspended") == {("a", "captcha"): 1, ("c", "other"): 1}
    assert scraped("paused") == {("job", "j"): 1}
    assert "words" not in scraped.metrics.page("").body.decode()


def test_tasks_processes_and_alarms(database):
    do(database, tasks.plan_tasks, new_run(database), ["lane"])
    do(database, events.raise_alarm, "stale", "j: e", "", AT)
    do(database, events.raise_alarm, "stale", "j: f", "", AT)
    do(database, events.raise_alarm, "of next year", "", "", AT)
    do(database, events.announce_process, "elsewhere:1:1", "worker", "", AT)
    do(database, events.announce_process, "elsewhere:2:1", "daemon", "", AT - HOUR)
    scraped = Scraped(database)
    stages = {(stage.value, state): 0 for stage in Stage for state in ("open", "failed")}
    planned = {("collect", "open"): 1, ("derive", "open"): 1}
    assert scraped("tasks") == stages | planned
    assert scraped("alarms")["stale",] == 2
    assert scraped("alarms")["of next year",] == 1
    assert scraped("processes") == {("daemon",): 0, ("worker",): 1}


def test_hostile_names_stay_within_their_quotes(database):
    run = new_run(database, "j")
    scraped = Scraped(database)
    ask(database, run, HOSTILE, Outcome.OK)
    measure(database, run, HOSTILE, "rate", 0.5, list_name=HOSTILE)
    end_run(database, run, AT)
    scraped.settle()
    for accept in ("text/plain", "application/openmetrics-text"):
        assert scraped("attempts_total", accept) == {(HOSTILE, "ok"): 1}
        assert scraped("coverage_ratio", accept) == {("j", HOSTILE): 1}
        [key] = scraped("value", accept)
        assert key[1] == key[2] == HOSTILE
        names = {family.name for family in scraped.families(accept)}
        assert all(name.startswith(PREFIX) for name in names)


def test_a_database_that_is_away_is_said_to_be_away(sqlite_database, tmp_path, monkeypatch):
    from monitor.model import StoreGone

    scraped = Scraped(sqlite_database)

    def gone(*_):
        raise StoreGone("away")

    monkeypatch.setattr(type(sqlite_database), "read", gone)
    assert scraped("database_up") == {(): 0}
    assert scraped("database_bytes") == {}
    assert {f.name for f in scraped.families() if f.samples} == {
        "gbmonitor_database_up",
        "gbmonitor_build_info",
    }


def test_a_process_that_begins_without_a_database_counts_from_when_it_is_there(
    sqlite_database, monkeypatch
):
    from monitor.model import StoreGone

    real = type(sqlite_database).read

    def gone(*_):
        raise StoreGone("away")

    monkeypatch.setattr(type(sqlite_database), "read", gone)
    scraped = Scraped(sqlite_database)
    monkeypatch.setattr(type(sqlite_database), "read", real)
    run = new_run(sqlite_database)
    ask(sqlite_database, run, "a", Outcome.OK, n=3)
    assert scraped("attempts_total") == {}
    ask(sqlite_database, run, "a", Outcome.OK)
    assert scraped("attempts_total") == {("a", "ok"): 1}


def test_what_was_read_is_told_again_for_a_moment(sqlite_database, monkeypatch):
    monkeypatch.setattr(page, "CACHED", 3600.0)
    scraped = Scraped(sqlite_database)
    do(sqlite_database, events.raise_alarm, "stale", "j: e", "", AT)
    assert scraped("alarms")["stale",] == 0


def test_types_and_helps(sqlite_database):
    families = {family.name: family for family in Scraped(sqlite_database).families("openmetrics")}
    assert families["gbmonitor_attempts"].type == "counter"
    assert families["gbmonitor_value"].type == "gauge"
    assert families["gbmonitor_answer_seconds"].type == "histogram"
    assert all(family.documentation for family in families.values())


def documented():
    rows = re.findall(r"^\| `gbmonitor_(\w+)` \| (\w+) \| (.*?) \|", DOC.read_text(), re.MULTILINE)
    return {name: (kind, tuple(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}


def test_the_docs_name_every_metric_with_its_labels():
    exposed = {
        name: ("counter" if gauge.counts else "gauge", gauge.labels)
        for name, gauge in GAUGES.items()
    }
    exposed["answer_seconds"] = ("histogram", ("engine",))
    exposed["build_info"] = ("info", ("version",))
    assert documented() == exposed


def test_what_is_exposed_is_what_is_documented(database):
    """Names and labels as they are sent, of a database that has something of everything."""
    watch(database, "j")
    run = new_run(database, "j")
    scraped = Scraped(database)
    ask(database, run, "a", Outcome.OK)
    measure(database, run, "a", "r", 0.5, low=0.1, high=0.9, bound_low=0.0, bound_high=1.0)
    end_run(database, run, AT)
    do(database, ticks.note_ticks, "j", [(AT, AT, TickState.DONE, "")], AT)
    do(database, pauses.add_pause, "job", "j", "", AT)
    found = Suspension(AT + HOUR, Reason.RATE, "")
    do(database, pauses.store_suspension, "a", "direct", found, AT)
    scraped.settle()
    sent = {}
    for family in scraped.families():
        for sample in family.samples:
            name = re.sub("_(bucket|count|sum)$", "", sample.name.removeprefix(PREFIX))
            sent.setdefault(name, set()).update(sample.labels)
            assert math.isfinite(sample.value)
    sent["answer_seconds"].discard("le")
    assert sent == {name: set(labels) for name, (_, labels) in documented().items()}


def test_the_docs_name_every_alarm_with_its_meaning():
    rows = re.findall(r"^\| \[`(\w+)`\]\(operations\.md#alarm-(\w+)\) \| (.*?) \|",
                      DOC.read_text(), re.MULTILINE)  # fmt: skip
    assert [(kind, anchor) for kind, anchor, _ in rows] == [
        (kind, kind) for kind in alarm_rules.KINDS
    ]
    assert {kind: meaning for kind, _, meaning in rows} == alarm_rules.KINDS
