"""Reads small invented pages in each layout of Google."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.model import Block, Outcome, Reason
from monitor.pages._google_elements import Zone, Zones, advert_target, link_target, visible_text
from monitor.pages._google_organic import read_results
from monitor.pages._html import read_document
from monitor.pages.google import PAGE, read_advertisements, says_nothing_found
from tests.cases import check_each
from tests.pages.reading import body_of, shown

ORGANIC = {
    "desktop_2025": [
        ("Wool Club of Northtown", "https://northtown-wool.example/", "Meetings on Monday."),
        ("Wool clubs in film", "https://film.example/watch?v=1", "A video."),
        ("Wool clubs", "https://enc.example/wiki/Wool_(club)", "A wool club is a club."),
    ],
    "desktop_2021": [
        ("Wool Club", "https://one.example/", "First text."),
        ("Second club", "https://two.example/", "Second text."),
        ("Second club, members", "https://two.example/more", "Indented text."),
    ],
    "desktop_2018": [
        (f"Club {i}", f"https://club{i}.example/a?b=1&c=2", f"Nov 1, 2019 - Text of club {i}.")
        for i in (1, 2, 3)
    ],
    "desktop_2010": [
        (f"Verein {i} ...", f"http://verein{i}.example/", f"Text {i}.") for i in (1, 2, 3)
    ],
    "basic_2019": [
        (f"Clube {i}", f"https://ovelha{i}.example/l%C3%A3?a=1+2", f"Texto {i}.") for i in (2, 3)
    ],
    "basic_2018": [(f"Velo {i}", f"https://velo{i}.example/", f"Texto {i}.") for i in (1, 2)],
    "text_2023": [(f"Клуб {i}", f"https://klub{i}.example/", f"Текст {i}.") for i in (1, 2, 3)],
    "mobile_2018": [
        ("クラブ一", "https://ichi.example/", "テキスト1。"),
        ("クラブ二", "https://ni.example/a", "テキスト2。"),
    ],
    "mobile_2015": [(f"Small {i}", f"http://small{i}.example/", f"Words {i}.") for i in (1, 2)],
    "desktop_2007": [(f"Page {i}", f"http://page{i}.example/", f"Text {i}.") for i in (1, 2)],
    "desktop_2003": [(f"Page {i}", f"http://page{i}.example/", f"Text {i}.") for i in (1, 2)],
    "desktop_2000": [
        ("Page 1", "http://page1.example/", "Text 1."),
        ("Page 2", "http://page2.example/", "Text 2."),
        ("Page 2b", "http://page2.example/b", "Indented."),
    ],
}
LAYOUTS = sorted(ORGANIC)


def _read(name):
    return PAGE.parse(body_of("google", name))


@check_each("name", LAYOUTS)
def test_organic_results_of_each_layout(name):
    reading = _read(name)
    assert (reading.outcome, reading.detail) == (Outcome.OK, f"layout: {name.replace('_', '-')}")
    found = [(i.title, i.url, i.text) for i in reading.items if i.block is Block.ORGANIC]
    assert found == ORGANIC[name]
    ranks = [item.rank for item in reading.items if item.block is Block.ORGANIC]
    assert ranks == list(range(1, len(found) + 1))


@check_each(
    ("name", "expected"),
    [
        ("desktop_2025", [(1, "Wool on sale", "https://wool-shop.example/sale")]),
        (
            "desktop_2010",
            [
                (1, "Wolle kaufen", "http://laden.example/wolle"),
                (2, "Wollmarkt", "http://markt.example/?a=1"),
                (3, "Anzeige rechts", "http://rechts.example/"),
            ],
        ),
        ("basic_2019", [(1, "Uma loja", "https://loja.example/")]),
        ("mobile_2018", [(1, "広告", "https://ad.example/")]),
        ("desktop_2007", [(1, "Wool here", "http://ad.example/wool")]),
        ("desktop_2018", []),
    ],
)
def test_advertisements_once_each_and_without_their_counters(name, expected):
    assert shown(_read(name), Block.AD) == expected


def test_the_quoted_page_is_an_answer_with_the_words_of_its_box():
    (answer,) = (i for i in _read("desktop_2021").items if i.block is Block.ANSWER)
    assert (answer.title, answer.url) == ("What is a wool club?", "https://quoted.example/what")
    assert answer.text == "A wool club is a group of people who spin together."


def test_a_card_with_words_above_its_title_is_an_answer():
    (answer,) = (i for i in _read("basic_2019").items if i.block is Block.ANSWER)
    assert answer.title == "Clube 1"


def test_what_google_works_out_is_an_answer():
    (answer,) = (i for i in _read("calculator").items if i.block is Block.ANSWER)
    assert (answer.text, answer.url) == ("42", "")


def test_the_text_of_a_model_is_one_item_without_rank_among_results():
    (item,) = (i for i in _read("desktop_2025").items if i.block is Block.AI_OVERVIEW)
    assert item.title == "AI Overview"
    assert item.text.startswith("Wool clubs meet to spin.")
    assert "var no" not in item.text
    assert "feedback" not in item.text


@pytest.mark.parametrize("name", ["nothing_found", "nothing_found_structure", "nothing_found_2003"])
def test_a_page_that_says_so_is_empty(name):
    reading = _read(name)
    assert (reading.outcome, reading.items) == (Outcome.EMPTY, ())


def test_a_page_without_results_that_says_nothing_is_unreadable():
    reading = _read("nothing_said")
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)


def test_a_page_that_waits_for_its_scripts():
    frame = b"<html><title>Google</title><body id=gsr>Images<div id=rso></div>"
    shell = frame + b"<script>x</script></body></html>"
    assert PAGE.parse(shell).reason is Reason.JS_SHELL
    assert PAGE.parse(frame + b"</html>").reason is Reason.MALFORMED
    assert PAGE.parse(frame + b"<script>x</script>").reason is Reason.MALFORMED
    assert PAGE.parse(shell.replace(b"Images", b"Words " * 99)).reason is Reason.MALFORMED


def test_less_than_half_of_what_is_visible_is_unreadable_with_both_numbers():
    reading = _read("new_layout")
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert reading.detail.endswith("1 of 6 results could be read")


@check_each(
    "statement",
    [
        "Es wurden keine mit deiner Suchanfrage - qqzz - übereinstimmenden Dokumente gefunden.",
        "Aucun document ne correspond aux termes de recherche spécifiés (qqzz).",
        "No se han encontrado resultados para tu búsqueda (qqzz).",
        "Sua pesquisa - qqzz - não encontrou nenhum documento correspondente.",
        "La ricerca di - qqzz - non ha prodotto risultati in nessun documento.",
        "Podana fraza - qqzz - nie została odnaleziona.",
        "По запросу qqzz ничего не найдено.",
        "qqzz に一致する情報は見つかりませんでした。",
        "找不到和您查询的“qqzz”相符的内容或信息。",
        "qqzz에 대한 검색결과가 없습니다.",
    ],
)
def test_the_statement_in_other_languages(statement):
    body = f"<div id=topstuff><p>{statement}</p></div>"
    assert says_nothing_found(read_document(body.encode()))
    assert not says_nothing_found(read_document(f"<h3>{statement}</h3>".encode()))


def test_the_statement_with_results_is_no_empty_page():
    body = body_of("google", "desktop_2018").replace(
        b'<div id="res">', b"<p>Your search - x - did not match any documents.</p><div id=res>"
    )
    assert PAGE.parse(body).outcome is Outcome.OK


def test_a_wall_is_told_by_its_kind():
    body = b"<form action='/sorry/index'><input name=continue></form>"
    assert PAGE.parse(body).detail == "google_sorry"
    shell = b"<noscript><meta content='0;url=/httpservice/retry/enablejs?sei=x'></noscript>"
    reading = PAGE.parse(shell, "https://www.google.com/search?q=x")
    assert (reading.outcome, reading.reason) == (Outcome.BLOCKED, Reason.JS_SHELL)
    assert reading.detail == "google_enablejs"


def test_a_way_around_scripts_on_a_page_with_results_is_no_wall():
    body = body_of("google", "desktop_2025") + b"<a href='/httpservice/retry/enablejs'>x</a>"
    assert PAGE.parse(body).outcome is Outcome.OK


def test_a_page_of_somebody_else_is_unreadable_though_it_has_headings_with_links():
    body = b"<h3><a href='https://access.example/'>Log in</a></h3>" * 5
    assert PAGE.parse(body).detail == "not a page of Google"
    assert PAGE.parse(body, "https://www.google.com/search?q=x").outcome is Outcome.OK


@check_each("name", [*LAYOUTS, "nothing_found"])
def test_sniff_by_structure_and_by_address(name):
    body = body_of("google", name)
    assert PAGE.sniff(body) >= 0.8
    assert PAGE.sniff(body, "https://www.google.co.uk/search?q=x") >= 0.9
    assert PAGE.sniff(body, "https://www.bing.com/search?q=x") <= 0.1
    assert PAGE.sniff(body.replace(b"</body>", b"<ol id=b_results></ol></body>")) <= 0.1


@pytest.mark.parametrize("body", [b"", b"  ", b"<p>Google is an engine.</p>"])
def test_other_texts_are_not_googles(body):
    assert PAGE.sniff(body) < 0.3


@check_each(
    ("href", "expected"),
    [
        ("https://a.example/x?y=1#z", "https://a.example/x?y=1#z"),
        ("/url?q=https://a.example/%253Fa+b&sa=U", "https://a.example/%3Fa+b"),
        ("https://www.google.de/url?sa=t&url=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("/url?q=/search%3Fq%3Dx", ""),
        ("/url?q=http://[broken", ""),
        ("https://www.google.com/amp/s/a.example/b", "https://a.example/b"),
        ("/search?q=x", ""),
        ("https://www.google.com/search?q=x", ""),
        ("http://news.google.com/news?q=x&um=1", ""),
        ("http://scholar.google.com/scholar?q=x&oi=scholart", ""),
        ("https://books.google.com/books?id=1&q=x", "https://books.google.com/books?id=1&q=x"),
        ("/url?q=https://www.google.com/finance&sa=U", "https://www.google.com/finance"),
        ("https://posts.example/club?ref_src=twsrc%5Egoogle%7Ctwcamp%5Eserp", ""),
        ("https://www.google.com/travel/search?q=x", ""),
        ("https://www.google.com/travel/flights", "https://www.google.com/travel/flights"),
        ("javascript:void(0)", ""),
        ("#", ""),
        ("http://[", ""),
        (None, ""),
    ],
)
def test_where_a_link_leads(href, expected):
    assert link_target(href, read_document(b"")) == expected


def test_where_an_advertisement_leads():
    page = read_document(b"", "https://www.google.fr/search?q=x")
    counter = "/aclk?sa=l&ai=1&adurl="
    assert advert_target(counter + "https://a.example/%3Fb", page) == "https://a.example/?b"
    assert advert_target(counter, page) == "https://www.google.fr/aclk?sa=l&ai=1&adurl="


def test_boxes_of_one_result_of_many_are_the_frame_of_the_page():
    link = "<div class=g><a href='https://a{}.example/'><h3 class=LC20lb>A</h3></a></div>"
    body = "<div id=rso><div class=xpdopen>" + "".join(link.format(i) for i in range(5))
    found = read_results(read_document(body.encode()), Zones())
    assert [one.featured for one in found.results] == [False] * 5


def test_folded_results_are_left_out_unless_the_whole_page_is_folded():
    link = "<div class=g><a href='https://a{}.example/'><h3 class=LC20lb>A</h3></a></div>"
    shut = f"<div style='display:none'>{link.format(9)}</div>"
    some = "<div id=rso>" + link.format(1) + shut + link.format(2)
    found = read_results(read_document(some.encode()), Zones())
    assert [one.url for one in found.results] == ["https://a1.example/", "https://a2.example/"]
    everything = f"<div style='display: none'><div id=rso>{link.format(1)}{link.format(2)}</div>"
    assert len(read_results(read_document(everything.encode()), Zones()).results) == 2


def test_the_greater_zone_counts():
    page = read_document(
        b"<div id=rhs><div id=tads><aside><i>x</i></aside></div><b>y</b></div><u>z</u>"
    )
    zones = Zones()
    found = [zones.of(page.tree.css_first(tag)) for tag in ("i", "b", "u")]
    assert found == [Zone.AD, Zone.SIDE, Zone.MAIN]


def test_text_is_what_is_displayed():
    body = b"<div><p>A<b>b</b></p><p>c</p><i style='display: none'>d</i><script>e</script></div>"
    assert visible_text(read_document(body).tree.css_first("div")) == "Ab c"


def test_the_help_of_a_box_is_no_advertisement():
    body = b"<div id=tads><a href='https://support.google.com/x'><h3>Why these</h3></a></div>"
    assert read_advertisements(read_document(body), Zones()) == []


@settings(deadline=None)
@given(st.sampled_from(LAYOUTS), st.floats(0, 1))
def test_pages_may_be_cut_anywhere(name, share):
    body = body_of("google", name)
    reading = PAGE.parse(body[: int(len(body) * share)])
    assert reading.outcome in (Outcome.OK, Outcome.UNREADABLE)
    if reading.outcome is Outcome.OK:
        assert any(item.block is Block.ORGANIC for item in reading.items)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_break_it(body):
    for url in ("", "https://www.google.com/search?q=x"):
        assert PAGE.parse(body, url).outcome in (Outcome.UNREADABLE, Outcome.BLOCKED)
        assert 0 <= PAGE.sniff(body, url) <= 1


def test_many_results_take_no_more_than_their_share_of_work():
    """Four times the page takes about four times the calls: no walk over it for each result."""
    one = b"<div class=g><div><a href='https://a.example/'><h3 class=LC20lb>A</h3></a></div></div>"

    def calls(number):
        body, made = b"<div id=rso>" + one * number + b"</div>", []
        sys.setprofile(lambda *called: made.append(called[1]))
        try:
            PAGE.parse(body)
        finally:
            sys.setprofile(None)
        return len(made)

    calls(100)
    assert calls(400) < 6 * calls(100)


def test_a_carousel_without_names_makes_the_whole_page_unreadable():
    tiles = body_of("google_carousel", "bar_unreadable")
    body = body_of("google", "desktop_2021").replace(b'<body id="gsr">', b"<body>" + tiles)
    reading = PAGE.parse(body)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert reading.detail == "layout: desktop-2021; a carousel without names"


def test_parts_of_panels_and_menus_are_no_results():
    link = "<a href='https://a{}.example/'><h3 class=LC20lb>A</h3></a>"
    part = f"<div data-attrid='kc:/film/film:cast'>{link.format(1)}</div>"
    menu = "<div>Text.<span role=menu>Copy</span></div>"
    body = f"<div id=rso>{part}<div class=g>{link.format(2)}{menu}</div></div>"
    (found,) = read_results(read_document(body.encode()), Zones()).results
    assert (found.url, found.text) == ("https://a2.example/", "Text.")


def test_an_unreadable_address_is_left_out():
    body = "<div id=rso><a href='https://[x'><h3>A</h3></a><a href='https://b.example/'><h3>B</h3>"
    (found,) = read_results(read_document(body.encode()), Zones()).results
    assert found.title == "B"


def test_a_paragraph_with_the_query_and_no_list_says_nothing():
    body = "<input name=q value=qqzz><div id=topstuff><p>For <em>qqzz</em> now</p>{}</div>"
    for rest in ("", "<p>x</p>" * 9, "<ul><li>one</li></ul>"):
        assert not says_nothing_found(read_document(body.format(rest).encode()))
    assert says_nothing_found(read_document(body.format("<ul><li>a<li>b</ul>").encode()))


def test_cards_without_words_or_of_advertisers_are_left_out():
    cards = (
        "<div class=ZINbbc><a href='/url?q=https://a.example/'><img></a></div>"
        "<div id=tads><div class=ZINbbc><a href='/url?q=https://b.example/'>b.example</a></div></div>"
        "<div class=ZINbbc><a href='/url?q=https://c.example/'>Plain c.example</a></div>"
    )
    found = read_results(read_document(cards.encode()), Zones())
    assert [(one.title, one.url) for one in found.results] == [
        ("Plain c.example", "https://c.example/")
    ]


def test_a_table_of_results_of_other_sites_holds_no_links_into_a_site():
    one = "<div class=g><h3 class=r><a href='http://a{}.example{}/'>A</a></h3></div>"
    rows = "".join(f"<tr><td>{one.format(i, i)}</td></tr>" for i in (2, 3))
    body = f"<div id=res>{one.format(1, 1)}<table>{rows}</table></div>"
    assert len(read_results(read_document(body.encode()), Zones()).results) == 3


def test_the_title_of_a_card_is_its_heading():
    card = (
        "<div class='mnr-c'><a href='https://a.example/'><i>a.example</i>"
        "<div><div role=heading aria-level=2>Title</div></div></a></div>"
    )
    (found,) = read_results(read_document(card.encode()), Zones()).results
    assert found.title == "Title"


def test_redirects_in_a_circle_lead_nowhere():
    href = "/url?q=" + "https://www.google.com/url?q=" * 9
    assert link_target(href, read_document(b"")) == ""


def test_groups_and_paragraphs_without_links_are_left_out():
    groups = "<p class=g>x</p><p class=g><a href=/search?q=x>y</a></p>"
    groups += "<p class=g><a href=http://a.example/>z</a></p>"
    assert len(read_results(read_document(groups.encode()), Zones()).results) == 1
    plain = "<p><font>x</font></p><p><a href=/search>y</a><font>y</font></p>"
    plain += "<p><a href=http://a.example/>z</a><font>z</font></p>"
    assert len(read_results(read_document(plain.encode()), Zones()).results) == 1
