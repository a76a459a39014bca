"""The one door for files that people bring: text, tables, JSON and TOML, checked as they are read.

A file is UTF-8, with or without a byte order mark. What no text holds is refused with file and
line: NUL, which PostgreSQL does not take, halves of surrogate pairs, control characters. A table
names each of its columns once. What is nested without end, or a number of thousands of digits, is
a fault of the file and not of the program.
"""

import csv
import hashlib
import json
import math
import re
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from monitor.model import InvalidInput

if TYPE_CHECKING:
    from pydantic import ValidationError

#: Characters of a cell, as many as the library takes: a missing quotation mark makes one cell of
#: the rest of a file.
LONGEST_CELL = 131_072
#: Characters of a cell that is a whole document.
LONGEST_DOCUMENT = 2**28
#: How deep values of JSON and TOML lie within each other at most.
_DEEPEST = 100
_TOO_DEEP = f"values lie within each other deeper than {_DEEPEST} levels; write it flat"
#: Dates of other years are slips of the pen.
FIRST_YEAR, LAST_YEAR = 1970, 2200
#: The largest whole number of TOML and of databases; a larger one may be no float either.
_MOST_WHOLE, _MOST_FLOAT = 2**63 - 1, 10**300
#: What to do about faults of TOML, by words of the library.
_TOML_REMEDIES = {
    "Illegal character '\\n'": "; close the text with a quotation mark",
    "Unterminated string": "; close the text with a quotation mark",
    'Expected \'"""\'': "; close the text with three quotation marks",
    "Cannot overwrite a value": "; a key stands twice in a table: leave one out",
    "Cannot declare": "; a table stands twice: write [[NAME]] for each of several",
    "Invalid value": "; put a text in quotation marks, and close a list with ]",
    "Expected '=' after a key": "; write key = value",
    "Unclosed array": "; close the list with ]",
    "Unclosed inline table": "; close the table with }",
    "Invalid initial character": "; write key = value",
}
_BOM = b"\xef\xbb\xbf"
_CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_CONTROL_BYTES = re.compile(rb"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]")
#: Documents as they were found: crawled text has C1 controls, and pages end with a form feed.
_CONTROL_IN_DOCUMENT = re.compile("[\0-\x08\x0e-\x1b\x7f\ud800-\udfff]")
#: Escapes of TOML and JSON that may stand for what is refused.
_ESCAPE = re.compile(r"\\(?:[bfe]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2})")


class FaultyFile(InvalidInput):
    """A file with faults, all of them: one line as a text, and `lines` for people."""

    def __init__(self, path: Path, faults: Sequence[str]) -> None:
        self.path, self.faults = path, tuple(faults)
        count = f"{len(faults)} faults: " if len(faults) > 1 else ""
        super().__init__(f"{path}: {count}{'; '.join(faults)}")

    @property
    def lines(self) -> str:
        """The faults, one a line where there are several."""
        if len(self.faults) == 1:
            return str(self)
        return "\n".join(
            [f"{self.path}: {len(self.faults)} faults", *(f"  {fault}" for fault in self.faults)]
        )


# --- text -----------------------------------------------------------------------------------------


#: Raised by `zipfile` for archives that are broken, cut off, encrypted or packed in other ways.
BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file of any size."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_text(text: str, place: str, *, document: bool = False) -> str:
    """Return the text. Raises InvalidInput for what no text holds, naming the character.

    Tabs and line ends are text. A document may hold form feeds and C1 controls too.
    """
    match = (_CONTROL_IN_DOCUMENT if document else _CONTROL).search(text)
    if match:
        raise InvalidInput(f"{place}: {_describe_fault(match[0])}")
    return text


def _describe_fault(character: str) -> str:
    code = f"U+{ord(character):04X}"
    if character == "\0":
        return f"has a NUL character ({code}), as UTF-16 does; remove it, or save the file as UTF-8"
    if "\ud800" <= character <= "\udfff":
        return f"has half of a surrogate pair ({code}), which is no character; remove it"
    return f"has a control character ({code}); remove it"


