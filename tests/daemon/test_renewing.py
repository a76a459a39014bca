"""The daemon derives kept runs anew by itself, and says which charts stand still all the same."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from monitor import pipeline, registry, settings
from monitor.daemon.upkeep import StaleRunRenewer
from monitor.model import InvalidInput, Stage, TaskState
from monitor.pipeline import DerivationStep
from monitor.pipeline.collect.run_context import never
from monitor.stages.reports.weekly import missing_values
from monitor.store import schema
from monitor.store.collect import runs
from monitor.store.derive import signatures
from monitor.store.schedule import tasks
from monitor.store.schedule.tasks import BY_ITSELF
from monitor.work.perform import WorkerContext, perform_task
from tests.factories import make_audit, quiet, rows
from tests.test_redo import OWN, chart, series, turn, updates, weeks

DAY = timedelta(days=1)


class Place:
    """What the upkeep of a daemon and its hands do, one step at a time."""

    def __init__(self, database):
        self.database, self.renewing = database, StaleRunRenewer(database)
        self.shop = WorkerContext(database, settings.load(), quiet, never)

    def look(self, after=timedelta()):
        # what stands still is not read all the time; a test has no time
        self.renewing._took = 0.0
        self.renewing.look(datetime.now(UTC) + after)

    def open(self):
        with self.database.read() as connection:
            known = [
                one
                for run in runs.list_ended(connection)
                for one in tasks.list_run_tasks(connection, run.id)
            ]
        return [one for one in known if one.state is TaskState.OPEN]

    def ready(self):
        with self.database.read() as connection:
            return tasks.find_ready(connection, datetime.now(UTC))

    def work(self, most=100):
        done = 0
        while done < most and (ready := self.ready()):
            perform_task(self.shop, ready[0].id)
            done += 1
        return done

    def events(self, kind):
        sql = "SELECT subject, detail FROM events WHERE kind = :kind ORDER BY id"
        return [(row["subject"], row["detail"]) for row in rows(self.database, sql, kind=kind)]

    def raised(self):
        return len(rows(self.database, "SELECT id FROM alarms WHERE kind = 'charts_behind'"))

    def alarms(self):
        sql = """SELECT subject, detail FROM alarms
            WHERE kind = 'charts_behind' AND resolved_at IS NULL"""
        return [(row["subject"], row["detail"]) for row in rows(self.database, sql)]


@pytest.fixture
def update(monkeypatch):
    """Installs another version of a language or an engine's parser."""
    yield from updates(monkeypatch)


@pytest.fixture
def place(database):
    return Place(database)


@pytest.fixture
def switched_off(monkeypatch):
    monkeypatch.setenv("MONITOR_REDO", "0")
    settings.load.cache_clear()
    yield
    settings.load.cache_clear()


def test_after_an_update_all_runs_are_derived_anew_before_the_next_tick(place, tmp_path, update):
    weeks(place.database, make_audit(tmp_path), 3)
    place.look()
    assert place.open() == []
    turn(update)
    again = Place(place.database)  # a program that is updated starts anew
    again.look()
    assert [(one.run_id, one.lane) for one in again.open()] == [(n, BY_ITSELF) for n in (1, 2, 3)]
    [(job, said)] = again.events("redo_planned")
    parser = registry.engine("firefox_translations").version
    assert job == "mini"
    assert said == (
        f"3 runs, by itself: pt:pt@{OWN + 1} of firefox_translations@{parser}; "
        f"pt: language_version {OWN} -> {OWN + 1}"
    )
    again.look()  # what is under way is not planned twice
    assert len(again.open()) == 3 * len(again.events("redo_planned")) == 3
    assert again.work() == 3
    assert chart(place.database) == [-1.0, -1.0, -1.0]
    assert again.events("redone") == [("mini", "3 runs were derived anew")]
    again.look()
    assert (again.open(), again.alarms()) == ([], [])


def test_a_chart_that_stands_still_goes_over_without_a_person(place, tmp_path, update):
    audit = make_audit(tmp_path)
    weeks(place.database, audit, 2)
    place.look()
    turn(update)
    weeks(place.database, audit, 1, first=2)
    assert chart(place.database) == [1.0, 1.0]
    place.look()
    assert [one.run_id for one in place.open()] == [1, 2]
    assert place.alarms() == []  # it is about to be mended
    place.work()
    assert chart(place.database) == [-1.0, -1.0, -1.0]


