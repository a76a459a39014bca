"""Permutation tests of a lexicon: whether words expected towards women lie there.

The result is a one-tailed p: the share of all ways to split the words into lists of these sizes in
which the means lie at least as far apart as they do [Fabris et al. 2020, Tables A.4 to A.7]. The
observed split is one of them, so p is never 0.
"""

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import numpy as np

from monitor.lexicons.lexicon import GRID, Lexicon
from monitor.model import Floats, Ints

#: All splits are counted up to so many; of more, a sample is drawn.
MOST_SPLITS = 20_000_000
SAMPLE = 100_000

#: Splits that are drawn at once.
_DRAWN = 5_000

_BySize: TypeAlias = list[Ints]


@dataclass(frozen=True, slots=True)
class WordTest:
    """One published test with one of its word lists."""

    table: str
    sides: str
    list: str
    low: tuple[str, ...]  # expected towards men
    high: tuple[str, ...]  # expected towards women
    printed_p: float  # as the paper prints it

    @property
    def label(self) -> str:
        """The test with its word list."""
        return f"{self.table} {self.sides}, {self.list}"


@dataclass(frozen=True, slots=True)
class Split:
    """The distance of two lists, and the number of splits with at least this distance."""

    difference: float  # mean of the high words less that of the low ones
    n_ge: int  # splits with at least this difference, among those counted or drawn
    n: int  # splits counted or drawn
    n_splits: int  # all there are
    exact: bool

    @property
    def p(self) -> float:
        """(n_ge)/(n) over all splits; (b + 1)/(B + 1) over a sample."""
        return self.n_ge / self.n if self.exact else (self.n_ge + 1) / (self.n + 1)


@dataclass(frozen=True, slots=True)
class PermutationResult:
    """A test in one lexicon; no split where it knows no word of one list."""

    test: WordTest
    lexicon: str
    low: tuple[str, ...]  # as they are spelled in the lexicon
    high: tuple[str, ...]
    dropped: tuple[str, ...]
    split: Split | None


@cache
def published_tests() -> tuple[WordTest, ...]:
    """The tests of Tables A.4 to A.7, with every word list."""
    source = files("monitor.data").joinpath("lexicons", "permutation_tests.csv")
    rows = list(csv.DictReader(source.read_text(encoding="utf-8").splitlines()))
    words = {(row["table"], row["list"], row["side"]): tuple(row["words"].split()) for row in rows}
    return tuple(
        WordTest(
            row["table"],
            row["sides"],
            row["list"],
            words[row["table"], row["list"], "low"],
            words[row["table"], row["list"], "high"],
            float(row["paper_p"]),
        )
        for row in rows
        if row["side"] == "low"
    )


def words_of_tests() -> frozenset[str]:
    """All words of the published tests, as they are printed."""
    return frozenset(word for test in published_tests() for word in (*test.low, *test.high))


def run_test(test: WordTest, lexicon: Lexicon, seed: int = 0) -> PermutationResult:
    """A test in a lexicon. Words are looked up as printed, then in lower case."""
    low, high = _known_words(test.low, lexicon), _known_words(test.high, lexicon)
    dropped = tuple(
        word for word in (*test.low, *test.high) if not {word, word.lower()} & {*low, *high}
    )
    split = None
    if low and high:
        split = split_test(lexicon.scores(low), lexicon.scores(high), seed)
    return PermutationResult(test, lexicon.name, low, high, dropped, split)


def _known_words(words: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    spelled = (word if word in lexicon else word.lower() for word in words)
    return tuple(word for word in spelled if word in lexicon)


def split_test(low: Floats, high: Floats, seed: int = 0) -> Split:
    """One-tailed test that the mean of `high` is larger; exact up to MOST_SPLITS splits."""
    # whole numbers: sums are exact, and equal splits are equal
    scores = np.rint(np.concatenate([high, low]) * GRID).astype(np.int64)
    size = len(high)
    difference = float(np.mean(high) - np.mean(low))
    n_splits = math.comb(len(scores), size)
    if n_splits <= MOST_SPLITS:
        return Split(difference, _count_subsets(scores, size), n_splits, n_splits, exact=True)
    n_ge = _sample_splits(scores, size, seed)
    return Split(difference, n_ge, SAMPLE, n_splits, exact=False)


def _count_subsets(scores: Ints, size: int) -> int:
    """Subsets of this size with at least the sum of the first ones.

    The difference of the means grows with that sum. Subsets of either half of the words are listed
    and met, so that no more than about the root of all splits are looked at.
    """
    if 2 * size > len(scores):  # the others, with the least sum, are fewer
        scores, size = -scores[::-1], len(scores) - size
    threshold = int(scores[:size].sum())
    mixed = scores[np.argsort(scores, kind="stable")]
    first, second = _subset_sums(mixed[::2], size), _subset_sums(mixed[1::2], size)
    total = 0
    for taken, sums in enumerate(first):
        ordered = np.sort(sums)
        least = threshold - second[size - taken]
        total += int((len(ordered) - np.searchsorted(ordered, least)).sum())
    return total


def _subset_sums(scores: Ints, most: int) -> _BySize:
    """[sums of all subsets of 0 words, of 1 word, ...] up to `most` words."""
    if len(scores) <= 1:
        return [np.zeros(1, np.int64), *([scores] if len(scores) and most else [])]
    middle = len(scores) // 2
    left_sums, right_sums = _subset_sums(scores[:middle], most), _subset_sums(scores[middle:], most)
    return [
        np.concatenate(
            [
                np.add.outer(left_sums[i], right_sums[size - i]).ravel()
                for i in range(size + 1)
                if i < len(left_sums) and size - i < len(right_sums)
            ]
        )
        for size in range(min(most, len(scores)) + 1)
    ]


def _sample_splits(scores: Ints, size: int, seed: int) -> int:
    """Of SAMPLE random splits, those with at least the sum of the first words."""
    draw = np.random.default_rng(seed)
    threshold = scores[:size].sum()
    hits = 0
    for _ in range(SAMPLE // _DRAWN):
        keys = draw.random((_DRAWN, len(scores)))
        selection = np.argpartition(keys, size, axis=1)[:, :size]
        hits += int((scores[selection].sum(axis=1) >= threshold).sum())
    return hits
