"""Bing: one small page for each layout, redirects undone, and what a page without results is."""

import base64

import pytest

from monitor.model import Block, Outcome, Reason
from monitor.pages._walls import state_of
from monitor.pages.bing import PAGE, link_target
from tests.cases import check_each
from tests.pages.reading import body_of, shown


def read(name):
    return PAGE.parse(body_of("bing", name))


def test_results_of_the_main_column():
    reading = read("b_algo")
    assert reading.outcome is Outcome.OK
    assert reading.detail == "layout: b_algo"
    assert shown(reading) == [
        (1, "River boats", "https://rivers.example/boats?a=1&b=ü"),
        (2, "Old boats", "http://old.example/"),
        (3, "Canals", "https://canals.example/"),
    ]
    assert [item.text for item in reading.items if item.block == Block.ORGANIC] == [
        "All about boats.",
        "Boats of old.",
        "Narrow.",
    ]


def test_boxes_beside_the_results():
    reading = read("b_algo")
    assert shown(reading, Block.AD) == [(1, "Boats for rent", "https://boats.example/offer")]
    assert shown(reading, Block.ANSWER) == [(1, "What floats", "https://answers.example/")]
    assert shown(reading, Block.KNOWLEDGE) == [(1, "Boat", "https://en.wikipedia.org/wiki/Boat")]


def test_an_answer_that_a_model_wrote_is_not_the_engines_own():
    reading = read("model_answer")
    assert shown(reading, Block.AI_OVERVIEW) == [(1, "Why wood floats", "")]
    assert not shown(reading, Block.ANSWER)
    assert shown(reading) == [(1, "Wood", "https://wood.example/")]


@pytest.mark.parametrize(
    ("name", "results", "adverts"),
    [
        (
            "sb_tlst",
            [
                (1, "Lighthouses of the coast", "http://lights.example/"),
                (2, "Keepers", "http://keepers.example/"),
            ],
            [(1, "Lamps", "https://ads.example/")],
        ),
        (
            "live",
            [(1, "Tides", "http://tides.example/"), (2, "Moon", "http://moon.example/")],
            [(1, "Tide clocks", "http://ads.example/")],
        ),
    ],
)
def test_older_layouts(name, results, adverts):
    reading = read(name)
    assert reading.detail == f"layout: {name}"
    assert shown(reading) == results
    assert shown(reading, Block.AD) == adverts


@check_each(
    ("name", "outcome", "reason", "state"),
    [
        ("none", Outcome.EMPTY, Reason.NONE, "no_results"),
        ("suspect", Outcome.EMPTY, Reason.SUSPECT_EMPTY, "no_results"),
        ("captcha", Outcome.BLOCKED, Reason.CAPTCHA, "blocked:captcha"),
        ("unread", Outcome.UNREADABLE, Reason.MALFORMED, "unreadable"),
        ("unknown", Outcome.UNREADABLE, Reason.MALFORMED, "unreadable"),
    ],
)
def test_pages_without_results(name, outcome, reason, state):
    reading = read(name)
    assert (reading.outcome, reading.reason, reading.items) == (outcome, reason, ())
    assert state_of(reading) == state


def test_too_few_results_read_gives_both_numbers():
    assert "1 of 3" in read("unread").detail


def _coded(address, mark="a1"):
    return mark + base64.urlsafe_b64encode(address.encode()).decode().rstrip("=")


@check_each(
    ("href", "leads_to"),
    [
        ("https://plain.example/a", "https://plain.example/a"),
        (f"/ck/a?!&&p=1&u={_coded('https://a.example/?q=1')}", "https://a.example/?q=1"),
        (f"https://cn.bing.com/ck/a?u={_coded('/images?q=1')}", "https://www.bing.com/images?q=1"),
        (f"/aclick?u={_coded('https%3a%2f%2fb.example%2f', '')}", "https://b.example/"),
        ("/alink/link?url=https%3a%2f%2fc.example", "https://c.example"),
        ("/ck/a?u=a1!!!", "https://www.bing.com/ck/a?u=a1!!!"),
        ("/ck/a?u=a1_w", "https://www.bing.com/ck/a?u=a1_w"),
        (f"/ck/a?u={_coded('javascript:alert(1)')}", None),
        (f"https://other.example/ck/a?u={_coded('https://a.example/')}", None),
        ("javascript:void(0)", ""),
        ("http://[broken", ""),
        (None, ""),
    ],
)
def test_redirects_are_undone_or_kept(href, leads_to):
    found = link_target(href)
    if leads_to is None:
        assert found.endswith(href)
    else:
        assert found == leads_to


def test_own_address_makes_it_sure():
    body = body_of("bing", "b_algo")
    assert PAGE.sniff(body, "https://www.bing.com/search?q=x") > PAGE.sniff(body)
    assert PAGE.sniff(body, "https://other.example/") < PAGE.sniff(body)


def test_results_without_a_title_or_a_link_are_left_out():
    good = "<li class='b_algo'><h2><a href='https://a.example/'>A</a></h2></li>"
    bare = "<li class='b_algo'><h2>No link</h2></li>"
    page = f"<ol id='b_results'>{good}{bare}</ol>"
    assert shown(PAGE.parse(page.encode())) == [(1, "A", "https://a.example/")]
    older = "<ul id='wg0'><li class='sa_wr'><h3><a href='http://b.example/'>B</a></h3></li>"
    page = f"{older}<li class='sa_wr'><h3><a href='mailto:x'>C</a></h3></li><li>D</li></ul>"
    assert "1 of 3" in PAGE.parse(page.encode()).detail
