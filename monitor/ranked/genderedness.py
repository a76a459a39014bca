"""Genderedness of queries and of ranked documents: means over words of a lexicon.

Fabris, A., Purpura, A., Silvello, G., Susto, G. A. (2020). Gender stereotype reinforcement:
measuring the gender bias conveyed by ranking algorithms. Information Processing & Management 57(6),
section 3.2. The means leave out stop words, words that the lexicon lacks, and from a document's
mean the terms of the query it was found for.

The first toy collection (section 3.4) has one document for each of ten professions of men and ten
of women, `The man is a plumber` and `The woman is a nurse`. System S returns the stereotypical one
alone, and its slope (1.61 on word2vec) says how large slopes are with these vectors.

GSR is the slope of the least-squares line of list genderedness on query genderedness (equation 3).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints, InvalidInput, WordScores, primary
from monitor.ranked.inputs import RankedInput
from monitor.ranked.lists import Lists, lists_of, rank_discounts
from monitor.ranked.score import MeasureScore, PerList, by_query, to_finite, value_ranges
from monitor.ranked.texts import DocumentTexts, Held, held_at
from monitor.ranked.words import DocumentWords
from monitor.stats.intervals import Limits
from monitor.stats.regression import (
    LEAST_VARIANCE,
    FittedLine,
    fit_line,
    jackknife_limits,
    p_of_null,
    permuted_slopes,
    slope_bounds,
)
from monitor.stats.resampling import generator, percentile_interval
from monitor.text.nouns import forms_to_exclude
from monitor.text.tokens import STOP, is_word, stop_words, tokens, words

#: What of a query is left out of its documents.
EXCLUDE = ("lemma", "exact", "none")
#: Lists at a time: bounds the memory that query terms in documents take.
_LISTS = 64
_MEMBERS = 1 << 24


def check_lexicon(lexicon: WordScores) -> None:
    """Raise InvalidInput for a lexicon of another language than stop words and lemmas."""
    if primary(lexicon.language) != "en":
        raise InvalidInput(
            f"lexicon {lexicon.name!r} is of language {lexicon.language!r}; genderedness of "
            "queries and documents is measured in English: name a lexicon of language 'en'"
        )


def usable_scores(
    vocabulary: Sequence[str], lexicon: WordScores, stop: frozenset[str] = STOP
) -> Floats:
    """(V,) g(w), NaN for what no mean counts: stop words, numbers, what the lexicon lacks."""
    word_scores = np.array(lexicon.scores(vocabulary), np.float64)
    for index in np.flatnonzero(np.isfinite(word_scores)).tolist():
        word = vocabulary[index]
        # Letters alone are a word, from two on; the full test takes ten times as long.
        plain = len(word) > 1 and word.isalpha()
        if word in stop or not (plain or is_word(word)):
            word_scores[index] = np.nan
    return word_scores


def query_genderedness(
    queries: Sequence[str], lexicon: WordScores, stop: frozenset[str] = STOP
) -> Floats:
    """(Q,) g(q): mean over the words of each query; NaN for one without any word that counts."""
    read = [words(query) for query in queries]
    row = np.repeat(np.arange(len(read)), [len(query_words) for query_words in read])
    scores = usable_scores([word for query_words in read for word in query_words], lexicon, stop)
    has_score = np.isfinite(scores)
    n = np.bincount(row[has_score], minlength=len(read))
    total = np.bincount(row[has_score], scores[has_score], minlength=len(read))
    return np.asarray(np.divide(total, n, out=np.full(len(read), np.nan), where=n > 0), np.float64)


def excluded_forms(query: str, exclude: str, vocabulary: Mapping[str, int]) -> Iterable[str]:
    """The words of a vocabulary that do not count in documents found for a query."""
    if exclude == "none":
        return ()
    query_tokens = tokens(query)
    return forms_to_exclude(query_tokens, vocabulary) if exclude == "lemma" else set(query_tokens)


def document_genderedness(
    lists: Lists,
    rows: Ints,
    texts: DocumentWords,
    per_word: Floats,
    forms: Mapping[str, Iterable[str]],
) -> tuple[Floats, Ints]:
    """((L, K) g_q(d), NaN without a word that counts; (L, K) the number of words that count).

    `rows` (L, K) are the rows of documents in `texts`, -1 where nothing was read; `per_word` (V,)
    what `usable_scores` made of the vocabulary; `forms` what each query excludes.
    """
    usable = np.isfinite(per_word)
    if not len(texts.documents) or not usable.any():
        return np.full(rows.shape, np.nan), np.zeros(rows.shape, np.int64)
    scores = np.where(usable, per_word, 0.0)
    read = rows >= 0
    sums = np.where(read, texts.sums(scores)[rows], 0.0)
    n: Ints = np.where(read, texts.counts(usable)[rows], 0)
    terms, of_list = _find_terms(lists.queries, texts, usable, forms)
    if len(terms):
        less, fewer = _sum_query_terms(rows, texts, terms, of_list, scores)
        sums, n = sums - less, n - fewer
    means = np.divide(sums, n, out=np.full(rows.shape, np.nan), where=n > 0)
    return means, n


def _find_terms(
    queries: Sequence[str],
    texts: DocumentWords,
    usable: NDArray[np.bool_],
    forms: Mapping[str, Iterable[str]],
) -> tuple[Ints, list[Ints]]:
    """Return (query terms that stand in a vocabulary, places of those that each list excludes)."""
    number = texts.number_of
    by_query = {
        query: [number[form] for form in tokens_of_form if form in number and usable[number[form]]]
        for query, tokens_of_form in forms.items()
    }
    ids = np.unique(np.array([term for terms in by_query.values() for term in terms], np.int64))
    places = {
        query: np.searchsorted(ids, np.array(terms, np.int64)) for query, terms in by_query.items()
    }
    return ids, [places[query] for query in queries]


def _sum_query_terms(
    rows: Ints, texts: DocumentWords, terms: Ints, of_list: Sequence[Ints], scores: Floats
) -> tuple[Floats, Ints]:
    """Return ((L, K) sum of the scores, (L, K) number) of a query's own terms.

    Only the places of query terms are looked at, and each list at its own documents alone.
    """
    is_term = np.zeros(len(texts.vocabulary), np.bool_)
    is_term[terms] = True
    positions = np.flatnonzero(is_term[texts.ids])
    which = np.searchsorted(terms, texts.ids[positions])
    starts = np.searchsorted(positions, texts.starts)
    sums, n = np.zeros(rows.shape), np.zeros(rows.shape, np.int64)
    step = max(1, min(_LISTS, _MEMBERS // len(terms)))
    for first in range(0, len(rows), step):
        part = slice(first, first + step)
        member = np.zeros((len(rows[part]), len(terms)), np.bool_)
        for row, term_numbers in enumerate(of_list[part]):
            member[row, term_numbers] = True
        list_no, rank = np.nonzero(rows[part] >= 0)
        document = rows[part][list_no, rank]
        length = starts[document + 1] - starts[document]
        cell = np.repeat(np.arange(len(document)), length)
        offset = np.arange(len(cell)) - np.repeat(np.cumsum(length) - length, length)
        term = which[starts[document][cell] + offset]
        is_own = member[list_no[cell], term]
        cell, term = cell[is_own], term[is_own]
        size = len(document)
        sums[part][list_no, rank] = np.bincount(cell, scores[terms[term]], minlength=size)
        n[part][list_no, rank] = np.bincount(cell, minlength=size)
    return sums, n


#: By whose stereotype they are: Table A.1 of the paper.
PROFESSIONS = {
    "man": (
        "stonemason roofer electrician plumber carpenter firefighter millwright welder machinist "
        "driver"
    ).split(),
    "woman": (
        "hygienist secretary hairdresser dietician paralegal receptionist phlebotomist maid nurse "
        "typist"
    ).split(),
}
_FEWEST = 3


def toy_slope(lexicon: WordScores) -> float | None:
    """The slope of toy 1, system S, with a lexicon; None where it lacks too many of its words."""
    pairs = [(query, whom) for whom, professions in PROFESSIONS.items() for query in professions]
    x = query_genderedness([query for query, _ in pairs], lexicon)
    y = query_genderedness([whom for _, whom in pairs], lexicon)
    is_known = np.isfinite(x) & np.isfinite(y)
    if is_known.sum() < _FEWEST:
        return None
    line = fit_line(x[is_known], y[is_known])
    return None if line is None else line.slope


DISCOUNTS = ("paper", "code", "none")
STOP_LISTS = ("kept", "published")
TIES = ("order", "competition")


@dataclass(frozen=True, slots=True)
class GenderednessRules:
    """Parameters of the measure that decide how genderedness is averaged."""

    cutoff: int | None = None
    discount: str = "paper"
    exclude: str = "lemma"
    stopwords: str = "kept"
    ties: str = "order"
    relevant: bool = False

    @property
    def stop(self) -> frozenset[str]:
        """Return the words that are dropped from queries and documents."""
        return stop_words(published=self.stopwords == "published")


@dataclass(frozen=True, slots=True, eq=False)
class Gendered:
    """Lists with g_q(d) (L, K), NaN where it has none, and the share of each rank in its list."""

    lists: Lists
    documents: Floats
    shares: Floats  # (L, K), sum 1 over the documents that have g_q(d)
    per_list: PerList


def read_once(given: RankedInput) -> RankedInput:
    """The same with all texts that its lists need read as words, each once."""
    all_lists = [given.lists, *given.beside.values()]
    needed = dict.fromkeys(document for lists in all_lists for document in lists.documents)
    for grades in (given.judgements or {}).values():
        needed.update(dict.fromkeys(grades))
    words, _ = given.texts.words(tuple(needed))
    return replace(given, texts=DocumentTexts(words))


def query_values_of(given: RankedInput, lexicon: WordScores, rules: GenderednessRules) -> Floats:
    """(Q,) g(q) of the planned queries; NaN for one without a word that counts."""
    query_texts = [given.queries.get(key, "") for key in given.planned]
    return query_genderedness(query_texts, lexicon, rules.stop)


def rank_weights(lists: Lists, rules: GenderednessRules) -> Floats:
    """(L, K) weight of every rank. Raises InvalidInput for ties without the ranker's scores."""
    better = np.broadcast_to(np.arange(lists.table.shape[1]), lists.table.shape)
    if rules.ties == "competition":
        better = _count_better(lists)
    if rules.discount == "none":
        return np.ones(lists.table.shape)
    if rules.discount == "paper":
        return rank_discounts(max(lists.table.shape[1], 1))[better]
    return np.asarray(1 / np.maximum(1.0, np.log2(better + 1)), np.float64)


