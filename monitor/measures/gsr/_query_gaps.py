"""Gaps of queries: values of scopes (all queries, and bins of their genderedness) and changes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.change import Paired
from monitor.measures._paired import COMPARES, Panel, Possible, change_of_mean
from monitor.measures._ranked_changes import moved_units, panel_of, with_pages
from monitor.measures._ranked_mean import has_list
from monitor.measures._shared import (
    Facts,
    ProbeCounts,
    exploratory_flag,
    insufficient_value,
    measured_value,
)
from monitor.measures.gsr._gsr import NEUTRAL, select_neutral
from monitor.model import Floats, Ints, Unit, Value
from monitor.ranked.gap import Baseline, Gaps, Over, compare_with_base
from monitor.ranked.genderedness_lists import select_queries
from monitor.ranked.inputs import PairedInput, RankedInput
from monitor.ranked.score import NO_ANSWER, MeasureScore, PerList, mean_score, to_finite
from monitor.stats.intervals import Limits, wilson

LOG_GAP = "log_gap"
SHARES = {"share_men_over": "men", "share_women_over": "women"}
BINS = ("masculine", "neutral", "feminine")


@dataclass(frozen=True, slots=True)
class Scoped:
    """The queries of one scope by their rows; where there is no scope at all, `reason` says why."""

    name: str
    rows: Ints
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GapRule:
    """Parameters of values: queries at least, and the range of one gap."""

    floor: int
    limits: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class ComparedGaps:
    """All that is known of the gaps of some planned queries."""

    planned: tuple[str, ...]
    cluster: Ints  # which queries are about the same thing
    x: Floats  # g(q), NaN where it is not known
    unknown: str  # why no query has a g(q), if so
    gaps: Gaps
    base: Baseline


def make_scopes(
    found: ComparedGaps, edges: tuple[float, float], units: Sequence[Unit]
) -> list[Scoped]:
    """Return all queries, those declared neutral, and the bins below, between and above."""
    rows_of_all = np.arange(len(found.planned))
    kept_keys = {unit.key for unit in select_neutral(units)}
    scopes_of_all = [Scoped("all", rows_of_all)]
    if kept_keys:
        neutral_rows = np.array(
            [row for row in rows_of_all if found.planned[row] in kept_keys], np.int64
        )
        scopes_of_all.append(Scoped(NEUTRAL, neutral_rows))
    members = (
        found.x < edges[0],
        (found.x >= edges[0]) & (found.x <= edges[1]),
        found.x > edges[1],
    )
    return scopes_of_all + [
        Scoped(f"bin:{name}", np.flatnonzero(member).astype(np.int64), found.unknown)
        for name, member in zip(BINS, members, strict=True)
    ]


def log_gap_score(name: str, found: ComparedGaps, scoped: Scoped, rule: GapRule) -> MeasureScore:
    """The mean gap over the queries of a scope."""
    rows = scoped.rows
    per_query = replace(select_queries(found.gaps.found, rows), x=found.x[rows])
    planned = [found.planned[row] for row in rows]
    score = mean_score(name, per_query, planned, rule.limits, found.cluster[rows])
    if score.value is not None and score.used < rule.floor:
        reason = f"{score.used} usable queries of {len(rows)} planned, floor {rule.floor}"
        score = replace(score, value=None, reason=reason)
    if score.value is None and scoped.reason:
        score = replace(score, reason=scoped.reason)
    return replace(score, details=dict(gap_facts(found, scoped, score.value)))


def gap_facts(found: ComparedGaps, scoped: Scoped, mean: float | None) -> Facts:
    """Return the paper's own ratio m/f: its geometric mean, and over all documents at once."""
    men, women = (
        float(np.nansum(documents[scoped.rows])) for documents in (found.gaps.men, found.gaps.women)
    )
    ratios = [("gap", np.exp(-mean))] if mean is not None else []
    ratios += [("gap_pooled", men / women)] if women else []
    counts = [
        ("documents_men", men),
        ("documents_women", women),
        ("baseline_systems", found.base.members),
    ]
    return tuple((name, float(number)) for name, number in counts + ratios)


