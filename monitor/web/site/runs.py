"""Runs: what was asked, what came of it, what is missing and why, and every answer."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict

from monitor.model import RunKind, RunState, State
from monitor.roles import Permission
from monitor.stages import _report_names as titles
from monitor.stages.weekly import names
from monitor.store import engines_known, evidence, overview, runs_shown
from monitor.store.database import Connection
from monitor.store.runs_shown import OUTCOMES, Listed, Wanted
from monitor.web.site._errors import Missing
from monitor.web.site._inputs import Number, PageNumber
from monitor.web.site._kept import MOVING, Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who

router = pages("runs")

SIZE = 50
_LONGEST = 200
#: Steps whose version names the parser whose readings they have seen.
_OF_PARSERS = ("parse", "signal")
_kept = Kept(longest=MOVING)

Text = Annotated[str, Query(max_length=_LONGEST)]
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
    site: TheSite, who: Who, job: Text = "", kind: KindWanted = "", state: StateWanted = "",
    page: PageNumber = 1,
) -> RunList:  # fmt: skip
    """Runs, the newest first."""
    with site.database.read() as connection:
        found = runs_shown.newest(connection, who.hidden, (job, kind, state), page=page, size=SIZE)
        return RunList(
            jobs=runs_shown.names(connection, who.hidden), job=job, kind=kind, state=state,
            runs=[_row(connection, who, one) for one in found[:SIZE]],
            page=page, has_more=len(found) > SIZE,
        )  # fmt: skip


def _row(connection: Connection, who: Visitor, one: Listed) -> RunRow:
    """A run; how far it has come is counted only while it goes on, twice a minute at most."""
    is_open = one.state in (RunState.RUNNING, RunState.INTERRUPTED)
    planned, settled = (
        _kept.get(
            connection, who, ("progress", one.id),
            lambda: evidence.progress(connection, one.id, who.hidden),
        )
        if is_open
        else (None, None)
    )  # fmt: skip
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
    """A run.

    The job, its hash and the seed are null for those who may only see what is public: whoever
    guesses a job could tell by its hash.
    """

    run: RunRow
    lists: Sequence[str]
    coverage: Sequence[Coverage]
    values: Sequence[Value]
    stages: Sequence[Stage]
    job_hash: str | None
    job_content: dict[str, Any] | None
    seed: str | None


@page(router, "/runs/{number}", "run.html", Permission.NUMBERS)
def run(number: Number, site: TheSite, who: Who) -> RunDetail:
    """One run: what was asked, what came of it, and its numbers."""
    with site.database.read() as connection:
        found = _run(connection, who, number)
        row = _row(connection, who, found)

        kept = _kept.get(
            connection, who, (number, found.state), lambda: _detail(connection, who, row)
        )
    shown = () if who.may(Permission.EMBARGOED) else ("job_content", "job_hash", "seed")
    return kept.model_copy(update=dict.fromkeys(shown))


def _run(connection: Connection, who: Visitor, number: int) -> Listed:
    found = runs_shown.run(connection, who.hidden, number)
    if found is None:
        raise Missing(f"there is no run {number}")
    return found


def _detail(connection: Connection, who: Visitor, row: RunRow) -> RunDetail:
    known = runs_shown.detail(connection, row.number)
    values = _shown_values(connection, who, row.number)
    coverage = _coverage(connection, who, row.number)
    named = {str(one["list"]) for one in (*coverage, *values.values())}
    engines = {name for _, name in runs_shown.systems_shown(connection, who.hidden, row.number)}
    return RunDetail(
        run=row,
        lists=[
            one for one in known.lists if not who.hidden.is_any or one.rpartition("@")[0] in named
        ],
        coverage=[Coverage.model_validate(one) for one in coverage],
        values=_values(connection, values),
        stages=[
            Stage(stage=s, version=v, done_at=at)
            for s, v, at in known.stages
            if not who.hidden.is_any or _is_of(s, v, engines)
        ],
        job_hash=known.job_hash,
        job_content=known.job,
        seed=known.seed,
    )


def _coverage(connection: Connection, who: Visitor, number: int) -> list[dict[str, Any]]:
    """What came of the questions, of systems whose answers may be seen."""
    numbers: dict[str, list[int]] = {}
    for engine, name in runs_shown.systems(connection, number):
        numbers.setdefault(name, []).append(engine)
    return [
        one
        for one in overview.coverage(connection, number)
        if all(
            who.hidden.shows_answers(engine, one["target"])
            for engine in numbers.get(one["engine"], ())
        )
    ]


def _is_of(stage: str, version: str, engines: Collection[str]) -> bool:
    """Whether a step names no engine but these; the name of a parser is that of its engine."""
    if stage not in _OF_PARSERS:
        return True
    parser = version.rpartition(" of ")[2].partition("@")[0]
    return parser in {titles.base_name(label) for label in engines}


def _shown_values(connection: Connection, who: Visitor, number: int) -> dict[int, dict[str, Any]]:
    """{series: its row} of numbers over all questions that may be seen."""
    of_point = {point: one for one, point in runs_shown.series_of(connection, number)}
    return {
        of_point[row["point_id"]]: row
        for row in overview.values(connection, number)
        if row["point_id"] in of_point and who.hidden.shows(of_point[row["point_id"]])
    }


def _values(connection: Connection, shown: Mapping[int, dict[str, Any]]) -> list[Value]:
    """Numbers over all questions, those that are tested first before the others."""
    kinds = engines_known.kinds(connection)
    found = []
    for series_id, row in shown.items():
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
        row = _row(connection, who, _run(connection, who, number))
        hidden = who.hidden
        found = runs_shown.answers(connection, number, wanted, hidden, after=after, size=SIZE)
        engines = [name for _, name in runs_shown.systems_shown(connection, hidden, number)]
    shown = [AnswerRow(**one._asdict()) for one in found[:SIZE]]
    if not who.may(Permission.CAPTURED):
        # of a page of results the first entry may be a person
        shown = [one.model_copy(update={"text": ""}) if not one.gender else one for one in shown]
    return AnswerList(
        run=row, engines=engines, outcomes=OUTCOMES,
        wanted={"engine": engine, "target": target, "outcome": outcome, "key": key},
        answers=shown, next=shown[-1].attempt if len(found) > SIZE else None,
    )  # fmt: skip
