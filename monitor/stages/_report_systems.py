"""Sorts the points of a run by the system they are about: rows of the store in, tables out."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from monitor.model import Cue, Flag, Kind, digest
from monitor.names import base_name
from monitor.stages import _report_names as names
from monitor.stages._report_text import ranges
from monitor.stages.engine_titles import titles_in
from monitor.store.reports.run_report import RunFacts

Row = dict[str, Any]

#: Occupations in the list of those that are furthest from their reference.
FURTHEST = 15
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class System:
    """One engine with one pair of languages, asked one list and measured by one measure."""

    place: int
    mark: str
    engine_id: int
    engine: str  # its label, as in the database
    title: str  # what people call it
    list_name: str
    source_lang: str
    target: str
    measure: str
    points: Sequence[Row] = field(repr=False)
    kind: str = Kind.MT
    pronoun: bool = False  # whether the gender is that of the pronoun
    control: bool = False

    @property
    def family(self) -> str:
        """The measure without its parameters."""
        return base_name(self.measure)

    @property
    def pair(self) -> str:
        """Its languages in words."""
        return names.pair_title(self.source_lang, self.target, self.kind)

    @property
    def label(self) -> str:
        """Engine, languages, and whatever else tells one system from another."""
        chosen = f", {self.measure}" if self.measure != self.family else ""
        return f"{self.title}, {self.pair}{chosen}"

    @property
    def uncontrolled(self) -> bool:
        """Whether nothing tells a change of this system from one of ours."""
        return any(Flag.NO_CONTROL in p["flags"] for p in self.points)

    @property
    def role(self) -> str:
        """What it is to the others: `control`, or that it has none."""
        return "control" if self.control else "no control" if self.uncontrolled else ""

    def values(self, reference: str = "", scope: str = "all") -> dict[str, Row]:
        """{quantity: point} in one scope: over all questions, unless another is named."""
        return {
            p["quantity"]: p
            for p in self.points
            if p["scope"] == scope and p["reference"] == reference
        }

    def by_scope(self, quantity: str) -> dict[str, Row]:
        """{scope: point} of one quantity, in the order they were computed."""
        return {p["scope"]: p for p in self.points if p["quantity"] == quantity}

    @property
    def references(self) -> list[str]:
        """Names of the references, in the order of the job."""
        return list(dict.fromkeys(p["reference"] for p in self.points if p["reference"]))


def systems(
    rows: Sequence[Row], content: Mapping[str, Any], cues: Mapping[str, set[str]]
) -> list[System]:
    """The systems behind the points of a run, by list, languages, engine and measure.

    Controls come first. `content` is that of the job, `cues` are those of its lists.
    """
    controls, title = names.control_labels(content), titles_in(content)
    grouped: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for point in rows:
        key = (
            point["list"], point["source_lang"], point["target"],
            point["engine"] not in controls, point["engine"], point["surface"],
            point["engine_id"], point["measure"],
        )  # fmt: skip
        grouped[key].append(point)
    marks: dict[tuple[Any, ...], str] = {}
    systems = []
    for index, key in enumerate(sorted(grouped)):
        points = grouped[key]
        list_name, source, target, _, engine, _, engine_id, measure = key
        mark = marks.setdefault((engine_id, source, target), _mark(len(marks)))
        systems.append(
            System(
                index, mark, engine_id, engine, _title(points[0], rows, title), list_name, source,
                target, measure, points, points[0]["kind"],
                cues.get(list_name) == {Cue.PRONOUN}, engine in controls,
            )
        )  # fmt: skip
    return systems


def _mark(place: int) -> str:
    round_, letter = divmod(place, len(_ALPHABET))
    return _ALPHABET[letter] + (str(round_ + 1) if round_ else "")


def _title(point: Row, rows: Sequence[Row], engine_title: Callable[[str], str]) -> str:
    """The engine's title; two configurations that a label does not tell apart get a digest."""
    title = engine_title(point["engine"])
    ids = {p["engine_id"] for p in rows if p["engine"] == point["engine"]}
    return title if len(ids) == 1 else f"{title} [{digest(point['config'])[:8]}]"


