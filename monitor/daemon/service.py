"""The daemon: watches job files, notes ticks, begins runs and sees them through, for years.

One daemon leads on a database, and one uses a MONITOR_HOME: it holds a lock on a file there.
Nothing is kept in memory that a start cannot find in the database again.
"""

import fcntl
import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from time import monotonic
from types import FrameType

from monitor.daemon import watching
from monitor.daemon.recorded_runner import RecordedRunner
from monitor.daemon.ticking import RerunScheduler, TickScheduler
from monitor.daemon.upkeep import Upkeep
from monitor.daemon.watching import Clock, JobWatcher, WatchedJob, read_utc_now
from monitor.fetch.service_manager import ServiceManager
from monitor.jobs import load_audit
from monitor.model import InvalidInput, SchemaChanged, StoreProblem
from monitor.store import migrations
from monitor.store.database import Connection, Database
from monitor.store.journal import events
from monitor.store.schedule.leases import Lead, this_process
from monitor.text.counted_nouns import several
from monitor.ticks import Decision
from monitor.work.outside import find_missing_to_run
from monitor.work.perform import Companion, TaskLoop, ThreadExecutor, WorkerContext

_NAME = "daemon.pid"
log = logging.getLogger(__name__)
#: Seconds between two looks: at the time, at what is due, at who leads.
ROUND_SECONDS = 1.0
STAND_BY_SECONDS = 2.0
POLL_SECONDS = 5.0
HEARTBEAT_SECONDS = 10.0
HEAL_SECONDS = 60.0
RERUN_SECONDS = 30.0
#: A clock that went by so much more or less than it should was set, or the machine slept.
CLOCK_JUMP = timedelta(minutes=1)
#: So long nothing is done after the database could not be reached: longer each time.
_FIRST_REST, _LONGEST_REST = 1.0, 30.0
_KILLED_EXIT_CODE = 130
_MOST_NAMED = 3  # ticks that are named one by one


