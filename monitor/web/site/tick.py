"""The answers behind one point of a series: what was asked, what came back, how it was read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from monitor.model import GenderClass, Kind, RunKind, State
from monitor.roles import Permission
from monitor.stages import _report_names as titles
from monitor.stages import _report_text as text
from monitor.stages._report_text import Piece
from monitor.stages.engine_titles import known_engines
from monitor.store.changes import tick_answers
from monitor.store.changes.tick_answers import AnswerScope, AnswerUse, AnswerWords, TickAnswer
from monitor.store.collect import runs
from monitor.store.database import Connection, Database
from monitor.store.derive.signals import read_asked_items
from monitor.store.journal.events import Stamp, read_cache_version
from monitor.web.site._errors import Missing
from monitor.web.site._inputs import Number, Whole
from monitor.web.site._kept import Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._run_texts import ReadText, TextRow, behind, text_rows
from monitor.web.site._series import About, about, seen
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who

router = pages("series")

_ON_A_PAGE = 50

_kept = Kept(most=128)
#: The answers of whole ticks, without their words.
_counted = Kept(most=32)
#: The questions of a list and a pair of languages, which many series share.
_asked = Kept(most=32)


class Part(BaseModel):
    """A part of an answer as it was read: a translation, an entry of a list, or a score."""

    text: str
    title: str
    block: str
    cls: str
    rule: str
    template: str
    log_ratio: float | None
    is_erased: bool
    pieces: Sequence[Piece] = Field(exclude=True)


class BehindPoint(BaseModel):
    """One answer to one question. `attempt` is the number of its evidence."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    attempt: int
    key: str
    repeat: int
    question: str
    use: AnswerUse
    cls: str
    """Class of the whole answer; empty where there is none."""
    outcome: str
    reason: str
    parts: Sequence[Part]
    own: str
    """The value of this question, or why it has none, where the point keeps one for each."""


class AtPoint(BaseModel):
    """A point: its value, and how much it rests on."""

    number: int
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None
    flags: Sequence[str]
    planned: int
    answered: int
    used: int
    unidentified: int
    signature: str
    computed_at: datetime

    @property
    def flagged(self) -> str:
        """The flags in words."""
        return titles.flags(self.flags)


