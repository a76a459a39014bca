"""Whole runs against loopback services that fail: what is asked, kept, and remembered."""

import os
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

from monitor import pipeline
from monitor.engines.mt.libretranslate import LibreTranslate as Engine
from monitor.faults import Suspension
from monitor.fetch import Outside, lanes
from monitor.fetch.http import Way
from monitor.model import RunKind, RunState
from monitor.store.collect import pauses
from tests.factories import DUE, make_audit, mini_items, quiet, rows
from tests.standins import faults, serve
from tests.standins.deepl import DeepL
from tests.standins.libretranslate import LibreTranslate

ITEMS = mini_items(1)
COUNT = len(ITEMS)
LIMIT = 10.0
WEEK = timedelta(days=7)
UNAVAILABLE = faults.status(503, {"error": "try again"})


class Counting(LibreTranslate):
    """Knows how many requests it works on at the same time."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.working = self.most = self.arrived = 0
        self.arrived_at_end = []  # how many had come by the end of each

    def proper(self, request):
        with self._lock:
            self.working += 1
            self.arrived += 1
            self.most = max(self.most, self.working)
        time.sleep(0.005)
        found = super().proper(request)
        with self._lock:
            self.working -= 1
            self.arrived_at_end.append(self.arrived)
        return found


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Waits are as many as ever, but a thousandth as long."""
    monkeypatch.setattr(lanes, "FIRST_WAIT", 0.001)


@pytest.fixture
def outside(tmp_path):
    one = Outside(tmp_path / "models", 1, Way(seconds=5))
    yield one
    one.close()


def use(running, targets=("pt",), name="libretranslate", pace=1000.0, **changes):
    config = {"base_url": running.url} | changes.pop("config", {})
    return {"name": name, "targets": list(targets), "pace": pace, "config": config} | changes


def lane_of(running, name="libretranslate"):
    return f"{name}@{running.url.removeprefix('http://')}"


@pytest.fixture
def tick(database, tmp_path, outside):
    """Run one tick of an audit of these uses; the next call is the next week's."""
    weeks = iter(range(100))

    def run(*uses, fetcher=None, tries=3, stop=lambda: False, resume=False):
        audit = make_audit(tmp_path, items=ITEMS, engines=list(uses), tries=tries)
        begun = (
            pipeline.resume(database, audit)
            if resume
            else pipeline.start(database, audit, RunKind.SCHEDULED, DUE + next(weeks) * WEEK)
        )
        return pipeline.run(database, audit, begun, fetcher or outside, quiet, stop)

    return run


def asked(running):
    return [request.json["q"] for request in running.requests]


def known(database):
    with database.read() as connection:
        return pauses.list_suspensions(connection)


def assert_not_today(until):
    """A midnight, and the next one (a run that began before midnight has seen it pass).

    Shortly before midnight it is later than that, because midnight would be too soon.
    """
    now, midnight = datetime.now(UTC), until.replace(hour=0, minute=0, second=0, microsecond=0)
    assert until == midnight or midnight - now < timedelta(hours=1)
    assert timedelta(minutes=-5) < until - now <= timedelta(days=1)


def expire(database, lane, times=1):
    """Let the time of a suspension come."""
    over = Suspension(datetime.now(UTC) - timedelta(seconds=1), "quota", "", times)
    with database.begin() as connection:
        pauses.store_suspension(connection, lane, "direct", over, datetime.now(UTC))


def count(database, table, where="1 = 1"):
    return rows(database, f"SELECT COUNT(*) AS n FROM {table} WHERE {where}")[0]["n"]


# --- a quota that ends --------------------------------------------------------------------------


def test_a_quota_that_ends_in_the_middle_ends_the_asking(database, tick):
    with serve(LibreTranslate(script=[None] * 5, always=LibreTranslate.quota())) as running:
        summary = tick(use(running))
        assert len(running.requests) == 6
    assert (summary.state, summary.planned, summary.answered) == (RunState.PARTIAL, COUNT, 5)
    [stopped] = summary.stopped
    assert stopped.startswith(f"{lane_of(running)}: suspended until ")
    assert "(quota: HTTP 429: Slowdown: 1000 per 1 day)" in stopped
    [row] = known(database)
    assert (row["lane"], row["exit"], row["times"]) == (lane_of(running), "direct", 1)
    assert_not_today(row["until"])
    assert count(database, "exchanges", "outcome = 'throttled' AND reason = 'quota'") == 1
    assert count(database, "attempts", "exchange_id IS NULL") == COUNT - 5


