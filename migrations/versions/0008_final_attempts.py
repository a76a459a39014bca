"""Which engines have a final answer in a run, found without looking through what has none.

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    only = sa.text("final = TRUE")
    op.create_index(
        "ix_attempts_final",
        "attempts",
        ["run_id", "engine_id"],
        sqlite_where=only,
        postgresql_where=only,
    )


def downgrade() -> None:
    op.drop_index("ix_attempts_final", "attempts")
