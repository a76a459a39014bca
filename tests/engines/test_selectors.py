"""Selectors: addresses and selectors of a config, pages that say nothing was found, and walls."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor import parameters
from monitor.engines.search.selectors import ENGINE
from monitor.faults import Then, find_consequence
from monitor.fetch.http import HttpFetcher, Way
from monitor.model import HttpRequest, Outcome, PageRequest, Reason
from monitor.pages._walls import _KINDS
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import QUESTION, REQUIRED, asked, probes, titles
from tests.engines.services import judge, said
from tests.regions import US
from tests.standins import faults, serve
from tests.standins.results import Hit
from tests.standins.selectors import Site

URL = "https://example.org/search?q={query}&lang={language}&c={country}"
OWN = {
    "url": URL, "result": "article.hit", "title": "h2", "snippet": ".about", "none": ".none",
    "block": "#gate",
}  # fmt: skip
HITS = [Hit(f"T{n} & more", f"https://e.org/{n}", f"about {n}") for n in range(3)]


def read(body, url="https://example.org/search?q=a", **config):
    """The reading of a page with this body, by the engine as configured."""
    own = ENGINE.configured(OWN | config)
    [reading] = own.parse(replace(said(200, body.encode()), url=url), probes())
    return reading


def row(n, title=True, link=True):
    href = f"href='/{n}'" if link else ""
    head = f"<h2>T{n}</h2>" if title else ""
    return f"<article class='hit'><a {href}>{head}</a><p class='about'>about {n}</p></article>"


def ask(stand_in, text=QUESTION, way=None, **config):
    """(answer, its reading, what the site was asked) through the real fetcher."""
    with serve(stand_in) as running:
        address = f"{running.url}/search?q={{query}}&lang={{language}}&c={{country}}"
        own = {**OWN, "url": address, **config}
        [(_, raw)] = HttpFetcher(way or Way()).fetch([asked(ENGINE, text, **own)])
        answer = judge(ENGINE, raw, **own)
        [reading] = ENGINE.configured(own).parse(answer, probes((text,)))
        return answer, reading, running.requests


# --- asking -------------------------------------------------------------------------------------


def test_the_address_is_filled_in():
    assert asked(ENGINE, "chess & go/é", **OWN) == HttpRequest(
        "GET",
        "https://example.org/search?q=chess%20%26%20go%2F%C3%A9&lang=en&c=US",
        (("Accept", "text/html"), ("Accept-Language", "en-US,en;q=0.9")),
    )
    elsewhere = OWN | {"url": "https://{language}.example.org/{locale}/{query}/"}
    assert asked(ENGINE, "a{country}b", **elsewhere).url == (
        "https://en.example.org/en-US/a%7Bcountry%7Db/"
    )


def test_a_browser_waits_for_what_the_config_names():
    found = asked(ENGINE, "chess", **OWN, over="browser", reject="#no", headed=True)
    assert found == PageRequest(
        "https://example.org/search?q=chess&lang=en&c=US",
        US,
        (("reject", "#no"),),
        ("article.hit", ".none", "#gate"),
        headed=True,
    )


@check_each(
    ("config", "words"),
    [
        (OWN, ""),
        ({"url": "http://127.0.0.1:8000/?q={query}", "result": "li"}, ""),
        ({"result": "li"}, "config needs 'url'"),
        ({"url": URL}, "config needs 'result'"),
        (OWN | {"url": "https://example.org/search"}, "needs {query}"),
        (OWN | {"url": "https://{query}.example.org/"}, "after the host"),
        (OWN | {"url": "https://example.org/?q={query}&p={page}"}, "{page} is not one of {query}"),
        (OWN | {"url": "ftp://example.org/{query}"}, "must begin with https://"),
        (OWN | {"url": "/search?q={query}"}, "must begin with https://"),
        (OWN | {"url": "https://example.org/?a b={query}"}, "hold no blank"),
        (OWN | {"url": "https://example.org:x/{query}"}, "Port"),
        (OWN | {"url": "https://[/{query}"}, "config: url"),
        (OWN | {"url": "https://me:pw@example.org/{query}"}, "no name, password"),
        (OWN | {"url": "https://example.org/#{query}"}, "fragment"),
        (OWN | {"over": "post"}, "one of http"),
        *[
            (OWN | {name: "a["}, f"{name} = 'a[': is not a CSS selector")
            for name in ("result", "link", "title", "snippet", "none", "block", "reject")
        ],
    ],
)
def test_a_config_is_checked(config, words):
    found = ENGINE.check("en", US.name, config)
    assert words in found
    assert bool(found) == bool(words)
    assert "pw" not in found


# --- reading ------------------------------------------------------------------------------------


def test_results_are_read_in_the_order_of_the_page():
    reading = read(row(2) + row(1))
    assert [(i.rank, i.title, i.url, i.text) for i in reading.items] == [
        (1, "T2", "https://example.org/2", "about 2"),
        (2, "T1", "https://example.org/1", "about 1"),
    ]
    assert {item.block for item in reading.items} == {"organic"}


def test_links_are_relative_to_the_page_else_to_the_address_of_the_config():
    assert read(row(1), url="https://m.example.org/x/").items[0].url == "https://m.example.org/1"
    assert read(row(1), url="").items[0].url == "https://example.org/1"


def test_a_result_can_be_its_own_link_and_its_text_the_title():
    body = "<a class='hit' href='/1'> One \n <b>hit</b></a><a class='hit' href='/2'>Two</a>"
    reading = read(body, result="a.hit", link="a", title="")
    assert titles(reading) == [(1, "One hit"), (2, "Two")]


@check_each(
    ("body", "outcome", "words"),
    [
        (row(1) + row(2, link=False), Outcome.OK, "1 of 2 organic"),
        (row(1) + row(2, link=False) + row(3, title=False), Outcome.UNREADABLE, "1 of 3"),
        (row(1, link=False), Outcome.UNREADABLE, "0 of 1"),
        (row(1) + "<p class='none'>", Outcome.OK, "is there, too"),
        (row(1, link=False) + "<p class='none'>", Outcome.UNREADABLE, "0 of 1"),
        ("<a href='javascript:x'>", Outcome.UNREADABLE, "no element that says so"),
        ("", Outcome.UNREADABLE, "empty"),
    ],
)
def test_a_list_that_lost_results_is_no_shorter_list(body, outcome, words):
    reading = read(body)
    assert reading.outcome is outcome
    assert words in reading.detail


@check_each(
    ("body", "outcome"),
    [
        ("<p class='none'>Nothing fits.</p>", Outcome.EMPTY),
        ("<p class='none' hidden>Nothing fits.</p>", Outcome.UNREADABLE),
        ("<div style='Display : none'><p class='none'>Nothing.</p></div>", Outcome.UNREADABLE),
        ("<template><p class='none'>Nothing.</p></template>", Outcome.UNREADABLE),
        ("<p class='none' hidden></p><p class='none'>Nothing.</p>", Outcome.EMPTY),
        ("<p>Nothing fits.</p>", Outcome.UNREADABLE),
        ("<div id='gate'></div><p class='none'></p>", Outcome.BLOCKED),
        ("<div id='gate' hidden></div><p class='none'></p>", Outcome.EMPTY),
    ],
)
def test_only_what_can_be_seen_says_that_nothing_was_found(body, outcome):
    assert read(f"<main>{body}</main>").outcome is outcome


def test_without_an_element_for_nothing_no_page_is_empty():
    without = {name: text for name, text in OWN.items() if name != "none"}
    answer = said(200, b"<p class='none'>Nothing fits.</p>")
    [reading] = ENGINE.configured(without).parse(answer, probes())
    assert reading.outcome is Outcome.UNREADABLE


def test_known_walls_are_known_without_a_selector():
    assert len(_KINDS) > 5
    wall = read("<div class='g-recaptcha'></div>")
    assert (wall.outcome, wall.reason) == (Outcome.BLOCKED, Reason.CAPTCHA)
    assert read(row(1) + "<div class='g-recaptcha'></div>").outcome is Outcome.OK


def test_a_page_with_results_may_be_the_sites():
    page = ENGINE.configured(OWN).page
    assert page.sniff(row(1).encode()) > page.sniff(b"<p>") == 0


def test_an_engine_that_is_not_configured_reads_nothing():
    [reading] = ENGINE.parse(said(200, row(1).encode()), probes())
    assert reading.outcome is Outcome.UNREADABLE
    assert ENGINE.page is None


def test_a_selector_that_slipped_through_is_no_crash():
    reading = read(row(1), result="a[")
    assert reading.outcome is Outcome.UNREADABLE
    assert "a selector is refused" in reading.detail


def test_two_configs_of_the_same_page_are_kept_apart():
    assert len(read(row(1) + row(2)).items) == 2
    assert read(row(1) + row(2), result=".other").outcome is Outcome.UNREADABLE
    first = read(row(1) + row(2), result="article:first-child")
    assert titles(first) == [(1, "T1")]


@settings(max_examples=300, deadline=None)
@given(
    body=st.binary(max_size=200)
    | st.lists(
        st.sampled_from([row(1), row(2, link=False), row(3, title=False), "<p class='none'>",
                         "<div id='gate'>", "</", "<article class='hit'>", "\ud800", "\0",
                         "<a href='https://[x'>", "<div hidden>", "<template>"]),
        max_size=8,
    ).map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass")),
    status=st.sampled_from([200, 404, 503]),
)  # fmt: skip
def test_no_page_makes_it_raise(body, status):
    own = ENGINE.configured(OWN)
    searching.assert_any_json_is_read(own, body, status, **OWN)


def test_a_deep_page_is_read_in_time():
    body = "<div>" * 50_000 + row(1) + "<p class='none'>"
    assert read(body).outcome is Outcome.UNREADABLE


# --- over the wire ------------------------------------------------------------------------------


def test_a_success_over_the_wire():
    answer, reading, [request] = ask(Site(results={QUESTION: HITS}))
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert [(i.title, i.url, i.text) for i in reading.items] == [tuple(hit) for hit in HITS]
    assert (request.query["q"], request.query["lang"], request.query["c"]) == (
        QUESTION, "en", "US",
    )  # fmt: skip


def test_nothing_found_over_the_wire():
    answer, reading, _ = ask(Site(results={QUESTION: []}))
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.EMPTY)


def test_a_redesign_is_never_an_empty_page():
    answer, reading, _ = ask(Site(layout="card"))
    assert (answer.outcome, find_consequence(answer)) == (Outcome.UNREADABLE, Then.BACK_OFF)
    assert reading.outcome is Outcome.UNREADABLE


@check_each(
    ("fault", "way", "outcome", "reason"),
    [
        (Site.wall, Way(), Outcome.BLOCKED, Reason.NONE),
        (faults.html_block, Way(), Outcome.BLOCKED, Reason.CAPTCHA),
        (Site.failed, Way(), Outcome.FAILED, Reason.NONE),
        (Site.quota, Way(), Outcome.THROTTLED, Reason.RATE),
        (faults.empty, Way(), Outcome.UNREADABLE, Reason.MALFORMED),
        (faults.truncated, Way(), Outcome.FAILED, Reason.TRUNCATED),
        (faults.silence, Way(seconds=0.3), Outcome.TIMEOUT, Reason.NONE),
        (faults.huge, Way(most_bytes=2**20), Outcome.UNREADABLE, Reason.OVERSIZE),
    ],
)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, reading, _ = ask(Site(script=[fault()]), way=way)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    # half a page has results: only its exchange says that it is none
    assert (reading.outcome is Outcome.OK) == (fault is faults.truncated)
    assert reading.outcome is not Outcome.EMPTY


@check_each("name", [*REQUIRED, "rate"])
def test_a_recorded_page_is_read_as_expected(name):
    answer, _, kept = searching.recording(ENGINE, name)
    own = ENGINE.configured(parameters.fill_defaults(ENGINE.parameters, kept["config"]))
    readings = own.parse(answer, probes(tuple(kept["probes"])))
    assert (answer.outcome, answer.reason) == (kept["outcome"], kept["reason"])
    found = [
        {"outcome": one.outcome, "reason": one.reason, "items": searching.shown(one)}
        for one in readings
    ]
    assert found == kept["readings"]
