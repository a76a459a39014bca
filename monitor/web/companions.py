"""What runs beside the loop of a daemon or worker: its health over HTTP, and its sign of life.

In go the shop that tasks are performed with and a function that says when the loop last moved; out
come things that are started and stopped with the process, as the environment wants them.
"""

import logging
from dataclasses import dataclass
from typing import Protocol

from monitor.fetch.heartbeat import Heartbeat
from monitor.fetch.http import Way
from monitor.model import InvalidInput
from monitor.settings import Settings
from monitor.web.health import Alive, Health
from monitor.web.metrics import Metrics
from monitor.web.server import Page, Server, parse_place
from monitor.work.perform import Shop

log = logging.getLogger(__name__)


class Companion(Protocol):
    """Started when the process is, stopped when it ends."""

    def start(self) -> None:
        """Begin, and return."""
        ...

    def stop(self) -> None:
        """End, and return when that is done."""
        ...


def companions(shop: Shop, alive: Alive) -> list[Companion]:
    """The companions that the settings ask for; `alive` says how long ago the loop moved.

    Raises InvalidInput where an address cannot be used.
    """
    health = Health(shop.database, alive)
    found: list[Companion] = []
    if shop.chosen.health:
        found.append(_Served(_listening(shop, health)))
    if url := shop.chosen.ping_url.get_secret_value():
        found.append(Heartbeat(url, shop.chosen.ping_seconds, health.is_well, _way(shop.chosen)))
    return found


def pages(health: Health, metrics: Metrics) -> dict[str, Page]:
    """The pages about a process, by path."""
    return {"/healthz": health.healthz, "/readyz": health.readyz, "/metrics": metrics.page}


def _listening(shop: Shop, health: Health) -> Server:
    at = parse_place(shop.chosen.health, "MONITOR_HEALTH")
    if not at.is_loopback and not shop.chosen.health_public:
        raise InvalidInput(
            f"MONITOR_HEALTH={str(at)!r}: other machines could read it there; name 127.0.0.1, or "
            "set MONITOR_HEALTH_PUBLIC=1 where only those can reach it that may"
        )
    return Server(at, pages(health, Metrics(shop.database)))


@dataclass(frozen=True, slots=True)
class _Served:
    """A server that says where it is."""

    server: Server

    def start(self) -> None:
        self.server.start()
        log.info("health and metrics: http://%s/readyz", self.server.place)

    def stop(self) -> None:
        self.server.stop()


def _way(chosen: Settings) -> Way:
    """As services are reached: through the same proxy, trusting the same authorities."""
    if chosen.ca_file and not chosen.ca_file.is_file():
        raise InvalidInput(f"MONITOR_CA_FILE={str(chosen.ca_file)!r}: no such file")
    return Way(
        contact=chosen.contact,
        proxy=chosen.proxy.get_secret_value(),
        authorities=chosen.ca_file,
    )
