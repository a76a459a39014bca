"""False discoveries over many tests and many weeks: p-values or e-values in, levels out.

Within one tick: Simes' test of a whole family, Benjamini-Hochberg over families, a reduced level
inside the selected ones. Over ticks: LORD++ and e-LOND, always computed anew from the first
hypothesis in order, so that no wealth is kept anywhere and a corrected p-value cannot leave a wrong
balance behind.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from monitor.model import Floats
from monitor.stats.chance import benjamini_hochberg

#: Sum over j >= 1 of log(max(j, 2)) / (j exp(sqrt(log j))), rounded up in the last digit: with it
#: the gammas sum to 1 and not to more. 1 / 12.645108 = 0.0790820; the constants in print, 0.0722
#: (Ramdas et al. 2017) and 0.07720838 (the R package onlineFDR), spend 0.913 and 0.976 of it.
GAMMA_SUM = 12.645108

#: Share of alpha that a ledger starts with; the rest is paid out at its first discovery.
INITIAL_WEALTH = 0.5

#: Hypotheses of one ledger: a year of weekly ticks.
LEDGER = 52


@dataclass(frozen=True, slots=True)
class Ledger:
    """Levels of all steps so far, whether each hypothesis was rejected, and the next level."""

    levels: tuple[float, ...]
    rejected: tuple[bool, ...]
    next_level: float


def simes(p: ArrayLike) -> float:
    """p-value of "nothing in this family has changed": min over ranks i of n p_(i) / i, in [0, 1].

    Simes, R. J. (1986). An improved Bonferroni procedure for multiple tests of significance.
    Biometrika 73(3), 751-754. Valid for independent or positively dependent tests. It is at most
    alpha just when Benjamini-Hochberg at alpha rejects something, since it is the least q.
    """
    adjusted = benjamini_hochberg(p)
    if not len(adjusted):
        raise ValueError("a family without p-values has no p-value")
    return float(adjusted.min())


def inside_level(level: float, selected: int, families: int) -> float:
    """Level of the tests inside each selected family: level * selected / families.

    Keeps the expected mean share of false discoveries over the selected families at `level`:
    Benjamini, Y., Bogomolov, M. (2014). Selective inference on multiple families of hypotheses.
    Journal of the Royal Statistical Society B 76(1), 297-318. 0 where no family was selected.
    """
    _check_level(level)
    if not 0 <= selected <= families or not families:
        raise ValueError(f"cannot select {selected!r} of {families!r} families")
    return level * selected / families


def gamma(j: int) -> float:
    """Share of what a discovery earned that is spent j steps later, j >= 1; all sum to 1.

    log(max(j, 2)) / (j exp(sqrt(log j))) over its sum: Javanmard & Montanari (2018), equation 31.
    """
    if j < 1:
        raise ValueError(f"steps are counted from 1, got {j!r}")
    return math.log(max(j, 2)) / (j * math.exp(math.sqrt(math.log(j)))) / GAMMA_SUM


def lord(
    p: Sequence[float], alpha: float, wealth: float | None = None, length: int = LEDGER
) -> Ledger:
    """LORD++ levels of p-values in order, and the level of the one that comes next.

    Within a ledger of `length` hypotheses alpha_t = W / length + (alpha - W) gamma_(t - tau_1) +
    alpha sum_(j >= 2) gamma_(t - tau_j), over its rejections tau_j < t, with the initial wealth W
    in (0, alpha], alpha/2 when not given; rejected is p_t <= alpha_t. After `length` hypotheses a
    new ledger begins, with a wealth of its own and nothing of what the one before has earned. A
    tick at which nothing could be tested is no hypothesis: leave it out.

    Ramdas, A., Yang, F., Wainwright, M. J., Jordan, M. I. (2017). Online control of the false
    discovery rate with decaying memory. NeurIPS 30, 5650-5659. Javanmard, A., Montanari, A. (2018).
    Online rules for control of false discovery rate and false discovery exceedance. Annals of
    Statistics 46(2), 526-554. Their proof needs levels that add up to at most alpha max(R, 1) when
    R were rejected, and that no earlier rejection makes smaller. Any sequence that adds up to W may
    spend the wealth; an even one leaves nothing for a future that a ledger does not have. In each
    ledger the false discovery rate is at most alpha for independent p-values; the marginal rate
    E[false] / E[rejections] also when each p-value is valid given all earlier decisions. Two steps
    of one series share the answers of a tick: see `e_lond`.
    """
    _check_level(alpha)
    start = alpha * INITIAL_WEALTH if wealth is None else wealth
    if not 0 < start <= alpha:
        raise ValueError(f"the initial wealth must be above 0 and at most alpha, got {wealth!r}")
    if length < 1:
        raise ValueError(f"a ledger has at least one hypothesis, got {length!r}")
    values = _checked(p, 1.0, "p-values within 0 and 1")
    levels: list[float] = []
    decisions: list[bool] = []
    for first in range(0, len(values) + 1, length):
        own, rejections = _one_ledger(values[first : first + length], alpha, start, length)
        levels += own.tolist()[:length]
        decisions += rejections
    return _ledger(levels, decisions)


def _one_ledger(
    values: Sequence[float], alpha: float, wealth: float, length: int
) -> tuple[Floats, list[bool]]:
    """(levels of the values and of the one that would come next, rejections)."""
    earnings = _gammas(len(values) + 1)
    levels = np.full(len(values) + 1, wealth / length)
    decisions: list[bool] = []
    for t, value in enumerate(values):
        decisions.append(bool(value <= levels[t]))
        if decisions[-1]:
            earned = alpha if sum(decisions) > 1 else alpha - wealth
            levels[t + 1 :] += earned * earnings[: len(values) - t]
    return levels, decisions


def e_lond(e: Sequence[float], alpha: float) -> Ledger:
    """E-LOND levels of e-values in order: alpha_t = alpha gamma_t (1 + rejections before t).

    Rejected is e_t >= 1 / alpha_t. Xu, Z., Ramdas, A. (2024). Online multiple testing with
    e-values. AISTATS, PMLR 238, 3997-4005. The false discovery rate is at most alpha under any
    dependence.
    """
    _check_level(alpha)
    values = _checked(e, math.inf, "e-values of at least 0")
    budget = alpha * _gammas(len(values) + 1)
    levels = np.zeros(len(budget))
    decisions: list[bool] = []
    for t, value in enumerate(values):
        levels[t] = budget[t] * (1 + sum(decisions))
        decisions.append(bool(value * levels[t] >= 1))
    levels[-1] = budget[-1] * (1 + sum(decisions))
    return _ledger(levels, decisions)


@lru_cache(maxsize=64)
def _spending(steps: int) -> tuple[float, ...]:
    return tuple(gamma(j) for j in range(1, steps + 1))


def _gammas(steps: int) -> Floats:
    return np.array(_spending(steps))


def _checked(values: Sequence[float], most: float, kind: str) -> list[float]:
    found = [float(value) for value in values]
    if not all(0 <= value <= most for value in found):
        raise ValueError(f"need {kind}, got {values!r}")
    return found


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"a level lies between 0 and 1, got {level!r}")


def _ledger(levels: ArrayLike, decisions: Sequence[bool]) -> Ledger:
    *past, following = np.asarray(levels, np.float64).tolist()
    return Ledger(tuple(past), tuple(decisions), following)
