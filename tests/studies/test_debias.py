"""Three times the same topics by word vectors, on a small collection."""

import json

import pytest

from monitor.model import InvalidInput
from monitor.studies import catalogue, pages
from monitor.studies.catalogue import Verdict
from monitor.studies.debias import STUDY
from tests.studies.fabris import DOCUMENTS, gendered, vectors, written


@pytest.fixture
def given(tmp_path):
    return {**written(tmp_path), "vectors": str(vectors(tmp_path))}


def ran(given):
    return catalogue.run_study(STUDY, given, len)


def table(done, name):
    return next(one for one in done.found.tables if one.name == name).rows


def test_three_systems_are_ranked_measured_and_compared(given):
    done = ran(given)
    systems = {row[0]: row for row in table(done, "systems")}
    assert list(systems) == ["regular", "hard", "strong"]
    assert [row[1] for row in systems.values()] == [12, 12, 12]
    assert len({row[2] for row in systems.values()}) == 3
    assert all(0 < row[8] <= 1 for row in systems.values())
    moved = {row[0]: row for row in table(done, "distances")}
    assert 0 < moved["strong"][2] < 1
    assert [(row[0], row[1]) for row in table(done, "tests")] == [
        (system, name) for system in ("hard", "strong") for name in ("AP", "P@10", "nDCG@100")
    ]
    assert [check.verdict for check in done.found.checks] == [Verdict.EQUAL]
    assert pages.render_html(done).count("<svg") == 2


def test_where_gender_is_all_there_is_to_find_strong_debiasing_loses_it(given):
    systems = {row[0]: row for row in table(ran({**gendered(given), "depth": 10}), "systems")}
    slopes = {name: row[2] for name, row in systems.items()}
    assert slopes["regular"] > 0.2 > slopes["strong"]
    assert systems["regular"][5:8] == (None, None, None)  # nothing is relative to itself
    for name in ("hard", "strong"):
        _, low, high = systems[name][5:8]
        assert systems[name][5] == pytest.approx(slopes[name] / slopes["regular"] - 1, abs=1e-9)
        assert low < systems[name][5] < high


def test_without_topics_they_are_made_of_the_documents_and_that_is_said(tmp_path, given):
    long = {key: " ".join([text] * 4) for key, text in DOCUMENTS.items()}
    given["docs"].write_text(json.dumps(long))
    done = ran({"docs": given["docs"], "vectors": given["vectors"], "floor": 3})
    assert "no reproduction" in done.found.notes[0]
    assert done.found.ran["topics"].startswith("12 topics, each the first 8 words")
    assert table(done, "systems")[0][8] is not None


def test_no_number_is_made_of_one_topic_or_without_judgements(given):
    given["topics"].write_text("q1\tplumber\n")
    del given["qrels"]
    done = ran(given)
    assert [row[2] for row in table(done, "systems")] == [None] * 3
    assert [row[8] for row in table(done, "systems")] == [None] * 3
    assert table(done, "tests") == ()
    assert done.found.notes[1].startswith("regular: no GSR, because 1 usable queries of 1")
    assert any("No judgements" in note for note in done.found.notes)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ranker": "bm25"}, "--ranker bm25: ranks by no vectors; known: w2v_add, w2v_si"),
        ({"topics": None}, "give --topics too"),
        ({"depth": 0}, "--depth 0: give a number from 1"),
        ({"vectors": "nowhere.txt"}, "nowhere.txt: no such file"),
    ],
)
def test_what_cannot_be_used_is_refused(given, change, said):
    with pytest.raises(InvalidInput, match=said):
        ran({**given, **change})


@pytest.mark.parametrize("content", ["[]", "{}", '{"a": 1}', "{"])
def test_documents_in_another_form_are_refused(given, content):
    given["docs"].write_text(content)
    with pytest.raises(InvalidInput, match=r"docs\.json: .*(texts by id are needed|no document)"):
        ran(given)
