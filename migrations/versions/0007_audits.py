"""Audits of the instrument: what was drawn for people to read, and what they read.

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key, UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_CLASSES = "'masculine', 'feminine', 'both', 'inclusive', 'mixed', 'none', 'unidentified'"

#: Parents before children.
TABLES = (
    "instrument_audits",
    "instrument_audit_groups",
    "instrument_audit_strata",
    "instrument_audit_items",
    "instrument_audit_labels",
)


def _id() -> sa.Column[int]:
    return sa.Column("id", Key, autoincrement=True, nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _key(name: str) -> sa.Column[int]:
    return sa.Column(name, Key, nullable=False)


def _audits() -> None:
    op.create_table(
        "instrument_audits",
        _id(),
        _key("run_id"),
        _text("job"),
        _count("per_class"),
        sa.Column("by_system", sa.Boolean(), nullable=False),
        _text("seed"),
        _text("digest"),
        sa.Column("drawn_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_instrument_audits_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_instrument_audits")),
        sa.UniqueConstraint("run_id", "digest", name=op.f("uq_instrument_audits_run_id_digest")),
    )


def _groups() -> None:
    name = "instrument_audit_groups"
    op.create_table(
        name,
        _id(),
        _key("audit_id"),
        _text("target"),
        _text("cue"),
        _text("system"),
        sa.Column("systems", sa.JSON(), nullable=False),
        _key("language_id"),
        _count("left_out"),
        sa.CheckConstraint(
            "left_out BETWEEN 0 AND 2147483647", name=op.f(f"ck_{name}_left_out_counts")
        ),
        sa.ForeignKeyConstraint(
            ["audit_id"], ["instrument_audits.id"], name=op.f(f"fk_{name}_audit_id")
        ),
        sa.ForeignKeyConstraint(
            ["language_id"], ["versions.id"], name=op.f(f"fk_{name}_language_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
        sa.UniqueConstraint(
            "audit_id", "target", "cue", "system",
            name=op.f(f"uq_{name}_audit_id_target_cue_system"),
        ),
    )  # fmt: skip


def _strata() -> None:
    name = "instrument_audit_strata"
    op.create_table(
        name,
        _id(),
        _key("group_id"),
        _text("class"),
        _count("frame"),
        _count("drawn"),
        sa.CheckConstraint(f"class IN ({_CLASSES})", name=op.f(f"ck_{name}_class_known")),
        sa.CheckConstraint("drawn BETWEEN 0 AND frame", name=op.f(f"ck_{name}_drawn_of_frame")),
        sa.CheckConstraint("frame BETWEEN 0 AND 2147483647", name=op.f(f"ck_{name}_frame_counts")),
        sa.ForeignKeyConstraint(
            ["group_id"], ["instrument_audit_groups.id"], name=op.f(f"fk_{name}_group_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
        sa.UniqueConstraint("group_id", "class", name=op.f(f"uq_{name}_group_id_class")),
    )


def _items() -> None:
    name = "instrument_audit_items"
    op.create_table(
        name,
        _id(),
        _key("stratum_id"),
        _key("agreement_id"),
        _text("key"),
        _count("position"),
        sa.ForeignKeyConstraint(
            ["agreement_id"], ["agreements.id"], name=op.f(f"fk_{name}_agreement_id")
        ),
        sa.ForeignKeyConstraint(
            ["stratum_id"], ["instrument_audit_strata.id"], name=op.f(f"fk_{name}_stratum_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
        sa.UniqueConstraint("key", name=op.f(f"uq_{name}_key")),
        sa.UniqueConstraint(
            "stratum_id", "agreement_id", name=op.f(f"uq_{name}_stratum_id_agreement_id")
        ),
    )


def _labels() -> None:
    name = "instrument_audit_labels"
    op.create_table(
        name,
        _id(),
        _key("item_id"),
        _text("rater"),
        _text("class"),
        _text("sheet"),
        sa.Column("labelled_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(f"class IN ({_CLASSES})", name=op.f(f"ck_{name}_class_known")),
        sa.ForeignKeyConstraint(
            ["item_id"], ["instrument_audit_items.id"], name=op.f(f"fk_{name}_item_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
    )
    op.create_index("ix_instrument_audit_labels_item", name, ["item_id", "rater"])


def upgrade() -> None:
    for create in (_audits, _groups, _strata, _items, _labels):
        create()


def downgrade() -> None:
    for name in reversed(TABLES):
        op.drop_table(name)
