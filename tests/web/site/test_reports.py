"""Reports as pages serve them: the stored files of a week, and the report of a run."""

import hashlib
from datetime import datetime, timedelta
from threading import Event, Thread
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from monitor.roles import Role
from monitor.stages.reports import run_report
from monitor.store.access import embargoes
from monitor.store.collect import runs as store_runs
from monitor.store.reports import run_list
from monitor.store.reports.run_list import StoredReport
from monitor.store.schema import reports as table
from monitor.store.schema import runs
from monitor.web.site import response_cache
from monitor.web.site.errors import Busy
from monitor.web.site.pages import reports as _report_files
from monitor.web.site.pages.reports import render_run_report
from monitor.web.site.site_state import EntryRule
from monitor.web.site.visitors import SHUT_OUT
from tests.demo import WEEKS
from tests.looked_after import AT, end_run, measure, new_run
from tests.web.site.routes import ON_BOTH

ZONE = ZoneInfo("UTC")
HOUR = timedelta(hours=1)
NAME = f"weekly-{WEEKS[-1]:%Y-%m-%d}-mt-weekly"
CONTENT = {"html": b"<p>week</p><script>alert(1)</script>", "pdf": b"%PDF-1.7", "json": b"{}"}


@pytest.fixture
def home(tmp_path):
    """A folder with the files of the report that the archive notes."""
    folder = tmp_path / "home" / "out"
    folder.mkdir(parents=True)
    for form, content in CONTENT.items():
        (folder / f"{NAME}.{form}").write_bytes(content)
    return tmp_path / "home"


@pytest.fixture
def number(archive):
    """The report that the archive notes, made."""
    with archive.begin() as connection:
        [one] = run_list.find_unmade(connection, "mt-weekly")
        digest = hashlib.sha256(CONTENT["json"]).hexdigest()
        run_list.mark_made(connection, one.id, digest, WEEKS[-1] + HOUR)
    return one.id


