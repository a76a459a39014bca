"""What the public is not told of a finding that it may see: words that give others' numbers away.

A finding of one quantity may name others of the same system, and what it is put down to rests on
what controls did. Audits of the instrument draw from several systems, and what was declared is of
a whole job. Whoever sees everything is told everything.
"""

from collections.abc import Mapping
from typing import Any

from monitor.stages.attribution import AUDIT_FELL
from monitor.stages.audit_claim import NOT_AUDITED
from monitor.store.changes import findings
from monitor.store.database import Connection
from monitor.web.site._visitor import Visitor


class Unsaid:
    """The words of findings as a visitor may read them."""

    def __init__(self, connection: Connection, who: Visitor) -> None:
        self._hidden = who.hidden
        numbers = {engine for engine, _ in who.hidden.evidence}
        self._labels = findings.read_engine_labels(connection, numbers) if numbers else []

    def hides(self, engine_id: int, target: str) -> bool:
        """Whether answers of this system are not public."""
        return not self._hidden.shows_answers(engine_id, target)

    def sentence(self, words: str, engine_id: int, target: str) -> str:
        """A finding in a sentence, which may name other quantities of its system; or nothing."""
        return "" if self.hides(engine_id, target) else words

    def because(self, words: str) -> str:
        """Why a finding is put down to something; nothing where that tells of a hidden engine."""
        tells = any(label in words for label in self._labels)
        return "" if tells or (self._hidden.evidence and AUDIT_FELL in words) else words

    def audit(self, known: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """What audits say of a number; nothing where they may have drawn from hidden answers."""
        rests = known is not None and known["said"] != [NOT_AUDITED]
        return None if rests and self._hidden.evidence else known

    def declared(self, known: Mapping[str, Any]) -> Mapping[str, Any]:
        """What was declared, without departures where those may name what is hidden of a job."""
        if not self._hidden.evidence:
            return known
        return {**known, "departures": [], "departures_said": []}
