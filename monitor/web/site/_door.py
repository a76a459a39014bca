"""A listening socket that lets in so many at once, and so many of one address.

Connections are counted from when they come until they end, those too that never finish the
handshake of TLS: the server knows of a connection only after it.
"""

import socket
from collections import Counter
from collections.abc import Callable
from typing import Any

from monitor.web.site._site import client_network

#: Connections at once, and those of one address: browsers have six, an office has one address.
MOST = 300
OF_AN_ADDRESS = 50


class Door(socket.socket):
    """Listens; `is_proxy` says of an address whether it is one, through which everybody comes."""

    def __init__(self, family: int, is_proxy: Callable[[str], bool]) -> None:
        # asyncio sends small answers at once only where the protocol is named
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._is_proxy = is_proxy
        self._open: Counter[str] = Counter()

    def accept(self) -> tuple[socket.socket, Any]:
        """A connection that may come in. Raises ConnectionAbortedError for one that may not."""
        plain, address = super().accept()
        place = client_network(address[0])
        if not self._has_room(address[0], place):
            plain.close()
            raise ConnectionAbortedError
        self._open[place] += 1
        return _Counted(plain, lambda: self._ended(place)), address

    def _has_room(self, address: str, place: str) -> bool:
        if self._open.total() >= MOST:
            return False
        return self._open[place] < OF_AN_ADDRESS or self._is_proxy(address)

    def _ended(self, place: str) -> None:
        self._open -= Counter([place])  # forgets who has none left


class _Counted(socket.socket):
    """A connection that says when it ends."""

    def __init__(self, plain: socket.socket, ended: Callable[[], None]) -> None:
        super().__init__(plain.family, plain.type, plain.proto, fileno=plain.detach())
        self._ended: Callable[[], None] | None = ended

    def close(self) -> None:
        """End, and say so once."""
        super().close()
        if self._ended:
            self._ended()
            self._ended = None
