"""Worker processes on one PostgreSQL: what they share, and what is left when one of them dies."""

import re
import signal
import time
from contextlib import ExitStack, contextmanager

import httpx
import pytest
import sqlalchemy as sa

from monitor.model import RunState, Stage, TaskState
from monitor.store.schedule import tasks
from monitor.store.schema import exchanges
from monitor.work.perform import MOST_TRIES
from tests.command import program
from tests.work.conftest import lane, server, until, use

QUESTIONS = 16
#: What a worker was doing is given to others after so long, in seconds.
SHORT = {"MONITOR_LEASE_SECONDS": "2"}


@pytest.fixture
def three():
    with ExitStack() as stack:
        yield [stack.enter_context(server(latency=0.02)) for _ in range(3)]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_is_collected_and_derived_exactly_once(site, start, three, workers):
    run = site.begin(*(use(one) for one in three))
    running = [start("--burst") for _ in range(workers)]
    assert [one.wait() for one in running] == [0] * workers
    assert site.states() == [RunState.DONE]
    assert {one.state for one in site.tasks(run)} == {TaskState.DONE}
    assert site.is_exactly_once(3 * QUESTIONS)
    assert [len(one.requests) for one in three] == [QUESTIONS] * 3
    said = "".join(one.said for one in running)
    assert said.count(" begun task=") == said.count(" ended task=") >= 4
    assert f"run={run.id} collect lane={lane(three[0])}" in said
    assert f"run={run.id} derive lane=-" in said
    assert site.scalar(sa.text("SELECT COUNT(*) FROM processes")) == 0
    assert site.scalar(sa.text("SELECT COUNT(*) FROM procrastinate.procrastinate_jobs")) == 0


def test_two_workers_never_ask_one_engine_at_the_same_time(site, start):
    with server(latency=0.05) as running:
        site.begin(use(running))
        site.begin(use(running))
        both = [start("--burst"), start("--burst")]
        assert [one.wait() for one in both] == [0, 0]
        assert running.app.most == 1
    assert site.states() == [RunState.DONE] * 2
    assert site.is_exactly_once(2 * QUESTIONS)


def test_a_worker_serves_its_health(site, start):
    worker = start(MONITOR_HEALTH="127.0.0.1:0")
    said = until(lambda: re.search(r"http://127.0.0.1:\d+/readyz", worker.said), "its address")
    place = said[0].removesuffix("/readyz")
    assert httpx.get(place + "/healthz").status_code == 200
    worker.send(signal.SIGTERM)
    assert worker.wait() == 0


def test_a_worker_ends_where_another_version_has_upgraded_the_database(site, start, three):
    run = site.begin(use(three[0], pace=2.0))
    worker = start()
    until(lambda: len(three[0].requests) >= 2, "the second request")
    with site.database.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '4711'"))
    assert worker.wait() == 4
    assert re.search(r"upgraded \(schema \d+ -> 4711\).*start it again", worker.said)
    assert "Traceback" not in worker.said
    assert len(three[0].requests) < QUESTIONS
    assert TaskState.OPEN in {one.state for one in site.tasks(run)}


def test_a_worker_can_be_limited_to_engines(site, start, three):
    run = site.begin(use(three[0]))
    assert start("--burst", "--engines", "deepl").wait() == 0
    assert three[0].requests == []
    assert {one.state for one in site.tasks(run)} == {TaskState.OPEN}
    assert start("--burst", "--engines", "deepl,libretranslate").wait() == 0
    assert site.states() == [RunState.DONE]


def test_what_a_killed_worker_left_is_done_by_another(site, start):
    with server(latency=0.1) as running:
        site.begin(use(running))
        first = start(**SHORT)
        until(lambda: len(running.requests) >= 4, "the fourth request")
        first.send(signal.SIGKILL)
        first.wait()
        running.app.latency = 0.0
        assert start("--burst", **SHORT).wait() == 0
        asked = len(running.requests)
    assert site.states() == [RunState.DONE]
    assert site.is_exactly_once(QUESTIONS)
    # what was in flight, or had come in and was being stored, was asked again
    assert QUESTIONS <= asked <= QUESTIONS + 2
    [(subject, detail)] = site.events("stalled")
    assert subject == f"lane:{lane(running)}@direct"
    assert "no sign of life" in detail


