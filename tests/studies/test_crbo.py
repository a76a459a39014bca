"""Rankings of a small collection with each part of the gendered words exchanged."""

import json

import pytest

from monitor.model import InvalidInput
from monitor.studies import catalogue
from monitor.studies.catalogue import Verdict
from monitor.studies.crbo import STUDY
from tests.studies.rankings import write_docs

TEXTS = {
    "a": "She drives the bus in the city.",
    "b": "The bus stops where his brother waits for the bus.",
    "c": "Mary likes the city.",
    "d": "Rain and wind, wind and rain.",
    "e": "Michael sings to the wind.",
    "f": "A sister sings.",
}
QUERIES = {"he": "he", "brother": "brother sings", "name": "michael", "rain": "rain", "none": "xyz"}


def ran(**given):
    return catalogue.run_study(STUDY, given, len)


@pytest.fixture
def given(tmp_path):
    topics = tmp_path / "topics.tsv"
    topics.write_text("".join(f"{key}\t{words}\n" for key, words in QUERIES.items()))
    return {"docs": write_docs(tmp_path, TEXTS), "topics": topics}


def overlaps(done):
    columns = done.found.tables[1].columns
    rows = [dict(zip(columns, row, strict=True)) for row in done.found.tables[1].rows]
    return {(row["query"], row["ranker"]): row for row in rows}


def test_each_part_moves_the_queries_that_hold_it_and_no_other(given):
    done = ran(**given, ranker=["bm25", "tf_idf"])
    found = overlaps(done)
    assert len(found) == len(QUERIES) * 2
    for ranker in ("bm25", "tf_idf"):
        brother, name = found["brother", ranker], found["name", ranker]
        assert (brother["pronouns"], brother["names"]) == (1.0, 1.0)
        assert brother["nouns"] == brother["all three"] < 1
        # no document holds `michael` any more but the one that held `Mary`
        assert (name["pronouns"], name["nouns"]) == (1.0, 1.0)
        assert name["names"] == 0.0
        assert found["rain", ranker]["all three"] == 1.0
        assert found["none", ranker]["all three"] is None
    rows = [dict(zip(done.found.tables[0].columns, r, strict=True)) for r in
            done.found.tables[0].rows]  # fmt: skip
    counted = {row["exchanged"]: (row["words exchanged"], row["in documents"]) for row in rows}
    assert counted == {"pronouns": (2, 2), "nouns": (2, 2), "names": (2, 2), "all three": (6, 5)}
    assert any("of 5 queries only" in note for note in done.found.notes)


def test_a_collection_without_gendered_words_says_that_nothing_was_exchanged(given, tmp_path):
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps({"x": "rain", "y": "wind and rain"}), encoding="utf-8")
    topics = tmp_path / "one.json"
    topics.write_text(json.dumps({"queries": {"q": "rain"}}), encoding="utf-8")
    done = ran(docs=plain, topics=topics)
    assert [row[2] for row in done.found.tables[0].rows] == [1.0] * 4
    assert done.found.notes[0] == "No word was exchanged (pronouns): its rankings must be the same."
    assert any("one query alone gives no interval" in note for note in done.found.notes)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ranker": ["w2v_add"]}, "--ranker 'w2v_add': known without vectors: bm25"),
        ({"depth": 0}, "--depth 0: give a number from 1"),
        ({"p": 1.0}, "--p 1.0: give a number above 0 and below 1"),
    ],
)
def test_what_cannot_be_used_is_named(given, change, said):
    with pytest.raises(InvalidInput, match=said):
        ran(**given | change)


def test_files_of_another_shape_are_named(given, tmp_path):
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"pairs": [{}], "docs": 3}', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"wrong.json: pairs of lists .* are needed"):
        ran(**given, published=wrong)
    with pytest.raises(InvalidInput, match=r"wrong.json: document 'pairs' is"):
        ran(**given | {"docs": wrong})
    with pytest.raises(InvalidInput, match=r'wrong.json: "queries" is missing or empty'):
        ran(**given | {"topics": wrong})


def test_exact_overlaps_and_one_that_is_off(given, reference_data, tmp_path):
    path = STUDY.validation(reference_data)["published"]
    checks = ran(**given, published=path).found.checks
    assert len(checks) == 8
    assert {check.verdict for check in checks} == {Verdict.EQUAL}
    held = json.loads(path.read_text("utf-8"))
    held["pairs"][3]["p"]["0.9"]["ext"] += 1e-9
    moved = tmp_path / "moved.json"
    moved.write_text(json.dumps(held), encoding="utf-8")
    checks = ran(**given, published=moved).found.checks
    [off] = [check for check in checks if check.verdict is Verdict.DIFFERS]
    assert off.what == "Overlap, p = 0.9, whole lists: largest difference"
    assert held["pairs"][3]["name"] in off.note
