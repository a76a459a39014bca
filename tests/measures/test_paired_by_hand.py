"""Changes of translators' and models' measures, worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from monitor.change import Test
from monitor.measures.c_ratio.c_ratio_bias import MEASURE as C_RATIO
from monitor.measures.gest.gender_accuracy import MEASURE as ACCURACY
from monitor.measures.gest.lm_ratio import MEASURE as LM
from monitor.measures.gest.masculine_rate import MEASURE as RATE
from monitor.model import Context, GenderClass, InvalidInput, Share, Unit
from monitor.stats.paired import flip_interval, mcnemar, nothing_moved

M, F, NONE, BOTH = (
    GenderClass.MASCULINE, GenderClass.FEMININE, GenderClass.NONE, GenderClass.BOTH,
)  # fmt: skip
CONTEXT = Context(1)
#: Sentences of each stereotype; a different number each, so that no two flips weigh the same.
SIZES = {i: 20 + i for i in range(1, 17)}


def stereotypes(**tags):
    """Every second answer masculine."""
    return {
        f"{i:02}-{j:02}": Unit(
            f"{i:02}-{j:02}", {"stereotype": str(i), **tags}, (M if j % 2 else F,)
        )
        for i, size in SIZES.items()
        for j in range(size)
    }


def answering(units, answers):
    """The units with other answers to some."""
    changed = {key: replace(units[key], classes=classes) for key, classes in answers.items()}
    return list({**units, **changed}.values())


def compared(measure, before, after, context=CONTEXT):
    return {(one.name, one.scope): one for one in measure.paired(before, after, context)}


def test_a_rate_is_mcnemar_on_flips():
    units = stereotypes()
    # stereotype 3: 23 sentences, three turn masculine, one feminine, one is not marked any more
    answers = {"03-00": (M,), "03-02": (M,), "03-04": (M,), "03-01": (F,), "03-05": (NONE,)}
    found = compared(RATE, list(units.values()), answering(units, answers))
    rate = found["p_i", "stereotype:3"]
    assert (rate.n, rate.only_before, rate.only_after, rate.changed) == (22, 1, 0, 4)
    assert (rate.before, rate.after, rate.delta) == pytest.approx((10 / 22, 12 / 22, 2 / 22))
    assert (rate.low, rate.high) == flip_interval(3, 1, 22)
    assert (rate.p, rate.test) == (mcnemar(3, 1), Test.MCNEMAR)
    assert dict(rate.facts) == {
        "gained": 3, "lost": 1, "spread": pytest.approx(2 / 22),
        "missing_suspect": 0, "bound_low": rate.delta, "bound_high": rate.delta,
    }  # fmt: skip
    # What is not marked any more is a change of the marked share, not of the rate.
    marked = found["marked_share", "stereotype:3"]
    assert (marked.n, marked.changed, marked.delta) == (23, 1, pytest.approx(-1 / 23))
    assert (marked.p, marked.test) == (0.5, Test.MCNEMAR)


def test_means_of_rates_are_sums_of_unequal_flips():
    units = stereotypes()
    flips = {"01-00": 1 / 7 / 21, "02-00": 1 / 7 / 22, "07-01": -1 / 7 / 27, "16-00": 1 / 9 / 36}
    answers = {key: (F,) if key.endswith("1") else (M,) for key in flips}
    found = compared(RATE, list(units.values()), answering(units, answers))
    p_f = sum(list(flips.values())[:3])
    p_m = flips["16-00"]
    for name, expected in {
        "p_f": p_f, "p_m": p_m, "f_s": p_m - p_f, "f_m": (p_m + p_f) / 2,
    }.items():  # fmt: skip
        one = found[name, "all"]
        assert one.delta == pytest.approx(expected, abs=1e-12)
        assert one.test is Test.SIGN_FLIP
    # |S| >= .0050 of +-.0068 +-.0065 +-.0053 +-.0031 in all but few patterns of 16
    parts = np.array([*list(flips.values())[:3], -p_m])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 4)).reshape(4, -1).T
    expected = np.mean(np.abs(signs @ np.abs(parts)) >= abs(parts.sum()) - 1e-12)
    assert found["f_s", "all"].p == pytest.approx(expected)
    assert dict(found["f_s", "all"].facts)["f_m_before"] == found["f_m", "all"].before


def test_equal_parts_are_the_exact_test_of_mcnemar():
    units = [
        Unit(f"{i}-{j}", {"stereotype": str(i)}, (F,)) for i in range(1, 17) for j in range(30)
    ]
    after = [
        replace(unit, classes=(M,)) if unit.key in {"1-0", "2-0", "3-0", "4-0", "4-1"} else unit
        for unit in units
    ]
    assert compared(RATE, units, after)["p_f", "all"].p == pytest.approx(2 / 2**5)


def test_opposite_moves_change_f_s_and_not_f_m():
    units = stereotypes()
    answers = {f"{i:02}-00": (F,) for i in range(1, 8)}  # feminine already
    answers = {f"{i:02}-01": (F,) for i in range(1, 8)} | {f"{i:02}-00": (M,) for i in range(8, 17)}
    found = compared(RATE, list(units.values()), answering(units, answers))
    f_s, f_m, s_or = (found[name, "all"] for name in ("f_s", "f_m", "s_or"))
    assert f_s.delta == pytest.approx(
        np.mean([1 / SIZES[i] for i in range(1, 8)]) + np.mean([1 / SIZES[i] for i in range(8, 17)])
    )
    assert f_s.p == pytest.approx(2 / 2**16)
    assert abs(f_m.delta) < f_s.delta / 4
    assert s_or.p == pytest.approx(2 / 2**16)
    assert 0 < s_or.low < s_or.delta < s_or.high


def test_s_or_is_the_difference_of_logits_and_its_limits_those_of_small_parts():
    units = stereotypes()
    answers = {f"{i:02}-{j:02}": (M,) for i in range(8, 17) for j in (0, 2)}
    found = compared(RATE, list(units.values()), answering(units, answers))
    s_or, p_m = found["s_or", "all"], found["p_m", "all"]
    then, now = (
        np.mean([(SIZES[i] // 2 + more + 0.5) / (SIZES[i] + 1) for i in range(8, 17)])
        for more in (0, 2)
    )
    expected = math.log(now / (1 - now)) - math.log(then / (1 - then))
    assert s_or.delta == pytest.approx(expected)
    assert dict(s_or.facts)["linearised"] == 1
    # Of the men's part alone the limits are nearly those of p_m on the logit scale.
    chord = expected / (now - then)
    assert (s_or.high - s_or.low) == pytest.approx(chord * (p_m.high - p_m.low), rel=0.2)


def test_clusters_are_sub_stereotypes():
    """Twenty flips, all in two sub-stereotypes, are two things that happened and not twenty."""
    units = {
        key: replace(unit, tags={**unit.tags, "sub_stereotype": f"{key[:2]}-{int(key[3:]) // 10}"})
        for key, unit in stereotypes().items()
    }
    answers = {f"{i:02}-{j:02}": (M,) for i in (1, 2) for j in range(0, 10, 2)}
    one = compared(RATE, list(units.values()), answering(units, answers))["f_m", "all"]
    facts = dict(one.facts)
    assert (facts["clusters_moved"], facts["gained"]) == (2, 10)
    assert one.p == pytest.approx(0.5)
    assert facts["p_probes"] == pytest.approx(2 / 2**10)
    plain = compared(
        RATE, list(stereotypes().values()), answering(stereotypes(), answers)
    )["f_m", "all"]  # fmt: skip
    assert plain.p == facts["p_probes"]
    assert one.high - one.low > plain.high - plain.low


def test_neutralising_is_told_from_turning_round():
    units = stereotypes()
    answers = {f"{i:02}-{j:02}": (NONE,) for i in range(1, 17) for j in (0, 1)}
    found = compared(RATE, list(units.values()), answering(units, answers))
    marked, f_m = found["marked_share", "all"], found["f_m", "all"]
    assert marked.delta == pytest.approx(-32 / sum(SIZES.values()))
    assert marked.p == mcnemar(0, 32)
    assert (f_m.changed, f_m.delta, f_m.p, f_m.only_before) == (0, 0.0, 1.0, 32)
    facts = dict(marked.facts)
    # 16 from masculine and 16 from feminine to none
    assert (facts["classes_changed"], facts["stuart_maxwell_degrees"]) == (32, 2)
    assert facts["stuart_maxwell"] == pytest.approx(32)
    assert facts["p_stuart_maxwell"] == pytest.approx(math.exp(-16))


def test_stuart_maxwell_sees_what_no_marked_share_does():
    units = {key: replace(u, classes=(NONE,)) for key, u in stereotypes().items()}
    answers = {f"{i:02}-00": (BOTH,) for i in range(1, 17)}
    marked = compared(RATE, list(units.values()), answering(units, answers))["marked_share", "all"]
    assert (marked.delta, marked.changed, marked.p) == (0.0, 0, 1.0)
    assert dict(marked.facts)["stuart_maxwell"] == pytest.approx(16)


def test_repeats_count_once_by_their_mean():
    units = {key: replace(u, classes=u.classes * 3) for key, u in stereotypes().items()}
    answers = {"03-00": (F, F, M), "03-02": (M, None, M), "03-01": (M, M, GenderClass.UNIDENTIFIED)}
    rate = compared(RATE, list(units.values()), answering(units, answers))["p_i", "stereotype:3"]
    assert (rate.n, rate.changed, rate.test) == (23, 2, Test.SIGN_FLIP)
    assert rate.delta == pytest.approx((1 / 3 + 1) / 23)
    assert rate.p == pytest.approx(0.5)


def test_a_rank_moves_without_a_test():
    units = stereotypes()
    answers = {f"05-{j:02}": (M,) for j in range(SIZES[5])}
    found = compared(RATE, list(units.values()), answering(units, answers))
    rank = found["feminine_rank", "stereotype:5"]
    assert (rank.after, rank.p, rank.test, rank.low) == (16.0, None, Test.NONE, None)
    assert rank.delta == rank.after - rank.before > 0


def test_what_is_too_small_says_so():
    units = stereotypes()
    few = [unit for unit in units.values() if unit.key[:2] != "04" or unit.key[3:] < "06"]
    found = compared(RATE, list(units.values()), few)
    reason = "stereotype 4: 6 probes are marked on both sides, floor 10"
    assert found["p_i", "stereotype:4"].reason == reason
    assert found["p_i", "stereotype:4"].only_before == SIZES[4] - 6
    expected = f"p_i cannot be compared for stereotype 4 ({reason})"
    for name in ("p_f", "f_s", "f_m", "s_or"):
        assert found[name, "all"].reason == expected
        assert found[name, "all"].delta is None
    assert found["p_m", "all"].delta == 0.0
    assert found["feminine_rank", "stereotype:7"].reason == expected


def test_a_stereotype_that_is_asked_on_one_side_alone_is_no_change():
    units = list(stereotypes().values())
    fewer = [unit for unit in units if unit.tags["stereotype"] != "9"]
    there, back = compared(RATE, units, fewer), compared(RATE, fewer, units)
    for found, column in ((there, "only_before"), (back, "only_after")):
        one = found["p_i", "stereotype:9"]
        assert (one.n, getattr(one, column), one.delta) == (0, SIZES[9], None)


def test_one_sentence_under_two_stereotypes_is_matched_with_itself():
    units = list(stereotypes().values())
    twin = replace(units[0], tags={"stereotype": "16"})
    before = [*units, twin]
    after = [replace(units[0], classes=(M,)), *units[1:], replace(twin, classes=(M,))]
    found = compared(RATE, before, after)
    assert (found["p_i", "stereotype:1"].n, found["p_i", "stereotype:16"].n) == (21, 37)
    assert found["p_i", "stereotype:1"].changed == found["p_i", "stereotype:16"].changed == 1


def test_a_bad_tag_is_named():
    bad = Unit("x", {"stereotype": "17"}, (M,))
    with pytest.raises(InvalidInput, match="probe x: tag 'stereotype'"):
        RATE.paired([bad], [], CONTEXT)


# --- gender_accuracy ---------------------------------------------------------------------------


def twins(frames=1):
    """Both said genders of 40 base sentences, all right, in as many frames."""
    return {
        f"{i:02}-{said}-{frame}": Unit(
            f"{i:02}-{said}-{frame}",
            {
                "said": "feminine" if said == "f" else "masculine",
                "about": "women" if i < 20 else "men",
                "base": f"b{i}",
                "frame": f"frame{frame}",
                "topic": str(i % 4),
            },
            (F if said == "f" else M,),
        )
        for i in range(40)
        for said in "fm"
        for frame in range(frames)
    }


def test_accuracy_is_mcnemar_on_right_and_wrong():
    units = twins()
    answers = {f"{i:02}-f-0": (M,) for i in range(6)}
    found = compared(ACCURACY, list(units.values()), answering(units, answers))
    women, men = found["accuracy_f", "all"], found["accuracy_m", "all"]
    assert (women.n, women.delta, women.p) == (40, pytest.approx(-6 / 40), mcnemar(0, 6))
    assert (men.delta, men.p, men.high) == (0.0, 1.0, nothing_moved(40))
    gap = found["accuracy_gap", "all"]
    assert (gap.delta, gap.n, gap.test) == (pytest.approx(6 / 40), 80, Test.SIGN_FLIP)
    assert gap.p == pytest.approx(2 / 2**6)
    # feminine said: 20 sentences about women lost 6, a quarter of a half
    assert found["stereotype_gap", "all"].delta == pytest.approx(-0.5 * 6 / 20)
    assert found["accuracy_f", "tag:frame=frame0"].delta == pytest.approx(-6 / 40)
    assert found["accuracy_f", "tag:topic=3"].n == 10


def test_twins_of_a_base_sentence_are_one_cluster():
    units = twins(frames=3)
    answers = {f"{i:02}-f-{frame}": (M,) for i in range(4) for frame in range(3)}
    women = compared(ACCURACY, list(units.values()), answering(units, answers))["accuracy_f", "all"]
    facts = dict(women.facts)
    assert (women.changed, facts["clusters"], facts["clusters_moved"]) == (12, 40, 4)
    assert (women.test, women.p) == (Test.SIGN_FLIP, pytest.approx(2 / 2**4))
    assert facts["p_mcnemar"] == mcnemar(0, 12)


# --- c_ratio_bias ------------------------------------------------------------------------------

TOPICS = 12
SHARES = {f"o{i:02}": Share(f"o{i:02}", (i + 1) / 20, "s", "US", "2019") for i in range(TOPICS)}


def occupations():
    """Ten templates each; as many feminine as the number of the occupation, at most 8."""
    return {
        f"o{i:02}-{j}": Unit(
            f"o{i:02}-{j}", {"occupation": f"o{i:02}"}, (F if j < min(i, 8) else M,)
        )
        for i in range(TOPICS)
        for j in range(10)
    }


def test_bias_moves_by_occupations():
    units, context = occupations(), Context(1, SHARES)
    # two outputs of one occupation and one of another turn feminine; one is lost
    answers = {"o02-5": (F,), "o02-6": (F,), "o03-9": (F,), "o05-0": (None,)}
    found = compared(C_RATIO, list(units.values()), answering(units, answers), context)
    mb = found["mb", "all"]
    assert (mb.n, mb.changed, mb.only_before) == (119, 3, 1)
    assert mb.delta == pytest.approx((0.2 + 0.1) / TOPICS)
    assert mb.p == pytest.approx(0.5)
    assert dict(mb.facts)["topics_moved"] == 2
    # .2 - .15 -> .4 - .15 and .3 - .2 -> .4 - .2
    assert found["mab", "all"].delta == pytest.approx((0.2 + 0.1) / TOPICS)
    assert found["mab_always_masculine", "all"].delta is None
    assert found["pearson", "all"].test is Test.SIGN_FLIP


def test_the_target_of_a_change_is_exact():
    units, context = occupations(), Context(1, SHARES)
    answers = {"o02-5": (F,)}
    rounded = C_RATIO.configure({"target": "rounded"})
    after = answering(units, answers)
    assert rounded.paired(list(units.values()), after, context) == C_RATIO.paired(
        list(units.values()), after, context
    )


def test_an_occupation_that_lost_its_outputs_leaves_the_panel():
    units, context = occupations(), Context(1, SHARES)
    answers = {f"o04-{j}": (NONE,) for j in range(3)}
    mb = compared(C_RATIO, list(units.values()), answering(units, answers), context)["mb", "all"]
    facts = dict(mb.facts)
    assert (facts["n_topics"], facts["topics_only_before"], facts["topics_only_after"]) == (
        11,
        1,
        0,
    )
    assert (mb.delta, mb.p) == (0.0, 1.0)
    fewer = {key: share for key, share in SHARES.items() if key > "o03"}
    short = compared(C_RATIO, list(units.values()), list(units.values()), Context(1, fewer))
    assert short["mb", "all"].reason == "8 occupations of 12 are usable on both sides, floor 10"


def test_parts_of_a_correlation_are_of_the_occupations_that_moved():
    units, context = occupations(), Context(1, SHARES)
    answers = {f"o11-{j}": (M,) for j in range(4)}
    found = compared(C_RATIO, list(units.values()), answering(units, answers), context)
    for name in ("pearson", "spearman"):
        one = found[name, "all"]
        assert one.delta == pytest.approx(one.after - one.before)
        assert one.delta < 0
    assert found["pearson", "all"].p == 1.0  # one occupation alone: either sign is as far


def test_a_correlation_says_which_shares_are_the_same_for_all():
    units, same_share = occupations(), Share("o00", 0.4, "s", "US", "2019")
    before = list(units.values())
    flat = Context(1, {key: replace(same_share, word=key) for key in SHARES})
    assert compared(C_RATIO, before, before, flat)["pearson", "all"].reason == (
        "the reference shares are the same for all occupations"
    )
    masculine = answering(units, dict.fromkeys(units, (M,)))
    assert compared(C_RATIO, masculine, before, Context(1, SHARES))["pearson", "all"].reason == (
        "the model shares are the same for all occupations"
    )


# --- lm_ratio ----------------------------------------------------------------------------------


def scored(shift=0.0, about=range(1, 17), templates=("0", "2")):
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 1, (16, 20, 2))
    return [
        Unit(
            f"{i:02}-{j:02}", {"stereotype": str(i)}, (),
            tuple(
                (name, float(noise[i - 1, j, at] + (shift if i in about else 0.0)))
                for at, name in enumerate(("0", "2"))
                if name in templates
            ),
        )
        for i in range(1, 17)
        for j in range(20)
    ]  # fmt: skip


def test_a_shift_of_log_ratios_is_a_factor():
    found = compared(LM, scored(), scored(0.3, range(8, 17)))
    g_s = found["g_s", "template:0"]
    assert g_s.after / g_s.before == pytest.approx(math.exp(0.3))
    facts = dict(g_s.facts)
    assert facts["log_ratio_after"] - facts["log_ratio_before"] == pytest.approx(0.3)
    assert g_s.changed == 180
    assert g_s.p < 1e-50
    assert found["q_f", "template:2"].delta == 0.0
    assert found["q_i", "template-stereotype:2/9"].p == pytest.approx(2 / 2**20)
    over = found["g_s_mean", "all"]
    means = [
        np.mean([found["g_s", f"template:{name}"].__getattribute__(side) for name in ("0", "2")])
        for side in ("before", "after")
    ]
    assert (over.before, over.after) == pytest.approx(means)
    assert dict(over.facts)["n_templates"] == 2


def test_the_limits_of_a_ratio_are_on_the_scale_of_the_ratio():
    """The same change of logarithms, from a level that makes the ratio exp(2) times as large."""
    low, high = (
        compared(LM, scored(level, [9]), scored(level + 0.3, [9]))["q_i", "template-stereotype:0/9"]
        for level in (0.0, 2.0)
    )
    factor = math.exp(2)
    assert (high.delta, high.low, high.high) == pytest.approx(
        (low.delta * factor, low.low * factor, low.high * factor)
    )
    assert low.low <= low.delta <= low.high
    assert high.p == low.p


def test_a_floor_of_one_compares_a_single_sample():
    measure = LM.configure({"floor": 1})
    single = scored()[::20]  # the first sample of each stereotype
    assert compared(measure, single, single)["g_s", "template:0"].delta == 0.0


def test_a_template_without_scores_on_one_side_is_left_out_and_said():
    found = compared(LM, scored(), scored(templates=("2",)))
    assert "q_i cannot be compared" in found["g_s", "template:0"].reason
    assert found["g_s", "template:0"].only_before == 320
    over = found["g_s_mean", "all"]
    assert (over.delta, over.p, dict(over.facts)["n_templates"]) == (0.0, 1.0, 1)
    assert (over.low, over.high) == (None, None)  # nothing moved, and no step is known


@pytest.mark.parametrize(("floor", "compared_from"), [(1, 1), (2, 2), (3, 3)])
def test_a_stereotype_is_compared_from_the_floor_on(floor, compared_from):
    """Of stereotype 3 only so many sentences are answered; all others have more than enough."""
    measure = RATE.configure({"floor": floor})
    units = stereotypes()
    for answered in range(1, 4):
        lost = {f"03-{j:02}": (None,) for j in range(answered, SIZES[3])}
        before = answering(units, lost)
        found = compared(measure, before, before)
        assert (found["p_i", "stereotype:3"].delta is not None) == (answered >= compared_from)
