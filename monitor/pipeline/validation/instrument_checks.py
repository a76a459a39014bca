"""Periods in which audits put the instrument in doubt, for points and findings.

What follows from labels is computed from them each time. That something else follows now is
written down in the transaction that brought the labels, so that it is acted on whatever happens.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from monitor.model import Json
from monitor.stages import validation as audit_words
from monitor.stages.validation import ReadingDoubt, judge_groups, list_doubts
from monitor.store import validation
from monitor.store.database import Connection
from monitor.store.journal import events

#: The event that other ticks of a language are in doubt than before; its detail says which.
CHANGED = "audit_doubt"
#: The event that findings were decided by what is in doubt; its detail is the newest of `CHANGED`.
DECIDED = "audit_decided"
_OPEN = ".."  # of an interval, ISO 8601-2


def known_doubts(connection: Connection) -> list[ReadingDoubt]:
    """Every stretch of ticks in which a language's rules are in doubt, whoever's audit says so.

    Rules are shared by all jobs, so that an audit in one of them speaks of them all.
    """
    return list_doubts(judge_groups(validation.read_groups(connection)))


def say_doubts(
    found: Sequence[ReadingDoubt], target: str, due_at: datetime, parts: Mapping[str, Json]
) -> tuple[str, ...]:
    """Why what was asked for a target language at a tick may be ours; nothing where it is well.

    `parts` are those of the signature that it is read with.
    """
    return tuple(
        f"{audit_words.write_subject(doubt.verdict.group)}: {audit_words.say_fall(doubt.verdict)}"
        for doubt in found
        if doubt.holds(target, due_at, parts)
    )


# --- what has changed -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DoubtChange:
    """Ticks of a language, both ends included, that are in doubt otherwise than before."""

    id: int  # of the event
    language: str
    since: datetime | None
    until: datetime | None

    @classmethod
    def of(cls, event: events.Event) -> Self:
        """As it was written down."""
        since, _, until = event.detail.partition("/")
        return cls(event.id, event.subject, _find_moment(since), _find_moment(until))

    def has(self, due_at: datetime) -> bool:
        """Return whether a tick is one of them."""
        is_early = self.since is not None and due_at < self.since
        return not (is_early or (self.until is not None and due_at > self.until))


def note_changes(
    connection: Connection,
    before: Sequence[ReadingDoubt],
    after: Sequence[ReadingDoubt],
    now: datetime,
) -> int:
    """Write down which ticks are in doubt otherwise now; the number of stretches.

    Also where the numbers of a fall are others: findings quote them.
    """
    old, new = ({_make_key(doubt): doubt for doubt in doubts} for doubts in (before, after))
    changed = [(old | new)[key] for key in sorted(old.keys() ^ new.keys())]
    for item in changed:
        since, until = item.well_at, item.until
        detail = "/".join(
            position.isoformat() if position else _OPEN for position in (since, until)
        )
        events.add_event(connection, CHANGED, item.language, detail, now=now)
    return len(changed)


def _make_key(one: ReadingDoubt) -> tuple[str, ...]:
    group = one.verdict.group
    versions = [group.language_version, *sorted(group.parsers.items())]
    times = one.well_at, one.since, one.until
    subject, fall = audit_words.write_subject(group), audit_words.say_fall(one.verdict)
    return one.language, subject, fall, *map(str, times), str(versions)


def _find_moment(said: str) -> datetime | None:
    return None if said == _OPEN else datetime.fromisoformat(said)


def list_undecided(connection: Connection) -> list[DoubtChange]:
    """Return what has changed since findings were decided by it last."""
    last = events.find_last_detail(connection, DECIDED, "")
    return [
        DoubtChange.of(event)
        for event in events.list_of_kind(connection, CHANGED, after=int(last or 0))
    ]


def mark_decided(connection: Connection, some: Sequence[DoubtChange], now: datetime) -> None:
    """Write down that findings were decided by these changes and all before them."""
    events.add_event(connection, DECIDED, "", str(max(move.id for move in some)), now=now)


def newest_change(connection: Connection, languages: Iterable[str], due_at: datetime) -> int:
    """Id of the newest change that is about a tick of these languages; 0 where there is none."""
    wanted_languages = set(languages)
    rows = (DoubtChange.of(event) for event in events.list_of_kind(connection, CHANGED))
    return max(
        (item.id for item in rows if item.language in wanted_languages and item.has(due_at)),
        default=0,
    )
