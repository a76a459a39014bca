"""What asking knows of a lane within a run, and of what all lanes share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from monitor.fetch.lanes import Lane
from monitor.jobs import EngineUse
from monitor.model import Engine, Fetcher
from monitor.pipeline.steps import Stop
from monitor.pipeline.turns import Turn, Turns
from monitor.stages.collect import Collected
from monitor.stages.side_by_side import Mark
from monitor.store import evidence
from monitor.store.database import Database
from monitor.store.runs import Run

#: How long a lane is asked in one turn, before other runs that want the same engine have theirs.
TURN_SECONDS = 60.0
#: What is left to others between two turns, longer than they wait before they ask for it again.
BETWEEN_TURNS = 0.5


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


#: What comes of asking: answers of a lane, and marks that want to be told when those are stored.
Stream: TypeAlias = Iterator[tuple[Asking, Collected] | Mark]


def turn_of(lane: Lane, exit_name: str, run: Run) -> str:
    """What has to be taken to ask a lane: a service is asked by one at a time in the whole world.

    What runs in this machine is not spared, but one run of it is still asked by one process only.
    """
    return f"lane:{lane.name}@{exit_name}" if lane.polite else f"lane:{lane.name}:run:{run.id}"


def within_budget(database: Database, use: EngineUse) -> int | None:
    """Requests that may still be sent to an engine today (UTC), over all jobs; None = no limit."""
    if use.daily_budget is None:
        return None
    with database.read() as connection:
        return max(0, use.daily_budget - evidence.asked_since(connection, use.name, midnight()))


def midnight(days: int = 0) -> datetime:
    """The beginning of today (UTC), or so many days later."""
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today + timedelta(days=days)


def spent(one: Asking, use: EngineUse) -> None:
    """Note that the budget of an engine does not allow more today."""
    one.lane.unasked.append(f"the daily budget of {use.daily_budget} requests is spent")
    one.lane.until = midnight(1)
