"""Asks for the pages that results lead to, where a job measures their words; keeps the texts."""

from collections.abc import Iterator
from itertools import islice

from monitor.fetch.landing import LandedPage, LandingFetcher
from monitor.jobs import Audit, reads_words
from monitor.model import Answer, InvalidInput, Kind, Outcome, Purpose
from monitor.pipeline.around import Around
from monitor.pipeline.steps import Progress, Stop
from monitor.pipeline.turns import alone, lane_turn
from monitor.pipeline.wording import landing_collection
from monitor.store import erasing, lookups, texts
from monitor.store.database import Connection, Database
from monitor.store.runs import Run
from monitor.store.texts import Kept

#: Pages stored in one transaction: what is lost when a machine dies.
_AT_ONCE = 10


def depth(audit: Audit) -> int:
    """How many results of each list lead to pages that are measured; 0 where none are."""
    if Kind.SEARCH not in audit.job.kinds or audit.job.corpus:
        return 0
    found = [
        int(str(measure.parameters["cutoff"]))  # a job without one is refused
        for chosen in audit.job.measures
        if chosen.text == "landing"
        for measure in chosen.configured(Kind.SEARCH)
        if reads_words(measure)
    ]
    return max(found, default=0)


def read_pages(
    database: Database, audit: Audit, run: Run, around: Around, progress: Progress, stop: Stop
) -> list[str]:
    """Ask for every page once, keep it as evidence and its text as a document.

    A page that a site does not give, or that holds no text, is a missing document. Raises
    KeyboardInterrupt when a person wants to stop; what came is kept, and a resumed run goes on.
    """
    most = depth(audit)
    if not most or around.landings is None:
        return []
    collection = landing_collection(run.id)
    with database.read() as connection:
        known = texts.kept_keys(connection, collection)
        wanted = [url for url in texts.addresses(connection, run.id, most) if url not in known]
        try:
            erased = erasing.is_erased(connection, wanted, around.address_key)
        except InvalidInput as error:  # what must not come back cannot be told from the rest
            return [f"pages are not asked for: {error}"]
        wanted = [url for url in wanted if url not in erased]
    if not wanted:
        return []
    with alone(database, lane_turn("landing", around.exit), stop) as halted:
        _read(database, run, around.landings(), wanted, progress, halted)
    if stop():
        raise KeyboardInterrupt
    return []


def _read(
    database: Database,
    run: Run,
    landings: LandingFetcher,
    wanted: list[str],
    progress: Progress,
    stop: Stop,
) -> None:
    collection, done = landing_collection(run.id), 0
    pages = landings.fetch(wanted, stop)
    progress("pages", done, len(wanted))
    while part := list(islice(pages, _AT_ONCE)):
        with database.begin() as connection:
            now = max(page.asked_at for _, page in part)
            kept = _kept(connection, database, run, part)
            texts.keep(connection, database, collection, kept, now)
        done += len(part)
        progress("pages", done, len(wanted))


def _kept(
    connection: Connection, database: Database, run: Run, part: list[tuple[str, LandedPage]]
) -> Iterator[Kept]:
    for url, page in part:
        answer = Answer(
            page.outcome, page.asked_at, page.took, page.reason, page.detail, page.status,
            page.final_url, body=page.body,
        )  # fmt: skip
        request = {"method": "GET", "url": url, "redirects": list(page.redirects)}
        lookup = lookups.keep(connection, database, run.id, Purpose.LANDING, request, answer)
        outcome = (
            Outcome.UNREADABLE if page.outcome is Outcome.OK and not page.text else page.outcome
        )
        yield Kept(url, page.text, outcome, page.reason, page.detail, page.extractor, lookup)


__all__ = ["LandingFetcher", "depth", "read_pages"]
