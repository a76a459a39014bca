"""Keeps what pages have read until something is computed, and for two minutes at most.

Whole archives are summed up on some pages; who turns the page shall not wait for that again, and
who asks for the same at once waits for the one that reads. What a visitor may see is part of the
key: nothing is kept for one and shown to another.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

from monitor.store.database import Connection
from monitor.store.journal.events import Stamp, read_cache_version
from monitor.web.site._errors import Busy
from monitor.web.site._one import turn
from monitor.web.site._visitor import Visitor

_LONGEST = 120.0
#: Seconds that what is under way is kept: it moves without anything being computed.
MOVING = 30.0
_MOST = 512
#: Seconds that one who asks waits for another one who reads the same.
_PATIENCE = 10.0
_AGAIN = 5

Read = TypeVar("Read")


@dataclass(slots=True)
class _Entry:
    """What was read, once it was; `reading` is held by the one that reads."""

    reading: Lock = field(default_factory=Lock)
    stamp: Stamp = ()
    begun: float = 0.0
    until: float = 0.0
    value: Any = None

    def holds(self, at: Stamp) -> bool:
        """Whether the value is still what would be read."""
        return bool(self.stamp) and self.stamp == at and monotonic() < self.until


@dataclass(slots=True)
class Kept:
    """What was read, by what it is about; the least used goes first, where there are too many."""

    most: int = _MOST
    longest: float = _LONGEST
    entries: OrderedDict[Hashable, _Entry] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def get(
        self,
        connection: Connection,
        who: Visitor,
        about: Hashable,
        read: Callable[[], Read],
        at: Stamp | None = None,
    ) -> Read:
        """The value of `read`, or what it was when nothing has been computed since.

        `at` is the stamp of this transaction, where it was asked for already. Raises Busy where
        another one takes long to read it.
        """
        at, asked = read_cache_version(connection) if at is None else at, monotonic()
        entry = self._entry((connection.engine.url, who.hidden, about))
        words = "this is being read for others; try again in some seconds"
        with turn(entry.reading, _PATIENCE, Busy(words, _AGAIN)):
            # what was begun after this one asked is at least as new as what it would read
            if not entry.holds(at) and not (entry.stamp and entry.begun >= asked):
                entry.stamp, entry.begun = (), monotonic()  # what fails leaves nothing
                entry.value = read()
                entry.stamp, entry.until = at, monotonic() + self.longest
            value: Read = entry.value
            return value

    def _entry(self, key: Hashable) -> _Entry:
        with self.lock:
            entry = self.entries.setdefault(key, _Entry())
            self.entries.move_to_end(key)
            while len(self.entries) > self.most:
                self.entries.popitem(last=False)
            return entry
