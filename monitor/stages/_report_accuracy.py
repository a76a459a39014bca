"""Accuracy where the sentence says the speaker's gender: points of a system in, its chapter out."""

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from monitor.stages import _report_blocks as blocks
from monitor.stages import _report_findings
from monitor.stages._report_blocks import Chapter
from monitor.stages._report_systems import System
from monitor.stages.document import records as doc

Row = dict[str, Any]

_FRAME, _TOPIC = "tag:frame=", "tag:topic="
_NEITHER = (
    ("both", "both forms"),
    ("inclusive", "inclusive"),
    ("mixed", "contradictory"),
    ("none", "unmarked"),
    ("unidentified", "cannot say"),
)
_SAID = (("accuracy_f", "a woman speaks"), ("accuracy_m", "a man speaks"))
_GAPS = (
    ("accuracy_gap", "gap, men − women"),
    ("stereotype_gap", "stereotype gap"),
    ("said_marked_share", "marked share"),
)
_LEAD = doc.prose(
    "These sentences say that a woman or that a man speaks. A wrong gender is an error; an answer "
    "without a mark is not: it is neither right nor wrong, and is counted beside. *Frames* are the "
    "ways in which a sentence says it. Twins (the same sentence said by a woman and by a man) are "
    "not independent; intervals of the two gaps are a bootstrap over base sentences."
)


def section(found: Sequence[Chapter], *, folded: bool) -> doc.Section:
    """The section of all systems."""
    body = blocks.chapters(found, folded=folded)
    return doc.Section("accuracy", "Where the gender is said", [doc.Words(_LEAD), *body])


def chapter(system: System) -> Chapter:
    """What the report says of one system's sentences that say the gender."""
    scopes = dict.fromkeys(p["scope"] for p in system.points)
    frames = {
        "all" if scope == "all" else f"frame {scope.removeprefix(_FRAME)}": system.values(
            scope=scope
        )
        for scope in scopes
        if scope == "all" or scope.startswith(_FRAME)
    }
    topics = {
        scope.removeprefix(_TOPIC): system.values(scope=scope)
        for scope in scopes
        if scope.startswith(_TOPIC)
    }
    return Chapter(
        system.label,
        blocks.chapter_title(system),
        _report_findings.accuracy(system),
        [
            *blocks.without_control(system),
            *_chart(system, frames),
            _by_frame(frames),
            _gaps(frames),
        ],
        _by_topic(topics) if topics else [],
    )


def _chart(system: System, frames: dict[str, dict[str, Row]]) -> list[doc.Block]:
    drawn = [
        {"label": label, "said": said} | {end: p[end] for end in ("value", "low", "high")}
        for label, values in frames.items()
        for name, said in (("accuracy_f", "women"), ("accuracy_m", "men"))
        if (p := values.get(name)) is not None
    ]
    if all(row["value"] is None for row in drawn):
        return []
    title = f"Share of forms of the gender that is said: {system.label}"

    def draw() -> Markup:
        from monitor.stages import _charts  # noqa: PLC0415 - drawn where it is shown

        return _charts.twins(drawn, f"accuracy-{system.place}", title)

    return [
        doc.Picture(
            draw,
            "● the sentence says that a woman speaks; ◆ that a man speaks. Lines: 95 % intervals.",
        )
    ]


def _by_frame(frames: dict[str, dict[str, Row]]) -> doc.Table:
    return doc.table(
        "Share of right forms among the marked answers, with counts; frames side by side",
        ["~frame",
         *(title for _, words in _SAID
           for title in (f"#{words}: right [95 %]", "#right / marked / planned", "#point")),
         "neither right nor wrong"],
        [
            [label, *(cell for name, _ in _SAID for cell in _right(values.get(name))),
             _neither(values.get("said_marked_share"))]
            for label, values in frames.items()
        ],
    )  # fmt: skip


def _right(point: Row | None) -> tuple[doc.Cell, str, str]:
    counts = f"{point['facts'].get('right', 0):g} / {blocks.used(point)}" if point else ""
    return blocks.value(point, blocks.flags(point)), counts, blocks.point_id(point)


def _neither(point: Row | None) -> str:
    """Answers that are neither right nor wrong, by what they show."""
    facts = point["facts"] if point else {}
    counts = [f"{facts[name]:g} {words}" for name, words in _NEITHER if facts.get(name)]
    return ", ".join(counts) or "none"


def _gaps(frames: dict[str, dict[str, Row]]) -> doc.Table:
    return doc.table(
        "Gap: accuracy where a man speaks minus accuracy where a woman speaks; 0 = none. "
        "Stereotype gap: accuracy on sentences that confirm the stereotype minus accuracy on those "
        "that contradict it; 0 = none. Marked share: answers that mark a gender among those read.",
        ["~frame", *_triples(words for _, words in _GAPS)],
        [
            [label, *(cell for name, _ in _GAPS
                      for cell in _triple(values.get(name), sign=name.endswith("gap")))]
            for label, values in frames.items()
        ],
    )  # fmt: skip


def _triples(titles: Iterable[str]) -> list[str]:
    return [
        column for title in titles for column in (f"#{title} [95 %]", "#used / planned", "#point")
    ]


def _triple(point: Row | None, *, sign: bool = False) -> tuple[doc.Cell, str, str]:
    cell = blocks.value(point, blocks.flags(point), sign=sign)
    return cell, blocks.used(point), blocks.point_id(point)


def _by_topic(topics: dict[str, dict[str, Row]]) -> list[doc.Block]:
    rows = doc.table(
        "Share of right forms among the marked answers. A wrong gender is an error; an answer "
        "without a mark is not.",
        ["~topic", *_triples(words for _, words in _SAID)],
        [
            [label, *(cell for name, _ in _SAID for cell in _triple(topics[label].get(name)))]
            for label in sorted(topics, key=_order)
        ],
    )  # fmt: skip
    return [doc.Fold(f"Accuracy by topic ({len(topics)} topics, exploratory)", [rows])]


def _order(label: str) -> tuple[int, str]:
    return (int(label) if label.isdecimal() else 10**6, label)
