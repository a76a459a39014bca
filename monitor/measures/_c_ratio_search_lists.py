"""Ranked lists up to the cut-off: the answers to a question in, counts per group out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from monitor.measures._c_ratio_bias_ratios import denominator_of
from monitor.model import LabelState, Shown, Unit

NOT_SHOWN = "not shown"


@dataclass(frozen=True, slots=True)
class Rules:
    """How a list is cut and counted, and how its target is taken."""

    cutoff: int
    denominator: str
    target: str
    group: str
    groups: tuple[str, ...]
    floor: float

    @property
    def place(self) -> int:
        """Where the reported group stands among the groups."""
        return self.groups.index(self.group)

    def over(self, counted: int) -> int:
        """Number of items that ratios are over when so many count."""
        return denominator_of(self.denominator, self.cutoff, counted)


@dataclass(frozen=True, slots=True)
class Cut:
    """The first items of one list.

    The cut is by rank as a reader sees it; what is not human is taken out after it, and moves
    nobody up, so that a corrected label changes no other item.
    """

    items: tuple[Shown, ...]
    counted: tuple[Shown, ...]  # recorded in one of the groups of the measure
    counts: tuple[int, ...]  # of these, per group
    other: int  # recorded in another group
    missing: int  # people without a usable label; a conflict of sources is one
    not_human: int

    @property
    def conflicts(self) -> int:
        """People whom sources disagree about."""
        return sum(item.state is LabelState.CONFLICT for item in self.items)

    @property
    def labelled(self) -> int:
        """People with a recorded group, whichever it is."""
        return len(self.counted) + self.other

    @property
    def people(self) -> int:
        """Everybody in the list, labelled or not."""
        return self.labelled + self.missing

    def ratio(self, place: int, rules: Rules) -> Fraction:
        """The model c-ratio of the group at this place."""
        return Fraction(self.counts[place], rules.over(len(self.counted)))

    def fault(self, rules: Rules) -> str:
        """Why the list has no ratio, or an empty string."""
        if not self.items:
            return NOT_SHOWN
        if 2 * self.not_human > len(self.items):
            return f"not a list of people: {self.not_human} of {len(self.items)} are not human"
        if self.labelled / self.people < rules.floor:
            return f"{self.labelled} of {self.people} people labelled, floor {rules.floor:g}"
        if not self.counted:
            return f"nobody is recorded as {' or '.join(rules.groups)}"
        return ""


def cut(items: Sequence[Shown], rules: Rules) -> Cut:
    """The list as far as the cut-off, counted."""
    first = tuple(items[: rules.cutoff])
    labelled = [item for item in first if item.state is LabelState.LABELLED]
    counted = tuple(item for item in labelled if item.group in rules.groups)
    not_human = sum(item.state is LabelState.NOT_HUMAN for item in first)
    return Cut(
        first,
        counted,
        tuple(sum(item.group == group for item in counted) for group in rules.groups),
        len(labelled) - len(counted),
        len(first) - len(labelled) - not_human,
        not_human,
    )


@dataclass(frozen=True, slots=True)
class Question:
    """One probe with the lists of those repeats that were answered."""

    key: str
    cuts: tuple[Cut, ...]
    usable: tuple[Cut, ...]  # those that have a ratio

    @property
    def shown(self) -> bool:
        """Whether the block was shown in any answer."""
        return any(cut.items for cut in self.cuts)

    def ratio(self, rules: Rules) -> Fraction:
        """The model c-ratio of the reported group, averaged over the usable lists."""
        ratios = (cut.ratio(rules.place, rules) for cut in self.usable)
        return sum(ratios, Fraction()) / len(self.usable)


def question(unit: Unit, rules: Rules) -> Question:
    """Cut and count the lists of a probe."""
    cuts = tuple(cut(items, rules) for items in unit.lists if items is not None)
    return Question(unit.key, cuts, tuple(one for one in cuts if not one.fault(rules)))


def unlabelled(units: Iterable[Unit]) -> int:
    """People without a usable label in the whole lists of some probes, each once."""
    missing = (LabelState.UNRESOLVED, LabelState.CONFLICT)
    return len(
        {
            (item.entity or (unit.key, place, rank))
            for unit in units
            for place, items in enumerate(unit.lists)
            for rank, item in enumerate(items or ())
            if item.state in missing
        }
    )


def in_order(units: Iterable[Unit]) -> list[Unit]:
    """Units sorted by key, and by all else where a key stands twice: results then never vary."""
    return sorted(units, key=lambda u: (u.key, sorted(u.tags.items()), _spelled(u)))


def _spelled(unit: Unit) -> list[list[tuple[str, str, str]]]:
    return [
        [("", "", "")] if items is None else [(i.entity, i.state, i.group) for i in items]
        for items in unit.lists
    ]
