"""What missing answers could make of a change: values on both sides in, facts of the change out."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from monitor.measures._shared_values import Facts
from monitor.model import Floats, Ints
from monitor.stats.intervals import Z95, Limits
from monitor.stats.missing import SUSPECT, mean_bounds, missing_p

Flags = NDArray[np.bool_]

#: A bound that is nearer to the change is the change itself.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Possible:
    """The lowest and highest value that each of N questions could have, before and after.

    Both are the value itself where nothing is missing, infinite where nothing bounds it, and NaN
    where there can be none: the question was not planned, or its answer was read and has no value.
    Arrays are (N,).
    """

    before_low: Floats
    before_high: Floats
    after_low: Floats
    after_high: Floats

    @classmethod
    def of(cls, before: tuple[Floats, Floats], after: tuple[Floats, Floats]) -> "Possible":
        """Return those of (lowest, highest) on each side."""
        return cls(*before, *after)

    def some(self, rows: Ints | Flags) -> "Possible":
        """Return those of some of the questions."""
        return Possible(
            self.before_low[rows], self.before_high[rows],
            self.after_low[rows], self.after_high[rows],
        )  # fmt: skip

    @property
    def open(self) -> Flags:
        """(N,) the questions that have or could have a value on both sides."""
        none = np.isnan(self.before_low) | np.isnan(self.before_high)
        return ~(none | np.isnan(self.after_low) | np.isnan(self.after_high))

    @property
    def difference(self) -> tuple[Floats, Floats]:
        """(N,) the lowest and the highest that after less before could be."""
        return self.after_low - self.before_high, self.after_high - self.before_low


def missing_facts(
    sides: tuple[Floats, Floats],
    possible: Possible,
    delta: float,
    weights: Floats,
    group: Ints | None = None,
    *,
    bounds: Callable[[], Limits] | None = None,
    within: Callable[[Flags], Limits] | None = None,
) -> Facts:
    """Return `bound_low`, `bound_high`, `missing_suspect` and what these rest on.

    The change `delta` is the sum of `weights` (N,) times differences over the questions that have a
    value on both `sides` (N,), NaN where there is none; the mean of each `group` (N,) has a weight
    of its own, which is the sum of its questions' weights. `within` computes the bounds of another
    kind of quantity over some of the questions, `bounds` those over all of them where the sum is
    linearised.

    `bound_low` and `bound_high` are the least and most that the change could be, whatever the
    missing answers are, over the questions planned at both ticks; left out where nothing bounds it.
    `became_missing` and `was_missing` are questions with a value at one tick alone whose answer at
    the other is missing. `missing_suspect` is 1 where both hold: answers are not missing alike
    before and after (`p_missing`, of `missing_p`, is at most 0.05), and those of these questions
    could have left no change beyond chance: the bounds over the panel and these questions come
    within 1.96 standard deviations of 0, of the change were each question's sign a coin. A question
    that is missing at both ticks makes no change.
    """
    known, could = [np.isfinite(side) for side in sides], possible.open
    kept = known[0] & known[1]
    lost = known[0] & ~kept & could
    gained = known[1] & ~kept & could
    groups = np.zeros(len(kept), np.int64) if group is None else group
    within = within or partial(_sum_bounds, possible, kept, weights, groups)
    least, most = possible.difference
    ends = Limits(delta, delta)
    if (could & ~kept).any() or (least < most)[kept].any():
        ends = bounds() if bounds else within(could)
    p = _p(sides, kept, (lost, gained), weights)
    suspect = False
    if p is not None and p <= SUSPECT and delta != 0:
        reached = within(kept | lost | gained)
        chance = Z95 * math.hypot(*(weights * (sides[1] - sides[0]))[kept].tolist())
        suspect = reached.low - chance <= 0 <= reached.high + chance
    facts: Facts = (("missing_suspect", float(suspect)),)
    if np.isfinite(ends.low) and np.isfinite(ends.high):
        low, high = min(ends.low, delta), max(ends.high, delta)
        facts += (
            ("bound_low", low if delta - low > _ROUNDING else delta),
            ("bound_high", high if high - delta > _ROUNDING else delta),
        )
    if p is not None:
        facts += (
            ("became_missing", float(lost.sum())),
            ("was_missing", float(gained.sum())),
            ("p_missing", p),
        )
    return facts


def _sum_bounds(
    possible: Possible, kept: Flags, weights: Floats, groups: Ints, counted: Flags
) -> Limits:
    """Return the bounds of the weighted sum of means over the `counted` questions."""
    low, high = 0.0, 0.0
    least, most = (
        possible.after_low - possible.before_high,
        possible.after_high - possible.before_low,
    )
    for number in np.unique(groups[kept]):
        rows = (groups == number) & (counted | kept)
        known = kept[rows]
        weight = float(weights[(groups == number) & kept].sum())
        ends = mean_bounds(least[rows], most[rows], known)
        low += weight * (ends.low if weight > 0 else ends.high) if weight else 0.0
        high += weight * (ends.high if weight > 0 else ends.low) if weight else 0.0
    return Limits(low, high)


def _p(
    sides: tuple[Floats, Floats], kept: Flags, moved: tuple[Flags, Flags], weights: Floats
) -> float | None:
    """Return the p of two classes: answers that raise the quantity, and those that lower it."""
    if not (kept.any() and (moved[0] | moved[1]).any()):
        return None
    middle = float(np.mean([side[kept].mean() for side in sides]))
    raises = [(side - middle) * np.where(weights < 0, -1.0, 1.0) > 0 for side in sides]
    both = [(int((kept & up).sum()), int((kept & ~up).sum())) for up in raises]
    alone = [
        (int((rows & up).sum()), int((rows & ~up).sum()))
        for rows, up in zip(moved, raises, strict=True)
    ]
    return missing_p(list(zip(*both, strict=True)), list(zip(*alone, strict=True)))