class HomeLock:
    """Lock on MONITOR_HOME. Raise StoreProblem, naming the process that holds it."""

    def __init__(self, home: Path) -> None:
        self._path = home / _NAME
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise StoreProblem(f"{self._path}: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._file, 32, 0).decode(errors="replace").strip() or "?"
            os.close(self._file)
            raise StoreProblem(
                f"{self._path}: process {holder} is the daemon of this folder already; stop it "
                "first, or set another MONITOR_HOME"
            ) from None
        # a process that is forked from this one would hold the lock for as long as it lives
        os.register_at_fork(after_in_child=self._close_file)
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def _close_file(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def release(self) -> None:
        """Release the lock. The file stays, because removing it would be a race."""
        if self._file >= 0:
            os.ftruncate(self._file, 0)
        self._close_file()


def make_executor(shop: WorkerContext, at_once: int) -> TaskLoop:
    """Return the executor for a database: threads on SQLite, else a task dispatcher."""
    if shop.database.keeps_files:
        return ThreadExecutor(shop, at_once)
    from monitor.work.queue import TaskDispatcher  # noqa: PLC0415 - on SQLite nobody needs it

    return TaskDispatcher(shop)


@dataclass(frozen=True, slots=True)
class DaemonContext:
    """Parts that a daemon works with; tests replace them.

    `hands` makes those who perform tasks; `companions` others, who are given a function that says
    how many seconds ago the loop moved; `say` is told what a person wants to read at the start.
    """

    shop: WorkerContext
    folder: Path
    hands: Callable[[WorkerContext], TaskLoop]
    manager: ServiceManager
    companions: Callable[[Callable[[], float]], Sequence[Companion]] = lambda _idle: ()
    say: Callable[[str], None] = lambda _line: None
    now: Callable[[], datetime] = read_utc_now


class _Timer:
    """Returns True once in so many seconds of monotonic time."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._at = seconds, float("-inf")

    def __call__(self) -> bool:
        now = monotonic()
        if now < self._at + self._seconds:
            return False
        self._at = now
        return True

    def make_due(self) -> None:
        """Return True at the next call."""
        self._at = float("-inf")


class Daemon:
    """The loop. Handlers of signals may call `stop` and `reload`, which only set a flag."""

    def __init__(self, means: DaemonContext, database: Database) -> None:
        self._means, self._manager = means, means.manager
        # the loop waits for nobody: it looks again; the hands hold answers and wait for minutes
        self._database = database
        self._is_stopping = False
        self._shop = replace(means.shop, stop=lambda: self._is_stopping)
        self._past = RecordedRunner(self._shop)
        self._hands: TaskLoop | None = None
        self._lead = Lead(database)
        self._upkeep = Upkeep(database, lambda: self._is_leading and not self._doubted, means.now)
        self._is_leading = self._said_stand_by = False
        self._woken = Event()
        self._asked: set[str] = set()
        self._clock = Clock(self._ask_for)
        loop_shop = replace(self._shop, database=database)
        self._watching = JobWatcher(database, means.folder, self._before_change, self._send_alive)
        self._ticking = TickScheduler(
            loop_shop, self._watching.jobs, self._past, self._wake_hands, self._send_alive
        )
        self._again = RerunScheduler(loop_shop, self._watching.jobs, self._wake_hands)
        self._poll, self._beat = _Timer(POLL_SECONDS), _Timer(HEARTBEAT_SECONDS)
        self._heal = _Timer(HEAL_SECONDS)
        self._ask_parts = _Timer(RERUN_SECONDS)
        self._sign_of_life = _Timer(self._manager.watchdog_seconds / 2)
        self._pause = min(ROUND_SECONDS, self._manager.watchdog_seconds / 2 or ROUND_SECONDS)
        self._rest, self._resting_until = _FIRST_REST, float("-inf")
        self._moved_at = monotonic()
        self._is_first, self._told = True, ""
        self._is_to_set_right, self._doubted = True, ""
        self._ask_again = _Timer(HEAL_SECONDS)
        self._revision = migrations.RevisionWatch()
        self._read_clocks()

    # --- from outside -----------------------------------------------------------------------------

    def stop(self) -> None:
        """End after what is in progress."""
        self._is_stopping = True

    def reload(self) -> None:
        """Read all job files in the next round."""
        self._watching.read_all()
        self._poll.make_due()

    def idle_seconds(self) -> float:
        """Return the seconds since the loop last moved."""
        return monotonic() - self._moved_at

    def run(self) -> int:
        """Work until `stop` is called, and return the exit code.

        Raises SchemaChanged where another version has upgraded the database.
        """
        companions = self._means.companions(self.idle_seconds)
        for companion in companions:
            companion.start()
        self._clock.start()
        try:
            while not self._is_stopping:
                self._woken.clear()
                self._do_round()
                self._woken.wait(self._pause)  # a signal only sets a word, and wakes nobody
        finally:
            self._end_companions(companions)
        return 0

    def _end_companions(self, companions: Sequence[Companion]) -> None:
        self._manager.report_stopping()
        self._clock.stop()
        in_flight = self._in_flight
        if in_flight:
            self._means.say(f"stopping after what is in flight ({in_flight})")
        if self._hands:
            self._hands.close(wait=True)
        self._past.close(wait=True)
        self._upkeep.stop()
        for companion in reversed(companions):
            companion.stop()
        with suppress(StoreProblem), self._database.begin() as connection:
            events.remove_process(connection, this_process())
            self._add_event(connection, "daemon_stopped", "")
        self._lead.release()

    # --- one round --------------------------------------------------------------------------------

    def _do_round(self) -> None:
        """Do one round of the loop."""
        self._send_alive()
        if monotonic() < self._resting_until:
            return
        try:
            if self._check_lead():
                self._lead_round()
            else:
                self._resting_until = monotonic() + STAND_BY_SECONDS
            self._rest = _FIRST_REST
        except SchemaChanged:
            raise
        except StoreProblem as error:
            log.warning("the daemon waits: %s", error)
            self._delay_rounds(f"waiting: {error}")
        except Exception as error:
            # a fault of ours must not end what runs for years; the tick is looked at again
            log.exception("the daemon goes on after a fault")
            self._delay_rounds(f"waiting after a fault: {error}")

    def _delay_rounds(self, why: str) -> None:
        self._resting_until = monotonic() + self._rest
        self._rest = min(self._rest * 2, _LONGEST_REST)
        self._send_status(why)

    def _check_lead(self) -> bool:
        """Return whether this daemon leads, and report changes."""
        try:
            leads = self._lead.held()
        except StoreProblem:
            self._is_leading = False  # another may be given the lead before we ask again
            raise
        if leads and not self._is_leading:
            self._watching.forget_files()
            self._ticking.forget_jobs()
            self._is_to_set_right = True  # another leader may have gone by another clock
        elif not leads and not self._said_stand_by:
            self._means.say("another daemon leads on this database; standing by")
            self._manager.report_ready("standing by")
            self._said_stand_by = True
        if self._is_leading and not leads:
            log.warning("the lead is lost")
            self._said_stand_by = False
        self._is_leading = leads
        if self._beat():
            self._announce_start()
        return leads

    def _lead_round(self) -> None:
        now = self._means.now()
        if not self._trusts_the_clock(now):
            self._send_status(self._describe_status())
            return
        if self._poll() and self._watching.poll_folder(now):
            self._clock.follow_jobs(self._watching.jobs)
        decisions = self._look_for_work(now)
        if self._is_first:
            self._report_start(decisions, now)
        self._ticking.begin_ticks(now)
        if self._heal():
            self._ticking.heal_ticks(now)
        if self._ask_parts():
            self._again.begin_reruns(now)
        self._send_status(self._describe_status())

    def _look_for_work(self, now: datetime) -> dict[str, Decision]:
        names_asked, self._asked = self._asked, set()
        jobs = self._watching.jobs
        decisions = {}
        for name in sorted({*self._ticking.to_look_at(now), *(names_asked & jobs.keys())}):
            decisions[name] = self._ticking.note_ticks(jobs[name], now)
            self._send_alive()
        return decisions

    def _report_start(self, decisions: dict[str, Decision], now: datetime) -> None:
        """Report the start after the first look, and start the executor."""
        with self._database.begin() as connection:
            self._add_event(connection, "daemon_started", several(len(self._watching.jobs), "job"))
        for line in _describe_start(self._watching, decisions):
            self._means.say(line)
        self._hands = self._means.hands(self._shop)
        self._hands.start()
        self._upkeep.start()
        self._is_first = False
        self._manager.report_ready(self._describe_status())
        self._beat.make_due()
        log.info("started at %s", now.isoformat())

    # --- small things -----------------------------------------------------------------------------

    def _before_change(self, job: WatchedJob, now: datetime) -> None:
        self._ticking.note_ticks(job, now)

    def _ask_for(self, name: str) -> None:
        """Note the name of a job and wake the loop; called in the clock's thread."""
        self._asked = self._asked | {name}
        self._woken.set()

    def _wake_hands(self) -> None:
        if self._hands:
            self._hands.wake()

    @property
    def _in_flight(self) -> int:
        return self._past.in_flight + (self._hands.in_flight if self._hands else 0)

    def _send_alive(self) -> None:
        """Send a sign of life, unless the executor has died."""
        self._moved_at = monotonic()
        if self._manager.watchdog_seconds and self._sign_of_life():
            if self._hands is None or self._hands.is_alive:
                self._manager.report_alive()
            else:
                log.error("nobody performs tasks any more; no sign of life is given")

    def _describe_status(self) -> str:
        if self._doubted:
            return f"waiting: {self._doubted}"
        parts = [several(len(self._watching.jobs), "job")]
        if self._watching.broken:
            parts.append(several(len(self._watching.broken), "broken file"))
        if paused := self._ticking.paused_jobs:
            parts.append(f"{len(paused)} paused")
        if following := self._ticking.next_tick:
            parts.append(f"next {following[1]} at {following[0]:%Y-%m-%d %H:%M} UTC")
        return ", ".join([*parts, f"{several(self._in_flight, 'task')} in flight"])

    def _send_status(self, status: str) -> None:
        """Send the status to the service manager if it has changed."""
        if status != self._told:
            self._told = status
            self._manager.report_status(status)

    def _announce_start(self) -> None:
        detail = self._describe_status() if self._is_leading else "standing by"
        with self._database.begin() as connection:
            self._revision.check(connection)
            events.announce_process(connection, this_process(), "daemon", detail, self._means.now())

    def _add_event(self, connection: Connection, kind: str, detail: str) -> None:
        events.add_event(connection, kind, this_process(), detail, now=self._means.now())

    def _read_clocks(self) -> None:
        self._read_at = self._means.now(), monotonic()

    def _trusts_the_clock(self, now: datetime) -> bool:
        """Return whether the clock is right; undo effects of a fast clock first."""
        if self._look_at_the_clock(now):
            self._ask_again.make_due()
        if not self._is_to_set_right:
            return True
        if self._doubted and not self._ask_again():
            return False
        before, self._doubted = self._doubted, watching.find_clock_fault(self._database, now)
        if self._doubted:
            if self._is_first and not before:
                self._means.say(f"waiting: {self._doubted}")
                self._manager.report_ready(f"waiting: {self._doubted}")
            return False
        self._watching.set_right(now)
        self._ticking.set_right(now)
        self._is_to_set_right = False
        return True

    def _look_at_the_clock(self, now: datetime) -> bool:
        """Return whether the clock jumped; then all jobs are looked at again."""
        wall, steady = self._read_at
        self._read_at = now, monotonic()
        jump = now - wall - timedelta(seconds=self._read_at[1] - steady)
        if abs(jump) <= CLOCK_JUMP:
            return False
        seconds = jump.total_seconds()
        log.warning("the clock went by %+.0f s", seconds)
        self._is_to_set_right = self._is_to_set_right or seconds < 0
        self._ticking.forget_jobs()
        self._clock.handle_jump()
        with self._database.begin() as connection:
            self._add_event(connection, "clock_jumped", f"{seconds:+.0f} s")
        return True


def _describe_start(watching: JobWatcher, decisions: dict[str, Decision]) -> Iterator[str]:
    """Yield lines about the start: jobs, faults and owed ticks."""
    jobs = several(len(watching.jobs), "job")
    yield f"watching {jobs} in {watching.folder}"
    for fault in watching.broken.values():
        yield f"cannot be used: {fault}"
    if unready := [name for name, job in watching.jobs.items() if _is_lacking(job)]:
        yield (
            f"{len(unready)} of {jobs} not ready to run, their ticks will fail: "
            f"{', '.join(unready)}; `monitor check` says what is missing"
        )
    for name, decision in decisions.items():
        begun = [row for row in decision.rows if row.state == "due"]
        missed = len(decision.rows) - len(begun) + decision.unwritten
        if decision.rows:
            times = ", ".join(f"{row.due_at:%Y-%m-%d %H:%M} UTC" for row in begun[:_MOST_NAMED])
            more = f" and {len(begun) - _MOST_NAMED} more" if len(begun) > _MOST_NAMED else ""
            what = f"due now: {times}{more}" if begun else "none is begun"
            policy = watching.jobs[name].schedule.catch_up
            yield (
                f"{name}: {several(len(begun) + missed, 'tick')} owed, catch-up is {policy}: "
                f"{what}; {missed} missed"
            )


def _is_lacking(job: WatchedJob) -> bool:
    """Return whether a job needs keys, models or governance that are not here."""
    try:
        return bool(find_missing_to_run(load_audit(job.path)))
    except InvalidInput:  # its file is broken now, which is said of the file
        return False


@contextmanager
def handle_signals(daemon: Daemon) -> Iterator[None]:
    """Handle SIGTERM and SIGINT (stop, then exit at once) and SIGHUP (reload)."""
    pressed = False

    def press(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            # other threads are in the middle of things, as in a crash; nothing is lost by that
            os._exit(_KILLED_EXIT_CODE)
        pressed = True
        daemon.stop()

    def hang_up(_number: int, _frame: FrameType | None) -> None:
        daemon.reload()

    handlers = {signal.SIGINT: press, signal.SIGTERM: press, signal.SIGHUP: hang_up}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
