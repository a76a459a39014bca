"""Connections that say little, or nothing, or too much: each ends in time and holds up nobody."""

import socket
from contextlib import contextmanager, suppress
from threading import Thread
from time import sleep

import pytest
import uvicorn

from monitor.web.site import _guard, _patience, serving
from monitor.web.site._site import Entry

LONG = 30.0
HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
FORM = (
    b"POST /login HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 20\r\n"
)


@contextmanager
def served(app, **patience):
    """The port of a server as `monitor serve` sets it up, in this process."""
    config = serving._configured(app, serving.Asked("127.0.0.1", 0))
    for name, value in patience.items():
        setattr(config, name, value)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            while not server.started and thread.is_alive():
                sleep(0.01)
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def app(sqlite_database, make_client):
    return make_client(sqlite_database, entry=Entry.LOCAL).app


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


@pytest.mark.parametrize("sent", [b"", b"G", HEAD, b"GET / HTTP/1.1\r\nHost: a\r\nX-Long: "])
def test_who_does_not_finish_a_request_is_cut_off(app, monkeypatch, sent):
    monkeypatch.setattr(_patience, "HEAD", 0.2)
    with served(app) as port, connection(port) as plain:
        plain.sendall(sent)
        assert read(plain) == b""


def test_who_sends_a_byte_now_and_then_is_cut_off_too(app, monkeypatch):
    monkeypatch.setattr(_patience, "HEAD", 0.3)
    with served(app) as port, connection(port) as plain:
        with suppress(ConnectionError):
            for _ in range(1_000):
                plain.sendall(b"X")
                sleep(0.02)
            pytest.fail("it was waited for")
        assert read(plain) == b""


def test_a_second_request_has_its_time_too(app, monkeypatch):
    monkeypatch.setattr(_patience, "HEAD", 5.0)
    with served(app) as port, connection(port) as plain:
        plain.sendall(HEAD + b"\r\n")
        assert plain.recv(65_536).startswith(b"HTTP/1.1 200 ")
        plain.sendall(HEAD)
        read(plain)  # ends


def test_a_body_that_does_not_come_is_not_waited_for(app, monkeypatch):
    monkeypatch.setattr(_guard, "_PATIENCE", 0.2)
    with served(app) as port, connection(port) as plain:
        plain.sendall(FORM + b"\r\nname=a")
        assert read(plain).startswith(b"HTTP/1.1 408 ")


def test_a_connection_ends_some_time(app, monkeypatch):
    monkeypatch.setattr(_patience, "LONGEST", 0.3)
    with served(app, timeout_keep_alive=1_000) as port, connection(port) as plain:
        plain.sendall(HEAD + b"\r\n")
        read(plain)  # ends


def test_more_connections_than_there_may_be_are_turned_away(app):
    with served(app, limit_concurrency=5) as port:
        idle = [connection(port) for _ in range(5)]
        with connection(port) as plain:
            plain.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert read(plain).startswith(b"HTTP/1.1 503 ")
        for one in idle:
            one.close()
        sleep(0.1)
        with connection(port) as plain:
            plain.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert read(plain).startswith(b"HTTP/1.1 200 ")


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
