"""Parts of ticks that are asked again: when noise and confirming runs begin, wait, and do not."""

from datetime import UTC, datetime, timedelta

import pytest

from monitor import pipeline
from monitor.daemon.ticking import NOISE_DROPPED, NOT_CONFIRMED
from monitor.model import InvalidInput, RunKind, RunState, Stage, TaskState
from monitor.store.changes.findings import ToConfirm
from monitor.store.collect import pauses, runs
from monitor.store.collect import runs as again_store
from monitor.store.journal import events
from monitor.store.schedule import tasks
from tests.daemon.conftest import DAY, HOUR, MINUTE, MONDAY, OWN, WEEK, schedule
from tests.factories import make_list, rows

OTHER = OWN | {"targets": ["pt", "es"], "config": {"base_url": "http://127.0.0.1:8"}}
FAR = datetime(2999, 1, 1, tzinfo=UTC)


def said(place, kind):
    with place.database.read() as connection:
        return [
            (one.subject, one.run_id, one.detail) for one in events.list_newest(connection, 9, kind)
        ]


def asked(place, run_id):
    """{(engine, target): keys of the items} that a run asks, and how often each at most."""
    found = rows(
        place.database,
        """SELECT e.name, p.target_lang AS target, i.key, a.repeat FROM attempts a
           JOIN engines e ON e.id = a.engine_id JOIN probes p ON p.id = a.probe_id
           JOIN list_probes lp ON lp.probe_id = p.id JOIN list_items i ON i.id = lp.list_item_id
           WHERE a.run_id = :run""",
        run=run_id,
    )
    pairs = {}
    for row in found:
        pairs.setdefault((row["name"], row["target"]), []).append((row["key"], row["repeat"]))
    return pairs


def ended(place, **changes):
    """The first tick of a job is over, an hour after it was due."""
    place.job(**({"noise": {"share": 0.5}} | changes))
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    [tick] = place.ticks()
    place.end(tick.run_id, MONDAY + HOUR)
    place.at(MONDAY + HOUR + MINUTE)
    assert place.states() == [(MONDAY, "done")]
    return tick


# --- noise ----------------------------------------------------------------------------------------


def test_a_part_of_a_tick_is_asked_again_a_day_later(place):
    tick = ended(place, repeats=3)
    place.at(MONDAY + DAY - MINUTE)
    assert place.runs("noise") == []
    place.at(MONDAY + DAY)
    [run] = place.runs("noise")
    assert (run.job, run.due_at, run.state) == ("mini", MONDAY, RunState.RUNNING)
    assert [(one.stage, one.lane) for one in place.tasks(run.id)] == [
        ("collect", "libretranslate@127.0.0.1:9"),
        ("derive", ""),
    ]
    [again] = asked(place, run.id).values()
    [before] = asked(place, tick.run_id).values()
    assert len(before) == 32 * 3
    assert len(again) == 16
    assert {repeat for _, repeat in again} == {0}
    assert len({key.partition("-")[0] for key, _ in again}) == 16  # one of each stereotype
    assert place.states() == [(MONDAY, "done")]  # it is not on the grid
    with place.database.read() as connection:
        n = again_store.count_questions_since(connection, "mini", RunKind.NOISE, MONDAY + DAY)
        assert n == 16
        after = MONDAY + DAY + timedelta(seconds=1)
        assert again_store.count_questions_since(connection, "mini", RunKind.NOISE, after) == 0


def test_it_is_begun_once_whatever_is_forgotten(place):
    ended(place)
    place.at(MONDAY + DAY)
    woken = place.woken
    for hours in range(1, 5):
        place.restart()
        place.at(MONDAY + DAY + hours * HOUR)
    [run] = place.runs("noise")
    place.end(run.id, MONDAY + 2 * DAY, RunState.PARTIAL)
    place.restart()
    place.at(MONDAY + 3 * DAY)
    assert [one.id for one in place.runs("noise")] == [run.id]
    assert woken == 2
    assert said(place, NOISE_DROPPED) == []


def test_every_tick_draws_anew_and_the_same_on_every_machine(place):
    first = ended(place)
    place.at(MONDAY + DAY)
    [noise] = place.runs("noise")
    one = {key for key, _ in asked(place, noise.id).popitem()[1]}
    place.end(noise.id, MONDAY + DAY)
    place.at(MONDAY + WEEK)
    place.end(place.ticks()[1].run_id, MONDAY + WEEK)
    place.at(MONDAY + WEEK + MINUTE)
    place.at(MONDAY + WEEK + DAY)
    two = {key for key, _ in asked(place, place.runs("noise")[1].id).popitem()[1]}
    assert one != two
    with place.database.begin() as connection:
        for table in ("tasks", "attempts", "run_lists", "run_coverage"):
            connection.exec_driver_sql(f"DELETE FROM {table} WHERE run_id = {noise.id}")
        connection.exec_driver_sql(f"DELETE FROM runs WHERE id = {noise.id}")
    with place.database.read() as connection:
        audit = pipeline.audit_of_run(place.database, runs.get_run(connection, first.run_id))
    again = pipeline.start_noise(place.database, audit, MONDAY)
    assert {key for key, _ in asked(place, again.id).popitem()[1]} == one


