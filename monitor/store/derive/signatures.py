"""Signatures: the versions of our own parts under which a chart shows its series.

The signature of each series follows from its points, with a row in `switches` for each change, and
for each run the one point that its report shows. A series goes over to the signature of its newest
tick once that signature is complete: every tick that asked the same version of the list, and had
the same files of shares, has a point of it. Until then the chart stays, so that it never mixes two.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from monitor.model import Json, RunKind, State, digest
from monitor.store import rows
from monitor.store.access.embargoes import EmbargoFilter
from monitor.store.collect.runs import Run
from monitor.store.schema import points, runs, series_keys, signatures, switches


@dataclass(frozen=True, slots=True)
class PendingSwitch:
    """A series whose newest tick has another signature than its chart shows."""

    series_id: int
    shown: int | None  # signature of the chart
    wanted: int  # signature of the newest tick


def ensure_signature(connection: sa.Connection, parts: Mapping[str, Json]) -> int:
    """Return id of a signature, stored with its parts."""
    return rows.get_or_insert(
        connection, signatures, {"hash": digest(parts)}, {"parts": dict(parts)}
    )


def read_parts(connection: sa.Connection, number: int) -> dict[str, Json]:
    """Return the parts of a signature."""
    query = sa.select(signatures.c.parts).where(signatures.c.id == number)
    return dict(connection.execute(query).scalar_one())


def assign_signature(connection: sa.Connection, series: Sequence[int], signature: int) -> None:
    """Give a signature to those series that have none yet.

    The series are held until the transaction ends, so that none is switched meanwhile.
    """
    held = _lock_signatures(connection, series)
    new = [number for number, shown_signature in held.items() if shown_signature is None]
    _set_signature(connection, new, signature)


def _lock_signatures(connection: sa.Connection, series: Iterable[int]) -> dict[int, int | None]:
    """Return {series: shown signature}, with rows locked in one order."""
    query = sa.select(series_keys).order_by(series_keys.c.id).with_for_update()
    held = rows.read_in_parts(connection, query, series_keys.c.id, sorted(set(series)))
    return {row.id: row.signature_id for row in held}


def _set_signature(connection: sa.Connection, series: Iterable[int], signature: int) -> None:
    change = sa.update(series_keys).values(signature_id=signature)
    rows.change_in_parts(connection, change, series_keys.c.id, series)


def update_shown_points(
    connection: sa.Connection, series: Iterable[int], run_id: int | None = None
) -> None:
    """Say of each series and run which point a report of the run shows; of one run or of all.

    Of the newest points that of the signature of the series, where there is one, else the one that
    was computed last.
    """
    other_points = points.alias()
    best_point = (
        sa.select(other_points.c.id)
        .join(series_keys, series_keys.c.id == other_points.c.series_id)
        .where(
            other_points.c.series_id == points.c.series_id,
            other_points.c.run_id == points.c.run_id,
            other_points.c.is_newest,
        )
        .order_by(
            sa.case((other_points.c.signature_id == series_keys.c.signature_id, 0), else_=1),
            other_points.c.id.desc(),
        )
        .limit(1)
        .correlate(points)
        .scalar_subquery()
    )
    of_run = sa.true() if run_id is None else points.c.run_id == run_id
    change = sa.update(points).where(of_run, points.c.is_current != (points.c.id == best_point))
    change = change.values(is_current=sa.not_(points.c.is_current))
    rows.change_in_parts(connection, change, points.c.series_id, series)


def read_run_signatures(connection: sa.Connection, run: Run) -> dict[str, dict[str, Json]]:
    """Return {hash: parts} of the signatures under which a run has points."""
    of_run = sa.select(points.c.signature_id).where(points.c.run_id == run.id, points.c.is_newest)
    query = sa.select(signatures.c.hash, signatures.c.parts).where(signatures.c.id.in_(of_run))
    return {row.hash: dict(row.parts) for row in connection.execute(query)}


# --- switching ------------------------------------------------------------------------------------


def switch_series(
    connection: sa.Connection, now: datetime, series: Iterable[int] | None = None
) -> list[PendingSwitch]:
    """Let every series go over whose newest tick has another signature that is complete.

    Of these series, or of all. Returns those that went over. Where it asks other questions now, or
    is held against other shares of a file, that was at the first tick that did; else it is now.
    """
    pending = find_pending(connection, series)
    if not pending:
        return []
    held = _lock_signatures(connection, (switch.series_id for switch in pending))
    lacking = {  # a point at a possible tick
        (row.series_id, signature)
        for signature, series_part in _group_by_wanted(pending).items()
        for row in _read_lacking(connection, series_part, signature, points.c.series_id)
    }
    ready = [
        switch
        for switch in pending
        if (switch.series_id, switch.wanted) not in lacking
        and held[switch.series_id] == switch.shown
    ]
    if not ready:
        return []
    anew = _read_first_ticks(connection, ready)
    content = [
        {
            "series_id": switch.series_id,
            "from_id": switch.shown,
            "to_id": switch.wanted,
            "switched_at": anew.get(switch.series_id, now),
        }
        for switch in ready
        if switch.shown is not None
    ]
    rows.insert_rows(connection, switches, content)
    for signature, series_part in _group_by_wanted(ready).items():
        _set_signature(connection, series_part, signature)
    update_shown_points(connection, (switch.series_id for switch in ready))
    return ready


def find_pending(
    connection: sa.Connection, series: Iterable[int] | None = None
) -> list[PendingSwitch]:
    """Return the series whose newest tick has another signature than their chart shows.

    Of these series, or of all. Manual runs count where a series has no scheduled one.
    """
    newest_signature = (
        sa.select(points.c.signature_id)
        .where(
            points.c.series_id == series_keys.c.id,
            points.c.run_id == select_newest_run(),
            points.c.is_newest,
        )
        .order_by(points.c.id.desc())
        .limit(1)
        .correlate(series_keys)
        .scalar_subquery()
    )
    each = sa.select(series_keys.c.id, series_keys.c.signature_id, newest_signature.label("wanted"))
    parts = [None] if series is None else rows.split_values(sorted(set(series)))
    pending: list[PendingSwitch] = []
    for series_part in parts:
        part_query = each if series_part is None else each.where(series_keys.c.id.in_(series_part))
        inner = part_query.subquery()
        differ = inner.c.wanted.is_not(None) & inner.c.signature_id.is_distinct_from(inner.c.wanted)
        query = sa.select(inner).where(differ).order_by(inner.c.id)
        pending += [PendingSwitch(*row) for row in connection.execute(query)]
    return pending


def select_newest_run() -> sa.ColumnElement[int]:
    """Return the run of the newest tick of each of `series_keys`; of manual runs where all are."""
    return sa.func.coalesce(
        _select_newest_run_of(RunKind.SCHEDULED), _select_newest_run_of(RunKind.MANUAL)
    )


def _select_newest_run_of(kind: RunKind) -> sa.ScalarSelect[int]:
    """Return the query of the run of a series' newest tick."""
    return (
        sa.select(points.c.run_id)
        .join(runs, runs.c.id == points.c.run_id)
        .where(points.c.series_id == series_keys.c.id, points.c.is_current, runs.c.kind == kind)
        .order_by(points.c.due_at.desc(), points.c.run_id.desc())
        .limit(1)
        .correlate(series_keys)
        .scalar_subquery()
    )


