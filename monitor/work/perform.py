"""Performs one task of a run: one turn of a lane, deriving, or recomputing; in threads.

Leases say who performs a task; `tasks` stores tries, waiting and the result. If a process dies, its
task stays open and its answers are stored.
"""

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event, Lock, Thread
from time import monotonic
from typing import Protocol

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
    StoreProblem,
    TaskState,
    TickState,
)
from monitor.pipeline import DerivationStep, LaneRemainder, Progress, Stop, TurnLost, never
from monitor.pipeline.schedule.leases import lane_turn
from monitor.settings import Settings
from monitor.stages.jobs.plan import asks_others
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.schedule import leases, tasks, ticks
from monitor.store.schedule.tasks import TOGETHER, Task
from monitor.text.counted_nouns import several
from monitor.work.outside import asks_services_of_others, make_surroundings, open_fetcher

log = logging.getLogger(__name__)

#: How long a task waits for a turn that another has.
BUSY_WAIT = timedelta(seconds=0.5)
#: How long what the daemon does by itself rests after it has made room for others.
GIVEN_WAY_WAIT = timedelta(seconds=5)
#: Between two turns of a lane nobody asks it for a moment.
_BETWEEN_TURNS = timedelta(seconds=3)
_LOOK_SECONDS = 1.0
#: After so many tries without progress a task is given up.
MOST_TRIES = 5
#: What is left to other runs that want the same engine, longer than it takes them to notice.
OTHERS_WAIT = timedelta(seconds=2)
#: So much earlier than it was postponed to a task may be begun: clocks of machines differ.
EARLY_BY = timedelta(seconds=2)
#: How long a task waits: for room or a server, for a part that a person has to install or a key to
#: set, and after a fault of ours (doubled with every try).
AWAY_WAIT = timedelta(seconds=10)
LACKING_WAIT = timedelta(minutes=5)
FAULT_WAIT = timedelta(seconds=15)
#: Why a task was tried so often, where nobody lived to write it down.
_DIED = "each time its process ended before anything was stored"
#: It is looked for ready tasks so often, and when somebody says that there are some.
LOOK_SECONDS = 1.0
#: How long nothing is looked for after the database could not be asked: longer each time.
FIRST_REST, _LONGEST_REST = 1.0, 30.0


class Companion(Protocol):
    """A part that is started and stopped with a process."""

    def start(self) -> None:
        """Start, and return at once."""

    def stop(self) -> None:
        """Stop, and return when it has stopped."""


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """Database, settings and other things that performing tasks needs."""

    database: Database
    settings: Settings
    progress: Progress
    stop: Stop


def add_wait(wait: timedelta) -> datetime:
    """Return the time after a wait from now."""
    return datetime.now(UTC) + wait


def settle_task(
    shop: WorkerContext,
    task: Task,
    state: TaskState,
    reason: str = "",
    wait: timedelta | None = None,
    *,
    progress: bool = False,
) -> None:
    """Write down how far a task has come, unless it was ended meanwhile."""
    until = add_wait(wait) if wait else None
    with shop.database.begin() as connection:
        if is_open(connection, task):
            tasks.settle_task(connection, task.id, state, reason, until, progress=progress)


def is_open(connection: pipeline.Connection, task: Task) -> bool:
    """Return whether the task is still open."""
    stored = tasks.get_task(connection, task.id, alone=True)
    return stored is not None and stored.state is TaskState.OPEN


def postpone_task(shop: WorkerContext, task: Task, wait: timedelta = BUSY_WAIT) -> None:
    """Postpone a task, because another is at work."""
    with shop.database.begin() as connection:
        tasks.postpone_task(connection, task.id, add_wait(wait))


def note_progress(shop: WorkerContext, task: Task) -> Progress:
    """Return a progress callback that resets the tries after the first stored answer.

    A process that is killed again and again, but not before it has stored something, gets on.
    """
    before: int | None = None
    is_noted = False

    def note(stage: str, done: int, planned: int) -> None:
        nonlocal before, is_noted
        before = done if before is None else before
        if done > before and not is_noted:
            settle_task(shop, task, TaskState.OPEN, task.reason, progress=True)
            is_noted = True
        shop.progress(stage, done, planned)

    return note


