"""Ranked lists by their words: values by query, texts behind results, relevance judgements.

Revision ID: 0004
Revises: 0003
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

OLD_RETENTION = "'answer', 'screenshot', 'lookup'"
OUTCOMES = "outcome IN ('ok', 'empty', 'blocked', 'throttled', 'timeout', 'failed', 'unreadable')"


def _id() -> sa.Column[int]:
    return sa.Column("id", Key, autoincrement=True, nullable=False)


def _text(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _key(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, Key, nullable=nullable)


def _retention(values: str) -> None:
    with op.batch_alter_table("bodies") as batch:
        batch.drop_constraint(op.f("ck_bodies_retention_known"), type_="check")
        batch.create_check_constraint(op.f("ck_bodies_retention_known"), f"retention IN ({values})")


def upgrade() -> None:
    _retention(f"{OLD_RETENTION}, 'document'")
    op.create_table(
        "query_values",
        _id(),
        _key("point_id"),
        *_text("key", "state", "reason"),
        *(
            sa.Column(name, sa.Double(), nullable=True)
            for name in ("value", "bound_low", "bound_high", "x", "influence")
        ),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("documents", "used", "missing", "empty")
        ),
        sa.CheckConstraint(
            "state IN ('measured', 'insufficient', 'missed')",
            name=op.f("ck_query_values_state_known"),
        ),
        sa.ForeignKeyConstraint(["point_id"], ["points.id"], name=op.f("fk_query_values_point_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_query_values")),
        sa.UniqueConstraint("point_id", "key", name=op.f("uq_query_values_point_id_key")),
    )
    op.create_table(
        "documents",
        _id(),
        *_text("collection", "key", "outcome", "reason", "detail", "extractor"),
        _key("lookup_id", nullable=True),
        _key("body_id", nullable=True),
        sa.CheckConstraint(OUTCOMES, name=op.f("ck_documents_outcome_known")),
        sa.ForeignKeyConstraint(["lookup_id"], ["lookups.id"], name=op.f("fk_documents_lookup_id")),
        sa.ForeignKeyConstraint(["body_id"], ["bodies.id"], name=op.f("fk_documents_body_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
        sa.UniqueConstraint("collection", "key", name=op.f("uq_documents_collection_key")),
    )
    op.create_table(
        "judgements",
        _id(),
        *_text("collection", "topic", "document"),
        sa.Column("grade", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgements")),
        sa.UniqueConstraint(
            "collection", "topic", "document", name=op.f("uq_judgements_collection_topic_document")
        ),
    )


def downgrade() -> None:
    for name in ("judgements", "documents", "query_values"):
        op.drop_table(name)
    op.execute("UPDATE bodies SET retention = 'lookup' WHERE retention = 'document'")
    _retention(OLD_RETENTION)
