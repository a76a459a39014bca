"""What came of an attempt in short: its outcome, the first entry read, and how it was heard."""

from typing import Any

import sqlalchemy as sa

from monitor.store.schema import agreements, attempts, exchanges, items, readings


def _newest() -> sa.ScalarSelect[Any]:
    return (
        sa.select(sa.func.max(readings.c.parser_id))
        .where(readings.c.attempt_id == attempts.c.id)
        .correlate(attempts)
        .scalar_subquery()
    )


def _first() -> sa.ScalarSelect[Any]:
    """The first entry of a reading; a page of results has many."""
    return (
        sa.select(sa.func.min(items.c.id))
        .where(items.c.reading_id == readings.c.id)
        .correlate(readings)
        .scalar_subquery()
    )


def _gender() -> sa.ScalarSelect[Any]:
    return (
        sa.select(agreements.c["class"])
        .where(agreements.c.item_id == items.c.id)
        .order_by(agreements.c.language_id.desc(), agreements.c.id)
        .limit(1)
        .correlate(items)
        .scalar_subquery()
    )


def outcome() -> sa.ColumnElement[Any]:
    """How it ended, by its newest reading, or as it came, or `not asked`."""
    return sa.func.coalesce(readings.c.outcome, exchanges.c.outcome, "not asked")


#: Outcome, its reason, text of the first entry, and the class that the newest rules gave it.
COLUMNS = (
    outcome(),
    sa.func.coalesce(readings.c.reason, exchanges.c.reason, ""),
    sa.func.coalesce(items.c.text, ""),
    sa.func.coalesce(_gender(), ""),
)


def joined(query: sa.Select[Any]) -> sa.Select[Any]:
    """A query of attempts with what `COLUMNS` needs."""
    return (
        query.outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(
            readings,
            (readings.c.attempt_id == attempts.c.id) & (readings.c.parser_id == _newest()),
        )
        .outerjoin(items, (items.c.reading_id == readings.c.id) & (items.c.id == _first()))
    )
