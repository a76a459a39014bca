"""The numbers of an archive, each under a name that is the same in every copy of its runs.

Rows of values are points with their details, comparisons, the ledger, and findings. Published and
recomputed numbers are read by the same queries, so that they can be compared.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

import sqlalchemy as sa

from monitor.change import ChangeKind
from monitor.model import RunKind, canonical_json
from monitor.store.publish.reproduction import PORTION, RunSelection
from monitor.store.schema import (
    changes,
    comparisons,
    engines,
    looks,
    point_facts,
    points,
    query_values,
    reports,
    runs,
    series_keys,
    signatures,
    topic_values,
)

Value: TypeAlias = str | int | float | None

#: What is found in retrospect depends on every tick after it.
BACK = (ChangeKind.SHIFT,)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Values that belong together. `of` describes them; `key` is unique in `kind`.

    `signature` is the hash of the versions of ours that they were made with; empty for the ledger.
    """

    kind: str
    key: tuple[str, ...]
    of: str
    at: str
    job: str
    signature: str
    values: Mapping[str, Value]

    def row(self) -> dict[str, Any]:
        """Return as JSON holds it."""
        return {name: getattr(self, name) for name in self.__slots__} | {"key": list(self.key)}


_SERIES = (
    series_keys.c.key.label("series"), engines.c.name.label("engine"), series_keys.c.source_lang,
    series_keys.c.target, series_keys.c.list, series_keys.c.measure, series_keys.c.quantity,
    series_keys.c.reference, series_keys.c.scope,
)  # fmt: skip


def _select_numbers(table: sa.Table, run: sa.Column[Any], *more: Any) -> sa.Select[Any]:  # noqa: ANN401
    """Return the query of the rows of a table about series, with the names of series and job."""
    return (
        sa.select(table, *_SERIES, runs.c.job.label("of_job"), *more)
        .join(series_keys, series_keys.c.id == table.c.series_id)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .join(runs, runs.c.id == run)
        .order_by(table.c.id)
    )


def _name_series(row: sa.RowMapping) -> str:
    """Return a series in words."""
    pair = f"{row['source_lang']} to {row['target']}" if row["target"] else row["source_lang"]
    held = f" against {row['reference']}" if row["reference"] else ""
    what = f"{row['measure']} {row['quantity']}{held}, {row['scope']}"
    return f"{row['engine']}, {pair}, list {row['list']}, {what}"


def _pick_values(row: sa.RowMapping, names: Iterable[str]) -> dict[str, Value]:
    return {name: _make_value(row[name]) for name in names}


def _name_facts(row: sa.RowMapping) -> dict[str, Value]:
    return {f"fact {name}": value for name, value in dict(row["facts"]).items()}


