"""Who asks an engine: one at a time over all processes; late answers are refused."""

import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.cli.reports import print_run
from monitor.fetch.lanes import Lane
from monitor.model import InvalidInput, RunKind, RunState, StoreFull, StoreGone
from monitor.pipeline.collect.answer_writer import Keeper
from monitor.pipeline.schedule.leases import Turns, alone
from monitor.store.collect import pauses
from monitor.store.journal import events
from monitor.store.schedule import leases
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, rows
from tests.standins import serve
from tests.standins.libretranslate import LibreTranslate
from tests.test_services_run import impatient, outside, tick, use  # noqa: F401 - fixtures

ITEMS = mini_items(1)
TRANSLATIONS = portuguese(ITEMS)


def overlaps(database, engine="libretranslate"):
    """Pairs of requests to an engine of which the later left before the earlier was answered."""
    found = rows(
        database,
        "SELECT x.asked_at, x.took FROM exchanges x JOIN engines e ON e.id = x.engine_id "
        f"WHERE e.name LIKE '{engine}%' ORDER BY x.asked_at",
    )
    moments = []
    for row in found:
        at = row["asked_at"]
        at = datetime.fromisoformat(at) if isinstance(at, str) else at
        moments.append((at.timestamp(), at.timestamp() + row["took"]))
    return sum(after[0] < before[1] - 0.001 for before, after in pairwise(moments))


# --- turns --------------------------------------------------------------------------------------


def test_a_turn_is_renewed_while_it_is_kept(database):
    with Turns(database, seconds=0.6) as turns:
        turn = turns.take("lane:x@direct")
        time.sleep(1.5)
        assert turns.take("lane:x@direct") is None
        assert not turn.is_lost
        turns.give_back(turn)
        assert turns.take("lane:x@direct").lease.token == 2


def test_leaving_gives_back_what_is_left(database):
    with Turns(database) as turns:
        turns.take("lane:x@direct")
    with Turns(database) as turns:
        assert turns.take("lane:x@direct") is not None


def test_a_turn_that_was_given_to_another_is_known_to_be_lost(database):
    with Turns(database, seconds=0.3) as turns:
        turn = turns.take("lane:x@direct")
        with database.begin() as connection:
            connection.execute(
                sa.text("UPDATE leases SET token = token + 1, holder = 'other/1:2:3'")
            )
        deadline = time.monotonic() + 30
        while not turn.is_lost and time.monotonic() < deadline:
            time.sleep(0.05)
        assert turn.is_lost


def test_rest_and_failures_go_to_the_next_holder(database):
    with Turns(database) as turns:
        turns.give_back(turns.take("lane:x@direct"), rest=5.0, failures=2)
        turn = turns.take("lane:x@direct")
    assert 4 < turn.rest <= 5
    lane = Lane(pace=1.0, in_flight=4)
    lane.go_on(turn.rest, turn.failures)
    assert lane.compute_wait() > 4
    assert lane.failures == 2


def test_who_takes_over_from_the_dead_goes_on_at_their_pace(database, tmp_path, outside):  # noqa: F811
    """Kills cost no engine its rest: pace and failures are written with the answers."""
    with serve(LibreTranslate()) as running:
        audit = make_audit(tmp_path, items=ITEMS, engines=[use(running, pace=0.1)])
        tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
        calls = []

        def progress(stage, done, planned):
            calls.append(done)

        def stop():
            return len(calls) > 1  # after the first answer was stored

        with pytest.raises(KeyboardInterrupt):
            pipeline.ask(database, audit, tick_, outside, progress, stop)
    [row] = rows(database, "SELECT token, holder FROM leases WHERE name LIKE 'lane:libre%'")
    assert (row["token"], row["holder"]) == (1, "")
    [lane] = pipeline.by_lane(audit)
    with Turns(database) as turns:
        assert turns.take(f"lane:{lane}@direct").rest > 5


def test_a_rest_is_never_longer_than_a_clock_that_was_wrong_could_make_it(database):
    with Turns(database) as turns:
        turns.give_back(turns.take("lane:x@direct"), rest=86_400.0)
        assert turns.take("lane:x@direct").rest <= 900


