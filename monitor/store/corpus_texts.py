"""The texts of a corpus, read where each stood first: as units of measures, or one by one."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from monitor.model import Block, Document, Item, Unit
from monitor.store import texts
from monitor.store.corpora import one_of
from monitor.store.database import Database
from monitor.store.gathering import words_of
from monitor.store.schema import (
    attempts,
    corpora,
    corpus_documents,
    corpus_probes,
    items,
    probes,
    readings,
)
from monitor.store.signals import asked_items
from monitor.text.tokens import tokens

_MOST = 2**31 - 1


def units(
    connection: sa.Connection,
    database: Database,
    run_id: int,
    engine_id: int,
    list_id: int,
    pair: tuple[str, str],
    text: str,
    collections: Mapping[int, str],
) -> list[Unit]:
    """The questions of a list with all texts of each, in one list.

    Nobody answered a question whose list is None. A text that was erased since is None.
    """
    corpus = one_of(connection, run_id, engine_id, pair, text)
    if corpus is None:
        return []
    answered = _answered(connection, corpus.id)
    found: dict[int, list[Document]] = {}
    for place in documents(connection, database, corpus.id, collections):
        found.setdefault(place.probe, []).append(place.document)
    return [
        Unit(
            one.key,
            one.tags,
            (None,),
            documents=(tuple(found.get(one.probe, ())) if answered[one.probe][0] else None,),
            query=answered[one.probe][1],
        )
        for one in asked_items(connection, list_id, pair)
        if one.probe in answered
    ]


def _answered(connection: sa.Connection, corpus_id: int) -> dict[int, tuple[int, str]]:
    """{probe: (answers, words)}."""
    query = (
        sa.select(corpus_probes.c.probe_id, corpus_probes.c.answers, probes.c.text)
        .join(probes, probes.c.id == corpus_probes.c.probe_id)
        .where(corpus_probes.c.corpus_id == corpus_id)
    )
    return {probe: (n, words) for probe, n, words in connection.execute(query)}


def questions(connection: sa.Connection, probe_ids: Sequence[int]) -> dict[int, str]:
    """{probe: its words} of some questions."""
    query = sa.select(probes.c.id, probes.c.text).where(probes.c.id.in_(sorted(set(probe_ids))))
    return {row.id: row.text for row in connection.execute(query)}


@dataclass(frozen=True, slots=True)
class Placed:
    """A text of a corpus with where it stood first."""

    probe: int
    attempt: int
    rank: int
    repeats: int
    document: Document


def documents(
    connection: sa.Connection,
    database: Database,
    corpus_id: int,
    collections: Mapping[int, str],
    part: tuple[int, int] | None = None,
    word: str = "",
) -> Iterator[Placed]:
    """The texts of a corpus in their order; `collections` as in `gather`.

    `part` is the first and the last place of those that are wanted, from 1. With a word, of titles
    and snippets those that hold it.
    """
    first, last = part or (1, _MOST)
    query = (
        sa.select(
            corpus_documents.c.attempt_id, corpus_documents.c.rank.label("place"),
            corpus_documents.c.repeats, attempts.c.probe_id, attempts.c.run_id, items,
        )
        .join(corpora, corpora.c.id == corpus_documents.c.corpus_id)
        .join(attempts, attempts.c.id == corpus_documents.c.attempt_id)
        .outerjoin(
            readings,
            (readings.c.attempt_id == attempts.c.id)
            & (readings.c.parser_id == corpora.c.parser_id),
        )
        .outerjoin(
            items,
            (items.c.reading_id == readings.c.id)
            & (items.c.block == Block.ORGANIC)
            & (items.c.rank == corpus_documents.c.rank),
        )
        .where(
            corpus_documents.c.corpus_id == corpus_id,
            corpus_documents.c.position.between(first, last),
        )
        .order_by(corpus_documents.c.position)
    )  # fmt: skip
    if (
        word and word.isascii()
    ):  # what decides is below: databases know of few other letters in both cases
        query = query.where(
            items.c.title.icontains(word, autoescape=True)
            | items.c.text.icontains(word, autoescape=True)
        )
    found = connection.execute(query).all()
    pages = _pages(connection, database, found, collections)
    for row in found:
        text, key = None, f"rank {row.place}"
        if row.id is not None and row.erasure_id is None:
            item = Item(row.rank, row.text, row.block, row.url, row.title, row.entity)
            key = item.entity or item.url or item.title or key
            kept = pages.get(row.run_id, {})
            text = kept.get(item.entity, kept.get(item.url)) if collections else words_of(item)
        if word and word not in tokens(text or ""):
            continue
        sha256 = "" if text is None else hashlib.sha256(text.encode()).hexdigest()
        document = Document(key, text, sha256)
        yield Placed(row.probe_id, row.attempt_id, row.place, row.repeats, document)


def _pages(
    connection: sa.Connection,
    database: Database,
    found: Sequence[Any],
    collections: Mapping[int, str],
) -> dict[int, dict[str, str | None]]:
    """{run: {address: text}} of the pages that the results of a corpus lead to."""
    wanted: dict[int, set[str]] = {}
    if collections:
        for row in found:
            wanted.setdefault(row.run_id, set()).update(x for x in (row.entity, row.url) if x)
    return {
        run_id: texts.kept_texts(connection, database, collections[run_id], names)
        for run_id, names in wanted.items()
    }
