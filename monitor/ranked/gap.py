"""Ranked lists in, the gap between documents about women and about men out, and whose is wider.

Fabris, A., Purpura, A., Silvello, G., Susto, G. A. (2020). Gender stereotype reinforcement:
measuring the gender bias conveyed by ranking algorithms. Information Processing & Management 57(6),
section 4.2.5. A document is about women (men) if it mentions more female (male) entities.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints
from monitor.ranked.genderedness import relevant_lists
from monitor.ranked.inputs import RankedInput
from monitor.ranked.lists import Lists
from monitor.ranked.score import NO_ANSWER, PerList, by_query
from monitor.ranked.texts import Held
from monitor.text.terms import entity_terms

#: What is added to both counts: half a document, or nothing as in the paper.
ADDED = {"half": 0.5, "paper": 0.0}

#: The same gap computed along two ways may differ in its last bits, and is not wider for that.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """The gap ln(women/men) of Q queries, repeats averaged.

    `logs` (Q,) are infinite where one count is 0 and nothing is added, NaN where there is none;
    `low` and `high` (Q,) the least and most that each could be; `men` and `women` (Q,) the numbers
    of documents. `found` is for means over queries: a gap that is infinite has no part in them.
    """

    found: PerList
    logs: Floats
    low: Floats
    high: Floats
    men: Floats
    women: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Baseline:
    """The value that the gap of each query is compared with; `members` systems make it up."""

    logs: Floats
    low: Floats
    high: Floats
    members: int
    reason: str = ""  # why there is none for any query


@dataclass(frozen=True, slots=True, eq=False)
class Over:
    """(Q,) flags of lists that over-represent a group: 1, 0, or NaN, with its least and most."""

    values: Floats
    low: Floats
    high: Floats


def log_gap(women: Floats | Ints, men: Floats | Ints, added: float) -> Floats:
    """ln((women + a)/(men + a)): positive where documents about women prevail.

    The paper's gap(q) = m/f is exp of its negative. Infinite where one count is 0 and nothing is
    added, NaN where both are.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(women + added) - np.log(men + added), np.float64)


def compute_gaps(given: RankedInput, lists: Lists, zero: str) -> Gaps:
    """The gaps of lists by planned query. `zero` is how counts of 0 are dealt with."""
    words = given.texts.magnitudes(lists, entity_terms())
    names = words.terms.names
    of_women, of_men = (words.counts[:, :, names.index(group)] for group in ("women", "men"))
    women, men = (of_women > of_men).sum(axis=1), (of_men > of_women).sum(axis=1)
    missing, empty = ((words.held == held).sum(axis=1) for held in (Held.MISSING, Held.EMPTY))
    read, unknown, added = (words.held == Held.TEXT).sum(axis=1), missing + empty, ADDED[zero]
    logs = np.where(read > 0, log_gap(women, men, added), np.nan)
    has_documents = read + unknown > 0
    # Where both counts may be 0 any ratio is possible.
    least, most = log_gap(women, men + unknown, added), log_gap(women + unknown, men, added)
    per_list = PerList(
        logs,
        np.where(has_documents, np.where(np.isnan(least), -np.inf, least), np.nan),
        np.where(has_documents, np.where(np.isnan(most), np.inf, most), np.nan),
        lists.lengths,
        np.asarray(read, np.int64),
        np.asarray(missing, np.int64),
        np.asarray(empty, np.int64),
        reasons=_list_reasons(logs, read, lists.lengths),
        further={
            "logs": logs,
            "men": np.where(read > 0, men, np.nan),
            "women": np.where(read > 0, women, np.nan),
        },
    )
    per_query = by_query(per_list, lists.queries, given.planned)
    logs, men, women = (per_query.further[name] for name in ("logs", "men", "women"))
    undefined = np.isnan(logs) & (per_query.used > 0) & (per_query.missing + per_query.empty == 0)
    low, high = (np.where(undefined, np.nan, end) for end in (per_query.low, per_query.high))
    endless = (low == np.inf) | (high == -np.inf)
    ends = (np.where(endless, np.nan, end) for end in (low, high))
    for_means = replace(per_query, low=next(ends), high=next(ends), further={})
    return Gaps(for_means, logs, low, high, men, women)


