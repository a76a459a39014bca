"""Counts of the outcomes of a run, stored once the run has ended.

Counting a run of many thousand questions takes a second, which is too long for a page. Rows equal
what the view `coverage` gives. Whatever goes on with a run, or stores readings or signals of its
answers, deletes them in the same transaction.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import sqlalchemy as sa

from monitor.model import RunState
from monitor.store.schema import attempts, items, readings, run_coverage, runs

#: Is told how many runs are counted, and of how many.
Progress: TypeAlias = Callable[[int, int], None]

#: Runs that nobody goes on with unless somebody resumes them.
ENDED = (RunState.DONE, RunState.PARTIAL)

_COLUMNS = [column.name for column in run_coverage.c]
_VIEW = sa.table("coverage", *(sa.column(name, run_coverage.c[name].type) for name in _COLUMNS))


def store_coverage(connection: sa.Connection, run_id: int) -> None:
    """Count a run that has ended, in place of what was counted before."""
    forget_run(connection, run_id)
    counted = sa.select(*_VIEW.c).where(_VIEW.c.run_id == run_id)
    connection.execute(sa.insert(run_coverage).from_select(_COLUMNS, counted))


def store_missing(connection: sa.Connection, progress: Progress | None = None) -> None:
    """Count the runs that have ended and were not counted."""
    is_counted = sa.select(run_coverage.c.run_id).where(run_coverage.c.run_id == runs.c.id)
    ended = sa.select(runs.c.id).where(runs.c.state.in_(ENDED), ~is_counted.exists())
    todo = connection.execute(ended.order_by(runs.c.id)).scalars().all()
    for done, run_id in enumerate(todo):
        if progress is not None:
            progress(done, len(todo))
        store_coverage(connection, run_id)


def is_stored(connection: sa.Connection, run_id: int) -> bool:
    """Return whether a run was counted, and nothing came after."""
    query = sa.select(run_coverage.c.run_id).where(run_coverage.c.run_id == run_id).limit(1)
    return connection.execute(query).scalar() is not None


def forget_run(connection: sa.Connection, run_id: int) -> None:
    """Forget the counts of a run: it goes on."""
    connection.execute(sa.delete(run_coverage).where(run_coverage.c.run_id == run_id))


def forget_of_attempt(connection: sa.Connection, attempt_id: int) -> None:
    """Forget the counts of the run that an attempt is of: its answers are read anew."""
    _delete_counts(connection, sa.select(attempts.c.run_id).where(attempts.c.id == attempt_id))


def forget_of_item(connection: sa.Connection, item_id: int) -> None:
    """Forget the counts of the run that an item is of: it is heard anew."""
    of = (
        sa.select(attempts.c.run_id)
        .join(readings, readings.c.attempt_id == attempts.c.id)
        .join(items, items.c.reading_id == readings.c.id)
    )
    _delete_counts(connection, of.where(items.c.id == item_id))


def _delete_counts(connection: sa.Connection, which: sa.Select[Any]) -> None:
    connection.execute(sa.delete(run_coverage).where(run_coverage.c.run_id.in_(which)))
