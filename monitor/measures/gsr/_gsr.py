"""Slopes of GSR: parameters, lexicons and baselines, slopes of a system, and their comparison."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np

from monitor import settings
from monitor.lexicons.installed import find
from monitor.lexicons.lexicon import SUFFIX, Lexicon, load
from monitor.measures._ranked_given import Run
from monitor.measures._ranked_mean import answered
from monitor.measures._shared import Counts, exploratory, insufficient, measured
from monitor.model import Floats, InvalidInput, Quantity, Result, Unit, Value, WordScores
from monitor.ranked.genderedness import toy_slope
from monitor.ranked.genderedness_lists import (
    Gendered,
    Rules,
    gendered,
    over_planned,
    query_values_of,
    read_once,
    relevant_lists,
    select_queries,
)
from monitor.ranked.inputs import RankedInput, asked_of
from monitor.ranked.lists import Lists
from monitor.ranked.score import PerList
from monitor.ranked.slope import SIGNS, Rule, Slope, cluster_of, ranges, slope_of, usable, x_of
from monitor.stats.intervals import Z95, Limits
from monitor.stats.regression import Line, fieller, fit, hc3_covariance, sign_flip_p, slope_bounds
from monitor.stats.resampling import generator

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*|")
#: Ships with the package.
BUILT_IN = "glove-6b-50d"
#: The baseline that is no system: the relevant documents of every query.
QRELS = "qrels"
#: The queries that a list calls neutral: those that name no gender themselves.
NEUTRAL = "tag:gender_neutral=yes"


def named(measure: str, parameter: str, given: object) -> None:
    """Raise InvalidInput unless `given` is the name of a lexicon, or empty."""
    if not isinstance(given, str) or not _NAME.fullmatch(given):
        raise InvalidInput(
            f"{measure}: {parameter} is {given!r}; it must be a name of lower-case letters, "
            "digits, '.', '_' and '-'"
        )


def labels(measure: str, parameter: str, given: object) -> tuple[str, ...]:
    """Labels of systems, each once. Raises InvalidInput."""
    if isinstance(given, list | tuple):
        found = [one for one in given if isinstance(one, str) and one]
        if len(set(found)) == len(given):
            return tuple(found)
    raise InvalidInput(
        f"{measure}: {parameter} is {given!r}; it must be a list of labels of systems, each once"
    )


def lexicon_of(given: object, named: str) -> WordScores:
    """The lexicon handed over; by its name or file; as {word: score}; else the measure's own."""
    if given is None:
        return named_lexicon(named)
    if isinstance(given, Path) or (isinstance(given, str) and given.endswith(SUFFIX)):
        return load(Path(given))
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
    """Runs by their labels; one run alone gets the label `baseline`."""
    if given is None or given == QRELS:
        return {}
    if isinstance(given, Mapping) and not any(_is_list(one) for one in given.values()):
        return {str(label): run for label, run in given.items()}
    return {"baseline": given}


def _is_list(given: object) -> bool:
    return isinstance(given, list | tuple)


@dataclass(frozen=True, slots=True)
class Compared:
    """A ratio or difference over the queries that both sides share, or why there is none."""

    value: float | None
    interval: Limits | None
    bounds: Limits | None
    used: int
    reason: str
    facts: tuple[tuple[str, float], ...]


def change(now: PerList, before: PerList, rule: Rule) -> Compared:
    """Least squares of the difference of list genderedness on g(q), with an HC3 interval.

    `before` has a row for each query of `now`.
    """
    kept = usable(now) & usable(before)
    used = int(kept.sum())
    facts: tuple[tuple[str, float], ...] = (("n_panel", float(used)),)
    if used < rule.floor:
        reason = f"{used} queries usable at both ticks, floor {rule.floor}"
        return Compared(None, None, None, used, reason, facts)
    moved = now.values[kept] - before.values[kept]
    line = fit(x_of(now)[kept], moved)
    if line is None:
        reason = "the genderedness of the queries is constant"
        return Compared(None, None, None, used, reason, facts)
    terms = np.bincount(cluster_of(now, kept), line.centred * moved).astype(np.float64)
    p = sign_flip_p(terms, rule.draws, generator(rule.seed, SIGNS))
    named = (("p", p), ("slope_se_hc3", line.hc3))
    facts += tuple((name, number) for name, number in named if number is not None)
    interval = None
    if line.hc3 is not None:
        interval = Limits(line.slope - Z95 * line.hc3, line.slope + Z95 * line.hc3)
    (low, high), (low_before, high_before) = ranges(now, rule), ranges(before, rule)
    counted = np.isfinite(low) & np.isfinite(low_before)
    limits = slope_bounds(
        x_of(now)[counted], (low - high_before)[counted], (high - low_before)[counted]
    )
    bounds = Limits(min(limits.low, line.slope), max(limits.high, line.slope))
    return Compared(line.slope, interval, bounds, used, "", facts)


