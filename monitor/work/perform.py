"""Performs one task of a run: ask a lane for one turn, or derive. The same on every database.

Who performs a task is said by leases; how often it was tried, whether it waits and how it ended
stands in `tasks`. A process that dies in the middle leaves its task open, its answers stored.
"""

import logging
from datetime import UTC, datetime, timedelta

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
from monitor.pipeline import Left, TurnLost, Turns
from monitor.pipeline.looking_up import asks_others
from monitor.pipeline.turns import lane_turn
from monitor.store import events, leases, runs, tasks, ticks
from monitor.store.runs import Run
from monitor.store.tasks import TOGETHER, Task
from monitor.work.anew import GIVEN_WAY, others_wait, redo
from monitor.work.outside import around, outside
from monitor.work.shop import BUSY, Shop, is_open, later, noting, postpone, settle

log = logging.getLogger(__name__)

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
        said = pipeline.note_exit(shop.database, audit, run, fetcher, here, lanes)
        left = pipeline.ask(
            shop.database,
            audit,
            run,
            fetcher,
            noting(shop, task),
            shop.stop,
            here.exit,
            lanes,
            once=True,
        )
        said += pipeline.note_exit(shop.database, audit, run, fetcher, here, lanes)
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
    with Turns(shop.database) as turns:
        turn = turns.take(pipeline.turn_of_run(run.id))
        if turn is None:
            postpone(shop, task)
            return
        fenced = turns.fenced(shop.database, turn)
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
