"""Stereotype sentences: values of one system in, its chapter out; answers that are printed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from markupsafe import Markup

from monitor.model import digest
from monitor.stages import _report_blocks as blocks
from monitor.stages import _report_findings
from monitor.stages import _report_names as names
from monitor.stages import _report_systems as tables
from monitor.stages._report_blocks import Chapter
from monitor.stages._report_systems import System
from monitor.stages._report_text import capped, number, pieces
from monitor.stages.document import records as doc
from monitor.store.reports.run_report import RunFacts

Row = dict[str, Any]
#: {attempt: its texts, a row a variant}.
Texts = Mapping[int, Sequence[Row]]

#: Translations printed per stereotype: (systems in the report up to, translations).
_PER_STEREOTYPE = ((2, 10), (6, 4), (12, 2))
_AMOUNTS = {10: "ten answers", 4: "four answers", 2: "two answers", 1: "one answer"}
#: Variants of one answer that are printed.
_VARIANTS = 4
_SIGNED = ("f_s", "s_or")
_CLASSES = {"none": "unmarked", "unidentified": "cannot say", "mixed": "contradictory"}


def chapter(
    system: System, facts: RunFacts, chosen: Mapping[str, Sequence[Row]], answers: Texts
) -> Chapter:
    """What the report says of one system's stereotype sentences."""
    rows = tables.stereotype_rows(system, facts)
    return Chapter(
        system.label,
        blocks.chapter_title(system),
        _report_findings.stereotypes(system),
        [
            *blocks.without_control(system),
            _chart(system, rows),
            _rates(rows),
            _overall(system),
            doc.say(
                "Marked share and feminine rank of each stereotype, and values by property of "
                "the sentences: [annex A](#tables).",
                tone="small",
            ),
        ],
        _annex(system, rows),
        [_printed(index, row, chosen, answers) for index, row in enumerate(rows)],
    )


def section(found: Sequence[Chapter], *, folded: bool) -> doc.Section:
    """The section of all systems."""
    compared = doc.prose("f_s against f_m, with what is possible: [side by side](#compare).")
    body = blocks.chapters(found, folded=folded)
    return doc.Section("stereotypes", "Stereotypes", [*body, doc.Words(compared, "small")])


def _chart(system: System, rows: Sequence[Row]) -> doc.Picture:
    values = system.values()
    means = {
        "women": values["p_f"]["value"] if "p_f" in values else None,
        "men": values["p_m"]["value"] if "p_m" in values else None,
    }
    drawn = [
        {name: row["rate"][name] for name in ("value", "low", "high")}
        | {
            "about": row["about"],
            "label": f"{row['number']} {row['label']}",
            "mean": means.get(row["about"]),
        }
        for row in rows
    ]
    title = f"Masculine rate by stereotype: {system.label}"

    def draw() -> Markup:
        from monitor.stages import _charts  # noqa: PLC0415 - drawn where it is shown

        return _charts.rates(drawn, f"rates-{system.place}", title)

    return doc.Picture(
        draw,
        "● stereotypes about women; ◆ about men. Horizontal lines: 95 % intervals. Thin "
        "vertical lines: the mean of each group (p_f, p_m). Dotted: both forms equally frequent.",
    )


def _rates(rows: Sequence[Row]) -> doc.Table:
    by_group = sorted(rows, key=lambda row: str(row["about"]), reverse=True)
    return doc.grouped(
        "Masculine rate p_i of each stereotype, with Wilson intervals unless the signature says "
        "otherwise",
        ["stereotype", "#masculine rate [95 %]", "#bounds", "#mascu\u00adline", "#femi\u00adnine",
         "#used / planned", "#cannot say", "~notes", "#point", "~attempts"],
        [
            doc.group(f"Stereotypes about {about or 'others'}", map(_rate, group))
            for about, group in groupby(by_group, key=lambda row: str(row["about"]))
        ],
    )  # fmt: skip


def _rate(row: Row) -> list[doc.Cell | str]:
    point = row["rate"]
    return [
        f"{row['number']} {row['title']}", blocks.value(point), blocks.bounds(point),
        *("none counted" if row[form] is None else f"{row[form]:g}"
          for form in ("masculine", "feminine")),
        blocks.used(point), str(point["unidentified"]), blocks.flags(point),
        blocks.point_id(point), row["attempts"],
    ]  # fmt: skip


def _overall(system: System) -> doc.Table:
    titles = names.quantity_titles(system.measure)
    return doc.table(
        "Over all stereotypes",
        ["quantity", "#value [95 %]", "#bounds", "#used / planned", "~notes", "#point"],
        [
            [
                blocks.quantity(name, titles), blocks.value(point, sign=name in _SIGNED),
                blocks.bounds(point, sign=name in _SIGNED), blocks.used(point),
                "; ".join(filter(None, (_limit(name, point), blocks.flags(point)))),
                blocks.point_id(point),
            ]
            for name, point in system.values().items()
        ],
    )  # fmt: skip


def _limit(name: str, point: Row) -> str:
    limit = point["facts"].get("f_s_limit") if name == "f_s" else None
    return "" if limit is None else f"cannot exceed ±{number(limit)}"


