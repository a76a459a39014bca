"""Professions as a page, for programs and as CSV: the numbers of the view `topics_current`."""

import csv
import io

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.roles import Role
from monitor.store import embargoes, overview
from monitor.store.schema import topic_values
from monitor.web.site import professions
from monitor.web.site._site import Entry
from tests.web.site.routes import ON_BOTH

TWO = "libretranslate(base_url=http://two.test)"


@pytest.fixture
def client(archive, make_client):
    return make_client(archive, Role.VIEWER)


@pytest.fixture
def viewer(sqlite_archive, make_client):
    return make_client(sqlite_archive, Role.VIEWER)


def api(client, **parameters):
    answer = client.get("/api/v1/professions", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def people_run(archive):
    with archive.read() as connection:
        return overview.rows(connection, "SELECT MAX(id) AS id FROM runs WHERE job = 'people'")[0][
            "id"
        ]


def known(archive, chosen):
    """The rows of the view for one table, by topic."""
    sql = """
        SELECT * FROM topics_current WHERE run_id = :run AND list = :list AND engine = :engine
            AND source_lang = :source_lang AND target_lang = :target AND measure = :measure
            AND reference = :reference
    """
    names = ("run", "list", "engine", "source_lang", "target", "measure", "reference")
    with archive.read() as connection:
        found = overview.rows(connection, sql, **{name: chosen[name] for name in names})
    return {row["topic"]: row for row in found}


@ON_BOTH
def test_the_newest_run_is_shown_with_the_numbers_of_the_view(client, archive):
    found = api(client)
    with archive.read() as connection:
        sql = "SELECT MAX(due_at) AS due_at FROM topics_current"
        newest = overview.rows(connection, sql)[0]["due_at"]
    assert found["chosen"]["due_at"].startswith(newest.strftime("%Y-%m-%d"))
    there = known(archive, found["chosen"])
    assert {one["topic"] for one in found["rows"]} == set(there)
    for one in found["rows"]:
        row = there[one["topic"]]
        assert (one["model"], one["low"], one["target"], one["bias"], one["q"]) == (
            row["model"], row["model_low"], row["target"], row["bias"], row["q"],
        )  # fmt: skip
        if one["bias"] is not None:
            assert one["bias_low"] <= one["bias"] <= one["bias_high"]
        assert one["is_biased"] is None


@ON_BOTH
def test_a_table_without_values_comes_after_those_that_have_some(client, archive):
    """Also after those of the same tick that would come later by their names."""
    sql = "SELECT DISTINCT point_id, due_at, engine FROM topics_current ORDER BY 2 DESC, 3"
    with archive.begin() as connection:
        known = overview.rows(connection, sql)
        of_first = {
            row["point_id"]
            for row in known
            if (row["due_at"], row["engine"]) == (known[0]["due_at"], known[0]["engine"])
        }
        emptied = topic_values.c.point_id.in_(of_first)
        connection.execute(sa.update(topic_values).where(emptied).values(bias=None))
    found = api(client)
    assert any(one["bias"] is not None for one in found["rows"])
    assert found["passed_over"] == len(of_first)
    assert f"{len(of_first)} as new ha" in client.get("/professions").text
    own = api(client, engine=known[0]["engine"])
    assert own["chosen"]["engine"] == known[0]["engine"]


@ON_BOTH
def test_people_have_bounds_and_tests(client, archive):
    found = api(client, run=people_run(archive), reference="wikidata")
    assert found["kind"] == "search"
    there = known(archive, found["chosen"])
    for one in found["rows"]:
        row = there[one["topic"]]
        assert (one["bias_low"], one["bias_high"]) == (row["bound_low"], row["bound_high"])
        assert (one["n"], one["n_of"]) == (row["labelled"], row["shown"])
        assert one["is_biased"] is (None if row["q"] is None else row["q"] <= 0.05)
    assert any(one["is_biased"] for one in found["rows"])
    assert found["chosen"]["measure"].endswith("@10")


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("by", ["profession", "model", "target", "bias", "p", "q", "n"])
def test_tables_are_sorted_and_say_so(viewer, sqlite_archive, by, down):
    wanted = {"run": people_run(sqlite_archive), "reference": "us_labour", "sort": by, "down": down}
    rows = api(viewer, **wanted)["rows"]
    values = [one["topic" if by == "profession" else by] for one in rows]
    measured = [one for one in values if one is not None]
    assert measured == sorted(measured, reverse=down)
    assert values[len(measured) :] == [None] * (len(values) - len(measured))
    page = HTMLParser(viewer.get("/professions", params=wanted).text)
    marked = page.css("th[aria-sort]")
    assert [one.attributes["aria-sort"] for one in marked] == [
        "descending" if down else "ascending"
    ]


def test_a_profession_leads_to_its_answers(viewer):
    found = api(viewer)
    page = HTMLParser(viewer.get("/professions").text)
    for one, link in zip(found["rows"], page.css('td a[href^="/runs/"]'), strict=True):
        answers = HTMLParser(viewer.get(link.attributes["href"]).text)
        assert answers.css_first('a[href^="/evidence/"]'), one["topic"]
    assert page.css_first(f'a[href="/series/{found["series"]}/ticks/{found["chosen"]["run"]}"]')


def test_the_csv_is_the_table(viewer):
    found = api(viewer, sort="target", down=False)
    text = viewer.get("/professions.csv", params={"sort": "target", "down": False}).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["topic"] for row in rows] == [one["topic"] for one in found["rows"]]
    assert [float(row["bias"]) for row in rows if row["bias"]] == [
        one["bias"] for one in found["rows"] if one["bias"] is not None
    ]
    assert {row["run"] for row in rows} == {str(found["chosen"]["run"])}


