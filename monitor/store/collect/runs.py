"""Runs, their job contents, the stages that have seen them, and stored counts of their outcomes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

import sqlalchemy as sa

from monitor import registry
from monitor.model import Engine, GenderReader, RunKind, RunState, Stage, TaskState, TickState
from monitor.store import rows
from monitor.store.schedule.leases import this_process
from monitor.store.schema import (
    attempts,
    engines,
    items,
    jobs,
    looks,
    readings,
    run_coverage,
    run_lists,
    runs,
    stages_done,
    tasks,
    ticks,
    versions,
)

if TYPE_CHECKING:
    from monitor.jobs import EngineUse, Job


@dataclass(frozen=True, slots=True)
class Run:
    """One due tick of a job, as stored. Without a bundle no job files of it are stored."""

    id: int
    job: str
    due_at: datetime
    kind: RunKind
    state: RunState
    job_hash: str
    created_at: datetime
    finished_at: datetime | None
    bundle_id: int | None


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a run: our version, {package or code: version}, stored files, seed.

    Where several versions asked, all are named: `0.27.2, 0.28.1`.
    """

    code: str
    packages: Mapping[str, str]
    bundle_id: int | None = None
    seed: str = ""  # of the order of its questions


def ensure_job(connection: sa.Connection, job: "Job", now: datetime) -> int:
    """Return id of a job with this content."""
    return rows.get_or_insert(
        connection,
        jobs,
        {"name": job.name, "content_hash": job.content_hash},
        {"content": job.model_dump(mode="json"), "first_seen_at": now},
    )


def create_run(
    connection: sa.Connection,
    job: "Job",
    due_at: datetime,
    kind: RunKind,
    now: datetime,
    provenance: Provenance,
) -> Run | None:
    """Claim the tick: a new run, or None when (job, due_at, kind) exists already."""
    row = {
        "job_id": ensure_job(connection, job, now),
        "job": job.name,
        "due_at": due_at,
        "kind": kind,
        "code_version": provenance.code,
        "packages": dict(provenance.packages),
        "seed": provenance.seed,
        "bundle_id": provenance.bundle_id,
        "created_at": now,
        "owner": this_process(),
        "state": RunState.RUNNING,
    }
    run_id = rows.insert_new(connection, runs, row)
    if run_id is None:
        return None
    about = run_id, job.name, due_at, kind, RunState.RUNNING, job.content_hash
    return Run(*about, created_at=now, finished_at=None, bundle_id=provenance.bundle_id)


#: Runs with what a record of each needs.
SELECT_RUNS = sa.select(
    *(runs.c[name] for name in Run.__slots__ if name in runs.c),
    jobs.c.content_hash.label("job_hash"),
).join(jobs, jobs.c.id == runs.c.job_id)

#: Runs that nobody goes on with unless somebody resumes them.
ENDED = (RunState.DONE, RunState.PARTIAL)
#: Runs that ask a part of a tick again: they have no values, and no place on the grid of ticks.
AGAIN = (RunKind.NOISE, RunKind.CONFIRM)
#: The stage that compares a run with others and decides its tick, and the kinds of runs that have
#: it. Manual runs are not on the grid of ticks.
COMPARE = "compare"
COMPARED = (RunKind.SCHEDULED, *AGAIN)


def find_unfinished(connection: sa.Connection, job: str, kind: RunKind | None = None) -> Run | None:
    """Return the job's newest run that was interrupted or that ended with questions unanswered.

    Of this kind; of those that ask nothing again where none is named.
    """
    is_of_kind = runs.c.kind.not_in(AGAIN) if kind is None else runs.c.kind == kind
    query = (
        SELECT_RUNS.where(runs.c.job == job, runs.c.state != RunState.DONE, is_of_kind)
        .order_by(runs.c.id.desc())
        .limit(1)
    )
    return rows.find_record(connection, query, Run)


def list_runs(connection: sa.Connection, *which: sa.ColumnElement[bool]) -> list[Run]:
    """Return the runs for which all of these hold, the oldest first."""
    query = SELECT_RUNS.where(*which).order_by(runs.c.due_at, runs.c.id)
    return rows.read_records(connection, query, Run)


