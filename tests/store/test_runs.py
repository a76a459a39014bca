"""Ticks are claimed once; runs are found again; stages remember what they have seen."""

from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest

from monitor import registry
from monitor.jobs import load_job
from monitor.model import RunKind, RunState
from monitor.store.collect import runs
from tests.factories import DUE, make_job, rows
from tests.store.test_database import in_threads

PROVENANCE = runs.Provenance("0.1", {"numpy": "2"})


@pytest.fixture
def job(tmp_path):
    return load_job(make_job(tmp_path))


def create(database, job, due_at=DUE, kind=RunKind.SCHEDULED):
    with database.begin() as connection:
        return runs.create_run(connection, job, due_at, kind, datetime.now(UTC), PROVENANCE)


def test_a_tick_is_claimed_once(database, job):
    run = create(database, job)
    assert (run.job, run.due_at, run.kind, run.state) == ("mini", DUE, "scheduled", "running")
    assert create(database, job) is None
    assert create(database, job, kind=RunKind.NOISE) is not None
    assert create(database, job, due_at=DUE + timedelta(days=7)) is not None


def test_two_writers_cannot_claim_one_tick(database, job):
    create(database, job, DUE - timedelta(days=7))  # the job is known already, as it mostly is
    found, gate = [], Barrier(4)

    def claim():
        with database.begin() as connection:
            if not database.keeps_files:  # SQLite begins writers one by one
                gate.wait()
            now = datetime.now(UTC)
            found.append(runs.create_run(connection, job, DUE, RunKind.SCHEDULED, now, PROVENANCE))

    in_threads(*[claim] * 4)
    assert len([run for run in found if run is not None]) == 1


def test_the_newest_unfinished_run_of_a_job(database, job, tmp_path):
    other = load_job(make_job(tmp_path, name="other"))
    with database.read() as connection:
        assert runs.find_unfinished(connection, "mini") is None
    first, second = create(database, job), create(database, job, DUE + timedelta(days=7))
    create(database, other)
    with database.begin() as connection:
        assert runs.find_unfinished(connection, "mini") == second
        runs.set_state(connection, second.id, RunState.DONE, datetime.now(UTC))
        assert runs.find_unfinished(connection, "mini") == first
        runs.set_state(connection, first.id, RunState.PARTIAL, datetime.now(UTC))
        assert runs.find_unfinished(connection, "mini").state is RunState.PARTIAL
        runs.set_state(connection, first.id, RunState.DONE, datetime.now(UTC))
        assert runs.find_unfinished(connection, "mini") is None


def test_a_run_remembers_the_job_as_it_was(database, job, tmp_path):
    first = create(database, job)
    changed = load_job(make_job(tmp_path, tries=9))
    second = create(database, changed, DUE + timedelta(days=7))
    assert first.job_hash == job.content_hash != second.job_hash == changed.content_hash


def test_a_stage_is_done_per_version_until_reopened(database, job):
    run = create(database, job)
    with database.begin() as connection:
        assert not runs.is_stage_done(connection, run.id, "parse", "x@1")
        runs.mark_stage(connection, run.id, "parse", "x@1")
        runs.mark_stage(connection, run.id, "parse", "x@1")
        assert runs.is_stage_done(connection, run.id, "parse", "x@1")
        assert not runs.is_stage_done(connection, run.id, "parse", "x@2")
        runs.reopen_stages(connection, run.id)
        assert not runs.is_stage_done(connection, run.id, "parse", "x@1")


def test_a_plugin_version_has_one_id_per_content(database, monkeypatch):
    with database.begin() as connection:
        first = runs.ensure_plugin(connection, "languages", "pt", 1)
        assert runs.ensure_plugin(connection, "languages", "pt", 1) == first
        assert runs.ensure_plugin(connection, "languages", "pt", 2) != first
        monkeypatch.setattr("monitor.registry.compute_fingerprint", lambda *_: "edited")
        assert runs.ensure_plugin(connection, "languages", "pt", 1) != first


def test_reading_with_nouns_is_another_version(database):
    with database.begin() as connection:
        own, with_nouns = (
            runs.ensure_language(connection, registry.known_language("sk", nouns=nouns))
            for nouns in (None, True)
        )
    assert own != with_nouns
    names = [row["name"] for row in rows(database, "SELECT name FROM versions ORDER BY id")]
    assert names == ["sk", "sk(nouns=true)"]
