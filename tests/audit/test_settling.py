"""What follows from an audit is done, once, whatever happens in between: on the demo archive."""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.daemon.upkeep import StaleRunRenewer, Upkeep
from monitor.model import InvalidInput, StoreBusy
from monitor.pipeline import validation as audits
from monitor.pipeline.changes import conclusion
from monitor.pipeline.changes.conclusion import settle_doubts
from monitor.pipeline.derive.recomputation import redo, to_redo
from monitor.pipeline.schedule.leases import Turns
from monitor.store.collect import runs
from monitor.store.journal import events
from monitor.store.schedule import tasks
from monitor.store.schema import attempts
from monitor.store.schema import runs as runs_table
from tests.audit.reading import JOB, alarms, filled, read, run_at, steps
from tests.demo import TURNED, WEEKS
from tests.factories import quiet, rows

NOW = datetime(2025, 2, 10, tzinfo=UTC)
MORE_THAN_AN_HOUR = timedelta(hours=1, seconds=1)


def causes(archive):
    return {one.cause for one in steps(archive)}


def written(archive):
    """Every finding that was ever written, in force or not."""
    return rows(
        archive, "SELECT id, cause, is_current FROM changes WHERE kind = 'step' ORDER BY id"
    )


@pytest.fixture
def fallen(monitor, audited, archive, tmp_path):
    """A filled sheet that shows a fall, not yet taken in; gives how to take it in."""
    audited(WEEKS[2])
    sheet = tmp_path / "fall.csv"
    assert monitor("audit", "draw", JOB, "--run", run_at(archive, TURNED), "-o", sheet)[0] == 0
    filled(sheet, wrong=8)
    return lambda: monitor("audit", "import", sheet, "--by", "ab")


# --- findings -------------------------------------------------------------------------------------


def by_command(monitor, _archive):
    said = monitor("audit", "show", JOB)[2]
    assert "findings were decided anew" in said


def by_daemon(_monitor, archive):
    upkeep = Upkeep(archive, lambda: True, lambda: NOW)
    upkeep.look()
    upkeep.stop()


@pytest.mark.parametrize("finish", [by_command, by_daemon])
def test_what_a_process_leaves_that_ends_in_between_is_done_by_what_runs_next(
    monitor, archive, fallen, monkeypatch, finish
):
    before, ever = steps(archive), written(archive)
    with monkeypatch.context() as patch:

        def killed(*_):
            raise KeyboardInterrupt

        patch.setattr(conclusion, "detect_changes", killed)
        code, _, _ = fallen()
    assert code != 0
    assert alarms(archive) == {"mt-weekly: cs": True}  # labels and alarm are there
    assert steps(archive) == before
    finish(monitor, archive)
    assert causes(archive) == {"instrument"}
    found = written(archive)
    assert len(found) == len(ever) + len(before)
    assert "decided anew" not in monitor("audit", "show", JOB)[2]
    assert settle_doubts(archive, NOW) == 0
    assert written(archive) == found


def test_the_ticks_that_were_decided_before_the_end_are_not_written_twice(
    archive, fallen, monkeypatch
):
    real, done = conclusion.detect_changes, []

    def killed_at_the_second(database, audit, run, now):
        if done:
            raise KeyboardInterrupt
        done.append(real(database, audit, run, now))
        return done[-1]

    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "detect_changes", killed_at_the_second)
        fallen()
    [first] = done
    assert first > 0
    before = written(archive)
    assert settle_doubts(archive, NOW) == 0  # rows: all that is another was written already
    assert written(archive) == before
    assert causes(archive) == {"instrument"}


def test_two_do_not_do_it_at_once(archive, fallen):
    with Turns(archive) as others:
        turn = others.take("audits")
        code, _, why = fallen()
        assert code == 0
        assert "findings wait to be decided anew" in why
        assert causes(archive) == {"engine"}
        assert settle_doubts(archive, NOW) is None
        others.give_back(turn)
    assert settle_doubts(archive, NOW) == len(steps(archive))
    assert causes(archive) == {"instrument"}


def test_a_database_that_is_busy_loses_nothing(archive, fallen, monkeypatch):
    def busy(*_):
        raise StoreBusy("somebody else has it")

    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "detect_changes", busy)
        code, _, why = fallen()
        assert (code, "findings wait" in why) == (0, True)
        assert settle_doubts(archive, NOW) is None
    assert settle_doubts(archive, NOW) == len(steps(archive))


