"""Genderedness of queries and of ranked documents: means over words of a lexicon.

Fabris, A., Purpura, A., Silvello, G., Susto, G. A. (2020). Gender stereotype reinforcement:
measuring the gender bias conveyed by ranking algorithms. Information Processing & Management 57(6),
section 3.2. The means leave out stop words, words that the lexicon lacks, and from a document's
mean the terms of the query it was found for.

The first toy collection (section 3.4) has one document for each of ten professions of men and ten
of women, `The man is a plumber` and `The woman is a nurse`. System S returns the stereotypical one
alone, and its slope (1.61 on word2vec) says how large slopes are with these vectors.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints, InvalidInput, WordScores, primary
from monitor.ranked.lists import Lists
from monitor.ranked.words import DocumentWords
from monitor.stats.regression import fit_line
from monitor.text.nouns import forms_to_exclude
from monitor.text.stopwords import STOP
from monitor.text.tokens import is_word, tokens, words

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


@dataclass(frozen=True, slots=True, eq=False)
class _ToyTerms:
    """Query terms that stand in a vocabulary: which (U,), and which of them each list excludes."""

    ids: Ints
    of_list: Sequence[Ints]  # numbers in `ids`


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
    terms = _find_terms(lists.queries, texts, usable, forms)
    if len(terms.ids):
        less, fewer = _sum_query_terms(rows, texts, terms, scores)
        sums, n = sums - less, n - fewer
    means = np.divide(sums, n, out=np.full(rows.shape, np.nan), where=n > 0)
    return means, n


def _find_terms(
    queries: Sequence[str],
    texts: DocumentWords,
    usable: NDArray[np.bool_],
    forms: Mapping[str, Iterable[str]],
) -> _ToyTerms:
    number = texts.number_of
    by_query = {
        query: [number[form] for form in tokens_of_form if form in number and usable[number[form]]]
        for query, tokens_of_form in forms.items()
    }
    ids = np.unique(
        np.array(
            [token for tokens_of_form in by_query.values() for token in tokens_of_form], np.int64
        )
    )
    places = {
        q: np.searchsorted(ids, np.array(tokens_of_form, np.int64))
        for q, tokens_of_form in by_query.items()
    }
    return _ToyTerms(ids, [places[query] for query in queries])


def _sum_query_terms(
    rows: Ints, texts: DocumentWords, terms: _ToyTerms, scores: Floats
) -> tuple[Floats, Ints]:
    """Return ((L, K) sum of the scores, (L, K) number) of a query's own terms.

    Only the places of query terms are looked at, and each list at its own documents alone.
    """
    is_term = np.zeros(len(texts.vocabulary), np.bool_)
    is_term[terms.ids] = True
    positions = np.flatnonzero(is_term[texts.ids])
    which = np.searchsorted(terms.ids, texts.ids[positions])
    starts = np.searchsorted(positions, texts.starts)
    sums, n = np.zeros(rows.shape), np.zeros(rows.shape, np.int64)
    step = max(1, min(_LISTS, _MEMBERS // len(terms.ids)))
    for first in range(0, len(rows), step):
        part = slice(first, first + step)
        member = np.zeros((len(rows[part]), len(terms.ids)), np.bool_)
        for row, term_numbers in enumerate(terms.of_list[part]):
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
        sums[part][list_no, rank] = np.bincount(cell, scores[terms.ids[term]], minlength=size)
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
