"""What is read of one run does not take longer with every other run there is."""

import pytest

from monitor import pipeline
from monitor.model import RunKind
from monitor.store import migrations
from monitor.store.database import connect
from monitor.store.reports import run_report
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, rows


def scans(database, sql):
    """What SQLite would read from end to end of answers and runs."""
    with database.read() as connection:
        found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}").fetchall()
    return [row[3] for row in found if row[3] in ("SCAN r", "SCAN a", "SCAN rd", "SCAN p")]


@pytest.mark.parametrize("name", ["answers", "coverage"])
def test_a_view_reads_the_answers_of_one_run_alone(tmp_path, name):
    database = connect(f"sqlite:///{tmp_path / 'monitor.db'}", tmp_path)
    migrations.upgrade(database)
    assert scans(database, f"SELECT * FROM {name} WHERE run_id = 7") == []
    assert scans(database, f"SELECT * FROM {name}") != []
    database.close()


def test_the_newest_run_of_every_job_says_how_far_it_is(database, tmp_path):
    audit = make_audit(tmp_path)
    given = portuguese(mini_items())
    for kind in (RunKind.SCHEDULED, RunKind.MANUAL):
        run = pipeline.start(database, audit, kind, DUE)
        pipeline.run(database, audit, run, Scripted(given), quiet)
    last = pipeline.start(database, audit, RunKind.MANUAL, DUE.replace(hour=7))
    with database.read() as connection:
        [row] = run_report.read_newest_runs(connection)
    assert (row["run"], row["state"], row["answered"], row["planned"]) == (
        last.id,
        "running",
        0,
        32,
    )
    found = rows(database, "SELECT run_id, answered, planned FROM coverage ORDER BY run_id")
    assert [(row["answered"], row["planned"]) for row in found] == [(32, 32), (32, 32), (0, 32)]
