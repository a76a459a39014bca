"""What a job can find, and what it asks for that, by what its database knows of noise."""

import random
from itertools import count

import pytest
import sqlalchemy as sa

from monitor import registry
from monitor.change import Contrast, Test
from monitor.model import State
from monitor.pipeline import jobs
from monitor.pipeline.changes.tested_series import primaries_of
from monitor.stages.changes import detectable_effects
from monitor.stages.changes.decisions import ALPHA, SeriesWatch, WholeRunValue
from monitor.store.changes import comparisons
from monitor.store.schema import comparisons as table
from monitor.store.schema import series_keys
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, run_audit
from tests.test_jobs_tables import DECLARED

ITEMS = mini_items()


@pytest.fixture
def audit(tmp_path):
    return make_audit(tmp_path)


@pytest.fixture
def ticked(database, audit):
    """A database with one tick of the job, so that there are series."""
    run_audit(database, audit, Scripted(portuguese(ITEMS)))
    return database


def compared(database, quantity, contrast, changed, n, *, scope="all", **fields):
    """One comparison of a series, as others store it."""
    with database.begin() as connection:
        series = sa.select(series_keys.c.id, series_keys.c.signature_id).where(
            series_keys.c.quantity == quantity, series_keys.c.scope == scope
        )
        row = connection.execute(series).one()
        signature = connection.execute(sa.text("SELECT MIN(id) FROM signatures")).scalar_one()
        content = {
            "series_id": row.id,
            "contrast": contrast,
            "before_run_id": 1,
            "after_run_id": 1,
            "signature_id": signature,
            "due_at": DUE,
            "method_version": 1,
            "state": State.MEASURED,
            "reason": "",
            "test": Test.NONE,
            "n": n,
            "only_before": 0,
            "only_after": 0,
            "changed": changed,
            "delta": 0.0,
            "facts": {},
            "inputs_digest": "x",
            "computed_at": DUE,
            "is_current": True,
        } | fields
        connection.execute(sa.insert(table).values(content))


def row(outlook, quantity):
    [found] = [one for one in outlook.rows if one.series.quantity == quantity]
    return found


@pytest.mark.parametrize("where", ["nowhere", "empty"])
def test_where_nothing_is_known_flips_are_assumed(database, audit, where):
    found = jobs.make_outlook(None if where == "nowhere" else database, audit)
    f_s = row(found, "f_s")
    assert (f_s.probes, f_s.flips, f_s.flips_from, f_s.flips_n) == (32, 0.02, "assumed", 0)
    assert (found.alpha, found.ticks_a_year) == (ALPHA, 52)
    assert (found.noise_share, found.runs_a_tick, found.confirms) == (None, 1, False)
    assert found.how == detectable_effects.make_deciding(3, 1, ALPHA)
    assert [(one.claim, one.power) for one in f_s.smallest] == [
        ("list", 0.8), ("list", 0.9), ("beyond", 0.8), ("beyond", 0.9),
    ]  # fmt: skip
    assert f_s.smallest[0].effect < f_s.smallest[1].effect


def test_flips_are_those_of_days_before_those_of_minutes(ticked, audit):
    compared(ticked, "f_s", Contrast.MINUTES, 1, 100)
    compared(ticked, "f_m", Contrast.MINUTES, 3, 100)
    compared(ticked, "f_m", Contrast.MINUTES, 1, 100)
    assert row(jobs.make_outlook(ticked, audit), "f_s").flips_from == "minutes"
    compared(ticked, "f_s", Contrast.DAYS, 5, 50)
    found = jobs.make_outlook(ticked, audit)
    f_s, f_m, marked = (row(found, name) for name in ("f_s", "f_m", "marked_share"))
    assert (f_s.flips, f_s.flips_from, f_s.flips_n) == (0.1, "days", 50)
    assert (f_m.flips, f_m.flips_from, f_m.flips_n) == (0.02, "minutes", 200)
    assert marked.flips_from == "assumed"


def test_what_does_not_count_is_left_out(ticked, audit):
    compared(ticked, "f_s", Contrast.STEP, 30, 32)
    compared(ticked, "f_s", Contrast.DAYS, 30, 32, is_current=False)
    lacking = {"state": State.INSUFFICIENT, "delta": None}
    compared(ticked, "f_s", Contrast.DAYS, 2, 3, **lacking)
    compared(ticked, "f_s", Contrast.DAYS, 0, 0)
    with ticked.read() as connection:
        assert comparisons.count_flips(connection, "mini") == {}
        assert comparisons.count_flips(connection, "other") == {}
        assert comparisons.find_series_comparisons(connection, [1], Contrast.ENGINES) == {}


def test_an_engine_that_never_flipped_has_flips_of_zero_and_not_assumed_ones(ticked, audit):
    compared(ticked, "f_s", Contrast.DAYS, 0, 32)
    f_s = row(jobs.make_outlook(ticked, audit), "f_s")
    assert (f_s.flips, f_s.flips_from) == (0.0, "days")
    assert f_s.smallest[0].effect > 0


