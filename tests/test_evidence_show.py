"""`monitor evidence show`: everything that is kept of one question, for people and as files."""

import hashlib
import json

import pytest

from monitor.store.publish import run_exchanges
from tests import kept
from tests.command import program
from tests.factories import rows

CHESS = "list-of-chess-players"


@pytest.fixture
def audited(sqlite_database, tmp_path, monkeypatch):
    """A database with a run; commands open it as their own."""
    _, run = kept.kept_run(sqlite_database, tmp_path, monkeypatch)
    assert run.id == 1
    return sqlite_database


@pytest.fixture
def monitor(audited, tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def as_json(monitor, *arguments):
    code, out, err = monitor("evidence", "show", *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def test_a_question_of_a_run(monitor):
    google, brave = as_json(monitor, 1, CHESS)
    assert [one["engine"] for one in (google, brave)] == ["google_web", "brave"]
    assert (google["question"], google["region"], google["run"]) == (
        "list of chess players", "us-en", 1,
    )  # fmt: skip
    assert google["list_items"] == [
        {"list": "people@1", "key": CHESS, "tags": google["list_items"][0]["tags"]}
    ]
    exchange = google["exchange"]
    assert (exchange["outcome"], exchange["status"], exchange["url"]) == ("ok", 200, kept.URL)
    assert exchange["observed"] == dict(kept.OBSERVED)
    assert exchange["agent"] == {"browser": "chromium 156"}
    assert exchange["headers"][0] == ["Content-Type", "text/html; charset=UTF-8"]
    assert exchange["body"]["sha256"] == hashlib.sha256(kept.LARGE).hexdigest()
    assert exchange["body"]["place"].endswith(f"{exchange['body']['sha256']}.zst")
    assert exchange["screenshot"]["sha256"] == hashlib.sha256(kept.PNG).hexdigest()
    assert "secret:BRAVE_API_KEY" in json.dumps(brave["exchange"]["request"])


def test_the_reading_with_the_recorded_groups(monitor):
    google = as_json(monitor, 1, CHESS)[0]
    reading = google["reading"]
    assert (reading["parser"], reading["outcome"]) == ("google_web@3", "ok")
    tiles = [item for item in reading["items"] if item["block"] == "carousel"]
    assert [(one["rank"], one["title"], one["label"]) for one in tiles] == [
        (
            1,
            "Judit Example",
            {
                "state": "labelled",
                "group": "women",
                "source": "wikidata",
                "as_of": "2025-01-07 00:00:00+00:00",
            },
        ),
        (
            2,
            "Magnus Example",
            {"state": "unresolved", "group": "", "source": "", "as_of": None},
        ),
    ]


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_nothing_of_what_was_looked_up_about_people_is_shown(monitor, arguments):
    out = monitor("evidence", "show", 1, CHESS, *arguments)[1]
    for raw in ("Q4711", "Q6581072", kept.SECRET_OF_LOOKUP, kept.KEY):
        assert raw not in out


def test_the_ways_to_name_a_question(monitor, audited):
    expected = as_json(monitor, 1, CHESS)
    [probe] = rows(audited, "SELECT key FROM probes WHERE text = 'list of chess players'")
    for name in ("list of chess players", "List of Chess players", probe["key"], probe["key"][:8]):
        assert as_json(monitor, 1, name) == expected


def test_for_people(monitor):
    code, out, _ = monitor("evidence", "show", 1, CHESS)
    assert code == 0
    for words in (
        "'list of chess players' (en), google_web, us-en",
        "run 1 of mini, due 2025-01-06 05:00:00 UTC",
        "exchange 1: ok, HTTP 200",
        "observed: consent=reject, lang=en, viewport=1366x900",
        hashlib.sha256(kept.PNG).hexdigest(),
        "read by google_web@3: ok: layout: desktop-2022",
        "1  Judit Example  /m/0abc1",
        "[recorded as women in wikidata on 2025-01-07]",
        "[unresolved: no recorded group]",
    ):
        assert words in out


def test_blocked_and_failed_ones_say_why(monitor):
    out = monitor("evidence", "show", 1, "list-of-judges")[1]
    assert "exchange 3: blocked: captcha, HTTP 429: google_sorry, HTTP 429" in out
    assert "failed: unreachable, no connection" in out
    assert "not asked yet" in out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("7", CHESS), 2, "no run 7"),
        (("1", "list-of-nobody"), 2, "has no question 'list-of-nobody'"),
        (("1", "fffffff0"), 2, "has no question 'fffffff0'"),
        (("4711",), 2, "no attempt 4711"),
    ],
)
def test_what_is_not_there_is_named(monitor, arguments, code, words):
    found, out, err = monitor("evidence", "show", *arguments)
    assert (found, out) == (code, "")
    assert words in err


