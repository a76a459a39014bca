"""Who works beside the clock: hands that perform tasks, and whoever is started with the daemon."""

from typing import Protocol

from monitor.work.perform import Here, Shop


class Companion(Protocol):
    """Started when the daemon is, stopped when it ends."""

    def start(self) -> None:
        """Begin, and return."""
        ...

    def stop(self) -> None:
        """End, and return when that is done."""
        ...


class Hands(Protocol):
    """Who performs tasks. They are started when this daemon leads."""

    @property
    def in_flight(self) -> int:
        """How many tasks are being performed here."""
        ...

    @property
    def is_alive(self) -> bool:
        """Whether ready tasks are still looked for."""
        ...

    def start(self) -> None:
        """Begin to look for tasks."""
        ...

    def wake(self) -> None:
        """Look now: there may be something to do."""
        ...

    def close(self, *, wait: bool) -> None:
        """Begin nothing more; wait for what is in flight, or leave it."""
        ...


def hands(shop: Shop, at_once: int) -> Hands:
    """The hands for a database: threads of this process, or workers that are handed tasks."""
    if shop.database.keeps_files:
        return Here(shop, at_once)
    from monitor.daemon.handing import Handing  # noqa: PLC0415 - on SQLite nobody needs it

    return Handing(shop)
