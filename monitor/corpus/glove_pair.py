"""GloVe with both of its vectors: files in, vectors of words and of contexts out.

First order needs both: eGloVe(w, c) = v_w . u_c, without the bias terms. Files that are published
mostly hold their sum or the vectors of words alone, of which it cannot be had. GloVe writes both
with `-model 0` (each row: word, d numbers, its bias, d numbers of the context, its bias) and
newer versions with `-model 3` (word, d numbers, d numbers); two files, one of words and one of
contexts, do as well. How many dimensions there are has to be said, for a row does not tell.

initGloVe(w, c) = log p(w|c) = log( n_wc / n_c ) is what GloVe learns from, and is made of counts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from monitor.corpus.cooccurrences import Cooccurrences
from monitor.corpus.factors import Factors
from monitor.corpus.pmi import expected_of, ids, pairs, pmi, refuse_empty
from monitor.lexicons.source import Rows, header_of, reading
from monitor.lexicons.text_vectors import TextVectors
from monitor.model import Floats, InvalidInput

_REMEDY = (
    "first order needs context vectors as well: write them with GloVe's options `-model 0 "
    "-write-header 0`, or give the file of context vectors as a second one"
)


def read_glove(path: Path, dimensions: int, contexts: Path | None = None) -> Factors:
    """Both vectors of a file, or those of a file of words and one of contexts.

    Raises InvalidInput naming the file and what it lacks.
    """
    words, rows = _read(path)
    if contexts is not None:
        return _joined(path, words, rows, contexts, dimensions)
    width = rows.shape[1]
    if width == 2 * dimensions + 2:
        return Factors(words, rows[:, :dimensions], rows[:, dimensions + 1 : -1])
    if width == 2 * dimensions:
        return Factors(words, rows[:, :dimensions], rows[:, dimensions:])
    if width == dimensions:
        raise InvalidInput(f"{path}: one vector of {width:,} numbers a word; {_REMEDY}")
    raise InvalidInput(
        f"{path}: {width:,} numbers a word; with {dimensions:,} dimensions it would be "
        f"{2 * dimensions + 2:,} (-model 0) or {2 * dimensions:,} (-model 3): say how many "
        "dimensions the vectors have"
    )


def _joined(
    path: Path, words: Sequence[str], rows: Rows, contexts: Path, dimensions: int
) -> Factors:
    """Words that are in both files, in the order of the first."""
    others, columns = _read(contexts)
    for file, found in ((path, rows), (contexts, columns)):
        if found.shape[1] != dimensions:
            raise InvalidInput(
                f"{file}: {found.shape[1]:,} numbers a word, {dimensions:,} expected"
            )
    places = {word: at for at, word in enumerate(others)}
    shared = [at for at, word in enumerate(words) if word in places]
    if not shared:
        raise InvalidInput(f"{contexts}: no word of {path} is in it: are they of one model?")
    kept = [words[at] for at in shared]
    return Factors(kept, rows[shared], columns[[places[word] for word in kept]])


def _read(path: Path) -> tuple[list[str], Rows]:
    """Words and all their numbers; of a word that comes twice the first row counts."""
    with reading(path) as file:
        form = "glove" if header_of(file.readline()) is None else "text"
    found: dict[str, None] = {}
    kept = []
    for block in TextVectors.opened(path, form).blocks():
        new = []
        for at, word in enumerate(block.words):
            if word not in found:
                found[word] = None
                new.append(at)
        kept.append(block.rows[new])
    return list(found), np.concatenate(kept)


@dataclass(frozen=True, slots=True)
class InitGlove:
    """log p(w|c). A pair that never occurred has no value, and no stand-in: log 0."""

    counts: Cooccurrences
    unseen: ClassVar[float | None] = None

    def __post_init__(self) -> None:
        refuse_empty(self.counts)

    @property
    def words(self) -> Sequence[str]:
        return self.counts.vocabulary.words

    def known(self, words: Iterable[str]) -> list[str]:
        return self.counts.vocabulary.known(words)

    def values(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        found = pairs(self.counts, ids(self.counts, words), ids(self.counts, contexts))
        totals = self.counts.row_totals[ids(self.counts, contexts)]
        return pmi(found, np.broadcast_to(totals, found.shape))

    def expected(self, words: Sequence[str], contexts: Sequence[str]) -> Floats:
        return expected_of(self.counts, words, contexts)
