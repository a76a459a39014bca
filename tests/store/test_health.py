"""What metrics and supervision read, on both databases."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from monitor.model import Outcome, Purpose, Reason, RunState, TickState
from monitor.store.collect import run_progress
from monitor.store.journal import events
from monitor.store.maintenance import retention
from monitor.store.schedule import tasks, ticks
from tests.looked_after import AT, SECOND, ask, end_run, engine, measure, new_run, watch

HOUR = timedelta(hours=1)


def do(database, what, *args, **kwargs):
    with database.begin() as connection:
        return what(connection, *args, **kwargs)


def test_nothing_is_there_at_first(database):
    assert do(database, run_progress.find_newest_exchange) == 0
    assert do(database, tasks.find_newest_tick) == 0
    assert do(database, run_progress.find_last_answers) == {}
    assert do(database, run_progress.list_jobs) == []
    assert do(database, tasks.find_ready_since, AT) is None
    assert do(database, run_progress.read_measured_values, []) == []
    assert set(do(database, tasks.count_tasks).values()) == {0}
    assert do(database, events.read_announcement, "nobody") is None


def test_attempts_are_counted_from_an_id_on(database):
    run = new_run(database)
    ask(database, run, "a", Outcome.OK, n=3)
    first = do(database, run_progress.find_newest_exchange)
    ask(database, run, "a", Outcome.OK, n=2, batch=5, took=0.2)
    ask(database, run, "b", Outcome.BLOCKED, reason=Reason.CAPTCHA, took=3.0)
    to = do(database, run_progress.find_newest_exchange)
    assert to == first + 3
    # a batch is one exchange and many attempts
    assert do(database, run_progress.count_attempts, first, to) == {
        ("a", "ok"): 10,
        ("b", "blocked"): 1,
    }
    assert do(database, run_progress.count_attempts, 0, first) == {("a", "ok"): 3}
    assert do(database, run_progress.count_attempts, to, to + 100) == {}


def test_durations_are_cumulative_and_of_requests(database):
    run = new_run(database)
    for took in (0.1, 0.5, 0.5, 7.0):
        ask(database, run, "a", Outcome.OK, took=took, batch=2)
    ask(database, run, "a", Outcome.OK, took=99.0, purpose=Purpose.EGRESS)
    to = do(database, run_progress.find_newest_exchange)
    found = do(database, run_progress.measure_durations, 0, to, (0.1, 0.5, 5.0))
    assert found == {"a": run_progress.RequestDurations((1, 3, 3), 4, pytest.approx(8.1))}


def test_an_empty_answer_is_a_valid_one_and_a_wall_is_not(database):
    run = new_run(database)
    ask(database, run, "a", Outcome.OK, at=AT)
    ask(database, run, "a", Outcome.EMPTY, at=AT + HOUR)
    ask(database, run, "a", Outcome.BLOCKED, at=AT + 2 * HOUR)
    ask(database, run, "b", Outcome.UNREADABLE, at=AT)
    newest = do(database, run_progress.find_newest_exchange)
    assert do(database, run_progress.find_last_answers) == {"a": AT + HOUR}
    assert do(database, run_progress.find_answers_between, 0, newest) == {"a": AT + HOUR}
    assert do(database, run_progress.find_answers_between, 2, newest) == {}


def test_last_valid_joins_configurations_of_one_name(database):
    run = new_run(database)
    ask(database, run, "a", Outcome.OK, at=AT + HOUR)
    ask(database, run, "a", Outcome.OK, at=AT, config="other")
    assert do(database, run_progress.find_last_answers) == {"a": AT + HOUR}
    assert do(database, run_progress.has_answered, "a", "hash", AT + HOUR)
    assert not do(database, run_progress.has_answered, "a", "other", AT + SECOND)
    assert do(database, run_progress.has_answered, "a", "other", AT)
    assert not do(database, run_progress.has_answered, "unknown", "hash", AT)


def test_the_newest_runs_are_those_of_the_newest_ticks(database):
    old = new_run(database, "j", AT)
    newer = new_run(database, "j", AT + HOUR)
    other = new_run(database, "k", AT + 5 * HOUR)
    end_run(database, old, at=AT + SECOND)
    assert do(database, run_progress.list_jobs) == ["j", "k"]
    [found] = do(database, run_progress.find_newest_runs, "j")
    assert (found.id, found.state, found.finished_at) == (newer, RunState.RUNNING, None)
    [found] = do(database, run_progress.find_newest_runs, "j", finished=True)
    assert (found.id, found.state, found.finished_at) == (old, RunState.DONE, AT + SECOND)
    assert do(database, run_progress.find_newest_runs, "j", before=AT + SECOND) == []
    assert do(database, run_progress.find_newest_runs, "k", finished=True) == []
    assert [one.id for one in do(database, run_progress.find_newest_runs, "k", 5)] == [other]


def test_a_job_whose_file_is_gone_is_left_out(database):
    new_run(database, "j")
    watch(database, "j")
    assert do(database, run_progress.list_jobs) == ["j"]
    assert do(database, tasks.list_active_jobs) == ["j"]
    do(database, ticks.retire_job, "j")
    assert do(database, run_progress.list_jobs) == []
    assert do(database, tasks.list_active_jobs) == []
    assert do(database, tasks.read_active_contents) == []


def test_endings_are_what_the_newest_parser_reads_of_the_last_tries(database):
    run = new_run(database)
    ask(database, run, "a", Outcome.OK, n=2)
    ask(database, run, "a", Outcome.OK, read=[(Outcome.UNREADABLE, Reason.MALFORMED)])
    ask(
        database,
        run,
        "a",
        Outcome.OK,
        read=[(Outcome.UNREADABLE, Reason.MALFORMED), (Outcome.EMPTY, Reason.NONE)],
    )
    ask(database, run, "a", Outcome.TIMEOUT, final=False)
    ask(database, run, "b", None, kind="search")
    other = new_run(database, "other")
    ask(database, other, "a", Outcome.OK)
    found = do(database, run_progress.count_outcomes, run)
    assert [(one.engine, one.kind, one.outcome, one.reason, one.questions) for one in found] == [
        ("a", "mt", "empty", "", 1),
        ("a", "mt", "ok", "", 2),
        ("a", "mt", "unreadable", "malformed", 1),
        ("b", "search", "not asked", "", 1),
    ]


def test_measured_values_are_those_over_everything_that_have_one(database):
    run = new_run(database, "j", AT)
    before = new_run(database, "j", AT - HOUR)
    measure(database, before, "a", "rate", 0.1)
    measure(database, run, "a", "rate", 0.5, low=0.4, high=0.6, bound_low=0.0, bound_high=1.0)
    measure(database, run, "a", "rate", 0.9, scope="stereotype:1")
    measure(database, run, "a", "missing", None)
    stands = do(database, run_progress.find_newest_runs, "j")
    [found] = do(database, run_progress.read_measured_values, stands)
    assert found == run_progress.MeasuredValue(
        "j", "mini", "a", "en", "pt", "m", "rate", "parity", 0.5, 0.4, 0.6, 0.0, 1.0
    )


def test_there_is_news_when_a_run_ends_or_a_point_comes(database):
    run = new_run(database, "j", AT)
    first = do(database, run_progress.read_change_token, run)
    assert do(database, run_progress.read_change_token, run) == first
    measure(database, run, "a", "rate", 0.5)
    second = do(database, run_progress.read_change_token, run)
    end_run(database, run, at=AT + SECOND)
    assert len({first, second, do(database, run_progress.read_change_token, run)}) == 3


def test_ticks_are_counted_once_when_they_end(database):
    def noted(*some):
        do(database, ticks.note_ticks, "j", some, AT)

    noted((AT, AT, TickState.MISSED, ""), (AT + HOUR, AT + HOUR, TickState.DUE, ""))
    newest = do(database, tasks.find_newest_tick)
    [waiting] = do(database, ticks.list_open_ticks)
    assert (waiting.job, waiting.due_at, waiting.state) == ("j", AT + HOUR, TickState.DUE)
    assert do(database, tasks.count_ended_ticks, 0, ()) == {("j", "missed"): 1}
    assert do(database, tasks.count_ended_ticks, newest, [waiting.id]) == {}
    do(database, ticks.end_tick, waiting.id, TickState.FAILED, "no", AT)
    noted((AT + 2 * HOUR, AT, TickState.MISSED, ""))
    assert do(database, tasks.count_ended_ticks, newest, [waiting.id]) == {
        ("j", "failed"): 1,
        ("j", "missed"): 1,
    }
    assert do(database, ticks.list_open_ticks) == []
    assert do(database, tasks.read_last_ticks, ["j", "k"]) == {"j": ("missed", AT + 2 * HOUR)}


def test_a_task_is_ready_since_it_could_be_begun(database):
    run = new_run(database)
    do(database, tasks.plan_tasks, run, ["lane"])
    now = datetime.now(UTC)
    counts = do(database, tasks.count_tasks)
    assert counts["collect", "open"] == counts["derive", "open"] == 1
    since = do(database, tasks.find_ready_since, now)
    assert now - timedelta(seconds=30) < since <= now
    [asking, deriving] = do(database, tasks.list_run_tasks, run)
    later = now + HOUR
    do(database, tasks.settle_task, asking.id, asking.state, "rests", later)
    assert do(database, tasks.find_ready_since, now) is None
    assert do(database, tasks.find_ready_since, later + SECOND) == later
    do(database, tasks.settle_task, asking.id, tasks.TaskState.FAILED)
    derives_since = do(database, tasks.find_ready_since, now + HOUR)
    assert derives_since >= now
    assert do(database, tasks.count_tasks)["collect", "failed"] == 1
    do(database, tasks.settle_task, deriving.id, tasks.TaskState.DONE)
    assert do(database, tasks.find_ready_since, now + HOUR) is None


def test_sizes(database):
    size = do(database, retention.measure_database, database)
    assert size > 100_000
    assert retention.measure_free_space(database) > 0
    folder = database.bodies / "ab"
    folder.mkdir(parents=True)
    (folder / "abc").write_bytes(b"x" * 1000)
    (folder / "gone").symlink_to("nowhere")  # as a file that went away meanwhile
    assert retention.measure_folder(database.bodies) == 1000


def test_a_folder_that_is_not_there_has_no_free_bytes(sqlite_database, tmp_path):
    nowhere = replace(sqlite_database, bodies=tmp_path / "gone" / "bodies")
    assert retention.measure_free_space(nowhere) is None
    assert retention.measure_folder(nowhere.bodies) == 0


def test_engines_of_active_jobs_come_with_their_content(database):
    watch(database, "j", cron="0 5 * * *")
    [(since, content)] = do(database, tasks.read_active_contents)
    assert since == AT
    assert content["schedule"]["cron"] == "0 5 * * *"
    assert engine(database, "a") == engine(database, "a")
