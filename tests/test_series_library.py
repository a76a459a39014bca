"""`monitor.open`: tables with the same columns and types on both databases, and nothing written."""

import doctest
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import monitor
from monitor import archive as tables
from monitor.model import InvalidInput, StoreProblem
from tests.cases import check_each
from tests.factories import rows
from tests.series_scene import Scene, week

PAGE = Path(__file__).parent.parent / "docs" / "series.md"


@pytest.fixture
def scene(database):
    return Scene(database)


def fill(scene):
    """What docs/series.md is about; returns the number of the first series."""
    number = scene.series()
    first, second = scene.done(0), scene.done(1)
    scene.point(number, first)
    scene.point(number, second, 0.75)
    scene.missed(2, "paused by a person")
    scene.point(number, scene.done(3), None)
    last = scene.done(4)
    scene.point(number, last, 0.7)
    scene.point(scene.series(target="pl"), last, None)
    scene.compared(number, first, second)
    scene.changed(number, first, second)
    return number


@pytest.fixture
def filled(scene):
    fill(scene)
    return scene


@pytest.fixture
def archive(scene, database_url):
    with monitor.open(database_url) as opened:
        yield opened


def kinds(table):
    return {name: str(kind) for name, kind in table.dtypes.items()}


def expected(columns):
    return {name: kind for name, kind in columns.items() if name != "due_at"}


# --- types ----------------------------------------------------------------------------------------


def test_the_types_are_those_that_are_documented(scene, archive):
    number = fill(scene)
    table = archive.series("f_s", engine="deepl", target="cs")
    assert kinds(table) == expected(tables.TICKS)
    assert (str(table.index.dtype), table.index.name) == ("datetime64[us, UTC]", "due_at")
    assert kinds(archive.series_list()) == tables.LIST
    assert kinds(archive.comparisons(series_id=number)) == tables.COMPARISONS
    assert kinds(archive.changes(series_id=number)) == tables.CHANGES


def test_they_are_the_same_without_any_row(scene, archive):
    number = scene.series()
    table = archive.series(series_id=number)
    assert len(table) == 0
    assert kinds(table) == expected(tables.TICKS)
    assert str(table.index.dtype) == "datetime64[us, UTC]"
    assert kinds(archive.series_list("nothing")) == tables.LIST
    assert kinds(archive.comparisons("nothing")) == tables.COMPARISONS
    assert kinds(archive.changes(series_id=number)) == tables.CHANGES


def test_they_are_the_same_where_all_is_missing(scene, archive):
    number = scene.series(signature_id=None)
    scene.missed(0)
    scene.point(number, scene.done(1), None, computed_at=week(1), flags=[])
    table = archive.series(series_id=number)
    assert kinds(table) == expected(tables.TICKS)
    [row] = table.to_dict("records")
    assert (row["state"], row["flags"], row["signature"]) == ("insufficient", "", "")
    assert table.value.isna().all()
    assert table.planned.isna().all()
    assert table.computed_at.isna().all()


def test_the_page_documents_every_column():
    page = PAGE.read_text(encoding="utf-8")
    listed = page.split("| column of `series` |")[1].split("\n\n")[0]
    for name, kind in tables.TICKS.items():
        [line] = [one for one in listed.splitlines() if f"`{name}`" in one.split("|")[1]]
        assert f"| `{kind}` |" in line


# --- values ---------------------------------------------------------------------------------------


def test_a_value_is_missing_exactly_where_the_state_says_so(scene, archive):
    fill(scene)
    table = archive.series("f_s", target="cs")
    assert table.state.tolist() == [
        "measured", "measured", "missed", "insufficient", "measured",
    ]  # fmt: skip
    assert (table.value.notna() == (table.state == "measured")).all()
    assert table.value.dropna().tolist() == [0.5, 0.75, 0.7]
    assert table.used.tolist()[:2] == [30, 30]
    assert table.index[0].to_pydatetime() == week(0)


def test_a_stretch_of_time_in_any_spelling(scene, archive):
    fill(scene)

    def days(since, until):
        return len(archive.series("f_s", target="cs", since=since, until=until))

    assert days("2025-01-13", "2025-01-20") == 2
    assert days(date(2025, 1, 13), date(2025, 1, 20)) == 2
    assert days(week(1), week(2)) == 2
    assert days(datetime(2025, 1, 13, 6), None) == 3  # noqa: DTZ001 - taken for UTC
    assert days(None, datetime(2025, 1, 13, 4, tzinfo=UTC)) == 1
    with pytest.raises(InvalidInput, match="since 'last week': write"):
        days("last week", None)


def test_another_signature(scene, archive):
    number = fill(scene)
    other = scene.another_signature()
    run = rows(scene.database, "SELECT id FROM runs ORDER BY id")[0]["id"]
    scene.point(number, run, 0.1, signature_id=other, is_current=False)
    [hash_] = archive.query("SELECT hash FROM signatures ORDER BY id DESC LIMIT 1").hash
    table = archive.series(series_id=number, signature=hash_[:9])
    assert table.value.dropna().tolist() == [0.1]
    assert table.attrs["signature"] == hash_
    with pytest.raises(InvalidInput, match="no signature begins with 'zz'"):
        archive.series(series_id=number, signature="zz")


