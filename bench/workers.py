"""Four workers on one PostgreSQL beside one, over eight engines that answer after 100 ms.

The server keeps what it is told on a disk (fsync is on). Workers are there before the run begins;
answers are counted from the first request to the last answer. While locks hold, no engine has two
requests at once: overlaps are counted, and must be none.
"""

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import collect  # beside this file
import sqlalchemy as sa

from bench._size import size
from monitor import pipeline
from monitor.jobs import load_audit
from monitor.model import RunKind, TaskState
from monitor.store import migrations
from monitor.store.database import connect
from monitor.store.schedule import tasks
from monitor.store.schema import exchanges
from monitor.work import queue

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))  # the server is the one of the tests

from tests import postgres  # noqa: E402 - see above

ENGINES = 8
QUESTIONS = size(20, 3)
DELAY = 0.1
MANY = size(4, 2)
AT_ONCE = size((1, 2), (2,))
BAR = 2.5
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
_PATIENCE = 120.0


@contextmanager
def server():
    """A PostgreSQL that keeps its data on a disk, and waits for it."""
    postgres._SETTINGS.update(DURABLE)  # noqa: SLF001 - the tests want it fast, we durable
    postgres._memory_or_disk = lambda: "/var/tmp"  # noqa: S108, SLF001 - not in memory
    with postgres.running() as found:
        yield found


def audit_of(folder: Path, ports: list[int], questions: int):
    """A job that asks every server the same questions, one at a time."""
    folder.mkdir()
    name = f"bench-{questions}"
    collect.write_list(folder, questions, name)
    engines = "".join(
        '[[engines]]\nname = "libretranslate"\ntargets = ["pt"]\npace = 1000000\nin_flight = 1\n'
        f'own = true\nconfig = {{ base_url = "http://127.0.0.1:{port}" }}\n'
        for port in ports
    )
    (folder / "bench.toml").write_text(
        'name = "bench"\ndescription = "Bench"\n[schedule]\ncron = "0 5 * * mon"\n'
        f'[[lists]]\nname = "{name}@1"\n{engines}[[measures]]\nname = "masculine_rate"\n'
    )
    return load_audit(folder / "bench.toml")


@contextmanager
def workers(count: int, at_once: int, url: str, folder: Path):
    environment = {
        "PATH": os.environ["PATH"],
        "MONITOR_DATABASE_URL": url,
        "MONITOR_CONTACT": "bench@monitor.test",
    }
    command = [sys.executable, "-m", "monitor.cli", "worker", "--at-once", str(at_once)]
    running = [
        subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.DEVNULL)
        for _ in range(count)
    ]
    try:
        yield
    finally:
        for one in running:
            one.terminate()
        codes = [one.wait() for one in running]
    assert codes == [0] * count, codes


def _until(condition) -> None:
    until = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.05)


def _spans(database, run_id: int) -> dict[int, list[tuple[datetime, float]]]:
    """{engine: [(asked at, seconds it took)]} of a run, in order."""
    query = (
        sa.select(exchanges.c.engine_id, exchanges.c.asked_at, exchanges.c.took)
        .where(exchanges.c.run_id == run_id, exchanges.c.outcome == "ok")
        .order_by(exchanges.c.engine_id, exchanges.c.asked_at)
    )
    found: dict[int, list[tuple[datetime, float]]] = {}
    with database.read() as connection:
        for engine_id, asked_at, took in connection.execute(query):
            found.setdefault(engine_id, []).append((asked_at, took))
    return found


def overlaps(spans) -> int:
    """Requests that left before the one before them, to the same engine, was answered."""
    return sum(
        (later - earlier).total_seconds() < took
        for some in spans.values()
        for (earlier, took), (later, _) in pairwise(some)
    )


def collected(database, audit) -> int:
    """Run a job with the workers that are there; returns its number."""
    run = pipeline.start(database, audit, RunKind.MANUAL, datetime.now(UTC))
    with database.begin() as connection:
        tasks.plan_tasks(connection, run.id, pipeline.by_lane(audit))

    def is_done() -> bool:
        with database.read() as connection:
            return {one.state for one in tasks.list_run_tasks(connection, run.id)} == {
                TaskState.DONE
            }

    _until(is_done)
    return run.id


def rate(audits, count: int, at_once: int, found, template: str, folder: Path):
    """(answers a second, overlaps) of so many workers, which are warm: a short job comes first."""
    url = found.url(found.create(template))
    database = connect(url, folder / "bodies")

    def alive() -> bool:
        with database.read() as connection:
            query = "SELECT COUNT(*) FROM processes"
            return connection.exec_driver_sql(query).scalar() == count

    with workers(count, at_once, url, folder):
        _until(alive)
        last = [collected(database, audit) for audit in audits][-1]
    spans = _spans(database, last)
    database.close()
    asked = sorted(one for some in spans.values() for one in some)
    assert len(asked) == ENGINES * QUESTIONS, f"{len(asked)} answers are kept"
    ends = max(at.timestamp() + took for at, took in asked)
    return len(asked) / (ends - asked[0][0].timestamp()), overlaps(spans)


def result(at_once: int) -> tuple[float, float, int]:
    """(answers a second of four workers, of one, overlaps), tasks at once by each."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ports = [stack.enter_context(collect.loopback(DELAY)) for _ in range(ENGINES)]
        found = stack.enter_context(server())
        template = found.create()
        made = connect(found.url(template), folder / "bodies")
        migrations.upgrade(made)
        queue.ensure_queue(made)
        made.close()
        audits = [audit_of(folder / str(count), ports, count) for count in (2, QUESTIONS)]
        one, overlaps_of_one = rate(audits, 1, at_once, found, template, folder)
        many, overlaps_of_many = rate(audits, MANY, at_once, found, template, folder)
    return many, one, overlaps_of_one + overlaps_of_many


if __name__ == "__main__":
    for number in AT_ONCE:
        ours, alone, both = result(number)
        print(
            f"{MANY} workers, {number} at once: {ours:.0f}/s; one: {alone:.0f}/s; "
            f"x{ours / alone:.2f} (bar {BAR}), {both} overlaps"
        )
