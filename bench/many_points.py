"""Fills a migrated database with synthetic series, to see how queries over them work at size.

    python bench/many_points.py --series 4000 --ticks 50 --database sqlite:///big.db

Jobs ask systems (an engine and a target), a system has a point of each of its series at each tick.
Some ticks have no run, at some an engine is not asked, some values are too few, and a share of
series has an older signature that its first half was computed with as well. `--comparisons` adds a
step between each two ticks, `--questions` how many questions of an engine a run keeps.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from monitor.model import MonitorError, digest
from monitor.store import migrate, rows, schema
from monitor.store.database import Database, connect

FIRST_TICK = datetime(2015, 1, 5, 5, tzinfo=UTC)
TARGETS = ("cs", "pl", "pt", "ru", "sk", "es", "uk", "sl", "hr", "sr")
OVERALL = ("f_s", "f_m", "s_or", "marked_share", "masculine_share", "spread")
STEREOTYPES = 16
MEASURE = "masculine_rate"
BATCH = 5_000


@dataclass(frozen=True)
class Size:
    """How much is written."""

    series: int = 4_000
    ticks: int = 50
    jobs: int = 4
    questions: int = 8
    missed: float = 0.03
    down: float = 0.01
    insufficient: float = 0.02
    older: float = 0.05  # share of series that have an older signature
    is_compared: bool = False


def scopes() -> list[tuple[str, str]]:
    """(quantity, scope) of the series of one system."""
    tags = [("p_i", f"tag:half={half}") for half in ("odd", "even")]
    each = [("p_i", f"stereotype:{n}") for n in range(1, STEREOTYPES + 1)]
    return [(name, "all") for name in OVERALL] + each + tags


class Ids:
    """Hands out ids after the highest that a table has."""

    def __init__(self, connection: sa.Connection, tables: list[sa.Table]) -> None:
        self._next = {
            table.name: 1 + (connection.execute(sa.select(sa.func.max(table.c.id))).scalar() or 0)
            for table in tables
        }

    def take(self, table: sa.Table) -> int:
        self._next[table.name] += 1
        return self._next[table.name] - 1

    def give_back(self, connection: sa.Connection) -> None:
        """Let PostgreSQL go on counting after ours."""
        if connection.dialect.name == "postgresql":
            for name, after in self._next.items():
                sequence = sa.text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :n, false)")
                connection.execute(sequence, {"table": name, "n": after})


#: Tables filled with ids of our own; others are asked for theirs.
TABLES = [
    schema.jobs,
    schema.runs,
    schema.ticks,
    schema.series_keys,
    schema.points,
    schema.lists,
    schema.list_items,
    schema.probes,
    schema.attempts,
    schema.comparisons,
    schema.exchanges,
]


@dataclass
class System:
    """An engine and a target of a job with its series: {(quantity, scope): (id, level)}."""

    engine_id: int
    target: str
    series: list[tuple[int, float, bool]]


class Generator:
    """Writes one transaction per job and tick."""

    def __init__(self, database: Database, size: Size, seed: int) -> None:
        self.database, self.size = database, size
        self.random = random.Random(seed)  # noqa: S311 - nothing secret
        self.signatures = [0, 0]
        self.jobs: list[tuple[str, int, list[System]]] = []
        self.probes: dict[str, list[int]] = {}
        self.before: dict[int, tuple[int, float]] = {}
        with database.begin() as connection:
            self.ids = Ids(connection, TABLES)
            self._prepare(connection)
            self.ids.give_back(connection)

    def _prepare(self, connection: sa.Connection) -> None:
        for place, version in enumerate((1, 2)):
            parts = {"measure": MEASURE, "measure_version": version, "of": "bench"}
            self.signatures[place] = rows.get_or_insert(
                connection, schema.signatures, {"hash": digest(parts)}, {"parts": parts}
            )
        self._list(connection)
        per_system = len(scopes())
        each = -(-self.size.series // self.size.jobs)
        systems = -(-each // per_system)
        left = self.size.series
        for number in range(self.size.jobs):
            name = f"bench-{number + 1}"
            row = {
                "id": self.ids.take(schema.jobs),
                "name": name,
                "content_hash": digest([name, self.size.series]),
                "content": {"name": name},
                "first_seen_at": FIRST_TICK,
            }
            connection.execute(sa.insert(schema.jobs), [row])
            found = []
            for place in range(systems):
                count = min(per_system, left, each - place * per_system)
                if count > 0:
                    found.append(self._system(connection, name, place, count))
                    left -= count
            self.jobs.append((name, row["id"], found))

    def _list(self, connection: sa.Connection) -> None:
        row = {
            "id": self.ids.take(schema.lists),
            "name": "bench",
            "version": "1",
            "content_hash": "bench",
            "source_lang": "en",
            "title": "Synthetic",
            "status": "unvalidated",
            "licence": "CC0-1.0",
            "description": "",
            "published_at": FIRST_TICK,
        }
        connection.execute(sa.insert(schema.lists), [row])
        self.list_id = row["id"]
        items, probes, both = [], [], []
        for n in range(self.size.questions):
            item = {
                "id": self.ids.take(schema.list_items),
                "list_id": self.list_id,
                "position": n,
                "key": f"k{n}",
                "text": f"Synthetic {n}.",
                "tags": {},
                "source_lang": "en",
            }
            items.append(item)
            for target in TARGETS:
                probe = self._probe(n, target)
                probes.append(probe)
                both.append({"list_item_id": item["id"], "probe_id": probe["id"]})
                self.probes.setdefault(target, []).append(probe["id"])
        for table, content in (
            (schema.list_items, items),
            (schema.probes, probes),
            (schema.list_probes, both),
        ):
            if content:
                connection.execute(sa.insert(table), content)

    def _probe(self, number: int, target: str) -> dict[str, object]:
        return {
            "id": self.ids.take(schema.probes),
            "key": digest(["bench", number, target])[:32],
            "text": f"Synthetic {number}.",
            "source_lang": "en",
            "target_lang": target,
            "region": "",
            "parameters": {},
        }

    def _system(self, connection: sa.Connection, job: str, place: int, count: int) -> System:
        target = TARGETS[place % len(TARGETS)]
        name = f"engine_{place // len(TARGETS) + 1}"
        key = {"name": name, "surface": "api", "config_hash": digest([job, name])}
        engine_id = rows.get_or_insert(
            connection, schema.engines, key, {"kind": "mt", "config": {"job": job}}
        )
        content, found = [], []
        for quantity, scope in scopes()[:count]:
            is_older = self.random.random() < self.size.older
            content.append(
                {
                    "id": self.ids.take(schema.series_keys),
                    "key": digest([job, name, target, quantity, scope]),
                    "job": job,
                    "list": "bench",
                    "engine_id": engine_id,
                    "source_lang": "en",
                    "target": target,
                    "measure": MEASURE,
                    "quantity": quantity,
                    "reference": "",
                    "scope": scope,
                    "signature_id": self.signatures[1],
                }
            )
            found.append((content[-1]["id"], self.random.uniform(0.2, 0.8), is_older))
        connection.execute(sa.insert(schema.series_keys), content)
        return System(engine_id, target, found)

    def tick(self, number: int, job: int) -> int:
        """Write one tick of one job; returns the number of points."""
        name, job_id, systems = self.jobs[job]
        due_at = FIRST_TICK + timedelta(weeks=number, hours=job)
        is_missed = number > 0 and self.random.random() < self.size.missed
        with self.database.begin() as connection:
            run_id = None if is_missed else self._run(connection, name, job_id, due_at)
            reason = "nobody was there" if is_missed else ""
            tick = {
                "id": self.ids.take(schema.ticks),
                "job": name,
                "due_at": due_at,
                "start_at": due_at,
                "state": "missed" if is_missed else "done",
                "reason": reason,
                "run_id": run_id,
                "noted_at": due_at,
                "ended_at": due_at,
            }
            connection.execute(sa.insert(schema.ticks), [tick])
            points = (
                [] if run_id is None else self._asked(connection, run_id, due_at, systems, number)
            )
            self.ids.give_back(connection)
        return len(points)

    def _run(self, connection: sa.Connection, name: str, job_id: int, due_at: datetime) -> int:
        row = {
            "id": self.ids.take(schema.runs),
            "job_id": job_id,
            "job": name,
            "due_at": due_at,
            "kind": "scheduled",
            "code_version": "bench",
            "packages": {},
            "created_at": due_at,
            "state": "done",
            "finished_at": due_at,
        }
        connection.execute(sa.insert(schema.runs), [row])
        content = {"run_id": row["id"], "list_id": self.list_id}
        connection.execute(sa.insert(schema.run_lists), [content])
        return int(row["id"])

    def _asked(self, connection, run_id: int, due_at: datetime, systems, number: int) -> list:
        attempts, points, steps, exchanges = [], [], [], []
        down: dict[int, bool] = {}
        for system in systems:
            if system.engine_id not in down:
                down[system.engine_id] = number > 0 and self.random.random() < self.size.down
                if not down[system.engine_id]:
                    exchanges.append(self._exchange(run_id, system.engine_id, due_at))
            is_down = down[system.engine_id]
            exchange = None if is_down else exchanges[-1]["id"]
            attempts += [
                {
                    "id": self.ids.take(schema.attempts),
                    "run_id": run_id,
                    "engine_id": system.engine_id,
                    "probe_id": probe_id,
                    "repeat": 0,
                    "n": 1,
                    "exchange_id": exchange,
                    "position": None if is_down else 0,
                    "final": not is_down,
                }
                for probe_id in self.probes.get(system.target, [])
            ]
            for series in system.series:
                points += self._points(series, run_id, due_at, is_down, number)
                if self.size.is_compared:
                    steps += self._step(series[0], run_id, due_at, points[-1]["value"])
        for table, content in (
            (schema.exchanges, exchanges),
            (schema.attempts, attempts),
            (schema.points, points),
            (schema.comparisons, steps),
        ):
            for start in range(0, len(content), BATCH):
                connection.execute(sa.insert(table), content[start : start + BATCH])
        return points

    def _exchange(self, run_id: int, engine_id: int, due_at: datetime) -> dict[str, object]:
        return {
            "id": self.ids.take(schema.exchanges),
            "run_id": run_id,
            "engine_id": engine_id,
            "purpose": "probe",
            "request": {},
            "outcome": "ok",
            "reason": "",
            "detail": "",
            "url": "",
            "headers": [],
            "egress": "",
            "asked_at": due_at,
            "took": 0.1,
        }

    def _points(self, series, run_id: int, due_at: datetime, is_down: bool, number: int) -> list:
        series_id, level, is_older = series
        planned = 400
        used = 0 if is_down else self.random.randint(200, 380)
        is_few = is_down or self.random.random() < self.size.insufficient
        value = min(0.98, max(0.02, level + self.random.gauss(0, 0.02)))
        spread = 0.05
        row = {
            "series_id": series_id,
            "run_id": run_id,
            "due_at": due_at,
            "flags": [],
            "planned": planned,
            "answered": 0 if is_down else 390,
            "used": used,
            "unidentified": 0 if is_down else 10,
            "inputs_digest": "bench",
            "computed_at": due_at,
            "is_current": True,
            "is_newest": True,
            "state": "insufficient" if is_few else "measured",
            "reason": "synthetic: too few" if is_few else "",
            "value": None if is_few else value,
            "low": None if is_few else value - spread,
            "high": None if is_few else value + spread,
            "bound_low": None if is_few else value * used / planned,
            "bound_high": None if is_few else 1 - (1 - value) * used / planned,
        }
        found = [row | {"id": self.ids.take(schema.points), "signature_id": self.signatures[1]}]
        if is_older and number < self.size.ticks // 2:
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
        delta = value - before[1]
        return [
            {
                "id": self.ids.take(schema.comparisons),
                "series_id": series_id,
                "contrast": "step",
                "before_run_id": before[0],
                "after_run_id": run_id,
                "signature_id": self.signatures[1],
                "due_at": due_at,
                "method_version": 1,
                "state": "measured",
                "reason": "",
                "test": "mcnemar",
                "n": 380,
                "only_before": 2,
                "only_after": 1,
                "changed": 8,
                "before": before[1],
                "after": value,
                "delta": delta,
                "low": delta - 0.02,
                "high": delta + 0.02,
                "p": self.random.random(),
                "facts": {},
                "inputs_digest": "bench",
                "computed_at": due_at,
                "is_current": True,
            }
        ]


def generate(database: Database, size: Size, seed: int = 1) -> Iterator[int]:
    """Write all; yields the points written after every tick, and lets the database count itself."""
    generator = Generator(database, size, seed)
    written = 0
    for number in range(size.ticks):
        for job in range(len(generator.jobs)):
            written += generator.tick(number, job)
        yield written
    with database.begin() as connection:
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
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    size = Size(
        chosen.series,
        chosen.ticks,
        chosen.jobs,
        questions=chosen.questions,
        is_compared=chosen.comparisons,
    )
    started = time.perf_counter()
    try:
        database = connect(chosen.database, Path("bodies"))
        try:
            migrate.check(database)
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
