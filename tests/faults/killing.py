"""Kills processes in the middle of a run, and begins them again as a supervisor does.

`Installation` is a job of 500 probes, a database and real processes; `struck` runs it and kills.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from monitor.store.database import connect
from monitor.store.schedule import ticks
from monitor.work import queue
from tests import warm
from tests.daemon.conftest import Place, schedule
from tests.factories import make_list, rows
from tests.faults.counting import ITEMS
from tests.faults.doomed import AFTER, BEFORE, DERIVING, PLANNING, STORING

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60.0
POLL = 0.01
#: The second engine is asked everything twice.
PROBES, QUESTIONS = 500, 750
#: A question is in flight while its answer is not stored: of each lane two at the service, and
#: those that came while the answers before them were being committed.
IN_FLIGHT = 64
#: What a process was doing is given to others after so many seconds without a sign of life.
LEASE = 2
_PACE = 125.0
_ON_ITS_WAY = 0.05
_ALL = 10**9

_COUNTS = """
SELECT
  (SELECT COUNT(*) FROM probes) AS probes,
  (SELECT COUNT(*) FROM (SELECT DISTINCT engine_id, probe_id, repeat FROM attempts) q) AS planned,
  (SELECT COUNT(*) FROM attempts WHERE final) AS final,
  (SELECT COUNT(*) FROM attempts) AS attempts,
  (SELECT COUNT(*) FROM (SELECT 1 FROM attempts WHERE final
    GROUP BY run_id, engine_id, probe_id, repeat HAVING COUNT(*) > 1) q) AS final_twice,
  (SELECT COUNT(*) FROM (SELECT 1 FROM attempts
    GROUP BY run_id, engine_id, probe_id, repeat, n HAVING COUNT(*) > 1) q) AS twice,
  (SELECT COUNT(*) FROM exchanges) AS exchanges,
  (SELECT COUNT(*) FROM exchanges WHERE outcome = 'ok') AS well,
  (SELECT COUNT(*) FROM exchanges e WHERE
    (SELECT COUNT(*) FROM attempts a WHERE a.exchange_id = e.id) <> 1) AS astray,
  (SELECT COUNT(*) FROM (SELECT 1 FROM readings GROUP BY attempt_id HAVING COUNT(*) > 1) q)
    AS read_twice,
  (SELECT COUNT(*) FROM readings) AS readings
"""
_COVERED = "SELECT planned, answered FROM coverage ORDER BY planned"
_POINTS = """
SELECT k.key, s.hash, p.state, p.reason, p.value, p.low, p.high, p.bound_low, p.bound_high,
  p.planned, p.answered, p.used, p.unidentified, p.inputs_digest
FROM points p JOIN series_keys k ON k.id = p.series_id JOIN signatures s ON s.id = p.signature_id
ORDER BY 1, 2, p.inputs_digest
"""


def expected(probes=PROBES):
    """What stands in the database after a run, whatever happened in the middle of it."""
    half, questions = probes // 2, probes // 2 * 3
    return {
        "ticks": ["done"],
        "runs": ["done"],
        "tasks": ["collect done", "collect done", "derive done"],
        "coverage": [(half, half), (probes, probes)],  # planned and answered of each engine
        "probes": probes,
        "planned": questions,
        "final": questions,
        "attempts": questions,  # nothing failed, so every question has one
        "final_twice": 0,
        "twice": 0,
        "exchanges": questions,
        "well": questions,
        "astray": 0,  # exchanges of no attempt, or of several
        "readings": questions,
        "read_twice": 0,
        "alarms": [],
        "verified": "nothing is wrong",
        "tracebacks": 0,
    }


EXPECTED = expected()


@contextmanager
def services(latency=0.004, host="127.0.0.1"):
    """The services in their own process; gives their addresses."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.counting", str(latency), host],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield json.loads(process.stdout.readline())
    finally:
        process.communicate()


