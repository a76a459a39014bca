"""A corpus and lists of words in, the counts that bias is made of out."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from monitor.corpus.by_document import ByDocument, Sums, by_document
from monitor.corpus.concepts import Concepts
from monitor.corpus.pmi import Kind, context_shares, expected_pairs, of_kind, pmi
from monitor.corpus.vocabulary import Vocabulary
from monitor.measures._corpus_texts import Corpus
from monitor.model import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Counts of a corpus by document, and the numbers of words of lists, each rising.

    `target` are the words that bias is about, `women` and `men` the concept words, `contexts` both.
    """

    by: ByDocument
    vocabulary: Vocabulary
    target: Ints
    women: Ints
    men: Ints
    contexts: Ints

    @property
    def targets(self) -> tuple[str, ...]:
        """The words that bias is about."""
        return tuple(self.vocabulary.words[at] for at in self.target.tolist())

    def associations(self, sums: Sums, kind: Kind, cds: float) -> Floats:
        """(P, B) associations of the pairs of words; 0 for pairs that never occur."""
        shares = context_shares(sums.margins.T, cds).T
        expected = sums.margins[self.by.row] * shares[self.by.context]
        return np.nan_to_num(of_kind(pmi(sums.cells, expected), kind), copy=False)

    def expected(self, sums: Sums) -> Floats:
        """(2, B, targets) pairs with the women's and the men's words if they were independent."""
        margins = sums.margins.T
        return np.stack(
            [
                expected_pairs(margins[:, self.target], margins[:, side], margins.sum(axis=1))
                for side in (self.women, self.men)
            ]
        )

    def seen(self, sums: Sums) -> Floats:
        """(2, B, targets) pairs with the women's and the men's words that there are."""
        found = []
        for side in (self.women, self.men):
            inside = np.isin(self.by.row, self.target) & np.isin(self.by.context, side)
            at = np.searchsorted(self.target, self.by.row[inside])
            pairs = np.zeros((len(self.target), sums.cells.shape[1]))
            np.add.at(pairs, at, sums.cells[inside])
            found.append(pairs.T)
        return np.stack(found)

    def within(self, tokens: Ints, offsets: Ints) -> Ints:
        """(targets,) how many documents hold each."""
        of = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        pairs = np.unique(tokens * len(offsets) + of) // len(offsets)
        return np.bincount(pairs, minlength=len(self.vocabulary))[self.target]


def counted(corpus: Corpus, concepts: Concepts, window: int, *, vectors: bool) -> Counted:
    """Count the pairs of targets with concept words; with `vectors` of both with all words."""
    vocabulary = corpus.vocabulary
    concepts = concepts.spelt(vocabulary.known)

    def numbers(words: Iterable[str]) -> Ints:
        return np.array(sorted(vocabulary.ids[one] for one in vocabulary.known(words)), np.int64)

    target, women, men = map(numbers, (concepts.occupations, concepts.women, concepts.men))
    contexts = np.union1d(women, men)
    rows = np.union1d(target, contexts) if vectors else target
    by = by_document(
        corpus.tokens, corpus.offsets, len(vocabulary), window, rows, None if vectors else contexts
    )
    return Counted(by, vocabulary, target, women, men, contexts)


def refused(corpus: Corpus, found: Counted) -> str:
    """Why a corpus has no bias; empty if it may have one."""
    if corpus.documents == 0:
        return "no text was read: no question has a result with words"
    if corpus.documents == 1:
        return "there is one text only: how far a value moves with other texts cannot be told"
    for side, words in (("women", found.women), ("men", found.men)):
        if not len(words):
            return f"no word for {side} of the list occurs often enough in the texts"
    return ""
