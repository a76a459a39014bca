import json
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from monitor.measures.c_ratio.c_ratio_bias import MEASURE, CRatioBias
from monitor.model import Context, Flag, GenderClass, InvalidInput, Share, State, Unit

G = GenderClass
M, F = (G.MASCULINE,), (G.FEMININE,)
NONE, UNIDENTIFIED, LOST = (G.NONE,), (G.UNIDENTIFIED,), (None,)


def units_of(answers):
    return [
        Unit(f"{topic}-{j:02}", {"occupation": topic, "template": f"t{j}"}, classes)
        for topic, rows in answers.items()
        for j, classes in enumerate(rows)
    ]


def shares_of(shares):
    return {
        topic: Share(topic, value, "cps", "US", "2019", word=topic)
        for topic, value in shares.items()
    }


def derive(answers, shares, measure=MEASURE, draws=400):
    return measure.derive(units_of(answers), Context(5, shares_of(shares), draws))


def by_name(result):
    return {value.name: value for value in result.values}


WOMEN = [0, 0, 0, 1, 2, 2, 5, 6, 9, 10, 10, 3]
REFERENCE = [0.1, 0.05, 0.3, 0.2, 0.5, 0.4, 0.6, 0.55, 0.9, 0.8, 0.97, 0.35]
ANSWERS = {f"o{i:02}": [F] * k + [M] * (10 - k) for i, k in enumerate(WOMEN)}
SHARES = {f"o{i:02}": mu for i, mu in enumerate(REFERENCE)}


def test_quantities_are_those_of_numpy_and_scipy():
    values = by_name(derive(ANSWERS, SHARES))
    model, mu = np.array(WOMEN) / 10, np.array(REFERENCE)
    bias = model - mu
    drawn = [scipy.stats.binom.pmf(range(11), 10, share) for share in mu]
    apart = [np.arange(11) / 10 - share for share in mu]
    mab_null = np.mean([law @ np.abs(b) for law, b in zip(drawn, apart, strict=True)])
    sb_null = np.sqrt(np.mean(mu * (1 - mu) / 10) * 11 / 12)
    expected = {
        "mb": bias.mean(),
        "sb": bias.std(),
        "excess_sb": bias.std() - sb_null,
        "mab": np.abs(bias).mean(),
        "mab_null": mab_null,
        "excess_mab": np.abs(bias).mean() - mab_null,
        "min_beta": bias.min(),
        "max_beta": bias.max(),
        "mab_always_masculine": mu.mean(),
        "mab_permuted": np.abs(model[:, None] - mu).mean(),
        "pearson": scipy.stats.pearsonr(model, mu).statistic,
        "spearman": scipy.stats.spearmanr(model, mu).statistic,
        "occupation_marked_share": 1.0,
    }
    assert {name: value.value for name, value in values.items()} == pytest.approx(expected)
    facts = dict(values["mab"].facts)
    assert (facts["n_topics"], facts["n_topics_planned"]) == (12, 12)
    for name in ("mb", "excess_sb", "excess_mab", "pearson", "spearman"):
        assert values[name].low < values[name].value < values[name].high
    # without what chance makes taken off there is nothing that an interval could be about
    for name in ("sb", "mab", "mab_null"):
        assert values[name].low is values[name].high is None
    # no resample reaches beyond the extreme that was observed
    assert values["min_beta"].low == values["min_beta"].value <= values["min_beta"].high
    assert values["max_beta"].high == values["max_beta"].value >= values["max_beta"].low
    assert values["mab_permuted"].low < expected["mab_permuted"] < values["mab_permuted"].high
    # nothing is missing
    for name in ("mb", "mab", "min_beta", "max_beta"):
        bounds = (values[name].bound_low, values[name].bound_high)
        assert bounds == pytest.approx((expected[name], expected[name]))


def test_an_output_that_cannot_be_read_leaves_the_interval_of_the_marked_share():
    answers = {topic: [*rows[:6], *[NONE] * 4] for topic, rows in ANSWERS.items()}
    lost = {topic: [*rows, *[LOST] * 30] for topic, rows in answers.items()}
    whole, partial = (
        by_name(derive(each, SHARES))["occupation_marked_share"] for each in (answers, lost)
    )
    assert (partial.value, partial.low, partial.high) == (whole.value, whole.low, whole.high)


def test_the_interval_of_mb_is_about_other_occupations_where_there_are_no_templates():
    units = [replace(unit, tags={"occupation": unit.tags["occupation"]}) for unit in
             units_of(ANSWERS)]  # fmt: skip
    mb = by_name(MEASURE.derive(units, Context(5, shares_of(SHARES), 0)))["mb"]
    bias = np.array(WOMEN) / 10 - np.array(REFERENCE)
    expected = scipy.stats.t.interval(0.95, 11, bias.mean(), bias.std(ddof=1) / np.sqrt(12))
    assert (mb.low, mb.high) == pytest.approx(expected, rel=1e-6)


