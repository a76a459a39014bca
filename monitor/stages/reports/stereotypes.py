"""Chapters about stereotype sentences: translators, accuracy, language models."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from monitor.model import digest
from monitor.stages.document import charts
from monitor.stages.document import records as doc
from monitor.stages.document.notation import capped, pieces
from monitor.stages.reports import cells, names, run_systems
from monitor.stages.reports.run_systems import Chapter, MeasuredSystem
from monitor.store.reports.run_report import RunFacts
from monitor.store.rows import group_rows

# --- stereotypes ----------------------------------------------------------------------------------

Row = dict[str, Any]
#: {quantity: point}.
Values = Mapping[str, Row]
#: {attempt: its texts, a row a variant}.
Texts = Mapping[int, Sequence[Row]]

#: Translations printed per stereotype: (systems in the report up to, translations).
_PER_STEREOTYPE = ((2, 10), (6, 4), (12, 2))
_AMOUNTS = {10: "ten answers", 4: "four answers", 2: "two answers", 1: "one answer"}
#: Variants of one answer that are printed.
_VARIANTS = 4
_SIGNED = ("f_s", "s_or")
_CLASSES = {"none": "unmarked", "unidentified": "cannot say", "mixed": "contradictory"}


def write_stereotypes_chapter(
    system: MeasuredSystem, facts: RunFacts, chosen: Mapping[str, Sequence[Row]], answers: Texts
) -> Chapter:
    """Return what the report says of one system's stereotype sentences."""
    rows = run_systems.stereotype_rows(system, facts)
    return Chapter(
        system.label,
        run_systems.chapter_title(system),
        run_systems.say_stereotypes(system),
        [
            *run_systems.without_control(system),
            _draw_stereotypes(system, rows),
            _write_rates(rows),
            cells.write_quantities(
                "Over all stereotypes",
                system.values(),
                names.quantity_titles(system.measure),
                signed=_SIGNED,
            ),
            doc.say(
                "Marked share and feminine rank of each stereotype, and values by property of "
                "the sentences: [annex A](#tables).",
                tone="small",
            ),
        ],
        _write_annex(system, rows),
        [_printed(index, row, chosen, answers) for index, row in enumerate(rows)],
    )


#: The paragraph below all chapters.
COMPARED = doc.Words(
    doc.prose("f_s against f_m, with what is possible: [side by side](#compare)."), "small"
)


def _draw_stereotypes(system: MeasuredSystem, rows: Sequence[Row]) -> doc.Picture:
    values = system.values()
    means = {about: values.get(name, {}).get("value")
             for about, name in (("women", "p_f"), ("men", "p_m"))}  # fmt: skip
    drawn_rows = [
        {"about": row["about"], "label": f"{row['number']} {row['label']}",
         "mean": means.get(row["about"]), **_pick_estimate(row["rate"])}
        for row in rows
    ]  # fmt: skip
    title = f"Masculine rate by stereotype: {system.label}"
    return doc.Picture(
        partial(charts.rates, drawn_rows, f"rates-{system.place}", title),
        "● stereotypes about women; ◆ about men. Horizontal lines: 95 % intervals. Thin "
        "vertical lines: the mean of each group (p_f, p_m). Dotted: both forms equally frequent.",
    )


def _pick_estimate(point: Row) -> Row:
    return {name: point[name] for name in ("value", "low", "high")}


def _write_rates(rows: Sequence[Row]) -> doc.Table:
    by_group = group_rows(rows, lambda row: str(row["about"]))
    return doc.grouped(
        "Masculine rate p_i of each stereotype, with Wilson intervals unless the signature says "
        "otherwise",
        ["stereotype", "#masculine rate [95 %]", "#bounds", "#mascu\u00adline", "#femi\u00adnine",
         "#used / planned", "#cannot say", "~notes", "#point", "~attempts"],
        [
            doc.group(f"Stereotypes about {about or 'others'}", map(_write_rate, group))
            for about, group in sorted(by_group.items(), reverse=True)
        ],
    )  # fmt: skip


def _write_rate(row: Row) -> list[doc.Entry]:
    point = row["rate"]
    return [
        f"{row['number']} {row['title']}", cells.write_value(point), cells.write_bounds(point),
        *("none counted" if row[form] is None else f"{row[form]:g}"
          for form in ("masculine", "feminine")),
        cells.write_used(point), str(point["unidentified"]), cells.write_flags(point),
        cells.point_id(point), row["attempts"],
    ]  # fmt: skip


