"""Shares by occupation from a survey's table: rows for `references/NAME.csv`.

The table `occupation_titles` says which title of a survey stands for an occupation. Titles mostly
cover several occupations; the source's own title stays with every share, so that a reader sees it.
Titles of ISCO-08 (ILO, 2012) have one and two digits, which is what surveys publish.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from monitor.data import read_table

#: {code: title}.
TITLES: Mapping[str, str] = MappingProxyType(
    {row["code"]: row["title"] for row in read_table("isco08_titles")}
)


COLUMNS = (
    "occupation",
    "group",
    "share",
    "count",
    "n",
    "source",
    "country",
    "as_of",
    "word",
    "note",
)
_LONGEST_TITLE = 300
_ONE_DIGIT = "very coarse: a one-digit group of ISCO-08"
#: Digits of a share; no survey has more.
_DIGITS = 6
#: Surveys give numbers of people in thousands.
THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class LabourFigure:
    """Women's share of one title, the source's words for it, and people, where they are given."""

    women: float
    word: str
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """The table of a survey for one place and year. Titles are in `figures` or in `missing`."""

    scheme: str  # of occupation_titles: cps, isco08
    source: str
    country: str
    year: str
    figures: Mapping[str, LabourFigure]
    missing: Mapping[str, str]  # why a title has no share
    digits: int = 0  # of codes, where titles have such

    def key(self, title: str) -> str:
        """A title or code of the table `occupation_titles` as it stands in this survey."""
        return title[: self.digits] if self.digits else fold_title(title)


@dataclass(frozen=True, slots=True)
class Joined:
    """Rows of shares, and why every other occupation has none."""

    rows: Sequence[Mapping[str, str]]
    left_out: Mapping[str, str]

    @property
    def text(self) -> str:
        """The rows as CSV that the reference `csv` reads."""
        out = io.StringIO()
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return out.getvalue()


def plain_title(text: str) -> str:
    """A title in one line without what cannot be printed."""
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(printable.split())[:_LONGEST_TITLE]


def fold_title(title: str) -> str:
    """A title without capitals and odd blanks, to compare it by."""
    return plain_title(title).casefold()


def join_titles(
    survey: Survey, titles: Iterable[Mapping[str, str]], occupations: Iterable[str]
) -> Joined:
    """The share of each of `occupations`: that of its first title which the survey has at all."""
    rows_by_occupation: dict[str, list[Mapping[str, str]]] = {}
    for title in titles:
        if title["scheme"] == survey.scheme:
            rows_by_occupation.setdefault(title["occupation"], []).append(title)
    rows, left_out = [], {}
    for occupation in sorted(set(occupations)):
        stated = [
            (survey.key(title_row["code_or_title"]), title_row)
            for title_row in rows_by_occupation.get(occupation, ())
        ]
        matching = [
            pair for pair in stated if pair[0] in survey.figures or pair[0] in survey.missing
        ]
        if not stated:
            left_out[occupation] = "no title stands for it"
        elif not matching:
            left_out[occupation] = "its title is not in the file"
        elif matching[0][0] in survey.missing:
            left_out[occupation] = survey.missing[matching[0][0]]
        else:
            figure, note = survey.figures[matching[0][0]], matching[0][1]["note"]
            rows.append(_make_row(survey, occupation, figure, note))
    return Joined(rows, left_out)


def _make_row(survey: Survey, occupation: str, figure: LabourFigure, note: str) -> dict[str, str]:
    return {
        "occupation": occupation,
        "group": "women",
        "share": f"{round(figure.women, _DIGITS):g}",
        "count": "",
        "n": "" if figure.n is None else str(figure.n),
        "source": survey.source,
        "country": survey.country,
        "as_of": survey.year,
        "word": figure.word,
        "note": "; ".join(filter(None, [_ONE_DIGIT if survey.digits == 1 else "", note])),
    }


def make_figures(
    cells: Mapping[str, tuple[float | None, float | None, str]],
) -> tuple[dict[str, LabourFigure], dict[str, str]]:
    """Return shares of women by code, and why there is none, of (women, men, flags) in thousands.

    Not of the total: where a table leaves one of the two out, the total would make up for it.
    """
    figures, missing = {}, {}
    for code, (women, men, flags) in cells.items():
        total = 0.0 if women is None or men is None else women + men
        if women is None or total <= 0:
            note = f" ({flags})" if flags else ""
            missing[code] = f"the source has no figure of women or men{note}"
        else:
            word = f"ISCO-08 {code} {TITLES[code]}{f' [{flags}]' if flags else ''}"
            figures[code] = LabourFigure(women / total, word, round(total * THOUSAND))
    return figures, missing
