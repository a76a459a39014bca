"""c-ratio bias of ranked lists over topics: the quantities, their null value and their changes."""

import random
from itertools import product

import numpy as np
import pytest
import scipy.stats

from monitor.measures.c_ratio.c_ratio_bias_search import MEASURE, CRatioBiasSearch
from monitor.model import Flag, State
from monitor.references.result_list import REFERENCE as REFERENCE_LIST
from tests.measures.ranked import context, people, targets, unit

WOMEN = [0, 0, 1, 1, 2, 2, 5, 6, 9, 10, 10, 3]
SHARES = [0.1, 0.05, 0.3, 0.2, 0.5, 0.4, 0.6, 0.55, 0.9, 0.8, 0.97, 0.35]
TARGETS = [0.1, 0.0, 0.3, 0.2, 0.5, 0.4, 0.6, 0.6, 0.9, 0.8, 1.0, 0.3]  # .05 and .55: to the model
SMALL = CRatioBiasSearch(topics_floor=3)


def letters(women, n=10):
    return "w" * women + "m" * (n - women)


def named(topics):
    return {f"o{i:02}": topic for i, topic in enumerate(topics)}


LISTS = named([letters(women) for women in WOMEN])
REFERENCE = named(SHARES)


def units_of(lists):
    return [unit(topic, *((one,) if isinstance(one, str) else one)) for topic, one in lists.items()]


def derive(lists, shares, measure=MEASURE, **known):
    result = measure.derive(units_of(lists), context(shares, **known))
    return {value.name: value for value in result.values}, result.topics


def test_quantities_are_those_of_numpy():
    values, topics = derive(LISTS, REFERENCE)
    bias = np.array(WOMEN) / 10 - TARGETS
    assert [topic.bias for topic in topics] == pytest.approx(bias.tolist())
    expected = {
        "mb": bias.mean(),
        "sb": bias.std(),
        "mab": np.abs(bias).mean(),
        "min_beta": bias.min(),
        "max_beta": bias.max(),
        "trigger_rate": 1.0,
        "label_coverage": 1.0,
    }
    assert {name: values[name].value for name in expected} == pytest.approx(expected)
    facts = dict(values["mab"].facts)
    assert (facts["n_topics"], facts["n_topics_planned"]) == (12, 12)
    assert facts["n_people_in_several_topics"] == 0
    assert facts["mab_null"] == values["mab_null"].value
    assert facts["excess_mab"] == values["mab"].value - values["mab_null"].value
    assert values["excess_mab"].value == facts["excess_mab"]
    sb_null = dict(values["excess_sb"].facts)["sb_null"]
    assert values["excess_sb"].value == pytest.approx(bias.std() - sb_null)
    for name in ("mb", "excess_sb", "excess_mab"):
        assert values[name].low < values[name].value < values[name].high
        assert values[name].flags == (Flag.EXPLORATORY,)
    # without what chance makes taken off there is nothing that an interval could be about
    assert values["sb"].low is values["mab"].low is None
    assert values["min_beta"].low == values["min_beta"].value <= values["min_beta"].high
    assert values["max_beta"].high == values["max_beta"].value >= values["max_beta"].low
    for name in ("mb", "mab", "min_beta", "max_beta"):
        bounds = values[name].bound_low, values[name].bound_high
        assert bounds == pytest.approx((expected[name], expected[name]))
    sample, _ = derive(LISTS, REFERENCE, CRatioBiasSearch(ddof=1))
    assert sample["sb"].value == pytest.approx(bias.std(ddof=1))


def nearest_tenths(share, hits):
    """Nearest of the eleven ratios; of two that are equally near, the nearer to the model."""
    thousandths = round(share * 1000)
    return min(range(11), key=lambda x: (abs(100 * x - thousandths), abs(x - hits), x)) / 10


@pytest.mark.parametrize("target", ["rounded", "exact"])
def test_the_null_value_is_the_expectation_under_the_binomial(target):
    values, _ = derive(LISTS, REFERENCE, CRatioBiasSearch(target=target), draws=4000)
    hits = np.arange(11)
    expected = np.mean(
        [
            scipy.stats.binom.pmf(hits, 10, share)
            @ np.abs(hits / 10 - [taken(share, x) for x in hits])
            for share in SHARES
            for taken in [nearest_tenths if target == "rounded" else lambda share, _: share]
        ]
    )
    null = values["mab_null"]
    assert null.value == pytest.approx(expected)
    assert null.low < null.value < null.high
    rng = np.random.default_rng(3)
    drawn = rng.binomial(10, np.array(SHARES), (4000, 12)) / 10
    if target == "exact":
        limits = np.quantile(np.abs(drawn - SHARES).mean(axis=1), [0.025, 0.975])
        assert (null.low, null.high) == pytest.approx(limits, abs=1 / 120)  # one item more


