"""Slopes of GSR: parameters, lexicons and baselines, slopes of a system, and their comparison."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np

from monitor import settings
from monitor.change import Paired
from monitor.lexicons.installed import find
from monitor.lexicons.lexicon import SUFFIX, Lexicon, load_lexicon
from monitor.measures._library_input import Run
from monitor.measures._paired_panels import (
    COMPARES,
    IS_CHANGE,
    Panel,
    Possible,
    change_of_sum,
    too_few_queries,
)
from monitor.measures._query_means import (
    Flags,
    could_be,
    has_list,
    moved_units,
    panel_of,
    with_pages,
)
from monitor.measures._shared import Estimate, ProbeCounts
from monitor.model import Floats, Ints, InvalidInput, Quantity, Result, Unit, Value, WordScores
from monitor.ranked.genderedness import (
    SIGNS,
    Gendered,
    GenderednessRules,
    Slope,
    SlopeRule,
    cluster_of,
    genderedness_ranges,
    over_planned,
    query_values_of,
    read_once,
    relevant_lists,
    score_lists,
    select_queries,
    slope_of,
    toy_slope,
    usable_queries,
    x_of,
)
from monitor.ranked.inputs import PairedInput, RankedInput, asked_of, asked_twice, pin_units
from monitor.ranked.lists import Lists
from monitor.ranked.score import PerList
from monitor.ranked.texts import DocumentTexts
from monitor.stats.intervals import Z95, Limits
from monitor.stats.paired import FlipTest
from monitor.stats.regression import (
    fieller_limits,
    fit_line,
    hc3_covariance,
    sign_flip_p,
    slope_bounds,
)
from monitor.stats.resampling import generator

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*|")
#: Ships with the package.
BUILT_IN = "glove-6b-50d"
#: The baseline that is no system: the relevant documents of every query.
QRELS = "qrels"
#: The queries that a list calls neutral: those that name no gender themselves.
NEUTRAL = "tag:gender_neutral=yes"


def check_name(measure: str, parameter: str, given: object) -> str:
    """Return the name of a lexicon, or an empty one. Raises InvalidInput."""
    if not isinstance(given, str) or not _NAME.fullmatch(given):
        raise InvalidInput(
            f"{measure}: {parameter} is {given!r}; it must be a name of lower-case letters, "
            "digits, '.', '_' and '-'"
        )
    return given


def check_labels(measure: str, parameter: str, value: object) -> tuple[str, ...]:
    """Return labels of systems, each once. Raises InvalidInput."""
    if isinstance(value, list | tuple):
        names = [label for label in value if isinstance(label, str) and label]
        if len(set(names)) == len(value):
            return tuple(names)
    raise InvalidInput(
        f"{measure}: {parameter} is {value!r}; it must be a list of labels of systems, each once"
    )


def lexicon_of(given: object, named: str) -> WordScores:
    """The lexicon handed over; by its name or file; as {word: score}; else the measure's own."""
    if given is None:
        return named_lexicon(named)
    if isinstance(given, Path) or (isinstance(given, str) and given.endswith(SUFFIX)):
        return load_lexicon(Path(given))
    if isinstance(given, str):
        return named_lexicon(given)
    if isinstance(given, Mapping):
        return Lexicon.of("given", {str(word): float(score) for word, score in given.items()})
    if not hasattr(given, "scores"):
        raise InvalidInput(
            f"lexicon: {type(given).__name__} is none; give a lexicon, its name or file, or "
            "{word: score}"
        )
    return cast("WordScores", given)


def named_lexicon(name: str) -> WordScores:
    """A lexicon of this machine by its name; the built-in one without."""
    return find(name or BUILT_IN, settings.load().home)


def queries_of(given: Mapping[str, str] | None) -> dict[str, str]:
    """The words of every query by its key. Raises InvalidInput."""
    if given is None:
        raise InvalidInput("GSR: give the words of the queries: queries={query: words}")
    for key, query in given.items():
        if not isinstance(query, str):
            raise InvalidInput(f"queries: {key!r} has {query!r:.60}; give its words")
    return {str(key): query for key, query in given.items()}


def baselines_of(given: object) -> dict[str, Run]:
    """Return runs by their labels; one run alone gets the label `baseline`."""
    if given is None or given == QRELS:
        return {}
    if isinstance(given, Mapping) and not any(
        isinstance(run, list | tuple) for run in given.values()
    ):
        return {str(label): run for label, run in given.items()}
    return {"baseline": given}


