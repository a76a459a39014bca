"""Derives a kept run anew as a task, and compares the runs of its job when the last one is done.

What the daemon does by itself makes room for everything else, and goes on later.
"""

from datetime import UTC, datetime, timedelta
from time import monotonic

from monitor import pipeline
from monitor.model import Stage, TaskState
from monitor.pipeline import Step, Stop, never
from monitor.pipeline.turns import lane_turn
from monitor.store import events, leases, runs, tasks
from monitor.store.runs import Run
from monitor.store.tasks import TOGETHER, Redoing, Task
from monitor.text.counted_nouns import several
from monitor.work.shop import Shop, is_open, noting, postpone

#: How long what the daemon does by itself rests after it has made room for others.
GIVEN_WAY = timedelta(seconds=5)
#: Between two turns of a lane nobody asks it for a moment.
_BETWEEN = timedelta(seconds=3)
_LOOK_SECONDS = 1.0


def redo(shop: Shop, task: Task, run: Run) -> None:
    """Derive anew of what is kept; points that are there stay, and newer ones stand beside them.

    What the daemon does by itself gives way to everything else, and goes on later.
    """
    is_free = task.is_by_itself or not task.lane
    give_way = _Others(shop) if task.is_by_itself else never
    try:
        first = Step.PARSE if is_free else Step(task.lane)
        done = pipeline.redo_run(shop.database, run, first, noting(shop, task), shop.stop, give_way)
        if done is None:
            postpone(shop, task)
            return
        said = several(done.points, "new point")
        if not _is_last(shop, task, said):
            return
        _conclude(shop, run, lambda: shop.stop() or give_way())
    except KeyboardInterrupt:
        if shop.stop():
            raise
        postpone(shop, task, GIVEN_WAY)
        return
    with shop.database.begin() as connection:
        if is_open(connection, task):
            [mine] = [one for one in pipeline.redo_progress(connection) if _is_of(one, task)]
            n = mine.planned
            detail = f"{n:,} run{' was' if n == 1 else 's were'} derived anew"
            events.add(connection, "redone", task.job, detail, now=datetime.now(UTC))
            tasks.settle(connection, task.id, TaskState.DONE, said, progress=True)


def _is_of(one: Redoing, task: Task) -> bool:
    return (one.job, one.is_by_itself) == (task.job, task.is_by_itself)


class _Others:
    """Whether somebody waits for what this task takes; looked up at most once a second."""

    def __init__(self, shop: Shop) -> None:
        self._shop, self._until, self._found = shop, 0.0, False

    def __call__(self) -> bool:
        if monotonic() >= self._until:
            with self._shop.database.read() as connection:
                self._found = others_wait(connection, self._shop)
            self._until = monotonic() + _LOOK_SECONDS
        return self._found


def others_wait(connection: pipeline.Connection, shop: Shop) -> bool:
    """Whether a run is to be derived from, or a lane could be asked and nobody does."""
    now = datetime.now(UTC)
    for one in tasks.ready(connection, now):
        if one.is_by_itself:
            continue
        if one.stage is not Stage.COLLECT:
            return True
        if one.lane == TOGETHER or now - one.changed_at < _BETWEEN:
            continue
        if not leases.held_by(connection, lane_turn(one.lane, shop.chosen.exit)):
            return True
    return False


def _is_last(shop: Shop, task: Task, said: str) -> bool:
    """Whether this task is the last of its job, which compares all; any other is done with now."""
    now = datetime.now(UTC)
    with shop.database.begin() as connection:
        known = tasks.redo_open(connection, task.job, alone=True)
        # one that fails again and again must not keep the others from being compared
        others = [
            one
            for one in known
            if one.id != task.id and not (one.tries and one.not_before and one.not_before > now)
        ]
        if others and len(others) < len(known):
            tasks.settle(connection, task.id, TaskState.DONE, said, progress=True)
    return not others


def _conclude(shop: Shop, run: Run, stop: Stop) -> None:
    """Compare anew what was derived anew: once for all runs of the job, not once for each."""
    with shop.database.read() as connection:
        kept = runs.kept(connection, run.job)
    pipeline.conclude_after(shop.database, kept, shop.progress, stop)
