"""What becomes of a page that a browser could not open: from Chromium's net errors to outcomes."""

import re

from monitor.model import Outcome, Reason

_NAMED = re.compile(r"net::(ERR_[A-Z0-9_]+)")

#: (outcome, reason, beginnings of Chromium's names); the first that fits.
_TABLE: tuple[tuple[Outcome, Reason, tuple[str, ...]], ...] = (
    (Outcome.TIMEOUT, Reason.NONE, ("ERR_TIMED_OUT", "ERR_CONNECTION_TIMED_OUT")),
    (
        Outcome.FAILED,
        Reason.TRUNCATED,
        (
            "ERR_CONTENT_LENGTH_MISMATCH",
            "ERR_INCOMPLETE_",
            "ERR_CONNECTION_RESET",
            "ERR_CONNECTION_CLOSED",
            "ERR_CONNECTION_ABORTED",
            "ERR_EMPTY_RESPONSE",
            "ERR_HTTP2_",
            "ERR_QUIC_",
        ),
    ),
    # asking again leads round in the same circle, and to the same forbidden place
    (
        Outcome.FAILED,
        Reason.REFUSED,
        (
            "ERR_TOO_MANY_REDIRECTS",
            "ERR_UNSAFE_",
            "ERR_INVALID_URL",
            "ERR_INVALID_REDIRECT",
            "ERR_UNKNOWN_URL_SCHEME",
            "ERR_DISALLOWED_URL_SCHEME",
            "ERR_BLOCKED_BY_",
        ),
    ),
    (
        Outcome.UNREADABLE,
        Reason.MALFORMED,
        ("ERR_CONTENT_DECODING_", "ERR_INVALID_", "ERR_RESPONSE_HEADERS_"),
    ),
    (
        Outcome.FAILED,
        Reason.UNREACHABLE,
        (
            "ERR_NAME_",
            "ERR_DNS_",
            "ERR_ICANN_",
            "ERR_CONNECTION_",
            "ERR_ADDRESS_",
            "ERR_INTERNET_",
            "ERR_NETWORK_",
            "ERR_PROXY_",
            "ERR_TUNNEL_",
            "ERR_SOCKS_",
            "ERR_MANDATORY_PROXY_",
            "ERR_CERT_",
            "ERR_SSL_",
            "ERR_BAD_SSL_",
            "ERR_ECH_",
        ),
    ),
)


def named(words: str) -> str:
    """The net error in what the browser says, `ERR_CONNECTION_REFUSED`; empty without one."""
    found = _NAMED.search(words)
    return found[1] if found else ""


def consequence(name: str) -> tuple[Outcome, Reason]:
    """What a net error means; EXCEPTION for one that is not known here."""
    for outcome, reason, beginnings in _TABLE:
        if name.startswith(beginnings):
            return outcome, reason
    return Outcome.FAILED, Reason.EXCEPTION
