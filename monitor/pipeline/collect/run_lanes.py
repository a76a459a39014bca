"""Ask what is open, and store what comes back: the lanes of a run side by side.

Each lane asks in turns of its own; engines of a synchronised job are asked the same question at
the same time. Collecting stops before the disk is full.
"""

import logging
import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from time import sleep
from typing import TypeAlias

from monitor import settings
from monitor.fetch.lanes import Lane
from monitor.jobs import Audit, EngineUse
from monitor.model import OWN_SURFACES, Engine, Fetcher, StoreFull, StoreProblem
from monitor.pipeline.collect.answer_writer import Keeper, recall_lane
from monitor.pipeline.collect.provenance import read_provenance
from monitor.pipeline.collect.run_context import Progress, Stop, never
from monitor.pipeline.schedule.leases import Turn, Turns, lane_turn, over_at
from monitor.stages.collect import requests
from monitor.stages.collect.requests import Collected
from monitor.stages.collect.synchronization import (
    Rendezvous,
    SideBySide,
    StreamMark,
    list_steps,
    make_panels,
)
from monitor.stages.jobs.plan import step_of
from monitor.store.collect import evidence, runs
from monitor.store.collect.evidence import Attempt
from monitor.store.collect.runs import Run
from monitor.store.database import Database

log = logging.getLogger(__name__)


def check_room(database: Database) -> None:
    """Raise StoreFull where the reserve of a disk that a SQLite database is on is all that is left.

    Its file and the answers beside it may be on two. How full the disk of a server is only the
    server knows; it says so when it is.
    """
    if not database.keeps_files:
        return
    reserve = settings.load().disk_reserve
    for folder in _read_folders(database):
        free = shutil.disk_usage(folder).free
        if free < reserve:
            raise StoreFull(
                f"{folder}: {free / 1e6:,.0f} MB are free, less than the reserve of "
                f"{reserve / 1e6:,.0f} MB (MONITOR_DISK_RESERVE): make room, or see `monitor gc`"
            )


def _read_folders(database: Database) -> Iterator[Path]:
    """Yield what is there of the folders that a SQLite database grows in."""
    name = str(database.writer.url.database or ":memory:")
    if name != ":memory:":
        yield _existing(Path(name).absolute().parent)
    yield _existing(database.bodies.absolute())


def _existing(folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if parent.exists())


#: How long a lane is asked in one turn, before other runs that want the same engine have theirs.
TURN_SECONDS = 60.0
#: What is left to others between two turns, longer than they wait before they ask for it again.
BETWEEN_TURNS = 2.0


class Spending:
    """Requests to an engine today, over all jobs, and in this process since."""

    def __init__(self, asked: int) -> None:
        self._asked, self._lock = asked, Lock()

    def take(self, most: int) -> bool:
        """Return whether one more request is within a budget; it counts from now on."""
        with self._lock:
            if self._asked >= most:
                return False
            self._asked += 1
            return True


class LaneAllowance:
    """The budget of one use of an engine, which shares what is spent with its other uses."""

    def __init__(self, spending: Spending, most: int) -> None:
        self._spending, self._most, self.is_spent = spending, most, False

    def take(self) -> bool:
        """Return whether one more request may leave."""
        self.is_spent = not self._spending.take(self._most)
        return not self.is_spent


@dataclass
class LaneUse:
    """A lane that is asked within a run, and its uses. Several uses of a service share one."""

    lane: Lane
    uses: Sequence[tuple[EngineUse, Engine]]
    turn: Turn | None = None
    is_busy: bool = False  # another asks it

    @property
    def is_lost(self) -> bool:
        """Return whether its turn was given to another."""
        return self.turn is not None and self.turn.is_lost


