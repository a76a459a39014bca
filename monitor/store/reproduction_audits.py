"""Audits of the instrument as plain rows of an archive, and back into one that was made anew.

In go an open transaction and what is wanted, out come draws with what people read in them. Who
read has a number for a name, in every package; a drawn text is named by where it stands, because
signals that are found anew have other ids.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import InvalidInput
from monitor.store.reproduction import PORTION, Row, Wanted, insert, plain, strata_of
from monitor.store.reproduction_answers import insert_without_id
from monitor.store.schema import (
    agreements,
    instrument_audit_items,
    instrument_audit_labels,
    items,
    readings,
)

_AT_ONCE = 300


ITEMS, LABELS = instrument_audit_items.name, instrument_audit_labels.name
#: In the order in which they can be filled.
TABLES = (
    "instrument_audits", "instrument_audit_groups", "instrument_audit_strata", ITEMS, LABELS,
)  # fmt: skip


class Place(NamedTuple):
    """Where a call stands: in which answer, as which parser read it, and by which language."""

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


def drawn(connection: sa.Connection, wanted: Wanted) -> Iterator[list[Row]]:
    """Portions of the drawn texts, by id: where each stands, and on the sheet."""
    of = instrument_audit_items.c
    query = (
        sa.select(of.id, of.stratum_id, of.key, of.position, *_PLACE)
        .select_from(instrument_audit_items.join(_CALLS, agreements.c.id == of.agreement_id))
        .where(of.stratum_id.in_(strata_of(wanted)))
        .order_by(of.id)
    )
    found = connection.execute(query, execution_options={"yield_per": PORTION})
    for some in found.mappings().partitions():
        yield [dict(row) for row in some]


def labels(connection: sa.Connection, wanted: Wanted) -> Iterator[list[Row]]:
    """Portions of what people read, in the order in which it was given: the first counts apart."""
    of = instrument_audit_labels.c
    drawn_of = instrument_audit_items.c
    here = of.item_id.in_(sa.select(drawn_of.id).where(drawn_of.stratum_id.in_(strata_of(wanted))))
    first = sa.select(of.rater).where(here).group_by(of.rater).order_by(sa.func.min(of.id))
    numbers = {name: n for n, name in enumerate(connection.execute(first).scalars(), 1)}
    query = sa.select(instrument_audit_labels).where(here).order_by(of.id)
    found = connection.execute(query, execution_options={"yield_per": PORTION})
    for some in found.mappings().partitions():
        yield [
            {name: plain(value) for name, value in row.items()}
            | {"rater": f"reader-{numbers[row['rater']]}", "sheet": ""}
            for row in some
        ]


# --- back -----------------------------------------------------------------------------------------


def load_drawn(connection: sa.Connection, some: Sequence[Row]) -> list[Row]:
    """Keep drawn texts; those whose call is not here are given back. Raises InvalidInput."""
    places = {id_: _place(row) for row in some if isinstance(id_ := row.get("id"), int)}
    if len(places) != len(some):
        raise InvalidInput(f"{ITEMS}: a row without a number of its own")
    known = _known(connection, places.values())
    content = [
        {name: row.get(name) for name in ("id", "stratum_id", "key", "position")}
        | {"agreement_id": known[places[row["id"]]]}
        for row in some
        if places[row["id"]] in known
    ]
    insert(connection, instrument_audit_items, content)
    return [row for row in some if places[row["id"]] not in known]


def _place(row: Row) -> Place:
    try:
        found = Place(*(row[name] for name in Place._fields))
    except KeyError as error:
        raise InvalidInput(f"{ITEMS}: a row that is none: {error}") from error
    wanted = (int, int, str, int, int, str)
    if any(type(one) is not kind for one, kind in zip(found, wanted, strict=True)):
        raise InvalidInput(f"{ITEMS}: a place that is none")
    return found


def _known(connection: sa.Connection, places: Iterable[Place]) -> dict[Place, int]:
    """{place: id of the call} of those that are here."""
    wanted = set(places)
    of_attempts = sorted({one.attempt_id for one in wanted})
    found: dict[Place, int] = {}
    for start in range(0, len(of_attempts), _AT_ONCE):
        some = of_attempts[start : start + _AT_ONCE]
        query = sa.select(agreements.c.id, *_PLACE).select_from(_CALLS)
        for number, *place in connection.execute(query.where(readings.c.attempt_id.in_(some))):
            found[Place(*place)] = int(number)
    return {one: number for one, number in found.items() if one in wanted}


# --- calls of versions that are not here ----------------------------------------------------------


def wanted_calls(lacking: Iterable[Row]) -> dict[tuple[int, int], set[Place]]:
    """{(attempt, parser): places} of calls that only the readings of the package know."""
    found: dict[tuple[int, int], set[Place]] = {}
    for row in lacking:
        place = _place(row)
        found.setdefault((place.attempt_id, place.parser_id), set()).add(place)
    return found


def take_over(connection: sa.Connection, row: Row, places: set[Place]) -> bool:
    """Keep the calls at these places of a reading as the package has them.

    Nothing is computed from them: they are what people read. True where the reading itself was not
    here. Raises InvalidInput for a row that is no reading.
    """
    try:
        reading, is_new = _reading(connection, row)
        for one in row["items"]:
            here = {place for place in places if (place.block, place.rank) == _spot(one)}
            if here:
                item = _item(connection, reading, one)
                content = [
                    {"item_id": item, **signal}
                    for signal in one["signals"]
                    if (signal["language_id"], signal["cue"]) in {place[4:] for place in here}
                ]
                insert_without_id(connection, agreements, content)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"readings: a row that is none: {error}") from error
    return is_new


def _reading(connection: sa.Connection, row: Row) -> tuple[int, bool]:
    of = readings.c
    query = sa.select(of.id).where(
        of.attempt_id == row["attempt_id"], of.parser_id == row["parser_id"]
    )
    known = connection.execute(query).scalar()
    if known is not None:
        return int(known), False
    names = [name for name in readings.c.keys() if name != "id"]  # noqa: SIM118 - of columns
    [number] = insert_without_id(connection, readings, [{name: row[name] for name in names}])
    return number, True


def _spot(item: dict[str, Any]) -> tuple[str, int]:
    return item["block"], item["rank"]


def _item(connection: sa.Connection, reading: int, one: dict[str, Any]) -> int:
    of = items.c
    block, rank = _spot(one)
    query = sa.select(of.id).where(of.reading_id == reading, of.block == block, of.rank == rank)
    known = connection.execute(query).scalar()
    if known is not None:
        return int(known)
    names = ("block", "rank", "text", "url", "title", "entity")
    content = {name: one[name] for name in names} | {"reading_id": reading, "erasure_id": None}
    [number] = insert_without_id(connection, items, [content])
    return number
