"""Change of c-ratio bias on the topics of two ticks: topics now and before in, two values out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from monitor.measures._c_ratio_search_draws import bias_draws, topic_weights, weighed
from monitor.measures._c_ratio_search_summary import lacking, weighted_mean
from monitor.measures._c_ratio_search_topics import Topic
from monitor.measures._shared_values import Counts, Facts, exploratory, measured
from monitor.model import Context, Floats, Value
from monitor.stats.intervals import Interval, Limits
from monitor.stats.pigeonhole import recentred
from monitor.stats.resampling import percentile_interval
from monitor.stats.selection import magnitudes

#: With their lowest and highest possible values.
CHANGES = {"mb_change_panel": (-2.0, 2.0), "mab_change_panel": (-1.0, 1.0)}


@dataclass(frozen=True, slots=True)
class Pair:
    """A topic at two ticks, on the questions that have a usable list at both."""

    now: Topic
    before: Topic


def pairs(topics: Sequence[Topic], before: Sequence[Topic]) -> list[Pair]:
    """The fixed panel; targets are exact, because rounded ones follow the model on ties."""
    earlier = {topic.key: topic for topic in before}
    found = [
        _pair(topic, earlier[topic.key])
        for topic in topics
        if topic.key in earlier and topic.target is not None
    ]
    return [pair for pair in found if pair.now.used]


def _pair(now: Topic, before: Topic) -> Pair:
    usable = [{q.key for q in topic.questions if q.usable} for topic in (now, before)]
    common = usable[0] & usable[1]
    rules = replace(now.rules, target="exact")

    def kept(topic: Topic) -> Topic:
        questions = tuple(q for q in topic.questions if q.key in common)
        return Topic(topic.key, topic.planned, questions, now.target, rules)

    return Pair(kept(now), kept(before))


def changes(found: Sequence[Pair], floor: int, counts: Counts, context: Context) -> list[Value]:
    """The quantities of `CHANGES`: the bias now less the bias before, over the same topics."""
    used = sum(pair.now.used for pair in found)
    counts = Counts(counts.planned, counts.answered, used, counts.unidentified)
    facts = (("n_panel", float(len(found))),)
    if not context.before:
        return lacking(tuple(CHANGES), counts, "no earlier tick")
    if len(found) < floor:
        reason = f"{len(found)} topics usable at both ticks, floor {floor}"
        return lacking(tuple(CHANGES), counts, reason, facts)
    return _measured(found, counts, facts, context)


def _measured(found: Sequence[Pair], counts: Counts, facts: Facts, context: Context) -> list[Value]:
    lists = [one for n, pair in enumerate(found) for one in weighed(pair.now, n, n)]
    lists += [
        one for n, pair in enumerate(found) for one in weighed(pair.before, n, n + len(found))
    ]
    drawn = bias_draws(lists, context)
    now, before = drawn[:, : len(found)], drawn[:, len(found) :]
    weights = topic_weights(len(found), context) * np.isfinite(now + before)
    bias_now = np.array([_bias(pair.now) for pair in found])
    bias_before = np.array([_bias(pair.before) for pair in found])
    ends_now, ends_before = (
        _ends([getattr(pair, when) for pair in found]) for when in ("now", "before")
    )
    numbers = (
        (bias_now - bias_before, now - before, _difference(ends_now, ends_before)),
        (
            np.abs(bias_now) - np.abs(bias_before),
            np.abs(now) - np.abs(before),
            _difference(magnitudes(*ends_now), magnitudes(*ends_before)),
        ),
    )
    return [
        measured(
            name, "all", counts, float(changed.mean()),
            percentile_interval(
                recentred(
                    weighted_mean(draws, weights), weighted_mean(changed, weights), low, high
                )
            ),
            limits, exploratory(counts), facts,
        )
        for (name, (low, high)), (changed, draws, limits) in zip(
            CHANGES.items(), numbers, strict=True
        )
    ]  # fmt: skip


def _bias(topic: Topic) -> float:
    return float(topic.bias(topic.target)) if topic.target else np.nan


def _ends(topics: Sequence[Topic]) -> Interval:
    ends = [topic.bias_ends(topic.target) for topic in topics if topic.target]
    low: Floats = np.array([float(one.low) for one in ends if one])
    high: Floats = np.array([float(one.high) for one in ends if one])
    return Interval(low, high)


def _difference(now: Interval, before: Interval) -> Limits:
    """Outer limits of the mean difference: nothing ties the labels of the two ticks together."""
    return Limits(float((now.low - before.high).mean()), float((now.high - before.low).mean()))
