"""Deriving kept runs anew: what is lacking is done, and charts go over when it is complete."""

import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from monitor import pipeline, registry
from monitor.jobs import load_audit
from monitor.labels.resolve import Resolution
from monitor.labels.shown_entities import shown_entity
from monitor.model import GenderClass, InvalidInput, LabelState, RunKind, Share, Signal
from monitor.pipeline import DerivationStep
from monitor.pipeline.derive import readings
from monitor.pipeline.schedule.leases import Turns
from monitor.stages.jobs.plan import shows_people
from monitor.store import schema
from monitor.store.collect import runs
from monitor.store.derive import people, signatures
from monitor.store.schema import bodies, points, series_keys
from tests.factories import (
    DUE,
    Scripted,
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
from tests.kept import kept_run

WEEK = timedelta(weeks=1)
ITEMS = mini_items()
TRANSLATIONS = portuguese(ITEMS)
ROOT = Path(__file__).parent.parent


OWN = registry.known_language("pt").version


class Turned:
    """Portuguese that takes masculine for feminine, as version so and so."""

    def __init__(self, version):
        self._own, self.version = registry.discover("languages")["pt"], version

    def __getattr__(self, name):
        return getattr(self._own, name)

    def signal(self, text, cue):
        found = self._own.signal(text, cue)
        turned = {
            GenderClass.MASCULINE: GenderClass.FEMININE,
            GenderClass.FEMININE: GenderClass.MASCULINE,
        }
        return Signal(turned.get(found.cls, found.cls), found.witnesses, found.rule)


RATE = registry.measure("masculine_rate")


class Newer(type(RATE)):
    """The masculine rate as its next version."""

    @property
    def version(self):
        return RATE.version + 1


@pytest.fixture
def update(monkeypatch):
    """Installs another version of Portuguese, or of the engine's parser."""
    yield from updates(monkeypatch)


def updates(monkeypatch):
    def install(folder, name, plugin):
        monkeypatch.setitem(registry.discover(folder), name, plugin)
        registry.known_language.cache_clear()

    yield install
    registry.known_language.cache_clear()


def turn(update, version=OWN + 1):
    update("languages", "pt", Turned(version))


def weeks(database, audit, n, first=0, translations=TRANSLATIONS):
    return [
        run_audit(database, audit, Scripted(translations), due_at=DUE + number * WEEK).run
        for number in range(first, first + n)
    ]


def redo(database, first=DerivationStep.PARSE, **how):
    with database.read() as connection:
        wanted = runs.list_ended(connection)
    todo, left_out = pipeline.to_redo(database, wanted, first)
    done = pipeline.redo(database, todo, how.pop("progress", quiet), **how)
    return todo, [*left_out, *done.left_out], done


def chart(database, quantity="f_s", scope="all"):
    """What the chart of one series shows: of each tick the value under its signature."""
    query = (
        sa.select(points.c.due_at, points.c.value)
        .join(
            series_keys,
            (series_keys.c.id == points.c.series_id)
            & (series_keys.c.signature_id == points.c.signature_id),
        )
        .where(series_keys.c.quantity == quantity, series_keys.c.scope == scope, points.c.is_newest)
        .order_by(points.c.due_at)
    )
    with database.read() as connection:
        return [row.value for row in connection.execute(query)]


def reported(database, quantity="f_s", scope="all"):
    """What the reports of the runs show, by tick."""
    sql = """
        SELECT value FROM points_current WHERE quantity = :quantity AND scope = :scope
        ORDER BY due_at, run_id
    """
    return [row["value"] for row in rows(database, sql, quantity=quantity, scope=scope)]


def counts(database):
    """How many rows every derived table has, and that each run and series has one shown point."""
    tables = ("readings", "items", "agreements", "points", "switches")
    found = {one: rows(database, f"SELECT COUNT(*) AS n FROM {one}")[0]["n"] for one in tables}
    shown = "SELECT COUNT(*) AS n FROM points WHERE is_current = TRUE GROUP BY series_id, run_id"
    assert {row["n"] for row in rows(database, shown)} <= {1}
    both = "SELECT COUNT(*) AS n FROM points WHERE is_current = TRUE AND is_newest = FALSE"
    assert rows(database, both)[0]["n"] == 0
    return found


# --- a new version ------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_new_language_is_heard_everywhere_and_every_chart_goes_over(database, tmp_path, update):
    audit = make_audit(tmp_path)
    weeks(database, audit, 3)
    before = counts(database)
    assert chart(database) == reported(database) == [1.0, 1.0, 1.0]
    turn(update)
    todo, left_out, done = redo(database)
    assert [one.steps for one in todo] == [(DerivationStep.SIGNAL, DerivationStep.MEASURE)] * 3
    assert todo[0].why == (f"pt:pt@{OWN + 1} of firefox_translations@{version_of_parser()}",
                           f"pt: language_version {OWN} -> {OWN + 1}")  # fmt: skip
    assert (left_out, done.runs) == ([], 3)
    assert chart(database) == reported(database) == [-1.0, -1.0, -1.0]
    after = counts(database)
    assert after["readings"] == before["readings"]
    assert after["agreements"] == 2 * before["agreements"]
    assert after["points"] == 2 * before["points"] == before["points"] + done.points
    assert after["switches"] == done.switched == len(series(database))
    assert len(rows(database, "SELECT * FROM series_switches")) == done.switched
    assert redo(database)[0] == []
    assert counts(database) == after


def version_of_parser():
    return registry.engine("firefox_translations").version


def series(database):
    return rows(database, "SELECT id FROM series_keys")


def test_a_live_run_under_a_new_version_waits_for_the_older_ones(database, tmp_path, update):
    audit = make_audit(tmp_path)
    weeks(database, audit, 2)
    turn(update)
    weeks(database, audit, 1, first=2)
    assert chart(database) == [1.0, 1.0]
    assert reported(database) == [1.0, 1.0, -1.0]
    with database.read() as connection:
        assert len(signatures.find_pending(connection)) == len(series(database))
    assert counts(database)["switches"] == 0
    todo, _, done = redo(database)
    assert [one.run.due_at for one in todo] == [DUE, DUE + WEEK]
    assert done.switched == len(series(database))
    assert chart(database) == reported(database) == [-1.0, -1.0, -1.0]
    with database.read() as connection:
        assert signatures.find_pending(connection) == []


def test_a_run_of_its_own_goes_over_only_with_the_rest(database, tmp_path, update):
    audit = make_audit(tmp_path)
    first, _ = weeks(database, audit, 2)
    turn(update)
    todo, _ = pipeline.to_redo(database, [first])
    done = pipeline.redo(database, todo, quiet)
    assert (done.runs, done.switched) == (1, 0)
    assert chart(database) == reported(database) == [1.0, 1.0]


def test_manual_runs_go_over_by_themselves(database, tmp_path, update):
    audit = make_audit(tmp_path)
    run_audit(database, audit, Scripted(TRANSLATIONS), kind=RunKind.MANUAL)
    turn(update)
    assert redo(database)[2].switched == len(series(database))
    assert reported(database) == [-1.0]


def test_a_new_measure_version_only_computes(database, tmp_path, update):
    audit = make_audit(tmp_path)
    weeks(database, audit, 2)
    before = counts(database)
    update("measures", "masculine_rate", Newer())
    todo, _, done = redo(database, DerivationStep.MEASURE)
    assert {one.steps for one in todo} == {(DerivationStep.MEASURE,)}
    assert todo[0].why == (f"masculine_rate: measure_version {RATE.version} -> {RATE.version + 1}",)
    after = counts(database)
    assert (after["readings"], after["agreements"]) == (before["readings"], before["agreements"])
    assert done.switched == len(series(database))
    assert reported(database) == [1.0, 1.0]


def test_values_of_what_was_not_heard_are_not_computed(database, tmp_path, update):
    weeks(database, make_audit(tmp_path), 1)
    before = counts(database)
    turn(update)
    todo, left_out, _ = redo(database, DerivationStep.MEASURE)
    assert todo == []
    assert [one.reason for one in left_out] == [
        "signal was not done with the present versions; use --from signal"
    ]
    assert counts(database) == before


def test_a_new_parser_has_to_read_before_anything_is_heard(database, tmp_path, update):
    weeks(database, make_audit(tmp_path), 1)
    own = registry.engine("firefox_translations")
    update("engines", own.name, replace(own, version=own.version + 1))
    [left_out] = redo(database, DerivationStep.SIGNAL)[1]
    assert left_out.reason == "parse was not done with the present versions; use --from parse"
    before = counts(database)
    assert redo(database)[1] == []
    after = counts(database)
    assert [after[n] for n in ("readings", "items")] == [
        2 * before[n] for n in ("readings", "items")
    ]
    assert reported(database) == [1.0]


# --- stopped and killed -------------------------------------------------------------------------


def test_stopped_in_the_middle_the_old_chart_stays_and_the_rest_is_done_later(
    database, tmp_path, update
):
    audit = make_audit(tmp_path)
    weeks(database, audit, 3)
    turn(update)
    told = []

    def progress(_step, done, _planned):
        told.append(done)

    with pytest.raises(KeyboardInterrupt):
        redo(database, progress=progress, stop=lambda: max(told) > 2 * 32)
    assert chart(database) == reported(database) == [1.0, 1.0, 1.0]
    half = counts(database)
    assert half["points"] > 3 * len(series(database))  # some of it is done
    todo, left_out, done = redo(database)
    assert (len(todo), left_out, done.switched) == (2, [], len(series(database)))
    assert chart(database) == reported(database) == [-1.0, -1.0, -1.0]
    assert counts(database)["points"] == 6 * len(series(database))
    assert counts(database)["agreements"] == 6 * 32


KILLED = """
import os, signal, sys
sys.path.insert(0, {root!r})
from tests.test_redo import Turned, OWN
from monitor import pipeline, registry
from monitor.store.collect import runs
from monitor.store.derive import points, signals
from monitor.store.database import connect
from pathlib import Path

registry.discover("languages")["pt"] = Turned(OWN + 1)
registry.known_language.cache_clear()
module, name, after = {where!r}
module = {{"points": points, "signals": signals, "runs": runs}}[module]
real, calls = getattr(module, name), [0]

def dying(*args, **kwargs):
    calls[0] += 1
    done = real(*args, **kwargs)
    if calls[0] == after:
        os.kill(os.getpid(), signal.SIGKILL)
    return done

setattr(module, name, dying)
database = connect({url!r}, Path({bodies!r}))
with database.read() as connection:
    wanted = runs.list_ended(connection)
todo, _ = pipeline.to_redo(database, wanted)
pipeline.redo(database, todo, lambda *_: None)
"""


@pytest.mark.parametrize(
    "where",
    [("signals", "store_signals", 2), ("points", "store_result", 1), ("runs", "mark_stage", 4)],
)
def test_killed_at_any_moment_nothing_is_lost_and_nothing_done_twice(
    database, database_url, tmp_path, update, where
):
    weeks(database, make_audit(tmp_path), 3)
    script = KILLED.format(
        root=str(ROOT), where=where, url=database_url, bodies=str(tmp_path / "bodies")
    )
    ended = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True)
    assert ended.returncode == -9, ended.stderr.decode()
    assert chart(database) == reported(database) == [1.0, 1.0, 1.0]
    turn(update)
    _, left_out, done = redo(database)
    assert (left_out, done.switched) == ([], len(series(database)))
    assert chart(database) == reported(database) == [-1.0, -1.0, -1.0]
    assert counts(database) | {"switches": 0} == {
        "readings": 96, "items": 96, "agreements": 192, "points": 6 * len(series(database)),
        "switches": 0,
    }  # fmt: skip


