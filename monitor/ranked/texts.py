"""The texts behind ranked documents, however they are given: raw, read as words, or counted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from monitor.model import Ints, InvalidInput
from monitor.ranked.counts import TermCounts, count_terms, counts_of_words
from monitor.ranked.lists import Lists
from monitor.ranked.words import Words, tokenise
from monitor.text.terms import Terms

Groups = tuple[tuple[str, frozenset[str]], ...]


class Held(IntEnum):
    """What is known of the document at a rank."""

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
class Texts:
    """Texts by document, from which words and counts are made once and as far as needed.

    `given` maps documents to texts, or is what `tokenise` or `count_terms` made of them before.
    """

    given: Mapping[str, str | None] | Words | TermCounts
    #: What was counted last, for the next measure of the same lists.
    _counted: dict[Groups, TermCounts] = field(default_factory=dict, repr=False)

    @property
    def documents(self) -> tuple[str, ...]:
        """Every document of which something is known, or known to be missing."""
        return tuple(self.given) if isinstance(self.given, Mapping) else self.given.documents

    def only(self, documents: Iterable[str]) -> "Texts":
        """Some of the raw texts, with all that was and will be counted of them or of these."""
        if not isinstance(self.given, Mapping):
            raise TypeError("only raw texts can be divided")
        given = {key: self.given[key] for key in documents if key in self.given}
        return Texts(given, self._counted)

    def words(self, documents: Sequence[str]) -> tuple[Words, Ints]:
        """(words, (D,) the row of each document in them, -1 where nothing is known of it).

        Raises InvalidInput for counts, out of which nobody can tell the words.
        """
        if isinstance(self.given, TermCounts):
            raise InvalidInput("texts: counts of group terms are given where words are needed")
        words = self.given
        if not isinstance(words, Words):
            given = words
            words = tokenise((key, given[key]) for key in documents if key in given)
        return words, _rows(words.row_of, words.known, documents)

    def counts(self, documents: Sequence[str], terms: Terms) -> tuple[TermCounts, Ints]:
        """(counts, (D,) the row of each document in them, -1 where nothing is known of it).

        Raises InvalidInput for counts of other terms than these.
        """
        given = self.given
        if isinstance(given, TermCounts):
            counts = _in_order(given, terms)
            return counts, _rows(counts.row_of, counts.known, documents)
        present = [key for key in documents if key in given] if isinstance(given, Mapping) else []
        counted = self._counted.get(terms.groups)
        if counted is None or not counted.row_of.keys() >= set(present):
            if isinstance(given, Words):
                counted = counts_of_words(given, terms)
            else:
                counted = count_terms(((key, given[key]) for key in present), terms)
            self._counted[terms.groups] = counted
        return counted, _rows(counted.row_of, counted.known, documents)

    def magnitudes(self, lists: Lists, terms: Terms) -> Magnitudes:
        """Group terms at every rank of every list."""
        counts, row = self._of_lists(lists, terms)
        held, at = held_at(lists, row, counts.lengths)
        read = (held == Held.TEXT)[:, :, None]
        shape = (*lists.table.shape, len(terms.groups))
        if not len(counts.lengths):
            return Magnitudes(terms, np.zeros(shape, np.int64), np.zeros(shape[:2], np.int64), held)
        found = np.where(read, counts.counts[at], 0)
        return Magnitudes(terms, found, np.where(read[:, :, 0], counts.lengths[at], 0), held)

    def _of_lists(self, lists: Lists, terms: Terms) -> tuple[TermCounts, Ints]:
        """The same of those documents that stand in the table, which may have been cut off."""
        inside = np.zeros(len(lists.documents), np.bool_)
        inside[lists.table[lists.table >= 0]] = True
        chosen = np.flatnonzero(inside)
        whole = len(chosen) == len(inside)
        documents = lists.documents if whole else [lists.documents[at] for at in chosen.tolist()]
        counts, found = self.counts(documents, terms)
        row = np.full(len(inside), -1, np.int64)
        row[chosen] = found
        return counts, row


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


def _rows(row_of: Mapping[str, int], known: NDArray[np.bool_], documents: Sequence[str]) -> Ints:
    rows = np.fromiter(map(row_of.get, documents, repeat(-1)), np.int64, len(documents))
    if len(known):
        rows[(rows >= 0) & ~known[rows]] = -1
    return rows


def held_at(lists: Lists, row: Ints, lengths: Ints) -> tuple[NDArray[np.int8], Ints]:
    """((L, K) what is held at each rank, (L, K) its row; 0 where there is none)."""
    inside = lists.table >= 0
    if not len(row):
        return np.zeros(lists.table.shape, np.int8), np.zeros(lists.table.shape, np.int64)
    at = np.where(inside, row[lists.table], -1)
    held = np.where(inside, np.int8(Held.MISSING), np.int8(Held.NOTHING))
    found = np.maximum(at, 0)
    if len(lengths):
        full = np.where(lengths[found] > 0, np.int8(Held.TEXT), np.int8(Held.EMPTY))
        held = np.where(at >= 0, full, held)
    return held.astype(np.int8), found
