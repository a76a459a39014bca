"""`monitor label`: blind sheets out, filled sheets in, agreement, and what waits for people."""

import csv
import json
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from monitor import cli
from monitor.labels.resolve import Resolution
from monitor.labels.sheets import blind_key
from monitor.labels.shown_entities import ShownEntity
from monitor.model import InvalidInput, LabelState
from monitor.store.derive import people

NOW = datetime(2026, 1, 5, 5, tzinfo=UTC)
PEOPLE = [
    (
        ShownEntity(
            "kg:/m/0ada", "Ada Lovelace", (), "https://www.google.com/?q=Ada", "a countess"
        ),
        Resolution("kg:/m/0ada", LabelState.LABELLED, "women", qid="Q7259", method="P646"),
    ),
    (
        ShownEntity(
            "name:=bob|", "=HYPERLINK(1)", (), "https://www.bing.com/?q=Bob", "a policeman"
        ),
        Resolution("name:=bob|", LabelState.UNRESOLVED, reason="no occupation to check by"),
    ),
    (
        ShownEntity("wiki:en:Zoe", "Zoë"),
        Resolution("wiki:en:Zoe", LabelState.CONFLICT, "", "records Q1 and Q2 at once", "Q9"),
    ),
    (
        ShownEntity("wd:Q215380", "The Band"),
        Resolution("wd:Q215380", LabelState.NOT_HUMAN, "", "Wikidata records a band", "Q215380"),
    ),
]
ADA, BOB, ZOE, BAND = (blind_key(shown.entity) for shown, _ in PEOPLE)


@pytest.fixture
def home(sqlite_database, tmp_path, monkeypatch):
    """A database of four entities, as the command finds it."""
    monkeypatch.setenv("MONITOR_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with sqlite_database.begin() as connection:
        people.store_resolutions(connection, PEOPLE, NOW)
        people.publish_labels(connection, [shown.entity for shown, _ in PEOPLE], NOW)
    return tmp_path


def run(*arguments):
    result = CliRunner().invoke(cli.app, ["label", *map(str, arguments)], catch_exceptions=True)
    if isinstance(result.exception, InvalidInput):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def exported(path, *options, rater="ab"):
    run("export", path, "--rater", rater, *options)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path, *given, header="key,group,comment"):
    path.write_text("\n".join([header, *given]) + "\n", encoding="utf-8")
    return path


def states(database):
    with database.read() as connection:
        return {e: (s.state, s.group) for e, s in people.settle_labels(connection).items()}


def rated(home, rater, *given):
    run("import", write(home / f"{rater}.csv", *given), "--rater", rater)


# --- export -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "keys"),
    [("unresolved", {BOB}), ("conflict", {ZOE}), ("all", {ADA, BOB, ZOE, BAND})],
)
def test_a_sheet_holds_those_who_were_asked_for(home, state, keys):
    assert {row["key"] for row in exported(home / "s.csv", "--state", state)} == keys


def test_a_sheet_shows_neither_engine_nor_labels(home):
    exported(home / "s.csv", "--state", "all")
    text = (home / "s.csv").read_text("utf-8")
    for secret in ("google", "bing", "/m/", "women", "policeman", "conflict", "Q1 and", "rank"):
        assert secret not in text
    assert "https://en.wikipedia.org/wiki/Zoe" in text
    assert "Special:GoToLinkedPage/enwiki/Q7259" in text


def test_no_cell_runs_as_a_formula(home):
    [row] = exported(home / "s.csv")
    assert row["name"] == "'=HYPERLINK(1)"
    assert row["annotation"] == "a [...]"


def test_the_order_is_the_raters_own(home):
    first = exported(home / "1.csv", "--state", "all")
    assert exported(home / "2.csv", "--state", "all") == first
    orders = {
        tuple(row["key"] for row in exported(home / f"r{n}.csv", "--state", "all", rater=f"r{n}"))
        for n in range(8)
    }
    assert len(orders) > 1


def test_a_sample(home):
    assert len(exported(home / "s.csv", "--state", "all", "--sample", 2)) == 2


def test_a_sheet_is_never_written_over(home):
    path = write(home / "s.csv", f"{BOB},men,")
    with pytest.raises(InvalidInput, match="is there already"):
        run("export", path, "--rater", "ab")
    assert "men" in path.read_text()


# --- import -------------------------------------------------------------------------------------


def test_a_filled_sheet_settles_labels(home, sqlite_database):
    rows = exported(home / "s.csv", "--state", "all")
    with (home / "s.csv").open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        for row in rows:
            said = {BOB: "Men", ZOE: "unknown", BAND: "", ADA: ""}[row["key"]]
            writer.writerow(row | {"group": said, "comment": "'=seen" if said else ""})
    result = run("import", home / "s.csv", "--rater", "ab")
    assert "2 ratings by ab; 2 labels changed" in result.stderr
    assert states(sqlite_database) == {
        "kg:/m/0ada": ("labelled", "women"),
        "name:=bob|": ("labelled", "men"),
        "wiki:en:Zoe": ("unresolved", ""),
        "wd:Q215380": ("not_human", ""),
    }
    with sqlite_database.read() as connection:
        [rating] = people.read_ratings(connection)["name:=bob|"]
    assert (rating.by, rating.comment) == ("ab", "=seen")
    assert rating.at > NOW


