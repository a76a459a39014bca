"""What a run needs of its surroundings besides a fetcher: exits, and where things are looked up."""

from dataclasses import dataclass, field

from monitor.model import Services


@dataclass(frozen=True, slots=True)
class Around:
    """The exit by its name, the services for look-ups, and who says from where requests left.

    `address_key` keys the hashes of our own addresses, so that nobody finds them by trying all.
    """

    exit: str = "direct"
    services: Services = field(default_factory=Services)
    egress_lookup: str = ""
    address_key: str = field(default="", repr=False)
