"""Uncertainty of the agreement of raters: ratings in, 95 % limits or None out.

The items are taken as drawn from all that could have been rated; the raters are these.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from monitor.stats.agreement import Rating, alpha_of, kappa_of, pairs_of, units_of
from monitor.stats.intervals import Limits, wilson

#: Near chance, limits do not hold where fewer items have anything but the commonest value
#: (docs/methods.md): there are none then.
FEWEST_OTHERS = 20

_TAIL = 0.025
_Item = TypeVar("_Item", bound=Hashable)


def raw_limits(first: Sequence[Rating], second: Sequence[Rating]) -> Limits | None:
    """Wilson's limits of the share of items of which two raters said the same; None without any."""
    pairs = pairs_of(first, second)
    if not pairs:
        return None
    low, high = wilson(sum(n for (a, b), n in pairs.items() if a == b), pairs.total())
    return Limits(float(low), float(high))


def kappa_limits(first: Sequence[Rating], second: Sequence[Rating]) -> Limits | None:
    """Limits of Cohen's kappa, as those of alpha; None where these have none."""
    return _agreement_limits(pairs_of(first, second), kappa_of, Counter)


def alpha_limits(ratings: Sequence[Sequence[Rating]]) -> Limits | None:
    """Limits of Krippendorff's alpha: the jackknife over items on the scale of Fisher's z, with t.

    Where all agree, the lower one is that of the share of disagreement that n items can miss.
    None where alpha has no value, or where fewer than 20 items have anything but the commonest
    value. Efron, B., Stein, C. (1981). The jackknife estimate of variance. Annals of Statistics
    9(3), 586-596; how often they hold is in docs/methods.md.
    """
    return _agreement_limits(units_of(ratings), alpha_of, lambda unit: Counter(dict(unit)))


def _agreement_limits(
    items: Mapping[_Item, int],
    statistic: Callable[[Mapping[_Item, int]], float | None],
    values: Callable[[_Item], Counter[Hashable]],
) -> Limits | None:
    """Compute limits; `items` are equal items with their number, `values` the ratings of one."""
    from scipy.special import stdtrit  # noqa: PLC0415 - start-up time

    estimate, n = statistic(items), sum(items.values())
    totals = Counter[Hashable]()
    for item, often in items.items():
        for value, count in values(item).items():
            totals[value] += often * count
    if estimate is None or estimate <= -1:
        return None
    (commonest, _), *_ = totals.most_common(1)
    dissenting = sum(often for item, often in items.items() if {*values(item)} != {commonest})
    if dissenting < FEWEST_OTHERS:
        return None
    if estimate == 1:
        chance = sum((count / totals.total()) ** 2 for count in totals.values())
        return Limits(max(-1.0, 1 - (1 - _TAIL ** (1 / n)) / (1 - chance)), 1.0)
    without = {item: statistic({**items, item: often - 1}) for item, often in items.items()}
    left_out = {item: value for item, value in without.items() if value is not None}
    if len(left_out) < len(without):
        return None
    mean = sum(items[item] * value for item, value in left_out.items()) / n
    squares = sum(items[item] * (value - mean) ** 2 for item, value in left_out.items())
    error = math.sqrt((n - 1) / n * squares) / (1 - estimate * estimate)
    reach, centre = float(stdtrit(n - 1, 1 - _TAIL)) * error, math.atanh(estimate)
    return Limits(math.tanh(centre - reach), math.tanh(centre + reach))