def listed(client, **parameters):
    answer = client.get("/api/v1/reports", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def run_of(archive, job):
    with archive.read() as connection:
        query = sa.select(sa.func.max(runs.c.id)).where(runs.c.job == job)
        return connection.execute(query.where(runs.c.kind == "scheduled")).scalar_one()


def hide(archive, clock):
    with archive.begin() as connection:
        about = {"quantity": "f_m"}
        embargoes.add_embargo(connection, about, reason="r", by="b", until=None, now=clock())


# --- of a week ------------------------------------------------------------------------------------


@ON_BOTH
def test_a_stored_report_is_served_as_it_is(archive, make_client, home, number):
    client = make_client(archive, Role.VIEWER, home=home)
    [one] = listed(client)["reports"]
    assert (one["number"], one["forms"], one["is_as_recorded"]) == (
        number, ["html", "pdf", "json"], True,
    )  # fmt: skip
    page = client.get("/reports").text
    for form, content in CONTENT.items():
        assert f'href="/reports/{number}/{form}"' in page
        answer = client.get(f"/reports/{number}/{form}")
        assert answer.content == content
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "sandbox" in policy
        assert "script-src" not in policy
        is_saved = "attachment" in answer.headers.get("content-disposition", "")
        assert is_saved == (form != "html")


def test_a_file_that_was_written_over_is_named(archive, make_client, home, number):
    (home / "out" / f"{NAME}.json").write_bytes(b'{"other": 1}')
    client = make_client(archive, Role.VIEWER, home=home)
    assert listed(client)["reports"][0]["is_as_recorded"] is False
    assert "it was written over since" in client.get("/reports").text


def test_what_is_not_made_or_not_here_is_said(archive, make_client, home, tmp_path):
    client = make_client(archive, Role.VIEWER, home=home)
    assert listed(client)["reports"][0]["forms"] == []
    assert "due, not made yet" in client.get("/reports").text
    with archive.begin() as connection:
        [one] = run_list.find_unmade(connection, "mt-weekly")
        run_list.mark_failed(connection, one.id, "<b>no room</b>", WEEKS[-1])
    assert "could not be made</span>: &lt;b&gt;no room" in client.get("/reports").text
    with archive.begin() as connection:
        run_list.mark_made(connection, one.id, "0" * 64, WEEKS[-1])
    elsewhere = make_client(archive, Role.VIEWER, home=tmp_path / "other")
    assert "its files are not on this machine" in elsewhere.get("/reports").text
    assert elsewhere.get(f"/reports/{one.id}/html").status_code == 404


def test_no_file_from_elsewhere_is_served(archive, make_client, home, number, tmp_path):
    (tmp_path / f"{NAME}.html").write_text("secret")
    client = make_client(archive, Role.VIEWER, home=home)
    for folder in ("..", "/", str(tmp_path), "out/../..", "\x01", "x" * 5000):
        with archive.begin() as connection:
            connection.execute(sa.update(table).values(folder=folder))
        assert client.get(f"/reports/{number}/html").status_code == 404, folder
    (home / "linked").mkdir()
    (home / "linked" / f"{NAME}.html").symlink_to(tmp_path / f"{NAME}.html")
    with archive.begin() as connection:
        connection.execute(sa.update(table).values(folder="linked"))
    assert client.get(f"/reports/{number}/html").status_code == 404


def test_names_are_those_that_the_job_says(tmp_path):
    """In the zone of its schedule, and without the job's name where it is about all."""
    (tmp_path / "out").mkdir()
    late = WEEKS[-1].replace(hour=23, minute=30)
    one = StoredReport(1, "j", late, "made", "", "out", "", None)
    tables = [{"covers": "all", "timezone": "Asia/Tokyo"}]
    path = tmp_path / "out" / f"weekly-{late + timedelta(days=1):%Y-%m-%d}.html"
    path.write_text("x")
    assert _report_files.find_files(one, tables, tmp_path, ZONE) == {"html": path}
    assert _report_files.find_files(one, [], tmp_path, ZONE) == {}
    (tmp_path / "out" / f"weekly-{late:%Y-%m-%d}-j.json").write_text("{}")
    recorded = one._replace(digest=hashlib.sha256(b"{}").hexdigest())
    assert list(_report_files.find_files(one, tables, tmp_path, ZONE)) == ["html"]
    assert list(_report_files.find_files(recorded, tables, tmp_path, ZONE)) == ["json"]


def test_reports_are_turned_and_filtered(archive, make_client):
    with archive.begin() as connection:
        for n in range(30):
            run_list.note_due_reports(connection, f"job-{n % 2}", [AT + n * HOUR], "out")
    client = make_client(archive, Role.VIEWER)
    seen, page, more = [], 1, True
    while more:
        found = listed(client, page=page)
        seen += [one["number"] for one in found["reports"]]
        page, more = page + 1, found["has_more"]
    assert len(seen) == len(set(seen)) == 31
    assert {one["job"] for one in listed(client, job="job-1")["reports"]} == {"job-1"}


@ON_BOTH
def test_a_report_leads_to_the_changes_of_its_week(archive, make_client):
    client = make_client(archive, Role.VIEWER)
    [found] = client.get("/api/v1/changes", params={"job": "mt-weekly"}).json()["entries"][:1]
    tick = datetime.fromisoformat(found["detected_at"])
    with archive.begin() as connection:
        due = [tick - HOUR, tick, tick + timedelta(days=6), tick + timedelta(days=7)]
        run_list.note_due_reports(connection, "mt-weekly", due, "out")
    numbers = {one["due_at"]: one["n_changes"] for one in listed(client)["reports"]}
    n = [numbers[at.isoformat().replace("+00:00", "Z")] for at in due]
    assert n[0] == n[3] == 0
    assert n[1] == n[2] > 0
    page = HTMLParser(client.get("/reports").text)
    links = page.css('td a[href*="&after="]')
    assert [int(link.text().split()[0]) for link in links] == [n[2], n[1]]
    for link in links:
        own = client.get(f"/api/v1{link.attributes['href']}").json()
        assert own["n_findings"] == n[1]


def test_reports_are_withheld_while_an_embargo_stands(archive, make_client, home, number, clock):
    public = make_client(archive, entry=EntryRule.PUBLIC, home=home)
    run = run_of(archive, "mt-weekly")
    assert public.get(f"/reports/{number}/html").status_code == 200
    assert public.get(f"/runs/{run}/report").status_code == 200
    hide(archive, clock)
    found = listed(public)
    assert (found["is_withheld"], found["reports"]) == (True, [])
    assert "not public yet" in public.get("/reports").text
    for path in (f"/reports/{number}/json", f"/runs/{run}/report"):
        assert public.get(path).status_code == 404
    viewer = make_client(archive, Role.VIEWER, entry=EntryRule.PUBLIC, home=home)
    assert viewer.get(f"/reports/{number}/html").status_code == 200


# --- of a run -------------------------------------------------------------------------------------


def test_it_is_the_report_of_the_command_and_inert(archive, make_client):
    client = make_client(archive, Role.VIEWER)
    run = run_of(archive, "mt-weekly")
    answer = client.get(f"/runs/{run}/report")
    with archive.read() as connection:
        assert answer.text == run_report.make_report(connection, run, ZONE).html
    assert "<script" not in answer.text
    policy = answer.headers["content-security-policy"]
    for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "sandbox"):
        assert part in policy
    assert "script-src" not in policy
    assert client.get("/runs/999999/report").status_code == 404