def test_one_run_at_a_time_after_everything_else(place, tmp_path, update):
    weeks(place.database, make_audit(tmp_path), 3)
    turn(update)
    place.look()
    assert [one.run_id for one in place.ready()] == [1]
    with place.database.begin() as connection:
        tasks.plan_tasks(connection, 3, ["lane"])
    assert [one.lane for one in place.ready()] == ["lane", BY_ITSELF]
    first = place.ready()[-1]
    with place.database.begin() as connection:  # nobody has asked the lane for a while
        connection.execute(
            sa.update(schema.tasks).where(schema.tasks.c.lane == "lane")
            .values(changed_at=datetime.now(UTC) - timedelta(minutes=1))
        )  # fmt: skip
    perform_task(place.shop, first.id)
    assert chart(place.database) == [1.0, 1.0, 1.0]
    assert [one.lane for one in place.ready()] == ["lane"]  # the first rests, and so do all
    with place.database.begin() as connection:
        tasks.wake_tasks(connection)
    with place.database.begin() as connection:
        for one in tasks.list_run_tasks(connection, 3):
            if one.lane == "lane":
                tasks.settle_task(connection, one.id, TaskState.DONE)
    assert [one.stage for one in place.ready()] == [Stage.DERIVE]  # of run 3: nothing beside it


def test_it_makes_room_in_the_middle_of_a_run_and_goes_on_later(
    place, tmp_path, update, monkeypatch
):
    weeks(place.database, make_audit(tmp_path), 1)
    turn(update)
    place.look()
    [task] = place.ready()
    answers = [False, True]
    monkeypatch.setattr(
        "monitor.work.perform.others_wait", lambda *_: answers.pop(0) if answers else False
    )
    monkeypatch.setattr("monitor.work.perform._LOOK_SECONDS", 0.0)
    perform_task(place.shop, task.id)
    [rest] = place.open()
    assert (rest.tries, rest.not_before > datetime.now(UTC)) == (0, True)
    assert chart(place.database) == [1.0]
    with place.database.begin() as connection:
        tasks.wake_tasks(connection)
    place.work()
    assert chart(place.database) == [-1.0]


def test_all_runs_of_a_job_are_compared_once_and_not_once_for_each(
    place, tmp_path, update, monkeypatch
):
    weeks(place.database, make_audit(tmp_path), 3)
    turn(update)
    place.look()
    concluded = []
    real = pipeline.conclude_after

    def counting(database, some, *rest):
        concluded.append([run.id for run in some])
        return real(database, some, *rest)

    monkeypatch.setattr(pipeline, "conclude_after", counting)
    place.work()
    assert concluded == [[1, 2, 3]]


def test_charts_that_nothing_holds_up_go_over(place, tmp_path, update, monkeypatch):
    weeks(place.database, make_audit(tmp_path), 2)
    turn(update)
    with monkeypatch.context() as patch:  # as when a person's redo is killed right before
        patch.setattr("monitor.pipeline.derive.recomputation.switch", lambda _database: 0)
        todo, _ = pipeline.to_redo(place.database, all_runs(place))
        pipeline.redo(place.database, todo, quiet)
    assert chart(place.database) == [1.0, 1.0]
    with place.database.read() as connection:
        [one] = signatures.find_stale(connection)
    assert one.held_by == ()
    # days later, and reading what stands still takes its time: no alarm of what has gone over
    monkeypatch.setattr("monitor.daemon.upkeep._REST_FACTOR", 1e9)
    place.look(after=2 * DAY)
    assert chart(place.database) == [-1.0, -1.0]
    assert (place.open(), place.alarms(), place.raised()) == ([], [], 0)


def test_switched_off_nothing_is_planned_and_the_alarm_says_what_to_do(
    place, tmp_path, update, switched_off
):
    audit = make_audit(tmp_path)
    [_, second] = weeks(place.database, audit, 2)
    turn(update)
    [third] = weeks(place.database, audit, 1, first=2)
    place.look()
    assert place.open() == []
    [(job, detail)] = place.alarms()
    n = len(series(place.database))
    assert job == "mini"
    assert detail == (
        f"{n} series have stood still since {third.due_at:%Y-%m-%d %H:%M} UTC, because 2 older "
        f"runs lack: version of the language rules {OWN} → {OWN + 1}; "
        "remedy: monitor redo --job mini"
    )
    with place.database.read() as connection:
        [one] = signatures.find_stale(connection)
        assert signatures.count_stale(connection) == {"mini": n}
        week = SimpleNamespace(until=third.due_at, jobs=[SimpleNamespace(name="mini")], series=[])
        [row] = missing_values.list_behind(connection, week)
        week.until = second.due_at
        assert missing_values.list_behind(connection, week) == []  # the chart was up to date then
    assert (one.n_ticks, one.held_by) == (1, (("mini", 1), ("mini", second.id)))
    assert (row["job"], row["series"], row["since"]) == ("mini", n, third.due_at)
    assert detail.startswith(row["sentence"])
    todo, _ = pipeline.to_redo(place.database, [second, *all_runs(place)[:1]])
    pipeline.redo(place.database, todo, quiet)
    place.look()
    assert place.alarms() == []


def all_runs(place):
    with place.database.read() as connection:
        return runs.list_ended(connection)


def test_what_is_planned_is_dropped_when_it_is_switched_off(place, tmp_path, update, monkeypatch):
    weeks(place.database, make_audit(tmp_path), 1)
    turn(update)
    place.look()
    assert len(place.open()) == 1
    monkeypatch.setenv("MONITOR_REDO", "0")
    settings.load.cache_clear()
    place.look()
    settings.load.cache_clear()
    assert place.open() == []


