"""Published probe lists, and the probes that they became for a target."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from monitor.lists import ListItem, ProbeList
from monitor.model import Cue, InvalidInput, Probe
from monitor.store import rows
from monitor.store.schema import list_items, list_probes, lists, probes, run_lists

_AT_ONCE = 500


def publish_list(connection: sa.Connection, probe_list: ProbeList, now: datetime) -> int:
    """Register a list on first use; afterwards it can only be used unchanged.

    Raises InvalidInput when the same name and version has other content in the database.
    """
    stored = connection.execute(
        sa.select(lists.c.id, lists.c.content_hash).where(
            lists.c.name == probe_list.name, lists.c.version == probe_list.version
        )
    ).one_or_none()
    if stored is not None:
        if stored.content_hash != probe_list.content_hash:
            raise InvalidInput(
                f"list {probe_list.label} was changed after it was published; undo the change, "
                f"or save it as {probe_list.next_label} and use that"
            )
        return int(stored.id)
    header = {
        "name": probe_list.name,
        "version": probe_list.version,
        "content_hash": probe_list.content_hash,
        "source_lang": probe_list.source_lang,
        "title": probe_list.title,
        "status": probe_list.status,
        "licence": probe_list.licence,
        "description": probe_list.description,
        "published_at": now,
    }
    list_id = rows.insert_new(connection, lists, header)
    if list_id is None:  # published by another process since we looked
        return publish_list(connection, probe_list, now)
    content = [
        {
            "list_id": list_id,
            "position": position,
            "key": item.key,
            "text": item.text,
            "tags": dict(item.tags),
            "source_lang": item.source_lang,
            "cue": item.cue,
        }
        for position, item in enumerate(probe_list.items)
    ]
    connection.execute(sa.insert(list_items), content)
    return list_id


def find_list_id(connection: sa.Connection, probe_list: ProbeList) -> int:
    """Return id of a list that was published before."""
    label = {"name": probe_list.name, "version": probe_list.version}
    return int(connection.execute(_PUBLISHED, label).scalar_one())


_PUBLISHED = sa.select(lists.c.id).where(
    lists.c.name == sa.bindparam("name"), lists.c.version == sa.bindparam("version")
)


def read_run_items(connection: sa.Connection, run_id: int) -> dict[str, list[ListItem]]:
    """Return {list name: all items of the version that a run used, in their order}."""
    columns = [list_items.c[name] for name in ("key", "text", "tags", "source_lang", "cue")]
    query = (
        sa.select(lists.c.name, *columns)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .join(list_items, list_items.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id)
        .order_by(lists.c.name, list_items.c.position)
    )
    items_of: dict[str, list[ListItem]] = {}
    for name, key, text, tags, source_lang, cue in connection.execute(query):
        item = ListItem(key, text, tags, source_lang, Cue(cue))
        items_of.setdefault(name, []).append(item)
    return items_of


def read_item_ids(connection: sa.Connection, list_id: int) -> dict[str, int]:
    """Return {item key: id} of a published list."""
    query = sa.select(list_items.c.key, list_items.c.id).where(list_items.c.list_id == list_id)
    return {key: int(number) for key, number in connection.execute(query)}


def ensure_probes(connection: sa.Connection, item_probes: list[tuple[int, Probe]]) -> list[int]:
    """Return ids of the probes, in order, each linked to its list item."""
    keyed = [(probe.key, item, probe) for item, probe in item_probes]
    different = {key: probe for key, _, probe in keyed}
    content = [
        {
            "key": key,
            "text": probe.text,
            "source_lang": probe.source_lang,
            "target_lang": probe.target_lang,
            "region": probe.region,
            "parameters": dict(probe.parameters),
        }
        for key, probe in different.items()
    ]
    ids = rows.ids_by_key(connection, probes, content)
    links = [{"list_item_id": item, "probe_id": ids[key]} for key, item, _ in keyed]
    rows.insert_ignore(connection, list_probes, links)
    return [ids[key] for key, _, _ in keyed]


def find_probes(connection: sa.Connection, keys: Sequence[str]) -> list[int]:
    """Return ids of those probes that are there."""
    probe_ids: list[int] = []
    for part in rows.split_values(keys, _AT_ONCE):
        query = sa.select(probes.c.id).where(probes.c.key.in_(part))
        probe_ids += connection.execute(query.order_by(probes.c.id)).scalars()
    return probe_ids


def find_list_label(connection: sa.Connection, run_id: int, name: str) -> str:
    """Return `NAME@VERSION` of a list that a run asked; empty where it did not ask it."""
    query = (
        sa.select(lists.c.name, lists.c.version)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id, lists.c.name == name)
    )
    row = connection.execute(query).one_or_none()
    return "" if row is None else f"{row.name}@{row.version}"
