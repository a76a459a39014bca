"""Statements are compiled once for all databases of a process of tests.

SQLAlchemy keeps compiled statements for each of its engines, and a test has engines of its own:
to compile the same statements for each of them takes a tenth of the time of tests that run audits.
Dialects that are set up alike are equal here, so that their engines can share what is compiled.
"""

from types import FunctionType, NoneType

from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

_PLAIN = (NoneType, bool, int, str, tuple, FunctionType)
#: {settings: one object for all dialects that have them}
_settings = {}
#: Compiled statements, of all engines; the ones used longest ago are dropped.
_statements = LRUCache(4_000)


class _Comparable:
    """Equal to another dialect of its class with the same settings, once a server was reached."""

    _setting = None

    def initialize(self, connection):
        super().initialize(connection)
        plain = frozenset(pair for pair in vars(self).items() if isinstance(pair[1], _PLAIN))
        self._setting = _settings.setdefault((type(self), plain), object())

    def __eq__(self, other):
        if self._setting is None:
            return self is other
        return isinstance(other, _Comparable) and self._setting is other._setting

    def __hash__(self):
        return hash(self._setting) if self._setting is not None else id(self)


class SQLite(_Comparable, SQLiteDialect_pysqlite):
    supports_statement_cache = True


class PostgreSQL(_Comparable, PGDialect_psycopg):
    supports_statement_cache = True


def register():
    """Engines that are created from now on have these dialects."""
    for name, dialect in (
        ("sqlite", SQLite), ("sqlite.pysqlite", SQLite), ("postgresql.psycopg", PostgreSQL),
    ):  # fmt: skip
        registry.register(name, __name__, dialect.__name__)


def share(engine):
    """Let an engine use the compiled statements of all others; return it."""
    engine.update_execution_options(compiled_cache=_statements)
    return engine
