"""Audits of the instrument: the population, the drawn texts, and what raters read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from monitor.model import GenderClass
from monitor.store import rows
from monitor.store.schema import (
    agreements,
    attempts,
    instrument_audit_groups,
    instrument_audit_items,
    instrument_audit_labels,
    instrument_audit_strata,
    instrument_audits,
    items,
    readings,
    runs,
    versions,
)


@dataclass(frozen=True, slots=True)
class ClassifiedAnswer:
    """The class of the answer to a probe: its signal row, or none where it cannot be drawn."""

    attempt_id: int
    probe_id: int
    cue: str
    cls: GenderClass
    agreement_id: int | None


def read_classified_answers(
    connection: sa.Connection, run_id: int, engine_id: int, versions_: tuple[int, int]
) -> list[ClassifiedAnswer]:
    """Return every classified final answer of an engine in a run, by these versions.

    `versions_` is (parser id, language id). An answer with several texts has a class as a whole and
    no text that a person could read for it; of an erased one nothing is left to read.
    """
    parser_id, language_id = versions_
    query = (
        sa.select(
            attempts.c.id,
            attempts.c.probe_id,
            agreements.c.id.label("agreement_id"),
            agreements.c.cue,
            agreements.c["class"].label("found"),
            items.c.erasure_id,
        )
        .select_from(attempts)
        .join(readings, readings.c.attempt_id == attempts.c.id)
        .join(items, (items.c.reading_id == readings.c.id) & (items.c.block == "translation"))
        .join(agreements, agreements.c.item_id == items.c.id)
        .where(
            attempts.c.run_id == run_id,
            attempts.c.engine_id == engine_id,
            attempts.c.final,
            readings.c.parser_id == parser_id,
            agreements.c.language_id == language_id,
        )
        .order_by(attempts.c.id, agreements.c.cue, agreements.c.id)
    )
    texts = rows.group_rows(connection.execute(query), lambda row: (row.id, row.cue))
    answers = []
    for (attempt_id, cue), (first, *other_texts) in texts.items():
        signal = None if other_texts or first.erasure_id is not None else first.agreement_id
        cls = GenderClass(first.found)
        answers.append(ClassifiedAnswer(attempt_id, first.probe_id, cue, cls, signal))
    return answers


def count_run(connection: sa.Connection, run_id: int) -> tuple[object, ...]:
    """Return how a run stands now: what is drawn from it is the same as long as this is.

    That is when it ended, the numbers of its final answers, readings and signals with the newest of
    each, and how many items were erased.
    """
    finished = sa.select(runs.c.finished_at).where(runs.c.id == run_id)
    a, r, g = attempts.c, readings.c, agreements.c
    of_run = (a.run_id == run_id) & a.final
    read = attempts.join(readings, r.attempt_id == a.id)
    with_agreements = read.join(items, items.c.reading_id == r.id)
    with_agreements = with_agreements.outerjoin(agreements, g.item_id == items.c.id)
    erased = sa.func.count(sa.distinct(sa.case((items.c.erasure_id.is_not(None), items.c.id))))
    counts = [
        sa.select(sa.func.count(), sa.func.max(a.id)),
        sa.select(sa.func.count(), sa.func.max(r.id)).select_from(read),
        sa.select(sa.func.count(g.id), sa.func.max(g.id), erased).select_from(with_agreements),
    ]
    numbers = (n for query in counts for n in connection.execute(query.where(of_run)).one())
    return connection.execute(finished).scalar_one(), *(n or 0 for n in numbers)


# --- what was drawn -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AuditedSystem:
    """An engine on one list and pair of languages, as part of what was drawn from."""

    engine_id: int
    engine: str
    list: str  # NAME@VERSION
    source_lang: str
    target: str
    parser_id: int

    @property
    def name(self) -> str:
        """Return as sheets of systems and tables name it."""
        return f"{self.engine}, {self.list}, {self.source_lang}-{self.target}"

    @property
    def plain(self) -> dict[str, Any]:
        """Return as it is stored."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class DrawnStratum:
    """A stratum to draw from, with the drawn signal rows by class."""

    target: str
    cue: str
    system: str
    systems: Sequence[AuditedSystem]
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
    pools: Sequence[DrawnStratum]
    keys: Mapping[int, str] = field(repr=False)


def store_draw(connection: sa.Connection, draw: Draw, now: datetime) -> tuple[int, bool]:
    """Return (number of the audit, whether it is new): the same draw is written down once."""
    head = rows.make_row(instrument_audits, draw, drawn_at=now)
    number = rows.insert_new(connection, instrument_audits, head)
    if number is None:
        query = sa.select(instrument_audits.c.id).where(
            instrument_audits.c.run_id == draw.run_id, instrument_audits.c.digest == draw.digest
        )
        return int(connection.execute(query).scalar_one()), False
    places = {agreement: position for position, agreement in enumerate(draw.keys, start=1)}
    for pool in draw.pools:
        _store_pool(connection, number, pool, draw.keys, places)
    return number, True


