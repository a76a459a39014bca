"""The server of health and metrics: what it answers and refuses. By raw sockets."""

import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from monitor.model import InvalidInput, StoreGone
from monitor.web import connections
from monitor.web.connections import (
    HEADERS,
    ListenAddress,
    Reply,
    Server,
    make_address,
    parse_address,
)

LONG = 30.0
ANY_PORT = ListenAddress("127.0.0.1", 0)


@contextmanager
def serving(pages, at=ANY_PORT):
    server = Server(at, pages)
    server.start()
    try:
        yield server.place
    finally:
        server.stop()


def raw(at, sent):
    """All that comes back."""
    found = b""
    opened = socket.create_connection((at.host, at.port), timeout=LONG)
    with opened, suppress(ConnectionError):  # who is cut off may have sent something unread
        opened.sendall(sent)
        while some := opened.recv(65536):
            found += some
    return found


def get(at, path="/", method="GET", headers=()):
    """(status, headers, body)."""
    lines = [f"{method} {path} HTTP/1.1", "Host: x", *headers, "", ""]
    head, _, body = raw(at, "\r\n".join(lines).encode()).partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    named = {}
    for line in rest:
        name, _, value = line.partition(": ")
        named[name.lower()] = value
    return int(first.split()[1]), named, body


@pytest.fixture
def here():
    with serving({"/": lambda _: Reply(b"hello"), "/takes": lambda a: Reply(a.encode())}) as at:
        yield at


def test_a_page(here):
    status, headers, body = get(here)
    assert (status, body) == (200, b"hello")
    assert headers["content-length"] == "5"
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert get(here, "/?query=1")[2] == b"hello"
    assert get(here, "/takes", headers=["Accept: this"])[2] == b"this"


def test_a_head_has_no_body(here):
    status, headers, body = get(here, method="HEAD")
    assert (status, headers["content-length"], body) == (200, "5", b"")


@pytest.mark.parametrize("path", ["/", "/nothing"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "BREW"])
def test_every_answer_has_the_strict_headers(here, path, method):
    _, headers, _ = get(here, path, method)
    for name, value in HEADERS.items():
        assert headers[name.lower()] == value
    assert headers["connection"] == "close"
    assert "server" not in headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW", "get"])
def test_nothing_but_get_and_head(here, method):
    status, headers, _ = get(here, method=method)
    assert (status, sorted(headers["allow"].split(", "))) == (405, ["GET", "HEAD"])


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/../", "/%2e%2e/", "/a/b", "http://x/", "/index.html", "*"]
)
def test_no_other_path_is_there(here, path):
    status, headers, body = get(here, path)
    assert (status, body) == (404, b"Not Found")
    assert headers["content-type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200) + b"\r\n\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 150 + b"\r\n",
        b"GET /<script>x</script> HTTP/1.1\r\nHost: x\r\n\r\n",
        b"<script>alert(1)</script>\r\n\r\n",
    ],
)
def test_what_is_no_request_of_ours_is_survived(here, sent):
    found = raw(here, sent)
    assert b"<script" not in found.split(b"\r\n\r\n", 1)[-1]
    assert get(here)[0] == 200


def test_faults_are_told_without_their_words(caplog):
    def breaks(_):
        raise ValueError("secret")

    def away(_):
        raise StoreGone("postgresql://user@host: secret")

    with serving({"/breaks": breaks, "/away": away}) as at:
        assert get(at, "/breaks")[::2] == (500, b"a fault of this program; see its log\n")
        assert get(at, "/away")[::2] == (503, b"the database cannot be read now\n")
    assert "secret" in caplog.text


def test_who_sends_nothing_is_cut_off(monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    with serving({"/": lambda _: Reply(b"x")}) as at:
        assert raw(at, b"GET / HTTP/1.1\r\n") == b""
        assert get(at)[0] == 200


def drip(connection):
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        connection.sendall(b"X: y\r\n")
        time.sleep(0.05)


def test_who_sends_slowly_is_cut_off(monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    with serving({"/": lambda _: Reply(b"x")}) as at:
        with socket.create_connection((at.host, at.port), timeout=LONG) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n")
            with pytest.raises(OSError):  # noqa: PT011 - reset or broken pipe
                drip(connection)
        assert get(at)[0] == 200


def test_a_stop_finishes_what_is_in_flight():
    inside, go_on = threading.Event(), threading.Event()

    def slow(_):
        inside.set()
        assert go_on.wait(LONG)
        return Reply(b"done")

    server = Server(ANY_PORT, {"/": slow})
    server.start()
    found = []
    asking = threading.Thread(target=lambda: found.append(get(server.place)[2]))
    asking.start()
    assert inside.wait(LONG)
    stopping = threading.Thread(target=server.stop)
    stopping.start()
    go_on.set()
    stopping.join()
    asking.join()
    assert found == [b"done"]
    with pytest.raises(OSError):  # noqa: PT011 - refused
        get(server.place)


def test_a_server_that_was_never_started_is_stopped():
    Server(ANY_PORT, {}).stop()


def test_a_port_that_is_taken_is_said_in_one_sentence(here):
    with pytest.raises(InvalidInput, match=f"{here.host}:{here.port}: cannot listen there: "):
        Server(here, {})


def test_ipv6():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 here")
    with serving({"/": lambda _: Reply(b"x")}, ListenAddress("::1", 0)) as at:
        assert get(at)[0] == 200
        assert str(at) == f"[::1]:{at.port}"


@pytest.mark.parametrize(
    ("text", "host", "port", "loopback"),
    [
        ("127.0.0.1:8601", "127.0.0.1", 8601, True),
        ("localhost:0", "127.0.0.1", 0, True),
        ("[::1]:80", "::1", 80, True),
        ("127.9.9.9:1", "127.9.9.9", 1, True),
        ("0.0.0.0:1", "0.0.0.0", 1, False),  # noqa: S104 - it is refused without a word more
        ("[::]:1", "::", 1, False),
        ("192.0.2.1:65535", "192.0.2.1", 65535, False),
    ],
)
def test_places(text, host, port, loopback):
    found = parse_address(text, "X")
    assert (found.host, found.port, found.is_loopback) == (host, port, loopback)


@pytest.mark.parametrize("text", ["", "8601", "127.0.0.1", "x:1", "127.0.0.1:-1", "127.0.0.1:٣",
                                  ":80", "127.0.0.1:65536", "example.org:80"])  # fmt: skip
def test_what_is_no_place(text):
    with pytest.raises(InvalidInput, match="X"):
        parse_address(text, "X")
    assert not ListenAddress("name", 1).is_loopback
    assert make_address("localhost", 1, "X") == ListenAddress("127.0.0.1", 1)