def redo_run(shop: WorkerContext, task: Task, run: Run) -> None:
    """Recompute a run from stored answers; existing points stay beside the new ones.

    What the daemon does by itself gives way to everything else, and goes on later.
    """
    is_free = task.is_by_itself or not task.lane
    give_way = _OthersWaiting(shop) if task.is_by_itself else never
    try:
        first = DerivationStep.PARSE if is_free else DerivationStep(task.lane)
        done = pipeline.redo_run(
            shop.database, run, first, note_progress(shop, task), shop.stop, give_way
        )
        if done is None:
            postpone_task(shop, task)
            return
        new_points = several(done.points, "new point")
        if not _is_last(shop, task, new_points):
            return
        with shop.database.read() as connection:
            kept_runs = runs.list_ended(connection, run.job)
        pipeline.conclude_after(
            shop.database, kept_runs, shop.progress, lambda: shop.stop() or give_way()
        )
    except KeyboardInterrupt:
        if shop.stop():
            raise
        postpone_task(shop, task, GIVEN_WAY_WAIT)
        return
    with shop.database.begin() as connection:
        if is_open(connection, task):
            [own_progress] = [
                progress
                for progress in pipeline.redo_progress(connection)
                if (progress.job, progress.is_by_itself) == (task.job, task.is_by_itself)
            ]
            n = own_progress.planned
            detail = f"{several(n, 'run')} {'was' if n == 1 else 'were'} derived anew"
            events.add_event(connection, "redone", task.job, detail, now=datetime.now(UTC))
            tasks.settle_task(connection, task.id, TaskState.DONE, new_points, progress=True)


class _OthersWaiting:
    """A check for other waiting tasks, which looks at most once a second."""

    def __init__(self, shop: WorkerContext) -> None:
        self._shop, self._until, self._found = shop, 0.0, False

    def __call__(self) -> bool:
        if monotonic() >= self._until:
            with self._shop.database.read() as connection:
                self._found = others_wait(connection, self._shop)
            self._until = monotonic() + _LOOK_SECONDS
        return self._found


def others_wait(connection: pipeline.Connection, shop: WorkerContext) -> bool:
    """Return whether a run waits to be derived, or a lane that nobody asks."""
    now = datetime.now(UTC)
    for task in tasks.find_ready(connection, now):
        if task.is_by_itself:
            continue
        if task.stage is not Stage.COLLECT:
            return True
        if task.lane == TOGETHER or now - task.changed_at < _BETWEEN_TURNS:
            continue
        if not leases.find_holder(connection, lane_turn(task.lane, shop.settings.exit)):
            return True
    return False


def _is_last(shop: WorkerContext, task: Task, new_points: str) -> bool:
    """Return whether this recomputing task is the last of its job; end it otherwise."""
    now = datetime.now(UTC)
    with shop.database.begin() as connection:
        open_redos = tasks.list_open_redos(connection, task.job, alone=True)
        # one that fails again and again must not keep the others from being compared
        other_redos = [
            redo
            for redo in open_redos
            if redo.id != task.id and not (redo.tries and redo.not_before and redo.not_before > now)
        ]
        if other_redos and len(other_redos) < len(open_redos):
            tasks.settle_task(connection, task.id, TaskState.DONE, new_points, progress=True)
    return not other_redos


def perform_task(shop: WorkerContext, task_id: int) -> None:
    """Perform a task, or one turn of it, and store its progress.

    Raises KeyboardInterrupt once `shop.stop` says so; what came in is stored, the task stays open.
    Raises StoreProblem where that cannot be written down.
    """
    with shop.database.begin() as connection:
        task = tasks.get_task(connection, task_id)
        if task is None or task.state is not TaskState.OPEN:
            return
        if task.not_before is not None and task.not_before > add_wait(EARLY_BY):
            return  # postponed since it was handed out
        if _is_busy(connection, shop, task):
            rest = GIVEN_WAY_WAIT if task.is_by_itself else BUSY_WAIT
            tasks.settle_task(connection, task.id, TaskState.OPEN, task.reason, add_wait(rest))
            return
        tries = tasks.begin_task(connection, task.id)
        run = runs.get_run(connection, task.run_id)
    if tries > MOST_TRIES:
        _give_up(shop, task, f"given up after {MOST_TRIES} tries; {task.reason or _DIED}")
        return
    _run_task(shop, task, run, tries)


