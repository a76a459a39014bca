"""What chance makes of a list: a target share and a number of items in, laws of the bias out."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from monitor.measures._c_ratio_search_lists import Cut, Rules
from monitor.measures._c_ratio_search_targets import Target, seats_of
from monitor.model import Floats
from monitor.stats.chance import binomial_law, hypergeometric_law, two_sided

#: Absolute biases that agree to so many digits are one.
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Law:
    """Values of an absolute bias in ascending order, with their probabilities."""

    sizes: Floats
    chances: Floats

    @property
    def mean(self) -> float:
        """Expected absolute bias."""
        return float((self.sizes * self.chances).sum())

    @property
    def mean_square(self) -> float:
        """Expected square of the bias."""
        return float((self.sizes**2 * self.chances).sum())

    def drawn(self, uniform: Floats) -> Floats:
        """The law's quantiles at numbers within [0, 1)."""
        places = np.searchsorted(np.cumsum(self.chances), uniform, side="right")
        drawn: Floats = self.sizes[np.minimum(places, len(self.sizes) - 1)]
        return drawn


def count_law(target: Target, cut: Cut, rules: Rules) -> Floats:
    """Probability of each number of items of the reported group in a list without bias.

    Every counted item is of the group with the target share. Where the target is the engine's own
    full list, the counted items are drawn from it without replacement; a list that cannot have
    been (somebody stands in it twice) is drawn with replacement all the same.
    """
    n, hits = len(cut.counted), cut.counts[rules.place]
    if target.people is not None:
        total, marked = sum(target.people), target.people[rules.place]
        if hits <= marked and n - hits <= total - marked:
            return hypergeometric_law(total, marked, n)
    return binomial_law(n, float(target.shares[rules.place]))


def p_value(target: Target, cuts: Sequence[Cut], rules: Rules) -> float:
    """Exact two-sided p-value of a topic: the largest one of its lists.

    Repeats show the same people again, so lists of one topic do not add up; the largest p-value is
    valid however they depend on each other.
    """
    return max(two_sided(count_law(target, cut, rules), cut.counts[rules.place]) for cut in cuts)


def bias_law(target: Target, weighted: Sequence[tuple[Fraction, Cut]], rules: Rules) -> Law:
    """Law of a topic's absolute bias without bias, its lists moving together.

    The target is rounded anew for every count, as it is for the list itself.
    """
    sizes: dict[int, Fraction] = defaultdict(Fraction)
    sample: dict[int, Cut] = {}
    for weight, cut in weighted:
        sizes[len(cut.counted)] += weight
        sample.setdefault(len(cut.counted), cut)
    laws = [count_law(target, sample[n], rules) for n in sorted(sizes)]
    biases = [float(sizes[n]) * _biases(target, n, rules) for n in sorted(sizes)]
    if len(laws) == 1:
        return _law(biases[0], laws[0])
    steps = [np.minimum(np.cumsum(law), 1.0) for law in laws]
    edges = np.unique(np.concatenate([[0.0, 1.0], *steps]))
    middles = (edges[1:] + edges[:-1]) / 2
    together = np.zeros(len(middles))
    for step, bias in zip(steps, biases, strict=True):
        places = np.searchsorted(step, middles, side="right")
        together += bias[np.minimum(places, len(bias) - 1)]
    return _law(together, np.diff(edges))


def _biases(target: Target, n: int, rules: Rules) -> Floats:
    """Bias of a list of n counted items for each number of items of the group."""
    hits, over = np.arange(n + 1), rules.over(n)
    if rules.target == "exact":
        exact: Floats = hits / over - float(target.shares[rules.place])
        return exact
    # On a tie the target is the nearer of two neighbours: the lower one for all hits up to it.
    fewest, most = seats_of(target, over, rules)
    rounded: Floats = (hits - np.where(hits <= fewest, fewest, most)) / over
    return rounded


def _law(biases: Floats, chances: Floats) -> Law:
    sizes, places = np.unique(np.round(np.abs(biases), _DIGITS), return_inverse=True)
    summed = np.bincount(places, chances, len(sizes))
    return Law(sizes.astype(np.float64), summed.astype(np.float64))
