"""Real pages that people saved, through the engine saved_pages into a database."""

import csv
import json
import shutil
from contextlib import closing

import pytest

from monitor import pipeline
from monitor.fetch.recorded import Library
from monitor.fetch.saved_pages import PastFetcher, Shelves
from monitor.jobs import load_audit
from monitor.model import RunKind
from monitor.work.recorded import list_recorded_dates
from tests import saved
from tests.factories import quiet, rows


@pytest.fixture(scope="module")
def pages(reference_data):
    """Rows of the index of Google's pages with a reading that was made by hand."""
    folder = reference_data / "serps"
    with (folder / "INDEX.tsv").open(encoding="utf-8", newline="") as file:
        found = [
            row
            | {"path": folder / row["file"], "expected": json.loads(expected.read_text("utf-8"))}
            for row in csv.DictReader(file, delimiter="\t")
            if (expected := folder / row["file"].replace(".html", ".expected.json")).exists()
            and row["engine"] in ("google", "google-carousel")
        ]
    assert len(found) > 20
    return found


def run_all(database, job):
    """Ask and read every day; returns the days."""
    audit = load_audit(job)
    with closing(Shelves(job.parent)) as shelves:
        dates = list_recorded_dates(audit, Library(job.parent), shelves)
        for at in dates:
            tick = pipeline.start(database, audit, RunKind.SCHEDULED, at)
            pipeline.ask(
                database, audit, tick, PastFetcher(Library(job.parent), shelves, at), quiet
            )
            pipeline.read_answers(database, audit, tick)
        assert shelves.left_out == []
    return dates


def names(database):
    """{file: names of the carousel in their order} of all that was read."""
    sql = """
        SELECT json_extract(g.identity, '$.file') AS file, r.outcome, i.title, i.entity, i.block
        FROM exchanges x JOIN agents g ON g.id = x.agent_id
        JOIN attempts a ON a.exchange_id = x.id JOIN readings r ON r.attempt_id = a.id
        LEFT JOIN items i ON i.reading_id = r.id AND i.block = 'carousel'
        ORDER BY x.id, i.rank
    """
    found = {}
    for row in rows(database, sql):
        assert row["outcome"] in ("ok", "empty"), row
        tiles = found.setdefault(row["file"], [])
        if row["title"] is not None:
            tiles.append((row["title"], row["entity"]))
    return found


def expected_names(row):
    carousel = row["expected"].get("carousel") or {}
    return [item["name"] for item in carousel.get("items", ())]


@pytest.mark.parametrize("indexed", [True, False], ids=["index", "by themselves"])
def test_names_end_to_end_equal_those_read_by_hand(sqlite_database, tmp_path, pages, indexed):
    """With an index, and by what the pages say themselves; only the date is in the file's name."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for row in pages:
        shutil.copyfile(row["path"], folder / row["path"].name)
    if indexed:
        saved.index(
            folder,
            [
                {
                    "file": row["path"].name,
                    "query": row["query"],
                    "captured_at": row["date"],
                    "engine": "google",
                    "region": "us-en",
                }
                for row in pages
            ],
        )
    questions = {row["query"].casefold(): row["query"] for row in pages}
    job = saved.saved_job(tmp_path, list(questions.values()), system="google")
    run_all(sqlite_database, job)
    found = names(sqlite_database)
    asked = [row for row in pages if row["path"].name in found]
    assert len(asked) == len(pages)
    for row in pages:
        tiles = found[row["path"].name]
        if row["expected"].get("carousel") is not None:
            assert [name for name, _ in tiles] == expected_names(row), row["file"]


def test_questions_without_a_page_on_a_day_have_no_answer(sqlite_database, tmp_path, pages):
    folder = tmp_path / "pages"
    folder.mkdir()
    some = [row for row in pages if row["engine"] == "google-carousel"][:2]
    for row in some:
        shutil.copyfile(row["path"], folder / row["path"].name)
    job = saved.saved_job(tmp_path, [row["query"] for row in some])
    assert len(run_all(sqlite_database, job)) == 2
    found = rows(
        sqlite_database,
        "SELECT outcome, reason, COUNT(*) AS n FROM readings GROUP BY outcome, reason ORDER BY 1",
    )
    assert found == [
        {"outcome": "failed", "reason": "unrecorded", "n": 2},
        {"outcome": "ok", "reason": "", "n": 2},
    ]
