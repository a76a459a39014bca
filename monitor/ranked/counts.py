"""How often each group's terms stand in documents: texts in, stored counts out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from monitor.model import Ints
from monitor.ranked._term_scan import TermScan
from monitor.ranked.words import Words
from monitor.text.terms import Terms
from monitor.text.tokens import tokens

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
    known: list[bool] = []
    counts, lengths = [np.zeros((0, size), np.int64)], [np.zeros(0, np.int64)]
    for batch in _batches(texts.items() if isinstance(texts, Mapping) else texts):
        keys.extend(key for key, _ in batch)
        known.extend(text is not None for _, text in batch)
        found, tokens_of = _counted(batch, scan, group_of, size)
        counts.append(found)
        lengths.append(tokens_of)
    return TermCounts(
        tuple(keys), terms, np.concatenate(counts), np.concatenate(lengths), np.array(known, bool)
    )


def _batches(
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


def _counted(
    batch: Sequence[tuple[str, str | None]],
    scan: TermScan,
    group_of: Mapping[str, int],
    size: int,
) -> tuple[Ints, Ints]:
    """((D, G) number of terms, (D,) number of tokens)."""
    texts = [text or "" for _, text in batch]
    # texts in other alphabets are read one by one, and stand empty among the others
    other = [at for at, text in enumerate(texts) if not text.isascii()]
    plain = [text if text.isascii() else "" for text in texts] if other else texts
    counts, lengths = scan.count(plain)
    for at in other:
        found = tokens(texts[at])
        groups = [group_of[word] for word in found if word in group_of]
        counts[at] = np.bincount(groups, minlength=size) if groups else 0
        lengths[at] = len(found)
    return counts, lengths


def counts_of_words(words: Words, terms: Terms) -> TermCounts:
    """The same from words that were read before."""
    counts = np.stack(
        [words.counts(_chosen(words.vocabulary, group)) for _, group in terms.groups], axis=1
    )
    return TermCounts(words.documents, terms, counts, words.lengths, words.known)


def _chosen(vocabulary: Sequence[str], group: frozenset[str]) -> NDArray[np.bool_]:
    return np.fromiter((word in group for word in vocabulary), np.bool_, len(vocabulary))
