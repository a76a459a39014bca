"""The study `first-order`: articles of Wikipedia beside published values, and small texts."""

import copy
import json

import pytest

from monitor.corpus.encoding import EncodingRules, build_corpus
from monitor.model import InvalidInput
from monitor.studies import catalogue, pages
from monitor.studies.catalogue import Verdict
from monitor.studies.first_order import STUDY
from tests.corpus.small import number_texts

#: Each word for people stands near words for women or for men.
SMALL = "".join(
    f"{she} {job} {verb} the {job} {number}\n"
    for number in range(12)
    for she, job in (("she", "nurse"), ("he", "carpenter"), ("woman", "secretary"),
                     ("man", "mechanic"), ("she", "librarian"))
    for verb in ("met", "saw")
)  # fmt: skip


@pytest.fixture(scope="module")
def published(reference_data):
    path = reference_data / "oracles" / "g1_counts_pmi.json"
    return json.loads(path.read_text("utf-8"))


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.txt"
    path.write_text(SMALL, encoding="utf-8")
    return path


def run(*texts, **options):
    given = {"texts": list(texts), "min-count": 1, "floor": 0.0, "draws": 20}
    return catalogue.run_study(STUDY, given | options, len)


def table(done, name):
    found = next(table for table in done.found.tables if table.name == name)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def test_what_differs_from_published_values_is_told(published, reference_data, tmp_path):
    changed = copy.deepcopy(published)
    changed["total_pairs"] += 1
    changed["average_first"]["PPMI_cds1.0"]["per_word"]["nurse"]["bias"] += 1e-8
    changed["average_first"]["PMI_cds0.75"]["correlation"]["census"]["missing"].pop()
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(changed), encoding="utf-8")
    given = STUDY.validation(reference_data) | {"published": path, "representation": ["ppmi"]}
    done = catalogue.run_study(STUDY, given | {"draws": 0}, len)
    verdicts = {check.what: check.verdict for check in done.found.checks}
    others = {what for what, verdict in verdicts.items() if verdict is not Verdict.EQUAL}
    assert {what: verdicts[what] for what in others} == {
        "pairs within the window": Verdict.DIFFERS,
        "first order, PPMI, cds 1: both sides and bias of each word: largest difference":
            Verdict.DIFFERS,
        "first order, PMI, cds 0.75: spearman correlation with census": Verdict.NOT_COMPARED,
        "first order, PMI, cds 0.75: pearson correlation with census": Verdict.NOT_COMPARED,
    }  # fmt: skip
    assert len(verdicts) == 51
    told = published["high_order_on_PPMI"]["correlation"]["centroid"]["census"]
    rows = [(row["n"], row["Spearman"]) for row in table(done, "correlations")
            if row["measure"] == "centroid" and row["target"] == "US census 2015"]  # fmt: skip
    assert rows == [(told["n"], pytest.approx(told["spearman"], abs=1e-9))]


def test_figures_and_parts_are_of_the_same_biases(small):
    done = run(small, representation=["ppmi", "init-glove"])
    assert [one.name for one in done.found.figures] == ["sides", "labour-winobias", "labour-census"]
    assert done.found.figures[0].note.startswith("The shaded band is the unbiased area: ")
    words = {row["word"]: row for row in table(done, "words")}
    parts = table(done, "parts")
    assert {part["word"] for part in parts} <= {"nurse", "secretary", "librarian", "carpenter",
                                               "mechanic"}  # fmt: skip
    for word in {part["word"] for part in parts}:
        first = [row for row in parts if (row["word"], row["measure"]) == (word, "first_order")]
        assert {row["its bias"] for row in first} == {words[word]["bias"]}
        assert sum(row["adds"] for row in first) == pytest.approx(words[word]["bias"])
        assert {row["through"] for row in first} <= {"she", "he", "woman", "man"}
    assert "nan" not in pages.render_html(done).lower().split()
    measures = [(row["representation"], row["measure"]) for row in table(done, "correlations")]
    assert ("ppmi", "directional") in measures
    assert ("init-glove", "directional") not in measures


def test_skip_gram_is_learnt_below_its_floor_only_if_asked(small):
    given = {"representation": ["skip-gram"], "dimensions": 4, "seeds": 1}
    left_out = run(small, **given)
    assert "below 10,000,000" in left_out.found.limits[0].why
    assert not table(left_out, "correlations")
    done = run(small, **given, **{"below-floor": True})
    assert {row["representation"] for row in table(done, "correlations")} == {"skip-gram"}
    assert any("below 10,000,000" in note for note in done.found.notes)


def test_texts_without_occupations_have_no_number(tmp_path):
    path = tmp_path / "none.json"
    path.write_text(json.dumps(["she saw the sea", "he saw the sky"]), encoding="utf-8")
    done = run(path, representation=["ppmi"])
    assert not done.found.figures
    assert {row["Spearman"] for row in table(done, "correlations")} == {None}
    assert [check.verdict for check in done.found.checks] == [Verdict.NOT_COMPARED]
    assert "There is nothing to draw" in done.found.notes[1]


def test_a_corpus_is_taken_in_place_of_texts(small, tmp_path):
    lines = SMALL.splitlines()
    build_corpus(number_texts(lines), EncodingRules(min_count=1), tmp_path / "built")
    given = {"representation": ["ppmi"], "corpus": str(tmp_path / "built")}
    one, other = run(small, representation=["ppmi"]), run(**given)
    assert one.found.tables == other.found.tables
    assert one.found.ran["corpus"] == other.found.ran["corpus"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"texts": []}, "give texts by --texts FILE, or a corpus"),
        ({"corpus": "news"}, "name one of both"),
        ({"representation": ["bert"]}, "--representation bert: known are pmi, ppmi"),
        ({"tokens": "words"}, "--tokens words: must be one of text, blanks"),
        ({"window": 0}, "--window 0: give 1 or more"),
        ({"seeds": 0}, "--seeds 0: give 1 or more"),
        ({"floor": float("nan")}, "--floor nan"),
        ({"explain": ["astronaut"]}, "--explain astronaut: it has no value"),
    ],
)
def test_what_cannot_be_used_is_named(small, options, said):
    with pytest.raises(InvalidInput, match=said):
        run(**({"texts": [small], "representation": ["ppmi"]} | options))


def test_files_that_cannot_be_used_are_named(small, tmp_path):
    path = tmp_path / "p.json"
    path.write_text('{"vocab_size": 3}', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"p\.json: 'total_pairs' is missing"):
        run(small, published=path)
    with pytest.raises(InvalidInput, match=r"p\.json: is no list of texts"):
        run(path)
