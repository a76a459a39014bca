"""Rules for what people are told: notices of alarms, changes and weekly reports.

A notice has a title of one line and a text, from a template of its kind. Every value is put into
one line, cut, and stripped of what a terminal, a mail reader or a chat obeys.

Findings go to those who quote them, operations to those who keep the installation running. A
change is announced as a finding when it was confirmed by asking again, and withdrawn when it does
not hold any more. Pure.

A measure over a list has a series for each quantity and scope, and what an engine does shows in
many of them at once. What was told of each is kept for each. Pure.

A report is made once. Where a clock had been ahead it is taken back and made in its time: who was
told of the first one is told in what the second differs, and nobody is told where it does not.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.stages.alarm_rules import KINDS
from monitor.stages.changes import decisions, statements
from monitor.stages.document import notation
from monitor.stages.reports.names import kind_of as kind_of_of_names
from monitor.stages.reports.names import language_words, pair_words
from monitor.store.changes.series import ALL
from monitor.store.journal.events import Alarm
from monitor.store.journal.notifications import (
    DROPPED,
    FAILED,
    FAMILY,
    OPEN,
    SENT,
    SUMMARY,
    MadeReport,
    NamedChange,
    NewNotice,
    Notice,
    SeriesFamily,
)

# --- templates ------------------------------------------------------------------------------------

#: Characters of one value, of a title, and of a whole text. The smallest of the well-known services
#: take 2,000 in a message (Discord), and cut or refuse what is longer.
_LONGEST_VALUE = 500
_BRIEF = 240
_LONGEST_TITLE = 140
_LONGEST = 1_900
#: Begins the line that links to a page of ours.
PAGE = "Page: "
#: What is said around a text and a list in one message.
_AROUND = 300
#: Lines of a list in a message.
MOST_LINES = 10

#: Characters with which chats mark text, address everybody, or make links, and what stands for
#: them. Apprise escapes where it writes Markdown or HTML; some services read plain text as theirs.
_MARKS = str.maketrans({"<": "‹", ">": "›", "`": "'", "*": "∗", "~": "∼", "|": "¦"})
_PAIRS = (("](", "] ("), ("://", "[:]//"), ("__", "_ _"))

#: `@1` is the version of a list, `@everyone` a call to everybody.
_CALLS = re.compile(r"@(?=[^\W\d_])")
_ROLES = {
    Role.PRIMARY: "primary series of its family",
    Role.SECONDARY: "secondary series, beside a changed primary series",
    Role.WITNESS: "control, never tested",
}


def make_harmless(value: object) -> object:
    """A value as one line that nobody obeys, of at most so many characters."""
    if not isinstance(value, str):
        return value
    line = notation.visible(" ".join(value.split())).translate(_MARKS)
    for mark, instead in _PAIRS:
        line = line.replace(mark, instead)
    line = _CALLS.sub("＠", line)
    return _cut(line, _LONGEST_VALUE)


def _cut(line: str, longest: int) -> str:
    return line if len(line) <= longest else line[: longest - 1] + "…"


def write_notice(
    kind: str, facts: Mapping[str, Any], zone: ZoneInfo, link: str = ""
) -> tuple[str, str]:
    """Return (title, text) of a notice; `link` is its last line, as `link` makes it."""
    end = f"\n{link}" if link else ""
    title, body = _written(kind, facts, zone, _LONGEST - len(end))
    return title, body + end


def link_to(address: str, facts: Mapping[str, Any]) -> str:
    """Return the line that links to the page about something; empty without an address."""
    return f"{PAGE}{address}{_say_path(facts)}" if address else ""


def link_of(body: str) -> str:
    """Return the last line of a text if it is the link to a page; else nothing."""
    last = body.rsplit("\n", 1)[-1]
    return last if last.startswith(PAGE) else ""


def _say_path(facts: Mapping[str, Any]) -> str:
    """Return the path of the page that shows what a notice is about."""
    if facts.get("change"):
        return f"/series/{facts['change'].series_id}"
    if "alarm" in facts:
        return "/operations"
    return "/reports" if "report" in facts else "/changes"


def _written(kind: str, facts: Mapping[str, Any], zone: ZoneInfo, longest: int) -> tuple[str, str]:
    written = _make_environment(zone.key).get_template(f"{kind}.txt").render(**facts)
    title, _, body = written.partition("\n")
    lines = body.strip("\n")
    if len(lines) > longest:
        # the last lines say how to see more
        head, tail = lines[:longest], lines.rsplit("\n", 1)[-1]
        lines = _cut(head, longest - len(tail) - 1) + "\n" + tail
    return _cut(title, _LONGEST_TITLE), lines


def n_lines(text: str, lines: Sequence[str]) -> int:
    """Return how many lines of a list fit into a message behind a text; one at least."""
    room = _LONGEST - len(text) - _AROUND
    longest = max(len(line) + len("- \n") for line in lines)
    return min(MOST_LINES, max(1, room // longest))


@cache
def _make_environment(zone: str) -> Environment:
    environment = Environment(
        loader=PackageLoader("monitor", "templates/notices"),
        autoescape=False,  # noqa: S701 - plain text; `finalize` sees every value
        finalize=make_harmless,
        undefined=StrictUndefined,
        keep_trailing_newline=True,  # or what is included would run into the line after it
        trim_blocks=True,
        lstrip_blocks=True,
    )
    position = ZoneInfo(zone)

    def when(moment: datetime) -> str:
        return moment.astimezone(position).strftime("%Y-%m-%d %H:%M %Z")

    environment.filters.update(
        when=when,
        value=_say_number,
        signed=partial(_say_number, sign=True),
        interval=_say_interval,
        pair=_say_pair,
        quantity=lambda change: (
            change.quantity if change.scope == ALL else f"{change.quantity} {change.scope}"
        ),
        # by number: a shell could take a name for more than a name
        command=lambda change: f"monitor series show {change.series_id}",
        brief=lambda words: _cut(words, _BRIEF),
        cause=statements.CAUSE.__getitem__,
        role=_ROLES.__getitem__,
        status=statements.STATUS.__getitem__,
    )
    return environment


def _say_number(number: float | None, *, sign: bool = False) -> str:
    return "no value" if number is None else notation.number(number, sign=sign)


def _say_interval(change: NamedChange) -> str:
    """The 95 % interval, or that there is none."""
    if change.low is None or change.high is None:
        return "(no interval)"
    return f"{notation.span(change.low, change.high, sign=True)} (95 % interval)"


def _say_pair(change: NamedChange) -> str:
    if not change.target:
        return language_words(change.source_lang)
    return pair_words(change.source_lang, change.target, kind_of_of_names(change.engine))


# --- alarms and changes ---------------------------------------------------------------------------

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
class NoticeRules:
    """Settings of an installation: which notices it gets, and how often."""

    after: timedelta = timedelta(minutes=1)  # an alarm has to stand for so long
    repeats: int = 3  # of an alarm that stands, one a day
    hourly: int = 6  # messages on one route
    longest: timedelta = timedelta(days=3)  # after which a notice is given up
    zone: ZoneInfo = _UTC
    address: str = ""  # of the pages, for links


def _new(rules: NoticeRules, route: str, kind: str, subject: str, **facts: Any) -> NewNotice:  # noqa: ANN401 - what the template takes
    link = link_to(rules.address, facts)
    return NewNotice(route, kind, subject, *write_notice(kind, facts, rules.zone, link))


# --- alarms ---------------------------------------------------------------------------------------


def subject_of_alarm(alarm: Alarm) -> str:
    """Return what a notice about an alarm is about."""
    return f"alarm:{alarm.id}"


def of_alarms(
    alarms: Iterable[Alarm], told: _Told, rules: NoticeRules, now: datetime
) -> Iterator[NewNotice]:
    """Yield what is to be told of alarms: raised, repeated, resolved."""
    for alarm in alarms:
        if alarm.kind == NOTIFY_FAILED and alarm.subject == OPERATIONS:
            continue
        subject = subject_of_alarm(alarm)
        kind, facts = _of_alarm(alarm, told.get(subject, ()), rules, now)
        if kind:
            yield _new(rules, OPERATIONS, kind, subject, alarm=alarm, **facts)


def _of_alarm(
    alarm: Alarm, told: Sequence[Notice], rules: NoticeRules, now: datetime
) -> tuple[str, dict[str, object]]:
    """(kind of notice, facts of its template); an empty kind where nothing is to be told."""
    meaning: dict[str, object] = {"meaning": KINDS.get(alarm.kind, "see the runbook")}
    reading_parts = _heard(told)
    if alarm.resolved_at is not None:
        is_news = reading_parts and reading_parts[-1].kind != "resolved"
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
    """Return what a notice about a change is about: the same when the change is computed anew."""
    return f"change:{series_id}/{kind}/{detected_at:%Y-%m-%dT%H:%MZ}"


def series_of(subject: str) -> int:
    """The series in the subject of a notice about a change."""
    return int(subject.removeprefix("change:").split("/", 1)[0])


def of_changes(
    changes: Iterable[NamedChange], told: _Told, rules: NoticeRules, now: datetime
) -> Iterator[NewNotice]:
    """Yield what is to be told of changes, as they stand now, and of those that stand no more."""
    standing = {}
    for change in changes:
        subject = subject_of(change.series_id, change.kind, change.detected_at)
        standing[subject] = change
        before = told.get(subject, ())
        if before or abs(now - change.detected_at) <= NEWS:
            yield from _of_change(change, subject, before, rules)
    for subject, group in told.items():
        reading_parts = _heard(group)
        if subject not in standing and reading_parts and reading_parts[-1].kind in _TO_WITHDRAW:
            yield _withdrawn(None, subject, reading_parts[-1], rules)


def _heard(told: Sequence[Notice]) -> list[Notice]:
    """Return what was told, or still will be."""
    return [notice for notice in told if notice.state != FAILED]


def _of_change(
    change: NamedChange, subject: str, told: Sequence[Notice], rules: NoticeRules
) -> Iterator[NewNotice]:
    kind = kind_of(change)
    last = told[-1].kind if told else ""
    reading_parts = _heard(told)
    last_heard = reading_parts[-1].kind if reading_parts else ""
    if last_heard == "finding" and kind != "finding":
        yield _withdrawn(change, subject, reading_parts[-1], rules)
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


def _withdrawn(
    change: NamedChange | None, subject: str, last: Notice, rules: NoticeRules
) -> NewNotice:
    """To whom it was told."""
    facts = {
        "change": change,
        "told_title": last.title,
        "told_at": last.created_at,
        "rule": decisions.RULE,
    }
    return _new(rules, last.route, "withdrawn", subject, **facts)


# --- sending --------------------------------------------------------------------------------------


def select_due(
    waiting: Sequence[Notice], parts: Mapping[int, Notice], now: datetime
) -> list[Notice]:
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
    return sorted(notices, key=lambda item: (item.tries, item.id))


def compute_rest(tries: int) -> timedelta:
    """Return how long a route is left alone after so many tries in vain."""
    return min(_FIRST_REST * (1 << min(tries - 1, 10)), _LONGEST_REST)


def is_given_up(notice: Notice, rules: NoticeRules, now: datetime) -> bool:
    """Return whether a notice that did not go out just now is not tried again."""
    return now - notice.created_at >= rules.longest


def write_trial(route: str, now: datetime, zone: ZoneInfo) -> tuple[str, str]:
    """(title, text) of a message that only shows that a route works."""
    return write_notice("test", {"route": route, "now": now}, zone)


# --- messages of several notices ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoticeSubjects:
    """Subjects of notices: {subject: the change as it is now}, {series: its family}."""

    changes: Mapping[str, NamedChange]
    families: Mapping[int, SeriesFamily]


def by_subject(changes: Iterable[NamedChange]) -> dict[str, NamedChange]:
    """Changes by what notices about them are about."""
    return {
        subject_of(
            named_change.series_id, named_change.kind, named_change.detected_at
        ): named_change
        for named_change in changes
    }


def is_of_change(notice: Notice) -> bool:
    """Return whether a notice is about one change."""
    return notice.subject.startswith("change:")


def group_notices(some: Sequence[Notice], known: NoticeSubjects) -> list[list[Notice]]:
    """Notices by what is told in one message, the strongest change of each first."""
    grouped_notices: dict[Hashable, list[Notice]] = {}
    for notice in some:
        grouped_notices.setdefault(_make_key(notice, known), []).append(notice)
    return [
        sorted(notices, key=lambda item: _make_weakness(item, known))
        for notices in grouped_notices.values()
    ]


def _make_key(notice: Notice, known: NoticeSubjects) -> Hashable:
    if notice.tries or not is_of_change(notice):  # what went to some addresses already goes alone
        return notice.id
    family = known.families.get(series_of(notice.subject), notice.id)
    change = known.changes.get(notice.subject)
    when = notice.subject.split("/", 1)[1]  # the kind of change, and when it could be known
    put_down_to = (change.job, change.cause) if change else None
    return notice.kind, when, family, put_down_to


def _make_weakness(notice: Notice, known: NoticeSubjects) -> tuple[float, int]:
    """Less for a larger effect, in widths of its interval; without one it comes last."""
    change = known.changes.get(notice.subject)
    if change is None or change.effect is None or change.low is None or change.high is None:
        return float("inf"), notice.id
    width = change.high - change.low
    return (-abs(change.effect) / width if width else -float("inf")), notice.id


def join_notices(
    route: str, some: Sequence[list[Notice]], rules: NoticeRules
) -> tuple[str, str, str]:
    """(kind, title, text) of one message for several notices, by groups."""
    if len(some) == 1:
        return FAMILY, *_say_family(some[0], rules)
    facts = {
        "route": route,
        "n": sum(len(notices) for notices in some),
        "told": [(notices[0].title, len(notices) - 1) for notices in some],
        "hourly": rules.hourly,
        "most": MOST_LINES,
    }
    return SUMMARY, *write_notice(SUMMARY, facts, rules.zone, link_to(rules.address, facts))


def _say_family(members: Sequence[Notice], rules: NoticeRules) -> tuple[str, str]:
    first, *other_rows = members
    link = link_of(first.body)  # in a list it would be broken, as links of others are
    body = first.body.removesuffix(link).rstrip("\n")
    facts = {
        "title": first.title,
        "n": len(members),
        "lines": body.splitlines(),
        "others": [item.title for item in other_rows],
        "most": n_lines(body, [item.title for item in other_rows]),
    }
    return write_notice(FAMILY, facts, rules.zone, link)


# --- weekly reports -------------------------------------------------------------------------------

#: A report's week, and the two days in which what was found in the week before is asked again.
_WEEK = timedelta(days=9)
DIGEST, CORRECTED = "digest", "corrected"
#: Why a notice is not sent: another report took the place of its own.
NEVER_TOLD = "made anew before it was told"


@dataclass(frozen=True, slots=True)
class ReportWeek:
    """Coverage of a job in the week of a report: decided ticks and all ticks."""

    changes: Sequence[NamedChange]
    tested: int
    untested: int


@dataclass(frozen=True, slots=True)
class Anew:
    """That a report was made a second time: why, and in what it differs."""

    why: str
    differs: str


def read_week(report: MadeReport) -> datetime:
    """Since when the changes in a report's digest could be known."""
    return report.due_at - _WEEK


