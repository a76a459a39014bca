"""The page of operators: it says what the store says, and rests engines and jobs as commands do."""

from datetime import timedelta

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.faults import Suspension
from monitor.roles import Role
from monitor.store.collect import pauses
from monitor.store.journal import events, notifications
from monitor.store.schedule import leases, ticks
from monitor.store.schedule.installation import read_installation
from monitor.store.schema import metadata
from tests.web.site.routes import ON_BOTH

ENGINE, LANE, JOB = "libretranslate", "libretranslate@one.test", "mt-weekly"


@pytest.fixture
def client(archive, make_client):
    return make_client(archive, Role.OPERATOR)


def read(client):
    answer = client.get("/api/v1/operations")
    assert answer.status_code == 200, answer.text
    page = client.get("/operations")
    assert page.status_code == 200, page.text
    return answer.json(), HTMLParser(page.text)


def lane_of(found, name=LANE):
    return next(one for one in found["engines"] if one["lane"] == name)


def suspend(archive, clock):
    until = clock() + timedelta(hours=3)
    with archive.begin() as connection:
        trouble = Suspension(until, "blocked", "<b>too many</b>", 2)
        pauses.store_suspension(connection, LANE, "direct", trouble, clock())


def paused(archive):
    with archive.read() as connection:
        return {(one.kind, one.name): one.reason for one in pauses.list_pauses(connection)}


def newest(archive, kind):
    with archive.read() as connection:
        return [(one.subject, one.detail) for one in events.list_newest(connection, 5, kind)]


# --- what is said ---------------------------------------------------------------------------------


@ON_BOTH
def test_it_says_what_the_store_says(client, archive, clock):
    suspend(archive, clock)
    now = clock()
    with archive.begin() as connection:
        events.announce_process(connection, "one:1:1", "daemon", "waits for <i>ten</i>", now)
        old = now - timedelta(minutes=5)
        events.announce_process(connection, "two:2:2", "worker", "asks", old)
        events.raise_alarm(connection, "blocked", ENGINE, "<script>x</script>", now)
        new = notifications.NewNotice("operations", "alarm", "alarm:1", "A title", "Its text")
        notifications.add_notice(connection, new, now)
    found, page = read(client)
    assert found["is_led"]
    assert [(one["name"], one["is_silent"]) for one in found["workers"]] == [
        ("two:2:2", True), ("one:1:1", False),
    ]  # fmt: skip
    with archive.read() as connection:
        assert {one["lane"] for one in found["engines"]} == set(ticks.list_lanes(connection))
        known = events.list_newest(connection, 20)
    assert [one["detail"] for one in found["events"]] == [one.detail for one in known]
    (suspended,) = lane_of(found)["suspended"]
    assert (suspended["reason"], suspended["times"]) == ("blocked", 2)
    (alarm,) = [one for one in found["alarms"] if one["kind"] == "blocked"]
    assert alarm["subject"] == ENGINE
    assert [one["title"] for one in found["notices"]] == ["A title"]
    main = page.css_first("#state")
    for hostile in ("<b>too many</b>", "<script>x</script>", "<i>ten</i>"):
        assert hostile in main.text()
    assert not main.css("script, i")


@ON_BOTH
def test_what_was_asked_today_is_counted(archive, make_client, clock):
    asked, engines = metadata.tables["exchanges"], metadata.tables["engines"]
    whole = asked.join(engines, engines.c.id == asked.c.engine_id)
    query = sa.select(asked.c.asked_at).select_from(whole)
    with archive.read() as connection:
        found = connection.execute(query.where(engines.c.name.startswith(ENGINE))).scalars().all()
    day = max(found).date()
    n = sum(one.date() == day for one in found)
    assert n
    clock.at = max(found)
    state, page = read(make_client(archive, Role.OPERATOR))
    assert lane_of(state)["asked_today"] == n
    assert f"{n:,}" in page.css_first("#state").text()
    clock.at += timedelta(days=1)
    state, _ = read(make_client(archive, Role.OPERATOR, name="later"))
    assert lane_of(state)["asked_today"] == 0


