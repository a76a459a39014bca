"""How sure a first-order bias is: a corpus in, its biases in resamples of its documents out.

Documents are drawn with replacement, as many as there are, and the biases computed anew from their
counts [Efron and Tibshirani 1993]. Many documents are first put together at random into groups,
which are drawn in their place: sums over groups of like size vary as sums over documents do.
Which words have support is decided once, by the corpus as it is.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from monitor.corpus.by_document import ByDocument, by_document
from monitor.corpus.encoded import EncodedCorpus
from monitor.corpus.first_order import average_first
from monitor.corpus.pmi import Pmi, context_shares, of_kind, pmi, settled
from monitor.model import Floats, Ints
from monitor.stats.resampling import bootstrap_weights, generator

#: Of so many documents or fewer each is drawn by itself.
GROUPS = 2_000
#: Tokens that are counted at once, and numbers of one kind that are held for some draws.
_TOKENS_AT_ONCE = 2_000_000
_NUMBERS_AT_ONCE = 4_000_000
#: Called with what is being done, how much of it is done, and of how much.
Told: TypeAlias = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be resampled: a representation, words that have a bias, and the concept words.

    `supported` says for each of the words whether a pair that never occurs counts.
    """

    pmi: Pmi
    words: Sequence[str]
    supported: Sequence[bool]
    women: Sequence[str]
    men: Sequence[str]


def biases(corpus: EncodedCorpus, asked: Asked, draws: int, seed: int, told: Told) -> Floats:
    """(draws, words) biases in resamples; NaN where one lacks the word or leaves a pair unknown."""
    counted = _counted(corpus, asked, seed, told)
    groups = counted.by.documents
    at_once = max(_NUMBERS_AT_ONCE // max(counted.width, groups), 1)
    rng = generator(seed, 1)
    found = [np.zeros((0, len(asked.words)))]
    for begin in range(0, draws, at_once):
        drawn = min(at_once, draws - begin)
        weights = bootstrap_weights(np.zeros(groups, np.int64), drawn, rng)
        found.append(counted.biases(weights))
        told("drawing documents anew", begin + drawn, draws)
    return np.concatenate(found)


@dataclass(frozen=True, slots=True)
class _Counted:
    """Counts by group of documents, and where the words asked for are among them."""

    asked: Asked
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
        at = np.searchsorted(self.rows, [ids[word] for word in self.asked.words])
        women, men = (
            np.searchsorted(self.contexts, [ids[word] for word in side])
            for side in (self.asked.women, self.asked.men)
        )
        values = of_kind(
            pmi(pairs, totals[:, self.rows, None] * shares[:, None]), of.kind, of.shift
        )[:, at]
        supported = np.asarray(self.asked.supported, np.bool_)
        one, two = (
            average_first(settled(values[..., side], supported, of.unseen)) for side in (women, men)
        )
        # a resample without the word says nothing of it
        return np.where(totals[:, self.rows[at]] > 0, one - two, np.nan)


def _counted(corpus: EncodedCorpus, asked: Asked, seed: int, told: Told) -> _Counted:
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
    for begin, end in _chunks(np.asarray(corpus.offsets, np.int64)):
        offsets = np.asarray(corpus.offsets[begin : end + 1], np.int64)
        tokens = np.asarray(corpus.tokens[offsets[0] : offsets[-1]], np.int64)
        part = by_document(
            tokens, offsets - offsets[0], len(ids), asked.pmi.counts.window, rows, contexts
        ).merged(group[begin:end], groups)
        total = part if total is None else _added(total, part)
        told("counting by document", int(offsets[-1]), len(corpus.tokens))
    if total is None:
        raise ValueError("a corpus without documents cannot be resampled")
    return _Counted(asked, total, rows, contexts)


def _chunks(offsets: Ints) -> Iterator[tuple[int, int]]:
    """(first document, the one behind the last) of parts with about as many tokens each."""
    begin = 0
    while begin < len(offsets) - 1:
        goal = offsets[begin] + _TOKENS_AT_ONCE
        end = max(int(np.searchsorted(offsets, goal, "right")) - 1, begin + 1)
        yield begin, end
        begin = end


def _added(one: ByDocument, other: ByDocument) -> ByDocument:
    """Counts of the same groups in two parts of a corpus, together."""
    return ByDocument(one.cells + other.cells, one.row, one.context, one.margins + other.margins)
