"""The bias of words towards women or men, in every measure of a corpus, and the unbiased area.

The unbiased area: associations with either side are scaled to 0 to 1 by the least and the largest
of any word of the vocabulary. The threshold is the mean of |women - men| over the vocabulary:
biases between -threshold and +threshold are as large as those of any word. [Rekabsaz et al. 2021,
Figures 2 and 3]. (The code that the authors published subtracts the least association from the
threshold as well; a difference does not change by what is subtracted from both sides.)

First order, AVERAGE_FIRST: how much more often a word stands near words for women than near those
for men,

    AVERAGE_FIRST(w, Z) = mean over c in Z of e_{w:c}
    bias(w) = AVERAGE_FIRST(w, women) - AVERAGE_FIRST(w, men)

above 0 towards women. Any representation gives e. Concept words that it does not know are left out;
a word of which a pair is not known (see `pmi.py`) has no bias.

High order: how much more alike the contexts of a word are to those of words for women, also above 0
towards women. Each of the measures is a product of the word's vector with an axis of the concept
words:

    DIRECTIONAL   w . g, g the first principal component, about the origin, of the differences of
                  pairs (her - him, ...), at unit length; neither words nor differences are brought
                  to unit length
    CENTROID      cos(w, mean of the women's vectors) - cos(w, mean of the men's vectors)
    AVERAGE_HIGH  mean over women's words of cos(w, c) - mean over men's words of cos(w, c)

The code that the authors published centres the differences; they are the same with either sign
there, so that it makes no difference. For PMI and GloVe it also brings the words of pairs to unit
length before the difference, which the paper does not; here no representation is treated apart.

Contributions: every measure is a sum, and its terms are shown [Rekabsaz et al. 2021, Table 2]. Of
first order the terms are concept words, e_{w:c} / n on the women's side and -e_{w:c} / n on the
men's. Of high order they are the dimensions, which are context words where vectors are made of
associations: one sees there how far words that have nothing to do with gender make two vectors
alike.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from monitor.corpus.concepts import Concepts
from monitor.corpus.pmi import FLOOR, Flags, settle_values
from monitor.model import Floats, InvalidInput, State


class KnownWords(Protocol):
    """Something that knows some words."""

    @property
    def words(self) -> Sequence[str]:
        """All words it knows."""

    def known(self, words: Iterable[str]) -> list[str]:
        """Those of the words that it knows, each once, in the order given."""


class Associations(KnownWords, Protocol):
    """First order: how strongly a word is tied to a context word, e_{w:c} of the paper."""

    @property
    def unseen(self) -> float | None:
        """Value of a pair that never occurred though it was to be expected."""

    def values(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        """(words, contexts), all of them known; NaN for a pair that never occurred."""

    def expected(self, words: Sequence[str], contexts: Sequence[str]) -> Floats | None:
        """(words,) pairs of each word with all the contexts if they were independent.

        n_w * (sum of n_c over the contexts) / n, with n_w all neighbours of a word and n all pairs.
        None where the representation counts nothing.
        """


class WordVectors(KnownWords, Protocol):
    """High order: words by vectors, which are alike where their contexts are."""

    @property
    def contexts(self) -> Sequence[str] | None:
        """The context word of each dimension; None where dimensions mean nothing by themselves."""

    def vectors(self, words: Sequence[str]) -> Floats:
        """(words, dimensions), all of them known."""


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
        return {bias.word: bias.value for bias in self.words if bias.value is not None}


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

    def measured(
        self,
        biases: Iterable[Bias],
        pairs: tuple[tuple[str, str], ...] = (),
        explained: tuple[float, ...] = (),
    ) -> Biases:
        """Biases that were measured with these."""
        return Biases(tuple(biases), self.women, self.men, self.missing, pairs, explained)


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
    sides = np.array(
        [
            [bias.women, bias.men]
            for bias in every.words
            if bias.women is not None and bias.men is not None
        ]
    ).reshape(-1, 2)
    if not len(sides) or sides.min() == sides.max():
        return None
    low, high = float(sides.min()), float(sides.max())
    threshold = float(np.abs(sides[:, 0] - sides[:, 1]).mean()) / (high - low)
    return Unbiased(threshold, low, high, len(sides), len(every.words))


# --- first order ----------------------------------------------------------------------------------


def average_first(values: Floats) -> Floats:
    """(..., words) means of associations (..., words, contexts); NaN where one is not known."""
    return np.asarray(values.mean(axis=-1), np.float64)


def is_supported(
    women: Floats | None, men: Floats | None, floor: float | None, words: int
) -> Flags:
    """(..., words) whether enough pairs with either side are expected; all without a floor."""
    if floor is None or women is None or men is None:
        return np.ones(words, np.bool_)
    return np.asarray(np.minimum(women, men) >= floor)


def first_order(
    associations: Associations,
    words: Sequence[str],
    concepts: Concepts,
    floor: float | None = FLOOR,
) -> Biases:
    """The bias of each word. With `floor` None every word has support."""
    sides = ConceptSides.of(associations, concepts)
    if sides.lacking:
        return sides.measured(insufficient_words(dict.fromkeys(words), sides.lacking))
    words_known = associations.known(words)
    expected = [associations.expected(words_known, side) for side in (sides.women, sides.men)]
    enough = is_supported(expected[0], expected[1], floor, len(words_known))
    women, men = (
        average_first(
            settle_values(associations.values(words_known, side), enough, associations.unseen)
        )
        for side in (sides.women, sides.men)
    )
    return sides.measured(
        in_order(words, _make_biases(words_known, women, men, expected, associations, floor))
    )


def _make_biases(
    known: Sequence[str],
    women: Floats,
    men: Floats,
    expected: Sequence[Floats | None],
    associations: Associations,
    floor: float | None,
) -> Iterator[Bias]:
    for index, word in enumerate(known):
        near = [None if side is None else float(side[index]) for side in expected]
        bias_women, bias_men = float(women[index]), float(men[index])
        if math.isnan(bias_women) or math.isnan(bias_men):
            reason = _unknown_reason(near, floor, associations.unseen)
            yield Bias(
                word,
                State.INSUFFICIENT,
                expected_women=near[0],
                expected_men=near[1],
                reason=reason,
            )
        else:
            yield Bias(
                word, State.MEASURED, bias_women - bias_men, bias_women, bias_men, near[0], near[1]
            )


def _unknown_reason(near: Sequence[float | None], floor: float | None, unseen: float | None) -> str:
    """Return why a pair of a word is not known."""
    if unseen is None or floor is None:
        return "the word never stands near some concept words, and there is no value for that"
    women, men = near
    return (
        "the word never stands near some concept words, and that says little where fewer than "
        f"{floor:g} pairs are expected on a side: {women:.1f} with words for women, {men:.1f} with "
        "words for men"
    )


# --- high order -----------------------------------------------------------------------------------


#: Numbers of word vectors that are held at once: vectors over all words are long.
_AT_ONCE = 2**24

#: A first component of such a share of nothing is noise of the arithmetic.
_NOTHING = 1e-12

ZERO = "the vector of the word is zero: it is like no other"


class Method(StrEnum):
    """One of the three measures."""

    DIRECTIONAL = "directional"
    CENTROID = "centroid"
    AVERAGE_HIGH = "average_high"


@dataclass(frozen=True, slots=True)
class ConceptAxis:
    """The vector that word vectors are multiplied with: women's side less men's, (dimensions,).

    A direction has no sides. `units` says whether words are brought to unit length before, `reason`
    why there is no axis.
    """

    sides: ConceptSides
    women: Floats
    men: Floats | None = None
    units: bool = False
    pairs: tuple[tuple[str, str], ...] = ()
    explained: tuple[float, ...] = ()
    reason: str = ""

    @property
    def vector(self) -> Floats:
        """The women's side less the men's."""
        return self.women if self.men is None else self.women - self.men


def row_lengths(rows: Floats) -> Floats:
    """(rows,) Euclidean lengths."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows)), np.float64)


