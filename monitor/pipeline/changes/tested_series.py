"""Series that a job tests first, shifts in them in retrospect, and causes of changes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial

import sqlalchemy as sa

from monitor.change import Cause, ChangeKind, Contrast, Role, Status
from monitor.jobs import Audit
from monitor.model import Engine, Kind, Measure, Quantity, RunKind, digest, primary
from monitor.pipeline.collect import provenance
from monitor.pipeline.collect.run_starts import audit_of_run_within
from monitor.pipeline.derive.values import changed_controls, list_instruments
from monitor.stages.changes import attribution, decisions, series_roles
from monitor.stages.changes.attribution import Circumstances, Control, Flips
from monitor.stages.changes.series_roles import Member
from monitor.stages.changes.statements import QuantityMove
from monitor.stages.document.notation import number, span
from monitor.stages.validation import known_doubts, say_doubts
from monitor.store.changes import comparisons, findings
from monitor.store.changes.comparisons import TestedComparison
from monitor.store.changes.findings import StoredChange
from monitor.store.collect import evidence, runs
from monitor.store.collect.runs import Run
from monitor.store.database import Database
from monitor.store.derive import signatures
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
        key = run.job_hash, run.bundle_id
        self._known = {key: declared_by(connection, audit)}

    def of(self, connection: sa.Connection, run: Run) -> TestedSeries:
        """That of a tick's run. Raises InvalidInput, StoreProblem."""
        key = run.job_hash, run.bundle_id
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
                first = primaries_of(instrument.measure, wanted)
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


def primaries_of(measure: Measure, names: Sequence[str]) -> tuple[str, ...]:
    """The quantities of a measure whose changes are tested first, in the order of importance.

    Where some are named, those among them that the measure yields.
    """
    if not names:
        return tuple(getattr(measure, "primaries", ()))
    own_names = {quantity.name for quantity in measure.quantities}
    return tuple(name for name in names if name in own_names)


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
    tests_by_series_id = {test.series_id: test for test in tests}
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
                grid[step.due_at], step.after_run, step.before_run, step.before, step.delta
            )
            for step in known_steps
        ]
        times = {grid[step.due_at]: step.due_at for step in known_steps}
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


# --- circumstances --------------------------------------------------------------------------------

#: Asked again, a change has to be there by itself: one test, not many.
_LEVEL = 0.05
#: A control's flips are compared with those of so many earlier ticks at most.
_EARLIER = 52


