"""AVERAGE_FIRST: how much more often a word stands near words for women than near those for men.

    AVERAGE_FIRST(w, Z) = mean over c in Z of e_{w:c}
    bias(w) = AVERAGE_FIRST(w, women) - AVERAGE_FIRST(w, men)

above 0 towards women [Rekabsaz et al. 2021]. Any representation gives e. Concept words that it does
not know are left out; a word of which a pair is not known (see `pmi.py`) has no bias.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from monitor.corpus.bias import (
    Associations,
    Bias,
    Biases,
    ConceptSides,
    in_order,
    insufficient_words,
)
from monitor.corpus.concepts import Concepts
from monitor.corpus.pmi import FLOOR, Flags, settle_values
from monitor.model import Floats, State


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
