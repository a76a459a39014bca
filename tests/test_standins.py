"""The stand-ins answer as `contracts.md` says; expected bodies are its literal JSON."""

import hashlib
import hmac
import json
import socket
import threading
import time
import zlib
from datetime import UTC, datetime

import httpx
import pytest
import time_machine

from tests.standins import THREAD_NAME, faults, serve, sigv4
from tests.standins.amazon import Amazon
from tests.standins.apertium import Apertium
from tests.standins.azure import Azure
from tests.standins.chat import Chat
from tests.standins.deepl import DeepL
from tests.standins.google import GoogleV2, GoogleV3
from tests.standins.libretranslate import LibreTranslate
from tests.standins.service import toy
from tests.standins.wire import Request, json_answer

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def client():
    """One for all tests: making a client takes longer than most of them."""
    with httpx.Client(timeout=5) as client:
        yield client


@pytest.fixture
def ask(client):
    """Returns what one service answers to one request."""

    def send(service, method, path, **request):
        with serve(service) as running:
            return client.request(method, running.url + path, **request)

    return send


def own_threads():
    return [thread for thread in threading.enumerate() if thread.name == THREAD_NAME]


def shape(data):
    """Names and kinds of a JSON value, without its values."""
    if isinstance(data, dict):
        return {name: shape(value) for name, value in data.items()}
    if isinstance(data, list):
        return [shape(value) for value in data]
    return type(data).__name__


def test_requests_are_recorded(client):
    def app(request, wire):
        wire.send(json_answer(200, {"ok": True}))

    with serve(app) as running:
        client.post(running.url + "/a%20b?x=1&x=2", json={"y": "ž"}, headers={"X-Thing": "T"})
        client.post(running.url, content=iter([b"chunked ", b"body"]))
        client.get(running.url)
    first, second, third = running.requests
    assert (first.method, first.path, first.target) == ("POST", "/a b", "/a%20b?x=1&x=2")
    assert first.query == {"x": "2"}
    assert first.pairs == [("x", "1"), ("x", "2")]
    assert first.headers["x-thing"] == "T"
    assert first.media_type == "application/json"
    assert first.json == {"y": "ž"}
    assert second.body == b"chunked body"
    assert third.body == b""


def test_connection_is_kept(client):
    service = LibreTranslate()
    with serve(service) as running:
        for _ in range(3):
            response = client.get(running.url + "/health")
        kept = response.extensions["network_stream"].get_extra_info("client_addr")
        again = client.get(running.url + "/health")
        assert again.extensions["network_stream"].get_extra_info("client_addr") == kept


def test_threads_and_port_end_with_the_block(client):
    with (
        serve(LibreTranslate(always=faults.silence())) as running,
        pytest.raises(httpx.ReadTimeout),
    ):
        client.get(running.url, timeout=0.1)
    assert not own_threads()
    with pytest.raises(httpx.ConnectError):
        client.get(running.url)


@time_machine.travel(NOW, tick=False)
def test_a_stopped_clock_stops_nothing(client):
    service = LibreTranslate(latency=0.03, script=[None, faults.silence(seconds=0.05)])
    with serve(service) as running:
        assert client.get(running.url + "/health").status_code == 200
        with pytest.raises(httpx.RemoteProtocolError):
            client.get(running.url + "/health")


