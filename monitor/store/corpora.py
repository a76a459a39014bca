"""Corpora that were gathered: what each run read, whose answers, and their texts."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.model import Block, Document, Item, Unit
from monitor.store import texts
from monitor.store.database import Database
from monitor.store.gathering import words_of
from monitor.store.schema import (
    attempts,
    corpora,
    corpus_documents,
    corpus_probes,
    corpus_runs,
    engines,
    items,
    probes,
    readings,
    runs,
)
from monitor.store.signals import asked_items
from monitor.text.tokens import tokens

_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus of a run, as it is now."""

    id: int
    engine_id: int
    source_lang: str
    region: str
    text: str
    begins_at: datetime
    ends_at: datetime
    query: Mapping[str, Any]
    answers: int
    documents: int
    repeats: int
    missing: int
    reason: str
    digest: str


_COLUMNS = [corpora.c[name] for name in Corpus.__slots__]


def of_run(connection: sa.Connection, run_id: int) -> list[Corpus]:
    """The current corpora of a run, in the order in which they were gathered."""
    query = sa.select(*_COLUMNS).where(corpora.c.run_id == run_id, corpora.c.is_current)
    return [Corpus(*row) for row in connection.execute(query.order_by(corpora.c.id))]


@dataclass(frozen=True, slots=True)
class Listed:
    """A corpus of a run with the label and kind of its engine, and the runs that were read."""

    corpus: Corpus
    engine: str
    kind: str
    runs: tuple[int, ...]


def listed(connection: sa.Connection, run_id: int) -> list[Listed]:
    """The current corpora of a run, as people read of them."""
    found = of_run(connection, run_id)
    ids = [one.id for one in found]
    read: dict[int, list[int]] = {}
    query = sa.select(corpus_runs).where(corpus_runs.c.corpus_id.in_(ids))
    for row in connection.execute(query.order_by(corpus_runs.c.run_id)):
        read.setdefault(row.corpus_id, []).append(row.run_id)
    known = {
        row.id: row
        for row in connection.execute(
            sa.select(engines.c.id, engines.c.name, engines.c.kind).where(
                engines.c.id.in_([one.engine_id for one in found])
            )
        )
    }
    return [
        Listed(one, known[one.engine_id].name, known[one.engine_id].kind,
               tuple(read.get(one.id, ())))
        for one in found
    ]  # fmt: skip


def one_of(
    connection: sa.Connection, run_id: int, engine_id: int, pair: tuple[str, str], text: str
) -> Corpus | None:
    """The current corpus of a run of an engine, (source language, region) and kind of text."""
    of = (engine_id, *pair, text)
    fitting = (
        one
        for one in of_run(connection, run_id)
        if (one.engine_id, one.source_lang, one.region, one.text) == of
    )
    return next(fitting, None)


def texts_of(connection: sa.Connection, run_ids: Sequence[int]) -> dict[int, int]:
    """{run: how many texts it has read}, of those of these runs that asked nothing."""
    query = (
        sa.select(corpora.c.run_id, sa.func.sum(corpora.c.documents))
        .where(corpora.c.run_id.in_(run_ids), corpora.c.is_current)
        .group_by(corpora.c.run_id)
    )
    return {run_id: int(n) for run_id, n in connection.execute(query)}


def runs_read(connection: sa.Connection, run_id: int) -> list[int]:
    """The runs whose answers the values of a run are made of: those that it read, or itself."""
    query = (
        sa.select(corpus_runs.c.run_id)
        .distinct()
        .join(corpora, corpora.c.id == corpus_runs.c.corpus_id)
        .where(corpora.c.run_id == run_id, corpora.c.is_current)
        .order_by(corpus_runs.c.run_id)
    )
    return [int(one) for one in connection.execute(query).scalars()] or [run_id]


def readers(connection: sa.Connection, run_ids: Sequence[int]) -> list[int]:
    """The runs that have read answers of some of these runs."""
    found: set[int] = set()
    for start in range(0, len(run_ids), _AT_ONCE):
        query = (
            sa.select(corpora.c.run_id)
            .distinct()
            .join(corpus_runs, corpus_runs.c.corpus_id == corpora.c.id)
            .where(corpus_runs.c.run_id.in_(run_ids[start : start + _AT_ONCE]))
        )
        found.update(connection.execute(query).scalars())
    return sorted(found)


def sources(connection: sa.Connection) -> dict[str, set[str]]:
    """{job that asks nothing: the jobs whose answers its runs have read}."""
    source = runs.alias()
    query = (
        sa.select(runs.c.job, source.c.job.label("read"))
        .distinct()
        .join(corpora, corpora.c.run_id == runs.c.id)
        .join(corpus_runs, corpus_runs.c.corpus_id == corpora.c.id)
        .join(source, source.c.id == corpus_runs.c.run_id)
    )
    found: dict[str, set[str]] = {}
    for row in connection.execute(query):
        found.setdefault(row.job, set()).add(row.read)
    return found


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
