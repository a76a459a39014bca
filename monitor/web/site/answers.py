"""Answers of a run: every try at a question, or those that a number on another page counts."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Depends, Query
from pydantic import BaseModel

from monitor.roles import Permission
from monitor.store.reports import run_answers, run_list
from monitor.store.reports.run_answers import OUTCOMES, AnswerFilter
from monitor.web.site import _run_rows
from monitor.web.site._inputs import Number, Text, Whole
from monitor.web.site._routes import page, pages
from monitor.web.site._run_rows import RunRow
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Who

router = pages("runs")

_SIZE = 50

Counted = Literal["", "planned", "answered", "used", "unidentified", "empty", "unreadable",
                  "blocked", "unanswered"]  # fmt: skip


class AnswerRow(BaseModel):
    """One try at a question; `text` is its first entry, `gender` how that was read."""

    attempt: int
    key: str
    question: str
    source_lang: str
    target: str
    engine: str
    outcome: str
    reason: str
    text: str
    gender: str


class Asked(BaseModel):
    """What is wanted; empty stands for anything.

    `counted` is a column of the page of the run: the last try at each question that it counts.
    `reason` is `none` for what ended so without one. `key` is the beginning of a question's key.
    """

    engine: str
    target: str
    source_lang: str
    list: str
    outcome: str
    reason: str
    counted: str
    key: str


class AnswerList(BaseModel):
    """Answers of a run in the order in which they were planned. `next` goes on after the last."""

    run: RunRow
    engines: Sequence[str]
    outcomes: Sequence[str]
    wanted: Asked
    answers: Sequence[AnswerRow]
    next: int | None


def _asked(
    engine: Text = "", target: Text = "", source_lang: Text = "",
    list: Text = "",  # noqa: A002 - as it stands in the address
    outcome: Text = "", reason: Text = "", counted: Counted = "", key: Text = "",
) -> Asked:  # fmt: skip
    return Asked(
        engine=engine, target=target, source_lang=source_lang, list=list, outcome=outcome,
        reason=reason, counted=counted, key=key,
    )  # fmt: skip


@page(router, "/runs/{number}/answers", "answers.html", Permission.NUMBERS)
def answers(
    number: Number,
    site: TheSite,
    who: Who,
    asked: Annotated[Asked, Depends(_asked)],
    after: Annotated[Whole, Query(ge=0, le=2**63 - 1)] = 0,
) -> AnswerList:
    """Every answer of a run, or those that are wanted."""
    wanted, hidden = AnswerFilter(**asked.model_dump()), who.hidden
    with site.database.read() as connection:
        row = _run_rows.row(connection, who, _run_rows.found(connection, who, number))
        found = run_answers.list_answers(
            connection, number, wanted, hidden, after=after, size=_SIZE
        )
        engines = [name for _, name in run_list.list_visible_systems(connection, hidden, number)]
    shown = [AnswerRow(**one._asdict()) for one in found[:_SIZE]]
    if not who.may(Permission.CAPTURED):
        # of a page of results the first entry may be a person
        shown = [one.model_copy(update={"text": ""}) if not one.gender else one for one in shown]
    return AnswerList(
        run=row, engines=engines, outcomes=OUTCOMES, wanted=asked,
        answers=shown, next=shown[-1].attempt if len(found) > _SIZE else None,
    )  # fmt: skip
