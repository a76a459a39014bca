"""Begin or resume a run, with the files that its job had then."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import TypeAlias

from monitor.jobs import BUNDLED, Audit, EngineUse, files_of, job_of, lacking_governance, load_audit
from monitor.model import InvalidInput, RunKind
from monitor.pipeline.collect.provenance import read_provenance
from monitor.pipeline.derive.lexicons import check_lexicons
from monitor.stages.jobs import plan
from monitor.stages.jobs.plan import PlannedQuestion
from monitor.store.collect import evidence, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.jobs import bundles, declarations
from monitor.store.schedule import leases


def check_governance(audit: Audit) -> None:
    """Raise InvalidInput, naming all that lacks, where a job asks engines that are not its own."""
    lacking = lacking_governance(audit.job)
    if lacking:
        raise InvalidInput(
            f"{audit.path}: nobody is asked before the job says more (docs/jobs.md, Governance):\n"
            + "\n".join(f"  {name}" for name in lacking)
        )


#: The questions of a tick to one engine in their order: of a job, a use, and the run's seed.
Part: TypeAlias = Callable[[Audit, EngineUse, str], Iterator[PlannedQuestion]]

#: Questions are planned so many at a time: what is kept all at once is looked through again and
#: again by the collector of garbage, which took a third of the time.
_QUESTIONS_AT_ONCE = 2_000


def turn_of_run(run_id: int) -> str:
    """Return what has to be taken to work on a run as a whole."""
    return f"run:{run_id}"


def start(database: Database, audit: Audit, kind: RunKind, due_at: datetime) -> Run:
    """Claim the tick and write its plan, in one transaction.

    Raises InvalidInput when the tick was claimed before, a list was changed after publication, a
    lexicon that the job needs is missing, or others would be asked without complete governance.
    """
    return start_part(database, audit, kind, due_at, datetime.now(UTC), plan.order_questions)


def start_part(
    database: Database, audit: Audit, kind: RunKind, due_at: datetime, now: datetime, part: Part
) -> Run:
    """The same with a part of the questions of a tick. Raises InvalidInput as `start`."""
    check_governance(audit)
    check_lexicons(audit)
    with database.begin() as connection:
        bundle_id = keep_files(connection, database, audit)
        seed = plan.seed_of(audit.job.name, due_at, kind)
        made_by = runs.Provenance(*read_provenance(audit), bundle_id, seed)
        run = runs.create_run(connection, audit.job, due_at, kind, now, made_by)
        if run is None:
            raise InvalidInput(
                f"{audit.path}: the {kind} run of {due_at.isoformat()} exists already; "
                f"go on with it by {_resumed(kind)}"
            )
        item_ids: dict[str, dict[str, int]] = {}
        for probe_list in audit.lists:
            list_id = declarations.publish_list(connection, probe_list, now)
            runs.add_list(connection, run.id, list_id)
            item_ids[probe_list.label] = declarations.read_item_ids(connection, list_id)
        for use, engine in audit.engines:
            engine_id = runs.ensure_engine(connection, engine, use)
            blocks = part(audit, use, seed) if audit.job.corpus is None else iter(())
            while group := list(islice(blocks, _QUESTIONS_AT_ONCE)):
                needed = [(item_ids[q.list_label][q.item_key], q.probe) for q in group]
                probe_ids = declarations.ensure_probes(connection, needed)
                rows = [(engine_id, p, q.repeat) for p, q in zip(probe_ids, group, strict=True)]
                evidence.plan_attempts(connection, run.id, list(dict.fromkeys(rows)))
    return run


def keep_files(connection: Connection, database: Database, audit: Audit) -> int | None:
    """Id of the stored files of a job; None for one that never was a file, as of an import."""
    if audit.bundle_id is not None or audit.path.suffix != ".toml":
        return audit.bundle_id
    files = files_of(audit)
    if job_of(files[BUNDLED], audit.path).content_hash != audit.job.content_hash:
        raise InvalidInput(f"{audit.path}: was changed while it was read; try again")
    return bundles.store_bundle(connection, database, audit, files)


def audit_of(database: Database, bundle_id: int) -> Audit:
    """The job as its files stood when they were stored. Raises InvalidInput, StoreProblem."""
    with database.read() as connection:
        return _audit_within(connection, database, bundle_id)


def _audit_within(connection: Connection, database: Database, bundle_id: int) -> Audit:
    path = bundles.find_job_path(connection, bundle_id)
    with bundles.unpack_bundle(connection, database, bundle_id) as folder:
        audit = load_audit(folder / BUNDLED)
    return replace(audit, path=path, bundle_id=bundle_id)


def audit_of_run(database: Database, run: Run) -> Audit:
    """The job of a run as its files stood when it was begun. Raises InvalidInput, StoreProblem."""
    with database.read() as connection:
        return audit_of_run_within(connection, database, run)


def audit_of_run_within(connection: Connection, database: Database, run: Run) -> Audit:
    """The same, read by a transaction that goes on. Raises InvalidInput, StoreProblem."""
    bundle_id = runs.find_bundle(connection, run.id)
    if bundle_id is None:
        raise InvalidInput(
            f"run {run.id} of {run.job} has no stored job files; only `monitor run` can go on "
            "with it"
        )
    return _audit_within(connection, database, bundle_id)


#: How a person says which runs are meant; runs that are not in it go without saying.
FLAGS = {RunKind.NOISE: "--noise", RunKind.CONFIRM: "--confirm"}


def _resumed(kind: RunKind) -> str:
    return " ".join([*([FLAGS[kind]] if kind in FLAGS else []), "--resume"])


def resume_command(run: Run, audit: Audit) -> str:
    """Return what a person types to go on with a run."""
    return f"monitor run {audit.path} {_resumed(run.kind)}"


def resume(database: Database, audit: Audit, kind: RunKind | None = None) -> Run:
    """Reopen the job's newest unfinished run, of this kind, or one that asks nothing again.

    Raises InvalidInput when there is none.
    """
    check_governance(audit)
    check_lexicons(audit)
    with database.begin() as connection:
        run = runs.find_unfinished(connection, audit.job.name, kind)
        if run is None:
            what = f"{kind} run" if kind else "run"
            raise InvalidInput(
                f"{audit.path}: no unfinished {what} of {audit.job.name!r} to resume"
            )
        if run.job_hash != audit.job.content_hash:
            raise InvalidInput(
                f"{audit.path}: the job was changed since run {run.id} began; undo the change to "
                "resume that run, or leave out --resume to begin a new one"
            )
        for probe_list in audit.lists:  # refuses a list that was changed meanwhile
            declarations.publish_list(connection, probe_list, datetime.now(UTC))
        if owner := leases.find_holder(connection, turn_of_run(run.id)):
            raise InvalidInput(f"{audit.path}: run {run.id} is being collected by process {owner}")
        runs.resume_run(connection, run)
        evidence.reopen_attempts(connection, run.id)
        runs.reopen_stages(connection, run.id)
    return run
