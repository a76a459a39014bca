"""Embargoes as they are kept: what is not public yet, who said so, and until when.

What follows from them is said by `hidden`.
"""

from dataclasses import dataclass, fields
from datetime import datetime

import sqlalchemy as sa

from monitor.store.schema import embargoes

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

    @property
    def about(self) -> dict[str, str]:
        """What it names."""
        return {name: value for name in ABOUT if (value := getattr(self, name))}

    def stands(self, now: datetime) -> bool:
        """Whether it is in force."""
        return self.lifted_at is None and (self.until is None or self.until > now)


def add(
    connection: sa.Connection,
    about: dict[str, str],
    *,
    reason: str,
    by: str,
    until: datetime | None,
    now: datetime,
) -> int:
    """A new embargo's number. What it is about need not be there yet."""
    row = {name: about.get(name, "") for name in ABOUT} | {"reason": reason, "by": by}
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
