"""A clock that was ahead is set right; one that is behind a history is not believed."""

from datetime import UTC, datetime

import pytest

from monitor.daemon import watching
from monitor.model import TaskState
from monitor.store.journal import events
from tests.daemon.conftest import DAY, HOUR, MINUTE, MONDAY, schedule
from tests.daemon.test_service import Service

LONG_PAST = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def service(place):
    found = Service(place)
    yield found
    found.end()


def alarms(place):
    with place.database.read() as connection:
        return {one.kind: one.detail for one in events.list_open_alarms(connection)}


@pytest.mark.parametrize("ahead", [10 * HOUR, 4000 * DAY])
def test_a_job_that_was_first_seen_by_a_clock_ahead_is_watched_from_now(service, place, ahead):
    place.job(schedule=schedule("0 * * * *"))
    service.round(MONDAY + ahead)
    service.round(MONDAY + MINUTE)
    assert place.watched()["mini"].watched_since == MONDAY + MINUTE
    service.round(MONDAY + HOUR)
    assert place.states() == [(MONDAY + HOUR, "running")]
    assert "clock" not in alarms(place)


def test_a_clock_that_was_ahead_before_a_restart_is_set_right_at_the_start(place):
    place.job(schedule=schedule("0 * * * *"))
    place.at(MONDAY + 4000 * DAY)
    service = Service(place)
    service.round(MONDAY + MINUTE)
    service.round(MONDAY + HOUR)
    assert place.states() == [(MONDAY + HOUR, "running")]
    service.end()


def test_tasks_that_a_clock_ahead_put_off_are_looked_at_at_once(service, place):
    place.job(schedule=schedule("0 * * * *"))
    service.round(MONDAY - HOUR)
    service.round(MONDAY)
    late = datetime(2999, 1, 1, tzinfo=UTC)
    place.settle(1, TaskState.OPEN, "away", late)
    service.round(MONDAY + MINUTE)
    assert place.tasks(1)[0].not_before == late
    service.round(MONDAY - MINUTE)
    assert place.tasks(1)[0].not_before is None
    place.settle(1, TaskState.OPEN, "away", late)
    service.end()
    again = Service(place)
    again.round(MONDAY)
    assert place.tasks(1)[0].not_before is None
    again.end()


def history(place):
    """Thirty hours of work, of which most ticks were missed."""
    before = Service(place)
    place.job(schedule=schedule("0 * * * *"))
    before.round(MONDAY + MINUTE)
    before.round(MONDAY + 30 * HOUR + 10 * MINUTE)
    before.end()
    return place.ticks()


def test_a_clock_of_long_ago_takes_nothing_back_and_begins_nothing(place, caplog):
    noted = history(place)
    assert len(noted) == 30
    service = Service(place)
    for seconds in range(3):
        service.round(LONG_PAST + seconds * MINUTE / 60)
    assert place.ticks() == noted
    assert service.hands.started == 0
    assert alarms(place)["clock"] == (
        "the clock says 2000-01-01 00:00 UTC, but the database holds rows of 2026-03-03 11:10 UTC"
    )
    assert caplog.text.count("nothing is begun until it is past them") == 1
    # on a server the lead of the one before may be gone a moment later only
    ready = [line for line in service.manager.said if line.startswith("ready")]
    assert ready[-1] == f"ready waiting: {alarms(place)['clock']}"
    assert set(ready[:-1]) <= {"ready standing by"}
    service.round(MONDAY + 30 * HOUR + 20 * MINUTE)
    assert place.ticks() == noted
    assert service.hands.started == 1
    assert "clock" not in alarms(place)
    service.end()


def test_a_clock_that_is_put_back_behind_a_history_while_at_work_stops_the_loop(place):
    service = Service(place)
    place.job(schedule=schedule("0 * * * *"))
    for hours in (0, 15, 30):
        service.round(MONDAY + hours * HOUR + 10 * MINUTE)
    noted = place.ticks()
    service.round(LONG_PAST)
    assert (place.ticks(), "clock" in alarms(place)) == (noted, True)
    service.round(MONDAY + 31 * HOUR)
    assert place.states()[-1][0] == MONDAY + 31 * HOUR
    assert "clock" not in alarms(place)
    service.end()


def test_a_person_can_say_that_the_clock_is_right(place):
    history(place)
    service = Service(place)
    service.round(LONG_PAST)
    assert "clock" in alarms(place)
    latest = watching.trust_clock(place.database, "the clock was ahead", LONG_PAST)
    assert latest == MONDAY + 30 * HOUR + 10 * MINUTE
    service.daemon._ask_again.make_due()
    service.round(LONG_PAST)
    assert "clock" not in alarms(place)
    assert service.hands.started == 1
    service.end()
