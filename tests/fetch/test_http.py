"""The fetcher on loopback: several at a time, limits, who is asked, and what is never raised."""

import asyncio
import gc
import gzip
import logging
import os
import socket
import threading
import time
import tracemalloc
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
import zstandard

from monitor.fetch import Outside
from monitor.fetch.http import HttpFetcher, Way
from monitor.model import (
    HttpRequest,
    InvalidInput,
    LocalRequest,
    Outcome,
    Pause,
    Reason,
)
from tests.cases import check_each
from tests.standins import faults, http2, serve
from tests.standins.wire import Answer, json_answer

LIMIT = 10.0
SOON = Way(seconds=0.2)


def get(url, *headers, **fields):
    return HttpRequest("GET", url, headers, **fields)


def ask(request, way=None):
    [(index, answer)] = HttpFetcher(way).fetch([request])
    assert index == 0
    return answer


def said(answer):
    return (answer.outcome, answer.reason)


def app(answer):
    """A service that always gives this answer."""

    def play(_request, wire):
        answer.play(wire, lambda: Answer(200, b"[]"))

    return play


def given(status=200, body=b"{}", way=None, **headers):
    """What becomes of an answer."""
    headers = {name.replace("_", "-"): text for name, text in headers.items()}
    with serve(app(Answer(status, body, headers))) as running:
        return ask(get(running.url), way)


OK = (Outcome.OK, Reason.NONE)
REFUSED = (Outcome.FAILED, Reason.REFUSED)
UNREACHABLE = (Outcome.FAILED, Reason.UNREACHABLE)
MALFORMED = (Outcome.UNREADABLE, Reason.MALFORMED)
STALE = (Outcome.UNREADABLE, Reason.STALE)
OVERSIZE = (Outcome.UNREADABLE, Reason.OVERSIZE)


# --- several at a time --------------------------------------------------------------------------


def test_what_stands_together_is_asked_together():
    """No answer comes before all eight requests are there."""
    met = threading.Barrier(8)

    def meet(request, wire):
        met.wait(LIMIT)
        wire.send(Answer(200, request.path.encode()))

    with serve(meet) as running:
        found = dict(HttpFetcher().fetch([get(f"{running.url}/{n}") for n in range(8)]))
    assert {n: answer.body for n, answer in found.items()} == {n: b"/%d" % n for n in range(8)}


def test_answers_come_as_they_arrive_with_the_number_of_their_request():
    second = threading.Event()

    def reverse(request, wire):
        if request.path == "/0":
            second.wait(LIMIT)
        wire.send(Answer(200, request.path.encode()))

    with serve(reverse) as running:
        order = []
        for index, answer in HttpFetcher().fetch([get(f"{running.url}/{n}") for n in range(2)]):
            order.append((index, answer.body))
            second.set()
    assert order == [(1, b"/1"), (0, b"/0")]


def test_what_comes_during_a_pause_is_handed_over_before_its_end():
    story = []

    def requests(url):
        yield get(url)
        yield Pause(LIMIT)
        story.append("asked again")
        yield get(url)
        yield Pause(0.001)
        yield Pause(0.0)

    began = time.monotonic()
    with serve(app(json_answer(200, {}))) as running:
        for index, _ in HttpFetcher().fetch(requests(running.url)):
            story.append(index)
    assert story == [0, "asked again", 1]
    assert time.monotonic() - began < LIMIT / 2


def test_a_pause_with_nothing_in_flight_is_kept():
    began = time.monotonic()
    assert list(HttpFetcher().fetch([Pause(0.05), Pause(0.0), Pause(0.05)])) == []
    assert time.monotonic() - began >= 0.1


def test_pauses_of_nothing_let_the_answers_in():
    """A stream that never waits and never ends until it has seen its answer."""
    seen = []

    def requests(url):
        yield get(url)
        until = time.monotonic() + LIMIT
        while not seen and time.monotonic() < until:
            yield Pause(0.0)

    with serve(app(json_answer(200, {}))) as running:
        for _, answer in HttpFetcher().fetch(requests(running.url)):
            seen.append(answer.status)
    assert seen == [200]


def test_no_request_is_no_answer():
    assert list(HttpFetcher().fetch([])) == []


