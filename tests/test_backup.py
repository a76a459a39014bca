"""`monitor db backup|check|restore`: a copy while others write, and what it is when it is back."""

import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import stat
import subprocess
import threading
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from monitor import model, settings
from monitor.fetch import pg_tools
from monitor.model import InvalidInput, StoreProblem
from monitor.store import migrations
from monitor.store.collect import bodies
from monitor.store.database import connect
from monitor.store.maintenance import backup as copies
from monitor.store.schema import metadata
from monitor.work import queue
from tests import kept
from tests.command import program
from tests.factories import Scripted, make_audit, mini_items, portuguese, rows, run_audit
from tests.postgres import folders_of_binaries

NOW = datetime(2025, 3, 4, tzinfo=UTC)


def client_programs(server):
    """The folder of PostgreSQL's client programs of the server's version."""
    asked = server.url("postgres").replace("+psycopg", "")
    import psycopg

    with psycopg.connect(asked) as connection:
        major = connection.info.server_version // 10_000
    for folder in folders_of_binaries():
        if (folder / "pg_dump").is_file():
            said = subprocess.check_output([folder / "pg_dump", "--version"], text=True)
            if re.search(rf"\b{major}\.", said):
                return folder
    pytest.fail(f"no pg_dump of version {major} beside the tests' server")


@pytest.fixture
def program_(request, dialect, database, tmp_path, monkeypatch, capsys):
    """A command line whose environment is the test's database."""
    if dialect == "postgresql":
        folder = client_programs(request.getfixturevalue("postgres_server"))
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        queue.ensure_queue(database)
        url = database.writer.url.render_as_string(hide_password=False)
        monkeypatch.setenv("MONITOR_DATABASE_URL", url)
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    settings.load.cache_clear()
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def sqlite(sqlite_database, tmp_path, monkeypatch, capsys):
    """A command line and its SQLite database with answers, pages and a person."""
    kept.kept_run(sqlite_database, tmp_path, monkeypatch)
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    settings.load.cache_clear()
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def elsewhere(request, dialect, tmp_path):
    """(what --into is given, URL, folder of answers) of a place where nothing is."""
    folder = tmp_path / "restored"
    if dialect == "sqlite":
        yield str(folder), f"sqlite:///{folder / 'monitor.db'}", folder / "bodies"
        return
    server = request.getfixturevalue("postgres_server")
    name = server.create()
    yield server.url(name), server.url(name), folder
    server.drop(name)


def content(database):
    """Every row of every table of ours."""
    with database.read() as connection:
        return {
            table.fullname: sorted(repr(tuple(row)) for row in connection.execute(sa.select(table)))
            for table in metadata.sorted_tables
        }


def large(number):
    """An answer that is kept as a file."""
    return random.Random(number).randbytes(9_000)  # noqa: S311 - does not compress


def put(database, *numbers):
    with database.begin() as connection:
        bodies.store_bodies(connection, database, [(large(n), "answer", NOW) for n in numbers])


def file_of(database, number):
    return bodies.find_body_file(database, hashlib.sha256(large(number)).hexdigest())


def newest(folder):
    return copies.list_backups(folder)[-1]


def is_private(path):
    return stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


# --- there and back -------------------------------------------------------------------------------


def test_what_is_restored_is_what_was_backed_up(
    program_, database, dialect, elsewhere, tmp_path, monkeypatch
):
    """Answers, points, what is known of people: every row, and every answer by its digest."""
    kept.kept_run(database, tmp_path, monkeypatch)
    items = mini_items()
    audit = make_audit(tmp_path / "mini", items, name="another")
    run_audit(database, audit, Scripted(portuguese(items)))
    before = content(database)
    code, _, said = program_("db", "backup", "backups")
    assert (code, "schema 0017" in said) == (0, True)
    assert program_("db", "check", "backups")[0] == 0
    into, url, folder = elsewhere
    code, _, said = program_("db", "restore", "backups", "--into", into)
    assert code == 0, said
    assert "stored answers match their digests" in said
    restored = connect(url, folder)
    migrations.check_schema(restored)
    assert content(restored) == before
    assert rows(restored, "SELECT COUNT(*) AS n FROM points_current")[0]["n"] > 0
    assert rows(restored, "SELECT COUNT(*) AS n FROM people.people_entities")[0]["n"] > 0
    if dialect == "postgresql":
        queue.check_queue(restored)


