"""Health server and ping of a daemon or worker, started and stopped with its process."""

import logging
from dataclasses import dataclass
from typing import Protocol

from monitor.fetch.heartbeat import Heartbeat
from monitor.fetch.http import Way
from monitor.model import InvalidInput
from monitor.settings import Settings
from monitor.web.health import Alive, Health
from monitor.web.metrics import Metrics
from monitor.web.server import Page, Server, parse_address
from monitor.work.perform import WorkerContext

log = logging.getLogger(__name__)


class ProcessCompanion(Protocol):
    """Started when the process is, stopped when it ends."""

    def start(self) -> None:
        """Start, and return at once."""
        ...

    def stop(self) -> None:
        """Stop, and return when it has stopped."""
        ...


def make_companions(shop: WorkerContext, alive: Alive) -> list[ProcessCompanion]:
    """Return the companions that the settings ask for; `alive` gives the idle time of the loop.

    Raises InvalidInput where an address cannot be used.
    """
    health = Health(shop.database, alive)
    parts: list[ProcessCompanion] = []
    if shop.settings.health:
        parts.append(_LoggedServer(_make_server(shop, health)))
    if url := shop.settings.ping_url.get_secret_value():
        parts.append(
            Heartbeat(url, shop.settings.ping_seconds, health.is_well, _make_way(shop.settings))
        )
    return parts


def make_pages(health: Health, metrics: Metrics) -> dict[str, Page]:
    """Return {path: page} about a process."""
    return {"/healthz": health.healthz, "/readyz": health.readyz, "/metrics": metrics.page}


def _make_server(shop: WorkerContext, health: Health) -> Server:
    address = parse_address(shop.settings.health, "MONITOR_HEALTH")
    if not address.is_loopback and not shop.settings.health_public:
        raise InvalidInput(
            f"MONITOR_HEALTH={str(address)!r}: other machines could read it there; name 127.0.0.1, "
            "or set MONITOR_HEALTH_PUBLIC=1 where only those can reach it that may"
        )
    return Server(address, make_pages(health, Metrics(shop.database)))


@dataclass(frozen=True, slots=True)
class _LoggedServer:
    """A server that logs its address when it starts."""

    server: Server

    def start(self) -> None:
        self.server.start()
        log.info("health and metrics: http://%s/readyz", self.server.place)

    def stop(self) -> None:
        self.server.stop()


def _make_way(configured: Settings) -> Way:
    """Return the way to services: the same proxy and authorities as for collecting."""
    if configured.ca_file and not configured.ca_file.is_file():
        raise InvalidInput(f"MONITOR_CA_FILE={str(configured.ca_file)!r}: no such file")
    return Way(
        contact=configured.contact,
        proxy=configured.proxy.get_secret_value(),
        authorities=configured.ca_file,
    )
