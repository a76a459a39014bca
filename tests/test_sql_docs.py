"""The data dictionary is whole, and every worked question has the same answer on both databases."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal

import pandas as pd
import pytest
import sqlalchemy as sa

from monitor import docs
from monitor.store import migrations
from monitor.store.access import reader_role
from monitor.store.database import connect
from monitor.store.publish import data_dictionary
from monitor.store.schema import metadata, switches
from tests.cases import check_each
from tests.columns import holds
from tests.demo import demo, demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.factories import rows
from tests.report.weeks import insert, small

QUESTIONS = {one.name: one for one in data_dictionary.read_questions()}
VIEWS = data_dictionary.read_views()
#: The archive has no corpora; what is asked of them is tested in tests/test_corpus_run.py.
ANSWERED = [name for name in QUESTIONS if name not in ("corpora-read", "words-in-texts")]


def plain(value):
    """A value that is the same on both databases."""
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    if isinstance(value, float):
        return pytest.approx(value, rel=1e-9, abs=1e-12)
    return value


@pytest.fixture
def both(demo_folder, demo_postgres):  # noqa: F811 - fixtures
    """The archive on SQLite and on PostgreSQL."""
    file = connect(f"sqlite:///{demo_folder / 'monitor.db'}", demo_folder / "bodies")
    server = connect(demo_postgres, demo_folder / "bodies")
    yield file, server
    file.close()
    server.close()


# --- the dictionary -------------------------------------------------------------------------------


def test_every_column_of_every_view_has_a_meaning(sqlite_database):
    found = sa.inspect(sqlite_database.reader)
    assert list(VIEWS) == list(migrations.read_view_files())
    for name, view in VIEWS.items():
        assert [one.name for one in view.columns] == [c["name"] for c in found.get_columns(name)]
        for column in view.columns:
            assert column.type in data_dictionary.TYPES, (name, column.name)
            assert column.meaning, (name, column.name)
            assert not column.meaning.endswith("."), (name, column.name)


def test_nothing_in_the_dictionary_is_about_a_column_that_is_not_there():
    table = data_dictionary._read_table("columns.toml")
    used = {(name, c.name) for name, view in VIEWS.items() for c in view.columns}
    assert set(table["views"]) <= set(VIEWS)
    own = {(name, column) for name, columns in table["views"].items() for column in columns}
    assert own <= used
    shared = {column for view, column in used - own}
    assert set(table["columns"]) == shared


def test_a_column_without_a_meaning_is_an_error(monkeypatch):
    sql = "-- x: a view. Grain: one row per x.\n-- Columns: job, unheard_of.\nSELECT 1"
    monkeypatch.setattr(data_dictionary, "read_view_files", lambda: {"x": sql})
    data_dictionary.read_views.cache_clear()
    with pytest.raises(ValueError, match=r"view x: \['unheard_of'\] fit no column"):
        data_dictionary.read_views()
    data_dictionary.read_views.cache_clear()


#: What the archive has none of.
ELSEWHERE = ("series_switches", "audits", "corpora_current", "corpus_texts", "overviews")


@check_each("name", [name for name in VIEWS if name not in ELSEWHERE])
def test_columns_hold_what_the_dictionary_says(demo, name):  # noqa: F811
    """Types and NULL as declared, over an archive that has nearly everything."""
    holds(demo, name)


def test_a_switch_names_both_signatures(database):
    weeks = small(database)
    series = weeks.series["deepl", "cs", "f_s", "all"]
    with database.begin() as connection:
        old, new = weeks.signature(connection), weeks.signature(connection, language_version=5)
        for before, after in ((None, old), (old, new)):
            insert(
                connection, switches, series_id=series, from_id=before, to_id=after,
                switched_at=weeks.last,
            )  # fmt: skip
    found = rows(database, "SELECT * FROM series_switches")
    hashes = {row["id"]: row["hash"] for row in rows(database, "SELECT id, hash FROM signatures")}
    assert {(row["from_signature"], row["to_signature"]) for row in found} == {
        (None, hashes[old]), (hashes[old], hashes[new]),
    }  # fmt: skip
    assert {(row["engine"], row["quantity"]) for row in found} == {("deepl", "f_s")}


def test_comparisons_and_changes_in_force_alone_are_shown(database):
    weeks = small(database)
    series = weeks.series["deepl", "cs", "f_s", "all"]
    other = weeks.series["google_translate", "cs", "f_s", "all"]
    before, after = (weeks.run_of[n, "scheduled"] for n in (3, 4))
    with database.begin() as connection:
        signature = weeks.signature(connection)
        weeks.compare(connection, series, "step", before, after, signature, 0.1, is_current=False)
        step = weeks.compare(connection, series, "step", before, after, signature, 0.05)
        again = weeks.compare(connection, series, "confirm", before, after, signature, 0.04)
        weeks.compare(connection, series, "engines", after, after, signature, None, other_id=other)
        pair = (connection, series, "days", after, after, signature)
        weeks.compare(*pair, 0.03, n=10, changed=1)
        weeks.compare(*pair, -0.01, n=30, changed=2)
        weeks.compare(*pair, None)
        weeks.change(connection, series, before, after, is_current=False)
        weeks.change(connection, series, before, after, comparison_id=step, confirm_id=again)
    found = rows(database, "SELECT * FROM comparisons_current WHERE contrast = 'step'")
    assert [(row["delta"], row["before_run_id"]) for row in found] == [(0.05, before)]
    [beside] = rows(database, "SELECT * FROM comparisons_current WHERE contrast = 'engines'")
    assert (beside["other_engine"], beside["delta"]) == ("google_translate", None)
    [change] = rows(database, "SELECT * FROM changes_current")
    assert (change["confirm_effect"], change["status"]) == (0.04, "confirmed")
    [noise] = rows(database, "SELECT * FROM noise")
    assert (noise["n_pairs"], noise["n"], noise["changed"], noise["largest"]) == (2, 40, 3, 0.03)
    assert noise["mean_delta"] == pytest.approx(0.01)
    assert noise["mean_square"] == pytest.approx((0.03**2 + 0.01**2) / 2)


# --- the questions --------------------------------------------------------------------------------


def test_there_are_enough_questions_and_each_is_in_words():
    assert len(QUESTIONS) >= 20
    assert len(QUESTIONS) == len(data_dictionary.read_questions())
    for one in QUESTIONS.values():
        assert one.question.endswith("?")
        assert re.fullmatch(r"[a-z-]+", one.name)
        assert one.answer.endswith(".")
        assert "%(" not in one.sql
    # Datasette shows a query in the place of a view or table of the same name
    assert not set(QUESTIONS) & {*VIEWS, *metadata.tables}


def test_the_page_shows_every_question_and_every_view():
    page = (docs.ROOT / "docs" / "sql.md").read_text(encoding="utf-8")
    for one in QUESTIONS.values():
        assert f"```sql\n{one.sql}\n```" in page, one.name
    for name in VIEWS:
        assert f"### `{name}`\n" in page


@check_each("name", ANSWERED)
def test_a_question_has_the_same_answer_on_both_databases(both, name):
    file, server = (reader_role.run_query(one, QUESTIONS[name].sql, {}) for one in both)
    assert file[0] == server[0]
    assert file[1], "no rows: the question shows nothing"
    assert len(file[1]) == len(server[1])
    for mine, other in zip(file[1], server[1], strict=True):
        assert [plain(one) for one in mine] == [plain(one) for one in other]


@check_each("name", ANSWERED)
def test_a_question_runs_as_it_stands_in_a_file_opened_read_only(demo_folder, name):  # noqa: F811
    address = f"{(demo_folder / 'monitor.db').as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        assert connection.execute(QUESTIONS[name].sql).fetchone()


def test_the_answers_are_the_right_ones(both):
    """By hand: what is known of the archive because of how it was made."""
    file = both[0]

    def of(name):
        columns, found = reader_role.run_query(file, QUESTIONS[name].sql, {})
        return [dict(zip(columns, row, strict=True)) for row in found]

    [missed] = of("missed-ticks")
    assert (missed["job"], missed["state"], missed["due_at"][:10]) == (
        "mt-weekly", "missed", "2025-01-13",
    )  # fmt: skip
    gaps = [(row["state"], row["value"]) for row in of("development") if row["state"] != "measured"]
    assert sorted(gaps) == [("insufficient", None)] + 3 * [("missed", None)]
    assert {row["engine"] for row in of("what-changed")} == {
        "libretranslate(base_url=http://two.test)"
    }
    assert {row["changed"] for row in of("control")} == {0}
    load = {(row["due_at"][:10], row["engine"]): row["requests"] for row in of("load")}
    one = "libretranslate(base_url=http://one.test)"
    assert load["2025-01-06", one] == 128 + 24
    assert load["2025-01-20", one] == (128 + 24) * 2  # the tick and its noise run
    assert load["2025-02-03", one] == 31  # the last one was blocked
    pronouns = {row["occupation"]: row["pronoun"] for row in of("pronouns-by-occupation")}
    assert pronouns == {"nurse": "she", "carpenter": "he", "lawyer": "he", "teacher": "they"}
    groups = {(row["state"], row["grouping"]) for row in of("people-labelled")}
    assert ("unresolved", "") in groups
    assert ("labelled", "women") in groups
    for row in of("stereotype-gap"):
        assert row["gap"] == pytest.approx(row["men"] - row["women"])


def test_flips_compare_answers_in_one_language():
    """An engine translates to several languages: answers in one say nothing of another."""
    classes = {
        "cs": ("feminine", "masculine"),
        "de": ("masculine", "feminine"),
        "fr": ("both",) * 2,
    }
    of_both = {"engine": "one", "surface": "api", "source_lang": "en"}
    step = {**of_both, "list": "gest", "contrast": "step", "quantity": "f_s", "scope": "all",
            "changed": 1, "before_run_id": 1, "after_run_id": 2}  # fmt: skip
    answer = {**of_both, "list": "gest@1", "item_key": "k", "probe": "I was there", "repeat": 0,
              "attempt_id": 1, "final": True, "item_rank": 1, "cue": "agreement"}  # fmt: skip
    steps = [{**step, "target": target} for target in classes]
    answers = [
        {**answer, "target": target, "run_id": run, "class": name}
        for target, of_runs in classes.items()
        for run, name in enumerate(of_runs, 1)
    ]
    with closing(sqlite3.connect(":memory:")) as connection:
        for name, held in (("comparisons_current", steps), ("answers", answers)):
            pd.DataFrame(held).to_sql(name, connection)
        found = connection.execute(QUESTIONS["flips"].sql).fetchall()
    assert [(row[2], *row[6:8]) for row in found] == [
        ("cs", "feminine", "masculine"), ("de", "masculine", "feminine"),
    ]  # fmt: skip
