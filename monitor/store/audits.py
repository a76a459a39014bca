"""Audits of the instrument: what was drawn, and what people read in it.

In go draws and labels, which are only ever added. What can be drawn is read by `audit_answers`,
what follows by `audits_known`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.model import GenderClass
from monitor.store import rows
from monitor.store.schema import (
    agreements,
    instrument_audit_groups,
    instrument_audit_items,
    instrument_audit_labels,
    instrument_audit_strata,
    instrument_audits,
    items,
)

_AT_ONCE = 500


# --- what was drawn -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class System:
    """An engine on one list and pair of languages, as part of what was drawn from."""

    engine_id: int
    engine: str
    list: str  # NAME@VERSION
    source_lang: str
    target: str
    parser_id: int

    @property
    def name(self) -> str:
        """As sheets of systems and tables name it."""
        return f"{self.engine}, {self.list}, {self.source_lang}-{self.target}"

    @property
    def plain(self) -> dict[str, Any]:
        """As it is stored."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Pool:
    """What is drawn from apart, with what was drawn of it: signal rows by called class."""

    target: str
    cue: str
    system: str
    systems: Sequence[System]
    language_id: int
    left_out: int
    frame: Mapping[GenderClass, int]
    drawn: Mapping[GenderClass, Sequence[int]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Draw:
    """An audit as it is written down; `keys` are those of the sheet by signal row, in its order."""

    run_id: int
    job: str
    per_class: int
    by_system: bool
    seed: str
    digest: str
    pools: Sequence[Pool]
    keys: Mapping[int, str] = field(repr=False)


def keep(connection: sa.Connection, draw: Draw, now: datetime) -> tuple[int, bool]:
    """(number of the audit, whether it is new): the same draw is written down once."""
    head = {
        "run_id": draw.run_id, "job": draw.job, "per_class": draw.per_class,
        "by_system": draw.by_system, "seed": draw.seed, "digest": draw.digest, "drawn_at": now,
    }  # fmt: skip
    number = rows.insert_new(connection, instrument_audits, head)
    if number is None:
        query = sa.select(instrument_audits.c.id).where(
            instrument_audits.c.run_id == draw.run_id, instrument_audits.c.digest == draw.digest
        )
        return int(connection.execute(query).scalar_one()), False
    places = {agreement: place for place, agreement in enumerate(draw.keys, start=1)}
    for pool in draw.pools:
        _keep_pool(connection, number, pool, draw.keys, places)
    return number, True


def _keep_pool(
    connection: sa.Connection,
    audit_id: int,
    pool: Pool,
    keys: Mapping[int, str],
    places: Mapping[int, int],
) -> None:
    group = {
        "audit_id": audit_id, "target": pool.target, "cue": pool.cue, "system": pool.system,
        "systems": [one.plain for one in pool.systems], "language_id": pool.language_id,
        "left_out": pool.left_out,
    }  # fmt: skip
    [group_id] = rows.insert_returning(connection, instrument_audit_groups, [group])
    strata = [
        {"group_id": group_id, "class": cls, "frame": n, "drawn": len(pool.drawn[cls])}
        for cls, n in pool.frame.items()
    ]
    ids = rows.insert_returning(connection, instrument_audit_strata, strata)
    for stratum_id, cls in zip(ids, pool.frame, strict=True):
        content = [
            {"stratum_id": stratum_id, "agreement_id": one, "key": keys[one],
             "position": places[one]}
            for one in pool.drawn[cls]
        ]  # fmt: skip
        if content:
            connection.execute(sa.insert(instrument_audit_items), content)


# --- sheets ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """One drawn text. `called` is never shown on a sheet."""

    item_id: int
    audit_id: int
    key: str
    target: str
    cue: str
    called: GenderClass
    text: str
    is_erased: bool


#: Drawn texts with the called class and the group that they were drawn from.
_DRAWN = instrument_audit_items.join(
    instrument_audit_strata, instrument_audit_strata.c.id == instrument_audit_items.c.stratum_id
).join(instrument_audit_groups, instrument_audit_groups.c.id == instrument_audit_strata.c.group_id)

_ENTRIES = (
    sa.select(
        instrument_audit_items.c.id,
        instrument_audit_groups.c.audit_id,
        instrument_audit_items.c.key,
        instrument_audit_groups.c.target,
        instrument_audit_groups.c.cue,
        instrument_audit_strata.c["class"].label("called"),
        items.c.text,
        items.c.erasure_id,
    )
    .select_from(_DRAWN)
    .join(agreements, agreements.c.id == instrument_audit_items.c.agreement_id)
    .join(items, items.c.id == agreements.c.item_id)
)


def entries(connection: sa.Connection, audit_id: int) -> list[Entry]:
    """What was drawn, in the order of the sheet."""
    query = _ENTRIES.where(instrument_audit_groups.c.audit_id == audit_id)
    return _entries(connection, query.order_by(instrument_audit_items.c.position))


def entries_by_key(connection: sa.Connection, keys: Iterable[str]) -> dict[str, Entry]:
    """{key: entry} of those keys that are known."""
    wanted = sorted(set(keys))
    found = []
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        query = _ENTRIES.where(instrument_audit_items.c.key.in_(some))
        found += _entries(connection, query)
    return {one.key: one for one in found}


def _entries(connection: sa.Connection, query: sa.Select[Any]) -> list[Entry]:
    return [
        Entry(
            row.id, row.audit_id, row.key, row.target, row.cue, GenderClass(row.called), row.text,
            row.erasure_id is not None,
        )
        for row in connection.execute(query)
    ]  # fmt: skip


def job_of(connection: sa.Connection, audit_id: int) -> str:
    """The job whose answers an audit is of."""
    query = sa.select(instrument_audits.c.job).where(instrument_audits.c.id == audit_id)
    return str(connection.execute(query).scalar_one())


def alone(connection: sa.Connection) -> None:
    """Let nobody else add labels until this transaction ends: what follows rests on all audits.

    SQLite has one writer in any case. Readers go on.
    """
    if connection.dialect.name != "sqlite":
        table = instrument_audit_labels.name
        connection.execute(sa.text(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE"))


def labels_of(connection: sa.Connection, audit_id: int, rater: str) -> dict[int, GenderClass]:
    """{item: newest label} of what a person read in an audit."""
    found = labels(connection, [audit_id])
    return {item: said[rater] for item, (_, said, _) in found.items() if rater in said}


def add_labels(
    connection: sa.Connection,
    given: Mapping[int, GenderClass],
    rater: str,
    sheet: str,
    now: datetime,
) -> None:
    """Add what a person read, by item."""
    content = [
        {"item_id": item, "rater": rater, "class": cls, "sheet": sheet, "labelled_at": now}
        for item, cls in given.items()
    ]
    if content:
        connection.execute(sa.insert(instrument_audit_labels), content)


def labels(
    connection: sa.Connection, audit_ids: Sequence[int]
) -> dict[int, tuple[int, dict[str, GenderClass], datetime]]:
    """{item: (stratum, newest label of each rater, when it was read last)}."""
    query = (
        sa.select(
            instrument_audit_labels.c.item_id,
            instrument_audit_items.c.stratum_id,
            instrument_audit_labels.c.rater,
            instrument_audit_labels.c["class"].label("found"),
            instrument_audit_labels.c.labelled_at,
        )
        .select_from(_DRAWN)
        .join(
            instrument_audit_labels,
            instrument_audit_labels.c.item_id == instrument_audit_items.c.id,
        )
        .where(instrument_audit_groups.c.audit_id.in_(audit_ids))
        .order_by(instrument_audit_labels.c.id)
    )
    found: dict[int, tuple[int, dict[str, GenderClass], datetime]] = {}
    for row in connection.execute(query):
        _, said, at = found.get(row.item_id, (0, {}, row.labelled_at))
        said[row.rater] = GenderClass(row.found)
        found[row.item_id] = row.stratum_id, said, max(at, row.labelled_at)
    return found