def test_a_frozen_worker_that_comes_back_is_fenced(site, start):
    with server(latency=0.3) as running:
        run = site.begin(use(running))
        frozen = start("--burst", **SHORT)
        until(lambda: len(running.requests) >= 3, "the third request")
        frozen.send(signal.SIGSTOP)
        running.app.latency = 0.0
        stored = site.scalar(sa.select(sa.func.count()).select_from(exchanges))
        assert start("--burst", **SHORT).wait() == 0
        assert site.states() == [RunState.DONE]
        assert site.events("stalled")
        assert site.events("fenced") == []
        theirs = site.scalar(sa.select(sa.func.max(exchanges.c.id)))
        asked = len(running.requests)
        frozen.send(signal.SIGCONT)
        assert frozen.wait() == 0
        assert len(running.requests) <= asked + 1  # it knows by its own clock that it was away
    # what was in flight, and perhaps what left before that one's fate was known
    fenced = site.events("fenced")
    assert 1 <= len(fenced) <= 2
    assert {subject for subject, _ in fenced} == {lane(running)}
    assert all("asked for at a turn that another has now" in detail for _, detail in fenced)
    assert site.scalar(sa.select(sa.func.max(exchanges.c.id))) == theirs
    assert site.is_exactly_once(QUESTIONS)
    assert stored < QUESTIONS
    assert site.states() == [RunState.DONE]
    assert {one.state for one in site.tasks(run)} == {TaskState.DONE}
    assert "answer refused" in frozen.said
    assert "was given to another meanwhile" in frozen.said
    assert "Traceback" not in frozen.said


def test_a_worker_that_was_frozen_goes_on(site, start):
    with server(latency=0.2) as running:
        site.begin(use(running))
        frozen = start(**SHORT)
        until(lambda: len(running.requests) >= 2, "the second request")
        frozen.send(signal.SIGSTOP)
        running.app.latency = 0.0
        assert start("--burst", **SHORT).wait() == 0
        with site.database.begin() as connection:  # as if it was forgotten in the meantime
            connection.execute(sa.text("DELETE FROM procrastinate.procrastinate_workers"))
        frozen.send(signal.SIGCONT)
        site.begin(use(running))
        until(lambda: site.states() == [RunState.DONE] * 2, "the second run")
        frozen.send(signal.SIGTERM)
        assert frozen.wait() == 0
    assert site.is_exactly_once(2 * QUESTIONS)


def test_a_worker_that_is_frozen_before_a_commit_holds_up_nobody(site, start):
    with server(latency=0.02) as running:
        site.begin(use(running))
        frozen = start(command=("tests.work.frozen",), **SHORT)
        until(lambda: "stands still" in frozen.said, "the first answers")
        assert start("--burst", **SHORT).wait() == 0
        assert site.states() == [RunState.DONE]
        frozen.send(signal.SIGCONT)
        assert frozen.wait() == 0
    assert site.is_exactly_once(QUESTIONS)
    assert site.events("fenced")
    assert "this process was stopped for too long" in frozen.said
    assert "Traceback" not in frozen.said


def test_a_task_that_kills_its_workers_is_given_up_and_the_run_goes_on(site, start):
    with server(latency=0.0) as well, server(latency=0.0) as deadly:
        run = site.begin(use(deadly), use(well))
        command = ("tests.work.supervised",)
        supervised = start(deadly.url, command=command, MONITOR_LEASE_SECONDS="1")
        until(lambda: RunState.RUNNING not in site.states(), "the end of the run")
        assert supervised.wait() == 0
        assert supervised.said.count("a worker died") == MOST_TRIES
        assert (len(well.requests), deadly.requests) == (QUESTIONS, [])
    assert site.states() == [RunState.PARTIAL]
    states = {one.lane: one.state for one in site.tasks(run)}
    expected = {lane(well): TaskState.DONE, lane(deadly): TaskState.FAILED, "": TaskState.DONE}
    assert states == expected
    [(_, detail)] = site.events("task_failed")
    assert detail.startswith(f"given up after {MOST_TRIES} tries")


def test_a_term_signal_stores_what_is_in_flight_and_leaves_the_rest_to_others(site, start):
    with server(latency=0.2) as running:
        run = site.begin(use(running))
        first = start()
        until(lambda: len(running.requests) >= 3, "the third request")
        first.send(signal.SIGTERM)
        assert first.wait() == 0
        asked = len(running.requests)
        assert asked < QUESTIONS
        assert site.is_exactly_once(asked)
        task = next(one for one in site.tasks(run) if one.stage is Stage.COLLECT)
        assert (task.state, task.tries, task.not_before) == (TaskState.OPEN, 0, None)
        with site.database.read() as connection:
            assert tasks.find_ready(connection, run.due_at) == [task]
        running.app.latency = 0.0
        assert start("--burst").wait() == 0
        assert len(running.requests) == QUESTIONS
    assert site.is_exactly_once(QUESTIONS)
    assert site.events("stalled") == []


