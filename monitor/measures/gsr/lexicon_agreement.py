"""Ranked lists and two lexicons in, how far both say the same about them out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.change import Paired
from monitor.measures._library_input import Run, TextsGiven, read_input
from monitor.measures._paired_panels import (
    COMPARES,
    IS_CHANGE,
    Panel,
    change_of_parts,
    too_few_queries,
    without_change,
)
from monitor.measures._query_means import has_list
from monitor.measures._shared import (
    CORRELATION,
    Changes,
    Estimate,
    Facts,
    ProbeCounts,
    SearchMeasure,
    Units,
    checked,
    choice,
    make_quantity,
    reduce_groups,
    whole,
)
from monitor.measures.gsr._slopes import (
    PairedGenderedness,
    both_sides,
    check_name,
    lexicon_of,
    named_lexicon,
    read_side,
    read_twice,
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
    Value,
    WordScores,
)
from monitor.names import format_name
from monitor.ranked.genderedness import (
    DISCOUNTS,
    EXCLUDE,
    GenderednessRules,
    check_lexicon,
    query_values_of,
    read_once,
    usable_queries,
    x_of,
)
from monitor.ranked.inputs import RankedInput, asked_of
from monitor.ranked.score import MeasureScore, PerList
from monitor.stats.correlation import fisher_interval, pearson, spearman, weighted_pearson
from monitor.stats.paired import exchange_parts
from monitor.stats.regression import fit_line

#: The system itself among the labels of the others.
OWN = ""


#: Of three systems one order in six agrees by chance, of four one in 24.
LEAST_SYSTEMS = 4
QUERIES = "agreement_queries"
#: What is not compared again, and why.
OTHERS = {"agreement_systems": COMPARES, "agreement_changes": IS_CHANGE}


def read_systems(
    ranked: RankedInput, lexicon: WordScores, rules: GenderednessRules
) -> dict[str, PerList]:
    """Return the genderedness of the planned queries' lists, by system, the system itself first."""
    x = query_values_of(ranked, lexicon, rules)
    return {
        label: read_side(ranked, lists.of(ranked.planned), lexicon, rules, x)
        for label, lists in ((OWN, ranked.lists), *sorted(ranked.beside.items()))
    }


def slopes_of(
    systems: Mapping[str, PerList], floor: int, before: Mapping[str, PerList] | None = None
) -> dict[str, float]:
    """Return the slope of every system that has one, or of its difference to the tick before."""
    slopes = {}
    for label, per_query in systems.items():
        if before is not None and label not in before:
            continue
        y = per_query.values if before is None else per_query.values - before[label].values
        usable = usable_queries(per_query) & np.isfinite(y)
        line = fit_line(x_of(per_query)[usable], y[usable]) if usable.sum() >= floor else None
        if line is not None:
            slopes[label] = line.slope
    return slopes


def explain_refusal(lexicons: Sequence[WordScores]) -> str:
    """Return why two lexicons cannot be compared; empty if they can."""
    if len(lexicons) != 2:  # noqa: PLR2004 - two are compared
        return f"{len(lexicons)} lexicons are given, and two are compared: lexicon = [A, B]"
    first, second = lexicons
    if first.digest == second.digest:
        return f"lexicons {first.name!r} and {second.name!r} are the same"
    return ""


def of_queries(under_first: PerList, under_second: PerList, floor: int) -> Estimate:
    """Return Pearson's r over queries of the genderedness of the system's own lists."""
    in_both = usable_queries(under_first) & usable_queries(under_second)
    planned, used = len(in_both), int(in_both.sum())
    if used < floor:
        reason = f"{used} queries of {planned} planned have values under both, floor {floor}"
        return Estimate.lacking(reason, used)
    r = pearson(under_first.values[in_both], under_second.values[in_both])
    if r is None:
        return Estimate.lacking("the genderedness of the lists is constant under a lexicon", used)
    return Estimate(r, fisher_interval(r, used), used=used)


def of_systems(
    first: Mapping[str, float], second: Mapping[str, float], n: int, noun: str
) -> Estimate:
    """Return Spearman's rho over the n systems, of `noun`: slopes, or changes of slopes."""
    common = [label for label in first if label in second]
    facts = _system_facts(n, len(common))
    if len(common) < LEAST_SYSTEMS:
        reason = f"{len(common)} systems have {noun} under both lexicons, at least {LEAST_SYSTEMS}"
        return Estimate.lacking(reason, len(common), facts)
    rho = spearman([first[label] for label in common], [second[label] for label in common])
    if rho is None:
        reason = f"{noun} of all systems are the same under a lexicon"
        return Estimate.lacking(reason, len(common), facts)
    interval = fisher_interval(rho, len(common), ranks=True)
    return Estimate(rho, interval, used=len(common), facts=facts)


