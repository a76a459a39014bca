"""Lets the threads of several lanes take their steps together, as far as their patience goes.

In go the steps of each lane and its arrivals, out comes whether it goes on now.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Condition
from time import monotonic

#: A wait is cut into pieces of this length, so that a person's wish to stop is heard.
_HEARD_WITHIN = 0.1


def _never() -> bool:
    return False


class Rendezvous:
    """Where lanes meet before each step.

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
        self._changed = Condition()
        self._reached = dict.fromkeys(self._places, -1)
        self._gone: set[str] = set()
        self._until: dict[Hashable, float] = {}  # of steps that somebody waits at
        self._parted: set[Hashable] = set()  # steps that somebody took without the others

    def ready(self, lane: str, step: Hashable) -> bool:
        """Note the arrival, and say whether the lane goes on now. Waits for nobody."""
        with self._changed:
            return self._together(lane, step) is not None

    def arrive(self, lane: str, step: Hashable, stop: Callable[[], bool] = _never) -> bool:
        """Wait until everybody has come who is to take this step and has not left.

        True: they go together. False: patience is over, now or before it came, or `stop` says so.
        """
        while True:
            with self._changed:
                together = self._together(lane, step)
                if together is not None:
                    return together
                left = self._until[step] - self._clock()
                self._changed.wait(max(0.0, min(left, _HEARD_WITHIN)))
            if stop():
                return False

    def leave(self, lane: str) -> None:
        """Take no further part: nobody waits for this lane any more, nor it for others."""
        with self._changed:
            self._gone.add(lane)
            self._changed.notify_all()

    @contextmanager
    def member(self, lane: str) -> Iterator[None]:
        """Leave at the end, whatever ends it."""
        try:
            yield
        finally:
            self.leave(lane)

    def _together(self, lane: str, step: Hashable) -> bool | None:
        """Whether all go together (True) or this one alone (False); None: it has to wait."""
        mine = self._places.get(lane, {}).get(step)
        if mine is None or lane in self._gone:
            return True  # nobody knows of it, so nobody waits
        if mine < self._reached[lane]:
            return step not in self._parted
        if mine > self._reached[lane]:
            self._reached[lane] = mine
            self._changed.notify_all()
        if all(self._has_come(other, step) for other in self._places):
            self._until.pop(step, None)
            return step not in self._parted
        if self._clock() < self._until.setdefault(step, self._clock() + self._patience):
            return None
        self._parted.add(step)
        return False

    def _has_come(self, lane: str, step: Hashable) -> bool:
        """Whether nobody has to wait for a lane at a step."""
        place = self._places[lane].get(step)
        return place is None or lane in self._gone or self._reached[lane] >= place
