"""Upkeep while the daemon leads: recomputation, alarms, charts, reports, notices, retention.

Recomputation waits for all other tasks; what could not be completed is planned again after a day.
Values that would vanish from a chart are left to a person. Notifications are sent by a process that
ends by itself, so that the daemon never waits for a server. Commands can do all of this as well.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from threading import Event, Thread
from time import monotonic

from monitor import pipeline, settings
from monitor.daemon.watching import read_utc_now
from monitor.model import InvalidInput, MissingPart, StoreProblem
from monitor.notify.sender import AppriseSender
from monitor.pipeline import Audits, Lack
from monitor.pipeline.changes import conclusion
from monitor.pipeline.changes.conclusion import settle_doubts
from monitor.pipeline.maintenance import collect_garbage
from monitor.pipeline.notices import deliver_notices, rules_of, write_notices
from monitor.pipeline.reports import report_what_is_due
from monitor.pipeline.schedule.supervision import supervise_jobs
from monitor.stages import alarm_rules
from monitor.stages.validation import CHANGED
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.derive import signatures
from monitor.store.derive.signatures import StaleSeries
from monitor.store.journal import events
from monitor.store.schedule import tasks, ticks
from monitor.store.schedule.tasks import BY_ITSELF

#: The alarm of charts that stand still.
CHARTS_BEHIND = "charts_behind"
#: The event that all runs were looked at for what audits have changed; its detail is the newest of
#: `CHANGED`, and 0 where what was planned then has been dropped.
AUDIT_LOOKED = "audit_looked"
#: So long runs are looked at before alarms are looked at again, in seconds.
_LOOK_SECONDS = 10.0
#: What stands still is read anew after so many times the time that reading took.
_REST_FACTOR = 20.0
#: What was planned and lacks the same afterwards is planned again after so long.
_REPLAN_AFTER = timedelta(days=1)
#: Ticks that could not be decided are tried again after so long.
_UNDECIDED_AFTER = timedelta(hours=1)
_MOST_NAMED = 5


class StaleRunRenewer:
    """Part of the upkeep of the leading daemon; its memory can be rebuilt."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._standing: list[StaleSeries] = []
        self._news, self._read_at, self._took = (-1, -1), float("-inf"), 0.0
        self._jobs: deque[str] | None = None  # to be looked at; None: all, once
        self._looked: dict[str, tuple[frozenset[int], datetime]] = {}
        self._planned: dict[int, tuple[object, datetime]] = {}
        self._tried: dict[str, datetime] = {}  # jobs with ticks that could not be decided
        self._audited: int | None = None  # the newest change by audits that is looked at; None: ?
        self._whole: set[str] = set()  # jobs of which all runs have to be looked at
        self._scan: Iterator[None] | None = None
        self._waits: dict[str, str] = {}

    def look(self, now: datetime) -> None:
        """Plan recomputing, and update the alarm of stale charts. Raise StoreProblem."""
        is_wanted = settings.load().redo
        self._read_stale()
        if is_wanted:
            self._switch_ready()
            self._review_runs(now)
            self._plan_comparisons(now)
        else:
            self._drop(now)
        self._update_alarms(now, is_redone=is_wanted)

    def _read_stale(self) -> None:
        """Read stale series, not again without changes and not too often."""
        begun = monotonic()
        if begun - self._read_at < _REST_FACTOR * self._took:
            return
        with self._database.read() as connection:
            news = signatures.read_change_token(connection)
            if news == self._news:
                return
            self._standing = signatures.find_stale(connection)
        self._news, self._read_at, self._took = news, begun, monotonic() - begun

    def _switch_ready(self) -> None:
        """Switch series that nothing holds back to their new version."""
        ready = {number for stale in self._standing if not stale.held_by for number in stale.series}
        if ready and pipeline.switch(self._database, ready):
            self._read_at = float("-inf")  # an alarm of what has gone over would be a false one
            self._read_stale()

    def _drop(self, now: datetime) -> None:
        with self._database.read() as connection:
            under_way = any(redo.is_by_itself for redo in pipeline.redo_progress(connection))
        if under_way:
            with self._database.begin() as connection:
                tasks.drop_automatic_tasks(connection, "MONITOR_REDO is off")
                events.add_event(connection, AUDIT_LOOKED, "", "0", now=now)
            self._audited = None
        self._jobs, self._waits = None, {}

    # --- planning ---------------------------------------------------------------------------------

    def _review_runs(self, now: datetime) -> None:
        """Review runs for some seconds; jobs in progress wait."""
        with self._database.read() as connection:
            progress = pipeline.redo_progress(connection)
            if self._jobs is None:
                self._jobs = deque(sorted({run.job for run in runs.list_ended(connection)}))
        busy = {name.job for name in progress}
        self._queue_held_jobs(now)
        self._queue_audited_jobs()
        until = monotonic() + _LOOK_SECONDS
        while monotonic() < until:
            if self._scan is None:
                job = next((name for name in self._jobs if name not in busy), None)
                if job is None:
                    return
                self._jobs.remove(job)
                self._scan = self._review_job(job, now)
            try:
                next(self._scan)
            except StopIteration:
                self._scan = None
                self._store_looked(now)
            except Exception:
                self._scan = self._jobs = self._audited = None  # all are looked at again
                raise

    def _plan_comparisons(self, now: datetime) -> None:
        """Plan comparisons of undecided ticks: one task of one run for each job.

        It compares all runs of the job that lack it. A run that has just ended is being compared.
        """
        with self._database.read() as connection:
            busy = {redo.job for redo in pipeline.redo_progress(connection)}
            undecided = conclusion.with_ends(connection, now)
        of_job: dict[str, list[Run]] = {}
        for run, ended_at in undecided:
            if run.job not in busy and now - ended_at > alarm_rules.LATE:
                of_job.setdefault(run.job, []).append(run)
        audits = Audits(self._database)
        for job, job_runs in of_job.items():
            if job in self._tried and abs(now - self._tried[job]) < _UNDECIDED_AFTER:
                continue
            self._tried[job] = now
            readable = next((run for run in job_runs if _is_readable(audits, run)), None)
            if readable is not None:
                why = "by itself: ticks are not decided"
                log.info("job %s: compared anew, %s", job, why)
                pipeline.plan_redo(self._database, [readable], BY_ITSELF, why)

    def _queue_held_jobs(self, now: datetime) -> None:
        """Queue jobs whose runs hold charts back, after changes or a day."""
        held: dict[str, set[int]] = {}
        for stale in self._standing:
            for job, run in stale.held_by:
                held.setdefault(job, set()).add(run)
        for job, run_ids in held.items():
            before, looked_at = self._looked.get(job, (frozenset[int](), now - _REPLAN_AFTER))
            is_new = not run_ids <= before or abs(now - looked_at) >= _REPLAN_AFTER
            if is_new and self._jobs is not None and job not in self._jobs:
                self._jobs.append(job)
        for job in self._looked.keys() - held.keys():
            del self._looked[job]

    def _queue_audited_jobs(self) -> None:
        """Queue all runs after audits have flagged other ticks."""
        with self._database.read() as connection:
            if self._audited is None:
                self._audited = int(events.find_last_detail(connection, AUDIT_LOOKED, "") or 0)
            changes = events.list_of_kind(connection, CHANGED, self._audited)
            self._whole |= {run.job for run in runs.list_ended(connection)} if changes else set()
        if changes and self._jobs is not None:
            self._audited = changes[-1].id
            self._jobs.extend(sorted(self._whole.difference(self._jobs)))

    def _store_looked(self, now: datetime) -> None:
        """Store which change by audits all runs were reviewed for."""
        if self._whole:
            return
        with self._database.begin() as connection:
            looked = events.find_last_detail(connection, AUDIT_LOOKED, "") or "0"
            if looked != str(self._audited):
                events.add_event(connection, AUDIT_LOOKED, "", str(self._audited), now=now)

    def _review_job(self, job: str, now: datetime) -> Iterator[None]:
        """Review the runs of a job, the newest first, then plan."""
        held = frozenset(run for stale in self._standing for j, run in stale.held_by if j == job)
        self._looked[job] = held, now
        self._waits.pop(job, None)
        audits = Audits(self._database)
        look = _JobReview(self._database, audits)
        with self._database.read() as connection:
            kept_runs = runs.list_ended(connection, job)
        valued = [run for run in kept_runs if run.kind in pipeline.WITH_POINTS] or kept_runs
        is_whole = job in self._whole
        self._whole.discard(job)
        if valued and not (held or is_whole):
            look.review_run(valued[-1])
            yield
            if not (look.todo or look.left_out):
                return
        look = _JobReview(self._database, audits)
        for run in kept_runs:
            look.review_run(run)
            yield
        self._write_tasks(job, look, now)

    def _is_new(self, lack: Lack, now: datetime) -> bool:
        """Return whether this was not tried before, or a day ago."""
        before = self._planned.get(lack.run.id)
        return before is None or before[0] != lack.marks or abs(now - before[1]) >= _REPLAN_AFTER

    def _write_tasks(self, job: str, look: "_JobReview", now: datetime) -> None:
        new = [lack for lack in look.todo if self._is_new(lack, now)]
        tried = [lack.run for lack in look.todo if lack not in new]
        if tried:
            look.left_out.setdefault("was derived anew and lacks the same", []).extend(tried)
        if look.left_out:
            self._waits[job] = _say_left_out(look.left_out)
            self._note_waiting(job, self._waits[job], now)
        if not new:
            return
        why = "; ".join(dict.fromkeys(reason for lack in new for reason in lack.why[:_MOST_NAMED]))
        log.info("job %s: %d runs are to be derived anew: %s", job, len(new), why)
        new_runs = [lack.run for lack in new]
        pipeline.plan_redo(self._database, new_runs, BY_ITSELF, f"by itself: {why}")
        self._planned |= {lack.run.id: (lack.marks, now) for lack in new}

    def _note_waiting(self, job: str, why: str, now: datetime) -> None:
        """Write down why runs are left as they are, once as long as that is the reason."""
        with self._database.begin() as connection:
            if events.find_last_detail(connection, "redo_waits", job) != why:
                log.warning("job %s: not derived anew: %s", job, why)
                events.add_event(connection, "redo_waits", job, why, now=now)

    # --- the alarm --------------------------------------------------------------------------------

    def _update_alarms(self, now: datetime, *, is_redone: bool) -> None:
        alarms = alarm_rules.judge_charts_behind(
            self._standing, now, self._waits, is_redone=is_redone
        )
        standing = {alarm.subject: alarm.detail for alarm in alarms}
        with self._database.read() as connection:
            over = {
                alarm.subject: alarm.detail
                for alarm in events.list_open_alarms(connection)
                if alarm.kind == CHARTS_BEHIND and alarm.subject not in standing
            }
        if not (standing or over):
            return
        with self._database.begin() as connection:
            changed = events.update_alarms(connection, CHARTS_BEHIND, standing, over, now)
        for word, subjects in zip(("raised", "over"), changed, strict=True):
            for about in subjects:
                detail = (standing | over)[about]
                log.warning("alarm %s: %s: %s: %s", word, CHARTS_BEHIND, about, detail)