def test_it_has_the_state_that_the_command_has(archive, make_client, clock):
    """A process of this machine that is gone is silent at once, though it was heard of."""
    now = clock()
    with archive.begin() as connection:
        gone = f"{leases.this_process().rpartition(':')[0]}:1"
        events.announce_process(connection, gone, "daemon", "", now)
        pauses.add_pause(connection, "job", JOB, "holidays", now)
        state = read_installation(connection, now)
    found, _ = read(make_client(archive, Role.OPERATOR, name="same"))
    assert found["is_led"] is state.is_led is False
    assert [(one["name"], one["is_silent"]) for one in found["workers"]] == [(gone, True)]
    assert [(job["name"], job["rest"]["reason"]) for job in found["jobs"] if job["rest"]] == [
        (job.name, job.pause.reason) for job in state.jobs if job.pause
    ] == [(JOB, "holidays")]  # fmt: skip
    assert [alarm["subject"] for alarm in found["alarms"]] == [one.subject for one in state.alarms]


def test_without_a_daemon_or_anything_it_says_so(database, make_client):
    found, page = read(make_client(database, Role.OPERATOR))
    assert not found["is_led"]
    assert "No daemon is at work" in page.text()
    assert (found["engines"], found["jobs"], found["alarms"]) == ([], [], [])


def test_the_page_can_stand_still(client):
    assert client.get("/operations").text.count("every 15s") == 1
    assert "hx-trigger" not in client.get("/operations?still=1").text


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.LABELLER])
def test_only_operators_see_it(sqlite_archive, make_client, role):
    other = make_client(sqlite_archive, role)
    for path in ("/operations", "/api/v1/operations", f"/operations/pause?kind=job&name={JOB}"):
        assert other.get(path).status_code == 403
    form = {"mark": other.mark, "kind": "job", "name": JOB, "reason": "x"}
    assert other.post("/operations/pause", data=form).status_code == 403
    assert not paused(sqlite_archive)


# --- what is done ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "name"), [("engine", LANE), ("engine", ENGINE), ("job", JOB)])
def test_pausing_and_resuming(client, archive, kind, name):
    page = client.get("/operations/pause", params={"kind": kind, "name": name})
    assert page.status_code == 200
    form = {"mark": client.mark, "kind": kind, "name": name, "reason": "costs  too much"}
    assert client.post("/operations/pause", data=form).status_code == 303
    assert paused(archive) == {(kind, name): "costs too much (operator)"}
    assert newest(archive, "paused") == [(f"{kind} {name}", "costs too much (operator)")]
    found, page = read(client)
    assert "costs too much (operator)" in page.css_first("#state").text()
    if kind == "engine":
        assert lane_of(found)["rest_of"] == name
    href = page.css_first('#state a[href^="/operations/resume"]').attributes["href"]
    assert "costs too much (operator)" in client.get(href).text
    assert client.post("/operations/resume", data=form).status_code == 303
    assert not paused(archive)
    assert newest(archive, "resumed") == [(f"{kind} {name}", "costs too much (operator)")]


def test_a_suspension_is_lifted_only_when_that_was_confirmed(client, archive, clock):
    suspend(archive, clock)
    page = client.get("/operations/resume", params={"kind": "engine", "name": LANE}).text
    assert "It is suspended" in page
    assert "&lt;b&gt;too many" in page
    form = {"mark": client.mark, "kind": "engine", "name": LANE, "reason": "answers again"}
    client.post("/operations/resume", data=form)
    assert lane_of(read(client)[0])["suspended"]
    client.post("/operations/resume", data={**form, "lift": "true"})
    assert not lane_of(read(client)[0])["suspended"]
    assert newest(archive, "suspension_lifted") == [(LANE, "answers again (operator)")]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"reason": " "}, 400), ({"reason": ""}, 400), ({"name": "nobody"}, 404),
        ({"kind": "run"}, 422), ({"name": "x" * 301}, 422), ({"reason": "x" * 501}, 422),
        ({"mark": "0"}, 403),
    ],
)  # fmt: skip
def test_bad_forms_are_refused(client, archive, change, status):
    form = {"mark": client.mark, "kind": "job", "name": JOB, "reason": "why", **change}
    assert client.post("/operations/pause", data=form).status_code == status
    assert client.post("/operations/resume", data=form).status_code == status
    assert not paused(archive)
