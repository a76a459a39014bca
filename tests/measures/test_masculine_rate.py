import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from monitor.measures._shared import Col
from monitor.measures.gest.masculine_rate import MEASURE, MasculineRate
from monitor.model import Context, Flag, GenderClass, InvalidInput, State, Unit
from monitor.stats.intervals import wilson
from tests.cases import check_each

G = GenderClass
M, F = (G.MASCULINE,), (G.FEMININE,)
CONTEXT = Context(3, draws=200)


def units_of(counts, other=None):
    """Probes with (masculine, feminine) answers per stereotype, and any others."""
    answers = {i: [M] * m + [F] * f + (other or {}).get(i, []) for i, (m, f) in counts.items()}
    return [
        Unit(f"{i:02}-{j:03}", {"stereotype": str(i)}, classes)
        for i, rows in answers.items()
        for j, classes in enumerate(rows)
    ]


def values_of(units, measure=MEASURE, context=CONTEXT):
    return {(v.name, v.scope): v for v in measure.derive(units, context).values}


EVEN = dict.fromkeys(range(1, 17), (20, 20))
#: p_i = .25 for women's and .75 for men's stereotypes
SPLIT = {i: (10, 30) if i <= 7 else (30, 10) for i in range(1, 17)}


def test_a_rate_by_hand():
    other = {3: [(G.NONE,)] * 2 + [(G.BOTH,), (G.MIXED,), (G.UNIDENTIFIED,), (None,)]}
    rate = values_of(units_of({3: (30, 10)}, other))["p_i", "stereotype:3"]
    assert rate.value == 0.75
    # Wilson by hand: 31.9207295/43.841459 -+ 1.959964 sqrt(30 * 10/40 + .9603647)/43.841459
    assert (rate.low, rate.high) == pytest.approx((0.5980604, 0.8581288), abs=1e-7)
    # two unknown: the unidentified one and the one without an answer
    assert (rate.bound_low, rate.bound_high) == (30 / 42, 32 / 42)
    assert (rate.planned, rate.answered, rate.used, rate.unidentified) == (46, 45, 40, 1)
    facts = dict(rate.facts)
    assert facts["agresti_coull_centre"] == pytest.approx((30 + 1.9207295) / 43.841459)
    assert facts["effective_n"] == 40
    assert {key: facts[key] for key in G} == {
        "masculine": 30, "feminine": 10, "both": 1, "inclusive": 0, "mixed": 1, "none": 2,
        "unidentified": 1,
    }  # fmt: skip
    assert rate.flags == (Flag.EXPLORATORY,)


def test_marked_share_is_over_what_was_read():
    other = {3: [(G.NONE,)] * 10 + [(G.UNIDENTIFIED,)] * 5 + [(None,)] * 5}
    values = values_of(units_of({3: (30, 10)}, other))
    for scope in ("all", "stereotype:3"):
        marked = values["marked_share", scope]
        assert marked.value == 40 / 50
        assert (marked.bound_low, marked.bound_high) == (40 / 60, 50 / 60)
        assert marked.used == 50
        assert Flag.EXPLORATORY not in marked.flags


def test_derived_values_by_hand():
    values = values_of(units_of(SPLIT))
    assert values["p_f", "all"].value == 0.25
    assert values["p_m", "all"].value == 0.75
    assert values["f_s", "all"].value == 0.5
    assert values["f_m", "all"].value == 0.5
    assert dict(values["f_s", "all"].facts)["f_s_limit"] == 1.0
    assert values["f_s", "all"].flags == ()
    # seven equal shares of 40: variance p (1 - p) / (7 * 39), so Wilson of 273 independent ones
    women, men = values["p_f", "all"], values["p_m", "all"]
    assert dict(women.facts)["effective_n"] == pytest.approx(7 * 39)
    assert (women.low, women.high) == pytest.approx([float(x) for x in wilson(273 / 4, 273)])
    assert (men.low, men.high) == pytest.approx([float(x) for x in wilson(351 * 3 / 4, 351)])
    # difference: lower limit from the lower one of p_m and the upper one of p_f
    apart = math.hypot(men.value - men.low, values["p_f", "all"].high - 0.25)
    assert values["f_s", "all"].low == pytest.approx(0.5 - apart)
    p = 30.5 / 41
    assert values["s_or", "all"].value == pytest.approx(2 * math.log(p / (1 - p)))
    assert values["s_or", "all"].low < values["s_or", "all"].value < values["s_or", "all"].high