def test_a_restart_does_not_forget(database, tick, outside):
    with serve(LibreTranslate(always=LibreTranslate.quota())) as running:
        tick(use(running))
        seen = len(running.requests)
        for summary in (tick(use(running)), tick(use(running), resume=True)):
            assert (summary.state, summary.answered) == (RunState.PARTIAL, 0)
            assert "suspended until" in summary.stopped[0]
        assert len(running.requests) == seen == 1
    assert known(database)[0]["times"] == 1


def test_when_the_time_has_come_one_request_asks_first(database, tick):
    with serve(Counting()) as running:
        expire(database, lane_of(running), times=3)
        summary = tick(use(running, in_flight=8))
        assert running.app.arrived_at_end[0] == 1
        assert running.app.most > 1
    assert (summary.state, summary.stopped) == (RunState.DONE, ())
    assert known(database) == []


def test_when_the_quota_is_still_gone_the_suspension_goes_on(database, tick):
    with serve(LibreTranslate(always=LibreTranslate.quota())) as running:
        expire(database, lane_of(running), times=2)
        summary = tick(use(running, in_flight=8))
        assert len(running.requests) == 1
    assert summary.state is RunState.PARTIAL
    [row] = known(database)
    assert row["times"] == 3
    assert_not_today(row["until"])


def test_an_answer_on_its_way_does_not_undo_the_suspension(database, tick):
    """Two are in flight: the quota ends with the first answer, the second is good."""
    ended = threading.Event()

    class Late(LibreTranslate):
        def __call__(self, request, wire):
            with self._lock:
                first = not self.characters
                self.characters += 1
            if first:
                wire.send(self.quota())
                ended.set()
                return
            ended.wait(LIMIT)
            wire.wait(0.15)
            wire.send(self.proper(request))

    with serve(Late()) as running:
        summary = tick(use(running, in_flight=2))
        assert len(running.requests) == 2
    assert (summary.state, summary.answered) == (RunState.PARTIAL, 1)
    assert [row["times"] for row in known(database)] == [1]


def test_resuming_asks_only_what_is_missing(database, tick):
    with serve(LibreTranslate(script=[None] * 5, always=LibreTranslate.quota())) as running:
        tick(use(running))
        before = asked(running)[:5]
        expire(database, lane_of(running))
        running.app._always = None
        running.requests.clear()
        summary = tick(use(running), resume=True)
        assert sorted([*before, *asked(running)]) == sorted(item["text"] for item in ITEMS)
    assert (summary.state, summary.answered, summary.stopped) == (RunState.DONE, COUNT, ())
    assert known(database) == []


def test_words_that_no_database_takes_are_kept_anyway(database, tick):
    words = "quota \0 of half \ud83d a pair"
    body = b'{"error": "quota \\u0000 of half \\ud83d a pair per 1 day"}'
    answer = faults.Answer(429, body, {"Content-Type": "application/json"})
    with serve(LibreTranslate(always=answer)) as running:
        summary = tick(use(running))
    [stopped] = summary.stopped
    assert "of half" in stopped
    assert not set(words) & {"\0"} & set(stopped)
    assert stopped.encode()
    assert "of half" in known(database)[0]["detail"]


# --- failures that pass -------------------------------------------------------------------------


def test_what_fails_is_asked_again_and_every_try_is_kept(database, tick):
    script = [None, UNAVAILABLE, UNAVAILABLE, None, faults.reset(), None, UNAVAILABLE]
    with serve(LibreTranslate(script=script)) as running:
        summary = tick(use(running))
        assert len(running.requests) == COUNT + 4
    assert (summary.state, summary.answered, summary.stopped) == (RunState.DONE, COUNT, ())
    assert count(database, "exchanges") == COUNT + 4
    assert count(database, "exchanges", "status = 503 AND body_id IS NOT NULL") == 3
    assert count(database, "exchanges", "reason = 'truncated'") == 1
    assert count(database, "attempts", "final") == COUNT
    assert known(database) == []


