"""What a run that measures words prints: right, readable at 80 columns, harmless."""

import io

import pytest
import sqlalchemy as sa
from rich.console import Console

from monitor.cli import reports
from tests.factories import DUE, rows
from tests.report.words import WEEK, heard, items, results
from tests.standins.wire import json_answer

REFUSED = json_answer(200, {"error": {"code": "x", "info": "no"}})
MEASURES = [
    {"name": "GSR", "cutoff": 10, "floor": 5},
    {"name": "NFaiRR", "cutoff": [3, 10]},
    {"name": "TExFAIR", "cutoff": 10},
    {"name": "ARB", "cutoff": 10},
]


@pytest.fixture
def printed(monkeypatch):
    """Prints a run of a database on 80 columns and gives the lines."""

    def run(database, run_id=1):
        console = Console(file=io.StringIO(), width=80)
        monkeypatch.setattr(reports, "out", console)
        reports.print_run(database, run_id)
        return console.file.getvalue().splitlines()

    return run


def words_of(lines):
    return " ".join(" ".join(lines).split())


def test_systems_stand_in_one_table_at_80_columns(printed, sqlite_database, tmp_path):
    asked = items(24)
    pages = [{"results": results(asked, tilt=0.3 * n, seed=n)} for n in range(4)]
    with heard(tmp_path, *pages, asked=asked, measures=MEASURES) as tick:
        tick(sqlite_database)
    lines = printed(sqlite_database)
    text = words_of(lines)
    assert max(map(len, lines)) <= 80
    assert "Side by side: mini@1, United States, English" in text
    for row in _values(sqlite_database, "gsr"):
        slope = f"{row['value']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}]".replace("-", "−")
        assert f" GSR-snippet(floor=5,lexicon=glove-6b-50d)@10: {slope}, exploratory" in text
    for heading in ("NFaiRR@10", "TExFAIR@10", "ARB@10", "queries answered"):
        assert text.count(f"; {heading}: ") == 4
    assert "so this value by itself says nothing about the engine: only its changes" in text
    assert "masculine" not in text


def _values(database, quantity):
    return rows(
        database,
        "SELECT * FROM points_current WHERE quantity = :q AND scope = 'all' ORDER BY engine",
        q=quantity,
    )


def test_few_systems_are_printed_with_sentences(printed, sqlite_database, tmp_path):
    asked = items(24)
    pages = {"results": results(asked), "script": [REFUSED] * 2}
    with heard(tmp_path, pages, asked=asked, measures=MEASURES) as tick:
        tick(sqlite_database)
        tick.apps[0].results = results(asked, tilt=0.1, seed=4)
        tick(sqlite_database, DUE + WEEK)
    text = words_of(printed(sqlite_database))
    assert "used / asked: 22 / 24" in text
    assert "GSR-snippet with the lexicon glove-6b-50d (titles and snippets, the first 10" in text
    assert "2 of 24 queries have no usable answer" in text
    assert "There is no earlier tick" in text
    assert "the slope changed by" in words_of(printed(sqlite_database, 2))


def test_what_has_no_value_is_printed_with_state_and_reason(printed, sqlite_database, tmp_path):
    with heard(tmp_path, measures=[{"name": "GSR"}, *MEASURES[1:]]) as tick:
        tick(sqlite_database)
    attack = "[bold]x[/bold] \u202eback <b>"
    with sqlite_database.begin() as connection:
        connection.execute(
            sa.text(
                "UPDATE points SET state = 'missed', value = NULL, low = NULL, high = NULL, "
                "reason = :attack WHERE id IN (SELECT point_id FROM points_current "
                "WHERE quantity = 'arb')"
            ),
            {"attack": attack},
        )
    lines = printed(sqlite_database)
    text = words_of(lines)
    assert max(map(len, lines)) <= 80
    assert "INSUFFICIENT" in text
    assert "24 usable queries of 24 planned, floor 30" in text
    assert "ARB@10: MISSED, [bold]x[/bold] [U+202E]back <b>." in text
    assert "says nothing about the engine" not in text
