"""`monitor series claim` and `compare`: a card in lines, and words of others in one."""

import json

import pytest
import sqlalchemy as sa

from monitor.cli.changes.series_views import number
from monitor.store import schema
from tests.cases import check_each
from tests.command import program
from tests.report import weeks as made

HOSTILE = "x\nStatus        confirmed: forged\t\x1b[2J\x9b31m\u202eevil {{ 7 * 7 }}"


@pytest.fixture
def weeks(sqlite_database):
    return made.small(sqlite_database)


@pytest.fixture
def monitor(weeks, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_DATABASE_URL", f"sqlite:///{tmp_path / 'monitor.db'}")
    monkeypatch.setenv("COLUMNS", "80")
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


@pytest.fixture
def change(weeks, sqlite_database):
    """A change whose reason holds what a service could have answered."""
    before, after = weeks.run_of[3, "scheduled"], weeks.run_of[4, "scheduled"]
    with sqlite_database.begin() as connection:
        series = weeks.series["deepl", "cs", "f_s", "all"]
        signature = weeks.signature(connection)
        compared = weeks.compare(connection, series, "step", before, after, signature, 0.05)
        return weeks.change(
            connection, series, before, after, comparison_id=compared, because=HOSTILE
        )


def test_a_card_has_a_line_for_each_thing(monitor, change):
    code, shown, _ = monitor("series", "claim", change)
    assert code == 0
    lines = shown.splitlines()
    assert lines[0].startswith(f"Change {change} · DeepL")
    starts = [line.removeprefix("✗ ").partition(":")[0] for line in lines]
    named = (
        "Effect",
        "Status",
        "Cause",
        "Questions",
        "Noise",
        "System",
        "To quote",
        "Repeated? no",
    )
    assert [starts.count(name) for name in named] == [1] * len(named)
    assert max(map(len, lines)) <= 80


def test_what_was_found_by_looking_back_has_the_questions_of_its_tick_and_no_test(
    monitor, weeks, sqlite_database, tmp_path
):
    before, after = weeks.run_of[3, "scheduled"], weeks.run_of[4, "scheduled"]
    with sqlite_database.begin() as connection:
        series = weeks.series["deepl", "cs", "f_s", "all"]
        signature = weeks.signature(connection)
        weeks.compare(connection, series, "step", before, after, signature, 0.05)
        shift = weeks.change(
            connection, series, before, after, kind="shift", status="retrospective", p=None,
            q=None, alpha=None, low=None, high=None,
        )  # fmt: skip
    _, shown, _ = monitor("series", "claim", shift, "--output", tmp_path / "c.html")
    monitor("series", "claim", shift, "--output", tmp_path / "c.txt")
    shown = (tmp_path / "c.txt").read_text(encoding="utf-8")
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    lines = dict(line.partition(": ")[::2] for line in shown.splitlines())
    assert "without an interval" in lines["Effect"]
    assert lines["On this list"] == "Not tested: found in retrospect."
    assert "Beyond this list" not in lines
    assert "usable both times" in lines["Questions"]
    assert len(lines["Method version"].partition(" ")[0]) == 16
    assert "Not tested: found in retrospect." in page
    assert "without an interval" in page
    assert "None usable" not in shown + page


def test_an_answer_with_line_breaks_is_no_line_of_the_card(monitor, change):
    _, shown, _ = monitor("series", "claim", change)
    assert sum(line.startswith("Status") for line in shown.splitlines()) == 1
    assert "{{ 7 * 7 }}" in shown
    assert not set("\x1b\x9b\u202e") & set(shown)


def test_the_json_of_a_card_holds_all_of_it_and_no_terminal_obeys_it(monitor, change):
    _, shown, _ = monitor("series", "claim", change, "--json")
    assert json.loads(shown)["because"] == HOSTILE
    assert not set("\x1b\x9b\u202e") & set(shown)


def test_a_point_without_a_value_has_no_dashes_for_numbers(
    monitor, weeks, sqlite_database, tmp_path
):
    with sqlite_database.begin() as connection:
        series = weeks.key(connection, "apertium", "cs", "f_s")
        signature = weeks.signature(connection)
        point = weeks.point(connection, series, 4, signature, None, reason="too few answers")
    _, shown, _ = monitor("series", "claim", point, "--point", "--output", tmp_path / "c.html")
    page = (tmp_path / "c.html").read_text(encoding="utf-8")
    _, shown, _ = monitor("series", "claim", point, "--point")
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "Value: none (insufficient: too few answers)" in lines
    assert "Bounds: none" in lines
    assert "<dt>Value</dt><dd>none (insufficient: too few answers)</dd>" in page
    assert "–" not in shown


def test_a_zero_has_no_minus(monitor, weeks, sqlite_database, tmp_path):
    run = weeks.run_of[4, "scheduled"]
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        series, other = (
            weeks.series[name, "cs", "f_s", "all"] for name in ("deepl", "google_translate")
        )
        made_of = weeks.compare(
            connection, series, "engines", run, run, signature, -1e-17, other_id=other, half=0.02
        )
        is_it = schema.comparisons.c.id == made_of
        connection.execute(
            sa.update(schema.comparisons).where(is_it).values(before=-0.0, after=-1e-17)
        )
    code, shown, _ = monitor("series", "compare")
    assert code == 0
    assert "[95 %]: 0.000 [−0.020, +0.020]" in " ".join(shown.split())
    assert "−0.000" not in shown
    code, shown, said = monitor("series", "compare", "--quantity", "fs")
    assert (code, shown) == (2, "")
    assert "no quantity 'fs'; did you mean f_s?" in said
    code, _, said = monitor("series", "changes", "--job", "nobody-has-it")
    assert code == 2
    assert "no job 'nobody-has-it'" in said
    code, shown, _ = monitor("series", "compare", "--output", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "[−0.020, +0.020]" in page
    assert "−0.000" not in page


@check_each(
    ("value", "said"),
    [(-2.6e-17, "0.000"), (-0.0, "0.000"), (0.0042, "0.0042"), (-0.08, "-0.080"), (1e-9, "1e-09")],
)
def test_rounding_of_a_zero_is_no_number_of_its_own(value, said):
    assert number(value) == said


def test_a_point_of_a_control_is_never_confirmatory(sqlite_database, tmp_path, monkeypatch, capsys):
    engines = [
        {"name": "deepl", "targets": ["cs"], "daily_budget": 5000},
        {"name": "firefox_translations", "targets": ["cs"], "control": True},
    ]
    weeks = made.Weeks(sqlite_database, n_ticks=1, engines=engines)
    weeks.ticks()
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        found = {}
        for engine, surface in (("deepl", "api"), ("firefox_translations", "local")):
            key = weeks.key(connection, engine, "cs", "f_s", surface=surface)
            found[engine] = weeks.point(connection, key, 0, signature, 0.2)
        weeks.declare(connection, primaries=["f_s"])
    monkeypatch.setenv("MONITOR_DATABASE_URL", f"sqlite:///{tmp_path / 'monitor.db'}")
    with program(tmp_path, monkeypatch, capsys) as command:
        cards = {
            engine: json.loads(command("series", "claim", number, "--point", "--json")[1])
            for engine, number in found.items()
        }
    assert cards["deepl"]["declared"]["confirmatory"] is True
    control = cards["firefox_translations"]["declared"]
    assert control["confirmatory"] is False
    assert control["said"].startswith("exploratory: a control, which is never tested")
