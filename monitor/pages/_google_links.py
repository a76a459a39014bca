"""Where a link on a page of Google leads: redirects resolved, Google's own pages left out."""

import re
from urllib.parse import SplitResult, unquote, urlsplit

from monitor.pages._html import Document, absolute

_BASE = "https://www.google.com/"
_HOST = re.compile(r"(?:^|\.)google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$")
#: Addresses that lead on to the one in their query.
_REDIRECTS = frozenset({"/url", "/m/url", "/interstitial", "/gwt/x", "/gwt/n", "/local_url"})
_TARGETS = ("q", "url", "u")
_AMP = "/amp/s/"
#: Google's own pages of results, in whatever service.
_RESULTS = frozenset(
    {"/search", "/m/search", "/images", "/imgres", "/imghp", "/webhp", "/videosearch"}
    | {"/blogsearch", "/products", "/aclk", "/advanced_search", "/setprefs", "/preferences"}
)
#: Parameters of links from a box of pictures, news, videos or papers to all of them.
_BOX = re.compile(r"(?:^|&)(?:um=1|oi=\w+|source=univ|tbm=\w+)(?:&|$)")
#: Google's services as links from boxes; without a question they are results like others.
_SERVICE = re.compile(r"/(?:travel|maps|flights|shopping|local|hotels)(?:/|$)")
_QUESTION = re.compile(r"(?:^|&)(?:q|ved|sa)=")
#: The source that links in a box of posts name.
_POSTS = re.compile(r"[?&]ref_src=twsrc(?:%5E|\^)google(?:%7C|\|)twcamp", re.IGNORECASE)
_ADVERT = re.compile(
    r"^https?://[^/]*(?:google|doubleclick)[^/]*/(?:(?:pagead/|dbm/)?aclk\b|url\?(?:.*&)?sa=[lL]&)"
)
_ADVERT_TARGET = re.compile(r"[?&](?:adurl|q)=(https?[^&]+)")
_CHAIN = 3


def is_own(host: str) -> bool:
    """Whether a host is Google's, in any country."""
    return _HOST.search(host) is not None


def base(document: Document) -> str:
    """What relative links are relative to; saved pages have lost it."""
    return document.url if is_own(document.host) else _BASE


def target(href: str | None, document: Document) -> str:
    """The page outside the search that a link leads to; empty where there is none."""
    address = whole(href, document)
    relative = not (href or "").strip().lower().startswith(("http:", "https:", "//"))
    for _ in range(_CHAIN):
        inner = _inner(address)
        if inner is None:
            break
        address, relative = absolute(inner, ""), False
    else:
        return ""  # redirects to redirects
    return "" if relative or _is_box(address) else address


def whole(href: str | None, document: Document) -> str:
    """A link as a whole address, spelt as it is where it is one; empty where it is none."""
    given = (href or "").strip()
    if not given or not absolute(given, base(document)):
        return ""
    return given if given.startswith(("http://", "https://")) else absolute(given, base(document))


def is_advert(href: str | None, document: Document) -> bool:
    """Whether a link counts a click on an advertisement."""
    return _ADVERT.match(whole(href, document)) is not None


def advertised(href: str | None, document: Document) -> str:
    """The page that an advertisement leads to; its counter where that does not tell."""
    address = whole(href, document)
    if is_advert(href, document) and (found := _ADVERT_TARGET.search(address)):
        return unquote(found[1])
    return target(href, document) or address


def _split(address: str) -> SplitResult | None:
    """The parts of an address of Google's that `absolute` let pass; None of other ones."""
    parts = urlsplit(address)
    return parts if is_own((parts.hostname or "").lower()) else None


def _inner(address: str) -> str | None:
    """Where a redirect of Google leads; None where the address is none."""
    parts = _split(address)
    if parts is None:
        return None
    if parts.path.startswith(_AMP):
        return f"https://{parts.path.removeprefix(_AMP)}"
    if parts.path not in _REDIRECTS:
        return None
    given = dict(pair.partition("=")[::2] for pair in parts.query.split("&"))
    # Not `parse_qs`: it reads a plus sign in an address as a blank.
    found = (unquote(given.get(name, "")) for name in _TARGETS)
    return next((url for url in found if url.startswith(("http://", "https://"))), "")


def _is_box(address: str) -> bool:
    """Whether an address is one that only Google's own pages and boxes lead to."""
    parts = _split(address)
    if parts is None:
        return not address or _POSTS.search(address) is not None
    if parts.path.rstrip("/") in _RESULTS or _BOX.search(parts.query):
        return True
    return bool(_SERVICE.match(parts.path) and _QUESTION.search(parts.query))