def _store_pool(
    connection: sa.Connection,
    audit_id: int,
    pool: DrawnStratum,
    keys: Mapping[int, str],
    places: Mapping[int, int],
) -> None:
    systems = [system.plain for system in pool.systems]
    group = rows.make_row(instrument_audit_groups, pool, audit_id=audit_id, systems=systems)
    [group_id] = rows.insert_returning(connection, instrument_audit_groups, [group])
    strata = [
        {"group_id": group_id, "class": cls, "frame": n, "drawn": len(pool.drawn[cls])}
        for cls, n in pool.frame.items()
    ]
    ids = rows.insert_returning(connection, instrument_audit_strata, strata)
    for stratum_id, cls in zip(ids, pool.frame, strict=True):
        content = [
            {"stratum_id": stratum_id, "agreement_id": signal, "key": keys[signal],
             "position": places[signal]}
            for signal in pool.drawn[cls]
        ]  # fmt: skip
        rows.insert_rows(connection, instrument_audit_items, content)


# --- sheets ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SheetEntry:
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


def read_sheet(connection: sa.Connection, audit_id: int) -> list[SheetEntry]:
    """Return what was drawn, in the order of the sheet."""
    query = _ENTRIES.where(instrument_audit_groups.c.audit_id == audit_id)
    return _make_entries(connection.execute(query.order_by(instrument_audit_items.c.position)))


def find_entries(connection: sa.Connection, keys: Iterable[str]) -> dict[str, SheetEntry]:
    """Return {key: entry} of those keys that are known."""
    of_keys = rows.read_in_parts(
        connection, _ENTRIES, instrument_audit_items.c.key, sorted(set(keys))
    )
    return {entry.key: entry for entry in _make_entries(of_keys)}


def _make_entries(entry_rows: Iterable[Any]) -> list[SheetEntry]:
    return [
        SheetEntry(
            row.id, row.audit_id, row.key, row.target, row.cue, GenderClass(row.called), row.text,
            row.erasure_id is not None,
        )
        for row in entry_rows
    ]  # fmt: skip


def find_job(connection: sa.Connection, audit_id: int) -> str:
    """Return the job whose answers an audit is of."""
    query = sa.select(instrument_audits.c.job).where(instrument_audits.c.id == audit_id)
    return str(connection.execute(query).scalar_one())


def lock_audits(connection: sa.Connection) -> None:
    """Let nobody else add labels until this transaction ends: what follows rests on all audits."""
    rows.lock_table(connection, instrument_audit_labels)


def read_rater_labels(
    connection: sa.Connection, audit_id: int, rater: str
) -> dict[int, GenderClass]:
    """Return {item: newest label} of what a person read in an audit."""
    labels_of = read_labels(connection, [audit_id])
    return {
        item: rater_labels[rater]
        for item, (_, rater_labels, _) in labels_of.items()
        if rater in rater_labels
    }


def add_labels(
    connection: sa.Connection,
    new_labels: Mapping[int, GenderClass],
    rater: str,
    sheet: str,
    now: datetime,
) -> None:
    """Add the labels of one rater, by item."""
    content = [
        {"item_id": item, "rater": rater, "class": cls, "sheet": sheet, "labelled_at": now}
        for item, cls in new_labels.items()
    ]
    rows.insert_rows(connection, instrument_audit_labels, content)


def read_labels(
    connection: sa.Connection, audit_ids: Sequence[int]
) -> dict[int, tuple[int, dict[str, GenderClass], datetime]]:
    """Return {item: (stratum, newest label of each rater, when it was read last)}."""
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
    labels_of: dict[int, tuple[int, dict[str, GenderClass], datetime]] = {}
    for row in connection.execute(query):
        _, rater_labels, labelled_at = labels_of.get(row.item_id, (0, {}, row.labelled_at))
        rater_labels[row.rater] = GenderClass(row.found)
        labels_of[row.item_id] = row.stratum_id, rater_labels, max(labelled_at, row.labelled_at)
    return labels_of


@dataclass(frozen=True, slots=True)
class Stratum:
    """One called class of a group: answers, drawn ones, and what people read in those.

    An item is right where all who read it say what was called. Where they differ it is disputed,
    is not right, and counts in equal parts among the truths: left out, it would make the calls
    look better than they are, because what people find hard our rules do as well. The more people
    read, the fewer are right; `right_first` goes by who read an item first alone, so that audits
    that other numbers of people read can be compared.
    """

    called: GenderClass
    frame: int
    drawn: int
    read: int
    right: int
    disputed: int
    truths: Mapping[GenderClass, float]
    right_first: int

    @property
    def unread(self) -> int:
        """Return items that nobody has read yet."""
        return self.drawn - self.read


