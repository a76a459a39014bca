"""Tells people: writes down what is to be told, then sends it outside of any transaction.

In go what is stored, the rules of the installation, and somebody who can send; out come rows of
`notices`. What was not sent stays open, and is tried again, by whoever leads then.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta

from monitor.notify import Delivery, Message, still_without
from monitor.notify.sender import AppriseSender
from monitor.pipeline import reports as weekly_reports
from monitor.settings import Settings
from monitor.stages import notices as rules
from monitor.stages.notices import Anew, NoticeRules, NoticeSubjects, ReportWeek
from monitor.store.database import Connection, Database
from monitor.store.journal import events, notifications
from monitor.store.journal.notifications import MadeReport, NewNotice, Notice

log = logging.getLogger(__name__)

#: Longer than a delivery takes at most: who has not settled a notice by then has ended.
_IN_FLIGHT = timedelta(minutes=5)
#: The daemon looks for alarms so often.
_A_LOOK = timedelta(minutes=1)
_AN_HOUR = timedelta(hours=1)
_AGAIN = (
    "\nThis may be the second time that you read this: the process that sent it before ended "
    "before it was known whether it went out."
)


def rules_of(chosen: Settings) -> NoticeRules:
    """The rules of the environment. Raises InvalidInput for a time zone that is none."""
    return NoticeRules(
        after=(chosen.notify_after - 1) * _A_LOOK,
        repeats=chosen.notify_repeats,
        hourly=chosen.notify_hourly,
        longest=timedelta(days=chosen.notify_days),
        zone=chosen.zone,
        address=chosen.public_url,
    )


# --- what is to be told ---------------------------------------------------------------------------


def write_notices(
    database: Database, routes: Collection[str], wanted: NoticeRules, now: datetime
) -> int:
    """Write down what is to be told on these routes now. Returns how many notices are new.

    Twice at once, or again after a restart, it writes nothing twice. Raises StoreProblem.
    """
    with database.read() as connection:
        result = _found(connection, routes, wanted, now)
        over = [  # routes with an alarm on which nothing is to be told any more
            alarm.subject
            for alarm in events.list_open_alarms(connection)
            if alarm.kind == rules.NOTIFY_FAILED and alarm.subject not in routes
        ]
    if not result and not over:
        return 0
    with database.begin() as connection:
        notifications.lock_notices(connection)
        result = _found(connection, routes, wanted, now)  # another may have been here meanwhile
        for new in result:
            _write(connection, new, now)
        for route in over:
            events.resolve_alarm(connection, rules.NOTIFY_FAILED, route, now)
    return len(result)


def _found(
    connection: Connection, routes: Collection[str], wanted: NoticeRules, now: datetime
) -> list[NewNotice]:
    if not routes:
        return []
    since = now - rules.NEWS
    alarms = notifications.list_alarms_since(connection, since)
    notices = notifications.find_by_subject(
        connection, [rules.subject_of_alarm(alarm) for alarm in alarms]
    )
    new_notices = list(rules.of_alarms(alarms, notices, wanted, now))
    # whatever was told may have to be taken back
    notices = notifications.find_by_subject_prefix(connection, "change:")
    series = {rules.series_of(subject) for subject in notices}
    changes = notifications.list_changes_since(connection, since, series)
    new_notices += rules.of_changes(changes, notices, wanted, now)
    reports = notifications.list_reports_since(connection, since)
    notices = notifications.find_by_subject(
        connection, [rules.subject_of_report(r.job, r.due_at) for r in reports]
    )
    for report in reports:
        if rules.is_told(report, notices):
            continue
        within = report.job, rules.read_week(report), report.due_at
        changes = notifications.list_changes_between(connection, *within)
        week = ReportWeek(changes, *notifications.count_tested_ticks(connection, *within))
        again = _anew(connection, report)
        if digest := rules.notice_of_report(report, week, notices, wanted, again):
            new_notices.append(digest)
    return [new_notice for new_notice in new_notices if new_notice.route in routes]


def _anew(connection: Connection, report: MadeReport) -> Anew | None:
    """That a report was made a second time and differs from what was told of it."""
    about = weekly_reports.write_subject(
        rules.subject_of_report(report.job, report.due_at), report.digest
    )
    differs = events.find_last_detail(connection, weekly_reports.MADE_ANEW, about)
    if differs is None:
        return None
    why = events.find_last_detail(connection, weekly_reports.TAKEN_BACK, report.job)
    return Anew(why or "no reason is stored", differs)


def _write(connection: Connection, new: NewNotice, now: datetime) -> None:
    """Write a notice. What is taken back before it was ever sent is not told at all."""
    number = notifications.add_notice(connection, new, now)
    if new.kind in (rules.DIGEST, rules.CORRECTED):
        for item in notifications.list_waiting(connection, new.route):
            if item.id != number and item.subject == new.subject and rules.is_needless(item):
                notifications.drop_notice(connection, item, rules.NEVER_TOLD)
    if new.kind != "withdrawn":
        return
    waiting = notifications.list_waiting(connection, new.route)
    never = [entry for entry in waiting if entry.subject == new.subject and not entry.tries]
    if len(never) == 1:
        return
    # what was told before all of these, and was to be taken back by the first of them, still is
    stands = never[0].kind == "withdrawn"
    for item in never:
        if not stands or item.id != number:
            notifications.drop_notice(connection, item, "taken back before it was told")


# --- sending --------------------------------------------------------------------------------------


def deliver_notices(
    database: Database,
    sender: AppriseSender,
    wanted: NoticeRules,
    now: Callable[[], datetime],
    stop: Callable[[], bool],
) -> int:
    """Send what is due on every route, until a message does not go out. Returns how many did.

    Raises StoreProblem; what was being sent is then sent again later.
    """
    n = 0
    for route in rules.ROUTES:
        while sender.count_addresses(route) and not stop():
            claimed = _claim(database, route, wanted, now())
            if claimed is None:
                break
            notice, message = claimed
            places = still_without(notice.last_trouble, sender.count_addresses(route))
            delivery = sender.send(route, message, places)
            _settle(database, notice, delivery, wanted, now())
            if not delivery.is_complete:
                break
            n += 1
    return n


def _claim(
    database: Database, route: str, wanted: NoticeRules, now: datetime
) -> tuple[Notice, Message] | None:
    """The notice that goes out next, and what is sent of it, which nobody else sends now.

    None where none is due, or enough was said in this hour.
    """
    with database.read() as connection:
        if not notifications.list_waiting(connection, route):
            return None
    with database.begin() as connection:
        notifications.lock_notices(connection)
        room = wanted.hourly - notifications.count_sent(connection, route, now - _AN_HOUR, now)
        waiting = notifications.list_waiting(connection, route)
        numbers = {number for notice in waiting for number in notice.members}
        parts = {part.id: part for part in notifications.find_notices(connection, numbers)}
        due = rules.select_due(waiting, parts, now)
        if not due or room <= 0:
            return None
        groups = rules.group_notices(due, _known(connection, due))
        notices = due if room == 1 else groups[0]
        notice = notices[0] if len(notices) == 1 else _together(connection, notices, wanted, now)
        notifications.claim_notice(connection, notice, now + _IN_FLIGHT)
    body = notice.body + (_AGAIN if notice.was_left else "")
    return notice, Message(notice.title, body)


def _known(connection: Connection, some: Sequence[Notice]) -> NoticeSubjects:
    """Return what these notices are about."""
    series = {rules.series_of(notice.subject) for notice in some if rules.is_of_change(notice)}
    if not series:
        return NoticeSubjects({}, {})
    changes = rules.by_subject(notifications.list_series_changes(connection, series))
    return NoticeSubjects(changes, notifications.find_families(connection, series))


def _together(
    connection: Connection, due: Sequence[Notice], wanted: NoticeRules, now: datetime
) -> Notice:
    """One notice in the place of all of these, those of an earlier one like it included."""
    numbers = {number for notice in due for number in (notice.members or (notice.id,))}
    members = notifications.find_notices(connection, numbers)
    groups = rules.group_notices(members, _known(connection, members))
    kind, title, body = rules.join_notices(due[0].route, groups, wanted)
    number = notifications.combine_notices(connection, due, kind, title, body, now)
    [notice] = notifications.find_notices(connection, [number])
    return notice


def _settle(
    database: Database, notice: Notice, delivery: Delivery, wanted: NoticeRules, now: datetime
) -> None:
    """Write down what became of a notice, and raise or end the alarm of its route."""
    route, trouble = notice.route, str(delivery)
    with database.begin() as connection:
        if delivery.is_complete:
            notifications.mark_sent(connection, notice, now)
            if events.resolve_alarm(connection, rules.NOTIFY_FAILED, route, now):
                log.warning("alarm over: %s: %s: told again", rules.NOTIFY_FAILED, route)
            return
        gone = rules.is_given_up(notice, wanted, now)
        if gone:
            notifications.give_up_notice(connection, notice, trouble)
        else:
            notifications.postpone_notice(
                connection, notice, trouble, now + rules.compute_rest(notice.tries + 1)
            )
        if gone or now - notice.created_at >= rules.PATIENCE:
            what = "was given up" if gone else "waits"
            since = f"{notice.created_at:%Y-%m-%d %H:%M} UTC"
            detail = f"what was to be told since {since} {what}: {trouble}"
            # on this route nobody hears of it: it is in `monitor status`, the metrics and the log
            events.raise_alarm(connection, "notify_failed", route, detail, now)
    log.warning("notice %d was not sent on route %s: %s", notice.id, route, trouble)
