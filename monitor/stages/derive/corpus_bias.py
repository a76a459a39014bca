"""Measure the bias of words in a corpus: biases with intervals, as numbers, rows and sentences.

One place that knows which representation goes with which measure, so that the commands, the page
and the tests cannot differ.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from monitor.corpus import factors, resampled
from monitor.corpus.bias import (
    UNKNOWN,
    Bias,
    Biases,
    Contributions,
    Method,
    Unbiased,
    first_order,
    high_order,
    of_first_order,
    of_high_order,
    unbiased,
)
from monitor.corpus.concepts import Concepts, LabourCorrelation
from monitor.corpus.counting import WINDOW, count
from monitor.corpus.encoding import Cooccurrences, EncodedCorpus
from monitor.corpus.factors import DIMENSIONS, Factors, InitGlove, read_glove, reduce_dimensions
from monitor.corpus.pmi import FLOOR, AssociationKind, Pmi
from monitor.model import InvalidInput
from monitor.stats.intervals import Limits
from monitor.stats.resampling import percentile_interval
from monitor.text.counted_nouns import several

# --- measurement ----------------------------------------------------------------------------------


class Representation(StrEnum):
    """Representation of a corpus."""

    PMI = "pmi"
    PPMI = "ppmi"
    SPPMI = "sppmi"
    PMI_SVD = "pmi-svd"
    PPMI_SVD = "ppmi-svd"
    SPPMI_SVD = "sppmi-svd"
    SKIP_GRAM = "skip-gram"
    GLOVE = "glove"
    INIT_GLOVE = "init-glove"


class BiasMeasure(StrEnum):
    """Measure of the bias of a word."""

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
class BiasOrder:
    """Options of a measurement. Raises InvalidInput for options that contradict each other.

    `floor` is the support that a word needs; `draws` 0 leaves the bootstrap out. `seeds` are the
    models that skip-gram learns; `vectors` and `contexts` are GloVe's files.
    """

    representation: Representation = Representation.PPMI
    measure: BiasMeasure = BiasMeasure.FIRST_ORDER
    window: int = WINDOW
    cds: float = 1.0
    floor: float = FLOOR
    dimensions: int = DIMENSIONS
    draws: int = 1_000
    seeds: int = factors.LEAST_SEEDS
    seed: int = 0
    vectors: Path | None = None
    contexts: Path | None = None

    def __post_init__(self) -> None:
        if self.measure is not BiasMeasure.FIRST_ORDER and (
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
        return self.measure is BiasMeasure.FIRST_ORDER and self.representation in _KINDS


@dataclass(frozen=True, slots=True)
class MeasuredCorpus:
    """Biases with their 95 % intervals, and how those came about; empty: none, with the reason."""

    order: BiasOrder
    biases: Biases
    intervals: Mapping[str, Limits]
    interval: str
    area: Unbiased | None = None
    notes: Sequence[str] = field(default=())


def _quiet(_what: str, _done: int, _of: int | None) -> None:
    """Nobody is told."""


def measure_corpus(
    corpus: EncodedCorpus,
    order: BiasOrder,
    concepts: Concepts,
    words: Sequence[str],
    told: Told = _quiet,
    *,
    area: bool = False,
) -> MeasuredCorpus:
    """The bias of each word; with `area` also the unbiased area, over the whole vocabulary."""
    if order.representation is Representation.SKIP_GRAM:
        return _learnt(corpus, order, concepts, words, told)
    model = model_of(corpus, order, told)
    biases = biases_of(model, order, concepts, words)
    whole = biases_of(model, order, concepts, model.words) if area else None
    intervals, how = _make_intervals(corpus, model, order, biases, told)
    return MeasuredCorpus(order, biases, intervals, how, None if whole is None else unbiased(whole))


def model_of(corpus: EncodedCorpus, order: BiasOrder, told: Told = _quiet, seed: int = 0) -> Model:
    """The representation of a corpus that is asked for."""
    if order.representation is Representation.GLOVE and order.vectors is not None:
        told("reading the vectors", 0, None)
        return read_glove(order.vectors, order.dimensions, order.contexts)
    if order.representation is Representation.SKIP_GRAM:
        told("learning vectors", seed, order.seeds)
        settings = factors.SkipgramSettings(
            order.dimensions, order.window, resampled=order.seeds > 1
        )
        return factors.skip_gram(corpus, order.seed + seed, settings)
    return of_counts(count_words(corpus, order.window, told), order, told)


def count_words(corpus: EncodedCorpus, window: int, told: Told = _quiet) -> Cooccurrences:
    """The counts of a corpus, which several representations can be made of."""
    told("counting pairs", 0, None)
    return count(corpus, window, threads=min(os.cpu_count() or 1, _THREADS))


def of_counts(counts: Cooccurrences, order: BiasOrder, told: Told = _quiet) -> Model:
    """The representation that is asked for, of counts: not skip-gram, nor GloVe."""
    if order.representation is Representation.INIT_GLOVE:
        return InitGlove(counts)
    name = order.representation.removesuffix(_SVD)
    source = Pmi(counts, AssociationKind(name), order.cds)
    if name == order.representation:
        return source
    told("taking it apart (SVD)", 0, None)
    return reduce_dimensions(source, min(order.dimensions, len(source.words) - 1), seed=order.seed)


def biases_of(model: Model, order: BiasOrder, concepts: Concepts, words: Sequence[str]) -> Biases:
    """The bias of each word in a representation."""
    if order.measure is BiasMeasure.FIRST_ORDER:
        return first_order(model, words, concepts, order.floor)
    return high_order(_with_vectors(model), words, concepts, Method(order.measure))


def _with_vectors(model: Model) -> Pmi | Factors:
    if isinstance(model, InitGlove):
        raise InvalidInput("init-glove has no vectors")
    return model


def explain_bias(
    corpus: EncodedCorpus, order: BiasOrder, concepts: Concepts, word: str, most: int, told: Told
) -> Contributions | Bias:
    """The words that add most to the bias of one word, or the word without a bias."""
    return parts_of(model_of(corpus, order, told), order, concepts, word, most)


def parts_of(
    model: Model, order: BiasOrder, concepts: Concepts, word: str, most: int
) -> Contributions | Bias:
    """The same of a representation that is there already."""
    if order.measure is BiasMeasure.FIRST_ORDER:
        return of_first_order(model, word, concepts, order.floor, most)
    method = Method(order.measure)
    return of_high_order(_with_vectors(model), word, concepts, method, most)


def _make_intervals(
    corpus: EncodedCorpus, model: Model, order: BiasOrder, biases: Biases, told: Told
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
    all_words = [word for word in biases.words if word.value is not None]
    if not all_words:
        return {}, "no interval: no word has a bias"
    supported = [
        min(item.expected_women or 0.0, item.expected_men or 0.0) >= order.floor
        for item in all_words
    ]
    words = [item.word for item in all_words]
    question = resampled.ResampleOrder(model, words, supported, biases.women, biases.men)
    drawn_biases = resampled.resample_biases(corpus, question, order.draws, order.seed, told)
    limits = {
        word: this_limits
        for word, values in zip(words, drawn_biases.T, strict=True)
        if (this_limits := percentile_interval(values)) is not None
    }
    how = f"bootstrap over {corpus.documents:,} documents, {order.draws:,} resamples"
    if lost := len(words) - len(limits):
        how += f"; {several(lost, 'word has', 'words have')} none, because too many resamples lack"
        how += " the word, or a pair that it needs"
    return limits, how


def _learnt(
    corpus: EncodedCorpus, order: BiasOrder, concepts: Concepts, words: Sequence[str], told: Told
) -> MeasuredCorpus:
    """Skip-gram over several seeds, each on documents drawn anew."""
    runs = [
        biases_of(model_of(corpus, order, told, seed), order, concepts, words)
        for seed in range(order.seeds)
    ]
    return over_models(corpus, order, runs)


def over_models(corpus: EncodedCorpus, order: BiasOrder, runs: Sequence[Biases]) -> MeasuredCorpus:
    """Return what several skip-gram models of a corpus, each with its biases, have in common."""
    spread = factors.over_seeds(runs)
    all_biases = tuple(
        Bias(word.word, word.state, spread[word.word].value, *_make_sides(runs, index))
        if word.word in spread
        else Bias(word.word, word.state, reason=word.reason or UNKNOWN)
        for index, word in enumerate(runs[0].words)
    )
    limits = {
        word: Limits(this_spread.low, this_spread.high)
        for word, this_spread in spread.items()
        if this_spread.low is not None and this_spread.high is not None
    }
    how = f"{order.seeds} models, each of documents drawn anew with a seed of its own"
    if not limits:
        how = f"no interval: {order.seeds} models, and {factors.LEAST_SEEDS} are needed"
    biases = Biases(all_biases, runs[0].women, runs[0].men, runs[0].missing)
    below = factors.below_floor(len(corpus.tokens))
    return MeasuredCorpus(order, biases, limits, how, notes=(below,) if below else ())


def _make_sides(runs: Sequence[Biases], at: int) -> tuple[float | None, float | None]:
    """Mean associations of a word with either side over the models; None where there are none."""
    women = [run.words[at].women for run in runs]
    men = [run.words[at].men for run in runs]
    if None in women or None in men:
        return None, None
    return float(np.mean(np.array(women, float))), float(np.mean(np.array(men, float)))


# --- rows and sentences ---------------------------------------------------------------------------

Row = dict[str, Any]


def rows_of(corpus: EncodedCorpus, found: MeasuredCorpus, shares: Mapping[str, float]) -> list[Row]:
    """One row a word: those furthest towards women first, those without a value last."""
    return [
        _describe_row(corpus, found, word, shares.get(word.word))
        for word in sorted(found.biases.words, key=_make_place)
    ]


def _make_place(one: Bias) -> tuple[bool, float, str]:
    return one.value is None, -(one.value or 0.0), one.word


def _describe_row(
    corpus: EncodedCorpus, found: MeasuredCorpus, one: Bias, share: float | None
) -> Row:
    limits = found.intervals.get(one.word)
    ids = corpus.vocabulary.ids.get(one.word)
    return {
        "word": one.word,
        "state": str(one.state),
        "bias": one.value,
        "low": limits and limits.low,
        "high": limits and limits.high,
        "women": one.women,
        "men": one.men,
        "occurs": None if ids is None else int(corpus.vocabulary.counts[ids]),
        "expected_women": one.expected_women,
        "expected_men": one.expected_men,
        "share": share,
        "reason": one.reason,
    }


def say_correlation(one: LabourCorrelation, title: str) -> str:
    """A correlation in words."""
    over = f"{one.n} of {one.n_total} occupations of {title} have a value"
    if one.value is None:
        return f"no {one.name} correlation: {over}; {one.reason}"
    limits = "" if one.low is None or one.high is None else f" [{one.low:+.3f}, {one.high:+.3f}]"
    return f"{one.name} correlation with the share of women {one.value:+.3f}{limits}; {over}"


def without_value(biases: Biases, floor: float) -> dict[str, list[str]]:
    """{reason: words} of those without a bias; with the pairs expected where these are too few."""
    rows: dict[str, list[str]] = {}
    few = (
        f"never near some concept words, and fewer than {floor:g} pairs were to be expected with "
        "words for women, or for men (both numbers stand behind each word)"
    )
    for word in biases.words:
        if word.value is not None:
            continue
        if word.expected_women is None or word.expected_men is None:
            rows.setdefault(word.reason, []).append(word.word)
        else:
            near = f"{word.word} {word.expected_women:.1f}/{word.expected_men:.1f}"
            rows.setdefault(few, []).append(near)
    return rows