@dataclass(frozen=True, slots=True)
class AuditGroup:
    """One language and cue of an audit, of all systems or one, with what is known of it."""

    id: int
    audit_id: int
    run_id: int
    job: str
    due_at: datetime
    drawn_at: datetime
    seed: str
    per_class: int
    target: str
    cue: str
    system: str
    systems: Sequence[AuditedSystem]
    language_id: int
    language: str
    language_version: int
    left_out: int
    strata: Sequence[Stratum]
    labels: Mapping[str, Mapping[int, GenderClass]] = field(repr=False)  # {rater: {item: class}}
    labelled_at: datetime | None
    parsers: Mapping[str, int] = field(default_factory=dict)  # {name: version} of its systems

    @property
    def read(self) -> int:
        """Return items that somebody read."""
        return sum(stratum.read for stratum in self.strata)

    @property
    def right(self) -> int:
        """Return items that were called what all who read them say."""
        return sum(stratum.right for stratum in self.strata)

    @property
    def right_first(self) -> int:
        """Return items that were called what who read them first says."""
        return sum(stratum.right_first for stratum in self.strata)


def read_groups(
    connection: sa.Connection, jobs: Sequence[str] | None = None, until: datetime | None = None
) -> list[AuditGroup]:
    """Return every group of the audits of some jobs or of all, by the due time of their runs.

    Of runs that were due until a time.
    """
    query = (
        sa.select(
            instrument_audit_groups,
            *(instrument_audits.c[name] for name in ("run_id", "job", "drawn_at", "seed")),
            instrument_audits.c.per_class,
            runs.c.due_at,
            versions.c.name.label("language"),
            versions.c.version.label("language_version"),
        )
        .join(instrument_audits, instrument_audits.c.id == instrument_audit_groups.c.audit_id)
        .join(runs, runs.c.id == instrument_audits.c.run_id)
        .join(versions, versions.c.id == instrument_audit_groups.c.language_id)
        .order_by(runs.c.due_at, instrument_audits.c.drawn_at, instrument_audit_groups.c.id)
    )
    if jobs is not None:
        query = query.where(instrument_audits.c.job.in_(jobs))
    if until is not None:
        query = query.where(runs.c.due_at <= until)
    group_rows = connection.execute(query).all()
    if not group_rows:
        return []
    of = instrument_audit_strata.c
    strata_query = sa.select(instrument_audit_strata).order_by(of.id)
    group_ids = [row.id for row in group_rows]
    strata = rows.group_rows(
        rows.read_in_parts(connection, strata_query, of.group_id, group_ids), attrgetter("group_id")
    )
    labels_of = read_labels(connection, sorted({row.audit_id for row in group_rows}))
    of_stratum: dict[int, dict[int, dict[str, GenderClass]]] = defaultdict(dict)
    for item, (stratum, by_rater, _) in labels_of.items():
        of_stratum[stratum][item] = by_rater
    due_times = rows.group_pairs((stratum, when) for stratum, _, when in labels_of.values())
    parser_ids = {system["parser_id"] for row in group_rows for system in row.systems}
    query_of_parsers = sa.select(versions).where(versions.c.id.in_(sorted(parser_ids)))
    parser_rows = connection.execute(query_of_parsers)
    parsers = {row.id: (row.name, row.version) for row in parser_rows}
    return [
        _make_group(row, strata.get(row.id, []), of_stratum, due_times, parsers)
        for row in group_rows
    ]


def _make_group(
    row: Any,  # noqa: ANN401 - a row of groups
    strata: Sequence[Any],
    labels_of: Mapping[int, Mapping[int, Mapping[str, GenderClass]]],
    due_times: Mapping[int, Sequence[datetime]],
    parsers: Mapping[int, tuple[str, int]],
) -> AuditGroup:
    strata_made = [_make_stratum(stratum, labels_of.get(stratum.id, {})) for stratum in strata]
    of_rater: dict[str, dict[int, GenderClass]] = {}
    for stratum in strata:
        for item, by_rater in labels_of.get(stratum.id, {}).items():
            for rater, cls in by_rater.items():
                of_rater.setdefault(rater, {})[item] = cls
    times = [when for stratum in strata for when in due_times.get(stratum.id, ())]
    systems = [AuditedSystem(**system) for system in row.systems]
    return AuditGroup(
        row.id, row.audit_id, row.run_id, row.job, row.due_at, row.drawn_at, row.seed,
        row.per_class, row.target, row.cue, row.system, systems, row.language_id,
        row.language.split("(", 1)[0], row.language_version, row.left_out, strata_made, of_rater,
        max(times, default=None), dict(parsers[system.parser_id] for system in systems),
    )  # fmt: skip


def _make_stratum(row: Any, labels_of: Mapping[int, Mapping[str, GenderClass]]) -> Stratum:  # noqa: ANN401 - a row of strata
    called = GenderClass(row._mapping["class"])  # noqa: SLF001 - a column named as a keyword
    truths: dict[GenderClass, float] = {}
    right = disputed = first = 0
    for by_rater in labels_of.values():
        first += next(iter(by_rater.values())) is called  # labels come as they were given
        right += set(by_rater.values()) == {called}
        disputed += len(set(by_rater.values())) > 1
        for cls in by_rater.values():
            truths[cls] = truths.get(cls, 0) + 1 / len(by_rater)
    return Stratum(called, row.frame, row.drawn, len(labels_of), right, disputed, truths, first)
