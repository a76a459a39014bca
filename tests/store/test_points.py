"""Points: the same inputs write nothing, newer ones add rows, one of them is current."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.model import Flag, Result, RunKind, Share, State, TopicValue, Value
from monitor.store import schema
from monitor.store.collect import runs
from monitor.store.derive import people, points, signatures
from tests.cases import check_each
from tests.factories import DUE, make_audit, rows


@pytest.fixture
def scene(database, tmp_path):
    """(database, run, series key, signature id)."""
    audit = make_audit(tmp_path)
    run = pipeline.start(database, audit, RunKind.SCHEDULED, DUE)
    [(use, engine)] = audit.engines
    with database.begin() as connection:
        engine_id = runs.ensure_engine(connection, engine, use)
        signature = signatures.ensure_signature(connection, {"measure_version": 1})
    names = (engine.name, engine.surface, use.config_hash)
    key = points.SeriesKey("mini", "mini", engine_id, names, "en", "pt", "masculine_rate", "")
    return database, run, key, signature


def value(name="p_i", scope="stereotype:1", number=0.25, **fields):
    counts = {"planned": 40, "answered": 39, "used": 30, "unidentified": 4}
    return Value(name, scope, State.MEASURED, value=number, **(counts | fields))


def store(scene, *values, topics=(), inputs="one", signature=None, at=DUE):
    database, run, key, first = scene
    with database.begin() as connection:
        result = Result(tuple(values), tuple(topics))
        return points.store_result(connection, run, key, signature or first, result, inputs, at)


def current(scene):
    sql = """
        SELECT scope, value, signature, computed_at FROM points_current
        WHERE quantity = 'p_i' ORDER BY scope
    """
    return [(row["scope"], row["value"]) for row in rows(scene[0], sql)]


def count(scene, table="points"):
    return rows(scene[0], f"SELECT COUNT(*) AS n FROM {table}")[0]["n"]


def test_a_value_comes_back_with_all_its_parts(scene):
    given = value(
        low=0.125, high=0.5, bound_low=0.0625, bound_high=0.75, flags=(Flag.EXPLORATORY,),
        facts=(("masculine", 7.5), ("feminine", 22.5)),
    )  # fmt: skip
    assert store(scene, given) == 1
    with scene[0].read() as connection:
        row = connection.execute(sa.select(schema.points)).one()
        query = sa.select(schema.point_facts.c.key, schema.point_facts.c.value)
        facts = dict(connection.execute(query).all())
    assert (row.value, row.low, row.high) == (0.25, 0.125, 0.5)
    assert (row.bound_low, row.bound_high) == (0.0625, 0.75)
    assert (row.planned, row.answered, row.used, row.unidentified) == (40, 39, 30, 4)
    assert (row.state, row.flags, row.due_at, row.is_current) == (
        "measured", ["exploratory"], DUE, True,
    )  # fmt: skip
    assert facts == {"masculine": 7.5, "feminine": 22.5}


def test_numbers_of_numpy_are_stored_as_numbers(scene):
    given = value(
        number=np.float32(0.25), low=np.float64(0), used=np.int64(30), planned=np.int32(40),
        facts=(("n", np.int64(5)), ("share", np.float32(0.5))),
    )  # fmt: skip
    topic = TopicValue("nurse", State.MEASURED, np.int64(4), 4, 4, 0, np.int64(3), np.float32(1))
    store(scene, given, topics=[topic])
    sql = "SELECT value + 1 AS v, low + 1 AS l, used + 1 AS u, planned + 1 AS p FROM points"
    assert rows(scene[0], sql) == [{"v": 1.25, "l": 1.0, "u": 31, "p": 41}]
    facts = rows(scene[0], "SELECT value + 1 AS v FROM point_facts ORDER BY key")
    assert facts == [{"v": 6.0}, {"v": 1.5}]
    sql = "SELECT women + 1 AS w, men + 1 AS m, planned + 1 AS p FROM topic_values"
    assert rows(scene[0], sql) == [{"w": 4.0, "m": 2.0, "p": 5}]


def test_the_same_inputs_write_nothing(scene):
    values = [value(), value(scope="stereotype:2")]
    assert store(scene, *values) == 2
    assert store(scene, *values, at=DUE + timedelta(days=1)) == 0
    assert count(scene) == 2
    assert current(scene) == [("stereotype:1", 0.25), ("stereotype:2", 0.25)]


def test_newer_inputs_add_rows_and_become_current(scene):
    store(scene, value(), value(scope="stereotype:2"))
    newer = [value(number=0.5), value(scope="stereotype:2", number=0.75)]
    assert store(scene, *newer, inputs="two") == 2
    assert count(scene) == 4
    assert current(scene) == [("stereotype:1", 0.5), ("stereotype:2", 0.75)]


def test_a_new_signature_waits_until_the_series_goes_over_to_it(scene):
    store(scene, value())
    with scene[0].begin() as connection:
        second = signatures.ensure_signature(connection, {"measure_version": 2})
    assert second != scene[3]
    assert store(scene, value(number=0.5), signature=second) == 1
    assert current(scene) == [("stereotype:1", 0.25)]
    with scene[0].begin() as connection:
        [gone] = signatures.switch_series(connection, DUE)
        assert (gone.shown, gone.wanted) == (scene[3], second)
        assert signatures.switch_series(connection, DUE) == []
    assert current(scene) == [("stereotype:1", 0.5)]
    assert count(scene) == 2
    assert rows(scene[0], "SELECT from_id, to_id FROM switches") == [
        {"from_id": scene[3], "to_id": second}
    ]


def test_a_signature_that_returns_to_a_run_is_not_shown_by_that(scene):
    """What a run was computed with last is told by its rows, and these were there before."""
    store(scene, value())
    with scene[0].begin() as connection:
        second = signatures.ensure_signature(connection, {"measure_version": 2})
    store(scene, value(number=0.5), signature=second)
    with scene[0].begin() as connection:
        assert len(signatures.switch_series(connection, DUE)) == 1
    assert store(scene, value()) == 0
    with scene[0].begin() as connection:
        assert signatures.switch_series(connection, DUE) == []
    assert current(scene) == [("stereotype:1", 0.5)]


def test_a_series_more_from_the_same_inputs_leaves_the_others_current(scene):
    store(scene, value())
    assert store(scene, value(), value(scope="stereotype:2", number=0.5)) == 1
    assert current(scene) == [("stereotype:1", 0.25), ("stereotype:2", 0.5)]


def test_another_run_of_the_series_keeps_its_own_current_point(scene, tmp_path):
    store(scene, value())
    database, _, key, signature = scene
    later = pipeline.start(database, make_audit(tmp_path), RunKind.MANUAL, DUE + timedelta(days=7))
    store((database, later, key, signature), value(number=0.5))
    assert current(scene) == [("stereotype:1", 0.25), ("stereotype:1", 0.5)]


def test_a_signature_is_known_by_its_content_in_any_order(scene):
    with scene[0].begin() as connection:
        first = signatures.ensure_signature(connection, {"a": 1, "b": ["x"]})
        assert signatures.ensure_signature(connection, {"b": ["x"], "a": 1}) == first
        assert signatures.ensure_signature(connection, {"a": 2, "b": ["x"]}) != first


def test_the_job_is_no_part_of_the_series(scene):
    store(scene, value())
    with scene[0].begin() as connection:
        renamed = replace(scene[2], job="another")
        result = Result((value(number=0.5),))
        points.store_result(connection, scene[1], renamed, scene[3], result, "two", DUE)
    assert count(scene, "series_keys") == 1


@check_each(
    "change",
    [
        {"list": "other"},
        {"engine": ("firefox_translations", "local", "other")},
        {"source_lang": "de"},
        {"target": "pt-PT"},
        {"measure": "masculine_rate(floor=2)"},
        {"reference": "parity"},
    ],
)
def test_everything_else_is(scene, change):
    assert replace(scene[2], **change).identity != scene[2].identity


def test_topics_stand_with_the_point_and_follow_the_current_one(scene):
    def topic(bias):
        return TopicValue(
            "nurse", State.MEASURED, 4, 4, 4, 0, women=3, men=1, model=0.75, target=0.9,
            bias=bias, source="US", country="US", as_of="2015",
        )  # fmt: skip

    store(scene, value("mb", "all"), topics=[topic(-0.15)])
    store(scene, value("mb", "all"), topics=[topic(-0.15)])
    store(scene, value("mb", "all", 0.5), topics=[topic(0.25)], inputs="two")
    found = rows(scene[0], "SELECT topic, bias FROM topics_current")
    assert found == [{"topic": "nurse", "bias": 0.25}]
    assert count(scene, "topic_values") == 2


@check_each(
    ("state", "number"), [(State.MEASURED, None), (State.INSUFFICIENT, 0.0), (State.MISSED, 0.5)]
)
def test_the_database_refuses_a_number_from_absence(scene, state, number):
    bad = Value("p_i", "stereotype:1", state, 40, 0, 0, 0, value=number)
    with pytest.raises(sa.exc.IntegrityError, match="value_if_measured"):
        store(scene, bad)
    assert count(scene) == 0


def test_an_insufficient_value_keeps_its_reason(scene):
    few = Value("p_i", "stereotype:1", State.INSUFFICIENT, 40, 3, 2, 1, reason="2 of 40, floor 10")
    store(scene, few)
    found = rows(scene[0], "SELECT value, low, reason, state FROM points_current")
    assert found == [
        {"value": None, "low": None, "reason": "2 of 40, floor 10", "state": "insufficient"}
    ]


@check_each("column", ["planned", "answered", "used", "unidentified"])
def test_the_database_refuses_counts_below_zero(scene, column):
    with pytest.raises(sa.exc.IntegrityError, match=f"{column}_counts"):
        store(scene, value(**{column: -1}))


def test_shares_and_scopes_are_kept_once(scene):
    known = {"nurse": (Share("nurse", 0.9, "BLS", "US", "2015", 2800, "Nurses"),)}
    for _ in range(2):
        with scene[0].begin() as connection:
            people.store_shares(connection, "us_labour", "2015", known)
            points.store_scopes(connection, [("stereotype:1", "women", "women are emotional")])
    sql = "SELECT topic, share, n, source_word FROM reference_shares"
    assert rows(scene[0], sql) == [
        {"topic": "nurse", "share": 0.9, "n": 2800, "source_word": "Nurses"}
    ]
    assert count(scene, "scopes") == 1


def test_a_share_beyond_one_is_refused(scene):
    known = {"nurse": (Share("nurse", 1.5, "BLS", "US", "2015"),)}
    with pytest.raises(sa.exc.IntegrityError, match="share_range"), scene[0].begin() as connection:
        people.store_shares(connection, "us_labour", "2015", known)
