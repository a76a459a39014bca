"""The record of when engines were last asked live, by the release and by an archive."""

from collections.abc import Iterable, Mapping
from functools import cache
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from monitor.addresses import is_near
from monitor.data import read_toml
from monitor.model import Engine
from monitor.names import base_name
from monitor.plugin_summaries import EngineSummary

#: Words for an engine that neither the release nor the archive has seen.
NEVER = "tested on recordings only"
#: Words for an engine that runs here, or reads what was recorded or saved before.
OFFLINE = "asks no service"
#: Surfaces that are asked over the network; others run here, or were recorded or saved before.
NETWORK_SURFACES = ("api", "ui")


class SeenLive(NamedTuple):
    """The last live answers of an engine: day (UTC, ISO 8601), number, version of what read them.

    `is_own`: they came from a loopback or private address.
    """

    date: str
    answers: int
    version: str
    is_own: bool = False

    def __str__(self) -> str:
        version = f", version {self.version}" if self.version else ""
        words = "asked at an address of one's own" if self.is_own else "seen live"
        n = "1 answer" if self.answers == 1 else f"{self.answers:,} answers"
        return f"{words} {self.date} ({n}{version})"


@cache
def read_seen_live() -> dict[str, SeenLive]:
    """Return the last live test of each engine that has one, as shipped with the release."""
    return {
        name: SeenLive(str(entry["date"]), int(entry["answers"]), str(entry["version"]))
        for name, entry in read_toml("seen_live").items()
    }


def say_seen_live(engine: str, archive: Mapping[str, SeenLive] | None) -> str:
    """Return when an engine was last seen live, by the release or in an archive; else `NEVER`.

    Answers from an address of one's own are said beside, and count as no live answers.
    """
    shipped, stored = read_seen_live().get(engine), (archive or {}).get(engine)
    if stored is None or shipped is None:
        return str(stored or shipped or NEVER)
    return f"{shipped}; {stored}" if stored.is_own else str(max(shipped, stored))


def say_live_tests(
    engine: Engine | EngineSummary, archive: Mapping[str, SeenLive] | None = None
) -> str:
    """Return when an engine was last seen live, or that it asks no service."""
    if engine.surface not in NETWORK_SURFACES:
        return OFFLINE
    return say_seen_live(engine.name, archive)


def find_newest(answers: Iterable[tuple[str, str, SeenLive]]) -> dict[str, SeenLive]:
    """Return {engine: its last live answers} of (label, address, answers) of an archive.

    Live answers precede those from addresses of one's own, however old they are.
    """
    newest: dict[str, SeenLive] = {}
    for label, address, seen in answers:
        engine, candidate = base_name(label), seen._replace(is_own=is_own_address(address))
        best = newest.get(engine, candidate)
        newest[engine] = max(best, candidate, key=lambda item: (not item.is_own, item))
    return newest


def is_own_address(address: str) -> bool:
    """Return whether an address is loopback, private, or a name that no other network knows."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return True
    if is_near(address):
        return True
    try:
        ip_address(host)
    except ValueError:
        return "." not in host.rstrip(".")
    return False
