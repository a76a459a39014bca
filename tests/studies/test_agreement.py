"""Correlations of two measures over queries."""

import pytest

from monitor.measures import parse, per_query_correlation
from monitor.model import InvalidInput
from monitor.studies import catalogue
from monitor.studies.agreement import STUDY
from monitor.studies.catalogue import Verdict
from tests.studies.rankings import RUNS, TEXTS, write_docs, write_run


def ran(given):
    return catalogue.run_study(STUDY, given, len)


def test_correlations_are_those_of_the_library_and_one_document_agrees_with_itself(tmp_path):
    docs = write_docs(tmp_path)
    done = ran({"run": [write_run(tmp_path, "one")], "docs": docs, "cutoff": 3, "at": 2})
    run = {query: some.split() for query, some in RUNS["one"].items()}
    rows = {(row[1], row[2]): row for row in done.found.tables[0].rows}
    assert len(rows) == 2 * 3
    for cut in (1, 2, 3):
        one, other = (parse(f"{name}@{cut}").score(run, TEXTS) for name in ("NFaiRR", "TExFAIR"))
        expected = per_query_correlation(one, other)
        row = rows["TExFAIR", cut]
        assert (row[3], row[4], row[7]) == (expected.n, expected.pearson, expected.spearman)
        assert expected.pearson is not None
    [check] = done.found.checks
    assert check.verdict is Verdict.EQUAL
    assert "tau = 0" in check.what
    assert len(done.found.tables[1].rows) == len(run)


def test_lists_that_are_all_alike_have_no_correlation(tmp_path):
    run = write_run(tmp_path, "same", {f"q{at}": "d1 d2" for at in range(5)})
    done = ran({"run": [run], "docs": write_docs(tmp_path), "cutoff": 2, "at": 2})
    assert all(row[4:] == (None,) * 6 for row in done.found.tables[0].rows)
    assert "there is no correlation" in done.found.notes[0]
    assert [figure.name for figure in done.found.figures] == ["figure-queries"]


def test_a_cut_off_that_is_not_computed_cannot_be_drawn(tmp_path):
    run = write_run(tmp_path, "one")
    with pytest.raises(InvalidInput, match="--at 10: give a cut-off from 1 to 3"):
        ran({"run": [run], "docs": write_docs(tmp_path), "cutoff": 3})


def test_reference_values_correlate_as_ours_do(reference_data):
    checks = ran(dict(STUDY.validation(reference_data)) | {"cutoff": 5, "at": 5}).found.checks
    assert len(checks) >= 9
    assert {check.verdict for check in checks} == {Verdict.EQUAL}