def test_jobs_that_wait_are_not_in_a_backup(request, tmp_path, monkeypatch, capsys):
    """What is ready after a restore is handed out anew."""
    server = request.getfixturevalue("postgres_server")
    name = server.create(request.getfixturevalue("postgres_template"))
    monkeypatch.setenv("PATH", f"{client_programs(server)}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("MONITOR_DATABASE_URL", server.url(name))
    database = connect(server.url(name), tmp_path)
    queue.ensure_queue(database)
    with database.begin() as connection:
        connection.execute(sa.text("SET LOCAL search_path TO procrastinate"))
        connection.execute(
            sa.text(
                "INSERT INTO procrastinate_jobs (task_name, queue_name)"
                " VALUES ('perform', 'derive')"
            )
        )
    other = server.create()
    with program(tmp_path, monkeypatch, capsys) as command:
        assert command("db", "backup", "backups")[0] == 0
        code, _, said = command("db", "restore", "backups", "--into", server.url(other))
    assert code == 0, said
    restored = connect(server.url(other), tmp_path)
    jobs = "SELECT COUNT(*) AS n FROM procrastinate.procrastinate_jobs"
    assert (rows(database, jobs), rows(restored, jobs)) == ([{"n": 1}], [{"n": 0}])


def test_a_copy_is_of_one_instant_while_others_write(sqlite, sqlite_database, tmp_path):
    """Each transaction writes an answer, an event and something about a person: all or none."""
    stop = threading.Event()
    written = []

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            with sqlite_database.begin() as connection:
                bodies.store_body(connection, sqlite_database, large(number), "answer", NOW)
                connection.execute(
                    sa.text(
                        "INSERT INTO events (at, kind, subject, detail)"
                        " VALUES ('2025-01-01 00:00:00', 'test', '', '')"
                    )
                )
                connection.execute(
                    sa.text(
                        "INSERT INTO people.people_ratings (entity, rater, grouping, comment,"
                        " rated_at) VALUES ('e', 'r', 'g', '', '2025-01-01 00:00:00')"
                    )
                )
            written.append(number)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(3):
            assert sqlite("db", "backup", "backups")[0] == 0
    finally:
        stop.set()
        writer.join()
    found = copies.list_backups(tmp_path / "backups")
    assert len(written) > 3
    sizes = []
    for number, backup in enumerate(found):
        goal = tmp_path / f"restored-{number}"
        code, _, said = sqlite("db", "restore", backup, "--into", goal)
        assert code == 0, said
        restored = connect(f"sqlite:///{goal / 'monitor.db'}", goal / "bodies")
        [counts] = rows(
            restored,
            "SELECT (SELECT COUNT(*) FROM events WHERE kind = 'test') AS events,"
            " (SELECT COUNT(*) FROM people.people_ratings) AS ratings,"
            " (SELECT COUNT(*) FROM bodies WHERE stored_at LIKE '2025-03-04%') AS answers",
        )
        assert len(set(counts.values())) == 1
        sizes.append(counts["events"])
    assert sizes == sorted(sizes)
    assert len(written) >= sizes[-1] > 0


def test_a_backup_of_an_older_schema_says_what_comes_next(tmp_path, monkeypatch, capsys):
    """One backs up before one upgrades."""
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path / "bodies")
    migrations.upgrade(database, "0004")
    with program(tmp_path, monkeypatch, capsys) as command:
        assert command("db", "backup", "backups")[0] == 0
        code, _, said = command("db", "restore", "backups", "--into", "restored")
    assert (code, "monitor db upgrade" in said) == (0, True)


