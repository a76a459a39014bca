"""c-ratio bias: its ratios, statistics over occupations, and quantities, for both kinds of systems.

Lipani, A., Piroi, F., Yilmaz, E. (2021), Definitions 2.2 and 2.3. Floats would decide ties wrongly
(0.29 * 50 is 14.499999999999998), so ratios are rational.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from monitor.measures._shared import (
    GAP,
    SCORE,
    Facts,
    ProbeCounts,
    make_quantity,
    measured_value,
    ratio_of,
)
from monitor.model import Floats, Quantity, Share, Symmetry, TopicValue, Value
from monitor.stats.intervals import (
    IntervalMethod,
    Limits,
    absolute_limits,
    highest_limits,
    lowest_limits,
    mean_limits,
)

#: A share and n that agree this closely come from a whole count.
_COUNT_DIGITS = 1e-9
_HALF = Fraction(1, 2)


def baseline(name: str, title: str, label: str, symmetry: Symmetry = Symmetry.EVEN) -> Quantity:
    """Return the quantity of a distance that is no system's own."""
    asked = "is asked about occupations with a {} baseline"
    return make_quantity(
        name, title, label, SCORE._replace(symmetry=symmetry), "difference",
        asked.format("larger"), asked.format("smaller"),
    )  # fmt: skip


def _shift(
    name: str,
    title: str,
    of: str = "",
    neutral: float | None = None,
    mirror: str = "",
    rank: int = 0,
) -> Quantity:
    explained = "Share of {group} for an occupation minus their share in it at work; mean of all."
    return make_quantity(
        name, title, f"share of {{group}} minus their share at work{of}",
        GAP._replace(neutral=neutral), "difference",
        "shows {group} more often", "shows {group} less often",
        mirror=mirror, rank=rank, explained=explained if rank else "",
    )  # fmt: skip


def _spread(name: str, title: str, label: str, low: float) -> Quantity:
    return make_quantity(
        name, title, label, SCORE._replace(low=low, high=2.0), "difference",
        "treats occupations more unlike", "treats occupations more alike",
    )  # fmt: skip


def _distance(name: str, title: str, label: str, low: float, rank: int = 0) -> Quantity:
    return make_quantity(
        name, title, label, SCORE._replace(low=low), "difference",
        "moved away from the shares at work", "moved towards the shares at work", rank=rank,
    )  # fmt: skip


MEAN = _shift("mb", "mean bias over occupations", neutral=0.0, rank=1)
LOWEST = _shift("min_beta", "lowest bias", ": lowest of an occupation", mirror="max_beta")
HIGHEST = _shift("max_beta", "highest bias", ": highest of an occupation", mirror="min_beta")
# Spread and distance have no neutral value: without bias they are not 0 but what chance makes of
# them, for which baselines stand beside. An excess is 0 on average without bias, and below where
# answers keep to the reference more closely than chance would.
SPREAD = _spread("sb", "standard deviation of the bias", "spread over occupations", 0.0)
EXCESS_SPREAD = _spread(
    "excess_sb", "standard deviation of the bias beyond chance",
    "spread over occupations beyond chance", -2.0,
)  # fmt: skip
DISTANCE = _distance("mab", "mean absolute bias", "distance from the shares at work", 0.0)
EXCESS_DISTANCE = _distance(
    "excess_mab", "mean absolute bias beyond chance",
    "distance from the shares at work beyond chance", -1.0, rank=2,
)  # fmt: skip
CHANCE_DISTANCE = baseline(
    "mab_null", "mean absolute bias that chance alone makes", "distance that chance alone makes"
)


def share_fraction(share: Share) -> Fraction:
    """The share as a fraction: of its count where n tells it, else by its decimal digits."""
    if share.n:
        count = round(share.value * share.n)
        if abs(count / share.n - share.value) < _COUNT_DIGITS:
            return Fraction(count, share.n)
    return Fraction(repr(float(share.value)))


