"""Processes by a name that no other process ever has: machine, number, and when it began."""

import os
from functools import cache
from pathlib import Path
from platform import node

_PROC = Path("/proc")


@cache
def _machine() -> str:
    """The machine or container: processes of another one have other numbers."""
    try:
        return f"{node()}/{(_PROC / 'self/ns/pid').readlink().name.strip('pid:[]')}"
    except OSError:
        return node()


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
    return number.isdigit() and bool(began) and _began(int(number)) == began
