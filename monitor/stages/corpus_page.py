"""The page of a corpus: biases of words in, one HTML file with its charts out, or the charts alone.

The page needs no network and no other file. Words and names are captured text: none is markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from markupsafe import Markup

from monitor import __version__
from monitor.corpus.encoded import EncodedCorpus
from monitor.corpus.labour import correlate_shares
from monitor.stages import _corpus_charts as charts
from monitor.stages._report_text import capped, number, percent, span
from monitor.stages.corpus_bias import Measured
from monitor.stages.corpus_rows import rows_of, said, without_value
from monitor.stages.document import records as doc
from monitor.stages.document.html import html

Row = dict[str, Any]

CITATION = (
    "Rekabsaz, N., West, R., Henderson, J., Hanbury, A. (2021). Measuring societal biases from "
    "text corpora with smoothed first-order co-occurrence. Proceedings of the International AAAI "
    "Conference on Web and Social Media 15, 549-560."
)
_SIGNS = {"women": "●", "men": "◆", "neither": "■"}
_LEANS = {"women": "towards women", "men": "towards men", "neither": "within the unbiased area"}
#: Colours of the page in daylight: a picture by itself has no page around it.
_COLORS = {
    "var(--ink)": "#1c1f23", "var(--quiet)": "#5c6570", "var(--grid)": "#e3e6ea",
    "var(--area)": "#eef1f4", "var(--first)": "#00646b", "var(--second)": "#a85600",
}  # fmt: skip
_FONT = "Noto Sans, DejaVu Sans, Arial, sans-serif"
_LEAST_POINTS = 3


@dataclass(frozen=True, slots=True)
class Labour:
    """What the biases are held against: its name, what came out in words, and the fitted line."""

    title: str
    said: str
    line: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Shown:
    """All that the page says.

    `rows` are those of `corpus_rows` with a value, and `sides` those that have both sides: word,
    women and men on the scale of the unbiased area, and lean. `band` is half that area's height,
    None where there is none, and `no_sides` says why.
    """

    name: str
    facts: Mapping[str, str]
    rows: Sequence[Row]
    missing: Mapping[str, Sequence[str]]
    interval: str
    sides: Sequence[Row] = ()
    band: float | None = None
    area: str = ""
    no_sides: str = ""
    labour: Labour | None = None


def shown(
    name: str,
    corpus: EncodedCorpus,
    found: Measured,
    labour: tuple[str, Mapping[str, float]] | None,
) -> Shown:
    """What the page says of biases that were measured, with the unbiased area."""
    title, shares = labour or ("", {})
    rows = [row for row in rows_of(corpus, found, shares) if row["bias"] is not None]
    area = found.area
    sides = (
        []
        if area is None
        else [
            charts.side(row["word"], row["women"], row["men"], area)
            for row in rows
            if row["women"] is not None
        ]
    )
    return Shown(
        name,
        _facts(corpus, found),
        rows,
        without_value(found.biases, found.order.floor),
        found.interval,
        sides,
        band=None if area is None else area.threshold,
        area="" if area is None else charts.area_said(area),
        no_sides=_NO_AREA if area is None else _TOO_FEW,
        labour=None if labour is None else _labour(title, found, rows, shares),
    )


_NO_AREA = (
    "Not drawn: this measure has no two sides, or no word of the vocabulary has a value, so that "
    "there is no unbiased area."
)
_TOO_FEW = f"Not drawn: fewer than {_LEAST_POINTS} words have a value."


def _facts(corpus: EncodedCorpus, found: Measured) -> dict[str, str]:
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


def _labour(
    title: str, found: Measured, rows: Sequence[Row], shares: Mapping[str, float]
) -> Labour:
    both_correlations = correlate_shares(found.biases.values, shares)
    sentences = ". ".join(
        f"{one[:1].upper()}{one[1:]}" for one in (said(c, title) for c in both_correlations)
    )
    points = [row for row in rows if row["share"] is not None]
    line = None
    if all(both_correlation.value is not None for both_correlation in both_correlations):
        x, y = ([row[name] for row in points] for name in ("share", "bias"))
        slope, intercept = np.polyfit(x, y, 1)
        line = float(intercept), float(slope)
    return Labour(title, f"{sentences}.", line)


def page(it: Shown) -> str:
    """The whole page."""
    drawn_pictures = pictures(it)
    n_missing = sum(map(len, it.missing.values()))
    lead = (
        f"{len(it.rows)} words with a value, {n_missing} without. Bias is the association of a "
        "word with words for women, less that with words for men: above 0 towards women, below 0 "
        "towards men."
    )
    facts = doc.Pairs([*it.facts.items()])
    says = [doc.Words(sentence) for sentence in _SAYS]
    document = doc.Document(
        title=f"Bias of words in {it.name}",
        kicker="Words of a corpus",
        banner="",
        page_one=[doc.Words(lead)],
        sections=[
            doc.Section("made", "What it was made of", [facts]),
            doc.Section(
                "sides", "Both sides of each word", [_sides(it, drawn_pictures.get("sides"))]
            ),
            doc.Section(
                "labour",
                "Beside the labour market",
                _beside_labour(it, drawn_pictures.get("labour")),
            ),
            doc.Section("words", "All words", _words(it)),
            doc.Section("validity", "What it says, and what it does not", says),
        ],
        generator=f"monitor {__version__}",
        closing=CITATION,
    )
    return html(document)


_SAYS = (
    (
        "It says how these texts speak: which words stand near words for women, and which near "
        "words for men. It says nothing of people who have an occupation, of those who wrote, and "
        "of other texts. A word may stand near both for reasons that are no stereotype: a text "
        "about one famous woman is enough."
    ),
    (
        "Intervals hold for documents of this kind, drawn anew. They do not hold for other lists "
        "of words: another list is another measure."
    ),
)


def _sides(it: Shown, drawn: Markup | None) -> doc.Block:
    if drawn is None:
        return doc.Words(it.no_sides)
    counted = "; ".join(
        f"{_SIGNS[lean]} {words}: {sum(row['lean'] == lean for row in it.sides)}"
        for lean, words in _LEANS.items()
    )
    return doc.Picture(
        drawn,
        f"{counted}. {it.area} Named are the {charts.NAMED} words furthest out on each side, or "
        "all where there are fewer.",
    )


def _beside_labour(it: Shown, drawn: Markup | None) -> list[doc.Block]:
    if it.labour is None:
        return [doc.Words("Not compared: no shares were given.")]
    caption = (
        "One point an occupation, with its 95 % interval where it has one, and the least-squares "
        f"line. Named are the {charts.FAR} that lie furthest from the line, or all where there are "
        "fewer."
    )
    picture = [doc.Picture(drawn, caption)] if drawn is not None else []
    return [doc.Words(it.labour.said), *picture]


def _words(it: Shown) -> list[doc.Block]:
    rows = doc.table(
        "From the one furthest towards women to the one furthest towards men. Brackets: 95 % "
        f"interval; {it.interval}. Expected: how many pairs with the words for women / for men "
        "there would be if the word stood anywhere.",
        ["word", "#bias", "#women", "#men", "#occurs", "#expected",
         *(["#share of women"] if it.labour else [])],
        [_word(row, with_share=it.labour is not None) for row in it.rows],
    )  # fmt: skip
    body: list[doc.Block] = [rows if it.rows else doc.Words("No word has a value.")]
    if it.missing:
        missing = [
            (reason, f"{len(words)}: {', '.join(words)}") for reason, words in it.missing.items()
        ]
        body += [doc.Heading("Without a value"), doc.Pairs(missing)]
    return body


def _word(row: Row, *, with_share: bool) -> list[str]:
    ends = f" {span(row['low'], row['high'], 3, True)}" if row["low"] is not None else ""
    expected = row["expected_women"], row["expected_men"]
    share = "none" if row["share"] is None else percent(row["share"])
    return [
        capped(row["word"]), f"{number(row['bias'], 3, True)}{ends}",
        *("" if row[side] is None else number(row[side]) for side in ("women", "men")),
        "" if row["occurs"] is None else f"{row['occurs']:,}",
        "" if expected[0] is None else " / ".join(f"{pairs:,.1f}" for pairs in expected),
        *([share] if with_share else []),
    ]  # fmt: skip


def pictures(it: Shown, place: str = "") -> dict[str, Markup]:
    """The charts by name: `sides`, and `labour` where there are shares to hold biases against.

    `place` comes before the identifiers in them, where a page has several.
    """
    pictures = {}
    if it.band is not None and len(it.sides) >= _LEAST_POINTS:
        title = f"Association of words with words for women and for men in {it.name}"
        pictures["sides"] = charts.sides(it.sides, it.band, f"{place}sides", title)
    if it.labour is not None and it.labour.line is not None:
        rows = [row for row in it.rows if row["share"] is not None]
        axes = f"share of women: {it.labour.title}", "bias of the word: men < 0 < women"
        title = f"Bias of occupations in {it.name} against the share of women in them"
        pictures["labour"] = charts.against(rows, it.labour.line, f"{place}labour", title, axes)
    return pictures


def alone(picture: Markup) -> str:
    """A chart as SVG that stands by itself: on white paper, in the colours of daylight."""
    root = ET.fromstring(str(picture))  # noqa: S314 - drawn by ourselves
    _, _, width, height = root.attrib["viewBox"].split()
    del root.attrib["style"]
    size = {"width": width, "height": height}
    root.attrib.update({"xmlns": "http://www.w3.org/2000/svg", "font-family": _FONT} | size)
    # behind the title and the description, which come first
    root.insert(2, ET.Element("rect", size | {"fill": "#ffffff"}))
    svg = ET.tostring(root, encoding="unicode")
    for name, color in _COLORS.items():
        svg = svg.replace(f'"{name}"', f'"{color}"')
    return svg