def until(condition, what, patience=PATIENCE):
    """What a condition gives as soon as it gives something."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(POLL)
    raise AssertionError(f"waited in vain for {what}")


class Installation:
    """A home with a job that owes one tick, and the processes that are to be running.

    `roles` are `daemon`, perhaps another with a home of its own, and names of workers. It asks a
    list of items in two languages, the second twice.
    """

    def __init__(
        self,
        database_url,
        home,
        addresses,
        roles=("daemon",),
        *,
        items=ITEMS,
        pace=_PACE,
        logs=None,
    ):
        self.url, self.home, self.addresses, self.roles = database_url, home, addresses, roles
        self._logs = logs or home
        self.database = connect(database_url, home / "bodies")
        self.is_sqlite = self.database.keeps_files
        self.processes, self.environment, self.homes = {}, {}, {}
        queue.ensure_queue(self.database)
        self.place = Place(self.database, home / "jobs")
        make_list(home / "jobs", items=items)
        self.probes, self.questions = 2 * len(items), 3 * len(items)
        one, two = ({"name": "libretranslate", "own": True, "in_flight": 2} for _ in addresses)
        one |= {"targets": ["pt"], "pace": pace, "config": {"base_url": addresses[0]}}
        two |= {"targets": ["es"], "pace": 2 * pace, "config": {"base_url": addresses[1]}}
        content = {"engines": [one, two | {"repeats": 2}], "contact": "tests@monitor.test"}
        self.place.job("killed", schedule=schedule("0 5 1 jan *"), **content)
        # watched a year ago, and not since
        self.place.at(datetime.now(UTC) - timedelta(days=380))
        self._asked_before = sum(self.asked().values())

    def close(self):
        """End what still runs."""
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        self.database.close()

    # --- processes --------------------------------------------------------------------------------

    def start(self, role):
        """Begin a process, its words added to those of the one before."""
        home, command = self.home, ["worker"]
        if role.startswith("daemon"):
            command = ["daemon", "--jobs", str(self.home / "jobs")]
            home = self.homes.get(role, self.home)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "MONITOR_HOME": str(home),
            "MONITOR_CONTACT": "tests@monitor.test",
            "MONITOR_LEASE_SECONDS": str(LEASE),
            **({} if self.is_sqlite else {"MONITOR_DATABASE_URL": self.url}),
            **self.environment,
        }
        with self.log(role).open("ab") as said:
            self.processes[role] = warm.begin(
                "tests.faults.doomed", command, folder=home, environment=environment, said=said
            )
        return self.processes[role]

    def log(self, role):
        """Where the words of a process are."""
        return self._logs / f"{role}.log"

    def said(self):
        """All words of all processes."""
        return "".join(
            self.log(role).read_text(errors="replace")
            for role in self.roles
            if self.log(role).exists()
        )

    def supervise(self):
        """Begin what was killed; nothing ends by itself."""
        for role in self.roles:
            process = self.processes.get(role)
            if process is None or process.poll() is not None:
                assert process is None or process.returncode == -signal.SIGKILL, self.log(role)
                self.start(role)

    def dead(self):
        """The roles whose process has died."""
        return [role for role, one in self.processes.items() if one.poll() is not None]

    def kill(self, roles):
        """As `kill -9`."""
        for role in roles:
            self.processes[role].send_signal(signal.SIGKILL)
            self.processes[role].wait()

    def stop(self):
        """Ask all to end; gives their exit codes."""
        for process in self.processes.values():
            process.send_signal(signal.SIGTERM)
        return [process.wait(PATIENCE) for process in self.processes.values()]

    def command(self, *words):
        """What a command says: (exit code, words)."""
        environment = {
            "PATH": os.environ["PATH"],
            "MONITOR_HOME": str(self.home),
            **({} if self.is_sqlite else {"MONITOR_DATABASE_URL": self.url}),
        }
        with tempfile.TemporaryFile("w+") as said:
            process = warm.begin(
                "monitor.cli", words, folder=self.home, environment=environment, said=said
            )
            code = process.wait(PATIENCE)
            said.seek(0)
            return code, said.read()

    # --- how far it is ----------------------------------------------------------------------------

    def select(self, sql, **values):
        """Rows of a query."""
        return rows(self.database, sql, **values)

    def asked(self):
        """{question: how often the services were asked it}, by this installation or others."""
        return httpx.get(f"{self.addresses[0]}/asked").json()

    def times_asked(self):
        """How many questions the services were asked since this installation was made."""
        return sum(self.asked().values()) - self._asked_before

    @contextmanager
    def answering(self, most):
        """The services answer so many questions of this installation; the others wait, in it."""
        httpx.get(f"{self.addresses[0]}/answers/{self._asked_before + most}")
        try:
            yield
        finally:
            httpx.get(f"{self.addresses[0]}/answers/{_ALL}")

    def stored(self):
        """How many answers there are."""
        [row] = self.select("SELECT COUNT(*) AS n FROM attempts WHERE exchange_id IS NOT NULL")
        return row["n"]

    def phase(self):
        """What is being done of the run."""
        states = self.states()
        if states and set(states) <= {"done", "partial", "failed"}:
            return "ended"
        tasks = self.select("SELECT stage, state FROM tasks")
        if not tasks:
            return PLANNING
        is_asked = any((one["stage"], one["state"]) == ("collect", "open") for one in tasks)
        return "asking" if is_asked else DERIVING

    def states(self):
        """The states of the ticks."""
        with self.database.read() as connection:
            return [str(one.state) for one in ticks.list_newest(connection, "killed", 100)]

    def ended(self):
        """Whether every tick has ended."""
        return self.phase() == "ended"

    # --- what it left -----------------------------------------------------------------------------

    def points(self):
        """All points that were ever computed: two of a series would be two computations."""
        return [tuple(row.values()) for row in self.select(_POINTS)]

    def left(self):
        """What EXPECTED says, as it is."""
        [counts] = self.select(_COUNTS)
        tasks = self.select("SELECT stage, state FROM tasks ORDER BY stage, lane")
        code, said = self.command("evidence", "verify")
        return {
            "ticks": self.states(),
            "runs": [row["state"] for row in self.select("SELECT state FROM runs")],
            "tasks": [f"{row['stage']} {row['state']}" for row in tasks],
            "coverage": [tuple(row.values()) for row in self.select(_COVERED)],
            **counts,
            "alarms": [
                (row["kind"], row["subject"])
                for row in self.select("SELECT * FROM alarms WHERE resolved_at IS NULL")
                if row["kind"] != "tick_late"  # which it is, by months
            ],
            "verified": said if code else "nothing is wrong",
            "tracebacks": self.said().count("Traceback"),
        }


# --- kills ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stroke:
    """One kill: of whom, and when. The first of `place`, `questions` and `seconds` that is there.

    A place is one of `doomed`, come to for the Nth time; questions are counted from now on, and
    seconds too; until those are over no more than `most` answers are given, so that a quick machine
    does not end the run before the last kill. At a place whoever comes there dies, and one of
    `roles` as well if there are two.
    """

    roles: tuple[str, ...]
    place: str = ""
    n: int = 1
    questions: int = 0
    seconds: float = 0.0
    most: int = 0

    def __str__(self):
        if self.place:
            return f"{self.place}, no. {self.n}"
        if self.questions:
            return f"{self.questions} questions later"
        return f"{self.seconds:.2f} s later"


def strokes(seed, count, roles):
    """So many kills of one run, the same for the same seed, spread over all that is done of it.

    Not more at a derivation than a task may fail without being given up.
    """
    chance = random.Random(seed)  # noqa: S311 - chance, not secrecy

    def victims():
        return tuple(chance.sample(roles, 2 if len(roles) > 1 and chance.random() < 0.2 else 1))

    moments = (BEFORE, AFTER)
    first = [Stroke(victims(), f"{PLANNING}, {chance.choice(moments)}", chance.choice((1, 2)))]
    last = [
        Stroke(victims(), f"{DERIVING}, {chance.choice(moments)}", chance.randint(1, 8))
        for _ in range(min(2, count // 4))
    ]
    share = QUESTIONS // max(1, count)
    middle = []
    for n in range(count - len(first) - len(last)):
        if n % 3 == 0:
            place = f"{STORING}, {chance.choice(moments)}"
            middle.append(Stroke(victims(), place, chance.randint(1, 6)))
        elif n % 3 == 1:
            middle.append(Stroke(victims(), questions=chance.randint(1, share)))
        else:
            middle.append(Stroke(victims(), seconds=chance.uniform(0.0, 2.5), most=share))
    chance.shuffle(middle)
    return [*first, *middle, *last]


@dataclass(frozen=True)
class Struck:
    """A kill that happened. `before` and `after`: how many answers were stored.

    `asked`: how many questions the services had been asked by then.
    """

    roles: tuple[str, ...]
    how: str
    phase: str
    before: int
    after: int
    asked: int
    at: float

    @property
    def row(self):
        """For a table."""
        counts = f"{self.before} | {self.after} | {self.asked}"
        return f"{' and '.join(self.roles)} | {self.phase} | {self.how} | {counts} | {self.at:.1f}"


HEADER = "process | phase | when | answers before | answers after | asked | seconds"


def strike(here, stroke, began):
    """Kill, when the time has come; None where the run ended before."""
    if stroke.place:
        return _strike_at_place(here, stroke, began)
    goal = here.times_asked() + stroke.questions
    end = time.monotonic() + stroke.seconds

    def has_come():
        if stroke.questions:
            # where nothing more is asked, one moment is as good as another
            return here.times_asked() >= goal or here.phase() in (DERIVING, "ended")
        return time.monotonic() >= end

    with here.answering(here.times_asked() + stroke.most if stroke.most else _ALL):
        until(has_come, stroke)
        phase, before = here.phase(), here.stored()
        if phase == "ended":
            return None
        here.kill(stroke.roles)
    return _struck(here, stroke.roles, stroke, phase, before, began)


def _struck(here, roles, stroke, phase, before, began):
    at, asked = time.monotonic() - began, here.times_asked()
    while here.dead() == list(here.processes):  # what was on its way may still arrive
        time.sleep(_ON_ITS_WAY)
        if asked == (asked := here.times_asked()):
            break
    return Struck(tuple(roles), str(stroke), phase, before, here.stored(), asked, at)


def _strike_at_place(here, stroke, began):
    doom = here.home / "doom"
    doom.with_suffix(".new").write_text(f"{stroke.place} {stroke.n}", encoding="utf-8")
    doom.with_suffix(".new").rename(doom)
    before = 0

    def has_happened():
        nonlocal before
        if here.dead():
            return True
        before = here.stored()
        return here.ended()

    until(has_happened, stroke)
    with suppress(FileNotFoundError):
        doom.unlink()
    if not (dead := here.dead()):
        return None
    if others := [one for one in stroke.roles[1:] if one not in dead]:
        here.kill(others)
    place = stroke.place.partition(",")[0]
    return _struck(here, [*dead, *others], stroke, place, before, began)


def struck(here, wanted, tell=lambda _one: None):
    """Run to the end under these kills; gives those that happened, each told when it does."""
    began, found = time.monotonic(), []
    try:
        here.supervise()
        for stroke in wanted:
            if one := strike(here, stroke, began):
                found.append(one)
                tell(one)
            here.supervise()
        until(here.ended, "the end of the run")
        assert here.dead() == []
        assert set(here.stop()) == {0}
    except BaseException as error:
        error.add_note("\n".join(one.row for one in found))
        error.add_note(here.said()[-3000:])
        raise
    return found


def wrong(here, kills, undisturbed):
    """What is not as it should be after a run; empty if all is."""
    found = []
    left = here.left()
    for name, wanted in expected(here.probes).items():
        if left[name] != wanted:
            found.append(f"{name}: expected {wanted!r}, found {left[name]!r}")
    if here.points() != undisturbed:
        found.append("the points are not those of an undisturbed run")
    found += [f"answers were lost: {one.row}" for one in kills if one.after < one.before]
    return found + list(_asked_too_often(here, kills))


def _asked_too_often(here, kills):
    """Nothing is asked again but what was in flight at a kill."""
    asked, n = here.times_asked(), sum(len(one.roles) for one in kills)
    most = here.questions + n * IN_FLIGHT
    if not here.questions <= asked <= most:
        yield f"{asked} questions were asked, not {here.questions} to {most}"
    if here.is_sqlite and kills:  # where nobody else asks meanwhile, it is known which those were
        known = here.questions + kills[-1].asked - kills[-1].after
        if asked != known:
            yield f"{asked} questions were asked, not {known}"
