"""What a run needs of its surroundings besides a fetcher: exits, and where things are looked up."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from monitor.model import Services

if TYPE_CHECKING:
    from monitor.fetch.landing import LandingFetcher


@dataclass(frozen=True, slots=True)
class Around:
    """The exit by its name, the services for look-ups, and who says from where requests left.

    `address_key` keys the hashes of our own addresses, so that nobody finds them by trying all.
    `landings` gives who asks for the pages that results lead to.
    """

    exit: str = "direct"
    services: Services = field(default_factory=Services)
    egress_lookup: str = ""
    address_key: str = field(default="", repr=False)
    landings: "Callable[[], LandingFetcher] | None" = None
