"""What search engines share: lists out of rows, texts out of markup, guards of services."""

import json
import time

import pytest

from monitor.engines import _search
from monitor.engines._search import ShownItem
from monitor.engines.search import brave, searxng, wikipedia
from monitor.faults import judge_answer
from monitor.model import Block, Fault, Item, Outcome, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.services import judge, said
from tests.patience import HANGS

HTML = [("Content-Type", "text/html; charset=utf-8")]


def hit(number):
    return ShownItem(Block.ORGANIC, f"T{number}", f"https://e.org/{number}", "text")


LOST = ShownItem(Block.ORGANIC, "no link")


def test_ranks_count_from_one_within_each_block_in_the_order_shown():
    panel = ShownItem(Block.KNOWLEDGE, "Panel", "", "about", "Q1")
    reading = _search.make_reading([hit(1), panel, hit(2)], "", "a note")
    assert reading.outcome is Outcome.OK
    assert reading.items == (
        Item(1, "text", "organic", "https://e.org/1", "T1"),
        Item(1, "about", "knowledge", "", "Panel", "Q1"),
        Item(2, "text", "organic", "https://e.org/2", "T2"),
    )
    assert reading.detail == "a note"


def test_nothing_at_all_is_empty():
    assert _search.make_reading([]).outcome is Outcome.EMPTY


@check_each(
    ("lost", "usable", "outcome"),
    [
        (1, 1, Outcome.OK),
        (2, 1, Outcome.UNREADABLE),
        (2, 2, Outcome.OK),
        (1, 0, Outcome.UNREADABLE),
    ],
)
def test_a_list_that_lost_most_of_its_results_is_no_shorter_list(lost, usable, outcome):
    reading = _search.make_reading([LOST] * lost + [hit(n) for n in range(usable)])
    assert reading.outcome is outcome
    assert f"{lost} of {lost + usable} organic" in reading.detail
    assert len(reading.items) == (usable if outcome is Outcome.OK else 0)


def test_a_panel_that_cannot_be_used_leaves_the_results_as_they_are():
    reading = _search.make_reading([hit(1), ShownItem(Block.ANSWER, "")])
    assert (reading.outcome, len(reading.items)) == (Outcome.OK, 1)
    assert "1 of 1 answer" in reading.detail


def test_a_panel_that_cannot_be_used_is_not_nothing():
    assert _search.make_reading([ShownItem(Block.ANSWER, "")]).outcome is Outcome.UNREADABLE


@check_each(
    ("url", "usable"),
    [
        ("https://e.org/", True),
        ("http://[::1]/", True),
        ("http://[::1", False),
        ("ftp://e.org", False),
        ("javascript:alert(1)", False),
        ("https://", False),
        ("", False),
    ],
)
def test_a_result_needs_a_link_into_the_web(url, usable):
    assert ShownItem(Block.ORGANIC, "T", url).usable is usable
    assert ShownItem(Block.CAROUSEL, "T", url).usable


