"""Migrations give exactly the schema, both ways, on both databases, and lose nothing."""

import shutil
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from monitor import resources
from monitor.change import Test
from monitor.model import SchemaChanged, StoreProblem
from monitor.stages.changes import statements
from monitor.store import migrations
from monitor.store.database import connect
from monitor.store.jobs import declarations
from monitor.store.journal import events
from monitor.store.schema import PEOPLE, changes, comparisons, metadata
from tests.alembic_check import COMPARED
from tests.factories import DUE, Scripted, make_audit, mini_items, portuguese, rows, run_audit

HEAD = migrations.list_revisions()[-1]
NEXT = '''
"""Adds a column to runs, the parent of many tables.

Revision ID: 9999
Revises: {head}
"""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table("runs", recreate="auto") as batch:
        batch.alter_column("kind", type_=sa.String(40))
    with op.batch_alter_table("runs") as batch:
        batch.add_column(sa.Column("note", sa.Text(), nullable=True))
    if {fails}:
        raise ZeroDivisionError("halfway")
    if {orphans}:
        op.execute("DELETE FROM runs")


def downgrade():
    with op.batch_alter_table("runs") as batch:
        batch.drop_column("note")
'''.replace("{head}", HEAD)


def _index(found):
    """An index as text; what it is limited to is an expression, and told by its words."""
    options = {name: str(value) for name, value in found.pop("dialect_options", {}).items()}
    return f"{found} {options}"


def described(database):
    """Every table with its columns, keys, indexes and checks, as the database tells them."""
    inspector = sa.inspect(database.reader)
    found = {}
    known = [None, *({PEOPLE} & set(inspector.get_schema_names()))]
    pairs = [(name, table) for name in known for table in inspector.get_table_names(name)]
    for schema, table in pairs:
        found[f"{schema}.{table}" if schema else table] = {
            "columns": [
                (c["name"], str(c["type"]), c["nullable"], c["default"], c.get("autoincrement"))
                for c in inspector.get_columns(table, schema)
            ],
            "primary key": inspector.get_pk_constraint(table, schema),
            "foreign keys": sorted(map(str, inspector.get_foreign_keys(table, schema))),
            "unique": sorted(map(str, inspector.get_unique_constraints(table, schema))),
            "indexes": sorted(map(_index, inspector.get_indexes(table, schema))),
            "checks": sorted(
                (check["name"], check["sqltext"])
                for check in inspector.get_check_constraints(table, schema)
            ),
        }
    return found


def views(database):
    """Our views; beside them `our_views` says which they are."""
    with database.read() as connection:
        found = set(sa.inspect(connection).get_view_names())
    assert ("our_views" in found) == bool(found)
    return found - {"our_views"}


def stamp(database, revision):
    with database.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :r"), {"r": revision})


def step_by_step(database):
    """Migrate an empty database as one is that was made by the first version."""
    migrations.upgrade(database, migrations.list_revisions()[-1])


@pytest.fixture
def next_version(tmp_path, monkeypatch):
    """Lets this program be a version whose newest migration is 9999."""

    def install(*, fails=False, orphans=False):
        folder = tmp_path / "shipped" / "migrations"
        shutil.copytree(resources.find_folder("migrations"), folder)
        script = NEXT.replace("{fails}", str(fails)).replace("{orphans}", str(orphans))
        (folder / "versions" / "9999_next.py").write_text(script)
        monkeypatch.setattr(resources, "find_folder", lambda name: folder.parent / name)

    return install


def test_migrations_from_empty_equal_the_metadata(empty_database):
    step_by_step(empty_database)
    with empty_database.read() as connection:
        context = MigrationContext.configure(connection, opts=COMPARED)
        assert compare_metadata(context, metadata) == []


def test_what_is_made_at_once_is_what_the_migrations_make(
    request, dialect, empty_database, tmp_path
):
    step_by_step(empty_database)
    if dialect == "sqlite":
        url = f"sqlite:///{tmp_path / 'created.db'}"
    else:
        server = request.getfixturevalue("postgres_server")
        name = server.create()
        request.addfinalizer(lambda: server.drop(name))
        url = server.url(name)
    created = connect(url, tmp_path)
    migrations.upgrade(created)
    expected = described(created)
    assert views(created) == views(empty_database)
    assert migrations.read_revisions(created) == migrations.read_revisions(empty_database)
    created.close()
    found = described(empty_database)
    assert found.keys() == expected.keys()
    for table, parts in expected.items():
        assert found[table] == parts
    assert found.keys() - {"alembic_version"} == metadata.tables.keys()
    assert sum(len(parts["checks"]) for parts in found.values()) > 20


