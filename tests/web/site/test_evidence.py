"""The proof of a number as a page: what was asked, what came, which words decided, its digest."""

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.roles import Role
from monitor.store.access import embargoes
from monitor.store.collect import bodies
from monitor.store.reports import run_answers, run_report
from monitor.store.schema import bodies as body_table
from monitor.store.schema import item_overviews
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import ON_BOTH

TWO = "libretranslate(base_url=http://two.test)"


def one_attempt(archive, where):
    sql = f"SELECT * FROM answers WHERE {where} ORDER BY attempt_id LIMIT 1"
    with archive.read() as connection:
        return run_report.read_rows(connection, sql)[0]


@pytest.fixture
def heard(archive):
    """An answer with a feminine form."""
    return one_attempt(archive, "class = 'feminine' AND job = 'mt-weekly'")


def api(client, number):
    return client.get(f"/api/v1/evidence/{number}").json()


@ON_BOTH
def test_it_is_what_the_archive_has(archive, make_client, heard):
    found = api(make_client(archive, Role.VIEWER), heard["attempt_id"])
    assert found["question"] == heard["probe"]
    assert found["heard"][0]["gender"] == "feminine"
    assert found["heard"][0]["witnesses"] == heard["witnesses"]
    assert found["body"]["sha256"] == heard["body_sha256"]
    assert found["body"]["matches"] is True
    assert found["list_items"][0]["key"] == heard["item_key"]


def test_the_word_that_decided_is_marked(archive, make_client, heard):
    page = make_client(archive, Role.VIEWER).get(f"/evidence/{heard['attempt_id']}")
    words = [node.text() for node in HTMLParser(page.text).css("mark.feminine")]
    witness = heard["witnesses"][0]
    assert heard["text"][witness["start"] : witness["end"]] in words


@ON_BOTH
def test_other_times_are_those_of_the_same_system(archive, make_client, heard):
    found = api(make_client(archive, Role.VIEWER), heard["attempt_id"])["others"]
    with archive.read() as connection:
        sql = (
            "SELECT DISTINCT attempt_id FROM answers WHERE probe_id = :probe AND engine = :engine "
            "AND final = TRUE AND job = 'mt-weekly' AND attempt_id <> :mine"
        )
        known = run_report.read_rows(
            connection, sql, probe=heard["probe_id"], engine=heard["engine"],
            mine=heard["attempt_id"],
        )  # fmt: skip
    assert {one["attempt"] for one in found} == {row["attempt_id"] for row in known}
    assert found


def test_the_newest_are_found_though_runs_are_looked_through_in_parts(archive, heard, monkeypatch):
    number = heard["attempt_id"]
    with archive.read() as connection:
        known = run_answers.find_subject(connection, number)
        every = run_answers.read_other_answers(connection, number, known, 12)
        assert run_answers.read_other_answers(connection, number, known, 2) == every[:2]
        monkeypatch.setattr(run_answers, "_AT_ONCE", 1)
        assert run_answers.read_other_answers(connection, number, known, 12) == every
    assert len(every) > 2
    assert every == sorted(every, key=lambda one: (one.due_at, one.run), reverse=True)


def test_the_raw_answer_byte_by_byte(archive, make_client, heard):
    client = make_client(archive, Role.ANALYST)
    answer = client.get(f"/api/v1/evidence/{heard['attempt_id']}/body")
    with archive.read() as connection:
        query = body_table.select().where(body_table.c.sha256 == heard["body_sha256"])
        content = bodies.read_body(connection, archive, connection.execute(query).one().id)
    assert answer.content == content
    assert answer.headers["content-disposition"].startswith("attachment; ")
    assert "sandbox" in answer.headers["content-security-policy"]


def test_a_body_that_was_changed_is_said_to_be(archive, make_client, heard):
    with archive.begin() as connection:
        mine = body_table.c.sha256 == heard["body_sha256"]
        connection.execute(body_table.update().where(mine).values(content=b"\x00other"))
    client = make_client(archive, Role.VIEWER)
    found = api(client, heard["attempt_id"])["body"]
    assert found["matches"] is False
    assert "damaged" in found["remark"]
    assert "does not match" in client.get(f"/evidence/{heard['attempt_id']}").text


