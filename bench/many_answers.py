"""Measure a release that grows at size: room, questions, the next tick, an erasure.

    python bench/many_answers.py make --runs 1002 --later 8 --data DATA/gest --folder /tmp/big
    python bench/many_answers.py ask --folder /tmp/big
    python bench/many_answers.py tick --folder /tmp/big
    python bench/many_answers.py erase --folder /tmp/big
    python bench/many_answers.py compare --folder /tmp/ten

`make` has an archive of runs without answers, and writes the files of their parts with the columns
and encodings of a release: 28 systems (an engine and a language) that translate the sentences of
GEST, 99,820 answers a run. A release that is begun then takes these files up, as it does with
those of one that died. `ask` times each worked question in DuckDB in a process of its own. `tick`
ends one of the later runs, which have all their rows, and releases it. `erase` shows an address and
a name in results of the runs that were ended so, releases them, and erases them. `compare` loads
the release into a PostgreSQL server in memory, as plain tables with an index on the runs of
answers, and times questions there, in DuckDB and in ClickHouse; those that scan all answers come
first. Ten million rows take 4 GB there.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import sqlalchemy as sa

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import _points_rows as made
from bench._points_rows import FIRST_TICK, TARGETS, Size
from bench._real_texts import read_sentences, read_translations
from bench.many_points import Generator
from monitor import registry
from monitor.model import Cue, digest
from monitor.stages.publish.growing_release import name_file
from monitor.stages.publish.release import open_parquet
from monitor.store import migrations, schema
from monitor.store.collect.runs import mark_stage
from monitor.store.database import Database, connect
from monitor.store.publish import data_dictionary, release
from monitor.store.publish.release import ReleasePart, ReleaseSelection, Resource

JOBS = 6
SYSTEMS = [(f"engine_{n // len(TARGETS) + 1}", TARGETS[n % len(TARGETS)]) for n in range(28)]
SERIES = [(*system, *about) for system in SYSTEMS for about in made.scopes()]
#: Questions to a request, by engine: some take one at a time.
BATCHES = {"engine_1": 16, "engine_2": 50, "engine_3": 1}
#: Share of translations that are others than those of the run before.
TURNED = 0.02
OCCUPATIONS = [f"occupation {n}" for n in range(50)]
#: Questions that read all answers.
SCANS = {
    "scan: counts": """SELECT engine, target, outcome, COUNT(*)
        FROM answers GROUP BY engine, target, outcome ORDER BY 1, 2, 3""",
    "scan: masculine rate by run": """SELECT run_id, engine, target, AVG(masculine), COUNT(*)
        FROM answers WHERE final AND item_rank = 1 AND class IN ('masculine', 'feminine')
        GROUP BY run_id, engine, target ORDER BY 1, 2, 3""",
    "scan: questions that vary most": """SELECT target, item_key, COUNT(DISTINCT class) AS n
        FROM answers WHERE final AND item_rank = 1
        GROUP BY target, item_key ORDER BY n DESC, 1, 2 LIMIT 50""",
}
#: Questions that this release does not answer: it has nobody in it, and no texts.
ELSEWHERE = ("people-labelled", "evidence")
CLASSES = np.array(["masculine", "feminine", "none", "unidentified", "mixed", "both"])


@dataclass(frozen=True)
class Place:
    """The folder of an archive and of its release."""

    folder: Path

    @property
    def release(self) -> Path:
        return self.folder / "release"

    def connect(self) -> Database:
        return connect(f"sqlite:///{self.folder / 'monitor.db'}", self.folder / "bodies")

    def run(self, *words: str) -> tuple[float, dict[str, Any]]:
        """Run a command of the program on the archive: seconds, and the JSON that it prints."""
        environment = os.environ | {
            "MONITOR_HOME": str(self.folder),
            "MONITOR_DATABASE": f"sqlite:///{self.folder / 'monitor.db'}",
            "MONITOR_ADDRESS_KEY": "a key of the bench, which is long enough",
        }
        command = [sys.executable, "-m", "monitor.cli", *words, "--json"]
        began = time.perf_counter()
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
        return time.perf_counter() - began, json.loads(done.stdout)

    def grow(self) -> tuple[float, dict[str, Any]]:
        return self.run("export", "release", str(self.release), "--incremental")


# --- the archive ----------------------------------------------------------------------------------


def make_archive(place: Place, runs: int, later: int, data: Path) -> None:
    """Write an archive of runs whose answers are released and not here, and of later ones.

    The later ones have all their rows, and have not ended: they are ticks to come.
    """
    place.folder.mkdir(parents=True, exist_ok=True)
    database = place.connect()
    migrations.upgrade(database)
    size = Size(len(SERIES) * JOBS, -(-runs // JOBS), JOBS, data=data, questions=4_000,
                is_compared=True, has_items=True, missed=0, down=0)  # fmt: skip
    generator = Generator(database, size, 1)
    with database.begin() as connection:
        for number in range(runs):
            name, job_id, _ = generator.jobs[number % JOBS]
            due_at = FIRST_TICK + timedelta(weeks=number // JOBS, hours=number % JOBS)
            run_id = generator.write_run(connection, name, job_id, due_at)
            mark_stages(connection, run_id)
            tick = made.tick_row(generator.ids.take(schema.ticks), name, due_at, run_id)
            connection.execute(sa.insert(schema.ticks), [tick])
    of_job = schema.runs.c.id > runs
    for number in range(later):
        generator.tick(runs // JOBS + 1 + number, 0)
        with database.begin() as connection:
            connection.execute(sa.update(schema.runs).where(of_job).values(finished_at=None))
    with database.begin() as connection:
        connection.execute(sa.text("ANALYZE"))
    database.close()


def mark_stages(connection: sa.Connection, run_id: int) -> None:
    """Say what has seen a run, as its pipeline does."""
    for stage in ("read", "signal", "measure", "compare", "decide", "coverage"):
        mark_stage(connection, run_id, stage, "bench")


# --- files of parts -------------------------------------------------------------------------------


@cache
def describe_questions(data: Path) -> dict[str, Any]:
    """Return what the answers of all runs have in common, and the digests and classes of each."""
    sentences = read_sentences(data)
    texts = [text for text, _ in sentences]
    count = len(texts)
    columns: dict[str, list[Any]] = {name: [] for name in ("sha256", "class", "engine", "target")}
    for engine, target in SYSTEMS:
        variants = read_translations(data, texts, target)
        said = variants[int(engine[-1]) % len(variants)]
        language = registry.known_language(target)
        columns["class"] += [language.signal(text, Cue.AGREEMENT).cls.value for text in said]
        # an engine has words of its own, or all that ask the same would have one digest
        columns["sha256"] += [hashlib.sha256(f"{text} {engine}".encode()).digest() for text in said]
        columns["engine"] += [engine] * count
        columns["target"] += [target] * count
    keys = [f"k{n}" for n in range(count)]
    tags = [json.dumps({"stereotype": kind}) for _, kind in sentences]
    probe_keys = {
        target: [digest(["bench", n, target])[:32] for n in range(count)] for target in TARGETS
    }
    per_system = len(SYSTEMS)
    repeated = {
        "item_key": keys * per_system,
        "tags": tags * per_system,
        "probe": texts * per_system,
        "probe_key": [key for _, target in SYSTEMS for key in probe_keys[target]],
        "engine": columns["engine"],
        "target": columns["target"],
    }
    places = [TARGETS.index(target) * count for _, target in SYSTEMS]
    return {
        "n": count * per_system,
        "shared": {name: pa.array(values) for name, values in repeated.items()},
        "probe_id": np.concatenate([np.arange(count) + first + 1 for first in places]),
        "sha256": np.frombuffer(b"".join(columns["sha256"]), np.uint8).reshape(-1, 32),
        "class": np.searchsorted(np.sort(CLASSES), np.array(columns["class"])),
    }


def say_hex(digests: np.ndarray) -> pa.Array:
    """Return digests, one a row, as texts."""
    letters = np.frombuffer(b"0123456789abcdef", np.uint8)
    text = np.empty((len(digests), 64), np.uint8)
    text[:, ::2], text[:, 1::2] = letters[digests >> 4], letters[digests & 15]
    offsets = pa.py_buffer(np.arange(0, 64 * len(digests) + 1, 64, dtype=np.int32))
    return pa.Array.from_buffers(pa.string(), len(digests), [None, offsets, pa.py_buffer(text)])


def write_file(path: Path, table: Resource, n: int, given: dict[str, Any]) -> None:
    """Write a file of a part: n rows, in which what is no array is the same in all."""
    empty = {"text": "", "json": "[]", "integer": 0, "number": None, "boolean": True}
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_parquet(path, table.columns) as writer:
        arrays = []
        for column, field in zip(table.columns, writer.schema, strict=True):
            value = given.get(column.name, None if column.null else empty.get(column.type))
            if isinstance(value, pa.Array | np.ndarray | list):
                arrays.append(pa.array(value, field.type, from_pandas=True))
            else:
                arrays.append(pa.repeat(pa.scalar(value, field.type), n))
        rows = pa.Table.from_arrays(arrays, schema=writer.schema)
        writer.write_table(rows, row_group_size=n)


@dataclass(frozen=True)
class RunFacts:
    """A run, and the one of its job before it."""

    id: int
    job: str
    due_at: datetime
    before: int
    before_due_at: datetime


def list_answers(run: RunFacts, data: Path) -> tuple[int, dict[str, Any]]:
    """Return the columns of the answers of a run."""
    shared = describe_questions(data)
    n, draw = shared["n"], np.random.default_rng(run.id)
    digests, classes = shared["sha256"].copy(), shared["class"].copy()
    turned = draw.integers(0, n, int(n * TURNED))
    digests[turned] = draw.integers(0, 256, (len(turned), 32), np.uint8)
    classes[turned] = draw.integers(0, len(CLASSES), len(turned))
    names = np.sort(CLASSES)
    batch = np.repeat([BATCHES[engine] for engine, _ in SYSTEMS], n // len(SYSTEMS))
    request = np.cumsum(np.arange(n) % batch == 0) - 1
    bodies = draw.integers(0, 256, (int(request[-1]) + 1, 32), np.uint8)
    first = run.id * n
    asked_at = np.datetime64(run.due_at.replace(tzinfo=None), "us") + np.cumsum(
        draw.integers(10_000, 90_000, len(bodies))
    ).astype("timedelta64[us]")
    ok = draw.random(n) >= 0.01
    numbers = np.where(ok, classes, -1)

    def choose(*texts: str) -> pa.Array:
        """Return the text of each class; NULL where there is no answer."""
        return pa.array(texts).take(pa.array(numbers, mask=~ok))

    def mark(name: str) -> pa.Array:
        return pa.array((names[classes] == name).astype(np.int64), mask=~ok)

    return n, {
        **shared["shared"], **of_run(run), "list": "bench@1", "cue": "agreement",
        "probe_id": shared["probe_id"], "source_lang": "en", "surface": "api", "n": 1,
        "final": True, "asked_at": asked_at[request],
        "outcome": pa.array(["throttled", "ok"]).take(pa.array(ok.astype(np.int64))),
        "reason": pa.array(["429: too many requests", ""]).take(pa.array(ok.astype(np.int64))),
        "item_rank": pa.array(np.ones(n, np.int64), mask=~ok),
        "text_sha256": say_hex(digests).take(pa.array(np.arange(n), mask=~ok)),
        "block": "translation",
        "class": choose(*names), "masculine": mark("masculine"), "feminine": mark("feminine"),
        "rule": choose(*("" if name == "none" else "past participle" for name in names)),
        "attempt_id": np.arange(n) + first,
        "item_id": pa.array(np.arange(n) + first, mask=~ok),
        "body_sha256": say_hex(bodies[request]), "withheld": "",
    }  # fmt: skip


def of_run(run: RunFacts) -> dict[str, Any]:
    return {"run_id": run.id, "job": run.job, "due_at": run.due_at, "run_kind": "scheduled"}


def of_series(job: str, chosen: list[int]) -> dict[str, Any]:
    """Return the columns that describe series of a job, by their places."""
    rows = [SERIES[place] for place in chosen]
    first = int(job.rpartition("-")[2]) * len(SERIES)
    return {
        "series_id": np.array(chosen) + first, "list": "bench", "surface": "api",
        "source_lang": "en", "measure": made.MEASURE, "signature": digest(["bench"]),
        "from_signature": digest(["older"]), "to_signature": digest(["bench"]),
        **{
            name: [row[place] for row in rows]
            for place, name in enumerate(("engine", "target", "quantity", "scope"))
        },
    }  # fmt: skip


def list_values(draw: np.random.Generator, n: int) -> dict[str, Any]:
    """Return values with their intervals and counts; few are missing."""
    lacks = draw.random(n) < 0.02
    value = np.where(lacks, np.nan, draw.random(n))
    return {
        "state": np.where(lacks, "insufficient", "measured"), "value": value,
        "reason": np.where(lacks, "too few usable answers", ""),
        "low": value - 0.05, "high": value + 0.05, "bound_low": value / 2,
        "bound_high": value / 2 + 0.5, "planned": 3_565, "answered": 3_500,
        "used": draw.integers(1_500, 2_500, n), "unidentified": draw.integers(0, 100, n),
        "before": value - 0.01, "after": value, "delta": 0.01, "n": 3_000, "p": draw.random(n),
        "q": draw.random(n), "changed": np.maximum(0, draw.integers(-40, 20, n)),
        "women": draw.integers(0, 50, n), "men": draw.integers(0, 50, n), "model": value,
        "model_low": value - 0.1, "model_high": value + 0.1, "target": 0.5, "bias": value - 0.5,
        "influence": draw.normal(size=n), "x": draw.normal(size=n), "documents": 10,
        "masculine": draw.integers(0, 100, n), "feminine": draw.integers(0, 100, n),
    }  # fmt: skip


def list_run_tables(run: RunFacts, data: Path) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield (table, rows, columns) of a run."""
    yield "answers", *list_answers(run, data)
    draw, every = np.random.default_rng([run.id, 1]), list(range(len(SERIES)))
    ids = run.id * 10_000
    common, n = of_run(run) | {"computed_at": run.due_at}, len(SERIES)
    yield "points_current", n, {
        **common, **list_values(draw, n), **of_series(run.job, every),
        "point_id": np.arange(n) + ids,
    }  # fmt: skip
    rates = [place for place in every if SERIES[place][2] == "p_i" and ":h" not in SERIES[place][3]]
    kinds = np.array([int(SERIES[place][3].partition(":")[2]) for place in rates])
    yield "masculine_rates", len(rates), {
        **common, **list_values(draw, len(rates)), **of_series(run.job, rates),
        "stereotype": kinds, "about": np.where(kinds < 8, "women", "men"), "title": "bench",
        "point_id": np.array(rates) + ids,
    }  # fmt: skip
    pairs = [place for place in every if SERIES[place][2] in ("f_s", "f_m")]
    contrasts = [("step", every), ("engines", pairs), ("days", pairs), ("minutes", pairs)]
    places = [place for _, chosen in contrasts for place in chosen]
    step = {
        **common, **list_values(draw, len(places)), **of_series(run.job, places),
        "contrast": [name for name, chosen in contrasts for _ in chosen],
        "comparison_id": np.arange(len(places)) + ids, "other_engine": "engine_0",
        "before_run_id": run.before, "before_due_at": run.before_due_at, "after_run_id": run.id,
        "test": "mcnemar", "facts": "{}",
    }  # fmt: skip
    yield "comparisons_current", len(places), step
    engine, target = ([system[place] for system in SYSTEMS] for place in (0, 1))
    systems = {**common, "engine": engine, "target": target, "list": "bench@1",
               "source_lang": "en"}  # fmt: skip
    n = len(SYSTEMS)
    yield "coverage", n, {**list_values(draw, n), **systems}
    yield "requests", len(BATCHES), {
        **common, "engine": list(BATCHES), "surface": "api", "purpose": "probe", "requests": 900,
        "ok": 890, "seconds": draw.random(len(BATCHES)) * 900, "bytes": 10**6,
        "first_asked_at": run.due_at, "last_asked_at": run.due_at,
    }  # fmt: skip
    asked = [(engine, topic, name) for engine in BATCHES for topic in OCCUPATIONS
             for name in ("parity", "us_labour")]  # fmt: skip
    yield "topics_current", len(asked), {
        **common, **list_values(draw, len(asked)), "engine": [row[0] for row in asked],
        "topic": [row[1] for row in asked], "reference": [row[2] for row in asked],
        "target_lang": "cs", "list": "bench", "measure": "c_ratio_bias",
        "point_id": np.arange(len(asked)) + ids,
    }  # fmt: skip
    given = [(engine, topic, word) for engine in BATCHES for topic in OCCUPATIONS
             for word in ("he", "she", "they", "avoided")]  # fmt: skip
    yield "pronouns", len(given), {
        **common, "engine": [row[0] for row in given], "occupation": [row[1] for row in given],
        "pronoun": [row[2] for row in given], "list": "spoken@1", "source_lang": "tr",
        "target": "en", "answers": draw.integers(0, 20, len(given)),
    }  # fmt: skip
    yield "queries_current", len(asked), {
        **common, **list_values(draw, len(asked)), "engine": [row[0] for row in asked],
        "key": [f"{row[1]} {row[2]}" for row in asked], "list": "bench", "measure": "gsr",
        "quantity": "gsr", "source_lang": "en", "target": "en",
        "point_id": np.arange(len(asked)) + ids,
    }  # fmt: skip


