"""The records that a report consists of: page one, sections, and the blocks of these.

HTML and PDF are made from the same blocks, so that no number can stand in one of them alone. A
block says what is there, never how it looks.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from monitor.stages.document.notation import Piece


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text.

    `kind` is empty, strong, emphasis, code, quote, tag, link, address, or the mark of a check: yes,
    no, unknown. `target` is the key of the section that a link leads to, or an address.
    """

    text: str
    kind: str = ""
    target: str = ""


#: Steps of a shade on either side of the neutral one.
_SHADES = 4

#: A text as it is, or in parts of which some are set apart.
Prose: TypeAlias = str | Sequence[Span]


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph. `tone` is empty, lead, strong, small or notice."""

    text: Prose
    tone: str = ""
    block: str = field(default="words", init=False)


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences."""

    items: Sequence[Prose]
    block: str = field(default="items", init=False)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names with what they stand for."""

    pairs: Sequence[tuple[Prose, Prose]]
    block: str = field(default="pairs", init=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, small lines beneath it, and whether it says why there is no number.

    `shade` is where its value stands in a heat table: 0 is neutral, -1 and 1 are the ends.
    """

    text: Prose
    under: str = ""
    is_missing: bool = False
    shade: float | None = None

    @property
    def step(self) -> int:
        """The shade in steps, from -4 to 4."""
        return round(_SHADES * (self.shade or 0.0))


@dataclass(frozen=True, slots=True)
class Column:
    """The heading of a column. `width` is its share of a sheet of paper.

    `title` may have soft hyphens. Neighbours with the same `over` stand under that heading.
    """

    title: str
    is_number: bool = False
    width: float = 1.0
    over: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of a table under a heading of their own, which may be empty."""

    heading: str
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of a row names it. Without a caption the heading above says all."""

    caption: Prose
    columns: Sequence[Column]
    groups: Sequence[Group]
    block: str = field(default="table", init=False)


#: A drawn picture, or what draws it where it is shown.
Svg: TypeAlias = str | Callable[[], str]


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

    svg: Svg
    caption: Prose
    width: float = 125.0  # millimetres on paper
    block: str = field(default="picture", init=False)


@dataclass(frozen=True, slots=True)
class Fold:
    """Content that is folded away. Paper only names it, unless `is_printed` is set.

    `is_open` shows it until it is closed; a `summary` that `is_heading` is one of its section.
    """

    summary: str
    blocks: "Sequence[Block]"
    is_printed: bool = False
    is_open: bool = False
    is_heading: bool = False
    block: str = field(default="fold", init=False)


@dataclass(frozen=True, slots=True)
class Callout:
    """Blocks that stand out. `tone` is notice, findings, checks or quote.

    All but a notice have a title with its key.
    """

    blocks: "Sequence[Block]"
    tone: str = "notice"
    title: str = ""
    key: str = ""
    block: str = field(default="callout", init=False)


@dataclass(frozen=True, slots=True)
class Beside:
    """Blocks that stand side by side where there is room."""

    blocks: "Sequence[Block]"
    block: str = field(default="beside", init=False)


