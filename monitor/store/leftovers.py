"""Takes away what operation leaves behind and nobody goes by any more, a portion at a time.

Answers, readings and points are not meant: what became of a run stays, and so do its ticks.
"""

import re
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from monitor.model import RunState, TaskState
from monitor.store.leases import clock
from monitor.store.schema import alarms, events, leases, processes, runs, tasks

#: Kinds of events that stay for ever: by the first the daemon knows which ticks are owed, the
#: second says that an answer was refused.
FOR_EVER = ("schedule_changed", "fenced")
#: Rows that are taken away in one transaction.
PORTION = 1_000

_OF_A_RUN = re.compile(r"(?:lane:.+:)?run:([0-9]{1,18})")
_FREE_FOR = timedelta(days=1)
_UNSEEN_FOR = timedelta(days=1)
_RESOLVED_FOR = timedelta(days=365)
_PAST_FOR = timedelta(days=2 * 365)


def drop_turns(connection: sa.Connection, after: str) -> tuple[str, int] | None:
    """Forget turns of runs that have ended, which nobody has had for a day.

    Looks at the next portion of names behind one; (the last name, how many went), None at the end.
    The token of a turn begins anew when it is taken again: who lost it is told so by its holder.
    """
    before = clock(connection) - _FREE_FOR
    free = leases.c.until <= before
    query = sa.select(leases.c.name).where(
        leases.c.name > after, free, leases.c.name.like("%run:%")
    )
    names = connection.execute(query.order_by(leases.c.name).limit(PORTION)).scalars().all()
    if not names:
        return None
    of = {name: int(found[1]) for name in names if (found := _OF_A_RUN.fullmatch(name))}
    at_work = set(connection.execute(_AT_WORK, {"some": list(of.values())}).scalars())
    gone = [name for name, run_id in of.items() if run_id not in at_work]
    # asked again, because it may have been taken since
    went = connection.execute(sa.delete(leases).where(leases.c.name.in_(gone), free))
    return names[-1], int(went.rowcount)


_AT_WORK = sa.select(runs.c.id).where(
    runs.c.id.in_(sa.bindparam("some", expanding=True)),
    runs.c.state.in_([str(RunState.RUNNING), str(RunState.INTERRUPTED)])
    | sa.exists().where(tasks.c.run_id == runs.c.id, tasks.c.state == str(TaskState.OPEN)),
)


def drop_processes(connection: sa.Connection, now: datetime) -> int:
    """Forget daemons and workers that nobody has heard of for a day: they were killed."""
    return _drop(connection, processes.c.name, processes.c.seen_at < now - _UNSEEN_FOR)


def drop_alarms(connection: sa.Connection, now: datetime) -> int:
    """Forget alarms that were resolved more than a year ago; one that stands stays."""
    return _drop(connection, alarms.c.id, alarms.c.resolved_at < now - _RESOLVED_FOR)


def drop_events(connection: sa.Connection, now: datetime) -> int:
    """Forget events of more than two years ago, but those that count for ever."""
    past = (events.c.at < now - _PAST_FOR) & events.c.kind.not_in(FOR_EVER)
    return _drop(connection, events.c.id, past)


def _drop(connection: sa.Connection, key: sa.Column[Any], old: sa.ColumnElement[bool]) -> int:
    """Delete at most a portion of what is old; how many rows went."""
    some = connection.execute(sa.select(key).where(old).order_by(key).limit(PORTION)).scalars()
    if not (keys := some.all()):
        return 0
    return int(connection.execute(sa.delete(key.table).where(key.in_(keys), old)).rowcount)
