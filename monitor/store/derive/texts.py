"""Ranked lists by their words: results, the texts behind them, and judgements, of one run."""

import hashlib
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice

import sqlalchemy as sa

from monitor.model import (
    Block,
    Document,
    Item,
    Outcome,
    Overview,
    OverviewState,
    Source,
    Unit,
    make_storable,
)
from monitor.store import rows, schema
from monitor.store.collect import bodies
from monitor.store.database import Database
from monitor.store.derive.signals import read_answered_by_probe, read_asked_items
from monitor.store.schema import (
    attempts,
    documents,
    item_overviews,
    items,
    judgements,
    probes,
)
from monitor.store.selectables import READ_ITEMS, ListAnswers, make_item, select_read_items

_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class WordSource:
    """The source of a result's words: the answer itself, or a collection of documents.

    Judgements are of a collection as well.
    """

    collection: str = ""
    of_answer: bool = True
    block: str = Block.ORGANIC


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document's text, None where there is none; `lookup_id` is the page as it came."""

    key: str
    text: str | None
    outcome: Outcome = Outcome.OK
    reason: str = ""
    detail: str = ""
    extractor: str = ""
    lookup_id: int | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether it was read and has no words."""
        return self.text == "" and self.outcome is Outcome.OK


@dataclass(frozen=True, slots=True)
class _ReadItem:
    """One result as it was read, or what is left of one that was erased."""

    item: Item
    erased: bool


def read_units(
    connection: sa.Connection, database: Database, of: ListAnswers, source: WordSource
) -> list[Unit]:
    """Return what an engine showed for each probe, by its words, one list per repeat.

    An answer without results is an empty list; one that is missing, blocked, unreadable or suspect
    is None. A result whose text nobody could read has None for it. Overviews are results where they
    are shown; an answer whose overview was still loading is None.
    """
    of_overview = source.block == Block.AI_OVERVIEW
    answered = read_answered_by_probe(connection, of, of_overview)
    results_of = _read_results(connection, of, source.block)
    texts: dict[str, str | None] = {}
    graded = read_grades(connection, source.collection)
    if not source.of_answer:
        shown_items = (result.item for results in results_of.values() for result in results)
        names_wanted = {name for item in shown_items for name in _list_names(item)}
        names_wanted |= {key for grades in graded.values() for key in _list_relevant(grades)}
        texts = read_stored_texts(connection, database, source.collection, names_wanted)
    asked_probes = sa.select(attempts.c.probe_id).where(attempts.c.run_id == of.run_id)
    query = sa.select(probes.c.id, probes.c.text).where(probes.c.id.in_(asked_probes))
    queries = {row.id: row.text for row in connection.execute(query)}
    units_made = []
    for item in read_asked_items(connection, of.list_id, of.pair):
        if item.probe not in answered:
            continue
        lists, grades = answered[item.probe], graded.get(item.key, {})
        documents_shown, swapped = (
            tuple(
                None
                if reading is None
                else tuple(
                    _make_shown(result, source, texts)
                    for result in results_of.get((reading, block), ())
                )
                for reading in lists
            )
            for block in (source.block, Block.COUNTERFACTUAL)
        )
        units_made.append(
            Unit(
                item.key,
                item.tags,
                (None,) * len(lists),
                documents=documents_shown,
                swapped=swapped,
                query=queries.get(item.probe, ""),
                judgements=grades if graded else None,
                relevant=tuple(make_document(x, texts.get(x)) for x in _list_relevant(grades)),
            )
        )
    return units_made


def _make_shown(result: _ReadItem, source: WordSource, texts: Mapping[str, str | None]) -> Document:
    if result.erased:  # its words are missing; it was not without words
        return make_document(f"rank {result.item.rank}", None)
    return _find_document(result.item, source, texts)


def _find_document(item: Item, source: WordSource, texts: Mapping[str, str | None]) -> Document:
    # two results may be without address and title
    key = item.entity or item.url or item.title or f"rank {item.rank}"
    if source.block == Block.AI_OVERVIEW:  # its title is the frame's, not the model's
        return make_document(key, item.text)
    if source.of_answer:
        return make_document(key, f"{item.title}\n{item.text}".strip())
    text = next((texts[name] for name in _list_names(item) if name in texts), None)
    return make_document(key, text)


def make_document(key: str, text: str | None) -> Document:
    """Return a document with the digest of its text."""
    digest = "" if text is None else hashlib.sha256(text.encode()).hexdigest()
    return Document(key, text, digest)


def _list_relevant(grades: Mapping[str, int]) -> list[str]:
    """Return the documents of a topic that are judged relevant, by key."""
    return sorted(key for key, grade in grades.items() if grade > 0)


def _list_names(item: Item) -> tuple[str, str]:
    """Return what a document may be kept as: its number in a collection, or an address.

    A result can have the number of what it is about and an address whose page is kept.
    """
    return item.entity, item.url


def _read_results(
    connection: sa.Connection, of: ListAnswers, block: str
) -> dict[tuple[int, str], list[_ReadItem]]:
    """Return {(reading, block): results in order of rank}."""
    query = (
        select_read_items([items], of, block, Block.COUNTERFACTUAL)
        .outerjoin(item_overviews, item_overviews.c.item_id == items.c.id)
        .where(sa.func.coalesce(item_overviews.c.state, OverviewState.SHOWN) == OverviewState.SHOWN)
    )
    return rows.group_pairs(
        ((row.reading_id, row.block), _ReadItem(make_item(row), row.erasure_id is not None))
        for row in connection.execute(query)
    )


def read_stored_texts(
    connection: sa.Connection, database: Database, collection: str, keys_wanted: Container[str]
) -> dict[str, str | None]:
    """Return texts of a collection by key, of those that are wanted.

    None where one could not be read, or was taken away: it is missing then, not empty.
    """
    query = (
        sa.select(
            documents.c.key, documents.c.outcome, documents.c.body_id, schema.bodies.c.removed_at
        )
        .outerjoin(schema.bodies, schema.bodies.c.id == documents.c.body_id)
        .where(documents.c.collection == collection)
    )
    texts_of: dict[str, str | None] = {}
    keys: dict[int, list[str]] = {}
    for row in connection.execute(query):
        if row.key not in keys_wanted:
            continue
        texts_of[row.key] = "" if row.outcome == Outcome.EMPTY else None
        if row.outcome == Outcome.OK and row.body_id is not None and row.removed_at is None:
            keys.setdefault(row.body_id, []).append(row.key)
    for body_id, body in bodies.read_bodies(connection, database, keys):
        text = body.decode()
        texts_of |= dict.fromkeys(keys[body_id], text)
    return texts_of


def read_grades(connection: sa.Connection, collection: str) -> dict[str, dict[str, int]]:
    """Return grades by topic and document; nothing where the collection has none."""
    if not collection:
        return {}
    query = sa.select(judgements).where(judgements.c.collection == collection)
    grades_of: dict[str, dict[str, int]] = defaultdict(dict)
    for row in connection.execute(query):
        grades_of[row.topic][row.document] = row.grade
    return dict(grades_of)


def store_documents(
    connection: sa.Connection,
    database: Database,
    collection: str,
    new_documents: Iterable[StoredDocument],
    now: datetime,
) -> int:
    """Keep documents with their texts, each once; returns how many were given."""
    stream, n = iter(new_documents), 0
    while part := list(islice(stream, _AT_ONCE)):
        n += len(part)
        texts = [
            (make_storable(document.text or "").encode(), "document", now) for document in part
        ]
        ids = bodies.store_bodies(connection, database, texts)
        content = [
            rows.make_row(documents, document, collection=collection, body_id=body_id)
            | ({"outcome": Outcome.EMPTY} if document.is_empty else {})
            for document, body_id in zip(part, ids, strict=True)
        ]
        rows.insert_ignore(connection, documents, content)
    return n


def read_stored_keys(connection: sa.Connection, collection: str) -> set[str]:
    """Keys of the documents of a collection that are there."""
    query = sa.select(documents.c.key).where(documents.c.collection == collection)
    return set(connection.execute(query).scalars())


def read_stored_digests(connection: sa.Connection, collection: str) -> dict[str, str]:
    """Return {key: SHA-256 of the text, "" without words} of a collection."""
    query = (
        sa.select(documents.c.key, schema.bodies.c.sha256)
        .outerjoin(schema.bodies, schema.bodies.c.id == documents.c.body_id)
        .where(documents.c.collection == collection)
    )
    return {row.key: row.sha256 or "" for row in connection.execute(query)}


def digest_text(text: str) -> str:
    """Return the digest in `read_stored_digests` for a document with this text."""
    content = make_storable(text).encode()
    return hashlib.sha256(content).hexdigest() if content else ""


def store_judgements(
    connection: sa.Connection, collection: str, graded: Iterable[tuple[str, str, int]]
) -> None:
    """Keep (topic, document, grade)."""
    stream = iter(graded)
    while part := list(islice(stream, _AT_ONCE)):
        content = [
            {"collection": collection, "topic": topic, "document": key, "grade": grade}
            for topic, key, grade in part
        ]
        rows.insert_ignore(connection, judgements, content)


def list_addresses(connection: sa.Connection, run_id: int, most: int) -> list[str]:
    """Return where the first `most` results of each list of a run lead to, each once, in order.

    A page may show one address twice: it takes one rank, as for the measures.
    """
    query = (
        sa.select(items.c.reading_id, items.c.url)
        .select_from(READ_ITEMS)
        .where(attempts.c.run_id == run_id, items.c.block == Block.ORGANIC, items.c.url != "")
        .order_by(items.c.reading_id, items.c.rank)
    )
    addresses_of = rows.group_pairs(connection.execute(query)).values()
    firsts = (list(dict.fromkeys(addresses))[:most] for addresses in addresses_of)
    return list(dict.fromkeys(chain.from_iterable(firsts)))


def list_extractors(connection: sa.Connection, collection: str) -> list[str]:
    """Return what took the texts of a collection out of pages: programs with their versions."""
    query = sa.select(documents.c.extractor).where(
        documents.c.collection == collection, documents.c.extractor != ""
    )
    return sorted(set(connection.execute(query.distinct()).scalars()))


def read_ranked_results(connection: sa.Connection, run_id: int) -> list[sa.Row[tuple[object, ...]]]:
    """Return every web result of a run's final answers, by engine, question and rank.

    Columns: list, item_key, engine, target, repeat, rank and document, which is a document's number
    where the engine has one, else an address.
    """
    query = sa.text("""
        SELECT v.list, v.item_key, v.engine, v.target, v.repeat, v.item_rank AS rank,
               CASE WHEN i.entity <> '' THEN i.entity WHEN v.url <> '' THEN v.url ELSE v.title END
               AS document
        FROM answers v
        JOIN items i ON i.id = v.item_id
        WHERE v.run_id = :run AND v.block = 'organic' AND v.final = TRUE
        ORDER BY v.list, v.engine, v.target, v.repeat, v.item_key, v.item_rank
    """)
    return list(connection.execute(query, {"run": run_id}))


# --- overviews ------------------------------------------------------------------------------------


def store_overviews(connection: sa.Connection, overviews: Sequence[tuple[int, Item]]) -> None:
    """Store state and sources of overviews that were just stored, by their item ids."""
    content = [
        {
            "item_id": item_id,
            "state": item.state,
            "sources": [
                [make_storable(text) for text in (source.title, source.url, source.domain)]
                for source in item.sources
            ],
        }
        for item_id, item in overviews
    ]
    rows.insert_rows(connection, item_overviews, content)


def read_overview_units(connection: sa.Connection, of: ListAnswers) -> list[Unit]:
    """Return what each probe had for an overview, one entry per repeat.

    An answer without an overview has one without a state; a missing answer is None.
    """
    answered = read_answered_by_probe(connection, of)
    overviews = _read_overviews(connection, of)
    units = []
    for item in read_asked_items(connection, of.list_id, of.pair):
        if item.probe in answered:
            repeats = answered[item.probe]
            shown = tuple(r if r is None else overviews.get(r, Overview(None)) for r in repeats)
            units.append(Unit(item.key, item.tags, (None,) * len(repeats), overviews=shown))
    return units


def _read_overviews(connection: sa.Connection, of: ListAnswers) -> dict[int, Overview]:
    """Return {reading: its first overview}; one that was stored without a state was shown."""
    columns = items.c.reading_id, item_overviews.c.state, item_overviews.c.sources
    query = select_read_items(columns, of, Block.AI_OVERVIEW).outerjoin(
        item_overviews, item_overviews.c.item_id == items.c.id
    )
    overviews: dict[int, Overview] = {}
    for row in connection.execute(query):
        state = OverviewState(row.state or OverviewState.SHOWN)
        sources = tuple(Source(*source) for source in row.sources or ())
        overviews.setdefault(row.reading_id, Overview(state, sources))
    return overviews
