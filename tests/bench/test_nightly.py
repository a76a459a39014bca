"""The bench of nightly steps fills, steps, asks and reports, on a small scale."""

import pytest

from bench import nightly
from bench._nightly_queries import timed
from tests.factories import rows

SMALL = ["--series", "48", "--ticks", "4", "--questions", "20", "--own", "1", "--rounds", "1"]


@pytest.fixture
def small(monkeypatch):
    made = nightly.audit_of
    monkeypatch.setattr(nightly, "audit_of", lambda folder: made(folder, 64))


@pytest.mark.usefixtures("small")
def test_everything_is_made_and_printed(tmp_path, capsys):
    assert nightly.main([*SMALL, "--folder", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    for words in (
        "items and ",
        "nightly step in the archive",
        "ratio ",
        "statements of one series",
        "changes.series.read_grid",
        "weekly_report.read_lengths",
        "read_endings",
        "weekly report of all",
    ):
        assert words in said


@pytest.mark.usefixtures("small")
def test_both_have_the_same_ticks_and_values(tmp_path):
    nightly.main([*SMALL, "--folder", str(tmp_path)])
    sql = """
        SELECT p.due_at, p.quantity, p.scope, p.value FROM points_current p
        WHERE p.job = 'nightly' AND p.due_at >= :since ORDER BY 1, 2, 3
    """
    found = []
    for name in ("archive", "other"):
        database = nightly.connect(f"sqlite:///{tmp_path / name}.db", tmp_path / "bodies")
        with database.read() as connection:
            query = nightly.sa.text(sql)
            found.append(connection.execute(query, {"since": "2015-01-26"}).all())
        database.close()
    assert found[0] == found[1]
    assert len(found[0]) > 100


def test_statements_are_timed_with_their_place(database):
    found = timed(database, nightly.of_whole_list)
    assert [one.place for one in found if one.rows] == []
    assert "changes.series.find_series" in {one.place for one in found}
    assert rows(database, "SELECT COUNT(*) AS n FROM series") == [{"n": 0}]


def test_two_databases_are_named_together(capsys):
    with pytest.raises(SystemExit):
        nightly.main(["--database", "postgresql:///archive"])
    assert "name both" in capsys.readouterr().err
