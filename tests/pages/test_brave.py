"""Brave Search: both kinds of markup, what is no result, and pages without any."""

import pytest

from monitor.model import Block, Outcome, Reason
from monitor.pages._walls import state_of
from monitor.pages.brave import PAGE
from tests.pages.reading import body_of, shown


def read(name):
    return PAGE.parse(body_of("brave", name))


def test_results_of_2023_on():
    reading = read("title")
    assert reading.outcome is Outcome.OK
    assert reading.detail == "layout: search-snippet"
    assert shown(reading) == [
        (1, "Stone bridges", "https://bridges.example/"),
        (2, "Arches", "https://arches.example/x"),
    ]
    assert shown(reading, Block.AD) == [(1, "Bricks", "https://ads.example/")]
    assert [i.text for i in reading.items if i.block == Block.AI_OVERVIEW] == [
        "Bridges stand on arches."
    ]


def test_words_of_a_wall_in_a_snippet_are_only_words():
    first = next(item for item in read("title").items if item.block == Block.ORGANIC)
    assert first.text == "Old arches, unusual traffic."


def test_results_of_2021():
    reading = read("snippet_title")
    assert reading.detail == "layout: snippet-title"
    assert shown(reading) == [(1, "Stone bridges", "https://bridges.example/")]
    assert shown(reading, Block.KNOWLEDGE) == [
        (1, "Bridge", "https://en.wikipedia.org/wiki/Bridge")
    ]


@pytest.mark.parametrize(
    ("name", "outcome", "reason", "state"),
    [
        ("none", Outcome.EMPTY, Reason.NONE, "no_results"),
        ("captcha", Outcome.BLOCKED, Reason.CAPTCHA, "blocked:captcha"),
        ("unknown", Outcome.UNREADABLE, Reason.MALFORMED, "unreadable"),
    ],
)
def test_pages_without_results(name, outcome, reason, state):
    reading = read(name)
    assert (reading.outcome, reading.reason, reading.items) == (outcome, reason, ())
    assert state_of(reading) == state


def test_a_result_that_leads_nowhere_else_is_counted_and_left_out():
    body = body_of("brave", "title").replace(b"https://arches.example/x", b"/images?q=x")
    assert shown(PAGE.parse(body)) == [(1, "Stone bridges", "https://bridges.example/")]


def test_the_engines_address_makes_it_sure():
    body = body_of("brave", "title")
    assert PAGE.sniff(body, "https://search.brave.com/search?q=x") > PAGE.sniff(body)
