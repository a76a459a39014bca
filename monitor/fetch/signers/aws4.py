"""Amazon's Signature Version 4, made by botocore's own signer. The argument is service/region."""

import os
from collections.abc import Mapping

from monitor.fetch.secrets import key_value
from monitor.model import HttpRequest, MissingPart

_SECRETS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
_TOKEN = "AWS_SESSION_TOKEN"  # noqa: S105 - the name of a variable
#: Identifiers of temporary keys begin so.
_TEMPORARY = "ASIA"
_HINT = "install it with: pip install 'gbmonitor[amazon]'"


def check(argument: str) -> None:  # noqa: ARG001 - every signer has this shape
    """Raise MissingPart unless the library and the keys are here.

    Temporary keys need the token that came with them.
    """
    _credentials_class()
    for name in _SECRETS:
        key_value(name)
    if key_value(_SECRETS[0]).startswith(_TEMPORARY):
        key_value(_TOKEN)


def _credentials_class() -> type:
    try:
        from botocore.credentials import Credentials  # noqa: PLC0415 - optional library
    except ImportError as error:
        raise MissingPart(f"the library botocore is not installed; {_HINT}") from error
    credentials_class: type = Credentials
    return credentials_class


def sign(
    argument: str, request: HttpRequest, headers: Mapping[str, str], body: bytes
) -> tuple[dict[str, str], dict[str, str]]:
    """The headers that prove who asks. Raises MissingPart."""
    credentials_class = _credentials_class()
    from botocore.auth import SigV4Auth  # noqa: PLC0415 - optional library
    from botocore.awsrequest import AWSRequest  # noqa: PLC0415

    service, _, region = argument.partition("/")
    token = os.environ.get(_TOKEN, "").strip() or None
    key, secret = (key_value(name) for name in _SECRETS)
    signed = AWSRequest(request.method, request.url, headers=dict(headers), data=body)
    SigV4Auth(credentials_class(key, secret, token), service, region).add_auth(signed)
    added = {name: text for name, text in signed.headers.items() if name not in headers}
    hidden = {_SECRETS[0]: key, _SECRETS[1]: secret}
    return added, hidden | ({_TOKEN: token} if token else {})
