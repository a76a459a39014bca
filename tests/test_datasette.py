"""`monitor datasette` really starts Datasette on the file, read only, with what its pages need."""

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import httpx
import pytest

from monitor.model import MissingPart
from monitor.stages.publish.datasette_metadata import make_metadata
from monitor.store.access.reader_role import KEPT_BACK
from monitor.store.jobs.declarations import Invented
from monitor.store.publish import data_dictionary
from tests.cases import check_each
from tests.command import program
from tests.conftest import copy_sqlite
from tests.demo import demo_folder  # noqa: F401 - a fixture

_PATIENCE = 120  # seconds, against a loop without an end


def free_port():
    with closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def served(folder, *options):
    """A client of the command's Datasette; it is ended by its id."""
    port = free_port()
    words = [sys.executable, "-m", "monitor.cli", "datasette", "--port", str(port), *options]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("MONITOR_")
    } | {"MONITOR_HOME": str(folder), "DEEPL_AUTH_KEY": "secret-of-a-service"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(words, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=_PATIENCE) as client:
            _wait(client, process, folder / "log")
            yield client, process
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def _wait(client, process, log):
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        try:
            client.get("/-/versions.json")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(log.read_text())


@pytest.fixture(scope="module")
def place(demo_folder, tmp_path_factory):  # noqa: F811
    """A folder with a copy of the archive."""
    folder = tmp_path_factory.mktemp("datasette")
    copy_sqlite(demo_folder / "monitor.db", folder / "monitor.db")
    return folder


@pytest.fixture(scope="module")
def running(place):
    with served(place) as found:
        yield found


@pytest.fixture
def client(running):
    return running[0]


def rows_of(client, path, **asked):
    given = client.get(path, params={"_shape": "array", **asked})
    assert given.status_code == 200, given.text
    return given.json()


# --- a running one --------------------------------------------------------------------------------


def test_a_view_is_there_as_json(client, place):
    found = rows_of(client, "/monitor/ledger.json")
    with closing(sqlite3.connect(f"file:{place / 'monitor.db'}?mode=ro", uri=True)) as connection:
        n = connection.execute("SELECT COUNT(*) FROM ledger").fetchone()[0]
    assert len(found) == n > 3
    assert set(found[0]) == {one.name for one in data_dictionary.read_views()["ledger"].columns}


#: The archive has no corpora; what is asked of them is tested in tests/test_corpus_run.py.
OF_CORPORA = ("corpora-read", "words-in-texts")


@check_each("name", [one.name for one in data_dictionary.read_questions()])
def test_every_worked_question_is_a_query(client, name):
    assert bool(rows_of(client, f"/monitor/{name}.json")) == (name not in OF_CORPORA)


def test_pages_describe_views_and_columns(client):
    page = client.get("/monitor/ledger").text
    assert "level over all series, directions and ticks of the job" in page
    assert "One row per job and tick." in page
    front = client.get("/monitor").text
    assert "Which series changed, and is it confirmed?" in front
    assert "feelings@1 (CC-BY-4.0)" in front


def test_tables_are_hidden_and_what_is_kept_back_is_closed(client):
    found = client.get("/monitor.json").json()
    shown = {one["name"] for one in found["tables"] if not one["hidden"]}
    assert shown == set()
    assert {one["name"] for one in found["views"]} >= {"answers", "ledger", "series_points"}
    for name in KEPT_BACK:
        assert client.get(f"/monitor/{name}.json").status_code == 403, name


def test_people_are_not_there(client):
    assert list(client.get("/.json").json()) == ["monitor"]
    given = client.get("/monitor.json", params={"sql": "SELECT * FROM people_entities"})
    assert given.status_code == 400
    attach = "ATTACH DATABASE 'monitor-people.db' AS people"
    assert client.get("/monitor.json", params={"sql": attach}).status_code == 400


def test_nothing_can_be_written_or_downloaded(client, place):
    before = (place / "monitor.db").read_bytes()
    for sql in ("DELETE FROM points", "DROP VIEW ledger", "PRAGMA journal_mode = DELETE"):
        given = client.get("/monitor.json", params={"sql": sql})
        assert given.status_code == 400, sql
    assert client.post("/monitor", json={"sql": "DELETE FROM points"}).status_code in (
        400,
        403,
        405,
    )
    assert client.get("/monitor.db").status_code in (403, 404)
    assert (place / "monitor.db").read_bytes() == before


def test_a_query_that_takes_too_long_is_ended(client):
    sql = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT MAX(x) FROM n"
    )  # fmt: skip
    given = client.get("/monitor.json", params={"sql": sql})
    assert given.status_code == 400
    assert "interrupted" in given.text.lower() or "too long" in given.text.lower()


