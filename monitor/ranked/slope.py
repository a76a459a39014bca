"""The slope of list genderedness on query genderedness, and how far each document moves it.

GSR is the slope of the least-squares line of list genderedness on query genderedness (Fabris et al.
2020, equation 3).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.model import Floats, Ints, InvalidInput
from monitor.ranked.genderedness import Gendered
from monitor.ranked.inputs import RankedInput
from monitor.ranked.score import MeasureScore, PerList, value_ranges
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


def usable_queries(found: PerList) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """(Q,) which queries have both genderednesses."""
    return np.isfinite(found.values) & np.isfinite(x_of(found))


def x_of(found: PerList) -> Floats:
    """(Q,) genderedness of the queries."""
    return np.full(len(found.values), np.nan) if found.x is None else found.x


def slope_of(found: PerList, floor: int) -> Slope:
    """The slope over the queries that have both genderednesses."""
    is_usable = usable_queries(found)
    x = x_of(found)[is_usable]
    reason = _missing_reasons(found, int(is_usable.sum()), floor)
    line = None if reason else fit_line(x, found.values[is_usable])
    if line is None:
        reason = reason or (
            f"the genderedness of the queries is constant: variance {x.var():.3g} over {len(x)} "
            f"queries, at least {LEAST_VARIANCE:.0e} is needed"
        )
        return Slope(found, None, reason)
    influence = np.full(len(is_usable), np.nan)
    influence[is_usable] = line.influence
    return Slope(replace(found, influence=influence), line, "")


def _missing_reasons(found: PerList, used: int, floor: int) -> str:
    if used >= floor:
        return ""
    unknown = int(np.isnan(x_of(found)).sum())
    planned = len(found.values)
    return (
        f"{used} usable queries of {planned} planned, floor {floor}: {unknown} without a word that "
        f"counts, {planned - used - unknown} without a document that has one"
    )


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
            key: float(value) if np.isfinite(value) else None
            for key, value in zip(planned, gendered_lists.values, strict=True)
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


def cluster_of(found: PerList, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Ints:
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
