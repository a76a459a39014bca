"""A reader reads every view, and cannot write, become somebody else, or see what is kept back."""

import re

import psycopg
import pytest

from monitor import docs
from monitor.model import InvalidInput
from monitor.store import migrations
from monitor.store.access import reader_role
from monitor.store.database import connect
from monitor.store.schema import metadata
from tests.cases import check_each
from tests.command import program
from tests.factories import rows

NAME = "test_reader"
PEOPLE = ("people_entities", "people_lookups", "people_ratings")


@pytest.fixture
def server(postgres_server, postgres_template, tmp_path):
    """(open database, function that connects as a role, URL) of a database of its own."""
    name = postgres_server.create(postgres_template)
    database = connect(postgres_server.url(name), tmp_path / "bodies")

    def as_role(role=NAME, **more):
        return psycopg.connect(
            host=str(postgres_server.folder), user=role, dbname=name, autocommit=True, **more
        )

    yield database, as_role, postgres_server.url(name)
    database.close()
    postgres_server.drop(name)
    postgres_server.execute(f"DROP ROLE IF EXISTS {NAME}")


@pytest.fixture
def reader(server):
    """A connection of a fresh reader."""
    database, as_role, _ = server
    assert reader_role.grant_role(database, NAME) is True
    with as_role() as connection:
        yield connection


def refused(connection, sql, *states):
    with pytest.raises(psycopg.Error) as found:
        connection.execute(sql)
    assert found.value.sqlstate in states, (sql, found.value)


FORBIDDEN = "42501"  # insufficient_privilege
READ_ONLY = "25006"


def test_every_table_is_either_readable_or_kept_back():
    """A new table has to be put on one of the lists, before a reader can see it."""
    table_names = {name for name in metadata.tables if "." not in name}
    assert table_names == reader_role.KEPT_BACK | reader_role.READABLE
    assert not reader_role.KEPT_BACK & reader_role.READABLE


def test_it_reads_every_view_and_every_table_of_facts(reader):
    for name in migrations.read_view_files():
        reader.execute(f"SELECT * FROM {name} LIMIT 1")
    for name in reader_role.READABLE:
        columns = ", ".join(f'"{column}"' for column in reader_role.list_columns(name))
        reader.execute(f"SELECT {columns} FROM {name} LIMIT 1")


def test_it_does_not_see_who_donated(server, reader):
    """Pseudonyms of donors stand among the parameters of their probes."""
    for what in ("parameters", "*", "parameters ->> 'donor'"):
        refused(reader, f"SELECT {what} FROM probes", FORBIDDEN)
    with server[0].begin() as connection:  # as an earlier version granted it
        connection.exec_driver_sql(f"GRANT SELECT ON probes TO {NAME}")
    reader.execute("SELECT parameters FROM probes")
    assert reader_role.revoke_tables(server[0]) == 1
    refused(reader, "SELECT parameters FROM probes", FORBIDDEN)
    reader.execute("SELECT id, key FROM probes")


def test_it_does_not_read_what_is_kept_back(reader):
    for name in reader_role.KEPT_BACK:
        refused(reader, f"SELECT * FROM {name} LIMIT 1", FORBIDDEN)


def test_it_does_not_see_people(reader):
    for name in PEOPLE:
        refused(reader, f"SELECT * FROM people.{name}", FORBIDDEN)
    reader.execute("SET search_path = people, public")
    refused(reader, "SELECT * FROM people_entities", FORBIDDEN, "42P01")


WRITES = (
    "INSERT INTO scopes VALUES ('x', 'y', 'z')",
    "UPDATE points SET reason = 'x'",
    "DELETE FROM points",
    "TRUNCATE points",
    "DROP VIEW answers",
    "ALTER TABLE points ADD COLUMN x integer",
    "CREATE TABLE own (x integer)",
    "CREATE SCHEMA own",
    "CREATE TEMPORARY TABLE own (x integer)",
    "SELECT nextval('points_id_seq')",
    "COPY points TO PROGRAM 'cat'",
    "COPY points TO '/tmp/x'",
)


@check_each("number", range(len(WRITES)))
def test_it_does_not_write_even_where_it_lifts_its_own_limits(reader, number):
    refused(reader, WRITES[number], READ_ONLY, FORBIDDEN)
    reader.execute("SET default_transaction_read_only = off")
    reader.execute("SET statement_timeout = 0")
    refused(reader, WRITES[number], FORBIDDEN)


