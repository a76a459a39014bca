"""Reads sentences in both genders, and counts what came of the two sides."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from monitor.model import GenderClass, Language
from monitor.studies._mirror_sentences import Mirrored

_RIGHT = (GenderClass.MASCULINE, GenderClass.FEMININE)


class Outcome(StrEnum):
    """Result of reading the two sides of a sentence; the first that applies."""

    SWAPPED = "swapped"  # a side was read as the opposite gender
    BOTH = "both sides"
    MASCULINE_ONLY = "masculine only"  # read right on this side only
    FEMININE_ONLY = "feminine only"
    MIXED = "mixed"  # neither side right, and one at least shows both genders
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Reading:
    """The classes of both sides of a sentence."""

    sentence: Mirrored
    masculine: GenderClass
    feminine: GenderClass

    @property
    def outcome(self) -> Outcome:
        """Return the result of the two sides."""
        classes = (self.masculine, self.feminine)
        if self.masculine is _RIGHT[1] or self.feminine is _RIGHT[0]:
            return Outcome.SWAPPED
        right = (self.masculine is _RIGHT[0], self.feminine is _RIGHT[1])
        if any(right):
            return _OUTCOMES[right]
        unread = (GenderClass.NONE, GenderClass.UNIDENTIFIED)
        return Outcome.NEITHER if all(cls in unread for cls in classes) else Outcome.MIXED


_OUTCOMES = {
    (True, True): Outcome.BOTH,
    (True, False): Outcome.MASCULINE_ONLY,
    (False, True): Outcome.FEMININE_ONLY,
}


@dataclass(frozen=True, slots=True)
class Tally:
    """Number of sentences with each outcome."""

    counts: Mapping[Outcome, int]

    @property
    def n(self) -> int:
        return sum(self.counts.values())

    def share(self, *outcomes: Outcome) -> float | None:
        """Return the share of some outcomes; None of nothing."""
        return sum(self.counts[outcome] for outcome in outcomes) / self.n if self.n else None

    @property
    def one_sided(self) -> float | None:
        """The share that was read on one side only."""
        return self.share(Outcome.MASCULINE_ONLY, Outcome.FEMININE_ONLY)

    @property
    def swapped(self) -> float | None:
        return self.share(Outcome.SWAPPED)


def read_both(language: Language, sentences: Iterable[Mirrored]) -> list[Reading]:
    """Return the classes of both sides of each sentence."""
    return [
        Reading(
            sentence,
            language.signal(sentence.masculine).cls,
            language.signal(sentence.feminine).cls,
        )
        for sentence in sentences
    ]


def count_outcomes(readings: Sequence[Reading]) -> Tally:
    """Count outcomes."""
    counts = Counter(reading.outcome for reading in readings)
    return Tally({outcome: counts[outcome] for outcome in Outcome})
