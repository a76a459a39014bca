"""Circumstances of a change beside the answers: controls, audits, our software, the engine."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from monitor.change import Cause, Contrast
from monitor.model import Engine, Json, Kind, RunKind, primary
from monitor.pipeline.changes.tested_series import TestedSeries
from monitor.pipeline.collect import provenance
from monitor.pipeline.derive.values import changed_controls
from monitor.pipeline.validation.instrument_checks import known_doubts, say_doubts
from monitor.stages.changes import attribution
from monitor.stages.changes.attribution import Circumstances, Control, Flips
from monitor.stages.document.notation import number, span
from monitor.store.changes import comparisons
from monitor.store.changes.comparisons import TestedComparison
from monitor.store.collect import evidence, runs
from monitor.store.collect.runs import Provenance
from monitor.store.derive import signatures
from monitor.store.jobs import declarations

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
        self._identities: dict[tuple[int, int], list[dict[str, str]]] = {}
        self._provenance: dict[int, Provenance] = {}
        self._parts: dict[int, dict[str, Json]] = {}

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
                controls=[self._control(other_name) for other_name in self._beside(one)],
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

    def _control(self, other: TestedComparison) -> Control:
        noise, steps = (self._flips(other, what) for what in (Contrast.DAYS, Contrast.STEP))
        return Control(other.engine, other.n, other.changed, other.p, noise, steps)

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
            engine, self._made_by(before), self._made_by(after)
        )
        return differences + self._said(engine, one, before, after, ours=True)

    def _made_by(self, run_id: int) -> Provenance:
        if run_id not in self._provenance:
            self._provenance[run_id] = runs.read_provenance(self._connection, run_id)
        return self._provenance[run_id]

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
                for identity in self._answering(run_id, one.engine_id)
            ]
            for run_id in (before, after)
        ]
        return provenance.differences_of_identity(*facts)

    def _answering(self, run_id: int, engine_id: int) -> list[dict[str, str]]:
        key = run_id, engine_id
        if key not in self._identities:
            self._identities[key] = evidence.read_answering_identity(
                self._connection, run_id, engine_id
            )
        return self._identities[key]

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
        if one.signature_id not in self._parts:
            self._parts[one.signature_id] = signatures.read_parts(
                self._connection, one.signature_id
            )
        return say_doubts(self._doubts, one.target, one.due_at, self._parts[one.signature_id])