def subject_of_report(job: str, due_at: datetime) -> str:
    """Return what the digest of a report is about."""
    return f"digest:{job}/{due_at:%Y-%m-%dT%H:%MZ}"


def is_told(report: MadeReport, told: Mapping[str, Sequence[Notice]]) -> bool:
    """Return whether the digest of a report as it is now was written."""
    notices = told.get(subject_of_report(report.job, report.due_at), ())
    return bool(notices) and report.digest in notices[-1].body


def notice_of_report(
    report: MadeReport,
    week: ReportWeek,
    told: Mapping[str, Sequence[Notice]],
    rules: NoticeRules,
    anew: Anew | None = None,
) -> NewNotice | None:
    """One message after a report was made; another where it was made anew and differs."""
    subject = subject_of_report(report.job, report.due_at)
    before = told.get(subject, ())
    if before and (anew is None or is_told(report, told)):
        return None
    notices = [notice for notice in before if _was_heard(notice)]
    kinds = [kind_of(change) for change in week.changes]
    facts = {
        "report": report,
        "since": read_week(report),
        "confirmed": [change for change in week.changes if kind_of(change) == "finding"],
        "tested": week.tested,
        "untested": week.untested,
        "counts": {"ours": kinds.count("attributed")}
        | {name: kinds.count(name) for name in ("candidate", "refuted", "unconfirmed")},
        "most": MOST_LINES,
    }
    link = link_to(rules.address, facts)
    if not notices:
        return NewNotice(FINDINGS, DIGEST, subject, *write_notice(DIGEST, facts, rules.zone, link))
    facts |= {"anew": anew, "told_title": notices[-1].title, "told_at": notices[-1].created_at}
    return NewNotice(
        FINDINGS, CORRECTED, subject, *write_notice(CORRECTED, facts, rules.zone, link)
    )


def _was_heard(notice: Notice) -> bool:
    """Return whether somebody was told, or may have been."""
    if notice.state == DROPPED:  # told with others in one message, if it was not in vain
        return notice.trouble != NEVER_TOLD
    return notice.state == SENT or (notice.tries > 0 and notice.state != FAILED)


def is_needless(notice: Notice) -> bool:
    """Return whether what waits is about a report that another one has taken the place of."""
    return notice.kind in (DIGEST, CORRECTED) and notice.state == OPEN and not notice.tries