class Witnesses:
    """Reads the circumstances of the changes of one tick."""

    def __init__(
        self,
        connection: sa.Connection,
        declared: TestedSeries,
        run_id: int,
        tests: Sequence[TestedComparison],
    ) -> None:
        self._connection, self._tests, self._declared = connection, tests, declared
        run = runs.get_run(connection, run_id)
        self._other_controls = sorted(changed_controls(connection, declared.audit, run))
        self._engines = {use.label(engine): engine for use, engine in declared.audit.engines}
        self._doubts = known_doubts(connection)
        self._identities = cache(partial(evidence.read_answering_identity, connection))
        self._provenance = cache(partial(runs.read_provenance, connection))
        self._parts = cache(partial(signatures.read_parts, connection))

    def attribute(self, one: TestedComparison) -> tuple[Cause, str]:
        """(cause, why in sentences) of a change."""
        labels = [
            declarations.find_list_label(self._connection, run_id, one.list)
            for run_id in (one.before_run, one.after_run)
        ]
        engine = self._engines.get(one.engine)
        changed = self._software(engine, one, one.before_run, one.after_run) if engine else []
        cleared, doubted = self._side_by_side(engine, one) if engine and changed else ("", "")
        return attribution.attribute_change(
            Circumstances(
                controls=[
                    Control(
                        other.engine,
                        other.n,
                        other.changed,
                        other.p,
                        self._flips(other, Contrast.DAYS),
                        self._flips(other, Contrast.STEP),
                    )
                    for other in self._beside(one)
                ],
                changed_share=one.changed / one.n if one.n else 0.0,
                engine_said=self._said(engine, one, one.before_run, one.after_run, ours=False),
                lists=(labels[0], labels[1]),
                only_before=one.only_before,
                only_after=one.only_after,
                controls_changed=self._other_controls,
                audits_fell=self._audits_fell(one),
                software=changed,
                cleared=cleared,
                doubted=doubted,
            )
        )

    # --- controls ---------------------------------------------------------------------------------

    def _beside(self, one: TestedComparison) -> Iterator[TestedComparison]:
        """The series of controls that measure the same of the same language."""
        for other_test in self._tests:
            if (
                other_test.engine in self._declared.witnesses
                and primary(other_test.target) == primary(one.target)
                and (other_test.list, other_test.measure, other_test.quantity, other_test.scope)
                == (one.list, one.measure, one.quantity, one.scope)
            ):
                yield other_test

    def _flips(self, other: TestedComparison, contrast: Contrast) -> list[Flips]:
        """(changed, compared) answers of earlier ticks, as far as known when this one had ended.

        What was asked again later than that changes nothing: a tick that is decided anew has the
        same controls.
        """
        series = comparisons.find_series_comparisons(self._connection, [other.series_id], contrast)
        earlier = [day for day in series.get(other.series_id, []) if day.due_at < other.due_at]
        ended = runs.read_end_times(
            self._connection, {other.after_run, *(day.after_run for day in earlier)}
        )
        now = ended.get(other.after_run)
        return [
            (day.changed, day.n)
            for day in earlier[-_EARLIER:]
            if day.n and now and day.after_run in ended and ended[day.after_run] <= now
        ]

    # --- our software -----------------------------------------------------------------------------

    def _software(
        self, engine: Engine, one: TestedComparison, before: int, after: int
    ) -> list[str]:
        """In what the software differs that asked an engine in two runs."""
        differences = provenance.list_differences(
            engine, self._provenance(before), self._provenance(after)
        )
        return differences + self._said(engine, one, before, after, ours=True)

    def _said(
        self, engine: Engine | None, one: TestedComparison, before: int, after: int, *, ours: bool
    ) -> list[str]:
        """In what differs what answered: facts of our own software, or of the engine itself."""
        facts = [
            [
                {
                    name: value
                    for name, value in identity.items()
                    if (engine is not None and provenance.is_ours(engine, name)) is ours
                }
                for identity in self._identities(run_id, one.engine_id)
            ]
            for run_id in (before, after)
        ]
        return provenance.differences_of_identity(*facts)

    def _side_by_side(self, engine: Engine, one: TestedComparison) -> tuple[str, str]:
        """(why the change is not made by other software, what speaks against that); or nothing.

        Two things clear it. The new software asked the questions of the tick before as well, in its
        noise run: the answers agree, and their difference is surely smaller than the change. Or the
        change is there again between two runs that were asked with the same software.
        """
        again = self._again(engine, one)
        days = comparisons.find_series_comparisons(self._connection, [one.series_id], Contrast.DAYS)
        tested_comparisons = [
            day
            for day in days.get(one.series_id, [])
            if day.before_run == one.before_run
            and not self._software(engine, one, day.after_run, one.after_run)
        ]
        if not tested_comparisons:
            return again, ""
        [day] = tested_comparisons
        difference = f"{number(day.delta, 3, sign=True)} {span(day.low, day.high, 3, sign=True)}"
        words = f"Asked in the same week, the old and the new software differ by {difference}"
        if attribution.is_less(day, one):
            return f"{words}, which is less than this change.", ""
        return again, f"{words}, which does not tell what the change comes from."

    def _again(self, engine: Engine, one: TestedComparison) -> str:
        """Return whether the change is there again between two runs of the same software."""
        run = runs.get_run(self._connection, one.after_run)
        run_id = runs.find_scheduled(self._connection, run.job, run.due_at, RunKind.CONFIRM)
        if run_id is None:
            return ""
        for test in comparisons.find_run_comparisons(self._connection, run_id, Contrast.CONFIRM):
            if (
                test.series_id == one.series_id
                and test.p is not None
                and test.p <= _LEVEL
                and test.delta * one.delta > 0
                and not self._software(engine, one, test.before_run, test.after_run)
            ):
                return "The change is there again between two runs of the same software."
        return ""

    # --- audits -----------------------------------------------------------------------------------

    def _audits_fell(self, one: TestedComparison) -> tuple[str, ...]:
        """Audits that put the reading of translations in doubt; regions are no languages."""
        engine = self._engines.get(one.engine)
        if engine is None or engine.kind is not Kind.MT:
            return ()
        return say_doubts(self._doubts, one.target, one.due_at, self._parts(one.signature_id))
