"""Begin or resume a run, with the files that its job had then.

A run that asks a part of a tick again, for the noise of a day or to confirm findings, has the due
time of that tick and a kind of its own. It is asked by the same machinery as every run, and is not
on the grid of ticks.
"""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import TypeAlias

from monitor.jobs import BUNDLED, Audit, EngineUse, files_of, job_of, lacking_governance, load_audit
from monitor.jobs_tables import Confirm, Noise
from monitor.model import InvalidInput, RunKind
from monitor.pipeline.collect.provenance import read_provenance
from monitor.pipeline.collect.run_lanes import by_lane
from monitor.pipeline.derive.lexicons import check_lexicons
from monitor.registry import engine as engine_named
from monitor.stages.jobs import plan
from monitor.stages.jobs.plan import PlannedQuestion
from monitor.store.changes import findings
from monitor.store.changes.findings import ToConfirm
from monitor.store.collect import evidence, runs
from monitor.store.collect.runs import AGAIN, Run
from monitor.store.database import Connection, Database
from monitor.store.jobs import declarations
from monitor.store.schedule import leases
from monitor.store.schedule.tasks import TOGETHER


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
    return declarations.store_bundle(connection, database, audit, files)


def audit_of(database: Database, bundle_id: int) -> Audit:
    """The job as its files stood when they were stored. Raises InvalidInput, StoreProblem."""
    with database.read() as connection:
        return _audit_within(connection, database, bundle_id)


def _audit_within(connection: Connection, database: Database, bundle_id: int) -> Audit:
    path = declarations.find_job_path(connection, bundle_id)
    with declarations.unpack_bundle(connection, database, bundle_id) as folder:
        audit = load_audit(folder / BUNDLED)
    return replace(audit, path=path, bundle_id=bundle_id)


def audit_of_run(database: Database, run: Run) -> Audit:
    """The job of a run as its files stood when it was begun. Raises InvalidInput, StoreProblem."""
    with database.read() as connection:
        return audit_of_run_within(connection, database, run)


def audit_of_run_within(connection: Connection, database: Database, run: Run) -> Audit:
    """The same, read by a transaction that goes on. Raises InvalidInput, StoreProblem."""
    if run.bundle_id is None:
        raise InvalidInput(
            f"run {run.id} of {run.job} has no stored job files; only `monitor run` can go on "
            "with it"
        )
    return _audit_within(connection, database, run.bundle_id)


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


# --- a part of a tick again -----------------------------------------------------------------------


#: An engine by its label, and a target language or region.
Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Begun:
    """A run that was begun, or why it was not."""

    run: Run | None
    reason: str = ""


def pairs_of(audit: Audit) -> set[Pair]:
    """Every engine and target that a job asks."""
    return {(use.label(engine), target) for use, engine in audit.engines for target in use.wanted}


def to_confirm(database: Database, now: datetime) -> list[ToConfirm]:
    """Return what was found to have changed and has not been asked again yet."""
    with database.read() as connection:
        return findings.find_unconfirmed(connection, now)


def still_asked(
    database: Database, run: Run, in_force: Audit | int | None
) -> tuple[Audit, set[Pair]]:
    """The job of a run as it was begun, and what of it the job in force asks as well.

    `in_force` is that job, or the id of its stored files. What a job does not ask any more is not
    asked again either. Raises InvalidInput where the job in force may not ask others.
    """
    audit = audit_of_run(database, run)
    if isinstance(in_force, int):
        in_force = None if in_force == audit.bundle_id else audit_of(database, in_force)
    if in_force is None:
        return audit, pairs_of(audit)
    check_governance(in_force)
    return audit, pairs_of(audit) & pairs_of(in_force)


def start_noise(
    database: Database,
    audit: Audit,
    due_at: datetime,
    pairs: AbstractSet[Pair] | None = None,
    now: datetime | None = None,
    table: Noise | None = None,
) -> Run:
    """Begin a run that asks a random share of a tick's questions again, once each.

    `audit` is the job as the tick was begun with, `pairs` what is asked, everything if None;
    `table` says how large the share is, that of the audit if None. Raises InvalidInput where there
    is such a run already, or as `start` does.
    """
    share = (table or audit.job.noise or Noise()).share
    wanted_pairs = pairs_of(audit) if pairs is None else pairs

    def part(audit: Audit, use: EngineUse, seed: str) -> Iterator[PlannedQuestion]:
        return _among(wanted_pairs, use, plan.plan_noise(audit, use, seed, share))

    return _start(database, audit, RunKind.NOISE, due_at, now, part)


def start_confirm(
    database: Database,
    audit: Audit,
    due_at: datetime,
    pairs: AbstractSet[Pair],
    now: datetime | None = None,
    table: Confirm | None = None,
) -> Begun:
    """Begin a run that asks all questions of some engines and targets of a tick again.

    Whole lists and all repeats, because the comparison is in pairs. `audit` is the job as the tick
    was begun with; `table` says how many questions it may ask a day, that of the audit if None. Not
    begun where they would be more, which the reason says. Raises InvalidInput as `start_noise`.
    """
    now = now or datetime.now(UTC)
    known_pairs = pairs & pairs_of(audit)
    if not known_pairs:
        return Begun(None, "the job asks none of these engines and targets any more")
    table = table or audit.job.confirm or Confirm()

    def part(audit: Audit, use: EngineUse, seed: str) -> Iterator[PlannedQuestion]:
        return _among(known_pairs, use, plan.order_questions(audit, use, seed))

    budget = table.daily_budget
    if budget is not None:
        n = sum(1 for use, _ in audit.engines for _question in part(audit, use, ""))
        midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        with database.read() as connection:
            spent = runs.count_questions_since(
                connection, audit.job.name, RunKind.CONFIRM, midnight
            )
        if spent + n > budget:
            return Begun(
                None,
                f"confirm.daily_budget = {budget:,}: to ask again are {n:,} questions, and "
                f"{spent:,} were asked today",
            )
    return Begun(_start(database, audit, RunKind.CONFIRM, due_at, now, part))


def lanes_of(database: Database, audit: Audit, run: Run) -> list[str]:
    """The lanes in which a run has to be asked."""
    if audit.job.synchronised:
        return [TOGETHER]
    lanes = by_lane(audit)
    if run.kind not in AGAIN:
        return list(lanes)
    with database.begin() as connection:
        numbers = runs.find_engine_ids(connection, run.id)
        ids = {
            name: {runs.ensure_engine(connection, engine, use) for use, engine in uses}
            for name, uses in lanes.items()
        }
    return [name for name, group in ids.items() if group & numbers]


def _among(
    pairs: AbstractSet[Pair], use: EngineUse, some: Iterable[PlannedQuestion]
) -> Iterator[PlannedQuestion]:
    label = use.label(engine_named(use.name))
    return (question for question in some if (label, question.target) in pairs)


def _start(
    database: Database,
    audit: Audit,
    kind: RunKind,
    due_at: datetime,
    now: datetime | None,
    part: Part,
) -> Run:
    if audit.job.is_recorded:
        raise InvalidInput(f"{audit.path}: recorded answers cannot be asked for again")
    if audit.job.corpus:
        raise InvalidInput(
            f"{audit.path}: it reads what other jobs collected, so that nothing can be asked again"
        )
    with database.read() as connection:
        if runs.find_ended_run(connection, audit.job.name, due_at) is None:
            raise InvalidInput(
                f"{audit.path}: no scheduled run of {due_at:%Y-%m-%d %H:%M} UTC has ended, so that "
                "nothing can be asked again"
            )
    return start_part(database, audit, kind, due_at, now or datetime.now(UTC), part)
