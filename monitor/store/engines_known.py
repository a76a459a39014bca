"""Engines that were asked so far, by their labels, and the newest content of each job."""

from typing import Any

import sqlalchemy as sa

from monitor.model import Kind
from monitor.store.schema import engines, jobs, runs


def kinds(connection: sa.Connection) -> dict[str, Kind]:
    """Return {label of an engine: what sort of system it is}."""
    query = sa.select(engines.c.name, engines.c.kind).distinct()
    return {name: Kind(kind) for name, kind in connection.execute(query)}


def job_contents(connection: sa.Connection) -> list[dict[str, Any]]:
    """Return the content that each job had at its newest run, the job that ran last at the end."""
    newest = sa.select(sa.func.max(runs.c.id).label("run_id")).group_by(runs.c.job).subquery()
    query = (
        sa.select(jobs.c.content)
        .join(runs, runs.c.job_id == jobs.c.id)
        .join(newest, newest.c.run_id == runs.c.id)
        .order_by(runs.c.id)
    )
    return list(connection.execute(query).scalars())
