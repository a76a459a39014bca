"""A table from the faults of services to outcome, reason and effect on the lane.

The service's own words stay in the detail of the answer.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

from monitor.model import Answer, Fault, Outcome, Reason, Trouble, make_storable

#: The service's own words are cut here; the whole answer is in the evidence.
_WORDS = 500


class Then(StrEnum):
    """The action of a lane after a fault."""

    GO_ON = "go_on"  # this question only
    BACK_OFF = "back_off"  # wait, then ask again; after several in a row suspend
    STOP_TARGET = "stop_target"  # nothing more of this pair of languages in this run
    STOP = "stop"  # nothing more of this engine in this run: a person has to mend something
    SUSPEND = "suspend"  # nothing more of this engine before a time that is remembered


@dataclass(frozen=True, slots=True)
class Consequence:
    """The record of a fault and the action of the lane."""

    outcome: Outcome
    reason: Reason
    then: Then


#: The one table (error classes of the services, and what becomes of each).
CONSEQUENCES = {
    Fault.AUTH: Consequence(Outcome.FAILED, Reason.AUTH, Then.STOP),
    Fault.QUOTA: Consequence(Outcome.THROTTLED, Reason.QUOTA, Then.SUSPEND),
    Fault.RATE: Consequence(Outcome.THROTTLED, Reason.RATE, Then.BACK_OFF),
    Fault.BAD_REQUEST: Consequence(Outcome.FAILED, Reason.REFUSED, Then.GO_ON),
    Fault.UNSUPPORTED: Consequence(Outcome.FAILED, Reason.UNSUPPORTED, Then.STOP_TARGET),
    Fault.BLOCKED: Consequence(Outcome.BLOCKED, Reason.NONE, Then.SUSPEND),
    Fault.DRIFT: Consequence(Outcome.UNREADABLE, Reason.MALFORMED, Then.BACK_OFF),
    Fault.TRANSIENT: Consequence(Outcome.FAILED, Reason.NONE, Then.BACK_OFF),
    Fault.POISONED: Consequence(Outcome.UNREADABLE, Reason.POISONED, Then.BACK_OFF),
}

_BY_RECORD = {(c.outcome, c.reason): c.then for c in CONSEQUENCES.values()}
#: Whole pages that a reader makes nothing of: a redesign, or a wall that nobody knows yet.
_BY_RECORD |= {
    (Outcome.UNREADABLE, reason): Then.BACK_OFF
    for reason in (Reason.JS_SHELL, Reason.SUSPECT_EMPTY)
}


def judge_answer(answer: Answer, trouble: Trouble | None) -> Answer:
    """The answer with the outcome that the trouble means; unchanged where there is none."""
    if trouble is None:
        return answer
    consequence_found = CONSEQUENCES[trouble.fault]
    words = make_storable(" ".join(trouble.words.split())[:_WORDS])
    reason = trouble.reason or consequence_found.reason
    return replace(answer, outcome=consequence_found.outcome, reason=reason, detail=words)


_TITLE = re.compile(rb"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_BLOCK_WORDS = (b"captcha", b"unusual traffic", b"are you a robot", b"verify you are human")
_FIRST_ERROR = 400


def is_page(answer: Answer) -> bool:
    """Return whether an answer is a web page, by how it begins or by what it says of itself.

    JSON that calls itself a page is none: some servers call everything so.
    """
    kind = {name.lower(): text for name, text in answer.headers}.get("content-type", "")
    beginning = answer.body[:200].lstrip().lower()
    if beginning.startswith((b"<!doctype html", b"<html")):
        return True
    return "text/html" in kind.lower() and not beginning.startswith((b"{", b"["))


def find_page_trouble(answer: Answer) -> Trouble | None:
    """The trouble of a web page in the place of an API's answer: a block, or who stands between."""
    if not is_page(answer) or (answer.status or 0) >= _FIRST_ERROR:
        return None
    title = _TITLE.search(answer.body[:20_000])
    title_note = f": {title[1].decode('utf-8', 'replace')}" if title else ""
    blocked = any(words in answer.body[:100_000].lower() for words in _BLOCK_WORDS)
    fault = Fault.BLOCKED if blocked else Fault.DRIFT
    return Trouble(fault, f"a web page in the place of an answer{title_note}")


def find_consequence(answer: Answer) -> Then:
    """Return what a lane does after an answer, whatever found its outcome."""
    recorded_consequence = _BY_RECORD.get((answer.outcome, answer.reason))
    if recorded_consequence is not None:
        return recorded_consequence
    if answer.outcome is Outcome.BLOCKED:
        return Then.SUSPEND
    troubled = answer.outcome in (Outcome.FAILED, Outcome.TIMEOUT, Outcome.THROTTLED)
    return Then.BACK_OFF if troubled else Then.GO_ON


@dataclass(frozen=True, slots=True)
class Suspension:
    """An engine that is not to be asked through one exit before a time. `times` in a row."""

    until: datetime
    reason: str
    detail: str
    times: int = 1

    def __str__(self) -> str:
        words = f": {self.detail}" if self.detail else ""
        until = self.until.astimezone(UTC)
        return f"suspended until {until:%Y-%m-%d %H:%M} UTC ({self.reason}{words})"
