"""What a change is put down to: what stood still and what did not in, a cause and why out. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.change import Cause
from monitor.model import Json

#: A control has moved where this is the chance of its flips, whichever way they go,
_MOVED = 0.05
#: or where its answers changed this often beside those of the system that was found to change: what
#: moved them could have made that part of the change.
_MOVED_PART = 0.1
#: Begins what is said of audits, which are of the answers of several systems.
AUDIT_FELL = "The audit of our own reading fell"


@dataclass(frozen=True, slots=True)
class Control:
    """The pinned engine beside: how many of its answers to the same questions are others now."""

    label: str
    n: int
    changed: int
    p: float | None

    def moved(self, share: float) -> bool:
        """Whether it did not stand still beside a system of whose answers this share changed."""
        if not self.changed:
            return False
        return self.p is None or self.p <= _MOVED or self.changed >= _MOVED_PART * share * self.n


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known of two ticks beside the answers."""

    controls: Sequence[Control] = ()
    changed_share: float = 1.0  # of the answers of the system itself
    said_before: frozenset[str] = frozenset()  # what the engine said of itself: model, version
    said_after: frozenset[str] = frozenset()
    lists: tuple[str, str] = ("", "")  # versions of the list
    only_before: int = 0
    only_after: int = 0
    controls_changed: Sequence[str] = ()  # labels of controls whose library or model is another
    audits_fell: Sequence[str] = ()  # audits that put the rules of this language in doubt then


def attribute(known: Circumstances) -> tuple[Cause, str]:
    """(cause, why in sentences) of a change between two sets of answers to the same questions.

    Both were read by the same versions of everything of ours and held against the same shares, so
    that parser, lexicon and target are none of the causes here.
    """
    why = []
    same = "The same questions, read by the same versions of parser, rules and shares on both sides"
    why.append(f"{same}.")
    if known.lists[0] != known.lists[1]:
        why.append(
            f"The list went from {known.lists[0]} to {known.lists[1]}: questions of one alone are "
            f"left out ({known.only_before} before, {known.only_after} after)."
        )
    if known.said_before != known.said_after and (known.said_before or known.said_after):
        why.append(
            f"The engine says another thing of itself: {_said(known.said_before)} before, "
            f"{_said(known.said_after)} after."
        )
    cause, said = _by_controls(known)
    return cause, " ".join([*why, said])


def _by_controls(known: Circumstances) -> tuple[Cause, str]:
    if known.controls_changed:
        labels = ", ".join(sorted(known.controls_changed))
        return Cause.INSTRUMENT, f"The control is not what it was (library or model): {labels}."
    moved = [one for one in known.controls if one.moved(known.changed_share)]
    if moved:
        named = "; ".join(f"{one.label}: {one.changed} of {one.n} answers" for one in moved)
        return Cause.INSTRUMENT, f"The control moved as well: {named}."
    if known.audits_fell:
        said = "; ".join(known.audits_fell)
        return Cause.INSTRUMENT, f"{AUDIT_FELL}: {said}."
    if not known.controls:
        return Cause.OPEN, "No pinned control was asked beside it."
    named = "; ".join(f"{one.label}: {one.changed} of {one.n} answers" for one in known.controls)
    return Cause.ENGINE, f"The control stood still ({named} changed)."


def _said(some: frozenset[str]) -> str:
    return ", ".join(sorted(some)) or "nothing"


#: Which part of a signature a difference is put down to.
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


def differences(
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
