"""Reports of runs: made as `monitor report` makes them, and kept until there is news of the run."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeAlias
from zoneinfo import ZoneInfo

from monitor.stages import report as stage
from monitor.store.collect import run_progress
from monitor.store.database import Connection
from monitor.web.site._one import alone

_MOST = 8

#: How far a run has come, and what was computed, labelled or erased since.
_Key: TypeAlias = tuple[object, ...]
Made: TypeAlias = Callable[[Connection, int, ZoneInfo], "stage.Report"]


class RunReports:
    """The newest few of them. One is made at a time, so that the other pages can be read."""

    def __init__(self, make: Made = stage.report) -> None:
        self._make = make
        self._making, self._looking = Lock(), Lock()
        self._made: OrderedDict[int, tuple[_Key, bytes]] = OrderedDict()

    def page(self, connection: Connection, run_id: int, zone: ZoneInfo) -> bytes:
        """The report of a run as HTML. Raises Busy where too many are being made."""
        key = (connection.engine.url, *run_progress.read_change_token(connection, run_id), zone.key)
        if (found := self._known(run_id, key)) is not None:
            return found
        with alone(self._making, "report"):
            if (found := self._known(run_id, key)) is not None:
                return found
            found = self._make(connection, run_id, zone).html.encode()
        with self._looking:
            self._made[run_id] = (key, found)
            while len(self._made) > _MOST:
                self._made.popitem(last=False)
        return found

    def _known(self, run_id: int, key: _Key) -> bytes | None:
        with self._looking:
            found = self._made.get(run_id)
            if found is None or found[0] != key:
                return None
            self._made.move_to_end(run_id)
            return found[1]
