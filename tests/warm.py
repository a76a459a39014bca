"""Processes of the program that begin at once: forked from one that has imported it already.

Importing takes a second or two of each start, and a test of kills begins a process after every one
of them. They are processes like any other: they get signals, and end with a code or by a signal.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from monitor import registry

ROOT = Path(__file__).parent.parent
#: What commands import when they run.
_USED = (
    "monitor.cli", "monitor.cli.access.serve", "monitor.cli.collect.evidence",
    "monitor.cli.schedule.daemon", "monitor.daemon.service", "monitor.work.queue",
    "monitor.stages.publish.growing_release", "monitor.web.health", "monitor.web.site.app",
    "monitor.work.queue", "monitor.work.worker",
)  # fmt: skip
#: Variables that say how many threads linear algebra and models may use.
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
_PLUGINS = ("engines", "languages", "measures", "pages", "references")
_LONGEST_ORDER = 1 << 20


# --- in a test ------------------------------------------------------------------------------------


class Process:
    """A process that was begun, with what tests use of `subprocess.Popen`."""

    def __init__(self, line):
        self._line, self.returncode = line, None
        self.pid = int(line.recv(32))

    def poll(self):
        """Its exit code, negative for a signal; None while it runs."""
        with suppress(BlockingIOError):
            return self._ended(0)

    def wait(self, timeout=None):
        """Its exit code, once it has ended."""
        try:
            return self._ended(timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout) from None

    def _ended(self, timeout):
        if self.returncode is None:
            self._line.settimeout(timeout)
            self.returncode = int(self._line.recv(32))
            self._line.close()
        return self.returncode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)


class _Warm:
    """The process that has imported everything, and the line to it; it ends with this one."""

    def __init__(self):
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        kept = {name: os.environ[name] for name in ("PATH", *THREADS) if name in os.environ}
        environment = kept | {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "tests.warm"]
        with theirs:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=theirs, stdout=subprocess.DEVNULL
            )
        atexit.register(self._end)

    def _end(self):
        self.line.close()
        self._process.wait()


#: One for all tests of a process.
_warm = cache(_Warm)


def begin(module, words, *, folder, environment, said):
    """`python -m module words` in a folder; its output is written to the file `said`."""
    order = json.dumps([module, list(map(str, words)), str(folder), dict(environment)]).encode()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        socket.send_fds(_warm().line, [order], [theirs.fileno(), said.fileno()])
    return Process(ours)


# --- in the process that is warm ------------------------------------------------------------------


def _new_processes(orders):
    """Returns in a new process, with its order; here nothing is left to do at the end."""
    while True:
        order, given, _, _ = socket.recv_fds(orders, _LONGEST_ORDER, 2)
        if not order:
            sys.exit()
        line, said = given
        if os.fork() == 0:
            orders.close()
            return json.loads(order), line, said
        os.close(line)
        os.close(said)


def _watched(line):
    """Returns in a child; this process says when that began and how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        os.close(line)
        return
    with socket.socket(fileno=line) as told, suppress(BrokenPipeError):
        told.send(str(child).encode())
        _, status = os.waitpid(child, 0)
        told.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _become(folder, environment, said):
    """What `subprocess` does between fork and exec."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for fd, place in ((nothing, 0), (said, 1), (said, 2)):
        os.dup2(fd, place)
    os.close(nothing)
    os.close(said)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)


def main():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those who watch are not waited for
    for name in _USED:
        importlib.import_module(name)
    for folder in _PLUGINS:
        registry.discover(folder)
    gc.freeze()
    (module, words, folder, environment), line, said = _new_processes(socket.socket(fileno=0))
    _watched(line)
    _become(folder, environment, said)
    sys.argv = [module, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
