"""The section of a report about the texts that a run has read: its corpora, and what they gave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from markupsafe import Markup

from monitor.stages.document import records as doc
from monitor.stages.document.notation import number, span, when
from monitor.stages.reports import corpus_page, coverage, names, run_systems
from monitor.stages.reports.names import engine_title
from monitor.stages.reports.run_systems import MeasuredSystem
from monitor.store.derive.corpora import ListedCorpus
from monitor.store.reports.run_report import RunFacts

Row = dict[str, Any]

_LEAST_POINTS = 3
#: With more occupations than these, their table is folded away.
_UNFOLDED = 60
_LEAD = (
    "This run asked nothing. It read the titles and snippets of results, or the pages behind them, "
    "that other jobs had collected in a period, each text once for each question: a text that "
    "stood there again is a repeat, and counts once."
)
_CHECK = doc.prose(
    "Where a text stood: `SELECT * FROM corpus_documents` names the attempt and the rank of each "
    "text of a corpus, and `monitor evidence show ATTEMPT` prints the answer. On the pages of "
    "`monitor serve` a word in the table of professions leads to the texts that hold it."
)
_OUTSIDE = (
    "● towards women; ◆ towards men; ■ within the unbiased area. {area} A word outside may still "
    "have a bias whose interval holds 0: see the table. Named are those furthest out."
)


@dataclass(frozen=True, slots=True)
class CorpusRow:
    """One corpus: of whom, of which time, and how much there is of it."""

    engine: str
    pair: str
    text: str
    period: str
    begins_at: datetime
    ends_at: datetime
    jobs: Sequence[str]
    runs: Sequence[int]
    left_out: Mapping[str, str]
    answers: int
    documents: int
    repeats: int
    missing: int
    reason: str


@dataclass(frozen=True, slots=True)
class MeasuredTexts:
    """Values of one measure for the texts of one system: its quantities, and every occupation.

    `words` have a bias, from the one furthest towards women on; `lacking` have none. `sides` and
    `labour` are their charts, None where there is too little to draw; `area` says of which area
    the first is, or why there is none.
    """

    system: MeasuredSystem
    reference: str
    titles: Mapping[str, str]
    points: Sequence[Row] = field(repr=False)
    words: Sequence[Row] = field(repr=False)
    lacking: Sequence[Row] = field(repr=False)
    sides: Markup | None = field(repr=False)
    area: str
    labour: Markup | None = field(repr=False)


def list_gathered(corpora: Sequence[ListedCorpus]) -> list[CorpusRow]:
    """The corpora of a run as its report lists them."""
    return [
        CorpusRow(
            engine_title(listed_corpus.engine),
            names.short_pair(
                listed_corpus.corpus.source_lang, listed_corpus.corpus.region, listed_corpus.kind
            ),
            listed_corpus.corpus.text,
            str(listed_corpus.corpus.query["period"]),
            listed_corpus.corpus.begins_at,
            listed_corpus.corpus.ends_at,
            listed_corpus.corpus.query["jobs"],
            listed_corpus.runs,
            listed_corpus.corpus.query["left_out"],
            listed_corpus.corpus.answers,
            listed_corpus.corpus.documents,
            listed_corpus.corpus.repeats,
            listed_corpus.corpus.missing,
            listed_corpus.corpus.reason,
        )
        for listed_corpus in corpora
    ]


def list_measured(systems: Sequence[MeasuredSystem], facts: RunFacts) -> list[MeasuredTexts]:
    """The values over all texts of every system, by measure and reference, and those by word."""
    return [
        _measured(system, reference, facts)
        for system in systems
        for reference in system.references or [""]
    ]


def _measured(system: MeasuredSystem, reference: str, facts: RunFacts) -> MeasuredTexts:
    rows = run_systems.topic_rows(system, reference, facts)
    words = [row for row in rows if row["bias"] is not None]
    words.sort(key=lambda row: (-row["bias"], row["topic"]))
    position = f"{system.place}-{reference}"
    values = system.values(reference)
    readings = values[f"{system.family}_mean"]["facts"]
    return MeasuredTexts(
        system,
        reference,
        names.quantity_titles(system.measure),
        list(values.values()),
        words,
        [row for row in rows if row["bias"] is None],
        corpus_page.draw_picture(
            [row["topic"] for row in words], readings, f"sides-{position}", system.label
        ),
        corpus_page.say_area(readings),
        _against(words, f"labour-{position}", system.label, names.reference_title(reference)),
    )


def _against(words: Sequence[Row], name: str, label: str, reference: str) -> Markup | None:
    drawn_rows = [
        {"word": row["name"], "share": row["target"], "bias": row["bias"],
         "low": row["model_low"], "high": row["model_high"]}
        for row in words if row["target"] is not None
    ]  # fmt: skip
    if len({row["share"] for row in drawn_rows}) < _LEAST_POINTS:
        return None
    x, y = ([row[of] for row in drawn_rows] for of in ("share", "bias"))
    slope, intercept = np.polyfit(x, y, 1)
    axes = f"share of women: {reference.split(',', 1)[0]}", "bias of the word: men < 0 < women"
    title = f"Bias of words for occupations against the share of women in them: {label}"
    return corpus_page.draw_against(drawn_rows, (float(intercept), float(slope)), name, title, axes)


# --- the section of a report ----------------------------------------------------------------------


def write_corpora_section(
    systems: Sequence[MeasuredSystem], facts: RunFacts, zone: ZoneInfo
) -> doc.Section:
    """Return what was read, and what every measure makes of it."""
    body: list[doc.Block] = [doc.Words(_LEAD), _read(list_gathered(facts.corpora), zone)]
    for item in list_measured(systems, facts):
        body += _printed(item)
    body.append(doc.Words(_CHECK, "small"))
    if lists := coverage.say_unvalidated(facts):
        body.append(doc.Words(f"The probe lists are unvalidated: {lists}.", "small"))
    return doc.Section("texts", "Texts of the results", body)


def _read(corpora: Sequence[CorpusRow], zone: ZoneInfo) -> doc.Table:
    return doc.table(
        "By system and kind of text. Without text: results that were erased, and pages that nobody "
        "could read. The period ends before its last time.",
        ["system", "period", "runs that were read", "#answers", "#texts", "#repeats",
         "#without text"],
        [
            [
                doc.Cell(f"{row.engine} {row.pair}, {row.text}", row.reason),
                doc.Cell(row.period, f"{when(row.begins_at, zone)} to {when(row.ends_at, zone)}"),
                doc.Cell(", ".join(row.jobs), "\n".join(_list_runs(row))),
                *(f"{n:,}" for n in (row.answers, row.documents, row.repeats, row.missing)),
            ]
            for row in corpora
        ],
    )  # fmt: skip


def _list_runs(one: CorpusRow) -> list[str]:
    read = [", ".join(map(str, one.runs))] if one.runs else []
    return [*read, *(f"left out: {run}, {why}" for run, why in one.left_out.items())]


def _printed(one: MeasuredTexts) -> list[doc.Block]:
    title = names.reference_title(one.reference) if one.reference else ""
    against = f", against {title}" if title else ""
    body: list[doc.Block] = [
        doc.Heading(f"{one.system.mark}: {one.system.label}{against}"),
        doc.table(
            f"Over all texts of {one.system.list_name}. In brackets: 95 % intervals. Used: "
            "questions behind the value.",
            ["quantity", "#value", "#used / read", "#point"],
            [
                [run_systems.write_quantity(point["quantity"], one.titles),
                 run_systems.write_stacked(point), run_systems.write_used(point),
                 run_systems.point_id(point)]
                for point in one.points
            ],
        ),
    ]  # fmt: skip
    if one.sides:
        body.append(doc.Picture(one.sides, _OUTSIDE.format(area=one.area)))
    elif one.words:
        body.append(doc.Words(one.area))
    if one.labour:
        body.append(
            doc.Picture(
                one.labour,
                "One point an occupation with a bias and a share, with its 95 % interval, and the "
                "least-squares line. Named are those furthest from the line.",
            )
        )
    elif title:
        body.append(
            doc.Words(
                f"Not drawn against {title}: fewer than three occupations have a bias and "
                "different shares."
            )
        )
    if one.words or one.lacking:
        title = f"Occupations: {len(one.words)} with a bias, {len(one.lacking)} without"
        is_long = len(one.words) + len(one.lacking) > _UNFOLDED
        rows = _write_words(one)
        body += [doc.Fold(title, [rows])] if is_long else [doc.Heading(title, 4), rows]
    return body


def _write_words(one: MeasuredTexts) -> doc.Table:
    return doc.table(
        "From the one furthest towards women to the one furthest towards men, then those without a "
        "value. Bias: how much more strongly the word is tied to words for women than to those for "
        "men, with its 95 % interval; no word has a p-value. Pairs: how often it stood near a word "
        "for women / for men. Texts: those that hold it, each counted once.",
        ["occupation", "#bias", "#pairs women / men", "#texts",
         *(["#share of women"] if one.reference else [])],
        [
            [
                row["name"], _write_bias(row), f"{int(row['women']):,} / {int(row['men']):,}",
                f"{row['used']:,} of {row['planned']:,}",
                *([run_systems.write_optional(row["target"])] if one.reference else []),
            ]
            for row in (*one.words, *one.lacking)
        ],
    )  # fmt: skip


def _write_bias(row: Row) -> doc.Cell:
    if row["bias"] is None:
        return doc.Cell(row["reason"], is_missing=True)
    low, high = row["model_low"], row["model_high"]
    return doc.Cell(
        number(row["bias"], 3, True), span(low, high, 3, True) if low is not None else ""
    )
