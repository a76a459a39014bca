"""Turns: what takes a whole processor is made one at a time, so that pages can be read."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock, Semaphore

from monitor.web.site._errors import Busy

#: Seconds that one who asks waits for what another one has asked for.
_PATIENCE = 2.0
_AGAIN = 5


@contextmanager
def turn(of: "Lock | Semaphore", patience: float, busy: Busy) -> Iterator[None]:
    """Hold one of so many turns. Raises `busy` where none comes up within so many seconds."""
    if not of.acquire(timeout=patience):
        raise busy
    try:
        yield
    finally:
        of.release()


def alone(making: Lock, what: str) -> AbstractContextManager[None]:
    """Hold a lock while something is made. Raises Busy where another one is being made."""
    words = f"another {what} is being made; try again in some seconds"
    return turn(making, _PATIENCE, Busy(words, _AGAIN))
