"""Answers whose shape changes between two ticks raise an alarm; unchanged ones do not."""

import json
import re
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.fetch import Outside
from monitor.fetch.http import Way
from monitor.model import RunKind
from monitor.pipeline.schedule.supervision import supervise_jobs
from monitor.stages.collect.answer_shapes import find_change
from monitor.store.derive.readings import ShapeTally, add_tally, read_tallies
from monitor.store.journal import events
from monitor.store.schema import points as points_table
from tests.cases import check_each
from tests.command import program
from tests.factories import DUE, make_audit, mini_items, quiet
from tests.looked_after import new_run
from tests.standins import serve
from tests.standins.libretranslate import LibreTranslate

WEEK = timedelta(days=7)


class Changing(LibreTranslate):
    """Adds a key to its answers, or leaves out the translations, once it is told to."""

    change = ""

    def proper(self, request):
        reply = super().proper(request)
        if not self.change:
            return reply
        content = json.loads(reply.body)
        content["extra"] = 1
        if self.change == "lose":
            del content["translatedText"]
        return replace(reply, body=json.dumps(content).encode())


@pytest.fixture
def outside(tmp_path):
    one = Outside(tmp_path / "models", 1, Way(seconds=5))
    yield one
    one.close()


@pytest.mark.parametrize("change", ["", "add", "lose"])
def test_changed_answers_raise_an_alarm_with_two_examples(
    sqlite_database, tmp_path, outside, change, monkeypatch, capsys
):
    app = Changing()
    with serve(app) as running:
        use = {"name": "libretranslate", "targets": ["pt"], "pace": 1000.0,
               "config": {"base_url": running.url}}  # fmt: skip
        audit = make_audit(tmp_path, items=mini_items(1), engines=[use], tries=1)
        for week in range(2):
            app.change = change if week else ""
            tick = pipeline.start(sqlite_database, audit, RunKind.SCHEDULED, DUE + week * WEEK)
            summary = pipeline.run(sqlite_database, audit, tick, outside, quiet)
            run = summary.run
            supervise_jobs(sqlite_database, DUE + week * WEEK)
    with sqlite_database.read() as connection:
        details = {a.kind: a.detail for a in events.list_open_alarms(connection)}
        [(_, tally)] = read_tallies(connection, run.id).values()
        points = list(connection.execute(sa.select(points_table.c.flags, points_table.c.run_id)))
        assert not any(e.kind == "answer_shape" for e in events.list_newest(connection, 50))
    assert tally.answers >= 5
    assert ("answers_changed" in details) is bool(change)
    flagged = {run_id for flags, run_id in points if "answers_changed" in flags}
    assert flagged == ({run.id} if change else set())
    assert any("answers_changed" in line for line in summary.stopped) is bool(change)
    if change:
        [now, before] = re.findall(r"show (\d+) --beside (\d+)", details["answers_changed"])[0]
        assert int(before) < int(now)
        with program(tmp_path, monkeypatch, capsys) as command:
            assert command("evidence", "show", now, "--beside", before, "--json")[0] == 2
            code, out, _ = command("evidence", "show", now, "--beside", before)
        assert code == 0
        assert "part extra: there | not there" in out


def shape(answers, **traits):
    return ShapeTally(answers, traits, {n: 9 for t in traits for n in (t, f"not {t}")})


@check_each(
    ("now", "before", "expected"),
    [
        (shape(20, new=20), [shape(20, new=0)], True),
        (shape(20, new=0), [shape(20, new=0)], False),
        (shape(20, new=20), [shape(20, new=20)], False),  # it has always been so
        (shape(20, lacking=2), [shape(20, lacking=0)], False),  # chance
        (shape(2_000, unread=150), [shape(2_000, unread=20)], False),  # few points
        (shape(4, new=4), [shape(100, new=0)], None),
        (shape(20, new=20), [], None),
        (shape(20, new=20), [shape(2, new=0), shape(2, new=0)], None),
        (shape(0), [shape(20, new=0)], None),  # a run without answers
        (shape(7, unread=7), [shape(4, unread=0), shape(4, unread=0)], True),
        (
            shape(20, **{"part a": 20, "part b": 0}),
            [shape(20, **{"part a": 20, "part b": 20})],
            True,
        ),
        (shape(20, **{"part a": 20, "part b": 20}), [shape(20, **{"part a": 20})], True),
        (
            shape(20, **{"part a": 20, "part b": 9}),
            [shape(20, **{"part a": 20, "part b": 6})],
            False,
        ),
        (shape(20, **{"part a": 20}), [shape(20)], False),  # parts were not counted then
    ],
)
def test_a_rise_is_tested_against_the_runs_before(now, before, expected):
    change = find_change(now, before)
    assert (None if change is None else bool(change)) is expected


def test_of_many_parts_three_are_named_and_the_others_counted():
    parts = [f"part {letter}" for letter in "abcde"]
    change = find_change(
        shape(40, **{"part z": 40}), [shape(40, **{"part z": 40}, **dict.fromkeys(parts, 40))]
    )
    assert [part in change for part in parts] == [True, True, True, False, False]
    assert change.endswith("; 2 more parts")


def test_portions_add_up_and_the_newest_parser_counts(database):
    run = new_run(database)
    with database.begin() as connection:
        add_tally(connection, run, "e", 1, ShapeTally(9, {"new": 9}, {"new": 1}))
        add_tally(connection, run, "e", 2, ShapeTally(4, {"new": 1}, {"new": 5}))
        add_tally(connection, run, "e", 2, ShapeTally(3, {"new": 2}, {"new": 7}))
        assert read_tallies(connection, run) == {"e": (2, ShapeTally(7, {"new": 3}, {"new": 5}))}
        assert read_tallies(connection, run + 1) == {}