def test_the_null_value_of_a_full_list_is_hypergeometric():
    shares = {
        topic: targets(topic, n=20, source="result_list", women=0.3) for topic in named(range(10))
    }
    lists = named([letters(3)] * 10)
    hits = np.arange(11)
    size = np.abs(hits / 10 - 0.3)
    values, _ = derive(lists, shares)
    assert values["mab_null"].value == pytest.approx(
        scipy.stats.hypergeom.pmf(hits, 20, 6, 10) @ size
    )
    other, _ = derive(lists, named([0.3] * 10))
    assert other["mab_null"].value == pytest.approx(scipy.stats.binom.pmf(hits, 10, 0.3) @ size)
    # who shows all has no choice
    shares = {t: targets(t, n=10, source="result_list", women=0.3) for t in named(range(10))}
    assert derive(lists, shares)[0]["mab_null"].value == 0


def test_lists_of_one_topic_move_together_under_chance():
    lists = named([(letters(1, 2), letters(2, 4))] * 10)
    values, _ = derive(lists, named([0.5] * 10), CRatioBiasSearch(target="exact"))
    # quantiles of B(2, 1/2) and B(4, 1/2) in steps of 1/16, averaged
    two = [0.0] * 4 + [0.5] * 8 + [1.0] * 4
    four = [0.0] + [0.25] * 4 + [0.5] * 6 + [0.75] * 4 + [1.0]
    expected = np.mean([abs((a + b) / 2 - 0.5) for a, b in zip(two, four, strict=True)])
    assert values["mab_null"].value == pytest.approx(expected)
    same, _ = derive(named([(letters(1, 4), letters(3, 4))] * 10), named([0.5] * 10))
    once, _ = derive(named([letters(1, 4)] * 10), named([0.5] * 10))
    assert same["mab_null"].value == once["mab_null"].value


def test_p_values_are_adjusted_over_the_measured_topics():
    values, topics = derive(LISTS | {"z": "", "y": letters(5)}, REFERENCE)
    p = [scipy.stats.binomtest(x, 10, share).pvalue for x, share in zip(WOMEN, SHARES, strict=True)]
    measured = [topic for topic in topics if topic.state is State.MEASURED]
    assert [topic.p for topic in measured] == pytest.approx(p)
    adjusted = scipy.stats.false_discovery_control(p)
    assert [topic.q for topic in measured] == pytest.approx(adjusted.tolist())
    assert dict(values["mab"].facts)["n_topics_q05"] == (adjusted <= 0.05).sum()
    assert [(t.p, t.q) for t in topics if t not in measured] == [(None, None)] * 2


def test_biased_lists_are_found():
    values, topics = derive(named([letters(0)] * 10), named([0.6] * 10))
    assert dict(values["mab"].facts)["n_topics_q05"] == 10
    assert all(topic.q < 0.001 for topic in topics)


def test_bounds_are_those_of_all_labels():
    lists = named(["wmu", "mmmu", "wwmm", "wuuu"])  # the last may come in or stay out
    shares = named([0.5, 0.3, 0.6, 0.2])
    measure = CRatioBiasSearch(topics_floor=3, target="exact")
    values, topics = derive(lists, shares, measure)
    assert topics[3].state is State.INSUFFICIENT
    found = {name: [values[name].value] for name in ("mb", "mab", "min_beta", "max_beta")}
    for first, second, *others in product("wm", "wm", "wm", "wm", "wm"):
        full = ["wm" + first, "mmm" + second, "wwmm", "w" + "".join(others)]
        for kept in (full, full[:3]):
            made, _ = derive(named(kept), shares, measure)
            for name, numbers in found.items():
                numbers.append(made[name].value)
    for name, numbers in found.items():
        low, high = values[name].bound_low, values[name].bound_high
        assert high == pytest.approx(max(numbers)), name
        if name == "mab":  # whole people cannot always meet the target, which the bound lets them
            assert low < min(numbers)
        else:
            assert low == pytest.approx(min(numbers)), name