def members(named: Sequence[str], known: Collection[str], own: str) -> tuple[list[str], str]:
    """(the members of a baseline, why it cannot be used).

    A system is left out of its own baseline; any other that is not there would change the
    membership.
    """
    if not named:
        return [], "no baseline is named"
    found = [label for label in named if label in known and label != own]
    absent = [label for label in named if label not in known and label != own]
    if absent or not found:
        absent = absent or [own]
        return [], f"the baseline {', '.join(named)} lacks lists of {', '.join(absent)}"
    return found, ""


def relative(found: PerList, base: Sequence[PerList], rule: Rule) -> Compared:
    """The ratio with a Fieller interval from HC3 errors, and its lowest and highest value."""
    kept = usable(found)
    for other_per_list in base:
        kept &= usable(other_per_list)
    used = int(kept.sum())
    if used < rule.floor:
        return _none(f"{used} queries usable with every member, floor {rule.floor}", used)
    x = x_of(found)[kept]
    mean = np.mean([other_per_list.values[kept] for other_per_list in base], axis=0)
    line, reference = fit(x, found.values[kept]), fit(x, mean)
    if line is None or reference is None:
        return _none("the genderedness of the queries is constant", used)
    return _ratio(found, base, rule, line, reference)


def _none(reason: str, used: int, facts: tuple[tuple[str, float], ...] = ()) -> Compared:
    return Compared(None, None, None, used, reason, facts)


def _ratio(
    found: PerList, base: Sequence[PerList], rule: Rule, line: Line, reference: Line
) -> Compared:
    facts: tuple[tuple[str, float], ...] = (
        ("base_slope", reference.slope),
        ("base_members", float(len(base))),
    )
    errors = (line.residuals, reference.residuals)
    own, cross, theirs = (
        hc3_covariance(line.centred, line.leverage, errors[one], errors[two])
        for one, two in ((0, 0), (0, 1), (1, 1))
    )
    if own is None or cross is None or theirs is None:
        return _none("one query carries the slope alone: no standard error", line.n, facts)
    facts += (("base_se", float(np.sqrt(theirs))),)
    limits = fieller(line.slope, reference.slope, own, theirs, cross)
    if limits is None or not reference.slope:
        reason = (
            f"the slope of the baseline, {reference.slope:.3g}, cannot be told from 0 (standard "
            f"error {np.sqrt(theirs):.3g}): nothing is relative to it"
        )
        return _none(reason, line.n, facts)
    value = line.slope / reference.slope - 1
    interval = Limits(min(limits.low - 1, value), max(limits.high - 1, value))
    return Compared(value, interval, _bounds(found, base, rule, value), line.n, "", facts)


def _bounds(found: PerList, base: Sequence[PerList], rule: Rule, value: float) -> Limits | None:
    """Outer limits whatever the missing documents hold; None where the baseline could be 0."""
    own, theirs = ranges(found, rule), [ranges(other_per_list, rule) for other_per_list in base]
    below = np.mean([low for low, _ in theirs], axis=0)
    above = np.mean([high for _, high in theirs], axis=0)
    m, base_m = _slope_limits(found, *own), _slope_limits(found, below, above)
    if base_m.low <= 0 <= base_m.high:
        return None
    corners = [one / other - 1 for one in m for other in base_m]
    return Limits(min(*corners, value), max(*corners, value))


def _slope_limits(found: PerList, low: Floats, high: Floats) -> Limits:
    counted = np.isfinite(low)
    return slope_bounds(x_of(found)[counted], low[counted], high[counted])


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """A system's lists and slope, and the lists of the relevant documents where they are known."""

    given: RankedInput
    lexicon: WordScores
    rules: Rules
    rule: Rule
    x: Floats  # (Q,) g(q)
    lists: Gendered
    slope: Slope
    relevant: PerList | None

    def over(self, lists: Lists, rules: Rules | None = None) -> PerList:
        """Other lists for the same queries; those of further queries are left out."""
        kept = lists.of(self.given.planned)
        found = gendered(self.given, kept, self.lexicon, rules or self.rules)
        return over_planned(found, self.given.planned, self.x, self.lexicon.name)

    def only(self, keys: Collection[str]) -> "Slopes":
        """The same over some of the queries."""
        planned = self.given.planned
        rows = np.array([row for row, key in enumerate(planned) if key in keys], np.int64)
        kept = tuple(planned[row] for row in rows)
        slope = slope_of(select_queries(self.slope.found, rows), self.rule.floor)
        return replace(
            self,
            given=replace(self.given, planned=kept),
            x=self.x[rows],
            slope=slope,
            relevant=None if self.relevant is None else select_queries(self.relevant, rows),
        )

    def relative(self, baseline: Sequence[str]) -> Compared:
        """The ratio to the members of a baseline."""
        known = set(self.given.beside) | ({QRELS} if self.relevant is not None else set())
        chosen, reason = members(baseline, known, self.given.label)
        if reason:
            return Compared(None, None, None, 0, reason, ())
        return relative(self.slope.found, [self._member(label) for label in chosen], self.rule)

    def _member(self, label: str) -> PerList:
        if label == QRELS and self.relevant is not None:
            return self.relevant
        return self.over(self.given.beside[label])

    def further(self) -> dict[str, float]:
        """Details beside the slope: on the lexicon's own scale, and of the relevant documents.

        The slope over relevant documents is what the collection itself associates: no engine that
        finds what it should can be without it.
        """
        judged = self.given.judgements or {}
        found = {"judged_queries": float(sum(q in judged for q in self.given.planned))}
        toy = toy_slope(self.lexicon)
        if toy:
            found["toy_slope"] = toy
            if self.slope.line is not None:
                found["relative_to_toy"] = self.slope.line.slope / toy
        return found | self._of_relevant()

    def _of_relevant(self) -> dict[str, float]:
        if self.relevant is None:
            return {}
        line = slope_of(self.relevant, self.rule.floor).line
        found = {
            "relevant_documents": float(self.relevant.documents.sum()),
            "relevant_missing": float(self.relevant.missing.sum()),
        }
        if line is not None:
            found |= {"relevant_slope": line.slope, "relevant_queries": float(line.n)}
            found |= {} if line.se is None else {"relevant_slope_se": line.se}
        return found


