"""A worker that stops itself before the commit of its first answers, whose rows others need."""

import os
import signal
import sys
import time

from monitor import cli
from monitor.pipeline.collect.answer_writer import Keeper
from monitor.store import database

_SILENT_MS = 1_000
#: Seconds within which the signal has reached this thread.
_SOON = 0.2


def frozen_once(store):
    """What stores answers, but the first time it stands still when it has."""
    times = iter((True,))

    def stored(*args, **named):
        kept = store(*args, **named)
        if next(times, False):
            sys.stderr.write("stands still\n")
            os.kill(os.getpid(), signal.SIGSTOP)
            time.sleep(_SOON)
        return kept

    return stored


def main():
    database.SILENT_MS = _SILENT_MS
    Keeper._stored = frozen_once(Keeper._stored)
    sys.argv = ["monitor", "worker", "--burst"]
    cli.main()


if __name__ == "__main__":
    main()
