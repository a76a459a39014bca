"""Perform one task of a run: ask a lane for one turn, derive, or derive anew; in threads.

Leases say who performs a task; `tasks` holds how often it was tried, whether it waits and how it
ended. A process that dies in the middle leaves its task open, its answers stored.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event, Lock, Thread
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
    StoreProblem,
    TaskState,
    TickState,
)
from monitor.pipeline import Left, Progress, Step, Stop, TurnLost, never
from monitor.pipeline.looking_up import asks_others
from monitor.pipeline.turns import lane_turn
from monitor.settings import Settings
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.schedule import leases, tasks, ticks
from monitor.store.schedule.tasks import TOGETHER, RedoProgress, Task
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
            tasks.settle_task(connection, task.id, state, reason, until, progress=progress)


def is_open(connection: pipeline.Connection, task: Task) -> bool:
    """Whether nobody has ended the task meanwhile, while this process stood still."""
    now = tasks.get_task(connection, task.id, alone=True)
    return now is not None and now.state is TaskState.OPEN


def postpone(shop: Shop, task: Task, wait: timedelta = BUSY) -> None:
    """Try a task later, because another is at work."""
    with shop.database.begin() as connection:
        tasks.postpone_task(connection, task.id, later(wait))


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
            events.add_event(connection, "redone", task.job, detail, now=datetime.now(UTC))
            tasks.settle_task(connection, task.id, TaskState.DONE, said, progress=True)


def _is_redo_of(one: RedoProgress, task: Task) -> bool:
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
    for one in tasks.find_ready(connection, now):
        if one.is_by_itself:
            continue
        if one.stage is not Stage.COLLECT:
            return True
        if one.lane == TOGETHER or now - one.changed_at < _BETWEEN:
            continue
        if not leases.find_holder(connection, lane_turn(one.lane, shop.chosen.exit)):
            return True
    return False


def _is_last(shop: Shop, task: Task, said: str) -> bool:
    """Whether this task is the last of its job, which compares all; any other is done with now."""
    now = datetime.now(UTC)
    with shop.database.begin() as connection:
        known = tasks.list_open_redos(connection, task.job, alone=True)
        # one that fails again and again must not keep the others from being compared
        others = [
            one
            for one in known
            if one.id != task.id and not (one.tries and one.not_before and one.not_before > now)
        ]
        if others and len(others) < len(known):
            tasks.settle_task(connection, task.id, TaskState.DONE, said, progress=True)
    return not others


def _compare_anew(shop: Shop, run: Run, stop: Stop) -> None:
    """Compare anew what was derived anew: once for all runs of the job, not once for each."""
    with shop.database.read() as connection:
        kept = runs.list_ended(connection, run.job)
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
        task = tasks.get_task(connection, task_id)
        if task is None or task.state is not TaskState.OPEN or _is_early(task):
            return
        if _is_busy(connection, shop, task):
            rest = GIVEN_WAY if task.is_by_itself else BUSY
            tasks.settle_task(connection, task.id, TaskState.OPEN, task.reason, later(rest))
            return
        tries = tasks.begin_task(connection, task.id)
        run = runs.get_run(connection, task.run_id)
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
    return bool(leases.find_holder(connection, name))


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
            tasks.postpone_task(connection, task.id, later(BUSY))
            return
        state, reason, until = _after(left, said)
        if (
            state is TaskState.OPEN
            and until is None
            and tasks.is_lane_wanted(connection, run.id, lanes)
        ):
            until = later(OTHERS)
        tasks.settle_task(connection, task.id, state, reason, until, progress=True)


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
            others = tasks.list_run_tasks(connection, run.id)
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
        tasks.settle_task(connection, task.id, TaskState.DONE, reason, progress=True)
        _end_ticks(connection, run.id, TickState.FAILED if failed else state, reason)


def _questions(shop: Shop, audit: Audit) -> list[HttpRequest]:
    """What may have to be asked of others than the engines."""
    return [HttpRequest("GET", shop.chosen.wikidata_api)] if asks_others(audit) else []


def _end_ticks(connection: pipeline.Connection, run_id: int, state: TickState, reason: str) -> None:
    for tick in ticks.list_open_of_run(connection, run_id):
        ticks.end_tick(connection, tick.id, state, reason, datetime.now(UTC))


def _give_up(shop: Shop, task: Task, reason: str) -> None:
    """A task is not tried again. What was collected stays, and is derived from."""
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


def wind_up(shop: Shop, run_id: int, reason: str) -> bool:
    """Ask no more of a run whose questions wait, so that it can be finished.

    False, and nothing changes, while some of it is being asked, or could be.
    """
    with shop.database.begin() as connection:
        asked = [
            one for one in tasks.list_run_tasks(connection, run_id) if one.stage is Stage.COLLECT
        ]
        still = [one for one in asked if one.state is TaskState.OPEN]
        now = datetime.now(UTC)
        if any(one.not_before is None or one.not_before <= now + BUSY for one in still):
            return False
        names = [lane_turn(one.lane, shop.chosen.exit) for one in still]
        if any(leases.find_holder(connection, name) for name in names):
            return False
        for one in still:
            why = "; ".join(part for part in (one.reason, reason) if part)
            tasks.settle_task(connection, one.id, TaskState.DONE, why)
    return bool(still)


#: It is looked for ready tasks so often, and when somebody says that there are some.
LOOK_SECONDS = 1.0
#: How long nothing is looked for after the database could not be asked: longer each time.
_FIRST_REST, _LONGEST_REST = 1.0, 30.0


class Here:
    """Hands of this process. No lane is asked by two of them at a time.

    Of tasks that are ready, the one goes first that was longest left alone, so that two runs that
    want the same engine take turns. What is derived anew of kept answers is done beside, one run at
    a time: it takes no hand from what is due.
    """

    def __init__(self, shop: Shop, at_once: int = 8) -> None:
        self._shop, self._at_once = shop, at_once
        self._lock, self._woken, self._over = Lock(), Event(), Event()
        self._at_work: dict[int, tuple[Task, Thread]] = {}
        self._begun: dict[int, float] = {}  # of the tasks that were ready last: when each began
        self._rest = _FIRST_REST
        self._loop = Thread(target=self._run, name="hands", daemon=True)

    def start(self) -> None:
        """Begin to look for tasks."""
        self._loop.start()

    def wake(self) -> None:
        """Look now: there may be something to do."""
        self._woken.set()

    @property
    def in_flight(self) -> int:
        """How many tasks are being performed."""
        with self._lock:
            return len(self._at_work)

    @property
    def is_alive(self) -> bool:
        """Whether tasks are still being looked for."""
        return self._loop.is_alive()

    def close(self, *, wait: bool) -> None:
        """Begin nothing more; wait for what is in flight, or leave it to end with the process."""
        self._over.set()
        self._woken.set()
        if not wait:
            return
        if self._loop.is_alive():
            self._loop.join()
        with self._lock:
            threads = [thread for _, thread in self._at_work.values()]
        for thread in threads:
            thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            self._woken.clear()
            self._woken.wait(self._looked())

    def _looked(self) -> float:
        """Begin what can be begun; returns how many seconds nothing needs to be looked for."""
        try:
            self._begin_some()
        except StoreProblem as error:
            log.warning("tasks cannot be looked for now: %s", error)
            rest, self._rest = self._rest, min(self._rest * 2, _LONGEST_REST)
            return rest
        except Exception:
            log.exception("tasks could not be looked for")
            return _LONGEST_REST
        self._rest = _FIRST_REST
        return LOOK_SECONDS

    def _begin_some(self) -> None:
        with self._lock:
            before = set(self._at_work)  # what ends while we read is still open in what we read
        with self._shop.database.read() as connection:
            ready = tasks.find_ready(connection, datetime.now(UTC))
        self._begun = {one.id: self._begun.get(one.id, 0.0) for one in ready}
        for task in sorted(ready, key=lambda one: (self._begun[one.id], one.id)):
            if self._over.is_set():
                return
            with self._lock:
                if task.id in before or task.id in self._at_work or not self._is_free(task):
                    continue
                thread = Thread(target=self._perform, args=(task,), name=f"task-{task.id}")
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
        """Whether there is a hand for a task, and nobody asks its lane."""
        is_beside = task.stage is Stage.REDO
        alike = [one for one, _ in self._at_work.values() if (one.stage is Stage.REDO) == is_beside]
        if is_beside:
            return not alike
        lanes = {one.lane for one in alike} - {"", TOGETHER}
        return len(alike) < self._at_once and task.lane not in lanes

    def _perform(self, task: Task) -> None:
        try:
            perform(self._shop, task.id)
        except KeyboardInterrupt:
            log.info("task %s stopped; what came in is stored", task.id)
        except StoreProblem as error:
            log.warning("task %s is left as it is for now: %s", task.id, error)
            self._over.wait(_FIRST_REST)
        except Exception:
            log.exception("task %s is left as it is", task.id)
            self._over.wait(_LONGEST_REST)
        finally:
            with self._lock:
                del self._at_work[task.id]
            self._woken.set()
