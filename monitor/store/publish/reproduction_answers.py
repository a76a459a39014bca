"""Answers with readings, signals and audits, as plain rows of an archive and back.

Answers that show people are withheld as a whole unless people are wanted; the package then only
says that they existed. A reading is one row with its items and signals, so that recomputed readings
can be compared with it; `given` marks readings that are taken over because the package has no raw
answer for them.

Raters have a number instead of a name, in every package. A drawn text is named by its place,
because signals that are found again have other ids.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import InvalidInput
from monitor.store import rows, schema
from monitor.store.collect import bodies
from monitor.store.database import Database
from monitor.store.publish.reproduction import (
    PORTION,
    Row,
    RunSelection,
    decode_bytes,
    encode_bytes,
    encode_value,
    insert_rows,
    is_withheld,
    parse_time,
    select_strata,
    shows_people,
)
from monitor.store.schema import (
    agreements,
    attempts,
    documents,
    exchanges,
    instrument_audit_items,
    instrument_audit_labels,
    item_entities,
    item_overviews,
    items,
    lm_scores,
    readings,
)
from monitor.store.schema import bodies as body_table
from monitor.store.selectables import READ_ITEMS

#: Why a body of a package has no content, beside those that were removed in the archive.
WITHHELD = "withheld"
_BODIES_AT_ONCE = 50


# --- bodies ---------------------------------------------------------------------------------------


class _SeenNumbers:
    """A set of numbers with one byte each, for many millions of them."""

    def __init__(self) -> None:
        self._flags = bytearray()

    def add(self, number: int) -> bool:
        """True for a number that was not seen before."""
        if number >= len(self._flags):
            self._flags.extend(bytes(number + 1 - len(self._flags)))
        new = not self._flags[number]
        self._flags[number] = 1
        return new


def read_bodies(
    connection: sa.Connection, database: Database, run_ids: Sequence[int], selection: RunSelection
) -> Iterator[list[Row]]:
    """Yield the raw answers, each once; of what is not in the package only that it was there.

    Full packages have pages behind results as well. Raises StoreProblem for a damaged answer.
    """
    seen = _SeenNumbers()
    columns = body_table.c
    for run_id in run_ids:
        for query in _select_bodies(run_id, selection):
            last, limited = 0, query.order_by(columns.id).limit(_BODIES_AT_ONCE)
            while part := connection.execute(limited.where(columns.id > last)).mappings().all():
                last = int(part[-1]["id"])
                new = [row for row in part if seen.add(int(row["id"]))]
                stored_ids = [int(r["id"]) for r in new if r["open"] and r["removed_at"] is None]
                content = dict(bodies.read_bodies(connection, database, stored_ids))
                yield [_make_body(row, content.get(int(row["id"]))) for row in new]


def _select_bodies(run_id: int, selection: RunSelection) -> Iterator[sa.Select[Any]]:
    """Yield the answers of a run, and in full packages the texts of the pages behind them.

    `open` are those whose content is in the package, `shows` those whose very digest is not: a page
    about people could be found by trying.
    """
    columns = body_table.c
    facts = (
        columns.id, columns.sha256, columns.size, columns.stored_at, columns.removed_at,
        columns.removed_because,
    )  # fmt: skip
    flags = (
        sa.func.min(count_condition(~is_withheld(selection, run_id))).label("open"),
        sa.func.max(count_condition(shows_people(selection, run_id))).label("shows"),
    )
    yield (
        sa.select(*facts, *flags)
        .join(exchanges, exchanges.c.body_id == columns.id)
        .where(exchanges.c.run_id == run_id)
        .group_by(*facts)
    )
    if selection.full:
        yield (
            sa.select(*facts, sa.literal(1).label("open"), sa.literal(0).label("shows"))
            .join(documents, documents.c.body_id == columns.id)
            .where(documents.c.collection == f"landing:{run_id}")
            .group_by(*facts)
        )


def count_condition(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    """Return an SQL number, 1 where a condition holds, else 0, on both databases."""
    return sa.case((condition, 1), else_=0)


def _make_body(row: sa.RowMapping, content: bytes | None) -> Row:
    removed = row["removed_at"]
    plain_body = {
        "id": int(row["id"]),
        "sha256": f"{WITHHELD}:{row['id']}" if row["shows"] else row["sha256"],
        "size": int(row["size"]),
        "stored_at": encode_value(row["stored_at"]),
        "removed_at": encode_value(removed),
        "removed_because": row["removed_because"] if removed else "",
    }
    if content is not None:
        return plain_body | encode_bytes(content)
    return plain_body if removed else plain_body | {"removed_because": WITHHELD}


def load_bodies(connection: sa.Connection, database: Database, plain_rows: Sequence[Row]) -> None:
    """Keep raw answers under their ids; those without content as removed. Raises InvalidInput."""
    whole, gone = [], []
    for row in plain_rows:
        number = _read_number(row, "id")
        stored_at = parse_time(row.get("stored_at"), "bodies.stored_at")
        if "text" in row or "base64" in row:
            whole.append((number, str(row.get("sha256")), decode_bytes(row), stored_at))
            continue
        removed = row.get("removed_at")
        gone.append(
            {
                "id": number, "sha256": str(row.get("sha256")), "size": _read_number(row, "size"),
                "encoding": "zstd", "content": None, "retention": "answer",
                "stored_at": stored_at.isoformat(),
                "removed_at": stored_at.isoformat() if removed is None else removed,
                "removed_because": str(row.get("removed_because")),
            }
        )  # fmt: skip
    bodies.store_bodies_with_ids(connection, database, whole)
    insert_rows(connection, body_table, gone)


def _read_number(row: Mapping[str, Any], name: str) -> int:
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidInput(f"{name}: {str(value)[:40]!r} is no number of a row")
    return value


# --- what was read in them ------------------------------------------------------------------------

_WRITTEN = ("text", "url", "title", "entity")
#: What of an item stands in a package as it is.
_ITEM = ("block", "rank", *_WRITTEN)


def read_run_readings(
    connection: sa.Connection,
    run_id: int,
    selection: RunSelection,
    alias: Callable[[str], str] = str,
) -> Iterator[list[Row]]:
    """Yield portions of the readings of a run, by attempt and parser version.

    `alias` is what an entity is called where texts are left out.
    """
    body, closed = body_table.alias(), is_withheld(selection, run_id)
    is_open = sa.and_(sa.not_(closed), body.c.removed_at.is_(None))
    query = (
        sa.select(
            readings,
            count_condition(is_open).label("open"),
            count_condition(closed).label("closed"),
        )
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .join(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .outerjoin(body, body.c.id == exchanges.c.body_id)
        .where(attempts.c.run_id == run_id)
        .order_by(readings.c.attempt_id, readings.c.parser_id)
    )  # fmt: skip
    result = connection.execute(query, execution_options={"yield_per": PORTION})
    for partition in result.mappings().partitions():
        yield _make_readings(connection, partition, selection, alias)


def read_attempt_readings(connection: sa.Connection, attempt_ids: Sequence[int]) -> list[Row]:
    """Return the readings of these attempts in the form of `read_run_readings`."""
    query = (
        sa.select(readings, sa.literal(1).label("open"), sa.literal(0).label("closed"))
        .where(readings.c.attempt_id.in_(attempt_ids))
        .order_by(readings.c.attempt_id, readings.c.parser_id)
    )
    reading_rows = connection.execute(query).mappings().all()
    return _make_readings(connection, reading_rows, RunSelection(full=True, people=True), str)


def _make_readings(
    connection: sa.Connection,
    reading_rows: Sequence[sa.RowMapping],
    selection: RunSelection,
    alias: Callable[[str], str],
) -> list[Row]:
    items_of = _read_items(connection, [int(row["id"]) for row in reading_rows])
    return [
        {name: row[name] for name in ("id", "attempt_id", "parser_id", "outcome", "reason")}
        | {
            "detail": "" if row["closed"] else row["detail"],
            "given": not row["open"],
            "items": [
                _make_item(plain_item, closed=bool(row["closed"]), wanted=selection, alias=alias)
                for plain_item in items_of.get(int(row["id"]), ())
            ],
        }
        for row in reading_rows
    ]


def _make_item(
    plain_item: Row, *, closed: bool, wanted: RunSelection, alias: Callable[[str], str]
) -> Row:
    redacted = dict(plain_item)
    if closed:
        redacted |= dict.fromkeys(_WRITTEN, "")
        if redacted["overview"]:
            redacted["overview"] = {**redacted["overview"], "sources": []}
        redacted["signals"] = [signal | {"witnesses": []} for signal in redacted["signals"]]
    if redacted["shows"] is not None:
        redacted["shows"] = alias(redacted["shows"]) if wanted.people else None
    return redacted


def _read_items(connection: sa.Connection, reading_ids: Sequence[int]) -> dict[int, list[Row]]:
    """Return {reading: its items with signals, scores and whom they show}."""
    query = (
        sa.select(
            items,
            item_entities.c.entity.label("shows"),
            lm_scores,
            item_overviews.c.state,
            item_overviews.c.sources,
        )
        .outerjoin(item_entities, item_entities.c.item_id == items.c.id)
        .outerjoin(lm_scores, lm_scores.c.item_id == items.c.id)
        .outerjoin(item_overviews, item_overviews.c.item_id == items.c.id)
        .where(items.c.reading_id.in_(reading_ids))
        .order_by(items.c.id)
    )
    signals_of = _read_signals(connection, reading_ids)
    items_of: dict[int, list[Row]] = {}
    for row in connection.execute(query):
        score = None
        if row.template is not None:
            score = {name: getattr(row, name) for name in _SCORE}
        overview = {"state": row.state, "sources": row.sources} if row.state else None
        items_of.setdefault(int(row.reading_id), []).append(
            {"id": int(row.id)}
            | {name: getattr(row, name) for name in _ITEM}
            | {
                "erased": row.erasure_id is not None, "shows": row.shows, "score": score,
                "overview": overview, "signals": signals_of.get(int(row.id), []),
            }
        )  # fmt: skip
    return items_of


_SCORE = ("template", "log_ratio", "log_masculine", "log_feminine")
_SIGNAL = ("language_id", "cue", "class", "masculine", "feminine", "rule", "witnesses")


def _read_signals(connection: sa.Connection, reading_ids: Sequence[int]) -> dict[int, list[Row]]:
    query = (
        sa.select(agreements)
        .join(items, items.c.id == agreements.c.item_id)
        .where(items.c.reading_id.in_(reading_ids))
        .order_by(agreements.c.item_id, agreements.c.language_id, agreements.c.cue)
    )
    return rows.group_pairs(
        (row["item_id"], {name: row[name] for name in _SIGNAL})
        for row in connection.execute(query).mappings()
    )


def load_readings(
    connection: sa.Connection, plain_rows: Sequence[Row], erasure_id: int, *, with_signals: bool
) -> int:
    """Keep readings that are given, with their items; how many. Raises InvalidInput.

    Items that were erased name this erasure. What can be heard again is not taken over: that is not
    so of erased texts.
    """
    given_rows = [row for row in plain_rows if row.get("given") is True]
    try:
        names = [column.name for column in readings.columns]
        insert_rows(
            connection, readings, [{name: row[name] for name in names} for row in given_rows]
        )
        given_items = [(row["id"], plain_item) for row in given_rows for plain_item in row["items"]]
        insert_rows(connection, items, [
            {name: plain_item[name] for name in ("id", *_ITEM)}
            | {"reading_id": reading, "erasure_id": erasure_id if plain_item["erased"] else None}
            for reading, plain_item in given_items
        ])  # fmt: skip
        heard_items = [
            plain_item for _, plain_item in given_items if with_signals or plain_item["erased"]
        ]
        insert_without_id(connection, agreements, [
            {"item_id": plain_item["id"], **signal}
            for plain_item in heard_items for signal in plain_item["signals"]
        ])  # fmt: skip
        insert_without_id(connection, lm_scores, [
            {"item_id": plain_item["id"], **plain_item["score"]}
            for _, plain_item in given_items if plain_item["score"]
        ])  # fmt: skip
        insert_rows(connection, item_overviews, [
            {"item_id": plain_item["id"], **plain_item["overview"]}
            for _, plain_item in given_items if plain_item.get("overview")
        ])  # fmt: skip
        insert_rows(connection, item_entities, [
            {"item_id": plain_item["id"], "entity": plain_item["shows"]}
            for _, plain_item in given_items if plain_item["shows"] is not None
        ])  # fmt: skip
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"readings: a row that is none: {error}") from error
    return len(given_rows)


def insert_without_id(
    connection: sa.Connection, table: sa.Table, content: Sequence[Row]
) -> list[int]:
    """Insert rows whose own numbers mean nothing: they go on from the last one. These numbers."""
    last = connection.execute(sa.select(sa.func.max(table.c.id))).scalar() or 0
    numbers = [last + n for n, _ in enumerate(content, 1)]
    numbered = zip(numbers, content, strict=True)
    insert_rows(connection, table, [{"id": number, **row} for number, row in numbered])
    return numbers


def count_readings(connection: sa.Connection, parser_ids: Sequence[int]) -> int:
    """Return how many readings there are of these versions of parsers."""
    query = sa.select(sa.func.count()).where(readings.c.parser_id.in_(parser_ids))
    return int(connection.execute(query).scalar_one())


def find_languages(connection: sa.Connection) -> set[int]:
    """Return the versions of languages that signals are of.

    Of erased texts they were taken over.
    """
    query = sa.select(agreements.c.language_id).join(items, items.c.id == agreements.c.item_id)
    return set(connection.execute(query.where(items.c.erasure_id.is_(None)).distinct()).scalars())


def count_readings_with_answer(connection: sa.Connection) -> int:
    """Return how many readings have a stored answer; none before a package is recomputed."""
    query = (
        sa.select(sa.func.count())
        .select_from(readings)
        .join(attempts, attempts.c.id == readings.c.attempt_id)
        .join(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .join(body_table, body_table.c.id == exchanges.c.body_id)
        .where(body_table.c.removed_at.is_(None))
    )
    return int(connection.execute(query).scalar_one())


def read_entities(connection: sa.Connection, selection: RunSelection) -> list[str]:
    """Return everybody whom the wanted runs show, in order; nobody where people are not wanted."""
    if not selection.people:
        return []
    query = (
        sa.select(item_entities.c.entity)
        .select_from(READ_ITEMS)
        .join(item_entities, item_entities.c.item_id == items.c.id)
        .where(attempts.c.run_id.in_(selection.runs))
        .distinct()
    )
    return sorted(connection.execute(query).scalars())


def read_labels(
    connection: sa.Connection,
    entities: Sequence[str],
    alias: Callable[[str], str],
    *,
    reasons: bool,
) -> Iterator[list[Row]]:
    """Yield the recorded groups that count of these people; reasons may name somebody."""
    table = schema.labels
    for part in rows.split_values(entities, PORTION):
        query = sa.select(table).where(table.c.is_current, table.c.entity.in_(part))
        label_rows = connection.execute(query.order_by(table.c.entity, table.c.id)).mappings()
        yield [
            {name: encode_value(value) for name, value in row.items()}
            | {"entity": alias(row["entity"]), "reason": row["reason"] if reasons else ""}
            for row in label_rows
        ]


ITEMS, LABELS = instrument_audit_items.name, instrument_audit_labels.name
#: In the order in which they can be filled.
TABLES = (
    "instrument_audits", "instrument_audit_groups", "instrument_audit_strata", ITEMS, LABELS,
)  # fmt: skip


class CallPlace(NamedTuple):
    """The place of a classified call: the answer, the parser version, and the language."""

    attempt_id: int
    parser_id: int
    block: str
    rank: int
    language_id: int
    cue: str


_PLACE = (
    readings.c.attempt_id, readings.c.parser_id, items.c.block, items.c.rank,
    agreements.c.language_id, agreements.c.cue,
)  # fmt: skip
_CALLS = agreements.join(items, items.c.id == agreements.c.item_id).join(
    readings, readings.c.id == items.c.reading_id
)


def read_drawn(connection: sa.Connection, selection: RunSelection) -> Iterator[list[Row]]:
    """Yield portions of the drawn texts, by id: where each stands, and on the sheet."""
    of = instrument_audit_items.c
    query = (
        sa.select(of.id, of.stratum_id, of.key, of.position, *_PLACE)
        .select_from(instrument_audit_items.join(_CALLS, agreements.c.id == of.agreement_id))
        .where(of.stratum_id.in_(select_strata(selection)))
        .order_by(of.id)
    )
    result = connection.execute(query, execution_options={"yield_per": PORTION})
    for partition in result.mappings().partitions():
        yield [dict(row) for row in partition]


def read_audit_labels(connection: sa.Connection, selection: RunSelection) -> Iterator[list[Row]]:
    """Yield portions of the labels of audits in the order in which they were given."""
    of = instrument_audit_labels.c
    drawn_of = instrument_audit_items.c
    is_selected = of.item_id.in_(
        sa.select(drawn_of.id).where(drawn_of.stratum_id.in_(select_strata(selection)))
    )
    first = sa.select(of.rater).where(is_selected).group_by(of.rater).order_by(sa.func.min(of.id))
    numbers = {name: n for n, name in enumerate(connection.execute(first).scalars(), 1)}
    query = sa.select(instrument_audit_labels).where(is_selected).order_by(of.id)
    result = connection.execute(query, execution_options={"yield_per": PORTION})
    for partition in result.mappings().partitions():
        yield [
            {name: encode_value(value) for name, value in row.items()}
            | {"rater": f"reader-{numbers[row['rater']]}", "sheet": ""}
            for row in partition
        ]


# --- back -----------------------------------------------------------------------------------------


def load_drawn(connection: sa.Connection, plain_rows: Sequence[Row]) -> list[Row]:
    """Keep drawn texts; those whose call is not here are given back. Raises InvalidInput."""
    places = {id_: _make_place(row) for row in plain_rows if isinstance(id_ := row.get("id"), int)}
    if len(places) != len(plain_rows):
        raise InvalidInput(f"{ITEMS}: a row without a number of its own")
    call_ids = _find_calls(connection, places.values())
    content = [
        {name: row.get(name) for name in ("id", "stratum_id", "key", "position")}
        | {"agreement_id": call_ids[places[row["id"]]]}
        for row in plain_rows
        if places[row["id"]] in call_ids
    ]
    insert_rows(connection, instrument_audit_items, content)
    return [row for row in plain_rows if places[row["id"]] not in call_ids]


def _make_place(row: Row) -> CallPlace:
    try:
        call_place = CallPlace(*(row[name] for name in CallPlace._fields))
    except KeyError as error:
        raise InvalidInput(f"{ITEMS}: a row that is none: {error}") from error
    types = (int, int, str, int, int, str)
    if any(type(value) is not kind for value, kind in zip(call_place, types, strict=True)):
        raise InvalidInput(f"{ITEMS}: a place that is none")
    return call_place


def _find_calls(connection: sa.Connection, places: Iterable[CallPlace]) -> dict[CallPlace, int]:
    """Return {place: id of the call} of the calls in this archive."""
    wanted = set(places)
    of_attempts = sorted({place.attempt_id for place in wanted})
    query = sa.select(agreements.c.id, *_PLACE).select_from(_CALLS)
    calls = rows.read_in_parts(connection, query, readings.c.attempt_id, of_attempts)
    return {
        place: int(number) for number, *values in calls if (place := CallPlace(*values)) in wanted
    }


# --- calls of versions that are not here ----------------------------------------------------------


def group_missing_calls(lacking: Iterable[Row]) -> dict[tuple[int, int], set[CallPlace]]:
    """Return {(attempt, parser): places} of calls that only the readings of the package know."""
    groups = rows.group_rows(map(_make_place, lacking), lambda place: place[:2])
    return {reading: set(places) for reading, places in groups.items()}


def load_calls(connection: sa.Connection, row: Row, places: set[CallPlace]) -> bool:
    """Keep the calls at these places of a reading as the package has them.

    Nothing is computed from them: they are what people read. True where the reading itself was not
    here. Raises InvalidInput for a row that is no reading.
    """
    try:
        reading, is_new = _insert_reading(connection, row)
        for plain_item in row["items"]:
            position = plain_item["block"], plain_item["rank"]
            calls = {place[4:] for place in places if (place.block, place.rank) == position}
            if calls:
                item = _insert_item(connection, reading, plain_item)
                content = [
                    {"item_id": item, **signal}
                    for signal in plain_item["signals"]
                    if (signal["language_id"], signal["cue"]) in calls
                ]
                insert_without_id(connection, agreements, content)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"readings: a row that is none: {error}") from error
    return is_new


def _insert_reading(connection: sa.Connection, row: Row) -> tuple[int, bool]:
    of = readings.c
    same = (of.attempt_id == row["attempt_id"]) & (of.parser_id == row["parser_id"])
    reading_id = connection.execute(sa.select(of.id).where(same)).scalar()
    if reading_id is not None:
        return int(reading_id), False
    names = [name for name in readings.c.keys() if name != "id"]  # noqa: SIM118 - of columns
    [number] = insert_without_id(connection, readings, [{name: row[name] for name in names}])
    return number, True


def _insert_item(connection: sa.Connection, reading: int, plain_item: dict[str, Any]) -> int:
    of, at = items.c, (plain_item["block"], plain_item["rank"])
    query = sa.select(of.id).where(of.reading_id == reading, of.block == at[0], of.rank == at[1])
    item_id = connection.execute(query).scalar()
    if item_id is not None:
        return int(item_id)
    content = {name: plain_item[name] for name in _ITEM}
    content |= {"reading_id": reading, "erasure_id": None}
    [number] = insert_without_id(connection, items, [content])
    return number
