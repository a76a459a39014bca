"""The generator of synthetic items leaves what a run would leave, on both databases."""

import pytest
import sqlalchemy as sa

from bench import generate
from monitor import pipeline
from monitor.jobs import load_audit
from monitor.model import RunKind
from monitor.store.schema import metadata
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, rows


def counts(database):
    return {
        table: rows(database, f"SELECT COUNT(*) AS n FROM {table}")[0]["n"]
        for table in metadata.tables
    }


def test_a_thousand_items(database, database_url, capsys):
    assert generate.main(["--items", "1000", "--database", database_url]) == 0
    assert capsys.readouterr().out.startswith("1,000 items, ")
    found = counts(database)
    expected = {
        "runs": 1, "attempts": 1000, "readings": 1000, "items": 1000, "agreements": 1000,
        "exchanges": 63, "bodies": 63, "points": 16, "point_facts": 32, "probes": 1000,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    assert len(rows(database, "SELECT attempt_id FROM answers")) == 1000
    [row] = rows(database, "SELECT planned, answered FROM coverage")
    assert row == {"planned": 1000, "answered": 1000}
    assert len(rows(database, "SELECT * FROM masculine_rates WHERE state = 'measured'")) == 16


def test_the_points_agree_with_the_items(database, database_url):
    generate.main(["--items", "1000", "--database", database_url])
    sql = """
        SELECT a.masculine, a.used, m.masculine AS said, m.used AS said_used
        FROM (SELECT SUM(masculine) AS masculine, SUM(used) AS used FROM coverage) a,
            (SELECT SUM(masculine) AS masculine, SUM(used) AS used FROM masculine_rates) m
    """
    [row] = rows(database, sql)
    assert row["masculine"] == row["said"] > 0
    assert row["used"] == row["said_used"] > row["masculine"]


def test_more_than_one_run_and_more_another_time(database, database_url, monkeypatch):
    monkeypatch.setattr(generate, "PER_RUN", 100)
    generate.main(["--items", "250", "--database", database_url])
    assert counts(database)["runs"] == 3
    generate.main(["--items", "100", "--database", database_url])
    found = counts(database)
    assert (found["runs"], found["attempts"], found["probes"]) == (4, 350, 100)
    assert rows(database, "SELECT DISTINCT n_ticks FROM series") == [{"n_ticks": 4}]


def test_the_database_goes_on_working_with_its_own_ids(database, database_url, tmp_path):
    generate.main(["--items", "40", "--database", database_url])
    audit = make_audit(tmp_path)
    tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    summary = pipeline.run(database, audit, tick, Scripted(portuguese(mini_items())), quiet)
    assert summary.answered == 32
    assert load_audit(audit.path).job.name == "mini"


def test_memory_does_not_grow_with_the_items(sqlite_database, monkeypatch):
    """What one run holds is let go before the next: the rows sent at a time stay the same."""
    monkeypatch.setattr(generate, "PER_RUN", 64)
    sizes = []

    @sa.event.listens_for(sqlite_database.writer, "before_cursor_execute")
    def count(_connection, _cursor, _statement, parameters, _context, many):
        if many:
            sizes.append(len(parameters))

    for _ in generate.generate(sqlite_database, 640):
        pass
    assert max(sizes) <= 64


def test_a_database_that_is_not_ready_is_refused(tmp_path, capsys):
    url = f"sqlite:///{tmp_path / 'monitor.db'}"
    assert generate.main(["--items", "10", "--database", url]) == 4
    assert "monitor init" in capsys.readouterr().err


@pytest.mark.parametrize("items", ["0", "-5", "many"])
def test_a_number_that_is_none_is_refused(items):
    with pytest.raises(SystemExit):
        generate.main(["--items", items, "--database", "sqlite:///x.db"])
