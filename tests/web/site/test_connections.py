"""Connections that say little, or nothing, or too much: each ends in time and holds up nobody."""

import socket
from contextlib import contextmanager, suppress
from threading import Event
from threading import enumerate as enumerate_threads
from time import sleep
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import anyio.to_thread
import pytest

from monitor.web import connections
from monitor.web.site import middleware, serving
from monitor.web.site.site_state import EntryRule

LONG = 30.0
HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
FORM = (
    b"POST /login HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 20\r\n"
)
#: What stands in the head of every answer.
ALWAYS = {f"{name.lower()}: {value}" for name, value in connections.HEADERS.items()}


@contextmanager
def served(app, **patience):
    """The port of a server as `monitor serve` sets it up, in this process."""
    config = serving._configure_server(app, serving.ServeOptions("127.0.0.1", 0))
    for name, value in patience.items():
        setattr(config, name, value)
    here = connections.ListenAddress("127.0.0.1", 0)
    with connections.open_listener(here, app._access.is_proxy) as listening:
        server = connections.ServerThread(config, listening)
        server.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.stop()


@pytest.fixture
def app(sqlite_database, make_client):
    return make_client(sqlite_database, entry=EntryRule.LOCAL).app


def connection(port):
    return socket.create_connection(("127.0.0.1", port), timeout=LONG)


