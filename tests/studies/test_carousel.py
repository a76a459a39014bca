"""The printed rows anew, and the tables of a finished run."""

import json

import pytest

from monitor import settings
from monitor.model import InvalidInput
from monitor.studies import catalogue, pages
from monitor.studies.carousel import STUDY
from monitor.studies.catalogue import Verdict
from tests.factories import DUE, rows
from tests.report.people import SHOWN, WEEK, measure, results, search


def ran(**given):
    return catalogue.run_study(STUDY, given, len)


@pytest.fixture
def finished(sqlite_database, tmp_path, monkeypatch):
    """A database with two ticks of one engine, which the settings name."""
    measures = [measure(cutoff=[5, 10], references=["us_labour", "parity"])]
    with search(tmp_path, {"results": results()}, measures=measures) as tick:
        tick(sqlite_database)
        tick.apps[0].results = results(["carpenter", "nurse"], ["driver"])
        tick(sqlite_database, DUE + WEEK)
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    settings.load.cache_clear()
    return sqlite_database


def table(done, name):
    found = next(table for table in done.found.tables if table.name == name)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def test_the_tables_are_the_points_of_the_newest_run(finished):
    done = ran()
    stored = rows(
        finished,
        "SELECT value FROM points_current WHERE run_id = 2 AND quantity = 'mab' ORDER BY value",
    )
    shown = table(done, "over-professions")
    assert len(shown) == 2 * 2
    assert sorted(row["MAB"] for row in shown) == [row["value"] for row in stored]
    assert all(row["MAB by chance"] > 0 for row in shown)
    parity = [row for row in table(done, "professions") if row["target"].startswith("parity")]
    by_name = {row["profession"]: row for row in parity}
    assert by_name["chef"]["bias"] == pytest.approx(0.1 - 0.5)
    assert [abs(row["bias"]) for row in parity] == sorted(
        (abs(row["bias"]) for row in parity), reverse=True
    )
    assert "baker" not in by_name  # nobody was shown
    targets = table(done, "targets")
    assert len({row["target"] for row in targets}) == 2
    panel = table(done, "fixed-panel")
    assert {row["target"] for row in panel} == {row["target"] for row in shown}
    assert all(row["professions"] < len(SHOWN) - 1 for row in panel)
    assert [figure.name for figure in done.found.figures] == [
        "figure-cutoffs-0", "figure-biases-0",
    ]  # fmt: skip
    page = pages.render_html(done)
    assert "Chef Number" not in page  # no name of a person
    assert "run 2" not in done.found.ran["run"]
    assert done.found.ran["run"].startswith("2 of ")


def test_the_first_tick_has_no_panel_and_an_unknown_run_is_named(finished):
    done = ran(run=1)
    assert "fixed-panel" not in {table.name for table in done.found.tables}
    with pytest.raises(InvalidInput, match="--run 99: no such run; monitor status"):
        ran(run=99)
    with pytest.raises(InvalidInput, match="--job other: no such run"):
        ran(job="other")


def test_printed_rows_need_no_database_and_show_one_that_is_off(reference_data, tmp_path):
    options = STUDY.validation(reference_data)
    done = ran(**options)
    assert len(table(done, "printed-rows")) == 66
    assert {check.verdict for check in done.found.checks} == {Verdict.EQUAL}
    held = json.loads(options["published"].read_text("utf-8"))
    held["paper_rows"][0]["beta"] += 0.1
    moved = tmp_path / "moved.json"
    moved.write_text(json.dumps(held), encoding="utf-8")
    differs = [c.what for c in ran(published=moved).found.checks if c.verdict is Verdict.DIFFERS]
    assert differs == ["beta, largest difference of 33 of 33 rows"]
    moved.write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"moved.json: paper_rows.* are needed"):
        ran(published=moved)
