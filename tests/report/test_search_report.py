"""The report of search audits: whom engines show, against the views; nothing about one person."""

import json
import re

import pytest
import sqlalchemy as sa

from monitor import registry
from monitor.model import Kind
from monitor.stages.document import notation
from monitor.stages.reports import shown_people
from monitor.store import migrations
from monitor.store.database import connect
from tests.factories import DUE, make_list, rows
from tests.report import people
from tests.report.conftest import render
from tests.report.people import WEEK, measure, results, search
from tests.report.services import libre, spoken_items
from tests.report.test_report import LOADING, Page
from tests.standins import serve
from tests.standins.libretranslate import LibreTranslate
from tests.standins.results import Hit
from tests.standins.wire import json_answer

REFUSED = json_answer(200, {"error": {"code": "x", "info": "no"}})
HELD = "requests left from DE; the region us-en is declared in US"
ONE = [measure(cutoff=10, references=["parity"])]


@pytest.fixture(scope="session")
def kept_search(tmp_path_factory):
    """Two engines, four cut-offs, five references and two ticks; made once for all tests."""
    folder = tmp_path_factory.mktemp("search")
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    migrations.upgrade(database)
    with search(folder, {"results": results()}, {"results": results()}) as tick:
        tick(database)
        tick.apps[0].results = results(["carpenter", "nurse", "librarian"], ["driver"])
        tick(database, DUE + WEEK)
    made = render(database, 2)
    yield database, made
    database.close()


@pytest.fixture(scope="session")
def page(kept_search):
    return Page(kept_search[1].html)


@pytest.fixture
def shown(sqlite_database, tmp_path):
    """Run one tick, change the database with SQL and give its page."""

    def run(*pages, change=(), **options):
        with search(tmp_path, *pages, **options) as tick:
            tick(sqlite_database)
        with sqlite_database.begin() as connection:
            for sql in change:
                connection.execute(sa.text(sql))
        return Page(render(sqlite_database).html)

    return run


def test_every_quantity_stands_in_the_report(kept_search, page):
    """Also one that has no column of its own in any table of the chapter."""
    sql = "SELECT DISTINCT quantity FROM points_current WHERE measure LIKE 'c_ratio%'"
    quantities = {row["quantity"] for row in rows(kept_search[0], sql)}
    in_columns = {"trigger_rate", "label_coverage", "mb_change_panel", "mab_change_panel"}
    assert {"min_beta", "excess_sb"} <= quantities
    for quantity in quantities - in_columns:
        assert re.search(rf"\b{quantity}\b", page.text), quantity
    titles = {q.name: q.title for q in registry.measure("c_ratio_bias", Kind.SEARCH).quantities}
    for quantity in quantities & {"excess_sb", "mb_change_panel", "mab_change_panel"}:
        assert titles[quantity] in page.text, quantity


def test_it_speaks_of_people_and_not_of_translations(page):
    title, words = page.text.lower().split("a small audit", 1)
    for word in ("masculine", "feminine", "translation", "speaker", "sentences", "true gender"):
        assert word not in words, word
    for word in ("fair", "correct"):
        assert f" {word}" not in words, word
    assert "whom search engines show: people recorded as women and as men" in title
    assert "United States, English" in page.text
    assert "→" not in page.text
    assert "as skewed as Wikidata" in page.text


def test_every_bias_stands_with_interval_bounds_and_points(kept_search, page):
    database, _ = kept_search
    found = rows(
        database,
        "SELECT * FROM points_current WHERE run_id = 2 AND state = 'measured' "
        "AND quantity IN ('mb', 'mab', 'mab_null', 'mb_change_panel', 'mab_change_panel') "
        "AND (quantity NOT LIKE '%change%' OR measure LIKE '%@10')",
    )
    assert len(found) == 2 * (4 * 5 * 3 + 5 * 2)
    for point in found:
        sign = point["quantity"] in {"mb", "mb_change_panel", "mab_change_panel"}
        ends = notation.span(point["low"], point["high"], 3, sign)
        assert f"{notation.number(point['value'], 3, sign)} {ends}" in page.text, point
        if point["quantity"] == "mb":
            bounds = notation.span(point["bound_low"], point["bound_high"], 3, sign)
            assert f"bounds {bounds}" in page.text, point
            assert f"points {point['point_id']}, " in page.text, point


