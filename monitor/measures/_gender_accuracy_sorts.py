"""Sentences that say a gender, by what they say and are about: units in, rows of scopes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from monitor.measures._shared import rows_by, tag_values
from monitor.model import InvalidInput, Unit

FEMININE, MASCULINE_SAID = "feminine", "masculine"
WOMEN, MEN = "women", "men"

#: Of each accuracy in a gap: label, coefficient, rows.
Arms: TypeAlias = list[tuple[str, float, list[int]]]


@dataclass(frozen=True, slots=True)
class Sorts:
    """What each sentence says and is about, which decides in which share it counts."""

    said: Sequence[str]
    about: Sequence[str]

    @classmethod
    def of(cls, units: Sequence[Unit], tag: str) -> "Sorts":
        """What the tags say. Raises InvalidInput for a value that is none of theirs."""
        said = tag_values(units, tag, (FEMININE, MASCULINE_SAID))
        return cls(said, [_about(unit) for unit in units])

    def saying(self, said: str, rows: Sequence[int]) -> list[int]:
        """The rows in which this gender is said."""
        return [row for row in rows if self.said[row] == said]

    def sides(self, rows: Sequence[int]) -> Arms:
        """Label, coefficient and rows of the accuracies in accuracy_gap."""
        return [
            (f"{said} said", sign, self.saying(said, rows))
            for said, sign in ((MASCULINE_SAID, 1.0), (FEMININE, -1.0))
        ]

    def stereotyped(self, rows: Sequence[int]) -> Arms:
        """The same in stereotype_gap."""
        return [
            (
                f"{said} said, about {about}",
                0.5 if (said == FEMININE) == (about == WOMEN) else -0.5,
                [row for row in self.saying(said, rows) if self.about[row] == about],
            )
            for said in (FEMININE, MASCULINE_SAID)
            for about in (WOMEN, MEN)
        ]


def _about(unit: Unit) -> str:
    about = unit.tags.get("about", "")
    if about not in {"", WOMEN, MEN}:
        raise InvalidInput(
            f"probe {unit.key}: tag 'about' is {about!r}; it must be {WOMEN}, {MEN} or empty"
        )
    return about


def scopes(units: Sequence[Unit], tag: str) -> list[tuple[str, list[int]]]:
    """(scope, rows) of the values of a tag; an empty tag counts as no tag."""
    by_value = rows_by(unit.tags.get(tag, "") for unit in units)
    return [(f"tag:{tag}={value}", by_value[value]) for value in sorted(set(by_value) - {""})]
