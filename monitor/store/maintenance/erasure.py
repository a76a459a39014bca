"""Find all that is stored of a person or an address, and take it away.

Rows lose names, addresses and texts, answers and pictures become tombstones, and keyed hashes stay,
by which the subject is recognized later. Digests, counts, classes and points stay.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
import zstandard

from monitor.labels.shown_entities import shown_entity
from monitor.model import DONOR, Block, InvalidInput, Item, Purpose
from monitor.store import rows
from monitor.store.collect import bodies
from monitor.store.collect.bodies import RemovalReason
from monitor.store.collect.runs import mark_stage
from monitor.store.database import Database
from monitor.store.derive import corpora, people
from monitor.store.maintenance import retention
from monitor.store.maintenance.erasure_subjects import (
    DONOR_PREFIX,
    ErasureSubject,
    fold_text,
    hash_keys,
    hash_mark,
    is_address,
    is_pseudonym,
    make_name_key,
    make_pseudonym,
    normalize_address,
)
from monitor.store.schema import (
    agreements,
    attempts,
    bundle_files,
    documents,
    donated_pages,
    donations,
    erasures,
    exchanges,
    item_entities,
    item_overviews,
    items,
    judgements,
    labels,
    list_items,
    list_probes,
    lookups,
    metadata,
    people_entities,
    people_lookups,
    people_ratings,
    probes,
    readings,
)
from monitor.store.schema import bodies as body_table
from monitor.store.selectables import READ_ITEMS

#: The stage that marks a run which lost something, with the id of the erasure as its version.
ERASE_STAGE = "erase"
_AT_ONCE = 500
_STREAM = 1_000
#: No answer of a look-up about people is larger.
_MOST_LOOKUP = 2**28


@dataclass(frozen=True, slots=True)
class ErasableRows:
    """Ids of rows that go. `shown` are items that show the subject, others mention it."""

    items: Sequence[int]
    shown: Sequence[int]
    readings: Sequence[int]
    exchanges: Sequence[int]
    bodies: Sequence[int]
    runs: Sequence[int]
    documents: Sequence[tuple[int, str, str]] = ()  # id, collection, key
    lookups: Sequence[int] = ()
    people_lookups: Sequence[int] = ()
    people: int = 0  # rows about the entities: labels, resolutions, ratings
    donated: Sequence[int] = ()  # donated pages

    @property
    def any(self) -> bool:
        """Return whether there is anything to take away."""
        return any(self.counts().values())

    def counts(self) -> dict[str, int]:
        """Return how many of each, for people and for the tombstone."""
        return {
            "items": len(self.items),
            "bodies": len(self.bodies),
            "documents": len(self.documents),
            "lookups": len(self.lookups) + len(self.people_lookups),
            "people": self.people,
            "donated": len(self.donated),
        }


def find_erasable(
    connection: sa.Connection, subject: ErasureSubject, progress: Callable[[int], None]
) -> ErasableRows:
    """Find all that is kept of a subject; items and answers to look-ups are read one by one."""
    if subject.donor:
        return _find_of_donor(connection, subject.donor)
    matching = []  # items that show it or speak of it
    for done, row in enumerate(_read_candidates(connection, subject), start=1):
        is_own = _is_own(subject, row)
        if is_own or _speaks_of(subject, row):
            matching.append((row, is_own))
        progress(done)
    addresses = {normalize_address(row.url) for row, _ in matching} - {""}
    pages, looked_up = _find_documents(connection, subject, addresses)
    looked_up |= _find_lookups(connection, subject, addresses)
    answering = {int(row.exchange_id) for row, _ in matching if row.exchange_id is not None}
    exchange_ids = sorted(answering | _find_exchanges(connection, subject))
    body_ids = _find_bodies(connection, exchange_ids, [page[0] for page in pages], looked_up)
    return ErasableRows(
        items=sorted({int(row.id) for row, _ in matching}),
        shown=sorted({int(row.id) for row, is_own in matching if is_own}),
        readings=sorted({int(row.reading_id) for row, _ in matching}),
        exchanges=exchange_ids,
        bodies=body_ids,
        documents=[(number, collection, key) for number, collection, key, _ in pages],
        lookups=sorted(looked_up),
        people_lookups=_find_people_lookups(connection, subject, progress),
        people=_count_people(connection, subject),
        runs=_find_runs(connection, exchange_ids, looked_up, body_ids),
    )


def _find_of_donor(connection: sa.Connection, donor: str) -> ErasableRows:
    """Find a donor's pages, and what was read of them."""
    of_donor = attempts.c.probe_id.in_(
        sa.select(probes.c.id).where(probes.c.parameters[DONOR].as_string() == donor)
    )
    exchange_ids = _list_ids(connection, sa.select(attempts.c.exchange_id).where(of_donor))
    reading_ids = _list_ids(
        connection,
        sa.select(readings.c.id)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .where(of_donor),
    )
    left = sa.select(items.c.id).where(items.c.erasure_id.is_(None))
    left_rows = rows.read_in_parts(connection, left, items.c.reading_id, reading_ids)
    item_ids = sorted(row.id for row in left_rows)
    given = sa.select(donated_pages.c.id).join(
        donations, donations.c.id == donated_pages.c.donation_id
    )
    living = donated_pages.c.erasure_id.is_(None)
    page_ids = _list_ids(connection, given.where(living, donations.c.donor == donor))
    of_others = given.with_only_columns(donated_pages.c.body_id).where(
        living, donations.c.donor != donor
    )
    own_bodies = given.with_only_columns(donated_pages.c.body_id).where(donations.c.donor == donor)
    body_ids = _list_ids(
        connection,
        sa.select(body_table.c.id).where(
            body_table.c.id.in_(own_bodies),
            body_table.c.id.not_in(of_others),
            body_table.c.removed_because != "erased",
        ),
    )
    return ErasableRows(
        items=item_ids,
        shown=item_ids,
        readings=reading_ids,
        exchanges=exchange_ids,
        bodies=body_ids,
        runs=_find_runs(connection, exchange_ids, set(), body_ids),
        donated=page_ids,
    )