def test_a_mistake_of_the_stand_in_is_raised(client):
    def app(request, wire):
        raise ValueError("mistake")

    with (
        pytest.raises(ValueError, match="mistake"),
        serve(app) as running,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        client.get(running.url)
    with pytest.raises(httpx.RemoteProtocolError) as caught, serve(app) as running:
        client.get(running.url)
    assert "mistake" in caught.value.__notes__[0]


def test_many_requests_at_once(client):
    with serve(LibreTranslate(latency=0.02)) as running:
        found = []

        def one(number):
            body = {"q": f"text {number}", "source": "en", "target": "pt"}
            answer = client.post(running.url + "/translate", json=body).json()
            found.append(answer["translatedText"] == toy(f"text {number}", "pt"))

        threads = [threading.Thread(target=one, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
    assert found == [True] * 20
    assert len(running.requests) == 20


def health(fault):
    return LibreTranslate(script=[fault])


def ask_raw(raw, running):
    """Send a request over a bare socket, and return when it has arrived."""
    raw.settimeout(5)
    raw.connect(("127.0.0.1", httpx.URL(running.url).port))
    raw.sendall(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n")
    while not running.requests:
        time.sleep(0.005)


def test_script_is_used_up_and_then_always_holds(client):
    script = [faults.status(500, {"a": 1}, {"X-B": "c"}), None]
    with serve(LibreTranslate(script=script, always=faults.empty())) as running:
        answers = [client.get(running.url + "/health") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [500, 200, 200, 200]
    assert answers[0].json() == {"a": 1}
    assert answers[0].headers["x-b"] == "c"
    assert [answer.content for answer in answers[1:]] == [b'{"status": "ok"}', b"", b""]


def test_a_fault_that_was_not_called_is_noticed():
    with pytest.raises(TypeError, match="not a fault"):
        LibreTranslate(script=[faults.malformed])


def test_malformed(ask):
    answer = ask(health(faults.malformed()), "GET", "/health")
    assert answer.status_code == 200
    with pytest.raises(json.JSONDecodeError):
        answer.json()


def test_truncated(ask):
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        ask(health(faults.truncated()), "GET", "/health")


def test_reset(client):
    with serve(health(faults.reset())) as running:
        with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
            client.get(running.url + "/health")
        assert client.get(running.url + "/health").json() == {"status": "ok"}
    assert len(running.requests) == 2


def test_reset_is_a_reset():
    with serve(health(faults.reset())) as running, socket.socket() as raw:
        ask_raw(raw, running)
        with pytest.raises(ConnectionResetError):
            raw.recv(1)


def test_silence_is_bounded(ask):
    with pytest.raises(httpx.RemoteProtocolError, match="without sending a response"):
        ask(health(faults.silence(seconds=0.05)), "GET", "/health")


def test_slow_drip_gets_through_in_time(ask):
    answer = ask(health(faults.slow_drip(bytes_per_second=200)), "GET", "/health")
    assert answer.json() == {"status": "ok"}


def test_slow_drip_is_bounded(ask):
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete message body"):
        ask(health(faults.slow_drip(bytes_per_second=100, seconds=0.05)), "GET", "/health")


def test_slow_drip_outlives_a_timeout_between_bytes(client):
    """A client that only times the gap between bytes waits for all of them."""
    with (
        serve(health(faults.slow_drip(bytes_per_second=20))) as running,
        client.stream("GET", running.url + "/health", timeout=0.5) as answer,
    ):
        pieces = list(answer.iter_raw())
    assert b"".join(pieces) == b'{"status": "ok"}'
    assert len(pieces) > 5


@pytest.mark.parametrize("fault", [faults.slow_drip(1), faults.silence(), faults.huge(200)])
def test_faults_end_when_the_client_goes(fault):
    with serve(health(fault)) as running:
        with socket.socket() as raw:
            ask_raw(raw, running)
            assert len(own_threads()) == 2
        for _ in range(200):
            if len(own_threads()) == 1:
                return
            time.sleep(0.01)
    pytest.fail("the fault goes on without a client")


@pytest.mark.parametrize("fault", [faults.slow_drip(1), faults.silence(), faults.huge(200)])
def test_faults_end_when_the_stand_in_stops(fault):
    with socket.socket() as raw, serve(health(fault)) as running:
        ask_raw(raw, running)


@pytest.mark.parametrize("announced", [True, False])
def test_huge(ask, announced):
    answer = ask(health(faults.huge(megabytes=3, announced=announced)), "GET", "/health")
    assert len(answer.content) == 3_000_000
    assert ("content-length" in answer.headers) is announced
    assert set(answer.json()) == {"padding"}


def test_gzip_bomb(client):
    with (
        serve(health(faults.gzip_bomb())) as running,
        client.stream("GET", running.url + "/health") as answer,
    ):
        body = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip"
    assert len(body) < 500_000
    assert len(zlib.decompress(body, wbits=31)) == 50_000_000


def test_redirect_and_html_block(client):
    script = [faults.redirect("/elsewhere", code=307), faults.html_block()]
    with serve(LibreTranslate(script=script)) as running:
        moved, blocked = (client.get(running.url + "/health") for _ in range(2))
    assert (moved.status_code, moved.headers["location"]) == (307, "/elsewhere")
    assert blocked.status_code == 200
    assert blocked.headers["content-type"].startswith("text/html")
    assert "captcha" in blocked.text


def test_latency_comes_before_the_answer():
    class Notes(list):
        def wait(self, seconds):
            self.append(seconds)

        def send(self, answer):
            self.append(answer.status)

    wire = Notes()
    LibreTranslate(latency=0.25)(Request("GET", "/health", {}, b""), wire)
    assert wire == [0.25, 200]


READY = [
    (
        DeepL.quota(),
        456,
        {"message": "Quota for this billing period has been exceeded"},
    ),
    (
        GoogleV2.rate_limited(),
        403,
        {
            "error": {
                "code": 403,
                "message": "User Rate Limit Exceeded",
                "errors": [
                    {
                        "message": "User Rate Limit Exceeded",
                        "domain": "usageLimits",
                        "reason": "userRateLimitExceeded",
                    }
                ],
            }
        },
    ),
    (Amazon.rate_limited(), 429, {"__type": "TooManyRequestsException", "Message": "slow"}),
    (
        Azure.rate_limited(),
        429,
        {
            "error": {
                "code": 429001,
                "message": "The server rejected the request because the client has exceeded "
                "request limits.",
            }
        },
    ),
    (LibreTranslate.rate_limited(), 429, {"error": "Slowdown: 20 per 1 minute"}),
    (LibreTranslate.auth_error(), 403, {"error": "Invalid API key"}),
    (LibreTranslate.banned(), 403, {"error": "Too many request limits violations"}),
    (
        Apertium.bad_pair(),
        400,
        {
            "status": "error",
            "code": 400,
            "message": "Bad Request",
            "explanation": "That pair is not installed",
        },
    ),
    (
        Chat.rate_limited(),
        429,
        {
            "error": {
                "message": "Rate limit reached",
                "type": "requests",
                "param": None,
                "code": "rate_limit_exceeded",
            }
        },
    ),
]


@pytest.mark.parametrize(("answer", "code", "body"), READY)
def test_literal_errors(ask, answer, code, body):
    found = ask(LibreTranslate(script=[answer]), "GET", "/health")
    assert found.status_code == code
    assert found.json() == body


@pytest.mark.parametrize(
    ("answer", "code", "path", "value"),
    [
        (DeepL.rate_limited(), 429, ("message",), "Too many requests"),
        (DeepL.auth_error(), 403, (), None),
        (DeepL.bad_pair(), 400, (), None),
        (DeepL.overloaded(), 529, (), None),
        (GoogleV2.quota(), 403, ("error", "errors", 0, "reason"), "dailyLimitExceeded"),
        (GoogleV2.auth_error(), 400, ("error", "details", 0, "reason"), "API_KEY_INVALID"),
        (GoogleV2.missing_key(), 403, ("error", "errors", 0, "reason"), "forbidden"),
        (GoogleV2.bad_pair(), 400, ("error", "status"), "INVALID_ARGUMENT"),
        (GoogleV3.quota(), 403, ("error", "status"), "RESOURCE_EXHAUSTED"),
        (GoogleV3.quota(code=429), 429, ("error", "status"), "RESOURCE_EXHAUSTED"),
        (GoogleV3.rate_limited(), 429, ("error", "status"), "RESOURCE_EXHAUSTED"),
        (GoogleV3.auth_error(), 401, ("error", "status"), "UNAUTHENTICATED"),
        (Amazon.quota(), 429, ("__type",), "TooManyRequestsException"),
        (Amazon.auth_error(), 400, ("__type",), "UnrecognizedClientException"),
        (Amazon.bad_pair(), 400, ("__type",), "UnsupportedLanguagePairException"),
        (Amazon.low_confidence(), 400, ("DetectedLanguageCode",), "pt"),
        (Amazon.failed(), 500, ("__type",), "InternalServerException"),
        (Amazon.unavailable(), 503, ("__type",), "ServiceUnavailableException"),
        (Azure.quota(), 403, ("error", "code"), 403001),
        (Azure.rate_limited(code=429000), 429, ("error", "code"), 429000),
        (Azure.auth_error(), 401, ("error", "code"), 401000),
        (Azure.bad_pair(), 400, ("error", "code"), 400036),
        (Azure.warming(), 408, ("error", "code"), 408001),
        (Azure.failed(), 500, ("error", "code"), 500000),
        (Azure.unavailable(), 503, ("error", "code"), 503000),
        (LibreTranslate.quota(), 429, ("error",), "Slowdown: 1000 per 1 day"),
        (LibreTranslate.missing_key("U"), 400, ("error",), "Visit U to get an API key"),
        (LibreTranslate.bad_pair(), 400, ("error",), "xx is not supported"),
        (LibreTranslate.poisoned(), 200, ("translatedText",), "\N{FACE WITH TEARS OF JOY}"),
        (LibreTranslate.failed(), 500, (), None),
        (Apertium.internal_error(), 503, ("explanation",), "internal error"),
        (Chat.quota(), 429, ("error", "code"), "insufficient_quota"),
        (Chat.auth_error(), 401, ("error", "code"), "invalid_api_key"),
        (Chat.forbidden(), 403, (), None),
        (Chat.unknown_model(), 404, ("error", "code"), "model_not_found"),
        (Chat.unavailable(), 503, (), None),
    ],
)
def test_ready_made_errors(answer, code, path, value):
    assert answer.status == code
    found = answer.json
    for step in path:
        found = found[step]
    assert not path or found == value


@pytest.mark.parametrize("service", [DeepL, GoogleV2, GoogleV3, Amazon, Azure, LibreTranslate])
def test_retry_after_only_on_demand(service):
    assert "Retry-After" not in service.rate_limited().headers
    assert service.rate_limited(retry_after=7).headers["Retry-After"] == "7"


def test_chat_retry_headers():
    headers = Chat.rate_limited(retry_after=2, retry_after_ms=2000, should_retry="true").headers
    assert headers["retry-after"] == "2"
    assert headers["retry-after-ms"] == "2000"
    assert headers["x-should-retry"] == "true"


DEEPL = {"Authorization": "DeepL-Auth-Key k"}


def deepl(ask, body, service=None, path="/v2/translate", **change):
    request = {"headers": DEEPL, "json": body} | change
    return ask(service or DeepL(key="k"), "POST", path, **request)


def test_deepl_success(ask):
    expected = {
        "translations": [
            {
                "detected_source_language": "EN",
                "text": "Die Ärztin …",
                "billed_characters": 12,
                "model_type_used": "quality_optimized",
            }
        ]
    }
    body = {
        "text": ["The doctor …"],
        "target_lang": "DE",
        "model_type": "quality_optimized",
        "show_billed_characters": True,
    }
    service = DeepL(key="k", translations={"The doctor …": "Die Ärztin …"})
    answer = deepl(ask, body, service)
    assert answer.json() == expected
    assert answer.headers["x-trace-id"]


def test_deepl_batch_form_and_options(ask):
    fields = {
        "text": ["One here.", "Two there."],
        "target_lang": "PT-BR",
        "source_lang": "EN",
        "formality": "prefer_more",
        "split_sentences": "0",
        "context": "Ana speaks.",
    }
    expected = {
        "translations": [
            {"detected_source_language": "EN", "text": "[PT-BR] HERE. oNE"},
            {"detected_source_language": "EN", "text": "[PT-BR] THERE. tWO"},
        ]
    }
    assert deepl(ask, fields).json() == expected
    assert deepl(ask, None, json=None, data=fields).json() == expected


@pytest.mark.parametrize(
    "change",
    [
        {"text": "not a list"},
        {"text": []},
        {"text": [1]},
        {"text": ["x"] * 51},
        {"target_lang": "PT"},
        {"target_lang": "EN"},
        {"target_lang": "XX"},
        {"source_lang": "XX"},
        {"source_lang": "EN-US"},
        {"target_lang": "SK", "formality": "more"},
        {"formality": "polite"},
        {"model_type": "best"},
        {"custom_instructions": ["x" * 301]},
        {"custom_instructions": ["x"] * 11},
        {"custom_instructions": ["x"], "target_lang": "SK"},
        {"gender": "female"},
        {"split_sentences": 0},
    ],
)
def test_deepl_bad_request(ask, change):
    answer = deepl(ask, {"text": ["x"], "target_lang": "DE"} | change)
    assert answer.status_code == 400
    assert set(answer.json()) == {"message"}


@pytest.mark.parametrize(
    ("code", "change"),
    [
        (403, {"headers": {}}),
        (403, {"headers": {"Authorization": "DeepL-Auth-Key wrong"}}),
        (403, {"headers": {"Authorization": "Bearer k"}}),
        (400, {"params": {"target_lang": "DE"}}),
        (400, {"json": None, "content": b"{}", "headers": DEEPL | {"Content-Type": "text/plain"}}),
        (
            400,
            {
                "json": None,
                "content": b"{",
                "headers": DEEPL | {"Content-Type": "application/json"},
            },
        ),
        (413, {"json": {"text": ["x" * 140_000], "target_lang": "DE"}}),
        (414, {"headers": DEEPL | {"X-Long": "x" * 17_000}}),
        (404, {"path": "/v2/translat"}),
        (404, {"path": "/v2/usage"}),
    ],
)
def test_deepl_refusals(ask, code, change):
    assert deepl(ask, {"text": ["x"], "target_lang": "DE"}, **change).status_code == code


def test_deepl_quota_and_usage(client):
    service = DeepL(key="k:fx", quota_characters=10)
    headers = {"Authorization": "DeepL-Auth-Key k:fx"}
    with serve(service) as running:

        def translate(text):
            body = {"text": [text], "target_lang": "DE"}
            return client.post(running.url + "/v2/translate", json=body, headers=headers)

        assert translate("12345678").status_code == 200
        refused = translate("123")
        usage = client.get(running.url + "/v2/usage", headers=headers).json()
        service.new_day()
        assert translate("123").status_code == 200
    assert refused.status_code == 456
    assert refused.json() == {"message": "Quota for this billing period has been exceeded"}
    assert usage == {"character_count": 8, "character_limit": 10}


def test_deepl_pro_usage_and_languages(ask):
    usage = ask(DeepL(key="k"), "GET", "/v2/usage", headers=DEEPL).json()
    assert {"api_key_character_count", "products", "start_time", "end_time"} < set(usage)
    query = {"resource": "translate_text"}
    service = DeepL(key="k", languages={"en": "English", "de": "German"})
    languages = ask(service, "GET", "/v3/languages", headers=DEEPL, params=query).json()
    assert [one["lang"] for one in languages] == ["EN", "EN-GB", "EN-US", "DE"]
    assert languages[3] == {
        "lang": "DE",
        "name": "German",
        "usable_as_source": True,
        "usable_as_target": True,
        "status": "stable",
        "features": {"formality": {"status": "stable"}},
    }
    assert ask(service, "GET", "/v3/languages", headers=DEEPL).status_code == 400


V2 = "/language/translate/v2"
V3 = "/v3/projects/1/locations/global:translateText"
V3_HEADERS = {"Authorization": "Bearer k", "x-goog-user-project": "1"}


def google_v2(ask, body, path=V2, service=None, **change):
    request = {"params": {"key": "k"}, "json": body} | change
    return ask(service or GoogleV2(key="k"), "POST", path, **request)


def google_v3(ask, body, path=V3, service=None, **change):
    request = {"headers": V3_HEADERS, "json": body} | change
    return ask(service or GoogleV3(key="k", project="1"), "POST", path, **request)


def test_google_v2_success(ask):
    expected = {
        "data": {
            "translations": [
                {"translatedText": "El médico", "detectedSourceLanguage": "en", "model": "nmt"}
            ]
        }
    }
    service = GoogleV2(key="k", translations={"The doctor": "El médico"})
    body = {"q": "The doctor", "target": "es", "format": "text", "model": "nmt"}
    assert google_v2(ask, body, service=service).json() == expected
    header = {"params": None, "headers": {"x-goog-api-key": "k"}}
    service = GoogleV2(key="k")
    body = {"q": ["I'm", "You"], "target": "es", "source": "en"}
    assert google_v2(ask, body, service=service, **header).json() == {
        "data": {
            "translations": [
                {"translatedText": "[es] i&#39;M"},
                {"translatedText": "[es] yOU"},
            ]
        }
    }


@pytest.mark.parametrize(
    ("code", "reason", "change"),
    [
        (400, "badRequest", {"params": {"key": "wrong"}}),
        (403, "forbidden", {"params": None}),
        (400, "badRequest", {"params": {"key": "k", "q": "x"}}),
        (400, "badRequest", {"json": {"q": "x"}}),
        (400, "badRequest", {"json": {"q": "x", "target": "es", "gender": "f"}}),
        (400, "badRequest", {"json": {"q": ["x"] * 129, "target": "es"}}),
        (400, "badRequest", {"json": {"q": "x" * 100_001, "target": "es"}}),
        (400, "badRequest", {"json": {"q": "x", "target": "es", "format": "plain"}}),
        (400, "badRequest", {"json": None, "data": {"q": "x", "target": "es"}}),
        (400, "invalid", {"json": {"q": "x", "target": "xx"}}),
        (404, "notFound", {"path": "/language/translate/v1"}),
        (404, "notFound", {"path": V2 + "/languages"}),
    ],
)
def test_google_v2_refusals(ask, code, reason, change):
    answer = google_v2(ask, {"q": "x", "target": "es"}, **change)
    assert answer.status_code == code
    error = answer.json()["error"]
    assert (error["code"], error["errors"][0]["reason"]) == (code, reason)


def test_google_v2_quota_languages_detect(ask):
    service = GoogleV2(key="k", quota_characters=3, languages={"en": "English", "es": "Spanish"})
    answer = google_v2(ask, {"q": "1234", "target": "es"}, service=service)
    assert answer.status_code == 403
    assert answer.json()["error"]["errors"][0]["reason"] == "dailyLimitExceeded"
    query = {"key": "k", "target": "en"}
    languages = ask(service, "GET", V2 + "/languages", params=query).json()
    assert languages["data"]["languages"][1] == {"language": "es", "name": "Spanish"}
    detected = google_v2(ask, {"q": "x"}, V2 + "/detect", service).json()
    assert detected["data"]["detections"][0][0]["language"] == "en"


def test_google_v3_success(ask):
    expected = {
        "translations": [
            {
                "translatedText": "Le médecin",
                "model": "projects/1/locations/global/models/general/nmt",
                "detectedLanguageCode": "en",
            }
        ],
        "glossaryTranslations": [],
    }
    service = GoogleV3(key="k", project="1", translations={"The doctor": "Le médecin"})
    body = {"contents": ["The doctor"], "targetLanguageCode": "fr", "mimeType": "text/plain"}
    assert google_v3(ask, body, service=service).json() == expected


def test_google_v3_models_and_html(ask):
    llm = "projects/1/locations/us-central1/models/general/translation-llm"
    path = V3.replace("global", "us-central1")
    body = {
        "contents": ["it's"],
        "targetLanguageCode": "fr",
        "sourceLanguageCode": "en",
        "model": llm,
        "mimeType": "text/plain",
    }
    service = GoogleV3(key="k", project="1", quota_characters=0)
    answer = google_v3(ask, body, path, service).json()
    assert answer["translations"] == [{"translatedText": "[fr] IT'S", "model": llm}]
    assert google_v3(ask, body | {"mimeType": "text/html"}, path).status_code == 400
    assert google_v3(ask, body).status_code == 400
    html = {"contents": ["it's"], "targetLanguageCode": "fr"}
    shown = google_v3(ask, html).json()["translations"][0]["translatedText"]
    assert shown == "[fr] IT&#39;S"
    refused = google_v3(ask, html, service=service)
    assert refused.status_code == 403
    assert refused.json()["error"]["status"] == "RESOURCE_EXHAUSTED"
    assert "quota" in refused.json()["error"]["message"]


@pytest.mark.parametrize(
    ("code", "word", "change"),
    [
        (401, "UNAUTHENTICATED", {"headers": V3_HEADERS | {"Authorization": "Bearer no"}}),
        (401, "UNAUTHENTICATED", {"headers": {}, "params": {"key": "k"}}),
        (403, "PERMISSION_DENIED", {"headers": {"Authorization": "Bearer k"}}),
        (403, "PERMISSION_DENIED", {"path": V3.replace("/1/", "/2/")}),
        (400, "INVALID_ARGUMENT", {"path": V3.replace("global", "mars")}),
        (400, "INVALID_ARGUMENT", {"params": {"q": "x"}}),
        (400, "INVALID_ARGUMENT", {"json": {"contents": "x", "targetLanguageCode": "fr"}}),
        (400, "INVALID_ARGUMENT", {"json": {"contents": ["x"]}}),
        (400, "INVALID_ARGUMENT", {"json": {"contents": ["x"] * 1025, "targetLanguageCode": "fr"}}),
        (
            400,
            "INVALID_ARGUMENT",
            {"json": {"contents": ["x" * 30_001], "targetLanguageCode": "fr"}},
        ),
        (400, "INVALID_ARGUMENT", {"json": {"contents": ["x"], "targetLanguageCode": "xx"}}),
        (
            400,
            "INVALID_ARGUMENT",
            {"json": {"contents": ["x"], "targetLanguageCode": "fr", "formality": "x"}},
        ),
        (404, "NOT_FOUND", {"path": "/v3/projects/1:detectLanguage"}),
    ],
)
def test_google_v3_refusals(ask, code, word, change):
    answer = google_v3(ask, {"contents": ["x"], "targetLanguageCode": "fr"}, **change)
    assert answer.status_code == code
    error = answer.json()["error"]
    assert (error["code"], error["status"]) == (code, word)


SECRET = "s"
TARGET = "AWSShineFrontendService_20170701.TranslateText"


def amazon(ask, body, service=None, method="POST", path="/", spoil=None, secret=SECRET, **change):
    """Ask with a signature that is worked out here, step by step, from Amazon's description."""
    service = service or Amazon(key="AK", secret="s", region="eu-west-1", clock=lambda: NOW)
    content = json.dumps(body).encode()
    headers = {
        "content-type": "application/x-amz-json-1.1",
        "host": "translate.example",
        "x-amz-date": "20261121T120000Z",
        "x-amz-target": TARGET,
    } | change
    names = sorted(headers)
    canonical = f"{method}\n/\n\n" + "".join(f"{name}:{headers[name]}\n" for name in names)
    canonical += f"\n{';'.join(names)}\n{hashlib.sha256(content).hexdigest()}"
    scope = f"{headers['x-amz-date'][:8]}/eu-west-1/translate/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{headers['x-amz-date']}\n{scope}\n"
    text += hashlib.sha256(canonical.encode()).hexdigest()
    key = b"AWS4" + secret.encode()
    for part in (*scope.split("/"), text):
        key = hmac.digest(key, part.encode(), "sha256")
    headers["authorization"] = (
        f"AWS4-HMAC-SHA256 Credential=AK/{scope}, SignedHeaders={';'.join(names)}, "
        f"Signature={key.hex()}"
    )
    headers = headers if spoil is None else spoil(headers)
    return ask(service, method, path, content=content, headers=headers)


DOCTOR = {"Text": "The doctor", "SourceLanguageCode": "en", "TargetLanguageCode": "de"}


def test_amazon_success(ask):
    expected = {
        "TranslatedText": "Die Ärztin",
        "SourceLanguageCode": "en",
        "TargetLanguageCode": "de",
        "AppliedSettings": {"Formality": "FORMAL"},
    }
    service = Amazon(
        key="AK", secret="s", clock=lambda: NOW, translations={"The doctor": "Die Ärztin"}
    )
    answer = amazon(ask, DOCTOR | {"Settings": {"Formality": "FORMAL"}}, service)
    assert answer.json() == expected
    assert answer.headers["content-type"] == "application/x-amz-json-1.1"
    detected = amazon(ask, DOCTOR | {"SourceLanguageCode": "auto"}).json()
    assert detected["SourceLanguageCode"] == "en"
    assert "AppliedSettings" not in detected


def test_amazon_ignores_an_unsupported_formality(ask):
    settings = {"Formality": "FORMAL", "Profanity": "MASK"}
    body = DOCTOR | {"TargetLanguageCode": "sk", "Settings": settings}
    assert amazon(ask, body).json()["AppliedSettings"] == {"Profanity": "MASK"}


def drop(name):
    return lambda headers: {key: value for key, value in headers.items() if key != name}


def swap(name, old, new):
    return lambda headers: headers | {name: headers[name].replace(old, new)}


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("MissingAuthenticationTokenException", {"spoil": drop("authorization")}),
        ("IncompleteSignatureException", {"spoil": swap("authorization", "Signature=", "S=")}),
        ("IncompleteSignatureException", {"spoil": drop("x-amz-date")}),
        ("IncompleteSignatureException", {"spoil": lambda h: h | {"x-amz-other": "x"}}),
        ("UnrecognizedClientException", {"spoil": swap("authorization", "=AK/", "=OTHER/")}),
        ("UnrecognizedClientException", {"x-amz-security-token": "nobody's"}),
        ("InvalidSignatureException", {"secret": "wrong"}),
        ("InvalidSignatureException", {"spoil": swap("host", "translate", "other")}),
        ("InvalidSignatureException", {"spoil": swap("authorization", "eu-west-1", "us-east-1")}),
        ("InvalidSignatureException", {"x-amz-date": "20261121T120501Z"}),
        ("InvalidSignatureException", {"x-amz-date": "20269921T120501Z"}),
    ],
)
def test_amazon_auth(ask, kind, change):
    answer = amazon(ask, DOCTOR, **change)
    assert answer.status_code == 400
    assert answer.json()["__type"] == kind


@pytest.mark.parametrize(
    ("code", "kind", "change"),
    [
        (400, "InvalidRequestException", {"Text": ""}),
        (400, "InvalidRequestException", {"Gender": "female"}),
        (400, "InvalidRequestException", {"Settings": {"Formality": "formal"}}),
        (400, "TextSizeLimitExceededException", {"Text": "é" * 5001}),
        (400, "UnsupportedLanguagePairException", {"TargetLanguageCode": "xx"}),
        (429, "TooManyRequestsException", {"Text": "x" * 9000}),
    ],
)
def test_amazon_refusals(ask, code, kind, change):
    service = Amazon(key="AK", secret="s", clock=lambda: NOW, quota_characters=8000)
    answer = amazon(ask, DOCTOR | change, service)
    assert answer.status_code == code
    assert answer.json()["__type"] == kind
    assert set(answer.json()) == {"__type", "Message"}


@pytest.mark.parametrize(
    ("code", "change"),
    [
        (404, {"x-amz-target": "Other.TranslateText"}),
        (404, {"path": "/translate"}),
        (404, {"method": "PUT"}),
        (400, {"content-type": "application/json"}),
    ],
)
def test_amazon_wrong_way(ask, code, change):
    assert amazon(ask, DOCTOR, **change).status_code == code


def test_amazon_languages(ask):
    target = {"x-amz-target": TARGET.replace("TranslateText", "ListLanguages")}
    answer = amazon(ask, {"DisplayLanguageCode": "en"}, **target).json()
    assert {"LanguageName": "German", "LanguageCode": "de"} in answer["Languages"]


def test_signature_of_amazons_own_example():
    """`get-vanilla` of the published test suite of Signature Version 4."""
    expected = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
    headers = {
        "host": "example.amazonaws.com",
        "x-amz-date": "20150830T123600Z",
        "authorization": "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/"
        f"aws4_request, SignedHeaders=host;x-amz-date, Signature={expected}",
    }
    request = Request("GET", "/", headers, b"")
    secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    assert sigv4.signatures(request, sigv4.parse(request), secret) == {expected}


AZURE = {"Ocp-Apim-Subscription-Key": "k", "Ocp-Apim-Subscription-Region": "r"}
V3_QUERY = {"api-version": "3.0", "from": "en", "to": "de"}


def azure_v3(ask, body, service=None, path="/translate", **change):
    request = {"headers": AZURE, "params": V3_QUERY, "json": body} | change
    return ask(service or Azure(key="k", region="r"), "POST", path, **request)


def azure_2026(ask, body, service=None, path="/translate", **change):
    request = {"headers": AZURE, "params": {"api-version": "2026-06-06"}, "json": body} | change
    return ask(service or Azure(key="k", region="r"), "POST", path, **request)


def test_azure_v3_success(ask):
    expected = [
        {
            "detectedLanguage": {"language": "en", "score": 1.0},
            "translations": [{"text": "Die Ärztin", "to": "de"}],
        }
    ]
    service = Azure(key="k", translations={"The doctor": "Die Ärztin"})
    query = {"api-version": "3.0", "to": "de"}
    answer = azure_v3(ask, [{"Text": "The doctor"}], service, params=query)
    assert answer.json() == expected
    assert answer.headers["x-metered-usage"] == "10"
    assert {"x-requestid", "x-mt-system"} < set(answer.headers)


def test_azure_v3_batch_to_many(ask):
    query = [("api-version", "3.0"), ("from", "en"), ("to", "de"), ("to", "fr")]
    answer = azure_v3(ask, [{"Text": "One"}, {"text": "Two"}], params=query)
    assert answer.json() == [
        {"translations": [{"text": "[de] oNE", "to": "de"}, {"text": "[fr] oNE", "to": "fr"}]},
        {"translations": [{"text": "[de] tWO", "to": "de"}, {"text": "[fr] tWO", "to": "fr"}]},
    ]
    assert answer.headers["x-metered-usage"] == "12"


def test_azure_2026_success(ask):
    body = {
        "inputs": [
            {
                "text": "Doctor is available",
                "language": "en",
                "targets": [
                    {
                        "language": "es",
                        "deploymentName": "general",
                        "tone": "formal",
                        "gender": "female",
                        "allowFallback": True,
                    }
                ],
            }
        ]
    }
    translation = {"language": "es", "text": "La médica …", "sourceCharacters": 19}
    service = Azure(key="k", translations={"Doctor is available": "La médica …"})
    assert azure_2026(ask, body, service).json() == {"value": [{"translations": [translation]}]}
    del body["inputs"][0]["language"]
    assert azure_2026(ask, body, service).json() == {
        "value": [
            {
                "detectedLanguage": {"language": "en", "score": 1},
                "translations": [translation],
            }
        ]
    }


def test_azure_2026_llm_counts_tokens(ask):
    target = {"language": "es", "deploymentName": "gpt-5.1", "gender": "neutral"}
    body = {"inputs": [{"text": "One two", "language": "en", "targets": [target]}]}
    translation = azure_2026(ask, body).json()["value"][0]["translations"][0]
    assert {"instructionTokens", "sourceTokens", "responseTokens", "targetTokens"} < set(
        translation
    )
    target["deploymentName"] = "other"
    assert azure_2026(ask, body).json()["error"]["code"] == 400079


@pytest.mark.parametrize(
    ("domain", "path_v3", "path_2026"),
    [
        ("global", "/translate", "/translate"),
        ("custom-docs", "/translator/text/v3.0/translate", "/translator/text/translate"),
        (
            "custom-sdk",
            "/translator/text/v3.0/translate",
            "/translator/text/v2026-06-06/translate",
        ),
    ],
)
def test_azure_paths(ask, domain, path_v3, path_2026):
    service = Azure(key="k", region="r", domain=domain)
    body = {"inputs": [{"text": "x", "targets": [{"language": "de"}]}]}
    assert azure_v3(ask, [{"Text": "x"}], service, path_v3).status_code == 200
    assert azure_2026(ask, body, service, path_2026).status_code == 200
    assert azure_2026(ask, body, service, "/translator/translate").status_code == 404


@pytest.mark.parametrize(
    ("code", "change"),
    [
        (401000, {"headers": AZURE | {"Ocp-Apim-Subscription-Key": "wrong"}}),
        (401000, {"headers": {"Ocp-Apim-Subscription-Key": "k"}}),
        (400021, {"params": {"to": "de"}}),
        (400021, {"params": V3_QUERY | {"api-version": "2025-10-01-preview"}}),
        (400035, {"params": V3_QUERY | {"from": "xx"}}),
        (400036, {"params": V3_QUERY | {"to": "xx"}}),
        (400036, {"params": {"api-version": "3.0"}}),
        (400042, {"params": V3_QUERY | {"gender": "female"}}),
        (400042, {"params": V3_QUERY | {"textType": "text"}}),
        (400020, {"json": [{"Text": "x", "Gender": "f"}]}),
        (400020, {"json": ["x"]}),
        (400074, {"json": {"Text": "x"}}),
        (
            400074,
            {
                "json": None,
                "content": b"[",
                "headers": AZURE | {"Content-Type": "application/json"},
            },
        ),
        (415000, {"json": None, "content": b"[]"}),
        (400072, {"json": [{"Text": "x"}] * 1001}),
        (400050, {"json": [{"Text": "x" * 50_001}]}),
        (400077, {"json": [{"Text": "x" * 30_000}] * 2}),
        (404000, {"path": "/detect"}),
    ],
)
def test_azure_v3_refusals(ask, code, change):
    answer = azure_v3(ask, [{"Text": "x"}], **change)
    assert answer.status_code == code // 1000
    assert answer.json()["error"]["code"] == code


@pytest.mark.parametrize(
    ("code", "one"),
    [
        (400042, {"text": "x", "targets": [{"language": "es", "gender": "f"}]}),
        (400042, {"text": "x", "targets": [{"language": "es", "tone": "polite"}]}),
        (400042, {"text": "x", "targets": [{"to": "es"}]}),
        (400036, {"text": "x", "targets": [{"language": "xx"}]}),
        (400035, {"text": "x", "language": "xx", "targets": [{"language": "es"}]}),
        (400020, {"Text": "x", "targets": [{"language": "es"}]}),
        (400020, {"text": "x", "targets": []}),
        (400050, {"text": "x" * 25_001, "targets": [{"language": "es"}, {"language": "de"}]}),
    ],
)
def test_azure_2026_refusals(ask, code, one):
    answer = azure_2026(ask, {"inputs": [one]})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == code


def test_azure_wrong_way_and_quota(ask):
    service = Azure(key="k", region="r", quota_characters=3)
    assert azure_v3(ask, [{"Text": "1234"}], service).json()["error"]["code"] == 403001
    body = {"inputs": [{"text": "12", "targets": [{"language": "es"}, {"language": "de"}]}]}
    assert azure_2026(ask, body, service).status_code == 403
    assert azure_2026(ask, [{"Text": "x"}]).json()["error"]["code"] == 400074
    wrong = ask(service, "GET", "/translate", headers=AZURE, params=V3_QUERY)
    assert wrong.json()["error"]["code"] == 405000


LIBRE = {"q": "The doctor", "source": "en", "target": "de"}


def libre(ask, body, service=None, method="POST", path="/translate", **change):
    return ask(service or LibreTranslate(), method, path, **({"json": body} | change))


def test_libretranslate_success(ask):
    expected = {
        "translatedText": "Der Arzt",
        "detectedLanguage": {"confidence": 90.0, "language": "en"},
        "alternatives": ["Die Ärztin"],
    }
    service = LibreTranslate(
        translations={"The doctor": "Der Arzt"}, alternatives={"The doctor": ["Die Ärztin"]}
    )
    body = LIBRE | {"source": "auto", "alternatives": 1, "format": "text"}
    assert libre(ask, body, service).json() == expected
    assert libre(ask, None, service, data=body).json() == expected
    assert libre(ask, LIBRE, service).json() == {"translatedText": "Der Arzt"}


def test_translations_may_be_empty_or_for_one_target(ask):
    service = LibreTranslate(translations={"a": "", ("b", "de"): "B", "b": "other"})
    body = {"q": ["a", "b"], "source": "en", "target": "de"}
    assert libre(ask, body, service).json() == {"translatedText": ["", "B"]}
    body["target"] = "fr"
    assert libre(ask, body, service).json() == {"translatedText": ["", "other"]}


def test_libretranslate_arrays(ask):
    body = {"q": ["One", "123"], "source": "auto", "target": "de", "alternatives": 2}
    detected = {"confidence": 90.0, "language": "en"}
    assert libre(ask, body).json() == {
        "translatedText": ["[de] oNE", "123"],
        "detectedLanguage": [detected, detected],
        "alternatives": [["[de] oNE (1)", "[de] oNE (2)"], ["123 (1)", "123 (2)"]],
    }


def test_libretranslate_keys(ask):
    service = LibreTranslate(key="k", key_url="https://example.org")
    missing = libre(ask, LIBRE, service)
    assert missing.status_code == 400
    assert missing.json() == {"error": "Visit https://example.org to get an API key"}
    wrong = libre(ask, LIBRE | {"api_key": "wrong"}, service)
    assert wrong.status_code == 403
    assert wrong.json() == {"error": "Invalid API key"}
    assert libre(ask, LIBRE | {"api_key": "k"}, service).status_code == 200
    assert libre(ask, LIBRE, service, headers={"Authorization": "Bearer k"}).status_code == 400
    assert libre(ask, LIBRE, service, params={"api_key": "k"}).status_code == 400


def test_libretranslate_bogus_secret_is_poisoned(ask):
    service = LibreTranslate(key="k", require_secret=True)
    answer = libre(ask, LIBRE | {"secret": "bogus"}, service)
    assert answer.status_code == 200
    assert answer.json() == {"translatedText": "\N{FACE WITH TEARS OF JOY}"}
    assert libre(ask, LIBRE, service).status_code == 400
    assert libre(ask, LIBRE | {"secret": "unasked"}).status_code == 400


@pytest.mark.parametrize(
    ("code", "error", "change"),
    [
        (400, "xx is not supported", {"json": LIBRE | {"target": "xx"}}),
        (400, "xx is not supported", {"json": LIBRE | {"source": "xx"}}),
        (400, "Invalid request: missing q parameter", {"json": {}}),
        (400, "Invalid request: missing q parameter", {"json": None, "content": b"x"}),
        (400, "Invalid request: unknown gender parameter", {"json": LIBRE | {"gender": "f"}}),
        (400, "Invalid request: invalid format parameter", {"json": LIBRE | {"format": "txt"}}),
        (
            400,
            "Invalid request: request (11) exceeds text limit (10)",
            {"json": LIBRE | {"q": "The doctors"}},
        ),
        (
            400,
            "Invalid request: request (3) exceeds text limit (2)",
            {"json": LIBRE | {"q": ["a", "b", "c"]}},
        ),
        (
            400,
            "Invalid request: num alternatives (4) exceeds alternatives limit (3)",
            {"json": LIBRE | {"alternatives": 4}},
        ),
        (405, "Method Not Allowed", {"method": "GET"}),
        (404, "Not Found", {"path": "/translat"}),
    ],
)
def test_libretranslate_refusals(ask, code, error, change):
    service = LibreTranslate(char_limit=10, batch_limit=2, alternatives_limit=3)
    answer = libre(ask, LIBRE, service, **change)
    assert answer.status_code == code
    assert answer.json() == {"error": error}


def test_libretranslate_other_paths(ask):
    names = {"en": "English", "de": "German", "es": "Spanish"}
    languages = ask(LibreTranslate(languages=names), "GET", "/languages").json()
    assert languages[0] == {"code": "en", "name": "English", "targets": ["de", "es"]}
    assert libre(ask, {"q": "x"}, path="/detect").json()[0]["language"] == "en"
    assert ask(LibreTranslate(), "GET", "/frontend/settings").json()["keyRequired"] is False
    assert libre(ask, LIBRE, LibreTranslate(quota_characters=3)).status_code == 429


APERTIUM = {"langpair": "eng|spa", "q": "The doctor", "markUnknown": "no"}


def test_apertium_success(ask):
    expected = {
        "responseData": {"translatedText": "El médico"},
        "responseDetails": None,
        "responseStatus": 200,
    }
    service = Apertium(translations={"The doctor": "El médico"}, leading_blank=False)
    assert ask(service, "GET", "/translate", params=APERTIUM).json() == expected
    assert ask(service, "POST", "/translate", data=APERTIUM).json() == expected


def test_apertium_leading_blank_and_unknown_words(ask):
    service = Apertium(translations={"The doctor": "El doctor."}, unknown=["doctor"])

    def text(query):
        answer = ask(service, "GET", "/translate", params=query)
        return answer.json()["responseData"]["translatedText"]

    assert text(APERTIUM) == " El doctor."
    assert text(APERTIUM | {"markUnknown": "yes"}) == " El *doctor."
    assert text({"langpair": "eng|spa", "q": "The doctor"}) == " El *doctor."


def test_apertium_pairs(ask):
    expected = {
        "responseData": [{"sourceLanguage": "eng", "targetLanguage": "spa"}],
        "responseDetails": None,
        "responseStatus": 200,
    }
    service = Apertium(pairs=[("eng", "spa")])
    assert ask(service, "GET", "/listPairs").json() == expected
    assert ask(service, "GET", "/list", params={"q": "pairs"}).json() == expected
    assert ask(service, "GET", "/identifyLang", params={"q": "x"}).json() == {"eng": 1.0}


@pytest.mark.parametrize(
    ("code", "explanation", "change"),
    [
        (400, "That pair is not installed", {"params": APERTIUM | {"langpair": "eng|xxx"}}),
        (400, "That pair is not installed", {"params": APERTIUM | {"langpair": "spa|eng"}}),
        (400, "That pair is invalid, use e.g. eng|spa", {"params": APERTIUM | {"langpair": "eng"}}),
        (400, "Missing argument q", {"params": {"langpair": "eng|spa"}}),
        (400, "Missing argument langpair", {"method": "POST", "params": None, "json": APERTIUM}),
        (400, "Unknown argument key", {"params": APERTIUM | {"key": "k"}}),
        (400, "Invalid argument markUnknown", {"params": APERTIUM | {"markUnknown": "never"}}),
        (405, "Method Not Allowed", {"method": "PUT"}),
        (404, "Not Found", {"path": "/translation"}),
    ],
)
def test_apertium_refusals(ask, code, explanation, change):
    request = {"method": "GET", "path": "/translate", "params": APERTIUM} | change
    answer = ask(Apertium(), **request)
    assert answer.status_code == code
    error = answer.json()
    assert (error["status"], error["code"], error["explanation"]) == ("error", code, explanation)


CHAT = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Translate into German."},
        {"role": "user", "content": "Text: The doctor"},
    ],
    "temperature": 0,
    "seed": 1,
    "max_tokens": 256,
    "n": 1,
}
BEARER = {"Authorization": "Bearer k"}


def chat(ask, service=None, body=None, path="/v1/chat/completions", **change):
    service = service or Chat(key="k")
    return ask(service, "POST", path, **({"headers": BEARER, "json": body or CHAT} | change))


def says(mode, **settings):
    return Chat(key="k", mode=mode, translations={"The doctor": "Die Ärztin"}, **settings)


def test_chat_success(ask):
    expected = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1763700000,
        "model": "m-2026-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "Die Ärztin"},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 20, "completion_tokens": 4, "total_tokens": 24},
        "system_fingerprint": "fp_x",
    }
    answer = chat(ask, says("clean")).json()
    assert shape(answer) == shape(expected)
    counted = {name: answer[name] for name in ("created", "usage")}
    assert expected | counted == answer


