"""What was asked so far, by the label of its engine."""

import sqlalchemy as sa

from monitor.model import Kind
from monitor.store.schema import engines


def kinds(connection: sa.Connection) -> dict[str, Kind]:
    """{label of an engine: what sort of system it is}."""
    query = sa.select(engines.c.name, engines.c.kind).distinct()
    return {name: Kind(kind) for name, kind in connection.execute(query)}
