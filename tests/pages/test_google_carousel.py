"""Carousels and knowledge panels of Google: one small page for each layout, and hostile pages."""

import base64
import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.model import Block
from monitor.pages import _google_entities, _google_tiles
from monitor.pages._google_entities import read_carousel, read_panel
from monitor.pages._google_tiles import mend_text, page_query
from monitor.pages._html import read_document
from tests.cases import check_each
from tests.pages.reading import is_refinement, tiles_visible

PAGES = Path(__file__).parent / "google_carousel"
CAST = [
    ("Odila Brenn", "Captain Rook", "/m/0t0"),
    ("Tavi Morrow", "Sister", "/m/0t1"),
    ("René D'Arlo", "Himself", "/m/0t2"),
    ("Odila Brenn", "Mirror", "/m/0t3"),
]
FIVE = [*CAST, ("Ilse Quand", "", "/m/0t4")]
NAMES_ALONE = [(name, "", entity) for name, _, entity in FIVE]
READ = {
    "bar_2014_tips": [
        ("Grey Harbour", "1901", "/m/0p0"),
        ("Two Chairs (after Vell)", "1903", "/m/0p1"),
        ("Salt", "1910", "/m/0p2"),
    ],
    "bar_2019_klitem": [
        ("Grey Harbour", "1901", "/m/0p0"),
        ("Two Chairs (after Vell)", "", "/m/0p1"),
        ("Salt Road", "1910", "/m/0p2"),
    ],
    "bar_2020_listitems": [
        ("Grey Harbour", "1901", "/m/0p0"),
        ("Red Boats, 1875 (oil on canvas)", "1903", "/m/0p1"),
    ],
    "bar_2020_headings": [
        ("Odila Brenn", "Literature", "/g/11w1"),
        ("Tavi Morrow", "Physics", "/g/11w2"),
        ("Ilse Quand", "Physics", "/g/11w3"),
    ],
    "bar_2020_labels": CAST,
    "bar_2020_parts": CAST,
    "bar_2021_raw": FIVE,
    "bar_most": CAST[:3],
    "bar_renamed": FIVE,
    "bar_pictures": NAMES_ALONE,
    "bar_pairs": NAMES_ALONE,
    "bar_refinements": [("Pet", "", ""), ("genus", "", "")],
    "bar_broken_letters": [
        ("René D’Arlo", "Acté", "/m/0t0"),
        ("Ğülşen Ãvar", "", "/m/0t1"),
        ('"Tavi" Morrow', "", "/m/0t2"),
    ],
    "list_2022": FIVE,
    "list_links": NAMES_ALONE[:3],
    "panel_strip": CAST,
    "panel_tab": CAST,
    "panel_grid": CAST,
    "panel_wall": [
        ("Guerra", "1937", "/m/0w0"),
        ("Le Rêve", "1932", "/m/0w1"),
        ("Still life (The dessert)", "1901", "/m/0w2"),
    ],
}
UNREADABLE = {"bar_unreadable": 5, "bar_half": 5, "bar_empty": 0}
WITHOUT = [
    "bar_chips",
    "knowledge_bare",
    "knowledge_marked",
    "panel_of_one_film",
    "strips_elsewhere",
]
BARS = [name for name in READ if name.startswith("bar_")]


def source(name):
    return (PAGES / f"{name}.html").read_text("utf-8")


def page(text):
    return read_document(text.encode("utf-8", "surrogatepass"))


def shown(found):
    return [(item.title, item.text, item.entity) for item in found]


def test_every_page_is_used():
    assert {path.stem for path in PAGES.glob("*.html")} == {*READ, *UNREADABLE, *WITHOUT}


@check_each("name", READ)
def test_all_tiles_in_order(name):
    found = read_carousel(page(source(name)))
    assert shown(found) == READ[name]
    assert [item.rank for item in found] == list(range(1, len(found) + 1))
    assert {item.block for item in found} == {Block.CAROUSEL}
    assert all(item.url.startswith("https://www.google.com/search?q=") for item in found)


