"""What became of the questions of a run, counted once it has ended.

Runs that have ended already are counted after the migration, when the views are there again.

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_OF = ("list", "engine", "source_lang", "target")
_COUNTS = (
    "planned", "answered", "used", "masculine", "feminine", "both_forms", "inclusive", "mixed",
    "unmarked", "unidentified", "scored", "empty", "unreadable", "blocked", "unanswered",
)  # fmt: skip


def upgrade() -> None:
    op.create_table(
        "run_coverage",
        sa.Column("run_id", Key, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in _OF),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _COUNTS),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_run_coverage_run_id")),
        sa.PrimaryKeyConstraint("run_id", *_OF, name=op.f("pk_run_coverage")),
    )


def downgrade() -> None:
    op.drop_table("run_coverage")
