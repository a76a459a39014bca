"""What the page for operators reads beside what `monitor status` reads."""

from collections import Counter
from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from monitor.model import RunState
from monitor.store.schema import engines, exchanges, processes, runs


class Heard(NamedTuple):
    """A daemon or a worker, and when it was last heard of."""

    name: str
    role: str
    detail: str
    started_at: datetime
    seen_at: datetime


class Begun(NamedTuple):
    """A job's newest run by its tick."""

    number: int
    due_at: datetime
    state: RunState


def heard(connection: sa.Connection, now: datetime, within: timedelta) -> list[Heard]:
    """Processes that did not say that they end, and were heard of within this time, by start."""
    columns = (processes.c[name] for name in Heard._fields)
    query = sa.select(*columns).where(processes.c.seen_at >= now - within)
    found = connection.execute(query.order_by(processes.c.started_at, processes.c.name))
    return [Heard(*row) for row in found]


def asked_since(connection: sa.Connection, since: datetime) -> Counter[str]:
    """{name of an engine: exchanges since a time}, over all its models and addresses.

    Each engine's are found by its own index.
    """
    own = (
        sa.select(sa.func.count())
        .where(exchanges.c.engine_id == engines.c.id, exchanges.c.asked_at >= since)
        .scalar_subquery()
    )
    found: Counter[str] = Counter()
    for name, n in connection.execute(sa.select(engines.c.name, own)):
        found[_family(name)] += int(n)
    return found


def _family(label: str) -> str:
    """The engine of a label: `chat` of `chat:gpt-x`, `wikipedia` of `wikipedia(count=50)`."""
    return label.partition("(")[0].partition(":")[0]


def newest_run(connection: sa.Connection, job: str) -> Begun | None:
    """A job's newest run by its tick; None where it has none."""
    query = (
        sa.select(runs.c.id, runs.c.due_at, runs.c.state)
        .where(runs.c.job == job)
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else Begun(row.id, row.due_at, RunState(row.state))
