"""Agreement of people who rated the same items, and shares of an output that people read.

A rating is any hashable value, None where a rater left the item out. Used for the rating sheets
of probe lists and for labels of people. Limits: the items are taken as drawn from all that could
have been rated; the raters are these.

Audited shares: so many answers of each *called* class were drawn at random and read. How often a
call is right is then known of each class, and the share of a truth in the whole output is the sum
over called classes of their share times that (Tenenbein 1972). The classes called and the truths
need not be the same, shares may be of a part (masculine among marked), and a class that has hardly
any answers may be read whole. Of two classes it is what Rogan & Gladen (1978) correct to, with the
sensitivity and the specificity in the whole output; those of the sheet itself are others, because
of rare calls as many are drawn.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias, TypedDict, TypeVar

import numpy as np

from monitor.model import Floats
from monitor.stats.chance import hypergeometric_law
from monitor.stats.intervals import Z95, Limits, wilson

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


#: Answers of a called class that have to be read; below that nothing is corrected.
LEAST_AUDITED = 10


@dataclass(frozen=True, slots=True)
class Corrected:
    """A share as it was called, and as people read it with its 95 % interval, all in [0, 1].

    Without a `rate` the `reason` says why.
    """

    raw: float | None
    rate: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""


class SharePlace(Enum):
    """Position of a class in a share of top among top and rest."""

    TOP = auto()
    REST = auto()
    OUTSIDE = auto()


#: Truths that are told apart: one item is added to each before limits are taken, so that an audit
#: without an error is not taken for an instrument without one.
_TRUTHS = len(SharePlace)
#: Parts of answers add up to whole ones but for rounding.
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Called:
    """Answers of one called class: their number, and what people read in those drawn of them.

    An answer that people read in different ways counts in parts.
    """

    name: str
    answers: int
    place: SharePlace  # of the class as it was called
    top: float = 0
    rest: float = 0
    outside: float = 0

    def __post_init__(self) -> None:
        if min(self.top, self.rest, self.outside) < 0 or self.read > self.answers + _ROUNDING:
            raise ValueError(f"nobody can read more than there is: {self!r}")

    @property
    def read(self) -> float:
        """Answers that people read."""
        return self.top + self.rest + self.outside

    @property
    def least(self) -> int:
        """Return how many have to be read: all of a class that has hardly any."""
        return min(LEAST_AUDITED, self.answers)


def audited_share(called: Sequence[Called]) -> Corrected:
    """Return the share of top among top and rest, as called and as people read, with 95 % limits.

    rate = sum_j q_j P(top | j) / sum_j q_j P(top or rest | j) over the called classes j, q_j their
    shares. Tenenbein, A. (1972). A double sampling scheme for estimating from misclassified
    multinomial data with applications to sampling inspection. Technometrics 14(1), 187-202. Limits
    by the delta method for a ratio, from counts with one item added to each truth of each class. It
    holds for the output that was drawn from, where each answer counts once.
    """
    answered = [group for group in called if group.answers]
    called_top, called_rest = (
        sum(group.answers for group in answered if group.place is place)
        for place in (SharePlace.TOP, SharePlace.REST)
    )
    raw = called_top / (called_top + called_rest) if called_top + called_rest else None
    if not answered:
        return Corrected(raw, reason="nothing was measured")
    for group in answered:
        if group.read < group.least - _ROUNDING:
            few = f"{group.read:.0f} of at least {group.least} read"
            return Corrected(raw, reason=f"{few} of what was called {group.name}")
    answers, top, rest, read = (
        np.array([getattr(group, name) for group in answered], np.float64)
        for name in ("answers", "top", "rest", "read")
    )
    both_rests = top + rest
    of_both = float((answers * both_rests / read).sum())
    if not of_both:
        return Corrected(raw, reason="people read none of these classes in it")
    rate = float((answers * top / read).sum()) / of_both
    half, centre = _ratio_limits(answers, top, both_rests, read)
    return Corrected(
        raw,
        rate,
        low=min(max(centre - half, 0.0), rate),
        high=max(min(centre + half, 1.0), rate),
    )


def _ratio_limits(
    answers: Floats,
    top: Floats,
    both: Floats,
    read: Floats,
) -> tuple[float, float]:
    """(half width, centre) of the limits."""
    size = read + _TRUTHS
    p_top, p_both = (top + 1) / size, (both + 2) / size
    counts = answers + Z95 * Z95 / len(answers)
    shares = counts / counts.sum()
    of_both = float((shares * p_both).sum())
    ratio = float((shares * p_top).sum()) / of_both
    mean = p_top - ratio * p_both
    within = p_top * (1 - ratio) ** 2 + (p_both - p_top) * ratio**2 - mean**2
    between = (shares * mean**2).sum() - (shares * mean).sum() ** 2
    variance = (shares**2 * within / size).sum() + between / counts.sum()
    return Z95 * float(variance) ** 0.5 / of_both, ratio


def drop_within(classes: Sequence[tuple[int, int, int, int]]) -> float | None:
    """Return the one-sided p of "calls are as often right as at the audit before, in every class".

    `classes` are (right before, read before, right after, read after). Fisher's exact test where
    there is one class; with more the right ones are spread by chance within each, so that other
    numbers drawn of a class are no fall. Birch, M. W. (1964). The detection of partial association,
    I: the 2 x 2 case. Journal of the Royal Statistical Society B 26(2), 313-324. None where no
    class was read both times.
    """
    law = np.ones(1)
    right = 0
    is_known = False
    for right_before, n_before, right_after, n_after in classes:
        if not (0 <= right_before <= n_before and 0 <= right_after <= n_after):
            raise ValueError("an audit cannot have more right ones than items")
        if n_before and n_after:
            is_known = True
            right += right_after
            class_law = hypergeometric_law(n_before + n_after, right_before + right_after, n_after)
            law = np.convolve(law, class_law)
    return min(float(law[: right + 1].sum()), 1.0) if is_known else None
