"""Answers of a series: those behind one run, and those that differ between two runs.

Differences of two runs are those stored when the runs were computed. A difference of any two runs,
chosen after looking, would have no valid p value.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from monitor.change import Contrast, Test
from monitor.model import GenderClass, Kind, RunKind, State
from monitor.roles import Permission
from monitor.stages.changes.statements import missing_words
from monitor.stages.document import notation
from monitor.stages.document.notation import Piece, capped
from monitor.stages.reports.names import known_engines
from monitor.store.changes import changed_answers
from monitor.store.changes.changed_answers import (
    AnswerScope,
    AnswerSide,
    AnswerUse,
    DifferingQuestion,
    TickAnswer,
)
from monitor.store.changes.series import Comparison, GridTick, Series, SeriesHistory
from monitor.store.collect import runs
from monitor.store.database import Connection, Database
from monitor.store.derive.signals import read_asked_items
from monitor.store.jobs.declarations import find_list_versions
from monitor.store.journal.events import Stamp, read_cache_version
from monitor.web.site.errors import Missing, Refused
from monitor.web.site.pages.corpus_texts import ReadText, TextRow, find_texts, list_texts
from monitor.web.site.pages.series_list import (
    SeriesDescription,
    describe_series,
    require_series,
)
from monitor.web.site.records import (
    Described,
    PagedContent,
    PointEstimate,
    copy_record,
    count_pages,
    slice_page,
)
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import Number, Whole, make_router, serve_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who

router = make_router("series")

_ON_A_PAGE = 50

_cache = ResponseCache(most=128)
#: The answers of whole ticks, without their words.
_answer_cache = ResponseCache(most=32)
#: The questions of a list and a pair of languages, which many series share.
_question_cache = ResponseCache(most=32)
_FLIPS_ON_A_PAGE = 50
_MOST_STEPS = 12
#: Comparisons of two ticks that may be shown, the first that there is.
_SHOWN_CONTRASTS = (Contrast.STEP, Contrast.WEEK, Contrast.FIRST)
_flip_cache = ResponseCache(most=16)


class AnswerPart(BaseModel):
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


class BehindPoint(Described):
    """One answer to one question. `attempt` is the number of its evidence."""

    attempt: int
    key: str
    repeat: int
    question: str
    use: AnswerUse
    cls: str
    """Class of the whole answer; empty where there is none."""
    outcome: str
    reason: str
    parts: Sequence[AnswerPart]
    own: str
    """The value of this question, or why it has none, where the point keeps one for each."""


class AtPoint(PointEstimate):
    """A point: its value, and the numbers of questions behind it."""

    number: int
    planned: int
    answered: int
    used: int
    unidentified: int
    computed_at: datetime


class TickAnswers(PagedContent):
    """The answers behind a series in one run, one page of them."""

    about: SeriesDescription
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
    n: int
    answers: Sequence[BehindPoint]


@serve_page(router, "/series/{number}/ticks/{run}", "tick.html", Permission.NUMBERS)
def tick(
    number: Number,
    run: Number,
    site: TheSite,
    who: Who,
    use: AnswerUse | Literal[""] = "",
    cls: GenderClass | Literal[""] = "",
    page: Annotated[Whole, Query(ge=1, le=100_000)] = 1,
) -> TickAnswers:
    """Return the answers behind one point, filtered by use and class."""
    with site.database.read() as connection:
        known_at = read_cache_version(connection)
        return _cache.get(
            connection,
            who,
            (number, run, use, cls, page, who.permissions),
            lambda: _read_tick(
                connection, site.database, who, known_at, (number, run), (use, cls), page
            ),
            known_at,
        )


def _read_tick(
    connection: Connection,
    database: Database,
    who: Visitor,
    known_at: Stamp,
    series_and_run: tuple[int, int],
    taken: tuple[str, str],
    page: int,
) -> TickAnswers:
    number, run = series_and_run
    subject = require_series(connection, who, number)
    of = changed_answers.find_scope(connection, number)
    tick_at = changed_answers.find_series_run(connection, number, run)
    nothing = Missing(f"series {number} has no answers in a run {run}")
    if tick_at is None or not who.hidden.shows_answers(of.engine_id, of.target):
        raise nothing
    all_answers = _answer_cache.get(
        connection,
        who,
        series_and_run,
        lambda: _read_answers(connection, who, known_at, of, run),
        known_at,
    )
    if not all_answers and tick_at.point is None:
        raise nothing
    fitting = [
        answer
        for answer in all_answers
        if taken[0] in ("", answer.use) and taken[1] in ("", answer.cls)
    ]
    on_page = slice_page(fitting, page, _ON_A_PAGE)
    pair = of.source_lang, of.target
    read = find_texts(connection, who, run, of.engine_id, pair, subject.measure)
    part = (page - 1) * _ON_A_PAGE + 1, page * _ON_A_PAGE
    n = read.documents if read else len(fitting)
    is_partial = of.kind is Kind.SEARCH and not who.may(Permission.CAPTURED)
    return TickAnswers(
        about=describe_series(subject, known_engines(connection)),
        run=run,
        run_kind=tick_at.kind,
        job=tick_at.job,
        due_at=tick_at.due_at,
        is_undecided=any(
            undecided.id == run for undecided in runs.find_undecided(connection, tick_at.job)
        ),
        point=AtPoint(number=tick_at.point["id"], **tick_at.point) if tick_at.point else None,
        use=taken[0],
        cls=taken[1],
        uses=dict(Counter(answer.use for answer in all_answers)),
        classes=dict(Counter(answer.cls for answer in all_answers if answer.cls)),
        is_alike=_is_alike(all_answers, tick_at.point),
        read=read,
        texts=list_texts(connection, database, who, read, part)[0] if read else [],
        is_partial=is_partial,
        page=page,
        n_pages=count_pages(n, _ON_A_PAGE),
        n=n,
        answers=_list_answers(connection, of, on_page, tick_at.point, is_partial=is_partial),
    )


def _read_answers(
    connection: Connection, who: Visitor, known_at: Stamp, of: AnswerScope, run: int
) -> Sequence[TickAnswer]:
    """Return all answers of a series in a run."""
    number = find_list_versions(connection, [run], of.list).get(run)
    if number is None:
        return []
    pair = of.source_lang, of.target
    questions = _question_cache.get(
        connection,
        who,
        (number, pair),
        lambda: read_asked_items(connection, number, pair),
        known_at,
    )
    return changed_answers.read_answers(connection, of, run, questions)


def _is_alike(all_answers: Sequence[TickAnswer], point: Mapping[str, Any] | None) -> bool:
    """Return whether as many questions are planned and answered as the point counts."""
    if point is None:
        return True
    answered = {answer.key for answer in all_answers if answer.use is not AnswerUse.MISSING}
    planned = {answer.key for answer in all_answers}
    return (len(planned), len(answered)) == (point["planned"], point["answered"])


def _list_answers(
    connection: Connection,
    of: AnswerScope,
    answers: Sequence[TickAnswer],
    point: Mapping[str, Any] | None,
    *,
    is_partial: bool,
) -> list[BehindPoint]:
    words = changed_answers.read_words(connection, of, answers)
    keys = [answer.key for answer in answers]
    values = (
        changed_answers.read_question_values(connection, point["id"], keys)
        if point and keys
        else {}
    )
    listed = []
    for answer in answers:
        said = words[answer.attempt]
        state, reason, value = values.get(answer.key, ("", "", None))
        own = notation.number(value) if value is not None else f"{state}: {reason}" if state else ""
        parts = [] if is_partial else [_make_part(part) for part in said.parts]
        listed.append(copy_record(BehindPoint, answer, said, parts=parts, own=own))
    return listed


def _make_part(row: Mapping[str, Any]) -> AnswerPart:
    return AnswerPart(
        text=row["text"] or "", title=row["title"] or "", block=row["block"],
        cls=row["cls"] or "", rule=row["rule"] or "", template=row["template"] or "",
        log_ratio=row["log_ratio"], is_erased=row["is_erased"],
        pieces=notation.pieces(row["text"] or "", row["witnesses"] or ()),
    )  # fmt: skip


class StoredDifference(BaseModel):
    """Stored comparison of two runs, on the questions usable in both.

    `delta` is after - before with its 95 % interval, null unless `state` is `measured`. Whatever
    the missing answers are, it lies from `bound_low` to `bound_high`, null where nothing bounds it;
    `missing` says so, and whether it may be due to them.
    """

    contrast: Contrast
    state: State
    reason: str
    n: int
    only_before: int
    only_after: int
    changed: int
    before: float | None
    after: float | None
    delta: float | None
    low: float | None
    high: float | None
    p: float | None
    test: Test
    bound_low: float | None
    bound_high: float | None
    missing: str


class ComparedStep(BaseModel):
    """Two runs that were compared when the later one was computed."""

    before: int
    after: int
    before_due_at: datetime
    after_due_at: datetime
    delta: float | None


class FlipAnswer(BaseModel):
    """One answer: its class, its beginning, and the number of its evidence."""

    attempt: int
    said: str
    text: str


class QuestionFlip(BaseModel):
    """A question with other answers: those of each repeat before and after."""

    key: str
    question: str
    before: Sequence[FlipAnswer]
    after: Sequence[FlipAnswer]


class RunPair(PagedContent):
    """Two runs of a series, the earlier first."""

    before: int
    after: int
    before_due_at: datetime
    after_due_at: datetime
    before_value: float | None
    before_low: float | None
    before_high: float | None
    after_value: float | None
    after_low: float | None
    after_high: float | None
    difference: StoredDifference | None
    steps: Sequence[ComparedStep]
    """Where the two were not compared: the ticks between them that were."""
    n_flips: int | None
    """Questions with another answer; null where the visitor may not see the answers."""
    flips: Sequence[QuestionFlip]
    is_partial: bool
    """Whether the words of the answers are left out because they show captured pages."""


def compare_runs(
    connection: Connection, who: Visitor, history: SeriesHistory, runs: tuple[int, int], page: int
) -> RunPair:
    """Return two runs side by side. Raise Missing, or Refused for the same run twice."""
    by_run = {tick.run_id: tick for tick in history.ticks if tick.run_id is not None}
    for run in runs:
        if run not in by_run:
            raise Missing(f"series {history.series.id} has no tick of run {run}")
    if runs[0] == runs[1]:
        raise Refused("choose two different runs")
    before, after = sorted((by_run[run] for run in runs), key=lambda tick: tick.due_at)
    difference = _find_difference(history.comparisons, before, after)
    of = changed_answers.find_scope(connection, history.series.id)
    differing = _read_flips(connection, who, history.series, of, (before, after))
    on_page = slice_page(differing or [], page, _FLIPS_ON_A_PAGE)
    is_partial = of.kind is Kind.SEARCH and not who.may(Permission.CAPTURED)
    return RunPair(
        before=before.run_id or 0,
        after=after.run_id or 0,
        **{
            f"{side}_{name}": getattr(tick, name)
            for side, tick in (("before", before), ("after", after))
            for name in ("due_at", "value", "low", "high")
        },
        difference=difference,
        steps=[] if difference else _list_steps(history.comparisons, before, after),
        n_flips=None if differing is None else len(differing),
        page=page,
        n_pages=count_pages(len(differing or ()), _FLIPS_ON_A_PAGE),
        flips=[
            QuestionFlip(
                key=flip.key,
                question=flip.probe,
                before=[_make_flip_answer(s, of.kind, is_partial=is_partial) for s in flip.before],
                after=[_make_flip_answer(s, of.kind, is_partial=is_partial) for s in flip.after],
            )
            for flip in changed_answers.add_words(connection, on_page)
        ],
        is_partial=is_partial,
    )


def _find_difference(
    comparisons: Sequence[Comparison], before: GridTick, after: GridTick
) -> StoredDifference | None:
    stored = {
        comparison.contrast: comparison
        for comparison in reversed(comparisons)
        if (comparison.before_run_id, comparison.after_run_id) == (before.run_id, after.run_id)
    }
    shown = next((stored[contrast] for contrast in _SHOWN_CONTRASTS if contrast in stored), None)
    if shown is None:
        return None
    return copy_record(
        StoredDifference,
        shown,
        bound_low=shown.facts.get("bound_low"),
        bound_high=shown.facts.get("bound_high"),
        missing=missing_words(shown.facts),
    )


def _list_steps(
    comparisons: Sequence[Comparison], before: GridTick, after: GridTick
) -> list[ComparedStep]:
    steps = [
        copy_record(
            ComparedStep,
            comparison,
            before=comparison.before_run_id,
            after=comparison.after_run_id,
            after_due_at=comparison.due_at,
        )
        for comparison in comparisons
        if comparison.contrast is Contrast.STEP
        and before.due_at <= comparison.before_due_at
        and comparison.due_at <= after.due_at
    ]
    return steps[-_MOST_STEPS:]


def _read_flips(
    connection: Connection,
    who: Visitor,
    subject: Series,
    of: AnswerScope,
    ticks: tuple[GridTick, GridTick],
) -> list[DifferingQuestion] | None:
    """Return questions with other answers; None where the answers are under embargo."""
    if not who.hidden.shows_answers(of.engine_id, of.target):
        return None
    runs = [tick.run_id or 0 for tick in ticks]
    return _flip_cache.get(
        connection,
        who,
        (subject.id, *runs),
        lambda: changed_answers.find_differing(connection, of, *runs),
    )


def _make_flip_answer(side: AnswerSide, kind: Kind, *, is_partial: bool) -> FlipAnswer:
    """Return an answer, with its class where the text does not tell it."""
    class_said = ", ".join(str(part) for part in side.said if part) if kind is Kind.MT else ""
    if kind is Kind.LM:
        class_said = ", ".join(
            f"template {template}: {ratio:+.3f}"
            for template, ratio in (part for part in side.said if isinstance(part, tuple))
            if ratio is not None
        )
    return FlipAnswer(
        attempt=side.attempt_id, said=class_said, text="" if is_partial else capped(side.text)
    )
