"""Has kept runs derived anew that lack the present versions of ours, so that no chart stands still.

In go what is stored and the versions of this program; out come tasks, which wait for everything
else, and the alarm of charts that stand still all the same. Nothing that could not be completed is
planned again before a day has gone by, and nothing that would take values off a chart: that is for
a person to decide.
"""

import logging
from collections import deque
from collections.abc import Iterator
from datetime import datetime, timedelta
from time import monotonic

from monitor import pipeline, settings
from monitor.model import InvalidInput, MissingPart
from monitor.pipeline import Audits, Lack, undecided
from monitor.pipeline.suspecting import CHANGED
from monitor.stages import supervise as rules
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.derive import stale_series
from monitor.store.derive.stale_series import StaleSeries
from monitor.store.journal import events
from monitor.store.schedule import tasks
from monitor.store.schedule.tasks import BY_ITSELF

log = logging.getLogger(__name__)

#: The alarm of charts that stand still.
BEHIND = "charts_behind"
#: The event that all runs were looked at for what audits have changed; its detail is the newest of
#: `CHANGED`, and 0 where what was planned then has been dropped.
LOOKED = "audit_looked"
#: So long runs are looked at before alarms are looked at again, in seconds.
_AT_ONCE = 10.0
#: What stands still is read anew after so many times the time that reading took.
_REST = 20.0
#: What was planned and lacks the same afterwards is planned again after so long.
_AGAIN = timedelta(days=1)
#: Ticks that could not be decided are tried again after so long.
_UNDECIDED_AGAIN = timedelta(hours=1)
_NAMED = 5


class Renewing:
    """Looks with the upkeep of the daemon that leads. What it remembers is found out again."""

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
        """Plan what can be derived anew, and say which charts stand still. Raises StoreProblem."""
        is_wanted = settings.load().redo
        self._read()
        if is_wanted:
            self._let_go()
            self._plan(now)
            self._decide(now)
        else:
            self._drop(now)
        self._judge(now, is_redone=is_wanted)

    def _read(self) -> None:
        """What stands still; not read anew while nothing has come, nor all the time."""
        begun = monotonic()
        if begun - self._read_at < _REST * self._took:
            return
        with self._database.read() as connection:
            news = stale_series.read_change_token(connection)
            if news == self._news:
                return
            self._standing = stale_series.find_stale(connection)
        self._news, self._read_at, self._took = news, begun, monotonic() - begun

    def _let_go(self) -> None:
        """Let charts go over that nothing holds up: who derived the last run ended right after."""
        ready = {number for one in self._standing if not one.held_by for number in one.series}
        if ready and pipeline.switch(self._database, ready):
            self._read_at = float("-inf")  # an alarm of what has gone over would be a false one
            self._read()

    def _drop(self, now: datetime) -> None:
        with self._database.read() as connection:
            under_way = any(one.is_by_itself for one in pipeline.redo_progress(connection))
        if under_way:
            with self._database.begin() as connection:
                tasks.drop_automatic_tasks(connection, "MONITOR_REDO is off")
                events.add_event(connection, LOOKED, "", "0", now=now)
            self._audited = None
        self._jobs, self._waits = None, {}

    # --- planning ---------------------------------------------------------------------------------

    def _plan(self, now: datetime) -> None:
        """Go on looking at runs, for some seconds. What is under way is waited for."""
        with self._database.read() as connection:
            progress = pipeline.redo_progress(connection)
            if self._jobs is None:
                self._jobs = deque(sorted({run.job for run in runs.list_ended(connection)}))
        busy = {one.job for one in progress}
        self._notice(now)
        self._notice_audits()
        until = monotonic() + _AT_ONCE
        while monotonic() < until:
            if self._scan is None:
                job = next((one for one in self._jobs if one not in busy), None)
                if job is None:
                    return
                self._jobs.remove(job)
                self._scan = self._look_at(job, now)
            try:
                next(self._scan)
            except StopIteration:
                self._scan = None
                self._keep_looked(now)
            except Exception:
                self._scan = self._jobs = self._audited = None  # all are looked at again
                raise

    def _decide(self, now: datetime) -> None:
        """Plan that jobs with ticks that are not decided are compared anew: a task of one run.

        It compares all runs of the job that lack it. A run that has just ended is being compared.
        """
        with self._database.read() as connection:
            busy = {one.job for one in pipeline.redo_progress(connection)}
            left = undecided.with_ends(connection, now)
        of_job: dict[str, list[Run]] = {}
        for run, ended_at in left:
            if run.job not in busy and now - ended_at > rules.LATE:
                of_job.setdefault(run.job, []).append(run)
        audits = Audits(self._database)
        for job, own in of_job.items():
            if job in self._tried and abs(now - self._tried[job]) < _UNDECIDED_AGAIN:
                continue
            self._tried[job] = now
            readable = next((one for one in own if _is_readable(audits, one)), None)
            if readable is not None:
                why = "by itself: ticks are not decided"
                log.info("job %s: compared anew, %s", job, why)
                pipeline.plan_redo(self._database, [readable], BY_ITSELF, why)

    def _notice(self, now: datetime) -> None:
        """Jobs whose runs hold charts up are looked at: when others do than before, or a day on."""
        held: dict[str, set[int]] = {}
        for one in self._standing:
            for job, run in one.held_by:
                held.setdefault(job, set()).add(run)
        for job, some in held.items():
            before, at = self._looked.get(job, (frozenset[int](), now - _AGAIN))
            is_new = not some <= before or abs(now - at) >= _AGAIN
            if is_new and self._jobs is not None and job not in self._jobs:
                self._jobs.append(job)
        for job in self._looked.keys() - held.keys():
            del self._looked[job]

    def _notice_audits(self) -> None:
        """All runs are looked at once audits have put other ticks in doubt, which flags say."""
        with self._database.read() as connection:
            if self._audited is None:
                self._audited = int(events.find_last_detail(connection, LOOKED, "") or 0)
            found = events.list_of_kind(connection, CHANGED, self._audited)
            self._whole |= {run.job for run in runs.list_ended(connection)} if found else set()
        if found and self._jobs is not None:
            self._audited = found[-1].id
            self._jobs.extend(sorted(self._whole.difference(self._jobs)))

    def _keep_looked(self, now: datetime) -> None:
        """Remember over restarts what all runs were looked at for."""
        if self._whole:
            return
        with self._database.begin() as connection:
            looked = events.find_last_detail(connection, LOOKED, "") or "0"
            if looked != str(self._audited):
                events.add_event(connection, LOOKED, "", str(self._audited), now=now)

    def _look_at(self, job: str, now: datetime) -> Iterator[None]:
        """Look at the runs of a job one by one, then plan. The newest tells of a new version."""
        held = frozenset(run for one in self._standing for j, run in one.held_by if j == job)
        self._looked[job] = held, now
        self._waits.pop(job, None)
        audits = Audits(self._database)
        look = _Look(self._database, audits)
        with self._database.read() as connection:
            kept = runs.list_ended(connection, job)
        valued = [run for run in kept if run.kind in pipeline.WITH_POINTS] or kept
        is_whole = job in self._whole
        self._whole.discard(job)
        if valued and not (held or is_whole):
            look.at(valued[-1])
            yield
            if not (look.todo or look.left_out):
                return
        look = _Look(self._database, audits)
        for run in kept:
            look.at(run)
            yield
        self._write(job, look, now)

    def _is_new(self, one: Lack, now: datetime) -> bool:
        """Whether this was not tried before, or long ago."""
        before = self._planned.get(one.run.id)
        return before is None or before[0] != one.marks or abs(now - before[1]) >= _AGAIN

    def _write(self, job: str, look: "_Look", now: datetime) -> None:
        new = [one for one in look.todo if self._is_new(one, now)]
        tried = [one.run for one in look.todo if one not in new]
        if tried:
            look.left_out.setdefault("was derived anew and lacks the same", []).extend(tried)
        if look.left_out:
            self._waits[job] = _left(look.left_out)
            self._say(job, self._waits[job], now)
        if not new:
            return
        why = "; ".join(dict.fromkeys(reason for one in new for reason in one.why[:_NAMED]))
        log.info("job %s: %d runs are to be derived anew: %s", job, len(new), why)
        mine = [one.run for one in new]
        pipeline.plan_redo(self._database, mine, BY_ITSELF, f"by itself: {why}")
        self._planned |= {one.run.id: (one.marks, now) for one in new}

    def _say(self, job: str, why: str, now: datetime) -> None:
        """Write down why runs are left as they are, once as long as that is the reason."""
        with self._database.begin() as connection:
            if events.find_last_detail(connection, "redo_waits", job) != why:
                log.warning("job %s: not derived anew: %s", job, why)
                events.add_event(connection, "redo_waits", job, why, now=now)

    # --- the alarm --------------------------------------------------------------------------------

    def _judge(self, now: datetime, *, is_redone: bool) -> None:
        found = rules.charts_behind(self._standing, now, self._waits, is_redone=is_redone)
        about = {one.subject for one in found}
        with self._database.read() as connection:
            open_ = [one for one in events.list_open_alarms(connection) if one.kind == BEHIND]
        over = [one for one in open_ if one.subject not in about]
        if not (found or over):
            return
        with self._database.begin() as connection:
            for one in found:
                if events.raise_alarm(connection, BEHIND, one.subject, one.detail, now):
                    log.warning("alarm raised: %s: %s: %s", BEHIND, one.subject, one.detail)
            for alarm in over:
                if events.resolve_alarm(connection, BEHIND, alarm.subject, now):
                    log.warning("alarm over: %s: %s: %s", BEHIND, alarm.subject, alarm.detail)


