"""The clock, checked before anything begins, and the watched folder of job files.

Of each job only what the clock needs is kept. A call of the clock that is late, doubled or missed
makes no difference, because what is owed is computed from the database.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias

from apscheduler.executors.debug import DebugExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger

from monitor import pipeline
from monitor.jobs import Audit, load_audit
from monitor.jobs_tables import Confirm, Noise, Schedule
from monitor.model import InvalidInput, StoreFull, StoreGone
from monitor.store.database import Connection, Database
from monitor.store.journal import events
from monitor.store.schedule import ticks
from monitor.store.schedule.ticks import WatchedJobRow
from monitor.ticks import next_tick

log = logging.getLogger(__name__)

#: The event that a job goes by another schedule from then on; ticks of it before are not owed.
SCHEDULE_CHANGED = "schedule_changed"
#: Not a job: the regions that job files share.
REGIONS = "regions.toml"
_SHARED = ("lists", "references")
#: Time of change, size and place on the disk: a file that is replaced by another of the same size
#: and age lies elsewhere.
FileStamp: TypeAlias = tuple[int, int, int]
#: The event and the alarm of a job file that cannot be used, and of a folder that cannot be read.
BROKEN = "job_broken"
UNREADABLE = "jobs_unreadable"
#: A file that cannot be used is read again so often: what it lacks may lie elsewhere.
RETRY_AFTER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class WatchedJob:
    """A watched job by the version of its files that is in force.

    `owed_since`: ticks before it are not owed, because the job was not watched then, or had
    another schedule.
    """

    name: str
    path: Path
    bundle_id: int
    schedule: Schedule
    is_recorded: bool
    owed_since: datetime
    noise: Noise | None = None
    confirm: Confirm | None = None


def make_watched_job(
    watched: WatchedJobRow, audit: Audit, changed: Mapping[str, datetime]
) -> WatchedJob:
    """Return a watched job by its files."""
    job = audit.job
    since = max(watched.watched_since, changed.get(watched.job, watched.watched_since))
    return WatchedJob(
        watched.job, audit.path, watched.bundle_id, job.schedule, job.is_recorded, since,
        job.noise, job.confirm,
    )  # fmt: skip


def read_watched_job(database: Database, row: WatchedJobRow) -> WatchedJob:
    """Return a watched job by its stored files. Raise InvalidInput or StoreProblem."""
    audit = pipeline.audit_of(database, row.bundle_id)
    with database.read() as connection:
        changed = ticks.read_newest_by_subject(connection, SCHEDULE_CHANGED)
    return make_watched_job(row, audit, changed)


def read_utc_now() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class FolderState:
    """State of a folder: its job files, and the files that they share."""

    jobs: dict[Path, FileStamp]
    shared: dict[Path, FileStamp]

    def find_changed(self, before: "FolderState | None") -> set[Path]:
        """Return the job files that have to be read again."""
        if before is None or before.shared != self.shared:
            return set(self.jobs)
        return {path for path, stamp in self.jobs.items() if before.jobs.get(path) != stamp}


def read_folder(folder: Path) -> FolderState:
    """Return the current state of a folder. Raise InvalidInput if it cannot be read."""
    try:
        jobs = {path for path in folder.iterdir() if path.suffix == ".toml"}
        shared = {folder / REGIONS}
        for name in _SHARED:
            if (folder / name).is_dir():
                shared |= set((folder / name).iterdir())
    except OSError as error:
        raise InvalidInput(f"{folder}: the job files cannot be looked at: {error}") from error
    return FolderState(_read_stamps(jobs - shared), _read_stamps(shared))


def _read_stamps(paths: set[Path]) -> dict[Path, FileStamp]:
    stamps: dict[Path, FileStamp] = {}
    for path in sorted(paths):
        try:
            state = path.stat()
        except OSError:  # gone since the folder was listed, or a link to nowhere
            continue
        stamps[path] = state.st_mtime_ns, state.st_size, state.st_ino
    return stamps


@dataclass(frozen=True, slots=True)
class _FileResult:
    """Result of reading a job file: its job, or its fault and the job affected."""

    name: str = ""
    fault: str = ""
    job: str = ""
    is_refused: bool = False  # another file has the name


class JobWatcher:
    """The jobs in force, from one folder.

    `before_change` is called with a job before it gets another schedule, so that what is owed by
    the old one can be written down; `alive` while many files are read.
    """

    def __init__(
        self,
        database: Database,
        folder: Path,
        before_change: Callable[[WatchedJob, datetime], None] = lambda _job, _now: None,
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        self._database, self.folder = database, folder.resolve()
        self._before_change, self._alive = before_change, alive
        self._seen: FolderState | None = None
        self._present: set[Path] = set()
        self._files: dict[Path, _FileResult] = {}
        self._fault = ""
        self._is_asked = False  # to read everything
        self._tried_at: datetime | None = None  # when what is broken was last read
        self.jobs: dict[str, WatchedJob] = {}

    @property
    def broken(self) -> dict[Path, str]:
        """Return {path: fault} of job files that cannot be used."""
        return {path: read.fault for path, read in self._files.items() if read.fault}

    def poll_folder(self, now: datetime) -> bool:
        """Read what has changed; says whether anything had.

        Raises StoreGone and StoreFull; the next poll then begins where this one did.
        """
        try:
            seen = read_folder(self.folder)
        except InvalidInput as error:
            self._store_folder_fault(str(error), now)
            return False
        self._store_folder_fault("", now)
        is_asked, self._is_asked = self._is_asked, False
        paths = (
            set(seen.jobs) if is_asked else seen.find_changed(self._seen) | self._to_try(seen, now)
        )
        if seen == self._seen and not paths:
            return False
        try:
            self._read_files(seen, paths, now)
        except BaseException:
            self._is_asked = self._is_asked or is_asked
            raise
        self._seen = seen
        return True

    def _to_try(self, seen: FolderState, now: datetime) -> set[Path]:
        """Return the broken files, once a minute."""
        if self._tried_at is not None and abs(now - self._tried_at) < RETRY_AFTER:
            return set()
        self._tried_at = now
        return self.broken.keys() & seen.jobs.keys()

    def _read_files(self, seen: FolderState, paths: set[Path], now: datetime) -> None:
        """Read these files, and bring everything else in line with the folder."""
        if self._seen is None:
            self._recall_jobs()
        self._present = set(seen.jobs)
        self._files = {path: read for path, read in self._files.items() if path in seen.jobs}
        for path in sorted(paths):
            self._look_at(path, now)
            self._alive()
        for path, read in sorted(self._files.items()):
            if read.is_refused and self._find_owner(read.name, path) is None:
                self._look_at(path, now)
        self._retire_jobs(now)
        self._say_what_is_wrong(now)

    def read_all(self) -> None:
        """Read everything at the next poll, whether or not it has changed."""
        self._is_asked = True

    def set_right(self, now: datetime) -> None:
        """Correct times that a clock which was ahead has stored."""
        with self._database.begin() as connection:
            n = ticks.correct_watch_times(connection, now)
            changed = ticks.read_newest_by_subject(connection, SCHEDULE_CHANGED)
            ahead = [name for name, changed_at in changed.items() if changed_at > now]
            for name in ahead:
                detail = "the clock was ahead when its schedule was changed"
                events.add_event(connection, SCHEDULE_CHANGED, name, detail, now=now)
        if n or ahead:
            log.warning("jobs were seen by a clock that was ahead; they are watched from now")
        for name, job in self.jobs.items():
            self.jobs[name] = replace(job, owed_since=min(job.owed_since, now))

    def forget_files(self) -> None:
        """Read everything again at the next poll: another process may have led meanwhile."""
        self._seen = None
        self._files.clear()
        self.jobs.clear()

    def _recall_jobs(self) -> None:
        """Read the jobs in force from the database; broken files keep their job."""
        with self._database.read() as connection:
            rows = [row for row in ticks.list_watched(connection) if row.is_active]
        for row in rows:
            try:
                self.jobs[row.job] = read_watched_job(self._database, row)
            except (StoreGone, StoreFull):
                raise
            except Exception:
                log.exception("job %s: its stored files cannot be used", row.job)
            self._alive()

    def _look_at(self, path: Path, now: datetime) -> None:
        """Read one file, and put it in force unless another has its name."""
        try:
            audit = load_audit(path)
            pipeline.check_lexicons(audit)
            name = audit.job.name
            if owner := self._find_owner(name, path):
                self._refuse_file(path, name, owner, now)
                return
            self._store_job(audit, now)
        except (StoreGone, StoreFull):
            raise
        except (InvalidInput, OSError) as error:
            self._store_fault(path, str(error), now)
        except Exception as error:
            # a fault of ours in reading one file must not stop the other jobs
            log.exception("job file %s", path)
            self._store_fault(path, f"{path}: {type(error).__name__}: {error}", now)
        else:
            self._files[path] = _FileResult(name)

    def _find_owner(self, name: str, path: Path) -> Path | None:
        """Return the other file with this name, or None."""
        force = self.jobs.get(name)
        if force is None or force.path == path or force.path not in self._present:
            return None
        read = self._files.get(force.path, _FileResult())
        return force.path if read.name in ("", name) else None  # broken, it still has the name

    def _store_job(self, audit: Audit, now: datetime) -> None:
        name = audit.job.name
        before = self.jobs.get(name)
        with self._database.begin() as connection:
            bundle_id = pipeline.keep_files(connection, self._database, audit)
        if bundle_id is None:
            raise InvalidInput(f"{audit.path}: went away while it was read")
        is_moved = before is not None and before.schedule != audit.job.schedule
        if before is not None and is_moved:
            self._before_change(before, now)
        with self._database.begin() as connection:
            ticks.watch_job(connection, name, str(audit.path), bundle_id, now)
            if is_moved:
                events.add_event(
                    connection, SCHEDULE_CHANGED, name, audit.job.schedule.cron, now=now
                )
            if before is None or before.bundle_id != bundle_id:
                events.add_event(connection, "job_loaded", name, str(audit.path), now=now)
            row = next(watched for watched in ticks.list_watched(connection) if watched.job == name)
            changed = ticks.read_newest_by_subject(connection, SCHEDULE_CHANGED)
        self.jobs[name] = make_watched_job(row, audit, changed)

    def _refuse_file(self, path: Path, name: str, owner: Path, now: datetime) -> None:
        fault = (
            f"{path}: its name, {name!r}, is that of the job in {owner}, which goes on; a job has "
            "one file: rename one of them"
        )
        self._store_fault(path, fault, now)
        self._files[path] = _FileResult(name, fault, name, is_refused=True)

    def _store_fault(self, path: Path, fault: str, now: datetime) -> None:
        """Store the fault of a file; its job continues as it was."""
        affected = next((job.name for job in self.jobs.values() if job.path == path), "")
        is_known = self._files.get(path, _FileResult()).fault == fault
        self._files[path] = _FileResult("", fault, affected)
        with self._database.begin() as connection:
            if not is_known:
                events.add_event(connection, BROKEN, str(path), fault, now=now)
            events.raise_alarm(connection, BROKEN, str(path), fault, now)
        if not is_known:
            log.warning("%s", fault)

    def _retire_jobs(self, now: datetime) -> None:
        """End jobs whose file is gone or holds another job."""
        for name, job in list(self.jobs.items()):
            read = self._files.get(job.path)
            if read is not None and read.name in ("", name):
                continue
            with self._database.begin() as connection:
                ticks.retire_job(connection, name)
                events.add_event(connection, "job_gone", name, str(job.path), now=now)
                events.resolve_alarm(connection, "tick_failed", name, now)
            del self.jobs[name]

    def _say_what_is_wrong(self, now: datetime) -> None:
        """Update faults and alarms by the present files."""
        faults = {read.job: read.fault for read in self._files.values() if read.job}
        faulty = {str(path) for path in self.broken}
        with self._database.begin() as connection:
            for row in ticks.list_watched(connection):
                if row.is_active and row.trouble != faults.get(row.job, ""):
                    ticks.set_trouble(connection, row.job, faults.get(row.job, ""))
            for alarm in events.list_open_alarms(connection):
                if alarm.kind == BROKEN and alarm.subject not in faulty:
                    events.resolve_alarm(connection, BROKEN, alarm.subject, now)

    def _store_folder_fault(self, fault: str, now: datetime) -> None:
        """Store the fault of a folder that cannot be read; all jobs continue."""
        if fault == self._fault:
            return
        with self._database.begin() as connection:
            if fault:
                events.add_event(connection, UNREADABLE, str(self.folder), fault, now=now)
                events.raise_alarm(connection, UNREADABLE, str(self.folder), fault, now)
            else:
                events.resolve_alarm(connection, UNREADABLE, str(self.folder), now)
        self._fault = fault


# --- the clock ------------------------------------------------------------------------------------

#: The alarm of a clock that is likely wrong; nothing is begun while it stands.
CLOCK_ALARM = "clock"
#: The event by which a person says that what was written down up to its time is by a wrong clock.
CLOCK_TRUSTED = "clock_trusted"
#: A clock that was ahead for a moment leaves rows of one moment behind. Rows of days that are
#: still to come are a history, and it is the clock of now that is wrong.
ONE_DAY = timedelta(days=1)


def trust_clock(database: Database, reason: str, now: datetime) -> datetime | None:
    """Note that the clock is right and was ahead before; return the latest time that it had said.

    The subject of the event is that time. None where nothing indicates that the clock is behind:
    then nothing is noted.
    """
    with database.begin() as connection:
        latest = _find_doubtful_time(connection, now)
        if latest is not None:
            events.add_event(connection, CLOCK_TRUSTED, latest.isoformat(), reason, now=now)
            events.resolve_alarm(connection, CLOCK_ALARM, "", now)
    return latest


def _find_doubtful_time(connection: Connection, now: datetime) -> datetime | None:
    """Return the last time still to come where such rows span more than a day; else None."""
    trusted = ticks.read_newest_by_subject(connection, CLOCK_TRUSTED)
    # an event without a subject is of an older version, and was dated at the time itself
    until = [datetime.fromisoformat(text) if text else at for text, at in trusted.items()]
    later = ticks.find_later_times(connection, max([now, *until]))
    return later[1] if later and later[1] - later[0] > ONE_DAY else None


def find_clock_fault(database: Database, now: datetime) -> str:
    """Return why the clock is probably behind; empty if nothing indicates that.

    The alarm stands as long as there is a reason.
    """
    why = ""
    with database.begin() as connection:
        latest = _find_doubtful_time(connection, now)
        if latest is not None:
            why = (
                f"the clock says {now:%Y-%m-%d %H:%M} UTC, but the database holds rows of "
                f"{latest:%Y-%m-%d %H:%M} UTC"
            )
        is_open = any(alarm.kind == CLOCK_ALARM for alarm in events.list_open_alarms(connection))
        if why:
            events.raise_alarm(connection, CLOCK_ALARM, "", why, now)
        elif is_open:
            events.resolve_alarm(connection, CLOCK_ALARM, "", now)
    if why and not is_open:
        log.warning("%s; nothing is begun until it is past them", why)
    return why


# it says every firing, and a job that is due each minute would fill a log
logging.getLogger("apscheduler").setLevel(logging.WARNING)


class TickTrigger(BaseTrigger):  # type: ignore[misc]  # the library has no types
    """Trigger at the ticks of a schedule after now, by the rules of `monitor.ticks`."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None:
        """Return a time after now, so that a long absence causes one call."""
        return next_tick(self.schedule, now if previous is None else max(previous, now))


class Clock:
    """Calls `look` with the name of a job at each of its ticks, in its own thread."""

    def __init__(self, look: Callable[[str], None]) -> None:
        self._look = look
        self._kept: dict[str, Schedule] = {}
        # the calls only leave a name behind, so they are made by the scheduler's own thread
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={"default": DebugExecutor()},
            job_defaults={"coalesce": True, "misfire_grace_time": None, "max_instances": 1},
        )

    def start(self) -> None:
        """Start calling."""
        self._scheduler.start()

    def follow_jobs(self, jobs: Mapping[str, WatchedJob]) -> None:
        """Keep the time of these jobs, and of no others."""
        for name in self._kept.keys() - jobs.keys():
            self._scheduler.remove_job(name)
            del self._kept[name]
        for name, job in jobs.items():
            if self._kept.get(name) != job.schedule:
                trigger = TickTrigger(job.schedule)
                self._scheduler.add_job(self._look, trigger, [name], id=name, replace_existing=True)
                self._kept[name] = job.schedule

    def handle_jump(self) -> None:
        """Compute the next call again, because the clock of the machine was set."""
        if self._scheduler.running:
            self._scheduler.wakeup()

    def stop(self) -> None:
        """Stop calling."""
        self._scheduler.shutdown(wait=False)
