"""Delete what retention no longer covers, and persons and addresses on request.

In go a database and a time; out comes what went, or would go, by job and class. Owns the
transactions: each takes a portion away, and its files are deleted after it was committed. What dies
in between leaves files without a living row, which the next sweep finds.

In go what somebody wants erased and why; out come counts, the runs that lose inputs, and where the
subject stands nevertheless. All rows change in one transaction; files go after it was committed,
and then the database is written anew without what lay in its free pages.
"""

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from monitor.model import InvalidInput
from monitor.store.collect import bodies
from monitor.store.collect.bodies import RemovalReason
from monitor.store.database import Connection, Database
from monitor.store.maintenance import erasure, retention
from monitor.store.maintenance.erasure import ErasableRows
from monitor.store.maintenance.erasure_subjects import ErasureSubject
from monitor.store.maintenance.retention import BodyPortion, ExpiredBody, Policies
from monitor.store.rows import split_values

# --- retention ------------------------------------------------------------------------------------

log = logging.getLogger(__name__)

#: A writer may be about to commit what a younger file belongs to.
_YOUNG = timedelta(hours=1)
#: Names that this program gives to files of bodies, and to pieces of them.
_OURS = re.compile(r"[0-9a-f]{64}\.zst|tmp\w+")
#: Bodies that are taken away in one transaction.
_AT_ONCE = 1_000

#: Called with the number of contents, or rows, that were looked at.
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class SweptLine:
    """Deleted rows of one class of a job, and the age of the oldest that remains."""

    job: str  # empty: of no job
    kind: str
    days: int | None  # None: for ever
    n: int
    size: int  # bytes as they were kept
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class Swept:
    """Rows that were deleted, or would be after a dry run."""

    dry_run: bool
    policies: int  # jobs that say how long anything is kept
    lines: tuple[SweptLine, ...]
    orphans: int
    orphans_size: int
    free: int  # bytes that the files of a SQLite database could give back

    @property
    def n(self) -> int:
        """Contents that went."""
        return sum(line.n for line in self.lines)

    @property
    def size(self) -> int:
        """Bytes that went, with those of files of nobody."""
        return sum(line.size for line in self.lines) + self.orphans_size


@dataclass
class _Ledger:
    """Counts by job and class while portions go by."""

    days: Policies
    n: Counter[tuple[str, str]] = field(default_factory=Counter)
    size: Counter[tuple[str, str]] = field(default_factory=Counter)
    oldest: dict[tuple[str, str], datetime] = field(default_factory=dict)

    def went(self, some: Iterable[ExpiredBody]) -> None:
        for expired_body in some:
            self.n[expired_body.job, expired_body.kind] += 1
            self.size[expired_body.job, expired_body.kind] += expired_body.size

    def stayed(self, portion: BodyPortion) -> None:
        for key, position in portion.oldest.items():
            self.oldest[key] = min(self.oldest.get(key, position), position)

    def lines(self) -> tuple[SweptLine, ...]:
        ruled = {(job, kind) for job, kinds in self.days.items() for kind in kinds}
        keys = sorted(ruled | set(self.n) | {key for key in self.oldest if key[1] != "job"})
        return tuple(
            SweptLine(
                job, kind, self.days.get(job, {}).get(kind), self.n[job, kind],
                self.size[job, kind], self.oldest.get((job, kind)),
            )
            for job, kind in keys
        )  # fmt: skip


def collect_garbage(
    database: Database, now: datetime, dry_run: bool, progress: Progress = lambda _: None
) -> Swept:
    """Take away what is past its time, or say what would go. Twice is as once."""
    with database.read() as connection:
        days = retention.read_policies(connection)
    ledger = _Ledger(days)
    if days:
        seen = _sweep_bodies(database, ledger, now, dry_run, progress)
        _sweep_people(database, ledger, now, dry_run, lambda done: progress(seen + done))
    orphans, orphans_size = _sweep_files(database, now, dry_run)
    if not dry_run:
        _sweep_leftovers(database, now)
        retention.release_pages(database)
    with database.read() as connection:
        free = retention.measure_unused(connection, database)
    swept = Swept(dry_run, len(days), ledger.lines(), orphans, orphans_size, free)
    if not dry_run and (swept.n or orphans):
        log.info("swept contents=%d files=%d bytes=%d", swept.n, orphans, swept.size)
    return swept


