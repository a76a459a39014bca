"""Whether a process lives and can work, and what runs beside its loop."""

import json
from dataclasses import replace

import httpx
import pytest
from sqlalchemy import text

from monitor import settings
from monitor.model import InvalidInput, StoreGone
from monitor.store.journal import events
from monitor.store.schedule.leases import this_process
from monitor.web.health import STUCK, Health, make_companions
from monitor.work.perform import WorkerContext
from tests.looked_after import AT


def asked(page):
    reply = page("")
    return reply.status, json.loads(reply.body)


def ready(database, idle=0.0):
    return asked(Health(database, lambda: idle).readyz)


def faults(body):
    return {name for name, check in body["checks"].items() if not check["ok"]}


def gone(*_):
    raise StoreGone("away")


def test_a_loop_that_moves_lives(sqlite_database, monkeypatch):
    monkeypatch.setattr(type(sqlite_database), "read", gone)  # nothing is read
    assert asked(Health(sqlite_database, lambda: STUCK - 1).healthz) == (
        200,
        {"alive": True, "seconds_since_the_loop_moved": STUCK - 1},
    )
    status, body = asked(Health(sqlite_database, lambda: STUCK).healthz)
    assert (status, body["alive"]) == (503, False)


def test_ready(database):
    status, body = ready(database)
    assert (status, body["ready"], faults(body)) == (200, True, set())
    assert set(body["checks"]) == {"loop", "database", "schema", "disk"}
    assert body["process"] == {"name": this_process()}


@pytest.mark.parametrize(("role", "status"), [("daemon", 503), ("worker", 200)])
def test_a_daemon_that_doubts_the_clock_is_not_ready(database, role, status):
    with database.begin() as connection:
        events.announce_process(connection, this_process(), role, "1 job", AT)
        events.raise_alarm(connection, "clock", "", "the clock says 1970", AT)
    found, body = ready(database)
    assert found == status
    assert faults(body) == ({"clock"} if status == 503 else set())


def test_who_stands_by_is_ready_and_says_so(database):
    with database.begin() as connection:
        events.announce_process(connection, this_process(), "daemon", "standing by", AT)
    status, body = ready(database)
    assert status == 200
    assert body["process"] == {"name": this_process(), "role": "daemon", "does": "standing by"}


def test_who_does_not_move_is_not_ready(database):
    status, body = ready(database, STUCK + 1)
    assert (status, faults(body)) == (503, {"loop"})


def test_without_a_database_nobody_is_ready_and_nobody_waits(sqlite_database, monkeypatch):
    seen = []

    def read(self):
        seen.append(self.patience)
        raise StoreGone("away: password")

    monkeypatch.setattr(type(sqlite_database), "read", read)
    status, body = ready(replace(sqlite_database, patience=3600.0))
    assert (status, faults(body)) == (503, {"database", "schema"})
    assert "password" not in json.dumps(body)
    assert set(seen) == {0.0}


def test_another_schema_is_not_ready(database):
    with database.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    status, body = ready(database)
    assert (status, faults(body)) == (503, {"schema"})


def test_a_database_without_tables_is_not_ready(empty_database):
    status, body = ready(empty_database)
    assert (status, faults(body)) == (503, {"schema"})


def test_a_disk_without_its_reserve_is_not_ready(database, monkeypatch):
    monkeypatch.setenv("MONITOR_DISK_RESERVE", str(2**60))
    settings.load.cache_clear()
    status, body = ready(database)
    # how full the disk of a server is only the server knows
    expected = (503, {"disk"}) if database.keeps_files else (200, set())
    assert (status, faults(body)) == expected


def test_well_is_who_moves_and_has_a_database(sqlite_database, monkeypatch):
    assert Health(sqlite_database, lambda: 0.0).is_well()
    assert not Health(sqlite_database, lambda: STUCK).is_well()
    monkeypatch.setattr(type(sqlite_database), "read", gone)
    assert not Health(sqlite_database, lambda: 0.0).is_well()


# --- companions -----------------------------------------------------------------------------------


@pytest.fixture
def beside(sqlite_database, monkeypatch):
    """The companions under some settings."""

    def made(**chosen):
        for name, value in chosen.items():
            monkeypatch.setenv(f"MONITOR_{name.upper()}", value)
        settings.load.cache_clear()
        shop = WorkerContext(sqlite_database, settings.load(), lambda *_: None, lambda: False)
        return make_companions(shop, lambda: 0.0)

    return made


def test_nobody_is_wanted_unless_it_is_said(beside):
    assert beside() == []


def test_health_is_served_from_start_to_stop(beside):
    [one] = beside(health="127.0.0.1:0")
    one.start()
    try:
        url = f"http://{one.place}"
        with httpx.Client(trust_env=False) as client:
            for page in ("healthz", "readyz"):
                assert client.get(f"{url}/{page}").json()
            assert "gbmonitor_database_up 1.0" in client.get(f"{url}/metrics").text
            openmetrics = {"Accept": "application/openmetrics-text; version=1.0.0; q=0.5"}
            assert client.get(f"{url}/metrics", headers=openmetrics).text.endswith("# EOF\n")
            assert client.get(f"{url}/").status_code == 404
    finally:
        one.stop()
    with httpx.Client(trust_env=False) as client, pytest.raises(httpx.ConnectError):
        client.get(url)


def test_other_machines_are_let_in_only_where_that_is_said(beside):
    with pytest.raises(InvalidInput, match="other machines could read it there"):
        beside(health="0.0.0.0:0")
    [one] = beside(health="0.0.0.0:0", health_public="1")
    one.stop()


def test_what_cannot_be_used_is_said_at_the_start(beside, tmp_path):
    with pytest.raises(InvalidInput, match="MONITOR_HEALTH='8601': write host:port"):
        beside(health="8601")
    with pytest.raises(InvalidInput, match="MONITOR_PING_URL"):
        beside(health="", ping_url="nothing")
    with pytest.raises(InvalidInput, match="MONITOR_CA_FILE"):
        beside(health="", ping_url="http://127.0.0.1:1/", ca_file=str(tmp_path / "none"))


def test_a_sign_of_life_is_one_of_them(beside):
    [one] = beside(ping_url="http://127.0.0.1:1/token", ping_seconds="3600")
    one.start()
    one.stop()
    assert "token" not in repr(settings.load())
