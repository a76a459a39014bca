"""What a system did that left most of our questions without an answer, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor.model import Outcome
from monitor.stages._report_coverage import is_answer

#: What a system did, by the outcome of its answers, after its name or `it`.
_DEEDS: Mapping[str, str] = {
    Outcome.BLOCKED: "refused our questions",
    Outcome.THROTTLED: "limited how often we may ask",
    Outcome.TIMEOUT: "gave no answer",
    Outcome.FAILED: "gave no answer",
    Outcome.UNREADABLE: "gave answers that could not be read",
}


def say_refusal(endings: Sequence[dict[str, Any]]) -> str:
    """Return what a system did in a run, from the endings of its questions (`overview.endings`).

    Empty where it answered half of them or more, and where nothing is known of why it did not.
    """
    answered = sum(row["questions"] for row in endings if is_answer(row))
    unanswered = [row for row in endings if not is_answer(row) and row["outcome"] in _DEEDS]
    if not unanswered or answered * 2 >= sum(row["questions"] for row in endings):
        return ""
    return _DEEDS[max(unanswered, key=lambda row: row["questions"])["outcome"]]
