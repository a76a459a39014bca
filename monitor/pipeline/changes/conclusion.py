"""Decide ticks: after a run was derived, and anew when audits change a reading.

A run that was concluded has a mark, of what its values and those of the runs before were made with;
when runs are derived anew, those that come after them are concluded anew as well.

In go the changes that were written down with the labels, out come findings with another cause.
Whoever comes next does what a process that ended has left, and two never do it at once.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from monitor.jobs import Audit
from monitor.model import (
    InvalidInput,
    MissingPart,
    MonitorError,
    StoreBusy,
    StoreFull,
    StoreGone,
    StoreProblem,
    digest,
)
from monitor.pipeline.changes.comparisons import compare_run
from monitor.pipeline.changes.detection import detect_changes
from monitor.pipeline.collect.run_context import Progress, Stop, never
from monitor.pipeline.collect.run_starts import audit_of_run, turn_of_run
from monitor.pipeline.derive.recomputation import Audits, without_doubts
from monitor.pipeline.schedule.leases import Turn, TurnLost, Turns
from monitor.stages import alarm_rules
from monitor.stages.changes import attribution, comparisons, decisions
from monitor.stages.validation import DoubtChange, list_undecided, mark_decided
from monitor.store.changes import findings
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.journal import events
from monitor.store.schedule import leases

# --- new runs -------------------------------------------------------------------------------------

#: When a run is decided; None is now.
At: TypeAlias = Callable[[Run], datetime | None]

#: What ends the whole, and is tried again by whoever began it.
_ELSEWHERE = (StoreBusy, StoreFull, StoreGone, TurnLost)


def _now(_run: Run) -> None:
    pass


def conclude(database: Database, audit: Audit, run: Run, progress: Progress) -> int:
    """Compare a run with others and decide its tick. Returns the number of findings written.

    The same run concluded again writes nothing new. A failure raises the alarm `undecided` and no
    exception; each later run of the job tries again.
    """
    if run.kind not in runs.COMPARED:
        return 0
    written = _concluded(database, audit, run, progress, None, [])
    if written is None:
        return 0
    with database.read() as connection:
        others = [other for other in runs.find_undecided(connection, run.job) if other.id != run.id]
    if others:
        _conclude_each(database, others, progress)
    return written


def _concluded(
    database: Database,
    audit: Audit,
    run: Run,
    progress: Progress,
    now: datetime | None,
    compared: list[tuple[Run, str]],
    *,
    decides: bool = True,
) -> int | None:
    """Conclude one run. Returns the findings written; None, with an alarm, where it fails.

    Deciding is of the whole job, so that of several runs the last one decides for all: `compared`
    are those before it with their marks, and takes this one where it does not decide.
    """
    try:
        with database.read() as connection:
            mark = _say_mark(connection, run)
        compare_run(database, audit, run, progress)
        compared.append((run, mark))
        if not decides:
            return 0
        written = detect_changes(database, audit, run, now)
        with database.begin() as connection:
            for this_run, its_mark in compared:
                runs.mark_stage(connection, this_run.id, runs.COMPARE, its_mark)
            end_alarm(connection, run.job)
        compared.clear()
    except _ELSEWHERE:
        raise
    except Exception as error:  # noqa: BLE001 - a fault in deciding must never pass unnoticed
        raise_alarm(database, run, error)
        return None
    return written


def _say_mark(connection: Connection, run: Run) -> str:
    """A digest of what the values of a run, and of its job's runs before it, were made with."""
    marks = [(n, without_doubts(item)) for n, item in runs.read_marks(connection, run, "measure")]
    return digest([comparisons.VERSION, decisions.VERSION, attribution.VERSION, marks])


def conclude_after(
    database: Database,
    redone: Iterable[Run],
    progress: Progress,
    stop: Stop = never,
    at: At = _now,
) -> int:
    """Conclude anew what runs that were derived anew, and those after them, lack.

    The oldest first; a run that another process works on, or whose job cannot be read any more, is
    left to the next time. `at` says when each is decided. Returns how many were. Raises
    KeyboardInterrupt once `stop` says so.
    """
    first: dict[str, datetime] = {}
    for run in redone:
        first[run.job] = min(first.get(run.job, run.due_at), run.due_at)
    with database.read() as connection:
        later = [
            run
            for job, since in sorted(first.items())
            for run in runs.list_ended(connection, job)
            if run.due_at >= since and run.kind in runs.COMPARED
        ]
    return _conclude_each(database, later, progress, stop, at)


def _conclude_each(
    database: Database,
    some: Sequence[Run],
    progress: Progress,
    stop: Stop = never,
    at: At = _now,
) -> int:
    """Conclude those of some runs that lack it, in their order. Returns how many were."""
    audits, done = Audits(database), 0
    lacking = _lacking(database, some)
    last = {run.job: run.id for run in lacking}
    compared: dict[str, list[tuple[Run, str]]] = {}
    with Turns(database) as turns:
        for number, run in enumerate(lacking):
            progress(runs.COMPARE, number, len(lacking))
            if stop():
                raise KeyboardInterrupt
            turn = turns.take(turn_of_run(run.id))
            if turn is None:
                continue
            try:
                fenced = turns.fenced(database, turn)
                before = compared.setdefault(run.job, [])
                decides = last[run.job] == run.id
                written = _concluded(
                    fenced, audits.of(run), run, progress, at(run), before, decides=decides
                )
                done += written is not None
            except (InvalidInput, MissingPart, TurnLost):
                continue
            finally:
                turns.give_back(turn)
    progress(runs.COMPARE, len(lacking), len(lacking))
    return done