def _system_facts(n: int, used: int) -> Facts:
    return (("systems", float(n)), ("systems_used", float(used)))


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
        [getattr(under, side).values[in_both] for under in (first, second)]
        for side in ("before", "after")
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


_PAIR = 2
_LEAST_FLOOR = 3


def _correlation_quantity(name: str, title: str) -> Quantity:
    up, down = "has lexicons that agree more", "has lexicons that agree less"
    return make_quantity(name, title, title, CORRELATION, "correlation", up, down)


def _check_names(measure: str, name: str, value: object) -> tuple[str, ...]:
    """Return two names of lexicons, not twice the same; both empty where none is named yet."""
    if isinstance(value, list | tuple) and len(value) == _PAIR:
        for lexicon in value:
            check_name(measure, name, lexicon)
        if value[0] != value[1] or value[0] == "":
            return tuple(value)
    raise InvalidInput(
        f"{measure}: {name} is {value!r}; it must be the names of two lexicons, [A, B]"
    )


@dataclass(frozen=True, slots=True)
class LexiconAgreement(SearchMeasure):
    """Agreement of two lexicons of genderedness about the same lists.

    agreement_queries = Pearson's r over queries of the genderedness of the lists under lexicon A
    and under B. agreement_systems = Spearman's rho of the GSR slopes of this system and those
    beside it. agreement_changes = the same of the changes of these slopes since the tick before.
    In [-1, 1], without a neutral point: what depends on the choice of the lexicon is no finding.
    Intervals by Fisher's transformation (for rho with the variance of Bonett and Wright 2000).
    Missing documents are left out under both lexicons, so there are no bounds. Fewer than four
    systems with a slope, or with a change, make no value.

    `lexicon`: the names of A and B. `floor`: queries with values under both, at least. `cutoff`,
    `discount` and `exclude` as in GSR. English only.
    """

    cutoff: int | None = whole(None, 1)
    discount: str = choice("paper", DISCOUNTS)
    exclude: str = choice("lemma", EXCLUDE)
    lexicon: tuple[str, ...] = checked(("", ""), _check_names)
    floor: int = whole(10, _LEAST_FLOOR)

    name = "lexicon_agreement"
    title = "agreement of two lexicons"
    version = 2
    citation = (
        "Of GSR: Fabris, A., Purpura, A., Silvello, G., Susto, G. A. (2020). Gender stereotype "
        "reinforcement: Measuring the gender bias conveyed by ranking algorithms. Information "
        "Processing & Management 57(6), 102377"
    )
    quantities = (
        _correlation_quantity("agreement_queries", "agreement of two lexicons over queries"),
        _correlation_quantity("agreement_systems", "agreement of two lexicons over systems"),
        _correlation_quantity("agreement_changes", "agreement of two lexicons over changes"),
    )
    #: It is about two lexicons: no change of it says anything of a system's bias.
    primaries = ()
    validity = Validity(
        means=(
            "How far two lexicons of gendered words put the same lists, systems or changes in the "
            "same order; 1 is the same order of all."
        ),
        does_not_mean=(
            "It says nothing of the bias of a system, and lexicons that agree can be wrong "
            "together where they were learnt from like texts."
        ),
        assumes=(
            "Both lexicons are meant to measure the same thing, and each covers the words that the "
            "lists are made of; English only."
        ),
        harm=(
            "None by itself: it guards the people who are spoken of in findings against one that "
            "depends on the choice of the lexicon alone."
        ),
    )

    @property
    def rules(self) -> GenderednessRules:
        """Return the parameters by which genderedness is averaged."""
        return GenderednessRules(self.cutoff, self.discount, self.exclude)

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return (list genderedness under A, under B) of one query; None without both."""
        ranked = read_once(asked_of([unit], {}))
        per_lexicon = [
            read_systems(ranked, named_lexicon(name), self.rules)[OWN] for name in self.lexicon
        ]
        pair = tuple(float(per_query.values[0]) for per_query in per_lexicon)
        return pair if np.isfinite(pair).all() else None

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """Return (draws, groups) correlations over queries; NaN where one column does not vary."""
        return reduce_groups(
            stats, groups, weights, lambda own, drawn: weighted_pearson(own[:, 0], own[:, 1], drawn)
        )

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return all three correlations."""
        reason = explain_refusal(context.lexicons)
        ranked = read_once(asked_of(units, context.beside))
        earlier = None
        if context.before:
            planned = set(ranked.planned)
            then = {
                label: [unit for unit in group if unit.key in planned]
                for label, group in context.beside_before.items()
            }
            before = asked_of([unit for unit in context.before if unit.key in planned], then)
            earlier = read_once(replace(before, planned=ranked.planned, queries=ranked.queries))
        agreements = (
            _lacking_agreements(ranked, reason)
            if reason
            else self._correlate_lexicons(ranked, earlier, context.lexicons)
        )
        return Result(
            tuple(_agreement_value(name, found, units) for name, found in agreements.items())
        )

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
        """The change of agreement_queries; the other two compare systems, or are of changes."""
        if reason := explain_refusal(context.lexicons):
            return without_change(
                dict.fromkeys((quantity.name for quantity in self.quantities), reason)
            )
        for lexicon in context.lexicons:
            check_lexicon(lexicon)
        changed = change_of_agreement(
            before, after, context.lexicons, self.rules, self.floor, self.reduce
        )
        return (changed, *without_change(OTHERS))

    def score(
        self,
        run: Run,
        texts: TextsGiven | None = None,
        *,
        queries: Mapping[str, str],
        lexicon: Sequence[WordScores | str] = (),
        beside: Mapping[str, Run] | None = None,
        before: Run | None = None,
        beside_before: Mapping[str, Run] | None = None,
    ) -> MeasureScore:
        """Compute agreement_queries of a run, as a library; the other two are among the details.

        `run`, `texts`, `queries` and `beside` as for GSR; `lexicon` are two lexicons or their
        names. `before` and `beside_before` are the runs of the tick before over the same texts.
        Raises InvalidInput for what cannot be used.
        """
        lexicons = [lexicon_of(word_scores, "") for word_scores in lexicon or self.lexicon]
        if reason := explain_refusal(lexicons):
            raise InvalidInput(f"{self.name}: {reason}")
        ranked = read_once(read_input(run, texts, queries=queries, beside=beside))
        earlier = None
        if before is not None:
            ranked_before = read_input(before, texts, queries=queries, beside=beside_before)
            earlier = read_once(replace(ranked_before, planned=ranked.planned))
        agreements = self._correlate_lexicons(ranked, earlier, lexicons)
        named_so = replace(self, lexicon=tuple(word_scores.name for word_scores in lexicons))
        return _make_score(format_name(named_so), ranked, agreements)

    def _correlate_lexicons(
        self, ranked: RankedInput, earlier: RankedInput | None, lexicons: Sequence[WordScores]
    ) -> dict[str, Estimate]:
        for word_scores in lexicons:
            check_lexicon(word_scores)
        now = [read_systems(ranked, word_scores, self.rules) for word_scores in lexicons]
        n = len(now[0])
        slopes = [slopes_of(systems, self.floor) for systems in now]
        changes = [
            slopes_of(systems, self.floor, read_systems(earlier, lexicon, self.rules))
            for systems, lexicon in zip(now, lexicons, strict=True)
            if earlier
        ] or [{}, {}]
        return {
            QUERIES: of_queries(now[0][OWN], now[1][OWN], self.floor),
            "agreement_systems": of_systems(slopes[0], slopes[1], n, "a slope"),
            "agreement_changes": of_systems(changes[0], changes[1], n, "a change of slope"),
        }


