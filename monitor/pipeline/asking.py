"""Asks what is open, and stores what comes back: the lanes of a run side by side."""

import logging
from collections.abc import Callable, Generator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from time import sleep

from monitor.fetch.lanes import Lane
from monitor.jobs import Audit, EngineUse
from monitor.model import Engine, Fetcher
from monitor.pipeline.asked import (
    BETWEEN_TURNS,
    TURN_SECONDS,
    AskedIn,
    Asking,
    Stream,
    spent,
    take_turn,
)
from monitor.pipeline.keeping import Keeper
from monitor.pipeline.panel import ask_together
from monitor.pipeline.resting import recall
from monitor.pipeline.room import check_room
from monitor.pipeline.software import provenance
from monitor.pipeline.steps import Progress, Stop, never
from monitor.pipeline.turns import Turns, over_at
from monitor.stages import collect
from monitor.stages.side_by_side import Mark, SideBySide
from monitor.store import evidence, runs
from monitor.store.database import Database
from monitor.store.runs import Run

log = logging.getLogger(__name__)

#: Attempts are taken up so many at a time, so that memory does not grow with a run.
_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class Left:
    """A lane when it is no longer asked: how many questions are open, and why.

    `until` is when it can be asked again, None where nobody knows; `is_busy` that another asks it.
    """

    lane: str
    open: int
    reasons: tuple[str, ...] = ()
    until: datetime | None = None
    is_busy: bool = False

    def __str__(self) -> str:
        return "; ".join(f"{self.lane}: {why}" for why in self.reasons)


def ask(
    database: Database,
    audit: Audit,
    run: Run,
    fetcher: Fetcher,
    progress: Progress,
    stop: Stop = never,
    exit_name: str = "direct",
    only: AbstractSet[str] | None = None,
    *,
    once: bool = False,
) -> list[Left]:
    """Ask every question without an answer; engines are asked at the same time.

    Each service has one lane, so that two uses of it take turns, and only who has the turn of a
    lane asks it, in this process or any other. Answers that came in while the last ones were stored
    are stored together, in one transaction. `only` these lanes are asked, all if None. With `once`
    each has one turn, and none is waited for. Returns what became of the lanes where something is
    left. Raises KeyboardInterrupt once `stop` says so and what was in flight is stored.
    """
    with database.begin() as connection:
        runs.add_packages(connection, run.id, provenance(audit)[1])
    with database.read() as connection:
        planned, done = evidence.progress(connection, run.id)
    progress("collect", done, planned)
    shared = by_lane(audit)
    asked = {
        name: Asking(_lane(database, exit_name, name, uses), uses)
        for name, uses in shared.items()
        if only is None or name in only
    }
    with Turns(database) as turns:
        around = AskedIn(database, run, fetcher, turns, exit_name, stop, once)
        keeper = Keeper(database, run.id, audit.job.tries, exit_name, turns, stop)

        def side_by_side(streams: Sequence[Stream]) -> int:
            """Ask until the streams end; says how many answers were stored."""
            nonlocal done
            before = done
            with SideBySide(streams) as answers:
                for some in answers:
                    kept = keeper.keep([(one.lane, one.turn, found) for one, found in some])
                    done += sum(len(collected.settled.asked) for collected in kept)
                    progress("collect", min(done, planned), planned)
            return done - before

        if audit.job.synchronised:
            ask_together(around, list(asked.values()), side_by_side)
        else:
            side_by_side([_turns(around, one) for one in asked.values()])
    if stop():
        raise KeyboardInterrupt
    left = [found for one in asked.values() if (found := _left(database, run, one))]
    for found in left:
        if found.reasons:
            log.warning("stopped %s", found)
    return left


def _left(database: Database, run: Run, one: Asking) -> Left | None:
    """What is left of a lane; None if nothing is."""
    lane = one.lane
    with database.begin() as connection:
        ids = [runs.engine_id(connection, engine, use) for use, engine in one.uses]
        count = evidence.unasked(connection, run.id, ids)
    reasons = tuple(why for why in dict.fromkeys((*lane.unasked, lane.stopped)) if why)
    if not (count or reasons):
        return None
    return Left(lane.name, count, reasons, lane.until, one.is_busy)


