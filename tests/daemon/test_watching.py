"""The folder of job files: what is read again, what goes on as it was, what is said."""

import pytest

from monitor.model import InvalidInput, StoreGone
from monitor.store.journal import events
from tests.daemon.conftest import DAY, HOUR, MINUTE, MONDAY, schedule
from tests.factories import make_list, rows


def alarms(place):
    with place.database.read() as connection:
        return {one.subject: one.detail for one in events.list_open_alarms(connection)}


def kinds(place):
    return [row["kind"] for row in rows(place.database, "SELECT kind FROM events ORDER BY id")]


def test_a_new_job_is_watched_from_when_it_is_seen(place):
    place.at(MONDAY)
    place.job()
    place.at(MONDAY + HOUR)
    row = place.watched()["mini"]
    assert (row.watched_since, row.is_active, row.trouble) == (MONDAY + HOUR, True, "")
    assert row.path == str(place.folder / "mini.toml")
    assert kinds(place) == ["job_loaded"]


def test_nothing_is_read_again_that_has_not_changed(place, monkeypatch):
    place.job()
    assert place.watching.poll_folder(MONDAY)
    monkeypatch.setattr("monitor.daemon.watching.load_audit", lambda _path: pytest.fail("read"))
    assert not place.watching.poll_folder(MONDAY + MINUTE)


def test_a_restart_is_no_new_version(place):
    place.job()
    place.at(MONDAY)
    place.restart()
    place.at(MONDAY + MINUTE)
    assert kinds(place) == ["job_loaded"]


