"""Engines behind HTTP: base addresses, JSON in and out, faults by status."""

import ipaddress
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from monitor.model import Answer, Fault, HttpRequest, Json, Parameter, Trouble

_JSON = ("Content-Type", "application/json")
_MOST_WORDS = 500

#: The fault of a status where a service documents no other; 5xx are transient.
_BY_STATUS = {
    401: Fault.AUTH,
    402: Fault.QUOTA,
    403: Fault.AUTH,
    404: Fault.BAD_REQUEST,
    408: Fault.TRANSIENT,
    425: Fault.TRANSIENT,
    429: Fault.RATE,
    451: Fault.BLOCKED,
}
_FIRST_REDIRECT, _FIRST_REFUSAL, _FIRST_TRANSIENT = 300, 400, 500


def base_url(default: str = "") -> Parameter:
    """The parameter that says where the service is; another place is another system."""
    meaning = "address of the service, without a path that belongs to the request"
    return Parameter("base_url", meaning, default=default or None, required=not default)


def key_name(default: str, name: str = "key") -> Parameter:
    """The parameter that names the environment variable with the key. The key is no part of it."""
    meaning = f"environment variable that holds the key; {default} if left out"
    return Parameter(name, meaning, default=default, place=True, variable=True)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def url_fault(url: str, *, secret: bool) -> str:
    """Return why an address is refused: no web address, a key in it, or a key without TLS."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port  # raises where it is no number
    except ValueError as error:
        return f"config: base_url = {url!r}: {error}"
    if parts.scheme not in ("http", "https") or not host:
        return f"config: base_url = {url!r}: must begin with https:// or http://"
    if url != "".join(url.split()):
        return f"config: base_url = {url!r}: must hold no blank"
    if parts.username or parts.password or parts.query or parts.fragment:
        return "config: base_url: must hold no name, password, query or fragment"
    if secret and parts.scheme == "http" and not _is_loopback(host):
        return f"config: base_url = {url!r}: a key goes over https only (or to this machine)"
    return ""


def join_path(base: Json, path: str) -> str:
    """The address of `path` under the base address, whether or not that ends with a slash."""
    return f"{str(base).rstrip('/')}/{path.lstrip('/')}"


def post_json(
    url: str,
    content: Json,
    headers: Sequence[tuple[str, str]] = (),
    body_secrets: Sequence[tuple[str, str]] = (),
) -> HttpRequest:
    """A POST of JSON."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return HttpRequest("POST", url, (_JSON, *headers), body, tuple(body_secrets))


def make_get(url: str, headers: Sequence[tuple[str, str]] = ()) -> HttpRequest:
    """A GET without a body."""
    return HttpRequest("GET", url, tuple(headers))


def read_column(answer: Answer, path: Sequence[str], field: str, condition: str = "") -> set[str]:
    """Return `field` of each row of the list at `path` in the JSON of an answer.

    With a condition, rows count only where that field of theirs is true. Raises ValueError for JSON
    of another shape and for a list without one value.
    """
    rows = value_at(read_content(answer), *path)
    if not isinstance(rows, list):
        raise ValueError(f"no list at {'.'.join(path) or 'the top'}")  # noqa: TRY004 - of the answer
    chosen_rows = [row for row in rows if not condition or value_at(row, condition)]
    values = {value for row in chosen_rows if isinstance(value := value_at(row, field), str)} - {""}
    if not values:
        raise ValueError(f"no {field} in it")
    return values


def read_content(answer: Answer) -> Json:
    """The JSON of an answer. Raises ValueError (also for JSON that is nested without end)."""
    try:
        content: Json = json.loads(answer.body)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return content


def read_json(answer: Answer) -> Json:
    """The JSON of an answer; None where there is none."""
    try:
        return read_content(answer)
    except ValueError:
        return None


def value_at(value: object, *path: str) -> Json:
    """Return what stands at `path` in objects within each other; None where nothing does."""
    inner: Any = value
    for key in path:
        inner = inner.get(key) if isinstance(inner, dict) else None
    found: Json = inner
    return found


def object_at(value: object, *path: str) -> dict[str, Json]:
    """Return the object at `path`; an empty one where there is none."""
    inner = value_at(value, *path)
    return inner if isinstance(inner, dict) else {}


def list_at(value: object, *path: str) -> list[Json] | None:
    """Return the list at `path`; None where there is none."""
    inner = value_at(value, *path)
    return inner if isinstance(inner, list) else None


def whole_at(value: object, *path: str) -> int | None:
    """Return the whole number at `path`; None where there is none."""
    inner = value_at(value, *path)
    return inner if isinstance(inner, int) and not isinstance(inner, bool) else None


def read_object(answer: Answer) -> dict[str, Json]:
    """The JSON object of an answer; an empty one where there is none."""
    return object_at(read_json(answer))


def service_words(answer: Answer, *path: str) -> str:
    """The service's own words: what stands at `path` in its JSON, else the whole text."""
    words = value_at(read_json(answer), *path)
    if isinstance(words, str) and words.strip():
        return words
    return answer.body[:_MOST_WORDS].decode("utf-8", "replace").strip() or f"HTTP {answer.status}"


def by_status(answer: Answer, said: str) -> Trouble | None:
    """The trouble of a status, in the service's words; None for a success.

    A redirect is a wrong address: it would carry the question, and the key, to somebody else.
    """
    status = answer.status or 0
    if status < _FIRST_REDIRECT:
        return None
    if status < _FIRST_REFUSAL:
        where = {name.lower(): text for name, text in answer.headers}.get("location", "elsewhere")
        remedy = "redirects are not followed: set base_url to where the service is"
        return Trouble(Fault.BAD_REQUEST, f"HTTP {status}: redirected to {where}; {remedy}: {said}")
    default = Fault.TRANSIENT if status >= _FIRST_TRANSIENT else Fault.BAD_REQUEST
    return Trouble(_BY_STATUS.get(status, default), f"HTTP {status}: {said}")
