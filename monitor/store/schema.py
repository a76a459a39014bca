"""All tables. Facts are only ever added; what is operational and mutable says so.

Raw answer -> reading -> signal -> point: each arrow is a table whose rows carry the version of
what made them. The views in `views/*.sql` are what analysts read.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Contrast, Role, Status, Test
from monitor.model import (
    DEVICES,
    Cue,
    GenderClass,
    Kind,
    LabelState,
    Outcome,
    OverviewState,
    Purpose,
    Reason,
    RunKind,
    RunState,
    Stage,
    State,
    TaskState,
    TickState,
)
from monitor.store.rows import Key, UtcDateTime

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _table(name: str, *parts: sa.schema.SchemaItem, schema: str | None = None) -> sa.Table:
    """Return a table; one without a primary key of its own has an `id`."""
    has_key = any(isinstance(part, sa.Column) and part.primary_key for part in parts)
    own_key = sa.Column("id", Key, primary_key=True, autoincrement=True)
    return sa.Table(name, metadata, *([] if has_key else [own_key]), *parts, schema=schema)


def _ref(name: str, target: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, Key, sa.ForeignKey(f"{target}.id"), nullable=nullable)


def _text(name: str, default: str | None = None) -> sa.Column[str]:
    server_default = None if default is None else sa.text(default)
    return sa.Column(name, sa.Text, nullable=False, server_default=server_default)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [_text(name) for name in names]


def _times(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, UtcDateTime, nullable=False) for name in names]


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def _counts(*names: str) -> list[sa.Column[int]]:
    return [_count(name) for name in names]


def _number(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Double, nullable=True)


def _numbers(*names: str) -> list[sa.Column[float]]:
    return [_number(name) for name in names]


def _closed(column: str, values: Sequence[str]) -> sa.CheckConstraint:
    """Return the check that a text column has one of some values."""
    allowed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({allowed})", name=f"{column}_known")


def _whole(column: str) -> sa.CheckConstraint:
    """Return the check that a count is a plain whole number, which numpy's are not."""
    return sa.CheckConstraint(f"{column} BETWEEN 0 AND 2147483647", name=f"{column}_counts")


def _whole_numbers(*columns: str) -> list[sa.CheckConstraint]:
    return [_whole(column) for column in columns]


def _looked_up() -> list[sa.Column[Any]]:
    """Return the columns of a question to a public service and its answer without body."""
    return [
        _ref("run_id", "runs", nullable=True),
        _text("purpose"),
        sa.Column("request", sa.JSON, nullable=False),
        *_texts("outcome", "reason", "detail"),
        sa.Column("status", sa.Integer, nullable=True),
        _text("url"),
        sa.Column("asked_at", UtcDateTime, nullable=False),
        sa.Column("took", sa.Double, nullable=False),
    ]


lists = _table(
    "lists",
    *_texts("name", "version", "content_hash", "source_lang", "title", "status", "licence"),
    _text("description"),
    sa.Column("published_at", UtcDateTime, nullable=False),
    sa.UniqueConstraint("name", "version"),
)

list_items = _table(
    "list_items",
    _ref("list_id", "lists"),
    _count("position"),
    *_texts("key", "text"),
    sa.Column("tags", sa.JSON, nullable=False),
    _text("source_lang", "''"),
    _text("cue", f"'{Cue.AGREEMENT}'"),  # where the gender in a translation is read from
    sa.UniqueConstraint("list_id", "position"),
    sa.UniqueConstraint("list_id", "key"),
    _closed("cue", list(Cue)),
)

probes = _table(
    "probes",
    sa.Column("key", sa.Text, nullable=False, unique=True),
    *_texts("text", "source_lang", "target_lang", "region"),
    sa.Column("parameters", sa.JSON, nullable=False),
)

list_probes = _table(
    "list_probes",
    sa.Column("list_item_id", Key, sa.ForeignKey("list_items.id"), primary_key=True),
    sa.Column("probe_id", Key, sa.ForeignKey("probes.id"), primary_key=True, index=True),
)

engines = _table(
    "engines",
    *_texts("name", "kind", "surface", "config_hash"),
    sa.Column("config", sa.JSON, nullable=False),
    sa.UniqueConstraint("name", "surface", "config_hash"),
    _closed("kind", list(Kind)),
)

#: Versions of whatever makes derived rows: engine parsers, languages, measures.
versions = _table(
    "versions",
    *_texts("kind", "name"),
    _count("version"),
    _text("fingerprint"),
    sa.UniqueConstraint("kind", "name", "version", "fingerprint"),
)

jobs = _table(
    "jobs",
    *_texts("name", "content_hash"),
    sa.Column("content", sa.JSON, nullable=False),
    sa.Column("first_seen_at", UtcDateTime, nullable=False),
    sa.UniqueConstraint("name", "content_hash"),
)

