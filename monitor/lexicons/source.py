"""Base of all files of word vectors: blocks of rows, a header, bytes read in parts."""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from monitor.model import InvalidInput

Rows: TypeAlias = NDArray[np.float32]

#: Bytes of a file that are in memory at once, apart from what is made of them.
PART_BYTES = 8 * 2**20

#: Longer vectors are no word vectors, but the sign of a wrong header.
MOST_DIMENSIONS = 20_000

#: Bytes of a line that is still believed to be one.
LONGEST_LINE = 2**20

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """Some rows of a file in their order; rows whose word is no UTF-8 are counted, not given."""

    words: list[str]
    rows: Rows  # (words, dimensions)
    undecodable: int = 0


class VectorSource(Protocol):
    """A file of word vectors that can be read from the beginning again and again."""

    @property
    def name(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def declared(self) -> int | None:
        """Return how many rows the file declares."""
        ...

    def blocks(self) -> Iterator[VectorBlock]:
        """All rows, a bounded number at a time. Raises InvalidInput naming file and place."""
        ...

    def hashes(self) -> dict[str, str]:
        """SHA-256 of each file."""
        ...


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if it is gzip. Raises InvalidInput, also for what follows."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            yield cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if packed else raw
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidInput(f"{path}: the gzip file is damaged ({error}); fetch it anew") from error
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


def file_sha256(path: Path) -> str:
    """SHA-256 of a file as it lies there. Raises InvalidInput."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


@dataclass(frozen=True, slots=True)
class VectorHeader:
    """The first line of word2vec and fastText files: rows and dimensions."""

    n: int
    dimensions: int


def header_of(line: bytes) -> VectorHeader | None:
    """Return the two whole numbers of a first line; None for another line."""
    parts = line.split()
    if len(parts) != 2 or not all(part.isdigit() and len(part) < 16 for part in parts):  # noqa: PLR2004
        return None
    return VectorHeader(int(parts[0]), int(parts[1]))


def check_header(header: VectorHeader | None, path: Path) -> VectorHeader:
    """A header that can be true. Raises InvalidInput."""
    if header is None:
        raise InvalidInput(
            f"{path}: line 1 is no header of two whole numbers (words, dimensions); without a "
            "header use --format glove"
        )
    if header.n < 1 or not 1 <= header.dimensions <= MOST_DIMENSIONS:
        raise InvalidInput(
            f"{path}: line 1 says {header.n:,} words of {header.dimensions:,} dimensions; at "
            f"least one word and 1 to {MOST_DIMENSIONS:,} dimensions are possible"
        )
    return header


def block_of(words: list[bytes], rows: Rows) -> VectorBlock:
    """A block of words as they stand in a file."""
    decoded: list[str] = []
    good: list[int] = []
    for index, word in enumerate(words):
        try:
            decoded.append(word.decode("utf-8"))
        except UnicodeDecodeError:
            continue
        good.append(index)
    if len(good) == len(words):
        return VectorBlock(decoded, rows)
    return VectorBlock(decoded, rows[good], len(words) - len(good))


def not_finite(rows: Rows) -> int | None:
    """Return the first row with NaN or infinity, if any."""
    # a sum is finite only if all are; where it is not, look closer (a sum can overflow too)
    with np.errstate(invalid="ignore", over="ignore"):
        suspects = np.flatnonzero(~np.isfinite(rows.sum(axis=1)))
    for row in suspects:
        if not np.isfinite(rows[row]).all():
            return int(row)
    return None
