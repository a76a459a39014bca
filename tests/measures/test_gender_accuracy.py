"""Accuracy where the gender is said: values by hand, and what the general contract asks."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from monitor.lists import load_list
from monitor.measures._shared import Col
from monitor.measures.gest.gender_accuracy import MEASURE, GenderAccuracy
from monitor.model import Context, Cue, Flag, GenderClass, InvalidInput, State, Symmetry, Unit
from monitor.resources import find_folder
from monitor.stats.intervals import wilson
from tests.cases import check_each

G = GenderClass
M, F, NOTHING = (G.MASCULINE,), (G.FEMININE,), (None,)
CONTEXT = Context(3, draws=500)
ABOUT = {"women": "1", "men": "8"}
OTHER = {"feminine": "masculine", "masculine": "feminine", "women": "men", "men": "women"}
SWAP = {G.MASCULINE: G.FEMININE, G.FEMININE: G.MASCULINE}
USUAL = (G.MASCULINE, G.MASCULINE, G.FEMININE, *G, None)


def unit(base, said, about, classes, frame="like"):
    tags = {"said": said, "about": about, "topic": ABOUT[about], "frame": frame, "base": base}
    return Unit(f"{base}-{frame}-{said[0]}", tags, classes)


def twins(about, pairs, frame="like"):
    """Twin sentences from (answer where a woman speaks, answer where a man does), in order."""
    return [
        unit(f"{about}{number:03}", said, about, classes, frame)
        for number, pair in enumerate(pairs)
        for said, classes in zip(("feminine", "masculine"), pair, strict=True)
    ]


def values_of(units, measure=MEASURE, context=CONTEXT):
    return {(v.name, v.scope): v for v in measure.derive(units, context).values}


#: About women: 15 of 20 women and 20 of 20 men come out right; about men: 9 of 20 and 18 of 20.
KNOWN = (
    twins("women", [(F, M)] * 15 + [(M, M)] * 5)
    + twins("men", [(F, M)] * 8 + [(F, F)] * 1 + [(M, F)] * 1 + [(M, M)] * 10)
)  # fmt: skip


def test_frames_of_one_base_sentence_count_as_one():
    """Each base sentence is right in all three frames or in none."""
    pairs = [(F, M)] * 10 + [(M, M)] * 10
    frames = {frame: twins("women", pairs, frame) for frame in ("as", "like", "said")}
    values = values_of([unit for units in frames.values() for unit in units])
    one, three = values["accuracy_f", "tag:frame=as"], values["accuracy_f", "all"]
    assert (one.used, three.used, three.value) == (20, 60, 1 / 2)
    assert dict(one.facts)["effective_n"] == 20
    assert 15 < dict(three.facts)["effective_n"] < 20
    assert three.high - three.low > one.high - one.low


def test_values_by_hand():
    values = values_of(KNOWN)
    women, men = values["accuracy_f", "all"], values["accuracy_m", "all"]
    assert (women.value, women.used, women.planned) == (24 / 40, 40, 40)
    assert (men.value, men.used) == (38 / 40, 40)
    # Wilson by hand: (24 + 1.9207295)/43.841459 -+ 1.959964 sqrt(24 * 16/40 + .9603647)/43.841459
    assert (women.low, women.high) == pytest.approx((0.445959, 0.736517), abs=1e-6)
    assert values["accuracy_gap", "all"].value == pytest.approx(14 / 40)
    # where a woman speaks 15/20 less 9/20, where a man does 18/20 less 20/20; the mean of both
    assert values["stereotype_gap", "all"].value == pytest.approx((0.3 - 0.1) / 2)
    marked = values["said_marked_share", "all"]
    assert (marked.value, marked.used) == (1.0, 80)


def test_per_topic_only_the_accuracies_per_frame_everything():
    quoted = [replace(u, key=f"q{u.key}", tags=dict(u.tags) | {"frame": "said"}) for u in KNOWN]
    wrong = [replace(u, classes=M) for u in quoted]
    values = values_of(KNOWN + wrong)
    assert values["accuracy_f", "tag:topic=1"].value == 15 / 40
    assert values["accuracy_m", "tag:topic=8"].value == 38 / 40
    assert values["accuracy_gap", "tag:frame=like"].value == pytest.approx(14 / 40)
    assert values["accuracy_gap", "tag:frame=said"].value == 1.0
    assert values["accuracy_gap", "all"].value == pytest.approx(78 / 80 - 24 / 80)
    names = {name for name, scope in values if scope == "tag:topic=1"}
    assert names == {"accuracy_f", "accuracy_m"}
    assert {name for name, scope in values if scope == "tag:frame=said"} == {
        quantity.name for quantity in MEASURE.quantities
    }


def test_only_a_wrong_gender_is_an_error():
    odd = [G.BOTH, G.INCLUSIVE, G.MIXED, G.NONE, G.UNIDENTIFIED]
    pairs = [(F, M)] * 9 + [(M, M)] * 3 + [((cls,), M) for cls in odd] + [(NOTHING, M)]
    values = values_of(twins("women", pairs))
    women = values["accuracy_f", "all"]
    assert (women.value, women.planned, women.answered) == (9 / 12, 18, 17)
    assert (women.used, women.unidentified) == (12, 1)
    # two unknown: the unidentified one and the one without an answer
    assert (women.bound_low, women.bound_high) == (9 / 14, 11 / 14)
    assert dict(women.facts) == {
        "right": 9, "wrong": 3, "both": 1, "inclusive": 1, "mixed": 1, "none": 1,
        "unidentified": 1, "effective_n": 12,
    }  # fmt: skip
    marked = values["said_marked_share", "all"]
    assert (marked.value, marked.used) == (30 / 34, 34)
    assert (marked.bound_low, marked.bound_high) == (30 / 36, 32 / 36)
    gap = values["accuracy_gap", "all"]
    assert (gap.bound_low, gap.bound_high) == pytest.approx((1 - 11 / 14, 1 - 9 / 14))


def test_an_always_masculine_engine_shows_no_stereotype_however_many_are_about_whom():
    units = twins("women", [(M, M)] * 12) + twins("men", [(M, M)] * 30)
    values = values_of(units)
    assert values["accuracy_gap", "all"].value == 1.0
    assert values["stereotype_gap", "all"].value == 0.0
    # 12 sentences about women and 30 about men in the plain difference: 30/42 - 12/42
    half = twins("women", [(F, M)] * 6 + [(M, M)] * 6) + twins("men", [(F, M)] * 15 + [(M, M)] * 15)
    assert values_of(half)["stereotype_gap", "all"].value == 0.0


def test_repeats_of_a_probe_count_once():
    thirds = (G.FEMININE, G.FEMININE, G.MASCULINE)
    values = values_of(twins("women", [(thirds, M)] * 12))
    assert values["accuracy_f", "all"].value == pytest.approx(2 / 3)
    assert values["accuracy_f", "all"].used == 12


def test_where_a_share_cannot_move_the_gap_gets_its_interval_by_mover():
    gap = values_of(twins("women", [(F, M)] * 20))["accuracy_gap", "all"]
    low = float(wilson(20, 20).low)
    assert gap.value == 0.0
    assert dict(gap.facts)["mover"] == 1.0
    assert (gap.low, gap.high) == pytest.approx((low - 1, 1 - low))
    # 15/20 against 20/20: Wilson limits of either, added as squares
    half = values_of(twins("women", [(F, M)] * 15 + [(M, M)] * 5))["accuracy_gap", "all"]
    below = math.hypot(1 - low, float(wilson(15, 20).high) - 0.75)
    above = 0.75 - float(wilson(15, 20).low)
    assert (half.low, half.high) == pytest.approx((0.25 - below, 0.25 + above))


def test_twins_are_drawn_together():
    """Twins that are right in turn make the gap vary more, twins that are alike less."""
    apart = values_of(twins("women", [(F, F)] * 25 + [(M, M)] * 25))["accuracy_gap", "all"]
    alike = values_of(twins("women", [(F, M)] * 25 + [(M, F)] * 25))["accuracy_gap", "all"]
    assert apart.value == alike.value == 0.0
    assert dict(apart.facts)["mover"] == dict(alike.facts)["mover"] == 0.0
    assert (alike.low, alike.high) == (0.0, 0.0)
    # the standard deviation of a mean of 50 signs is 1/sqrt(50) = .141
    assert apart.high - apart.low == pytest.approx(2 * 1.96 * 0.1414, rel=0.15)


def test_few_base_sentences_are_not_resampled():
    pairs = [(F, M), (M, M), (F, F)] * 3
    units = [u for frame in ("like", "said") for u in twins("women", pairs, frame)]
    gap = values_of(units)["accuracy_gap", "all"]
    assert gap.state is State.MEASURED
    assert dict(gap.facts) == {"effective_n": 36, "n_bases": 9, "mover": 1}


def test_below_the_floor_nothing_is_measured_and_the_reason_names_which():
    values = values_of(twins("women", [(F, M)] * 4 + [((G.NONE,), M)] * 8))
    women, gap = values["accuracy_f", "all"], values["accuracy_gap", "all"]
    assert women.reason == "all: 4 usable answers of 12 planned, floor 10"
    assert gap.state is State.INSUFFICIENT
    assert gap.value is gap.low is gap.bound_low is None
    assert gap.reason == f"accuracy is insufficient for feminine said ({women.reason})"
    split = values["stereotype_gap", "all"]
    assert split.reason.startswith(
        "accuracy is insufficient for feminine said, about women; feminine said, about men; "
        "masculine said, about men ("
    )
    assert values["accuracy_m", "all"].flags == (Flag.EXPLORATORY,)


def test_optional_tags_may_be_missing():
    units = [replace(u, tags={"said": u.tags["said"]}) for u in KNOWN]
    values = values_of(units)
    assert values["accuracy_gap", "all"].value == pytest.approx(14 / 40)
    assert dict(values["accuracy_gap", "all"].facts)["n_bases"] == 80
    assert values["stereotype_gap", "all"].state is State.INSUFFICIENT
    assert {scope for _, scope in values} == {"all"}


@pytest.mark.parametrize(
    ("tag", "bad", "words"),
    [("said", "", "tag 'said'"), ("said", "women", "tag 'said'"), ("about", "both", "tag 'about'")],
)
def test_a_bad_tag_is_refused(tag, bad, words):
    first = KNOWN[0]
    with pytest.raises(InvalidInput, match=f"probe {first.key}: {words}"):
        MEASURE.derive([replace(first, tags=dict(first.tags) | {tag: bad})], CONTEXT)


# --- what the general contract asks -------------------------------------------------------------


def usual(seed=1, repeats=1, pool=USUAL):
    rng = random.Random(seed)  # noqa: S311 - no secret
    return [
        replace(u, classes=tuple(rng.choices(pool, k=repeats)))
        for frame in ("like", "said")
        for about in ABOUT
        for u in twins(about, [(M, M)] * 40, frame)
    ]


def swapped(units):
    """Women and men change places in answers and in what the sentences say."""
    return [
        replace(
            u,
            tags={
                key: OTHER[v] if key in {"said", "about"} else v for key, v in u.tags.items()
            },
            classes=tuple(SWAP.get(c, c) for c in u.classes),
        )
        for u in units
    ]  # fmt: skip


@pytest.mark.parametrize("repeats", [1, 3])
def test_swapping_women_and_men_is_the_declared_symmetry(repeats):
    units = usual(repeats=repeats)
    plain, swap = values_of(units), values_of(swapped(units))
    quantities = {quantity.name: quantity for quantity in MEASURE.quantities}
    assert {name for name, _ in plain} == set(quantities)
    for (name, scope), value in plain.items():
        other = swap[quantities[name].mirror or name, scope]
        assert (other.state, other.used, other.flags) == (value.state, value.used, value.flags)
        sign = -1 if quantities[name].symmetry is Symmetry.ODD else 1
        for one, two in (("value", "value"), ("low", "high"), ("bound_low", "bound_high")):
            pair = sorted(sign * getattr(other, field) for field in (one, two))
            expected = sorted(getattr(value, field) for field in (one, two))
            assert pair == pytest.approx(expected, abs=1e-9), (name, scope)


def test_order_does_not_matter_and_the_seed_moves_no_value():
    units = usual()
    expected = MEASURE.derive(units, CONTEXT)
    shuffled = random.Random(2).sample(units, len(units))  # noqa: S311 - no secret
    assert MEASURE.derive(shuffled, CONTEXT) == expected
    for changed in (replace(CONTEXT, seed=9), replace(CONTEXT, draws=0)):
        other = MEASURE.derive(units, changed)
        assert [v.value for v in other.values] == [v.value for v in expected.values]


@pytest.mark.parametrize("units", [[], usual(pool=[None])], ids=["no units", "no answers"])
def test_nothing_in_no_number_out(units):
    result = MEASURE.derive(units, CONTEXT)
    assert {value.name for value in result.values} == {q.name for q in MEASURE.quantities}
    for value in result.values:
        assert value.state is State.INSUFFICIENT
        assert value.reason
        assert value.value is value.low is value.bound_low is value.bound_high is None


@check_each("seed", range(4))
def test_numbers_are_in_their_range(seed):
    ranges = {q.name: (q.low, q.high) for q in MEASURE.quantities}
    for value in values_of(usual(seed, repeats=1 + seed % 3)).values():
        if value.state is State.INSUFFICIENT:
            continue
        low, high = ranges[value.name]
        assert low <= value.low <= value.value <= value.high <= high
        assert low <= value.bound_low <= value.value <= value.bound_high <= high


def test_statistics_turn_round_where_a_woman_speaks():
    women = MEASURE.unit(unit("a", "feminine", "men", F))
    men = MEASURE.unit(unit("a", "masculine", "men", F))
    assert (women[Col.MASCULINE], women[Col.FEMININE]) == (1.0, 0.0)
    assert (men[Col.MASCULINE], men[Col.FEMININE]) == (0.0, 1.0)
    assert MEASURE.unit(unit("a", "feminine", "men", NOTHING)) is None
    stats = np.array([women, men, women])
    shares = MEASURE.reduce(stats, np.array([0, 0, 1]), np.array([[1.0, 1, 1], [1, 0, 0]]))
    assert shares[0].tolist() == [0.5, 1.0]
    assert shares[1][0] == 1.0
    assert math.isnan(shares[1][1])


def test_parameters_are_checked():
    assert MEASURE.configure(MEASURE.parameters) == MEASURE
    assert MEASURE.configure({"floor": 5}) == GenderAccuracy(floor=5)
    for bad in ({"floor": 0}, {"interval": "wald"}, {"colour": 1}):
        with pytest.raises(InvalidInput, match="gender_accuracy"):
            MEASURE.configure(bad)


# --- the list that it is for --------------------------------------------------------------------


def test_the_shipped_list_is_complete_and_says_the_gender():
    found = load_list(find_folder("jobs") / "lists" / "gender-specified@1.csv")
    assert len(found.items) == 576
    assert set(found.cues) == set(MEASURE.cues) == {Cue.AGREEMENT, Cue.QUOTED}
    by_base = {}
    for item in found.items:
        tags = item.tags
        assert "stereotype" not in tags
        assert "occupation" not in tags
        assert item.key == f"{tags['base']}-{tags['frame']}-{tags['said'][0]}"
        assert tags["base"].startswith(f"g{int(tags['topic']):02}-")
        assert tags["about"] == ("women" if int(tags["topic"]) <= 7 else "men")
        assert item.cue is (Cue.QUOTED if tags["frame"] == "said" else Cue.AGREEMENT)
        by_base.setdefault(tags["base"], {})[tags["frame"], tags["said"]] = item.text
    assert len(by_base) == 96
    for texts in by_base.values():
        sentence = texts["said", "feminine"].removeprefix('She said: "').removesuffix('"')
        assert texts == {
            ("as", "feminine"): f"As a woman, {sentence}",
            ("as", "masculine"): f"As a man, {sentence}",
            ("like", "feminine"): f"Like the other women here, {sentence}",
            ("like", "masculine"): f"Like the other men here, {sentence}",
            ("said", "feminine"): f'She said: "{sentence}"',
            ("said", "masculine"): f'He said: "{sentence}"',
        }
        assert sentence.startswith("I ")
        words = set(sentence.lower().replace(",", "").rstrip(".").split())
        assert not words & set(
            "he she him her his hers man men woman women boy boys girl girls mother father mum dad "
            "wife husband son daughter brother sister lady gentleman guy aunt uncle mr mrs".split()
        )


def test_every_answer_to_the_shipped_list_is_placed():
    found = load_list(find_folder("jobs") / "lists" / "gender-specified@1.csv")
    units = [Unit(item.key, item.tags, M) for item in found.items]
    values = values_of(units)
    assert values["accuracy_f", "all"].value == 0.0
    assert values["accuracy_m", "all"].value == 1.0
    assert values["stereotype_gap", "all"].value == 0.0
    assert all(value.state is State.MEASURED for value in values.values())
    assert sum(scope.startswith("tag:topic=") for _, scope in values) == 32
