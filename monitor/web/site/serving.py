"""Server of the application: options of `monitor serve`, sockets, TLS, limits and shutdown."""

import asyncio
import errno
import gc
import logging
import re
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http import HTTPStatus
from ipaddress import ip_network
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any
from zoneinfo import ZoneInfo

import h11
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from monitor.model import InvalidInput, MonitorError
from monitor.store.access import users
from monitor.store.database import Database
from monitor.web.health import Health
from monitor.web.metrics import Metrics
from monitor.web.server import ListenAddress, make_address
from monitor.web.site.app import build_application
from monitor.web.site.child_processes import fork_children
from monitor.web.site.middleware import HEADERS, LONGEST_HEAD
from monitor.web.site.site_state import Access, EntryRule, Network, Site, find_client_network

_ADD_USER = "monitor users add NAME --role viewer"
#: {(who may come in, whether there are users): words}.
_WHO_READS = {
    (
        EntryRule.LOCAL,
        False,
    ): f"everybody at this machine reads, until there are users ({_ADD_USER})",
    (EntryRule.LOCAL, True): "users log in, at this machine alone",
    (EntryRule.LOGIN, False): f"nobody can come in until there are users ({_ADD_USER})",
    (EntryRule.LOGIN, True): "users log in",
    (EntryRule.PUBLIC, False): "everybody reads what is not under embargo",
    (EntryRule.PUBLIC, True): "everybody reads what is not under embargo; users log in for more",
}
log = logging.getLogger(__name__)
#: How often the loop looks whether it is to stop, and how long requests in flight are waited for;
#: those that go on after that end with the process.
_LOOP_SECONDS = 0.2
_GRACE_SECONDS = 5
_AFTER_GRACE_SECONDS = 1.0
_START_SECONDS = 0.01
#: New objects before the youngest are looked through; then how often before older ones are.
_GARBAGE_THRESHOLDS = (50_000, 20, 50)
#: Seconds that a page waits for others who write, and that it reads. Its threads are few.
_WRITER_SECONDS = 5.0
_READ_SECONDS = 20.0
#: Seconds between two requests of one connection.
_IDLE_SECONDS = 15
_HOST_NAME = re.compile(r"[a-z0-9._-]+")
_TLS_FAULTS = {
    "KEY_VALUES_MISMATCH": "the key is not that of the certificate",
    "PEM_LIB": "no PEM files, or a key that needs a password; both are to be PEM, the key plain",
    "NO_START_LINE": "the certificate is no PEM file",
    "BAD_DECRYPT": "the key needs a password; give one that is plain, and readable by us only",
}
_REMEDIES = {
    errno.EADDRINUSE: "; another program has that port: name another one with --port",
    errno.EACCES: "; ports below 1024 are the system's: name another one with --port",
    errno.EADDRNOTAVAIL: "; this machine has no such address",
}
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def describe_access(site: Site) -> str:
    """Return one line about access: who may read, and under which host names."""
    access = site.access
    with site.database.read() as connection:
        has_users = users.has_users(connection)
    proxies = ", ".join(map(_format_network, access.proxies))
    through = f"; only through the proxy {proxies}" if proxies else ""
    names = ", ".join(sorted(access.hosts))
    who = _WHO_READS[access.entry, has_users]
    return f"{who}{through}; under the names {names} (--name adds one). Ctrl-C ends it"


