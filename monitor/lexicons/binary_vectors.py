"""Word vectors in the binary format of word2vec: a header line, then word, blank, float32s."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from monitor.lexicons.source import (
    PART_BYTES,
    Block,
    block_of,
    checked,
    header_of,
    not_finite,
    reading,
    sha256,
)
from monitor.model import InvalidInput

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
        with reading(path) as file:
            line = file.readline(LONGEST_HEADER)
        header = checked(header_of(line) if line.endswith(b"\n") else None, path)
        return cls(path, header.dimensions, header.n)

    @property
    def name(self) -> str:
        return self.path.name

    def hashes(self) -> dict[str, str]:
        return {self.path.name: sha256(self.path)}

    def blocks(self) -> Iterator[Block]:
        with reading(self.path) as file:
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
        at, width = 0, _FLOAT * self.dimensions
        while len(words) < most:
            # the feed that ends the row before
            begin = at + (buffer[at : at + 1] == b"\n")
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
            at = end
        return words, vectors, buffer[at:]

    def _block(self, words: list[bytes], vectors: bytes, before: int) -> Block:
        rows = np.frombuffer(vectors, "<f4").reshape(len(words), self.dimensions)
        bad = not_finite(rows)
        if bad is not None:
            raise InvalidInput(
                f"{self.path}: row {before + bad + 1:,}: the vector of "
                f"{words[bad][:60].decode('utf-8', 'replace')!r} holds NaN or an infinite number; "
                "the file is damaged or its header wrong: fetch it anew"
            )
        return block_of(words, rows.astype(np.float32, copy=False))
