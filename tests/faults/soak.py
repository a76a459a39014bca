"""The long form of the fault suite: `make soak`.

100 kills (-9) of runs on SQLite, 100 on PostgreSQL with a daemon and two workers, ten to a run, and
a server that is away for a minute. Out come a table of the kills, on standard output and in a file,
and exit code 1 if anything was not as it should be.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

from monitor.store import migrations
from monitor.store.database import connect
from tests.faults import killing
from tests.faults.killing import (
    EXPECTED,
    HEADER,
    QUESTIONS,
    Installation,
    strokes,
    struck,
    until,
    wrong,
)
from tests.faults.outage import stoppable

_PER_RUN = 10
_SOME = 100
ROLES = {"SQLite": ("daemon",), "PostgreSQL": ("daemon", "worker-1", "worker-2")}


class Log:
    """Lines for a person who watches, and for a file."""

    def __init__(self, path):
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")

    def __call__(self, line=""):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


class Places:
    """Makes homes with migrated databases."""

    def __init__(self, folder, outages):
        self._folder, self.outages, self._serial = folder, outages, count(1)
        self._template = outages.server.create()
        self._migrate(outages.server.url(self._template), folder)

    def _migrate(self, url, home):
        with closing(connect(url, home / "bodies")) as database:
            migrations.upgrade(database)

    @contextmanager
    def home(self, name, addresses):
        """An installation on the database of this name."""
        home = self._folder / f"home-{next(self._serial)}"
        home.mkdir()
        if name == "SQLite":
            url = f"sqlite:///{home / 'monitor.db'}"
            self._migrate(url, home)
        else:
            url = self.outages.server.url(self.outages.database(self._template))
        with closing(Installation(url, home, addresses, ROLES[name])) as here:
            yield here


class Soak:
    """What happened so far."""

    def __init__(self, places, addresses, log, seed):
        self.places, self.addresses, self.log, self.seed = places, addresses, log, seed
        self.faults, self.phases = [], Counter()
        self.undisturbed = None

    def calm(self):
        """A run that nobody disturbs."""
        with self.places.home("SQLite", self.addresses) as here:
            struck(here, [])
            assert here.left() == EXPECTED
            assert here.times_asked() == QUESTIONS
            self.undisturbed = here.points()

    def kills(self, name, wanted):
        """So many kills on a database, in as many runs as it takes."""
        self.log(f"\n{name}: {wanted} kills of runs of {killing.PROBES} probes ({QUESTIONS:,}")
        self.log("questions), each asked for its answer until that is stored\n")
        self.log(f"| no. | run | {HEADER} |")
        self.log("|--:|--:|---|---|---|--:|--:|--:|--:|")
        done, run, asked, before = 0, 0, 0, len(self.faults)
        while done < wanted:
            run += 1
            count_ = min(_PER_RUN, wanted - done)
            with self.places.home(name, self.addresses) as here:
                planned = strokes(f"{self.seed} {name} {run}", count_, ROLES[name])
                found = struck(here, planned, self._teller(run, done))
                faults = wrong(here, found, self.undisturbed)
                asked += here.times_asked()
            self.faults += [f"{name}, run {run}: {one}" for one in faults]
            self.phases.update((name, one.phase) for one in found)
            done += len(found)
        again = (asked - run * QUESTIONS) / done
        self.log(
            f"\n{name}: {done} kills in {run} runs; answers planned {run * QUESTIONS:,}, "
            f"questions asked {asked:,} ({again:.1f} again for each kill); "
            f"faults {len(self.faults) - before}"
        )

    def outage(self, seconds):
        """The server is gone for so long in the middle of a run."""
        with self.places.home("PostgreSQL", self.addresses) as here:
            here.supervise()
            until(lambda: here.stored() >= _SOME, "some answers")
            self.places.outages.stop()
            time.sleep(seconds)
            alive = len(here.processes) - len(here.dead())
            self.places.outages.start()
            until(here.ended, "the end of the run")
            faults = wrong(here, [], self.undisturbed)
            ended = set(here.stop())
            if faults:
                sys.stderr.write(here.said())
        if alive != len(here.processes) or ended != {0}:
            faults.append("a process did not outlive it")
        self.faults += [f"outage: {one}" for one in faults]
        self.log(
            f"\nPostgreSQL away for {seconds} s in the middle of a run: {alive} of "
            f"{len(here.processes)} processes stayed; faults {len(faults)}"
        )

    def _teller(self, run, done):
        numbers = count(done + 1)
        return lambda one: self.log(f"| {next(numbers)} | {run} | {one.row} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="on each database")
    parser.add_argument("--away", type=int, default=60, help="seconds without the server")
    parser.add_argument("--seed", default="1", help="of the moments and victims")
    parser.add_argument("--output", type=Path, default=Path("out/soak.md"))
    chosen = parser.parse_args()
    began, log = time.monotonic(), Log(chosen.output)
    with (
        tempfile.TemporaryDirectory(prefix="soak-") as folder,
        stoppable() as outages,
        killing.services() as addresses,
    ):
        soak = Soak(Places(Path(folder), outages), addresses, log, chosen.seed)
        soak.calm()
        for name in ROLES if chosen.kills else ():
            soak.kills(name, chosen.kills)
        soak.outage(chosen.away)
    if soak.phases:
        log("\n| database | phase | kills |\n|---|---|--:|")
    for (name, phase), n in sorted(soak.phases.items()):
        log(f"| {name} | {phase} | {n} |")
    minutes = (time.monotonic() - began) / 60
    log(f"\n{minutes:.0f} minutes; {len(soak.faults) or 'nothing'} not as it should be")
    for one in soak.faults:
        log(f"- {one}")
    return 1 if soak.faults else 0


if __name__ == "__main__":
    sys.exit(main())
