"""Counts of some words with all others: rows of the matrix of `counting.py`, without the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from monitor.corpus.encoded import EncodedCorpus
from monitor.corpus.runs import bits_of_counts, merged, run_of, summed
from monitor.corpus.vocabulary import Vocabulary
from monitor.corpus.windows import WINDOW, Chunk, Weighting, Window, chunks
from monitor.model import Floats, Ints, InvalidInput

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True, eq=False)
class RowCounts:
    """The rows of some words, with the totals that associations are made of."""

    vocabulary: Vocabulary
    words: tuple[str, ...]
    matrix: "csr_array"  # (words asked for, words of the vocabulary)
    row_totals: Floats  # (words of the vocabulary,) of all words
    total: float
    window: int


def count_rows(
    corpus: EncodedCorpus,
    words: Sequence[str],
    window: int = WINDOW,
    weighting: Weighting = Weighting.FLAT,
) -> RowCounts:
    """The rows of `words`, in their order. Raises InvalidInput for a word that is not known."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - it takes long to import

    known, missing = corpus.vocabulary.known(words), corpus.vocabulary.missing(words)
    if missing or not known:
        raise InvalidInput(
            f"not in the vocabulary: {', '.join(missing[:10]) or 'no word was named'}; ask for "
            "words that are, or lower the minimum count"
        )
    near = Window.of(window, weighting)
    size = len(corpus.vocabulary)
    bits = bits_of_counts(size * size)
    number = np.full(size, -1)
    number[[corpus.vocabulary.ids[word] for word in known]] = np.arange(len(known))
    totals = np.zeros(size)
    runs = []
    for chunk in chunks(corpus, near):
        runs += _runs(chunk, number, near, bits)
        _add_totals(totals, chunk, near)
    keys, counts = summed(merged(runs, bits), bits)
    rows = keys // size
    begins = np.searchsorted(rows, np.arange(len(known) + 1))
    values = counts if near.scale == 1 else counts / near.scale
    matrix = csr_array((values, keys - rows * size, begins), shape=(len(known), size))
    totals /= near.scale
    return RowCounts(corpus.vocabulary, tuple(known), matrix, totals, float(totals.sum()), window)


def _runs(chunk: Chunk, number: Ints, window: Window, bits: int) -> list[Ints]:
    """The pairs of a chunk with a wanted word, from either side."""
    reach, words = len(window.weights), len(number)
    here, lasts = chunk.tokens(reach), chunk.lasts(reach)
    row = number[here]
    inside = np.ones(chunk.size, dtype=bool)
    runs = []
    for distance, weight in enumerate(window.weights, start=1):
        inside[lasts[distance - 1]] = False
        later = slice(distance, distance + chunk.size)
        sides = ((row[: chunk.size], here[later]), (row[later], here[: chunk.size]))
        keys = [
            rows[wanted] * words + contexts[wanted]
            for rows, contexts in sides
            for wanted in [np.flatnonzero(inside & (rows >= 0))]
        ]
        runs.append(run_of(np.concatenate(keys), weight, bits))
    return runs


def _add_totals(totals: Floats, chunk: Chunk, window: Window) -> None:
    """Add what the places of a chunk count with all their neighbours."""
    offsets = chunk.corpus.offsets
    places = np.arange(chunk.begin, chunk.end)
    document = np.searchsorted(offsets, places, "right") - 1
    reach = len(window.weights)
    sums = np.concatenate([[0], np.cumsum(window.weights)])
    before = np.minimum(places - offsets[document], reach)
    after = np.minimum(offsets[document + 1] - 1 - places, reach)
    tokens = chunk.corpus.tokens[chunk.begin : chunk.end]
    near: Floats = (sums[before] + sums[after]).astype(np.float64)
    totals += np.bincount(tokens, near, len(totals))
