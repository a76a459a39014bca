"""Counts of corpora in, the bias of each word in each of them out: by its pairs, or its vector."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from monitor.corpus.by_document import Sums
from monitor.corpus.concepts import Concepts
from monitor.corpus.first_order import average_first
from monitor.corpus.high_order import Method, axis
from monitor.corpus.pmi import Kind
from monitor.corpus.vocabulary import Vocabulary
from monitor.measures._corpus_counted import Counted
from monitor.model import Floats, Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Formula:
    """How bias is made of associations: by `method` of vectors, or without one of single pairs."""

    concepts: Concepts
    kind: Kind
    cds: float
    method: Method | None = None

    def biases(self, given: Counted, sums: Sums) -> Floats:
        """(B, targets) biases in B corpora; NaN for a word that has none in one."""
        found = given.associations(sums, self.kind, self.cds)
        if self.method is None:
            made = self._by_pairs(given, found)
        else:
            made = self._by_axis(given, found, self.method)
        return np.where(sums.margins[given.target].T > 0, made, np.nan)

    def _by_pairs(self, given: Counted, found: Floats) -> Floats:
        cells = found.T.reshape(-1, len(given.target), len(given.contexts))
        women, men = (
            average_first(cells[:, :, np.searchsorted(given.contexts, side)])
            for side in (given.women, given.men)
        )
        return women - men

    def _by_axis(self, given: Counted, found: Floats, method: Method) -> Floats:
        biases = np.full((found.shape[1], len(given.target)), np.nan)
        for at, values in enumerate(np.ascontiguousarray(found.T)):
            vectors = _Vectors.of(given, values)
            along = axis(vectors, self.concepts, method)
            if along.reason:
                continue
            targets = vectors.matrix[np.searchsorted(vectors.rows, given.target)]
            product = targets @ along.vector
            lengths = np.sqrt(targets.multiply(targets).sum(axis=1)) if along.units else 1.0
            biases[at] = np.divide(product, lengths, where=lengths > 0, out=biases[at])
        return biases


@dataclass(frozen=True, slots=True, eq=False)
class _Vectors:
    """The associations of `rows` (R,) with all words, `matrix` (R, V), in one corpus."""

    vocabulary: Vocabulary
    rows: Ints
    matrix: "csr_array"

    @classmethod
    def of(cls, given: Counted, values: Floats) -> "_Vectors":
        """Of the values of all pairs that are counted."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - start-up time

        rows = np.union1d(given.target, given.contexts)
        starts = np.searchsorted(given.by.row, np.append(rows, np.inf))
        shape = len(rows), len(given.vocabulary)
        return cls(given.vocabulary, rows, csr_array((values, given.by.context, starts), shape))

    @property
    def words(self) -> Sequence[str]:
        return tuple(self.vocabulary.words[at] for at in self.rows.tolist())

    @property
    def contexts(self) -> Sequence[str]:
        return self.vocabulary.words

    def known(self, words: Iterable[str]) -> list[str]:
        return self.vocabulary.known(words)

    def vectors(self, words: Sequence[str]) -> Floats:
        at = np.searchsorted(self.rows, [self.vocabulary.ids[word] for word in words])
        return np.asarray(self.matrix[at].toarray(), np.float64)