def _is_busy(connection: pipeline.Connection, shop: WorkerContext, task: Task) -> bool:
    """Return whether another process asks the lane or works on the run.

    What the daemon does by itself waits for all others as well.
    """
    if task.is_by_itself and others_wait(connection, shop):
        return True
    name = lane_turn(task.lane, shop.settings.exit)
    if task.stage is not Stage.COLLECT:
        name = pipeline.turn_of_run(task.run_id)
    return bool(leases.find_holder(connection, name))


def _run_task(shop: WorkerContext, task: Task, run: Run, tries: int) -> None:
    try:
        if task.stage is Stage.REDO:
            redo_run(shop, task, run)
            return
        audit = pipeline.audit_of_run(shop.database, run)
        if task.stage is Stage.COLLECT:
            _collect_lane(shop, task, run, audit)
        else:
            _derive_run(shop, task, run, audit)
    except KeyboardInterrupt:
        settle_task(shop, task, TaskState.OPEN, task.reason, progress=True)
        raise
    except (StoreGone, StoreFull, StoreBusy) as error:
        settle_task(shop, task, TaskState.OPEN, str(error), AWAY_WAIT, progress=True)
    except (InvalidInput, MissingPart) as error:
        if task.stage is Stage.REDO and tries >= MOST_TRIES:  # the run will never be another
            _give_up(shop, task, f"given up after {tries} tries; {error}")
            return
        log.warning("task %s of run %s waits: %s", task.id, run.id, error)
        is_well = task.stage is not Stage.REDO
        settle_task(shop, task, TaskState.OPEN, str(error), LACKING_WAIT, progress=is_well)
    except Exception as error:
        log.exception("task %s of run %s failed", task.id, run.id)
        fault = f"{type(error).__name__}: {error}"
        if tries >= MOST_TRIES:
            _give_up(shop, task, f"given up after {tries} tries; {fault}")
        else:
            settle_task(shop, task, TaskState.OPEN, fault, FAULT_WAIT * 2 ** (tries - 1))


# --- asking ---------------------------------------------------------------------------------------


def _collect_lane(shop: WorkerContext, task: Task, run: Run, audit: Audit) -> None:
    lanes = set(pipeline.by_lane(audit)) if task.lane == TOGETHER else {task.lane}
    samples = pipeline.sample_requests(audit, lanes)
    surroundings = make_surroundings(shop.settings)
    foreign = asks_services_of_others(audit)
    with open_fetcher(samples, audit.job.contact, foreign=foreign) as fetcher:
        progress = note_progress(shop, task)
        lanes_left, reasons = pipeline.ask_run(
            shop.database, audit, run, fetcher, surroundings, progress, shop.stop, lanes, once=True
        )
    with shop.database.begin() as connection:
        if not is_open(connection, task):
            return
        if any(lane.is_busy for lane in lanes_left):
            tasks.postpone_task(connection, task.id, add_wait(BUSY_WAIT))
            return
        state, reason, until = _find_outcome(lanes_left, reasons)
        if (
            state is TaskState.OPEN
            and until is None
            and tasks.is_lane_wanted(connection, run.id, lanes)
        ):
            until = add_wait(OTHERS_WAIT)
        tasks.settle_task(connection, task.id, state, reason, until, progress=True)


def _find_outcome(
    lanes_left: list[LaneRemainder], reasons: list[str]
) -> tuple[TaskState, str, datetime | None]:
    """Return state, reason and time of a task by what is left of its lanes.

    A lane that is stopped until nobody knows when is done with: a person has to mend something.
    """
    of_lanes = [str(lane) for lane in lanes_left if lane.reasons]
    reason = "; ".join(dict.fromkeys([*of_lanes, *reasons]))
    if any(lane.open and not lane.reasons for lane in lanes_left):
        return TaskState.OPEN, reason, None
    times = [lane.until for lane in lanes_left if lane.open and lane.until]
    if times:
        return TaskState.OPEN, reason, min(times)
    return TaskState.DONE, reason, None


# --- deriving -------------------------------------------------------------------------------------


