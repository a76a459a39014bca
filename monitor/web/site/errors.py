"""What can be wrong with a request, and how it is said: a page for people, JSON for programs."""

from http import HTTPStatus
from typing import Any

from pydantic import BaseModel


class Refused(Exception):
    """A request that cannot be answered as it is; the words are for whoever asked."""

    status = HTTPStatus.BAD_REQUEST

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class LoginNeeded(Refused):
    """Nobody in particular asks, and that is not enough."""

    status = HTTPStatus.UNAUTHORIZED


class Forbidden(Refused):
    """Whoever asks may not."""

    status = HTTPStatus.FORBIDDEN


class Missing(Refused):
    """There is no such thing, or the visitor is not to know of it."""

    status = HTTPStatus.NOT_FOUND


class TooMany(Refused):
    """Asked too often."""

    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, detail: str, seconds: int) -> None:
        super().__init__(detail)
        self.seconds = seconds


class Busy(TooMany):
    """Too many ask for it at the same time."""

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
    """What the API says where it cannot answer."""

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