def test_a_day_later_the_alarm_is_raised_all_the_same(place, tmp_path, update):
    audit = make_audit(tmp_path)
    weeks(place.database, audit, 1)
    turn(update)
    weeks(place.database, audit, 1, first=1)
    place.look()
    place.look(after=DAY - timedelta(minutes=1))
    assert place.alarms() == []
    place.look(after=DAY + timedelta(minutes=1))
    assert len(place.alarms()) == 1


def newer_parser(update):
    own = registry.engine("firefox_translations")
    update("engines", own.name, replace(own, version=own.version + 1))


def remove_answers(place, run_id):
    """What `gc` does when days are over: the content goes, its row stays."""
    query = sa.select(schema.exchanges.c.body_id).where(schema.exchanges.c.run_id == run_id)
    with place.database.begin() as connection:
        connection.execute(
            sa.update(schema.bodies).where(schema.bodies.c.id.in_(query))
            .values(removed_at=datetime.now(UTC), content=None)
        )  # fmt: skip


def test_a_run_that_would_lose_its_values_is_left_to_a_person(place, tmp_path, update):
    audit = make_audit(tmp_path)
    weeks(place.database, audit, 2)
    remove_answers(place, 1)
    newer_parser(update)
    weeks(place.database, audit, 1, first=2)
    place.look()
    assert [one.run_id for one in place.open()] == [2]
    [(_, detail)] = place.alarms()
    assert "left to a person: run 1: 32 of 32 answers were removed before version" in detail
    place.work()
    assert chart(place.database) == [1.0, 1.0]  # as it was, two ticks long
    place.look(after=timedelta(minutes=1))
    assert place.open() == []  # nothing is tried again and again
    assert len(place.alarms()) == len(place.events("redo_waits")) == 1
    # a person decides: the chart goes on, with a gap where the answers are gone
    todo, _ = pipeline.to_redo(place.database, all_runs(place), DerivationStep.PARSE)
    pipeline.redo(place.database, todo, quiet)
    assert chart(place.database) == [None, 1.0, 1.0]
    place.look(after=timedelta(minutes=2))
    assert place.alarms() == []
    # the next parser takes nothing more from that run: it is not asked about again
    newer_parser(update)
    Place(place.database).look()
    assert len(place.open()) == 3


def test_a_run_that_nobody_can_judge_keeps_no_other_waiting(place, tmp_path, update, monkeypatch):
    audit = make_audit(tmp_path)
    weeks(place.database, audit, 2)
    newer_parser(update)
    known = pipeline.would_lose

    def broken(database, audits, one):
        if one.run.id == 1:
            raise InvalidInput("its engine is not what it was")
        return known(database, audits, one)

    monkeypatch.setattr(pipeline, "would_lose", broken)
    place.look()
    assert [one.run_id for one in place.open()] == [2]
    [(_, said)] = place.events("redo_waits")
    assert "run 1: its engine is not what it was" in said


def test_a_run_whose_files_are_gone_is_said_once_and_not_tried(place, tmp_path, update):
    audit = make_audit(tmp_path)
    weeks(place.database, audit, 2)
    with place.database.begin() as connection:
        connection.execute(
            sa.update(schema.runs).where(schema.runs.c.id == 1).values(bundle_id=None)
        )
    turn(update)
    weeks(place.database, audit, 1, first=2)
    for minute in range(3):
        place.look(after=timedelta(minutes=minute))
    assert [one.run_id for one in place.open()] == [2]
    place.work()
    for minute in range(3):
        place.look(after=timedelta(minutes=minute))
    assert place.open() == []
    [(_, said)] = place.events("redo_waits")
    assert "run 1: " in said
    assert "no stored job files" in said
    assert said in place.alarms()[0][1]


def test_what_lacks_the_same_after_it_was_done_is_tried_again_a_day_later(
    place, tmp_path, update, monkeypatch
):
    """As where a worker of an older version has done it."""
    audit = make_audit(tmp_path)
    weeks(place.database, audit, 1)
    turn(update)
    weeks(place.database, audit, 1, first=1)
    place.look()
    with place.database.begin() as connection:
        for one in tasks.list_run_tasks(connection, 1):
            tasks.settle_task(connection, one.id, TaskState.DONE, "0 new points")
    place.renewing._looked.clear()
    place.look(after=timedelta(minutes=1))
    assert place.open() == []
    assert "was derived anew and lacks the same" in place.alarms()[0][1]
    place.look(after=2 * DAY)
    assert [one.run_id for one in place.open()] == [1]


def test_newer_inputs_alone_are_left_to_a_person(place, tmp_path, monkeypatch):
    weeks(place.database, make_audit(tmp_path), 1)
    with place.database.begin() as connection:
        done = schema.stages_done
        connection.execute(
            sa.update(done).where(done.c.stage == "measure").values(version="of other inputs")
        )
    [lack], _ = pipeline.to_redo(place.database, all_runs(place))
    assert (lack.why, lack.is_newer) == (("newer inputs",), False)
    place.look()
    assert place.open() == []
