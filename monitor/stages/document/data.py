"""Documents and tables for programs: JSON, and CSV without formulas."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, TextIO

from monitor.stages.document import records as doc
from monitor.stages.document.notation import visible
from monitor.stages.document.terminal import text_of
from monitor.text.cells import RowWriter, make_inert

#: Columns of the CSV of a document.
COLUMNS = ("section", "table", "group", "row", "column", "value", "note")
_PICTURES = frozenset({"svg", "panels"})


def write_csv(file: TextIO, rows: Iterable[Iterable[object]]) -> None:
    """Write a table, column names first; no cell is run as a formula, and None is an empty cell.

    Times are in UTC, and the entries of a list stand in one cell.
    """
    RowWriter(file).rows([_write_cell(cell) for cell in row] for row in rows)


def _write_cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, list | tuple):
        value = " ".join(map(str, value))
    return make_inert(visible(value)) if isinstance(value, str) else str(value)


def list_cells(document: doc.Document) -> Iterator[Sequence[str]]:
    """Yield `COLUMNS`, then a row for each number of each table, with what it is of."""
    yield COLUMNS
    sections = [("", document.page_one), *((one.title, one.blocks) for one in document.sections)]
    for title, blocks in sections:
        for table in _find_tables(blocks):
            yield from ((title, *cells) for cells in _list_cells_of(table))


def _find_tables(blocks: Sequence[doc.Block]) -> Iterator[doc.Table]:
    for block in blocks:
        if isinstance(block, doc.Table):
            yield block
        elif isinstance(block, doc.Pairs):
            yield doc.table("", ["", "#value"], block.pairs)
        elif isinstance(block, doc.Card):
            yield doc.Table(block.title, block.figures.columns, block.figures.groups)
        elif isinstance(block, doc.Fold | doc.Callout | doc.Beside):
            yield from _find_tables(block.blocks)


def _list_cells_of(table: doc.Table) -> Iterator[Sequence[str]]:
    titles = [f"{one.over} {text_of(one.title)}".strip() for one in table.columns]
    for group in table.groups:
        for cells in group.rows:
            pairs = list(zip(table.columns, titles, cells, strict=False))
            names = [text_of(cell.text) for column, _, cell in pairs if not column.is_number]
            row = ", ".join(filter(None, names))
            for column, title, cell in pairs:
                if column.is_number:
                    value = text_of(cell.text), text_of(cell.under)
                    yield text_of(table.caption), group.heading, row, title, *value


def make_json(document: doc.Document) -> dict[str, Any]:
    """Return what a document says, without charts and emphasis."""
    return {name: _plain(value) for name, value in asdict(document).items()}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items() if key not in _PICTURES}
    if isinstance(value, list | tuple):
        if value and all(isinstance(part, Mapping) and "target" in part for part in value):
            return "".join(visible(part["text"]) for part in value)
        return [_plain(item) for item in value]
    return visible(value) if isinstance(value, str) else value
