"""Vectors for rankers: one file that is written row by row and mapped into memory when it is read.

The file: 128 bytes with name and version of the format, where its tail begins and the SHA-256 of
the tail; then the rows as little-endian float32; then the tail, a line of JSON and the words,
packed with zlib. The tail holds the SHA-256 of the rows, which `Vectors.check` compares.
"""

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from monitor.input_files import load_json
from monitor.lexicons.lexicon import WordTable, inflate_bytes
from monitor.lexicons.vectors import Rows
from monitor.model import Floats, Ints, InvalidInput, Json, canonical_json

MAGIC = b"monitor-vectors 1\n"
SUFFIX = ".vectors"

_START = 128
_OFFSET_DIGITS = 20
_FLOAT = 4


@dataclass(frozen=True, slots=True, eq=False)
class StoredVectors:
    """Vectors of unit length, all in one file; zero rows are words with nothing left of theirs."""

    name: str
    digest: str  # SHA-256 of words and rows
    language: str
    words: WordTable = field(repr=False)
    matrix: Rows = field(repr=False)  # (words, dimensions), mapped
    meta: Mapping[str, Json] = field(repr=False)
    rows_digest: str = field(repr=False)

    def __len__(self) -> int:
        return len(self.matrix)

    def rows(self, words: Sequence[str]) -> Ints:
        """(words,) the row of each; -1 for a word without a vector."""
        return self.words.find(words)

    def check(self) -> None:
        """Read all rows and raise InvalidInput if they are not those that were written."""
        digest = hashlib.sha256()
        for begin in range(0, len(self.matrix), 4096):
            digest.update(np.ascontiguousarray(self.matrix[begin : begin + 4096], "<f4").tobytes())
        if digest.hexdigest() != self.rows_digest:
            raise InvalidInput(f"vectors {self.name}: the file is damaged; {_ANEW}")


_ANEW = "make it anew with: monitor lexicon build --keep-vectors (or --debias)"


class VectorWriter:
    """Writes rows as they come; nothing can be read before `close`."""

    def __init__(self, file: BinaryIO, dimensions: int) -> None:
        self._file = file
        self._dimensions = dimensions
        self.restart()

    def restart(self) -> None:
        """Forget what was written."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(bytes(_START))
        self._words: list[str] = []
        self._sha = hashlib.sha256()

    def write(self, words: Sequence[str], rows: Floats) -> None:
        """Add rows."""
        content = rows.astype("<f4").tobytes()
        self._sha.update(content)
        self._file.write(content)
        self._words += words

    def close(self, language: str, meta: Mapping[str, Json]) -> None:
        """Write the tail, and where it begins."""
        body = WordTable.of(self._words).body
        packed = zlib.compress(body, 6)
        rows_digest = self._sha.hexdigest()
        header = {
            "n": len(self._words),
            "dimensions": self._dimensions,
            "language": language,
            "rows": rows_digest,
            "words": [len(packed), len(body)],
            "digest": _vectors_digest(body, rows_digest),
            "meta": meta,
        }
        tail = canonical_json(header).encode() + b"\n" + packed
        begin = self._file.tell()
        self._file.write(tail)
        self._file.seek(0)
        sha = hashlib.sha256(tail).hexdigest()
        self._file.write(MAGIC + f"{begin:0{_OFFSET_DIGITS}}\n{sha}\n".encode())


def _vectors_digest(body: bytes, rows_digest: str) -> str:
    return hashlib.sha256(body + b"\n\n" + rows_digest.encode()).hexdigest()


def load_vectors(path: Path) -> StoredVectors:
    """The vectors of a file, named after it. Raises InvalidInput for a damaged or foreign one."""
    try:
        with path.open("rb") as file:
            begin, tail = _read_tail(file, path)
        return _load_tail(path, begin, tail)
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, zlib.error) as error:
        raise InvalidInput(f"{path}: is damaged ({error}); {_ANEW}") from error


def _read_tail(file: BinaryIO, path: Path) -> tuple[int, bytes]:
    """Return where the tail begins, and the tail."""
    start = file.read(_START)
    if not start.startswith(MAGIC):
        raise InvalidInput(f"{path}: are no vectors of this program; {_ANEW}")
    begin, fields = start[len(MAGIC) :].split(b"\n")[:2]
    file.seek(int(begin))
    tail = file.read()
    if hashlib.sha256(tail).hexdigest().encode() != fields:
        raise ValueError("its checksum does not fit its content")
    return int(begin), tail


def _load_tail(path: Path, begin: int, tail: bytes) -> StoredVectors:
    line, _, packed = tail.partition(b"\n")
    header: dict[str, Any] = load_json(line)
    n, dimensions = int(header["n"]), int(header["dimensions"])
    body = inflate_bytes(packed, int(header["words"][1]))
    if n < 1 or begin != _START + n * dimensions * _FLOAT or body.count(b"\n") + 1 != n:
        raise ValueError("its header does not fit its content")
    if header["digest"] != _vectors_digest(body, header["rows"]):
        raise ValueError("its words are not those that were written")
    body.decode("utf-8")
    matrix = np.memmap(path, "<f4", "r", offset=_START, shape=(n, dimensions))
    name = path.name.removesuffix(SUFFIX)
    language, meta = str(header["language"]), header["meta"]
    return StoredVectors(
        name, header["digest"], language, WordTable(body), matrix, meta, header["rows"]
    )