def _write_annex(system: MeasuredSystem, rows: Sequence[Row]) -> list[doc.Block]:
    by_stereotype = doc.table(
        "Marked share: answers in masculine or feminine forms among those read. Feminine rank: 1 = "
        "lowest masculine rate; where intervals of ranks overlap, the order says little.",
        ["stereotype", *cells.point_columns("value used point", "marked share", "read / planned"),
         *cells.point_columns("value point", "feminine rank")],
        [
            [f"{row['number']} {row['title']}",
             *cells.point_cells("value used point", row["marked"]),
             *cells.point_cells("value point", row["rank"], digits=1)]
            for row in rows
        ],
    )  # fmt: skip
    annex: list[doc.Block] = [
        doc.Fold("Marked share and feminine rank by stereotype", [by_stereotype])
    ]
    if tags := run_systems.tag_rows(system):
        summary = f"By properties of the sentences ({len(tags)} values, exploratory)"
        annex.append(doc.Fold(summary, [_write_tags(tags)]))
    return annex


def _write_tags(tags: Sequence[Row]) -> doc.Table:
    return doc.table(
        "Pooled over stereotypes. So many comparisons contain large values by chance; use them to "
        "ask further, not to conclude.",
        ["~property", "~value", *cells.point_columns("value used point", "masculine share"),
         *cells.point_columns("value point", "marked share")],
        [
            [row["tag"], row["value"],
             *cells.point_cells("value used point", row["share"], named=row["named"]),
             *cells.point_cells("value point", row["marked"], named=row["named"])]
            for row in tags
        ],
    )  # fmt: skip


# --- answers that are printed ---------------------------------------------------------------------


def write_examples_annex(found: Sequence[Chapter], *, folded: bool) -> doc.Section:
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
    examples = write_examples(chosen.get(str(row["number"]), []), answers)
    summary = (
        f"{row['number']}: {row['title']} ({len(examples)} of {row['rate']['planned']}; of all, "
        f"{row['masculine'] or 0:g} masculine and {row['feminine'] or 0:g} feminine)"
    )
    lacking = doc.Words("No answer to show: none was received or could be read.")
    return doc.Fold(summary, [doc.Examples(examples) if examples else lacking], is_open=not place)


def choose_examples(
    system: MeasuredSystem, facts: RunFacts, tag: str, most: int
) -> dict[str, list[Row]]:
    """{tag value: answers}: at most so many, by a hash of the question's key.

    The draw does not look at what was answered, so that it can stand for the rest, and it is the
    same in every run and for every system, so that answers to one question can be compared.
    """
    tagged = [row for row in answers_of(system, facts) if row["repeat"] == 0 and tag in row["tags"]]
    return {
        value: sorted(
            sorted(group, key=lambda row: digest(["example", row["item_key"]]))[:most],
            key=lambda row: int(row["attempt_id"]),
        )
        for value, group in group_rows(tagged, lambda row: str(row["tags"][tag])).items()
    }


def answers_of(system: MeasuredSystem, facts: RunFacts) -> list[Row]:
    """Return the answers of a system's questions that have a class."""
    return [
        row for row in facts.attempts if row["class"] is not None and run_systems.is_of(system, row)
    ]


