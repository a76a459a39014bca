"""Counts of pairs by document, against counting word by word."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.corpus.resampled import by_document

WORDS = 6
corpora = st.lists(st.lists(st.integers(0, WORDS - 1), max_size=9), max_size=6)


def flat(documents):
    tokens = np.array([word for some in documents for word in some], np.int64)
    return tokens, np.cumsum([0, *map(len, documents)])


def by_hand(documents, window):
    found = Counter()
    for number, some in enumerate(documents):
        for here, word in enumerate(some):
            for there, other in enumerate(some):
                if 0 < abs(here - there) <= window:
                    found[number, word, other] += 1
    return found


@settings(max_examples=60, deadline=None)
@given(corpora, st.integers(1, 12), st.booleans())
def test_every_pair_within_the_window_counts_for_both_words(documents, window, chosen):
    rows, contexts = np.array([0, 2, 3]), np.array([1, 2]) if chosen else None
    found = by_document(*flat(documents), WORDS, window, rows, contexts)
    expected = by_hand(documents, window)
    wide = {(w, c) for _, w, c in expected if w in rows} if contexts is None else {
        (w, c) for w in rows.tolist() for c in contexts.tolist()
    }  # fmt: skip
    pairs = list(zip(found.row.tolist(), found.context.tolist(), strict=True))
    assert pairs == sorted(wide)
    for number in range(len(documents)):
        counts = found.cells[:, [number]].toarray().ravel().tolist()
        assert counts == [expected[number, *pair] for pair in pairs]
        near = [sum(expected[number, word, c] for c in range(WORDS)) for word in range(WORDS)]
        assert found.margins[:, [number]].toarray().ravel().tolist() == near


def test_weights_and_groups_are_documents_several_times():
    documents = [[0, 1, 2], [1, 0], [2, 2, 1], [0, 1]]
    found = by_document(*flat(documents), 3, 2, np.arange(3), np.arange(3))
    weights = np.array([[2.0, 0, 1, 0], [1.0, 1, 1, 1]])
    twice = by_document(
        *flat([documents[at] for at in (0, 0, 2)]), 3, 2, np.arange(3), np.arange(3)
    )
    sums = found.sums(weights)
    assert sums.cells[:, 0] == pytest.approx(twice.sums(np.ones((1, 3))).cells[:, 0])
    assert sums.margins[:, 0] == pytest.approx(twice.sums(np.ones((1, 3))).margins[:, 0])
    groups = found.merged(np.array([1, 0, 1, -1]), 2)
    assert groups.documents == 2
    whole = groups.sums(np.ones((1, 2)))
    assert whole.cells == pytest.approx(found.sums(np.array([[1.0, 1, 1, 0]])).cells)