def _derive_run(shop: WorkerContext, task: Task, run: Run, audit: Audit) -> None:
    with pipeline.take_run(shop.database, run) as taken:
        if taken is None:
            postpone_task(shop, task)
            return
        fenced, turn = taken
        with shop.database.read() as connection:
            run_tasks = tasks.list_run_tasks(connection, run.id)
        stopped = [item.reason for item in run_tasks if item.stage is Stage.COLLECT and item.reason]
        example = HttpRequest("GET", shop.settings.wikidata_api)
        lookups = [example] if asks_others(audit) else []
        with open_fetcher(lookups, audit.job.contact) as fetcher:
            landings = fetcher.landings if pipeline.landing_depth(audit) else None
            surroundings = make_surroundings(shop.settings, landings)
            try:
                summary = pipeline.finish(
                    fenced, audit, run, fetcher, surroundings, shop.progress,
                    lambda: shop.stop() or turn.is_given, stopped,
                )  # fmt: skip
            except KeyboardInterrupt:
                if shop.stop():
                    raise
                log.warning("run %s is derived by another process now", run.id)
                return
            except TurnLost as error:
                log.warning("run %s: %s", run.id, error)
                return
    failed = any(item.state is TaskState.FAILED for item in run_tasks)
    state = TickState.DONE if summary.state is RunState.DONE else TickState.PARTIAL
    over = stopped if state is TickState.DONE else []  # what was waited for
    reason = "; ".join(item for item in summary.stopped if item not in over)
    with shop.database.begin() as connection:
        if not is_open(connection, task):
            return
        tasks.settle_task(connection, task.id, TaskState.DONE, reason, progress=True)
        _end_ticks(connection, run.id, TickState.FAILED if failed else state, reason)


def _end_ticks(connection: pipeline.Connection, run_id: int, state: TickState, reason: str) -> None:
    for tick in ticks.list_open_of_run(connection, run_id):
        ticks.end_tick(connection, tick.id, state, reason, datetime.now(UTC))


def _give_up(shop: WorkerContext, task: Task, reason: str) -> None:
    """End a task as failed. Collected answers stay, and are derived."""
    log.error("task %s of run %s: %s", task.id, task.run_id, reason)
    now = datetime.now(UTC)
    with shop.database.begin() as connection:
        if not is_open(connection, task):
            return
        tasks.settle_task(connection, task.id, TaskState.FAILED, reason)
        subject = f"{task.job}: {task.stage} {task.lane}".rstrip()
        events.add_event(connection, "task_failed", subject, reason, run_id=task.run_id, now=now)
        events.raise_alarm(connection, "task_failed", subject, reason, now)
        if task.stage is Stage.DERIVE:
            runs.set_state(connection, task.run_id, RunState.INTERRUPTED)
            _end_ticks(connection, task.run_id, TickState.FAILED, reason)


def stop_collecting(shop: WorkerContext, run_id: int, reason: str) -> bool:
    """Stop asking in a run whose questions wait, so that it can be finished.

    False, and nothing changes, while some of it is being asked, or could be.
    """
    with shop.database.begin() as connection:
        collecting = [
            task for task in tasks.list_run_tasks(connection, run_id) if task.stage is Stage.COLLECT
        ]
        open_tasks = [task for task in collecting if task.state is TaskState.OPEN]
        now = datetime.now(UTC)
        if any(
            task.not_before is None or task.not_before <= now + BUSY_WAIT for task in open_tasks
        ):
            return False
        names = [lane_turn(task.lane, shop.settings.exit) for task in open_tasks]
        if any(leases.find_holder(connection, name) for name in names):
            return False
        for task in open_tasks:
            why = "; ".join(part for part in (task.reason, reason) if part)
            tasks.settle_task(connection, task.id, TaskState.DONE, why)
    return bool(open_tasks)


