"""Every view says what it is, runs on both databases and gives the rows that a run calls for."""

import json
import re
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.model import Outcome, RunKind, RunState
from monitor.store import migrations, schema
from monitor.store.reports import run_report
from tests.cases import check_each
from tests.demo import demo, demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.factories import (
    DUE,
    Scripted,
    answer,
    governed,
    make_audit,
    make_list,
    mini_items,
    mini_professions,
    portuguese,
    rows,
    run_audit,
)
from tests.report.services import Services, libre

VIEWS = migrations.read_view_files()
ITEMS = mini_items()
OCCUPATIONS = ("nurse", "teacher", "carpenter", "lawyer")
WORK = mini_professions(OCCUPATIONS)
PRONOUNS = {"nurse": "She", "teacher": "He or she", "carpenter": "He", "lawyer": "They"}
SPOKEN = [
    {
        "key": f"{language}-{name}-{n}",
        "text": f"O bir {name} {language} {n}.",
        "source_lang": language,
        "occupation": name,
    }
    for language in ("tr", "fi")
    for name in PRONOUNS
    for n in range(2)
]
MEASURES = [
    {"name": "masculine_rate", "floor": 1},
    {"name": "c_ratio_bias", "references": ["parity"], "topics_floor": 3, "min_templates": 1,
     "floor": 1},
]  # fmt: skip


def declared_columns(sql):
    header = "\n".join(re.findall(r"^-- ?(.*)$", sql, re.MULTILINE))
    listed = re.search(r"Columns: (.*)\.\s*$", header, re.DOTALL)
    return [name.strip() for name in listed.group(1).replace("\n", " ").split(",")]


@pytest.fixture
def ran(database, tmp_path, in_list_order):
    """A run with every kind of answer; returns (database, run id)."""
    make_list(tmp_path, name="work", items=WORK)
    make_list(tmp_path, name="spoken", items=SPOKEN, cue="pronoun")
    engines = [
        {"name": "firefox_translations", "sources": ["en"], "targets": ["pt"]},
        {"name": "firefox_translations", "sources": ["tr", "fi"], "targets": ["en"]},
    ]
    audit = make_audit(
        tmp_path,
        lists=[{"name": "mini@1"}, {"name": "work@1"}, {"name": "spoken@1"}],
        engines=engines,
        measures=MEASURES,
        tries=1,
    )
    given = portuguese(ITEMS) | portuguese(WORK, lambda item: item["occupation"] == "nurse")
    given |= {
        item["text"]: f"{PRONOUNS[item['occupation']]} is a {item['occupation']}."
        for item in SPOKEN
    }
    given |= {
        "O bir nurse fi 1.": "A nurse by trade.",
        "I am tired 1 1.": "Durmo bem.",
        "I am tired 1 2.": "",
        "I am tired 2 1.": "I am tired 2 1.",
        "I am tired 3 1.": "Estou cansado/a.",
        "I am tired 4 1.": "Estou cansade.",
    }

    def spoil(_number, request, answered):
        lost = "I am tired 9 1." in request.texts
        return answer(outcome=Outcome.TIMEOUT, body=b"") if lost else answered

    summary = run_audit(database, audit, Scripted(given, spoil))
    assert summary.state is RunState.PARTIAL
    return database, summary.run.id


@check_each("name", VIEWS)
def test_a_view_says_its_name_grain_and_columns(name):
    sql = VIEWS[name]
    lines = sql.splitlines()
    assert lines[0].startswith(f"-- {name}: ")
    assert any(line.startswith("-- Grain: one row per ") for line in lines)
    assert declared_columns(sql)
    assert "%" not in sql  # the driver of PostgreSQL would take it for a parameter


@check_each("name", VIEWS)
def test_a_view_has_the_columns_that_it_lists(database, name):
    found = [column["name"] for column in sa.inspect(database.reader).get_columns(name)]
    assert found == declared_columns(VIEWS[name])


