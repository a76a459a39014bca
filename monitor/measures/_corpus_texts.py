"""The texts of questions as one corpus: units in, documents that count once, as words, out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from monitor.corpus.vocabulary import Vocabulary
from monitor.model import Ints, Unit
from monitor.text.tokens import tokens

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """D documents of other words each, of N tokens that are in the vocabulary.

    `owner` (D,) is the question that a document counts for, by its place among the sorted `keys`:
    of several questions the first. `tokens` (N,) are numbers of the vocabulary, document d is
    `tokens[offsets[d]:offsets[d + 1]]`. `held` are the documents of each unit, in the order in
    which units were given. `repeats` came again with the same words, `missing` could not be read,
    `empty` hold no word. `counts` is how often every word occurs, the rare ones too.
    """

    keys: Words
    vocabulary: Vocabulary
    counts: Mapping[str, int]
    tokens: Ints
    offsets: Ints
    owner: Ints
    held: tuple[Ints, ...]
    repeats: int
    missing: int
    empty: int

    @property
    def documents(self) -> int:
        """How many texts there are, each counted once."""
        return len(self.owner)


def corpus_of(units: Sequence[Unit], min_count: int) -> Corpus:
    """The texts of questions, each once, with the words that occur at least so often in them.

    Rarer words are taken out before pairs are counted, so that their neighbours move together. The
    order of the units decides nothing but that of `held`, and that of their texts nothing.
    """
    texts = [_texts(unit) for unit in units]
    keys = tuple(sorted({unit.key for unit in units}))
    place = {key: at for at, key in enumerate(keys)}
    number: dict[Words, int] = {}
    owner: list[int] = []
    held: list[Ints] = [np.zeros(0, np.int64)] * len(units)
    for at in sorted(range(len(units)), key=lambda at: units[at].key):
        for words in texts[at]:
            if words and words not in number:
                number[words] = len(number)
                owner.append(place[units[at].key])
        held[at] = np.unique(np.array([number[one] for one in texts[at] if one], np.int64))
    every = [words for some in texts for words in some]
    counts = Counter(word for words in number for word in words)
    vocabulary = _frequent(counts, min_count)
    flat, offsets = _numbered(number, vocabulary)
    missing, empty = every.count(None), every.count(())
    return Corpus(
        keys, vocabulary, counts, flat, offsets, np.array(owner, np.int64), tuple(held),
        len(every) - missing - empty - len(number), missing, empty,
    )  # fmt: skip


def _texts(unit: Unit) -> list[Words | None]:
    """The words of every document of every list, by their keys; None where nobody could read them.

    By keys and not by words, so that texts with women and men exchanged are drawn alike.
    """
    documents = (one for some in unit.documents for one in some or ())
    return [
        None if one.text is None else tuple(tokens(one.text))
        for one in sorted(documents, key=attrgetter("key"))
    ]


def _frequent(counts: Mapping[str, int], min_count: int) -> Vocabulary:
    known = sorted((-n, word) for word, n in counts.items() if n >= min_count)
    return Vocabulary(tuple(word for _, word in known), np.array([-n for n, _ in known], np.int64))


def _numbered(documents: Iterable[Words], vocabulary: Vocabulary) -> tuple[Ints, Ints]:
    """(numbers of the tokens that are in the vocabulary, where each document begins)."""
    ids = vocabulary.ids
    found = [[ids[word] for word in words if word in ids] for words in documents]
    offsets = np.cumsum([0, *map(len, found)], dtype=np.int64)
    return np.array([one for some in found for one in some], np.int64), offsets
