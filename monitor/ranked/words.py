"""Texts as numbers of words: read once, averaged and counted as often as needed.

Bytes become lower-case letters, digits and blanks through one table, which keeps what is not ASCII;
pieces are found where blanks begin and end, and equal ones by a hash of their bytes that is checked
byte for byte. Only different pieces are looked at one by one: those of ASCII are tokens, the others
are read as any text is. Texts that do not fit are read one after the other instead.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from monitor.model import Floats, Ints
from monitor.text.tokens import tokens

Bytes: TypeAlias = NDArray[np.uint8]
Hashes: TypeAlias = NDArray[np.uint64]
Places: TypeAlias = NDArray[np.int32]  # a block of texts is shorter than 2^31 bytes

#: Letters in lower case and digits stay, signs are blanks: what `tokens` does to ASCII. Bytes of
#: other characters stay too.
_ASCII = "".join(chr(c).lower() if chr(c).isalnum() else " " for c in range(128))
_TABLE = _ASCII.encode() + bytes(range(128, 256))
#: The one letter whose lower case depends on what stands beyond a blank.
_SIGMA = "\N{GREEK CAPITAL LETTER SIGMA}"
_BLANK = 32
_WORD = 8  # bytes that are compared at a time
_LONGEST = 1024
#: Characters of a text that is read with others, so that places of bytes fit into 31 bits.
_MOST = 1 << 24
_MASKS: Hashes = np.array([(1 << 8 * n) - 1 for n in range(_WORD + 1)], np.uint64)
_MIX: Hashes = np.array([0x9E3779B97F4A7C15], np.uint64)
_HALF: Hashes = np.array([32], np.uint64)
#: Rounds after which texts were made to collide.
_ROUNDS = 64


@dataclass(frozen=True, slots=True, eq=False)
class NumberedTokens:
    """Tokens of some texts: `ids` (N,) their numbers, `lengths` (texts,) how many each has."""

    ids: Places
    lengths: Ints


def is_readable(text: str) -> bool:
    """Return whether `numbered` takes a text."""
    return len(text) <= _MOST and (text.isascii() or _SIGMA not in text)


def number_tokens(texts: Sequence[str], number: Callable[[str], int]) -> NumberedTokens | None:
    """Numbers for the tokens of texts; None where this way is none.

    `number` gives a token its number; it is asked in the order in which tokens first stand.
    """
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    joined = b" ".join(encoded).translate(_TABLE)
    body = np.frombuffer(joined + b" " * _WORD, np.uint8)
    starts, lengths = _split_pieces(body)
    if not len(starts):
        return NumberedTokens(starts, np.zeros(len(texts), np.int64))
    if int(lengths.max()) > _LONGEST:
        return None
    first = _first_of_each(_Pieces(body, starts, lengths))
    if first is None:
        return None
    distinct = np.flatnonzero(first == np.arange(len(first), dtype=np.int32))
    piece = np.empty(len(first), np.int32)
    piece[distinct] = np.arange(len(distinct))
    froms, tos = starts[distinct].tolist(), (starts + lengths)[distinct].tolist()
    letters = joined.decode("latin-1")  # one for each byte
    pieces = [letters[begin:end] for begin, end in zip(froms, tos, strict=True)]
    until = np.searchsorted(
        starts, np.cumsum([len(encoded_text) + 1 for encoded_text in encoded])
    ).astype(np.int64)
    return _of_pieces(pieces, piece[first], until, number)


def _split_pieces(body: Bytes) -> tuple[Places, Places]:
    """(where each piece starts, how long it is)."""
    inside = body != _BLANK
    changes = np.empty(len(inside), np.bool_)
    changes[0] = inside[0]
    np.not_equal(inside[1:], inside[:-1], out=changes[1:])
    edges = np.flatnonzero(changes).astype(np.int32)
    starts = np.ascontiguousarray(edges[0::2])
    return starts, edges[1::2] - starts


def _of_pieces(
    pieces: list[str], which: Places, until: Ints, number: Callable[[str], int]
) -> NumberedTokens:
    """Numbers of the tokens that pieces are made of; `until` (texts,) where each text ends."""
    # A piece has one letter for each byte.
    numbers_of_pieces = [
        [number(piece)]
        if piece.isascii()
        else list(map(number, tokens(piece.encode("latin-1").decode("utf-8", "surrogatepass"))))
        for piece in pieces
    ]
    flat = np.fromiter(chain.from_iterable(numbers_of_pieces), np.int32)
    if all(len(piece_numbers) == 1 for piece_numbers in numbers_of_pieces):
        return NumberedTokens(flat[which], np.diff(until, prepend=0))
    n = np.fromiter(map(len, numbers_of_pieces), np.int32, len(numbers_of_pieces))
    begin, sizes = (np.cumsum(n) - n).astype(np.int32), n[which]
    after = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    # From the place of each token among all to its place among those of its piece.
    shift = begin[which] - after[:-1]
    ids = flat[np.arange(after[-1]) + np.repeat(shift, sizes)]
    return NumberedTokens(ids, np.diff(after[until], prepend=0))


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    body: Bytes
    starts: Places
    lengths: Places

    def parts(self, at: int, which: Places | None = None) -> Hashes:
        """Up to eight bytes of all or some pieces from one place on, as one number each."""
        starts, lengths = self.starts, self.lengths
        if which is not None:
            starts, lengths = starts[which], lengths[which]
        every_word = np.ndarray((len(self.body) - _WORD + 1,), "<u8", self.body.data, 0, (1,))
        parts: Hashes = every_word[starts + at if at else starts]
        return parts & _MASKS[np.minimum(lengths - at if at else lengths, _WORD)]

    def longer(self, at: int, which: Places | None = None) -> Places:
        """The pieces, of all or some, that go on behind a place."""
        if which is None:
            return np.flatnonzero(self.lengths > at).astype(np.int32)
        return which[self.lengths[which] > at]

    def hashes(self) -> Hashes:
        """A hash per piece; of pieces of up to eight bytes no two are the same."""
        hashes, which = _mix_hashes(self.parts(0)), self.longer(_WORD)
        for offset in range(_WORD, _LONGEST, _WORD):
            if not len(which):
                break
            hashes[which] = _mix_hashes(hashes[which] ^ self.parts(offset, which))
            which = self.longer(offset + _WORD, which)
        return hashes

    def equal(self, first: Places) -> bool:
        """Return whether each piece is, byte for byte, the one with the same hash."""
        which = self.longer(_WORD)
        for offset in range(0, _LONGEST, _WORD):
            if not len(which):
                break
            if not np.array_equal(self.parts(offset, which), self.parts(offset, first[which])):
                return False
            which = self.longer(offset + _WORD, which)
        return bool(np.array_equal(self.lengths, self.lengths[first]))


def _mix_hashes(numbers: Hashes) -> Hashes:
    mixed = numbers * _MIX
    return mixed ^ (mixed >> _HALF)


def _first_of_each(pieces: _Pieces) -> Places | None:
    """(N,) the first piece that is the same as each; None where hashes collide."""
    hashes = pieces.hashes()
    n = len(hashes)
    for room in (n // 2, 4 * n):  # a small table is quicker, and most pieces stand often
        first = _by_table(hashes, 1 << room.bit_length())
        if first is not None:
            return first if pieces.equal(first) else None
    return None


def _by_table(hashes: Hashes, size: int) -> Places | None:
    """The first of each hash, by a table with open places that all are put into at a time.

    Of several for one place the last one written stays; written backwards that is the first.
    """
    slots = (hashes & np.uint64(size - 1)).astype(np.int32)
    all_indices: Places = np.arange(len(hashes), dtype=np.int32)
    owner = np.full(size, -1, np.int32)
    owner[slots[::-1]] = all_indices[::-1]
    first: Places = owner[slots]
    unresolved = np.flatnonzero(hashes[first] != hashes).astype(np.int32)
    slots = slots[unresolved]
    for _ in range(_ROUNDS):
        if not len(unresolved):
            return first
        slots = (slots + 1) & (size - 1)
        free = owner[slots] < 0
        owner[slots[free][::-1]] = unresolved[free][::-1]
        owners = owner[slots]
        first[unresolved] = owners
        differs = hashes[owners] != hashes[unresolved]
        unresolved, slots = unresolved[differs], slots[differs]
    return None


#: Fewer texts than these are read sooner one after the other.
_FEW = 8
#: Tokens that are added up at a time.
_TOKENS = 1 << 21


@dataclass(frozen=True, eq=False)
class DocumentWords:
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
        totals = np.zeros(len(self.documents))
        for documents, tokens_, firsts in self._blocks():
            totals[documents] = np.add.reduceat(per_word[tokens_], firsts)
        return totals

    def counts(self, chosen: NDArray[np.bool_]) -> Ints:
        """(D,) number of tokens of each document whose word is chosen (V,)."""
        totals = np.zeros(len(self.documents), np.int64)
        per_word = chosen.astype(np.int32)
        for documents, tokens_, firsts in self._blocks():
            totals[documents] = np.add.reduceat(per_word[tokens_], firsts)
        return totals

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


def tokenise(texts: Mapping[str, str | None] | Iterable[tuple[str, str | None]]) -> DocumentWords:
    """The words of documents by key, in their order; None where a text is missing.

    All tokens are kept, stop words too: a measure leaves out what it does not count.
    """
    reader = _TokenReader()
    for key, text in texts.items() if isinstance(texts, Mapping) else texts:
        reader.take(key, text)
    return reader.words()


#: Characters that are read at a time.
_BLOCK = 1 << 24


class _TokenReader:
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
        text_given = text or ""
        if not is_readable(text_given):
            self._number_block()
            self._one_by_one([text_given])
            return
        self._block.append(text_given)
        self._size += len(text_given)
        if self._size >= _BLOCK:
            self._number_block()

    def words(self) -> DocumentWords:
        self._number_block()
        return DocumentWords(
            tuple(self._keys),
            tuple(self._numbers),
            np.concatenate(self._parts),
            np.cumsum(self._lengths, dtype=np.int64),
            np.array(self._known, dtype=np.bool_),
        )

    def _number_block(self) -> None:
        block, self._block, self._size = self._block, [], 0
        number = self._numbers.__getitem__
        numbers_read = number_tokens(block, number) if len(block) >= _FEW else None
        if numbers_read is None:
            self._one_by_one(block)
            return
        self._parts.append(numbers_read.ids)
        self._lengths.extend(numbers_read.lengths.tolist())

    def _one_by_one(self, texts: Iterable[str]) -> None:
        for text in texts:
            part = np.array([self._numbers[token] for token in tokens(text)], np.int32)
            self._parts.append(part)
            self._lengths.append(len(part))
