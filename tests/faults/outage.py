"""A PostgreSQL server that can be stopped and started again on what it had stored."""

import os
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from tests import postgres

_POLL = 0.05


class Outages:
    """Stops the server as in a crash: nobody is told, and what was not committed is gone."""

    def __init__(self, server):
        self.server, self._again = server, None
        self._data = server.folder / "data"
        self._pid = self._running()
        words = Path(f"/proc/{self._pid}/cmdline").read_bytes().split(b"\0")[:-1]
        self._command = [word.decode() for word in words]

    def _running(self):
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def database(self, template):
        """A copy of a database; what it has committed outlives a crash."""
        name = self.server.create(template)
        self.server.execute(f"ALTER DATABASE {name} SET synchronous_commit = on")
        return name

    def stop(self):
        """As if the machine was gone."""
        os.kill(self._running(), signal.SIGQUIT)
        while True:
            with suppress(psycopg.OperationalError):
                self.server.execute("SELECT 1")
                time.sleep(_POLL)
                continue
            break
        if self._again is not None:
            self._again.wait()
        time.sleep(_POLL)

    def start(self):
        """It is there again."""
        how = postgres._how(self.server.folder, self.server.folder / "server.log")
        with how["stdout"]:
            self._again = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, **how)
        postgres._ready(self._again, self.server.folder, self.server.folder / "server.log")

    def close(self):
        """End the server that was started last; the first is somebody else's."""
        if self._again is not None and self._again.poll() is None:
            self._again.send_signal(signal.SIGQUIT)
            self._again.wait()

    def throw_out(self, name, chance):
        """End one connection to a database; says whether there was one."""
        query = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
        with psycopg.connect(
            host=str(self.server.folder), user="monitor", dbname="postgres", autocommit=True
        ) as connection:
            pids = [row[0] for row in connection.execute(query, [name]).fetchall()]
            if pids:
                connection.execute("SELECT pg_terminate_backend(%s)", [chance.choice(pids)])
        return bool(pids)


@contextmanager
def stoppable():
    """A server of one's own."""
    with postgres.running() as server:
        outages = Outages(server)
        try:
            yield outages
        finally:
            outages.close()
