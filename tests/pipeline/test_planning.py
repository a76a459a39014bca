"""What the coming tick of a job can find, by what its database knows of noise and earlier ticks."""

from datetime import timedelta

import pytest
import sqlalchemy as sa
from monitor.stats.discovery import lord

from monitor import registry
from monitor.change import Contrast, Test
from monitor.model import State
from monitor.pipeline import planning, preregistering
from monitor.stages import findings
from monitor.store import changes, comparisons, noise_seen
from monitor.store.changes import Looked
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


def look(database, number, p):
    with database.begin() as connection:
        due_at = DUE + timedelta(weeks=number)
        looked = Looked(due_at, number, 1, 3, p, 0.001, 0, "rule", "digest")
        changes.keep_look(connection, "mini", looked, DUE)


def row(outlook, quantity):
    [found] = [one for one in outlook.rows if one.quantity == quantity]
    return found


@pytest.mark.parametrize("where", ["nowhere", "empty"])
def test_where_nothing_is_known_flips_are_assumed(database, audit, where):
    found = planning.outlook(None if where == "nowhere" else database, audit)
    f_s = row(found, "f_s")
    assert (f_s.probes, f_s.flips, f_s.flips_from, f_s.flips_n) == (32, 0.02, "assumed", 0)
    assert (found.tick, found.ledger, found.ticks_a_year) == (1, 1, 52)
    assert found.quiet_year == pytest.approx(0.0247, abs=1e-4)
    assert found.noise_share is f_s.shared_noise is None
    assert [(level.name, level.alpha) for level in found.levels] == [
        ("alone", 0.05),
        ("tick", lord([], 0.05).next_level),
        ("single", lord([], 0.05).next_level / 3),
    ]
    assert [name for name, _ in f_s.found] == ["alone"] * 2 + ["tick"] * 2 + ["single"] * 2
    alone, tick = f_s.found[0][1], f_s.found[2][1]
    assert alone.effect < tick.effect


def test_flips_are_those_of_days_before_those_of_minutes(ticked, audit):
    compared(ticked, "f_s", Contrast.MINUTES, 1, 100)
    compared(ticked, "f_m", Contrast.MINUTES, 3, 100)
    compared(ticked, "f_m", Contrast.MINUTES, 1, 100)
    assert row(planning.outlook(ticked, audit), "f_s").flips_from == "minutes"
    compared(ticked, "f_s", Contrast.DAYS, 5, 50)
    found = planning.outlook(ticked, audit)
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
        assert noise_seen.flips(connection, "mini") == {}
        assert noise_seen.flips(connection, "other") == {}
        assert comparisons.of_series(connection, [1], Contrast.ENGINES) == {}


def test_an_engine_that_never_flipped_has_flips_of_zero_and_not_assumed_ones(ticked, audit):
    compared(ticked, "f_s", Contrast.DAYS, 0, 32)
    f_s = row(planning.outlook(ticked, audit), "f_s")
    assert (f_s.flips, f_s.flips_from) == (0.0, "days")
    assert f_s.found[0][1].effect > 0


def test_the_level_of_the_coming_tick_follows_from_the_ledger(ticked, audit):
    for number, p in ((1, 0.3), (2, None), (3, 1e-6), (4, 0.2)):
        look(ticked, number, p)
    found = planning.outlook(ticked, audit)
    expected = lord([0.3, 1e-6, 0.2], 0.05).next_level
    assert found.tick == 4
    assert found.levels[1].alpha == expected
    assert expected > lord([0.3, 0.5, 0.2], 0.05).next_level  # something was found


def test_a_new_ledger_begins_after_52_ticks(ticked, audit):
    for number in range(1, 54):
        look(ticked, number, 1e-9 if number == 52 else 0.4)
    found = planning.outlook(ticked, audit)
    assert (found.tick, found.ledger) == (2, 2)
    assert found.levels[1].alpha == pytest.approx(0.025 / 52)  # nothing of what tick 52 earned


