"""Opening databases, their transactions, and faults said in one sentence."""

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from monitor.model import StoreBusy, StoreGone, StoreProblem, StoreSlow
from monitor.store import database as store
from monitor.store import rows, schema
from monitor.store.database import connect

COUNTER = """
import sys
from pathlib import Path
import sqlalchemy as sa
from monitor.store.database import connect
from monitor.store.schema import signatures

database = connect(sys.argv[1], Path(sys.argv[2]))
print("ready", flush=True)
sys.stdin.readline()
for _ in range(int(sys.argv[3])):
    with database.begin() as connection:
        parts = connection.execute(sa.select(signatures.c.parts)).scalar_one()
        change = sa.update(signatures).values(parts={"n": parts["n"] + 1})
        connection.execute(change)
"""


def test_two_processes_lose_no_update(sqlite_database, tmp_path):
    times = 150
    with sqlite_database.begin() as connection:
        rows.get_or_insert(connection, schema.signatures, {"hash": "counter"}, {"parts": {"n": 0}})
    url = sqlite_database.writer.url.render_as_string(hide_password=False)
    command = [sys.executable, "-c", COUNTER, url, str(tmp_path), str(times)]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        worker.communicate()
        assert worker.returncode == 0
    with sqlite_database.read() as connection:
        parts = connection.execute(sa.select(schema.signatures.c.parts)).scalar_one()
    assert parts == {"n": 2 * times}


def test_a_reader_sees_one_state_and_does_not_block_the_writer(database):
    count = sa.select(sa.func.count()).select_from(schema.signatures)
    with database.read() as reader:
        before = reader.execute(count).scalar_one()
        with database.begin() as writer:
            rows.get_or_insert(writer, schema.signatures, {"hash": "new"}, {"parts": {}})
        assert reader.execute(count).scalar_one() == before == 0
    with database.read() as reader:
        assert reader.execute(count).scalar_one() == 1


def test_an_exception_rolls_everything_back(database):
    def write_and_fail():
        with database.begin() as connection:
            rows.get_or_insert(connection, schema.signatures, {"hash": "lost"}, {"parts": {}})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    with database.read() as connection:
        assert connection.execute(sa.select(schema.signatures.c.id)).all() == []


def test_foreign_keys_are_enforced(database):
    orphan = {"list_id": 99, "position": 0, "key": "k", "text": "t", "tags": {}}
    with pytest.raises(sa.exc.IntegrityError), database.begin() as connection:
        connection.execute(sa.insert(schema.list_items), orphan)


def test_sqlite_connections_are_durable_and_patient(sqlite_database):
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}
    with sqlite_database.begin() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in expected
        }
    assert found == expected


def test_large_bodies_are_files_on_sqlite_only(database, dialect):
    assert database.keeps_files is (dialect == "sqlite")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://localhost/monitor", "use sqlite or postgresql"),
        ("not a url", "MONITOR_DATABASE_URL"),
        ("oracle+nonsense://x", "MONITOR_DATABASE_URL"),
    ],
)
def test_an_unusable_url_is_named(url, words, tmp_path):
    with pytest.raises(StoreProblem, match=words):
        connect(url, tmp_path)


@pytest.mark.parametrize("how", ["begin", "read"])
def test_a_folder_that_cannot_be_is_said_in_one_sentence(tmp_path, how):
    (tmp_path / "file").write_text("not a folder")
    database = connect(f"sqlite:///{tmp_path / 'file' / 'monitor.db'}", tmp_path)
    with pytest.raises(StoreProblem, match="unable to open"), getattr(database, how)():
        pass


@pytest.mark.parametrize("how", ["begin", "read"])
def test_a_file_that_is_no_database_is_said_in_one_sentence(tmp_path, how):
    (tmp_path / "monitor.db").write_text("A text of some length that is not a database. " * 40)
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path)
    with pytest.raises(StoreProblem, match="not a database"), getattr(database, how)() as opened:
        opened.execute(sa.select(schema.lists.c.id))


def test_a_server_that_is_not_there_is_said_in_one_sentence(tmp_path):
    url = f"postgresql://monitor:hidden@/monitor?host={tmp_path}"
    database = connect(url, tmp_path)
    with pytest.raises(StoreProblem, match="connect") as caught, database.read():
        pass
    assert "hidden" not in str(caught.value)


def test_a_plain_postgresql_url_means_psycopg(tmp_path):
    database = connect("postgresql://monitor@localhost/monitor", tmp_path)
    assert database.writer.url.drivername == "postgresql+psycopg"


def test_other_faults_of_the_database_keep_their_type(database):
    with pytest.raises(sa.exc.DBAPIError), database.read() as connection:
        connection.execute(sa.text("SELECT * FROM nowhere"))


