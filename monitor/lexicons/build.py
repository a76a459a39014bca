"""From a file of vectors to a lexicon, and to vectors for rankers, in bounded memory.

The file is read twice: once until the words of all pairs have passed by, which in files sorted by
frequency is soon, and once for the scores.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np

from monitor.input_files import open_table
from monitor.lexicons.direction import (
    PAIRS,
    Debiasing,
    GenderDirection,
    Pair,
    PairWords,
    VectorChange,
    unit_rows,
)
from monitor.lexicons.lexicon import Lexicon, assemble_lexicon
from monitor.lexicons.permutation import words_of_tests
from monitor.lexicons.ranker_vectors import VectorWriter
from monitor.lexicons.vectors import Rows, VectorBlock, VectorSource
from monitor.model import Floats, InvalidInput, Json
from monitor.text.tokens import is_word, tokens
from monitor.whole_files import write_whole

#: (what is being done, rows done, rows in all where the file says so)
Progress: TypeAlias = Callable[[str, int, int | None], None]

_LEAST_LETTERS = 2

#: Digits of the direction and its variances in a description; more would differ by machine.
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class LexiconOrder:
    """The name, language and options of a lexicon that is to be made."""

    name: str
    language: str = "en"
    pairs: tuple[Pair, ...] = PAIRS
    every_word: bool = False
    changes: tuple[VectorChange, ...] = ()


@dataclass(slots=True)
class _Sieve:
    """Passes each usable word once, and counts what it leaves out."""

    every_word: bool
    left_out: Counter[str] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)
    n_rows: int = 0
    cased: bool = False
    _kept_anyway: frozenset[str] = field(default_factory=words_of_tests)

    def pass_rows(self, block: VectorBlock) -> tuple[list[str], Rows]:
        """The rows that count."""
        self.n_rows += len(block.words) + block.undecodable
        self.left_out["undecodable"] += block.undecodable
        self.cased = self.cased or any(word != word.lower() for word in block.words)
        full = (block.rows != 0).any(axis=1)
        places = []
        for index, word in enumerate(block.words):
            if not self._is_usable(word):
                self.left_out["unusable"] += 1
            elif not full[index]:
                self.left_out["zero"] += 1
            elif word in self.seen:
                self.left_out["duplicate"] += 1
            else:
                self.seen.add(word)
                places.append(index)
        return [block.words[index] for index in places], block.rows[places]

    def _is_usable(self, word: str) -> bool:
        """Return whether a text could ever ask for the word: it is its own only token."""
        if self.every_word:
            return bool(word) and "\n" not in word
        if word.isascii() and word.isalpha():  # nearly all words, and quicker than the rule below
            plain = word.islower() and len(word) >= _LEAST_LETTERS
            return plain or word in self._kept_anyway
        return is_word(word) and tokens(word) == [word]


def build_lexicon(
    source: VectorSource,
    order: LexiconOrder,
    writers: dict[VectorChange, VectorWriter],
    progress: Progress,
) -> Lexicon:
    """The lexicon of a file of vectors; changed vectors go to the writers.

    Raises InvalidInput naming file and line, or the pairs that are missing.
    """
    pairs = PairWords(order.pairs)
    for done, block in _count_rows(source):
        pairs.offer(block.words, block.rows)
        progress("looking for the pairs", done, source.declared)
        if pairs.complete:
            break
    while True:
        direction = pairs.direction()
        sieve = _Sieve(order.every_word)
        words, scores = _score_words(source, direction, pairs, sieve, writers, progress)
        if pairs.direction().pairs == direction.pairs:
            break
        # the spelling that the pairs are given in came later in the file than the other one
        for writer in writers.values():
            writer.restart()
    progress("writing", sieve.n_rows, sieve.n_rows)
    meta = _describe_lexicon(source, order, direction, sieve)
    lexicon = assemble_lexicon(order.name, order.language, words, scores, meta)
    for change, writer in writers.items():
        writer.close(order.language, {**meta, "change": str(change), "length": "unit"})
    return lexicon


def _count_rows(source: VectorSource) -> Iterator[tuple[int, VectorBlock]]:
    done = 0
    for block in source.blocks():
        done += len(block.words) + block.undecodable
        yield done, block


def _score_words(
    source: VectorSource,
    found: GenderDirection,
    pairs: PairWords,
    sieve: _Sieve,
    writers: dict[VectorChange, VectorWriter],
    progress: Progress,
) -> tuple[list[str], Floats]:
    """Words and their scores; rows go to the writers on the way."""
    debiasings = [(Debiasing.of(change, found, pairs.vectors), w) for change, w in writers.items()]
    words: list[str] = []
    scores: list[Floats] = []
    for done, block in _count_rows(source):
        pairs.offer(block.words, block.rows)
        words_passed, raw = sieve.pass_rows(block)
        rows = unit_rows(raw)
        scores.append(rows @ found.vector)
        words += words_passed
        for debiasing, writer in debiasings:
            writer.write(words_passed, debiasing.rows(words_passed, rows))
        progress("computing scores", done, source.declared)
    return words, np.concatenate([np.empty(0), *scores])


def _describe_lexicon(
    source: VectorSource, order: LexiconOrder, found: GenderDirection, sieve: _Sieve
) -> dict[str, Json]:
    return {
        "source": source.name,
        "format": source.format,
        "files": source.hashes(),
        "dimensions": source.dimensions,
        "rows": sieve.n_rows,
        "words": len(sieve.seen),
        "left_out": {
            why: sieve.left_out[why] for why in ("unusable", "duplicate", "zero", "undecodable")
        },
        "every_word": order.every_word,
        "cased": sieve.cased,
        "pairs": _list_pairs(found.pairs),
        "lowered": _list_pairs(found.lowered),
        "missing": _list_pairs(found.missing),
        "explained_variance": [round(share, _DIGITS) for share in found.variance],
        "direction": [round(float(part), _DIGITS) for part in found.vector],
    }


def _list_pairs(pairs: Sequence[Pair]) -> list[list[str]]:
    return [list(pair) for pair in pairs]


@contextmanager
def write_lexicon(
    source: VectorSource, order: LexiconOrder, paths: dict[VectorChange, Path], progress: Progress
) -> Iterator[Lexicon]:
    """The lexicon; the files of vectors appear when the block ends well, all or none before."""
    with ExitStack() as stack:
        files = {change: stack.enter_context(write_whole(path)) for change, path in paths.items()}
        writers = {c: VectorWriter(file, source.dimensions) for c, file in files.items()}
        yield build_lexicon(source, order, writers, progress)


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """Pairs of a CSV file with the columns female and male. Raises InvalidInput."""
    with open_table(path, fill=True) as table:
        if not {"female", "male"} <= set(table.columns):
            raise InvalidInput(f"{path}: columns female and male are needed, filled in each row")
        pairs = tuple((row["female"].strip(), row["male"].strip()) for _, row in table.records())
    for number, pair in enumerate(pairs, start=2):
        if not all(pair) or pair[0].lower() == pair[1].lower():
            raise InvalidInput(f"{path}: line {number}: {pair!r} is no pair of two words")
    return pairs
