"""Gather corpora: the texts that several runs collected, each once within its question.

A corpus names where each of its texts stood first, and holds none itself: what is erased there is
missing here. `collected_texts` streams texts without keeping a corpus.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa

from monitor.model import Block, Item, Json, Outcome, Reason, RunKind, digest
from monitor.store import coverage, rows, texts
from monitor.store.runs import Run, in_period
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
from monitor.store.selectables import is_newest_reading

_AT_ONCE = 2_000
#: Kinds of runs whose answers are read; others ask a part of the same questions again.
_READ = (RunKind.SCHEDULED, RunKind.MANUAL)


@dataclass(frozen=True, slots=True)
class Asked:
    """Of whom a corpus is: an engine in a region, by what its parser reads; `text` as measured."""

    engine_id: int
    parser_id: int
    source_lang: str
    region: str
    text: str
    probes: tuple[int, ...]


@dataclass(slots=True)
class Place:
    """Where a text stood first, and how often it stood there again within its question."""

    probe: int
    attempt: int
    rank: int
    sha256: str
    repeats: int = 0


@dataclass(slots=True)
class Gathered:
    """What was found of a corpus: answers by question, texts in the order in which they came."""

    answers: dict[int, int]
    places: list[Place] = field(default_factory=list)
    missing: int = 0

    @property
    def repeats(self) -> int:
        """How many texts had stood in an answer to the same question before."""
        return sum(one.repeats for one in self.places)


def gather(
    connection: sa.Connection, asked: Asked, run_ids: Sequence[int], collections: Mapping[int, str]
) -> Gathered:
    """Read the final answers of runs, the oldest run first.

    `collections` are those of the pages that the results of each run lead to, where pages are read.
    """
    found = Gathered(dict.fromkeys(asked.probes, 0))
    places: dict[tuple[int, str], Place] = {}
    for run_id in run_ids:
        pages = texts.kept_digests(connection, collections[run_id]) if collections else {}
        for probe, attempt, shown in _results(connection, asked, run_id):
            found.answers[probe] += 1
            for item, is_erased in shown:
                sha256 = "" if is_erased else _digest(item, pages if collections else None)
                if not sha256:
                    found.missing += 1
                elif seen := places.get((probe, sha256)):
                    seen.repeats += 1
                else:
                    places[probe, sha256] = Place(probe, attempt, item.rank, sha256)
    found.places = list(places.values())
    return found


def _digest(item: Item, pages: Mapping[str, str] | None) -> str:
    """SHA-256 of the text of a result, or of the page that it leads to; "" where there is none."""
    if pages is None:
        text = words_of(item)
        return hashlib.sha256(text.encode()).hexdigest() if text else ""
    return pages.get(item.entity) or pages.get(item.url) or ""


def words_of(item: Item) -> str:
    """Title and snippet of a result."""
    return f"{item.title}\n{item.text}".strip()


def _results(
    connection: sa.Connection, asked: Asked, run_id: int
) -> Iterator[tuple[int, int, list[tuple[Item, bool]]]]:
    """(probe, attempt, its results with whether each was erased) of every usable final answer."""
    wanted = frozenset(asked.probes)
    query = (
        sa.select(attempts.c.id.label("attempt_id"), attempts.c.probe_id, items)
        .join(readings, readings.c.attempt_id == attempts.c.id)
        .outerjoin(items, (items.c.reading_id == readings.c.id) & (items.c.block == Block.ORGANIC))
        .where(
            attempts.c.run_id == run_id,
            attempts.c.engine_id == asked.engine_id,
            attempts.c.final,
            readings.c.parser_id == asked.parser_id,
            readings.c.outcome.in_((Outcome.OK, Outcome.EMPTY)),
            readings.c.reason != Reason.SUSPECT_EMPTY,
        )
        .order_by(attempts.c.id, items.c.rank)
    )
    attempt, probe = 0, 0
    shown: list[tuple[Item, bool]] = []
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        if row.attempt_id != attempt:
            if attempt and probe in wanted:
                yield probe, attempt, shown
            attempt, probe, shown = row.attempt_id, row.probe_id, []
        if row.id is not None:
            item = Item(row.rank, row.text, row.block, row.url, row.title, row.entity)
            shown.append((item, row.erasure_id is not None))
    if attempt and probe in wanted:
        yield probe, attempt, shown


# --- kept -----------------------------------------------------------------------------------------


def keep(
    connection: sa.Connection,
    run_id: int,
    asked: Asked,
    span: tuple[datetime, datetime],
    read: Sequence[int],
    query: Mapping[str, Json],
    found: Gathered,
    reason: str,
    now: datetime,
) -> None:
    """Keep a corpus as the current one of its run; one that is there is not written anew."""
    places = [[p.probe, p.attempt, p.rank, p.repeats, p.sha256] for p in found.places]
    answers = sorted(found.answers.items())
    known = digest([asked.parser_id, list(read), query, answers, places, found.missing, reason])
    key = {
        "run_id": run_id, "engine_id": asked.engine_id, "source_lang": asked.source_lang,
        "region": asked.region, "text": asked.text,
    }  # fmt: skip
    mine = sa.and_(*(corpora.c[name] == value for name, value in key.items()))
    there = connection.execute(
        sa.select(corpora.c.id).where(mine, corpora.c.digest == known)
    ).scalar()
    connection.execute(sa.update(corpora).where(mine).values(is_current=corpora.c.digest == known))
    if there is not None:
        return
    row = {
        **key,
        "parser_id": asked.parser_id,
        "begins_at": span[0],
        "ends_at": span[1],
        "query": dict(query),
        "answers": sum(found.answers.values()),
        "documents": len(places),
        "repeats": found.repeats,
        "missing": found.missing,
        "reason": reason,
        "digest": known,
        "gathered_at": now,
        "is_current": True,
    }
    [corpus_id] = rows.insert_returning(connection, corpora, [row])
    own = {"corpus_id": corpus_id}
    rows.insert_ignore(connection, corpus_runs, [{**own, "run_id": one} for one in read])
    rows.insert_ignore(
        connection, corpus_probes, [{**own, "probe_id": p, "answers": n} for p, n in answers]
    )
    columns = ("corpus_id", "position", "attempt_id", "rank", "repeats")
    content = [
        (corpus_id, position, p.attempt, p.rank, p.repeats)
        for position, p in enumerate(found.places, start=1)
    ]
    rows.insert_plain(connection, corpus_documents, columns, content)


# --- what is there to read ------------------------------------------------------------------------


def ended(
    connection: sa.Connection, jobs: Sequence[str], span: tuple[datetime, datetime]
) -> tuple[list[Run], list[Run]]:
    """(runs of some jobs that were due in a period and have ended, those that have not)."""
    found = in_period(connection, jobs, span, _READ)
    done = [one for one in found if one.state in coverage.ENDED]
    return done, [one for one in found if one.state not in coverage.ENDED]


def engine_known(connection: sa.Connection, label: str, surface: str, config: str) -> int | None:
    """Id of an engine that was asked before; None of one that never was."""
    query = sa.select(engines.c.id).where(
        engines.c.name == label, engines.c.surface == surface, engines.c.config_hash == config
    )
    return connection.execute(query).scalar()


def parser_known(
    connection: sa.Connection, name: str, version: int, fingerprint: str
) -> int | None:
    """Id of a version of an engine's parser that has read something; None of one that has not."""
    query = sa.select(versions.c.id).where(
        versions.c.kind == "engines",
        versions.c.name == name,
        versions.c.version == version,
        versions.c.fingerprint == fingerprint,
    )
    return connection.execute(query).scalar()


