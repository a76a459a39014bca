"""Pointwise mutual information: counts of pairs in, associations of words out.

    PMI(w, c)   = log( p(w, c) / (p(w) p(c)) ) = log( n_wc / (n_w p(c)) )
    PPMI(w, c)  = max(PMI(w, c), 0)
    SPPMI(w, c) = max(PMI(w, c) - log k, 0)

with natural logarithms, n_wc the count of a pair, n_w that of all pairs of a word, k = 5, and
p(c) = n_c^cds / sum over all words of n^cds: cds = 1 is the plain share, 0.75 the context
distribution smoothing of Levy, O., Goldberg, Y., Dagan, I. (2015), TACL 3, 211-225.

A pair that never occurred has no PMI. It counts as 0 where its word has support, and is not known
where it has none. Support of a word is how many pairs of it with all words of a list are expected,
given independence: n_w * (sum of n_c over the list) / n. It is needed on either side, for the words
for women and those for men, 5 of each at least: with fewer, that a pair did not occur says little.
Pairs that occurred count in any case. Unknown pairs are not left out of a mean: what is left would
be the pairs that occurred, and every such word would look biased.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.corpus.encoding import Cooccurrences
from monitor.model import Floats, Ints, InvalidInput

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Flags: TypeAlias = NDArray[np.bool_]

#: Pairs expected on either side from which on a pair that never occurred says something.
FLOOR = 5.0

#: Samples against which skip-gram learns, of which its shift comes: Levy and Goldberg (2014).
NEGATIVE = 5
SHIFT = math.log(NEGATIVE)


class AssociationKind(StrEnum):
    """One of the three associations."""

    PMI = "pmi"
    PPMI = "ppmi"
    SPPMI = "sppmi"


def context_shares(totals: Floats, cds: float = 1.0) -> Floats:
    """p(c) of every word: totals (..., words), all words of a corpus."""
    powers = totals if cds == 1.0 else totals**cds
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float64)


def pmi(counts: Floats, expected: Floats) -> Floats:
    """log( n_wc / (n_w p(c)) ) of two arrays of one shape; NaN for pairs that never occurred."""
    has_counts = counts > 0
    values: Floats = np.full(counts.shape, np.nan)
    np.divide(counts, expected, out=values, where=has_counts)
    np.log(values, out=values, where=has_counts)
    return values


def of_kind(values: Floats, kind: AssociationKind, shift: float = SHIFT) -> Floats:
    """PPMI or SPPMI of PMI values, NaN staying NaN."""
    if kind is AssociationKind.PMI:
        return values
    return np.asarray(np.maximum(values - shift if kind is AssociationKind.SPPMI else values, 0.0))


def expected_pairs(totals: Floats, contexts: Floats, total: Floats | float) -> Floats:
    """(..., words) pairs of each word with all contexts of a list, given independence.

    n_w (..., words), n_c (..., contexts), n (...,).
    """
    side = np.asarray(contexts.sum(axis=-1) / total)
    return np.asarray(totals * side[..., None], np.float64)


def settle_values(values: Floats, supported: Flags, unseen: float | None) -> Floats:
    """Values (..., words, contexts) with `unseen` for pairs that never occurred, given support.

    `supported` (..., words) says whether a word has it. NaN is left where a value is not known.
    """
    if unseen is None:
        return values
    return np.where(np.isnan(values) & supported[..., None], unseen, values)


def ids(counts: Cooccurrences, words: Sequence[str]) -> Ints:
    """Places of known words in the vocabulary."""
    return np.array([counts.vocabulary.ids[word] for word in words], np.int64)


def pairs(counts: Cooccurrences, rows: Ints, columns: Ints) -> Floats:
    """(rows, columns) counts; the matrix is symmetric, so the shorter list picks its rows."""
    if len(rows) > len(columns):
        return pairs(counts, columns, rows).T
    return np.asarray(counts.matrix[rows][:, columns].toarray(), np.float64)


@dataclass(frozen=True)
class OfCounts:
    """Base of associations that are made of the counts of a corpus. Raises InvalidInput."""

    counts: Cooccurrences

    def __post_init__(self) -> None:
        if not self.counts.total > 0:
            raise InvalidInput(
                f"no two words stand within {self.counts.window} tokens of each other in "
                f"{self.counts.documents:,} document(s): take more text, or a lower minimum count"
            )

    @property
    def words(self) -> Sequence[str]:
        return self.counts.vocabulary.words

    def known(self, words: Iterable[str]) -> list[str]:
        return self.counts.vocabulary.known(words)

    def expected(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        totals, counts = self.counts.row_totals, self.counts
        return expected_pairs(
            totals[ids(counts, words)], totals[ids(counts, contexts)], counts.total
        )


@dataclass(frozen=True)
class Pmi(OfCounts):
    """Associations, and vectors over all words as contexts, of the counts of a corpus."""

    kind: AssociationKind = AssociationKind.PPMI
    cds: float = 1.0
    shift: float = SHIFT

    unseen: ClassVar[float | None] = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.cds <= 1:
            raise InvalidInput(f"cds is {self.cds}; it must be above 0 and at most 1")
        OfCounts.__post_init__(self)

    @property
    def contexts(self) -> Sequence[str]:
        return self.words

    @cached_property
    def shares(self) -> Floats:
        """(words,) p(c) of every word."""
        return context_shares(self.counts.row_totals, self.cds)

    def values(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        rows, columns = ids(self.counts, words), ids(self.counts, contexts)
        expected = np.multiply.outer(self.counts.row_totals[rows], self.shares[columns])
        return of_kind(pmi(pairs(self.counts, rows, columns), expected), self.kind, self.shift)

    def vectors(self, words: Sequence[str]) -> Floats:
        """(words, all words); 0 for pairs that never occurred."""
        return np.asarray(self._weighed(ids(self.counts, words)).toarray(), np.float64)

    def matrix(self) -> "csr_array":
        """(all words, all words); what is not there is 0."""
        return self._weighed(np.arange(len(self.words)))

    def _weighed(self, rows: Ints) -> "csr_array":
        """Rows of the matrix with associations in place of counts."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - start-up time

        rows_counted = self.counts.matrix[rows]
        owners = np.repeat(self.counts.row_totals[rows], np.diff(rows_counted.indptr))
        weights = pmi(rows_counted.data, owners * self.shares[rows_counted.indices])
        matrix_made = csr_array(
            (of_kind(weights, self.kind, self.shift), rows_counted.indices, rows_counted.indptr),
            shape=rows_counted.shape,
        )
        if self.kind is not AssociationKind.PMI:
            matrix_made.eliminate_zeros()
        return matrix_made
