"""What a week took of others, and what it did not bring: requests, bytes, ends of questions."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.model import Outcome
from monitor.store import how_far
from monitor.store.schema import (
    agents,
    alarms,
    bodies,
    engines,
    events,
    exchanges,
    lookups,
    suspensions,
)

Row = dict[str, Any]

_ABOUT_CLOCKS = ("clock_jumped", "clock_trusted", "ticks_taken_back")


def _rows(connection: sa.Connection, query: sa.Select[Any]) -> list[Row]:
    return [dict(row) for row in connection.execute(query).mappings()]


def asked(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """What was asked of each engine: requests, bytes of answers, seconds, by run."""
    by = (engines.c.id, engines.c.name, engines.c.kind, engines.c.surface, exchanges.c.run_id)
    query = (
        sa.select(
            *by,
            sa.func.count().label("requests"),
            sa.func.coalesce(sa.func.sum(bodies.c.size), 0).label("bytes"),
            sa.func.sum(exchanges.c.took).label("seconds"),
            sa.func.min(exchanges.c.asked_at).label("first_at"),
            sa.func.max(exchanges.c.asked_at).label("last_at"),
        )
        .join(engines, engines.c.id == exchanges.c.engine_id)
        .outerjoin(bodies, bodies.c.id == exchanges.c.body_id)
        .where(exchanges.c.run_id.in_(run_ids))
        .group_by(*by)
        .order_by(engines.c.name, engines.c.id, exchanges.c.run_id)
    )
    return _rows(connection, query)


def identities(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """What answered, as it says of itself: one row per engine and identity."""
    used = (
        sa.select(exchanges.c.engine_id, exchanges.c.agent_id, sa.func.count().label("requests"))
        .where(exchanges.c.run_id.in_(run_ids), exchanges.c.agent_id.is_not(None))
        .group_by(exchanges.c.engine_id, exchanges.c.agent_id)
        .subquery()
    )
    query = (
        sa.select(used.c.engine_id, engines.c.name, agents.c.identity, used.c.requests)
        .join(engines, engines.c.id == used.c.engine_id)
        .join(agents, agents.c.id == used.c.agent_id)
        .order_by(engines.c.name, engines.c.id, agents.c.id)
    )
    return _rows(connection, query)


def endings(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """Return what became of the questions of some runs together, by engine, outcome and reason."""
    questions: Counter[tuple[str, int, str, str, str]] = Counter()
    for run_id in run_ids:
        for one in how_far.endings(connection, run_id):
            key = (one.engine, one.engine_id, one.outcome, one.reason, one.kind)
            questions[key] += one.questions
    return [
        {
            "id": engine_id, "name": name, "kind": kind, "outcome": outcome, "reason": reason,
            "questions": count,
        }
        for (name, engine_id, outcome, reason, kind), count in sorted(questions.items())
    ]  # fmt: skip


def looked_up(connection: sa.Connection, run_ids: Sequence[int]) -> list[Row]:
    """Questions to public services beside the engines, by purpose."""
    failed = sa.case((lookups.c.outcome == Outcome.OK, 0), else_=1)
    query = (
        sa.select(
            lookups.c.purpose, sa.func.count().label("requests"),
            sa.func.sum(failed).label("failed"), sa.func.sum(lookups.c.took).label("seconds"),
        )
        .where(lookups.c.run_id.in_(run_ids))
        .group_by(lookups.c.purpose)
        .order_by(lookups.c.purpose)
    )  # fmt: skip
    return _rows(connection, query)


def suspended(connection: sa.Connection, after: datetime, until: datetime) -> list[Row]:
    """Engines that rested in a stretch of time; the table keeps the newest rest of each alone."""
    columns = ("lane", "exit", "since", "until", "reason", "detail", "times")
    query = sa.select(*(suspensions.c[name] for name in columns)).where(
        suspensions.c.since <= until, suspensions.c.until > after
    )
    return _rows(connection, query.order_by(suspensions.c.lane, suspensions.c.exit))


def raised(connection: sa.Connection, after: datetime, until: datetime) -> list[Row]:
    """Alarms that stood at some time of a stretch."""
    columns = ("kind", "subject", "detail", "since", "resolved_at")
    query = sa.select(*(alarms.c[name] for name in columns)).where(
        alarms.c.since <= until,
        alarms.c.resolved_at.is_(None) | (alarms.c.resolved_at > after),
    )
    return _rows(connection, query.order_by(alarms.c.since, alarms.c.id))


def clock_set(connection: sa.Connection, after: datetime, until: datetime) -> list[Row]:
    """What the daemon wrote down about a clock that was wrong, in a stretch of time."""
    columns = ("at", "kind", "subject", "detail")
    query = sa.select(*(events.c[name] for name in columns)).where(
        events.c.kind.in_(_ABOUT_CLOCKS), events.c.at > after, events.c.at <= until
    )
    return _rows(connection, query.order_by(events.c.at, events.c.id))
