"""The bias of words towards women or men, as every measure of a corpus gives it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from monitor.corpus.associations import Words
from monitor.corpus.concepts import Concepts
from monitor.model import State


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
        return {one.word: one.value for one in self.words if one.value is not None}


@dataclass(frozen=True, slots=True)
class Sides:
    """The concept words that a representation knows."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    missing: tuple[str, ...]

    @classmethod
    def of(cls, known: Words, concepts: Concepts) -> "Sides":
        """What is known of the lists."""
        concepts = concepts.spelt(known.known)
        return cls.among(known.known(concepts.women), known.known(concepts.men), concepts)

    @classmethod
    def among(cls, women: Sequence[str], men: Sequence[str], concepts: Concepts) -> "Sides":
        """These words; the others of the lists are missing."""
        there = {*women, *men}
        listed = (*concepts.women, *concepts.men)
        return cls(tuple(women), tuple(men), tuple(word for word in listed if word not in there))

    @property
    def lacking(self) -> str:
        """Which side has no word; empty where both have."""
        for name, words in (("women", self.women), ("men", self.men)):
            if not words:
                return f"no concept word for {name} is in the vocabulary"
        return ""

    def measured(self, biases: Iterable[Bias]) -> Biases:
        """Biases that were measured with these."""
        return Biases(tuple(biases), self.women, self.men, self.missing)


UNKNOWN = "the word is not in the vocabulary: it does not occur, or less often than the minimum"


def insufficient(words: Iterable[str], reason: str) -> list[Bias]:
    """Words without a bias."""
    return [Bias(word, State.INSUFFICIENT, reason=reason) for word in words]


def in_order(words: Sequence[str], found: Iterable[Bias]) -> list[Bias]:
    """Biases in the order of the words; a word that none was found for is not known."""
    by_word = {one.word: one for one in found}
    unknown = [word for word in words if word not in by_word]
    by_word |= {one.word: one for one in insufficient(unknown, UNKNOWN)}
    return [by_word[word] for word in dict.fromkeys(words)]
