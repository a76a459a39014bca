"""Declarations of jobs: lists and their probes, preregistrations, bundles, and inputs of runs.

Preregistrations are only ever added; the first of a job counts. A bundle holds the files of a job
as they stood when it was read, so that any machine can go on with its runs.
"""

import errno
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain, repeat
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from monitor.model import Cue, InvalidInput, Kind, Probe, RunKind, StoreFull, StoreProblem, digest
from monitor.store import rows
from monitor.store.collect import bodies, runs
from monitor.store.collect.runs import SELECT_RUNS, Run
from monitor.store.database import Database
from monitor.store.derive import corpora
from monitor.store.schema import (
    attempts,
    bundle_files,
    bundles,
    changes,
    comparisons,
    documents,
    egresses,
    engines,
    item_entities,
    items,
    jobs,
    labels,
    list_items,
    list_probes,
    lists,
    preregistrations,
    probes,
    run_lists,
)
from monitor.store.schema import bodies as body_table
from monitor.store.schema import runs as run_table
from monitor.store.selectables import READ_ITEMS

if TYPE_CHECKING:
    from monitor.jobs import Audit
    from monitor.jobs_tables import Preregistration
    from monitor.lists import ListItem, ProbeList


def read_engine_kinds(connection: sa.Connection) -> dict[str, Kind]:
    """Return {label of an engine: what sort of system it is}."""
    query = sa.select(engines.c.name, engines.c.kind).distinct()
    return {name: Kind(kind) for name, kind in connection.execute(query)}


def read_job_contents(connection: sa.Connection) -> list[dict[str, Any]]:
    """Return the content that each job had at its newest run, the job that ran last at the end."""
    newest = (
        sa.select(sa.func.max(run_table.c.id).label("run_id")).group_by(run_table.c.job).subquery()
    )
    query = (
        sa.select(jobs.c.content)
        .join(run_table, run_table.c.job_id == jobs.c.id)
        .join(newest, newest.c.run_id == run_table.c.id)
        .order_by(run_table.c.id)
    )
    return list(connection.execute(query).scalars())


#: What invented data do not show.
NOT_REAL = "They say nothing about any real system."


