"""What missing answers and labels could make of changes of c-ratio bias: topics in, facts out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from monitor.measures._c_ratio_search_change import Pair
from monitor.measures._c_ratio_search_parts import bias
from monitor.measures._c_ratio_search_topics import Topic
from monitor.measures._missing import Possible, missing_facts
from monitor.measures._shared_values import Facts
from monitor.model import Floats
from monitor.stats.intervals import Limits
from monitor.stats.missing import mean_bounds

_NONE = (np.nan, np.nan)


def missing_of_bias(
    found: Sequence[Pair], before: Sequence[Topic], after: Sequence[Topic]
) -> Mapping[str, Callable[[float], Facts]]:
    """Return by quantity (mb, mab) what computes the facts of its change.

    Over the topics planned at both ticks that have a target: those of the panel, and those without
    a usable list at a tick because an answer or labels are missing. A block that was not shown is
    no missing answer.
    """
    pairs = {pair.now.key: pair for pair in found}
    earlier = {topic.key: topic for topic in before}
    planned = [one for one in after if one.key in earlier and one.target is not None]
    sides = [
        (pairs[now.key].before, pairs[now.key].now)
        if now.key in pairs
        else (_against(earlier[now.key], now), _against(now, now))
        for now in planned
    ]
    values = _columns(sides, lambda topic: (float(bias(topic)),) if topic.used else (np.nan,))
    ends = _columns(sides, _bias_ends)
    possible = Possible(*ends[0], *ends[1])
    known = np.array([now.key in pairs for now in planned], np.bool_)
    weights = np.full(len(planned), 1 / max(len(found), 1))
    # Of a topic that is usable on both sides, but by other questions, nothing is missing.
    apart = ~known & np.isfinite(values[0][0] + values[1][0])
    of = np.where(apart, np.nan, values[0][0]), np.where(apart, np.nan, values[1][0])
    total = np.abs(of[0]) + np.abs(of[1])
    signs = np.divide(of[0] + of[1], total, out=np.ones(len(planned)), where=total > 0)

    def mb(delta: float) -> Facts:
        return missing_facts(of, possible, delta, weights)

    def mab_bounds() -> Limits:
        sizes = [_size_bounds(low, high, known) for low, high in ends]
        return Limits(sizes[1].low - sizes[0].high, sizes[1].high - sizes[0].low)

    def mab(delta: float) -> Facts:
        return missing_facts(of, possible, delta, signs * weights, bounds=mab_bounds)

    return {"mb": mb, "mab": mab}


def missing_of_trigger(before: Sequence[Topic], after: Sequence[Topic], delta: float) -> Facts:
    """Return the facts of the change of the trigger rate: topics without an answer at a tick."""
    earlier = {topic.key: topic for topic in before}
    sides = [(earlier[now.key], now) for now in after if now.key in earlier]
    values = _columns(sides, lambda one: (float(one.shown),) if one.questions else (np.nan,))
    ends = _columns(
        sides, lambda one: (float(one.shown), float(one.shown or len(one.questions) < one.planned))
    )
    answered = np.isfinite(values[0][0] + values[1][0])
    weights = np.full(len(sides), 1 / max(int(answered.sum()), 1))
    of = values[0][0], values[1][0]
    return missing_facts(of, Possible(*ends[0], *ends[1]), delta, weights)


def _against(topic: Topic, now: Topic) -> Topic:
    """Return the topic held against the exact target of now, as those of the panel are."""
    return replace(topic, target=now.target, rules=replace(now.rules, target="exact"))


def _columns(
    sides: Sequence[tuple[Topic, Topic]], numbers: Callable[[Topic], tuple[float, ...]]
) -> list[Floats]:
    """Return by side the (numbers, topics) that a function computes of each topic."""
    return [
        np.array([numbers(pair[side]) for pair in sides], np.float64).reshape(len(sides), -1).T
        for side in (0, 1)
    ]


def _bias_ends(topic: Topic) -> tuple[float, float]:
    """Return the lowest and highest possible bias of a topic on one side."""
    if topic.target is None:
        return _NONE
    ends = topic.bias_ends(topic.target)
    if ends is not None:
        return float(ends.low), float(ends.high)
    if len(topic.questions) == topic.planned:
        return _NONE
    share = float(topic.target.shares[topic.rules.place])
    return -share, 1 - share


def _size_bounds(low: Floats, high: Floats, known: np.ndarray) -> Limits:
    """Return the lowest and highest mean of |bias| of the known topics and any of the others."""
    inside = (low <= 0) & (high >= 0)
    sizes = np.abs(low), np.abs(high)
    least, most = np.where(inside, 0.0, np.fmin(*sizes)), np.fmax(*sizes)
    rows = ~np.isnan(low) & ~np.isnan(high)
    return mean_bounds(least[rows], most[rows], known[rows])