def test_killed_after_the_last_value_only_the_charts_are_left_to_go_over(
    database, tmp_path, update, monkeypatch
):
    weeks(database, make_audit(tmp_path), 2)
    turn(update)
    with monkeypatch.context() as patch:
        patch.setattr("monitor.pipeline.derive.recomputation.switch", lambda _database: 0)
        redo(database)
    assert chart(database) == [1.0, 1.0]
    todo, _, done = redo(database)
    assert (todo, done.switched) == ([], len(series(database)))
    assert chart(database) == [-1.0, -1.0]


def test_a_run_that_another_was_given_meanwhile_is_left_out(
    database, tmp_path, update, monkeypatch
):
    """Who stood still between reading and storing leaves the run to the other, with a reason."""
    [run] = weeks(database, make_audit(tmp_path), 1)
    turn(update)
    real, others = readings.hear_portion, []

    def late(order):
        if not others:
            with database.begin() as connection:
                connection.execute(
                    sa.text("UPDATE leases SET until = '2000-01-01 00:00:00.000000'")
                )
            others.append(Turns(database, seconds=600))
            assert others[0].take(pipeline.turn_of_run(run.id))
        return real(order)

    monkeypatch.setattr(readings, "hear_portion", late)
    before = rows(database, "SELECT * FROM agreements")
    _, left_out, done = redo(database)
    assert others
    assert [(one.run.id, one.reason) for one in left_out] == [
        (run.id, "another process works on it")
    ]
    assert done.runs == 0
    assert rows(database, "SELECT * FROM agreements") == before


