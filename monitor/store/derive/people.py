"""Entities that answers show, look-ups and ratings of them, and the labels made of these.

Look-ups and ratings of people are in the restricted tables. Their rows are only added: the newest
look-up counts, and the newest rating of each rater. Only the group, and why there is none, leaves
these tables.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from monitor.labels.resolve import Resolution
from monitor.labels.settle import PEOPLE, Rating, Settled, newest_ratings, settle_label
from monitor.labels.shown_entities import ShownEntity, shown_entity
from monitor.model import Block, Item, LabelState, Share, Shown, Unit, make_storable
from monitor.store import rows
from monitor.store.derive.signals import read_answered_by_probe, read_asked_items
from monitor.store.schema import (
    attempts,
    item_entities,
    items,
    labels,
    list_items,
    list_probes,
    people_entities,
    people_ratings,
    probes,
    reference_shares,
    run_lists,
)
from monitor.store.selectables import READ_ITEMS, ListAnswers, make_item, select_read_items
from monitor.wikidata.entities import VERSION

#: Quicker to look up than to ask the enumeration a hundred thousand times.
_STATES = {state.value: state for state in LabelState}


@dataclass(frozen=True, slots=True)
class StoredRating:
    """One rating as it is stored; a larger number is newer."""

    number: int
    entity: str
    rater: str
    group: str
    at: datetime


def list_entities(connection: sa.Connection) -> list[str]:
    """Return the entities that were ever shown, by key.

    Each is found by one step in the index: millions of items show some thousands of entities.
    """
    entity = item_entities.c.entity
    walk = sa.select(sa.func.min(entity).label("entity")).cte("walk", recursive=True)
    following = (
        sa.select(sa.func.min(entity))
        .where(entity > walk.c.entity)
        .correlate(walk)
        .scalar_subquery()
    )
    walk = walk.union_all(sa.select(following).where(walk.c.entity.is_not(None)))
    entity_rows = connection.execute(sa.select(walk.c.entity).where(walk.c.entity.is_not(None)))
    return sorted(entity_rows.scalars())


def read_label_states(connection: sa.Connection) -> dict[str, LabelState]:
    """Return {entity: state of its label}; absent are those of which nobody said anything."""
    query = sa.select(labels.c.entity, labels.c.state).where(labels.c.is_current)
    return {entity: _STATES[state] for entity, state in connection.execute(query)}


def read_ratings_after(connection: sa.Connection, number: int) -> Iterator[StoredRating]:
    """Yield the ratings with a larger number, the oldest first, whether they still count or not."""
    table = people_ratings.c
    query = sa.select(table.id, table.entity, table.rater, table.grouping, table.rated_at)
    for row in connection.execute(query.where(table.id > number).order_by(table.id)):
        yield StoredRating(*row)


def find_newest_rating(connection: sa.Connection) -> int:
    """Return the number of the newest rating, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(people_ratings.c.id))).scalar() or 0)


def count_labels(connection: sa.Connection) -> list[tuple[str, str, int]]:
    """Return (state, source, entities) of the labels that are current."""
    by = labels.c.state, labels.c.source
    query = sa.select(*by, sa.func.count()).where(labels.c.is_current).group_by(*by).order_by(*by)
    return [(row[0], row[1], int(row[2])) for row in connection.execute(query)]


_Chosen = Callable[[sa.Column[Any]], sa.ColumnElement[Any]]


@dataclass(frozen=True, slots=True)
class EntityLookup:
    """The newest look-up of an entity: how the page showed it, and what was found."""

    shown: ShownEntity
    resolution: Resolution
    at: datetime
    mapping_version: int


# --- look-ups -------------------------------------------------------------------------------------


def store_resolutions(
    connection: sa.Connection,
    lookups_made: Sequence[tuple[ShownEntity, Resolution]],
    now: datetime,
    lookup_id: int | None = None,
) -> None:
    """Add the results of look-ups."""
    content = [
        rows.make_row(people_entities, resolution)
        | rows.make_row(
            people_entities,
            seen,
            grouping=resolution.group,
            item=resolution.qid,
            mapping_version=VERSION,
            lookup_id=lookup_id,
            resolved_at=now,
        )
        for seen, resolution in lookups_made
    ]
    rows.insert_rows(connection, people_entities, content)


def read_resolutions(
    connection: sa.Connection, entities: Iterable[str] | None = None
) -> dict[str, EntityLookup]:
    """Return {entity: its newest look-up}; of all entities where none are named."""
    table = people_entities.c
    resolutions: dict[str, EntityLookup] = {}
    for row in _read_one_of_each(
        connection, people_entities, (table.entity,), entities, sa.func.max
    ):
        seen = rows.make_record(row, ShownEntity)
        resolution = Resolution(
            entity=row.entity,
            state=LabelState(row.state),
            group=row.grouping,
            reason=row.reason,
            qid=row.item,
            genders=tuple(row.genders),
            candidates=tuple(row.candidates),
            method=row.method,
        )
        resolutions[row.entity] = EntityLookup(
            seen, resolution, row.resolved_at, row.mapping_version
        )
    return resolutions