@pytest.mark.parametrize(
    ("mode", "content", "reason"),
    [
        ("clean", "Die Ärztin", "stop"),
        (
            "chatter",
            "Sure! Here is the translation: Die Ärztin\n\nLet me know if you need more.",
            "stop",
        ),
        ("quotes", '"Die Ärztin"', "stop"),
        ("refusal", "I'm sorry, but I can't help with that.", "stop"),
        ("length", "Die", "length"),
        ("content_filter", "", "content_filter"),
        ("no_content", None, "stop"),
    ],
)
def test_chat_modes(ask, mode, content, reason):
    choice = chat(ask, says(mode)).json()["choices"][0]
    assert (choice["message"]["content"], choice["finish_reason"]) == (content, reason)


def test_chat_empty_choices_n_and_tokens(ask):
    assert chat(ask, says("empty_choices")).json()["choices"] == []
    assert len(chat(ask, says("clean"), CHAT | {"n": 3}).json()["choices"]) == 3
    cut = chat(ask, says("clean"), CHAT | {"max_tokens": 1}).json()["choices"][0]
    assert (cut["message"]["content"], cut["finish_reason"]) == ("Die", "length")


def test_chat_modes_are_used_up_and_the_model_may_change(client):
    service = Chat(key=None, modes=["refusal"], reported_model="m-1", fingerprint="fp_1")
    with serve(service) as running:
        first = client.post(running.url + "/v1/chat/completions", json=CHAT).json()
        service.reported_model = "m-2"
        second = client.post(running.url + "/v1/chat/completions", json=CHAT).json()
    assert first["choices"][0]["message"]["content"].startswith("I'm sorry")
    assert second["choices"][0]["message"]["content"] == toy("Text: The doctor", "de")
    assert [first["model"], second["model"]] == ["m-1", "m-2"]
    assert first["system_fingerprint"] == "fp_1"
    with pytest.raises(ValueError, match="unknown modes"):
        Chat(mode="loud")


