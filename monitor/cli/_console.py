"""What every command shares: where output goes, how progress looks, how logs are written."""

import json
import logging
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from monitor.cli import _ending
from monitor.cli._fitting import broken
from monitor.cli._lines import State, lines
from monitor.cli._visible import visible, visible_json

if TYPE_CHECKING:
    from monitor import pipeline
    from monitor.settings import Settings


class _Quiet(Console):
    """A console that ends the program where nobody reads on, as `monitor ... | head` does."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        _ending.silence(self.file)
        sys.exit(_ending.UNREAD)


#: Results go to standard output, so that they can be piped; everything else to standard error.
out = _Quiet(soft_wrap=False, highlight=False)
err = _Quiet(stderr=True, highlight=False)

#: Characters that the first column, and a column of words, keep on a narrow terminal.
_LEAST_NAME = 12
_LEAST_NOTE = 24
#: Characters that a table has between two columns, and at both its sides.
_BETWEEN, _EDGES = 2, 2

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


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        event = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if record.exc_info:
            event["traceback"] = self.formatException(record.exc_info)
        return visible(json.dumps(event, ensure_ascii=False))  # its codes are JSON's own


class _Lines(logging.Formatter):
    """One line and its traceback: what others wrote begins no other line, and moves no cursor."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - named so above
        return visible(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802, ANN401 - as it is there
        trace = super().formatException(ei).split("\n")
        return "\n".join(f"  {visible(line)}" for line in trace)


def configure_logging(settings: "Settings") -> None:
    """Log lines on standard error, as text or as one JSON object per line."""
    handler = logging.StreamHandler(sys.stderr)
    if settings.log_format == "json":
        handler.setFormatter(_JsonLines())
    else:
        handler.setFormatter(_Lines("%(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    for talkative in ("alembic", "apscheduler", "httpx", "procrastinate"):
        logging.getLogger(talkative).setLevel(max(logging.WARNING, logging.getLogger().level))


@contextmanager
def stop_signal() -> "Iterator[pipeline.Stop]":
    """A callback that turns True at Ctrl-C or SIGTERM; a second one stops at once."""
    pressed = False

    def press(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        err.print("stopping after what is in flight; once more to stop at once")

    before = {number: signal.signal(number, press) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: pressed
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def progress_bar() -> "Iterator[pipeline.Progress]":
    """A progress callback that draws a bar with rate and time left on standard error.

    Where standard error is not a terminal, a line at the beginning of each stage is written
    instead, and one every ten seconds.
    """
    if not err.is_terminal:
        with lines(_say, State("beginning")) as told:
            stages: set[str] = set()

            def plain(stage: str, done: int, planned: int) -> None:
                if told.state.what == _STEPS[stage] and done >= told.state.done:
                    told.at(done, planned)
                    return
                told.begin(State(_STEPS[stage], _UNITS.get(stage, ""), done, planned))
                if stage not in stages:
                    stages.add(stage)
                    unit = _UNITS.get(stage)
                    _say(f"{_STEPS[stage]}{f' {planned - done:,} {unit}' if unit else ''} ...")

            yield plain
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("starting", total=None, rate="")

        def draw(stage: str, done: int, planned: int) -> None:
            speed = bar.tasks[0].speed if stage in ("collect", "redo") else None
            rate = f"{speed:,.0f}/s" if speed else ""
            bar.update(task, description=_STEPS[stage], completed=done, total=planned, rate=rate)

        yield draw


@contextmanager
def counter(what: str, planned: int | None = None) -> Iterator[Callable[[int], None]]:
    """A callback that says how many were done and how fast, on standard error.

    A terminal shows it all the time; elsewhere it is one line every ten seconds.
    """
    if not err.is_terminal:
        with lines(_say, State("done", what, planned=planned)) as told:
            yield told.at
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(what, total=planned)

        def draw(done: int) -> None:
            speed = done / max(bar.tasks[0].elapsed or 0.0, 1e-3)
            of = f" of {planned:,}" if planned is not None else ""
            bar.update(task, description=f"{done:,}{of} {what}, {speed:,.0f}/s", completed=done)

        yield draw


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Says that something is being done that cannot be counted, and for how long, while it is."""
    if not err.is_terminal:
        with lines(_say, State(what)):
            yield
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        bar.add_task(what, total=None)
        yield


def _say(line: str) -> None:
    err.print(line, markup=False, soft_wrap=True)


def table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str | Text]], caption: str = ""
) -> Table:
    """A table whose first column gives way when the terminal is narrow; numbers never do."""
    grid = Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        caption=caption,
        caption_justify="left",
        caption_style="dim",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    widths = [max([len(name), *(len(row[at]) for row in rows)]) for at, name in enumerate(columns)]
    taken = sum(
        (_LEAST_NOTE if name == "note" else width) + _BETWEEN
        for name, width in zip(columns[1:], widths[1:], strict=True)
    )
    room = max(out.width - taken - _EDGES, _LEAST_NAME)
    grid.add_column(columns[0], min_width=min(widths[0], room))
    for index, name in enumerate(columns[1:], start=1):
        width = widths[index]
        is_text = name == "note"
        grid.add_column(
            name,
            justify="left" if is_text else "right",
            no_wrap=not is_text,
            min_width=None if is_text else width,
        )
    for first, *others in rows:
        grid.add_row(broken(first, room) if isinstance(first, str) else first, *others)
    return grid


def emit_json(value: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
    """Write a value as JSON to standard output."""
    typer.echo(visible_json(value))
