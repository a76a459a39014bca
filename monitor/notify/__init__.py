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
    """Plain text: a title of one line, and what follows."""

    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of a message: {place of an address, from 1: code of its fault}, of so many."""

    n: int
    faults: dict[int, str]

    @property
    def is_complete(self) -> bool:
        """Whether it went out to every address."""
        return not self.faults

    def __str__(self) -> str:
        """`address 2 of 3: HTTP 500`; empty where nothing is wrong."""
        return "; ".join(
            f"address {place} of {self.n}: {words(code)}" for place, code in self.faults.items()
        )


def words(code: str) -> str:
    """What a person reads of a code; one that is not known is not repeated."""
    if status := _HTTP.fullmatch(code):
        return f"HTTP {status[1]}"
    return FAULTS.get(code, FAULTS["refused"])


def is_known(code: str) -> bool:
    """Whether this is one of the codes, and not what somebody else wrote."""
    return code in FAULTS or _HTTP.fullmatch(code) is not None


def still_without(trouble: str, n: int) -> tuple[int, ...]:
    """The places that a message is still to go to, by what is written of its last try.

    All of them where it was not tried, or where there are more or fewer addresses by now.
    """
    places = [(int(place), int(of)) for place, of in _PLACE.findall(trouble)]
    if not places or any(of != n or not 1 <= place <= n for place, of in places):
        return tuple(range(1, n + 1))
    return tuple(dict.fromkeys(place for place, _ in places))
