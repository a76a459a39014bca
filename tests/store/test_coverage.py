"""What is kept of a run's coverage is what its answers say, at any time and whatever was done."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from monitor import pipeline, registry
from monitor.model import RunKind, RunState
from monitor.pipeline.derive import recomputation
from monitor.store import migrations
from monitor.store.collect import runs
from monitor.store.reports import run_report
from monitor.store.schema import run_coverage
from monitor.store.schema import runs as table
from tests.demo import demo, demo_folder, demo_postgres  # noqa: F401 - fixtures
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, run_audit
from tests.test_redo import redo, turn, update  # noqa: F401 - a fixture among them

OF = ("list", "engine", "source_lang", "target")


def ended(connection):
    query = sa.select(table.c.id).where(table.c.state.in_((RunState.DONE, RunState.PARTIAL)))
    return set(connection.execute(query).scalars())


def by_the_view(connection, run_id):
    sql = "SELECT * FROM coverage WHERE run_id = :run"
    return {
        tuple(row[name] for name in OF): row
        for row in run_report.read_rows(connection, sql, run=run_id)
    }


def kept(connection):
    return set(connection.execute(sa.select(run_coverage.c.run_id)).scalars())


def agree(database):
    """Hold what is kept, and what pages are told, against the answers; the runs that are kept."""
    with database.read() as connection:
        for run_id in ended(connection) | kept(connection):
            told = {
                tuple(row[name] for name in OF): {k: v for k, v in row.items() if k != "kind"}
                for row in run_report.read_coverage(connection, run_id)
            }
            assert told == by_the_view(connection, run_id)
        return kept(connection)


@pytest.fixture
def audit(tmp_path):
    return make_audit(tmp_path)


def test_every_run_of_the_archive_that_ended_is_kept_as_its_answers_say(demo):  # noqa: F811
    found = agree(demo)
    with demo.read() as connection:
        assert found == ended(connection) != set()


def test_a_new_language_is_counted_anew(sqlite_database, audit, update):  # noqa: F811
    run = run_audit(sqlite_database, audit, Scripted(portuguese(mini_items()))).run
    before = coverage_of(sqlite_database, run.id)
    turn(update)
    redo(sqlite_database)
    assert agree(sqlite_database) == {run.id}
    after = coverage_of(sqlite_database, run.id)
    assert (after["masculine"], after["feminine"]) == (before["feminine"], before["masculine"])
    assert before["masculine"] != before["feminine"]


def coverage_of(database, run_id):
    with database.read() as connection:
        [found] = run_report.read_coverage(connection, run_id)
    return found


class Unplugged(Exception):
    """Somebody pulled the plug."""


def unplug(*_):
    raise Unplugged


@pytest.mark.parametrize("step", ["parse", "signal"])
def test_what_is_read_anew_is_not_kept_until_all_is(
    sqlite_database, audit, update, monkeypatch, step  # noqa: F811
):  # fmt: skip
    run_audit(sqlite_database, audit, Scripted(portuguese(mini_items())))
    if step == "parse":
        own = registry.engine("firefox_translations")
        update("engines", own.name, replace(own, version=own.version + 1))
        monkeypatch.setattr(recomputation, "find_signals", unplug)
    else:
        turn(update)
        monkeypatch.setattr(recomputation, "ensure_points", unplug)
    with pytest.raises(Unplugged):
        redo(sqlite_database)
    assert agree(sqlite_database) == set()


def test_a_run_that_goes_on_is_counted_as_it_is(sqlite_database, audit):
    run = run_audit(sqlite_database, audit, Scripted({})).run
    with sqlite_database.begin() as connection:
        runs.resume_run(connection, run)
        assert kept(connection) == set()
        runs.set_state(connection, run.id, RunState.INTERRUPTED)
        assert kept(connection) == set()
        runs.set_state(connection, run.id, RunState.PARTIAL, DUE)
    assert agree(sqlite_database) == {run.id}


def test_an_older_archive_is_counted_when_it_is_upgraded(database, audit):
    run = run_audit(database, audit, Scripted(portuguese(mini_items()))).run
    going_on = pipeline.start(database, audit, RunKind.MANUAL, DUE)
    migrations.downgrade(database, "0010")
    told = []
    migrations.upgrade(database, progress=lambda *so_far: told.append(so_far))
    assert told == [(0, 1)]
    assert agree(database) == {run.id}
    assert going_on.id != run.id
