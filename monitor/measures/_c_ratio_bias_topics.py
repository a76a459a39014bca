"""c-ratio bias of one occupation: column sums and a reference share in, a topic value out."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from monitor.measures._c_ratio_bias_ratios import rounded_target, share_fraction
from monitor.measures._shared_classes import Col
from monitor.measures._shared_values import MASCULINE, Scope, bounds
from monitor.model import Share, State, TopicValue
from monitor.stats.chance import binomial_law
from monitor.stats.intervals import Limits, wilson

#: More than the repeats of all outputs of an occupation together.
_LARGEST_DENOMINATOR = 10_000


@dataclass(frozen=True, slots=True)
class Rules:
    """When an occupation is usable, and how its target is taken."""

    target: str
    min_templates: int
    floor: int


@dataclass(frozen=True, slots=True)
class Topic:
    """An occupation with the column sums of its outputs and its reference share, if any."""

    key: str
    scope: Scope
    share: Share | None
    rules: Rules

    @property
    def marked(self) -> int:
        """Number of marked outputs: the denominator of the model ratio."""
        return self.scope.counts(Col.MARKED).used

    @property
    def uncertain(self) -> bool:
        """Not usable as it is, but it would be if enough unknown outputs were marked."""
        possible = self.scope.total(Col.POSSIBLE)
        eligible = self.share is not None and self.scope.planned >= self.rules.min_templates
        return eligible and self.marked < self.rules.floor <= possible

    def model(self) -> float:
        """Women's share of the marked outputs."""
        return min(self.scope.total(Col.FEMININE) / self.marked, 1.0)

    def target(self, share: Share, model: float) -> float:
        """The share to compare with: as it is, or rounded to what the outputs can show."""
        if self.rules.target == "exact":
            return share.value
        # Averaged repeats are thirds or fifths, to which this brings the float back.
        women = Fraction(model * self.marked).limit_denominator(_LARGEST_DENOMINATOR)
        return float(rounded_target(share_fraction(share), self.marked, women / self.marked))

    def null_sizes(self, share: Share) -> tuple[float, float]:
        """Mean size and mean square of the bias if outputs were drawn at the reference share."""
        law, hits = binomial_law(self.marked, share.value), np.arange(self.marked + 1)
        models = hits / self.marked
        bias = models - [self.target(share, model) for model in models.tolist()]
        return float(law @ np.abs(bias)), float(law @ bias**2)

    def bias_bounds(self, share: Share) -> Limits:
        """Lowest and highest possible bias whatever the unknown outputs are.

        Sharp for the exact target. A rounded target lies within 1/(2m) of the share for every
        number m of marked outputs from the present one on, which gives outer bounds.
        """
        low, high = model_bounds(self.scope)
        unknown = self.scope.total(Col.POSSIBLE) > self.scope.total(Col.MARKED) or low != high
        slack = 0.0
        if self.rules.target != "exact":
            if not unknown:
                target = self.target(share, self.model())
                return Limits(low - target, high - target)
            slack = 0.5 / max(self.marked, 1)
        least, most = max(share.value - slack, 0.0), min(share.value + slack, 1.0)
        return Limits(low - most, high - least)


def model_bounds(scope: Scope) -> Limits:
    """Lowest and highest possible share of women."""
    low, high = bounds(scope, MASCULINE)
    return Limits(1 - high, 1 - low)


def _shortfall(topic: Topic) -> str:
    """Why there are too few outputs, or an empty string."""
    planned, rules = topic.scope.planned, topic.rules
    if planned < rules.min_templates:
        return f"{planned} templates planned, at least {rules.min_templates} needed"
    if topic.marked < rules.floor:
        return f"{topic.marked} marked outputs of {planned} planned, floor {rules.floor}"
    return ""


def topic_value(topic: Topic) -> TopicValue:
    """Model share against reference share; the bounds are those of the bias.

    The Wilson limits of the model share only describe: templates are not independent draws.
    Without a reference share the model share still stands.
    """
    counts, share, shortfall = topic.scope.counts(Col.MARKED), topic.share, _shortfall(topic)
    reason = shortfall if share else "no reference share"
    model = low = high = target = bias = None
    limits: Limits | None = None
    if not shortfall:
        model = topic.model()
        ends = wilson(model * topic.marked, topic.marked)
        low, high = float(ends.low), float(ends.high)
    if share:
        target = topic.target(share, model) if model is not None else share.value
        if topic.marked and topic.scope.planned >= topic.rules.min_templates:
            limits = topic.bias_bounds(share)
    if not reason and model is not None and target is not None:
        bias = model - target
    return TopicValue(
        topic.key, State.INSUFFICIENT if reason else State.MEASURED,
        counts.planned, counts.answered, counts.used, counts.unidentified,
        women=topic.scope.total(Col.FEMININE), men=topic.scope.total(Col.MASCULINE),
        model=model, model_low=low, model_high=high, target=target, bias=bias,
        bound_low=limits.low if limits else None, bound_high=limits.high if limits else None,
        source=share.source if share else "", country=share.country if share else "",
        as_of=share.as_of if share else "", reason=reason,
    )  # fmt: skip