def test_what_is_no_request_is_a_mistake_of_ours():
    with pytest.raises(TypeError, match="not a request of this kind, HttpRequest"):
        list(HttpFetcher().fetch([LocalRequest("b", "en-pt", ("x",))]))


# --- leaving early ------------------------------------------------------------------------------


def sockets():
    folder = Path("/proc/self/fd")
    found = set()
    for entry in os.listdir(folder):  # noqa: PTH208 - entries vanish while they are listed
        try:
            found.add(os.readlink(folder / entry))  # noqa: PTH115
        except OSError:
            continue
    return {one for one in found if one.startswith(("socket:", "anon_inode:[eventpoll]"))}


def hanging(request, wire):
    if request.path == "/now":
        wire.send(Answer(200, b"{}"))
    else:
        wire.wait(LIMIT)
        wire.drop()


@pytest.mark.parametrize("how", ["closed", "forgotten", "raised"])
def test_leaving_in_the_middle_closes_everything(how):
    def requests(url):
        yield get(f"{url}/now")
        for _ in range(5):
            yield get(f"{url}/never")
        yield Pause(LIMIT)
        if how == "raised":
            raise ZeroDivisionError
        yield Pause(LIMIT)

    gc.collect()
    before = sockets()
    with serve(hanging) as running:
        answers = HttpFetcher().fetch(requests(running.url))
        assert next(answers)[1].status == 200
        if how == "raised":
            with pytest.raises(ZeroDivisionError):
                next(answers)
        elif how == "closed":
            answers.close()
        del answers
        gc.collect()
    assert sockets() == before
    assert asyncio._get_running_loop() is None


# --- several threads ----------------------------------------------------------------------------


def test_one_outside_for_several_threads(tmp_path):
    met, found = threading.Barrier(4), {}

    def meet(request, wire):
        if request.path == "/0":
            met.wait(LIMIT)
        wire.send(Answer(200, request.headers["x-thread"].encode()))

    outside = Outside(tmp_path, 1, Way(seconds=5))

    def work(name):
        stream = [Pause(0.0), *(get(f"{running.url}/{n}", ("X-Thread", name)) for n in range(5))]
        found[name] = [answer.body.decode() for _, answer in outside.fetch(stream)]

    with serve(meet) as running:
        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
    outside.close()
    assert found == {name: [name] * 5 for name in "abcd"}


def test_outside_takes_nothing_that_nobody_answers(tmp_path):
    outside = Outside(tmp_path, 1, Way())
    assert list(outside.fetch([])) == []
    assert list(outside.fetch([Pause(0.0)])) == []
    with pytest.raises(TypeError, match="nothing here answers"):
        list(outside.fetch(["a question"]))


# --- what is sent -------------------------------------------------------------------------------


def test_who_asks_is_said_and_no_cache_is_wanted():
    with serve(app(json_answer(200, {}))) as running:
        ask(get(running.url), Way(contact="mailto:a@b.invalid"))
        ask(get(running.url, ("User-Agent", "another")))
        first, second = (request.headers for request in running.requests)
    assert first["user-agent"].startswith("monitor/")
    assert "(+mailto:a@b.invalid)" in first["user-agent"]
    assert first["cache-control"] == "no-cache"
    assert first["accept-encoding"] == "gzip"
    assert "cookie" not in first
    assert second["user-agent"] == "another"


def test_no_cookie_comes_back_and_none_is_kept():
    with serve(app(json_answer(200, {}, {"Set-Cookie": "id=us", "X-Kept": "yes"}))) as running:
        stream = [get(running.url), Pause(LIMIT), get(running.url)]
        answers = [answer for _, answer in HttpFetcher().fetch(stream)]
        assert all("cookie" not in request.headers for request in running.requests)
    for answer in answers:
        names = [name for name, _ in answer.headers]
        assert "x-kept" in names
        assert "set-cookie" not in names


def test_a_redirect_is_an_answer_and_the_key_stays_here(monkeypatch):
    monkeypatch.setenv("TEST_KEY", "s3cret-key")
    with (
        serve(app(json_answer(200, {}))) as other,
        serve(app(faults.redirect(f"{other.url}/elsewhere"))) as running,
    ):
        answer = ask(get(running.url, ("Authorization", "Bearer secret:TEST_KEY")))
        assert other.requests == []
    assert said(answer) == OK
    assert answer.status == 302
    assert ("location", f"{other.url}/elsewhere") in answer.headers


