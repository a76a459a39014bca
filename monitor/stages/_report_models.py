"""Language models: points of one system in, its chapter by template and stereotype out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from monitor.stages import _report_blocks as blocks
from monitor.stages import _report_findings
from monitor.stages._report_blocks import Chapter
from monitor.stages._report_systems import System
from monitor.stages.document import records as doc
from monitor.store.reports.run_report import RunFacts

Row = dict[str, Any]

_ONE, _PAIR = "template:", "template-stereotype:"
#: Section 4.2 of Pikuliak et al. 2023.
_TEMPLATES = {
    "0": "He/She said: “S”",
    "1": "The man/The woman said: “S”",
    "2": "“S”, he/she said.",
    "3": "“S”, the man/the woman said.",
    "pair": "the two variants of the sentence itself",
}
_MEANS = {"g_s_mean": "mean over templates", "g_s_harmonic": "harmonic mean"}
_QUANTITIES = ("g_s", "q_f", "q_m")
_LEAD = doc.prose(
    "A language model gives a probability to each of two words in one place: a masculine and a "
    "feminine one. q_i is the geometric mean, over the sentences of a stereotype, of the masculine "
    "probability over the feminine one: 1 = neither is likelier, 2 = the masculine word is twice "
    "as likely. q_i may be compared within one model and one template only. **g_s** = q_m / q_f "
    "compares stereotypes about men with stereotypes about women: 1 = no difference, above 1 = the "
    "masculine word is relatively likelier with stereotypes about men."
)


@dataclass(frozen=True, slots=True)
class Template:
    """The values of one template; `words` say how it puts a sentence S."""

    name: str
    words: str
    values: Mapping[str, Row]
    rows: Sequence[Row]


def section(found: Sequence[Chapter], *, folded: bool) -> doc.Section:
    """The section of all systems."""
    body = blocks.chapters(found, folded=folded)
    return doc.Section("models", "Language models", [doc.Words(_LEAD), *body])


def chapter(system: System, facts: RunFacts) -> Chapter:
    """What the report says of one language model."""
    templates = _templates(system, facts)
    return Chapter(
        system.label,
        blocks.chapter_title(system),
        _report_findings.model(system),
        [
            _by_template(system, templates),
            doc.Beside(
                [_chart(system, index, template) for index, template in enumerate(templates)]
            ),
            *(
                doc.Fold(
                    f"q_i and feminine rank by stereotype, template {template.name}",
                    [_by_stereotype(template)],
                )
                for template in templates
            ),
        ],
    )


def _templates(system: System, facts: RunFacts) -> list[Template]:
    titles = {
        row["scope"].partition(":")[2]: (row["about"], row["title"]) for row in facts.stereotypes
    }
    ranks, ratios = system.by_scope("q_rank"), system.by_scope("q_i")
    templates = []
    for scope, g_s in system.by_scope("g_s").items():
        name = scope.removeprefix(_ONE)
        rows = [
            _row(key.rpartition("/")[2], point, ranks.get(key), titles)
            for key, point in ratios.items()
            if key.startswith(f"{_PAIR}{name}/")
        ]
        values = system.values(scope=scope) | {"g_s": g_s}
        templates.append(Template(name, _TEMPLATES.get(name, ""), values, rows))
    return templates


def _row(number: str, point: Row, rank: Row | None, titles: dict[str, tuple[str, str]]) -> Row:
    about, title = titles.get(number, ("", f"stereotype {number}"))
    return {
        "about": about,
        "title": f"{number} {title}",
        "label": f"{number} {title.removeprefix(f'{about} are ')}",
        "point": point,
        "rank": rank,
    }


def _by_template(system: System, templates: Sequence[Template]) -> doc.Table:
    values = system.values()
    means: list[list[doc.Cell | str]] = [
        [
            doc.Cell(words, name), blocks.value(point, blocks.flags(point)),
            blocks.point_id(point), "", "", "", "", blocks.used(point),
        ]
        for name, words in _MEANS.items()
        if (point := values.get(name))
    ]  # fmt: skip
    rows: list[list[doc.Cell | str]] = [
        [
            doc.Cell(template.name, template.words),
            *(cell for name in _QUANTITIES
              for cell in (blocks.value(template.values.get(name)),
                           blocks.point_id(template.values.get(name)))),
            blocks.used(template.values["g_s"]),
        ]
        for template in templates
    ]  # fmt: skip
    return doc.table(
        "By template (S is the sentence), and over the templates. 1 = none.",
        ["template",
         *(title for name in _QUANTITIES for title in (f"#{name} [95 %]", "#point")),
         "#used / planned"],
        [*means, *rows],
    )  # fmt: skip


def _chart(system: System, place: int, one: Template) -> doc.Picture:
    drawn = [
        {"about": row["about"], "label": row["label"]}
        | {name: row["point"][name] for name in ("value", "low", "high")}
        for row in one.rows
    ]
    title = f"q_i by stereotype, template {one.name}: {system.label}"
    words = f" ({one.words})" if one.words else ""

    def draw() -> Markup:
        from monitor.stages import _charts  # noqa: PLC0415 - drawn where it is shown

        return _charts.ratios(drawn, f"ratios-{system.place}-{place}", title)

    return doc.Picture(
        draw,
        f"Template {one.name}{words}. ● stereotypes about women; ◆ about men. Lines: 95 % "
        "intervals. Dotted: neither word is likelier.",
    )


def _by_stereotype(one: Template) -> doc.Table:
    return doc.table(
        f"Ratios by stereotype, template {one.name}",
        ["stereotype", "#q_i [95 %]", "#scored / planned", "#point", "#feminine rank [95 %]",
         "#point"],
        [
            [
                row["title"], blocks.value(row["point"], blocks.flags(row["point"])),
                blocks.used(row["point"]), blocks.point_id(row["point"]),
                blocks.value(row["rank"], digits=1), blocks.point_id(row["rank"]),
            ]
            for row in one.rows
        ],
    )  # fmt: skip
