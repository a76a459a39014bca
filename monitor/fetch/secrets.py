"""Keys of services, by the name of an environment variable: filled in last, taken out again.

No record, row, log line or message ever holds the value of a key; an answer that repeats it is
kept with the name in its place. `stages.collect.requests.describe_request` says what is kept of a
request.

Services that need more than a key in a header are asked with a signature.

A request names its signer as `name:argument`:

- `aws4:SERVICE/REGION`: Amazon's Signature Version 4, made by botocore's own signer.
- `basic:LOGIN_VARIABLE/PASSWORD_VARIABLE`: basic authentication (RFC 7617). The service sees both
  in base 64, as one value that is as secret as its parts.
- `google_oauth:PROJECT`: Google's tokens for service accounts, by google-auth, which finds the
  credentials as Google's own libraries do: GOOGLE_APPLICATION_CREDENTIALS names a file. A token is
  fetched when the last one has run out.
"""

import base64
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from monitor.model import HttpRequest, MissingPart
from monitor.text.spelling import SpelledText

#: What is shorter cannot be told from ordinary text, and would not be a key.
_SHORTEST = 6
_MOST_PASSES = 4
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
    return add_query(request.url, [(key, key_value(name)) for key, name in request.query_secrets])


def add_query(url: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Return an address with these parameters after those that it has."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode(pairs)}" if pairs else url


class Scrubber:
    """Takes the values of keys out of what came back."""

    def __init__(self, wanted: Iterable[str], extra: Mapping[str, str] | None = None) -> None:
        """`wanted` are names of variables, `extra` further {name: value} such as a token."""
        values = {name: os.environ.get(name, "").strip() for name in wanted} | dict(extra or {})
        self._values = {text: name for name, text in values.items() if len(text) >= _SHORTEST}

    def scrub_text(self, text: str) -> str:
        """The text without keys, in whatever way their characters are written.

        The last character of one key can look like an escape together with the first ones of
        another, which is found once that one is gone: hence the passes.
        """
        for _ in range(_MOST_PASSES):
            before, text = text, self._scrub_once(text)
            if text == before:
                break
        return text

    def _scrub_once(self, text: str) -> str:
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


_AWS_KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
_AWS_TOKEN = "AWS_SESSION_TOKEN"  # noqa: S105 - the name of a variable
#: Identifiers of temporary keys of Amazon begin so.
_TEMPORARY = "ASIA"
_GOOGLE_SCOPE = "https://www.googleapis.com/auth/cloud-translation"

_Signature = tuple[dict[str, str], dict[str, str]]


class Signer(NamedTuple):
    """A way to prove who asks.

    `check(argument)` raises MissingPart. `sign(argument, request, headers, body)` returns (headers
    to add, secrets to take out of the answer) and raises MissingPart or ConnectionError.
    """

    check: Callable[[str], object]
    sign: Callable[[str, HttpRequest, Mapping[str, str], bytes], _Signature]


def find_signer(name: str) -> tuple[Signer, str]:
    """Return (signer, argument) of `name:argument`."""
    base, _, argument = name.partition(":")
    return _SIGNERS[base], argument


def _check_aws4(_argument: str) -> None:
    """Check the library and the keys; temporary keys need the token that came with them."""
    is_temporary = os.environ.get(_AWS_KEYS[0], "").strip().startswith(_TEMPORARY)
    faults = []
    for check in (
        _aws_credentials_class,
        partial(check_keys, (*_AWS_KEYS, *([_AWS_TOKEN] if is_temporary else []))),
    ):
        try:
            check()
        except MissingPart as error:
            faults.append(str(error))
    if faults:
        raise MissingPart("; ".join(faults))


def _aws_credentials_class() -> type:
    try:
        from botocore.credentials import Credentials  # noqa: PLC0415 - optional library
    except ImportError as error:
        raise MissingPart(
            "the library botocore is not installed; install it with: pip install "
            "'gbmonitor[amazon]'"
        ) from error
    credentials_class: type = Credentials
    return credentials_class


def _sign_aws4(
    argument: str, request: HttpRequest, headers: Mapping[str, str], body: bytes
) -> _Signature:
    credentials_class = _aws_credentials_class()
    from botocore.auth import SigV4Auth  # noqa: PLC0415 - optional library
    from botocore.awsrequest import AWSRequest  # noqa: PLC0415

    service, _, region = argument.partition("/")
    token = os.environ.get(_AWS_TOKEN, "").strip() or None
    key, secret = (key_value(name) for name in _AWS_KEYS)
    signed = AWSRequest(request.method, request.url, headers=dict(headers), data=body)
    SigV4Auth(credentials_class(key, secret, token), service, region).add_auth(signed)
    added = {name: text for name, text in signed.headers.items() if name not in headers}
    hidden = {_AWS_KEYS[0]: key, _AWS_KEYS[1]: secret}
    return added, hidden | ({_AWS_TOKEN: token} if token else {})


def _make_basic(argument: str) -> _Signature:
    names = argument.split("/")
    if len(names) != len(("login", "password")) or not all(names):
        raise MissingPart("the signer basic takes LOGIN_VARIABLE/PASSWORD_VARIABLE")
    check_keys(names)
    login, password = (key_value(name) for name in names)
    if ":" in login:
        raise MissingPart(f"the environment variable {names[0]} holds a colon: no login has one")
    encoded = base64.b64encode(f"{login}:{password}".encode()).decode()
    # a service may repeat it without the signs that only fill it up
    hidden = {names[0]: login, names[1]: password, ":".join(names): encoded.rstrip("=")}
    return {"Authorization": f"Basic {encoded}"}, hidden


@cache
def _google_credentials() -> Any:  # noqa: ANN401 - of an optional library
    try:
        import google.auth.transport.requests  # noqa: PLC0415 - optional library
    except ImportError as error:
        raise MissingPart(
            "the library google-auth[requests] is not there; install it with: pip install "
            "'gbmonitor[google]'"
        ) from error
    try:
        credentials, _project = google.auth.default(scopes=[_GOOGLE_SCOPE])
    except google.auth.exceptions.DefaultCredentialsError as error:
        words = str(error).split(". ")[0]
        raise MissingPart(
            f"no Google credentials: {words}; set GOOGLE_APPLICATION_CREDENTIALS"
        ) from error
    return credentials


def _make_google(project: str) -> _Signature:
    """A bearer token and the project that pays.

    Raises MissingPart when no token is given, ConnectionError when nobody is there to give one.
    """
    credentials = _google_credentials()
    if not credentials.valid:
        import google.auth.exceptions as faults  # noqa: PLC0415 - optional library
        from google.auth.transport.requests import Request  # noqa: PLC0415

        try:
            credentials.refresh(Request())
        except faults.TransportError as error:
            raise ConnectionError(f"Google's token server cannot be reached: {error}") from error
        except faults.GoogleAuthError as error:
            raise MissingPart(f"Google gives no token: {type(error).__name__}") from error
    token = str(credentials.token)
    return {"Authorization": f"Bearer {token}", "x-goog-user-project": project}, {"token": token}


_SIGNERS = {
    "aws4": Signer(_check_aws4, _sign_aws4),
    "basic": Signer(_make_basic, lambda argument, *_: _make_basic(argument)),
    "google_oauth": Signer(
        lambda _: _google_credentials(), lambda project, *_: _make_google(project)
    ),
}
