"""Errors of requests, shown as a page to people and as JSON to programs."""

from http import HTTPStatus
from typing import Any

from pydantic import BaseModel


class Refused(Exception):
    """A request that cannot be answered; its message is shown to the visitor."""

    status = HTTPStatus.BAD_REQUEST

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


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