def _list_ids(connection: sa.Connection, query: sa.Select[Any]) -> list[int]:
    return sorted({int(n) for n in connection.execute(query).scalars() if n is not None})


# --- items and answers ----------------------------------------------------------------------------


def _is_own(subject: ErasureSubject, row: Any) -> bool:  # noqa: ANN401 - a row of candidates
    """Return whether an item shows a subject."""
    is_shown = row.shows in subject.entities or row.entity in subject.written_keys
    return is_shown or subject.is_of(row.url)


def _speaks_of(subject: ErasureSubject, row: Any) -> bool:  # noqa: ANN401 - a row of candidates
    """Return whether the words of an item, or of what it cites, hold a subject."""
    if subject.profession and not row.asked_about:
        return False
    cited = [text for source in row.sources or () for text in source]
    return any(subject.is_in(text) for text in (row.title, row.text, row.url, *cited))


def _read_candidates(connection: sa.Connection, subject: ErasureSubject) -> Iterator[Any]:
    """Yield items that may be of a subject, in portions."""
    holds = [
        column.icontains(needle, autoescape=True)
        for needle in subject.needles()
        for column in (items.c.title, items.c.text, items.c.url)
    ]
    cited = sa.cast(item_overviews.c.sources, sa.Text)  # JSON, which may escape letters
    holds += [
        cited.icontains(spelling, autoescape=True)
        for needle in subject.needles()
        for spelling in {needle, json.dumps(needle)[1:-1]}
    ]
    shows = item_entities.c.entity.in_(sorted(subject.entities))
    keyed = items.c.entity.in_(subject.written_keys)
    query = (
        sa.select(
            *(items.c[name] for name in ("id", "reading_id", "title", "text", "url", "entity")),
            item_overviews.c.sources,
            item_entities.c.entity.label("shows"),
            attempts.c.exchange_id,
            _asks_profession(subject.profession).label("asked_about"),
        )
        .select_from(READ_ITEMS)
        .outerjoin(item_entities, item_entities.c.item_id == items.c.id)
        .outerjoin(item_overviews, item_overviews.c.item_id == items.c.id)
        .where(items.c.erasure_id.is_(None), sa.or_(shows, keyed, *holds))
        .order_by(items.c.id)
        .limit(_STREAM)
    )
    last = 0
    while partition := connection.execute(query.where(items.c.id > last)).all():
        last = int(partition[-1].id)
        yield from partition


