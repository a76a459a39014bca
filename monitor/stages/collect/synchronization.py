"""Steps that several lanes take together, and streams that run side by side.

Panels: where a job is synchronised, all its engines are asked the same question at the same time.

In go the steps of each lane and its arrivals, out comes whether it goes on now.

In go iterators, out come lists of what they yielded since the last list. A stream that must know
that everything it yielded was dealt with yields a `Mark` and waits for it.
"""

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Generic, TypeVar

from monitor.stages.collect.requests import make_batches
from monitor.stages.jobs.plan import RequestStep, place, step_of
from monitor.store.collect.evidence import Attempt

# --- steps of several engines ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepPanel:
    """One question, and what each engine is asked of it: the attempts of each of its requests.

    These are all its targets or regions, and their repeats. No request holds two pairs of languages
    or one probe twice, so each holds one attempt.
    """

    step: RequestStep
    asked: Mapping[str, tuple[tuple[Attempt, ...], ...]]


def make_panels(attempts_by_use: Mapping[str, Sequence[Attempt]], seed: str) -> list[StepPanel]:
    """The panels of a tick in the order of its seed, as the questions were planned.

    What is asked again has the place that it had, so the order is the same for all engines. An
    engine that has nothing open of a question is not in its panel.
    """
    all_attempts: dict[RequestStep, dict[str, list[Attempt]]] = {}
    for use, attempts in attempts_by_use.items():
        for attempt in attempts:
            by_use = all_attempts.setdefault(step_of(attempt.probe), {})
            by_use.setdefault(use, []).append(attempt)
    return [
        StepPanel(
            step, {use: tuple(make_batches(group, 1)) for use, group in all_attempts[step].items()}
        )
        for step in sorted(all_attempts, key=lambda step: (place(step, seed), step))
    ]


def list_steps(panels: Sequence[StepPanel], uses: Iterable[str]) -> dict[str, list[RequestStep]]:
    """Return the steps that each engine takes part in, in order."""
    return {use: [panel.step for panel in panels if use in panel.asked] for use in uses}


# --- threads that wait for each other -------------------------------------------------------------

#: A wait is cut into pieces of this length, so that a person's wish to stop is heard.
_HEARD_WITHIN = 0.1


class Rendezvous:
    """Barrier at which lanes meet before each step.

    `members` has the steps of each lane in their order. These are parts of one common order, so
    that no two lanes can wait for each other. A lane that has come to a later step counts as having
    passed the earlier ones. A step is waited for `patience` seconds at most, from the first arrival
    on: then those who have come go together, and the others when they come.
    """

    def __init__(
        self,
        members: Mapping[str, Sequence[Hashable]],
        patience: float,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._places = {
            lane: {step: index for index, step in enumerate(dict.fromkeys(steps))}
            for lane, steps in members.items()
        }
        self._patience, self._clock = patience, clock
        self._lock = Lock()
        self._reached = dict.fromkeys(self._places, -1)
        self._gone: set[str] = set()
        self._until: dict[Hashable, float] = {}  # of steps that somebody waits at

    def ready(self, lane: str, step: Hashable) -> bool:
        """Note the arrival, and say whether the lane goes on now. Waits for nobody."""
        with self._lock:
            position = self._places.get(lane, {}).get(step)
            if position is None or lane in self._gone or position < self._reached[lane]:
                return True  # nobody waits for it
            self._reached[lane] = position
            if all(self._has_come(other_name, step) for other_name in self._places):
                self._until.pop(step, None)
                return True
            now = self._clock()
            return now >= self._until.setdefault(step, now + self._patience)

    def leave(self, lane: str) -> None:
        """Take no further part: nobody waits for this lane any more, nor it for others."""
        with self._lock:
            self._gone.add(lane)

    @contextmanager
    def member(self, lane: str) -> Iterator[None]:
        """Leave at the end, whatever ends it."""
        try:
            yield
        finally:
            self.leave(lane)

    def _has_come(self, lane: str, step: Hashable) -> bool:
        """Return whether nobody has to wait for a lane at a step."""
        position = self._places[lane].get(step)
        return position is None or lane in self._gone or self._reached[lane] >= position


# --- streams of lanes -----------------------------------------------------------------------------

T = TypeVar("T")

#: So many things may wait to be dealt with before the streams have to wait.
_WAITING = 256
#: At most so many are handed over at once.
_AT_ONCE = 64
#: How long the first of them may wait for the others: dealing with many at once costs less.
_GATHER = 0.02
_FAREWELL = 5.0


class StreamMark:
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

    def __init__(self, streams: Sequence[Iterator[T | StreamMark]]) -> None:
        self._queue: Queue[T | StreamMark | _End] = Queue(_WAITING)
        self._left = Event()
        self._marks: list[StreamMark] = []  # taken out of the queue, not told yet
        self._threads = [
            Thread(target=self._feed, args=(stream,), daemon=True) for stream in streams
        ]

    def __enter__(self) -> "SideBySide[T]":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        self._left.set()
        for mark in self._marks:
            mark.set(abandoned=True)
        while any(thread.is_alive() for thread in self._threads):
            try:
                queue = self._queue.get(timeout=_HEARD_WITHIN)
            except Empty:
                break  # whoever is still busy ends with the process
            if isinstance(queue, StreamMark):
                queue.set(abandoned=True)
        until = monotonic() + _FAREWELL
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))

    def _feed(self, stream: Iterator[T | StreamMark]) -> None:
        error: BaseException | None = None
        try:
            for result in stream:
                self._queue.put(result)
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
            group: list[T] = []
            ends: list[_End] = []
            for result in self._ready():
                if isinstance(result, StreamMark):
                    self._marks.append(result)
                elif isinstance(result, _End):
                    ends.append(result)
                else:
                    group.append(result)
            if group:
                yield group
            while self._marks:
                self._marks.pop().set()
            running -= len(ends)
            for end in ends:
                if end.error is not None:
                    raise end.error

    def _ready(self) -> Iterator[T | StreamMark | _End]:
        """The next thing, waited for, and what comes soon after it.

        A stream that waits, or has ended, is not made to wait for the others.
        """
        yield (queue := self._queue.get())
        until = monotonic() + _GATHER
        for _ in range(_AT_ONCE - 1):
            try:
                hurry = isinstance(queue, StreamMark | _End)
                wait = 0.0 if hurry else max(0.0, until - monotonic())
                queue = self._queue.get(timeout=wait) if wait else self._queue.get_nowait()
            except Empty:
                return
            yield queue
