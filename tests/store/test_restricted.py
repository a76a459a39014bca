"""What is known of people lies in a file, or schema, of its own."""

import shutil
import stat

import sqlalchemy as sa

from monitor.store import migrations
from monitor.store.database import connect
from monitor.store.schema import PEOPLE, metadata
from tests.cases import check_each
from tests.factories import rows

TABLES = sorted(name for name in metadata.tables if name.startswith(f"{PEOPLE}."))


def test_the_restricted_tables_are_there(database):
    assert TABLES == [
        "people.api_tokens",
        "people.login_failures",
        "people.people_entities",
        "people.people_lookups",
        "people.people_ratings",
        "people.users",
        "people.web_sessions",
    ]
    for name in TABLES:
        assert rows(database, f"SELECT * FROM {name}") == []


def test_the_file_beside_a_database_is_its_owners_only(tmp_path):
    opened = connect(f"sqlite:///{tmp_path / 'audit.db'}", tmp_path)
    migrations.upgrade(opened)
    opened.close()
    beside = tmp_path / "audit-people.db"
    assert stat.S_IMODE(beside.stat().st_mode) == 0o600
    with connect(f"sqlite:///{beside}", tmp_path).read() as connection:
        found = sa.inspect(connection).get_table_names()
    assert sorted(f"{PEOPLE}.{name}" for name in found) == TABLES


def test_a_database_that_was_given_away_without_people_works(sqlite_database, tmp_path):
    sqlite_database.close()
    given = tmp_path / "given"
    given.mkdir()
    shutil.copyfile(tmp_path / "monitor.db", given / "monitor.db")
    opened = connect(f"sqlite:///{given / 'monitor.db'}", given)
    migrations.check_schema(opened)
    for name in TABLES:
        assert rows(opened, f"SELECT * FROM {name}") == []


@check_each("view", migrations.read_view_files())
def test_no_view_reads_what_is_restricted(view):
    text = migrations.read_view_files()[view]
    assert not any(name.split(".")[1] in text for name in TABLES)
    assert f"{PEOPLE}." not in text
