"""What a week took of others, and what it did not bring: requests, bytes, ends of questions."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa

from monitor.model import Outcome
from monitor.store.schema import (
    agents,
    alarms,
    attempts,
    bodies,
    engines,
    events,
    exchanges,
    lookups,
    readings,
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
    """What became of the questions of some runs, by engine: as the newest parser reads answers.

    A question is an attempt that is final, or that was never asked.
    """
    questions: Counter[tuple[int, str, str]] = Counter()
    for run_id in run_ids:  # of all at once, hundreds of thousands would be sorted by words
        first, last = connection.execute(_between(), {"run": run_id}).one()
        values = {"run": run_id, "first": first, "last": last}
        for engine_id, outcome, reason, count in connection.execute(_ended(), values):
            questions[engine_id, outcome, reason] += count
    columns = (engines.c.id, engines.c.name, engines.c.kind)
    here = engines.c.id.in_({engine_id for engine_id, *_ in questions})
    known = {row["id"]: row for row in _rows(connection, sa.select(*columns).where(here))}
    found = [
        known[engine_id] | {"outcome": outcome, "reason": reason, "questions": count}
        for (engine_id, outcome, reason), count in questions.items()
    ]
    return sorted(found, key=lambda row: (row["name"], row["id"], row["outcome"], row["reason"]))


def _between() -> sa.Select[Any]:
    """The first and last attempt of a run."""
    return sa.select(sa.func.min(attempts.c.id), sa.func.max(attempts.c.id)).where(
        attempts.c.run_id == sa.bindparam("run")
    )


@cache
def _ended() -> sa.Select[Any]:
    """Questions of one run, whose attempts are `first` to `last`, by engine, outcome and reason.

    Exchanges and readings are read from end to end as well: one by one takes twice as long.
    """
    read = readings.c
    newest = sa.func.max(read.parser_id).over(partition_by=read.attempt_id).label("newest")
    every = (
        sa.select(read.attempt_id, read.parser_id, read.outcome, read.reason, newest)
        .where(read.attempt_id.between(sa.bindparam("first"), sa.bindparam("last")))
        .subquery()
    )
    ended = (
        sa.select(
            attempts.c.engine_id,
            sa.func.coalesce(every.c.outcome, exchanges.c.outcome, "not asked").label("outcome"),
            sa.func.coalesce(every.c.reason, exchanges.c.reason, "").label("reason"),
        )
        .select_from(attempts)
        .outerjoin(
            exchanges,
            (exchanges.c.id == attempts.c.exchange_id) & (exchanges.c.run_id == attempts.c.run_id),
        )
        .outerjoin(
            every, (every.c.attempt_id == attempts.c.id) & (every.c.parser_id == every.c.newest)
        )
        .where(
            attempts.c.run_id == sa.bindparam("run"),
            attempts.c.final | attempts.c.exchange_id.is_(None),
        )
        .subquery()
    )
    return sa.select(ended, sa.func.count()).group_by(*ended.c)


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
