"""Gender Stereotype Reinforcement of ranked lists: Fabris et al. 2020."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from monitor.measures._library_input import Run, TextsGiven, read_input
from monitor.measures._paired_panels import without_change
from monitor.measures._query_means import over_queries, query_values
from monitor.measures._shared import (
    UNBOUNDED,
    Changes,
    SearchMeasure,
    Shape,
    Units,
    checked,
    choice,
    flag,
    make_quantity,
    reduce_groups,
    whole,
)
from monitor.measures.gsr._slopes import (
    NEUTRAL,
    QRELS,
    Slopes,
    all_lacking,
    baselines_of,
    check_labels,
    check_name,
    compare_slopes,
    lexicon_of,
    named_lexicon,
    paired_slopes,
    queries_of,
    query_statistics,
    relative_details,
    select_neutral,
    slopes_of,
    value_of,
)
from monitor.model import (
    Context,
    Floats,
    Ints,
    InvalidInput,
    Matrix,
    Quantity,
    Result,
    Symmetry,
    Unit,
    Validity,
    Value,
    WordScores,
)
from monitor.names import format_name
from monitor.ranked.genderedness import (
    DISCOUNTS,
    EXCLUDE,
    STOP_LISTS,
    TIES,
    DocumentInfluence,
    GenderednessRules,
    SlopeRule,
    check_lexicon,
    document_influence,
    slope_score,
)
from monitor.ranked.inputs import asked_of
from monitor.ranked.score import MeasureScore
from monitor.stats.regression import weighted_slopes

_LEAST_FLOOR = 3


def _slope(name: str, title: str, label: str, shape: Shape = UNBOUNDED, rank: int = 0) -> Quantity:
    up, down = "reinforces stereotypes more", "reinforces stereotypes less"
    return make_quantity(name, title, label, shape, "score", up, down, rank=rank)


QUANTITIES = (
    _slope("gsr", "gender stereotype reinforcement", "reinforcement of stereotypes", rank=1),
    _slope(
        "relative_gsr", "GSR relative to a baseline",
        "reinforcement of stereotypes relative to a baseline",
        UNBOUNDED._replace(symmetry=Symmetry.EVEN, neutral=None),
    ),
    _slope(
        "gsr_change", "change of GSR on the same queries",
        "change of the reinforcement of stereotypes",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gsr(SearchMeasure):
    """GSR = slope of list genderedness on query genderedness, over queries (equation 3).

    g(w) is the cosine of a word with the gender direction, positive towards women; g(q) its mean
    over the words of a query, g_q(d) its mean over those of a document that are neither stop words
    nor terms of the query. The genderedness of a list is the mean of its g_q(d), weighted by
    1/log2(r + 1). A slope of 0 says that documents do not follow the gender of the question;
    positive is stereotypical; nothing bounds it, and its scale is that of the lexicon (`toy_slope`,
    `relative_to_toy`). Relevance alone makes it positive: without relevance judgements, on titles
    and snippets, only changes and differences between systems may be claimed (GSR-snippet).

    relative_gsr = (m - m_base)/m_base with the mean slope of the systems in `baseline` (`qrels`: of
    the relevant documents), by Fieller, none where m_base cannot be told from 0. gsr_change is the
    slope of the difference of list genderedness to the tick before, with HC3 errors.

    `discount`: "paper", "code" 1/max(1, log2(r)) as the published program, or "none". `exclude`:
    query terms by noun "lemma", "exact" or "none". `stopwords`: "published" drops `him` too.
    `ties`: "competition" gives equal scores equal ranks. `relevant`: lists end where their query
    has as many documents as are relevant. Fewer than `floor` queries have no slope. English only.
    """

    cutoff: int | None = whole(None, 1)
    discount: str = choice("paper", DISCOUNTS)
    exclude: str = choice("lemma", EXCLUDE)
    stopwords: str = choice("kept", STOP_LISTS)
    ties: str = choice("order", TIES)
    lexicon: str = checked("", check_name)
    floor: int = whole(30, _LEAST_FLOOR)
    relevant: bool = flag(default=False)
    baseline: tuple[str, ...] = checked((), check_labels)

    name = "GSR"
    title = "gender stereotype reinforcement (GSR)"
    version = 2
    citation = (
        "Fabris, A., Purpura, A., Silvello, G., Susto, G. A. (2020). Gender stereotype "
        "reinforcement: Measuring the gender bias conveyed by ranking algorithms. Information "
        "Processing & Management 57(6), 102377"
    )
    quantities = QUANTITIES
    primaries = ("gsr",)
    validity = Validity(
        means=(
            "How much more the words of results lean towards women or men as the words of the "
            "question do, on the scale of the lexicon that is named; 0 is not at all."
        ),
        does_not_mean=(
            "It is not a share of biased results: results that answer the question repeat its "
            "words' company, so that without relevance judgements the level says nothing and only "
            "changes and differences between systems do."
        ),
        assumes=(
            "The lexicon has learnt associations that readers share, the words of a question stand "
            "for what it is about, and higher ranks are read more; English only."
        ),
        harm=(
            "Representational: who searches meets the usual picture of who does what again, which "
            "concerns women and men whose work or traits are not the ones their gender is tied to."
        ),
    )

    @property
    def rules(self) -> GenderednessRules:
        """Return the parameters by which genderedness is averaged."""
        return GenderednessRules(
            self.cutoff, self.discount, self.exclude, self.stopwords, self.ties, self.relevant
        )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """(g(q), genderedness of its lists) with the named lexicon; None without both."""
        return query_statistics(asked_of([unit], {}), named_lexicon(self.lexicon), self.rules)

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """Return (draws, groups) slopes; NaN where g(q) does not vary."""
        return reduce_groups(
            stats, groups, weights, lambda own, drawn: weighted_slopes(own[:, 0], own[:, 1], drawn)
        )

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return the slope, also without gendered queries, relative and changed; every query."""
        if reason := self._explain_refusal(context):
            return all_lacking(QUANTITIES, units, reason)
        lexicon = context.lexicons[0]
        check_lexicon(lexicon)
        baseline_lists = {
            key: context.beside[key] for key in self.baseline if key in context.beside
        }
        rule = SlopeRule(self.floor, lexicon.low, lexicon.high, context.seed, context.draws)
        slopes = slopes_of(
            asked_of(units, baseline_lists, label=context.label), lexicon, self.rules, rule
        )
        planned = slopes.given.planned
        return Result(
            (
                *self._slope_values(units, slopes),
                value_of("relative_gsr", units, slopes.relative(self.baseline)),
                value_of("gsr_change", units, compare_slopes(slopes, context.before)),
            ),
            queries=query_values("gsr", slopes.slope.found, planned),
        )

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
        """The change of the slope; relative_gsr and gsr_change are comparisons themselves."""
        if reason := self._explain_refusal(context):
            return without_change(dict.fromkeys((quantity.name for quantity in QUANTITIES), reason))
        lexicon = context.lexicons[0]
        check_lexicon(lexicon)
        rule = SlopeRule(self.floor, lexicon.low, lexicon.high, context.seed, 0)
        return tuple(paired_slopes(before, after, lexicon, self.rules, rule))

    def _explain_refusal(self, context: Context) -> str:
        """Return why there can be no slope, or an empty string."""
        if not context.lexicons:
            return "no lexicon: a job names one, or the built-in"
        if self.ties == "competition":
            return "ties='competition' needs scores of documents, and these lists have none"
        return ""

    def _slope_values(self, units: Sequence[Unit], slopes: Slopes) -> list[Value]:
        """Return the slope over all queries, and over those that a list calls neutral."""
        values = [over_queries("gsr", self._score_slopes(slopes), units, left_out=0)]
        neutral_units = select_neutral(units)
        if neutral_units:
            neutral_score = self._score_slopes(slopes.only({unit.key for unit in neutral_units}))
            value = over_queries(
                "gsr", neutral_score, neutral_units, left_out=len(units) - len(neutral_units)
            )
            values.append(replace(value, scope=NEUTRAL))
        return values

    def _score_slopes(self, slopes: Slopes) -> MeasureScore:
        return slope_score(
            format_name(self), slopes.slope, slopes.given.planned, slopes.rule, slopes.further()
        )

    def score(
        self,
        run: Run,
        texts: TextsGiven | None = None,
        *,
        queries: Mapping[str, str] | None = None,
        lexicon: WordScores | Mapping[str, float] | str | Path | None = None,
        qrels: Mapping[str, Mapping[str, int]] | str | None = None,
        baseline: object = None,
        seed: int = 0,
        draws: int = 2000,
    ) -> MeasureScore:
        """Compute GSR over a run, as a library. Raises InvalidInput for what cannot be used.

        `run` is {query: [document, ...]} with the best first, a table with columns query_id, doc_id
        and rank (or score), or the path of a TREC run. `texts` is {document: text}, None where a
        text is missing; a table with columns doc_id and text; or what `tokenise` made of it before.
        `queries` is {query: its words}. `lexicon` is a lexicon, the name or file of one, or {word:
        score}; without, the built-in one. `qrels` are relevance judgements, {query: {document:
        grade}} or the path of a TREC file. `baseline` is another run, {label: run} of several, or
        "qrels"; `details` has relative_gsr then. `seed` and `draws` are those of permutations.
        """
        measure, slopes = self._read_slopes(
            run, texts, queries, lexicon, qrels, baseline, seed=seed, draws=draws
        )
        labels = (QRELS,) if baseline == QRELS else tuple(slopes.given.beside)
        further = slopes.further() | relative_details(slopes, measure.baseline or labels)
        return slope_score(
            format_name(measure), slopes.slope, slopes.given.planned, slopes.rule, further
        )

    def document_influence(
        self,
        run: Run,
        texts: TextsGiven | None = None,
        *,
        queries: Mapping[str, str] | None = None,
        lexicon: WordScores | Mapping[str, float] | str | Path | None = None,
        qrels: Mapping[str, Mapping[str, int]] | str | None = None,
    ) -> list[DocumentInfluence]:
        """Return how far each document moves the slope (equation 5); influences sum to the slope.

        Raises InvalidInput where there is no slope.
        """
        _, slopes = self._read_slopes(run, texts, queries, lexicon, qrels, None, seed=0, draws=0)
        return document_influence(slopes.given, slopes.lists, slopes.slope)

    def _read_slopes(
        self,
        run: Run,
        texts: TextsGiven | None,
        queries: Mapping[str, str] | None,
        lexicon: WordScores | Mapping[str, float] | str | Path | None,
        qrels: Mapping[str, Mapping[str, int]] | str | None,
        baseline: object,
        *,
        seed: int,
        draws: int,
    ) -> tuple["Gsr", Slopes]:
        if self.relevant and qrels is None:
            raise InvalidInput(f"{self.name}: relevant=True needs relevance judgements: qrels=...")
        words = queries_of(queries)
        scores = lexicon_of(lexicon, self.lexicon)
        check_lexicon(scores)
        ranked = read_input(run, texts, queries=words, qrels=qrels, beside=baselines_of(baseline))
        rule = SlopeRule(self.floor, scores.low, scores.high, seed, draws)
        measure = self if lexicon is None else replace(self, lexicon=scores.name)
        return measure, slopes_of(ranked, scores, self.rules, rule)


MEASURE = Gsr()
