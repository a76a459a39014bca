"""The cause of a change: circumstances of two runs in, a cause and its reasons out. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.change import Cause
from monitor.model import Json
from monitor.stages.changes.statements import CONTROL_COUNTED, SOFTWARE_CHANGED
from monitor.stats.chance import hypergeometric_law
from monitor.store.changes.comparisons import TestedComparison

#: Of the way from circumstances to causes: goes up whenever another cause can come out.
VERSION = 2
#: A control has moved where this is the chance of its flips, whichever way they go, or of as many
#: flips by its own noise,
_MOVED = 0.05
#: or where its answers changed this often beside those of the system that was found to change: what
#: moved them could have made that part of the change.
_MOVED_PART = 0.1
#: Begins what is said of audits, which are of the answers of several systems.
AUDIT_FELL = "The audit of our own reading fell"

#: (answers that changed, answers compared) of two askings.
Flips = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Control:
    """The pinned engine beside: how many of its answers to the same questions changed.

    `n` answers were compared and `changed` differ; `p` is that of the quantity. `noise` are its
    flips between earlier ticks and their noise runs, `steps` those from tick to tick.
    """

    label: str
    n: int
    changed: int
    p: float | None
    noise: Sequence[Flips] = ()
    steps: Sequence[Flips] = ()

    def moved(self, share: float) -> bool:
        """Whether it changed beyond its own noise, beside a system of which this share changed.

        Where as large a share of its answers changed between two askings of the same week, only a
        direction (`p`) is a move. Where its noise does not reach that far, or was not measured, it
        is also one if it could have made a good part of the system's change.
        """
        if not self.changed:
            return False
        if (self.p is not None and self.p <= _MOVED) or self._is_beyond(self.noise or self.steps):
            return True
        if self.noise and self.changed / self.n <= max(k / n for k, n in self.noise):
            return False
        return self.p is None or self.changed >= _MOVED_PART * share * self.n

    def _is_beyond(self, quiet: Sequence[Flips]) -> bool:
        """Whether more answers changed than between quiet runs: Fisher's exact test, one side."""
        changed, n = sum(k for k, _ in quiet), sum(n for _, n in quiet)
        if not n:
            return False
        law = hypergeometric_law(n + self.n, changed + self.changed, self.n)
        return float(law[self.changed :].sum()) <= _MOVED

    def __str__(self) -> str:
        changed = f"{self.changed:,} of {self.n:,} {CONTROL_COUNTED} {self.label} changed"
        if self.noise:
            return f"{changed}; between two askings of the same week {_say_range(self.noise)} did"
        if self.steps:
            return f"{changed}; between earlier ticks {_say_range(self.steps)} did"
        return f"{changed}; how many change between two askings was not measured"


def _say_range(quiet: Sequence[Flips]) -> str:
    """`3 to 6 of 224`, or `none`; in per cent where not as many were compared each time."""
    if not any(k for k, _ in quiet):
        return "none"
    sizes = {n for _, n in quiet}
    if len(sizes) == 1:
        low, high = min(k for k, _ in quiet), max(k for k, _ in quiet)
        return f"{low:,}{f' to {high:,}' if high > low else ''} of {sizes.pop():,}"
    shares = [100 * k / n for k, n in quiet]
    low_said, high_said = f"{min(shares):.1f}", f"{max(shares):.1f}"
    return f"{low_said}{f' to {high_said}' if high_said != low_said else ''} %"