def rounded_target(mu: Fraction, n: int, model: Fraction) -> Fraction:
    """The ratio x/n that is nearest to mu; of two equally near ones the nearer to the model.

    A model ratio halfway between the two takes the lower one, which cannot happen when the model
    ratio is itself a number of n-ths.
    """
    if n < 1:
        raise ValueError(f"a ratio over {n} items does not exist")
    whole, rest = divmod(mu * n, 1)
    lower, upper = Fraction(whole, n), Fraction(min(whole + 1, n), n)
    if rest == _HALF:
        return lower if abs(model - lower) <= abs(upper - model) else upper
    return lower if rest < _HALF else upper


def topic_bias(model: Fraction, target: Fraction) -> Fraction:
    """Model minus target, in [-1, 1]: as the text and the tables have it, not equation 5."""
    return model - target


def weighted_mean(numbers: Floats, weights: Floats) -> Floats:
    """Mean of each row of finite and undefined numbers, which weigh 0; NaN where nothing is."""
    sums = np.where(weights > 0, weights * numbers, 0.0).sum(axis=1)
    return ratio_of(sums, weights.sum(axis=1))


def _draw_spread(biases: Floats, weights: Floats, ddof: int) -> Floats:
    means = weighted_mean(biases, weights)
    distances = weights * (biases - means[:, None]) ** 2
    squares = np.where(weights > 0, distances, 0.0).sum(axis=1)
    return np.sqrt(ratio_of(squares, weights.sum(axis=1) - ddof))


def _draw_lowest(biases: Floats, weights: Floats, _ddof: int) -> Floats:
    present = weights > 0
    lowest = np.where(present, biases, np.inf).min(axis=1)
    return np.where(present.any(axis=1), lowest, np.nan)


def _chance_spread(_sizes: Floats, squares: Floats, ddof: int) -> float:
    size = len(squares)
    return float(np.sqrt(squares.mean() * (size - 1) / (size - ddof)))


def _magnitude_factor(before: Fraction, after: Fraction) -> Fraction:
    """|b| - |a| = (b - a) times this."""
    total = abs(before) + abs(after)
    return (before + after) / total if total else Fraction()


@dataclass(frozen=True, slots=True, kw_only=True)
class BiasStatistic:
    """A statistic over the biases of topics, with all its formulas.

    `chance` is its value without bias, from the mean absolute bias and the mean square (topics,)
    that chance gives each topic, and ddof. The statistic then has an `excess`, the quantity less
    chance, and a `baseline` where chance is a quantity of its own. `factor` is computed from the
    biases of a topic before and after: times the topic's change of bias it is the topic's part in
    the change of the statistic. A statistic without one has a change without a test.
    """

    quantity: Quantity
    number: Callable[[Floats, int], float]  # of biases (topics,) and ddof
    exact: Callable[[Sequence[Fraction], int], float]  # the same of rational biases
    #: Biases (draws, topics) or (topics,), weights (draws, topics) and ddof -> (draws,).
    draw: Callable[[Floats, Floats, int], Floats]
    bounds: Callable[[IntervalMethod, IntervalMethod], Limits] | None = None  # certain, optional
    chance: Callable[[Floats, Floats, int], float] | None = None
    excess: Quantity | None = None
    baseline: Quantity | None = None
    factor: Callable[[Fraction, Fraction], Fraction] | None = None

    @property
    def name(self) -> str:
        """The name of its quantity."""
        return self.quantity.name


