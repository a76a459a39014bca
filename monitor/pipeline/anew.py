"""Notes in what a report that people were told of differs when it is made a second time.

In go the report as it is due and the file of the one before, out comes an event; from it those who
were told of the first one are told that it does not hold.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from monitor.stages.telling_reports import subject_of
from monitor.store import events, notices
from monitor.store.database import Connection
from monitor.store.reports import DueReport

#: The event of reports that were made for times still to come, by a clock that was ahead.
TAKEN_BACK = "reports_taken_back"
#: The event of one that differs: its subject is `subject()`, its detail the sections that differ.
MADE_ANEW = "report_made_anew"
UNKNOWN = "what differs is not known: the JSON of the earlier one is not there any more"


@dataclass(frozen=True, slots=True)
class Earlier:
    """What people were told of a report before it is made; `json` is None where it is gone."""

    told: str
    json: bytes | None


def subject(report: str, digest: str) -> str:
    """What the event is about: a report with the digest that it has now."""
    return f"{report} {digest}"


def earlier(connection: Connection, report: DueReport, path: Path) -> Earlier | None:
    """What was told of a report that is to be made, and its file; None where nothing was told."""
    about = subject_of(report.job, report.due_at)
    told = notices.about(connection, [about]).get(about)
    if not told:
        return None
    try:
        found = path.read_bytes()
    except OSError:
        found = None
    body = told[-1].body
    if found is not None and hashlib.sha256(found).hexdigest() not in body:
        found = None  # somebody else's, or that of a try which ended half-way
    return Earlier(body, found)


def note(
    connection: Connection, report: DueReport, before: Earlier, made: bytes, now: datetime
) -> None:
    """Write down in what a report differs from what was told of it; nothing where in nothing."""
    # drawing takes half a second to load, and only who makes a report needs it
    from monitor.stages.weekly.anew import differences  # noqa: PLC0415

    digest = hashlib.sha256(made).hexdigest()
    if digest in before.told:
        return
    said = UNKNOWN
    if before.json is not None:
        found = differences(before.json, made)
        if not found:
            return
        said = ", ".join(f"“{one}”" for one in found)
    about = subject(subject_of(report.job, report.due_at), digest)
    events.add(connection, MADE_ANEW, about, said, now=now)