def test_a_broken_edit_keeps_the_old_job_and_says_so(place):
    path = place.job()
    place.at(MONDAY)
    before = place.watching.jobs["mini"]
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole[: len(whole) // 2], encoding="utf-8")  # half of it is written
    place.at(MONDAY + MINUTE)
    assert place.watching.jobs["mini"] == before
    assert "not valid TOML" in place.watched()["mini"].trouble
    assert "not valid TOML" in alarms(place)[str(path)]
    path.write_text(whole, encoding="utf-8")
    place.at(MONDAY + 2 * MINUTE)
    assert place.watched()["mini"].trouble == ""
    assert alarms(place) == {}
    assert kinds(place) == ["job_loaded", "job_broken"]


def test_a_file_that_stays_broken_is_one_event(place):
    path = place.job()
    path.write_text("name = ", encoding="utf-8")
    place.at(MONDAY)
    path.write_text("name =  ", encoding="utf-8")
    place.at(MONDAY + MINUTE)
    assert kinds(place) == ["job_broken"]
    assert place.watched() == {}


def test_a_broken_file_goes_on_after_a_restart_and_its_alarm_ends_with_it(place):
    path = place.job()
    place.at(MONDAY)
    path.write_text("name = ", encoding="utf-8")
    place.restart()
    place.at(MONDAY + MINUTE)
    assert place.watching.jobs["mini"].schedule.cron == "0 5 * * mon"
    path.unlink()
    place.restart()
    place.at(MONDAY + 2 * MINUTE)
    assert alarms(place) == {}
    assert not place.watched()["mini"].is_active


def test_a_list_that_breaks_is_trouble_of_the_jobs_that_ask_it(place):
    path = place.job()
    place.at(MONDAY)
    csv = place.folder / "lists" / "mini@1.csv"
    csv.write_text("key,text\n", encoding="utf-8")
    place.at(MONDAY + MINUTE)
    assert str(path) in alarms(place)
    assert place.watched()["mini"].trouble
    make_list(place.folder)
    place.at(MONDAY + 2 * MINUTE)
    assert alarms(place) == {}


def test_of_two_files_with_one_name_the_first_goes_on(place):
    first = place.job(file="b.toml")
    place.at(MONDAY)
    second = place.job(file="a.toml", schedule=schedule("0 6 * * mon"))
    place.at(MONDAY + MINUTE)
    assert place.watching.jobs["mini"].path == first
    trouble = place.watched()["mini"].trouble
    assert str(first) in trouble
    assert str(second) in trouble
    place.restart()
    place.at(MONDAY + 2 * MINUTE)
    assert place.watching.jobs["mini"].path == first
    assert place.watched()["mini"].trouble == trouble
    first.unlink()
    place.at(MONDAY + 3 * MINUTE)
    assert place.watching.jobs["mini"].path == second
    assert place.watching.jobs["mini"].schedule.cron == "0 6 * * mon"
    assert place.watched()["mini"].trouble == ""
    assert alarms(place) == {}


def test_a_refused_file_that_goes_away_is_no_trouble_any_more(place):
    place.job(file="a.toml")
    second = place.job(file="b.toml", description="The second")
    place.at(MONDAY)
    assert place.watched()["mini"].trouble
    second.unlink()
    place.at(MONDAY + MINUTE)
    assert place.watched()["mini"].trouble == ""
    assert place.watching.jobs["mini"].path.name == "a.toml"


def test_a_file_that_holds_another_job_now_retires_the_one_before(place):
    place.job(file="a.toml")
    place.at(MONDAY)
    place.job("other", file="a.toml")
    place.at(MONDAY + MINUTE)
    assert set(place.watching.jobs) == {"other"}
    assert {name: row.is_active for name, row in place.watched().items()} == {
        "mini": False,
        "other": True,
    }


def test_a_job_that_moves_to_another_file_goes_on(place):
    path = place.job()
    place.at(MONDAY)
    path.rename(path.with_name("moved.toml"))
    place.at(MONDAY + MINUTE)
    assert place.watching.jobs["mini"].path.name == "moved.toml"
    row = place.watched()["mini"]
    assert (row.is_active, row.watched_since) == (True, MONDAY)
    assert "job_gone" not in kinds(place)


def test_a_folder_that_cannot_be_read_retires_nothing(place):
    place.job()
    place.at(MONDAY)
    away = place.folder.rename(place.folder.with_name("away"))
    assert not place.watching.poll_folder(MONDAY + MINUTE)
    assert set(place.watching.jobs) == {"mini"}
    assert str(place.folder) in alarms(place)
    away.rename(place.folder)
    place.at(MONDAY + 2 * MINUTE)
    assert alarms(place) == {}


def test_regions_are_no_job_and_other_files_are_left_alone(place):
    place.job()
    (place.folder / "regions.toml").write_text("", encoding="utf-8")
    (place.folder / "notes.txt").write_text("", encoding="utf-8")
    place.at(MONDAY)
    assert set(place.watching.jobs) == {"mini"}
    assert place.watching.broken == {}


def test_a_poll_that_the_database_cut_off_is_made_again(place, monkeypatch):
    place.job()
    place.job("other")

    def gone(*_):
        raise StoreGone("away")

    with monkeypatch.context() as patch:
        patch.setattr("monitor.daemon.watching.ticks.retire_job", gone)
        patch.setattr("monitor.daemon.watching.pipeline.keep_files", gone)
        with pytest.raises(StoreGone):
            place.watching.poll_folder(MONDAY)
    assert place.watching.poll_folder(MONDAY + MINUTE)
    assert set(place.watching.jobs) == {"mini", "other"}


def test_a_fault_of_ours_in_one_file_leaves_the_others(place, monkeypatch, caplog):
    from monitor.jobs import load_audit

    def odd(path):
        if path.name == "mini.toml":
            raise RuntimeError("of ours")
        return load_audit(path)

    place.job()
    place.job("other")
    monkeypatch.setattr("monitor.daemon.watching.load_audit", odd)
    place.at(MONDAY)
    assert set(place.watching.jobs) == {"other"}
    assert "RuntimeError: of ours" in place.watching.broken[place.folder / "mini.toml"]
    assert "of ours" in caplog.text


def test_what_is_owed_by_a_schedule_is_written_down_before_it_is_another(place):
    place.job(schedule=schedule("0 5 * * *", catch_up="none"))
    place.at(MONDAY)
    place.job(schedule=schedule("0 12 * * *"))
    place.watching.poll_folder(MONDAY + 2 * DAY + HOUR)
    assert place.states() == [(MONDAY + DAY, "missed"), (MONDAY + 2 * DAY, "missed")]
    assert "schedule_changed" in kinds(place)


def test_stored_files_that_cannot_be_used_any_more_leave_the_other_jobs(place, monkeypatch, caplog):
    path = place.job()
    place.job("other")
    place.at(MONDAY)
    path.write_text("name = ", encoding="utf-8")
    place.restart()
    from monitor.daemon.watching import read_watched_job

    def odd(database, row):
        if row.job == "mini":
            raise InvalidInput("its engine is no more")
        return read_watched_job(database, row)

    monkeypatch.setattr("monitor.daemon.watching.read_watched_job", odd)
    place.at(MONDAY + MINUTE)
    assert set(place.watching.jobs) == {"other"}
    assert "its engine is no more" in caplog.text


def test_a_server_that_goes_away_at_the_start_is_waited_for(place, monkeypatch):
    place.job()
    place.at(MONDAY)
    place.restart()

    def gone(*_):
        raise StoreGone("away")

    with monkeypatch.context() as patch:
        patch.setattr("monitor.daemon.watching.read_watched_job", gone)
        with pytest.raises(StoreGone):
            place.watching.poll_folder(MONDAY + MINUTE)
    assert place.watching.poll_folder(MONDAY + MINUTE)
    assert set(place.watching.jobs) == {"mini"}


def test_a_file_that_goes_away_while_it_is_read_is_looked_at_again(place, monkeypatch):
    path = place.job()
    with monkeypatch.context() as patch:
        patch.setattr("monitor.daemon.watching.pipeline.keep_files", lambda *_: None)
        place.at(MONDAY)
    assert "went away while it was read" in place.watching.broken[path]
    path.unlink()
    place.at(MONDAY + MINUTE)
    assert place.watching.broken == {}


def test_a_link_to_nowhere_is_no_job(place):
    (place.folder / "odd.toml").symlink_to(place.folder / "nowhere.toml")
    place.job()
    place.at(MONDAY)
    assert set(place.watching.jobs) == {"mini"}


@pytest.mark.parametrize("how", ["a minute later", "asked"])
def test_a_file_whose_fault_lay_elsewhere_is_read_again(place, monkeypatch, caplog, how):
    path = place.job()
    with monkeypatch.context() as patch:

        def missing(_audit):
            raise InvalidInput("lexicon x is missing")

        patch.setattr("monitor.daemon.watching.pipeline.check_lexicons", missing)
        place.at(MONDAY)
        place.at(MONDAY + MINUTE)
        place.at(MONDAY + 2 * MINUTE)
        assert caplog.text.count("lexicon x is missing") == 1
        assert kinds(place) == ["job_broken"]
    place.at(MONDAY + 2 * MINUTE)
    assert place.watching.broken.keys() == {path}
    if how == "asked":
        place.watching.read_all()
        place.at(MONDAY + 2 * MINUTE)
    else:
        place.at(MONDAY + 3 * MINUTE)
    assert place.watching.broken == {}
    assert alarms(place) == {}
    assert set(place.watching.jobs) == {"mini"}


def test_that_everything_is_to_be_read_outlasts_a_database_that_is_away(place, monkeypatch):
    place.job()
    place.at(MONDAY)
    place.watching.read_all()

    def gone(*_):
        raise StoreGone("away")

    with monkeypatch.context() as patch:
        patch.setattr("monitor.daemon.watching.pipeline.keep_files", gone)
        with pytest.raises(StoreGone):
            place.watching.poll_folder(MONDAY)
    assert place.watching.poll_folder(MONDAY)
    assert not place.watching.poll_folder(MONDAY)


def test_a_schedule_that_a_clock_ahead_changed_holds_from_now(place):
    place.job()
    place.at(MONDAY)
    place.job(schedule=schedule("0 6 * * mon"))
    place.at(MONDAY + 1000 * DAY)
    for _ in range(2):
        place.watching.set_right(MONDAY + HOUR)
        assert place.watching.jobs["mini"].owed_since == MONDAY + HOUR
    place.restart()
    place.at(MONDAY + 2 * HOUR)  # what was set right is stored
    assert place.watching.jobs["mini"].owed_since == MONDAY + HOUR
    assert kinds(place).count("schedule_changed") == 2
