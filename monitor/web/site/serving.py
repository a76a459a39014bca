"""Server of the application: options of `monitor serve`, rules of access, TLS and processes."""

import gc
import logging
import os
import re
import signal
import ssl
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path
from time import monotonic, sleep
from typing import NoReturn
from zoneinfo import ZoneInfo

import uvicorn
from starlette.types import ASGIApp

from monitor.model import InvalidInput, MonitorError
from monitor.store.access import users
from monitor.store.database import Database
from monitor.web.connections import (
    ListenAddress,
    ServerThread,
    make_address,
    make_config,
    open_listener,
)
from monitor.web.health import Health
from monitor.web.metrics import Metrics
from monitor.web.site.app import build_application
from monitor.web.site.site_state import Access, EntryRule, Network, Site

log = logging.getLogger(__name__)

_ADD_USER = "monitor users add NAME --role viewer"
#: {(who may come in, whether there are users): words}.
_WHO_READS = {
    (EntryRule.LOCAL, False): "everybody at this machine reads, until there are users "
    f"({_ADD_USER})",
    (EntryRule.LOCAL, True): "users log in, at this machine alone",
    (EntryRule.LOGIN, False): f"nobody can come in until there are users ({_ADD_USER})",
    (EntryRule.LOGIN, True): "users log in",
    (EntryRule.PUBLIC, False): "everybody reads what is not under embargo",
    (EntryRule.PUBLIC, True): "everybody reads what is not under embargo; users log in for more",
}
#: How often the loop looks whether it is to stop.
_LOOP_SECONDS = 0.2
#: New objects before the youngest are looked through; then how often before older ones are.
_GARBAGE_THRESHOLDS = (50_000, 20, 50)
#: Seconds that a page waits for others who write, and that it reads. Its threads are few.
_WRITER_SECONDS = 5.0
_READ_SECONDS = 20.0
_HOST_NAME = re.compile(r"[a-z0-9._-]+")
_TLS_FAULTS = {
    "KEY_VALUES_MISMATCH": "the key is not that of the certificate",
    "PEM_LIB": "no PEM files, or a key that needs a password; both are to be PEM, the key plain",
    "NO_START_LINE": "the certificate is no PEM file",
    "BAD_DECRYPT": "the key needs a password; give one that is plain, and readable by us only",
}
#: Seconds for requests in flight, more than a server has for them, and between two looks.
_PATIENCE = 10.0
_WAIT = 0.02
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def describe_access(site: Site) -> str:
    """Return one line about access: who may read, and under which host names."""
    access = site.access
    with site.database.read() as connection:
        has_users = users.has_users(connection)
    proxies = ", ".join(
        str(network if network.num_addresses > 1 else network.network_address)
        for network in access.proxies
    )
    through = f"; only through the proxy {proxies}" if proxies else ""
    names = ", ".join(sorted(access.hosts))
    who = _WHO_READS[access.entry, has_users]
    return f"{who}{through}; under the names {names} (--name adds one). Ctrl-C ends it"


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
    config = _configure_server(app, asked)
    listening = open_listener(address, site.access.is_proxy, is_shared=asked.processes > 1)
    server = ServerThread(config, listening)
    # all that is there by now stays: the collector of garbage would stop every page to look through
    # it, a tenth of a second each time; what pages make is looked through seldom, by which the
    # slowest pages are a quarter quicker (bench/web.py)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE_THRESHOLDS)

    def announce() -> None:
        scheme = "https" if asked.certificate else "http"
        said(f"serving {scheme}://{ListenAddress(address.host, listening.getsockname()[1])}/")
        said(describe_access(site))

    def answer(is_over: Callable[[], bool], begin: Callable[[], None] = lambda: None) -> None:
        try:
            server.start()
            begin()
            while not is_over():
                server.check()
                sleep(_LOOP_SECONDS)
                moved[0] = monotonic()
        finally:
            server.stop()

    if asked.processes > 1:
        metrics.page("")  # counters of all processes begin here
        database.close()  # a connection belongs to one process
    children = fork_children(asked.processes - 1, answer)
    try:
        answer(lambda: stop() or children.has_ended(), announce)
    finally:
        children.stop()
    if children.has_ended() and not stop():
        raise MonitorError("a process of the pages ended by itself; the log says why")


def _configure_server(app: ASGIApp, options: ServeOptions) -> uvicorn.Config:
    """Return the configuration of the server. Raise InvalidInput for a bad certificate."""
    certificate = f"--certificate {options.certificate}, --key {options.key}"
    config = make_config(
        app,
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


# --- processes that answer on the same socket -----------------------------------------------------


class ChildProcesses:
    """Child processes of this one, by their ids."""

    def __init__(self, pids: list[int]) -> None:
        self._pids = pids
        self._has_ended = False

    def has_ended(self) -> bool:
        """Return whether a child has ended by itself."""
        if codes := self._collect_ended():
            log.error("processes of the pages ended, with these codes: %s", codes)
        self._has_ended |= bool(codes)
        return self._has_ended

    def _collect_ended(self) -> list[int]:
        """Return the exit codes of children that have ended, and forget these."""
        codes = []
        for pid in tuple(self._pids):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                codes.append(os.waitstatus_to_exitcode(status))
                self._pids.remove(pid)
        return codes

    def stop(self) -> None:
        """Ask the children to finish what is in flight, and end those that take too long."""
        for pid in self._pids:
            os.kill(pid, signal.SIGTERM)
        until = monotonic() + _PATIENCE
        while self._pids and monotonic() < until:
            self._collect_ended()
            sleep(_WAIT)
        for pid in self._pids:
            log.warning("process %d does not end: it is killed", pid)
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        self._pids.clear()


def fork_children(number: int, run: Callable[[Callable[[], bool]], None]) -> ChildProcesses:
    """Fork so many children that `run`. Call it before this process starts a thread.

    `run` is given a function that returns whether the child is to end: it was sent SIGTERM, or this
    process has gone.
    """
    parent, pids = os.getpid(), []
    for _ in range(number):
        pid = os.fork()
        if pid == 0:
            _run_child(run, parent)
        pids.append(pid)
    return ChildProcesses(pids)


def _run_child(run: Callable[[Callable[[], bool]], None], parent: int) -> NoReturn:
    """Run, and end this process, which must not return into the code of its parent."""
    is_stopped = False

    def stop(*_signal: object) -> None:
        nonlocal is_stopped
        is_stopped = True

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which tells us
    signal.signal(signal.SIGTERM, stop)
    code = 1
    try:
        run(lambda: is_stopped or os.getppid() != parent)
        code = 0
    except Exception:
        log.exception("process %d cannot answer", os.getpid())
    finally:
        os._exit(code)
