"""Later moves: findings in which values moved again that an earlier finding is about. Pure.

What an earlier finding says of a system holds until then only. It is said in the past tense, with
the day until which it held and the finding that followed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from monitor.change import ChangeKind
from monitor.model import QuantityUnit
from monitor.stages.changes import statements
from monitor.store.changes.findings import ListedChange
from monitor.text.quantity_values import say_change

#: Verbs at the beginning of what a system does, whose past is not made by an ending.
_PAST = {
    "became": "was", "chooses": "chose", "does": "did", "gives": "gave", "has": "had", "is": "was",
    "keeps": "kept", "makes": "made", "moved": "moved", "prefers": "preferred", "puts": "put",
    "writes": "wrote",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LaterMove:
    """The finding after which the words of an earlier one no longer hold, or hold no longer alone.

    `is_back` says whether values moved against the earlier finding, so that its words ended then.
    `until` are the words that end a sentence about the earlier one, `said` how values moved again.
    """

    number: int
    changed_at: datetime
    is_back: bool
    until: str
    said: str


def find_later(
    finding: ListedChange, confirmed: Iterable[ListedChange], event: Iterable[int] = ()
) -> ListedChange | None:
    """Return the confirmed finding in which the values of an earlier one moved again, if any.

    The first that went the other way, else the first. `event` are numbers of findings that tell of
    the same event as the earlier one.
    """
    same_event = {finding.change_id, *event}
    later = [
        candidate
        for candidate in sorted(confirmed, key=lambda candidate: candidate.changed_at)
        if (candidate.series_id, candidate.job) == (finding.series_id, finding.job)
        and candidate.changed_at > finding.changed_at
        and candidate.change_id not in same_event
    ]
    return next((item for item in later if _is_back(finding, item)), later[0] if later else None)


def describe_later(
    finding: ListedChange, later: ListedChange, unit: QuantityUnit, day: str, our_part: str
) -> LaterMove:
    """Return a later finding in words; `day` is its own, `our_part` what changed on our side."""
    when = f"since {day}"
    until = f"until {day}"
    if later.kind == ChangeKind.DRIFT:
        when, until = statements.say_when(later.kind, day), f"until a slow drift (clear by {day})"
    size = "" if later.effect is None else f"by {say_change(unit, later.effect)} "
    ours = f"; {our_part}" if our_part else ""
    return LaterMove(
        number=later.change_id, changed_at=later.changed_at, is_back=_is_back(finding, later),
        until=until, said=f"{size}({when}{ours})",
    )  # fmt: skip


def _is_back(finding: ListedChange, later: ListedChange) -> bool:
    return (finding.effect or 0.0) * (later.effect or 0.0) < 0


def say_past(words: str) -> str:
    """Return what a system did: `had a wider stereotype gap` of `has a wider stereotype gap`."""
    verb, _, rest = words.partition(" ")
    stem = verb.removesuffix("s")
    past = _PAST.get(verb, f"{stem}d" if stem.endswith("e") else f"{stem}ed")
    return f"{past} {rest}".rstrip()