def test_a_run_that_another_works_on_is_left_out(database, tmp_path, update):
    run, _ = weeks(database, make_audit(tmp_path), 2)
    turn(update)
    with Turns(database) as turns:
        assert turns.take(pipeline.turn_of_run(run.id))
        _, left_out, done = redo(database)
        assert pipeline.redo_run(database, run, DerivationStep.PARSE, quiet) is None
    assert [(one.run.id, one.reason) for one in left_out] == [
        (run.id, "another process works on it")
    ]
    assert (done.runs, done.switched) == (1, 0)
    assert chart(database) == [1.0, 1.0]
    done = pipeline.redo_run(database, run, DerivationStep.PARSE, quiet)
    assert (done.runs, done.switched) == (1, len(series(database)))
    assert chart(database) == [-1.0, -1.0]


# --- several processes --------------------------------------------------------------------------


def test_a_pool_of_processes_gives_the_same(database, tmp_path):
    """What others derive is what this process derives; the language is the shipped one."""
    audit = make_audit(tmp_path)
    weeks(database, audit, 3)
    columns = (
        "series_id, run_id, state, value, low, high, bound_low, bound_high, used, inputs_digest"
    )
    sql = f"SELECT {columns} FROM points ORDER BY run_id, series_id"
    heard = "SELECT item_id, cue, class, masculine, feminine, rule FROM agreements ORDER BY item_id"
    alone = rows(database, sql), rows(database, heard)
    with database.begin() as connection:
        for table in (schema.point_facts, points, schema.agreements, schema.items, schema.readings,
                      schema.stages_done):  # fmt: skip
            connection.execute(sa.delete(table))
    told = []
    todo, left_out, done = redo(database, processes=2, progress=lambda *step: told.append(step))
    assert [one.steps for one in todo] == [
        (DerivationStep.PARSE, DerivationStep.SIGNAL, DerivationStep.MEASURE)
    ] * 3
    assert (left_out, done.runs) == ([], 3)
    again = rows(database, sql), rows(database, heard)
    assert again[0] == alone[0]
    classes = [row["class"] for row in again[1]]
    assert classes == [row["class"] for row in alone[1]]
    assert told[0] == ("redo", 0, 3 * 3 * 32)
    assert told[-1] == ("redo", 3 * 3 * 32, 3 * 3 * 32)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_a_process_of_another_version_does_nothing(database, tmp_path, update):
    """As when the program is updated while a redo runs."""
    weeks(database, make_audit(tmp_path), 2)
    turn(update)
    _, left_out, done = redo(database, processes=2)
    assert done.points == 0
    assert {one.reason for one in left_out} == {
        f"Portuguese: was updated from version {OWN + 1} to {OWN} meanwhile; start again"
    }
    assert chart(database) == reported(database) == [1.0, 1.0]