class _JobReview:
    """A review of the runs of one job: what they lack, and which must not be recomputed."""

    def __init__(self, database: Database, audits: Audits) -> None:
        self._database, self._audits = database, audits
        self.todo: list[Lack] = []
        self.left_out: dict[str, list[Run]] = {}

    def review_run(self, run: Run) -> None:
        """Review one run. Raise StoreProblem if the database is away."""
        lacks, left_out = pipeline.to_redo(self._database, [run], audits=self._audits)
        for left_run in left_out:
            self.left_out.setdefault(left_run.reason, []).append(left_run.run)
        for lack in lacks:
            if lack.is_newer:
                self._add_lack(lack)

    def _add_lack(self, lack: Lack) -> None:
        try:
            reason = pipeline.would_lose(self._database, self._audits, lack)
        except (InvalidInput, MissingPart) as error:  # one run must not keep all others waiting
            reason = str(error)
        if reason:
            self.left_out.setdefault(reason, []).append(lack.run)
        else:
            self.todo.append(lack)


def _is_readable(audits: Audits, run: Run) -> bool:
    """Return whether the job of a run can be read with what is installed."""
    try:
        audits.of(run)
    except (InvalidInput, MissingPart):
        return False
    return True


def _say_left_out(runs_by_reason: dict[str, list[Run]]) -> str:
    """Return in words which runs are left to a person, and why."""
    parts = []
    for reason, left_runs in runs_by_reason.items():
        numbers = ", ".join(str(run.id) for run in left_runs[:_MOST_NAMED])
        more = f" and {len(left_runs) - _MOST_NAMED:,} more" if len(left_runs) > _MOST_NAMED else ""
        parts.append(f"run {numbers}{more}: {reason}")
    return f"left to a person: {'; '.join(parts)}"