def list_ended(
    connection: sa.Connection, job: str | None = None, run: int | None = None
) -> list[Run]:
    """Return runs that have ended, of one job or all, or one of them; the oldest first."""
    is_of_job = sa.true() if job is None else runs.c.job == job
    is_named = sa.true() if run is None else runs.c.id == run
    return list_runs(connection, runs.c.state.in_(ENDED), is_of_job, is_named)


def list_newest(
    connection: sa.Connection, limit: int, job: str = "", state: RunState | None = None
) -> list[Run]:
    """Return the newest runs of every kind, of one job and one state or of all."""
    query = SELECT_RUNS.order_by(runs.c.id.desc()).limit(limit)
    if job:
        query = query.where(runs.c.job == job)
    if state is not None:
        query = query.where(runs.c.state == state)
    return rows.read_records(connection, query, Run)


def list_in_period(
    connection: sa.Connection,
    names: Iterable[str],
    span: tuple[datetime, datetime],
    kinds: Iterable[RunKind],
) -> list[Run]:
    """Return runs of some jobs and kinds that were due in a half-open period, the oldest first."""
    is_due = (runs.c.due_at >= span[0]) & (runs.c.due_at < span[1])
    is_of_jobs = runs.c.job.in_(sorted(names)) & runs.c.kind.in_(tuple(kinds))
    return list_runs(connection, is_of_jobs, is_due)


def read_end_times(connection: sa.Connection, run_ids: Iterable[int]) -> dict[int, datetime]:
    """Return {run: when it ended}, of those of these runs that have."""
    query = sa.select(runs.c.id, runs.c.finished_at).where(runs.c.finished_at.is_not(None))
    ended = rows.read_in_parts(connection, query, runs.c.id, sorted(set(run_ids)))
    return {row.id: row.finished_at for row in ended}


def find_undecided(connection: sa.Connection, job: str | None = None) -> list[Run]:
    """Return ended runs that were not compared, or whose tick is not in the ledger.

    Of one job or all, the oldest first.
    """
    compared = sa.exists().where(stages_done.c.run_id == runs.c.id, stages_done.c.stage == COMPARE)
    looked = sa.exists().where(looks.c.job == runs.c.job, looks.c.due_at == runs.c.due_at)
    is_undecided = ~compared | ((runs.c.kind == RunKind.SCHEDULED) & ~looked)
    is_of_job = sa.true() if job is None else runs.c.job == job
    is_ended = runs.c.state.in_(ENDED) & runs.c.kind.in_(COMPARED)
    return list_runs(connection, is_ended, is_undecided, is_of_job)


def list_claimed_ticks(connection: sa.Connection, job: str, kind: RunKind) -> set[datetime]:
    """Return the ticks of a job that have a run of this kind, finished or not."""
    query = sa.select(runs.c.due_at).where(runs.c.job == job, runs.c.kind == kind)
    return set(connection.execute(query).scalars())


def find_newest_run(connection: sa.Connection, job: str) -> Run | None:
    """Return a job's newest run by its tick; None where it has none."""
    query = SELECT_RUNS.where(runs.c.job == job).order_by(runs.c.due_at.desc(), runs.c.id.desc())
    return rows.find_record(connection, query.limit(1), Run)


def find_previous(connection: sa.Connection, run: Run) -> int | None:
    """Return id of the job's run of the same kind at the tick before, as far as it was finished."""
    query = (
        sa.select(runs.c.id)
        .where(
            runs.c.job == run.job,
            runs.c.kind == run.kind,
            runs.c.due_at < run.due_at,
            runs.c.state.in_(ENDED),
        )
        .order_by(runs.c.due_at.desc(), runs.c.id.desc())
        .limit(1)
    )
    return connection.execute(query).scalar()


