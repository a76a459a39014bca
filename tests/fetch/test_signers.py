"""Signatures against an independent computation, tokens against credentials made here."""

import sys
from datetime import UTC, datetime

import pytest
import time_machine

from monitor.fetch import http, secrets
from monitor.fetch.http import HttpFetcher
from monitor.fetch.secrets import find_signer
from monitor.model import HttpRequest, MissingPart, Outcome, Reason
from tests.standins import Running, serve, sigv4, wire
from tests.standins.wire import json_answer

pytest.importorskip("botocore")
pytest.importorskip("google.auth.transport.requests")

AWS4, _ = find_signer("aws4:")
GOOGLE, _ = find_signer("google_oauth:")

#: Amazon's own example: "GET iam.amazonaws.com ListUsers", of which the signature is published.
#: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
PUBLISHED = "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
KEYS = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}  # fmt: skip
BODY = '{"Text":"Ärztin","SourceLanguageCode":"de"}'.encode()


@pytest.fixture
def keys(monkeypatch):
    monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


def request(url="http://127.0.0.1:1/", method="POST", body=BODY, headers=(), **fields):
    return HttpRequest(method, url, tuple(headers), body, **fields)


def test_a_signer_is_named_with_its_argument():
    assert AWS4 is not GOOGLE
    assert find_signer("aws4:translate/eu-west-1") == (AWS4, "translate/eu-west-1")
    assert find_signer("google_oauth:my-project") == (GOOGLE, "my-project")


# --- aws4 ---------------------------------------------------------------------------------------


@time_machine.travel(datetime(2015, 8, 30, 12, 36, tzinfo=UTC), tick=False)
def test_the_signature_that_amazon_published(keys):
    url = "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08"
    headers = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}
    added, hidden = AWS4.sign("iam/us-east-1", request(url, "GET", b""), headers, b"")
    assert added["Authorization"] == (
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
        f"SignedHeaders=content-type;host;x-amz-date, Signature={PUBLISHED}"
    )
    assert added["X-Amz-Date"] == "20150830T123600Z"
    assert hidden == KEYS


def test_temporary_keys_need_their_token(keys, monkeypatch):
    AWS4.check("translate/eu-west-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "ASIAEXAMPLE")
    with pytest.raises(MissingPart, match="AWS_SESSION_TOKEN"):
        AWS4.check("translate/eu-west-1")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "t0ken/of+a==session")
    AWS4.check("translate/eu-west-1")


@pytest.mark.parametrize("token", ["", "t0ken/of+a==session"])
@pytest.mark.parametrize("path", ["/", "/?q=x%20y&b=&a=1"])
def test_what_arrives_is_signed_as_the_formula_says(keys, monkeypatch, token, path):
    monkeypatch.setenv("AWS_SESSION_TOKEN", token)

    def parrot(asked, answering):
        answering.send(json_answer(400, dict(asked.headers)))

    headers = [("Content-Type", "application/x-amz-json-1.1"), ("X-Amz-Target", "A.B")]
    with serve(parrot) as running:
        asked = request(running.url + path, headers=headers, signer="aws4:translate/eu-west-1")
        [(_, answer)] = HttpFetcher().fetch([asked])
        [got] = running.requests
    signed = sigv4.parse(got)
    assert (signed.access_key, signed.region, signed.service) == (
        "AKIDEXAMPLE", "eu-west-1", "translate",
    )  # fmt: skip
    assert {"host", "content-type", "x-amz-target", "x-amz-date"} <= set(signed.names)
    assert ("x-amz-security-token" in signed.names) == bool(token)
    assert got.headers.get("x-amz-security-token", "") == token
    secret = KEYS["AWS_SECRET_ACCESS_KEY"]
    assert sigv4.signatures(got, signed, secret) == {signed.signature}
    for value in (*KEYS.values(), *filter(None, [token])):
        assert value not in repr(answer)
        assert value.encode() not in answer.body


def test_headers_that_stand_already_are_not_added_again(keys):
    added, _ = AWS4.sign("translate/eu-west-1", request(), {"X-Amz-Target": "A.B"}, BODY)
    assert "X-Amz-Target" not in added