@dataclass(frozen=True, slots=True)
class Code:
    """Lines for a program, as they are."""

    text: str
    block: str = field(default="code", init=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer cut at the words that decided.

    `said` is what it was read as, `source` where it is kept, at the address `url` if there is one.
    """

    pieces: Sequence[Piece]
    label: str = ""
    said: str = ""
    source: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its answers; `note` is about all.

    `language` is the tag of that of the question, `answered_in` of that of the answers.
    """

    question: str
    language: str
    answers: Sequence[Answer]
    answered_in: str
    note: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Examples:
    """Questions with their answers."""

    examples: Sequence[Example]
    block: str = field(default="examples", init=False)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section, or at level 4 inside a part of it."""

    text: str
    level: int = 3
    block: str = field(default="heading", init=False)


@dataclass(frozen=True, slots=True)
class Count:
    """Number of things of a kind, with a remark."""

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
class Badge:
    """A check in a few words, and whether it is passed; None where that is not known."""

    text: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Link:
    """Link to more: an address, or words alone where there is none."""

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
    sample: Example | None
    badges: Sequence[Badge]
    links: Sequence[Link]
    block: str = field(default="card", init=False)


Block: TypeAlias = (
    Words
    | Items
    | Pairs
    | Table
    | Panels
    | Picture
    | Fold
    | Callout
    | Beside
    | Code
    | Examples
    | Heading
    | Counts
    | Tiles
    | Card
)


Item = TypeVar("Item")


def fold_rest(
    items: Sequence[Item], most: int, what: str, write: Callable[[Sequence[Item]], Sequence[Block]]
) -> list[Block]:
    """Return items as `write` writes them; those after the first ones in a fold."""
    rest = items[most:]
    folded = [Fold(f"{len(rest):,} further {what}", write(rest))] if rest else []
    return [*write(items[:most]), *folded] if items else []


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report; `key` is its anchor, `short` its title in the list of contents."""

    key: str
    title: str
    blocks: Sequence[Block]
    short: str = ""
    is_annex: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """The whole report: what happened as its title, page one, and sections.

    `kicker` says which report it is; `banner` stands above all, and may be empty. `contents` is
    the title above the list of sections, `closing` stands at the end; else the generator does.
    """

    title: str
    kicker: str
    banner: str
    page_one: Sequence[Block]
    sections: Sequence[Section]
    generator: str
    closing: Prose = ""
    contents: str = ""
    digest: str = ""  # of the JSON of the report, where it has one


# --- to write them down in few words --------------------------------------------------------------

_MARKED = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\(#([\w-]+)\)")


def prose(text: str, **values: object) -> tuple[Span, ...]:
    """Return a text of our own in its parts: `**strong**`, `*emphasis*`, `code`, `[link](#key)`.

    `values` stand where `text` has `{name}`, as they are: nothing in them is a mark.
    """
    return tuple(_write_spans(text, values))


def _write_spans(text: str, values: dict[str, object]) -> Iterator[Span]:
    position = 0
    for mark in _MARKED.finditer(text):
        if position < mark.start():
            yield Span(text[position : mark.start()].format_map(values))
        strong, emphasis, code, link, key = mark.groups()
        kind = "strong" if strong else "emphasis" if emphasis else "code" if code else "link"
        yield Span((strong or emphasis or code or link).format_map(values), kind, key or "")
        position = mark.end()
    if position < len(text):
        yield Span(text[position:].format_map(values))


def say(text: str, *, tone: str = "", **values: object) -> Words:
    """A paragraph of our own, with marks as `prose` has them."""
    return Words(prose(text, **values), tone)


#: A column, or its title as it is written down: `#` before that of numbers, `~` of few words.
Title: TypeAlias = Column | str


def _write_column(title: Title) -> Column:
    if isinstance(title, Column):
        return title
    if title.startswith("#"):
        return Column(title[1:], is_number=True)
    return Column(title[1:], width=0.5) if title.startswith("~") else Column(title)


def under(over: str, titles: Iterable[Title]) -> list[Column]:
    """Columns under one heading of their own."""
    return [replace(_write_column(title), over=over) for title in titles]


#: A row as it is written down: cells, or their texts.
Entry: TypeAlias = Cell | Prose
Row: TypeAlias = Sequence[Entry]


def _write_cell(entry: Entry) -> Cell:
    return entry if isinstance(entry, Cell) else Cell(entry)


def group(heading: str, rows: Iterable[Row]) -> Group:
    """Rows under a heading."""
    return Group(heading, [[_write_cell(entry) for entry in row] for row in rows])


def grouped(caption: Prose, titles: Sequence[Title], groups: Sequence[Group]) -> Table:
    """A table of groups."""
    return Table(caption, [*map(_write_column, titles)], groups)


def table(caption: Prose, titles: Sequence[Title], rows: Iterable[Row]) -> Table:
    """A table without groups."""
    return grouped(caption, titles, [group("", rows)])


def part(title: str, blocks: Sequence[Block], *, folded: bool = False) -> list[Block]:
    """Blocks under a heading, or folded away behind it."""
    return [Fold(title, blocks, is_heading=True)] if folded else [Heading(title), *blocks]