# --- upkeep ---------------------------------------------------------------------------------------

log = logging.getLogger(__name__)

#: Seconds for which the end waits for what is being sent. Longer than servers usually take; what is
#: under way then is sent again by whoever leads next, and says so.
_LAST_SECONDS = 20.0
#: The event that what is past its time was taken away.
SWEPT_EVENT = "swept"
_UPKEEP_SECONDS = 60.0
_ONE_DAY = timedelta(days=1)


class NotificationSender:
    """A thread that sends, started at the first look that finds a route."""

    def __init__(self, database: Database, now: Callable[[], datetime] = read_utc_now) -> None:
        self._database, self._now = database, now
        self._there_is_more, self._over = Event(), Event()
        self._thread: Thread | None = None

    def look(self) -> None:
        """Write down what is to be told now, and have it sent. Raises StoreProblem."""
        try:
            configured = settings.load()
            routes = AppriseSender.from_settings(configured).routes
            write_notices(self._database, routes, rules_of(configured), self._now())
        except StoreProblem:
            raise
        except Exception:  # a fault of ours must not keep the caller from the rest
            log.exception("telling failed")
            return
        if not routes:
            return
        if self._thread is None:
            self._thread = Thread(target=self._run, name="telling", daemon=True)
            self._thread.start()
        self._there_is_more.set()

    def stop(self) -> None:
        """Stop after the current message, or after a timeout."""
        self._over.set()
        self._there_is_more.set()
        if self._thread is not None:
            self._thread.join(_LAST_SECONDS)

    def _run(self) -> None:
        configured = settings.load()
        while not self._over.is_set():
            self._there_is_more.wait()
            self._there_is_more.clear()
            try:
                sender, rules = AppriseSender.from_settings(configured), rules_of(configured)
                deliver_notices(self._database, sender, rules, self._now, self._over.is_set)
            except StoreProblem as error:
                log.warning("telling waits: %s", error)
            except Exception:
                log.exception("telling failed")


