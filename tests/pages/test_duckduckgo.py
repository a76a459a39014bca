"""DuckDuckGo: each layout, advertisements that look like results, shells and empty pages."""

import pytest

from monitor.model import Block, Outcome, Reason
from monitor.pages._walls import state_of
from monitor.pages.duckduckgo import PAGE, link_target
from tests.cases import check_each
from tests.pages.reading import body_of, shown

MAPS = (1, "Old maps", "https://maps.example/")
ATLAS = (2, "Atlas", "https://atlas.example/")


def read(name):
    return PAGE.parse(body_of("duckduckgo", name))


@check_each(
    ("name", "layout", "results"),
    [
        ("react", "react", [MAPS, (2, "Atlas", "https://atlas.example/?a=1")]),
        ("html", "html", [(1, "Old maps", "https://maps.example/old?a=1&b=2"), ATLAS]),
        ("scripted", "scripted", [MAPS]),
        ("large", "html", [(1, "Old maps", "http://maps.example/")]),
        ("lite", "lite", [MAPS, ATLAS]),
    ],
)
def test_results_of_each_layout(name, layout, results):
    reading = read(name)
    assert reading.outcome is Outcome.OK
    assert reading.detail == f"layout: {layout}"
    assert shown(reading) == results


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("react", ["Drawn by hand.", ""]),
        ("html", ["Drawn by hand.", ""]),
        ("lite", ["Drawn by hand.", ""]),
    ],
)
def test_snippets_stay_with_their_results(name, texts):
    items = read(name).items
    assert [item.text for item in items if item.block == Block.ORGANIC] == texts


@check_each(
    ("name", "titles"),
    [
        ("react", ["Map shop"]),
        ("html", ["Map shop", "Hidden ad"]),
        ("scripted", ["Map shop"]),
        ("lite", ["Map shop"]),
    ],
)
def test_advertisements_have_ranks_of_their_own(name, titles):
    adverts = shown(read(name), Block.AD)
    assert [title for _, title, _ in adverts] == titles
    assert [rank for rank, _, _ in adverts] == list(range(1, len(titles) + 1))


def test_boxes_beside_the_results():
    panel = [(1, "Map", "https://en.wikipedia.org/wiki/Map")]
    assert shown(read("react"), Block.KNOWLEDGE) == panel
    assert shown(read("scripted"), Block.ANSWER) == panel
    assert [i.text for i in read("react").items if i.block == Block.AI_OVERVIEW] == [
        "Maps are drawings."
    ]


@check_each(
    ("name", "outcome", "reason", "state"),
    [
        ("none", Outcome.EMPTY, Reason.NONE, "no_results"),
        ("lite_none", Outcome.EMPTY, Reason.NONE, "no_results"),
        ("shell", Outcome.UNREADABLE, Reason.JS_SHELL, "js_shell"),
        ("anomaly", Outcome.BLOCKED, Reason.CAPTCHA, "blocked:ddg_anomaly"),
        ("unread", Outcome.UNREADABLE, Reason.MALFORMED, "unreadable"),
    ],
)
def test_pages_without_results(name, outcome, reason, state):
    reading = read(name)
    assert (reading.outcome, reading.reason, reading.items) == (outcome, reason, ())
    assert state_of(reading) == state


def test_a_drawn_page_that_cannot_be_read_is_no_shell():
    assert "0 of 3" in read("unread").detail


@check_each(
    ("href", "leads_to"),
    [
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F&rut=1", "https://a.example/"),
        ("/l/?kh=-1&uddg=http%3A%2F%2Fa.example", "http://a.example"),
        ("/l/?uddg=javascript%3A1", "https://duckduckgo.com/l/?uddg=javascript%3A1"),
        ("https://b.example/l/?uddg=x", "https://b.example/l/?uddg=x"),
        ("mailto:x", ""),
        (None, ""),
    ],
)
def test_redirects_are_undone_or_kept(href, leads_to):
    assert link_target(href) == leads_to


def test_the_engines_address_makes_it_sure():
    body = body_of("duckduckgo", "html")
    assert PAGE.sniff(body, "https://html.duckduckgo.com/html/") > PAGE.sniff(body)
    assert PAGE.sniff(body, "https://www.bing.com/search") < PAGE.sniff(body)


def test_results_without_a_link_or_words_are_counted_and_left_out():
    linked = "<div class='result web-result'><h2><a class='result__a' href='https://a.example/'>A"
    bare = "<div class='result web-result'><h2><a class='result__a'>B</a></h2></div>"
    page = f"<div id='links'>{linked}</a></h2></div>{bare}</div>"
    assert shown(PAGE.parse(page.encode())) == [(1, "A", "https://a.example/")]
    assert "1 of 3" in PAGE.parse(page.replace(bare, 2 * bare).encode()).detail
