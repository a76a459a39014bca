"""The report of ranked lists by their words, against the views; captured text does nothing."""

import json
import re

import numpy as np
import pytest
import sqlalchemy as sa

from monitor.stages.document import notation
from monitor.store import migrations
from monitor.store.database import connect
from tests.factories import DUE, rows
from tests.report import people
from tests.report.conftest import render
from tests.report.test_report import LOADING, Page
from tests.report.words import WEEK, heard, items, results
from tests.standins.results import Hit
from tests.standins.wire import json_answer

REFUSED = json_answer(200, {"error": {"code": "x", "info": "no"}})
SIGNED = {"gsr", "gsr_change", "relative_gsr", "arb", "log_gap"}
ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'{{ 7*7 }}"
MEASURES = [
    {"name": "GSR", "cutoff": 10, "floor": 5},
    {"name": "direct_gap", "cutoff": 10, "floor": 5},
    {"name": "NFaiRR", "cutoff": [3, 10]},
    {"name": "TExFAIR", "cutoff": [3, 10]},
    {"name": "ARB", "cutoff": 10},
    {"name": "CRBO"},
]
#: All that is said of the words of ranked lists; "fair" and "correct" are no words of ours.
JUDGING = re.compile(r"\b(fair|unfair|fairer|correct|correctly|good|bad)\b", re.IGNORECASE)


@pytest.fixture(scope="session")
def kept_words(tmp_path_factory):
    """Two engines, one that fails twice and has empty documents, over two ticks."""
    folder = tmp_path_factory.mktemp("words")
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    migrations.upgrade(database)
    asked = items(24)
    asked[5]["gender_neutral"] = "no"
    first, second = results(asked, tilt=0.9), results(asked, tilt=0.3, seed=2)
    for row in asked[2:8]:
        hits = first[row["text"]]
        first[row["text"]] = [Hit("—", hits[0].url, "..."), *hits[1:]]
    pages = {"results": first, "script": [REFUSED] * 2}, {"results": second}
    with heard(folder, *pages, asked=asked, measures=MEASURES) as tick:
        tick(database)
        tick.apps[0].results = results(asked, tilt=0.1, seed=5)
        tick(database, DUE + WEEK)
    yield database, render(database, 1), render(database, 2)
    database.close()


@pytest.fixture(scope="session")
def page(kept_words):
    return Page(kept_words[1].html)


@pytest.fixture(scope="session")
def later(kept_words):
    return Page(kept_words[2].html)


def point(database, run, quantity, measure="%", scope="all", engine="%count=50%"):
    [found] = rows(
        database,
        "SELECT * FROM points_current WHERE run_id = :run AND quantity = :q AND measure LIKE :m "
        "AND scope = :s AND engine LIKE :e",
        run=run, q=quantity, m=measure, s=scope, e=engine,
    )  # fmt: skip
    return found


def facts(database, point_id):
    found = rows(database, "SELECT key, value FROM point_facts WHERE point_id = :p", p=point_id)
    return {row["key"]: row["value"] for row in found}


def ends(row):
    sign = row["quantity"] in SIGNED
    interval = notation.span(row["low"], row["high"], sign=sign)
    return f"{notation.number(row['value'], sign=sign)} {interval}"


def test_every_value_stands_with_its_interval(kept_words, page):
    found = rows(
        kept_words[0],
        "SELECT * FROM points_current WHERE run_id = 1 AND state = 'measured' "
        "AND scope NOT LIKE 'tag:%'",
    )
    assert len(found) > 20
    for row in found:
        assert ends(row) in page.text, row


def test_a_point_without_a_value_has_its_state_and_reason(kept_words, page):
    [reason] = {
        row["reason"]
        for row in rows(kept_words[0], "SELECT reason FROM points_current WHERE quantity = 'crbo' "
                        "AND run_id = 1 AND engine LIKE '%count=49%'")
    }  # fmt: skip
    assert f"INSUFFICIENT: {reason}" in page.text
    assert f"CRBO: INSUFFICIENT, {reason}." in page.text


def test_the_slope_is_said_with_error_chance_and_queries(kept_words, page):
    database = kept_words[0]
    slope = point(database, 1, "gsr")
    known = facts(database, slope["point_id"])
    assert (slope["used"], slope["planned"]) == (22, 24)
    assert (
        f"(titles and snippets, the first 10 documents): slope {ends(slope)}, standard error "
        f"{notation.number(known['slope_se'])}, over 22 of 24 queries (point {slope['point_id']}). "
        f"Lists given to queries at random have slopes of "
        f"{notation.span(known['null_low'], known['null_high'], sign=True)}"
    ) in page.text


