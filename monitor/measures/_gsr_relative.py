"""GSR against a baseline of fixed membership: lists of several systems in, one ratio out.

Fabris et al. (2020, section 4.2) compare systems by (m - m_base)/m_base, which no longer depends on
the scale of the vectors. The baseline is the mean slope of its members, without the system itself.
"""

from collections.abc import Collection, Sequence

import numpy as np

from monitor.measures._gsr_compared import Compared
from monitor.model import Floats
from monitor.ranked.score import PerList
from monitor.ranked.slope import Rule, ranges, usable, x_of
from monitor.stats.intervals import Limits
from monitor.stats.regression import Line, fieller, fit, hc3_covariance, slope_bounds


def members(named: Sequence[str], known: Collection[str], own: str) -> tuple[list[str], str]:
    """(the members of a baseline, why it cannot be used).

    A system is left out of its own baseline; any other that is not there would change the
    membership.
    """
    if not named:
        return [], "no baseline is named"
    found = [label for label in named if label in known and label != own]
    absent = [label for label in named if label not in known and label != own]
    if absent or not found:
        absent = absent or [own]
        return [], f"the baseline {', '.join(named)} lacks lists of {', '.join(absent)}"
    return found, ""


def relative(found: PerList, base: Sequence[PerList], rule: Rule) -> Compared:
    """The ratio with a Fieller interval from HC3 errors, and its lowest and highest value."""
    kept = usable(found)
    for other in base:
        kept &= usable(other)
    used = int(kept.sum())
    if used < rule.floor:
        return _none(f"{used} queries usable with every member, floor {rule.floor}", used)
    x = x_of(found)[kept]
    mean = np.mean([other.values[kept] for other in base], axis=0)
    line, reference = fit(x, found.values[kept]), fit(x, mean)
    if line is None or reference is None:
        return _none("the genderedness of the queries is constant", used)
    return _ratio(found, base, rule, line, reference)


def _none(reason: str, used: int, facts: tuple[tuple[str, float], ...] = ()) -> Compared:
    return Compared(None, None, None, used, reason, facts)


def _ratio(
    found: PerList, base: Sequence[PerList], rule: Rule, line: Line, reference: Line
) -> Compared:
    facts: tuple[tuple[str, float], ...] = (
        ("base_slope", reference.slope),
        ("base_members", float(len(base))),
    )
    errors = (line.residuals, reference.residuals)
    own, cross, theirs = (
        hc3_covariance(line.centred, line.leverage, errors[one], errors[two])
        for one, two in ((0, 0), (0, 1), (1, 1))
    )
    if own is None or cross is None or theirs is None:
        return _none("one query carries the slope alone: no standard error", line.n, facts)
    facts += (("base_se", float(np.sqrt(theirs))),)
    limits = fieller(line.slope, reference.slope, own, theirs, cross)
    if limits is None or not reference.slope:
        reason = (
            f"the slope of the baseline, {reference.slope:.3g}, cannot be told from 0 (standard "
            f"error {np.sqrt(theirs):.3g}): nothing is relative to it"
        )
        return _none(reason, line.n, facts)
    value = line.slope / reference.slope - 1
    interval = Limits(min(limits.low - 1, value), max(limits.high - 1, value))
    return Compared(value, interval, _bounds(found, base, rule, value), line.n, "", facts)


def _bounds(found: PerList, base: Sequence[PerList], rule: Rule, value: float) -> Limits | None:
    """Outer limits whatever the missing documents hold; None where the baseline could be 0."""
    own, theirs = ranges(found, rule), [ranges(other, rule) for other in base]
    below = np.mean([low for low, _ in theirs], axis=0)
    above = np.mean([high for _, high in theirs], axis=0)
    m, base_m = _slope_limits(found, *own), _slope_limits(found, below, above)
    if base_m.low <= 0 <= base_m.high:
        return None
    corners = [one / other - 1 for one in m for other in base_m]
    return Limits(min(*corners, value), max(*corners, value))


def _slope_limits(found: PerList, low: Floats, high: Floats) -> Limits:
    counted = np.isfinite(low)
    return slope_bounds(x_of(found)[counted], low[counted], high[counted])
