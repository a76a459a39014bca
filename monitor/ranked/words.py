"""Texts in, numbers of words out: read once, averaged and counted as often as is wanted."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints
from monitor.ranked.numbering import numbered, readable
from monitor.text.tokens import tokens

#: Fewer texts than these are read sooner one after the other.
_FEW = 8
#: Tokens that are added up at a time.
_TOKENS = 1 << 21


@dataclass(frozen=True, eq=False)
class Words:
    """D documents as sequences of numbers of tokens, in one array after the other.

    `documents` (D,) are their keys; `ids` (N,) int32 numbers of tokens in `vocabulary` (V,);
    document d has ids[starts[d]:starts[d + 1]]; `known` (D,) is False where no text could be read.
    An empty text is known and has no token.
    """

    documents: tuple[str, ...]
    vocabulary: tuple[str, ...]
    ids: NDArray[np.int32]
    starts: Ints
    known: NDArray[np.bool_]

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """The number of a document by its key."""
        return {key: row for row, key in enumerate(self.documents)}

    @cached_property
    def number_of(self) -> Mapping[str, int]:
        """The number of a token of the vocabulary."""
        return {token: number for number, token in enumerate(self.vocabulary)}

    @property
    def lengths(self) -> Ints:
        """(D,) number of tokens."""
        return np.diff(self.starts)

    def sums(self, per_word: Floats) -> Floats:
        """(D,) sum over the tokens of each document of a value per word of the vocabulary (V,)."""
        found = np.zeros(len(self.documents))
        for documents, tokens_, firsts in self._blocks():
            found[documents] = np.add.reduceat(per_word[tokens_], firsts)
        return found

    def counts(self, chosen: NDArray[np.bool_]) -> Ints:
        """(D,) number of tokens of each document whose word is chosen (V,)."""
        found = np.zeros(len(self.documents), np.int64)
        per_word = chosen.astype(np.int32)
        for documents, tokens_, firsts in self._blocks():
            found[documents] = np.add.reduceat(per_word[tokens_], firsts)
        return found

    def _blocks(self) -> Iterator[tuple[Ints, NDArray[np.int32], Ints]]:
        """(documents, their tokens, where each begins), some at a time: bounds the memory.

        Without empty documents: an empty slice would take its neighbour's first token.
        """
        filled = np.flatnonzero(self.lengths)
        firsts, end = self.starts[filled], len(self.ids)
        cuts = np.unique(np.searchsorted(firsts, [*range(0, end, _TOKENS), end])).tolist()
        for first, last in pairwise(cuts):
            begin = firsts[first]
            until = firsts[last] if last < len(filled) else end
            yield filled[first:last], self.ids[begin:until], firsts[first:last] - begin


def tokenise(texts: Mapping[str, str | None] | Iterable[tuple[str, str | None]]) -> Words:
    """The words of documents by key, in their order; None where a text is missing.

    All tokens are kept, stop words too: a measure leaves out what it does not count.
    """
    reader = _Reader()
    for key, text in texts.items() if isinstance(texts, Mapping) else texts:
        reader.take(key, text)
    return reader.words()


#: Characters that are read at a time.
_BLOCK = 1 << 24


class _Reader:
    """Gathers texts until there are enough of them to number their tokens together."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._keys: list[str] = []
        self._known: list[bool] = []
        self._lengths: list[int] = [0]
        self._parts: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
        self._block: list[str] = []
        self._size = 0

    def take(self, key: str, text: str | None) -> None:
        self._keys.append(key)
        self._known.append(text is not None)
        given = text or ""
        if not readable(given):
            self._number_block()
            self._one_by_one([given])
            return
        self._block.append(given)
        self._size += len(given)
        if self._size >= _BLOCK:
            self._number_block()

    def words(self) -> Words:
        self._number_block()
        return Words(
            tuple(self._keys),
            tuple(self._numbers),
            np.concatenate(self._parts),
            np.cumsum(self._lengths, dtype=np.int64),
            np.array(self._known, dtype=np.bool_),
        )

    def _number_block(self) -> None:
        block, self._block, self._size = self._block, [], 0
        number = self._numbers.__getitem__
        found = numbered(block, number) if len(block) >= _FEW else None
        if found is None:
            self._one_by_one(block)
            return
        self._parts.append(found.ids)
        self._lengths.extend(found.lengths.tolist())

    def _one_by_one(self, texts: Iterable[str]) -> None:
        for text in texts:
            part = np.array([self._numbers[token] for token in tokens(text)], np.int32)
            self._parts.append(part)
            self._lengths.append(len(part))
