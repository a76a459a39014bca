"""High order: how much more alike the contexts of a word are to those of words for women.

Biases are above 0 towards women [Rekabsaz et al. 2021]. Each of the measures is a product of the
word's vector with an axis of the concept words:

    DIRECTIONAL   w . g, g the first principal component, about the origin, of the differences of
                  pairs (her - him, ...), at unit length; neither words nor differences are brought
                  to unit length
    CENTROID      cos(w, mean of the women's vectors) - cos(w, mean of the men's vectors)
    AVERAGE_HIGH  mean over women's words of cos(w, c) - mean over men's words of cos(w, c)

The code that the authors published centres the differences; they are the same with either sign
there, so that it makes no difference. For PMI and GloVe it also brings the words of pairs to unit
length before the difference, which the paper does not; here no representation is treated apart.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from monitor.corpus.bias import (
    Bias,
    Biases,
    ConceptSides,
    WordVectors,
    in_order,
    insufficient_words,
)
from monitor.corpus.concepts import Concepts
from monitor.model import Floats, State

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
        biases = in_order(words, _make_biases(vectors, vectors.known(words), concept_axis))
    return Biases(
        tuple(biases),
        concept_axis.sides.women,
        concept_axis.sides.men,
        concept_axis.sides.missing,
        concept_axis.pairs,
        concept_axis.explained,
    )


def _make_biases(vectors: WordVectors, known: Sequence[str], found: ConceptAxis) -> Iterator[Bias]:
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