def _group_by_wanted(pending: Iterable[PendingSwitch]) -> dict[int, list[int]]:
    return rows.group_pairs((switch.wanted, switch.series_id) for switch in pending)


def _read_inputs(connection: sa.Connection) -> dict[int, tuple[str, str]]:
    """Return {signature: (list, file of shares)}."""
    query = sa.select(signatures.c.id, signatures.c.parts)
    return {row.id: get_inputs(row.parts) for row in connection.execute(query)}


def get_inputs(parts: Mapping[str, Json]) -> tuple[str, str]:
    """Return (list, file of shares) of a signature, which recomputing never changes.

    Of references those are files of the job that have a colon in their name, as `csv:NAME` has.
    """
    reference = str(parts.get("reference", ""))
    is_file = ":" in reference.rpartition("@")[0]
    return str(parts.get("list", "")), reference if is_file else ""


def _read_first_ticks(
    connection: sa.Connection, pending: Sequence[PendingSwitch]
) -> dict[int, datetime]:
    """Return {series: first tick of its wanted signature} of those with other inputs."""
    inputs_of = _read_inputs(connection)
    anew = [
        switch
        for switch in pending
        if switch.shown is not None and inputs_of[switch.shown] != inputs_of[switch.wanted]
    ]
    first_ticks: dict[int, datetime] = {}
    for signature, series in _group_by_wanted(anew).items():
        query = (
            sa.select(points.c.series_id, sa.func.min(points.c.due_at).label("first"))
            .join(runs, runs.c.id == points.c.run_id)
            .where(points.c.signature_id == signature, runs.c.kind == RunKind.SCHEDULED)
            .group_by(points.c.series_id)
        )
        ticks = rows.read_in_parts(connection, query, points.c.series_id, series)
        first_ticks |= {row.series_id: row.first for row in ticks}
    return first_ticks


