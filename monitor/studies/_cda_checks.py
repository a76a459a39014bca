"""What must hold of a corpus that is its own mirror, whatever the texts.

Where every text has its twin, and the swap exchanges two concept words one for one, any other word
that it leaves alone stands near the one as often as near the other. First order on counts is then
the same for both, and the bias 0, but for rounding.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from monitor.corpus.augment import exchanged, inexact
from monitor.corpus.concepts import Concepts
from monitor.corpus.cooccurrences import Cooccurrences
from monitor.corpus.encoded import EncodedCorpus
from monitor.corpus.first_order import first_order
from monitor.corpus.pmi import Kind, Pmi
from monitor.stages.corpus_bias import Measure
from monitor.studies._cda_tables import Followed
from monitor.studies.found import Against, Check
from monitor.text.swap import swap

#: Rounding of means of at most some dozens of logarithms.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Mirror:
    """The words of a corpus with all twins for which the bias must be 0, and the others."""

    pairs: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    inexact: tuple[str, ...]  # concept words that are not exchanged one for one
    swapped: tuple[str, ...]  # words to measure that are exchanged themselves
    reason: str = ""  # why nothing must hold; empty where it must

    @classmethod
    def of(
        cls,
        original: EncodedCorpus,
        full: EncodedCorpus,
        concepts: Concepts,
        words: Sequence[str],
    ) -> "Mirror":
        """By the words of the swap, and by how often they occur."""
        known = full.vocabulary.known
        occur = full.vocabulary.counts
        ids, before = full.vocabulary.ids, original.vocabulary
        pairs = tuple(
            pair
            for pair in exchanged(concepts.women, concepts.men)
            if len(known(pair)) == len(pair) and occur[ids[pair[0]]] == occur[ids[pair[1]]]
        )
        kept = {word for pair in pairs for word in pair}
        left = known([*inexact(concepts.women, concepts.men), *concepts.women, *concepts.men])
        there = known(before.known(words))
        alone = [
            word
            for word in there
            if swap(word) == word and occur[ids[word]] == 2 * before.counts[before.ids[word]]
        ]
        return cls(
            pairs,
            tuple(alone),
            tuple(word for word in left if word not in kept),
            tuple(word for word in there if word not in alone),
            _reason(full, pairs, alone),
        )

    @property
    def notes(self) -> list[str]:
        """Which words the swap does not exchange one for one."""
        return [
            (
                "Concept words of these texts that the swap does not exchange one for one, so "
                f"that a bias may be left: {', '.join(self.inexact) or 'none'}."
            ),
            (
                "Occupations that it exchanges themselves, so that nothing must hold of them: "
                f"{', '.join(self.swapped) or 'none'}."
            ),
        ]


def _reason(full: EncodedCorpus, pairs: Sequence[tuple[str, str]], alone: Sequence[str]) -> str:
    if not pairs or not alone:
        return "these texts have no concept words that are exchanged, or no other word to measure"
    lengths = np.diff(full.offsets)
    if len(lengths) % 2:
        return "the last corpus has texts without a twin"
    if other := int(np.count_nonzero(lengths[::2] != lengths[1::2])):
        return (
            f"{other:,} texts keep more or fewer words than their twins, because a word is rare "
            "and its counterpart is not: take --min-count 1"
        )
    return ""


def exact(mirror: Mirror, counts: Cooccurrences) -> Iterator[Check]:
    """The largest bias that full twins leave, by the words that the swap exchanges exactly."""
    for kind in Kind:
        largest: float | None = None
        note = mirror.reason
        if not note:
            women, men = zip(*mirror.pairs, strict=True)
            lists = Concepts.of(women, men)
            values = first_order(Pmi(counts, kind), mirror.words, lists, floor=None).values
            largest = max(map(abs, values.values()))
            note = f"{len(values):,} words, {len(women)} pairs of concept words"
        yield Check(
            f"{kind}, full twins, concept words that are exchanged one for one: largest |bias|",
            "must be 0: the corpus is its own mirror",
            largest,
            0.0,
            _ROUNDING,
            note,
            against=Against.MUST,
        )


def falls(found: Sequence[Followed]) -> Iterator[Check]:
    """Whether the mean |bias| by all concept words is below that of the original."""
    kinds = {kind.value for kind in Kind}
    for one in found:
        if one.order.measure is not Measure.FIRST_ORDER or one.order.representation not in kinds:
            continue
        yield Check(
            f"{one.order.representation}, all concept words: sign of the change of mean |bias| "
            "with full twins",
            "has to fall, how far is not said",
            _sign(one.shares[-1] - 1.0) if one.shares else None,
            -1.0,
            0.0,
            f"{len(one.biases[0]):,} words; {one.shares[-1]:.4f} of the original's is left"
            if one.shares
            else "no bias to fall",
            against=Against.MUST,
        )


def _sign(change: float) -> float:
    """-1, 0 or 1; rounding is no change."""
    return 0.0 if abs(change) <= _ROUNDING else math.copysign(1.0, change)
