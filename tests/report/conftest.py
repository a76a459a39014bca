"""A small audit with stereotypes and occupations, run and kept, for the tests of the report."""

import shutil
from zoneinfo import ZoneInfo

import pytest

from monitor.jobs import load_audit
from monitor.stages.reports import run_report
from monitor.store.database import connect
from tests.conftest import made_once
from tests.factories import (
    Scripted,
    job_content,
    make_job,
    make_list,
    mini_items,
    mini_professions,
    portuguese,
    run_audit,
)
from tests.report.services import run_many

OCCUPATIONS = ("nurse", "carpenter", "teacher", "driver")
UTC = ZoneInfo("UTC")


def run_small(
    database, folder, translations=None, stereotypes=None, occupations=OCCUPATIONS, targets=("pt",)
):
    """Run an audit of 12 sentences per stereotype and 4 per occupation; returns its summary."""
    items = mini_items(12) if stereotypes is None else stereotypes
    jobs = mini_professions(occupations, templates=4)
    make_list(folder, "stereo", items=items)
    make_list(folder, "jobs", items=jobs)
    content = job_content(
        lists=[{"name": "stereo@1"}, {"name": "jobs@1"}],
        engines=[{"name": "firefox_translations", "targets": list(targets)}],
        measures=[
            {"name": "masculine_rate"},
            {
                "name": "c_ratio_bias",
                "references": ["us_labour", "parity"],
                "min_templates": 2,
                "floor": 2,
                "topics_floor": 3,
            },
        ],
    )
    audit = load_audit(make_job(folder, **content))
    given = portuguese(items, lambda item: item["key"].endswith(("-1", "-2")))
    given |= portuguese(jobs, lambda item: item["occupation"] == "nurse")
    given |= translations or {}
    return run_audit(database, audit, Scripted(given))


def render(database, run_id=1, zone=UTC):
    with database.read() as connection:
        return run_report.make_report(connection, run_id, zone)


@pytest.fixture
def small(database, tmp_path):
    """A database of either kind with one run."""
    run_small(database, tmp_path)
    return database


@pytest.fixture
def small_sqlite(sqlite_database, tmp_path):
    """A SQLite database with one run, to be changed by a test."""
    run_small(sqlite_database, tmp_path)
    return sqlite_database


@pytest.fixture(scope="session")
def kept_report(sqlite_template, tmp_path_factory):
    """The folder of a database with one run, and its report, made once for all tests."""
    folder = tmp_path_factory.mktemp("report")
    shutil.copyfile(sqlite_template, folder / "monitor.db")
    database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
    run_small(database, folder)
    made = render(database)
    database.close()
    return folder, made


@pytest.fixture
def kept(kept_report):
    """The database behind `kept_report`, to be read only."""
    folder, _ = kept_report
    return connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")


@pytest.fixture(scope="session")
def many_kept(sqlite_template, tmp_path_factory):
    """The folder of a database with a run of many systems, and its page, made once for all."""

    def make(folder):
        shutil.copyfile(sqlite_template, folder / "monitor.db")
        database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
        run_many(database, folder)
        (folder / "page.html").write_bytes(render(database).html.encode())
        database.close()

    folder = made_once(tmp_path_factory, "many", make)
    return folder, (folder / "page.html").read_bytes().decode()


@pytest.fixture
def many(many_kept):
    """The database behind `many_kept`, to be read only."""
    folder, _ = many_kept
    return connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
