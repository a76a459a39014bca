"""The exchanges of a run for an archive, a few at a time, without anything about people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from monitor.model import Json, StoreProblem
from monitor.store.collect import bodies
from monitor.store.publish import evidence_bundle
from monitor.store.schema import agents, attempts, engines, exchanges, jobs, probes, runs
from monitor.store.schema import bodies as body_table

_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class ArchivedRun:
    """Facts of a run that an archive holds."""

    id: int
    job: str
    job_hash: str
    kind: str
    due_at: datetime
    created_at: datetime
    code_version: str
    exchanges: int
    #: The job as it was when the run began.
    content: Mapping[str, Json]
    removed: int  # contents that were taken away


@dataclass(frozen=True, slots=True)
class ArchivedContent:
    """A stored body, by its row and digest; `removed` says when and why it was taken away."""

    id: int
    sha256: str
    size: int
    removed: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedExchange:
    """One request with its answer, and the questions that it put."""

    id: int
    engine: str
    surface: str
    purpose: str
    request: Mapping[str, Json]
    outcome: str
    reason: str
    detail: str
    status: int | None
    url: str
    headers: Sequence[tuple[str, str]]
    asked_at: datetime
    took: float
    egress: str
    observed: Mapping[str, str]
    agent: Mapping[str, str]
    body: ArchivedContent | None
    screenshot: ArchivedContent | None
    questions: tuple[Mapping[str, Json], ...]


def _select_exchanges(run_id: int, probe_ids: Sequence[int] | None) -> sa.ColumnElement[bool]:
    """Return the query of the exchanges of a run, or of some of its questions."""
    if probe_ids is None:
        return exchanges.c.run_id == run_id
    probe_exchanges = sa.select(attempts.c.exchange_id).where(
        attempts.c.run_id == run_id, attempts.c.probe_id.in_(probe_ids)
    )
    return (exchanges.c.run_id == run_id) & exchanges.c.id.in_(probe_exchanges)


def read_run(
    connection: sa.Connection, run_id: int, probe_ids: Sequence[int] | None = None
) -> ArchivedRun:
    """Return what is known of a run, and how many exchanges are to come. Raises InvalidInput."""
    evidence_bundle.require_run(connection, run_id)
    query = (
        sa.select(runs, jobs.c.content_hash, jobs.c.content)
        .join(jobs, jobs.c.id == runs.c.job_id)
        .where(runs.c.id == run_id)
    )
    row = connection.execute(query).one()
    counted = (
        sa.select(sa.func.count())
        .select_from(exchanges)
        .where(_select_exchanges(run_id, probe_ids))
    )
    return ArchivedRun(
        id=run_id,
        job=row.job,
        job_hash=row.content_hash,
        kind=row.kind,
        due_at=row.due_at,
        created_at=row.created_at,
        code_version=row.code_version,
        exchanges=int(connection.execute(counted).scalar_one()),
        content=row.content,
        removed=_count_removed(connection, run_id, probe_ids),
    )


def _count_removed(connection: sa.Connection, run_id: int, probe_ids: Sequence[int] | None) -> int:
    """Return how many answers and screenshots of these exchanges were removed."""
    of_run = _select_exchanges(run_id, probe_ids)
    gone = body_table.c.removed_at.is_not(None)
    counts = (
        sa.select(sa.func.count())
        .select_from(exchanges.join(body_table, body_table.c.id == column))
        .where(of_run, gone)
        for column in (exchanges.c.body_id, exchanges.c.screenshot_id)
    )
    return sum(int(connection.execute(query).scalar_one()) for query in counts)


def read_exchanges(
    connection: sa.Connection, run_id: int, probe_ids: Sequence[int] | None = None
) -> Iterator[ArchivedExchange]:
    """Yield the exchanges of a run in their order; memory does not grow with their number."""
    body, shot = body_table.alias("body"), body_table.alias("shot")
    query = (
        sa.select(
            exchanges,
            engines.c.name,
            engines.c.surface,
            agents.c.identity,
            body.c.sha256.label("body_sha256"),
            body.c.size.label("body_size"),
            body.c.removed_at.label("body_removed_at"),
            body.c.removed_because.label("body_removed_because"),
            shot.c.sha256.label("screenshot_sha256"),
            shot.c.size.label("screenshot_size"),
            shot.c.removed_at.label("screenshot_removed_at"),
            shot.c.removed_because.label("screenshot_removed_because"),
        )
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .outerjoin(agents, agents.c.id == exchanges.c.agent_id)
        .outerjoin(body, body.c.id == exchanges.c.body_id)
        .outerjoin(shot, shot.c.id == exchanges.c.screenshot_id)
        .where(_select_exchanges(run_id, probe_ids))
        .order_by(exchanges.c.id)
        .limit(_AT_ONCE)
    )
    last = 0
    while partition := connection.execute(query.where(exchanges.c.id > last)).mappings().all():
        questions_of = _read_questions(connection, [int(row["id"]) for row in partition])
        for row in partition:
            last = int(row["id"])
            yield _make_exchange(row, questions_of.get(last, ()))


def _make_exchange(row: sa.RowMapping, questions: Sequence[Mapping[str, Json]]) -> ArchivedExchange:
    return ArchivedExchange(
        id=int(row["id"]),
        engine=row["name"],
        surface=row["surface"],
        purpose=row["purpose"],
        request=row["request"],
        outcome=row["outcome"],
        reason=row["reason"],
        detail=row["detail"],
        status=row["status"],
        url=row["url"],
        headers=[(name, text) for name, text in row["headers"]],
        asked_at=row["asked_at"],
        took=row["took"],
        egress=row["egress"],
        observed=row["observed"] or {},
        agent=row["identity"] or {},
        body=_make_content(row, "body"),
        screenshot=_make_content(row, "screenshot"),
        questions=tuple(questions),
    )


def _make_content(row: sa.RowMapping, what: str) -> ArchivedContent | None:
    body_id, sha256 = row[f"{what}_id"], row[f"{what}_sha256"]
    if body_id is None:
        return None
    if sha256 is None:
        raise StoreProblem(f"row {body_id} of bodies is gone; `monitor evidence verify` says more")
    removed = bodies.describe_removal(row[f"{what}_removed_at"], row[f"{what}_removed_because"])
    return ArchivedContent(int(body_id), sha256, int(row[f"{what}_size"]), removed)


def _read_questions(
    connection: sa.Connection, exchange_ids: Sequence[int]
) -> dict[int, list[Mapping[str, Json]]]:
    query = (
        sa.select(attempts.c.exchange_id, attempts.c.id, attempts.c.repeat, attempts.c.n, probes)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(attempts.c.exchange_id.in_(exchange_ids))
        .order_by(attempts.c.exchange_id, attempts.c.position)
    )
    questions_of: dict[int, list[Mapping[str, Json]]] = {}
    for row in connection.execute(query):
        questions_of.setdefault(int(row.exchange_id), []).append(
            {
                "attempt": row.id,
                "repeat": row.repeat,
                "try": row.n,
                "probe": row.key,
                "text": row.text,
                "source_lang": row.source_lang,
                "target_lang": row.target_lang,
                "region": row.region,
                "parameters": row.parameters,
            }
        )
    return questions_of