@dataclass(frozen=True, slots=True)
class ShareFound:
    """A share of queries, or why there is none."""

    value: float | None
    interval: Limits | None
    bounds: Limits | None
    used: int
    reason: str


def scope_shares(
    found: ComparedGaps, scoped: Scoped, rule: GapRule
) -> Iterator[tuple[str, ShareFound]]:
    """Yield by quantity how often the lists of a scope over-represent a group."""
    groups = compare_with_base(found.gaps, found.base)
    cluster = found.cluster[scoped.rows]
    for quantity, group in SHARES.items():
        over_group = groups[group]
        part = Over(
            *(
                column[scoped.rows]
                for column in (over_group.values, over_group.low, over_group.high)
            )
        )
        result = _share_of_lists(part, cluster, rule.floor)
        if result.value is None:
            reason = scoped.reason or found.base.reason or result.reason
            result = replace(result, reason=reason)
        yield quantity, result


def _share_of_lists(over_rows: Over, cluster: Ints, floor: int) -> ShareFound:
    is_known, possible = ~np.isnan(over_rows.values), ~np.isnan(over_rows.low)
    used = int(is_known.sum())
    limits = None
    if possible.any():
        limits = Limits(
            float(over_rows.low[possible].mean()), float(over_rows.high[possible].mean())
        )
    if used < floor:
        reason = f"{used} queries of {len(is_known)} planned can be compared, floor {floor}"
        return ShareFound(None, None, limits, used, reason)
    value = float(over_rows.values[is_known].mean())
    n = len(np.unique(cluster[is_known]))
    ends = limits or Limits(value, value)
    low, _ = wilson(ends.low * n, n)
    _, high = wilson(ends.high * n, n)
    return ShareFound(value, Limits(float(low), float(high)), limits, used, "")


def scope_values(
    found: ComparedGaps, scoped: Scoped, rule: GapRule, units: Sequence[Unit], name: str
) -> Iterator[Value]:
    """Yield the points of one scope."""
    by_key = {unit.key: unit for unit in units}
    n_answered = sum(has_list(by_key[found.planned[row]]) for row in scoped.rows)
    score = log_gap_score(name, found, scoped, rule)
    documents = (
        *_document_facts(select_queries(found.gaps.found, scoped.rows)),
        *score.details.items(),
    )
    counts = ProbeCounts(len(scoped.rows), n_answered, score.used, 0)
    limits = _make_limits(score.bound_low, score.bound_high) if n_answered else None
    if score.value is None:
        yield insufficient_value(LOG_GAP, scoped.name, counts, score.reason, documents, limits)
    else:
        yield measured_value(
            LOG_GAP, scoped.name, counts, score.value, _make_limits(score.low, score.high), limits,
            exploratory_flag(counts), documents,
        )  # fmt: skip
    for quantity, result in scope_shares(found, scoped, rule):
        counts = ProbeCounts(len(scoped.rows), n_answered, result.used, 0)
        limits = result.bounds if n_answered else None
        members: Facts = (("baseline_systems", float(found.base.members)),)
        if result.value is None:
            yield insufficient_value(quantity, scoped.name, counts, result.reason, members, limits)
        else:
            yield measured_value(
                quantity, scoped.name, counts, result.value, result.interval, limits,
                exploratory_flag(counts), members,
            )  # fmt: skip


def _document_facts(found: PerList) -> Facts:
    return (
        ("documents", float(found.documents.sum())),
        ("documents_missing", float(found.missing.sum())),
        ("documents_empty", float(found.empty.sum())),
    )


def _make_limits(low: float | None, high: float | None) -> Limits | None:
    return None if low is None or high is None else Limits(low, high)


def share_details(
    found: ComparedGaps, all_scopes: Sequence[Scoped], rule: GapRule
) -> dict[str, float]:
    """Return shares and gaps of every scope by name (`share_men_over:feminine`), if known."""
    details: dict[str, float] = {}
    for scoped in all_scopes:
        _, _, name = scoped.name.partition(":")
        ending = f":{name}" if name else ""
        for quantity, result in scope_shares(found, scoped, rule):
            if result.value is not None:
                details[quantity + ending] = result.value
        if name:
            mean = to_finite(_finite_mean(found.gaps.found.values[scoped.rows]))
            details |= {} if mean is None else {LOG_GAP + ending: mean}
            details[f"queries{ending}"] = float(len(scoped.rows))
    return details


