"""Reads filled sheets of labels, whatever a spreadsheet program made of them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from monitor.input_files import open_table
from monitor.labels.settle import Rating
from monitor.labels.sheets import NEEDED, read_row
from monitor.model import InvalidInput

_MOST_BYTES = 64 * 2**20


def filled(
    path: Path, rater: str, now: datetime, values: Sequence[str], entities: Mapping[str, str]
) -> list[Rating]:
    """The ratings on a sheet, all of them checked. Raises InvalidInput naming file and line."""
    found: dict[str, Rating] = {}
    seen: dict[str, int] = {}
    for line, row in rows_of(path, NEEDED):
        key = (row.get("key") or "").strip()
        if key in seen:
            raise InvalidInput(
                f"{path}:{line}: key {key!r} stands in line {seen[key]} already; keep one of them"
            )
        seen[key] = line
        said = read_row(row, f"{path}:{line}", values, entities)
        if said:
            found[said.entity] = Rating(said.entity, said.group, rater, now, said.comment)
    return list(found.values())


def rows_of(path: Path, needed: frozenset[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """(line, row) of a filled sheet, as any spreadsheet program wrote it. Raises InvalidInput."""
    if path.is_file() and path.stat().st_size > _MOST_BYTES:
        raise InvalidInput(f"{path}: larger than {_MOST_BYTES:,} bytes; no sheet of labels")
    # some spreadsheet programs write semicolons, depending on the country
    with open_table(path, delimiters=",;", fill=True) as table:
        missing = needed - set(table.columns)
        if missing:
            raise InvalidInput(
                f"{path}:1: no column {min(missing)}; keep the header as it was exported"
            )
        for line, cells in table.rows:
            if any(cells):
                yield line, dict(zip(table.columns, cells, strict=True))