def test_the_revisions_that_commands_know_are_those_of_alembic():
    config = Config()
    config.set_main_option("script_location", str(resources.find_folder("migrations")))
    scripts = ScriptDirectory.from_config(config)
    assert migrations.list_revisions() == [one.revision for one in scripts.walk_revisions()][::-1]
    assert migrations.list_revisions()[-1] == scripts.get_current_head()


@pytest.mark.parametrize("up", [migrations.upgrade, step_by_step])
def test_down_to_nothing_and_up_again(empty_database, up):
    up(empty_database)
    first = described(empty_database)
    migrations.downgrade(empty_database, "base")
    assert set(described(empty_database)) == {"alembic_version"}
    assert views(empty_database) == set()
    up(empty_database)
    assert described(empty_database) == first
    assert views(empty_database) == set(migrations.read_view_files())


def test_the_views_stand_at_head(database):
    assert views(database) == {
        "answers",
        "coverage",
        "due_ticks",
        "points_current",
        "queries_current",
        "series",
        "series_points",
        "masculine_rates",
        "pronouns",
        "shown",
        "topics_current",
        "comparisons_current",
        "changes_current",
        "ledger",
        "noise",
        "requests",
        "series_switches",
        "instruments",
        "reports_due",
        "audits",
        "corpora_current",
        "corpus_texts",
        "overviews",
    }


def test_upgrading_what_is_current_changes_nothing(database):
    before = described(database)
    migrations.upgrade(database)
    assert described(database) == before
    assert views(database) == set(migrations.read_view_files())
    migrations.check_schema(database)


def test_an_empty_database_is_refused_with_the_remedy(empty_database):
    with pytest.raises(StoreProblem, match="monitor init"):
        migrations.check_schema(empty_database)
    assert migrations.read_revisions(empty_database)[0] is None


def test_an_older_database_is_refused_with_the_remedy(database, next_version):
    next_version()
    with pytest.raises(StoreProblem, match=rf"older version.*{HEAD}.*9999.*monitor db upgrade"):
        migrations.check_schema(database)


def test_a_newer_database_is_refused_with_the_remedy(database):
    stamp(database, "4711")
    with pytest.raises(StoreProblem, match=r"newer version.*4711.*install that version"):
        migrations.check_schema(database)


def test_upgrading_a_newer_database_is_refused_and_leaves_it(database):
    stamp(database, "4711")
    with pytest.raises(StoreProblem, match="4711"):
        migrations.upgrade(database)
    assert views(database) == set(migrations.read_view_files())


def test_an_upgrade_waits_for_those_at_work(database, next_version):
    """A daemon or worker of the older version would write into tables that change under it."""
    now = datetime.now(UTC)
    with database.begin() as connection:
        events.announce_process(connection, "elsewhere:17:1", "worker", "", now)
        events.announce_process(
            connection, "elsewhere:18:1", "daemon", "", now - timedelta(minutes=1)
        )
    migrations.check_unused(database)  # nothing is to be upgraded
    next_version()
    with pytest.raises(StoreProblem, match=r"at work are: worker elsewhere:17:1; stop them"):
        migrations.check_unused(database)
    with database.begin() as connection:
        events.remove_process(connection, "elsewhere:17:1")
    migrations.check_unused(database)


def test_a_process_notices_that_another_version_has_upgraded(database):
    watch = migrations.RevisionWatch()
    for _ in range(2):
        with database.read() as connection:
            watch.check(connection)
    stamp(database, "4711")
    with database.read() as connection, pytest.raises(SchemaChanged, match=f"{HEAD} -> 4711"):
        watch.check(connection)


def test_an_unknown_revision_cannot_be_reached(database):
    with pytest.raises(StoreProblem, match="cannot migrate to 0815"):
        migrations.downgrade(database, "0815")


def filled(database, tmp_path):
    """A database with one small run; returns the number of rows of every table."""
    items = mini_items()
    run_audit(database, make_audit(tmp_path), Scripted(portuguese(items)))
    return counts(database)


