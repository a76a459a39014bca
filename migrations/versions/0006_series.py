"""Series and their signatures, comparisons, changes, declarations, reports, notices.

On the way up each series gets the signature of its newest value.

Revision ID: 0006
Revises: 0005
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key, UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

#: Parents before children.
TABLES = "switches comparisons looks changes preregistrations reports notices".split()


def _id() -> sa.Column[int]:
    return sa.Column("id", Key, autoincrement=True, nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _number(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Double(), nullable=True)


def _key(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, Key, nullable=nullable)


def _time(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, UtcDateTime(), nullable=nullable)


def _switches() -> None:
    op.create_table(
        "switches",
        _id(),
        _key("series_id"),
        _key("from_id", nullable=True),
        _key("to_id"),
        _time("switched_at"),
        sa.ForeignKeyConstraint(["from_id"], ["signatures.id"], name=op.f("fk_switches_from_id")),
        sa.ForeignKeyConstraint(
            ["series_id"], ["series_keys.id"], name=op.f("fk_switches_series_id")
        ),
        sa.ForeignKeyConstraint(["to_id"], ["signatures.id"], name=op.f("fk_switches_to_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_switches")),
    )
    op.create_index("ix_switches_series", "switches", ["series_id"])


def _comparisons() -> None:
    op.create_table(
        "comparisons",
        _id(),
        _key("series_id"),
        _text("contrast"),
        _key("before_run_id"),
        _key("after_run_id"),
        _key("other_id", nullable=True),
        _key("signature_id"),
        _time("due_at"),
        _count("method_version"),
        _text("state"),
        _text("reason"),
        _text("test"),
        _count("n"),
        _count("only_before"),
        _count("only_after"),
        _count("changed"),
        _number("before"),
        _number("after"),
        _number("delta"),
        _number("low"),
        _number("high"),
        _number("p"),
        sa.Column("facts", sa.JSON(), nullable=False),
        _text("inputs_digest"),
        _time("computed_at"),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "(state = 'measured') = (delta IS NOT NULL)",
            name=op.f("ck_comparisons_delta_if_measured"),
        ),
        sa.CheckConstraint(
            "contrast IN ('step', 'week', 'first', 'minutes', 'days', 'confirm', 'engines')",
            name=op.f("ck_comparisons_contrast_known"),
        ),
        sa.CheckConstraint(
            "state IN ('measured', 'insufficient')", name=op.f("ck_comparisons_state_known")
        ),
        sa.CheckConstraint(
            "test IN ('mcnemar', 'stuart_maxwell', 'sign_flip', '')",
            name=op.f("ck_comparisons_test_known"),
        ),
        sa.CheckConstraint(
            "changed BETWEEN 0 AND 2147483647", name=op.f("ck_comparisons_changed_counts")
        ),
        sa.CheckConstraint("n BETWEEN 0 AND 2147483647", name=op.f("ck_comparisons_n_counts")),
        sa.CheckConstraint(
            "only_after BETWEEN 0 AND 2147483647", name=op.f("ck_comparisons_only_after_counts")
        ),
        sa.CheckConstraint(
            "only_before BETWEEN 0 AND 2147483647", name=op.f("ck_comparisons_only_before_counts")
        ),
        sa.ForeignKeyConstraint(
            ["after_run_id"], ["runs.id"], name=op.f("fk_comparisons_after_run_id")
        ),
        sa.ForeignKeyConstraint(
            ["before_run_id"], ["runs.id"], name=op.f("fk_comparisons_before_run_id")
        ),
        sa.ForeignKeyConstraint(
            ["other_id"], ["series_keys.id"], name=op.f("fk_comparisons_other_id")
        ),
        sa.ForeignKeyConstraint(
            ["series_id"], ["series_keys.id"], name=op.f("fk_comparisons_series_id")
        ),
        sa.ForeignKeyConstraint(
            ["signature_id"], ["signatures.id"], name=op.f("fk_comparisons_signature_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparisons")),
    )
    op.create_index(
        "ix_comparisons_after", "comparisons", ["after_run_id", "contrast", "is_current"]
    )
    op.create_index(
        "ix_comparisons_series", "comparisons", ["series_id", "contrast", "is_current", "due_at"]
    )


def _looks() -> None:
    op.create_table(
        "looks",
        _id(),
        _text("job"),
        _time("due_at"),
        _count("number"),
        _count("families"),
        _count("hypotheses"),
        _number("p"),
        _number("alpha"),
        _count("selected"),
        _text("rule"),
        _text("inputs_digest"),
        _time("computed_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_looks")),
        sa.UniqueConstraint("job", "due_at", name=op.f("uq_looks_job_due_at")),
    )


def _changes() -> None:
    op.create_table(
        "changes",
        _id(),
        _key("series_id"),
        _text("kind"),
        _text("role"),
        _text("family"),
        _time("changed_at"),
        _time("detected_at"),
        _key("before_run_id"),
        _key("after_run_id"),
        _key("comparison_id", nullable=True),
        _key("confirm_id", nullable=True),
        _number("before"),
        _number("after"),
        _number("effect"),
        _number("low"),
        _number("high"),
        _number("p"),
        _number("q"),
        _number("alpha"),
        _number("e_value"),
        _number("noise"),
        _number("statistic"),
        _text("status"),
        _text("cause"),
        _text("because"),
        _text("sentence"),
        sa.Column("facts", sa.JSON(), nullable=False),
        _text("inputs_digest"),
        _time("computed_at"),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "cause IN ('engine', 'parser', 'language', 'lexicon', 'measure', 'list', 'target', 'labels', 'instrument', 'open')",
            name=op.f("ck_changes_cause_known"),
        ),
        sa.CheckConstraint(
            "kind IN ('step', 'shift', 'drift')", name=op.f("ck_changes_kind_known")
        ),
        sa.CheckConstraint(
            "role IN ('primary', 'secondary', 'witness')", name=op.f("ck_changes_role_known")
        ),
        sa.CheckConstraint(
            "status IN ('candidate', 'confirmed', 'refuted', 'unconfirmed', 'retrospective')",
            name=op.f("ck_changes_status_known"),
        ),
        sa.ForeignKeyConstraint(
            ["after_run_id"], ["runs.id"], name=op.f("fk_changes_after_run_id")
        ),
        sa.ForeignKeyConstraint(
            ["before_run_id"], ["runs.id"], name=op.f("fk_changes_before_run_id")
        ),
        sa.ForeignKeyConstraint(
            ["comparison_id"], ["comparisons.id"], name=op.f("fk_changes_comparison_id")
        ),
        sa.ForeignKeyConstraint(
            ["confirm_id"], ["comparisons.id"], name=op.f("fk_changes_confirm_id")
        ),
        sa.ForeignKeyConstraint(
            ["series_id"], ["series_keys.id"], name=op.f("fk_changes_series_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_changes")),
    )
    op.create_index("ix_changes_current", "changes", ["is_current", "detected_at"])
    op.create_index("ix_changes_series", "changes", ["series_id", "is_current"])


def _preregistrations() -> None:
    op.create_table(
        "preregistrations",
        _id(),
        _text("job"),
        sa.Column("content", sa.JSON(), nullable=False),
        _text("hash"),
        _time("registered_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_preregistrations")),
        sa.UniqueConstraint("hash", name=op.f("uq_preregistrations_hash")),
    )
    op.create_index("ix_preregistrations_job", "preregistrations", ["job"])


def _reports() -> None:
    op.create_table(
        "reports",
        _id(),
        _text("job"),
        _text("kind"),
        _time("due_at"),
        _text("state"),
        _text("reason"),
        _text("folder"),
        _text("digest"),
        _time("made_at", nullable=True),
        sa.CheckConstraint(
            "state IN ('due', 'made', 'failed')", name=op.f("ck_reports_state_known")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
        sa.UniqueConstraint("job", "kind", "due_at", name=op.f("uq_reports_job_kind_due_at")),
    )


def _notices() -> None:
    op.create_table(
        "notices",
        _id(),
        _text("route"),
        _text("kind"),
        _text("subject"),
        _text("title"),
        _text("body"),
        _time("created_at"),
        _text("state"),
        _count("tries"),
        _time("next_at", nullable=True),
        _time("sent_at", nullable=True),
        _text("trouble"),
        sa.CheckConstraint(
            "route IN ('findings', 'operations')", name=op.f("ck_notices_route_known")
        ),
        sa.CheckConstraint(
            "state IN ('open', 'sent', 'dropped', 'failed')", name=op.f("ck_notices_state_known")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
        sa.UniqueConstraint(
            "route",
            "kind",
            "subject",
            "created_at",
            name=op.f("uq_notices_route_kind_subject_created_at"),
        ),
    )
    op.create_index("ix_notices_state", "notices", ["state"])


#: Of several computations of one series, run and signature the newest one is in force.
OLDER = """
    UPDATE points SET is_newest = FALSE
    WHERE NOT is_current AND EXISTS (
        SELECT 1 FROM points newer
        WHERE newer.series_id = points.series_id AND newer.run_id = points.run_id
            AND newer.signature_id = points.signature_id
            AND (newer.is_current OR newer.id > points.id)
    )
