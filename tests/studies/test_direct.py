"""Documents about women and men against GSR, on a small collection."""

import pytest

from monitor.model import InvalidInput
from monitor.studies import catalogue, pages
from monitor.studies.direct import STUDY
from tests.studies.fabris import WORDS, gendered, vectors, written


@pytest.fixture
def given(tmp_path):
    return written(tmp_path)


def table(done, name):
    return next(one for one in done.found.tables if one.name == name).rows


def test_every_ranker_is_measured_beside_the_others(given, tmp_path):
    done = catalogue.run_study(STUDY, {**given, "vectors": str(vectors(tmp_path))}, len)
    systems = table(done, "systems")
    names = ["bm25", "query_likelihood", "tf_idf", "w2v_add", "w2v_si"]
    assert [row[0] for row in systems] == names
    assert all(row[1] == 12 and row[2] is not None and row[5] is not None for row in systems)
    bins = table(done, "bins")
    assert [row[:2] for row in bins[:3]] == [
        ("bm25", "masculine"), ("bm25", "neutral"), ("bm25", "feminine"),
    ]  # fmt: skip
    assert sum(row[2] for row in bins[:3]) == 12
    assert bins[0][4] is None  # fewer than ten queries have no share
    assert "<svg" in pages.render_html(done)


def test_shares_are_of_the_bins_that_have_ten_queries_against_the_others(given):
    gendered(given)["topics"].write_text(
        "".join(f"q{n}\this man {w}\n" for n, w in enumerate(WORDS))
    )
    done = catalogue.run_study(STUDY, given, len)
    bins = {row[:2]: row for row in table(done, "bins")}
    for name in ("bm25", "query_likelihood", "tf_idf"):
        _, _, queries, _, men, women = bins[name, "masculine"]
        assert queries >= 10
        assert 0 <= men + women <= 1
        assert bins[name, "feminine"][4:] == (None, None)
    assert {figure.name for figure in done.found.figures} == {"direct", "lists"}


def test_without_vectors_the_rankers_by_words_run_alone(given):
    done = catalogue.run_study(STUDY, {**given, "baseline": "relevant"}, len)
    assert [row[0] for row in table(done, "systems")] == ["bm25", "query_likelihood", "tf_idf"]


def test_a_baseline_that_cannot_be_used_is_refused(given):
    with pytest.raises(InvalidInput, match="--baseline odd: unknown; known: beside, relevant"):
        catalogue.run_study(STUDY, {**given, "baseline": "odd"}, len)
    with pytest.raises(InvalidInput, match="--baseline relevant: give --qrels"):
        catalogue.run_study(STUDY, {**given, "baseline": "relevant", "qrels": None}, len)


def test_topics_that_no_document_answers_are_said(given):
    given["topics"].write_text("q1\tzzzz\n")
    with pytest.raises(InvalidInput, match="ranker bm25: finds nothing for any of 1 topic"):
        catalogue.run_study(STUDY, given, len)
