"""Agreement of people who rated the same items: ratings in, a number or None out.

A rating is any hashable value, None where a rater left the item out. Used for the rating sheets
of probe lists and for labels of people.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeAlias

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
