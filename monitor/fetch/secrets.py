"""Keys of services, by the name of an environment variable: filled in last, taken out again.

No record, row, log line or message ever holds the value of a key; an answer that repeats it is
kept with the name in its place.
"""

import base64
import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from urllib.parse import urlencode

from monitor.model import HttpRequest, MissingPart

_NAMED = re.compile(r"secret:([A-Za-z_][A-Za-z0-9_]*)")
#: What is shorter cannot be told from ordinary text, and would not be a key.
_SHORTEST = 6


def key_names(request: HttpRequest) -> tuple[str, ...]:
    """The environment variables that a request needs, each once."""
    names = [name for _, value in request.headers for name in _NAMED.findall(value)]
    names += [name for _, name in (*request.body_secrets, *request.query_secrets)]
    return tuple(dict.fromkeys(names))


def key_value(name: str) -> str:
    """The key of this name. Raises MissingPart when it is not set, and never shows it."""
    key = os.environ.get(name, "").strip()
    if not key:
        raise MissingPart(
            f"the environment variable {name} is not set; put the service's key there"
        )
    if not key.isprintable() or not key.isascii():
        raise MissingPart(f"the environment variable {name} holds what cannot be a key")
    return key


def fill_keys(request: HttpRequest) -> tuple[dict[str, str], bytes]:
    """(headers, body) with the keys in place. Raises MissingPart."""
    headers = {
        name: _NAMED.sub(lambda match: key_value(match[1]), text) for name, text in request.headers
    }
    if any("secret:" in _NAMED.sub("", text) for _, text in request.headers):
        raise MissingPart("the name of a key's environment variable cannot be one; see `key`")
    if not request.body_secrets:
        return headers, request.body
    body = json.loads(request.body)
    body |= {key: key_value(name) for key, name in request.body_secrets}
    return headers, json.dumps(body, ensure_ascii=False).encode()


def fill_address(request: HttpRequest) -> str:
    """The address to ask, with the keys that go in its query. Raises MissingPart."""
    if not request.query_secrets:
        return request.url
    pairs = urlencode([(key, key_value(name)) for key, name in request.query_secrets])
    return f"{request.url}{'&' if '?' in request.url else '?'}{pairs}"


def _character_pattern(character: str) -> str:
    """A pattern of one character as it may stand in texts, addresses, JSON and HTML."""
    code = ord(character)
    ways = [re.escape(character), rf"(?i:\\u{code:04x})", rf"(?i:%{code:02x})"]
    ways += [rf"&#0*{code};", rf"(?i:&#x0*{code:x};)"]
    ways += [re.escape(escape(character, quote=True))] if character in "&<>\"'" else []
    ways += [re.escape("\\" + character)] if character in "\\/\"'" else []
    return f"(?:{'|'.join(ways)})"


@cache
def _key_pattern(text: str) -> re.Pattern[str]:
    """A key in whatever way each of its characters is written, or as a whole in base 64."""
    coded = base64.b64encode(text.encode()).decode().rstrip("=")
    whole = [re.escape(coded), re.escape(coded.translate(str.maketrans("+/", "-_")))]
    return re.compile("|".join(["".join(map(_character_pattern, text)), *whole]))


class Scrubber:
    """Takes the values of keys out of what came back."""

    def __init__(self, wanted: Iterable[str], extra: Mapping[str, str] | None = None) -> None:
        """`wanted` are names of variables, `extra` further {name: value} such as a token."""
        values = {name: os.environ.get(name, "").strip() for name in wanted} | dict(extra or {})
        # the longest first, so that a key that another one begins with leaves no rest of that
        self._patterns = [
            (_key_pattern(text), f"[{name}]")
            for name, text in sorted(values.items(), key=lambda pair: len(pair[1]), reverse=True)
            if len(text) >= _SHORTEST
        ]

    def scrub_text(self, text: str) -> str:
        """The text without keys."""
        for pattern, name in self._patterns:
            text = pattern.sub(name, text)
        return text

    def scrub_body(self, body: bytes) -> bytes:
        """The body without keys; the same object where there are none in it."""
        text = body.decode("latin-1")
        scrubbed = self.scrub_text(text)
        return body if scrubbed == text else scrubbed.encode("latin-1")
