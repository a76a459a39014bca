"""Store answers as they come in, and the suspensions of lanes with them.

All answers that are there are stored in one transaction, which only the holder of the turn can
commit. A suspension is recalled when a run begins, so that a restart does not forget it.
"""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep

from monitor.faults import Suspension
from monitor.fetch.lanes import Lane
from monitor.model import Answer, Outcome, StoreBusy, StoreFull, StoreGone
from monitor.pipeline.collect.run_context import Stop, never
from monitor.pipeline.schedule.leases import Turn, Turns
from monitor.stages.collect.requests import Collected
from monitor.store.collect import evidence, pauses
from monitor.store.database import Connection, Database
from monitor.store.journal import events
from monitor.store.schedule import leases

log = logging.getLogger(__name__)

#: How often it is looked whether an engine that a person paused may be asked again.
_PAUSED = timedelta(minutes=1)


def recall_lane(database: Database, exit_name: str, lane: Lane) -> Lane:
    """The lane, stopped where it was suspended and the time has not come, or a person paused it."""
    with database.read() as connection:
        suspension = pauses.find_suspension(connection, lane.name, exit_name)
        names = (lane.name, lane.name.partition("@")[0])  # or its engine at whatever address
        paused = [
            str(pause)
            for pause in pauses.list_pauses(connection)
            if pause.kind == "engine" and pause.name in names
        ]
    now = datetime.now(UTC)
    if suspension:
        lane.resume_suspension(suspension, now)
    if paused:
        lane.stopped, lane.until = paused[0], now + _PAUSED
    return lane


def remember_lane(
    connection: Connection,
    exit_name: str,
    lane: Lane,
    answer: Answer,
    suspension: Suspension | None,
) -> None:
    """Keep a suspension where a restart finds it; forget it once the service has answered."""
    if suspension:
        log.warning("suspended lane=%s %s", lane.name, suspension)
        pauses.store_suspension(connection, lane.name, exit_name, suspension, datetime.now(UTC))
    elif lane.remembered and not lane.suspension and answer.outcome is Outcome.OK:
        pauses.remove_suspension(connection, lane.name, exit_name)
        lane.remembered = False


_BETWEEN_TRIES = 1.0
#: Answers are held so many times as long as a transaction is waited for: waiting loses nothing.
_HELD = 30.0
#: So long at most once somebody wants this process to stop.
_FAREWELL = 60.0


class Keeper:
    """Stores the answers of one run. What cannot be stored now is held, and nobody is asked.

    An answer that came in when its turn had been given to another is refused: that other asks, or
    has asked, the same question.
    """

    def __init__(
        self,
        database: Database,
        run_id: int,
        tries: int,
        exit_name: str,
        turns: Turns,
        stop: Stop = never,
    ) -> None:
        self._database, self._run_id, self._exit, self._turns = database, run_id, exit_name, turns
        self._stop = stop
        self._recorder = evidence.Recorder(database, run_id, tries)

    def keep(self, some: Sequence[tuple[Lane, Turn | None, Collected]]) -> list[Collected]:
        """Store, and return what was stored. Raises StoreProblem when patience is at its end."""
        began, tried = monotonic(), False
        while True:
            try:
                with self._database.begin() as connection:
                    return self._stored(connection, some, again=tried)
            except (StoreGone, StoreFull, StoreBusy) as error:
                tried = True
                self._recorder.forget()
                most = self._database.patience * _HELD
                if monotonic() >= began + (min(most, _FAREWELL) if self._stop() else most):
                    raise
                log.warning("%s answers wait to be stored: %s", len(some), error)
                sleep(_BETWEEN_TRIES)

    def _stored(
        self,
        connection: Connection,
        some: Sequence[tuple[Lane, Turn | None, Collected]],
        *,
        again: bool,
    ) -> list[Collected]:
        gone = self._turns.lost(connection, [turn for _, turn, _ in some if turn])
        own_rows = [
            (lane, collected) for lane, turn, collected in some if turn and turn.name not in gone
        ]
        if len(own_rows) < len(some):
            self._refuse(connection, [item for item in some if not item[1] or item[1].name in gone])
        new = [
            outcome
            for _, outcome in own_rows
            # a commit whose confirmation was lost on the way may have gone through
            if not (again and self._recorder.is_stored(connection, outcome.settled))
        ]
        if new:
            self._recorder.record(connection, [outcome.settled for outcome in new])
        # where this process dies, the next holder goes on at the same pace
        for turn in {turn.name: turn for _, turn, _ in some if turn}.values():
            lane = next(lane for lane, its, _ in some if its is turn)
            if turn.name not in gone:
                leases.note_rest(connection, turn.lease, lane.rest, lane.failures)
        for lane, result in own_rows:
            remember_lane(connection, self._exit, lane, result.settled.answer, result.suspension)
        return [outcome for _, outcome in own_rows]

    def _refuse(
        self, connection: Connection, some: Sequence[tuple[Lane, Turn | None, Collected]]
    ) -> None:
        for lane, _, collected in some:
            attempts = ", ".join(str(attempt.id) for attempt in collected.settled.attempts)
            log.warning(
                "answer refused run=%s lane=%s attempts=%s", self._run_id, lane.name, attempts
            )
            detail = f"answer to attempts {attempts}, asked for at a turn that another has now"
            events.add_event(
                connection, "fenced", lane.name, detail, run_id=self._run_id, now=datetime.now(UTC)
            )