def unit_rows(rows: Floats) -> Floats:
    """Rows of unit length; rows of zeros stay."""
    sizes = row_lengths(rows)
    return rows / np.where(sizes > 0, sizes, 1.0)[:, None]


def first_component(women: Floats, men: Floats) -> tuple[Floats, Floats]:
    """The first component of differences (pairs, dimensions), and the shares of variance of all.

    It points to the side where the women's words lie; zeros where no pair differs.
    """
    differences = women - men
    # Pairs are few and dimensions many: products of pairs are a hundred times quicker than an SVD.
    # By einsum, as the threads of a matrix product cost many times what it takes by itself.
    eigenvalues, components = np.linalg.eigh(np.einsum("id,jd->ij", differences, differences))
    squares = np.maximum(eigenvalues[::-1], 0.0)
    if squares[0] <= _NOTHING:
        return np.zeros(women.shape[1]), np.zeros(len(squares))
    first = unit_rows(np.einsum("i,id->d", components[:, -1], differences)[None])[0]
    towards_women = float(np.einsum("id,d->", differences, first))
    return (first if towards_women >= 0 else -first), squares / squares.sum()


def method_axis(vectors: WordVectors, concepts: Concepts, method: Method) -> ConceptAxis:
    """The axis of a method. Concept words whose vector is zero count as missing."""
    concepts = concepts.spelt(vectors.known)
    if method is Method.DIRECTIONAL:
        return _directional_axis(vectors, concepts)
    words_kept, rows = [], []
    for listed in (concepts.women, concepts.men):
        words_known = vectors.known(listed)
        word_vectors = vectors.vectors(words_known)
        is_nonzero = row_lengths(word_vectors) > 0
        words_kept.append(tuple(itertools.compress(words_known, is_nonzero.tolist())))
        rows.append(word_vectors[is_nonzero])
    sides = ConceptSides.among(words_kept[0], words_kept[1], concepts)
    if sides.lacking:
        return ConceptAxis(sides, np.zeros(0), reason=sides.lacking)
    if method is Method.CENTROID:
        women, men = (unit_rows(word_vectors.mean(axis=0)[None])[0] for word_vectors in rows)
    else:
        women, men = (unit_rows(word_vectors).mean(axis=0) for word_vectors in rows)
    return ConceptAxis(sides, women, men, units=True)


