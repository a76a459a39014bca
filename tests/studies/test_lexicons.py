"""Two lexicons against each other: words, tests and lists."""

import numpy as np
import pytest

from monitor.lexicons.lexicon import Lexicon
from monitor.model import InvalidInput
from monitor.stats.correlation import pearson
from monitor.studies import catalogue, lexicons, pages
from monitor.studies.catalogue import Against, Verdict
from tests.studies.fabris import WORDS, vectors, written

STUDY = lexicons.STUDY


@pytest.fixture
def two(monkeypatch):
    """Two installed lexicons, the second of which lacks a word of the first."""
    draw = np.random.default_rng(5)
    first = {word: float(draw.uniform(-0.5, 0.5)) for word in (*WORDS, "man", "woman", "she")}
    second = {word: one / 2 + 0.01 * len(word) for word, one in first.items() if word != "she"}
    books = {"a": Lexicon.of("a", first), "b": Lexicon.of("b", second)}
    monkeypatch.setattr("monitor.lexicons.installed.find", lambda name, _home: books[name])
    return first, second


def table(done, name):
    return next(one for one in done.found.tables if one.name == name).rows


def test_words_tests_and_lists_are_compared(two, tmp_path):
    first, second = two
    given = {"lexicons": ["a", "b"], **written(tmp_path)}
    done = catalogue.run_study(STUDY, given, len)
    ((one, other, n, r, _rho),) = table(done, "agreement")
    assert (one, other, n) == ("a", "b", len(second))
    assert r == pytest.approx(pearson([first[w] for w in second], list(second.values())), abs=1e-9)
    systems = table(done, "lists")
    assert [row[2:4] for row in systems] == [
        ("bm25", 12), ("query_likelihood", 12), ("tf_idf", 12),
    ]  # fmt: skip
    assert all(row[5] < row[4] < row[6] for row in systems)
    assert {row[1] for row in table(done, "tests")} == {"a", "b"}
    assert "<svg" in pages.render_html(done)


def test_a_lexicon_is_made_of_a_file_for_this_study_alone(two, tmp_path):
    path = vectors(tmp_path)
    done = catalogue.run_study(STUDY, {"lexicons": ["a"], "vectors": [path]}, len)
    ran = done.found.ran
    assert list(ran) == ["a", "vectors", "vectors vectors.txt"]
    # scores that are computed here differ between processors in their last bits
    assert "SHA-256" in ran["a"]
    assert "SHA-256" in ran["vectors vectors.txt"]
    assert "SHA-256" not in ran["vectors"]
    assert table(done, "agreement")[0][2] == len(WORDS) + 3


def test_vectors_are_learned_of_texts_and_signs_held_against_print(two, tmp_path):
    path = tmp_path / "texts.txt"
    near = (("she", "he"), ("woman", "man"), ("her", "his"), ("mother", "father"), ("girl", "boy"))
    sides = ("family marriage home children wedding", "career salary office business management")
    lines = [
        f"{word} {' '.join(others.split()[n % 5 :] + others.split()[: n % 5])} text{n}"
        for n in range(10)
        for pair in near
        for word, others in zip(pair, sides, strict=True)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    given = {"lexicons": ["a"], "texts": [path], "dimensions": 6}
    done = catalogue.run_study(STUDY, given, len)
    assert "PPMI, window 5, SVD in 6 dimensions" in done.found.ran["vectors of the texts"]
    assert "SHA-256" not in done.found.ran["learned"]
    learned = {one.what: one for one in done.found.checks if one.what.startswith("learned: ")}
    families = next(one for what, one in learned.items() if "A.6" in what)
    assert (families.ours, families.verdict, families.against) == (
        1.0, Verdict.EQUAL, Against.PRINTED,
    )  # fmt: skip
    agency = next(one for what, one in learned.items() if "A.4" in what)
    assert (agency.verdict, agency.note) == (
        Verdict.NOT_COMPARED, "without 27 of 27 words",
    )  # fmt: skip


def test_one_lexicon_alone_is_not_compared():
    with pytest.raises(InvalidInput, match="only glove-6b-50d is there; name others"):
        catalogue.run_study(STUDY, {}, len)


@pytest.mark.usefixtures("two")
def test_the_same_lexicon_twice_is_refused():
    with pytest.raises(InvalidInput, match="'a' and 'a' are the same"):
        catalogue.run_study(STUDY, {"lexicons": ["a", "a"]}, len)