def counts(database):
    return {
        table: rows(database, f"SELECT COUNT(*) AS n FROM {table}")[0]["n"]
        for table in metadata.tables
    }


def test_changing_a_parent_table_keeps_its_children_and_our_views(database, tmp_path, next_version):
    """With foreign keys on, SQLite's way of changing a table would delete or orphan them."""
    before = filled(database, tmp_path)
    assert before["runs"] == 1
    assert before["attempts"] == before["agreements"] == 32
    next_version()
    migrations.upgrade(database)
    assert counts(database) == before
    assert rows(database, "SELECT note FROM runs") == [{"note": None}]
    assert views(database) == set(migrations.read_view_files())
    assert len(rows(database, "SELECT * FROM answers")) == 32
    migrations.check_schema(database)


def test_an_answer_with_the_bytes_of_a_file_of_a_job_survives_the_way_down(database, tmp_path):
    filled(database, tmp_path)
    with database.begin() as connection:
        audit = make_audit(tmp_path)
        declarations.store_bundle(
            connection, database, audit, {"a.toml": b"of a job", "b.toml": b"of both"}
        )
        body = sa.text("SELECT body_id FROM bundle_files WHERE path = 'b.toml'")
        both = connection.execute(body).scalar_one()
        change = sa.text("UPDATE exchanges SET body_id = :both WHERE id = 1")
        connection.execute(change, {"both": both})
    n = "SELECT COUNT(*) AS n FROM exchanges"
    before = rows(database, n)
    migrations.downgrade(database, "0004")
    kept = rows(database, "SELECT id, retention, size FROM bodies WHERE size < 9 ORDER BY id")
    assert kept == [{"id": both, "retention": "answer", "size": len(b"of both")}]
    assert rows(database, n) == before
    migrations.upgrade(database)
    migrations.check_schema(database)


def compared(connection, contrast):
    """One comparison of the first series of the only run with itself; its id."""
    series, signature = connection.execute(
        sa.text("SELECT id, signature_id FROM series_keys ORDER BY id LIMIT 1")
    ).one()
    insert = sa.insert(comparisons).values(
        series_id=series, contrast=contrast, before_run_id=1, after_run_id=1,
        signature_id=signature, due_at=DUE, method_version=1, state="measured", reason="",
        test=Test.NONE, n=32, only_before=0, only_after=0, changed=1, delta=0.05, facts={},
        inputs_digest=contrast, computed_at=DUE, is_current=True,
    )  # fmt: skip
    return connection.execute(insert).inserted_primary_key[0]


def changed(connection, comparison, **fields):
    """A change that rests on a comparison."""
    series = connection.execute(sa.select(sa.func.min(comparisons.c.series_id))).scalar_one()
    content = {
        "series_id": series, "kind": "step", "role": "primary", "family": "f", "changed_at": DUE,
        "detected_at": DUE, "before_run_id": 1, "after_run_id": 1, "comparison_id": comparison,
        "effect": 0.05, "p": 1e-4, "q": 0.01, "alpha": 0.05, "status": "confirmed",
        "cause": "open", "because": "", "sentence": "It changed.", "facts": {},
        "inputs_digest": "x", "computed_at": DUE, "is_current": True,
    }  # fmt: skip
    connection.execute(sa.insert(changes).values(content | fields))


def test_comparisons_and_changes_survive_the_decisions_by_order(database, tmp_path):
    """Down, only values of runs that ask again are lost; up, an older archive keeps its changes."""
    filled(database, tmp_path)
    with database.begin() as connection:
        step = compared(connection, "step")
        for contrast in ("confirm", "again"):
            compared(connection, contrast)
        changed(connection, step, p_beyond=0.01, alpha_beyond=0.015)
    before = counts(database)
    head = described(database)
    migrations.downgrade(database, "0012")
    kept = rows(database, "SELECT contrast FROM comparisons ORDER BY id")
    assert [row["contrast"] for row in kept] == ["step", "confirm"]
    old = "SELECT comparison_id, q, sentence, e_value FROM changes"
    [change] = rows(database, old)
    assert change == {"comparison_id": step, "q": 0.01, "sentence": "It changed.", "e_value": None}
    with pytest.raises(sa.exc.IntegrityError), database.begin() as connection:
        compared(connection, "again")
    with database.begin() as connection:
        connection.execute(sa.text("UPDATE changes SET e_value = 40.0"))
    migrations.upgrade(database)
    assert described(database) == head
    assert counts(database) == before | {"comparisons": before["comparisons"] - 1}
    [change] = rows(database, "SELECT q, p_beyond, alpha_beyond FROM changes")
    assert change == {"q": 0.01, "p_beyond": None, "alpha_beyond": None}
    [shown] = rows(database, "SELECT status, holds_beyond FROM changes_current")
    assert shown == {"status": "confirmed", "holds_beyond": 0}
    with database.begin() as connection:
        compared(connection, "again")
    migrations.check_schema(database)


