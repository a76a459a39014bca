"""Opening the database for a command."""

from collections.abc import Iterator
from contextlib import contextmanager

from monitor import settings
from monitor.store import migrate
from monitor.store.database import Database, connect


@contextmanager
def database() -> Iterator[Database]:
    """The database of the environment, its schema checked. Raises StoreProblem."""
    chosen = settings.load()
    opened = connect(chosen.url, chosen.bodies)
    try:
        migrate.check(opened)
        yield opened
    finally:
        opened.close()
