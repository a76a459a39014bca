"""Find stored contents whose time is over, and take them away a portion at a time.

Each job sets the days of each class of content; without a number of days it is kept for ever. A
body goes when every reference to it is past its days. Points, readings, digests and sizes stay.
Answers that a run still has to be read from stay as long as that takes: a budget can spread the
questions of a run over more days than its answers are kept.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from monitor.model import RunState, TaskState
from monitor.store.collect import bodies
from monitor.store.collect.bodies import RemovalReason
from monitor.store.database import Database
from monitor.store.schema import bodies as table
from monitor.store.schema import (
    bundle_files,
    bundles,
    documents,
    exchanges,
    jobs,
    lookups,
    people_lookups,
    runs,
    stages_done,
    tasks,
    watched_jobs,
)

#: {job: {class: days}}
Policies = Mapping[str, Mapping[str, int]]

#: Bodies that are looked at, and at most taken away, in one transaction.
PORTION = 5_000
_LANDING = "landing:"
#: The stage that reads answers; what was not read by then would never be.
_READ = "parse"


# --- how long -------------------------------------------------------------------------------------


def read_policies(connection: sa.Connection) -> dict[str, dict[str, int]]:
    """Return the days of every job, by the content that it was last used with.

    That of a watched job is the one that the daemon goes by. A job file that was set back to what
    it said before counts again once a run was begun with it.
    """
    watched = (
        sa.select(watched_jobs.c.job, bundles.c.job_id)
        .join(bundles, bundles.c.id == watched_jobs.c.bundle_id)
        .where(watched_jobs.c.is_active)
    )
    job_ids = {row.job: int(row.job_id) for row in connection.execute(watched)}
    newest: dict[str, tuple[bool, datetime, int]] = {}
    policies: dict[str, dict[str, int]] = {}
    began = sa.select(runs.c.job_id, sa.func.max(runs.c.created_at)).group_by(runs.c.job_id)
    times = {int(job_id): began_at for job_id, began_at in connection.execute(began)}
    for row in connection.execute(sa.select(jobs).order_by(jobs.c.id)):
        last = max(row.first_seen_at, times.get(row.id, row.first_seen_at))
        rank = (job_ids.get(row.name) == row.id, last, int(row.id))
        if row.name not in newest or rank > newest[row.name]:
            newest[row.name], policies[row.name] = rank, _parse_days(row.content)
    return {job: days for job, days in policies.items() if days}


def _parse_days(content: Mapping[str, Any]) -> dict[str, int]:
    """Return {class: days} of a job's content, without classes that are kept for ever."""
    governance = content.get("governance") or {}
    retention = governance.get("retention") or {}
    return {kind: days for kind, days in retention.items() if type(days) is int and days > 0}


def is_expired(days: Policies, job: str, kind: str, came_at: datetime, now: datetime) -> bool:
    """Return whether a content of a class that came at a time is past its job's days."""
    most = days.get(job, {}).get(kind)
    return most is not None and came_at <= now - timedelta(days=most)


# --- which bodies ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExpiredBody:
    """A content whose time is over, by the reference that held it longest."""

    id: int
    sha256: str
    size: int  # as it is kept: packed
    job: str
    kind: str


@dataclass(frozen=True, slots=True)
class BodyPortion:
    """Some bodies that were looked at: the last id, what may go, and the oldest of what stays."""

    last: int
    doomed: tuple[ExpiredBody, ...]
    oldest: Mapping[tuple[str, str], datetime]


