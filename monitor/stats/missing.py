"""Missing answers beside a change: how large it could have been, and whether they came with it.

Manski, C. F. (1989). Anatomy of the selection problem. Journal of Human Resources 24(3), 343-360:
without assumptions on why answers are missing, a mean is known within bounds only.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats
from monitor.stats.intervals import Limits

Flags = NDArray[np.bool_]

#: p of `missing_p` up to which missing answers are said to have come or gone with a change.
SUSPECT = 0.05


def mean_bounds(low: Floats, high: Floats, known: Flags) -> Limits:
    """Return the lowest and highest mean of known terms and any of the others.

    `low` and `high` (N,) are the ends of each term, infinite where nothing bounds it; `known` (N,)
    are the terms that count, at least one. Whether another one counts is as open as its value: an
    answer that is missing might have been one without a value. The bounds are sharp.
    """
    if not known.any():
        raise ValueError("a mean needs a known term")
    return Limits(_lowest_mean(low, known), -_lowest_mean(-high, known))


def _lowest_mean(low: Floats, known: Flags) -> float:
    n = np.arange(int((~known).sum()) + 1) + int(known.sum())
    sums = np.concatenate([[0.0], np.cumsum(np.sort(low[~known]))]) + low[known].sum()
    return float((sums / n).min())


def missing_p(kept: Sequence[tuple[int, int]], moved: Sequence[tuple[int, int]]) -> float | None:
    """Return the p of: answers of each class are as likely missing after as before.

    By class, `kept` are the numbers of questions of the panel that have it (before, after), `moved`
    of those that have it at one side and are missing at the other (missing after, missing before).
    Where answers of a class are missing with the same probability on both sides, whatever it is,
    those of `moved` are divided like those of `kept`: a binomial test, two-sided, mid-p. The least
    p of the classes times their number, at most 1; None where no question moved.
    """
    p = [
        _binomial_p(lost, lost + gained, (before + 0.5) / (before + after + 1))
        for (before, after), (lost, gained) in zip(kept, moved, strict=True)
        if lost + gained
    ]
    return min(1.0, len(p) * min(p)) if p else None


def _binomial_p(hits: int, n: int, share: float) -> float:
    """Two-sided mid-p: twice the smaller tail, in which what was seen counts half."""
    k = np.arange(n + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log((n - k[:-1]) / k[1:]))])
    logs += k * math.log(share) + (n - k) * math.log1p(-share)
    chances = np.exp(logs)
    below = float(chances[:hits].sum() + chances[hits] / 2)
    above = float(chances[hits + 1 :].sum() + chances[hits] / 2)
    return min(1.0, 2 * min(below, above))
