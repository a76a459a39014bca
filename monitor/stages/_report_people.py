"""Whom a search engine shows: points and topics of its cut-offs in, tables and sentences out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from monitor.model import Block, Kind
from monitor.stages import _report_names as names
from monitor.stages._report_systems import System
from monitor.stages._report_text import is_measured, visible

Row = dict[str, Any]

FAMILY = "c_ratio_bias"
#: The cut-off that sentences are about, where it was measured.
_MAIN = 10
#: Parameters that every section says anyway, or that change no value.
_SAID = ("block=", "topics_floor=")
#: Adjusted p-value up to which a profession may stand in a list of the most biased ones.
FALSE_DISCOVERIES = 0.05
#: Blocks of result pages: what they are called, and that one was shown.
_BLOCKS: Mapping[str, tuple[str, str]] = {
    Block.CAROUSEL: ("carousel", "a carousel was shown"),
    Block.ORGANIC: ("web results", "web results were shown"),
}


@dataclass(frozen=True, slots=True)
class Showing:
    """One block of an engine's pages in one region, measured at one or several cut-offs."""

    place: int
    list_label: str  # with its version
    block: str
    chosen: str  # parameters that differ from the defaults, cut-off and block apart
    group: str  # whose share is measured
    groups: Sequence[str]
    topics_floor: int
    dates: Mapping[str, str]  # of what was used of each reference
    cuts: Mapping[int, System] = field(repr=False)

    @property
    def main(self) -> int:
        """The cut-off that sentences and the table of professions are about."""
        return min(self.cuts, key=lambda cut: (abs(cut - _MAIN), cut))

    @property
    def system(self) -> System:
        """That of the main cut-off."""
        return self.cuts[self.main]

    @property
    def mark(self) -> str:
        """The letter of its engine and region."""
        return self.system.mark

    @property
    def pair(self) -> str:
        """Language of the questions, and region."""
        return self.system.pair

    @property
    def block_title(self) -> str:
        """What the block is called."""
        return _BLOCKS.get(self.block, (f"block {visible(self.block)}", ""))[0]

    @property
    def was_shown(self) -> str:
        """That the block stood on a page."""
        return _BLOCKS.get(self.block, ("", f"the block {self.block} was shown"))[1]

    @property
    def label(self) -> str:
        """Engine, region, block, and whatever else tells it from another."""
        chosen = f", {self.chosen}" if self.chosen else ""
        return f"{self.system.title}, {self.pair}, {self.block_title}{chosen}"

    @property
    def references(self) -> list[str]:
        """Names of the references, in the order of the job."""
        return list(dict.fromkeys(name for s in self.cuts.values() for name in s.references))

    def reference_title(self, name: str) -> str:
        """A reference with country and date."""
        return names.dated_reference(name, self.dates.get(name, ""))

    def short_title(self, name: str) -> str:
        """The same without what stands in brackets."""
        return self.reference_title(name).partition(" (")[0]

    def value(self, quantity: str, cut: int, reference: str = "") -> Row | None:
        """A point; what does not depend on the reference is that of the first one."""
        chosen = reference or next(iter(self.references), "")
        return self.cuts[cut].values(chosen).get(quantity)

    @property
    def measured(self) -> bool:
        """Whether there is any bias over professions."""
        return any(
            is_measured(self.value("mb", cut, reference))
            for cut in self.cuts
            for reference in self.references
        )

    def is_of(self, row: Row) -> bool:
        """Whether a row about pages is of the same list, engine and region."""
        mine = self.list_label, self.system.engine, self.system.target
        return (row["list"], row["engine"], row["target"]) == mine


def is_people(system: System) -> bool:
    """Whether a system is a search engine whose people are counted."""
    return system.kind == Kind.SEARCH and system.family == FAMILY