def _count_better(lists: Lists) -> Ints:
    """(L, K) number of documents of the list with a better score: competition ranks from 0."""
    if lists.scores is None:
        raise InvalidInput("ties='competition' needs the ranker's scores, and the lists have none")
    inside = lists.table >= 0
    if not np.isfinite(lists.scores[inside]).all():
        raise InvalidInput("ties='competition': a document has no score")
    worse = np.where(inside, -lists.scores, np.inf)
    ordered = np.sort(worse, axis=1)
    better_counts = np.zeros(lists.table.shape, np.int64)
    for row in range(len(worse)):
        better_counts[row] = np.searchsorted(ordered[row], worse[row])
    return np.where(inside, better_counts, 0)


def relevant_lists(queries: Sequence[str], judgements: Mapping[str, Mapping[str, int]]) -> Lists:
    """The relevant documents of each query, best grades first, with the grades as scores."""
    relevant = {
        query: _relevant_documents(judgements.get(query, {})) for query in dict.fromkeys(queries)
    }
    scores = {query: [float(grade) for _, grade in graded] for query, graded in relevant.items()}
    documents = {query: [document for document, _ in graded] for query, graded in relevant.items()}
    return lists_of(documents.items(), scores)


def _relevant_documents(grades: Mapping[str, int]) -> list[tuple[str, int]]:
    relevant = [(document, grade) for document, grade in grades.items() if grade > 0]
    return sorted(relevant, key=lambda one: (-one[1], one[0]))


