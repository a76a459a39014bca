"""Keys of services, by the name of an environment variable: filled in last, taken out again.

No record, row, log line or message ever holds the value of a key; an answer that repeats it is
kept with the name in its place.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from monitor.model import HttpRequest, MissingPart

_NAMED = re.compile(r"secret:([A-Za-z_][A-Za-z0-9_]*)")
_PERCENT = re.compile("%[0-9A-F]{2}")
#: What is shorter cannot be told from ordinary text, and would not be a key.
_SHORTEST = 6


def names(request: HttpRequest) -> tuple[str, ...]:
    """The environment variables that a request needs, each once."""
    found = [name for _, value in request.headers for name in _NAMED.findall(value)]
    found += [name for _, name in request.body_secrets]
    return tuple(dict.fromkeys(found))


def value(name: str) -> str:
    """The key of this name. Raises MissingPart when it is not set, and never shows it."""
    found = os.environ.get(name, "").strip()
    if not found:
        raise MissingPart(
            f"the environment variable {name} is not set; put the service's key there"
        )
    if not found.isprintable() or not found.isascii():
        raise MissingPart(f"the environment variable {name} holds what cannot be a key")
    return found


def filled(request: HttpRequest) -> tuple[dict[str, str], bytes]:
    """(headers, body) with the keys in place. Raises MissingPart."""
    headers = {
        name: _NAMED.sub(lambda match: value(match[1]), text) for name, text in request.headers
    }
    if not request.body_secrets:
        return headers, request.body
    body = json.loads(request.body)
    body |= {key: value(name) for key, name in request.body_secrets}
    return headers, json.dumps(body, ensure_ascii=False).encode()


def _forms(text: str) -> set[str]:
    """A key as it stands in texts, addresses and JSON (PHP escapes the slash too)."""
    quoted, escaped = quote(text, safe=""), json.dumps(text)[1:-1]
    lower = _PERCENT.sub(lambda match: match[0].lower(), quoted)
    return {text, quoted, lower, escaped, escaped.replace("/", "\\/")}


class Scrubber:
    """Takes the values of keys out of what came back."""

    def __init__(self, wanted: Iterable[str], extra: Mapping[str, str] | None = None) -> None:
        """`wanted` are names of variables, `extra` further {name: value} such as a token."""
        known = {name: os.environ.get(name, "").strip() for name in wanted} | dict(extra or {})
        forms = {
            form: f"[{name}]"
            for name, text in known.items()
            if len(text) >= _SHORTEST
            for form in _forms(text)
        }
        # the longest first, so that a key that another one begins with leaves no rest of that
        self._forms = sorted(forms.items(), key=lambda pair: len(pair[0]), reverse=True)

    def text(self, text: str) -> str:
        """The text without keys."""
        for form, name in self._forms:
            text = text.replace(form, name)
        return text

    def body(self, body: bytes) -> bytes:
        """The body without keys; the same object where there are none in it."""
        for form, name in self._forms:
            body = body.replace(form.encode(), name.encode())
        return body
