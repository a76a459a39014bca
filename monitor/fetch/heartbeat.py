"""Report to an address outside that this process is well, so that its silence is noticed.

While the loop of the process moves and the database can be reached, the address is asked at
intervals. The service behind it raises the alarm when no request arrives. Such addresses hold a
token: none is ever logged, nor what a library says of it.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

import httpx

from monitor.fetch.http import Way, proxy_of, trust_context
from monitor.model import InvalidInput

log = logging.getLogger(__name__)

#: A service that answers later than this is as good as gone; the next request leaves soon.
_TIMEOUT = httpx.Timeout(10.0)


class Heartbeat:
    """Asks `url` every so many seconds while `is_well` says so. Its faults disturb nobody."""

    def __init__(
        self, url: str, seconds: float, is_well: Callable[[], bool], way: Way | None = None
    ) -> None:
        self._url, self._seconds, self._is_well = _check_url(url), seconds, is_well
        way = way or Way()
        self._client = httpx.Client(
            timeout=_TIMEOUT,
            headers={"User-Agent": way.agent},
            proxy=proxy_of(way.proxy),
            verify=trust_context(way.authorities),
            trust_env=False,
        )
        self._over = Event()
        self._failed = ""
        self._thread = Thread(target=self._run, daemon=True, name="ping")

    def start(self) -> None:
        """Begin, with a first request at once."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more. One that is under way may take its time: nobody waits for it long."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1.0)

    def _run(self) -> None:
        with self._client:
            while not self._over.is_set():
                with suppress(Exception):  # of `is_well`: who cannot say so is not well
                    if self._is_well():
                        self._log_fault(_send_request(self._client, self._url))
                self._over.wait(self._seconds)

    def _log_fault(self, fault: str) -> None:
        """Log a fault when it begins, and that it is over."""
        if fault and not self._failed:
            log.warning("MONITOR_PING_URL: nobody heard that this process is well: %s", fault)
        elif self._failed and not fault:
            log.warning("MONITOR_PING_URL: heard again")
        self._failed = fault


def _check_url(url: str) -> httpx.URL:
    """The address. Raises InvalidInput, without a word of it."""
    fault = "MONITOR_PING_URL: is no address that begins with http:// or https:// and names a host"
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        raise InvalidInput(fault) from None
    if address.scheme not in ("http", "https") or not address.host:
        raise InvalidInput(fault)
    return address


def _send_request(client: httpx.Client, url: httpx.URL) -> str:
    """Ask once; what went wrong, in words that hold nothing of the address."""
    try:
        with client.stream("GET", url) as response:  # nobody reads what comes back
            return "" if response.is_success else f"HTTP {response.status_code}"
    except Exception as error:  # noqa: BLE001 - whatever it is, work goes on
        return type(error).__name__
