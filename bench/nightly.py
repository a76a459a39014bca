"""A nightly step, series and reports in an archive of many years, beside an empty one.

    python bench/nightly.py [--questions 1260] [--ticks 50] [--folder /var/tmp/big]
    python bench/nightly.py --database postgresql://.../archive --beside postgresql://.../other

Fills a database with 4,000 series, 200,000 points and 10 million answers, each with its reading,
item and signal (`many_points.py`), and has a job make the same ticks in it and in one without all
this: it asks 3,000 recorded questions, reads, hears, measures, compares and decides. In the archive
the job has nearly a year of ticks of its own, in the other one three, so that both compare alike.
The two take turns. Printed are medians and their ratio, then the slowest statements of series and
of reports, and what the weekly report of all takes. Processor time is that of this process and of
the server's for its connections, where it runs on this machine; all is held against the bars by it,
as other work on the machine makes it but a little longer. `--rounds 0` leaves out the steps.

`--folder` keeps the databases, and goes on with them when they are there; those that are named by
`--database` and `--beside` are two of a server, empty or filled by this script.
"""

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import _nightly_queries as queries
from bench._nightly_ticks import Took, audit_of, ended_time, tick
from bench._points_rows import FIRST_TICK, Size
from bench.many_points import generate
from monitor.model import RunKind
from monitor.stages.reports.run_report import make_report
from monitor.stages.reports.weekly.report import make_weekly
from monitor.store import migrations
from monitor.store.changes import comparisons, series
from monitor.store.changes.series import Filters
from monitor.store.collect import runs
from monitor.store.database import Database, connect
from monitor.store.schema import series_keys

ROOT = Path(__file__).parent.parent
BAR = 1.20
REPORT_BAR = 30.0
#: (seconds of a series query, seconds of a report query)
BARS = {"sqlite": (0.060, 0.400), "postgresql": (0.030, 0.200)}
#: Ticks of the job's own in the database that is empty otherwise: a step, a week ago, the first.
FEW = 3
SHOWN = 8
UTC = ZoneInfo("UTC")
SERIES = 12


def fill(database: Database, size: Size) -> None:
    started = time.perf_counter()
    written = list(generate(database, size))[-1]
    with database.read() as connection:
        items = connection.exec_driver_sql("SELECT COUNT(*) FROM items").scalar()
    took = time.perf_counter() - started
    print(f"{items:,} items and {written:,} points in {took:.0f} s", flush=True)


def weeks(number: int):
    return FIRST_TICK + timedelta(weeks=number)


