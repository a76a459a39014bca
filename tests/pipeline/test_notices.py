"""What is told goes out once, is not lost, and is written down, on both databases."""

import itertools
import json
import threading
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.notify import Delivery
from monitor.notify.sender import AppriseSender
from monitor.pipeline import notices as telling
from monitor.pipeline import reports
from monitor.settings import Settings
from monitor.stages.notices import NoticeRules, subject_of_report
from monitor.store import rows, schema
from monitor.store.journal import events, notifications
from tests.factories import rows as query
from tests.looked_after import engine, new_run
from tests.standins.mailbox import Hook, MailServer, nobody, serving

NOW = datetime(2026, 3, 2, 5, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BOTH = ("findings", "operations")
RULES = NoticeRules()


def never():
    return False


class Ear:
    """Hears what is sent; `faults` are the codes of the next tries, of the first address."""

    def __init__(self, faults=(), n=1):
        self.heard, self.faults, self.addresses = [], list(faults), n

    def count_addresses(self, _route):
        return self.addresses

    def send(self, route, message, places):
        fault = self.faults.pop(0) if self.faults else ""
        self.heard.append((route, message.title, tuple(places)))
        return Delivery(self.addresses, {places[0]: fault} if fault else {})

    @property
    def titles(self):
        return [title for _, title, _ in self.heard]


class Told:
    def __init__(self, database):
        self.database, self.now = database, NOW

    def write(self, now=None, routes=BOTH, rules=RULES):
        return telling.write_notices(self.database, routes, rules, now or self.now)

    def deliver(self, sender, now=None, rules=RULES, stop=never):
        moment = now or self.now
        ticks = itertools.count()
        clock = lambda: moment + timedelta(microseconds=next(ticks))  # noqa: E731
        return telling.deliver_notices(self.database, sender, rules, clock, stop)

    def alarm(self, kind="disk", subject="quota", at=NOW - HOUR):
        with self.database.begin() as connection:
            events.raise_alarm(connection, kind, subject, "95 % are used", at)

    def over(self, kind="disk", subject="quota", at=NOW):
        with self.database.begin() as connection:
            events.resolve_alarm(connection, kind, subject, at)

    def standing(self):
        with self.database.read() as connection:
            return [(one.kind, one.subject) for one in events.list_open_alarms(connection)]

    def all(self):
        with self.database.read() as connection:
            return notifications.list_newest(connection, 1_000)[::-1]

    def states(self):
        return [(one.route, one.kind, one.state) for one in self.all()]

    def change(
        self, status=Status.CONFIRMED, cause=Cause.ENGINE, at=NOW - HOUR, job="weekly",
        scopes=("all",),
    ):  # fmt: skip
        """Put a change of each scope in the place of what is there."""
        run = query(self.database, "SELECT id FROM runs WHERE job = :job", job=job)
        run_id = run[0]["id"] if run else new_run(self.database, job, at)
        engine_id = engine(self.database, "deepl")
        with self.database.begin() as connection:
            connection.execute(sa.update(schema.changes).values(is_current=False))
            for scope in scopes if status else ():
                series = rows.get_or_insert(
                    connection, schema.series_keys, {"key": f"deepl f_s {scope}"},
                    {"job": job, "list": "gest@1", "engine_id": engine_id, "source_lang": "en",
                     "target": "cs", "measure": "masculine_rate", "quantity": "f_s",
                     "reference": "", "scope": scope},
                )  # fmt: skip
                rows.insert_returning(connection, schema.changes, [{
                    "series_id": series, "kind": ChangeKind.STEP, "role": Role.PRIMARY,
                    "family": "f", "changed_at": at, "detected_at": at, "before_run_id": run_id,
                    "after_run_id": run_id, "comparison_id": None, "confirm_id": None,
                    "before": 0.412, "after": 0.452, "effect": 0.04, "low": 0.021, "high": 0.059,
                    "p": 0.001, "q": 0.001, "alpha": 0.02, "noise": 0.01,
                    "statistic": 4.0, "status": status, "cause": cause,
                    "because": "It stood still.", "sentence": "f_s rose from 0.412 to 0.452.",
                    "facts": {}, "inputs_digest": "d", "computed_at": at, "is_current": True,
                }])  # fmt: skip

    def report(self, state="made", at=NOW - HOUR, job="weekly", digest="ab"):
        with self.database.begin() as connection:
            rows.insert_returning(connection, schema.reports, [{
                "job": job, "kind": "weekly", "due_at": at, "state": state, "reason": "",
                "folder": "out/w", "digest": digest, "made_at": at if state == "made" else None,
            }])  # fmt: skip

    def report_anew(self, digest, differs="“All series”", at=NOW - HOUR):
        """As after a clock that was ahead; without `differs` it says the same as before."""
        with self.database.begin() as connection:
            connection.execute(sa.delete(schema.reports))
            events.add_event(
                connection, reports.TAKEN_BACK, "weekly", "the clock was ahead", now=NOW
            )
            if differs:
                about = reports.write_subject(subject_of_report("weekly", at), digest)
                events.add_event(connection, reports.MADE_ANEW, about, differs, now=NOW)
        self.report(digest=digest, at=at)


@pytest.fixture
def told(database):
    return Told(database)


@pytest.fixture
def hook():
    with serving(Hook()) as server:
        yield server


def sender(**addresses):
    return AppriseSender({route: list(urls) for route, urls in addresses.items()})


# --- what is written ------------------------------------------------------------------------------


def test_an_alarm_is_told_over_its_life(told):
    told.alarm(at=NOW)
    assert told.write(NOW) == 0
    assert told.write(NOW + MINUTE) == 1
    assert told.write(NOW + MINUTE) == told.write(NOW + 23 * HOUR) == 0
    ear = Ear()
    assert told.deliver(ear, NOW + 2 * MINUTE) == 1
    assert told.write(NOW + DAY + 2 * MINUTE) == 1
    assert told.deliver(ear, NOW + DAY + 2 * MINUTE) == 1
    told.over(at=NOW + DAY + HOUR)
    assert told.write(NOW + DAY + HOUR) == 1
    assert told.write(NOW + DAY + 2 * HOUR) == 0
    assert told.deliver(ear, NOW + DAY + HOUR) == 1
    assert ear.titles == [
        "Alarm disk: quota", "Alarm disk still stands: quota", "Alarm disk is over: quota",
    ]  # fmt: skip
    assert {one.state for one in told.all()} == {"sent"}
    told.alarm(at=NOW + DAY + 3 * HOUR)  # a new one, and not the old one
    assert told.write(NOW + DAY + 4 * HOUR) == 1


def test_a_change_is_told_over_its_life(told):
    told.change(Status.CANDIDATE)
    assert told.write() == 1
    told.change(Status.CONFIRMED)
    assert told.write() == 1
    told.change(Status.CONFIRMED)  # computed anew: another row, the same change
    assert told.write() == 0
    ear = Ear()
    assert told.deliver(ear) == 2
    told.change(None)
    assert told.write() == 1
    assert told.deliver(ear) == 1
    assert [route for route, _, _ in ear.heard] == ["findings", "operations", "findings"]
    assert [kind for _, kind, _ in told.states()] == ["candidate", "finding", "withdrawn"]


def test_what_is_taken_back_before_it_was_sent_is_not_announced(told):
    told.change(Status.CONFIRMED)
    told.write()
    told.change(Status.REFUTED)
    assert told.write() == 1
    ear = Ear()
    assert told.deliver(ear) == 0
    assert ear.heard == []
    assert told.write() == 0
    assert {one.state for one in told.all()} == {"dropped"}


def test_what_may_have_gone_out_is_taken_back_in_public(told):
    told.change(Status.CONFIRMED)
    told.write()
    told.deliver(Ear(["late"]))
    told.change(Status.REFUTED)
    told.write()
    ear = Ear()
    assert told.deliver(ear, NOW + HOUR) == 2
    assert [title.split(":")[0] for title in ear.titles] == ["Finding", "Withdrawn"]


def test_what_was_announced_is_taken_back_however_often_it_came_and_went(told):
    """While the mail server is down: of what came and went since, the end alone is told."""
    told.change(Status.CONFIRMED)
    told.write()
    assert told.deliver(Ear()) == 1
    for n, status in enumerate((Status.REFUTED, Status.CONFIRMED, Status.REFUTED), 1):
        told.change(status)
        assert told.write(NOW + n * MINUTE) == 1
    ear = Ear()
    assert told.deliver(ear, NOW + HOUR) == 1
    assert [title.split(":")[0] for title in ear.titles] == ["Withdrawn"]
    assert told.write(NOW + HOUR) == 0


def test_a_report_is_told_when_it_is_made_and_once(told):
    told.report("due", NOW - DAY)
    told.report("failed", NOW - 2 * DAY)
    assert told.write() == 0
    told.change(Status.CONFIRMED, at=NOW - HOUR)
    told.report(at=NOW - HOUR)
    told.report(at=NOW - 30 * DAY)  # no news
    told.report(at=NOW - HOUR, job="another")
    told.write()
    digests = [one for one in told.all() if one.kind == "digest"]
    assert [one.title for one in digests] == [
        "Weekly report of weekly: 1 confirmed change",
        "Weekly report of another: 0 confirmed changes",
    ]
    assert "f_s rose from 0.412 to 0.452." in digests[0].body
    assert "f_s rose" not in digests[1].body
    assert told.write() == 0


def test_a_report_that_was_made_anew_is_put_right_once_by_the_same_route(told):
    told.report(digest="a" * 64)
    told.write()
    told.deliver(Ear())
    told.report_anew("a" * 64, differs=None)
    assert told.write() == 0
    told.report_anew("b" * 64)
    assert told.write() == 1
    assert told.write() == 0
    new = told.all()[-1]
    assert (new.route, new.kind) == ("findings", "corrected")
    assert "Why it was made anew: the clock was ahead" in new.body
    assert "Differs in: “All series”" in new.body
    ear = Ear()
    told.deliver(ear)
    assert [title.split(",")[0] for title in ear.titles] == ["Corrected: weekly report of weekly"]
    told.report_anew("c" * 64)
    assert told.write(NOW + HOUR) == 1
    assert "It was: Corrected: weekly report" in told.all()[-1].body


def test_a_digest_that_was_never_sent_is_replaced_and_not_corrected(told):
    told.report(digest="a" * 64)
    told.write()
    told.report_anew("b" * 64)
    told.write(NOW + MINUTE)
    assert told.states() == [("findings", "digest", "dropped"), ("findings", "digest", "open")]
    assert told.all()[0].trouble == "made anew before it was told"
    told.report_anew("c" * 64)
    told.write(NOW + HOUR)
    ear = Ear()
    assert told.deliver(ear, NOW + HOUR) == 1
    assert ear.titles == ["Weekly report of weekly: 0 confirmed changes"]


def test_ticks_of_the_ledger_are_counted(told):
    told.report()
    with told.database.begin() as connection:
        for n, (job, at, p) in enumerate(
            [("weekly", 2, 0.2), ("weekly", 9, None), ("weekly", 300, 0.1), ("other", 2, 0.1)]
        ):
            row = {"job": job, "due_at": NOW - at * HOUR, "number": n, "families": 1, "p": p,
                   "hypotheses": 1, "alpha": None, "selected": 0, "rule": "", "inputs_digest": "",
                   "computed_at": NOW}  # fmt: skip
            connection.execute(sa.insert(schema.looks).values(row))
    told.write()
    assert "Ticks in that time: 1 with a test, 1 without" in told.all()[0].body


def test_only_routes_with_addresses_are_written_to(told):
    told.alarm()
    told.change(Status.CONFIRMED)
    assert told.write(routes=()) == 0
    assert told.write(routes=("findings",)) == 1
    assert told.write(routes=BOTH) == 1
    assert told.states() == [("findings", "finding", "open"), ("operations", "raised", "open")]


def test_two_that_write_at_once_write_once(told):
    told.alarm()
    told.change(Status.CANDIDATE)
    told.report()
    gate, found = threading.Barrier(4), []

    def one():
        gate.wait()
        found.append(told.write())

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(found) == 3
    assert len(told.all()) == 3


# --- what goes out --------------------------------------------------------------------------------


def test_it_goes_out_by_web_hook_and_by_mail(told, hook):
    told.alarm()
    told.change(Status.CONFIRMED)
    told.write()
    with serving(MailServer()) as mail:
        known = sender(findings=[mail.url()], operations=[hook.url()])
        assert told.deliver(known) == 2
        [letter] = mail.letters
    assert letter["Subject"].startswith("Finding: deepl English to Czech, f_s +0.040")
    assert "Effect: +0.040 [+0.021, +0.059] (95 % interval)" in letter.get_content()
    assert json.loads(hook.posts[0][1])["title"] == "Alarm disk: quota"
    assert told.deliver(known) == 0
    assert len(hook.posts) == 1


def test_a_server_that_is_down_costs_nothing_but_time(told, hook):
    """The mail server is down for six hours; what was to be told comes in order, once."""
    told.alarm()
    told.write()
    down = sender(operations=[f"json://127.0.0.1:{nobody()}/x"])
    assert told.deliver(down) == 0
    [one] = told.all()
    assert (one.state, one.tries, one.trouble) == (
        "open", 1, "address 1 of 1: nobody could be reached there",
    )  # fmt: skip
    assert told.deliver(down, NOW + timedelta(seconds=30)) == 0
    assert told.all()[0].tries == 1  # it rests
    told.over(at=NOW + HOUR)
    told.write(NOW + HOUR)
    ear = Ear(["unreachable"] * 9)
    for n in range(2, 11):
        told.deliver(ear, NOW + HOUR + n * HOUR / 2)
    assert told.deliver(sender(operations=[hook.url()]), NOW + 7 * HOUR) == 2
    titles = [json.loads(body)["title"] for _, body in hook.posts]
    assert titles == ["Alarm disk: quota", "Alarm disk is over: quota"]
    assert [one.state for one in told.all()] == ["sent", "sent"]
    assert told.standing() == []


def test_trouble_of_an_hour_is_an_alarm_that_ends_with_it(told):
    told.alarm()
    told.write()
    ear = Ear(["http_500", "http_500"])
    told.deliver(ear)
    assert told.standing() == [("disk", "quota")]
    told.deliver(ear, NOW + HOUR)
    assert told.standing() == [("disk", "quota"), ("notify_failed", "operations")]
    assert told.write(NOW + 2 * HOUR) == 0  # on this route nobody could hear of it
    assert told.deliver(ear, NOW + 2 * HOUR) == 1
    assert told.standing() == [("disk", "quota")]


def test_a_failed_route_is_told_on_the_other(told):
    told.change(Status.CONFIRMED)
    told.write()
    told.deliver(Ear(["refused"]), NOW + HOUR)
    told.write(NOW + 2 * HOUR)
    assert [one.title for one in told.all()][1] == "Alarm notify_failed: findings"
    assert told.all()[1].route == "operations"


def test_what_no_server_takes_is_given_up_and_said(told):
    told.alarm()
    told.write()
    told.deliver(Ear(["http_500"]))
    last = NOW + RULES.longest
    assert told.deliver(Ear(["http_503"]), last) == 0
    [one] = told.all()
    assert (one.state, one.trouble) == ("failed", "address 1 of 1: HTTP 503")
    assert ("notify_failed", "operations") in told.standing()
    assert told.deliver(Ear(), last + DAY) == 0
    told.over(at=last + DAY)
    assert told.write(last + DAY) == 0  # nobody heard that it began


def test_after_a_long_time_off_it_is_tried_before_it_is_given_up(told):
    told.alarm()
    told.write()
    assert told.deliver(Ear(), NOW + 30 * DAY) == 1


def test_an_alarm_of_a_route_that_is_not_wanted_any_more_ends(told):
    told.alarm("notify_failed", "findings")
    assert told.write(routes=BOTH) >= 0
    assert ("notify_failed", "findings") in told.standing()
    told.write(routes=())
    assert told.standing() == []


def test_one_address_that_is_down_does_not_repeat_it_to_the_other(told, hook):
    told.alarm()
    told.write()
    port = nobody()
    first = sender(operations=[hook.url("a"), f"json://127.0.0.1:{port}/x"])
    assert told.deliver(first) == 0
    assert told.all()[0].trouble == "address 2 of 2: nobody could be reached there"
    mended = sender(operations=[hook.url("a"), hook.url("b")])
    assert told.deliver(mended, NOW + HOUR) == 1
    assert sorted(path.strip("/") for path, _ in hook.posts) == ["a", "b"]


def test_a_notice_that_is_always_refused_holds_up_no_other(told):
    told.alarm(subject="bad")
    told.write()
    told.deliver(Ear(["http_400"]))
    told.alarm(subject="good")
    told.write(NOW + MINUTE)
    ear = Ear(["", "http_400"])
    assert told.deliver(ear, NOW + 2 * MINUTE) == 1
    assert ear.titles == ["Alarm disk: good", "Alarm disk: bad"]


def test_after_a_failure_the_route_is_left_alone(told):
    for n in range(4):
        told.alarm(subject=str(n))
    told.write()
    ear = Ear(["unreachable"])
    assert told.deliver(ear) == 0
    assert len(ear.heard) == 1
    assert told.deliver(ear, NOW + timedelta(seconds=59)) == 0
    assert told.deliver(ear, NOW + MINUTE + timedelta(seconds=1)) == 4


# --- families -------------------------------------------------------------------------------------

SCOPES = ("all", "stereotype:1", "stereotype:2")


def test_changes_of_a_family_go_out_in_one_and_each_is_taken_back_by_itself(told):
    told.change(scopes=SCOPES)
    assert told.write() == 3
    ear = Ear()
    assert told.deliver(ear) == 1
    assert ear.titles[0].startswith("3 of one family: Finding: deepl English to Czech, f_s +0.040")
    assert [state for _, _, state in told.states()] == ["dropped"] * 3 + ["sent"]
    told.change(scopes=SCOPES)
    assert told.write() == 0
    told.change(scopes=SCOPES[:2])
    assert told.write() == 1
    assert told.deliver(ear) == 1
    assert ear.titles[1].startswith("Withdrawn: Finding: deepl English to Czech, f_s stereotype:2")
    told.change(None)
    assert told.write() == 2
    assert told.deliver(ear) == 1
    assert ear.titles[2].startswith("2 of one family: Withdrawn: Finding")


def test_nothing_of_a_family_is_taken_back_before_it_was_told(told):
    """While the server is down."""
    told.change(scopes=SCOPES)
    told.write()
    assert told.deliver(Ear(["unreachable"])) == 0
    told.change(None)
    told.write(NOW + HOUR)
    ear = Ear()
    assert told.deliver(ear, NOW + HOUR) == 2
    assert [title.split(": ")[1] for title in ear.titles] == ["Finding", "Withdrawn"]


def test_a_family_that_was_never_sent_is_not_announced(told):
    told.change(scopes=SCOPES)
    told.write()
    told.change(Status.REFUTED, scopes=SCOPES)
    told.write()
    assert told.deliver(Ear()) == 0


def test_a_family_takes_one_line_of_what_is_told_in_one(told):
    told.alarm()
    told.change(Status.CANDIDATE, scopes=SCOPES)
    told.write()
    ear = Ear()
    assert told.deliver(ear, rules=NoticeRules(hourly=1)) == 1
    [body] = [one.body for one in told.all() if one.kind == "summary"]
    assert ear.titles[0].startswith("4 more on operations: ")
    signal = "- Unconfirmed signal: deepl English to Czech, f_s may have changed, and 2 more of its"
    assert [line for line in body.splitlines() if line.startswith("- ")] == [
        "- Alarm disk: quota",
        f"{signal} family",
    ]


# --- not too much ---------------------------------------------------------------------------------


def test_what_is_more_than_so_many_an_hour_is_told_in_one(told):
    for n in range(10):
        told.alarm(subject=f"s{n}")
    told.write()
    ear, rules = Ear(), NoticeRules(hourly=4)
    assert told.deliver(ear, rules=rules) == 4
    assert ear.titles == [
        "Alarm disk: s0", "Alarm disk: s1", "Alarm disk: s2",
        "7 more on operations: Alarm disk: s3",
    ]  # fmt: skip
    states = [one.state for one in told.all()]
    assert states == ["sent"] * 3 + ["dropped"] * 7 + ["sent"]
    assert told.all()[5].trouble == "told in notice 11"
    told.alarm(subject="late")
    told.write()
    assert told.deliver(ear, NOW + 59 * MINUTE, rules) == 0
    assert told.deliver(ear, NOW + 61 * MINUTE, rules) == 1
    told.over(subject="s5", at=NOW + 62 * MINUTE)  # it was told, in one with others
    assert told.write(NOW + 62 * MINUTE) == 1


def test_one_that_was_put_together_and_waits_takes_in_what_comes(told):
    for n in range(3):
        told.alarm(subject=f"s{n}")
    told.write()
    rules = NoticeRules(hourly=1)
    assert told.deliver(Ear(["http_500"]), rules=rules) == 0
    told.alarm(subject="s3")
    told.write()
    ear = Ear()
    assert told.deliver(ear, NOW + HOUR, rules) == 1
    assert ear.titles == ["4 more on operations: Alarm disk: s0"]
    assert [one.state for one in told.all()] == ["dropped"] * 5 + ["sent"]


def test_one_that_was_put_together_fails_with_all_that_is_in_it(told):
    for n in range(3):
        told.alarm(subject=f"s{n}")
    told.write()
    rules = NoticeRules(hourly=1, longest=HOUR)
    told.deliver(Ear(["http_500"]), rules=rules)
    told.deliver(Ear(["http_500"]), NOW + HOUR, rules)
    assert {one.state for one in told.all()} == {"failed"}


def test_routes_are_counted_apart(told):
    told.alarm()
    told.change(Status.CONFIRMED)
    told.write()
    assert told.deliver(Ear(), rules=NoticeRules(hourly=1)) == 2


# --- who ends in the middle -----------------------------------------------------------------------


class Dies(Ear):
    """Ends while it sends."""

    def send(self, route, message, places):
        super().send(route, message, places)
        raise SystemExit


def test_what_was_being_sent_by_one_who_died_is_sent_again_and_says_so(told, hook):
    told.alarm()
    told.write()
    with pytest.raises(SystemExit):
        told.deliver(Dies())
    ear = Ear()
    assert told.deliver(ear, NOW + MINUTE) == 0  # it may still be under way
    assert ear.heard == []
    assert told.deliver(sender(operations=[hook.url()]), NOW + 6 * MINUTE) == 1
    said = json.loads(hook.posts[0][1])["message"]
    assert said.endswith("before it was known whether it went out.")
    assert told.all()[0].trouble == ""


def test_two_that_send_at_once_send_once(told, hook):
    """Each has connections of its own, as two processes have."""
    for n in range(3):
        told.alarm(subject=f"s{n}")
    told.write()
    gate, found = threading.Barrier(2), []
    known = sender(operations=[hook.url()])

    def one():
        gate.wait()
        found.append(told.deliver(known))

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(found) == 3
    assert sorted(json.loads(body)["title"] for _, body in hook.posts) == [
        "Alarm disk: s0", "Alarm disk: s1", "Alarm disk: s2",
    ]  # fmt: skip
    assert {one.tries for one in told.all()} == {1}


def test_no_transaction_is_open_while_a_server_takes_its_time(told):
    class Looks(Ear):
        def send(self, route, message, places):
            with told.database.begin() as connection:  # SQLite has one writer
                notifications.lock_notices(connection)
                events.add_event(connection, "looked", "", "", now=NOW)
            return super().send(route, message, places)

    told.alarm()
    told.write()
    assert told.deliver(Looks()) == 1


def test_it_stops_between_two(told):
    for n in range(3):
        told.alarm(subject=f"s{n}")
    told.write()
    ear = Ear()
    assert told.deliver(ear, stop=lambda: len(ear.heard) >= 1) == 1
    assert [one.state for one in told.all()] == ["sent", "open", "open"]


def test_no_secret_is_written_down(told, hook, caplog):
    """A server that refuses, and repeats all that it knows of the request."""
    caplog.set_level("DEBUG")
    secret = "t0ken-in-the-path"
    hook.status = 500
    told.alarm()
    told.write()
    told.deliver(sender(operations=[hook.url(secret, f"{secret}-user:{secret}-pw@")]), NOW + HOUR)
    assert len(hook.posts) == 1
    for table in ("notices", "alarms", "events"):
        assert secret not in json.dumps(query(told.database, f"SELECT * FROM {table}"), default=str)
        assert "127.0.0.1" not in json.dumps(
            query(told.database, f"SELECT * FROM {table}"), default=str
        )
    assert secret not in caplog.text
    assert "notice 1 was not sent on route operations: address 1 of 1: HTTP 500" in caplog.text


def test_rules_are_those_of_the_environment(monkeypatch):
    assert telling.rules_of(Settings.of_environment()) == NoticeRules()
    monkeypatch.setenv("MONITOR_NOTIFY_AFTER", "1")
    monkeypatch.setenv("MONITOR_NOTIFY_DAYS", "0.5")
    monkeypatch.setenv("MONITOR_TIME_ZONE", "Europe/Vienna")
    found = telling.rules_of(Settings.of_environment())
    assert (found.after, found.longest) == (timedelta(0), 12 * HOUR)
    assert found.zone.key == "Europe/Vienna"
