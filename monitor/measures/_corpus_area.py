"""A corpus in; both sides of each bias and the unbiased area of its whole vocabulary out, as facts.

They are what Figure 2 of Rekabsaz et al. 2021 is drawn of: `unbiased_threshold` on a scale on which
`association_low` is 0 and `association_high` 1, and the associations of each word with the words
for women and for men, as `women:nurse` and `men:nurse`.
"""

from collections.abc import Iterable

import numpy as np

from monitor.corpus.bias import Biases
from monitor.corpus.counting import count
from monitor.corpus.first_order import first_order
from monitor.corpus.high_order import Method, high_order
from monitor.corpus.pmi import Pmi
from monitor.corpus.unbiased import unbiased
from monitor.measures._corpus_formula import Formula
from monitor.measures._corpus_texts import Corpus
from monitor.measures._shared_values import Facts


def area(corpus: Corpus, formula: Formula, window: int, floor: int, words: Iterable[str]) -> Facts:
    """Of some words that have a bias. Nothing for a direction, which has no sides."""
    if formula.method is Method.DIRECTIONAL or np.diff(corpus.offsets).max() <= 1:
        return ()
    every = _every(Pmi(count(corpus, window), formula.kind, formula.cds), formula, floor)
    found = unbiased(every)
    if found is None:
        return ()
    by_word = {one.word: one for one in every.words}
    sides = [
        (f"{side}:{word}", value)
        for word in words
        for side, value in (("women", by_word[word].women), ("men", by_word[word].men))
        if value is not None
    ]
    return (
        ("unbiased_threshold", found.threshold),
        ("unbiased_words", float(found.n)),
        ("association_low", found.low),
        ("association_high", found.high),
        *sides,
    )


def _every(model: Pmi, formula: Formula, floor: int) -> Biases:
    """The bias of each word of the vocabulary."""
    if formula.method is None:
        return first_order(model, model.words, formula.concepts, floor)
    return high_order(model, model.words, formula.concepts, formula.method)
