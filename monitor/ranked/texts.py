"""The texts behind ranked documents, raw, read as words, or counted by group terms.

Group terms in plain ASCII texts are found by numbers. Tokens are those of `monitor.text.tokens`,
which stays the definition: the tests hold both to the same counts. Every token's first eight
letters are read as one number, a table of bits says which numbers can be a term, and only those few
tokens are looked at by themselves.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from monitor.model import Ints, InvalidInput
from monitor.ranked.lists import Lists
from monitor.ranked.words import DocumentWords, tokenise
from monitor.text.terms import Terms
from monitor.text.tokens import tokens

_BLANK = ord(" ")
#: What the tokens of ASCII are made of, in lower case; everything else is a blank.
_TABLE = bytes(
    ord(chr(c).lower()) if c < 128 and chr(c).isalnum() else _BLANK  # noqa: PLR2004 - ASCII
    for c in range(256)
)
_WIDTH = 8
_BITS = 16
#: Odd and without a pattern, so that products spread over their highest bits (Knuth's multiplier).
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(_WIDTH + 1)], np.uint64)


class TermScan:
    """Counts terms, by group, in batches of ASCII texts."""

    def __init__(self, group_of: Mapping[str, int], groups: int) -> None:
        """`group_of` maps terms in lower case to numbers of groups."""
        self._groups = groups
        self._group_of = {
            word.encode("ascii"): group for word, group in group_of.items() if word.isascii()
        }
        starts = [
            int.from_bytes(word[:_WIDTH].ljust(_WIDTH, b"\0"), "little") for word in self._group_of
        ]
        self._possible = np.zeros(1 << _BITS, np.bool_)
        self._possible[_slot_numbers(np.array(starts, np.uint64))] = True

    def count(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """((D, G) number of terms, (D,) number of tokens) of texts that are all ASCII."""
        joined = " ".join(texts).encode("ascii").translate(_TABLE)
        letters = np.frombuffer(joined + b" " * (_WIDTH + 1), np.uint8)
        sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
        ends_of_texts = np.cumsum(sizes)
        # the places where blanks begin or end: those of tokens take turns
        blank = np.concatenate(([True], letters == _BLANK))
        turns = np.flatnonzero(blank[1:] != blank[:-1])
        starts, ends = turns[::2], turns[1::2]
        before = np.searchsorted(starts, ends_of_texts)
        tokens = np.diff(before, prepend=0)
        candidates = np.flatnonzero(
            self._possible[_slot_numbers(_first_letters(letters, starts, ends))]
        )
        text_of = np.searchsorted(ends_of_texts, starts[candidates], side="right")
        cells = [
            text * self._groups + self._group_of[word]
            for text, start, end in zip(
                text_of.tolist(),
                starts[candidates].tolist(),
                ends[candidates].tolist(),
                strict=True,
            )
            if (word := joined[start:end]) in self._group_of
        ]
        counts = np.bincount(np.array(cells, np.int64), minlength=len(texts) * self._groups)
        return counts.reshape(len(texts), self._groups), tokens.astype(np.int64)


def _first_letters(letters: NDArray[np.uint8], starts: Ints, ends: Ints) -> NDArray[np.uint64]:
    """(T,) the first eight letters of each token as one number, 0 behind its end."""
    overlapping = np.ndarray((len(letters) - _WIDTH + 1,), "<u8", letters, strides=(1,))
    masks = _MASKS[np.minimum(ends - starts, _WIDTH)]
    return np.asarray(overlapping[starts] & masks, dtype=np.uint64)


def _slot_numbers(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return np.asarray((numbers * _SPREAD) >> np.uint64(64 - _BITS), dtype=np.uint64)


#: Read at once, so that they stay in the cache of the processor and long texts in memory.
_LETTERS = 1 << 18


@dataclass(frozen=True, eq=False)
class TermCounts:
    """Magnitudes M_g(d) of D documents for G groups (Rekabsaz et al. 2021, section 3).

    `counts` (D, G) occurrences of a group's terms; `lengths` (D,) all tokens, |d|; `known` (D,) is
    False where no text could be read, and its counts mean nothing then.
    """

    documents: tuple[str, ...]
    terms: Terms
    counts: Ints
    lengths: Ints
    known: NDArray[np.bool_]

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """The number of a document by its key."""
        return {key: row for row, key in enumerate(self.documents)}


def count_terms(
    texts: Mapping[str, str | None] | Iterable[tuple[str, str | None]], terms: Terms
) -> TermCounts:
    """Counts of documents by key, in their order; None where a text is missing."""
    group_of = {word: g for g, (_, words) in enumerate(terms.groups) for word in words}
    size = len(terms.groups)
    scan = TermScan(group_of, size)
    keys: list[str] = []
    has_text: list[bool] = []
    counts, lengths = [np.zeros((0, size), np.int64)], [np.zeros(0, np.int64)]
    for batch in _batch_texts(texts.items() if isinstance(texts, Mapping) else texts):
        keys.extend(key for key, _ in batch)
        has_text.extend(text is not None for _, text in batch)
        group_counts, tokens_of = _count_batch(batch, scan, group_of, size)
        counts.append(group_counts)
        lengths.append(tokens_of)
    return TermCounts(
        tuple(keys),
        terms,
        np.concatenate(counts),
        np.concatenate(lengths),
        np.array(has_text, bool),
    )


def _batch_texts(
    texts: Iterable[tuple[str, str | None]],
) -> Iterator[list[tuple[str, str | None]]]:
    """Texts together until they have so many letters, however long a single one is."""
    batch: list[tuple[str, str | None]] = []
    letters = 0
    for key, text in texts:
        batch.append((key, text))
        letters += len(text or "") + 1
        if letters >= _LETTERS:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


def _count_batch(
    batch: Sequence[tuple[str, str | None]],
    scan: TermScan,
    group_of: Mapping[str, int],
    size: int,
) -> tuple[Ints, Ints]:
    """((D, G) number of terms, (D,) number of tokens)."""
    texts = [text or "" for _, text in batch]
    # texts in other alphabets are read one by one, and stand empty among the others
    other_rows = [row for row, text in enumerate(texts) if not text.isascii()]
    plain = [text if text.isascii() else "" for text in texts] if other_rows else texts
    counts, lengths = scan.count(plain)
    for row in other_rows:
        tokens_found = tokens(texts[row])
        groups = [group_of[word] for word in tokens_found if word in group_of]
        counts[row] = np.bincount(groups, minlength=size) if groups else 0
        lengths[row] = len(tokens_found)
    return counts, lengths


def counts_of_words(words: DocumentWords, terms: Terms) -> TermCounts:
    """The same from words that were read before."""
    counts = np.stack(
        [
            words.counts(np.array([word in group for word in words.vocabulary], np.bool_))
            for _, group in terms.groups
        ],
        axis=1,
    )
    return TermCounts(words.documents, terms, counts, words.lengths, words.known)


Groups = tuple[tuple[str, frozenset[str]], ...]


class Held(IntEnum):
    """The state of the text of a document at a rank."""

    NOTHING = 0  # behind the end of the list
    TEXT = 1
    EMPTY = 2  # read, and without any token
    MISSING = 3  # not read: unknown, never neutral


@dataclass(frozen=True, slots=True, eq=False)
class Magnitudes:
    """Group terms by list and rank.

    `counts` (L, K, G) and `lengths` (L, K) are 0 where `held` (L, K) is not TEXT.
    """

    terms: Terms
    counts: Ints
    lengths: Ints
    held: NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTexts:
    """Texts by document, from which words and counts are made once and as far as needed.

    `given` maps documents to texts, or is what `tokenise` or `count_terms` made of them before.
    """

    given: Mapping[str, str | None] | DocumentWords | TermCounts
    #: What was counted last, for the next measure of the same lists.
    _counted: dict[Groups, TermCounts] = field(default_factory=dict, repr=False)

    @property
    def documents(self) -> tuple[str, ...]:
        """Every document of which something is known, or known to be missing."""
        return tuple(self.given) if isinstance(self.given, Mapping) else self.given.documents

    def only(self, documents: Iterable[str]) -> "DocumentTexts":
        """Some of the raw texts, with all that was and will be counted of them or of these."""
        if not isinstance(self.given, Mapping):
            raise TypeError("only raw texts can be divided")
        raw_texts = {key: self.given[key] for key in documents if key in self.given}
        return DocumentTexts(raw_texts, self._counted)

    def words(self, documents: Sequence[str]) -> tuple[DocumentWords, Ints]:
        """(words, (D,) the row of each document in them, -1 where nothing is known of it).

        Raises InvalidInput for counts, out of which nobody can tell the words.
        """
        if isinstance(self.given, TermCounts):
            raise InvalidInput("texts: counts of group terms are given where words are needed")
        words = self.given
        if not isinstance(words, DocumentWords):
            words_given = words
            words = tokenise((key, words_given[key]) for key in documents if key in words_given)
        return words, _row_numbers(words.row_of, words.known, documents)

    def counts(self, documents: Sequence[str], terms: Terms) -> tuple[TermCounts, Ints]:
        """(counts, (D,) the row of each document in them, -1 where nothing is known of it).

        Raises InvalidInput for counts of other terms than these.
        """
        source = self.given
        if isinstance(source, TermCounts):
            counts = _in_order(source, terms)
            return counts, _row_numbers(counts.row_of, counts.known, documents)
        present = [key for key in documents if key in source] if isinstance(source, Mapping) else []
        counted = self._counted.get(terms.groups)
        if counted is None or not counted.row_of.keys() >= set(present):
            if isinstance(source, DocumentWords):
                counted = counts_of_words(source, terms)
            else:
                counted = count_terms(((key, source[key]) for key in present), terms)
            self._counted[terms.groups] = counted
        return counted, _row_numbers(counted.row_of, counted.known, documents)

    def magnitudes(self, lists: Lists, terms: Terms) -> Magnitudes:
        """Group terms at every rank of every list."""
        # Of those documents that stand in the table, which may have been cut off.
        inside = np.zeros(len(lists.documents), np.bool_)
        inside[lists.table[lists.table >= 0]] = True
        used, documents = np.flatnonzero(inside), lists.documents
        if len(used) < len(inside):
            documents = tuple(documents[index] for index in used.tolist())
        row = np.full(len(inside), -1, np.int64)
        counts, row[used] = self.counts(documents, terms)
        held, text_rows = held_at(lists, row, counts.lengths)
        read = (held == Held.TEXT)[:, :, None]
        shape = (*lists.table.shape, len(terms.groups))
        if not len(counts.lengths):
            return Magnitudes(terms, np.zeros(shape, np.int64), np.zeros(shape[:2], np.int64), held)
        magnitudes_read = np.where(read, counts.counts[text_rows], 0)
        return Magnitudes(
            terms, magnitudes_read, np.where(read[:, :, 0], counts.lengths[text_rows], 0), held
        )


def _in_order(given: TermCounts, terms: Terms) -> TermCounts:
    """Counts with the groups in the order of these terms. Raises InvalidInput for other terms."""
    if given.terms.groups == terms.groups:
        return given
    if dict(given.terms.groups) != dict(terms.groups):
        raise InvalidInput(
            "texts: were counted with other terms; count them with those of the measure"
        )
    order = [given.terms.names.index(name) for name in terms.names]
    return replace(given, terms=terms, counts=given.counts[:, order])


def _row_numbers(
    row_of: Mapping[str, int], known: NDArray[np.bool_], documents: Sequence[str]
) -> Ints:
    rows = np.fromiter(map(row_of.get, documents, repeat(-1)), np.int64, len(documents))
    if len(known):
        rows[(rows >= 0) & ~known[rows]] = -1
    return rows


def held_at(lists: Lists, row: Ints, lengths: Ints) -> tuple[NDArray[np.int8], Ints]:
    """((L, K) what is held at each rank, (L, K) its row; 0 where there is none)."""
    inside = lists.table >= 0
    if not len(row):
        return np.zeros(lists.table.shape, np.int8), np.zeros(lists.table.shape, np.int64)
    text_rows = np.where(inside, row[lists.table], -1)
    held = np.where(inside, np.int8(Held.MISSING), np.int8(Held.NOTHING))
    row_or_first = np.maximum(text_rows, 0)
    if len(lengths):
        full = np.where(lengths[row_or_first] > 0, np.int8(Held.TEXT), np.int8(Held.EMPTY))
        held = np.where(text_rows >= 0, full, held)
    return held.astype(np.int8), row_or_first
