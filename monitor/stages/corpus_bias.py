"""Measures the bias of words in a corpus as it was ordered: a corpus in, biases with intervals out.

One place that knows which representation goes with which measure, so that the commands, the page
and the tests cannot differ.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

import numpy as np

from monitor.corpus import high_order as high
from monitor.corpus import resampled, skipgram
from monitor.corpus.bias import UNKNOWN, Bias, Biases, Unbiased, unbiased
from monitor.corpus.concepts import Concepts
from monitor.corpus.contributions import Contributions, of_first_order, of_high_order
from monitor.corpus.counting import WINDOW, count
from monitor.corpus.encoded import Cooccurrences, EncodedCorpus
from monitor.corpus.factors import DIMENSIONS, Factors, InitGlove, read_glove, reduce_dimensions
from monitor.corpus.first_order import first_order
from monitor.corpus.pmi import FLOOR, AssociationKind, Pmi
from monitor.model import InvalidInput
from monitor.stats.intervals import Limits
from monitor.stats.resampling import percentile_interval
from monitor.text.counted_nouns import several


class Representation(StrEnum):
    """What a corpus is made into."""

    PMI = "pmi"
    PPMI = "ppmi"
    SPPMI = "sppmi"
    PMI_SVD = "pmi-svd"
    PPMI_SVD = "ppmi-svd"
    SPPMI_SVD = "sppmi-svd"
    SKIP_GRAM = "skip-gram"
    GLOVE = "glove"
    INIT_GLOVE = "init-glove"


class Measure(StrEnum):
    """How a bias is made of it."""

    FIRST_ORDER = "first_order"
    DIRECTIONAL = "directional"
    CENTROID = "centroid"
    AVERAGE_HIGH = "average_high"


Model: TypeAlias = Pmi | Factors | InitGlove
#: Called with what is being done, with how much of it is done, and of how much; None: not counted.
Told: TypeAlias = Callable[[str, int, int | None], None]

#: More threads need more memory, and are hardly quicker.
_THREADS = 4
_SVD = "-svd"
_KINDS = {kind.value for kind in AssociationKind}


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be measured and how. Raises InvalidInput for what does not go together.

    `floor` is the support that a word needs; `draws` 0 leaves the bootstrap out. `seeds` are the
    models that skip-gram learns; `vectors` and `contexts` are GloVe's files.
    """

    representation: Representation = Representation.PPMI
    measure: Measure = Measure.FIRST_ORDER
    window: int = WINDOW
    cds: float = 1.0
    floor: float = FLOOR
    dimensions: int = DIMENSIONS
    draws: int = 1_000
    seeds: int = skipgram.LEAST_SEEDS
    seed: int = 0
    vectors: Path | None = None
    contexts: Path | None = None

    def __post_init__(self) -> None:
        if self.measure is not Measure.FIRST_ORDER and (
            self.representation is Representation.INIT_GLOVE
        ):
            raise InvalidInput(
                f"--measure {self.measure}: init-glove has associations and no vectors; take "
                "--measure first_order, or another --representation"
            )
        if (self.representation is Representation.GLOVE) != (self.vectors is not None):
            raise InvalidInput(
                "--representation glove and --vectors FILE go together: GloVe is learnt by its own "
                "program, and its vectors are read"
            )

    @property
    def title(self) -> str:
        """`first_order on ppmi, window 5`."""
        counted = self.representation is not Representation.GLOVE
        parts = [f"{self.measure} on {self.representation}"]
        parts += [f"window {self.window}"] if counted else []
        parts += [f"cds {self.cds:g}"] if self.cds != 1 else []
        return ", ".join(parts)

    @property
    def has_bootstrap(self) -> bool:
        """Whether documents can be drawn anew without making a representation for every draw."""
        return self.measure is Measure.FIRST_ORDER and self.representation in _KINDS


@dataclass(frozen=True, slots=True)
class Measured:
    """Biases with their 95 % intervals, and how those came about; empty: none, with the reason."""

    order: Order
    biases: Biases
    intervals: Mapping[str, Limits]
    interval: str
    area: Unbiased | None = None
    notes: Sequence[str] = field(default=())


def _quiet(_what: str, _done: int, _of: int | None) -> None:
    """Nobody is told."""


def measured(
    corpus: EncodedCorpus,
    order: Order,
    concepts: Concepts,
    words: Sequence[str],
    told: Told = _quiet,
    *,
    area: bool = False,
) -> Measured:
    """The bias of each word; with `area` also the unbiased area, over the whole vocabulary."""
    if order.representation is Representation.SKIP_GRAM:
        return _learnt(corpus, order, concepts, words, told)
    model = model_of(corpus, order, told)
    biases = biases_of(model, order, concepts, words)
    whole = biases_of(model, order, concepts, model.words) if area else None
    intervals, how = _intervals(corpus, model, order, biases, told)
    return Measured(order, biases, intervals, how, None if whole is None else unbiased(whole))


def model_of(corpus: EncodedCorpus, order: Order, told: Told = _quiet, seed: int = 0) -> Model:
    """The representation of a corpus that is asked for."""
    if order.representation is Representation.GLOVE and order.vectors is not None:
        told("reading the vectors", 0, None)
        return read_glove(order.vectors, order.dimensions, order.contexts)
    if order.representation is Representation.SKIP_GRAM:
        told("learning vectors", seed, order.seeds)
        settings = skipgram.SkipgramSettings(
            order.dimensions, order.window, resampled=order.seeds > 1
        )
        return skipgram.skip_gram(corpus, order.seed + seed, settings)
    return of_counts(counted(corpus, order.window, told), order, told)


