"""Occupations against references: points and topics of one system in, its chapter out."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from monitor.stages.document import charts, draw
from monitor.stages.document import records as doc
from monitor.stages.document.notation import number
from monitor.stages.document.share_chart import Dot, describe_shares, draw_shares
from monitor.stages.reports import cells, names, run_systems
from monitor.stages.reports.run_systems import INSUFFICIENT, Chapter, MeasuredSystem
from monitor.stages.reports.stereotypes import Texts, write_examples
from monitor.store.reports.run_report import RunFacts
from monitor.store.rows import group_rows

Row = dict[str, Any]

_SIGNED = ("mb", "min_beta", "max_beta", "pearson", "spearman")
_SQUARE = (360, 340)
_BIAS = doc.prose(
    "For each occupation the share of feminine forms among the marked answers stands against a "
    "share of women from a named source (its *reference*). **Bias** = share of feminine forms − "
    "reference share: −1 to 1, negative where feminine forms are rarer than women are in the "
    "reference. A reference says how an occupation was composed in one country and year; no "
    "translation has to reproduce it. Parity (1/2) is offered beside it."
)
PRONOUNS = doc.prose(
    "Where the language of the question has one pronoun for everybody, the translation has to "
    "choose one: there the share of “she” among “he” and “she” takes the place of the share of "
    "feminine forms. “They”, “he or she” and avoiding the pronoun are counted beside it "
    "([side by side](#compare)) and are in no share. Occupations differ between source languages, "
    "so that only those asked in both may be compared."
)
_NOT_INDEPENDENT = (
    "The sentences of an occupation are put to the same system and are not independent draws. The "
    "interval of one occupation describes sentences of this kind; there is no p-value for one "
    "occupation."
)
#: The first paragraphs of the section; PRONOUNS where the gender of any is that of a pronoun.
LEAD: Sequence[doc.Prose] = (_BIAS, PRONOUNS, _NOT_INDEPENDENT)


def write_occupations_chapter(
    system: MeasuredSystem, facts: RunFacts, chosen: Mapping[str, Sequence[Row]], answers: Texts
) -> Chapter:
    """Return what the report says of one system's occupation sentences."""
    topics = {name: run_systems.topic_rows(system, name, facts) for name in system.references}
    first = next(iter(topics.values()), [])
    by_topic = [*group_rows(chain(*topics.values()), lambda row: str(row["topic"])).values()]
    body: list[doc.Block] = [*run_systems.without_control(system), _write_overall(system, topics)]
    for name, rows in topics.items():
        body += [
            doc.Heading(f"Against {names.reference_title(name)}", 4),
            *_against(system, name, rows, chosen, answers),
        ]
    all_of_them = doc.prose("All {n} occupations: [annex A](#tables).", n=len(by_topic))
    return Chapter(
        system.label,
        run_systems.chapter_title(system),
        [
            run_systems.say_occupations(first, pronoun=system.pronoun),
            *(
                run_systems.say_distance(
                    system.values(name), names.reference_title(name),
                    pronoun=system.pronoun, same=run_systems.same_for_all(rows),
                )
                for name, rows in topics.items()
            ),
        ],
        [*body, doc.Words(all_of_them, "small")],
        [doc.Fold(f"All {len(by_topic)} occupations", [_every(system, topics, by_topic)])],
    )  # fmt: skip


def _write_overall(system: MeasuredSystem, topics: Mapping[str, Sequence[Row]]) -> doc.Table:
    same = (
        "; a reference that says the same of all cannot be shuffled, so that there it is MAB itself"
        if any(map(run_systems.same_for_all, topics.values()))
        else ""
    )
    only = "“he”" if system.pronoun else "masculine forms"
    titles = names.quantity_titles(system.measure)
    values = {name: system.values(name) for name in topics}
    return doc.table(
        "Over occupations, with each reference and with two baselines. MAB and SB are not 0 "
        "without bias; compare MAB with its baselines. Intervals: bootstrap over occupations; for "
        f"references shuffled over the occupations the range that chance gives{same}. The baseline "
        f"of only {only} follows from the references alone and has no interval.",
        ["quantity",
         *(title for name in topics for title in (f"#{names.reference_title(name)}", "#point"))],
        [
            [cells.write_quantity(name, titles),
             *(cell for of in values.values() for cell in _of_reference(of.get(name), name))]
            for name in next(iter(values.values()), {})
        ],
    )  # fmt: skip


def _of_reference(point: Row | None, name: str) -> list[doc.Entry]:
    sign = name in _SIGNED
    return [
        cells.write_value(point, cells.write_bounded(point, sign=sign), sign=sign),
        cells.point_id(point),
    ]


