"""What came of the questions of a run: how many were answered, and why others were not."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from monitor.model import Kind
from monitor.stages import _report_coverage as reasons
from monitor.store.database import Connection
from monitor.store.reports import run_list, run_report
from monitor.store.reports.run_answers import COUNTED, NO_REASON
from monitor.web.site._visitor import Visitor

_BY_GENDER = ("used", "unidentified")


class Coverage(BaseModel):
    """What became of the questions of one list to one system; see the view `coverage`.

    `used` and `unidentified` are null where no gender is read from words: of systems that do not
    translate.
    """

    model_config = ConfigDict(extra="ignore")

    list: str
    engine: str
    source_lang: str
    target: str
    planned: int
    answered: int
    used: int | None
    unidentified: int | None
    empty: int
    unreadable: int
    blocked: int
    unanswered: int

    @property
    def counts(self) -> Sequence[tuple[str, int | None]]:
        """(column, count), as answers can be asked for by it."""
        return [(name, getattr(self, name)) for name in COUNTED]


class Lost(BaseModel):
    """Questions to one system that were left without an answer, and why."""

    engine: str
    source_lang: str
    target: str
    outcome: str
    reason: str
    meaning: str
    questions: int

    @property
    def wanted(self) -> str:
        """The reason as answers can be asked for by it."""
        return self.reason or NO_REASON


def covered(connection: Connection, who: Visitor, number: int) -> list[Coverage]:
    """What came of the questions, of systems whose answers may be seen."""
    numbers: dict[str, list[int]] = {}
    for engine, name in run_list.list_systems(connection, number):
        numbers.setdefault(name, []).append(engine)
    return [
        Coverage.model_validate(
            one if one["kind"] == Kind.MT else {**one, **dict.fromkeys(_BY_GENDER)}
        )
        for one in run_report.read_coverage(connection, number)
        if all(
            who.hidden.shows_answers(engine, one["target"])
            for engine in numbers.get(one["engine"], ())
        )
    ]


def lost(
    connection: Connection, who: Visitor, number: int, known: Sequence[Coverage]
) -> list[Lost]:
    """Why questions have no answer, of systems whose answers may be seen.

    `known` is what came of the questions: nothing is looked for where all of them have one.
    """
    if all(one.answered == one.planned for one in known):
        return []
    return [
        Lost(
            engine=one["engine"], source_lang=one["source_lang"], target=one["target"],
            outcome=one["outcome"], reason=one["reason"],
            meaning=reasons.meaning(one["outcome"], one["reason"]), questions=one["questions"],
        )
        for one in run_report.read_endings(connection, number)
        if one["questions"]
        and not reasons.is_answer(one)
        and who.hidden.shows_answers(one["engine_id"], one["target"])
    ]  # fmt: skip
