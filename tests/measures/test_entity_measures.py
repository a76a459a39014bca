"""Measures of named persons: winomt, gender_agreement, ambiguous_default."""

from dataclasses import replace

import numpy as np
import pytest

from monitor import registry
from monitor.model import Context, GenderClass, InvalidInput, State, Unit

M, F, N, U = (
    GenderClass.MASCULINE, GenderClass.FEMININE, GenderClass.NONE, GenderClass.UNIDENTIFIED,
)  # fmt: skip
#: What the authors' program counted for a translator into Spanish in 2019: {said: as M, N, F, U}.
SPANISH = {
    "masculine": (1487, 89, 246, 4), "feminine": (1208, 90, 519, 5), "neutral": (169, 59, 11, 1),
}  # fmt: skip
OTHER = {M: F, F: M}


def winomt_units(counts=SPANISH):
    units = []
    for said, numbers in counts.items():
        for cls, n in zip((M, N, F, U), numbers, strict=True):
            for _ in range(n):
                at = len(units)
                tags = {
                    "said": said, "occupation": f"o{at % 40}", "template": f"t{at % 700}",
                    "stereotype": ("pro", "anti", "")[at % 3],
                }  # fmt: skip
                units.append(Unit(f"w{at:05}", tags, (cls,)))
    return units


def derived(name, units, scope="all", **context):
    values = registry.measure(name).derive(units, Context(1, draws=200, **context)).values
    return {value.name: value for value in values if value.scope == scope}


# --- winomt ---------------------------------------------------------------------------------------


def test_the_counts_of_the_authors_give_their_figures():
    values = derived("winomt", winomt_units())
    printed = {"accuracy": 53.1, "f1_masculine": 63.4, "f1_feminine": 40.0}
    assert {name: round(100 * values[name].value, 1) for name in printed} == printed
    assert values["delta_g"].value == pytest.approx(
        values["f1_masculine"].value - values["f1_feminine"].value
    )
    facts = dict(values["accuracy"].facts)
    assert facts["said_feminine_as_masculine"] == 1208
    assert sum(facts.values()) == 3888


def test_delta_s_is_accuracy_where_the_stereotype_is_confirmed_less_where_it_is_not():
    units = winomt_units()
    right = {"pro": [], "anti": [], "": []}
    expected = {"masculine": M, "feminine": F, "neutral": N}
    for unit in units:
        right[unit.tags["stereotype"]].append(unit.classes[0] is expected[unit.tags["said"]])
    value = derived("winomt", units)["delta_s"].value
    assert value == pytest.approx(np.mean(right["pro"]) - np.mean(right["anti"]))


def test_every_interval_holds_its_value_and_every_share_its_bounds():
    for value in derived("winomt", winomt_units()).values():
        assert value.low < value.value < value.high, value.name
        if value.bound_low is not None:
            assert value.bound_low <= value.value <= value.bound_high


def test_women_and_men_changing_places_mirrors_every_value():
    units = winomt_units()
    said = {"masculine": "feminine", "feminine": "masculine", "neutral": "neutral"}
    turned = [
        Unit(u.key, {**u.tags, "said": said[u.tags["said"]]},
             tuple(OTHER.get(cls, cls) for cls in u.classes))
        for u in units
    ]  # fmt: skip
    before, after = derived("winomt", units), derived("winomt", turned)
    for name in ("accuracy", "delta_s", "unidentified_share"):
        assert after[name].value == pytest.approx(before[name].value)
    assert after["delta_g"].value == pytest.approx(-before["delta_g"].value)
    assert after["f1_feminine"].value == pytest.approx(before["f1_masculine"].value)
    assert after["feminine_share"].value == pytest.approx(1 - before["feminine_share"].value)


def test_an_answer_that_is_missing_is_no_error_and_widens_the_bounds():
    units = winomt_units({"masculine": (30, 0, 10, 0)})
    lacking = [*units[:-5], *(Unit(u.key, u.tags, (None,)) for u in units[-5:])]
    value = derived("winomt", lacking)["accuracy"]
    assert (value.planned, value.answered, value.value) == (40, 35, pytest.approx(30 / 35))
    assert (value.bound_low, value.bound_high) == pytest.approx((30 / 40, 35 / 40))


def test_an_answer_that_cannot_be_read_is_wrong_and_is_counted():
    values = derived("winomt", winomt_units({"masculine": (30, 0, 0, 10)}))
    assert values["accuracy"].value == pytest.approx(0.75)
    assert values["unidentified_share"].value == pytest.approx(0.25)
    assert values["accuracy"].unidentified == 10


def test_what_the_list_does_not_hold_has_no_value():
    values = derived("winomt", winomt_units({"masculine": (30, 0, 10, 0)}))
    assert values["f1_feminine"].state is State.INSUFFICIENT
    assert values["delta_g"].value is None
    few = derived("winomt", winomt_units({"masculine": (5, 0, 0, 0)}))
    assert {value.state for value in few.values()} == {State.INSUFFICIENT}
    assert "5 usable answers of 5 planned, floor 10" in few["accuracy"].reason


def test_each_occupation_has_its_share():
    units = winomt_units()
    value = derived("winomt", units, scope="tag:occupation=o7")["feminine_share"]
    own = [u.classes[0] for u in units if u.tags["occupation"] == "o7"]
    assert value.value == pytest.approx(own.count(F) / (own.count(F) + own.count(M)))
    assert value.low < value.value < value.high


