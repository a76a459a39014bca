"""Alarms: the rules alone, and what is raised and ended of rows on both databases."""

from datetime import UTC, datetime, timedelta

import pytest

from monitor import settings
from monitor.jobs import Job
from monitor.model import Outcome, Reason, RunState, TickState
from monitor.pipeline.schedule import supervision as supervising
from monitor.pipeline.schedule.supervision import supervise_jobs
from monitor.stages import alarm_rules
from monitor.stages.alarm_rules import AnswerTally
from monitor.store import schema
from monitor.store.collect import pauses
from monitor.store.collect.run_progress import OutcomeCount
from monitor.store.journal import events
from monitor.store.schedule import tasks, ticks
from monitor.store.schedule.ticks import DueTick
from tests.cases import check_each
from tests.factories import job_content
from tests.looked_after import AT, SECOND, alarms, ask, count, end_run, new_run, watch

HOUR = timedelta(hours=1)
WEEK = timedelta(weeks=1)
MINUTE = timedelta(minutes=1)
REDESIGN = {"outcome": Outcome.UNREADABLE, "reason": Reason.MALFORMED}
#: The engine of `job_content`, as it is labelled.
LABEL = "firefox_translations"


def do(database, what, *args, **kwargs):
    with database.begin() as connection:
        return what(connection, *args, **kwargs)


# --- rules ----------------------------------------------------------------------------------------


def share(readable, of=100, kind="mt"):
    return AnswerTally(kind, readable=readable, unreadable=of - readable)


def fell(now, *before):
    verdict = alarm_rules.judge_parser_yield("j: e", now, before)
    return None if verdict is None else bool(verdict.detail)


@check_each(
    ("now", "before", "expected"),
    [
        (share(79), [share(100)], True),
        (share(80), [share(100), share(100)], False),  # below 80 % only
        (share(79), [share(99)], False),  # by more than 20 points only
        (share(70), [share(95), share(95), share(10)], True),  # one bad run is not the usual
        (share(70), [share(60), share(65), share(100)], False),
        (share(50), [], None),
        (share(10, of=19), [share(100)], None),
        (share(10, of=20), [share(100)], True),
        (share(0), [share(19, of=19)], None),  # too few to compare with
        (share(0), [share(0), share(0)], False),
    ],
)
def test_yield_falls_against_the_median_of_the_runs_before(now, before, expected):
    assert fell(now, *before) is expected


def test_what_the_alarm_of_yield_says():
    verdict = alarm_rules.judge_parser_yield("j: e", share(12, 60), [share(95), share(99)])
    assert verdict.detail == (
        "12 of 60 answers are readable (20%), against 97% in the median of 2 runs before"
    )


def test_walls_are_no_answers_of_a_parser():
    walled = AnswerTally("search", readable=20, unreadable=0, blocked=500)
    assert fell(walled, share(100)) is False
    assert alarm_rules.judge_blocked("j: e", walled).detail == "500 of 520 answers (96%) are walls"


@check_each(("walls", "expected"), [(0, False), (2, False), (3, True), (10, True)])
def test_a_share_of_walls(walls, expected):
    assert bool(
        alarm_rules.judge_blocked(
            "j: e", AnswerTally("mt", readable=10 - walls, blocked=walls)
        ).detail
    ) is (expected)


def test_nothing_is_said_of_an_engine_that_was_not_asked():
    assert alarm_rules.judge_blocked("j: e", AnswerTally("mt")) is None
    assert alarm_rules.judge_unknown_blocks("j: e", AnswerTally("search")) is None


@pytest.mark.parametrize(
    ("kind", "unknown", "expected"),
    [("search", 2, False), ("search", 3, True), ("mt", 20, None)],
)
def test_pages_of_no_known_sort(kind, unknown, expected):
    tally = AnswerTally(kind, readable=20 - unknown, unreadable=unknown, unknown=unknown)
    verdict = alarm_rules.judge_unknown_blocks("j: e", tally)
    assert (None if verdict is None else bool(verdict.detail)) is expected


def test_outcomes_are_tallied_by_engine():
    def ending(engine, outcome, n, reason=""):
        return OutcomeCount(engine, "search", outcome, reason, n)

    found = alarm_rules.count_tallies(
        [
            ending("a", "ok", 5),
            ending("a", "empty", 2),
            ending("a", "blocked", 3, "captcha"),
            ending("a", "unreadable", 4, "js_shell"),
            ending("a", "unreadable", 1, "refusal"),
            ending("a", "timeout", 7),
            ending("b", "", 9),
        ]
    )
    assert found == {"a": AnswerTally("search", 7, 5, 4, 3), "b": AnswerTally("search")}
    assert (found["a"].read, found["a"].came) == (12, 15)


