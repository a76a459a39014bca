"""The generator of synthetic series leaves what runs would leave, on both databases."""

import pytest

from bench import many_points
from monitor import pipeline
from monitor.model import RunKind
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, quiet, rows


def test_every_series_has_a_row_at_every_tick_since_its_first(database, database_url, capsys):
    arguments = ["--series", "60", "--ticks", "12", "--jobs", "2", "--comparisons"]
    assert many_points.main([*arguments, "--database", database_url]) == 0
    assert capsys.readouterr().out.startswith("60 series, ")
    found = rows(database, "SELECT n_ticks, n_measured FROM series")
    assert len(found) == 60
    assert {row["n_ticks"] for row in found} == {12}
    assert 0 < sum(row["n_measured"] for row in found) < 720
    sql = (
        "SELECT COUNT(*) AS n FROM series_points WHERE (state = 'measured') <> (value IS NOT NULL)"
    )
    assert rows(database, sql) == [{"n": 0}]
    [steps] = rows(database, "SELECT COUNT(*) AS n, MIN(p) AS p FROM comparisons")
    assert steps["n"] > 0
    assert 0 <= steps["p"] <= 1


def test_gaps_of_all_sorts_are_there(database):
    size = many_points.Size(series=24, ticks=30, jobs=1, missed=0.3, down=0.3, insufficient=0.3)
    written = list(many_points.generate(database, size))
    assert len(written) == 30
    sql = "SELECT state, COUNT(*) AS n FROM series_points GROUP BY state"
    counts = {row["state"]: row["n"] for row in rows(database, sql)}
    assert set(counts) == {"measured", "insufficient", "missed"}
    assert sum(counts.values()) == 24 * 30
    sql = "SELECT COUNT(*) AS n FROM points GROUP BY series_id, run_id, is_current"
    assert {row["n"] for row in rows(database, sql)} == {1}


def test_the_database_goes_on_working_with_its_own_ids(database, tmp_path):
    list(many_points.generate(database, many_points.Size(series=4, ticks=2, jobs=1)))
    audit = make_audit(tmp_path)
    tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    summary = pipeline.run(database, audit, tick, Scripted(portuguese(mini_items())), quiet)
    assert summary.answered == 32


def test_a_database_that_is_not_there_is_named(tmp_path, capsys):
    assert many_points.main(["--database", f"sqlite:///{tmp_path / 'none.db'}"]) == 4
    assert "no monitor database here yet" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1"])
def test_sizes_are_at_least_one(number):
    with pytest.raises(SystemExit):
        many_points.main(["--series", number, "--database", "sqlite:///x.db"])
