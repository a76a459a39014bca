"""Rows that reports of a run read: views as plain records, points, topics, provenance."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from operator import itemgetter
from typing import Any

import sqlalchemy as sa

from monitor.live_record import SeenLive
from monitor.model import BodyRemoved, Kind, Outcome
from monitor.store.collect import bodies, pauses
from monitor.store.collect import runs as counted
from monitor.store.collect.run_progress import find_live_answers
from monitor.store.collect.runs import AGAIN
from monitor.store.database import Database
from monitor.store.derive import corpora
from monitor.store.derive.corpora import ListedCorpus
from monitor.store.rows import group_rows, read_plain_rows
from monitor.store.schema import (
    agents,
    attempts,
    engines,
    exchanges,
    items,
    jobs,
    list_items,
    lists,
    probes,
    readings,
    run_lists,
    runs,
)
from monitor.store.selectables import (
    IS_LAST_TRY,
    TARGET,
    attempt_range,
    engine_of_label,
    newest_reading,
    newest_readings,
    outcome_of,
    reason_of,
)

Row = dict[str, Any]


_JSON = frozenset({"agent", "config", "flags", "headers", "parts", "request", "tags", "witnesses"})
_TIMES = frozenset({
    "asked_at", "computed_at", "due", "due_at", "first_as_of", "last_as_of", "since", "until",
})  # fmt: skip


def _decode_value(name: str, value: Any) -> Any:  # noqa: ANN401 - whatever the column holds
    """Decode JSON and times, which SQLite gives as text in views, as PostgreSQL does."""
    if isinstance(value, str) and name in _JSON:
        return json.loads(value)
    if isinstance(value, str) and name in _TIMES:
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def read_rows(connection: sa.Connection, sql: str, **values: object) -> list[Row]:
    """Return rows of a query over views, JSON and times decoded alike on both databases."""
    mappings = connection.execute(sa.text(sql), values).mappings().all()
    return [{name: _decode_value(name, value) for name, value in row.items()} for row in mappings]


def read_newest_runs(connection: sa.Connection) -> list[Row]:
    """Return the newest run of every job with its progress.

    `texts` is the number of texts of a run that asks nothing.
    """
    newest = read_rows(
        connection,
        """
        SELECT job, id AS run, kind, due_at AS due, state FROM runs
        WHERE id IN (SELECT MAX(id) FROM runs GROUP BY job) ORDER BY job
        """,
    )
    texts = corpora.count_texts(connection, [row["run"] for row in newest])
    for row in newest:
        covered = read_coverage(connection, row["run"])
        row |= {name: sum(each[name] for each in covered) for name in ("answered", "planned")}
        row["texts"] = texts.get(row["run"])
    return newest


def read_coverage(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return coverage of one run by list, engine and language pair.

    As it was counted when the run had ended, or else as the view says it now.
    """
    source = "coverage"
    if counted.is_stored(connection, run_id):
        source = "(SELECT r.job, r.due_at, k.* FROM run_coverage k JOIN runs r ON r.id = k.run_id)"
    sql = f"""
        SELECT c.*, (SELECT MIN(e.kind) FROM engines e WHERE e.name = c.engine) AS kind
        FROM {source} c WHERE c.run_id = :run ORDER BY list, source_lang, target, engine
    """  # noqa: S608  only constants of this function are put in
    return read_rows(connection, sql, run=run_id)