def test_an_engine_label_with_a_colon_keeps_its_job():
    assert alarm_rules.job_of(alarm_rules.write_subject("job", "chat: x: y")) == "job"


def test_a_tick_is_late_after_its_start_and_not_its_due_time():
    def tick(job, minutes, state=TickState.DUE):
        times = AT - 10 * HOUR, AT - minutes * MINUTE
        return DueTick(1, job, *times, state, "", None, AT - 10 * HOUR, None)

    some = [tick("a", 16), tick("b", 15), tick("c", 60, TickState.RUNNING), tick("d", 99)]
    [late] = alarm_rules.judge_tick_late(some, AT, {"d"})
    assert (late.subject, late.detail) == ("a", "due at 2026-11-20 19:00 UTC and not begun")


def test_a_worker_is_missed_after_two_minutes():
    assert alarm_rules.judge_no_worker(None, 0, AT) == []
    assert alarm_rules.judge_no_worker(AT - 2 * MINUTE, 0, AT) == []
    assert alarm_rules.judge_no_worker(AT - 3 * MINUTE, 1, AT) == []
    assert [one.kind for one in alarm_rules.judge_no_worker(AT - 3 * MINUTE, 0, AT)] == [
        "no_worker"
    ]


def test_the_disk_is_nearly_full_before_collecting_stops():
    def subjects(*numbers):
        return [one.subject for one in alarm_rules.judge_disk(*numbers)]

    assert subjects(1000, 500, 0, 0) == []
    assert subjects(999, 500, 0, 0) == ["free space"]
    assert subjects(0, 0, 10**9, 0) == []
    assert subjects(None, 500, 90, 100) == []
    assert subjects(1, 500, 91, 100) == ["free space", "quota"]


def test_every_kind_that_is_judged_has_a_meaning():
    assert {*alarm_rules.OF_RUNS, *alarm_rules.OF_NOW} < set(alarm_rules.KINDS)


# --- finished runs --------------------------------------------------------------------------------


def finished(database, week, good=30, bad=0, job="j", engine="e", at=None, **how):
    """A run of a weekly job."""
    due = AT + week * WEEK
    run = new_run(database, job, due)
    if good:
        ask(database, run, engine, Outcome.OK, batch=good, kind="search")
    if bad:
        spoilt = {"outcome": Outcome.UNREADABLE, "reason": Reason.REFUSAL} | how
        ask(database, run, engine, batch=bad, kind="search", **spoilt)
    end_run(database, run, at or due + HOUR)
    return run


def look(database, week):
    """(kind, is raised) of what changes two hours after a run."""
    return [
        (one.kind, one.is_raised) for one in supervise_jobs(database, AT + week * WEEK + 2 * HOUR)
    ]


def test_a_fall_is_raised_once_and_ends_when_the_yield_is_back(database):
    for week in range(3):
        finished(database, week)
        assert look(database, week) == []
    finished(database, 3, good=10, bad=20)
    assert look(database, 3) == [("parser_yield", True)]
    assert alarms(database) == {("parser_yield", "j: e")}
    assert look(database, 3) == []
    finished(database, 4, good=12, bad=20)
    assert look(database, 4) == []
    finished(database, 5)
    assert look(database, 5) == [("parser_yield", False)]
    assert alarms(database) == set()


def test_what_is_broken_for_long_does_not_become_usual(database):
    for week in range(9):
        finished(database, week)
    look(database, 8)
    for week in range(9, 22):
        finished(database, week, good=10, bad=20)
        look(database, week)
    assert alarms(database) == {("parser_yield", "j: e")}
    finished(database, 22, good=28, bad=2)
    assert look(database, 22) == [("parser_yield", False)]


def test_engines_are_compared_with_themselves(database):
    for week in range(3):
        run = new_run(database, "j", AT + week * WEEK)
        for engine, usual in (("good", 30), ("poor", 15)):
            read = 10 if week == 2 else usual
            ask(database, run, engine, Outcome.OK, batch=read)
            ask(database, run, engine, Outcome.UNREADABLE, batch=31 - read)
        end_run(database, run, AT + week * WEEK + HOUR)
        look(database, week)
    assert alarms(database) == {("parser_yield", "j: good")}


