"""Runs several streams at the same time, one thread each, and hands over what they yield.

In go iterators, out come lists of what they yielded since the last list. A stream that must know
that everything it yielded was dealt with yields a `Mark` and waits for it.
"""

from collections.abc import Generator, Iterator, Sequence
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")

#: So many things may wait to be dealt with before the streams have to wait.
_WAITING = 256
#: At most so many are handed over at once.
_AT_ONCE = 64
#: How long the first of them may wait for the others: dealing with many at once costs less.
_GATHER = 0.02
_HEARD_WITHIN = 0.1
_FAREWELL = 5.0


class Mark:
    """Yielded by a stream to be told when all that it yielded before was dealt with."""

    def __init__(self) -> None:
        self._dealt_with = Event()
        self._abandoned = False

    def set(self, *, abandoned: bool = False) -> None:
        """Let the stream go on, or end it."""
        self._abandoned = self._abandoned or abandoned
        self._dealt_with.set()

    def wait(self) -> bool:
        """Wait; False means that nobody listens any more."""
        self._dealt_with.wait()
        return not self._abandoned


class _End:
    """The last thing of a stream, with the exception that ended it."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def _close(stream: Iterator[object]) -> None:
    """End a generator here, in its own thread: what it holds open belongs to that."""
    if isinstance(stream, Generator):
        stream.close()


class SideBySide(Generic[T]):
    """The streams of one run. Use it as a context: leaving it early ends the threads."""

    def __init__(self, streams: Sequence[Iterator[T | Mark]]) -> None:
        self._queue: Queue[T | Mark | _End] = Queue(_WAITING)
        self._left = Event()
        self._marks: list[Mark] = []  # taken out of the queue, not told yet
        self._threads = [
            Thread(target=self._feed, args=(stream,), daemon=True) for stream in streams
        ]

    def __enter__(self) -> "SideBySide[T]":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        for mark in self._marks:
            mark.set(abandoned=True)
        while any(thread.is_alive() for thread in self._threads):
            try:
                found = self._queue.get(timeout=_HEARD_WITHIN)
            except Empty:
                break  # whoever is still busy ends with the process
            if isinstance(found, Mark):
                found.set(abandoned=True)
        until = monotonic() + _FAREWELL
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))

    def _feed(self, stream: Iterator[T | Mark]) -> None:
        error: BaseException | None = None
        try:
            for found in stream:
                self._queue.put(found)
                if self._left.is_set():
                    _close(stream)
                    return
        except BaseException as caught:  # noqa: BLE001 - handed to the thread that listens
            error = caught
        finally:
            self._queue.put(_End(error))

    def __iter__(self) -> Iterator[list[T]]:
        """Yield what came, in its order; raises what a stream raised."""
        running = len(self._threads)
        while running:
            some: list[T] = []
            ends: list[_End] = []
            for found in self._ready():
                if isinstance(found, Mark):
                    self._marks.append(found)
                elif isinstance(found, _End):
                    ends.append(found)
                else:
                    some.append(found)
            if some:
                yield some
            while self._marks:
                self._marks.pop().set()
            running -= len(ends)
            for end in ends:
                if end.error is not None:
                    raise end.error

    def _ready(self) -> Iterator[T | Mark | _End]:
        """The next thing, waited for, and what comes soon after it.

        A stream that waits, or has ended, is not made to wait for the others.
        """
        yield (found := self._queue.get())
        until = monotonic() + _GATHER
        for _ in range(_AT_ONCE - 1):
            try:
                hurry = isinstance(found, Mark | _End)
                wait = 0.0 if hurry else max(0.0, until - monotonic())
                found = self._queue.get(timeout=wait) if wait else self._queue.get_nowait()
            except Empty:
                return
            yield found
