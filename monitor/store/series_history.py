"""What is known of series beside their values: steps between ticks, changes, signatures.

In go numbers of series, out come records in the order of due ticks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Contrast, Role, Status, Test
from monitor.model import InvalidInput, Json, State
from monitor.store import rows
from monitor.store.schema import changes, comparisons, points, runs, signatures, switches

#: A statement takes only so many values.
_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity between two ticks, on the probes that both have. See the table `comparisons`.

    `delta` is None unless `state` is MEASURED; `reason` says why.
    """

    series_id: int
    contrast: Contrast
    before_due_at: datetime
    due_at: datetime
    before_run_id: int
    after_run_id: int
    signature: str
    state: State
    reason: str
    test: Test
    n: int
    only_before: int
    only_after: int
    changed: int
    before: float | None
    after: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    facts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Changed:
    """What was found to have changed, as it stands now. See the table `changes`."""

    id: int
    series_id: int
    kind: ChangeKind
    role: Role
    family: str
    changed_at: datetime
    detected_at: datetime
    before_run_id: int
    after_run_id: int
    before: float | None
    after: float | None
    effect: float | None
    low: float | None
    high: float | None
    p: float | None
    q: float | None
    alpha: float | None
    noise: float | None
    status: Status
    cause: Cause
    because: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Switch:
    """When a series went over to another signature."""

    series_id: int
    switched_at: datetime
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Signature:
    """Versions of all of ours that decides a value; `n_points` ticks are computed with it."""

    hash: str
    parts: Mapping[str, Json]
    n_points: int


def _portions(numbers: Iterable[int]) -> Iterator[Sequence[int]]:
    ordered = sorted(set(numbers))
    for start in range(0, len(ordered), _AT_ONCE):
        yield ordered[start : start + _AT_ONCE]


def compared(
    connection: sa.Connection,
    series: Iterable[int],
    contrasts: Sequence[Contrast] = (Contrast.STEP, Contrast.WEEK, Contrast.FIRST),
) -> list[Comparison]:
    """The current comparisons of series, by series, contrast and due time."""
    earlier = runs.alias()
    own = ["series_id", "contrast", "due_at", "before_run_id", "after_run_id", "state", "reason",
           "test", "n", "only_before", "only_after", "changed", "before", "after", "delta", "low",
           "high", "p", "facts"]  # fmt: skip
    query = (
        sa.select(
            *(comparisons.c[name] for name in own),
            earlier.c.due_at.label("before_due_at"),
            signatures.c.hash.label("signature"),
        )
        .join(earlier, earlier.c.id == comparisons.c.before_run_id)
        .join(signatures, signatures.c.id == comparisons.c.signature_id)
        .where(comparisons.c.is_current, comparisons.c.contrast.in_(contrasts))
        .order_by(comparisons.c.series_id, comparisons.c.contrast, comparisons.c.due_at,
                  comparisons.c.id)
    )  # fmt: skip
    return [
        Comparison(**rows.closed(row, contrast=Contrast, state=State, test=Test))
        for some in _portions(series)
        for row in connection.execute(query.where(comparisons.c.series_id.in_(some))).all()
    ]


def changed(connection: sa.Connection, series: Iterable[int]) -> list[Changed]:
    """The changes of series that are in force, the oldest first."""
    query = (
        sa.select(*(changes.c[one.name] for one in fields(Changed)))
        .where(changes.c.is_current)
        .order_by(changes.c.series_id, changes.c.changed_at, changes.c.id)
    )
    return [
        Changed(**rows.closed(row, kind=ChangeKind, role=Role, status=Status, cause=Cause))
        for some in _portions(series)
        for row in connection.execute(query.where(changes.c.series_id.in_(some))).all()
    ]


def switched(connection: sa.Connection, series: Iterable[int]) -> list[Switch]:
    """When series went over to another signature, the oldest first."""
    before, after = signatures.alias(), signatures.alias()
    query = (
        sa.select(
            switches.c.series_id,
            switches.c.switched_at,
            sa.func.coalesce(before.c.hash, "").label("before"),
            after.c.hash.label("after"),
        )
        .outerjoin(before, before.c.id == switches.c.from_id)
        .join(after, after.c.id == switches.c.to_id)
        .order_by(switches.c.series_id, switches.c.switched_at, switches.c.id)
    )
    return [
        Switch(*row)
        for some in _portions(series)
        for row in connection.execute(query.where(switches.c.series_id.in_(some)))
    ]


def known_signatures(connection: sa.Connection, series_id: int) -> list[Signature]:
    """Every signature that a series has points of, the oldest first."""
    counted = (
        sa.select(points.c.signature_id, sa.func.count().label("n"))
        .where(points.c.series_id == series_id, points.c.is_newest)
        .group_by(points.c.signature_id)
        .subquery()
    )
    query = (
        sa.select(signatures.c.hash, signatures.c.parts, counted.c.n)
        .join(counted, counted.c.signature_id == signatures.c.id)
        .order_by(signatures.c.id)
    )
    return [Signature(row.hash, row.parts, row.n) for row in connection.execute(query)]


def signature_of(series_id: int, known: Sequence[Signature], beginning: str) -> str:
    """The hash of the signature that begins so. Raises InvalidInput naming those of the series."""
    found = [each.hash for each in known if each.hash.startswith(beginning)]
    if len(found) != 1:
        named = ", ".join(each.hash[:12] for each in known) or "none"
        how_many = "several signatures begin" if found else "no signature begins"
        raise InvalidInput(f"{how_many} with {beginning!r}; series {series_id} has: {named}")
    return found[0]
