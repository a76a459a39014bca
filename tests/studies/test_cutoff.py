"""Curves of runs given as files, and of the reference lists against their values."""

import json

import pytest

from monitor.measures import parse
from monitor.model import InvalidInput
from monitor.studies import catalogue
from monitor.studies.catalogue import Verdict
from monitor.studies.cutoff import STUDY
from tests.studies.rankings import RUNS, TEXTS, write_docs, write_run


def ran(given):
    return catalogue.run_study(STUDY, given, len)


@pytest.fixture
def given(tmp_path):
    runs = [write_run(tmp_path, "one"), write_run(tmp_path, "two")]
    return {"run": runs, "docs": write_docs(tmp_path), "cutoff": 3}


def values(done):
    return {row[:3]: row[3] for row in done.found.tables[0].rows}


def test_every_cut_off_of_every_system_is_the_value_of_the_measure(given):
    done = ran(given)
    found = values(done)
    assert len(found) == 2 * 3 * 3
    for system, lists in RUNS.items():
        run = {query: some.split() for query, some in lists.items()}
        for name in ("NFaiRR(tau=1,background=ideal)", "TExFAIR", "TExFAIR(rbdf=False)"):
            for cut in (1, 2, 3):
                assert found[system, name, cut] == parse(f"{name}@{cut}").score(run, TEXTS).value
    [figure] = done.found.figures
    assert "a: one; b: two" in figure.note
    assert "<svg" in figure.ours


def test_a_run_whose_documents_have_no_group_words_has_no_number_without_rbdf(tmp_path):
    run = write_run(tmp_path, "silent", {"q1": "d3 d8"})
    done = ran({"run": [run], "docs": write_docs(tmp_path), "cutoff": 2})
    assert values(done)["silent", "TExFAIR(rbdf=False)", 2] is None
    assert any("no document has a group term" in note for note in done.found.notes)
    assert any("has one query: there is no interval" in note for note in done.found.notes)


def test_missing_documents_are_counted_and_not_made_neutral(tmp_path):
    texts = {key: text for key, text in TEXTS.items() if key != "d1"}
    docs = write_docs(tmp_path, texts)
    done = ran({"run": [write_run(tmp_path, "one")], "docs": docs, "cutoff": 1})
    row = dict(zip(done.found.tables[0].columns, done.found.tables[0].rows[0], strict=True))
    assert (row["documents"], row["missing"], row["with a value"]) == (4, 1, 3)
    assert row["lowest"] < row["value"] < row["highest"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cutoff": 0}, "--cutoff 0: give a number from 1"),
        ({"docs": None}, "give --run RUN and --docs"),
        ({"background": "moon"}, "moon"),
    ],
)
def test_what_cannot_be_used_is_named(given, change, said):
    with pytest.raises(InvalidInput, match=said):
        ran(given | change)


def test_other_documents_and_files_of_no_values_are_named(given, tmp_path):
    (tmp_path / "other").mkdir()
    with pytest.raises(InvalidInput, match="none of the 8 documents of the runs, such as 'd1'"):
        ran(given | {"docs": write_docs(tmp_path / "other", {"x": "she"})})
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({"results": []}), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"wrong.json: values of NFaiRR .* are needed"):
        ran(given | {"published": [wrong]})
    with pytest.raises(InvalidInput, match="leave --run, --docs and --words out"):
        ran(given | {"inputs": wrong})


def test_values_of_the_authors_code_and_one_that_is_off(reference_data, tmp_path):
    options = dict(STUDY.validation(reference_data)) | {"cutoff": 5}
    checks = ran(options).found.checks
    assert len(checks) >= 18
    assert {check.verdict for check in checks} == {Verdict.EQUAL}
    held = json.loads(options["published"][1].read_text("utf-8"))
    held["target_half"]["5"]["1"]["TExFAIR"] += 1e-9
    moved = tmp_path / "moved.json"
    moved.write_text(json.dumps(held), encoding="utf-8")
    checks = ran(options | {"published": (moved,)}).found.checks
    assert [check.what for check in checks if check.verdict is Verdict.DIFFERS] == [
        "TExFAIR@5: largest difference of a query"
    ]
