"""Corpora: texts that several runs collected, each once within its question.

A corpus names where each of its texts stood first, and holds none itself: what is erased there is
missing here. `read_collected_texts` streams texts without storing a corpus.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from monitor.model import Block, Document, Item, Json, Outcome, Reason, RunKind, Unit, digest
from monitor.store import rows
from monitor.store.collect import runs as coverage
from monitor.store.collect.runs import Run, list_in_period
from monitor.store.database import Database
from monitor.store.derive import texts
from monitor.store.derive.signals import read_asked_items
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
    versions,
)
from monitor.store.selectables import READ_ITEMS, is_newest_reading, make_item
from monitor.text.tokens import tokens

_AT_ONCE = 2_000
#: Kinds of runs whose answers are read; others ask a part of the same questions again.
_READ = (RunKind.SCHEDULED, RunKind.MANUAL)


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """The origin of a corpus: an engine in a region, read by one parser, as `text`."""

    engine_id: int
    parser_id: int
    source_lang: str
    region: str
    text: str
    probes: tuple[int, ...]


@dataclass(slots=True)
class TextPlace:
    """The first place of a text, and how often it was repeated within its question."""

    probe: int
    attempt: int
    rank: int
    sha256: str
    repeats: int = 0


@dataclass(slots=True)
class GatheredTexts:
    """The content of a corpus: answers by question, texts in the order in which they came."""

    answers: dict[int, int]
    places: list[TextPlace] = field(default_factory=list)
    missing: int = 0

    @property
    def repeats(self) -> int:
        """Return how many texts had stood in an answer to the same question before."""
        return sum(place_of_text.repeats for place_of_text in self.places)


def gather_texts(
    connection: sa.Connection,
    source: CorpusSource,
    run_ids: Sequence[int],
    collections: Mapping[int, str],
) -> GatheredTexts:
    """Read the final answers of runs, the oldest run first.

    `collections` are those of the pages that the results of each run lead to, where pages are read.
    """
    gathered = GatheredTexts(dict.fromkeys(source.probes, 0))
    places: dict[tuple[int, str], TextPlace] = {}
    for run_id in run_ids:
        pages = texts.read_stored_digests(connection, collections[run_id]) if collections else {}
        for probe, attempt, result_list in _read_results(connection, source, run_id):
            gathered.answers[probe] += 1
            for item, is_erased in result_list:
                sha256 = "" if is_erased else _digest_text(item, pages if collections else None)
                if not sha256:
                    gathered.missing += 1
                elif seen := places.get((probe, sha256)):
                    seen.repeats += 1
                else:
                    places[probe, sha256] = TextPlace(probe, attempt, item.rank, sha256)
    gathered.places = list(places.values())
    return gathered


def _digest_text(item: Item, pages: Mapping[str, str] | None) -> str:
    """Return SHA-256 of the text of a result or of its page; "" where there is none."""
    if pages is None:
        text = join_words(item)
        return hashlib.sha256(text.encode()).hexdigest() if text else ""
    return pages.get(item.entity) or pages.get(item.url) or ""


def join_words(item: Any) -> str:  # noqa: ANN401 - an Item, or a row of items
    """Return title and snippet of a result."""
    return f"{item.title}\n{item.text}".strip()


def _read_results(
    connection: sa.Connection, source: CorpusSource, run_id: int
) -> Iterator[tuple[int, int, list[tuple[Item, bool]]]]:
    """Yield (probe, attempt, [(result, is erased)]) of every usable final answer."""
    probe_ids = frozenset(source.probes)
    query = (
        sa.select(attempts.c.id.label("attempt_id"), attempts.c.probe_id, items)
        .join(readings, readings.c.attempt_id == attempts.c.id)
        .outerjoin(items, (items.c.reading_id == readings.c.id) & (items.c.block == Block.ORGANIC))
        .where(
            attempts.c.run_id == run_id,
            attempts.c.engine_id == source.engine_id,
            attempts.c.final,
            readings.c.parser_id == source.parser_id,
            readings.c.outcome.in_((Outcome.OK, Outcome.EMPTY)),
            readings.c.reason != Reason.SUSPECT_EMPTY,
        )
        .order_by(attempts.c.id, items.c.rank)
    )
    result = connection.execute(query.execution_options(yield_per=_AT_ONCE))
    for (probe, attempt), of_answer in groupby(result, attrgetter("probe_id", "attempt_id")):
        if probe in probe_ids:
            shown_rows = [row for row in of_answer if row.id is not None]
            yield (
                probe,
                attempt,
                [(make_item(row), row.erasure_id is not None) for row in shown_rows],
            )


# --- kept -----------------------------------------------------------------------------------------


def store_corpus(
    connection: sa.Connection,
    run_id: int,
    source: CorpusSource,
    span: tuple[datetime, datetime],
    read: Sequence[int],
    query: Mapping[str, Json],
    gathered: GatheredTexts,
    reason: str,
    now: datetime,
) -> None:
    """Keep a corpus as the current one of its run; one that is there is not written anew."""
    places = [[p.probe, p.attempt, p.rank, p.repeats, p.sha256] for p in gathered.places]
    answers = sorted(gathered.answers.items())
    content_digest = digest(
        [source.parser_id, list(read), query, answers, places, gathered.missing, reason]
    )
    key = ("engine_id", "source_lang", "region", "text")
    same_corpus = sa.and_(
        corpora.c.run_id == run_id, *(corpora.c[name] == getattr(source, name) for name in key)
    )
    existing_id = connection.execute(
        sa.select(corpora.c.id).where(same_corpus, corpora.c.digest == content_digest)
    ).scalar()
    connection.execute(
        sa.update(corpora).where(same_corpus).values(is_current=corpora.c.digest == content_digest)
    )
    if existing_id is not None:
        return
    row = rows.make_row(
        corpora, source, run_id=run_id, begins_at=span[0], ends_at=span[1], query=dict(query),
        answers=sum(gathered.answers.values()), documents=len(places), repeats=gathered.repeats,
        missing=gathered.missing, reason=reason, digest=content_digest, gathered_at=now,
        is_current=True,
    )  # fmt: skip
    [corpus_id] = rows.insert_returning(connection, corpora, [row])
    corpus_key = {"corpus_id": corpus_id}
    rows.insert_ignore(
        connection, corpus_runs, [{**corpus_key, "run_id": source_run} for source_run in read]
    )
    rows.insert_ignore(
        connection, corpus_probes, [{**corpus_key, "probe_id": p, "answers": n} for p, n in answers]
    )
    columns = ("corpus_id", "position", "attempt_id", "rank", "repeats")
    content = [
        (corpus_id, position, p.attempt, p.rank, p.repeats)
        for position, p in enumerate(gathered.places, start=1)
    ]
    rows.insert_plain(connection, corpus_documents, columns, content)


# --- what is there to read ------------------------------------------------------------------------


def find_ended_runs(
    connection: sa.Connection, jobs: Sequence[str], span: tuple[datetime, datetime]
) -> tuple[list[Run], list[Run]]:
    """Return (runs of some jobs that were due in a period and have ended, those that have not)."""
    run_list = list_in_period(connection, jobs, span, _READ)
    done = [run for run in run_list if run.state in coverage.ENDED]
    return done, [run for run in run_list if run.state not in coverage.ENDED]


def find_engine(connection: sa.Connection, label: str, surface: str, config: str) -> int | None:
    """Return id of an engine that was asked before; None of one that never was."""
    query = sa.select(engines.c.id).where(
        engines.c.name == label, engines.c.surface == surface, engines.c.config_hash == config
    )
    return connection.execute(query).scalar()


def find_parser(connection: sa.Connection, name: str, version: int, fingerprint: str) -> int | None:
    """Return id of a parser version that has read something; None of any other."""
    query = sa.select(versions.c.id).where(
        versions.c.kind == "engines",
        versions.c.name == name,
        versions.c.version == version,
        versions.c.fingerprint == fingerprint,
    )
    return connection.execute(query).scalar()


@dataclass(frozen=True, slots=True)
class TextFilter:
    """Filter for collected texts of results in `block`; empty fields match anything.

    `engine` is a label, or its beginning. Runs count by when they were due, from `since` until
    before `until`.
    """

    jobs: tuple[str, ...] = ()
    engine: str = ""
    region: str = ""
    since: datetime | None = None
    until: datetime | None = None
    block: str = Block.ORGANIC


def read_collected_texts(
    connection: sa.Connection, criteria: TextFilter
) -> Iterator[tuple[str, str]]:
    """Yield (`ATTEMPT:RANK` of the first place, title and snippet), the oldest first.

    As the newest version that has read an answer gives them. Of all that was seen a digest of 16
    bytes is kept in memory.
    """
    seen: set[bytes] = set()
    for row in connection.execute(_select_texts(criteria).execution_options(yield_per=_AT_ONCE)):
        text = join_words(row)
        text_hash = hashlib.blake2b(text.encode(), digest_size=16).digest()
        if text and text_hash not in seen:
            seen.add(text_hash)
            yield f"{row.attempt_id}:{row.rank}", text


def _select_texts(criteria: TextFilter) -> sa.Select[tuple[int, int, str, str]]:
    query = (
        sa.select(attempts.c.id.label("attempt_id"), items.c.rank, items.c.title, items.c.text)
        .select_from(READ_ITEMS)
        .join(runs, runs.c.id == attempts.c.run_id)
        .join(engines, engines.c.id == attempts.c.engine_id)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(
            attempts.c.final,
            items.c.block == criteria.block,
            items.c.erasure_id.is_(None),
            runs.c.state.in_(coverage.ENDED),
            runs.c.kind.in_(_READ),
            is_newest_reading(),
        )
        .order_by(attempts.c.id, items.c.rank)
    )
    if criteria.jobs:
        query = query.where(runs.c.job.in_(criteria.jobs))
    if criteria.engine:
        query = query.where(engines.c.name.startswith(criteria.engine, autoescape=True))
    if criteria.region:
        query = query.where(probes.c.region == criteria.region)
    if criteria.since:
        query = query.where(runs.c.due_at >= criteria.since)
    if criteria.until:
        query = query.where(runs.c.due_at < criteria.until)
    return query


@dataclass(frozen=True, slots=True)
class StoredCorpus:
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


@dataclass(frozen=True, slots=True)
class ListedCorpus:
    """A corpus of a run with the label and kind of its engine, and the runs that were read."""

    corpus: StoredCorpus
    engine: str
    kind: str
    runs: tuple[int, ...]


def list_corpora(connection: sa.Connection, run_id: int) -> list[ListedCorpus]:
    """Return the current corpora of a run, as people read of them."""
    of_run = (corpora.c.run_id == run_id) & corpora.c.is_current
    query = sa.select(corpus_runs.c.corpus_id, corpus_runs.c.run_id).order_by(corpus_runs.c.run_id)
    query = query.join(corpora, corpora.c.id == corpus_runs.c.corpus_id).where(of_run)
    read = rows.group_pairs(connection.execute(query))
    listed = (
        sa.select(corpora, engines.c.name, engines.c.kind)
        .join(engines, engines.c.id == corpora.c.engine_id)
        .where(of_run)
        .order_by(corpora.c.id)
    )
    return [
        ListedCorpus(
            rows.make_record(row, StoredCorpus), row.name, row.kind, tuple(read.get(row.id, ()))
        )
        for row in connection.execute(listed)
    ]


def find_corpus(
    connection: sa.Connection, run_id: int, engine_id: int, pair: tuple[str, str], text: str
) -> StoredCorpus | None:
    """Return the current corpus of a run for an engine, (source language, region) and text."""
    query = sa.select(corpora).where(
        corpora.c.run_id == run_id,
        corpora.c.is_current,
        corpora.c.engine_id == engine_id,
        corpora.c.source_lang == pair[0],
        corpora.c.region == pair[1],
        corpora.c.text == text,
    )
    return rows.find_record(connection, query, StoredCorpus)


def count_texts(connection: sa.Connection, run_ids: Sequence[int]) -> dict[int, int]:
    """Return {run: how many texts it has read}, of those of these runs that asked nothing."""
    query = (
        sa.select(corpora.c.run_id, sa.func.sum(corpora.c.documents))
        .where(corpora.c.run_id.in_(run_ids), corpora.c.is_current)
        .group_by(corpora.c.run_id)
    )
    return {run_id: int(n) for run_id, n in connection.execute(query)}


def find_runs_read(connection: sa.Connection, run_id: int) -> list[int]:
    """Return the runs whose answers the values of a run are made of, or the run itself."""
    query = (
        sa.select(corpus_runs.c.run_id)
        .distinct()
        .join(corpora, corpora.c.id == corpus_runs.c.corpus_id)
        .where(corpora.c.run_id == run_id, corpora.c.is_current)
        .order_by(corpus_runs.c.run_id)
    )
    return [int(number) for number in connection.execute(query).scalars()] or [run_id]


def find_readers(connection: sa.Connection, run_ids: Sequence[int]) -> list[int]:
    """Return the runs that have read answers of some of these runs."""
    query = (
        sa.select(corpora.c.run_id)
        .distinct()
        .join(corpus_runs, corpus_runs.c.corpus_id == corpora.c.id)
    )
    readers = rows.read_in_parts(connection, query, corpus_runs.c.run_id, run_ids)
    return sorted({row.run_id for row in readers})


def find_sources(connection: sa.Connection) -> dict[str, set[str]]:
    """Return {job that asks nothing: the jobs whose answers its runs have read}."""
    source = runs.alias()
    query = (
        sa.select(runs.c.job, source.c.job.label("read"))
        .distinct()
        .join(corpora, corpora.c.run_id == runs.c.id)
        .join(corpus_runs, corpus_runs.c.corpus_id == corpora.c.id)
        .join(source, source.c.id == corpus_runs.c.run_id)
    )
    sources = rows.group_pairs(connection.execute(query))
    return {job: set(read) for job, read in sources.items()}


_MOST = 2**31 - 1


def read_units(
    connection: sa.Connection,
    database: Database,
    run_id: int,
    engine_id: int,
    list_id: int,
    pair: tuple[str, str],
    text: str,
    collections: Mapping[int, str],
) -> list[Unit]:
    """Return the questions of a list with all texts of each, in one list.

    Nobody answered a question whose list is None. A text that was erased since is None.
    """
    corpus = find_corpus(connection, run_id, engine_id, pair, text)
    if corpus is None:
        return []
    query = (
        sa.select(corpus_probes.c.probe_id, corpus_probes.c.answers, probes.c.text)
        .join(probes, probes.c.id == corpus_probes.c.probe_id)
        .where(corpus_probes.c.corpus_id == corpus.id)
    )
    answered = {row.probe_id: row for row in connection.execute(query)}
    documents_of = rows.group_pairs(
        (text_place.probe, text_place.document)
        for text_place in read_documents(connection, database, corpus.id, collections)
    )
    units = []
    for item in read_asked_items(connection, list_id, pair):
        if row := answered.get(item.probe):
            documents = tuple(documents_of.get(item.probe, ())) if row.answers else None
            units.append(Unit(item.key, item.tags, (None,), documents=(documents,), query=row.text))
    return units


def read_questions(connection: sa.Connection, probe_ids: Sequence[int]) -> dict[int, str]:
    """Return {probe: its words} of some questions."""
    query = sa.select(probes.c.id, probes.c.text).where(probes.c.id.in_(sorted(set(probe_ids))))
    return {row.id: row.text for row in connection.execute(query)}


@dataclass(frozen=True, slots=True)
class CorpusText:
    """A text of a corpus with where it stood first."""

    probe: int
    attempt: int
    rank: int
    repeats: int
    document: Document


def read_documents(
    connection: sa.Connection,
    database: Database,
    corpus_id: int,
    collections: Mapping[int, str],
    part: tuple[int, int] | None = None,
    word: str = "",
) -> Iterator[CorpusText]:
    """Yield the texts of a corpus in their order; `collections` as in `gather_texts`.

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
    if word and word.isascii():
        # what decides is below: databases know of few other letters in both cases
        query = query.where(
            items.c.title.icontains(word, autoescape=True)
            | items.c.text.icontains(word, autoescape=True)
        )
    text_rows = connection.execute(query).all()
    pages = _read_pages(connection, database, text_rows, collections)
    for row in text_rows:
        text, key = None, f"rank {row.place}"
        if row.id is not None and row.erasure_id is None:
            item = make_item(row)
            key = item.entity or item.url or item.title or key
            page_texts = pages.get(row.run_id, {})
            text = (
                page_texts.get(item.entity, page_texts.get(item.url))
                if collections
                else join_words(item)
            )
        if word and word not in tokens(text or ""):
            continue
        document = texts.make_document(key, text)
        yield CorpusText(row.probe_id, row.attempt_id, row.place, row.repeats, document)


def _read_pages(
    connection: sa.Connection,
    database: Database,
    text_rows: Sequence[Any],
    collections: Mapping[int, str],
) -> dict[int, dict[str, str | None]]:
    """Return {run: {address: text}} of the pages that the results of a corpus lead to."""
    addresses = rows.group_pairs(
        (row.run_id, address)
        for row in (text_rows if collections else ())
        for address in (row.entity, row.url)
    )
    return {
        run_id: texts.read_stored_texts(connection, database, collections[run_id], set(names))
        for run_id, names in addresses.items()
    }
