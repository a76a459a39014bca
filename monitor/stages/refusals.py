"""What a system did that left most of our questions without an answer, in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from monitor.model import Outcome
from monitor.stages._report_coverage import is_answer
from monitor.store.changes.series import Series, read_grid
from monitor.store.database import Connection
from monitor.store.reports import run_report

#: What a system did, by the outcome of its answers, after its name or `it`.
_DEEDS: Mapping[str, str] = {
    Outcome.BLOCKED: "refused our questions",
    Outcome.THROTTLED: "limited how often we may ask",
    Outcome.TIMEOUT: "did not answer in time",
    Outcome.FAILED: "gave no answer",
    Outcome.UNREADABLE: "gave answers that could not be read",
    Outcome.EMPTY: "gave empty answers",
}


def is_deed(words: str) -> bool:
    """Return whether words are of `say_refusal`, and need the system as their subject."""
    return words in _DEEDS.values()


def say_refusal(endings: Sequence[dict[str, Any]]) -> str:
    """Return what a system did, from its rows of `overview.endings` or `weekly_load.endings`.

    Empty where it answered half of its questions or more, or is not known to have been asked.
    """
    answered = sum(row["questions"] for row in endings if is_answer(row))
    unanswered = [row for row in endings if not is_answer(row) and row["outcome"] in _DEEDS]
    if not unanswered or answered * 2 >= sum(row["questions"] for row in endings):
        return ""
    return _DEEDS[max(unanswered, key=lambda row: row["questions"])["outcome"]]


class Refusals:
    """What systems did in runs that have no value of them. Every run is read once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._endings: dict[int, list[dict[str, Any]]] = {}

    def at(self, series: Series, due_at: datetime) -> str:
        """Return what the system of a series did at a due time, as `say_refusal`."""
        run_ids = [tick.run_id for tick in read_grid(self._connection, series.id, due_at, due_at)]
        return self.in_run(series, run_ids[0] if run_ids else None)

    def in_run(self, series: Series, run_id: int | None) -> str:
        """Return what the system of a series did in a run; empty without one."""
        if run_id is None:
            return ""
        if run_id not in self._endings:
            self._endings[run_id] = run_report.read_endings(self._connection, run_id)
        system = series.engine, series.source_lang, series.target
        return say_refusal([
            row for row in self._endings[run_id]
            if (row["engine"], row["source_lang"], row["target"]) == system
        ])  # fmt: skip
