"""Context that the steps of a run share: progress, a stop signal, and means besides a fetcher."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from monitor.model import Services

if TYPE_CHECKING:
    from monitor.fetch.landing import LandingFetcher


#: Called with (stage, questions done, questions in all).
Progress = Callable[[str, int, int], None]

#: Asked between requests: True means that a person wants to stop.
Stop = Callable[[], bool]


def never() -> bool:
    """Nobody wants to stop."""
    return False


@dataclass(frozen=True, slots=True)
class RunContext:
    """The exit by its name, the services for look-ups, and who says from where requests left.

    `address_key` keys the hashes of our own addresses, so that nobody finds them by trying all.
    `landings` gives who asks for the pages that results lead to.
    """

    exit: str = "direct"
    services: Services = field(default_factory=Services)
    egress_lookup: str = ""
    address_key: str = field(default="", repr=False)
    landings: "Callable[[], LandingFetcher] | None" = None
