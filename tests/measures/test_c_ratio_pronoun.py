"""c-ratio bias of English pronouns: translations are read, and the numbers worked out by hand."""

import pytest

from monitor.languages.en import LANGUAGE
from monitor.measures.c_ratio.c_ratio_bias import MEASURE
from monitor.model import Context, Cue, GenderClass, Share, State, Unit

SHE, HE, THEY, IT = (f"{pronoun} a nurse." for pronoun in ("She's", "He is", "They are", "It is"))
AVOIDED, BOTH = "A nurse works here.", "He/she is a nurse."

#: Each occupation has 8 marked outputs of 10: its number of "she" in eighths, and a reference share
#: an eighth below for the first five, three eighths above for the others.
WOMEN = [1, 2, 3, 4, 8, 0, 1, 2, 3, 4]
BIAS = [1 / 8] * 5 + [-3 / 8] * 5


def units_of(texts_by_occupation):
    return [
        Unit(
            f"{occupation}-{number:02}",
            {"occupation": occupation, "template": f"t{number:02}"},
            (LANGUAGE.signal(text, Cue.PRONOUN).cls if text else None,),
        )
        for occupation, texts in texts_by_occupation.items()
        for number, text in enumerate(texts)
    ]


def translations(women, rest=(THEY, IT)):
    return [SHE] * women + [HE] * (8 - women) + [*rest]


TEXTS = {f"o{i}": translations(women) for i, women in enumerate(WOMEN)}
SHARES = {
    f"o{i}": Share(f"o{i}", women / 8 - bias, "cps", "US", "2019", word="w")
    for i, (women, bias) in enumerate(zip(WOMEN, BIAS, strict=True))
}


def derive(texts):
    result = MEASURE.derive(units_of(texts), Context(1, SHARES, draws=200))
    return {v.name: v for v in result.values}, {t.topic: t for t in result.topics}


def test_mb_sb_and_mab_by_hand():
    values, topics = derive(TEXTS)
    # five biases of +1/8 and five of -3/8: mean -1/8, each 1/4 away from it, absolute mean 2/8
    assert values["mb"].value == pytest.approx(-1 / 8)
    assert values["sb"].value == pytest.approx(1 / 4)
    assert values["mab"].value == pytest.approx(1 / 4)
    assert (values["min_beta"].value, values["max_beta"].value) == pytest.approx((-3 / 8, 1 / 8))
    # the references add up to (18 - 5)/8 and (10 + 15)/8
    assert values["mab_always_masculine"].value == pytest.approx(38 / 80)
    nurse = topics["o1"]
    assert (nurse.women, nurse.men, nurse.used, nurse.planned) == (2, 6, 8, 10)
    assert (nurse.model, nurse.target, nurse.bias) == pytest.approx((1 / 4, 1 / 8, 1 / 8))
    # nothing is missing: they and it were read
    assert (nurse.bound_low, nurse.bound_high) == pytest.approx((1 / 8, 1 / 8))


def test_avoiding_the_choice_is_unmarked_and_moves_no_ratio():
    values, _ = derive(TEXTS)
    marked = values["occupation_marked_share"]
    assert (marked.value, marked.used, marked.unidentified) == (80 / 100, 100, 0)
    assert dict(marked.facts) == {
        "masculine": 52, "feminine": 28, "both": 0, "inclusive": 10, "mixed": 0, "none": 10,
        "unidentified": 0, "effective_n": pytest.approx(7.58, abs=0.01),
    }  # fmt: skip
    other = {key: [*texts[:8], AVOIDED, BOTH] for key, texts in TEXTS.items()}
    changed, _ = derive(other)
    assert changed["mb"].value == values["mb"].value
    assert dict(changed["occupation_marked_share"].facts)["both"] == 10


def test_an_untranslated_answer_is_unidentified_and_bounded_like_a_missing_one():
    for unknown in ("O bir hemşire.", ""):
        _, topics = derive(TEXTS | {"o1": translations(2, (THEY, unknown))})
        assert topics["o1"].model == 1 / 4
        assert topics["o1"].unidentified == (unknown != "")
        bounds = topics["o1"].bound_low, topics["o1"].bound_high
        assert bounds == pytest.approx((2 / 9 - 1 / 8, 3 / 9 - 1 / 8))


def test_an_occupation_that_is_mostly_they_has_no_ratio():
    values, topics = derive(TEXTS | {"o9": [THEY] * 5 + [SHE] * 3 + [HE] * 2})
    assert topics["o9"].state is State.INSUFFICIENT
    assert topics["o9"].reason == "5 marked outputs of 10 planned, floor 8"
    assert values["mb"].state is State.INSUFFICIENT
    assert values["mb"].reason == "9 usable occupations of 10 planned, floor 10"


def test_the_measure_takes_the_cues_for_speakers_and_for_pronouns():
    assert MEASURE.cues == {Cue.AGREEMENT, Cue.ENTITY, Cue.PRONOUN}
    assert LANGUAGE.signal(THEY, Cue.PRONOUN).cls is GenderClass.INCLUSIVE
    assert LANGUAGE.signal(IT, Cue.PRONOUN).cls is GenderClass.NONE
