"""Upgrade an installation that is collecting: `python -m tests.faults.rolling`.

A daemon, two workers and web pages of an older version collect every minute, on PostgreSQL. They
are upgraded to this version by the steps of docs/operations.md while processes are killed (-9)
before, during and after the upgrade, and one old worker is frozen through it and goes on after it.
Printed are the longest pause between two questions and everything that was lost or doubled; the
exit code is 1 if anything was not as it should be.

The older version is a commit of this repository, or the folder of an environment that has it.
"""

import argparse
import os
import random
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import httpx
import psycopg

from tests import postgres
from tests.factories import make_job, make_list
from tests.faults import killing
from tests.faults.counting import ITEMS
from tests.faults.killing import IN_FLIGHT, ROOT, until
from tests.faults.soak import Log

#: The last commit of 0.1.0, whose schema is 0012.
OLD = "65ce949f929d90f7dcf8860bd0beee20e2eae14f"
LONGEST_PAUSE = 60.0
_WORKERS = ("worker-1", "worker-2")
_LEASE = 10
_TICK = timedelta(minutes=1)
_PATIENCE = 120.0
#: Questions of a tick, and how many a second: a tick takes most of a minute.
_ITEMS, _PACE = 48, 0.75

_WRONG = {
    "ticks twice": "SELECT job, due_at FROM ticks GROUP BY 1, 2 HAVING COUNT(*) > 1",
    "runs of one tick": "SELECT job, due_at FROM runs GROUP BY 1, 2 HAVING COUNT(*) > 1",
    "questions without a final answer": """SELECT run_id, engine_id, probe_id FROM attempts
        GROUP BY 1, 2, 3 HAVING COUNT(*) FILTER (WHERE final) <> 1""",
    "answers of no attempt or of several": """SELECT e.id FROM exchanges e WHERE
        (SELECT COUNT(*) FROM attempts a WHERE a.exchange_id = e.id) <> 1""",
    "answers that are not ok": "SELECT id, outcome FROM exchanges WHERE outcome <> 'ok'",
    "answers that were not read": """SELECT a.id FROM attempts a LEFT JOIN readings r
        ON r.attempt_id = a.id WHERE a.final AND r.id IS NULL""",
    "tasks that are not done": "SELECT run_id, stage, state, reason FROM tasks "
    "WHERE state <> 'done'",
    "alarms": "SELECT kind, subject, detail FROM alarms WHERE resolved_at IS NULL",
}

_UNFINISHED = """SELECT 1 FROM ticks
    WHERE state NOT IN ('done', 'partial', 'failed', 'missed', 'overlapped')"""


# --- environments ---------------------------------------------------------------------------------


def environment(folder, source):
    """Install the package of a folder with its pinned packages; gives the program's path."""
    uv = [sys.executable, "-m", "uv", "--quiet"]
    python = str(folder / "bin" / "python")
    subprocess.run([*uv, "venv", "--python", sys.executable, str(folder)], check=True)
    wheels = folder / "wheels"
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels)]
    subprocess.run([*build, str(source)], check=True, stdout=subprocess.DEVNULL)
    install = [*uv, "pip", "install", "--python", python]
    lock = str(source / "requirements" / "run.lock")
    subprocess.run([*install, "--require-hashes", "-r", lock], check=True)
    subprocess.run([*install, "--no-deps", *map(str, wheels.glob("*.whl"))], check=True)
    return folder / "bin" / "monitor"