def decode_lines(lines: Iterable[bytes], place: str, *, document: bool = False) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, with or without a byte order mark.

    `place` is what errors call the file. Raises InvalidInput with the line.
    """
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise not_utf8(f"{place}:{number}", error) from error
        yield check_text(text, f"{place}:{number}", document=document)


def not_utf8(place: str, error: UnicodeDecodeError) -> InvalidInput:
    """Return the fault of bytes that are no UTF-8."""
    return InvalidInput(f"{place}: not UTF-8 ({error.reason}); save the file as UTF-8")


def check_bytes(block: bytes, place: str, first: int) -> None:
    """Raise InvalidInput for what no text holds in lines from `first` on, before it is decoded."""
    match = _CONTROL_BYTES.search(block)
    if match:
        line = first + block.count(b"\n", 0, match.start())
        raise InvalidInput(f"{place}:{line}: {_describe_fault(match[0].decode('utf-8'))}")


def text_of(content: bytes, place: str, *, document: bool = False) -> str:
    """Return the text of a whole file, as `decoded` reads it."""
    return "".join(decode_lines(content.splitlines(keepends=True), place, document=document))


def read_text(path: Path, *, document: bool = False) -> str:
    """Return the text of a file, as `decoded` reads it. Raises InvalidInput."""
    with open_file(path) as file:
        return text_of(file.read(), str(path), document=document)


def open_file(path: Path) -> BinaryIO:
    """Return a file opened for its bytes. Raises InvalidInput."""
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise InvalidInput(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: is a folder; name a file") from None
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


def is_plausible(moment: date) -> bool:
    """Return whether a record can be of this date."""
    return FIRST_YEAR <= moment.year <= LAST_YEAR


# --- tables ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CsvTable:
    """The columns of a CSV file, and its rows as (line, cells) while the file is read."""

    file_label: str
    columns: list[str]
    rows: Iterator[tuple[int, list[str]]]

    def records(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield (file and line, {column: cell}) of each row."""
        for line, cells in self.rows:
            yield f"{self.file_label}:{line}", dict(zip(self.columns, cells, strict=True))


def read_table(
    lines: Iterable[str],
    place: str,
    needed: Collection[str] = (),
    *,
    delimiter: str = ",",
    longest: int = LONGEST_CELL,
    fill: bool = False,
) -> CsvTable:
    """Read the header of a CSV file; its rows are read as they are asked for.

    Empty lines are left out; `fill` takes cells that are missing at the end of a row as empty.
    Raises InvalidInput naming file and line, at once for a header that
    lacks one of the columns `needed` or names one twice.
    """
    reader = csv.reader(lines, strict=True, delimiter=delimiter)
    rows = _read_rows(reader, place, longest)
    _, columns = next(rows, (1, []))
    missing = [name for name in needed if name not in columns]
    if missing:
        has = ", ".join(columns) or "none"
        raise InvalidInput(f"{place}: no column {missing[0]!r}; it has {has}")
    refuse_doubles(columns, place)
    return CsvTable(place, columns, _require_cells(rows, place, len(columns), fill=fill))


def refuse_doubles(columns: Collection[str], place: str) -> None:
    """Raise InvalidInput for a header that names a column twice."""
    seen: set[str] = set()
    for name in columns:
        if name in seen:
            raise InvalidInput(
                f"{place}:1: column {name!r} stands twice in the header; rename or remove one"
            )
        seen.add(name)


def _read_rows(reader: Any, place: str, longest: int) -> Iterator[tuple[int, list[str]]]:  # noqa: ANN401 - a csv.reader
    if longest > LONGEST_CELL:
        csv.field_size_limit(longest)  # holds for the process, until this file is read
    try:
        for cells in reader:
            if any(len(cell) > longest for cell in cells):
                raise _too_long(f"{place}:{reader.line_num}", longest)
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        location = f"{place}:{reader.line_num}"
        if "field larger" in str(error):
            raise _too_long(location, longest) from error
        raise InvalidInput(f"{location}: not a CSV file: {error}") from error
    finally:
        if longest > LONGEST_CELL:
            csv.field_size_limit(LONGEST_CELL)


def _too_long(place: str, longest: int) -> InvalidInput:
    return InvalidInput(
        f"{place}: a cell of more than {longest:,} characters; shorten it, or close the quotation "
        "mark that begins it"
    )


def _require_cells(
    rows: Iterator[tuple[int, list[str]]], place: str, n_columns: int, *, fill: bool
) -> Iterator[tuple[int, list[str]]]:
    for line, cells in rows:
        if fill:
            cells.extend("" for _ in range(n_columns - len(cells)))
        if len(cells) != n_columns:
            raise InvalidInput(
                f"{place}:{line}: has {len(cells)} columns, the header {n_columns}; put text with "
                "commas into quotation marks"
            )
        yield line, cells


@contextmanager
def open_table(
    path: Path, needed: Collection[str] = (), delimiters: str = ",", *, fill: bool = False
) -> Iterator[CsvTable]:
    """Open a UTF-8 CSV file, as `read_table` reads it.

    Of several delimiters, the first that stands in the header counts. Raises InvalidInput naming
    file and line.
    """
    if path.is_dir():
        raise InvalidInput(f"{path}: is a folder; name a CSV file")
    with open_file(path) as file:
        delimiter = delimiters[0]
        if len(delimiters) > 1:
            header = file.readline().decode("utf-8", "replace")
            file.seek(0)
            delimiter = next(
                (candidate for candidate in delimiters if candidate in header), delimiter
            )
        lines = decode_lines(file, str(path))
        yield read_table(lines, str(path), needed, delimiter=delimiter, fill=fill)


