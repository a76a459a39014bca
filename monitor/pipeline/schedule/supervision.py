"""Looks after engines, ticks, workers and the disk: raises alarms and ends them.

What is looked at are answers that were given anyway, and what is written down of ticks and tasks.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache, partial
from itertools import islice, pairwise
from pathlib import Path

from pydantic import ValidationError

from monitor import registry, settings
from monitor.jobs import Job
from monitor.jobs_tables import Schedule
from monitor.model import MonitorError, RunState, canonical_json
from monitor.pipeline.changes import conclusion
from monitor.stages import alarm_rules
from monitor.stages.alarm_rules import AlarmVerdict, AnswerTally
from monitor.store.collect import pauses, run_progress, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.derive import readings
from monitor.store.journal import events
from monitor.store.journal.events import Alarm
from monitor.store.maintenance import retention
from monitor.store.schedule import tasks, ticks
from monitor.ticks import due_ticks

log = logging.getLogger(__name__)

#: Of the rules, so that finished runs are judged again when these have changed.
VERSION = 1
#: A process that was not heard of for so long is not there.
ALIVE = timedelta(minutes=2)
_STAGE = "supervise"
#: The folder of answers is measured so often at most: all of its files have to be looked at.
_MEASURED_SECONDS = 900
#: So many ticks ahead show the longest interval of most schedules: a week of working days.
_TICKS_AHEAD = 8
#: Ten years hold eight ticks of anything that comes once a year.
_AHEAD = timedelta(days=3_660)


@dataclass(frozen=True, slots=True)
class Changed:
    """An alarm that was raised or ended just now."""

    kind: str
    subject: str
    detail: str
    is_raised: bool


@dataclass(frozen=True, slots=True)
class _RunVerdicts:
    """Result of one check: verdicts, alarms that are over, runs that need no further check."""

    verdicts: list[AlarmVerdict]
    over: list[Alarm]
    seen: list[Run]


def supervise_jobs(database: Database, now: datetime) -> list[Changed]:
    """Look once and write down what has changed; to be called every minute. Raises StoreProblem."""
    choice = settings.load()
    free = retention.measure_free_space(database) if database.keeps_files else None
    with database.read() as connection:
        used = 0
        if choice.quota:
            used = retention.measure_database(connection, database)
            used += _compute_files(database.bodies, int(now.timestamp() // _MEASURED_SECONDS))
        room = alarm_rules.judge_disk(free, choice.disk_reserve, used, choice.quota)
        look = _look(connection, now, room, has_workers=not database.keeps_files)
    changed = _written(database, look, now)
    for item in changed:
        verb = "raised" if item.is_raised else "over"
        log.warning("alarm %s: %s: %s: %s", verb, item.kind, item.subject, item.detail)
    return changed


@lru_cache(maxsize=1)
def _compute_files(folder: Path, _part: int) -> int:
    return retention.measure_folder(folder)


def _look(
    connection: Connection, now: datetime, room: list[AlarmVerdict], *, has_workers: bool
) -> _RunVerdicts:
    standing = events.list_open_alarms(connection)
    resting = {pause.name for pause in pauses.list_pauses(connection) if pause.kind == "job"}
    present = [*room, *_stale(connection, now)]
    present += alarm_rules.judge_tick_late(ticks.list_open_ticks(connection), now, resting)
    present += alarm_rules.judge_undecided(conclusion.with_ends(connection, now), standing, now)
    if has_workers:
        alive = events.list_alive(connection, now, ALIVE)
        n_workers = sum(process.role == "worker" for process in alive)
        present += alarm_rules.judge_no_worker(
            tasks.find_ready_since(connection, now), n_workers, now
        )
    about = {(verdicts.kind, verdicts.subject) for verdicts in present}
    over = [
        alarm
        for alarm in standing
        if alarm.kind in alarm_rules.OF_NOW and (alarm.kind, alarm.subject) not in about
    ]
    of_runs = _look_at_runs(connection, standing)
    return _RunVerdicts(present + of_runs.verdicts, over + of_runs.over, of_runs.seen)


def _written(database: Database, found: _RunVerdicts, now: datetime) -> list[Changed]:
    """Raise, end, and remember; nothing is written where there is nothing to write."""
    raised = [verdict for verdict in found.verdicts if verdict.detail]
    if not (raised or found.over or found.seen):
        return []
    with database.begin() as connection:
        changed = [
            Changed(item.kind, item.subject, item.detail, is_raised=True)
            for item in raised
            if events.raise_alarm(connection, item.kind, item.subject, item.detail, now)
        ]
        changed += [
            Changed(item.kind, item.subject, item.detail, is_raised=False)
            for item in found.over
            if events.resolve_alarm(connection, item.kind, item.subject, now)
        ]
        for run in found.seen:
            runs.mark_stage(connection, run.id, _STAGE, _say_version(run))
    return changed


# --- finished runs --------------------------------------------------------------------------------


def _say_version(run: Run) -> str:
    """A run that is resumed, or derived from anew, is finished anew and judged again."""
    return f"{VERSION}:{run.finished_at.isoformat() if run.finished_at else ''}"


def _look_at_runs(connection: Connection, standing: Sequence[Alarm]) -> _RunVerdicts:
    """Judge the newest finished run of each job, once."""
    verdicts: list[AlarmVerdict] = []
    seen: list[Run] = []
    over: list[Alarm] = []
    of_job: dict[str, list[Alarm]] = {}
    for alarm in standing:
        if alarm.kind in (*alarm_rules.OF_RUNS, "task_failed"):
            of_job.setdefault(alarm_rules.job_of(alarm.subject), []).append(alarm)
    jobs = run_progress.list_jobs(connection)
    finished = [
        run for job in jobs for run in run_progress.find_newest_runs(connection, job, finished=True)
    ]
    done = run_progress.read_stage_marks(connection, _STAGE, finished)
    for run in finished:
        alarms = of_job.get(run.job, [])
        if run.state is RunState.DONE and (done_at := run.finished_at) is not None:
            over += [a for a in alarms if a.kind == "task_failed" and done_at > a.since]
        if (run.id, _say_version(run)) in done:
            continue
        now = _count_tallies(connection, run.id)
        judged = list(_judged(connection, run, now, alarms))
        well = {(item.kind, item.subject) for item in judged if not item.detail}
        names = {alarm_rules.write_subject(run.job, engine) for engine in now}
        over += [
            alarm
            for alarm in alarms
            if alarm.kind in alarm_rules.OF_RUNS
            and ((alarm.kind, alarm.subject) in well or alarm.subject not in names)
        ]
        verdicts += judged
        seen.append(run)
    gone = set(of_job) - set(jobs)  # no longer watched
    over += [alarm for job in gone for alarm in of_job[job] if alarm.kind in alarm_rules.OF_RUNS]
    return _RunVerdicts(verdicts, over, seen)


def _judged(
    connection: Connection, run: Run, now: dict[str, AnswerTally], alarms: Sequence[Alarm]
) -> Iterator[AlarmVerdict]:
    since = {alarm.subject: alarm.since for alarm in alarms if alarm.kind == "parser_yield"}
    count = cache(partial(_count_tallies, connection))
    shape_changes = readings.read_changes(connection, run.id)
    for engine, tally in now.items():
        about = alarm_rules.write_subject(run.job, engine)
        before = [count(number) for number in _list_runs_before(connection, run, since.get(about))]
        earlier = [tallies[engine] for tallies in before if engine in tallies]
        for verdict in (
            alarm_rules.judge_parser_yield(about, tally, earlier),
            alarm_rules.judge_unknown_blocks(about, tally),
            alarm_rules.judge_blocked(about, tally),
        ):
            if verdict is not None:
                yield verdict
        if engine in shape_changes:
            yield AlarmVerdict("answers_changed", about, shape_changes[engine])


def _list_runs_before(connection: Connection, run: Run, since: datetime | None) -> list[int]:
    """The ids of the finished runs before one.

    While an alarm stands these are the runs before the one that raised it, or what is broken would
    be the usual after a while.
    """
    n = alarm_rules.RUNS_BEFORE + 1
    if since is not None:
        newest = run_progress.find_newest_runs(connection, run.job, n, before=since)[1:]
    else:
        newest = run_progress.find_newest_runs(connection, run.job, n, finished=True)
    return [other.id for other in newest if other.id != run.id][: alarm_rules.RUNS_BEFORE]


def _count_tallies(connection: Connection, run_id: int) -> dict[str, AnswerTally]:
    return alarm_rules.count_tallies(run_progress.count_outcomes(connection, run_id))


# --- ticks and answers that should be there -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _EngineState:
    """An engine that a job asks, by every name that it can be paused by."""

    label: str
    config_hash: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class _AskedPeriod:
    """A watched job, as far as answers are expected of it."""

    name: str
    schedule: Schedule
    engines: tuple[_EngineState, ...]


@lru_cache(maxsize=4096)
def _asking(content: str) -> _AskedPeriod | None:
    """None for a job of recorded answers or of none, and for one that this version cannot read."""
    try:
        job = Job.model_validate_json(content)
        if job.is_recorded or job.corpus:
            return None
        uses = [(use, use.label(registry.engine(use.name))) for use in job.engines]
    except (MonitorError, ValidationError) as error:
        log.info("a watched job cannot be looked after: %s", error)
        return None
    engines = tuple(
        _EngineState(label, use.config_hash, frozenset({use.name, use.lane, label}))
        for use, label in uses
    )
    return _AskedPeriod(job.name, job.schedule, engines)


@lru_cache(maxsize=4096)
def _find_interval(cron: str, timezone: str, today: date) -> timedelta | None:
    """The longest time between two of the ticks to come; None where there are no two."""
    schedule = Schedule(cron=cron, timezone=timezone, jitter=0)
    start = datetime.combine(today, time(), UTC)
    coming = islice(due_ticks(schedule, start, start + _AHEAD), _TICKS_AHEAD)
    return max((later - item for item, later in pairwise(coming)), default=None)


def _stale(connection: Connection, now: datetime) -> list[AlarmVerdict]:
    """The engines of active jobs that were silent for too long. What rests may be silent."""
    rest = pauses.list_pauses(connection)
    resting_jobs = {pause.name for pause in rest if pause.kind == "job"}
    resting = {pause.name for pause in rest if pause.kind == "engine"}
    verdicts: list[AlarmVerdict] = []
    for watched_since, content in tasks.read_active_contents(connection):
        asking = _asking(canonical_json(content))
        if asking is None or asking.name in resting_jobs:
            continue
        schedule = asking.schedule
        interval = _find_interval(schedule.cron, schedule.timezone, now.date())
        if interval is None:
            continue
        since = now - alarm_rules.longest_silence(interval, timedelta(seconds=schedule.jitter))
        if watched_since > since:
            continue
        for engine in asking.engines:
            label, config = engine.label, engine.config_hash
            if not (
                engine.names & resting
                or run_progress.has_answered(connection, label, config, since)
            ):
                about = alarm_rules.write_subject(asking.name, label)
                verdicts.append(alarm_rules.judge_stale(about, interval))
    return verdicts
