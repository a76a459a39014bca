"""Measures of texts as one corpus: what they share, from the texts of questions to points.

For changes the texts of both sides are one corpus: which words count, and for which question a text
does, is the same for both. So what a question adds to one side it would add to the other if its
texts were exchanged, and the exchange of questions is the test.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from monitor.change import Paired, Test
from monitor.clusters import cluster_name, cluster_numbers
from monitor.corpus.bias import Method, is_supported
from monitor.corpus.concepts import NAME, Concepts, default_concepts, occupation_groups
from monitor.corpus.pmi import AssociationKind as Representation
from monitor.corpus.pmi import Flags
from monitor.corpus.resampled import ByDocument, Sums
from monitor.measures._paired_panels import Panel, change_of_sum
from monitor.measures._query_means import has_list, moved_units, panel_of
from monitor.measures._shared import (
    CORRELATION,
    GAP,
    Changes,
    Facts,
    ProbeCounts,
    SearchMeasure,
    Units,
    check_choice,
    checked,
    choice,
    make_quantity,
    reduce_groups,
    whole,
)
from monitor.measures.corpus._word_biases import (
    KINDS,
    MEAN,
    PEARSON,
    SAME,
    SPEARMAN,
    CountedPairs,
    Formula,
    TextCorpus,
    WordBiases,
    area_facts,
    corpus_of,
    corpus_values,
    count_pairs,
    explain_refusal,
    lacking_values,
    over_words,
    rescaled_weights,
    shares_of,
    too_few,
    word_rows,
)
from monitor.model import (
    Context,
    Floats,
    Ints,
    InvalidInput,
    Matrix,
    Quantity,
    Result,
    Unit,
    Validity,
)
from monitor.ranked.inputs import pin_units
from monitor.stats.paired import FlipTest, recentre_flip
from monitor.stats.resampling import generator
from monitor.text.counted_nouns import several

_FAIR = 0.5
#: No correlation changes by more.
_WIDEST = 2.0
#: A draw that is less by rounding alone reaches the change.
_REACHED = 1 - 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class CorpusSides:
    """Counts of the texts of Q questions before and after, a column each.

    `cluster` (Q,) are questions that are exchanged together.
    """

    given: CountedPairs
    before: ByDocument
    after: ByDocument
    cluster: Ints

    def whole(self) -> tuple[Sums, Sums]:
        """Return the sums of all questions before, and after."""
        sums_before, sums_after = (
            side.sums(np.ones((1, side.documents))) for side in (self.before, self.after)
        )
        return sums_before, sums_after

    def alone(self) -> Iterator[tuple[Ints, Sums, Sums]]:
        """Yield questions, and the mean of both sides with the texts of each before, and after.

        Only those whose counts moved; some at a time.
        """
        cells, margins = (
            (getattr(self.after, name) - getattr(self.before, name)).tocsc() / 2
            for name in ("cells", "margins")
        )
        moved = np.flatnonzero(np.diff(margins.indptr) + np.diff(cells.indptr))
        sums_before, sums_after = self.whole()
        middle = Sums(
            (sums_before.cells + sums_after.cells) / 2,
            (sums_before.margins + sums_after.margins) / 2,
        )
        for first in range(0, len(moved), self.after.at_once):
            batch = moved[first : first + self.after.at_once]
            half = Sums(cells[:, batch].toarray(), margins[:, batch].toarray())
            yield (
                batch,
                Sums(middle.cells - half.cells, middle.margins - half.margins),
                Sums(middle.cells + half.cells, middle.margins + half.margins),
            )

    def drawn(self, draws: int, seed: int) -> Iterator[tuple[Sums, Sums]]:
        """Yield both sides with before and after of whole clusters exchanged at random, in batches.

        The patterns are the same whichever side is called before.
        """
        rng, sums_before, sums_after = generator(seed), *self.whole()
        for first in range(0, draws, self.after.at_once):
            batch_size = min(self.after.at_once, draws - first)
            stays = rng.random((batch_size, int(self.cluster.max()) + 1)) < _FAIR
            stay = stays[:, self.cluster].astype(np.float64)
            stayed, moved = self.before.sums(stay), self.after.sums(1 - stay)
            then = Sums(stayed.cells + moved.cells, stayed.margins + moved.margins)
            now = (
                sums_before.cells + sums_after.cells - then.cells,
                sums_before.margins + sums_after.margins - then.margins,
            )
            yield then, Sums(*now)


def compare_corpora(
    measure: "OfCorpus", before: Sequence[Unit], after: Sequence[Unit], context: Context
) -> Iterator[Paired]:
    """Yield the change of each quantity on the questions that have texts on both sides.

    delta is that of the two corpora. p is by exchange of before and after of whole questions, those
    about the same words together, in two ways. Of `parts`, the sum of how far the quantity moves
    when each question alone moves, about the mean of both corpora: that mean is the same whatever
    is exchanged, and a part only changes its sign, so that all exchanges are known and a small p is
    exact. And of delta itself, made anew from the counts of each exchange that is drawn. The
    larger p stands, or the first where no draw reaches delta. The interval is delta with the
    cluster-robust limits of the parts. Ranks jump, so that Spearman's correlation has neither parts
    nor interval, and p of the draws alone.
    """
    earlier = pin_units(before, after)
    corpus = corpus_of([*earlier, *after], measure.min_count)
    panel = _make_panel(corpus, earlier, after)
    pairs = measure.count_pairs(corpus)
    reason = "" if panel.usable.any() else "no question has texts on both sides"
    reason = reason or explain_refusal(corpus, pairs)
    if reason:
        for kind in KINDS:
            yield panel.record(f"{measure.name}_{kind}", "all", reason=reason)
        return
    halves = (earlier, corpus.held[: len(earlier)]), (after, corpus.held[len(earlier) :])
    counts_before, counts_after = (
        pairs.by.merged(_number_questions(corpus, units, held, panel.usable), len(corpus.keys))
        for units, held in halves
    )
    sides = CorpusSides(pairs, counts_before, counts_after, panel.clusters)
    yield from _test_quantities(measure, panel, sides, context)


def _make_panel(corpus: TextCorpus, before: Sequence[Unit], after: Sequence[Unit]) -> Panel:
    """Return the panel of questions: 1 on a side with an answer, or NaN where there is none."""
    sides = []
    for units in (before, after):
        answered_keys = {unit.key for unit in units if has_list(unit)}
        sides.append(np.array([1.0 if key in answered_keys else np.nan for key in corpus.keys]))
    clusters = {unit.key: cluster_name(unit) for unit in (*before, *after)}
    return panel_of(
        sides[0],
        sides[1],
        moved_units(before, after, corpus.keys, None),
        cluster_numbers([clusters[key] for key in corpus.keys]),
    )


def _number_questions(
    corpus: TextCorpus, units: Sequence[Unit], held: Sequence[Ints], usable: Flags
) -> Ints:
    """Return (D,) the question that each document counts for on one side; -1 for none."""
    question_of = np.full(corpus.documents, -1, np.int64)
    for unit, documents in zip(units, held, strict=True):
        question = corpus.keys.index(unit.key)
        if usable[question]:
            question_of[documents[corpus.owner[documents] == question]] = question
    return question_of


def _test_quantities(
    measure: "OfCorpus", panel: Panel, sides: CorpusSides, context: Context
) -> Iterator[Paired]:
    pairs, biases = sides.given, measure.formula.biases
    ends = [biases(pairs, side)[0] for side in sides.whole()]
    enough = np.isfinite(ends[0] + ends[1])
    for side in sides.whole():
        near = pairs.expected(side)[:, 0]
        enough &= is_supported(near[0], near[1], measure.floor, len(enough))
    share = shares_of(pairs.targets, context.shares)
    single_moves = [
        (questions, biases(pairs, first), biases(pairs, second))
        for questions, first, second in sides.alone()
    ]
    exchanged = [
        (biases(pairs, first), biases(pairs, second))
        for first, second in sides.drawn(measure.count_resamples(context), context.seed)
    ]
    for kind in KINDS:
        included = enough & (np.isfinite(share) | (kind == MEAN))

        def difference(
            first: Floats, second: Floats, kind: str = kind, included: Flags = included
        ) -> Floats:
            side_values = (
                over_words(kind, side[:, included], share[included]) for side in (second, first)
            )
            return np.asarray(np.subtract(*side_values), np.float64)

        values_of_sides = [
            float(over_words(kind, side[None, included], share[included])[0]) for side in ends
        ]
        reason = too_few(kind, int(included.sum()), measure.topics_floor)
        reason = reason or (SAME if np.isnan(values_of_sides).any() else "")
        if reason:
            yield panel.record(f"{measure.name}_{kind}", "all", reason=reason)
            continue
        parts = np.zeros(len(panel.before))
        for questions, then, now in single_moves:
            parts[questions] = np.nan_to_num(difference(then, now))
        null = np.concatenate([np.zeros(0), *(difference(*pair) for pair in exchanged)])
        facts = (("words_used", float(included.sum())),)
        yield _record_change(
            f"{measure.name}_{kind}",
            kind,
            panel,
            parts,
            null,
            (values_of_sides[0], values_of_sides[1]),
            facts,
        )


def _record_change(
    quantity: str,
    kind: str,
    panel: Panel,
    parts: Floats,
    null: Floats,
    ends: tuple[float, float],
    facts: Facts,
) -> Paired:
    delta = ends[1] - ends[0]
    reached = int((~(np.abs(null) < abs(delta) * _REACHED)).sum())
    p = (reached + 1) / (len(null) + 1)
    facts = (*facts, ("p_drawn", p))
    if kind == SPEARMAN:
        return replace(panel.record(quantity, ends=ends, facts=facts), p=p, test=Test.SIGN_FLIP)
    panel, weights = replace(panel, difference=parts), np.ones(len(parts))

    def limited(flip: FlipTest) -> FlipTest:
        return replace(recentre_flip(ends, flip), p=max(flip.p, p) if reached else flip.p)

    return change_of_sum(
        quantity, "all", panel, weights, ends, limited=limited,
        widest=np.inf if kind == MEAN else _WIDEST,
        facts=(*facts, ("parts", panel.flip(weights).total)),
    )  # fmt: skip


_TRAINED = (
    "vectors that are trained (skip-gram, GloVe) need ten million tokens and several seeds, and "
    "those of SVD turn with every new text: neither makes a series. For a corpus of one's own: "
    "monitor corpus bias"
)
_LEAST_TOPICS = 3
#: A resample of vectors over all words takes so many times as long as one of single pairs.
_DEARER = 10
#: Said on the validity card of every one of them.
ONCE = (
    "A text that comes again with the same words, in another week, repeat or question, counts once "
    "and for the first question; texts that differ in one word are two."
)


def vector_validity(means: str) -> Validity:
    """Return the validity card of a measure of vectors over all words."""
    return Validity(
        means=means,
        does_not_mean=(
            "Words that share a topic are alike without ever standing together, so that it mixes "
            "what is said of women and men with what texts about them are about; it follows the "
            "labour market less well than first-order co-occurrence does."
        ),
        assumes=(
            "The word lists stand for women, men and occupations, and there is enough text for the "
            f"vectors of all of them; English only. {ONCE}"
        ),
        harm=(
            "Representational: occupations are spoken of as the one gender is, which concerns the "
            "people of the other who have or want them."
        ),
    )


def quantities(name: str, what: str, widest: float) -> tuple[Quantity, ...]:
    """Return the quantities of a measure whose mean lies within -+ `widest`."""
    mean = make_quantity(
        f"{name}_mean", f"{what}: mean bias of occupations",
        f"lean of occupations towards women ({what})", GAP._replace(low=-widest, high=widest),
        "score", "puts occupations nearer to women", "puts occupations nearer to men", rank=1,
    )  # fmt: skip
    follows = "follows the shares of women at work {} closely"
    correlations = (
        make_quantity(
            f"{name}_{kind}", f"{what}: {title} with shares of women",
            f"likeness to shares of women at work ({what}, {title})", CORRELATION, "correlation",
            follows.format("more"), follows.format("less"),
        )
        for kind, title in (
            (PEARSON, "Pearson's correlation"), (SPEARMAN, "Spearman's correlation"),
        )
    )  # fmt: skip
    return (mean, *correlations)


def _check_representation(measure: str, name: str, value: object) -> object:
    try:
        check_choice(measure, name, value, list(Representation))
    except InvalidInput as error:
        raise InvalidInput(f"{error}; {_TRAINED}") from None
    return value


def _check_smoothing(measure: str, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{measure}: {name} is {value!r}; it must be a number up to 1")
    if not 0 < value <= 1:
        raise InvalidInput(f"{measure}: {name} is {value!r}; it must be above 0, up to 1")
    return float(value)


@dataclass(frozen=True, slots=True)
class OfCorpus(SearchMeasure):
    """`representation`: "ppmi", "pmi" or "sppmi". `cds`: context distribution smoothing.

    `window`: tokens to either side. `min_count`: rarer words are taken out before. `words`: the
    word lists. `floor`: pairs expected with either side's words, at least, for a word to have a
    value; 0 gives every word that occurs one. `topics_floor`: words with a value, at least.
    """

    representation: str = checked("ppmi", _check_representation)
    cds: float = checked(1.0, _check_smoothing)
    window: int = whole(5, 1)
    min_count: int = whole(5, 1)
    words: str = choice(NAME, (NAME,))
    floor: int = whole(5, 0)
    topics_floor: int = whole(10, _LEAST_TOPICS)

    resampling = "documents, within each question"
    citation = (
        "Rekabsaz, N., West, R., Henderson, J., Hanbury, A. (2021). Measuring societal biases from "
        "text corpora with smoothed first-order co-occurrence. ICWSM 15, 549-560"
    )
    needs_reference = True
    #: Without one, of single pairs; with one, of vectors over all words.
    method: ClassVar[Method | None] = None
    #: The texts of many ticks may be put together.
    of_corpus = True

    @property
    def concepts(self) -> Concepts:
        """Words for women and men, and the occupations whose words say nothing of gender."""
        groups = occupation_groups()
        listed = default_concepts()
        neutral = tuple(word for word in listed.occupations if groups[word] == "neutral")
        return replace(listed, occupations=neutral)

    @property
    def topics(self) -> tuple[str, ...]:
        """The words whose shares a reference is asked for."""
        return self.concepts.occupations

    @property
    def tables(self) -> Mapping[str, str]:
        """Digests of the tables that decide a value; part of the signature."""
        return {self.words: self.concepts.digest}

    @property
    def primaries(self) -> tuple[str, ...]:
        """Spearman's correlation is left to the second place: it says what Pearson's does."""
        return f"{self.name}_mean", f"{self.name}_pearson"

    @property
    def formula(self) -> Formula:
        """Return how the bias of a word is computed from counts."""
        return Formula(self.concepts, Representation(self.representation), self.cds, self.method)

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return pairs of occupations with words for women and men, and all pairs of these words.

        Rare words count: only a whole corpus knows which are.
        """
        if not has_list(unit):
            return None
        pairs = count_pairs(corpus_of([unit], 1), self.concepts, self.window, vectors=False)
        sums = pairs.by.sums(np.ones((1, pairs.by.documents)))
        near = (sums.margins[side].sum() for side in (pairs.women, pairs.men))
        return (*map(float, pairs.seen(sums).sum(axis=(1, 2))), *map(float, near))

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """Return (draws, groups) shares of occupations near words for women, less those near men's.

        The mean bias in its simplest form, without weights of words; NaN where a side is absent.
        """
        return reduce_groups(stats, groups, weights, _compare_sides)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return the mean bias of occupations, its correlations with shares of women, each word."""
        corpus = corpus_of(units, self.min_count)
        pairs = self.count_pairs(corpus)
        counts = ProbeCounts(
            len(units), sum(map(has_list, units)), sum(len(texts) > 0 for texts in corpus.held), 0
        )
        facts = _corpus_facts(corpus, pairs)
        if reason := explain_refusal(corpus, pairs):
            return Result(tuple(lacking_values(self.name, counts, facts, reason)))
        words = self._word_biases(corpus, pairs, context)
        supported = itertools.compress(words.names, words.supported.tolist())
        # Both sides of the words that have a bias, and the unbiased area.
        area = area_facts(corpus, self.formula, self.window, self.floor, supported)
        values = corpus_values(self.name, words, counts, facts, area, self.topics_floor)
        rare = self._rare_words(corpus)
        rows = word_rows(words, corpus.documents, self.floor, context.shares, rare)
        return Result(tuple(values), rows)

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
        """The change of each quantity on the questions that have texts on both sides."""
        return tuple(compare_corpora(self, before, after, context))

    def count_pairs(self, corpus: TextCorpus) -> CountedPairs:
        """Count the pairs that the measure is made of."""
        vectors = self.method is not None
        return count_pairs(corpus, self.concepts, self.window, vectors=vectors)

    def _word_biases(self, corpus: TextCorpus, found: CountedPairs, context: Context) -> WordBiases:
        """Biases of the corpus, and of resamples of its documents."""
        whole_corpus = found.by.sums(np.ones((1, corpus.documents)))
        biases = self.formula.biases(found, whole_corpus)[0]
        expected = found.expected(whole_corpus)[:, 0]
        enough = is_supported(expected[0], expected[1], self.floor, len(biases))
        return WordBiases(
            names=found.targets,
            biases=biases,
            draws=self._draw_biases(corpus, found, context),
            supported=enough & np.isfinite(biases),
            seen=found.seen(whole_corpus)[:, 0],
            expected=expected,
            occurs=corpus.vocabulary.counts[found.target],
            within=found.within(corpus.tokens, corpus.offsets),
            share=shares_of(found.targets, context.shares),
        )

    def _draw_biases(self, corpus: TextCorpus, pairs: CountedPairs, context: Context) -> Floats:
        """Return (B, T) biases with the documents of each question drawn anew.

        Questions with one document are drawn together: each by itself would always stay.
        """
        rng, alone = generator(context.seed), np.bincount(corpus.owner)[corpus.owner] == 1
        strata = np.where(alone, len(corpus.keys), corpus.owner)
        batches = [np.zeros((0, len(pairs.target)))]
        draws = self.count_resamples(context)
        for first in range(0, draws, pairs.by.at_once):
            batch_size = min(pairs.by.at_once, draws - first)
            weights = rescaled_weights(strata, batch_size, rng)
            batches.append(self.formula.biases(pairs, pairs.by.sums(weights)))
        return np.concatenate(batches)

    def _rare_words(self, corpus: TextCorpus) -> dict[str, str]:
        """Return the words that occur, but too seldom to be counted, with this reason."""
        occurrences = {topic: corpus.counts.get(topic, 0) for topic in self.topics}
        return {
            word: f"occurs {several(n, 'time')}, at least {self.min_count}"
            for word, n in occurrences.items()
            if 0 < n < self.min_count
        }

    def count_resamples(self, context: Context) -> int:
        """Return how often documents are drawn, or questions exchanged."""
        return context.draws // (1 if self.method is None else _DEARER)


def _compare_sides(stats: Matrix, weights: Floats) -> Floats:
    women, men, near_women, near_men = (weights @ stats).T
    return np.asarray(women / near_women - men / near_men)


def _corpus_facts(corpus: TextCorpus, pairs: CountedPairs) -> Facts:
    numbers = {
        "documents": corpus.documents,
        "documents_repeated": corpus.repeats,
        "documents_missing": corpus.missing,
        "documents_empty": corpus.empty,
        "tokens": len(corpus.tokens),
        "vocabulary": len(corpus.vocabulary),
        "words": len(pairs.target),
        "words_women": len(pairs.women),
        "words_men": len(pairs.men),
    }
    return tuple((name, float(n)) for name, n in numbers.items())
