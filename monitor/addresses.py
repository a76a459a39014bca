"""Addresses of services: their hosts, and which of them never leave one's own network."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

#: Addresses that are never routed to another network. `is_private` of the standard library also
#: holds for documentation ranges and for every IPv4 address that is written as IPv6.
_OWN_NETWORKS = tuple(
    ip_network(network)
    for network in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
        "::1/128", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip


def is_near(url: str) -> bool:
    """Return whether an address is in this machine, or a literal private address.

    Names are not looked up, because what they stand for may change after this was asked.
    """
    host = parse_host(url)
    try:
        ip: IPv4Address | IPv6Address = ip_address(host)
    except ValueError:
        return host == "localhost" or (host.endswith(".localhost") and "{" not in host)
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return any(ip in network for network in _OWN_NETWORKS)


def is_web(url: str) -> bool:
    """Return whether a link leads to the web."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def parse_host(url: str) -> str:
    """Return the host of an address; empty where programs may read different ones out of it."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return ""
    doubtful = "@" in parts.netloc or "\\" in url or url != "".join(url.split())
    return "" if doubtful else host
