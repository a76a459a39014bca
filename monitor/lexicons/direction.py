"""The gender direction of vectors, the genderedness of words, and vectors with less of it.

The gender direction of definitional pairs (she - he, ...) is a unit vector that points towards
women [Bolukbasi et al. 2016; Fabris et al. 2020, section 3.1]. Vectors are brought to unit length;
each pair gives its two differences from its own centre; their first principal component, about the
origin, is the direction. (Centring the differences themselves would remove what they have in
common, which is gender.)

Hard and strong debiasing change vectors row by row; they have unit length before and after
[Bolukbasi et al. 2016, step 2]. Either way hides the bias and does not remove it: what was biased
together still lies together [Gonen and Goldberg 2019].
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, InvalidInput
from monitor.text.terms import entity_terms

Pair: TypeAlias = tuple[str, str]  # (female, male)
Rows: TypeAlias = NDArray[np.float32]

#: Bolukbasi et al. 2016, as they are spelled there.
PAIRS: tuple[Pair, ...] = (
    ("she", "he"),
    ("her", "his"),
    ("woman", "man"),
    ("Mary", "John"),
    ("herself", "himself"),
    ("daughter", "son"),
    ("mother", "father"),
    ("gal", "guy"),
    ("girl", "boy"),
    ("female", "male"),
)

#: With fewer the first component is whatever these few words have in common.
LEAST_PAIRS = 5

#: A first component of such a share of nothing is noise of the arithmetic.
_NOTHING = 1e-12


@dataclass(frozen=True, slots=True)
class GenderDirection:
    """The gender direction, towards women, and what it was computed from."""

    vector: Floats  # (dimensions,), of unit length
    variance: tuple[float, ...]  # explained variance ratios of all components
    pairs: tuple[Pair, ...]  # used, as they are spelled in the vocabulary
    lowered: tuple[Pair, ...]  # of these, the pairs that are spelled otherwise in the source
    missing: tuple[Pair, ...]


@dataclass(slots=True)
class PairWords:
    """Collects the vectors of the words of some pairs while the rows of a file pass by."""

    pairs: Sequence[Pair] = PAIRS
    vectors: dict[str, Floats] = field(default_factory=dict)
    _wanted: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        words = [word for pair in self.pairs for word in pair]
        self._wanted = frozenset([*words, *map(str.lower, words)])

    def offer(self, words: Sequence[str], rows: Rows) -> bool:
        """Take what is wanted of these rows; whether anything was. The first row of a word wins."""
        taken = False
        for word in self._wanted.intersection(words) - self.vectors.keys():
            row = rows[words.index(word)].astype(np.float64)
            if row.any():  # a zero vector has no direction
                self.vectors[word] = row
                taken = True
        return taken

    @property
    def complete(self) -> bool:
        """Return whether every pair is there in some spelling.

        The preferred spelling may still come; `offer` says so.
        """
        return all(self._spelled(pair) is not None for pair in self.pairs)

    def _spelled(self, pair: Pair) -> Pair | None:
        lowered = (pair[0].lower(), pair[1].lower())
        for spelling in (pair, lowered):
            if all(word in self.vectors for word in spelling):
                return spelling
        return None

    def direction(self) -> GenderDirection:
        """The direction of the words found. Raises InvalidInput for fewer than five pairs."""
        spelled = {pair: self._spelled(pair) for pair in self.pairs}
        used = tuple(spelling for spelling in spelled.values() if spelling is not None)
        missing = tuple(pair for pair, spelling in spelled.items() if spelling is None)
        if len(used) < LEAST_PAIRS:
            raise InvalidInput(
                f"only {len(used)} of {len(self.pairs)} pairs have vectors, at least "
                f"{LEAST_PAIRS} are needed; missing: {_list_pairs(missing)}. Are these vectors of "
                "another language? Then name its pairs with --pairs"
            )
        vector, variance = gender_direction(self.vectors, used)
        lowered = tuple(s for pair, s in spelled.items() if s is not None and s != pair)
        return GenderDirection(vector, variance, used, lowered, missing)


def _list_pairs(pairs: Sequence[Pair]) -> str:
    return ", ".join(f"{female}-{male}" for female, male in pairs) or "none"


def gender_direction(
    vectors: Mapping[str, Floats], pairs: Sequence[Pair]
) -> tuple[Floats, tuple[float, ...]]:
    """The first component and the explained variance ratios. Raises InvalidInput."""
    female = unit_rows(np.stack([vectors[pair[0]] for pair in pairs]))
    male = unit_rows(np.stack([vectors[pair[1]] for pair in pairs]))
    halves = (female - male) / 2.0
    # the other ten differences are these with the other sign: the same components and shares
    _, sizes, components = np.linalg.svd(halves, full_matrices=False)
    squares = sizes**2
    if squares[0] <= _NOTHING:
        raise InvalidInput(
            "the two words of every pair have the same vector; these vectors know no gender"
        )
    first: Floats = components[0]
    first = first / np.sqrt(first @ first)
    towards_women = float((female - male).sum(axis=0) @ first)
    ratios = tuple(float(share) for share in squares / squares.sum())
    return (first if towards_women >= 0 else -first), ratios


def unit_rows(rows: NDArray[np.float64] | Rows) -> Floats:
    """Rows of unit length, as float64; a zero row becomes NaN."""
    wide = rows.astype(np.float64)
    # squares of very long or short vectors would leave the range of numbers
    largest = np.abs(wide).max(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        wide /= largest
        wide /= np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    return wide


# --- debiasing ------------------------------------------------------------------------------------

#: What is left of a vector that is nothing but gender is noise of the arithmetic.
_NO_REST = 1e-6


class VectorChange(StrEnum):
    """The change of vectors before they are written."""

    REGULAR = "regular"  # unit length only
    HARD = "hard"  # neutral words lose the direction, pairs become equal but for it
    STRONG = "strong"  # every word loses the direction


def neutralise_rows(rows: Floats, direction: Floats) -> Floats:
    """Unit rows without their part along the direction, at unit length again.

    A row that is nothing but that part becomes zero.
    """
    rest = rows - np.outer(rows @ direction, direction)
    lengths = np.sqrt(np.einsum("ij,ij->i", rest, rest))
    gone = lengths < _NO_REST
    lengths[gone] = 1.0
    rest /= lengths[:, None]
    rest[gone] = 0.0
    return rest


def equalise_pair(female: Floats, male: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """Return two unit vectors that differ in the direction alone, each on the side where it was."""
    middle = (female + male) / 2.0
    common = middle - (middle @ direction) * direction
    apart = float((female - male) @ direction)
    size = math.sqrt(max(0.0, 1.0 - float(common @ common)))
    side = math.copysign(size, apart) * direction
    if apart == 0.0:  # these two words do not differ in gender: nothing to put them apart by
        neutral_vector = neutralise_rows(middle[None, :] / np.sqrt(middle @ middle), direction)[0]
        return neutral_vector, neutral_vector
    return common + side, common - side


@dataclass(frozen=True, slots=True)
class Debiasing:
    """One change, ready for blocks of rows."""

    change: VectorChange
    direction: Floats
    specific: frozenset[str]  # words whose gender is what they mean
    equal: Mapping[str, Floats]  # vectors of the words of equalised pairs

    @classmethod
    def of(
        cls, change: VectorChange, found: GenderDirection, vectors: Mapping[str, Floats]
    ) -> "Debiasing":
        """The change along a direction, with the vectors of the words of its pairs."""
        equal: dict[str, Floats] = {}
        for pair in found.pairs:
            female, male = unit_rows(np.stack([vectors[word] for word in pair]))
            equal[pair[0]], equal[pair[1]] = equalise_pair(female, male, found.vector)
        return cls(change, found.vector, gender_specific(found.pairs), equal)

    def rows(self, words: Sequence[str], rows: Floats) -> Floats:
        """Unit rows, changed."""
        if self.change is VectorChange.REGULAR:
            return rows
        changed = neutralise_rows(rows, self.direction)
        if self.change is VectorChange.STRONG:
            return changed
        for index, word in enumerate(words):
            if word in self.equal:
                changed[index] = self.equal[word]
            elif word in self.specific:
                changed[index] = rows[index]
        return changed


def gender_specific(pairs: Sequence[Pair]) -> frozenset[str]:
    """Words that mean a gender: those of the pairs, and Appendix B of Fabris et al. 2020."""
    words = {word for pair in pairs for word in pair}
    for _, listed in entity_terms().groups:
        words |= listed
    return frozenset(words | {word.lower() for word in words})
