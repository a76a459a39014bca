"""Changes of c-ratio bias of ranked lists of people, by hand."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from monitor.change import Test
from monitor.measures.c_ratio import _list_changes
from monitor.measures.c_ratio._list_changes import pair_topics, people_parts, spread_parts
from monitor.measures.c_ratio.c_ratio_bias_search import CRatioBiasSearch
from monitor.model import OF_DONOR
from tests.measures import ranked

SMALL = CRatioBiasSearch(topics_floor=3, target="exact")


def occupations(lists):
    return [ranked.unit(f"o{n:02}", one) for n, one in enumerate(lists)]


def changes(before, after, share=0.5, measure=SMALL, topics=20):
    shares = {f"o{n:02}": share for n in range(topics)}
    found = measure.paired(occupations(before), occupations(after), ranked.context(shares))
    return {one.name: one for one in found}


def women(n, of=10):
    return "w" * n + "m" * (of - n)


def test_one_woman_more_in_five_of_ten_lists():
    found = changes([women(5)] * 10 + [""], [women(6)] * 5 + [women(5)] * 5 + [women(9)])
    mb, mab, sb = found["mb"], found["mab"], found["sb"]
    assert (mb.n, mb.only_before, mb.only_after) == (10, 0, 1)
    assert (mb.before, mb.after, mb.delta) == pytest.approx((0, 0.05, 0.05))
    assert mb.p == mab.p == pytest.approx(2 / 2**5)
    assert mab.delta == pytest.approx(0.05)
    assert (sb.before, sb.after, sb.delta) == pytest.approx((0, 0.05, 0.05))
    spread = math.sqrt(10 / 9 * 10 * 0.005**2)
    assert mb.high - mb.delta == pytest.approx(2.262157 * spread, rel=1e-5)
    assert mb.changed == 10  # strangers all
    assert (found["min_beta"].delta, found["max_beta"].delta) == pytest.approx((0, 0.1))
    for name in ("min_beta", "max_beta"):  # they move when others do
        one = found[name]
        assert (one.low, one.p, one.test, one.reason) == (None, None, Test.NONE, "")
    assert (found["max_beta"].before, found["max_beta"].after) == pytest.approx((0, 0.1))
    assert found["mab_null"].reason
    assert found["mab_change_panel"].reason == found["mb_change_panel"].reason
    men = changes([women(5)] * 10, [women(6)] * 5 + [women(5)] * 5,
                  measure=replace(SMALL, group="men"))  # fmt: skip
    assert (men["mb"].delta, men["mb"].p) == (-mb.delta, mb.p)
    assert SMALL.primaries == ("mb", "mab", "trigger_rate")


def test_the_same_people_in_the_same_order_have_not_changed():
    lists = [ranked.people(women(n)) for n in range(2, 9)]
    turned = [lists[0][::-1], *lists[1:]]
    assert changes(lists, lists)["mb"].changed == 0
    found = changes(lists, turned)["mb"]
    assert (found.changed, found.delta, found.p) == (1, 0, 1)


def test_one_person_who_leaves_ten_lists_is_one_event():
    star = [ranked.people(women(5), ["star"]) for _ in range(10)]
    gone = [(*ranked.people("m"), *some[1:]) for some in star]  # a stranger, and nine who stay
    found = changes(star, gone)["mb"]
    assert found.delta == pytest.approx(-0.1)
    assert found.p == 1  # one cluster has no sign of its own
    assert dict(found.facts)["n_people_moved_in_several_topics"] == 1
    strangers = [(*ranked.people("w"), *some[1:]) for some in star]
    each = changes(strangers, gone)["mb"]
    assert (each.delta, each.p) == (found.delta, pytest.approx(2 / 2**10))


def donated(lists):
    """Units of {donor: one list for each of the occupations}."""
    return [
        replace(ranked.unit(f"o{n:02}", one), key=f"o{n:02}{OF_DONOR}{donor}")
        for donor, answers in lists.items()
        for n, one in enumerate(answers)
    ]


def test_pages_of_a_donor_move_together_whatever_they_are_about():
    before = {donor: [women(5)] * 10 for donor in "abcdef"}
    one = {**before, "a": [women(9)] * 10}  # who was shown other lists in all occupations
    shares = ranked.context({f"o{n:02}": 0.5 for n in range(10)})
    few = {c.name: c for c in SMALL.paired(donated(before), donated(one), shares)}
    assert few["mb"].delta == pytest.approx(0.4 / 6)
    assert few["mb"].p == few["mab"].p == 1  # ten occupations, and one donor
    everybody = {donor: [women(7)] * 10 for donor in before}
    many = {c.name: c for c in SMALL.paired(donated(before), donated(everybody), shares)}
    assert many["mb"].p == pytest.approx(2 / 2**6)  # six donors
    hidden = {donor: [""] * 10 if donor == "a" else answers for donor, answers in before.items()}
    rate = {c.name: c for c in SMALL.paired(donated(hidden), donated(before), shares)}
    assert rate["trigger_rate"].p == 1


def test_parts_of_questions_make_up_the_change(monkeypatch):
    totals = []

    def widen(flip, parts):
        totals.append((flip.total, sum(part for _, part in parts)))
        return flip

    monkeypatch.setattr(_list_changes, "widen_by_donors", widen)
    rng = np.random.default_rng(3)
    sides = [
        donated({d: [women(int(rng.integers(0, 11))) + "?" for _ in range(8)] for d in "abc"})
        for _ in range(2)
    ]
    SMALL.paired(*sides, ranked.context({f"o{n:02}": 0.4 for n in range(8)}))
    assert len(totals) == 5  # mb, sb, mab, trigger_rate, label_coverage
    for total, parts in totals:
        assert parts == pytest.approx(total, abs=1e-9)


def test_parts_of_people_make_up_the_change():
    people = [f"p{n}" for n in range(30)]
    rng = np.random.default_rng(1)
    sides = []
    for _ in range(2):
        drawn = [rng.choice(30, 10, replace=False) for _ in range(12)]
        sides.append([ranked.people(["wm"[n % 2] for n in some], [people[n] for n in some])
                      for some in drawn])  # fmt: skip
    shares = ranked.context({f"o{n:02}": 0.4 for n in range(12)})
    for measure in (SMALL, replace(SMALL, denominator="cutoff", cutoff=15)):
        then, now = (measure._read_topics(occupations(side), shares) for side in sides)
        found = pair_topics(now, then)
        total = sum(part for _, part in people_parts(found, [1] * 12))
        assert total == sum(p.now.bias(p.now.target) - p.before.bias(p.now.target) for p in found)


@pytest.mark.parametrize("ddof", [0, 1])
def test_parts_of_a_standard_deviation_make_up_its_change(ddof):
    before, after = np.random.default_rng(2).normal(size=(2, 9))
    change = after.std(ddof=ddof) - before.std(ddof=ddof)
    assert spread_parts(before, after, ddof).sum() == pytest.approx(change)
    assert spread_parts(np.ones(4), np.ones(4), ddof).tolist() == [0] * 4


def test_a_newer_reference_is_no_change_of_the_engine():
    lists = [ranked.people(women(n)) for n in (2, 4, 6, 8)]
    for share in (0.3, 0.31):
        found = changes(lists, lists, share)["mb"]
        assert (found.delta, found.changed) == (0, 0)
        assert found.after == pytest.approx(0.5 - share)


def test_the_block_is_shown_for_fewer_occupations():
    before = [women(5)] * 9 + ["", None, women(5)]
    after = ["", "", ""] + [women(5)] * 6 + ["", women(5), None]
    found = changes(before, after)["trigger_rate"]
    assert (found.n, found.only_before, found.only_after, found.changed) == (10, 1, 1, 3)
    assert (found.before, found.after, found.delta) == pytest.approx((0.9, 0.6, -0.3))
    assert found.test is Test.MCNEMAR
    assert found.p == pytest.approx(0.125)  # mid-p: twice half of 1/8
    facts = dict(found.facts)
    assert (facts["gained"], facts["lost"], facts["n_topics"]) == (0, 3, 10)
    assert found.low < found.delta < found.high


@pytest.mark.parametrize("seed", range(4))
def test_bounds_hold_what_lists_that_are_missing_could_say(seed):
    """What all lists say lies within the bounds of what is left of them."""
    rng = random.Random(seed)  # noqa: S311 - no secret

    def lose(lists):
        gone = rng.sample(range(12), 3)
        return [None if n in gone else found for n, found in enumerate(lists)]

    then, now = ([women(rng.randint(0, 10)) for _ in range(12)] for _ in range(2))
    truth = changes(then, now)
    for before, after in ((lose(then), lose(now)), (then, lose(now)), (lose(then), now)):
        found = changes(before, after)
        for name in ("mb", "mab", "trigger_rate"):
            facts = dict(found[name].facts)
            assert facts["bound_low"] <= truth[name].delta <= facts["bound_high"]
            assert facts["bound_low"] < facts["bound_high"]


def test_bounds_of_mean_absolute_bias_are_reached():
    """One of four lists is missing afterwards: it may be as far from its share as can be."""
    facts = dict(changes([women(5)] * 4, [*[women(5)] * 3, None])["mab"].facts)
    assert (facts["bound_low"], facts["bound_high"]) == pytest.approx((0, 0.5 / 4))


def test_labels_that_came_since():
    lists = ["wwwwwuuuuu"] * 4
    found = changes(lists, ["wwwwwuuuuu"] + ["wwwwwwwwww"] * 3)["label_coverage"]
    assert (found.before, found.after, found.delta) == pytest.approx((0.5, 7 / 8, 3 / 8))
    assert found.p == pytest.approx(2 / 2**3)
    nobody = changes([""] * 4, lists)["label_coverage"]
    assert nobody.reason == "no people shown on both sides"


def test_too_few_occupations():
    found = changes([women(5)] * 2, [women(6)] * 2)
    assert found["mb"].reason == "2 occupations usable on both sides, floor 3"
    assert (found["mb"].n, found["mb"].delta) == (2, None)
    assert found["trigger_rate"].reason == "2 occupations answered on both sides, floor 3"