def test_a_change_holds_beyond_the_list_in_the_view_as_in_words(database, tmp_path):
    cases = [(0.01, 0.015, 1), (0.015, 0.015, 1), (0.02, 0.015, 0), (None, 0.015, 0),
             (0.01, None, 0), (None, None, 0)]  # fmt: skip
    filled(database, tmp_path)
    with database.begin() as connection:
        step = compared(connection, "step")
        for p, alpha, _ in cases:
            changed(connection, step, p_beyond=p, alpha_beyond=alpha)
    query = "SELECT p_beyond, alpha_beyond, holds_beyond FROM changes_current ORDER BY change_id"
    assert [tuple(row.values()) for row in rows(database, query)] == cases
    for p, alpha, holds in cases:
        assert statements.holds_beyond(p, alpha) is bool(holds)


def test_foreign_keys_are_enforced_again_after_a_migration(database, tmp_path, next_version):
    filled(database, tmp_path)
    next_version()
    migrations.upgrade(database)
    with pytest.raises(sa.exc.IntegrityError), database.begin() as connection:
        connection.execute(sa.text("DELETE FROM runs"))


def test_a_migration_that_fails_leaves_the_database_as_it_was(database, tmp_path, next_version):
    before = filled(database, tmp_path)
    tables = described(database)
    next_version(fails=True)
    with pytest.raises(ZeroDivisionError):
        migrations.upgrade(database)
    assert described(database) == tables
    assert counts(database) == before
    assert views(database) == set(migrations.read_view_files())
    assert migrations.read_revisions(database)[0] == HEAD


def test_a_migration_that_orphans_rows_is_refused(database, tmp_path, next_version):
    before = filled(database, tmp_path)
    next_version(orphans=True)
    with pytest.raises((RuntimeError, sa.exc.IntegrityError), match=r"dangling|foreign key"):
        migrations.upgrade(database)
    assert counts(database) == before


def test_the_migrations_find_the_database_of_the_environment(empty_url, tmp_path, monkeypatch):
    """`alembic upgrade head` at the top of the project works as everybody expects."""
    monkeypatch.setenv("MONITOR_DATABASE_URL", empty_url)
    config = Config()
    config.set_main_option("script_location", str(resources.find_folder("migrations")))
    command.upgrade(config, "head")
    opened = connect(empty_url, tmp_path)
    migrations.check_schema(opened)
    opened.close()


def test_the_check_of_the_migrations_finds_a_forgotten_one(capsys, monkeypatch):
    from tests import alembic_check

    assert alembic_check.main() == 0
    altered = sa.MetaData()
    for table in metadata.sorted_tables:
        table.to_metadata(altered)
    altered.tables["runs"].append_column(sa.Column("forgotten", sa.Text))
    monkeypatch.setattr(alembic_check, "metadata", altered)
    assert alembic_check.main() == 1
    assert "forgotten" in capsys.readouterr().err


def test_views_of_another_version_are_said_and_made_anew(database):
    with database.begin() as connection:
        connection.execute(sa.text("CREATE VIEW forgotten AS SELECT 1 AS one"))
        connection.execute(sa.text("DROP VIEW our_views"))
        content = "SELECT 'old' AS digest, 'answers forgotten' AS names"
        connection.execute(sa.text(f"CREATE VIEW our_views AS {content}"))
    with pytest.raises(
        StoreProblem, match="views are of another version; run `monitor db upgrade`"
    ):
        migrations.check_schema(database)
    migrations.upgrade(database)
    migrations.check_schema(database)
    assert views(database) == set(migrations.read_view_files())