# --- what lies in the folder ----------------------------------------------------------------------


def test_only_the_owner_can_read_a_backup_and_what_is_restored_of_people(sqlite, tmp_path):
    sqlite("db", "backup", "backups")
    backup = newest(tmp_path / "backups")
    assert all(is_private(path) for path in [tmp_path / "backups", backup, *backup.iterdir()])
    sqlite("db", "restore", "backups", "--into", "restored")
    assert is_private(tmp_path / "restored" / "monitor-people.db")


def test_answers_are_copied_once_and_listed_as_sha256sum_reads_them(
    sqlite, sqlite_database, tmp_path
):
    put(sqlite_database, 1)
    _, _, said = sqlite("db", "backup", "backups")
    assert re.search(r"\b([1-9]\d*) of \1 large answers? w(as|ere) new", said)
    _, _, said = sqlite("db", "backup", "backups")
    assert re.search(r"\b0 of [1-9]\d* large answers were new", said)
    put(sqlite_database, 2)
    _, _, said = sqlite("db", "backup", "backups")
    assert re.search(r"\b1 of [1-9]\d* large answers were new", said)
    listed = newest(tmp_path / "backups") / copies.BODY_LIST
    where = tmp_path / "backups" / copies.BODIES
    subprocess.run(["sha256sum", "--check", "--quiet", listed], cwd=where, check=True)


def test_old_backups_and_answers_of_none_go(sqlite, sqlite_database, tmp_path):
    put(sqlite_database, 1)
    sqlite("db", "backup", "backups")
    copied = tmp_path / "backups" / file_of(sqlite_database, 1).relative_to(tmp_path)
    assert copied.exists()
    with sqlite_database.begin() as connection:
        digest = copied.name.removesuffix(bodies.SUFFIX)
        query = sa.text("SELECT id FROM bodies WHERE sha256 = :digest")
        [number] = connection.execute(query, {"digest": digest}).scalars()
        bodies.remove_bodies(
            connection, sqlite_database, [number], bodies.RemovalReason.ERASED, NOW
        )
    sqlite("db", "backup", "backups", "--keep", "2")
    assert copied.exists()
    sqlite("db", "backup", "backups", "--keep", "1")
    assert not copied.exists()
    assert len(copies.list_backups(tmp_path / "backups")) == 1
    assert sqlite("db", "check", "backups")[0] == 0


def test_the_manifest_says_what_a_backup_is_of(sqlite, sqlite_database, tmp_path):
    sqlite("db", "backup", "backups")
    manifest = json.loads((newest(tmp_path / "backups") / copies.MANIFEST).read_text())
    assert (manifest["kind"], manifest["schema"]) == ("sqlite", "0017")
    assert manifest["counts"]["exchanges"] == 6
    assert set(manifest["files"]) == {"monitor.db", "monitor-people.db", copies.BODY_LIST}


# --- what is refused ------------------------------------------------------------------------------


def change(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def lost(path):
    path.unlink()


def empty(path):
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [change, lost, empty])
@pytest.mark.parametrize(
    "name", ["manifest.json", "monitor.db", "monitor-people.db", "bodies.sha256", "an answer"]
)
def test_a_damaged_backup_is_refused_and_nothing_is_written(
    sqlite, sqlite_database, tmp_path, name, damage
):
    put(sqlite_database, 1)
    sqlite("db", "backup", "backups")
    backup = newest(tmp_path / "backups")
    inside = backup.parent / file_of(sqlite_database, 1).relative_to(tmp_path)
    damage(inside if name == "an answer" else backup / name)
    code, _, said = sqlite("db", "check", backup)
    assert (code, bool(said)) == (4, True)
    assert sqlite("db", "restore", backup, "--into", "restored")[0] == 4
    assert not (tmp_path / "restored").exists()