def test_it_says_in_words_what_the_points_say(kept_search, page):
    database, made = kept_search
    [mb] = rows(
        database,
        "SELECT pc.*, e.id AS engine FROM points_current pc JOIN engines e ON e.name = pc.engine "
        "WHERE run_id = 2 AND quantity = 'mb' AND measure LIKE '%@10' AND reference = 'wikidata' "
        "ORDER BY point_id LIMIT 1",
    )
    way = "more" if mb["value"] > 0 else "less"
    points = notation.number(100 * abs(mb["value"]), 1)
    said = f"on average {points} percentage points {way} often recorded as women in Wikidata than"
    assert said in page.text
    assert "than among all people recorded there with the same profession" in page.text
    assert "Of 13 professions with an answer (13 asked), web results were shown for 11" in page.text
    assert "nobody's gender is guessed" in page.text
    sentences = [s for one in made.numbers["findings"] for s in one["findings"]]
    assert len(sentences) == 2 * (2 + 5 + 1)
    assert all(" ".join(sentence.split()) in page.text for sentence in sentences)


def test_professions_are_most_biased_only_beyond_chance(kept_search):
    database, made = kept_search
    found = rows(
        database,
        "SELECT reference, topic FROM topics_current WHERE run_id = 2 AND q <= 0.05 "
        "AND measure LIKE '%@10' AND engine LIKE '%count=50%' ORDER BY reference, topic",
    )
    first = next(one for one in made.numbers["people"] if "count=50" in one["system"])
    listed = {(name, t) for name, some in first["beyond_chance"].items() for t in some}
    assert listed == {(row["reference"], row["topic"]) for row in found}
    assert listed