def read_masculine_rates(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return the masculine rates of one run, by engine, pair of languages and stereotype."""
    sql = """
        SELECT m.*, pc.source_lang FROM masculine_rates m
        JOIN points_current pc ON pc.point_id = m.point_id WHERE m.run_id = :run
        ORDER BY m.list, m.engine, pc.source_lang, m.target, m.measure, m.stereotype
    """
    return read_rows(connection, sql, run=run_id)


def read_values(connection: sa.Connection, run_id: int, scope: str = "all") -> list[Row]:
    """Return all current points of one run in one scope."""
    sql = """
        SELECT * FROM points_current WHERE run_id = :run AND scope = :scope
        ORDER BY list, engine, source_lang, target, measure, reference, quantity
    """
    return read_rows(connection, sql, run=run_id, scope=scope)


def read_points(connection: sa.Connection, run_id: int, scope: str = "") -> list[Row]:
    """Return the current points of one run with their facts, and what is known of their engines.

    All of them, or those of one scope.
    """
    sql = """
        SELECT pc.*, s.engine_id, e.config, e.kind FROM points_current pc
        JOIN series_keys s ON s.id = pc.series_id JOIN engines e ON e.id = s.engine_id
        WHERE pc.run_id = :run AND :scope IN ('', pc.scope) ORDER BY pc.point_id
    """
    facts_of = read_facts(connection, run_id)
    return [
        row | {"facts": facts_of.get(row["point_id"], {})}
        for row in read_rows(connection, sql, run=run_id, scope=scope)
    ]


def read_cues(connection: sa.Connection, run_id: int) -> dict[str, set[str]]:
    """Return {list: where genders are read from in its items} of the lists that one run asked."""
    sql = """
        SELECT DISTINCT l.name, i.cue FROM run_lists r JOIN lists l ON l.id = r.list_id
        JOIN list_items i ON i.list_id = l.id WHERE r.run_id = :run
    """
    by_list = group_rows(read_rows(connection, sql, run=run_id), itemgetter("name"))
    return {name: {row["cue"] for row in rows} for name, rows in by_list.items()}


def read_facts(connection: sa.Connection, run_id: int) -> dict[int, dict[str, float]]:
    """Return {point id: {fact: number}} of one run's current points."""
    sql = """
        SELECT f.point_id, f.key, f.value FROM point_facts f
        JOIN points p ON p.id = f.point_id WHERE p.run_id = :run AND p.is_current
    """
    by_point = group_rows(read_rows(connection, sql, run=run_id), itemgetter("point_id"))
    return {point: {row["key"]: row["value"] for row in rows} for point, rows in by_point.items()}


def read_topics(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return model against reference share of one run, by engine, target, reference and topic."""
    sql = """
        SELECT * FROM topics_current WHERE run_id = :run
        ORDER BY list, engine, source_lang, target_lang, measure, reference, topic
    """
    return read_rows(connection, sql, run=run_id)


def read_stereotypes(connection: sa.Connection) -> list[Row]:
    """Return what the numbers of stereotypes stand for."""
    sql = "SELECT scope, about, title FROM scopes WHERE scope LIKE :those ORDER BY scope"
    return read_rows(connection, sql, those="stereotype:%")


def read_signatures(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return the signatures of one run's current points with their parts, each once."""
    sql = """
        SELECT s.hash, s.parts FROM signatures s WHERE s.id IN
            (SELECT p.signature_id FROM points p WHERE p.run_id = :run AND p.is_current)
        ORDER BY s.id
    """
    return read_rows(connection, sql, run=run_id)


def read_pronouns(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return how often each pronoun was given, by list, engine and pair of languages."""
    sql = """
        SELECT list, engine, source_lang, target, pronoun, SUM(answers) AS answers FROM pronouns
        WHERE run_id = :run GROUP BY list, engine, source_lang, target, pronoun
        ORDER BY list, source_lang, target, engine, pronoun
    """
    return [
        row | {"answers": int(row["answers"])} for row in read_rows(connection, sql, run=run_id)
    ]


def read_endings(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return what became of the questions put to each engine, with one example of what was said.

    One row per engine, pair of languages, outcome and reason. `questions` were left at that;
    `tries` also counts what was asked again later. `detail` is in the service's own words, or
    ours where it gave none; `text` is what the example's answer says instead of a translation.
    """
    values = attempt_range(connection, run_id)
    return [
        {**row, "questions": int(row["questions"])} | _read_words(connection, row["example"])
        for row in connection.execute(_select_endings(), values).mappings()
    ]


@cache
def _select_endings() -> sa.Select[Any]:
    reading = newest_readings()
    by: tuple[Any, ...] = (
        engines.c.id.label("engine_id"), engines.c.name.label("engine"), engines.c.kind,
        probes.c.source_lang, TARGET.label("target"), outcome_of(reading).label("outcome"),
        reason_of(reading).label("reason"),
    )  # fmt: skip
    example = sa.case((_select_detail(reading) != "", attempts.c.id))
    return (
        sa.select(
            *by,
            sa.func.sum(sa.case((IS_LAST_TRY, 1), else_=0)).label("questions"),
            sa.func.count(attempts.c.exchange_id).label("tries"),
            sa.func.min(example).label("example"),
        )
        .select_from(attempts)
        .join(engines, engines.c.id == attempts.c.engine_id)
        .join(probes, probes.c.id == attempts.c.probe_id)
        # an exchange is of the run of its attempts, whose exchanges an index finds
        .outerjoin(
            exchanges,
            (exchanges.c.id == attempts.c.exchange_id) & (exchanges.c.run_id == attempts.c.run_id),
        )
        .outerjoin(reading, reading.c.attempt_id == attempts.c.id)
        .where(attempts.c.run_id == sa.bindparam("run"))
        .group_by(*by)
        .order_by(engines.c.name, engines.c.id, *by[3:])
    )


def _select_detail(reading: sa.FromClause) -> sa.ColumnElement[Any]:
    return sa.func.coalesce(sa.func.nullif(reading.c.detail, ""), exchanges.c.detail, "")


def _read_words(connection: sa.Connection, attempt: int | None) -> Row:
    """Return the message and the text of an attempt without a usable answer."""
    if attempt is None:
        return {"detail": "", "text": ""}
    return dict(connection.execute(_select_example(), {"attempt": attempt}).mappings().one())


@cache
def _select_example() -> sa.Select[Any]:
    of_reading = (items.c.reading_id == readings.c.id) & (items.c.rank == 1)
    text: sa.ColumnElement[Any] = sa.func.coalesce(items.c.text, "")
    return (
        sa.select(_select_detail(readings).label("detail"), text.label("text"))
        .select_from(attempts)
        .outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(readings, newest_reading())
        .outerjoin(items, of_reading & (readings.c.outcome != Outcome.OK))
        .where(attempts.c.id == sa.bindparam("attempt"))
    )


def read_suspensions(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return the suspensions that kept engines of a run from being asked.

    The table is mutable and a later run may have changed it: what began after the run's end, or
    was over before it began, is left out.
    """
    from monitor.jobs import lane_of  # noqa: PLC0415 - most reads do without job files

    query = sa.select(runs.c.created_at, runs.c.finished_at).where(runs.c.id == run_id)
    begun, finished = connection.execute(query).one()
    engine_query = (
        sa.select(engines.c.id, engines.c.name, engines.c.config)
        .where(engines.c.id.in_(sa.select(attempts.c.engine_id).where(attempts.c.run_id == run_id)))
        .order_by(engines.c.name, engines.c.id)
    )
    lanes = group_rows(
        connection.execute(engine_query),
        lambda row: lane_of(engine_of_label(row.name), row.config),
    )
    return [
        row | {"engines": [engine.name for engine in lanes[row["lane"]]]}
        for row in pauses.list_suspensions(connection)
        if row["lane"] in lanes
        and row["until"] > begun
        and (finished is None or row["since"] <= finished)
    ]


def read_evidence(connection: sa.Connection, database: Database, attempt_id: int) -> Row | None:
    """One attempt with its question, its exchange, and the raw answer as text.

    Of an answer that was taken away there is no text, but when and why it went.
    """
    evidence_rows = read_rows(
        connection,
        """
        SELECT a.id AS attempt_id, p.text AS probe, p.source_lang, p.target_lang, e.name AS engine,
            a.repeat, a.n, a.position, x.id AS exchange_id, x.request, x.outcome, x.reason,
            x.detail, x.status, x.url, x.headers, x.asked_at, x.took, x.body_id,
            b.sha256 AS body_sha256, g.identity AS agent
        FROM attempts a
        JOIN probes p ON p.id = a.probe_id
        JOIN engines e ON e.id = a.engine_id
        LEFT JOIN exchanges x ON x.id = a.exchange_id
        LEFT JOIN bodies b ON b.id = x.body_id
        LEFT JOIN agents g ON g.id = x.agent_id
        WHERE a.id = :attempt
        """,
        attempt=attempt_id,
    )
    if not evidence_rows:
        return None
    [row] = evidence_rows
    try:
        body = bodies.read_body(connection, database, row.pop("body_id"))
    except BodyRemoved as removed:
        return row | {"body": None, "body_removed": str(removed)}
    return row | {"body": body.decode(errors="replace")}


def asks_search(connection: sa.Connection, run_id: int) -> bool:
    """Return whether a run asks a search engine at all."""
    query = (
        sa.select(engines.c.id)
        .join(attempts, attempts.c.engine_id == engines.c.id)
        .where(attempts.c.run_id == run_id, engines.c.kind == Kind.SEARCH)
        .limit(1)
    )
    return connection.execute(query).first() is not None


_OF_SEARCH = "(SELECT name FROM engines WHERE kind = 'search')"


def _read_run_rows(connection: sa.Connection, run_id: int, sql: str) -> list[Row]:
    if not asks_search(connection, run_id):
        return []
    return read_rows(connection, sql, run=run_id)


def read_pages(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return outcomes of the questions to search engines by list, region and reason."""
    sql = f"""
        SELECT list, engine, source_lang, target, outcome, reason,
            COUNT(DISTINCT attempt_id) AS questions
        FROM answers
        WHERE run_id = :run AND (final OR exchange_id IS NULL) AND engine IN {_OF_SEARCH}
        GROUP BY list, engine, source_lang, target, outcome, reason
        ORDER BY list, engine, source_lang, target, outcome, reason
    """  # noqa: S608  only constants of this module are put in
    return _read_run_rows(connection, run_id, sql)


def read_blocks(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return how many result pages had each block, and with how many items."""
    sql = f"""
        SELECT list, engine, source_lang, target, block,
            COUNT(DISTINCT attempt_id) AS questions, COUNT(*) AS items
        FROM answers
        WHERE run_id = :run AND final AND item_id IS NOT NULL AND engine IN {_OF_SEARCH}
        GROUP BY list, engine, source_lang, target, block
        ORDER BY list, engine, source_lang, target, block
    """  # noqa: S608  only constants of this module are put in
    return _read_run_rows(connection, run_id, sql)


def read_people(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return entities shown in a block, each once, with their recorded group and its date.

    The state is that of the newest label, which may be newer than the points of the run.
    """
    sql = """
        SELECT list, engine, region AS target, block, state, source,
            COUNT(DISTINCT entity) AS people, MIN(as_of) AS first_as_of, MAX(as_of) AS last_as_of
        FROM shown WHERE run_id = :run
        GROUP BY list, engine, region, block, state, source
        ORDER BY list, engine, region, block, state, source
    """
    return _read_run_rows(connection, run_id, sql)


def read_names(
    connection: sa.Connection, attempt_id: int, block: str, most: int
) -> list[tuple[str, str]]:
    """Return (shown name, state and group) of the first items of a block, in order.

    The second is for counting only: what is recorded of one person is restricted.
    """
    sql = """
        SELECT COALESCE(NULLIF(v.title, ''), v.text) AS title,
            CASE WHEN b.state = 'labelled' THEN b.grouping
                 ELSE COALESCE(b.state, 'unresolved') END AS known
        FROM answers v LEFT JOIN item_entities ie ON ie.item_id = v.item_id
        LEFT JOIN labels b ON b.entity = ie.entity AND b.is_current = TRUE
        WHERE v.attempt_id = :attempt AND v.block = :block
        ORDER BY v.item_rank LIMIT :most
    """
    name_rows = read_rows(connection, sql, attempt=attempt_id, block=block, most=most)
    return [(row["title"], row["known"]) for row in name_rows]


def read_queries(connection: sa.Connection, run_id: int) -> dict[int, list[Row]]:
    """Return {point id: what it is made of, query by query, in the order of their keys}."""
    sql = """
        SELECT point_id, key, state, reason, value, bound_low, bound_high, x, influence,
            documents, used, missing, empty
        FROM queries_current WHERE run_id = :run ORDER BY point_id, key
    """
    return group_rows(read_rows(connection, sql, run=run_id), itemgetter("point_id"))


def read_questions(connection: sa.Connection, run_id: int) -> dict[tuple[str, str], str]:
    """Return {(list name, item key): what is asked} of the lists of one run."""
    sql = """
        SELECT l.name, i.key, i.text FROM run_lists r JOIN lists l ON l.id = r.list_id
        JOIN list_items i ON i.list_id = l.id WHERE r.run_id = :run
    """
    return {
        (row["name"], row["key"]): row["text"] for row in read_rows(connection, sql, run=run_id)
    }


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Everything stored about one run that its report shows, answers apart."""

    run: Row
    lists: list[Row]
    engines: list[Row]
    signatures: list[Row]
    coverage: list[Row]
    points: list[Row]
    rates: list[Row]
    topics: list[Row]
    attempts: list[Row]
    pronouns: list[Row]
    stereotypes: list[Row]
    cues: dict[str, set[str]]
    endings: list[Row]
    suspensions: list[Row]
    pages: list[Row]
    blocks: list[Row]
    people: list[Row]
    queries: dict[int, list[Row]]
    questions: dict[tuple[str, str], str]
    corpora: list[ListedCorpus]
    seen_live: dict[str, SeenLive] = field(default_factory=dict)


def find_run(connection: sa.Connection, job: str | None, run_id: int | None) -> int | None:
    """Return id of the newest run, of one job if it is named, or of this run if it is there.

    Runs that ask a part of a tick again have no values: only who names one gets it.
    """
    query = sa.select(sa.func.max(runs.c.id))
    if job is not None:
        query = query.where(runs.c.job == job)
    if run_id is not None:
        query = query.where(runs.c.id == run_id)
    else:
        query = query.where(runs.c.kind.not_in(AGAIN))
    return connection.execute(query).scalar()


def read_run_facts(connection: sa.Connection, run_id: int) -> RunFacts:
    """Read all that the report of a run shows except texts of answers."""
    answerers = _read_engines(connection, run_id)
    last_at = max((row["last_asked_at"] for row in answerers), default=None)
    return RunFacts(
        run=_read_run(connection, run_id),
        lists=_read_run_lists(connection, run_id),
        engines=answerers,
        signatures=read_signatures(connection, run_id),
        coverage=read_coverage(connection, run_id),
        points=read_points(connection, run_id),
        rates=read_masculine_rates(connection, run_id),
        topics=read_topics(connection, run_id),
        attempts=_read_attempts(connection, run_id),
        pronouns=read_pronouns(connection, run_id),
        stereotypes=read_stereotypes(connection),
        cues=read_cues(connection, run_id),
        endings=read_endings(connection, run_id),
        suspensions=read_suspensions(connection, run_id),
        pages=read_pages(connection, run_id),
        blocks=read_blocks(connection, run_id),
        people=read_people(connection, run_id),
        queries=read_queries(connection, run_id),
        questions=read_questions(connection, run_id),
        corpora=corpora.list_corpora(connection, run_id),
        seen_live=find_live_answers(connection, last_at) if last_at else {},
    )


def _read_run(connection: sa.Connection, run_id: int) -> Row:
    query = (
        sa.select(runs, jobs.c.content_hash, jobs.c.content)
        .join(jobs, jobs.c.id == runs.c.job_id)
        .where(runs.c.id == run_id)
    )
    [run_row] = read_plain_rows(connection, query)
    return run_row


def _read_run_lists(connection: sa.Connection, run_id: int) -> list[Row]:
    columns = ("name", "version", "content_hash", "source_lang", "title", "status", "licence")
    query = (
        sa.select(*(lists.c[name] for name in columns), sa.func.count().label("n_items"))
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .join(list_items, list_items.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id)
        .group_by(*(lists.c[name] for name in columns))
        .order_by(lists.c.name, lists.c.version)
    )
    return read_plain_rows(connection, query)


def _read_engines(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return one row for each engine, way out and identity that answered."""
    columns = (
        engines.c.id, engines.c.name, engines.c.kind, engines.c.surface, exchanges.c.egress,
        agents.c.id.label("agent_id"),
    )  # fmt: skip
    query = (
        sa.select(
            *columns,
            sa.func.count().label("n_exchanges"),
            sa.func.min(exchanges.c.asked_at).label("first_asked_at"),
            sa.func.max(exchanges.c.asked_at).label("last_asked_at"),
        )
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .outerjoin(agents, agents.c.id == exchanges.c.agent_id)
        .where(exchanges.c.run_id == run_id)
        .group_by(*columns)
        .order_by(engines.c.name, engines.c.id, *columns[4:])
    )
    engine_rows = read_plain_rows(connection, query)
    for row in engine_rows:
        # JSON columns cannot be grouped by on PostgreSQL.
        identity = sa.select(agents.c.identity).where(agents.c.id == row["agent_id"])
        row["identity"] = connection.execute(identity).scalar() or {}
        config = sa.select(engines.c.config).where(engines.c.id == row["id"])
        row["config"] = connection.execute(config).scalar_one()
    return engine_rows


def _read_attempts(connection: sa.Connection, run_id: int) -> list[Row]:
    """Return every question of a run with its list item and reading, without texts."""
    sql = """
        SELECT v.attempt_id, a.engine_id, v.source_lang, v.target, v.list, v.item_key, v.tags,
            v.repeat, v.outcome, v.class FROM answers v JOIN attempts a ON a.id = v.attempt_id
        WHERE v.run_id = :run AND (v.final OR v.exchange_id IS NULL)
            AND COALESCE(v.item_rank, 1) = 1 ORDER BY v.attempt_id
    """
    return read_rows(connection, sql, run=run_id)


def read_texts(connection: sa.Connection, attempt_ids: Sequence[int]) -> dict[int, list[Row]]:
    """Return {attempt id: question, answer, class and witnesses} of some attempts."""
    sql = """
        SELECT attempt_id, item_key, probe, source_lang, target, text, class, outcome, reason,
            rule, witnesses
        FROM answers WHERE attempt_id = :attempt ORDER BY item_rank
    """
    # One by one: the view is looked up by key, and some hundreds are all that a report prints.
    return {
        attempt: rows
        for attempt in attempt_ids
        if (rows := read_rows(connection, sql, attempt=attempt))
    }
