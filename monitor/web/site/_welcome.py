"""What an operator is told when the pages are up: who may come in, how, and by which names."""

from monitor.store.access import users
from monitor.web.site._site import Entry, Network, Site

_ADD = "monitor users add NAME --role viewer"
#: {(who may come in, whether there are users): words}.
_WHO = {
    (Entry.LOCAL, False): f"everybody at this machine reads, until there are users ({_ADD})",
    (Entry.LOCAL, True): "users log in, at this machine alone",
    (Entry.LOGIN, False): f"nobody can come in until there are users ({_ADD})",
    (Entry.LOGIN, True): "users log in",
    (Entry.PUBLIC, False): "everybody reads what is not under embargo",
    (Entry.PUBLIC, True): "everybody reads what is not under embargo; users log in for more",
}


def welcome(site: Site) -> str:
    """One line."""
    access = site.access
    with site.database.read() as connection:
        has_users = users.has_users(connection)
    proxies = ", ".join(map(_short, access.proxies))
    through = f"; only through the proxy {proxies}" if proxies else ""
    names = ", ".join(sorted(access.hosts))
    who = _WHO[access.entry, has_users]
    return f"{who}{through}; under the names {names} (--name adds one). Ctrl-C ends it"


def _short(network: Network) -> str:
    """A network as it is written; one of a single address as that address."""
    return str(network if network.num_addresses > 1 else network.network_address)
