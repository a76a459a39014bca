"""How often a login may fail: in the archive, so no restart helps.

In go failures so far, out comes how long to wait. What counts is a name from one address, then all
names from one address, then a name from anywhere; the last one allows so much that nobody at one
address can keep somebody out who comes from another.
"""

from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address

from monitor.model import digest
from monitor.store.access import users
from monitor.store.database import Connection

#: Failures that count, and how many there may be in that time.
WINDOW = timedelta(minutes=15)
OF_BOTH = 5
OF_AN_ADDRESS = 30
OF_A_NAME = 100
_NETWORK = 64


def subjects(name: str, address: str) -> dict[str, int]:
    """What a failure is written under, and how many each may have.

    Digests, because a name could be written so that it looks like another with an address.
    """
    name, address = name.casefold()[:200], place(address)
    return {
        digest(["both", name, address]): OF_BOTH,
        digest(["address", address]): OF_AN_ADDRESS,
        digest(["name", name]): OF_A_NAME,
    }


def place(address: str) -> str:
    """What counts as one address: of IPv6 its network, which is given to one customer."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:100]
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> _NETWORK << _NETWORK)}/{_NETWORK}"


def wait(connection: Connection, name: str, address: str, now: datetime) -> int:
    """Seconds until the next login may be tried; 0 where it may be now."""
    most = subjects(name, address)
    return max(_wait(connection, subject, number, now) for subject, number in most.items())


def fail(connection: Connection, name: str, address: str, now: datetime) -> None:
    """Write down that a login failed."""
    users.record_failure(connection, subjects(name, address), now, WINDOW)


def forgive(connection: Connection, name: str, address: str) -> None:
    """Forget failures of a name at an address where a login did not fail.

    What failed there under other names counts on: who knows one password could guess at others.
    """
    both, _, _ = subjects(name, address)
    users.forget_failures(connection, both)


def _wait(connection: Connection, subject: str, most: int, now: datetime) -> int:
    failed = users.list_failures(connection, subject, now - WINDOW)
    if len(failed) < most:
        return 0
    return max(1, int((failed[-most] + WINDOW - now).total_seconds()) + 1)