def test_a_service_that_is_down_is_suspended_after_some_patience(database, tick):
    with serve(LibreTranslate(always=UNAVAILABLE)) as running:
        summary = tick(use(running))
        assert len(running.requests) == lanes.PATIENCE
    assert "try again" in summary.stopped[0]
    assert known(database)[0]["times"] == 1


@pytest.mark.parametrize("raising", ["trouble", "identity"])
def test_an_engine_that_raises_keeps_the_answers_and_does_not_go_on(
    database, tick, monkeypatch, raising
):
    def fail(*_):
        raise ZeroDivisionError("the layout changed")

    monkeypatch.setattr(Engine, raising, fail)
    with serve(LibreTranslate()) as running:
        summary = tick(use(running))
        assert len(running.requests) == lanes.PATIENCE
    assert "the layout changed" in summary.stopped[0]
    kept = rows(database, "SELECT outcome, reason, detail, body_id FROM exchanges")
    assert {(row["outcome"], row["reason"]) for row in kept} == {("unreadable", "malformed")}
    assert all("ZeroDivisionError" in row["detail"] and row["body_id"] for row in kept)


def test_answers_that_never_come_are_asked_again_and_nothing_hangs(database, tick, outside):
    """A fetcher that loses every third answer; eight lost ones would fill the lane for good."""

    class Losing:
        def fetch(self, requests):
            for index, answer in outside.fetch(requests):
                if index % 3 != 1:
                    yield index, answer

    until = time.monotonic() + LIMIT
    with serve(LibreTranslate()) as running:
        summary = tick(
            use(running, in_flight=8), fetcher=Losing(), stop=lambda: time.monotonic() > until
        )
        assert len(running.requests) == COUNT + 5 + 2 + 1
    assert (summary.state, summary.answered) == (RunState.DONE, COUNT)


# --- what a person has to mend ------------------------------------------------------------------


def test_a_wrong_key_is_tried_once(database, tick, monkeypatch):
    monkeypatch.setenv("TEST_LT_KEY", "wr0ng-key")
    with serve(LibreTranslate(key="right")) as running:
        summary = tick(use(running, config={"key": "TEST_LT_KEY"}, in_flight=1))
        assert len(running.requests) == 1
        assert running.requests[0].json["api_key"] == "wr0ng-key"
    assert (summary.state, summary.answered) == (RunState.PARTIAL, 0)
    assert summary.stopped == (f"{lane_of(running)}: HTTP 403: Invalid API key",)
    assert known(database) == []
    assert "wr0ng" not in str(rows(database, "SELECT * FROM exchanges"))


def test_a_target_that_is_not_offered_stops_itself_only(database, tick):
    with serve(LibreTranslate(languages={"en": "English", "pt": "Portuguese"})) as running:
        summary = tick(use(running, targets=["es", "pt"]))
        targets = [request.json["target"] for request in running.requests]
    assert (targets.count("es"), targets.count("pt")) == (1, COUNT)
    assert (summary.state, summary.answered) == (RunState.PARTIAL, COUNT)
    [stopped] = summary.stopped
    assert stopped.startswith(f"{lane_of(running)}: en-es is not asked further: HTTP 400: ")


def test_what_one_configuration_is_not_offered_another_one_may_be(database, tick):
    class Picky(LibreTranslate):
        def answer(self, request):
            if request.path == "/translate" and request.json.get("alternatives"):
                return self.bad_pair("pt")
            return super().answer(request)

    with serve(Picky()) as running:
        summary = tick(use(running, config={"alternatives": 2}), use(running))
    assert len(running.requests) == 1 + COUNT
    assert summary.answered == COUNT


# --- several at a time --------------------------------------------------------------------------


def test_engines_are_asked_at_the_same_time_and_one_that_fails_harms_no_other(database, tick):
    met = threading.Barrier(2)

    class Meeting(LibreTranslate):
        """Answers the first request when the other service is asked as well."""

        def __call__(self, request, wire):
            with self._lock:
                first, self.characters = not self.characters, 1
            if first:
                met.wait(LIMIT)
            super().__call__(request, wire)

    with (
        serve(Meeting(latency=0.02)) as slow,
        serve(Meeting(always=LibreTranslate.quota())) as failing,
    ):
        summary = tick(use(slow), use(failing))
        assert len(failing.requests) == 1
        assert sorted(asked(slow)) == sorted(item["text"] for item in ITEMS)
    assert (summary.state, summary.answered) == (RunState.PARTIAL, COUNT)
    [stopped] = summary.stopped
    assert stopped.startswith(f"{lane_of(failing)}: suspended until")


