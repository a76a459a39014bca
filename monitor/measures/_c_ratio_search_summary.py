"""c-ratio bias over topics: topics in, MB, SB, MAB with its null value, and extremes out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from monitor.measures._c_ratio_search_draws import (
    CHANCE,
    bias_draws,
    shared_people,
    topic_weights,
    weighed,
)
from monitor.measures._c_ratio_search_null import Law, bias_law
from monitor.measures._c_ratio_search_topics import Topic
from monitor.measures._shared_values import Counts, Facts, exploratory, insufficient, measured
from monitor.model import Context, Floats, State, TopicValue, Value
from monitor.stats.intervals import Interval, Limits
from monitor.stats.pigeonhole import recentred
from monitor.stats.resampling import generator, percentile_interval
from monitor.stats.selection import highest_limits, lowest_limits, magnitudes, mean_limits

OVER_TOPICS = (
    "mb", "sb", "excess_sb", "mab", "excess_mab", "min_beta", "max_beta", "mab_null",
)  # fmt: skip

#: Lowest and highest possible values.
_ENDS = {
    "mb": (-1.0, 1.0),
    "sb": (0.0, 2.0),
    "mab": (0.0, 1.0),
    "min_beta": (-1.0, 1.0),
    "max_beta": (-1.0, 1.0),
}

#: Adjusted p-value below which a topic may stand in a list of the most biased ones.
_FALSE_DISCOVERIES = 0.05


@dataclass(frozen=True, slots=True)
class Panel:
    """The measured topics of a run, with what bounds what the others could add."""

    topics: Sequence[Topic]
    values: Sequence[TopicValue]
    uncertain: Interval  # possible biases of topics that labels may bring in
    counts: Counts
    facts: Facts
    drawn: Floats = field(repr=False)  # biases under each draw of people: (draws, topics)
    weights: Floats = field(repr=False)  # of topics, 0 where the bias is undefined

    def column(self, name: str) -> Floats:
        """One field of the measured topics, all of which have it."""
        return np.array([float(getattr(value, name)) for value in self.values])

    def value(
        self, name: str, value: float, draws: Floats | None, limits: Limits | None = None,
        facts: Facts = (),
    ) -> Value:  # fmt: skip
        """A value of scope `all` with the counts and facts of the panel."""
        return measured(
            name, "all", self.counts, value,
            None if draws is None else percentile_interval(draws), limits,
            exploratory(self.counts), self.facts + facts,
        )  # fmt: skip


def panel(
    topics: Sequence[Topic], values: Sequence[TopicValue], counts: Counts, context: Context
) -> Panel:
    """Select the measured topics and draw the bootstrap over them and their people."""
    usable = [i for i, value in enumerate(values) if value.state is State.MEASURED]
    lists = [one for n, i in enumerate(usable) for one in weighed(topics[i], n, n)]
    drawn = bias_draws(lists, context)
    uncertain = [
        ends
        for topic in topics
        if topic.target and topic.short and (ends := topic.bias_ends(topic.target))
    ]
    table = np.array([[float(end) for end in ends] for ends in uncertain]).reshape(-1, 2)
    used = sum(values[i].used for i in usable)
    return Panel(
        [topics[i] for i in usable],
        [values[i] for i in usable],
        Interval(table[:, 0], table[:, 1]),
        Counts(counts.planned, counts.answered, used, counts.unidentified),
        (
            ("n_topics", float(len(usable))),
            ("n_topics_planned", float(len(topics))),
            ("n_topics_whole_list", float(sum(topics[i].is_whole for i in usable))),
            ("n_people_in_several_topics", float(len(shared_people(lists)))),
        ),
        drawn,
        topic_weights(len(usable), context) * np.isfinite(drawn),
    )


def lacking(names: Sequence[str], counts: Counts, reason: str, facts: Facts = ()) -> list[Value]:
    """Quantities that cannot be computed, with the reason."""
    return [insufficient(name, "all", counts, reason, facts) for name in names]


def weighted_mean(numbers: Floats, weights: Floats) -> Floats:
    """Mean of each row of finite and undefined numbers, which weigh 0; NaN where nothing is."""
    total = weights.sum(axis=1)
    sums = np.where(weights > 0, weights * numbers, 0.0).sum(axis=1)
    means: Floats = np.full(len(sums), np.nan)
    np.divide(sums, total, out=means, where=total > 0)
    return means


def over_topics(biases: Floats, weights: Floats, ddof: int) -> dict[str, Floats]:
    """The statistics of each draw of topics: biases (draws, topics) or (topics,) -> (draws,)."""
    present = weights > 0
    means = weighted_mean(biases, weights)
    squares = np.where(present, weights * (biases - means[:, None]) ** 2, 0.0).sum(axis=1)
    degrees = weights.sum(axis=1) - ddof
    variance = np.divide(squares, degrees, out=np.full(len(squares), np.nan), where=degrees > 0)
    some = present.any(axis=1)
    return {
        "mb": means,
        "sb": np.sqrt(variance),
        "mab": weighted_mean(np.abs(biases), weights),
        "min_beta": np.where(some, np.where(present, biases, np.inf).min(axis=1), np.nan),
        "max_beta": np.where(some, np.where(present, biases, -np.inf).max(axis=1), np.nan),
    }


def _draws(usable: Panel, ddof: int) -> dict[str, Floats]:
    """Draws of each statistic over topics and their people."""
    drawn = over_topics(usable.drawn, usable.weights, ddof)
    plain = over_topics(usable.column("bias"), usable.weights, ddof)
    return {name: recentred(drawn[name], plain[name], *_ENDS[name]) for name in drawn}


def summary(usable: Panel, ddof: int, context: Context) -> list[Value]:
    """The quantities of `OVER_TOPICS`; `usable` holds enough topics.

    Bounds are sharp but for MAB, whose lower one lets a bias be any number within its limits. SB
    and MAB hold what chance makes of lists without bias; the interval is that of what is beyond.
    """
    bias, draws = usable.column("bias"), _draws(usable, ddof)
    certain = Interval(usable.column("bound_low"), usable.column("bound_high"))
    other = usable.uncertain
    mab, null = float(np.abs(bias).mean()), chance(usable.topics)
    expected = float(np.mean([law.mean for law in null]))
    size, sb = len(bias), float(bias.std(ddof=ddof))
    square = float(np.mean([law.mean_square for law in null]))
    sb_null = float(np.sqrt(square * (size - 1) / (size - ddof)))  # the root of its mean square
    compared = (("mab_null", expected), ("excess_mab", mab - expected))
    return [
        usable.value(
            "mb", float(bias.mean()), draws["mb"], mean_limits(certain, other)
        ),
        usable.value("sb", sb, None),
        usable.value(
            "excess_sb", sb - sb_null, draws["sb"] - sb_null, None, (("sb_null", sb_null),)
        ),
        usable.value(
            "mab", mab, None,
            mean_limits(magnitudes(*certain), magnitudes(*other)),
            (*compared, *_discoveries(usable.values)),
        ),
        usable.value("excess_mab", mab - expected, draws["mab"] - expected),
        usable.value(
            "min_beta", float(bias.min()), draws["min_beta"], lowest_limits(certain, other)
        ),
        usable.value(
            "max_beta", float(bias.max()), draws["max_beta"], highest_limits(certain, other)
        ),
        usable.value("mab_null", expected, chance_draws(null, context)),
    ]  # fmt: skip


def _discoveries(values: Sequence[TopicValue]) -> Facts:
    found = sum(value.q is not None and value.q <= _FALSE_DISCOVERIES for value in values)
    return (("n_topics_q05", float(found)),)


def chance(topics: Sequence[Topic]) -> list[Law]:
    """Law of the absolute bias of each topic, were there none."""
    return [bias_law(t.target, t.lists, t.rules) for t in topics if t.target is not None]


def chance_draws(laws: Sequence[Law], context: Context) -> Floats:
    """Mean absolute bias of draws from the laws, topics independent: (draws,)."""
    rng = generator(context.seed, CHANCE)
    total = np.zeros(context.draws)
    for law in laws:
        total += law.drawn(rng.random(context.draws))
    return total / len(laws)
