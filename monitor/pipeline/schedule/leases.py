"""Turns: what this process alone may do for now. Leases that are renewed while they are used.

An engine is asked by whoever has its turn, on whatever machine, so that its pace holds for all. A
turn that this process could not keep, because it was frozen or the database was away for long, may
be given to another; nothing is stored in its name then.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Lock, Thread
from time import CLOCK_BOOTTIME, clock_gettime, sleep
from typing import Self

from monitor import settings
from monitor.model import ActionNeeded
from monitor.store.database import Connection, Database
from monitor.store.schedule import leases
from monitor.store.schedule.leases import Lease, this_process

log = logging.getLogger(__name__)

#: A turn is renewed so often within the time for which it outlives who has it.
_RENEWALS = 3
#: What failed so many seconds ago has nothing to do with what fails now.
_FORGETS = 600.0
#: No engine is left alone longer than this because of what was written down: clocks may be wrong.
_LONGEST_REST = 900.0
#: How often a turn that another has is asked for again.
POLL = 0.2


def _clock() -> float:
    """Seconds that also go by while the machine sleeps."""
    return clock_gettime(CLOCK_BOOTTIME)


class Turn:
    """A lease that is being kept. `until` is how long this process may think so, by its own clock.

    `is_given` turns True when it is known that another was given it.
    """

    def __init__(self, lease: Lease, now: datetime, until: float) -> None:
        self.lease, self.until, self.is_given = lease, until, False
        since = (now - lease.next_at).total_seconds() if lease.next_at else 0.0
        #: Seconds that the holder before wants the next one to wait.
        self.rest = min(_LONGEST_REST, max(0.0, -since))
        #: How often in a row it had failed, where that was not long ago.
        self.failures = lease.failures if since < _FORGETS else 0

    @property
    def name(self) -> str:
        """Return what was taken."""
        return self.lease.name

    @property
    def is_lost(self) -> bool:
        """Return whether another has it, or may have: nothing more is asked in its name.

        Who was frozen knows this by the clock, before the database says so.
        """
        return self.is_given or _clock() > self.until


class TurnLost(ActionNeeded):
    """Another process does now what this one was doing; nothing more is stored in its name."""


class Turns:
    """Takes turns and keeps them. Use it as a context: leaving it gives back what is left.

    Each outlives the last sign of life of this process by `seconds`, or as settings say.
    """

    def __init__(self, database: Database, seconds: float | None = None) -> None:
        self._database = database.fenced(None)  # leases are kept whatever is fenced by others
        self._seconds = settings.load().lease_seconds if seconds is None else seconds
        self._kept: dict[str, Turn] = {}
        self._lock, self._over = Lock(), Event()
        self._keeper = Thread(target=self._keep, daemon=True)

    def __enter__(self) -> Self:
        self._keeper.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        self._over.set()
        self._keeper.join()
        for turn in list(self._kept.values()):
            try:
                with self._database.begin() as connection:
                    leases.release_lease(connection, turn.lease)
            except Exception as error:  # noqa: BLE001 - it runs out by itself
                log.warning("turn %s could not be given back: %s", turn.name, error)

    def take(self, name: str) -> Turn | None:
        """The turn, or None while another has it."""
        until = _clock() + self._seconds
        with self._database.begin() as connection:
            taken = leases.take_lease(connection, name, this_process(), self._seconds)
            now = leases.read_clock(connection)
        if taken is None:
            return None
        turn = Turn(taken, now, until)
        with self._lock:
            self._kept[name] = turn
        return turn

    def wait_for(self, name: str, stop: Callable[[], bool]) -> Turn | None:
        """The turn as soon as nobody else has it; None once `stop` says so."""
        while not stop():
            if turn := self.take(name):
                return turn
            sleep(POLL)
        return None

    def give_back(self, turn: Turn, rest: float = 0.0, failures: int = 0) -> None:
        """Let others have it, `rest` seconds from now."""
        with self._lock:
            self._kept.pop(turn.name, None)
        with self._database.begin() as connection:
            leases.note_rest(connection, turn.lease, rest, failures)
            leases.release_lease(connection, turn.lease)

    def lost(self, connection: Connection, turns: Iterable[Turn]) -> set[str]:
        """The names of turns in which nothing may be stored in this transaction any more."""
        turns_by_name = {turn.name: turn for turn in turns}
        gone = leases.find_lost(connection, [turn.lease for turn in turns_by_name.values()])
        for name in gone:
            turns_by_name[name].is_given = True
        return gone

    def fenced(self, database: Database, turn: Turn) -> Database:
        """Return the database for writing in the name of a turn only.

        Each of its write transactions raises TurnLost once another was given the turn.
        """
        before = database.fence

        def check(connection: Connection) -> None:
            if before:
                before(connection)
            if self.lost(connection, [turn]):
                raise TurnLost(
                    f"{turn.name}: another process works on this now, because this one gave no "
                    f"sign of life for {self._seconds:g} s; nothing that was stored is lost, and "
                    "`monitor status` shows how far the other is"
                )

        return database.fenced(check)

    def _keep(self) -> None:
        while not self._over.wait(self._seconds / _RENEWALS):
            with self._lock:
                stored = list(self._kept.values())
            if not stored:
                continue
            until = _clock() + self._seconds
            try:
                with self._database.begin() as connection:
                    gone = leases.renew_leases(
                        connection, [turn.lease for turn in stored], self._seconds
                    )
            except Exception as error:  # noqa: BLE001 - the next try may succeed
                log.warning("turns cannot be renewed now: %s", error)
                continue
            for turn in stored:
                if self._kept.get(turn.name) is not turn:
                    continue  # given back meanwhile
                if turn.name in gone:
                    log.warning("turn was given to another: %s", turn.name)
                    turn.is_given = True
                else:
                    turn.until = until


@contextmanager
def alone(database: Database, name: str, stop: Callable[[], bool]) -> Iterator[Callable[[], bool]]:
    """Do something while nobody else does. Raises KeyboardInterrupt where `stop` says so before.

    Gives another `stop`, which says so too when the turn was lost.
    """
    with Turns(database) as turns:
        turn = turns.wait_for(name, stop)
        if turn is None:
            raise KeyboardInterrupt
        yield lambda: stop() or turn.is_lost


def lane_turn(lane: str, exit_name: str) -> str:
    """Return what has to be taken to ask a service through an exit."""
    return f"lane:{lane}@{exit_name}"


def over_at(seconds: float) -> Callable[[], bool]:
    """Turns True after so many seconds."""
    until = _clock() + seconds
    return lambda: _clock() >= until
