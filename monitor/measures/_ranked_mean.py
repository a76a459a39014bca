"""Measures of ranked lists that are a mean over queries: base class, points and queries."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from monitor.change import Paired
from monitor.measures._paired import Possible, change_of_mean
from monitor.measures._parameters import SearchMeasure
from monitor.measures._ranked_changes import (
    ListAnswer,
    find_changed,
    panel_of,
    read_answer,
    with_pages,
)
from monitor.measures._ranked_given import Run, TextsGiven, read_input
from monitor.measures._shared import EXPLORATORY_BELOW
from monitor.model import (
    Context,
    Flag,
    Floats,
    Ints,
    Matrix,
    Quantity,
    QueryValue,
    Result,
    State,
    Unit,
    Validity,
    Value,
)
from monitor.names import format_name
from monitor.ranked.inputs import PairedInput, RankedInput, asked_of, asked_twice, pin_units
from monitor.ranked.score import (
    MeasureScore,
    PerList,
    by_query,
    group_means,
    mean_score,
    to_finite,
    value_ranges,
)


def has_list(unit: Unit) -> bool:
    """Return whether a question has at least one usable list."""
    return any(document is not None for document in unit.documents)


def over_queries(quantity: str, score: MeasureScore, units: Sequence[Unit], left_out: int) -> Value:
    """The value of a point over queries. `left_out` questions are about women or men themselves."""
    facts: list[tuple[str, float]] = [
        ("documents", score.documents),
        ("documents_missing", score.missing),
    ]
    facts += [("documents_empty", score.empty), ("queries_gendered", left_out)]
    facts += sorted(score.details.items())
    n_answered = sum(map(has_list, units))
    common = {
        "name": quantity,
        "scope": "all",
        "planned": score.planned,
        "answered": n_answered,
        "used": score.used,
        "unidentified": 0,
        "bound_low": score.bound_low if n_answered else None,
        "bound_high": score.bound_high if n_answered else None,
        "facts": tuple((name, float(number)) for name, number in facts if np.isfinite(number)),
    }
    if score.value is None:
        return Value(state=State.INSUFFICIENT, reason=score.reason, **common)  # type: ignore[arg-type]
    flags = (Flag.EXPLORATORY,) if score.used < EXPLORATORY_BELOW else ()
    return Value(
        state=State.MEASURED,
        value=score.value,
        low=score.low,
        high=score.high,
        flags=flags,
        **common,  # type: ignore[arg-type]
    )


def query_values(quantity: str, found: PerList, planned: Sequence[str]) -> tuple[QueryValue, ...]:
    """Return what each query contributes to a point."""
    return tuple(
        QueryValue(
            quantity,
            key,
            State.MEASURED if np.isfinite(found.values[row]) else State.INSUFFICIENT,
            value=to_finite(found.values[row]),
            bound_low=to_finite(found.low[row]),
            bound_high=to_finite(found.high[row]),
            x=None if found.x is None else to_finite(found.x[row]),
            influence=None if found.influence is None else to_finite(found.influence[row]),
            documents=int(found.documents[row]),
            used=int(found.used[row]),
            missing=int(found.missing[row]),
            empty=int(found.empty[row]),
            reason=found.reasons.get(row, ""),
        )
        for row, key in enumerate(planned)
    )


class MeanOverQueries(SearchMeasure):
    """Base of measures with one number per ranked list and their mean as the point.

    A measure is a frozen dataclass of its parameters with `per_list`, which has all the formulas.
    """

    __slots__ = ()

    name: ClassVar[str]
    version: ClassVar[int]
    citation: ClassVar[str]
    quantities: ClassVar[tuple[Quantity, ...]]
    validity: ClassVar[Validity]
    #: Ranks of a list that count; None for all.
    cutoff: int | None
    #: Words of group terms say something about fairness only where the question has no gender.
    neutral_queries: ClassVar[bool] = True
    #: Whether what documents say has a part in it, or only which they are.
    reads_words: ClassVar[bool] = True

    @property
    def primaries(self) -> tuple[str, ...]:
        """Its one quantity."""
        return (self.quantities[0].name,)

    def limits(self) -> tuple[float, float]:
        """Lowest and highest value that a list can have with these parameters."""
        return self.quantities[0].low, self.quantities[0].high

    def depth(self) -> int | None:
        """Return the number of ranks of a list that are read; None for all."""
        return self.cutoff

    def per_list(self, given: RankedInput) -> PerList:
        """The value of each list, with what missing documents could make of it."""
        raise NotImplementedError

    def completed(self, given: RankedInput) -> RankedInput:
        """Return the input with all that is needed. Raises InvalidInput if something is missing."""
        return given

    def details(self, given: RankedInput, found: PerList) -> Mapping[str, float]:  # noqa: ARG002
        """Further numbers by name; `found` has one row per planned query."""
        return {}

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return (value,) of one query, repeats averaged; None without one."""
        ranked = asked_of([unit], {})
        per_query = by_query(self.per_list(ranked), ranked.lists.queries, ranked.planned)
        return (float(per_query.values[0]),) if np.isfinite(per_query.values[0]) else None

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """(draws, groups) weighted means of the queries' values; NaN where none has weight."""
        return group_means(stats[:, 0], groups, weights)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return the mean over queries with interval and bounds, and the value of every query."""
        kept_units = [u for u in units if not (self.neutral_queries and is_gendered(u.tags))]
        ranked = asked_of(kept_units, context.beside, context.lexicons)
        per_query = by_query(self.per_list(ranked), ranked.lists.queries, ranked.planned)
        score = self._score_queries(per_query, ranked)
        quantity = self.quantities[0].name
        value = over_queries(quantity, score, kept_units, left_out=len(units) - len(kept_units))
        return Result((value,), queries=query_values(quantity, per_query, ranked.planned))

    def answer(self, unit: Unit) -> ListAnswer:
        """All of a question's answer that has a part in its value."""
        return read_answer(unit, self.depth(), words=self.reads_words)

    def read(self, given: PairedInput) -> None:
        """Read at once what two sets of lists need to be read of."""

    def paired(
        self, before: Sequence[Unit], after: Sequence[Unit], context: Context
    ) -> tuple[Paired, ...]:
        """Return the change of the mean on the queries that have a value on both sides.

        Judgements and the tags of questions are those of after. Backgrounds that are made of more
        than the list itself are those of each side, with the same other systems.
        """
        then, now = (
            [u for u in units if not (self.neutral_queries and is_gendered(u.tags))]
            for units in (pin_units(before, after), after)
        )
        inputs = asked_twice(then, now, context.beside, context.lexicons)
        self.read(inputs)
        planned = inputs.after.planned
        first, second = (
            by_query(self.per_list(ranked), ranked.lists.queries, planned)
            for ranked in (inputs.before, inputs.after)
        )
        answers_then, answers_now = (
            {unit.key: self.answer(unit) for unit in units} for units in (then, now)
        )
        # A list has a part of its change in a page however few of its others could be read.
        loose = self.configure({"coverage": 0.0}) if "coverage" in self.parameters else self

        def values(lists: RankedInput) -> Floats:
            per_query = by_query(loose.per_list(lists), lists.lists.queries, planned)
            # A sum that needs every document has no value without one, but a highest one.
            return np.where(np.isfinite(per_query.values), per_query.values, per_query.high)

        low, high = self.limits()
        ends = [
            could_be(per_query, low, high, [key in side_answers for key in planned])
            for per_query, side_answers in ((first, answers_then), (second, answers_now))
        ]
        panel = panel_of(
            first.values, second.values, find_changed(answers_then, answers_now, planned),
            inputs.after.clusters(), Possible(ends[0], ends[1]),
        )  # fmt: skip
        panel = with_pages(panel, inputs, values, self.depth(), words=self.reads_words)
        further = {name: (ranked, second.further[name]) for name, ranked in first.further.items()}
        name, widest = self.quantities[0].name, high - low
        return (change_of_mean(name, "all", panel, widest=widest, further=further),)

    def score(
        self,
        run: Run,
        texts: TextsGiven | None = None,
        *,
        queries: Mapping[str, str] | None = None,
        qrels: Mapping[str, Mapping[str, int]] | str | None = None,
        counterfactual: Run | None = None,
        beside: Mapping[str, Run] | None = None,
        terms: Mapping[str, Sequence[str]] | None = None,
        targets: Mapping[str, float] | None = None,
        seed: int = 0,  # noqa: ARG002 - nothing is drawn any more
        draws: int = 2000,  # noqa: ARG002
    ) -> MeasureScore:
        """Compute the measure over a run, as a library. Raises InvalidInput for unusable input.

        `run` is {query: [document, ...]} with the best first, a table with columns query_id, doc_id
        and rank (or score), or the path of a TREC run. `texts` is {document: text}, None where a
        text is missing; a table with columns doc_id and text; or what `tokenise` or `count_terms`
        made of it before. `terms` replaces the lists of words, {group: [word, ...]}, and `targets`
        their target shares. `qrels` are relevance judgements, {query: {document: grade}} or the
        path of a TREC file. `counterfactual` is the run over gender-swapped documents, `beside`
        runs of other systems by name. `seed` and `draws` have no effect, because
        nothing is drawn.
        """
        changed = {key: value for key, value in (("terms", terms), ("targets", targets)) if value}
        measure = self.configure(changed) if changed else self
        ranked = read_input(
            run,
            texts,
            queries=queries,
            qrels=qrels,
            swapped=counterfactual,
            beside=beside,
            cutoff=measure.depth(),
        )
        return measure.over(measure.completed(ranked))

    def over(self, ranked: RankedInput) -> MeasureScore:
        """Compute the measure over the lists of one system."""
        per_query = by_query(self.per_list(ranked), ranked.lists.queries, ranked.planned)
        return self._score_queries(per_query, ranked)

    def _score_queries(self, found: PerList, given: RankedInput) -> MeasureScore:
        score = mean_score(format_name(self), found, given.planned, self.limits(), given.clusters())
        return replace(score, details={**score.details, **self.details(given, found)})


def is_gendered(tags: Mapping[str, str]) -> bool:
    """Return whether a list declares that a question is about women or men by itself."""
    return tags.get("gender_neutral") == "no" or bool(tags.get("gendered"))


def could_be(
    found: PerList, low: float, high: float, asked: Sequence[bool]
) -> tuple[Floats, Floats]:
    """Return the (Q,) lowest and highest value of each query that was asked, NaN for the others.

    `low` and `high` are the measure's range, within which a query lies that was not answered.
    """
    ends = value_ranges(found, low, high)
    return np.where(asked, ends[0], np.nan), np.where(asked, ends[1], np.nan)
