"""Direct stereotypes of ranked lists: how many documents are about women and about men."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from monitor.change import Paired
from monitor.measures._parameters import SearchMeasure, checked, choice, whole
from monitor.measures._ranked_given import Run, TextsGiven, read_input
from monitor.measures._ranked_mean import query_values
from monitor.measures.gsr._gsr import check_name, lexicon_of
from monitor.measures.gsr._query_gaps import (
    LOG_GAP,
    ComparedGaps,
    GapRule,
    Scoped,
    compare_gaps,
    log_gap_score,
    make_scopes,
    scope_values,
    share_details,
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
    WordScores,
)
from monitor.names import format_name
from monitor.ranked.gap import (
    ADDED,
    Baseline,
    Gaps,
    base_of_others,
    base_of_relevant,
    compute_gaps,
    even_base,
)
from monitor.ranked.genderedness import check_lexicon, query_genderedness
from monitor.ranked.inputs import RankedInput, asked_of, asked_twice, pin_units
from monitor.ranked.score import MeasureScore, group_means

BASELINES = ("beside", "relevant", "none")
_EDGES = 2


def _over_share(name: str, title: str, mirror: str) -> Quantity:
    who = "men" if mirror == "share_women_over" else "women"
    meaning = Meaning(
        label=f"questions that show too many {who}", unit=QuantityUnit.SHARE,
        up=f"shows too many {who} for more questions",
        down=f"shows too many {who} for fewer questions",
    )  # fmt: skip
    return Quantity(
        name, title, Direction.SIGNED, Symmetry.EVEN, None, 0.0, 1.0, mirror, meaning=meaning
    )


QUANTITIES = (
    Quantity(
        LOG_GAP, "ln of documents about women over documents about men",
        Direction.SIGNED, Symmetry.ODD, 0.0, -math.inf, math.inf,
        meaning=Meaning(
            label="documents about women against documents about men (log ratio)",
            unit=QuantityUnit.LOG_ODDS, rank=1,
            up="shows more documents about women", down="shows fewer documents about women",
            question="Does {system} show documents about women as often as about men?",
        ),
    ),
    _over_share("share_men_over", "share of queries over-representing men", "share_women_over"),
    _over_share("share_women_over", "share of queries over-representing women", "share_men_over"),
)  # fmt: skip


def _check_edges(measure: str, name: str, value: object) -> tuple[float, ...]:
    """Return two ascending edges of g(q) within -1 and 1. Raises InvalidInput."""
    if isinstance(value, list | tuple) and len(value) == _EDGES:
        numbers = [edge for edge in value if type(edge) in (int, float) and abs(edge) <= 1]
        if len(numbers) == _EDGES and all(a < b for a, b in pairwise(numbers)):
            return tuple(float(number) for number in numbers)
    raise InvalidInput(
        f"{measure}: {name} is {value!r}; it must be two ascending edges within -1 and 1, such as "
        "[-0.1, 0.1]"
    )


@dataclass(frozen=True, slots=True)
class DirectGap(SearchMeasure):
    """The gap between documents about women and about men, and who is over-represented where.

    A document is about women (men) if it mentions more female (male) entities, by the words of
    Appendix B of the paper. log_gap = mean over queries of ln((f + 1/2)/(m + 1/2)), f and m the
    numbers of such documents in a list: positive towards women, neutral 0, nothing bounds it. The
    paper's gap(q) is m/f; the fact `gap` has its geometric mean. share_men_over (share_women_over)
    = share of queries whose list has a gap on men's (women's) side of the baseline's, in [0, 1];
    ties are neither. All for all queries, and by bin of their genderedness g(q): a system that
    over-represents men in masculine and women in feminine queries makes direct stereotypes
    stronger. Documents without a text are left out, and bound what they could change.

    `cutoff`: ranks that count, None all. `zero`: "half" adds 1/2 to both counts, "paper" nothing;
    then a list without documents of one group has no logarithm, but a side, and a sign can differ.
    `baseline`: "beside", the geometric mean of the other systems in the run (never the system
    itself; all that answered anything, and only queries that all of them answered); "relevant", the
    documents that are judged relevant; "none", as many documents about women as about men. `bins`:
    below the first edge of g(q) a query is masculine, above the second feminine, else neutral; the
    edges are a choice of ours. `lexicon`: gives g(q); empty is the built-in one. Fewer than `floor`
    queries make no value. English only.
    """

    cutoff: int | None = whole(None, 1)
    zero: str = choice("half", ADDED)
    baseline: str = choice("beside", BASELINES)
    bins: tuple[float, ...] = checked((-0.1, 0.1), _check_edges)
    lexicon: str = checked("", check_name)
    floor: int = whole(10, 1)

    name: ClassVar[str] = "direct_gap"
    version: ClassVar[int] = 2
    citation: ClassVar[str] = (
        "Fabris, A., Purpura, A., Silvello, G., Susto, G. A. (2020). Gender stereotype "
        "reinforcement: Measuring the gender bias conveyed by ranking algorithms. Information "
        "Processing & Management 57(6), 102377, section 4.2.5"
    )
    quantities: ClassVar[tuple[Quantity, ...]] = QUANTITIES
    #: The shares are of the same gaps as log_gap, counted by side.
    primaries: ClassVar[tuple[str, ...]] = (LOG_GAP,)
    validity: ClassVar[Validity] = Validity(
        means=(
            "How many more documents mention more women than men than the other way round, in the "
            "lists for a question; 0 is as many of both."
        ),
        does_not_mean=(
            "It does not say how women and men are spoken of, nor that as many of both would be "
            "right for a question."
        ),
        assumes=(
            "The words for female and male entities find the people whom a document is about, "
            "every document of a list counts the same, and those that could not be read are like "
            "the others; English only."
        ),
        harm=(
            "Representational: one group is found less where it could be found, which concerns "
            "women or men as those whom results on a subject are about."
        ),
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return (log_gap,) of one query, repeats averaged; None without one."""
        ranked = asked_of([unit], {})
        value = float(
            compute_gaps(ranked, ranked.lists.cut(self.cutoff), self.zero).found.values[0]
        )
        return (value,) if math.isfinite(value) else None

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """(draws, groups) weighted means of the queries' gaps; NaN where none has weight."""
        return group_means(stats[:, 0], groups, weights)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return all quantities of all scopes, and the gap of every query."""
        lexicon = context.lexicons[0] if context.lexicons else None
        if lexicon is not None:
            check_lexicon(lexicon)
        comparison = self._compare_lists(asked_of(units, context.beside), lexicon)
        rule = self._make_rule()
        all_scopes = make_scopes(comparison, self._bins, units)
        name = format_name(self)
        return Result(
            tuple(
                value
                for scoped in all_scopes
                for value in scope_values(comparison, scoped, rule, units, name)
            ),
            queries=query_values(
                LOG_GAP, replace(comparison.gaps.found, x=comparison.x), comparison.planned
            ),
        )

    def paired(
        self, before: Sequence[Unit], after: Sequence[Unit], context: Context
    ) -> tuple[Paired, ...]:
        """Return changes in every scope. Shares relative to other systems are not compared."""
        lexicon = context.lexicons[0] if context.lexicons else None
        if lexicon is not None:
            check_lexicon(lexicon)
        then, now = pin_units(before, after), list(after)
        inputs = asked_twice(then, now, {})
        sides = [self._compare_lists(side, lexicon) for side in (inputs.before, inputs.after)]
        beside_others = self.baseline == "beside"

        def gaps_of(lists: RankedInput) -> Gaps:
            return compute_gaps(lists, lists.lists.cut(self.cutoff), self.zero)

        return tuple(
            compare_gaps(
                (then, now), sides, self._bins, self.floor, self.cutoff, beside_others, inputs,
                gaps_of,
            )
        )  # fmt: skip

    def score(
        self,
        run: Run,
        texts: TextsGiven | None = None,
        *,
        queries: Mapping[str, str] | None = None,
        lexicon: WordScores | str | None = None,
        qrels: Mapping[str, Mapping[str, int]] | str | None = None,
        beside: Mapping[str, Run] | None = None,
        seed: int = 0,  # noqa: ARG002 - nothing is drawn any more
        draws: int = 2000,  # noqa: ARG002
    ) -> MeasureScore:
        """Compute log_gap of a run, as a library; shares by bin are among the details.

        `run`, `texts` and `qrels` as for other measures of ranked lists; `beside` are runs of other
        systems by name. Bins need `queries`, {query: its words}; `lexicon` is one or its name.
        `seed` and `draws` have no effect, because nothing is drawn. Raises InvalidInput for what
        cannot be used, and for a baseline that is not handed over.
        """
        if self.baseline == "relevant" and not qrels:
            raise InvalidInput(f"{self.name}: baseline='relevant' needs qrels=...")
        scores = lexicon_of(lexicon, self.lexicon) if queries is not None else None
        if scores is not None:
            check_lexicon(scores)
        ranked = read_input(run, texts, queries=queries, qrels=qrels, beside=beside)
        comparison, rule = self._compare_lists(ranked, scores), self._make_rule()
        whole_run, *further_scopes = make_scopes(comparison, self._bins, [])
        score = log_gap_score(format_name(self), comparison, whole_run, rule)
        detail_scopes = [Scoped("all", whole_run.rows), *further_scopes]
        return replace(
            score, details={**score.details, **share_details(comparison, detail_scopes, rule)}
        )

    @property
    def _bins(self) -> tuple[float, float]:
        return self.bins[0], self.bins[1]

    def _make_rule(self) -> GapRule:
        added = ADDED[self.zero]
        most = math.inf
        if added and self.cutoff is not None:  # all documents of a list are about one group
            most = math.log((self.cutoff + added) / added)
        return GapRule(self.floor, (-most, most))

    def _compare_lists(self, given: RankedInput, lexicon: WordScores | None) -> ComparedGaps:
        words = tuple(given.queries.get(key, "") for key in given.planned)
        x, unknown = np.full(len(words), np.nan), "no lexicon and no words of the queries are known"
        if lexicon is not None:
            x = query_genderedness(words, lexicon)
            unknown = "" if np.isfinite(x).any() else f"no query has a word in {lexicon.name}"
        own_gaps = compute_gaps(given, given.lists.cut(self.cutoff), self.zero)
        return ComparedGaps(
            given.planned, given.clusters(), x, unknown, own_gaps, self._choose_base(given)
        )

    def _choose_base(self, given: RankedInput) -> Baseline:
        if self.baseline == "beside":
            return base_of_others(given, self.cutoff, self.zero)
        return (
            base_of_relevant(given, self.zero) if self.baseline == "relevant" else even_base(given)
        )


MEASURE = DirectGap()