def test_a_daily_job_has_seven_ledgers_a_year(tmp_path):
    daily = {"cron": "0 5 * * *", "timezone": "UTC"}
    found = planning.outlook(None, make_audit(tmp_path, schedule=daily))
    assert found.ticks_a_year == 365
    assert found.quiet_year == pytest.approx(0.161, abs=1e-3)


def test_how_much_shared_noise_is_seen_follows_from_the_share_asked_again(tmp_path):
    seen = {}
    for share in (0.1, 1.0):
        audit = make_audit(tmp_path, noise={"share": share}, families={"primaries": ["f_s"]})
        seen[share] = row(planning.outlook(None, audit), "f_s").shared_noise
    assert seen[0.1] == pytest.approx(seen[1.0] * 10**0.5)
    # 32 sentences, 2 of each stereotype: variance 0.02 (1/7 + 1/9) / 2; chi-squared on 8 degrees
    own = 0.02 * (1 / 7 + 1 / 9) / 2
    assert seen[1.0] == pytest.approx((own * (15.5073 / 4.5936 - 1)) ** 0.5, rel=1e-4)


def test_alpha_is_the_declared_one(database, tmp_path):
    audit = make_audit(tmp_path, preregistration=DECLARED | {"alpha": 0.01})
    assert planning.outlook(None, audit).levels[0].alpha == 0.01
    preregistering.register(database, audit, DUE)
    later = make_audit(tmp_path, preregistration=DECLARED | {"alpha": 0.2})
    assert planning.outlook(database, later).levels[0].alpha == 0.01  # the first counts
    assert [one.quantity for one in planning.outlook(None, audit).rows] == ["f_s", "f_m"]


def test_what_was_not_declared_in_time_is_not_planned_with(ticked, tmp_path):
    """As the tick will be tested: at the level of those that declare nothing."""
    late = make_audit(tmp_path, preregistration=DECLARED | {"alpha": 0.2})
    assert planning.outlook(None, late).levels[0].alpha == 0.2
    found = planning.outlook(ticked, late)
    assert found.levels[0].alpha == findings.ALPHA
    assert [one.quantity for one in found.rows] == ["f_s", "f_m"]


def test_series_are_those_that_were_declared(database, tmp_path):
    first = DECLARED | {"targets": ["pt"]}
    preregistering.register(database, make_audit(tmp_path, preregistration=first), DUE)
    engines = [{"name": "firefox_translations", "targets": ["pt", "es"]}]
    later = make_audit(tmp_path, engines=engines, families={"primaries": ["s_or"]})
    found = planning.outlook(database, later)
    assert [(one.series.target, one.quantity) for one in found.rows] == [
        ("pt", "f_s"), ("pt", "f_m"),
    ]  # fmt: skip


def test_of_a_measure_those_are_first_that_are_named():
    measure = registry.measure("masculine_rate")
    assert planning.primaries_of(measure, ()) == tuple(getattr(measure, "primaries", ()))
    assert planning.primaries_of(measure, ["s_or", "gone", "f_m"]) == ("s_or", "f_m")


def test_a_family_has_four_at_most_and_a_control_none(tmp_path):
    engines = [
        {"name": "firefox_translations", "targets": ["pt", "es"], "control": True},
        {"name": "libretranslate", "targets": ["pt"], "own": True,
         "config": {"base_url": "http://127.0.0.1:9"}},
    ]  # fmt: skip
    audit = make_audit(tmp_path, engines=engines, families={"primaries": ["s_or", "f_s"]})
    found = planning.outlook(None, audit)
    assert [(one.series.target, one.quantity) for one in found.rows] == [
        ("pt", "s_or"),
        ("pt", "f_s"),
    ]
    assert found.rows[0].found == ()
    assert "no distribution" in found.rows[0].reason
    alone = make_audit(tmp_path, engines=engines[:1])
    assert planning.outlook(None, alone).rows == ()