def _finite_mean(values_of: Floats) -> float:
    finite = values_of[np.isfinite(values_of)]
    return float(finite.mean()) if len(finite) else float("nan")


def compare_gaps(
    units: tuple[Sequence[Unit], Sequence[Unit]],
    sides: Sequence[ComparedGaps],
    edges: tuple[float, float],
    floor: int,
    cutoff: int | None,
    beside_others: bool,
    given: PairedInput,
    gaps_of: Callable[[RankedInput], Gaps],
) -> Iterator[Paired]:
    """Yield all quantities in all scopes that there are after; `units` and `sides`: before, after.

    Of two lists that are compared with the same baseline, the one after has it. `given` are the
    lists of both sides, `gaps_of` computes the gaps of other lists of the same queries.
    """
    before, after = sides
    then, now = units
    moved = moved_units(then, now, after.planned, cutoff)
    only_before = [unit for unit in then if unit.key not in {unit_now.key for unit_now in now}]
    logs = _finite_logs(before.gaps.logs), _finite_logs(after.gaps.logs)
    overs = [compare_with_base(side.gaps, after.base) for side in sides]
    clusters = after.cluster
    planned_on = [
        np.array([key in {unit.key for unit in side} for key in after.planned]) for side in units
    ]

    def possible(sides: Sequence[tuple[Floats, Floats]]) -> Possible:
        ends = [
            (np.where(keys, low, np.nan), np.where(keys, high, np.nan))
            for keys, (low, high) in zip(planned_on, sides, strict=True)
        ]
        return Possible(ends[0], ends[1])

    of_logs = with_pages(
        panel_of(*logs, moved, clusters, possible([_log_ends(side.gaps) for side in sides])),
        given, lambda lists: _finite_logs(gaps_of(lists).logs), cutoff,
    )  # fmt: skip
    of_shares = {}
    for quantity, group in SHARES.items():
        if beside_others:
            of_shares[quantity] = panel_of(*logs, moved, clusters)
            continue
        then_over, now_over = (side[group] for side in overs)
        ends = possible([(side.low, side.high) for side in (then_over, now_over)])
        panel = panel_of(then_over.values, now_over.values, moved, clusters, ends)

        def shares(lists: RankedInput, group: str = group) -> Floats:
            return compare_with_base(gaps_of(lists), after.base)[group].values

        of_shares[quantity] = with_pages(panel, given, shares, cutoff)
    for scoped in make_scopes(after, edges, [*now, *only_before]):
        if scoped.name == NEUTRAL and not select_neutral(now):
            continue
        yield _record_change(LOG_GAP, scoped, of_logs, floor)
        for quantity, panel in of_shares.items():
            reason = COMPARES if beside_others else after.base.reason
            yield _record_change(quantity, scoped, panel, floor, reason, flips=True)


def _record_change(
    quantity: str,
    scoped: Scoped,
    panel: Panel,
    floor: int,
    reason: str = "",
    flips: bool = False,
) -> Paired:
    rows = panel.some(scoped.rows)
    reason = scoped.reason or reason
    return change_of_mean(
        quantity,
        scoped.name,
        rows,
        floor=floor,
        widest=1.0 if flips else np.inf,
        flips=flips,
        reason=reason,
    )


def _log_ends(gaps: Gaps) -> tuple[Floats, Floats]:
    """The lowest and highest gap of each query; nothing bounds one that was not answered."""
    silent = [gaps.found.reasons.get(row) == NO_ANSWER for row in range(len(gaps.logs))]
    return np.where(silent, -np.inf, gaps.low), np.where(silent, np.inf, gaps.high)


def _finite_logs(logs: Floats) -> Floats:
    """A gap that is infinite has no part in a mean."""
    return np.where(np.isfinite(logs), logs, np.nan)
