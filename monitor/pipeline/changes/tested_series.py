"""Series that a job tests first, and shifts in them in retrospect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Contrast, Role, Status
from monitor.jobs import Audit
from monitor.model import Quantity, digest
from monitor.pipeline.collect.run_starts import audit_of_run_within
from monitor.pipeline.derive.values import list_instruments
from monitor.stages.changes import decisions, series_roles
from monitor.stages.changes.series_roles import Member
from monitor.stages.changes.statements import QuantityMove
from monitor.store.changes import comparisons, findings
from monitor.store.changes.comparisons import TestedComparison
from monitor.store.changes.findings import StoredChange
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.jobs import declarations

# --- declared series ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TestedSeries:
    """Series that a job tests first, their families, and its controls."""

    audit: Audit
    alpha: float
    primaries: frozenset[Member]
    witnesses: frozenset[str]  # labels of control engines
    quantities: Mapping[tuple[str, str], Quantity]  # by measure and name


def declared_by(connection: sa.Connection, audit: Audit) -> TestedSeries:
    """Return what a job and its preregistration say of its families."""
    registered = declarations.read_registered_content(connection, audit.job.name)
    wanted_primaries = tuple(registered.primaries) if registered else audit.job.declared
    members, quantities = _make_members(audit, wanted_primaries)
    if registered and registered.targets:
        members = [member for member in members if member.target in registered.targets]
    return TestedSeries(
        audit=audit,
        alpha=registered.alpha if registered else decisions.ALPHA,
        primaries=frozenset(series_roles.select_primaries(members, wanted_primaries)),
        witnesses=frozenset(use.label(engine) for use, engine in audit.engines if use.control),
        quantities=quantities,
    )


class Declarations:
    """Declarations of the job of each tick, as its files were when the tick began.

    Another run, as one that asks the tick again or a later tick, may have another job: with other
    parameters its series are others, and what was found at the tick would be of none of them.
    """

    def __init__(
        self, connection: sa.Connection, database: Database, run: Run, audit: Audit
    ) -> None:
        """`audit` is the job of a run, which is not read again."""
        self._database = database
        key = run.job_hash, runs.find_bundle(connection, run.id)
        self._known = {key: declared_by(connection, audit)}

    def of(self, connection: sa.Connection, run: Run, bundle: int | None) -> TestedSeries:
        """That of a tick's run, whose files are `bundle`. Raises InvalidInput, StoreProblem."""
        key = run.job_hash, bundle
        if key not in self._known:
            audit = audit_of_run_within(connection, self._database, run)
            self._known[key] = declared_by(connection, audit)
        return self._known[key]


def _make_members(
    audit: Audit, wanted: Sequence[str]
) -> tuple[list[Member], dict[tuple[str, str], Quantity]]:
    """Every series over all probes that is tested first, in the job's order; and all quantities.

    The quantities of `wanted`, or, where it is empty, those that each measure puts first.
    """
    members: list[Member] = []
    quantities: dict[tuple[str, str], Quantity] = {}
    for use, engine in audit.engines:
        for target in use.wanted:
            for instrument in list_instruments(audit, engine, target):
                name = instrument.name
                quantities |= {(name, q.name): q for q in instrument.measure.quantities}
                reference = instrument.reference.name if instrument.reference else ""
                own_names = {quantity.name for quantity in instrument.measure.quantities}
                first = (
                    [q for q in wanted if q in own_names]
                    if wanted
                    else instrument.measure.primaries
                )
                members += [
                    Member(
                        use.label(engine), engine.surface, target,
                        instrument.probe_list.name, source, name, quantity, reference,
                    )
                    for source in instrument.probe_list.source_langs
                    if use.asks_for(source, target)
                    for quantity in first
                ]  # fmt: skip
    return members, quantities


def member_of(one: TestedComparison) -> Member:
    """A comparison's series as a job declares it."""
    return Member(
        one.engine, one.surface, one.target, one.list, one.source_lang, one.measure,
        one.quantity, one.reference,
    )  # fmt: skip


