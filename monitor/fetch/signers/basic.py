"""Basic authentication with a name and a password. The argument names the variable of each.

`basic:LOGIN_VARIABLE/PASSWORD_VARIABLE`; RFC 7617. The service sees both in base 64, as one value
that is as secret as its parts.
"""

import base64
from collections.abc import Mapping

from monitor.fetch.secrets import key_value
from monitor.model import HttpRequest, MissingPart


def check(argument: str) -> None:
    """Raise MissingPart unless both variables are set to what can be sent."""
    _encode_credentials(argument)


def _encode_credentials(argument: str) -> tuple[str, dict[str, str]]:
    """The value that proves who asks, and what is secret in it. Raises MissingPart."""
    names = argument.split("/")
    if len(names) != len(("login", "password")) or not all(names):
        raise MissingPart("the signer basic takes LOGIN_VARIABLE/PASSWORD_VARIABLE")
    login, password = (key_value(name) for name in names)
    if ":" in login:
        raise MissingPart(f"the environment variable {names[0]} holds a colon: no login has one")
    encoded = base64.b64encode(f"{login}:{password}".encode()).decode()
    # a service may repeat it without the signs that only fill it up
    hidden = {names[0]: login, names[1]: password, ":".join(names): encoded.rstrip("=")}
    return encoded, hidden


def sign(
    argument: str,
    request: HttpRequest,  # noqa: ARG001 - every signer has this shape
    headers: Mapping[str, str],  # noqa: ARG001
    body: bytes,  # noqa: ARG001
) -> tuple[dict[str, str], dict[str, str]]:
    """The header that proves who asks. Raises MissingPart."""
    encoded, hidden = _encode_credentials(argument)
    return {"Authorization": f"Basic {encoded}"}, hidden