def test_a_second_signal_ends_a_worker_at_once(site, start):
    with server(latency=25.0) as running:
        site.begin(use(running))
        first = start()
        until(lambda: running.requests, "the first request")
        first.send(signal.SIGINT)
        until(lambda: "once more to stop at once" in first.said, "the word of it")
        first.send(signal.SIGINT)
        assert first.wait() == 130


@contextmanager
def away(site, postgres_server):
    """The database refuses everybody, and throws out who is there."""
    name = site.database.writer.url.database
    postgres_server.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
    ended = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    try:
        yield lambda: postgres_server.execute(ended)
    finally:
        postgres_server.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")


def test_a_worker_waits_for_a_database_that_is_away(site, start, postgres_server):
    with server(latency=0.1) as running:
        run = site.begin(use(running))
        worker = start(**SHORT)
        until(lambda: len(running.requests) >= 3, "the third request")
        with away(site, postgres_server) as throw_out:
            throw_out()
            until(lambda: "the database is away, waiting" in worker.said, "the word of it")
            time.sleep(3)  # longer than a lease
        running.app.latency = 0.0
        until(lambda: site.states() == [RunState.DONE], "the end of the run")
        worker.send(signal.SIGTERM)
        assert worker.wait() == 0
    assert site.is_exactly_once(QUESTIONS)
    assert {one.state for one in site.tasks(run)} == {TaskState.DONE}
    assert "Traceback" not in worker.said


def test_a_worker_hears_a_signal_while_its_database_is_away(site, start, postgres_server):
    worker = start()
    # a worker that has not joined the queue yet would begin its session again, and look for no work
    joined = sa.text("SELECT COUNT(*) FROM procrastinate.procrastinate_workers")
    until(lambda: site.scalar(joined) == 1, "the worker")
    words = ("cannot look for work now", "the worker begins again")
    with away(site, postgres_server) as throw_out:
        throw_out()
        until(lambda: any(part in worker.said for part in words), "the word of it")
        worker.send(signal.SIGTERM)
        assert worker.wait() == 0
    assert "Traceback" not in worker.said


BEGINNERS = [("monitor.cli", "worker"), ("monitor.cli", "daemon")]


@pytest.mark.parametrize("command", BEGINNERS, ids=["worker", "daemon"])
def test_what_is_started_while_its_database_is_away_waits(site, start, postgres_server, command):
    (site.folder / "jobs").mkdir(exist_ok=True)
    count = sa.text("SELECT COUNT(*) FROM processes")
    site.database.close()  # this process must not be thrown out
    with away(site, postgres_server):
        process = start(command=command)
        until(lambda: "waiting for the database: " in process.said, "the word of it")
        time.sleep(3)  # some tries
        assert process.popen.poll() is None
        assert process.said.count("waiting for the database: ") == 1
    until(lambda: site.scalar(count) == 1, "the process")
    process.send(signal.SIGTERM)
    assert process.wait() == 0
    assert "the database is there" in process.said
    assert "Traceback" not in process.said


@pytest.mark.parametrize("command", BEGINNERS, ids=["worker", "daemon"])
def test_a_signal_ends_the_wait_for_a_database(site, start, tmp_path, command):
    (site.folder / "jobs").mkdir(exist_ok=True)
    away = f"postgresql+psycopg://monitor@/nowhere?host={tmp_path}"
    process = start(command=command, MONITOR_DATABASE_URL=away)
    until(lambda: "waiting for the database: " in process.said, "the word of it")
    process.send(signal.SIGTERM)
    assert process.wait() == 0
    assert "stopped while waiting for the database" in process.said


@pytest.mark.parametrize("command", BEGINNERS, ids=["worker", "daemon"])
def test_a_database_that_does_not_exist_is_not_waited_for(site, start, database_url, command):
    (site.folder / "jobs").mkdir(exist_ok=True)
    wrong = sa.make_url(database_url).set(database="nowhere").render_as_string(False)
    process = start(command=command, MONITOR_DATABASE_URL=wrong)
    assert process.wait() == 4
    assert "does not exist" in process.said


def test_workers_need_postgresql(tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        code, _, said = command("worker")
    assert code == 2
    assert said == (
        "monitor: workers need PostgreSQL: set MONITOR_DATABASE_URL; on SQLite `monitor daemon` "
        "does the work itself"
    )


def test_a_worker_names_an_engine_that_nobody_knows(tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        code, _, said = command("worker", "--engines", "nobody")
    assert code == 2
    assert "nobody" in said
