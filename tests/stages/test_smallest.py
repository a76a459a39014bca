"""How small a change can be found: by the formulas that decisions and tests themselves follow."""

import numpy as np
import pytest

from monitor import registry
from monitor.lists import ListItem
from monitor.stages.changes import decisions, detectable_effects
from monitor.stats import power
from monitor.stats.series import order_chance, runs_needed, smallest_shift

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


def on_list(rule, flips=0.02, how=None):
    """The smallest changes of the answers to these questions, with both powers."""
    how = how or detectable_effects.make_deciding(4, 2, 0.05)
    first, second, *_ = detectable_effects.compute_changes(rule, flips, how)
    assert [(one.claim, one.power) for one in (first, second)] == [("list", 0.8), ("list", 0.9)]
    return first.effect, second.effect


def beyond_list(rule, flips=0.02):
    """The smallest changes that also hold beyond the list, with both powers."""
    *_, first, second = detectable_effects.compute_changes(
        rule, flips, detectable_effects.make_deciding(4, 2, 0.05)
    )
    assert [(one.claim, one.power) for one in (first, second)] == [("beyond", 0.8), ("beyond", 0.9)]
    return first.effect, second.effect


def test_a_change_is_decided_by_as_many_runs_as_decisions_ask_for():
    how = detectable_effects.make_deciding(4, 2, 0.05)
    assert (how.hypotheses, how.ticks_before, how.before) == (4, 12, 23)
    level = decisions.step_level(0.05 / 8, 23)
    assert order_chance(23, how.since) <= level < order_chance(23, how.since - 1)
    assert detectable_effects.make_deciding(120, 2, 0.05).since > how.since
    assert detectable_effects.make_deciding(4, 1, 0.05).since > how.since
    assert detectable_effects.make_deciding(4, 1, 0.05).before == 11


def test_after_too_short_a_level_nothing_is_decided():
    how = detectable_effects.make_deciding(4, 1, 0.05, ticks=4)
    assert (how.before, how.since) == (3, None)
    rule = detectable_effects.rule_of(RATE, "f_s", gest())
    assert on_list(rule, how=how) == (None, None)


def test_on_the_list_the_noise_of_a_run_counts():
    """A run varies with half of the variance of a difference: sum w^2 flips / 2."""
    weights = power.probe_weights([40] * 16, power.F_S)
    rule = detectable_effects.rule_of(RATE, "f_s", gest())
    assert rule.probes == 640
    deviation = np.sqrt(weights @ weights * 0.02 / 2)
    step = 1 / 9 / 40
    expected = (
        deviation * smallest_shift(23, detectable_effects.make_deciding(4, 2, 0.05).since, 0.8)
        + step / 2
    )
    assert on_list(rule)[0] == pytest.approx(expected)
    f_s, f_m = (on_list(detectable_effects.rule_of(RATE, name, gest())) for name in ("f_s", "f_m"))
    assert f_m[0] == pytest.approx(f_s[0] / 2)  # half the weights
    assert f_s[0] < f_s[1]


def simulated(draw, how, jobs):
    """The share of jobs in which all runs since lie above all runs before."""
    before, since = draw(how.before, changed=False), draw(how.since, changed=True)
    assert before.shape == (jobs, how.before)
    return np.mean(since.min(axis=1) > before.max(axis=1))


@pytest.mark.parametrize(("flips", "hypotheses"), [(0.02, 4), (0.02, 120), (0.1, 4)])
def test_a_change_of_a_share_is_found_as_often_in_simulated_jobs(flips, hypotheses):
    """Answers flip around a fixed one, so that two runs differ in the share `flips`."""
    rng = np.random.default_rng(20260302)
    n, jobs = 640, 4000
    how = detectable_effects.make_deciding(hypotheses, 2, 0.05)
    at_80, _ = on_list(detectable_effects.rule_of(RATE, "marked_share", gest()), flips, how)
    flip = (1 - np.sqrt(1 - 2 * flips)) / 2
    turned = at_80 * n / (1 - 2 * flip)  # so many fixed answers change
    whole = int(turned) + (rng.random((jobs, 1)) < turned % 1)

    def draw(runs, *, changed):
        marked = n // 2 + changed * np.broadcast_to(whole, (jobs, runs))
        return marked - rng.binomial(marked, flip) + rng.binomial(n - marked, flip)

    assert 0.77 < simulated(draw, how, jobs) < 0.84


