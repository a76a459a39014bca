"""Change of the bias of texts: units before and after in, records of change out.

The texts of both sides are one corpus: which words count, and for which question a text does, is
the same for both. So what a question adds to one side it would add to the other if its texts were
exchanged, and the exchange of questions is the test.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.change import Paired, Test
from monitor.clusters import cluster_name, cluster_numbers
from monitor.corpus.first_order import is_supported
from monitor.corpus.pmi import Flags
from monitor.corpus.resampled import ByDocument, Sums
from monitor.measures._paired import Panel, change_of_sum
from monitor.measures._ranked_changes import moved_units, panel_of
from monitor.measures._ranked_mean import has_list
from monitor.measures._shared import Facts
from monitor.measures.corpus._corpus import (
    KINDS,
    MEAN,
    SAME,
    SPEARMAN,
    CountedPairs,
    Formula,
    TextCorpus,
    corpus_of,
    count_pairs,
    explain_refusal,
    over_words,
    shares_of,
    too_few,
)
from monitor.model import Floats, Ints, Share, Unit
from monitor.ranked.inputs import pin_units
from monitor.stats.paired import FlipTest, recentre_flip
from monitor.stats.resampling import generator

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


@dataclass(frozen=True, slots=True)
class CorpusRule:
    """Parameters of bias, and the number of words and texts that it needs."""

    formula: Formula
    min_count: int
    window: int
    vectors: bool
    floor: int
    topics_floor: int
    seed: int
    draws: int


def compare_corpora(
    name: str,
    rule: CorpusRule,
    before: Sequence[Unit],
    after: Sequence[Unit],
    shares: Mapping[str, Share],
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
    corpus = corpus_of([*earlier, *after], rule.min_count)
    panel = _make_panel(corpus, earlier, after)
    pairs = count_pairs(corpus, rule.formula.concepts, rule.window, vectors=rule.vectors)
    reason = "" if panel.usable.any() else "no question has texts on both sides"
    reason = reason or explain_refusal(corpus, pairs)
    if reason:
        for kind in KINDS:
            yield panel.record(f"{name}_{kind}", "all", reason=reason)
        return
    halves = (earlier, corpus.held[: len(earlier)]), (after, corpus.held[len(earlier) :])
    counts_before, counts_after = (
        pairs.by.merged(_number_questions(corpus, units, held, panel.usable), len(corpus.keys))
        for units, held in halves
    )
    yield from _test_quantities(
        name, rule, panel, CorpusSides(pairs, counts_before, counts_after, panel.clusters), shares
    )


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
    name: str, rule: CorpusRule, panel: Panel, sides: CorpusSides, shares: Mapping[str, Share]
) -> Iterator[Paired]:
    pairs, biases = sides.given, rule.formula.biases
    ends = [biases(pairs, side)[0] for side in sides.whole()]
    enough = np.isfinite(ends[0] + ends[1])
    for side in sides.whole():
        near = pairs.expected(side)[:, 0]
        enough &= is_supported(near[0], near[1], rule.floor, len(enough))
    share = shares_of(pairs.targets, shares)
    single_moves = [
        (questions, biases(pairs, first), biases(pairs, second))
        for questions, first, second in sides.alone()
    ]
    exchanged = [
        (biases(pairs, first), biases(pairs, second))
        for first, second in sides.drawn(rule.draws, rule.seed)
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
        reason = too_few(kind, int(included.sum()), rule.topics_floor)
        reason = reason or (SAME if np.isnan(values_of_sides).any() else "")
        if reason:
            yield panel.record(f"{name}_{kind}", "all", reason=reason)
            continue
        parts = np.zeros(len(panel.before))
        for questions, then, now in single_moves:
            parts[questions] = np.nan_to_num(difference(then, now))
        null = np.concatenate([np.zeros(0), *(difference(*pair) for pair in exchanged)])
        facts = (("words_used", float(included.sum())),)
        yield _record_change(
            f"{name}_{kind}",
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
