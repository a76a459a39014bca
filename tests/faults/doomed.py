"""`monitor`, which kills itself at the place that the file `doom` in its home names.

The file says PLACE N: whoever comes to this place for the Nth time since takes the file away and
dies of SIGKILL, as suddenly as by the hand of another.
"""

import os
import signal
import threading
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path

from monitor import cli
from monitor.daemon.ticking import Ticking
from monitor.pipeline.keeping import Keeper
from monitor.store.database import Database
from monitor.work import perform

#: What a thread is doing, and whose transactions are places.
PLANNING, ASKING, STORING, DERIVING = "planning", "asking", "storing", "deriving"
#: Everything is written and nothing committed; or committed, and nothing done after.
BEFORE, AFTER = "before the commit", "after the commit"

_doom = Path(os.environ.get("MONITOR_HOME", ".")) / "doom"
_doing = threading.local()
_visits = {}
_gate = threading.Lock()


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
    Ticking._start = _told(Ticking._start, PLANNING)
    Keeper.keep = _told(Keeper.keep, STORING)
    perform._collect = _told(perform._collect, ASKING)
    perform._derive = _told(perform._derive, DERIVING)
    begin = Database.begin

    @contextmanager
    def watched(database):
        with begin(database) as connection:
            yield connection
            _visit(BEFORE)
        _visit(AFTER)

    Database.begin = watched
    cli.main()


if __name__ == "__main__":
    main()
