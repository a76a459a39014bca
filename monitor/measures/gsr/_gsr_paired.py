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
from monitor.measures.gsr._gsr import NEUTRAL, change, neutral
from monitor.model import Floats, Ints, Unit, WordScores
from monitor.ranked.genderedness_lists import (
    Rules,
    gendered,
    over_planned,
    query_values_of,
    select_queries,
)
from monitor.ranked.inputs import PairedInput, RankedInput, asked_twice, pin_units
from monitor.ranked.score import PerList
from monitor.ranked.slope import Rule, x_of
from monitor.ranked.texts import Texts
from monitor.stats.intervals import Limits
from monitor.stats.paired import Flip
from monitor.stats.regression import fit, slope_bounds

#: Those before, and after.
Units = tuple[Sequence[Unit], Sequence[Unit]]

GSR = "gsr"
#: What is not compared again, and why.
OTHERS = {"relative_gsr": COMPARES, "gsr_change": IS_CHANGE}


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """The genderedness of lists before and after, one row per query of either side."""

    before: PerList
    after: PerList
    panel: Panel

    def some(self, rows: Ints) -> "Both":
        """Some of the queries alone."""
        return Both(
            select_queries(self.before, rows),
            select_queries(self.after, rows),
            self.panel.some(rows),
        )


def both_sides(given: PairedInput, lexicon: WordScores, rules: Rules, units: Units) -> Both:
    """Genderedness under one lexicon; `given` has words, `units` are those before and after."""
    x = query_values_of(given.after, lexicon, rules)
    before, after = (_side(side, lexicon, rules, x) for side in (given.before, given.after))
    planned, about = given.after.planned, given.after.clusters()
    known = np.isfinite(x)
    keys = [{unit.key for unit in own} for own in units]
    ends = [
        could_be(
            side, lexicon.low, lexicon.high,
            [is_known and key in asked for key, is_known in zip(planned, known, strict=True)],
        )
        for side, asked in zip((before, after), keys, strict=True)
    ]  # fmt: skip
    panel = panel_of(
        np.where(known, before.values, np.nan),
        np.where(known, after.values, np.nan),
        moved_units(units[0], units[1], planned, rules.cutoff),
        about,
        Possible(ends[0], ends[1]),
    )
    return Both(replace(before, cluster=about), replace(after, cluster=about), panel)


def _with_pages(both: Both, given: PairedInput, lexicon: WordScores, rules: Rules) -> Both:
    """Return the same with what pages add that moved in several queries."""
    x = x_of(both.after)

    def values(lists: RankedInput) -> Floats:
        return _side(lists, lexicon, rules, x).values

    return replace(both, panel=with_pages(both.panel, given, values, rules.cutoff))


def _side(given: RankedInput, lexicon: WordScores, rules: Rules, x: Floats) -> PerList:
    found = gendered(given, given.lists, lexicon, rules)
    return over_planned(found, given.planned, x, lexicon.name)


def read_twice(before: Sequence[Unit], after: Sequence[Unit]) -> tuple[PairedInput, Units]:
    """Both sides with all texts of their lists read as words, each once; and their units."""
    units = pin_units(before, after), list(after)
    given = asked_twice(*units, {})
    needed = dict.fromkeys((*given.after.lists.documents, *given.before.lists.documents))
    words = Texts(given.texts.words(tuple(needed))[0])
    sides = (replace(side, texts=words) for side in (given.before, given.after))
    return PairedInput(next(sides), next(sides), words), units


def paired_slopes(
    before: Sequence[Unit], after: Sequence[Unit], lexicon: WordScores, rules: Rules, rule: Rule
) -> Iterator[Paired]:
    """The change of GSR over all queries and over those that a list calls neutral, and the rest."""
    given, units = read_twice(before, after)
    both_pages = _with_pages(both_sides(given, lexicon, rules, units), given, lexicon, rules)
    yield slope_change("all", both_pages, rule)
    if neutral(after):
        kept_keys = {unit.key for some in units for unit in neutral(some)}
        rows = _rows(given.after.planned, kept_keys)
        yield slope_change(NEUTRAL, both_pages.some(rows), rule)
    for name, reason in OTHERS.items():
        yield both_pages.panel.record(name, "all", reason=reason)


def _rows(planned: Sequence[str], kept: Collection[str]) -> Ints:
    return np.array([row for row, key in enumerate(planned) if key in kept], np.int64)


def slope_change(scope: str, both: Both, rule: Rule) -> Paired:
    """Least squares of the difference of list genderedness on g(q), over both sides' queries.

    Interval from HC3 errors, as that of gsr_change, and none where nothing moved; p by flipping the
    signs of the parts of whole clusters. HC3 takes every query for itself: where several are about
    the same words or share pages that moved, the interval over clusters is taken if it is the wider
    one.
    """
    found = change(both.after, both.before, replace(rule, draws=0))
    kept = both.panel.usable
    if found.value is None:
        n = int(kept.sum())
        reason = too_few_queries(n, rule.floor) if n < rule.floor else found.reason
        return both.panel.record(GSR, scope, reason=reason)
    x = x_of(both.after)[kept]
    slopes = [fit(x, one.values[kept]) for one in (both.before, both.after)]
    ends = [line.slope for line in slopes if line is not None]
    centred = x - x.mean()
    every = x_of(both.after)
    weights = np.where(np.isfinite(every), every - x.mean(), 0.0) / (centred @ centred)
    together = both.panel.kept_clusters() is not None or both.panel.parts is not None
    return change_of_sum(
        GSR,
        scope,
        both.panel,
        weights,
        (ends[0], ends[1]),
        facts=tuple(fact for fact in found.facts if fact[0] == "slope_se_hc3"),
        within=_slopes_within(both),
        limited=lambda flip: _limited(flip, found.interval, together=together),
    )


def _slopes_within(both: Both) -> Callable[[Flags], Limits] | None:
    """Return what computes the lowest and highest change of the slope over some of the queries."""
    possible, x = both.panel.possible, x_of(both.after)
    if possible is None:
        return None
    low, high = possible.difference

    def within(counted: Flags) -> Limits:
        return slope_bounds(x[counted], low[counted], high[counted])

    return within


def _limited(flip: Flip, hc3: Limits | None, *, together: bool) -> Flip:
    """The change with its HC3 interval, or with that over clusters where this is the wider one.

    `together` says that queries move together, so that HC3 alone is too narrow.
    """
    if hc3 is None or not flip.moved:
        return replace(flip, low=None, high=None)
    half = hc3.high - flip.total
    if together and flip.high is not None:
        half = max(half, flip.high - flip.total)
    return replace(flip, low=flip.total - half, high=flip.total + half)