def test_the_docs_say_what_it_can_do_all_the_same(reader):
    reader.execute("SET statement_timeout = 0")
    assert reader.execute("SELECT pg_try_advisory_lock(1)").fetchone() == (True,)
    reader.execute("SET default_transaction_read_only = off")
    reader.execute("SELECT lo_unlink(lo_from_bytea(0, 'x'))")
    with reader.cursor() as cursor:
        cursor.execute("SELECT usename, query FROM pg_stat_activity WHERE usename = 'monitor'")
        assert {query for _, query in cursor.fetchall()} <= {"<insufficient privilege>"}


def documented():
    """What docs/sql.md tells a superuser to do against that."""
    page = (docs.ROOT / "docs" / "sql.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```sql\n(DO \$\$.*?)```", page, re.DOTALL)
    return block.replace("analyst", NAME)


def test_what_the_docs_tell_a_superuser_to_do_takes_that_away(server, reader):
    database, as_role, _ = server
    with database.begin() as connection:
        connection.exec_driver_sql(documented().replace("%", "%%"))
    with as_role() as again:
        for lock in ("pg_advisory_lock(1)", "pg_try_advisory_lock(1)", "pg_advisory_xact_lock(1)",
                     "pg_try_advisory_xact_lock_shared(1, 2)"):  # fmt: skip
            refused(again, f"SELECT {lock}", FORBIDDEN)
        again.execute("SET default_transaction_read_only = off")
        for make in ("lo_from_bytea(0, 'x')", "lo_create(0)", "lo_creat(0)", "lo_import('/x')"):
            refused(again, f"SELECT {make}", FORBIDDEN)
        for name in ("temp_file_limit", "log_min_duration_statement"):
            refused(again, f"SET {name} = -1", FORBIDDEN)
        assert again.execute("SHOW temp_file_limit").fetchone() == ("1GB",)
        with pytest.raises(psycopg.OperationalError, match="too many connections"):
            as_role()
        again.execute("SELECT * FROM answers LIMIT 1")
    reader.close()
    for lock in ("pg_try_advisory_lock(1)", "lo_unlink(lo_create(0))"):  # this program may still
        assert rows(database, f"SELECT {lock} AS done")


def test_it_does_not_become_somebody_else(reader):
    for role in ("monitor", "pg_read_all_data", "pg_write_server_files"):
        refused(reader, f"SET ROLE {role}", FORBIDDEN)
        refused(reader, f"SET SESSION AUTHORIZATION {role}", FORBIDDEN)
    reader.execute("SET default_transaction_read_only = off")
    refused(reader, f"ALTER ROLE {NAME} SUPERUSER", FORBIDDEN)
    reader.execute("RESET ROLE")
    refused(reader, "SELECT * FROM people.people_entities", FORBIDDEN)


def test_its_sessions_begin_with_limits(reader):
    found = {
        name: reader.execute(f"SHOW {name}").fetchone()[0]
        for name in ("default_transaction_read_only", "statement_timeout", "timezone")
    }
    assert found == {
        "default_transaction_read_only": "on", "statement_timeout": "1min", "timezone": "UTC",
    }  # fmt: skip
    refused(reader, "SET statement_timeout = 50; SELECT pg_sleep(5)", "57014")


def test_later_views_are_readable_and_what_was_granted_in_between_is_taken_back(server, reader):
    database = server[0]
    with database.begin() as connection:
        migrations.drop_views(connection)
        migrations.create_views(connection)
        for sql in (
            "CREATE TABLE later (x integer)",
            f"GRANT ALL ON points, bodies TO {NAME}",
            f"GRANT USAGE ON SCHEMA people TO {NAME}",
            f"GRANT SELECT ON ALL TABLES IN SCHEMA people TO {NAME}",
            f"ALTER ROLE {NAME} SET statement_timeout = 0",
        ):
            connection.exec_driver_sql(sql)
    for name in [*migrations.read_view_files(), "later"]:
        reader.execute(f"SELECT * FROM {name} LIMIT 1")
    reader.execute("SELECT * FROM people.people_entities")
    assert reader_role.grant_role(database, NAME) is False
    refused(reader, "SELECT * FROM people.people_entities", FORBIDDEN)
    refused(reader, "SELECT * FROM bodies", FORBIDDEN)
    reader.execute("SET default_transaction_read_only = off")
    refused(reader, "DELETE FROM points", FORBIDDEN)
    with server[1]() as again:
        assert again.execute("SHOW statement_timeout").fetchone() == ("1min",)