def find_scheduled(
    connection: sa.Connection, job: str, due_at: datetime, kind: RunKind = RunKind.SCHEDULED
) -> int | None:
    """Return id of a job's run of a tick and a kind; None where there is none."""
    where = (runs.c.job == job) & (runs.c.due_at == due_at) & (runs.c.kind == kind)
    return connection.execute(sa.select(runs.c.id).where(where)).scalar()


def resume_run(connection: sa.Connection, run: Run) -> None:
    """Go on with an unfinished run in this process."""
    forget_run(connection, run.id)
    change = sa.update(runs).where(runs.c.id == run.id)
    connection.execute(change.values(owner=this_process(), state=RunState.RUNNING))


def get_run(connection: sa.Connection, run_id: int) -> Run:
    """Return a run by its id. Raises LookupError."""
    run = rows.find_record(connection, SELECT_RUNS.where(runs.c.id == run_id), Run)
    if run is None:
        raise LookupError(f"no run {run_id}")
    return run


def read_job_content(connection: sa.Connection, run_id: int) -> dict[str, Any]:
    """Return the content of the job that a run was made from."""
    query = (
        sa.select(jobs.c.content).join(runs, runs.c.job_id == jobs.c.id).where(runs.c.id == run_id)
    )
    return dict(connection.execute(query).scalar_one())


def read_seed(connection: sa.Connection, run_id: int) -> str:
    """Return the seed of the order in which the questions of a run are asked."""
    return str(connection.execute(sa.select(runs.c.seed).where(runs.c.id == run_id)).scalar_one())


def read_provenance(connection: sa.Connection, run_id: int) -> Provenance:
    """Return what a run is made by."""
    columns = (runs.c.code_version, runs.c.packages, runs.c.bundle_id, runs.c.seed)
    return Provenance(*connection.execute(sa.select(*columns).where(runs.c.id == run_id)).one())


def add_packages(connection: sa.Connection, run_id: int, packages: Mapping[str, str]) -> bool:
    """Add what asks a run now to its recorded packages; False if all are there.

    A run may be begun by one version and asked to its end by another.
    """
    recorded = dict(read_provenance(connection, run_id).packages)
    changed_packages = {
        name: f"{recorded.get(name, 'not recorded')}, {value}"
        for name, value in packages.items()
        if value not in recorded.get(name, "").split(", ")
    }
    if changed_packages:
        change = sa.update(runs).where(runs.c.id == run_id)
        connection.execute(change.values(packages=recorded | changed_packages))
    return bool(changed_packages)


def set_state(
    connection: sa.Connection, run_id: int, state: RunState, now: datetime | None = None
) -> None:
    """Set a run's operational state, with the time it finished and its coverage if it did."""
    change = sa.update(runs).where(runs.c.id == run_id).values(state=state, finished_at=now)
    connection.execute(change)
    if state in ENDED:
        store_coverage(connection, run_id)


def add_list(connection: sa.Connection, run_id: int, list_id: int) -> None:
    """Remember that a run asks this list."""
    rows.insert_ignore(connection, run_lists, [{"run_id": run_id, "list_id": list_id}])


def ensure_engine(connection: sa.Connection, engine: Engine, use: "EngineUse") -> int:
    """Return id of an engine with its surface and every parameter that can change the answer."""
    return rows.get_or_insert(
        connection,
        engines,
        {"name": use.label(engine), "surface": engine.surface, "config_hash": use.config_hash},
        {"kind": engine.kind, "config": use.identity},
    )


def ensure_language(connection: sa.Connection, language: GenderReader) -> int:
    """Integer id of a language's version; reading it with another choice is another version."""
    folder = registry.folder_of(language)
    if folder != "languages":
        return ensure_plugin(connection, folder, language.code, language.version)
    registered = registry.known_language(language.code)
    variant = "" if language.nouns == registered.nouns else f"(nouns={str(language.nouns).lower()})"
    return ensure_plugin(connection, "languages", language.code, language.version, variant)


def ensure_plugin(
    connection: sa.Connection, folder: str, name: str, version: int, variant: str = ""
) -> int:
    """Integer id of a plug-in's version, with the digest of its content."""
    fingerprint = registry.compute_fingerprint(folder, name)
    key = {"kind": folder, "name": name + variant, "version": version, "fingerprint": fingerprint}
    return rows.get_or_insert(connection, versions, key, {})


