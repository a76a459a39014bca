"""Finds all that is kept of a person or an address, and takes it away.

In go what somebody wants erased; out come rows without names, addresses and texts, tombstones in
the place of answers and pictures, and keyed hashes by which the subject is known again. Digests,
counts, classes and points stay: nothing else that is kept stops being what it was.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.labels.shown_entities import seen
from monitor.model import Block, InvalidInput, Item
from monitor.store import bodies, people, retention, rows
from monitor.store.bodies import Because
from monitor.store.database import Database
from monitor.store.erasable import Found
from monitor.store.schema import (
    agreements,
    documents,
    erasures,
    exchanges,
    item_entities,
    items,
    judgements,
    labels,
    lookups,
    metadata,
    people_entities,
    people_lookups,
    people_ratings,
    readings,
)
from monitor.store.subjects import (
    Subject,
    by_hash,
    folded,
    is_address,
    key_of_name,
    keyed,
    normal,
)

_AT_ONCE = 500
_ERASED = {"erased": True}
#: What is hashed to know whether a key is the one that earlier erasures were made with.
_KEY_MARK = "monitor"


# --- who is meant ---------------------------------------------------------------------------------


def subject_of(connection: sa.Connection, what: str, profession: str = "") -> Subject:
    """Whom or what is meant: an address, the key of an entity, or a name.

    Raises InvalidInput for what names nobody, and for a name that several known people have.
    """
    what = what.strip()
    if is_address(what):
        return _address(what)
    given = _key(what)
    known = people.shown_of(connection)
    if given:
        chosen = {given}
    else:
        if not key_of_name(what):
            raise InvalidInput(f"{what!r} is no name, key of an entity or address")
        chosen = {key for key, (whom, _) in known.items() if folded(whom.name) == folded(what)}
        chosen |= {key for key in known if key.partition("|")[0] == key_of_name(what)}
        if profession:
            asked = people.professions(connection, chosen)
            chosen = {key for key in chosen if profession in asked.get(key, ())}
    people_of = {known[key][1] for key in chosen if key in known and known[key][1]}
    people_of |= {key.removeprefix("wd:") for key in chosen if key.startswith("wd:")}
    if len(people_of) > 1:
        raise InvalidInput(
            f"{what!r} fits {len(people_of)} people: {', '.join(sorted(people_of))}; name one of "
            "them by its item"
        )
    chosen |= {key for key, (_, item) in known.items() if item in people_of}
    chosen |= {f"wd:{item}" for item in people_of}
    names = {known[key][0].name for key in chosen if key in known}
    names |= _names(connection, chosen) | (set() if given else {what})
    return Subject(
        "person",
        frozenset(chosen),
        tuple(sorted(name for name in names if name)),
        profession=profession,
    )


def _names(connection: sa.Connection, entities: set[str]) -> set[str]:
    """How pages called the people with these keys."""
    keys = sorted(entities)
    written = Subject("person", frozenset(entities)).written_keys
    query = (
        sa.select(items)
        .outerjoin(item_entities, item_entities.c.item_id == items.c.id)
        .where(item_entities.c.entity.in_(keys) | items.c.entity.in_(written))
    )
    found = set()
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        whom = seen(Item(row.rank, "", row.block, row.url, row.title, row.entity))
        found |= {whom.name} if whom else set()
    return found


def _address(what: str) -> Subject:
    """An address, or all that begin like `https://example.com/people/*`."""
    begins = what.endswith("/*")
    known = normal(what.removesuffix("*"))
    if not known or "*" in known:
        raise InvalidInput(f"{what!r} is no address; a * stands at the end, behind a slash")
    whom = seen(Item(1, "", Block.ORGANIC, what, "", ""))
    article = frozenset({whom.entity} if whom and not begins else ())
    return Subject("url", article, addresses=(f"{known}/*" if begins else known,))


def _key(what: str) -> str:
    """The key of an entity as it stands in the tables; empty for a name."""
    if what.startswith(("wiki:", "name:")):
        return what
    whom = seen(Item(1, "", Block.CAROUSEL, "", "", what))
    return whom.entity if whom else ""


# --- what goes ------------------------------------------------------------------------------------


def apply(
    connection: sa.Connection,
    database: Database,
    subject: Subject,
    found: Found,
    erasure_id: int,
    key: str,
    now: datetime,
) -> list[str]:
    """Take away what was found; digests of the files to delete after the commit."""
    for some in _portions(found.items):
        here = items.c.id.in_(some)
        empty = {"text": "", "title": "", "url": "", "entity": "", "erasure_id": erasure_id}
        connection.execute(sa.update(items).where(here).values(empty))
        cleared = sa.update(agreements).where(agreements.c.item_id.in_(some))
        connection.execute(cleared.values(witnesses=[]))
    for some in _portions(found.shown):
        connection.execute(sa.delete(item_entities).where(item_entities.c.item_id.in_(some)))
    _clean(connection, subject, readings, found.readings, ("detail",))
    columns = ("request", "url", "detail", "headers", "observed")
    _clean(connection, subject, exchanges, found.exchanges, columns)
    _documents(connection, found, erasure_id, key)
    emptied = {"request": _ERASED, "url": "", "detail": ""}
    for table, ids in ((lookups, found.lookups), (people_lookups, found.people_lookups)):
        for some in _portions(ids):
            connection.execute(sa.update(table).where(table.c.id.in_(some)).values(emptied))
    for some in _portions(found.people_lookups):
        retention.take_people(connection, some, Because.ERASED, now)
    _people(connection, subject)
    return bodies.bury(connection, database, found.bodies, Because.ERASED, now)


def _clean(
    connection: sa.Connection,
    subject: Subject,
    table: sa.Table,
    ids: Sequence[int],
    columns: Sequence[str],
) -> None:
    """Empty the texts of some rows that hold the subject; all else in them stays."""
    for some in _portions(ids):
        query = sa.select(table.c.id, *(table.c[name] for name in columns))
        for row in connection.execute(query.where(table.c.id.in_(some))).mappings().all():
            changed = {
                name: new for name in columns if (new := _without(subject, row[name])) != row[name]
            }
            if changed:
                this = table.c.id == row["id"]
                connection.execute(sa.update(table).where(this).values(changed))


def _without(subject: Subject, value: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
    if isinstance(value, str):
        return "" if subject.is_of(value) or subject.is_in(value) else value
    if isinstance(value, Mapping):
        return {name: _without(subject, one) for name, one in value.items()}
    if isinstance(value, list):
        return [_without(subject, one) for one in value]
    return value


def _documents(connection: sa.Connection, found: Found, erasure_id: int, key: str) -> None:
    """Documents have the hash of their key from now on, and no text; judgements follow them."""
    for number, collection, name in found.documents:
        hashed = f"erased:{keyed(key, f'document:{name}')}"
        change = sa.update(documents).where(documents.c.id == number)
        values = {"key": hashed, "detail": "", "erasure_id": erasure_id}
        connection.execute(change.values(values))
        judged = (judgements.c.collection == collection) & (judgements.c.document == name)
        connection.execute(sa.update(judgements).where(judged).values(document=hashed))


def _people(connection: sa.Connection, subject: Subject) -> None:
    """Labels, and what was looked up and said of the entities; mentions beside others."""
    for some in _portions(sorted(subject.entities)):
        for table in (labels, item_entities, people_ratings, people_entities):
            connection.execute(sa.delete(table).where(table.c.entity.in_(some)))
    wanted = {one.removeprefix("wd:") for one in subject.entities if one.startswith("wd:")}
    columns = people_entities.c
    query = sa.select(columns.id, columns.candidates, columns.link, columns.annotation)
    for row in connection.execute(query.order_by(columns.id)).all():
        kept = {
            "candidates": [one for one in row.candidates if one not in wanted],
            "link": _without(subject, row.link),
            "annotation": _without(subject, row.annotation),
        }
        if kept != {name: getattr(row, name) for name in kept}:
            connection.execute(sa.update(people_entities).where(columns.id == row.id).values(kept))


def _portions(ids: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))


# --- what stays of it -----------------------------------------------------------------------------


def remember(
    connection: sa.Connection,
    subject: Subject,
    reason: str,
    counts: Mapping[str, int],
    key: str,
    now: datetime,
) -> int:
    """Add an erasure: the id of its first row, which has the counts.

    There is a row for each way in which the subject may be met again.
    """
    mark = keyed(key, _KEY_MARK)
    row = {"kind": subject.kind, "reason": reason, "erased_at": now}
    hashes = [keyed(key, one) for one in subject.marks()]
    first = {**row, "subject_hash": hashes[0], "counts": {**counts, "key": mark}}
    [erasure_id] = rows.insert_returning(connection, erasures, [first])
    others = [
        {**row, "subject_hash": one, "counts": {"of": erasure_id, "key": mark}}
        for one in hashes[1:]
    ]
    rows.insert_returning(connection, erasures, others)
    return erasure_id


def remember_nobody(connection: sa.Connection, key: str, now: datetime) -> int:
    """Add an erasure of nobody: what is left of items that were erased in another archive."""
    row = {
        "kind": "url", "subject_hash": "", "reason": "erased in the archive that this is from",
        "counts": {"key": keyed(key, _KEY_MARK)}, "erased_at": now,
    }  # fmt: skip
    return rows.insert_returning(connection, erasures, [row])[0]


def is_erased(connection: sa.Connection, keys: Iterable[str], key: str) -> set[str]:
    """Which of these keys of entities, or addresses, were erased.

    Raises InvalidInput where there were erasures and the key of their hashes is not this one.
    """
    made_with = {
        counts["key"] for counts in connection.execute(sa.select(erasures.c.counts)).scalars()
    }
    if not made_with:
        return set()
    if not key or made_with != {keyed(key, _KEY_MARK)}:
        raise InvalidInput(
            "MONITOR_ADDRESS_KEY is not the key that people and addresses were erased with, so "
            "nobody can tell whom not to look up: set it to that key"
        )
    hashes = by_hash(key, keys)
    found: set[str] = set()
    for some in _portions(sorted(hashes)):
        query = sa.select(erasures.c.subject_hash).where(erasures.c.subject_hash.in_(some))
        for one in connection.execute(query).scalars():
            found |= hashes[one]
    return found


def remains(
    connection: sa.Connection, subject: Subject, progress: Callable[[int], None]
) -> dict[str, int]:
    """{table.column: rows} that hold the subject nevertheless: lists and jobs of one's own."""
    found: dict[str, int] = {}
    traces = subject.traces()
    texts = [
        column
        for table in metadata.tables.values()
        for column in table.c
        if isinstance(column.type, sa.Text | sa.JSON) and column.name != "content_hash"
    ]
    for done, column in enumerate(texts, start=1):
        text = sa.cast(column, sa.Text)
        holds = sa.or_(*(text.icontains(one, autoescape=True) for one in traces))
        query = sa.select(sa.func.count()).select_from(column.table).where(holds)
        if n := int(connection.execute(query).scalar_one()):
            found[f"{column.table.name}.{column.name}"] = n
        progress(done)
    return found
