"""A document on a terminal, at whatever width it has; charts are left to HTML and PDF.

A table that is wider than the terminal is printed row by row, each value behind its heading, so
that nothing is cut off.
"""

import io
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from monitor.stages.document import records as doc
from monitor.stages.document.notation import visible

#: What the tones of a paragraph are on a terminal.
_STYLES = {"strong": "bold", "small": "dim", "notice": "yellow"}
#: Characters of a column of words that need not be broken for it to be read.
_LEAST = 12
_GAP = 2
#: Characters of a line of a file: more than any sentence, which an editor breaks.
_PAGE = 100_000


def print_document(document: doc.Document, console: Console) -> None:
    """Print a document from its title to its closing words."""
    for text, style in (
        (document.kicker, "dim"), (document.title, "bold"), (document.banner, "yellow"),
    ):  # fmt: skip
        _print_lines(text, console, style=style)
    print_blocks(document.page_one, console)
    for section in document.sections:
        print_section(section, console)
    _print_lines(document.closing, console, style="dim")


def write_text(document: doc.Document) -> str:
    """Return what `print_document` prints, with a line for each paragraph, for a file."""
    file = io.StringIO()
    print_document(document, Console(file=file, width=_PAGE, color_system=None))
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def print_section(section: doc.Section, console: Console) -> None:
    """Print a section under its title."""
    console.print()
    _print_lines(section.title, console, style="bold")
    print_blocks(section.blocks, console)


def print_blocks(blocks: Sequence[doc.Block], console: Console) -> None:
    """Print blocks one below the other."""
    for block in blocks:
        _PRINTERS[type(block)](block, console)


def text_of(prose: doc.Prose) -> str:
    """Return a text without its marks; what is captured in it moves no cursor."""
    text = prose if isinstance(prose, str) else "".join(span.text for span in prose)
    return visible(text.replace("\u00ad", "")).replace("\n", " ")