def fit_change(now: PerList, before: PerList, rule: SlopeRule) -> Estimate:
    """Fit the difference of list genderedness on g(q) by least squares, with an HC3 interval.

    `before` has a row for each query of `now`.
    """
    in_both = usable_queries(now) & usable_queries(before)
    used = int(in_both.sum())
    facts: tuple[tuple[str, float], ...] = (("n_panel", float(used)),)
    if used < rule.floor:
        reason = f"{used} queries usable at both ticks, floor {rule.floor}"
        return Estimate.lacking(reason, used, facts)
    moved = now.values[in_both] - before.values[in_both]
    line = fit_line(x_of(now)[in_both], moved)
    if line is None:
        reason = "the genderedness of the queries is constant"
        return Estimate.lacking(reason, used, facts)
    terms = np.bincount(cluster_of(now, in_both), line.centred * moved).astype(np.float64)
    p = sign_flip_p(terms, rule.draws, generator(rule.seed, SIGNS))
    tests = (("p", p), ("slope_se_hc3", line.hc3))
    facts += tuple((name, number) for name, number in tests if number is not None)
    interval = None
    if line.hc3 is not None:
        interval = Limits(line.slope - Z95 * line.hc3, line.slope + Z95 * line.hc3)
    (low, high), (low_before, high_before) = (
        genderedness_ranges(side, rule) for side in (now, before)
    )
    counted = np.isfinite(low) & np.isfinite(low_before)
    limits = slope_bounds(
        x_of(now)[counted], (low - high_before)[counted], (high - low_before)[counted]
    )
    bounds = Limits(min(limits.low, line.slope), max(limits.high, line.slope))
    return Estimate(line.slope, interval, bounds, used, "", facts)


def relative_slope(per_query: PerList, base: Sequence[PerList], rule: SlopeRule) -> Estimate:
    """Return the ratio with a Fieller interval from HC3 errors, and its lowest and highest."""
    in_all = usable_queries(per_query)
    for other_per_list in base:
        in_all &= usable_queries(other_per_list)
    used = int(in_all.sum())
    if used < rule.floor:
        return Estimate.lacking(
            f"{used} queries usable with every member, floor {rule.floor}", used
        )
    x = x_of(per_query)[in_all]
    mean = np.mean([other_per_list.values[in_all] for other_per_list in base], axis=0)
    line, reference = fit_line(x, per_query.values[in_all]), fit_line(x, mean)
    if line is None or reference is None:
        return Estimate.lacking("the genderedness of the queries is constant", used)
    facts: tuple[tuple[str, float], ...] = (
        ("base_slope", reference.slope),
        ("base_members", float(len(base))),
    )
    errors = (line.residuals, reference.residuals)
    variance, cross, base_variance = (
        hc3_covariance(line.centred, line.leverage, errors[first], errors[second])
        for first, second in ((0, 0), (0, 1), (1, 1))
    )
    if variance is None or cross is None or base_variance is None:
        return Estimate.lacking(
            "one query carries the slope alone: no standard error", line.n, facts
        )
    facts += (("base_se", float(np.sqrt(base_variance))),)
    limits = fieller_limits(line.slope, reference.slope, variance, base_variance, cross)
    if limits is None or not reference.slope:
        reason = (
            f"the slope of the baseline, {reference.slope:.3g}, cannot be told from 0 (standard "
            f"error {np.sqrt(base_variance):.3g}): nothing is relative to it"
        )
        return Estimate.lacking(reason, line.n, facts)
    value = line.slope / reference.slope - 1
    interval = Limits(min(limits.low - 1, value), max(limits.high - 1, value))
    return Estimate(value, interval, _ratio_bounds(per_query, base, rule, value), line.n, "", facts)


def _ratio_bounds(
    per_query: PerList, base: Sequence[PerList], rule: SlopeRule, value: float
) -> Limits | None:
    """Return outer limits whatever missing documents hold; None where the baseline could be 0."""
    low_high = genderedness_ranges(per_query, rule)
    base_ranges = [genderedness_ranges(member, rule) for member in base]
    below = np.mean([low for low, _ in base_ranges], axis=0)
    above = np.mean([high for _, high in base_ranges], axis=0)
    m, base_m = _slope_limits(per_query, *low_high), _slope_limits(per_query, below, above)
    if base_m.low <= 0 <= base_m.high:
        return None
    corners = [slope / base_slope - 1 for slope in m for base_slope in base_m]
    return Limits(min(*corners, value), max(*corners, value))


