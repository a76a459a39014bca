"""Pages say which ticks were measured and are not decided."""

import pytest
import sqlalchemy as sa

from monitor.roles import Role
from monitor.store.collect import pauses, runs
from monitor.store.schema import looks
from tests.demo import TURNED
from tests.web.site.routes import ON_BOTH
from tests.web.site.test_series import nothing_is_kept

JOB = "mt-weekly"
SAID = f"1 run is not decided: {TURNED:%Y-%m-%d %H:%M} UTC"


@pytest.fixture(autouse=True)
def nothing_is_kept_of_other_archives():
    nothing_is_kept()


@pytest.fixture
def run(archive):
    """A run whose tick was decided, and is not in the ledger any more."""
    with archive.begin() as connection:
        connection.execute(sa.delete(looks).where(looks.c.job == JOB, looks.c.due_at == TURNED))
        return runs.find_scheduled(connection, JOB, TURNED)


def series_of(archive):
    with archive.read() as connection:
        query = sa.text("SELECT MIN(id) FROM series_keys WHERE job = :job AND quantity = 'f_s'")
        return connection.execute(query, {"job": JOB}).scalar_one()


@ON_BOTH
def test_pages_of_a_series_and_its_tick_say_that_nothing_is_known(archive, make_client, run):
    client, number = make_client(archive, Role.VIEWER), series_of(archive)
    assert client.get(f"/api/v1/series/{number}").json()["undecided"] == SAID
    assert f"{SAID}. Whether anything changed there" in client.get(f"/series/{number}").text
    at = f"/series/{number}/ticks/{run}"
    assert client.get(f"/api/v1{at}").json()["is_undecided"] is True
    assert "This tick is not decided" in client.get(at).text


def test_pages_of_decided_ticks_say_nothing_of_it(archive, make_client):
    client, number = make_client(archive, Role.VIEWER), series_of(archive)
    with archive.read() as connection:
        at = f"/series/{number}/ticks/{runs.find_scheduled(connection, JOB, TURNED)}"
    assert client.get(f"/api/v1/series/{number}").json()["undecided"] == ""
    assert client.get(f"/api/v1{at}").json()["is_undecided"] is False
    assert "not decided" not in client.get(f"/series/{number}").text + client.get(at).text


@pytest.mark.usefixtures("run")
def test_the_page_of_operators_lists_them_by_job(archive, make_client):
    client = make_client(archive, Role.OPERATOR)
    with archive.begin() as connection:
        pauses.add_pause(connection, "job", JOB, "so that it is listed", TURNED)
    [job] = [one for one in client.get("/api/v1/operations").json()["jobs"] if one["name"] == JOB]
    assert job["undecided"] == SAID
    assert SAID in client.get("/operations").text