def test_semicolons_of_a_spreadsheet_program(home, sqlite_database):
    path = write(home / "s.csv", f"{BOB};men;", header="key;group;comment")
    run("import", path, "--rater", "ab")
    assert states(sqlite_database)["name:=bob|"] == ("labelled", "men")


def test_a_group_of_ones_own(home, sqlite_database):
    path = write(home / "s.csv", f"{BOB},elders,")
    with pytest.raises(InvalidInput, match="needs --group"):
        run("import", path, "--rater", "ab")
    run("import", path, "--rater", "ab", "--group", "elders")
    assert states(sqlite_database)["name:=bob|"] == ("labelled", "elders")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([f"{BOB},men,", f"{ZOE},womn,"], r"s\.csv:3: group 'womn'; write one of women"),
        ([f"{BOB},men,", "zzz,men,"], r"s\.csv:3: key 'zzz' is no entity of this database"),
        ([f"{BOB},men,", f"{BOB},women,"], r"s\.csv:3: key '.*' stands in line 2 already"),
        ([f"{BOB},men,a,b"], r"s\.csv:2: has 4 columns, the header 3"),
        ([f'{BOB},men,"a'], "not a CSV file"),
    ],
)
def test_a_wrong_row_keeps_the_whole_sheet_out(home, sqlite_database, given, words):
    before = states(sqlite_database)
    with pytest.raises(InvalidInput, match=words):
        run("import", write(home / "s.csv", *given), "--rater", "ab")
    assert states(sqlite_database) == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", r"s\.csv:1: no column group"),
        (b"key,name\n", r"s\.csv:1: no column group; keep the header"),
        (b"key,group\n\xff\xfe,men\n", "not UTF-8"),
        (b"key,group\n" + b"x" * 200_000 + b",men\n", "a cell of more than 131,072 characters"),
    ],
)
def test_a_file_that_is_no_sheet_is_named(home, content, words):
    (home / "s.csv").write_bytes(content)
    with pytest.raises(InvalidInput, match=words):
        run("import", home / "s.csv", "--rater", "ab")


def test_a_file_that_is_not_there(home):
    with pytest.raises(InvalidInput, match="no such file"):
        run("import", home / "nothing.csv", "--rater", "ab")
    with pytest.raises(InvalidInput, match="is a folder"):
        run("import", home, "--rater", "ab")
    with pytest.raises(InvalidInput, match="--rater"):
        run("import", home / "nothing.csv", "--rater", "A B")


# --- agreement and queue ------------------------------------------------------------------------


def test_agreement_of_two_raters(home):
    rated(home, "ab", f"{ADA},women,", f"{BOB},men,", f"{ZOE},women,", f"{BAND},not_human,")
    with pytest.raises(InvalidInput, match="agreement needs two raters; here 1 rated"):
        run("agreement")
    rated(home, "cd", f"{ADA},women,", f"{BOB},men,", f"{ZOE},men,")
    found = json.loads(run("agreement", "--json").stdout)
    [pair] = found["pairs"]
    assert (pair["n"], pair["agreement"]) == (3, pytest.approx(2 / 3))
    # by chance 2/3 * 1/3 + 1/3 * 2/3 = 4/9; (6/9 - 4/9) / (5/9)
    assert pair["kappa"] == pytest.approx(0.4)
    [one] = found["disagreements"]
    assert (one["entity"], one["groups"]) == ("wiki:en:Zoe", {"ab": "women", "cd": "men"})
    printed = run("agreement").stdout
    assert "0.400" in printed
    assert "ab: women, cd: men" in printed


def test_raters_can_change_their_mind(home, sqlite_database):
    rated(home, "ab", f"{ZOE},women,")
    rated(home, "cd", f"{ZOE},men,")
    assert states(sqlite_database)["wiki:en:Zoe"][0] is LabelState.CONFLICT
    rated(home, "cd", f"{ZOE},women,after a look at the article")
    assert states(sqlite_database)["wiki:en:Zoe"] == (LabelState.LABELLED, "women")
    found = json.loads(run("agreement", "--json").stdout)
    assert found["disagreements"] == []
    assert (found["pairs"][0]["agreement"], found["n_changed"]) == (0.0, 1)
    assert "1 rating changed since" in run("agreement").stdout


def test_the_queue_holds_what_contradicts_itself(home):
    [one] = json.loads(run("queue", "--json").stdout)
    assert one == {
        "entity": "wiki:en:Zoe",
        "name": "Zoë",
        "item": "Q9",
        "source": "wikidata",
        "reason": "records Q1 and Q2 at once",
    }
    rated(home, "ab", f"{ZOE},women,", f"{BOB},men,")
    rated(home, "cd", f"{BOB},women,")
    result = run("queue")
    assert "=HYPERLINK(1)" in result.stdout
    assert "2 raters say men and women" in result.stdout
    assert "Zoë" not in result.stdout
    assert "1 wait for a decision; 0 more are unresolved" in result.stderr