class _Look:
    """What the runs of one job lack of new versions, and which cannot or shall not be touched."""

    def __init__(self, database: Database, audits: Audits) -> None:
        self._database, self._audits = database, audits
        self.todo: list[Lack] = []
        self.left_out: dict[str, list[Run]] = {}

    def at(self, run: Run) -> None:
        """Look at one run. Raises StoreProblem where the database is away."""
        found, left_out = pipeline.to_redo(self._database, [run], audits=self._audits)
        for other in left_out:
            self.left_out.setdefault(other.reason, []).append(other.run)
        for one in found:
            if one.is_newer:
                self._add(one)

    def _add(self, one: Lack) -> None:
        try:
            reason = pipeline.would_lose(self._database, self._audits, one)
        except (InvalidInput, MissingPart) as error:  # one run must not keep all others waiting
            reason = str(error)
        if reason:
            self.left_out.setdefault(reason, []).append(one.run)
        else:
            self.todo.append(one)


def _is_readable(audits: Audits, run: Run) -> bool:
    """Whether the job of a run can be read with what is installed."""
    try:
        audits.of(run)
    except (InvalidInput, MissingPart):
        return False
    return True


def _left(some: dict[str, list[Run]]) -> str:
    """Runs that are left to a person, with the reasons."""
    parts = []
    for reason, mine in some.items():
        numbers = ", ".join(str(run.id) for run in mine[:_NAMED])
        more = f" and {len(mine) - _NAMED:,} more" if len(mine) > _NAMED else ""
        parts.append(f"run {numbers}{more}: {reason}")
    return f"left to a person: {'; '.join(parts)}"
