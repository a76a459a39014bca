"""The newest report as a page: made as `monitor report` makes it, and kept until there is news."""

from collections.abc import Callable
from threading import Lock
from typing import TypeAlias
from zoneinfo import ZoneInfo

from monitor.stages import report as stage
from monitor.store import health
from monitor.store import report as store
from monitor.store.database import Connection, Database
from monitor.web.server import Reply

_HTML = "text/html; charset=utf-8"
#: What the report's own policy allows: its style sheet and charts inside, nothing from elsewhere.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_NOTHING_YET = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>monitor</title>
<p>There is no run in this database yet; <code>monitor run jobs/demo.toml</code> makes one.</p>
</html>
"""

#: What a report is of: run, how far it has come, newest point.
_Key: TypeAlias = tuple[object, ...]
Made: TypeAlias = Callable[[Connection, int, ZoneInfo], "stage.Report"]


class NewestReport:
    """The page `/`. One report is made at a time; who asks meanwhile waits for it."""

    def __init__(self, database: Database, zone: ZoneInfo, make: Made = stage.report) -> None:
        self._database, self._zone, self._make = database, zone, make
        self._lock = Lock()
        self._key: _Key | None = None
        self._body = b""

    def page(self, _accept: str) -> Reply:
        """The report of the newest run."""
        with self._lock, self._database.read() as connection:
            run_id = store.find(connection, None, None)
            if run_id is None:
                return Reply(_NOTHING_YET.encode(), _HTML, policy=_POLICY)
            key = health.news(connection, run_id)
            if key != self._key:
                self._body = self._make(connection, run_id, self._zone).html.encode()
                self._key = key
            return Reply(self._body, _HTML, policy=_POLICY)
