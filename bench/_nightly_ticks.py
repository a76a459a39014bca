"""A job of one engine and 3,000 sentences, and ticks of it as the daemon would make them.

In go a folder and a database, out come ticks that were asked (of what is recorded), read, heard,
measured, compared with those before and decided. Of the answers 2 % differ from tick to tick.
"""

import csv
import os
import random
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from bench._size import size
from monitor import pipeline
from monitor.jobs import load_audit
from monitor.model import RunKind, RunState
from tests.replay import ReplayFetcher

QUESTIONS = size(3_000, 60)
STEREOTYPES = 16
_FLIPS = 0.02
_JOB = """
name = "nightly"
description = "Nightly"
[schedule]
cron = "0 5 * * mon"
[[lists]]
name = "nightly@1"
[[engines]]
name = "firefox_translations"
targets = ["pt"]
[[measures]]
name = "masculine_rate"
"""
_LIST = """
name = "nightly"
version = 1
source_lang = "en"
title = "Nightly"
status = "unvalidated"
licence = "CC0-1.0"
"""


def text(number: int) -> str:
    return f"I am tired for the {number}th time today."


def audit_of(folder: Path, questions: int = QUESTIONS):
    """The job, whose files are written into a folder."""
    (folder / "lists").mkdir(parents=True)
    with (folder / "lists" / "nightly@1.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["key", "text", "stereotype"])
        writer.writerows((f"k{n}", text(n), n % STEREOTYPES + 1) for n in range(questions))
    (folder / "lists" / "nightly@1.toml").write_text(_LIST)
    (folder / "nightly.toml").write_text(_JOB)
    return load_audit(folder / "nightly.toml")


def translations(questions: int, due_at: datetime) -> dict[str, str]:
    """What is answered at a tick: mostly the same as at any other."""
    always, now = random.Random(1), random.Random(due_at.toordinal())  # noqa: S311 - nothing secret
    found = {}
    for number in range(questions):
        is_feminine = always.random() < 0.2 + 0.03 * (number % STEREOTYPES)
        is_feminine ^= now.random() < _FLIPS
        found[text(number)] = f"Estou {'cansada' if is_feminine else 'cansado'}, vez {number}."
    return found


@dataclass
class Took:
    """Seconds of one tick: in all, of processor time, and of its steps by their names."""

    seconds: float = 0.0
    busy: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)


def busy_time(database) -> float:
    """Processor time of this process, and of the server's processes of this database."""
    found = time.process_time()
    if database.writer.dialect.name == "postgresql":
        query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
        with database.read() as connection:
            pids = connection.exec_driver_sql(query).scalars().all()
        for pid in pids:
            with suppress(OSError):  # of a server on another machine
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def ended_time(database) -> float:
    """Processor time of the server's processes that have ended, whoever they worked for."""
    if database.writer.dialect.name != "postgresql":
        return 0.0
    with database.read() as connection:
        pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
    try:
        parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
        fields = Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # on another machine
        return 0.0
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def tick(database, audit, due_at: datetime) -> Took:
    """One whole tick; every question has to be answered."""
    questions = len(audit.lists[0].items)
    fetcher = ReplayFetcher(due_at, translations(questions, due_at))
    took = Took()
    last = ["begin", time.perf_counter()]

    def progress(name: str, *_: object) -> None:
        if name != last[0]:
            now = time.perf_counter()
            took.steps[last[0]] = took.steps.get(last[0], 0.0) + now - last[1]
            last[:] = [name, now]

    started, busy = time.perf_counter(), busy_time(database)
    run = pipeline.start(database, audit, RunKind.SCHEDULED, due_at)
    summary = pipeline.run(database, audit, run, fetcher, progress)
    took.seconds, took.busy = time.perf_counter() - started, busy_time(database) - busy
    progress("end")
    assert summary.state is RunState.DONE, summary
    assert summary.answered == questions, summary
    assert summary.points, "values were computed"
    return took