def _lacking(database: Database, some: Sequence[Run]) -> list[Run]:
    """Those of some runs that were not concluded by the present versions, or not decided."""
    with database.read() as connection:
        numbers = {run.id for run in runs.find_undecided(connection)}
        return [
            run
            for run in some
            if run.id in numbers
            or not runs.is_stage_done(connection, run.id, runs.COMPARE, _say_mark(connection, run))
        ]


# --- reassessment ---------------------------------------------------------------------------------

log = logging.getLogger(__name__)

#: What has to be taken to decide by audits.
_TURN = "audits"
#: The alarm of findings that could not be decided anew.
WAIT = "findings_wait"
#: How long ticks that could not be decided rest; a person who asks need not wait.
_AGAIN, AT_ONCE = timedelta(hours=1), timedelta(0)


def settle_doubts(database: Database, now: datetime, rest: timedelta = _AGAIN) -> int | None:
    """Decide by all that audits have changed. Rows written; None where it is left for later.

    That is where another process is at it, or the database would not have it: the next call goes
    on. What is decided already is not written again. Ticks that cannot be decided wait, with an
    alarm, and are tried again after `rest`.
    """
    try:
        with database.read() as connection:
            if not (list_undecided(connection) or _waiting(connection, now, rest)):
                return 0
        with Turns(database) as turns:
            turn = turns.take(_TURN)
            if turn is None:
                return None
            try:
                return _settled(database, turn, now, rest)
            finally:
                turns.give_back(turn)
    except StoreProblem as error:
        log.warning("findings wait to be decided by audits: %s", error)
        return None


def _settled(database: Database, turn: Turn, now: datetime, rest: timedelta) -> int | None:
    written = 0
    while True:
        with database.begin() as connection:
            # who decides a tick just now may not have seen the labels
            findings.lock_ledger(connection)
            undecided, waiting = list_undecided(connection), _waiting(connection, now, rest)
            if not (undecided or waiting):
                return written
            ticks = _read_ticks(connection, undecided, waiting)
        done = _decide(database, ticks, turn, now)
        if done is None:
            return None
        written += done[0]
        with database.begin() as connection:
            if undecided:
                mark_decided(connection, undecided, now)
            for job, why in done[1].items():
                events.raise_alarm(connection, WAIT, job, why, now)
            for job in waiting - done[1].keys():
                if events.resolve_alarm(connection, WAIT, job, now):
                    log.warning("alarm over: %s: %s", WAIT, job)


def _waiting(connection: Connection, now: datetime, rest: timedelta) -> set[str]:
    """Jobs with ticks that could not be decided, and were tried longer than this ago."""
    return {
        alarm.subject
        for alarm in events.list_open_alarms(connection)
        if alarm.kind == WAIT and abs(now - alarm.seen_at) > rest
    }


def _read_ticks(
    connection: Connection, some: Sequence[DoubtChange], waiting: AbstractSet[str]
) -> list[Run]:
    """The newest tick of each job with changes from the first one on, and of those that waited.

    Deciding it decides the whole job.
    """
    first = [move.since for move in some if move.since is not None]
    is_all = waiting or len(first) < len(some)
    newest = findings.find_newest_ticks(connection, None if is_all else min(first))
    all_runs = [runs.get_run(connection, number) for number in newest]
    return all_runs if some else [run for run in all_runs if run.job in waiting]


def _decide(
    database: Database, ticks: Iterable[Run], turn: Turn, now: datetime
) -> tuple[int, dict[str, str]] | None:
    """Decide ticks in their order: (rows, {job: why its first tick that waits could not be}).

    None where the turn was lost meanwhile.
    """
    written = 0
    remaining: dict[str, str] = {}
    for run in ticks:
        if turn.is_lost:
            return None
        try:
            written += detect_changes(database, audit_of_run(database, run), run, now)
        except StoreProblem:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the operator is told
            why = str(error) if isinstance(error, MonitorError) else repr(error)
            log.warning("findings of run %s wait to be decided: %s", run.id, why)
            remaining.setdefault(run.job, f"findings of run {run.id} wait to be decided: {why}")
    return written, remaining


# --- undecided ticks ------------------------------------------------------------------------------


def raise_alarm(database: Database, run: Run, error: Exception) -> None:
    """Raise the alarm for a run whose tick could not be decided; it counts as not compared."""
    log.error("run %s of %s is not decided", run.id, run.job, exc_info=error)
    why = str(error) if isinstance(error, MonitorError) else f"{type(error).__name__}: {error}"
    with database.begin() as connection:
        runs.reopen_stages(connection, run.id, runs.COMPARE)
        all_runs = runs.find_undecided(connection, run.job)
        words = f"{alarm_rules.undecided_ticks(all_runs)}; run {run.id}: {why}"
        events.raise_alarm(connection, alarm_rules.UNDECIDED, run.job, words, datetime.now(UTC))


def end_alarm(connection: Connection, job: str) -> None:
    """End the alarm of a job whose ticks are all decided."""
    alarms = events.list_open_alarms(connection)
    is_raised = (alarm_rules.UNDECIDED, job) in {(alarm.kind, alarm.subject) for alarm in alarms}
    if is_raised and not runs.find_undecided(connection, job):
        events.resolve_alarm(connection, alarm_rules.UNDECIDED, job, datetime.now(UTC))


def with_ends(connection: Connection, now: datetime) -> list[tuple[Run, datetime]]:
    """Runs that are not decided, with when they ended; `now` for those that are worked on."""
    undecided = runs.find_undecided(connection)
    ended = runs.read_end_times(connection, [run.id for run in undecided])
    for run in undecided:
        if leases.find_holder(connection, turn_of_run(run.id)):
            ended.pop(run.id, None)
    return [(run, ended.get(run.id, now)) for run in undecided]
