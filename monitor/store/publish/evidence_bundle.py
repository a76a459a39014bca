"""All evidence of one question in a run: question, answer, reading, and entities shown.

Of people only the recorded group leaves, with its source and date.
"""

import re
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from monitor.model import InvalidInput, LabelState
from monitor.store.collect import bodies
from monitor.store.database import Database
from monitor.store.schema import (
    agents,
    attempts,
    engines,
    exchanges,
    item_entities,
    items,
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

Row = dict[str, Any]

_KEY = re.compile(r"[0-9a-f]{4,32}")
_EXAMPLES = 5


# --- which question -------------------------------------------------------------------------------


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
            probes.c.source_lang,
            probes.c.target_lang,
            probes.c.region,
            probes.c.parameters,
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
    return question | {
        "list_items": _read_list_items(connection, question["run"], question.pop("probe_id"))
    }


def _read_list_items(connection: sa.Connection, run_id: int, probe_id: int) -> list[Row]:
    query = (
        sa.select(lists.c.name, lists.c.version, list_items.c.key, list_items.c.tags)
        .join(list_items, list_items.c.list_id == lists.c.id)
        .join(list_probes, list_probes.c.list_item_id == list_items.c.id)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id, list_probes.c.probe_id == probe_id)
        .order_by(list_items.c.id)
    )
    return [
        {"list": f"{row.name}@{row.version}", "key": row.key, "tags": row.tags}
        for row in connection.execute(query)
    ]


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
        columns.sha256,
        columns.size,
        columns.content.is_(None).label("outside"),
        columns.removed_at,
        columns.removed_because,
    ).where(columns.id == body_id)
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
        "outcome": row.outcome,
        "reason": row.reason,
        "detail": row.detail,
        "items": _read_items(connection, row.id),
    }


def _read_items(connection: sa.Connection, reading_id: int) -> list[Row]:
    query = (
        sa.select(
            items,
            item_entities.c.entity.label("shows"),
            labels.c.state,
            labels.c.grouping,
            labels.c.source,
            labels.c.as_of,
        )
        .outerjoin(item_entities, item_entities.c.item_id == items.c.id)
        .outerjoin(labels, (labels.c.entity == item_entities.c.entity) & labels.c.is_current)
        .where(items.c.reading_id == reading_id)
        .order_by(items.c.id)
    )
    return [
        {
            "block": row["block"],
            "rank": row["rank"],
            "title": row["title"],
            "url": row["url"],
            "text": row["text"],
            "entity": row["entity"],
            "erased": row["erasure_id"] is not None,
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
