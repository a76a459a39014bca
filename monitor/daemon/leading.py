"""One daemon for a folder: a lock on a file, which ends with the process that holds it."""

import fcntl
import os
from pathlib import Path

from monitor.model import StoreProblem

_NAME = "daemon.pid"


class HomeLock:
    """The lock on MONITOR_HOME. Raises StoreProblem, naming the process, where another has it."""

    def __init__(self, home: Path) -> None:
        self._path = home / _NAME
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise StoreProblem(f"{self._path}: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._file, 32, 0).decode(errors="replace").strip() or "?"
            os.close(self._file)
            raise StoreProblem(
                f"{self._path}: process {holder} is the daemon of this folder already; stop it "
                "first, or set another MONITOR_HOME"
            ) from None
        # a process that is forked from this one would hold the lock for as long as it lives
        os.register_at_fork(after_in_child=self._close)
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def _close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def release(self) -> None:
        """Let another daemon have the folder. The file stays: removing it would be a race."""
        if self._file >= 0:
            os.ftruncate(self._file, 0)
        self._close()