def _to_depth(lists: Lists, judgements: Mapping[str, Mapping[str, int]]) -> Lists:
    """Every list cut off at the number of documents that are relevant to its query."""
    depth = {query: len(_relevant_documents(grades)) for query, grades in judgements.items()}
    deepest = np.array([depth.get(query, 0) for query in lists.queries], np.int64)
    inside = np.arange(lists.table.shape[1])[None, :] < deepest[:, None]
    scores = None if lists.scores is None else np.where(inside, lists.scores, np.nan)
    return replace(lists, table=np.where(inside, lists.table, -1), scores=scores)


def score_lists(
    given: RankedInput, lists: Lists, lexicon: WordScores, rules: GenderednessRules
) -> Gendered:
    """g_q(d) at every rank and the genderedness of every list (section 3.2, equation 2)."""
    lists = lists.cut(rules.cutoff)
    if rules.relevant:
        lists = _to_depth(lists, given.judgements or {})
    words, row = given.texts.words(lists.documents)
    held, text_rows = held_at(lists, row, words.lengths)
    rows = np.where((held == Held.TEXT) | (held == Held.EMPTY), text_rows, -1)
    number = words.number_of
    forms = {
        query: excluded_forms(given.queries.get(query, ""), rules.exclude, number)
        for query in dict.fromkeys(lists.queries)
    }
    per_word = usable_scores(words.vocabulary, lexicon, rules.stop)
    g, _ = document_genderedness(lists, rows, words, per_word, forms)
    counted, missing = np.isfinite(g), held == Held.MISSING
    weight = rank_weights(lists, rules)
    total = (weight * counted).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = weight * counted / total[:, None]
        # a sum over no document at all would be 0, which is a genderedness
        values = np.where(total > 0, (shares * np.where(counted, g, 0.0)).sum(axis=1), np.nan)
        unread = (weight * missing).sum(axis=1)
        low, high = (
            (np.where(total > 0, values, 0.0) * total + end * unread) / (total + unread)
            for end in (lexicon.low, lexicon.high)
        )
    whole = unread == 0
    per_list = PerList(
        values=values,
        low=np.where(whole, values, np.minimum(low, np.where(total > 0, values, low))),
        high=np.where(whole, values, np.maximum(high, np.where(total > 0, values, high))),
        documents=np.asarray((lists.table >= 0).sum(axis=1), np.int64),
        used=np.asarray(counted.sum(axis=1), np.int64),
        missing=np.asarray(missing.sum(axis=1), np.int64),
        empty=np.asarray((held == Held.EMPTY).sum(axis=1), np.int64),
    )
    return Gendered(lists, g, shares, replace(per_list, reasons=_list_reasons(per_list, rules)))