def test_the_beginning_of_a_key_that_fits_several_is_refused(database, tmp_path, monkeypatch):
    import sqlalchemy as sa

    kept.kept_run(database, tmp_path, monkeypatch)
    with database.begin() as connection:
        connection.execute(sa.text("UPDATE probes SET key = 'abcd' || substr(key, 5)"))
    with (
        database.read() as connection,
        pytest.raises(run_exchanges.InvalidInput, match="fits 3 questions of run 1"),
    ):
        run_exchanges.find_probes(connection, 1, "abcd")


def test_an_attempt_is_shown_as_ever(monitor):
    found = json.loads(monitor("evidence", "show", "1")[1])
    assert (found["probe"], found["outcome"]) == ("list of chess players", "ok")
    assert "Judit Example" in found["body"]


def test_hostile_text_does_not_command_the_terminal(monitor, audited):
    import sqlalchemy as sa

    hostile = "\x1b[2J\x9b31m\x07 \u202egnorw\u2066\r\nfaked line [bold]"
    with audited.begin() as connection:
        connection.execute(sa.text("UPDATE items SET title = :t"), {"t": hostile})
        connection.execute(sa.text("UPDATE exchanges SET detail = :t, url = :t"), {"t": hostile})
    for arguments in ((1, CHESS), (1, CHESS, "--json"), ("1",)):
        out = monitor("evidence", "show", *arguments)[1]
        assert "faked line [bold]" in out
        assert not set("\x1b\x9b\x07\u202e\u2066\r") & set(out)
        assert not [line for line in out.splitlines() if line.startswith("faked")]


def test_saved_as_files(monitor, tmp_path):
    code, out, err = monitor("evidence", "show", 1, CHESS, "--save", "shown")
    assert code == 0
    assert "in shown" in err
    assert "Judit Example" in out
    folder = tmp_path / "shown"
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "README.txt", "SHA256SUMS", "attempt-1.about.json", "attempt-1.html.txt", "attempt-1.png",
        "attempt-4.about.json", "attempt-4.json",
    }  # fmt: skip
    assert (folder / "attempt-1.html.txt").read_bytes() == kept.LARGE
    assert (folder / "attempt-1.png").read_bytes() == kept.PNG
    assert not list(folder.glob("*.html"))
    readme = (folder / "README.txt").read_text()
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        assert line in readme
    everything = b"".join(path.read_bytes() for path in folder.iterdir())
    for secret in (kept.KEY, kept.SECRET_OF_LOOKUP, "Q4711"):
        assert secret.encode() not in everything


def test_a_picture_that_is_none_is_not_called_one(monitor, tmp_path):
    assert monitor("evidence", "show", 1, "list-of-judges", "--save", "shown")[0] == 0
    [shot] = (tmp_path / "shown").glob("*.screenshot.txt")
    assert shot.read_bytes() == b"no picture"
    assert not list((tmp_path / "shown").glob("*.png"))


def test_files_are_never_written_over(monitor, tmp_path):
    assert monitor("evidence", "show", 1, "--save", "shown")[0] == 0
    assert (tmp_path / "shown" / "attempt-1.png").exists()
    code, _, err = monitor("evidence", "show", 1, CHESS, "--save", "shown")
    assert code == 2
    assert "is not empty" in err


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"], indirect=True)
def test_both_databases_show_the_same(database, tmp_path, monkeypatch):
    kept.kept_run(database, tmp_path, monkeypatch)
    with database.read() as connection:
        chosen = run_exchanges.find_probes(connection, 1, CHESS)
        first = run_exchanges.find_attempts(connection, 1, chosen)[0]
        found = run_exchanges.read_evidence(connection, database, first)
        assert run_exchanges.read_evidence(connection, database, 4711) is None
    assert found["exchange"]["asked_at"] == kept.DUE
    assert found["reading"]["items"][0]["title"] == "Chess player - Wikipedia"
    tile = next(item for item in found["reading"]["items"] if item["block"] == "carousel")
    assert tile["label"]["group"] == "women"
