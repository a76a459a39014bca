"""NFaiRR: the neutrality of documents down a ranked list, beside that of the best list.

IFaiRR of Rekabsaz et al. (2021), equation 4: a list is as neutral as the most neutral documents of
a background set would be, in their best order, at the same cut-off.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from monitor.measures._shared import SCORE, choice, flag, make_quantity, ratio_of, share, whole
from monitor.measures.fairness._term_measures import OfTerms, least_neutral, neutrality
from monitor.model import Floats, Ints, Validity
from monitor.ranked.inputs import RankedInput
from monitor.ranked.lists import Lists, rank_discounts
from monitor.ranked.score import ListValues, PerList, RankWeights, per_list
from monitor.ranked.texts import Held
from monitor.text.terms import Terms

#: From magnitudes (D, G) to neutralities (D,).
Neutral = Callable[[Ints], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """P sets of documents by what matters of them at a cut-off k.

    `best` (L, k) neutralities of the most neutral documents of each list's set, best first, 0 where
    the set has fewer; `unknown` (L,) number of documents of the set that hold nothing readable.
    """

    best: Floats
    unknown: Ints

    def best_order(self, weights: Floats) -> Floats:
        """(L,) best order of what could be read, on the ranks that have weight (L, k)."""
        return np.asarray((self.best * -np.sort(-weights, axis=1)).sum(axis=1), dtype=np.float64)

    def ideal_with(self, neutral: int) -> Floats:
        """(L,) best order on all ranks, were so many of the unknown documents fully neutral."""
        weights = rank_discounts(self.best.shape[1])
        rest = self.best[:, : len(weights) - neutral] @ weights[neutral:]
        return np.asarray(weights[:neutral].sum() + rest, dtype=np.float64)


def make_background(
    which: str, given: RankedInput, cutoff: int, terms: Terms, neutral: Neutral
) -> Background:
    """The background of each list.

    "list": all of its own documents. "union": those of all lists of the same query, of the systems
    beside it too. "run": those of all lists of the system. "collection": all that have a text.
    """
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    sets, documents, of_list = _find_members(which, given, numbers)
    counts, row = given.texts.counts(tuple(numbers), terms)
    read = row >= 0
    read[read] = counts.lengths[row[read]] > 0
    omega = np.full(len(row), np.nan)
    omega[read] = neutral(counts.counts[row[read]])
    size = int(max(of_list.max(initial=-1), sets.max(initial=-1))) + 1
    best, unknown = _best_values(sets, omega[documents], size, cutoff)
    return Background(best[of_list], unknown[of_list])


def _find_members(
    which: str, given: RankedInput, numbers: defaultdict[str, int]
) -> tuple[Ints, Ints, Ints]:
    """((N,) numbers of sets, (N,) of documents in them, no pair twice; (L,) set of each list)."""
    lists = given.lists
    own_numbers = _number_documents(lists.documents, numbers)
    if which == "list":
        query_numbers = np.arange(len(lists.queries), dtype=np.int64)
        sets, documents = _flatten_lists(lists, query_numbers, own_numbers)
        return sets, documents, query_numbers
    if which == "union":
        number = {query: index for index, query in enumerate(dict.fromkeys(lists.queries))}
        of_list = np.array([number[query] for query in lists.queries], np.int64)
        parts = [_flatten_lists(lists, of_list, own_numbers)]
        for other in given.beside.values():
            rows = np.array([number.get(query, -1) for query in other.queries], np.int64)
            others = _number_documents(other.documents, numbers)
            sets, documents = _flatten_lists(other, rows, others)
            parts.append((sets[sets >= 0], documents[sets >= 0]))
        sets, documents = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        size = max(len(numbers), 1)
        sets, documents = np.divmod(np.unique(sets * size + documents), size)
        return sets, documents, of_list
    if which == "collection":
        own_numbers = np.union1d(own_numbers, _number_documents(given.texts.documents, numbers))
    return np.zeros(len(own_numbers), np.int64), own_numbers, np.zeros(len(lists.queries), np.int64)


def _number_documents(documents: Sequence[str], numbers: defaultdict[str, int]) -> Ints:
    return np.fromiter(map(numbers.__getitem__, documents), np.int64, len(documents))


def _flatten_lists(lists: Lists, of_list: Ints, number: Ints) -> tuple[Ints, Ints]:
    inside = lists.table >= 0
    sets = np.broadcast_to(of_list[:, None], inside.shape)[inside]
    return sets, number[lists.table[inside]] if len(number) else np.zeros(0, np.int64)


def _best_values(sets: Ints, omega: Floats, size: int, cutoff: int) -> tuple[Floats, Ints]:
    """((P, k) highest values of each set, (P,) number of those that are NaN)."""
    read = ~np.isnan(omega)
    unknown = np.bincount(sets[~read], minlength=size)
    sets, omega = sets[read], omega[read]
    order = np.lexsort((-omega, sets))
    sets, omega = sets[order], omega[order]
    rank = np.arange(len(sets)) - np.searchsorted(sets, sets)
    is_kept = rank < cutoff
    best = np.zeros((size, cutoff))
    best[sets[is_kept], rank[is_kept]] = omega[is_kept]
    return best, unknown.astype(np.int64)


_OF_DISCOUNTS = ("ideal", "shown")
#: Value, lowest, highest, and whether they are one.
Made = tuple[Floats, Floats, Floats, NDArray[np.bool_]]
_BACKGROUNDS = (*_OF_DISCOUNTS, "list", "union", "run", "collection")


@dataclass(frozen=True, slots=True)
class NFaiRR(OfTerms):
    """Share of the neutrality that a list could have at its cut-off.

    NFaiRR@k = FaiRR@k / IFaiRR@k, with FaiRR@k = sum over ranks r <= k of omega(d_r) / log2(r + 1)
    and IFaiRR@k the same for the most neutral documents of a background set in their best order.
    omega is 1 for a document with at most `tau` group terms, else 1 - sum_g |M_g / sum M - J_g| /
    max with max = 2 (1 - min J), or without max where `raw` is set, as published. From 0 (below 0
    where `raw` and targets are unequal) to 1, which is neutral. A list without any group term has
    1 too: it says nothing about groups, so the discounted share of documents that do (`rbdf`) and
    the share of such queries (`without_terms`) stand beside.

    `background`: "ideal" is the sum of all k discounts, which no other engine can move; it equals
    the collection wherever that has k neutral documents, and a list shorter than k does not reach
    1. "shown": the discounts of the ranks that the list has. "list": all documents of the list
    itself, also behind the cut-off. "union": those of all lists of the same query, of the systems
    beside it too. "run": those of all lists of the system. "collection": all that have a text.
    Where even the best order has no neutrality there is no value.

    Missing and empty documents are unknown, never neutral: their ranks are left out of both sums,
    and they are left out of the background. Readable ones must hold `coverage` of the discounts of
    a list. The bounds let every unknown document have any neutrality, in the list and in the
    background at once. They are exact for "ideal" and "shown", as is the lower one of all others
    unless `raw`; the rest may lie further out than any completion.
    """

    coverage: float = share(0.5)
    tau: int = whole(1, 0)
    raw: bool = flag(default=False)
    background: str = choice("ideal", _BACKGROUNDS)

    name = "NFaiRR"
    title = "normalised neutrality (NFaiRR)"
    version = 2
    citation = (
        "Rekabsaz, N., Kopeinik, S., Schedl, M. (2021). Societal biases in retrieved contents: "
        "Measurement framework and adversarial mitigation of BERT rankers. SIGIR '21"
    )
    quantities = (
        make_quantity(
            "nfairr", "neutrality, of the highest possible", "neutrality of the first results",
            SCORE._replace(neutral=1.0), "score", "shows more neutral results",
            "shows less neutral results", rank=1,
        ),
    )  # fmt: skip
    validity = Validity(
        means=(
            "Which share of the neutrality that the best order of the background could have a "
            "list has; 1 is all of it."
        ),
        does_not_mean=(
            "A value of 1 can mean that no document names any group, which the share of "
            "representative documents beside it tells, and it does not mean that nobody is "
            "stereotyped."
        ),
        assumes=(
            "The questions name no gender themselves, the word lists stand for the groups, "
            "attention falls with the logarithm of the rank, and the background is what could "
            "have been shown."
        ),
        harm=(
            "Representational: documents that speak of one group alone crowd out the other, which "
            "concerns the people of the groups, as far as the word lists name them."
        ),
    )

    def depth(self) -> int | None:
        return self.cutoff if self.background in _OF_DISCOUNTS else None

    def limits(self) -> tuple[float, float]:
        least = self._least()
        if least < 0 and self.background not in _OF_DISCOUNTS:
            return -np.inf, np.inf  # a best order that ends below 0 can have less than a short list
        return least, 1.0

    def per_list(self, ranked: RankedInput) -> PerList:
        words = self.words
        magnitudes = ranked.texts.magnitudes(ranked.lists.cut(self.cutoff), words)
        seen = RankWeights.discounted(magnitudes.held)
        text = seen.of(Held.TEXT)
        total = (text * self._neutrality(magnitudes.counts)).sum(axis=1)
        term = text * (magnitudes.counts.sum(axis=2) > 0)
        further = {
            "rbdf": ratio_of(term.sum(axis=1), text.sum(axis=1)),
            "without_terms": (term.sum(axis=1) == 0).astype(np.float64),
        }
        if self.background in _OF_DISCOUNTS:
            values = self._of_discounts(seen, total)
        else:
            behind = make_background(self.background, ranked, self.cutoff, words, self._neutrality)
            values = self._of_documents(seen, total, behind)
        undefined = "the best order of its background has no neutrality"
        return per_list(seen, ListValues(*values, undefined, further), self.coverage, Held.TEXT)

    def _neutrality(self, counts: Ints) -> Floats:
        return neutrality(counts, self.words.targets, self.tau, raw=self.raw)

    def _least(self) -> float:
        return least_neutral(self.words.targets, raw=self.raw)

    def _of_discounts(self, seen: RankWeights, total: Floats) -> Made:
        """Beside a sum of discounts."""
        unknown = seen.weight(Held.MISSING, Held.EMPTY)
        whole_list = seen.weights.sum(axis=1)
        ideal = np.full(len(total), rank_discounts(self.cutoff).sum())
        ideal = ideal if self.background == "ideal" else whole_list
        low, high = (
            ratio_of(total + self._least() * unknown, ideal),
            ratio_of(total + unknown, ideal),
        )
        return ratio_of(total, ideal - unknown), low, high, unknown == 0

    def _of_documents(self, seen: RankWeights, total: Floats, behind: Background) -> Made:
        """Beside the best order of documents."""
        unknown = seen.of(Held.MISSING, Held.EMPTY)
        ranks = np.tile(rank_discounts(self.cutoff), (len(total), 1))
        ranks[:, : unknown.shape[1]] -= unknown
        value, certain = ratio_of(total, behind.best_order(ranks)), behind.unknown == 0
        if certain.all():
            return value, value, value, certain
        low, high = (_bounds_raw if self._least() < 0 else _ratio_bounds)(
            total, unknown, behind, self._least()
        )
        return value, low, high, certain


def _ratio_bounds(
    total: Floats, unknown: Floats, behind: Background, _: float
) -> tuple[Floats, Floats]:
    """Lowest and highest ratio, were each unknown document anything from 0 to 1.

    FaiRR is linear and IFaiRR convex in the neutralities, so their ratio is lowest where each of
    them is 0 or 1. IFaiRR then depends on how many are 1, and FaiRR is least where those stand
    outside of the list or on its last ranks.
    """
    cutoff = behind.best.shape[1]
    inside = (unknown > 0).sum(axis=1)
    # the smallest weights first, in cumulative sums; those that have none stand before them
    last = np.cumsum(np.sort(np.where(unknown > 0, unknown, np.inf), axis=1), axis=1)
    last = np.concatenate([np.zeros((len(total), 1)), last], axis=1)
    low = np.full(len(total), np.inf)
    for neutral in range(cutoff + 1):
        in_list = np.clip(neutral - (behind.unknown - inside), 0, inside)
        added = np.take_along_axis(last, in_list[:, None], axis=1)[:, 0]
        ratio = ratio_of(total + added, behind.ideal_with(neutral))
        low = np.where(neutral <= behind.unknown, np.fmin(low, ratio), low)
    most = ratio_of(total + unknown.sum(axis=1), behind.ideal_with(0))
    return np.where(np.isinf(low), np.nan, low), np.fmin(np.nan_to_num(most, nan=1.0), 1.0)


def _bounds_raw(
    total: Floats, unknown: Floats, behind: Background, least: float
) -> tuple[Floats, Floats]:
    """The same where neutralities lie between `least` < 0 and 1: both sums moved on their own."""
    weight = unknown.sum(axis=1)
    lowest, highest = total + least * weight, total + weight
    smallest = behind.ideal_with(0) + least * rank_discounts(behind.best.shape[1]).sum()
    largest = rank_discounts(behind.best.shape[1]).sum()
    safe = np.where(smallest > 0, smallest, np.nan)
    low = lowest / np.where(lowest < 0, safe, largest)
    high = highest / np.where(highest < 0, largest, safe)
    return np.where(np.isnan(safe), -np.inf, low), np.where(np.isnan(safe), np.inf, high)


MEASURE = NFaiRR()
