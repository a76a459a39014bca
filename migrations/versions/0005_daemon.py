"""The daemon: ticks, leases, tasks, files of jobs, pauses, alarms; bodies that were taken away.

On the way down the files of jobs go; bytes of them that were an answer too stay as an answer. Of a
body whose content was taken away nothing says so any more: before 0005 it reads as a damaged one.

Revision ID: 0005
Revises: 0004
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key, UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

#: What still refers to a body, looked up before it goes.
BODIES = {
    "ix_exchanges_body": ("exchanges", "body_id"),
    "ix_exchanges_screenshot": ("exchanges", "screenshot_id"),
    "ix_lookups_body": ("lookups", "body_id"),
    "ix_documents_body": ("documents", "body_id"),
    "ix_bundle_files_body": ("bundle_files", "body_id"),
}
OLD_RETENTION = "'answer', 'screenshot', 'lookup', 'document'"
TICKS = "'due', 'running', 'done', 'partial', 'missed', 'overlapped', 'failed'"
#: Parents before children.
TABLES = (
    "bundles bundle_files watched_jobs ticks leases tasks pauses processes events alarms erasures"
).split()


def _id() -> sa.Column[int]:
    return sa.Column("id", Key, autoincrement=True, nullable=False)


def _text(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _key(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, Key, nullable=nullable)


def _time(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, UtcDateTime(), nullable=nullable)


def _pk(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*(columns or ("id",)), name=op.f(f"pk_{table}"))


def _fk(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name)


def _closed(table: str, column: str, values: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} IN ({values})", name=op.f(f"ck_{table}_{column}_known"))


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=op.f(f"uq_{table}_{'_'.join(columns)}"))


def _files() -> None:
    op.create_table(
        "bundles",
        _id(),
        _key("job_id"),
        *_text("digest", "path"),
        _time("stored_at"),
        _fk("bundles", "job_id", "jobs"),
        _pk("bundles"),
        _unique("bundles", "digest"),
    )
    op.create_table(
        "bundle_files",
        _key("bundle_id"),
        *_text("path"),
        _key("body_id"),
        _fk("bundle_files", "bundle_id", "bundles"),
        _fk("bundle_files", "body_id", "bodies"),
        _pk("bundle_files", "bundle_id", "path"),
    )
    op.create_table(
        "watched_jobs",
        *_text("job", "path"),
        _key("bundle_id"),
        _time("watched_since"),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        *_text("trouble"),
        _time("next_at", nullable=True),
        _fk("watched_jobs", "bundle_id", "bundles"),
        _pk("watched_jobs", "job"),
    )


def _work() -> None:
    op.create_table(
        "ticks",
        _id(),
        *_text("job"),
        _time("due_at"),
        _time("start_at"),
        *_text("state", "reason"),
        _key("run_id", nullable=True),
        _time("noted_at"),
        _time("ended_at", nullable=True),
        _fk("ticks", "run_id", "runs"),
        _pk("ticks"),
        _unique("ticks", "job", "due_at"),
        _closed("ticks", "state", TICKS),
    )
    op.create_index("ix_ticks_state", "ticks", ["state"])
    op.create_table(
        "leases",
        *_text("name"),
        sa.Column("token", sa.Integer(), nullable=False),
        *_text("holder"),
        _time("until"),
        _time("next_at", nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False, server_default=sa.text("0")),
        _pk("leases", "name"),
    )
    op.create_table(
        "tasks",
        _id(),
        _key("run_id"),
        *_text("stage", "lane", "state"),
        sa.Column("tries", sa.Integer(), nullable=False),
        _time("not_before", nullable=True),
        *_text("reason"),
        _time("changed_at"),
        _fk("tasks", "run_id", "runs"),
        _pk("tasks"),
        _unique("tasks", "run_id", "stage", "lane"),
        _closed("tasks", "stage", "'collect', 'derive', 'redo'"),
        _closed("tasks", "state", "'open', 'done', 'failed'"),
    )
    op.create_index("ix_tasks_state", "tasks", ["state"])


def _operations() -> None:
    op.create_table(
        "pauses",
        *_text("kind", "name", "reason"),
        _time("paused_at"),
        _pk("pauses", "kind", "name"),
        _closed("pauses", "kind", "'engine', 'job'"),
    )
    op.create_table(
        "processes",
        *_text("name", "role"),
        _time("started_at"),
        _time("seen_at"),
        *_text("detail"),
        _pk("processes", "name"),
        _closed("processes", "role", "'daemon', 'worker'"),
    )
    op.create_table(
        "events",
        _id(),
        _time("at"),
        *_text("kind", "subject", "detail"),
        _key("run_id", nullable=True),
        _fk("events", "run_id", "runs"),
        _pk("events"),
    )
    op.create_index("ix_events_at", "events", ["at"])
    op.create_index("ix_events_kind", "events", ["kind", "subject", "at"])
    op.create_table(
        "alarms",
        _id(),
        *_text("kind", "subject", "detail"),
        _time("since"),
        _time("seen_at"),
        _time("resolved_at", nullable=True),
        _pk("alarms"),
    )
    op.create_index("ix_alarms_open", "alarms", ["kind", "subject", "resolved_at"])
    op.create_table(
        "erasures",
        _id(),
        *_text("kind", "subject_hash", "reason"),
        sa.Column("counts", sa.JSON(), nullable=False),
        _time("erased_at"),
        _pk("erasures"),
        _closed("erasures", "kind", "'person', 'url'"),
    )
    op.create_index("ix_erasures_subject", "erasures", ["subject_hash"])


def _retention(values: str, *, gone: bool) -> None:
    with op.batch_alter_table("bodies") as batch:
        batch.drop_constraint(op.f("ck_bodies_retention_known"), type_="check")
        batch.create_check_constraint(op.f("ck_bodies_retention_known"), f"retention IN ({values})")
        if gone:
            batch.add_column(_time("removed_at", nullable=True))
            because = sa.Column(
                "removed_because", sa.Text(), nullable=False, server_default=sa.text("''")
            )
            batch.add_column(because)
        else:
            batch.drop_column("removed_because")
            batch.drop_column("removed_at")


def _refer(table: str, column: str, target: str) -> None:
    with op.batch_alter_table(table) as batch:
        batch.add_column(_key(column, nullable=True))
        batch.create_foreign_key(op.f(f"fk_{table}_{column}"), target, [column], ["id"])


def _forget(table: str, column: str) -> None:
    with op.batch_alter_table(table) as batch:
        batch.drop_constraint(op.f(f"fk_{table}_{column}"), type_="foreignkey")
        batch.drop_column(column)


def upgrade() -> None:
    _retention(f"{OLD_RETENTION}, 'job'", gone=True)
    _files()
    _work()
    _operations()
    _refer("runs", "bundle_id", "bundles")
    with op.batch_alter_table("runs") as batch:
        seed = sa.Column("seed", sa.Text(), nullable=False, server_default=sa.text("''"))
        batch.add_column(seed)
    _refer("items", "erasure_id", "erasures")
    _refer("documents", "erasure_id", "erasures")
    for name, (table, column) in BODIES.items():
        op.create_index(name, table, [column])


def downgrade() -> None:
    _forget("documents", "erasure_id")
    _forget("items", "erasure_id")
    with op.batch_alter_table("runs") as batch:
        batch.drop_column("seed")
    _forget("runs", "bundle_id")
    for table in reversed(TABLES):
        op.drop_table(table)
    _forget_files()
    for name, (table, _) in BODIES.items():
        if table not in TABLES:
            op.drop_index(name, table)
    _retention(OLD_RETENTION, gone=False)


def _forget_files() -> None:
    """Drop the files of jobs but those whose bytes an answer, a picture or a text has too."""
    named = " UNION ALL ".join(
        f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL"  # noqa: S608 - names from above
        for table, column in BODIES.values()
        if table not in TABLES
    )
    op.execute(f"DELETE FROM bodies WHERE retention = 'job' AND id NOT IN ({named})")  # noqa: S608
    op.execute("UPDATE bodies SET retention = 'answer' WHERE retention = 'job'")