def attempts_by_tag(facts: RunFacts, tag: str) -> dict[tuple[int, str, str, str, str], str]:
    """{(engine id, source, target, list name, tag value): ids of the attempts behind it}."""
    found: dict[tuple[int, str, str, str, str], list[int]] = defaultdict(list)
    for row in facts.attempts:
        if tag in row["tags"]:
            name = row["list"].rsplit("@", 1)[0]
            pair = row["source_lang"], row["target"]
            found[row["engine_id"], *pair, name, row["tags"][tag]].append(row["attempt_id"])
    return {key: ranges(ids) for key, ids in found.items()}


def _key(system: System, value: str) -> tuple[int, str, str, str, str]:
    return system.engine_id, system.source_lang, system.target, system.list_name, value


def stereotype_rows(system: System, facts: RunFacts) -> list[Row]:
    """One row per stereotype: its rate, marked share and feminine rank, and where they are from."""
    described = {row["point_id"]: row for row in facts.rates}
    attempts = attempts_by_tag(facts, "stereotype")
    marked, ranks = system.by_scope("marked_share"), system.by_scope("feminine_rank")
    rows = []
    for scope, point in system.by_scope("p_i").items():
        view, key = described[point["point_id"]], scope.partition(":")[2]
        about, title = view["about"] or "", view["title"] or scope
        rows.append(
            {
                "number": view["stereotype"],
                "about": about,
                "title": title,
                "label": title.removeprefix(f"{about} are "),
                "masculine": view["masculine"],
                "feminine": view["feminine"],
                "rate": point,
                "marked": marked.get(scope),
                "rank": ranks.get(scope),
                "attempts": attempts.get(_key(system, key), ""),
            }
        )
    return sorted(rows, key=lambda row: int(row["number"]))


def tag_rows(system: System) -> list[Row]:
    """Masculine and marked share for every value of the other tags; those with a value first."""
    marked = system.by_scope("marked_share")
    rows = [
        {
            "tag": scope.removeprefix("tag:").partition("=")[0].replace("_", " "),
            "value": scope.partition("=")[2].replace("_", " "),
            "share": point,
            "named": scope.removeprefix("tag:") + ": ",  # how a reason names it once more
            "marked": marked.get(scope),
        }
        for scope, point in system.by_scope("masculine_share").items()
    ]
    return sorted(rows, key=lambda row: (row["share"]["state"] != "measured", row["tag"]))


def topic_rows(system: System, reference: str, facts: RunFacts) -> list[Row]:
    """One row per occupation against one reference, with the attempts behind it."""
    attempts = attempts_by_tag(facts, "occupation")
    mine = {p["point_id"] for p in system.points if p["reference"] == reference}
    return [
        row
        | {
            "name": row["topic"].replace("_", " "),
            "from": names.share_title(row),
            "attempts": attempts.get(_key(system, row["topic"]), ""),
        }
        for row in facts.topics
        if row["point_id"] in mine
    ]


def side_by_side(by_reference: Mapping[str, Sequence[Row]]) -> list[list[Row]]:
    """One entry per occupation: its rows against each reference, in the order of these."""
    grouped_rows: dict[str, list[Row]] = {}
    for topics in by_reference.values():
        for row in topics:
            grouped_rows.setdefault(row["topic"], []).append(row)
    return list(grouped_rows.values())


def furthest(topics: Sequence[Row]) -> list[Row]:
    """The occupations whose share of feminine forms is furthest from the reference."""
    measured = [row for row in topics if row["bias"] is not None]
    return sorted(measured, key=lambda row: (-abs(row["bias"]), row["topic"]))[:FURTHEST]


def same_for_all(topics: Sequence[Row]) -> bool:
    """Whether a reference says the same of every occupation, as parity does."""
    return len({row["target"] for row in topics if row["target"] is not None}) <= 1