@dataclass(frozen=True, slots=True)
class Invented:
    """The jobs that declare `invented = true`; `is_all` where there are no others."""

    jobs: tuple[str, ...] = ()
    is_all: bool = False

    @property
    def share(self) -> str:
        """Return how much of the archive is invented: `all`, `some`, or nothing."""
        return ("all" if self.is_all else "some") if self.jobs else ""

    def marked(self, rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
        """Yield the rows of a table, header first; a last column says that data are invented."""
        marks = chain(["invented"], repeat(self.share))
        for row, mark in zip(rows, marks, strict=False):
            yield [*row, mark] if self.share else row

    def sentence(self, *, names_jobs: bool) -> str:
        """Say that data are invented; empty where none are."""
        if not self.jobs:
            return ""
        which = f" (jobs: {', '.join(self.jobs)})" if names_jobs else ""
        what = "All answers here are" if self.is_all else f"Some answers here{which} are"
        return f"Invented data: {what} made up. {NOT_REAL}"


def read_invented(connection: sa.Connection, of: Collection[str] = ()) -> Invented:
    """Return what jobs declare, by every version that they had; all jobs where `of` names none."""
    declared = jobs.c.content["invented"].as_boolean()
    query = sa.select(jobs.c.name, declared).order_by(jobs.c.name)
    if of:
        query = query.where(jobs.c.name.in_(of))
    rows = [(name, bool(is_invented)) for name, is_invented in connection.execute(query)]
    names = dict.fromkeys(name for name, is_invented in rows if is_invented)
    return Invented(tuple(names), all(is_invented for _, is_invented in rows))


@dataclass(frozen=True, slots=True)
class Registration:
    """A declaration as it is stored. `hash` is the digest of the canonical JSON of `content`."""

    id: int
    job: str
    content: Mapping[str, Any]
    hash: str
    registered_at: datetime


def find_registration(connection: sa.Connection, job: str) -> Registration | None:
    """Return what counts of a job: its first declaration; None where there is none."""
    query = (
        sa.select(preregistrations)
        .where(preregistrations.c.job == job)
        .order_by(preregistrations.c.id)
        .limit(1)
    )
    return rows.find_record(connection, query, Registration)


def read_registered_content(connection: sa.Connection, job: str) -> "Preregistration | None":
    """Return the table of a job that counts, as it was declared; None where nothing was."""
    from monitor.jobs_tables import Preregistration  # noqa: PLC0415 - 100 ms, with pydantic

    registration = find_registration(connection, job)
    if registration is None:
        return None
    return Preregistration.model_validate(registration.content["declared"])


def add_registration(
    connection: sa.Connection, job: str, declared: Mapping[str, Any], now: datetime
) -> Registration | None:
    """Write a declaration down; None where one with this content is there already."""
    row = {"job": job, "content": dict(declared), "hash": digest(declared), "registered_at": now}
    number = rows.insert_new(connection, preregistrations, row)
    return None if number is None else Registration(number, job, declared, digest(declared), now)


def is_over(declared: Mapping[str, Any], n_ticks: int) -> bool:
    """Return whether the n-th due tick comes after the last one that was declared (`stop_rule`)."""
    rule = declared.get("stop_rule")
    return isinstance(rule, int) and n_ticks > rule


def find_first_runs(connection: sa.Connection, job: str) -> dict[RunKind, Run]:
    """Return the run of each kind that was begun first: when somebody could first see answers."""
    first = (
        sa.select(sa.func.min(run_table.c.id))
        .where(run_table.c.job == job)
        .group_by(run_table.c.kind)
    )
    query = SELECT_RUNS.where(run_table.c.id.in_(first))
    return {run.kind: run for run in rows.read_records(connection, query, Run)}


# --- probe lists ----------------------------------------------------------------------------------


def publish_list(connection: sa.Connection, probe_list: "ProbeList", now: datetime) -> int:
    """Register a list on first use; afterwards it can only be used unchanged.

    Raises InvalidInput when the same name and version has other content in the database.
    """
    label = {"name": probe_list.name, "version": probe_list.version}
    stored = connection.execute(_PUBLISHED, label).one_or_none()
    if stored is not None:
        if stored.content_hash != probe_list.content_hash:
            raise InvalidInput(
                f"list {probe_list.label} was changed after it was published; undo the change, "
                f"or save it as {probe_list.next_label} and use that"
            )
        return int(stored.id)
    header = rows.make_row(lists, probe_list, published_at=now)
    list_id = rows.insert_new(connection, lists, header)
    if list_id is None:  # published by another process since we looked
        return publish_list(connection, probe_list, now)
    content = [
        rows.make_row(list_items, item, list_id=list_id, position=position, tags=dict(item.tags))
        for position, item in enumerate(probe_list.items)
    ]
    connection.execute(sa.insert(list_items), content)
    return list_id


def find_list_id(connection: sa.Connection, probe_list: "ProbeList") -> int:
    """Return id of a list that was published before."""
    label = {"name": probe_list.name, "version": probe_list.version}
    return int(connection.execute(_PUBLISHED, label).scalar_one())


_PUBLISHED = sa.select(lists.c.id, lists.c.content_hash).where(
    lists.c.name == sa.bindparam("name"), lists.c.version == sa.bindparam("version")
)


def find_list_versions(
    connection: sa.Connection, run_ids: Collection[int], name: str
) -> dict[int, int]:
    """Return {run: id of the version of a list that it asked}, of those that asked the list."""
    query = (
        sa.select(run_lists.c.run_id, lists.c.id)
        .join(lists, lists.c.id == run_lists.c.list_id)
        .where(run_lists.c.run_id.in_(run_ids), lists.c.name == name)
    )
    return {row.run_id: row.id for row in connection.execute(query)}


def read_run_items(connection: sa.Connection, run_id: int) -> "dict[str, list[ListItem]]":
    """Return {list name: all items of the version that a run used, in their order}."""
    from monitor.lists import ListItem  # noqa: PLC0415 - 80 ms, with pydantic

    columns = [list_items.c[name] for name in ("key", "text", "tags", "source_lang", "cue")]
    query = (
        sa.select(lists.c.name, *columns)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .join(list_items, list_items.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id)
        .order_by(lists.c.name, list_items.c.position)
    )
    return rows.group_pairs(
        (name, ListItem(key, text, tags, source_lang, Cue(cue)))
        for name, key, text, tags, source_lang, cue in connection.execute(query)
    )


def read_item_ids(connection: sa.Connection, list_id: int) -> dict[str, int]:
    """Return {item key: id} of a published list."""
    query = sa.select(list_items.c.key, list_items.c.id).where(list_items.c.list_id == list_id)
    return {key: int(number) for key, number in connection.execute(query)}


def ensure_probes(connection: sa.Connection, item_probes: list[tuple[int, Probe]]) -> list[int]:
    """Return ids of the probes, in order, each linked to its list item."""
    keyed = [(probe.key, item, probe) for item, probe in item_probes]
    different = {key: probe for key, _, probe in keyed}
    content = [
        rows.make_row(probes, probe, key=key, parameters=dict(probe.parameters))
        for key, probe in different.items()
    ]
    ids = rows.ids_by_key(connection, probes, content)
    links = [{"list_item_id": item, "probe_id": ids[key]} for key, item, _ in keyed]
    rows.insert_ignore(connection, list_probes, links)
    return [ids[key] for key, _, _ in keyed]


def find_probes(connection: sa.Connection, keys: Sequence[str]) -> list[int]:
    """Return ids of those probes that are there."""
    query = sa.select(probes.c.id).order_by(probes.c.id)
    return [row.id for row in rows.read_in_parts(connection, query, probes.c.key, keys)]


def find_list_label(connection: sa.Connection, run_id: int, name: str) -> str:
    """Return `NAME@VERSION` of a list that a run asked; empty where it did not ask it."""
    query = (
        sa.select(lists.c.name, lists.c.version)
        .join(run_lists, run_lists.c.list_id == lists.c.id)
        .where(run_lists.c.run_id == run_id, lists.c.name == name)
    )
    row = connection.execute(query).one_or_none()
    return "" if row is None else f"{row.name}@{row.version}"


# --- bundles --------------------------------------------------------------------------------------

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def store_bundle(
    connection: sa.Connection, database: Database, audit: "Audit", files: Mapping[str, bytes]
) -> int:
    """Return id of the bundle with these {path: content}, stored if there is none."""
    now = datetime.now(UTC)
    names = {path: sha256(content).hexdigest() for path, content in files.items()}
    key = digest([audit.job.name, audit.job.content_hash, sorted(names.items())])
    stored_id = connection.execute(sa.select(bundles.c.id).where(bundles.c.digest == key)).scalar()
    if stored_id is not None:
        return int(stored_id)
    rest = {
        "job_id": runs.ensure_job(connection, audit.job, now),
        "path": str(audit.path),
        "stored_at": now,
    }
    bundle_id = rows.get_or_insert(connection, bundles, {"digest": key}, rest)
    restore_bundle(connection, database, bundle_id, files)
    return bundle_id


@contextmanager
def unpack_bundle(connection: sa.Connection, database: Database, bundle_id: int) -> Iterator[Path]:
    """Return a folder with the files of a bundle, which goes away again. Raises StoreProblem.

    StoreFull where there is no room for them: that is no fault of the job, and is waited for.
    """
    query = sa.select(bundle_files).where(bundle_files.c.bundle_id == bundle_id)
    files = {}
    for row in connection.execute(query).all():
        relative = PurePosixPath(row.path)
        if relative.is_absolute() or ".." in relative.parts:
            raise StoreProblem(f"bundle {bundle_id}: {row.path!r} is no file of a job")
        files[relative] = bodies.read_body(connection, database, row.body_id)
    try:
        temporary = tempfile.TemporaryDirectory(prefix="monitor-job-", ignore_cleanup_errors=True)
    except OSError as error:
        raise _no_folder(error) from error
    with temporary as name:
        folder = Path(name)
        try:
            for relative, content in files.items():
                path = folder / relative
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        except OSError as error:
            raise _no_folder(error) from error
        yield folder


def _no_folder(error: OSError) -> StoreProblem:
    try:
        folder = tempfile.gettempdir()
    except OSError:
        folder = "temporary folder"
    if error.errno in _NO_ROOM:
        return StoreFull(f"{folder}: no room for the files of a job: {error.strerror}; make room")
    words = error.strerror or error
    return StoreProblem(
        f"{folder}: the files of a job cannot be written there: {words}; make it writable, or set "
        "TMPDIR to a folder that is"
    )


def find_job_path(connection: sa.Connection, bundle_id: int) -> Path:
    """Return where the job file of a bundle was read."""
    query = sa.select(bundles.c.path).where(bundles.c.id == bundle_id)
    return Path(str(connection.execute(query).scalar_one()))


@dataclass(frozen=True, slots=True)
class BundledFile:
    """One file of a bundle: its path beside the job file, and where its content is."""

    bundle_id: int
    path: str
    body_id: int


def list_bundled_files(connection: sa.Connection, run_ids: sa.Select[int]) -> list[BundledFile]:
    """Return the files of the bundles that some runs were begun with, in order."""
    bundle_ids = sa.select(run_table.c.bundle_id).where(run_table.c.id.in_(run_ids))
    query = sa.select(bundle_files).where(bundle_files.c.bundle_id.in_(bundle_ids))
    # by letters here: databases sort texts in different ways
    files = rows.read_records(connection, query, BundledFile)
    return sorted(files, key=attrgetter("bundle_id", "path"))


def restore_bundle(
    connection: sa.Connection, database: Database, bundle_id: int, files: Mapping[str, bytes]
) -> None:
    """Store the files of a bundle that is known already under its number."""
    now = datetime.now(UTC)
    body_ids = bodies.store_bodies(
        connection, database, [(file_content, "job", now) for file_content in files.values()]
    )
    content = [
        {"bundle_id": bundle_id, "path": path, "body_id": body_id}
        for path, body_id in zip(files, body_ids, strict=True)
    ]
    rows.insert_ignore(connection, bundle_files, content)


# --- inputs of runs -------------------------------------------------------------------------------


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
    query = sa.select(run_table).where(run_table.c.job == job)
    if until is not None:
        query = query.where(run_table.c.due_at <= until)
    asked = (
        sa.select(run_lists.c.run_id, lists.c.name, lists.c.version, lists.c.content_hash)
        .join(lists, lists.c.id == run_lists.c.list_id)
        .join(run_table, run_table.c.id == run_lists.c.run_id)
        .where(run_table.c.job == job)
    )
    lists_of = rows.group_pairs(
        (run_id, (f"{name}@{version}", content_hash))
        for run_id, name, version, content_hash in connection.execute(asked)
    )
    return [
        RecordedRun(
            row.id, RunKind(row.kind), row.due_at, row.job_id, row.bundle_id,
            tuple(sorted(lists_of.get(row.id, ()))),
        )
        for row in connection.execute(query.order_by(run_table.c.due_at, run_table.c.id))
    ]  # fmt: skip


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
        sa.select(bundle_files.c.path, body_table.c.sha256)
        .join(body_table, body_table.c.id == bundle_files.c.body_id)
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
    content = connection.execute(query).scalar()
    return dict(content) if content is not None and digest(content) == job_hash else None


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