def test_every_engine_and_target_is_asked_at_least_once(place):
    ended(place, noise={"share": 0.001}, engines=[OWN, OTHER])
    place.at(MONDAY + DAY)
    [run] = place.runs("noise")
    found = asked(place, run.id)
    assert sorted(target for _, target in found) == ["es", "pt", "pt"]
    assert {len(some) for some in found.values()} == {1}
    assert len({tuple(some) for some in found.values()}) == 1  # all the same question


@pytest.mark.parametrize("state", ["missed", "failed", "running"])
def test_only_ticks_that_were_asked_are_asked_again(place, state):
    place.job(noise={})
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    with place.database.begin() as connection:
        connection.exec_driver_sql(f"UPDATE ticks SET state = '{state}'")
    place.at(MONDAY + DAY)
    assert place.runs("noise") == []


def test_a_job_without_the_table_is_not_asked_again(place):
    ended(place, noise=None)
    place.at(MONDAY + DAY)
    place.job(noise={})  # from the next tick on
    place.at(MONDAY + DAY + HOUR)
    assert place.runs("noise") == []
    assert said(place, NOISE_DROPPED) == []


def test_what_the_job_asks_no_more_is_not_asked_again(place):
    ended(place, engines=[OWN, OTHER])
    place.job(noise={"share": 0.5}, engines=[OTHER | {"targets": ["es"]}])
    place.at(MONDAY + DAY)
    [run] = place.runs("noise")
    assert [target for _, target in asked(place, run.id)] == ["es"]
    assert [one.lane for one in place.tasks(run.id)] == ["libretranslate@127.0.0.1:8", ""]


def test_a_job_that_asks_others_now_drops_its_noise_run(place):
    tick = ended(place)
    place.job(noise={"share": 0.5}, engines=[OTHER])
    place.at(MONDAY + DAY)
    assert place.runs("noise") == []
    why = "the job asks other engines and targets now"
    assert said(place, NOISE_DROPPED) == [("mini", tick.run_id, why)]


def test_a_noise_run_that_may_not_be_asked_is_dropped_once_with_the_reason(place):
    tick = ended(place)
    asks = OWN | {"own": False, "config": {"base_url": "https://translate.test"}}
    place.job(noise={"share": 0.5}, engines=[OWN, asks])
    place.at(MONDAY + DAY)
    place.restart()
    place.at(MONDAY + DAY + HOUR)
    [(job, run_id, why)] = said(place, NOISE_DROPPED)
    assert (job, run_id) == ("mini", tick.run_id)
    assert "nobody is asked before the job says more" in why
    assert place.runs("noise") == []


def test_a_noise_run_waits_for_a_paused_job_and_is_dropped_with_the_next_tick(place):
    tick = ended(place)
    with place.database.begin() as connection:
        pauses.add_pause(connection, "job", "mini", "", MONDAY + 2 * HOUR)
    place.at(MONDAY + DAY)
    place.at(MONDAY + 3 * DAY)
    assert place.runs("noise") == []
    assert said(place, NOISE_DROPPED) == []
    place.at(MONDAY + WEEK)
    why = "the tick of 2026-03-09 05:00 UTC was due before"
    assert said(place, NOISE_DROPPED) == [("mini", tick.run_id, why)]
    with place.database.begin() as connection:
        pauses.end_pause(connection, "job", "mini", MONDAY)
    place.at(MONDAY + WEEK + DAY)
    assert place.runs("noise") == []
    assert len(said(place, NOISE_DROPPED)) == 1


def test_a_noise_run_is_begun_late_after_an_outage_if_no_tick_was_due(place):
    ended(place)
    place.restart()
    place.at(MONDAY + 5 * DAY)
    assert len(place.runs("noise")) == 1


def test_a_noise_run_waits_for_a_run_of_its_job(place):
    tick = ended(place)
    with place.database.begin() as connection:
        tasks.plan_tasks(connection, tick.run_id, ["lane"])  # resumed by hand, with tasks
    place.at(MONDAY + DAY)
    assert place.runs("noise") == []
    place.end(tick.run_id, MONDAY + DAY)
    place.at(MONDAY + DAY + HOUR)
    assert len(place.runs("noise")) == 1