@dataclass(frozen=True, slots=True)
class AskedIn:
    """State that all lanes of a run share. `once`: each lane has one turn, without waiting."""

    database: Database
    run: Run
    fetcher: Fetcher
    turns: Turns
    exit_name: str
    stop: Stop
    once: bool
    spendings: dict[tuple[str, datetime], Spending] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def count_anew(self, uses: Sequence[tuple[EngineUse, Engine]]) -> None:
        """Forget what was counted of these engines: others may have asked them meanwhile."""
        names = {use.name for use, _ in uses}
        with self.lock:
            for key in [key for key in self.spendings if key[0] in names]:
                del self.spendings[key]

    def allowance(self, use: EngineUse) -> LaneAllowance | None:
        """Return what may still be asked of an engine today (UTC); None = no limit.

        All lanes and uses of an engine share it; what other processes ask at the same time, at
        another server of the same engine, is seen when the next one is made.
        """
        if use.daily_budget is None:
            return None
        key = use.name, find_midnight()
        with self.lock:
            if key not in self.spendings:
                with self.database.read() as connection:
                    requests = evidence.count_requests_by_engine(connection, key[1])
                self.spendings[key] = Spending(requests[use.name])
        return LaneAllowance(self.spendings[key], use.daily_budget)


#: What comes of asking: answers of a lane, and marks that want to be told when those are stored.
Stream: TypeAlias = Iterator[tuple[LaneUse, Collected] | StreamMark]


def turn_of(lane: Lane, exit_name: str, run: Run) -> str:
    """What has to be taken to ask a lane: a service is asked by one at a time in the whole world.

    What runs in this machine is not spared, but one run of it is still asked by one process only.
    """
    return lane_turn(lane.name, exit_name) if lane.polite else f"lane:{lane.name}:run:{run.id}"


def take_turn(around: AskedIn, one: LaneUse) -> bool:
    """Take the turn of a lane, and go on from where its last holder left off.

    False where another has it, or somebody wants to stop.
    """
    name = turn_of(one.lane, around.exit_name, around.run)
    if around.once:
        one.turn = around.turns.take(name)
    else:
        one.turn = around.turns.wait_for(name, around.stop)
    if one.turn is None:
        one.is_busy = not around.stop()
        return False
    one.lane.go_on(one.turn.rest, one.turn.failures)
    around.count_anew(one.uses)
    recall_lane(around.database, around.exit_name, one.lane)  # others may have learned more
    return True


def find_midnight(days: int = 0) -> datetime:
    """The beginning of today (UTC), or so many days later."""
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today + timedelta(days=days)


def count_spent(one: LaneUse, use: EngineUse) -> None:
    """Note that the budget of an engine does not allow more today."""
    one.lane.unasked.append(f"the daily budget of {use.daily_budget} requests is spent")
    one.lane.until = find_midnight(1)


#: How long the others wait for an engine that is not ready, at least; a slow one has its pace.
_PATIENCE = 60.0
#: So many times its slowest engine's time between two requests a panel waits for it.
_PACES = 3.0


_Use: TypeAlias = tuple[LaneUse, EngineUse, Engine]


class _Seat:
    """One engine's place at a rendezvous. One question a request, so that all ask the same."""

    batch = 1

    def __init__(self, meeting: Rendezvous, name: str) -> None:
        self._meeting, self._name = meeting, name

    def is_ready(self, group: Sequence[Attempt]) -> bool:
        return self._meeting.ready(self._name, step_of(group[0].probe))


def ask_together(
    around: AskedIn, asked: Sequence[LaneUse], side_by_side: Callable[[Sequence[Stream]], int]
) -> None:
    """Ask all lanes together, turn by turn, until nothing is open or none of them can be asked.

    Their turns are taken in one order, so that two jobs never wait for each other.
    """
    while not around.stop() and any(not asking.lane.stopped for asking in asked):
        try:
            in_order = sorted(asked, key=lambda item: item.lane.name)
            if not all(take_turn(around, asking) for asking in in_order):
                return
            is_over = over_at(TURN_SECONDS)
            while side_by_side(_list_streams(around, asked, is_over)) and not is_over():
                pass  # what failed is asked again, together
            for asking in asked:
                asking.is_busy = asking.is_lost
        finally:
            _give_back(around, asked)
        if around.once or not is_over():
            return
        sleep(BETWEEN_TURNS)


def _give_back(around: AskedIn, asked: Sequence[LaneUse]) -> None:
    for asking in asked:
        if asking.turn is not None:
            try:
                around.turns.give_back(asking.turn, asking.lane.rest, asking.lane.failures)
            except StoreProblem as error:
                log.warning("turn %s runs out by itself: %s", asking.turn.name, error)
        asking.turn = None


