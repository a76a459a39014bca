"""Special:Search: three layouts, sister projects left out, addresses made whole."""

import pytest

from monitor.model import Outcome, Reason
from monitor.pages._walls import state_of
from monitor.pages.wikipedia import PAGE
from tests.pages.reading import body_of, shown

ADDRESS = "https://en.wikipedia.org/w/index.php?search=wind"


def read(name, url=""):
    return PAGE.parse(body_of("wikipedia", name), url)


def test_results_without_the_exact_page_and_sister_projects():
    reading = read("heading")
    assert reading.outcome is Outcome.OK
    assert reading.detail == "layout: heading"
    assert shown(reading) == [
        (1, "Windmühle", "https://xy.wikipedia.org/wiki/Windm%C3%BChle"),
        (2, "Sail", "https://xy.wikipedia.org/wiki/Sail"),
    ]
    assert [item.text for item in reading.items] == ["Turns in the wind.", "Cloth."]


@pytest.mark.parametrize("name", ["plain", "ordered"])
def test_older_layouts(name):
    reading = read(name, ADDRESS)
    assert reading.detail == f"layout: {name}"
    assert shown(reading) == [(1, "Sail", "https://en.wikipedia.org/wiki/Sail")]


def test_a_link_without_a_known_wiki_stays_empty():
    assert shown(read("plain")) == [(1, "Sail", "")]


@pytest.mark.parametrize(
    ("name", "outcome", "reason", "state"),
    [
        ("none", Outcome.EMPTY, Reason.NONE, "no_results"),
        ("article", Outcome.UNREADABLE, Reason.MALFORMED, "unreadable"),
    ],
)
def test_pages_without_results(name, outcome, reason, state):
    reading = read(name)
    assert (reading.outcome, reading.reason, reading.items) == (outcome, reason, ())
    assert state_of(reading) == state


def test_results_of_a_sister_project_in_the_same_markup_are_left_out():
    inner = b"<ul class='mw-search-results'><li class='mw-search-result'>"
    link = b"<div class='mw-search-result-heading'><a href='/wiki/Kite'>Kite</a></div></li></ul>"
    body = body_of("wikipedia", "heading")
    body = body.replace(b'<ul class="iw-results">', inner + link + b'<ul class="iw-results">')
    assert [title for _, title, _ in shown(PAGE.parse(body))] == ["Windmühle", "Sail"]


def test_the_wikis_address_makes_it_sure():
    body = body_of("wikipedia", "heading")
    assert PAGE.sniff(body, ADDRESS) > PAGE.sniff(body)
