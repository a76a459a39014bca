"""The section of a report about the texts that a run has read: its corpora, and what they gave."""

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

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
_NOT_DRAWN = (
    "Not drawn against {title}: fewer than three occupations have a bias and different shares."
)
_OUTSIDE = (
    "● towards women; ◆ towards men; ■ within the unbiased area. {area} A word outside may still "
    "have a bias whose interval holds 0: see the table. Named are those furthest out."
)


def list_gathered(corpora: Sequence[ListedCorpus]) -> list[Row]:
    """Return the corpora of a run: of whom, of which time, and how much there is of each."""
    return [
        {
            "engine": engine_title(listed.engine),
            "pair": names.short_pair(listed.corpus.source_lang, listed.corpus.region, listed.kind),
            "text": listed.corpus.text,
            "period": str(listed.corpus.query["period"]),
            "begins_at": listed.corpus.begins_at,
            "ends_at": listed.corpus.ends_at,
            "jobs": listed.corpus.query["jobs"],
            "runs": listed.runs,
            "left_out": listed.corpus.query["left_out"],
            "answers": listed.corpus.answers,
            "documents": listed.corpus.documents,
            "repeats": listed.corpus.repeats,
            "missing": listed.corpus.missing,
            "reason": listed.corpus.reason,
        }
        for listed in corpora
    ]


def _draw_shares(
    words: Sequence[Row], system: MeasuredSystem, reference: str
) -> doc.Picture | None:
    """Bias against the share of women; None with fewer than three different shares."""
    drawn_rows = [
        {"word": row["name"], "share": row["target"], "bias": row["bias"],
         "low": row["model_low"], "high": row["model_high"]}
        for row in words if row["target"] is not None
    ]  # fmt: skip
    if len({row["share"] for row in drawn_rows}) < _LEAST_POINTS:
        return None
    drawn = corpus_page.draw_against(
        drawn_rows,
        corpus_page.fit_line(drawn_rows),
        f"labour-{system.place}-{reference}",
        f"Bias of words for occupations against the share of women in them: {system.label}",
        names.reference_title(reference).split(",", 1)[0],
    )
    caption = (
        "One point an occupation with a bias and a share, with its 95 % interval, and the "
        "least-squares line. Named are those furthest from the line."
    )
    return doc.Picture(drawn, caption)


# --- the section of a report ----------------------------------------------------------------------


def write_corpora_section(
    systems: Sequence[MeasuredSystem], facts: RunFacts, zone: ZoneInfo
) -> doc.Section:
    """Return what was read, and what every measure makes of it."""
    body: list[doc.Block] = [doc.Words(_LEAD), _read(list_gathered(facts.corpora), zone)]
    for system in systems:
        for reference in system.references or [""]:
            body += _write_system(system, reference, facts)
    body.append(doc.Words(_CHECK, "small"))
    if lists := coverage.say_unvalidated(facts):
        body.append(doc.Words(f"The probe lists are unvalidated: {lists}.", "small"))
    return doc.Section("texts", "Texts of the results", body)


def _read(corpora: Sequence[Row], zone: ZoneInfo) -> doc.Table:
    return doc.table(
        "By system and kind of text. Without text: results that were erased, and pages that nobody "
        "could read. The period ends before its last time.",
        ["system", "period", "runs that were read", "#answers", "#texts", "#repeats",
         "#without text"],
        [
            [
                doc.Cell(f"{row['engine']} {row['pair']}, {row['text']}", row["reason"]),
                doc.Cell(
                    row["period"],
                    f"{when(row['begins_at'], zone)} to {when(row['ends_at'], zone)}",
                ),
                doc.Cell(", ".join(row["jobs"]), "\n".join(_list_runs(row))),
                *(f"{row[name]:,}" for name in ("answers", "documents", "repeats", "missing")),
            ]
            for row in corpora
        ],
    )  # fmt: skip


def _list_runs(row: Row) -> list[str]:
    read = [", ".join(map(str, row["runs"]))] if row["runs"] else []
    return [*read, *(f"left out: {run}, {why}" for run, why in row["left_out"].items())]


def _write_system(system: MeasuredSystem, reference: str, facts: RunFacts) -> list[doc.Block]:
    """The values of one measure for the texts of one system, and those of every occupation."""
    rows = run_systems.topic_rows(system, reference, facts)
    words = [row for row in rows if row["bias"] is not None]
    words.sort(key=lambda row: (-row["bias"], row["topic"]))
    lacking = [row for row in rows if row["bias"] is None]
    values = system.values(reference)
    readings = values[f"{system.family}_mean"]["facts"]
    area, title = corpus_page.say_area(readings), names.reference_title(reference)
    sides = corpus_page.draw_picture(
        [row["topic"] for row in words], readings, f"sides-{system.place}-{reference}", system.label
    )
    heading = f"{system.mark}: {system.label}"
    body: list[doc.Block] = [
        doc.Heading(f"{heading}, against {title}" if reference else heading),
        _write_values(system, values),
    ]
    if sides:
        body.append(doc.Picture(sides, _OUTSIDE.format(area=area)))
    elif words:
        body.append(doc.Words(area))
    if shares := _draw_shares(words, system, reference):
        body.append(shares)
    elif reference:
        body.append(doc.Words(_NOT_DRAWN.format(title=title)))
    if rows:
        summary = f"Occupations: {len(words)} with a bias, {len(lacking)} without"
        table = _write_words([*words, *lacking], with_share=bool(reference))
        is_long = len(rows) > _UNFOLDED
        body += [doc.Fold(summary, [table])] if is_long else [doc.Heading(summary, 4), table]
    return body


def _write_values(system: MeasuredSystem, values: Mapping[str, Row]) -> doc.Table:
    titles = names.quantity_titles(system.measure)
    return doc.table(
        f"Over all texts of {system.list_name}. In brackets: 95 % intervals. Used: questions "
        "behind the value.",
        ["quantity", "#value", *run_systems.point_columns("used point", used="used / read")],
        [
            [run_systems.write_quantity(name, titles), run_systems.write_stacked(point),
             *run_systems.point_cells("used point", point)]
            for name, point in values.items()
        ],
    )  # fmt: skip


def _write_words(rows: Sequence[Row], *, with_share: bool) -> doc.Table:
    return doc.table(
        "From the one furthest towards women to the one furthest towards men, then those without a "
        "value. Bias: how much more strongly the word is tied to words for women than to those for "
        "men, with its 95 % interval; no word has a p-value. Pairs: how often it stood near a word "
        "for women / for men. Texts: those that hold it, each counted once.",
        ["occupation", "#bias", "#pairs women / men", "#texts",
         *(["#share of women"] if with_share else [])],
        [
            [
                row["name"], _write_bias(row), f"{int(row['women']):,} / {int(row['men']):,}",
                f"{row['used']:,} of {row['planned']:,}",
                *([run_systems.write_optional(row["target"])] if with_share else []),
            ]
            for row in rows
        ],
    )  # fmt: skip


def _write_bias(row: Row) -> doc.Cell:
    if row["bias"] is None:
        return doc.Cell(row["reason"], is_missing=True)
    low, high = row["model_low"], row["model_high"]
    interval = span(low, high, 3, True) if low is not None else ""
    return doc.Cell(number(row["bias"], 3, True), interval)