def test_an_upgrade_takes_back_later_tables_that_are_kept_back(server, reader):
    with server[0].begin() as connection:
        connection.exec_driver_sql(
            f"GRANT SELECT ON notices TO {NAME}"
        )  # as a later table would be
    reader.execute("SELECT * FROM notices")
    assert reader_role.revoke_tables(server[0]) == 1
    refused(reader, "SELECT * FROM notices", FORBIDDEN)
    reader.execute("SELECT * FROM answers")


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (f"ALTER ROLE {NAME} CREATEROLE", "may make roles"),
        (f"GRANT pg_read_all_data TO {NAME}", "member of another role"),
        (f"CREATE SCHEMA own AUTHORIZATION {NAME}", "owns"),
    ],
)
def test_a_role_that_can_do_more_is_refused(server, reader, statement, words):
    with server[0].begin() as connection:
        connection.exec_driver_sql(statement)
    with pytest.raises(InvalidInput, match=words):
        reader_role.grant_role(server[0], NAME)
    if "own " in statement:
        with server[0].begin() as connection:
            connection.exec_driver_sql("DROP SCHEMA own")


@check_each("name", ["monitor", 'x"; DROP TABLE points; --', "pg_x", "", "A"])
def test_a_name_that_cannot_be_one_is_refused(server, name):
    with pytest.raises(InvalidInput):
        reader_role.grant_role(server[0], name)
    assert rows(server[0], "SELECT COUNT(*) AS n FROM points") == [{"n": 0}]


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def monitor(server, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MONITOR_DATABASE_URL", server[2])
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def exists(database):
    sql = "SELECT COUNT(*) AS n FROM pg_roles WHERE rolname = :name"
    return rows(database, sql, name=NAME) == [{"n": 1}]


def test_sql_is_printed_and_nothing_is_changed(monitor, server, tmp_path):
    code, said, _ = monitor("db", "reader", NAME, "--sql", "--timeout", "5")
    assert code == 0
    assert f'CREATE ROLE "{NAME}";' in said
    assert "statement_timeout = '5s';" in said
    assert "PASSWORD" not in said
    assert not exists(server[0])
    with server[0].begin() as connection:
        for statement in said.split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    with server[1]() as connection:
        connection.execute("SELECT * FROM answers")
        refused(connection, "SELECT * FROM people.people_entities", FORBIDDEN)


def test_a_password_is_a_verifier_on_the_server_and_is_never_printed(monitor, server, monkeypatch):
    monkeypatch.setenv("READER_PASSWORD", "hunter2-of-the-reader")
    code, said, why = monitor("db", "reader", NAME, "--password-env", "READER_PASSWORD")
    assert (code, said) == (0, "")
    assert "made" in why
    assert "hunter2" not in said + why
    [row] = rows(server[0], "SELECT rolpassword FROM pg_authid WHERE rolname = :n", n=NAME)
    assert row["rolpassword"].startswith("SCRAM-SHA-256$")


def test_without_a_password_it_says_how_to_set_one(monitor):
    code, _, why = monitor("db", "reader", NAME)
    assert code == 0
    assert rf"\password {NAME}" in why
    code, _, why = monitor("db", "reader", NAME)
    assert (code, why) == (0, f"{NAME}: brought up to date")


def test_an_empty_variable_is_no_password(monitor, server):
    code, _, why = monitor("db", "reader", NAME, "--password-env", "NOT_SET")
    assert code == 2
    assert "NOT_SET: this variable is not set" in why
    assert not exists(server[0])


def test_sqlite_has_no_roles_and_says_what_to_do(sqlite_database, tmp_path, monkeypatch, capsys):
    with program(tmp_path, monkeypatch, capsys) as command:
        code, _, why = command("db", "reader", NAME)
    assert code == 2
    assert "SQLite has no roles" in why
    assert "mode=ro" in why
    assert "monitor-people.db" in why