def own_ticks(database: Database) -> int:
    """How many weeks the job's newest tick is after the first; -1 without any."""
    query = sa.text("SELECT COUNT(*) FROM runs WHERE job = 'nightly'")
    with database.read() as connection:
        if not connection.execute(query).scalar():
            return -1
        newest = [
            run for run in runs.list_ended(connection, "nightly") if run.kind is RunKind.SCHEDULED
        ]
    return max((run.due_at - FIRST_TICK).days // 7 for run in newest)


def catch_up(database: Database, audit, first: int, until: int) -> None:
    for week in range(max(first, own_ticks(database) + 1), until):
        tick(database, audit, weeks(week))


# --- the nightly step -----------------------------------------------------------------------------


def step(big: Database, small: Database, audit, until: int, rounds: int) -> None:
    if not rounds:
        return
    first = max(until, own_ticks(big) + 1, own_ticks(small) + 1)
    pairs: list[tuple[Took, Took]] = []
    for number in range(rounds + 1):
        order = (big, small) if number % 2 else (small, big)
        found = {id(one): tick(one, audit, weeks(first + number)) for one in order}
        if number:  # the first warms up both
            pairs.append((found[id(big)], found[id(small)]))
    for place, name in enumerate(("in the archive", "in a database that is empty otherwise")):
        some = [pair[place] for pair in pairs]
        steps = ", ".join(
            f"{step} {statistics.median(one.steps.get(step, 0.0) for one in some):.2f}"
            for step in some[0].steps
        )
        seconds, busy = (statistics.median(map(of, some)) for of in (_seconds, _busy))
        print(f"nightly step {name}: {seconds:.2f} s, {busy:.2f} s of processor time ({steps})")
    ratio = statistics.median(a.seconds / b.seconds for a, b in pairs)
    busy = statistics.median(a.busy / b.busy for a, b in pairs)
    said = "met" if busy <= BAR else "MISSED"
    print(f"ratio of processor time {busy:.2f} (bar {BAR:.2f}, {said}), of all time {ratio:.2f}")
    print(f"{_load()}", flush=True)


def _load() -> str:
    """Of a machine that does other work as well, times are not of this alone."""
    return f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def _seconds(one: Took) -> float:
    return one.seconds


def _busy(one: Took) -> float:
    return one.busy


# --- queries --------------------------------------------------------------------------------------


def of_one_series(connection: sa.Connection) -> None:
    """All that is asked of single series."""
    every = connection.execute(sa.select(series_keys.c.id)).scalars().all()
    for number in random.Random(1).sample(every, min(SERIES, len(every))):  # noqa: S311 - no secret
        one = series.get_series(connection, number)
        series.find_single(connection, Filters(
            engine=one.engine, target=one.target, quantity=one.quantity,
            scope=one.scope, job=one.job,
        ))  # fmt: skip
        series.read_summaries(connection, [one])
        series.read_newest_marks(connection, [one])
        ticks = series.read_grid(connection, one.id)
        series.read_grid(connection, one.id, weeks(10), weeks(20))
        series.find_not_asked(connection, ticks)
        for known in series.list_signatures(connection, one.id):
            series.read_grid(connection, one.id, signature=known.hash)
        series.read_comparisons(connection, [one.id])
        series.read_changes(connection, [one.id])
        series.read_switches(connection, [one.id])


def of_list(connection: sa.Connection) -> None:
    """The list of series over all questions, as `monitor series list` reads it."""
    overall = series.find_series(connection, Filters(scope=series.ALL))
    series.read_summaries(connection, overall)
    series.read_newest_marks(connection, overall)


def of_whole_list(connection: sa.Connection) -> None:
    """The list of all series, those over parts of the questions as well."""
    every = series.find_series(connection, Filters())
    series.read_summaries(connection, every)
    series.read_newest_marks(connection, every)


def of_week(connection: sa.Connection) -> None:
    make_weekly(connection, [], weeks(_last(connection)), UTC)


def _last(connection: sa.Connection) -> int:
    """The week of the newest tick of the archive."""
    newest = max(run.due_at for run in runs.list_ended(connection, "bench-1"))
    return (newest - FIRST_TICK).days // 7


def of_run(connection: sa.Connection) -> None:
    """The report of a run, and of its engines against each other."""
    newest = max(runs.list_ended(connection, "nightly"), key=lambda run: run.due_at)
    make_report(connection, newest.id, UTC)
    comparisons.find_comparisons(connection, newest.id)


def ask(database: Database) -> None:
    bars = BARS[database.writer.dialect.name]
    for name, bar, read in (
        ("one series", bars[0], of_one_series),
        ("the list of series", bars[1], of_list),
        ("the list of all series, of parts as well", bars[1], of_whole_list),
        ("the weekly report", bars[1], of_week),
        ("the report of a run", bars[1], of_run),
    ):
        found = queries.timed(database, read)
        over = [one for one in found if one.busy > bar]
        print(
            f"statements of {name}: {len(found)} places, bar {bar * 1e3:.0f} ms, {len(over)} over"
        )
        for one in found[: max(SHOWN, len(over))]:
            print(
                f"  {one.busy * 1e3:7.1f} ms of processor time, {one.seconds * 1e3:.1f} ms in all: "
                f"{one.place} ({one.rows:,} rows)",
                flush=True,
            )


# --- the weekly report ----------------------------------------------------------------------------


def write_weekly(database: Database, url: str, folder: Path) -> None:
    """By the command, in a process of its own."""
    with database.read() as connection:
        until = f"{weeks(_last(connection)):%Y-%m-%d}"
    command = [sys.executable, "-m", "monitor.cli", "report", "weekly", "--until", until,
               "--folder", str(folder / "reports")]  # fmt: skip
    environment = {"PATH": os.environ["PATH"], "MONITOR_DATABASE_URL": url,
                   "MONITOR_HOME": str(folder), "PYTHONPATH": str(ROOT)}  # fmt: skip
    started, before = time.perf_counter(), _used(database)
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    took = time.perf_counter() - started
    busy, there = (now - then for now, then in zip(_used(database), before, strict=True))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    said = "met" if busy + there <= REPORT_BAR else "MISSED"
    print(
        f"weekly report of all: {busy + there:.1f} s of processor time (bar {REPORT_BAR:.0f} s, "
        f"{said}), {there:.1f} s of it the server's; {took:.1f} s in all, peak {peak:.0f} MB"
    )
    print(_load())


def _used(database: Database) -> tuple[float, float]:
    """Processor time of processes that have ended: of ours, and of the server's."""
    ours = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ours.ru_utime + ours.ru_stime, ended_time(database)


# --- all of it ------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--series", type=int, default=Size.series)
    parser.add_argument("--ticks", type=int, default=Size.ticks)
    parser.add_argument("--questions", type=int, default=1_260, help="of each of some 170 systems")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--own", type=int, default=47, help="the job's own ticks in the archive")
    parser.add_argument("--folder", type=Path, help="where SQLite files and large answers are kept")
    parser.add_argument("--database", default="", help="SQLAlchemy URL of the archive")
    parser.add_argument("--beside", default="", help="SQLAlchemy URL of the other one")
    chosen = parser.parse_args(arguments)
    if bool(chosen.database) != bool(chosen.beside):
        parser.error("--database and --beside are two of one server: name both")
    size = Size(chosen.series, chosen.ticks, questions=chosen.questions, is_compared=True,
                has_items=True)  # fmt: skip
    with ExitStack() as stack:
        folder = chosen.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        work = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        addresses = [f"sqlite:///{folder / name}.db" for name in ("archive", "other")]
        if chosen.database:
            addresses = [chosen.database, chosen.beside]
        big, small = (connect(url, folder / "bodies") for url in addresses)
        for one in (big, small):
            stack.callback(one.close)
            migrations.upgrade(one)
        with big.read() as connection:
            is_filled = connection.exec_driver_sql("SELECT COUNT(*) FROM points").scalar()
        if not is_filled:
            fill(big, size)
        audit = audit_of(work)
        catch_up(small, audit, chosen.ticks - FEW, chosen.ticks)
        catch_up(big, audit, chosen.ticks - FEW - chosen.own, chosen.ticks)
        step(big, small, audit, chosen.ticks, chosen.rounds)
        ask(big)
        write_weekly(big, addresses[0], work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
