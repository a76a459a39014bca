"""Changes say whether they hold beyond the list; runs that ask again have values of their own.

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_BEFORE = ("step", "week", "first", "minutes", "days", "confirm", "engines")


def _allow(contrasts: tuple[str, ...]) -> None:
    values = ", ".join(f"'{name}'" for name in contrasts)
    name = op.f("ck_comparisons_contrast_known")
    with op.batch_alter_table("comparisons") as batch:
        batch.drop_constraint(name, type_="check")
        batch.create_check_constraint(name, f"contrast IN ({values})")


def upgrade() -> None:
    _allow((*_BEFORE[:-1], "again", _BEFORE[-1]))
    with op.batch_alter_table("changes") as batch:
        batch.add_column(sa.Column("p_beyond", sa.Double(), nullable=True))
        batch.add_column(sa.Column("alpha_beyond", sa.Double(), nullable=True))
        batch.drop_column("e_value")


def downgrade() -> None:
    op.execute("DELETE FROM comparisons WHERE contrast = 'again'")
    _allow(_BEFORE)
    with op.batch_alter_table("changes") as batch:
        batch.add_column(sa.Column("e_value", sa.Double(), nullable=True))
        batch.drop_column("p_beyond")
        batch.drop_column("alpha_beyond")
