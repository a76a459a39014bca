"""Reads `index.csv`, in which a person says which saved page answers which question, and when.

Columns: file (of a WARC or HAR with the number of the record, pages.warc.gz:12) and query; and,
where the files do not say it themselves, captured_at, engine and region. Others are left alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from monitor import registry
from monitor.fetch._saved_files import MANY, form_of
from monitor.fetch._saved_marks import moment
from monitor.input_files import decoded, read_table, refuse_doubles
from monitor.model import InvalidInput
from monitor.pages._whose import reader_of

NAME = "index.csv"
_NEEDED = ("file", "query")


@dataclass(frozen=True, slots=True)
class Entry:
    """One row. `record` is 0 for a file that is one page."""

    place: str  # file and line, for messages
    file: str
    record: int
    query: str
    at: datetime | None
    engine: str
    region: str


def read_index(path: Path) -> list[Entry]:
    """The rows of an index. Raises InvalidInput naming the line and the value."""
    found: list[Entry] = []
    seen: dict[tuple[str, int], str] = {}
    for place, row in _rows(path):
        entry = _entry(place, row)
        before = seen.setdefault((entry.file, entry.record), place)
        if before != place:
            raise InvalidInput(f"{place}: {row['file']!r} stands in {before} already; keep one")
        found.append(entry)
    if not found:
        raise InvalidInput(f"{path}: names no page; fill it in, or take it out of the folder")
    return found


def _rows(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    with path.open("rb") as file:
        table = read_table(decoded(file, str(path)), str(path))
        names = [name.strip() for name in table.columns]
        refuse_doubles(names, str(path))
        missing = [name for name in _NEEDED if name not in names]
        if missing:
            raise InvalidInput(
                f"{path}: no column {missing[0]!r}; it has {', '.join(names) or 'none'}, and "
                f"needs {' and '.join(_NEEDED)}"
            )
        for line, cells in table.rows:
            yield f"{path}:{line}", {n: c.strip() for n, c in zip(names, cells, strict=True)}


def _entry(place: str, row: Mapping[str, str]) -> Entry:
    for name in _NEEDED:
        if not row[name]:
            raise InvalidInput(f"{place}: {name} is empty")
    file, record = _file(place, row["file"])
    written = row.get("captured_at", "")
    at = moment(written)
    if written and at is None:
        raise InvalidInput(
            f"{place}: captured_at {written!r} cannot be read; write it as 2023-05-31, or with a "
            "time as 2023-05-31T12:00:00Z"
        )
    engine = _engine(place, row.get("engine", ""))
    return Entry(place, file, record, row["query"], at, engine, row.get("region", ""))


def _file(place: str, written: str) -> tuple[str, int]:
    """(file, number of the record) of a cell. Raises InvalidInput."""
    name, colon, number = written.rpartition(":")
    if colon and number.isascii() and number.isdigit():
        file, record = name, int(number)
    else:
        file, record = written, 0
    form = form_of(file)
    if not form:
        raise InvalidInput(f"{place}: file {written!r}: pages are .html, .mhtml, .warc or .har")
    if (form in MANY) != bool(record):
        how = f"name the record, {file}:1" if form in MANY else f"leave out :{record}"
        raise InvalidInput(f"{place}: file {written!r}: {how}")
    return file, record


def _engine(place: str, written: str) -> str:
    """The reader of a cell, which may name an engine: google, or google_web."""
    found = reader_of(written)
    if written and not found:
        known = ", ".join(registry.discover("pages"))
        raise InvalidInput(f"{place}: engine {written!r}; known: {known}")
    return found
