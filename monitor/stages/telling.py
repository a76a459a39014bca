"""Rules that say what people are to be told: what there is and what was told in, notices out.

Findings go to those who quote them, operations to those who keep the installation running. A
change is announced as a finding when it was confirmed by asking again, and withdrawn when it does
not hold any more. Pure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from monitor.change import Cause, ChangeKind, Status
from monitor.stages import _telling_words as words
from monitor.stages import decisions
from monitor.stages.supervise import KINDS
from monitor.store.journal.notifications import (
    FAILED,
    OPEN,
    AlarmState,
    NamedChange,
    NewNotice,
    Notice,
)

FINDINGS, OPERATIONS = "findings", "operations"
ROUTES = (FINDINGS, OPERATIONS)
#: What a message can be about that is told for the first time: older news are in the reports.
NEWS = timedelta(days=14)
#: An alarm that stands is told again so often at most.
_AGAIN = timedelta(days=1)
#: The alarm of a route on which nothing can be told: of course not on that route.
NOTIFY_FAILED = "notify_failed"
#: A notice that has waited for so long means trouble; one hour is a server that was restarted.
PATIENCE = timedelta(hours=1)
_FIRST_REST, _LONGEST_REST = timedelta(minutes=1), timedelta(minutes=30)

#: Changes that are attributed to these are announced as findings; of others we have no claim.
_CLAIMED = (Cause.ENGINE, Cause.OPEN)
#: What was told of a change and has to be taken back when nothing is left of it.
_TO_WITHDRAW = ("finding", "attributed", "candidate")
_UTC = ZoneInfo("UTC")
_Told = Mapping[str, Sequence[Notice]]


@dataclass(frozen=True, slots=True)
class Rules:
    """What an installation wants to hear, and how often."""

    after: timedelta = timedelta(minutes=1)  # an alarm has to stand for so long
    repeats: int = 3  # of an alarm that stands, one a day
    hourly: int = 6  # messages on one route
    longest: timedelta = timedelta(days=3)  # after which a notice is given up
    zone: ZoneInfo = _UTC
    address: str = ""  # of the pages, for links


def _new(rules: Rules, route: str, kind: str, subject: str, **facts: Any) -> NewNotice:  # noqa: ANN401 - what the template takes
    link = words.link(rules.address, facts)
    return NewNotice(route, kind, subject, *words.write(kind, facts, rules.zone, link))


# --- alarms ---------------------------------------------------------------------------------------


def subject_of_alarm(alarm: AlarmState) -> str:
    """What a notice about an alarm is about."""
    return f"alarm:{alarm.id}"


def of_alarms(
    alarms: Iterable[AlarmState], told: _Told, rules: Rules, now: datetime
) -> Iterator[NewNotice]:
    """What is to be told of alarms: raised, repeated, resolved."""
    for alarm in alarms:
        if alarm.kind == NOTIFY_FAILED and alarm.subject == OPERATIONS:
            continue
        subject = subject_of_alarm(alarm)
        kind, facts = _of_alarm(alarm, told.get(subject, ()), rules, now)
        if kind:
            yield _new(rules, OPERATIONS, kind, subject, alarm=alarm, **facts)


def _of_alarm(
    alarm: AlarmState, told: Sequence[Notice], rules: Rules, now: datetime
) -> tuple[str, dict[str, object]]:
    """(kind of notice, facts of its template); an empty kind where nothing is to be told."""
    meaning: dict[str, object] = {"meaning": KINDS.get(alarm.kind, "see the runbook")}
    heard = _heard(told)
    if alarm.resolved_at is not None:
        is_news = heard and heard[-1].kind != "resolved"
        return ("resolved", {}) if is_news else ("", {})
    if not told:
        return ("raised", meaning) if now - alarm.since >= rules.after else ("", {})
    n = sum(notice.kind == "repeated" for notice in told)
    is_due = abs(now - told[-1].created_at) >= _AGAIN and told[-1].state != OPEN
    if n >= rules.repeats or not is_due:
        return "", {}
    return "repeated", {"number": n + 1, "of": rules.repeats, **meaning}


# --- changes --------------------------------------------------------------------------------------


def subject_of(series_id: int, kind: ChangeKind, detected_at: datetime) -> str:
    """What a notice about a change is about: the same when the change is computed anew."""
    return f"change:{series_id}/{kind}/{detected_at:%Y-%m-%dT%H:%MZ}"


def series_of(subject: str) -> int:
    """The series in the subject of a notice about a change."""
    return int(subject.removeprefix("change:").split("/", 1)[0])


def of_changes(
    changes: Iterable[NamedChange], told: _Told, rules: Rules, now: datetime
) -> Iterator[NewNotice]:
    """What is to be told of changes, as they stand now, and of those that stand no more."""
    standing = {}
    for change in changes:
        subject = subject_of(change.series_id, change.kind, change.detected_at)
        standing[subject] = change
        before = told.get(subject, ())
        if before or abs(now - change.detected_at) <= NEWS:
            yield from _of_change(change, subject, before, rules)
    for subject, group in told.items():
        heard = _heard(group)
        if subject not in standing and heard and heard[-1].kind in _TO_WITHDRAW:
            yield _withdrawn(None, subject, heard[-1], rules)


def _heard(told: Sequence[Notice]) -> list[Notice]:
    """What was told, or still will be."""
    return [notice for notice in told if notice.state != FAILED]


def _of_change(
    change: NamedChange, subject: str, told: Sequence[Notice], rules: Rules
) -> Iterator[NewNotice]:
    kind = kind_of(change)
    last = told[-1].kind if told else ""
    heard = _heard(told)
    last_heard = heard[-1].kind if heard else ""
    if last_heard == "finding" and kind != "finding":
        yield _withdrawn(change, subject, heard[-1], rules)
    elif kind in ("refuted", "unconfirmed"):
        if last_heard in ("candidate", "attributed"):
            yield _new(rules, OPERATIONS, kind, subject, change=change)
    elif kind == "candidate":
        if not told:
            yield _new(rules, OPERATIONS, kind, subject, change=change)
    elif last != kind:
        route = FINDINGS if kind == "finding" else OPERATIONS
        yield _new(rules, route, kind, subject, change=change)


def kind_of(change: NamedChange) -> str:
    """The kind of notice that a change is told in as it stands now."""
    if change.status is Status.CONFIRMED:
        return "finding" if change.cause in _CLAIMED else "attributed"
    return str(change.status)


def _withdrawn(change: NamedChange | None, subject: str, last: Notice, rules: Rules) -> NewNotice:
    """To whom it was told."""
    facts = {
        "change": change,
        "told_title": last.title,
        "told_at": last.created_at,
        "rule": decisions.RULE,
    }
    return _new(rules, last.route, "withdrawn", subject, **facts)


# --- sending --------------------------------------------------------------------------------------


def due(waiting: Sequence[Notice], parts: Mapping[int, Notice], now: datetime) -> list[Notice]:
    """The notices that are to go out now, in their order. `parts` are members of those that wait.

    What was tried least goes first, so that a notice that a server never takes holds up nobody; but
    nothing goes before what was to be told of the same thing earlier.
    """
    notices: list[Notice] = []
    open_subjects: set[str] = set()
    for notice in waiting:
        about = {parts[number].subject for number in notice.members} or {notice.subject}
        if not notice.waits(now) and open_subjects.isdisjoint(about):
            notices.append(notice)
        open_subjects |= about
    return sorted(notices, key=lambda one: (one.tries, one.id))


def rest(tries: int) -> timedelta:
    """How long a route is left alone after so many tries in vain."""
    return min(_FIRST_REST * (1 << min(tries - 1, 10)), _LONGEST_REST)


def is_given_up(notice: Notice, rules: Rules, now: datetime) -> bool:
    """Whether a notice that did not go out just now is not tried again."""
    return now - notice.created_at >= rules.longest


def trial(route: str, now: datetime, zone: ZoneInfo) -> tuple[str, str]:
    """(title, text) of a message that only shows that a route works."""
    return words.write("test", {"route": route, "now": now}, zone)