def test_what_was_removed_says_when_and_why(archive, make_client, heard, clock):
    with archive.begin() as connection:
        number = connection.execute(
            body_table.select().where(body_table.c.sha256 == heard["body_sha256"])
        ).one()
        bodies.remove_bodies(
            connection, archive, [number.id], bodies.RemovalReason.RETENTION, clock()
        )
    client = make_client(archive, Role.ANALYST)
    found = api(client, heard["attempt_id"])["body"]
    assert found["matches"] is None
    assert found["remark"].startswith("removed on ")
    assert client.get(f"/api/v1/evidence/{heard['attempt_id']}/body").status_code == 404


def test_the_public_sees_words_and_no_captured_page(archive, make_client, heard):
    found = api(make_client(archive, entry=EntryRule.PUBLIC), heard["attempt_id"])
    assert found["heard"]
    assert found["is_partial"] is True
    assert (found["headers"], found["request"], found["url"]) == ([], {}, "")
    page = make_client(archive, entry=EntryRule.PUBLIC).get(f"/evidence/{heard['attempt_id']}").text
    assert "Raw answer as text" not in page


def test_the_public_sees_no_people(archive, make_client):
    shown = one_attempt(archive, "job = 'people' AND item_id IS NOT NULL")
    number = shown["attempt_id"]
    everything = api(make_client(archive, Role.VIEWER), number)
    assert everything["items"]
    public = make_client(archive, entry=EntryRule.PUBLIC)
    assert api(public, number)["items"] == []
    page = public.get(f"/evidence/{number}").text
    for one in everything["items"]:
        assert not one["title"] or one["title"] not in page
    assert public.get(f"/evidence/{number}/screenshot").status_code in (303, 401)


@ON_BOTH
def test_an_embargo_hides_it(archive, make_client, clock):
    mine = one_attempt(archive, f"engine = '{TWO}' AND job = 'mt-weekly'")["attempt_id"]
    public = make_client(archive, entry=EntryRule.PUBLIC)
    assert public.get(f"/evidence/{mine}").status_code == 200
    with archive.begin() as connection:
        embargoes.add_embargo(
            connection, {"engine": TWO}, reason="r", by="b", until=None, now=clock()
        )
    assert public.get(f"/evidence/{mine}").status_code == 404
    assert make_client(archive, Role.VIEWER).get(f"/evidence/{mine}").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [("/evidence/99999999", 404), ("/evidence/0", 422), ("/evidence/x", 422)],
)
def test_what_is_not_there(archive, make_client, path, status):
    client = make_client(archive, Role.VIEWER)
    assert client.get(path).status_code == status
    assert client.get(f"/api/v1{path}").status_code == status


@pytest.mark.parametrize("title", ["First", "<img src=x onerror=alert(1)>"])
def test_sources_of_an_overview_stand_in_their_order(sqlite_archive, make_client, title):
    found = one_attempt(sqlite_archive, "job = 'people' AND item_rank = 1")
    sources = [[title, "https://b.test/1", "b.test"], ["", "javascript:alert(1)", "a.test"]]
    overview = {"item_id": found["item_id"], "state": "shown", "sources": sources}
    with sqlite_archive.begin() as connection:
        connection.execute(sa.insert(item_overviews), overview)
    client = make_client(sqlite_archive, Role.VIEWER)
    [item] = [item for item in api(client, found["attempt_id"])["items"] if item["sources"]]
    assert (item["overview"], [list(one.values()) for one in item["sources"]]) == ("shown", sources)
    page = HTMLParser(client.get(f"/evidence/{found['attempt_id']}").text)
    cited = [" ".join(node.text().split()) for node in page.css("td ol li")]
    assert cited == [f"{title} https://b.test/1", "javascript:alert(1)"]
    assert not page.css("td ol a, td ol img")