def _list_streams(
    around: AskedIn, asked: Sequence[LaneUse], is_over: Callable[[], bool]
) -> list[Stream]:
    """A stream for each use of an engine, all of which meet before each question."""
    check_room(around.database)
    uses: dict[str, _Use] = {}
    attempts: dict[str, list[Attempt]] = {}
    for asking in asked:
        for use, engine in asking.uses:
            with around.database.begin() as connection:
                engine_id = runs.ensure_engine(connection, engine, use)
                open_attempts = evidence.find_open_attempts(connection, around.run.id, engine_id)
            if open_attempts and not asking.lane.stopped:
                name = use.label(engine)
                uses[name], attempts[name] = (asking, use, engine), open_attempts
    with around.database.read() as connection:
        seed = runs.read_seed(connection, around.run.id)
    found_panels = make_panels(attempts, seed)
    slowest = max((1 / asking.lane.pace for asking in asked if asking.lane.pace), default=0.0)
    patience = max(_PATIENCE, _PACES * slowest)
    meeting = Rendezvous(list_steps(found_panels, uses), patience)
    streams = []
    for name, use_of in uses.items():
        groups = (group for panel in found_panels for group in panel.asked.get(name, ()))
        ordered = [attempt for group in groups for attempt in group]
        streams.append(_make_stream(around, use_of, name, ordered, meeting, is_over))
    return streams


def _make_stream(
    around: AskedIn,
    use_of: _Use,
    name: str,
    attempts: Sequence[Attempt],
    meeting: Rendezvous,
    is_over: Callable[[], bool],
) -> Stream:
    item, use, engine = use_of

    def halted() -> bool:
        return around.stop() or is_over() or item.is_lost or bool(item.lane.stopped)

    with meeting.member(name):
        allowance = around.allowance(use)
        seat = _Seat(meeting, name)
        asking = requests.collect_answers(
            engine, use, attempts, around.fetcher, item.lane, allowance, halted, seat
        )
        for collected in asking:
            yield item, collected
        if allowance and allowance.is_spent:
            count_spent(item, use)