@check_each(
    ("markup", "text"),
    [
        ("<strong>Chess</strong> &amp; <i>more</i>", "Chess & more"),
        ("<b>Lara</b>vel", "Laravel"),
        ("one<br>two<p>three</p>", "one two three"),
        ("Twitter&#x27;s  <em>\n latest</em>", "Twitter's latest"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a<!-- hidden -->b", "ab"),
        ("nul\0and\ud800", "nul\ufffdand\ufffd"),
        (None, ""),
        (7, ""),
        (["x"], ""),
    ],
)
def test_markup_becomes_text(markup, text):
    assert _search.plain_text(markup) == text


@check_each("piece", ["<", "<!--", "<a ", "&", "<br", "</"])
def test_markup_without_an_end_takes_no_time_to_speak_of(piece):
    """What needs the square of its length would take minutes."""
    started = time.process_time()
    _search.plain_text(piece * 200_000)
    _search.service_words(said(200, b"<html><title" + piece.encode() * 200_000))
    assert time.process_time() - started < HANGS


def test_what_is_no_object_counts_as_a_row():
    assert _search.read_rows({"a": {"b": [1, {"x": 2}, None]}}, "a", "b") == [{}, {"x": 2}, {}]
    assert _search.read_rows({"a": {"b": {}}}, "a", "b") is None
    assert _search.read_rows([], "a") is None


@check_each(
    ("status", "page", "fault", "words"),
    [
        (200, "<title>Just a moment...</title>", Fault.BLOCKED, "Just a moment..."),
        (403, "<title>Attention Required! | Cloudflare</title>", Fault.BLOCKED, "HTTP 403"),
        (503, "<html>verify you are human", Fault.BLOCKED, "HTTP 503"),
        (429, "<html><title>Slow &amp; steady</title>", Fault.RATE, "HTTP 429: Slow & steady"),
        (502, "<html><title>502 Bad Gateway</title>", Fault.TRANSIENT, "HTTP 502: 502 Bad"),
        (200, "<html><title>Welcome</title>", Fault.DRIFT, "Welcome"),
    ],
)
def test_a_page_is_told_from_an_answer(status, page, fault, words):
    found = _search.answer_trouble(said(status, page.encode(), HTML))
    assert found.fault is fault
    assert words in found.words


def test_words_about_blocks_in_a_list_of_results_are_no_block():
    content = {"results": [{"title": "captcha, unusual traffic, just a moment..."}]}
    assert _search.answer_trouble(said(200, content)) is None


def test_one_answer_to_two_questions_is_nobodys():
    readings = _search.single_reading(searching.probes(("a", "b")), _search.make_reading([hit(1)]))
    assert [one.reason for one in readings] == [Reason.SHORT] * 2


def test_a_captcha_page_suspends():
    found = judge_answer(searching.PAGE, _search.answer_trouble(searching.PAGE))
    assert (found.outcome, found.reason) == (Outcome.BLOCKED, Reason.NONE)


# --- real answers -------------------------------------------------------------------------------


def real(reference_data, path):
    return json.loads((reference_data / "serps" / path).read_text(encoding="utf-8"))


def test_a_real_answer_of_brave(reference_data):
    content = real(reference_data, "brave/2024_api_brave_search.json")
    reading = searching.read(brave.ENGINE, content)
    assert judge(brave.ENGINE, said(200, content)).outcome is Outcome.OK
    assert [item.url for item in reading.items] == [row["url"] for row in content["web"]["results"]]
    assert len(reading.items) == 17
    assert reading.items[9].text.startswith("Explore Twitter's latest discussions on laravel")
    assert not any("<" in item.text for item in reading.items)
    assert reading.detail == "not read: videos"


def test_a_real_answer_of_searxng(reference_data):
    content = real(reference_data, "searxng/local_two_engines_partial_failure.json")
    reading = searching.read(searxng.ENGINE, content)
    assert [item.rank for item in reading.items] == [1, 2, 3, 4]
    assert reading.items[3].url == "https://ratings.fide.com/top.phtml?list=men"
    assert reading.detail == "failed: limited (too many requests), slow one (timeout)"
    config = {"base_url": "http://127.0.0.1:8080", "engines": "local a,local b,limited"}
    assert judge(searxng.ENGINE, said(200, content), **config).outcome is Outcome.UNREADABLE


@pytest.mark.parametrize(("name", "n"), [("search_chess-set_3", 3), ("search_chess-set_505", 500)])
def test_real_answers_of_wikipedia(reference_data, name, n):
    content = real(reference_data, f"mediawiki/{name}.json")["response"]
    reading = searching.read(wikipedia.ENGINE, content)
    assert reading.outcome is Outcome.OK
    assert len(reading.items) == n
    assert reading.items[1].url == "https://en.wikipedia.org/wiki/Staunton_chess_set"


def test_a_real_answer_of_wikipedia_without_results(reference_data):
    content = real(reference_data, "mediawiki/search_gobbilygook_1_sugg.json")["response"]
    assert searching.read(wikipedia.ENGINE, content).outcome is Outcome.EMPTY


def test_a_real_page_in_front_of_a_public_server(reference_data):
    page = (reference_data / "serps/blocked/searx_verifying_2026-04.html").read_bytes()
    for status in (200, 403, 429):
        found = judge(searxng.ENGINE, said(status, page, HTML), base_url="http://127.0.0.1")
        assert found.outcome is Outcome.BLOCKED
