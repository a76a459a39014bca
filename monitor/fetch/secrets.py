"""Keys of services, by the name of an environment variable: filled in last, taken out again.

No record, row, log line or message ever holds the value of a key; an answer that repeats it is
kept with the name in its place. `stages.collect.requests.describe_request` says what is kept of a
request.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlencode

from monitor.model import HttpRequest, MissingPart
from monitor.text.spelling import SpelledText

#: What is shorter cannot be told from ordinary text, and would not be a key.
_SHORTEST = 6
_NAMED = re.compile(r"secret:([A-Za-z_][A-Za-z0-9_]*)")


def key_names(request: HttpRequest) -> tuple[str, ...]:
    """The environment variables that a request needs, each once."""
    names = [name for _, value in request.headers for name in _NAMED.findall(value)]
    names += [name for _, name in (*request.body_secrets, *request.query_secrets)]
    return tuple(dict.fromkeys(names))


def key_value(name: str) -> str:
    """The key of this name. Raises MissingPart when it is not set, and never shows it."""
    key = os.environ.get(name, "").strip()
    if not key:
        raise MissingPart(_say_unset([name]))
    if not key.isprintable() or not key.isascii():
        raise MissingPart(f"the environment variable {name} holds what cannot be a key")
    return key


def check_keys(names: Iterable[str]) -> None:
    """Raise MissingPart unless all keys of these names are usable; the message names each fault."""
    unset, faults = [], []
    for name in dict.fromkeys(names):
        if not os.environ.get(name, "").strip():
            unset.append(name)
            continue
        try:
            key_value(name)
        except MissingPart as error:
            faults.append(str(error))
    if unset:
        faults.insert(0, _say_unset(unset))
    if faults:
        raise MissingPart("; ".join(faults))


def _say_unset(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"the environment variable {names[0]} is not set; put the service's key there"
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"the environment variables {listed} are not set; put the service's keys there"


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


class Scrubber:
    """Takes the values of keys out of what came back."""

    def __init__(self, wanted: Iterable[str], extra: Mapping[str, str] | None = None) -> None:
        """`wanted` are names of variables, `extra` further {name: value} such as a token."""
        values = {name: os.environ.get(name, "").strip() for name in wanted} | dict(extra or {})
        self._values = {text: name for name, text in values.items() if len(text) >= _SHORTEST}

    def scrub_text(self, text: str) -> str:
        """The text without keys, in whatever way their characters are written."""
        spelled = SpelledText(text) if self._values else None
        spans = [
            (start, -end, name)
            for value, name in self._values.items()
            for start, end in (spelled.find_spellings(value) if spelled else ())
        ]
        pieces, position = [], 0
        for start, negative_end, name in sorted(spans):  # of two that begin alike the longer one
            if start >= position:
                pieces += [text[position:start], f"[{name}]"]
            position = max(position, -negative_end)
        return "".join([*pieces, text[position:]])

    def scrub_body(self, body: bytes) -> bytes:
        """The body without keys; the same object where there are none in it."""
        text = body.decode("latin-1")
        scrubbed = self.scrub_text(text)
        return body if scrubbed == text else scrubbed.encode("latin-1")
