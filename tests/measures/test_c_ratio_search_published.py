"""c-ratio bias of ranked lists against the published tables and the cases of the reference data."""

import json
from dataclasses import replace

import pytest

from monitor.measures.c_ratio.c_ratio_bias_search import CRatioBiasSearch
from monitor.model import State
from tests.measures.ranked import context, targets, unit


@pytest.fixture(scope="module")
def lipani(reference_data):
    return json.loads((reference_data / "oracles" / "f1_lipani.json").read_text())


def tables(lipani):
    """{table: rows} with lists of ten people."""
    found = {}
    for row in lipani["paper_rows"]:
        found.setdefault(row["table"], []).append(row)
    return found


@pytest.mark.parametrize("denominator", ["shown", "cutoff"])
@pytest.mark.parametrize("target", ["rounded", "exact"])
def test_every_row_of_the_paper(lipani, denominator, target):
    measure = CRatioBiasSearch(denominator=denominator, target=target)
    compared = 0
    for table, rows in tables(lipani).items():
        units, shares = [], {}
        for row in rows:
            women = round(row["model_ratio"] * 10)
            units.append(unit(row["profession"], "w" * women + "m" * (10 - women)))
            shares[row["profession"]] = row["target_ratio"]
        topics = {t.topic: t for t in measure.derive(units, context(shares, draws=0)).topics}
        assert len(topics) == len(rows) == 33, table
        for row in rows:
            topic = topics[row["profession"]]
            assert topic.state is State.MEASURED
            assert topic.model == pytest.approx(row["model_ratio"], abs=1e-12)
            assert topic.target == pytest.approx(row["target_ratio"], abs=1e-12)
            assert topic.bias == pytest.approx(row["beta"], abs=1e-12)
            compared += 1
    assert compared == 66


@pytest.mark.parametrize("ddof", [0, 1])
def test_the_tables_over_their_rows(lipani, ddof):
    measure = replace(CRatioBiasSearch(), ddof=ddof)
    for table, rows in tables(lipani).items():
        expected = lipani["stats_over_table_rows"][table]
        units, shares = [], {}
        for row in rows:
            women = round(row["model_ratio"] * 10)
            units.append(unit(row["profession"], "w" * women + "m" * (10 - women)))
            shares[row["profession"]] = row["target_ratio"]
        values = {v.name: v.value for v in measure.derive(units, context(shares, draws=10)).values}
        ours = [values[name] for name in ("mb", "mab", "sb", "min_beta", "max_beta")]
        theirs = [expected[name] for name in ("MB", "MAB", f"SB_ddof{ddof}", "min", "max")]
        assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("denominator", ["shown", "cutoff"])
def test_every_case_of_the_reference(lipani, denominator):
    assert len(lipani["cases"]) == 100
    for case in lipani["cases"]:
        women, shown, total = case["n_c_in_results"], case["n_results"], case["n_relevant"]
        asked = unit("t", "w" * women + "m" * (shown - women))
        share = targets("t", total, women=case["n_c_relevant"] / total)
        topics = []
        for group in ("women", "men"):
            measure = CRatioBiasSearch(cutoff=case["cutoff"], denominator=denominator, group=group)
            topics += measure.derive([asked], context({"t": share}, draws=0)).topics
        expected = case[f"denominator_{denominator}"]
        if not shown:  # over the cut-off the reference takes no item for a ratio of 0
            assert [topic.reason for topic in topics] == ["not shown"] * 2
            continue
        assert topics[0].model == pytest.approx(expected["model"], abs=1e-12)
        assert topics[0].target == pytest.approx(expected["target"], abs=1e-12)
        assert topics[0].bias == pytest.approx(expected["beta"], abs=1e-12)
        assert topics[1].bias == pytest.approx(expected["beta_complement"], abs=1e-12)
