"""What stood still and what did not at a tick: control, instrument, what engines say."""

from collections.abc import Sequence

import sqlalchemy as sa

from monitor.change import Cause
from monitor.model import Json, Kind, primary
from monitor.pipeline.computing import changed_controls
from monitor.pipeline.declared import Declared
from monitor.pipeline.suspecting import known_doubts, sentences
from monitor.stages import attribution
from monitor.stages.attribution import Circumstances, Control
from monitor.store import evidence, lists, runs, signatures
from monitor.store.comparisons import Tested


class Witnesses:
    """What is known of a tick beside the answers of the system that was found to have changed."""

    def __init__(
        self,
        connection: sa.Connection,
        declared: Declared,
        run_id: int,
        tests: Sequence[Tested],
    ) -> None:
        self._connection, self._tests, self._declared = connection, tests, declared
        run = runs.get(connection, run_id)
        self._other_controls = sorted(changed_controls(connection, declared.audit, run))
        self._translators = {
            use.label(engine) for use, engine in declared.audit.engines if engine.kind is Kind.MT
        }
        self._doubts = known_doubts(connection)
        self._said: dict[tuple[int, int], frozenset[str]] = {}
        self._parts: dict[int, dict[str, Json]] = {}

    def attribute(self, one: Tested) -> tuple[Cause, str]:
        """(cause, why)."""
        controls = [
            Control(other.engine, other.n, other.changed, other.p)
            for other in self._tests
            if other.engine in self._declared.witnesses
            and primary(other.target) == primary(one.target)
            and (other.list, other.measure, other.quantity, other.scope)
            == (one.list, one.measure, one.quantity, one.scope)
        ]
        labels = [lists.label_of_run(self._connection, run, one.list) for run in self._runs(one)]
        before, after = (self._says(run, one.engine_id) for run in self._runs(one))
        return attribution.attribute(
            Circumstances(
                controls=controls,
                changed_share=one.changed / one.n if one.n else 0.0,
                said_before=before,
                said_after=after,
                lists=(labels[0], labels[1]),
                only_before=one.only_before,
                only_after=one.only_after,
                controls_changed=self._other_controls,
                audits_fell=self._audits_fell(one),
            )
        )

    def _audits_fell(self, one: Tested) -> tuple[str, ...]:
        """Audits that put the reading of translations in doubt; regions are no languages."""
        if one.engine not in self._translators:
            return ()
        if one.signature_id not in self._parts:
            self._parts[one.signature_id] = signatures.parts(self._connection, one.signature_id)
        return sentences(self._doubts, one.target, one.due_at, self._parts[one.signature_id])

    @staticmethod
    def _runs(one: Tested) -> tuple[int, int]:
        return one.before_run, one.after_run

    def _says(self, run_id: int, engine_id: int) -> frozenset[str]:
        key = run_id, engine_id
        if key not in self._said:
            self._said[key] = frozenset(evidence.said_by(self._connection, run_id, engine_id))
        return self._said[key]
