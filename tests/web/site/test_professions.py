"""Professions as a page, for programs and as CSV: the numbers of the view `topics_current`."""

import csv
import io

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor import registry
from monitor.roles import Role
from monitor.store.access import embargoes
from monitor.store.reports import run_report
from monitor.store.schema import topic_values
from monitor.web.site.pages import professions
from monitor.web.site.site_state import EntryRule
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
        return run_report.read_rows(
            connection, "SELECT MAX(id) AS id FROM runs WHERE job = 'people'"
        )[0]["id"]


def known(archive, chosen):
    """The rows of the view for one table, by topic."""
    sql = """
        SELECT * FROM topics_current WHERE run_id = :run AND list = :list AND engine = :engine
            AND source_lang = :source_lang AND target_lang = :target AND measure = :measure
            AND reference = :reference
    """
    names = ("run", "list", "engine", "source_lang", "target", "measure", "reference")
    with archive.read() as connection:
        found = run_report.read_rows(connection, sql, **{name: chosen[name] for name in names})
    return {row["topic"]: row for row in found}


@ON_BOTH
def test_the_newest_run_is_shown_with_the_numbers_of_the_view(client, archive):
    found = api(client)
    with archive.read() as connection:
        sql = "SELECT MAX(due_at) AS due_at FROM topics_current"
        newest = run_report.read_rows(connection, sql)[0]["due_at"]
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
    names = ("list", "engine", "target_lang", "source_lang", "measure", "reference")
    sql = f"SELECT DISTINCT point_id, due_at, {', '.join(names)} FROM topics_current"
    with archive.begin() as connection:
        first = min(
            run_report.read_rows(connection, sql),
            key=lambda row: (-row["due_at"].timestamp(), row["reference"] == "parity",
                             *(row[name] for name in names)),
        )  # fmt: skip
        emptied = topic_values.c.point_id == first["point_id"]
        connection.execute(sa.update(topic_values).where(emptied).values(bias=None))
    found = api(client)
    assert any(one["bias"] is not None for one in found["rows"])
    assert found["passed_over"] == 1
    assert "1 as new has none" in client.get("/professions").text
    wanted = {name.removesuffix("_lang") if name == "target_lang" else name: first[name]
              for name in names}  # fmt: skip
    assert api(client, **wanted)["chosen"]["engine"] == first["engine"]
    assert "No profession has a bias here" in client.get("/professions", params=wanted).text


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
        embargoes.add_embargo(
            connection, {"engine": TWO}, reason="r", by="b", until=None, now=clock()
        )
    public = make_client(archive, entry=EntryRule.PUBLIC)
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
    assert "There is no run yet that asks about professions" in page.text
    assert "monitor run JOB" in page.text


def test_the_most_and_the_least_biased_come_first(viewer):
    found = api(viewer)
    sizes = [abs(one["bias"]) for one in (*found["most"], *reversed(found["least"]))]
    assert sizes == sorted(sizes, reverse=True)
    everything = sorted(abs(one["bias"]) for one in found["rows"] if one["bias"] is not None)
    assert sizes[0] == everything[-1]
    assert abs(found["least"][0]["bias"]) == everything[0]
    page = HTMLParser(viewer.get("/professions").text)
    named = {one.text() for one in page.css("figure.square svg.full text")}
    assert found["most"][0]["topic"].replace("_", " ") in named


def test_examples_are_answers_of_the_run_with_their_deciding_words_marked(viewer, sqlite_archive):
    found = api(viewer)
    shown = [one for some in found["examples"].values() for one in some]
    assert shown
    with sqlite_archive.read() as connection:
        for example in shown:
            sql = "SELECT run_id, text, class, tags FROM answers WHERE attempt_id = :attempt"
            [row] = run_report.read_rows(connection, sql, attempt=example["attempt"])
            assert (row["run_id"], row["text"], row["class"]) == (
                found["chosen"]["run"], example["text"], example["gender"],
            )  # fmt: skip
            assert example["topic"] in row["tags"].values()
    page = HTMLParser(viewer.get("/professions").text)
    assert page.css_first(".extremes .sample mark")
    assert page.css_first(f'.extremes a[href="/evidence/{shown[0]["attempt"]}"]')


def test_pages_of_people_have_no_examples(viewer, sqlite_archive):
    found = api(viewer, run=people_run(sqlite_archive), reference="us_labour")
    assert found["kind"] == "search"
    assert found["most"]
    assert found["examples"] == {}


def test_all_quantities_of_the_measure_are_listed_once(viewer):
    found = api(viewer)
    names = [total["quantity"] for total in found["totals"]]
    known = {one.name for one in registry.measure("c_ratio_bias", found["kind"]).quantities}
    assert {"spearman", "sb"} < set(names) <= known
    assert len(names) == len(set(names))
