"""Pairs of numbers under two lexicons in, how far the lexicons agree out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from monitor.measures._lexicon_slopes import Systems
from monitor.model import Floats, WordScores
from monitor.ranked.slope import usable
from monitor.stats.correlation import fisher_interval, pearson, spearman
from monitor.stats.intervals import Limits

#: Of three systems one order in six agrees by chance, of four one in 24.
LEAST_SYSTEMS = 4


@dataclass(frozen=True, slots=True)
class Agreement:
    """A correlation over `used` of `planned` things, or why there is none."""

    quantity: str
    value: float | None
    interval: Limits | None
    planned: int
    used: int
    reason: str = ""


def refused(lexicons: Sequence[WordScores]) -> str:
    """Why two lexicons cannot be compared; empty if they can."""
    if len(lexicons) != 2:  # noqa: PLR2004 - two are compared
        return f"{len(lexicons)} lexicons are given, and two are compared: lexicon = [A, B]"
    first, second = lexicons
    if first.digest == second.digest:
        return f"lexicons {first.name!r} and {second.name!r} are the same"
    return ""


def of_queries(first: Systems, second: Systems, floor: int) -> Agreement:
    """Pearson's r over queries of the genderedness of the system's own lists."""
    one, other = first.own, second.own
    kept = usable(one) & usable(other)
    planned, used = len(kept), int(kept.sum())
    name = "agreement_queries"
    if used < floor:
        reason = f"{used} queries of {planned} planned have values under both, floor {floor}"
        return Agreement(name, None, None, planned, used, reason)
    r = pearson(one.values[kept], other.values[kept])
    if r is None:
        reason = "the genderedness of the lists is constant under a lexicon"
        return Agreement(name, None, None, planned, used, reason)
    return Agreement(name, r, fisher_interval(r, used), planned, used)


def of_systems(
    quantity: str, first: Mapping[str, float], second: Mapping[str, float], n: int, what: str
) -> Agreement:
    """Spearman's rho over systems of `what`: slopes, or changes of slopes."""
    both = [label for label in first if label in second]
    if len(both) < LEAST_SYSTEMS:
        reason = f"{len(both)} systems have {what} under both lexicons, at least {LEAST_SYSTEMS}"
        return Agreement(quantity, None, None, n, len(both), reason)
    one, other = (_column(by_label, both) for by_label in (first, second))
    rho = spearman(one, other)
    if rho is None:
        reason = f"{what} of all systems are the same under a lexicon"
        return Agreement(quantity, None, None, n, len(both), reason)
    return Agreement(quantity, rho, fisher_interval(rho, len(both), ranks=True), n, len(both))


def _column(by_label: Mapping[str, float], labels: Sequence[str]) -> Floats:
    return np.array([by_label[label] for label in labels])