@pytest.mark.parametrize("there", ["monitor.db", "monitor-people.db", "bodies/ab/x.zst"])
def test_nothing_is_restored_over_what_is_there(sqlite, tmp_path, there):
    sqlite("db", "backup", "backups")
    path = tmp_path / "restored" / there
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    code, _, said = sqlite("db", "restore", "backups", "--into", "restored")
    assert (code, "empty folder" in said) == (4, True)
    assert path.read_text() == "mine"
    assert sqlite("db", "restore", "backups")[0] == 4  # the database itself is there


def test_a_restore_that_breaks_off_leaves_nothing(sqlite, sqlite_database, tmp_path, monkeypatch):
    put(sqlite_database, 1)
    sqlite("db", "backup", "backups")
    copy = shutil.copyfile

    def breaks(source, goal):
        if source.name == "monitor.db":
            raise OSError(28, "No space left on device")
        return copy(source, goal)

    with monkeypatch.context() as broken:
        broken.setattr(shutil, "copyfile", breaks)
        code, _, said = sqlite("db", "restore", "backups", "--into", "restored")
    assert (code, "No space left" in said) == (4, True)
    assert [path for path in (tmp_path / "restored").rglob("*") if path.is_file()] == []
    assert sqlite("db", "restore", "backups", "--into", "restored")[0] == 0


def test_a_folder_with_other_things_is_no_folder_of_backups(sqlite, tmp_path):
    """What is there would be in the way, or be pruned."""
    code, _, said = sqlite("db", "backup", ".")
    assert (code, "holds other things" in said) == (2, True)


def test_one_backup_at_a_time(sqlite, tmp_path):
    with copies.create_backup(tmp_path / "backups", NOW):
        code, _, said = sqlite("db", "backup", "backups")
        assert (code, "another backup" in said) == (4, True)


def test_a_backup_that_breaks_off_is_none(sqlite, tmp_path, monkeypatch):
    real = copies.write_manifest

    def breaks(made, manifest):
        real(made, manifest)
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(copies, "write_manifest", breaks)
        assert sqlite("db", "backup", "backups")[0] == 130
    assert copies.list_backups(tmp_path / "backups") == []
    cut_off = tmp_path / "backups" / ".partial-2025"
    cut_off.mkdir()
    (cut_off / copies.MANIFEST).write_text("{}")
    assert copies.list_backups(tmp_path / "backups") == []
    with copies.create_backup(tmp_path / "backups", NOW):
        assert not cut_off.exists()


def test_no_backup_says_so(sqlite, tmp_path):
    (tmp_path / "nothing").mkdir()
    for command in ("check", "restore"):
        code, _, said = sqlite("db", command, "nothing")
        assert (code, "no backup is there" in said) == (4, True)


def test_no_database_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    with program(tmp_path, monkeypatch, capsys) as command:
        code, _, said = command("db", "backup", "backups")
    assert (code, "no monitor database here" in said) == (4, True)
    assert not (tmp_path / "monitor.db").exists()


# --- answers that are missing ---------------------------------------------------------------------


@pytest.mark.parametrize("damage", [change, lost])
def test_a_backup_of_damaged_answers_is_made_and_says_so(sqlite, sqlite_database, tmp_path, damage):
    """One answer that was lost years ago must not be the end of all backups."""
    put(sqlite_database, 1, 2)
    damage(file_of(sqlite_database, 1))
    code, _, said = sqlite("db", "backup", "backups")
    assert (code, "missing or damaged" in said) == (4, True)
    assert sqlite("db", "check", "backups")[0] == 0
    code, _, said = sqlite("db", "restore", "backups", "--into", "restored")
    assert (code, "before the backup" in said) == (0, True)


