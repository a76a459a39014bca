"""The gender of a person named in the source is a cue.

Revision ID: 0014
Revises: 0013
"""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_LISTS = ("agreement", "quoted", "pronoun", "terms", "people")
_AGREEMENTS = ("agreement", "quoted", "pronoun")


def _allow(table: str, cues: tuple[str, ...]) -> None:
    values = ", ".join(f"'{cue}'" for cue in cues)
    name = op.f(f"ck_{table}_cue_known")
    with op.batch_alter_table(table) as batch:
        batch.drop_constraint(name, type_="check")
        batch.create_check_constraint(name, f"cue IN ({values})")


def upgrade() -> None:
    _allow("list_items", (*_LISTS, "entity"))
    _allow("agreements", (*_AGREEMENTS, "entity"))


def downgrade() -> None:
    op.execute("DELETE FROM agreements WHERE cue = 'entity'")
    op.execute("UPDATE list_items SET cue = 'agreement' WHERE cue = 'entity'")
    _allow("agreements", _AGREEMENTS)
    _allow("list_items", _LISTS)