def _read_lacking(
    connection: sa.Connection, series: Sequence[int], signature: int, what: sa.Column[int]
) -> Iterator[Any]:
    """Yield scheduled runs, or series, with a point on the same list under other signatures."""
    inputs_of, has = _read_inputs(connection), points.alias()
    alike = [number for number, inputs in inputs_of.items() if inputs == inputs_of[signature]]
    query = (
        sa.select(what)
        .join(runs, runs.c.id == points.c.run_id)
        .where(
            points.c.is_newest,
            points.c.signature_id != signature,
            points.c.signature_id.in_(alike),
            runs.c.kind == RunKind.SCHEDULED,
            ~sa.exists().where(
                has.c.series_id == points.c.series_id,
                has.c.run_id == points.c.run_id,
                has.c.signature_id == signature,
            ),
        )
        .distinct()
    )
    return rows.read_in_parts(connection, query, points.c.series_id, series)


#: Part of a signature that names something: the part that has its version.
_VERSIONS = {
    "measure": "measure_version",
    "language": "language_version",
    "parser": "parser_version",
    "reference": "reference_version",
}


def list_parts(connection: sa.Connection, hidden: EmbargoFilter) -> list[dict[str, Any]]:
    """Return the parts of every signature of the archive, in the order of first use.

    Where something is hidden, of what else there is.
    """
    query = sa.select(signatures.c.parts).order_by(signatures.c.id)
    if hidden.series:
        visible = sa.select(points.c.signature_id).where(hidden.series_shown(points.c.series_id))
        query = query.where(signatures.c.id.in_(visible.distinct()))
    return [dict(parts) for parts in connection.execute(query).scalars()]


def list_versions(parts_list: Iterable[Mapping[str, Any]], part: str) -> dict[str, list[int]]:
    """Return {what a part of signatures names: the versions of it that were used, in order}."""
    versions: dict[str, set[int]] = {}
    for parts in parts_list:
        if parts.get(part):
            versions.setdefault(str(parts[part]), set()).add(int(parts.get(_VERSIONS[part]) or 0))
    return {name: sorted(numbers) for name, numbers in sorted(versions.items())}


# --- stale series ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StaleSeries:
    """Series of one job that wait to go over from one signature to the same other one.

    `job` is that of their newest run.

    `since` is when the first tick was due that is not on their charts, `known_at` when it was
    computed; `n_ticks` counts such ticks. Where there is none, because every
    tick has both, they are those of the newest tick. `held_by` are the runs that lack the newer
    signature, as (job, run), the oldest first: the charts go over when all have it.
    """

    job: str
    series: tuple[int, ...]
    since: datetime
    known_at: datetime
    n_ticks: int
    before: dict[str, Json]
    after: dict[str, Json]
    held_by: tuple[tuple[str, int], ...]


def read_change_token(connection: sa.Connection) -> tuple[int, int]:
    """Return another pair whenever charts may have begun or ceased to stand still."""
    newest = (sa.select(sa.func.max(table.c.id)).scalar_subquery() for table in (points, switches))
    first, second = connection.execute(sa.select(*newest)).one()
    return int(first or 0), int(second or 0)


def count_stale(connection: sa.Connection) -> dict[str, int]:
    """Return {job: how many of its series stand still}."""
    waiting = [each.series_id for each in find_pending(connection) if each.shown is not None]
    return dict(Counter(_find_jobs(connection, waiting).values()))