@check_each("name", VIEWS)
def test_a_view_of_an_empty_database_has_no_rows(database, name):
    assert rows(database, f"SELECT * FROM {name}") == []


#: Views that have rows where search engines are asked: the runs of those have their own tests.
OF_SEARCH = ("shown", "queries_current")


#: Views that need ticks to compare, a new signature, or a report.
OF_TICKS = ("comparisons_current", "changes_current", "noise", "reports_due")
#: A new version has to be there: tests/test_redo.py.
OF_REDO = ("series_switches",)
#: Somebody has to draw one: tests/audit.
OF_AUDITS = ("audits",)
#: Somebody's texts have to be read: tests/test_corpus_run.py.
OF_CORPORA = ("corpora_current", "corpus_texts")
#: An engine has to show one: tests/test_overview_run.py.
OF_OVERVIEWS = ("overviews",)
ELSEWHERE = (*OF_OVERVIEWS, *OF_SEARCH, *OF_TICKS, *OF_REDO, *OF_AUDITS, *OF_CORPORA)


@check_each("name", [name for name in VIEWS if name not in ELSEWHERE])
def test_a_view_has_rows_after_a_run(ran, name):
    assert rows(ran[0], f"SELECT * FROM {name}")


@check_each("name", OF_TICKS)
def test_a_view_has_rows_after_some_ticks(demo, name):  # noqa: F811
    assert rows(demo, f"SELECT * FROM {name}")


def test_answers_has_one_row_per_attempt(ran):
    database, run_id = ran
    found = rows(database, "SELECT * FROM answers ORDER BY attempt_id")
    assert [row["attempt_id"] for row in found] == [
        row["id"] for row in rows(database, "SELECT id FROM attempts ORDER BY id")
    ]
    assert {row["run_id"] for row in found} == {run_id}
    first = {row["item_key"]: row for row in found}
    assert (first["s01-1"]["outcome"], first["s01-1"]["class"]) == ("ok", "none")
    assert (first["s01-2"]["outcome"], first["s01-2"]["text"]) == ("empty", None)
    echo = first["s02-1"]
    assert (echo["outcome"], echo["reason"], echo["class"]) == ("unreadable", "echo", None)
    assert echo["text"] == echo["probe"]
    assert first["s03-1"]["class"] == "both"
    assert (first["s05-1"]["class"], first["s05-1"]["feminine"]) == ("feminine", 1)
    assert first["s09-1"]["outcome"] == "timeout"
    assert first["p-nurse-1"]["list"] == "work@1"
    assert len(first["p-nurse-1"]["body_sha256"]) == 64


def test_answers_shows_what_was_not_asked_yet(database, tmp_path):
    pipeline.start(database, make_audit(tmp_path), RunKind.MANUAL, DUE)
    found = rows(database, "SELECT outcome, reason, text, exchange_id FROM answers")
    assert found == [
        {"outcome": "not asked", "reason": "", "text": None, "exchange_id": None}
    ] * len(ITEMS)


def test_answers_keeps_attempts_that_failed_beside_the_one_that_counts(database, tmp_path):
    def spoil(number, _request, answered):
        return answer(outcome=Outcome.FAILED, body=b"") if number == 0 else answered

    run_audit(database, make_audit(tmp_path), Scripted(portuguese(ITEMS), spoil))
    sql = "SELECT n, outcome, final FROM answers WHERE item_key = 's01-1' ORDER BY n"
    found = [(row["n"], row["outcome"], bool(row["final"])) for row in rows(database, sql)]
    assert found == [(1, "failed", False), (2, "ok", True)]


