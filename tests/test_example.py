"""The example archive of `make example`, in a small form: what it promises to show is there."""

import csv
import io
import json
import re
from datetime import timedelta

import pytest

from monitor.labels import sheets
from monitor.stages.publish import release
from monitor.store.database import connect
from monitor.store.derive import people
from monitor.store.publish.release import ReleaseSelection
from tests import browser
from tests.command import program
from tests.conftest import copy_sqlite
from tests.example import donors, files, make, overviews, systems, weeks
from tests.factories import rows

SMALL = files.Size(
    weeks=13, per_stereotype=7, templates=2, occupations=5, targets=("cs",), missed=1, replaced=2,
    searching=9, blocked=11, down=4, drifting=None, turned=9, updated=11, browser=False,
)  # fmt: skip
TURNED = weeks.FIRST + SMALL.turned * weeks.WEEK
UPDATED = weeks.FIRST + SMALL.updated * weeks.WEEK


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """The folder of the archive; nobody may write into it."""
    folder = tmp_path_factory.mktemp("example") / "home"
    make(folder, SMALL)
    return folder


@pytest.fixture
def example(home, tmp_path):
    """An open copy of the archive."""
    copy_sqlite(home / "monitor.db", tmp_path / "monitor.db")
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", home / "bodies")
    yield database
    database.close()


def test_overviews_of_three_weeks_have_values(example):
    points = rows(
        example,
        "SELECT due_at, value FROM points_current WHERE job = :job AND quantity = :quantity",
        job=overviews.OVERVIEWS, quantity="overview_rate",
    )  # fmt: skip
    assert len(points) == overviews.WEEKS
    assert all(0 < point["value"] < 1 for point in points)
    states = {row["state"] for row in rows(example, "SELECT state FROM overviews")}
    assert states == {"shown", "declined"}


def test_everything_that_is_shown_says_that_it_is_invented(example, home):
    labels = {row["engine"] for row in rows(example, "SELECT DISTINCT engine FROM answers")}
    assert len(labels) == 6
    assert all("invented-" in label for label in labels)
    for row in rows(example, "SELECT name, content FROM jobs"):
        content = json.loads(row["content"])
        assert row["name"].startswith("invented-")
        assert content["invented"] is True
        assert "every answer is invented" in content["governance"]["purpose"]
    said = rows(
        example,
        "SELECT DISTINCT text FROM answers WHERE list LIKE 'feelings@%' AND text IS NOT NULL",
    )
    assert len(said) > 5
    assert all(re.match(r"\(vymyšleno\) ", row["text"]) for row in said)
    titles = {row["title"] for row in rows(example, "SELECT title FROM shown WHERE entity <> ''")}
    assert len(titles) > 20
    assert all(title.startswith("Invented ") for title in titles)
    assert "invented" in (home / "EXAMPLE").read_text(encoding="utf-8")