def test_a_change_of_f_s_is_found_as_often_in_simulated_jobs():
    rng = np.random.default_rng(20260303)
    flips, jobs = 0.02, 4000
    how = detectable_effects.make_deciding(4, 2, 0.05)
    at_80, _ = on_list(detectable_effects.rule_of(RATE, "f_s", gest()), flips, how)
    flip = (1 - np.sqrt(1 - 2 * flips)) / 2
    signs = np.sign(power.F_S)

    def draw(runs, *, changed):
        # each of 40 answers flips; a change moves the rates of both groups apart evenly
        masculine = np.full((jobs, runs, 16), 20)
        if changed:
            turned = at_80 / 2 * 40 / (1 - 2 * flip)
            whole = int(turned) + (rng.random((jobs, 1, 16)) < turned % 1)
            masculine = masculine + (signs * whole).astype(int)
        seen = masculine - rng.binomial(masculine, flip) + rng.binomial(40 - masculine, flip)
        return (seen / 40) @ np.asarray(power.F_S)

    # as many answers have changed as a rounded number allows: noise that a fixed shift has not
    assert 0.74 < simulated(draw, how, jobs) < 0.86


def test_beyond_the_list_it_is_that_of_the_paired_test():
    level = decisions.event_level(1, 1)
    weights = power.probe_weights([40] * 16, power.F_S)
    expected = power.smallest_detectable_sum(weights, 0.02, level, 0.8)
    rule = detectable_effects.rule_of(RATE, "f_s", gest())
    assert beyond_list(rule)[0] == expected > on_list(rule)[0]
    share = detectable_effects.rule_of(RATE, "marked_share", gest())
    assert beyond_list(share)[1] == power.smallest_detectable(640, 0.02, level, 0.9)


def test_after_some_runs_it_follows_from_their_own_noise():
    values = np.random.default_rng(4).normal(0.3, 0.01, 20).tolist()
    since = runs_needed(20, decisions.step_level(0.05 / 8, 20))
    expected = np.std(values, ddof=1) * smallest_shift(20, since, 0.8)
    assert detectable_effects.of_runs(values, 4, 0.05) == pytest.approx(expected)
    assert detectable_effects.of_runs(values[: decisions.LEAST_RUNS - 1], 4, 0.05) is None
    assert detectable_effects.of_runs(values[: decisions.LEAST_RUNS], 4, 0.05) is not None
    assert detectable_effects.of_runs(values, 400, 0.05) > expected
    assert detectable_effects.of_runs([0.3] * 20, 4, 0.05) == 0  # any change lies beyond


def test_after_some_runs_it_is_found_as_often_in_simulated_jobs():
    """Noise that is estimated from 20 runs costs little: 78 % instead of 80 %."""
    rng = np.random.default_rng(7)
    since = runs_needed(20, decisions.step_level(0.05 / 8, 20))
    hits = []
    for _ in range(2000):
        before = rng.normal(size=20)
        least = detectable_effects.of_runs(before.tolist(), 4, 0.05)
        hits.append(rng.normal(least, 1, since).min() > before.max())
    assert 0.75 < np.mean(hits) < 0.84


