"""Facts behind a published number, which is a point or a change."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.change import Contrast
from monitor.store import rows
from monitor.store.derive import corpora
from monitor.store.schema import (
    attempts,
    bodies,
    changes,
    comparisons,
    egresses,
    engines,
    exchanges,
    list_items,
    list_probes,
    lists,
    looks,
    points,
    probes,
    run_lists,
    runs,
    scopes,
    series_keys,
    signatures,
)
from monitor.store.selectables import TARGET

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ClaimRun:
    """A run that a number rests on. `evidence_sha256` stands for all of its raw answers."""

    id: int
    job: str
    due_at: datetime
    state: str
    code_version: str
    list: str
    countries: Sequence[str]
    n_answers: int
    evidence_sha256: str


@dataclass(frozen=True, slots=True)
class Component:
    """A quantity that another one is computed from, in the two runs of a change."""

    quantity: str
    before: float
    after: float


_SERIES = (
    series_keys.c.key.label("series_key"),
    series_keys.c.list,
    series_keys.c.source_lang,
    series_keys.c.target,
    series_keys.c.measure,
    series_keys.c.quantity,
    series_keys.c.reference,
    series_keys.c.scope,
    scopes.c.title.label("scope_title"),
    engines.c.id.label("engine_id"),
    engines.c.name.label("engine"),
    engines.c.kind.label("engine_kind"),
    engines.c.surface,
    engines.c.config,
)


def _limit_to_series(query: sa.Select[Any], series_id: sa.ColumnElement[int]) -> sa.Select[Any]:
    return (
        query.join(series_keys, series_keys.c.id == series_id)
        .join(engines, engines.c.id == series_keys.c.engine_id)
        .outerjoin(scopes, scopes.c.scope == series_keys.c.scope)
    )


def read_change(connection: sa.Connection, number: int) -> Row | None:
    """Return a change with its series, the comparison behind it, and the one that asked again.

    `between` is the comparison of its two runs: what was found by looking back rests on more.
    """
    query = sa.select(changes, *_SERIES)
    query = _limit_to_series(query, changes.c.series_id).where(changes.c.id == number)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        return None
    compared = {
        name: _read_comparison(connection, row[f"{name}_id"]) for name in ("comparison", "confirm")
    }
    between = compared["comparison"] or _read_step(connection, dict(row))
    made_of = _read_runs(connection, [row["before_run_id"], row["after_run_id"]], dict(row))
    return dict(row) | compared | {"between": between, "runs": made_of}


def read_point(connection: sa.Connection, number: int) -> Row | None:
    """Return a point with its series and its run."""
    query = sa.select(points, *_SERIES)
    query = _limit_to_series(query, points.c.series_id).where(points.c.id == number)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        return None
    return dict(row) | {"runs": _read_runs(connection, [row["run_id"]], dict(row))}


def _read_comparison(connection: sa.Connection, number: int | None) -> Row | None:
    if number is None:
        return None
    query = sa.select(comparisons).where(comparisons.c.id == number)
    return dict(connection.execute(query).mappings().one())


def _read_step(connection: sa.Connection, row: Mapping[str, Any]) -> Row | None:
    """Return the comparison in force of the two runs of a change."""
    of = comparisons.c
    query = sa.select(comparisons).where(
        of.is_current, of.contrast == Contrast.STEP, of.series_id == row["series_id"],
        of.before_run_id == row["before_run_id"], of.after_run_id == row["after_run_id"],
    )  # fmt: skip
    step = connection.execute(query).mappings().one_or_none()
    return dict(step) if step else None


def _read_runs(
    connection: sa.Connection, run_ids: Sequence[int], series: Mapping[str, Any]
) -> list[ClaimRun]:
    """Return runs of a series with what they asked, from where, and their evidence."""
    run_rows = [_make_run(connection, run_id, series) for run_id in run_ids]
    by_list: dict[int | None, list[int]] = {}
    for run in run_rows:
        by_list.setdefault(run.pop("list_id"), []).append(run["id"])
    proofs: dict[int, Row] = {}
    for list_id, list_runs in by_list.items():
        proofs |= _read_evidence(connection, list_runs, list_id, series)
    return [ClaimRun(**run, **proofs[run["id"]]) for run in run_rows]


def _make_run(connection: sa.Connection, run_id: int, series: Mapping[str, Any]) -> Row:
    row = connection.execute(sa.select(runs).where(runs.c.id == run_id)).one()
    label = connection.execute(
        sa.select(lists.c.id, lists.c.name, lists.c.version)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id, lists.c.name == series["list"])
    ).one_or_none()
    countries = sa.select(egresses.c.country).where(egresses.c.run_id == run_id).distinct()
    return {
        "id": run_id,
        "job": row.job,
        "due_at": row.due_at,
        "state": row.state,
        "code_version": row.code_version,
        "list": f"{label.name}@{label.version}" if label else series["list"],
        "list_id": label.id if label else None,
        "countries": sorted(filter(None, connection.execute(countries).scalars())),
    }


def _read_evidence(
    connection: sa.Connection,
    run_ids: Sequence[int],
    list_id: int | None,
    series: Mapping[str, Any],
) -> dict[int, Row]:
    """Return {run: number of stored answers to the questions of a series, their common SHA-256}.

    Over the sorted lines `KEY OF THE PROBE, REPEAT, SHA-256 OF THE BODY`: the same answers to other
    questions have another digest. `monitor evidence export` writes the answers themselves.
    Of a run that asked nothing they are those that it read.
    """
    read = {run_id: corpora.find_runs_read(connection, run_id) for run_id in run_ids}
    asked_probes = (
        sa.select(list_probes.c.probe_id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .where(list_items.c.list_id == list_id)
    )
    query = (
        sa.select(attempts.c.run_id, probes.c.key, attempts.c.repeat, bodies.c.sha256)
        .select_from(attempts)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .join(exchanges, exchanges.c.id == attempts.c.exchange_id)
        .join(bodies, bodies.c.id == exchanges.c.body_id)
        .where(
            attempts.c.run_id.in_(
                {number for run_ids_read in read.values() for number in run_ids_read}
            ),
            attempts.c.engine_id == series["engine_id"],
            attempts.c.final,
            probes.c.source_lang == series["source_lang"],
            TARGET.in_([series["target"]]),
            probes.c.id.in_(asked_probes),
        )
    )
    # at once, and of all these runs: one by one they take much longer
    lines: dict[int, list[str]] = {}
    for run_id, key, repeat, sha256 in connection.execute(query).all():
        lines.setdefault(run_id, []).append(f"{key} {repeat} {sha256}")
    proofs = {}
    for run_id, run_ids_read in read.items():
        own = sorted(line for number in run_ids_read for line in lines.get(number, ()))
        digest = hashlib.sha256("\n".join(own).encode()).hexdigest()
        proofs[run_id] = {"n_answers": len(own), "evidence_sha256": digest}
    return proofs


def read_components(
    connection: sa.Connection, row: Mapping[str, Any], quantities: Sequence[str]
) -> list[Component]:
    """Return what other quantities of the measure of a change did between its two runs."""
    alike = ("engine_id", "list", "source_lang", "target", "measure", "reference", "scope")
    query = (
        sa.select(series_keys.c.quantity, comparisons.c.before, comparisons.c.after)
        .join(series_keys, series_keys.c.id == comparisons.c.series_id)
        .where(
            comparisons.c.is_current, comparisons.c.contrast == Contrast.STEP,
            comparisons.c.before_run_id == row["before_run_id"],
            comparisons.c.after_run_id == row["after_run_id"],
            comparisons.c.delta.is_not(None), series_keys.c.quantity.in_(quantities),
            *(series_keys.c[name] == row[name] for name in alike),
        )
        .order_by(series_keys.c.quantity)
    )  # fmt: skip
    return [Component(*component) for component in connection.execute(query)]


def read_signature(connection: sa.Connection, number: int) -> tuple[str, Mapping[str, Any]]:
    """Return (hash, parts) of a signature."""
    query = sa.select(signatures.c.hash, signatures.c.parts).where(signatures.c.id == number)
    row = connection.execute(query).one()
    return row.hash, row.parts


def read_noise(connection: sa.Connection, series_id: int, before: datetime) -> list[Row]:
    """Return A/A contrasts of a series until a time: what moved when nothing should have."""
    query = (
        sa.select(comparisons.c.contrast, comparisons.c.n, comparisons.c.changed)
        .add_columns(comparisons.c.delta, comparisons.c.due_at)
        .where(
            comparisons.c.series_id == series_id,
            comparisons.c.contrast.in_((Contrast.MINUTES, Contrast.DAYS)),
            comparisons.c.is_current,
            comparisons.c.due_at <= before,
            comparisons.c.delta.is_not(None),
        )
        .order_by(comparisons.c.due_at)
    )
    return rows.read_plain_rows(connection, query)


def find_replacement(connection: sa.Connection, row: Mapping[str, Any]) -> Row | None:
    """Return what took the place of a change that is no longer in force; None without a decision.

    `rule` and `computed_at` are those of the newest decision of its tick, `change_id` and `status`
    those of the change in force of the same series, kind and tick, None where there is none.
    """
    look = (
        sa.select(looks.c.rule, looks.c.computed_at)
        .join(runs, (runs.c.job == looks.c.job) & (runs.c.due_at == looks.c.due_at))
        .where(runs.c.id == row["after_run_id"])
    )
    decision = connection.execute(look).one_or_none()
    if decision is None:
        return None
    current = connection.execute(
        sa.select(changes.c.id, changes.c.status).where(
            changes.c.is_current,
            changes.c.series_id == row["series_id"],
            changes.c.kind == row["kind"],
            changes.c.changed_at == row["changed_at"],
        )
    ).first()
    return {
        "rule": decision.rule,
        "computed_at": decision.computed_at,
        "change_id": None if current is None else current.id,
        "status": None if current is None else current.status,
    }
