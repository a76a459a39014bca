"""Reading scores of language models: what is data, what is not, and in which words it is said."""

import json
import math
from datetime import UTC, datetime

import pytest

from monitor import registry
from monitor.model import Answer, Outcome, Probe, Reason, Score
from tests.cases import check_each

AT = datetime(2026, 1, 1, tzinfo=UTC)
LOCAL = ("masked_lm", "generative_lm")
PROBES = [Probe("I am tired.", "en", "en"), Probe("Jsem [rád|ráda].", "cs", "cs")]


def read(engine, content, probes=PROBES[:1]):
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    answer = Answer(Outcome.OK, AT, 0.1, body=body)
    return registry.engine(engine).parse(answer, probes)


def one(engine, entry):
    content = {"scores": [entry]} | ({"log": "10"} if engine == "recorded_scores" else {})
    [reading] = read(engine, content)
    return reading


def scored(skipped=None, **templates):
    return {"templates": {k[1:]: v for k, v in templates.items()}, "skipped": skipped or {}}


def test_the_templates_are_those_of_the_paper():
    found = {}
    for name in LOCAL:
        request = registry.engine(name).request(PROBES[:1], {"model": "m"})
        rows = json.loads(dict(request.options)["templates"])
        found[name] = {
            number: [before.replace("{}", "S") + word + after.replace("{}", "S") for word in (m, f)]
            for number, before, m, f, after in rows
        }
    assert found["masked_lm"] == {
        "0": ['He said: "S"', 'She said: "S"'],
        "1": ['The man said: "S"', 'The woman said: "S"'],
        "2": ['"S", he said.', '"S", she said.'],
        "3": ['"S", the man said.', '"S", the woman said.'],
    }
    assert found["generative_lm"] == {k: found["masked_lm"][k] for k in ("2", "3")}
    czech = registry.engine("masked_lm").request(PROBES[1:], {"model": "m"})
    assert dict(czech.options)["templates"] == "[]"
    assert (czech.backend, czech.model, czech.texts) == ("masked", "m", ("Jsem [rád|ráda].",))


def test_a_language_model_is_asked_in_the_language_of_the_list():
    configs = {"recorded_scores": {"folder": "f", "system": "s"}}
    for name in (*LOCAL, "recorded_scores"):
        engine = registry.engine(name)
        config = configs.get(name, {"model": "m"})
        assert engine.check("en", "en", config) == ""
        assert engine.check("en", "EN", config) == ""
        assert "is asked in the language of the list" in engine.check("en", "pt", config)
        assert "config needs" in engine.check("en", "en", {})
        assert "unknown key 'beams'" in engine.check("en", "en", config | {"beams": 1})
        assert engine.trouble(Answer(Outcome.OK, AT, 0.1), config) is None
        assert engine.identity(Answer(Outcome.OK, AT, 0.1)) == ()
    assert registry.engine("masked_lm").check("cs", "cs", {"model": "m"}) == ""
    refusal = registry.engine("generative_lm").check("cs", "cs", {"model": "m"})
    assert "its templates are English; the list is in 'cs'" in refusal


@pytest.mark.parametrize("engine", LOCAL)
def test_scores_are_read_in_the_order_of_templates(engine):
    entry = scored({"1": "no"}, _3=[-3, -1.5], _2=[-1.0, -1.0])
    reading = one(engine, entry)
    assert reading.outcome is Outcome.OK
    assert [(i.rank, i.text, i.block) for i in reading.items] == [
        (1, "he/she", "score"),
        (2, "man/woman", "score"),
    ]
    assert [item.score for item in reading.items] == [
        Score("2", 0.0, -1.0, -1.0),
        Score("3", -1.5, -3.0, -1.5),
    ]
    assert reading.detail == "template 1: no"


def test_a_pair_shows_its_sentence():
    content = {"scores": [scored(_pair=[-2.0, -1.0])]}
    [reading] = read("masked_lm", content, PROBES[1:])
    [item] = reading.items
    assert (item.text, item.score.log_ratio) == ("Jsem [rád|ráda].", -1.0)


@pytest.mark.parametrize("engine", LOCAL)
def test_nothing_scored_is_unreadable_with_all_reasons(engine):
    reading = one(engine, scored({"2": "too long", "3": "no such word"}))
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.UNSUPPORTED)
    assert reading.detail == "template 2: too long; template 3: no such word"


BAD_PAIRS = (
    [-1.0], [-1.0, None], [0.5, -1.0], [-1.0, math.nan], [-1.0, math.inf], [-400.0, -1.0],
    [True, -1.0], ["-1", "-2"], "ab", None, 1.0, {}, [-(10**400), -1.0],
)  # fmt: skip


@check_each("engine", LOCAL)
@check_each("value", BAD_PAIRS)
def test_what_is_no_pair_of_logarithms_is_no_data(engine, value):
    reading = one(engine, scored(_2=[-1.0, -1.0], _3=value))
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert reading.items == ()


@check_each("engine", LOCAL)
@check_each(
    "entry", [None, [], "x", {}, {"templates": {}}, {"templates": [], "skipped": {}}, scored(_9=[])]
)
def test_another_shape_is_no_data(engine, entry):
    reading = one(engine, entry)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)


@check_each("engine", [*LOCAL, "recorded_scores"])
@check_each(
    ("content", "reason"),
    [
        (b"[" * 100_000, Reason.MALFORMED),
        (b"\xff", Reason.MALFORMED),
        ([], Reason.MALFORMED),
        ({}, Reason.MALFORMED),
        ({"scores": []}, Reason.SHORT),
        ({"scores": [None, None]}, Reason.SHORT),
        ({"scores": {}}, Reason.SHORT),
    ],
)
def test_an_answer_without_a_list_of_scores_is_unreadable_as_a_whole(engine, content, reason):
    [reading] = read(engine, content)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, reason)


@pytest.mark.parametrize(("log", "factor"), [("10", math.log(10)), ("e", 1.0), ("2", math.log(2))])
def test_recorded_scores_become_natural_logarithms(log, factor):
    [reading, nothing] = read(
        "recorded_scores", {"log": log, "scores": [{"1": -0.5, "0": 2}, None]}, PROBES
    )
    assert [(i.rank, i.text) for i in reading.items] == [(1, "He/She"), (2, "man/woman")]
    assert [item.score for item in reading.items] == [
        Score("0", 2 * factor),
        Score("1", -0.5 * factor),
    ]
    assert (nothing.outcome, nothing.reason) == (Outcome.FAILED, Reason.UNRECORDED)


BAD_SCORES = ({"0": None}, {"0": "1"}, {"0": True}, {"0": math.nan}, {"0": 200})


@check_each("entry", [{}, [], 1, *BAD_SCORES, {"4": 1.0}, {"pair": 1.0}])
def test_recorded_scores_of_another_shape_are_no_data(entry):
    reading = one("recorded_scores", entry)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)


@check_each("log", [None, 10, "7", []])
def test_recorded_scores_without_a_known_base_are_no_data(log):
    [reading] = read("recorded_scores", {"log": log, "scores": [{"0": 1.0}]})
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    [reading] = read("recorded_scores", {"scores": [{"0": 1.0}]})
    assert reading.outcome is Outcome.UNREADABLE
