"""Find stored contents whose time is over, and take them away a portion at a time; clean up.

Each job sets the days of each class of content; without a number of days it is kept for ever. A
body goes when every reference to it is past its days. Points, readings, digests and sizes stay.
Answers that a run still has to be read from stay as long as that takes: a budget can spread the
questions of a run over more days than its answers are kept.
"""

import re
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Any

import sqlalchemy as sa

from monitor.model import RunState, TaskState
from monitor.store.collect import bodies
from monitor.store.collect.bodies import RemovalReason
from monitor.store.database import Database
from monitor.store.schedule.leases import read_clock
from monitor.store.schema import (
    PEOPLE,
    alarms,
    bundle_files,
    bundles,
    documents,
    events,
    exchanges,
    jobs,
    leases,
    lookups,
    metadata,
    people_lookups,
    processes,
    runs,
    stages_done,
    tasks,
    watched_jobs,
)
from monitor.store.schema import bodies as table

#: {job: {class: days}}
Policies = Mapping[str, Mapping[str, int]]

#: Bodies that are looked at, and at most taken away, in one transaction.
PORTION = 5_000
_LANDING = "landing:"
#: The stage that reads answers; what was not read by then would never be.
_READ = "parse"
#: Of runs that still ask, or have something to be done.
_IS_AT_WORK = runs.c.state.in_([RunState.RUNNING, RunState.INTERRUPTED]) | sa.exists().where(
    tasks.c.run_id == runs.c.id, tasks.c.state == TaskState.OPEN
)


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
            longest = max(references, key=lambda use: use.last + timedelta(days[use.job][use.kind]))
            outside = bodies.find_body_file(database, row.sha256)
            size = _measure_file(str(outside)) if row.inside is None else int(row.inside)
            doomed.append(ExpiredBody(int(row.id), row.sha256, size, longest.job, longest.kind))
            continue
        for reference in references:
            key = reference.job, reference.kind
            oldest[key] = min(oldest.get(key, reference.first), reference.first)
    return BodyPortion(int(rows[-1].id), tuple(doomed), oldest)


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


#: Ids of runs that still ask, have something to be done, or were not read yet.
_UNFINISHED_RUNS = sa.select(runs.c.id).where(
    _IS_AT_WORK
    | ~sa.exists().where(stages_done.c.run_id == runs.c.id, stages_done.c.stage == _READ)
)


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
    needed = sa.false() if of_no_run else runs.c.id.in_(_UNFINISHED_RUNS)
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
    tombstone = _TOMB + f"on {now:%Y-%m-%d} ({because})".encode()
    connection.execute(change.values(body=tombstone))


# --- clean-up -------------------------------------------------------------------------------------


def measure_database(connection: sa.Connection, database: Database) -> int:
    """Return what the database takes: its files and their logs, or what the server says."""
    if not database.keeps_files:
        size = sa.select(sa.func.pg_database_size(sa.func.current_database()))
        return int(connection.execute(size).scalar_one())
    listed = connection.exec_driver_sql("PRAGMA database_list").all()
    names = [f"{row[2]}{end}" for row in listed if row[2] for end in ("", "-wal")]
    return sum(_measure_file(name) for name in names)