def counted(corpus: EncodedCorpus, window: int, told: Told = _quiet) -> Cooccurrences:
    """The counts of a corpus, which several representations can be made of."""
    told("counting pairs", 0, None)
    return count(corpus, window, threads=min(os.cpu_count() or 1, _THREADS))


def of_counts(counts: Cooccurrences, order: Order, told: Told = _quiet) -> Model:
    """The representation that is asked for, of counts: not skip-gram, nor GloVe."""
    if order.representation is Representation.INIT_GLOVE:
        return InitGlove(counts)
    name = order.representation.removesuffix(_SVD)
    source = Pmi(counts, AssociationKind(name), order.cds)
    if name == order.representation:
        return source
    told("taking it apart (SVD)", 0, None)
    return reduce_dimensions(source, min(order.dimensions, len(source.words) - 1), seed=order.seed)


def biases_of(model: Model, order: Order, concepts: Concepts, words: Sequence[str]) -> Biases:
    """The bias of each word in a representation."""
    if order.measure is Measure.FIRST_ORDER:
        return first_order(model, words, concepts, order.floor)
    return high.high_order(_with_vectors(model), words, concepts, high.Method(order.measure))


def _with_vectors(model: Model) -> Pmi | Factors:
    if isinstance(model, InitGlove):
        raise InvalidInput("init-glove has no vectors")
    return model


def explained(
    corpus: EncodedCorpus, order: Order, concepts: Concepts, word: str, most: int, told: Told
) -> Contributions | Bias:
    """The words that add most to the bias of one word, or the word without a bias."""
    return parts_of(model_of(corpus, order, told), order, concepts, word, most)


def parts_of(
    model: Model, order: Order, concepts: Concepts, word: str, most: int
) -> Contributions | Bias:
    """The same of a representation that is there already."""
    if order.measure is Measure.FIRST_ORDER:
        return of_first_order(model, word, concepts, order.floor, most)
    method = high.Method(order.measure)
    return of_high_order(_with_vectors(model), word, concepts, method, most)


def _intervals(
    corpus: EncodedCorpus, model: Model, order: Order, biases: Biases, told: Told
) -> tuple[dict[str, Limits], str]:
    """Intervals by word, and what they are of."""
    if not order.has_bootstrap or not isinstance(model, Pmi):
        return {}, (
            f"no interval: {order.measure} on {order.representation} would have to be made anew "
            "for every resample; first_order on pmi, ppmi or sppmi has one"
        )
    if not order.draws:
        return {}, "no interval: no resamples were asked for"
    if corpus.documents == 1:
        return {}, "no interval: there is one document, and documents are what is resampled"
    there = [word for word in biases.words if word.value is not None]
    if not there:
        return {}, "no interval: no word has a bias"
    supported = [
        min(one.expected_women or 0.0, one.expected_men or 0.0) >= order.floor for one in there
    ]
    words = [one.word for one in there]
    asked = resampled.ResampleOrder(model, words, supported, biases.women, biases.men)
    drawn_biases = resampled.resample_biases(corpus, asked, order.draws, order.seed, told)
    limits = {
        word: found
        for word, values in zip(words, drawn_biases.T, strict=True)
        if (found := percentile_interval(values)) is not None
    }
    how = f"bootstrap over {corpus.documents:,} documents, {order.draws:,} resamples"
    if lost := len(words) - len(limits):
        how += f"; {several(lost, 'word has', 'words have')} none, because too many resamples lack"
        how += " the word, or a pair that it needs"
    return limits, how


def _learnt(
    corpus: EncodedCorpus, order: Order, concepts: Concepts, words: Sequence[str], told: Told
) -> Measured:
    """Skip-gram over several seeds, each on documents drawn anew."""
    runs = [
        biases_of(model_of(corpus, order, told, seed), order, concepts, words)
        for seed in range(order.seeds)
    ]
    return over_models(corpus, order, runs)


def over_models(corpus: EncodedCorpus, order: Order, runs: Sequence[Biases]) -> Measured:
    """What several skip-gram models of a corpus, each with its biases, have in common."""
    spread = skipgram.over_seeds(runs)
    found = tuple(
        Bias(word.word, word.state, spread[word.word].value, *_sides(runs, index))
        if word.word in spread
        else Bias(word.word, word.state, reason=word.reason or UNKNOWN)
        for index, word in enumerate(runs[0].words)
    )
    limits = {
        word: Limits(one.low, one.high)
        for word, one in spread.items()
        if one.low is not None and one.high is not None
    }
    how = f"{order.seeds} models, each of documents drawn anew with a seed of its own"
    if not limits:
        how = f"no interval: {order.seeds} models, and {skipgram.LEAST_SEEDS} are needed"
    biases = Biases(found, runs[0].women, runs[0].men, runs[0].missing)
    below = skipgram.below_floor(len(corpus.tokens))
    return Measured(order, biases, limits, how, notes=(below,) if below else ())


def _sides(runs: Sequence[Biases], at: int) -> tuple[float | None, float | None]:
    """Mean associations of a word with either side over the models; None where there are none."""
    women = [run.words[at].women for run in runs]
    men = [run.words[at].men for run in runs]
    if None in women or None in men:
        return None, None
    return float(np.mean(np.array(women, float))), float(np.mean(np.array(men, float)))
