"""How the program ends: one sentence and an exit code, and quietly where nobody reads on."""

import os
import select
import sys
from typing import IO, Any, NoReturn

#: What a shell says of a program that wrote where nobody reads (SIGPIPE), as `git log | head` does.
UNREAD = 141


def fail(sentence: str, code: int) -> NoReturn:
    """Say on standard error what is wrong, and end."""
    from monitor.cli.console import err

    err.print(f"monitor: {sentence}", style="bold red", markup=False, soft_wrap=True)
    sys.exit(code)


def is_unread(stream: IO[Any] | None) -> bool:
    """Whether nobody will read what is written there: the other end of the pipe is closed."""
    try:
        number = stream.fileno() if stream else -1
    except (OSError, ValueError, AttributeError):  # not a file, as where a test holds it
        return False
    if number < 0:
        return False
    poll = select.poll()
    poll.register(number, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def flush() -> None:
    """Write what is left; where nobody reads it, it goes nowhere, and the program ends by UNREAD.

    Left to the interpreter, that would be a warning and exit code 120.
    """
    for stream in filter(None, (sys.stdout, sys.stderr)):  # one that was closed is None
        try:
            stream.flush()
        except BrokenPipeError:
            silence(stream)
            sys.exit(UNREAD)


def silence(stream: IO[Any]) -> None:
    """What is still written to this stream goes nowhere."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, stream.fileno())
    os.close(devnull)