# No other mark is known of the bar of 2014.
@check_each("name", [name for name in READ if name != "bar_2014_tips"])
def test_generated_classes_can_change(name):
    renamed = re.sub(
        r'class="([^"]*)"',
        lambda found: 'class="{}"'.format(" ".join(f"x{word[::-1]}" for word in found[1].split())),
        source(name),
    )
    assert shown(read_carousel(page(renamed))) == READ[name]


@check_each("name", READ)
def test_links_alone_say_which_entity(name):
    without = source(name).replace("data-entityid", "data-other")
    if name == "list_2022":
        without = without.replace('data-attrid="Munin"', "")
    assert [item.entity for item in read_carousel(page(without))] == [e for _, _, e in READ[name]]


@check_each("name", READ)
def test_as_many_tiles_are_counted_as_are_there(name):
    assert tiles_visible(page(source(name))) == (5 if name == "bar_most" else len(READ[name]))


@pytest.mark.parametrize(("name", "tiles"), UNREADABLE.items())
def test_a_carousel_without_half_of_its_names_is_none_that_was_read(name, tiles):
    assert read_carousel(page(source(name))) == ()
    assert tiles_visible(page(source(name))) == tiles


@check_each("name", WITHOUT)
def test_other_strips_are_no_carousel(name):
    assert read_carousel(page(source(name))) is None
    assert tiles_visible(page(source(name))) == 0
    assert not is_refinement(page(source(name)))


def test_no_page_no_carousel():
    assert read_carousel(page("")) is None
    assert read_panel(page("")) == ()


def test_only_refinements_refine():
    assert [name for name in READ if is_refinement(page(source(name)))] == ["bar_refinements"]


@pytest.mark.parametrize("name", ["bar_2021_raw", "bar_2020_labels"])
def test_a_bar_is_found_without_what_stands_around_it(name):
    moved = source(name).replace('id="appbar"', "").replace('id="extabar"', "")
    assert shown(read_carousel(page(moved))) == READ[name]


@pytest.mark.parametrize("attribute", ["data-entityname", "aria-label"])
def test_one_source_of_the_names_may_go(attribute):
    without = source("bar_2021_raw").replace(attribute, "data-gone")
    assert shown(read_carousel(page(without))) == FIVE


def test_a_label_that_says_something_else_is_no_name():
    odd = re.sub('aria-label="[^"]*"', 'aria-label="Open"', source("bar_2020_labels"))
    assert shown(read_carousel(page(odd))) == CAST


def test_a_label_with_the_second_line_is_more_than_the_name():
    long = source("panel_grid").replace(
        '<a href="/search?q=Tavi', '<a aria-label="Tavi Morrow, Sister" href="/search?q=Tavi'
    )
    assert "Tavi Morrow, Sister" in long
    assert shown(read_carousel(page(long))) == CAST


def test_text_that_is_cut_short_is_not_the_name():
    cut = source("panel_grid").replace(
        '<a href="/search?q=Tavi', '<a aria-label="Tavi Morrow" href="/search?q=Tavi'
    )
    cut = cut.replace(">Tavi Morrow<", ">Tavi Mo…<")
    assert shown(read_carousel(page(cut))) == CAST


def test_the_address_of_the_page_completes_links_and_says_the_query():
    body = source("panel_strip").replace('<textarea name="q">lumen actors</textarea>', "")
    asked = read_document(body.encode(), "https://www.google.de/search?q=lumen+actors&hl=de")
    assert page_query(asked) == "lumen actors"
    assert read_carousel(asked)[0].url.startswith("https://www.google.de/search?q=Odila+Brenn&")
    assert read_carousel(page(body)) is None  # nobody knows what was asked