def test_coverage_counts_what_became_of_every_question(ran):
    database, run_id = ran
    with database.read() as connection:
        mini, finnish, turkish, work = run_report.read_coverage(connection, run_id)
    counts = {
        "planned": 32, "answered": 14, "used": 11, "masculine": 2, "feminine": 9,
        "both_forms": 1, "inclusive": 1, "mixed": 0, "unmarked": 1, "unidentified": 0,
        "empty": 1, "unreadable": 1, "blocked": 0, "unanswered": 16,
    }  # fmt: skip
    assert mini["list"] == "mini@1"
    assert {name: mini[name] for name in counts} == counts
    assert (work["list"], work["planned"], work["answered"], work["used"]) == ("work@1", 8, 8, 8)
    names = ("source_lang", "target", "planned", "used", "both_forms", "inclusive", "unmarked")
    assert [turkish[name] for name in names] == ["tr", "en", 8, 4, 2, 2, 0]
    assert [finnish[name] for name in names] == ["fi", "en", 8, 3, 2, 2, 1]


def test_coverage_counts_two_variants_as_both_forms(database, tmp_path):
    """A masculine and a feminine variant are one answer with both; two alike are that gender."""
    variants = {
        "I am tired 1 1.": ["Estou cansado.", "Estou cansada."],
        "I am tired 1 2.": ["Estou cansada.", "Estou muito cansada."],
        "I am tired 2 1.": ["Estou cansado.", "Durmo bem."],
    }
    audit = make_audit(
        tmp_path,
        engines=[libre("two", ["en"], ["pt"], alternatives=1)],
        governance=governed("libretranslate"),
    )

    class Offering(Services):
        def _service(self, request):
            given = super()._service(request)
            said = variants.get(json.loads(request.body)["q"], ["Durmo bem."])
            body = {"translatedText": said[0], "alternatives": said[1:]}
            return replace(given, body=json.dumps(body).encode())

    run_audit(database, audit, Offering(dict.fromkeys((i["text"] for i in ITEMS), "")))
    [found] = rows(database, "SELECT * FROM coverage")
    counts = {
        "planned": 32, "answered": 32, "used": 2, "masculine": 1, "feminine": 1, "both_forms": 1,
        "mixed": 0, "unmarked": 29, "unidentified": 0,
    }  # fmt: skip
    assert {name: found[name] for name in counts} == counts
    ranks = rows(database, "SELECT item_rank FROM answers WHERE item_key = 's01-1'")
    assert sorted(row["item_rank"] for row in ranks) == [1, 2]


def test_pronouns_counts_what_each_occupation_was_given(ran):
    database, _ = ran
    sql = "SELECT * FROM pronouns ORDER BY source_lang, occupation, pronoun"
    found = [
        (row["source_lang"], row["occupation"], row["pronoun"], row["answers"])
        for row in rows(database, sql)
    ]
    assert found == [
        ("fi", "carpenter", "he", 2),
        ("fi", "lawyer", "they", 2),
        ("fi", "nurse", "avoided", 1),
        ("fi", "nurse", "she", 1),
        ("fi", "teacher", "he_or_she", 2),
        ("tr", "carpenter", "he", 2),
        ("tr", "lawyer", "they", 2),
        ("tr", "nurse", "she", 2),
        ("tr", "teacher", "he_or_she", 2),
    ]
    with database.read() as connection:
        summed = run_report.read_pronouns(connection, 1)
    assert {(r["source_lang"], r["pronoun"]): r["answers"] for r in summed}["fi", "they"] == 2


def test_coverage_adds_up(ran):
    ends = "used, both_forms, inclusive, mixed, unmarked, unidentified, empty, unreadable, blocked"
    for row in rows(ran[0], f"SELECT planned, unanswered, {ends} FROM coverage"):
        assert sum(row.values()) - row["planned"] == row["planned"]


def test_points_current_names_its_scopes(ran):
    sql = "SELECT DISTINCT scope_title FROM points_current WHERE scope = 'stereotype:1'"
    [row] = rows(ran[0], sql)
    assert row["scope_title"].startswith("women are ")


