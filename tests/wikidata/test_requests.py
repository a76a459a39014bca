"""What Wikidata is asked, and how rows are read; nothing in a name breaks out of a query."""

import contextlib
import json
import re
from datetime import UTC, datetime
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.model import Answer, Fault, Outcome
from monitor.wikidata import requests
from monitor.wikidata.requests import NotReadable
from tests.cases import check_each
from tests.standins import wikidata as standin

NOW = datetime(2026, 1, 5, tzinfo=UTC)
ENTITY = "http://www.wikidata.org/entity/"


def answer(body, status=200, outcome=Outcome.OK, headers=()):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(outcome, NOW, 0.1, status=status, body=body, headers=tuple(headers))


def received(sent, outcome=Outcome.OK):
    return answer(sent.body, sent.status, outcome, sent.headers.items())


def form(request):
    return {key: value[-1] for key, value in parse_qs(request.body.decode()).items()}


# --- rows ---------------------------------------------------------------------------------------


def test_rows_are_plain_and_missing_values_absent():
    sent = standin.bindings([{"g": f"{ENTITY}Q6581072", "n": "12"}, {"n": "3"}])
    assert requests.read_rows(received(sent)) == [{"g": f"{ENTITY}Q6581072", "n": "12"}, {"n": "3"}]


def test_no_rows_are_an_empty_result_and_not_an_error():
    assert requests.read_rows(answer({"head": {"vars": []}, "results": {"bindings": []}})) == []


def test_unknown_values_are_told_from_items():
    sent = standin.bindings([{"g": "t284055162"}], blanks={"t284055162"})
    [row] = requests.read_rows(received(sent))
    assert requests.is_unknown(row["g"])
    assert requests.is_unknown("http://www.wikidata.org/.well-known/genid/1234")
    assert not requests.is_unknown(f"{ENTITY}Q6581072")


@check_each(
    "sent",
    [standin.timed_out(), standin.cut_short(), standin.qlever_exception(200), standin.too_many()],
)
def test_what_is_no_result_is_said_so(sent):
    with pytest.raises(NotReadable):
        requests.read_rows(received(sent))


@check_each(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b"1" * 5_000,
        {"head": {}, "boolean": True},
        {"results": {"bindings": None}},
        {"results": {"bindings": [1]}},
        {"results": {"bindings": [{"a": "text"}]}},
        {"results": {"bindings": [{"a": {"type": "uri"}}]}},
        {"results": {"bindings": [{"a": {"type": "uri", "value": 3}}]}},
    ],
)
def test_no_malformed_answer_passes_as_rows(body):
    with pytest.raises(NotReadable):
        requests.read_rows(answer(body))


def test_an_answer_that_failed_is_not_read_whatever_it_holds():
    sent = standin.bindings([{"n": "3"}])
    with pytest.raises(NotReadable, match="throttled"):
        requests.read_rows(received(sent, Outcome.THROTTLED))


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(body):
    found = answer(body)
    requests.answer_trouble(found)
    for read in (requests.read_rows, requests.api_content):
        with contextlib.suppress(NotReadable):
            read(found)


def test_real_answers_are_read(reference_data):
    folder = reference_data / "serps" / "wikidata"
    rows = requests.read_rows(answer((folder / "sparql_multi_vars_bnode.json").read_bytes()))
    assert requests.item_id(rows[0]["entity"]) == "Q3731207"
    assert [requests.is_unknown(row["entity"]) for row in rows] == [False, True, False]
    named = requests.read_rows(answer((folder / "sparql_labels_aliases.json").read_bytes()))
    assert {"Daniel Rojo", "Søren Kierkegaard"} <= {row["itemLabel"] for row in named}


# --- trouble ------------------------------------------------------------------------------------


@check_each(
    ("sent", "fault"),
    [
        (standin.timed_out(), Fault.TRANSIENT),
        (standin.cut_short(), Fault.TRANSIENT),
        (standin.too_many(), Fault.RATE),
        (standin.lagging(), Fault.RATE),
        (standin.qlever_exception(), Fault.BAD_REQUEST),
        (standin.qlever_exception(200), Fault.BAD_REQUEST),
    ],
)
def test_every_error_has_its_fault(sent, fault):
    assert requests.answer_trouble(received(sent)).fault is fault


def test_an_answer_of_the_edge_is_a_block():
    assert requests.answer_trouble(answer(b"bad agent", 403)).fault is Fault.BLOCKED
    html = answer(b"<!doctype html><title>Wikimedia Error</title>")
    assert requests.answer_trouble(html).fault is Fault.DRIFT


