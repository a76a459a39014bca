"""Agreement of people who rated the same items: ratings in, a number or None out.

A rating is any hashable value, None where a rater left the item out. Used for the rating sheets
of probe lists and for labels of people.

Limits: the items are taken as drawn from all that could have been rated; the raters are these.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeAlias, TypedDict, TypeVar

from monitor.stats.intervals import Limits, wilson

Rating = Hashable | None

#: An item: how often each value was said of it.
Unit: TypeAlias = frozenset[tuple[Hashable, int]]
#: An item: what each of two raters said of it.
Pair: TypeAlias = tuple[Hashable, Hashable]

_FEWEST_RATERS = 2


def _by_item(ratings: Sequence[Sequence[Rating]]) -> list[Counter[Hashable]]:
    """Counts of the values of each item that at least two raters rated."""
    if len(ratings) < _FEWEST_RATERS:
        raise ValueError(f"agreement needs at least {_FEWEST_RATERS} raters, got {len(ratings)}")
    if len({len(row) for row in ratings}) != 1:
        raise ValueError("every rater needs one entry per item (None where there is no rating)")
    items = (Counter(v for v in column if v is not None) for column in zip(*ratings, strict=True))
    return [counts for counts in items if counts.total() > 1]


def raw_agreement(ratings: Sequence[Sequence[Rating]]) -> float | None:
    """Share of agreeing pairs among all pairs of ratings of one item, in [0, 1].

    `ratings` is (raters, items). None when no item has two ratings.
    """
    items = _by_item(ratings)
    pairs = sum(counts.total() * (counts.total() - 1) for counts in items)
    equal = sum(c * (c - 1) for counts in items for c in counts.values())
    return equal / pairs if pairs else None


def cohen_kappa(first: Sequence[Rating], second: Sequence[Rating]) -> float | None:
    """Cohen's kappa of two raters in [-1, 1], 0 at chance, over the items that both rated.

    None without such items, or when chance alone already agrees always. Cohen, J. (1960). A
    coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1),
    37-46.
    """
    return kappa_of(pairs_of(first, second))


def pairs_of(first: Sequence[Rating], second: Sequence[Rating]) -> Counter[Pair]:
    """Return how often two raters gave each pair of values, of the items that both rated."""
    if len(first) != len(second):
        raise ValueError(f"the raters have {len(first)} and {len(second)} entries")
    return Counter(
        (a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None
    )


def kappa_of(pairs: Mapping[Pair, int]) -> float | None:
    """Compute Cohen's kappa of so many items of each kind."""
    n = sum(pairs.values())
    first_totals, second_totals = Counter[Hashable](), Counter[Hashable]()
    for (a, b), count in pairs.items():
        first_totals[a] += count
        second_totals[b] += count
    # Whole numbers until the last step: kappa of perfect agreement is then exactly 1.
    chance = sum(first_totals[value] * second_totals[value] for value in first_totals)
    observed = n * sum(count for (a, b), count in pairs.items() if a == b)
    return (observed - chance) / (n * n - chance) if chance < n * n else None


def krippendorff_alpha(ratings: Sequence[Sequence[Rating]]) -> float | None:
    """Krippendorff's alpha for nominal values and two or more raters, 1 = perfect, 0 = chance.

    `ratings` is (raters, items); items with fewer than two ratings say nothing about agreement.
    None when no item has two ratings or every rating is the same. Krippendorff, K. (2011).
    Computing Krippendorff's alpha-reliability. University of Pennsylvania.
    """
    return alpha_of(units_of(ratings))


def units_of(ratings: Sequence[Sequence[Rating]]) -> Counter[Unit]:
    """Return how many items there are of each kind, of those that two or more rated."""
    return Counter(frozenset(counts.items()) for counts in _by_item(ratings))


def alpha_of(units: Mapping[Unit, int]) -> float | None:
    """Compute Krippendorff's alpha of so many items of each kind."""
    totals, observed = Counter[Hashable](), 0.0
    for unit, often in units.items():
        ratings = sum(count for _, count in unit)
        observed += often * (ratings**2 - sum(count**2 for _, count in unit)) / (ratings - 1)
        for value, count in unit:
            totals[value] += often * count
    n = totals.total()
    expected = n * n - sum(count * count for count in totals.values())
    return 1 - (n - 1) * observed / expected if expected else None


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


class AgreedPair(TypedDict):
    """Raw agreement and Cohen's kappa of two raters over the `n` items that both rated."""

    first: str
    second: str
    n: int
    agreement: float | None
    agreement_limits: Limits | None
    kappa: float | None
    kappa_limits: Limits | None


def agreed_pair(
    first: tuple[str, Sequence[Rating]], second: tuple[str, Sequence[Rating]]
) -> AgreedPair:
    """Each rater is (name, one entry per item, None where there is no rating)."""
    two = first[1], second[1]
    return {
        "first": first[0],
        "second": second[0],
        "n": pairs_of(*two).total(),
        "agreement": raw_agreement(two),
        "agreement_limits": raw_limits(*two),
        "kappa": cohen_kappa(*two),
        "kappa_limits": kappa_limits(*two),
    }
