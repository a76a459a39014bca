"""What analysts may read in SQL: a PostgreSQL role, and read-only questions on both databases.

Views and tables of facts can be read. Tables about single people, raw answers, and what tells how
this installation works cannot.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

import psycopg
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, ProgrammingError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from monitor.model import InvalidInput, StoreProblem
from monitor.store.database import Database
from monitor.store.migrations import read_view_files
from monitor.store.schema import PEOPLE, metadata

#: Tables that no reader is given, whatever they become: raw answers and files of jobs, what they
#: were asked with, names of hosts and folders, addresses, and who was erased.
KEPT_BACK = frozenset(
    {
        "agents", "alarms", "bodies", "bundle_files", "bundles", "documents", "donated_pages",
        "donations", "egresses",
        "embargoes", "erasures", "events", "exchanges", "instrument_audit_labels", "jobs", "leases",
        "lookups", "notices", "pauses", "processes", "reports", "runs", "suspensions", "tasks",
        "watched_jobs",
    }
)  # fmt: skip
#: Tables of facts, which the views are made of.
READABLE = frozenset(
    {
        "agreements", "attempts", "changes", "comparisons", "corpora", "corpus_documents",
        "corpus_probes", "corpus_runs", "engines", "instrument_audit_groups",
        "instrument_audit_items", "instrument_audit_strata", "instrument_audits", "item_entities",
        "item_overviews",
        "items", "judgements", "labels", "list_items", "list_probes", "lists", "lm_scores", "looks",
        "point_facts", "points", "preregistrations", "probes", "query_values", "readings",
        "reference_shares", "run_coverage", "run_lists", "scopes", "series_keys", "signatures",
        "stages_done", "switches", "ticks", "topic_values", "versions",
    }
)  # fmt: skip
#: Columns of readable tables that no reader is given: parameters of a probe name donors.
_HIDDEN_COLUMNS = {"probes": frozenset({"parameters"})}
#: Schemas that a reader may not even look into.
_CLOSED = (PEOPLE, "procrastinate")
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_CONNECTIONS = 10
_RIGHTS = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS"
_ON_SQLITE = (
    "SQLite has no roles: whoever can read the file can read all of it. Give analysts a copy of "
    "monitor.db alone (never monitor-people.db), or let them open it with mode=ro: sqlite3 "
    "'file:monitor.db?mode=ro'. Not as immutable (immutable=1, datasette -i): that is wrong for a "
    "file that is still written to. See docs/sql.md; `monitor export release` is for the public"
)


def list_statements(database: Database, name: str, seconds: int = 60) -> list[str]:
    """Return the statements that create or repair a reader, without executing them.

    `seconds` is the longest that a statement of the reader may take. Raises InvalidInput for a name
    that cannot be one, a role that could do more, and on SQLite.
    """
    if database.keeps_files:
        raise InvalidInput(_ON_SQLITE)
    if not _NAME.fullmatch(name) or name.startswith("pg_"):
        raise InvalidInput(
            f"{name!r}: name a role in small letters, digits and underscores, at most 63, and not "
            "with pg_ at its beginning"
        )
    with database.read() as connection:
        exists = _check_role(connection, name)
        base = str(connection.execute(sa.text("SELECT current_database()")).scalar_one())
        owner = _find_owner(connection)
        schemas = connection.execute(sa.text("SELECT nspname FROM pg_namespace")).scalars().all()
        closed = [schema for schema in _CLOSED if schema in schemas]
    role, whole_tables = _quote_name(name), sorted(READABLE - _HIDDEN_COLUMNS.keys())
    settings = {  # of every session of the role
        "default_transaction_read_only": "on",
        "statement_timeout": f"'{seconds}s'",
        "idle_in_transaction_session_timeout": "'10min'",
        "lock_timeout": "'5s'",
        "search_path": "public",
        "timezone": "'UTC'",
    }
    # views are made anew by every upgrade, and have to be readable then
    later = f"ALTER DEFAULT PRIVILEGES FOR ROLE {_quote_name(owner)} IN SCHEMA public"
    return [
        *([] if exists else [f"CREATE ROLE {role}"]),
        f"ALTER ROLE {role} LOGIN {_RIGHTS} CONNECTION LIMIT {_CONNECTIONS}",
        *(f"ALTER ROLE {role} SET {name} = {value}" for name, value in settings.items()),
        f"REVOKE ALL ON DATABASE {_quote_name(base)} FROM {role}",
        f"GRANT CONNECT ON DATABASE {_quote_name(base)} TO {role}",
        f"REVOKE TEMPORARY ON DATABASE {_quote_name(base)} FROM PUBLIC",
        *(
            f"REVOKE ALL ON {what} {schema} FROM {role}, PUBLIC"
            for schema in closed
            for what in ("ALL TABLES IN SCHEMA", "ALL SEQUENCES IN SCHEMA", "SCHEMA")
        ),
        f"REVOKE ALL ON SCHEMA public FROM {role}",
        f"GRANT USAGE ON SCHEMA public TO {role}",
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
        f"REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {role}",
        f"GRANT SELECT ON {', '.join([*read_view_files(), *whole_tables])} TO {role}",
        *_grant_columns(role),
        f"{later} GRANT SELECT ON TABLES TO {role}",
    ]


def list_columns(table: str) -> list[str]:
    """Return the columns of a readable table that a reader is given."""
    hidden = _HIDDEN_COLUMNS.get(table, frozenset())
    return [column.name for column in metadata.tables[table].columns if column.name not in hidden]


def _grant_columns(role: str) -> list[str]:
    return [
        f"GRANT SELECT ({', '.join(map(_quote_name, list_columns(table)))}) ON {table} TO {role}"
        for table in sorted(_HIDDEN_COLUMNS)
    ]


def grant_role(database: Database, name: str, seconds: int = 60, password: str = "") -> bool:
    """Make the role or bring it up to date; True where it is new.

    The password reaches the server as a SCRAM verifier alone. Raises InvalidInput, and StoreProblem
    where whoever is connected may not make roles.
    """
    statements = list_statements(database, name, seconds)
    is_new = statements[0].startswith("CREATE ROLE")
    try:
        with database.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
            if password:
                connection.exec_driver_sql(_with_password(connection, name, password))
    except ProgrammingError as error:
        words = str(error.orig).splitlines()[0]
        raise StoreProblem(
            f"{database.place}: {words}; give the statements to somebody who may make roles: "
            f"monitor db reader {name} --sql"
        ) from None
    return is_new


def _with_password(connection: sa.Connection, name: str, password: str) -> str:
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)  # noqa: S101 - SQLite was refused
    hidden = driver.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256")
    return f"ALTER ROLE {_quote_name(name)} PASSWORD '{hidden.decode()}'"


def revoke_tables(database: Database) -> int:
    """Take what is kept back from readers who were given later tables; returns how many readers.

    Does nothing on SQLite.
    """
    if database.keeps_files:
        return 0
    query = """
        SELECT DISTINCT r.rolname FROM pg_default_acl d
        JOIN pg_namespace n ON n.oid = d.defaclnamespace, aclexplode(d.defaclacl) a
        JOIN pg_roles r ON r.oid = a.grantee
        WHERE n.nspname = 'public' AND a.privilege_type = 'SELECT' AND a.grantee <> d.defaclrole
    """
    with database.begin() as connection:
        names = list(connection.execute(sa.text(query)).scalars())
        hidden = ", ".join(sorted(KEPT_BACK | _HIDDEN_COLUMNS.keys()))
        for role in map(_quote_name, names):
            for statement in (f"REVOKE ALL ON {hidden} FROM {role}", *_grant_columns(role)):
                connection.exec_driver_sql(statement)
    return len(names)


def _check_role(connection: sa.Connection, name: str) -> bool:
    """Return whether the role exists. Raises InvalidInput where it has too many rights."""
    query = """
        SELECT r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolbypassrls OR r.rolreplication
                AS powerful,
            EXISTS (SELECT 1 FROM pg_auth_members m WHERE m.member = r.oid) AS member,
            EXISTS (SELECT 1 FROM pg_class c WHERE c.relowner = r.oid)
                OR EXISTS (SELECT 1 FROM pg_database b WHERE b.datdba = r.oid)
                OR EXISTS (SELECT 1 FROM pg_namespace s WHERE s.nspowner = r.oid) AS owner,
            r.rolname = current_user AS own
        FROM pg_roles r WHERE r.rolname = :name
    """
    role = connection.execute(sa.text(query), {"name": name}).mappings().one_or_none()
    if role is None:
        return False
    reasons = {
        "own": "is the role of this program itself",
        "powerful": "may make roles or databases, or everything",
        "member": "is a member of another role, and has what that may do",
        "owner": "owns tables, schemas or databases",
    }
    for key, reason in reasons.items():
        if role[key]:
            raise InvalidInput(f"{name}: this role {reason}; name another one for readers")
    return True


def _find_owner(connection: sa.Connection) -> str:
    """Return the owner of our tables, also of those of later versions."""
    query = """
        SELECT pg_get_userbyid(c.relowner) FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'public' AND c.relname = 'points'
    """
    return str(connection.execute(sa.text(query)).scalar_one())


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


# --- SQL questions of readers ---------------------------------------------------------------------

Rows: TypeAlias = tuple[list[str], list[Sequence[Any]]]

_ALLOWED = {
    sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE,
}  # fmt: skip
_BUSY_SECONDS = 30.0
_READ_ONLY = "-c default_transaction_read_only=on"
#: Words of the drivers for a statement that would write.
_WRITING = ("not authorized", "read-only", "readonly", "prohibited")


def run_query(database: Database, sql: str, values: Mapping[str, object]) -> Rows:
    """Return (columns, rows) of one statement; `:name` stands for a value. Raises InvalidInput."""
    ask = _query_sqlite if database.keeps_files else _query_postgres
    try:
        return ask(database, sql, values)
    except (sqlite3.Error, sqlite3.Warning, psycopg.Error, SQLAlchemyError) as error:
        original = error.orig if isinstance(error, DBAPIError) else error
        message = (str(original).strip() or type(original).__name__).splitlines()[0]
        is_writing = any(words in message for words in _WRITING)
        hint = "; here a query can only read" if is_writing else ""
        raise InvalidInput(f"the query cannot be answered: {message}{hint}") from error


def _query_sqlite(database: Database, sql: str, values: Mapping[str, object]) -> Rows:
    path = Path(str(database.reader.url.database)).resolve()
    address = f"{path.as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA query_only = ON")
        connection.set_authorizer(
            lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
        )
        cursor = connection.execute(sql, {name: _bind_value(item) for name, item in values.items()})
        if cursor.description is None:
            raise InvalidInput("that is no query: write one SELECT")
        return [item[0] for item in cursor.description], cursor.fetchall()


def _bind_value(value: object) -> object:
    """Return a value as SQLite stores it: times as text in UTC."""
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise InvalidInput(f"naive time {value!r}; pass an aware one")
    return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def _query_postgres(database: Database, sql: str, values: Mapping[str, object]) -> Rows:
    url = database.reader.url
    url_options = url.query.get("options", "")
    options = " ".join(
        [*([url_options] if isinstance(url_options, str) and url_options else []), _READ_ONLY]
    )
    engine = sa.create_engine(url, poolclass=NullPool, connect_args={"options": options})
    statement = str(sa.text(sql).compile(dialect=engine.dialect))
    with closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        # only a query can be explained: neither COPY, which writes files, nor SET
        _execute_statement(cursor, f"EXPLAIN (VERBOSE, FORMAT JSON) {statement}", values)
        [[plan]] = cursor.fetchall()
        if PEOPLE in _find_schemas(plan):
            raise InvalidInput(f"what is known of single people ({PEOPLE}.*) is not for queries")
        _execute_statement(cursor, statement, values)
        return [item[0] for item in cursor.description or ()], list(cursor.fetchall())


def _execute_statement(cursor: Any, statement: str, values: Mapping[str, object]) -> None:  # noqa: ANN401
    """Execute a single statement; nothing can follow it that ends the session."""
    cursor.execute(statement, dict(values), prepare=True)


def _find_schemas(plan: Any) -> set[str]:  # noqa: ANN401 - JSON
    """Return every schema that a plan reads."""
    if isinstance(plan, dict):
        schemas = {plan["Schema"]} if "Schema" in plan else set()
        return schemas.union(*map(_find_schemas, plan.values()))
    return set().union(*map(_find_schemas, plan)) if isinstance(plan, list) else set()
