"""Draws of ratios over lists that share people: items of lists in, ratios per draw out.

Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2), 386-411: lists
and people are drawn independently of each other, so that one person moves every list in which
they stand. Lists are drawn by the caller; here the people are.
"""

from dataclasses import dataclass

import numpy as np

from monitor.model import Floats, Ints

#: Draws at a time: bounds the memory, and with it the order of random numbers.
_CHUNK = 100


@dataclass(frozen=True, slots=True)
class DrawnItems:
    """Items of lists, in the order of the lists; each list has at least one item.

    `people` numbers those who are drawn from 0 on; -1 stands for all others, who count once in
    every draw.
    """

    lists: Ints
    people: Ints
    hits: Ints  # 1 or 0


def ratio_draws(items: DrawnItems, draws: int, rng: np.random.Generator) -> Floats:
    """Share of hits among the items of each list under each draw: (draws, lists).

    Each drawn person weighs Poisson(1) in all lists alike: how often somebody is drawn when very
    many are. NaN marks draws in which nobody of a list is left. All weights are whole numbers, so
    that no order of summation changes a bit.
    """
    shared = items.people >= 0
    n_lists = int(items.lists.max(initial=-1)) + 1
    fixed = np.zeros((2 * n_lists, 1))  # misses and hits of each list, one below the other
    rows = 2 * items.lists + items.hits
    fixed[:, 0] = np.bincount(rows[~shared], minlength=2 * n_lists)
    order = np.argsort(rows[shared], kind="stable")
    people = items.people[shared][order]
    moved, starts = np.unique(rows[shared][order], return_index=True)
    ratios = np.empty((n_lists, draws))
    for first in range(0, draws, _CHUNK):
        width = min(_CHUNK, draws - first)
        counts = np.repeat(fixed, width, axis=1)
        if len(people):
            # Sums of whole numbers are exact in these short floats, which take half the time.
            weights = rng.poisson(1.0, (int(people.max()) + 1, width)).astype(np.float32)
            counts[moved] += np.add.reduceat(weights[people], starts, axis=0)
        above, total = counts[1::2], counts[::2] + counts[1::2]
        ratios[:, first : first + width] = np.divide(
            above, total, out=np.full_like(total, np.nan), where=total > 0
        )
    return ratios.T


def recentre_draws(drawn: Floats, plain: Floats, low: float, high: float) -> Floats:
    """Draws of a statistic with people drawn, moved to the centre of those without: (draws,).

    Drawing people adds noise to every list, which can only raise a mean of absolute values, a
    standard deviation or a highest value. It may widen an interval, but not shift it. `low` and
    `high` are where the statistic ends.
    """
    shift = drawn - plain
    defined = shift[np.isfinite(shift)]
    moved = drawn - defined.mean() if len(defined) else drawn
    return np.clip(moved, low, high)
