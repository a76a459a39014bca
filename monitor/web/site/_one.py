"""What takes a whole processor is made one at a time, so that pages can be read meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from monitor.web.site._errors import Busy

#: Seconds that one who asks waits for what another one has asked for.
_PATIENCE = 2.0
_AGAIN = 5


@contextmanager
def alone(making: Lock, what: str) -> Iterator[None]:
    """Hold a lock while something is made. Raises Busy where another one is being made."""
    if not making.acquire(timeout=_PATIENCE):
        raise Busy(f"another {what} is being made; try again in some seconds", _AGAIN)
    try:
        yield
    finally:
        making.release()
