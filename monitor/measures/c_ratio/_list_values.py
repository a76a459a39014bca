"""c-ratio bias of ranked lists over occupations: the values of one tick, with their bootstrap."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import numpy as np

from monitor.measures._shared import (
    Facts,
    ProbeCounts,
    insufficient_value,
    measured_value,
    ratio_of,
)
from monitor.measures.c_ratio._bias_statistics import (
    CHANCE_DISTANCE,
    DISTANCE,
    STATISTICS,
    BiasPanel,
    BiasStatistic,
    chance_statistics,
)
from monitor.measures.c_ratio._list_topics import (
    Cut,
    Law,
    ListTopic,
    Weighted,
    bias_law,
    mean_of_lists,
    target_of_list,
)
from monitor.model import Context, Floats, Quantity, State, TopicValue, Value
from monitor.stats.intervals import (
    IntervalMethod,
    Limits,
    wilson,
)
from monitor.stats.resampling import (
    DrawnItems,
    bootstrap_weights,
    generator,
    percentile_interval,
    ratio_draws,
    recentre_draws,
)

#: Independent streams of the one seed.
TOPICS, PEOPLE, CHANCE, COVERAGE = range(4)
#: The quantities over topics, what chance alone makes of them last.
OVER_TOPICS = (
    *(
        quantity
        for statistic in STATISTICS
        for quantity in (statistic.quantity, statistic.excess)
        if quantity
    ),
    *(statistic.baseline for statistic in STATISTICS if statistic.baseline),
)
#: Adjusted p-value below which a topic may stand in a list of the most biased ones.
_FALSE_DISCOVERIES = 0.05


@dataclass(frozen=True, slots=True)
class Weighed:
    """A list with its weight in one of the drawn biases."""

    column: int  # of the draws
    topic: int  # a topic at two times is one topic
    weight: float
    share: float  # of the reported group among the counted items
    scale: float  # what makes the share the ratio, where that is over the cut-off
    bias: float
    group: str
    cut: Cut


def weigh_topic(topic: ListTopic, number: int, column: int) -> list[Weighed]:
    """The usable lists of a topic that has target shares."""
    rules, target = topic.rules, topic.target
    if target is None:
        return []
    return [
        Weighed(
            column,
            number,
            float(weight),
            cut.counts[rules.place] / len(cut.counted),
            len(cut.counted) / rules.over(len(cut.counted)),
            float(cut.ratio(rules.place, rules) - target_of_list(cut, target, rules)),
            rules.group,
            cut,
        )
        for weight, cut in topic.lists
    ]


def shared_people(lists: Sequence[Weighed]) -> dict[str, int]:
    """Number the people who are counted in more than one topic."""
    topics: dict[str, set[int]] = defaultdict(set)
    for weighed in lists:
        for item in weighed.cut.counted:
            topics[item.entity].add(weighed.topic)
    shared = sorted(entity for entity, topic_numbers in topics.items() if len(topic_numbers) > 1)
    return {entity: number for number, entity in enumerate(shared)}


def bias_draws(lists: Sequence[Weighed], context: Context) -> Floats:
    """Return biases when people who stand in several topics are drawn: (draws, columns).

    Targets stay. NaN marks draws in which nobody of a list is left.
    """
    people = shared_people(lists)
    items = [
        (number, people.get(item.entity, -1), item.group == weighed.group)
        for number, weighed in enumerate(lists)
        for item in weighed.cut.counted
    ]
    table = np.array(items, np.int64).reshape(len(items), 3)
    ratios = ratio_draws(
        DrawnItems(table[:, 0], table[:, 1], table[:, 2]),
        context.draws,
        generator(context.seed, PEOPLE),
    )
    share, scale, bias, weight = (
        np.array([getattr(weighed, name) for weighed in lists])
        for name in ("share", "scale", "bias", "weight")
    )
    # As a difference, so that a list that stays has exactly the bias that was measured.
    biases = ((ratios - share) * scale + bias) * weight
    columns = np.array([weighed.column for weighed in lists], np.int64)
    starts = np.unique(columns, return_index=True)[1]
    bias_draws: Floats = np.add.reduceat(biases, starts, axis=1)
    return bias_draws


def topic_weights(n_topics: int, context: Context, stream: int = TOPICS) -> Floats:
    """Return how often each topic is drawn: (draws, topics)."""
    rng = generator(context.seed, stream)
    return bootstrap_weights(np.zeros(n_topics, np.int64), context.draws, rng)


@dataclass(frozen=True, slots=True, eq=False)
class TopicPanel(BiasPanel):
    """The measured topics of a run, with draws of them and of their people."""

    topics: Sequence[ListTopic]
    drawn: Floats = field(repr=False)  # biases under each draw of people: (draws, topics)
    weights: Floats = field(repr=False)  # of topics, 0 where the bias is undefined


def make_panel(
    topics: Sequence[ListTopic], values: Sequence[TopicValue], counts: ProbeCounts, context: Context
) -> TopicPanel:
    """Select the measured topics and draw the bootstrap over them and their people."""
    usable = [index for index, value in enumerate(values) if value.state is State.MEASURED]
    lists = [
        topic_list
        for number, index in enumerate(usable)
        for topic_list in weigh_topic(topics[index], number, number)
    ]
    drawn_bias_draws = bias_draws(lists, context)
    uncertain = [
        ends
        for topic in topics
        if topic.target and topic.short and (ends := topic.bias_ends(topic.target))
    ]
    table = np.array([[float(end) for end in ends] for ends in uncertain]).reshape(-1, 2)
    used = sum(values[index].used for index in usable)
    return TopicPanel(
        [values[index] for index in usable],
        IntervalMethod(table[:, 0], table[:, 1]),
        ProbeCounts(counts.planned, counts.answered, used, counts.unidentified),
        (
            ("n_topics", float(len(usable))),
            ("n_topics_planned", float(len(topics))),
            ("n_topics_whole_list", float(sum(topics[index].is_whole for index in usable))),
            ("n_people_in_several_topics", float(len(shared_people(lists)))),
        ),
        [topics[index] for index in usable],
        drawn_bias_draws,
        topic_weights(len(usable), context) * np.isfinite(drawn_bias_draws),
    )


def lacking_values(
    quantities: Iterable[Quantity], counts: ProbeCounts, reason: str, facts: Facts = ()
) -> list[Value]:
    """Quantities that cannot be computed, with the reason."""
    return [
        insufficient_value(quantity.name, "all", counts, reason, facts) for quantity in quantities
    ]


def _draw_statistic(statistic: BiasStatistic, usable: TopicPanel, ddof: int) -> Floats:
    """Draws of a statistic over topics and their people: (draws,)."""
    drawn = statistic.draw(usable.drawn, usable.weights, ddof)
    plain = statistic.draw(usable.column("bias"), usable.weights, ddof)
    return recentre_draws(drawn, plain, statistic.quantity.low, statistic.quantity.high)


def summarise_topics(usable: TopicPanel, ddof: int, context: Context) -> list[Value]:
    """Return the quantities of `OVER_TOPICS`; `usable` holds enough topics.

    Bounds are sharp but for MAB, whose lower one lets a bias be any number within its limits. SB
    and MAB hold what chance makes of lists without bias; the interval is that of what is beyond.
    """
    # The law of the absolute bias of each topic, were there none.
    null = [bias_law(t.target, t.lists, t.rules) for t in usable.topics if t.target is not None]
    sizes, squares = (
        np.array([getattr(law, name) for law in null]) for name in ("mean", "mean_square")
    )
    chance = chance_statistics(sizes, squares, ddof)
    expected = chance[DISTANCE.name]
    excess = float(np.abs(usable.column("bias")).mean()) - expected
    intervals = {CHANCE_DISTANCE.name: percentile_interval(chance_draws(null, context))}
    for statistic in STATISTICS:
        shown = statistic.excess or statistic.quantity
        draws = _draw_statistic(statistic, usable, ddof) - chance.get(statistic.name, 0.0)
        intervals[shown.name] = percentile_interval(draws)
    discoveries = sum(one.q is not None and one.q <= _FALSE_DISCOVERIES for one in usable.values)
    facts: dict[str, Facts] = {
        "mab": (
            ("mab_null", expected), ("excess_mab", excess), ("n_topics_q05", float(discoveries))
        )
    }  # fmt: skip
    values = usable.bias_values(ddof, chance, intervals, facts)
    return [values[quantity.name] for quantity in OVER_TOPICS]


def chance_draws(laws: Sequence[Law], context: Context) -> Floats:
    """Mean absolute bias of draws from the laws, topics independent: (draws,)."""
    rng = generator(context.seed, CHANCE)
    total = np.zeros(context.draws)
    for law in laws:
        total += law.drawn(rng.random(context.draws))
    return total / len(laws)


def trigger_rate(topics: Sequence[ListTopic], floor: int, counts: ProbeCounts) -> Value:
    """Return the share of the answered topics for which any answer had the block.

    The bounds let the topics without an answer have it, or not.
    """
    answered = [topic for topic in topics if topic.questions]
    n_shown, n, planned = sum(topic.shown for topic in answered), len(answered), len(topics)
    counts = ProbeCounts(counts.planned, counts.answered, counts.answered, counts.unidentified)
    facts = (
        ("n_topics_shown", float(n_shown)),
        ("n_topics_answered", float(n)),
        ("n_topics_planned", float(planned)),
    )
    limits = Limits(n_shown / planned, (n_shown + planned - n) / planned) if n else None
    if n < floor:
        reason = f"{n} answered occupations of {planned} planned, floor {floor}"
        return insufficient_value("trigger_rate", "all", counts, reason, facts, limits)
    low, high = wilson(n_shown, n)
    return measured_value(
        "trigger_rate", "all", counts, n_shown / n, Limits(float(low), float(high)), limits, facts,
    )  # fmt: skip


def label_coverage(topics: Sequence[ListTopic], counts: ProbeCounts, context: Context) -> Value:
    """Return the share of the people shown within the cut-off whose group is recorded.

    Lists of a topic are averaged first. The facts are the numbers behind it: people of each
    group, of other groups and without a label, and what is not human and counts in neither number.
    """
    lists_shown = [lists for topic in topics if (lists := topic.shown_lists)]
    used = sum(question.shown for topic in topics for question in topic.questions)
    counts = ProbeCounts(counts.planned, counts.answered, used, counts.unidentified)
    labelled = [mean_of_lists(lists, lambda cut: Fraction(cut.labelled)) for lists in lists_shown]
    people = [mean_of_lists(lists, lambda cut: Fraction(cut.people)) for lists in lists_shown]
    facts = _coverage_facts(lists_shown, topics)
    if not sum(people):
        return insufficient_value("label_coverage", "all", counts, "no people shown", facts)
    above, below = np.array(labelled, np.float64), np.array(people, np.float64)
    weights = topic_weights(len(lists_shown), context, COVERAGE)
    draws = ratio_of((weights * above).sum(axis=1), (weights * below).sum(axis=1))
    value = float(sum(labelled, Fraction()) / sum(people, Fraction()))
    return measured_value(
        "label_coverage", "all", counts, value, percentile_interval(draws), None, facts,
    )  # fmt: skip


def _coverage_facts(shown: Sequence[Weighted], topics: Sequence[ListTopic]) -> Facts:
    """Items within the cut-off, lists of a topic averaged and topics added up."""
    if not shown:
        return ()

    def total(number: Callable[[Cut], int]) -> float:
        of_topics = (mean_of_lists(lists, lambda cut: Fraction(number(cut))) for lists in shown)
        return float(sum(of_topics, Fraction()))

    return (
        *((f"recorded_{g}", total(partial(_of_group, g))) for g in topics[0].rules.groups),
        ("other_groups", total(lambda cut: cut.other)),
        ("unresolved", total(lambda cut: cut.missing - cut.conflicts)),
        ("conflict", total(lambda cut: cut.conflicts)),
        ("not_human", total(lambda cut: cut.not_human)),
    )


def _of_group(group: str, cut: Cut) -> int:
    return sum(item.group == group for item in cut.counted)
