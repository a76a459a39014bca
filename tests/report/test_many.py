"""Reports of runs with several services, languages, cues and kinds of engine."""

import re

import pytest

from monitor.stages.document import notation
from monitor.stages.reports import coverage, names
from monitor.stages.reports.names import engine_title
from tests.factories import rows
from tests.report.conftest import render
from tests.report.services import ENGINES, run_many, run_models
from tests.report.test_report import LOADING, Page

SIGNED = {"f_s", "s_or", "mb", "min_beta", "max_beta", "pearson", "spearman", "accuracy_gap",
          "stereotype_gap"}  # fmt: skip
ONE = "LibreTranslate (one.test)"
TWO = "LibreTranslate (alternatives=1, two.test)"
FULL = "LibreTranslate (full.test)"


@pytest.fixture(scope="session")
def page(many_kept):
    return Page(many_kept[1])


def part(page, start, end):
    return page.text[page.text.index(start) : page.text.index(end)]


def compared(page):
    return part(page, "Systems stand in the order of their names", " Stereotypes A: ")


def assert_every_point_is_shown(database, page):
    found = rows(database, "SELECT * FROM points_current WHERE state = 'measured'")
    for point in found:
        digits = 1 if point["quantity"] in ("feminine_rank", "q_rank") else 3
        sign = point["quantity"] in SIGNED
        ends = notation.span(point["low"], point["high"], digits, sign)
        assert f"{notation.number(point['value'], digits, sign)} {ends}" in page.text, point
        assert f" {point['point_id']} " in page.text, point
    return found


def assert_all_is_shown(database, page):
    found = assert_every_point_is_shown(database, page)
    assert {p["measure"].partition("(")[0] for p in found} == {
        "masculine_rate", "c_ratio_bias", "gender_accuracy",
    }  # fmt: skip
    assert {p["source_lang"] for p in found} == {"en", "tr", "fi"}


def test_every_value_of_every_system_is_shown(many, page):
    assert_all_is_shown(many, page)


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_every_value_of_every_system_is_shown_from_postgresql(database, tmp_path):
    run_many(database, tmp_path)
    assert_all_is_shown(database, Page(render(database).html))


def test_uses_of_one_engine_are_told_apart_by_their_configuration(page):
    for title in (ONE, TWO, FULL, "Firefox Translations (Bergamot models)"):
        assert f"{title}, English to Portuguese, stereo" in page.text
    for pair in ("tr to English", "fi to English"):
        assert f"{ONE}, {pair}, c-ratio bias of translations (" in page.text


def test_systems_stand_side_by_side_controls_first(page):
    place = part(page, "stereo, English to Portuguese", "Stereotype rate against masculine rate")
    order = [place.index(name) for name in ("Firefox", TWO, FULL, ONE)]
    assert order == sorted(order)
    assert "Firefox Translations (Bergamot models) control" in place
    for name in (
        "jobs, English to Portuguese",
        "said, English to Portuguese",
        "spoken, tr to English",
        "spoken, fi to English",
    ):
        assert name in compared(page)


def test_f_s_never_stands_without_its_bound_side_by_side(many, page):
    limits = rows(many, "SELECT value FROM point_facts WHERE key = 'f_s_limit'")
    assert len(limits) == 2
    for limit in limits:
        assert f"at most ±{notation.number(limit['value'])}" in compared(page)
    assert "no order of systems by f_s means anything" in compared(page)


def test_what_is_not_marked_is_shown_as_shares(many, page):
    assert "both forms" in compared(page)
    [row] = rows(
        many, "SELECT * FROM coverage WHERE engine LIKE '%two.test%' AND list = 'stereo@1'"
    )
    assert row["both_forms"] > 100
    assert f" {notation.number(100 * row['both_forms'] / row['answered'], 1)} " in compared(page)
    pronouns = part(page, "spoken, fi to English", "spoken, tr to English")
    assert "he she he or she they avoided cannot say" in pronouns
    assert "40.0 20.0 20.0 20.0 0.0 0.0" in pronouns


def test_pronouns_are_never_called_forms_of_the_speaker(page):
    start = page.text.index(
        f"{ONE}, tr to English, c-ratio bias of translations", page.text.index("Bias = ")
    )
    section = page.text[start : page.text.index("Where the gender is said", start)]
    assert "share of “she” among “he” and “she”" in section
    assert "feminine forms" not in section
    assert "one “she”" in page.text


def test_a_service_without_control_is_named_in_words(page):
    assert f"No control: {ONE} (English to Spanish; fi to English; tr to English)." in page.text
    assert "no_control" not in page.text
    assert "no local engine whose model stood still was asked" in page.text


def test_accuracies_stand_with_frames_counts_and_the_right_words(many, page):
    section = part(page, "These sentences say that a woman or", "Every value is a point")
    assert "A wrong gender is an error; an answer without a mark is not" in section
    for name in ("frame even", "frame odd"):
        assert name in section
    [point] = rows(
        many,
        """SELECT * FROM points_current WHERE quantity = 'accuracy_f' AND scope = 'all'
        AND engine = 'firefox_translations'""",
    )
    right = rows(many, f"SELECT value FROM point_facts WHERE point_id = {point['point_id']} "
                       "AND key = 'right'")[0]["value"]  # fmt: skip
    assert f"{right:g} / {point['used']} / {point['planned']} {point['point_id']}" in section
    assert "Accuracy by topic (3 topics, exploratory)" in page.text


