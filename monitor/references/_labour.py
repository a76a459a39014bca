"""From a survey's table to shares by occupation: figures in, rows for `references/NAME.csv` out.

The table `occupation_titles` says which title of a survey stands for an occupation. Titles mostly
cover several occupations; the source's own title stays with every share, so that a reader sees it.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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
class Figure:
    """Women's share of one title, the source's words for it, and people, where they are given."""

    women: float
    word: str
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """What a table says for one place and year. Titles are in `figures` or else in `missing`."""

    scheme: str  # of occupation_titles: cps, isco08
    source: str
    country: str
    year: str
    figures: Mapping[str, Figure]
    missing: Mapping[str, str]  # why a title has no share
    digits: int = 0  # of codes, where titles have such

    def key(self, title: str) -> str:
        """A title or code of the table `occupation_titles` as it stands in this survey."""
        return title[: self.digits] if self.digits else folded(title)


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


def plain(text: str) -> str:
    """A title in one line without what cannot be printed."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(shown.split())[:_LONGEST_TITLE]


def folded(title: str) -> str:
    """A title without capitals and odd blanks, to compare it by."""
    return plain(title).casefold()


def joined(
    survey: Survey, titles: Iterable[Mapping[str, str]], occupations: Iterable[str]
) -> Joined:
    """The share of each of `occupations`: that of its first title which the survey has at all."""
    known: dict[str, list[Mapping[str, str]]] = {}
    for title in titles:
        if title["scheme"] == survey.scheme:
            known.setdefault(title["occupation"], []).append(title)
    rows, left_out = [], {}
    for occupation in sorted(set(occupations)):
        stated = [(survey.key(one["code_or_title"]), one) for one in known.get(occupation, ())]
        found = [pair for pair in stated if pair[0] in survey.figures or pair[0] in survey.missing]
        if not stated:
            left_out[occupation] = "no title stands for it"
        elif not found:
            left_out[occupation] = "its title is not in the file"
        elif found[0][0] in survey.missing:
            left_out[occupation] = survey.missing[found[0][0]]
        else:
            rows.append(_row(survey, occupation, survey.figures[found[0][0]], found[0][1]["note"]))
    return Joined(rows, left_out)


def _row(survey: Survey, occupation: str, figure: Figure, note: str) -> dict[str, str]:
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


def of_counts(women: float, men: float, word: str) -> Figure | None:
    """The share of women among women and men in thousands; None where there is nobody.

    Not of the total: where a table leaves one of the two out, the total would make up for it.
    """
    both = women + men
    return Figure(women / both, word, round(both * THOUSAND)) if both > 0 else None
