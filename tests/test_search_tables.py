"""What a run of a search audit prints: right, readable at 80 columns, harmless."""

import io
import re

import pytest
import sqlalchemy as sa
from rich.console import Console

from monitor.cli import reports
from monitor.store.reports import run_report
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, rows, run_audit
from tests.report.people import WEEK, measure, results, search
from tests.standins.wire import json_answer

REFUSED = json_answer(200, {"error": {"code": "x", "info": "no"}})
ONE = [measure(cutoff=10, references=["parity"])]


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


def test_a_search_run_is_printed_at_80_columns(printed, sqlite_database, tmp_path):
    with search(tmp_path) as tick:
        tick(sqlite_database)
        tick.apps[0].results = results(["carpenter", "librarian"], ["driver"])
        tick(sqlite_database, DUE + WEEK)
    lines = printed(sqlite_database, 2)
    text = words_of(lines)
    assert max(map(len, lines)) <= 80
    assert "United States, English, web results" in text
    assert "first women men group found disagree human" in text
    for cut in (3, 5, 10, 20):
        assert any(line.startswith(f"first {cut}") for line in lines)
    for name in (
        "people recorded in Wikidata, 2", "the engine's own full list points", "US labour force,",
        "parity (1/2) points", "own.csv, 2024 points",
    ):  # fmt: skip
        assert sum(line.startswith(name) and "points" in line for line in lines) == 4, name
    assert "often recorded as women in Wikidata than among all people recorded there" in text
    assert "percentage points" in text
    assert "Most biased professions, within the first 10" in text
    assert "Since the tick before, on the 9 professions usable at both" in text
    assert "planned results results blocked unreadable answer" in text
    for word in ("masculine", "marked", "inclusive", "→", "contradictory"):
        assert word not in text


def test_the_numbers_are_those_of_the_points(printed, sqlite_database, tmp_path):
    with search(tmp_path) as tick:
        tick(sqlite_database)
    lines = printed(sqlite_database)
    found = rows(
        sqlite_database,
        "SELECT * FROM points_current WHERE quantity IN ('mb', 'excess_mab') "
        "AND measure LIKE '%@5'",
    )
    at = next(place for place, line in enumerate(lines) if line == "first 5")
    text = words_of(lines[at:])
    for point in found:
        name = {"mb": "MB", "excess_mab": "excess"}[point["quantity"]]
        low, value, high = (f"{point[end]:+.3f}" for end in ("low", "value", "high"))
        words = f"{name}: {value} [{low}, {high}]".replace("-", "−")
        assert re.sub(r"[+−]0\.000\b", "0.000", words) in text


def test_nothing_beyond_chance_is_said_and_has_no_table(printed, sqlite_database, tmp_path):
    measures = [measure(cutoff=3, references=["parity"])]
    with search(tmp_path, measures=measures) as tick:
        tick(sqlite_database)
    text = words_of(printed(sqlite_database))
    assert "Beyond chance: none of 10 professions tested one by one (lowest q =" in text
    assert "Professions against parity" not in text


def test_a_single_reference_has_its_professions(printed, sqlite_database, tmp_path):
    with search(tmp_path, measures=ONE) as tick:
        tick(sqlite_database)
    text = words_of(printed(sqlite_database))
    assert "Professions against parity (1/2): point" in text
    assert "There is no earlier tick of this job to compare with." in text


def test_many_blocks_have_tables_and_no_sentences(printed, sqlite_database, tmp_path):
    pages = [{"results": results()} for _ in range(4)]
    with search(tmp_path, *pages, measures=ONE) as tick:
        tick(sqlite_database)
    text = words_of(printed(sqlite_database))
    assert text.count("0.923 [0.667, 0.986]") >= 4
    assert text.count("web results, mini: see the report") == 4
    assert "Most biased" not in text
    assert "percentage points" not in text


def test_what_cannot_be_computed_says_why_without_a_table(printed, sqlite_database, tmp_path):
    with search(tmp_path, {"always": REFUSED}, measures=ONE) as tick:
        tick(sqlite_database)
    text = words_of(printed(sqlite_database))
    assert "None of the 13 professions asked has an answer that can be read." in text
    assert "No bias can be computed: 0 usable occupations of 13 planned, floor 5." in text
    assert "no usable answer: 13." in text
    assert "MAB by chance" not in text
    assert "0 of 13 questions answered (0.0 %); 6 failed (refused), 7 not asked" in text


def test_captured_words_are_harmless(printed, sqlite_database, tmp_path):
    with search(tmp_path, measures=ONE) as tick:
        tick(sqlite_database)
    with sqlite_database.begin() as connection:
        for sql in (
            "UPDATE topic_values SET topic = '[bold]x[/bold][/]' || char(8238) || topic",
            "UPDATE engines SET name = name || '[red]' || char(27) || '[/red][/]'",
        ):
            connection.execute(sa.text(sql))
    text = words_of(printed(sqlite_database))
    assert "[bold]x[/bold][/][U+202E]" in text
    assert "[red][U+001B][/red]" in text
    assert not {"\u202e", "\x1b"} & set(text)


def test_runs_without_search_engines_are_not_asked_for_people(sqlite_database, tmp_path):
    items = mini_items(2)
    run_audit(sqlite_database, make_audit(tmp_path, items=items), Scripted(portuguese(items)))
    with sqlite_database.read() as connection:
        assert not run_report.asks_search(connection, 1)
        assert run_report.read_pages(connection, 1) == []
        assert run_report.read_blocks(connection, 1) == []
        assert run_report.read_people(connection, 1) == []


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"], indirect=True)
def test_reads_are_the_same_on_both_databases(database, tmp_path):
    with search(tmp_path, measures=ONE) as tick:
        tick(database)
    with database.read() as connection:
        asked = run_report.read_pages(connection, 1)
        blocks = run_report.read_blocks(connection, 1)
        people = run_report.read_people(connection, 1)
        names = run_report.read_names(connection, 1, "organic", 3)
    assert [(row["outcome"], row["questions"]) for row in asked] == [("empty", 1), ("ok", 12)]
    assert [(row["block"], row["questions"], row["items"]) for row in blocks] == [
        ("organic", 12, 165)
    ]
    assert {row["state"]: row["people"] for row in people} == {
        "labelled": 150, "not_human": 7, "unresolved": 8,
    }  # fmt: skip
    assert all(row["first_as_of"].tzinfo for row in people if row["state"] == "labelled")
    # those of the page that was asked for first
    assert len({name.partition(" ")[0] for name, _ in names}) == 1
    assert [name.partition(" ")[2] for name, _ in names] == [f"Number {n}" for n in range(3)]
    assert {group for _, group in names} <= {"women", "men"}
