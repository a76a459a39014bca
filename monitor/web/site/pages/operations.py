"""The page of operators: the state of `monitor status`, and pausing of engines and jobs."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from math import inf
from typing import Annotated, Literal

from fastapi import Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel

from monitor.live_record import say_seen_live
from monitor.model import InvalidInput
from monitor.roles import Permission
from monitor.stages import alarm_rules
from monitor.store.collect import evidence, pauses, runs
from monitor.store.collect.pauses import ManualPause, PauseKind
from monitor.store.collect.run_progress import find_live_answers
from monitor.store.database import Connection
from monitor.store.derive import signatures
from monitor.store.derive.signatures import StaleSeries
from monitor.store.journal import events, notifications
from monitor.store.rows import group_rows
from monitor.store.schedule import tasks, ticks
from monitor.store.schedule.installation import (
    Installation,
    ListedJob,
    list_open_suspensions,
    read_installation,
)
from monitor.web.site.errors import Missing
from monitor.web.site.records import Described, copy_record
from monitor.web.site.rendering import render_page
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import make_router, serve_file, serve_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who, require_form_mark, require_permission

_EVENTS = 20
_NOTICES = 10
router = make_router("operations")
#: Stale series, until points or switches are added.
_stale_cache = ResponseCache(longest=inf)
_LONGEST_NAME = 300
_LONGEST_REASON = 500
Name = Annotated[str, Query(min_length=1, max_length=_LONGEST_NAME)]
FormName = Annotated[str, Form(min_length=1, max_length=_LONGEST_NAME)]
Reason = Annotated[str, Form(max_length=_LONGEST_REASON)]
_WITH_MARK = [Depends(require_permission(Permission.OPERATE)), Depends(require_form_mark)]


class Rest(BaseModel):
    """Reason and start of a pause."""

    since: datetime
    reason: str


class Worker(BaseModel):
    """A daemon or a worker."""

    name: str
    role: str
    detail: str
    started_at: datetime
    seen_at: datetime
    is_silent: bool


class JobRun(BaseModel):
    """A job's newest run."""

    number: int
    due_at: datetime
    state: str


class JobTick(BaseModel):
    """A job's newest tick."""

    due_at: datetime
    state: str
    reason: str


class JobState(Described):
    """A job that is or was watched, or is paused."""

    name: str
    is_active: bool
    trouble: str
    """Why the job file as it is now cannot be used."""
    next_at: datetime | None
    tick: JobTick | None
    run: JobRun | None
    undecided: str
    """Which ticks were measured and are not decided; empty where all are."""
    rest: Rest | None


class Suspended(BaseModel):
    """An engine that is not asked before a time, after failures or at its own request."""

    exit: str
    until: datetime
    since: datetime
    reason: str
    detail: str
    times: int


class EngineState(Described):
    """An engine at one address: a lane."""

    lane: str
    name: str
    seen_live: str
    """The day of its last answers over the network; of a retired engine as well."""
    asked_today: int
    """Since midnight UTC, at all its addresses."""
    budgets: list[int]
    """Requests a day that watched jobs allow; they share what is asked. Empty: no limit is set."""
    paces: list[float]
    """Requests a second that watched jobs set; empty: the engine's own."""
    suspended: list[Suspended]
    rest: Rest | None
    rest_of: str
    """What was paused: the lane, or the engine at whatever address; empty where nothing is."""
    waits: list[str]
    """Why runs wait for it."""


class OpenAlarm(BaseModel):
    """An open alarm; `kind` is the heading of its runbook."""

    kind: str
    subject: str
    detail: str
    since: datetime
    seen_at: datetime


class UnsentNotice(BaseModel):
    """A message that was not sent."""

    route: str
    title: str
    state: str
    created_at: datetime
    tries: int
    next_at: datetime | None
    trouble: str


class StaleJob(BaseModel):
    """A job with stale series."""

    job: str
    said: str
    remedy: str


class JournalEvent(BaseModel):
    """An event of the journal."""

    at: datetime
    kind: str
    subject: str
    detail: str
    run: int | None


