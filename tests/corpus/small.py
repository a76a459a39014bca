"""Counts of small texts, the plainest way."""

from collections import Counter

import numpy as np
from scipy.sparse import csr_array

from monitor.corpus.encoding import Cooccurrences, CorpusVocabulary


def cooccurrences(documents, window=5, minimum=1):
    """Counts of documents that are lists of words."""
    occurrences = Counter(word for document in documents for word in document)
    words = sorted(
        (word for word, n in occurrences.items() if n >= minimum),
        key=lambda word: (-occurrences[word], word),
    )
    vocabulary = CorpusVocabulary(
        tuple(words), np.array([occurrences[word] for word in words], np.int64)
    )
    ones, others = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for document in documents:
        ids = np.array([vocabulary.ids[w] for w in document if w in vocabulary.ids], np.int64)
        for distance in range(1, min(window, len(ids) - 1) + 1):
            ones += [ids[:-distance], ids[distance:]]
            others += [ids[distance:], ids[:-distance]]
    places = np.concatenate(ones), np.concatenate(others)
    matrix = csr_array((np.ones(len(places[0])), places), shape=(len(words), len(words)))
    matrix.sum_duplicates()
    totals = np.asarray(matrix.sum(axis=1), np.float64)
    return Cooccurrences(
        vocabulary, matrix, totals, float(totals.sum()), window, len(documents),
        int(vocabulary.counts.sum()),
    )  # fmt: skip


def number_texts(texts):
    """(key, text) of texts without keys of their own: the first is 1."""
    return ((str(number), text) for number, text in enumerate(texts, start=1))
