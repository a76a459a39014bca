"""`faulty_run`: a whole run against a service that fails, and what it left in the database."""

import socket
import ssl
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor import pipeline
from monitor.faults import Suspension
from monitor.fetch import Outside, lanes
from monitor.fetch.http import Way
from monitor.model import RunKind
from monitor.store.collect import bodies, pauses
from monitor.store.schema import attempts, exchanges, metadata, probes
from tests.factories import DUE, make_audit, mini_items, portuguese, quiet, rows
from tests.faults.wire import KEY, MOST_BYTES, UNKNOWN
from tests.standins import http2, serve
from tests.standins.libretranslate import LibreTranslate

#: 20 questions on all 16 stereotypes; every answer to them is masculine, so that a share below 1
#: can only come from an answer that is not there.
ITEMS = [one for one in mini_items(2) if one["half"] == "odd" or int(one["stereotype"]) > 12]
COUNT = len(ITEMS)
VARIABLE = "TEST_LT_KEY"

_ATTEMPTS = """
SELECT n, CASE WHEN final THEN 'final' WHEN exchange_id IS NULL THEN 'open' ELSE 'asked' END
    AS state, COUNT(*) AS found
FROM attempts GROUP BY 1, 2 ORDER BY 1, 2"""
#: Whether the headers came before time was up is a matter of chance.
_EXCHANGES = """
SELECT outcome, reason, CASE WHEN outcome = 'timeout' THEN NULL ELSE status END AS shown,
    COUNT(*) AS found
FROM exchanges GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
_COVERED = ("answered", "empty", "unreadable", "blocked", "unanswered")


class Indiscreet(LibreTranslate):
    """Repeats the key that it wants in a header of every proper answer."""

    def proper(self, request):
        return super().proper(request).adding({"X-Echo": self.key or "no key"})


def expire(database):
    """Let the end of every suspension come, as often as it came before."""
    with database.begin() as connection:
        now = datetime.now(UTC)
        for row in pauses.list_suspensions(connection):
            over = Suspension(now - timedelta(seconds=1), row["reason"], "", row["times"])
            pauses.store_suspension(connection, row["lane"], row["exit"], over, now)


class FaultyRun:
    """One run of 20 questions: as the fault left it, and as it goes on when all is well."""

    def __init__(self, database, folder, wrong, running, tls):
        self.database, self.wrong, self.running = database, wrong, running
        self._folder, self._tls = folder, tls
        self.mended = False
        port = running.url.rsplit(":", 1)[1]
        self.lane = f"libretranslate@{wrong.host}:{port}"
        # a key over http goes to this machine only, and a name that nobody knows is not this one
        key = {} if wrong.host == UNKNOWN else {"key": VARIABLE}
        base = f"{running.url.split(':')[0]}://{wrong.host}:{port}"
        use = {"name": "libretranslate", "targets": ["pt"], "pace": 1000.0, "own": True}
        engine = use | {"config": {"base_url": base} | key}
        self.audit = make_audit(folder, items=ITEMS, engines=[engine], tries=3)
        self.summary = self._run(
            pipeline.start(database, self.audit, RunKind.SCHEDULED, DUE), wrong.seconds
        )

    def _run(self, begun, seconds):
        trusted = self.wrong.certificate and (
            self.mended or self.wrong.certificate == "of another host"
        )
        authorities = self._tls.file if trusted else None
        way = Way(seconds=seconds, most_bytes=MOST_BYTES, authorities=authorities)
        outside = Outside(self._folder / "models", 1, way)
        try:
            return pipeline.run(self.database, self.audit, begun, outside, quiet)
        finally:
            outside.close()

    def mend(self):
        """The service is well again."""
        self.mended = True
        self.running.app._script, self.running.app._always = [], None
        if self._tls:
            self._tls.mend()

    def expire(self):
        """Let the end of every suspension come."""
        expire(self.database)

    def resume(self):
        """Go on with the run, with time enough for every answer."""
        self.summary = self._run(pipeline.resume(self.database, self.audit), 20.0)
        return self.summary

    # --- what it left ---------------------------------------------------------------------------

    def select(self, sql, **values):
        """Rows of a query."""
        return rows(self.database, sql, **values)

    def suspensions(self):
        """All suspensions, over or not."""
        with self.database.read() as connection:
            return pauses.list_suspensions(connection)

    def rows(self):
        """What `expected.toml` says of a fault, as it is in the database."""
        [run] = self.select("SELECT state FROM runs")
        [covered] = self.select("SELECT * FROM coverage")
        assert covered["planned"] == COUNT
        found = {
            "state": run["state"],
            "exchanges": [
                " ".join(str(cell) for cell in _in_words(row) if cell not in (None, ""))
                for row in self.select(_EXCHANGES)
            ],
            "attempts": [f"{r['found']} n={r['n']} {r['state']}" for r in self.select(_ATTEMPTS)],
            "coverage": {name: covered[name] for name in _COVERED if covered[name]},
        }
        for row in self.suspensions():
            minutes = round((row["until"] - row["since"]).total_seconds() / 60)
            assert (row["lane"], row["exit"], row["times"]) == (self.lane, "direct", 1)
            found["suspended"] = f"{row['reason']}, {minutes} min"
        return found

    def asked(self):
        """(question, request as it is described) of every attempt that was asked."""
        query = (
            sa.select(probes.c.text, exchanges.c.request)
            .join_from(attempts, exchanges, exchanges.c.id == attempts.c.exchange_id)
            .join(probes, probes.c.id == attempts.c.probe_id)
        )
        with self.database.read() as connection:
            return [tuple(row) for row in connection.execute(query)]

    def left(self, exchange_id):
        """(when a request left, when its answer was there, headers of that)."""
        query = sa.select(exchanges.c.asked_at, exchanges.c.took, exchanges.c.headers)
        with self.database.read() as connection:
            row = connection.execute(query.where(exchanges.c.id == exchange_id)).one()
        return row.asked_at, row.asked_at + timedelta(seconds=row.took), dict(row.headers)

    def points(self):
        """Every point in force."""
        return self.select("SELECT * FROM points_current")

    def everything(self):
        """All that is stored, as one text: every row, and every body unpacked."""
        parts = []
        with self.database.read() as connection:
            for table in metadata.sorted_tables:
                parts += [repr(tuple(row)) for row in connection.execute(table.select())]
            ids = [row["id"] for row in self.select("SELECT id FROM bodies")]
            parts += [repr(bodies.read_body(connection, self.database, one)) for one in ids]
        return "\n".join(parts)


def _in_words(row):
    return row["found"], row["outcome"], row["reason"], row["shown"]


class Tls:
    """TLS of a stand-in whose certificate is not believed until it is mended."""

    def __init__(self, folder, wrong):
        (folder / "well").mkdir()
        self._well = http2.certificate(folder / "well")
        self.file = self._well
        if wrong.certificate == "of another host":
            (folder / "other").mkdir()
            self.file = http2.certificate(folder / "other", "127.0.0.2")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.file)

    def mend(self):
        """Show the certificate of the right host."""
        self.file = self._well
        self.context.load_cert_chain(self.file)


@contextmanager
def names(monkeypatch, wrong, is_mended):
    """Let the service's name lead where the fault says."""
    lookup = socket.getaddrinfo

    def lead(host, *args, **kwargs):
        name = host.decode() if isinstance(host, bytes) else host
        if name != wrong.host:
            return lookup(host, *args, **kwargs)
        address = "127.0.0.1" if is_mended() else wrong.leads_to
        if address is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return lookup(address, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", lead)
        yield


@pytest.fixture
def faulty_run(database, tmp_path, monkeypatch):
    """Run 20 questions against a service that fails in this way; waits are a thousandth as long."""
    monkeypatch.setattr(lanes, "FIRST_WAIT", 0.001)
    monkeypatch.setenv(VARIABLE, KEY)
    made = []
    with ExitStack() as stack:

        def run(wrong):
            tls = Tls(tmp_path, wrong) if wrong.certificate else None
            service = Indiscreet(
                key=None if wrong.host == UNKNOWN else KEY,
                translations=portuguese(ITEMS, feminine=lambda _: False),
                script=wrong.script,
                always=wrong.always,
            )
            running = stack.enter_context(serve(service, tls.context if tls else None))
            stack.enter_context(names(monkeypatch, wrong, lambda: bool(made and made[0].mended)))
            made.append(FaultyRun(database, tmp_path, wrong, running, tls))
            return made[-1]

        yield run
