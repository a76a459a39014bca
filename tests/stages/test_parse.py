"""A parser that fails is an outcome, in one place."""

import pytest

from monitor import registry
from monitor.model import Cue, Outcome, Probe, Reason
from monitor.stages.derive.measurement import find_signals, parse_answer
from tests.cases import check_each
from tests.factories import answer

PROBES = [Probe("I am tired.", "en", "pt"), Probe("I sing.", "en", "pt")]


class Broken:
    def __init__(self, outcome):
        self._outcome = outcome

    def parse(self, _answer, _probes):
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


def test_readings_pass_through():
    engine = registry.engine("firefox_translations")
    readings = parse_answer(engine, answer("Estou cansada.", "Eu canto."), PROBES)
    assert [reading.items[0].text for reading in readings] == ["Estou cansada.", "Eu canto."]


@check_each("outcome", [ValueError("layout"), RecursionError(), [], [None] * 3])
def test_a_parser_that_fails_makes_every_probe_unreadable(outcome):
    readings = parse_answer(Broken(outcome), answer("x"), PROBES)
    assert len(readings) == 2
    for reading in readings:
        assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.EXCEPTION)
        assert "Traceback" in reading.detail


def test_a_stop_is_not_swallowed():
    class Stopped:
        def parse(self, _answer, _probes):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parse_answer(Stopped(), answer("x"), PROBES)


def test_signals_stand_in_the_order_of_the_texts():
    language = registry.known_language("pt")
    found = find_signals(language, Cue.AGREEMENT, ["Estou cansada.", "Estou cansado."])
    assert [signal.cls for signal in found] == ["feminine", "masculine"]