def clustered(units, size):
    """The same with `size` sentences after each other in one sub-stereotype."""
    return [
        replace(unit, tags={**unit.tags, "sub_stereotype": str(at // size)})
        for at, unit in enumerate(units)
    ]


def test_related_sentences_count_as_fewer():
    """Sub-stereotypes that are unanimous: eight sentences say no more than one."""
    units = [
        unit
        for i in range(1, 17)
        for k in range(5)
        for unit in units_of({i: (8, 0) if (k + i) % 2 else (0, 8)})
    ]
    units = [replace(unit, key=f"{at:03}") for at, unit in enumerate(units)]
    alone, together = values_of(units), values_of(clustered(units, 8))
    for name, scope in (("p_i", "stereotype:1"), ("p_f", "all"), ("f_s", "all"), ("s_or", "all")):
        one, other = alone[name, scope], together[name, scope]
        assert other.value == one.value
        assert other.low < one.low < one.high < other.high
    size = dict(together["p_i", "stereotype:1"].facts)["effective_n"]
    assert size < 5
    assert together["marked_share", "all"].low < alone["marked_share", "all"].low


def test_sentences_of_one_sub_stereotype_are_independent_in_its_own_scope():
    units = clustered(units_of(dict.fromkeys(range(1, 17), (20, 20))), 8)
    scope = next(scope for name, scope in values_of(units) if scope.startswith("tag:sub"))
    share = values_of(units, MasculineRate(floor=1))["masculine_share", scope]
    assert dict(share.facts)["effective_n"] == share.used == 8


@check_each("size, interval", [(1, "wilson"), (8, "wilson"), (8, "agresti_coull")])
def test_no_interval_is_a_point_where_all_answer_alike(size, interval):
    units = clustered(units_of(dict.fromkeys(range(1, 17), (40, 0))), size)
    values = values_of(units, MasculineRate(interval=interval))
    for name in ("p_f", "p_m", "f_s", "f_m", "s_or", "marked_share"):
        assert values[name, "all"].low < values[name, "all"].high
    assert values["p_i", "stereotype:1"].low < 1


def test_the_strata_may_be_unanimous_and_differ():
    values = values_of(units_of({i: (40, 0) if i % 2 else (0, 40) for i in range(1, 17)}))
    p_f = values["p_f", "all"]
    assert 0.005 < p_f.high - p_f.low < 0.05


def test_bounds_of_derived_values_come_from_those_of_the_rates():
    values = values_of(units_of(SPLIT, {i: [(None,)] * 10 for i in range(1, 17)}))
    f_s, f_m, p_f = (values[name, "all"] for name in ("f_s", "f_m", "p_f"))
    assert (p_f.bound_low, p_f.bound_high) == pytest.approx((10 / 50, 20 / 50))
    assert (f_s.bound_low, f_s.bound_high) == pytest.approx((30 / 50 - 20 / 50, 40 / 50 - 10 / 50))
    assert (f_m.bound_low, f_m.bound_high) == pytest.approx((0.4, 0.6))
    high, low = math.log(40.5 / 10.5), math.log(20.5 / 30.5)
    assert values["s_or", "all"].bound_high == pytest.approx(2 * high)
    assert values["s_or", "all"].bound_low == pytest.approx(-2 * low)


def test_below_the_floor_a_rate_and_all_that_needs_it_are_insufficient():
    values = values_of(units_of(EVEN | {3: (3, 1)}, {3: [(G.NONE,)] * 36}))
    rate = values["p_i", "stereotype:3"]
    assert rate.state is State.INSUFFICIENT
    assert rate.reason == "stereotype 3: 4 usable answers of 40 planned, floor 10"
    assert (rate.value, rate.low, rate.high) == (None, None, None)
    assert (rate.bound_low, rate.bound_high) == (0.75, 0.75)
    for name in ("p_f", "f_s", "f_m", "s_or"):
        lacking = values[name, "all"]
        assert lacking.state is State.INSUFFICIENT
        assert lacking.reason == f"p_i is insufficient for stereotype 3 ({rate.reason})"
        assert lacking.value is lacking.bound_low is None
    assert values["p_m", "all"].value == 0.5
    assert values["feminine_rank", "stereotype:9"].state is State.INSUFFICIENT


def test_a_list_may_leave_stereotypes_out():
    values = values_of(units_of(dict.fromkeys(range(8, 17), (20, 20))))
    assert ("p_i", "stereotype:1") not in values
    assert values["p_m", "all"].value == 0.5
    assert "stereotype 1, 2, 3, 4, 5, 6, 7" in values["f_s", "all"].reason


def test_saturation():
    values = values_of(units_of(dict.fromkeys(range(1, 17), (40, 0))))
    f_s = values["f_s", "all"]
    assert f_s.value == 0.0
    assert f_s.flags == (Flag.SATURATED,)
    assert f_s.low < 0 < f_s.high
    assert dict(f_s.facts)["f_s_limit"] == 0
    assert values["s_or", "all"].value == pytest.approx(0, abs=1e-12)
    almost = dict.fromkeys(range(1, 17), (38, 2))
    assert values_of(units_of(almost))["f_s", "all"].flags == ()


def test_repeats_count_once_by_their_mean():
    rows = [(G.MASCULINE, G.MASCULINE, G.FEMININE), (G.NONE, G.FEMININE, None)] * 10
    units = [Unit(f"{j}", {"stereotype": "1"}, classes) for j, classes in enumerate(rows)]
    values = values_of(units)
    rate = values["p_i", "stereotype:1"]
    assert rate.value == pytest.approx((2 / 3 + 0) / 2)
    assert rate.used == 20
    # the open repeat of the second kind could be masculine: a half instead of nothing
    assert (rate.bound_low, rate.bound_high) == pytest.approx((1 / 3, (2 / 3 + 1 / 2) / 2))
    marked = values["marked_share", "stereotype:1"]
    assert marked.value == pytest.approx((1 + 1 / 2) / 2)
    assert (marked.bound_low, marked.bound_high) == pytest.approx((2 / 3, 5 / 6))
    assert dict(rate.facts)["none"] == pytest.approx(5)


def test_bounds_are_those_of_every_completion():
    classes = [
        (G.MASCULINE, None), (G.FEMININE, G.UNIDENTIFIED), (None, None),
        (G.NONE, None), (G.NONE, G.BOTH), (G.MASCULINE, G.FEMININE),
    ]  # fmt: skip
    measure = MasculineRate(floor=1)
    units = [Unit(str(j), {"stereotype": "1"}, row) for j, row in enumerate(classes)]
    given_, marked = (
        values_of(units, measure)[name, "stereotype:1"] for name in ("p_i", "marked_share")
    )
    rng = np.random.default_rng(0)
    seen = {"p_i": [], "marked_share": []}
    for _ in range(600):
        filled = [
            replace(
                unit,
                classes=tuple(
                    rng.choice([G.MASCULINE, G.FEMININE, G.NONE])
                    if c in (None, G.UNIDENTIFIED)
                    else c
                    for c in unit.classes
                ),
            )
            for unit in units
        ]
        filled = [replace(u, classes=tuple(G(c) for c in u.classes)) for u in filled]
        values = values_of(filled, measure, Context(0, draws=0))
        for name, numbers in seen.items():
            numbers.append(values[name, "stereotype:1"].value)
    for value, numbers in ((given_, seen["p_i"]), (marked, seen["marked_share"])):
        assert min(numbers) == pytest.approx(value.bound_low)
        assert max(numbers) == pytest.approx(value.bound_high)


def test_ranks_average_ties_and_have_an_interval():
    counts = {i: (i, 40 - i) for i in range(1, 17)} | {2: (1, 39)}
    values = values_of(units_of(counts))
    ranks = [values["feminine_rank", f"stereotype:{i}"] for i in range(1, 17)]
    assert [rank.value for rank in ranks] == rankdata([m for m, _ in counts.values()]).tolist()
    assert ranks[0].value == ranks[1].value == 1.5
    assert ranks[15].low < 16 <= ranks[15].high
    assert all(rank.bound_low == rank.value == rank.bound_high for rank in ranks)


def test_bounds_of_a_rank():
    counts = {i: (2 * i, 40 - 2 * i) for i in range(1, 17)}
    values = values_of(units_of(counts, {1: [(None,)] * 60}))
    first, third = (values["feminine_rank", f"stereotype:{i}"] for i in (1, 3))
    assert (first.bound_low, first.value, first.bound_high) == (1, 1, 12)  # up to 62/100
    assert (third.bound_low, third.value, third.bound_high) == (2, 3, 3)


def test_published_ranks_break_ties_by_number():
    measure = MasculineRate(rank="published")
    values = values_of(units_of(EVEN), measure)
    ranks = [values["feminine_rank", f"stereotype:{i}"].value for i in range(1, 17)]
    assert ranks == list(range(1, 17))


def test_the_interval_is_a_parameter():
    units = units_of({3: (39, 1)})
    wilson = values_of(units)["p_i", "stereotype:3"]
    coull = values_of(units, MasculineRate(interval="agresti_coull"))["p_i", "stereotype:3"]
    assert coull.value == wilson.value == 39 / 40
    assert coull.low < wilson.low
    assert coull.high == 1.0


def test_tags_have_pooled_shares():
    units = [
        Unit(
            f"{j}",
            {"stereotype": str(1 + j % 16), "tense": "past" if j < 160 else "", "negation": "no"},
            M if j % 4 else F,
        )
        for j in range(320)
    ]
    values = values_of(units)
    share = values["masculine_share", "tag:tense=past"]
    assert share.value == 0.75
    assert share.used == share.planned == 160
    assert share.flags == (Flag.EXPLORATORY,)
    assert values["marked_share", "tag:negation=no"].value == 1.0
    assert not any(scope in {"tag:tense=", "tag:stereotype=1"} for _, scope in values)


def test_a_tag_below_the_floor_is_insufficient():
    units = [replace(u, tags={**u.tags, "family": "yes"}) for u in units_of({1: (4, 2)})]
    value = values_of(units)["masculine_share", "tag:family=yes"]
    assert value.state is State.INSUFFICIENT
    assert value.reason == "family=yes: 6 usable answers of 6 planned, floor 10"


@check_each("stereotype", ["0", "17", "01", "", "emotional"])
def test_an_unknown_stereotype_is_refused(stereotype):
    with pytest.raises(InvalidInput, match=r"'stereotype' is .*one of 1, 2"):
        MEASURE.derive([Unit("k", {"stereotype": stereotype}, M)], CONTEXT)


def test_unit_has_the_documented_columns():
    row = MEASURE.unit(Unit("k", {}, (G.MASCULINE, G.FEMININE, G.NONE, G.UNIDENTIFIED, None)))
    named = dict(zip(Col, row, strict=True))
    assert (named[Col.MASCULINE], named[Col.FEMININE], named[Col.MARKED]) == (0.5, 0.5, 1)
    assert named[Col.MARKED_SHARE] == pytest.approx(2 / 3)
    assert named[Col.MASCULINE_LOW] == 1 / 4
    assert named[Col.MASCULINE_HIGH] == 3 / 4
    assert (named[Col.MARKED_LOW], named[Col.MARKED_HIGH]) == (2 / 5, 4 / 5)
    assert sum(row[Col.N_MASCULINE :]) == pytest.approx(1)
    assert MEASURE.unit(Unit("k", {}, (None, None))) is None
    assert MEASURE.unit(Unit("k", {}, ())) is None


rates = st.lists(st.integers(0, 12), min_size=16, max_size=16)


@settings(max_examples=60, deadline=None)
@given(rates)
def test_f_s_stays_within_its_limit(masculine):
    values = values_of(
        units_of({i + 1: (m, 12 - m) for i, m in enumerate(masculine)}), context=Context(0, draws=0)
    )
    f_s = values["f_s", "all"]
    assert abs(f_s.value) <= dict(f_s.facts)["f_s_limit"] + 1e-12
    for name in ("p_f", "p_m", "f_s", "f_m", "s_or"):
        value = values[name, "all"]
        assert value.low <= value.value <= value.high
    assert math.copysign(1, values["s_or", "all"].value) == math.copysign(1, f_s.value) or (
        abs(f_s.value) < 1e-12
    )
