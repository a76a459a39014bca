"""Precision and recall of a language on labelled texts, with intervals and every error.

The input is a CSV file with language, translation and gold label (M, F or N). There is one score
per language and one over all. What is neither masculine nor feminine counts as N.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from monitor.model import GenderClass, InvalidInput, Language
from monitor.stats.intervals import wilson
from monitor.studies._gest_files import read_csv_rows

LABELS = ("M", "F", "N")
_MARKED = ("M", "F")
_AS_LABEL = {GenderClass.MASCULINE: "M", GenderClass.FEMININE: "F"}


@dataclass(frozen=True, slots=True)
class Proportion:
    """A proportion with its Wilson interval; a proportion of nothing has no value."""

    hits: int
    of: int

    @property
    def value(self) -> float | None:
        """hits/of."""
        return self.hits / self.of if self.of else None

    @property
    def limits(self) -> tuple[float, float] | None:
        """Wilson interval at 95 %."""
        if not self.of:
            return None
        low, high = wilson(self.hits, self.of)
        return float(low), float(high)


@dataclass(frozen=True, slots=True)
class Error:
    """A text that was read otherwise than it is labelled."""

    language: str
    line: int
    gold: str
    found: GenderClass
    rule: str
    text: str


@dataclass(slots=True)
class LabelScore:
    """Counts of (gold, found) over the texts of one language, or of all."""

    language: str
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    classes: Counter[GenderClass] = field(default_factory=Counter)

    def count(self, gold: tuple[str, ...], found: tuple[str, ...]) -> int:
        """Number of texts with one of these labels that were read as one of those."""
        return sum(self.confusion[g, f] for g in gold for f in found)

    def _make_share(self, labels: tuple[str, ...]) -> int:
        return sum(self.confusion[label, label] for label in labels)

    def precision(self, labels: tuple[str, ...] = _MARKED) -> Proportion:
        """Of the texts that were read as one of these, how many are labelled so."""
        return Proportion(self._make_share(labels), self.count(LABELS, labels))

    def recall(self, labels: tuple[str, ...] = _MARKED) -> Proportion:
        """Of the texts with one of these labels, how many were read so."""
        return Proportion(self._make_share(labels), self.count(labels, LABELS))

    @property
    def swapped(self) -> int:
        """Masculine taken for feminine and the reverse."""
        return self.confusion["M", "F"] + self.confusion["F", "M"]

    @property
    def false_positives(self) -> Proportion:
        """Of the texts labelled N, how many were read as masculine or feminine."""
        return Proportion(self.count(("N",), _MARKED), self.count(("N",), LABELS))


@dataclass(frozen=True, slots=True)
class LabelledScores:
    """Scores by language, over all, every error, and what was left out."""

    scores: tuple[LabelScore, ...]
    pooled: LabelScore
    errors: tuple[Error, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)


def score_labelled_texts(
    path: Path, column: str, resolve: Callable[[str], Language | None]
) -> LabelledScores:
    """Read every text of a labelled CSV and compare.

    `column` holds the labels. Raises InvalidInput naming file and line.
    """
    scores: dict[str, LabelScore] = {}
    pooled, errors, left_out = LabelScore("all"), list[Error](), defaultdict[str, int](int)
    languages: dict[str, Language | None] = {}
    for line, tag, text, gold in _read_labelled_rows(path, column):
        if tag not in languages:
            languages[tag] = resolve(tag)
        language = languages[tag]
        if language is None:
            left_out[tag] += 1
            continue
        signal = language.signal(text)
        label = _AS_LABEL.get(signal.cls, "N")
        for tally in (scores.setdefault(tag, LabelScore(tag)), pooled):
            tally.confusion[gold, label] += 1
            tally.classes[signal.cls] += 1
        if label != gold:
            rule = signal.rule or "; ".join(dict.fromkeys(w.rule for w in signal.witnesses))
            errors.append(Error(tag, line, gold, signal.cls, rule, text))
    if not scores and not left_out:
        raise InvalidInput(f"{path}: no labelled texts")
    ordered = tuple(scores[tag] for tag in sorted(scores))
    return LabelledScores(ordered, pooled, tuple(errors), dict(left_out))


def _read_labelled_rows(path: Path, column: str) -> Iterator[tuple[int, str, str, str]]:
    rows = read_csv_rows(path, ("language", "translation", column))
    for number, row in enumerate(rows, start=1):
        gold = row[column].strip().upper()
        if gold not in LABELS:
            raise InvalidInput(
                f"{path}: row {number}: {column} is {row[column]!r}; it must be M, F or N"
            )
        yield number, row["language"].strip(), row["translation"], gold