def test_no_plug_in_is_loaded_and_no_key_is_handed_on(running):
    client, process = running
    assert client.get("/-/plugins.json").json() == []
    settings = client.get("/-/settings.json").json()
    assert (settings["allow_download"], settings["sql_time_limit_ms"]) == (False, 2_000)
    with open(f"/proc/{process.pid}/environ", "rb") as file:  # noqa: PTH123
        assert b"secret-of-a-service" not in file.read()


def test_where_others_can_reach_it_there_is_no_sql_of_ones_own(place, tmp_path):
    copy_sqlite(place / "monitor.db", tmp_path / "monitor.db")
    with served(tmp_path, "--public") as (client, process):
        own = client.get("/monitor.json", params={"sql": "SELECT 1"})
        assert own.status_code == 403
        for name in ("points", "answers", "shown"):
            assert client.get(f"/monitor/{name}.json").status_code == 403, name
        assert rows_of(client, "/monitor/development.json")
        assert rows_of(client, "/monitor/ledger.json")
        process.send_signal(signal.SIGINT)  # as Ctrl-C does
        assert process.wait(_PATIENCE) in (0, -signal.SIGINT, 1)


# --- metadata and refusals ------------------------------------------------------------------------


@pytest.fixture
def monitor(sqlite_database, tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def test_metadata_alone(monitor, tmp_path):
    code, said, _ = monitor("datasette", "--metadata-only")
    assert code == 0
    found = json.loads(said)
    assert found == make_metadata("monitor", public=False, lists=[], invented=Invented())
    tables = found["databases"]["monitor"]["tables"]
    for name, view in data_dictionary.read_views().items():
        assert list(tables[name]["columns"]) == [one.name for one in view.columns]
    queries = found["databases"]["monitor"]["queries"]
    assert {name: one["sql"] for name, one in queries.items()} == {
        one.name: one.sql for one in data_dictionary.read_questions()
    }
    assert not list(tmp_path.glob("*datasette.json"))


def test_an_address_that_others_reach_has_to_be_said(monitor):
    code, _, why = monitor("datasette", "--host", "0.0.0.0")  # noqa: S104
    assert (code, "without a login" in why) == (2, True)


def test_without_datasette_it_says_what_to_install(monitor, monkeypatch):
    monkeypatch.setattr("monitor.cli.access.serve.find_spec", lambda _name: None)
    code, _, why = monitor("datasette")
    assert (code, "pip install 'gbmonitor[datasette]'" in why) == (MissingPart.exit_code, True)


def test_postgres_is_refused_with_what_to_do(
    postgres_server, postgres_template, tmp_path, monkeypatch, capsys
):
    url = postgres_server.url(postgres_template)
    monkeypatch.setenv("MONITOR_DATABASE_URL", url)
    with program(tmp_path, monkeypatch, capsys) as command:
        code, _, why = command("datasette")
    assert code == 2
    assert "monitor db reader NAME" in why
    assert "monitor export release" in why


def test_no_database_is_said(tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        code, _, why = command("datasette")
    assert (code, "no monitor database here yet" in why) == (4, True)
    assert shutil.which("datasette") or list(tmp_path.iterdir()) == []


def test_invented_data_are_called_so():
    described = make_metadata("monitor", public=False, lists=[], invented=Invented(("a",), True))
    assert described["description"].startswith("Invented data: ")
    assert described["source"] == "made up"