class TaskLoop(ABC):
    """A thread that looks for tasks while this daemon leads, and at once when it is woken."""

    def __init__(self, name: str) -> None:
        self._woken, self._over = Event(), Event()
        self._rest = FIRST_REST
        self._loop = Thread(target=self._run_loop, name=name, daemon=True)

    @property
    def in_flight(self) -> int:
        """Return how many tasks are in progress here."""
        return 0

    @property
    def is_alive(self) -> bool:
        """Return whether it still looks for tasks."""
        return self._loop.is_alive()

    def start(self) -> None:
        """Start looking for tasks."""
        self._loop.start()

    def wake(self) -> None:
        """Look for tasks now."""
        self._woken.set()

    def close(self, *, wait: bool) -> None:
        """Start no more tasks; `wait` for those in progress."""
        self._over.set()
        self._woken.set()
        if wait and self._loop.is_alive():
            self._loop.join()

    def _run_loop(self) -> None:
        while not self._over.is_set():
            self._woken.clear()
            self._woken.wait(self._look())

    @abstractmethod
    def _look(self) -> float:
        """Begin ready tasks, and return the seconds until the next look."""

    def _rest_longer(self) -> float:
        rest, self._rest = self._rest, min(self._rest * 2, _LONGEST_REST)
        return rest


class ThreadExecutor(TaskLoop):
    """Threads that perform tasks; no lane is asked by two of them at a time.

    Of tasks that are ready, the one goes first that was longest left alone, so that two runs that
    want the same engine take turns. What is derived anew of kept answers is done beside, one run at
    a time: it takes no hand from what is due.
    """

    def __init__(self, shop: WorkerContext, at_once: int = 8) -> None:
        self._shop, self._at_once = shop, at_once
        self._lock = Lock()
        self._at_work: dict[int, tuple[Task, Thread]] = {}
        self._begun: dict[int, float] = {}  # of the tasks that were ready last: when each began
        super().__init__("hands")

    @property
    def in_flight(self) -> int:
        with self._lock:
            return len(self._at_work)

    def close(self, *, wait: bool) -> None:
        super().close(wait=wait)
        if not wait:
            return
        with self._lock:
            threads = [thread for _, thread in self._at_work.values()]
        for thread in threads:
            thread.join()

    def _look(self) -> float:
        try:
            self._begin_some()
        except StoreProblem as error:
            log.warning("tasks cannot be looked for now: %s", error)
            return self._rest_longer()
        except Exception:
            log.exception("tasks could not be looked for")
            return _LONGEST_REST
        self._rest = FIRST_REST
        return LOOK_SECONDS

    def _begin_some(self) -> None:
        with self._lock:
            before = set(self._at_work)  # what ends while we read is still open in what we read
        with self._shop.database.read() as connection:
            ready = tasks.find_ready(connection, datetime.now(UTC))
        self._begun = {ready_task.id: self._begun.get(ready_task.id, 0.0) for ready_task in ready}
        for task in sorted(
            ready, key=lambda ready_task: (self._begun[ready_task.id], ready_task.id)
        ):
            if self._over.is_set():
                return
            with self._lock:
                if task.id in before or task.id in self._at_work or not self._is_free(task):
                    continue
                thread = Thread(target=self._perform_task, args=(task,), name=f"task-{task.id}")
                thread.daemon = True  # a second signal does not wait for it
                self._at_work[task.id] = task, thread
            self._begun[task.id] = monotonic()
            try:
                thread.start()
            except BaseException:
                # no memory for one more thread: it must not count as being performed
                with self._lock:
                    del self._at_work[task.id]
                raise

    def _is_free(self, task: Task) -> bool:
        """Return whether a thread is free for a task, and nobody asks its lane."""
        is_beside = task.stage is Stage.REDO
        alike = [
            task_at_work
            for task_at_work, _ in self._at_work.values()
            if (task_at_work.stage is Stage.REDO) == is_beside
        ]
        if is_beside:
            return not alike
        lanes = {task_at_work.lane for task_at_work in alike} - {"", TOGETHER}
        return len(alike) < self._at_once and task.lane not in lanes

    def _perform_task(self, task: Task) -> None:
        try:
            perform_task(self._shop, task.id)
        except KeyboardInterrupt:
            log.info("task %s stopped; what came in is stored", task.id)
        except StoreProblem as error:
            log.warning("task %s is left as it is for now: %s", task.id, error)
            self._over.wait(FIRST_REST)
        except Exception:
            log.exception("task %s is left as it is", task.id)
            self._over.wait(_LONGEST_REST)
        finally:
            with self._lock:
                del self._at_work[task.id]
            self._woken.set()