@check_each(
    ("asked", "is_list"),
    [
        ("lumen actors", True),
        ("Lumen: Part Two", False),
        ("lumen part 2", False),
        ("lumin part two", False),
        ("lumen drama 2024", False),
        ("obsada lumen", True),
        ("lumen dramas", True),
    ],
)
def test_who_asks_for_a_film_does_not_ask_for_its_cast(asked, is_list):
    body = source("panel_strip").replace("lumen actors", asked)
    assert (read_carousel(page(body)) is not None) == is_list


def test_a_strip_below_the_first_result_answers_no_query():
    body = source("panel_strip").replace(
        '<div class="kp-wholepage">', '<a href="https://e.org"><h3>First</h3></a><div>', 1
    )
    assert read_carousel(page(body)) is None


def test_the_panel_and_its_facts():
    panel, born, spouse = read_panel(page(source("knowledge_marked")))
    assert (panel.title, panel.text, panel.entity) == (
        "Odila Brenn",
        "Painter & actor",
        "/m/0brenn",
    )
    assert (born.title, born.text) == ("Born", "12 May 1960, Vell (age 64)")
    assert (spouse.title, spouse.text) == ("Spouse", "Tavi Morrow, MORE")
    assert [item.rank for item in (panel, born, spouse)] == [1, 2, 3]
    assert {item.block for item in (panel, born, spouse)} == {Block.KNOWLEDGE}
    assert born.url.startswith("https://www.google.com/search?q=Vell&")


def test_a_panel_of_a_page_without_scripts():
    panel, born, partner = read_panel(page(source("knowledge_bare")))
    assert (panel.title, panel.text, panel.entity) == ("Odila Brenn", "Malerin", "/m/0brenn")
    assert (born.title, born.text) == ("Geboren", "12. Mai 1960")
    assert (partner.title, partner.text) == ("Partner", "Tavi Morrow")


def test_the_id_of_a_panel_may_stand_in_a_link():
    linked = source("knowledge_marked").replace("</h2>", '</h2><a href="/search?kgmid=/g/11x"></a>')
    assert read_panel(page(linked))[0].entity == "/g/11x"


def test_the_id_of_a_panel_may_stand_in_an_attribute():
    body = re.sub("stick=[^&]*", "", source("knowledge_marked"))
    assert read_panel(page(body))[0].entity == ""
    named = body.replace("<h2 ", '<h2 data-entityid="/m/0brenn" ')
    assert read_panel(page(named))[0].entity == "/m/0brenn"


def test_no_facts_no_panel_without_a_marked_name():
    assert read_panel(page('<div id="rhs"><div>Odila Brenn</div><div>Painter</div></div>')) == ()


@check_each(
    ("text", "read"),
    [
        (None, ""),
        ("  two \n words ", "two words"),
        ("&amp;", "&"),
        ("AT&T", "AT&T"),
        ("RenÃ©", "René"),
        ("Renée", "Renée"),
        ("Ã", "Ã"),
        # Every place that a no-break space, the second byte of "à", can be lost at.
        ("Ferran AdriÃ\u00a0", "Ferran Adrià"),
        ("Ferran AdriÃ", "Ferran Adrià"),
        ("Ferran AdriÃ …", "Ferran Adrià …"),
        ("Ferran AdriÃ\u00a0…", "Ferran Adrià…"),
        ("Ferran AdriÃ\u00a0 Chef", "Ferran Adrià Chef"),
        ("Å\u00a0koda → Brno", "Škoda → Brno"),
        ("JoÃ£o DvoÅ™Ã¡k → “x”", "João Dvořák → “x”"),
        ("Ã‰mile → x", "Émile → x"),
        ("Itâ€™s → x", "It’s → x"),
        ("CAFÉ…", "CAFÉ…"),
        ("MALMÖ… → x", "MALMÖ… → x"),
        ("voilà\u00a0…", "voilà …"),
        ("SÃO PAULO", "SÃO PAULO"),
        ("北京", "北京"),
    ],
)
def test_texts_are_mended_where_they_are_broken_and_nowhere_else(text, read):
    assert mend_text(text) == read


_ONE = '<a class="klitem" href="/search?q={n}&stick=x"><img alt="{n}" src="x"><div>{n}</div></a>'