def suspended(database: Database, audit: Audit, exit_name: str) -> list[str]:
    """What keeps every service of a job from being asked now; empty if any can be."""
    lanes = [_lane(database, exit_name, name, uses) for name, uses in by_lane(audit).items()]
    reasons = [f"{lane.name}: {lane.stopped}" for lane in lanes if lane.stopped]
    return reasons if len(reasons) == len(lanes) else []


def by_lane(audit: Audit) -> dict[str, list[tuple[EngineUse, Engine]]]:
    """The uses of engines that share a lane: one service, or one server of one's own.

    None of a job that reads what others collected.
    """
    found: dict[str, list[tuple[EngineUse, Engine]]] = {}
    for use, engine in audit.engines if audit.job.corpus is None else ():
        found.setdefault(use.lane, []).append((use, engine))
    return found


def _lane(
    database: Database, exit_name: str, name: str, uses: Sequence[tuple[EngineUse, Engine]]
) -> Lane:
    """The lane of a service, stopped where it was suspended and the time has not come."""
    paces = [pace for use, engine in uses if (pace := use.speed(engine)) is not None]
    lane = Lane(
        name,
        pace=min(paces, default=None),
        in_flight=min(use.in_flight or engine.in_flight for use, engine in uses),
        polite=any(engine.surface not in ("local", "recorded") for _, engine in uses),
    )
    return recall(database, exit_name, lane)


def _turns(around: AskedIn, one: Asking) -> Stream:
    """Ask a lane, turn by turn, until nothing is open or it is stopped."""
    while not (around.stop() or one.lane.stopped):
        if not take_turn(around, one) or one.turn is None:
            return
        is_over = over_at(TURN_SECONDS)
        yield from _rounds(around, one, is_over)
        # Nothing is stored in the name of a turn that was given back. Where something went wrong
        # before this, whoever stores gives it back when all that came is stored.
        stored = Mark()
        yield stored
        if not stored.wait():
            return
        one.is_busy = one.turn.is_lost
        around.turns.give_back(one.turn, one.lane.rest, one.lane.failures)
        if around.once or not (is_over() or one.is_busy):
            return
        sleep(BETWEEN_TURNS)


def _rounds(around: AskedIn, one: Asking, is_over: Callable[[], bool]) -> Stream:
    """Ask what is open at the engines of a lane, again and again until nothing is."""
    lane = one.lane

    def halted() -> bool:
        return around.stop() or is_over() or one.is_lost or bool(lane.stopped)

    for use, engine in one.uses:
        with around.database.begin() as connection:
            engine_id = runs.engine_id(connection, engine, use)
        lane.closed = {}  # another configuration may be offered for what this one is not
        again = True
        while again and not halted():
            again = yield from _pass(around, one, use, engine, engine_id, halted)
        lane.unasked += [
            f"{target} is not asked further: {why}" for target, why in sorted(lane.closed.items())
        ]


def _pass(
    around: AskedIn,
    one: Asking,
    use: EngineUse,
    engine: Engine,
    engine_id: int,
    halted: Callable[[], bool],
) -> Generator[tuple[Asking, collect.Collected] | Mark, None, bool]:
    """Go once through the open questions of an engine; says whether it is worth going again."""
    after, answered = 0, 0
    while not halted():
        with around.database.read() as connection:
            key = around.run.id, engine_id
            attempts = evidence.open_attempts(connection, *key, after, _AT_ONCE)
        if not attempts:
            return answered > 0 and after > 0 and _any_open(around, engine_id)
        check_room(around.database)
        after = attempts[-1].id
        allowance = around.allowance(use)
        asked = collect.collect(engine, use, attempts, around.fetcher, one.lane, allowance, halted)
        for collected in asked:
            answered += 1
            yield one, collected
        stored = Mark()
        yield stored
        if not stored.wait():
            return False
        if allowance and allowance.is_spent:
            spent(one, use)
            return False
    return False


def _any_open(around: AskedIn, engine_id: int) -> bool:
    with around.database.read() as connection:
        return bool(evidence.open_attempts(connection, around.run.id, engine_id, 0, 1))