def test_two_uses_of_an_engine_share_its_budget_in_a_panel(database, tmp_path, outside):  # noqa: F811
    with serve(LibreTranslate()) as one, serve(LibreTranslate()) as two:
        uses = [use(running, daily_budget=5) for running in (one, two)]
        audit = make_audit(tmp_path, items=ITEMS, synchronised=True, engines=uses)
        tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
        left = pipeline.ask(database, audit, tick_, outside, quiet)
        assert len(one.requests) + len(two.requests) == 5
    assert all("budget of 5 requests is spent" in str(found) for found in left)
    assert all(found.until for found in left)


def test_alone_waits_for_its_turn_and_stops_when_asked_to(database):
    with Turns(database) as turns:
        turns.take("lane:wikidata@direct")
        with (
            pytest.raises(KeyboardInterrupt),
            alone(database, "lane:wikidata@direct", lambda: True),
        ):
            pytest.fail("somebody else has the turn")


# --- asking -------------------------------------------------------------------------------------


def test_two_runs_at_once_never_ask_one_engine_at_the_same_time(
    database,
    tmp_path,
    outside,  # noqa: F811
    monkeypatch,
):
    monkeypatch.setattr("monitor.pipeline.collect.run_lanes.TURN_SECONDS", 0.1)
    monkeypatch.setattr("monitor.pipeline.collect.run_lanes.BETWEEN_TURNS", 0.3)
    with serve(LibreTranslate(latency=0.02)) as running:
        audits = [
            make_audit(tmp_path / name, items=ITEMS, name=name, engines=[use(running)])
            for name in ("one", "two")
        ]
        ticks = [pipeline.start(database, audit, RunKind.MANUAL, DUE) for audit in audits]
        ended = {}

        def go(audit, tick):
            ended[tick.job] = pipeline.run(database, audit, tick, outside, quiet)

        threads = [
            threading.Thread(target=go, args=pair) for pair in zip(audits, ticks, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert {summary.state for summary in ended.values()} == {RunState.DONE}
    assert len(ended) == 2
    assert rows(database, "SELECT COUNT(*) AS n FROM exchanges")[0]["n"] == 2 * len(ITEMS)
    assert overlaps(database) == 0
    turns = rows(database, "SELECT token FROM leases WHERE name LIKE 'lane:libretranslate%'")
    assert turns[0]["token"] > 2  # they took turns, more than one each


def test_a_busy_engine_is_left_to_the_other_where_each_has_one_turn(
    database,
    tmp_path,
    outside,  # noqa: F811
):
    with serve(LibreTranslate()) as running:
        audit = make_audit(tmp_path, items=ITEMS, engines=[use(running)])
        tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
        [lane] = pipeline.by_lane(audit)
        with database.begin() as connection:
            leases.take_lease(connection, f"lane:{lane}@direct", "other/1:2:3", 60)
        [left] = pipeline.ask(database, audit, tick_, outside, quiet, once=True)
        assert (left.is_busy, left.open, left.reasons) == (True, len(ITEMS), ())
        assert running.requests == []
        with database.begin() as connection:
            connection.execute(sa.text("UPDATE leases SET holder = ''"))
        assert pipeline.ask(database, audit, tick_, outside, quiet, once=True) == []


def test_a_paused_engine_is_not_asked_and_the_reason_is_said(
    database,
    tmp_path,
    outside,  # noqa: F811
):
    with serve(LibreTranslate()) as running:
        audit = make_audit(tmp_path, items=ITEMS, engines=[use(running)])
        with database.begin() as connection:
            now = datetime.now(UTC)
            pauses.add_pause(connection, "engine", "libretranslate", "they asked us to", now)
        assert "they asked us to" in pipeline.suspended(database, audit, "direct")[0]
        tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
        summary = pipeline.run(database, audit, tick_, outside, quiet)
        assert (summary.state, summary.answered) == (RunState.PARTIAL, 0)
        assert "paused by a person" in summary.stopped[0]
        assert running.requests == []


def test_a_run_is_worked_on_by_one_process(database, tmp_path):
    audit = make_audit(tmp_path)
    tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
    with Turns(database) as turns:
        turns.take(f"run:{tick_.id}")
        with pytest.raises(InvalidInput, match="is being worked on already"):
            pipeline.run(database, audit, tick_, Scripted(TRANSLATIONS), quiet)


# --- what is late is refused ----------------------------------------------------------------------


class Steals(Scripted):
    """Gives the turn of the lane to another while the answer is under way."""

    def __init__(self, database, at):
        super().__init__(TRANSLATIONS)
        self._database, self._at_request = database, at

    def fetch(self, requests):
        for number, found in enumerate(super().fetch(requests)):
            if number == self._at_request:
                with self._database.begin() as connection:
                    connection.execute(
                        sa.text(
                            "UPDATE leases SET token = token + 1, holder = 'other/1:2:3' "
                            "WHERE name LIKE 'lane:%'"
                        )
                    )
            yield found


def test_an_answer_in_the_name_of_a_lost_turn_is_refused(database, tmp_path):
    audit = make_audit(tmp_path, items=mini_items(3))
    tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
    fetcher = Steals(database, at=0)
    pipeline.ask(database, audit, tick_, fetcher, quiet, once=True)
    assert len(fetcher.requests) > 0
    assert rows(database, "SELECT COUNT(*) AS n FROM exchanges")[0]["n"] == 0
    with database.read() as connection:
        [event, *_] = events.list_newest(connection, 5)
    assert (event.kind, event.run_id) == ("fenced", tick_.id)
    assert "another has now" in event.detail
    with database.begin() as connection:  # the other has done its part
        connection.execute(sa.text("UPDATE leases SET holder = ''"))
    assert pipeline.ask(database, audit, tick_, Scripted(portuguese(mini_items(3))), quiet) == []
    planned = rows(database, "SELECT COUNT(*) AS n FROM attempts WHERE final")[0]["n"]
    assert planned == 48


# --- a database that is away for a while -------------------------------------------------------


class Flaky:
    """Raises so many times before, or after, a transaction has gone through."""

    def __init__(self, database, error, times, after):
        self._database, self._error, self._times, self._after = database, error, times, after
        self.patience = 60.0

    def begin(self):
        @contextmanager
        def transaction():
            if self._times and not self._after:
                self._times -= 1
                raise self._error
            with self._database.begin() as connection:
                yield connection
            if self._times:
                self._times -= 1
                raise self._error

        return transaction()

    def __getattr__(self, name):
        return getattr(self._database, name)


@pytest.mark.parametrize("error", [StoreGone("away"), StoreFull("full")])
@pytest.mark.parametrize("after", [False, True])
def test_answers_wait_for_a_database_that_comes_back_and_are_stored_once(
    database, tmp_path, monkeypatch, error, after
):
    """Also where the commit went through, and only its confirmation was lost."""
    monkeypatch.setattr("monitor.pipeline.collect.answer_writer._BETWEEN_TRIES", 0.01)
    audit = make_audit(tmp_path, items=mini_items(2))
    tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
    keep = Keeper.__init__

    def flaky(self, opened, *rest):
        keep(self, opened, *rest)
        self._database = Flaky(opened, error, 3, after)

    monkeypatch.setattr(Keeper, "__init__", flaky)
    summary = pipeline.run(database, audit, tick_, Scripted(portuguese(mini_items(2))), quiet)
    assert (summary.state, summary.answered) == (RunState.DONE, 32)
    assert rows(database, "SELECT COUNT(*) AS n FROM exchanges")[0]["n"] == 2


def test_without_patience_the_fault_is_said(database, tmp_path, monkeypatch):
    audit = make_audit(tmp_path, items=mini_items(2))
    tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
    keep = Keeper.__init__

    def flaky(self, opened, *rest):
        keep(self, opened, *rest)
        self._database = Flaky(opened, StoreGone("away"), 100, after=False)
        self._database.patience = 0.0

    monkeypatch.setattr(Keeper, "__init__", flaky)
    with pytest.raises(StoreGone):
        pipeline.run(database, audit, tick_, Scripted(TRANSLATIONS), quiet)


def test_a_disk_that_has_its_reserve_left_only_stops_the_asking(
    sqlite_database, tmp_path, monkeypatch
):
    from monitor import settings

    monkeypatch.setenv("MONITOR_DISK_RESERVE", str(2**60))
    settings.load.cache_clear()
    audit = make_audit(tmp_path)
    tick_ = pipeline.start(sqlite_database, audit, RunKind.MANUAL, DUE)
    fetcher = Scripted(TRANSLATIONS)
    with pytest.raises(StoreFull, match=r"MONITOR_DISK_RESERVE.*make room"):
        pipeline.run(sqlite_database, audit, tick_, fetcher, quiet)
    assert fetcher.requests == []


# --- panels ------------------------------------------------------------------------------------


def spread(database):
    """Seconds between the first and the last of the engines that were asked the same question."""
    found = {}
    for row in rows(
        database,
        "SELECT p.text, x.asked_at FROM attempts a JOIN exchanges x ON x.id = a.exchange_id "
        "JOIN probes p ON p.id = a.probe_id WHERE a.n = 1",
    ):
        at = row["asked_at"]
        at = datetime.fromisoformat(at) if isinstance(at, str) else at
        found.setdefault(row["text"], []).append(at.timestamp())
    return [max(times) - min(times) for times in found.values()]


def test_a_panel_asks_the_same_question_at_the_same_time(
    database,
    tmp_path,
    outside,  # noqa: F811
    capsys,
):
    """One engine answers slowly, one has a batch; both get each question together."""
    with serve(LibreTranslate(latency=0.05)) as slow, serve(LibreTranslate()) as quick:
        audit = make_audit(
            tmp_path, items=ITEMS, synchronised=True,
            engines=[use(slow), use(quick, pace=200.0)],
        )  # fmt: skip
        tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
        summary = pipeline.run(database, audit, tick_, outside, quiet)
    assert (summary.state, summary.answered) == (RunState.DONE, 2 * len(ITEMS))
    assert len(slow.requests) == len(quick.requests) == len(ITEMS)
    assert sorted(spread(database))[len(ITEMS) // 2] < 0.5
    texts = [
        [row["text"] for row in rows(
            database,
            "SELECT p.text FROM attempts a JOIN exchanges x ON x.id = a.exchange_id JOIN probes p "
            f"ON p.id = a.probe_id WHERE a.engine_id = {engine} ORDER BY x.asked_at",
        )]
        for engine in (row["id"] for row in rows(database, "SELECT id FROM engines"))
    ]  # fmt: skip
    assert texts[0] == texts[1]
    assert texts[0] != sorted(texts[0])
    print_run(database, tick_.id)
    assert f"Asked together: of {len(ITEMS)} questions" in " ".join(capsys.readouterr().out.split())


def test_a_panel_does_not_wait_for_an_engine_that_was_suspended(
    database,
    tmp_path,
    outside,  # noqa: F811
):
    spent = LibreTranslate(script=[None], always=LibreTranslate.quota())
    with serve(LibreTranslate()) as good, serve(spent) as poor:
        audit = make_audit(tmp_path, items=ITEMS, synchronised=True, engines=[use(good), use(poor)])
        tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
        summary = pipeline.run(database, audit, tick_, outside, quiet)
        assert len(poor.requests) == 2
    assert (summary.state, summary.answered) == (RunState.PARTIAL, len(ITEMS) + 1)


def test_what_fails_in_a_panel_is_asked_again_together(database, tmp_path, outside):  # noqa: F811
    from tests.standins import faults

    script = [faults.status(503, {"error": "x"}), None]
    with serve(LibreTranslate(script=script)) as one, serve(LibreTranslate()) as two:
        audit = make_audit(
            tmp_path, items=ITEMS, synchronised=True, tries=3, engines=[use(one), use(two)]
        )
        tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
        summary = pipeline.run(database, audit, tick_, outside, quiet)
    assert (summary.state, summary.answered) == (RunState.DONE, 2 * len(ITEMS))


def test_a_panel_that_cannot_have_all_turns_has_none(database, tmp_path, outside):  # noqa: F811
    with serve(LibreTranslate()) as one, serve(LibreTranslate()) as two:
        audit = make_audit(tmp_path, items=ITEMS, synchronised=True, engines=[use(one), use(two)])
        tick_ = pipeline.start(database, audit, RunKind.MANUAL, DUE)
        first, last = sorted(pipeline.by_lane(audit))
        with database.begin() as connection:
            leases.take_lease(connection, f"lane:{last}@direct", "other/1:2:3", 60)
        left = pipeline.ask(database, audit, tick_, outside, quiet, once=True)
        assert [found.is_busy for found in left if found.lane == last] == [True]
        assert (one.requests, two.requests) == ([], [])
        with database.read() as connection:
            assert leases.find_holder(connection, f"lane:{first}@direct") == ""
