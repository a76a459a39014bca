"""Captured text is hostile: it must be shown, and must do nothing."""

import json

import pytest
import sqlalchemy as sa

from monitor.stages.document import charts
from monitor.stages.document.share_chart import Dot, draw_shares
from tests.factories import mini_items, portuguese
from tests.report.conftest import render, run_small
from tests.report.test_report import LOADING, Page

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'{{ 7*7 }}"
BIDI = "Estou \u202ecansada\u202c\u200b."


@pytest.fixture
def hostile(sqlite_database, tmp_path):
    """A run whose questions, answers, names and stored reasons all attack the page."""
    items = mini_items(12)
    for item in items:
        item["text"] += ATTACK
        item["half"] = f"<b>{item['half']}</b>"
    given = portuguese(items)
    given = {text: f"{said} {ATTACK} {BIDI}" for text, said in given.items()}
    run_small(sqlite_database, tmp_path, given, stereotypes=items)
    changes = (
        "UPDATE engines SET name = :attack",
        "UPDATE lists SET title = :attack, licence = :attack",
        "UPDATE scopes SET title = 'women are ' || :attack WHERE about = 'women'",
        "UPDATE topic_values SET topic = :attack, source = :attack WHERE topic = 'nurse'",
        "UPDATE topic_values SET as_of = :attack WHERE topic = 'driver'",
        """UPDATE points SET state = 'insufficient', value = NULL, reason = :attack
        WHERE id IN (2, 3, 60)""",
        "UPDATE agents SET identity = json_object(:attack, :attack)",
    )
    with sqlite_database.begin() as connection:
        for sql in changes:
            connection.execute(sa.text(sql), {"attack": ATTACK})
    return sqlite_database


def test_nothing_captured_becomes_an_element(hostile):
    html = render(hostile).html
    page = Page(html)
    tags = {tag for tag, _ in page.elements}
    assert not tags & LOADING
    assert "b" in tags  # the page's own, in INSUFFICIENT
    assert not [a for _, attrs in page.elements for a in attrs if a.startswith("on")]
    assert "<script" not in html
    assert "{{ 7*7 }}" in page.text
    assert page.text.count("alert(1)") > 100
    assert "&lt;script&gt;" in html


def test_directions_and_invisible_characters_are_shown(hostile):
    html = render(hostile).html
    assert not {"\u202e", "\u202c", "\u200b"} & set(html)
    assert "[U+202E]" in html
    assert "[U+200B]" in html


def test_a_chart_shows_hostile_names_as_text():
    name = "</text><script>alert(1)</script>\u202e"
    rows = [{"topic": name, "target": 0.5, "model": 0.1, "low": 0.0, "high": 0.4}]
    for svg in (
        charts.furthest(rows, "one", name, name),
        "".join(draw_shares([Dot(0.5, 0.1, False, name)], name, (340, 340))),
    ):
        tags = {tag for tag, _ in Page(svg).elements}
        assert not tags & LOADING
        assert "alert(1)" in svg
        assert "<script" not in svg
        assert "\u202e" not in svg


def test_names_that_look_alike_keep_their_places_in_a_chart():
    rows = [
        {"topic": "x" * 60 + end, "target": 0.5, "model": 0.1, "low": 0.0, "high": 0.4}
        for end in "abc"
    ]
    svg = charts.furthest(rows, "one", "", "share")
    for label in ("…<", "… (2)<", "… (3)<"):
        assert label in svg


def test_a_row_without_a_value_keeps_its_place_in_a_chart():
    rows = [
        {"about": "men", "label": label, "value": value, "low": value, "high": value, "mean": None}
        for label, value in (("first", 0.5), ("second", None), ("third", 0.5))
    ]
    svg = charts.rates(rows, "one", "")
    assert svg.index("first") < svg.index("second") < svg.index("third")
    assert svg.count("INSUFFICIENT") == 1


@pytest.mark.parametrize(
    "witnesses",
    [
        [{"start": -5, "end": 3, "gender": "feminine"}],
        [{"start": 3, "end": 2, "gender": "feminine"}],
        [{"start": 0, "end": 10**9, "gender": "feminine"}],
        [{"start": 0, "end": 5, "gender": "a"}, {"start": 2, "end": 7, "gender": "b"}],
    ],
)
def test_witnesses_that_do_not_fit_the_text_lose_no_word(small_sqlite, witnesses):
    with small_sqlite.begin() as connection:
        connection.execute(
            sa.text("UPDATE agreements SET witnesses = :w"), {"w": json.dumps(witnesses)}
        )
    assert "Estou cansad" in Page(render(small_sqlite).html).text.replace(" a ", " ")


def test_a_long_answer_is_cut_and_says_so(small_sqlite):
    with small_sqlite.begin() as connection:
        connection.execute(sa.text("UPDATE items SET text = :t"), {"t": "muito " * 100_000})
    html = render(small_sqlite).html
    assert "… (599,400 more characters)" in html
    assert len(html) < 1_000_000
