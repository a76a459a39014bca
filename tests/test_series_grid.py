"""Series on the dense grid: every due tick is there, and every gap says why."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor.model import InvalidInput, Outcome, RunKind, State, as_row
from monitor.store import schema
from monitor.store.changes import series
from monitor.store.changes.series import Filters
from monitor.store.derive import signatures
from monitor.store.rows import UtcDateTime
from monitor.store.schedule import ticks
from tests.factories import (
    DUE,
    Scripted,
    answer,
    make_audit,
    mini_items,
    portuguese,
    rows,
    run_audit,
)
from tests.series_scene import Scene, week

ITEMS = mini_items()


@pytest.fixture
def scene(database):
    return Scene(database)


def grid(scene, series_id, *limits, signature=""):
    with scene.database.read() as connection:
        return series.read_grid(connection, series_id, *limits, signature=signature)


def states(scene, series_id):
    """{week: state} of the ticks."""
    return {
        round((tick.due_at - week(0)).days / 7): tick.state.value
        for tick in grid(scene, series_id)
    }  # fmt: skip


def summary(scene, series_id):
    with scene.database.read() as connection:
        one = series.get_series(connection, series_id)
        return series.read_summaries(connection, [one]).get(series_id)


# --- few points -----------------------------------------------------------------------------------


def test_one_point_is_one_tick_with_all_its_parts(scene):
    number = scene.series()
    run = scene.done(0)
    point = scene.point(number, run)
    [tick] = grid(scene, number)
    assert (tick.state, tick.value, tick.low, tick.high) == (State.MEASURED, 0.5, 0.4, 0.6)
    assert (tick.bound_low, tick.bound_high, tick.flags) == (0.25, 0.75, ("exploratory",))
    assert (tick.planned, tick.answered, tick.used, tick.unidentified) == (40, 39, 30, 1)
    assert (tick.due_at, tick.run_id, tick.point_id) == (week(0), run, point)
    assert (tick.reason, tick.tick_state, tick.job) == ("", "done", "audit")
    found = summary(scene, number)
    assert (found.n_ticks, found.n_measured, found.is_asked) == (1, 1, True)
    assert (found.last_state, found.last_value) == (State.MEASURED, 0.5)


def test_a_series_without_points_has_no_tick_and_no_summary(scene):
    number = scene.series(signature_id=None)
    scene.done(0)
    scene.missed(1)
    assert grid(scene, number) == []
    assert summary(scene, number) is None
    with scene.database.read() as connection:
        assert series.get_series(connection, number).signature == ""
        assert series.read_newest_marks(connection, [series.get_series(connection, number)]) == {}
        assert series.find_not_asked(connection, []) == []


def test_an_empty_database_has_no_series(database):
    with database.read() as connection:
        assert series.find_series(connection, Filters()) == []
        assert series.get_series(connection, 1) is None
        assert series.read_summaries(connection, []) == {}
        assert series.read_grid(connection, 1) == []
    assert rows(database, "SELECT * FROM series") == []


def test_all_ticks_after_the_first_are_missed(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    for weeks in (1, 2, 3):
        scene.missed(weeks)
    assert states(scene, number) == {0: "measured", 1: "missed", 2: "missed", 3: "missed"}
    gap = grid(scene, number)[-1]
    assert gap.reason == "no run at this tick (missed): nobody was there"
    parts = (gap.value, gap.low, gap.high, gap.bound_low, gap.bound_high)
    assert parts == (None,) * 5
    assert (gap.planned, gap.answered, gap.used, gap.run_id) == (None,) * 4
    found = summary(scene, number)
    assert (found.n_ticks, found.n_measured, found.last_due_at) == (4, 1, week(3))
    assert (found.last_state, found.last_value, found.is_asked) == (State.MISSED, None, True)


def test_a_series_that_was_never_measured_has_all_its_ticks(scene):
    number = scene.series()
    for weeks in (0, 1):
        scene.point(number, scene.done(weeks), None)
    assert states(scene, number) == {0: "insufficient", 1: "insufficient"}
    assert {tick.reason for tick in grid(scene, number)} == {"2 of 40 usable, floor 10"}
    assert summary(scene, number).n_measured == 0


# --- gaps -----------------------------------------------------------------------------------------


def test_a_run_without_a_final_answer_of_the_engine_is_missed(scene):
    number = scene.series()
    first = scene.done(0)
    scene.point(number, first)
    silent = scene.done(1, state="partial")
    scene.asked(silent, final=False)
    scene.asked(silent, label="another")  # of whom everything is there
    scene.point(number, silent, None, answered=0, used=0)
    failing = scene.done(2, state="partial")
    scene.asked(failing)
    scene.point(number, failing, None, answered=0, used=0)
    assert states(scene, number) == {0: "measured", 1: "missed", 2: "insufficient"}
    assert grid(scene, number)[1].reason == f"run {silent} has no final answer of this engine"


@pytest.mark.parametrize("state", ["missed", "overlapped", "failed"])
def test_why_there_was_no_run(scene, state):
    number = scene.series()
    scene.point(number, scene.done(0))
    scene.tick(1, state, "")
    assert grid(scene, number)[1].reason == f"no run at this tick ({state})"


def test_a_missed_tick_that_a_person_has_run_is_measured(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    scene.missed(1)
    scene.point(number, scene.run(1), 0.75)
    tick = grid(scene, number)[1]
    assert (tick.state, tick.value, tick.tick_state) == (State.MEASURED, 0.75, "missed")


def test_what_still_runs_is_not_on_the_grid(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    ended = scene.run(1)
    scene.tick(1, "running", run_id=ended)  # derived, and the daemon has not said so yet
    scene.point(number, ended)
    scene.run(2, state="running")
    scene.tick(3, "due")
    assert states(scene, number) == {0: "measured"}


def test_a_run_that_is_gone_on_with_stays_where_it_was(scene):
    number = scene.series()
    run = scene.run(0, state="partial")
    scene.point(number, run)
    with scene.database.begin() as connection:
        change = sa.update(schema.runs).where(schema.runs.c.id == run).values(state="running")
        connection.execute(change)
    assert states(scene, number) == {0: "measured"}


def test_runs_that_were_cut_off_are_gaps(scene):
    number = scene.series()
    scene.point(number, scene.run(0))
    stopped = scene.run(1, state="interrupted")
    scene.asked(stopped)
    killed = scene.run(2, state="running")
    scene.asked(killed, final=False)
    assert states(scene, number) == {0: "measured", 1: "insufficient"}  # the last may still run
    scene.point(number, scene.run(3))
    assert states(scene, number) == {
        0: "measured", 1: "insufficient", 2: "missed", 3: "measured",
    }  # fmt: skip
    said = grid(scene, number)[1].reason
    assert said == f"run {stopped} was not finished; go on with it: monitor run JOB --resume"


def test_a_failed_tick_says_what_the_daemon_said(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    run = scene.run(1, state="running")
    scene.asked(run)
    scene.tick(1, "failed", "no room left", run_id=run)
    tick = grid(scene, number)[1]
    assert tick.state is State.INSUFFICIENT
    assert tick.reason.startswith(f"run {run} was not finished: no room left; go on")


def test_values_of_a_run_that_was_not_finished_do_not_count_yet(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    run = scene.run(1, state="interrupted")
    scene.asked(run)
    scene.point(number, run, 0.75)
    tick = grid(scene, number)[1]
    assert (tick.state, tick.value, tick.point_id) == (State.INSUFFICIENT, None, None)


@pytest.mark.parametrize("kind", ["manual", "confirm", "noise"])
def test_only_scheduled_runs_are_on_the_grid(scene, kind):
    number = scene.series()
    scene.point(number, scene.run(0, kind=kind))
    assert grid(scene, number) == []
    scene.point(number, scene.done(1))
    scene.point(number, scene.run(2, kind=kind), 0.75)
    assert states(scene, number) == {1: "measured"}


def test_ticks_of_another_job_are_none_of_its(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    other = Scene(scene.database, "other")
    other.done(1)
    other.missed(2)
    assert states(scene, number) == {0: "measured"}


def test_a_job_that_got_another_name_goes_on(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    scene.point(number, scene.done(1, job="renamed"))
    scene.tick(2, "missed", job="renamed")
    assert states(scene, number) == {0: "measured", 1: "measured", 2: "missed"}
    found = summary(scene, number)
    assert (found.job, found.n_ticks, found.is_asked) == ("renamed", 3, True)


# --- asked or not ---------------------------------------------------------------------------------


def test_an_engine_that_came_late_begins_late(scene):
    old, late = scene.series(), scene.series("late")
    scene.point(old, scene.done(0))
    scene.missed(1)
    run = scene.done(2)
    scene.point(old, run)
    scene.point(late, run)
    assert states(scene, late) == {2: "measured"}
    assert states(scene, old) == {0: "measured", 1: "missed", 2: "measured"}


def test_an_engine_that_left_has_ended_and_misses_nothing(scene):
    old, left = scene.series(), scene.series("left")
    for weeks in (0, 1):
        run = scene.done(weeks)
        scene.point(old, run)
        scene.point(left, run)
    scene.missed(2)
    scene.point(old, scene.done(3))
    scene.missed(4)
    assert states(scene, left) == {0: "measured", 1: "measured", 2: "missed"}
    found = summary(scene, left)
    assert (found.is_asked, found.last_due_at) == (False, week(2))
    assert summary(scene, old).is_asked
    with scene.database.read() as connection:
        after = series.find_not_asked(connection, grid(scene, left))
    assert after == [week(3), week(4)]


def test_an_engine_that_rested_has_no_gap_of_its_own(scene):
    other, rested = scene.series("other"), scene.series()
    for weeks in (0, 1, 3):
        run = scene.done(weeks)
        scene.point(other, run)
        if weeks != 1:
            scene.point(rested, run)
    scene.missed(2)
    assert states(scene, rested) == {0: "measured", 3: "measured"}
    with scene.database.read() as connection:
        assert series.find_not_asked(connection, grid(scene, rested)) == [week(1), week(2)]


def test_a_target_that_was_taken_out_is_not_owed_by_a_failed_run(scene):
    czech, polish = scene.series(), scene.series(target="pl")
    run = scene.done(0)
    scene.point(czech, run)
    scene.point(polish, run)
    failed = scene.run(1, state="running")
    scene.asked(failed, target="pl")
    scene.tick(1, "failed", run_id=failed)
    assert states(scene, czech) == {0: "measured"}
    assert states(scene, polish) == {0: "measured", 1: "insufficient"}


# --- signatures -----------------------------------------------------------------------------------


def test_a_tick_that_only_another_signature_has_is_a_gap_with_the_remedy(scene):
    number = scene.series()
    first, second = scene.done(0), scene.done(1)
    newer = scene.another_signature()
    scene.point(number, first)
    scene.point(number, second, 0.9, signature_id=newer)
    hashes = rows(scene.database, "SELECT hash FROM signatures ORDER BY id")
    shown, other = (row["hash"] for row in hashes)
    tick = grid(scene, number)[1]
    assert (tick.state, tick.value, tick.point_id) == (State.INSUFFICIENT, None, None)
    assert tick.signature == shown
    said = f"computed with signature {other[:12]} only; what lacks is computed by: monitor redo"
    assert tick.reason == f"{said} --job {tick.job}"
    assert (summary(scene, number).n_measured, summary(scene, number).last_value) == (1, None)
    theirs = grid(scene, number, signature=other)
    assert [(one.state.value, one.value) for one in theirs] == [
        ("insufficient", None), ("measured", 0.9),
    ]  # fmt: skip
    assert theirs[0].reason == f"not computed with signature {other[:12]} at this tick"
    assert {one.signature for one in theirs} == {other}
    assert (theirs[0].low, theirs[0].used, theirs[0].computed_at) == (None, None, None)


@pytest.mark.parametrize(
    ("reference", "before", "after", "said"),
    [
        ("", {"list": "mini@1"}, {"list": "mini@2"}, "asked with another list (mini@1)"),
        ("", {"list": "mini@1", "language_version": 1}, {"list": "mini@2", "language_version": 2},
         "asked with another list (mini@1)"),
        ("csv:own", {"list": "mini@1", "reference": "csv:own@2023 (ab)"},
         {"list": "mini@1", "reference": "csv:own@2024 (cd)"},
         "held against another target (csv:own@2023 (ab))"),
    ],
)  # fmt: skip
def test_what_was_asked_otherwise_no_redo_promises_to_change(scene, reference, before, after, said):
    older, newer = scene.another_signature(**before), scene.another_signature(**after)
    number = scene.series(reference=reference, signature_id=newer)
    scene.point(number, scene.done(0), 0.4, signature_id=older)
    scene.point(number, scene.done(1), 0.9, signature_id=newer)
    first, second = grid(scene, number)
    query = f"SELECT hash FROM signatures WHERE id = {older}"
    [older_hash] = [row["hash"] for row in rows(scene.database, query)]
    shown = f"monitor series show {number} --signature {older_hash[:12]} shows it"
    assert (first.state, first.value) == (State.INSUFFICIENT, None)
    assert first.reason == f"{said}; {shown}"
    assert (second.value, second.reason) == (0.9, "")
    assert grid(scene, number, signature=older_hash)[0].value == 0.4


def test_a_newer_snapshot_of_a_source_that_is_asked_is_computed_by_redo(scene):
    older = scene.another_signature(list="mini@1", reference="wikidata@2024-01-01")
    newer = scene.another_signature(list="mini@1", reference="wikidata@2024-06-01")
    number = scene.series(reference="wikidata", signature_id=newer)
    scene.point(number, scene.done(0), 0.4, signature_id=older)
    assert "what lacks is computed by: monitor redo" in grid(scene, number)[0].reason


def test_a_chart_goes_over_at_the_first_tick_of_another_list_and_of_other_shares(scene):
    """Also where it is noticed much later; other shares of a file are waited for by nobody."""
    runs_of = [scene.done(weeks) for weeks in range(3)]
    for reference, before, after in (
        ("", {"list": "mini@1"}, {"list": "mini@2"}),
        ("csv:own", {"reference": "csv:own@2023 (ab)"}, {"reference": "csv:own@2024 (cd)"}),
    ):
        older, newer = scene.another_signature(**before), scene.another_signature(**after)
        number = scene.series(reference=reference, signature_id=older)
        for weeks, signature in ((0, older), (1, newer), (2, newer)):
            scene.point(number, runs_of[weeks], signature_id=signature)
        with scene.database.begin() as connection:
            [gone] = signatures.switch_series(connection, week(40), [number])
            [seen] = series.read_switches(connection, [number])
        assert (gone.shown, gone.wanted) == (older, newer)
        assert seen.switched_at == week(1)


def test_what_is_computed_anew_goes_over_when_that_is_complete(scene):
    number = scene.series()
    newer = scene.another_signature()
    run = scene.done(0)
    scene.point(number, run)
    scene.point(number, run, 0.9, signature_id=newer, is_current=False)
    scene.point(number, scene.done(1), 0.9, signature_id=newer)
    with scene.database.begin() as connection:
        signatures.switch_series(connection, week(40))
        [seen] = series.read_switches(connection, [number])
    assert seen.switched_at == week(40)


def test_a_chart_that_stands_still_is_told_of_the_job_that_asked_last(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    newer = scene.another_signature()
    scene.point(number, scene.done(1, job="later"), 0.9, signature_id=newer)
    with scene.database.read() as connection:
        [one] = signatures.find_stale(connection)
        assert signatures.count_stale(connection) == {"later": 1}
    assert (one.job, one.series) == ("later", (number,))
    assert [job for job, _ in one.held_by] == [scene.job]


def test_a_chart_shows_one_signature_of_ticks_that_have_two(scene):
    number = scene.series()
    older = scene.another_signature(0)
    for weeks in (0, 1):
        run = scene.done(weeks)
        scene.point(number, run, 0.1, signature_id=older, is_current=False)
        scene.point(number, run, 0.5)
    scene.missed(2)
    assert [tick.value for tick in grid(scene, number)] == [0.5, 0.5, None]
    hash_ = rows(scene.database, "SELECT hash FROM signatures ORDER BY id DESC")[0]["hash"]
    ticks = grid(scene, number, signature=hash_)
    assert [tick.value for tick in ticks] == [0.1, 0.1, None]
    assert ticks[2].state is State.MISSED
    with scene.database.read() as connection:
        known = series.list_signatures(connection, number)
    assert [(one.n_points, one.parts["version"]) for one in known] == [(2, 1), (2, 0)]


def test_of_two_computations_with_one_signature_the_newest_counts(scene):
    number = scene.series()
    run = scene.done(0)
    scene.point(number, run, 0.1, is_current=False, is_newest=False)
    scene.point(number, run, 0.6, inputs_digest="two")
    hash_ = rows(scene.database, "SELECT hash FROM signatures")[0]["hash"]
    assert [tick.value for tick in grid(scene, number)] == [0.6]
    assert [tick.value for tick in grid(scene, number, signature=hash_)] == [0.6]


def test_a_series_whose_signature_nobody_chose_has_gaps_and_not_mixed_values(scene):
    number = scene.series(signature_id=None)
    scene.point(number, scene.done(0))
    [tick] = grid(scene, number)
    assert (tick.state, tick.value, tick.signature) == (State.INSUFFICIENT, None, "")
    assert "only; what lacks is computed by" in tick.reason


# --- clocks ---------------------------------------------------------------------------------------


def test_ticks_that_a_wrong_clock_noted_leave_with_it(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    scene.tick(1, "missed", "nobody was there", noted=week(3))
    scene.tick(2, "missed", "nobody was there", noted=week(3))
    scene.point(number, scene.done(3), 0.7)  # begun while the clock was ahead: it stays
    assert list(states(scene, number)) == [0, 1, 2, 3]
    with scene.database.begin() as connection:
        assert ticks.remove_later(connection, week(0) + timedelta(days=1)) == 2
    assert states(scene, number) == {0: "measured", 3: "measured"}
    with scene.database.read() as connection:
        assert series.find_not_asked(connection, grid(scene, number)) == []


def test_runs_that_came_late_stand_where_they_were_due(scene):
    number = scene.series()
    for weeks, value in ((2, 0.3), (0, 0.1), (1, 0.2)):
        scene.point(number, scene.done(weeks), value)
    assert [tick.value for tick in grid(scene, number)] == [0.1, 0.2, 0.3]
    assert summary(scene, number).last_value == 0.3


def test_a_stretch_of_time_holds_its_ends(scene):
    number = scene.series()
    for weeks in range(4):
        scene.point(number, scene.done(weeks))
    assert len(grid(scene, number, week(1), week(2))) == 2
    assert len(grid(scene, number, week(1) + timedelta(seconds=1), None)) == 2


# --- which ----------------------------------------------------------------------------------------


def found(scene, **filters):
    with scene.database.read() as connection:
        return [one.id for one in series.find_series(connection, Filters(**filters))]


def test_series_are_found_by_what_they_are_about(scene):
    first = scene.series()
    polish = scene.series(target="pl")
    formal = scene.series("deepl(formality=less)")
    against = scene.series("google", quantity="mab", reference="parity", measure="c_ratio_bias")
    part = scene.series(scope="stereotype:3", quantity="p_i")
    assert found(scene, target="pl") == [polish]
    assert set(found(scene, engine="deepl")) == {first, polish, part}  # exactly so
    assert found(scene, engine="deepl(") == [formal]
    assert set(found(scene, engine="dee")) == {first, polish, formal, part}
    assert found(scene, engine="DEEPL") == found(scene, engine="d%") == []
    assert found(scene, reference="parity") == found(scene, measure="c_ratio") == [against]
    assert against not in found(scene, reference="")
    assert found(scene, scope="stereotype:3", job="audit", list="mini", source_lang="en") == [part]
    with scene.database.read() as connection:
        key = series.get_series(connection, formal).key
    assert found(scene, key=key[:10]) == [formal]
    assert found(scene, quantity="nothing") == []


def test_the_one_series_that_is_meant_is_over_all_questions(scene):
    whole = scene.series(quantity="p_i")
    part = scene.series(scope="stereotype:3", quantity="p_i")
    with scene.database.read() as connection:
        assert series.find_single(connection, Filters(quantity="p_i")).id == whole
        assert series.find_single(connection, Filters(scope="stereotype:3")).id == part
        with pytest.raises(InvalidInput, match="no series: quantity 'x'"):
            series.find_single(connection, Filters(quantity="x"))


def test_several_that_fit_are_named(scene):
    for place in range(15):
        scene.series(target=f"t{place}", label="evil\x1b[2J\u202e")
    with scene.database.read() as connection, pytest.raises(InvalidInput) as raised:
        series.find_single(connection, Filters(quantity="f_s"))
    said = str(raised.value)
    assert "15 series fit quantity 'f_s'" in said
    assert "and 3 more" in said
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_small_charts_hold_the_newest_ticks_of_the_job(scene):
    number, old = scene.series(), scene.series("old")
    for weeks in range(6):
        run = scene.done(weeks)
        scene.point(number, run, None if weeks == 4 else weeks / 10)
        if weeks < 2:
            scene.point(old, run)
    with scene.database.read() as connection:
        chosen = series.find_series(connection, Filters())
        marks = series.read_newest_marks(connection, chosen, 3)
    assert [(mark.state.value, mark.value) for mark in marks[number]] == [
        ("measured", 0.3), ("insufficient", None), ("measured", 0.5),
    ]  # fmt: skip
    assert old not in marks


def test_small_charts_hold_the_newest_ticks_of_each_job(scene):
    """A job that rests shows what it had, and does not make those of others longer."""
    ours, resting = scene.series(), scene.series("old", job="resting")
    for weeks in range(6):
        scene.point(ours, scene.done(weeks), weeks / 10)
        if weeks < 3:
            scene.point(resting, scene.done(weeks, job="resting"), weeks / 10)
    with scene.database.read() as connection:
        marks = series.read_newest_marks(connection, series.find_series(connection, Filters()), 2)
    assert [mark.value for mark in marks[ours]] == [0.4, 0.5]
    assert [mark.value for mark in marks[resting]] == [0.1, 0.2]


def many(scene):
    """Series that go on, ended, rest, are computed anew, and were never asked on schedule.

    Returns their numbers, in this order.
    """
    still, gone, sooner = scene.series(), scene.series("gone"), scene.series("sooner")
    resting, anew = scene.series("old", job="resting"), scene.series(scope="tag:a=b")
    scene.point(resting, scene.done(0, job="resting"), 0.9)
    scene.point(resting, scene.done(1, job="resting"), None)
    for weeks in range(6):
        run = scene.done(weeks)
        scene.point(still, run, weeks / 10)
        scene.point(anew, run, weeks / 20, signature_id=scene.another_signature())
        for number, until in ((gone, 3), (sooner, 1)):
            if weeks < until:
                scene.point(number, run, weeks / 5)
    scene.missed(6)
    scene.asked(scene.run(7, state="interrupted"))
    never = scene.series("never")
    scene.point(never, scene.run(9, kind="manual"))
    return [still, gone, sooner, resting, anew, never]


@pytest.mark.parametrize("few", [500, 2])
def test_summaries_are_the_rows_of_the_view(scene, monkeypatch, few):
    """Of a few series and of many, which are looked up in other ways."""
    monkeypatch.setattr(series, "_FEW", few)
    numbers = many(scene)
    with scene.database.read() as connection:
        found = series.read_summaries(connection, series.find_series(connection, Filters()))
        times = ("first_due_at", "last_due_at")
        columns = [
            sa.column(name, UtcDateTime if name in times else None)
            for name in series.SeriesSummary.__slots__
        ]
        view = connection.execute(sa.select(*columns).select_from(sa.table("series"))).all()
    assert sorted(found) == sorted(numbers[:-1])
    assert [dict(row._mapping) for row in sorted(view, key=lambda row: row.series_id)] == [
        as_row(found[number]) for number in sorted(found)
    ]
    asked = [found[number].is_asked for number in numbers[:-1]]
    assert asked == [True, False, False, True, True]


@pytest.mark.parametrize("few", [500, 2])
def test_small_charts_are_the_end_of_the_grid(scene, monkeypatch, few):
    monkeypatch.setattr(series, "_FEW", few)
    numbers = many(scene)
    with scene.database.read() as connection:
        marks = series.read_newest_marks(connection, series.find_series(connection, Filters()), 4)
    of_job = {number: week(0 if number == numbers[3] else 4) for number in numbers}
    for number in numbers:
        ticks = [tick for tick in grid(scene, number) if tick.due_at >= of_job[number]]
        assert marks.get(number, []) == [
            (one.due_at, one.state, one.value, one.low, one.high) for one in ticks
        ]
    assert [mark.state for mark in marks[numbers[0]]][-2:] == [State.MISSED, State.INSUFFICIENT]


def test_a_run_that_was_stopped_before_it_asked_hides_no_series(scene):
    number = scene.series()
    scene.point(number, scene.done(0))
    scene.run(1, state="interrupted")
    assert states(scene, number) == {0: "measured"}
    found = summary(scene, number)
    assert (found.n_ticks, found.last_due_at, found.last_value) == (1, week(0), 0.5)
    assert not found.is_asked


# --- beside values --------------------------------------------------------------------------------


def test_steps_changes_and_switches_of_a_series(scene):
    number, other = scene.series(), scene.series("other")
    first, second = scene.done(0), scene.done(1)
    newer = scene.another_signature()
    scene.compared(number, first, second)
    scene.compared(number, first, second, is_current=False, delta=9.0)
    scene.compared(number, first, second, contrast="minutes")
    scene.compared(
        other, first, second, state="insufficient", delta=None, p=None, reason="no common question"
    )
    scene.changed(number, first, second)
    scene.changed(number, first, second, is_current=False)
    scene.add(
        schema.switches, series_id=number, from_id=scene.signature, to_id=newer, switched_at=week(1)
    )
    with scene.database.read() as connection:
        [step] = series.read_comparisons(connection, [number])
        [gap] = series.read_comparisons(connection, [other])
        [change] = series.read_changes(connection, [number])
        [switch] = series.read_switches(connection, [number])
        assert series.read_comparisons(connection, []) == []
        assert series.read_switches(connection, [other]) == []
    assert (step.delta, step.before_due_at, step.due_at) == (0.25, week(0), week(1))
    assert (gap.delta, gap.state, gap.reason) == (None, State.INSUFFICIENT, "no common question")
    assert (change.effect, change.status, change.changed_at) == (0.25, "confirmed", week(1))
    assert switch.switched_at == week(1)
    assert switch.before != switch.after


# --- after real runs ------------------------------------------------------------------------------


def test_runs_of_the_program_are_on_the_grid_with_the_values_of_their_reports(database, tmp_path):
    audit = make_audit(tmp_path)
    run_audit(database, audit, Scripted(portuguese(ITEMS)))
    lost = Scripted(portuguese(ITEMS), lambda *_: answer(outcome=Outcome.TIMEOUT, body=b""))
    run_audit(database, audit, lost, DUE + timedelta(days=7))
    run_audit(database, audit, Scripted(portuguese(ITEMS)), DUE + timedelta(days=14))
    run_audit(database, audit, Scripted(portuguese(ITEMS)), DUE, RunKind.MANUAL)
    with database.read() as connection:
        [f_s] = series.find_series(connection, Filters(quantity="f_s"))
        ticks = series.read_grid(connection, f_s.id)
    assert [tick.state.value for tick in ticks] == ["measured", "insufficient", "measured"]
    assert ticks[1].reason
    sql = "SELECT point_id, value FROM points_current WHERE series_id = :id AND run_id = :run"
    for tick in ticks:
        [row] = rows(database, sql, id=f_s.id, run=tick.run_id)
        assert (row["point_id"], row["value"]) == (tick.point_id, tick.value)
    counted = rows(database, "SELECT COUNT(*) AS n, SUM(n_ticks) AS ticks FROM series")[0]
    assert counted["ticks"] == 3 * counted["n"]
