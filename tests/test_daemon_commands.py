"""`monitor status`, `monitor jobs`, `monitor engines pause`: what people see of the daemon."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from monitor.faults import Suspension
from monitor.model import TaskState
from monitor.stages.alarm_rules import KINDS
from monitor.store.collect import pauses
from monitor.store.database import connect
from monitor.store.journal import events
from monitor.store.schedule import tasks
from monitor.store.schedule.leases import this_process
from tests.command import program
from tests.daemon.conftest import DAY, HOUR, MINUTE, OWN, Place, schedule
from tests.factories import make_list


@pytest.fixture
def shell(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "100")
    with program(tmp_path, monkeypatch, capsys) as command:
        assert command("init")[0] == 0
        yield command


@pytest.fixture
def place(shell, tmp_path):
    """What a daemon left behind: a job with two ticks, of which the last is being asked."""
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path / "bodies")
    folder = tmp_path / "watched"
    make_list(folder)
    found = Place(database, folder)
    found.job(schedule=schedule("0 * * * *"))
    found.now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    found.at(found.now - 2 * HOUR + MINUTE)
    found.at(found.now + MINUTE)
    return found


def test_a_job_is_shown_with_its_last_ticks(shell, place):
    code, out, _ = shell("jobs", "show", "mini")
    assert code == 0
    assert out.splitlines()[0].startswith(f"mini: {place.folder / 'mini.toml'}; next tick ")
    assert [word for word in out.split() if word in {"running", "missed"}] == ["running", "missed"]
    shown = json.loads(shell("jobs", "show", "mini", "--json")[1])
    assert [tick["state"] for tick in shown["ticks"]] == ["running", "missed"]
    code, _, err = shell("jobs", "show", "minni")
    assert code == 2
    assert "no job 'minni'; did you mean mini?" in err


def test_runs_are_listed_and_one_is_shown(shell, place):
    code, out, _ = shell("runs", "list", "--job", "mini", "--state", "running")
    assert code == 0
    assert "mini" in out
    [run] = json.loads(shell("runs", "list", "--json")[1])
    code, out, _ = shell("runs", "show", run["id"])
    assert code == 0
    said = " ".join(out.split())
    assert f"Run {run['id']} of job mini" in said
    assert f"Scheduled run, running. Due {place.now:%Y-%m-%d %H:%M}" in said
    shown = json.loads(shell("runs", "show", run["id"], "--json")[1])
    assert (shown["job"], shown["values"]) == ("mini", [])
    assert shown["packages"]
    assert shell("runs", "show", "99")[0] == 2
    assert "did you mean mini?" in shell("runs", "list", "--job", "minni")[2]
    err = shell("runs", "list", "--state", "runing")[2]
    assert "no state 'runing'; did you mean running?" in err


def test_alarms_are_listed_and_a_kind_is_shown(shell, place):
    assert "no alarm stands" in shell("alarms", "list")[1]
    assert "none of this kind stands" in shell("alarms", "show", "disk")[1]
    with place.database.begin() as connection:
        events.raise_alarm(connection, "blocked", "mini deepl", "9 of 10 turned away", place.now)
    assert "9 of 10 turned away" in shell("alarms", "list")[1]
    out = " ".join(shell("alarms", "show", "blocked")[1].split())
    assert "blocked: a search engine" not in out
    assert "mini deepl: 9 of 10 turned away" in out
    assert "What to do." in out
    [alarm] = json.loads(shell("alarms", "show", "blocked", "--json")[1])["open"]
    assert alarm["subject"] == "mini deepl"
    assert "did you mean blocked" in shell("alarms", "show", "bloked")[2]


@pytest.mark.parametrize("kind", KINDS)
def test_what_to_do_about_an_alarm_is_said_without_the_docs(shell, kind):
    code, out, _ = shell("alarms", "show", kind)
    assert code == 0
    assert [out.count(f"{part}.") for part in ("How to see it", "What to do")] == [1, 1]
    assert "](" not in out


def pauses_in(shell):
    return json.loads(shell("status", "--json")[1])["pauses"]


def test_status_says_what_is_due_and_what_became_of_the_last_tick(shell, place):
    code, out, err = shell("status")
    assert code == 5  # nobody is at work
    [row] = [line for line in out.splitlines() if line.strip().startswith("mini")][:1]
    assert f"{place.now + HOUR:%Y-%m-%d %H:%M}" in row
    assert f"{place.now:%Y-%m-%d %H:%M}" in row
    assert "running" in row
    assert "mini: 0 of 32 questions answered" in out.splitlines()
    assert "ticks of the last 30 days: 1 missed, 1 running" in out
    assert "Newest runs" in out
    assert "no daemon is at work: nothing is begun when it is due" in err
    assert max(map(len, out.splitlines())) <= 100


def test_status_says_who_is_at_work_and_what_is_wrong(shell, place):
    now = datetime.now(UTC)
    (place.folder / "mini.toml").write_text("name = ", encoding="utf-8")
    place.watching.poll_folder(now)
    place.settle(1, TaskState.OPEN, "the daily budget is spent", now + DAY)
    with place.database.begin() as connection:
        events.announce_process(connection, this_process(), "daemon", "1 jobs", now)
        found = Suspension(now + DAY, "quota", "too many")
        pauses.store_suspension(connection, "libretranslate", "direct", found, now)
        pauses.store_suspension(
            connection, "deepl", "direct", Suspension(now - DAY, "quota", ""), now
        )
        events.raise_alarm(connection, "disk_full", "monitor.db", "make room", now)
    code, out, err = shell("status")
    assert code == 5  # alarms stand
    assert "daemon" in out.splitlines()[0]
    assert "1 jobs" in out.splitlines()[0]
    assert "no daemon" not in err
    assert "mini goes on as it was, because" in err
    assert "run 1 of mini waits until" in err
    assert "the daily budget is spent" in err
    assert "libretranslate is suspended until" in err
    assert "deepl" not in err
    assert "disk_full monitor.db: make room" in err


def test_status_is_well_where_a_daemon_is_at_work_and_no_alarm_stands(shell, place):
    now = datetime.now(UTC)
    with place.database.begin() as connection:
        events.announce_process(connection, this_process(), "daemon", "1 jobs", now)
    assert shell("status")[0] == 0
    with place.database.begin() as connection:
        events.raise_alarm(connection, "notify_failed", "findings", "HTTP 500", now)
    code, out, _ = shell("status", "--json")
    assert code == 5
    assert json.loads(out)["alarms"]
    with place.database.begin() as connection:
        events.resolve_alarm(connection, "notify_failed", "findings", now)
    assert shell("status")[0] == 0


def test_no_terminal_obeys_what_an_alarm_says(shell, place):
    hostile = "x\x1b]8;;http://evil.test\x07y\n\u202ealarm since 2026-01-01"
    with place.database.begin() as connection:
        events.raise_alarm(connection, "blocked", hostile, hostile, datetime.now(UTC))
    _, out, err = shell("status")
    assert "\\u001b]8;;http://evil.test\\u0007y\\u000a\\u202ealarm since" in err
    assert not {"\x1b", "\x07", "\u202e"} & {*out, *err}
    [line] = [line for line in err.splitlines() if "blocked" in line]
    assert line.count("alarm since") == 3  # ours, and the two that pass for no line


def test_status_as_json_has_all_of_it(shell, place):
    found = json.loads(shell("status", "--json")[1])
    assert set(found) == {
        "processes", "jobs", "ticks", "waiting", "redo", "pauses", "suspensions", "alarms",
        "undecided", "runs",
    }  # fmt: skip
    [job] = found["jobs"]
    assert (job["job"], job["is_active"], job["last"]["state"]) == ("mini", True, "running")
    assert found["ticks"] == {"missed": 1, "running": 1}


def test_a_second_pause_says_whose_reason_it_replaces(shell, place):
    assert shell("jobs", "pause", "mini", "--reason", "holidays")[0] == 0
    code, out, _ = shell("jobs", "pause", "mini", "--reason", "moving house")
    said = " ".join(out.split())
    assert (code, "it was paused by a person since" in said) == (0, True)
    assert "UTC: holidays; the reason is replaced" in said
    assert "replaced" not in shell("jobs", "pause", "mini", "--reason", "moving house")[1]
    [paused] = pauses_in(shell)
    assert paused["reason"] == "moving house"


def test_an_engine_is_paused_and_resumed_by_name_or_lane(shell, place):
    code, out, _ = shell("engines", "pause", "libretranslate", "--reason", "a new key")
    assert code == 0
    assert "engine libretranslate is paused" in out
    [one] = pauses_in(shell)
    assert (one["kind"], one["name"], one["reason"]) == ("engine", "libretranslate", "a new key")
    assert "engine libretranslate is paused since" in shell("status")[2]
    assert "goes on" in shell("engines", "resume", "libretranslate")[1]
    assert "was not paused" in shell("engines", "resume", "libretranslate")[1]
    assert pauses_in(shell) == []
    assert shell("engines", "pause", "libretranslate@127.0.0.1:9")[0] == 0
    kinds = {row.kind for row in _events(place)}
    assert {"paused", "resumed"} <= kinds


def _events(place):
    with place.database.read() as connection:
        return events.list_newest(connection, 100)


def test_a_name_that_nobody_knows_is_refused_with_near_ones(shell, place):
    code, _, err = shell("engines", "pause", "libretranslat")
    assert code == 2
    assert "no engine 'libretranslat'; did you mean libretranslate" in err
    code, _, err = shell("jobs", "pause", "minni")
    assert code == 2
    assert "no job 'minni'; did you mean mini?" in err
    assert shell("jobs", "resume", "minni")[0] == 2
    assert shell("engines", "resume", "nobody@nowhere")[0] == 2
    assert pauses_in(shell) == []


def test_a_job_is_paused_and_resumed(shell, place):
    assert "its ticks are missed" in shell("jobs", "pause", "mini", "--reason", "holiday")[1]
    [row] = [line for line in shell("jobs", "list")[1].splitlines() if " mini " in f" {line} "]
    assert "paused" in row
    place.restart()
    place.at(place.now + HOUR + MINUTE)
    assert "holiday" in place.ticks()[-1].reason
    assert "goes on" in shell("jobs", "resume", "mini")[1]
    [job] = json.loads(shell("jobs", "list", "--json")[1])
    assert job["is_paused"] is False


def test_where_nothing_is_watched_it_says_how_to_begin(shell):
    assert "no job is watched yet; start: monitor daemon" in shell("jobs", "list")[1]
    code, out, err = shell("status")
    assert (code, err) == (0, "")
    assert "no run yet" in out


def test_a_job_that_never_had_a_tick_is_listed(shell, place):
    place.job("other", engines=[OWN])
    place.watching.poll_folder(datetime.now(UTC) + timedelta(seconds=1))
    assert "other" in shell("jobs", "list")[1]


def test_the_help_of_the_daemon_teaches(shell):
    code, out, _ = shell("daemon", "--help")
    words = " ".join(out.split())
    assert code == 0
    for one in ("A tick is", "overlapped", "catch_up", "SIGTERM", "SIGHUP", "--at-once"):
        assert one in words


def test_what_a_wound_up_run_waits_for_is_not_shown(shell, place):
    with place.database.begin() as connection:
        for task in tasks.list_run_tasks(connection, 1):
            tasks.settle_task(connection, task.id, TaskState.DONE, "left at that")
    assert "waits" not in shell("status")[2]


def test_a_suspension_is_lifted_by_a_person_only(shell, place):
    now = datetime.now(UTC)
    with place.database.begin() as connection:
        found = Suspension(now + 30 * DAY, "rate", "come again in a month")
        pauses.store_suspension(connection, "libretranslate", "direct", found, now)
        [task] = [one for one in tasks.find_ready(connection, now) if one.lane]
        tasks.settle_task(connection, task.id, TaskState.OPEN, "suspended", now + 30 * DAY)
    code, out, _ = shell("engines", "resume", "libretranslate")
    assert (code, "suspended" in out) == (0, False)
    assert json.loads(shell("status", "--json")[1])["suspensions"]
    code, out, _ = shell("engines", "resume", "libretranslate", "--suspended")
    assert "asked again: libretranslate" in out
    found = json.loads(shell("status", "--json")[1])
    assert found["suspensions"] == []
    assert "suspension_lifted" in {event.kind for event in _events(place)}
    with place.database.read() as connection:
        [waiting] = [one for one in tasks.list_run_tasks(connection, task.run_id) if one.lane]
    assert waiting.state is TaskState.OPEN
    code, out, _ = shell("engines", "resume", "libretranslate", "--suspended")
    assert "was not suspended" in out