def test_a_finished_run_is_judged_once_and_again_when_it_was_resumed(database, monkeypatch):
    read = []
    real = supervising.run_progress.count_outcomes
    monkeypatch.setattr(
        supervising.run_progress, "count_outcomes", lambda c, run: read.append(run) or real(c, run)
    )
    run = finished(database, 0)
    look(database, 0)
    look(database, 0)
    assert read == [run]
    end_run(database, run, AT + 5 * HOUR)
    look(database, 0)
    assert read == [run, run]


def test_a_run_that_goes_on_is_not_judged(database):
    run = new_run(database, "j", AT)
    ask(database, run, "e", Outcome.BLOCKED, n=5)
    assert supervise_jobs(database, AT + HOUR) == []


def test_redesigns_and_walls_are_raised(database):
    finished(database, 0, good=20, bad=5, **REDESIGN)
    assert look(database, 0) == [("unknown_blocks", True)]
    finished(database, 1, good=2, bad=1, outcome=Outcome.BLOCKED, reason=Reason.CAPTCHA)
    # too few pages to say anything of redesigns: that alarm stands
    assert look(database, 1) == [("blocked", True)]
    assert alarms(database) == {("unknown_blocks", "j: e"), ("blocked", "j: e")}
    finished(database, 2)
    assert sorted(look(database, 2)) == [("blocked", False), ("unknown_blocks", False)]


def test_an_engine_that_is_no_longer_asked_has_no_alarm(database):
    finished(database, 0, good=1, bad=9, outcome=Outcome.BLOCKED)
    assert look(database, 0) == [("blocked", True)]
    finished(database, 1, engine="another")
    assert look(database, 1) == [("blocked", False)]


def test_a_job_whose_file_is_gone_has_no_alarm(database):
    watch(database, "j")
    finished(database, 0, good=1, bad=9, outcome=Outcome.BLOCKED)
    assert look(database, 0) == [("blocked", True)]
    do(database, ticks.retire_job, "j")
    assert look(database, 0) == [("blocked", False)]


def test_a_failed_task_is_over_when_a_run_of_its_job_is_done(database):
    for job in ("j", "k"):
        do(database, events.raise_alarm, "task_failed", f"{job}: collect x", "crashed", AT)
    do(database, events.raise_alarm, "job_broken", "jobs/j.toml", "no name", AT)
    finished(database, 0, at=AT - SECOND)  # before it failed
    run = finished(database, 1)
    end_run(database, run, AT + WEEK + HOUR, RunState.PARTIAL)
    assert look(database, 1) == []
    end_run(database, run, AT + WEEK + HOUR)
    assert look(database, 1) == [("task_failed", False)]
    assert alarms(database) == {("task_failed", "k: collect x"), ("job_broken", "jobs/j.toml")}


def test_hostile_names_are_only_text(database):
    finished(database, 0, good=1, bad=9, engine='e"}\n{x="', outcome=Outcome.BLOCKED)
    assert look(database, 0) == [("blocked", True)]
    assert alarms(database) == {("blocked", 'j: e"}\n{x="')}


# --- now ------------------------------------------------------------------------------------------

#: How long a weekly job without jitter may be silent.
SILENT = 2 * WEEK + alarm_rules.LATE
#: A thursday before the clocks of Europe change: intervals are counted from today on.
START = datetime(2026, 11, 26, 5, tzinfo=UTC)


def config_hash():
    return Job.model_validate(job_content()).engines[0].config_hash


def test_an_engine_is_stale_after_two_intervals(database):
    watch(database, "mini", since=START)
    run = new_run(database)
    assert supervise_jobs(database, START + SILENT - SECOND) == []
    [change] = supervise_jobs(database, START + SILENT + SECOND)
    assert (change.kind, change.is_raised) == ("stale", True)
    assert change.subject == f"mini: {LABEL}"
    assert change.detail == "no answer for more than 2 of its intervals of 168 hours"
    ask(database, run, LABEL, Outcome.UNREADABLE, config=config_hash(), at=START + SILENT)
    ask(database, run, LABEL, Outcome.OK, config="of another", at=START + SILENT)
    assert supervise_jobs(database, START + SILENT + MINUTE) == []
    ask(database, run, LABEL, Outcome.EMPTY, config=config_hash(), at=START + SILENT)
    assert [one.is_raised for one in supervise_jobs(database, START + SILENT + HOUR)] == [False]