def list_month_tables(runs: list[RunFacts]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield (table, rows, columns) of the runs of a job in a month."""
    draw, n = np.random.default_rng([runs[0].id, 2]), len(SERIES)
    due_at, every = [run.due_at for run in runs], list(range(n))
    each = {"job": runs[0].job, "due_at": [at for at in due_at for _ in every], "run_kind": ""}
    each["computed_at"] = each["changed_at"] = each["detected_at"] = each["due_at"]
    yield "series_points", n * len(runs), {
        **list_values(draw, n * len(runs)), **of_series(runs[0].job, every * len(runs)), **each,
        "run_id": [run.id for run in runs for _ in every], "tick_state": "done", "flags": "[]",
        "point_id": [run.id * 10_000 + place for run in runs for place in every],
    }  # fmt: skip
    ticks = {"job": runs[0].job, "due_at": due_at, "run_id": [run.id for run in runs]}
    yield "due_ticks", len(runs), {
        **ticks, "state": "done", "run_state": "done", "basis_run_id": ticks["run_id"],
    }  # fmt: skip
    yield "ledger", len(runs), {
        **ticks, "number": np.arange(len(runs)) + 1, "families": 3, "hypotheses": 28, "p": 0.4,
        "alpha": 0.05, "rule": "bench", "computed_at": due_at,
    }  # fmt: skip
    yield "changes_current", len(runs), {
        **list_values(draw, len(runs)), **of_series(runs[0].job, every[: len(runs)]), **ticks,
        "change_id": ticks["run_id"], "changed_at": due_at, "detected_at": due_at,
        "computed_at": due_at, "before_run_id": [run.before for run in runs],
        "after_run_id": ticks["run_id"], "status": "confirmed", "cause": "engine",
        "because": "the control stood still", "sentence": "f_s rose by 0.01", "kind": "step",
    }  # fmt: skip


def write_parts(folder: Path, work: list[tuple[ReleasePart, list[RunFacts]]], data: Path) -> int:
    """Write the files of parts with their runs; returns how many."""
    tables = release.list_growing_resources(full=False)
    for part, runs in work:
        contents = list_month_tables(runs) if part.run is None else list_run_tables(runs[0], data)
        for name, n, columns in contents:
            write_file(folder / name_file(part, name), tables[name], n, columns)
    return len(work)


def read_runs(connection: sa.Connection) -> dict[int, RunFacts]:
    """Return the runs of an archive, each with the one before it."""
    query = sa.select(schema.runs).order_by(schema.runs.c.due_at, schema.runs.c.id)
    runs: dict[int, RunFacts] = {}
    last: dict[str, RunFacts] = {}
    for row in connection.execute(query):
        before = last.get(row.job)
        known = (before.id, before.due_at) if before else (row.id, row.due_at)
        if row.finished_at:
            runs[row.id] = last[row.job] = RunFacts(row.id, row.job, row.due_at, *known)
    return runs


def make(place: Place, runs: int, later: int, data: Path) -> None:
    """Write an archive and the files of its parts, and have a release take them up."""
    began = time.perf_counter()
    if not (place.folder / "monitor.db").exists():
        make_archive(place, runs, later, data)
    place.release.mkdir(exist_ok=True)
    database = place.connect()
    with database.read() as connection:
        version = migrations.read_revisions(database)[1]
        parts = release.list_parts(connection, ReleaseSelection(), version)
        facts = read_runs(connection)
    database.close()
    months: dict[tuple[str, str], list[RunFacts]] = {}
    for run in facts.values():
        months.setdefault((run.job, run.due_at.strftime("%Y-%m")), []).append(run)
    work = [
        (part, [facts[part.run]] if part.run else months[part.job, part.month])
        for part in parts
        if part.run or (part.job, part.month) in months
    ]
    first = {"format": 1, "database_schema": version, "answers": "redacted", "jobs": []}
    text = json.dumps({**first, "parts": {}, "tombstones": []})
    (place.release / "latest.json").write_text(text, encoding="utf-8")
    with ProcessPoolExecutor(2) as pool:
        portions = [work[n : n + 20] for n in range(0, len(work), 20)]
        waiting = [pool.submit(write_parts, place.release, part, data) for part in portions]
        for number, done in enumerate(waiting, 1):
            done.result()
            print(f"\r{number / len(waiting):.0%}", end="", file=sys.stderr, flush=True)
    took = time.perf_counter() - began
    print(f"\nwritten in {took:.0f} s", file=sys.stderr)
    seconds, written = place.grow()
    print(f"taken up in {seconds:.0f} s: {written['total_rows']:,} rows in "
          f"{written['total_files']:,} files")  # fmt: skip
    sizes: dict[str, list[int]] = {}
    for part in json.loads((place.release / "latest.json").read_text("utf-8"))["parts"].values():
        for name, file in part["files"].items():
            size = sizes.setdefault(name, [0, 0])
            size[0], size[1] = size[0] + file["rows"], size[1] + file["size"]
    for name, (n, size) in sorted(sizes.items()):
        print(f"{name:<22}{n:>14,} rows{size / 1e6:>10,.1f} MB{size / n:>8.1f} B a row")
    everything = sum(path.stat().st_size for path in place.release.rglob("*") if path.is_file())
    n = sizes["answers"][0]
    print(f"{'all files':<22}{n:>14,} answers{everything / 1e6:>7,.1f} MB"
          f"{everything / n:>8.1f} B an answer")  # fmt: skip


# --- what is measured -----------------------------------------------------------------------------


def list_questions() -> dict[str, str]:
    """Return {name: SQL} of scans and of the worked questions that this release answers."""
    worked = {one.name: one.sql for one in data_dictionary.read_questions()}
    return SCANS | {name: sql for name, sql in worked.items() if name not in ELSEWHERE}


def ask_one(folder: Path, name: str, reader: str) -> None:
    """Answer a question twice; print seconds and rows, MB, seconds again, processor seconds."""
    sql = list_questions()[name]
    began = time.perf_counter()
    answer = READERS[reader](folder)
    rows = answer(sql)
    first, again = time.perf_counter() - began, time.perf_counter()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    busy = time.process_time()
    answer(sql)
    print(json.dumps([first, rows, memory, time.perf_counter() - again, busy]))


def open_duckdb(folder: Path) -> Callable[[str], int]:
    """Return what answers a question in DuckDB, with the number of rows."""
    import duckdb

    reader = duckdb.connect()
    reader.execute(f"SET file_search_path = '{folder}'; SET memory_limit = '3GB'; SET threads = 2")
    reader.execute((folder / "duckdb.sql").read_text("utf-8"))
    return lambda sql: len(reader.execute(sql).fetchall())


def open_clickhouse(folder: Path) -> Callable[[str], int]:
    """Return what answers a question in ClickHouse, with the number of rows."""
    import chdb.session

    from tests.test_growing_release import in_clickhouse

    views = (folder / "clickhouse.sql").read_text("utf-8").replace("'data/", f"'{folder}/data/")
    reader = chdb.session.Session()
    for statement in ("CREATE DATABASE r", "USE r", *filter(str.strip, views.split(";\n"))):
        reader.query(statement)
    settings = "SETTINGS join_use_nulls = 1, max_threads = 2"
    return lambda sql: len(
        reader.query(f"{in_clickhouse(sql)} {settings}", "CSV").bytes().splitlines()
    )


READERS = {"duckdb": open_duckdb, "clickhouse": open_clickhouse}


def ask_in_process(place: Place, name: str, reader: str) -> list[float] | str:
    """Return what `ask_one` prints, in a process of its own, or why it failed."""
    words = ["ask-one", "--folder", str(place.release), "--question", name, "--reader", reader]
    done = subprocess.run(
        [sys.executable, __file__, *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return done.stderr.strip().splitlines()[-1][:200]
    return list(json.loads(done.stdout.splitlines()[-1]))


def ask(place: Place, names: list[str]) -> None:
    """Time each question in DuckDB, from the start of a process to the last row.

    The processor time (of all threads) says what a machine that others use would hide.
    """
    for name in names or list_questions():
        said = ask_in_process(place, name, "duckdb")
        if isinstance(said, str):
            print(f"{name:<30} failed: {said}")
        else:
            print(f"{name:<31}{said[0]:>8.2f} s{said[4]:>8.2f} s of processors{said[1]:>10,} rows"
                  f"{said[2]:>8,.0f} MB", flush=True)  # fmt: skip


def load_postgres(folder: Path, connection: Any) -> None:
    """Copy the tables of a release into a database."""
    from pyarrow import csv, parquet

    types = {"text": "text", "json": "jsonb", "integer": "bigint", "number": "double precision",
             "boolean": "boolean", "datetime": "timestamptz"}  # fmt: skip
    parts = json.loads((folder / "latest.json").read_text("utf-8"))["parts"].values()
    for name, table in release.list_growing_resources(full=False).items():
        columns = ", ".join(f'"{column.name}" {types[column.type]}' for column in table.columns)
        connection.execute(f"CREATE TABLE {name} ({columns})")
        for part in parts:
            if name not in part["files"]:
                continue
            rows = parquet.read_table(folder / part["files"][name]["path"], partitioning=None)
            lines = pa.BufferOutputStream()
            csv.write_csv(rows, lines, csv.WriteOptions(include_header=False))
            with connection.cursor().copy(f"COPY {name} FROM STDIN (FORMAT csv)") as copy:
                copy.write(memoryview(lines.getvalue()))
    connection.execute("CREATE INDEX ON answers (run_id)")
    for name in ("series", "noise"):
        text = migrations.read_view_files()[name]
        connection.execute(f"CREATE VIEW {name} AS {text[text.index('SELECT') :].rstrip(';')}")
    connection.execute("ANALYZE")


def compare(place: Place, names: list[str]) -> None:
    """Time questions over one release in each database, the second time that they are asked."""
    import psycopg

    from tests import postgres

    with (
        postgres.running(shared_buffers="2GB", work_mem="512MB", timezone="UTC") as server,
        psycopg.connect(
            host=str(server.folder), user="monitor", dbname=server.create(), autocommit=True
        ) as connection,
    ):
        load_postgres(place.release, connection)
        size = connection.execute("SELECT pg_total_relation_size('answers')").fetchall()
        print(f"answers in PostgreSQL: {size[0][0] / 1e9:.1f} GB", flush=True)
        for name in names or list_questions():
            for _ in range(2):
                began = time.perf_counter()
                rows = len(connection.execute(list_questions()[name]).fetchall())
                seconds = time.perf_counter() - began
            line = f"{name:<31}{rows:>7,} rows  PostgreSQL{seconds:>8.2f} s"
            for reader in READERS:
                said = ask_in_process(place, name, reader)
                if isinstance(said, str):
                    line += f"  {reader} failed: {said}"
                else:
                    line += f"  {reader}{said[3]:>7.2f} s{' other rows!' * (said[1] != rows)}"
            print(line, flush=True)


def tick(place: Place) -> None:
    """End the next run of the archive, which has all its rows, and release it."""
    database = place.connect()
    columns = schema.runs.c
    with database.begin() as connection:
        query = sa.select(columns.id, columns.due_at).where(columns.finished_at.is_(None))
        run = connection.execute(query.order_by(columns.id).limit(1)).one()
        ended = sa.update(schema.runs).where(columns.id == run.id)
        connection.execute(ended.values(finished_at=run.due_at))
        mark_stages(connection, run.id)
    database.close()
    seconds, written = place.grow()
    print(f"a tick: {written['rows']:,} rows in {written['files']} files, {seconds:.1f} s; "
          f"the release has {written['total_files']:,} files")  # fmt: skip
    seconds, written = place.grow()
    print(f"nothing new: {seconds:.1f} s")


def erase(place: Place) -> None:
    """Erase an address, then a name, from results of several runs; release what is left."""
    for column, what in (("url", "https://someone.example/page"), ("text", "Erika Someone")):
        numbers = schema.attempts.c.run_id
        database = place.connect()
        with database.begin() as connection:
            shown = sa.select(sa.func.max(schema.items.c.id)).join(schema.readings).join(
                schema.attempts).group_by(numbers)  # fmt: skip
            ids = connection.execute(shown).scalars().all()
            found = sa.update(schema.items).where(schema.items.c.id.in_(ids))
            connection.execute(found.values({column: what, "erasure_id": None}))
            for run_id in connection.execute(sa.select(numbers).distinct()).scalars().all():
                mark_stage(connection, run_id, "read", f"with {column}")
        database.close()
        place.grow()  # what is to be erased is released
        erased, _ = place.run("erase", what, "--reason", "bench", "--yes", "--no-vacuum")
        seconds, written = place.grow()
        print(f"erasing a {column} from {len(ids)} runs: in the archive {erased:.1f} s; in the "
              f"release {seconds:.1f} s, {written['erased']} files in place of others")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("make", "ask", "ask-one", "tick", "erase", "compare"))
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--later", type=int, default=2, help="runs with all their rows")
    parser.add_argument("--data", type=Path, help="the folder of GEST")
    parser.add_argument("--question", action="append", default=[])
    parser.add_argument("--reader", choices=READERS, default="duckdb")
    chosen = parser.parse_args()
    place = Place(chosen.folder.resolve())
    if chosen.what == "make":
        make(place, chosen.runs, chosen.later, chosen.data)
    elif chosen.what == "ask-one":
        ask_one(chosen.folder, chosen.question[0], chosen.reader)
    elif chosen.what == "ask":
        ask(place, chosen.question)
    elif chosen.what == "compare":
        compare(place, chosen.question)
    elif chosen.what == "tick":
        tick(place)
    else:
        erase(place)


if __name__ == "__main__":
    main()
