"""Re-measuring kept translations under a new version of a language.

    python bench/redo.py [--answers 100000] [--reference N] [--processes 2] [--distinct]

Makes weekly runs of the 3,555 GEST sentences into Czech, answered with the published translations
of DeepL and of Amazon in turn, through the program's own planning, storing and deriving, in a
process of its own. Then the language gets a new version, in this program only, and what is kept, or
the runs of the first N answers, is derived anew by one process: that is the reference. Then it gets
another one, and so many processes do it all. Printed are times, rates, processor time and the peak
of memory. Every new point is checked against the old one: the rules are the same, so the values
are. The texts are the same from week to week, as they mostly are; processes of a pool remember what
they heard in them. With `--distinct` no two texts of all runs are equal.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from multiprocessing import forkserver
from pathlib import Path

import sqlalchemy as sa

from bench._size import size
from monitor import pipeline, registry
from monitor.jobs import load_audit
from monitor.model import Answer, LocalRequest, Outcome, RunKind, RunState
from monitor.stages.collect.requests import describe_request
from monitor.store import migrations
from monitor.store.collect import evidence, runs
from monitor.store.database import connect

SYSTEMS = ("deepl", "amazon_translate")
FIRST = datetime(2020, 1, 6, 5, tzinfo=UTC)
BATCH = 16
OWN = registry.known_language("cs").version
SENTENCES = size(3_555, 160)
BAR = 120.0


def set_version(version: int) -> None:
    """Let Czech be of another version in this process."""
    newer = replace(registry.language("cs"), version=version)
    registry.discover("languages")["cs"] = newer
    registry.known_language.cache_clear()


#: Which version the processes of the pool have.
_VERSION = "BENCH_REDO_VERSION"

if __name__ == "__mp_main__" and _VERSION in os.environ:
    set_version(int(os.environ[_VERSION]))


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_job(folder: Path, data: Path) -> Path:
    (folder / "lists").mkdir()
    sentences = rows_of(data / "gest.csv")
    with (folder / "lists" / "gest@1.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["key", "text", "stereotype"])
        for number, row in enumerate(sentences):
            writer.writerow([f"g{number}", row["sentence"], row["stereotype"]])
    (folder / "lists" / "gest@1.toml").write_text(
        'name = "gest"\nversion = 1\nsource_lang = "en"\ntitle = "GEST"\n'
        'status = "unvalidated"\nlicence = "Apache-2.0"\nrepeated_texts = true\n'
    )
    (folder / "bench.toml").write_text(
        'name = "bench"\ndescription = "Bench"\n[schedule]\ncron = "0 5 * * mon"\n'
        '[[lists]]\nname = "gest@1"\n'
        '[[engines]]\nname = "firefox_translations"\ntargets = ["cs"]\n'
        '[[measures]]\nname = "masculine_rate"\n'
    )
    return folder / "bench.toml"


def answer(texts: list[str], now: datetime) -> Answer:
    body = json.dumps({"translations": texts}, ensure_ascii=False).encode()
    return Answer(Outcome.OK, now, 0.1, body=body)


def collect(database, audit, number: int, texts: dict[str, str]) -> int:
    """One weekly run with all its answers; returns how many."""
    due_at = FIRST + timedelta(weeks=number)
    run = pipeline.start(database, audit, RunKind.SCHEDULED, due_at)
    [(use, engine)] = audit.engines
    recorder = evidence.Recorder(database, run.id, audit.job.tries)
    with database.begin() as connection:
        engine_id = runs.ensure_engine(connection, engine, use)
        asked = evidence.find_open_attempts(connection, run.id, engine_id)
        some = []
        for start in range(0, len(asked), BATCH):
            batch = tuple(asked[start : start + BATCH])
            request = engine.request([one.probe for one in batch], use.fill_config(engine))
            assert isinstance(request, LocalRequest)
            given = answer([texts[one.probe.text] for one in batch], due_at)
            some.append(evidence.SettledAnswer(batch, describe_request(request), given))
        recorder.record(connection, some)
        runs.set_state(connection, run.id, RunState.DONE, due_at)
    return len(asked)


def generate(database, folder: Path, data: Path, answers: int, *, distinct: bool) -> int:
    """Write runs until there are so many answers."""
    audit = load_audit(write_job(folder, data))
    sentences = {row["sentence"] for row in rows_of(data / "gest.csv")}
    translated = []
    for system in SYSTEMS:
        known = rows_of(data / "translations" / system / "cs.csv")
        found = {row["source"]: row["translation"] for row in known}
        translated.append({text: found.get(text, "") for text in sentences})
    done = number = 0
    while done < answers:
        texts = translated[number % len(SYSTEMS)]
        if distinct:
            texts = {text: f"{one} ({number})" for text, one in texts.items()}
        done += collect(database, audit, number, texts)
        number += 1
    return done


def redo(database, processes: int, most: int | None = None):
    """(seconds, processor seconds of this process, answers, what was done)."""
    busy, started = time.process_time(), time.perf_counter()
    with database.read() as connection:
        wanted = runs.list_ended(connection)[:most]
    todo, left_out = pipeline.to_redo(database, wanted)
    assert not left_out, left_out[0].reason
    done = pipeline.redo(database, todo, lambda *_: None, processes=processes)
    assert not done.left_out, done.left_out[0].reason
    took, busy = time.perf_counter() - started, time.process_time() - busy
    return took, busy, sum(one.answers for one in todo), done


class Helpers(threading.Thread):
    """Watches the processes of the pool: seconds of processor time, megabytes at most in one."""

    def __init__(self):
        super().__init__(daemon=True)
        self._busy: dict[int, float] = {}
        self._peak, self._over = 0.0, threading.Event()

    def run(self):
        while not self._over.wait(0.2):
            server = forkserver._forkserver._forkserver_pid  # noqa: SLF001 - no public way
            children = Path(f"/proc/{server}/task/{server}/children")
            for pid in children.read_text().split() if children.exists() else ():
                with suppress(OSError, IndexError):  # one that has ended says no more
                    self._look(int(pid))

    def _look(self, pid: int) -> None:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        self._busy[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        status = Path(f"/proc/{pid}/status").read_text()
        self._peak = max(self._peak, int(status.partition("VmHWM:")[2].split()[0]) / 1024)

    def seen(self) -> tuple[float, float]:
        """(seconds of processor time of all, megabytes at most in one)."""
        self._over.set()
        self.join()
        return sum(self._busy.values()), self._peak


POINTS = """
    SELECT s.quantity, s.scope, p.run_id, p.state, p.value, p.bound_low, p.bound_high
    FROM points p JOIN series_keys s ON s.id = p.series_id
    WHERE p.is_current ORDER BY s.id, p.run_id
