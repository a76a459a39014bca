"""Which values of systems stand side by side, and which systems: for the page and the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from monitor.model import primary
from monitor.stages import _report_names as names
from monitor.stages._report_systems import System

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One value of every system in a group: a quantity, of one reference or scope."""

    quantity: str
    heading: str
    short: str  # for the terminal
    sign: bool = False
    reference: str = ""
    scope: str = "all"

    def of(self, system: System) -> Row | None:
        """The system's point, if it has one."""
        return system.values(self.reference, self.scope).get(self.quantity)


_FIXED = {
    "masculine_rate": (
        Column("marked_share", "marked share", "marked"),
        Column("f_m", "f_m: masculine rate", "f_m"),
        Column("f_s", "f_s and its bound", "f_s", sign=True),
        Column("s_or", "s_or: comparable effect", "s_or", sign=True),
    ),
    "gender_accuracy": (
        Column("accuracy_f", "right where a woman is said to speak", "women right"),
        Column("accuracy_m", "right where a man is said to speak", "men right"),
        Column("accuracy_gap", "gap: men − women", "gap", sign=True),
        Column("stereotype_gap", "stereotype gap", "stereo. gap", sign=True),
        Column("said_marked_share", "marked share", "marked"),
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


def columns(systems: Sequence[System]) -> list[Column]:
    """What is compared between systems of one measure."""
    family = systems[0].family
    if family in _FIXED:
        return list(_FIXED[family])
    if family == "c_ratio_bias":
        return _ratio_columns(systems)
    if family == "lm_ratio":
        return _model_columns(systems)
    every = dict.fromkeys(
        (p["quantity"], p["reference"]) for s in systems for p in s.points if p["scope"] == "all"
    )
    return [Column(q, q, q, reference=reference) for q, reference in every]


def _ratio_columns(systems: Sequence[System]) -> list[Column]:
    references = dict.fromkeys(name for system in systems for name in system.references)
    several = len(references) - ("parity" in references) > 1
    only = "“he”" if systems[0].pronoun else "masculine forms"
    found = []
    for place, name in enumerate(references):
        title = names.reference_title(name).partition(",")[0]
        short = f", {name}" if several else ""
        if name == "parity" and len(references) > 1:
            short = ", 1/2"
        if place == 0:
            found.append(
                Column("occupation_marked_share", "marked share", "marked", reference=name)
            )
        found += [
            Column("mb", f"MB, {title}", f"MB{short}", sign=True, reference=name),
            Column("mab", f"MAB, {title}", f"MAB{short}", reference=name),
        ]
        if name != "parity":  # against 1/2 it is 1/2
            heading = f"MAB, were it only {only}"
            found.append(Column("mab_always_masculine", heading, f"only {only}", reference=name))
    return found


def _template(scope: str) -> str:
    return scope.replace(":", " ")


def _model_columns(systems: Sequence[System]) -> list[Column]:
    scopes = sorted({p["scope"] for s in systems for p in s.points if p["quantity"] == "g_s"})
    return [
        Column("g_s_mean", "g_s, mean over templates", "g_s, mean"),
        *(
            Column("g_s", f"g_s, {_template(scope)}", _template(scope), scope=scope)
            for scope in scopes
        ),
    ]


def meaning(systems: Sequence[System]) -> str:
    """How to read the values of systems of one measure."""
    spoken = systems[0].pronoun
    forms, always = (
        ("“she”", "only “he”") if spoken else ("the feminine form", "only masculine forms")
    )
    return _MEANING.get(systems[0].family, "").format(forms=forms, always=always)


def side_by_side(systems: Sequence[System]) -> dict[tuple[str, str, str], list[System]]:
    """{(list, source language, target language without region): its systems}."""
    found: dict[tuple[str, str, str], list[System]] = {}
    for system in systems:
        key = system.list_name, system.source_lang, primary(system.target)
        found.setdefault(key, []).append(system)
    return found


def by_measure(systems: Sequence[System]) -> dict[str, list[System]]:
    """{measure with its parameters: its systems}."""
    found: dict[str, list[System]] = {}
    for system in systems:
        found.setdefault(system.measure, []).append(system)
    return found
