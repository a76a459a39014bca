"""Search finds what a visitor may see, and the feed has the confirmed events alone."""

from xml.etree import ElementTree as ET

import pytest
import sqlalchemy as sa

from monitor.change import Status
from monitor.roles import Role
from monitor.store.access import embargoes
from monitor.store.schema import changes, engines, probes, series_keys
from monitor.web.site.site_state import EntryRule
from tests.web.site.routes import ON_BOTH

ENGINE = "libretranslate(base_url=http://two.test)"
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def search(client, words):
    answer = client.get("/api/v1/search", params={"q": words})
    assert answer.status_code == 200, answer.text
    return answer.json()


@ON_BOTH
def test_systems_languages_and_quantities_are_found(archive, make_client):
    client = make_client(archive, Role.ANALYST)
    for words in ("two.test", "Stereotype GAP", "libretranslate czech stereotype"):
        found = search(client, words)
        assert found["n_series"] >= len(found["series"]) > 0, words
        for series in found["series"]:
            assert client.get(f"/series/{series['number']}").status_code == 200
    assert search(client, "two.test no-such-word")["series"] == []
    assert search(client, "  ") == {
        "asked": "  ", "numbers": [], "series": [], "n_series": 0, "questions": [], "near": [],
        "invented": "",
    }  # fmt: skip


@ON_BOTH
def test_a_question_is_found_by_its_words_and_leads_to_its_newest_answer(archive, make_client):
    client = make_client(archive, Role.ANALYST)
    with archive.read() as connection:
        text = connection.execute(sa.select(probes.c.text).where(probes.c.region == "")).scalar()
    found = search(client, text.upper())
    assert {question["text"] for question in found["questions"]} == {text}
    assert client.get(f"/evidence/{found['questions'][0]['attempt']}").status_code == 200
    for pattern in ("%", "_", "\\"):  # words, never patterns
        assert all(pattern in q["text"] for q in search(client, pattern)["questions"])


@ON_BOTH
def test_changes_runs_series_and_answers_are_found_by_number(archive, make_client, clock):
    client = make_client(archive, Role.ANALYST)
    with archive.read() as connection:
        number, series_id = connection.execute(sa.select(changes.c.id, changes.c.series_id)).first()
    found = search(client, f"#{number}")["numbers"]
    assert [one["kind"] for one in found] == ["change", "run", "series", "answer"]
    for one in found:
        assert client.get(one["path"]).status_code == 200
    assert [one["path"] for one in search(client, f"Change {number}")["numbers"]] == [
        f"/changes/{number}"
    ]
    assert f'href="/changes/{number}"' in client.get(f"/search?q={number}").text
    for words in (f"{number} {number}", f"gap {number}", "0", "9" * 30, "-1", "²", "٣"):
        assert search(client, words)["numbers"] == [], words
    with archive.begin() as connection:
        engine = connection.execute(
            sa.select(engines.c.name)
            .join(series_keys, series_keys.c.engine_id == engines.c.id)
            .where(series_keys.c.id == series_id)
        ).scalar_one()
        embargoes.add_embargo(
            connection, {"engine": engine}, reason="r", by="b", until=None, now=clock()
        )
    public = make_client(archive, entry=EntryRule.PUBLIC)
    assert search(public, f"change {number}")["numbers"] == []
    assert search(public, f"series {series_id}")["numbers"] == []


def test_a_mistyped_profession_is_suggested(sqlite_archive, make_client):
    client = make_client(sqlite_archive, Role.ANALYST)
    [row, *_] = client.get("/api/v1/professions").json()["rows"]
    mistyped = f"{row['topic'][:-1]}qq"
    assert row["topic"] in search(client, mistyped)["near"]
    page = client.get("/search", params={"q": mistyped}).text
    assert f"No profession “{mistyped}”; did you mean" in page
    assert search(client, "qqqqqqqq")["near"] == []


def test_what_is_under_embargo_is_not_found(sqlite_archive, make_client, clock):
    with sqlite_archive.begin() as connection:
        embargoes.add_embargo(
            connection, {"engine": ENGINE}, reason="r", by="b", until=None, now=clock()
        )
    public = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    found = search(public, "two.test")
    assert (found["series"], found["questions"]) == ([], [])
    assert "two.test" not in str(search(public, "e"))


def test_words_of_a_visitor_stay_words(sqlite_archive, make_client):
    client = make_client(sqlite_archive, Role.VIEWER)
    page = client.get("/search", params={"q": '"><script>alert(1)</script>'}).text
    assert "<script>alert" not in page
    assert "Nothing contains all of these words." in page


@pytest.mark.parametrize("status", [Status.CONFIRMED, Status.CANDIDATE])
def test_the_feed_has_confirmed_events_with_permanent_addresses(
    sqlite_archive, make_client, status
):
    with sqlite_archive.begin() as connection:
        connection.execute(sa.update(changes).values(status=status, sentence="<b>&\x0b"))
    client = make_client(sqlite_archive, Role.VIEWER)
    answer = client.get("/changes.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    root = ET.fromstring(answer.text)  # noqa: S314 - our own
    links = [link.get("href") for link in root.findall("a:entry/a:link", ATOM)]
    assert bool(links) == (status is Status.CONFIRMED)
    for link in links:
        assert client.get("/" + link.split("/", 3)[3]).status_code == 200
