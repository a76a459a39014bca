"""Fills a migrated database with synthetic series, to see how queries over them work at size.

    python bench/many_points.py --series 4000 --ticks 50 --database sqlite:///big.db

Jobs ask systems (an engine and a target), a system has a point of each of its series at each tick.
Some ticks have no run, at some an engine is not asked, some values are too few, and a share of
series has an older signature that its first half was computed with as well. `--comparisons` adds a
step between each two ticks, `--questions` how many questions of a system a run asks; `--items` adds
the raw answer to each of them, what was read in it and what was heard.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import _points_rows as made
from bench._points_answers import Answers
from bench._points_rows import FIRST_TICK, TARGETS, Ids, Size, System
from bench._real_texts import read_sentences
from monitor.model import MonitorError, digest
from monitor.store import migrations, rows, schema
from monitor.store.collect import runs
from monitor.store.database import Database, connect

BATCH = 5_000


class Generator:
    """Writes one transaction per job and tick."""

    def __init__(self, database: Database, size: Size, seed: int) -> None:
        self.database, self.size = database, size
        self.random = random.Random(seed)  # noqa: S311 - nothing secret
        self.signatures = [0, 0]
        self.jobs: list[tuple[str, int, list[System]]] = []
        self.probes: dict[str, range] = {}
        self.before: dict[int, tuple[int, float]] = {}
        with database.begin() as connection:
            self.ids = Ids(connection, made.TABLES)
            self._prepare(connection)
            self.is_trusted = made.may_skip_checks(connection)
            self.answers = Answers(connection, self.ids, size.has_items)
            if size.data and size.has_items:
                self.answers.give_texts(connection, size.data, self.texts, self.probes)
            self.ids.give_back(connection)

    def _prepare(self, connection: sa.Connection) -> None:
        for place, version in enumerate((1, 2)):
            parts = {"measure": made.MEASURE, "measure_version": version, "of": "bench"}
            self.signatures[place] = rows.get_or_insert(
                connection, schema.signatures, {"hash": digest(parts)}, {"parts": parts}
            )
        self._list(connection)
        per_system = len(made.scopes())
        each = -(-self.size.series // self.size.jobs)
        systems = -(-each // per_system)
        left = self.size.series
        for number in range(self.size.jobs):
            name = f"bench-{number + 1}"
            row = made.job_row(self.ids.take(schema.jobs), name, self.size.series)
            connection.execute(sa.insert(schema.jobs), [row])
            found = []
            for place in range(systems):
                count = min(per_system, left, each - place * per_system)
                if count > 0:
                    found.append(self._system(connection, name, place, count))
                    left -= count
            self.jobs.append((name, int(row["id"]), found))

    def _list(self, connection: sa.Connection) -> None:
        self.texts = [f"Synthetic {n}." for n in range(self.size.questions)]
        if self.size.data:
            self.texts = [text for text, _ in read_sentences(self.size.data)][: self.size.questions]
        self.list_id = self.ids.take(schema.lists)
        connection.execute(sa.insert(schema.lists), [made.list_row(self.list_id)])
        count = len(self.texts)
        first = self.ids.take(schema.list_items, count)
        items = [made.item_row(first + n, self.list_id, n, t) for n, t in enumerate(self.texts)]
        connection.execute(sa.insert(schema.list_items), items)
        for target in TARGETS:
            start = self.ids.take(schema.probes, count)
            self.probes[target] = range(start, start + count)
            probes = [made.probe_row(start + n, n, target, t) for n, t in enumerate(self.texts)]
            connection.execute(sa.insert(schema.probes), probes)
            both = [{"list_item_id": first + n, "probe_id": start + n} for n in range(count)]
            connection.execute(sa.insert(schema.list_probes), both)

    def _system(self, connection: sa.Connection, job: str, place: int, count: int) -> System:
        target = TARGETS[place % len(TARGETS)]
        name = f"engine_{place // len(TARGETS) + 1}"
        key = {"name": name, "surface": "api", "config_hash": digest([job, name])}
        engine_id = rows.get_or_insert(
            connection, schema.engines, key, {"kind": "mt", "config": {"job": job}}
        )
        content, found = [], []
        for about in made.scopes()[:count]:
            is_older = self.random.random() < self.size.older
            number = self.ids.take(schema.series_keys)
            system = engine_id, name, target
            content.append(made.series_row(number, job, system, about, self.signatures[1]))
            found.append((number, self.random.uniform(0.2, 0.8), is_older))
        connection.execute(sa.insert(schema.series_keys), content)
        return System(engine_id, target, found)

    def tick(self, number: int, job: int) -> int:
        """Write one tick of one job; returns the number of points."""
        name, job_id, _ = self.jobs[job]
        due_at = FIRST_TICK + timedelta(weeks=number, hours=job)
        is_missed = number > 0 and self.random.random() < self.size.missed
        with self.database.begin() as connection:
            if self.is_trusted:
                connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
            run_id = None if is_missed else self.write_run(connection, name, job_id, due_at)
            tick = made.tick_row(self.ids.take(schema.ticks), name, due_at, run_id)
            connection.execute(sa.insert(schema.ticks), [tick])
            written = 0 if run_id is None else self._asked(connection, run_id, due_at, job, number)
            self.ids.give_back(connection)
        return written

    def write_run(self, connection: sa.Connection, name: str, job_id: int, due_at: datetime) -> int:
        row = made.run_row(self.ids.take(schema.runs), job_id, name, due_at)
        connection.execute(sa.insert(schema.runs), [row])
        content = {"run_id": row["id"], "list_id": self.list_id}
        connection.execute(sa.insert(schema.run_lists), [content])
        return int(row["id"])

    def _asked(self, connection, run_id: int, due_at: datetime, job: int, number: int) -> int:
        """What every system of a job answered, and its points; returns how many points."""
        points, steps = [], []
        down: dict[int, bool] = {}
        for system in self.jobs[job][2]:
            if system.engine_id not in down:
                down[system.engine_id] = number > 0 and self.random.random() < self.size.down
            is_down, asked = down[system.engine_id], self.probes[system.target]
            if is_down:
                self.answers.leave(connection, run_id, system.engine_id, asked)
            else:
                self.answers.write(connection, run_id, system.engine_id, asked, due_at)
            for series in system.series:
                points += self._points(series, run_id, due_at, is_down, number)
                if self.size.is_compared:
                    steps += self._step(series[0], run_id, due_at, points[-1]["value"])
        facts = [fact for one in points for fact in made.fact_rows(one)]
        for table, content in (
            (schema.points, points),
            (schema.point_facts, facts if self.size.has_items else []),
            (schema.comparisons, steps),
        ):
            for start in range(0, len(content), BATCH):
                connection.execute(sa.insert(table), content[start : start + BATCH])
        return len(points)

    def _points(self, series, run_id: int, due_at: datetime, is_down: bool, number: int) -> list:
        row = made.point_row(self.random, series, run_id, due_at, self.size.insufficient, is_down)
        found = [row | {"id": self.ids.take(schema.points), "signature_id": self.signatures[1]}]
        if series[2] and number < self.size.ticks // 2:
            old = {"id": self.ids.take(schema.points), "signature_id": self.signatures[0]}
            found.insert(0, row | old | {"is_current": False})
        return found

    def _step(self, series_id: int, run_id: int, due_at: datetime, value: float | None) -> list:
        before = self.before.get(series_id)
        if value is None:
            return []
        self.before[series_id] = run_id, value
        if before is None:
            return []
        number, after = self.ids.take(schema.comparisons), (run_id, value)
        signature, p = self.signatures[1], self.random.random()
        return [made.step_row(number, series_id, before, after, signature, due_at, p)]


def generate(database: Database, size: Size, seed: int = 1) -> Iterator[int]:
    """Write all; yields the points written after every tick, and lets the database count itself."""
    generator = Generator(database, size, seed)
    written = 0
    for number in range(size.ticks):
        for job in range(len(generator.jobs)):
            written += generator.tick(number, job)
        yield written
    with database.begin() as connection:
        runs.store_missing(connection)  # runs that end as runs do are counted then
        connection.execute(sa.text("ANALYZE"))


def positive(text: str) -> int:
    number = int(text.replace("_", ""))
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--database", required=True, help="SQLAlchemy URL, migrated")
    parser.add_argument("--series", type=positive, default=Size.series)
    parser.add_argument("--ticks", type=positive, default=Size.ticks)
    parser.add_argument("--jobs", type=positive, default=Size.jobs)
    parser.add_argument("--questions", type=positive, default=Size.questions)
    parser.add_argument("--comparisons", action="store_true")
    parser.add_argument("--items", action="store_true")
    parser.add_argument("--data", type=Path, help="folder of GEST, whose sentences are asked")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    size = Size(
        chosen.series,
        chosen.ticks,
        chosen.jobs,
        questions=chosen.questions,
        is_compared=chosen.comparisons,
        has_items=chosen.items,
        data=chosen.data,
    )
    started = time.perf_counter()
    try:
        database = connect(chosen.database, Path("bodies"))
        try:
            migrations.check_schema(database)
            written = list(generate(database, size, chosen.seed))[-1]
        finally:
            database.close()
    except MonitorError as error:
        print(f"many_points: {error}", file=sys.stderr)
        return error.exit_code
    took = time.perf_counter() - started
    print(f"{chosen.series:,} series, {written:,} points in {took:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
