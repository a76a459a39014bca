"""What audits of the instrument have shown: groups with their called classes and the truths.

In go the rows of draws and labels, out come records; nothing is stored of what follows from them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.model import GenderClass
from monitor.store.audits import System, labels
from monitor.store.schema import (
    instrument_audit_groups,
    instrument_audit_strata,
    instrument_audits,
    runs,
    versions,
)

_AT_ONCE = 500


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
        """Items that nobody has read yet."""
        return self.drawn - self.read


@dataclass(frozen=True, slots=True)
class Group:
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
    systems: Sequence[System]
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
        """Items that somebody read."""
        return sum(one.read for one in self.strata)

    @property
    def right(self) -> int:
        """Items that were called what all who read them say."""
        return sum(one.right for one in self.strata)

    @property
    def right_first(self) -> int:
        """Items that were called what who read them first says."""
        return sum(one.right_first for one in self.strata)


def groups(
    connection: sa.Connection, jobs: Sequence[str] | None = None, until: datetime | None = None
) -> list[Group]:
    """Every group of the audits of some jobs or of all, by the due time of their runs.

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
    found = connection.execute(query).all()
    if not found:
        return []
    strata = _strata(connection, [row.id for row in found])
    said = labels(connection, sorted({row.audit_id for row in found}))
    of_stratum: dict[int, dict[int, dict[str, GenderClass]]] = defaultdict(dict)
    at: dict[int, list[datetime]] = defaultdict(list)
    for item, (stratum, by_rater, when) in said.items():
        of_stratum[stratum][item] = by_rater
        at[stratum].append(when)
    parsers = _parsers(connection, {one["parser_id"] for row in found for one in row.systems})
    return [_group(row, strata[row.id], of_stratum, at, parsers) for row in found]


def _parsers(connection: sa.Connection, ids: Iterable[int]) -> dict[int, tuple[str, int]]:
    """{version id: name and version} of parsers."""
    query = sa.select(versions.c.id, versions.c.name, versions.c.version)
    query = query.where(versions.c.id.in_(sorted(ids)))
    return {row.id: (row.name, row.version) for row in connection.execute(query)}


def _strata(connection: sa.Connection, group_ids: Sequence[int]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {number: [] for number in group_ids}
    for start in range(0, len(group_ids), _AT_ONCE):
        some = group_ids[start : start + _AT_ONCE]
        query = sa.select(instrument_audit_strata).where(
            instrument_audit_strata.c.group_id.in_(some)
        )
        for row in connection.execute(query.order_by(instrument_audit_strata.c.id)):
            found[row.group_id].append(row)
    return found


def _group(
    row: Any,  # noqa: ANN401 - a row of groups
    strata: Sequence[Any],
    said: Mapping[int, Mapping[int, Mapping[str, GenderClass]]],
    at: Mapping[int, Sequence[datetime]],
    parsers: Mapping[int, tuple[str, int]],
) -> Group:
    known = [_stratum(one, said.get(one.id, {})) for one in strata]
    of_rater: dict[str, dict[int, GenderClass]] = {}
    for one in strata:
        for item, by_rater in said.get(one.id, {}).items():
            for rater, cls in by_rater.items():
                of_rater.setdefault(rater, {})[item] = cls
    times = [when for one in strata for when in at.get(one.id, ())]
    systems = [System(**one) for one in row.systems]
    return Group(
        row.id, row.audit_id, row.run_id, row.job, row.due_at, row.drawn_at, row.seed,
        row.per_class, row.target, row.cue, row.system,
        systems, row.language_id,
        row.language.split("(", 1)[0], row.language_version, row.left_out, known, of_rater,
        max(times, default=None), dict(parsers[one.parser_id] for one in systems),
    )  # fmt: skip


def _stratum(row: Any, said: Mapping[int, Mapping[str, GenderClass]]) -> Stratum:  # noqa: ANN401 - a row of strata
    called = GenderClass(row._mapping["class"])  # noqa: SLF001 - a column named as a keyword
    truths: dict[GenderClass, float] = {}
    right = disputed = first = 0
    for by_rater in said.values():
        first += next(iter(by_rater.values())) is called  # labels come as they were given
        right += set(by_rater.values()) == {called}
        disputed += len(set(by_rater.values())) > 1
        for cls in by_rater.values():
            truths[cls] = truths.get(cls, 0) + 1 / len(by_rater)
    return Stratum(called, row.frame, row.drawn, len(said), right, disputed, truths, first)
