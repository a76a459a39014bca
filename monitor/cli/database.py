"""The database of a command, opened with what the settings name."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING

import typer

from monitor import settings
from monitor.cli.console import err, note, stop_signal
from monitor.model import StoreGone

if TYPE_CHECKING:
    from monitor.fetch.service_manager import ServiceManager
    from monitor.store.database import Database

#: Seconds between two tries to reach a server that is away, and how soon a signal is noticed.
_BETWEEN_TRIES = 2.0
_HEARD_WITHIN = 0.1
#: What a server that is there refuses for as long as nobody changes a setting.
_REFUSED = (
    "authentication failed",
    "does not exist",
    "no pg_hba.conf entry",
    "not permitted to log in",
    "no password supplied",
)


@contextmanager
def database() -> "Iterator[Database]":
    """The database of the environment, its schema checked. Raises StoreProblem."""
    from monitor.store import migrations

    with open_unchecked() as opened:
        migrations.check_schema(opened)
        yield opened


def open_unchecked() -> "closing[Database]":
    """Return the database of the environment, whatever its schema; it is closed at the end."""
    from monitor.store.database import connect

    chosen = settings.load()
    return closing(connect(chosen.url, chosen.bodies))


@contextmanager
def awaited_database(check: "Callable[[Database], None]") -> "Iterator[Database]":
    """The same for what runs for years: a server that is away is waited for.

    `check` is called once the schema was checked. Raises typer.Exit with 0 where a signal ends the
    wait, and StoreProblem where waiting would not help.
    """
    with open_unchecked() as opened:
        if not _reached(opened, check):
            raise typer.Exit(0)
        yield opened


def _reached(opened: "Database", check: "Callable[[Database], None]") -> bool:
    """Wait until the server answers; False where a signal ended the wait."""
    from monitor.fetch.service_manager import ServiceManager
    from monitor.store import migrations

    manager = ServiceManager.from_environment(os.environ)
    told = ""
    with stop_signal(words="") as stop:
        while not stop():
            try:
                migrations.check_schema(opened)
                check(opened)
            except StoreGone as error:
                if any(words in str(error) for words in _REFUSED):
                    raise
                if told != str(error):
                    told = str(error)
                    line = f"waiting for the database: {told} (Ctrl-C or SIGTERM ends the wait)"
                    note(line)
                    manager.report_ready(f"waiting for the database: {told}")
                _rest(manager, stop)
            else:
                if told:
                    err.print("the database is there")
                return True
    err.print("stopped while waiting for the database; nothing was begun")
    manager.report_stopping()
    return False


def _rest(manager: "ServiceManager", stop: Callable[[], bool]) -> None:
    """Wait for the next try, or for a signal."""
    manager.report_alive()
    until = monotonic() + _BETWEEN_TRIES
    while monotonic() < until and not stop():
        sleep(_HEARD_WITHIN)