def showings(systems: Sequence[System], signatures: Sequence[Row]) -> list[Showing]:
    """The search engines of a run: all cut-offs of one block and region together."""
    parts = {row["hash"]: row["parts"] for row in signatures}
    grouped: dict[tuple[Any, ...], dict[int, System]] = {}
    for system in filter(is_people, systems):
        of = parts[system.points[0]["signature"]]
        set_ = of["parameters"]
        key = (
            system.list_name, system.source_lang, system.target, system.engine, system.engine_id,
            of.get("block", ""), _others(system.measure),
        )  # fmt: skip
        grouped.setdefault(key, {})[int(set_["cutoff"])] = system
    return [_showing(index, key, cuts, parts) for index, (key, cuts) in enumerate(grouped.items())]


def _showing(
    place: int, key: tuple[Any, ...], cuts: Mapping[int, System], parts: Mapping[str, Row]
) -> Showing:
    *_, block, chosen = key
    every = [parts[p["signature"]] for system in cuts.values() for p in system.points]
    set_ = every[0]["parameters"]
    dates = dict(str(of["reference"]).rsplit("@", 1) for of in every if "@" in of["reference"])
    return Showing(
        place, every[0]["list"], block, chosen, set_["group"], set_["groups"],
        int(set_["topics_floor"]), dates, dict(sorted(cuts.items())),
    )  # fmt: skip


def _others(measure: str) -> str:
    """`floor=0.4` of `c_ratio_bias(block=organic,floor=0.4)@10`."""
    inside = measure.partition("(")[2].rpartition(")")[0]
    return ", ".join(word for word in inside.split(",") if word and not word.startswith(_SAID))


# --- professions --------------------------------------------------------------------------------


def professions(system: System, reference: str, topics: Iterable[Row]) -> list[Row]:
    """One row per profession at one cut-off, against one reference."""
    mine = {p["point_id"] for p in system.points if p["reference"] == reference}
    return [
        row | {"name": row["topic"].replace("_", " ")} for row in topics if row["point_id"] in mine
    ]


def tested(topics: Sequence[Row]) -> list[Row]:
    """Those with a p-value."""
    return [row for row in topics if row["q"] is not None]


def is_beyond_chance(row: Row) -> bool:
    """Whether chance alone would hardly make the bias of a profession."""
    return row["q"] is not None and row["q"] <= FALSE_DISCOVERIES


def beyond_chance(topics: Sequence[Row]) -> list[Row]:
    """Those whose bias chance alone would hardly make, the largest first."""
    found = [row for row in topics if is_beyond_chance(row)]
    return sorted(found, key=lambda row: (-abs(row["bias"]), row["topic"]))


_LABELS = "too few people with a recorded gender"
_LACKING = (
    ("not a list of people", "most entries are no people"),
    ("people labelled, floor", _LABELS),
    ("nobody is recorded as", _LABELS),
    ("no usable answer", "no usable answer"),
    ("no reference share", "the reference has no share"),
)


def without_value(showing: Showing, topics: Sequence[Row]) -> list[Row]:
    """Why professions have no value: one entry per reason with their names."""
    found: dict[str, list[str]] = {}
    for row in topics:
        if row["bias"] is None:
            found.setdefault(_lacking(showing, row["reason"]), []).append(row["name"])
    return [{"reason": reason, "names": group} for reason, group in found.items()]


def _lacking(showing: Showing, reason: str) -> str:
    if reason == "not shown":
        return f"no {showing.block_title} shown"
    return next((words for part, words in _LACKING if part in reason), reason)


def reasons(showing: Showing) -> dict[str, dict[str, list[int]]]:
    """Why there is no bias over professions: {reason: {reference: cut-offs}}."""
    reasons: dict[str, dict[str, list[int]]] = {}
    for reference in showing.references:
        for cut in showing.cuts:
            point = showing.value("mb", cut, reference)
            if point and point["value"] is None:
                reasons.setdefault(point["reason"], {}).setdefault(reference, []).append(cut)
    return reasons


def withheld(showing: Showing) -> str:
    """Why even what needs no label has no value, as where pages came from another country."""
    everything = [p for system in showing.cuts.values() for p in system.points]
    why = {p["reason"] for p in everything}
    one = len(why) == 1 and all(p["value"] is None for p in everything)
    return str(next(iter(why))) if one else ""