@check_each("to", ["http://[::1", "http://a b/", "ftp://x/", "//", "http://" + "a" * 70])
def test_a_redirect_to_nowhere_is_no_exception(to):
    with serve(app(faults.redirect(to))) as running:
        assert ask(get(running.url)).outcome in (Outcome.OK, Outcome.FAILED)


# --- the way out --------------------------------------------------------------------------------


@pytest.fixture
def nobody():
    """An address where nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


def test_proxies_of_the_environment_are_ignored(monkeypatch, nobody):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, nobody)
    monkeypatch.delenv("NO_PROXY", raising=False)
    answer = given()
    assert said(answer) == OK
    assert answer.egress == "direct"


def test_the_proxy_of_the_settings_is_used_even_for_names_that_only_it_knows():
    with serve(app(json_answer(200, {"by": "proxy"}))) as running:
        answer = ask(get("http://service.invalid/x?q=1"), Way(proxy=running.url, exit="vienna"))
        [request] = running.requests
    assert request.target == "http://service.invalid/x?q=1"
    assert request.headers["host"] == "service.invalid"
    assert (said(answer), answer.egress) == (OK, "vienna")


def test_a_proxy_that_refuses_is_a_service_out_of_reach():
    with serve(app(json_answer(407, {}))) as running:
        answer = ask(get("https://service.invalid/"), Way(seconds=2, proxy=running.url))
    assert answer.outcome is Outcome.FAILED
    assert answer.reason in (Reason.UNREACHABLE, Reason.TRUNCATED)


def test_a_proxy_that_is_away_is_a_service_out_of_reach(nobody):
    assert said(ask(get("http://service.invalid/"), Way(proxy=nobody))) == UNREACHABLE


@pytest.mark.parametrize("proxy", ["nonsense", "ftp://u:passw0rd@x:1", "http://u:passw0rd@[::1"])
def test_a_proxy_that_is_none_is_said_without_its_password(proxy):
    with pytest.raises(InvalidInput, match="MONITOR_PROXY: must be http://") as caught:
        ask(get("http://127.0.0.1:1/"), Way(proxy=proxy))
    assert "passw0rd" not in str(caught.value)


def test_a_socks_proxy_that_is_away_is_a_service_out_of_reach():
    assert (
        said(ask(get("http://service.invalid/"), Way(proxy="socks5://127.0.0.1:1"))) == UNREACHABLE
    )


# --- what is never raised -----------------------------------------------------------------------


def test_nobody_there(nobody):
    answer = ask(get(nobody))
    assert said(answer) == UNREACHABLE
    assert (answer.status, answer.body, answer.url) == (None, b"", nobody)


@pytest.mark.parametrize(
    "error", [socket.gaierror(-2, "Name or service not known"), OSError(5, "x")]
)
def test_a_name_that_nobody_knows(monkeypatch, error):
    def lookup(*_args, **_kwargs):
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    assert said(ask(get("http://nobody.invalid/"))) == UNREACHABLE


@check_each(
    "url",
    [
        "", "nonsense", "http://", "http://[::1",
        "ftp://127.0.0.1/", "http:///path", "http://127.0.0.1:1/\x00", "http://\ud83d/",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_refused(url):
    assert said(ask(get(url))) == REFUSED


@pytest.mark.parametrize("url", ["http://127.0.0.1:99999/", "https://127.0.0.1:99999/"])
def test_what_the_libraries_let_through_is_an_answer_too(url):
    answer = ask(get(url))
    assert said(answer) == (Outcome.FAILED, Reason.EXCEPTION)
    assert "port must be 0-65535" in answer.detail


@check_each("text", ["Ärztin", "a\nX-Evil: 1", "a\0b", "\ud83d"])
def test_a_header_that_cannot_be_sent_is_refused(text):
    with serve(app(json_answer(200, {}))) as running:
        assert said(ask(get(running.url, ("X-Test", text)))) == REFUSED
        assert running.requests == []


@pytest.mark.parametrize("body", [b"no JSON", b"\xff", b""])
def test_a_body_that_takes_no_key_is_refused(monkeypatch, body):
    monkeypatch.setenv("TEST_KEY", "s3cret-key")
    request = HttpRequest(
        "POST", "http://127.0.0.1:1/", body=body, body_secrets=(("k", "TEST_KEY"),)
    )
    assert said(ask(request)) == REFUSED


def test_other_headers_than_ascii_come_back():
    def play(_request, wire):
        wire.write(b"HTTP/1.1 200 OK\r\nX-Words: \xc3\x84rztin\r\nContent-Length: 2\r\n\r\n{}")

    with serve(play) as running:
        answer = ask(get(running.url))
    assert ("x-words", "Ärztin") in answer.headers


@check_each(
    "data",
    [b"", b"\x00\x01\x02", b"HTTP/1.1 two hundred\r\n\r\n", b"SSH-2.0-OpenSSH_9.9\r\n",
     b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"A" * 200_000],
)  # fmt: skip
def test_what_is_no_http_is_a_failure(data):
    def play(_request, wire):
        wire.write(data)
        wire.drop()

    with serve(play) as running:
        answer = ask(get(running.url), Way(seconds=2))
    assert answer.outcome in (Outcome.FAILED, Outcome.TIMEOUT)


def test_silence_is_a_time_out():
    with serve(app(faults.silence(LIMIT))) as running:
        answer = ask(get(running.url), SOON)
    assert said(answer) == (Outcome.TIMEOUT, Reason.NONE)
    assert 0.2 <= answer.took < 1


def test_what_came_before_a_time_out_is_kept():
    def play(_request, wire):
        wire.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthe beginning")
        wire.wait(LIMIT)
        wire.drop()

    with serve(play) as running:
        answer = ask(get(running.url), SOON)
    assert said(answer) == (Outcome.TIMEOUT, Reason.NONE)
    assert (answer.status, answer.body) == (200, b"the beginning")


# --- size and packing ---------------------------------------------------------------------------


@check_each(("size", "expected"), [(0, OK), (999, OK), (1000, OK), (1001, OVERSIZE)])
@check_each("packed", [False, True])
def test_an_answer_is_cut_where_it_is_too_large(size, expected, packed):
    body = b"x" * size
    headers = {"Content-Encoding": "gzip"} if packed else {}
    answer = given(
        200, gzip.compress(body, mtime=0) if packed else body, Way(most_bytes=1000), **headers
    )
    assert said(answer) == expected
    assert answer.body == body[:1000]
    assert answer.status == 200


def test_a_bomb_takes_no_more_memory_than_the_limit():
    bomb = faults.gzip_bomb(50)
    with serve(app(bomb)) as running:
        tracemalloc.start()
        try:
            answer = ask(get(running.url), Way(most_bytes=2**20))
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert said(answer) == OVERSIZE
    assert len(answer.body) == 2**20
    assert peak < 10 * 2**20


@check_each(
    ("packing", "body"),
    [
        ("gzip", b"not packed"),
        ("gzip", gzip.compress(b"x" * 10_000, mtime=0)[:-20]),
        ("gzip, gzip", gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0)),
        ("deflate", zlib.compress(b"{}")),
        ("zstd", zstandard.compress(b"{}")),
        ("br", b"\x0b\x00\x80{}\x03"),
        ("gzip", gzip.compress(b"{}", mtime=0)[:5]),
    ],
)
def test_what_cannot_be_unpacked_is_unreadable(packing, body):
    assert said(given(200, body, Content_Encoding=packing)) == MALFORMED


@pytest.mark.parametrize("packing", ["GZIP", "x-gzip", " gzip "])
def test_what_was_packed_is_unpacked(packing):
    assert given(200, gzip.compress(b"[1]" * 50_000, mtime=0), Content_Encoding=packing).body == (
        b"[1]" * 50_000
    )


def test_headers_without_end_are_cut():
    answer = given(200, b"{}", **{f"X-{n}": "y" * 2000 for n in range(20)})
    assert said(answer) == OK
    assert sum(len(name) + len(text) for name, text in answer.headers) <= 16_384
    assert len(answer.headers) > 5


# --- caches -------------------------------------------------------------------------------------


def ago(seconds):
    return format_datetime(datetime.now(UTC) - timedelta(seconds=seconds), usegmt=True)


@check_each(
    ("headers", "expected"),
    [
        ({}, OK),
        ({"Age": "0"}, OK),
        ({"Age": "300"}, OK),
        ({"Age": "301"}, STALE),
        ({"Age": "9" * 300}, STALE),
        ({"Age": "-5"}, OK),
        ({"Age": "²"}, OK),
        ({"Age": "soon"}, OK),
        ({"Date": ago(0)}, OK),
        ({"Date": ago(7200)}, OK),
        ({"Date": ago(-86_400)}, OK),
        ({"Date": ago(86_400)}, STALE),
        ({"Age": "10", "Date": ago(86_400)}, OK),
        ({"Date": "yesterday"}, OK),
        ({"Date": "Sat, 21 Nov 99999999999999999999 05:00:00 GMT"}, OK),
        ({"Date": "Sat, 21 Nov 2026 05:00:00 +99999999999999999999"}, OK),
        ({"Date": "Sat, 21 Nov 2026 05:00:00 -0000"}, OK),
    ],
)
def test_an_old_answer_out_of_a_cache_is_not_todays(headers, expected):
    answer = given(**headers)
    assert said(answer) == expected
    assert answer.body == b"{}"


def test_an_error_is_an_error_however_old():
    assert said(given(503, Age="9999")) == OK


# --- TLS and HTTP/2 -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pem(tmp_path_factory):
    return http2.certificate(tmp_path_factory.mktemp("tls"))


def test_http2_is_spoken_and_one_connection_is_enough(pem):
    """The server answers once three requests are there, on one connection."""
    with http2.serve(pem, together=3) as server:
        way = Way(authorities=pem, seconds=5)
        asked = [get(f"{server.url}/{n}") for n in range(3)]
        found = dict(HttpFetcher(way).fetch(asked))
        assert server.connections == 1
    assert [found[n].body for n in range(3)] == [b"/0", b"/1", b"/2"]
    assert {answer.agent for answer in found.values()} == {(("http", "HTTP/2"),)}


def test_a_certificate_that_is_not_trusted_is_a_service_out_of_reach(pem):
    with http2.serve(pem) as server:
        answer = ask(get(server.url), Way(seconds=5))
        assert server.requests == []
    assert said(answer) == UNREACHABLE
    assert "certificate" in answer.detail.lower()


def test_a_certificate_of_another_host_is_not_trusted(pem):
    with http2.serve(pem) as server:
        url = server.url.replace("127.0.0.1", "localhost")
        assert said(ask(get(url), Way(authorities=pem, seconds=5))) == UNREACHABLE


def test_plain_http_where_tls_was_expected():
    with serve(app(json_answer(200, {}))) as running:
        answer = ask(get(running.url.replace("http:", "https:")), Way(seconds=2))
    assert answer.outcome is Outcome.FAILED


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_authorities_that_are_none_name_the_variable(tmp_path, content):
    path = tmp_path / "authorities.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidInput, match=r"MONITOR_CA_FILE=.*authorities.pem"):
        ask(get("https://127.0.0.1:1/"), Way(authorities=path))


def test_no_key_is_in_the_log_of_http2(pem, monkeypatch, caplog):
    monkeypatch.setenv("TEST_KEY", "s3cret-key")
    caplog.set_level(logging.DEBUG)
    with http2.serve(pem) as server:
        request = get(server.url, ("Authorization", "secret:TEST_KEY"))
        answer = ask(request, Way(authorities=pem, seconds=5))
        assert server.requests[0][b"authorization"] == b"s3cret-key"
    assert ("x-echo", "[TEST_KEY]") in answer.headers
    assert caplog.records
    assert "s3cret" not in caplog.text


def test_no_log_line_holds_a_key_of_an_address(caplog, monkeypatch):
    monkeypatch.setenv("A_KEY", "s3cret-of-this-machine")
    caplog.set_level("DEBUG")

    def fine(_request, wire):
        wire.send(json_answer(200, {}))

    with serve(fine) as running:
        request = HttpRequest("GET", f"{running.url}/x?q=1", query_secrets=(("api_key", "A_KEY"),))
        [(_, answer)] = HttpFetcher().fetch([request])
        assert "api_key=s3cret-of-this-machine" in running.requests[0].target
    assert answer.status == 200
    assert "s3cret" not in caplog.text
    assert "s3cret" not in repr(answer)