def test_uneven_stereotypes_and_a_part_of_them():
    uneven = gest(40, s3=20)
    sizes = [40, 40, 20] + [40] * 13
    weights = power.probe_weights(sizes, power.F_S)
    expected = power.smallest_detectable_sum(weights, 0.02, decisions.event_level(1, 1), 0.8)
    assert beyond_list(detectable_effects.rule_of(RATE, "f_s", uneven))[0] == expected
    even = on_list(detectable_effects.rule_of(RATE, "f_s", gest()))
    assert on_list(detectable_effects.rule_of(RATE, "f_s", uneven))[0] > even[0]
    women = detectable_effects.rule_of(RATE, "p_f", uneven)
    assert women.probes == 6 * 40 + 20
    men = items("stereotype", {str(number): 40 for number in range(8, 17)})
    assert detectable_effects.rule_of(RATE, "p_m", men).probes == 9 * 40
    lacking = detectable_effects.rule_of(RATE, "f_s", men)
    assert lacking.reason == "too few questions: stereotype 1 has 0, the floor is 10"
    assert (
        detectable_effects.compute_changes(
            lacking, 0.02, detectable_effects.make_deciding(4, 2, 0.05)
        )
        == []
    )


def test_a_stereotype_below_the_floor_has_no_f_s():
    few = gest(40, s16=9)
    assert (
        "stereotype 16 has 9, the floor is 10"
        in detectable_effects.rule_of(RATE, "f_s", few).reason
    )
    lower = RATE.configure({"floor": 9})
    assert detectable_effects.rule_of(lower, "f_s", few).reason == ""


def test_shares_of_said_genders_count_their_own_questions():
    said = items("said", {"feminine": 60, "masculine": 30})
    assert detectable_effects.rule_of(ACCURACY, "accuracy_f", said).probes == 60
    assert detectable_effects.rule_of(ACCURACY, "accuracy_m", said).probes == 30
    assert detectable_effects.rule_of(ACCURACY, "said_marked_share", said).probes == 90
    few = detectable_effects.rule_of(ACCURACY, "accuracy_f", items("said", {"masculine": 30}))
    assert few.reason.startswith("too few questions: 0")


def test_means_over_occupations_count_whole_occupations():
    asked = items("occupation", {f"o{number}": 10 for number in range(100)})
    rule = detectable_effects.rule_of(BIAS, "mb", asked)
    assert rule.probes == 1000
    marked = detectable_effects.rule_of(BIAS, "occupation_marked_share", asked)
    assert on_list(marked) == on_list(rule)  # occupations of one size weigh the same in both
    assert beyond_list(marked) == beyond_list(rule)
    apart = detectable_effects.rule_of(
        BIAS, "mb", items("occupation", {f"o{number}": 1 for number in range(100)})
    )
    # ten questions that always flip together are worth one
    assert on_list(rule) == pytest.approx(on_list(apart))
    assert beyond_list(rule) == pytest.approx(beyond_list(apart), rel=0.01)


def test_few_occupations_cannot_reach_a_small_level():
    """All signs alike of n occupations have p = 2^(1 - n); the level is 0.015."""
    few = items("occupation", {f"o{number}": 10 for number in range(7)})
    rule = detectable_effects.rule_of(BIAS, "mb", few)
    assert beyond_list(rule, 0.0) == (None, None)
    assert on_list(rule, 0.0) == (1 / 7, 1 / 7)  # the answers to these questions may still change
    more = items("occupation", {f"o{number}": 10 for number in range(8)})
    assert beyond_list(detectable_effects.rule_of(BIAS, "mb", more), 0.0)[0] is not None


def test_more_series_and_more_noise_need_a_larger_change():
    rule = detectable_effects.rule_of(RATE, "f_m", gest())
    few, many = (detectable_effects.make_deciding(series, 2, 0.05) for series in (4, 400))
    assert many.since > few.since
    assert on_list(rule, 0.02)[0] < on_list(rule, 0.1)[0]
    assert beyond_list(rule, 0.02)[0] < beyond_list(rule, 0.1)[0]
    assert on_list(rule, 0.0)[0] > 0  # one answer has to change


@pytest.mark.parametrize(
    ("measure", "quantity"), [(RATE, "s_or"), (BIAS, "mab"), (ACCURACY, "stereotype_gap")]
)
def test_others_have_a_reason_instead_of_a_number(measure, quantity):
    rule = detectable_effects.rule_of(measure, quantity, gest())
    assert (rule.least, rule.reason) == (None, detectable_effects.NO_FORMULA)
    assert detectable_effects.rule_of(measure, quantity, []).reason == "nothing is asked"