_STREAM = 2_000


@dataclass(frozen=True, slots=True)
class Collected:
    """Which texts are wanted: those of results in `block`; what is left empty is any.

    `engine` is a label, or its beginning. Runs count by when they were due, from `since` until
    before `until`.
    """

    jobs: tuple[str, ...] = ()
    engine: str = ""
    region: str = ""
    since: datetime | None = None
    until: datetime | None = None
    block: str = Block.ORGANIC


def collected_texts(connection: sa.Connection, wanted: Collected) -> Iterator[tuple[str, str]]:
    """(`ATTEMPT:RANK` of where it stood first, title and snippet), the oldest answers first.

    As the newest version that has read an answer gives them. Of all that was seen a digest of 16
    bytes is kept in memory.
    """
    seen: set[bytes] = set()
    for row in connection.execute(_query(wanted).execution_options(yield_per=_STREAM)):
        text = f"{row.title}\n{row.text}".strip()
        known = hashlib.blake2b(text.encode(), digest_size=16).digest()
        if text and known not in seen:
            seen.add(known)
            yield f"{row.attempt_id}:{row.rank}", text


def _query(wanted: Collected) -> sa.Select[tuple[int, int, str, str]]:
    query = (
        sa.select(attempts.c.id.label("attempt_id"), items.c.rank, items.c.title, items.c.text)
        .select_from(items)
        .join(readings, readings.c.id == items.c.reading_id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .join(runs, runs.c.id == attempts.c.run_id)
        .join(engines, engines.c.id == attempts.c.engine_id)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(
            attempts.c.final,
            items.c.block == wanted.block,
            items.c.erasure_id.is_(None),
            runs.c.state.in_(coverage.ENDED),
            runs.c.kind.in_((RunKind.SCHEDULED, RunKind.MANUAL)),
            is_newest_reading(),
        )
        .order_by(attempts.c.id, items.c.rank)
    )
    if wanted.jobs:
        query = query.where(runs.c.job.in_(wanted.jobs))
    if wanted.engine:
        query = query.where(engines.c.name.startswith(wanted.engine, autoescape=True))
    if wanted.region:
        query = query.where(probes.c.region == wanted.region)
    if wanted.since:
        query = query.where(runs.c.due_at >= wanted.since)
    if wanted.until:
        query = query.where(runs.c.due_at < wanted.until)
    return query
