"""Donated pages: keep them, and begin the runs of weeks that have ended."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from monitor.fetch.saved_pages import DonatedWeek
from monitor.jobs import Audit, EngineUse
from monitor.model import InvalidInput, RunKind, StoredPage
from monitor.pipeline.collect.run_starts import start_part
from monitor.stages.collect.donations import CheckedFile, DonorDetails
from monitor.stages.jobs import plan
from monitor.store.collect import bodies, donations
from monitor.store.collect.donations import DonatedPage, Donation
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.journal import events
from monitor.store.maintenance import erasure
from monitor.store.maintenance.erasure_subjects import DONOR_PREFIX, hash_mark, make_pseudonym
from monitor.text.counted_nouns import several


def add_donation(
    database: Database,
    checked: CheckedFile,
    details: DonorDetails,
    key: str,
    now: datetime,
) -> tuple[str, int]:
    """Store the pages of a checked file; (pseudonym of the donor, number of new pages).

    Raises InvalidInput for a file without pages, and for a donor whose pages were erased.
    """
    if not checked.pages:
        raise InvalidInput(f"{checked.name}: no page of it can be kept, so nothing was stored")
    donor = make_pseudonym(details.name, key)
    pages = [
        DonatedPage(page.system, page.url, page.question, page.captured_at, page.body)
        for page in checked.pages
    ]
    donation = Donation(
        donor, details.region, details.device, details.signed_in, checked.form, details.consent,
        checked.removed,
    )  # fmt: skip
    with database.begin() as connection:
        erasure.find_erased(connection, (), key)  # one key for all
        if donations.is_erased(connection, hash_mark(key, f"{DONOR_PREFIX}{donor}")):
            raise InvalidInput(
                "the pages of this donor were erased, so no more are taken under this name"
            )
        number = donations.add_donation(connection, database, donation, pages, now)
        events.add_event(connection, "donated", donor, f"{number} pages", now=now)
    return donor, number


def describe_late(database: Database, checked: CheckedFile, jobs: Sequence[str]) -> str:
    """Return a sentence on pages of weeks that have a run; empty where there are none."""
    weeks = [donations.find_week(page.captured_at.astimezone(UTC)) for page in checked.pages]
    with database.read() as connection:
        measured = donations.list_run_weeks(connection, jobs, set(weeks))
    late = sum(week in measured for week in weeks)
    if not late:
        return ""
    named = ", ".join(f"{week:%Y-%m-%d}" for week in measured)
    return (
        f"{several(late, 'page')} of weeks with a run (from {named}) will not be measured: the "
        "questions of a run are fixed when it begins, so that its values stay what was published."
    )


# --- runs -----------------------------------------------------------------------------------------


def read_week(database: Database, due_at: datetime) -> DonatedWeek:
    """Return the pages of the week that begins at a time."""
    with database.read() as connection:
        pages = donations.list_pages(connection, due_at, due_at + donations.WEEK)

    def read(page: StoredPage) -> bytes:
        with database.read() as connection:
            return bodies.read_body(connection, database, page.body_id)

    return DonatedWeek(due_at, pages, read)


def list_weeks(database: Database, audit: Audit, now: datetime) -> list[datetime]:
    """Return the ended weeks with a page that answers a question of a job."""
    systems = [str(use.config["system"]) for use in audit.job.engines]
    with database.read() as connection:
        weeks = donations.list_weeks(connection, systems, now)
    return [
        week
        for week in weeks
        if any(
            next(_order(read_week(database, week), audit, use, ""), None)
            for use in audit.job.engines
        )
    ]


def start_week(database: Database, audit: Audit, due_at: datetime, now: datetime) -> Run:
    """Begin the run of a week: each question once for every donor with a page of it."""
    part = partial(_order, read_week(database, due_at))
    return start_part(database, audit, RunKind.SCHEDULED, due_at, now, part)


def _order(
    week: DonatedWeek, audit: Audit, use: EngineUse, seed: str
) -> Iterator[plan.PlannedQuestion]:
    find_donors = partial(week.find_donors, str(use.config["system"]))
    return plan.order_donated(audit, use, seed, find_donors)