@pytest.mark.parametrize(("share", "runs"), [(1, 2), (0.1, 1)])
def test_noise_runs_of_all_questions_count_and_need_fewer_ticks(tmp_path, share, runs):
    audit = make_audit(tmp_path, noise={"share": share}, families={"primaries": ["f_s"]})
    found = jobs.make_outlook(None, audit)
    assert (found.noise_share, found.runs_a_tick) == (share, runs)
    assert found.how == detectable_effects.make_deciding(1, runs, ALPHA)
    assert found.how.before == 12 * runs - 1


def test_a_year_has_its_price(tmp_path):
    audit = make_audit(tmp_path, noise={"share": 0.25}, confirm={})
    found = jobs.make_outlook(None, audit)
    assert (found.ticks_a_year, found.questions) == (52, 52 * 32)
    assert found.noise_questions == 52 * 32 / 4
    assert found.confirms
    # three series of one system, whose 32 questions are asked again
    assert found.confirming_questions == round(3 * 32 * jobs.chance_signals(1, 52)) > 0
    daily = {"cron": "0 5 * * *", "timezone": "UTC"}
    found = jobs.make_outlook(None, make_audit(tmp_path, schedule=daily))
    assert (found.ticks_a_year, found.questions) == (365, 365 * 32)
    assert (found.noise_questions, found.confirming_questions) == (0, 0)


@pytest.mark.parametrize("runs_a_tick", [1, 2])
def test_chance_signals_are_as_many_as_simulated_series_have(runs_a_tick):
    """Each tick is followed by a confirming run where a signal stands, then by its noise run."""
    rng = random.Random(5)  # noqa: S311 - no secret
    series, ticks = 250, 52
    asked = 0
    for _ in range(series):
        watch, numbers = SeriesWatch(), count()
        for tick in range(ticks):
            is_asked = False
            for number in range(runs_a_tick):
                if tick or number:  # the first run is what others are compared with
                    watch.add(WholeRunValue(next(numbers), tick, rng.gauss(0, 1)), ALPHA / 8)
                if watch.raised() and not is_asked:
                    is_asked = True
                    watch.add(WholeRunValue(next(numbers), tick, rng.gauss(0, 1)), ALPHA / 8)
            asked += is_asked
    expected = jobs.chance_signals(runs_a_tick, ticks)
    # a standard error is about 0.04; signals that last for two ticks are left out
    assert asked / series == pytest.approx(expected, abs=0.12)


def test_alpha_is_the_declared_one(database, tmp_path):
    audit = make_audit(tmp_path, preregistration=DECLARED | {"alpha": 0.01})
    assert jobs.make_outlook(None, audit).alpha == 0.01
    jobs.register_job(database, audit, DUE)
    later = make_audit(tmp_path, preregistration=DECLARED | {"alpha": 0.2})
    assert jobs.make_outlook(database, later).alpha == 0.01  # the first counts
    assert [one.series.quantity for one in jobs.make_outlook(None, audit).rows] == [
        "f_s",
        "f_m",
    ]


def test_what_was_not_declared_in_time_is_not_planned_with(ticked, tmp_path):
    """As the tick will be tested: at the level of those that declare nothing."""
    late = make_audit(tmp_path, preregistration=DECLARED | {"alpha": 0.2})
    assert jobs.make_outlook(None, late).alpha == 0.2
    found = jobs.make_outlook(ticked, late)
    assert found.alpha == ALPHA
    assert [one.series.quantity for one in found.rows] == ["f_s", "f_m"]


def test_series_are_those_that_were_declared(database, tmp_path):
    first = DECLARED | {"targets": ["pt"]}
    jobs.register_job(database, make_audit(tmp_path, preregistration=first), DUE)
    engines = [{"name": "firefox_translations", "targets": ["pt", "es"]}]
    later = make_audit(tmp_path, engines=engines, families={"primaries": ["s_or"]})
    found = jobs.make_outlook(database, later)
    assert [(one.series.target, one.series.quantity) for one in found.rows] == [
        ("pt", "f_s"), ("pt", "f_m"),
    ]  # fmt: skip


def test_of_a_measure_those_are_first_that_are_named():
    measure = registry.measure("masculine_rate")
    assert primaries_of(measure, ()) == tuple(getattr(measure, "primaries", ()))
    assert primaries_of(measure, ["s_or", "gone", "f_m"]) == ("s_or", "f_m")


def test_a_family_has_four_at_most_and_a_control_none(tmp_path):
    engines = [
        {"name": "firefox_translations", "targets": ["pt", "es"], "control": True},
        {"name": "libretranslate", "targets": ["pt"], "own": True,
         "config": {"base_url": "http://127.0.0.1:9"}},
    ]  # fmt: skip
    audit = make_audit(tmp_path, engines=engines, families={"primaries": ["s_or", "f_s"]})
    found = jobs.make_outlook(None, audit)
    assert [(one.series.target, one.series.quantity) for one in found.rows] == [
        ("pt", "s_or"),
        ("pt", "f_s"),
    ]
    assert found.rows[0].smallest == ()
    assert "no distribution" in found.rows[0].reason
    alone = make_audit(tmp_path, engines=engines[:1])
    assert jobs.make_outlook(None, alone).rows == ()