def _print_lines(
    prose: doc.Prose, console: Console, *, first: str = "", indent: str = "", style: str = ""
) -> None:
    """Print a text broken between words; `first` begins it, `indent` its further lines."""
    lines = textwrap.wrap(
        text_of(prose), console.width, initial_indent=first, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    for line in lines:
        console.print(Text(line, style=style), soft_wrap=True)


# --- blocks ---------------------------------------------------------------------------------------


def _print_words(block: doc.Words, console: Console) -> None:
    _print_lines(block.text, console, style=_STYLES.get(block.tone, ""))


def _print_items(block: doc.Items, console: Console) -> None:
    for item in block.items:
        _print_lines(item, console, first="- ", indent="  ")


def _print_pairs(block: doc.Pairs, console: Console) -> None:
    for name, value in block.pairs:
        _print_lines(f"{text_of(name)}: {text_of(value)}", console, indent="  ")


def _heading(block: doc.Heading, console: Console) -> None:
    console.print()
    _print_lines(block.text, console, style="bold")


def _fold(block: doc.Fold, console: Console) -> None:
    if block.is_printed or block.is_open:
        _heading(doc.Heading(block.summary), console)
        print_blocks(block.blocks, console)
    else:
        _print_lines(f"{block.summary}: see the report", console, style="dim")


def _print_callout(block: doc.Callout, console: Console) -> None:
    if block.title:
        _heading(doc.Heading(block.title), console)
    print_blocks(block.blocks, console)


def _print_code(block: doc.Code, console: Console) -> None:
    for line in block.text.splitlines():
        console.print(Text(f"  {visible(line)}"), soft_wrap=True)


def _print_examples(block: doc.Examples, console: Console) -> None:
    for example in block.examples:
        _print_lines(example.question, console)
        for answer in example.answers:
            label = f"{answer.label}: " if answer.label else "-> "
            _print_lines(_write_answer(answer), console, first=f"  {label}", indent="     ")
        _print_lines(example.note, console, first="  ", indent="  ", style="dim")


def _write_answer(answer: doc.Answer) -> str:
    """Return an answer with the words that decided: `Jsem *unavená* (feminine)`."""
    words = "".join(
        f"*{piece.text}* ({piece.gender})" if piece.gender else piece.text
        for piece in answer.pieces
    )
    return words + "".join(f" ({text})" for text in (answer.said, answer.source) if text)


def _print_counts(block: doc.Counts, console: Console) -> None:
    for count in block.counts:
        note = f" ({count.note})" if count.note else ""
        _print_lines(f"{count.number} {count.title}{note}", console)


def _print_tiles(block: doc.Tiles, console: Console) -> None:
    _print_lines(block.caption, console, style="dim")
    for tile in block.tiles:
        note = f" ({tile.note})" if tile.note else ""
        _print_lines(f"{tile.title}, {tile.under}: {tile.value}{note}", console, indent="  ")


def _print_card(block: doc.Card, console: Console) -> None:
    _heading(doc.Heading(block.title), console)
    _print_lines(block.under, console, style="dim")
    _print_table(block.figures, console)
    _print_examples(doc.Examples([block.sample] if block.sample else []), console)
    for note in (*block.notes, *(badge.text for badge in block.badges)):
        _print_lines(note, console, first="- ", indent="  ")
    for link in block.links:
        _print_lines(f"{link.text}: {link.url}" if link.url else link.text, console, style="dim")


# --- tables ---------------------------------------------------------------------------------------


def _print_table(block: doc.Table, console: Console) -> None:
    _print_lines(block.caption, console, style="dim")
    heads = [
        f"{column.over} {text_of(column.title)}".strip() if column.over else text_of(column.title)
        for column in block.columns
    ]
    rows = [[_cell_lines(cell) for cell in row] for group in block.groups for row in group.rows]
    rows += [[text_of(group.heading).split()] for group in block.groups]
    sizes = [
        _make_sizes(column, head, [row[index] for row in rows if index < len(row)])
        for index, (column, head) in enumerate(zip(block.columns, heads, strict=True))
    ]
    room = console.width - sum(least for least, _ in sizes) - _GAP * (len(sizes) - 1)
    if room >= 0:
        console.print(_make_grid(block, heads, _list_widths(sizes, room)))
    else:
        _print_rows(block, heads, console)


def _cell_lines(cell: doc.Cell) -> list[str]:
    """Return the lines of a cell: its text, and what stands beneath it."""
    below = [text_of(line) for line in cell.under.split("\n")] if cell.under else []
    return [text_of(cell.text), *below]


def _make_sizes(column: doc.Column, head: str, cells: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return the characters that a column needs, and those that it fills.

    A number is never broken; words are, where that leaves a few in each line.
    """
    lines = [line for cell in cells for line in cell]
    words = max(map(cell_len, head.split()), default=1)
    filled = max(map(cell_len, lines), default=1)
    if column.is_number:
        return max(words, filled), max(cell_len(head), filled)
    longest = max((cell_len(word) for line in lines for word in line.split()), default=1)
    return max(words, min(filled, max(_LEAST, longest))), max(cell_len(head), filled)


def _list_widths(sizes: Sequence[tuple[int, int]], room: int) -> list[int]:
    """Return the widths of columns: what each needs, and its part of what is left."""
    widths = []
    for index, (least, filled) in enumerate(sizes):
        more = min(filled - least, room // (len(sizes) - index))
        widths.append(least + more)
        room -= more
    return widths


def _make_grid(block: doc.Table, heads: Sequence[str], widths: Sequence[int]) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, _GAP - 1, 0, 0))
    for column, head, width in zip(block.columns, heads, widths, strict=True):
        justify: Any = "right" if column.is_number else "left"
        grid.add_column(Text(head), justify=justify, width=width, overflow="fold")
    for group in block.groups:
        if group.heading:
            grid.add_row(Text(text_of(group.heading), style="bold"))
        for row in group.rows:
            grid.add_row(*(Text("\n".join(_cell_lines(cell))) for cell in row))
    return grid


def _print_rows(block: doc.Table, heads: Sequence[str], console: Console) -> None:
    """Print each row as a name and the values behind their headings."""
    for group in block.groups:
        _print_lines(group.heading, console, style="bold")
        for row in group.rows:
            names, values = [], []
            for n, (head, cell, column) in enumerate(zip(heads, row, block.columns, strict=False)):
                lines = _cell_lines(cell)
                if column.is_number and lines[0]:  # a value, its interval, what stands beneath it
                    values.append(f"{head}: {', '.join(lines).replace(', [', ' [', 1)}")
                elif not column.is_number and (text := " ".join(lines)):
                    names.append(text if n < 2 else f"{head}: {text}")  # noqa: PLR2004 - letter and title
            _print_lines(" ".join(names), console)
            _print_lines("; ".join(values), console, first="    ", indent="    ")


_PRINTERS: Mapping[type, Callable[[Any, Console], None]] = {
    doc.Words: _print_words,
    doc.Items: _print_items,
    doc.Pairs: _print_pairs,
    doc.Table: _print_table,
    doc.Panels: lambda _block, _console: None,  # charts are for pages and paper
    doc.Picture: lambda _block, _console: None,
    doc.Fold: _fold,
    doc.Callout: _print_callout,
    doc.Beside: lambda block, console: print_blocks(block.blocks, console),
    doc.Code: _print_code,
    doc.Examples: _print_examples,
    doc.Heading: _heading,
    doc.Counts: _print_counts,
    doc.Tiles: _print_tiles,
    doc.Card: _print_card,
}
