"""Agreement of two lexicons: GSR of several systems under each, correlations, and their change."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.change import Paired
from monitor.measures._paired import (
    COMPARES,
    IS_CHANGE,
    Panel,
    change_of_parts,
    too_few_queries,
)
from monitor.measures.gsr._gsr_paired import PairedGenderedness, both_sides, read_twice
from monitor.model import Floats, Ints, Matrix, Unit, WordScores
from monitor.ranked.genderedness_lists import (
    GenderednessRules,
    over_planned,
    query_values_of,
    score_lists,
)
from monitor.ranked.inputs import RankedInput
from monitor.ranked.score import PerList
from monitor.ranked.slope import usable_queries, x_of
from monitor.stats.correlation import fisher_interval, pearson, spearman
from monitor.stats.intervals import Limits
from monitor.stats.paired import exchange_parts
from monitor.stats.regression import fit_line

#: The system itself among the labels of the others.
OWN = ""


#: Of three systems one order in six agrees by chance, of four one in 24.
LEAST_SYSTEMS = 4
QUERIES = "agreement_queries"
#: What is not compared again, and why.
OTHERS = {"agreement_systems": COMPARES, "agreement_changes": IS_CHANGE}


@dataclass(frozen=True, slots=True, eq=False)
class Systems:
    """Genderedness of queries and lists by system, one row per planned query."""

    found: Mapping[str, PerList]

    @property
    def own(self) -> PerList:
        """Those of the system itself."""
        return self.found[OWN]

    def slopes(self, floor: int) -> dict[str, float]:
        """Return the slope of every system that has one."""
        slopes = {
            label: _system_slope(per_query, per_query.values, floor)
            for label, per_query in self.found.items()
        }
        return {label: slope for label, slope in slopes.items() if slope is not None}

    def changes(self, before: "Systems", floor: int) -> dict[str, float]:
        """Return the slope of the difference to the tick before, of every system that has both."""
        slopes = {
            label: _system_slope(per_query, per_query.values - before.found[label].values, floor)
            for label, per_query in self.found.items()
            if label in before.found
        }
        return {label: slope for label, slope in slopes.items() if slope is not None}


def _system_slope(per_query: PerList, y: Floats, floor: int) -> float | None:
    is_usable = usable_queries(per_query) & np.isfinite(y)
    if is_usable.sum() < floor:
        return None
    line = fit_line(x_of(per_query)[is_usable], y[is_usable])
    return None if line is None else line.slope


def read_systems(ranked: RankedInput, lexicon: WordScores, rules: GenderednessRules) -> Systems:
    """Return the genderedness of the system itself and of all beside it, on the planned queries."""
    x = query_values_of(ranked, lexicon, rules)
    per_system = {}
    for label, lists in ((OWN, ranked.lists), *sorted(ranked.beside.items())):
        per_list = score_lists(ranked, lists.of(ranked.planned), lexicon, rules)
        per_system[label] = over_planned(per_list, ranked.planned, x, lexicon.name)
    return Systems(per_system)


@dataclass(frozen=True, slots=True)
class LexiconAgreementValue:
    """A correlation over `used` of `planned` things, or why there is none."""

    quantity: str
    value: float | None
    interval: Limits | None
    planned: int
    used: int
    reason: str = ""


def explain_refusal(lexicons: Sequence[WordScores]) -> str:
    """Return why two lexicons cannot be compared; empty if they can."""
    if len(lexicons) != 2:  # noqa: PLR2004 - two are compared
        return f"{len(lexicons)} lexicons are given, and two are compared: lexicon = [A, B]"
    first, second = lexicons
    if first.digest == second.digest:
        return f"lexicons {first.name!r} and {second.name!r} are the same"
    return ""


def of_queries(first: Systems, second: Systems, floor: int) -> LexiconAgreementValue:
    """Return Pearson's r over queries of the genderedness of the system's own lists."""
    under_first, under_second = first.own, second.own
    in_both = usable_queries(under_first) & usable_queries(under_second)
    planned, used = len(in_both), int(in_both.sum())
    name = "agreement_queries"
    if used < floor:
        reason = f"{used} queries of {planned} planned have values under both, floor {floor}"
        return LexiconAgreementValue(name, None, None, planned, used, reason)
    r = pearson(under_first.values[in_both], under_second.values[in_both])
    if r is None:
        reason = "the genderedness of the lists is constant under a lexicon"
        return LexiconAgreementValue(name, None, None, planned, used, reason)
    return LexiconAgreementValue(name, r, fisher_interval(r, used), planned, used)


def of_systems(
    quantity: str, first: Mapping[str, float], second: Mapping[str, float], n: int, noun: str
) -> LexiconAgreementValue:
    """Return Spearman's rho over systems of `noun`: slopes, or changes of slopes."""
    common = [label for label in first if label in second]
    if len(common) < LEAST_SYSTEMS:
        reason = f"{len(common)} systems have {noun} under both lexicons, at least {LEAST_SYSTEMS}"
        return LexiconAgreementValue(quantity, None, None, n, len(common), reason)
    first_values, second_values = (_label_column(by_label, common) for by_label in (first, second))
    rho = spearman(first_values, second_values)
    if rho is None:
        reason = f"{noun} of all systems are the same under a lexicon"
        return LexiconAgreementValue(quantity, None, None, n, len(common), reason)
    return LexiconAgreementValue(
        quantity, rho, fisher_interval(rho, len(common), ranks=True), n, len(common)
    )


def _label_column(by_label: Mapping[str, float], labels: Sequence[str]) -> Floats:
    return np.array([by_label[label] for label in labels])


def change_of_agreement(
    before: Sequence[Unit],
    after: Sequence[Unit],
    lexicons: Sequence[WordScores],
    rules: GenderednessRules,
    floor: int,
    reduce: Callable[[Matrix, Ints, Floats], Floats],
) -> Paired:
    """Return the change of Pearson's r of the lists' genderedness under A and B, on one panel.

    p and interval by how far each query alone moves r, which `reduce` gives under weights.
    """
    inputs, units = read_twice(before, after)
    first, second = (both_sides(inputs, word_scores, rules, units) for word_scores in lexicons)
    panel = _known_in_both(first, second)
    in_both = panel.usable
    n = int(in_both.sum())
    if n < floor:
        return panel.record(QUERIES, "all", reason=too_few_queries(n, floor))
    sides = [
        (under_first.values[in_both], under_second.values[in_both])
        for under_first, under_second in (
            (first.before, second.before),
            (first.after, second.after),
        )
    ]
    r_before, r_after = (pearson(*columns) for columns in sides)
    if r_before is None or r_after is None:
        reason = "the genderedness of the lists is constant under a lexicon"
        return panel.record(QUERIES, "all", reason=reason)
    then, now = (np.stack(columns, axis=1) for columns in sides)
    return change_of_parts(
        QUERIES, panel, exchange_parts(reduce, then, now), (r_before, r_after), widest=2.0
    )


def _known_in_both(first: PairedGenderedness, second: PairedGenderedness) -> Panel:
    """Return the panel of the queries that have values under both lexicons."""
    before, after = (
        np.where(np.isfinite(second_values), first_values, np.nan)
        for first_values, second_values in (
            (first.panel.before, second.panel.before),
            (first.panel.after, second.panel.after),
        )
    )
    usable = np.isfinite(before) & np.isfinite(after)
    return replace(first.panel, before=before, after=after, usable=usable)