def _read_portions(
    database: Database, find: Callable[[Connection, int], BodyPortion | None]
) -> Iterator[BodyPortion]:
    """Yield portions of contents, each behind the last id of the one before."""
    last = 0
    while True:
        with database.read() as connection:
            portion = find(connection, last)
        if portion is None:
            return
        last = portion.last
        yield portion


def _sweep_bodies(
    database: Database, ledger: _Ledger, now: datetime, dry_run: bool, progress: Progress
) -> int:
    def find(connection: Connection, last: int) -> BodyPortion | None:
        return retention.find_expired(connection, database, ledger.days, now, last)

    seen = 0
    for portion in _read_portions(database, find):
        ledger.stayed(portion)
        for doomed in split_values(portion.doomed, _AT_ONCE):
            if dry_run:
                ledger.went(doomed)
                continue
            with database.begin() as connection:
                going, digests = retention.remove_expired(
                    connection, database, ledger.days, now, doomed
                )
            delete_files(database, digests)
            ledger.went(going)
        seen += retention.PORTION
        progress(seen)
    return seen


def delete_files(database: Database, digests: list[str]) -> None:
    """Delete the files of bodies that a committed transaction took away."""
    if digests:
        with database.begin() as connection:
            bodies.delete_files(connection, database, digests)


def _sweep_people(
    database: Database, ledger: _Ledger, now: datetime, dry_run: bool, progress: Progress
) -> None:
    def find(connection: Connection, last: int) -> BodyPortion | None:
        return retention.find_expired_lookups(connection, ledger.days, now, last)

    for n, portion in enumerate(_read_portions(database, find), start=1):
        ledger.stayed(portion)
        ledger.went(portion.doomed)
        if not dry_run and portion.doomed:
            with database.begin() as connection:
                ids = [expired_body.id for expired_body in portion.doomed]
                retention.remove_lookup_bodies(connection, ids, RemovalReason.RETENTION, now)
        progress(n * retention.PORTION)


# --- files without a row --------------------------------------------------------------------------


def _sweep_files(database: Database, now: datetime, dry_run: bool) -> tuple[int, int]:
    """(number, bytes) of files that belong to no living body."""
    n = size = 0
    for names in _old_files(database, now):
        by_name = {path.name: path for path in names}
        with database.read() as connection:
            lost = bodies.find_orphans(connection, list(by_name))
        if lost and not dry_run:
            with database.begin() as connection:  # SQLite's one writer: nobody brings one back now
                lost = bodies.find_orphans(connection, lost)
                for name in lost:
                    size += by_name[name].stat().st_size
                    by_name[name].unlink()
        else:
            size += sum(by_name[name].stat().st_size for name in lost)
        n += len(lost)
    return n, size


def _old_files(database: Database, now: datetime) -> Iterator[list[Path]]:
    """Files of our making that are old enough, folder by folder."""
    if not database.keeps_files or not database.bodies.is_dir():
        return
    before = (now - _YOUNG).timestamp()
    for folder in sorted(path for path in database.bodies.iterdir() if path.is_dir()):
        paths = [
            path
            for path in folder.iterdir()
            if _OURS.fullmatch(path.name) and path.is_file() and path.stat().st_mtime < before
        ]
        if paths:
            yield paths


# --- what operation leaves behind -----------------------------------------------------------------


def _sweep_leftovers(database: Database, now: datetime) -> None:
    """Forget turns, processes, alarms and events that nobody goes by any more."""
    counts = {"turns": 0, "processes": 0, "alarms": 0, "events": 0}
    name = ""
    while True:
        with database.begin() as connection:
            drop_turns = retention.drop_turns(connection, name)
        if drop_turns is None:
            break
        name, n = drop_turns
        counts["turns"] += n
    for kind, drop in _DROPS.items():
        while True:
            with database.begin() as connection:
                n = drop(connection, now)
            counts[kind] += n
            if n < retention.DELETED_AT_ONCE:
                break
    if any(counts.values()):
        log.info("forgot %s", " ".join(f"{kind}={n}" for kind, n in counts.items()))


_DROPS = {
    "processes": retention.drop_processes,
    "alarms": retention.drop_alarms,
    "events": retention.drop_events,
}