def test_an_answer_that_is_damaged_later_is_whole_in_the_backup(sqlite, sqlite_database, tmp_path):
    put(sqlite_database, 1)
    sqlite("db", "backup", "backups")
    change(file_of(sqlite_database, 1))
    assert sqlite("db", "backup", "backups")[0] == 0
    assert sqlite("db", "restore", "backups", "--into", "restored")[0] == 0


def test_answers_that_are_taken_away_meanwhile_are_not_missing(
    sqlite, sqlite_database, tmp_path, monkeypatch
):
    """`monitor gc` may remove an answer after its row was copied: then the row is copied again."""
    put(sqlite_database, 1, 2)
    real, times = copies._copy_files, []

    def copy_and_sweep(*arguments):
        real(*arguments)
        times.append(1)
        if len(times) == 1:
            with sqlite_database.begin() as connection:
                digest = hashlib.sha256(large(1)).hexdigest()
                query = sa.text("SELECT id FROM bodies WHERE sha256 = :digest")
                [number] = connection.execute(query, {"digest": digest}).scalars()
                because = bodies.RemovalReason.RETENTION
                gone = bodies.remove_bodies(connection, sqlite_database, [number], because, NOW)
            with sqlite_database.begin() as connection:
                bodies.delete_files(connection, sqlite_database, gone)

    monkeypatch.setattr(copies, "_copy_files", copy_and_sweep)
    assert sqlite("db", "backup", "backups")[0] == 0
    assert len(times) == 2
    assert copies.read_manifest(newest(tmp_path / "backups")).unusable == ()


def test_a_damaged_database_is_not_passed_off_as_a_backup(sqlite, sqlite_database, tmp_path):
    sqlite_database.close()
    path = tmp_path / "monitor.db"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'exchanges'")
        [number] = page.fetchone()
    connection.close()
    content = bytearray(path.read_bytes())
    content[(number - 1) * 4096 : (number - 1) * 4096 + 200] = b"\xff" * 200
    path.write_bytes(content)
    code, _, said = sqlite("db", "backup", "backups")
    assert (code, "earlier backup" in said or "malformed" in said) == (4, True)
    assert copies.list_backups(tmp_path / "backups") == []


