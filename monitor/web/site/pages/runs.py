"""Runs: the list, one run with coverage and values, its answers, and the texts that it read."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Depends, Query
from pydantic import BaseModel

from monitor.model import Kind, RunKind, RunState, State
from monitor.names import base_name
from monitor.roles import Permission
from monitor.stages.reports import coverage, names
from monitor.stages.reports.names import known_engines
from monitor.store.collect import evidence
from monitor.store.database import Connection
from monitor.store.reports import run_answers, run_list, run_report
from monitor.store.reports.run_answers import COUNTED, NO_REASON, OUTCOMES, ListedAnswer
from monitor.store.reports.run_answers import RunAnswerFilter as Wanted
from monitor.store.reports.run_list import ListedRun
from monitor.web.site.errors import Forbidden, Missing, Refused
from monitor.web.site.pages.corpus_texts import (
    SNIPPET,
    ReadText,
    TextRow,
    list_texts,
    read_texts,
)
from monitor.web.site.records import Estimate, copy_record
from monitor.web.site.response_cache import MOVING_SECONDS, ResponseCache
from monitor.web.site.routes import Number, PageNumber, Text, Whole, make_router, serve_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who

_progress_cache = ResponseCache(longest=MOVING_SECONDS)
_BY_GENDER = ("used", "unidentified")
router = make_router("runs")
_SIZE = 50
#: Steps whose version names the parser whose readings they have seen.
_OF_PARSERS = ("parse", "signal")
_detail_cache = ResponseCache(longest=MOVING_SECONDS)
KindWanted = Literal["", "scheduled", "manual", "confirm", "noise"]
StateWanted = Literal["", "running", "interrupted", "done", "partial"]
CountedAs = Literal["", "planned", "answered", "used", "unidentified", "empty", "unreadable",
                  "blocked", "unanswered"]  # fmt: skip


class RunRow(BaseModel):
    """A run in a list. `settled` of `planned` questions have ended, with an answer or without."""

    number: int
    job: str
    due_at: datetime
    kind: RunKind
    state: RunState
    created_at: datetime
    finished_at: datetime | None
    code_version: str
    settled: int | None
    planned: int | None


def require_run(connection: Connection, who: Visitor, number: int) -> ListedRun:
    """Return a run that a visitor may see. Raise Missing."""
    listed = run_list.find_run(connection, who.hidden, number)
    if listed is None:
        raise Missing(f"there is no run {number}")
    return listed


def make_row(connection: Connection, who: Visitor, listed: ListedRun) -> RunRow:
    """Return the row of a run; progress is counted for open runs, at most twice a minute."""
    is_open = listed.state in (RunState.RUNNING, RunState.INTERRUPTED)
    planned, settled = (
        _progress_cache.get(
            connection, who, ("progress", listed.id),
            lambda: evidence.count_progress(connection, listed.id, who.hidden),
        )
        if is_open
        else (None, None)
    )  # fmt: skip
    return copy_record(RunRow, listed, number=listed.id, settled=settled, planned=planned)


class Coverage(BaseModel):
    """Number of questions of one list to one system by result; see the view `coverage`.

    `used` and `unidentified` are null where no gender is read from words: of systems that do not
    translate.
    """

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
        """Return (column, count), as answers can be filtered by it."""
        return [(name, getattr(self, name)) for name in COUNTED]


class LostQuestions(BaseModel):
    """Questions to one system without an answer, and the reason."""

    engine: str
    source_lang: str
    target: str
    outcome: str
    reason: str
    meaning: str
    questions: int

    @property
    def wanted(self) -> str:
        """Return the reason as answers can be filtered by it."""
        return self.reason or NO_REASON


def read_coverage(connection: Connection, who: Visitor, number: int) -> list[Coverage]:
    """Return the results of questions to systems whose answers may be seen."""
    numbers: dict[str, list[int]] = {}
    for engine, name in run_list.list_systems(connection, number):
        numbers.setdefault(name, []).append(engine)
    return [
        Coverage.model_validate(
            row if row["kind"] == Kind.MT else {**row, **dict.fromkeys(_BY_GENDER)}
        )
        for row in run_report.read_coverage(connection, number)
        if all(
            who.hidden.shows_answers(engine, row["target"])
            for engine in numbers.get(row["engine"], ())
        )
    ]


def read_lost(
    connection: Connection, who: Visitor, number: int, known: Sequence[Coverage]
) -> list[LostQuestions]:
    """Return why questions have no answer, for systems whose answers may be seen.

    `known` is what came of the questions: nothing is looked for where all of them have one.
    """
    if all(row.answered == row.planned for row in known):
        return []
    return [
        LostQuestions(
            engine=row["engine"], source_lang=row["source_lang"], target=row["target"],
            outcome=row["outcome"], reason=row["reason"],
            meaning=coverage.say_meaning(row["outcome"], row["reason"]), questions=row["questions"],
        )
        for row in run_report.read_endings(connection, number)
        if row["questions"]
        and not coverage.is_answer(row)
        and who.hidden.shows_answers(row["engine_id"], row["target"])
    ]  # fmt: skip


class RunList(BaseModel):
    """Runs, the newest first. `settled` and `planned` are of runs that are not finished."""

    jobs: Sequence[str]
    job: str
    kind: str
    state: str
    runs: Sequence[RunRow]
    page: int
    has_more: bool


@serve_page(router, "/runs", "runs.html", Permission.NUMBERS, is_live=True)
def runs(
    site: TheSite, who: Who, job: Text = "", kind: KindWanted = "", state: StateWanted = "",
    page: PageNumber = 1,
) -> RunList:  # fmt: skip
    """Return runs, the newest first."""
    with site.database.read() as connection:
        listed = run_list.list_runs(
            connection, who.hidden, (job, kind, state), page=page, size=_SIZE
        )
        return RunList(
            jobs=run_list.list_jobs(connection, who.hidden), job=job, kind=kind, state=state,
            runs=[make_row(connection, who, stored) for stored in listed[:_SIZE]],
            page=page, has_more=len(listed) > _SIZE,
        )  # fmt: skip


# --- one run --------------------------------------------------------------------------------------


class RunValue(Estimate):
    """A number over all questions of the run. `value` is null unless `state` is `measured`."""

    series: int
    point: int
    title: str
    label: str
    engine: str
    target: str


class StageMark(BaseModel):
    """A step of deriving that is complete for the run."""

    stage: str
    version: str
    done_at: datetime


class RunDetail(BaseModel):
    """A run.

    The job, its hash and the seed are null for those who may only see what is public: whoever
    guesses a job could tell by its hash.
    """

    run: RunRow
    lists: Sequence[str]
    coverage: Sequence[Coverage]
    lost: Sequence[LostQuestions]
    texts: Sequence[ReadText]
    values: Sequence[RunValue]
    stages: Sequence[StageMark]
    job_hash: str | None
    job_content: dict[str, Any] | None
    seed: str | None


@serve_page(router, "/runs/{number}", "run.html", Permission.NUMBERS, is_live=True)
def run(number: Number, site: TheSite, who: Who) -> RunDetail:
    """Return one run: questions, results and values."""
    with site.database.read() as connection:
        listed = require_run(connection, who, number)
        row = make_row(connection, who, listed)
        detail = _detail_cache.get(
            connection, who, (number, listed.state), lambda: _read_detail(connection, who, row)
        )
    hidden_fields = () if who.may(Permission.EMBARGOED) else ("job_content", "job_hash", "seed")
    return detail.model_copy(update=dict.fromkeys(hidden_fields))


def _read_detail(connection: Connection, who: Visitor, row: RunRow) -> RunDetail:
    stored = run_list.read_detail(connection, row.number)
    values = _read_values(connection, who, row.number)
    coverage = read_coverage(connection, who, row.number)
    lists_shown = {*(item.list for item in coverage), *(item["list"] for item in values.values())}
    engines = {name for _, name in run_list.list_systems(connection, row.number, who.hidden)}
    return RunDetail(
        run=row,
        lists=[
            item
            for item in stored.lists
            if not who.hidden.is_any or item.rpartition("@")[0] in lists_shown
        ],
        coverage=coverage,
        lost=read_lost(connection, who, row.number, coverage),
        texts=read_texts(connection, who, row.number),
        values=_list_values(connection, values),
        stages=[
            StageMark(stage=s, version=v, done_at=done_at)
            for s, v, done_at in stored.stages
            if not who.hidden.is_any or _names_only(s, v, engines)
        ],
        job_hash=stored.job_hash,
        job_content=stored.job,
        seed=stored.seed,
    )


def _names_only(stage: str, version: str, engines: Collection[str]) -> bool:
    """Return whether a step names no engine but these; parsers are named as engines."""
    if stage not in _OF_PARSERS:
        return True
    parser = version.rpartition(" of ")[2].partition("@")[0]
    return parser in {base_name(label) for label in engines}


def _read_values(connection: Connection, who: Visitor, number: int) -> dict[int, dict[str, Any]]:
    """Return {series: row} of values over all questions that may be seen."""
    of_point = {point: series for series, point in run_list.find_series(connection, number)}
    return {
        of_point[row["point_id"]]: row
        for row in run_report.read_values(connection, number)
        if row["point_id"] in of_point and who.hidden.shows(of_point[row["point_id"]])
    }


def _list_values(connection: Connection, rows: Mapping[int, dict[str, Any]]) -> list[RunValue]:
    """Return values over all questions, primary quantities first."""
    engines = known_engines(connection)
    values = []
    for series_id, row in rows.items():
        kind = engines[row["engine"]].kind
        firsts = names.name_primaries(row["measure"], kind)
        value = RunValue(
            series=series_id, point=row["point_id"], title=names.write_title(row),
            label=names.write_label({**row, "kind": kind}),
            engine=row["engine"], target=row["target"], state=State(row["state"]),
            reason=row["reason"], value=row["value"], low=row["low"], high=row["high"],
        )  # fmt: skip
        values.append((row["quantity"] not in firsts, value))
    return [value for _, value in sorted(values, key=lambda entry: entry[0])]


@dataclass(frozen=True, slots=True)
class AnswerFilter:
    """Filters of the page; empty stands for any value.

    `counted` is a column of the page of the run: the last try at each question that it counts.
    `reason` is `none` for what ended so without one. `key` is the beginning of a question's key.
    """

    engine: Text = ""
    target: Text = ""
    source_lang: Text = ""
    list: Text = ""
    outcome: Text = ""
    reason: Text = ""
    counted: CountedAs = ""
    key: Text = ""


class AnswerList(BaseModel):
    """Answers of a run in the order in which they were planned. `next` goes on after the last."""

    run: RunRow
    engines: Sequence[str]
    outcomes: Sequence[str]
    wanted: AnswerFilter
    answers: Sequence[ListedAnswer]
    next: int | None


@serve_page(router, "/runs/{number}/answers", "answers.html", Permission.NUMBERS, is_live=True)
def answers(
    number: Number,
    site: TheSite,
    who: Who,
    asked: Annotated[AnswerFilter, Depends()],
    after: Annotated[Whole, Query(ge=0, le=2**63 - 1)] = 0,
) -> AnswerList:
    """Return the answers of a run that fit the filters."""
    filters, hidden = Wanted(**asdict(asked)), who.hidden
    with site.database.read() as connection:
        row = make_row(connection, who, require_run(connection, who, number))
        stored = run_answers.list_answers(
            connection, number, filters, hidden, after=after, size=_SIZE
        )
        engines = [name for _, name in run_list.list_systems(connection, number, hidden)]
    rows = stored[:_SIZE]
    if not who.may(Permission.CAPTURED):
        # of a page of results the first entry may be a person
        rows = [answer if answer.gender else replace(answer, text="") for answer in rows]
    return AnswerList(
        run=row, engines=engines, outcomes=OUTCOMES, wanted=asked,
        answers=rows, next=rows[-1].attempt if len(stored) > _SIZE else None,
    )  # fmt: skip


class TextList(BaseModel):
    """The texts of one corpus of a run, one page of them.

    With a `word` those of its texts that hold it; `n` are all that fit, on whichever page.
    """

    run: RunRow
    corpus: ReadText
    is_partial: bool
    word: str
    texts: Sequence[TextRow]
    n: int
    page: int
    has_more: bool


@serve_page(router, "/runs/{number}/texts/{corpus}", "texts.html", Permission.NUMBERS, is_live=True)
def texts(
    number: Number, corpus: Number, site: TheSite, who: Who, word: Text = "", page: PageNumber = 1
) -> TextList:
    """Return the texts that a run has read of one system, or those with a word."""
    word = word.strip().lower()
    with site.database.read() as connection:
        row = make_row(connection, who, require_run(connection, who, number))
        corpora_read = {
            corpus_read.corpus: corpus_read for corpus_read in read_texts(connection, who, number)
        }
        if corpus not in corpora_read:
            raise Missing(f"run {number} has read no texts {corpus} that can be shown here")
        of, part = corpora_read[corpus], ((page - 1) * _SIZE + 1, page * _SIZE)
        # which texts hold a word is captured content itself
        if word and not who.may(Permission.CAPTURED):
            raise Forbidden("which texts hold a word is shown to users of this archive only")
        if word and of.text != SNIPPET:
            raise Refused("pages behind results cannot be looked through for a word here")
        rows, n = list_texts(connection, site.database, who, of, part, word)
    return TextList(
        run=row, corpus=of, is_partial=not who.may(Permission.CAPTURED), word=word, texts=rows,
        n=n, page=page, has_more=part[1] < n,
    )  # fmt: skip
