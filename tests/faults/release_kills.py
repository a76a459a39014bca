"""Kill `monitor export release --incremental` and `monitor erase` at random moments (SIGKILL).

    python -m tests.faults.release_kills --kills 100

Each kill begins with a released archive that has changed since: it has a run more, or somebody was
erased. After it, people see the release before or the one after, through `latest.json` and
`duckdb.sql`; the same commands again make the release that undisturbed ones make.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import sqlalchemy as sa

from monitor.store import migrations
from monitor.store.database import connect
from monitor.store.schema import erasures, runs
from tests import warm
from tests.conftest import copy_sqlite
from tests.demo import HOSTILE, build
from tests.factories import rows

RELEASE = ("export", "release", "r", "--incremental", "--full")
ERASE = ("erase", HOSTILE, "--reason", "request 17", "--yes", "--no-vacuum")
_HOSTILE = "=HYPERLINK"
_LAST = "SELECT MAX(id) AS id FROM runs WHERE job = 'mt-weekly'"


def see(folder):
    """{table: digest of its rows} as people see them, and faults of the files that are named."""
    manifest, faults = json.loads((folder / "latest.json").read_text("utf-8")), []
    for part in manifest["parts"].values():
        for file in part["files"].values():
            path = folder / file["path"]
            content = path.read_bytes() if path.exists() else b""
            if hashlib.sha256(content).hexdigest() != file["sha256"]:
                faults.append(f"{file['path']} is not what latest.json says")
    tables = {}
    with closing(duckdb.connect()) as reader:
        reader.execute(f"SET file_search_path = '{folder}'; SET threads = 1")
        reader.execute((folder / "duckdb.sql").read_text("utf-8"))
        for name in manifest["tables"]:
            seen = sorted(map(repr, reader.execute(f"SELECT * FROM {name}").fetchall()))
            tables[name] = len(seen), hashlib.sha256("".join(seen).encode()).hexdigest()
    return tables, faults


@dataclass
class Scene:
    """Folders that each kill begins with, and what is seen before and after.

    `grown` has a release that lacks a run, `erased` one of an archive that loses somebody.
    """

    folder: Path
    states: dict = field(default_factory=dict)
    takes: dict = field(default_factory=dict)

    def prepare(self, demo):
        """Make the folders from an archive."""
        for kind in ("grown", "erased"):
            home = self.folder / kind
            home.mkdir()
            copy_sqlite(demo / "monitor.db", home / "monitor.db")
            if (demo / "bodies").exists():
                shutil.copytree(demo / "bodies", home / "bodies")
            with closing(connect(f"sqlite:///{home / 'monitor.db'}", home / "bodies")) as database:
                if kind == "grown":
                    self._hide_last_run(database, home)
                else:
                    self.run(home, RELEASE)
            before = see(home / "r")[0]
            trial = self.begin(kind)
            for command in commands(kind):
                began = time.monotonic()
                self.run(trial, command)
                self.takes[command] = time.monotonic() - began
            self.states[kind] = before, see(trial / "r")[0]
            assert before != self.states[kind][1]
        return self

    def _hide_last_run(self, database, home):
        [last] = rows(database, _LAST)
        of_run = sa.update(runs).where(runs.c.id == last["id"])
        with database.read() as connection:
            at = connection.execute(
                sa.select(runs.c.finished_at).where(runs.c.id == last["id"])
            ).scalar_one()
        with database.begin() as connection:
            connection.execute(of_run.values(finished_at=None))
        self.run(home, RELEASE)
        with database.begin() as connection:
            connection.execute(of_run.values(finished_at=at))

    def begin(self, kind):
        """A copy of a folder that a kill begins with."""
        trial = self.folder / "trial"
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(self.folder / kind, trial)
        return trial

    def start(self, home, command):
        """A process of the program in a folder."""
        environment = os.environ | {"MONITOR_ADDRESS_KEY": "a long random text"}
        for name in ("MONITOR_HOME", "MONITOR_DATABASE"):
            environment.pop(name, None)
        with (home / "said").open("ab") as said:
            return warm.begin(
                "monitor.cli", command, folder=home, environment=environment, said=said
            )

    def run(self, home, command):
        """Run a command to its end."""
        code = self.start(home, command).wait()
        assert code == 0, (home / "said").read_text("utf-8")


def commands(kind):
    """The commands that bring a release of this kind up to date."""
    return (RELEASE,) if kind == "grown" else (ERASE, RELEASE)


def kill(scene, kind, draw):
    """Kill once; returns (command, what was seen after it, faults).

    Nothing is returned where the command had ended before: kills come earlier from then on.
    """
    before, after = scene.states[kind]
    home = scene.begin(kind)
    doomed = draw.choice(commands(kind))
    for command in commands(kind):
        if command == doomed:
            break
        scene.run(home, command)
    is_resumed = kind == "grown" and draw.random() < 0.3
    if is_resumed:  # as if it had been killed before
        for path in sorted((home / "r" / "data").rglob("*.parquet"))[::3]:
            path.rename(path.with_name(path.name + ".part"))
    process = scene.start(home, doomed)
    time.sleep(scene.takes[doomed] * draw.random())
    process.kill()
    if process.wait() == 0:
        scene.takes[doomed] *= 0.9
        return None
    seen, faults = (before, []) if is_resumed else see(home / "r")
    if seen not in (before, after):
        faults.append("a release that is neither the one before nor the one after")
    state = "resumed" if is_resumed else "before" if seen == before else "after"
    for command in commands(kind):
        scene.run(home, command)
    seen, left = see(home / "r")
    faults += left
    if seen != after:
        faults.append("not the release that undisturbed commands make")
    faults += find_leftovers(home)
    if kind == "erased":
        faults += find_erased(home)
    return doomed[0], state, faults


def find_leftovers(home):
    """Files that no release names."""
    release = home / "r"
    parts = json.loads((release / "latest.json").read_text("utf-8"))["parts"].values()
    named = {file["path"] for part in parts for file in part["files"].values()}
    there = {str(path.relative_to(release)) for path in (release / "data").rglob("*.*")}
    return [f"{path} is left over" for path in there - named if (release / path).is_file()]


def find_erased(home):
    """Places that still hold what was erased, and erasures that were counted twice."""
    faults = []
    with closing(duckdb.connect()) as reader:
        for path in (home / "r" / "data").rglob("*.*"):
            if path.is_file():
                text = repr(reader.execute(f"FROM read_parquet('{path}')").fetchall())
                faults += [f"{path}: holds what was erased"] if _HOSTILE in text else []
    manifest = json.loads((home / "r" / "latest.json").read_text("utf-8"))
    stones = Counter(stone["path"] for stone in manifest["tombstones"])
    if not stones or max(stones.values()) > 1:
        faults.append(f"tombstones: {stones}")
    database = connect(f"sqlite:///{home / 'monitor.db'}", home / "bodies")
    with closing(database), database.read() as connection:
        counts = connection.execute(sa.select(erasures.c.counts)).scalars().all()
    if sum(1 for count in counts if count.get("items")) != 1:
        faults.append(f"erasures: {counts}")
    return faults


def kill_often(scene, n, seed, say=lambda _: None):
    """Kill so often in each kind; returns the faults."""
    draw, every = random.Random(seed), []  # noqa: S311 - no secret
    for kind in scene.states:
        table = Counter()
        while table.total() < n:
            killed = kill(scene, kind, draw)
            if not killed:
                continue
            command, state, faults = killed
            table[command, state] += 1
            every += [f"{kind} {table.total()}: {fault}" for fault in faults]
            say(f"{kind} {table.total()}/{n}: {command} {state} {faults or ''}")
        for (command, state), count in sorted(table.items()):
            say(f"| {kind} | {command} | {state} | {count} |")
    return every


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=100, help="of each kind")
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="release-kills-") as name:
        folder = Path(name)
        with closing(connect(f"sqlite:///{folder / 'empty.db'}", folder / "none")) as database:
            migrations.upgrade(database)
        demo = folder / "demo"
        for part in ("mt", "people", "lm"):
            (demo / part).mkdir(parents=True)
        build(folder / "empty.db", demo)
        faults = kill_often(Scene(folder).prepare(demo), chosen.kills, chosen.seed, say)
    say("\n".join([f"{len(faults) or 'nothing'} not as it should be", *faults]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
