"""Erases a person or an address on request. Owns the transactions.

In go what somebody wants erased and why; out come counts, the runs that lose inputs, and where the
subject stands nevertheless. All rows change in one transaction; files go after it was committed,
and then the database is written anew without what lay in its free pages.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from monitor.model import InvalidInput
from monitor.pipeline.sweeping import delete_files
from monitor.store.database import Database
from monitor.store.maintenance import cleanup, erasure
from monitor.store.maintenance.erasure import ErasableRows
from monitor.store.maintenance.erasure_subjects import ErasureSubject

log = logging.getLogger(__name__)

#: Answers may come in while we look; whoever still finds some then has a run that asks for them.
_ROUNDS = 3

#: Called with the number of rows that were looked at.
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be erased, why, and with which key it is remembered."""

    what: str  # key of an entity, item of Wikidata, name, or address
    reason: str
    key: str
    profession: str = ""


@dataclass(frozen=True, slots=True)
class Erased:
    """What went, or would go."""

    kind: str
    counts: Mapping[str, int]
    runs: tuple[int, ...]
    remains: Mapping[str, int]  # {table.column: rows}; empty before it was erased


def preview(database: Database, request: Request, progress: Progress = lambda _: None) -> Erased:
    """What would go. Raises InvalidInput for a request that cannot be carried out."""
    subject, found = _look(database, request, progress)
    return Erased(subject.kind, found.counts(), tuple(found.runs), {})


def erase(
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
    subject, found = _look(database, request, progress)
    with database.begin() as connection:
        cleanup.overwrite_deleted(connection, database)
        erasure_id = erasure.record_erasure(
            connection, subject, request.reason, found.counts(), request.key, now
        )
        digests = erasure.erase_rows(
            connection, database, subject, found, erasure_id, request.key, now
        )
    delete_files(database, digests)
    found = _rest(database, request, subject, found, erasure_id, now)
    if compact:
        cleanup.compact_database(database)
    else:
        cleanup.truncate_logs(database)
    with database.read() as connection:
        remaining_remains = erasure.find_remains(connection, subject, progress)
    log.info("erased kind=%s erasure=%d %s", subject.kind, erasure_id, found.counts())
    return Erased(subject.kind, found.counts(), tuple(found.runs), remaining_remains)


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
        subject = erasure.find_subject(connection, request.what, request.profession)
        _check_reason(subject, request)
        erasure.find_erased(connection, (), request.key)  # one key for all erasures
        return subject, erasure.find_erasable(connection, subject, progress)


def _check_reason(subject: ErasureSubject, request: Request) -> None:
    """The reason is kept, so it must not say who it was."""
    if not request.reason.strip():
        raise InvalidInput("--reason: say why, for example the number of the request")
    written = request.what.strip().lower() in request.reason.lower()
    if written or subject.is_keyed(request.reason) or _says_name(subject, request.reason):
        raise InvalidInput(
            "--reason: it is kept, so it must not hold the name, key or address that is erased"
        )


def _says_name(subject: ErasureSubject, reason: str) -> bool:
    words = reason.split()
    return any(subject.is_named(word.strip(".,;:()\"'")) for word in words)


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
