"""Fills a migrated database with synthetic items, to see how it works at size.

    python bench/generate.py --items 10000000 --database sqlite:///big.db

Every item is one question with its answer, reading, signal and exchange, as a run would leave
them: weekly runs of one list, 16 questions to a request, with the points of each run. Rows are
made and inserted run by run, so memory does not grow with the number of items.
"""

import argparse
import hashlib
import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import sqlalchemy as sa
import zstandard

from monitor import registry
from monitor.jobs import EngineUse, Job
from monitor.lists import ListItem, ProbeList
from monitor.model import (
    Answer,
    GenderClass,
    MonitorError,
    Outcome,
    Probe,
    Purpose,
    RunKind,
    digest,
)
from monitor.store import migrations, rows, schema
from monitor.store.collect import runs
from monitor.store.database import Database, connect
from monitor.store.derive import points, signatures
from monitor.store.jobs import declarations

PROVENANCE = runs.Provenance("bench", {})
FIRST_TICK = datetime(2000, 1, 3, 5, tzinfo=UTC)
BATCH = 16
PER_RUN = 2_000
STEREOTYPES = 16
SHARES = {
    GenderClass.MASCULINE: 0.55,
    GenderClass.FEMININE: 0.3,
    GenderClass.NONE: 0.1,
    GenderClass.UNIDENTIFIED: 0.04,
    GenderClass.MIXED: 0.01,
}
TEXTS = {
    GenderClass.MASCULINE: "Estou cansado",
    GenderClass.FEMININE: "Estou cansada",
    GenderClass.NONE: "Durmo bem",
    GenderClass.UNIDENTIFIED: "Tired",
    GenderClass.MIXED: "Estou cansado e cansada",
}
#: Tables filled with ids of our own: asking the database for each would take most of the time.
BULK = (
    schema.bodies, schema.exchanges, schema.attempts, schema.readings, schema.items,
    schema.agreements, schema.points, schema.point_facts,
)  # fmt: skip