def test_filters_and_their_mistakes(scene, archive):
    fill(scene)
    part = scene.series(scope="stereotype:1", quantity="p_i")
    assert archive.series_list().series_id.tolist() == [1, 2]
    assert part in archive.series_list(scopes=True).series_id.tolist()
    assert archive.series_list(scope="stereotype:1").series_id.tolist() == [part]
    with pytest.raises(InvalidInput, match="no filter 'motor'; known: engine, target"):
        archive.series("f_s", motor="deepl")
    with pytest.raises(InvalidInput, match="no series 99"):
        archive.series(series_id=99)
    with pytest.raises(InvalidInput, match="no series 99"):
        archive.comparisons(series_id=99)
    with pytest.raises(InvalidInput, match="series_id '1; drop': write a whole number"):
        archive.series(series_id="1; drop")
    with pytest.raises(InvalidInput, match="since 0: write"):
        archive.series(series_id=1, since=0)
    with pytest.raises(InvalidInput, match="contrast 'leap'; known: step"):
        archive.comparisons(contrast="leap")


# --- queries --------------------------------------------------------------------------------------


def test_a_query_has_types_by_what_it_found(scene, archive):
    fill(scene)
    sql = """
        SELECT due_at, run_id, value, state, 0.5 AS half, SUM(used) OVER () AS used_all,
            NULL AS lacking, '10%' AS percent, due_at >= :since AS is_later
        FROM series_points WHERE target = :target ORDER BY due_at
    """
    table = archive.query(sql, {"target": "cs", "since": week(3)})
    assert kinds(table) == {
        "due_at": "datetime64[us, UTC]", "run_id": "Int64", "value": "float64", "state": "str",
        "half": "float64", "used_all": "Int64", "lacking": "object", "percent": "str",
        "is_later": "boolean",
    }  # fmt: skip
    assert table.is_later.tolist() == [False, False, False, True, True]
    assert table.due_at.iloc[0].to_pydatetime() == week(0)
    assert table.percent.iloc[0] == "10%"
    empty = archive.query("SELECT due_at, state FROM series_points WHERE target = 'xx'")
    assert (list(empty), len(empty)) == (["due_at", "state"], 0)
    assert str(empty.due_at.dtype) == "datetime64[us, UTC]"


@check_each(
    "sql",
    [
        "DELETE FROM points",
        "UPDATE points SET value = 0",
        "INSERT INTO scopes VALUES ('a', 'b', 'c')",
        "DROP VIEW series",
        "CREATE TABLE mine (x INTEGER)",
        "CREATE TABLE mine AS SELECT 1",
        "WITH one AS (SELECT 1) DELETE FROM points",
        "SELECT 1; DELETE FROM points",
        "COMMIT; DELETE FROM points",
        "COMMIT",
        "PRAGMA query_only = OFF",
        "ATTACH DATABASE 'another.db' AS another",
        "SET default_transaction_read_only = off",
        "COPY points TO '/tmp/points.csv'",
        "VACUUM",
        "SELECT * FROM people.people_lookups",
        "SELECT entity FROM scopes, (SELECT entity FROM people.people_entities) AS them",
        "SELECT nothing FROM nowhere",
        "SELECT :unknown",
        "",
    ],
)  # fmt: skip
def test_a_query_can_only_read(filled, archive, sql):
    before = rows(filled.database, "SELECT COUNT(*) AS n, SUM(value) AS total FROM points")
    with pytest.raises(InvalidInput):
        archive.query(sql)
    assert rows(filled.database, "SELECT COUNT(*) AS n, SUM(value) AS total FROM points") == before
    assert rows(filled.database, "SELECT COUNT(*) AS n FROM scopes") == [{"n": 0}]
    assert len(archive.query("SELECT * FROM series")) == 2


def test_a_naive_time_is_refused(archive, dialect):
    if dialect == "sqlite":  # PostgreSQL knows what its own zone is
        with pytest.raises(InvalidInput, match="naive time"):
            archive.query("SELECT :at AS x", {"at": datetime(2025, 1, 6)})  # noqa: DTZ001


# --- opening --------------------------------------------------------------------------------------


def test_the_database_of_the_settings_is_opened(sqlite_database, tmp_path, monkeypatch):
    monkeypatch.setenv("MONITOR_DATABASE_URL", f"sqlite:///{tmp_path / 'monitor.db'}")
    with monitor.open() as opened:
        assert len(opened.series_list()) == 0
        assert str(tmp_path) in repr(opened)


def test_a_database_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(StoreProblem, match="no monitor database here yet"):
        monitor.open(f"sqlite:///{tmp_path / 'none.db'}")
    assert not (tmp_path / "none.db").exists()


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'close'"):
        monitor.close  # noqa: B018


# --- the page -------------------------------------------------------------------------------------


def test_the_examples_of_the_page_give_what_they_say(scene, database_url):
    fill(scene)
    content = PAGE.read_text(encoding="utf-8").replace("```", "")
    names = {"url": database_url}
    parsed = doctest.DocTestParser().get_doctest(content, names, PAGE.name, str(PAGE), 0)
    assert len(parsed.examples) > 12
    said = []
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(parsed, out=said.append)
    assert runner.failures == 0, "".join(said)