def test_files_of_the_example_say_that_its_data_are_invented(
    example, home, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("MONITOR_HOME", str(home))
    with program(home, monkeypatch, capsys) as command:
        for words in (("series", "list"), ("series", "show", "1")):
            lines = list(csv.DictReader(io.StringIO(command(*words, "--csv")[1])))
            assert lines
            assert {line["invented"] for line in lines} == {"all"}
    weekly = max((home / "reports").glob("weekly-*.json")).read_text(encoding="utf-8")
    assert json.loads(weekly)["invented"] == "all"
    with example.read() as connection:
        release.write_release(
            connection, tmp_path / "release", ReleaseSelection(), "1", "1", lambda _: None
        )
    package = json.loads((tmp_path / "release" / "datapackage.json").read_text(encoding="utf-8"))
    assert package["gbmonitor"]["invented"] == "all"
    assert package["description"].startswith("Invented data: All answers here are made up.")
    assert "Invented data" in (tmp_path / "release" / "README.md").read_text(encoding="utf-8")


def test_every_address_that_was_asked_leads_nowhere(example):
    sql = """
        SELECT DISTINCT x.url FROM exchanges x JOIN engines e ON e.id = x.engine_id
        WHERE e.surface <> 'donated' AND x.url <> ''
    """  # nobody was asked for the pages of donors
    urls = {row["url"] for row in rows(example, sql)}
    assert len({url.split("/")[2] for url in urls}) == 5
    assert all(re.match(r"http://invented-[a-z-]+\.(test|localhost)/", url) for url in urls)


def test_invented_donors_have_a_surface_of_their_own(example):
    points = rows(example, "SELECT * FROM points_current WHERE surface = 'donated'")
    assert [point["state"] for point in points] == ["measured"] * 2
    assert {point["job"] for point in points} == {donors.DONATING}
    consents = rows(example, "SELECT DISTINCT consent FROM donations")
    assert [row["consent"] for row in consents] == [donors.CONSENT]
    assert rows(example, "SELECT * FROM answers WHERE surface = 'donated'") == []


def test_ticks_are_done_missed_and_blocked(example):
    found = rows(example, "SELECT job, due_at, state, reason FROM ticks ORDER BY job, due_at")
    states = {
        job: [row["state"] for row in found if row["job"] == job]
        for job in (files.SEARCHING, files.TRANSLATING)
    }
    assert states == {
        files.SEARCHING: ["done", "partial", "partial"],
        files.TRANSLATING: ["done", "missed", "done", "done", "partial", *["done"] * 8],
    }
    walls = rows(
        example,
        "SELECT DISTINCT engine FROM answers WHERE outcome = 'blocked' ORDER BY engine",
    )
    assert [systems.SITES[0] in row["engine"] for row in walls] == [True]
    [rest] = [
        row for row in rows(example, "SELECT * FROM suspensions") if systems.SITES[1] in row["lane"]
    ]
    assert rest["until"] > str(weeks.FIRST + SMALL.weeks * weeks.WEEK + timedelta(days=14))


def test_a_step_an_outage_and_an_update_of_ours_are_told_apart(example):
    found = rows(
        example,
        "SELECT * FROM changes_current WHERE kind = 'step' AND role = 'primary' "
        "AND status = 'confirmed' ORDER BY change_id",
    )
    assert {row["quantity"] for row in found} == {"f_s", "f_m"}
    told = {(row["engine"].partition("invented-")[2][0], row["changed_at"][:10], row["cause"])
            for row in found}  # fmt: skip
    assert told == {("b", f"{TURNED:%Y-%m-%d}", "engine"), ("a", f"{UPDATED:%Y-%m-%d}", "open")}
    for row in found:
        assert row["holds_beyond"] == 1
        is_ours = bool(re.search(r"Our software changed too: httpx \S+ -> 99\.0 ", row["because"]))
        assert is_ours is (row["cause"] == "open")
    down = str(weeks.FIRST + SMALL.down * weeks.WEEK)[:10]
    at_outage = [row for row in found if row["changed_at"][:10] == down]
    assert not at_outage
    lost = rows(
        example,
        "SELECT COUNT(*) AS n FROM series_points WHERE quantity = 'f_s' AND scope = 'all' "
        f"AND due_at LIKE '{down}%' AND value IS NULL AND engine LIKE '%invented-b%'",
    )
    assert lost[0]["n"] == 1


def test_runs_of_all_sorts_have_their_reports_and_declarations(example, home):
    runs = rows(example, "SELECT kind, COUNT(*) AS n FROM runs GROUP BY kind")
    assert {row["kind"]: row["n"] for row in runs} == {"scheduled": 20, "noise": 12, "confirm": 3}
    made = rows(example, "SELECT due_at, state FROM reports ORDER BY due_at")
    assert [row["state"] for row in made] == ["made"] * SMALL.weeks
    assert len(list((home / "reports").glob("weekly-*.html"))) == SMALL.weeks
    [declared] = rows(example, "SELECT job, registered_at FROM preregistrations")
    assert declared["job"] == files.TRANSLATING
    assert declared["registered_at"] < f"{weeks.FIRST:%Y-%m-%d %H:%M}"
    switched = rows(example, "SELECT * FROM series_switches")
    assert switched


def test_two_people_read_and_labelled_and_do_not_agree(example):
    [read] = rows(
        example,
        "SELECT SUM(n_drawn) AS drawn, SUM(n_read) AS n, SUM(n_disputed) AS disputed FROM audits",
    )
    assert read["n"] == read["drawn"] > 30
    assert 0 < read["disputed"] < read["n"] / 4
    with example.read() as connection:
        first, ratings = people.read_first_ratings(connection), people.read_ratings(connection)
        compared = sheets.compare_raters(first, ratings)
    assert len(compared["pairs"]) == 1
    assert compared["disagreements"]


def test_the_report_names_its_jobs_as_invented(home):
    newest = max((home / "reports").glob("weekly-*.html")).read_text(encoding="utf-8")
    before_the_title = newest[: newest.index("<h1>")]
    assert "Invented data: All answers here are made up." in before_the_title


def test_pages_in_a_browser_have_pictures(tmp_path):
    browser.required()
    size = files.Size(
        weeks=1, per_stereotype=1, templates=1, occupations=4, targets=("cs",), missed=None,
        replaced=None, searching=0, blocked=None, down=None, drifting=None, turned=None,
        updated=None,
    )  # fmt: skip
    make(tmp_path / "home", size)
    database = connect(
        f"sqlite:///{tmp_path / 'home' / 'monitor.db'}", tmp_path / "home" / "bodies"
    )
    try:
        pictures = rows(database, "SELECT COUNT(screenshot_id) AS n FROM exchanges")
    finally:
        database.close()
    assert pictures == [{"n": 4}]