# --- erasure --------------------------------------------------------------------------------------

#: Answers may come in while we look; whoever still finds some then has a run that asks for them.
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Request:
    """Request for erasure: subject, reason, and the key of its tombstone."""

    what: str  # key of an entity, item of Wikidata, name, address, or donor:NAME
    reason: str
    key: str
    profession: str = ""


@dataclass(frozen=True, slots=True)
class Erased:
    """Rows that were erased, or would be."""

    kind: str
    counts: Mapping[str, int]
    runs: tuple[int, ...]
    remains: Mapping[str, int]  # {table.column: rows}; empty before it was erased


def preview_erasure(
    database: Database, request: Request, progress: Progress = lambda _: None
) -> Erased:
    """Return what would go. Raises InvalidInput for a request that cannot be carried out."""
    subject, result = _look(database, request, progress)
    return Erased(subject.kind, result.counts(), tuple(result.runs), {})


def erase_subject(
    database: Database,
    request: Request,
    now: datetime,
    *,
    compact: bool = True,
    progress: Progress = lambda _: None,
) -> Erased:
    """Take everything away that is kept of a subject, and remember that it was.

    Raises InvalidInput for a request that cannot be carried out.
    """
    subject, rest = _look(database, request, progress)
    with database.begin() as connection:
        retention.overwrite_deleted(connection, database)
        erasure_id = erasure.record_erasure(
            connection, subject, request.reason, rest.counts(), request.key, now
        )
        digests = erasure.erase_rows(
            connection, database, subject, rest, erasure_id, request.key, now
        )
    delete_files(database, digests)
    rest = _rest(database, request, subject, rest, erasure_id, now)
    if compact:
        retention.compact_database(database)
    else:
        retention.truncate_logs(database)
    with database.read() as connection:
        remaining_remains = erasure.find_remains(connection, subject, progress)
    log.info("erased kind=%s erasure=%d %s", subject.kind, erasure_id, rest.counts())
    return Erased(subject.kind, rest.counts(), tuple(rest.runs), remaining_remains)


def _look(
    database: Database, request: Request, progress: Progress
) -> tuple[ErasureSubject, ErasableRows]:
    if not request.key:
        raise InvalidInput(
            "MONITOR_ADDRESS_KEY is not set: whom or what was erased is remembered as a hash with "
            "this key, so that it is not looked up again and nobody finds it by trying names; "
            "choose a long random text and keep it"
        )
    with database.read() as connection:
        subject = erasure.find_subject(connection, request.what, request.profession, request.key)
        _check_reason(subject, request)
        erasure.find_erased(connection, (), request.key)  # one key for all erasures
        return subject, erasure.find_erasable(connection, subject, progress)


def _check_reason(subject: ErasureSubject, request: Request) -> None:
    """The reason is kept, so it must not say who it was."""
    if not request.reason.strip():
        raise InvalidInput("--reason: say why, for example the number of the request")
    is_written = request.what.strip().lower() in request.reason.lower()
    is_named = any(subject.is_named(word.strip(".,;:()\"'")) for word in request.reason.split())
    if is_written or is_named or subject.is_keyed(request.reason):
        raise InvalidInput(
            "--reason: it is kept, so it must not hold the name, key or address that is erased"
        )


def _rest(
    database: Database,
    request: Request,
    subject: ErasureSubject,
    found: ErasableRows,
    erasure_id: int,
    now: datetime,
) -> ErasableRows:
    """Take away what came in meanwhile; all that was found."""
    for _ in range(_ROUNDS):
        with database.read() as connection:
            more = erasure.find_erasable(connection, subject, lambda _: None)
        if not more.any:
            break
        with database.begin() as connection:
            digests = erasure.erase_rows(
                connection, database, subject, more, erasure_id, request.key, now
            )
        delete_files(database, digests)
        found = _together(found, more)
    return found


def _together(one: ErasableRows, other: ErasableRows) -> ErasableRows:
    sums = {
        name: [*getattr(one, name), *getattr(other, name)]
        for name in ErasableRows.__slots__
        if name not in ("people", "runs")
    }
    runs = sorted({*one.runs, *other.runs})
    return replace(one, **sums, people=one.people + other.people, runs=runs)
