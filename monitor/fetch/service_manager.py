"""Tells systemd how a service is: READY, STATUS, WATCHDOG and STOPPING datagrams to its socket.

In goes the environment that systemd set, out go datagrams; nothing where there is none.
https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
"""

import logging
import os
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)

_MICROSECONDS = 1_000_000


class ServiceManager:
    """The service manager that started this process; none where `address` is empty."""

    def __init__(self, address: str = "", watchdog_seconds: float = 0.0) -> None:
        self._address = address
        #: Within so many seconds a sign of life is wanted; 0 where none is.
        self.watchdog_seconds = watchdog_seconds

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "ServiceManager":
        """The one that the environment names."""
        address = environment.get("NOTIFY_SOCKET", "")
        length = environment.get("WATCHDOG_USEC", "")
        meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        seconds = int(length) / _MICROSECONDS if length.isdigit() and meant else 0.0
        return cls(address, seconds if address else 0.0)

    def report_ready(self, status: str) -> None:
        """The service works."""
        self._send_state("READY=1", f"STATUS={status}")

    def report_status(self, status: str) -> None:
        """Send what the service does, in a line for people."""
        self._send_state(f"STATUS={status}")

    def report_alive(self) -> None:
        """A sign of life."""
        self._send_state("WATCHDOG=1")

    def report_stopping(self) -> None:
        """The service ends."""
        self._send_state("STOPPING=1")

    def _send_state(self, *lines: str) -> None:
        if not self._address:
            return
        # "@" stands for the zero byte of an abstract socket
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        content = "\n".join(line.replace("\n", " ") for line in lines)
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as outgoing:
                outgoing.setblocking(False)  # a manager that does not listen must not stop us
                outgoing.sendto(content.encode(), address)
        except OSError as error:
            log.warning("the service manager cannot be told %s: %s", lines[0], error)