class Operations(BaseModel):
    """State of the whole installation."""

    read_at: datetime
    is_led: bool
    workers: list[Worker]
    jobs: list[JobState]
    engines: list[EngineState]
    alarms: list[OpenAlarm]
    notices: list[UnsentNotice]
    still: list[StaleJob]
    events: list[JournalEvent]


def read_operations(
    connection: Connection, now: datetime, still: Sequence[StaleSeries]
) -> Operations:
    """Return the state of processes, jobs, engines, alarms and notices."""
    state = read_installation(connection, now)
    return Operations(
        read_at=now,
        is_led=state.is_led,
        workers=[
            copy_record(Worker, row.process, is_silent=row.is_silent) for row in state.processes
        ],
        jobs=[_make_job(connection, job) for job in state.jobs],
        engines=_list_engines(connection, now, state),
        alarms=[copy_record(OpenAlarm, alarm) for alarm in state.alarms],
        notices=[
            copy_record(UnsentNotice, notice)
            for notice in notifications.list_newest(connection, _NOTICES, unsent=True)
        ],
        still=_list_stale_jobs(still),
        events=[
            copy_record(JournalEvent, event, run=event.run_id)
            for event in events.list_newest(connection, _EVENTS)
        ],
    )


def _make_rest(pause: ManualPause | None) -> Rest | None:
    return None if pause is None else Rest(since=pause.paused_at, reason=pause.reason)


def _make_job(connection: Connection, job: ListedJob) -> JobState:
    watched = job.watched
    run = runs.find_newest_run(connection, job.name)
    return JobState(
        name=job.name,
        is_active=watched.is_active if watched else False,
        trouble=watched.trouble if watched else "",
        next_at=watched.next_at if watched else None,
        tick=copy_record(JobTick, job.tick) if job.tick else None,
        run=copy_record(JobRun, run, number=run.id) if run else None,
        undecided=alarm_rules.undecided_ticks(job.undecided) if job.undecided else "",
        rest=_make_rest(job.pause),
    )


def _list_engines(connection: Connection, now: datetime, state: Installation) -> list[EngineState]:
    suspended: dict[str, list[Suspended]] = defaultdict(list)
    for row in state.suspensions:
        suspended[str(row["lane"])].append(Suspended.model_validate(row))
    paused = {pause.name: pause for pause in state.pauses if pause.kind == "engine"}
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    n_asked = evidence.count_requests_by_engine(connection, today)
    budgets, paces = _read_limits(content for _, content in tasks.read_active_contents(connection))
    waits: dict[str, list[str]] = defaultdict(list)
    for row in state.waiting:
        waits[str(row["lane"])].append(f"run {row['run_id']} of {row['job']}: {row['reason']}")
    seen = find_live_answers(connection)
    engines = []
    for lane in sorted({*ticks.list_lanes(connection), *suspended, *paused}):
        name = lane.partition("@")[0]
        rest_of = next((candidate for candidate in (lane, name) if candidate in paused), "")
        engines.append(
            EngineState(
                lane=lane, name=name, seen_live=say_seen_live(name, seen),
                asked_today=n_asked[name], budgets=sorted(budgets[name]),
                paces=sorted(paces[name]), suspended=suspended[lane],
                rest=_make_rest(paused.get(rest_of)), rest_of=rest_of, waits=waits[lane],
            )
        )  # fmt: skip
    return engines


def _read_limits(
    contents: Iterable[object],
) -> tuple[defaultdict[str, set[int]], defaultdict[str, set[float]]]:
    budgets: defaultdict[str, set[int]] = defaultdict(set)
    paces: defaultdict[str, set[float]] = defaultdict(set)
    for content in contents:
        uses = content.get("engines") if isinstance(content, dict) else None
        for use in uses or ():
            if use.get("daily_budget") is not None:
                budgets[use["name"]].add(int(use["daily_budget"]))
            if use.get("pace") is not None:
                paces[use["name"]].add(float(use["pace"]))
    return budgets, paces