"""
SHOWN = """
    UPDATE series_keys SET signature_id = (
        SELECT p.signature_id FROM points p
        WHERE p.series_id = series_keys.id AND p.is_current = TRUE
        ORDER BY p.due_at DESC, p.run_id DESC LIMIT 1
    )
"""


def _index_points(*rest: str) -> None:
    """Make the index of the points of a series anew, with these columns at its end."""
    op.drop_index("ix_points_series_due", "points")
    op.create_index("ix_points_series_due", "points", ["series_id", "is_current", *rest])


def upgrade() -> None:
    shown: sa.Column[bool] = sa.Column(
        "is_newest", sa.Boolean(), nullable=False, server_default=sa.true()
    )
    op.add_column("points", shown)
    op.execute(OLDER)
    _index_points("due_at", "run_id", "state", "signature_id")
    op.create_index("ix_points_run", "points", ["run_id", "is_current"])
    with op.batch_alter_table("series_keys") as batch:
        batch.add_column(_key("signature_id", nullable=True))
        name = op.f("fk_series_keys_signature_id")
        batch.create_foreign_key(name, "signatures", ["signature_id"], ["id"])
    op.execute(SHOWN)
    _switches()
    _comparisons()
    _looks()
    _changes()
    _preregistrations()
    _reports()
    _notices()


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)
    with op.batch_alter_table("series_keys") as batch:
        batch.drop_constraint(op.f("fk_series_keys_signature_id"), type_="foreignkey")
        batch.drop_column("signature_id")
    op.drop_index("ix_points_run", "points")
    _index_points("due_at")
    with op.batch_alter_table("points") as batch:
        batch.drop_column("is_newest")
