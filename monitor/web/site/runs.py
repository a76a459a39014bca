"""Runs: what was asked, what came of it, what is missing and why, and every answer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict

from monitor.model import RunKind, RunState, State
from monitor.roles import Permission
from monitor.stages.weekly import names
from monitor.store import engines_known, evidence, overview, runs_shown
from monitor.store.database import Connection
from monitor.store.runs_shown import OUTCOMES, Listed, Wanted
from monitor.web.site._errors import Missing
from monitor.web.site._kept import Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who

router = pages("runs")

SIZE = 50
_LONGEST = 200
_kept = Kept()

Number = Annotated[int, Path(ge=1, le=2**63 - 1)]
Text = Annotated[str, Query(max_length=_LONGEST)]
Page = Annotated[int, Query(ge=1, le=10_000)]
KindWanted = Literal["", "scheduled", "manual", "confirm", "noise"]
StateWanted = Literal["", "running", "interrupted", "done", "partial"]


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


class RunList(BaseModel):
    """Runs, the newest first. `settled` and `planned` are of runs that are not finished."""

    jobs: Sequence[str]
    job: str
    kind: str
    state: str
    runs: Sequence[RunRow]
    page: int
    has_more: bool


@page(router, "/runs", "runs.html", Permission.NUMBERS)
def runs(
    site: TheSite, job: Text = "", kind: KindWanted = "", state: StateWanted = "",
    page: Page = 1,
) -> RunList:  # fmt: skip
    """Runs, the newest first."""
    with site.database.read() as connection:
        found = runs_shown.newest(connection, job, kind, state, page=page, size=SIZE)
        return RunList(
            jobs=runs_shown.names(connection), job=job, kind=kind, state=state,
            runs=[_row(connection, one) for one in found[:SIZE]],
            page=page, has_more=len(found) > SIZE,
        )  # fmt: skip


def _row(connection: Connection, one: Listed) -> RunRow:
    """A run; how far it has come is counted only while it goes on."""
    is_open = one.state in (RunState.RUNNING, RunState.INTERRUPTED)
    settled, planned = evidence.progress(connection, one.id) if is_open else (None, None)
    return RunRow(
        number=one.id, job=one.job, due_at=one.due_at, kind=one.kind, state=one.state,
        created_at=one.created_at, finished_at=one.finished_at, code_version=one.code_version,
        settled=settled, planned=planned,
    )  # fmt: skip


# --- one run --------------------------------------------------------------------------------------


class Coverage(BaseModel):
    """What became of the questions of one list to one system; see the view `coverage`."""

    model_config = ConfigDict(extra="ignore")

    list: str
    engine: str
    source_lang: str
    target: str
    planned: int
    answered: int
    used: int
    unidentified: int
    empty: int
    unreadable: int
    blocked: int
    unanswered: int


class Value(BaseModel):
    """A number over all questions of the run. `value` is null unless `state` is `measured`."""

    series: int
    point: int
    title: str
    engine: str
    target: str
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None


class Stage(BaseModel):
    """A step of deriving that has seen all of the run."""

    stage: str
    version: str
    done_at: datetime


class RunDetail(BaseModel):
    """A run. `job_content` is null for those who may only see what is public."""

    run: RunRow
    lists: Sequence[str]
    coverage: Sequence[Coverage]
    values: Sequence[Value]
    stages: Sequence[Stage]
    job_hash: str
    job_content: dict[str, Any] | None
    seed: str


@page(router, "/runs/{number}", "run.html", Permission.NUMBERS)
def run(number: Number, site: TheSite, who: Who) -> RunDetail:
    """One run: what was asked, what came of it, and its numbers."""
    with site.database.read() as connection:
        found = _run(connection, number)
        row = _row(connection, found)

        def read() -> RunDetail:
            return _detail(connection, who, row)

        about = number, found.state
        kept = read() if row.planned is not None else _kept.get(connection, who, about, read)
    shown: dict[str, Any] = {} if who.may(Permission.EMBARGOED) else {"job_content": None}
    return kept.model_copy(update=shown)


def _run(connection: Connection, number: int) -> Listed:
    found = runs_shown.run(connection, number)
    if found is None:
        raise Missing(f"there is no run {number}")
    return found


def _detail(connection: Connection, who: Visitor, row: RunRow) -> RunDetail:
    known = runs_shown.detail(connection, row.number)
    hidden = {
        (name, target)
        for number, name in runs_shown.systems(connection, row.number)
        for engine, target in who.hidden.evidence
        if engine == number
    }
    return RunDetail(
        run=row,
        lists=known.lists,
        coverage=[
            Coverage.model_validate(one)
            for one in overview.coverage(connection, row.number)
            if (one["engine"], one["target"]) not in hidden
        ],
        values=_values(connection, who, row.number),
        stages=[Stage(stage=s, version=v, done_at=at) for s, v, at in known.stages],
        job_hash=known.job_hash,
        job_content=known.job,
        seed=known.seed,
    )


def _values(connection: Connection, who: Visitor, number: int) -> list[Value]:
    """Numbers over all questions, those that are tested first before the others."""
    kinds = engines_known.kinds(connection)
    of_point = {point: one for one, point in runs_shown.series_of(connection, number)}
    found = []
    for row in overview.values(connection, number):
        series_id = of_point.get(row["point_id"])
        if series_id is None or series_id in who.hidden.series:
            continue
        kind = kinds[row["engine"]]
        firsts = names.primaries(row["measure"], kind)
        value = Value(
            series=series_id, point=row["point_id"], title=names.title(row),
            engine=row["engine"], target=row["target"], state=State(row["state"]),
            reason=row["reason"], value=row["value"], low=row["low"], high=row["high"],
        )  # fmt: skip
        found.append((row["quantity"] not in firsts, value))
    return [value for _, value in sorted(found, key=lambda one: one[0])]


# --- its answers ----------------------------------------------------------------------------------


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


class AnswerList(BaseModel):
    """Answers of a run in the order in which they were planned. `next` goes on after the last."""

    run: RunRow
    engines: Sequence[str]
    outcomes: Sequence[str]
    wanted: dict[str, str]
    answers: Sequence[AnswerRow]
    next: int | None


@page(router, "/runs/{number}/answers", "answers.html", Permission.NUMBERS)
def answers(
    number: Number, site: TheSite, who: Who, engine: Text = "", target: Text = "",
    outcome: Text = "", key: Text = "", after: Annotated[int, Query(ge=0, le=2**63 - 1)] = 0,
) -> AnswerList:  # fmt: skip
    """Every answer of a run."""
    wanted = Wanted(engine, target, outcome, key)
    with site.database.read() as connection:
        row = _row(connection, _run(connection, number))
        hidden = who.hidden.evidence
        found = runs_shown.answers(connection, number, wanted, hidden, after=after, size=SIZE)
        engines = [name for _, name in runs_shown.systems(connection, number)]
    shown = [AnswerRow(**one._asdict()) for one in found[:SIZE]]
    if not who.may(Permission.CAPTURED):
        # of a page of results the first entry may be a person
        shown = [one.model_copy(update={"text": ""}) if not one.gender else one for one in shown]
    return AnswerList(
        run=row, engines=engines, outcomes=OUTCOMES,
        wanted={"engine": engine, "target": target, "outcome": outcome, "key": key},
        answers=shown, next=shown[-1].attempt if len(found) > SIZE else None,
    )  # fmt: skip
