"""A small HTTP server of fixed pages: GET and HEAD, no bodies, few threads, short timeouts.

It serves {path: function that makes the page} and opens no file by a requested path.
"""

import ipaddress
import logging
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from threading import BoundedSemaphore, Lock, Thread
from time import monotonic
from typing import Any

from monitor.model import InvalidInput, StoreProblem

log = logging.getLogger(__name__)

TEXT = "text/plain; charset=utf-8"
#: Nothing may be loaded, run, framed or sent from what we serve; a page may say otherwise.
NOTHING = "default-src 'none'; frame-ancestors 'none'"

#: Requests that are answered at the same time. Further connections are closed at once.
_THREADS = 8
#: Seconds without a byte, and for a whole request and its answer.
_PATIENCE = 10.0
_LONGEST = 60.0
#: Seconds that are waited for requests in flight when the server stops.
_GRACE = 5.0
_MOST_PORTS = 65_535


@dataclass(frozen=True, slots=True)
class Reply:
    """A page with its headers."""

    body: bytes
    content_type: str = TEXT
    status: int = HTTPStatus.OK
    policy: str = NOTHING  # Content-Security-Policy


#: Makes a page; it is given what the client takes (the header Accept).
Page = Callable[[str], Reply]


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Host and port to listen on."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Return whether only this machine can reach the address."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def make_address(host: str, port: int, setting: str) -> ListenAddress:
    """Return an address; `setting` is named in errors. Raise InvalidInput.

    A host is an IP address or localhost: a name could lead to another machine's address tomorrow.
    """
    host = "127.0.0.1" if host == "localhost" else host.removeprefix("[").removesuffix("]")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise InvalidInput(f"{setting}: {host!r} is no IP address, nor localhost") from None
    if not 0 <= port <= _MOST_PORTS:
        raise InvalidInput(f"{setting}: {port} is no port; ports go to {_MOST_PORTS}")
    return ListenAddress(host, port)


def parse_address(text: str, setting: str) -> ListenAddress:
    """Return the address written as host:port or [IPv6]:port. Raise InvalidInput."""
    host, colon, port = text.strip().rpartition(":")
    if not colon or not (port.isascii() and port.isdigit()):
        raise InvalidInput(f"{setting}={text!r}: write host:port, for example 127.0.0.1:8601")
    return make_address(host, int(port), setting)


class _Handler(BaseHTTPRequestHandler):
    """Answers one request and closes the connection."""

    protocol_version = "HTTP/1.1"
    server_version = "monitor"
    sys_version = ""
    timeout = _PATIENCE
    error_message_format = "%(message)s\n"
    error_content_type = TEXT
    server: "_Listener"

    _policy = NOTHING

    def parse_request(self) -> bool:
        """Refuse every method but GET and HEAD."""
        if not super().parse_request():
            return False
        if self.command in ("GET", "HEAD"):
            return True
        self._plain(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD", Allow="GET, HEAD")
        return False

    def handle_expect_100(self) -> bool:
        """Send no invitation to continue, because bodies are refused."""
        return True

    def do_GET(self) -> None:
        """Send a page, or only its headers."""
        if self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers:
            self._plain(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "send no body")
            return
        page = self.server.pages.get(self.path.split("?", 1)[0])
        if page is None:
            self._plain(HTTPStatus.NOT_FOUND, "no such page")
            return
        try:
            reply = page(self.headers.get("Accept", ""))
        except StoreProblem as error:
            log.warning("%s cannot be answered now: %s", self.path, error)
            self._plain(HTTPStatus.SERVICE_UNAVAILABLE, "the database cannot be read now")
        except Exception:
            log.exception("%s cannot be answered", self.path)
            self._plain(HTTPStatus.INTERNAL_SERVER_ERROR, "a fault of this program; see its log")
        else:
            self._send(reply)

    def do_HEAD(self) -> None:
        """Send the headers of a page."""
        self.do_GET()

    def _plain(self, status: HTTPStatus, text: str, **headers: str) -> None:
        self._send(Reply(f"{text}\n".encode(), status=status), **headers)

    def _send(self, reply: Reply, **headers: str) -> None:
        self._policy = reply.policy
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(reply.body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def end_headers(self) -> None:
        """Add the headers of every answer, including errors of the library."""
        self.close_connection = True
        self.send_header("Connection", "close")
        self.send_header("Content-Security-Policy", self._policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named so above
        """Log at level DEBUG, with other characters than ASCII escaped."""
        log.debug("%s", ascii(format % args))


class _Listener(ThreadingHTTPServer):
    """Server with a limited number of threads, and connections with a deadline."""

    daemon_threads = True
    request_queue_size = 32

    def __init__(self, address: ListenAddress, pages: Mapping[str, Page]) -> None:
        self.pages = pages
        self._free = BoundedSemaphore(_THREADS)
        self._until: dict[socket.socket, float] = {}  # deadlines of open connections
        self._lock = Lock()
        if ":" in address.host:
            self.address_family = socket.AF_INET6
        super().__init__((address.host, address.port), _Handler)

    def server_bind(self) -> None:
        """Bind the socket without a query to name servers."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Start a thread for a connection, or close it if none is free."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        with self._lock:
            self._until[request] = monotonic() + _LONGEST
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._done(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Answer, and release the thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._done(request)

    def _done(self, request: socket.socket) -> None:
        with self._lock:
            self._until.pop(request, None)
        self._free.release()

    def service_actions(self) -> None:
        """Close connections that are over their deadline."""
        now = monotonic()
        with self._lock:
            for request, until in self._until.items():
                if now > until:
                    _shut_connection(request)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401, ARG002
        """Log that a client ended a connection early."""
        log.debug("a connection of %s ended early: %r", client_address, sys.exc_info()[1])

    def wait(self, seconds: float) -> None:
        """Wait for answers in progress, at most so many seconds."""
        until = monotonic() + seconds
        for _ in range(_THREADS):
            self._free.acquire(timeout=max(0.0, until - monotonic()))


def _shut_connection(request: socket.socket) -> None:
    try:
        request.shutdown(socket.SHUT_RDWR)
    except OSError:
        log.debug("a connection that took too long has gone by itself")


class Server:
    """Server of pages in its own threads. Raise InvalidInput if it cannot listen."""

    def __init__(self, address: ListenAddress, pages: Mapping[str, Page]) -> None:
        try:
            self._listener = _Listener(address, dict(pages))
        except OSError as error:
            raise InvalidInput(
                f"{address}: cannot listen there: {error.strerror or error}"
            ) from error
        self._thread = Thread(
            target=self._listener.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True
        )

    @property
    def place(self) -> ListenAddress:
        """Return the address, with the real port where port 0 was asked for."""
        host, port = self._listener.server_address[:2]
        return ListenAddress(str(host), int(port))

    def start(self) -> None:
        """Start answering requests."""
        self._thread.start()

    def stop(self) -> None:
        """Stop accepting requests, finish those in progress, and release the port."""
        if self._thread.is_alive():
            self._listener.shutdown()
            self._thread.join()
            self._listener.wait(_GRACE)
        self._listener.server_close()
