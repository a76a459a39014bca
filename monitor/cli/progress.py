"""Progress on standard error: a bar on a terminal, plain lines for a log or a mail of cron."""

from typing import TYPE_CHECKING, Any

from monitor.cli.console import err, note, stop_signal

if TYPE_CHECKING:
    import rich.progress

    from monitor import pipeline

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
        words = f"{self.what}: {self._count()}{rate:,.{1 if rate < 10 else 0}f}/s"  # noqa: PLR2004
        if self.planned is not None and rate and self.planned >= self.done:
            return f"{words}, about {duration((self.planned - self.done) / rate)} left"
        return f"{words}, {duration(seconds)} so far"

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


_STEPS = {
    "collect": "asking",
    "parse": "reading the answers",
    "label": "looking up whom they show",
    "pages": "reading the pages that results lead to",
    "signal": "finding grammatical gender",
    "measure": "computing rates and intervals",
    "compare": "comparing with earlier runs",
    "redo": "deriving anew",
    "load": "taking the package over",
    "hold": "holding numbers against what was published",
    "count": "summing up",
}
#: What is counted where it is not the same in all jobs.
_UNITS = {"collect": "questions", "redo": "answers, each counted once a step", "count": "runs"}


#: What the first Ctrl-C says, by the stage of a run.
_STOPPING_EARLY = "stopping after what is in flight; once more to stop at once"
_STOPPING = {
    "parse": "stopping after this step; answers are kept; once more to stop at once",
    "signal": "stopping after this step; answers are kept; once more to stop at once",
    "measure": "stopping after this value; answers are kept; once more to stop at once",
    "compare": "all values are there; finishing this run; once more to stop at once",
}


@contextmanager
def bar(
    step: str,
    *columns: str,
    total: int | None = None,
    **fields: Any,  # noqa: ANN401 - of the task
) -> "Iterator[tuple[rich.progress.Progress, rich.progress.TaskID]]":
    """Draw a bar of one task on the terminal: a spinner, the step, and these columns.

    A column is a name of those below, or a text with fields of the task.
    """
    from rich import progress

    kinds = {
        "bar": progress.BarColumn, "count": progress.MofNCompleteColumn,
        "elapsed": progress.TimeElapsedColumn, "remaining": progress.TimeRemainingColumn,
        "size": progress.DownloadColumn, "speed": progress.TransferSpeedColumn,
    }  # fmt: skip
    parts = [kinds[name]() if name in kinds else progress.TextColumn(name) for name in columns]
    first = (progress.SpinnerColumn(), progress.TextColumn("{task.description}"))
    with progress.Progress(*first, *parts, console=err, transient=True) as drawn:
        yield drawn, drawn.add_task(step, total=total, **fields)


@contextmanager
def progress_bar() -> "Iterator[pipeline.Progress]":
    """A progress callback that draws a bar with rate and time left on standard error.

    Where standard error is not a terminal, a line at the beginning of each stage is written
    instead, and one every ten seconds.
    """
    if not err.is_terminal:
        with lines(note, State("beginning")) as told:
            stages: set[str] = set()

            def plain(stage: str, done: int, planned: int) -> None:
                if told.state.what == _STEPS[stage] and done >= told.state.done:
                    told.at(done, planned)
                    return
                told.begin(State(_STEPS[stage], _UNITS.get(stage, ""), done, planned))
                if stage not in stages:
                    stages.add(stage)
                    unit = _UNITS.get(stage)
                    note(f"{_STEPS[stage]}{f' {planned - done:,} {unit}' if unit else ''} ...")

            yield plain
        return
    columns = ("bar", "count", "{task.fields[rate]}", "elapsed", "left", "remaining")
    with bar("starting", *columns, rate="") as (drawn, task):

        def draw(stage: str, done: int, planned: int) -> None:
            speed = drawn.tasks[0].speed if stage in ("collect", "redo") else None
            rate = f"{speed:,.0f}/s" if speed else ""
            drawn.update(task, description=_STEPS[stage], completed=done, total=planned, rate=rate)

        yield draw


@contextmanager
def interruptible_run() -> "Iterator[tuple[pipeline.Progress, pipeline.Stop]]":
    """A progress callback and a stop signal for a run; the words at Ctrl-C are of its stage."""
    stage = ""
    with stop_signal(lambda: _STOPPING.get(stage, _STOPPING_EARLY)) as stop, progress_bar() as draw:

        def note_stage(name: str, done: int, planned: int) -> None:
            nonlocal stage
            stage = name
            draw(name, done, planned)

        yield note_stage, stop


@contextmanager
def steps() -> Iterator[Callable[[str, int, int | None], None]]:
    """A callback that says which step is at work: a bar, or a line for each where none is seen."""
    if not err.is_terminal:
        seen: set[str] = set()

        def line(step: str, _done: int, _total: int | None) -> None:
            if step not in seen:
                seen.add(step)
                note(f"{step} ...")

        yield line
        return
    with bar("reading", "bar", "count", "elapsed", "left", "remaining") as (drawn, task):

        def draw(step: str, done: int, total: int | None) -> None:
            drawn.update(task, description=step, completed=done, total=total)

        yield draw


@contextmanager
def counter(what: str, planned: int | None = None) -> Iterator[Callable[[int], None]]:
    """A callback that says how many were done and how fast, on standard error.

    A terminal shows it all the time; elsewhere it is one line every ten seconds.
    """
    if not err.is_terminal:
        with lines(note, State("done", what, planned=planned)) as told:
            yield told.at
        return
    with bar(what, "elapsed", total=planned) as (drawn, task):

        def draw(done: int) -> None:
            speed = done / max(drawn.tasks[0].elapsed or 0.0, 1e-3)
            of = f" of {planned:,}" if planned is not None else ""
            drawn.update(task, description=f"{done:,}{of} {what}, {speed:,.0f}/s", completed=done)

        yield draw


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Says that something is being done that cannot be counted, and for how long, while it is."""
    with bar(what, "elapsed") if err.is_terminal else lines(note, State(what)):
        yield