def test_a_tick_does_not_wait_for_a_noise_run(place):
    ended(place)
    place.at(MONDAY + DAY)
    [noise] = place.runs("noise")
    place.settle(noise.id, TaskState.OPEN, "suspended", FAR)
    place.at(MONDAY + WEEK)
    assert place.states()[1] == (MONDAY + WEEK, "running")
    [collect, derive] = place.tasks(noise.id)
    assert (collect.state, collect.reason) == ("done", "suspended; the next tick was due")
    assert derive.state == "open"
    assert MONDAY + WEEK < derive.not_before < MONDAY + WEEK + 2 * MINUTE


def test_a_crash_between_a_noise_run_and_its_tasks_is_healed(place, monkeypatch):
    ended(place)

    class Crash(BaseException):
        """The process dies here."""

    def dies(*_):
        raise Crash

    with monkeypatch.context() as patch:
        patch.setattr("monitor.daemon.ticking.tasks.plan_tasks", dies)
        with pytest.raises(Crash):
            place.at(MONDAY + DAY)
    [run] = place.runs("noise")
    assert place.tasks(run.id) == []
    place.restart()
    place.at(MONDAY + DAY + MINUTE)
    assert [one.stage for one in place.tasks(run.id)] == [Stage.COLLECT, Stage.DERIVE]


def test_a_fault_of_ours_drops_the_noise_run_and_not_those_of_other_jobs(place, monkeypatch):
    place.job("other", noise={})
    ended(place)
    other = next(one for one in place.ticks("other"))
    place.end(other.run_id, MONDAY + HOUR)
    place.at(MONDAY + 2 * HOUR)
    start = pipeline.start_noise

    def odd(database, audit, *rest):
        if audit.job.name == "mini":
            raise RuntimeError("of ours")
        return start(database, audit, *rest)

    monkeypatch.setattr("monitor.pipeline.start_noise", odd)
    place.at(MONDAY + DAY)
    assert [run.job for run in place.runs("noise")] == ["other"]
    assert [why for _, _, why in said(place, NOISE_DROPPED)] == ["RuntimeError: of ours"]


def test_the_engines_of_a_synchronised_job_are_asked_again_together(place):
    ended(place, synchronised=True)
    place.at(MONDAY + DAY)
    [run] = place.runs("noise")
    assert [one.lane for one in place.tasks(run.id)] == ["*", ""]


# --- findings -------------------------------------------------------------------------------------


@pytest.fixture
def finding(monkeypatch):
    """What is to be confirmed, as a test says: [(engine, target)] of the first tick."""
    wanted = []

    def to_confirm(_connection, _now):
        return [ToConfirm("mini", MONDAY, engine, target) for engine, target in wanted]

    monkeypatch.setattr("monitor.store.changes.findings.find_unconfirmed", to_confirm)
    return wanted


def label_of(place, base):
    [row] = rows(
        place.database,
        "SELECT name FROM engines WHERE CAST(config AS TEXT) LIKE :like",
        like=f"%{base}%",
    )
    return row["name"]


def test_a_finding_is_asked_again_with_all_its_probes(place, finding):
    tick = ended(place, noise=None, confirm={"after_hours": 2}, engines=[OWN, OTHER], repeats=2)
    engine = label_of(place, "127.0.0.1:8")
    finding.append((engine, "es"))
    place.at(MONDAY + 3 * HOUR - MINUTE)  # the run ended one hour after it was due
    assert place.runs("confirm") == []
    place.at(MONDAY + 3 * HOUR)
    [run] = place.runs("confirm")
    assert (run.due_at, run.kind) == (MONDAY, RunKind.CONFIRM)
    before, again = asked(place, tick.run_id), asked(place, run.id)
    assert list(again) == [(engine, "es")]
    assert sorted(again[engine, "es"]) == sorted(before[engine, "es"])
    assert len(again[engine, "es"]) == 64
    assert [one.lane for one in place.tasks(run.id)] == ["libretranslate@127.0.0.1:8", ""]
    place.restart()
    place.at(MONDAY + 4 * HOUR)
    assert len(place.runs("confirm")) == 1
    assert place.states() == [(MONDAY, "done")]


def test_a_finding_is_not_asked_again_after_its_time(place, finding):
    ended(place, noise=None, confirm={})
    finding.append((label_of(place, "127.0.0.1:9"), "pt"))
    place.at(MONDAY + 48 * HOUR + MINUTE)
    assert place.runs("confirm") == []
    assert said(place, NOT_CONFIRMED) == []


