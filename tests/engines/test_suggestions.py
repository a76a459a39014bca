"""Completions of three engines: what is asked, opt-in, their order, answers of another shape."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from monitor.engines.search import bing_suggest, duckduckgo_suggest, google_suggest
from monitor.fetch import check_parts
from monitor.fetch.http import HttpFetcher, Way
from monitor.model import MissingPart, Outcome
from monitor.parameters import fill_defaults
from tests.engines.searching import probes, read
from tests.standins import serve
from tests.standins.suggestions import Suggestions

ENGINES = (google_suggest.ENGINE, bing_suggest.ENGINE, duckduckgo_suggest.ENGINE)
each = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
COMPLETIONS = ["women are strong", "women are from venus", "are men better drivers"]


def asked(engine, **config):
    settled = fill_defaults(engine.parameters, config)
    return engine.request(probes(("women are",)), settled)


def query(request):
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


def test_requests_are_as_browsers_send_them():
    google, bing, duckduckgo = (query(asked(engine)) for engine in ENGINES)
    assert google == {"client": "firefox", "q": "women are", "hl": "en", "gl": "us",
                      "ie": "utf-8", "oe": "utf-8"}  # fmt: skip
    assert bing == {"query": "women are", "mkt": "en-US"}
    assert duckduckgo == {"q": "women are", "type": "list", "kl": "us-en"}


@each
def test_nothing_is_asked_before_a_person_decides(engine, tmp_path):
    with pytest.raises(MissingPart, match="opt_in = true"):
        check_parts([asked(engine)], tmp_path)
    check_parts([asked(engine, opt_in=True)], tmp_path)


@each
def test_completions_keep_their_order(engine):
    with serve(Suggestions({"women are": COMPLETIONS})) as running:
        path = urlsplit(asked(engine).url).path
        request = asked(engine, opt_in=True, base_url=f"{running.url}{path}")
        [(_, answer)] = HttpFetcher(Way()).fetch([request])
    [reading] = engine.parse(answer, probes(("women are",)))
    assert engine.trouble(answer, {}) is None
    assert [(item.rank, item.title, item.block) for item in reading.items] == [
        (1, "strong", "organic"),
        (2, "from venus", "organic"),
        (3, "are men better drivers", "organic"),
    ]


@each
def test_completions_of_another_question_are_no_data(engine):
    content = json.dumps(["men are", ["men are strong"]]).encode()
    reading = read(engine, content, text="women are")
    assert reading.outcome is Outcome.UNREADABLE
    assert "another question" in reading.detail


@each
@pytest.mark.parametrize(
    "content",
    [{}, [], ["women are"], ["women are", "x"], [1, []], ["women are", [1]], ["women are", [" "]]],
)
def test_another_shape_is_unreadable(engine, content):
    reading = read(engine, json.dumps(content).encode(), text="women are")
    assert reading.outcome is Outcome.UNREADABLE


@each
def test_no_completions_are_an_answer(engine):
    reading = read(engine, b'["Women  are", []]', text="women are")
    assert (reading.outcome, reading.items) == (Outcome.EMPTY, ())
