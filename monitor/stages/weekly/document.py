"""What the weekly report prints, whatever prints it: sections of sentences, tables and pictures.

HTML and PDF are made from the same blocks, so that no number can stand in one of them alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias


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


Block: TypeAlias = Words | Items | Pairs | Table | Panels | Picture | Fold | Heading


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report; `key` is its anchor."""

    key: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Document:
    """The whole report. `lead` stands under its title."""

    title: str
    lead: Sequence[str]
    sections: Sequence[Section]
    generator: str
    digest: str = ""


def table(caption: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Table | Words:
    """A table without groups."""
    return Table(caption, columns, [Group("", rows)])