def test_points_current_has_no_value_without_a_measurement(ran):
    found = rows(ran[0], "SELECT state, value, reason FROM points_current")
    assert {(row["state"] == "measured") == (row["value"] is not None) for row in found} == {True}
    assert all(row["reason"] for row in found if row["state"] != "measured")
    assert {row["state"] for row in found} == {"measured", "insufficient"}


def test_masculine_rates_has_one_row_per_stereotype_with_its_counts(ran):
    database, run_id = ran
    with database.read() as connection:
        found = run_report.read_masculine_rates(connection, run_id)
    assert [row["stereotype"] for row in found] == list(range(1, 17))
    fifth, eighth, ninth = found[4], found[7], found[8]
    assert (fifth["value"], fifth["masculine"], fifth["feminine"]) == (0.0, 0.0, 2.0)
    assert (fifth["about"], fifth["used"], fifth["planned"]) == ("women", 2, 2)
    assert fifth["low"] == 0.0 < fifth["high"] < 1.0
    assert eighth["value"] is not None
    assert (ninth["value"], ninth["state"], ninth["planned"], ninth["used"]) == (
        None, "insufficient", 2, 0,
    )  # fmt: skip


def test_topics_current_has_one_row_per_topic(ran):
    database, run_id = ran
    with database.read() as connection:
        found = [
            row for row in run_report.read_topics(connection, run_id) if row["source_lang"] == "en"
        ]
    assert [(row["topic"], row["women"], row["men"], row["bias"]) for row in found] == [
        ("carpenter", 0.0, 2.0, -0.5), ("lawyer", 0.0, 2.0, -0.5),
        ("nurse", 2.0, 0.0, 0.5), ("teacher", 0.0, 2.0, -0.5),
    ]  # fmt: skip


def test_measures_with_other_parameters_are_told_apart(database, tmp_path):
    """Grain: without the measure's parameters two values would stand under one name."""
    measures = [{"name": "masculine_rate", "floor": 1}, {"name": "masculine_rate", "floor": 2}]
    summary = run_audit(database, make_audit(tmp_path, measures=measures),
                        Scripted(portuguese(ITEMS)))  # fmt: skip
    with database.read() as connection:
        found = run_report.read_masculine_rates(connection, summary.run.id)
    names = {row["measure"] for row in found}
    assert names == {"masculine_rate(floor=1)", "masculine_rate(floor=2)"}
    assert len({(row["measure"], row["stereotype"]) for row in found}) == len(found) == 32


def three_ticks(database, tmp_path, order=(0, 1, 2)):
    """Three weeks: all feminine, then half, then all masculine; run in the order given."""
    audit = make_audit(tmp_path)
    shares = (lambda _: True, lambda item: item["half"] == "odd", lambda _: False)
    for week in order:
        due = DUE + timedelta(days=7 * week)
        run_audit(database, audit, Scripted(portuguese(ITEMS, shares[week])), due_at=due)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_series_ends_with_the_newest_due_tick_whenever_it_was_run(database, tmp_path, order):
    three_ticks(database, tmp_path, order)
    sql = "SELECT * FROM series WHERE quantity = 'p_i' ORDER BY series_id"
    found = rows(database, sql)
    assert len(found) == 16
    for row in found:
        assert (row["n_ticks"], row["n_measured"]) == (3, 3)
        assert (row["last_value"], row["last_state"]) == (1.0, "measured")
        assert str(row["first_due_at"])[:10] == "2025-01-06"
        assert str(row["last_due_at"])[:10] == "2025-01-20"


