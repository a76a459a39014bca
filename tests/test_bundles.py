"""Contracts of engines, on the answers of recordings: those of tests/live, and a user's.

`MONITOR_RECORDING=live.zip python -m pytest tests/test_bundles.py tests/test_recordings.py`
"""

import json
from dataclasses import replace

from monitor import parameters
from monitor.jobs import as_configured
from monitor.model import Outcome
from monitor.stages.collect.answer_shapes import find_shape
from monitor.stages.collect.recordings import judge_exchange, load_exchanges, read_recording
from monitor.stages.derive.measurement import parse_answer
from monitor.text.redaction import Redactor
from tests import live
from tests.answer_shapes import without
from tests.cases import check_each
from tests.test_contracts import assert_readings

EXCHANGES = [
    (f"{path.name} {n}", exchange)
    for path in live.BUNDLES
    for n, exchange in enumerate(load_exchanges(read_recording(path)), 1)
]
CUTS = 8


def parse(exchange, body):
    settled = parameters.fill_defaults(exchange.engine.parameters, exchange.config)
    engine = as_configured(exchange.engine, settled)
    return parse_answer(engine, replace(exchange.answer, body=body), exchange.probes)


@check_each(("name", "exchange"), EXCHANGES)
def test_an_answer_gives_one_reading_for_each_question_and_always_the_same(name, exchange):
    body = exchange.answer.body
    readings = parse(exchange, body)
    assert_readings(readings, list(exchange.probes))
    assert parse(exchange, body) == readings, name


@check_each(("name", "exchange"), EXCHANGES)
def test_a_part_of_an_answer_is_read_or_refused(name, exchange):
    body = exchange.answer.body
    for n in range(CUTS):
        part = body[: len(body) * n // CUTS]
        _, verdict = judge_exchange(
            exchange.engine, exchange.config, exchange.probes, replace(exchange.answer, body=part)
        )
        assert_readings(verdict.readings, list(exchange.probes))


@check_each(("name", "exchange"), EXCHANGES)
def test_an_answer_without_a_key_is_read_or_refused(name, exchange):
    try:
        json.loads(exchange.answer.body)
    except ValueError:
        return
    shape = find_shape(exchange.answer.body, parse(exchange, exchange.answer.body))
    for key in sorted(part for part in shape if not part.startswith("block ")):
        readings = parse(exchange, without(exchange.answer.body, key))
        assert_readings(readings, list(exchange.probes))
        assert all(reading.items for reading in readings if reading.outcome is Outcome.OK), key


@check_each(("name", "exchange"), EXCHANGES)
def test_nothing_is_left_to_remove(name, exchange):
    body = exchange.answer.body
    assert Redactor().redact_body(body, name) == body
