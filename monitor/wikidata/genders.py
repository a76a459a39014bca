"""From recorded genders to groups: values of P21 (sex or gender) in, the group of a person out.

The table is versioned: a point names the version that its labels were made with. Nothing but what
is recorded is used; without a record there is no group.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from monitor.wikidata.entities import UNKNOWN

#: Goes up whenever a value changes its group or the rule for several values changes.
VERSION = 1

WOMEN, MEN, OTHER = "women", "men", "other"

#: Every value that is not in here is OTHER: non-binary (Q48270), intersex (Q1097630) and so on.
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "Q6581097": MEN,  # male
        "Q2449503": MEN,  # trans man
        "Q15145778": MEN,  # cisgender male
        "Q6581072": WOMEN,  # female
        "Q1052281": WOMEN,  # trans woman
        "Q15145779": WOMEN,  # cisgender female
    }
)
#: Sexes of animals and plants, which a person is given by mistake only: they say nothing.
UNFIT = frozenset({"Q44148", "Q43445"})


@dataclass(frozen=True, slots=True)
class Recorded:
    """What several values amount to. `group` is empty where none is recorded or they disagree."""

    group: str
    disagree: bool = False


def recorded(values: Iterable[str]) -> Recorded:
    """The group of a person with these values of the best rank.

    Values of one group are that group. Women and men at once are a disagreement that people have
    to settle: such records are mostly an unfinished edit, or a former gender without its rank,
    and to call them OTHER would misstate somebody who is recorded as a woman or a man. One of the
    two beside a value of neither is OTHER: the record says more than woman or man.
    """
    groups = {GROUPS.get(value, OTHER) for value in values if value not in UNFIT | {UNKNOWN}}
    if {WOMEN, MEN} <= groups:
        return Recorded("", disagree=True)
    if len(groups) > 1:
        return Recorded(OTHER)
    return Recorded(next(iter(groups), ""))