def slopes_of(given: RankedInput, lexicon: WordScores, rules: Rules, rule: Rule) -> Slopes:
    """The slope of the lists given; every text is read once for all that is asked of it."""
    given = read_once(given)
    x = query_values_of(given, lexicon, rules)
    lists = gendered(given, given.lists, lexicon, rules)
    over = over_planned(lists, given.planned, x, lexicon.name)
    slope = slope_of(replace(over, cluster=given.clusters()), rule.floor)
    slopes = Slopes(given, lexicon, rules, rule, x, lists, slope, None)
    if not given.judgements:
        return slopes
    best = relevant_lists(given.planned, _planned_only(given))
    graded = replace(rules, cutoff=None, relevant=False, ties="competition")
    return replace(slopes, relevant=slopes.over(best, graded))


def _planned_only(given: RankedInput) -> Mapping[str, Mapping[str, int]]:
    judged = given.judgements or {}
    return {query: judged[query] for query in given.planned if query in judged}


def rule_of(lexicon: WordScores, floor: int, seed: int, draws: int) -> Rule:
    """What the slopes of a measure need."""
    return Rule(floor, lexicon.low, lexicon.high, seed, draws)


def changed(slopes: Slopes, before: Sequence[Unit]) -> Compared:
    """The slope now less the slope at the tick before, on the queries of now."""
    if not before:
        return Compared(None, None, None, 0, "no earlier tick", ())
    planned = set(slopes.given.planned)
    earlier = read_once(asked_of([unit for unit in before if unit.key in planned], {}))
    found = replace(slopes, given=replace(earlier, planned=slopes.given.planned)).over(
        earlier.lists
    )
    return change(slopes.slope.found, found, slopes.rule)


def relative_details(slopes: Slopes, named: Sequence[str]) -> dict[str, float]:
    """The ratio to a baseline among the details of a score; none where it cannot be told."""
    if not named:
        return {}
    found = slopes.relative(named)
    details = dict(found.facts)
    if found.value is not None:
        details["relative_gsr"] = found.value
    if found.interval is not None:
        details |= {"relative_low": found.interval.low, "relative_high": found.interval.high}
    return details


def statistics(given: RankedInput, lexicon: WordScores, rules: Rules) -> tuple[float, float] | None:
    """(g(q), list genderedness) of one query; None without both."""
    x = query_values_of(given, lexicon, rules)
    found = over_planned(
        gendered(given, given.lists, lexicon, rules), given.planned, x, lexicon.name
    )
    both = x[0], found.values[0]
    return (float(both[0]), float(both[1])) if np.isfinite(both).all() else None


def neutral(units: Sequence[Unit]) -> list[Unit]:
    """The questions that a list says are not about women or men by themselves."""
    return [unit for unit in units if unit.tags.get("gender_neutral") == "yes"]


def value_of(quantity: str, units: Sequence[Unit], found: Compared) -> Value:
    """The value of a comparison, or why there is none."""
    counts = Counts(len(units), sum(map(answered, units)), found.used, 0)
    if found.value is None:
        return insufficient(quantity, "all", counts, found.reason, found.facts)
    return measured(
        quantity, "all", counts, found.value, found.interval, found.bounds, exploratory(counts),
        found.facts,
    )  # fmt: skip


def all_lacking(quantities: Sequence[Quantity], units: Sequence[Unit], reason: str) -> Result:
    """No value of any quantity."""
    nothing = Compared(None, None, None, 0, reason, ())
    return Result(tuple(value_of(quantity.name, units, nothing) for quantity in quantities))
