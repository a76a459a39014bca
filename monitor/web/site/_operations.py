"""What operators see: processes, jobs, engines, alarms, notices, charts. Reads; decides nothing."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from pydantic import BaseModel, ConfigDict

from monitor.stages import supervise
from monitor.store.collect import evidence, pauses, runs
from monitor.store.collect.pauses import Pause, PauseKind
from monitor.store.database import Connection
from monitor.store.derive import stale_series
from monitor.store.derive.stale_series import StaleSeries
from monitor.store.journal import events, notifications, processes
from monitor.store.schedule import pending_work, ticks

#: Who was not heard of for so long is not at work; every process says so each ten seconds.
_SILENT = timedelta(seconds=40)
#: A process that was silent for so long is not shown.
_FORGOTTEN = timedelta(days=7)
_EVENTS = 20
_NOTICES = 10


class Rest(BaseModel):
    """Why and since when something is paused."""

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


class Run(BaseModel):
    """A job's newest run."""

    number: int
    due_at: datetime
    state: str


class Tick(BaseModel):
    """A job's newest tick."""

    due_at: datetime
    state: str
    reason: str


class Job(BaseModel):
    """A job that is or was watched, or is paused."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    name: str
    is_active: bool
    trouble: str
    """Why the job file as it is now cannot be used."""
    next_at: datetime | None
    tick: Tick | None
    run: Run | None
    undecided: str
    """Which ticks were measured and are not decided; empty where all are."""
    rest: Rest | None


class Suspended(BaseModel):
    """An engine that is not asked before a time, because of its faults or by its own word."""

    exit: str
    until: datetime
    since: datetime
    reason: str
    detail: str
    times: int


class Engine(BaseModel):
    """An engine at one address: a lane."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    lane: str
    name: str
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


class Alarm(BaseModel):
    """Something that is not as it should be; `kind` is the heading of its runbook."""

    kind: str
    subject: str
    detail: str
    since: datetime
    seen_at: datetime


class Notice(BaseModel):
    """A message that was not sent."""

    route: str
    title: str
    state: str
    created_at: datetime
    tries: int
    next_at: datetime | None
    trouble: str


class Still(BaseModel):
    """A job whose charts stand still."""

    job: str
    said: str
    remedy: str


class Event(BaseModel):
    """Something that happened."""

    at: datetime
    kind: str
    subject: str
    detail: str
    run: int | None


class Operations(BaseModel):
    """All that an operator has to look at."""

    read_at: datetime
    is_led: bool
    workers: list[Worker]
    jobs: list[Job]
    engines: list[Engine]
    alarms: list[Alarm]
    notices: list[Notice]
    still: list[Still]
    events: list[Event]


def read(connection: Connection, now: datetime, still: Sequence[StaleSeries]) -> Operations:
    """The state of everything."""
    resting = {(one.kind, one.name): one for one in pauses.list_pauses(connection)}
    workers = _workers(connection, now)
    return Operations(
        read_at=now,
        is_led=any(one.role == "daemon" and not one.is_silent for one in workers),
        workers=workers,
        jobs=_jobs(connection, resting),
        engines=_engines(connection, now, resting),
        alarms=[
            Alarm(kind=one.kind, subject=one.subject, detail=one.detail, since=one.since,
                  seen_at=one.seen_at)
            for one in events.list_open_alarms(connection)
        ],
        notices=[
            Notice(route=one.route, title=one.title, state=one.state, created_at=one.created_at,
                   tries=one.tries, next_at=one.next_at, trouble=one.trouble)
            for one in notifications.list_newest(connection, _NOTICES, unsent=True)
        ],
        still=_still(still),
        events=[
            Event(at=one.at, kind=one.kind, subject=one.subject, detail=one.detail, run=one.run_id)
            for one in events.list_newest(connection, _EVENTS)
        ],
    )  # fmt: skip


def _workers(connection: Connection, now: datetime) -> list[Worker]:
    return [
        Worker(
            name=one.name, role=one.role, detail=one.detail, started_at=one.started_at,
            seen_at=one.seen_at, is_silent=now - one.seen_at > _SILENT,
        )
        for one in processes.list_heard(connection, now, _FORGOTTEN)
    ]  # fmt: skip


def _rest(found: Pause | None) -> Rest | None:
    return None if found is None else Rest(since=found.paused_at, reason=found.reason)


def _jobs(connection: Connection, resting: Mapping[tuple[PauseKind, str], Pause]) -> list[Job]:
    watched = {one.job: one for one in ticks.list_watched(connection)}
    left = runs.find_undecided(connection)
    names = sorted({*watched, *(name for kind, name in resting if kind == "job")})
    found = []
    for name in names:
        own = watched.get(name)
        last = next(iter(ticks.list_newest(connection, name, 1)), None)
        run = runs.find_newest_run(connection, name)
        own_left = [one for one in left if one.job == name]
        found.append(
            Job(
                name=name,
                is_active=own.is_active if own else False,
                trouble=own.trouble if own else "",
                next_at=own.next_at if own else None,
                tick=Tick(due_at=last.due_at, state=last.state, reason=last.reason)
                if last else None,
                run=Run(**run._asdict()) if run else None,
                undecided=supervise.undecided_ticks(own_left) if own_left else "",
                rest=_rest(resting.get(("job", name))),
            )
        )  # fmt: skip
    return found


def _engines(
    connection: Connection, now: datetime, resting: Mapping[tuple[PauseKind, str], Pause]
) -> list[Engine]:
    suspended: dict[str, list[Suspended]] = defaultdict(list)
    for row in pauses.list_suspensions(connection):
        one = Suspended.model_validate(row)
        if one.until > now:
            suspended[str(row["lane"])].append(one)
    paused = {name: one for (kind, name), one in resting.items() if kind == "engine"}
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    asked = evidence.count_requests_by_engine(connection, today)
    budgets, paces = _limits(
        content for _, content in pending_work.read_active_contents(connection)
    )
    waits: dict[str, list[str]] = defaultdict(list)
    for row in ticks.list_waiting(connection):
        waits[str(row["lane"])].append(f"run {row['run_id']} of {row['job']}: {row['reason']}")
    found = []
    for lane in sorted({*ticks.list_lanes(connection), *suspended, *paused}):
        name = lane.partition("@")[0]
        rest_of = next((one for one in (lane, name) if one in paused), "")
        found.append(
            Engine(
                lane=lane, name=name, asked_today=asked[name], budgets=sorted(budgets[name]),
                paces=sorted(paces[name]), suspended=suspended[lane],
                rest=_rest(paused.get(rest_of)), rest_of=rest_of, waits=waits[lane],
            )
        )  # fmt: skip
    return found


def _limits(
    contents: Iterable[object],
) -> tuple[defaultdict[str, set[int]], defaultdict[str, set[float]]]:
    """{engine: daily budgets} and {engine: requests a second} of jobs, as they are written."""
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


def _still(some: Sequence[StaleSeries]) -> list[Still]:
    of_job: dict[str, list[StaleSeries]] = defaultdict(list)
    for one in some:
        of_job[one.job].append(one)
    return [
        Still(job=job, said=supervise.sentence(own), remedy=supervise.remedy(own))
        for job, own in of_job.items()
    ]


def standing_now(
    connection: Connection, kept: dict[object, Sequence[StaleSeries]]
) -> Sequence[StaleSeries]:
    """The charts that stand still; `kept` holds them until points or switches are added."""
    news = stale_series.read_change_token(connection)
    if news not in kept:
        found = stale_series.find_stale(connection)
        kept.clear()
        kept[news] = found
        return found
    return kept[news]
