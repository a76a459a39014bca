"""What tasks are performed with, and how far one has come is written down."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from monitor import pipeline
from monitor.model import TaskState
from monitor.pipeline import Progress, Stop
from monitor.settings import Settings
from monitor.store import tasks
from monitor.store.database import Database
from monitor.store.tasks import Task

#: How long a task waits for a turn that another has.
BUSY = timedelta(seconds=0.5)


@dataclass(frozen=True, slots=True)
class Shop:
    """What tasks are performed with."""

    database: Database
    chosen: Settings
    progress: Progress
    stop: Stop


def later(wait: timedelta) -> datetime:
    """So long from now."""
    return datetime.now(UTC) + wait


def settle(
    shop: Shop,
    task: Task,
    state: TaskState,
    reason: str = "",
    wait: timedelta | None = None,
    *,
    progress: bool = False,
) -> None:
    """Write down how far a task has come, unless it was ended meanwhile."""
    until = later(wait) if wait else None
    with shop.database.begin() as connection:
        if is_open(connection, task):
            tasks.settle(connection, task.id, state, reason, until, progress=progress)


def is_open(connection: pipeline.Connection, task: Task) -> bool:
    """Whether nobody has ended the task meanwhile, while this process stood still."""
    now = tasks.get(connection, task.id, alone=True)
    return now is not None and now.state is TaskState.OPEN


def postpone(shop: Shop, task: Task, wait: timedelta = BUSY) -> None:
    """Try a task later, because another is at work."""
    with shop.database.begin() as connection:
        tasks.postpone(connection, task.id, later(wait))


def noting(shop: Shop, task: Task) -> Progress:
    """Tells of progress, and counts the task's tries anew once an answer of this turn is stored.

    A process that is killed again and again, but not before it has stored something, gets on.
    """
    before: int | None = None
    is_noted = False

    def note(stage: str, done: int, planned: int) -> None:
        nonlocal before, is_noted
        before = done if before is None else before
        if done > before and not is_noted:
            settle(shop, task, TaskState.OPEN, task.reason, progress=True)
            is_noted = True
        shop.progress(stage, done, planned)

    return note