class Ids:
    """Hands out ids after the highest that a table has."""

    def __init__(self, connection: sa.Connection) -> None:
        self._next = {
            table.name: 1 + connection.execute(sa.select(sa.func.max(table.c.id))).scalar_one()
            if connection.execute(sa.select(sa.func.count(table.c.id))).scalar_one()
            else 1
            for table in BULK
            if "id" in table.c
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


class Generator:
    """What stays the same from run to run: list, probes, engine, versions, series."""

    def __init__(self, database: Database, size: int, seed: int) -> None:
        self.database = database
        self.random = random.Random(seed)  # noqa: S311 - nothing secret
        self.engine = registry.engine("firefox_translations")
        self.use = EngineUse(name=self.engine.name, targets=["pt"])
        self.job = Job.model_validate(
            {
                "name": "synthetic",
                "description": "Synthetic items",
                "schedule": {"cron": "0 5 * * mon"},
                "lists": [{"name": f"synthetic-{size}@1"}],
                "engines": [self.use.model_dump()],
                "measures": [{"name": "masculine_rate"}],
            }
        )
        items = tuple(
            ListItem(f"k{n}", f"I am tired {n}.", {"stereotype": str(n % STEREOTYPES + 1)}, "en")
            for n in range(size)
        )
        title = "Synthetic sentences"
        self.list = ProbeList(
            f"synthetic-{size}", "1", "en", title, "unvalidated", "CC0-1.0", "", items
        )
        with database.begin() as connection:
            self._prepare(connection)

    def _prepare(self, connection: sa.Connection) -> None:
        self.list_id = declarations.publish_list(connection, self.list, FIRST_TICK)
        item_ids = declarations.read_item_ids(connection, self.list_id)
        wanted = [(item_ids[i.key], Probe(i.text, "en", "pt")) for i in self.list.items]
        self.probe_ids = declarations.ensure_probes(connection, wanted)
        self.engine_id = runs.ensure_engine(connection, self.engine, self.use)
        name, version = self.engine.name, self.engine.version
        self.parser_id = runs.ensure_plugin(connection, "engines", name, version)
        language = registry.known_language("pt")
        self.language_id = runs.ensure_plugin(
            connection, "languages", language.code, language.version
        )
        self.signature = signatures.ensure_signature(
            connection, {"measure": "masculine_rate", "of": "bench"}
        )
        agent = {"library": "synthetic"}
        key = {"key": digest(agent)}
        self.agent_id = rows.get_or_insert(connection, schema.agents, key, {"identity": agent})
        names = (name, self.engine.surface, self.use.config_hash)
        key = points.SeriesKey(
            self.job.name, self.list.name, self.engine_id, names, "en", "pt", "masculine_rate", ""
        )
        content = [key.row("p_i", f"stereotype:{s}") for s in range(1, STEREOTYPES + 1)]
        self.series = list(rows.ids_by_key(connection, schema.series_keys, content).values())
        ticks = sa.select(sa.func.count()).where(schema.runs.c.job == self.job.name)
        self.ticks = int(connection.execute(ticks).scalar_one())
        self.ids = Ids(connection)

    def run(self, size: int) -> int:
        """Write one run of `size` items in one transaction; returns the number of rows."""
        due_at = FIRST_TICK + timedelta(weeks=self.ticks)
        self.ticks += 1
        with self.database.begin() as connection:
            run = runs.create_run(
                connection, self.job, due_at, RunKind.SCHEDULED, due_at, PROVENANCE
            )
            assert run is not None
            runs.add_list(connection, run.id, self.list_id)
            content: dict[str, list[dict[str, object]]] = {table.name: [] for table in BULK}
            found = {s: [0, 0] for s in range(STEREOTYPES)}
            questions = iter(range(size))
            while batch := list(islice(questions, BATCH)):
                self._exchange(content, run, batch, found)
            self._points(content, run, found)
            for table in BULK:
                if content[table.name]:
                    connection.execute(sa.insert(table), content[table.name])
            runs.set_state(connection, run.id, runs.RunState.DONE, due_at)
            self.ids.give_back(connection)
        return sum(len(some) for some in content.values())

    def _exchange(self, content, run, batch: list[int], found: dict[int, list[int]]) -> None:
        classes = self.random.choices(list(SHARES), list(SHARES.values()), k=len(batch))
        texts = [f"{TEXTS[c]} {n} {run.id}." for c, n in zip(classes, batch, strict=True)]
        body = json.dumps({"translations": texts}).encode()
        answer = Answer(Outcome.OK, run.due_at, 0.4, body=body)
        body_id, exchange_id = self.ids.take(schema.bodies), self.ids.take(schema.exchanges)
        content["bodies"].append(
            {
                "id": body_id,
                "sha256": hashlib.sha256(body).hexdigest(),
                "size": len(body),
                "encoding": "zstd",
                "content": zstandard.compress(body),
                "retention": "answer",
                "stored_at": run.due_at,
            }
        )
        content["exchanges"].append(
            {
                "id": exchange_id,
                "run_id": run.id,
                "engine_id": self.engine_id,
                "purpose": Purpose.PROBE,
                "request": {"backend": "fxtranslate", "model": "en-pt", "texts": len(batch)},
                "outcome": answer.outcome,
                "reason": answer.reason,
                "detail": answer.detail,
                "url": answer.url,
                "headers": [],
                "body_id": body_id,
                "agent_id": self.agent_id,
                "egress": "",
                "asked_at": answer.asked_at,
                "took": answer.took,
            }
        )
        for position, (n, cls) in enumerate(zip(batch, classes, strict=True)):
            self._item(content, run, exchange_id, (position, n, cls, texts[position]))
            found[n % STEREOTYPES][0] += cls is GenderClass.MASCULINE
            found[n % STEREOTYPES][1] += cls in (GenderClass.MASCULINE, GenderClass.FEMININE)

    def _item(
        self, content, run, exchange_id: int, item: tuple[int, int, GenderClass, str]
    ) -> None:
        position, n, cls, text = item
        ids = self.ids
        attempt_id, reading_id = ids.take(schema.attempts), ids.take(schema.readings)
        item_id = ids.take(schema.items)
        content["attempts"].append(
            {
                "id": attempt_id,
                "run_id": run.id,
                "engine_id": self.engine_id,
                "probe_id": self.probe_ids[n],
                "repeat": 0,
                "n": 1,
                "exchange_id": exchange_id,
                "position": position,
                "final": True,
            }
        )
        content["readings"].append(
            {
                "id": reading_id,
                "attempt_id": attempt_id,
                "parser_id": self.parser_id,
                "outcome": Outcome.OK,
                "reason": "",
                "detail": "",
            }
        )
        content["items"].append(
            {
                "id": item_id,
                "reading_id": reading_id,
                "block": "translation",
                "rank": 1,
                "text": text,
                "url": "",
                "title": "",
                "entity": "",
            }
        )
        gender = cls if cls in (GenderClass.MASCULINE, GenderClass.FEMININE) else None
        words = [{"text": text[6:13], "start": 6, "end": 13, "gender": gender, "rule": "synthetic"}]
        content["agreements"].append(
            {
                "id": ids.take(schema.agreements),
                "item_id": item_id,
                "language_id": self.language_id,
                "cue": "agreement",
                "class": cls,
                "masculine": int(cls is GenderClass.MASCULINE),
                "feminine": int(cls is GenderClass.FEMININE),
                "rule": "synthetic",
                "witnesses": words if gender else [],
            }
        )

    def _points(self, content, run, found: dict[int, list[int]]) -> None:
        for series_id, (masculine, used) in zip(self.series, found.values(), strict=True):
            point_id = self.ids.take(schema.points)
            content["points"].append(
                {
                    "id": point_id,
                    "series_id": series_id,
                    "run_id": run.id,
                    "signature_id": self.signature,
                    "due_at": run.due_at,
                    "state": "measured" if used else "insufficient",
                    "reason": "" if used else "synthetic: nothing marked",
                    "value": masculine / used if used else None,
                    "flags": [],
                    "planned": used,
                    "answered": used,
                    "used": used,
                    "unidentified": 0,
                    "inputs_digest": "synthetic",
                    "computed_at": run.due_at,
                    "is_current": True,
                }
            )
            facts = {"masculine": float(masculine), "feminine": float(used - masculine)}
            content["point_facts"] += [
                {"point_id": point_id, "key": key, "value": value} for key, value in facts.items()
            ]


def generate(database: Database, items: int, seed: int = 1) -> Iterator[tuple[int, int]]:
    """Write `items` items; yields (items written, rows written) after every run."""
    generator = Generator(database, min(items, PER_RUN), seed)
    items_done = rows_done = 0
    while items_done < items:
        size = min(PER_RUN, items - items_done)
        rows_done += generator.run(size)
        items_done += size
        yield items_done, rows_done


@contextmanager
def opened(url: str) -> Iterator[Database]:
    database = connect(url, Path("bodies"))
    try:
        migrations.check_schema(database)
        yield database
    finally:
        database.close()


def positive(text: str) -> int:
    number = int(text.replace("_", ""))
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--items", type=positive, required=True)
    parser.add_argument("--database", required=True, help="SQLAlchemy URL, migrated")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    started, written, stored = time.perf_counter(), 0, 0
    try:
        with opened(chosen.database) as database:
            for progress in generate(database, chosen.items, chosen.seed):
                written, stored = progress
                if written % (50 * PER_RUN) == 0:
                    rate = written / (time.perf_counter() - started)
                    print(f"{written:,} items, {rate:,.0f} items/s", file=sys.stderr)
    except MonitorError as error:
        print(f"generate: {error}", file=sys.stderr)
        return error.exit_code
    took = time.perf_counter() - started
    print(
        f"{written:,} items, {stored:,} rows in {took:.1f} s: {written / took:,.0f} items/s, "
        f"{stored / took:,.0f} rows/s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