def is_less(beside: TestedComparison, change: TestedComparison) -> bool:
    """Return whether what two versions of our software differ by does not explain a change.

    They differ by nothing that a test shows, and by less than the change whatever is true of both:
    the interval of the change lies beyond theirs.
    """
    if beside.p is None or beside.p <= _MOVED or None in (beside.low, beside.high):
        return False
    if change.delta > 0:
        return change.low is not None and beside.high is not None and beside.high < change.low
    return change.high is not None and beside.low is not None and beside.low > change.high


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Facts about two ticks beside the answers.

    `software` are the differences of what asked, `cleared` why the change does not come from them,
    `doubted` what else was seen of them.
    """

    controls: Sequence[Control] = ()
    changed_share: float = 1.0  # of the answers of the system itself
    engine_said: Sequence[str] = ()  # in what the engine says another thing of itself
    lists: tuple[str, str] = ("", "")  # versions of the list
    only_before: int = 0
    only_after: int = 0
    controls_changed: Sequence[str] = ()  # labels of controls whose library or model is another
    audits_fell: Sequence[str] = ()  # audits that put the rules of this language in doubt then
    software: Sequence[str] = ()
    cleared: str = ""
    doubted: str = ""


def attribute_change(known: Circumstances) -> tuple[Cause, str]:
    """(cause, why in sentences) of a change between two sets of answers to the same questions.

    Both were read by the same versions of everything of ours and held against the same shares, so
    that parser, lexicon, labels and target are none of the causes here.
    """
    why = [
        "The same questions, read by the same versions of parser, rules and shares on both sides."
    ]
    if known.lists[0] != known.lists[1]:
        why.append(
            f"The list went from {known.lists[0]} to {known.lists[1]}: questions of one alone are "
            f"left out ({known.only_before} before, {known.only_after} after)."
        )
    if known.engine_said:
        why.append(f"The engine says another thing of itself: {', '.join(known.engine_said)}.")
    cause, sentences = _by_ours(known)
    return cause, " ".join([*why, *sentences])


def _by_ours(known: Circumstances) -> tuple[Cause, list[str]]:
    """By what is ours: controls, audits, and the software that asks."""
    if known.controls_changed:
        labels = ", ".join(sorted(known.controls_changed))
        return Cause.INSTRUMENT, [f"The control is not what it was (library or model): {labels}."]
    moved = [control for control in known.controls if control.moved(known.changed_share)]
    if moved:
        return Cause.INSTRUMENT, [f"The control moved as well: {control}." for control in moved]
    if known.audits_fell:
        return Cause.INSTRUMENT, [f"{AUDIT_FELL}: {'; '.join(known.audits_fell)}."]
    sentences = [f"{control}." for control in known.controls] or [
        "No pinned control was asked beside it."
    ]
    if known.software:
        sentences.append(f"{SOFTWARE_CHANGED}: {', '.join(known.software)}.")
        sentences.append(known.cleared or known.doubted or NOT_BESIDE)
    is_ours_clear = not known.software or bool(known.cleared)
    return (Cause.ENGINE if known.controls and is_ours_clear else Cause.OPEN), sentences


#: Said where nothing tells what the new software does.
NOT_BESIDE = "The old and the new software were not asked side by side."


#: The cause of a difference in a part of a signature.
_PARTS = {
    "parser": Cause.PARSER,
    "parser_version": Cause.PARSER,
    "extractors": Cause.PARSER,
    "block": Cause.PARSER,
    "text": Cause.PARSER,
    "language": Cause.LANGUAGE,
    "language_version": Cause.LANGUAGE,
    "nouns": Cause.LANGUAGE,
    "cue": Cause.LANGUAGE,
    "lexicons": Cause.LEXICON,
    "measure": Cause.MEASURE,
    "measure_version": Cause.MEASURE,
    "parameters": Cause.MEASURE,
    "list": Cause.LIST,
    "reference": Cause.TARGET,
    "reference_version": Cause.TARGET,
    "labels": Cause.LABELS,
    "mapping": Cause.LABELS,
}


def list_differences(
    before: Mapping[str, Json], after: Mapping[str, Json]
) -> list[tuple[Cause, str, str, str]]:
    """(cause, part, before, after) of every part in which two signatures differ."""
    return [
        (_PARTS.get(part, Cause.MEASURE), part, _shown(before.get(part)), _shown(after.get(part)))
        for part in sorted({*before, *after})
        if before.get(part) != after.get(part)
    ]


def _shown(value: Json) -> str:
    return "none" if value is None else str(value)
