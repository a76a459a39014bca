"""What is read of one run does not take longer with every other run there is."""

import pytest

from monitor import pipeline
from monitor.model import RunKind
from monitor.store import overview
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, rows

VIEWS = ["coverage", "answers", "points_current", "masculine_rates"]


def explained(database, sql):
    """The steps of a plan that take whole tables of answers or runs; SQLite is explicit in this."""
    with database.read() as connection:
        found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}").fetchall()
    return [row[3] for row in found if row[3] in ("SCAN r", "SCAN a", "SCAN rd", "SCAN p")]


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_is_asked_for_one_run(database, name):
    if database.writer.dialect.name != "sqlite":
        pytest.skip("the planner of PostgreSQL goes by what is in the tables")
    assert explained(database, f"SELECT * FROM {name} WHERE run_id = 7") == []
    assert explained(database, f"SELECT * FROM {name}") != []


def test_the_newest_run_of_every_job_says_how_far_it_is(database, tmp_path):
    audit = make_audit(tmp_path)
    given = portuguese(mini_items())
    for kind in (RunKind.SCHEDULED, RunKind.MANUAL):
        run = pipeline.start(database, audit, kind, DUE)
        pipeline.run(database, audit, run, Scripted(given), quiet)
    last = pipeline.start(database, audit, RunKind.MANUAL, DUE.replace(hour=7))
    with database.read() as connection:
        [row] = overview.newest_runs(connection)
    assert (row["run"], row["state"], row["answered"], row["planned"]) == (
        last.id,
        "running",
        0,
        32,
    )
    found = rows(database, "SELECT run_id, answered, planned FROM coverage ORDER BY run_id")
    assert [(row["answered"], row["planned"]) for row in found] == [(32, 32), (32, 32), (0, 32)]