def _format_network(network: Network) -> str:
    """Return a network as text; one of a single address as that address."""
    return str(network if network.num_addresses > 1 else network.network_address)


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Options of `monitor serve`."""

    host: str
    port: int
    is_public: bool = False
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None
    proxies: tuple[str, ...] = ()
    user_header: str = ""
    public_url: str = ""  # where people open the pages
    processes: int = 1  # that answer


def check_access(asked: ServeOptions, at: ListenAddress) -> Access:
    """Return who may come in. Raise InvalidInput for options that are not safe."""
    proxies = tuple(_parse_network(proxy) for proxy in asked.proxies)
    if asked.user_header and not proxies:
        raise InvalidInput(
            f"--user-header {asked.user_header}: anybody could send it; name the proxy that sets "
            "it with --proxy"
        )
    is_secure = asked.certificate is not None or bool(proxies)
    if not at.is_loopback and not is_secure:
        raise InvalidInput(
            f"--host {asked.host}: passwords and answers would cross the network in the clear; "
            "name --certificate and --key, or --proxy for one that adds TLS"
        )
    # who has a certificate means to be reached by others, by a tunnel to this address for example
    is_local = at.is_loopback and not is_secure
    entry = (
        EntryRule.PUBLIC if asked.is_public else EntryRule.LOCAL if is_local else EntryRule.LOGIN
    )
    for name in asked.names:
        if not _HOST_NAME.fullmatch(name.lower()):
            raise InvalidInput(f"--name {name!r}: a host's name alone, such as monitor.example.org")
    hosts = frozenset(name.lower() for name in (*asked.names, *_LOOPBACK, at.host))
    return Access(entry, hosts, is_secure, proxies, asked.user_header)


def _parse_network(text: str) -> Network:
    try:
        return ip_network(text)
    except ValueError:
        raise InvalidInput(
            f"--proxy {text}: is no address or network, such as 10.0.0.5 or 10.0.0.0/24"
        ) from None


def serve(
    database: Database,
    zone: ZoneInfo,
    home: Path,
    asked: ServeOptions,
    stop: Callable[[], bool],
    said: Callable[[str], None],
) -> None:
    """Serve until `stop`; `said` is told the address and who may come in, reports are below `home`.

    Raises InvalidInput.
    """
    address = make_address(asked.host, asked.port, "--host")
    moved = [monotonic()]
    database = replace(database, wait=_WRITER_SECONDS, longest=_READ_SECONDS)
    health = Health(database, lambda: monotonic() - moved[0])
    site = Site(
        database,
        zone,
        check_access(asked, address),
        lambda: datetime.now(UTC),
        home,
        asked.public_url,
    )
    metrics = Metrics(database)
    app = build_application(site, {"/readyz": health.readyz, "/metrics": metrics.page},
                      health.healthz)  # fmt: skip
    server = uvicorn.Server(_configure_server(app, asked))
    listening = _open_socket(address, site.access, is_shared=asked.processes > 1)
    # all that is there by now stays: the collector of garbage would stop every page to look through
    # it, a tenth of a second each time; what pages make is looked through seldom, by which the
    # slowest pages are a quarter quicker (bench/web.py)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE_THRESHOLDS)

    def answer(is_over: Callable[[], bool], announce: Callable[[], None]) -> None:
        _answer(server, listening, is_over, announce, moved)

    def announce() -> None:
        scheme = "https" if asked.certificate else "http"
        said(f"serving {scheme}://{ListenAddress(address.host, listening.getsockname()[1])}/")
        said(describe_access(site))

    if asked.processes > 1:
        metrics.page("")  # counters of all processes begin here
        database.close()  # a connection belongs to one process
    children = fork_children(asked.processes - 1, lambda is_over: answer(is_over, lambda: None))
    try:
        answer(lambda: stop() or children.has_ended(), announce)
    finally:
        children.stop()
    if children.has_ended() and not stop():
        raise MonitorError("a process of the pages ended by itself; the log says why")


def _answer(
    server: uvicorn.Server,
    listening: socket.socket,
    stop: Callable[[], bool],
    announce: Callable[[], None],
    moved: list[float],
) -> None:
    """Answer requests in a thread until `stop`; `moved` holds when the loop last turned."""
    # a daemon, as are the threads that it begins: the process ends though one of them reads on
    thread = Thread(target=server.run, args=([listening],), name="web", daemon=True)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            sleep(_START_SECONDS)
        if server.started:
            announce()
        while not stop() and thread.is_alive():
            sleep(_LOOP_SECONDS)
            moved[0] = monotonic()
        if not thread.is_alive():
            raise MonitorError("the pages ended by themselves; the log says why")
    finally:
        server.should_exit = True
        thread.join(_GRACE_SECONDS + _AFTER_GRACE_SECONDS)
        if thread.is_alive():
            log.warning("requests that took longer than %d s were given up", _GRACE_SECONDS)
        listening.close()


def _configure_server(app: ASGIApp, options: ServeOptions) -> uvicorn.Config:
    """Return the configuration of the server. Raise InvalidInput for a bad certificate."""
    certificate = f"--certificate {options.certificate}, --key {options.key}"
    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        loop="asyncio",  # another one would not ask the door whom it lets in
        ws="none",
        proxy_headers=False,  # the guard reads them, and only of those that it believes
        server_header=False,
        access_log=False,
        log_config=None,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ssl_certfile=options.certificate,
        ssl_keyfile=options.key,
        ssl_keyfile_password="none",  # noqa: S106 - else a terminal would be asked for it
    )
    try:
        for file in filter(None, (options.certificate, options.key)):
            file.read_bytes()
        config.load()
    except ssl.SSLError as error:
        words = _TLS_FAULTS.get(error.reason or "", error.reason or str(error))
        raise InvalidInput(f"{certificate}: {words}") from error
    except OSError as error:
        raise InvalidInput(f"{certificate}: {error.filename}: {error.strerror}") from error
    return config


def _open_socket(
    address: ListenAddress, access: Access, *, is_shared: bool = False
) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = LimitedListener(family, access.is_proxy, is_shared=is_shared)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
    except OSError as error:
        listener.close()
        remedy = _REMEDIES.get(error.errno or 0, "")
        raise InvalidInput(
            f"{address}: cannot listen there: {error.strerror or error}{remedy}"
        ) from error
    return listener


# --- limits of connections ------------------------------------------------------------------------


#: Connections at once, and those of one address: browsers have six, an office has one address.
MOST_CONNECTIONS = 300
MOST_PER_NETWORK = 50
#: Seconds in which the head of a request has to be here, and for a connection as a whole.
HEAD_SECONDS = 10.0
CONNECTION_SECONDS = 300.0
#: Connections that are answered at once; further ones are told that there are too many.
MOST_ANSWERED = 200
_RETRY_AFTER = "5"


class LimitedListener(socket.socket):
    """Listening socket with limits; `is_proxy` tells addresses of proxies, which have none.

    Several processes may share it. Each of them then counts its own connections.
    """

    def __init__(self, family: int, is_proxy: Callable[[str], bool], *, is_shared: bool) -> None:
        # asyncio sends small answers at once only where the protocol is named
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._is_proxy = is_proxy
        self._is_shared, self._has_accepted = is_shared, False
        self._open: Counter[str] = Counter()

    def accept(self) -> tuple[socket.socket, Any]:
        """Return a new connection. Raise ConnectionAbortedError over a limit.

        Raise BlockingIOError after each one if the socket is shared: asyncio takes all that wait,
        and the other processes would get none.
        """
        if self._is_shared and self._has_accepted:
            self._has_accepted = False
            raise BlockingIOError
        plain, address = super().accept()
        self._has_accepted = True
        network = find_client_network(address[0])
        if not self._has_room(address[0], network):
            plain.close()
            raise ConnectionAbortedError
        self._open[network] += 1
        return _CountedConnection(plain, lambda: self._ended(network)), address

    def _has_room(self, address: str, network: str) -> bool:
        if self._open.total() >= MOST_CONNECTIONS:
            return False
        return self._open[network] < MOST_PER_NETWORK or self._is_proxy(address)

    def _ended(self, network: str) -> None:
        self._open -= Counter([network])  # forgets who has none left


class _CountedConnection(socket.socket):
    """A connection that reports when it ends."""

    def __init__(self, plain: socket.socket, ended: Callable[[], None]) -> None:
        super().__init__(plain.family, plain.type, plain.proto, fileno=plain.detach())
        self._ended: Callable[[], None] | None = ended

    def close(self) -> None:
        """Close the connection, and report it once."""
        super().close()
        if self._ended:
            self._ended()
            self._ended = None


class TimedProtocol(H11Protocol):
    """HTTP protocol with timeouts for the head of a request and for the connection."""

    _head: asyncio.TimerHandle | None = None
    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._end = self.loop.call_later(CONNECTION_SECONDS, self._cut)
        self._pages, self.app = self.app, self._answer
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for timer in filter(None, (self._head, self._end)):
            timer.cancel()

    def send_400_response(self, msg: str) -> None:
        """Answer an invalid request with the headers of all answers."""
        headers = {**HEADERS, "Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
        status = HTTPStatus.BAD_REQUEST
        for event in (
            h11.Response(status_code=status, headers=list(headers.items()), reason=status.phrase),
            h11.Data(data=msg.encode()),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event))
        self.transport.close()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application; answer 503 over the limit and 500 after an error."""
        if max(len(self.connections), len(self.tasks)) > MOST_ANSWERED:
            words = "too much is asked at once; try again soon"
            crowded = _make_last_answer(HTTPStatus.SERVICE_UNAVAILABLE, words)
            crowded.headers["Retry-After"] = _RETRY_AFTER
            await crowded(scope, receive, send)
            return
        is_begun = False

        async def noted(message: Message) -> None:
            nonlocal is_begun
            is_begun = True
            await send(message)

        try:
            await self._pages(scope, receive, noted)
        except Exception:
            if not is_begun:
                words = "a fault of this program; its log says more"
                await _make_last_answer(HTTPStatus.INTERNAL_SERVER_ERROR, words)(
                    scope, receive, send
                )
            raise  # the server writes it into the log

    def _watch(self) -> None:
        """Start the timeout of a request's head; stop it once the head is complete."""
        cycle: RequestResponseCycle | None = self.cycle
        is_asked = cycle is not None and not cycle.response_complete
        if is_asked and self._head is not None:
            self._head.cancel()
            self._head = None
        elif not is_asked and self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self._cut)

    def _cut(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()


def _make_last_answer(status: HTTPStatus, words: str) -> PlainTextResponse:
    """Return an answer that closes its connection."""
    return PlainTextResponse(words, status, {**HEADERS, "Connection": "close"})
