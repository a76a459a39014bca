"""Finds the rows of a subject that is to be erased. A subject in, ids out; nothing is changed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
import zstandard

from monitor.model import Purpose
from monitor.store import corpora, retention
from monitor.store.schema import (
    attempts,
    bundle_files,
    documents,
    exchanges,
    item_entities,
    items,
    list_items,
    list_probes,
    lookups,
    people_entities,
    people_lookups,
    people_ratings,
    readings,
)
from monitor.store.schema import bodies as body_table
from monitor.store.schema import labels as label_table
from monitor.store.subjects import Subject, normal

_AT_ONCE = 500
_STREAM = 1_000
#: No answer of a look-up about people is larger.
_MOST_LOOKUP = 2**28


@dataclass(frozen=True, slots=True)
class Found:
    """Ids of what goes. `shown` are items that show the subject, others only speak of it."""

    items: Sequence[int]
    shown: Sequence[int]
    readings: Sequence[int]
    exchanges: Sequence[int]
    bodies: Sequence[int]
    documents: Sequence[tuple[int, str, str]]  # id, collection, key
    lookups: Sequence[int]
    people_lookups: Sequence[int]
    people: int  # rows about the entities: labels, resolutions, ratings
    runs: Sequence[int]

    @property
    def any(self) -> bool:
        """Whether there is anything to take away."""
        return any(self.counts().values())

    def counts(self) -> dict[str, int]:
        """How many of each, for people and for the tombstone."""
        return {
            "items": len(self.items),
            "bodies": len(self.bodies),
            "documents": len(self.documents),
            "lookups": len(self.lookups) + len(self.people_lookups),
            "people": self.people,
        }


def find(connection: sa.Connection, subject: Subject, progress: Callable[[int], None]) -> Found:
    """Find all that is kept of a subject; items and answers to look-ups are read one by one."""
    found = _Items(connection, subject, progress)
    pages, looked_up = _documents(connection, subject, found.addresses)
    looked_up |= _lookups(connection, subject, found.addresses)
    exchange_ids = sorted(found.exchanges | _asked(connection, subject))
    body_ids = _bodies(connection, exchange_ids, [number for number, _, _, _ in pages], looked_up)
    return Found(
        items=sorted(found.items),
        shown=sorted(found.shown),
        readings=sorted(found.readings),
        exchanges=exchange_ids,
        bodies=body_ids,
        documents=[(number, collection, key) for number, collection, key, _ in pages],
        lookups=sorted(looked_up),
        people_lookups=_people_lookups(connection, subject, progress),
        people=_people(connection, subject),
        runs=_runs(connection, exchange_ids, looked_up, body_ids),
    )


# --- items and answers ----------------------------------------------------------------------------


class _Items:
    """The items that show a subject or speak of it, with where they were read."""

    def __init__(
        self, connection: sa.Connection, subject: Subject, progress: Callable[[int], None]
    ) -> None:
        self.items: set[int] = set()
        self.shown: set[int] = set()
        self.readings: set[int] = set()
        self.exchanges: set[int] = set()
        self.addresses: set[str] = set()
        for done, row in enumerate(_candidates(connection, subject), start=1):
            self._look(subject, row)
            progress(done)

    def _look(self, subject: Subject, row: Any) -> None:  # noqa: ANN401 - a row of candidates
        shown = row.shows in subject.entities or row.entity in subject.written_keys
        own = shown or subject.is_of(row.url)
        named = not subject.profession or row.asked_about
        spoken = named and any(subject.is_in(one) for one in (row.title, row.text, row.url))
        if not own and not spoken:
            return
        self.items.add(int(row.id))
        self.readings.add(int(row.reading_id))
        if row.exchange_id is not None:
            self.exchanges.add(int(row.exchange_id))
        if own:
            self.shown.add(int(row.id))
        if address := normal(row.url):
            self.addresses.add(address)


def _candidates(connection: sa.Connection, subject: Subject) -> Iterator[Any]:
    """Items that may be of a subject, in portions of bounded size."""
    holds = [
        column.icontains(needle, autoescape=True)
        for needle in subject.needles()
        for column in (items.c.title, items.c.text, items.c.url)
    ]
    shows = item_entities.c.entity.in_(sorted(subject.entities))
    keyed = items.c.entity.in_(subject.written_keys)
    query = (
        sa.select(
            items.c.id,
            items.c.reading_id,
            items.c.title,
            items.c.text,
            items.c.url,
            items.c.entity,
            item_entities.c.entity.label("shows"),
            attempts.c.exchange_id,
            _of_profession(subject.profession).label("asked_about"),
        )
        .join(readings, readings.c.id == items.c.reading_id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .outerjoin(item_entities, item_entities.c.item_id == items.c.id)
        .where(items.c.erasure_id.is_(None), sa.or_(shows, keyed, *holds))
        .order_by(items.c.id)
        .limit(_STREAM)
    )
    last = 0
    while some := connection.execute(query.where(items.c.id > last)).all():
        last = int(some[-1].id)
        yield from some


def _of_profession(profession: str) -> sa.ColumnElement[bool]:
    """Whether the question of an attempt was about a profession."""
    if not profession:
        return sa.true()
    tag = sa.func.replace(list_items.c.tags["occupation"].as_string(), "_", " ")
    asked = (
        sa.select(list_probes.c.probe_id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .where(list_probes.c.probe_id == attempts.c.probe_id, tag == profession)
    )
    return asked.exists()


def _asked(connection: sa.Connection, subject: Subject) -> set[int]:
    """Exchanges that ended at an address of the subject."""
    found: set[int] = set()
    for address in subject.addresses:
        host = address.partition("/")[0]
        query = sa.select(exchanges.c.id, exchanges.c.url).where(
            exchanges.c.url.icontains(host, autoescape=True)
        )
        for row in connection.execute(query):
            if subject.is_of(row.url):
                found.add(int(row.id))
    return found


def _bodies(
    connection: sa.Connection,
    exchange_ids: Sequence[int],
    document_ids: Sequence[int],
    lookup_ids: set[int],
) -> list[int]:
    """Bodies of exchanges, documents and look-ups that are not erased; never files of jobs."""
    found: set[int] = set()
    for column, ids in (
        (exchanges.c.body_id, exchange_ids),
        (exchanges.c.screenshot_id, exchange_ids),
        (documents.c.body_id, document_ids),
        (lookups.c.body_id, sorted(lookup_ids)),
    ):
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            query = (
                sa.select(body_table.c.id)
                .join(column.table, column == body_table.c.id)
                .where(
                    column.table.c.id.in_(part),
                    body_table.c.removed_because != "erased",
                    body_table.c.retention != "job",
                    body_table.c.id.not_in(sa.select(bundle_files.c.body_id)),
                )
            )
            found |= {int(number) for number in connection.execute(query).scalars()}
    return sorted(found)


# --- pages behind results -------------------------------------------------------------------------


def _documents(
    connection: sa.Connection, subject: Subject, addresses: set[str]
) -> tuple[list[tuple[int, str, str, int | None]], set[int]]:
    """Documents under an address of the subject, or of an item of it, and their look-ups."""
    query = sa.select(
        documents.c.id, documents.c.collection, documents.c.key, documents.c.lookup_id
    ).where(documents.c.erasure_id.is_(None))
    found = [
        (int(row.id), row.collection, row.key, row.lookup_id)
        for row in connection.execute(query.execution_options(yield_per=_STREAM))
        if normal(row.key) in addresses or subject.is_of(row.key) or subject.is_in(row.key)
    ]
    return found, {int(lookup) for _, _, _, lookup in found if lookup is not None}


def _lookups(connection: sa.Connection, subject: Subject, addresses: set[str]) -> set[int]:
    """Look-ups of pages under an address of the subject, or of an item of it."""
    query = sa.select(lookups.c.id, lookups.c.request, lookups.c.url).where(
        lookups.c.purpose == Purpose.LANDING
    )
    found: set[int] = set()
    for row in connection.execute(query.execution_options(yield_per=_STREAM)):
        asked = [row.url, row.request.get("url"), *(row.request.get("redirects") or ())]
        texts = [one for one in asked if isinstance(one, str) and one]
        if any(normal(o) in addresses or subject.is_of(o) or subject.is_in(o) for o in texts):
            found.add(int(row.id))
    return found


# --- people ---------------------------------------------------------------------------------------


def _people_lookups(
    connection: sa.Connection, subject: Subject, progress: Callable[[int], None]
) -> list[int]:
    """Look-ups about people that were made for the subject, or whose text is about it."""
    columns = people_lookups.c
    made = sa.select(people_entities.c.lookup_id).where(
        people_entities.c.entity.in_(sorted(subject.entities))
    )
    own = {int(number) for number in connection.execute(made).scalars() if number is not None}
    found = []
    numbers = connection.execute(sa.select(columns.id).order_by(columns.id)).scalars().all()
    for done, number in enumerate(numbers, start=1):
        row = connection.execute(sa.select(people_lookups).where(columns.id == number)).one()
        progress(done)
        if row.request.get("erased"):
            continue
        if int(number) in own or any(subject.is_keyed(text) for text in _texts(row)):
            found.append(int(number))
    return found


def _texts(row: Any) -> Iterator[str]:  # noqa: ANN401 - a row of people_lookups
    """Everything that a look-up about people says."""
    yield from (str(row.request), row.url, row.detail)
    if not retention.is_tombstone(row.body):
        try:
            unpacked = zstandard.ZstdDecompressor().decompress(
                row.body, max_output_size=_MOST_LOOKUP
            )
        except zstandard.ZstdError:
            return  # damaged: `evidence verify` names it
        yield unpacked.decode("utf-8", "replace")


def _people(connection: sa.Connection, subject: Subject) -> int:
    """How many labels, resolutions and ratings there are of the entities."""
    return sum(
        int(
            connection.execute(
                sa.select(sa.func.count())
                .select_from(table)
                .where(table.c.entity.in_(sorted(subject.entities)))
            ).scalar_one()
        )
        for table in (label_table, people_entities, people_ratings)
    )


def _runs(
    connection: sa.Connection,
    exchange_ids: Sequence[int],
    lookup_ids: set[int],
    body_ids: Sequence[int],
) -> list[int]:
    """The runs that lose inputs, also those that had the same answer, or read it."""
    found: set[int] = set()
    for column, ids in (
        (exchanges.c.id, exchange_ids),
        (exchanges.c.body_id, body_ids),
        (lookups.c.id, sorted(lookup_ids)),
    ):
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            query = sa.select(column.table.c.run_id).where(column.in_(part)).distinct()
            found |= {int(n) for n in connection.execute(query).scalars() if n is not None}
    return sorted({*found, *corpora.readers(connection, sorted(found))})