@pytest.fixture(params=[InvalidInput, KeyError])
def unreadable(request, monkeypatch):
    """A context in which the job of no run can be read: it is wrong, or the program is."""

    def refuse(_, run):
        raise request.param(f"run {run.id}: unknown measure 'gone'")

    @contextmanager
    def lasting():
        with monkeypatch.context() as patch:
            patch.setattr(conclusion, "audit_of_run", refuse)
            yield

    return lasting


def test_a_tick_whose_job_cannot_be_read_waits_and_is_decided_later(archive, fallen, unreadable):
    with unreadable():
        code, _, _ = fallen()
        assert code == 0
        assert causes(archive) == {"engine"}
        assert alarms(archive, "findings_wait") == {JOB: True}
        with archive.read() as connection:
            [alarm] = [
                one for one in events.list_open_alarms(connection) if one.kind == conclusion.WAIT
            ]
        assert "unknown measure 'gone'" in alarm.detail
        later = alarm.seen_at + MORE_THAN_AN_HOUR
        assert settle_doubts(archive, later) == 0
    assert settle_doubts(archive, later) == 0  # it was tried just now
    assert causes(archive) == {"engine"}
    assert settle_doubts(archive, later + MORE_THAN_AN_HOUR) == len(steps(archive))
    assert causes(archive) == {"instrument"}
    assert alarms(archive, "findings_wait") == {JOB: False}


def test_a_person_who_asks_need_not_wait_for_the_next_try(archive, fallen, unreadable, monitor):
    with unreadable():
        fallen()
        assert "decided anew" not in monitor("audit", "show", JOB)[2]
    by_command(monitor, archive)
    assert alarms(archive, "findings_wait") == {JOB: False}


def test_labels_that_change_nothing_leave_nothing_to_be_done(archive, fallen, monkeypatch):
    fallen()
    kinds = "SELECT kind FROM events WHERE kind LIKE 'audit%' ORDER BY id"
    assert [row["kind"] for row in rows(archive, kinds)] == ["audit_doubt", "audit_decided"]
    monkeypatch.setattr(conclusion, "detect_changes", None)
    code, _, why = fallen()
    assert code == 0
    assert "0 new labels" in why
    assert len(rows(archive, kinds)) == 2


def test_a_finding_before_the_tick_that_was_audited_shares_the_doubt(archive, audited):
    audited(WEEKS[0])
    assert causes(archive) == {"engine"}
    audited(WEEKS[-1], wrong=8)
    found = steps(archive)
    assert {one.changed_at for one in found} == {TURNED}
    assert {one.cause for one in found} == {"instrument"}
    last = run_at(archive, WEEKS[-1])
    assert f"texts of run {last}" in found[0].because


# --- flags ----------------------------------------------------------------------------------------


def flagged(archive):
    sql = "SELECT run_id, target, flags FROM points_current WHERE job = 'mt-weekly'"
    return {
        (row["run_id"], row["target"])
        for row in rows(archive, sql)
        if "instrument_suspect" in row["flags"]
    }


def numbers(archive):
    sql = """SELECT series_id, run_id, value, low, high, state FROM points_current
        WHERE job = 'mt-weekly' ORDER BY series_id, run_id"""
    return rows(archive, sql)


def lacking(archive):
    with archive.read() as connection:
        return to_redo(archive, runs.list_ended(connection, JOB))[0]


def planned(archive):
    renewing = StaleRunRenewer(archive)
    renewing.look(NOW)
    sql = "SELECT run_id FROM tasks WHERE state = 'open' AND stage = 'redo' ORDER BY run_id"
    return renewing, [row["run_id"] for row in rows(archive, sql)]


