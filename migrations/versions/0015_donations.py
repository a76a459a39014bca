"""Result pages that people donate.

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key, UtcDateTime

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def _allow(*kinds: str) -> None:
    values = ", ".join(f"'{kind}'" for kind in kinds)
    name = op.f("ck_erasures_kind_known")
    with op.batch_alter_table("erasures") as batch:
        batch.drop_constraint(name, type_="check")
        batch.create_check_constraint(name, f"kind IN ({values})")


def upgrade() -> None:
    op.create_table(
        "donations",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("donor", "region", "device", "form", "consent")
        ),
        sa.Column("signed_in", sa.Boolean(), nullable=False),
        sa.Column("removed", sa.JSON(), nullable=False),
        sa.Column("donated_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "device IN ('desktop', 'mobile', 'tablet')", name=op.f("ck_donations_device_known")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_donations")),
    )
    op.create_index("ix_donations_donor", "donations", ["donor"])
    op.create_table(
        "donated_pages",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("donation_id", Key, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("system", "url", "query")),
        sa.Column("captured_at", UtcDateTime(), nullable=False),
        sa.Column("body_id", Key, nullable=True),
        sa.Column("erasure_id", Key, nullable=True),
        sa.ForeignKeyConstraint(
            ["donation_id"], ["donations.id"], name=op.f("fk_donated_pages_donation_id")
        ),
        sa.ForeignKeyConstraint(["body_id"], ["bodies.id"], name=op.f("fk_donated_pages_body_id")),
        sa.ForeignKeyConstraint(
            ["erasure_id"], ["erasures.id"], name=op.f("fk_donated_pages_erasure_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_donated_pages")),
    )
    op.create_index("ix_donated_pages_captured", "donated_pages", ["captured_at"])
    op.create_index("ix_donated_pages_donation", "donated_pages", ["donation_id"])
    op.create_index("ix_donated_pages_body", "donated_pages", ["body_id"])
    _allow("person", "url", "donor")


def downgrade() -> None:
    op.drop_table("donated_pages")
    op.drop_table("donations")
    op.execute("UPDATE erasures SET kind = 'url' WHERE kind = 'donor'")
    _allow("person", "url")
