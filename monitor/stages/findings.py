"""From the p values of a tick to findings: families, the ledger over ticks, and what is selected.

Three levels. Ticks of a job are the hypotheses of LORD++, in order and 52 to a ledger: a tick's p
is that of "nothing changed at this tick", its level alpha_t. Inside a tick families (engine,
surface, target) are selected by Benjamini and Hochberg at alpha_t, and inside a selected family its
primary series, then its secondary ones, at alpha_t times the share of families selected (Benjamini
and Bogomolov 2014). Everything is computed anew from the first tick, in order. Pure.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from monitor.change import Role
from monitor.jobs_tables import MOST_PRIMARIES
from monitor.stages._report_names import base_name
from monitor.stats.chance import benjamini_hochberg
from monitor.stats.discovery import LEDGER, inside_level, lord, simes

#: Of the way from comparisons to findings: goes up whenever other ones can come out.
VERSION = 5
ALPHA = 0.05
#: How the levels come about, as the ledger names it.
RULE = (
    f"LORD++ over ticks, wealth alpha/2 spent evenly over {LEDGER}, then a new ledger; BH over "
    "families; BH inside at alpha_t * R/m"
)


@dataclass(frozen=True, slots=True)
class Member:
    """A series as a job declares it, before there is any: scope and engine settings apart."""

    engine: str
    surface: str
    target: str
    list: str
    source_lang: str
    measure: str
    quantity: str
    reference: str

    @property
    def family(self) -> str:
        """What is judged together."""
        return f"{self.engine} | {self.surface} | {self.target}"


#: Measures whose change says nothing beside that of another: minus it, or it times a constant.
_SAME_AS = {"TED": "TExFAIR", "FaiRR": "NFaiRR"}
_MEN = "group=men"


def primaries(declared: Iterable[Member], wanted: Sequence[str] = ()) -> set[Member]:
    """The members that are tested first: of each family the first four in the job's order.

    `wanted` are quantities that a job, or its preregistration, names; in that order they come.
    """
    families: dict[str, list[Member]] = defaultdict(list)
    for member in declared:
        if not wanted or member.quantity in wanted:
            families[member.family].append(member)
    chosen: set[Member] = set()
    for some in families.values():
        different = [one for one in some if not _is_again(one, some)]
        if wanted:
            different.sort(key=lambda member: wanted.index(member.quantity))
        chosen |= set(different[:MOST_PRIMARIES])
    return chosen


def _is_again(member: Member, family: Sequence[Member]) -> bool:
    """Whether another member of the family is the same number: of women for men, and the like."""
    name = base_name(member.measure)
    others = [one for one in family if base_name(one.measure) == _SAME_AS.get(name, name)]
    if name in _SAME_AS:
        return bool(others)
    of_men = _MEN in member.measure
    return of_men and any(
        _MEN not in one.measure and one.quantity == member.quantity for one in others
    )


@dataclass(frozen=True, slots=True)
class Candidate:
    """One series at one tick. `p` is None where nothing could be tested."""

    series: int
    family: str
    role: Role
    p: float | None


@dataclass(frozen=True, slots=True)
class Look:
    """A tick as the ledger has it: the p of "nothing changed", over so many families."""

    p: float | None
    families: int
    hypotheses: int


def look(candidates: Sequence[Candidate]) -> Look:
    """The tick's p: Simes over the families' p, each Simes over the primaries of the family."""
    by_family = _by_family(candidates, Role.PRIMARY)
    values = [simes([one.p for one in some]) for some in by_family.values()]
    hypotheses = sum(len(some) for some in by_family.values())
    return Look(simes(values) if values else None, len(by_family), hypotheses)


def levels(looks: Sequence[Look], alpha: float = ALPHA) -> list[float | None]:
    """LORD++ level of each tick, given those before it. A tick without a p takes none."""
    known = [one.p for one in looks if one.p is not None]
    found = iter(lord(known, alpha).levels)
    return [None if one.p is None else next(found) for one in looks]


@dataclass(frozen=True, slots=True)
class Selected:
    """A series that is found to have changed: its adjusted p, and the level it stayed under."""

    series: int
    family: str
    role: Role
    p: float
    q: float
    alpha: float


def select(candidates: Sequence[Candidate], alpha: float) -> tuple[list[Selected], int]:
    """(findings of a tick at its level, number of families selected)."""
    by_family = _by_family(candidates, Role.PRIMARY)
    if not by_family:
        return [], 0
    names = list(by_family)
    adjusted = benjamini_hochberg([simes([one.p for one in by_family[name]]) for name in names])
    chosen = [name for name, q in zip(names, adjusted, strict=True) if q <= alpha]
    inside = inside_level(alpha, len(chosen), len(names))
    secondary = _by_family(candidates, Role.SECONDARY)
    found: list[Selected] = []
    for name in chosen:
        for some in (by_family[name], secondary.get(name, [])):
            found += _within(some, inside)
    return found, len(chosen)


@dataclass(frozen=True, slots=True)
class _Known:
    """A candidate that could be tested."""

    series: int
    family: str
    role: Role
    p: float


def _by_family(candidates: Sequence[Candidate], role: Role) -> Mapping[str, list[_Known]]:
    found: dict[str, list[_Known]] = defaultdict(list)
    for one in candidates:
        if one.role is role and one.p is not None:
            found[one.family].append(_Known(one.series, one.family, role, one.p))
    return dict(sorted(found.items()))


def _within(some: Sequence[_Known], level: float) -> list[Selected]:
    if not some:
        return []
    adjusted = np.asarray(benjamini_hochberg([one.p for one in some]))
    return [
        Selected(one.series, one.family, one.role, one.p, float(q), level)
        for one, q in zip(some, adjusted, strict=True)
        if q <= level
    ]