"""


def points_of(database) -> list[tuple[object, ...]]:
    with database.read() as connection:
        return [tuple(row) for row in connection.execute(sa.text(POINTS))]


def peak() -> float:
    """Megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report(name: str, took: float, busy: float, answers: int, done) -> None:
    print(
        f"{name}: {answers:,} translations in {took:.1f} s ({busy:.1f} s of processor time here), "
        f"{answers / took:,.0f}/s; {done.points:,} points, {done.switched:,} series went over; "
        f"peak {peak():,.0f} MB here",
        flush=True,
    )


def make(chosen, database, folder: Path) -> None:
    """Answers, and what follows from them at first."""
    data = chosen.data if (chosen.data / "gest.csv").exists() else chosen.data / "gest"
    started = time.perf_counter()
    made = generate(database, folder, data, chosen.answers, distinct=chosen.distinct)
    print(f"{made:,} answers made in {time.perf_counter() - started:.1f} s", flush=True)
    first = redo(database, chosen.processes)
    report(f"read, heard and computed for the first time, {chosen.processes} processes", *first)


def measure(chosen, database) -> None:
    first = points_of(database)
    set_version(OWN + 1)
    some = None if chosen.reference is None else -(-chosen.reference // SENTENCES)
    alone = redo(database, 1, some)
    report("new version of the language, 1 process (reference)", *alone)
    set_version(OWN + 2)
    os.environ[_VERSION] = str(OWN + 2)
    helpers = Helpers()
    helpers.start()
    took = redo(database, chosen.processes)
    report(f"new version of the language, {chosen.processes} processes", *took)
    busy, most = helpers.seen()
    print(f"the others: {busy:.1f} s of processor time, at most {most:,.0f} MB in one")
    assert took[3].points == len(first)
    assert points_of(database) == first, "the same rules give the same values"
    rates = [one[2] / one[0] for one in (took, alone)]
    cores = (took[1] + busy) / took[2] * 1e6 / 2
    print(
        f"{rates[0] / rates[1]:.2f} times as fast as one process; for a million "
        f"{1e6 / rates[0]:.0f} s here, {cores:.0f} s on two cores with nothing else to do (bar "
        f"{BAR:.0f} s)"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument(
        "--reference", type=int, help="answers that one process does; all if left out"
    )
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--database", default="", help="SQLAlchemy URL of an empty database")
    parser.add_argument("--data", type=Path, default=os.environ.get("MONITOR_REFERENCE_DATA", ""))
    parser.add_argument("--distinct", action="store_true", help="no text comes twice")
    parser.add_argument("--make", type=Path, help="only make the answers, in this folder")
    parser.add_argument("--kept", type=Path, help="a folder where they were made before")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = chosen.make or chosen.kept or Path(name)
        database = connect(chosen.database or f"sqlite:///{folder / 'bench.db'}", folder / "bodies")
        migrations.upgrade(database)
        if chosen.make:
            make(chosen, database, folder)
        else:
            if not chosen.kept:
                again = [sys.executable, __file__, *sys.argv[1:], "--make", str(folder)]
                subprocess.run(again, check=True)
            measure(chosen, database)
        database.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