def _lacking_agreements(given: RankedInput, reason: str) -> dict[str, Estimate]:
    systems = Estimate.lacking(reason, facts=_system_facts(len(given.beside) + 1, 0))
    return {QUERIES: Estimate.lacking(reason), **dict.fromkeys(OTHERS, systems)}


def _agreement_value(name: str, found: Estimate, units: Sequence[Unit]) -> Value:
    """A point: counts are of questions; those of systems are facts."""
    n_answered = sum(map(has_list, units))
    used = found.used if name == QUERIES else n_answered
    return found.point(name, "all", ProbeCounts(len(units), n_answered, used, 0))


def _make_score(name: str, ranked: RankedInput, agreements: Mapping[str, Estimate]) -> MeasureScore:
    over_queries = agreements[QUERIES]
    return MeasureScore(
        name=name,
        value=over_queries.value,
        per_query=dict.fromkeys(ranked.planned),
        planned=len(ranked.planned),
        used=over_queries.used,
        bound_low=None,
        bound_high=None,
        documents=int(ranked.lists.lengths.sum()),
        missing=0,
        empty=0,
        reason=over_queries.reason,
        details={
            quantity: value
            for quantity in OTHERS
            if (value := agreements[quantity].value) is not None
        },
        limits=lambda: over_queries.interval,
    )


MEASURE = LexiconAgreement()
