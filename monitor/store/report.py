"""What the report of one run reads: its points, topics, examples and provenance, as plain rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from monitor.store import corpora, overview
from monitor.store.corpora import Listed
from monitor.store.overview import Row
from monitor.store.runs import AGAIN
from monitor.store.schema import (
    agents,
    engines,
    exchanges,
    jobs,
    list_items,
    lists,
    run_lists,
    runs,
)


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
    corpora: list[Listed]


def find(connection: sa.Connection, job: str | None, run_id: int | None) -> int | None:
    """Id of the newest run, of one job if it is named, or of this run if it is there.

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


def facts(connection: sa.Connection, run_id: int) -> RunFacts:
    """Read all that the report of a run shows except texts of answers."""
    return RunFacts(
        run=_run(connection, run_id),
        lists=_lists(connection, run_id),
        engines=_engines(connection, run_id),
        signatures=overview.signatures(connection, run_id),
        coverage=overview.coverage(connection, run_id),
        points=overview.points(connection, run_id),
        rates=overview.masculine_rates(connection, run_id),
        topics=overview.topics(connection, run_id),
        attempts=_attempts(connection, run_id),
        pronouns=overview.pronouns(connection, run_id),
        stereotypes=overview.stereotypes(connection),
        cues=overview.cues(connection, run_id),
        endings=overview.endings(connection, run_id),
        suspensions=overview.suspended(connection, run_id),
        pages=overview.pages(connection, run_id),
        blocks=overview.blocks(connection, run_id),
        people=overview.people(connection, run_id),
        queries=overview.queries(connection, run_id),
        questions=overview.questions(connection, run_id),
        corpora=corpora.listed(connection, run_id),
    )


def _rows(result: sa.Result[Any]) -> list[Row]:
    return [dict(row) for row in result.mappings()]


def _run(connection: sa.Connection, run_id: int) -> Row:
    query = (
        sa.select(runs, jobs.c.content_hash, jobs.c.content)
        .join(jobs, jobs.c.id == runs.c.job_id)
        .where(runs.c.id == run_id)
    )
    [found] = _rows(connection.execute(query))
    return found


def _lists(connection: sa.Connection, run_id: int) -> list[Row]:
    columns = ("name", "version", "content_hash", "source_lang", "title", "status", "licence")
    query = (
        sa.select(*(lists.c[name] for name in columns), sa.func.count().label("n_items"))
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .join(list_items, list_items.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id)
        .group_by(*(lists.c[name] for name in columns))
        .order_by(lists.c.name, lists.c.version)
    )
    return _rows(connection.execute(query))


def _engines(connection: sa.Connection, run_id: int) -> list[Row]:
    """Who answered, as it says of itself: one row per engine, way out and identity."""
    columns = (
        engines.c.id, engines.c.name, engines.c.kind, engines.c.surface, exchanges.c.egress,
    )  # fmt: skip
    agent = agents.c.id.label("agent_id")
    query = (
        sa.select(
            *columns,
            agent,
            sa.func.count().label("n_exchanges"),
            sa.func.min(exchanges.c.asked_at).label("first_asked_at"),
            sa.func.max(exchanges.c.asked_at).label("last_asked_at"),
        )
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .outerjoin(agents, agents.c.id == exchanges.c.agent_id)
        .where(exchanges.c.run_id == run_id)
        .group_by(*columns, agent)
        .order_by(engines.c.name, engines.c.id, exchanges.c.egress, agent)
    )
    found = _rows(connection.execute(query))
    for row in found:
        # JSON columns cannot be grouped by on PostgreSQL.
        identity = sa.select(agents.c.identity).where(agents.c.id == row["agent_id"])
        row["identity"] = connection.execute(identity).scalar() or {}
        config = sa.select(engines.c.config).where(engines.c.id == row["id"])
        row["config"] = connection.execute(config).scalar_one()
    return found


def _attempts(connection: sa.Connection, run_id: int) -> list[Row]:
    """Every question of a run with its place in the list and what was found, without the text."""
    sql = """
        SELECT v.attempt_id, a.engine_id, v.source_lang, v.target, v.list, v.item_key, v.tags,
            v.repeat, v.outcome, v.class FROM answers v JOIN attempts a ON a.id = v.attempt_id
        WHERE v.run_id = :run AND (v.final OR v.exchange_id IS NULL)
            AND COALESCE(v.item_rank, 1) = 1 ORDER BY v.attempt_id
    """
    return overview.rows(connection, sql, run=run_id)


def texts(connection: sa.Connection, attempt_ids: Sequence[int]) -> dict[int, list[Row]]:
    """{attempt id: question, answer, class and witnesses} of some attempts, variant by variant."""
    sql = """
        SELECT attempt_id, item_key, probe, source_lang, target, text, class, outcome, reason,
            rule, witnesses
        FROM answers WHERE attempt_id = :attempt ORDER BY item_rank
    """
    # One by one: the view is looked up by key, and some hundreds are all that a report prints.
    return {
        attempt: rows
        for attempt in attempt_ids
        if (rows := overview.rows(connection, sql, attempt=attempt))
    }