def test_a_share_that_no_draw_moves_has_the_interval_of_its_clusters():
    units = [
        Unit(
            f"u{at}", {"said": "masculine", "occupation": f"o{at % 4}", "template": f"t{at}"}, (M,)
        )
        for at in range(40)
    ]
    value = derived("winomt", units)["accuracy"]
    assert value.high == 1.0
    assert 0.4 < value.low < 0.7  # Wilson's of four independent questions


def test_occupations_that_go_together_widen_the_interval():
    rng = np.random.default_rng(5)
    women = rng.random(20) < 0.5
    alike = [
        Unit(f"u{at:04}", {"said": "feminine", "occupation": f"o{at % 20}", "template": f"t{at}"},
             (F if women[at % 20] else M,))
        for at in range(400)
    ]  # fmt: skip
    alone = [
        Unit(u.key, {**u.tags, "occupation": u.key}, u.classes) for u in alike
    ]  # fmt: skip
    wide, narrow = (derived("winomt", units)["accuracy"] for units in (alike, alone))
    assert wide.value == narrow.value
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_a_value_of_the_tag_that_is_none_of_winomts_is_refused():
    with pytest.raises(InvalidInput, match=r"probe u: tag 'said' is 'female'"):
        derived("winomt", [Unit("u", {"said": "female"}, (M,))])


def test_the_change_of_every_quantity_is_the_difference_of_its_values():
    before = winomt_units({"masculine": (90, 5, 20, 5), "feminine": (60, 5, 50, 5)})
    turned = iter(range(1000))
    after = [
        Unit(u.key, u.tags, (F,)) if u.classes[0] is M and next(turned) % 4 == 0 else u
        for u in before
    ]
    measure = registry.measure("winomt")
    old, new = derived("winomt", before), derived("winomt", after)
    changes = {
        change.name: change
        for change in measure.paired(before, after, Context(1))
        if change.scope == "all"
    }
    assert changes.keys() == old.keys()
    for name, change in changes.items():
        if old[name].value is not None:
            assert change.delta == pytest.approx(new[name].value - old[name].value), name
    assert changes["feminine_share"].p < 0.001
    assert changes["feminine_share"].low < changes["feminine_share"].delta


def test_a_change_in_one_occupation_is_no_certain_change():
    before = winomt_units({"feminine": (200, 0, 200, 0)})
    before = [
        Unit(u.key, {**u.tags, "occupation": f"o{at // 40}", "template": f"t{at}"}, u.classes)
        for at, u in enumerate(before)
    ]
    after = [Unit(u.key, u.tags, (F,)) if u.tags["occupation"] == "o2" else u for u in before]
    [change] = [
        change
        for change in registry.measure("winomt").paired(before, after, Context(1))
        if (change.name, change.scope) == ("accuracy", "all")
    ]
    assert change.delta == pytest.approx(0.1)
    assert change.p == 1.0  # one occupation of ten moved


def test_a_change_is_suspect_where_answers_came_to_be_missing():
    full = winomt_units({"feminine": (60, 0, 60, 0), "masculine": (100, 0, 20, 0)})
    gaps = [
        replace(unit, classes=(None,)) if unit.classes[0] is M and at % 3 == 0 else unit
        for at, unit in enumerate(full)
    ]
    expected = {"missing after": (full, gaps, 1), "missing at both": (gaps, gaps, 0),
                "none missing": (full, full, 0)}  # fmt: skip
    for name, (before, same, suspect) in expected.items():
        after = [
            replace(unit, classes=(F,)) if at % 17 == 1 and unit.classes[0] else unit
            for at, unit in enumerate(same)
        ]
        [change] = [
            change
            for change in registry.measure("winomt").paired(before, after, Context(1))
            if (change.name, change.scope) == ("delta_g", "all")
        ]
        facts = dict(change.facts)
        assert facts["bound_low"] <= change.delta <= facts["bound_high"], name
        assert facts["missing_suspect"] == suspect, name


# --- gender_agreement and ambiguous_default -------------------------------------------------------


def test_a_translation_without_the_other_gender_keeps_it():
    classes = {"feminine": [F] * 6 + [M] * 3 + [N], "masculine": [M] * 8 + [F] + [U]}
    units = [
        Unit(f"{said}{at}", {"counterfactual": said, "base": str(at)}, (cls,))
        for said, some in classes.items()
        for at, cls in enumerate(some)
    ]
    values = derived("gender_agreement", units)
    assert values["agreement_f"].value == pytest.approx(7 / 10)
    assert values["agreement_m"].value == pytest.approx(8 / 9)
    assert values["agreement_gap"].value == pytest.approx(8 / 9 - 7 / 10)
    assert values["agreement"].value == pytest.approx(15 / 19)
    assert values["shown_share"].value == pytest.approx(18 / 19)
    assert values["agreement"].unidentified == 1


def test_offers_of_both_genders_are_no_choice():
    both, inclusive = GenderClass.BOTH, GenderClass.INCLUSIVE
    units = [
        Unit(f"u{at}", {"ambiguous": "SUBJ"}, (cls,))
        for at, cls in enumerate([M] * 6 + [F] * 2 + [both, inclusive, N, U])
    ]
    values = derived("ambiguous_default", units)
    assert values["masculine_default"].value == pytest.approx(6 / 8)
    assert values["offered_share"].value == pytest.approx(2 / 11)
    assert values["chosen_share"].value == pytest.approx(8 / 11)
    assert (values["masculine_default"].bound_low, values["masculine_default"].bound_high) == (
        pytest.approx((6 / 9, 7 / 9))
    )
