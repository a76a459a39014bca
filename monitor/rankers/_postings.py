"""Postings, the words of documents and their counts: blocks of tokens in, sorted arrays out."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from monitor.model import Ints

#: Pairs of document and word that are sorted at a time.
_BLOCK = 2**20
_LOW = 0xFFFFFFFF
_SHIFT = 32


@dataclass(frozen=True, slots=True)
class PostingBlock:
    """Documents from `first` to before `last`, and their pairs from `start` to before `end`."""

    first: int
    last: int
    start: int
    end: int


def split_blocks(bounds: Ints, most: int = _BLOCK) -> Iterator[PostingBlock]:
    """Runs of whole documents with at most so many pairs each; a long document is one by itself."""
    first, documents = 0, len(bounds) - 1
    while first < documents:
        fitting = int(np.searchsorted(bounds, bounds[first] + most, side="right")) - 1
        last = min(documents, max(first + 1, fitting))
        yield PostingBlock(first, last, int(bounds[first]), int(bounds[last]))
        first = last


class Postings:
    """Counts the words of documents as they come in, and sorts the counts at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._raw = [folder / ".words.raw", folder / ".counts.raw"]
        self._files = [path.open("wb") for path in self._raw]
        self._distinct: list[Ints] = []  # different words of each document

    def add(self, words: NDArray[np.int32], lengths: Ints) -> None:
        """Count the words of some documents, whose tokens follow each other in `words`."""
        documents = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
        pairs, counts = np.unique((documents << _SHIFT) | words, return_counts=True)
        self._distinct.append(np.bincount(pairs >> _SHIFT, minlength=len(lengths)))
        (pairs & _LOW).astype(np.int32).tofile(self._files[0])
        counts.astype(np.int32).tofile(self._files[1])

    def close(self) -> None:
        """Leave nothing open and nothing half done."""
        for file in self._files:
            file.close()
        for path in self._raw:
            path.unlink(missing_ok=True)

    def finish(self, words: NDArray[np.int32], documents: NDArray[np.int32]) -> None:
        """Write the arrays; `words` and `documents` give the final number of each."""
        for file in self._files:
            file.close()
        bounds = np.concatenate([[0], np.cumsum(np.concatenate(self._distinct))]).astype(np.int64)
        np.save(self._folder / "forward_bounds.npy", bounds)
        np.save(self._folder / "forward_documents.npy", documents)
        raw = [
            np.fromfile(path, np.int32) if _is_empty(path) else _map_file(path)
            for path in self._raw
        ]
        holders = np.zeros(len(words), np.int64)
        frequencies = np.zeros(len(words), np.int64)
        for block in split_blocks(bounds):
            block_words = words[raw[0][block.start : block.end]]
            holders += np.bincount(block_words, minlength=len(words))
            counts = raw[1][block.start : block.end]
            frequencies += np.bincount(block_words, counts, len(words)).astype(np.int64)
        np.save(self._folder / "frequencies.npy", frequencies)
        starts = np.concatenate([[0], np.cumsum(holders)]).astype(np.int64)
        np.save(self._folder / "posting_bounds.npy", starts)
        self._sort(raw, bounds, words, documents, starts[:-1].copy())

    def _sort(
        self,
        raw: list[NDArray[Any]],
        bounds: Ints,
        words: NDArray[np.int32],
        documents: NDArray[np.int32],
        following: Ints,
    ) -> None:
        """Write pairs by document and by word. `following`: where each word's next posting goes."""
        size = int(bounds[-1])
        names = ("forward_words", "forward_counts", "posting_documents", "posting_counts")
        paths = [self._folder / f"{name}.npy" for name in names]
        if size == 0:
            for path in paths:
                np.save(path, np.zeros(0, np.int32))
            return
        by_document, counts_by_document, by_word, counts_by_word = (
            open_memmap(path, "w+", np.int32, (size,)) for path in paths
        )
        for block in split_blocks(bounds):
            span = slice(block.start, block.end)
            within = np.repeat(
                np.arange(block.last - block.first, dtype=np.int64),
                np.diff(bounds[block.first : block.last + 1]),
            )
            new_words = words[raw[0][span]]
            order = np.argsort((within << _SHIFT) | new_words)
            new_words, counts = new_words[order], raw[1][span][order]
            by_document[span], counts_by_document[span] = new_words, counts
            order = np.argsort(new_words, kind="stable")
            new_words = new_words[order]
            starts = np.flatnonzero(np.diff(new_words, prepend=-1))
            run = np.diff(np.append(starts, len(new_words)))
            places = np.repeat(following[new_words[starts]] - starts, run) + np.arange(
                len(new_words)
            )
            by_word[places] = documents[block.first + within[order]]
            counts_by_word[places] = counts[order]
            following[new_words[starts]] += run
        for array in (by_document, counts_by_document, by_word, counts_by_word):
            array.flush()


def _is_empty(path: Path) -> bool:
    return path.stat().st_size == 0


def _map_file(path: Path) -> NDArray[Any]:
    return np.asarray(np.memmap(path, np.int32, "r"))