@pytest.mark.parametrize("confirm", [None, {}])
def test_without_the_table_or_a_finding_nothing_is_asked_again(place, finding, confirm):
    ended(place, noise=None, confirm=confirm)
    if confirm is None:
        finding.append((label_of(place, "127.0.0.1:9"), "pt"))
    place.at(MONDAY + 10 * HOUR)
    assert place.runs("confirm") == []


def test_findings_go_before_noise_and_one_run_at_a_time(place, finding):
    ended(place, confirm={}, noise={"share": 0.5, "after_hours": 3})
    finding.append((label_of(place, "127.0.0.1:9"), "pt"))
    place.at(MONDAY + 4 * HOUR)
    [confirm] = place.runs("confirm")
    assert place.runs("noise") == []
    place.end(confirm.id, MONDAY + 5 * HOUR)
    place.at(MONDAY + 5 * HOUR)
    assert len(place.runs("noise")) == 1


def test_a_budget_that_is_too_small_is_said_once_and_nothing_is_asked(place, finding):
    tick = ended(place, noise=None, confirm={"daily_budget": 31})
    finding.append((label_of(place, "127.0.0.1:9"), "pt"))
    for hours in range(3, 6):
        place.at(MONDAY + hours * HOUR)
    assert place.runs("confirm") == []
    why = "confirm.daily_budget = 31: to ask again are 32 questions, and 0 were asked today"
    assert said(place, NOT_CONFIRMED) == [("mini", tick.run_id, why)]


def test_a_budget_is_of_one_day_and_one_job(place, finding):
    place.job("other", confirm={"daily_budget": 32})
    ended(place, noise=None, confirm={"daily_budget": 40}, schedule=schedule("0 5 * * *"))
    engine = label_of(place, "127.0.0.1:9")
    finding.append((engine, "pt"))
    place.at(MONDAY + 3 * HOUR)
    [run] = place.runs("confirm")
    place.end(run.id, MONDAY + 4 * HOUR)
    with place.database.read() as connection:
        first = runs.get_run(connection, place.ticks()[0].run_id)
    audit = pipeline.audit_of_run(place.database, first)
    begin = (place.database, audit, MONDAY, {(engine, "pt")})
    with place.database.begin() as connection:  # as if it had been the run of another tick
        connection.exec_driver_sql("UPDATE runs SET kind = 'manual' WHERE kind = 'noise'")
        moved = "UPDATE runs SET due_at = '2026-03-01 05:00:00+00:00' WHERE kind = 'confirm'"
        connection.exec_driver_sql(moved)
    begun = pipeline.start_confirm(*begin, MONDAY + 18 * HOUR)
    assert begun.run is None
    assert begun.reason.endswith("to ask again are 32 questions, and 32 were asked today")
    begun = pipeline.start_confirm(*begin, MONDAY + 19 * HOUR)  # midnight
    assert begun.run.kind is RunKind.CONFIRM


def test_nothing_is_asked_again_of_what_the_job_asks_no_more(place, finding):
    tick = ended(place, noise=None, confirm={})
    finding += [(label_of(place, "127.0.0.1:9"), "pt"), ("gone", "pt")]
    place.job(confirm={}, engines=[OTHER])
    place.at(MONDAY + 3 * HOUR)
    assert place.runs("confirm") == []
    why = "the job asks none of these engines and targets any more"
    assert said(place, NOT_CONFIRMED) == [("mini", tick.run_id, why)]


def test_a_list_that_changed_is_said(place, finding):
    tick = ended(place, noise=None, confirm={})
    finding.append((label_of(place, "127.0.0.1:9"), "pt"))
    make_list(place.folder, items=[{"key": "k", "text": "Another.", "stereotype": "1"}])
    place.at(MONDAY + 3 * HOUR)
    [run] = place.runs("confirm")  # its files are those of the tick
    assert len(asked(place, run.id).popitem()[1]) == 32
    assert said(place, NOT_CONFIRMED) == []
    assert tick.run_id != run.id


def test_nothing_is_asked_again_of_a_tick_that_has_not_ended(place, finding):
    place.job(confirm={})
    place.at(MONDAY - HOUR)
    place.at(MONDAY)
    engine = label_of(place, "127.0.0.1:9")
    finding.append((engine, "pt"))
    place.at(MONDAY + 3 * HOUR)
    assert place.runs("confirm") == []
    with place.database.read() as connection:
        run = runs.get_run(connection, place.ticks()[0].run_id)
    audit = pipeline.audit_of_run(place.database, run)
    for start in (
        lambda: pipeline.start_confirm(place.database, audit, MONDAY, {(engine, "pt")}, MONDAY),
        lambda: pipeline.start_noise(place.database, audit, MONDAY - timedelta(days=7)),
    ):
        with pytest.raises(InvalidInput, match="has ended, so that nothing can be asked"):
            start()