@pytest.mark.parametrize(
    "place",
    [
        '<div id="appbar"><g-scrolling-carousel>{}</g-scrolling-carousel></div>',
        '<div id="appbar"><div role="list">{}</div></div>',
        '<div id="extabar"><div class="klcc">{}</div></div>',
        "<div><g-scrolling-carousel>{}</g-scrolling-carousel></div>",
    ],
)
def test_a_carousel_has_two_tiles_or_more(place):
    tiles = [_ONE.format(n=name) for name in ("Salt", "Grey")]
    two = read_carousel(page(place.format("".join(tiles))))
    assert [item.title for item in two] == ["Salt", "Grey"]
    one = page(place.format(tiles[0]))
    assert (read_carousel(one), tiles_visible(one), is_refinement(one)) == (None, 0, False)


def zipped(message):
    return "/search?q=x&stick=" + base64.urlsafe_b64encode(gzip.compress(message, mtime=0)).decode()


def test_a_stick_says_what_its_link_is_for():
    message = b"\x08\x03\x12\x07/m/0abc\x22\x07/g/11xy\x2a\x04cast\xa2\x05\x01x"
    assert _google_tiles.read_stick(zipped(message)) == _google_tiles.Stick(
        3, "/m/0abc", "/g/11xy", "cast"
    )


@check_each(
    "message",
    [b"", b"\x08", b"\x08\xff", b"\x22\x7f/m/0a", b"\x0b", b"\x09\x01", b"\xff" * 40, b"\x0d1234"],
)
def test_a_broken_stick_says_nothing(message):
    assert _google_tiles.read_stick(zipped(message)).item == ""


@check_each("value", ["", "%", "H4sI", "a" * 20_000, "é", "H4sIAAAA"])
def test_a_stick_that_is_none_says_nothing(value):
    assert _google_tiles.read_stick(f"/search?stick={value}&q=x") == _google_tiles.NOTHING


def test_a_huge_stick_is_not_unpacked():
    assert _google_tiles.read_stick(zipped(b"\x08\x05\x22" + b"\xff" * 10_000_000)).purpose in (
        0,
        5,
    )


@check_each("text", ["/m/", "/x/0abc", "m/0abc", "/m/0ABC", "/m/0abc ", None])
def test_what_is_no_id_is_none(text):
    assert _google_tiles.entity_id(text) == ""


@check_each("name", ["bar_2021_raw", "list_2022", "panel_strip", "knowledge_marked"])
def test_deep_nesting_does_not_stop_the_reading(name):
    deep = source(name).replace("<img", "<div>" * 3000 + "<img")
    read_carousel(page(deep))
    read_panel(page(deep))


def test_limits_hold_on_a_page_of_tiles():
    many = "".join(f'<a data-entityname="N{n}" href="/search?q=N{n}">N{n}</a>' for n in range(3000))
    found = read_carousel(page(f'<div id="appbar"><g-scrolling-carousel>{many}'))
    assert len(found) == _google_entities._MOST_TILES


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_bytes_raise(data):
    whole = source(data.draw(st.sampled_from([*READ, *UNREADABLE, *WITHOUT]))).encode()
    start = data.draw(st.integers(0, len(whole)))
    stop = data.draw(st.integers(start, len(whole)))
    hostile = whole[:start] + data.draw(st.binary(max_size=60)) + whole[stop:]
    read = read_document(hostile, data.draw(st.text(max_size=20)))
    found = read_carousel(read)
    assert found is None or all(item.title for item in found)
    assert all(item.title for item in read_panel(read))
    assert tiles_visible(read) >= 0


@check_each("name", BARS)
def test_a_page_that_ends_early_gives_the_first_tiles_or_none(name):
    whole = source(name)
    for stop in range(0, len(whole), 97):
        found = read_carousel(page(whole[:stop]))
        names = [title for title, _, _ in READ[name]]
        assert not found or [item.title for item in found[:-1]] == names[: len(found) - 1]