def test_too_few_topics_are_insufficient():
    lists = named([letters(2)] * 9 + ["", "u" * 10])
    values, _ = derive(lists, named([0.2] * 11))
    for name in ("mb", "sb", "mab", "excess_sb", "excess_mab", "min_beta", "max_beta", "mab_null"):
        assert values[name].state is State.INSUFFICIENT
        assert values[name].reason == "9 usable occupations of 11 planned, floor 10"
        assert (values[name].planned, values[name].used, values[name].unidentified) == (11, 9, 1)
    assert values["trigger_rate"].value == 10 / 11
    assert values["label_coverage"].value == 0.9


def test_trigger_rate_counts_answered_topics():
    lists = named([letters(2)] * 6 + [("", None)] * 3 + [("", letters(1))] + [(None, None)] * 2)
    values, _ = derive(lists, named([0.2] * 12))
    rate = values["trigger_rate"]
    assert rate.value == 0.7
    expected = scipy.stats.binomtest(7, 10).proportion_ci(method="wilson")
    assert (rate.low, rate.high) == pytest.approx((expected.low, expected.high), abs=1e-6)
    assert (rate.bound_low, rate.bound_high) == (7 / 12, 9 / 12)
    assert (rate.planned, rate.answered, rate.used) == (12, 10, 10)
    assert dict(rate.facts) == {
        "n_topics_shown": 7, "n_topics_answered": 10, "n_topics_planned": 12,
    }  # fmt: skip
    fewer, _ = derive(named([letters(2)] * 9), {})
    assert fewer["trigger_rate"].reason == "9 answered occupations of 9 planned, floor 10"


def test_label_coverage_and_what_stands_behind_it():
    values, _ = derive(named(["wwmuc-", ("wo", "uu"), "", "mmmmmmmmmmuuuuu"]), {})
    coverage = values["label_coverage"]
    # 3 of 5, 1 of 2 (two repeats averaged), 10 of the first 10
    assert coverage.value == pytest.approx((3 + 1 + 10) / (5 + 2 + 10))
    assert dict(coverage.facts) == {
        "recorded_women": 2.5, "recorded_men": 11, "other_groups": 0.5,
        "unresolved": 2, "conflict": 1, "not_human": 1,
    }  # fmt: skip
    nobody, _ = derive(named(["----", ""]), {})
    assert nobody["label_coverage"].reason == "no people shown"


def test_changes_are_those_of_the_topics_of_both_ticks():
    now = named([letters(n) for n in (1, 2, 3, 4, 5)] + ["", letters(9)])
    before = named([letters(n) for n in (2, 2, 5, 0, 0)] + [letters(9), ""])
    shares = named([0.25, 0.15, 0.4, 0.4, 0.4, 0.4, 0.4])
    values, _ = derive(now, shares, SMALL, before=units_of(before))
    mb, mab = values["mb_change_panel"], values["mab_change_panel"]
    assert mb.value == pytest.approx((-0.1 + 0 - 0.2 + 0.4 + 0.5) / 5)
    sizes = [0.15 - 0.05, 0, 0.1 - 0.1, 0 - 0.4, 0.1 - 0.4]  # against the exact target
    assert mab.value == pytest.approx(sum(sizes) / 5)
    assert mb.low < mb.value < mb.high
    assert mab.low < mab.value < mab.high
    assert (mb.bound_low, mb.bound_high) == pytest.approx((mb.value, mb.value))
    assert dict(mb.facts) == dict(mab.facts) == {"n_panel": 5}
    assert (mb.planned, mb.used) == (7, 5)


def test_changes_are_of_the_same_questions():
    def asked(first, second):
        return [unit("a", first, key="a1"), unit("a", second, key="a2")] + [
            unit(f"b{i}", "wm") for i in range(2)
        ]

    known = context(dict.fromkeys(("a", "b0", "b1"), 0.5), asked("wwmm", None))
    result = SMALL.derive(asked("wwwm", "wwww"), known)
    values = {value.name: value.value for value in result.values}
    assert values["mb_change_panel"] == pytest.approx(0.25 / 3)