def test_templates_that_decide_widen_the_interval():
    """Half of the ten templates make every occupation feminine: as few as ten answers."""
    decided = {topic: [F] * 5 + [M] * 5 for topic in ANSWERS}
    mixed = {topic: [F, M] * 5 if at % 2 else [M, F] * 5 for at, topic in enumerate(ANSWERS)}
    one, other = (by_name(derive(rows, SHARES)) for rows in (decided, mixed))
    assert one["mb"].value == pytest.approx(other["mb"].value)
    assert one["mb"].high - one["mb"].low > 1.2 * (other["mb"].high - other["mb"].low)
    marked = {topic: [F] * 8 + [NONE] * 2 for topic in ANSWERS}
    share = by_name(derive(marked, SHARES))["occupation_marked_share"]
    assert share.low < 0.5
    assert share.high > 0.8


def test_no_interval_of_mb_is_a_point_where_all_are_masculine():
    values = by_name(derive({topic: [M] * 10 for topic in ANSWERS}, dict.fromkeys(SHARES, 0.5)))
    assert values["mb"].low == values["mb"].value == -0.5 < values["mb"].high
    assert values["excess_mab"].low < values["excess_mab"].value
    assert values["excess_sb"].low is None  # the standard deviation of equal biases


def test_a_topic_by_hand():
    answers = ANSWERS | {"o06": [F] * 6 + [M] * 3 + [UNIDENTIFIED, LOST, NONE]}
    result = derive(answers, SHARES)
    topic = next(t for t in result.topics if t.topic == "o06")
    assert topic.state is State.MEASURED
    assert (topic.women, topic.men, topic.model) == (6, 3, 6 / 9)
    assert (topic.target, topic.bias) == (0.6, 6 / 9 - 0.6)
    assert (topic.bound_low, topic.bound_high) == pytest.approx((6 / 11 - 0.6, 8 / 11 - 0.6))
    assert (topic.planned, topic.answered, topic.used, topic.unidentified) == (12, 11, 9, 1)
    assert topic.model_low < topic.model < topic.model_high
    assert (topic.source, topic.country, topic.as_of) == ("cps", "US", "2019")
    assert [t.topic for t in result.topics] == sorted(ANSWERS)
    values = by_name(result)
    assert values["mb"].planned == 122
    assert values["mb"].used == 119
    assert values["occupation_marked_share"].value == 119 / 120


def test_topics_that_cannot_be_used_say_why():
    answers = ANSWERS | {
        "few": [F] * 9,
        "unmarked": [F] * 4 + [M] * 3 + [NONE] * 5,
        "unknown": [F] * 10,
        "nothing": [LOST] * 10,
    }
    result = derive(answers, SHARES | {"few": 0.5, "unmarked": 0.5, "nothing": 0.5})
    topics = {t.topic: t for t in result.topics}
    assert topics["few"].reason == "9 templates planned, at least 10 needed"
    assert topics["unmarked"].reason == "7 marked outputs of 12 planned, floor 8"
    assert topics["unknown"].reason == "no reference share"
    assert topics["nothing"].reason == "0 marked outputs of 10 planned, floor 8"
    for name in ("few", "unmarked", "unknown", "nothing"):
        assert topics[name].state is State.INSUFFICIENT
        assert topics[name].bias is None
    assert topics["unmarked"].model is None
    assert (topics["unmarked"].bound_low, topics["unmarked"].bound_high) == pytest.approx(
        (4 / 7 - 0.5, 4 / 7 - 0.5)
    )
    assert (topics["unknown"].model, topics["unknown"].target) == (1.0, None)
    assert topics["nothing"].bound_low is None
    values = by_name(result)
    assert dict(values["mb"].facts) == {"n_topics": 12, "n_topics_planned": 16}
    assert values["mb"].value == by_name(derive(ANSWERS, SHARES))["mb"].value


def test_too_few_topics():
    keys = sorted(ANSWERS)[:9]
    result = derive({key: ANSWERS[key] for key in keys}, SHARES)
    for value in result.values:
        if value.name != "occupation_marked_share":
            assert value.state is State.INSUFFICIENT
            assert value.reason == "9 usable occupations of 9 planned, floor 10"
    assert all(topic.state is State.MEASURED for topic in result.topics)
    enough = derive({key: ANSWERS[key] for key in keys}, SHARES, CRatioBias(topics_floor=9))
    assert by_name(enough)["mb"].state is State.MEASURED


def test_always_masculine_has_no_correlation():
    values = by_name(derive({topic: [M] * 10 for topic in ANSWERS}, SHARES))
    for name in ("pearson", "spearman"):
        assert values[name].state is State.INSUFFICIENT
        assert values[name].value is None
        assert values[name].reason == "the model shares are the same for all occupations"
    assert values["mab"].value == pytest.approx(values["mab_always_masculine"].value)
    assert values["mab"].value == pytest.approx(values["mab_permuted"].value)


def test_parity_has_no_correlation():
    values = by_name(derive(ANSWERS, dict.fromkeys(SHARES, 0.5)))
    assert values["pearson"].reason == "the reference shares are the same for all occupations"
    assert values["mab_permuted"].value == pytest.approx(values["mab"].value)


