"""The terminal: where output goes, how tables and JSON look, how logs are written."""

import json
import logging
import os
import re
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import is_dataclass
from datetime import datetime
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from monitor.cli import exits
from monitor.model import InvalidInput, as_row

if TYPE_CHECKING:
    from monitor import pipeline
    from monitor.settings import Settings
    from monitor.stats.intervals import Limits

#: Control characters, marks that turn the direction of text, and what no encoding takes.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
#: In JSON, line breaks between values are its own.
_HIDDEN_IN_JSON = re.compile(_HIDDEN.pattern.replace("\x00-\x1f", "\x00-\x09\x0b-\x1f"))


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def visible(text: object) -> str:
    """A text in one line that no terminal obeys."""
    return _HIDDEN.sub(_code, str(text))


def visible_json(value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold, and records
    """A value as JSON that no terminal obeys; the codes in it are JSON's own."""

    def plain(other: object) -> object:
        return as_row(other) if is_dataclass(other) else str(other)

    text = json.dumps(value, ensure_ascii=False, indent=2, default=plain)
    return _HIDDEN_IN_JSON.sub(_code, text)


#: A name can go on in the next line after one of these.
_PIECES = re.compile(r"[^-_.,:;/=(|@ ]*[-_.,:;/=(|@ ]?")


def broken(name: str, width: int) -> str:
    """A name in lines of at most `width` characters; only a word that is longer is cut."""
    if len(name) <= width:
        return name
    lines, line = [], ""
    for piece in _PIECES.findall(name):
        if line and len(line) + len(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
        while len(line.rstrip()) > width:
            lines.append(line[:width])
            line = line[width:]
    return "\n".join([*lines, line.rstrip()] if line.strip() else lines)


class _Quiet(Console):
    """A console that ends the program where nobody reads on, as `monitor ... | head` does."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        exits.silence(self.file)
        sys.exit(exits.UNREAD)


#: The option `--json` of commands that print.
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
#: Results go to standard output, so that they can be piped; everything else to standard error.
out = _Quiet(soft_wrap=False, highlight=False, emoji=False)
err = _Quiet(stderr=True, highlight=False, emoji=False)

#: Characters that every window has.
_LEAST_WIDTH = 80
#: Characters that the first column, and a column of words, keep on a narrow terminal.
_LEAST_NAME = 12
_LEAST_NOTE = 24
#: Characters that a table has between two columns, and at both its sides.
_BETWEEN, _EDGES = 2, 2


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
def stop_signal(
    words: str | Callable[[], str] = "stopping after what is in flight; once more to stop at once",
) -> "Iterator[pipeline.Stop]":
    """Yield a callback that turns True at Ctrl-C or SIGTERM; a second one stops at once.

    `words`, or what they return then, are printed at the first one; nothing where they are empty.
    """
    pressed = False

    def press(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        if said := words if isinstance(words, str) else words():
            _print_at_once(said)

    before = {number: signal.signal(number, press) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: pressed
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _print_at_once(text: str) -> None:
    """Print a line to standard error without its buffer, which a signal may have interrupted."""
    try:
        os.write(err.file.fileno(), f"{text}\n".encode())
    except (OSError, ValueError):  # it has no number, or is closed
        err.print(text)


def say(text: object, style: str = "") -> None:
    """Print a line of results as it is: nothing in it is markup, and it is not broken."""
    out.print(text, style=style or None, markup=False, soft_wrap=True)


def say_indented(text: str, indent: str, style: str = "") -> None:
    """Print a text of results in lines that a window holds, broken between words."""
    lines = textwrap.wrap(
        visible(text), max(out.width, _LEAST_WIDTH), initial_indent=indent,
        subsequent_indent=indent, break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    for line in lines:
        say(line, style=style)


def note(text: object, style: str = "") -> None:
    """Print a line that is no result to standard error, as it is."""
    err.print(text, style=style or None, markup=False, soft_wrap=True)


def warn(text: object) -> None:
    """Print what a reader should act on to standard error, in yellow."""
    note(text, style="yellow")


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
    widths = [
        max([len(name), *(len(row[index]) for row in rows)]) for index, name in enumerate(columns)
    ]
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


def print_facts(heading: str, facts: Mapping[str, object], leave_out: tuple[str, ...] = ()) -> None:
    """Print a heading and one fact a paragraph; empty ones are left out."""
    from rich.padding import Padding

    out.print(heading, markup=False)
    for key, value in facts.items():
        if key in leave_out or value in ("", None):
            continue
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        if isinstance(value, datetime):
            words = f"{value:%Y-%m-%d %H:%M %Z}"
        elif isinstance(value, bool):
            words = "yes" if value else "no"
        out.print(Padding(Text(f"{key}: {words}"), (0, 0, 0, 4)))


def read_secret(option: str, variable: str) -> str:
    """Return the value of the variable of the environment that an option names; empty for none."""
    if not variable:
        return ""
    if secret := os.environ.get(variable):
        return secret
    raise InvalidInput(f"{option} {variable}: this variable is not set, or is empty")


def emit_json(value: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
    """Write a value as JSON to standard output."""
    typer.echo(visible_json(value))


def agreement_text(value: float | None, limits: "Limits | None") -> str:
    """`0.812 [0.701, 0.884]`; undefined where chance alone explains all, or nobody rated the same.

    Without limits it rests on too few items that say anything.
    """
    if value is None:
        return "undefined"
    return f"{value:.3f}" + (f" [{limits.low:.3f}, {limits.high:.3f}]" if limits else "")
