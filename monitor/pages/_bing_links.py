"""Where a link on a Bing page leads: the redirects of results and ads are undone."""

import base64
import binascii
from urllib.parse import parse_qs, unquote, urlsplit

from monitor.pages._html import absolute

_BASE = "https://www.bing.com/"
#: Path of a redirect, its parameter with the target.
_REDIRECTS = {
    "/ck/a": "u",
    "/ck/ms": "u",
    "/aclick": "u",
    "/aclk": "u",
    "/cr": "r",
    "/alink/link": "url",
}
_MARK = "a1"  # stands before the base64 of /ck/a


def target(href: str | None, base: str = _BASE) -> str:
    """The address that a link leads to; the redirect itself where it cannot be undone."""
    found = absolute(href, base or _BASE)
    if not found:
        return ""
    parts = urlsplit(found)
    host = (parts.hostname or "").lower()
    parameter = _REDIRECTS.get(parts.path)
    if parameter is None or not (host == "bing.com" or host.endswith(".bing.com")):
        return found
    value = parse_qs(parts.query, max_num_fields=100).get(parameter, [""])[0]
    return _decoded(value) or found


def _decoded(value: str) -> str:
    """The address in a redirect's parameter: plain, or base64 with or without its mark."""
    plain = absolute(value, "")
    if plain:
        return plain
    for text in (value.removeprefix(_MARK), value):
        found = _from_base64(text)
        if found:
            return found
    return ""


def _from_base64(text: str) -> str:
    padded = text.replace(" ", "+") + "=" * (-len(text) % 4)
    try:
        body = base64.b64decode(padded.translate(str.maketrans("-_", "+/")), validate=True)
        found = body.decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    if found.startswith("/"):
        return absolute(found, _BASE)
    return absolute(found, "") or absolute(unquote(found), "")
