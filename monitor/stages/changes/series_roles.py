"""Select the series of a job that are tested first, and the secondary ones beside a change.

A family is what is judged together: engine, surface and target.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monitor.change import Role
from monitor.jobs_tables import MOST_PRIMARIES
from monitor.names import base_name
from monitor.stages.reports import names
from monitor.stats.chance import benjamini_hochberg

# --- selection ------------------------------------------------------------------------------------


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
        """Return what is judged together."""
        return f"{self.engine} | {self.surface} | {self.target}"


#: Measures whose change says nothing beside that of another: minus it, or it times a constant.
_SAME_AS = {"TED": "TExFAIR", "FaiRR": "NFaiRR"}
_MEN = "group=men"


def select_primaries(declared: Iterable[Member], wanted: Sequence[str] = ()) -> set[Member]:
    """The members that are tested first: of each family the first four in the job's order.

    `wanted` are quantities that a job, or its preregistration, names; in that order they come.
    """
    families: dict[str, list[Member]] = defaultdict(list)
    for member in declared:
        if not wanted or member.quantity in wanted:
            families[member.family].append(member)
    chosen_members: set[Member] = set()
    for family in families.values():
        different = [member for member in family if not _is_again(member, family)]
        if wanted:
            different.sort(key=lambda member: wanted.index(member.quantity))
        chosen_members |= set(different[:MOST_PRIMARIES])
    return chosen_members


def _is_again(member: Member, family: Sequence[Member]) -> bool:
    """Whether another member of the family is the same number: of women for men, and the like."""
    name = base_name(member.measure)
    members = [member for member in family if base_name(member.measure) == _SAME_AS.get(name, name)]
    if name in _SAME_AS:
        return bool(members)
    of_men = _MEN in member.measure
    return of_men and any(
        _MEN not in this_member.measure and this_member.quantity == member.quantity
        for this_member in members
    )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A secondary series at a tick with a decided change. `p` is None where nothing was tested."""

    series: int
    family: str
    p: float | None


@dataclass(frozen=True, slots=True)
class Selected:
    """A secondary series that changed as well: its adjusted p, and the level it stayed under."""

    series: int
    family: str
    p: float
    q: float
    alpha: float


def select_findings(candidates: Iterable[Candidate], alpha: float) -> list[Selected]:
    """Return the candidates that Benjamini and Hochberg select at `alpha`, family by family."""
    families: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.p is not None:
            families[candidate.family].append(candidate)
    selected = []
    for family, members in sorted(families.items()):
        p_values = [member.p for member in members if member.p is not None]
        adjusted = benjamini_hochberg(p_values)
        selected += [
            Selected(member.series, family, p, float(q), alpha)
            for member, p, q in zip(members, p_values, adjusted, strict=True)
            if q <= alpha
        ]
    return selected


# --- roles in words -------------------------------------------------------------------------------

Row = dict[str, Any]


def series_roles(
    series: Sequence[Row], content: Mapping[str, Any], declared: Mapping[str, Any]
) -> dict[int, Role]:
    """Return {series: its role} of the series of one job.

    `content` is that of the job, `declared` what was declared before its first tick, if anything.
    """
    controls = names.control_labels(content)
    own_value = (content.get(name) for name in ("preregistration", "families"))
    table = next((value for value in (declared, *own_value) if value), {})
    this_primaries, targets = table.get("primaries", ()), declared.get("targets")
    members = {
        row["series_id"]: Member(
            row["engine"], row["surface"], row["target"], row["list"], row["source_lang"],
            row["measure"], row["quantity"], row["reference"],
        )
        for row in sorted(series, key=lambda row: names.rank_series(row, content))
    }  # fmt: skip
    quantities = {
        row["series_id"]: names.name_primaries(row["measure"], row["kind"]) for row in series
    }
    offered = [
        member
        for key, member in members.items()
        if member.quantity in (this_primaries or quantities[key])
        and (not targets or member.target in targets)
    ]
    first = select_primaries(offered, tuple(this_primaries))
    return {
        key: Role.WITNESS if member.engine in controls
        else Role.PRIMARY if member in first else Role.SECONDARY
        for key, member in members.items()
    }  # fmt: skip