def write_examples(chosen: Sequence[Row], answers: Texts) -> list[doc.Example]:
    """The chosen answers with question, and each variant that was offered, cut at its witnesses."""
    examples = []
    for row in chosen:
        variants = [
            answer for answer in answers[row["attempt_id"]] if answer["item_key"] == row["item_key"]
        ]
        printed, first = variants[:_VARIANTS], variants[0]
        examples.append(
            doc.Example(
                capped(first["probe"]),
                first["source_lang"],
                [
                    doc.Answer(pieces(entry["text"] or "", entry["witnesses"] or []))
                    for entry in printed
                ],
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


# --- accuracy -------------------------------------------------------------------------------------

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
ACCURACY_LEAD = doc.prose(
    "These sentences say that a woman or that a man speaks. A wrong gender is an error; an answer "
    "without a mark is not: it is neither right nor wrong, and is counted beside. *Frames* are the "
    "ways in which a sentence says it. Twins (the same sentence said by a woman and by a man) are "
    "not independent; intervals of the two gaps are a bootstrap over base sentences."
)


def write_accuracy_chapter(system: MeasuredSystem) -> Chapter:
    """Return what the report says of one system's sentences that say the gender."""
    values = {scope: system.values(scope=scope) for scope in system.scopes}
    frames = {
        scope.replace(_FRAME, "frame ", 1): of_scope
        for scope, of_scope in values.items()
        if scope == "all" or scope.startswith(_FRAME)
    }
    topics = {
        scope.removeprefix(_TOPIC): of_scope
        for scope, of_scope in values.items()
        if scope.startswith(_TOPIC)
    }
    return Chapter(
        system.label,
        run_systems.chapter_title(system),
        run_systems.say_accuracy(system),
        [
            *run_systems.without_control(system),
            *_draw_accuracy(system, frames),
            _write_frames(frames),
            _write_gaps(frames),
        ],
        _write_topics(topics) if topics else [],
    )


def _draw_accuracy(system: MeasuredSystem, frames: Mapping[str, Values]) -> list[doc.Block]:
    drawn_rows = [
        {"label": label, "said": text} | _pick_estimate(p)
        for label, values in frames.items()
        for name, text in (("accuracy_f", "women"), ("accuracy_m", "men"))
        if (p := values.get(name))
    ]
    if all(row["value"] is None for row in drawn_rows):
        return []
    title = f"Share of forms of the gender that is said: {system.label}"
    drawn = partial(charts.twins, drawn_rows, f"accuracy-{system.place}", title)
    caption = "● the sentence says that a woman speaks; ◆ that a man speaks. Lines: 95 % intervals."
    return [doc.Picture(drawn, caption)]


#: What tables of accuracy say of a point.
_TRIPLE = "flagged used point"


def _write_triples(titles: Iterable[tuple[str, str]], used: str = "used / planned") -> list[str]:
    return [column for _, words in titles for column in cells.point_columns(_TRIPLE, words, used)]


def _triple_cells(values: Values, titles: Iterable[tuple[str, str]]) -> list[doc.Entry]:
    return [
        cell
        for name, _ in titles
        for cell in cells.point_cells(_TRIPLE, values.get(name), sign=name.endswith("gap"))
    ]


def _write_frames(frames: Mapping[str, Values]) -> doc.Table:
    rights = [(name, f"{words}: right") for name, words in _SAID]
    return doc.table(
        "Share of right forms among the marked answers, with counts; frames side by side",
        ["~frame", *_write_triples(rights, "right / marked / planned"), "neither right nor wrong"],
        [
            [label, *(cell for name, _ in _SAID for cell in _write_right(values.get(name))),
             _neither(values.get("said_marked_share"))]
            for label, values in frames.items()
        ],
    )  # fmt: skip


def _write_right(point: Row | None) -> list[doc.Entry]:
    value, used, number_ = cells.point_cells(_TRIPLE, point)
    counts = f"{point['facts'].get('right', 0):g} / {used}" if point else ""
    return [value, counts, number_]


def _neither(point: Row | None) -> str:
    """Answers that are neither right nor wrong, by what they show."""
    facts = point["facts"] if point else {}
    counts = [f"{facts[name]:g} {words}" for name, words in _NEITHER if facts.get(name)]
    return ", ".join(counts) or "none"


def _write_gaps(frames: Mapping[str, Values]) -> doc.Table:
    return doc.table(
        "Gap: accuracy where a man speaks minus accuracy where a woman speaks; 0 = none. "
        "Stereotype gap: accuracy on sentences that confirm the stereotype minus accuracy on those "
        "that contradict it; 0 = none. Marked share: answers that mark a gender among those read.",
        ["~frame", *_write_triples(_GAPS)],
        [[label, *_triple_cells(values, _GAPS)] for label, values in frames.items()],
    )


def _write_topics(topics: Mapping[str, Values]) -> list[doc.Block]:
    ordered = sorted(topics, key=lambda label: (int(label) if label.isdecimal() else 10**6, label))
    rows = doc.table(
        "Share of right forms among the marked answers. A wrong gender is an error; an answer "
        "without a mark is not.",
        ["~topic", *_write_triples(_SAID)],
        [[label, *_triple_cells(topics[label], _SAID)] for label in ordered],
    )
    return [doc.Fold(f"Accuracy by topic ({len(topics)} topics, exploratory)", [rows])]


# --- language models ------------------------------------------------------------------------------

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
MODELS_LEAD = doc.prose(
    "A language model gives a probability to each of two words in one place: a masculine and a "
    "feminine one. q_i is the geometric mean, over the sentences of a stereotype, of the masculine "
    "probability over the feminine one: 1 = neither is likelier, 2 = the masculine word is twice "
    "as likely. q_i may be compared within one model and one template only. **g_s** = q_m / q_f "
    "compares stereotypes about men with stereotypes about women: 1 = no difference, above 1 = the "
    "masculine word is relatively likelier with stereotypes about men."
)


@dataclass(frozen=True, slots=True)
class ModelTemplate:
    """The values of one template; `words` say how it puts a sentence S."""

    name: str
    words: str
    values: Mapping[str, Row]
    rows: Sequence[Row]


def write_model_chapter(system: MeasuredSystem, facts: RunFacts) -> Chapter:
    """Return what the report says of one language model."""
    templates = _list_templates(system, facts)
    pictures = [_draw_model(system, index, template) for index, template in enumerate(templates)]
    return Chapter(
        system.label,
        run_systems.chapter_title(system),
        run_systems.say_model(system),
        [
            _write_templates(system, templates),
            doc.Beside(pictures),
            *(
                doc.Fold(
                    f"q_i and feminine rank by stereotype, template {template.name}",
                    [_write_ratios(template)],
                )
                for template in templates
            ),
        ],
    )


def _list_templates(system: MeasuredSystem, facts: RunFacts) -> list[ModelTemplate]:
    titles = {
        row["scope"].partition(":")[2]: (row["about"], row["title"]) for row in facts.stereotypes
    }
    ranks, ratios = system.by_scope("q_rank"), system.by_scope("q_i")
    templates = []
    for scope, g_s in system.by_scope("g_s").items():
        name, rows = scope.removeprefix(_ONE), []
        for key, point in ratios.items():
            if key.startswith(f"{_PAIR}{name}/"):
                number = key.rpartition("/")[2]
                about, title = titles.get(number, ("", f"stereotype {number}"))
                label = f"{number} {title.removeprefix(f'{about} are ')}"
                rows.append({"about": about, "title": f"{number} {title}", "label": label,
                             "point": point, "rank": ranks.get(key)})  # fmt: skip
        values = system.values(scope=scope) | {"g_s": g_s}
        templates.append(ModelTemplate(name, _TEMPLATES.get(name, ""), values, rows))
    return templates


def _write_templates(system: MeasuredSystem, templates: Sequence[ModelTemplate]) -> doc.Table:
    values = system.values()
    rows: list[list[doc.Entry]] = [
        [doc.Cell(words, name), *cells.point_cells("flagged point", point), "", "", "", "",
         cells.write_used(point)]
        for name, words in _MEANS.items()
        if (point := values.get(name))
    ]  # fmt: skip
    rows += [
        [doc.Cell(template.name, template.words),
         *(cell for name in _QUANTITIES
           for cell in cells.point_cells("value point", template.values.get(name))),
         cells.write_used(template.values["g_s"])]
        for template in templates
    ]  # fmt: skip
    columns = [title for name in _QUANTITIES for title in cells.point_columns("value point", name)]
    caption = "By template (S is the sentence), and over the templates. 1 = none."
    return doc.table(caption, ["template", *columns, "#used / planned"], rows)


def _draw_model(system: MeasuredSystem, place: int, one: ModelTemplate) -> doc.Picture:
    drawn_rows = [
        {"about": row["about"], "label": row["label"]} | _pick_estimate(row["point"])
        for row in one.rows
    ]
    title = f"q_i by stereotype, template {one.name}: {system.label}"
    words = f" ({one.words})" if one.words else ""
    return doc.Picture(
        partial(charts.ratios, drawn_rows, f"ratios-{system.place}-{place}", title),
        f"Template {one.name}{words}. ● stereotypes about women; ◆ about men. Lines: 95 % "
        "intervals. Dotted: neither word is likelier.",
    )


def _write_ratios(one: ModelTemplate) -> doc.Table:
    return doc.table(
        f"Ratios by stereotype, template {one.name}",
        ["stereotype", *cells.point_columns("value used point", "q_i", "scored / planned"),
         *cells.point_columns("value point", "feminine rank")],
        [
            [row["title"], *cells.point_cells("flagged used point", row["point"]),
             *cells.point_cells("value point", row["rank"], digits=1)]
            for row in one.rows
        ],
    )  # fmt: skip