def test_points_of_before_are_flagged_back_to_the_audit_that_was_well(archive, audited, tmp_path):
    before = numbers(archive)
    assert lacking(archive) == []
    audited(WEEKS[0])
    assert lacking(archive) == []
    said = audited(TURNED, wrong=8)
    assert "monitor redo" in said
    well, *in_doubt = (run_at(archive, at) for at in (WEEKS[0], *WEEKS[2:]))
    todo = lacking(archive)
    assert {one.run.id for one in todo} == {well, *in_doubt}
    assert {one.why for one in todo} == {("an audit put other ticks in doubt than before",)}
    assert planned(archive)[1] == sorted([well, *in_doubt])
    redo(archive, todo, quiet, processes=1)
    assert lacking(archive) == []
    assert flagged(archive) == {(run, "cs") for run in in_doubt}
    assert numbers(archive) == before
    # whoever errs is mended: nothing is in doubt, and no flag stays
    sheet = tmp_path / f"{TURNED:%m%d}-ab.csv"
    filled(sheet)
    given = [(f"{sheet}:{n}", row) for n, row in enumerate(read(sheet), start=2)]
    audits.import_sheet(archive, given, "ab", "0" * 64, NOW)
    assert alarms(archive) == {"mt-weekly: cs": False}
    redo(archive, lacking(archive), quiet, processes=1)
    assert flagged(archive) == set()
    assert numbers(archive) == before


def test_runs_are_looked_at_once_for_an_audit_and_not_after_each_start(
    archive, audited, monkeypatch
):
    audited(WEEKS[0])
    audited(TURNED, wrong=8)
    looked = []
    real = pipeline.to_redo

    def seen(database, some, **more):
        looked.extend(run.id for run in some)
        return real(database, some, **more)

    monkeypatch.setattr(pipeline, "to_redo", seen)
    first, todo = planned(archive)
    assert {*todo} < {*looked}
    redo(archive, lacking(archive), quiet, processes=1)
    with archive.begin() as connection:
        tasks.drop_automatic_tasks(connection, "done by hand")
        n_jobs = len({run.job for run in runs.list_ended(connection)})
    n = len(looked)
    for renewing in (first, StaleRunRenewer(archive)):
        renewing.look(NOW)
    assert len(looked) - n == n_jobs  # a start looks at newest runs alone, for new versions


# --- drawing --------------------------------------------------------------------------------------


def framed(archive, monkeypatch, after):
    """How often answers were read; `after` is called with the number of each reading."""
    real, seen = audits.make_frame, []

    def frame(*arguments, **more):
        found = real(*arguments, **more)
        seen.append(found)
        after(len(seen))
        return found

    monkeypatch.setattr(audits, "make_frame", frame)
    return seen


def test_a_run_is_read_while_others_write(archive, monkeypatch):
    def write(_):
        with archive.begin() as connection:
            connection.execute(sa.text("UPDATE ticks SET reason = 'written meanwhile'"))

    seen = framed(archive, monkeypatch, write)
    drawn = audits.draw_audit(archive, JOB, NOW)
    assert (len(seen), drawn.is_new) == (1, True)


def change(archive, run_id):
    """Take one answer away that can be drawn."""
    sql = """SELECT MAX(attempt_id) AS n FROM answers
        WHERE run_id = :run AND target = 'cs' AND class = 'masculine'"""
    [row] = rows(archive, sql, run=run_id)
    with archive.begin() as connection:
        one = sa.update(attempts).where(attempts.c.id == row["n"]).values(final=False)
        connection.execute(one)


def test_what_changes_while_it_is_read_is_read_again(archive, monkeypatch):
    run_id = run_at(archive, WEEKS[-1])
    seen = framed(archive, monkeypatch, lambda n: n == 1 and change(archive, run_id))
    drawn = audits.draw_audit(archive, JOB, NOW)
    first, second = (some[0].frame["masculine"] for some in seen)
    assert (first, second) == (239, 238)
    assert drawn.pools[0].frame["masculine"] == 238
    sql = "SELECT frame FROM instrument_audit_strata WHERE class = 'masculine' ORDER BY id"
    assert rows(archive, sql)[0]["frame"] == 238


def test_what_never_stands_still_is_not_drawn(archive, monkeypatch):
    def finish(n):
        with archive.begin() as connection:
            at = datetime(2025, 3, n, tzinfo=UTC)
            connection.execute(sa.update(runs_table).values(finished_at=at))

    seen = framed(archive, monkeypatch, finish)
    with pytest.raises(StoreBusy, match="is being changed"):
        audits.draw_audit(archive, JOB, NOW)
    assert len(seen) == 3
    assert rows(archive, "SELECT id FROM instrument_audits") == []
