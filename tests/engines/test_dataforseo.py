"""DataForSEO: one task a request, codes inside successes, lists of a page, ranks of results."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.search.dataforseo import ENGINE, _country_numbers, country_number
from monitor.faults import Then, find_consequence
from monitor.model import HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import ON_THE_WIRE, QUESTION, REQUIRED, ask, asked, read, titles
from tests.engines.services import KEY, judge, said
from tests.regions import US
from tests.standins import serve
from tests.standins.dataforseo import LOGIN, DataForSeo, carousel, task
from tests.standins.results import Hit
from tests.standins.serpapi import MEMBER, tile
from tests.standins.wire import json_answer

AUSTIN = replace(US, name="us-austin", place="Austin,Texas,United States")
BERLIN = replace(US, name="de-de", country="DE", language="de", locale="de-DE")
HITS = [Hit(f"T{n}", f"https://e.org/{n}", f"about {n}") for n in range(3)]
PLAYERS = [("Judit Polgár", "Born 1976"), ("Magnus Carlsen", "Born 1990")]


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.setenv("DATAFORSEO_LOGIN", LOGIN)
    monkeypatch.setenv("DATAFORSEO_PASSWORD", KEY)


def sent(request):
    [found] = json.loads(request.body)
    return found


def page(*items, **result):
    return json.loads(task(20000, "Ok.", [{"items": list(items), **result}]).body)


def organic(n, rank=None):
    rank = n if rank is None else rank
    return {"type": "organic", "rank_group": rank, "rank_absolute": rank + 10, "title": f"T{n}",
            "url": f"https://e.org/{n}"}  # fmt: skip


def strip(title, *tiles, kind="knowledge_graph_carousel_item"):
    """A list in a panel as DataForSEO has it, of tiles as SerpApi has them."""
    rows = [{"title": one["name"], "url": one["link"]} for one in tiles]
    return {"type": kind, "title": title, "items": rows}


def panel(*parts, title="Chess"):
    return {"type": "knowledge_graph", "rank_group": 1, "title": title, "items": list(parts)}


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, "chess & go", AUSTIN) == HttpRequest(
        "POST",
        "https://api.dataforseo.com/v3/serp/google/organic/live/advanced",
        (("Content-Type", "application/json"),),
        b'[{"keyword":"chess & go","location_name":"Austin,Texas,United States",'
        b'"language_code":"en","device":"desktop","os":"windows","depth":10,'
        b'"se_domain":"google.com","search_param":"&safe=off&nfpr=1"}]',
        signer="basic:DATAFORSEO_LOGIN/DATAFORSEO_PASSWORD",
    )


def test_a_question_arrives_although_it_is_decoded():
    assert sent(asked(ENGINE, "100% c++"))["keyword"] == "100%25 c%2B%2B"
    with pytest.raises(ValueError, match="at most 700"):
        asked(ENGINE, "x" * 701)


@check_each(
    ("region", "where"),
    [
        (US, {"location_code": 2840}),
        (BERLIN, {"location_code": 2276}),
        (AUSTIN, {"location_name": "Austin,Texas,United States"}),
        (replace(US, country="XX"), {"location_name": "XX"}),
    ],
)
def test_it_is_asked_from_the_place_else_from_the_country(region, where):
    task = sent(asked(ENGINE, region=region))
    assert {k: v for k, v in task.items() if k.startswith("location")} == where


def test_every_country_has_a_number_of_its_own():
    numbers = _country_numbers()
    assert len(set(numbers.values())) == len(numbers) > 240
    assert all(len(code) == 2 and code.isupper() for code in numbers)
    assert all(2000 < number < 2900 for number in numbers.values())
    assert [country_number(code) for code in ("gb", "PT", "JP", "EU")] == [
        2826, 2620, 2392, None,
    ]  # fmt: skip


def test_what_the_config_asks_for_is_sent():
    config = {"depth": 20, "device": "mobile", "load_ai_overview": True, "language_code": "pt",
              "search_param": "&filter=0"}  # fmt: skip
    found = sent(asked(ENGINE, **config))
    expected = {"depth": 20, "device": "mobile", "os": "android", "load_async_ai_overview": True,
                "language_code": "pt", "search_param": "&filter=0"}  # fmt: skip
    assert found | expected == found


@check_each(
    ("config", "words"),
    [
        ({}, ""),
        ({"device": "mobile", "os": "ios"}, ""),
        ({"os": "ios"}, "of a desktop windows or macos"),
        ({"depth": 201}, "at most 200"),
        ({"login": "me@lab.test"}, "not the key itself"),
        ({"password": "p"}, "not the key itself"),
        ({"base_url": "http://e.org"}, "https only"),
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
        (DataForSeo.unauthorized(), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (DataForSeo.unpaid(), Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (DataForSeo.failed(), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        (task(40101, "Internal SE Server Error."), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        (task(40100, "Not authorized."), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (task(40200, "Payment Required."), Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (task(40202, "Rates limit."), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (task(40204, "Access denied."), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (task(40209, "Too many."), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (task(40210, "Insufficient Funds."), Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
        (task(40000, "One task."), Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
        (task(40501, "Invalid Field: 'depth'."), Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
        (task(40501, "Invalid Field: 'location_name'."), Outcome.FAILED, Reason.UNSUPPORTED,
         Then.STOP_TARGET),
        (task(40602, "Task In Queue."), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        (task(50401, "Internal timeout."), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
        (task(30000, "What?"), Outcome.UNREADABLE, Reason.MALFORMED, Then.BACK_OFF),
    ],
)  # fmt: skip
def test_each_code_has_its_outcome(raw, outcome, reason, then):
    found = judge(ENGINE, said(raw.status, raw.body, raw.headers.items()))
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)
    assert f"HTTP {raw.status}: " in found.detail
    assert read(ENGINE, raw.body).outcome is Outcome.UNREADABLE


def test_a_days_limit_of_costs_lasts_until_the_day_ends_in_utc():
    raw = said(200, DataForSeo.quota().body)
    assert ENGINE.trouble(raw, {}).until == datetime(2026, 11, 22, tzinfo=UTC)


def test_no_search_results_is_empty():
    raw = task(40102, "No Search Results.").body
    assert judge(ENGINE, said(200, raw)).outcome is Outcome.OK
    assert read(ENGINE, raw).outcome is Outcome.EMPTY


@check_each(
    "content",
    [
        {}, [], b"", {"status_code": 20000}, {"status_code": 20000, "tasks": []},
        {"status_code": 20000, "tasks": [{}, {}]},
        {"status_code": True, "tasks": [{"status_code": 40102}]},
        json.loads(task(20000, "Ok.").body),
        json.loads(task(20000, "Ok.", []).body),
        json.loads(task(20000, "Ok.", [{"items": None}]).body),
        json.loads(task(20000, "Ok.", [{"items": [organic(1)]}] * 2).body),
    ],
)  # fmt: skip
def test_a_success_without_a_page_is_none(content):
    found = judge(ENGINE, said(200, content))
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert read(ENGINE, content).outcome is Outcome.UNREADABLE


def test_a_page_with_nothing_on_it_is_not_believed():
    reading = read(ENGINE, page())
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.SUSPECT_EMPTY)


# --- reading ------------------------------------------------------------------------------------


def test_results_stand_in_the_order_of_their_ranks():
    reading = read(ENGINE, page(organic(3), organic(1), organic(2)))
    assert titles(reading) == [(1, "T1"), (2, "T2"), (3, "T3")]
    as_listed = read(ENGINE, page(organic(3), organic(1) | {"rank_group": None}))
    assert titles(as_listed) == [(1, "T3"), (2, "T1")]


def test_the_carousel_of_the_page_is_read():
    reading = read(ENGINE, page(carousel("Players", PLAYERS), organic(1)))
    assert titles(reading, "carousel") == [(1, "Judit Polgár"), (2, "Magnus Carlsen")]
    assert [i.text for i in reading.items if i.block == "carousel"] == ["Born 1976", "Born 1990"]
    assert reading.detail == "carousel: Players"


def test_suggestions_below_the_results_are_no_answer():
    def suggestions(rank):
        rows = [{"type": "multi_carousel_element", "title": "Players",
                 "multi_carousel_snippets": [{"title": name} for name, _ in PLAYERS]}]  # fmt: skip
        return {"type": "multi_carousel", "rank_absolute": rank, "items": rows}

    knight = panel(title="Chess")
    below = read(ENGINE, page(knight, organic(1), suggestions(50)), text="chess")
    assert titles(below, "carousel") == []
    assert below.detail == "lists not read: Players"
    above = read(ENGINE, page(knight, suggestions(1), organic(1)), text="chess")
    assert len(titles(above, "carousel")) == 2


def test_lists_of_the_panel_are_told_apart_by_their_links():
    books = [tile("My Life", "/g/1", purpose=MEMBER, subject="/m/01lb5", collection="kc:/c")] * 2
    players = [tile("Judit Polgár", "/m/01d6kj"), tile("Hou Yifan", "/m/0bpv3c")]
    others = [tile("Go", "/m/02cb_g", purpose=MEMBER, collection="SidewaysNextSteps")] * 2
    parts = (strip("People also search for", *others), strip("Books", *books),
             strip("Masters", *players, kind="knowledge_graph_list_item"))  # fmt: skip
    reading = read(ENGINE, page(panel(*parts), organic(1)))
    assert titles(reading, "carousel") == [(1, "Judit Polgár"), (2, "Hou Yifan")]
    entities = [i.entity for i in reading.items if i.block == "carousel"]
    assert entities == ["/m/01d6kj", "/m/0bpv3c"]
    assert reading.detail == "carousel: Masters; lists not read: People also search for, Books"


def overview(**parts):
    return {"type": "ai_overview", "asynchronous_ai_overview": False, **parts}


def reference(title, url):
    return {"type": "ai_overview_reference", "title": title, "url": url, "source": "S"}


def test_an_overview_has_its_lines_and_its_sources_in_order():
    elements = [
        {"type": "ai_overview_element", "title": "Players", "text": "Judit Polgár\nHou Yifan",
         "references": [reference("Other", "https://o.example/")]},
        {"type": "ai_overview_table_element", "table": {"table_content": [["Name"], ["Magnus"]]}},
    ]  # fmt: skip
    cited = [reference("B", "https://www.b.example/x"), reference("A", "https://a.example/")]
    for is_late in (False, True):
        late = {"asynchronous_ai_overview": is_late}
        content = page(organic(1), overview(items=elements, references=cited, **late))
        item, *people = read(ENGINE, content).items[1:]
        assert (item.block, item.state) == ("ai_overview", "shown")
        assert [(one.block, one.title) for one in people] == [
            ("overview_people", "Judit Polgár"), ("overview_people", "Hou Yifan"),
        ]  # fmt: skip
        assert item.text.split("\n") == ["Players", "Judit Polgár", "Hou Yifan", "Name", "Magnus"]
        assert [(s.title, s.domain) for s in item.sources] == [
            ("B", "b.example"), ("A", "a.example"),
        ]  # fmt: skip
    item = read(ENGINE, page(organic(1), overview(items=elements))).items[1]
    assert [source.title for source in item.sources] == ["Other"]


def test_an_overview_without_text_is_still_loading_or_was_not_to_be_had():
    for is_late, state in ((True, "loading"), (False, "unavailable")):
        late = overview(items=None, asynchronous_ai_overview=is_late)
        item = read(ENGINE, page(organic(1), late)).items[-1]
        assert (item.block, item.state, item.text) == ("ai_overview", state, "")


def test_every_block_stands_by_itself():
    rows = {"type": "knowledge_graph_row_item", "title": "Origin", "text": "India"}
    reading = read(
        ENGINE,
        page(
            {"type": "paid", "title": "Buy", "url": "https://shop.org", "description": "now"},
            {"type": "ai_overview", "items": [{"text": "Chess is"}, {"text": "a game"}]},
            {"type": "featured_snippet", "featured_title": "Two", "description": "players"},
            {"type": "answer_box", "text": ["64", "squares"]},
            panel(rows, {"type": "knowledge_graph_description_item"}) | {"subtitle": "Game"},
            organic(1),
            {"type": "people_also_ask", "items": []},
            {"type": "ai_overview", "items": None, "asynchronous_ai_overview": True},
            spell={"keyword": "chess players", "type": "showing_results_for"},
        ),
    )
    found = [(i.block, i.rank, i.title, i.text) for i in reading.items]
    assert found == [
        ("organic", 1, "T1", ""),
        ("ad", 1, "Buy", "now"),
        ("answer", 1, "Two", "players"),
        ("answer", 2, "", "64 squares"),
        ("knowledge", 1, "Chess", "Game"),
        ("knowledge", 2, "Origin", "India"),
        ("ai_overview", 1, "", "Chess is\na game"),
    ]
    assert reading.detail == ("showing_results_for: chess players; not read: people_also_ask")


def test_a_list_that_lost_its_titles_is_no_shorter_list():
    blank = organic(2) | {"title": None}
    reading = read(ENGINE, page(organic(1), blank, blank))
    assert reading.outcome is Outcome.UNREADABLE
    assert "2 of 3 organic" in reading.detail


@settings(max_examples=200, deadline=None)
@given(inner=searching.anything, frame=st.integers(0, 9), status=st.sampled_from([200, 401, 500]))
def test_no_answer_makes_it_raise(inner, frame, status):
    content = [
        inner,
        {"status_code": inner, "status_message": inner, "tasks": inner},
        {"status_code": 20000, "tasks": [inner]},
        {"status_code": 20000, "tasks": [{"status_code": inner, "result": inner}]},
        {"status_code": 20000, "tasks": [{"status_code": 20000, "result": [inner]}]},
        page(inner, spell=inner),
        page({"type": inner, "rank_group": inner, "rank_absolute": inner}, organic(1)),
        page(*({"type": kind, "title": inner, "items": inner, "text": inner, "card_id": inner}
               for kind in ("carousel", "multi_carousel", "knowledge_graph", "ai_overview",
                            "answer_box", "featured_snippet", "paid"))),
        page(panel(inner, strip("x") | {"items": inner}, title="x"), carousel("y", PLAYERS)),
        page(organic(1) | {"title": inner, "url": inner, "rank_group": inner}, organic(2)),
    ][frame]  # fmt: skip
    searching.assert_any_json_is_read(ENGINE, content, status)


# --- over the wire ------------------------------------------------------------------------------


def test_a_success_over_the_wire():
    items = {QUESTION: [carousel("Players", PLAYERS)]}
    app = DataForSeo(key=KEY, results={QUESTION: HITS}, items=items)
    answer, reading, [request] = ask(ENGINE, app, region=AUSTIN)
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert titles(reading) == [(1, "T0"), (2, "T1"), (3, "T2")]
    assert len(titles(reading, "carousel")) == 2
    assert request.headers["authorization"].startswith("Basic ")
    assert KEY not in repr(answer)


def test_a_question_with_signs_arrives_as_it_is():
    text = "100% c++ players"
    app = DataForSeo(key=KEY, results={text: HITS[:1]})
    _, reading, _ = ask(ENGINE, app, text=text)
    assert titles(reading) == [(1, "T0")]


def test_nothing_found_over_the_wire():
    answer, reading, _ = ask(ENGINE, DataForSeo(key=KEY, results={QUESTION: []}))
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.EMPTY)


@check_each(
    ("app", "region", "outcome", "reason"),
    [
        (DataForSeo(key="another-key"), US, Outcome.FAILED, Reason.AUTH),
        (DataForSeo(key=KEY, quota_requests=0), US, Outcome.THROTTLED, Reason.QUOTA),
        (DataForSeo(key=KEY, own=(40101, "Internal SE Server Error.")), US, Outcome.FAILED,
         Reason.NONE),
        (DataForSeo(key=KEY), replace(US, country="JP"), Outcome.FAILED, Reason.UNSUPPORTED),
        (DataForSeo(key=KEY), replace(US, language="xx"), Outcome.FAILED, Reason.UNSUPPORTED),
    ],
)  # fmt: skip
def test_its_own_errors_over_the_wire(app, region, outcome, reason):
    answer, _, _ = ask(ENGINE, app, region=region)
    assert (answer.outcome, answer.reason) == (outcome, reason)


@check_each(("fault", "way", "outcome", "reason"), ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    answer, reading, _ = ask(ENGINE, DataForSeo(key=KEY, script=[fault()]), way=way)
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


def test_name_and_password_that_are_repeated_are_not_kept():
    seen = []

    def parrot(request, wire):
        seen.append(request.headers["authorization"].removeprefix("Basic "))
        wire.send(json_answer(200, dict(request.headers), {"X-Echo": seen[0]}))

    with serve(parrot) as running:
        answer, _, _ = ask(ENGINE, parrot, base_url=running.url)
    assert seen[0] not in repr(answer)
    assert KEY not in repr(answer)


@check_each("name", [*REQUIRED, "quota"])
def test_a_recorded_answer_is_read_as_expected(name):
    searching.assert_recording(ENGINE, name)