class TickAnswers(BaseModel):
    """The answers behind a series in one run, one page of them."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    about: About
    run: int
    run_kind: RunKind
    job: str
    due_at: datetime
    is_undecided: bool
    """Whether this tick was measured and is not decided: whether anything changed is not known."""
    point: AtPoint | None
    """Null where nothing was computed of this run."""
    use: str
    cls: str
    uses: dict[AnswerUse, int]
    """How many answers there are of each."""
    classes: dict[str, int]
    is_alike: bool
    """Whether these answers, as they are read now, are those that the point counts."""
    read: ReadText | None
    """What the value is made of, where the run asked nothing: texts that others collected."""
    texts: Sequence[TextRow]
    """One page of them; there are no answers then."""
    is_partial: bool
    """Whether words are left out because they show captured pages."""
    page: int
    n_pages: int
    n: int
    answers: Sequence[BehindPoint]


@page(router, "/series/{number}/ticks/{run}", "tick.html", Permission.NUMBERS)
def tick(
    number: Number,
    run: Number,
    site: TheSite,
    who: Who,
    use: AnswerUse | Literal[""] = "",
    cls: GenderClass | Literal[""] = "",
    page: Annotated[Whole, Query(ge=1, le=100_000)] = 1,
) -> TickAnswers:
    """The answers behind one point; `use` and `cls` are what they were taken for."""
    with site.database.read() as connection:
        at = read_cache_version(connection)
        return _kept.get(
            connection, who, (number, run, use, cls, page, who.permissions),
            lambda: _read(connection, site.database, who, at, (number, run), (use, cls), page), at,
        )  # fmt: skip


def _read(
    connection: Connection,
    database: Database,
    who: Visitor,
    known_at: Stamp,
    asked: tuple[int, int],
    taken: tuple[str, str],
    page: int,
) -> TickAnswers:
    number, run = asked
    one = seen(connection, who, number)
    of = tick_answers.find_scope(connection, number)
    at = tick_answers.find_series_run(connection, number, run)
    nothing = Missing(f"series {number} has no answers in a run {run}")
    if at is None or not who.hidden.shows_answers(of.engine_id, of.target):
        raise nothing
    every = _counted.get(
        connection, who, asked, lambda: _every(connection, who, known_at, of, run), known_at
    )
    if not every and at.point is None:
        raise nothing
    fitting = [one for one in every if taken[0] in ("", one.use) and taken[1] in ("", one.cls)]
    some = fitting[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
    pair = of.source_lang, of.target
    read = behind(connection, who, run, of.engine_id, pair, one.measure)
    part = (page - 1) * _ON_A_PAGE + 1, page * _ON_A_PAGE
    n = read.documents if read else len(fitting)
    is_partial = of.kind is Kind.SEARCH and not who.may(Permission.CAPTURED)
    return TickAnswers(
        about=about(one, known_engines(connection)),
        run=run, run_kind=at.kind, job=at.job, due_at=at.due_at,
        is_undecided=any(left.id == run for left in runs.find_undecided(connection, at.job)),
        point=_point(at.point),
        use=taken[0], cls=taken[1],
        uses=dict(Counter(one.use for one in every)),
        classes=dict(Counter(one.cls for one in every if one.cls)),
        is_alike=_is_alike(every, at.point), read=read,
        texts=text_rows(connection, database, who, read, part) if read else [],
        is_partial=is_partial, page=page, n_pages=max(1, -(-n // _ON_A_PAGE)), n=n,
        answers=_answers(connection, of, some, at.point, is_partial=is_partial),
    )  # fmt: skip


def _every(
    connection: Connection, who: Visitor, known_at: Stamp, of: AnswerScope, run: int
) -> Sequence[TickAnswer]:
    """All answers of a series in a run."""
    number = tick_answers.find_list(connection, of, run)
    if number is None:
        return []
    pair = of.source_lang, of.target
    questions = _asked.get(
        connection,
        who,
        (number, pair),
        lambda: read_asked_items(connection, number, pair),
        known_at,
    )
    return tick_answers.read_answers(connection, of, run, questions)


def _point(row: Mapping[str, Any] | None) -> AtPoint | None:
    if row is None:
        return None
    own = {name: row[name] for name in AtPoint.model_fields if name != "number"}
    return AtPoint(number=row["id"], **own)


def _is_alike(every: Sequence[TickAnswer], point: Mapping[str, Any] | None) -> bool:
    """Whether as many questions are planned and answered here as the point counts."""
    if point is None:
        return True
    there = {one.key for one in every if one.use is not AnswerUse.MISSING}
    planned = {one.key for one in every}
    return (len(planned), len(there)) == (point["planned"], point["answered"])


def _answers(
    connection: Connection,
    of: AnswerScope,
    some: Sequence[TickAnswer],
    point: Mapping[str, Any] | None,
    *,
    is_partial: bool,
) -> list[BehindPoint]:
    words = tick_answers.read_words(connection, of, some)
    keys = [one.key for one in some]
    own = tick_answers.read_question_values(connection, point["id"], keys) if point and keys else {}
    return [
        _behind(one, words[one.attempt], own.get(one.key), is_partial=is_partial) for one in some
    ]


def _behind(
    one: TickAnswer,
    words: AnswerWords,
    own: tuple[str, str, float | None] | None,
    *,
    is_partial: bool,
) -> BehindPoint:
    said = ""
    if own is not None:
        state, reason, value = own
        said = f"{state}: {reason}" if value is None else text.number(value)
    return BehindPoint(
        attempt=one.attempt, key=one.key, repeat=one.repeat, question=words.question, use=one.use,
        cls=one.cls, outcome=words.outcome, reason=words.reason,
        parts=[] if is_partial else [_part(part) for part in words.parts], own=said,
    )  # fmt: skip


def _part(row: Mapping[str, Any]) -> Part:
    return Part(
        text=row["text"] or "", title=row["title"] or "", block=row["block"],
        cls=row["cls"] or "", rule=row["rule"] or "", template=row["template"] or "",
        log_ratio=row["log_ratio"], is_erased=row["is_erased"],
        pieces=text.pieces(row["text"] or "", row["witnesses"] or ()),
    )  # fmt: skip