def read(plain):
    """All that comes until the other end closes."""
    parts = []
    try:
        while part := plain.recv(65_536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def head_of(answer):
    """The lines of an answer's head, names of headers in small letters."""
    head = answer.partition(b"\r\n\r\n")[0].decode()
    first, *lines = head.split("\r\n")
    named = (line.partition(": ") for line in lines)
    return [first, *(f"{name.lower()}: {value}" for name, _, value in named)]


@pytest.mark.parametrize("sent", [b"", b"G", HEAD, b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: "])
def test_who_does_not_finish_a_request_is_cut_off(app, monkeypatch, sent):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    with served(app) as port, connection(port) as plain:
        plain.sendall(sent)
        assert read(plain) == b""


@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01", b"GET /\r\n\r\n", b"GET / HTTP/1.1\r\nX\r\n\r\n"]
)
def test_what_is_no_request_is_answered_with_the_headers_of_all_answers(app, sent):
    with served(app) as port, connection(port) as plain:
        plain.sendall(sent + b"\r\n")
        answer = read(plain)
    lines = head_of(answer)
    assert lines[0] == "HTTP/1.1 400 Bad Request"
    assert set(lines) >= ALWAYS
    assert not answer.endswith(b"\r\n\r\n")


def test_who_sends_a_byte_now_and_then_is_cut_off_too(app, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with served(app) as port, connection(port) as plain:
        with suppress(ConnectionError):
            for _ in range(1_000):
                plain.sendall(b"X")
                sleep(0.02)
            pytest.fail("it was waited for")
        assert read(plain) == b""


def test_a_second_request_has_its_time_too(app, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 5.0)
    with served(app) as port, connection(port) as plain:
        plain.sendall(HEAD + b"\r\n")
        assert plain.recv(65_536).startswith(b"HTTP/1.1 200 ")
        plain.sendall(HEAD)
        read(plain)  # ends


def test_a_body_that_does_not_come_is_not_waited_for(app, monkeypatch):
    monkeypatch.setattr(middleware, "_BODY_SECONDS", 0.2)
    with served(app) as port, connection(port) as plain:
        plain.sendall(FORM + b"\r\nname=a")
        assert read(plain).startswith(b"HTTP/1.1 408 ")


def test_a_connection_ends_some_time(app, monkeypatch):
    monkeypatch.setattr(connections, "CONNECTION_SECONDS", 0.3)
    with served(app, timeout_keep_alive=1_000) as port, connection(port) as plain:
        plain.sendall(HEAD + b"\r\n")
        read(plain)  # ends


def test_more_connections_than_there_may_be_are_turned_away(app, monkeypatch):
    monkeypatch.setattr(connections, "MOST_ANSWERED", 5)
    with served(app) as port:
        with held(port, 5), connection(port) as plain:
            plain.sendall(HEAD + b"Connection: close\r\n\r\n")
            lines = head_of(read(plain))
        assert lines[0] == "HTTP/1.1 503 Service Unavailable"
        assert ALWAYS | {"retry-after: 5"} <= set(lines)
        sleep(0.1)
        with connection(port) as plain:
            plain.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert read(plain).startswith(b"HTTP/1.1 200 ")


def test_a_fault_that_no_page_catches_is_answered_with_the_headers_of_all_answers(app, caplog):
    async def fail(*_):
        raise RuntimeError("a fault of the guard")

    app._app = fail
    with served(app) as port, connection(port) as plain:
        plain.sendall(HEAD + b"\r\n")
        answer = read(plain)
    lines = head_of(answer)
    assert lines[0] == "HTTP/1.1 500 Internal Server Error"
    assert set(lines) >= ALWAYS
    assert b"a fault of the guard" not in answer
    assert "a fault of the guard" in caplog.text


@contextmanager
def held(port, number):
    """So many connections that are open and say nothing."""
    some = [connection(port) for _ in range(number)]
    yield
    for one in some:
        one.close()


def is_answered(port):
    with connection(port) as plain:
        with suppress(ConnectionError):
            plain.sendall(HEAD + b"Connection: close\r\n\r\n")
        return read(plain).startswith(b"HTTP/1.1 200 ")


def test_head_is_answered_without_a_body(app):
    with served(app) as port, connection(port) as plain:
        plain.sendall(HEAD.replace(b"GET", b"HEAD") + b"Connection: close\r\n\r\n")
        head, _, body = read(plain).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert body == b""


def test_an_address_has_only_so_many_connections(app, monkeypatch):
    monkeypatch.setattr(connections, "MOST_PER_NETWORK", 3)
    with served(app) as port:
        with held(port, 3):
            assert not is_answered(port)
        for _ in range(100):
            if is_answered(port):
                break
            sleep(0.05)
        assert [is_answered(port) for _ in range(5)] == [True] * 5  # each leaves its place


@pytest.mark.parametrize("most", [4, 5])
def test_through_a_proxy_all_come_that_may(sqlite_database, make_client, monkeypatch, most):
    monkeypatch.setattr(connections, "MOST_PER_NETWORK", 3)
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", most)
    proxies = (serving._parse_network("127.0.0.0/8"),)
    app = make_client(sqlite_database, proxies=proxies, is_secure=True).app
    with served(app) as port, held(port, 4):
        assert is_answered(port) == (most > 4)


def test_it_ends_though_a_page_goes_on(sqlite_database, monkeypatch, tmp_path):
    begun, go_on, done, said, asked = Event(), Event(), Event(), [], []

    def endless():
        begun.set()
        go_on.wait(LONG)
        done.set()

    async def pages(scope, _receive, _send):
        if scope["type"] == "http":
            await anyio.to_thread.run_sync(endless)

    def hear(line):
        said.append(line)
        if not asked:
            asked.append(connection(urlsplit(line.split()[1]).port))
            asked[0].sendall(HEAD + b"\r\n")

    monkeypatch.setattr(serving, "build_application", lambda *_: pages)
    monkeypatch.setattr(connections, "_GRACE_SECONDS", 0.1)
    monkeypatch.setattr(connections, "_AFTER_GRACE_SECONDS", 0.1)
    here = serving.ServeOptions("127.0.0.1", 0)
    before = set(enumerate_threads())  # threads of other tests may still be there
    serving.serve(sqlite_database, ZoneInfo("UTC"), tmp_path, here, begun.is_set, hear)
    assert not done.is_set()
    # the process does not wait for any of them
    begun_here = set(enumerate_threads()) - before
    ours = [one for one in begun_here if one.name in ("web", "AnyIO worker thread")]
    assert [one.daemon for one in ours] == [True, True]
    assert said[1].startswith("everybody at this machine reads, until there are users (monitor ")
    go_on.set()
    asked[0].close()


@pytest.mark.parametrize(
    "head",
    [
        HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n",
        HEAD + b"Host: evil.test\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n",
        b"GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /healthz\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ],
    ids=range(9),
)  # fmt: skip
def test_requests_that_can_be_read_in_two_ways_are_refused(app, head):
    with served(app) as port, connection(port) as plain:
        plain.sendall(head)
        assert read(plain)[9:12] in (b"400", b"421", b"501")