def _make_value(value: Any) -> Value:  # noqa: ANN401 - whatever a column holds
    """Return a number or text; lists and tables become text."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, str) else canonical_json(value)


# --- points ---------------------------------------------------------------------------------------

_POINT = (
    "state", "reason", "value", "low", "high", "bound_low", "bound_high", "flags", "planned",
    "answered", "used", "unidentified",
)  # fmt: skip
_BESIDE = {"topic": (topic_values, "topic"), "query": (query_values, "key")}


def read_points(connection: sa.Connection, run_id: int) -> Iterator[Numbers]:
    """Yield the newest points of a run under each signature, with facts, topics and queries."""
    query = (
        _select_numbers(points, points.c.run_id, signatures.c.hash)
        .join(signatures, signatures.c.id == points.c.signature_id)
        .where(points.c.run_id == run_id, points.c.is_newest)
        .limit(PORTION)
    )
    last = 0
    while partition := connection.execute(query.where(points.c.id > last)).mappings().all():
        last = int(partition[-1]["id"])
        details = _read_point_details(connection, [int(row["id"]) for row in partition])
        for row in partition:
            values = _pick_values(row, _POINT) | details.get(int(row["id"]), {})
            key = (str(run_id), row["series"], row["hash"])
            due = row["due_at"].isoformat()
            yield Numbers("points", key, _name_series(row), due, row["of_job"], row["hash"], values)


def _read_point_details(connection: sa.Connection, ids: list[int]) -> dict[int, dict[str, Value]]:
    """Return {point: its facts, topics and queries as values with names}."""
    details_of: dict[int, dict[str, Value]] = defaultdict(dict)
    query = sa.select(point_facts).where(point_facts.c.point_id.in_(ids))
    for fact in connection.execute(query):
        details_of[fact.point_id][f"fact {fact.key}"] = fact.value
    for what, (table, key) in _BESIDE.items():
        names = [name for name in table.c.keys() if name not in ("id", "point_id", key)]  # noqa: SIM118
        for row in connection.execute(sa.select(table).where(table.c.point_id.in_(ids))).mappings():
            for name, value in _pick_values(row, names).items():
                details_of[row["point_id"]][f"{what} {row[key]} {name}"] = value
    return details_of


# --- comparisons ----------------------------------------------------------------------------------

_COMPARED = (
    "method_version", "state", "reason", "test", "n", "only_before", "only_after", "changed",
    "before", "after", "delta", "low", "high", "p",
)  # fmt: skip
_other = series_keys.alias("other_series")


def read_comparisons(connection: sa.Connection, run_id: int) -> Iterator[Numbers]:
    """Yield what was compared with the answers of a run, as it stands."""
    query = (
        _select_numbers(
            comparisons, comparisons.c.after_run_id, signatures.c.hash, _other.c.key.label("other")
        )
        .join(signatures, signatures.c.id == comparisons.c.signature_id)
        .outerjoin(_other, _other.c.id == comparisons.c.other_id)
        .where(comparisons.c.after_run_id == run_id, comparisons.c.is_current)
    )
    result = connection.execute(query, execution_options={"yield_per": PORTION})
    for row in result.mappings():
        values = _pick_values(row, _COMPARED) | {"before_run": row["before_run_id"]}
        values |= _name_facts(row)
        key = (str(run_id), row["series"], row["contrast"], row["other"] or "")
        of = f"{_name_series(row)}, {row['contrast']}"
        due = row["due_at"].isoformat()
        yield Numbers("comparisons", key, of, due, row["of_job"], row["hash"], values)


# --- ledger and findings --------------------------------------------------------------------------

_LOOK = ("number", "families", "hypotheses", "p", "alpha", "selected", "rule")
_CHANGE = (
    "role", "family", "detected_at", "before_run_id", "after_run_id", "before", "after", "effect",
    "low", "high", "p", "q", "alpha", "p_beyond", "alpha_beyond", "noise", "statistic", "status",
    "cause", "because", "sentence",
)  # fmt: skip


def list_jobs(connection: sa.Connection, selection: RunSelection) -> list[str]:
    """Return the names of the jobs of the wanted runs."""
    query = sa.select(runs.c.job).where(runs.c.id.in_(selection.runs)).distinct()
    return sorted(connection.execute(query).scalars())


def read_ledger(
    connection: sa.Connection, job: str, until: datetime | None, without: Sequence[int] = ()
) -> Iterator[Numbers]:
    """Yield the ledger of a job, without the ticks of some runs."""
    of_runs = sa.select(runs.c.due_at).where(
        runs.c.id.in_(without), runs.c.job == job, runs.c.kind == RunKind.SCHEDULED
    )
    query = (
        sa.select(looks)
        .where(looks.c.job == job, looks.c.due_at.not_in(of_runs))
        .order_by(looks.c.due_at)
    )
    if until:
        query = query.where(looks.c.due_at <= until)
    for row in connection.execute(query).mappings():
        due = row["due_at"].isoformat()
        yield Numbers(
            "looks", (job, due), f"ledger of {job}", due, job, "", _pick_values(row, _LOOK)
        )


def read_changes(
    connection: sa.Connection, job: str, until: datetime | None, without: Sequence[int] = ()
) -> Iterator[Numbers]:
    """Yield what was found to have changed in a job, as it stands, but for what some runs have."""
    query = _select_numbers(changes, changes.c.after_run_id).where(
        runs.c.job == job, changes.c.is_current, changes.c.after_run_id.not_in(without)
    )
    if until:
        query = query.where(changes.c.detected_at <= until)
    for row in connection.execute(query).mappings():
        values = _pick_values(row, _CHANGE) | _name_facts(row)
        changed = row["changed_at"].isoformat()
        key = (job, row["series"], row["kind"], changed)
        yield Numbers(
            "changes", key, f"{_name_series(row)}, {row['kind']}", changed, job, "", values
        )


def read_decision_times(
    connection: sa.Connection, job: str, until: datetime | None
) -> dict[str, str]:
    """Return {due tick: time of its last decision}."""
    decided: dict[str, str] = {}
    ledger_query = (
        sa.select(looks.c.due_at, looks.c.computed_at).where(looks.c.job == job),
        sa.select(changes.c.detected_at.label("due_at"), changes.c.computed_at)
        .join(runs, runs.c.id == changes.c.after_run_id)
        .where(runs.c.job == job, changes.c.is_current, changes.c.kind.not_in(BACK)),
    )
    for query in ledger_query:
        for row in connection.execute(query):
            if until is None or row.due_at <= until:
                due, when = row.due_at.isoformat(), row.computed_at.isoformat()
                decided[due] = max(decided.get(due, when), when)
    return decided


# --- signatures -----------------------------------------------------------------------------------


def read_signatures(
    connection: sa.Connection, selection: RunSelection
) -> dict[str, dict[str, Any]]:
    """Return {hash: parts} of everything that the wanted numbers were made with, by hash."""
    of_points = sa.select(points.c.signature_id).where(
        points.c.run_id.in_(selection.runs), points.c.is_newest
    )
    of_pairs = sa.select(comparisons.c.signature_id).where(
        comparisons.c.after_run_id.in_(selection.runs), comparisons.c.is_current
    )
    query = sa.select(signatures.c.hash, signatures.c.parts).where(
        signatures.c.id.in_(sa.union(of_points, of_pairs))
    )
    parts_of = {row.hash: dict(row.parts) for row in connection.execute(query)}
    return dict(sorted(parts_of.items()))


def find_signature_hashes(connection: sa.Connection, run_id: int) -> dict[str, set[str]]:
    """Return {"points" or "comparisons": hashes of the signatures of a run's numbers}."""
    conditions = (
        (points, (points.c.run_id == run_id) & points.c.is_newest),
        (comparisons, (comparisons.c.after_run_id == run_id) & comparisons.c.is_current),
    )
    hashes: dict[str, set[str]] = {}
    for table, where in conditions:
        query = sa.select(signatures.c.hash).join(table, table.c.signature_id == signatures.c.id)
        hashes[table.name] = set(connection.execute(query.where(where).distinct()).scalars())
    return hashes


def find_report_times(
    connection: sa.Connection, selection: RunSelection, job: str
) -> list[datetime]:
    """Return the times of a job's weekly reports, and its newest tick that ended."""
    newest = sa.select(sa.func.max(runs.c.due_at)).where(
        runs.c.job == job, runs.c.kind == RunKind.SCHEDULED, runs.c.id.in_(selection.runs)
    )
    made_reports = sa.select(reports.c.due_at).where(
        reports.c.job == job, reports.c.state == "made"
    )
    times = {connection.execute(newest).scalar(), *connection.execute(made_reports).scalars()}
    return sorted(moment for moment in times if moment is not None)
