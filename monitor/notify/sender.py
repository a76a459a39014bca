"""Sends messages to the addresses of a route: a message in, a delivery out, no word of an address.

Addresses come from the environment by the name of the route and go to a process of their own on its
standard input; nothing else is told what they are.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from monitor.notify import Delivery, Message, is_known
from monitor.settings import Settings

#: Seconds that all servers together have to take a message. Apprise gives up sooner, by the time
#: limits of each address (`cto` and `rto`, 4 s each); this is for servers that never end.
SECONDS = 60.0
#: Seconds that the process has beside, to start on a machine that is busy.
_TO_START = 60.0


@dataclass(frozen=True, slots=True)
class AppriseSender:
    """Sender of messages; `addresses` are the Apprise URLs of each route, never shown."""

    addresses: Mapping[str, Sequence[str]] = field(repr=False)
    seconds: float = SECONDS

    @classmethod
    def from_settings(cls, chosen: Settings) -> "AppriseSender":
        """Return a sender with the configured addresses."""
        urls = {"findings": chosen.notify_findings, "operations": chosen.notify_operations}
        return cls({route: value.get_secret_value().split() for route, value in urls.items()})

    @property
    def routes(self) -> tuple[str, ...]:
        """Return the routes that have an address."""
        return tuple(route for route, addresses in self.addresses.items() if addresses)

    def count_addresses(self, route: str) -> int:
        """Return how many addresses a route has."""
        return len(self.addresses.get(route, ()))

    def send(self, route: str, message: Message, places: Sequence[int] = ()) -> Delivery:
        """Send to the addresses at these places, from 1; to all where none is named."""
        chosen_places = tuple(places) or tuple(range(1, self.count_addresses(route) + 1))
        codes = self._run_child(
            [self.addresses[route][number - 1] for number in chosen_places], message
        )
        faults = {number: code for number, code in zip(chosen_places, codes, strict=True) if code}
        return Delivery(self.count_addresses(route), faults)

    def _run_child(self, addresses: list[str], message: Message) -> list[str]:
        request = {
            "addresses": addresses,
            "title": message.title,
            "body": message.body,
            "seconds": self.seconds,
        }
        try:
            # a session of its own: Ctrl-C in a terminal must not leave unknown what became of it
            done = subprocess.run(
                [sys.executable, "-P", "-m", "monitor.notify.child"],
                input=json.dumps(request).encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self.seconds + _TO_START,
                check=False,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            return ["late"] * len(addresses)
        except OSError:
            return ["broken"] * len(addresses)
        return _read_codes(done.stdout, len(addresses))


def _read_codes(output: bytes, n: int) -> list[str]:
    """Return the codes of the output; unknown ones are replaced."""
    try:
        codes = json.loads(output)
    except ValueError:
        codes = None
    if not isinstance(codes, list) or len(codes) != n:
        return ["broken"] * n
    return [code if code == "" or is_known(str(code)) else "refused" for code in codes]