# --- lists, references, labels -------------------------------------------------------------------


def test_a_new_list_version_takes_over_with_its_own_first_run(database, tmp_path, update):
    weeks(database, make_audit(tmp_path), 2)
    items = [item | {"text": item["text"].replace("tired", "weary")} for item in ITEMS]
    make_list(tmp_path, version=2, items=items)
    second = load_audit(make_job(tmp_path, lists=[{"name": "mini@2"}]))
    new = portuguese(items, lambda _: True)
    weeks(database, second, 1, first=2, translations=new)
    assert chart(database, "f_m") == [0.0]
    assert reported(database, "f_m") == [0.5, 0.5, 0.0]
    assert counts(database)["switches"] == len(series(database))
    turn(update)
    _, left_out, done = redo(database)
    assert left_out == []
    assert chart(database, "f_m") == [1.0]
    assert reported(database, "f_m") == [0.5, 0.5, 1.0]
    assert done.switched == len(series(database))


def test_an_old_list_never_takes_a_chart_back(database, tmp_path, update):
    """Its runs are done first; those of the list in force are still to come."""
    old = weeks(database, make_audit(tmp_path), 2)
    items = [item | {"text": item["text"].replace("tired", "weary")} for item in ITEMS]
    make_list(tmp_path, version=2, items=items)
    second = load_audit(make_job(tmp_path, lists=[{"name": "mini@2"}]))
    weeks(database, second, 1, first=2, translations=portuguese(items))
    turn(update)
    todo, _ = pipeline.to_redo(database, old)
    assert pipeline.redo(database, todo, quiet).switched == 0
    assert chart(database) == [1.0]


