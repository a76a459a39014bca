"""How far something is, where nobody looks at a terminal: plain lines for a log or a mail of cron.

In go counts as they come, out go lines with the count, the total and the time left.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic

#: Seconds before the first line: what is over by then says only what came out.
FIRST = 5.0
#: Seconds between lines.
BETWEEN = 10.0
_MINUTE, _HOUR = 60, 3_600
#: Below so many seconds they are said as seconds.
_SECONDS = 100


def duration(seconds: float) -> str:
    """`48 s`, `12 min`, `3 h 05 min`."""
    if seconds < _SECONDS:
        return f"{seconds:.0f} s"
    minutes = round(seconds / _MINUTE)
    if seconds < _HOUR:
        return f"{minutes} min"
    return f"{minutes // _MINUTE} h {minutes % _MINUTE:02d} min"


@dataclass
class State:
    """What is being done, and how far it is."""

    what: str  # `asking`, `writing`
    unit: str = ""  # what is counted, `rows`; empty where `what` says it
    done: int = 0
    planned: int | None = None
    clock: Callable[[], float] = monotonic
    begun: float = field(init=False)
    before: int = 0  # done already when it was begun, as where a run is resumed

    def __post_init__(self) -> None:
        self.begun = self.clock()
        self.before = self.done

    def line(self) -> str:
        """`asking: 310 of 1,800 questions, 12/s, about 2 min left`."""
        seconds = self.clock() - self.begun
        new = self.done - self.before
        if not new:
            return f"{self.what}: {self._count()}{duration(seconds)} so far"
        rate = new / seconds if seconds > 0 else 0.0
        said = f"{self.what}: {self._count()}{rate:,.{1 if rate < 10 else 0}f}/s"  # noqa: PLR2004
        if self.planned is not None and rate and self.planned >= self.done:
            return f"{said}, about {duration((self.planned - self.done) / rate)} left"
        return f"{said}, {duration(seconds)} so far"

    def _count(self) -> str:
        if not self.done and self.planned is None:
            return ""
        of = f" of {self.planned:,}" if self.planned is not None else ""
        return f"{self.done:,}{of} {self.unit}".rstrip() + ", "


class Lines:
    """Holds the newest state; `lines` says it now and then."""

    def __init__(self, state: State) -> None:
        self.state = state

    def begin(self, state: State) -> None:
        """Another step has begun."""
        self.state = state

    def at(self, done: int, planned: int | None = None) -> None:
        """So much of the step is done."""
        self.state.done = done
        if planned is not None:
            self.state.planned = planned


@contextmanager
def lines(say: Callable[[str], object], state: State) -> Iterator[Lines]:
    """Says the newest state from time to time until the block ends.

    From a thread, because what takes long may not count for a while, and that is said too.
    """
    told, over = Lines(state), Event()

    def tell() -> None:
        wait = FIRST
        while not over.wait(wait):
            wait = BETWEEN
            say(told.state.line())

    thread = Thread(target=tell, name="progress", daemon=True)
    thread.start()
    try:
        yield told
    finally:
        over.set()
        thread.join()