def test_a_series_ends_where_it_was_asked_last_if_its_job_was_interrupted_before(
    database, tmp_path
):
    audit = make_audit(tmp_path)
    run_audit(database, audit, Scripted(portuguese(ITEMS)), DUE)
    later = pipeline.start(database, audit, RunKind.SCHEDULED, DUE + timedelta(days=7))
    with database.begin() as connection:
        own = sa.update(schema.runs).where(schema.runs.c.id == later.id)
        connection.execute(own.values(state=RunState.INTERRUPTED))
        asked = schema.attempts.c.run_id == later.id
        connection.execute(sa.delete(schema.attempts).where(asked))
    found = rows(database, "SELECT * FROM series")
    assert len(found) == len(rows(database, "SELECT id FROM series_keys"))
    assert {str(row["last_due_at"])[:10] for row in found} == {"2025-01-06"}
    assert {(row["n_ticks"], bool(row["is_asked"])) for row in found} == {(1, False)}
    assert {row["last_state"] for row in found if row["quantity"] == "p_i"} == {"measured"}


def test_series_has_one_row_per_series(database, tmp_path):
    three_ticks(database, tmp_path)
    run_audit(database, make_audit(tmp_path), Scripted(portuguese(ITEMS)), DUE, RunKind.CONFIRM)
    last = DUE + timedelta(days=14)
    run_audit(database, make_audit(tmp_path), Scripted(portuguese(ITEMS)), last, RunKind.CONFIRM)
    found = rows(database, "SELECT series_id FROM series")
    assert len(found) == len({row["series_id"] for row in found})
    known = rows(database, "SELECT id FROM series_keys")
    assert len(found) == len(known)


# --- what people look at ------------------------------------------------------------------------


def test_the_newest_run_of_every_job(database, tmp_path):
    translations = Scripted(portuguese(ITEMS))
    run_audit(database, make_audit(tmp_path), translations)
    run_audit(database, make_audit(tmp_path), translations, DUE + timedelta(days=7))
    run_audit(database, make_audit(tmp_path, name="another"), translations)
    with database.read() as connection:
        found = run_report.read_newest_runs(connection)
    assert [(r["job"], r["run"], r["state"], r["answered"], r["planned"]) for r in found] == [
        ("another", 3, "done", 32, 32), ("mini", 2, "done", 32, 32),
    ]  # fmt: skip


def test_a_run_without_questions_yet_is_shown(database, tmp_path):
    pipeline.start(database, make_audit(tmp_path), RunKind.MANUAL, DUE)
    with database.read() as connection:
        [found] = run_report.read_newest_runs(connection)
    assert (found["answered"], found["planned"]) == (0, 32)


def test_facts_of_the_current_points(ran):
    database, run_id = ran
    with database.read() as connection:
        facts = run_report.read_facts(connection, run_id)
        [f_m] = [
            v for v in run_report.read_values(connection, run_id) if v["quantity"] == "marked_share"
        ]
    assert facts[f_m["point_id"]]["effective_n"] == 14.0


def test_flags_are_a_list_on_both_databases(ran):
    database, run_id = ran
    with database.read() as connection:
        values = run_report.read_values(connection, run_id)
    assert any(row["flags"] == ["exploratory"] for row in values)
    assert all(isinstance(row["flags"], list) for row in values)


def test_the_evidence_of_one_attempt(ran):
    database, _ = ran
    [row] = rows(database, "SELECT attempt_id FROM answers WHERE item_key = 's05-1'")
    with database.read() as connection:
        found = run_report.read_evidence(connection, database, row["attempt_id"])
        assert run_report.read_evidence(connection, database, 10**6) is None
    assert (found["probe"], found["engine"], found["outcome"]) == (
        "I am tired 5 1.", "firefox_translations", "ok",
    )  # fmt: skip
    assert found["position"] == 8
    assert "Estou cansada." in found["body"]
    assert found["agent"] == {"library": "replay"}
    assert found["request"] == {"backend": "fxtranslate", "model": "en-pt", "texts": 16}


@pytest.mark.usefixtures("in_list_order")
def test_the_evidence_of_an_attempt_without_an_answer(database, tmp_path):
    pipeline.start(database, make_audit(tmp_path), RunKind.MANUAL, DUE)
    with database.read() as connection:
        found = run_report.read_evidence(connection, database, 1)
    assert (found["probe"], found["outcome"], found["body"]) == ("I am tired 1 1.", None, "")
