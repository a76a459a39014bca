"""Search engines: who is shown, labels, look-ups, exits; people in a restricted schema.

Revision ID: 0003
Revises: 0002
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key, UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

OLD_CUES = "'agreement', 'quoted', 'pronoun', 'terms'"
CUES = f"{OLD_CUES}, 'people'"
PURPOSES = "purpose IN ('probe', 'label', 'reference', 'landing', 'egress')"
OUTCOMES = "outcome IN ('ok', 'empty', 'blocked', 'throttled', 'timeout', 'failed', 'unreadable')"
STATES = "state IN ('labelled', 'unresolved', 'conflict', 'not_human')"
PEOPLE = "people"


def _id() -> sa.Column[int]:
    return sa.Column("id", Key, autoincrement=True, nullable=False)


def _text(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _looked_up() -> list[sa.Column[Any]]:
    return [
        *_text("purpose"),
        sa.Column("request", sa.JSON(), nullable=False),
        *_text("outcome", "reason", "detail"),
        sa.Column("status", sa.Integer(), nullable=True),
        *_text("url"),
        sa.Column("asked_at", UtcDateTime, nullable=False),
        sa.Column("took", sa.Double(), nullable=False),
    ]


def _checks(table: str, *checks: str) -> list[sa.CheckConstraint]:
    return [
        sa.CheckConstraint(check, name=op.f(f"ck_{table}_{check.split()[0]}_known"))
        for check in checks
    ]


def _cues(values: str) -> None:
    with op.batch_alter_table("list_items") as batch:
        batch.drop_constraint(op.f("ck_list_items_cue_known"), type_="check")
        batch.create_check_constraint(op.f("ck_list_items_cue_known"), f"cue IN ({values})")


def upgrade() -> None:
    _cues(CUES)
    with op.batch_alter_table("exchanges") as batch:
        batch.add_column(sa.Column("observed", sa.JSON(), nullable=True))
    with op.batch_alter_table("topic_values") as batch:
        for name in ("shown", "labelled"):
            batch.add_column(
                sa.Column(name, sa.Integer(), server_default=sa.text("0"), nullable=False)
            )
        for name in ("p", "q"):
            batch.add_column(sa.Column(name, sa.Double(), nullable=True))
    op.create_table(
        "lookups",
        _id(),
        sa.Column("run_id", Key, nullable=True),
        *_looked_up(),
        sa.Column("body_id", Key, nullable=True),
        *_checks("lookups", PURPOSES, OUTCOMES),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_lookups_run_id")),
        sa.ForeignKeyConstraint(["body_id"], ["bodies.id"], name=op.f("fk_lookups_body_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lookups")),
    )
    with op.batch_alter_table("reference_shares") as batch:
        batch.add_column(sa.Column("lookup_id", Key, nullable=True))
        batch.create_foreign_key(
            op.f("fk_reference_shares_lookup_id"), "lookups", ["lookup_id"], ["id"]
        )
    op.create_table(
        "egresses",
        _id(),
        sa.Column("run_id", Key, nullable=False),
        *_text("exit", "service", "outcome", "detail", "country", "address_hash"),
        sa.Column("asked_at", UtcDateTime, nullable=False),
        *_checks("egresses", OUTCOMES),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_egresses_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_egresses")),
    )
    op.create_index("ix_egresses_run", "egresses", ["run_id"])
    op.create_table(
        "item_entities",
        sa.Column("item_id", Key, nullable=False),
        *_text("entity"),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_item_entities_item_id")),
        sa.PrimaryKeyConstraint("item_id", name=op.f("pk_item_entities")),
    )
    op.create_index("ix_item_entities_entity", "item_entities", ["entity"])
    op.create_table(
        "labels",
        _id(),
        *_text("entity", "state", "grouping", "source", "reason"),
        sa.Column("mapping_version", sa.Integer(), nullable=False),
        sa.Column("as_of", UtcDateTime, nullable=False),
        sa.Column("labelled_at", UtcDateTime, nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        *_checks("labels", STATES),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_labels")),
    )
    op.create_index("ix_labels_entity", "labels", ["entity", "is_current"])
    _restricted()


def _restricted() -> None:
    """Tables about people: a schema in PostgreSQL, an attached file of SQLite."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"CREATE SCHEMA IF NOT EXISTS {PEOPLE}")
    op.create_table(
        "people_lookups",
        _id(),
        *_looked_up(),
        sa.Column("run_id", Key, nullable=True),
        *_text("sha256"),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        *_checks("people_lookups", PURPOSES, OUTCOMES),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people_lookups")),
        schema=PEOPLE,
    )
    op.create_table(
        "people_entities",
        _id(),
        *_text("entity", "name"),
        sa.Column("occupations", sa.JSON(), nullable=False),
        *_text("link", "annotation", "state", "grouping", "reason", "method", "item"),
        sa.Column("genders", sa.JSON(), nullable=False),
        sa.Column("candidates", sa.JSON(), nullable=False),
        sa.Column("mapping_version", sa.Integer(), nullable=False),
        sa.Column("lookup_id", Key, nullable=True),
        sa.Column("resolved_at", UtcDateTime, nullable=False),
        *_checks("people_entities", STATES),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people_entities")),
        schema=PEOPLE,
    )
    op.create_index("ix_people_entities_entity", "people_entities", ["entity"], schema=PEOPLE)
    op.create_table(
        "people_ratings",
        _id(),
        *_text("entity", "rater", "grouping", "comment"),
        sa.Column("rated_at", UtcDateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people_ratings")),
        schema=PEOPLE,
    )
    op.create_index("ix_people_ratings_entity", "people_ratings", ["entity"], schema=PEOPLE)


def downgrade() -> None:
    """What the older schema cannot hold goes: who was shown, labels, look-ups."""
    for name in ("people_ratings", "people_entities", "people_lookups"):
        op.drop_table(name, schema=PEOPLE)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"DROP SCHEMA {PEOPLE}")
    for name in ("labels", "item_entities", "egresses"):
        op.drop_table(name)
    with op.batch_alter_table("reference_shares") as batch:
        batch.drop_constraint(op.f("fk_reference_shares_lookup_id"), type_="foreignkey")
        batch.drop_column("lookup_id")
    op.drop_table("lookups")
    with op.batch_alter_table("topic_values") as batch:
        for name in ("q", "p", "labelled", "shown"):
            batch.drop_column(name)
    with op.batch_alter_table("exchanges") as batch:
        batch.drop_column("observed")
    op.execute("UPDATE list_items SET cue = 'terms' WHERE cue = 'people'")
    _cues(OLD_CUES)