def _list_reasons(found: PerList, rules: GenderednessRules) -> dict[int, str]:
    reasons = {}
    for row in np.flatnonzero(np.isnan(found.values)).tolist():
        documents, missing = int(found.documents[row]), int(found.missing[row])
        if documents:
            reasons[row] = (
                f"none of {documents} documents has a word that counts; {missing} could not be read"
            )
        else:
            reasons[row] = "no relevant document is known" if rules.relevant else "an empty list"
    return reasons


def over_planned(found: Gendered, planned: Sequence[str], x: Floats, lexicon: str) -> PerList:
    """One row per planned query with its g(q); a query without one has no value either."""
    merged = by_query(found.per_list, found.lists.queries, planned)
    defined = np.isfinite(x)
    reasons = dict(merged.reasons)
    for index in np.flatnonzero(~defined).tolist():
        reasons[index] = f"no word of the query counts in lexicon {lexicon}"
    return replace(
        merged,
        values=np.where(defined, merged.values, np.nan),
        low=np.where(defined, merged.low, np.nan),
        high=np.where(defined, merged.high, np.nan),
        reasons=reasons,
        x=x,
    )


def select_queries(found: PerList, rows: Ints) -> PerList:
    """Some of the queries alone."""
    new_rows = {int(old): new for new, old in enumerate(rows)}
    columns: dict[str, Any] = {
        name: column[rows]
        for name in PerList.__slots__
        if isinstance(column := getattr(found, name), np.ndarray)
    }
    reasons = {new_rows[row]: why for row, why in found.reasons.items() if row in new_rows}
    return PerList(**columns, reasons=reasons)