def find_expired(
    connection: sa.Connection, database: Database, days: Policies, now: datetime, after: int
) -> BodyPortion | None:
    """Look at the next bodies behind an id; None behind the last."""
    query = (
        sa.select(table.c.id, table.c.sha256, sa.func.length(table.c.content).label("inside"))
        .where(table.c.id > after, table.c.removed_at.is_(None), table.c.retention != "job")
        .order_by(table.c.id)
        .limit(PORTION)
    )
    rows = connection.execute(query).all()
    if not rows:
        return None
    held = _read_references(connection, int(rows[0].id), int(rows[-1].id))
    doomed: list[ExpiredBody] = []
    oldest: dict[tuple[str, str], datetime] = {}
    for row in rows:
        references = held.get(row.id, ())
        if references and _are_all_expired(days, references, now):
            longest = max(
                references,
                key=lambda reference: (
                    reference.last + timedelta(days[reference.job][reference.kind])
                ),
            )
            size = _measure_body(database, row.sha256, row.inside)
            doomed.append(ExpiredBody(int(row.id), row.sha256, size, longest.job, longest.kind))
            continue
        for reference in references:
            key = reference.job, reference.kind
            oldest[key] = min(oldest.get(key, reference.first), reference.first)
    return BodyPortion(int(rows[-1].id), tuple(doomed), oldest)


def _measure_body(database: Database, sha256: str, inside: int | None) -> int:
    if inside is not None:
        return int(inside)
    path = bodies.find_body_file(database, sha256)
    return path.stat().st_size if path.is_file() else 0


@dataclass(frozen=True, slots=True)
class _BodyUse:
    """By whom a body is named as what, and from when to when."""

    job: str
    kind: str
    first: datetime
    last: datetime
    is_needed: bool  # by a run that is not done with it


def _are_all_expired(days: Policies, references: Sequence[_BodyUse], now: datetime) -> bool:
    return all(
        not reference.is_needed
        and is_expired(days, reference.job, reference.kind, reference.last, now)
        for reference in references
    )


def _read_references(connection: sa.Connection, low: int, high: int) -> dict[int, list[_BodyUse]]:
    """Return grouped references to the bodies with ids in a range."""
    references: dict[int, list[_BodyUse]] = defaultdict(list)
    for query in _select_references():
        for row in connection.execute(query, {"low": low, "high": high}):
            reference = _BodyUse(row.job or "", row.kind, row.first, row.last, bool(row.needed))
            references[int(row.body)].append(reference)
    return references


def _select_unfinished_runs() -> sa.Select[Any]:
    """Return ids of runs that still ask, have something to be done, or were not read yet."""
    waits = sa.select(tasks.c.id).where(
        tasks.c.run_id == runs.c.id, tasks.c.state == str(TaskState.OPEN)
    )
    read = sa.select(stages_done.c.run_id).where(
        stages_done.c.run_id == runs.c.id, stages_done.c.stage == _READ
    )
    asks = runs.c.state.in_([str(RunState.RUNNING), str(RunState.INTERRUPTED)])
    return sa.select(runs.c.id).where(asks | waits.exists() | ~read.exists())


def _select_references() -> Iterator[sa.Select[Any]]:
    """Yield (body, job, class, first and last time) of every table that names bodies."""
    run_of_page = sa.case(
        (
            documents.c.collection.startswith(_LANDING),
            sa.cast(sa.func.substr(documents.c.collection, len(_LANDING) + 1), runs.c.id.type),
        ),
        else_=None,
    )
    exchange_runs = exchanges.join(runs, runs.c.id == exchanges.c.run_id)
    looked_up = lookups.outerjoin(runs, runs.c.id == lookups.c.run_id)
    pages = documents.outerjoin(runs, runs.c.id == run_of_page).outerjoin(
        lookups, lookups.c.id == documents.c.lookup_id
    )
    bundled = table.join(bundle_files, bundle_files.c.body_id == table.c.id)
    page_at = sa.func.coalesce(lookups.c.asked_at, runs.c.created_at, _IN_NO_RUN)
    yield _group_references(
        "answer", exchanges.c.body_id, runs.c.job, exchanges.c.asked_at, exchange_runs
    )
    yield _group_references(
        "screenshot", exchanges.c.screenshot_id, runs.c.job, exchanges.c.asked_at, exchange_runs
    )
    yield _group_references("lookup", lookups.c.body_id, runs.c.job, lookups.c.asked_at, looked_up)
    yield _group_references("document", documents.c.body_id, runs.c.job, page_at, pages)
    yield _group_references("job", table.c.id, sa.null(), table.c.stored_at, bundled)