def _against(
    system: MeasuredSystem,
    reference: str,
    topics: Sequence[Row],
    chosen: Mapping[str, Sequence[Row]],
    answers: Texts,
) -> list[doc.Block]:
    """Charts, table and translations of the occupations that are furthest from one reference."""
    if run_systems.same_for_all(topics):
        return [
            doc.Words(
                "This reference says the same of every occupation, so there is no order of "
                "occupations by distance from it and no correlation with it. All values are in "
                "annex A."
            )
        ]
    far = run_systems.select_furthest(topics)
    if not far:
        return [doc.Words("No occupation has enough marked answers; the reasons are in annex A.")]
    examples = [
        entry for row in far for entry in write_examples(chosen.get(row["topic"], []), answers)
    ]
    return [
        _charts_against(system, reference, topics, far),
        _furthest(system, far),
        doc.Fold("One translation for each of these occupations", [doc.Examples(examples)]),
    ]


def _charts_against(
    system: MeasuredSystem, reference: str, topics: Sequence[Row], far: Sequence[Row]
) -> doc.Beside:
    title = names.reference_title(reference)
    forms = "“she” among “he” and “she”" if system.pronoun else "feminine forms"
    counted = f"share of {forms}"
    compared = [row for row in topics if row["bias"] is not None]
    dots = [Dot(row["target"], row["model"], False, row["name"]) for row in compared]
    name = f"{system.place}-{system.references.index(reference)}"
    extremes = [
        {"topic": row["name"], "target": row["target"], "model": row["model"],
         "low": row["model_low"], "high": row["model_high"]}
        for row in far
    ]  # fmt: skip
    heading = f"{counted.capitalize()} by occupation: {system.label}, against {title}"
    rarer = "“she” is" if system.pronoun else "feminine forms are"
    shares = draw.picture(
        draw_shares(dots, "women", _SQUARE), _SQUARE, f"shares-{name}", heading,
        describe_shares(dots, "women"),
    )  # fmt: skip
    furthest = f"furthest-{name}", f"{heading} (furthest)", counted
    return doc.Beside(
        [
            doc.Picture(
                shares,
                f"One circle per occupation. On the diagonal both shares agree; below it {rarer} "
                "rarer than women are in the reference. The table of all occupations has the "
                "intervals.",
            ),
            doc.Picture(
                partial(charts.furthest, extremes, *furthest),
                f"The {len(far)} occupations that are furthest from the reference.",
            ),
        ]
    )


def _furthest(system: MeasuredSystem, far: Sequence[Row]) -> doc.Table:
    she = "“she” among “he” and “she”" if system.pronoun else "feminine forms"
    return doc.table(
        "Occupations with the largest bias in either direction. Chosen because they are extreme, "
        "so that some of them would be less so if asked again in other words.",
        ["occupation", f"#{she} [95 %]", "#reference", "source of the reference", "#bias",
         "#bounds of the bias", "#used / planned", "#point", "~attempts"],
        [
            [
                row["name"], cells.write_share(row), number(row["target"]), row["from"],
                number(row["bias"], 3, True), cells.write_bounds(row, sign=True),
                cells.write_used(row), cells.point_id(row), row["attempts"],
            ]
            for row in far
        ],
    )  # fmt: skip


def _every(
    system: MeasuredSystem, topics: Mapping[str, Sequence[Row]], every: Sequence[Sequence[Row]]
) -> doc.Table:
    """All occupations with their shares, and the bias against each reference."""
    counted = (
        ("“she”", "“he”", "“she” among both [95 %]")
        if system.pronoun
        else ("femi\u00adnine", "mascu\u00adline", "feminine forms [95 %]")
    )
    references = [
        column
        for name, rows in topics.items()
        for column in doc.under(
            f"{names.reference_title(name)}, point {rows[0]['point_id'] if rows else ''}",
            ["#reference share", "#bias and its bounds"],
        )
    ]
    return doc.table(
        "In brackets after a reference share: its year; after a bias: its bounds. Annex C says "
        "what each year means.",
        ["occupation", *(f"#{title}" for title in counted), "#used / planned", "#cannot say",
         *references, "~attempts"],
        [
            [
                first["name"], f"{first['women']:g}", f"{first['men']:g}", cells.write_share(first),
                cells.write_used(first), str(first["unidentified"]),
                *(cell for row in (first, *rest) for cell in (write_target(row), _write_bias(row))),
                first["attempts"],
            ]
            for first, *rest in every
        ],
    )  # fmt: skip


def write_target(row: Row) -> doc.Cell:
    """A reference share with its year."""
    if row["target"] is None:
        return cells.write_state(row)
    return doc.Cell(number(row["target"]) + (f" ({row['as_of']})" if row["as_of"] else ""))


def _write_bias(row: Row) -> doc.Cell:
    ends = cells.write_bounds(row, sign=True)
    if row["bias"] is None:
        return doc.Cell(INSUFFICIENT, ends)
    return doc.Cell(f"{number(row['bias'], 3, True)} {ends}")