def test_two_uses_of_one_service_take_turns(database, tick):
    with serve(Counting()) as running:
        summary = tick(use(running, targets=["pt"]), use(running, config={"alternatives": 1}))
        assert running.app.most == 1
        assert len(running.requests) == 2 * COUNT
    assert summary.state is RunState.DONE


def test_several_in_flight_where_the_job_allows_it(database, tick):
    with serve(Counting(latency=0.01)) as running:
        assert tick(use(running, in_flight=3)).state is RunState.DONE
        assert 1 < running.app.most <= 3
    assert count(database, "exchanges") == COUNT


def test_a_batch_of_a_service_is_one_request(database, tick, monkeypatch):
    monkeypatch.setenv("DEEPL_AUTH_KEY", "d33pl-key")
    with serve(DeepL(key="d33pl-key", script=[DeepL.quota()])) as running:
        quota = tick(use(running, ["pt-BR"], "deepl"))
        assert (quota.answered, len(running.requests)) == (0, 1)
        expire(database, lane_of(running, "deepl"))
        again = tick(use(running, ["pt-BR"], "deepl"), resume=True)
        assert len(running.requests) == 2
    assert (again.state, again.answered) == (RunState.DONE, COUNT)
    assert "d33pl" not in str(rows(database, "SELECT * FROM exchanges"))


# --- budget, stopping, dying --------------------------------------------------------------------


def test_the_budget_of_one_use_does_not_stop_another(database, tick):
    with serve(LibreTranslate()) as running:
        summary = tick(use(running, daily_budget=3), use(running, config={"alternatives": 1}))
        assert len(running.requests) == 3 + COUNT
    assert (summary.state, summary.answered) == (RunState.PARTIAL, 3 + COUNT)
    assert summary.stopped == (
        f"{lane_of(running)}: the daily budget of 3 requests is spent",
    )  # fmt: skip


def test_after_a_stop_what_is_in_flight_is_kept(database, tick):
    with serve(Counting()) as running:
        with pytest.raises(pipeline.Interrupted):
            tick(use(running, in_flight=4), stop=lambda: running.app.arrived >= 5)
        came = len(running.requests)
        assert 5 <= came <= 8
        assert count(database, "exchanges") == came
        assert tick(use(running, in_flight=4), resume=True).state is RunState.DONE
        assert len(running.requests) == COUNT


RUN = """
import sys
from pathlib import Path
from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.jobs import load_audit
from monitor.model import RunKind
from monitor.store.database import connect
from tests.factories import DUE, quiet
url, folder = sys.argv[1], Path(sys.argv[2])
database, audit = connect(url, folder / "bodies"), load_audit(folder / "mini.toml")
tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
pipeline.run(database, audit, tick, Outside(folder, 1, Way()), quiet)
"""


def test_what_has_come_survives_a_kill(database, database_url, tick, tmp_path):
    """The sixth answer never comes; five are kept when the process is killed without warning."""
    with serve(LibreTranslate(script=[None] * 5 + [faults.silence(LIMIT)])) as running:
        make_audit(tmp_path, items=ITEMS, engines=[use(running)], tries=3)
        killed = subprocess.Popen(
            [sys.executable, "-c", RUN, database_url, tmp_path],
            env={**os.environ, "PYTHONPATH": "."},
        )
        try:
            until = time.monotonic() + LIMIT
            while (
                len(running.requests) < 6 or count(database, "exchanges") < 5
            ) and time.monotonic() < until:
                assert killed.poll() is None
                time.sleep(0.01)
        finally:
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        assert count(database, "exchanges", "outcome = 'ok'") == 5
        assert count(database, "attempts", "final AND exchange_id IS NOT NULL") == 5
        assert count(database, "attempts", "exchange_id IS NULL") == COUNT - 5
        before = asked(running)[:5]
        running.requests.clear()
        summary = tick(use(running), resume=True)
        assert sorted([*before, *asked(running)]) == sorted(item["text"] for item in ITEMS)
    assert (summary.state, summary.answered) == (RunState.DONE, COUNT)