@check_each(
    ("body", "fault"),
    [
        ([], Fault.DRIFT),
        ({"error": "no"}, Fault.BAD_REQUEST),
        ({"error": {"code": "no-such-entity"}}, Fault.BAD_REQUEST),
        ({"error": {"code": "readonly"}}, Fault.TRANSIENT),
        ({"error": {"code": "internal_api_error_DBQueryError"}}, Fault.TRANSIENT),
        ({"error": {"code": "ratelimited"}}, Fault.RATE),
    ],
)
def test_errors_come_with_status_200(body, fault):
    assert requests.answer_trouble(answer(body)).fault is fault
    if body:
        with pytest.raises(NotReadable):
            requests.api_content(answer(body))


def test_a_result_is_no_trouble():
    assert requests.answer_trouble(received(standin.bindings([{"n": "3"}]))) is None


# --- requests -----------------------------------------------------------------------------------


@given(st.text(max_size=60))
def test_no_text_ends_its_literal(text):
    found = requests.sparql_literal(text)
    assert re.fullmatch(r'"([^"\\\n\r]|\\["\\nrt])*"', found)
    found.encode()


@check_each("item", ["", "Q", "Q0", "q5", "P31", "Q5 }", "Q5|Q6", "Q2147483648", "Q٣"])
def test_only_items_are_asked_for(item):
    assert not requests.is_item(item)
    with pytest.raises(ValueError, match="no item"):
        requests.entities_request("https://w.test", [item])
    with pytest.raises(ValueError, match="no item"):
        requests.item_iris([item])


def test_a_request_takes_fifty_items_and_no_more():
    ids = [f"Q{number}" for number in range(1, 52)]
    assert form(requests.entities_request("https://w.test", ids[:50]))["ids"].count("|") == 49
    for wrong in (ids, []):
        with pytest.raises(ValueError, match="1 to 50"):
            requests.entities_request("https://w.test", wrong)
        with pytest.raises(ValueError, match="1 to 50"):
            requests.sitelinks_request("https://w.test", "enwiki", wrong)


def test_a_title_cannot_add_another():
    sent = form(requests.sitelinks_request("https://w.test", "enwiki", ["A|B", "C"]))
    assert sent["titles"] == "\x1fA|B\x1fC"
    assert "normalize" not in sent
    with pytest.raises(ValueError, match="control"):
        requests.sitelinks_request("https://w.test", "enwiki", ["A\x1fB"])
    with pytest.raises(ValueError, match="no site"):
        requests.sitelinks_request("https://w.test", "enwiki&ids=Q1", ["A"])


def test_a_search_names_humans_and_the_occupation():
    sent = form(requests.people_search("https://w.test", "Ada Lovelace", "Q82594"))
    assert sent["srsearch"] == '"Ada Lovelace" haswbstatement:P31=Q5 haswbstatement:P106=Q82594'
    assert (
        "P106" not in form(requests.people_search("https://w.test", "Ada Lovelace", ""))["srsearch"]
    )


def test_a_query_that_is_too_long_leaves_the_occupations_out():
    many = [f"Q{number}" for number in range(100_000, 100_060)]
    sent = form(requests.people_search("https://w.test", "Ada Lovelace", *many))["srsearch"]
    assert sent == '"Ada Lovelace" haswbstatement:P31=Q5'


@check_each(
    "name",
    ['Ada" haswbstatement:P31=Q6 "', "Ada*", "Ada~2", "Ada\\", 'A"d"a', "Ada\x00\x1fL", "a?b"],
)
def test_a_name_cannot_change_its_search(name):
    sent = form(requests.people_search("https://w.test", name))["srsearch"]
    words = sent.removesuffix(" haswbstatement:P31=Q5")
    assert words[0] == words[-1] == '"'
    assert not set(words[1:-1]) & set('"\\*?~\x00\x1f')


@check_each("name", ["", "   ", '"*~"', "x" * 201, "Ada " * 3_000])
def test_what_is_no_name_is_not_searched(name):
    assert requests.search_words(name) == ""
    with pytest.raises(ValueError, match="no name"):
        requests.people_search("https://w.test", name)


def test_ids_in_addresses():
    assert requests.item_id(f"{ENTITY}Q42") == "Q42"
    assert requests.item_id("https://www.wikidata.org/wiki/Q42") == "Q42"
    for wrong in ("Q42", f"{ENTITY}P31", f"{ENTITY}Q42-abc", "http://evil.test/entity/Q42"):
        assert requests.item_id(wrong) == ""


def test_a_query_that_was_too_slow_is_to_be_asked_in_halves():
    slow, gone = received(standin.timed_out()), received(standin.too_many())
    assert requests.trouble_of_query(slow).fault is Fault.BAD_REQUEST
    assert requests.trouble_of_query(gone).fault is Fault.RATE
