"""Processes by a name that no other process ever has: machine, number, and when it began."""

import os
from functools import cache
from pathlib import Path
from platform import node

_PROC = Path("/proc")
_ENOUGH = 13  # characters of a random name


@cache
def _machine() -> str:
    """The machine since it was started, or the container: elsewhere processes have other numbers.

    Machines may share a name, and the first name space of all has the same number everywhere.
    """
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        space = (_PROC / "self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:
        return node()
    return f"{node()}/{boot[:_ENOUGH]}/{space}"


def _began(process: int) -> str:
    """When a process began, in ticks since the machine did; empty where it is gone, or a zombie."""
    try:
        fields = (_PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


@cache
def _named(process: int) -> str:
    return f"{_machine()}:{process}:{_began(process)}"


def this_process() -> str:
    """`machine:process:when it began`."""
    return _named(os.getpid())


def at_work(name: str) -> bool | None:
    """Whether a process is there; None where nobody here can say, as of another machine."""
    machine, number, began = ("", "", *name.split(":"))[-3:]
    if machine != _machine() or not _began(os.getpid()):
        return None
    if not (number.isdigit() and began):
        return False
    return _began(int(number)) == began if _began(int(number)) else _hidden(int(number))


def _hidden(process: int) -> bool | None:
    """Of a process that cannot be looked at: False if there is none, None where nobody can say."""
    if (_PROC / str(process)).exists():
        return False  # a zombie
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return None
    return None
