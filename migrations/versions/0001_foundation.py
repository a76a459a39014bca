"""The first schema: lists, runs, evidence, readings, signals, points.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

from monitor.store.rows import Key, UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agents",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("identity", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agents")),
        sa.UniqueConstraint("key", name=op.f("uq_agents_key")),
    )
    op.create_table(
        "bodies",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("encoding", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("retention", sa.Text(), nullable=False),
        sa.Column("stored_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint("encoding IN ('zstd')", name=op.f("ck_bodies_encoding_known")),
        sa.CheckConstraint(
            "retention IN ('answer', 'screenshot', 'lookup')",
            name=op.f("ck_bodies_retention_known"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bodies")),
        sa.UniqueConstraint("sha256", name=op.f("uq_bodies_sha256")),
    )
    op.create_table(
        "engines",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("surface", sa.Text(), nullable=False),
        sa.Column("config_hash", sa.Text(), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.CheckConstraint("kind IN ('search', 'mt', 'lm')", name=op.f("ck_engines_kind_known")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_engines")),
        sa.UniqueConstraint(
            "name", "surface", "config_hash", name=op.f("uq_engines_name_surface_config_hash")
        ),
    )
    op.create_table(
        "jobs",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("first_seen_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("name", "content_hash", name=op.f("uq_jobs_name_content_hash")),
    )
    op.create_table(
        "lists",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("source_lang", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("licence", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("published_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lists")),
        sa.UniqueConstraint("name", "version", name=op.f("uq_lists_name_version")),
    )
    op.create_table(
        "probes",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("source_lang", sa.Text(), nullable=False),
        sa.Column("target_lang", sa.Text(), nullable=False),
        sa.Column("region", sa.Text(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_probes")),
        sa.UniqueConstraint("key", name=op.f("uq_probes_key")),
    )
    op.create_table(
        "reference_shares",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("as_of", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("grouping", sa.Text(), nullable=False),
        sa.Column("share", sa.Double(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("source_as_of", sa.Text(), nullable=False),
        sa.Column("source_word", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "share >= 0 AND share <= 1", name=op.f("ck_reference_shares_share_range")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reference_shares")),
        sa.UniqueConstraint(
            "reference",
            "as_of",
            "topic",
            "grouping",
            "share",
            "source",
            name=op.f("uq_reference_shares_reference_as_of_topic_grouping_share_source"),
        ),
    )
    op.create_table(
        "scopes",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("scope", name=op.f("pk_scopes")),
    )
    op.create_table(
        "signatures",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signatures")),
        sa.UniqueConstraint("hash", name=op.f("uq_signatures_hash")),
    )
    op.create_table(
        "versions",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint(
            "kind",
            "name",
            "version",
            "fingerprint",
            name=op.f("uq_versions_kind_name_version_fingerprint"),
        ),
    )
    op.create_table(
        "list_items",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("list_id", Key, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["list_id"], ["lists.id"], name=op.f("fk_list_items_list_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_list_items")),
        sa.UniqueConstraint("list_id", "key", name=op.f("uq_list_items_list_id_key")),
        sa.UniqueConstraint("list_id", "position", name=op.f("uq_list_items_list_id_position")),
    )
    op.create_table(
        "runs",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("job_id", Key, nullable=False),
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("code_version", sa.Text(), nullable=False),
        sa.Column("packages", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("owner", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('scheduled', 'manual', 'confirm', 'noise')", name=op.f("ck_runs_kind_known")
        ),
        sa.CheckConstraint(
            "state IN ('running', 'interrupted', 'done', 'partial')",
            name=op.f("ck_runs_state_known"),
        ),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_runs_job_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.UniqueConstraint("job", "due_at", "kind", name=op.f("uq_runs_job_due_at_kind")),
    )
    op.create_table(
        "series_keys",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("list", sa.Text(), nullable=False),
        sa.Column("engine_id", Key, nullable=False),
        sa.Column("source_lang", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("measure", sa.Text(), nullable=False),
        sa.Column("quantity", sa.Text(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["engine_id"], ["engines.id"], name=op.f("fk_series_keys_engine_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_series_keys")),
        sa.UniqueConstraint("key", name=op.f("uq_series_keys_key")),
    )
    op.create_index(
        "ix_series_keys_quantity_scope", "series_keys", ["quantity", "scope"], unique=False
    )
    op.create_table(
        "exchanges",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("run_id", Key, nullable=False),
        sa.Column("engine_id", Key, nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("request", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("body_id", Key, nullable=True),
        sa.Column("screenshot_id", Key, nullable=True),
        sa.Column("agent_id", Key, nullable=True),
        sa.Column("egress", sa.Text(), nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("took", sa.Double(), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('ok', 'empty', 'blocked', 'throttled', 'timeout', 'failed', 'unreadable')",
            name=op.f("ck_exchanges_outcome_known"),
        ),
        sa.CheckConstraint(
            "purpose IN ('probe', 'label', 'reference', 'landing', 'egress')",
            name=op.f("ck_exchanges_purpose_known"),
        ),
        sa.CheckConstraint(
            "reason IN ('', 'auth', 'captcha', 'consent', 'crashed', 'echo', 'exception', 'js_shell', 'malformed', 'poisoned', 'quota', 'short', 'suspect_empty', 'unrecorded')",
            name=op.f("ck_exchanges_reason_known"),
        ),
        sa.ForeignKeyConstraint(["agent_id"], ["agents.id"], name=op.f("fk_exchanges_agent_id")),
        sa.ForeignKeyConstraint(["body_id"], ["bodies.id"], name=op.f("fk_exchanges_body_id")),
        sa.ForeignKeyConstraint(["engine_id"], ["engines.id"], name=op.f("fk_exchanges_engine_id")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_exchanges_run_id")),
        sa.ForeignKeyConstraint(
            ["screenshot_id"], ["bodies.id"], name=op.f("fk_exchanges_screenshot_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exchanges")),
    )
    op.create_index(
        "ix_exchanges_engine_asked", "exchanges", ["engine_id", "asked_at"], unique=False
    )
    op.create_index("ix_exchanges_run", "exchanges", ["run_id"], unique=False)
    op.create_table(
        "list_probes",
        sa.Column("list_item_id", Key, nullable=False),
        sa.Column("probe_id", Key, nullable=False),
        sa.ForeignKeyConstraint(
            ["list_item_id"], ["list_items.id"], name=op.f("fk_list_probes_list_item_id")
        ),
        sa.ForeignKeyConstraint(["probe_id"], ["probes.id"], name=op.f("fk_list_probes_probe_id")),
        sa.PrimaryKeyConstraint("list_item_id", "probe_id", name=op.f("pk_list_probes")),
    )
    op.create_index(op.f("ix_list_probes_probe_id"), "list_probes", ["probe_id"], unique=False)
    op.create_table(
        "points",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("series_id", Key, nullable=False),
        sa.Column("run_id", Key, nullable=False),
        sa.Column("signature_id", Key, nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("low", sa.Double(), nullable=True),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("bound_low", sa.Double(), nullable=True),
        sa.Column("bound_high", sa.Double(), nullable=True),
        sa.Column("flags", sa.JSON(), nullable=False),
        sa.Column("planned", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("unidentified", sa.Integer(), nullable=False),
        sa.Column("inputs_digest", sa.Text(), nullable=False),
        sa.Column("computed_at", UtcDateTime(), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "(state = 'measured') = (value IS NOT NULL)", name=op.f("ck_points_value_if_measured")
        ),
        sa.CheckConstraint(
            "state IN ('measured', 'insufficient', 'missed')", name=op.f("ck_points_state_known")
        ),
        sa.CheckConstraint(
            "answered BETWEEN 0 AND 2147483647", name=op.f("ck_points_answered_counts")
        ),
        sa.CheckConstraint(
            "planned BETWEEN 0 AND 2147483647", name=op.f("ck_points_planned_counts")
        ),
        sa.CheckConstraint(
            "unidentified BETWEEN 0 AND 2147483647", name=op.f("ck_points_unidentified_counts")
        ),
        sa.CheckConstraint("used BETWEEN 0 AND 2147483647", name=op.f("ck_points_used_counts")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_points_run_id")),
        sa.ForeignKeyConstraint(
            ["series_id"], ["series_keys.id"], name=op.f("fk_points_series_id")
        ),
        sa.ForeignKeyConstraint(
            ["signature_id"], ["signatures.id"], name=op.f("fk_points_signature_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_points")),
        sa.UniqueConstraint(
            "series_id",
            "run_id",
            "signature_id",
            "inputs_digest",
            name=op.f("uq_points_series_id_run_id_signature_id_inputs_digest"),
        ),
    )
    op.create_index(
        "ix_points_series_due", "points", ["series_id", "is_current", "due_at"], unique=False
    )
    op.create_table(
        "run_lists",
        sa.Column("run_id", Key, nullable=False),
        sa.Column("list_id", Key, nullable=False),
        sa.ForeignKeyConstraint(["list_id"], ["lists.id"], name=op.f("fk_run_lists_list_id")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_run_lists_run_id")),
        sa.PrimaryKeyConstraint("run_id", "list_id", name=op.f("pk_run_lists")),
    )
    op.create_table(
        "stages_done",
        sa.Column("run_id", Key, nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("done_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_stages_done_run_id")),
        sa.PrimaryKeyConstraint("run_id", "stage", "version", name=op.f("pk_stages_done")),
    )
    op.create_table(
        "attempts",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("run_id", Key, nullable=False),
        sa.Column("engine_id", Key, nullable=False),
        sa.Column("probe_id", Key, nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("exchange_id", Key, nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("final", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.CheckConstraint(
            "repeat BETWEEN 0 AND 2147483647", name=op.f("ck_attempts_repeat_counts")
        ),
        sa.ForeignKeyConstraint(["engine_id"], ["engines.id"], name=op.f("fk_attempts_engine_id")),
        sa.ForeignKeyConstraint(
            ["exchange_id"], ["exchanges.id"], name=op.f("fk_attempts_exchange_id")
        ),
        sa.ForeignKeyConstraint(["probe_id"], ["probes.id"], name=op.f("fk_attempts_probe_id")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_attempts_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
        sa.UniqueConstraint(
            "run_id",
            "engine_id",
            "probe_id",
            "repeat",
            "n",
            name=op.f("uq_attempts_run_id_engine_id_probe_id_repeat_n"),
        ),
    )
    op.create_index("ix_attempts_exchange", "attempts", ["exchange_id", "position"], unique=False)
    op.create_table(
        "point_facts",
        sa.Column("point_id", Key, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["point_id"], ["points.id"], name=op.f("fk_point_facts_point_id")),
        sa.PrimaryKeyConstraint("point_id", "key", name=op.f("pk_point_facts")),
    )
    op.create_table(
        "topic_values",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("point_id", Key, nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("women", sa.Double(), nullable=False),
        sa.Column("men", sa.Double(), nullable=False),
        sa.Column("model", sa.Double(), nullable=True),
        sa.Column("model_low", sa.Double(), nullable=True),
        sa.Column("model_high", sa.Double(), nullable=True),
        sa.Column("target", sa.Double(), nullable=True),
        sa.Column("bias", sa.Double(), nullable=True),
        sa.Column("bound_low", sa.Double(), nullable=True),
        sa.Column("bound_high", sa.Double(), nullable=True),
        sa.Column("planned", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("unidentified", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("as_of", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "state IN ('measured', 'insufficient', 'missed')",
            name=op.f("ck_topic_values_state_known"),
        ),
        sa.ForeignKeyConstraint(["point_id"], ["points.id"], name=op.f("fk_topic_values_point_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_topic_values")),
        sa.UniqueConstraint("point_id", "topic", name=op.f("uq_topic_values_point_id_topic")),
    )
    op.create_table(
        "readings",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("attempt_id", Key, nullable=False),
        sa.Column("parser_id", Key, nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('ok', 'empty', 'blocked', 'throttled', 'timeout', 'failed', 'unreadable')",
            name=op.f("ck_readings_outcome_known"),
        ),
        sa.CheckConstraint(
            "reason IN ('', 'auth', 'captcha', 'consent', 'crashed', 'echo', 'exception', 'js_shell', 'malformed', 'poisoned', 'quota', 'short', 'suspect_empty', 'unrecorded')",
            name=op.f("ck_readings_reason_known"),
        ),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_readings_attempt_id")
        ),
        sa.ForeignKeyConstraint(["parser_id"], ["versions.id"], name=op.f("fk_readings_parser_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_readings")),
        sa.UniqueConstraint(
            "attempt_id", "parser_id", name=op.f("uq_readings_attempt_id_parser_id")
        ),
    )
    op.create_table(
        "items",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("reading_id", Key, nullable=False),
        sa.Column("block", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("entity", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["reading_id"], ["readings.id"], name=op.f("fk_items_reading_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
        sa.UniqueConstraint(
            "reading_id", "block", "rank", name=op.f("uq_items_reading_id_block_rank")
        ),
    )
    op.create_table(
        "agreements",
        sa.Column("id", Key, autoincrement=True, nullable=False),
        sa.Column("item_id", Key, nullable=False),
        sa.Column("language_id", Key, nullable=False),
        sa.Column("cue", sa.Text(), nullable=False),
        sa.Column("class", sa.Text(), nullable=False),
        sa.Column("masculine", sa.Integer(), nullable=False),
        sa.Column("feminine", sa.Integer(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("witnesses", sa.JSON(), nullable=False),
        sa.CheckConstraint(
            "class IN ('masculine', 'feminine', 'both', 'inclusive', 'mixed', 'none', 'unidentified')",
            name=op.f("ck_agreements_class_known"),
        ),
        sa.CheckConstraint("cue IN ('agreement', 'quoted')", name=op.f("ck_agreements_cue_known")),
        sa.CheckConstraint(
            "feminine BETWEEN 0 AND 2147483647", name=op.f("ck_agreements_feminine_counts")
        ),
        sa.CheckConstraint(
            "masculine BETWEEN 0 AND 2147483647", name=op.f("ck_agreements_masculine_counts")
        ),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_agreements_item_id")),
        sa.ForeignKeyConstraint(
            ["language_id"], ["versions.id"], name=op.f("fk_agreements_language_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agreements")),
        sa.UniqueConstraint(
            "item_id", "language_id", "cue", name=op.f("uq_agreements_item_id_language_id_cue")
        ),
    )


def downgrade() -> None:
    op.drop_table("agreements")
    op.drop_table("items")
    op.drop_table("readings")
    op.drop_table("topic_values")
    op.drop_table("point_facts")
    op.drop_index("ix_attempts_exchange", table_name="attempts")
    op.drop_table("attempts")
    op.drop_table("stages_done")
    op.drop_table("run_lists")
    op.drop_index("ix_points_series_due", table_name="points")
    op.drop_table("points")
    op.drop_index(op.f("ix_list_probes_probe_id"), table_name="list_probes")
    op.drop_table("list_probes")
    op.drop_index("ix_exchanges_run", table_name="exchanges")
    op.drop_index("ix_exchanges_engine_asked", table_name="exchanges")
    op.drop_table("exchanges")
    op.drop_index("ix_series_keys_quantity_scope", table_name="series_keys")
    op.drop_table("series_keys")
    op.drop_table("runs")
    op.drop_table("list_items")
    op.drop_table("versions")
    op.drop_table("signatures")
    op.drop_table("scopes")
    op.drop_table("reference_shares")
    op.drop_table("probes")
    op.drop_table("lists")
    op.drop_table("jobs")
    op.drop_table("engines")
    op.drop_table("bodies")
    op.drop_table("agents")
