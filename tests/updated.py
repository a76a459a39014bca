"""The program as its next version: a language that hears otherwise. `python -m tests.updated ...`.

DIES_AT=n ends the process by SIGKILL when it stores signals for the n-th time.
"""

import os
import signal

from monitor import registry
from monitor.cli import main
from monitor.store.derive import signals
from tests.test_redo import OWN, Turned


def update():
    """Portuguese takes masculine for feminine."""
    registry.discover("languages")["pt"] = Turned(OWN + 1)
    registry.known_language.cache_clear()


def die_at(n):
    """Let the process be killed after it has stored for the n-th time."""
    store, calls = signals.store_signals, []

    def dying(*args):
        done = store(*args)
        calls.append(args)
        if len(calls) == n:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    signals.store_signals = dying


if __name__ == "__main__":
    update()
    die_at(int(os.environ.get("DIES_AT", "0")))
    main()
