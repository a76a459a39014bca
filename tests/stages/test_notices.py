"""What people are told, and what not: rules on alarms, changes, reports; words that cannot lie."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import typer

from monitor import cli
from monitor.change import Cause, ChangeKind, Role, Status
from monitor.stages import notices
from monitor.stages.alarm_rules import KINDS
from monitor.stages.notices import Anew, NoticeRules, NoticeSubjects, ReportWeek
from monitor.store.journal.events import Alarm
from monitor.store.journal.notifications import (
    MadeReport,
    NamedChange,
    Notice,
    SeriesFamily,
)
from tests.cases import check_each

NOW = datetime(2026, 3, 2, 5, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
RULES = NoticeRules()
UTC_ZONE = ZoneInfo("UTC")


def alarm(since=NOW, resolved_at=None, kind="disk", subject="quota", detail="95 % are used"):
    return Alarm(7, kind, subject, detail, since, since, resolved_at)


def notice(number, kind, subject, *, at=NOW, state="sent", route="operations", tries=1, **more):
    content = {"title": f"title {number}", "body": "b", "next_at": None, "sent_at": None}
    content |= {"trouble": ""} | more
    return Notice(
        id=number, route=route, kind=kind, subject=subject, created_at=at, state=state,
        tries=tries, **content,
    )  # fmt: skip


def of_alarm(one, told=(), now=NOW, rules=RULES):
    found = notices.of_alarms([one], {"alarm:7": list(told)} if told else {}, rules, now)
    return [(new.route, new.kind) for new in found]


def raised(**more):
    return notice(1, "raised", "alarm:7", **more)


# --- alarms ---------------------------------------------------------------------------------------


@check_each(
    ("after", "stood", "is_told"),
    [(1, 0, True), (2, 0, False), (2, 59, False), (2, 60, True), (5, 239, False), (5, 240, True)],
)
def test_an_alarm_is_told_when_it_stood_at_so_many_looks(after, stood, is_told):
    rules = replace(RULES, after=(after - 1) * MINUTE)
    found = of_alarm(alarm(NOW - timedelta(seconds=stood)), rules=rules)
    assert found == ([("operations", "raised")] if is_told else [])


def test_an_alarm_that_came_and_went_is_not_told():
    assert of_alarm(alarm(NOW - MINUTE, NOW)) == []


@check_each(
    ("state", "is_told"), [("sent", True), ("open", True), ("dropped", True), ("failed", False)]
)
def test_its_end_is_told_if_its_beginning_was(state, is_told):
    found = of_alarm(alarm(NOW - HOUR, NOW), [raised(state=state)])
    assert found == ([("operations", "resolved")] if is_told else [])


def test_its_end_is_told_once():
    told = [raised(), notice(2, "resolved", "alarm:7")]
    assert of_alarm(alarm(NOW - HOUR, NOW), told) == []


def test_an_alarm_that_stands_is_told_again_once_a_day_and_not_for_ever():
    one, told, found = alarm(NOW - HOUR), [raised()], []
    for hours in range(24 * 10):
        now = NOW + hours * HOUR
        for _, kind in of_alarm(one, told, now):
            told.append(notice(len(told) + 1, kind, "alarm:7", at=now))
            found.append(hours)
    assert found == [24, 48, 72]
    assert {one.kind for one in told[1:]} == {"repeated"}
    assert of_alarm(one, [raised()], NOW + 9 * DAY, replace(RULES, repeats=0)) == []


def test_it_is_not_told_again_while_the_last_notice_waits():
    assert of_alarm(alarm(NOW - 5 * DAY), [raised(at=NOW - 5 * DAY, state="open")]) == []
    failed = [raised(at=NOW - 5 * DAY, state="failed")]
    assert of_alarm(alarm(NOW - 5 * DAY), failed) == [("operations", "repeated")]


def test_of_a_route_that_does_not_work_nothing_is_told_there():
    stands = NOW - DAY
    assert of_alarm(alarm(stands, kind="notify_failed", subject="operations")) == []
    found = of_alarm(alarm(stands, kind="notify_failed", subject="findings"))
    assert found == [("operations", "raised")]


def test_every_kind_has_its_meaning_and_runbook():
    for kind, meaning in KINDS.items():
        [new] = notices.of_alarms([alarm(NOW - DAY, kind=kind)], {}, RULES, NOW)
        assert new.title.startswith(f"Alarm {kind}")
        assert f"What it means: {meaning}\n" in new.body
        assert new.body.endswith(f"Runbook: docs/operations.md, {kind}")


def test_a_kind_that_nobody_knows_is_told_as_well():
    [new] = notices.of_alarms([alarm(NOW - DAY, kind="novel")], {}, RULES, NOW)
    assert "see the runbook" in new.body


def test_that_operators_are_not_reached_is_no_message_to_them_and_hides_no_other_alarm():
    unreached = alarm(NOW - DAY, kind=notices.NOTIFY_FAILED, subject=notices.OPERATIONS)
    found = notices.of_alarms([unreached, alarm(NOW - DAY)], {}, RULES, NOW)
    assert [new.title.partition(":")[0] for new in found] == ["Alarm disk"]


# --- changes --------------------------------------------------------------------------------------

CHANGE = NamedChange(
    change_id=1, reference="", q=0.001, alpha=0.05, p_beyond=None, alpha_beyond=None,
    series_id=3, kind=ChangeKind.STEP, detected_at=NOW, changed_at=NOW, job="weekly", list="gest@1",
    engine="deepl", source_lang="en", target="cs", measure="masculine_rate", quantity="f_s",
    scope="all", role=Role.PRIMARY, before=0.412, after=0.452, effect=0.04, low=0.021, high=0.059,
    noise=0.01, status=Status.CONFIRMED, cause=Cause.ENGINE, because="The control stood still.",
    sentence="DeepL en→cs: f_s rose from 0.412 to 0.452.",
)  # fmt: skip
SUBJECT = notices.subject_of(3, ChangeKind.STEP, NOW)


def of_change(change, told=(), now=NOW + HOUR):
    given = [] if change is None else [change]
    found = notices.of_changes(given, {SUBJECT: list(told)} if told else {}, RULES, now)
    return [(new.route, new.kind, new.subject) for new in found]


def told(*kinds, **more):
    routes = {"finding": "findings"}
    return [
        notice(n, kind, SUBJECT, route=routes.get(kind, "operations"), **more)
        for n, kind in enumerate(kinds, 1)
    ]


def status(value, cause=Cause.ENGINE):
    return replace(CHANGE, status=value, cause=cause)


@check_each(
    ("change", "before", "expected"),
    [
        (status(Status.CANDIDATE), (), ("operations", "candidate")),
        (status(Status.CANDIDATE), ("candidate",), None),
        (status(Status.CONFIRMED), (), ("findings", "finding")),
        (status(Status.CONFIRMED), ("candidate",), ("findings", "finding")),
        (status(Status.CONFIRMED), ("candidate", "finding"), None),
        (status(Status.CONFIRMED, Cause.OPEN), (), ("findings", "finding")),
        (status(Status.CONFIRMED, Cause.INSTRUMENT), (), ("operations", "attributed")),
        (status(Status.CONFIRMED, Cause.PARSER), ("attributed",), None),
        (status(Status.CONFIRMED, Cause.PARSER), ("finding",), ("findings", "withdrawn")),
        (status(Status.CONFIRMED), ("attributed",), ("findings", "finding")),
        (status(Status.REFUTED), (), None),
        (status(Status.REFUTED), ("candidate",), ("operations", "refuted")),
        (status(Status.REFUTED), ("candidate", "refuted"), None),
        (status(Status.REFUTED), ("attributed",), ("operations", "refuted")),
        (status(Status.REFUTED), ("candidate", "finding"), ("findings", "withdrawn")),
        (status(Status.REFUTED), ("finding", "withdrawn"), None),
        (status(Status.UNCONFIRMED), (), None),
        (status(Status.UNCONFIRMED), ("candidate",), ("operations", "unconfirmed")),
        (status(Status.UNCONFIRMED), ("unconfirmed",), None),
        (status(Status.CANDIDATE), ("finding",), ("findings", "withdrawn")),
        (status(Status.CONFIRMED), ("finding", "withdrawn"), ("findings", "finding")),
        (None, ("candidate",), ("operations", "withdrawn")),
        (None, ("candidate", "finding"), ("findings", "withdrawn")),
        (None, ("finding", "withdrawn"), None),
        (None, ("candidate", "refuted"), None),
        (None, (), None),
    ],
)
def test_changes(change, before, expected):
    found = of_change(change, told(*before))
    assert found == ([] if expected is None else [(*expected, SUBJECT)])


def test_what_failed_is_not_told_anew_and_needs_no_taking_back():
    failed = told("finding", state="failed")
    assert of_change(CHANGE, failed) == []
    assert of_change(None, failed) == []
    assert of_change(status(Status.REFUTED), told("candidate", state="failed")) == []


def test_old_changes_are_no_news_but_may_be_taken_back():
    later = NOW + notices.NEWS + HOUR
    assert of_change(CHANGE, now=later) == []
    assert of_change(CHANGE, now=NOW - notices.NEWS - HOUR) == []
    assert of_change(status(Status.REFUTED), told("finding"), now=later) != []


def test_a_change_keeps_its_name_when_it_is_computed_anew():
    anew = replace(CHANGE, effect=0.041, before=0.411)
    assert of_change(anew, told("finding")) == []
    assert notices.series_of(SUBJECT) == 3


def finding(**changes):
    [new] = notices.of_changes([replace(CHANGE, **changes)], {}, RULES, NOW)
    return new


def test_a_finding_says_all_that_it_rests_on():
    new = finding()
    assert (
        new.title == "Finding: deepl English to Czech, f_s +0.040 [+0.021, +0.059] (95 % interval)"
    )
    for line in (
        "Job: weekly", "Engine: deepl", "Target: English to Czech", CHANGE.sentence,
        "Quantity: f_s of masculine_rate, scope all, list gest@1",
        "Effect: +0.040 [+0.021, +0.059] (95 % interval), from 0.412 to 0.452",
        "Status: confirmed",
        "Cause: the engine, not an update of our own software",
        "Because: The control stood still.",
        "More: monitor series show 3",
    ):  # fmt: skip
        assert line in new.body.splitlines()
    assert "\nWhat it does not show: why the service changed" in new.body
    assert new.body.splitlines()[-1].startswith("More: ")


def test_what_is_not_there_is_said_and_is_no_number():
    new = finding(effect=None, low=None, high=None, before=None, after=None, noise=None, target="")
    assert "Effect: no value (no interval), from no value to no value" in new.body
    assert "Noise floor: no value" in new.body
    assert "nan" not in new.body.lower()
    assert "None" not in new.body + new.title
    assert "0.0" not in new.body


@check_each("cause", list(Cause))
@check_each("role", list(Role))
def test_every_cause_and_role_has_words(cause, role):
    new = finding(cause=cause, role=role)
    assert ("findings" if cause in (Cause.ENGINE, Cause.OPEN) else "operations") == new.route


@check_each("value", [s for s in Status if s is not Status.CONFIRMED])
def test_what_is_taken_back_says_what_it_is_now(value):
    [new] = notices.of_changes(
        [status(value)], {SUBJECT: told("finding", title="Finding: x")}, RULES, NOW
    )
    assert new.title == "Withdrawn: Finding: x"
    assert "Do not quote it" in new.body


def test_what_is_left_of_nothing_is_said():
    [new] = notices.of_changes([], {SUBJECT: told("finding")}, RULES, NOW)
    assert "it is no change. The rule is now" in new.body


# --- families -------------------------------------------------------------------------------------

FAMILY = SeriesFamily("weekly", "deepl", "api", "en", "cs", "gest@1", "masculine_rate", "")


def members(*changes, **more):
    """Notices about findings, each of a series of its own, and what is known of them."""
    some = [replace(one, series_id=n) for n, one in enumerate(changes, 1)]
    written = list(notices.of_changes(some, {}, RULES, NOW))
    found = [
        notice(n, new.kind, new.subject, title=new.title, body=new.body, tries=0, **more)
        for n, new in enumerate(written, 1)
    ]
    known = {n: FAMILY for n, _ in enumerate(changes, 1)}
    return found, NoticeSubjects(notices.by_subject(some), known)


def test_changes_of_a_family_are_told_in_one_by_the_strongest():
    wide = replace(CHANGE, scope="stereotype:1", effect=0.09, low=0.01, high=0.17)
    none = replace(CHANGE, scope="stereotype:2", low=None, high=None)
    found, known = members(wide, none, CHANGE)
    [group] = notices.group_notices(found, known)
    assert ids(group) == [3, 1, 2]
    kind, title, body = notices.join_notices("findings", [group], RULES)
    assert (kind, title) == ("family", f"3 of one family: {found[2].title}")
    assert "Effect: +0.040 [+0.021, +0.059] (95 % interval), from 0.412 to 0.452" in body
    first, second = (line for line in body.splitlines() if line.startswith("- "))
    assert first.startswith("- Finding: deepl English to Czech, f_s stereotype:1 +0.090 [+0.010, ")
    assert second == "- Finding: deepl English to Czech, f_s stereotype:2 +0.040 (no interval)"
    assert body.endswith("More: monitor notify list")


@check_each(
    "other",
    [
        {"cause": Cause.OPEN}, {"job": "other"}, {"status": Status.CANDIDATE},
        {"detected_at": NOW - DAY}, {"kind": ChangeKind.DRIFT},
    ],
)  # fmt: skip
def test_what_differs_in_more_is_told_apart(other):
    found, known = members(CHANGE, replace(CHANGE, **other))
    assert [ids(group) for group in notices.group_notices(found, known)] == [[1], [2]]


def test_another_family_or_what_was_tried_is_told_apart():
    found, known = members(CHANGE, CHANGE, CHANGE)
    known.families[2] = replace(FAMILY, target="de")
    found[2] = replace(found[2], tries=1)
    assert [ids(group) for group in notices.group_notices(found, known)] == [[1], [2], [3]]
    assert [ids(group) for group in notices.group_notices(waiting({}, {}), known)] == [
        [1],
        [2],
    ]


def test_what_is_taken_back_of_a_family_with_nothing_left_is_one_message():
    found, known = members(CHANGE, CHANGE)
    gone = [replace(one, kind="withdrawn") for one in found]
    [group] = notices.group_notices(gone, NoticeSubjects({}, known.families))
    assert ids(group) == [1, 2]


def test_a_family_of_many_fits_and_loses_neither_limits_nor_count():
    long = replace(CHANGE, sentence="s" * 450, because="b" * 400)
    found, known = members(*[replace(long, scope=f"tag:topic={n}") for n in range(40)])
    [group] = notices.group_notices(found, known)
    _, title, body = notices.join_notices("findings", [group], RULES)
    assert len(body) <= 1_900
    assert title.startswith("40 of one family: ")
    assert "What it does not show:" in body
    n = sum(line.startswith("- Finding") for line in body.splitlines())
    assert n >= 1
    assert f"- and {39 - n} more" in body
    assert body.endswith("More: monitor notify list")


# --- reports --------------------------------------------------------------------------------------

REPORT = MadeReport("weekly", "weekly", NOW, "out/weekly/2026-03-02", "ab" * 32, NOW + HOUR)


def digest(*changes, tested=2, untested=0):
    return notices.notice_of_report(REPORT, ReportWeek(changes, tested, untested), {}, RULES)


def test_a_digest_has_what_was_confirmed_and_where_the_report_is():
    ours = status(Status.CONFIRMED, Cause.INSTRUMENT)
    refuted = status(Status.REFUTED)
    new = digest(CHANGE, ours, ours, status(Status.CANDIDATE), refuted, refuted)
    assert (new.route, new.kind, new.title) == (
        "findings", "digest", "Weekly report of weekly: 1 confirmed change",
    )  # fmt: skip
    assert new.body.count(CHANGE.sentence) == 1
    for words_ in (
        "out/weekly/2026-03-02",
        "ab" * 32,
        "2 confirmed and attributed to us",
        ", 1 unconfirmed signals, 2 not reproduced",
    ):
        assert words_ in new.body


def test_a_digest_without_a_change_does_not_say_that_nothing_changed():
    assert "does not show that nothing changed" in digest().body
    assert "not known whether anything changed" in digest(tested=0, untested=1).body
    assert "0 confirmed changes" in digest().title


def test_a_digest_of_many_changes_is_cut_and_says_so():
    new = digest(*[replace(CHANGE, series_id=n, sentence=f"s{n}.") for n in range(40)])
    assert "40 confirmed changes" in new.title
    assert len(new.body) <= 1_900
    assert new.body.splitlines()[-1].startswith("More: ")


REPORTED = notices.subject_of_report(REPORT.job, REPORT.due_at)
ANEW = Anew("1 report, the first due at 2026-03-02 05:00 UTC: the clock was ahead", "“All series”")


def again(before, anew=ANEW):
    """What is told after the report was made, where this was told before."""
    known = {REPORTED: [before]} if before else {}
    return notices.notice_of_report(REPORT, ReportWeek((), 2, 0), known, RULES, anew)


def of_digest(body="SHA-256 of its JSON: cd", **more):
    return notice(3, "digest", REPORTED, body=body, route="findings", **more)


def test_a_digest_is_told_once():
    assert again(of_digest(), anew=None) is None
    assert again(of_digest(body=REPORT.digest)) is None
    assert again(of_digest(body=REPORT.digest), anew=None) is None


def test_a_report_that_was_made_anew_and_differs_is_put_right():
    new = again(of_digest())
    assert (new.route, new.kind, new.subject) == ("findings", "corrected", REPORTED)
    assert new.title.startswith("Corrected: weekly report of weekly, due 2026-03-02 05:00")
    for said in (ANEW.why, "Differs in: “All series”", "It was: title 3", REPORT.digest):
        assert said in new.body
    assert again(notice(4, "corrected", REPORTED, body=new.body)) is None


@check_each(
    ("before", "kind"),
    [
        ({"state": "open", "tries": 0}, "digest"),  # nobody was told
        ({"state": "failed", "tries": 9}, "digest"),
        ({"state": "dropped", "tries": 0, "trouble": notices.NEVER_TOLD}, "digest"),
        ({"state": "open", "tries": 1}, "corrected"),  # it may have gone out
        ({"state": "dropped", "tries": 0, "trouble": "told in notice 9"}, "corrected"),
    ],
)
def test_only_who_was_told_is_told_better(before, kind):
    assert again(of_digest(**before)).kind == kind


def test_the_digest_of_the_json_is_never_cut():
    many = [replace(CHANGE, series_id=n, sentence="s" * 400) for n in range(40)]
    assert REPORT.digest in digest(*many).body


# --- hostile words --------------------------------------------------------------------------------

HOSTILE = (
    "x\nEngine: forged\r\n\u2028Status: confirmed\x1b[31m\u202e<b>b</b> [here](http://evil.test) "
    "`code` @everyone **bold** ~~gone~~ ||hidden|| __under__ \x00 {{ 7 * 7 }} {% raw %}"
)


def test_nothing_captured_can_pass_for_a_line_or_a_mark_of_ours():
    fields = ("job", "list", "engine", "target", "measure", "quantity", "scope", "because")
    new = finding(sentence=HOSTILE, **dict.fromkeys(fields, HOSTILE))
    plain = finding()
    assert len(new.title) <= 140
    assert len(new.body) <= 1_900
    first = [line.split(" ")[0] for line in plain.body.splitlines()[1:]]
    assert [line.split(" ")[0] for line in new.body.splitlines()[1:]][:5] == first[:5]
    for said in (new.title, new.body):
        for sign in ("\x1b", "\u202e", "\x00", "\u2028", "\r", "<b>", "](", "://", "`", "@everyone",
                     "**", "~~", "||", "__", "\nStatus: confirmed\x1b"):  # fmt: skip
            assert sign not in said
        assert "49" not in said
    assert "\n" not in new.title
    assert "\nEngine: forged" not in new.body


def test_a_command_holds_no_name_that_a_shell_would_obey():
    names = dict.fromkeys(("engine", "job", "target", "quantity"), "x; rm -rf / $(id) && id")
    assert finding(**names).body.splitlines()[-1] == "More: monitor series show 3"


def test_commands_in_messages_exist():
    """Every word up to the arguments is a command of the program."""
    folder = Path(notices.__file__).parents[1] / "templates" / "notices"
    texts = [finding().body, *(path.read_text() for path in folder.glob("*.txt"))]
    lines = {line for text in texts for line in re.findall(r"monitor ((?:[a-z]+ ?)+)", text)}
    assert {"status", "series show ", "series list"} <= lines
    for line in lines:
        found = typer.main.get_command(cli.app)
        given = line.split()
        while given and hasattr(found, "commands"):
            assert given[0] in found.commands, line
            found = found.commands[given.pop(0)]


def test_versions_of_lists_keep_their_sign_and_calls_to_all_do_not():
    assert notices.make_harmless("gest@1 and @here") == "gest@1 and ＠here"
    assert notices.make_harmless(7) == 7
    once = notices.make_harmless(HOSTILE)
    assert notices.make_harmless(once) == once


def test_an_alarm_of_hostile_words_has_the_lines_of_any_other():
    [new] = notices.of_alarms(
        [alarm(NOW - DAY, subject=HOSTILE * 9, detail=HOSTILE * 99)], {}, RULES, NOW
    )
    starts = [line.split(":")[0] for line in new.body.splitlines()]
    assert starts == [
        "What it means", "About", "Detail", "Since", "The numbers meanwhile", "More", "Runbook",
    ]  # fmt: skip


def test_times_are_in_the_zone_of_the_installation():
    rules = replace(RULES, zone=ZoneInfo("Europe/Vienna"))
    [new] = notices.of_alarms([alarm(NOW - DAY)], {}, rules, NOW)
    assert "Since: 2026-03-01 06:00 CET" in new.body


# --- sending --------------------------------------------------------------------------------------


def waiting(*given):
    return [
        notice(n, "raised", f"alarm:{n}", state="open", tries=0, **more)
        for n, more in enumerate(given, 1)
    ]


def ids(some):
    return [one.id for one in some]


def due(some, now, parts=()):
    return ids(notices.select_due(some, {one.id: one for one in parts}, now))


def test_what_was_tried_least_goes_first_and_what_rests_later():
    some = waiting({"next_at": NOW + MINUTE}, {}, {})
    some[1] = replace(some[1], tries=4)
    assert due(some, NOW) == [3, 2]
    assert due(some, NOW + MINUTE) == [1, 3, 2]
    assert due([], NOW) == []


def test_a_clock_that_was_ahead_does_not_silence_for_years():
    assert due(waiting({"next_at": NOW + 365 * DAY}), NOW) == [1]


def test_nothing_goes_before_what_was_to_be_told_of_it_earlier():
    first = replace(waiting({})[0], next_at=NOW + MINUTE, tries=1)
    then = notice(2, "resolved", first.subject, state="open", tries=0)
    assert due([first, then], NOW) == []
    assert due([first, then], NOW + MINUTE) == [1]


def test_nor_before_a_message_that_has_it_among_others():
    parts = waiting({}, {})
    first = notice(3, "summary", "notices:1,2", state="open", next_at=NOW + MINUTE)
    then = notice(4, "resolved", "alarm:2", state="open", tries=0)
    other = notice(5, "resolved", "alarm:9", state="open", tries=0)
    assert due([first, then, other], NOW, parts) == [5]


def test_rests_grow_and_end():
    minutes = [notices.compute_rest(n).total_seconds() / 60 for n in range(1, 9)]
    assert minutes == [1, 2, 4, 8, 16, 30, 30, 30]
    assert notices.compute_rest(10_000) == timedelta(minutes=30)


def test_many_in_one_are_listed_and_counted():
    some = waiting(*[{"title": f"Alarm {n}"} for n in range(14)])
    of_two = [[some[0], some[1]], *([one] for one in some[2:])]
    kind, title, body = notices.join_notices("operations", of_two, RULES)
    assert (kind, title) == ("summary", "14 more on operations: Alarm 0")
    assert [line for line in body.splitlines() if line.startswith("- ")] == [
        "- Alarm 0, and 1 more of its family", *[f"- Alarm {n}" for n in range(2, 11)],
        "- and 3 more messages",
    ]  # fmt: skip


def test_a_trial_says_that_it_is_one():
    title, body = notices.write_trial("findings", NOW, UTC_ZONE)
    assert title == "Test of the route findings"
    assert "Nothing was found and nothing is wrong." in body


# --- links ----------------------------------------------------------------------------------------

LINKED = replace(RULES, address="https://monitor.your.org/bias")


def _all_kinds(rules):
    """{kind: notice} of every template of a message but that of a trial."""
    found = []
    for value in Status:
        if value is not Status.RETROSPECTIVE:
            before = told("candidate")
            given = {} if value in (Status.CANDIDATE, Status.CONFIRMED) else {SUBJECT: before}
            found += notices.of_changes([status(value)], given, rules, NOW + HOUR)
    found += notices.of_changes([status(Status.CONFIRMED, Cause.PARSER)], {}, rules, NOW)
    found += notices.of_changes([], {SUBJECT: told("finding")}, rules, NOW)
    found += notices.of_alarms([alarm(NOW - DAY)], {}, rules, NOW)
    found += notices.of_alarms([alarm(NOW - HOUR, NOW)], {"alarm:7": [raised()]}, rules, NOW)
    again = {"alarm:7": [raised(at=NOW - 2 * DAY)]}
    found += notices.of_alarms([alarm(NOW - 2 * DAY)], again, rules, NOW)
    return {new.kind: new for new in found}


def test_every_message_links_to_a_page_where_there_is_an_address():
    pages = {"resolved": "/operations", "raised": "/operations", "repeated": "/operations"}
    without, linked = _all_kinds(RULES), _all_kinds(LINKED)
    assert len(linked) >= 9
    for kind, new in linked.items():
        path = "/changes" if kind == "withdrawn" else pages.get(kind, "/series/3")
        assert new.body == f"{without[kind].body}\nPage: https://monitor.your.org/bias{path}", kind
        assert "Page: " not in without[kind].body


def test_a_message_for_many_has_one_link_which_is_not_broken():
    long = replace(CHANGE, sentence="s https://elsewhere.test " * 30, because="b" * 400)
    some = [replace(long, series_id=n, scope=f"tag:topic={n}") for n in range(1, 41)]
    written = list(notices.of_changes(some, {}, LINKED, NOW))
    found = [
        notice(n, new.kind, new.subject, title=new.title, body=new.body, tries=0)
        for n, new in enumerate(written, 1)
    ]
    known = NoticeSubjects(notices.by_subject(some), dict.fromkeys(range(1, 41), FAMILY))
    [group] = notices.group_notices(found, known)
    for groups in ([group], [group, found[:1]]):
        _, _, body = notices.join_notices("findings", groups, LINKED)
        assert len(body) <= 1_900
        assert re.findall(r"\w+://\S+", body) == [body.splitlines()[-1].removeprefix("Page: ")]