def test_of_snippets_changes_and_differences_alone_are_claimed(kept_words, page, later):
    assert "only its changes, and differences to other engines, do" in page.text
    assert "A positive slope is expected from relevance alone" in page.text
    assert "There is no earlier tick of this job to compare with." in page.text
    changed = point(kept_words[0], 2, "gsr_change")
    assert f"the slope changed by {ends(changed)}" in later.text
    assert "no earlier tick" not in later.text


def test_nothing_is_called_right_or_just(page, later):
    for one in (page, later):
        about = one.text.split("A small audit", 1)[1].split("Cite The run:")[0]
        assert not JUDGING.findall(about)
    assert "such a list is neutral because it says nothing about either" in page.text


def test_rbdf_and_lists_without_a_group_term_stand_beside(kept_words, page):
    database = kept_words[0]
    nfairr = point(database, 1, "nfairr", "%@10")
    known = facts(database, nfairr["point_id"])
    assert known["without_terms"] > 0
    share = notation.percent(known["without_terms"])
    assert f"Of {share.replace(chr(0xA0), ' ')} of the queries no document has a word" in page.text
    rbdf = notation.number(known["rbdf"])
    assert f"RBDF, the discounted share of documents with such a word, is {rbdf}." in page.text
    bounds = notation.span(nfairr["bound_low"], nfairr["bound_high"])
    assert f"{ends(nfairr)} bounds {bounds} {notation.number(known['rbdf'])} " in page.text


def test_the_correlation_is_that_of_the_queries(kept_words, page):
    database = kept_words[0]
    both = rows(
        database,
        "SELECT a.value AS x, b.value AS y FROM queries_current a JOIN queries_current b "
        "ON b.key = a.key AND b.engine = a.engine AND b.run_id = a.run_id WHERE a.run_id = 1 "
        "AND a.engine LIKE '%count=50%' AND a.measure = 'NFaiRR@10' AND b.measure = 'TExFAIR@10' "
        "AND a.value IS NOT NULL AND b.value IS NOT NULL",
    )
    r = np.corrcoef([row["x"] for row in both], [row["y"] for row in both])[0, 1]
    said = f"Over {len(both)} queries NFaiRR@10 and TExFAIR@10 correlate with r = "
    assert f"{said}{notation.number(r, 2)} (Pearson)" in page.text


def test_the_most_influential_queries_lead_to_their_answers(kept_words, page):
    database = kept_words[0]
    slope = point(database, 1, "gsr")
    found = rows(
        database,
        "SELECT * FROM queries_current WHERE point_id = :p AND influence IS NOT NULL "
        "ORDER BY ABS(influence) DESC LIMIT 8",
        p=slope["point_id"],
    )
    assert len(found) == 8
    for row in found:
        numbers = f"{notation.number(row['x'], 3, True)} {notation.number(row['value'], 3, True)} "
        numbers += notation.number(row["influence"], 4, True)
        assert f"monitor evidence show 1 {row['key']} {numbers}" in page.text


def test_the_scatter_has_every_query_and_the_fitted_line(kept_words):
    charts = re.findall(r"<svg.*?</svg>", kept_words[1].html, re.DOTALL)
    [chart] = [c for c in charts if "Genderedness of lists" in c and "count=50" in c]
    dots = [d for d in re.findall(r' d="([^"]*)"', chart) if d.count("Z") > 1]
    assert sorted(d.count("Z") for d in dots) == [8, 22]  # the most influential, and all


def test_what_is_missing_is_counted(kept_words, page):
    known = facts(kept_words[0], point(kept_words[0], 1, "nfairr", "%@10")["point_id"])
    assert known["documents_empty"] == 4  # of six lists one is left out, one was not answered
    slope = facts(kept_words[0], point(kept_words[0], 1, "gsr")["point_id"])
    assert slope["documents_empty"] == 5
    assert "0 have no text that could be read and 5 are empty: they count as unknown" in page.text
    assert "2 of 24 queries have no usable answer" in page.text
    assert "are left out of the measures by group terms: 1." in page.text
    assert "no usable answer (2)" in page.text


def test_the_gap_is_shown_by_bin_with_its_edges(kept_words, page):
    masculine = point(kept_words[0], 1, "log_gap", scope="bin:masculine")
    assert f"masculine queries, g(q) < −0.1 {ends(masculine)}" in page.text
    assert "feminine queries, g(q) > 0.1" in page.text


def test_systems_stand_side_by_side_and_every_query_in_the_annex(kept_words, page):
    assert "Side by side: mini@1, United States, English" in page.text
    assert "nothing here is a ranking" in page.text
    annex = page.text.split("Annex D", 1)[1]
    for row in items(24):
        assert annex.count(f" {row['key']} ") == 2