runs = _table(
    "runs",
    _ref("job_id", "jobs"),
    _text("job"),
    sa.Column("due_at", UtcDateTime, nullable=False),
    *_texts("kind", "code_version"),
    sa.Column("packages", sa.JSON, nullable=False),
    sa.Column("created_at", UtcDateTime, nullable=False),
    # operational, mutable:
    _text("owner", "''"),  # host:process that collects it
    _text("state"),
    sa.Column("finished_at", UtcDateTime, nullable=True),
    # written once:
    _ref("bundle_id", "bundles", nullable=True),
    _text("seed", "''"),  # of the order in which questions are asked
    sa.UniqueConstraint("job", "due_at", "kind"),
    _closed("kind", list(RunKind)),
    _closed("state", list(RunState)),
)

#: Which probe lists a run asked (a list may be asked as a sample only).
run_lists = _table(
    "run_lists",
    sa.Column("run_id", Key, sa.ForeignKey("runs.id"), primary_key=True),
    sa.Column("list_id", Key, sa.ForeignKey("lists.id"), primary_key=True),
)

bodies = _table(
    "bodies",
    sa.Column("sha256", sa.Text, nullable=False, unique=True),
    _count("size"),
    _text("encoding"),
    sa.Column("content", sa.LargeBinary, nullable=True),  # NULL: a file named by the digest
    _text("retention"),
    sa.Column("stored_at", UtcDateTime, nullable=False),
    # set once: its content is gone, and why; size and digest stay
    sa.Column("removed_at", UtcDateTime, nullable=True),
    _text("removed_because", "''"),
    _closed("retention", ["answer", "screenshot", "lookup", "document", "job"]),
    _closed("encoding", ["zstd"]),
)

#: What answered: library, model, file hashes, as the engine or library says of itself.
agents = _table(
    "agents",
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("identity", sa.JSON, nullable=False),
)

exchanges = _table(
    "exchanges",
    _ref("run_id", "runs"),
    _ref("engine_id", "engines"),
    _text("purpose"),
    sa.Column("request", sa.JSON, nullable=False),
    *_texts("outcome", "reason", "detail"),
    sa.Column("status", sa.Integer, nullable=True),
    _text("url"),
    sa.Column("headers", sa.JSON, nullable=False),
    _ref("body_id", "bodies", nullable=True),
    _ref("screenshot_id", "bodies", nullable=True),
    _ref("agent_id", "agents", nullable=True),
    _text("egress"),
    sa.Column("asked_at", UtcDateTime, nullable=False),
    sa.Column("took", sa.Double, nullable=False),
    # what the fetcher saw: choice on a consent wall, the page's language, redirects
    sa.Column("observed", sa.JSON(none_as_null=True), nullable=True),
    _closed("purpose", list(Purpose)),
    _closed("outcome", list(Outcome)),
    _closed("reason", list(Reason)),
    sa.Index("ix_exchanges_engine_asked", "engine_id", "asked_at"),
    sa.Index("ix_exchanges_run", "run_id"),
    sa.Index("ix_exchanges_body", "body_id"),  # what still refers to a body, before it goes
    sa.Index("ix_exchanges_screenshot", "screenshot_id"),
)

