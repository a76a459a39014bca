"""What every command shares: where output goes, how progress looks, how logs are written."""

import json
import logging
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import typer
from rich import box
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from monitor import pipeline
from monitor.settings import Settings

#: Results go to standard output, so that they can be piped; everything else to standard error.
out = Console(soft_wrap=False, highlight=False)
err = Console(stderr=True, highlight=False)

#: Characters that the first column keeps on a narrow terminal.
_LEAST_NAME = 16

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
}


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
        return json.dumps(event, ensure_ascii=False)


def configure_logging(settings: Settings) -> None:
    """Log lines on standard error, as text or as one JSON object per line."""
    handler = logging.StreamHandler(sys.stderr)
    if settings.log_format == "json":
        handler.setFormatter(_JsonLines())
    else:
        handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    for talkative in ("alembic", "apscheduler", "httpx", "procrastinate"):
        logging.getLogger(talkative).setLevel(max(logging.WARNING, logging.getLogger().level))


@contextmanager
def stop_signal() -> Iterator[pipeline.Stop]:
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
def progress_bar() -> Iterator[pipeline.Progress]:
    """A progress callback that draws a bar with rate and time left on standard error.

    Where standard error is not a terminal, one line per stage is written instead.
    """
    if not err.is_terminal:
        seen: set[str] = set()

        def lines(stage: str, done: int, planned: int) -> None:
            if stage not in seen:
                seen.add(stage)
                of = f" {planned - done:,} questions" if stage == "collect" else ""
                err.print(f"{_STEPS[stage]}{of} ...")

        yield lines
        return
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
def counter(what: str) -> Iterator[Callable[[int], None]]:
    """A callback that draws how many were done and how fast, where standard error is a terminal."""
    if not err.is_terminal:
        yield lambda _done: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(what, total=None)

        def draw(done: int) -> None:
            speed = done / max(bar.tasks[0].elapsed or 0.0, 1e-3)
            text = f"{done:,} {what}, {speed:,.0f}/s"
            bar.update(task, description=text, completed=done)

        yield draw


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
    longest = max([len(columns[0]), *(len(row[0]) for row in rows)])
    grid.add_column(columns[0], min_width=min(longest, _LEAST_NAME))
    for index, name in enumerate(columns[1:], start=1):
        width = max(len(name), *(len(row[index]) for row in rows)) if rows else len(name)
        is_text = name == "note"
        grid.add_column(
            name,
            justify="left" if is_text else "right",
            no_wrap=not is_text,
            min_width=None if is_text else width,
        )
    for row in rows:
        grid.add_row(*row)
    return grid


def emit_json(value: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
    """Write a value as JSON to standard output."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))