#: Attempts are taken up so many at a time, so that memory does not grow with a run.
_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class LaneRemainder:
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
) -> list[LaneRemainder]:
    """Ask every question without an answer; engines are asked at the same time.

    Each service has one lane, so that two uses of it take turns, and only who has the turn of a
    lane asks it, in this process or any other. Answers that came in while the last ones were stored
    are stored together, in one transaction. `only` these lanes are asked, all if None. With `once`
    each has one turn, and none is waited for. Returns what became of the lanes where something is
    left. Raises KeyboardInterrupt once `stop` says so and what was in flight is stored.
    """
    with database.begin() as connection:
        runs.add_packages(connection, run.id, read_provenance(audit)[1])
    with database.read() as connection:
        planned, done = evidence.count_progress(connection, run.id)
    progress("collect", done, planned)
    shared = by_lane(audit)
    askings = {
        name: LaneUse(_lane(database, exit_name, name, uses), uses)
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
                for answer in answers:
                    stored = keeper.keep(
                        [(item.lane, item.turn, outcome) for item, outcome in answer]
                    )
                    done += sum(len(collected.settled.attempts) for collected in stored)
                    progress("collect", min(done, planned), planned)
            return done - before

        if audit.job.synchronised:
            ask_together(around, list(askings.values()), side_by_side)
        else:
            side_by_side([_turns(around, item) for item in askings.values()])
    if stop():
        raise KeyboardInterrupt
    remaining = [
        result for item in askings.values() if (result := _find_remainder(database, run, item))
    ]
    for result in remaining:
        if result.reasons:
            log.warning("stopped %s", result)
    return remaining


def _find_remainder(database: Database, run: Run, one: LaneUse) -> LaneRemainder | None:
    """Return what is left of a lane; None if nothing is."""
    lane = one.lane
    with database.begin() as connection:
        ids = [runs.ensure_engine(connection, engine, use) for use, engine in one.uses]
        count = evidence.count_unasked(connection, run.id, ids)
    reasons = tuple(why for why in dict.fromkeys((*lane.unasked, lane.stopped)) if why)
    if not (count or reasons):
        return None
    return LaneRemainder(lane.name, count, reasons, lane.until, one.is_busy)


def suspended(database: Database, audit: Audit, exit_name: str) -> list[str]:
    """Return what keeps every service of a job from being asked now; empty if any can be."""
    lanes = [_lane(database, exit_name, name, uses) for name, uses in by_lane(audit).items()]
    reasons = [f"{lane.name}: {lane.stopped}" for lane in lanes if lane.stopped]
    return reasons if len(reasons) == len(lanes) else []


def by_lane(audit: Audit) -> dict[str, list[tuple[EngineUse, Engine]]]:
    """The uses of engines that share a lane: one service, or one server of one's own.

    None of a job that reads what others collected.
    """
    rows: dict[str, list[tuple[EngineUse, Engine]]] = {}
    for use, engine in audit.engines if audit.job.corpus is None else ():
        rows.setdefault(use.lane, []).append((use, engine))
    return rows


def _lane(
    database: Database, exit_name: str, name: str, uses: Sequence[tuple[EngineUse, Engine]]
) -> Lane:
    """The lane of a service, stopped where it was suspended and the time has not come."""
    paces = [pace for use, engine in uses if (pace := use.compute_speed(engine)) is not None]
    lane = Lane(
        name,
        pace=min(paces, default=None),
        in_flight=min(use.in_flight or engine.in_flight for use, engine in uses),
        polite=any(engine.surface not in OWN_SURFACES for _, engine in uses),
    )
    return recall_lane(database, exit_name, lane)


def _turns(around: AskedIn, one: LaneUse) -> Stream:
    """Ask a lane, turn by turn, until nothing is open or it is stopped."""
    while not (around.stop() or one.lane.stopped):
        if not take_turn(around, one) or one.turn is None:
            return
        is_over = over_at(TURN_SECONDS)
        yield from _rounds(around, one, is_over)
        # Nothing is stored in the name of a turn that was given back. Where something went wrong
        # before this, whoever stores gives it back when all that came is stored.
        stored = StreamMark()
        yield stored
        if not stored.wait():
            return
        one.is_busy = one.turn.is_lost
        around.turns.give_back(one.turn, one.lane.rest, one.lane.failures)
        if around.once or not (is_over() or one.is_busy):
            return
        sleep(BETWEEN_TURNS)


def _rounds(around: AskedIn, one: LaneUse, is_over: Callable[[], bool]) -> Stream:
    """Ask what is open at the engines of a lane, again and again until nothing is."""
    lane = one.lane

    def halted() -> bool:
        return around.stop() or is_over() or one.is_lost or bool(lane.stopped)

    for use, engine in one.uses:
        with around.database.begin() as connection:
            engine_id = runs.ensure_engine(connection, engine, use)
        lane.closed = {}  # another configuration may be offered for what this one is not
        again = True
        while again and not halted():
            again = yield from _pass(around, one, use, engine, engine_id, halted)
        lane.unasked += [
            f"{target} is not asked further: {why}" for target, why in sorted(lane.closed.items())
        ]


def _pass(
    around: AskedIn,
    one: LaneUse,
    use: EngineUse,
    engine: Engine,
    engine_id: int,
    halted: Callable[[], bool],
) -> Generator[tuple[LaneUse, requests.Collected] | StreamMark, None, bool]:
    """Go once through the open questions of an engine; says whether it is worth going again."""
    key = around.run.id, engine_id
    after, answered = 0, 0
    while not halted():
        with around.database.read() as connection:
            attempts = evidence.find_open_attempts(connection, *key, after, _AT_ONCE)
        if not attempts:
            if not (answered and after):
                return False
            with around.database.read() as connection:
                return bool(evidence.find_open_attempts(connection, *key, 0, 1))
        check_room(around.database)
        after = attempts[-1].id
        allowance = around.allowance(use)
        requested = requests.collect_answers(
            engine, use, attempts, around.fetcher, one.lane, allowance, halted
        )
        for collected in requested:
            answered += 1
            yield one, collected
        stored = StreamMark()
        yield stored
        if not stored.wait():
            return False
        if allowance and allowance.is_spent:
            count_spent(one, use)
            return False
    return False
