"""Store donated pages, and find those of a week or of a donor."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from monitor.model import StoredPage
from monitor.store import rows
from monitor.store.collect import bodies
from monitor.store.database import Database
from monitor.store.schema import bodies as body_table
from monitor.store.schema import donated_pages, donations, erasures, runs

WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Donation:
    """The record of an act of donating. `donor` is a keyed hash."""

    donor: str
    region: str
    device: str
    signed_in: bool
    form: str  # of the file
    consent: str  # the text that was agreed to
    removed: Mapping[str, int]  # {class of personal data: how often it was removed}


@dataclass(frozen=True, slots=True)
class DonatedPage:
    """A page without personal data."""

    system: str
    url: str
    query: str
    captured_at: datetime
    body: bytes


def add_donation(
    connection: sa.Connection,
    database: Database,
    donation: Donation,
    pages: Sequence[DonatedPage],
    now: datetime,
) -> int:
    """Store a donation with its pages; returns how many pages are new from this donor."""
    body_ids = bodies.store_bodies(
        connection, database, [(page.body, "answer", now) for page in pages]
    )
    given = sa.select(donated_pages.c.body_id, donated_pages.c.captured_at).join(
        donations, donations.c.id == donated_pages.c.donation_id
    )
    before = {
        (row.body_id, row.captured_at)
        for row in connection.execute(given.where(donations.c.donor == donation.donor))
    }
    fresh = {
        (body_id, page.captured_at): page
        for body_id, page in zip(body_ids, pages, strict=True)
        if (body_id, page.captured_at) not in before
    }
    if not fresh:
        return 0
    row = rows.make_row(donations, donation, removed=dict(donation.removed), donated_at=now)
    [number] = rows.insert_returning(connection, donations, [row])
    content = [
        rows.make_row(donated_pages, page, donation_id=number, body_id=body_id)
        for (body_id, _), page in fresh.items()
    ]
    connection.execute(sa.insert(donated_pages), content)
    return len(content)


_LIVING = (
    sa.select(donations.c.donor, donations.c.region, donated_pages)
    .join(donations, donations.c.id == donated_pages.c.donation_id)
    .join(body_table, body_table.c.id == donated_pages.c.body_id)
    .where(donated_pages.c.erasure_id.is_(None), body_table.c.removed_at.is_(None))
    .order_by(donated_pages.c.captured_at, donated_pages.c.id)
)


def list_pages(connection: sa.Connection, begins: datetime, ends: datetime) -> list[StoredPage]:
    """Return the pages that were saved from one time until before another, by time."""
    captured = donated_pages.c.captured_at
    query = _LIVING.where(captured >= begins, captured < ends)
    return rows.read_records(connection, query, StoredPage)


def list_weeks(connection: sa.Connection, systems: Sequence[str], now: datetime) -> list[datetime]:
    """Return the Mondays of the ended weeks in which pages of some systems were saved."""
    query = _LIVING.with_only_columns(donated_pages.c.captured_at).where(
        donated_pages.c.system.in_(systems)
    )
    weeks = {find_week(moment) for moment in connection.execute(query).scalars()}
    return sorted(week for week in weeks if week + WEEK <= now)


def list_run_weeks(
    connection: sa.Connection, jobs: Sequence[str], weeks: Collection[datetime]
) -> list[datetime]:
    """Return those of some weeks of which a job has a run."""
    query = sa.select(runs.c.due_at).where(runs.c.job.in_(jobs), runs.c.due_at.in_(weeks))
    return sorted(set(connection.execute(query).scalars()))


def find_week(moment: datetime) -> datetime:
    """Return the beginning of a week, Monday 00:00, in the zone of the time."""
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())


@dataclass(frozen=True, slots=True)
class DonorSummary:
    """Counts of what a donor gave, and when."""

    donor: str
    donations: int
    pages: int
    first_at: datetime
    last_at: datetime


def list_donors(connection: sa.Connection) -> Iterator[DonorSummary]:
    """Yield every donor with pages that were not erased."""
    of = donations.c
    n_donations, n_pages = sa.func.count(sa.distinct(of.id)), sa.func.count(donated_pages.c.id)
    times = sa.func.min(of.donated_at), sa.func.max(of.donated_at)
    query = (
        sa.select(of.donor, n_donations, n_pages, *times)
        .join(donated_pages, donated_pages.c.donation_id == donations.c.id)
        .where(donated_pages.c.erasure_id.is_(None))
        .group_by(donations.c.donor)
        .order_by(donations.c.donor)
    )
    for row in connection.execute(query):
        yield DonorSummary(*row)


def is_erased(connection: sa.Connection, subject_hash: str) -> bool:
    """Return whether the pages of a donor were erased."""
    query = sa.select(erasures.c.id).where(
        erasures.c.kind == "donor", erasures.c.subject_hash == subject_hash
    )
    return connection.execute(query.limit(1)).first() is not None
