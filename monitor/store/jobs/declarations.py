"""Declarations of jobs: kinds of engines, invented answers, preregistrations.

Preregistrations are only ever added; the first of a job counts.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, repeat
from typing import Any

import sqlalchemy as sa

from monitor.jobs_tables import Preregistration
from monitor.model import Kind, RunKind, digest
from monitor.store import rows
from monitor.store.schema import engines, jobs, preregistrations, runs


def read_engine_kinds(connection: sa.Connection) -> dict[str, Kind]:
    """Return {label of an engine: what sort of system it is}."""
    query = sa.select(engines.c.name, engines.c.kind).distinct()
    return {name: Kind(kind) for name, kind in connection.execute(query)}


def read_job_contents(connection: sa.Connection) -> list[dict[str, Any]]:
    """Return the content that each job had at its newest run, the job that ran last at the end."""
    newest = sa.select(sa.func.max(runs.c.id).label("run_id")).group_by(runs.c.job).subquery()
    query = (
        sa.select(jobs.c.content)
        .join(runs, runs.c.job_id == jobs.c.id)
        .join(newest, newest.c.run_id == runs.c.id)
        .order_by(runs.c.id)
    )
    return list(connection.execute(query).scalars())


#: What invented data do not show.
NOT_REAL = "They say nothing about any real system."


@dataclass(frozen=True, slots=True)
class Invented:
    """The jobs that declare `invented = true`; `is_all` where there are no others."""

    jobs: tuple[str, ...] = ()
    is_all: bool = False

    @property
    def share(self) -> str:
        """Return how much of the archive is invented: `all`, `some`, or nothing."""
        return ("all" if self.is_all else "some") if self.jobs else ""

    def marked(self, rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
        """Yield the rows of a table, header first; a last column says that data are invented."""
        marks = chain(["invented"], repeat(self.share))
        for row, mark in zip(rows, marks, strict=False):
            yield [*row, mark] if self.share else row

    def sentence(self, *, names_jobs: bool) -> str:
        """Say that data are invented; empty where none are."""
        if not self.jobs:
            return ""
        which = f" (jobs: {', '.join(self.jobs)})" if names_jobs else ""
        what = "All answers here are" if self.is_all else f"Some answers here{which} are"
        return f"Invented data: {what} made up. {NOT_REAL}"


def read_invented(connection: sa.Connection, of: Collection[str] = ()) -> Invented:
    """Return what jobs declare, by every version that they had; all jobs where `of` names none."""
    declared = jobs.c.content["invented"].as_boolean()
    query = sa.select(jobs.c.name, declared).order_by(jobs.c.name)
    if of:
        query = query.where(jobs.c.name.in_(of))
    rows = [(name, bool(is_invented)) for name, is_invented in connection.execute(query)]
    names = dict.fromkeys(name for name, is_invented in rows if is_invented)
    return Invented(tuple(names), all(is_invented for _, is_invented in rows))


@dataclass(frozen=True, slots=True)
class Registration:
    """A declaration as it is stored. `hash` is the digest of the canonical JSON of `content`."""

    id: int
    job: str
    content: Mapping[str, Any]
    hash: str
    registered_at: datetime


def find_registration(connection: sa.Connection, job: str) -> Registration | None:
    """Return what counts of a job: its first declaration; None where there is none."""
    query = (
        sa.select(preregistrations)
        .where(preregistrations.c.job == job)
        .order_by(preregistrations.c.id)
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Registration(row.id, row.job, row.content, row.hash, row.registered_at)


def read_registered_content(connection: sa.Connection, job: str) -> Preregistration | None:
    """Return the table of a job that counts, as it was declared; None where nothing was."""
    registration = find_registration(connection, job)
    return (
        None
        if registration is None
        else Preregistration.model_validate(registration.content["declared"])
    )


def add_registration(
    connection: sa.Connection, job: str, declared: Mapping[str, Any], now: datetime
) -> Registration | None:
    """Write a declaration down; None where one with this content is there already."""
    row = {"job": job, "content": dict(declared), "hash": digest(declared), "registered_at": now}
    number = rows.insert_new(connection, preregistrations, row)
    return None if number is None else Registration(number, job, declared, digest(declared), now)


def is_over(declared: Mapping[str, Any], n_ticks: int) -> bool:
    """Return whether the n-th due tick comes after the last one that was declared (`stop_rule`)."""
    rule = declared.get("stop_rule")
    return isinstance(rule, int) and n_ticks > rule


@dataclass(frozen=True, slots=True)
class BegunRun:
    """A run of a job, by when it was due and when it was begun."""

    id: int
    kind: RunKind
    due_at: datetime
    created_at: datetime


def find_first_runs(connection: sa.Connection, job: str) -> dict[RunKind, BegunRun]:
    """Return the run of each kind that was begun first: when somebody could first see answers."""
    first = sa.select(sa.func.min(runs.c.id)).where(runs.c.job == job).group_by(runs.c.kind)
    query = sa.select(runs).where(runs.c.id.in_(first))
    return {
        RunKind(row.kind): BegunRun(row.id, RunKind(row.kind), row.due_at, row.created_at)
        for row in connection.execute(query)
    }
