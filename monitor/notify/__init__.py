"""Telling people what was found and what is wrong: messages in, deliveries out.

Addresses are Apprise URLs, which hold passwords and tokens. They are counted, and never shown: a
fault names the place of an address in its list, and is one of a few fixed words.
"""

import re
from dataclasses import dataclass

#: Codes of the faults that are told apart, with what a person reads. What a server or a library
#: says of a fault may hold the address, and goes nowhere.
FAULTS = {
    "unusable": "Apprise makes nothing of it",
    "unreachable": "nobody could be reached there",
    "unknown_host": "its host has no address",
    "tls": "no secure connection could be made",
    "login": "the login was refused",
    "late": "no answer in time",
    "refused": "the message was not taken",
    "missing": "the library apprise is not installed here",
    "broken": "the program that sends ended in a fault",
}
_HTTP = re.compile(r"http_([1-5][0-9]{2})")
_PLACE = re.compile(r"address (\d+) of (\d+): ")


@dataclass(frozen=True, slots=True)
class Message:
    """Plain text: a title of one line, and a body."""

    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """Result of a message: {place of an address, from 1: code of its fault} of `n`."""

    n: int
    faults: dict[int, str]

    @property
    def is_complete(self) -> bool:
        """Return whether it was sent to every address."""
        return not self.faults

    def __str__(self) -> str:
        """Return `address 2 of 3: HTTP 500`; empty without faults."""
        return "; ".join(
            f"address {number} of {self.n}: {words(code)}" for number, code in self.faults.items()
        )


def words(code: str) -> str:
    """Return the words of a code; an unknown one is not repeated."""
    if status := _HTTP.fullmatch(code):
        return f"HTTP {status[1]}"
    return FAULTS.get(code, FAULTS["refused"])


def is_known(code: str) -> bool:
    """Return whether this is one of the codes."""
    return code in FAULTS or _HTTP.fullmatch(code) is not None


def still_without(trouble: str, n: int) -> tuple[int, ...]:
    """Return the places that a message is still to be sent to, by its last fault.

    All of them where it was not tried, or where there are more or fewer addresses by now.
    """
    places = [(int(number), int(of)) for number, of in _PLACE.findall(trouble)]
    if not places or any(of != n or not 1 <= number <= n for number, of in places):
        return tuple(range(1, n + 1))
    return tuple(dict.fromkeys(number for number, _ in places))
