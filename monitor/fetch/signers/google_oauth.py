"""Google's OAuth tokens for service accounts, by google-auth. The argument is the project.

The credentials are found as Google's own libraries find them: GOOGLE_APPLICATION_CREDENTIALS
names a file. A token is fetched when the last one has run out.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from monitor.model import HttpRequest, MissingPart

_SCOPE = "https://www.googleapis.com/auth/cloud-translation"
_HINT = "install it with: pip install 'gbmonitor[google]'"


@cache
def _load_credentials() -> Any:  # noqa: ANN401 - of an optional library
    try:
        import google.auth.transport.requests  # noqa: PLC0415 - optional library
    except ImportError as error:
        raise MissingPart(f"the library google-auth[requests] is not there; {_HINT}") from error
    try:
        credentials, _project = google.auth.default(scopes=[_SCOPE])
    except google.auth.exceptions.DefaultCredentialsError as error:
        words = str(error).split(". ")[0]
        raise MissingPart(
            f"no Google credentials: {words}; set GOOGLE_APPLICATION_CREDENTIALS"
        ) from error
    return credentials


def check(argument: str) -> None:  # noqa: ARG001 - every signer has this shape
    """Raise MissingPart unless library and credentials are here."""
    _load_credentials()


def sign(
    argument: str,
    request: HttpRequest,  # noqa: ARG001
    headers: Mapping[str, str],  # noqa: ARG001
    body: bytes,  # noqa: ARG001
) -> tuple[dict[str, str], dict[str, str]]:
    """A bearer token and the project that pays.

    Raises MissingPart when no token is given, ConnectionError when nobody is there to give one.
    """
    credentials = _load_credentials()
    if not credentials.valid:
        from google.auth.exceptions import (  # noqa: PLC0415 - optional library
            GoogleAuthError,
            TransportError,
        )
        from google.auth.transport.requests import Request  # noqa: PLC0415

        try:
            credentials.refresh(Request())
        except TransportError as error:
            raise ConnectionError(f"Google's token server cannot be reached: {error}") from error
        except GoogleAuthError as error:
            raise MissingPart(f"Google gives no token: {type(error).__name__}") from error
    token = str(credentials.token)
    return {"Authorization": f"Bearer {token}", "x-goog-user-project": argument}, {"token": token}
