"""What came of an attempt in short: its outcome, the first entry read, and how it was heard."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from monitor.store.schema import agreements, attempts, exchanges, items, readings
from monitor.store.selectables import (
    NOT_ASKED,
    is_newest_reading,
    newest_reading,
    outcome_of,
    reason_of,
)

#: What is asked for where a reason would stand, for what has none.
NO_REASON = "none"


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


#: Outcome (by its newest reading, or as it came), its reason, text of the first entry, and the
#: class that the newest rules gave it.
COLUMNS = (
    outcome_of(),
    reason_of(),
    sa.func.coalesce(items.c.text, ""),
    sa.func.coalesce(_gender(), ""),
)


def joined(query: sa.Select[Any]) -> sa.Select[Any]:
    """A query of attempts with what `COLUMNS` needs."""
    return (
        query.outerjoin(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(readings, newest_reading())
        .outerjoin(items, (items.c.reading_id == readings.c.id) & (items.c.id == _first()))
    )


Narrowed = Callable[[sa.Select[Any]], sa.Select[Any]]


def ended(outcome: str, reason: str, numbers: tuple[int, int]) -> Sequence[Narrowed]:
    """How a query of attempts is narrowed to those that ended so; together these find all.

    By the newest reading, or as it came where nothing has read it. One of them for each, since
    databases find neither by an index where both are asked for at once. Empty: however it ended.
    The attempts have no numbers but from the first to the last of `numbers`.
    """
    if not outcome and not reason:
        return (lambda query: query,)
    if outcome == NOT_ASKED:
        return (_waits,) if reason in ("", NO_REASON) else ()
    later = readings.alias("later")
    is_read = sa.exists().where(later.c.attempt_id == attempts.c.id)
    # written out, for the database to see how many there can be
    first, last = (sa.literal(number, literal_execute=True) for number in numbers)
    near = readings.c.attempt_id.between(first, last)

    def as_read(query: sa.Select[Any]) -> sa.Select[Any]:
        query = query.join(readings, readings.c.attempt_id == attempts.c.id)
        return query.where(*_so(readings, outcome, reason), near, is_newest_reading())

    def as_came(query: sa.Select[Any]) -> sa.Select[Any]:
        query = query.join(exchanges, exchanges.c.id == attempts.c.exchange_id)
        # an exchange is of the run of its attempts, whose exchanges an index finds
        of_run = exchanges.c.run_id == attempts.c.run_id
        return query.where(*_so(exchanges, outcome, reason), of_run, ~is_read)

    return (as_read, as_came) if outcome or reason != NO_REASON else (as_read, as_came, _waits)


def _waits(query: sa.Select[Any]) -> sa.Select[Any]:
    return query.where(attempts.c.exchange_id.is_(None))


def _so(table: sa.Table, outcome: str, reason: str) -> Iterator[sa.ColumnElement[bool]]:
    if outcome:
        yield table.c.outcome == outcome
    if reason:
        yield table.c.reason == ("" if reason == NO_REASON else reason)
