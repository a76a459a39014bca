"""Vectors with less gender in them: hard and strong debiasing, row by row.

Vectors have unit length before and after [Bolukbasi et al. 2016, step 2]. Either way hides the bias
and does not remove it: what was biased together still lies together [Gonen and Goldberg 2019].
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from monitor.lexicons.direction import GenderDirection, Pair, unit_rows
from monitor.model import Floats
from monitor.text.terms import entity_terms

#: What is left of a vector that is nothing but gender is noise of the arithmetic.
_NOTHING = 1e-6


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
    gone = lengths < _NOTHING
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
        specific = gender_specific(found.pairs)
        return cls(change, found.vector, specific, equal_pairs(found, vectors))

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


def equal_pairs(found: GenderDirection, vectors: Mapping[str, Floats]) -> dict[str, Floats]:
    """The equalised vector of each word of the pairs."""
    equal: dict[str, Floats] = {}
    for pair in found.pairs:
        female, male = unit_rows(np.stack([vectors[word] for word in pair]))
        equal[pair[0]], equal[pair[1]] = equalise_pair(female, male, found.vector)
    return equal
