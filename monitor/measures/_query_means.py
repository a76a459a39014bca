"""Measures of ranked lists that are a mean over queries: base class, points and queries."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from monitor.measures._library_input import Run, TextsGiven, read_input
from monitor.measures._paired_panels import Panel, Parts, Possible, change_of_mean
from monitor.measures._shared import EXPLORATORY_BELOW, Changes, SearchMeasure, Units
from monitor.model import (
    Context,
    Flag,
    Floats,
    Ints,
    Matrix,
    QueryValue,
    Result,
    State,
    Unit,
    Value,
)
from monitor.names import format_name
from monitor.ranked.inputs import (
    PairedInput,
    RankedInput,
    asked_of,
    asked_twice,
    first_occurrences,
    pin_units,
)
from monitor.ranked.score import (
    MeasureScore,
    PerList,
    by_query,
    group_means,
    mean_score,
    to_finite,
    value_ranges,
)

Flags = NDArray[np.bool_]


#: Stands for a page that is taken out of a list. No document has this key and nothing is known of
#: it, so that measures treat it as one that could not be read.
_TAKEN_OUT = "\0"
#: Pages of a query whose own parts are computed, those on the best ranks first.
_MOST = 50
#: A part below this is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class ListAnswer:
    """The answer to a question, its repeats together.

    `orders` is how often each list of documents came, of all answered repeats; `words` the texts
    that were read of each document, empty where words have no part in the measure.
    """

    orders: Mapping[Hashable, Fraction]
    words: Mapping[str, set[str]]


def shares_of(lists: Sequence[Hashable]) -> dict[Hashable, Fraction]:
    """Return the share that each distinct list has among the lists."""
    return {item: Fraction(n, len(lists)) for item, n in Counter(lists).items()}


def read_answer(unit: Unit, depth: int | None, *, words: bool) -> ListAnswer:
    """The documents of a question as far as the cut-off, in their order."""
    lists = [first_occurrences(shown)[:depth] for shown in unit.documents if shown is not None]
    texts = defaultdict[str, set[str]](set)
    for document in chain.from_iterable(lists) if words else ():
        if document.text is not None:
            texts[document.key].add(document.text)
    orders = shares_of([tuple(document.key for document in documents) for documents in lists])
    return ListAnswer(orders, texts)


@dataclass(frozen=True, slots=True, eq=False)
class ChangedQueries:
    """(Q,) flags of queries with another answer: other documents, another order, or other words.

    A text that could not be read on one of the two sides is missing, and no other words.
    """

    lists: Flags
    anything: Flags


def find_changed(
    before: Mapping[str, ListAnswer], after: Mapping[str, ListAnswer], planned: Sequence[str]
) -> ChangedQueries:
    """Return which queries changed; False for queries that were answered on one side alone."""
    lists, words = (np.zeros(len(planned), np.bool_) for _ in range(2))
    for row, key in enumerate(planned):
        if key in before and key in after:
            earlier, later = before[key], after[key]
            lists[row] = earlier.orders != later.orders
            words[row] = any(
                earlier.words[k] != later.words[k] for k in earlier.words.keys() & later.words
            )
    return ChangedQueries(lists, lists | words)


def moved_units(
    before: Sequence[Unit],
    after: Sequence[Unit],
    planned: Sequence[str],
    depth: int | None,
) -> ChangedQueries:
    """Return which queries changed, from their units before and after."""
    sides = ({u.key: read_answer(u, depth, words=True) for u in units} for units in (before, after))
    return find_changed(next(sides), next(sides), planned)


def panel_of(
    before: Floats,
    after: Floats,
    moved: ChangedQueries,
    cluster: Ints,
    possible: Possible | None = None,
) -> Panel:
    """Return the panel of values of queries, NaN where there is none; arrays are (Q,)."""
    lists = (("lists_changed", moved.lists),)
    return Panel.of(before, after, cluster, possible, moved.anything, lists)


def with_pages(
    panel: Panel,
    given: PairedInput,
    values: Callable[[RankedInput], Floats],
    depth: int | None,
    *,
    words: bool = True,
) -> Panel:
    """Divide the changes of queries among pages; the panel itself where none moved in several.

    `values` computes the values of other lists of the same queries, as far as `depth` ranks;
    `words` says whether texts matter.

    A page moves where it comes, goes, changes its rank or its words. Its own part is how much more
    the value after changes than the value before when the page is taken out of the list. What the
    own parts leave of a query's change is divided equally among its pages that moved in several
    queries: what takes a place that was left has come with what left it.
    """
    moved = find_moved_pages(given, panel.usable, depth, words=words)
    count = Counter(page for pages in moved for page in pages)
    number = {
        page: index for index, page in enumerate(sorted(p for p, n in count.items() if n > 1))
    }
    if not number:
        return panel
    shared_pages = [[page for page in pages if page in number][:_MOST] for pages in moved]
    raw = _own_parts(given, panel, shared_pages, values)
    parts: list[tuple[int, int, float]] = []
    for row in np.flatnonzero(panel.usable).tolist():
        pages, change = shared_pages[row], float(panel.difference[row])
        if not pages:
            parts.append((row, len(number) + int(panel.clusters[row]), change))
            continue
        rest = (change - float(raw[row, : len(pages)].sum())) / len(pages)
        parts += [
            (row, number[page], float(raw[row, index]) + rest) for index, page in enumerate(pages)
        ]
    rows, numbers, terms = map(np.array, zip(*parts, strict=True))
    return replace(panel, parts=Parts(rows, numbers, terms, len(number)))


def find_moved_pages(
    given: PairedInput, kept: Flags, depth: int | None, *, words: bool
) -> list[list[str]]:
    """Return by planned query the pages that moved, best ranks first; none where it is not kept."""
    before, after = (
        page_positions(side, depth, words=words) for side in (given.before, given.after)
    )
    moved: list[list[str]] = []
    for key, is_kept in zip(given.after.planned, kept.tolist(), strict=True):
        then, now = before.get(key, {}), after.get(key, {})
        pages = [p for p in {**then, **now} if then.get(p) != now.get(p)] if is_kept else []
        best = {p: min(rank for side in (then, now) for rank, _ in side.get(p, {})) for p in pages}
        moved.append(sorted(pages, key=lambda page: (best[page], page)))
    return moved


def page_positions(
    side: RankedInput, depth: int | None, *, words: bool
) -> Mapping[str, dict[str, dict[tuple[int, str], float]]]:
    """Return {query: {page: {(rank, document): share of the query's lists}}}."""
    lists = side.lists.cut(depth)
    planned = Counter(lists.queries)
    places: dict[str, dict[str, dict[tuple[int, str], float]]] = defaultdict(dict)
    for query, numbers in zip(lists.queries, lists.table.tolist(), strict=True):
        for rank, number in enumerate(numbers):
            if number < 0:
                break
            document = lists.documents[number]
            page = side.addresses.get(document, document)
            position = rank, document if words else page
            shares = places[query].setdefault(page, {})
            shares[position] = shares.get(position, 0.0) + 1 / planned[query]
    return places


def _own_parts(
    given: PairedInput,
    panel: Panel,
    own: Sequence[Sequence[str]],
    values: Callable[[RankedInput], Floats],
) -> Floats:
    """Return (Q, most pages of a query) own parts; 0 where a list has no value without the page."""
    planned = given.after.planned
    parts = np.zeros((len(own), max(map(len, own))))
    for index in range(parts.shape[1]):
        gone = {
            key: pages[index] for key, pages in zip(planned, own, strict=True) if len(pages) > index
        }
        then, now = (values(without_page(side, gone)) for side in (given.before, given.after))
        rows = (
            np.array([len(pages) > index for pages in own]) & np.isfinite(then) & np.isfinite(now)
        )
        added = (panel.after - now)[rows] - (panel.before - then)[rows]
        parts[rows, index] = np.where(np.abs(added) > _ROUNDING, added, 0.0)
    return parts


def without_page(side: RankedInput, gone: Mapping[str, str]) -> RankedInput:
    """Return the same lists with one page of each query taken out; its rank stays empty."""
    lists = side.lists
    number: dict[str, int] = {}
    pages = [side.addresses.get(document, document) for document in lists.documents]
    page_of = np.array([number.setdefault(page, len(number)) for page in pages], np.int64)
    page_numbers = np.array(
        [number.get(gone.get(query, ""), -2) for query in lists.queries], np.int64
    )
    if not len(page_of):
        return side
    inside = (lists.table >= 0) & (page_of[lists.table] == page_numbers[:, None])
    table = np.where(inside, len(lists.documents), lists.table)
    return replace(
        side, lists=replace(lists, documents=(*lists.documents, _TAKEN_OUT), table=table)
    )


def has_list(unit: Unit) -> bool:
    """Return whether a question has at least one usable list."""
    return any(document is not None for document in unit.documents)


def over_queries(quantity: str, score: MeasureScore, units: Sequence[Unit], left_out: int) -> Value:
    """The value of a point over queries. `left_out` questions are about women or men themselves."""
    facts: list[tuple[str, float]] = [
        ("documents", score.documents),
        ("documents_missing", score.missing),
        ("documents_empty", score.empty),
        ("queries_gendered", left_out),
        *sorted(score.details.items()),
    ]
    n_answered, measured = sum(map(has_list, units)), score.value is not None
    return Value(
        quantity, "all", State.MEASURED if measured else State.INSUFFICIENT,
        score.planned, n_answered, score.used, 0, score.value, score.low, score.high,
        score.bound_low if n_answered else None, score.bound_high if n_answered else None,
        score.reason,
        (Flag.EXPLORATORY,) if measured and score.used < EXPLORATORY_BELOW else (),
        tuple((name, float(number)) for name, number in facts if np.isfinite(number)),
    )  # fmt: skip


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

    #: Ranks of a list that count; None for all.
    cutoff: int | None
    #: Words of group terms say something about fairness only where the question has no gender.
    neutral_queries = True
    #: Whether what documents say has a part in it, or only which they are.
    reads_words = True

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

    def per_query(self, given: RankedInput) -> PerList:
        """The value of each planned query, its lists averaged."""
        return by_query(self.per_list(given), given.lists.queries, given.planned)

    def completed(self, given: RankedInput) -> RankedInput:
        """Return the input with all that is needed. Raises InvalidInput if something is missing."""
        return given

    def details(self, given: RankedInput, found: PerList) -> Mapping[str, float]:  # noqa: ARG002
        """Further numbers by name; `found` has one row per planned query."""
        return {}

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return (value,) of one query, repeats averaged; None without one."""
        per_query = self.per_query(asked_of([unit], {}))
        return (float(per_query.values[0]),) if np.isfinite(per_query.values[0]) else None

    def reduce(self, stats: Matrix, groups: Ints, weights: Floats) -> Floats:
        """(draws, groups) weighted means of the queries' values; NaN where none has weight."""
        return group_means(stats[:, 0], groups, weights)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return the mean over queries with interval and bounds, and the value of every query."""
        kept_units = [u for u in units if not (self.neutral_queries and is_gendered(u.tags))]
        ranked = asked_of(kept_units, context.beside, context.lexicons)
        per_query = self.per_query(ranked)
        score = self._score_queries(per_query, ranked)
        quantity = self.quantities[0].name
        value = over_queries(quantity, score, kept_units, left_out=len(units) - len(kept_units))
        return Result((value,), queries=query_values(quantity, per_query, ranked.planned))

    def answer(self, unit: Unit) -> ListAnswer:
        """All of a question's answer that has a part in its value."""
        return read_answer(unit, self.depth(), words=self.reads_words)

    def read(self, given: PairedInput) -> None:
        """Read at once what two sets of lists need to be read of."""

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
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
        first, second = map(self.per_query, (inputs.before, inputs.after))
        answers_then, answers_now = (
            {unit.key: self.answer(unit) for unit in units} for units in (then, now)
        )
        # A list has a part of its change in a page however few of its others could be read.
        loose = self.configure({"coverage": 0.0}) if "coverage" in self.parameters else self

        def values(lists: RankedInput) -> Floats:
            per_query = loose.per_query(lists)
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
        return self._score_queries(self.per_query(ranked), ranked)

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