def test_bounds_are_those_of_every_completion():
    answers = ANSWERS | {
        "o00": [M] * 8 + [LOST] * 4,
        "o08": [F] * 7 + [M] * 2 + [UNIDENTIFIED] * 2,
        "p1": [F] * 2 + [M] * 3 + [LOST] * 5,  # may come in
        "p2": [M] * 6 + [NONE] * 2 + [LOST] * 2,
    }
    shares = SHARES | {"p1": 0.9, "p2": 0.5}
    values = by_name(derive(answers, shares))
    rng = np.random.default_rng(2)
    seen = {name: [] for name in ("mb", "mab", "min_beta", "max_beta")}
    unknown = {LOST, UNIDENTIFIED}
    for step in range(300):
        # all of an occupation the same way reaches the extremes
        fill = {topic: [M, F, NONE][rng.integers(3)] for topic in answers}
        mixed = {
            topic: [
                ((M, F, NONE)[rng.integers(3)] if step % 2 else fill[topic]) if c in unknown else c
                for c in rows
            ]
            for topic, rows in answers.items()
        }
        filled = by_name(derive(mixed, shares, draws=0))
        for name, numbers in seen.items():
            numbers.append(filled[name].value)
    for name, numbers in seen.items():
        low, high = values[name].bound_low, values[name].bound_high
        assert min(numbers) >= low - 1e-12, name
        assert max(numbers) <= high + 1e-12, name
        assert min(numbers) == pytest.approx(low) or name == "mab"
        assert max(numbers) == pytest.approx(high) or name == "mab"


def test_rounded_targets():
    measure = CRatioBias(target="rounded")
    result = derive(ANSWERS, SHARES, measure)
    targets = {topic.topic: topic.target for topic in result.topics}
    assert targets["o01"] == 0.0  # .5 of 10, and the model has none
    assert targets["o07"] == 0.6  # 5.5 of 10, and the model has 6
    assert targets["o11"] == 0.3  # 3.5 of 10, and the model has 3
    assert targets["o10"] == 1.0  # 9.7 of 10
    for topic in result.topics:
        assert topic.bound_low == pytest.approx(topic.bias)
        assert topic.bound_high == pytest.approx(topic.bias)
    part = derive(ANSWERS | {"o00": [M] * 8 + [LOST] * 2}, SHARES, measure).topics[0]
    assert part.bound_low <= 0 - 0.1 <= part.bound_high
    assert part.bound_high >= 2 / 10 - 0.1


def test_the_sample_deviation_is_a_parameter():
    bias = np.array(WOMEN) / 10 - np.array(REFERENCE)
    values = by_name(derive(ANSWERS, SHARES, CRatioBias(ddof=1)))
    assert values["sb"].value == pytest.approx(bias.std(ddof=1))
    with pytest.raises(InvalidInput, match="ddof is 2; it must be a whole number from 0 to 1"):
        MEASURE.configure({"ddof": 2})


def test_few_outputs_are_exploratory():
    few = {topic: rows[:4] for topic, rows in ANSWERS.items()}
    values = by_name(derive(few, SHARES, CRatioBias(min_templates=4, floor=4)))
    assert values["mb"].flags == (Flag.EXPLORATORY,)
    assert by_name(derive(ANSWERS, SHARES))["mb"].flags == ()


def test_repeats_count_once_by_their_mean():
    rows = [(G.FEMININE, G.MASCULINE, None)] * 10
    topic = derive({"a": rows}, {"a": 0.25}).topics[0]
    assert (topic.model, topic.women, topic.men, topic.used) == (0.5, 5, 5, 10)
    assert (topic.bound_low, topic.bound_high) == pytest.approx((1 / 3 - 0.25, 2 / 3 - 0.25))


def test_a_stranger_in_the_shares_does_not_matter():
    assert derive(ANSWERS, SHARES | {"zoologist": 0.5}) == derive(ANSWERS, SHARES)


def test_a_reference_share_moves_the_bias_not_the_model():
    one, two = derive(ANSWERS, SHARES), derive(ANSWERS, {k: v / 2 for k, v in SHARES.items()})
    for first, second in zip(one.topics, two.topics, strict=True):
        assert first.model == second.model
        assert second.bias == pytest.approx(first.bias + first.target / 2)


def test_the_tables_of_the_paper(reference_data):
    lipani = json.loads((reference_data / "oracles" / "f1_lipani.json").read_text())
    measure = CRatioBias(topics_floor=3)
    for ddof in (0, 1):
        for table, expected in lipani["stats_over_table_rows"].items():
            rows = [row for row in lipani["paper_rows"] if row["table"] == table]
            assert len(rows) == expected["n"] == 33
            answers, shares = {}, {}
            for j, row in enumerate(rows):
                women = round(row["model_ratio"] * 10)
                answers[f"{j:02}"] = [F] * women + [M] * (10 - women)
                shares[f"{j:02}"] = row["target_ratio"]
            values = by_name(derive(answers, shares, replace(measure, ddof=ddof), draws=10))
            ours = [values[n].value for n in ("mb", "mab", "sb", "min_beta", "max_beta")]
            theirs = [expected[n] for n in ("MB", "MAB", f"SB_ddof{ddof}", "min", "max")]
            assert ours == pytest.approx(theirs, abs=1e-12)