# --- PostgreSQL -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_a_database_with_anything_in_it_is_no_place_for_a_backup(program_, database):
    assert program_("db", "backup", "backups")[0] == 0
    code, _, said = program_("db", "restore", "backups")
    assert (code, "is not empty" in said) == (4, True)


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_a_damaged_dump_is_refused(program_, database, elsewhere, tmp_path):
    program_("db", "backup", "backups")
    change(newest(tmp_path / "backups") / "database.dump")
    code, _, said = program_("db", "restore", "backups", "--into", elsewhere[0])
    assert (code, "damaged" in said) == (4, True)


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_a_missing_program_is_named_with_its_package(program_, database, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, said = program_("db", "backup", "backups")
    assert code == 3
    assert "pg_dump" in said
    assert "postgresql-client" in said


@pytest.mark.parametrize("dialect", ["postgresql"])
def test_a_dump_is_private_and_restored_to_a_server_only(program_, database, tmp_path):
    program_("db", "backup", "backups")
    assert is_private(newest(tmp_path / "backups") / "database.dump")
    code, _, said = program_("db", "restore", "backups", "--into", "folder")
    assert (code, "postgresql://USER@HOST/NAME" in said) == (2, True)


def test_a_password_is_neither_taken_from_a_command_line_nor_put_on_one(
    sqlite, tmp_path, monkeypatch
):
    sqlite("db", "backup", "backups")
    url = "postgresql://u:s3cret@localhost/x"
    code, _, said = sqlite("db", "restore", "backups", "--into", url)
    assert (code, "s3cret" in said, "MONITOR_DATABASE_URL" in said) == (2, False, True)
    seen = {}

    def run(command, **how):
        seen["command"], seen["password"] = command, how["env"]["PGPASSWORD"]
        return subprocess.CompletedProcess(command, 1, "", "server version mismatch")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    where = copies_where(url)
    with pytest.raises(Exception, match="postgresql-client"):
        pg_tools.dump_schemas(
            where.conninfo, where.password, "1", tmp_path / "x", schemas=["a"], without_rows="b"
        )
    assert seen["password"] == "s3cret"
    assert not any("s3cret" in word for word in seen["command"])


def test_a_password_in_the_query_of_a_url_is_on_no_command_line_either():
    where = copies_where("postgresql://u@localhost/x?password=s3cret&passfile=/of/mine")
    assert where.password == "s3cret"
    assert "s3cret" not in where.conninfo
    assert "s3cret" not in where.place
    assert "passfile=/of/mine" in where.conninfo  # where the password stands, not what it is


@pytest.mark.parametrize("name", ["sslpassword", "scram_client_key"])
def test_a_secret_that_has_no_other_way_is_refused(sqlite, name):
    url = f"postgresql://u@localhost/x?{name}=s3cret"
    with pytest.raises(InvalidInput, match=name) as caught:
        copies_where(url)
    assert "s3cret" not in str(caught.value)
    sqlite("db", "backup", "backups")
    code, _, said = sqlite("db", "restore", "backups", "--into", url)
    assert (code, "s3cret" in said, "command line" in said) == (2, False, True)


def copies_where(url):

    database = connect(url, None)
    try:
        return copies.find_server(database)
    finally:
        database.close()


# --- rare faults ----------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"(\xb5/\xfd", b"no frame at all", None])
def test_a_file_that_is_not_the_answer_is_not_kept(tmp_path, content):
    """Empty, cut, another thing, or another answer of another size."""
    import zstandard

    digest, size = hashlib.sha256(large(1)).hexdigest(), len(large(1))
    packed = zstandard.compress(b"another") if content is None else content
    path = tmp_path / "source" / digest[:2] / f"{digest}{bodies.SUFFIX}"
    path.parent.mkdir(parents=True)
    path.write_bytes(packed)
    found = copies.copy_bodies(tmp_path / "source", tmp_path / "kept", [(digest, size)])
    assert (found.damaged, found.digests) == ((digest,), {})


def test_answers_that_keep_going_end_a_backup(sqlite, sqlite_database, monkeypatch):
    put(sqlite_database, 1)
    monkeypatch.setattr(copies, "_was_removed_meanwhile", lambda *_: True)
    code, _, said = sqlite("db", "backup", "backups")
    assert (code, "try again after that" in said) == (4, True)


def test_a_copy_that_is_not_sound_is_none(sqlite, sqlite_database, tmp_path):
    """An index that lacks a row is a fault that reading alone does not meet."""
    sqlite_database.close()
    with sqlite3.connect(tmp_path / "monitor.db") as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("CREATE TABLE odd (a NOT NULL)")
        connection.execute("CREATE INDEX ix_odd ON odd (a)")
        connection.execute("INSERT INTO odd VALUES (1)")
        connection.execute("UPDATE sqlite_master SET sql = '' WHERE name = 'none'")
        change = "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master"
        connection.execute(f"{change} WHERE name = 'runs') WHERE name = 'odd'")
    connection.close()
    code, _, said = sqlite("db", "backup", "backups")
    assert (code, "damaged" in said or "copied" in said) == (4, True)
    assert copies.list_backups(tmp_path / "backups") == []


def test_a_restore_can_be_stopped(sqlite, sqlite_database, tmp_path, monkeypatch):
    put(sqlite_database, 1)
    sqlite("db", "backup", "backups")

    def stopped(_source, _goal):
        raise KeyboardInterrupt

    monkeypatch.setattr(shutil, "copyfile", stopped)
    assert sqlite("db", "restore", "backups", "--into", "restored")[0] == 130
    assert [path for path in (tmp_path / "restored").rglob("*") if path.is_file()] == []


def test_what_came_back_is_counted(sqlite, sqlite_database):
    with pytest.raises(StoreProblem, match="runs has 1 rows, the backup 2"):
        copies.require_counts(sqlite_database, {"runs": 2})


def test_a_name_is_given_once(tmp_path):
    with copies.create_backup(tmp_path / "backups", NOW):
        pass
    with (
        pytest.raises(StoreProblem, match="is there already"),
        copies.create_backup(tmp_path / "backups", NOW),
    ):
        pass


def test_a_folder_that_cannot_be_made_is_named(sqlite, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, said = sqlite("db", "backup", "file/backups")
    assert (code, "file is a file; name a folder" in said) == (2, True)


def test_a_full_disk_leaves_no_piece_of_an_answer(sqlite, sqlite_database, tmp_path, monkeypatch):
    put(sqlite_database, 1)

    def full(_self, _goal):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    code, _, said = sqlite("db", "backup", "backups")
    assert (code, "No space left" in said) == (4, True)
    kept = tmp_path / "backups" / copies.BODIES
    assert [path for path in kept.rglob("*") if path.is_file()] == []


def rewritten(backup, **changes):
    """A manifest whose own digest is right and whose content is another."""
    path = backup / copies.MANIFEST
    content = {**json.loads(path.read_text()), **changes}
    content.pop("sha256")
    path.write_text(json.dumps({**content, "sha256": model.digest(content)}))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": 99}, "newer version"),
        ({"bodies": 99}, "not 99"),
        ({"files": {"monitor.db": 1}}, "is no manifest"),
        ({"files": {"bodies.sha256": [0, "0"]}}, "the backup is damaged"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(sqlite, tmp_path, changes, words):
    sqlite("db", "backup", "backups")
    rewritten(newest(tmp_path / "backups"), **changes)
    code, _, said = sqlite("db", "check", "backups")
    assert (code, words in said) == (4, True)


def test_a_list_of_answers_leads_nowhere_else(sqlite, sqlite_database, tmp_path):
    put(sqlite_database, 1)
    sqlite("db", "backup", "backups")
    listed = newest(tmp_path / "backups") / copies.BODY_LIST
    listed.write_text(f"{'0' * 64}  ab/{'../' * 21}x{bodies.SUFFIX}\n")
    with pytest.raises(StoreProblem, match="is no line of it"):
        copies.read_body_list(newest(tmp_path / "backups"))


@pytest.mark.parametrize("into", ["://x", "mysql://x", "postgresql://h/x"])
def test_an_address_that_is_none_is_refused(sqlite, into):
    sqlite("db", "backup", "backups")
    assert sqlite("db", "restore", "backups", "--into", into)[0] == 2


@pytest.mark.parametrize(
    ("program", "words"),
    [("", "cannot be run"), ("#!/bin/sh\necho no such role >&2; exit 1", "no such role")],
)
def test_a_program_that_fails_is_quoted(tmp_path, monkeypatch, program, words):
    path = tmp_path / "pg_dump"
    path.write_text(program)
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(StoreProblem, match=words):
        pg_tools.dump_schemas("", "", "1", tmp_path / "x", schemas=[], without_rows="b")


def test_a_manifest_that_was_edited_is_refused(sqlite, tmp_path):
    sqlite("db", "backup", "backups")
    path = newest(tmp_path / "backups") / copies.MANIFEST
    path.write_text(path.read_text().replace('"kind": "sqlite"', '"kind": "postgresql"'))
    with pytest.raises(StoreProblem, match="its digest does not match"):
        copies.read_manifest(path.parent)
    with pytest.raises(StoreProblem, match="cannot be read"):
        copies.read_manifest(tmp_path)


def test_an_empty_database_has_no_tables_to_count(empty_database):
    with empty_database.read() as connection:
        assert copies.count_rows(connection) == {}
