"""Asks all engines of a job the same question at the same time."""

import logging
from collections.abc import Callable, Sequence
from time import sleep
from typing import TypeAlias

from monitor.jobs import EngineUse
from monitor.model import Engine, StoreProblem
from monitor.pipeline.asked import (
    BETWEEN_TURNS,
    TURN_SECONDS,
    AskedIn,
    Asking,
    Stream,
    spent,
    take_turn,
)
from monitor.pipeline.room import check_room
from monitor.pipeline.turns import over_at
from monitor.stages import collect
from monitor.stages.plan import step_of
from monitor.stages.rendezvous import Rendezvous
from monitor.stages.together import panels, steps
from monitor.store import evidence, runs
from monitor.store.evidence import Attempt

#: How long the others wait for an engine that is not ready, at least; a slow one has its pace.
_PATIENCE = 60.0
#: So many times its slowest engine's time between two requests a panel waits for it.
_PACES = 3.0

log = logging.getLogger(__name__)

_Use: TypeAlias = tuple[Asking, EngineUse, Engine]


class _Seat:
    """One engine's place at a rendezvous. One question a request, so that all ask the same."""

    batch = 1

    def __init__(self, meeting: Rendezvous, name: str) -> None:
        self._meeting, self._name = meeting, name

    def is_ready(self, group: Sequence[Attempt]) -> bool:
        return self._meeting.ready(self._name, step_of(group[0].probe))


def ask_together(
    around: AskedIn, asked: Sequence[Asking], side_by_side: Callable[[Sequence[Stream]], int]
) -> None:
    """Ask all lanes together, turn by turn, until nothing is open or none of them can be asked.

    Their turns are taken in one order, so that two jobs never wait for each other.
    """
    while not around.stop() and any(not one.lane.stopped for one in asked):
        if not _take_all(around, asked):
            return
        is_over = over_at(TURN_SECONDS)
        try:
            while side_by_side(_streams(around, asked, is_over)) and not is_over():
                pass  # what failed is asked again, together
            for one in asked:
                one.is_busy = one.is_lost
        finally:
            _give_back(around, asked)
        if around.once or not is_over():
            return
        sleep(BETWEEN_TURNS)


def _take_all(around: AskedIn, asked: Sequence[Asking]) -> bool:
    for one in sorted(asked, key=lambda one: one.lane.name):
        if not take_turn(around, one):
            _give_back(around, asked)
            return False
    return True


def _give_back(around: AskedIn, asked: Sequence[Asking]) -> None:
    for one in asked:
        if one.turn is not None:
            try:
                around.turns.give_back(one.turn, one.lane.rest, one.lane.failures)
            except StoreProblem as error:
                log.warning("turn %s runs out by itself: %s", one.turn.name, error)
        one.turn = None


def _streams(around: AskedIn, asked: Sequence[Asking], is_over: Callable[[], bool]) -> list[Stream]:
    """A stream for each use of an engine, all of which meet before each question."""
    check_room(around.database)
    uses: dict[str, _Use] = {}
    attempts: dict[str, list[Attempt]] = {}
    for one in asked:
        for use, engine in one.uses:
            with around.database.begin() as connection:
                engine_id = runs.engine_id(connection, engine, use)
                found = evidence.open_attempts(connection, around.run.id, engine_id)
            if found and not one.lane.stopped:
                name = use.label(engine)
                uses[name], attempts[name] = (one, use, engine), found
    with around.database.read() as connection:
        seed = runs.seed(connection, around.run.id)
    found_panels = panels(attempts, seed)
    meeting = Rendezvous(steps(found_panels, {name: name for name in uses}), _patience(asked))
    ordered: dict[str, list[Attempt]] = {name: [] for name in uses}
    for panel in found_panels:
        for name, groups in panel.asked.items():
            ordered[name] += [attempt for group in groups for attempt in group]
    return [_stream(around, uses[name], name, ordered[name], meeting, is_over) for name in uses]


def _patience(asked: Sequence[Asking]) -> float:
    slowest = max((1 / one.lane.pace for one in asked if one.lane.pace), default=0.0)
    return max(_PATIENCE, _PACES * slowest)


def _stream(
    around: AskedIn,
    use_of: _Use,
    name: str,
    attempts: Sequence[Attempt],
    meeting: Rendezvous,
    is_over: Callable[[], bool],
) -> Stream:
    one, use, engine = use_of

    def halted() -> bool:
        return around.stop() or is_over() or one.is_lost or bool(one.lane.stopped)

    with meeting.member(name):
        allowance = around.allowance(use)
        seat = _Seat(meeting, name)
        asking = collect.collect(
            engine, use, attempts, around.fetcher, one.lane, allowance, halted, seat
        )
        for collected in asking:
            yield one, collected
        if allowance and allowance.is_spent:
            spent(one, use)