def is_stage_done(connection: sa.Connection, run_id: int, stage: str, version: str) -> bool:
    """Return whether a stage has seen all of a run with this version."""
    query = sa.select(stages_done.c.run_id).where(
        stages_done.c.run_id == run_id,
        stages_done.c.stage == stage,
        stages_done.c.version == version,
    )
    return connection.execute(query).scalar() is not None


def mark_stage(connection: sa.Connection, run_id: int, stage: str, version: str) -> None:
    """Remember that a stage has seen all of a run with this version."""
    row = {"run_id": run_id, "stage": stage, "version": version, "done_at": datetime.now(UTC)}
    rows.insert_ignore(connection, stages_done, [row])


def list_stages(connection: sa.Connection, run_id: int) -> set[tuple[str, str]]:
    """Return (stage, version) of everything that has seen all of a run."""
    query = sa.select(stages_done.c.stage, stages_done.c.version)
    marks = connection.execute(query.where(stages_done.c.run_id == run_id))
    return {(row.stage, row.version) for row in marks}


def read_marks(connection: sa.Connection, run: Run, stage: str) -> list[tuple[int, str]]:
    """Return (run, newest version) of a stage for a run and a job's earlier scheduled runs."""
    query = (
        sa.select(stages_done.c.run_id, stages_done.c.version)
        .join(runs, runs.c.id == stages_done.c.run_id)
        .where(
            stages_done.c.stage == stage,
            runs.c.job == run.job,
            runs.c.due_at <= run.due_at,
            (runs.c.kind == RunKind.SCHEDULED) | (runs.c.id == run.id),
        )
        .order_by(runs.c.due_at, runs.c.id, stages_done.c.done_at, stages_done.c.version)
    )
    newest = {row.run_id: row.version for row in connection.execute(query)}
    return sorted(newest.items())


def reopen_stages(connection: sa.Connection, run_id: int, stage: str = "") -> None:
    """Forget that a stage has seen a run, or all that was done for it: new answers have come in."""
    is_named = stages_done.c.stage == stage if stage else sa.true()
    connection.execute(sa.delete(stages_done).where(stages_done.c.run_id == run_id, is_named))


# --- reruns ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A scheduled run that has ended, whose questions may be asked again."""

    run: Run
    finished_at: datetime
    has_noise: bool  # its job said that a part of it is asked again


def find_ended_run(connection: sa.Connection, job: str, due_at: datetime) -> EndedRun | None:
    """Return the scheduled run of a tick; None while there is none that has ended."""
    query = SELECT_RUNS.where(
        runs.c.job == job,
        runs.c.due_at == due_at,
        runs.c.kind == RunKind.SCHEDULED,
        runs.c.state.in_(ENDED),
    )
    run = rows.find_record(connection, query, Run)
    if run is None or run.finished_at is None:
        return None
    has_noise = read_job_content(connection, run.id).get("noise") is not None
    return EndedRun(run, run.finished_at, has_noise)


def find_newest_tick(connection: sa.Connection, job: str) -> datetime | None:
    """Return the due time of a job's newest tick whose run has ended."""
    query = (
        sa.select(ticks.c.due_at)
        .where(
            ticks.c.job == job,
            ticks.c.state.in_((TickState.DONE, TickState.PARTIAL)),
            ticks.c.run_id.is_not(None),
        )
        .order_by(ticks.c.due_at.desc())
        .limit(1)
    )
    due_at: datetime | None = connection.execute(query).scalar()
    return due_at


def find_newest_ended_run(connection: sa.Connection, job: str) -> EndedRun | None:
    """Return a job's newest scheduled run, where it has ended."""
    query = sa.select(sa.func.max(runs.c.due_at)).where(
        runs.c.job == job, runs.c.kind == RunKind.SCHEDULED
    )
    due_at: datetime | None = connection.execute(query).scalar()
    return None if due_at is None else find_ended_run(connection, job, due_at)


