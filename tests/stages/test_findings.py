"""Families, the ledger over ticks, and selection inside a tick."""

import numpy as np
import pytest
from monitor.stats.discovery import lord

from monitor.change import Role
from monitor.stages.findings import (
    ALPHA,
    Candidate,
    Look,
    Member,
    levels,
    look,
    primaries,
    select,
)


def member(quantity, measure="masculine_rate", engine="deepl", target="cs", **changed):
    known = {"surface": "api", "list": "stereotypes", "source_lang": "en", "reference": ""}
    return Member(
        engine=engine, target=target, measure=measure, quantity=quantity, **(known | changed)
    )


def candidate(series, p, family="a", role=Role.PRIMARY):
    return Candidate(series, family, role, p)


def test_a_family_has_four_primaries_in_the_order_of_the_job():
    declared = [member(name) for name in ("f_s", "f_m", "marked_share")]
    declared += [member(name, "gender_accuracy") for name in ("accuracy", "gap")]
    declared += [member("f_s", target="pl")]
    assert primaries(declared) == {*declared[:4], declared[5]}


def test_what_a_job_names_comes_first_and_alone():
    declared = [member(name) for name in ("f_s", "f_m", "marked_share")]
    assert primaries(declared, ["marked_share"]) == {declared[2]}


@pytest.mark.parametrize(
    ("kept", "dropped"),
    [
        (("value", "TExFAIR@10"), ("value", "TED@10")),
        (("value", "NFaiRR@10"), ("value", "FaiRR@10")),
        (("mb", "c_ratio_bias@10"), ("mb", "c_ratio_bias(group=men)@10")),
    ],
)
def test_the_same_number_is_not_tested_twice(kept, dropped):
    one, two = member(*kept), member(*dropped)
    assert primaries([two, one]) == {one}
    assert primaries([two]) == {two}


def test_the_p_of_a_tick_is_that_of_its_families():
    """Simes twice: a has min(2 * .01, .8) = .02, b has .04; min(2 * .02, .04) = .04."""
    found = look([candidate(1, 0.01), candidate(2, 0.8), candidate(3, 0.04, "b")])
    assert found.p == pytest.approx(0.04)
    assert (found.families, found.hypotheses) == (2, 3)


@pytest.mark.parametrize("role", [Role.SECONDARY, Role.WITNESS])
def test_only_primaries_open_a_tick(role):
    assert look([candidate(1, 1e-9, role=role)]) == Look(None, 0, 0)
    assert select([candidate(1, 1e-9, role=role)], 0.05) == ([], 0)


def test_a_tick_that_cannot_be_tested_takes_no_level():
    looks = [Look(None, 0, 0), Look(0.5, 1, 1), Look(None, 1, 0), Look(0.5, 1, 1)]
    expected = lord([0.5, 0.5], ALPHA).levels
    assert levels(looks) == [None, expected[0], None, expected[1]]


def test_a_level_depends_on_what_came_before_alone():
    rng = np.random.default_rng(7)
    looks = [Look(float(p), 1, 1) for p in rng.uniform(size=30)]
    whole = levels(looks)
    for n in range(1, 30):
        assert levels(looks[:n]) == whole[:n]


def test_a_ledger_has_52_ticks_that_could_be_tested():
    looks = [Look(1e-9, 1, 1), *[Look(None, 1, 0)] * 9, *[Look(0.5, 1, 1)] * 52]
    found = levels(looks)
    assert found[-2] > found[0] == found[-1] == ALPHA / 2 / 52


def test_a_discovery_earns_wealth():
    quiet, lucky = ([Look(p, 1, 1), Look(0.5, 1, 1)] for p in (0.5, 1e-9))
    assert levels(lucky)[1] > levels(quiet)[1]


def test_secondaries_are_tested_in_selected_families_alone():
    some = [
        candidate(1, 1e-8, "a"), candidate(2, 1e-8, "a", Role.SECONDARY),
        candidate(3, 0.9, "b"), candidate(4, 1e-8, "b", Role.SECONDARY),
    ]  # fmt: skip
    found, n = select(some, 0.01)
    assert n == 1
    assert [(one.series, one.role) for one in found] == [(1, Role.PRIMARY), (2, Role.SECONDARY)]
    assert {one.alpha for one in found} == {0.01 * 1 / 2}  # one of two families


def test_q_is_adjusted_inside_the_family():
    found, _ = select([candidate(1, 0.001), candidate(2, 0.004), candidate(3, 0.9)], 0.05)
    assert [(one.series, one.p) for one in found] == [(1, 0.001), (2, 0.004)]
    assert [one.q for one in found] == pytest.approx([0.003, 0.006])


def test_what_has_no_p_is_no_finding():
    assert select([candidate(1, None)], 0.05) == ([], 0)
    found, _ = select([candidate(1, None), candidate(2, 1e-9)], 0.05)
    assert [one.series for one in found] == [2]


def test_a_tick_is_opened_just_when_its_p_is_within_its_level():
    rng = np.random.default_rng(11)
    for _ in range(200):
        some = [
            candidate(n, float(p), family)
            for n, (p, family) in enumerate(zip(rng.uniform(0, 0.2, 12), "abcd" * 3, strict=True))
        ]
        level = float(rng.uniform(0, 0.2))
        _, n = select(some, level)
        assert (n > 0) == (look(some).p <= level)