#: Streams of random numbers, so that one does not move when another is asked for.
NULL, SIGNS = 1, 2


@dataclass(frozen=True, slots=True)
class SlopeRule:
    """Conditions of a slope: least number of queries, lowest and highest score of any word."""

    floor: int
    low: float
    high: float
    seed: int
    draws: int


@dataclass(frozen=True, slots=True, eq=False)
class Slope:
    """A slope, or why there is none; `found` has the influence of every query."""

    found: PerList
    line: FittedLine | None
    reason: str


def usable_queries(found: PerList) -> NDArray[np.bool_]:
    """(Q,) which queries have both genderednesses."""
    return np.isfinite(found.values) & np.isfinite(x_of(found))


def x_of(found: PerList) -> Floats:
    """(Q,) genderedness of the queries."""
    return np.full(len(found.values), np.nan) if found.x is None else found.x


def slope_of(found: PerList, floor: int) -> Slope:
    """The slope over the queries that have both genderednesses."""
    is_usable = usable_queries(found)
    x = x_of(found)[is_usable]
    used, planned, unknown = len(x), len(is_usable), int(np.isnan(x_of(found)).sum())
    line = fit_line(x, found.values[is_usable]) if used >= floor else None
    if line is None:
        reason = (
            f"the genderedness of the queries is constant: variance {x.var():.3g} over {used} "
            f"queries, at least {LEAST_VARIANCE:.0e} is needed"
            if used >= floor
            else f"{used} usable queries of {planned} planned, floor {floor}: {unknown} without a "
            f"word that counts, {planned - used - unknown} without a document that has one"
        )
        return Slope(found, None, reason)
    influence = np.full(len(is_usable), np.nan)
    influence[is_usable] = line.influence
    return Slope(replace(found, influence=influence), line, "")


def slope_score(
    name: str, slope: Slope, planned: Sequence[str], rule: SlopeRule, further: Mapping[str, float]
) -> MeasureScore:
    """The slope with its interval, bounds and details; `further` details come from the caller."""
    gendered_lists, line = slope.found, slope.line
    low, high = genderedness_ranges(gendered_lists, rule)
    limits = None if line is None else _slope_bounds(x_of(gendered_lists), low, high, line.slope)
    details = dict(_slope_details(gendered_lists, line, rule)) | dict(further)
    return MeasureScore(
        name=name,
        value=None if line is None else line.slope,
        per_query={
            key: to_finite(value) for key, value in zip(planned, gendered_lists.values, strict=True)
        },
        planned=len(planned),
        used=int(usable_queries(gendered_lists).sum()),
        bound_low=limits.low if limits else None,
        bound_high=limits.high if limits else None,
        documents=int(gendered_lists.documents.sum()),
        missing=int(gendered_lists.missing.sum()),
        empty=int(gendered_lists.empty.sum()),
        reason=slope.reason,
        reasons={
            planned[query_index]: reason
            for query_index, reason in sorted(gendered_lists.reasons.items())
        },
        details={key: number for key, number in details.items() if np.isfinite(number)},
        limits=lambda: _jackknife_interval(gendered_lists),
    )


def genderedness_ranges(found: PerList, rule: SlopeRule) -> tuple[Floats, Floats]:
    """(Q,) lowest and highest genderedness of each list; NaN for queries that no slope counts."""
    low, high = value_ranges(found, rule.low, rule.high)
    is_known = np.isfinite(x_of(found))
    return np.where(is_known, low, np.nan), np.where(is_known, high, np.nan)


def _slope_bounds(x: Floats, low: Floats, high: Floats, value: float) -> Limits:
    counted = np.isfinite(low)
    if np.array_equal(low[counted], high[counted]):  # nothing is missing
        return Limits(value, value)
    limits = slope_bounds(x[counted], low[counted], high[counted])
    return Limits(min(limits.low, value), max(limits.high, value))


