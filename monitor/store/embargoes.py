"""Series that the public does not see yet, and whose evidence it does not see either."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.model import InvalidInput
from monitor.store.schema import embargoes, engines, series_keys
from monitor.store.series import asked_by

#: What an embargo is about; empty fits anything.
ABOUT = ("job", "engine", "target", "measure", "quantity")


@dataclass(frozen=True, slots=True)
class Embargo:
    """What is not public, why, who said so, and until when (None: until it is lifted)."""

    id: int
    job: str
    engine: str
    target: str
    measure: str
    quantity: str
    reason: str
    by: str
    added_at: datetime
    until: datetime | None
    lifted_at: datetime | None

    def stands(self, now: datetime) -> bool:
        """Whether it is in force."""
        return self.lifted_at is None and (self.until is None or self.until > now)


@dataclass(frozen=True, slots=True)
class Hidden:
    """What the public does not see: series, and (engine, target) whose answers it does not see."""

    series: frozenset[int] = frozenset()
    evidence: frozenset[tuple[int, str]] = frozenset()


NOTHING = Hidden()


def add(
    connection: sa.Connection,
    about: dict[str, str],
    *,
    reason: str,
    by: str,
    until: datetime | None,
    now: datetime,
) -> int:
    """A new embargo's number. Raises InvalidInput where it fits no series: a name may be wrong."""
    row = {name: about.get(name, "") for name in ABOUT}
    if not connection.execute(_series(row).limit(1)).first():
        raise InvalidInput(f"no series is about {row}; see `monitor series list`")
    row |= {"reason": reason, "by": by}
    statement = sa.insert(embargoes).values(**row, until=until, added_at=now)
    return int(connection.execute(statement.returning(embargoes.c.id)).scalar_one())


def lift(connection: sa.Connection, number: int, now: datetime) -> bool:
    """Lift an embargo; False where there is none of this number that stands."""
    mine = embargoes.c.id == number, embargoes.c.lifted_at.is_(None)
    return bool(
        connection.execute(sa.update(embargoes).where(*mine).values(lifted_at=now)).rowcount
    )


def everything(connection: sa.Connection) -> list[Embargo]:
    """All embargoes, the newest first; those too that stand no more."""
    query = sa.select(*(embargoes.c[one.name] for one in fields(Embargo)))
    return [Embargo(*row) for row in connection.execute(query.order_by(embargoes.c.id.desc()))]


def hidden(connection: sa.Connection, now: datetime) -> Hidden:
    """What the public does not see at a time.

    Answers are hidden by engine and target: they would give any number of it away.
    """
    found = [
        row
        for one in everything(connection)
        if one.stands(now)
        for row in connection.execute(_series({name: getattr(one, name) for name in ABOUT}))
    ]
    return Hidden(
        frozenset(row.id for row in found), frozenset((row.engine_id, row.target) for row in found)
    )


def _series(about: dict[str, str]) -> sa.Select[Any]:
    columns = {
        "job": series_keys.c.job, "engine": engines.c.name, "target": series_keys.c.target,
        "measure": series_keys.c.measure, "quantity": series_keys.c.quantity,
    }  # fmt: skip
    wanted = [_fits(name, columns[name], value) for name, value in about.items() if value]
    return (
        sa.select(series_keys.c.id, series_keys.c.engine_id, series_keys.c.target)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .where(*wanted)
    )


def _fits(name: str, column: sa.ColumnElement[str], value: str) -> sa.ColumnElement[bool]:
    """Whether a column is what was named; rather too much than too little is hidden.

    An engine is named with whatever configuration, a measure with any parameters, a job with the
    series that another one has begun.
    """
    if name == "job":
        return (column == value) | asked_by(value)
    if name in ("engine", "measure"):
        beginning = sa.func.substr(column, 1, len(value) + 1)
        return (column == value) | beginning.in_([value + mark for mark in "(:@"])
    return column == value
