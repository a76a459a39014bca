"""Cache of what pages read, until something is computed, for two minutes at most.

Some pages sum up whole archives. A request for content that another request reads waits for it. The
key includes what the visitor may see, so that nothing is shown to another visitor. Turns and locks
limit work that takes a whole processor.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from threading import Lock, Semaphore
from time import monotonic
from typing import Any, TypeVar

from monitor.store.database import Connection
from monitor.store.journal.events import Stamp, read_cache_version
from monitor.web.site.errors import Busy
from monitor.web.site.visitors import Visitor

#: Seconds that one who asks waits for what another one has asked for.
_LOCK_SECONDS = 2.0
_RETRY_AFTER = 5
_LONGEST_SECONDS = 120.0
#: Seconds that what is under way is kept: it moves without anything being computed.
MOVING_SECONDS = 30.0
_MOST_ENTRIES = 512
#: Seconds that one who asks waits for another one who reads the same.
_READ_SECONDS = 10.0
Content = TypeVar("Content")


@contextmanager
def hold_turn(of: "Lock | Semaphore", patience: float, busy: Busy) -> Iterator[None]:
    """Hold one of a limited number of turns. Raise `busy` after so many seconds."""
    if not of.acquire(timeout=patience):
        raise busy
    try:
        yield
    finally:
        of.release()


def hold_lock(making: Lock, what: str) -> AbstractContextManager[None]:
    """Hold a lock while something is made. Raise Busy if another request holds it."""
    words = f"another {what} is being made; try again in some seconds"
    return hold_turn(making, _LOCK_SECONDS, Busy(words, _RETRY_AFTER))


@dataclass(slots=True)
class _CachedResponse:
    """A cached value; `reading` is held by the request that reads it."""

    reading: Lock = field(default_factory=Lock)
    stamp: Stamp = ()
    begun: float = 0.0
    until: float = 0.0
    value: Any = None

    def holds(self, at: Stamp) -> bool:
        """Return whether the value is current."""
        return bool(self.stamp) and self.stamp == at and monotonic() < self.until


@dataclass(slots=True)
class ResponseCache:
    """Least-recently-used cache of what pages read."""

    most: int = _MOST_ENTRIES
    longest: float = _LONGEST_SECONDS
    entries: OrderedDict[Hashable, _CachedResponse] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def get(
        self,
        connection: Connection,
        who: Visitor,
        about: Hashable,
        read: Callable[[], Content],
        at: Stamp | None = None,
    ) -> Content:
        """Return the result of `read`, or the cached one if nothing was computed since.

        `at` is the stamp of this transaction, where it was asked for already. Raises Busy where
        another one takes long to read it.
        """
        at, asked_at = read_cache_version(connection) if at is None else at, monotonic()
        entry = self._entry((connection.engine.url, who.hidden, about))
        words = "this is being read for others; try again in some seconds"
        with hold_turn(entry.reading, _READ_SECONDS, Busy(words, _RETRY_AFTER)):
            # what was begun after this one asked is at least as new as what it would read
            if not entry.holds(at) and not (entry.stamp and entry.begun >= asked_at):
                entry.stamp, entry.begun = (), monotonic()  # what fails leaves nothing
                entry.value = read()
                entry.stamp, entry.until = at, monotonic() + self.longest
            value: Content = entry.value
            return value

    def _entry(self, key: Hashable) -> _CachedResponse:
        with self.lock:
            entry = self.entries.setdefault(key, _CachedResponse())
            self.entries.move_to_end(key)
            while len(self.entries) > self.most:
                self.entries.popitem(last=False)
            return entry