def read_shown_entities(
    connection: sa.Connection, entities: Sequence[str] | None = None
) -> dict[str, tuple[ShownEntity, str]]:
    """Return {entity: how a page showed it, and its item} of everybody who was ever shown.

    Whoever nobody was asked about yet, or no service answered for, is among them without an item.
    Some entities, a few, may be named.
    """
    has_lookup = sa.select(people_entities.c.id).where(
        people_entities.c.entity == item_entities.c.entity
    )
    first = (
        sa.select(sa.func.min(item_entities.c.item_id))
        .where(~has_lookup.exists())
        .group_by(item_entities.c.entity)
    )
    if entities is not None:
        first = first.where(item_entities.c.entity.in_(entities))
    query = (
        sa.select(item_entities.c.entity.label("key"), items)
        .join(items, items.c.id == item_entities.c.item_id)
        .where(items.c.id.in_(first))
        .order_by(items.c.id)
    )
    entities_shown = {
        entity: (lookup.shown, lookup.resolution.qid)
        for entity, lookup in read_resolutions(connection, entities).items()
    }
    for row in connection.execute(query):
        whom = shown_entity(make_item(row)) or ShownEntity(row.key, "")
        entities_shown[row.key] = replace(whom, entity=row.key), ""
    return entities_shown


def read_professions(connection: sa.Connection, entities: Iterable[str]) -> dict[str, list[str]]:
    """Return {entity: the occupations that were asked about where it was shown}."""
    professions: dict[str, set[str]] = defaultdict(set)
    query = (
        sa.select(item_entities.c.entity, list_items.c.tags)
        .select_from(READ_ITEMS)
        .join(item_entities, item_entities.c.item_id == items.c.id)
        .join(list_probes, list_probes.c.probe_id == attempts.c.probe_id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
    )
    for entity, tags in rows.read_in_parts(connection, query, item_entities.c.entity, entities):
        if occupation := tags.get("occupation"):
            professions[entity].add(occupation.replace("_", " "))
    return {entity: sorted(words) for entity, words in professions.items()}


# --- ratings --------------------------------------------------------------------------------------


def store_ratings(connection: sa.Connection, ratings: Sequence[Rating]) -> None:
    """Add ratings; earlier ones of the same rater stay, and no longer count."""
    content = [
        {
            "entity": rating.entity,
            "rater": make_storable(rating.by),
            "grouping": rating.group,
            "comment": make_storable(rating.comment),
            "rated_at": rating.at,
        }
        for rating in ratings
    ]
    rows.insert_rows(connection, people_ratings, content)


def read_ratings(
    connection: sa.Connection, entities: Iterable[str] | None = None
) -> dict[str, list[Rating]]:
    """Return {entity: the newest rating of each rater}; of all entities where none are named."""
    return _read_ratings(connection, sa.func.max, entities)


def read_first_ratings(connection: sa.Connection) -> dict[str, list[Rating]]:
    """Return {entity: the first rating of each rater}, before any rating was repeated."""
    return _read_ratings(connection, sa.func.min, None)


def _read_ratings(
    connection: sa.Connection, which: _Chosen, entities: Iterable[str] | None
) -> dict[str, list[Rating]]:
    keys = (people_ratings.c.entity, people_ratings.c.rater)
    ratings = (
        Rating(row.entity, row.grouping, row.rater, row.rated_at, row.comment)
        for row in _read_one_of_each(connection, people_ratings, keys, entities, which)
    )
    return rows.group_rows(ratings, attrgetter("entity"))


def _read_one_of_each(
    connection: sa.Connection,
    table: sa.Table,
    keys: Sequence[sa.Column[Any]],
    entities: Iterable[str] | None,
    which: _Chosen,
) -> Iterator[Any]:
    """Yield the row with the least or greatest id for each value of `keys`."""
    numbers = sa.select(which(table.c.id)).group_by(*keys)
    query = sa.select(table).order_by(table.c.id)
    if entities is None:
        yield from connection.execute(query.where(table.c.id.in_(numbers)))
        return
    for part in rows.split_values(list(dict.fromkeys(entities))):
        chosen = numbers.where(table.c.entity.in_(part))
        yield from connection.execute(query.where(table.c.id.in_(chosen)))


# --- entities that answers show ------------------------------------------------------------------


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
    entities_of: dict[int, list[Shown]] = defaultdict(list)
    for row in connection.execute(query):
        state = _STATES.get(row.state, LabelState.UNRESOLVED)
        group = row.grouping if state is LabelState.LABELLED else ""
        entities_of[row.reading_id].append(Shown(row.entity or "", state, group))
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
    return [(int(row.id), make_item(row), row.tags) for row in connection.execute(query)]


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


# --- labels ---------------------------------------------------------------------------------------


def settle_labels(
    connection: sa.Connection, entities: Iterable[str] | None = None
) -> dict[str, Settled]:
    """Return {entity: its label as it is now}; absent are those of which nobody said anything."""
    entity_list = None if entities is None else list(entities)
    resolutions = read_resolutions(connection, entity_list)
    ratings = read_ratings(connection, entity_list)
    labels_of: dict[str, Settled] = {}
    for entity in dict.fromkeys([*resolutions, *ratings]):
        looked_up = resolutions[entity].resolution if entity in resolutions else None
        label = settle_label(looked_up, ratings.get(entity, ()))
        if label is not None:
            labels_of[entity] = label
    return labels_of


def publish_labels(connection: sa.Connection, entities: Iterable[str], now: datetime) -> int:
    """Bring `labels` up to date for these entities; returns how many got another label."""
    # two who rate the same person at once would each miss what the other says
    rows.lock_table(connection, labels)
    entity_list = list(dict.fromkeys(entities))
    resolutions = read_resolutions(connection, entity_list)
    ratings = read_ratings(connection, entity_list)
    names = ("entity", "state", "grouping", "source", "reason", "mapping_version")
    query = sa.select(*(labels.c[name] for name in names)).where(labels.c.is_current)
    current = rows.read_in_parts(connection, query, labels.c.entity, entity_list)
    before = {row.entity: dict(row._mapping) for row in current}  # noqa: SLF001 - a public name
    content = []
    for entity in entity_list:
        looked_up = resolutions.get(entity)
        rated = ratings.get(entity, [])
        if not rated and before.get(entity, {}).get("source") == PEOPLE:
            continue  # what people said stands, though a copy of the database came without it
        label = settle_label(looked_up.resolution if looked_up else None, rated)
        if label is None:
            continue
        version = looked_up.mapping_version if looked_up else VERSION
        row = {
            "entity": entity,
            "state": str(label.state),
            "grouping": label.group,
            "source": label.source,
            "reason": make_storable(label.public_reason),
            "mapping_version": version,
        }
        if row != before.get(entity):
            as_of = looked_up.at if looked_up else now
            if rated:
                as_of = max(rating.at for rating in newest_ratings(rated).values())
            content.append({**row, "as_of": as_of, "labelled_at": now, "is_current": True})
    replaced = sa.update(labels).where(labels.c.is_current).values(is_current=False)
    rows.change_in_parts(connection, replaced, labels.c.entity, [row["entity"] for row in content])
    rows.insert_rows(connection, labels, content)
    return len(content)


# --- reference shares -----------------------------------------------------------------------------


def store_shares(
    connection: sa.Connection,
    reference: str,
    as_of: str,
    targets: Mapping[str, Sequence[Share]],
    lookup_id: int | None = None,
) -> None:
    """Keep the shares of a source at a date, so that SQL can explain a point.

    `lookup_id` is the answer that they were read in, where somebody was asked.
    """
    content = [
        {
            "reference": reference,
            "as_of": as_of,
            "topic": topic,
            "grouping": share.group,
            "share": share.value,
            "n": share.n,
            "source": share.source,
            "country": share.country,
            "source_as_of": share.as_of,
            "source_word": share.word,
            "lookup_id": lookup_id,
        }
        for topic, shares in sorted(targets.items())
        for share in shares
    ]
    rows.insert_ignore(connection, reference_shares, content)


def find_newest_date(connection: sa.Connection, reference: str) -> str:
    """Return the date of the newest snapshot of a source; empty where there is none."""
    dates = sa.select(sa.func.max(reference_shares.c.as_of))
    return connection.execute(dates.where(reference_shares.c.reference == reference)).scalar() or ""


def read_shares(
    connection: sa.Connection, reference: str, as_of: str, topics: Iterable[str]
) -> dict[str, tuple[Share, ...]]:
    """Return the shares of a snapshot for the `topics` that it has, the largest group first."""
    query = (
        sa.select(reference_shares)
        .where(reference_shares.c.reference == reference, reference_shares.c.as_of == as_of)
        .order_by(reference_shares.c.topic, reference_shares.c.id)
    )
    names = "topic share source country source_as_of n source_word grouping".split()
    query = query.with_only_columns(*(reference_shares.c[name] for name in names))
    topic_names = set(topics)
    stored = (Share(*row) for row in connection.execute(query) if row.topic in topic_names)
    shares_of = rows.group_rows(stored, attrgetter("key"))
    return {topic: tuple(shares) for topic, shares in shares_of.items()}
