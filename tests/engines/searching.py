"""What the tests of search engines behind HTTP share: questions, real answers, recorded ones."""

import json
from dataclasses import replace

import pytest
from hypothesis import strategies as st

from monitor import parameters, registry
from monitor.fetch.http import HttpFetcher, Way
from monitor.jobs import as_configured
from monitor.model import Fault, Outcome, Probe, Reason
from tests.engines import services
from tests.engines.services import KEY, judge, said
from tests.regions import US
from tests.standins import faults, serve
from tests.standins.wire import json_answer

QUESTION = "list of chess players"
REQUIRED = ("ok", "empty", "blocked")
PAGE = said(200, faults.html_block().body, [("Content-Type", "text/html; charset=utf-8")])

#: As services.ON_THE_WIRE, but a page that asks for a CAPTCHA is a block.
ON_THE_WIRE = [
    *(param for param in services.ON_THE_WIRE if param.id != "page"),
    pytest.param(faults.html_block, Way(), Outcome.BLOCKED, Reason.NONE, id="page"),
]


def probes(texts=(QUESTION,), region=US, language="en"):
    """Questions as they are put in a region."""
    return [
        Probe(text, language, region=region.name, parameters=region.parameters) for text in texts
    ]


def asked(engine, text=QUESTION, region=US, **config):
    """The request as `collect` makes it: defaults filled in."""
    settled = parameters.fill_defaults(engine.parameters, config)
    return engine.request(probes((text,), region), settled)


def read(engine, content, url="", text=QUESTION, region=US):
    """The reading of a success with this content."""
    answer = replace(said(200, content), url=url)
    [reading] = engine.parse(answer, probes((text,), region))
    return reading


def shown(reading):
    """What a reading shows, as recordings list it."""
    return [
        {"block": item.block, "rank": item.rank, "title": item.title, "url": item.url}
        for item in reading.items
    ]


def titles(reading, block="organic"):
    """(rank, title) of the items of a block."""
    return [(item.rank, item.title) for item in reading.items if item.block == block]


def ask(engine, stand_in, text=QUESTION, way=None, region=US, **config):
    """(answer, its reading, what the stand-in was asked) through the real fetcher."""
    with serve(stand_in) as running:
        request = asked(engine, text, region, **{"base_url": running.url, **config})
        [(_, raw)] = HttpFetcher(way or Way()).fetch([request])
        answer = judge(engine, raw, **config)
        [reading] = engine.parse(answer, probes((text,), region))
        return answer, reading, running.requests


def assert_scrubbed(engine, **config):
    """A service that repeats the key it was asked with does not get it into the evidence."""
    seen = []

    def parrot(request, wire):
        everything = {"target": request.target, **request.headers}
        seen.append(json.dumps(everything))
        wire.send(json_answer(403, {"message": everything}, {"X-Echo": request.target}))

    with serve(parrot) as running:
        request = asked(engine, base_url=running.url, **config)
        [(_, raw)] = HttpFetcher(Way()).fetch([request])
    assert KEY in seen[0]
    assert KEY not in repr(request)
    assert KEY not in repr(judge(engine, raw, **config))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


def assert_any_json_is_read(engine, content, status, **config):
    """One reading with ranks and titles, and a known fault or none, whatever comes."""
    raw = said(status, content)
    trouble = engine.trouble(raw, parameters.fill_defaults(engine.parameters, config))
    assert trouble is None or trouble.fault in set(Fault)
    assert all(isinstance(part, str) for pair in engine.identity(raw) for part in pair)
    [reading] = engine.parse(raw, probes())
    assert (reading.outcome is Outcome.OK) == bool(reading.items)
    for block in {item.block for item in reading.items}:
        of_block = [item for item in reading.items if item.block == block]
        assert [item.rank for item in of_block] == list(range(1, len(of_block) + 1))
        assert all((item.title or item.text or item.state or "").strip() for item in of_block)
    two = engine.parse(raw, probes(("a", "b")))
    assert [one.outcome for one in two] == [Outcome.UNREADABLE] * 2


def recording(engine, name):
    """(answer, readings, what is expected of both) of a recorded exchange."""
    path = services.RECORDINGS / engine.name / f"{name}.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert registry.engine(engine.name) is engine
    some = [
        Probe(
            text,
            kept["source_lang"],
            region=kept["region"]["name"],
            parameters=tuple(sorted(kept["region"]["parameters"].items())),
        )
        for text in kept["probes"]
    ]
    settled = parameters.fill_defaults(engine.parameters, kept["config"])
    raw = said(kept["status"], kept["body"].encode(), kept["headers"].items())
    url = kept.get("url") or engine.request(some, settled).url
    answer = judge(engine, replace(raw, url=url), **kept["config"])
    return answer, as_configured(engine, settled).parse(answer, some), kept


def assert_recording(engine, name):
    answer, readings, kept = recording(engine, name)
    assert (answer.outcome, answer.reason) == (kept["outcome"], kept["reason"])
    found = [
        {"outcome": one.outcome, "reason": one.reason, "items": shown(one)} for one in readings
    ]
    assert found == kept["readings"]