def is_primary(declared: TestedSeries, one: TestedComparison) -> bool:
    """Return whether a comparison is of a series that is tested first."""
    return (
        one.scope == "all"
        and one.engine not in declared.witnesses
        and member_of(one) in declared.primaries
    )


def moved_of(declared: TestedSeries, one: TestedComparison) -> QuantityMove:
    """A comparison as sentences take it."""
    quantities = declared.quantities.get((one.measure, one.quantity))
    title = quantities.title if quantities else one.quantity
    return QuantityMove(
        one.quantity, title, one.before, one.after, one.delta, one.low, one.high, one.p, one.n,
        one.changed, one.facts,
    )  # fmt: skip


def where_of(one: TestedComparison) -> str:
    """`deepl, en to cs, list stereotypes`, with the scope where it is not all probes."""
    pair = one.target if one.source_lang == one.target else f"{one.source_lang} to {one.target}"
    scope = "" if one.scope == "all" else f", {one.scope}"
    return f"{one.engine}, {pair}, list {one.list}{scope}"


# --- shifts in retrospect -------------------------------------------------------------------------


def look_back(
    connection: sa.Connection,
    declared: TestedSeries,
    job: str,
    tests: Sequence[TestedComparison],
    due_at: datetime,
    now: datetime,
) -> int:
    """Store shifts in primary series until a tick. Returns the number of rows written.

    `tests` are the newest comparison of each series.
    """
    tests_by_series_id = {
        tested_comparison.series_id: tested_comparison for tested_comparison in tests
    }
    grid = {moment: n for n, moment in enumerate(comparisons.list_due_times(connection, job))}
    stored = findings.find_retrospective(connection, [ChangeKind.SHIFT], tests_by_series_id)
    changes: list[StoredChange] = []
    for series, steps in comparisons.find_series_comparisons(
        connection, tests_by_series_id, Contrast.STEP
    ).items():
        known_steps = [
            step
            for step in steps
            if step.due_at <= due_at and step.due_at in grid and step.before_due_at in grid
        ]
        if not known_steps:
            continue
        back = [
            decisions.RunStep(
                grid[known_step.due_at],
                known_step.after_run,
                known_step.before_run,
                known_step.before,
                known_step.delta,
            )
            for known_step in known_steps
        ]
        times = {grid[known_step.due_at]: known_step.due_at for known_step in known_steps}
        first_at = grid[known_steps[0].before_due_at]
        for seen in decisions.look_back(back, first_at):
            detected_at = due_at
            if (series, ChangeKind.SHIFT, times[seen.at]) not in stored:
                detected_at = times[decisions.first_found_at(back, first_at, seen.at)]
            changes.append(
                _seen(declared, tests_by_series_id[series], seen, times[seen.at], detected_at)
            )
    return findings.store_retrospective(
        connection, changes, [ChangeKind.SHIFT], tests_by_series_id, now
    )


def _seen(
    declared: TestedSeries,
    test: TestedComparison,
    seen: decisions.SeenShift,
    changed_at: datetime,
    detected_at: datetime,
) -> StoredChange:
    """Return a shift as it is stored: no claim by itself."""
    effect = seen.after - seen.before
    moved = moved_of(declared, test)
    words = (
        f"{where_of(test)}: {moved.title} ({test.quantity}) shifted from about {seen.before:.3f} "
        f"to about {seen.after:.3f}, in retrospect over the whole series."
    )
    return StoredChange(
        series_id=test.series_id, kind=ChangeKind.SHIFT, role=Role.PRIMARY,
        family=member_of(test).family, changed_at=changed_at, detected_at=detected_at,
        before_run_id=seen.before_run,
        after_run_id=seen.run, comparison_id=None, confirm_id=None, before=seen.before,
        after=seen.after, effect=effect, low=None, high=None, p=None, q=None, alpha=None,
        p_beyond=None, alpha_beyond=None, noise=None, statistic=None,
        status=Status.RETROSPECTIVE, cause=Cause.OPEN,
        because=f"{seen.why} Found in retrospect: no cause is determined.", sentence=words,
        facts={}, inputs_digest=digest([decisions.VERSION, seen.before, seen.after, words,
                                        seen.why, seen.before_run, seen.run]),
    )  # fmt: skip
