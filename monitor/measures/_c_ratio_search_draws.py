"""Bootstrap of the bias over topics whose lists share people: weighted lists in, draws out."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from monitor.measures._c_ratio_search_lists import Cut
from monitor.measures._c_ratio_search_topics import Topic, target_of_list
from monitor.model import Context, Floats
from monitor.stats.pigeonhole import Items, ratio_draws
from monitor.stats.resampling import bootstrap_weights, generator

#: Independent streams of the one seed.
TOPICS, PEOPLE, CHANCE, COVERAGE = range(4)


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


def weighed(topic: Topic, number: int, column: int) -> list[Weighed]:
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
    """Numbers of the people who are counted in more than one topic."""
    topics: dict[str, set[int]] = defaultdict(set)
    for one in lists:
        for item in one.cut.counted:
            topics[item.entity].add(one.topic)
    found = sorted(entity for entity, where in topics.items() if len(where) > 1)
    return {entity: number for number, entity in enumerate(found)}


def bias_draws(lists: Sequence[Weighed], context: Context) -> Floats:
    """Biases when people who stand in several topics are drawn: (draws, columns).

    Targets stay. NaN marks draws in which nobody of a list is left.
    """
    people = shared_people(lists)
    items = [
        (number, people.get(item.entity, -1), item.group == one.group)
        for number, one in enumerate(lists)
        for item in one.cut.counted
    ]
    table = np.array(items, np.int64).reshape(len(items), 3)
    ratios = ratio_draws(
        Items(table[:, 0], table[:, 1], table[:, 2]),
        context.draws,
        generator(context.seed, PEOPLE),
    )
    share, scale, bias, weight = (
        np.array([getattr(one, name) for one in lists])
        for name in ("share", "scale", "bias", "weight")
    )
    # As a difference, so that a list that stays has exactly the bias that was measured.
    biases = ((ratios - share) * scale + bias) * weight
    columns = np.array([one.column for one in lists], np.int64)
    starts = np.unique(columns, return_index=True)[1]
    drawn: Floats = np.add.reduceat(biases, starts, axis=1)
    return drawn


def topic_weights(n_topics: int, context: Context, stream: int = TOPICS) -> Floats:
    """How often each topic is drawn: (draws, topics)."""
    rng = generator(context.seed, stream)
    return bootstrap_weights(np.zeros(n_topics, np.int64), context.draws, rng)
