"""The bias of words in texts: the section of a report about corpora, and the page of one corpus.

The facts are those of the mean bias over all words (`measures/corpus/_word_biases.py`). The page
needs no network and no other file. Words and names are captured text: none is markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from monitor import __version__
from monitor.corpus.bias import Unbiased
from monitor.corpus.concepts import LabourCorrelation, correlate_shares
from monitor.corpus.encoding import EncodedCorpus
from monitor.stages.derive.corpus_bias import (
    MeasuredCorpus,
    rows_of,
    say_correlation,
    without_value,
)
from monitor.stages.document import records as doc
from monitor.stages.document.html import html
from monitor.stages.document.notation import capitalize_first, capped, number, percent, span, when
from monitor.stages.reports import cells, coverage, names, run_systems
from monitor.stages.reports.bias_charts import (
    FAR,
    NAMED,
    draw_against,
    draw_sides,
    fit_line,
    make_side,
    say_unbiased,
)
from monitor.stages.reports.names import engine_title
from monitor.stages.reports.run_systems import MeasuredSystem
from monitor.store.derive.corpora import ListedCorpus
from monitor.store.reports.run_report import RunFacts

Row = dict[str, Any]

# --- both sides -----------------------------------------------------------------------------------

_LEAST_POINTS = 3
_NONE = (
    "Both sides of the words are not drawn: the measure has none, or no word has a value, or the "
    "run was measured before they were kept."
)


def measure_unbiased(facts: Mapping[str, float]) -> Unbiased | None:
    """The area that a point tells of; None where it tells of none."""
    if "unbiased_threshold" not in facts:
        return None
    return Unbiased(
        facts["unbiased_threshold"],
        facts["association_low"],
        facts["association_high"],
        int(facts["unbiased_words"]),
        int(facts["vocabulary"]),
    )


def draw_picture(
    words: Sequence[str],
    facts: Mapping[str, float],
    name: str,
    label: str,
    class_name: str = "",
) -> Markup | None:
    """The words that have both sides; None where they are too few, or there is no area.

    `class_name` is that of the page where styles in attributes are refused.
    """
    area = measure_unbiased(facts)
    if area is None:
        return None
    rows = [
        make_side(word, facts[f"women:{word}"], facts[f"men:{word}"], area)
        for word in words
        if f"women:{word}" in facts
    ]
    if len(rows) < _LEAST_POINTS:
        return None
    title = f"Association of words for occupations with words for women and for men: {label}"
    return draw_sides(rows, area.threshold, name, title, class_name=class_name)


def say_area(facts: Mapping[str, float]) -> str:
    """Return what the shaded area is, or why there is none."""
    area = measure_unbiased(facts)
    return _NONE if area is None else say_unbiased(area)


# --- the section of a report ----------------------------------------------------------------------

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


_COUNTS = ("answers", "documents", "repeats", "missing")


def list_gathered(corpora: Sequence[ListedCorpus]) -> list[Row]:
    """Return the corpora of a run: of whom, of which time, and how much there is of each."""
    return [
        {
            "engine": engine_title(listed.engine),
            "pair": names.pair_words(listed.corpus.source_lang, listed.corpus.region, listed.kind),
            "text": listed.corpus.text,
            "period": str(listed.corpus.query["period"]),
            **{name: getattr(listed.corpus, name) for name in ("begins_at", "ends_at")},
            "jobs": listed.corpus.query["jobs"],
            "runs": listed.runs,
            "left_out": listed.corpus.query["left_out"],
            **{name: getattr(listed.corpus, name) for name in (*_COUNTS, "reason")},
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
    drawn = draw_against(
        drawn_rows,
        fit_line(drawn_rows),
        f"labour-{system.place}-{reference}",
        f"Bias of words for occupations against the share of women in them: {system.label}",
        names.reference_title(reference).split(",", 1)[0],
    )
    caption = (
        "One point an occupation with a bias and a share, with its 95 % interval, and the "
        "least-squares line. Named are those furthest from the line."
    )
    return doc.Picture(drawn, caption)


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
                *(f"{row[name]:,}" for name in _COUNTS),
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
    area, title = say_area(readings), names.reference_title(reference)
    sides = draw_picture(
        [row["topic"] for row in words], readings, f"sides-{system.place}-{reference}", system.label
    )
    heading = f"{system.mark}: {system.label}"
    body: list[doc.Block] = [
        doc.Heading(f"{heading}, against {title}" if reference else heading),
        cells.write_quantities(
            f"Over all texts of {system.list_name}. In brackets: 95 % intervals. Used: questions "
            "behind the value.",
            values,
            names.quantity_titles(system.measure),
            "stacked used",
            used="used / read",
        ),
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
        table = _write_occupations([*words, *lacking], with_share=bool(reference))
        is_long = len(rows) > _UNFOLDED
        body += [doc.Fold(summary, [table])] if is_long else [doc.Heading(summary, 4), table]
    return body


def _write_occupations(rows: Sequence[Row], *, with_share: bool) -> doc.Table:
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
                *([cells.write_optional(row["target"])] if with_share else []),
            ]
            for row in rows
        ],
    )  # fmt: skip


def _write_bias(row: Row) -> doc.Cell:
    if row["bias"] is None:
        return doc.Cell(row["reason"], is_missing=True)
    return doc.Cell(number(row["bias"], 3, True), _say_ends(row["model_low"], row["model_high"]))


def _say_ends(low: float | None, high: float | None) -> str:
    return "" if low is None else span(low, high, 3, True)


# --- page -----------------------------------------------------------------------------------------

CITATION = (
    "Rekabsaz, N., West, R., Henderson, J., Hanbury, A. (2021). Measuring societal biases from "
    "text corpora with smoothed first-order co-occurrence. Proceedings of the International AAAI "
    "Conference on Web and Social Media 15, 549-560."
)
_SIGNS = {"women": "●", "men": "◆", "neither": "■"}
_LEANS = {"women": "towards women", "men": "towards men", "neither": "within the unbiased area"}


_NO_AREA = (
    "Not drawn: this measure has no two sides, or no word of the vocabulary has a value, so that "
    "there is no unbiased area."
)
_TOO_FEW = f"Not drawn: fewer than {_LEAST_POINTS} words have a value."


_SAYS = (
    doc.Words(
        "It says how these texts speak: which words stand near words for women, and which near "
        "words for men. It says nothing of people who have an occupation, of those who wrote, and "
        "of other texts. A word may stand near both for reasons that are no stereotype: a text "
        "about one famous woman is enough."
    ),
    doc.Words(
        "Intervals hold for documents of this kind, drawn anew. They do not hold for other lists "
        "of words: another list is another measure."
    ),
)


@dataclass(frozen=True)
class CorpusPage:
    """The page of the biases of a corpus, held against shares of women where there are any.

    `labour` is what these shares are called, and women's share by word.
    """

    name: str
    corpus: EncodedCorpus
    found: MeasuredCorpus
    labour: tuple[str, Mapping[str, float]] | None

    @cached_property
    def rows(self) -> list[Row]:
        """Return the words that have a value."""
        shares = self.labour[1] if self.labour else {}
        return [r for r in rows_of(self.corpus, self.found, shares) if r["bias"] is not None]

    @cached_property
    def sides(self) -> list[Row]:
        """Return the words that have both sides, on the scale of the unbiased area."""
        area = self.found.area
        return [
            make_side(row["word"], row["women"], row["men"], area)
            for row in self.rows
            if area is not None and row["women"] is not None
        ]

    @cached_property
    def correlations(self) -> Sequence[LabourCorrelation]:
        """Return how biases go with the shares."""
        shares = self.labour[1] if self.labour else {}
        return correlate_shares(self.found.biases.values, shares)

    @property
    def labour_said(self) -> str:
        """Return how biases go with the shares, in sentences."""
        title = self.labour[0] if self.labour else ""
        said = [say_correlation(correlation, title) for correlation in self.correlations]
        return f"{'. '.join(map(capitalize_first, said))}."

    def draw(self, place: str = "") -> dict[str, Markup]:
        """Return the charts by name: `sides`, and `labour` where there are shares.

        `place` comes before the identifiers in them, where a page has several.
        """
        pictures = {}
        if self.found.area is not None and len(self.sides) >= _LEAST_POINTS:
            title = f"Association of words with words for women and for men in {self.name}"
            threshold = self.found.area.threshold
            pictures["sides"] = draw_sides(self.sides, threshold, f"{place}sides", title)
        if self.labour and all(one.value is not None for one in self.correlations):
            rows = [row for row in self.rows if row["share"] is not None]
            title = f"Bias of occupations in {self.name} against the share of women in them"
            pictures["labour"] = draw_against(
                rows, fit_line(rows), f"{place}labour", title, self.labour[0]
            )
        return pictures

    def write(self) -> str:
        """Return the whole page as HTML."""
        pictures = self.draw()
        missing = without_value(self.found.biases, self.found.order.floor)
        lead = (
            f"{len(self.rows)} words with a value, {sum(map(len, missing.values()))} without. Bias "
            "is the association of a word with words for women, less that with words for men: "
            "above 0 towards women, below 0 towards men."
        )
        facts = doc.Pairs([*_map_facts(self.corpus, self.found).items()])
        words = _write_words(self.rows, self.found.interval, with_share=self.labour is not None)
        if missing:
            pairs = [(why, f"{len(some)}: {', '.join(some)}") for why, some in missing.items()]
            words += [doc.Heading("Without a value"), doc.Pairs(pairs)]
        document = doc.Document(
            title=f"Bias of words in {self.name}",
            kicker="Words of a corpus",
            banner="",
            page_one=[doc.Words(lead)],
            sections=[
                doc.Section("made", "What it was made of", [facts]),
                doc.Section(
                    "sides", "Both sides of each word", [_write_sides(self, pictures.get("sides"))]
                ),
                doc.Section(
                    "labour", "Beside the labour market",
                    _beside_labour(self, pictures.get("labour")),
                ),
                doc.Section("words", "All words", words),
                doc.Section("validity", "What it says, and what it does not", _SAYS),
            ],
            generator=f"monitor {__version__}",
            closing=CITATION,
        )  # fmt: skip
        return html(document)


def _map_facts(corpus: EncodedCorpus, found: MeasuredCorpus) -> dict[str, str]:
    read, rules = corpus.read, corpus.rules
    least = f", each at least {rules.min_count} times" if rules.min_count > 1 else ""
    return {
        "documents": f"{corpus.documents:,}; {read.repeats:,} repeats and {read.empty:,} without "
        "a word were left out",
        "tokens": f"{read.tokens:,}, {len(corpus.tokens):,} of them words that count",
        "vocabulary": f"{len(corpus.vocabulary):,} of {read.words:,} words{least}",
        "measure": found.order.title,
        "words for women": ", ".join(found.biases.women) or "none",
        "words for men": ", ".join(found.biases.men) or "none",
        "words not in the texts": ", ".join(found.biases.missing) or "none",
        "digest of the corpus": corpus.digest,
        **({"note": " ".join(found.notes)} if found.notes else {}),
    }


def _write_sides(it: CorpusPage, drawn: Markup | None) -> doc.Block:
    area = it.found.area
    if drawn is None or area is None:
        return doc.Words(_NO_AREA if area is None else _TOO_FEW)
    counted = "; ".join(
        f"{_SIGNS[lean]} {words}: {sum(row['lean'] == lean for row in it.sides)}"
        for lean, words in _LEANS.items()
    )
    return doc.Picture(
        drawn,
        f"{counted}. {say_unbiased(area)} Named are the {NAMED} words furthest out on each "
        "side, or all where there are fewer.",
    )


def _beside_labour(it: CorpusPage, drawn: Markup | None) -> list[doc.Block]:
    if it.labour is None:
        return [doc.Words("Not compared: no shares were given.")]
    caption = (
        "One point an occupation, with its 95 % interval where it has one, and the least-squares "
        f"line. Named are the {FAR} that lie furthest from the line, or all where there are "
        "fewer."
    )
    picture = [doc.Picture(drawn, caption)] if drawn is not None else []
    return [doc.Words(it.labour_said), *picture]


def _write_words(rows: Sequence[Row], interval: str, *, with_share: bool) -> list[doc.Block]:
    if not rows:
        return [doc.Words("No word has a value.")]
    table = doc.table(
        "From the one furthest towards women to the one furthest towards men. Brackets: 95 % "
        f"interval; {interval}. Expected: how many pairs with the words for women / for men "
        "there would be if the word stood anywhere.",
        ["word", "#bias", "#women", "#men", "#occurs", "#expected",
         *(["#share of women"] if with_share else [])],
        [_word(row, with_share=with_share) for row in rows],
    )  # fmt: skip
    return [table]


def _word(row: Row, *, with_share: bool) -> list[str]:
    bias = f"{number(row['bias'], 3, True)} {_say_ends(row['low'], row['high'])}".rstrip()
    expected = row["expected_women"], row["expected_men"]
    share = "none" if row["share"] is None else percent(row["share"])
    return [
        capped(row["word"]), bias,
        *("" if row[side] is None else number(row[side]) for side in ("women", "men")),
        "" if row["occurs"] is None else f"{row['occurs']:,}",
        "" if expected[0] is None else " / ".join(f"{pairs:,.1f}" for pairs in expected),
        *([share] if with_share else []),
    ]  # fmt: skip
