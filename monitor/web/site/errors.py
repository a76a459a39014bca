"""Errors of requests, shown as a page to people and as JSON to programs."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from pydantic import BaseModel

from monitor.stages.document.notation import visible


class Refused(Exception):
    """A request that cannot be answered; its message is shown to the visitor."""

    status = HTTPStatus.BAD_REQUEST


class LoginNeeded(Refused):
    """The visitor has to log in."""

    status = HTTPStatus.UNAUTHORIZED


class Forbidden(Refused):
    """The visitor lacks a permission."""

    status = HTTPStatus.FORBIDDEN


class Missing(Refused):
    """The object does not exist, or the visitor may not know of it."""

    status = HTTPStatus.NOT_FOUND


class TooMany(Refused):
    """Too many requests."""

    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, detail: str, seconds: int) -> None:
        super().__init__(detail)
        self.seconds = seconds


class Busy(TooMany):
    """Too many requests for the same thing at the same time."""

    status = HTTPStatus.SERVICE_UNAVAILABLE


#: Headings of error pages, by the status of the answer.
_TITLES = {
    HTTPStatus.BAD_REQUEST: "Invalid request",
    HTTPStatus.UNAUTHORIZED: "Log in to continue",
    HTTPStatus.FORBIDDEN: "You do not have access",
    HTTPStatus.NOT_FOUND: "Page not found",
    HTTPStatus.METHOD_NOT_ALLOWED: "Invalid request",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Invalid request",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Internal error",
    HTTPStatus.SERVICE_UNAVAILABLE: "Not available now",
}
#: Statuses of errors that may be gone when the same page is asked for again.
TEMPORARY = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})


def find_title(status: int) -> str:
    """Return the heading of the page of an error."""
    return _TITLES.get(HTTPStatus(status), HTTPStatus(status).phrase)


#: What a first part of an address has numbers of, and the list of them: its path and title.
_NUMBERED = {
    "series": ("series", "/series", "All series"),
    "changes": ("change", "/changes", "All changes"),
    "runs": ("run", "/runs", "All runs"),
    "points": ("value", "/series", "All series"),
    "evidence": ("answer", "/runs", "All runs"),
}
#: Rules that a parameter breaks, by the names that pydantic has for them.
_RULES = {
    "bool_parsing": "must be true or false",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be one of {expected}",
    "missing": "is missing",
    "string_pattern_mismatch": "has characters that are not allowed",
    "string_too_long": "must have at most {max_length} characters",
    "value_error": "{error}",
}
_LONGEST = 60


def find_list(path: str) -> tuple[str, str]:
    """Return path and title of the list of what an address names by number; empty if none."""
    _, address, title = _find_numbered(path)
    return address, title


def _find_numbered(path: str) -> tuple[str, str, str]:
    """Return what an address names by number, and path and title of their list; empty if none."""
    return _NUMBERED.get(path.strip("/").split("/")[0], ("", "", ""))


def say_faults(path: str, faults: Sequence[Mapping[str, Any]]) -> str:
    """Return which parameters of a request break which rule: what they must be, and what they are.

    Values of forms are not repeated: they may be secret.
    """
    return "; ".join(dict.fromkeys(_say_fault(path, fault) for fault in faults))


def _say_fault(path: str, fault: Mapping[str, Any]) -> str:
    place, *names = [str(part) for part in fault["loc"]]
    name = ".".join(names) or place
    if place == "path":
        noun = _find_numbered(path)[0] if name == "number" else name
        name = f"the number of a {noun}" if noun else "the number in the address"
    rule = _RULES.get(fault["type"])
    said = rule.format(**fault.get("ctx", {})) if rule else fault["msg"]
    value = visible(str(fault.get("input", "")))
    value = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
    is_shown = place in ("path", "query") and value and fault["type"] != "missing"
    return f"{name} {said}{f', not “{value}”' if is_shown else ''}"


class Problem(BaseModel):
    """Error message of the API."""

    detail: str


#: Answers that every route of the API may give, for the OpenAPI document.
ANSWERS: dict[int | str, dict[str, Any]] = {
    status.value: {"model": Problem, "description": status.phrase}
    for status in (
        HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN,
        HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.SERVICE_UNAVAILABLE,
    )
}  # fmt: skip