@pytest.mark.parametrize(("kind", "name"), [("job", "mini"), ("engine", "firefox_translations")])
def test_what_rests_may_be_silent(database, kind, name):
    watch(database, "mini", since=START)
    do(database, pauses.add_pause, kind, name, "holidays", START)
    assert supervise_jobs(database, START + 10 * WEEK) == []
    do(database, pauses.end_pause, kind, name, START)
    assert len(supervise_jobs(database, START + 10 * WEEK)) == 1


def test_jobs_that_are_gone_recorded_or_of_another_version_are_not_stale(database):
    watch(database, "gone", since=START)
    do(database, ticks.retire_job, "gone")
    engines = [{"name": "recorded", "targets": ["pt"], "config": {"file": "r.csv", "system": "s"}}]
    recorded = {"engines": engines, "schedule": {"catch_up": "all"}}
    watch(database, "recorded", since=START, **recorded)
    watch(database, "never", since=START, cron="0 0 31 2 *")
    watch(database, "later", since=START)
    with database.begin() as connection:
        newer = {"name": "later", "engines": [{"name": "of next year"}]}
        change = schema.jobs.update().where(schema.jobs.c.name == "later")
        connection.execute(change.values(content=newer))
    assert supervise_jobs(database, START + 10 * WEEK) == []


def test_an_interval_is_the_longest_of_those_to_come():
    supervising._find_interval.cache_clear()
    day = START.date()
    assert supervising._find_interval("0 9,17 * * *", "UTC", day) == 16 * HOUR
    assert supervising._find_interval("0 5 * * mon-fri", "UTC", day) == 72 * HOUR
    assert supervising._find_interval("0 0 31 2 *", "UTC", day) is None


def test_a_late_tick_is_raised_and_ends_when_it_is_begun(database):
    found = [(AT, AT, TickState.DUE, "")]
    do(database, ticks.note_ticks, "j", found, AT)
    assert supervise_jobs(database, AT + 15 * MINUTE) == []
    [change] = supervise_jobs(database, AT + 16 * MINUTE)
    assert (change.kind, change.subject, change.is_raised) == ("tick_late", "j", True)
    do(database, ticks.end_tick, 1, TickState.MISSED, "", AT)
    [change] = supervise_jobs(database, AT + 17 * MINUTE)
    assert (change.kind, change.is_raised) == ("tick_late", False)


def test_tasks_without_a_worker_where_there_are_workers(database):
    run = new_run(database)
    do(database, tasks.plan_tasks, run, ["lane"])
    later = datetime.now(UTC) + 5 * MINUTE
    changed = supervise_jobs(database, later)
    if database.keeps_files:
        assert changed == []  # the daemon performs them
        return
    assert [(one.kind, one.is_raised) for one in changed] == [("no_worker", True)]
    do(database, events.announce_process, "elsewhere:1:1", "worker", "", later)
    assert [one.is_raised for one in supervise_jobs(database, later + MINUTE)] == [False]
    assert [one.is_raised for one in supervise_jobs(database, later + HOUR)] == [True]


def test_the_quota_counts_database_and_files(sqlite_database, monkeypatch):
    supervising._compute_files.cache_clear()
    folder = sqlite_database.bodies / "ab"
    folder.mkdir(parents=True)
    (folder / "large").write_bytes(b"x" * 9_500_000)
    assert supervise_jobs(sqlite_database, AT) == []
    monkeypatch.setenv("MONITOR_QUOTA", "10000000")
    settings.load.cache_clear()
    assert [(one.kind, one.subject) for one in supervise_jobs(sqlite_database, AT)] == [
        ("disk", "quota")
    ]
    (folder / "large").unlink()
    # files are looked at now and then only
    assert supervise_jobs(sqlite_database, AT + MINUTE) == []
    assert [one.is_raised for one in supervise_jobs(sqlite_database, AT + HOUR)] == [False]


def test_a_disk_that_is_nearly_full(sqlite_database, monkeypatch):
    monkeypatch.setenv("MONITOR_DISK_RESERVE", str(2**60))
    settings.load.cache_clear()
    assert [(one.kind, one.subject) for one in supervise_jobs(sqlite_database, AT)] == [
        ("disk", "free space")
    ]


def test_where_all_is_well_nothing_is_written(database, monkeypatch):
    finished(database, 0)
    look(database, 0)
    marks = count(database, schema.stages_done)

    def refuse(*_):
        raise AssertionError("a write transaction")

    monkeypatch.setattr(type(database), "begin", refuse)
    assert look(database, 0) == []
    assert marks == 2  # compared and judged
