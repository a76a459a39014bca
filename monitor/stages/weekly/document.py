"""What the weekly report prints, whatever prints it: page one, then sections of an appendix.

HTML and PDF are made from the same blocks, so that no number can stand in one of them alone. A
block says what is there, never how it looks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from monitor.stages._report_text import Piece


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph. `tone` is empty, strong, small or notice."""

    text: str
    tone: str = ""
    block: str = field(default="words", init=False)


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences."""

    items: Sequence[str]
    block: str = field(default="items", init=False)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names with what they stand for."""

    pairs: Sequence[tuple[str, str]]
    block: str = field(default="pairs", init=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, small lines beneath it, and whether it says why there is no number."""

    text: str
    under: str = ""
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """The heading of a column. `width` is its share of a sheet of paper."""

    title: str
    is_number: bool = False
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of a table under a heading of their own, which may be empty."""

    heading: str
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of a row names it."""

    caption: str
    columns: Sequence[Column]
    groups: Sequence[Group]
    block: str = field(default="table", init=False)


@dataclass(frozen=True, slots=True)
class Panel:
    """One small chart with its title; `note` says what is marked in it."""

    title: str
    svg: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Panels:
    """Small charts side by side on the same scales."""

    caption: str
    panels: Sequence[Panel]
    block: str = field(default="panels", init=False)


@dataclass(frozen=True, slots=True)
class Picture:
    """One large chart."""

    svg: str
    caption: str
    width: float = 125.0  # millimetres on paper
    block: str = field(default="picture", init=False)


@dataclass(frozen=True, slots=True)
class Fold:
    """What is shown only when it is asked for. Paper only names it, unless `is_printed` is set."""

    summary: str
    blocks: "Sequence[Block]"
    is_printed: bool = False
    block: str = field(default="fold", init=False)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section."""

    text: str
    block: str = field(default="heading", init=False)


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are of something, with what else has to be said of them."""

    number: str
    title: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of one thing that add up."""

    counts: Sequence[Count]
    block: str = field(default="counts", init=False)


@dataclass(frozen=True, slots=True)
class Tile:
    """One system: its newest value with its course; `note` says what became of it."""

    title: str
    under: str
    value: str
    svg: str
    note: str = ""
    is_changed: bool = False


@dataclass(frozen=True, slots=True)
class Tiles:
    """Systems side by side on one scale."""

    caption: str
    tiles: Sequence[Tile]
    block: str = field(default="tiles", init=False)


@dataclass(frozen=True, slots=True)
class SampleAnswer:
    """An answer cut at the words that decided how it was read; `said` is what it was read as."""

    label: str
    pieces: Sequence[Piece]
    said: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One question with its answers. `language` is the tag of that of the answers."""

    title: str
    question: str
    language: str
    answers: Sequence[SampleAnswer]


@dataclass(frozen=True, slots=True)
class Badge:
    """A check in a few words, and whether it is passed; None where that is not known."""

    text: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Link:
    """Where more is said: an address, or words alone where there is none."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """A finding with what it rests on. The chart shows the numbers of the table."""

    title: str
    under: str
    figures: Table
    chart_title: str
    svg: str
    notes: Sequence[str]
    sample: Sample | None
    badges: Sequence[Badge]
    links: Sequence[Link]
    block: str = field(default="card", init=False)


Block: TypeAlias = (
    Words | Items | Pairs | Table | Panels | Picture | Fold | Heading | Counts | Tiles | Card
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report; `key` is its anchor."""

    key: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Document:
    """The whole report: what happened as its title, page one, and sections of an appendix.

    `kicker` says which report it is; `banner` stands above all, and may be empty.
    """

    title: str
    kicker: str
    banner: str
    page_one: Sequence[Block]
    sections: Sequence[Section]
    generator: str
    digest: str = ""


def table(caption: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Table | Words:
    """A table without groups."""
    return Table(caption, columns, [Group("", rows)])
