"""Services over HTTP: more reasons, item languages and cues, pronouns, scores, suspensions.

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key, UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

OLD_REASONS = (
    "'', 'auth', 'captcha', 'consent', 'crashed', 'echo', 'exception', 'js_shell', 'malformed', "
    "'poisoned', 'quota', 'short', 'suspect_empty', 'unrecorded'"
)
REASONS = (
    "'', 'auth', 'captcha', 'chatter', 'consent', 'crashed', 'echo', 'exception', 'js_shell', "
    "'malformed', 'oversize', 'poisoned', 'quota', 'rate', 'refused', 'refusal', 'short', "
    "'stale', 'suspect_empty', 'truncated', 'unreachable', 'unsupported', 'unrecorded'"
)
NEW_REASONS = (
    "chatter", "oversize", "rate", "refused", "refusal", "stale", "truncated", "unreachable",
    "unsupported",
)  # fmt: skip
CUES = "'agreement', 'quoted', 'pronoun', 'terms'"


def _allow(table: str, column: str, values: str) -> None:
    with op.batch_alter_table(table) as batch:
        batch.drop_constraint(op.f(f"ck_{table}_{column}_known"), type_="check")
        batch.create_check_constraint(op.f(f"ck_{table}_{column}_known"), f"{column} IN ({values})")


def upgrade() -> None:
    for table in ("exchanges", "readings"):
        _allow(table, "reason", REASONS)
    _allow("agreements", "cue", "'agreement', 'quoted', 'pronoun'")
    with op.batch_alter_table("list_items") as batch:
        batch.add_column(
            sa.Column("source_lang", sa.Text(), server_default=sa.text("''"), nullable=False)
        )
        batch.add_column(
            sa.Column("cue", sa.Text(), server_default=sa.text("'agreement'"), nullable=False)
        )
        batch.create_check_constraint(op.f("ck_list_items_cue_known"), f"cue IN ({CUES})")
    op.execute(
        "UPDATE list_items SET source_lang = "
        "(SELECT l.source_lang FROM lists l WHERE l.id = list_items.list_id)"
    )
    op.create_table(
        "lm_scores",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("item_id", Key, nullable=False),
        sa.Column("template", sa.Text(), nullable=False),
        sa.Column("log_ratio", sa.Double(), nullable=False),
        sa.Column("log_masculine", sa.Double(), nullable=True),
        sa.Column("log_feminine", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_lm_scores_item_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lm_scores")),
        sa.UniqueConstraint("item_id", name=op.f("uq_lm_scores_item_id")),
    )
    op.create_table(
        "suspensions",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("exit", sa.Text(), nullable=False),
        sa.Column("until", UtcDateTime, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("since", UtcDateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_suspensions")),
        sa.UniqueConstraint("lane", "exit", name=op.f("uq_suspensions_lane_exit")),
    )


def downgrade() -> None:
    """Reasons that the older schema does not know become none; what it cannot hold goes."""
    op.drop_table("suspensions")
    op.drop_table("lm_scores")
    with op.batch_alter_table("list_items") as batch:
        batch.drop_constraint(op.f("ck_list_items_cue_known"), type_="check")
        batch.drop_column("cue")
        batch.drop_column("source_lang")
    op.execute("DELETE FROM agreements WHERE cue = 'pronoun'")
    _allow("agreements", "cue", "'agreement', 'quoted'")
    for table in ("exchanges", "readings"):
        rows = sa.table(table, sa.column("reason", sa.Text()))
        op.execute(sa.update(rows).where(rows.c.reason.in_(NEW_REASONS)).values(reason=""))
        _allow(table, "reason", OLD_REASONS)
