"""Chapters whose sentences follow from what quantities mean: named persons, and AI overviews."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monitor import registry
from monitor.model import GenderClass, Kind, Meaning, Quantity
from monitor.names import base_name
from monitor.stages.document import records as doc
from monitor.stages.document.notation import capitalize_first, is_measured, point_ids, say_missing
from monitor.stages.reports import cells, names, run_systems
from monitor.stages.reports.names import SITE
from monitor.stages.reports.run_systems import Chapter, MeasuredSystem
from monitor.stages.reports.stereotypes import Texts, answers_of
from monitor.store.reports.run_report import RunFacts
from monitor.store.rows import group_rows
from monitor.text.quantity_values import say_interval, say_value

Row = dict[str, Any]

#: Occupations of each gender in the table that is read first.
_SHOWN = 6
#: Tags of the noun that names the person. Lists whose occupations are held against a reference
#: have the first.
_TAGS = ("occupation", "person")
PERSONS_LEAD = doc.prose(
    "The English sentence names a person by an occupation or another word; what is read is whether "
    "the translation makes that person a woman or a man. Where the sentence says the gender, "
    "another one is an error; where it leaves it open, no choice is."
)
_SAID = ("masculine", "feminine", "neutral")
_PREDICTED = (*_SAID, "unknown")


# --- named persons --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Occupation:
    """An occupation with the answers that make it a woman or a man.

    `women` is its share of women in the United States, where that is known; `example` an answer of
    the gender that it has most.
    """

    name: str
    feminine: int
    masculine: int
    women: float | None
    example: Row

    @property
    def share(self) -> float:
        """Share of feminine among masculine and feminine answers."""
        return self.feminine / (self.feminine + self.masculine)


def write_persons_chapter(system: MeasuredSystem, occupations: Sequence[doc.Block]) -> Chapter:
    """What the report says of the persons named in one system's sentences.

    `occupations` is the table of `write_occupations`, unless it stands elsewhere.
    """
    quantities = registry.measure(base_name(system.measure)).quantities
    titles, values = names.quantity_titles(system.measure), system.values()
    blocks = [
        *run_systems.without_control(system),
        *occupations,
        cells.write_quantities(
            "Over all sentences; intervals resample occupations and templates, or sentences",
            {name: values[name] for name in titles if name in values},
            titles,
        ),
        *_confusion_table(values),
    ]
    findings = _findings(quantities, values)
    title = run_systems.chapter_title(system)
    return Chapter(system.label, title, findings, blocks, _by_occupation(system, quantities))


def _findings(quantities: Iterable[Quantity], values: Mapping[str, Row]) -> list[str]:
    """A sentence for each quantity of a headline, in their order."""
    ranked = sorted(
        (quantity for quantity in quantities if quantity.meaning.rank),
        key=lambda quantity: quantity.meaning.rank,
    )
    sentences = []
    for quantity in ranked:
        point, meaning = values.get(quantity.name), quantity.meaning
        label = capitalize_first(meaning.label)
        if not is_measured(point):
            sentences.append(say_missing(point, label))
            continue
        value = say_value(meaning.unit, point["value"])
        interval = say_interval(meaning.unit, point["low"], point["high"])
        parts = [
            f"{part.meaning.label} {say_value(part.meaning.unit, values[part.name]['value'])}"
            for part in quantities
            if part.name in meaning.parts and is_measured(values[part.name])
        ]
        beside = f" ({', '.join(parts)})" if parts else ""
        points = point_ids(point)
        sentences.append(f"{label}: {value} (95 % interval: {interval}){beside} ({points}).")
    return sentences


def _confusion_table(values: Mapping[str, Row]) -> list[doc.Block]:
    """The confusion matrix of WinoMT, which stands in the facts of its accuracy."""
    facts = values["accuracy"]["facts"] if "accuracy" in values else {}
    if "said_masculine_as_feminine" not in facts:
        return []
    return [
        doc.table(
            "What the sentences say, and how the translation has it",
            ["said", *(f"#{name}" for name in _PREDICTED)],
            [
                [said, *(f"{facts[f'said_{said}_as_{name}']:g}" for name in _PREDICTED)]
                for said in _SAID
            ],
        )
    ]


def _by_occupation(system: MeasuredSystem, quantities: Sequence[Quantity]) -> list[doc.Block]:
    """The values of every occupation, for the annex."""
    prefix = f"tag:{_TAGS[0]}="
    values = {s: system.values(scope=s) for s in system.scopes if s.startswith(prefix)}
    chosen = [q for q in quantities if any(q.name in of_scope for of_scope in values.values())]
    if not values:
        return []
    rows = [
        [scope.removeprefix(prefix).replace("_", " "),
         *(cell for q in chosen for cell in cells.point_cells("value point", of_scope.get(q.name)))]
        for scope, of_scope in values.items()
    ]  # fmt: skip
    titles = [
        title for q in chosen for title in cells.point_columns("value point", q.meaning.label)
    ]
    return [doc.table("By occupation", ["~occupation", *titles], rows)]


# --- occupations, with a sentence each ------------------------------------------------------------


def shown_occupations(system: MeasuredSystem, facts: RunFacts) -> list[Occupation]:
    """Return the occupations that are read first: those made women, then those made men.

    Of the first those with most women in the United States come first; of the second those with
    most women as well, because there the choice departs from the work force.
    """
    known = [row for row in answers_of(system, facts)
             if row["class"] in (GenderClass.MASCULINE, GenderClass.FEMININE)]  # fmt: skip
    grouped = group_rows(
        known, lambda row: next((row["tags"][tag] for tag in _TAGS if row["tags"].get(tag)), "")
    )
    grouped.pop("", None)
    shares = registry.reference("us_labour").shares(grouped)
    occupations = []
    for name, rows in sorted(grouped.items()):
        feminine = sum(row["class"] == GenderClass.FEMININE for row in rows)
        masculine = len(rows) - feminine
        mostly = GenderClass.FEMININE if feminine > masculine else GenderClass.MASCULINE
        example = min(
            (row for row in rows if row["class"] == mostly), key=lambda row: int(row["attempt_id"])
        )
        women = shares[name].value if name in shares else None
        occupations.append(Occupation(name, feminine, masculine, women, example))
    compared = [one for one in occupations if one.women is not None]
    by_women = sorted(compared or occupations, key=lambda one: (-(one.women or 0.0), one.name))
    return [
        *[one for one in by_women if one.share > 0.5][:_SHOWN],  # noqa: PLR2004 - more often
        *[one for one in by_women if one.share < 0.5][:_SHOWN],  # noqa: PLR2004
    ]


def write_occupations(
    system: MeasuredSystem, occupations: Sequence[Occupation], answers: Texts
) -> list[doc.Block]:
    """Return the occupations with what the translation makes of them, and a sentence of each."""
    if not occupations:
        return []
    rows: list[list[doc.Entry]] = []
    for one in occupations:
        texts = answers.get(one.example["attempt_id"], [])
        printed = next((t for t in texts if t["item_key"] == one.example["item_key"]), None)
        source, translation = (printed["probe"], printed["text"]) if printed else ("", "")
        rows.append(
            [
                one.name.replace("_", " "), _say_gender(one),
                "" if one.women is None else f"{one.women:.0%}",
                doc.Cell(translation or "", source),
            ]
        )  # fmt: skip
    return [
        doc.table(
            f"Whom {names.language_name(system.target)} translations make a woman or a man, with "
            "the share of women in the occupation in the United States",
            ["occupation", "translated as", "#women at work", "translation, and the sentence"],
            rows,
        )
    ]


def _say_gender(one: Occupation) -> str:
    """`a woman`, or how many of several sentences."""
    n = one.feminine + one.masculine
    gender, count = ("a woman", one.feminine) if one.share > 0.5 else ("a man", one.masculine)  # noqa: PLR2004
    return gender if count == n else f"{gender} ({count} of {n})"


# --- AI overviews ---------------------------------------------------------------------------------

OVERVIEWS_LEAD = (
    "An AI overview is a text that a model wrote above the results. Shown, declined, unavailable "
    "and still loading are told apart; a page without an overview counts as not shown, and an "
    "overview that was still loading as neither. Shares of sites are among the pages that an "
    "overview cites: they say nothing of whether the text follows these pages."
)


def write_overviews_chapter(system: MeasuredSystem) -> Chapter:
    """Return what the report says of the overviews of one system by one measure."""
    meanings = {
        q.name: names.find_quantity(system.measure, q.name, Kind.SEARCH).meaning
        for q in registry.measure(system.family, Kind.SEARCH).quantities
    }
    points = [point for point in system.points if point["quantity"] in meanings]
    overall = [point for point in points if not point["scope"].startswith(SITE)]
    sites = [point for point in points if point["scope"].startswith(SITE)]
    sites.sort(key=lambda point: (-(point["value"] or 0.0), point["scope"]))
    findings = [_say_point(point, meanings[point["quantity"]]) for point in overall]
    if best := [point for point in sites if point["value"]][:3]:
        named = (
            f"{point['scope'].removeprefix(SITE)} "
            f"({say_value(meanings[point['quantity']].unit, point['value'])})"
            for point in best
        )
        findings.append(f"Cited most: {', '.join(named)}.")
    cited = "Sites that are cited most, now or in the run before"
    tables = (("", "quantity", overall), (cited, "site", sites))
    blocks = [_write_overviews(*table, meanings) for table in tables if table[-1]]
    return Chapter(system.label, run_systems.chapter_title(system), findings, blocks)


def _say_point(point: Row, meaning: Meaning) -> str:
    label, value = capitalize_first(meaning.label), _write_point(point, meaning)
    if value.is_missing:
        return f"{label}: no value ({point['reason']})."
    ends = f" [{value.under}]" if value.under else ""
    return f"{label}: {value.text}{ends}, over {point['used']} of {point['planned']} questions."


def _write_point(point: Row, meaning: Meaning) -> doc.Cell:
    """A value as its unit is written above its interval, or why there is none."""
    if point["value"] is None:
        return doc.Cell(point["reason"], is_missing=True)
    ends = say_interval(meaning.unit, point["low"], point["high"])
    return doc.Cell(say_value(meaning.unit, point["value"]), ends)


def _write_overviews(
    caption: str, first: str, points: Sequence[Row], meanings: Mapping[str, Meaning]
) -> doc.Table:
    rows: list[list[doc.Entry]] = []
    for point in points:
        meaning, site = meanings[point["quantity"]], point["scope"].removeprefix(SITE)
        name = site if site != point["scope"] else capitalize_first(meaning.label)
        value = _write_point(point, meaning)
        rows.append([name, value, *cells.point_cells("bounds used flags point", point)])
    return doc.table(
        caption, [first, "#value [95 %]", *cells.point_columns("bounds used flags point")], rows
    )