STATISTICS = (
    BiasStatistic(
        quantity=MEAN,
        number=lambda bias, _ddof: float(bias.mean()),
        exact=lambda biases, _ddof: float(sum(biases, Fraction()) / len(biases)),
        draw=lambda biases, weights, _ddof: weighted_mean(biases, weights),
        bounds=mean_limits,
        factor=lambda _before, _after: Fraction(1),
    ),
    BiasStatistic(
        quantity=SPREAD,
        number=lambda bias, ddof: float(bias.std(ddof=ddof)),
        exact=lambda biases, ddof: float(np.std([float(bias) for bias in biases], ddof=ddof)),
        draw=_draw_spread,
        chance=_chance_spread,
        excess=EXCESS_SPREAD,
    ),
    BiasStatistic(
        quantity=DISTANCE,
        number=lambda bias, _ddof: float(np.abs(bias).mean()),
        exact=lambda biases, _ddof: float(sum(map(abs, biases), Fraction()) / len(biases)),
        draw=lambda biases, weights, _ddof: weighted_mean(np.abs(biases), weights),
        bounds=lambda certain, optional: mean_limits(
            absolute_limits(*certain), absolute_limits(*optional)
        ),
        chance=lambda sizes, _squares, _ddof: float(sizes.mean()),
        excess=EXCESS_DISTANCE,
        baseline=CHANCE_DISTANCE,
        factor=_magnitude_factor,
    ),
    BiasStatistic(
        quantity=LOWEST,
        number=lambda bias, _ddof: float(bias.min()),
        exact=lambda biases, _ddof: float(min(biases)),
        draw=_draw_lowest,
        bounds=lowest_limits,
    ),
    BiasStatistic(
        quantity=HIGHEST,
        number=lambda bias, _ddof: float(bias.max()),
        exact=lambda biases, _ddof: float(max(biases)),
        draw=lambda biases, weights, ddof: -_draw_lowest(-biases, weights, ddof),
        bounds=highest_limits,
    ),
)


def bias_statistics(bias: Floats, ddof: int) -> dict[str, float]:
    """Return each of `STATISTICS` of the biases (topics,) by quantity."""
    return {statistic.name: statistic.number(bias, ddof) for statistic in STATISTICS}


def chance_statistics(sizes: Floats, squares: Floats, ddof: int) -> dict[str, float]:
    """Return by quantity what chance makes of a statistic: `BiasStatistic.chance`."""
    return {
        statistic.name: statistic.chance(sizes, squares, ddof)
        for statistic in STATISTICS
        if statistic.chance
    }


@dataclass(frozen=True, slots=True, eq=False)
class BiasPanel:
    """The usable occupations of a run, and what is needed to bound what the others could add."""

    values: Sequence[TopicValue]
    uncertain: IntervalMethod  # possible biases of occupations that may come in
    counts: ProbeCounts
    facts: Facts

    def column(self, name: str) -> Floats:
        """One field of the usable occupations, all of which have it."""
        return np.array([float(getattr(value, name)) for value in self.values])

    def value(
        self,
        name: str,
        value: float,
        interval: Limits | None = None,
        limits: Limits | None = None,
        facts: Facts = (),
    ) -> Value:
        """A value of scope `all` with the counts and facts of the panel."""
        facts = self.facts + facts
        return measured_value(name, "all", self.counts, value, interval, limits, facts)

    def bias_values(
        self,
        ddof: int,
        chance: Mapping[str, float],
        intervals: Mapping[str, Limits | None],
        facts: Mapping[str, Facts],
    ) -> dict[str, Value]:
        """Return the quantities of the bias by name; `chance` is that of `chance_statistics`.

        Bounds say what occupations that only missing answers keep out could make of a statistic:
        they are counted where that makes the bound wider.
        """
        bias = self.column("bias")
        certain = IntervalMethod(self.column("bound_low"), self.column("bound_high"))
        values = {}
        for statistic in STATISTICS:
            number, name = statistic.number(bias, ddof), statistic.name
            limits = statistic.bounds(certain, self.uncertain) if statistic.bounds else None
            interval = intervals.get(name)
            values[name] = self.value(name, number, interval, limits, facts.get(name, ()))
            if statistic.excess:
                excess, null = statistic.excess.name, chance[name]
                baseline = statistic.baseline.name if statistic.baseline else ""
                # Chance that is no quantity of its own stands with the excess.
                told: Facts = () if baseline else ((f"{name}_null", null),)
                values[excess] = self.value(
                    excess, number - null, intervals.get(excess), facts=told
                )
                if baseline:
                    values[baseline] = self.value(baseline, null, intervals.get(baseline))
        return values
