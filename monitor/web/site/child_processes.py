"""Child processes that answer on the same socket as the first one."""

import logging
import os
import signal
from collections.abc import Callable
from time import monotonic, sleep
from typing import NoReturn

log = logging.getLogger(__name__)
#: Seconds for requests in flight, more than a server has for them, and between two looks.
_PATIENCE = 10.0
_WAIT = 0.02


class ChildProcesses:
    """Child processes of this one, by their ids."""

    def __init__(self, pids: list[int]) -> None:
        self._pids = pids
        self._has_ended = False

    def has_ended(self) -> bool:
        """Return whether a child has ended by itself."""
        if codes := self._collect_ended():
            log.error("processes of the pages ended, with these codes: %s", codes)
        self._has_ended |= bool(codes)
        return self._has_ended

    def _collect_ended(self) -> list[int]:
        """Return the exit codes of children that have ended, and forget these."""
        codes = []
        for pid in tuple(self._pids):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                codes.append(os.waitstatus_to_exitcode(status))
                self._pids.remove(pid)
        return codes

    def stop(self) -> None:
        """Ask the children to finish what is in flight, and end those that take too long."""
        for pid in self._pids:
            os.kill(pid, signal.SIGTERM)
        until = monotonic() + _PATIENCE
        while self._pids and monotonic() < until:
            self._collect_ended()
            sleep(_WAIT)
        for pid in self._pids:
            log.warning("process %d does not end: it is killed", pid)
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        self._pids.clear()


def fork_children(number: int, run: Callable[[Callable[[], bool]], None]) -> ChildProcesses:
    """Fork so many children that `run`. Call it before this process starts a thread.

    `run` is given a function that returns whether the child is to end: it was sent SIGTERM, or this
    process has gone.
    """
    parent, pids = os.getpid(), []
    for _ in range(number):
        pid = os.fork()
        if pid == 0:
            _run_child(run, parent)
        pids.append(pid)
    return ChildProcesses(pids)


def _run_child(run: Callable[[Callable[[], bool]], None], parent: int) -> NoReturn:
    """Run, and end this process, which must not return into the code of its parent."""
    is_stopped = False

    def stop(*_signal: object) -> None:
        nonlocal is_stopped
        is_stopped = True

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which tells us
    signal.signal(signal.SIGTERM, stop)
    code = 1
    try:
        run(lambda: is_stopped or os.getppid() != parent)
        code = 0
    except Exception:
        log.exception("process %d cannot answer", os.getpid())
    finally:
        os._exit(code)
