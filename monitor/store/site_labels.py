"""What the pages for labels read: everybody who was ever shown, their states, what raters said."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from monitor.model import LabelState
from monitor.store.schema import item_entities, labels, people_ratings

#: Quicker to look up than to ask the enumeration a hundred thousand times.
_STATES = {state.value: state for state in LabelState}


@dataclass(frozen=True, slots=True)
class Said:
    """One rating as it is stored; a larger number is newer."""

    number: int
    entity: str
    rater: str
    group: str
    at: datetime


def everybody(connection: sa.Connection) -> list[str]:
    """The entities that were ever shown, by key.

    Each is found by one step in the index: millions of items show some thousands of entities.
    """
    shown = item_entities.c.entity
    walk = sa.select(sa.func.min(shown).label("entity")).cte("walk", recursive=True)
    following = (
        sa.select(sa.func.min(shown)).where(shown > walk.c.entity).correlate(walk).scalar_subquery()
    )
    walk = walk.union_all(sa.select(following).where(walk.c.entity.is_not(None)))
    found = connection.execute(sa.select(walk.c.entity).where(walk.c.entity.is_not(None)))
    return sorted(found.scalars())


def states(connection: sa.Connection) -> dict[str, LabelState]:
    """{entity: state of its label}; absent are those of which nobody said anything."""
    query = sa.select(labels.c.entity, labels.c.state).where(labels.c.is_current)
    return {entity: _STATES[state] for entity, state in connection.execute(query)}


def said_after(connection: sa.Connection, number: int) -> Iterator[Said]:
    """The ratings with a larger number, the oldest first, whether they still count or not."""
    table = people_ratings.c
    query = sa.select(table.id, table.entity, table.rater, table.grouping, table.rated_at)
    for row in connection.execute(query.where(table.id > number).order_by(table.id)):
        yield Said(*row)


def newest_rating(connection: sa.Connection) -> int:
    """The number of the newest rating, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(people_ratings.c.id))).scalar() or 0)


def counts(connection: sa.Connection) -> list[tuple[str, str, int]]:
    """(state, source, entities) of the labels that are current."""
    by = labels.c.state, labels.c.source
    query = sa.select(*by, sa.func.count()).where(labels.c.is_current).group_by(*by).order_by(*by)
    return [(row[0], row[1], int(row[2])) for row in connection.execute(query)]
