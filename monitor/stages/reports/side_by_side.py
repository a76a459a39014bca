"""Systems and languages side by side in the report of a run.

Systems stand in the order of their names, controls first, and never in the order of a value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

from monitor import registry
from monitor.model import Kind, Quantity, primary
from monitor.names import base_name
from monitor.stages.document import charts
from monitor.stages.document import records as doc
from monitor.stages.document.notation import is_measured, number
from monitor.stages.reports import cells, coverage, names
from monitor.stages.reports.cells import shorten_reason
from monitor.stages.reports.run_systems import MeasuredSystem
from monitor.store.reports.run_report import RunFacts
from monitor.store.rows import group_rows
from monitor.text.quantity_values import neutral_words, say_interval, say_value

# --- systems --------------------------------------------------------------------------------------

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SystemColumn:
    """One value of every system in a group: a quantity, of one reference or scope."""

    quantity: str
    heading: str
    sign: bool = False
    reference: str = ""
    scope: str = "all"

    def of(self, system: MeasuredSystem) -> Row | None:
        """The system's point, if it has one."""
        return system.values(self.reference, self.scope).get(self.quantity)


_FIXED = {
    "masculine_rate": (
        SystemColumn("marked_share", "marked share"),
        SystemColumn("f_m", "f_m: masculine rate"),
        SystemColumn("f_s", "f_s and its bound", sign=True),
        SystemColumn("s_or", "s_or: comparable effect", sign=True),
    ),
    "gender_accuracy": (
        SystemColumn("accuracy_f", "right where a woman is said to speak"),
        SystemColumn("accuracy_m", "right where a man is said to speak"),
        SystemColumn("accuracy_gap", "gap: men − women", sign=True),
        SystemColumn("stereotype_gap", "stereotype gap", sign=True),
        SystemColumn("said_marked_share", "marked share"),
    ),
}
_MEANING = {
    "masculine_rate": "f_s cannot exceed its bound, which f_m sets: no order of systems by f_s "
    "means anything. What can be compared is s_or, the same difference on the logit scale.",
    "gender_accuracy": "Among answers that mark a gender. A wrong gender is an error; an answer "
    "without a mark is not. Stereotype gap: accuracy where the sentence confirms the stereotype "
    "minus accuracy where it contradicts it.",
    "c_ratio_bias": "MB: mean bias, negative where {forms} is rarer than women in the reference; "
    "MAB: mean size of the bias, which is not 0 without bias: beside it what {always} would give.",
    "lm_ratio": "g_s = q_m / q_f: the masculine over the feminine probability with stereotypes "
    "about men, over the same with stereotypes about women: 1 = no difference, above 1 = "
    "stereotypical.",
}


def select_columns(systems: Sequence[MeasuredSystem]) -> list[SystemColumn]:
    """Return what is compared between systems of one measure."""
    family = systems[0].family
    if family in _FIXED:
        return list(_FIXED[family])
    if family == "c_ratio_bias":
        return _ratio_columns(systems)
    if family == "lm_ratio":
        scopes = sorted({p["scope"] for s in systems for p in s.points if p["quantity"] == "g_s"})
        named = ((scope, f"g_s, {scope.replace(':', ' ')}") for scope in scopes)
        return [
            SystemColumn("g_s_mean", "g_s, mean over templates"),
            *(SystemColumn("g_s", heading, scope=scope) for scope, heading in named),
        ]
    all_values = dict.fromkeys(
        (p["quantity"], p["reference"]) for s in systems for p in s.points if p["scope"] == "all"
    )
    return [SystemColumn(q, q, reference=reference) for q, reference in all_values]


def _ratio_columns(systems: Sequence[MeasuredSystem]) -> list[SystemColumn]:
    references = dict.fromkeys(name for system in systems for name in system.references)
    only = "“he”" if systems[0].pronoun else "masculine forms"
    columns = []
    for index, name in enumerate(references):
        title = names.reference_title(name).partition(",")[0]
        if index == 0:
            marked = SystemColumn("occupation_marked_share", "marked share", reference=name)
            columns.append(marked)
        columns += [
            SystemColumn("mb", f"MB, {title}", sign=True, reference=name),
            SystemColumn("mab", f"MAB, {title}", reference=name),
        ]
        if name != "parity":  # against 1/2 it is 1/2
            heading = f"MAB, were it only {only}"
            columns.append(SystemColumn("mab_always_masculine", heading, reference=name))
    return columns


