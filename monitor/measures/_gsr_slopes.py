"""All slopes that GSR reports of one system: lists, judgements and baselines in, numbers out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.measures._gsr_change import change
from monitor.measures._gsr_compared import Compared
from monitor.measures._gsr_given import QRELS
from monitor.measures._gsr_relative import members, relative
from monitor.model import Floats, Unit, WordScores
from monitor.ranked.asked import Asked, asked_of
from monitor.ranked.genderedness_lists import (
    Gendered,
    Rules,
    gendered,
    over_planned,
    query_values_of,
    read_once,
    relevant_lists,
    subset,
)
from monitor.ranked.genderedness_toy import toy_slope
from monitor.ranked.lists import Lists
from monitor.ranked.score import PerList
from monitor.ranked.slope import Rule, Slope, slope_of


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """A system's lists and slope, and the lists of the relevant documents where they are known."""

    given: Asked
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
        slope = slope_of(subset(self.slope.found, rows), self.rule.floor)
        return replace(
            self,
            given=replace(self.given, planned=kept),
            x=self.x[rows],
            slope=slope,
            relevant=None if self.relevant is None else subset(self.relevant, rows),
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


def slopes_of(given: Asked, lexicon: WordScores, rules: Rules, rule: Rule) -> Slopes:
    """The slope of the lists given; every text is read once for all that is asked of it."""
    given = read_once(given)
    x = query_values_of(given, lexicon, rules)
    lists = gendered(given, given.lists, lexicon, rules)
    over = over_planned(lists, given.planned, x, lexicon.name)
    slope = slope_of(replace(over, cluster=given.clusters()), rule.floor)
    made = Slopes(given, lexicon, rules, rule, x, lists, slope, None)
    if not given.judgements:
        return made
    best = relevant_lists(given.planned, _planned_only(given))
    graded = replace(rules, cutoff=None, relevant=False, ties="competition")
    return replace(made, relevant=made.over(best, graded))


def _planned_only(given: Asked) -> Mapping[str, Mapping[str, int]]:
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


def statistics(given: Asked, lexicon: WordScores, rules: Rules) -> tuple[float, float] | None:
    """(g(q), list genderedness) of one query; None without both."""
    x = query_values_of(given, lexicon, rules)
    found = over_planned(
        gendered(given, given.lists, lexicon, rules), given.planned, x, lexicon.name
    )
    both = x[0], found.values[0]
    return (float(both[0]), float(both[1])) if np.isfinite(both).all() else None
