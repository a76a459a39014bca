"""The report against the views: every number is there, nothing is missing, nothing is fetched."""

import json
import re
from html.parser import HTMLParser
from zoneinfo import ZoneInfo

import pytest

from monitor.stages.document import notation
from tests.factories import Scripted, make_audit, mini_items, portuguese, rows, run_audit
from tests.report.conftest import render, run_small

#: Elements that could run, load or send something, and attributes that could name it.
LOADING = {"script", "link", "iframe", "object", "embed", "img", "image", "use", "form", "base"}
#: Elements within a line, which separate no words.
INLINE = {"sub", "bdi", "mark", "span", "em", "strong", "b", "code", "a"}


class Page(HTMLParser):
    """The elements and the visible words of a page."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.words = [], []
        self.feed(html)
        self.text = re.sub(r"\s+", " ", "".join(self.words))

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in INLINE:
            self.words.append(" ")

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="session")
def page(kept_report):
    return Page(kept_report[1].html)


def test_it_shows_every_current_value_with_its_interval_and_point(small):
    page = Page(render(small).html)
    digits = {"feminine_rank": 1}
    signed = {"f_s", "s_or", "mb", "min_beta", "max_beta", "pearson", "spearman"}
    points = rows(small, "SELECT * FROM points_current WHERE state = 'measured'")
    assert len(points) > 60
    for point in points:
        n, sign = digits.get(point["quantity"], 3), point["quantity"] in signed
        ends = notation.span(point["low"], point["high"], n, sign)
        assert f"{notation.number(point['value'], n, sign)} {ends}" in page.text, point
        assert f" {point['point_id']} " in page.text, point


def test_it_shows_every_count_of_the_coverage(kept, page):
    jobs, stereo = rows(kept, "SELECT * FROM coverage ORDER BY list")
    assert stereo["used"] == 192
    assert jobs["used"] == 16
    for row in (jobs, stereo):
        names = ("planned", "answered", "unanswered", "used", "masculine", "feminine")
        counts = " ".join(str(row[name]) for name in names)
        assert (
            f"{row['list']} Firefox Translations (Bergamot models), English to Portuguese {counts} "
            in page.text
        )
    assert "0 throughout, and left out: unreadable, empty, blocked, scored, both" in page.text


def test_it_shows_every_occupation_with_source_and_year(kept, page):
    for row in rows(kept, "SELECT * FROM topics_current WHERE reference = 'us_labour'"):
        model = (
            f"{notation.number(row['model'])} {notation.span(row['model_low'], row['model_high'])}"
        )
        assert model in page.text
        assert f"{notation.number(row['target'])} ({row['as_of']})" in page.text
        assert f"US labour force, {row['as_of']}" in page.text
        assert notation.number(row["bias"], 3, True) in page.text


def test_f_s_stands_with_its_limit(kept, page):
    [limit] = rows(kept, "SELECT value FROM point_facts WHERE key = 'f_s_limit'")
    assert f"cannot exceed ±{notation.number(limit['value'])}" in page.text
    assert f"at most ±{notation.number(limit['value'])}" in page.text


def test_it_names_versions_digests_and_what_answered(kept, page):
    for sql, column in (
        ("SELECT content_hash FROM lists", "content_hash"),
        ("SELECT hash FROM signatures", "hash"),
        ("SELECT content_hash FROM jobs", "content_hash"),
    ):
        for row in rows(kept, sql):
            assert row[column] in page.text
    assert "Unvalidated lists: jobs@1, stereo@1" in page.text
    assert "arXiv:2311.18711" in page.text
    assert "arXiv:2110.08835" in page.text


def test_ten_examples_per_stereotype_lead_to_their_attempts(kept, page):
    marks = [attrs for tag, attrs in page.elements if tag == "mark"]
    # one word in each of ten answers to 16 stereotypes and in one answer to 4 occupations
    assert len(marks) == 164
    assert {attrs["class"] for attrs in marks} == {"masculine", "feminine"}
    attempts = set(re.findall(r"attempt (\d+) · question (s\S+)", page.text))
    known = rows(kept, "SELECT attempt_id, item_key FROM answers WHERE list = 'stereo@1'")
    assert len(attempts) == 160
    assert attempts <= {(str(row["attempt_id"]), row["item_key"]) for row in known}


def test_it_fetches_nothing_and_runs_nothing(kept_report, page):
    html = kept_report[1].html
    for tag, attrs in page.elements:
        assert tag not in LOADING
        assert not [name for name in attrs if name.startswith("on")]
        assert attrs.get("href", "#").startswith("#")
        assert "src" not in attrs
    assert not re.search(r"@import|url\((?!#)", html)
    assert not re.findall(r"https?://", html.replace("http://www.w3.org/2000/svg", ""))
    policy = [attrs["content"] for tag, attrs in page.elements if "http-equiv" in attrs]
    assert len(policy) == 1
    assert policy[0].startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")


def test_the_ids_of_a_page_are_unique_and_every_reference_leads_to_one(page):
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs in page.elements:
        wanted = attrs.get("aria-labelledby", "").split()
        if "href" in attrs:
            wanted.append(attrs["href"].removeprefix("#"))
        assert set(wanted) <= set(ids)


def test_every_chart_is_described_and_scales(page):
    charts = [attrs for tag, attrs in page.elements if tag == "svg"]
    assert len(charts) == 4
    for attrs in charts:
        assert attrs["role"] == "img"
        assert "viewbox" in attrs
        assert not {"width", "height"} & set(attrs)


def test_the_same_database_gives_the_same_bytes(small):
    assert render(small).html == render(small).html


def test_times_are_those_of_the_run_in_the_chosen_zone(kept):
    html = render(kept, zone=ZoneInfo("Europe/Vienna")).html
    assert 'Due <span class="whole">2025-01-06 06:00:00 CET</span>' in html
    assert "Times are in Europe/Vienna." in html


def test_it_uses_no_word_that_judges(page):
    words = page.text.lower()
    for word in ("fair", "correct share", "true gender", "nan", "none none"):
        assert not re.search(rf"\b{word}\b", words), word


def test_an_insufficient_value_says_why_and_is_no_number(sqlite_database, tmp_path):
    run_small(sqlite_database, tmp_path, stereotypes=mini_items(2), occupations=("nurse",))
    found = Page(render(sqlite_database).html)
    reasons = rows(sqlite_database, "SELECT reason FROM points_current WHERE state <> 'measured'")
    assert len(reasons) > 20
    for row in reasons:
        # a table row that begins with the property does not repeat it in the reason
        assert f"INSUFFICIENT: {re.sub('^half=[a-z]+: ', '', row['reason'])}" in found.text
    assert "No system has both f" in found.text
    assert "f_s: INSUFFICIENT, p_i is insufficient for stereotype 1" in found.text
    assert "This reference says the same of every occupation" in found.text


def test_unanswered_questions_are_named(sqlite_database, tmp_path):
    items = mini_items(12)
    audit = make_audit(tmp_path, items=items)
    run_audit(sqlite_database, audit, Scripted(portuguese(items[:100])))
    found = Page(render(sqlite_database).html)
    assert "This run is partial." in found.text
    assert "No answer to show" in found.text
    [row] = rows(sqlite_database, "SELECT * FROM coverage")
    assert row["unanswered"] > 0
    assert f" {row['planned']} {row['answered']} {row['unanswered']} " in found.text
    assert "no translation was recorded of" in found.text


def test_a_run_before_its_measures_has_a_report(sqlite_database, tmp_path):
    run_small(sqlite_database, tmp_path)
    with sqlite_database.begin() as connection:
        for table in ("topic_values", "point_facts", "points"):
            connection.exec_driver_sql(f"DELETE FROM {table}")
    assert "No value has been computed" in render(sqlite_database).html


def test_saturation_and_difference_are_put_into_words(sqlite_database, tmp_path):
    items = mini_items(12)
    run_small(sqlite_database, tmp_path, portuguese(items, lambda _: False))
    assert "not interpretable (saturated)" in Page(render(sqlite_database).html).text


def test_a_difference_is_named_with_its_direction(sqlite_database, tmp_path):
    run_small(sqlite_database, tmp_path, portuguese(mini_items(12)))
    words = Page(render(sqlite_database).html).text
    expected = "Masculine forms are more frequent in sentences with stereotypes about men"
    assert expected in words


def test_the_numbers_for_programs_are_those_of_the_page(kept_report, kept):
    numbers = json.loads(json.dumps(kept_report[1].numbers, default=str))
    for name, view in (("points", "points_current"), ("topics", "topics_current")):
        [count] = rows(kept, f"SELECT COUNT(*) AS n FROM {view}")
        assert len(numbers[name]) == count["n"]
    [f_m] = [p for p in numbers["points"] if p["quantity"] == "f_m"]
    assert f_m["low"] < f_m["value"] < f_m["high"]
    stereotypes, occupations = numbers["findings"]
    title = "Firefox Translations (Bergamot models), English to Portuguese"
    assert stereotypes["system"] == title
    assert occupations["system"].startswith(f"{title}, c-ratio bias of translations (floor 2,")


def test_a_list_may_ask_men_stereotypes_only_and_repeat(sqlite_database, tmp_path):
    items = [item for item in mini_items(12) if int(item["stereotype"]) > 14]
    audit = make_audit(tmp_path, items=items, repeats=2)
    run_audit(sqlite_database, audit, Scripted(portuguese(items)))
    page = Page(render(sqlite_database).html)
    assert page.text.count("Stereotypes about women") == 0
    assert "Stereotypes about men" in page.text
    # ten questions for each of two stereotypes, each shown once
    assert len([tag for tag, _ in page.elements if tag == "mark"]) == 20