def test_a_snapshot_of_a_reference_is_a_new_signature(database, tmp_path):
    """Live values use the newest snapshot; the chart goes over when older ticks have it, too."""
    occupations = ("nurse", "carpenter", "judge")
    items = [item | {"wikidata": "Q186360"} for item in mini_professions(occupations, 4)]
    make_list(tmp_path, items=items)
    measure = {"name": "c_ratio_bias", "references": ["wikidata"], "floor": 1,
               "topics_floor": 3, "min_templates": 1}  # fmt: skip
    audit = load_audit(make_job(tmp_path, measures=[measure]))
    translations = portuguese(items, lambda item: item["occupation"] == "nurse")

    def snapshot(as_of, share):
        known = {
            name: (Share(name, value, "Wikidata", "world", as_of, 100),)
            for name, value in (("nurse", share), ("carpenter", 0.1), ("judge", 0.3))
        }
        with database.begin() as connection:
            people.store_shares(connection, "wikidata", as_of, known)

    def week(number):
        tick = pipeline.start(database, audit, RunKind.SCHEDULED, DUE + number * WEEK)
        pipeline.ask(database, audit, tick, Scripted(translations), quiet)
        pipeline.derive_run(database, audit, tick, quiet)
        with database.begin() as connection:
            runs.set_state(connection, tick.id, runs.RunState.DONE, DUE)

    def mean():
        return [None if one is None else round(one, 3) for one in chart(database, "mb")]

    snapshot("2025-01-01", 0.8)
    week(0)
    before = mean()
    snapshot("2025-01-10", 0.4)
    week(1)
    assert mean() == before
    assert len(reported(database, "mb")) == 2
    todo, left_out, done = redo(database, DerivationStep.MEASURE)
    assert (len(todo), left_out) == (1, [])
    assert todo[0].why == ('reference "wikidata@2025-01-01" -> "wikidata@2025-01-10"',)
    assert done.switched > 0
    assert len(mean()) == 2
    assert len(set(mean())) == 1
    assert None not in {mean()[0], before[0]}
    assert mean()[0] != before[0]


def test_a_late_label_makes_newer_points_of_the_same_signature(database, tmp_path, monkeypatch):
    audit, run = kept_run(database, tmp_path, monkeypatch)
    pipeline.derive_run(database, audit, run, quiet)
    with database.begin() as connection:
        runs.set_state(connection, run.id, runs.RunState.DONE, DUE)
    assert redo(database)[0] == []
    sql = "SELECT id, reason, signature_id, inputs_digest FROM points WHERE is_current = TRUE"
    before = rows(database, sql)
    assert {row["reason"] for row in before} == {"1 of 2 people could not be looked up yet"}
    with database.begin() as connection:
        found = people.read_items(connection, run.id, shows_people(audit))
        [late] = {whom.entity: whom for _, item, _ in found if (whom := shown_entity(item))
                  if whom.name != "Judit Example"}.values()  # fmt: skip
        known = Resolution(late.entity, LabelState.LABELLED, "men", qid="Q4712")
        people.store_resolutions(connection, [(late, known)], DUE, None)
        people.publish_labels(connection, [late.entity], DUE)
    todo, left_out, done = redo(database, DerivationStep.MEASURE)
    assert [(one.steps, one.why) for one in todo] == [
        ((DerivationStep.MEASURE,), ("newer inputs",))
    ]
    assert (left_out, done.points, done.switched) == ([], len(before), 0)
    after = rows(database, sql)
    assert {row["signature_id"] for row in after} == {row["signature_id"] for row in before}
    assert {row["id"] for row in after}.isdisjoint(row["id"] for row in before)
    assert not any("looked up" in row["reason"] for row in after)
    newest = rows(database, "SELECT id FROM points WHERE is_newest = TRUE")
    assert {row["id"] for row in newest} == {row["id"] for row in after}
    assert redo(database)[0] == []
    assert counts(database)["switches"] == 0