def find_stale(connection: sa.Connection, series: Iterable[int] | None = None) -> list[StaleSeries]:
    """Return what stands still, of these series or of all; by job, the largest part of it first."""
    waiting = [pending for pending in find_pending(connection, series) if pending.shown is not None]
    jobs = _find_jobs(connection, [pending.series_id for pending in waiting])
    alike = rows.group_rows(
        waiting, lambda pending: (jobs[pending.series_id], pending.shown or 0, pending.wanted)
    )
    signature_ids = {number for _, *ids in alike for number in ids}
    query = sa.select(signatures.c.id, signatures.c.parts).where(signatures.c.id.in_(signature_ids))
    parts = {row.id: dict(row.parts) for row in connection.execute(query)}
    stale = [
        _make_group(connection, job, pending_group, parts[old], parts[newer])
        for (job, old, newer), pending_group in alike.items()
    ]
    return sorted(stale, key=lambda pending: (pending.job, -len(pending.series), pending.since))


def _find_jobs(connection: sa.Connection, series: Sequence[int]) -> dict[int, str]:
    """Return {series: job of its newest run}."""
    job = sa.select(runs.c.job).where(runs.c.id == select_newest_run()).scalar_subquery()
    query = sa.select(series_keys.c.id, job.label("job"))
    job_rows = rows.read_in_parts(connection, query, series_keys.c.id, series)
    return {row.id: row.job for row in job_rows}


def _make_group(
    connection: sa.Connection,
    job: str,
    pending_group: Sequence[PendingSwitch],
    before: dict[str, Json],
    after: dict[str, Json],
) -> StaleSeries:
    """Return one group, whose series all show and wait for the same signature."""
    numbers = [pending.series_id for pending in pending_group]
    old, newer_id = pending_group[0].shown, pending_group[0].wanted
    later_points = points.alias()
    is_shown = sa.exists().where(
        later_points.c.series_id == points.c.series_id,
        later_points.c.run_id == points.c.run_id,
        later_points.c.signature_id == old,
    )
    newer = (points.c.signature_id == newer_id) & points.c.is_newest
    off_chart = _read_ticks(connection, numbers, newer & ~is_shown)
    tick_pair = off_chart or _read_ticks(connection, numbers, newer)[-1:]
    return StaleSeries(
        job=job,
        series=tuple(numbers),
        since=tick_pair[0].due_at,
        known_at=min(tick.known_at for tick in tick_pair),
        n_ticks=len(off_chart),
        before=before,
        after=after,
        held_by=_find_blocking_runs(connection, numbers, newer_id),
    )


class _ComputedTick(NamedTuple):
    """A tick at which some series have a point, and when the first of these was computed."""

    due_at: datetime
    known_at: datetime


def _read_ticks(
    connection: sa.Connection, series: Sequence[int], which: sa.ColumnElement[bool]
) -> list[_ComputedTick]:
    """Return the ticks of some points, the oldest first."""
    query = (
        sa.select(points.c.due_at, sa.func.min(points.c.computed_at))
        .where(which)
        .group_by(points.c.due_at)
    )
    computed: dict[datetime, datetime] = {}
    for due_at, known_at in rows.read_in_parts(connection, query, points.c.series_id, series):
        computed[due_at] = min(known_at, computed.get(due_at, known_at))
    return [_ComputedTick(due_at, computed[due_at]) for due_at in sorted(computed)]


def _find_blocking_runs(
    connection: sa.Connection, series: Sequence[int], signature: int
) -> tuple[tuple[str, int], ...]:
    lacking = _read_lacking(connection, series, signature, points.c.run_id)
    run_ids = {row.run_id for row in lacking}
    if not run_ids:
        return ()
    query = sa.select(runs.c.job, runs.c.id).order_by(runs.c.due_at, runs.c.id)
    query = query.where(runs.c.kind == RunKind.SCHEDULED)
    return tuple((row.job, row.id) for row in connection.execute(query) if row.id in run_ids)


def has_values(connection: sa.Connection, run: Run) -> bool:
    """Return whether a report of a run shows any value."""
    # points have no index by run; they are found by their series and tick
    query = (
        sa.select(points.c.id)
        .join(series_keys, series_keys.c.id == points.c.series_id)
        .where(
            points.c.due_at == run.due_at,
            points.c.run_id == run.id,
            points.c.is_current,
            points.c.state == State.MEASURED,
        )
        .limit(1)
    )
    return connection.execute(query).scalar() is not None
