"""Measures of ranked lists by words that stand for groups of people: base classes and curves.

Abolghasemi, A., Azzopardi, L., Askari, A., de Rijke, M., Verberne, S. (2024). Measuring bias in a
ranked list using term-based representations. ECIR '24, equations 5 to 12.

Attention-weighted exposure: Sapiezynski, P., Zeng, W., Robertson, R. E., Mislove, A., Wilson, C.
(2019). Quantifying the impact of user attention on fair group representation in ranked lists.
WWW '19 Companion.

Neutrality: Rekabsaz, N., Kopeinik, S., Schedl, M. (2021). Societal biases in retrieved contents:
Measurement framework and adversarial mitigation of BERT rankers. SIGIR '21, equations 1 to 4.

Prefixes: Rekabsaz, N., Schedl, M. (2020). Do neural ranking models intensify gender bias?
SIGIR '20, equations 1 to 5.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from monitor.measures import _library_input, parse
from monitor.measures._library_input import Run, TextsGiven, read_input
from monitor.measures._query_means import MeanOverQueries
from monitor.measures._shared import flag, ratio_of, share, whole
from monitor.model import Floats, Ints, InvalidInput
from monitor.ranked import texts as counting
from monitor.ranked.inputs import PairedInput, RankedInput
from monitor.ranked.lists import rank_discounts
from monitor.ranked.score import ListValues, MeasureScore, PerList, RankWeights, per_list
from monitor.ranked.texts import Held, TermCounts, counts_of_words
from monitor.ranked.words import DocumentWords
from monitor.text.terms import Terms, default_terms

Flags = NDArray[np.bool_]


def term_exposure(counts: Ints, lengths: Ints, weights: Floats) -> Floats:
    """(L, G) TE_g = sum over ranks of weight times M_g / |d|; a document without words adds 0."""
    shares = counts / np.maximum(lengths, 1)[..., None]
    return np.asarray(np.einsum("lkg,lk->lg", shares, weights), dtype=np.float64)


def shares_of(exposure: Floats) -> Floats:
    """(L, G) share of each group in all exposure; NaN where no group has any."""
    return ratio_of(exposure, exposure.sum(axis=1, keepdims=True))


def share_distance(shares: Floats, targets: Sequence[float]) -> Floats:
    """(L,) sum_g |p_g - J_g|, from 0 to 2 (1 - min J)."""
    return np.asarray(np.abs(shares - np.asarray(targets)).sum(axis=-1), dtype=np.float64)


def reachable_corners(known: Floats, unknown: Floats) -> Floats:
    """Return (L, G + 1, G) corners of all shares that unknown exposure could lead to.

    `known` (L, G) exposure of groups; `unknown` (L,) the most that may be added to it, however it
    falls on the groups. The shares that can be reached are those between the known ones and, for
    each group, those where it alone is given everything. NaN where nothing is known or unknown.
    """
    groups = known.shape[1]
    all_to_one = known[:, None, :] + unknown[:, None, None] * np.eye(groups)
    corners = np.concatenate([known[:, None, :], all_to_one], axis=1)
    return ratio_of(corners, corners.sum(axis=2, keepdims=True))


def nearest_shares(known: Floats, unknown: Floats, targets: Sequence[float]) -> Floats:
    """(L, G) of all shares that can be reached, those that are nearest to the targets.

    Everything unknown goes to groups below their target, in proportion to their targets: no other
    shares are nearer by the sum of differences, or by Jensen-Shannon divergence.
    """
    target_shares = np.asarray(targets)

    def level(free: Flags, remaining: Floats) -> Floats:
        scale = ratio_of(remaining, np.where(free, target_shares, 0.0).sum(axis=1))
        return np.asarray(np.nan_to_num(scale)[:, None] * target_shares)

    return _fill_up(known, unknown, level)


def _fill_up(known: Floats, unknown: Floats, level: Callable[[Flags, Floats], Floats]) -> Floats:
    """(L, G) shares, none below the known ones, of which those that are above are at a `level`.

    It is computed from which groups are above (L, G) and what there is for them (L,).
    """
    least = ratio_of(known, (known.sum(axis=1) + unknown)[:, None])
    free, reached = np.ones(known.shape, np.bool_), least
    for _ in range(known.shape[1]):
        remaining = 1.0 - np.where(free, 0.0, least).sum(axis=1)
        reached = np.where(free, level(free, remaining), least)
        free &= reached >= least
    return np.where(np.isnan(least), np.nan, np.maximum(reached, least))


#: (L, ..., G) shares and (G,) targets in, (L, ...) distances out.
Distance = Callable[[Floats, Sequence[float]], Floats]


def term_associations(counts: Ints, *, half: bool) -> Floats:
    """(L, K, G) M_g / sum M; a document without terms stands for every group alike, or for none."""
    total = counts.sum(axis=-1, keepdims=True)
    without = 1.0 / counts.shape[-1] if half else 0.0
    return np.where(total > 0, counts / np.maximum(total, 1), without)


def euclidean_distance(shares: Floats, targets: Sequence[float]) -> Floats:
    """Square root of the sum of squared differences."""
    return np.asarray(np.sqrt(((shares - np.asarray(targets)) ** 2).sum(axis=-1)), np.float64)


def jensen_shannon(shares: Floats, targets: Sequence[float]) -> Floats:
    """Jensen-Shannon divergence in bits, from 0 to 1."""
    target_shares = np.broadcast_to(np.asarray(targets), shares.shape)
    middle = (shares + target_shares) / 2
    return (_kl_terms(shares, middle) + _kl_terms(target_shares, middle)) / 2


def _kl_terms(of: Floats, beside: Floats) -> Floats:
    """Sum of p log2(p / q), with nothing where p is 0; NaN where p is."""
    is_positive = ~(of <= 0)
    ratio = np.where(is_positive, of, 1.0) / np.where(is_positive, beside, 1.0)
    return np.asarray(
        np.where(is_positive, of * np.log2(ratio), 0.0).sum(axis=-1), dtype=np.float64
    )


def nearest_euclidean(known: Floats, unknown: Floats, targets: Sequence[float]) -> Floats:
    """(L, G) of all shares that can be reached, those with the least squared differences."""
    target_shares = np.asarray(targets)

    def level(free: Flags, remaining: Floats) -> Floats:
        spare = np.where(free, target_shares, 0.0).sum(axis=1) - remaining
        return np.asarray(target_shares - (spare / np.maximum(free.sum(axis=1), 1))[:, None])

    return _fill_up(known, unknown, level)


#: Distance and the reachable shares that it is least for, by name.
DISTANCES: dict[str, tuple[Distance, Callable[[Floats, Floats, Sequence[float]], Floats]]] = {
    "L1": (share_distance, nearest_shares),
    "L2": (euclidean_distance, nearest_euclidean),
    "JS": (jensen_shannon, nearest_shares),
}


def most_distance(distance: Distance, targets: Sequence[float]) -> float:
    """The largest distance: one group has everything, and a distance is convex."""
    return float(distance(np.eye(len(targets)), targets).max())


_ROUNDING = 1e-12


def widest_distance(targets: Sequence[float]) -> float:
    """The largest possible sum of |p_g - J_g|: 2 (1 - min J), where one group has everything."""
    return 2.0 * (1.0 - min(targets))


def least_neutral(targets: Sequence[float], *, raw: bool) -> float:
    """The lowest neutrality of any document; below 0 only in the published form."""
    return 1.0 - widest_distance(targets) if raw else 0.0


def neutrality(counts: Ints, targets: Sequence[float], tau: int, *, raw: bool) -> Floats:
    """(...) omega of documents from the magnitudes of their groups, (..., G).

    1 where all groups together have at most `tau` terms, else 1 - sum_g |M_g / sum M - J_g| / max,
    with max = 2 (1 - min J), so that it lies in [0, 1]. `raw` leaves the division out, as published
    for two groups of equal shares, where it makes no difference.
    """
    total = counts.sum(axis=-1)
    shares = counts / np.maximum(total, 1)[..., None]
    distance = np.abs(shares - np.asarray(targets)).sum(axis=-1)
    # max is 1 for two equal shares, and divides nothing there
    scale = 1.0 if raw else widest_distance(targets)
    omega = 1.0 - distance / scale
    # the last bit of a document of one group alone is no neutrality, and would be one to a ratio
    omega = np.where(np.abs(omega) < _ROUNDING, 0.0, omega)
    return np.asarray(np.where(total <= tau, 1.0, omega), dtype=np.float64)


#: Magnitudes of groups by the number of their terms.
MAGNITUDES: dict[str, Callable[[Ints], Floats]] = {
    "count": lambda counts: counts.astype(np.float64),
    "log": np.log1p,
    "bool": lambda counts: (counts > 0).astype(np.float64),
}


def prefix_weights(inside: Flags) -> Floats:
    """(L, K) weight of each rank in the mean of the means of all prefixes."""
    ranks = np.arange(1, inside.shape[1] + 1)
    later = np.cumsum(np.where(inside, 1.0 / ranks, 0.0)[:, ::-1], axis=1)[:, ::-1]
    return np.where(inside, later / np.maximum(inside.sum(axis=1, keepdims=True), 1), 0.0)


def mean_over_prefixes(values: Floats, read: Flags, inside: Flags) -> Floats:
    """(L,) mean over prefixes of the mean of what was read in each; NaN where nothing was.

    A prefix in which nothing was read is left out.
    """
    n = np.cumsum(read, axis=1)
    means = np.cumsum(np.where(read, values, 0.0), axis=1) / np.maximum(n, 1)
    counted = inside & (n > 0)
    size = counted.sum(axis=1)
    total = np.where(counted, means, 0.0).sum(axis=1)
    return np.where(size > 0, total / np.maximum(size, 1), np.nan)


GroupWords = Mapping[str, Iterable[str]]


def count_terms(
    texts: _library_input.TextsGiven,
    terms: GroupWords | Terms | None = None,
    *,
    names: bool = False,
) -> TermCounts:
    """Return counts of group terms in documents, to be passed to measures instead of texts.

    Reads every text once, however many measures, cut-offs and runs follow. `terms` are lists of
    words by group, by default those that the measures have; `names` adds names to the default.
    Raises InvalidInput.
    """
    chosen_terms = terms if isinstance(terms, Terms) else words_of(terms or {}, {}, names=names)
    documents = _library_input.texts_of(texts).given
    if isinstance(documents, TermCounts):
        raise InvalidInput("texts: are counts already")
    if isinstance(documents, DocumentWords):
        return counts_of_words(documents, chosen_terms)
    counts = counting.count_terms(documents, chosen_terms)
    _ = counts.row_of  # numbered here, once, and not by the first measure
    return counts


def words_of(terms: GroupWords, targets: Mapping[str, float], *, names: bool) -> Terms:
    """Return checked groups of words with their target shares. Raises InvalidInput."""
    if terms and names:
        raise InvalidInput("names: adds names to the default terms; own terms have all they need")
    listed = {group: _check_terms(group, words) for group, words in terms.items()}
    return _make_terms(json.dumps([listed, dict(targets), names]))


def _check_terms(group: str, words: Iterable[str]) -> list[str]:
    if isinstance(words, str) or not isinstance(words, Iterable):
        raise InvalidInput(f"terms: {group}: a list of terms is needed, not {words!r:.60}")
    listed = list(words)
    for term in listed:
        if not isinstance(term, str):
            raise InvalidInput(f"terms: {group}: {term!r:.60} is not one word")
    return sorted(listed)


@lru_cache(maxsize=64)
def _make_terms(given: str) -> Terms:
    terms, targets, names = json.loads(given)
    groups = terms or dict(default_terms(names=names).groups)
    return Terms.of(groups, targets or None)


@dataclass(frozen=True, slots=True)
class OfTerms(MeanOverQueries):
    """`cutoff`: ranks that count. `terms`: {group: [word, ...]}, by default women and men.

    `targets`: {group: share}, by default equal. `names`: the default terms with given names.
    """

    cutoff: int = whole(10, 1)
    terms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    targets: Mapping[str, float] = field(default_factory=dict)
    names: bool = flag(default=False)

    def __post_init__(self) -> None:
        MeanOverQueries.__post_init__(self)
        for name, value in (("terms", self.terms), ("targets", self.targets)):
            if not isinstance(value, Mapping):
                raise InvalidInput(f"{self.name}: {name} is {value!r:.60}; it must be by group")
        for group, target in self.targets.items():
            if isinstance(target, bool) or not isinstance(target, int | float):
                raise InvalidInput(f"{self.name}: targets: {group} is {target!r:.60}; give a share")
        words = self.words
        if self.terms:  # one name for the same words, in whatever order and case they are given
            plain = {group: sorted(listed) for group, listed in words.groups}
            object.__setattr__(self, "terms", plain)
        if self.targets:
            shares = {group: float(self.targets[group]) for group in words.names}
            object.__setattr__(self, "targets", shares)

    @property
    def words(self) -> Terms:
        """Groups, their words and target shares."""
        return words_of(self.terms, self.targets, names=self.names)

    def read(self, given: PairedInput) -> None:
        """Counts the terms of what stands in both lists once."""
        needed: dict[str, None] = {}
        for side in (given.after, given.before):
            lists = side.lists.cut(self.cutoff)
            numbers = np.unique(lists.table[lists.table >= 0]).tolist()
            needed.update(dict.fromkeys(lists.documents[number] for number in numbers))
        given.texts.counts(tuple(needed), self.words)


@dataclass(frozen=True, slots=True)
class OfExposure(OfTerms):
    """`rbdf`: times the share of representative documents. `strict`: of k ranks, however many."""

    coverage: float = share(0.5)
    rbdf: bool = flag(default=True)
    strict: bool = flag(default=False)

    #: Whether the value is what TED leaves of its highest value.
    is_nearness = False

    def limits(self) -> tuple[float, float]:
        return 0.0, self.widest()

    def widest(self) -> float:
        """max(TED): one group has everything."""
        return widest_distance(self.words.targets)

    def per_list(self, ranked: RankedInput) -> PerList:
        """Compute TED of each list, with and without RBDF.

        A document that is unknown adds up to its weight to the exposure of any group, and is
        representative as soon as it adds anything. TED is then highest with all of it given to one
        group, or with next to nothing of it, and lowest with all of it given to groups below their
        target: each step there lowers the distance by more than it raises RBDF, because exposure
        never exceeds the weight of the representative documents.
        """
        words = self.words
        magnitudes = ranked.texts.magnitudes(ranked.lists.cut(self.cutoff), words)
        seen = RankWeights.discounted(magnitudes.held)
        text, unknown = seen.of(Held.TEXT), seen.weight(Held.MISSING, Held.EMPTY)
        exposure = term_exposure(magnitudes.counts, magnitudes.lengths, text)
        representative = (text * (magnitudes.counts.sum(axis=2) > 0)).sum(axis=1)
        ranks = seen.weights.sum(axis=1)
        if self.strict:
            ranks = np.where(ranks > 0, rank_discounts(self.cutoff).sum(), 0.0)
        rbdf = ratio_of(representative, ranks - seen.weight(Held.MISSING))
        most_rbdf = ratio_of(representative + unknown, ranks)
        nearest = nearest_shares(exposure, unknown, words.targets)
        plain, least, most = (
            share_distance(shares_of(exposure), words.targets),
            share_distance(nearest, words.targets),
            np.fmax.reduce(
                share_distance(reachable_corners(exposure, unknown), words.targets), axis=1
            ),
        )
        # With RBDF it is 0 where no document is representative.
        ted = np.where(rbdf == 0, 0.0, plain * rbdf)
        values, low, high, other = plain, least, most, ted
        if self.rbdf:
            values, low, high, other = ted, least * most_rbdf, most * most_rbdf, plain
        if self.is_nearness:
            end = self.widest()
            values, low, high, other = end - values, end - high, end - low, end - other
        variant = f"{self.quantities[0].name}_{'without' if self.rbdf else 'with'}_rbdf"
        formula = ListValues(
            values, low, high, certain=unknown == 0, undefined="no document has a group term",
            further={"rbdf": rbdf, variant: other},
        )  # fmt: skip
        return per_list(seen, formula, self.coverage, Held.TEXT, Held.EMPTY)


def curve(
    name: str,
    run: Run,
    texts: TextsGiven,
    cutoffs: Iterable[int] = range(1, 21),
    *,
    beside: Mapping[str, Run] | None = None,
    terms: Mapping[str, Sequence[str]] | None = None,
    targets: Mapping[str, float] | None = None,
    seed: int = 0,  # noqa: ARG001 - nothing is drawn any more
    draws: int = 2000,  # noqa: ARG001
) -> dict[int, MeasureScore]:
    """Compute the measure of this name at each cut-off, smallest first. Raises InvalidInput.

    Everything else is what `score` takes; a cut-off in the name itself says nothing here.
    """
    plain = parse(name)
    if not isinstance(plain, OfTerms):
        raise InvalidInput(f"measure {name!r}: only those of group terms have a curve")
    wanted_cutoffs = sorted(set(cutoffs), reverse=True)
    changed = {key: value for key, value in (("terms", terms), ("targets", targets)) if value}
    measures = [plain.configure({**changed, "cutoff": cutoff}) for cutoff in wanted_cutoffs]
    if not measures:
        return {}
    # the deepest first: what it counts is all that the others need
    ranked = read_input(run, texts, beside=beside, cutoff=measures[0].depth())
    scores = [measure.over(measure.completed(ranked)) for measure in measures]
    return dict(zip(reversed(wanted_cutoffs), reversed(scores), strict=True))