def test_people_are_not_shown_to_the_public(archive, make_client):
    run = run_of(archive, "people")
    path = f"/runs/{run}/report"
    assert make_client(archive, entry=EntryRule.PUBLIC).get(path).status_code == 404
    assert make_client(archive, Role.VIEWER, entry=EntryRule.PUBLIC).get(path).status_code == 200


@pytest.fixture
def counted(monkeypatch):
    """Makes reports of their number."""
    made = []

    def make(_connection, run_id, _zone):
        made.append(run_id)
        return SimpleNamespace(html=f"<p>{len(made)}</p>")

    monkeypatch.setattr(run_report, "make_report", make)
    return made


def test_a_report_is_made_again_only_when_there_is_news(database, counted):
    def page(run):
        with database.read() as connection:
            return render_run_report(connection, SHUT_OUT, run, ZONE)

    first = new_run(database, "j", AT)
    assert page(first) == page(first) == b"<p>1</p>"
    measure(database, first, "a", "r", 0.5)
    assert page(first) == page(first) == b"<p>2</p>"
    end_run(database, first, AT)
    assert page(first) == page(first) == b"<p>3</p>"
    second = new_run(database, "j", AT + HOUR)
    assert (page(second), page(first)) == (b"<p>4</p>", b"<p>3</p>")
    assert counted == [first, first, first, second]


def test_who_asks_while_another_is_made_is_asked_to_wait(sqlite_archive, monkeypatch):
    monkeypatch.setattr(response_cache, "_LOCK_SECONDS", 0.05)
    begun, go = Event(), Event()

    def slow(_connection, run_id, _zone):
        begun.set()
        assert go.wait(30)
        return SimpleNamespace(html=f"<p>{run_id}</p>")

    monkeypatch.setattr(run_report, "make_report", slow)

    def ask(run):
        with sqlite_archive.read() as connection:
            return render_run_report(connection, SHUT_OUT, run, ZONE)

    with sqlite_archive.read() as connection:
        numbers = [store_runs.get_run(connection, run).id for run in (1, 2)]
    thread = Thread(target=ask, args=(numbers[0],))
    thread.start()
    try:
        assert begun.wait(30)
        with pytest.raises(Busy):
            ask(numbers[1])
    finally:
        go.set()
        thread.join(30)
    assert ask(numbers[0]) == b"<p>1</p>"
    assert ask(numbers[1]) == b"<p>2</p>"


@pytest.mark.parametrize(
    ("path", "status"),
    [("/reports/0/html", 422), ("/reports/1/exe", 422), ("/reports/9999/html", 404),
     ("/reports?page=0", 422), ("/runs/0/report", 422), ("/runs/x/report", 422),
     ("/reports/9223372036854775808/html", 422)],
)  # fmt: skip
def test_bad_parameters_are_refused(sqlite_archive, make_client, path, status):
    assert make_client(sqlite_archive, Role.VIEWER).get(path).status_code == status