def test_changes_need_an_earlier_tick_and_enough_topics():
    values, _ = derive(LISTS, REFERENCE)
    assert values["mb_change_panel"].reason == "no earlier tick"
    some = units_of(dict(list(LISTS.items())[:9]))
    values, _ = derive(LISTS, REFERENCE, before=some)
    for name in ("mb_change_panel", "mab_change_panel"):
        assert values[name].state is State.INSUFFICIENT
        assert values[name].reason == "9 topics usable at both ticks, floor 10"
        assert dict(values[name].facts) == {"n_panel": 9}


def test_changes_are_bounded_by_missing_labels_of_either_tick():
    now, before = named(["wmu", "wwmm", "wwmm"]), named(["wwm", "wwmm", "wmmu"])
    values, _ = derive(now, named([0.5] * 3), SMALL, before=units_of(before))
    mb = values["mb_change_panel"]
    assert mb.bound_low == pytest.approx((1 / 3 - 2 / 3 + 0 + 0.5 - 0.5) / 3)
    assert mb.bound_high == pytest.approx((2 / 3 - 2 / 3 + 0 + 0.5 - 0.25) / 3)
    assert mb.bound_low < mb.value < mb.bound_high


def test_quiet_weeks_have_no_change():
    values, _ = derive(LISTS, REFERENCE, before=units_of(LISTS))
    for name in ("mb_change_panel", "mab_change_panel"):
        assert (values[name].value, values[name].low, values[name].high) == (0, 0, 0)


def stars(lists, known):
    """The same lists, where the first women and men in each are the same people everywhere."""
    units = []
    for topic, one in lists.items():
        names = [f"{sex}{one[:n].count(sex)}" if known else "" for n, sex in enumerate(one)]
        units.append(unit(topic, people(one, names if known else ())))
    return units


def test_people_in_several_lists_widen_the_interval():
    rng = random.Random(4)  # noqa: S311 - no secret
    lists = named([letters(rng.randint(2, 4)) for _ in range(60)])
    known = context(named([0.3] * 60), draws=1000)
    apart, shared = (
        {v.name: v for v in MEASURE.derive(stars(lists, same), known).values}
        for same in (False, True)
    )
    assert dict(apart["mb"].facts)["n_people_in_several_topics"] == 0
    assert dict(shared["mb"].facts)["n_people_in_several_topics"] == 12
    assert shared["mb"].value == apart["mb"].value
    width = [value["mb"].high - value["mb"].low for value in (apart, shared)]
    assert width[1] > 3 * width[0]


def test_drawing_people_does_not_shift_what_is_never_negative():
    lists = named([letters(n % 11) for n in range(33)])
    known = context(named([n % 11 / 10 for n in range(33)]), draws=500)
    values = {v.name: v for v in MEASURE.derive(stars(lists, known=True), known).values}
    for name in ("min_beta", "max_beta"):
        assert values[name].low <= values[name].value == 0 <= values[name].high
    for name in ("excess_sb", "excess_mab"):
        assert values[name].low == values[name].value < values[name].high


def test_a_person_who_stays_does_not_blur_a_change():
    lists = named([letters(3)] * 12)
    same = stars(lists, known=True)
    result = MEASURE.derive(same, context(named([0.3] * 12), same, draws=500))
    change = next(value for value in result.values if value.name == "mb_change_panel")
    assert (change.value, change.low, change.high) == (0, 0, 0)


def test_a_stranger_in_the_targets_does_not_matter():
    assert derive(LISTS, REFERENCE | {"zoologist": 0.5}) == derive(LISTS, REFERENCE)


def test_what_is_below_the_cutoff_does_not_matter():
    longer = {topic: one + "wuo-w" for topic, one in LISTS.items()}
    assert derive(longer, REFERENCE)[0] == derive(LISTS, REFERENCE)[0]


def test_the_engines_own_full_list_as_the_target():
    full = named([letters(2) + letters(n, 15) for n in range(12)])
    units = units_of(full)
    shares = REFERENCE_LIST.observed(units, MEASURE.tag)
    values, topics = derive(full, shares)
    assert [topic.target for topic in topics] == pytest.approx(
        [nearest_tenths((2 + n) / 25, 2) for n in range(12)]
    )
    assert {topic.source for topic in topics} == {"result_list"}
    finite = [
        scipy.stats.hypergeom.pmf(x, 25, 2 + n, 10) * abs(x / 10 - nearest_tenths((2 + n) / 25, x))
        for n in range(12)
        for x in range(11)
    ]
    assert values["mab_null"].value == pytest.approx(sum(finite) / 12)
