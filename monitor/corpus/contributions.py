"""Contributions to a bias: one word in, the concept or context words that add most to it out.

Every measure is a sum, and its terms are shown [Rekabsaz et al. 2021, Table 2]. Of first order the
terms are concept words, e_{w:c} / n on the women's side and -e_{w:c} / n on the men's. Of high
order they are the dimensions, which are context words where vectors are made of associations: one
sees there how far words that have nothing to do with gender make two vectors alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.corpus.bias import Associations, Bias, WordVectors
from monitor.corpus.concepts import Concepts
from monitor.corpus.first_order import first_order
from monitor.corpus.high_order import Method, high_order, method_axis, unit_rows
from monitor.corpus.pmi import FLOOR, settle_values
from monitor.model import Floats, InvalidInput

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
    contexts = _context_words(vectors)
    bias = high_order(vectors, [word], concepts, method).words[0]
    if bias.value is None:
        return bias
    concept_axis = method_axis(vectors, concepts, method)
    row = vectors.vectors([word])
    return _largest_parts(
        contexts, (unit_rows(row) if concept_axis.units else row)[0] * concept_axis.vector, most
    )


def _context_words(vectors: WordVectors) -> Sequence[str]:
    if vectors.contexts is None:
        raise InvalidInput(
            "the dimensions of these vectors stand for no words, so that no word can be named; "
            "take pmi, ppmi or sppmi, or vectors made of associations"
        )
    return vectors.contexts


def _largest_parts(words: Sequence[str], values: Floats, most: int) -> Contributions:
    """Parts by falling size; of equal ones the first of the list."""
    order = np.argsort(-np.abs(values), kind="stable")
    order = order[values[order] != 0]
    parts = tuple(BiasPart(words[index], float(values[index])) for index in order[:most].tolist())
    rest = float(values[order[most:]].sum())
    return Contributions(float(values.sum()), parts, rest, len(order))
