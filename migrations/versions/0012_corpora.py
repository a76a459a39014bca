"""What a run that asks nothing has read: the texts that other jobs collected in a period.

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key, UtcDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_COUNTS = ("answers", "documents", "repeats", "missing")


def upgrade() -> None:
    op.create_table(
        "corpora",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("run_id", Key, nullable=False),
        sa.Column("engine_id", Key, nullable=False),
        sa.Column("source_lang", sa.Text(), nullable=False),
        sa.Column("region", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("parser_id", Key, nullable=False),
        sa.Column("begins_at", UtcDateTime(), nullable=False),
        sa.Column("ends_at", UtcDateTime(), nullable=False),
        sa.Column("query", sa.JSON(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _COUNTS),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("gathered_at", UtcDateTime(), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.CheckConstraint("text IN ('snippet', 'landing')", name=op.f("ck_corpora_text_known")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_corpora_run_id")),
        sa.ForeignKeyConstraint(["engine_id"], ["engines.id"], name=op.f("fk_corpora_engine_id")),
        sa.ForeignKeyConstraint(["parser_id"], ["versions.id"], name=op.f("fk_corpora_parser_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corpora")),
        sa.UniqueConstraint(
            *("run_id", "engine_id", "source_lang", "region", "text", "digest"),
            name=op.f("uq_corpora_run_id_engine_id_source_lang_region_text_digest"),
        ),
    )
    op.create_table(
        "corpus_runs",
        sa.Column("corpus_id", Key, nullable=False),
        sa.Column("run_id", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["corpus_id"], ["corpora.id"], name=op.f("fk_corpus_runs_corpus_id")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_corpus_runs_run_id")),
        sa.PrimaryKeyConstraint("corpus_id", "run_id", name=op.f("pk_corpus_runs")),
    )
    op.create_index("ix_corpus_runs_run", "corpus_runs", ["run_id"])
    op.create_table(
        "corpus_probes",
        sa.Column("corpus_id", Key, nullable=False),
        sa.Column("probe_id", Key, nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["corpus_id"], ["corpora.id"], name=op.f("fk_corpus_probes_corpus_id")
        ),
        sa.ForeignKeyConstraint(
            ["probe_id"], ["probes.id"], name=op.f("fk_corpus_probes_probe_id")
        ),
        sa.PrimaryKeyConstraint("corpus_id", "probe_id", name=op.f("pk_corpus_probes")),
    )
    op.create_table(
        "corpus_documents",
        sa.Column("corpus_id", Key, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("attempt_id", Key, nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["corpus_id"], ["corpora.id"], name=op.f("fk_corpus_documents_corpus_id")
        ),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_corpus_documents_attempt_id")
        ),
        sa.PrimaryKeyConstraint("corpus_id", "position", name=op.f("pk_corpus_documents")),
    )


def downgrade() -> None:
    op.drop_table("corpus_documents")
    op.drop_table("corpus_probes")
    op.drop_index("ix_corpus_runs_run", "corpus_runs")
    op.drop_table("corpus_runs")
    op.drop_table("corpora")
