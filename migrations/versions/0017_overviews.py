"""Texts by a model have a state and the pages that they cite.

Revision ID: 0017
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key

revision = "0017"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "item_overviews",
        sa.Column("item_id", Key, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_item_overviews_item_id")),
        sa.PrimaryKeyConstraint("item_id", name=op.f("pk_item_overviews")),
        sa.CheckConstraint(
            "state IN ('shown', 'declined', 'unavailable', 'loading')",
            name=op.f("ck_item_overviews_state_known"),
        ),
    )


def downgrade() -> None:
    op.drop_table("item_overviews")
