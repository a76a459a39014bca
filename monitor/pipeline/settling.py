"""Decides anew what rests on a reading that audits have put in doubt, or do not any more.

In go the changes that were written down with the labels, out come findings with another cause.
Whoever comes next does what a process that ended has left, and two never do it at once.
"""

import logging
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta

from monitor.model import MonitorError, StoreProblem
from monitor.pipeline.begin import audit_of_run
from monitor.pipeline.detecting import detect
from monitor.pipeline.suspecting import Moved, decided, undecided
from monitor.pipeline.turns import Turn, Turns
from monitor.store.changes import findings
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.journal import events

log = logging.getLogger(__name__)

#: What has to be taken to decide by audits.
_TURN = "audits"
#: The alarm of findings that could not be decided anew.
WAIT = "findings_wait"
#: How long ticks that could not be decided rest; a person who asks need not wait.
_AGAIN, AT_ONCE = timedelta(hours=1), timedelta(0)


def settle(database: Database, now: datetime, rest: timedelta = _AGAIN) -> int | None:
    """Decide by all that audits have changed. Rows written; None where it is left for later.

    That is where another process is at it, or the database would not have it: the next call goes
    on. What is decided already is not written again. Ticks that cannot be decided wait, with an
    alarm, and are tried again after `rest`.
    """
    try:
        with database.read() as connection:
            if not (undecided(connection) or _waiting(connection, now, rest)):
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
            findings.lock_ledger(
                connection
            )  # who decides a tick just now may not have seen the labels
            some, waiting = undecided(connection), _waiting(connection, now, rest)
            ticks = _ticks(connection, some, waiting)
        if not (some or waiting):
            return written
        done = _decide(database, ticks, turn, now)
        if done is None:
            return None
        written += done.written
        with database.begin() as connection:
            if some:
                decided(connection, some, now)
            _say(connection, done, waiting, now)


def _waiting(connection: Connection, now: datetime, rest: timedelta) -> set[str]:
    """Jobs with ticks that could not be decided, and were tried longer than this ago."""
    return {
        alarm.subject
        for alarm in events.list_open_alarms(connection)
        if alarm.kind == WAIT and abs(now - alarm.seen_at) > rest
    }


def _ticks(connection: Connection, some: Sequence[Moved], waiting: AbstractSet[str]) -> list[Run]:
    """The newest tick of each job with changes from the first one on, and of those that waited.

    Deciding it decides the whole job.
    """
    if not (some or waiting):
        return []
    first = [one.since for one in some]
    is_all = waiting or None in first
    since = None if is_all else min(at for at in first if at is not None)
    found = [
        runs.get_run(connection, newest_tick)
        for newest_tick in findings.find_newest_ticks(connection, since)
    ]
    return found if some else [run for run in found if run.job in waiting]


@dataclass(frozen=True, slots=True)
class _Done:
    """Rows that were written, and {job: why the first of its ticks that wait could not be}."""

    written: int
    left: dict[str, str]


def _decide(database: Database, ticks: Iterable[Run], turn: Turn, now: datetime) -> _Done | None:
    """Decide ticks in their order; None where the database or the turn was lost meanwhile."""
    written = 0
    left: dict[str, str] = {}
    for run in ticks:
        if turn.is_lost:
            return None
        try:
            written += detect(database, audit_of_run(database, run), run, now)
        except StoreProblem:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the operator is told
            why = str(error) if isinstance(error, MonitorError) else repr(error)
            log.warning("findings of run %s wait to be decided: %s", run.id, why)
            left.setdefault(run.job, f"findings of run {run.id} wait to be decided: {why}")
    return _Done(written, left)


def _say(connection: Connection, done: _Done, waited: AbstractSet[str], now: datetime) -> None:
    """Tell the operator which jobs have ticks that wait, and of which none does any more."""
    for job, why in done.left.items():
        events.raise_alarm(connection, WAIT, job, why, now)
    for job in waited - done.left.keys():
        if events.resolve_alarm(connection, WAIT, job, now):
            log.warning("alarm over: %s: %s", WAIT, job)