def _list_reasons(logs: Floats, read: Ints, lengths: Ints) -> dict[int, str]:
    reasons = {}
    for row in np.flatnonzero(~np.isfinite(logs)).tolist():
        if not lengths[row]:
            reasons[row] = "an empty list"
        elif not read[row]:
            reasons[row] = f"none of {lengths[row]} documents has a text"
        elif np.isnan(logs[row]):
            reasons[row] = "no document is about women or men, and m/f is 0/0"
        else:
            reasons[row] = "no document is about one of the groups, and m/f has no logarithm"
    return reasons


def base_of_others(given: RankedInput, cutoff: int | None, zero: str) -> Baseline:
    """The geometric mean of the other systems' gaps, of those that answered anything.

    A query that one of them did not answer has none: other members would be another baseline.
    """
    others = [
        compute_gaps(given, lists.of(given.planned).cut(cutoff), zero)
        for _, lists in sorted(given.beside.items())
        if lists.lengths.any()
    ]
    if not others:
        return no_base(given, "no other system's lists are known")
    ends = [_open_ends(gaps) for gaps in others]
    with np.errstate(invalid="ignore"):
        logs = np.mean([gaps.logs for gaps in others], axis=0)
        low, high = (np.mean([limits[side] for limits in ends], axis=0) for side in (0, 1))
    return Baseline(logs, low, high, len(others))


def _open_ends(gaps: Gaps) -> tuple[Floats, Floats]:
    """The lowest and highest gaps; nothing bounds one that is not known."""
    return (
        np.where(np.isnan(gaps.low), -np.inf, gaps.low),
        np.where(np.isnan(gaps.high), np.inf, gaps.high),
    )


def base_of_relevant(given: RankedInput, zero: str) -> Baseline:
    """The gaps of the relevant documents of every query, as they are judged."""
    if not given.judgements:
        return no_base(given, "no relevance judgements are known")
    relevant_gaps = compute_gaps(given, relevant_lists(given.planned, given.judgements), zero)
    return Baseline(relevant_gaps.logs, *_open_ends(relevant_gaps), 0)


def even_base(given: RankedInput) -> Baseline:
    """As many documents about women as about men."""
    zeros = np.zeros(len(given.planned))
    return Baseline(zeros, zeros, zeros, 0)


def no_base(given: RankedInput, reason: str) -> Baseline:
    """No baseline at all, and why."""
    unknown = np.full(len(given.planned), np.nan)
    return Baseline(unknown, unknown, unknown, 0, reason)


def compare_with_base(found: Gaps, base: Baseline) -> Mapping[str, Over]:
    """By group, whether a list shows it more than the baseline does; ties are neither."""
    low, high = end_gaps(found)
    is_known = ~np.isnan(found.logs) & ~np.isnan(base.logs)
    possible = ~np.isnan(low) & ~np.isnan(base.low) & ~np.isnan(high) & ~np.isnan(base.high)
    own, other = (found.logs, low, high), (base.logs, base.low, base.high)
    return {
        group: Over(
            np.where(is_known, _is_greater(one[0], two[0]), np.nan),
            np.where(possible, _is_greater(one[1], two[2]), np.nan),
            np.where(possible, _is_greater(one[2], two[1]), np.nan),
        )
        for group, one, two in (("women", own, other), ("men", other, own))
    }


def end_gaps(found: Gaps) -> tuple[Floats, Floats]:
    """The lowest and highest gap of each query; nothing bounds one that was not answered."""
    silent = [found.found.reasons.get(row) == NO_ANSWER for row in range(len(found.logs))]
    return np.where(silent, -np.inf, found.low), np.where(silent, np.inf, found.high)


def _is_greater(one: Floats, other: Floats) -> NDArray[np.bool_]:
    """Return where `one` is greater by more than rounding; never where one is NaN."""
    with np.errstate(invalid="ignore"):
        apart = np.where(np.isinf(one) | np.isinf(other), True, one - other > _ROUNDING)
    return np.asarray((one > other) & apart, np.bool_)