def find_open_reruns(connection: sa.Connection, job: str, *, again: bool = False) -> list[int]:
    """Return ids of a job's runs of which something is to be asked or derived, the oldest first.

    With `again` only those that ask a part of a tick again.
    """
    query = (
        sa.select(runs.c.id)
        .join(tasks, tasks.c.run_id == runs.c.id)
        .where(
            tasks.c.state == TaskState.OPEN,
            tasks.c.stage.in_((Stage.COLLECT, Stage.DERIVE)),
            runs.c.job == job,
        )
    )
    if again:
        query = query.where(runs.c.kind.in_(AGAIN))
    return list(connection.execute(query.distinct().order_by(runs.c.id)).scalars())


def count_questions_since(
    connection: sa.Connection, job: str, kind: RunKind, since: datetime
) -> int:
    """Return how many questions the runs of a kind have that a job began since a time."""
    query = (
        sa.select(sa.func.count())
        .select_from(runs)
        .join(attempts, attempts.c.run_id == runs.c.id)
        .where(
            runs.c.job == job, runs.c.kind == kind, runs.c.created_at >= since, attempts.c.n == 1
        )
    )
    return int(connection.execute(query).scalar_one())


def find_engine_ids(connection: sa.Connection, run_id: int) -> set[int]:
    """Return ids of the engines that a run has questions for."""
    query = sa.select(attempts.c.engine_id).where(attempts.c.run_id == run_id).distinct()
    return set(connection.execute(query).scalars())


# --- coverage -------------------------------------------------------------------------------------

#: Is told how many runs are counted, and of how many.
Progress: TypeAlias = Callable[[int, int], None]

_COLUMNS = [column.name for column in run_coverage.c]
_VIEW = sa.table("coverage", *(sa.column(name, run_coverage.c[name].type) for name in _COLUMNS))


def store_coverage(connection: sa.Connection, run_id: int) -> None:
    """Count a run that has ended, in place of what was counted before."""
    forget_run(connection, run_id)
    counted = sa.select(*_VIEW.c).where(_VIEW.c.run_id == run_id)
    connection.execute(sa.insert(run_coverage).from_select(_COLUMNS, counted))


def store_missing(connection: sa.Connection, progress: Progress | None = None) -> None:
    """Count the runs that have ended and were not counted."""
    is_counted = sa.select(run_coverage.c.run_id).where(run_coverage.c.run_id == runs.c.id)
    ended = sa.select(runs.c.id).where(runs.c.state.in_(ENDED), ~is_counted.exists())
    todo = connection.execute(ended.order_by(runs.c.id)).scalars().all()
    for done, run_id in enumerate(todo):
        if progress is not None:
            progress(done, len(todo))
        store_coverage(connection, run_id)


def is_stored(connection: sa.Connection, run_id: int) -> bool:
    """Return whether a run was counted, and nothing came after."""
    query = sa.select(run_coverage.c.run_id).where(run_coverage.c.run_id == run_id).limit(1)
    return connection.execute(query).scalar() is not None


def forget_run(connection: sa.Connection, run_id: int) -> None:
    """Forget the counts of a run: it goes on."""
    connection.execute(sa.delete(run_coverage).where(run_coverage.c.run_id == run_id))


def forget_of_attempt(connection: sa.Connection, attempt_id: int) -> None:
    """Forget the counts of the run that an attempt is of: its answers are read anew."""
    of = sa.select(attempts.c.run_id).where(attempts.c.id == attempt_id)
    connection.execute(sa.delete(run_coverage).where(run_coverage.c.run_id.in_(of)))


def forget_of_item(connection: sa.Connection, item_id: int) -> None:
    """Forget the counts of the run that an item is of: it is heard anew."""
    of = sa.select(readings.c.attempt_id).join(items, items.c.reading_id == readings.c.id)
    attempt_id = connection.execute(of.where(items.c.id == item_id)).scalar_one()
    forget_of_attempt(connection, attempt_id)
