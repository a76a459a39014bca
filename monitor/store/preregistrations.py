"""What was declared before the first tick of a job. Only ever added; the first of a job counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.jobs_tables import Preregistration
from monitor.model import RunKind, digest
from monitor.store import rows
from monitor.store.schema import preregistrations, runs


@dataclass(frozen=True, slots=True)
class Registered:
    """A declaration as it is stored. `hash` is the digest of the canonical JSON of `content`."""

    id: int
    job: str
    content: Mapping[str, Any]
    hash: str
    registered_at: datetime


def of_job(connection: sa.Connection, job: str) -> Registered | None:
    """What counts of a job: its first declaration; None where there is none."""
    query = (
        sa.select(preregistrations)
        .where(preregistrations.c.job == job)
        .order_by(preregistrations.c.id)
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Registered(row.id, row.job, row.content, row.hash, row.registered_at)


def content(connection: sa.Connection, job: str) -> Preregistration | None:
    """The table of a job that counts, as it was declared; None where nothing was."""
    found = of_job(connection, job)
    return None if found is None else Preregistration.model_validate(found.content["declared"])


def add(
    connection: sa.Connection, job: str, declared: Mapping[str, Any], now: datetime
) -> Registered | None:
    """Write a declaration down; None where one with this content is there already."""
    row = {"job": job, "content": dict(declared), "hash": digest(declared), "registered_at": now}
    number = rows.insert_new(connection, preregistrations, row)
    return None if number is None else Registered(number, job, declared, digest(declared), now)


def is_over(declared: Mapping[str, Any], n_ticks: int) -> bool:
    """Whether the n-th due tick comes after the last one that was declared (`stop_rule`)."""
    rule = declared.get("stop_rule")
    return isinstance(rule, int) and n_ticks > rule


@dataclass(frozen=True, slots=True)
class Begun:
    """A run of a job, by when it was due and when it was begun."""

    id: int
    kind: RunKind
    due_at: datetime
    created_at: datetime


def first_runs(connection: sa.Connection, job: str) -> dict[RunKind, Begun]:
    """The run of each kind that was begun first: when somebody could first see answers."""
    first = sa.select(sa.func.min(runs.c.id)).where(runs.c.job == job).group_by(runs.c.kind)
    query = sa.select(runs).where(runs.c.id.in_(first))
    return {
        RunKind(row.kind): Begun(row.id, RunKind(row.kind), row.due_at, row.created_at)
        for row in connection.execute(query)
    }