def test_what_stopped_is_said_at_the_top_and_by_reason(many, page):
    head = page.text[: page.text.index("Key findings")]
    assert "This run is partial." in head
    assert f"{FULL}: suspended until" in head
    assert f"{FULL}: 5 of 308 questions answered" in head
    table = part(page, "What is missing, and why", "No control:")
    assert "throttled: quota" in table
    assert "the quota is used up" in table
    [row] = rows(many, "SELECT COUNT(*) AS n FROM attempts WHERE exchange_id IS NULL")
    assert f"before {row['n']} 0 English to Portuguese" in table


def test_words_of_a_service_do_nothing(many_kept, page):
    html = many_kept[1]
    assert "&lt;script&gt;alert(1)&lt;/script&gt; [U+202E]back[U+202C]" in html
    assert "<script" not in html
    assert not {"\u202e", "\0"} & set(html)
    assert not {tag for tag, _ in page.elements} & LOADING


def test_the_ids_of_a_page_with_many_charts_are_unique(page):
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert any(name.startswith("accuracy-") for name in ids)


def test_it_says_who_answered_and_how(page):
    origin = page.text[page.text.index("As each engine or library says of itself") :]
    assert "through the exit vienna" in origin
    assert "HTTP version HTTP/2" in origin
    assert "model, as it says argos-1" in origin
    assert "system fingerprint fp" in origin
    assert "alternatives = 1; base_url = http://two.test" in origin
    assert "surface api" in origin


def test_variants_of_one_answer_are_printed_together(page):
    assert "feminine (rule copula_adjective), variants of one answer" in page.text


def test_many_systems_are_folded_and_few_are_not(page, sqlite_database, tmp_path):
    assert any(tag == "summary" for tag, _ in page.elements)
    assert "Stereotype sentences: 5 systems" in page.text
    run_many(sqlite_database, tmp_path, [ENGINES[2]])
    few = Page(render(sqlite_database).html)
    assert "Occupations: 2 systems" not in few.text
    assert "“He” and “she”" not in few.text  # the job asks other lists too
    assert "Masculine and feminine forms and pronouns in machine translation" in few.text


def test_language_models_are_shown_with_1_as_none(sqlite_database, tmp_path):
    run_models(sqlite_database, tmp_path)
    html = render(sqlite_database).html
    page = Page(html)
    found = assert_every_point_is_shown(sqlite_database, page)
    assert {p["quantity"] for p in found} >= {"g_s", "g_s_mean", "q_i", "q_rank"}
    assert "Women and men in language models" in page.text
    assert "1 = no difference" in page.text
    assert len(re.findall(r'id="ratios-\d-\d"', html)) == 0  # ids belong to parts of the charts
    assert html.count("q_i by stereotype, template") == 8
    for words in ("None", "masculine rate", "no_control", "None@"):
        assert words not in page.text
    assert "192 192 0 192" in page.text  # planned, answered, unanswered, scored


def test_what_an_older_version_stored_keeps_its_names():
    assert engine_title("gone:model(a=1)") == "gone:model(a=1)"
    assert engine_title("chat:m(seed=1,system=x)") == (
        "Chat model (OpenAI-compatible): m (seed=1, system=x)"
    )
    assert names.quantity_titles("gone(floor=1)") == {}
    assert names.control_labels({"engines": [{"name": "gone", "control": True}]}) == {"gone"}
    assert names.control_labels({}) == set()


def ending(outcome, reason="", questions=1, tries=1, detail=""):
    return {
        "engine": "deepl", "engine_id": 1, "source_lang": "en", "target": "pt", "outcome": outcome,
        "reason": reason, "questions": questions, "tries": tries, "detail": detail, "text": "",
    }  # fmt: skip


def test_reasons_stand_in_the_order_in_which_to_look_at_them():
    reasons = (
        "quota", "auth", "unsupported", "refused", "rate", "refusal", "chatter", "echo",
        "truncated", "oversize", "stale", "poisoned",
    )  # fmt: skip
    endings = [ending("ok", questions=5), ending("not asked", tries=0)]
    endings += [ending("failed", reason) for reason in reversed(reasons)]
    [found] = coverage.list_missing(endings, str)
    assert [row["reason"] for row in found["reasons"]] == [*reasons, ""]
    assert all(row["meaning"] for row in found["reasons"])
    assert (found["planned"], found["answered"]) == (18, 5)


def test_tries_that_were_repeated_are_said():
    [found] = coverage.list_missing(
        [ending("ok", questions=9, tries=9), ending("throttled", "rate", 1, 4, "x" * 300)], str
    )
    said = coverage.say_coverage(found)
    assert said == (
        "9 of 10 questions answered (90.0\N{NO-BREAK SPACE}%); 1 throttled (rate); tries without "
        "an answer besides: 3 rate"
    )
    assert found["reasons"][0]["words"] == "x" * 240 + " … (60 more characters)"
    assert coverage.list_missing([ending("ok")], str) == []
