"""Corpora that were gathered: what each run that asks nothing has read, and whose answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.store.schema import corpora, corpus_runs, engines, runs

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
