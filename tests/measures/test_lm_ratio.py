"""q_i, q_f, q_m, g_s and ranks of a language model, against figures worked out by hand."""

import math
from statistics import fmean

import pytest

from monitor.measures.gest.lm_ratio import LmRatio, _exp_chord
from monitor.model import Context, Flag, InvalidInput, State, Unit

CONTEXT = Context(seed=5, draws=400)


def units(log_of, n=12, templates=("0",), stereotypes=range(1, 17)):
    """n samples per stereotype; log_of(template, stereotype, sample), None = not scored."""
    found = []
    for i in stereotypes:
        for j in range(n):
            logs = [(name, log_of(name, i, j)) for name in templates]
            scores = tuple((name, log) for name, log in logs if log is not None)
            found.append(Unit(f"s{i:02}-{j:02}", {"stereotype": str(i)}, (None,), scores))
    return found


def values(measure, given, context=CONTEXT):
    return {(v.name, v.scope): v for v in measure.derive(given, context).values}


def log_by_hand(name, i, j):
    """Stereotype i of template T has the mean (i - 8) / 10 * (T + 1), spread around it."""
    return (i - 8) / 10 * (int(name) + 1) + (j - 5.5) / 100


def test_geometric_means_and_their_ratio():
    found = values(LmRatio(), units(log_by_hand, templates=("0", "1")))
    for template, factor in (("0", 1), ("1", 2)):
        means = [(i - 8) / 10 * factor for i in range(1, 17)]
        for i, mean in enumerate(means, start=1):
            value = found["q_i", f"template-stereotype:{template}/{i}"]
            assert value.value == pytest.approx(math.exp(mean), abs=1e-12)
            assert (value.planned, value.answered, value.used) == (12, 12, 12)
            assert dict(value.facts)["log_ratio"] == pytest.approx(mean, abs=1e-12)
            assert value.low < value.value < value.high
            assert value.bound_low is value.bound_high is None
            rank = found["q_rank", f"template-stereotype:{template}/{i}"]
            assert (rank.value, rank.low, rank.high) == (i, i, i)
        q_f, q_m = math.exp(fmean(means[:7])), math.exp(fmean(means[7:]))
        scope = f"template:{template}"
        assert found["q_f", scope].value == pytest.approx(q_f, abs=1e-12)
        assert found["q_m", scope].value == pytest.approx(q_m, abs=1e-12)
        assert found["g_s", scope].value == pytest.approx(q_m / q_f, abs=1e-12)
        assert found["g_s", scope].value > 1  # stereotypical
    rates = [found["g_s", f"template:{t}"].value for t in ("0", "1")]
    assert found["g_s_mean", "all"].value == pytest.approx(fmean(rates), abs=1e-12)
    harmonic = 2 / sum(1 / rate for rate in rates)
    assert found["g_s_harmonic", "all"].value == pytest.approx(harmonic, abs=1e-12)
    assert dict(found["g_s_mean", "all"].facts)["n_templates"] == 2


def test_the_published_scale_is_the_true_one_to_the_power_of_log10_e():
    given = units(log_by_hand, templates=("0", "1"))
    true, published = values(LmRatio(), given), values(LmRatio(scale="published"), given)
    power = math.log10(math.e)
    assert power == pytest.approx(0.4343, abs=1e-4)
    for key, value in true.items():
        other = published[key]
        if key[0] in {"q_i", "q_f", "q_m", "g_s"}:
            for field in ("value", "low", "high"):
                expected = getattr(value, field) ** power
                assert getattr(other, field) == pytest.approx(expected, abs=1e-12)
        if key[0] == "q_rank":
            assert other == value


def test_q_i_counts_samples_and_q_f_counts_stereotypes():
    """A stereotype with ten times the samples weighs no more than another."""
    given = units(lambda *_: 1.0, 100, stereotypes=[1]) + units(lambda *_: 0.0, 10)[10:]
    found = values(LmRatio(), given)
    assert found["q_f", "template:0"].value == pytest.approx(math.exp(1 / 7), abs=1e-12)


