"""Pages that results lead to: an answer over HTTP in, what became of the page out."""

import re
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urldefrag, urljoin, urlsplit

from monitor.faults import is_page
from monitor.model import Answer, Outcome, Reason
from monitor.text.landing import HTML, PLAIN, media_type

_LONGEST_URL = 4_000
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_WALLS = frozenset({401, 403, 451})
_THROTTLED = frozenset({429, 503})
_FIRST_SERVER_ERROR = 500
_FIRST_ERROR = 400
_SUCCESSES = range(200, 300)
#: Names that mean something within a network only, and numbers in spellings that hide an address.
_LOCAL_NAME = re.compile(r"(?:.*\.)?(?:localhost|local|internal|intranet|lan|home\.arpa)|[^.:]*")
_HIDDEN_ADDRESS = re.compile(r"(?:.*\.)?(?:0[xX][0-9a-fA-F]*|\d+)")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")


@dataclass(frozen=True, slots=True)
class LandedPage:
    """What a result leads to. `text` is None unless it could be read, and never empty.

    `asked_at` is when it was asked for, or when it was decided not to. `redirects` are the
    addresses that led to `final_url`, the given one first. `body` is empty for what is no page.
    """

    outcome: Outcome
    asked_at: datetime
    took: float
    reason: Reason = Reason.NONE
    detail: str = ""
    status: int | None = None
    final_url: str = ""
    content_type: str = ""
    body: bytes = b""
    text: str | None = None
    extractor: str = ""
    redirects: tuple[str, ...] = ()
    egress: str = ""


def host_of(url: str) -> str:
    """The host of an address that has no fault."""
    return (urlsplit(url).hostname or "").rstrip(".")


def site_of(url: str) -> str:
    """Whose robots.txt counts for an address: its scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def fault_of(url: str, *, loopback: bool) -> str:
    """Why an address is not asked, in a few words, or an empty string."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        return f"no address: {error}"
    if parts.scheme not in ("http", "https") or not host:
        return "no address of the web"
    if len(url) > _LONGEST_URL or not url.isprintable() or " " in url:
        return f"no address: at most {_LONGEST_URL:,} characters without blanks"
    if parts.username is not None or parts.password is not None:
        return "has a user name in it"
    if not loopback and _LOCAL_NAME.fullmatch(host.rstrip(".").lower()):
        return f"{host} is no name of the internet"
    if _HIDDEN_ADDRESS.fullmatch(host.rstrip(".")) and not _ADDRESS.fullmatch(host):
        return f"{host} is an address in disguise"
    return ""


def plain(url: str) -> str:
    """An address without what only browsers use: the part behind #."""
    return urldefrag(url.strip()).url


def header(answer: Answer, name: str) -> str:
    """A header of an answer; empty where it has none."""
    return dict(answer.headers).get(name, "")


def leads_to(url: str, answer: Answer) -> str:
    """Where a redirection leads to; empty for what is none."""
    location = header(answer, "location")
    if answer.status not in _REDIRECTS or not location:
        return ""
    try:
        return plain(urljoin(url, location))
    except ValueError:
        return location


def has_come(answer: Answer) -> bool:
    """Whether an answer is whole. One out of a cache is as good as another, for a page."""
    return answer.outcome is Outcome.OK or answer.reason is Reason.STALE


def judged(answer: Answer) -> tuple[Outcome, Reason, str]:
    """What an answer that leads nowhere else says of its page."""
    if not has_come(answer):
        return answer.outcome, answer.reason, answer.detail
    status = answer.status or 0
    if status in _SUCCESSES:
        return _content(answer)
    said = f"HTTP {status}"
    if status in _WALLS:
        return Outcome.BLOCKED, Reason.NONE, said
    if status in _THROTTLED:
        return Outcome.THROTTLED, Reason.RATE, said
    if _FIRST_ERROR <= status < _FIRST_SERVER_ERROR:
        return Outcome.FAILED, Reason.REFUSED, said
    return Outcome.FAILED, Reason.NONE, said


def _content(answer: Answer) -> tuple[Outcome, Reason, str]:
    kind = media_type(header(answer, "content-type"))
    if not kind and is_page(answer):
        return Outcome.OK, Reason.NONE, ""
    if kind not in (HTML, PLAIN):
        return Outcome.UNREADABLE, Reason.UNSUPPORTED, f"content is {kind[:60] or 'not said'}"
    if not answer.body.strip():
        return Outcome.UNREADABLE, Reason.NONE, "nothing came"
    return Outcome.OK, Reason.NONE, ""


def asks_for_rest(answer: Answer) -> bool:
    """Whether a site says that it was asked too often, or is too busy."""
    return answer.status in _THROTTLED