def test_a_page_has_two_charts_for_each_block(kept_search):
    html = kept_search[1].html
    assert html.count("<svg") == 4
    tags = [tag for tag, _ in Page(html).elements]
    assert not LOADING & {*tags}
    ids = [attrs["id"] for _, attrs in Page(html).elements if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_what_has_no_value_is_named_with_its_reason(page):
    assert "no web results shown (2) baker, driver" in page.text
    assert "most entries are no people (1) farmer" in page.text
    assert "too few people with a recorded gender (1) judge" in page.text


def test_names_never_stand_where_a_count_tells_of_each(kept_search, page):
    """All ten carpenters are recorded as women, all ten librarians as men."""
    _, made = kept_search
    assert "Physicist Number" in page.text
    assert "Judge Number" not in page.text
    turned = page.text.split("B: Wikipedia search")[0]
    assert "Carpenter Number" not in turned
    assert "Librarian Number" not in turned
    assert "Number" not in json.dumps(made.numbers, default=str)
    assert "in another group" in page.text


def test_counts_of_records_are_those_of_the_view(kept_search):
    database, made = kept_search
    known = rows(
        database,
        "SELECT state, COUNT(DISTINCT entity) AS n FROM shown WHERE run_id = 2 "
        "AND engine LIKE '%count=49%' GROUP BY state",
    )
    second = next(one for one in made.numbers["people"] if "count=49" in one["system"])
    states = {state: n for state, n in second["states"].items() if n}
    assert states == {row["state"]: row["n"] for row in known}
    assert second["labels"]["source"] == "Wikidata"
    assert len(second["labels"]["dates"]) == len("2026-01-01")


def test_the_change_is_on_the_professions_of_both_ticks(kept_search, page):
    database, _ = kept_search
    found = rows(
        database,
        "SELECT f.value AS n FROM point_facts f JOIN points_current p ON p.point_id = f.point_id "
        "WHERE p.run_id = 2 AND p.quantity = 'mb_change_panel' AND f.key = 'n_panel' "
        "AND p.measure LIKE '%@10' AND p.reference = 'wikidata' ORDER BY f.value",
    )
    assert [row["n"] for row in found] == [9.0, 10.0]
    assert "on the 9 professions usable at both" in page.text
    assert "no earlier tick" not in page.text


def test_the_first_tick_has_nothing_to_compare_with(kept_search):
    words = Page(render(kept_search[0], 1).html).text
    assert "There is no earlier tick of this job to compare with." in words
    assert "Change since the tick before" not in words


def test_the_same_database_gives_the_same_bytes(kept_search):
    database, made = kept_search
    assert render(database, 2).html == made.html


def test_too_few_professions_say_so_and_show_no_table_of_bias(shown):
    page = shown(measures=[measure(topics_floor=20)])
    assert "No bias can be computed: against people recorded in Wikidata" in page.text
    assert "10 usable occupations of 13 planned, floor 20" in page.text
    assert "no web results shown: 1; most entries are no people: 1" in page.text
    assert "MAB by chance" not in page.text
    assert "svg" not in {tag for tag, _ in page.elements}


def test_an_engine_that_answers_nothing_says_what_is_missing(shown):
    page = shown({"always": REFUSED}, measures=ONE)
    assert "None of the 13 professions asked has an answer that can be read." in page.text
    assert "No bias can be computed: 0 usable occupations of 13 planned, floor 5." in page.text
    assert "0 of 13 questions answered" in page.text
    assert "Annex A" not in page.text
    assert "No value has been computed for this run yet" not in page.text
    captions = [tag for tag, _ in page.elements if tag == "table"]
    assert len(captions) == 3  # what was asked, what is missing, the list


def test_values_withheld_for_where_requests_left_say_why(shown):
    page = shown(
        measures=ONE,
        change=[
            f"""UPDATE points SET state = 'insufficient', value = NULL, low = NULL, high = NULL,
            bound_low = NULL, bound_high = NULL, reason = '{HELD}'""",
            "DELETE FROM topic_values",
        ],
    )
    assert f"No value stands, because of the whole run: {HELD}." in page.text
    assert "all values of the region are withheld" in page.text
    assert page.text.count("INSUFFICIENT") == 1  # where the page explains the word
    assert "trigger rate" not in page.text


def test_blocks_are_counted_by_kind(shown):
    change = [
        "UPDATE readings SET outcome = 'blocked', reason = 'captcha' WHERE id <= 4",
        "UPDATE readings SET outcome = 'blocked', reason = 'consent' WHERE id = 5",
        "UPDATE readings SET outcome = 'empty', reason = 'suspect_empty' WHERE id = 6",
    ]
    page = shown(measures=ONE, change=change)
    assert "captcha 4, consent 1" in page.text
    assert "4 blocked (captcha), 1 blocked (consent), 1 empty (suspect_empty)" in page.text
    assert "the page asks to prove that a person is asking" in page.text


def test_captured_titles_are_text(shown):
    attack = "<script>alert(1)</script>\u202e{{ 7*7 }} Number "
    found = results() | {"list of painters": [Hit(f"{attack}{n}", "") for n in range(10)]}
    page = shown(
        {"results": found},
        measures=ONE,
        change=[
            "UPDATE topic_values SET topic = '<b onclick=x>' WHERE topic = 'nurse'",
            "UPDATE items SET title = '<script>alert(2)</script>{{ 7*7 }}\u202e' WHERE rank = 1",
            "UPDATE engines SET name = name || '<img src=x>'",
        ],
    )
    assert "<script>alert(2)</script>{{ 7*7 }}[U+202E]" in page.text
    assert "<b onclick=x>" in page.text
    tags = {tag for tag, _ in page.elements}
    assert not tags & (LOADING | {"script"})
    assert not [a for _, attrs in page.elements for a in attrs if a.startswith("on")]


def test_a_run_of_both_kinds_speaks_of_both(sqlite_database, tmp_path):
    make_list(tmp_path, "spoken", items=spoken_items(("tr",)), cue="pronoun")
    plain = {name: value for name, value in ONE[0].items() if name != "cutoff"}
    with serve(LibreTranslate()) as translator:
        use = libre("x", ["tr"], ["en"]) | {"config": {"base_url": translator.url}}
        lists = [{"name": "mini@1"}, {"name": "spoken@1"}]
        with search(tmp_path, more=[use], lists=lists, measures=[plain]) as tick:
            tick(sqlite_database)
    page = Page(render(sqlite_database).html)
    assert "“He” and “she” in machine translation, and whom search engines show" in page.text
    assert "Who is shown" in page.text
    assert "Systems side by side" in page.text
    assert "tr to English" in page.text
    assert "United States, English" in page.text
    assert "→ us-en" not in page.text
    assert "→us-en" not in page.text
    counted = page.text.split("Questions by list and system")[1].split("used: masculine")[0]
    assert "LibreTranslate" in counted
    assert "Wikipedia" not in counted


def point(value, low=None, high=None):
    return {"value": value, "low": low, "high": high}


@pytest.mark.parametrize(
    ("mab", "said"),
    [(0.2, "more than chance"), (0.1, "no more than chance"), (0.01, "less than chance")],
)
def test_a_mab_is_read_beside_chance(mab, said):
    assert shown_people.say_chance(point(mab), point(0.1, 0.05, 0.15)).startswith(said)
    assert shown_people.say_chance(point(mab), point(0.1)) == "no range is known"


def test_small_chances_are_not_zero():
    assert notation.chances(0.0000001) == "< 0.001"
    assert notation.chances(0.0312) == "0.031"
    assert notation.chances(None) == "none"


def test_everybody_who_is_shown_has_one_place(kept_search):
    """The stand-in's people are those that the report counts."""
    _, made = kept_search
    everybody = sum(len(signs) for signs in people.SHOWN.values())
    second = next(one for one in made.numbers["people"] if "count=49" in one["system"])
    assert second["people"] == everybody
