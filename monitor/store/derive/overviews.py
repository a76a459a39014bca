"""Texts by a model that pages of results showed: their states and the pages that they cite."""

from collections.abc import Sequence

import sqlalchemy as sa

from monitor.model import Block, Item, Overview, OverviewState, Source, Unit, make_storable
from monitor.store.derive.shown_entities import read_answered_by_probe
from monitor.store.derive.signals import read_asked_items
from monitor.store.schema import attempts, item_overviews, items, readings


def store_overviews(connection: sa.Connection, overviews: Sequence[tuple[int, Item]]) -> None:
    """Store state and sources of overviews that were just stored, by their item ids."""
    content = [
        {"item_id": item_id, "state": item.state, "sources": list_sources(item)}
        for item_id, item in overviews
    ]
    connection.execute(sa.insert(item_overviews), content)


def list_sources(item: Item) -> list[list[str]]:
    """Return the cited pages as they are stored: [title, address, domain]."""
    return [
        [make_storable(text) for text in (source.title, source.url, source.domain)]
        for source in item.sources
    ]


def read_units(
    connection: sa.Connection,
    run_id: int,
    engine_id: int,
    list_id: int,
    pair: tuple[str, str],
    parser_id: int,
) -> list[Unit]:
    """Return what each probe had for an overview, one entry per repeat.

    An answer without an overview has one without a state; a missing answer is None.
    """
    answered = read_answered_by_probe(connection, run_id, engine_id, parser_id)
    overviews = _read_overviews(connection, run_id, engine_id, parser_id)
    units = []
    for item in read_asked_items(connection, list_id, pair):
        if item.probe in answered:
            repeats = [reading for _, reading in sorted(answered[item.probe].items())]
            shown = tuple(
                None if reading is None else overviews.get(reading, Overview(None))
                for reading in repeats
            )
            units.append(Unit(item.key, item.tags, (None,) * len(repeats), overviews=shown))
    return units


def _read_overviews(
    connection: sa.Connection, run_id: int, engine_id: int, parser_id: int
) -> dict[int, Overview]:
    """Return {reading: its first overview}; one that was stored without a state was shown."""
    query = (
        sa.select(items.c.reading_id, item_overviews.c.state, item_overviews.c.sources)
        .join(readings, readings.c.id == items.c.reading_id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .outerjoin(item_overviews, item_overviews.c.item_id == items.c.id)
        .where(
            attempts.c.run_id == run_id,
            attempts.c.engine_id == engine_id,
            readings.c.parser_id == parser_id,
            items.c.block == Block.AI_OVERVIEW,
        )
        .order_by(items.c.reading_id, items.c.rank)
    )
    overviews: dict[int, Overview] = {}
    for row in connection.execute(query):
        state = OverviewState(row.state or OverviewState.SHOWN)
        sources = tuple(Source(*source) for source in row.sources or ())
        overviews.setdefault(row.reading_id, Overview(state, sources))
    return overviews