def _slope_limits(found: PerList, low: Floats, high: Floats) -> Limits:
    counted = np.isfinite(low)
    return slope_bounds(x_of(found)[counted], low[counted], high[counted])


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """A system's lists and slope, and the lists of the relevant documents where they are known."""

    given: RankedInput
    lexicon: WordScores
    rules: GenderednessRules
    rule: SlopeRule
    x: Floats  # (Q,) g(q)
    lists: Gendered
    slope: Slope
    relevant: PerList | None

    def over(self, lists: Lists, rules: GenderednessRules | None = None) -> PerList:
        """Return the genderedness of other lists for the same queries; others are left out."""
        own_lists = lists.of(self.given.planned)
        return read_side(self.given, own_lists, self.lexicon, rules or self.rules, self.x)

    def only(self, keys: Collection[str]) -> "Slopes":
        """Return the same over some of the queries."""
        planned = self.given.planned
        rows = select_rows(planned, keys)
        queries = tuple(planned[row] for row in rows)
        slope = slope_of(select_queries(self.slope.found, rows), self.rule.floor)
        return replace(
            self,
            given=replace(self.given, planned=queries),
            x=self.x[rows],
            slope=slope,
            relevant=None if self.relevant is None else select_queries(self.relevant, rows),
        )

    def relative(self, baseline: Sequence[str]) -> Estimate:
        """Return the ratio to the members of a baseline."""
        if not baseline:
            return Estimate.lacking("no baseline is named")
        label, available = self.given.label, set(self.given.beside)
        available |= {QRELS} if self.relevant is not None else set()
        # A system is left out of its own baseline; without another the membership would change.
        members = [member for member in baseline if member != label]
        absent = [member for member in members if member not in available] or [label]
        if not available.issuperset(members) or not members:
            reason = f"the baseline {', '.join(baseline)} lacks lists of {', '.join(absent)}"
            return Estimate.lacking(reason)
        base = [
            self.relevant
            if self.relevant is not None and member == QRELS
            else self.over(self.given.beside[member])
            for member in members
        ]
        return relative_slope(self.slope.found, base, self.rule)

    def further(self) -> dict[str, float]:
        """Return details beside the slope: on the lexicon's own scale, and of relevant documents.

        The slope over relevant documents is what the collection itself associates: no engine that
        finds what it should can be without it.
        """
        judged = self.given.judgements or {}
        details = {"judged_queries": float(sum(q in judged for q in self.given.planned))}
        toy = toy_slope(self.lexicon)
        if toy:
            details["toy_slope"] = toy
            if self.slope.line is not None:
                details["relative_to_toy"] = self.slope.line.slope / toy
        if self.relevant is None:
            return details
        line = slope_of(self.relevant, self.rule.floor).line
        details |= {
            "relevant_documents": float(self.relevant.documents.sum()),
            "relevant_missing": float(self.relevant.missing.sum()),
        }
        if line is not None:
            details |= {"relevant_slope": line.slope, "relevant_queries": float(line.n)}
            details |= {} if line.se is None else {"relevant_slope_se": line.se}
        return details


def slopes_of(
    ranked: RankedInput, lexicon: WordScores, rules: GenderednessRules, rule: SlopeRule
) -> Slopes:
    """Return the slope of the lists; every text is read once for all that is computed of it."""
    ranked = read_once(ranked)
    x = query_values_of(ranked, lexicon, rules)
    lists = score_lists(ranked, ranked.lists, lexicon, rules)
    per_query = over_planned(lists, ranked.planned, x, lexicon.name)
    slope = slope_of(replace(per_query, cluster=ranked.clusters()), rule.floor)
    slopes = Slopes(ranked, lexicon, rules, rule, x, lists, slope, None)
    if not ranked.judgements:
        return slopes
    best = relevant_lists(ranked.planned, ranked.judgements)
    graded = replace(rules, cutoff=None, relevant=False, ties="competition")
    return replace(slopes, relevant=slopes.over(best, graded))


