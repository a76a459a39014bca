"""`monitor`, which kills itself at the place that the file `doom` in its home names.

The file says PLACE N: whoever comes to this place for the Nth time since takes the file away and
dies of SIGKILL, as suddenly as by the hand of another. With DOOMED_LEADS, a folder, two daemons
believe that they lead, and come to the beginning of a run at the same moment.
"""

import os
import signal
import threading
import time
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path

from monitor import cli, pipeline
from monitor.daemon import service, ticking
from monitor.daemon.ticking import TickScheduler
from monitor.pipeline.collect.answer_writer import Keeper
from monitor.store.database import Database
from monitor.store.schedule.leases import Lead
from monitor.work import perform

#: What a thread is doing, and whose transactions are places.
PLANNING, ASKING, STORING, DERIVING = "planning", "asking", "storing", "deriving"
#: Everything is written and nothing committed; or committed, and nothing done after.
BEFORE, AFTER = "before the commit", "after the commit"

_doom = Path(os.environ.get("MONITOR_HOME", ".")) / "doom"
_doing = threading.local()
_visits = {}
_gate = threading.Lock()
_PATIENCE = 30.0


def _visit(moment):
    place = f"{getattr(_doing, 'what', '')}, {moment}"
    with _gate, suppress(OSError):
        wanted = _doom.read_text(encoding="utf-8")
        if wanted.rpartition(" ")[0] != place:
            return
        key = wanted, _doom.stat().st_mtime_ns
        _visits[key] = _visits.get(key, 0) + 1
        if _visits[key] >= int(wanted.rpartition(" ")[2]):
            _doom.unlink()  # only one of several processes can
            os.kill(os.getpid(), signal.SIGKILL)


class Lockless:
    """File locks that everybody gets."""

    LOCK_EX = LOCK_NB = 0

    @staticmethod
    def flock(_file, _how):
        """Granted."""


class Together:
    """The pipeline, where a run is begun when two processes are about to, or after some seconds."""

    def __init__(self, folder):
        self._folder = folder

    def __getattr__(self, name):
        return getattr(pipeline, name)

    def start(self, *arguments):
        (self._folder / str(os.getpid())).touch()
        until = time.monotonic() + _PATIENCE
        while len(list(self._folder.iterdir())) < 2 and time.monotonic() < until:
            time.sleep(0.001)
        return pipeline.start(*arguments)


def _told(function, what):
    @wraps(function)
    def doing(*args, **kwargs):
        before, _doing.what = getattr(_doing, "what", ""), what
        try:
            return function(*args, **kwargs)
        finally:
            _doing.what = before

    return doing


def main():
    TickScheduler._start_tick = _told(TickScheduler._start_tick, PLANNING)
    Keeper.keep = _told(Keeper.keep, STORING)
    perform._collect_lane = _told(perform._collect_lane, ASKING)
    perform._derive_run = _told(perform._derive_run, DERIVING)
    begin = Database.begin

    @contextmanager
    def watched(database):
        with begin(database) as connection:
            yield connection
            _visit(BEFORE)
        _visit(AFTER)

    Database.begin = watched
    if folder := os.environ.get("DOOMED_LEADS"):
        Lead.held = lambda _lead: True
        service.fcntl = Lockless
        ticking.pipeline = Together(Path(folder))
    cli.main()


if __name__ == "__main__":
    main()
