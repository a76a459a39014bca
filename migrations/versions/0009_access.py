"""Users of the web pages, their sessions and tokens, and series that are not public yet.

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key, UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

PEOPLE = "people"
#: Parents before children.
TABLES = ("users", "web_sessions", "api_tokens", "login_failures")


def _id() -> sa.Column[int]:
    return sa.Column("id", Key, autoincrement=True, nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _time(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, UtcDateTime(), nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "users",
        _id(),
        _text("name"),
        sa.Column("roles", sa.JSON(), nullable=False),
        _text("password_hash"),
        _time("created_at"),
        _time("disabled_at", nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name", name=op.f("uq_users_name")),
        schema=PEOPLE,
    )
    op.create_table(
        "web_sessions",
        _id(),
        sa.Column("user_id", Key, nullable=False),
        _text("digest"),
        _time("created_at"),
        _time("seen_at"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["people.users.id"], name=op.f("fk_web_sessions_user_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_sessions")),
        sa.UniqueConstraint("digest", name=op.f("uq_web_sessions_digest")),
        schema=PEOPLE,
    )
    op.create_table(
        "api_tokens",
        _id(),
        sa.Column("user_id", Key, nullable=False),
        _text("name"),
        _text("digest"),
        _time("created_at"),
        _time("expires_at"),
        _time("used_at", nullable=True),
        _time("revoked_at", nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["people.users.id"], name=op.f("fk_api_tokens_user_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_tokens_digest")),
        schema=PEOPLE,
    )
    op.create_table(
        "login_failures",
        _id(),
        _text("subject"),
        _time("at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_failures")),
        schema=PEOPLE,
    )
    op.create_index(
        "ix_login_failures_subject_at", "login_failures", ["subject", "at"], schema=PEOPLE
    )
    op.create_table(
        "embargoes",
        _id(),
        *(_text(name) for name in ("job", "engine", "target", "measure", "quantity")),
        _text("reason"),
        _text("by"),
        _time("added_at"),
        _time("until", nullable=True),
        _time("lifted_at", nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_embargoes")),
    )


def downgrade() -> None:
    op.drop_table("embargoes")
    for name in reversed(TABLES):
        op.drop_table(name, schema=PEOPLE)
