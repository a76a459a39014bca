"""Change of GSR since the tick before: lists of both in, the slope of their difference out."""

import numpy as np

from monitor.measures._gsr_compared import Compared
from monitor.ranked.score import PerList
from monitor.ranked.slope import SIGNS, Rule, cluster_of, ranges, usable, x_of
from monitor.stats.intervals import Z95, Limits
from monitor.stats.regression import fit, sign_flip_p, slope_bounds
from monitor.stats.resampling import generator


def change(now: PerList, before: PerList, rule: Rule) -> Compared:
    """Least squares of the difference of list genderedness on g(q), with an HC3 interval.

    `before` has a row for each query of `now`.
    """
    kept = usable(now) & usable(before)
    used = int(kept.sum())
    facts: tuple[tuple[str, float], ...] = (("n_panel", float(used)),)
    if used < rule.floor:
        reason = f"{used} queries usable at both ticks, floor {rule.floor}"
        return Compared(None, None, None, used, reason, facts)
    moved = now.values[kept] - before.values[kept]
    line = fit(x_of(now)[kept], moved)
    if line is None:
        reason = "the genderedness of the queries is constant"
        return Compared(None, None, None, used, reason, facts)
    terms = np.bincount(cluster_of(now, kept), line.centred * moved).astype(np.float64)
    p = sign_flip_p(terms, rule.draws, generator(rule.seed, SIGNS))
    named = (("p", p), ("slope_se_hc3", line.hc3))
    facts += tuple((name, number) for name, number in named if number is not None)
    interval = None
    if line.hc3 is not None:
        interval = Limits(line.slope - Z95 * line.hc3, line.slope + Z95 * line.hc3)
    (low, high), (low_before, high_before) = ranges(now, rule), ranges(before, rule)
    counted = np.isfinite(low) & np.isfinite(low_before)
    limits = slope_bounds(
        x_of(now)[counted], (low - high_before)[counted], (high - low_before)[counted]
    )
    bounds = Limits(min(limits.low, line.slope), max(limits.high, line.slope))
    return Compared(line.slope, interval, bounds, used, "", facts)
