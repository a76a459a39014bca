"""Intervals of a first-order bias: its values in resamples of the documents of a corpus.

Counts of a corpus are sums over its documents. A resample is a weighted sum of the same rows, and
nothing is counted twice. Documents are drawn with replacement, as many as there are, and the biases
computed from their counts [Efron and Tibshirani 1993]. Many documents are first put together at
random into groups, which are drawn instead: sums over groups of similar size vary as sums over
documents do. Which words have support is decided once, by the whole corpus.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from monitor.corpus.bias import average_first
from monitor.corpus.encoding import EncodedCorpus
from monitor.corpus.pmi import Pmi, context_shares, of_kind, pmi, settle_values
from monitor.model import Floats, Ints
from monitor.stats.resampling import bootstrap_weights, generator

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Numbers of one kind that are held at the same time, so that memory does not grow with draws.
_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Counts of B corpora, a column each: pairs of words (P, B), neighbours of words (V, B)."""

    cells: Floats
    margins: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ByDocument:
    """Counts of P pairs of words, and of the neighbours of all V words, in each of D documents.

    `cells` has shape (P, D), sorted by the numbers of their words, `row` and `context` (P,);
    `margins` has shape (V, D).
    """

    cells: "csr_array"
    row: Ints
    context: Ints
    margins: "csr_array"

    @property
    def documents(self) -> int:
        """Return the number of documents, or of groups of them."""
        return int(self.margins.shape[1])

    @property
    def at_once(self) -> int:
        """Return how many corpora to make at the same time."""
        return max(_AT_ONCE // max(*self.cells.shape, *self.margins.shape, 1), 1)

    def sums(self, weights: Floats) -> Sums:
        """The corpora in which document d stands `weights[b, d]` times."""
        columns = np.ascontiguousarray(weights.T)
        return Sums(self.cells @ columns, self.margins @ columns)

    def merged(self, group: Ints, groups: int) -> "ByDocument":
        """The same with the documents of each group as one; -1 leaves a document out."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - start-up time

        inside = np.flatnonzero(group >= 0)
        shape = self.documents, groups
        to = csr_array((np.ones(len(inside)), (inside, group[inside])), shape=shape)
        return ByDocument(
            (self.cells @ to).tocsr(), self.row, self.context, (self.margins @ to).tocsr()
        )


def by_document(
    tokens: Ints,
    offsets: Ints,
    words: int,
    window: int,
    rows: Ints,
    contexts: Ints | None = None,
) -> ByDocument:
    """Count pairs within `window` tokens of each other in the same document, flat weights.

    `tokens` are numbers of the V `words`, document d is `tokens[offsets[d]:offsets[d + 1]]`. With
    `contexts`, every pair of a word of `rows` and one of them has its place, also if it never
    occurs; without, the pairs of `rows` with all words that do occur. Both are rising numbers.
    """
    documents = len(offsets) - 1
    of = np.repeat(np.arange(documents), np.diff(offsets))
    is_row = np.isin(np.arange(words), rows)
    is_context = np.isin(np.arange(words), np.arange(words) if contexts is None else contexts)
    keys = [np.zeros(0, np.int64)]
    for first, second in _pair_places(tokens, of, window):
        inside = is_row[tokens[first]] & is_context[tokens[second]]
        cell = tokens[first[inside]] * words + tokens[second[inside]]
        keys.append(cell * documents + of[first[inside]])
    key, n = np.unique(np.concatenate(keys), return_counts=True)
    if contexts is None:
        cell = np.unique(key // max(documents, 1))
    else:
        cell = (rows[:, None] * words + contexts).ravel()
    cells = np.searchsorted(cell, key // max(documents, 1))
    return ByDocument(
        _make_sparse(n, cells, key % max(documents, 1), (len(cell), documents)),
        cell // max(words, 1),
        cell % max(words, 1),
        _make_sparse(_count_neighbours(offsets, window), tokens, of, (words, documents)),
    )


def _count_neighbours(offsets: Ints, window: int) -> Ints:
    """(tokens,) how many tokens of its document are near each."""
    lengths = np.diff(offsets)
    positions = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    behind = np.repeat(lengths, lengths) - 1 - positions
    return np.asarray(np.minimum(positions, window) + np.minimum(behind, window), np.int64)


def _pair_places(tokens: Ints, of: Ints, window: int) -> Iterator[tuple[Ints, Ints]]:
    """Places of the two words of every pair, each pair both ways round."""
    for distance in range(1, min(window, len(tokens) - 1) + 1):
        first = np.flatnonzero(of[:-distance] == of[distance:])
        yield first, first + distance
        yield first + distance, first


def _make_sparse(n: Ints, row: Ints, column: Ints, shape: tuple[int, int]) -> "csr_array":
    from scipy.sparse import csr_array  # noqa: PLC0415

    return csr_array((n.astype(np.float64), (row, column)), shape=shape)


#: Of so many documents or fewer each is drawn by itself.
GROUPS = 2_000
#: Tokens that are counted at once, and numbers of one kind that are held for some draws.
_TOKENS_AT_ONCE = 2_000_000
_NUMBERS_AT_ONCE = 4_000_000
#: Called with what is being done, how much of it is done, and of how much.
Told: TypeAlias = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class ResampleOrder:
    """A representation, words that have a bias, and the concept words, to be resampled.

    `supported` says for each of the words whether a pair that never occurs counts.
    """

    pmi: Pmi
    words: Sequence[str]
    supported: Sequence[bool]
    women: Sequence[str]
    men: Sequence[str]


def resample_biases(
    corpus: EncodedCorpus, asked: ResampleOrder, draws: int, seed: int, told: Told
) -> Floats:
    """(draws, words) biases in resamples; NaN where one lacks the word or leaves a pair unknown."""
    counted = _count_groups(corpus, asked, seed, told)
    groups = counted.by.documents
    at_once = max(_NUMBERS_AT_ONCE // max(counted.width, groups), 1)
    rng = generator(seed, 1)
    samples = [np.zeros((0, len(asked.words)))]
    for begin in range(0, draws, at_once):
        draws_now = min(at_once, draws - begin)
        weights = bootstrap_weights(np.zeros(groups, np.int64), draws_now, rng)
        samples.append(counted.biases(weights))
        told("drawing documents anew", begin + draws_now, draws)
    return np.concatenate(samples)


@dataclass(frozen=True, slots=True)
class _CountedGroups:
    """Counts by group of documents, and where the words asked for are among them."""

    asked: ResampleOrder
    by: ByDocument
    rows: Ints
    contexts: Ints

    @property
    def width(self) -> int:
        """Numbers that are held for each draw."""
        return max(len(self.by.row), int(self.by.margins.shape[0]))

    def biases(self, weights: Floats) -> Floats:
        """(draws, words) the biases of corpora with each group so many times."""
        of, sums = self.asked.pmi, self.by.sums(weights)
        pairs = sums.cells.T.reshape(len(weights), len(self.rows), len(self.contexts))
        totals = sums.margins.T
        shares = context_shares(totals, of.cds)[:, self.contexts]
        ids = of.counts.vocabulary.ids
        positions = np.searchsorted(self.rows, [ids[word] for word in self.asked.words])
        women, men = (
            np.searchsorted(self.contexts, [ids[word] for word in side])
            for side in (self.asked.women, self.asked.men)
        )
        values = of_kind(
            pmi(pairs, totals[:, self.rows, None] * shares[:, None]), of.kind, of.shift
        )[:, positions]
        supported = np.asarray(self.asked.supported, np.bool_)
        women_totals, two = (
            average_first(settle_values(values[..., side], supported, of.unseen))
            for side in (women, men)
        )
        # a resample without the word says nothing of it
        return np.where(totals[:, self.rows[positions]] > 0, women_totals - two, np.nan)


def _count_groups(
    corpus: EncodedCorpus, asked: ResampleOrder, seed: int, told: Told
) -> _CountedGroups:
    ids = corpus.vocabulary.ids
    rows, contexts = (
        np.unique(np.array([ids[word] for word in words], np.int64))
        for words in (asked.words, (*asked.women, *asked.men))
    )
    groups = min(corpus.documents, GROUPS)
    group = np.arange(corpus.documents) % groups
    if groups < corpus.documents:
        generator(seed).shuffle(group)
    total: ByDocument | None = None
    for begin, end in _document_chunks(np.asarray(corpus.offsets, np.int64)):
        offsets = np.asarray(corpus.offsets[begin : end + 1], np.int64)
        tokens = np.asarray(corpus.tokens[offsets[0] : offsets[-1]], np.int64)
        part = by_document(
            tokens, offsets - offsets[0], len(ids), asked.pmi.counts.window, rows, contexts
        ).merged(group[begin:end], groups)
        if total is not None:
            part = replace(
                part, cells=total.cells + part.cells, margins=total.margins + part.margins
            )
        total = part
        told("counting by document", int(offsets[-1]), len(corpus.tokens))
    if total is None:
        raise ValueError("a corpus without documents cannot be resampled")
    return _CountedGroups(asked, total, rows, contexts)


def _document_chunks(offsets: Ints) -> Iterator[tuple[int, int]]:
    """(first document, the one behind the last) of parts with about as many tokens each."""
    begin = 0
    while begin < len(offsets) - 1:
        goal = offsets[begin] + _TOKENS_AT_ONCE
        end = max(int(np.searchsorted(offsets, goal, "right")) - 1, begin + 1)
        yield begin, end
        begin = end
