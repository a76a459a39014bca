"""Arrays in files that are mapped into memory, and sorted words kept as one run of bytes."""

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from monitor.model import Ints, StoreProblem

#: Files smaller than this are read: a map of an empty one cannot be made, and of a small one
#: gains nothing.
_MAPPED_FROM = 2**16

Bytes = NDArray[np.uint8]


def load(path: Path) -> NDArray[Any]:
    """The array of a file. Raises StoreProblem."""
    try:
        mapped = path.stat().st_size >= _MAPPED_FROM
        found = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise StoreProblem(f"{path}: no array that can be read: {error}") from error
    return np.asarray(found)  # the map stays underneath; plain arrays are quicker to slice


def load_bytes(path: Path) -> Bytes:
    """The bytes of a file. Raises StoreProblem."""
    try:
        if path.stat().st_size >= _MAPPED_FROM:
            return np.asarray(np.memmap(path, np.uint8, "r"))
        return np.fromfile(path, np.uint8)
    except OSError as error:
        raise StoreProblem(f"{path}: cannot be read: {error}") from error


def keep(path: Path, array: NDArray[Any]) -> None:
    """Write an array so that a reader finds it whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        part = Path(file.name)
    try:
        with part.open("wb") as handle:
            np.save(handle, array, allow_pickle=False)
            handle.flush()
            os.fsync(handle.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def joined(words: Iterable[str]) -> tuple[Bytes, Ints]:
    """(the bytes of all words, where each begins and the last one ends)."""
    encoded = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), ends


@dataclass(frozen=True, slots=True)
class Words:
    """Different words in the order of their code points; a word's number is its place."""

    content: Bytes
    bounds: Ints

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def is_whole(self) -> bool:
        """Whether content and bounds belong together."""
        return len(self.content) == int(self.bounds[-1])

    def _bytes(self, number: int) -> bytes:
        return self.content[self.bounds[number] : self.bounds[number + 1]].tobytes()

    def word(self, number: int) -> str:
        """The word with a number."""
        return self._bytes(number).decode()

    def number(self, word: str) -> int:
        """The number of a word, -1 for an unknown one."""
        wanted = word.encode("utf-8", "replace")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._bytes(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self._bytes(low) == wanted else -1

    def all(self) -> list[str]:
        """Every word."""
        content, bounds = self.content.tobytes(), self.bounds.tolist()
        return [content[start:end].decode() for start, end in pairwise(bounds)]
