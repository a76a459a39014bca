"""Files of a reproducibility package: lines of JSON, packed; the same rows give the same bytes.

In go portions of rows, out comes a file with what is known of it; and back, a portion at a time,
never more than the manifest says there is.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from monitor.input_files import load_json
from monitor.model import InvalidInput
from monitor.stages._release_tables import digest

Row: TypeAlias = dict[str, Any]

SUFFIX = ".jsonl.gz"
#: Packs nearly as well as the best level, in a third of the time.
_LEVEL = 6
#: The longest line is a page of the web in base64 with what is known of it.
MOST_LINE = 256 * 2**20
#: Rows that are in memory at once, and bytes.
_PORTION, _PORTION_BYTES = 1_000, 32 * 2**20


@dataclass(frozen=True, slots=True)
class File:
    """A file as the manifest has it: bytes on the disk and unpacked, rows, SHA-256."""

    path: str
    size: int
    unpacked: int
    rows: int
    sha256: str


def write(folder: Path, path: str, portions: Iterable[Sequence[Mapping[str, Any]]]) -> File:
    """Write rows as lines; one portion is in memory at a time."""
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    rows = size = 0
    # neither a name nor a time in its header
    with (
        place.open("wb") as raw,
        gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as file,
    ):
        for some in portions:
            for row in some:
                line = _line(row)
                file.write(line)
                size += len(line)
                rows += 1
    return File(path, *_sized(place, size, rows))


def _line(row: Mapping[str, Any]) -> bytes:
    text = json.dumps(
        row, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False
    )
    return text.encode("utf-8", "surrogatepass") + b"\n"


def _sized(place: Path, unpacked: int, rows: int) -> tuple[int, int, int, str]:
    size, sha256 = digest(place)
    return size, unpacked, rows, sha256


def plain(folder: Path, path: str, content: bytes) -> File:
    """Write a file as it is."""
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    return File(path, *_sized(place, len(content), 0))


def read(folder: Path, known: File) -> Iterator[list[Row]]:
    """Portions of the rows of a file. Raises InvalidInput where it is not what it says it is."""
    rows = size = here = 0
    some: list[Row] = []
    for line in _lines(folder / known.path, known):
        size += len(line)
        rows += 1
        if size > known.unpacked or rows > known.rows:
            raise InvalidInput(f"{known.path}: holds more than the manifest says")
        some.append(_row(line, known.path, rows))
        here += len(line)
        if len(some) >= _PORTION or here >= _PORTION_BYTES:
            yield some
            some, here = [], 0
    if (size, rows) != (known.unpacked, known.rows):
        raise InvalidInput(f"{known.path}: holds less than the manifest says")
    if some:
        yield some


def _lines(place: Path, known: File) -> Iterator[bytes]:
    try:
        with gzip.open(place, "rb") as file:
            while line := file.readline(MOST_LINE + 1):
                if len(line) > MOST_LINE or not line.endswith(b"\n"):
                    raise InvalidInput(f"{known.path}: a line that is cut off, or too long")
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(f"{known.path}: cannot be unpacked: {error}") from error


def _row(line: bytes, path: str, number: int) -> Row:
    try:
        found = load_json(line.decode("utf-8"), constant=_refuse)
    except ValueError as error:
        raise InvalidInput(f"{path}: line {number} is no JSON") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"{path}: line {number} is no row")
    return found


def _refuse(word: str) -> float:
    raise ValueError(word)