def say_meaning(systems: Sequence[MeasuredSystem]) -> str:
    """Return how to read the values of systems of one measure."""
    spoken = systems[0].pronoun
    forms, always = (
        ("“she”", "only “he”") if spoken else ("the feminine form", "only masculine forms")
    )
    return _MEANING.get(systems[0].family, "").format(forms=forms, always=always)


# --- the section of a report ----------------------------------------------------------------------

_LEAD = doc.prose(
    "Systems stand in the order of their names, controls first; nothing here is a ranking. A "
    "**control** is a pinned local engine: when its values move, this program moved, not a service."
)
_PLANE = (
    "Stereotype rate against masculine rate. The grey rhombus is all that is possible: |f_s| ≤ 2 "
    "min(f_m, 1 − f_m). In the dark strips at its tips (f_m below 0.05 or above 0.95) f_s is "
    "saturated and not interpretable. Lines through a point are 95 % intervals; letters are those "
    "of the table."
)
NOTHING_COMPUTED = "No value has been computed for this run yet."


def write_systems_section(systems: Sequence[MeasuredSystem], facts: RunFacts) -> doc.Section:
    """One part per list and pair of languages: shares of classes, and values by measure."""
    body: list[doc.Block] = [doc.Words(_LEAD)]
    compared = group_rows(systems, lambda s: (s.list_name, s.source_lang, primary(s.target)))
    for index, ((name, source, target), group) in enumerate(compared.items()):
        body.append(doc.Heading(f"{name}, {names.pair_words(source, target)}"))
        if group[0].kind != Kind.LM:
            body.append(_write_shares(group, facts))
        body += _write_values(group, f"{index}")
    if not systems:
        body.append(doc.Words(NOTHING_COMPUTED))
    return doc.Section("compare", "Systems side by side", body, "Side by side")


def _named(system: MeasuredSystem) -> list[doc.Cell]:
    """The letter of a system, and what it is called."""
    role = (doc.Span(" "), doc.Span(system.role, "tag")) if system.role else ()
    return [
        cells.write_letter(system.mark),
        doc.Cell((doc.Span(system.title), *role), system.target),
    ]


_NAMED = ["~letter", "system"]


def _write_shares(systems: Sequence[MeasuredSystem], facts: RunFacts) -> doc.Table:
    """The share of each class, or pronoun, among the answers."""
    heads, counts = coverage.count_classes(systems, facts.coverage, facts.pronouns)
    return doc.table(
        "What the answers show, as shares of the answers received, in per cent",
        [*_NAMED, *(f"#{head}" for head in heads), "#answered / planned"],
        [
            [
                *_named(system),
                *(number(100 * (n / row["answered"]), 1) if row["answered"] else "none"
                  for n in numbers),
                f"{row['answered']} / {row['planned']}",
            ]
            for system, row, numbers in counts
        ],
    )  # fmt: skip


def _write_values(systems: Sequence[MeasuredSystem], name: str) -> list[doc.Block]:
    measures = group_rows(systems, lambda system: system.measure)
    families = [base_name(measure) for measure in measures]
    body: list[doc.Block] = []
    for index, (measure, group) in enumerate(measures.items()):
        family = families[index]
        if columns := select_columns(group):
            caption = doc.prose(
                "`{title}`. {meaning} In brackets: 95 % intervals.",
                title=family if families.count(family) == 1 else measure,
                meaning=say_meaning(group),
            )
            rows = [
                [*_named(system), *(cells.write_stacked(column.of(system), sign=column.sign)
                                    for column in columns)]
                for system in group
            ]  # fmt: skip
            titles = [*_NAMED, *(f"#{column.heading}" for column in columns)]
            body.append(doc.table(caption, titles, rows))
        if family == "masculine_rate":
            body.append(_write_plane(group, f"plane-{name}-{index}"))
    return body


