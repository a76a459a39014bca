"""Ranked lists and two lexicons in, how far both say the same about them out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from monitor.change import Paired
from monitor.measures._paired import without_change
from monitor.measures._parameters import SearchMeasure, checked, choice, whole
from monitor.measures._ranked_given import Run, TextsGiven, read_input
from monitor.measures._ranked_mean import has_list
from monitor.measures._shared import (
    ProbeCounts,
    exploratory_flag,
    insufficient_value,
    measured_value,
)
from monitor.measures.gsr._gsr import check_name, lexicon_of, named_lexicon
from monitor.measures.gsr._lexicons import (
    OTHERS,
    LexiconAgreementValue,
    Systems,
    change_of_agreement,
    explain_refusal,
    of_queries,
    of_systems,
    read_systems,
)
from monitor.model import (
    Context,
    Direction,
    Floats,
    Ints,
    InvalidInput,
    Matrix,
    Meaning,
    Quantity,
    QuantityUnit,
    Result,
    Symmetry,
    Unit,
    Validity,
    Value,
    WordScores,
)
from monitor.names import format_name
from monitor.ranked.genderedness import EXCLUDE, check_lexicon
from monitor.ranked.genderedness_lists import DISCOUNTS, GenderednessRules, read_once
from monitor.ranked.inputs import RankedInput, asked_of
from monitor.ranked.score import MeasureScore
from monitor.stats.correlation import weighted_pearson

_PAIR = 2
_LEAST_FLOOR = 3


def _correlation_quantity(name: str, title: str) -> Quantity:
    meaning = Meaning(
        label=title, unit=QuantityUnit.CORRELATION,
        up="has lexicons that agree more", down="has lexicons that agree less",
    )  # fmt: skip
    return Quantity(name, title, Direction.SIGNED, Symmetry.EVEN, None, -1.0, 1.0, meaning=meaning)


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

    name: ClassVar[str] = "lexicon_agreement"
    version: ClassVar[int] = 2
    citation: ClassVar[str] = (
        "Of GSR: Fabris, A., Purpura, A., Silvello, G., Susto, G. A. (2020). Gender stereotype "
        "reinforcement: Measuring the gender bias conveyed by ranking algorithms. Information "
        "Processing & Management 57(6), 102377"
    )
    quantities: ClassVar[tuple[Quantity, ...]] = (
        _correlation_quantity("agreement_queries", "agreement of two lexicons over queries"),
        _correlation_quantity("agreement_systems", "agreement of two lexicons over systems"),
        _correlation_quantity("agreement_changes", "agreement of two lexicons over changes"),
    )
    #: It is about two lexicons: no change of it says anything of a system's bias.
    primaries: ClassVar[tuple[str, ...]] = ()
    validity: ClassVar[Validity] = Validity(
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
            read_systems(ranked, named_lexicon(name), self.rules).own for name in self.lexicon
        ]
        pair = tuple(float(per_query.values[0]) for per_query in per_lexicon)
        return pair if np.isfinite(pair).all() else None

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """Return (draws, groups) correlations over queries; NaN where one column does not vary."""
        correlations = np.full((len(weights), int(groups.max(initial=-1)) + 1), np.nan)
        for group in np.unique(groups).tolist():
            in_group = groups == group
            with np.errstate(invalid="ignore", divide="ignore"):
                correlations[:, group] = weighted_pearson(
                    stats[in_group, 0], stats[in_group, 1], weights[:, in_group]
                )
        return correlations

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
        return Result(tuple(_agreement_value(agreement, units) for agreement in agreements))

    def paired(
        self, before: Sequence[Unit], after: Sequence[Unit], context: Context
    ) -> tuple[Paired, ...]:
        """The change of agreement_queries; the other two compare systems, or are of changes."""
        if reason := explain_refusal(context.lexicons):
            return without_change(
                dict.fromkeys((quantity.name for quantity in self.quantities), reason)
            )
        for lexicon in context.lexicons:
            check_lexicon(lexicon)
        rules = self.rules
        changed = change_of_agreement(
            before, after, context.lexicons, rules, self.floor, self.reduce
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
    ) -> list[LexiconAgreementValue]:
        for word_scores in lexicons:
            check_lexicon(word_scores)
        now = [read_systems(ranked, word_scores, self.rules) for word_scores in lexicons]
        n = len(now[0].found)
        slopes = [system_lists.slopes(self.floor) for system_lists in now]
        changes = [
            self._slope_changes(system_lists, earlier, lex)
            for system_lists, lex in zip(now, lexicons, strict=True)
        ]
        return [
            of_queries(now[0], now[1], self.floor),
            of_systems("agreement_systems", slopes[0], slopes[1], n, "a slope"),
            of_systems("agreement_changes", changes[0], changes[1], n, "a change of slope"),
        ]

    def _slope_changes(
        self, now: Systems, earlier: RankedInput | None, lexicon: WordScores
    ) -> dict[str, float]:
        if earlier is None:
            return {}
        return now.changes(read_systems(earlier, lexicon, self.rules), self.floor)


def _lacking_agreements(given: RankedInput, reason: str) -> list[LexiconAgreementValue]:
    queries, n = len(given.planned), len(given.beside) + 1
    planned = {"agreement_queries": queries, "agreement_systems": n, "agreement_changes": n}
    return [
        LexiconAgreementValue(name, None, None, many, 0, reason) for name, many in planned.items()
    ]


def _agreement_value(found: LexiconAgreementValue, units: Sequence[Unit]) -> Value:
    """A point: counts are of questions; those of systems are facts."""
    n_answered = sum(map(has_list, units))
    over_queries = found.quantity == "agreement_queries"
    counts = ProbeCounts(len(units), n_answered, found.used if over_queries else n_answered, 0)
    facts = () if over_queries else (
        ("systems", float(found.planned)), ("systems_used", float(found.used)),
    )  # fmt: skip
    if found.value is None:
        return insufficient_value(found.quantity, "all", counts, found.reason, facts)
    return measured_value(
        found.quantity,
        "all",
        counts,
        found.value,
        found.interval,
        None,
        exploratory_flag(counts),
        facts,
    )


def _make_score(
    name: str, ranked: RankedInput, agreements: Sequence[LexiconAgreementValue]
) -> MeasureScore:
    first, *further = agreements
    return MeasureScore(
        name=name,
        value=first.value,
        per_query=dict.fromkeys(ranked.planned),
        planned=first.planned,
        used=first.used,
        bound_low=None,
        bound_high=None,
        documents=int(ranked.lists.lengths.sum()),
        missing=0,
        empty=0,
        reason=first.reason,
        details={
            agreement.quantity: agreement.value
            for agreement in further
            if agreement.value is not None
        },
        limits=lambda: first.interval,
    )


MEASURE = LexiconAgreement()
