"""Decides anew what rests on a reading that audits have put in doubt, or do not any more.

In go the changes that were written down with the labels, out come findings with another cause.
Whoever comes next does what a process that ended has left, and two never do it at once.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime

from monitor.model import InvalidInput, StoreProblem
from monitor.pipeline.begin import audit_of_run
from monitor.pipeline.detecting import detect
from monitor.pipeline.suspecting import Moved, decided, undecided
from monitor.pipeline.turns import Turn, Turns
from monitor.store import changes, runs
from monitor.store.database import Connection, Database
from monitor.store.runs import Run

log = logging.getLogger(__name__)

#: What has to be taken to decide by audits.
_TURN = "audits"


def settle(database: Database, now: datetime) -> int | None:
    """Decide by all that audits have changed. Rows written; None where it is left for later.

    That is where another process is at it, or the database would not have it: the next call goes
    on. What is decided already is not written again.
    """
    try:
        with database.read() as connection:
            if not undecided(connection):
                return 0
        with Turns(database) as turns:
            turn = turns.take(_TURN)
            if turn is None:
                return None
            try:
                return _settled(database, turn, now)
            finally:
                turns.give_back(turn)
    except StoreProblem as error:
        log.warning("findings wait to be decided by audits: %s", error)
        return None


def _settled(database: Database, turn: Turn, now: datetime) -> int | None:
    written = 0
    while True:
        with database.begin() as connection:
            changes.alone(connection)  # who decides a tick just now may not have seen the labels
            some = undecided(connection)
            ticks = _ticks(connection, some) if some else []
        if not some:
            return written
        done = _decide(database, ticks, turn, now)
        if done is None:
            return None
        written += done
        with database.begin() as connection:
            decided(connection, some, now)


def _ticks(connection: Connection, some: Sequence[Moved]) -> list[Run]:
    """Ticks of findings from the first change on, each job's newest one last.

    Looking back is as of the last that was decided.
    """
    first = [one.since for one in some]
    since = None if None in first else min(at for at in first if at is not None)
    return [runs.get(connection, one) for one in changes.ticks_found(connection, since)]


def _decide(database: Database, ticks: Iterable[Run], turn: Turn, now: datetime) -> int | None:
    """Decide ticks in their order; None where the database or the turn was lost meanwhile."""
    written = 0
    for run in ticks:
        if turn.is_lost:
            return None
        try:
            written += detect(database, audit_of_run(database, run), run, now)
        except InvalidInput as error:
            log.warning("findings of run %s stay as they are: %s", run.id, error)
    return written