def _directional_axis(vectors: WordVectors, concepts: Concepts) -> ConceptAxis:
    words_known = set(vectors.known(word for pair in concepts.pairs for word in pair))
    pairs = tuple(pair for pair in concepts.pairs if words_known.issuperset(pair))
    lists = (dict.fromkeys(words) for words in zip(*concepts.pairs, strict=True))
    used = {word for pair in pairs for word in pair}
    missing = tuple(word for words in lists for word in words if word not in used)
    if not pairs:
        reason = "no pair of concept words is in the vocabulary with both of its words"
        return ConceptAxis(ConceptSides((), (), missing), np.zeros(0), reason=reason)
    women, men = (list(words) for words in zip(*pairs, strict=True))
    sides = ConceptSides(tuple(dict.fromkeys(women)), tuple(dict.fromkeys(men)), missing)
    principal, explained = first_component(vectors.vectors(women), vectors.vectors(men))
    if not principal.any():
        return ConceptAxis(
            sides, principal, reason="the two words of every pair have the same vector"
        )
    return ConceptAxis(
        sides, principal, pairs=pairs, explained=tuple(float(share) for share in explained)
    )


def high_order(
    vectors: WordVectors, words: Sequence[str], concepts: Concepts, method: Method
) -> Biases:
    """The bias of each word."""
    concept_axis = method_axis(vectors, concepts, method)
    if concept_axis.reason:
        biases = insufficient_words(dict.fromkeys(words), concept_axis.reason)
    else:
        biases = in_order(words, _project_words(vectors, vectors.known(words), concept_axis))
    return concept_axis.sides.measured(biases, concept_axis.pairs, concept_axis.explained)


def _project_words(
    vectors: WordVectors, known: Sequence[str], found: ConceptAxis
) -> Iterator[Bias]:
    at_once = max(_AT_ONCE // len(found.women), 1)
    for begin in range(0, len(known), at_once):
        batch = known[begin : begin + at_once]
        rows = vectors.vectors(batch)
        is_nonzero = row_lengths(rows) > 0
        if found.units:
            rows = unit_rows(rows)
        women = rows @ found.women
        men = None if found.men is None else rows @ found.men
        for index, word in enumerate(batch):
            if not is_nonzero[index]:
                yield Bias(word, State.INSUFFICIENT, reason=ZERO)
            elif men is None:
                yield Bias(word, State.MEASURED, float(women[index]))
            else:
                side_women, side_men = float(women[index]), float(men[index])
                yield Bias(word, State.MEASURED, side_women - side_men, side_women, side_men)


# --- contributions --------------------------------------------------------------------------------


MOST = 20


@dataclass(frozen=True, slots=True)
class BiasPart:
    """The amount that one word adds to a sum."""

    word: str
    value: float


@dataclass(frozen=True, slots=True)
class Contributions:
    """The largest of `n` parts of a sum, and what the others add up to."""

    total: float
    parts: tuple[BiasPart, ...]
    rest: float
    n: int


def of_first_order(
    associations: Associations,
    word: str,
    concepts: Concepts,
    floor: float | None = FLOOR,
    most: int = MOST,
) -> Contributions | Bias:
    """Concept words by what they add to the bias of a word, or the word without a bias."""
    biases = first_order(associations, [word], concepts, floor)
    bias = biases.words[0]
    if bias.value is None:
        return bias
    parts = []
    for side, sign in ((biases.women, 1.0), (biases.men, -1.0)):
        values = associations.values([word], side)
        # a word with a bias has all pairs, or support
        is_known = settle_values(values, np.ones(1, np.bool_), associations.unseen)[0]
        parts.append(sign * is_known / len(side))
    return _largest_parts((*biases.women, *biases.men), np.concatenate(parts), most)


def of_high_order(
    vectors: WordVectors, word: str, concepts: Concepts, method: Method, most: int = MOST
) -> Contributions | Bias:
    """Context words by what they add to the bias of a word, or the word without a bias."""
    if vectors.contexts is None:
        raise InvalidInput(
            "the dimensions of these vectors stand for no words, so that no word can be named; "
            "take pmi, ppmi or sppmi, or vectors made of associations"
        )
    bias = high_order(vectors, [word], concepts, method).words[0]
    if bias.value is None:
        return bias
    concept_axis = method_axis(vectors, concepts, method)
    row = vectors.vectors([word])
    return _largest_parts(
        vectors.contexts,
        (unit_rows(row) if concept_axis.units else row)[0] * concept_axis.vector,
        most,
    )


def _largest_parts(words: Sequence[str], values: Floats, most: int) -> Contributions:
    """Parts by falling size; of equal ones the first of the list."""
    order = np.argsort(-np.abs(values), kind="stable")
    order = order[values[order] != 0]
    parts = tuple(BiasPart(words[index], float(values[index])) for index in order[:most].tolist())
    rest = float(values[order[most:]].sum())
    return Contributions(float(values.sum()), parts, rest, len(order))
