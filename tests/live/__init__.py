"""Recordings of engines against a loopback stand-in that sends their recorded answers."""

import os
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from monitor import parameters
from monitor.fetch.http import HttpFetcher, Way
from monitor.model import HttpRequest, Outcome
from monitor.stages.collect.recordings import Exchange, write_recording
from monitor.text.redaction import PersonalData
from tests.answer_shapes import recorded
from tests.standins import serve
from tests.standins.wire import Answer as Sent
from tests.test_contracts import KEYS, config

FOLDER = Path(__file__).parent
#: Recordings of this folder, and those that MONITOR_RECORDING names: a file, or several with `:`.
BUNDLES = [
    *sorted(FOLDER.glob("*.zip")),
    *map(Path, filter(None, os.environ.get("MONITOR_RECORDING", "").split(os.pathsep))),
]
KEY = "s3cret-of-this-machine"


def usable_answer(engine):
    """(answer, its questions) of the first recorded answer with a result."""
    for answer, probes, reader in recorded(engine):
        if answer.outcome is not Outcome.OK:
            continue
        if any(reading.outcome is Outcome.OK for reading in reader.parse(answer, probes)):
            return answer, tuple(probes)
    raise AssertionError(f"{engine.name}: no recorded answer with a result")


def ask(engine, answer, probes):
    """An exchange of an engine with a stand-in that sends this answer."""
    chosen = dict(config(engine))
    names = {parameter.name for parameter in engine.parameters}
    with patch.dict(os.environ, dict.fromkeys(KEYS, KEY)):
        headers = {
            k: v for k, v in answer.headers if k.lower() not in ("age", "date", "content-length")
        }
        sent = Sent(answer.status or 200, answer.body, headers)
        with serve(lambda _request, wire: wire.send(sent)) as running:
            chosen |= {"base_url": running.url} if "base_url" in names else {}
            chosen |= {"url": f"{running.url}/?q={{query}}"} if "url" in names else {}
            chosen |= {"over": "http"} if "over" in names else {}
            settled = parameters.fill_defaults(engine.parameters, chosen)
            request = engine.request(list(probes), settled)
            if isinstance(request, HttpRequest) and {"base_url", "url"} & names:
                [(_, raw)] = HttpFetcher(Way()).fetch([request])
            else:
                raw = replace(answer, outcome=Outcome.OK)
    return Exchange(engine, chosen, probes, request, raw)


def record(engine, path, change=lambda body: body):
    """Write a recording of an engine; `change` makes another shape of its answer."""
    answer, probes = usable_answer(engine)
    changed = replace(answer, body=change(answer.body))
    return write_recording(path, [ask(engine, changed, probes)], {KEY: PersonalData.SECRET})