# --- JSON and TOML --------------------------------------------------------------------------------


def load_json(text: str | bytes, *, constant: Callable[[str], object] | None = None) -> Any:  # noqa: ANN401 - any JSON
    """Return the value of a JSON text, as `json.loads` does.

    Raises ValueError and nothing else, also for what is nested without end. `constant` is called
    for NaN and the infinities.
    """
    try:
        value = json.loads(text, parse_constant=constant)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if not _is_flat(value):
        raise ValueError(_TOO_DEEP)
    return value


def parse_json(text: str | bytes, place: str, *, document: bool = False) -> Any:  # noqa: ANN401 - any JSON
    """Return the value of a JSON text. Raises InvalidInput, also for text that no text holds."""
    try:
        value = load_json(text)
    except ValueError as error:
        raise InvalidInput(f"{place}: not JSON: {error}") from error
    for level in _walk_levels(value):
        for text_value in level:
            if isinstance(text_value, str):
                check_text(text_value, place, document=document)
    return value


def parse_toml(content: bytes, place: str) -> dict[str, Any]:
    """Return the values of a TOML file. Raises InvalidInput, naming the line where it can."""
    try:
        text = content.removeprefix(_BOM).decode("utf-8")
        value = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise not_utf8(f"{place}:{line}", error) from error
    except RecursionError:
        raise InvalidInput(f"{place}: {_TOO_DEEP}") from None
    except ValueError as error:  # a number of too many digits, besides faults of TOML
        remedy = next((words for fault, words in _TOML_REMEDIES.items() if fault in str(error)), "")
        raise InvalidInput(f"{place}: not valid TOML: {error}{remedy}") from error
    if not _is_flat(value):
        raise InvalidInput(f"{place}: {_TOO_DEEP}")
    for value_parsed in value:
        if _CONTROL.search(value_parsed):
            check_text(value_parsed, _place_of_escape(text, place))
    _check_values(value, text, place)
    return value


def say_first_fault(error: "ValidationError") -> str:
    """Return the key and the words of the first fault that pydantic found in a table."""
    fault = error.errors(include_url=False)[0]
    return f"{'.'.join(str(part)[:40] for part in fault['loc'])}: {fault['msg']}"


def _check_values(table: dict[str, Any], text: str, place: str) -> None:
    """Raise InvalidInput for what no setting can be: a number without end, or no text."""
    values: list[tuple[str, object]] = list(table.items())
    while values:
        name, value = values.pop()
        if isinstance(value, dict):
            for key, inner in value.items():
                if _CONTROL.search(key):
                    check_text(key, f"{_place_of_escape(text, place)}: {name}")
                values.append((f"{name}.{key}", inner))
        elif isinstance(value, list):
            values += [(f"{name}[{index}]", inner) for index, inner in enumerate(value)]
        elif isinstance(value, str) and _CONTROL.search(value):
            check_text(value, f"{_place_of_escape(text, place)}: {name}")
        elif isinstance(value, float) and not math.isfinite(value):
            raise InvalidInput(f"{place}: {name}: {value} is no finite number; write one")
        elif isinstance(value, int) and not -_MOST_WHOLE <= value <= _MOST_WHOLE:
            number_text = (
                f"{value:.3e}" if abs(value) < _MOST_FLOAT else "a number of hundreds of digits"
            )
            raise InvalidInput(
                f"{place}: {name}: {number_text} is too large; write a smaller number"
            )


def _place_of_escape(text: str, place: str) -> str:
    """File and line of the first escape that stands for what is refused."""
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _ESCAPE.finditer(line):
            code = match[0][2:]
            if not code or _CONTROL.match(chr(min(int(code, 16), 0x10FFFF))):
                return f"{place}:{number}"
    return place


def _walk_levels(value: object) -> Iterator[list[object]]:
    """Yield what lies within a parsed value, level by level; without recursion."""
    level = [value]
    while level:
        yield level
        inner: list[object] = []
        for inner_value in level:
            if isinstance(inner_value, dict):
                inner += inner_value.keys()
                inner += inner_value.values()
            elif isinstance(inner_value, list):
                inner += inner_value
        level = inner


def _is_flat(value: object) -> bool:
    return all(depth <= _DEEPEST for depth, _ in enumerate(_walk_levels(value)))
