"""How small a change can be found: by the formulas that the tests themselves follow."""

import numpy as np
import pytest

from monitor import registry
from monitor.lists import ListItem
from monitor.stages import smallest
from monitor.stats import power
from monitor.stats.paired import mcnemar

RATE = registry.measure("masculine_rate")
ACCURACY = registry.measure("gender_accuracy")
BIAS = registry.measure("c_ratio_bias")


def items(tag, counts):
    return [
        ListItem(f"{value}-{n}", f"{value} {n}.", {tag: value}, "en")
        for value, count in counts.items()
        for n in range(count)
    ]


def gest(per_stereotype=40, **changes):
    counts = {str(number): per_stereotype for number in range(1, 17)}
    return items("stereotype", counts | {key.removeprefix("s"): n for key, n in changes.items()})


def effect(rule, flips=0.02, alpha=0.05):
    [first, second] = smallest.changes(rule, flips, [alpha])
    assert (first.alpha, first.power, second.power) == (alpha, 0.8, 0.9)
    return first.effect, second.effect


def test_f_s_and_f_m_by_the_sign_flip_formula():
    weights = power.probe_weights([40] * 16, power.F_S)
    rule = smallest.rule_of(RATE, "f_s", gest())
    assert rule.probes == 640
    assert effect(rule)[0] == power.smallest_detectable_sum(weights, 0.02, 0.05, 0.8)
    f_s, f_m = (effect(smallest.rule_of(RATE, name, gest())) for name in ("f_s", "f_m"))
    assert f_m[0] == pytest.approx(f_s[0] / 2, rel=0.01)  # half the weights
    assert f_s[0] < f_s[1]


def test_it_is_what_simulated_ticks_show():
    rule = smallest.rule_of(RATE, "marked_share", gest())
    at_80, _ = effect(rule)
    draw = np.random.default_rng(20260302)
    n = 640
    gained = draw.binomial(n, 0.01 + at_80, 2000)
    lost = draw.binomial(n - gained, 0.01 / (1 - 0.01 - at_80))
    found = np.mean([mcnemar(int(a), int(b)) <= 0.05 for a, b in zip(gained, lost, strict=True)])
    assert 0.77 < found < 0.84


def test_uneven_stereotypes_and_a_part_of_them():
    uneven = gest(40, s3=20)
    sizes = [40, 40, 20] + [40] * 13
    weights = power.probe_weights(sizes, power.F_S)
    expected = power.smallest_detectable_sum(weights, 0.02, 0.05, 0.8)
    assert effect(smallest.rule_of(RATE, "f_s", uneven))[0] == expected
    women = smallest.rule_of(RATE, "p_f", uneven)
    assert women.probes == 6 * 40 + 20
    men = items("stereotype", {str(number): 40 for number in range(8, 17)})
    assert smallest.rule_of(RATE, "p_m", men).probes == 9 * 40
    lacking = smallest.rule_of(RATE, "f_s", men)
    assert lacking.reason == "too few questions: stereotype 1 has 0, the floor is 10"
    assert smallest.changes(lacking, 0.02, [0.05]) == []


def test_a_stereotype_below_the_floor_has_no_f_s():
    few = gest(40, s16=9)
    assert "stereotype 16 has 9, the floor is 10" in smallest.rule_of(RATE, "f_s", few).reason
    lower = RATE.configure({"floor": 9})
    assert smallest.rule_of(lower, "f_s", few).reason == ""


def test_shares_of_said_genders_count_their_own_questions():
    said = items("said", {"feminine": 60, "masculine": 30})
    assert smallest.rule_of(ACCURACY, "accuracy_f", said).probes == 60
    assert smallest.rule_of(ACCURACY, "accuracy_m", said).probes == 30
    assert smallest.rule_of(ACCURACY, "said_marked_share", said).probes == 90
    few = smallest.rule_of(ACCURACY, "accuracy_f", items("said", {"masculine": 30}))
    assert few.reason.startswith("too few questions: 0")


def test_means_over_occupations_count_whole_occupations():
    asked = items("occupation", {f"o{number}": 10 for number in range(100)})
    rule = smallest.rule_of(BIAS, "mb", asked)
    assert rule.probes == 1000
    marked = smallest.rule_of(BIAS, "occupation_marked_share", asked)
    assert effect(marked) == effect(rule)  # occupations of one size weigh the same in both
    apart = items("occupation", {f"o{number}": 1 for number in range(100)})
    # ten questions that always flip together are worth one
    assert effect(rule)[0] == pytest.approx(
        effect(smallest.rule_of(BIAS, "mb", apart))[0], rel=0.01
    )


def test_few_occupations_cannot_reach_a_small_level():
    asked = items("occupation", {f"o{number}": 10 for number in range(8)})
    rule = smallest.rule_of(BIAS, "mb", asked)
    assert effect(rule, 0.0, alpha=2.0**-7)[0] is not None
    assert effect(rule, 0.0, alpha=0.99 * 2.0**-7) == (None, None)


def test_a_smaller_level_and_more_noise_need_a_larger_change():
    rule = smallest.rule_of(RATE, "f_m", gest())
    assert effect(rule, 0.02, 0.05)[0] < effect(rule, 0.02, 0.001)[0]
    assert effect(rule, 0.02, 0.05)[0] < effect(rule, 0.1, 0.05)[0]
    quiet = effect(rule, 0.0, 0.05)[0]
    assert quiet > 0  # a handful of flips is still needed


@pytest.mark.parametrize(
    ("measure", "quantity"), [(RATE, "s_or"), (BIAS, "mab"), (ACCURACY, "stereotype_gap")]
)
def test_of_others_it_is_said_that_nobody_knows(measure, quantity):
    rule = smallest.rule_of(measure, quantity, gest())
    assert (rule.least, rule.reason) == (None, smallest.NO_FORMULA)
    assert smallest.rule_of(measure, quantity, []).reason == "nothing is asked"