def test_a_file_that_another_holds_for_too_long_is_busy(sqlite_database):
    engine = sqlite_database.writer

    @sa.event.listens_for(engine, "connect")
    def _impatient(connection, _record):
        connection.execute("PRAGMA busy_timeout = 50")

    engine.dispose()
    with closing(sqlite3.connect(engine.url.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="database is locked"), sqlite_database.begin():
            pass
        other.execute("ROLLBACK")
    with sqlite_database.begin() as connection:
        assert connection.execute(sa.select(schema.signatures.c.id)).all() == []


def fill(database, *names):
    with database.begin() as connection:
        rows.insert_ignore(
            connection, schema.signatures, [{"hash": name, "parts": {}} for name in names]
        )


def change(connection, name):
    here = sa.update(schema.signatures).where(schema.signatures.c.hash == name)
    connection.execute(here.values(parts={"changed": 1}))


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_of_a_deadlock_one_is_busy_and_the_other_goes_on(database):
    fill(database, "a", "b")
    gate, ended = threading.Barrier(2), []

    def both(first, second):
        try:
            with database.begin() as connection:
                change(connection, first)
                gate.wait(30)
                change(connection, second)
            ended.append("done")
        except StoreBusy as error:
            ended.append(str(error))

    in_threads(lambda: both("a", "b"), lambda: both("b", "a"))
    assert "done" in ended
    assert sum("deadlock detected; try again" in words for words in ended) == 1


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_a_lock_that_is_not_to_be_had_is_busy(database):
    def impatient():
        with database.begin() as other:
            other.execute(sa.text("SET LOCAL lock_timeout = 50"))
            change(other, "a")

    fill(database, "a")
    with database.begin() as holder:
        change(holder, "a")
        with pytest.raises(StoreBusy, match="lock timeout"):
            impatient()


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_who_is_frozen_in_a_transaction_that_writes_loses_its_locks(database, monkeypatch):
    def frozen():
        with database.begin() as holder:
            change(holder, "a")
            with database.begin() as other:  # waits until the server ends the first
                change(other, "a")
            change(holder, "b")

    fill(database, "a", "b")
    monkeypatch.setattr(store, "SILENT_MS", 50)
    with pytest.raises(StoreGone, match="this process was stopped for too long"):
        frozen()
    with database.begin() as connection:  # the pool has no connection that is dead
        change(connection, "b")


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_who_only_reads_may_compute_for_long_between_two_statements(database):
    shown = sa.text(f"SHOW {store.SILENT}")
    with database.begin() as connection:
        assert connection.execute(shown).scalar() == "1min"
    with database.read() as connection:
        assert connection.execute(shown).scalar() == "0"


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_a_state_that_another_changed_meanwhile_is_busy(database):
    def late():
        with database.read() as reader:
            reader.execute(sa.select(schema.signatures)).all()
            with database.begin() as writer:
                change(writer, "a")
            change(reader, "a")

    fill(database, "a")
    with pytest.raises(StoreBusy, match="serialize"):
        late()


def test_a_process_without_a_free_connection_is_busy(database):
    url = database.writer.url
    small = sa.create_engine(
        url, poolclass=sa.pool.QueuePool, pool_size=1, max_overflow=0, pool_timeout=0.05
    )
    crowded = replace(database, writer=small)
    with (
        crowded.begin(),
        pytest.raises(StoreBusy, match="all connections of this process") as caught,
        crowded.begin(),
    ):
        pass
    assert not isinstance(caught.value, StoreGone)


@pytest.mark.parametrize("secret", ["password", "sslpassword", "passfile"])
def test_no_secret_of_the_query_is_shown(tmp_path, secret):
    query = f"{secret}=s3cret&application_name=x"
    database = connect(f"postgresql://monitor:hidden@/monitor?host={tmp_path}&{query}", tmp_path)
    assert "s3cret" in make_url(str(database.writer.url.render_as_string(False))).query.values()
    with pytest.raises(StoreGone) as caught, database.read():
        pass
    for words in (database.place, str(caught.value)):
        assert "s3cret" not in words
        assert "hidden" not in words
        assert "application_name=x" in words


def in_threads(*jobs):
    """Run functions at the same time; raises what one of them raised."""
    problems = []

    def guarded(job):
        try:
            job()
        except BaseException as error:  # noqa: BLE001 - handed over to the test
            problems.append(error)

    threads = [threading.Thread(target=guarded, args=[job]) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def test_get_or_insert_from_two_writers_gives_one_row(database):
    gate, ids = threading.Barrier(2), []

    def write():
        gate.wait()
        with database.begin() as connection:
            ids.append(
                rows.get_or_insert(connection, schema.signatures, {"hash": "h"}, {"parts": {}})
            )

    in_threads(write, write)
    assert len(ids) == 2
    assert len(set(ids)) == 1


def test_who_may_not_wait_or_read_for_long_is_told_so(database):
    """And what comes after on the same connection takes as long as it takes."""
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"
    short = replace(database, longest=0.05)
    with pytest.raises(StoreSlow, match="ask for less"), short.read() as connection:
        connection.execute(sa.text(endless))
    with database.read() as connection:
        counted = sa.text(endless.replace("FROM c)", "FROM c WHERE x < 600000)"))
        assert connection.execute(counted).scalar() == 600_000
    with database.begin() as connection:
        rows.get_or_insert(connection, schema.signatures, {"hash": "x"}, {"parts": {}})
    change = sa.update(schema.signatures).values(parts={})
    with database.begin() as connection:
        connection.execute(change)
        with (
            pytest.raises(StoreBusy, match="another process holds it"),
            database.begin(0.05) as two,
        ):
            two.execute(change)
    if database.keeps_files:
        with database.begin() as connection:
            assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == store.WAIT_MS


def test_numbers_of_numpy_are_numbers_also_where_it_is_imported_late(tmp_path):
    """sqlite3 would store them as blobs, silently; and nothing that opens a database imports it."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "import sqlalchemy as sa\n"
        "from monitor.store.database import connect\n"
        f"opened = connect('sqlite:///{tmp_path}/a.db', Path({str(tmp_path)!r}))\n"
        "with opened.begin() as connection:\n"
        "    connection.execute(sa.text('CREATE TABLE t (n)'))\n"
        "    assert 'numpy' not in sys.modules\n"
        "    import numpy as np\n"
        "    for number in (np.int64(5), np.float32(0.5), np.bool_(True)):\n"
        "        connection.execute(sa.text('INSERT INTO t VALUES (:n)'), {'n': number})\n"
        "    print(*connection.execute(sa.text('SELECT typeof(n) FROM t')).scalars())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["integer", "real", "integer"]