def _asks_profession(profession: str) -> sa.ColumnElement[bool]:
    """Return whether the question of an attempt was about a profession."""
    if not profession:
        return sa.true()
    tag = sa.func.replace(list_items.c.tags["occupation"].as_string(), "_", " ")
    asked_probes = (
        sa.select(list_probes.c.probe_id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .where(list_probes.c.probe_id == attempts.c.probe_id, tag == profession)
    )
    return asked_probes.exists()


def _find_exchanges(connection: sa.Connection, subject: ErasureSubject) -> set[int]:
    """Return exchanges that ended at an address of the subject."""
    hosts = (address.partition("/")[0] for address in subject.addresses)
    fits = sa.or_(sa.false(), *(exchanges.c.url.icontains(h, autoescape=True) for h in hosts))
    query = sa.select(exchanges.c.id, exchanges.c.url).where(fits)
    return {int(row.id) for row in connection.execute(query) if subject.is_of(row.url)}


def _find_bodies(
    connection: sa.Connection,
    exchange_ids: Sequence[int],
    document_ids: Sequence[int],
    lookup_ids: set[int],
) -> list[int]:
    """Return bodies of exchanges, documents and look-ups that are not files of jobs."""
    body_ids: set[int] = set()
    for column, ids in (
        (exchanges.c.body_id, exchange_ids),
        (exchanges.c.screenshot_id, exchange_ids),
        (documents.c.body_id, document_ids),
        (lookups.c.body_id, sorted(lookup_ids)),
    ):
        query = (
            sa.select(body_table.c.id)
            .join(column.table, column == body_table.c.id)
            .where(
                body_table.c.removed_because != "erased",
                body_table.c.retention != "job",
                body_table.c.id.not_in(sa.select(bundle_files.c.body_id)),
            )
        )
        body_rows = rows.read_in_parts(connection, query, column.table.c.id, ids)
        body_ids |= {row.id for row in body_rows}
    return sorted(body_ids)


# --- pages behind results -------------------------------------------------------------------------


def _find_documents(
    connection: sa.Connection, subject: ErasureSubject, addresses: set[str]
) -> tuple[list[tuple[int, str, str, int | None]], set[int]]:
    """Return documents under an address of the subject, or of an item of it, and their look-ups."""
    query = sa.select(
        documents.c.id, documents.c.collection, documents.c.key, documents.c.lookup_id
    ).where(documents.c.erasure_id.is_(None))
    document_rows = [
        (int(row.id), row.collection, row.key, row.lookup_id)
        for row in connection.execute(query.execution_options(yield_per=_STREAM))
        if _is_touched(subject, addresses, row.key)
    ]
    return document_rows, {int(lookup) for _, _, _, lookup in document_rows if lookup is not None}


def _is_touched(subject: ErasureSubject, addresses: set[str], text: str) -> bool:
    return normalize_address(text) in addresses or subject.is_of(text) or subject.is_in(text)


def _find_lookups(
    connection: sa.Connection, subject: ErasureSubject, addresses: set[str]
) -> set[int]:
    """Return look-ups of pages under an address of the subject, or of an item of it."""
    query = sa.select(lookups.c.id, lookups.c.request, lookups.c.url).where(
        lookups.c.purpose == Purpose.LANDING
    )
    lookup_ids: set[int] = set()
    for row in connection.execute(query.execution_options(yield_per=_STREAM)):
        addresses_asked = [row.url, row.request.get("url"), *(row.request.get("redirects") or ())]
        texts = [address for address in addresses_asked if isinstance(address, str) and address]
        if any(_is_touched(subject, addresses, text) for text in texts):
            lookup_ids.add(int(row.id))
    return lookup_ids


# --- people ---------------------------------------------------------------------------------------


def _find_people_lookups(
    connection: sa.Connection, subject: ErasureSubject, progress: Callable[[int], None]
) -> list[int]:
    """Return look-ups about people that were made for the subject, or mention it."""
    columns = people_lookups.c
    entity_lookups = sa.select(people_entities.c.lookup_id).where(
        people_entities.c.entity.in_(sorted(subject.entities))
    )
    own_lookups = set(_list_ids(connection, entity_lookups))
    lookup_ids = []
    numbers = connection.execute(sa.select(columns.id).order_by(columns.id)).scalars().all()
    for done, number in enumerate(numbers, start=1):
        row = connection.execute(sa.select(people_lookups).where(columns.id == number)).one()
        progress(done)
        if row.request.get("erased"):
            continue
        if int(number) in own_lookups or any(subject.is_keyed(text) for text in _list_texts(row)):
            lookup_ids.append(int(number))
    return lookup_ids


def _list_texts(row: Any) -> Iterator[str]:  # noqa: ANN401 - a row of people_lookups
    """Yield everything that a look-up about people says."""
    yield from (str(row.request), row.url, row.detail)
    if not retention.is_tombstone(row.body):
        unpack = zstandard.ZstdDecompressor()
        try:
            unpacked = unpack.decompress(row.body, max_output_size=_MOST_LOOKUP)
        except zstandard.ZstdError:
            return  # damaged: `evidence verify` names it
        yield unpacked.decode("utf-8", "replace")


def _count_people(connection: sa.Connection, subject: ErasureSubject) -> int:
    """Return how many labels, resolutions and ratings there are of the entities."""
    entities, tables = sorted(subject.entities), (labels, people_entities, people_ratings)
    count = sa.func.count()
    queries = (sa.select(count).where(table.c.entity.in_(entities)) for table in tables)
    return sum(int(connection.execute(query).scalar_one()) for query in queries)


def _find_runs(
    connection: sa.Connection,
    exchange_ids: Sequence[int],
    lookup_ids: set[int],
    body_ids: Sequence[int],
) -> list[int]:
    """Return the runs that lose inputs, also by a shared answer or a corpus."""
    run_ids: set[int] = set()
    for column, ids in (
        (exchanges.c.id, exchange_ids),
        (exchanges.c.body_id, body_ids),
        (lookups.c.id, sorted(lookup_ids)),
    ):
        query = sa.select(column.table.c.run_id).distinct()
        run_rows = rows.read_in_parts(connection, query, column, ids)
        run_ids |= {row.run_id for row in run_rows if row.run_id is not None}
    return sorted({*run_ids, *corpora.find_readers(connection, sorted(run_ids))})


_ERASED = {"erased": True}
#: What is hashed to know whether a key is the one that earlier erasures were made with.
_KEY_MARK = "monitor"


# --- who is meant ---------------------------------------------------------------------------------


def find_subject(
    connection: sa.Connection, what: str, profession: str = "", key: str = ""
) -> ErasureSubject:
    """Return whom or what is meant: an address, the key of an entity, a name, or a donor.

    A donor is `donor:` with the name, of which `key` makes the pseudonym, or with the pseudonym.
    Raises InvalidInput for what names nobody, and for a name that several known people have.
    """
    what = what.strip()
    if what.startswith(DONOR_PREFIX):
        name = what.removeprefix(DONOR_PREFIX).strip()
        if is_pseudonym(name):
            return ErasureSubject("donor", donor=name)
        return ErasureSubject("donor", donor=make_pseudonym(name, key))
    if is_address(what):
        return _parse_address(what)
    entity_key = _parse_key(what)
    entities_shown = people.read_shown_entities(connection)
    if entity_key:
        entities = {entity_key}
    else:
        if not make_name_key(what):
            raise InvalidInput(f"{what!r} is no name, key of an entity or address")
        entities = {
            key
            for key, (whom, _) in entities_shown.items()
            if fold_text(whom.name) == fold_text(what)
            or key.partition("|")[0] == make_name_key(what)
        }
        if profession:
            occupations = people.read_professions(connection, entities)
            entities = {key for key in entities if profession in occupations.get(key, ())}
    people_of = {entities_shown[key][1] for key in entities if key in entities_shown} - {""}
    people_of |= {key.removeprefix("wd:") for key in entities if key.startswith("wd:")}
    if len(people_of) > 1:
        raise InvalidInput(
            f"{what!r} fits {len(people_of)} people: {', '.join(sorted(people_of))}; name one of "
            "them by its item"
        )
    entities |= {key for key, (_, item) in entities_shown.items() if item in people_of}
    entities |= {f"wd:{item}" for item in people_of}
    names = {entities_shown[key][0].name for key in entities if key in entities_shown}
    names |= _read_names(connection, entities) | (set() if entity_key else {what})
    names_known = tuple(sorted(names - {""}))
    return ErasureSubject("person", frozenset(entities), names_known, profession=profession)


def _read_names(connection: sa.Connection, entities: set[str]) -> set[str]:
    """Return the names by which pages called these people."""
    keys = sorted(entities)
    written = ErasureSubject("person", frozenset(entities)).written_keys
    query = (
        sa.select(items)
        .outerjoin(item_entities, item_entities.c.item_id == items.c.id)
        .where(item_entities.c.entity.in_(keys) | items.c.entity.in_(written))
    )
    names = set()
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        whom = shown_entity(Item(row.rank, "", row.block, row.url, row.title, row.entity))
        names |= {whom.name} if whom else set()
    return names


def _parse_address(what: str) -> ErasureSubject:
    """Return an address, or the pattern `https://example.com/people/*`."""
    begins = what.endswith("/*")
    address = normalize_address(what.removesuffix("*"))
    if not address or "*" in address:
        raise InvalidInput(f"{what!r} is no address; a * stands at the end, behind a slash")
    whom = shown_entity(Item(1, "", Block.ORGANIC, what, "", ""))
    article = frozenset({whom.entity} if whom and not begins else ())
    return ErasureSubject("url", article, addresses=(f"{address}/*" if begins else address,))


def _parse_key(what: str) -> str:
    """Return the key of an entity as it stands in the tables; empty for a name."""
    if what.startswith(("wiki:", "name:")):
        return what
    whom = shown_entity(Item(1, "", Block.CAROUSEL, "", "", what))
    return whom.entity if whom else ""


# --- what goes ------------------------------------------------------------------------------------


def erase_rows(
    connection: sa.Connection,
    database: Database,
    subject: ErasureSubject,
    erasable: ErasableRows,
    erasure_id: int,
    key: str,
    now: datetime,
) -> list[str]:
    """Take away what was found; digests of the files to delete after the commit."""
    empty = {"text": "", "title": "", "url": "", "entity": "", "erasure_id": erasure_id}
    for change, column, ids in (
        (sa.update(items).values(empty), items.c.id, erasable.items),
        (sa.update(agreements).values(witnesses=[]), agreements.c.item_id, erasable.items),
        (sa.update(item_overviews).values(sources=[]), item_overviews.c.item_id, erasable.items),
        (sa.delete(item_entities), item_entities.c.item_id, erasable.shown),
    ):
        rows.change_in_parts(connection, change, column, ids)
    if subject.donor:
        _erase_donations(connection, erasable, erasure_id)
    _clean_texts(connection, subject, readings, erasable.readings, ("detail",))
    columns = ("request", "url", "detail", "headers", "observed")
    _clean_texts(connection, subject, exchanges, erasable.exchanges, columns)
    _erase_documents(connection, erasable, erasure_id, key)
    emptied = {"request": _ERASED, "url": "", "detail": ""}
    for table, ids in ((lookups, erasable.lookups), (people_lookups, erasable.people_lookups)):
        rows.change_in_parts(connection, sa.update(table).values(emptied), table.c.id, ids)
    for id_part in rows.split_values(erasable.people_lookups, _AT_ONCE):
        retention.remove_lookup_bodies(connection, id_part, RemovalReason.ERASED, now)
    _erase_people(connection, subject)
    for run_id in erasable.runs:
        mark_stage(connection, run_id, ERASE_STAGE, str(erasure_id))
    return bodies.remove_bodies(connection, database, erasable.bodies, RemovalReason.ERASED, now)


def _erase_donations(connection: sa.Connection, erasable: ErasableRows, erasure_id: int) -> None:
    """Empty what says which pages a donor gave, where and when."""
    emptied = {"request": _ERASED, "url": "", "detail": "", "headers": [], "observed": sa.null()}
    forgotten = {"donor": "", "region": "", "consent": "", "removed": {}}
    gone = {"url": "", "query": "", "system": "", "erasure_id": erasure_id}
    of_pages = rows.read_in_parts(
        connection, sa.select(donated_pages.c.donation_id), donated_pages.c.id, erasable.donated
    )
    for table, values, ids in (
        (exchanges, emptied, erasable.exchanges),
        (readings, {"detail": ""}, erasable.readings),
        (donations, forgotten, sorted({row.donation_id for row in of_pages})),
        (donated_pages, gone, erasable.donated),
    ):
        rows.change_in_parts(connection, sa.update(table).values(values), table.c.id, ids)


def _clean_texts(
    connection: sa.Connection,
    subject: ErasureSubject,
    table: sa.Table,
    ids: Sequence[int],
    columns: Sequence[str],
) -> None:
    """Empty the texts of some rows that hold the subject; keep the rest of them."""
    query = sa.select(table.c.id, *(table.c[name] for name in columns))
    for row in rows.read_in_parts(connection, query, table.c.id, ids):
        changed = {
            name: new
            for name, old in zip(columns, row[1:], strict=True)
            if (new := _remove_subject(subject, old)) != old
        }
        if changed:
            connection.execute(sa.update(table).where(table.c.id == row.id).values(changed))


def _remove_subject(subject: ErasureSubject, value: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
    if isinstance(value, str):
        return "" if subject.is_of(value) or subject.is_in(value) else value
    if isinstance(value, Mapping):
        return {name: _remove_subject(subject, item) for name, item in value.items()}
    if isinstance(value, list):
        return [_remove_subject(subject, item) for item in value]
    return value


def _erase_documents(
    connection: sa.Connection, erasable: ErasableRows, erasure_id: int, key: str
) -> None:
    """Hash the keys of documents and empty their texts; judgements follow them."""
    for number, collection, name in erasable.documents:
        hashed = f"erased:{hash_mark(key, f'document:{name}')}"
        change = sa.update(documents).where(documents.c.id == number)
        values = {"key": hashed, "detail": "", "erasure_id": erasure_id}
        connection.execute(change.values(values))
        judged = (judgements.c.collection == collection) & (judgements.c.document == name)
        connection.execute(sa.update(judgements).where(judged).values(document=hashed))


def _erase_people(connection: sa.Connection, subject: ErasureSubject) -> None:
    """Remove labels, look-ups and ratings of the entities, and mentions beside others."""
    entities = sorted(subject.entities)
    for table in (labels, item_entities, people_ratings, people_entities):
        rows.change_in_parts(connection, sa.delete(table), table.c.entity, entities)
    item_ids = {entity.removeprefix("wd:") for entity in entities if entity.startswith("wd:")}
    columns = people_entities.c
    query = sa.select(columns.id, columns.candidates, columns.link, columns.annotation)
    for row in connection.execute(query.order_by(columns.id)).all():
        remaining = {
            "candidates": [entity for entity in row.candidates if entity not in item_ids],
            "link": _remove_subject(subject, row.link),
            "annotation": _remove_subject(subject, row.annotation),
        }
        if remaining != {name: getattr(row, name) for name in remaining}:
            change = sa.update(people_entities).where(columns.id == row.id)
            connection.execute(change.values(remaining))


# --- what stays of it -----------------------------------------------------------------------------


def record_erasure(
    connection: sa.Connection,
    subject: ErasureSubject,
    reason: str,
    counts: Mapping[str, int],
    key: str,
    now: datetime,
) -> int:
    """Add an erasure: the id of its first row, which has the counts.

    There is a row for each way in which the subject may be met again.
    """
    mark = hash_mark(key, _KEY_MARK)
    row = {"kind": subject.kind, "reason": reason, "erased_at": now}
    hashes = [hash_mark(key, mark_hash) for mark_hash in subject.marks()]
    first = {**row, "subject_hash": hashes[0], "counts": {**counts, "key": mark}}
    [erasure_id] = rows.insert_returning(connection, erasures, [first])
    further_rows = [
        {**row, "subject_hash": mark_hash, "counts": {"of": erasure_id, "key": mark}}
        for mark_hash in hashes[1:]
    ]
    rows.insert_returning(connection, erasures, further_rows)
    return erasure_id


def record_empty_erasure(connection: sa.Connection, key: str, now: datetime) -> int:
    """Add an erasure of nobody, for items that were erased in another archive."""
    row = {
        "kind": "url", "subject_hash": "", "reason": "erased in the archive that this is from",
        "counts": {"key": hash_mark(key, _KEY_MARK)}, "erased_at": now,
    }  # fmt: skip
    return rows.insert_returning(connection, erasures, [row])[0]


def find_erased(connection: sa.Connection, keys: Iterable[str], key: str) -> set[str]:
    """Return which of these keys of entities, or addresses, were erased.

    Raises InvalidInput where there were erasures and the key of their hashes is not this one.
    """
    made_with = {
        counts["key"] for counts in connection.execute(sa.select(erasures.c.counts)).scalars()
    }
    if not made_with:
        return set()
    if not key or made_with != {hash_mark(key, _KEY_MARK)}:
        raise InvalidInput(
            "MONITOR_ADDRESS_KEY is not the key that people and addresses were erased with, so "
            "nobody can tell whom not to look up: set it to that key"
        )
    hashes = hash_keys(key, keys)
    erased: set[str] = set()
    query = sa.select(erasures.c.subject_hash)
    for row in rows.read_in_parts(connection, query, erasures.c.subject_hash, sorted(hashes)):
        erased |= hashes[row.subject_hash]
    return erased


def find_remains(
    connection: sa.Connection, subject: ErasureSubject, progress: Callable[[int], None]
) -> dict[str, int]:
    """Return {table.column: rows} that hold the subject nevertheless, as lists and jobs do."""
    remains: dict[str, int] = {}
    traces = subject.traces()
    if not traces:
        return remains
    columns = [
        column
        for table in metadata.tables.values()
        for column in table.c
        if isinstance(column.type, sa.Text | sa.JSON) and column.name != "content_hash"
    ]
    name_of = connection.dialect.identifier_preparer
    plain = (re.sub("([%_/])", r"/\1", trace) for trace in traces)
    within = {f"trace{n}": f"%{trace}%" for n, trace in enumerate(plain)}
    for done, column in enumerate(columns, start=1):
        text = f"lower(CAST({name_of.format_column(column)} AS TEXT))"
        holds = " OR ".join(f"{text} LIKE lower(:{name}) ESCAPE '/'" for name in within)
        # As text: a hundred expressions of SQLAlchemy take longer than to look into small tables.
        table = name_of.format_table(column.table)
        query = sa.text(f"SELECT COUNT(*) FROM {table} WHERE {holds}")  # noqa: S608 - of our own
        if n := int(connection.execute(query, within).scalar_one()):
            remains[f"{column.table.name}.{column.name}"] = n
        progress(done)
    return remains
