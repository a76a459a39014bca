"""When the instrument is in doubt, by what audits of it have shown: for points and findings.

What follows from labels is computed from them each time. That something else follows now is
written down in the transaction that brought the labels, so that it is acted on whatever happens.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from monitor.model import Json
from monitor.stages.validation import audits as audit_words
from monitor.stages.validation.audits import Doubt, doubts, verdicts
from monitor.store.database import Connection
from monitor.store.journal import events
from monitor.store.validation import audits

#: The event that other ticks of a language are in doubt than before; its detail says which.
CHANGED = "audit_doubt"
#: The event that findings were decided by what is in doubt; its detail is the newest of `CHANGED`.
DECIDED = "audit_decided"
_OPEN = ".."  # of an interval, ISO 8601-2


def known_doubts(connection: Connection) -> list[Doubt]:
    """Every stretch of ticks in which a language's rules are in doubt, whoever's audit says so.

    Rules are shared by all jobs, so that an audit in one of them speaks of them all.
    """
    return doubts(verdicts(audits.read_groups(connection)))


def sentences(
    found: Sequence[Doubt], target: str, due_at: datetime, parts: Mapping[str, Json]
) -> tuple[str, ...]:
    """Why what was asked for a target language at a tick may be ours; nothing where it is well.

    `parts` are those of the signature that it is read with.
    """
    return tuple(
        f"{audit_words.subject(one.verdict.group)}: {audit_words.fall(one.verdict)}"
        for one in found
        if one.holds(target, due_at, parts)
    )


# --- what has changed -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moved:
    """Ticks of a language, both ends included, that are in doubt otherwise than before."""

    id: int  # of the event
    language: str
    since: datetime | None
    until: datetime | None

    @classmethod
    def of(cls, event: events.Event) -> Self:
        """As it was written down."""
        since, _, until = event.detail.partition("/")
        return cls(event.id, event.subject, _moment(since), _moment(until))

    def has(self, due_at: datetime) -> bool:
        """Whether a tick is one of them."""
        is_early = self.since is not None and due_at < self.since
        return not (is_early or (self.until is not None and due_at > self.until))


def note(
    connection: Connection, before: Sequence[Doubt], after: Sequence[Doubt], now: datetime
) -> int:
    """Write down which ticks are in doubt otherwise now; the number of stretches.

    Also where the numbers of a fall are others: findings quote them.
    """
    old, new = ({_key(one): one for one in some} for some in (before, after))
    changed = [(old | new)[key] for key in sorted(old.keys() ^ new.keys())]
    for one in changed:
        since, until = one.well_at, one.until
        detail = "/".join(at.isoformat() if at else _OPEN for at in (since, until))
        events.add_event(connection, CHANGED, one.language, detail, now=now)
    return len(changed)


def _key(one: Doubt) -> tuple[str, ...]:
    group = one.verdict.group
    versions = [group.language_version, *sorted(group.parsers.items())]
    times = one.well_at, one.since, one.until
    subject, fall = audit_words.subject(group), audit_words.fall(one.verdict)
    return one.language, subject, fall, *map(str, times), str(versions)


def _moment(said: str) -> datetime | None:
    return None if said == _OPEN else datetime.fromisoformat(said)


def undecided(connection: Connection) -> list[Moved]:
    """What has changed since findings were decided by it last."""
    last = events.find_last_detail(connection, DECIDED, "")
    return [Moved.of(one) for one in events.list_of_kind(connection, CHANGED, after=int(last or 0))]


def decided(connection: Connection, some: Sequence[Moved], now: datetime) -> None:
    """Write down that findings were decided by these changes and all before them."""
    events.add_event(connection, DECIDED, "", str(max(one.id for one in some)), now=now)


def newest_change(connection: Connection, languages: Iterable[str], due_at: datetime) -> int:
    """Id of the newest change that is about a tick of these languages; 0 where there is none."""
    wanted_languages = set(languages)
    found = (Moved.of(one) for one in events.list_of_kind(connection, CHANGED))
    return max(
        (one.id for one in found if one.language in wanted_languages and one.has(due_at)), default=0
    )