attempts = _table(
    "attempts",
    _ref("run_id", "runs"),
    _ref("engine_id", "engines"),
    _ref("probe_id", "probes"),
    *_counts("repeat", "n"),
    # set once, in the transaction that stores the exchange:
    _ref("exchange_id", "exchanges", nullable=True),
    sa.Column("position", sa.Integer, nullable=True),
    sa.Column("final", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.UniqueConstraint("run_id", "engine_id", "probe_id", "repeat", "n"),
    sa.Index("ix_attempts_exchange", "exchange_id", "position"),
    sa.Index("ix_attempts_run_id", "run_id", "id"),  # a page of a run's answers
    # whether an engine has answered in a run: where it was down, all others are of no use
    (_final_attempts := sa.Index("ix_attempts_final", "run_id", "engine_id")),
    _whole("repeat"),
)


@sa.event.listens_for(_final_attempts, "before_create")
def _limit_to_final(index: sa.Index, connection: sa.Connection, **_: object) -> None:
    """Add the condition when the index is made: declared above, it imports each dialect (25 ms)."""
    index.dialect_options[connection.dialect.name]["where"] = sa.text("final = TRUE")


readings = _table(
    "readings",
    _ref("attempt_id", "attempts"),
    _ref("parser_id", "versions"),
    *_texts("outcome", "reason", "detail"),
    sa.UniqueConstraint("attempt_id", "parser_id"),
    _closed("outcome", list(Outcome)),
    _closed("reason", list(Reason)),
)

items = _table(
    "items",
    _ref("reading_id", "readings"),
    _text("block"),
    _count("rank"),
    *_texts("text", "url", "title", "entity"),
    _ref("erasure_id", "erasures", nullable=True),  # its texts were taken away
    sa.UniqueConstraint("reading_id", "block", "rank"),
)

agreements = _table(
    "agreements",
    _ref("item_id", "items"),
    _ref("language_id", "versions"),
    *_texts("cue", "class"),
    *_counts("masculine", "feminine"),
    _text("rule"),
    sa.Column("witnesses", sa.JSON, nullable=False),
    sa.UniqueConstraint("item_id", "language_id", "cue"),
    _closed("cue", [Cue.AGREEMENT, Cue.QUOTED, Cue.PRONOUN, Cue.ENTITY]),
    _closed("class", list(GenderClass)),
    *_whole_numbers("masculine", "feminine"),
)

#: The entity that an item shows; keys as in kg:/m/0dl567 (`monitor.labels.shown_entities`).
item_entities = _table(
    "item_entities",
    sa.Column("item_id", Key, sa.ForeignKey("items.id"), primary_key=True),
    _text("entity"),
    sa.Index("ix_item_entities_entity", "entity"),
)

#: The group that is recorded of an entity, and nothing else about it: "recorded in SOURCE on DATE".
#: The newest row of an entity is current; older ones say what points were computed with.
labels = _table(
    "labels",
    *_texts("entity", "state"),
    _text("grouping"),  # women, men, other or a group of one's own; empty unless labelled
    _text("source"),  # wikidata, people
    _text("reason"),
    _count("mapping_version"),
    *_times("as_of", "labelled_at"),
    # operational, mutable: newest row of its entity
    sa.Column("is_current", sa.Boolean, nullable=False),
    sa.Index("ix_labels_entity", "entity", "is_current"),
    _closed("state", list(LabelState)),
)

#: State and cited pages of an item that a model wrote, which stands in the block `ai_overview`.
item_overviews = _table(
    "item_overviews",
    sa.Column("item_id", Key, sa.ForeignKey("items.id"), primary_key=True),
    _text("state"),
    sa.Column("sources", sa.JSON, nullable=False),  # [title, address, domain] in their order
    _closed("state", list(OverviewState)),
)

#: What a language model makes of a pair of words: natural logarithms of probabilities.
lm_scores = _table(
    "lm_scores",
    _ref("item_id", "items"),
    _text("template"),
    sa.Column("log_ratio", sa.Double, nullable=False),  # masculine over feminine
    *_numbers("log_masculine", "log_feminine"),
    sa.UniqueConstraint("item_id"),
)

#: Questions to public services beside the engines, with their answers: reference shares. Look-ups
#: about single people are in `people_lookups`.
lookups = _table(
    "lookups",
    *_looked_up(),
    _ref("body_id", "bodies", nullable=True),
    sa.Index("ix_lookups_body", "body_id"),
    _closed("purpose", list(Purpose)),
    _closed("outcome", list(Outcome)),
)

#: From which country the requests of a run really left, as a look-up service saw it.
egresses = _table(
    "egresses",
    _ref("run_id", "runs"),
    *_texts("exit", "service", "outcome", "detail"),
    _text("country"),  # empty: not found out
    _text("address_hash"),  # keyed, so that nobody finds the address by trying all
    sa.Column("asked_at", UtcDateTime, nullable=False),
    _closed("outcome", list(Outcome)),
    sa.Index("ix_egresses_run", "run_id"),
)

reference_shares = _table(
    "reference_shares",
    *_texts("reference", "as_of", "topic", "grouping"),
    sa.Column("share", sa.Double, nullable=False),
    sa.Column("n", sa.Integer, nullable=True),
    *_texts("source", "country", "source_as_of", "source_word"),
    _ref("lookup_id", "lookups", nullable=True),  # the answer that it was read in
    sa.UniqueConstraint("reference", "as_of", "topic", "grouping", "share", "source"),
    sa.CheckConstraint("share >= 0 AND share <= 1", name="share_range"),
)

#: What a scope key stands for: stereotype:3 -> "women are empathetic and caring".
scopes = _table("scopes", sa.Column("scope", sa.Text, primary_key=True), *_texts("about", "title"))

series_keys = _table(
    "series_keys",
    sa.Column("key", sa.Text, nullable=False, unique=True),
    _text("job"),  # an attribute, not part of the key
    _text("list"),
    _ref("engine_id", "engines"),
    *_texts("source_lang", "target", "measure", "quantity", "reference", "scope"),
    # operational, mutable: the signature that its chart shows; none before the first tick
    _ref("signature_id", "signatures", nullable=True),
    sa.Index("ix_series_keys_quantity_scope", "quantity", "scope"),
)

signatures = _table(
    "signatures",
    sa.Column("hash", sa.Text, nullable=False, unique=True),
    sa.Column("parts", sa.JSON, nullable=False),
)

points = _table(
    "points",
    _ref("series_id", "series_keys"),
    _ref("run_id", "runs"),
    _ref("signature_id", "signatures"),
    sa.Column("due_at", UtcDateTime, nullable=False),
    *_texts("state", "reason"),
    *_numbers("value", "low", "high", "bound_low", "bound_high"),
    sa.Column("flags", sa.JSON, nullable=False),
    *_counts("planned", "answered", "used", "unidentified"),
    _text("inputs_digest"),
    sa.Column("computed_at", UtcDateTime, nullable=False),
    # operational, mutable: what reports of its run show: of the newest rows that of the signature
    # of the series, where there is one, else the newest of all
    sa.Column("is_current", sa.Boolean, nullable=False),
    # operational, mutable: newest row of its series, run and signature
    sa.Column("is_newest", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.UniqueConstraint("series_id", "run_id", "signature_id", "inputs_digest"),
    # all that the grid of a series reads of a point, but for its numbers
    sa.Index(
        "ix_points_series_due",
        *("series_id", "is_current", "due_at", "run_id", "state", "signature_id"),
    ),
    sa.Index("ix_points_run", "run_id", "is_current"),  # what a report of a run reads
    _closed("state", list(State)),
    sa.CheckConstraint("(state = 'measured') = (value IS NOT NULL)", name="value_if_measured"),
    *_whole_numbers("planned", "answered", "used", "unidentified"),
)

point_facts = _table(
    "point_facts",
    sa.Column("point_id", Key, sa.ForeignKey("points.id"), primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Double, nullable=False),
)

topic_values = _table(
    "topic_values",
    _ref("point_id", "points"),
    *_texts("topic", "state", "reason"),
    sa.Column("women", sa.Double, nullable=False),
    sa.Column("men", sa.Double, nullable=False),
    *_numbers("model", "model_low", "model_high", "target", "bias", "bound_low", "bound_high"),
    *_counts("planned", "answered", "used", "unidentified"),
    *_texts("source", "country", "as_of"),
    sa.Column("shown", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.Column("labelled", sa.Integer, nullable=False, server_default=sa.text("0")),
    *_numbers("p", "q"),
    sa.UniqueConstraint("point_id", "topic"),
    _closed("state", list(State)),
)

#: What a point over queries is made of: one quantity of one query.
query_values = _table(
    "query_values",
    _ref("point_id", "points"),
    _text("key"),  # of the list item
    *_texts("state", "reason"),
    *_numbers("value", "bound_low", "bound_high"),
    _number("x"),  # genderedness of the query
    _number("influence"),
    *_counts("documents", "used", "missing", "empty"),
    sa.UniqueConstraint("point_id", "key"),
    _closed("state", list(State)),
)

#: Texts behind ranked lists that are not in the answers: pages that results lead to, and documents
#: of test collections. No text is no row or one without a body; a text of no words is EMPTY.
documents = _table(
    "documents",
    _text("collection"),  # landing:RUN, trec:NAME
    _text("key"),  # address or document number
    *_texts("outcome", "reason", "detail"),
    _text("extractor"),  # what took the text out of a page
    _ref("lookup_id", "lookups", nullable=True),  # the page as it came
    _ref("body_id", "bodies", nullable=True),  # the text, UTF-8
    _ref("erasure_id", "erasures", nullable=True),  # its key is a hash, its text is gone
    sa.UniqueConstraint("collection", "key"),
    sa.Index("ix_documents_body", "body_id"),
    _closed("outcome", list(Outcome)),
)

#: A file of result pages that a person gave: a keyed hash of whom, what they agreed to, and where
#: and how they had searched. `removed` has {class of personal data: number} of what was taken out.
donations = _table(
    "donations",
    *_texts("donor", "region", "device", "form", "consent"),
    sa.Column("signed_in", sa.Boolean, nullable=False),
    sa.Column("removed", sa.JSON, nullable=False),
    sa.Column("donated_at", UtcDateTime, nullable=False),
    sa.Index("ix_donations_donor", "donor"),
    _closed("device", DEVICES),
)

#: A donated page without personal data. Of one that was erased only its time is left.
donated_pages = _table(
    "donated_pages",
    _ref("donation_id", "donations"),
    *_texts("system", "url", "query"),
    sa.Column("captured_at", UtcDateTime, nullable=False),
    _ref("body_id", "bodies", nullable=True),
    _ref("erasure_id", "erasures", nullable=True),
    sa.Index("ix_donated_pages_captured", "captured_at"),
    sa.Index("ix_donated_pages_donation", "donation_id"),
    sa.Index("ix_donated_pages_body", "body_id"),
)

#: Relevance judgements of a test collection.
judgements = _table(
    "judgements",
    _text("collection"),
    _text("topic"),  # key of the list item
    _text("document"),
    sa.Column("grade", sa.Integer, nullable=False),
    sa.UniqueConstraint("collection", "topic", "document"),
)

#: What a run of a job that asks nothing has read of one engine: the texts that other jobs collected
#: in a period. Newer inputs, such as an erasure, add a newer row.
corpora = _table(
    "corpora",
    _ref("run_id", "runs"),
    _ref("engine_id", "engines"),
    *_texts("source_lang", "region"),
    _text("text"),  # snippet, landing
    _ref("parser_id", "versions"),  # whose readings were read
    sa.Column("begins_at", UtcDateTime, nullable=False),
    sa.Column("ends_at", UtcDateTime, nullable=False),  # not in it any more
    sa.Column("query", sa.JSON, nullable=False),  # jobs, period, runs that were left out and why
    _count("answers"),
    _count("documents"),  # different texts within a question
    _count("repeats"),  # texts that stood there before
    _count("missing"),  # results without a text: erased, or pages that nobody could read
    _text("reason"),  # why nothing can be said of it; empty where something can
    _text("digest"),
    sa.Column("gathered_at", UtcDateTime, nullable=False),
    sa.Column("is_current", sa.Boolean, nullable=False),  # operational: the newest of its kind
    sa.UniqueConstraint("run_id", "engine_id", "source_lang", "region", "text", "digest"),
    _closed("text", ["snippet", "landing"]),
)

#: The runs whose answers a corpus was read from.
corpus_runs = _table(
    "corpus_runs",
    sa.Column("corpus_id", Key, sa.ForeignKey("corpora.id"), primary_key=True),
    sa.Column("run_id", Key, sa.ForeignKey("runs.id"), primary_key=True),
    sa.Index("ix_corpus_runs_run", "run_id"),
)

#: The questions of a corpus, also those that nobody answered.
corpus_probes = _table(
    "corpus_probes",
    sa.Column("corpus_id", Key, sa.ForeignKey("corpora.id"), primary_key=True),
    sa.Column("probe_id", Key, sa.ForeignKey("probes.id"), primary_key=True),
    _count("answers"),
)

#: The texts of a corpus by where each stood first: the result at a rank, as the parser of the
#: corpus read it in the answer to an attempt. No text is kept twice.
corpus_documents = _table(
    "corpus_documents",
    sa.Column("corpus_id", Key, sa.ForeignKey("corpora.id"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    _ref("attempt_id", "attempts"),
    _count("rank"),
    _count("repeats"),  # how often it stood there again
)

#: Which stage has seen a run with which version; what lacks one is what a redo does.
stages_done = _table(
    "stages_done",
    sa.Column("run_id", Key, sa.ForeignKey("runs.id"), primary_key=True),
    sa.Column("stage", sa.Text, primary_key=True),
    sa.Column("version", sa.Text, primary_key=True),
    sa.Column("done_at", UtcDateTime, nullable=False),
)

#: What became of the questions of a run that has ended, as the view `coverage` counts them: kept
#: from the run's end until something of it is read or asked anew. Where there are no rows, ask the
#: view, which is exact at any time, and slow.
run_coverage = _table(
    "run_coverage",
    sa.Column("run_id", Key, sa.ForeignKey("runs.id"), primary_key=True),
    *(
        sa.Column(name, sa.Text, primary_key=True)
        for name in ("list", "engine", "source_lang", "target")
    ),
    *_counts("planned", "answered", "used", "masculine", "feminine", "both_forms", "inclusive"),
    *_counts("mixed", "unmarked", "unidentified", "scored", "empty", "unreadable", "blocked"),
    _count("unanswered"),
)

#: Operational: engines that are not to be asked through an exit before a time.
suspensions = _table(
    "suspensions",
    *_texts("lane", "exit"),
    sa.Column("until", UtcDateTime, nullable=False),
    *_texts("reason", "detail"),
    _count("times"),  # in a row
    sa.Column("since", UtcDateTime, nullable=False),
    sa.UniqueConstraint("lane", "exit"),
)

#: The files of a job as they stood when it was last read: what a run goes on with on any machine,
#: whatever becomes of the files.
bundles = _table(
    "bundles",
    _ref("job_id", "jobs"),
    sa.Column("digest", sa.Text, nullable=False, unique=True),
    _text("path"),  # of the job file, where it was read
    sa.Column("stored_at", UtcDateTime, nullable=False),
)

bundle_files = _table(
    "bundle_files",
    sa.Column("bundle_id", Key, sa.ForeignKey("bundles.id"), primary_key=True),
    sa.Column("path", sa.Text, primary_key=True),  # relative to the folder of the job file
    _ref("body_id", "bodies"),
    sa.Index("ix_bundle_files_body", "body_id"),
)

#: Operational: the job files that the daemon watches, by their last version that could be used.
watched_jobs = _table(
    "watched_jobs",
    sa.Column("job", sa.Text, primary_key=True),
    _text("path"),
    _ref("bundle_id", "bundles"),
    sa.Column("watched_since", UtcDateTime, nullable=False),  # ticks before it are not owed
    sa.Column("is_active", sa.Boolean, nullable=False),  # False: its file is gone
    _text("trouble"),  # why the file as it stands cannot be used; the old version goes on
    sa.Column("next_at", UtcDateTime, nullable=True),
)

#: Operational until it has ended: every due tick of a job, also those that were not begun.
ticks = _table(
    "ticks",
    _text("job"),
    sa.Column("due_at", UtcDateTime, nullable=False),
    sa.Column("start_at", UtcDateTime, nullable=False),  # due_at and the jitter
    *_texts("state", "reason"),
    _ref("run_id", "runs", nullable=True),
    sa.Column("noted_at", UtcDateTime, nullable=False),
    sa.Column("ended_at", UtcDateTime, nullable=True),
    sa.UniqueConstraint("job", "due_at"),
    sa.Index("ix_ticks_state", "state"),
    _closed("state", list(TickState)),
)

#: Operational: who alone may do something now. The token grows with every taking, and a
#: transaction that stores an answer checks it, so that nobody who was frozen finishes what was
#: given to somebody else.
leases = _table(
    "leases",
    sa.Column("name", sa.Text, primary_key=True),  # lane:NAME@EXIT, derive:RUN
    _count("token"),
    _text("holder"),  # host:process:its start; empty when given back
    sa.Column("until", UtcDateTime, nullable=False),
    sa.Column("next_at", UtcDateTime, nullable=True),  # of a lane: when the next request may leave
    sa.Column("failures", sa.Integer, nullable=False, server_default=sa.text("0")),  # in a row
)

#: Operational: what is to be done of a run. `lane` is empty for what is not asked of anybody, `*`
#: where all lanes are asked together.
tasks = _table(
    "tasks",
    _ref("run_id", "runs"),
    *_texts("stage", "lane", "state"),
    _count("tries"),  # since it last made progress
    sa.Column("not_before", UtcDateTime, nullable=True),
    _text("reason"),
    sa.Column("changed_at", UtcDateTime, nullable=False),
    sa.UniqueConstraint("run_id", "stage", "lane"),
    sa.Index("ix_tasks_state", "state"),
    _closed("stage", list(Stage)),
    _closed("state", list(TaskState)),
)

#: Operational: engines and jobs that a person has put to rest.
pauses = _table(
    "pauses",
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    _text("reason"),
    sa.Column("paused_at", UtcDateTime, nullable=False),
    _closed("kind", ["engine", "job"]),
)

#: Operational: daemons and workers, with when they were last heard of.
processes = _table(
    "processes",
    sa.Column("name", sa.Text, primary_key=True),  # host:process:its start
    _text("role"),
    *_times("started_at", "seen_at"),
    _text("detail"),
    _closed("role", ["daemon", "worker"]),
)

#: What happened beside answers and points: refused late answers, broken job files, pauses.
events = _table(
    "events",
    sa.Column("at", UtcDateTime, nullable=False),
    *_texts("kind", "subject", "detail"),
    _ref("run_id", "runs", nullable=True),
    sa.Index("ix_events_at", "at"),
    sa.Index("ix_events_kind", "kind", "subject", "at"),  # the newest of a kind by subject
)

#: What an operator has to look at, from when to when.
alarms = _table(
    "alarms",
    _text("kind"),  # the heading of its runbook
    *_texts("subject", "detail"),
    *_times("since", "seen_at"),
    sa.Column("resolved_at", UtcDateTime, nullable=True),
    sa.Index("ix_alarms_open", "kind", "subject", "resolved_at"),
)

#: What was taken away at somebody's request. Whom or what it was about stands here as a keyed hash.
erasures = _table(
    "erasures",
    *_texts("kind", "subject_hash", "reason"),
    sa.Column("counts", sa.JSON, nullable=False),
    sa.Column("erased_at", UtcDateTime, nullable=False),
    sa.Index("ix_erasures_subject", "subject_hash"),
    _closed("kind", ["person", "url", "donor"]),
)

#: When a series went over to another signature: the chart has a mark there, and starts anew.
switches = _table(
    "switches",
    _ref("series_id", "series_keys"),
    _ref("from_id", "signatures", nullable=True),
    _ref("to_id", "signatures"),
    sa.Column("switched_at", UtcDateTime, nullable=False),
    sa.Index("ix_switches_series", "series_id"),
)

#: One quantity in one scope between two sets of answers to the same questions. Newer inputs add a
#: newer row.
comparisons = _table(
    "comparisons",
    _ref("series_id", "series_keys"),
    _text("contrast"),
    _ref("before_run_id", "runs"),
    _ref("after_run_id", "runs"),
    _ref("other_id", "series_keys", nullable=True),  # of two engines: the series of the other one
    _ref("signature_id", "signatures"),
    sa.Column("due_at", UtcDateTime, nullable=False),  # of the run after
    _count("method_version"),
    *_texts("state", "reason", "test"),
    *_counts("n", "only_before", "only_after", "changed"),
    *_numbers("before", "after", "delta", "low", "high", "p"),
    sa.Column("facts", sa.JSON, nullable=False),
    _text("inputs_digest"),
    sa.Column("computed_at", UtcDateTime, nullable=False),
    sa.Column("is_current", sa.Boolean, nullable=False),  # operational: the newest of its kind
    sa.Index("ix_comparisons_series", "series_id", "contrast", "is_current", "due_at"),
    sa.Index("ix_comparisons_after", "after_run_id", "contrast", "is_current"),
    _closed("contrast", list(Contrast)),
    _closed("state", [State.MEASURED, State.INSUFFICIENT]),
    _closed("test", list(Test)),
    sa.CheckConstraint("(state = 'measured') = (delta IS NOT NULL)", name="delta_if_measured"),
    *_whole_numbers("n", "only_before", "only_after", "changed"),
)

#: The ledger: one row per job and tick that was decided, in order. Computed anew after every run.
looks = _table(
    "looks",
    _text("job"),
    sa.Column("due_at", UtcDateTime, nullable=False),
    _count("number"),  # 1 is the first tick that could be tested
    _count("families"),
    _count("hypotheses"),  # primary series that the job declares
    _number("p"),  # smallest adjusted p of the signals; 1: there are none; NULL: nothing was tested
    _number("alpha"),  # over all series, directions and ticks of the job
    _count("selected"),  # families with a change decided at this tick
    *_texts("rule", "inputs_digest"),
    sa.Column("computed_at", UtcDateTime, nullable=False),
    sa.UniqueConstraint("job", "due_at"),  # operational: replaced by a newer computation
)

#: What was found to have changed. Newer inputs add a newer row, also where nothing is left of it.
changes = _table(
    "changes",
    _ref("series_id", "series_keys"),
    *_texts("kind", "role", "family"),
    sa.Column("changed_at", UtcDateTime, nullable=False),  # first tick on the new level
    sa.Column("detected_at", UtcDateTime, nullable=False),  # tick at which it could be known
    _ref("before_run_id", "runs"),
    _ref("after_run_id", "runs"),
    _ref("comparison_id", "comparisons", nullable=True),
    _ref("confirm_id", "comparisons", nullable=True),
    *_numbers("before", "after", "effect", "low", "high", "p"),
    _number("q"),  # adjusted for all series, directions and ticks of the job; compared with alpha
    _number("alpha"),
    _number("noise"),  # standard deviation of the runs before
    _number("statistic"),  # |effect| / noise
    *_texts("status", "cause"),
    _text("because"),  # why it has that cause, in sentences
    _text("sentence"),
    sa.Column("facts", sa.JSON, nullable=False),
    _text("inputs_digest"),
    sa.Column("computed_at", UtcDateTime, nullable=False),
    sa.Column("is_current", sa.Boolean, nullable=False),  # operational; False: computed anew since
    _number("p_beyond"),  # of the claim beyond this list; NULL: not tested
    _number("alpha_beyond"),  # its level
    sa.Index("ix_changes_current", "is_current", "detected_at"),
    sa.Index("ix_changes_series", "series_id", "is_current"),
    _closed("kind", list(ChangeKind)),
    _closed("role", list(Role)),
    _closed("status", list(Status)),
    _closed("cause", list(Cause)),
)

#: What was declared before the first tick. Only ever added; a job has one that counts, its first.
preregistrations = _table(
    "preregistrations",
    _text("job"),
    sa.Column("content", sa.JSON, nullable=False),
    sa.Column("hash", sa.Text, nullable=False, unique=True),
    sa.Column("registered_at", UtcDateTime, nullable=False),
    sa.Index("ix_preregistrations_job", "job"),
)

#: Every due report of a job, and what became of it.
reports = _table(
    "reports",
    _text("job"),
    _text("kind"),  # weekly
    sa.Column("due_at", UtcDateTime, nullable=False),
    *_texts("state", "reason", "folder"),
    _text("digest"),  # SHA-256 of the JSON
    sa.Column("made_at", UtcDateTime, nullable=True),
    sa.UniqueConstraint("job", "kind", "due_at"),
    _closed("state", ["due", "made", "failed"]),
)

#: What was to be told, on which route, and whether it went out.
notices = _table(
    "notices",
    _text("route"),  # findings, operations
    _text("kind"),  # raised, resolved, finding, digest
    _text("subject"),  # alarm:ID, change:ID, digest:DATE
    *_texts("title", "body"),
    sa.Column("created_at", UtcDateTime, nullable=False),
    # operational, mutable:
    _text("state"),
    _count("tries"),
    sa.Column("next_at", UtcDateTime, nullable=True),
    sa.Column("sent_at", UtcDateTime, nullable=True),
    _text("trouble"),
    sa.UniqueConstraint("route", "kind", "subject", "created_at"),
    sa.Index("ix_notices_state", "state"),
    _closed("route", ["findings", "operations"]),
    _closed("state", ["open", "sent", "dropped", "failed"]),
)


#: Samples of what our rules called, drawn at random for people to read: an audit of the instrument.
#: What was drawn, by what seed and from how many, is written down before anybody has read it.
instrument_audits = _table(
    "instrument_audits",
    _ref("run_id", "runs"),
    _text("job"),
    _count("per_class"),
    sa.Column("by_system", sa.Boolean, nullable=False),  # each system apart, or all together
    _text("seed"),
    _text("digest"),  # SHA-256 of the frame, the seed and what was drawn
    sa.Column("drawn_at", UtcDateTime, nullable=False),
    sa.UniqueConstraint("run_id", "digest"),
)

#: What an audit draws from apart: one language and cue, of all systems or of one.
instrument_audit_groups = _table(
    "instrument_audit_groups",
    _ref("audit_id", "instrument_audits"),
    *_texts("target", "cue"),
    _text("system"),  # empty: all systems together
    sa.Column("systems", sa.JSON, nullable=False),  # engine id, engine, list, languages, parser
    _ref("language_id", "versions"),
    _count("left_out"),  # answers with several texts, or erased ones: nothing is drawn of them
    sa.UniqueConstraint("audit_id", "target", "cue", "system"),
    _whole("left_out"),
)

#: How many answers were called so, and how many of these were drawn.
instrument_audit_strata = _table(
    "instrument_audit_strata",
    _ref("group_id", "instrument_audit_groups"),
    _text("class"),
    *_counts("frame", "drawn"),
    sa.UniqueConstraint("group_id", "class"),
    _closed("class", list(GenderClass)),
    _whole("frame"),
    sa.CheckConstraint("drawn BETWEEN 0 AND frame", name="drawn_of_frame"),
)

instrument_audit_items = _table(
    "instrument_audit_items",
    _ref("stratum_id", "instrument_audit_strata"),
    _ref("agreement_id", "agreements"),
    sa.Column("key", sa.Text, nullable=False, unique=True),  # on sheets; it tells nothing
    _count("position"),  # on the sheet
    sa.UniqueConstraint("stratum_id", "agreement_id"),
)

#: What people read in an item; the newest row of each rater counts, and none is written over.
instrument_audit_labels = _table(
    "instrument_audit_labels",
    _ref("item_id", "instrument_audit_items"),
    *_texts("rater", "class"),
    _text("sheet"),  # SHA-256 of the file that it was read from
    sa.Column("labelled_at", UtcDateTime, nullable=False),
    sa.Index("ix_instrument_audit_labels_item", "item_id", "rater"),
    _closed("class", list(GenderClass)),
)


# --- restricted -----------------------------------------------------------------------------------
# Look-ups about people and what they said: in no view, export, page or report. A schema of its own
# in PostgreSQL, a second file beside a SQLite database (`monitor-people.db` of `monitor.db`). No
# foreign keys cross the border, because SQLite has none between files.

PEOPLE = "people"


def _plain(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, Key, nullable=nullable)


people_lookups = _table(
    "people_lookups",
    *(column for column in _looked_up() if column.name != "run_id"),
    _plain("run_id", nullable=True),
    _text("sha256"),
    sa.Column("body", sa.LargeBinary, nullable=False),  # zstd
    _closed("purpose", list(Purpose)),
    _closed("outcome", list(Outcome)),
    schema=PEOPLE,
)

#: What a look-up said of an entity; the newest row counts.
people_entities = _table(
    "people_entities",
    *_texts("entity", "name"),
    sa.Column("occupations", sa.JSON, nullable=False),
    *_texts("link", "annotation", "state", "grouping", "reason", "method"),
    _text("item"),  # Wikidata item, empty where none
    sa.Column("genders", sa.JSON, nullable=False),  # items of P21 as they stand
    sa.Column("candidates", sa.JSON, nullable=False),
    _count("mapping_version"),
    _plain("lookup_id", nullable=True),
    sa.Column("resolved_at", UtcDateTime, nullable=False),
    sa.Index("ix_people_entities_entity", "entity"),
    _closed("state", list(LabelState)),
    schema=PEOPLE,
)

#: What people said; the newest of each rater counts.
people_ratings = _table(
    "people_ratings",
    *_texts("entity", "rater", "grouping", "comment"),
    sa.Column("rated_at", UtcDateTime, nullable=False),
    sa.Index("ix_people_ratings_entity", "entity"),
    schema=PEOPLE,
)


# --- who may look -------------------------------------------------------------------------------

#: Users of the web pages. Never removed: what they did stays theirs.
users = _table(
    "users",
    _text("name"),
    sa.Column("roles", sa.JSON, nullable=False),
    _text("password_hash"),  # argon2; empty where only a proxy says who somebody is
    sa.Column("created_at", UtcDateTime, nullable=False),
    sa.Column("disabled_at", UtcDateTime),
    sa.UniqueConstraint("name"),
    schema=PEOPLE,
)

#: Who is logged in, operational. `digest` is the SHA-256 of what the browser holds.
web_sessions = _table(
    "web_sessions",
    _ref("user_id", "people.users"),
    _text("digest"),
    *_times("created_at", "seen_at"),
    sa.UniqueConstraint("digest"),
    schema=PEOPLE,
)

#: What programs log in with. `digest` is the SHA-256 of the token, which is shown once.
api_tokens = _table(
    "api_tokens",
    _ref("user_id", "people.users"),
    *_texts("name", "digest"),
    *_times("created_at", "expires_at"),
    sa.Column("used_at", UtcDateTime),
    sa.Column("revoked_at", UtcDateTime),
    sa.UniqueConstraint("digest"),
    schema=PEOPLE,
)

#: Failed logins of a name or an address, operational: removed when they no longer count.
login_failures = _table(
    "login_failures",
    _text("subject"),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Index("ix_login_failures_subject_at", "subject", "at"),
    schema=PEOPLE,
)

#: Series that the public does not see until a time, or until that is lifted. Empty fits anything.
embargoes = _table(
    "embargoes",
    *_texts("job", "engine", "target", "measure", "quantity", "reason", "by"),
    sa.Column("added_at", UtcDateTime, nullable=False),
    sa.Column("until", UtcDateTime),
    sa.Column("lifted_at", UtcDateTime),
)