def compare_slopes(slopes: Slopes, before: Sequence[Unit]) -> Estimate:
    """Return the slope now less the slope at the tick before, on the queries of now."""
    if not before:
        return Estimate.lacking("no earlier tick")
    planned = set(slopes.given.planned)
    earlier = read_once(asked_of([unit for unit in before if unit.key in planned], {}))
    per_query_before = replace(slopes, given=replace(earlier, planned=slopes.given.planned)).over(
        earlier.lists
    )
    return fit_change(slopes.slope.found, per_query_before, slopes.rule)


def relative_details(slopes: Slopes, baseline: Sequence[str]) -> dict[str, float]:
    """Return the ratio to a baseline as details of a score; none where it cannot be determined."""
    if not baseline:
        return {}
    comparison = slopes.relative(baseline)
    details = dict(comparison.facts)
    if comparison.value is not None:
        details["relative_gsr"] = comparison.value
    if comparison.interval is not None:
        details |= {
            "relative_low": comparison.interval.low,
            "relative_high": comparison.interval.high,
        }
    return details


def query_statistics(
    ranked: RankedInput, lexicon: WordScores, rules: GenderednessRules
) -> tuple[float, float] | None:
    """Return (g(q), list genderedness) of one query; None without both."""
    x = query_values_of(ranked, lexicon, rules)
    pair = x[0], read_side(ranked, ranked.lists, lexicon, rules, x).values[0]
    return (float(pair[0]), float(pair[1])) if np.isfinite(pair).all() else None


def select_neutral(units: Sequence[Unit]) -> list[Unit]:
    """The questions that a list says are not about women or men by themselves."""
    return [unit for unit in units if unit.tags.get("gender_neutral") == "yes"]


def select_rows(planned: Sequence[str], kept: Collection[str]) -> Ints:
    """The rows of the queries with one of these keys."""
    return np.array([row for row, key in enumerate(planned) if key in kept], np.int64)


def value_of(quantity: str, units: Sequence[Unit], found: Estimate) -> Value:
    """The value of a comparison, or why there is none."""
    counts = ProbeCounts(len(units), sum(map(has_list, units)), found.used, 0)
    return found.point(quantity, "all", counts)


def all_lacking(quantities: Sequence[Quantity], units: Sequence[Unit], reason: str) -> Result:
    """No value of any quantity."""
    nothing = Estimate.lacking(reason)
    return Result(tuple(value_of(quantity.name, units, nothing) for quantity in quantities))


# --- changes --------------------------------------------------------------------------------------


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
    before, after = (
        read_side(side, side.lists, lexicon, rules, x) for side in (inputs.before, inputs.after)
    )
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
        return read_side(lists, lists.lists, lexicon, rules, x).values

    return replace(both, panel=with_pages(both.panel, given, values, rules.cutoff))


def read_side(
    ranked: RankedInput, lists: Lists, lexicon: WordScores, rules: GenderednessRules, x: Floats
) -> PerList:
    """Return the genderedness of some lists, one row per planned query, whose own is `x`."""
    return over_planned(score_lists(ranked, lists, lexicon, rules), ranked.planned, x, lexicon.name)


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
        rows = select_rows(inputs.after.planned, kept_keys)
        yield slope_change(NEUTRAL, both_pages.some(rows), rule)
    for name, reason in OTHERS.items():
        yield both_pages.panel.record(name, "all", reason=reason)


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
    query_genderedness = x_of(both.after)
    x = query_genderedness[usable]
    slopes = [fit_line(x, side.values[usable]) for side in (both.before, both.after)]
    ends = [line.slope for line in slopes if line is not None]
    centred = x - x.mean()
    weights = np.where(np.isfinite(query_genderedness), query_genderedness - x.mean(), 0.0) / (
        centred @ centred
    )
    low, high = both.panel.possible.difference if both.panel.possible else (weights, weights)

    def within(counted: Flags) -> Limits:
        return slope_bounds(query_genderedness[counted], low[counted], high[counted])

    is_clustered = both.panel.kept_clusters() is not None or both.panel.parts is not None
    return change_of_sum(
        GSR,
        scope,
        both.panel,
        weights,
        (ends[0], ends[1]),
        facts=tuple(fact for fact in comparison.facts if fact[0] == "slope_se_hc3"),
        within=within,
        limited=lambda flip: _limit_flip(flip, comparison.interval, together=is_clustered),
    )


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
