"""A whole audit of the real Apertium server, from the job file to the points."""

import json

import pytest

from monitor.fetch.http import HttpFetcher, Way
from monitor.jobs import load_audit
from monitor.model import RunState
from tests import apertium as real
from tests.factories import make_job, make_list, rows, run_audit

#: (stereotype, sentence). Apertium makes the nurse a woman in Catalan and nobody one in Spanish.
SENTENCES = (
    (1, "I am tired."), (1, "I was very nervous."), (2, "I am quiet."), (2, "I was kind."),
    (3, "I am a nurse."), (3, "I was a nurse."), (4, "I am tidy."), (4, "I am ordered."),
    (5, "I am loved."), (6, "I am scared."), (6, "I was tired yesterday."), (7, "I am beautiful."),
    (8, "I am rough."), (9, "I am sure."), (10, "I am a doctor."), (10, "I am a lawyer."),
    (11, "I am a scientist."), (12, "I am rich."), (13, "I am the director."), (16, "I sleep."),
)  # fmt: skip
ITEMS = [
    {"key": f"s{n:02d}", "text": text, "stereotype": str(stereotype), "half": "odd"}
    for n, (stereotype, text) in enumerate(SENTENCES)
]
TARGETS = ("es", "ca")


@pytest.fixture(scope="module")
def apertium():
    """Address of a real server."""
    real.require()
    with real.serve() as url:
        yield url


@pytest.fixture
def audited(apertium, sqlite_database, tmp_path):
    """(database, summary) after one tick of the audit."""
    make_list(tmp_path, items=ITEMS)
    use = {"name": "apertium", "targets": list(TARGETS), "pace": 100.0,
           "config": {"base_url": apertium}}  # fmt: skip
    audit = load_audit(make_job(tmp_path, engines=[use]))
    return sqlite_database, run_audit(sqlite_database, audit, HttpFetcher(Way(seconds=15)))


CLASSES = """
    SELECT probes.text, probes.target_lang AS target, items.text AS translation,
        agreements.class AS class
    FROM agreements JOIN items ON items.id = agreements.item_id
    JOIN readings ON readings.id = items.reading_id
    JOIN attempts ON attempts.id = readings.attempt_id
    JOIN probes ON probes.id = attempts.probe_id
"""


def test_an_audit_of_a_real_server(audited, apertium):
    database, summary = audited
    assert (summary.state, summary.planned, summary.answered, summary.stopped) == (
        RunState.DONE, 40, 40, (),
    )  # fmt: skip
    assert summary.points > 0
    read = rows(database, "SELECT outcome, COUNT(*) AS n FROM readings GROUP BY outcome")
    assert read == [{"outcome": "ok", "n": 40}]
    evidence_is_whole(database, apertium)
    classes_are_those_of_the_translations(database)
    points_follow(database)


def evidence_is_whole(database, apertium):
    exchanges = rows(database, "SELECT * FROM exchanges")
    assert len(exchanges) == 40
    for exchange in exchanges:
        request = exchange["request"]
        request = json.loads(request) if isinstance(request, str) else request
        assert request["url"] == f"{apertium}/translate"
        assert request["body"].startswith("langpair=eng%7C")
        assert "secret" not in json.dumps(request)
        assert (exchange["status"], exchange["outcome"]) == (200, "ok")


def classes_are_those_of_the_translations(database):
    found = {(row["text"], row["target"]): row for row in rows(database, CLASSES)}
    assert len(found) == 40
    nurse = {target: found["I am a nurse.", target] for target in TARGETS}
    assert nurse["es"]["translation"] == "Soy un enfermero."
    assert nurse["ca"]["translation"] == "Sóc una infermera."
    assert (nurse["es"]["class"], nurse["ca"]["class"]) == ("masculine", "feminine")
    assert found["I am tired.", "es"]["class"] == "masculine"
    assert found["I sleep.", "es"]["class"] == "none"


def points_follow(database):
    sql = "SELECT target, scope, state, value, used FROM points_current WHERE quantity = 'p_i'"
    points = {(row["target"], row["scope"]): row for row in rows(database, sql)}
    assert points["es", "stereotype:3"]["value"] == 1.0
    assert points["ca", "stereotype:3"]["value"] == 0.0
    assert points["es", "stereotype:16"]["state"] == "insufficient"
    assert points["es", "stereotype:16"]["value"] is None