@pytest.mark.parametrize(
    ("code", "word", "change"),
    [
        (401, "invalid_api_key", {"headers": {}}),
        (401, "invalid_api_key", {"headers": {"Authorization": "Bearer wrong"}}),
        (404, "model_not_found", {"body": CHAT | {"model": "other"}}),
        (404, None, {"path": "/chat/completions"}),
        (404, None, {"path": "/v1/completions"}),
        (400, None, {"body": CHAT | {"stream": True}}),
        (400, None, {"body": CHAT | {"temperature": "0"}}),
        (400, None, {"body": CHAT | {"messages": []}}),
        (400, None, {"body": CHAT | {"messages": [{"role": "user"}]}}),
        (400, None, {"body": CHAT | {"messages": CHAT["messages"][:1]}}),
        (400, None, {"params": {"key": "k"}}),
        (400, None, {"json": None, "data": {"model": "m"}}),
        (429, "insufficient_quota", {"service": Chat(key="k", quota_characters=3)}),
    ],
)
def test_chat_refusals(ask, code, word, change):
    answer = chat(ask, **change)
    assert answer.status_code == code
    error = answer.json()["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["code"] == word


def test_chat_models(ask):
    models = ask(Chat(key="k"), "GET", "/v1/models", headers=BEARER).json()
    assert [one["id"] for one in models["data"]] == ["m"]