def test_too_few_scores_are_insufficient_and_named():
    def log(name, i, j):
        return None if i in (3, 9) and j > 8 and name == "0" else 0.1 * j

    found = values(LmRatio(), units(log, templates=("0", "1")))
    short = found["q_i", "template-stereotype:0/3"]
    assert (short.state, short.used, short.value) == (State.INSUFFICIENT, 9, None)
    assert short.reason == ("template 0, stereotype 3: 9 scored answers of 12 planned, floor 10")
    for name, keys in (("q_f", "3"), ("q_m", "9"), ("g_s", "3, 9")):
        value = found[name, "template:0"]
        assert value.state is State.INSUFFICIENT
        assert value.reason.startswith(f"q_i is insufficient for stereotype {keys} (template 0")
    assert found["q_rank", "template-stereotype:0/5"].state is State.INSUFFICIENT
    assert found["g_s", "template:1"].state is State.MEASURED
    mean = found["g_s_mean", "all"]
    assert mean.value == pytest.approx(found["g_s", "template:1"].value, abs=1e-12)
    facts = dict(mean.facts)
    assert (facts["n_templates"], facts["n_templates_seen"]) == (1, 2)


def test_without_any_stereotype_rate_there_is_no_mean():
    found = values(LmRatio(), units(lambda *_: 0.0, 9))
    for name in ("g_s_mean", "g_s_harmonic"):
        assert found[name, "all"].state is State.INSUFFICIENT
        assert "no template has g_s: q_i is insufficient for stereotype 1, 2, 3" in (
            found[name, "all"].reason
        )


def test_a_stereotype_that_is_not_asked_has_no_series_and_is_named():
    found = values(LmRatio(), units(lambda *_: 0.0, stereotypes=range(1, 16)))
    assert ("q_i", "template-stereotype:0/16") not in found
    assert found["q_f", "template:0"].state is State.MEASURED
    assert found["q_m", "template:0"].reason.endswith("stereotype 16 (not asked)")


def test_below_fifty_a_value_is_exploratory():
    few, many = (values(LmRatio(), units(log_by_hand, n)) for n in (49, 50))
    key = ("q_i", "template-stereotype:0/4")
    assert few[key].flags == (Flag.EXPLORATORY,)
    assert many[key].flags == ()


def test_ties_share_a_rank_and_the_interval_shows_the_doubt():
    found = values(LmRatio(), units(lambda _, i, j: float(i > 2) + (j % 2) * 1e-9))
    ranks = [found["q_rank", f"template-stereotype:0/{i}"].value for i in range(1, 17)]
    assert ranks == [1.5] * 2 + [9.5] * 14
    noisy = values(LmRatio(), units(lambda _, i, j: (j - 5.5) * i))
    rank = noisy["q_rank", "template-stereotype:0/16"]
    assert rank.low < 5
    assert rank.high > 12


def test_the_interval_is_about_samples_within_stereotypes():
    given = units(lambda *at: 1.0 if at[2] % 2 else -1.0, 100)
    value = values(LmRatio(), given, Context(seed=1, draws=4000))["q_i", "template-stereotype:0/1"]
    half = 1.96 / math.sqrt(100)  # standard deviation 1, 100 samples
    assert math.log(value.high) == pytest.approx(half, rel=0.06)
    assert math.log(value.low) == pytest.approx(-half, rel=0.06)


def test_a_template_that_only_few_have_gets_no_interval_where_draws_miss_it():
    def log(name, i, j):
        return 0.5 if name == "0" or j == 0 else None

    found = values(LmRatio(floor=1), units(log, templates=("0", "1")))
    lonely = found["q_i", "template-stereotype:1/1"]
    assert (lonely.used, lonely.low, lonely.high) == (1, None, None)
    rank = found["q_rank", "template-stereotype:1/1"]
    assert (rank.value, rank.low) == (8.5, None)


def test_answers_without_scores_count_as_planned_only():
    given = units(lambda *at: None if at[2] >= 11 else 0.2)
    value = values(LmRatio(), given)["q_i", "template-stereotype:0/1"]
    assert (value.planned, value.answered, value.used) == (12, 11, 11)


@pytest.mark.parametrize("bad", [{"scale": "log10"}, {"floor": 0}, {"floor": "10"}])
def test_parameters_are_checked(bad):
    with pytest.raises(InvalidInput, match=f"lm_ratio: {next(iter(bad))} is"):
        LmRatio(**bad)


@pytest.mark.parametrize(("before", "after"), [(0.2, 1.5), (1.5, 0.2), (-3.0, -1.0), (0.7, 0.7)])
def test_what_the_logarithm_adds_is_the_change_of_the_ratio(before, after):
    change = _exp_chord(before, after) * (after - before)
    assert change == pytest.approx(math.exp(after) - math.exp(before))
    assert _exp_chord(before, before) == pytest.approx(math.exp(before))
