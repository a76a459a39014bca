"""What is known about a run beside its answers, as numbers that grow when more is known."""

import sqlalchemy as sa

from monitor.store.schema import (
    attempts,
    documents,
    egresses,
    item_entities,
    items,
    labels,
    readings,
)


def newest(connection: sa.Connection, run_id: int, collection: str) -> list[int]:
    """Ids of the newest label, erasure, document and egress that values of a run depend on.

    0 where there is none. `collection` holds the pages that the results of the run lead to.
    """
    shown = (
        items.join(readings, readings.c.id == items.c.reading_id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .outerjoin(item_entities, item_entities.c.item_id == items.c.id)
        .outerjoin(labels, (labels.c.entity == item_entities.c.entity) & labels.c.is_current)
    )
    of_items = (
        sa.select(
            sa.func.max(labels.c.id),
            sa.func.max(items.c.erasure_id),
            sa.func.count(item_entities.c.item_id),
        )
        .select_from(shown)
        .where(attempts.c.run_id == run_id)
    )
    of_pages = sa.select(sa.func.max(documents.c.id)).where(documents.c.collection == collection)
    left = sa.select(sa.func.max(egresses.c.id)).where(egresses.c.run_id == run_id)
    found = [*connection.execute(of_items).one()]
    found += [connection.execute(query).scalar() for query in (of_pages, left)]
    return [int(number or 0) for number in found]
