"""Counts of pairs of words, as everything that follows from them takes them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from monitor.corpus.vocabulary import Vocabulary
from monitor.model import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Cooccurrences:
    """How often each word stands within `window` tokens of each other, in the same document.

    `matrix` has shape (words, words), symmetric, in the order of the vocabulary: every pair of
    places counts once for each of its two words, so that a word beside itself counts twice. Its
    sum is `total`, and `row_totals`, shape (words,), are the sums of its rows.
    """

    vocabulary: Vocabulary
    matrix: "csr_array"
    row_totals: Floats
    total: float
    window: int
    documents: int
    tokens: int
