"""Perform one task of a run: ask a lane for one turn, derive, or derive anew.

Leases say who performs a task; `tasks` holds how often it was tried, whether it waits and how it
ended. A process that dies in the middle leaves its task open, its answers stored.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic

from monitor import pipeline
from monitor.jobs import Audit
from monitor.model import (
    HttpRequest,
    InvalidInput,
    MissingPart,
    RunState,
    Stage,
    StoreBusy,
    StoreFull,
    StoreGone,
    TaskState,
    TickState,
)
from monitor.pipeline import Left, Progress, Step, Stop, TurnLost, never
from monitor.pipeline.looking_up import asks_others
from monitor.pipeline.turns import lane_turn
from monitor.settings import Settings
from monitor.store import (
    events,
    leases,
    runs,
    tasks,
    ticks,
)
from monitor.store.database import Database
from monitor.store.runs import Run
from monitor.store.tasks import TOGETHER, Redoing, Task
from monitor.text.counted_nouns import several
from monitor.work.outside import around, outside

log = logging.getLogger(__name__)

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
    give_way = _OthersWait(shop) if task.is_by_itself else never
    try:
        first = Step.PARSE if is_free else Step(task.lane)
        done = pipeline.redo_run(shop.database, run, first, noting(shop, task), shop.stop, give_way)
        if done is None:
            postpone(shop, task)
            return
        said = several(done.points, "new point")
        if not _is_last(shop, task, said):
            return
        _compare_anew(shop, run, lambda: shop.stop() or give_way())
    except KeyboardInterrupt:
        if shop.stop():
            raise
        postpone(shop, task, GIVEN_WAY)
        return
    with shop.database.begin() as connection:
        if is_open(connection, task):
            [mine] = [one for one in pipeline.redo_progress(connection) if _is_redo_of(one, task)]
            n = mine.planned
            detail = f"{n:,} run{' was' if n == 1 else 's were'} derived anew"
            events.add(connection, "redone", task.job, detail, now=datetime.now(UTC))
            tasks.settle(connection, task.id, TaskState.DONE, said, progress=True)


def _is_redo_of(one: Redoing, task: Task) -> bool:
    return (one.job, one.is_by_itself) == (task.job, task.is_by_itself)


class _OthersWait:
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


def _compare_anew(shop: Shop, run: Run, stop: Stop) -> None:
    """Compare anew what was derived anew: once for all runs of the job, not once for each."""
    with shop.database.read() as connection:
        kept = runs.kept(connection, run.job)
    pipeline.conclude_after(shop.database, kept, shop.progress, stop)


#: After so many tries without progress a task is given up.
MOST_TRIES = 5
#: What is left to other runs that want the same engine, longer than it takes them to notice.
OTHERS = timedelta(seconds=2)
#: So much earlier than it was postponed to a task may be begun: clocks of machines differ.
EARLY = timedelta(seconds=2)
#: How long a task waits: for room or a server, for a part that a person has to install or a key to
#: set, and after a fault of ours (doubled with every try).
AWAY = timedelta(seconds=10)
LACKING = timedelta(minutes=5)
FAULT = timedelta(seconds=15)
#: Why a task was tried so often, where nobody lived to write it down.
_DIED = "each time its process ended before anything was stored"


def perform(shop: Shop, task_id: int) -> None:
    """Do a task, or as much of it as one turn allows, and write down how far it has come.

    Raises KeyboardInterrupt once `shop.stop` says so; what came in is stored, the task stays open.
    Raises StoreProblem where that cannot be written down.
    """
    with shop.database.begin() as connection:
        task = tasks.get(connection, task_id)
        if task is None or task.state is not TaskState.OPEN or _is_early(task):
            return
        if _is_busy(connection, shop, task):
            rest = GIVEN_WAY if task.is_by_itself else BUSY
            tasks.settle(connection, task.id, TaskState.OPEN, task.reason, later(rest))
            return
        tries = tasks.begin(connection, task.id)
        run = runs.get(connection, task.run_id)
    if tries > MOST_TRIES:
        _give_up(shop, task, f"given up after {MOST_TRIES} tries; {task.reason or _DIED}")
        return
    _done(shop, task, run, tries)


def _is_early(task: Task) -> bool:
    """Whether it was postponed since it was handed out."""
    return task.not_before is not None and task.not_before > later(EARLY)


def _is_busy(connection: pipeline.Connection, shop: Shop, task: Task) -> bool:
    """Whether another asks the lane, or works on the run, found out before anything is loaded.

    What the daemon does by itself waits for all others as well.
    """
    if task.is_by_itself and others_wait(connection, shop):
        return True
    name = lane_turn(task.lane, shop.chosen.exit)
    if task.stage is not Stage.COLLECT:
        name = pipeline.turn_of_run(task.run_id)
    return bool(leases.held_by(connection, name))


def _done(shop: Shop, task: Task, run: Run, tries: int) -> None:
    try:
        if task.stage is Stage.REDO:
            redo(shop, task, run)
            return
        audit = pipeline.audit_of_run(shop.database, run)
        if task.stage is Stage.COLLECT:
            _collect(shop, task, run, audit)
        else:
            _derive(shop, task, run, audit)
    except KeyboardInterrupt:
        settle(shop, task, TaskState.OPEN, task.reason, progress=True)
        raise
    except (StoreGone, StoreFull, StoreBusy) as error:
        settle(shop, task, TaskState.OPEN, str(error), AWAY, progress=True)
    except (InvalidInput, MissingPart) as error:
        if task.stage is Stage.REDO and tries >= MOST_TRIES:  # the run will never be another
            _give_up(shop, task, f"given up after {tries} tries; {error}")
            return
        log.warning("task %s of run %s waits: %s", task.id, run.id, error)
        is_well = task.stage is not Stage.REDO
        settle(shop, task, TaskState.OPEN, str(error), LACKING, progress=is_well)
    except Exception as error:
        log.exception("task %s of run %s failed", task.id, run.id)
        said = f"{type(error).__name__}: {error}"
        if tries >= MOST_TRIES:
            _give_up(shop, task, f"given up after {tries} tries; {said}")
        else:
            settle(shop, task, TaskState.OPEN, said, FAULT * 2 ** (tries - 1))


# --- asking ---------------------------------------------------------------------------------------


def _collect(shop: Shop, task: Task, run: Run, audit: Audit) -> None:
    lanes = set(pipeline.by_lane(audit)) if task.lane == TOGETHER else {task.lane}
    samples = pipeline.sample_requests(audit, lanes)
    here = around(shop.chosen)
    with outside(samples, audit.job.contact) as fetcher:
        progress = noting(shop, task)
        left, said = pipeline.ask_run(
            shop.database, audit, run, fetcher, here, progress, shop.stop, lanes, once=True
        )
    with shop.database.begin() as connection:
        if not is_open(connection, task):
            return
        if any(one.is_busy for one in left):
            tasks.postpone(connection, task.id, later(BUSY))
            return
        state, reason, until = _after(left, said)
        if state is TaskState.OPEN and until is None and tasks.is_wanted(connection, run.id, lanes):
            until = later(OTHERS)
        tasks.settle(connection, task.id, state, reason, until, progress=True)


def _after(left: list[Left], said: list[str]) -> tuple[TaskState, str, datetime | None]:
    """How far a task has come by what is left of its lanes.

    A lane that is stopped until nobody knows when is done with: a person has to mend something.
    """
    reason = "; ".join(dict.fromkeys([*(str(one) for one in left if one.reasons), *said]))
    if any(one.open and not one.reasons for one in left):
        return TaskState.OPEN, reason, None
    times = [one.until for one in left if one.open and one.until]
    if times:
        return TaskState.OPEN, reason, min(times)
    return TaskState.DONE, reason, None


# --- deriving -------------------------------------------------------------------------------------


def _derive(shop: Shop, task: Task, run: Run, audit: Audit) -> None:
    with pipeline.take_run(shop.database, run) as taken:
        if taken is None:
            postpone(shop, task)
            return
        fenced, turn = taken
        with shop.database.read() as connection:
            others = tasks.of_run(connection, run.id)
        stopped = [one.reason for one in others if one.stage is Stage.COLLECT and one.reason]
        with outside(_questions(shop, audit), audit.job.contact) as fetcher:
            landings = fetcher.landings if pipeline.landing_depth(audit) else None
            here = around(shop.chosen, landings)
            try:
                summary = pipeline.finish(
                    fenced,
                    audit,
                    run,
                    fetcher,
                    here,
                    shop.progress,
                    lambda: shop.stop() or turn.is_given,
                    stopped,
                )
            except KeyboardInterrupt:
                if shop.stop():
                    raise
                log.warning("run %s is derived by another process now", run.id)
                return
            except TurnLost as error:
                log.warning("run %s: %s", run.id, error)
                return
    failed = any(one.state is TaskState.FAILED for one in others)
    state = TickState.DONE if summary.state is RunState.DONE else TickState.PARTIAL
    said = summary.stopped
    if state is TickState.DONE:  # what was waited for is over
        said = tuple(one for one in said if one not in stopped)
    reason = "; ".join(said)
    with shop.database.begin() as connection:
        if not is_open(connection, task):
            return
        tasks.settle(connection, task.id, TaskState.DONE, reason, progress=True)
        _end_ticks(connection, run.id, TickState.FAILED if failed else state, reason)


def _questions(shop: Shop, audit: Audit) -> list[HttpRequest]:
    """What may have to be asked of others than the engines."""
    return [HttpRequest("GET", shop.chosen.wikidata_api)] if asks_others(audit) else []


def _end_ticks(connection: pipeline.Connection, run_id: int, state: TickState, reason: str) -> None:
    for tick in ticks.open_of_run(connection, run_id):
        ticks.end(connection, tick.id, state, reason, datetime.now(UTC))


def _give_up(shop: Shop, task: Task, reason: str) -> None:
    """A task is not tried again. What was collected stays, and is derived from."""
    log.error("task %s of run %s: %s", task.id, task.run_id, reason)
    now = datetime.now(UTC)
    with shop.database.begin() as connection:
        if not is_open(connection, task):
            return
        tasks.settle(connection, task.id, TaskState.FAILED, reason)
        subject = f"{task.job}: {task.stage} {task.lane}".rstrip()
        events.add(connection, "task_failed", subject, reason, run_id=task.run_id, now=now)
        events.raise_alarm(connection, "task_failed", subject, reason, now)
        if task.stage is Stage.DERIVE:
            runs.set_state(connection, task.run_id, RunState.INTERRUPTED)
            _end_ticks(connection, task.run_id, TickState.FAILED, reason)


def wind_up(shop: Shop, run_id: int, reason: str) -> bool:
    """Ask no more of a run whose questions wait, so that it can be finished.

    False, and nothing changes, while some of it is being asked, or could be.
    """
    with shop.database.begin() as connection:
        asked = [one for one in tasks.of_run(connection, run_id) if one.stage is Stage.COLLECT]
        still = [one for one in asked if one.state is TaskState.OPEN]
        now = datetime.now(UTC)
        if any(one.not_before is None or one.not_before <= now + BUSY for one in still):
            return False
        names = [lane_turn(one.lane, shop.chosen.exit) for one in still]
        if any(leases.held_by(connection, name) for name in names):
            return False
        for one in still:
            why = "; ".join(part for part in (one.reason, reason) if part)
            tasks.settle(connection, one.id, TaskState.DONE, why)
    return bool(still)
