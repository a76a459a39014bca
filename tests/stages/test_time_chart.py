"""The chart of values over time: what it says, that its words never meet, that it fits a phone."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from itertools import accumulate, combinations
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import sync_playwright

from monitor.model import Direction, Meaning, Quantity, QuantityUnit, State, Symmetry
from monitor.stages.document.time_chart import (
    NARROW,
    ChartLine,
    Marker,
    TimeChart,
    describe_time_chart,
    draw_saved_chart,
    draw_time_chart,
    say_gap,
)
from monitor.store.changes.series import GridTick
from tests.browser import required

START = datetime(2026, 1, 5, 5, tzinfo=UTC)
WEEK = timedelta(weeks=1)
SIZE = (500, 270)
HOSTILE = "<script>alert(1)</script>\"'&]]>\u202e\x1b[31m"
FEW = "stereotype 1: 1 usable answers of 8 planned, floor 4"


def tick(number, value=None, reason="no run at this tick (missed)", half=0.05, state=None):
    low, high = (None, None) if value is None or half is None else (value - half, value + half)
    state = state or (State.MISSED if value is None else State.MEASURED)
    return GridTick(
        "job", START + number * WEEK, "done", number, number, state, "" if value else reason,
        value, low, high, low, high, (), 10, 10, 10, 0, "abc", START,
    )  # fmt: skip


def quantity(unit, neutral=0.0, low=-1.0, high=1.0, label="stereotype gap"):
    meaning = Meaning(label=label, unit=unit, up="rose", down="fell")
    return Quantity("q", "q", Direction.SIGNED, Symmetry.ODD, neutral, low, high, meaning=meaning)


GAP = quantity(QuantityUnit.DIFFERENCE)
SHARE = quantity(QuantityUnit.SHARE, None, 0.0, 1.0, "translations in which a woman speaks")


def chart(ticks, of=GAP, **more):
    lines = [ChartLine("", ticks)] if ticks and isinstance(ticks[0], GridTick) else ticks
    return TimeChart("DeepL, English to Czech", of, lines, ZoneInfo("UTC"), **more)


WEEKS = [tick(n, None if n == 2 else 0.44 if n < 8 else 0.91) for n in range(12)]
MEN = [tick(n, None if n == 2 else 0.03, half=0.02) for n in range(12)]
PAIR = [ChartLine("sentences about women's stereotypes", WEEKS),
        ChartLine("sentences about men's stereotypes", MEN)]  # fmt: skip
CONFIRMED = Marker(START + 8 * WEEK, "2 Mar: confirmed", is_confirmed=True)
BUSY = [Marker(START + n * WEEK, f"{n} Mar: confirmed", n % 3 == 0) for n in range(12)]
CHARTS = {
    "pair": chart(PAIR, SHARE, markers=[CONFIRMED]),
    "gap": chart(WEEKS, markers=[CONFIRMED], chosen=[START, START + WEEK]),
    "control": chart([*PAIR, ChartLine("Firefox translator", MEN, is_control=True)], SHARE),
    "alike": chart([ChartLine("masculine forms in sentences about women's stereotypes", WEEKS),
                    ChartLine("masculine forms in sentences about men's stereotypes", WEEKS)],
                    SHARE),
    "wide bands": chart([ChartLine("a line with very wide intervals",
                                   [tick(n, 0.5, half=0.5) for n in range(9)])], SHARE),
    "busy": chart([tick(n, None if n % 2 else 0.1, FEW) for n in range(24)], markers=BUSY),
    "all gaps": chart([tick(0, 0.4), *(tick(n) for n in range(1, 40))]),
    "single": chart([tick(0, 0.4, half=None)]),
    "new year": chart([tick(n, 0.01) for n in range(60)]),
    "daily": chart([replace(tick(0, 0.2), due_at=START + timedelta(hours=6 * n)) for n in
                    range(200)]),
    "log odds": chart(WEEKS, quantity(QuantityUnit.LOG_ODDS, 0.0, float("-inf"), float("inf"))),
    "hostile": chart([ChartLine(HOSTILE * 9, WEEKS)],
                     markers=[replace(CONFIRMED, words=HOSTILE * 9)]),
}  # fmt: skip


def svgs(markup):
    return ET.fromstring(str(markup)).findall("svg")  # noqa: S314 - drawn by ourselves


def texts(svg):
    return [node.text for node in svg.iter("text")]


def texts_of_axis(svg):
    """The dates below the plot, the oldest first."""
    low = [node for node in svg.iter("text") if re.fullmatch(r"\d+\u00a0\w{3}", node.text)]
    bottom = max(float(node.get("y")) for node in low)
    return [node.text for node in low if float(node.get("y")) == bottom]


def lines_through(svg):
    """The number of values of each unbroken line: so many dots lie upon it."""
    [line] = [path.get("d") for path in svg.iter("path") if path.get("stroke-width") == "1.8"]
    [dots] = [path.get("d") for path in svg.iter("path") if path.get("stroke-width") == "5.2"]
    starts = [float(part.split()[0]) for part in line.split("M")[1:]]
    places = list(accumulate(float(x) for x in re.findall(r"m([0-9.]+)", dots)))
    ends = [*starts[1:], float("inf")]
    return [
        sum(start - 0.05 < place < end - 0.05 for place in places)
        for start, end in zip(starts, ends, strict=True)
    ]


# --- what it says --------------------------------------------------------------------------------


def test_values_are_in_the_unit_and_the_newest_is_large():
    wide, narrow = svgs(draw_time_chart(CHARTS["pair"], "pair"))
    for svg in (wide, narrow):
        said = texts(svg)
        assert {"0", "50", "100"} <= set(said)
        assert {"91\u00a0%", "3\u00a0%"} <= set(said)
        newest = next(node for node in svg.iter("text") if node.text == "91\u00a0%")
        assert newest.get("fill") == "var(--first)"
        assert int(newest.get("font-size")) > 15
    assert texts(wide)[0] == "Translations in which a woman speaks, %"
    assert "+91" in texts(svgs(draw_time_chart(CHARTS["gap"], "gap"))[0])


def test_the_newest_values_have_their_date_above_them():
    for svg in svgs(draw_time_chart(CHARTS["pair"], "pair")):
        newest = next(node for node in svg.iter("text") if node.text == "91\u00a0%")
        dates = [node for node in svg.iter("text") if node.text == texts_of_axis(svg)[-1]]
        above = min(dates, key=lambda node: float(node.get("y")))
        assert len(dates) == 2
        assert float(above.get("y")) < float(newest.get("y"))
        assert float(above.get("x")) > float(newest.get("x"))


def test_lines_are_named_beside_them_in_their_colours():
    wide, _ = svgs(draw_time_chart(CHARTS["control"], "control"))
    colors = {node.text: node.get("fill", wide.get("fill")) for node in wide.iter("text")}
    assert colors["sentences about women's stereotypes"] == "var(--first)"
    assert colors["sentences about men's stereotypes"] == "var(--second)"
    assert colors["Firefox translator"] == "var(--quiet)"


def test_short_names_stand_at_the_ends_of_their_lines():
    sides = [ChartLine("women", WEEKS), ChartLine("men", MEN)]
    for svg in svgs(draw_time_chart(chart(sides), "sides")):
        nodes = {node.text: node for node in svg.iter("text")}
        for name, newest in (("women", "+91"), ("men", "+3")):
            assert nodes[name].get("x") == nodes[newest].get("x")
            assert 0 < float(nodes[name].get("y")) - float(nodes[newest].get("y")) < 20


def test_a_gap_breaks_the_line_and_says_why():
    wide, _ = svgs(draw_time_chart(CHARTS["gap"], "gap"))
    assert lines_through(wide) == [2, 9]
    assert "not asked" in texts(wide)
    assert [p for p in wide.iter("path") if p.get("fill") == "var(--area)"]


@pytest.mark.parametrize(
    ("reason", "state", "words"),
    [
        ("no run at this tick (missed): not begun within 5 minutes", State.MISSED, "not asked"),
        ("run 7 has no final answer of this engine", State.MISSED, "no answer"),
        ("run 7 has no final answer of this engine: blocked", State.MISSED, "refused"),
        (FEW, State.INSUFFICIENT, "too few answers"),
        ("asked with another list (x); monitor series show", State.INSUFFICIENT, "other questions"),
        ("computed with signature abc only", State.INSUFFICIENT, "not computed"),
        ("no earlier tick", State.INSUFFICIENT, "no value"), ("", State.MISSED, "not asked"),
    ],
)  # fmt: skip
def test_a_reason_has_a_short_name(reason, state, words):
    assert say_gap(state, reason) == words


def test_the_neutral_line_is_dotted_and_named():
    wide, _ = svgs(draw_time_chart(CHARTS["gap"], "gap"))
    assert "no difference" in texts(wide)
    half = chart(WEEKS, replace(SHARE, neutral=0.5))
    assert "equally often" in texts(svgs(draw_time_chart(half, "half"))[0])
    named = chart(WEEKS, neutral_words="as often as men")
    assert "as often as men" in texts(svgs(draw_time_chart(named, "named"))[0])
    without = svgs(draw_time_chart(CHARTS["pair"], "pair"))[0]
    assert not [p for p in without.iter("path") if p.get("stroke-dasharray") == "1.5 3"]


def test_an_event_is_a_dashed_line_with_its_words():
    wide, _ = svgs(draw_time_chart(CHARTS["gap"], "gap"))
    [event] = [p for p in wide.iter("path") if p.get("stroke-dasharray") == "4 2.5"]
    x = float(re.match(r"M([\d.]+)", event.get("d"))[1])
    words = next(node for node in wide.iter("text") if node.text == "2 Mar: confirmed")
    assert abs(float(words.get("x")) - x) < 8
    early = replace(CONFIRMED, at=START - WEEK)
    assert "2 Mar: confirmed" not in texts(svgs(draw_time_chart(
        chart(WEEKS, markers=[early]), "early"))[0])  # fmt: skip


def test_every_confirmed_event_has_its_words_and_those_beside_are_drawn():
    confirmed = {marker.words for marker in BUSY if marker.is_confirmed}
    for svg in svgs(draw_time_chart(CHARTS["busy"], "busy")):
        assert confirmed <= set(texts(svg))
        dashes = [path.get("stroke-dasharray") for path in svg.iter("path")]
        assert (dashes.count("4 2.5"), dashes.count("2 3")) == (4, 8)


def test_a_newest_week_without_a_value_shows_no_old_one():
    wide, _ = svgs(draw_time_chart(chart([*WEEKS, tick(12)]), "gap"))
    assert "+91" not in texts(wide)
    assert {"no", "value"} <= set(texts(wide))


def test_dates_have_the_year_where_it_changes():
    wide, _ = svgs(draw_time_chart(CHARTS["new year"], "new"))
    years = [text for text in texts(wide) if re.fullmatch(r"20\d\d", text)]
    assert years == ["2026", "2027"]
    assert "5\u00a0Jan" in texts(wide)


def test_it_is_described_in_words():
    said = describe_time_chart(CHARTS["gap"]).replace("\u00a0", " ")
    assert said.startswith("Stereotype gap, points. 11 of 12 runs with a value.")
    assert "First: +44 points (95 % interval +39 to +49 points) on 5 January 2026." in said
    assert "Newest: +91 points" in said
    assert "Not asked: 19 January 2026." in said
    assert "2 Mar: confirmed (2 March 2026)." in said
    assert "Dotted line: no difference (0 points)." in said
    assert "tick" not in said
    wide, narrow = svgs(draw_time_chart(CHARTS["gap"], "gap"))
    assert wide.find("desc").text.startswith("Stereotype gap, points.")
    assert narrow.find("desc") is None  # it refers to the other one's
    assert narrow.get("aria-labelledby") == "gap-phone-t gap-d"
    assert wide.get("role") == "img"
    ids = [node.get("id") for svg in (wide, narrow) for node in svg.iter() if node.get("id")]
    assert len(ids) == len(set(ids)) == 3


def test_without_a_value_there_is_no_chart():
    for ticks in ([], [tick(0)]):
        empty = TimeChart("t", GAP, [ChartLine("", ticks)], ZoneInfo("UTC"))
        assert draw_time_chart(empty, "x") == ""
        assert draw_saved_chart(empty, []) == ""
        assert describe_time_chart(empty)


@pytest.mark.parametrize("name", CHARTS)
def test_nothing_is_styled_in_an_attribute_or_run(name):
    for svg in svgs(draw_time_chart(CHARTS[name], "x")):
        assert {node.tag for node in svg.iter()} <= {"svg", "title", "desc", "path", "text"}
        assert not [a for node in svg.iter() for a in node.attrib if a == "style" or a[:2] == "on"]
        assert "nan" not in ET.tostring(svg, "unicode").lower()


def test_a_saved_chart_has_its_colours_title_and_notes():
    svg = draw_saved_chart(CHARTS["hostile"], [HOSTILE, "licence: CC-BY-4.0"])
    root = ET.fromstring(svg)  # noqa: S314 - drawn by ourselves
    assert "var(" not in svg
    assert {node.tag.rpartition("}")[2] for node in root.iter()} <= {
        "svg", "g", "rect", "path", "text"
    }  # fmt: skip
    assert "[U+202E]" in svg
    assert {"DeepL, English to Czech", "licence: CC-BY-4.0"} <= {node.text for node in root.iter()}


# --- where it stands, in a browser ---------------------------------------------------------------


@pytest.fixture(scope="module")
def page():
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(required()), args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


def shown(page, markup, width):
    page.set_viewport_size({"width": width, "height": 700})
    style = files("monitor").joinpath("templates/style.css").read_text("utf-8")
    page.set_content(f"<style>{style}</style><main>{markup}</main>")
    return page.evaluate(
        """() => [...document.querySelectorAll('svg')].filter(
            one => getComputedStyle(one).display !== 'none').map(svg => ({
            name: svg.getAttribute('class'), box: svg.getBoundingClientRect().toJSON(),
            view: [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height],
            type: Math.min(...[...svg.querySelectorAll('text')].map(
                one => one.getBoundingClientRect().height)),
            texts: [...svg.querySelectorAll('text')].map(one => {
                const b = one.getBBox();
                return [one.textContent, b.x, b.y, b.x + b.width, b.y + b.height]; })}))"""
    )


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize(("size", "width"), [(SIZE, 700), ((760, 300), 1000), (SIZE, 390)])
def test_words_never_meet_and_never_leave_the_chart(page, name, size, width):
    [svg] = shown(page, draw_time_chart(CHARTS[name], "x", size), width)
    assert svg["view"] == list(NARROW if width < 400 else size)
    for words, left, top, right, bottom in svg["texts"]:
        inside = left >= 0 and top >= -2 and right <= svg["view"][0] and bottom <= svg["view"][1]
        assert inside, words
    for (one, *a), (other, *b) in combinations(svg["texts"], 2):
        overlap = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        # boxes of letters are taller than the letters
        assert overlap[0] <= 0 or overlap[1] <= 3, (one, other)


@pytest.mark.parametrize("size", [SIZE, (760, 300)])
@pytest.mark.parametrize("width", [320, 360, 390, 520, 700, 1280])
def test_one_of_two_is_shown_and_legible(page, size, width):
    [svg] = shown(page, draw_time_chart(CHARTS["pair"], "x", size), width)
    assert svg["box"]["left"] >= 0
    assert svg["box"]["right"] <= width
    assert svg["type"] >= 10
    assert page.evaluate("document.documentElement.scrollWidth") <= width