#: Documents of test collections came at no time that counts: no job has days for them.
_IN_NO_RUN = sa.literal(datetime.fromisoformat("1970-01-01T00:00:00+00:00"), runs.c.created_at.type)


def _group_references(
    kind: str,
    body: sa.Column[Any],
    job: sa.ColumnElement[Any],
    moment: sa.ColumnElement[Any],
    source: sa.FromClause,
) -> sa.Select[Any]:
    of_no_run = isinstance(job, sa.Null)
    needed = sa.false() if of_no_run else runs.c.id.in_(_select_unfinished_runs())
    query = sa.select(
        body.label("body"),
        sa.literal(kind).label("kind"),
        job.label("job"),
        sa.func.max(sa.case((needed, 1), else_=0)).label("needed"),
        sa.func.min(moment).label("first"),
        sa.func.max(moment).label("last"),
    )
    inside = body.between(sa.bindparam("low"), sa.bindparam("high"))
    keys = [body] if of_no_run else [body, job]
    return query.select_from(source).where(inside).group_by(*keys)


def remove_expired(
    connection: sa.Connection,
    database: Database,
    days: Policies,
    now: datetime,
    doomed: Sequence[ExpiredBody],
) -> tuple[list[ExpiredBody], list[str]]:
    """Take away what is still past its time; (what went, digests of files to delete after commit).

    A body that an open transaction is about to name again is left for the next time.
    """
    doomed_by_id = {body.id: body for body in doomed}
    lock = sa.select(table.c.id).where(table.c.id.in_(doomed_by_id), table.c.removed_at.is_(None))
    free = set(connection.execute(lock.with_for_update(skip_locked=True)).scalars())
    held = _read_references(connection, min(doomed_by_id), max(doomed_by_id)) if free else {}
    going = [
        doomed_by_id[number]
        for number in sorted(free)
        if _are_all_expired(days, held.get(number, ()), now)
    ]
    ids = [body.id for body in going]
    return going, bodies.remove_bodies(connection, database, ids, RemovalReason.RETENTION, now)


# --- look-ups about people ------------------------------------------------------------------------

#: What stands in the place of the body of a look-up that was taken away; no packed content begins
#: like this.
_TOMB = b"removed "


def make_tombstone(because: RemovalReason, now: datetime) -> bytes:
    """Return what is left of the body of a look-up about people."""
    return _TOMB + f"on {now:%Y-%m-%d} ({because})".encode()


def is_tombstone(body: bytes) -> bool:
    """Return whether the body of a look-up about people was taken away."""
    return body.startswith(_TOMB)


def find_expired_lookups(
    connection: sa.Connection, days: Policies, now: datetime, after: int
) -> BodyPortion | None:
    """Look at the next look-ups about people behind an id; None behind the last."""
    columns = people_lookups.c
    query = (
        sa.select(
            columns.id, columns.sha256, columns.asked_at, runs.c.job,
            sa.func.length(columns.body).label("size"),
        )
        .outerjoin(runs, runs.c.id == columns.run_id)
        .where(columns.id > after, sa.func.substr(columns.body, 1, len(_TOMB)) != _TOMB)
        .order_by(columns.id)
        .limit(PORTION)
    )  # fmt: skip
    rows = connection.execute(query).all()
    if not rows:
        return None
    doomed: list[ExpiredBody] = []
    oldest: dict[tuple[str, str], datetime] = {}
    for row in rows:
        key = row.job or "", "lookup"
        if is_expired(days, *key, row.asked_at, now):
            doomed.append(ExpiredBody(int(row.id), row.sha256, int(row.size), *key))
        else:
            oldest[key] = min(oldest.get(key, row.asked_at), row.asked_at)
    return BodyPortion(int(rows[-1].id), tuple(doomed), oldest)


def remove_lookup_bodies(
    connection: sa.Connection, ids: Sequence[int], because: RemovalReason, now: datetime
) -> None:
    """Take the bodies of look-ups about people away; their digests stay."""
    change = sa.update(people_lookups).where(people_lookups.c.id.in_(ids))
    connection.execute(change.values(body=make_tombstone(because, now)))