def _measure_file(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except OSError:  # the log comes and goes
        return 0


def measure_folder(folder: Path) -> int:
    """Return what the files of large answers take in their folder. Looks at every file."""
    return sum(_measure_file(str(path)) for path in folder.glob("*/*"))


def measure_free_space(database: Database) -> int | None:
    """Free bytes of this machine's disk that holds the data folder; None where there is none."""
    try:
        return shutil.disk_usage(database.bodies.parent).free
    except OSError:
        return None


_FILES = ("main", PEOPLE)
#: Pages that are freed in one transaction, and the seconds after it in which others can write.
_PAGES = 2_000
_BREATH = 0.05
_INCREMENTAL = 2  # a file that shrinks when it is told to


def measure_unused(connection: sa.Connection, database: Database) -> int:
    """Return bytes inside the files of a SQLite database that hold nothing; 0 for PostgreSQL."""
    if not database.keeps_files:
        return 0
    return sum(
        _free_pages(connection, file)
        * int(connection.exec_driver_sql(f"PRAGMA {file}.page_size").scalar_one())
        for file in _FILES
    )


def _free_pages(connection: sa.Connection, file: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {file}.freelist_count").scalar_one())


def release_pages(database: Database) -> None:
    """Free pages at the end of a SQLite file that was made to shrink (`auto_vacuum`).

    A portion at a time, so that others can write in between. Files that were not made so stay as
    large as they are; new rows go into the free pages.
    """
    if database.keeps_files:
        for file in _FILES:
            while _release_some_pages(database, file):
                sleep(_BREATH)


def _release_some_pages(database: Database, file: str) -> bool:
    """Free some pages in one transaction; return whether there are more."""
    with database.begin() as connection:
        if connection.exec_driver_sql(f"PRAGMA {file}.auto_vacuum").scalar_one() != _INCREMENTAL:
            return False
        before = _free_pages(connection, file)
        # Python's driver takes one step of a statement without columns, which frees one page: asked
        # for more at once, it leaves the rest.
        for _ in range(min(before, _PAGES)):
            connection.exec_driver_sql(f"PRAGMA {file}.incremental_vacuum(1)")
        return 0 < _free_pages(connection, file) < before


def overwrite_deleted(connection: sa.Connection, database: Database) -> None:
    """Overwrite with zeros what this connection deletes from here on (SQLite)."""
    if database.keeps_files:
        for file in _FILES:
            connection.exec_driver_sql(f"PRAGMA {file}.secure_delete = ON").fetchall()


def compact_database(database: Database) -> None:
    """Write the files of a database anew without what is free in them; takes time and room.

    No page that was there before stays in the file or its log. PostgreSQL makes the room of old
    rows free for new ones.
    """
    if not database.keeps_files:
        with database.writer.connect() as plain:
            connection = plain.execution_options(isolation_level="AUTOCOMMIT")
            for name in metadata.tables:
                connection.exec_driver_sql(f"VACUUM {name}")
        return
    with database.begin() as connection:
        connection.exec_driver_sql("COMMIT")  # VACUUM does not work within a transaction
        for file in _FILES:
            connection.exec_driver_sql(f"VACUUM {file}")
        connection.exec_driver_sql("BEGIN")
    truncate_logs(database)


def truncate_logs(database: Database) -> None:
    """Write what stands in the logs of a SQLite database into its files, and empty them."""
    if database.keeps_files:
        with database.begin() as connection:
            connection.exec_driver_sql("COMMIT")
            for file in _FILES:
                connection.exec_driver_sql(f"PRAGMA {file}.wal_checkpoint(TRUNCATE)").fetchall()
            connection.exec_driver_sql("BEGIN")


#: Kinds of events that stay for ever: by the first the daemon knows which ticks are owed, the
#: second says that an answer was refused.
FOR_EVER = ("schedule_changed", "fenced")
#: Rows that are taken away in one transaction.
DELETED_AT_ONCE = 1_000

_OF_A_RUN = re.compile(r"(?:lane:.+:)?run:([0-9]{1,18})")
_FREE_FOR = timedelta(days=1)
_UNSEEN_FOR = timedelta(days=1)
_RESOLVED_FOR = timedelta(days=365)
_PAST_FOR = timedelta(days=2 * 365)


def drop_turns(connection: sa.Connection, after: str) -> tuple[str, int] | None:
    """Forget turns of runs that have ended, which nobody has had for a day.

    Looks at the next portion of names behind one; (the last name, how many went), None at the end.
    The token of a turn begins anew when it is taken again: who lost it is told so by its holder.
    """
    before = read_clock(connection) - _FREE_FOR
    free = leases.c.until <= before
    query = sa.select(leases.c.name).where(
        leases.c.name > after, free, leases.c.name.like("%run:%")
    )
    names = connection.execute(query.order_by(leases.c.name).limit(DELETED_AT_ONCE)).scalars().all()
    if not names:
        return None
    of = {name: int(match[1]) for name in names if (match := _OF_A_RUN.fullmatch(name))}
    at_work = set(connection.execute(_AT_WORK, {"some": list(of.values())}).scalars())
    gone = [name for name, run_id in of.items() if run_id not in at_work]
    # asked again, because it may have been taken since
    went = connection.execute(sa.delete(leases).where(leases.c.name.in_(gone), free))
    return names[-1], int(went.rowcount)


_AT_WORK = sa.select(runs.c.id).where(
    runs.c.id.in_(sa.bindparam("some", expanding=True)), _IS_AT_WORK
)


def drop_processes(connection: sa.Connection, now: datetime) -> int:
    """Forget daemons and workers that nobody has heard of for a day: they were killed."""
    return _delete_old(connection, processes.c.name, processes.c.seen_at < now - _UNSEEN_FOR)


def drop_alarms(connection: sa.Connection, now: datetime) -> int:
    """Forget alarms that were resolved more than a year ago; one that stands stays."""
    return _delete_old(connection, alarms.c.id, alarms.c.resolved_at < now - _RESOLVED_FOR)


def drop_events(connection: sa.Connection, now: datetime) -> int:
    """Forget events of more than two years ago, but those that count for ever."""
    past = (events.c.at < now - _PAST_FOR) & events.c.kind.not_in(FOR_EVER)
    return _delete_old(connection, events.c.id, past)


def _delete_old(connection: sa.Connection, key: sa.Column[Any], old: sa.ColumnElement[bool]) -> int:
    """Delete at most a portion of old rows; return how many were deleted."""
    query = sa.select(key).where(old).order_by(key).limit(DELETED_AT_ONCE)
    if not (keys := connection.execute(query).scalars().all()):
        return 0
    return int(connection.execute(sa.delete(key.table).where(key.in_(keys), old)).rowcount)
