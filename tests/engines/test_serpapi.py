"""SerpApi: exact requests, errors, which list of a page answers the question, entities in links."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.search.serpapi import ENGINE
from monitor.faults import Then, find_consequence
from monitor.labels.shown_entities import shown_entity
from monitor.model import HttpRequest, LaterPart, Outcome, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import ON_THE_WIRE, QUESTION, REQUIRED, ask, asked, read, titles
from tests.engines.services import KEY, judge, said
from tests.regions import US
from tests.standins.results import Hit
from tests.standins.serpapi import MEMBER, NOTHING, SerpApi, tile

AUSTIN = replace(US, name="us-austin", place="Austin,Texas,United States")
HITS = [Hit(f"T{n}", f"https://e.org/{n}", f"about {n}") for n in range(3)]
PLAYERS = [
    tile("Judit Polgár", "/m/01d6kj", "Born 1976"),
    tile("Magnus Carlsen", "/m/0291j3", "Born 1990"),
    tile("Hou Yifan", "/m/0bpv3c", "Born 1994"),
]
BOOKS = [
    tile("My Life", "/g/12bmmmrs8", purpose=MEMBER, subject="/m/01lb5", collection="kc:/common"),
    tile("Zwischenzug", "/g/1yw9", purpose=MEMBER, subject="/m/01lb5", collection="kc:/common"),
]
OTHERS = [
    tile("Go", "/m/02cb_g", purpose=MEMBER, subject="/m/01lb5", collection="SidewaysNextSteps"),
    tile("Shogi", "/m/0dd5b", purpose=MEMBER, subject="/m/01lb5", collection="SidewaysNextSteps"),
]


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("SERPAPI_KEY", KEY)


def query(request):
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


def page(panel=None, n=2, **others):
    results = [{"title": f"T{k}", "link": f"https://e.org/{k}"} for k in range(n)]
    found = {"search_metadata": {"status": "Success"}, "organic_results": results, **others}
    return found | ({} if panel is None else {"knowledge_graph": panel})


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, "chess & go", AUSTIN) == HttpRequest(
        "GET",
        "https://serpapi.com/search.json?engine=google&q=chess+%26+go&google_domain=google.com"
        "&hl=en&gl=us&location=Austin%2CTexas%2CUnited+States&device=desktop&safe=off&nfpr=1"
        "&filter=0&start=0&no_cache=true",
        (("Accept", "application/json"),),
        query_secrets=(("api_key", "SERPAPI_KEY"),),
        later=LaterPart(
            ("ai_overview", "page_token"),
            "page_token",
            HttpRequest(
                "GET",
                "https://serpapi.com/search.json?engine=google_ai_overview&no_cache=true",
                (("Accept", "application/json"),),
                query_secrets=(("api_key", "SERPAPI_KEY"),),
            ),
        ),
    )


def test_without_a_place_the_country_is_enough():
    assert "location" not in query(asked(ENGINE))


def test_what_the_config_asks_for_is_sent():
    config = {"start": 10, "device": "mobile", "safe": "active", "spellcheck": True,
              "omit_similar": True, "hl": "zh-tw", "gl": "uk"}  # fmt: skip
    sent = query(asked(ENGINE, **config))
    expected = {"start": "10", "device": "mobile", "safe": "active", "nfpr": "0", "filter": "1",
                "hl": "zh-tw", "gl": "uk", "no_cache": "true"}  # fmt: skip
    assert sent | expected == sent


@check_each(
    ("config", "words"),
    [
        ({}, ""),
        ({"start": 990}, ""),
        ({"start": -1}, "at least 0"),
        ({"device": "watch"}, "one of desktop"),
        ({"safe": "on"}, "one of off"),
        ({"key": "a1b2"}, "not the key itself"),
        ({"base_url": "http://e.org"}, "https only"),
        ({"num": 100}, "unknown key 'num'"),
    ],
)
def test_a_config_is_checked(config, words):
    found = ENGINE.check("en", US.name, config)
    assert words in found
    assert bool(found) == bool(words)


# --- errors -------------------------------------------------------------------------------------


@check_each(
    ("raw", "outcome", "reason", "then"),
    [
        (SerpApi.invalid_key(), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (SerpApi.rate_limited(), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (SerpApi.quota(), Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (SerpApi.gone(), Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
        (SerpApi.failed(), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
    ],
)
def test_each_error_has_its_outcome(raw, outcome, reason, then):
    found = judge(ENGINE, said(raw.status, raw.body, raw.headers.items()))
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)
    assert f"HTTP {raw.status}: " in found.detail


def test_a_limit_that_can_be_two_says_how_to_find_out():
    raw = SerpApi.rate_limited()
    found = judge(ENGINE, said(raw.status, raw.body))
    assert "account.json" in found.detail
    assert "total_searches_left" in found.detail


@check_each(
    ("content", "outcome", "reason"),
    [
        ({"search_metadata": {"status": "Error"}, "error": "x"}, Outcome.FAILED, Reason.NONE),
        ({"search_metadata": {"status": "Processing"}}, Outcome.FAILED, Reason.NONE),
        ({"search_metadata": {"status": "Success"}, "error": "x"}, Outcome.FAILED, Reason.NONE),
        ({"search_metadata": {"status": "Done"}}, Outcome.UNREADABLE, Reason.MALFORMED),
        ({"search_metadata": {"status": "Success"}}, Outcome.UNREADABLE, Reason.MALFORMED),
        ({"organic_results": []}, Outcome.UNREADABLE, Reason.MALFORMED),
        (page(organic_results=[]), Outcome.UNREADABLE, Reason.MALFORMED),
        (page(organic_results=None), Outcome.UNREADABLE, Reason.MALFORMED),
        ([], Outcome.UNREADABLE, Reason.MALFORMED),
        (b"", Outcome.UNREADABLE, Reason.MALFORMED),
    ],
)
def test_a_success_without_results_is_none(content, outcome, reason):
    found = judge(ENGINE, said(200, content))
    assert (found.outcome, found.reason) == (outcome, reason)
    assert read(ENGINE, content).outcome is Outcome.UNREADABLE


@pytest.mark.parametrize(
    "content",
    [
        {"search_metadata": {"status": "Success"}, "error": NOTHING},
        {"search_metadata": {"status": "Success"}, "organic_results": [], "error": NOTHING},
        {"search_metadata": {"status": "Success"},
         "search_information": {"organic_results_state": "Fully empty"}},
    ],
)  # fmt: skip
def test_nothing_found_is_what_google_says(content):
    assert judge(ENGINE, said(200, content)).outcome is Outcome.OK
    assert read(ENGINE, content).outcome is Outcome.EMPTY


# --- which list answers the question ------------------------------------------------------------


def test_the_carousel_is_the_list_whose_tiles_say_that_they_answer():
    panel = {"title": "Chess", "people_also_search_for": OTHERS, "chess_books": BOOKS,
             "grandmasters": PLAYERS}  # fmt: skip
    reading = read(ENGINE, page(panel))
    assert titles(reading, "carousel") == [
        (1, "Judit Polgár"), (2, "Magnus Carlsen"), (3, "Hou Yifan"),
    ]  # fmt: skip
    items = [item for item in reading.items if item.block == "carousel"]
    assert [(i.entity, i.text) for i in items][:2] == [
        ("/m/01d6kj", "Born 1976"), ("/m/0291j3", "Born 1990"),
    ]  # fmt: skip
    assert shown_entity(items[0]).entity == "kg:/m/01d6kj"
    assert "carousel: grandmasters; lists not read: people_also_search_for, chess_books" in (
        reading.detail
    )


@pytest.mark.parametrize("key", ["people_also_search_for", "related_topics", "see_results_about"])
def test_what_other_people_search_for_is_never_the_answer(key):
    assert titles(read(ENGINE, page({key: PLAYERS})), "carousel") == []


def test_related_lists_are_told_by_their_links_whatever_they_are_called():
    assert titles(read(ENGINE, page({"chess_players": OTHERS})), "carousel") == []


def test_a_list_of_the_panel_answers_who_asks_for_it_by_name():
    panel = {"title": "Chess", "chess_books": BOOKS}
    assert titles(read(ENGINE, page(panel)), "carousel") == []
    asked_for = read(ENGINE, page(panel), text="books about chess")
    assert titles(asked_for, "carousel") == [(1, "My Life"), (2, "Zwischenzug")]


@check_each(
    ("panel", "n"),
    [
        ({"grandmasters": [tile("A"), tile("B")]}, 2),
        ({"title": "Chess", "grandmasters": [tile("A"), tile("B")]}, 0),
        ({"title": "Chess", "chess_players": [tile("A"), tile("B")]}, 2),
        ({"title": "Chess", "chess_player": [tile("A"), tile("B")]}, 2),
        ({"grandmasters": [tile("A")]}, 0),
    ],
)
def test_links_that_say_nothing_leave_it_to_names_and_panel(panel, n):
    assert len(titles(read(ENGINE, page(panel)), "carousel")) == n


def test_lists_of_links_to_elsewhere_are_no_carousel():
    panel = {
        "profiles": [{"name": "X", "link": "https://x.com/a"}] * 3,
        "founded_links": [{"text": "1976", "link": PLAYERS[0]["link"]}] * 3,
        "images": [{"name": "i", "link": "https://www.google.com/search?q=a&tbm=isch"}] * 3,
        "fans": [{"name": "i", "link": "https://google.com.evil.test/search?q=a"}] * 3,
    }
    assert titles(read(ENGINE, page(panel)), "carousel") == []


def test_a_carousel_that_lost_its_names_is_no_shorter_list():
    nameless = [{k: v for k, v in row.items() if k != "name"} for row in PLAYERS]
    reading = read(ENGINE, page({"grandmasters": nameless}))
    assert reading.outcome is Outcome.UNREADABLE
    assert "3 of 3 carousel" in reading.detail


def test_an_id_that_is_given_goes_before_that_of_the_link():
    rows = [PLAYERS[0] | {"kgmid": "/g/11b6"}, {"name": "B", "link": "https://www.google.com/"
            "search?kgmid=/m/0291j3&q=B"}, tile("C") | {"kgmid": "../m/1"}]  # fmt: skip
    reading = read(ENGINE, page({"players": rows}))
    found = [item.entity for item in reading.items if item.block == "carousel"]
    assert found == ["/g/11b6", "/m/0291j3", ""]


# --- other blocks -------------------------------------------------------------------------------


def test_every_block_stands_by_itself():
    content = page(
        {"title": "Chess", "type": "Board game", "kgmid": "/m/01lb5", "website": "https://c.org",
         "origin": "India", "origin_links": [], "players_stick": "H4s", "image": "https://i.org"},
        ads=[{"title": "Buy", "link": "https://shop.org", "description": "now"}],
        answer_box={"title": "Players", "answer": "two", "link": "https://a.org"},
        ai_overview={"text_blocks": [{"snippet": "Chess is"},
                                     {"list": [{"snippet": "a game"}]}]},
        related_questions=[{"question": "?"}],
    )  # fmt: skip
    reading = read(ENGINE, content)
    found = [(i.block, i.rank, i.title, i.text, i.url, i.entity) for i in reading.items]
    assert found == [
        ("organic", 1, "T0", "", "https://e.org/0", ""),
        ("organic", 2, "T1", "", "https://e.org/1", ""),
        ("knowledge", 1, "Chess", "Board game", "https://c.org", "/m/01lb5"),
        ("knowledge", 2, "origin", "India", "", ""),
        ("ad", 1, "Buy", "now", "https://shop.org", ""),
        ("answer", 1, "Players", "two", "https://a.org", ""),
        ("ai_overview", 1, "", "Chess is\na game", "", ""),
    ]
    assert reading.detail == "not read: related_questions"


OVERVIEW = {
    "text_blocks": [
        {"type": "paragraph", "snippet": "Chess has players.", "reference_indexes": [0]},
        {"type": "heading", "snippet": "Known ones"},
        {"type": "list", "list": [
            {"title": "Judit Polgár:", "snippet": "born 1976",
             "list": [{"snippet": "a grandmaster"}]},
            {"title": "Hou", "snippet": "Hou Yifan"}]},
        {"type": "table", "table": [["Name", "Born"], ["Magnus Carlsen", "1990"]]},
        {"type": "expandable", "title": "More", "text_blocks": [{"snippet": "There is more."}]},
    ],
    "references": [
        {"title": "Players", "link": "https://www.p.example/a", "source": "P", "index": 0},
        {"title": "Born", "link": "https://b.example/", "index": 1},
        {"title": "Players", "link": "https://www.p.example/a", "index": 2},
    ],
}  # fmt: skip
LINES = [
    "Chess has players.", "Known ones", "Judit Polgár: born 1976", "a grandmaster", "Hou Yifan",
    "Name", "Born", "Magnus Carlsen", "1990", "More", "There is more.",
]  # fmt: skip
SOURCES = [("Players", "p.example"), ("Born", "b.example")]


def test_an_overview_has_its_lines_and_its_sources_in_order():
    item, *people = read(ENGINE, page(ai_overview=OVERVIEW)).items[-4:]
    assert [(person.block, person.rank) for person in people] == [
        ("overview_people", rank) for rank in (1, 2, 3)
    ]
    assert [person.title for person in people] == ["Judit Polgár", "Hou Yifan", "Magnus Carlsen"]
    assert (item.block, item.state, item.text.split("\n")) == ("ai_overview", "shown", LINES)
    assert [(source.title, source.domain) for source in item.sources] == SOURCES


@check_each(
    ("overview", "state"),
    [
        ({"page_token": "K", "serpapi_link": "https://s"}, "loading"),
        ({"error": "An AI Overview is not available for this search"}, "declined"),
        ({"error": "Can't generate an AI overview right now. Try again later."}, "unavailable"),
        ({"text_blocks": []}, "unavailable"),
        ({}, "unavailable"),
    ],
)
def test_an_overview_without_text_has_a_state(overview, state):
    item = read(ENGINE, page(ai_overview=overview)).items[-1]
    assert (item.block, item.state, item.text, item.sources) == ("ai_overview", state, "", ())


@check_each(
    ("later", "state", "said"),
    [
        ({"K-1": OVERVIEW}, "shown", "HTTP 200 after "),
        ({"K-1": {"error": "not available for this"}}, "declined", "HTTP 200 after "),
        ({}, "loading", "HTTP 400 after "),
    ],
)
def test_an_overview_that_google_loads_later_is_asked_for_at_once(later, state, said):
    first = {QUESTION: {"ai_overview": {"page_token": "K-1", "serpapi_link": "https://s"}}}
    stand_in = SerpApi(key=KEY, results={QUESTION: HITS}, others=first, overviews=later)
    answer, reading, requests = ask(ENGINE, stand_in)
    assert [request.query["engine"] for request in requests] == ["google", "google_ai_overview"]
    assert dict(answer.observed)["later"].startswith(said)
    assert KEY.encode() not in answer.body
    assert [title for _, title in titles(reading)] == ["T0", "T1", "T2"]
    [item] = [item for item in reading.items if item.block == "ai_overview"]
    assert item.state == state
    assert bool(item.sources) == (state == "shown")


def test_a_question_that_google_rewrote_is_said():
    state = "Some results for exact spelling but showing fixed spelling results"
    about = {"organic_results_state": state, "spelling_fix": "cheese"}
    assert read(ENGINE, page(search_information=about)).detail == "altered: cheese"


@settings(max_examples=200, deadline=None)
@given(inner=searching.anything, frame=st.integers(0, 8), status=st.sampled_from([200, 400, 429]))
def test_no_answer_makes_it_raise(inner, frame, status):
    content = [
        inner,
        page(inner),
        page({"title": inner, "x": inner, "kgmid": inner, "type": inner}),
        page({"x": [inner, *PLAYERS]}),
        page({"x": [PLAYERS[0] | {"name": inner, "extensions": inner, "kgmid": inner}] * 2}),
        page(organic_results=[{"title": inner, "link": "https://e.org"}, inner]),
        page(ads=inner, answer_box=inner, ai_overview=inner, search_information=inner),
        page(answer_box={"answer": inner, "list": inner}, ai_overview={"text_blocks": inner}),
        {"search_metadata": {"status": inner}, "error": inner, "organic_results": inner},
    ][frame]
    searching.assert_any_json_is_read(ENGINE, content, status)


@settings(max_examples=100, deadline=None)
@given(link=st.text(max_size=60) | st.binary(max_size=60).map(lambda b: b.decode("latin-1")))
def test_no_link_makes_it_raise(link):
    for start in ("", "https://", "https://www.google.com/search?q=a&stick="):
        rows = [{"name": "A", "link": start + link}] * 2
        assert read(ENGINE, page({"x": rows})).outcome is Outcome.OK


# --- over the wire ------------------------------------------------------------------------------


def test_a_success_over_the_wire():
    app = SerpApi(key=KEY, results={QUESTION: HITS}, panels={QUESTION: {"players": PLAYERS}})
    answer, reading, [request] = ask(ENGINE, app, region=AUSTIN)
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert titles(reading) == [(1, "T0"), (2, "T1"), (3, "T2")]
    assert [n for n, _ in titles(reading, "carousel")] == [1, 2, 3]
    assert request.query["api_key"] == KEY
    assert KEY not in repr(answer)


def test_answers_are_not_taken_out_of_a_cache():
    app = SerpApi(key=KEY, results={QUESTION: HITS})
    ask(ENGINE, app)
    app.results[QUESTION] = HITS[:1]
    _, reading, _ = ask(ENGINE, app)
    assert titles(reading) == [(1, "T0")]


def test_nothing_found_over_the_wire():
    answer, reading, _ = ask(ENGINE, SerpApi(key=KEY, results={QUESTION: []}))
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.EMPTY)


def test_a_place_that_is_not_known_over_the_wire():
    answer, _, _ = ask(ENGINE, SerpApi(key=KEY, places=()), region=AUSTIN)
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.UNSUPPORTED)


@check_each(
    ("app", "outcome", "reason"),
    [
        (SerpApi(key="another-key"), Outcome.FAILED, Reason.AUTH),
        (SerpApi(key=KEY, quota_requests=0), Outcome.THROTTLED, Reason.QUOTA),
        (SerpApi(key=KEY, script=[SerpApi.rate_limited()]), Outcome.THROTTLED, Reason.RATE),
        (SerpApi(key=KEY, script=[SerpApi.failed()]), Outcome.FAILED, Reason.NONE),
    ],
)
def test_its_own_errors_over_the_wire(app, outcome, reason):
    answer, _, _ = ask(ENGINE, app)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@check_each(("fault", "way", "outcome", "reason"), ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, reading, _ = ask(ENGINE, SerpApi(key=KEY, script=[fault()]), way=way)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


def test_a_key_that_is_repeated_is_not_kept():
    searching.assert_scrubbed(ENGINE)


@check_each("name", [*REQUIRED, "quota"])
def test_a_recorded_answer_is_read_as_expected(name):
    searching.assert_recording(ENGINE, name)
