"""Counts of pairs against a dictionary, whatever the chunks, threads and windows."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.corpus import counting
from monitor.corpus.counting import Weighting, count, merge_runs, pack_run, side_by_side, sum_run
from monitor.corpus.encoding import CorpusVocabulary, EncodedCorpus, EncodingRules, ReadRecord
from monitor.model import InvalidInput

WORDS = ("a", "b", "c", "d", "e", "f")

_documents = st.lists(st.lists(st.integers(0, len(WORDS) - 1), max_size=9), min_size=1, max_size=8)


def corpus_of(documents):
    tokens = np.array([token for one in documents for token in one], np.int32)
    offsets = np.cumsum([0, *map(len, documents)], dtype=np.int64)
    vocabulary = CorpusVocabulary(WORDS, np.bincount(tokens, minlength=len(WORDS)))
    return EncodedCorpus(
        vocabulary, tokens, offsets, EncodingRules(), ReadRecord(0, 0, 0, 0, 0), {}, "", b""
    )


def counted_by_hand(documents, window, weight=lambda _distance: 1.0):
    """Every place with every other one near it: what the definition says."""
    found = Counter()
    for one in documents:
        for i, word in enumerate(one):
            for j, other in enumerate(one):
                if i != j and abs(i - j) <= window:
                    found[word, other] += weight(abs(i - j))
    matrix = np.zeros((len(WORDS), len(WORDS)))
    for pair, n in found.items():
        matrix[pair] = n
    return matrix


@settings(max_examples=40, deadline=None)
@given(
    _documents,
    st.integers(1, 12),
    st.integers(1, 60),
    st.integers(1, 3),
    st.sampled_from(list(Weighting)),
)
def test_counts_are_those_of_a_dictionary(documents, window, pairs, threads, weighting):
    """Chunks of a few pairs cut documents and windows anywhere."""
    weights = {Weighting.FLAT: lambda _: 1.0, Weighting.HARMONIC: lambda distance: 1 / distance}
    expected = counted_by_hand(documents, window, weights[weighting])
    corpus = corpus_of(documents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_PAIRS", pairs)
        patch.setattr(counting, "_RANGES", 1 + pairs % 5)
        if not expected.any():
            with pytest.raises(InvalidInput, match="no two words of the vocabulary stand in one"):
                count(corpus, window, weighting, threads)
            return
        found = count(corpus, window, weighting, threads)
    np.testing.assert_allclose(found.matrix.toarray(), expected, rtol=1e-12)
    assert found.matrix.has_canonical_format
    assert (found.matrix.data > 0).all()
    np.testing.assert_allclose(found.row_totals, expected.sum(axis=1), rtol=1e-12)
    assert found.total == pytest.approx(expected.sum(), rel=1e-12)


def test_a_word_beside_itself_counts_for_both_places():
    found = count(corpus_of([[0, 0], [1, 2]]), window=5)
    assert found.matrix.toarray()[0, 0] == 2
    assert (found.total, found.documents, found.tokens, found.window) == (4.0, 2, 4, 5)
    assert found.matrix.dtype == np.int32


def test_flat_counts_of_a_larger_text_do_not_depend_on_threads(monkeypatch):
    rng = np.random.default_rng(3)
    some = corpus_of(np.split(rng.integers(0, 6, 4000), range(7, 4000, 13)))
    alone = count(some)
    monkeypatch.setattr(counting, "_PAIRS", 999)
    together = count(some, threads=3)
    assert (alone.matrix != together.matrix).nnz == 0
    assert alone.total == together.total


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6), st.integers(2, 5))
def test_a_count_that_does_not_fit_its_bits_is_kept_whole(counts, bits):
    keys = np.arange(len(counts), dtype=np.int64) * 3
    run = pack_run(keys, np.array(counts, np.int64), bits)
    assert (np.diff(run) >= 0).all()
    for of, times in ((run, 1), (merge_runs([run, run], bits), 2)):
        found_keys, found = sum_run(of, bits)
        assert found_keys.tolist() == keys.tolist()
        assert found.tolist() == [n * times for n in counts]


def test_large_counts_survive_few_bits(monkeypatch):
    """As with a vocabulary of millions of words, whose keys leave few bits for counts."""
    some = corpus_of([[0, 1] * 300, [2, 3, 2]])
    expected = count(some).matrix.toarray()
    monkeypatch.setattr(counting, "bits_of_counts", lambda _keys: 4)
    assert (count(some).matrix.toarray() == expected).all()


@pytest.mark.parametrize(
    ("window", "weighting"),
    [(0, Weighting.FLAT), (-1, Weighting.HARMONIC), (16, Weighting.HARMONIC)],
)
def test_a_window_that_cannot_be_is_refused(window, weighting):
    with pytest.raises(
        InvalidInput, match=f"window {window}: with {weighting} weights it has 1 to"
    ):
        count(corpus_of([[0, 1]]), window, weighting)


def test_what_a_thread_raises_is_raised():
    def work(portion):
        return 1 // portion

    assert side_by_side(work, [1, 1, 1], 2) == [1, 1, 1]
    with pytest.raises(ZeroDivisionError):
        side_by_side(work, [1, 0, 1], 2)


def test_a_full_disk_is_said(monkeypatch):
    from monitor.model import StoreProblem

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(counting.os, "pwrite", full)
    with pytest.raises(StoreProblem, match=r"No space left on device; about 40 bytes.*TMPDIR"):
        count(corpus_of([[0, 1]]))


def test_an_empty_vocabulary_entry_has_an_empty_row():
    found = count(corpus_of([[0, 5], [5, 0]]))
    assert found.row_totals.tolist() == [2, 0, 0, 0, 0, 2]
    assert replace(found, window=3).window == 3
