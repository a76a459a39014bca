"""Findings in force by what they are about."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.store.changes import Listed, named
from monitor.store.hidden import Hidden
from monitor.store.schema import changes, engines, runs, series_keys


class Wanted(NamedTuple):
    """Which findings; empty fits anything. Of engines and measures a label or its beginning.

    `at` is their tick; or it is after one time, and until another.
    """

    job: str = ""
    status: str = ""
    cause: str = ""
    engine: str = ""
    measure: str = ""
    target: str = ""
    scope: str = ""
    at: datetime | None = None
    after: datetime | None = None
    until: datetime | None = None


def findings(connection: sa.Connection, hidden: Hidden, wanted: Wanted) -> list[Listed]:
    """Return the findings in force that fit, the newest first."""
    query = named(Listed.__slots__).where(*_conditions(hidden, wanted))
    query = query.order_by(changes.c.detected_at.desc(), changes.c.id)
    return [Listed(*row) for row in connection.execute(query)]


def n_of(connection: sa.Connection, hidden: Hidden, wanted: Wanted) -> int:
    """How many findings there are."""
    each = named(("change_id",)).where(*_conditions(hidden, wanted)).subquery()
    return int(connection.execute(sa.select(sa.func.count()).select_from(each)).scalar_one())


def _conditions(hidden: Hidden, wanted: Wanted) -> Iterator[sa.ColumnElement[bool]]:
    yield hidden.series_shown(changes.c.series_id)
    if wanted.at is not None:
        yield changes.c.detected_at == wanted.at
    if wanted.after is not None:
        yield changes.c.detected_at > wanted.after
    if wanted.until is not None:
        yield changes.c.detected_at <= wanted.until
    for column, value in (
        (runs.c.job, wanted.job), (changes.c.status, wanted.status),
        (changes.c.cause, wanted.cause), (series_keys.c.target, wanted.target),
        (series_keys.c.scope, wanted.scope),
    ):  # fmt: skip
        if value:
            yield column == value
    for column, value in ((engines.c.name, wanted.engine), (series_keys.c.measure, wanted.measure)):
        if value:
            yield sa.func.substr(column, 1, len(value)) == value


def choices(connection: sa.Connection, hidden: Hidden, columns: Sequence[str]) -> list[sa.Row[Any]]:
    """What findings have in these columns, each combination once."""
    query = named(columns).where(hidden.series_shown(changes.c.series_id)).distinct()
    return list(connection.execute(query).all())
