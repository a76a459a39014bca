"""Change of GSR on the same queries: lists before and after in, the change of the slope out."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.change import Paired
from monitor.measures._paired import (
    COMPARES,
    IS_CHANGE,
    Panel,
    Possible,
    change_of_sum,
    too_few_queries,
)
from monitor.measures._ranked_changes import Flags, moved_units, panel_of, with_pages
from monitor.measures._ranked_mean import could_be
from monitor.measures.gsr._gsr import NEUTRAL, fit_change, select_neutral
from monitor.model import Floats, Ints, Unit, WordScores
from monitor.ranked.genderedness import (
    GenderednessRules,
    over_planned,
    query_values_of,
    score_lists,
    select_queries,
)
from monitor.ranked.inputs import PairedInput, RankedInput, asked_twice, pin_units
from monitor.ranked.score import PerList
from monitor.ranked.slope import SlopeRule, x_of
from monitor.ranked.texts import DocumentTexts
from monitor.stats.intervals import Limits
from monitor.stats.paired import FlipTest
from monitor.stats.regression import fit_line, slope_bounds

#: Those before, and after.
Units = tuple[Sequence[Unit], Sequence[Unit]]

GSR = "gsr"
#: What is not compared again, and why.
OTHERS = {"relative_gsr": COMPARES, "gsr_change": IS_CHANGE}


@dataclass(frozen=True, slots=True, eq=False)
class PairedGenderedness:
    """The genderedness of lists before and after, one row per query of either side."""

    before: PerList
    after: PerList
    panel: Panel

    def some(self, rows: Ints) -> "PairedGenderedness":
        """Some of the queries alone."""
        return PairedGenderedness(
            select_queries(self.before, rows),
            select_queries(self.after, rows),
            self.panel.some(rows),
        )


def both_sides(
    inputs: PairedInput, lexicon: WordScores, rules: GenderednessRules, units: Units
) -> PairedGenderedness:
    """Return genderedness under one lexicon; `inputs` has words, `units` are before and after."""
    x = query_values_of(inputs.after, lexicon, rules)
    before, after = (_read_side(side, lexicon, rules, x) for side in (inputs.before, inputs.after))
    planned, clusters = inputs.after.planned, inputs.after.clusters()
    x_known = np.isfinite(x)
    keys = [{unit.key for unit in side_units} for side_units in units]
    ends = [
        could_be(
            side, lexicon.low, lexicon.high,
            [is_known and key in side_keys for key, is_known in zip(planned, x_known, strict=True)],
        )
        for side, side_keys in zip((before, after), keys, strict=True)
    ]  # fmt: skip
    panel = panel_of(
        np.where(x_known, before.values, np.nan),
        np.where(x_known, after.values, np.nan),
        moved_units(units[0], units[1], planned, rules.cutoff),
        clusters,
        Possible(ends[0], ends[1]),
    )
    return PairedGenderedness(
        replace(before, cluster=clusters), replace(after, cluster=clusters), panel
    )


def _with_pages(
    both: PairedGenderedness, given: PairedInput, lexicon: WordScores, rules: GenderednessRules
) -> PairedGenderedness:
    """Return the same with what pages add that moved in several queries."""
    x = x_of(both.after)

    def values(lists: RankedInput) -> Floats:
        return _read_side(lists, lexicon, rules, x).values

    return replace(both, panel=with_pages(both.panel, given, values, rules.cutoff))


def _read_side(
    ranked: RankedInput, lexicon: WordScores, rules: GenderednessRules, x: Floats
) -> PerList:
    per_list = score_lists(ranked, ranked.lists, lexicon, rules)
    return over_planned(per_list, ranked.planned, x, lexicon.name)


def read_twice(before: Sequence[Unit], after: Sequence[Unit]) -> tuple[PairedInput, Units]:
    """Return both sides with all texts of their lists read as words, each once; and their units."""
    units = pin_units(before, after), list(after)
    inputs = asked_twice(*units, {})
    needed = dict.fromkeys((*inputs.after.lists.documents, *inputs.before.lists.documents))
    words = DocumentTexts(inputs.texts.words(tuple(needed))[0])
    sides = (replace(side, texts=words) for side in (inputs.before, inputs.after))
    return PairedInput(next(sides), next(sides), words), units


def paired_slopes(
    before: Sequence[Unit],
    after: Sequence[Unit],
    lexicon: WordScores,
    rules: GenderednessRules,
    rule: SlopeRule,
) -> Iterator[Paired]:
    """Yield the change of GSR over all queries, over those declared neutral, and the rest."""
    inputs, units = read_twice(before, after)
    both_pages = _with_pages(both_sides(inputs, lexicon, rules, units), inputs, lexicon, rules)
    yield slope_change("all", both_pages, rule)
    if select_neutral(after):
        kept_keys = {unit.key for side_units in units for unit in select_neutral(side_units)}
        rows = _select_rows(inputs.after.planned, kept_keys)
        yield slope_change(NEUTRAL, both_pages.some(rows), rule)
    for name, reason in OTHERS.items():
        yield both_pages.panel.record(name, "all", reason=reason)


def _select_rows(planned: Sequence[str], kept: Collection[str]) -> Ints:
    return np.array([row for row, key in enumerate(planned) if key in kept], np.int64)


def slope_change(scope: str, both: PairedGenderedness, rule: SlopeRule) -> Paired:
    """Fit the difference of list genderedness on g(q) by least squares, over both sides' queries.

    Interval from HC3 errors, as that of gsr_change, and none where nothing moved; p by flipping the
    signs of the parts of whole clusters. HC3 takes every query for itself: where several are about
    the same words or share pages that moved, the interval over clusters is taken if it is the wider
    one.
    """
    comparison = fit_change(both.after, both.before, replace(rule, draws=0))
    usable = both.panel.usable
    if comparison.value is None:
        n = int(usable.sum())
        reason = too_few_queries(n, rule.floor) if n < rule.floor else comparison.reason
        return both.panel.record(GSR, scope, reason=reason)
    x = x_of(both.after)[usable]
    slopes = [fit_line(x, side.values[usable]) for side in (both.before, both.after)]
    ends = [line.slope for line in slopes if line is not None]
    centred = x - x.mean()
    query_genderedness = x_of(both.after)
    weights = np.where(np.isfinite(query_genderedness), query_genderedness - x.mean(), 0.0) / (
        centred @ centred
    )
    is_clustered = both.panel.kept_clusters() is not None or both.panel.parts is not None
    return change_of_sum(
        GSR,
        scope,
        both.panel,
        weights,
        (ends[0], ends[1]),
        facts=tuple(fact for fact in comparison.facts if fact[0] == "slope_se_hc3"),
        within=_slopes_within(both),
        limited=lambda flip: _limit_flip(flip, comparison.interval, together=is_clustered),
    )


def _slopes_within(both: PairedGenderedness) -> Callable[[Flags], Limits] | None:
    """Return what computes the lowest and highest change of the slope over some of the queries."""
    possible, x = both.panel.possible, x_of(both.after)
    if possible is None:
        return None
    low, high = possible.difference

    def within(counted: Flags) -> Limits:
        return slope_bounds(x[counted], low[counted], high[counted])

    return within


def _limit_flip(flip: FlipTest, hc3: Limits | None, *, together: bool) -> FlipTest:
    """The change with its HC3 interval, or with that over clusters where this is the wider one.

    `together` says that queries move together, so that HC3 alone is too narrow.
    """
    if hc3 is None or not flip.moved:
        return replace(flip, low=None, high=None)
    half = hc3.high - flip.total
    if together and flip.high is not None:
        half = max(half, flip.high - flip.total)
    return replace(flip, low=flip.total - half, high=flip.total + half)
