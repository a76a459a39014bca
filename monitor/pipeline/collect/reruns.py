"""Begins runs that ask a part of a tick again: for the noise of a day, and to confirm findings.

In go a tick and what of it is asked again, out comes a run with the due time of that tick and a
kind of its own. It is asked by the same machinery as every run, and is not on the grid of ticks.
"""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from monitor.jobs import Audit, EngineUse
from monitor.jobs_tables import Confirm, Noise
from monitor.model import InvalidInput, RunKind
from monitor.pipeline.collect.lanes import by_lane
from monitor.pipeline.collect.run_starts import (
    Part,
    audit_of,
    audit_of_run,
    check_governance,
    start_part,
)
from monitor.registry import engine as engine_named
from monitor.stages.jobs import plan
from monitor.stages.jobs.plan import PlannedQuestion
from monitor.store.changes import baseline_runs, findings
from monitor.store.changes.findings import ToConfirm
from monitor.store.collect import runs
from monitor.store.collect.runs import AGAIN, Run
from monitor.store.database import Database
from monitor.store.schedule.tasks import TOGETHER

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
            spent = baseline_runs.count_questions_since(
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
        numbers = baseline_runs.find_engine_ids(connection, run.id)
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
        if baseline_runs.find_ended_run(connection, audit.job.name, due_at) is None:
            raise InvalidInput(
                f"{audit.path}: no scheduled run of {due_at:%Y-%m-%d %H:%M} UTC has ended, so that "
                "nothing can be asked again"
            )
    return start_part(database, audit, kind, due_at, now or datetime.now(UTC), part)
