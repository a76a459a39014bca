"""Health of this process: `/healthz` (it lives) and `/readyz` (it can work).

`/healthz` reads nothing but a clock: a restart does not help while a database is away.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus

from monitor import settings
from monitor.model import StoreProblem
from monitor.store import migrations
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.maintenance import retention
from monitor.store.schedule.leases import this_process
from monitor.web.server import Reply

log = logging.getLogger(__name__)

#: A loop that moves does so every few seconds, also while it waits for a database.
STUCK = 120.0
_JSON = "application/json; charset=utf-8"

#: Seconds since the loop of this process last moved.
Alive = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Health:
    """The two health pages of one process."""

    database: Database
    alive: Alive

    def healthz(self, _accept: str) -> Reply:
        """Return 200 while the loop of this process moves, else 503."""
        idle = self.alive()
        body = {"alive": idle < STUCK, "seconds_since_the_loop_moved": round(idle, 1)}
        return _make_reply(body, is_well=idle < STUCK)

    def readyz(self, _accept: str) -> Reply:
        """Return 200 while this process can work, else 503, with the result of every check."""
        stored = self._database_checks()
        checks = {
            "loop": "" if self.alive() < STUCK else "has not moved lately",
            **stored,
            "disk": self._disk(),
        }
        standing = {} if any(stored.values()) else self._standing()
        if standing.get("role") == "daemon":  # others ask and show whatever the clock says
            checks["clock"] = self._clock()
        ready = not any(checks.values())
        body = {
            "ready": ready,
            "checks": {name: {"ok": not fault, "fault": fault} for name, fault in checks.items()},
            "process": {"name": this_process(), **standing},
        }
        return _make_reply(body, is_well=ready)

    def is_well(self) -> bool:
        """Return whether the loop moves and the database can be reached, for the ping."""
        return self.alive() < STUCK and is_reachable(self.database)

    def _database_checks(self) -> dict[str, str]:
        if not is_reachable(self.database):
            return {"database": "cannot be reached", "schema": "not known"}
        try:
            migrations.check_schema(_drop_patience(self.database))
        except StoreProblem as error:
            log.warning("not ready: %s", error)
            return {"database": "", "schema": "of another version; see the log"}
        return {"database": "", "schema": ""}

    def _disk(self) -> str:
        """Return the fault of the disk that holds the answers; empty where it has room."""
        free = retention.measure_free_space(self.database) if self.database.keeps_files else None
        if free is None or free >= settings.load().disk_reserve:
            return ""
        return f"{free / 1e6:,.0f} MB are free, less than MONITOR_DISK_RESERVE"

    def _clock(self) -> str:
        """Return the note of the alarm during which a daemon begins nothing; empty without it."""
        with _drop_patience(self.database).read() as connection:
            alarms = events.list_open_alarms(connection)
        return next((alarm.detail for alarm in alarms if alarm.kind == "clock"), "")

    def _standing(self) -> dict[str, str]:
        """Return role and activity that this process last stored."""
        with _drop_patience(self.database).read() as connection:
            activity = events.read_announcement(connection, this_process())
        return {"role": activity[0], "does": activity[1]} if activity else {}


def _drop_patience(database: Database) -> Database:
    """Return the same database without retries."""
    return replace(database, patience=0.0)


def is_reachable(database: Database) -> bool:
    """Return whether the database can be read now."""
    try:
        with _drop_patience(database).read() as connection:
            migrations.is_readable(connection)
    except StoreProblem as error:
        log.debug("the database cannot be reached: %s", error)
        return False
    return True


def _make_reply(content: object, *, is_well: bool) -> Reply:
    body = json.dumps(content, indent=2).encode() + b"\n"
    status = HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE
    return Reply(body, _JSON, status)
