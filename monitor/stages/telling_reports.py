"""Rules that say what people are told of weekly reports: one digest, and what puts it right. Pure.

A report is made once. Where a clock had been ahead it is taken back and made in its time: who was
told of the first one is told in what the second differs, and nobody is told where it does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from monitor.stages import _telling_words as words
from monitor.stages.telling import FINDINGS, Rules, kind_of
from monitor.store.journal.notifications import (
    DROPPED,
    FAILED,
    OPEN,
    SENT,
    MadeReport,
    NamedChange,
    NewNotice,
    Notice,
)

#: A report's week, and the two days in which what was found in the week before is asked again.
_WEEK = timedelta(days=9)
DIGEST, CORRECTED = "digest", "corrected"
#: Why a notice is not sent: another report took the place of its own.
NEVER_TOLD = "made anew before it was told"


@dataclass(frozen=True, slots=True)
class Week:
    """What could be known of a job in the week of a report; of how many ticks at all."""

    changes: Sequence[NamedChange]
    tested: int
    untested: int


@dataclass(frozen=True, slots=True)
class Anew:
    """That a report was made a second time: why, and in what it differs."""

    why: str
    differs: str


def week_of(report: MadeReport) -> datetime:
    """Since when the changes in a report's digest could be known."""
    return report.due_at - _WEEK


def subject_of(job: str, due_at: datetime) -> str:
    """What the digest of a report is about."""
    return f"digest:{job}/{due_at:%Y-%m-%dT%H:%MZ}"


def is_told(report: MadeReport, told: Mapping[str, Sequence[Notice]]) -> bool:
    """Whether the digest of a report as it is now was written."""
    some = told.get(subject_of(report.job, report.due_at), ())
    return bool(some) and report.digest in some[-1].body


def of_report(
    report: MadeReport,
    week: Week,
    told: Mapping[str, Sequence[Notice]],
    rules: Rules,
    anew: Anew | None = None,
) -> NewNotice | None:
    """One message after a report was made; another where it was made anew and differs."""
    subject = subject_of(report.job, report.due_at)
    before = told.get(subject, ())
    if before and (anew is None or is_told(report, told)):
        return None
    heard = [one for one in before if _was_heard(one)]
    kinds = [kind_of(change) for change in week.changes]
    facts = {
        "report": report,
        "since": week_of(report),
        "confirmed": [change for change in week.changes if kind_of(change) == "finding"],
        "tested": week.tested,
        "untested": week.untested,
        "counts": {"ours": kinds.count("attributed")}
        | {name: kinds.count(name) for name in ("candidate", "refuted", "unconfirmed")},
        "most": words.MOST_LINES,
    }
    link = words.link(rules.address, facts)
    if not heard:
        return NewNotice(FINDINGS, DIGEST, subject, *words.write(DIGEST, facts, rules.zone, link))
    facts |= {"anew": anew, "told_title": heard[-1].title, "told_at": heard[-1].created_at}
    return NewNotice(FINDINGS, CORRECTED, subject, *words.write(CORRECTED, facts, rules.zone, link))


def _was_heard(notice: Notice) -> bool:
    """Whether somebody was told, or may have been."""
    if notice.state == DROPPED:  # told with others in one message, if it was not in vain
        return notice.trouble != NEVER_TOLD
    return notice.state == SENT or (notice.tries > 0 and notice.state != FAILED)


def is_needless(notice: Notice) -> bool:
    """Whether what waits is about a report that another one has taken the place of."""
    return notice.kind in (DIGEST, CORRECTED) and notice.state == OPEN and not notice.tries