def checked_out(commit, folder):
    """The files of a commit in a folder."""
    archive = subprocess.run(
        ["git", "-C", str(ROOT), "archive", commit], check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as file:
        file.extractall(folder, filter="data")
    return folder


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


# --- the installation -----------------------------------------------------------------------------


class Installation:
    """The processes of one database, each of the old or the new program.

    `select` reads by `url`, and the processes go by `far_url` where they have another way to it.
    """

    roles = ("daemon", *_WORKERS, "web")

    def __init__(self, url, home, addresses, far_url=""):
        self.url, self.home, self.far_url = url, home, far_url or url
        self.address = addresses[0]
        self.programs, self.processes, self.kills = {}, {}, 0
        self.port = free_port()
        jobs = home / "jobs"
        make_list(jobs, items=ITEMS[:_ITEMS])
        for number, address in enumerate(addresses, 1):
            engine = {"name": "libretranslate", "own": True, "targets": ["pt"], "pace": _PACE}
            make_job(
                jobs,
                f"every-{number}.toml",
                name=f"every-{number}",
                contact="tests@monitor.test",
                # one begins while the other is in the middle: somebody is always being asked
                schedule={"cron": "*/2 * * * *" if number == 1 else "1-59/2 * * * *"},
                engines=[engine | {"config": {"base_url": address}}],
            )

    def prefix(self, role):  # noqa: ARG002
        """Words before the command of a role."""
        return []

    def environment(self, role=""):  # noqa: ARG002
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "MONITOR_HOME": str(self.home),
            "MONITOR_CONTACT": "tests@monitor.test",
            "MONITOR_DATABASE_URL": self.far_url,
            "MONITOR_LEASE_SECONDS": str(_LEASE),
            "COLUMNS": "500",
        }

    def start(self, role, program=None):
        """Begin a process of a program, or of the one that it had."""
        self.programs[role] = program or self.programs[role]
        words = {
            "daemon": ["daemon", "--jobs", str(self.home / "jobs")],
            "web": ["serve", "--port", str(self.port)],
        }.get(role, ["worker"])
        with (self.home / f"{role}.log").open("ab") as log:
            self.processes[role] = subprocess.Popen(
                [*self.prefix(role), str(self.programs[role]), *words],
                cwd=self.home, env=self.environment(role),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def command(self, program, *words):
        """(exit code, what it says) of a command."""
        done = subprocess.run(
            [str(program), *words], cwd=self.home, text=True, stdin=subprocess.DEVNULL,
            env=self.environment() | {"MONITOR_DATABASE_URL": self.url},
            capture_output=True, timeout=_PATIENCE, check=False,
        )  # fmt: skip
        return done.returncode, (done.stdout + done.stderr).strip()

    def kill(self, role):
        """As `kill -9`."""
        self.processes[role].kill()
        self.processes[role].wait()
        self.kills += 1

    def stop(self, role):
        """Ask a process to end; gives its exit code."""
        self.processes[role].send_signal(signal.SIGTERM)
        return self.processes[role].wait(_PATIENCE)

    def close(self):
        for process in self.processes.values():
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()

    def said(self, role):
        return (self.home / f"{role}.log").read_text(errors="replace")

    def select(self, sql):
        with psycopg.connect(self.url.replace("+psycopg", "")) as connection:
            return connection.execute(sql).fetchall()

    def page(self):
        """The answer of the web pages, as they are."""
        try:
            address = f"http://127.0.0.1:{self.port}/"
            return httpx.get(address, timeout=20, trust_env=False).status_code
        except httpx.TransportError:
            return 0

    def strike(self, chance, kills, seconds):
        """Kill so many processes within a time, each begun again two seconds later."""
        for _ in range(kills):
            time.sleep(chance.uniform(0.2, 1.8) * seconds / kills)
            role = chance.choice(self.roles)
            self.kill(role)
            time.sleep(2)
            self.start(role)


# --- what was lost --------------------------------------------------------------------------------


class Watch:
    """Reader of what the stand-ins and the database say at the end."""

    def __init__(self, here, log):
        self.here, self.log, self.faults = here, log, []

    def check(self, is_well, what):
        self.log(f"{'ok   ' if is_well else 'FAULT'}  {what}")
        if not is_well:
            self.faults.append(what)

    def pause(self):
        """Seconds of the longest pause between two answers."""
        times = [at for (at,) in self.here.select("SELECT asked_at FROM exchanges ORDER BY 1")]
        return max((later - earlier).total_seconds() for earlier, later in pairwise(times))

    def finish(self):
        """Begin no more ticks, wait for those that run, and stop all processes."""
        for path in (self.here.home / "jobs").glob("*.toml"):
            path.unlink()
        until(lambda: not self.here.select(_UNFINISHED), "the last ticks", 300)
        for role in self.here.roles:
            self.check(self.here.stop(role) == 0, f"{role} ends")

    def everything(self, program, most_again=None, unasked=()):
        """Hold the database against what has to be in it; ticks in `unasked` states have no run."""
        here = self.here
        states = dict(here.select("SELECT state, COUNT(*) FROM ticks GROUP BY 1"))
        odd = states.keys() - {"done", *unasked}
        self.check(not odd, f"ticks by state: {states}")
        for what, sql in _WRONG.items():
            rows = here.select(sql)
            self.check(not rows, f"{what}: {len(rows)} {rows[:3] or ''}")
        due = [at for (at,) in here.select("SELECT due_at FROM ticks ORDER BY 1")]
        gaps = [earlier for earlier, later in pairwise(due) if later - earlier != _TICK]
        self.check(not gaps, f"a tick every minute: {len(due)} ticks, gaps after {gaps}")
        [(answers,)] = here.select("SELECT COUNT(*) FROM attempts WHERE final")
        wanted = states.get("done", 0) * _ITEMS
        self.check(answers == wanted, f"final answers: {answers} of {wanted}")
        asked = sum(httpx.get(f"{here.address}/asked").json().values())
        most = wanted + (here.kills if most_again is None else most_again) * IN_FLIGHT
        self.check(wanted <= asked <= most, f"questions that the services got: {asked}")
        code, said = here.command(program, "evidence", "verify")
        self.check(code == 0, f"evidence verify: {said.splitlines()[-1]}")
        traces = sum(here.said(role).count("Traceback") for role in here.roles)
        self.check(traces == 0, f"tracebacks in the logs: {traces}")


def ended(here, after):
    """Return whether a tick that was due after a time has ended, of each job."""
    rows = here.select(f"SELECT job FROM ticks WHERE due_at > '{after}' AND state = 'done'")
    return len({job for (job,) in rows}) > 1


def roll(here, old, new, chance, kills, log):  # noqa: PLR0915 - the steps of docs/operations.md
    """Collect with the old program, upgrade, collect with the new one; gives what was seen."""
    watch = Watch(here, log)
    assert here.command(old, "init", str(here.home / "starter"))[0] == 0
    for role in here.roles:
        here.start(role, old)
    until(lambda: ended(here, "2000-01-01"), "ticks of the old version", 300)
    log(f"old version: {len(here.select('SELECT 1 FROM ticks'))} ticks; kills begin")
    here.strike(chance, kills, 4 * kills)

    code, said = here.command(new, "status")
    watch.check((code, "older version" in said) == (4, True), f"new program, old schema: {said}")
    code, said = here.command(new, "db", "upgrade")
    watch.check((code, "stop" in said) == (4, True), f"upgrade beside old processes: {said}")

    frozen = here.processes.pop("worker-2")
    frozen.send_signal(signal.SIGSTOP)
    until(lambda: here.command(new, "db", "upgrade")[1].count("worker") < 2, "the frozen one")
    log("an old worker is frozen; the others stop")
    began = time.monotonic()
    codes = {role: here.stop(role) for role in ("daemon",)}
    here.kill("worker-1")
    watch.check(set(codes.values()) == {0}, f"exit codes of those that were stopped: {codes}")
    stopped = time.monotonic()
    upgrade = subprocess.Popen(
        [str(new), "db", "upgrade"], cwd=here.home, env=here.environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(chance.uniform(0.5, 2.0))
    upgrade.kill()
    upgrade.wait()
    code, said = here.command(new, "db", "upgrade")
    watch.check(code == 0, f"upgrade, after one that was killed: {said.splitlines()[-1]}")
    upgraded = time.monotonic()
    page = here.page()
    watch.check(page in (200, 503), f"old pages beside the new schema: {page}")
    here.start("daemon", new)
    here.start("worker-1", new)
    here.start("worker-2", new)
    here.stop("web")
    here.start("web", new)
    now = datetime.now(UTC)
    until(lambda: here.page() == 200, "the new pages")
    log(
        f"stop {stopped - began:.1f} s, upgrade {upgraded - stopped:.1f} s, "
        f"pages again {time.monotonic() - began:.1f} s after the stop"
    )
    for words in (["worker"], ["daemon", "--jobs", str(here.home / "jobs")]):
        code, said = here.command(old, *words)
        watch.check((code, "newer version" in said) == (4, True), f"old {words[0]}: {said}")
    here.processes["frozen"] = frozen
    frozen.send_signal(signal.SIGCONT)
    log("the frozen worker goes on, beside the new schema")
    until(lambda: ended(here, now), "ticks of the new version", 300)
    here.strike(chance, kills, 4 * kills)
    now = datetime.now(UTC)
    until(lambda: ended(here, now), "ticks after the kills", 300)
    log(f"the old worker: {'at work' if frozen.poll() is None else f'ended {frozen.poll()}'}")
    frozen.kill()
    frozen.wait()
    watch.finish()
    pause = watch.pause()
    watch.check(pause <= LONGEST_PAUSE, f"longest pause between two answers: {pause:.1f} s")
    watch.everything(new)
    return watch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", default=OLD, help="a commit, or a folder with bin/monitor")
    parser.add_argument("--kills", type=int, default=10, help="before, and after the upgrade")
    parser.add_argument("--seed", default="1", help="of the moments and victims")
    parser.add_argument("--output", type=Path, default=Path("out/rolling.md"))
    chosen = parser.parse_args()
    log = Log(chosen.output)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rolling-")))
        old = Path(chosen.old) / "bin" / "monitor"
        if not old.exists():
            source = checked_out(chosen.old, folder / "old-source")
            old = environment(folder / "old", source)
        new = environment(folder / "new", ROOT)
        for program in (old, new):
            log(subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
                .stdout.strip())  # fmt: skip
        addresses = stack.enter_context(killing.services())
        server = stack.enter_context(postgres.running())
        home = folder / "home"
        home.mkdir()
        here = Installation(server.url(server.create()), home, addresses)
        with closing(here):
            chance = random.Random(chosen.seed)  # noqa: S311
            try:
                watch = roll(here, old, new, chance, chosen.kills, log)
            except BaseException as error:
                for role in here.roles:
                    error.add_note(f"--- {role}\n{here.said(role)[-2000:]}")
                raise
            if watch.faults:
                for role in here.roles:
                    log(f"--- {role}\n{here.said(role)[-3000:]}")
        log(f"{here.kills} kills; {len(watch.faults) or 'nothing'} not as it should be")
    return 1 if watch.faults else 0


if __name__ == "__main__":
    sys.exit(main())
