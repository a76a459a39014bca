"""Families, primary series, and secondary series beside a decided change."""

import numpy as np
import pytest

from monitor.stages.changes.series_roles import Candidate, Member, select_findings, select_primaries
from monitor.stats.chance import benjamini_hochberg


def member(quantity, measure="masculine_rate", engine="deepl", target="cs", **changed):
    known = {"surface": "api", "list": "stereotypes", "source_lang": "en", "reference": ""}
    return Member(
        engine=engine, target=target, measure=measure, quantity=quantity, **(known | changed)
    )


def test_a_family_has_four_primaries_in_the_order_of_the_job():
    declared = [member(name) for name in ("f_s", "f_m", "marked_share")]
    declared += [member(name, "gender_accuracy") for name in ("accuracy", "gap")]
    declared += [member("f_s", target="pl")]
    assert select_primaries(declared) == {*declared[:4], declared[5]}


def test_what_a_job_names_comes_first_and_alone():
    declared = [member(name) for name in ("f_s", "f_m", "marked_share")]
    assert select_primaries(declared, ["marked_share"]) == {declared[2]}


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
    assert select_primaries([two, one]) == {one}
    assert select_primaries([two]) == {two}


def test_secondary_series_are_selected_family_by_family():
    """p = .03 of 2 is .06 after correction, alone it is .03."""
    beside = [Candidate(1, "a", 0.03), Candidate(2, "a", 0.9), Candidate(3, "b", 0.03)]
    [selected] = select_findings(beside, 0.05)
    assert (selected.series, selected.family, selected.p) == (3, "b", 0.03)
    assert (selected.q, selected.alpha) == (pytest.approx(0.03), 0.05)


def test_q_is_adjusted_inside_the_family():
    selected = select_findings(
        [Candidate(1, "a", 0.001), Candidate(2, "a", 0.004), Candidate(3, "a", 0.9)], 0.05
    )
    assert [(one.series, one.p) for one in selected] == [(1, 0.001), (2, 0.004)]
    assert [one.q for one in selected] == pytest.approx([0.003, 0.006])


def test_what_has_no_p_is_no_finding_and_counts_for_no_correction():
    assert select_findings([Candidate(1, "a", None)], 0.05) == []
    [selected] = select_findings([Candidate(1, "a", None), Candidate(2, "a", 0.04)], 0.05)
    assert (selected.series, selected.q) == (2, pytest.approx(0.04))


def test_selected_are_those_whose_adjusted_p_is_within_the_level():
    rng = np.random.default_rng(11)
    for _ in range(100):
        p_values = rng.uniform(0, 0.2, 12)
        level = float(rng.uniform(0, 0.2))
        selected = select_findings(
            [Candidate(n, "a", float(p)) for n, p in enumerate(p_values)], level
        )
        expected = np.flatnonzero(benjamini_hochberg(p_values) <= level)
        assert [one.series for one in selected] == expected.tolist()