def _annex(system: System, rows: Sequence[Row]) -> list[doc.Block]:
    by_stereotype = doc.table(
        "Marked share: answers in masculine or feminine forms among those read. Feminine rank: 1 = "
        "lowest masculine rate; where intervals of ranks overlap, the order says little.",
        ["stereotype", "#marked share [95 %]", "#read / planned", "#point", "#feminine rank [95 %]",
         "#point"],
        [
            [
                f"{row['number']} {row['title']}", blocks.value(row["marked"]),
                blocks.used(row["marked"]), blocks.point_id(row["marked"]),
                blocks.value(row["rank"], digits=1), blocks.point_id(row["rank"]),
            ]
            for row in rows
        ],
    )  # fmt: skip
    annex: list[doc.Block] = [
        doc.Fold("Marked share and feminine rank by stereotype", [by_stereotype])
    ]
    if tags := tables.tag_rows(system):
        summary = f"By properties of the sentences ({len(tags)} values, exploratory)"
        annex.append(doc.Fold(summary, [_by_tag(tags)]))
    return annex


def _by_tag(tags: Sequence[Row]) -> doc.Table:
    return doc.table(
        "Pooled over stereotypes. So many comparisons contain large values by chance; use them to "
        "ask further, not to conclude.",
        ["~property", "~value", "#masculine share [95 %]", "#used / planned", "#point",
         "#marked share [95 %]", "#point"],
        [
            [
                row["tag"], row["value"], blocks.value(row["share"], named=row["named"]),
                blocks.used(row["share"]), blocks.point_id(row["share"]),
                blocks.value(row["marked"], named=row["named"]), blocks.point_id(row["marked"]),
            ]
            for row in tags
        ],
    )  # fmt: skip


# --- answers that are printed ---------------------------------------------------------------------


def annex(found: Sequence[Chapter], *, folded: bool) -> doc.Section:
    """Annex B: the answers of all systems."""
    prose = doc.prose(
        "Up to {amount} for each stereotype, drawn by a hash of the question and not by what was "
        "answered; the same questions are shown for every system. Words that decided are marked "
        "and labelled with their grammatical gender. Below each answer stands its attempt, under "
        "which `monitor evidence show ATTEMPT` prints the question, the raw answer as it was "
        "received, and its digest. Characters that are invisible or change the direction of "
        "writing are shown as [U+…]; answers are cut after 600 characters.",
        amount=_AMOUNTS[per_stereotype(len(found))],
    )
    body = [
        block
        for chapter in found
        for block in doc.part(chapter.title.partition(": ")[2], chapter.examples, folded=folded)
    ]
    return doc.Section(
        "examples",
        "Annex B: translations",
        [doc.Words(prose), *body],
        "B: translations",
        is_annex=True,
    )


def per_stereotype(n_systems: int) -> int:
    """So many that the report of many systems stays one that can be opened."""
    return next((most for systems, most in _PER_STEREOTYPE if n_systems <= systems), 1)


def _printed(place: int, row: Row, chosen: Mapping[str, Sequence[Row]], answers: Texts) -> doc.Fold:
    examples = described(chosen.get(str(row["number"]), []), answers)
    summary = (
        f"{row['number']}: {row['title']} ({len(examples)} of {row['rate']['planned']}; of all, "
        f"{row['masculine'] or 0:g} masculine and {row['feminine'] or 0:g} feminine)"
    )
    lacking = doc.Words("No answer to show: none was received or could be read.")
    return doc.Fold(summary, [doc.Examples(examples) if examples else lacking], is_open=not place)


def choose(system: System, facts: RunFacts, tag: str, most: int) -> dict[str, list[Row]]:
    """{tag value: answers}: at most so many, by a hash of the question's key.

    The draw does not look at what was answered, so that it can stand for the rest, and it is the
    same in every run and for every system, so that answers to one question can be compared.
    """
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in _answers_of(system, facts):
        if row["repeat"] == 0 and tag in row["tags"]:
            grouped[row["tags"][tag]].append(row)
    return {
        value: sorted(
            sorted(group, key=lambda row: digest(["example", row["item_key"]]))[:most],
            key=lambda row: int(row["attempt_id"]),
        )
        for value, group in grouped.items()
    }


def _answers_of(system: System, facts: RunFacts) -> list[Row]:
    return [
        row
        for row in facts.attempts
        if row["engine_id"] == system.engine_id
        and (row["source_lang"], row["target"]) == (system.source_lang, system.target)
        and row["list"].rsplit("@", 1)[0] == system.list_name
        and row["class"] is not None
    ]


def described(chosen: Sequence[Row], answers: Texts) -> list[doc.Example]:
    """The chosen answers with question, and each variant that was offered, cut at its witnesses."""
    examples = []
    for row in chosen:
        variants = [one for one in answers[row["attempt_id"]] if one["item_key"] == row["item_key"]]
        printed, first = variants[:_VARIANTS], variants[0]
        examples.append(
            doc.Example(
                capped(first["probe"]),
                first["source_lang"],
                [pieces(one["text"] or "", one["witnesses"] or []) for one in printed],
                first["target"],
                _note(row, printed, len(variants) - len(printed)),
            )
        )
    return examples


def _note(row: Row, variants: Sequence[Row], more: int) -> str:
    read = " and ".join(
        f"{_CLASSES.get(row['class'], row['class'])}"
        + (f" (rule {row['rule']})" if row["rule"] else "")
        for row in variants
    )
    read += f" and {more} more" if more else ""
    read += ", variants of one answer" if len(variants) > 1 else ""
    return f"read as: {read} · attempt {row['attempt_id']} · question {row['item_key']}"
