"""Health of this process: `/healthz` (it lives) and `/readyz` (it can work), and who serves them.

`/healthz` reads nothing but a clock: a restart does not help while a database is away.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus

from monitor import settings
from monitor.fetch.heartbeat import Heartbeat
from monitor.fetch.http import Way
from monitor.model import InvalidInput, StoreProblem
from monitor.settings import Settings
from monitor.store import migrations
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.maintenance import retention
from monitor.store.schedule.leases import this_process
from monitor.web.connections import Reply, Server, parse_address
from monitor.web.metrics import Metrics
from monitor.work.perform import Companion, WorkerContext

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
        with _drop_patience(self.database).read() as connection:
            activity = events.read_announcement(connection, this_process())
        return {"role": activity[0], "does": activity[1]} if activity else {}


def _drop_patience(database: Database) -> Database:
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


# --- beside a daemon or worker --------------------------------------------------------------------


def make_companions(shop: WorkerContext, alive: Alive) -> list[Companion]:
    """Return the companions that the settings ask for; `alive` gives the idle time of the loop.

    Raises InvalidInput where an address cannot be used.
    """
    health = Health(shop.database, alive)
    parts: list[Companion] = []
    if shop.settings.health:
        parts.append(_make_server(shop, health))
    if url := shop.settings.ping_url.get_secret_value():
        parts.append(
            Heartbeat(url, shop.settings.ping_seconds, health.is_well, _make_way(shop.settings))
        )
    return parts


def _make_server(shop: WorkerContext, health: Health) -> Server:
    address = parse_address(shop.settings.health, "MONITOR_HEALTH")
    if not address.is_loopback and not shop.settings.health_public:
        raise InvalidInput(
            f"MONITOR_HEALTH={str(address)!r}: other machines could read it there; name 127.0.0.1, "
            "or set MONITOR_HEALTH_PUBLIC=1 where only those can reach it that may"
        )
    metrics = Metrics(shop.database)
    return Server(
        address,
        {"/healthz": health.healthz, "/readyz": health.readyz, "/metrics": metrics.page},
    )


def _make_way(configured: Settings) -> Way:
    """Return the way to services: the same proxy and authorities as for collecting."""
    if configured.ca_file and not configured.ca_file.is_file():
        raise InvalidInput(f"MONITOR_CA_FILE={str(configured.ca_file)!r}: no such file")
    return Way(
        contact=configured.contact,
        proxy=configured.proxy.get_secret_value(),
        authorities=configured.ca_file,
    )
