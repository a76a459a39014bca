"""The bias of words towards women or men, in every measure of a corpus, and the unbiased area.

The unbiased area: associations with either side are scaled to 0 to 1 by the least and the largest
of any word of the vocabulary. The threshold is the mean of |women - men| over the vocabulary:
biases between -threshold and +threshold are as large as those of any word. [Rekabsaz et al. 2021,
Figures 2 and 3]. (The code that the authors published subtracts the least association from the
threshold as well; a difference does not change by what is subtracted from both sides.)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from monitor.corpus.concepts import Concepts
from monitor.model import Floats, State


class KnownWords(Protocol):
    """Something that knows some words."""

    @property
    def words(self) -> Sequence[str]:
        """All words it knows."""
        ...

    def known(self, words: Iterable[str]) -> list[str]:
        """Those of the words that it knows, each once, in the order given."""
        ...


class Associations(KnownWords, Protocol):
    """First order: how strongly a word is tied to a context word, e_{w:c} of the paper."""

    @property
    def unseen(self) -> float | None:
        """Value of a pair that never occurred though it was to be expected."""
        ...

    def values(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        """(words, contexts), all of them known; NaN for a pair that never occurred."""
        ...

    def expected(self, words: Sequence[str], contexts: Sequence[str]) -> Floats | None:
        """(words,) pairs of each word with all the contexts if they were independent.

        n_w * (sum of n_c over the contexts) / n, with n_w all neighbours of a word and n all pairs.
        None where the representation counts nothing.
        """
        ...


class WordVectors(KnownWords, Protocol):
    """High order: words by vectors, which are alike where their contexts are."""

    @property
    def contexts(self) -> Sequence[str] | None:
        """The context word of each dimension; None where dimensions mean nothing by themselves."""
        ...

    def vectors(self, words: Sequence[str]) -> Floats:
        """(words, dimensions), all of them known."""
        ...


@dataclass(frozen=True, slots=True)
class Bias:
    """One word: its association with women less that with men, above 0 towards women.

    `women` and `men` are the two associations, None where a measure has only their difference.
    `expected_women` and `expected_men` are the pairs of the word with all concept words of a side
    if they were independent, None where nothing was counted.
    """

    word: str
    state: State
    value: float | None = None
    women: float | None = None
    men: float | None = None
    expected_women: float | None = None
    expected_men: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Biases:
    """The words asked for, in their order, and the concept words that they were measured with.

    `pairs` are those that the direction is made of, `explained` the shares of variance of its
    components; both are empty for measures without one.
    """

    words: tuple[Bias, ...]
    women: tuple[str, ...]
    men: tuple[str, ...]
    missing: tuple[str, ...]  # concept words that the representation does not know
    pairs: tuple[tuple[str, str], ...] = ()
    explained: tuple[float, ...] = ()

    @property
    def values(self) -> dict[str, float]:
        """The biases that there are, by word."""
        return {
            word_bias.word: word_bias.value
            for word_bias in self.words
            if word_bias.value is not None
        }


@dataclass(frozen=True, slots=True)
class ConceptSides:
    """The concept words that a representation knows."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    missing: tuple[str, ...]

    @classmethod
    def of(cls, known: KnownWords, concepts: Concepts) -> "ConceptSides":
        """Return the words of the lists that are known."""
        concepts = concepts.spelt(known.known)
        return cls.among(known.known(concepts.women), known.known(concepts.men), concepts)

    @classmethod
    def among(cls, women: Sequence[str], men: Sequence[str], concepts: Concepts) -> "ConceptSides":
        """These words; the others of the lists are missing."""
        present = {*women, *men}
        listed = (*concepts.women, *concepts.men)
        return cls(tuple(women), tuple(men), tuple(word for word in listed if word not in present))

    @property
    def lacking(self) -> str:
        """Return the side that has no word; empty where both have."""
        for name, words in (("women", self.women), ("men", self.men)):
            if not words:
                return f"no concept word for {name} is in the vocabulary"
        return ""

    def measured(self, biases: Iterable[Bias]) -> Biases:
        """Biases that were measured with these."""
        return Biases(tuple(biases), self.women, self.men, self.missing)


UNKNOWN = "the word is not in the vocabulary: it does not occur, or less often than the minimum"


def insufficient_words(words: Iterable[str], reason: str) -> list[Bias]:
    """Words without a bias."""
    return [Bias(word, State.INSUFFICIENT, reason=reason) for word in words]


def in_order(words: Sequence[str], found: Iterable[Bias]) -> list[Bias]:
    """Biases in the order of the words; a word that none was found for is not known."""
    by_word = {word_bias.word: word_bias for word_bias in found}
    unknown = [word for word in words if word not in by_word]
    by_word |= {word_bias.word: word_bias for word_bias in insufficient_words(unknown, UNKNOWN)}
    return [by_word[word] for word in dict.fromkeys(words)]


@dataclass(frozen=True, slots=True)
class Unbiased:
    """The threshold on the scale from 0 to 1, and the associations that lie at its ends.

    `n` of the `n_total` words have a bias.
    """

    threshold: float
    low: float
    high: float
    n: int
    n_total: int

    def association(self, value: float) -> float:
        """An association with one side, on the scale."""
        return (value - self.low) / (self.high - self.low)

    def bias(self, value: float) -> float:
        """A difference of two associations, on the scale."""
        return value / (self.high - self.low)


def unbiased(every: Biases) -> Unbiased | None:
    """The area of the biases of all words of a vocabulary.

    None where no word has one, where all associations are the same, and for measures without sides.
    """
    associations_found = np.array(
        [
            [word_bias.women, word_bias.men]
            for word_bias in every.words
            if word_bias.women is not None and word_bias.men is not None
        ]
    ).reshape(-1, 2)
    if not len(associations_found) or associations_found.min() == associations_found.max():
        return None
    low, high = float(associations_found.min()), float(associations_found.max())
    threshold = float(np.abs(associations_found[:, 0] - associations_found[:, 1]).mean()) / (
        high - low
    )
    return Unbiased(threshold, low, high, len(associations_found), len(every.words))
