"""What asking knows of a lane within a run, and of what all lanes share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import TypeAlias

from monitor.fetch.lanes import Lane
from monitor.jobs import EngineUse
from monitor.model import Engine, Fetcher
from monitor.pipeline.resting import recall
from monitor.pipeline.steps import Stop
from monitor.pipeline.turns import Turn, Turns, lane_turn
from monitor.stages.collect import Collected
from monitor.stages.side_by_side import Mark
from monitor.store import evidence
from monitor.store.database import Database
from monitor.store.runs import Run

#: How long a lane is asked in one turn, before other runs that want the same engine have theirs.
TURN_SECONDS = 60.0
#: What is left to others between two turns, longer than they wait before they ask for it again.
BETWEEN_TURNS = 2.0


class Spending:
    """What an engine was asked today, over all jobs, and in this process since."""

    def __init__(self, asked: int) -> None:
        self._asked, self._lock = asked, Lock()

    def take(self, most: int) -> bool:
        """Whether one more request is within a budget; it counts from now on."""
        with self._lock:
            if self._asked >= most:
                return False
            self._asked += 1
            return True


class Allowance:
    """The budget of one use of an engine, which shares what is spent with its other uses."""

    def __init__(self, spending: Spending, most: int) -> None:
        self._spending, self._most, self.is_spent = spending, most, False

    def take(self) -> bool:
        """Whether one more request may leave."""
        self.is_spent = not self._spending.take(self._most)
        return not self.is_spent


@dataclass
class Asking:
    """A lane that is asked within a run, and its uses. Several uses of a service share one."""

    lane: Lane
    uses: Sequence[tuple[EngineUse, Engine]]
    turn: Turn | None = None
    is_busy: bool = False  # another asks it

    @property
    def is_lost(self) -> bool:
        """Whether its turn was given to another."""
        return self.turn is not None and self.turn.is_lost


@dataclass(frozen=True, slots=True)
class AskedIn:
    """What all lanes of a run share. `once`: each has one turn, and none is waited for."""

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

    def allowance(self, use: EngineUse) -> Allowance | None:
        """What may still be asked of an engine today (UTC); None = no limit.

        All lanes and uses of an engine share it; what other processes ask at the same time, at
        another server of the same engine, is seen when the next one is made.
        """
        if use.daily_budget is None:
            return None
        key = use.name, midnight()
        with self.lock:
            if key not in self.spendings:
                with self.database.read() as connection:
                    asked = evidence.asked_since(connection, *key)
                self.spendings[key] = Spending(asked)
        return Allowance(self.spendings[key], use.daily_budget)


#: What comes of asking: answers of a lane, and marks that want to be told when those are stored.
Stream: TypeAlias = Iterator[tuple[Asking, Collected] | Mark]


def turn_of(lane: Lane, exit_name: str, run: Run) -> str:
    """What has to be taken to ask a lane: a service is asked by one at a time in the whole world.

    What runs in this machine is not spared, but one run of it is still asked by one process only.
    """
    return lane_turn(lane.name, exit_name) if lane.polite else f"lane:{lane.name}:run:{run.id}"


def take_turn(around: AskedIn, one: Asking) -> bool:
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
    recall(around.database, around.exit_name, one.lane)  # others may have learned more
    return True


def midnight(days: int = 0) -> datetime:
    """The beginning of today (UTC), or so many days later."""
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today + timedelta(days=days)


def spent(one: Asking, use: EngineUse) -> None:
    """Note that the budget of an engine does not allow more today."""
    one.lane.unasked.append(f"the daily budget of {use.daily_budget} requests is spent")
    one.lane.until = midnight(1)
