"""Shares among the people recorded in Wikidata: occupations in, shares per recorded gender out.

Target K of Lipani, A., Piroi, F., Yilmaz, E. (2021), arXiv:2110.08835: of all humans (Q5) whose
occupation (P106) is the item or a subclass of it, the share per group of recorded gender (P21).
Whom Wikidata records is no random draw from those who work: most are men, many of them dead. A
value that is as high as this target is as skewed as Wikidata.

Who has no recorded gender, an unknown one, or women's and men's at once is left out of both
numbers. Each person counts once within an occupation, also with several values or subclasses; under
two occupations a person counts twice. An occupation has no share where nobody is recorded with a
gender, where fewer than half of the people have one, and where the counts contradict each other,
as those of an incomplete copy of Wikidata do.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from monitor.model import Ask, Origin, Services, Share
from monitor.references._reference import BaseReference
from monitor.wikidata.entities import MEN, OTHER, WOMEN
from monitor.wikidata.facts import PeopleCount, count_people, find_subclasses
from monitor.wikidata.requests import is_item

_GROUPS = (WOMEN, MEN, OTHER)
#: Below this part of people with a recorded gender there is no share, as for a list.
_LEAST_RECORDED = 0.5
#: Copies of Wikidata that answer one after the other may differ by what was edited meanwhile.
_LAG, _FEW = 0.02, 2


@dataclass(frozen=True, slots=True)
class WikidataPeople(BaseReference):
    """Everybody whom Wikidata records with an occupation. The caller dates what it says."""

    name: ClassVar[str] = "wikidata"
    title: ClassVar[str] = "people recorded in Wikidata"
    origin: ClassVar[Origin] = Origin.OUTSIDE

    def look_up(
        self, items: Mapping[str, str], ask: Ask, services: Services
    ) -> dict[str, tuple[Share, ...]]:
        """Shares of women, men and other for topics with their items; see the module."""
        items_by_topic = {topic: item for topic, item in items.items() if is_item(item)}
        people_by_item = count_people(
            _add_subclasses(items_by_topic.values(), ask, services), ask, services
        )
        return {
            topic: _topic_shares(topic, item, people_by_item[item])
            for topic, item in items_by_topic.items()
            if item in people_by_item and _is_plausible(people_by_item[item])
        }


def _add_subclasses(
    items: Iterable[str], ask: Ask, services: Services
) -> dict[str, frozenset[str]]:
    """Each item with its subclasses; those that a whole batch had no answer for once more alone."""
    item_ids = sorted(set(items))
    items_within = find_subclasses(item_ids, ask, services)
    for item in item_ids:
        if item not in items_within:
            items_within |= find_subclasses([item], ask, services)
    return items_within


def _is_plausible(people: PeopleCount) -> bool:
    most = people.total * (1 + _LAG) + _FEW
    people_in_groups = sum(people.groups.values())
    return (
        bool(people_in_groups)
        and _LEAST_RECORDED * people.total <= people_in_groups
        and people.gendered <= most
    )


def _topic_shares(topic: str, item: str, people: PeopleCount) -> tuple[Share, ...]:
    n = sum(people.groups.values())
    return tuple(
        Share(topic, people.groups.get(group, 0) / n, "wikidata", "", "", n, item, group)
        for group in _GROUPS
    )


REFERENCE = WikidataPeople()