def test_the_page_speaks_of_words_and_not_of_people_or_translations(page):
    assert "Women and men in the words of ranked lists" in page.text
    for word in (
        "translation",
        "Who is shown",
        "recorded as women",
        "profession",
        "masculine form",
    ):
        assert word not in page.text, word
    assert "Fabris, A., Purpura, A." in page.text


def test_it_fetches_nothing_and_its_ids_are_unique(kept_words, page):
    tags = {tag for tag, _ in page.elements}
    assert not LOADING & tags
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    hrefs = [attrs["href"] for tag, attrs in page.elements if tag == "a"]
    assert {href.removeprefix("#") for href in hrefs} <= set(ids)
    assert render(kept_words[0], 1).html == kept_words[1].html


def test_numbers_for_programs_have_queries_and_correlations(kept_words):
    numbers = json.loads(json.dumps(kept_words[1].numbers, default=str))
    first = numbers["words"][0]
    assert {row["cut"] for row in first["correlations"]} == {3, 10}
    gsr = next(one for one in first["queries"] if one["measure"].startswith("GSR-snippet"))
    assert len(gsr["rows"]) == 24


@pytest.fixture
def shown(sqlite_database, tmp_path):
    """Run one tick, change the database with SQL and give its page."""

    def run(*pages, change=(), **options):
        with heard(tmp_path, *pages, **options) as tick:
            tick(sqlite_database)
        with sqlite_database.begin() as connection:
            for sql in change:
                connection.execute(sa.text(sql), {"attack": ATTACK} if ":attack" in sql else {})
        return Page(render(sqlite_database).html)

    return run


def test_captured_text_does_nothing(shown):
    asked = items(12)
    for row in asked:
        row["text"] += ATTACK
    page = shown(
        asked=asked,
        change=[
            "UPDATE query_values SET reason = :attack",
            "UPDATE query_values SET key = key || :attack",
            "UPDATE points SET state = 'insufficient', value = NULL, reason = :attack WHERE id > 6",
            "UPDATE lists SET title = :attack",
            "UPDATE engines SET name = 'wikipedia(' || :attack || ')'",
        ],
    )
    tags = {tag for tag, _ in page.elements}
    assert not LOADING & tags
    assert not [a for _, attrs in page.elements for a in attrs if a.startswith("on")]
    assert page.text.count("alert(1)") > 20
    assert "{{ 7*7 }}" in page.text


def test_too_few_queries_have_no_slope_and_no_line(shown):
    page = shown(measures=[{"name": "GSR", "cutoff": 10}])
    assert "GSR-snippet with the lexicon glove-6b-50d: INSUFFICIENT, 24 usable queries" in page.text
    assert "the fitted line left out, because there is no slope" in page.text
    assert "that move the slope most" not in page.text
    assert "says nothing about the engine" not in page.text


def test_an_engine_that_answers_nothing_says_what_is_missing(shown):
    page = shown({"always": REFUSED})
    assert "INSUFFICIENT" in page.text
    assert "24 of 24 queries have no usable answer" in page.text
    assert "svg" not in {tag for tag, _ in page.elements}


def test_values_withheld_for_where_requests_left_say_why(shown):
    held = "requests left from DE; the region us-en is declared in US"
    page = shown(
        change=[
            f"""UPDATE points SET state = 'insufficient', value = NULL, low = NULL, high = NULL,
            bound_low = NULL, bound_high = NULL, reason = '{held}'""",
            "DELETE FROM query_values",
            "DELETE FROM point_facts",
        ],
    )
    assert f"No value stands, because of the whole run: {held}." in page.text
    assert "No value stands. Requests left from DE" in page.text


def test_many_systems_are_folded_and_the_page_stays_small(sqlite_database, tmp_path):
    asked = items()
    pages = [{"results": results(asked, tilt=0.1 * n, seed=n, size=10)} for n in range(6)]
    with heard(tmp_path, *pages, asked=asked, measures=[MEASURES[0], MEASURES[2]]) as tick:
        tick(sqlite_database)
    html = render(sqlite_database).html
    assert len(html.encode()) < 1_000_000
    page = Page(html)
    assert "Words of ranked lists: 6 systems" in page.text
    assert "All 237 queries" in page.text


def test_people_and_words_share_a_page(sqlite_database, tmp_path):
    """The list of a job about people is heard as well: a measure of words takes both cues."""
    by_words = {"name": "GSR", "cutoff": 10, "floor": 3}
    with people.search(tmp_path, measures=[people.measure(cutoff=10), by_words]) as tick:
        tick(sqlite_database)
    page = Page(render(sqlite_database).html)
    assert "Whom search engines show" in page.text
    assert "Key findings: words of ranked lists" in page.text
    assert page.text.count("No value has been computed") == 0
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