def test_a_new_reader_of_pages_sees_whom_the_old_one_saw(database, tmp_path, monkeypatch, update):
    """Nobody is looked up in a redo, and nobody who is known gets lost."""
    audit, run = kept_run(database, tmp_path, monkeypatch)
    pipeline.derive_run(database, audit, run, quiet)
    with database.begin() as connection:
        runs.set_state(connection, run.id, runs.RunState.DONE, DUE)
    sql = "SELECT COUNT(*) AS n FROM item_entities"
    before = rows(database, sql)[0]["n"]
    own = registry.engine("google_web")
    update("engines", own.name, replace(own, version=own.version + 1))
    assert redo(database)[1] == []
    assert rows(database, sql)[0]["n"] == 2 * before > 0


# --- answers that are gone ------------------------------------------------------------------------


def remove(database, some=None):
    """Take away bodies of answers, as retention does."""
    here = bodies.c.retention == "answer"
    with database.begin() as connection:
        ids = connection.execute(sa.select(bodies.c.id).where(here).order_by(bodies.c.id)).scalars()
        chosen = list(ids)[:some]
        change = sa.update(bodies).where(bodies.c.id.in_(chosen))
        connection.execute(change.values(content=None, removed_at=DUE, removed_because="retention"))


def newer_parser(update):
    own = registry.engine("firefox_translations")
    update("engines", own.name, replace(own, version=own.version + 1))
    return own.version + 1


def test_a_new_parser_gives_no_values_where_answers_are_gone(database, tmp_path, update):
    weeks(database, make_audit(tmp_path), 1)
    remove(database)
    before = counts(database)
    newer = newer_parser(update)
    todo, left_out, done = redo(database)
    assert (len(todo), left_out, done.runs) == (1, [], 1)
    after = counts(database)
    assert (after["readings"], after["agreements"]) == (before["readings"], before["agreements"])
    found = rows(database, "SELECT DISTINCT state, reason, value, bound_low FROM points_current")
    assert found == [
        {
            "state": "insufficient",
            "reason": f"32 of 32 answers were removed before version {newer} of the parser "
            "firefox_translations could read them",
            "value": None,
            "bound_low": None,
        }
    ]
    assert redo(database)[0] == []


def test_half_of_the_answers_is_no_value_either(database, tmp_path, update):
    weeks(database, make_audit(tmp_path), 1)
    remove(database, 1)
    newer_parser(update)
    redo(database)
    found = rows(database, "SELECT DISTINCT state, value FROM points_current")
    assert found == [{"state": "insufficient", "value": None}]
    [reason] = {row["reason"] for row in rows(database, "SELECT reason FROM points_current")}
    assert reason.startswith("16 of 32 answers were removed")


def test_a_new_language_hears_what_was_read_though_the_answers_are_gone(database, tmp_path, update):
    weeks(database, make_audit(tmp_path), 2)
    remove(database)
    turn(update)
    assert redo(database)[1] == []
    assert chart(database) == reported(database) == [-1.0, -1.0]


# --- runs beside the grid -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [RunKind.NOISE, RunKind.CONFIRM])
def test_runs_that_ask_again_have_signals_and_no_points(database, tmp_path, update, kind):
    audit = make_audit(tmp_path)
    weeks(database, audit, 1)
    before = counts(database)
    summary = run_audit(database, audit, Scripted(TRANSLATIONS), DUE + WEEK, kind)
    after = counts(database)
    assert summary.points == 0
    assert after["points"] == before["points"]
    assert after["agreements"] == 2 * before["agreements"]
    turn(update)
    todo, left_out, done = redo(database)
    assert (len(todo), left_out) == (2, [])
    assert todo[1].steps == (DerivationStep.SIGNAL,)
    assert counts(database)["agreements"] == 4 * before["agreements"]
    assert done.switched == len(series(database))
    assert redo(database)[0] == []


def test_a_run_whose_job_files_were_not_kept_is_left_out(database, tmp_path, update):
    weeks(database, make_audit(tmp_path), 2)
    with database.begin() as connection:
        connection.execute(
            sa.update(schema.runs).where(schema.runs.c.id == 1).values(bundle_id=None)
        )
    turn(update)
    _, [left_out], done = redo(database)
    assert (left_out.run.id, done.runs) == (1, 1)
    assert "no stored job files" in left_out.reason
    assert chart(database) == [1.0, 1.0]
    with database.read() as connection:
        run = runs.get_run(connection, 1)
    with pytest.raises(InvalidInput, match="no stored job files"):
        pipeline.redo_run(database, run, DerivationStep.PARSE, quiet)
