"""Mojeek: two layouts, the words that nothing was found, and a refusal."""

import pytest

from monitor.model import Block, Outcome, Reason
from monitor.pages._walls import state_of
from monitor.pages.mojeek import PAGE
from tests.pages.reading import body_of, shown


def read(name):
    return PAGE.parse(body_of("mojeek", name))


def test_results_of_now():
    reading = read("standard")
    assert reading.outcome is Outcome.OK
    assert reading.detail == "layout: results-standard"
    assert shown(reading) == [
        (1, "Clay pots", "https://pots.example/"),
        (2, "Kilns", "https://kilns.example/"),
    ]
    assert [i.text for i in reading.items if i.block == Block.ORGANIC] == ["Fired clay.", "Hot."]
    assert shown(reading, Block.KNOWLEDGE) == [
        (1, "Pottery", "https://en.wikipedia.org/wiki/Pottery")
    ]


def test_results_of_before():
    reading = read("old")
    assert reading.detail == "layout: results"
    assert shown(reading) == [(1, "Clay pots", "http://pots.example/")]


@pytest.mark.parametrize(
    ("name", "outcome", "reason", "state"),
    [
        ("none", Outcome.EMPTY, Reason.NONE, "no_results"),
        ("forbidden", Outcome.BLOCKED, Reason.NONE, "blocked:denied"),
        ("unknown", Outcome.UNREADABLE, Reason.MALFORMED, "unreadable"),
    ],
)
def test_pages_without_results(name, outcome, reason, state):
    reading = read(name)
    assert (reading.outcome, reading.reason, reading.items) == (outcome, reason, ())
    assert state_of(reading) == state


def test_a_result_without_a_title_is_counted_and_left_out():
    body = body_of("mojeek", "standard").replace(b'<h2><a class="title">Kilns</a></h2>', b"")
    assert shown(PAGE.parse(body)) == [(1, "Clay pots", "https://pots.example/")]


def test_words_that_nothing_was_found_in_an_element_of_their_own():
    page = b"<div class='results'><p class='no-results'>Nichts.</p></div>"
    assert PAGE.parse(page).outcome is Outcome.EMPTY


def test_the_engines_address_makes_it_sure():
    body = body_of("mojeek", "standard")
    assert PAGE.sniff(body, "https://www.mojeek.com/search?q=x") > PAGE.sniff(body)
