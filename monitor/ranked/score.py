"""Scores of ranked lists: one number per list, the mean over queries with interval and bounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints
from monitor.ranked.lists import rank_discounts
from monitor.ranked.texts import Held
from monitor.stats.clustered import mean_limits
from monitor.stats.correlation import pearson, spearman
from monitor.stats.intervals import Limits


@dataclass(frozen=True, slots=True, eq=False)
class PerList:
    """One quantity of L ranked lists; every array has shape (L,).

    `values` are NaN where there is no value, for which `reasons` (by row) has a sentence; `low` and
    `high` the lowest and highest that each could be whatever the missing and empty documents hold,
    infinite where nothing bounds it. `documents` of the list within the cut-off, of which `used`
    were read and count, `missing` could not be read and `empty` hold nothing.
    """

    values: Floats
    low: Floats
    high: Floats
    documents: Ints
    used: Ints
    missing: Ints
    empty: Ints
    reasons: Mapping[int, str] = field(default_factory=dict)
    x: Floats | None = None  # genderedness of the query
    influence: Floats | None = None  # how far the summary moves without this query
    #: Further numbers of each list by name, NaN where there is none; their means are `details`.
    further: Mapping[str, Floats] = field(default_factory=dict)
    #: Of queries: which of them are about the same thing (`monitor.clusters`).
    cluster: Ints | None = None


@dataclass(frozen=True, eq=False)
class MeasureScore:
    """A measure over the lists of a run.

    `value` is None where there is none, and `reason` says why. `low` and `high`: 95 % interval over
    queries of this kind, that of a mean widened to the lowest and highest value that missing and
    empty documents allow. `bound_low` and `bound_high` are these alone. `per_query` has every query
    of the run, None where it has no value (see `reasons`). `planned` queries, of which `used` have
    a value. `details` are further numbers of the measure, by name.
    """

    name: str
    value: float | None
    per_query: dict[str, float | None]
    planned: int
    used: int
    bound_low: float | None
    bound_high: float | None
    documents: int
    missing: int
    empty: int
    reason: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, float] = field(default_factory=dict)
    #: Computes the interval when it is first asked for.
    limits: Callable[[], Limits | None] = field(default=lambda: None, repr=False)

    @cached_property
    def _interval(self) -> Limits | None:
        return None if self.value is None else self.limits()

    @property
    def low(self) -> float | None:
        """Lower limit; None where one query alone gives no interval."""
        return self._interval.low if self._interval else None

    @property
    def high(self) -> float | None:
        """Upper limit."""
        return self._interval.high if self._interval else None

    @property
    def slope_se(self) -> float | None:
        """Standard error of a slope (GSR); None for other measures."""
        return self.details.get("slope_se")


def to_finite(value: float | np.floating) -> float | None:
    """A plain number, None for what is not one."""
    return float(value) if np.isfinite(value) else None


NO_ANSWER = "no usable answer"


def group_means(values: Floats, groups: Ints, weights: Floats) -> Floats:
    """(draws, groups) weighted means of the values (units,); NaN where none has weight."""
    member = groups[:, None] == np.arange(groups.max(initial=-1) + 1)[None, :]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(((weights * values) @ member) / (weights @ member), np.float64)


def by_query(per_list: PerList, queries: Sequence[str], planned: Sequence[str]) -> PerList:
    """One row per planned query: its lists averaged, because repeats are no further questions.

    A query without any list has no value, and nothing bounds it but the measure's own range.
    """
    number = {key: row for row, key in enumerate(planned)}
    row = np.array([number[key] for key in queries], np.int64)
    size = len(planned)
    lists = np.bincount(row, minlength=size)
    defined = np.isfinite(per_list.values)
    values = _known_mean(row, np.where(defined, per_list.values, np.nan), size)
    reasons = dict.fromkeys(np.flatnonzero(lists == 0).tolist(), NO_ANSWER)
    for list_index, reason in per_list.reasons.items():
        reasons.setdefault(int(row[list_index]), reason)
    counted = (per_list.documents, per_list.used, per_list.missing, per_list.empty)
    documents, used, missing, empty = (
        np.bincount(row, counts, size).round().astype(np.int64) for counts in counted
    )
    return PerList(
        values,
        _known_mean(row, per_list.low, size),
        _known_mean(row, per_list.high, size),
        documents,
        used,
        missing,
        empty,
        {at: reasons[at] for at in sorted(reasons) if not np.isfinite(values[at])},
        further={name: _known_mean(row, one, size) for name, one in per_list.further.items()},
    )


def _known_mean(row: Ints, values: Floats, size: int) -> Floats:
    """(size,) mean by row of the values that are a number, infinite ones too; NaN without any."""
    is_known = ~np.isnan(values)
    n = np.bincount(row[is_known], minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        total = np.bincount(row[is_known], values[is_known], minlength=size)
        return np.asarray(total / n, dtype=np.float64)


def value_ranges(found: PerList, low: float, high: float) -> tuple[Floats, Floats]:
    """(Q,) lowest and highest value of each query; the measure's range where nobody answered.

    NaN where a query was answered and the measure is not defined on its list.
    """
    silent = np.zeros(len(found.values), np.bool_)
    silent[[q for q, reason in found.reasons.items() if reason == NO_ANSWER]] = True
    return np.where(silent, low, found.low), np.where(silent, high, found.high)


def mean_bounds(lowest: Floats, highest: Floats) -> tuple[float | None, float | None]:
    """Lowest and highest possible mean; None where nothing bounds it."""
    counted = ~np.isnan(lowest)
    if not counted.any():
        return None, None
    return to_finite(lowest[counted].mean()), to_finite(highest[counted].mean())


def mean_interval(
    values: Floats,
    lowest: Floats,
    highest: Floats,
    cluster: Ints,
    limits: tuple[float, float],
) -> Limits | None:
    """95 % limits of a mean over queries, from those of its lowest to those of its highest value.

    Without missing documents the three are equal. Where nothing bounds a query, its value stands
    for it. `limits` is the measure's range. One cluster gives no interval, but what bounds it.
    """
    low = np.where(np.isfinite(lowest), lowest, values)
    high = np.where(np.isfinite(highest), highest, values)
    counted = np.isfinite(low) & np.isfinite(high)
    low, high, cluster = low[counted], high[counted], cluster[counted]
    below, above = (mean_limits(means, cluster, *limits) for means in (low, high))
    if below is None or above is None:
        moved = len(low) > 0 and low.mean() < high.mean()
        return Limits(float(low.mean()), float(high.mean())) if moved else None
    # the value is of fewer queries than the bounds where some were not answered
    finite_values = values[np.isfinite(values)]
    value = float(finite_values.mean()) if len(finite_values) else below.low
    return Limits(min(below.low, value), max(above.high, value))


def mean_score(
    name: str,
    found: PerList,
    planned: Sequence[str],
    limits: tuple[float, float],
    cluster: Ints,
) -> MeasureScore:
    """The mean over queries that have a value. `limits` is the measure's range.

    `cluster` (Q,) says which queries are about the same thing.
    """
    lowest, highest = value_ranges(found, *limits)
    bound_low, bound_high = mean_bounds(lowest, highest)
    defined = np.isfinite(found.values)
    value, reason = float(found.values[defined].mean()) if defined.any() else None, ""
    if value is None:
        first = next(iter(found.reasons.values()), NO_ANSWER)
        reason = f"none of {len(planned)} queries has a value; the first: {first}"
        reason = reason if planned else "no query was asked"
    if value is not None and bound_low is not None and bound_high is not None:
        bound_low, bound_high = min(bound_low, value), max(bound_high, value)
    return MeasureScore(
        name=name,
        value=value,
        per_query={
            key: to_finite(query_value)
            for key, query_value in zip(planned, found.values.tolist(), strict=True)
        },
        planned=len(planned),
        used=int(defined.sum()),
        bound_low=bound_low,
        bound_high=bound_high,
        documents=int(found.documents.sum()),
        missing=int(found.missing.sum()),
        empty=int(found.empty.sum()),
        reason=reason,
        reasons={planned[query_index]: reason for query_index, reason in found.reasons.items()},
        details={
            detail: float(query_value[~np.isnan(query_value)].mean())
            for detail, query_value in found.further.items()
            if not np.isnan(query_value).all()
        },
        limits=lambda: mean_interval(found.values, lowest, highest, cluster, limits),
    )


class QueryCorrelation(NamedTuple):
    """Over the `n` queries that have a value of both; None below 3, or where one never varies."""

    pearson: float | None
    spearman: float | None
    n: int


def known_pairs(
    first: Mapping[str, float | None], second: Mapping[str, float | None]
) -> list[tuple[float, float]]:
    """(value of the first, of the second) of each query that has both."""
    return [
        (value, of_second)
        for query, value in first.items()
        if value is not None and (of_second := second.get(query)) is not None
    ]


def per_query_correlation(a: MeasureScore, b: MeasureScore) -> QueryCorrelation:
    """Return the correlation of two measures over queries."""
    pairs = known_pairs(a.per_query, b.per_query)
    x, y = [value_a for value_a, _ in pairs], [value_b for _, value_b in pairs]
    return QueryCorrelation(pearson(x, y), spearman(x, y), len(pairs))


_PERCENT = 100


@dataclass(frozen=True, slots=True, eq=False)
class RankWeights:
    """Reading state at each rank of L lists, (L, K), and the weight of each rank."""

    held: NDArray[np.int8]
    weights: Floats  # (L, K) of the ranks that a list has, 0 behind its end

    @classmethod
    def discounted(cls, held: NDArray[np.int8]) -> "RankWeights":
        """With the weights 1/log2(r + 1)."""
        return cls(held, np.where(held != Held.NOTHING, rank_discounts(held.shape[1]), 0.0))

    def weight(self, *which: Held) -> Floats:
        """(L,) sum of the weights of ranks where one of these is held."""
        return np.asarray(self.of(*which).sum(axis=1), dtype=np.float64)

    def of(self, *which: Held) -> Floats:
        """(L, K) weights of ranks where one of these is held, 0 elsewhere."""
        is_chosen = self.held == which[0]
        for value in which[1:]:
            is_chosen |= self.held == value
        return np.where(is_chosen, self.weights, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class ListValues:
    """Values and bounds of L lists as a formula gives them, before too little was read.

    `certain` (L,) is where nothing that is unknown can move the value: it is its own bounds.
    """

    values: Floats
    low: Floats
    high: Floats
    certain: NDArray[np.bool_]
    #: Why a list that was read has no value.
    undefined: str
    further: Mapping[str, Floats] = field(default_factory=dict)


def per_list(seen: RankWeights, found: ListValues, coverage: float, *readable: Held) -> PerList:
    """Values of lists of which enough was read.

    `readable` are what counts as read; it must hold `coverage` of all weight of a list.
    """
    documents = (seen.held != Held.NOTHING).sum(axis=1)
    total = seen.weights.sum(axis=1)
    share = seen.weight(*readable) / np.where(total > 0, total, 1.0)
    used = (seen.held == Held.TEXT).sum(axis=1)
    enough = (used > 0) & (share >= coverage)
    values = np.where(enough, found.values, np.nan)
    low = np.where(found.certain, values, np.fmin(found.low, values))
    high = np.where(found.certain, values, np.fmax(found.high, values))
    reasons = {
        row: _reason_for_none(int(documents[row]), int(used[row]), float(share[row]), coverage)
        or found.undefined
        for row in np.flatnonzero(~np.isfinite(values)).tolist()
    }
    return PerList(
        values,
        np.where(documents > 0, low, np.nan),
        np.where(documents > 0, high, np.nan),
        documents.astype(np.int64),
        used.astype(np.int64),
        (seen.held == Held.MISSING).sum(axis=1).astype(np.int64),
        (seen.held == Held.EMPTY).sum(axis=1).astype(np.int64),
        reasons,
        further={
            name: np.where(enough, further_values, np.nan)
            for name, further_values in found.further.items()
        },
    )


def _reason_for_none(documents: int, used: int, share: float, coverage: float) -> str:
    """Return why so little gives no value; empty where it is enough."""
    if not documents:
        return "its list is empty"
    if not used:
        return f"none of its {documents} documents has a text"
    if share < coverage:
        return (
            f"what could be read has {_PERCENT * share:.0f} % of the weight of its ranks; "
            f"{_PERCENT * coverage:.0f} % is needed"
        )
    return ""
