"""Brings in what rankings of a test collection refer to: texts of documents, judgements."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from monitor.lists import ProbeList
from monitor.model import InvalidInput
from monitor.store.collect import runs
from monitor.store.database import Connection, Database
from monitor.store.derive import texts
from monitor.store.derive.texts import StoredDocument
from monitor.store.jobs import declarations
from monitor.trec import Ranking, as_field


@dataclass(frozen=True, slots=True)
class RetrievalCollection:
    """Texts and judgements of a collection. `documents` are (number, text) in any order.

    `topics` are its questions. `wanted` are the documents that somebody ranked or found relevant;
    texts of others are not kept.
    """

    name: str
    topics: ProbeList
    documents: Iterable[tuple[str, str]]
    wanted: AbstractSet[str]
    graded: Mapping[str, Mapping[str, int]]


def store_collection(
    database: Database, given: RetrievalCollection, progress: Callable[[int], None]
) -> int:
    """Keep topics, texts and judgements; returns how many of the wanted documents have a text.

    All or nothing, in one transaction. What was kept before stays, so that older values keep their
    texts. Raises InvalidInput where this one differs from that, or where no document is wanted.
    """
    with database.begin() as connection:
        try:
            declarations.publish_list(connection, given.topics, datetime.now(UTC))
        except InvalidInput:
            raise _differs(given, "other topics, or others marked as gendered") from None
        known = texts.read_stored_digests(connection, given.name)
        new = _new(given, known, progress)
        count = texts.store_documents(connection, database, given.name, new, datetime.now(UTC))
        count += len(known.keys() & given.wanted)
        if not count:
            raise InvalidInput(
                f"none of the {len(given.wanted):,} documents that are ranked is among those "
                f"given, such as {min(given.wanted)!r}; do the ids belong to the same collection?"
            )
        _keep_judgements(connection, given)
    return count


def _new(
    given: RetrievalCollection, known: Mapping[str, str], progress: Callable[[int], None]
) -> Iterator[StoredDocument]:
    """The wanted documents that are not there yet."""
    for done, (key, text) in enumerate(given.documents, start=1):
        progress(done)
        if key in known and known[key] != texts.digest_text(text):
            raise _differs(given, f"another text of document {key!r}")
        if key in given.wanted and key not in known:
            yield StoredDocument(key, text)


def _keep_judgements(connection: Connection, given: RetrievalCollection) -> None:
    known_grades = texts.read_grades(connection, given.name)
    new = []
    for topic, group in given.graded.items():
        before = known_grades.get(topic, {})
        for key, grade in group.items():
            if before.get(key, grade) != grade:
                raise _differs(given, f"grade {before[key]} of document {key!r}, topic {topic!r}")
            new.append((topic, key, grade))
    texts.store_judgements(connection, given.name, new)


def _differs(given: RetrievalCollection, what: str) -> InvalidInput:
    return InvalidInput(
        f"collection {given.name!r} was imported before with {what}; give this one another --name"
    )


#: What tells the rankings of a run apart besides the question.
_APART = ("list", "engine", "target", "repeat")


def list_rankings(database: Database, run_id: int, chosen: Mapping[str, str]) -> list[Ranking]:
    """Return what a run's search engine returned, by question, for a TREC run.

    `chosen` says which list, engine or target (region), where the run has several. Raises
    InvalidInput where it has nothing of the kind, or where more is to be said.
    """
    with database.read() as connection:
        try:
            runs.get_run(connection, run_id)
        except LookupError:
            raise InvalidInput(f"no run {run_id}; see `monitor runs list`") from None
        rows = texts.read_ranked_results(connection, run_id)
    kept_rows = [row for row in rows if all(getattr(row, k) == v for k, v in chosen.items() if v)]
    if not kept_rows:
        raise InvalidInput(_nothing(run_id, rows, chosen))
    for name in _APART[:3]:
        values = sorted({getattr(row, name) for row in kept_rows})
        if len(values) > 1:
            option = {"target": "region"}.get(name, name)
            raise InvalidInput(
                f"run {run_id} has several; name one with --{option}: {', '.join(values)}"
            )
    repeats: dict[str, int] = {}
    for row in kept_rows:
        repeats[row.item_key] = min(row.repeat, repeats.get(row.item_key, row.repeat))
    first = [row for row in kept_rows if row.repeat == repeats[row.item_key]]
    first.sort(key=lambda row: (row.item_key, row.rank))
    tag = as_field(kept_rows[0].engine)
    return [
        Ranking.of(as_field(key), tag, list(dict.fromkeys(as_field(row.document) for row in group)))
        for key, group in groupby(first, key=lambda row: str(row.item_key))
    ]


def _nothing(run_id: int, rows: Sequence[Any], chosen: Mapping[str, str]) -> str:
    requested = ", ".join(f"{name} {value!r}" for name, value in chosen.items() if value)
    if not rows:
        return f"run {run_id}: has no web results"
    stored = {name: sorted({getattr(row, name) for row in rows}) for name in _APART[:3]}
    has = "; ".join(f"{name}: {', '.join(values)}" for name, values in stored.items())
    return f"run {run_id}: has no web results of {requested}; it has {has}"
