"""Text files in blocks: a path in, lines or rows of fields with their line numbers out.

Files may be packed with gzip, whatever they are called. What is held in memory does not grow with
the file. Fields stay bytes until somebody needs them as text: a column is decoded at once.
"""

import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import IO, cast

from monitor.input_files import check_bytes
from monitor.model import InvalidInput

_BLOCK = 2**16
#: A file without line ends is none of ours, and must not fill the memory.
_LONGEST_LINE = 8 * 2**20
_SHOWN = 60
_MOST_DIGITS = 18
_GZIP = b"\x1f\x8b"
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Rows:
    """Some lines in their order, cut at blanks, without the empty ones. `lines` as they came."""

    fields: list[list[bytes]]
    numbers: Sequence[int]
    lines: list[bytes]


@contextmanager
def _open_file(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as raw:
            if raw.peek(len(_GZIP))[: len(_GZIP)] == _GZIP:
                with gzip.open(raw) as unpacked:
                    yield cast("IO[bytes]", unpacked)
            else:
                yield raw
    except FileNotFoundError:
        raise InvalidInput(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: is a folder; name a file") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidInput(f"{path}: not a whole gzip file: {error}") from error


def read_blocks(path: Path) -> Iterator[tuple[int, list[bytes]]]:
    """Yield (number of the first, lines without their ends). Raises InvalidInput."""
    rest, number = b"", 1
    with _open_file(path) as file:
        while block := file.read(_BLOCK):
            check_bytes(block, str(path), number)
            whole, end, rest = (rest + block).rpartition(b"\n")
            if len(rest) > _LONGEST_LINE:
                raise InvalidInput(
                    f"{path}: a line of more than {_LONGEST_LINE:,} bytes: {shorten_line(rest)}"
                )
            if end:
                lines = whole.split(b"\n")
                yield number, _skip_mark(lines) if number == 1 else lines
                number += len(lines)
        if rest:
            yield number, _skip_mark([rest]) if number == 1 else [rest]


def _skip_mark(lines: list[bytes]) -> list[bytes]:
    """The first lines of a file, without a byte order mark."""
    return [lines[0].removeprefix(_MARK), *lines[1:]]


def read_rows(path: Path, columns: str) -> Iterator[Rows]:
    """Yield the rows of a file with these columns. Raises InvalidInput, also for no row at all."""
    has_rows = False
    for number, lines in read_blocks(path):
        block = split_lines(str(path), number, lines, columns)
        if block.fields:
            has_rows = True
            yield block
    if not has_rows:
        raise InvalidInput(f"{path}: is empty; each line has {columns}")


def split_lines(place: str, number: int, lines: list[bytes], columns: str) -> Rows:
    """Lines from `number` on as rows. Raises InvalidInput naming one with other columns."""
    width = len(columns.split())
    fields = list(map(bytes.split, lines))
    numbers: Sequence[int] = range(number, number + len(lines))
    if set(map(len, fields)) == {width}:
        return Rows(fields, numbers, lines)
    filled = [index for index, row_fields in enumerate(fields) if row_fields]
    for index in filled:
        if len(fields[index]) != width:
            raise InvalidInput(
                f"{place}:{numbers[index]}: {len(fields[index])} columns, and {width} belong there "
                f"({columns}): {shorten_line(lines[index])}"
            )
    return Rows(
        [fields[index] for index in filled],
        [numbers[index] for index in filled],
        [lines[index] for index in filled],
    )


def shorten_line(content: bytes) -> str:
    """The beginning of a line, for a message."""
    return repr(content[: 4 * _SHOWN].decode("utf-8", "replace").strip()[:_SHOWN])


def decode_column(place: str, numbers: Sequence[int], column: Sequence[bytes]) -> list[str]:
    """The fields of a column as texts. Raises InvalidInput naming the line."""
    try:
        return b"\n".join(column).decode().split("\n")
    except UnicodeDecodeError:
        for number, field in zip(numbers, column, strict=True):
            try:
                field.decode()
            except UnicodeDecodeError as error:
                raise InvalidInput(
                    f"{place}:{number}: not UTF-8 ({error.reason}): {shorten_line(field)}; save "
                    "the file as UTF-8"
                ) from error
        raise


def read_integers(
    place: str, numbers: Sequence[int], name: str, column: Sequence[bytes]
) -> list[int]:
    """The fields of a column as whole numbers. Raises InvalidInput naming the line."""
    with suppress(ValueError):
        whole = list(map(int, column))
        if b"_" not in b"".join(column) and max(map(len, column)) <= _MOST_DIGITS:
            return whole
    raise InvalidInput(_no_number(place, numbers, f"{name} {{}} is no whole number", column, int))


def read_floats(
    place: str, numbers: Sequence[int], name: str, column: Sequence[bytes]
) -> list[float]:
    """Return the fields of a column as finite numbers. Raises InvalidInput naming the line."""
    with suppress(ValueError):
        values = list(map(float, column))
        if b"_" not in b"".join(column) and all(map(isfinite, values)):
            return values
    raise InvalidInput(
        _no_number(place, numbers, f"{name} {{}} is no finite number", column, float)
    )


def _no_number(
    place: str,
    numbers: Sequence[int],
    sentence: str,
    column: Sequence[bytes],
    read: Callable[[bytes], int | float],
) -> str:
    """Return what is wrong with the first field that cannot be read.

    Python would read 1_000 as a number, which no other program does.
    """

    def wrong(field: bytes) -> bool:
        try:
            number_read = read(field)
        except ValueError:
            return True
        fits = len(field) <= _MOST_DIGITS if isinstance(number_read, int) else isfinite(number_read)
        return b"_" in field or not fits

    index = next(index for index, field in enumerate(column) if wrong(field))
    return f"{place}:{numbers[index]}: {sentence.format(shorten_line(column[index]))}"
