"""What every page is given: the archive, the clock, and how the pages are reached.

In goes how `monitor serve` was called, out comes one record that hangs at the application.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from secrets import token_bytes
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import Depends, Request

from monitor.stages.engine_titles import KnownEngines, known_engines
from monitor.store.access.embargoes import EmbargoFilter
from monitor.store.database import Database
from monitor.store.jobs import declarations
from monitor.store.jobs.declarations import Invented

#: Seconds for which it is kept what jobs declare.
_KEPT = 30

Network = IPv4Network | IPv6Network


class Entry(StrEnum):
    """Who may come in."""

    LOCAL = "local"  # everybody at this machine reads, as long as the archive has no users
    LOGIN = "login"  # users
    PUBLIC = "public"  # everybody reads what is not under embargo; users log in for more


@dataclass(frozen=True, slots=True)
class Access:
    """How the pages are reached.

    `hosts` are the names that a request may be for: another one's name could have been made to lead
    here. `proxies` are networks from which the headers of a proxy are believed; `user_header` is
    the one in which it names who has logged in there, empty where it does not.
    """

    entry: Entry
    hosts: frozenset[str]
    is_secure: bool = False
    proxies: tuple[Network, ...] = ()
    user_header: str = ""

    def is_proxy(self, address: str) -> bool:
        """Whether a connection comes from a proxy whose headers are believed."""
        try:
            found = ip_address(address)
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in self.proxies)


@dataclass(frozen=True, slots=True)
class Site:
    """The archive that is shown, and how."""

    database: Database
    zone: ZoneInfo
    access: Access
    now: Callable[[], datetime]
    home: Path = Path()
    public_url: str = ""  # where people open these pages; empty where that is not configured
    #: Of the marks in forms of visitors without a session; another one after each start.
    key: bytes = field(default_factory=lambda: token_bytes(32), repr=False)
    #: {state of the archive: what the public does not see then}, the newest only.
    hidden: dict[object, EmbargoFilter] = field(default_factory=dict, repr=False)
    #: {half minute: what jobs declare of invented answers, and engines}, the newest only.
    declared: dict[int, tuple[Invented, KnownEngines]] = field(default_factory=dict, repr=False)

    def is_invented(self) -> Invented:
        """Return whether the answers of the archive are invented. Raises StoreProblem."""
        return self._declared()[0]

    def engines(self) -> KnownEngines:
        """Return the engines that were asked, by their labels. Raises StoreProblem."""
        return self._declared()[1]

    def _declared(self) -> tuple[Invented, KnownEngines]:
        now = int(self.now().timestamp() // _KEPT)
        known = self.declared.get(now)
        if known is None:
            with self.database.read() as connection:
                known = declarations.read_invented(connection), known_engines(connection)
            self.declared.clear()
            self.declared[now] = known
        return known


def site(request: Request) -> Site:
    """The site that a request is for."""
    found: Site = request.app.state.site
    return found


TheSite = Annotated[Site, Depends(site)]
