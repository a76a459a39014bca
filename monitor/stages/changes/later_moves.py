"""Later moves: findings in which values moved again that an earlier finding is about. Pure.

What an earlier finding says of a system holds until then only. It is said in the past tense, with
the day until which it held and the finding that followed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from monitor.change import ChangeKind, Status
from monitor.model import QuantityUnit
from monitor.stages.changes import statements
from monitor.stages.document.notation import capitalize_first
from monitor.store.changes.findings import ListedChange
from monitor.text.quantity_values import say_change

#: Verbs at the beginning of what a system does, whose past is not made by an ending.
_PAST = {
    "became": "was", "chooses": "chose", "does": "did", "gives": "gave", "has": "had", "is": "was",
    "keeps": "kept", "makes": "made", "moved": "moved", "prefers": "preferred", "puts": "put",
    "writes": "wrote",
}  # fmt: skip


#: Standard deviations of the runs before within which a change is usual.
_USUAL = 2.0


@dataclass(frozen=True, slots=True)
class LaterMove:
    """The finding after which the words of an earlier one no longer hold, or hold no longer alone.

    `is_back` says whether values moved against the earlier finding, so that its words ended then.
    `until` are the words that end a sentence about the earlier one, empty where the later one is
    not decided; `said` is how values moved again, or what more runs have to decide.
    """

    number: int
    changed_at: datetime
    is_decided: bool
    is_back: bool
    until: str
    said: str

    @property
    def sentence(self) -> str:
        """Return how values moved again, as it stands alone."""
        return capitalize_first(self.said)


#: Findings that are confirmed or not decided, by series and job, the earliest first.
StandingFindings = Mapping[tuple[int, str], Sequence[ListedChange]]


def group_standing(findings: Iterable[ListedChange]) -> StandingFindings:
    """Return findings that are confirmed or not decided, by series and job."""
    standing: dict[tuple[int, str], list[ListedChange]] = {}
    for finding in sorted(findings, key=lambda finding: finding.changed_at):
        if finding.status in (Status.CONFIRMED, Status.CANDIDATE):
            standing.setdefault((finding.series_id, finding.job), []).append(finding)
    return standing


def find_later_move(
    finding: ListedChange,
    standing: StandingFindings,
    unit: QuantityUnit,
    event: Iterable[int],
    say_day: Callable[[datetime], str],
) -> LaterMove | None:
    """Return the finding in which values of a confirmed one moved again; None without.

    Of confirmed ones the first that went the other way, else the first; else the newest of those
    that are not decided. `event` has the numbers of findings of the
    same event, `unit` is that of the values.
    """
    if finding.status != Status.CONFIRMED:
        return None
    same_event = {finding.change_id, *event}
    later = [
        candidate
        for candidate in standing.get((finding.series_id, finding.job), ())
        if candidate.changed_at > finding.changed_at and candidate.change_id not in same_event
    ]
    confirmed = [item for item in later if item.status == Status.CONFIRMED]
    back = [item for item in confirmed if (finding.effect or 0.0) * (item.effect or 0.0) < 0]
    first = next(iter([*back, *confirmed, *reversed(later)]), None)
    if first is None:
        return None
    day = say_day(first.changed_at)
    when, until = f"since {day}", f"until {day}"
    if first.kind == ChangeKind.DRIFT:
        when, until = statements.say_when(first.kind, day), f"until a slow drift (clear by {day})"
    size = "" if first.effect is None else say_change(unit, first.effect)
    our_part = statements.say_our_part(first.cause, first.because)
    ours = f"; {our_part}" if our_part else ""
    said = f"moved again {f'by {size} ' if size else ''}({when}{ours})"
    if not confirmed:
        until = ""
        usual = _say_usual(first)
        moved = f"a further move{f' of {size}' if size else ''} {when}"
        said = f"not decided yet: {moved}{f', {usual}' if usual else ''}{ours}"
    return LaterMove(
        number=first.change_id, changed_at=first.changed_at, is_decided=bool(confirmed),
        is_back=first in back, until=until, said=said,
    )  # fmt: skip


def _say_usual(finding: ListedChange) -> str:
    """Return whether a change is larger than most runs before it differ by; empty if not known."""
    if not finding.noise or finding.effect is None:
        return ""
    is_within = abs(finding.effect) <= _USUAL * finding.noise
    return f"{'within' if is_within else 'beyond'} what its runs usually differ by"


def say_past(words: str) -> str:
    """Return what a system did: `had a wider stereotype gap` of `has a wider stereotype gap`."""
    verb, _, rest = words.partition(" ")
    stem = verb.removesuffix("s")
    past = _PAST.get(verb, f"{stem}d" if stem.endswith("e") else f"{stem}ed")
    return f"{past} {rest}".rstrip()
