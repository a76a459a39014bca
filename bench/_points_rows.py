"""Rows of synthetic series: what a run of a job leaves, without its answers.

In go sizes and ids, out come plain rows, one function for each table.
"""

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from monitor.model import digest
from monitor.store import schema

FIRST_TICK = datetime(2015, 1, 5, 5, tzinfo=UTC)
TARGETS = ("cs", "pl", "pt", "ru", "sk", "es", "uk", "sl", "hr", "sr")
OVERALL = ("f_s", "f_m", "s_or", "marked_share", "masculine_share", "spread")
STEREOTYPES = 16
MEASURE = "masculine_rate"


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
    has_items: bool = False  # every answer is read and heard, and points have facts
    data: Path | None = None  # folder of GEST: its sentences and translations are what is asked


def scopes() -> list[tuple[str, str]]:
    """(quantity, scope) of the series of one system."""
    tags = [("p_i", f"tag:half={half}") for half in ("odd", "even")]
    each = [("p_i", f"stereotype:{n}") for n in range(1, STEREOTYPES + 1)]
    return [(name, "all") for name in OVERALL] + each + tags


#: Tables filled with ids of our own; others are asked for theirs.
TABLES = [
    schema.jobs, schema.runs, schema.ticks, schema.series_keys, schema.points, schema.lists,
    schema.list_items, schema.probes, schema.attempts, schema.comparisons, schema.exchanges,
    schema.bodies, schema.readings, schema.items, schema.agreements,
]  # fmt: skip


class Ids:
    """Hands out ids after the highest that a table has."""

    def __init__(self, connection: sa.Connection, tables: list[sa.Table]) -> None:
        self._next = {
            table.name: 1 + (connection.execute(sa.select(sa.func.max(table.c.id))).scalar() or 0)
            for table in tables
        }

    def take(self, table: sa.Table, many: int = 1) -> int:
        """The first of so many."""
        self._next[table.name] += many
        return self._next[table.name] - many

    def give_back(self, connection: sa.Connection) -> None:
        """Let PostgreSQL go on counting after ours."""
        if connection.dialect.name == "postgresql":
            for name, after in self._next.items():
                sequence = sa.text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :n, false)")
                connection.execute(sequence, {"table": name, "n": after})


def may_skip_checks(connection: sa.Connection) -> bool:
    """Whether PostgreSQL lets us leave out checks of foreign keys: they take most of the time."""
    if connection.dialect.name != "postgresql":
        return False
    query = "SELECT usesuper FROM pg_user WHERE usename = current_user"
    return bool(connection.exec_driver_sql(query).scalar())


@dataclass
class System:
    """An engine and a target of a job with its series: (id, level, whether it has older points)."""

    engine_id: int
    target: str
    series: list[tuple[int, float, bool]]


def job_row(number: int, name: str, series: int) -> dict[str, object]:
    return {
        "id": number,
        "name": name,
        "content_hash": digest([name, series]),
        "content": {"name": name, "schedule": {"cron": "0 5 * * 1"}},
        "first_seen_at": FIRST_TICK,
    }


def list_row(number: int) -> dict[str, object]:
    return {
        "id": number,
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


def item_row(number: int, list_id: int, position: int, text: str) -> dict[str, object]:
    return {
        "id": number,
        "list_id": list_id,
        "position": position,
        "key": f"k{position}",
        "text": text,
        "tags": {"stereotype": str(position % STEREOTYPES + 1)},
        "source_lang": "en",
    }


def probe_row(number: int, position: int, target: str, text: str) -> dict[str, object]:
    return {
        "id": number,
        "key": digest(["bench", position, target])[:32],
        "text": text,
        "source_lang": "en",
        "target_lang": target,
        "region": "",
        "parameters": {},
    }


def series_row(
    number: int, job: str, system: tuple[int, str, str], about: tuple[str, str], signature: int
) -> dict[str, object]:
    """`system` is (engine id, engine, target), `about` (quantity, scope)."""
    (engine_id, engine, target), (quantity, scope) = system, about
    return {
        "id": number,
        "key": digest([job, engine, target, quantity, scope]),
        "job": job,
        "list": "bench",
        "engine_id": engine_id,
        "source_lang": "en",
        "target": target,
        "measure": MEASURE,
        "quantity": quantity,
        "reference": "",
        "scope": scope,
        "signature_id": signature,
    }


def tick_row(number: int, job: str, due_at: datetime, run_id: int | None) -> dict[str, object]:
    """A tick with its run, or one that was missed."""
    return {
        "id": number,
        "job": job,
        "due_at": due_at,
        "start_at": due_at,
        "state": "missed" if run_id is None else "done",
        "reason": "nobody was there" if run_id is None else "",
        "run_id": run_id,
        "noted_at": due_at,
        "ended_at": due_at,
    }


def run_row(number: int, job_id: int, job: str, due_at: datetime) -> dict[str, object]:
    return {
        "id": number,
        "job_id": job_id,
        "job": job,
        "due_at": due_at,
        "kind": "scheduled",
        "code_version": "bench",
        "packages": {},
        "created_at": due_at,
        "state": "done",
        "finished_at": due_at,
    }


def exchange_row(
    number: int, run_id: int, engine_id: int, due_at: datetime, body_id: int | None
) -> dict[str, object]:
    return {
        "id": number,
        "run_id": run_id,
        "engine_id": engine_id,
        "purpose": "probe",
        "request": {},
        "outcome": "ok",
        "reason": "",
        "detail": "",
        "url": "",
        "headers": [],
        "body_id": body_id,
        "egress": "",
        "asked_at": due_at,
        "took": 0.1,
    }


def point_row(
    chance: random.Random, series: tuple[int, float, bool], run_id: int, due_at: datetime,
    few: float, is_down: bool,
) -> dict[str, object]:  # fmt: skip
    """A point without id and signature; `few` is how often there are too few usable answers."""
    series_id, level, _ = series
    planned = 400
    used = 0 if is_down else chance.randint(200, 380)
    is_few = is_down or chance.random() < few
    value = min(0.98, max(0.02, level + chance.gauss(0, 0.02)))
    spread = 0.05
    return {
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


def fact_rows(point: dict[str, object]) -> list[dict[str, object]]:
    """Two facts of a measured point."""
    if point["value"] is None:
        return []
    facts = {"effective_n": float(point["used"]), "masculine": float(point["value"])}
    return [{"point_id": point["id"], "key": key, "value": one} for key, one in facts.items()]


def step_row(
    number: int, series_id: int, before: tuple[int, float], after: tuple[int, float],
    signature: int, due_at: datetime, p: float,
) -> dict[str, object]:  # fmt: skip
    """A comparison of (run, value) with (run, value)."""
    delta = after[1] - before[1]
    return {
        "id": number,
        "series_id": series_id,
        "contrast": "step",
        "before_run_id": before[0],
        "after_run_id": after[0],
        "signature_id": signature,
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
        "after": after[1],
        "delta": delta,
        "low": delta - 0.02,
        "high": delta + 0.02,
        "p": p,
        "facts": {},
        "inputs_digest": "bench",
        "computed_at": due_at,
        "is_current": True,
    }
