"""OpenSearch: exact requests, partial rankings, documents of any shape, three ways to prove who."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.engines.search.opensearch import ENGINE
from monitor.faults import Then, find_consequence
from monitor.model import HttpRequest, Outcome, Reason
from tests.cases import check_each
from tests.engines import searching
from tests.engines.searching import ON_THE_WIRE, QUESTION, REQUIRED, ask, asked, read, titles
from tests.engines.services import KEY, judge, said
from tests.regions import US
from tests.standins.opensearch import LOGIN, OpenSearch
from tests.standins.results import Hit

OWN = {"base_url": "https://search.lab.test", "index": "pages"}
HITS = [Hit(f"T{n}", f"https://e.org/{n}", f"about {n}") for n in range(3)]


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.setenv("INDEX_KEY", KEY)
    monkeypatch.setenv("INDEX_LOGIN", LOGIN)


def page(*sources, total=None, **others):
    rows = [{"_id": str(n), "_source": source} for n, source in enumerate(sources)]
    total = {"value": len(rows), "relation": "eq"} if total is None else total
    whole = {"timed_out": False, "_shards": {"total": 1, "failed": 0}}
    return {**whole, "hits": {"total": total, "hits": rows}, **others}


def document(n):
    return {"title": f"T{n}", "url": f"https://e.org/{n}", "text": f"about {n}"}


# --- asking -------------------------------------------------------------------------------------


def test_a_request_is_as_documented():
    assert asked(ENGINE, "chess & go", **OWN) == HttpRequest(
        "POST",
        "https://search.lab.test/pages/_search?allow_partial_search_results=false",
        (("Content-Type", "application/json"),),
        b'{"query":{"multi_match":{"query":"chess & go","fields":["title","text"],'
        b'"operator":"or"}},"size":10,"_source":["title","url","text"]}',
    )


def test_one_field_is_a_match():
    request = asked(ENGINE, "chess", **OWN, fields="body", operator="and", size=50)
    body = json.loads(request.body)
    assert body["query"] == {"match": {"body": {"query": "chess", "operator": "and"}}}
    assert body["size"] == 50
    weighed = json.loads(asked(ENGINE, "chess", **OWN, fields="title^2.5, text").body)["query"]
    assert weighed["multi_match"]["fields"] == ["title^2.5", "text"]


def test_who_asks_is_proved_with_a_key_or_a_password():
    request = asked(ENGINE, **OWN, key="INDEX_KEY")
    assert ("Authorization", "ApiKey secret:INDEX_KEY") in request.headers
    request = asked(ENGINE, **OWN, login="INDEX_LOGIN", password="INDEX_KEY")
    assert request.signer == "basic:INDEX_LOGIN/INDEX_KEY"
    assert asked(ENGINE, **OWN).signer == ""


@check_each(
    ("config", "words"),
    [
        (OWN, ""),
        (OWN | {"base_url": "http://10.0.0.3:9200"}, ""),
        (OWN | {"index": "pages-2026,archive*"}, ""),
        (OWN | {"key": "INDEX_KEY"}, ""),
        (OWN | {"key": "INDEX_KEY", "base_url": "http://10.0.0.3:9200"}, "https only"),
        (OWN | {"login": "A", "password": "B", "base_url": "http://10.0.0.3"}, "https only"),
        ({"index": "pages"}, "config needs 'base_url'"),
        ({"base_url": "https://e.org"}, "config needs 'index'"),
        (OWN | {"index": "_all"}, "no name of an index"),
        (OWN | {"index": "a/_doc"}, "no name of an index"),
        (OWN | {"index": "pages?x=1"}, "no name of an index"),
        (OWN | {"index": "pages,"}, "no name of an index"),
        (OWN | {"fields": "title,,text"}, "names with commas"),
        (OWN | {"fields": "title^x"}, "names with commas"),
        (OWN | {"size": 10_001}, "at most 10000"),
        (OWN | {"operator": "xor"}, "one of or"),
        (OWN | {"login": "A"}, "belong together"),
        (OWN | {"key": "K", "login": "A", "password": "B"}, "either key or login"),
        (OWN | {"key": "a-secret"}, "not the key itself"),
    ],
)
def test_a_config_is_checked(config, words):
    found = ENGINE.check("en", US.name, config)
    assert words in found
    assert bool(found) == bool(words)


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "outcome", "reason", "then"),
    [
        (OpenSearch.unauthorized(), Outcome.FAILED, Reason.AUTH, Then.STOP),
        (OpenSearch.rejected(), Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
        (OpenSearch.unavailable(), Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
    ],
)
def test_each_error_has_its_outcome(raw, outcome, reason, then):
    found = judge(ENGINE, said(raw.status, raw.body, raw.headers.items()), **OWN)
    assert (found.outcome, found.reason, find_consequence(found)) == (outcome, reason, then)
    assert f"HTTP {raw.status}: " in found.detail


@check_each(
    ("content", "words"),
    [
        (page(document(1), timed_out=True), "ran out of time"),
        (page(document(1), timed_out=None), "ran out of time"),
        (page(document(1), _shards={"failed": 2}), "2 shards failed"),
        (page(document(1), _shards=None), "some shards failed"),
        (page(document(1), _clusters={"skipped": 1}), "clusters were left out"),
        (page(timed_out=True), "ran out of time"),
    ],
)
def test_a_list_with_a_part_of_the_index_missing_is_none(content, words):
    found = judge(ENGINE, said(200, content), **OWN)
    assert (found.outcome, found.reason, find_consequence(found)) == (
        Outcome.FAILED, Reason.NONE, Then.BACK_OFF,
    )  # fmt: skip
    assert words in found.detail
    reading = read(ENGINE, content)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.SHORT)


@check_each(
    "content", [{}, [], b"", {"hits": {}}, page() | {"hits": {"hits": {}}}, page() | {"hits": []}]
)
def test_a_success_without_a_list_is_none(content):
    found = judge(ENGINE, said(200, content), **OWN)
    assert (found.outcome, found.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert read(ENGINE, content).outcome is Outcome.UNREADABLE


# --- reading ------------------------------------------------------------------------------------


@check_each(
    ("total", "outcome"),
    [
        ({"value": 0, "relation": "eq"}, Outcome.EMPTY),
        (0, Outcome.EMPTY),
        ({"value": 7}, Outcome.UNREADABLE),
        ({}, Outcome.UNREADABLE),
        (False, Outcome.UNREADABLE),
    ],
)
def test_only_a_total_of_nothing_is_empty(total, outcome):
    reading = read(ENGINE, page(total=total))
    assert reading.outcome is outcome
    assert (reading.reason is Reason.SUSPECT_EMPTY) == (outcome is Outcome.UNREADABLE)


def test_documents_are_read_as_the_config_says():
    own = ENGINE.configured(OWN | {"title_field": "meta.name", "url_field": "links",
                                   "text_field": "a.b"})  # fmt: skip
    sources = [
        {"meta": {"name": "A"}, "links": ["https://e.org/a", "x"], "a.b": "flat"},
        {"meta": {"name": " B\nC "}, "links": "https://e.org/b", "a": {"b": "x" * 5000}},
    ]
    reading = read(own, page(*sources))
    assert [(i.title, i.url, len(i.text)) for i in reading.items] == [
        ("A", "https://e.org/a", 4), ("B C", "https://e.org/b", 1000),
    ]  # fmt: skip
    assert ENGINE.reads == ("title", "url", "text")
    assert read(ENGINE, page(*sources)).outcome is Outcome.UNREADABLE


def test_fields_that_are_not_there_are_named():
    found = judge(ENGINE, said(200, page({"name": "A"})), **OWN)
    assert found.outcome is Outcome.UNREADABLE
    assert "see title_field and url_field" in found.detail


@settings(max_examples=200, deadline=None)
@given(inner=searching.anything, frame=st.integers(0, 5), status=st.sampled_from([200, 404, 429]))
def test_no_answer_makes_it_raise(inner, frame, status):
    content = [
        inner,
        page(inner, inner, total=inner),
        page(document(1) | {"title": inner, "text": inner}, document(2)),
        page(document(1), timed_out=inner, _shards=inner, _clusters=inner),
        page() | {"hits": {"total": {"value": inner}, "hits": inner}},
        {"error": {"type": inner, "reason": inner}, "status": inner},
    ][frame]
    searching.assert_any_json_is_read(ENGINE, content, status, **OWN)


# --- over the wire ------------------------------------------------------------------------------


def test_a_success_over_the_wire():
    app = OpenSearch(key=None, results={QUESTION: HITS})
    answer, reading, _ = ask(ENGINE, app, index="pages", size=2)
    assert (answer.outcome, reading.outcome) == (Outcome.OK, Outcome.OK)
    assert titles(reading) == [(1, "T0"), (2, "T1")]


@pytest.mark.parametrize(
    "proof", [{"key": "INDEX_KEY"}, {"login": "INDEX_LOGIN", "password": "INDEX_KEY"}]
)
def test_who_asks_is_believed_over_the_wire(proof):
    answer, reading, [request] = ask(ENGINE, OpenSearch(key=KEY), index="pages", **proof)
    assert (answer.outcome, len(reading.items)) == (Outcome.OK, 10)
    assert "authorization" in request.headers
    assert KEY not in repr(answer)


def test_documents_of_another_shape_over_the_wire():
    def shape(hit):
        return {"page": {"title": hit.title}, "address": hit.url, "body": hit.text}

    config = {"index": "pages", "fields": "page.title,body", "title_field": "page.title",
              "url_field": "address", "text_field": "body"}  # fmt: skip
    own = ENGINE.configured(config)
    answer, reading, _ = ask(own, OpenSearch(key=None, shape=shape), **config)
    assert (answer.outcome, len(reading.items)) == (Outcome.OK, 10)


def test_nothing_found_over_the_wire():
    _, reading, _ = ask(ENGINE, OpenSearch(key=None, results={QUESTION: []}), index="pages")
    assert reading.outcome is Outcome.EMPTY


@check_each(
    ("app", "config", "outcome", "words"),
    [
        (OpenSearch(key=KEY), {}, Outcome.FAILED, "security_exception"),
        (OpenSearch(key=None), {"index": "books"}, Outcome.FAILED, "correct `index`"),
        (OpenSearch(key=None, quota_requests=0), {}, Outcome.THROTTLED, "rejected"),
        (OpenSearch(key=None, failed_shards=1), {}, Outcome.FAILED, "1 shards failed"),
        (OpenSearch(key=None, timed_out=True), {}, Outcome.FAILED, "ran out of time"),
    ],
)
def test_its_own_errors_over_the_wire(app, config, outcome, words):
    answer, _, _ = ask(ENGINE, app, **{"index": "pages", **config})
    assert answer.outcome is outcome
    assert words in answer.detail


@check_each(("fault", "way", "outcome", "reason"), ON_THE_WIRE)
def test_what_becomes_of_a_fault(fault, way, outcome, reason):
    app = OpenSearch(key=None, script=[fault()])
    answer, reading, _ = ask(ENGINE, app, way=way, index="pages")
    assert (answer.outcome, answer.reason) == (outcome, reason)
    assert reading.outcome is Outcome.UNREADABLE


def test_a_key_that_is_repeated_is_not_kept():
    searching.assert_scrubbed(ENGINE, index="pages", key="INDEX_KEY")


@check_each("name", [*REQUIRED, "rejected"])
def test_a_recorded_answer_is_read_as_expected(name):
    searching.assert_recording(ENGINE, name)
