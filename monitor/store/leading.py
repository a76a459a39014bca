"""Which of several daemons on one PostgreSQL leads: a lock on a connection of its own."""

import logging
from contextlib import suppress

import sqlalchemy as sa

from monitor.model import StoreGone
from monitor.store.database import Database

log = logging.getLogger(__name__)

#: Any number will do that no other program locks in the same database.
_KEY = 0x6D6F6E69746F72


class Lead:
    """The lead of a database. The server takes it away with the connection that it hangs on.

    SQLite has one machine, whose daemons are told apart by a lock on a file; there the lead is had
    for the asking.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: sa.Connection | None = None

    def held(self) -> bool:
        """Whether this process leads now; it tries to, where nobody does.

        Raises StoreGone where the server is away: then nobody knows who leads.
        """
        if self._database.keeps_files:
            return True
        if self._connection is not None:
            try:
                self._connection.execute(sa.text("SELECT 1"))
            except sa.exc.DBAPIError as error:
                log.warning("the lead is lost: %s", error.orig)
                self.release()
            else:
                return True
        try:
            return self._take()
        except sa.exc.DBAPIError as error:
            raise StoreGone(f"{self._database.place}: {error.orig}") from error

    def _take(self) -> bool:
        connection = self._database.writer.connect()
        is_ours = False
        try:
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            query = sa.text("SELECT pg_try_advisory_lock(:key)")
            is_ours = bool(connection.execute(query, {"key": _KEY}).scalar())
        finally:
            if not is_ours:
                connection.close()
        self._connection = connection if is_ours else None
        return is_ours

    def release(self) -> None:
        """Let another lead. The connection is closed, not given back: the lock hangs on it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sa.exc.SQLAlchemyError):
                connection.invalidate()
            with suppress(sa.exc.SQLAlchemyError):
                connection.close()
