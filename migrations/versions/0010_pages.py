"""The answers of one run in their order, found without walking through those of other runs.

Revision ID: 0010
Revises: 0009
"""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_attempts_run_id", "attempts", ["run_id", "id"])


def downgrade() -> None:
    op.drop_index("ix_attempts_run_id", "attempts")
