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
from monitor.ranked.genderedness_lists import relevant_lists
from monitor.ranked.inputs import Asked
from monitor.ranked.lists import Lists
from monitor.ranked.score import NO_ANSWER, PerList, by_query
from monitor.ranked.texts import Held
from monitor.text.terms import entities

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
    """What the gap of each query is compared with; `members` systems make it up."""

    logs: Floats
    low: Floats
    high: Floats
    members: int
    reason: str = ""  # why there is none for any query


@dataclass(frozen=True, slots=True, eq=False)
class Over:
    """Whether lists over-represent a group (Q,): 1, 0, or NaN; and the least and most it can be."""

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


def gaps(given: Asked, lists: Lists, zero: str) -> Gaps:
    """The gaps of lists by planned query. `zero` is how counts of 0 are dealt with."""
    words = given.texts.magnitudes(lists, entities())
    names = words.terms.names
    of_women, of_men = (words.counts[:, :, names.index(group)] for group in ("women", "men"))
    women, men = (of_women > of_men).sum(axis=1), (of_men > of_women).sum(axis=1)
    missing, empty = ((words.held == one).sum(axis=1) for one in (Held.MISSING, Held.EMPTY))
    read, unknown, added = (words.held == Held.TEXT).sum(axis=1), missing + empty, ADDED[zero]
    logs = np.where(read > 0, log_gap(women, men, added), np.nan)
    known = read + unknown > 0
    per_list = PerList(
        logs,
        np.where(known, _end(log_gap(women, men + unknown, added), -np.inf), np.nan),
        np.where(known, _end(log_gap(women + unknown, men, added), np.inf), np.nan),
        lists.lengths,
        np.asarray(read, np.int64),
        np.asarray(missing, np.int64),
        np.asarray(empty, np.int64),
        reasons=_reasons(logs, read, lists.lengths),
        further={
            "logs": logs,
            "men": np.where(read > 0, men, np.nan),
            "women": np.where(read > 0, women, np.nan),
        },
    )
    found = by_query(per_list, lists.queries, given.planned)
    logs, men, women = (found.further[name] for name in ("logs", "men", "women"))
    undefined = np.isnan(logs) & (found.used > 0) & (found.missing + found.empty == 0)
    low, high = (np.where(undefined, np.nan, one) for one in (found.low, found.high))
    endless = (low == np.inf) | (high == -np.inf)
    ends = (np.where(endless, np.nan, one) for one in (low, high))
    for_means = replace(found, low=next(ends), high=next(ends), further={})
    return Gaps(for_means, logs, low, high, men, women)


def _end(logs: Floats, end: float) -> Floats:
    """Where both counts are 0 and nothing is added, any ratio could come out."""
    return np.where(np.isnan(logs), end, logs)


def _reasons(logs: Floats, read: Ints, lengths: Ints) -> dict[int, str]:
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


def beside(given: Asked, cutoff: int | None, zero: str) -> Baseline:
    """The geometric mean of the other systems' gaps, of those that answered anything.

    A query that one of them did not answer has none: other members would be another baseline.
    """
    others = [gaps(given, one.of(given.planned).cut(cutoff), zero) for one in _answered(given)]
    if not others:
        return nothing(given, "no other system's lists are known")
    with np.errstate(invalid="ignore"):
        logs = np.mean([one.logs for one in others], axis=0)
        low = np.mean([np.where(np.isnan(one.low), -np.inf, one.low) for one in others], axis=0)
        high = np.mean([np.where(np.isnan(one.high), np.inf, one.high) for one in others], axis=0)
    return Baseline(logs, low, high, len(others))


def _answered(given: Asked) -> list[Lists]:
    return [one for _, one in sorted(given.beside.items()) if one.lengths.any()]


def relevant(given: Asked, zero: str) -> Baseline:
    """The gaps of the relevant documents of every query, as they are judged."""
    if not given.judgements:
        return nothing(given, "no relevance judgements are known")
    found = gaps(given, relevant_lists(given.planned, given.judgements), zero)
    low, high = (
        np.where(np.isnan(one), end, one)
        for one, end in ((found.low, -np.inf), (found.high, np.inf))
    )
    return Baseline(found.logs, low, high, 0)


def even(given: Asked) -> Baseline:
    """As many documents about women as about men."""
    zeros = np.zeros(len(given.planned))
    return Baseline(zeros, zeros, zeros, 0)


def nothing(given: Asked, reason: str) -> Baseline:
    """No baseline at all, and why."""
    unknown = np.full(len(given.planned), np.nan)
    return Baseline(unknown, unknown, unknown, 0, reason)


def over(found: Gaps, base: Baseline) -> Mapping[str, Over]:
    """By group, whether a list shows it more than the baseline does; ties are neither."""
    silent = np.array(
        [found.found.reasons.get(q) == NO_ANSWER for q in range(len(found.logs))], bool
    )
    low, high = (
        np.where(silent, end, one) for one, end in ((found.low, -np.inf), (found.high, np.inf))
    )
    known = ~np.isnan(found.logs) & ~np.isnan(base.logs)
    possible = ~np.isnan(low) & ~np.isnan(base.low) & ~np.isnan(high) & ~np.isnan(base.high)
    sides = {
        "women": (_above(found.logs, base.logs), _above(low, base.high), _above(high, base.low)),
        "men": (_above(base.logs, found.logs), _above(base.low, high), _above(base.high, low)),
    }
    return {
        group: Over(
            np.where(known, value, np.nan),
            np.where(possible, least, np.nan),
            np.where(possible, most, np.nan),
        )
        for group, (value, least, most) in sides.items()
    }


def _above(one: Floats, other: Floats) -> NDArray[np.bool_]:
    """Where `one` is greater by more than rounding; never where one is NaN."""
    with np.errstate(invalid="ignore"):
        apart = np.where(np.isinf(one) | np.isinf(other), True, one - other > _ROUNDING)
    return np.asarray((one > other) & apart, np.bool_)
