"""Runs: what was asked, what came of it, what is missing and why, and the numbers."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel

from monitor.model import State
from monitor.names import base_name
from monitor.roles import Permission
from monitor.stages.engine_titles import known_engines
from monitor.stages.weekly import names
from monitor.store.database import Connection
from monitor.store.reports import run_list, run_report
from monitor.web.site import _run_coverage, _run_rows
from monitor.web.site._inputs import Number, PageNumber, Text
from monitor.web.site._kept import MOVING, Kept
from monitor.web.site._routes import page, pages
from monitor.web.site._run_coverage import Coverage, Lost
from monitor.web.site._run_rows import RunRow
from monitor.web.site._run_texts import ReadText, read_texts
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who

router = pages("runs")

_SIZE = 50
#: Steps whose version names the parser whose readings they have seen.
_OF_PARSERS = ("parse", "signal")
_kept = Kept(longest=MOVING)

KindWanted = Literal["", "scheduled", "manual", "confirm", "noise"]
StateWanted = Literal["", "running", "interrupted", "done", "partial"]


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
        found = run_list.list_runs(
            connection, who.hidden, (job, kind, state), page=page, size=_SIZE
        )
        return RunList(
            jobs=run_list.list_jobs(connection, who.hidden), job=job, kind=kind, state=state,
            runs=[_run_rows.row(connection, who, one) for one in found[:_SIZE]],
            page=page, has_more=len(found) > _SIZE,
        )  # fmt: skip


# --- one run --------------------------------------------------------------------------------------


class Value(BaseModel):
    """A number over all questions of the run. `value` is null unless `state` is `measured`."""

    series: int
    point: int
    title: str
    label: str
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
    lost: Sequence[Lost]
    texts: Sequence[ReadText]
    values: Sequence[Value]
    stages: Sequence[Stage]
    job_hash: str | None
    job_content: dict[str, Any] | None
    seed: str | None


@page(router, "/runs/{number}", "run.html", Permission.NUMBERS)
def run(number: Number, site: TheSite, who: Who) -> RunDetail:
    """One run: what was asked, what came of it, and its numbers."""
    with site.database.read() as connection:
        found = _run_rows.found(connection, who, number)
        row = _run_rows.row(connection, who, found)
        kept = _kept.get(
            connection, who, (number, found.state), lambda: _detail(connection, who, row)
        )
    shown = () if who.may(Permission.EMBARGOED) else ("job_content", "job_hash", "seed")
    return kept.model_copy(update=dict.fromkeys(shown))


def _detail(connection: Connection, who: Visitor, row: RunRow) -> RunDetail:
    known = run_list.read_detail(connection, row.number)
    values = _shown_values(connection, who, row.number)
    coverage = _run_coverage.covered(connection, who, row.number)
    named = {*(one.list for one in coverage), *(one["list"] for one in values.values())}
    engines = {
        name for _, name in run_list.list_visible_systems(connection, who.hidden, row.number)
    }
    return RunDetail(
        run=row,
        lists=[
            one for one in known.lists if not who.hidden.is_any or one.rpartition("@")[0] in named
        ],
        coverage=coverage,
        lost=_run_coverage.lost(connection, who, row.number, coverage),
        texts=read_texts(connection, who, row.number),
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


def _is_of(stage: str, version: str, engines: Collection[str]) -> bool:
    """Whether a step names no engine but these; the name of a parser is that of its engine."""
    if stage not in _OF_PARSERS:
        return True
    parser = version.rpartition(" of ")[2].partition("@")[0]
    return parser in {base_name(label) for label in engines}


def _shown_values(connection: Connection, who: Visitor, number: int) -> dict[int, dict[str, Any]]:
    """{series: its row} of numbers over all questions that may be seen."""
    of_point = {point: one for one, point in run_list.find_series(connection, number)}
    return {
        of_point[row["point_id"]]: row
        for row in run_report.read_values(connection, number)
        if row["point_id"] in of_point and who.hidden.shows(of_point[row["point_id"]])
    }


def _values(connection: Connection, shown: Mapping[int, dict[str, Any]]) -> list[Value]:
    """Numbers over all questions, those that are tested first before the others."""
    engines = known_engines(connection)
    found = []
    for series_id, row in shown.items():
        kind = engines[row["engine"]].kind
        firsts = names.primaries(row["measure"], kind)
        value = Value(
            series=series_id, point=row["point_id"], title=names.title(row),
            label=names.label({**row, "kind": kind}),
            engine=row["engine"], target=row["target"], state=State(row["state"]),
            reason=row["reason"], value=row["value"], low=row["low"], high=row["high"],
        )  # fmt: skip
        found.append((row["quantity"] not in firsts, value))
    return [value for _, value in sorted(found, key=lambda one: one[0])]
