"""Takes away what the jobs' days of retention are over for, and what belongs to nothing any more.

In go a database and a time; out comes what went, or would go, by job and class. Owns the
transactions: each takes a portion away, and its files are deleted after it was committed. What dies
in between leaves files without a living row, which the next sweep finds.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from monitor.store.collect import bodies
from monitor.store.collect.bodies import RemovalReason
from monitor.store.database import Database
from monitor.store.maintenance import cleanup, retention
from monitor.store.maintenance.retention import BodyPortion, ExpiredBody, Policies

log = logging.getLogger(__name__)

#: A writer may be about to commit what a younger file belongs to.
_YOUNG = timedelta(hours=1)
#: Names that this program gives to files of bodies, and to pieces of them.
_OURS = re.compile(r"[0-9a-f]{64}\.zst|tmp\w+")
#: Bodies that are taken away in one transaction.
_AT_ONCE = 1_000

#: Called with the number of contents that were looked at.
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Line:
    """What went of one class of a job, and since when what stays is there."""

    job: str  # empty: of no job
    kind: str
    days: int | None  # None: for ever
    n: int
    size: int  # bytes as they were kept
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class Swept:
    """What went, or would go after a dry run."""

    dry_run: bool
    policies: int  # jobs that say how long anything is kept
    lines: tuple[Line, ...]
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
    n: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    size: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    oldest: dict[tuple[str, str], datetime] = field(default_factory=dict)

    def went(self, some: list[ExpiredBody]) -> None:
        for expired_body in some:
            self.n[expired_body.job, expired_body.kind] += 1
            self.size[expired_body.job, expired_body.kind] += expired_body.size

    def stayed(self, portion: BodyPortion) -> None:
        for key, at in portion.oldest.items():
            self.oldest[key] = min(self.oldest.get(key, at), at)

    def lines(self) -> tuple[Line, ...]:
        ruled = {(job, kind) for job, kinds in self.days.items() for kind in kinds}
        keys = sorted(ruled | set(self.n) | {key for key in self.oldest if key[1] != "job"})
        return tuple(
            Line(
                job, kind, self.days.get(job, {}).get(kind), self.n.get((job, kind), 0),
                self.size.get((job, kind), 0), self.oldest.get((job, kind)),
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
        cleanup.release_pages(database)
    with database.read() as connection:
        free = cleanup.measure_unused(connection, database)
    swept = Swept(dry_run, len(days), ledger.lines(), orphans, orphans_size, free)
    if not dry_run and (swept.n or orphans):
        log.info("swept contents=%d files=%d bytes=%d", swept.n, orphans, swept.size)
    return swept


def _sweep_bodies(
    database: Database, ledger: _Ledger, now: datetime, dry_run: bool, progress: Progress
) -> int:
    last = seen = 0
    while True:
        with database.read() as connection:
            found = retention.find_expired(connection, database, ledger.days, now, last)
        if found is None:
            return seen
        last = found.last
        ledger.stayed(found)
        for start in range(0, len(found.doomed), _AT_ONCE):
            doomed = found.doomed[start : start + _AT_ONCE]
            going = list(doomed) if dry_run else _take(database, ledger.days, now, doomed)
            ledger.went(going)
        seen += retention.PORTION
        progress(seen)


def _take(
    database: Database, days: Policies, now: datetime, doomed: tuple[ExpiredBody, ...]
) -> list[ExpiredBody]:
    with database.begin() as connection:
        going, digests = retention.remove_expired(connection, database, days, now, doomed)
    delete_files(database, digests)
    return going


def delete_files(database: Database, digests: list[str]) -> None:
    """Delete the files of bodies that a committed transaction took away."""
    if digests:
        with database.begin() as connection:
            bodies.delete_files(connection, database, digests)


def _sweep_people(
    database: Database, ledger: _Ledger, now: datetime, dry_run: bool, progress: Progress
) -> None:
    last = seen = 0
    while True:
        with database.read() as connection:
            expired_lookups = retention.find_expired_lookups(connection, ledger.days, now, last)
        if expired_lookups is None:
            return
        last = expired_lookups.last
        ledger.stayed(expired_lookups)
        ledger.went(list(expired_lookups.doomed))
        if not dry_run and expired_lookups.doomed:
            with database.begin() as connection:
                ids = [one.id for one in expired_lookups.doomed]
                retention.remove_lookup_bodies(connection, ids, RemovalReason.RETENTION, now)
        seen += retention.PORTION
        progress(seen)


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
                sizes = [by_name[name].stat().st_size for name in lost]
                for name in lost:
                    by_name[name].unlink()
        else:
            sizes = [by_name[name].stat().st_size for name in lost]
        n, size = n + len(lost), size + sum(sizes)
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
            drop_turns = cleanup.drop_turns(connection, name)
        if drop_turns is None:
            break
        name, n = drop_turns
        counts["turns"] += n
    for kind, drop in _DROPS.items():
        while True:
            with database.begin() as connection:
                n = drop(connection, now)
            counts[kind] += n
            if n < cleanup.PORTION:
                break
    if any(counts.values()):
        log.info("forgot %s", " ".join(f"{kind}={n}" for kind, n in counts.items()))


_DROPS = {
    "processes": cleanup.drop_processes,
    "alarms": cleanup.drop_alarms,
    "events": cleanup.drop_events,
}