def cluster_of(found: PerList, kept: NDArray[np.bool_]) -> Ints:
    """Return which of some queries are about the same words, numbered from 0."""
    if found.cluster is None:
        return np.arange(int(kept.sum()), dtype=np.int64)
    return np.unique(found.cluster[kept], return_inverse=True)[1].astype(np.int64)


def _jackknife_interval(found: PerList) -> Limits | None:
    """Jackknife over clusters of the queries that have both genderednesses.

    It says nothing about missing documents, which could hold any words: these are the bounds'
    matter, and where many are missing bounds are wider than any interval.
    """
    is_usable = usable_queries(found)
    return jackknife_limits(
        x_of(found)[is_usable], found.values[is_usable], cluster_of(found, is_usable)
    )


def _slope_details(
    found: PerList, line: FittedLine | None, rule: SlopeRule
) -> Iterator[tuple[str, float]]:
    is_usable = usable_queries(found)
    yield "queries_dropped", float(len(is_usable) - is_usable.sum())
    yield "documents_dropped", float((found.documents - found.used - found.missing).sum())
    if is_usable.any():
        yield "query_mean", float(x_of(found)[is_usable].mean())
        yield "query_variance", float(x_of(found)[is_usable].var())
    if line is None:
        return
    yield "intercept", line.intercept
    numbers = (("slope_se", line.se), ("slope_se_hc3", line.hc3), ("r", line.r))
    yield from ((name, number) for name, number in numbers if number is not None)
    yield from _null_slopes(line, found.values[is_usable], cluster_of(found, is_usable), rule)


def _null_slopes(
    line: FittedLine, y: Floats, cluster: Ints, rule: SlopeRule
) -> Iterator[tuple[str, float]]:
    """Return the slopes that come out when lists are given to queries at random."""
    null = permuted_slopes(line.centred, y, rule.draws, generator(rule.seed, NULL), cluster)
    if len(null):
        yield "clusters", float(cluster.max() + 1)
    p, limits = p_of_null(line.slope, null), percentile_interval(null)
    if p is not None and limits is not None:
        yield "p", p
        yield "null_mean", float(null.mean())
        yield "null_low", limits.low
        yield "null_high", limits.high


@dataclass(frozen=True, slots=True)
class DocumentInfluence:
    """One document in one list: `influence` = (g(q) - mean g) / Sxx * weight * g.

    The slope is the sum of all influences (Fabris et al. 2020, equation 5): a positive one raises
    it. `weight` is the share of the rank in its list; a query with several lists shares it among
    them.
    """

    query: str
    document: str
    rank: int
    g: float
    weight: float
    influence: float


def document_influence(
    given: RankedInput, found: Gendered, slope: Slope
) -> list[DocumentInfluence]:
    """Return every document that counts, in list order. Raises InvalidInput without a slope."""
    if slope.line is None:
        raise InvalidInput(f"no slope that a document could move: {slope.reason}")
    is_usable = usable_queries(slope.found)
    pull = np.zeros(len(is_usable))
    pull[is_usable] = slope.line.centred / slope.line.sxx
    number = {key: row for row, key in enumerate(given.planned)}
    row = np.array([number[query] for query in found.lists.queries], np.int64)
    valued = np.isfinite(found.per_list.values)
    lists = np.bincount(row[valued], minlength=len(is_usable))
    list_no, rank = np.nonzero(np.isfinite(found.documents) & is_usable[row][:, None])
    g = found.documents[list_no, rank]
    query = row[list_no]
    weight = found.shares[list_no, rank] / lists[query]
    influence = pull[query] * weight * g
    names = found.lists.documents
    return [
        DocumentInfluence(given.planned[q], names[document], position, *numbers)
        for q, document, position, *numbers in zip(
            query.tolist(),
            found.lists.table[list_no, rank].tolist(),
            (rank + 1).tolist(),
            g.tolist(),
            weight.tolist(),
            influence.tolist(),
            strict=True,
        )
    ]
