"""The entities that a block of each answer shows, in order, with recorded groups."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from monitor.model import Block, Item, LabelState, Outcome, OverviewState, Reason, Shown, Unit
from monitor.store import rows
from monitor.store.derive.signals import read_asked_items
from monitor.store.schema import (
    attempts,
    item_entities,
    item_overviews,
    items,
    labels,
    list_items,
    list_probes,
    probes,
    readings,
    run_lists,
)
from monitor.store.selectables import IS_LAST_TRY, READ_ITEMS, ListAnswers, select_read_items


def read_units(connection: sa.Connection, of: ListAnswers, block: str) -> list[Unit]:
    """Return what an engine showed for each probe, one list per repeat.

    An answer without the block is an empty list; one that is missing, blocked, unreadable or
    suspect is None, and so is one whose overview was still loading, for the people named in it.
    """
    of_overview = block == Block.OVERVIEW_PEOPLE
    answered = read_answered_by_probe(connection, of, of_overview)
    entities_of = _read_entities(connection, of, block)
    return [
        Unit(
            item.key,
            item.tags,
            (None,) * len(answered[item.probe]),
            lists=tuple(
                tuple(entities_of.get(reading, ())) if reading else None
                for reading in answered[item.probe]
            ),
        )
        for item in read_asked_items(connection, of.list_id, of.pair)
        if item.probe in answered
    ]


def read_answered_by_probe(
    connection: sa.Connection, of: ListAnswers, of_overview: bool = False
) -> dict[int, list[int | None]]:
    """Return by probe the reading of each repeat, None where there is no answer.

    `of_overview`: nor is an answer one whose overview was still loading.
    """
    usable = [readings.c.outcome.in_((Outcome.OK, Outcome.EMPTY))]
    if of_overview:
        loading = (
            sa.select(items.c.reading_id)
            .join(item_overviews, item_overviews.c.item_id == items.c.id)
            .where(item_overviews.c.state == OverviewState.LOADING)
        )
        usable.append(readings.c.id.not_in(loading))
    query = (
        sa.select(attempts.c.probe_id, attempts.c.repeat, readings.c.id)
        .select_from(attempts)
        .outerjoin(
            readings,
            sa.and_(
                readings.c.attempt_id == attempts.c.id,
                readings.c.parser_id == of.parser_id,
                readings.c.reason != Reason.SUSPECT_EMPTY,
                *usable,
            ),
        )
        .where(of.is_attempt, IS_LAST_TRY)
        .order_by(attempts.c.probe_id, attempts.c.repeat, attempts.c.n)
    )
    answered: dict[int, dict[int, int | None]] = {}
    for row in connection.execute(query):
        answered.setdefault(row.probe_id, {})[row.repeat] = row.id
    return {probe: list(by_repeat.values()) for probe, by_repeat in answered.items()}


def _read_entities(
    connection: sa.Connection, of: ListAnswers, block: str
) -> dict[int, list[Shown]]:
    """Return {reading: the entities of a block in order}."""
    columns = items.c.reading_id, item_entities.c.entity, labels.c.state, labels.c.grouping
    query = (
        select_read_items(columns, of, block)
        .outerjoin(item_entities, item_entities.c.item_id == items.c.id)
        .outerjoin(labels, (labels.c.entity == item_entities.c.entity) & labels.c.is_current)
    )
    entities_of: dict[int, list[Shown]] = {}
    for row in connection.execute(query):
        state = LabelState(row.state) if row.state else LabelState.UNRESOLVED
        group = row.grouping if state is LabelState.LABELLED else ""
        entities_of.setdefault(row.reading_id, []).append(Shown(row.entity or "", state, group))
    return entities_of


def read_items(
    connection: sa.Connection, run_id: int, blocks: Sequence[str]
) -> list[tuple[int, Item, Mapping[str, str]]]:
    """Return (item id, item, tags of its list item) of all items in some blocks of a run."""
    query = (
        sa.select(items, list_items.c.tags)
        .select_from(READ_ITEMS)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .join(list_probes, list_probes.c.probe_id == probes.c.id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .join(
            run_lists,
            (run_lists.c.run_id == attempts.c.run_id)
            & (run_lists.c.list_id == list_items.c.list_id),
        )
        .where(attempts.c.run_id == run_id, items.c.block.in_(blocks))
        .order_by(items.c.id)
    )
    return [
        (int(row.id), Item(row.rank, row.text, row.block, row.url, row.title, row.entity), row.tags)
        for row in connection.execute(query)
    ]


def find_unknown(connection: sa.Connection, run_id: int) -> tuple[int, int]:
    """Return (entities of a run without any look-up or rating, all that it shows)."""
    entity = item_entities.c.entity
    query = (
        sa.select(
            sa.func.count(sa.distinct(sa.case((labels.c.id.is_(None), entity)))),
            sa.func.count(sa.distinct(entity)),
        )
        .select_from(READ_ITEMS)
        .join(item_entities, item_entities.c.item_id == items.c.id)
        .outerjoin(labels, (labels.c.entity == entity) & labels.c.is_current)
        .where(attempts.c.run_id == run_id)
    )
    missing, everybody = connection.execute(query).one()
    return int(missing), int(everybody)


def store_entities(connection: sa.Connection, shown_entities: Sequence[tuple[int, str]]) -> None:
    """Keep which entity each (item id, entity) shows."""
    content = [{"item_id": item_id, "entity": entity} for item_id, entity in shown_entities]
    rows.insert_ignore(connection, item_entities, content)
