"""The exchanges of a run for an archive, and all evidence of one question in a run.

Of people only the recorded group leaves, with its source and date.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.model import InvalidInput, Json, LabelState, StoreProblem
from monitor.store.collect import bodies
from monitor.store.database import Database
from monitor.store.rows import group_pairs
from monitor.store.schema import (
    agents,
    attempts,
    engines,
    exchanges,
    item_entities,
    item_overviews,
    items,
    jobs,
    labels,
    list_items,
    list_probes,
    lists,
    probes,
    readings,
    run_lists,
    runs,
    versions,
)
from monitor.store.schema import bodies as body_table
from monitor.store.selectables import newest_reading

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
    require_run(connection, run_id)
    query = (
        sa.select(runs, jobs.c.content_hash, jobs.c.content)
        .join(jobs, jobs.c.id == runs.c.job_id)
        .where(runs.c.id == run_id)
    )
    row = connection.execute(query).one()
    counted = sa.select(sa.func.count()).where(_select_exchanges(run_id, probe_ids))
    removed = counted.where(body_table.c.removed_at.is_not(None))
    n_removed = (
        connection.execute(
            removed.select_from(exchanges.join(body_table, body_table.c.id == column))
        ).scalar_one()
        for column in (exchanges.c.body_id, exchanges.c.screenshot_id)
    )
    return ArchivedRun(
        id=run_id,
        job=row.job,
        job_hash=row.content_hash,
        kind=row.kind,
        due_at=row.due_at,
        created_at=row.created_at,
        code_version=row.code_version,
        exchanges=int(connection.execute(counted.select_from(exchanges)).scalar_one()),
        content=row.content,
        removed=sum(map(int, n_removed)),
    )


def read_exchanges(
    connection: sa.Connection, run_id: int, probe_ids: Sequence[int] | None = None
) -> Iterator[ArchivedExchange]:
    """Yield the exchanges of a run in their order; memory does not grow with their number."""
    body, shot = body_table.alias("body"), body_table.alias("shot")
    contents = (
        table.c[name].label(f"{what}_{name}")
        for what, table in (("body", body), ("screenshot", shot))
        for name in ("sha256", "size", "removed_at", "removed_because")
    )
    query = (
        sa.select(
            exchanges, engines.c.name.label("engine"), engines.c.surface, agents.c.identity,
            *contents,
        )
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .outerjoin(agents, agents.c.id == exchanges.c.agent_id)
        .outerjoin(body, body.c.id == exchanges.c.body_id)
        .outerjoin(shot, shot.c.id == exchanges.c.screenshot_id)
        .where(_select_exchanges(run_id, probe_ids))
        .order_by(exchanges.c.id)
        .limit(_AT_ONCE)
    )  # fmt: skip
    last = 0
    while partition := connection.execute(query.where(exchanges.c.id > last)).mappings().all():
        questions_of = _read_questions(connection, [int(row["id"]) for row in partition])
        for row in partition:
            last = int(row["id"])
            yield ArchivedExchange(
                **{name: row[name] for name in _SAME},
                headers=[(name, text) for name, text in row["headers"]],
                observed=row["observed"] or {},
                agent=row["identity"] or {},
                body=_make_content(row, "body"),
                screenshot=_make_content(row, "screenshot"),
                questions=tuple(questions_of.get(last, ())),
            )


#: What of an exchange stands in a row as it is.
_SAME = (
    "id", "engine", "surface", "purpose", "request", "outcome", "reason", "detail", "status", "url",
    "asked_at", "took", "egress",
)  # fmt: skip


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
    return group_pairs(
        (
            int(row.exchange_id),
            {"attempt": row.id, "repeat": row.repeat, "try": row.n, "probe": row.key}
            | {name: getattr(row, name) for name in _OF_PROBE},
        )
        for row in connection.execute(query)
    )


_OF_PROBE = ("text", "source_lang", "target_lang", "region", "parameters")


# --- bundles of evidence --------------------------------------------------------------------------

Row = dict[str, Any]

_KEY = re.compile(r"[0-9a-f]{4,32}")
_EXAMPLES = 5


def require_run(connection: sa.Connection, run_id: int) -> None:
    """Raise InvalidInput unless there is such a run."""
    if connection.execute(sa.select(runs.c.id).where(runs.c.id == run_id)).scalar() is None:
        raise InvalidInput(f"no run {run_id} in this database; `monitor status` lists the newest")


def find_probes(connection: sa.Connection, run_id: int, text: str) -> list[int]:
    """Return ids of the probes of a run by list item key, text, or probe key.

    Raises InvalidInput where there is none, or where the beginning of a key fits several questions.
    """
    require_run(connection, run_id)
    of_run = sa.select(attempts.c.probe_id).where(attempts.c.run_id == run_id)
    is_asked = probes.c.id.in_(of_run)
    by_item = (
        sa.select(list_probes.c.probe_id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .join(run_lists, run_lists.c.list_id == list_items.c.list_id)
        .where(run_lists.c.run_id == run_id, list_items.c.key == text)
    )
    ways = [
        probes.c.id.in_(by_item),
        probes.c.text == text,
        sa.func.lower(probes.c.text) == text.strip().lower(),
    ]
    if _KEY.fullmatch(text):
        ways.append(probes.c.key.startswith(text, autoescape=True))
    for way in ways:
        query = sa.select(probes.c.id, probes.c.key, probes.c.text).where(is_asked, way)
        matching = connection.execute(query.order_by(probes.c.id)).all()
        if len({row.text for row in matching}) > 1:
            examples = ", ".join(f"{row.key} {row.text!r}" for row in matching[:_EXAMPLES])
            raise InvalidInput(
                f"{text!r} fits {len(matching)} questions of run {run_id}: {examples}"
            )
        if matching:
            return [int(row.id) for row in matching]
    raise InvalidInput(
        f"run {run_id} has no question {text!r}; name the key of a list item, the text, or the "
        "first letters of a probe key (the view answers has all three)"
    )


def find_attempts(connection: sa.Connection, run_id: int, probe_ids: Sequence[int]) -> list[int]:
    """Return ids of all tries at some questions of a run, in the order they were planned."""
    query = (
        sa.select(attempts.c.id)
        .where(attempts.c.run_id == run_id, attempts.c.probe_id.in_(probe_ids))
        .order_by(attempts.c.id)
    )
    return [int(number) for number in connection.execute(query).scalars()]


# --- what is kept of it ---------------------------------------------------------------------------


def read_evidence(connection: sa.Connection, database: Database, attempt_id: int) -> Row | None:
    """Return all about one try: question, exchange, reading, labels, and where its contents are."""
    question = _read_question(connection, attempt_id)
    if question is None:
        return None
    exchange_id = question.pop("exchange_id")
    return question | {
        "exchange": _read_exchange(connection, database, exchange_id),
        "reading": _read_reading(connection, attempt_id),
    }


def _read_question(connection: sa.Connection, attempt_id: int) -> Row | None:
    query = (
        sa.select(
            attempts.c.id.label("attempt"),
            attempts.c.run_id.label("run"),
            runs.c.job,
            runs.c.due_at,
            probes.c.id.label("probe_id"),
            probes.c.key.label("probe"),
            probes.c.text.label("question"),
            *(probes.c[name] for name in _OF_PROBE if name != "text"),
            engines.c.name.label("engine"),
            engines.c.surface,
            attempts.c.repeat,
            attempts.c.n.label("try"),
            attempts.c.final,
            attempts.c.position,
            attempts.c.exchange_id,
        )
        .join(runs, runs.c.id == attempts.c.run_id)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .join(engines, engines.c.id == attempts.c.engine_id)
        .where(attempts.c.id == attempt_id)
    )
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        return None
    question = dict(row)
    items_of = (
        sa.select(lists.c.name, lists.c.version, list_items.c.key, list_items.c.tags)
        .join(list_items, list_items.c.list_id == lists.c.id)
        .join(list_probes, list_probes.c.list_item_id == list_items.c.id)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == row["run"], list_probes.c.probe_id == question.pop("probe_id"))
        .order_by(list_items.c.id)
    )
    question["list_items"] = [
        {"list": f"{item.name}@{item.version}", "key": item.key, "tags": item.tags}
        for item in connection.execute(items_of)
    ]
    return question


_EXCHANGE = (
    "id", "asked_at", "took", "outcome", "reason", "detail", "status", "url", "request",
    "headers", "observed", "egress",
)  # fmt: skip


def _read_exchange(
    connection: sa.Connection, database: Database, exchange_id: int | None
) -> Row | None:
    if exchange_id is None:
        return None
    query = (
        sa.select(exchanges, agents.c.identity)
        .outerjoin(agents, agents.c.id == exchanges.c.agent_id)
        .where(exchanges.c.id == exchange_id)
    )
    row = connection.execute(query).mappings().one()
    return {name: row[name] for name in _EXCHANGE} | {
        "agent": row["identity"],
        "body": _describe_content(connection, database, row["body_id"]),
        "screenshot": _describe_content(connection, database, row["screenshot_id"]),
    }


def _describe_content(
    connection: sa.Connection, database: Database, body_id: int | None
) -> Row | None:
    """Return digest, size and place of a content, or its removal."""
    if body_id is None:
        return None
    columns = body_table.c
    query = sa.select(
        columns.sha256, columns.size, columns.content.is_(None).label("outside"),
        columns.removed_at, columns.removed_because,
    ).where(columns.id == body_id)  # fmt: skip
    row = connection.execute(query).one()
    content = {"id": body_id, "sha256": row.sha256, "size": row.size}
    if removed := bodies.describe_removal(row.removed_at, row.removed_because):
        return content | {"removed": removed}
    file = bodies.find_body_file(database, row.sha256)
    location = str(file) if row.outside else f"row {body_id} of the table bodies"
    return content | {"place": location}


def _read_reading(connection: sa.Connection, attempt_id: int) -> Row | None:
    """Return the reading of the newest parser with labels of the entities shown."""
    query = (
        sa.select(readings, versions.c.name.label("parser"), versions.c.version)
        .join(versions, versions.c.id == readings.c.parser_id)
        .where(newest_reading(sa.literal(attempt_id)))
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return {
        "parser": f"{row.parser}@{row.version}",
        **{name: getattr(row, name) for name in ("outcome", "reason", "detail")},
        "items": _read_items(connection, row.id),
    }


def _read_items(connection: sa.Connection, reading_id: int) -> list[Row]:
    query = (
        sa.select(
            items,
            item_overviews.c.state.label("overview"),
            item_overviews.c.sources,
            item_entities.c.entity.label("shows"),
            *(labels.c[name] for name in ("state", "grouping", "source", "as_of")),
        )
        .outerjoin(item_overviews, item_overviews.c.item_id == items.c.id)
        .outerjoin(item_entities, item_entities.c.item_id == items.c.id)
        .outerjoin(labels, (labels.c.entity == item_entities.c.entity) & labels.c.is_current)
        .where(items.c.reading_id == reading_id)
        .order_by(items.c.id)
    )
    return [
        {name: row[name] for name in ("block", "rank", "title", "url", "text", "entity")}
        | {
            "erased": row["erasure_id"] is not None,
            "overview": row["overview"] or "",
            "sources": row["sources"] or [],
            "label": _make_label(row),
        }
        for row in connection.execute(query).mappings()
    ]


def _make_label(row: sa.RowMapping) -> Row | None:
    """Return the recorded group with its source and date; None without an entity."""
    if row["shows"] is None:
        return None
    state = row["state"] or str(LabelState.UNRESOLVED)
    return {
        "state": state,
        "group": row["grouping"] if state == LabelState.LABELLED else "",
        "source": row["source"] or "",
        "as_of": row["as_of"],
    }