@pytest.mark.parametrize("name", KEYS)
def test_a_key_of_amazon_that_is_missing_is_named(keys, monkeypatch, name):
    monkeypatch.delenv(name)
    asked = request(signer="aws4:translate/eu-west-1")
    with pytest.raises(MissingPart, match=name):
        http.check_request(asked)
    [(_, answer)] = HttpFetcher().fetch([asked])
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.AUTH)
    assert name in answer.detail


def test_all_that_amazon_lacks_is_named_at_once(keys, monkeypatch):
    for name in KEYS:
        monkeypatch.delenv(name)
    monkeypatch.setitem(sys.modules, "botocore.credentials", None)
    with pytest.raises(MissingPart) as missing:
        http.check_request(request(signer="aws4:translate/eu-west-1"))
    assert "gbmonitor[amazon]" in str(missing.value)
    assert f"the environment variables {' and '.join(KEYS)} are not set" in str(missing.value)


def test_a_missing_library_of_amazon_names_the_extra(keys, monkeypatch):
    monkeypatch.setitem(sys.modules, "botocore.credentials", None)
    with pytest.raises(MissingPart, match=r"botocore.*gbmonitor\[amazon\]"):
        http.check_request(request(signer="aws4:translate/eu-west-1"))


# --- google_oauth -------------------------------------------------------------------------------


class Credentials:
    """What google-auth gives for a service account."""

    def __init__(self, error=None):
        self.token, self.valid, self.error = None, False, error
        self.refreshed = 0

    def refresh(self, _transport):
        if self.error:
            raise self.error
        self.refreshed += 1
        self.token, self.valid = f"ya29.t0ken-{self.refreshed}", True


@pytest.fixture
def google(monkeypatch):
    """Put credentials where google-auth finds them."""
    import google.auth

    secrets._google_credentials.cache_clear()

    def use(found):
        def default(scopes):
            assert scopes == ["https://www.googleapis.com/auth/cloud-translation"]
            if isinstance(found, Exception):
                raise found
            return found, "project of the credentials"

        monkeypatch.setattr(google.auth, "default", default)
        return found

    yield use
    secrets._google_credentials.cache_clear()


def parrot(asked: wire.Request, answering):
    words = asked.headers["authorization"]
    answering.send(json_answer(403, {"said": words}, {"X-Echo": words}))


def ask(running: Running):
    asked = request(running.url, signer="google_oauth:my-project")
    [(_, answer)] = HttpFetcher().fetch([asked])
    return answer


def test_a_token_is_used_until_it_has_run_out(google):
    credentials = google(Credentials())
    with serve(parrot) as running:
        answers = [ask(running), ask(running)]
        credentials.valid = False
        answers.append(ask(running))
        sent = [got.headers["authorization"] for got in running.requests]
        payers = {got.headers["x-goog-user-project"] for got in running.requests}
    assert sent == [f"Bearer ya29.t0ken-{n}" for n in (1, 1, 2)]
    assert payers == {"my-project"}
    for answer in answers:
        assert "t0ken-" not in repr(answer)
        assert b"Bearer [token]" in answer.body


def test_without_credentials_it_is_said_where_they_go(google):
    from google.auth.exceptions import DefaultCredentialsError

    google(DefaultCredentialsError("File key.json was not found. And much more."))
    with pytest.raises(
        MissingPart, match=r"File key.json was not found; set GOOGLE_APPLICATION_CREDENTIALS$"
    ):
        http.check_request(request(signer="google_oauth:p"))


def test_a_token_that_is_refused_stops_the_engine(google):
    from google.auth.exceptions import RefreshError

    google(Credentials(RefreshError("invalid_grant: with a secret")))
    with serve(parrot) as running:
        answer = ask(running)
        assert running.requests == []
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.AUTH)
    assert answer.detail == "Google gives no token: RefreshError"


def test_a_token_server_that_is_away_is_no_wrong_key(google):
    from google.auth.exceptions import TransportError

    google(Credentials(TransportError("connection refused")))
    with serve(parrot) as running:
        answer = ask(running)
        assert running.requests == []
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.UNREACHABLE)


@pytest.mark.parametrize("module", ["google", "google.auth.transport.requests"])
def test_a_missing_library_of_google_names_the_extra(google, monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingPart, match=r"google-auth.*gbmonitor\[google\]"):
        http.check_request(request(signer="google_oauth:p"))