def _write_plane(systems: Sequence[MeasuredSystem], name: str) -> doc.Block:
    """f_s and f_m of all systems in their plane, or that no system has both."""
    rows = []
    for system in systems:
        values = system.values()
        f_s, f_m = values.get("f_s"), values.get("f_m")
        if f_s and f_m and is_measured(f_s) and is_measured(f_m):
            ends = {
                f"{quantity}_{end}": point[end]
                for quantity, point in (("f_s", f_s), ("f_m", f_m))
                for end in ("low", "high")
            }
            row = {"mark": system.mark, "f_s": f_s["value"], "f_m": f_m["value"]}
            rows.append(row | ends)
    if not rows:
        return doc.Words("No system has both f_m and f_s; the reasons stand in the table.")
    drawn = partial(charts.plane, rows, name, "Stereotype rate against masculine rate")
    return doc.Beside([doc.Picture(drawn, ""), doc.Words(_PLANE)])


# --- languages ------------------------------------------------------------------------------------

Point = dict[str, Any]

_MEASURE = "masculine_rate"
#: Quantities that have a table each.
QUANTITIES = ("f_m", "f_s")
#: Fewer languages are compared in the tables of systems.
_FEWEST = 3
#: The distance from the neutral value at which the shade is full: of f_m all that is possible, of
#: f_s what makes 3 of 4 answers follow the stereotype.
_FULL = 0.5


def write_languages_section(systems: Sequence[MeasuredSystem]) -> doc.Section | None:
    """Return the section of a report; None with fewer than three languages.

    Each list has its own tables, and each measure with its parameters.
    """
    rated = [s for s in systems if s.family == _MEASURE and s.kind == Kind.MT]
    groups = group_rows(rated, lambda s: (s.list_name, s.source_lang, s.measure))
    body: list[doc.Block] = []
    for (list_name, source, measure), group in sorted(groups.items()):
        if len({system.target for system in group}) >= _FEWEST:
            chosen = f", {measure}" if measure != _MEASURE else ""
            body.append(doc.Heading(f"{list_name}, from {names.language_name(source)}{chosen}"))
            by_name = {each.name: each for each in registry.measure(_MEASURE).quantities}
            body += [heat_table(group, by_name[name]) for name in QUANTITIES]
    return doc.Section("languages", "Languages side by side", body, "Languages") if body else None


def heat_table(systems: Sequence[MeasuredSystem], quantity: Quantity) -> doc.Table:
    """Return a table of one quantity: a row for each language, a column for each engine.

    Languages with the largest mean come first, those without a value last.
    """
    engines = list(dict.fromkeys(system.title for system in systems))
    points = {
        (system.target, system.title): system.values().get(quantity.name) for system in systems
    }
    targets = sorted(
        dict.fromkeys(system.target for system in systems),
        key=lambda target: _order([points.get((target, title)) for title in engines]),
    )
    rows = [
        [
            doc.Cell(names.language_name(target), "" if target == primary(target) else target),
            *(_write_cell(points, target, title, quantity) for title in engines),
        ]
        for target in targets
    ]
    label = quantity.meaning.label.capitalize()
    neutral = neutral_words(quantity.meaning.unit, quantity.neutral or 0.0)
    caption = doc.prose(
        "**{label}** ({name}), by language and system; beneath, the 95 % interval. The largest "
        "mean stands first. The stronger its colour, the further a value is from neutral "
        "({neutral}): orange above, green below.",
        label=label, name=quantity.name, neutral=neutral,
    )  # fmt: skip
    return doc.table(caption, ["language", *(f"#{title}" for title in engines)], rows)


def _order(points: Sequence[Point | None]) -> tuple[bool, float]:
    values = [point["value"] for point in points if point and point["value"] is not None]
    return (not values, -fmean(values) if values else 0.0)


def _write_cell(
    points: dict[tuple[str, str], Point | None], target: str, title: str, quantity: Quantity
) -> doc.Cell:
    if (target, title) not in points:
        return doc.Cell("not asked", is_missing=True)
    point = points[target, title]
    if point is None:
        return cells.write_value(None)
    if point["value"] is None:  # all of the reason stands in the tables of systems
        return cells.write_state(
            {**point, "reason": shorten_reason(point["reason"]).partition(" (")[0]}
        )
    unit, value = quantity.meaning.unit, point["value"]
    distance = (value - (quantity.neutral or 0.0)) / _FULL
    return doc.Cell(
        say_value(unit, value),
        say_interval(unit, point["low"], point["high"]),
        shade=max(-1.0, min(1.0, distance)),
    )
