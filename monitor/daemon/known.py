"""The jobs in force: of each as little as its clock needs, so that hundreds of them stay small."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from monitor import pipeline
from monitor.jobs import Audit
from monitor.jobs_tables import Confirm, Noise, Schedule
from monitor.store import ticks
from monitor.store.database import Database
from monitor.store.ticks import Watched

#: The event that a job goes by another schedule from then on; ticks of it before are not owed.
SCHEDULE_CHANGED = "schedule_changed"


@dataclass(frozen=True, slots=True)
class Known:
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


def known(watched: Watched, audit: Audit, changed: Mapping[str, datetime]) -> Known:
    """A job as it is watched, by its files."""
    job = audit.job
    since = max(watched.watched_since, changed.get(watched.job, watched.watched_since))
    return Known(
        watched.job, audit.path, watched.bundle_id, job.schedule, job.is_recorded, since,
        job.noise, job.confirm,
    )  # fmt: skip


def in_force(database: Database, row: Watched) -> Known:
    """A watched job by the files that were stored of it. Raises InvalidInput, StoreProblem."""
    audit = pipeline.audit_of(database, row.bundle_id)
    with database.read() as connection:
        changed = ticks.newest_by_subject(connection, SCHEDULE_CHANGED)
    return known(row, audit, changed)


def not_ahead(job: Known, now: datetime) -> Known:
    """A job whose ticks are owed from now at the latest: it may have been seen by a wrong clock."""
    return replace(job, owed_since=min(job.owed_since, now))


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)
