"""`monitor erase`: it asks, says what goes, and what runs lose."""

import json

import pytest
import typer

from monitor import settings
from tests.command import program
from tests.factories import rows
from tests.kept import kept_database, kept_folder, kept_postgres  # noqa: F401 - fixtures

NAME, ENTITY = "Judit Example", "kg:/m/0abc1"
WHY = ("--reason", "request 17")


@pytest.fixture
def audited(kept_database):  # noqa: F811
    return kept_database


@pytest.fixture
def monitor(audited, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_ADDRESS_KEY", "a long random text")
    settings.load.cache_clear()
    with program(tmp_path, monkeypatch, capsys) as run:
        yield run


def left(database):
    return rows(database, "SELECT count(*) AS n FROM items WHERE title = :name", name=NAME)[0]["n"]


def test_a_dry_run_says_what_would_go(monitor, audited):
    code, _, err = monitor("erase", NAME, *WHY, "--dry-run")
    assert code == 0
    assert "1 results of pages, their texts and addresses would go" in err
    said = json.loads(monitor("erase", NAME, *WHY, "--dry-run", "--json")[1])
    assert said["dry_run"] is True
    assert said["counts"]["items"] == left(audited) == 1
    assert rows(audited, "SELECT * FROM erasures") == []


@pytest.mark.parametrize(("answer", "remaining"), [(True, 0), (False, 1)])
def test_it_asks_first(monitor, audited, monkeypatch, answer, remaining):
    asked = []
    monkeypatch.setattr(typer, "confirm", lambda text, **_: asked.append(text) or answer)
    code, _, err = monitor("erase", ENTITY, *WHY)
    assert asked == ["Erase this for ever?"]
    assert code == (0 if answer else 2)
    assert "would go" in err
    assert left(audited) == remaining


def test_it_says_which_runs_lose_inputs(monitor, audited):
    code, out, _ = monitor("erase", ENTITY, *WHY, "--yes", "--no-vacuum")
    assert code == 0
    assert "Runs that lose inputs: 1." in out
    assert "2 answers, pages and screenshots went" in out
    assert left(audited) == 0
    code, out, err = monitor("evidence", "verify")
    assert (code, err) == (0, "")
    assert out.endswith("; 3 were removed\n")
    out = monitor("evidence", "show", "1", "list-of-chess-players")[1]
    assert "(erased)" in out
    assert NAME not in out


def test_an_address_as_json(monitor, audited):
    code, out, _ = monitor("erase", "https://lists.test/*", *WHY, "--yes", "--json")
    assert code == 0
    done = json.loads(out)
    assert (done["kind"], done["runs"], done["remains"]) == ("url", [1], {})
    assert "lists.test" not in out
    assert rows(audited, "SELECT * FROM items WHERE url LIKE '%lists.test%'") == []


def test_lists_of_ones_own_are_named(monitor):
    code, _, err = monitor("erase", "list of nurses", *WHY, "--yes")
    assert code == 0
    assert "probes.text: 1 row still holds the name or address" in err


def test_without_a_key_nothing_is_erased(monitor, audited, monkeypatch):
    monkeypatch.delenv("MONITOR_ADDRESS_KEY")
    settings.load.cache_clear()
    code, _, err = monitor("erase", ENTITY, *WHY, "--yes")
    assert code == 2
    assert "MONITOR_ADDRESS_KEY is not set" in err
    assert left(audited) == 1
