"""Inputs of a run, which decide whether its values are still up to date."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from monitor.model import RunKind, digest
from monitor.store.derive import corpora
from monitor.store.schema import (
    attempts,
    bodies,
    bundle_files,
    changes,
    comparisons,
    documents,
    egresses,
    item_entities,
    items,
    jobs,
    labels,
    lists,
    probes,
    run_lists,
    runs,
)
from monitor.store.selectables import READ_ITEMS


def find_newest_ids(connection: sa.Connection, run_id: int, collection: str) -> list[int]:
    """Return ids of the newest label, erasure, document and egress of a run's values.

    0 where there is none. `collection` holds the pages that the results of the run lead to.
    """
    item_readings = READ_ITEMS.outerjoin(
        item_entities, item_entities.c.item_id == items.c.id
    ).outerjoin(labels, (labels.c.entity == item_entities.c.entity) & labels.c.is_current)
    of_items = (
        sa.select(
            sa.func.max(labels.c.id),
            sa.func.max(items.c.erasure_id),
            sa.func.count(item_entities.c.item_id),
        )
        .select_from(item_readings)
        .where(attempts.c.run_id == run_id)
    )
    of_pages = sa.select(sa.func.max(documents.c.id)).where(documents.c.collection == collection)
    newest_egress = sa.select(sa.func.max(egresses.c.id)).where(egresses.c.run_id == run_id)
    ids = [*connection.execute(of_items).one()]
    ids += [connection.execute(query).scalar() for query in (of_pages, newest_egress)]
    return [int(number or 0) for number in ids]


#: So many findings are looked up one by one; for more all are read.
_FEW = 500


@dataclass(frozen=True, slots=True)
class RunInputs:
    """A job with the content of its files. What is not in a mapping is not known."""

    content: Mapping[str, Any]  # of the job
    lists: Mapping[str, str]  # {name@version: hash of what is asked}
    references: Mapping[str, str]  # {path beside the job file: SHA-256}
    regions: Mapping[str, str]  # {name: digest of what a probe carries of it}


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run with the rows that record its inputs."""

    run_id: int
    kind: RunKind
    due_at: datetime
    job_id: int
    bundle_id: int | None
    lists: tuple[tuple[str, str], ...]  # (name@version, hash), in order

    @property
    def likeness(self) -> tuple[object, ...]:
        """Return the same for runs that were made of the same.

        Without stored files the regions of a run are known from its own questions alone.
        """
        run_number = self.run_id if self.bundle_id is None else 0
        return self.job_id, self.bundle_id, self.lists, run_number


def list_runs(
    connection: sa.Connection, job: str, until: datetime | None = None
) -> list[RecordedRun]:
    """Return the runs of a job up to a time that values and findings rest on, the oldest first."""
    query = sa.select(runs).where(runs.c.job == job)
    if until is not None:
        query = query.where(runs.c.due_at <= until)
    run_rows = list(connection.execute(query.order_by(runs.c.due_at, runs.c.id)))
    lists_of = _read_lists(connection, job)
    return [
        RecordedRun(
            row.id, RunKind(row.kind), row.due_at, row.job_id, row.bundle_id,
            tuple(sorted(lists_of.get(row.id, {}).items())),
        )
        for row in run_rows
    ]  # fmt: skip


def _read_lists(connection: sa.Connection, job: str) -> dict[int, dict[str, str]]:
    """Return {run: {name@version: hash}} of a job."""
    query = (
        sa.select(run_lists.c.run_id, lists.c.name, lists.c.version, lists.c.content_hash)
        .join(lists, lists.c.id == run_lists.c.list_id)
        .join(runs, runs.c.id == run_lists.c.run_id)
        .where(runs.c.job == job)
    )
    lists_of: dict[int, dict[str, str]] = {}
    for run_id, name, version, content_hash in connection.execute(query):
        lists_of.setdefault(run_id, {})[f"{name}@{version}"] = content_hash
    return lists_of


def read_inputs(connection: sa.Connection, run: RecordedRun) -> RunInputs:
    """Return what a run was made of."""
    query = sa.select(jobs.c.content).where(jobs.c.id == run.job_id)
    content = connection.execute(query).scalar_one()
    region_names = {name for use in content.get("engines", ()) for name in use.get("regions", ())}
    return RunInputs(
        content=content,
        lists=dict(run.lists),
        references=_read_references(connection, run.bundle_id),
        regions={
            name: digest_region
            for name in sorted(region_names)
            if (digest_region := _digest_region(connection, run.run_id, name))
        },
    )


def _read_references(connection: sa.Connection, bundle_id: int | None) -> dict[str, str]:
    query = (
        sa.select(bundle_files.c.path, bodies.c.sha256)
        .join(bodies, bodies.c.id == bundle_files.c.body_id)
        .where(bundle_files.c.bundle_id == bundle_id, bundle_files.c.path.like("references/%"))
    )
    return {row.path: row.sha256 for row in connection.execute(query)}


def _digest_region(connection: sa.Connection, run_id: int, name: str) -> str:
    """Return the digest of a region, which all questions of a run share."""
    query = (
        sa.select(probes.c.parameters)
        .join(attempts, attempts.c.probe_id == probes.c.id)
        .where(
            attempts.c.run_id.in_(corpora.find_runs_read(connection, run_id)),
            probes.c.region == name,
        )
        .limit(1)
    )
    region = connection.execute(query).scalar()
    return "" if region is None else digest([[key, region[key]] for key in sorted(region)])


def find_content(connection: sa.Connection, job: str, job_hash: str) -> Mapping[str, Any] | None:
    """Return the content of a job with this hash; None where it is not stored, or is another."""
    query = sa.select(jobs.c.content).where(jobs.c.name == job, jobs.c.content_hash == job_hash)
    content: Mapping[str, Any] | None = connection.execute(query).scalar()
    return content if content is not None and digest(content) == job_hash else None


def find_compared_runs(
    connection: sa.Connection, comparison_ids: Iterable[int]
) -> dict[int, tuple[int, int]]:
    """Return {comparison: the two runs that it holds against each other}."""
    columns = (comparisons.c[name] for name in ("id", "before_run_id", "after_run_id"))
    query = sa.select(*columns).where(comparisons.c.id.in_(sorted(set(comparison_ids))))
    return {row.id: (row.before_run_id, row.after_run_id) for row in connection.execute(query)}


def find_change_runs(
    connection: sa.Connection, change_ids: Sequence[int]
) -> dict[int, Mapping[str, Any]]:
    """Return {finding in force: the runs compared, and the comparison of the confirming run}."""
    names = ("id", "before_run_id", "after_run_id", "confirm_id")
    query = sa.select(*(changes.c[name] for name in names)).where(changes.c.is_current)
    if len(change_ids) <= _FEW:
        query = query.where(changes.c.id.in_(change_ids))
    return {row["id"]: dict(row) for row in connection.execute(query).mappings()}