def _list_stale_jobs(stale_series: Sequence[StaleSeries]) -> list[StaleJob]:
    return [
        StaleJob(job=job, said=alarm_rules.say_behind(stale), remedy=alarm_rules.say_remedy(stale))
        for job, stale in group_rows(stale_series, lambda series: series.job).items()
    ]


@serve_page(router, "/operations", "operations.html", Permission.OPERATE, is_live=True)
def operations(site: TheSite, who: Who) -> Operations:
    """Return the state of processes, jobs and engines, and open alarms."""
    with site.database.read() as connection:
        token = signatures.read_change_token(connection)
        stale = _stale_cache.get(
            connection, who, "stale", lambda: signatures.find_stale(connection), token
        )
        return read_operations(connection, site.now(), stale)


@serve_file(router, "/operations/{action}", Permission.OPERATE)
def ask_reason(
    request: Request,
    site: TheSite,
    who: Who,
    action: Literal["pause", "resume"],
    kind: PauseKind,
    name: Name,
) -> HTMLResponse:
    """Return the form that asks for a reason, with the consequences."""
    with site.database.read() as connection:
        _require_known(connection, kind, name)
        rest = pauses.find_pause(connection, kind, name)
        is_engine = kind == "engine"
        open_suspensions = list_open_suspensions(connection, site.now()) if is_engine else ()
    suspended = [
        row for row in open_suspensions if name in (row["lane"], str(row["lane"]).partition("@")[0])
    ]
    content = {"action": action, "kind": kind, "name": name, "rest": rest, "suspended": suspended,
               "most": _LONGEST_REASON}  # fmt: skip
    return render_page(request, who, "rest.html", content)


def _require_known(connection: Connection, kind: PauseKind, name: str) -> None:
    """Raise Missing for an engine, lane or job that nobody knows."""
    names = {pause.name for pause in pauses.list_pauses(connection) if pause.kind == kind}
    if kind == "job":
        names |= set(ticks.list_jobs(connection))
    else:
        lanes = {*ticks.list_lanes(connection)}
        lanes |= {str(row["lane"]) for row in pauses.list_suspensions(connection)}
        names |= lanes | {lane.partition("@")[0] for lane in lanes}
    if name not in names:
        raise Missing(f"no {kind} {name!r} is known here")


@router.post("/operations/pause", dependencies=_WITH_MARK, include_in_schema=False)
def pause_asking(
    site: TheSite,
    who: Who,
    kind: Annotated[PauseKind, Form()],
    name: FormName,
    reason: Reason = "",
) -> Response:
    """Pause an engine or a job, as `monitor engines pause` and `monitor jobs pause` do."""
    signed_reason = _sign_reason(who, reason)
    with site.database.begin() as connection:
        _require_known(connection, kind, name)
        pauses.add_pause(connection, kind, name, signed_reason, site.now())
    return RedirectResponse("/operations", HTTPStatus.SEE_OTHER)


@router.post("/operations/resume", dependencies=_WITH_MARK, include_in_schema=False)
def resume_asking(
    site: TheSite,
    who: Who,
    kind: Annotated[PauseKind, Form()],
    name: FormName,
    reason: Reason = "",
    *,
    lift: Annotated[bool, Form()] = False,
) -> Response:
    """Resume an engine or a job; `lift` also ends an engine's suspension."""
    signed_reason = _sign_reason(who, reason)
    with site.database.begin() as connection:
        _require_known(connection, kind, name)
        pauses.end_pause(connection, kind, name, site.now(), signed_reason)
        if lift and kind == "engine":
            pauses.lift_suspensions(connection, name, site.now(), signed_reason)
    return RedirectResponse("/operations", HTTPStatus.SEE_OTHER)


def _sign_reason(who: Visitor, reason: str) -> str:
    """Return the reason with the name of the user. Raise InvalidInput if it is empty."""
    words = " ".join(reason.split())
    if not words:
        raise InvalidInput("A reason is required; it is shown to all users.")
    return f"{words} ({who.name})"
