"""One label out of a look-up and of what people said: human labels win, disagreement waits.

Only the group leaves the restricted tables; who said what does not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from monitor.labels.resolve import Resolution
from monitor.model import LabelState
from monitor.wikidata.entities import MEN, OTHER, WOMEN

#: What a person may say besides a group.
UNKNOWN, NOT_HUMAN = "unknown", "not_human"
VALUES = (WOMEN, MEN, OTHER, UNKNOWN, NOT_HUMAN)
#: Where a label is from.
WIKIDATA, PEOPLE = "wikidata", "people"


@dataclass(frozen=True, slots=True)
class Rating:
    """The statement of one person about an entity: a group, `unknown` or `not_human`."""

    entity: str
    group: str
    by: str
    at: datetime
    comment: str = ""


class Settled(NamedTuple):
    """The label of an entity: state, group (empty unless labelled), source and reason."""

    state: LabelState
    group: str
    source: str
    reason: str

    @property
    def public_reason(self) -> str:
        """The reason without what was said or recorded of the person."""
        if self.state is not LabelState.CONFLICT:
            return self.reason
        return "raters disagree" if self.source == PEOPLE else "sources disagree"


def allowed_values(own_groups: Sequence[str] = ()) -> tuple[str, ...]:
    """The values that people may give: the usual ones, or the groups of a list of one's own."""
    return (*dict.fromkeys([*own_groups, *VALUES]),)


def newest_ratings(ratings: Iterable[Rating]) -> dict[str, Rating]:
    """{rater: their newest rating}; of two at the same moment, the later one given."""
    latest: dict[str, Rating] = {}
    for rating in ratings:
        if rating.by not in latest or rating.at >= latest[rating.by].at:
            latest[rating.by] = rating
    return latest


def settle_label(resolution: Resolution | None, ratings: Iterable[Rating]) -> Settled | None:
    """The label of one entity; None where neither a look-up nor a person said anything.

    `unknown` is a judgement like the others: who looked and found no record overrules one.
    """
    latest = newest_ratings(ratings)
    groups = sorted({rating.group for rating in latest.values()})
    if len(groups) > 1:
        reason = f"{len(latest)} raters say {' and '.join(groups)}"
        return Settled(LabelState.CONFLICT, "", PEOPLE, reason)
    if groups:
        return _by_people(groups[0], len(latest))
    if resolution is None:
        return None
    return Settled(resolution.state, resolution.group, WIKIDATA, resolution.reason)


def _by_people(group: str, raters: int) -> Settled:
    who = f"{raters} rater{'s' if raters > 1 else ''}"
    if group == NOT_HUMAN:
        return Settled(LabelState.NOT_HUMAN, "", PEOPLE, f"{who}: no human")
    if group == UNKNOWN:
        return Settled(LabelState.UNRESOLVED, "", PEOPLE, f"{who}: no record was found")
    return Settled(LabelState.LABELLED, group, PEOPLE, who)
