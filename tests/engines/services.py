"""What the tests of engines behind HTTP share: answers by hand, real ones, recorded ones."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from monitor import parameters, registry
from monitor.faults import judge_answer
from monitor.fetch.http import HttpFetcher, Way
from monitor.model import Answer, Outcome, Probe, Reason
from tests.standins import faults, serve
from tests.standins.wire import json_answer

AT = datetime(2026, 11, 21, 5, tzinfo=UTC)
TEXTS = ("I am a nurse.", "I am tired.")
KEY = "s3cret-of-this-machine"
RECORDINGS = Path(__file__).parent / "recordings"
REQUIRED = ("ok", "quota", "poisoned")

#: (fault in front of a service, how it is asked, outcome, reason)
ON_THE_WIRE = [
    pytest.param(fault, way, outcome, reason, id=name)
    for name, fault, way, outcome, reason in [
        ("malformed", faults.malformed, Way(), Outcome.UNREADABLE, Reason.MALFORMED),
        ("page", faults.html_block, Way(), Outcome.UNREADABLE, Reason.MALFORMED),
        ("no body", faults.empty, Way(), Outcome.UNREADABLE, Reason.MALFORMED),
        ("truncated", faults.truncated, Way(), Outcome.FAILED, Reason.TRUNCATED),
        ("reset", faults.reset, Way(), Outcome.FAILED, Reason.TRUNCATED),
        ("slow drip", faults.slow_drip, Way(seconds=0.5), Outcome.TIMEOUT, Reason.NONE),
        ("silence", faults.silence, Way(seconds=0.3), Outcome.TIMEOUT, Reason.NONE),
        ("10 MB", faults.huge, Way(most_bytes=2**20), Outcome.UNREADABLE, Reason.OVERSIZE),
        ("bomb", faults.gzip_bomb, Way(most_bytes=2**20), Outcome.UNREADABLE, Reason.OVERSIZE),
    ]
]


def probes(pair, texts=TEXTS):
    return [Probe(text, *pair) for text in texts]


def asked(engine, pair, texts=TEXTS, **config):
    """The request as `collect` makes it: defaults filled in."""
    return engine.request(probes(pair, texts), parameters.fill_defaults(engine.parameters, config))


def said(status, content, headers=()):
    """A complete answer with this JSON, or with these bytes."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    return Answer(Outcome.OK, AT, 0.5, status=status, headers=tuple(headers), body=body)


def judge(engine, raw, **config):
    """An answer with its outcome, as `collect` finds it."""
    complete = raw.status is not None and raw.outcome is Outcome.OK
    config = parameters.fill_defaults(engine.parameters, config)
    engine.identity(raw)
    return judge_answer(raw, engine.trouble(raw, config) if complete else None)


def texts_of(readings):
    return [[item.text for item in reading.items] for reading in readings]


def ask(engine, stand_in, pair, texts=TEXTS, way=None, **config):
    """(answer, what the stand-in was asked) through the real fetcher."""
    with serve(stand_in) as running:
        request = asked(engine, pair, texts, **{"base_url": running.url, **config})
        [(_, raw)] = HttpFetcher(way or Way()).fetch([request])
        return judge(engine, raw, **config), running.requests


def assert_scrubbed(engine, stand_in, pair, texts=TEXTS, **config):
    """A service that repeats the key it was asked with does not get it into the evidence."""

    def parrot(request, wire):
        stand_in.requests_seen = json.dumps(dict(request.headers))
        headers = {"X-Echo": "; ".join(request.headers.values())}
        wire.send(json_answer(403, {"message": dict(request.headers)}, headers))

    stand_in.requests_seen = ""
    with serve(parrot) as running:
        request = asked(engine, pair, texts, base_url=running.url, **config)
        [(_, raw)] = HttpFetcher(Way()).fetch([request])
    assert KEY in stand_in.requests_seen
    assert KEY not in repr(request)
    assert KEY not in repr(judge(engine, raw, **config))


def recording(engine, name):
    """(answer, readings, what is expected of both) of a recorded exchange."""
    path = RECORDINGS / engine.name / f"{name}.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert registry.engine(engine.name) is engine
    raw = said(kept["status"], kept["body"].encode(), kept["headers"].items())
    answer = judge(engine, raw, **kept["config"])
    pair = kept["source_lang"], kept["target_lang"]
    return answer, engine.parse(answer, probes(pair, kept["probes"])), kept


def assert_recording(engine, name):
    answer, readings, kept = recording(engine, name)
    assert (answer.outcome, answer.reason) == (kept["outcome"], kept["reason"])
    found = [
        {"outcome": one.outcome, "reason": one.reason, "texts": texts}
        for one, texts in zip(readings, texts_of(readings), strict=True)
    ]
    assert found == kept["readings"]
    usable = [one.items[0].text for one in readings if one.outcome is Outcome.OK]
    assert (usable or None) == kept["translations"]
