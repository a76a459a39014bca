"""Answers of an archive with their exchanges, as plain rows run by run, and back.

Whom a result shows leaves only where people are wanted: otherwise answers to such questions are
withheld as a whole, and only that they were there is said. What was read in answers is in
`reproduction_readings`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from monitor.model import InvalidInput
from monitor.store import bodies, schema
from monitor.store.database import Database
from monitor.store.reproduction import PORTION, Wanted, people_probes
from monitor.store.reproduction_rows import Row, insert, moment, packed, plain, unpacked
from monitor.store.schema import (
    attempts,
    documents,
    exchanges,
    item_entities,
    items,
    readings,
    run_lists,
)
from monitor.store.schema import bodies as body_table

#: Why a body of a package has no content, beside those that were removed in the archive.
WITHHELD = "withheld"
_BODIES_AT_ONCE = 50
#: Headers of answers that say who we were to a service.
_PRIVATE_HEADERS = ("set-cookie", "set-cookie2", "authorization", "proxy-authorization")


# --- what is withheld -----------------------------------------------------------------------------


def _shows_people(of_runs: sa.ColumnElement[bool]) -> sa.CompoundSelect[int]:
    """Exchanges of runs whose answers were asked for, or found, to show people."""
    here = of_runs & attempts.c.exchange_id.is_not(None)
    found = (
        sa.select(attempts.c.exchange_id)
        .join(readings, readings.c.attempt_id == attempts.c.id)
        .join(items, items.c.reading_id == readings.c.id)
        .join(item_entities, item_entities.c.item_id == items.c.id)
        .where(here)
    )
    asked = sa.select(attempts.c.exchange_id).where(here, attempts.c.probe_id.in_(people_probes()))
    return sa.union(asked, found)


def _people(wanted: Wanted, run_id: int) -> sa.ColumnElement[bool]:
    """Whether an exchange of a run shows people, where they are not wanted."""
    if wanted.people:
        return sa.false()
    return exchanges.c.id.in_(_shows_people(attempts.c.run_id == run_id))


def withheld(wanted: Wanted, run_id: int) -> sa.ColumnElement[bool]:
    """Whether the answer of an exchange of a run stays where it is."""
    return _people(wanted, run_id) if wanted.full else sa.true()


def withheld_lists(connection: sa.Connection, wanted: Wanted) -> list[str]:
    """Lists, as name@version, of which answers are withheld because they show people."""
    if wanted.people:
        return []
    lists, list_items, list_probes = schema.lists, schema.list_items, schema.list_probes
    shown = _shows_people(attempts.c.run_id.in_(wanted.runs))
    query = (
        sa.select(lists.c.name, lists.c.version)
        .join(list_items, list_items.c.list_id == lists.c.id)
        .join(list_probes, list_probes.c.list_item_id == list_items.c.id)
        .join(attempts, attempts.c.probe_id == list_probes.c.probe_id)
        .join(
            run_lists,
            (run_lists.c.run_id == attempts.c.run_id) & (run_lists.c.list_id == lists.c.id),
        )
        .where(attempts.c.run_id.in_(wanted.runs), attempts.c.exchange_id.in_(shown))
        .distinct()
    )
    return sorted(f"{row.name}@{row.version}" for row in connection.execute(query))


# --- bodies ---------------------------------------------------------------------------------------


class _Seen:
    """Which numbers were seen: a byte each, so that many millions are nothing."""

    def __init__(self) -> None:
        self._flags = bytearray()

    def add(self, number: int) -> bool:
        """True for a number that was not seen before."""
        if number >= len(self._flags):
            self._flags.extend(bytes(number + 1 - len(self._flags)))
        new = not self._flags[number]
        self._flags[number] = 1
        return new


def answer_bodies(
    connection: sa.Connection, database: Database, run_ids: Sequence[int], wanted: Wanted
) -> Iterator[list[Row]]:
    """The raw answers, each once; of what is not in the package only that it was there.

    Full packages have pages behind results as well. Raises StoreProblem for a damaged answer.
    """
    seen = _Seen()
    columns = body_table.c
    for run_id in run_ids:
        for query in _bodies_of_run(run_id, wanted):
            last = 0
            ordered = query.order_by(columns.id).limit(_BODIES_AT_ONCE)
            while some := connection.execute(ordered.where(columns.id > last)).mappings().all():
                last = int(some[-1]["id"])
                new = [row for row in some if seen.add(int(row["id"]))]
                there = [int(r["id"]) for r in new if r["open"] and r["removed_at"] is None]
                content = dict(bodies.get_all(connection, database, there))
                yield [_body(row, content.get(int(row["id"]))) for row in new]


def _bodies_of_run(run_id: int, wanted: Wanted) -> Iterator[sa.Select[Any]]:
    """The answers of a run, and in full packages the texts of pages that its results lead to.

    `open` are those whose content is in the package, `shows` those whose very digest is not: a page
    about people could be found by trying.
    """
    columns = body_table.c
    facts = (
        columns.id, columns.sha256, columns.size, columns.stored_at, columns.removed_at,
        columns.removed_because,
    )  # fmt: skip
    flags = (
        sa.func.min(flag(~withheld(wanted, run_id))).label("open"),
        sa.func.max(flag(_people(wanted, run_id))).label("shows"),
    )
    yield (
        sa.select(*facts, *flags)
        .join(exchanges, exchanges.c.body_id == columns.id)
        .where(exchanges.c.run_id == run_id)
        .group_by(*facts)
    )
    if wanted.full:
        yield (
            sa.select(*facts, sa.literal(1).label("open"), sa.literal(0).label("shows"))
            .join(documents, documents.c.body_id == columns.id)
            .where(documents.c.collection == f"landing:{run_id}")
            .group_by(*facts)
        )


def flag(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    """1 where it holds, else 0, on both databases."""
    return sa.case((condition, 1), else_=0)


def _body(row: sa.RowMapping, content: bytes | None) -> Row:
    removed = row["removed_at"]
    found = {
        "id": int(row["id"]),
        "sha256": f"{WITHHELD}:{row['id']}" if row["shows"] else row["sha256"],
        "size": int(row["size"]),
        "stored_at": plain(row["stored_at"]),
        "removed_at": plain(removed),
        "removed_because": row["removed_because"] if removed else "",
    }
    if content is not None:
        return found | packed(content)
    return found if removed else found | {"removed_because": WITHHELD}


def load_bodies(connection: sa.Connection, database: Database, some: Sequence[Row]) -> None:
    """Keep raw answers under their ids; those without content as removed. Raises InvalidInput."""
    whole, gone = [], []
    for row in some:
        number, at = _number(row, "id"), moment(row.get("stored_at"), "bodies.stored_at")
        if "text" in row or "base64" in row:
            whole.append((number, str(row.get("sha256")), unpacked(row), at))
            continue
        removed = row.get("removed_at")
        gone.append(
            {
                "id": number, "sha256": str(row.get("sha256")), "size": _number(row, "size"),
                "encoding": "zstd", "content": None, "retention": "answer",
                "stored_at": at.isoformat(),
                "removed_at": at.isoformat() if removed is None else removed,
                "removed_because": str(row.get("removed_because")),
            }
        )  # fmt: skip
    bodies.put_under(connection, database, whole)
    insert(connection, body_table, gone)


def _number(row: Mapping[str, Any], name: str) -> int:
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidInput(f"{name}: {str(value)[:40]!r} is no number of a row")
    return value


# --- rows that are taken over as they are ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ByRun:
    """A table that is read run by run. `without` is what stands there where it is redacted."""

    table: sa.Table
    always: Mapping[str, Any] = field(default_factory=dict)
    without: Mapping[str, Any] = field(default_factory=dict)
    order: str = "id"

    @property
    def name(self) -> str:
        return self.table.name


EXCHANGES = ByRun(
    exchanges,
    {"screenshot_id": None, "egress": "", "observed": None},
    {"request": {}, "url": "", "headers": [], "status": None, "detail": ""},
)
ATTEMPTS = ByRun(attempts)
BY_RUN = (EXCHANGES, ATTEMPTS)


def rows_of_run(
    connection: sa.Connection, one: ByRun, wanted: Wanted, run_id: int
) -> Iterator[list[Row]]:
    """Portions of the rows of a run."""
    closed = withheld(wanted, run_id) if one is EXCHANGES else sa.false()
    query = (
        sa.select(one.table, closed.label("closed"))
        .where(one.table.c.run_id == run_id)
        .order_by(one.table.c[one.order])
    )
    found = connection.execute(query, execution_options={"yield_per": PORTION})
    for some in found.mappings().partitions():
        yield [_row(one, dict(row)) for row in some]


def load_of_run(one: ByRun, connection: sa.Connection, some: Sequence[Row]) -> None:
    """Keep rows of such a table. Raises InvalidInput."""
    insert(connection, one.table, some)


def _row(one: ByRun, row: Row) -> Row:
    closed = row.pop("closed")
    row = {name: plain(value) for name, value in row.items()} | dict(one.always)
    if one is EXCHANGES:
        row["headers"] = [
            [name, text] for name, text in row["headers"] if name.lower() not in _PRIVATE_HEADERS
        ]
    return row | dict(one.without) if closed else row


# --- pages behind results -------------------------------------------------------------------------


def landing_documents(
    connection: sa.Connection, run_id: int, wanted: Wanted
) -> Iterator[list[Row]]:
    """The texts of pages that the results of a run lead to; none of a redacted package."""
    if not wanted.full:
        return
    here = documents.c.collection == f"landing:{run_id}"
    query = sa.select(documents).where(here).order_by(documents.c.id)
    found = connection.execute(query, execution_options={"yield_per": PORTION})
    for some in found.mappings().partitions():
        yield [
            {name: plain(value) for name, value in row.items()}
            | {"lookup_id": None, "erasure_id": None}
            for row in some
        ]


def load_documents(connection: sa.Connection, some: Sequence[Row]) -> None:
    """Keep texts of pages. Raises InvalidInput."""
    insert(connection, documents, some)