def test_long_tables_are_paged(viewer, monkeypatch):
    everything = [one["topic"] for one in api(viewer)["rows"]]
    monkeypatch.setattr(professions, "_ON_A_PAGE", 4)
    pages = [api(viewer, page=number) for number in (1, 2)]
    assert pages[0]["n_pages"] == -(-len(everything) // 4)
    assert [one["topic"] for page in pages for one in page["rows"]] == everything[:8]
    link = HTMLParser(viewer.get("/professions").text).css_first('a[rel="next"]')
    second = HTMLParser(viewer.get(link.attributes["href"]).text)
    assert len(second.css("tbody tr")) == len(pages[1]["rows"])
    rows = list(csv.DictReader(io.StringIO(viewer.get("/professions.csv").text)))
    assert [row["topic"] for row in rows] == everything


def test_an_embargo_hides_professions_from_the_public(archive, make_client, clock):
    assert TWO in api(make_client(archive, Role.VIEWER))["engines"]
    with archive.begin() as connection:
        embargoes.add(connection, {"engine": TWO}, reason="r", by="b", until=None, now=clock())
    public = make_client(archive, entry=Entry.PUBLIC)
    found = api(public)
    assert found["engines"]
    assert TWO not in found["engines"]
    assert api(public, engine=TWO)["chosen"] is None
    assert public.get("/professions.csv", params={"engine": TWO}).status_code == 404
    assert api(make_client(archive, Role.VIEWER), engine=TWO)["chosen"]["engine"] == TWO


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("run=0", 422), ("run=x", 422), ("run=99999999999999999999", 422), ("sort=size", 422),
        ("down=maybe", 422), ("engine=%00", 400), ("run=999999", 200), ("engine=%3Cscript%3E", 200),
    ],
)  # fmt: skip
def test_whatever_is_asked_has_an_answer(viewer, query, status):
    for path in ("/professions", "/api/v1/professions"):
        assert viewer.get(f"{path}?{query}").status_code == status


def test_an_empty_archive_says_so(sqlite_database, make_client):
    page = make_client(sqlite_database, Role.VIEWER).get("/professions")
    assert page.status_code == 200
    assert "No run that you may see" in page.text
