"""Reads sentences in both genders, and counts what came of the two sides."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from monitor.model import GenderClass, Language
from monitor.studies._mirror_sentences import Mirrored

_RIGHT = (GenderClass.MASCULINE, GenderClass.FEMININE)


class MirrorOutcome(StrEnum):
    """Result of reading the two sides of a sentence; the first that applies."""

    SWAPPED = "swapped"  # a side was read as the opposite gender
    BOTH = "both sides"
    MASCULINE_ONLY = "masculine only"  # read right on this side only
    FEMININE_ONLY = "feminine only"
    MIXED = "mixed"  # neither side right, and one at least shows both genders
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class MirrorReading:
    """The classes of both sides of a sentence."""

    sentence: Mirrored
    masculine: GenderClass
    feminine: GenderClass

    @property
    def outcome(self) -> MirrorOutcome:
        """Return the result of the two sides."""
        classes = (self.masculine, self.feminine)
        if self.masculine is _RIGHT[1] or self.feminine is _RIGHT[0]:
            return MirrorOutcome.SWAPPED
        right = (self.masculine is _RIGHT[0], self.feminine is _RIGHT[1])
        if any(right):
            return _OUTCOMES[right]
        unread = (GenderClass.NONE, GenderClass.UNIDENTIFIED)
        return (
            MirrorOutcome.NEITHER if all(cls in unread for cls in classes) else MirrorOutcome.MIXED
        )


_OUTCOMES = {
    (True, True): MirrorOutcome.BOTH,
    (True, False): MirrorOutcome.MASCULINE_ONLY,
    (False, True): MirrorOutcome.FEMININE_ONLY,
}


@dataclass(frozen=True, slots=True)
class MirrorTally:
    """Number of sentences with each outcome."""

    counts: Mapping[MirrorOutcome, int]

    @property
    def n(self) -> int:
        return sum(self.counts.values())

    def share(self, *outcomes: MirrorOutcome) -> float | None:
        """Return the share of some outcomes; None of nothing."""
        return sum(self.counts[outcome] for outcome in outcomes) / self.n if self.n else None

    @property
    def one_sided(self) -> float | None:
        """The share that was read on one side only."""
        return self.share(MirrorOutcome.MASCULINE_ONLY, MirrorOutcome.FEMININE_ONLY)

    @property
    def swapped(self) -> float | None:
        return self.share(MirrorOutcome.SWAPPED)


def read_both(language: Language, sentences: Iterable[Mirrored]) -> list[MirrorReading]:
    """Return the classes of both sides of each sentence."""
    return [
        MirrorReading(
            sentence,
            language.signal(sentence.masculine).cls,
            language.signal(sentence.feminine).cls,
        )
        for sentence in sentences
    ]


def count_outcomes(readings: Sequence[MirrorReading]) -> MirrorTally:
    """Count outcomes."""
    counts = Counter(reading.outcome for reading in readings)
    return MirrorTally({outcome: counts[outcome] for outcome in MirrorOutcome})
