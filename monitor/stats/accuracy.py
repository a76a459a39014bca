"""Rates corrected for the errors of the instrument: counts and an audit in, corrected rates out.

An audit compares the classes that the instrument called with those that people saw. Which formula
fits depends on how it was drawn. `rogan_gladen` and `inverse_matrix`: drawn by the true class, or
at random. `calibrated`: so many items of each *called* class, from the very output whose rates
are corrected. Items count as independent; the limits are those of the answers that were audited.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from monitor.model import Floats
from monitor.stats.chance import hypergeometric_law
from monitor.stats.intervals import Z95

#: Audited items of a class below which nothing is corrected.
LEAST_AUDITED = 10

#: An instrument whose classes mix more than this (condition of its matrix) is not inverted.
_MOST_MIXED = 50.0


@dataclass(frozen=True, slots=True)
class Corrected:
    """One rate as the instrument gave it, and corrected with its 95 % interval, both in [0, 1].

    `clipped`: the formula left [0, 1] and was cut off there. Without a `rate` the `reason` says
    why.
    """

    raw: float | None
    rate: float | None = None
    low: float | None = None
    high: float | None = None
    clipped: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Audit:
    """How many audited hits and others there were in truth, and how many were called so."""

    hits: int
    called_hits: int
    others: int
    called_others: int

    def __post_init__(self) -> None:
        if not (0 <= self.called_hits <= self.hits and 0 <= self.called_others <= self.others):
            raise ValueError(f"an audit cannot find more than there is: {self!r}")


def rogan_gladen(hits: float, n: float, audit: Audit) -> Corrected:
    """Share of hits among n, (p + Sp - 1) / (Se + Sp - 1), with the limits of Lang & Reiczigel.

    Rogan, W. J., Gladen, B. (1978). Estimating prevalence from the results of a screening test.
    American Journal of Epidemiology 107(1), 71-76. Lang, Z., Reiczigel, J. (2014). Confidence
    limits for prevalence of disease adjusted for estimated sensitivity and specificity. Preventive
    Veterinary Medicine 113(1), 13-22.
    """
    if not 0 <= hits <= n:
        raise ValueError(f"need 0 <= hits <= n, got {hits!r} and {n!r}")
    if n == 0:
        return Corrected(None, reason="nothing was measured")
    raw = hits / n
    fewest = min(audit.hits, audit.others)
    if fewest < LEAST_AUDITED:
        return Corrected(raw, reason=f"{fewest} of at least {LEAST_AUDITED} audited of a class")
    sensitivity, specificity = audit.called_hits / audit.hits, audit.called_others / audit.others
    better = sensitivity + specificity - 1
    # Limits come from shares with a success and a failure added, which are nearer to one half.
    z2 = Z95 * Z95
    p, size = (hits + z2 / 2) / (n + z2), n + z2
    se, hits_size = (audit.called_hits + 1) / (audit.hits + 2), audit.hits + 2
    sp, others_size = (audit.called_others + 1) / (audit.others + 2), audit.others + 2
    youden = se + sp - 1
    if better <= 0 or youden <= 0:
        return Corrected(raw, reason="the audit found the instrument no better than chance")
    value = (raw + specificity - 1) / better
    centre = (p + sp - 1) / youden
    of_hits, of_others = se * (1 - se) / hits_size, sp * (1 - sp) / others_size
    shift = 2 * z2 * (centre * of_hits - (1 - centre) * of_others)
    variance = p * (1 - p) / size + centre**2 * of_hits + (1 - centre) ** 2 * of_others
    half = Z95 * variance**0.5 / youden
    return _corrected(raw, value, centre + shift - half, centre + shift + half)


def inverse_matrix(called: Sequence[float], audited: ArrayLike) -> tuple[Corrected, ...]:
    """Share of each of k classes: the solution of M pi = q with the limits of the delta method.

    `called` (k,) counts what the instrument called; `audited` (k, k) has the true classes in rows
    and the called ones in columns, M[j, i] = share of truth i that was called j. Limits are taken
    after adding one item to every cell of the audit and Z^2 / k to every count, so that an audit
    without an error is not taken for an instrument without one. Greenland, S. (1988). Variance
    estimation for epidemiologic effect estimates under misclassification. Statistics in Medicine
    7(7), 745-757. Shares below 0 are cut off, and all scaled to the sum 1.
    """
    q, table = _counted(called, audited)
    reason = _lacking(q, table.sum(axis=1))
    if not reason and np.linalg.cond(_shares(table).T) > _MOST_MIXED:
        reason = "the audit found that the instrument mixes up the classes"
    if reason:
        return _uncorrected(q, reason)
    raw = q / q.sum()
    solved = np.linalg.solve(_shares(table).T, raw)
    cut = np.clip(solved, 0, None)
    softened, soft = _shares(table + 1), _softened(q)
    mixing = np.linalg.inv(softened.T)
    centre = mixing @ (soft / soft.sum())
    spread = _multinomial(soft / soft.sum(), soft.sum())
    for share, row, size in zip(centre, softened, table.sum(axis=1) + len(q), strict=True):
        spread = spread + share**2 * _multinomial(row, size)
    half = Z95 * np.sqrt(np.diag(mixing @ spread @ mixing.T))
    every = zip(raw, solved, cut / cut.sum(), centre - half, centre + half, strict=True)
    return tuple(
        _corrected(*map(float, (share, rate, low, high)), clipped=bool(value < 0))
        for share, value, rate, low, high in every
    )


def calibrated(called: Sequence[float], audited: ArrayLike) -> tuple[Corrected, ...]:
    """Share of each of k classes: sum over called classes j of q_j P(truth i | called j).

    As `inverse_matrix`, for an audit of so many items of each called class, which shows how often a
    call is right and not how often a class is found. Tenenbein, A. (1972). A double sampling scheme
    for estimating from misclassified multinomial data with applications to sampling inspection.
    Technometrics 14(1), 187-202. Holds for the output that was audited: where the true shares move,
    the share of right calls moves with them.
    """
    q, table = _counted(called, audited)
    reason = _lacking(q, table.sum(axis=0))
    if reason:
        return _uncorrected(q, reason)
    raw = q / q.sum()
    rates = _shares(table.T).T @ raw
    softened, soft = _shares(table.T + 1), _softened(q)
    shares = soft / soft.sum()
    spread = softened.T @ _multinomial(shares, soft.sum()) @ softened
    for share, row, size in zip(shares, softened, table.sum(axis=0) + len(q), strict=True):
        spread = spread + share**2 * _multinomial(row, size)
    centre, half = softened.T @ shares, Z95 * np.sqrt(np.diag(spread))
    every = zip(raw, rates, centre - half, centre + half, strict=True)
    return tuple(_corrected(*map(float, numbers)) for numbers in every)


def accuracy_drop(right_before: int, n_before: int, right_after: int, n_after: int) -> float | None:
    """One-sided p of "the instrument is no worse than at the audit before"; None without both.

    Fisher's exact test: probability of so few or fewer right ones in the later audit when all
    right ones are spread over both by chance.
    """
    if not (0 <= right_before <= n_before and 0 <= right_after <= n_after):
        raise ValueError("an audit cannot have more right ones than items")
    if not n_before or not n_after:
        return None
    law = hypergeometric_law(n_before + n_after, right_before + right_after, n_after)
    return min(float(law[: right_after + 1].sum()), 1.0)


def _corrected(
    raw: float, rate: float, low: float, high: float, *, clipped: bool = False
) -> Corrected:
    """Cut off at 0 and 1, the interval widened to hold the rate where it was moved beside it."""
    if high <= 0 or low >= 1:
        return Corrected(raw, reason="the errors that the audit found do not fit these counts")
    inside = min(max(rate, 0.0), 1.0)
    return Corrected(
        raw, inside,
        low=min(max(low, 0.0), inside),
        high=max(min(high, 1.0), inside),
        clipped=clipped or inside != rate,
    )  # fmt: skip


def _counted(called: Sequence[float], audited: ArrayLike) -> tuple[Floats, Floats]:
    q, table = np.asarray(called, np.float64), np.asarray(audited, np.float64)
    if q.ndim != 1 or not len(q) or table.shape != (len(q), len(q)):
        raise ValueError(f"need k counts and k by k audited, got {q.shape} and {table.shape}")
    if not (np.isfinite(q).all() and np.isfinite(table).all()):
        raise ValueError("counts must be finite")
    if (q < 0).any() or (table < 0).any():
        raise ValueError("counts are at least 0")
    return q, table


def _uncorrected(q: Floats, reason: str) -> tuple[Corrected, ...]:
    total = float(q.sum())
    return tuple(Corrected(float(n) / total if total else None, reason=reason) for n in q)


def _lacking(q: Floats, audited: Floats) -> str:
    if not q.sum():
        return "nothing was measured"
    fewest = int(audited.min())
    if fewest < LEAST_AUDITED:
        return f"{fewest} of at least {LEAST_AUDITED} audited of a class"
    return ""


def _shares(rows: Floats) -> Floats:
    shares: Floats = rows / rows.sum(axis=1, keepdims=True)
    return shares


def _softened(q: Floats) -> Floats:
    softened: Floats = q + Z95 * Z95 / len(q)
    return softened


def _multinomial(shares: Floats, n: float) -> Floats:
    """Covariance (k, k) of the shares of n items."""
    covariance: Floats = (np.diag(shares) - np.outer(shares, shares)) / n
    return covariance