class _Stopped(Exception):
    """The upkeep was stopped between two portions."""


class Upkeep:
    """A thread, because upkeep may take longer than a tick should wait."""

    def __init__(
        self,
        database: Database,
        leads: Callable[[], bool],
        now: Callable[[], datetime] = read_utc_now,
    ) -> None:
        self._database, self._leads, self._now = database, leads, now
        self._telling = NotificationSender(database, now)
        self._renewing = StaleRunRenewer(database)
        self._over = Event()
        self._thread = Thread(target=self._run, name="upkeep", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current portion."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self._telling.stop()

    def _run(self) -> None:
        while not self._over.is_set():
            if self._leads():
                self.look()
            self._over.wait(_UPKEEP_SECONDS)

    def look(self) -> None:
        """Do all steps once; a fault is logged and ends nothing."""
        now = self._now()
        for step in (
            lambda: supervise_jobs(self._database, now),
            lambda: settle_doubts(self._database, now),
            lambda: self._renewing.look(now),
            lambda: report_what_is_due(self._database, now),
            self._telling.look,
            lambda: self._sweep(now),
        ):
            try:
                step()
            except _Stopped:
                log.info("stopped in the middle of a sweep; the next one goes on")
            except StoreProblem as error:
                log.warning("upkeep waits: %s", error)
            except Exception:
                log.exception("upkeep failed")

    def _sweep(self, now: datetime) -> None:
        with self._database.read() as connection:
            last = ticks.read_newest_by_subject(connection, SWEPT_EVENT).get("")
        if last is not None and abs(now - last) < _ONE_DAY:
            return
        swept = collect_garbage(self._database, now, dry_run=False, progress=self._progress)
        megabytes = sum(line.size for line in swept.lines) / 1e6
        summary = (
            f"{swept.n:,} contents past their time, {megabytes:,.1f} MB; {swept.orphans:,} files"
        )
        with self._database.begin() as connection:
            events.add_event(connection, SWEPT_EVENT, "", summary, now=now)

    def _progress(self, _looked_at: int) -> None:
        if self._over.is_set():
            raise _Stopped
