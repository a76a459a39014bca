"""Which versions of our own parts the numbers of the archive were made with, by their names."""

from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from monitor.store.hidden import Hidden
from monitor.store.schema import points, signatures

#: Part of a signature that names something: the part that has its version.
_VERSIONS = {
    "measure": "measure_version",
    "language": "language_version",
    "parser": "parser_version",
    "reference": "reference_version",
}


def parts_used(connection: sa.Connection, hidden: Hidden) -> list[dict[str, Any]]:
    """The parts of every signature that the archive has, in the order in which they came up.

    Where something is hidden, of what else there is.
    """
    query = sa.select(signatures.c.parts).order_by(signatures.c.id)
    if hidden.series:
        shown = sa.select(points.c.signature_id).where(hidden.series_shown(points.c.series_id))
        query = query.where(signatures.c.id.in_(shown.distinct()))
    return [dict(found) for found in connection.execute(query).scalars()]


def versions(some: Iterable[Mapping[str, Any]], part: str) -> dict[str, list[int]]:
    """{what a part of signatures names: the versions of it that were used, in order}."""
    found: dict[str, set[int]] = {}
    for one in some:
        if one.get(part):
            found.setdefault(str(one[part]), set()).add(int(one.get(_VERSIONS[part]) or 0))
    return {name: sorted(numbers) for name, numbers in sorted(found.items())}
