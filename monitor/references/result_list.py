"""Shares that the engine's own full lists show: units in, shares per group and topic out.

Target R of Lipani, A., Piroi, F., Yilmaz, E. (2021), arXiv:2110.08835: what is shown first is
compared with all that the engine would show.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from monitor.model import InvalidInput, LabelState, Origin, Share, Unit
from monitor.references._reference import BaseReference

#: Stated with 0 where nobody is, as long as the lists are of these.
_PAIR = ("women", "men")
_KNOWN = (*_PAIR, "other")


@dataclass(frozen=True, slots=True)
class ResultList(BaseReference):
    """Group shares among all labelled people of the lists of a topic, each person once.

    The lists of all repeats and questions of a topic are united by entity: a list that was cut
    short once adds nobody twice and loses nobody. `n` is the number of labelled people, so that a
    measure can take what is shown as drawn from this finite list. People without a label leave
    both numbers. It has no date of its own: it is as old as the answers.
    """

    name: ClassVar[str] = "result_list"
    title: ClassVar[str] = "the engine's own full list"
    origin: ClassVar[Origin] = Origin.LISTS

    def observed(self, units: Sequence[Unit], tag: str) -> dict[str, tuple[Share, ...]]:
        """Shares of each topic with anybody labelled. Raises InvalidInput where `tag` is missing.

        A person with different groups in different answers is left out, as a conflict is.
        """
        people: dict[str, dict[str, set[str]]] = {}
        for unit in units:
            topic = unit.tags.get(tag, "")
            if not topic:
                raise InvalidInput(
                    f"probe {unit.key}: tag {tag!r} is {topic!r}; it must be not empty"
                )
            people_of_topic = people.setdefault(topic, {})
            for item in chain.from_iterable(items or () for items in unit.lists):
                if item.state is LabelState.LABELLED:
                    people_of_topic.setdefault(item.entity, set()).add(item.group)
        return {
            topic: shares
            for topic in sorted(people)
            if (shares := _topic_shares(topic, people[topic]))
        }


def _topic_shares(topic: str, people: dict[str, set[str]]) -> tuple[Share, ...]:
    counts = Counter(group for groups in people.values() if len(groups) == 1 for group in groups)
    n = counts.total()
    stated = list(_PAIR) if counts.keys() & set(_KNOWN) else []
    stated += sorted(counts.keys() - set(stated))
    return tuple(
        Share(topic, counts[group] / n, ResultList.name, "", "", n, group=group)
        for group in stated
        if n
    )


REFERENCE = ResultList()
