"""Decide whether a change also holds beyond the list: paired tests of pooled runs in. Pure.

Claim B, "it treats sentences like these differently", is tested only where claim A was decided. Its
test is the paired one over clusters of questions, of the answers of several runs on each side. Two
ways, whose levels add up to `ALPHA_EVENTS` + `ALPHA_ORIGIN`, less than 0.05:

- **when the change was decided.** It was looked at because it was large, so its p is divided by the
  probability that a change without direction would have been large enough. The j-th event of the
  job has the level ALPHA_EVENTS / (j (j + 1)), shared evenly by the series of the event.
- **since the first runs.** At every fourth tick the runs of late are compared with the first runs
  of the series, whatever was decided in between. The look does not depend on what was seen, so that
  the p stands as it is; its j-th look has ALPHA_ORIGIN / (j (j + 1)) over all primary series.
"""

import math
from collections.abc import Sequence
from statistics import fmean

#: Level of all events of a job together.
ALPHA_EVENTS = 0.03
#: Level of all comparisons with the first runs together.
ALPHA_ORIGIN = 0.005
#: Ticks from one comparison with the first runs to the next.
EVERY = 4
#: Runs on each side at most.
POOLED_BEFORE, POOLED_LATE = 16, 10


def event_level(number: int, series: int) -> float:
    """Level of one series of the event with this number, from 1; `series` are in the event."""
    return ALPHA_EVENTS / (number * (number + 1)) / series


def origin_level(look: int, hypotheses: int) -> float:
    """Level of one series at the look with this number, from 1."""
    return ALPHA_ORIGIN / (look * (look + 1)) / hypotheses


def least_effect(
    before: Sequence[float], since: Sequence[float], *, up: bool, exceptions: int
) -> float:
    """Return the smallest shift of the mean that would have been decided, at least 0.

    `before` and `since` are the values of the runs. The noise of each run about the mean of its own
    side stays as it is; the shift is just large enough for all runs since to lie beyond those
    before, but for the `exceptions`.
    """
    sign = 1 if up else -1
    old = sorted((sign * value for value in before), reverse=True)
    new = [sign * value for value in since]
    limit = old[min(exceptions, len(old) - 1)]
    centre = fmean([sign * value for value in before[-POOLED_BEFORE:]])
    return max((limit - centre) - (min(new) - fmean(new)), 0.0)


def conditional_p(p: float, effect: float, spread: float, least: float) -> float:
    """Return p given that the effect is at least `least`, in [0, 1].

    p / P(|S| >= least), where S is the sum of the clusters' parts with random signs and standard
    deviation `spread`, taken as normal. The effect itself is the most that `least` can be.
    """
    if spread <= 0:
        return 1.0
    reached = math.erfc(min(least, abs(effect)) / (spread * math.sqrt(2)))
    return 1.0 if reached <= 0 else min(p / reached, 1.0)
